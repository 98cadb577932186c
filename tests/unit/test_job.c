/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_job.c - what a job is when a person says little. */
#include "test.h"

#include <string.h>

#include "plan3d/job.h"

static p3d_job defaults(int max_positions, int n_gpus)
{
    const p3d_model model = {.max_positions = max_positions};
    const p3d_cluster cluster = {
            .n_gpus = n_gpus, .gpu = {.bf16_flop_per_s = 1e14}};
    p3d_job job = {0};

    p3d_job_default(&job, &model, &cluster);
    return job;
}

static void sequences_are_as_long_as_the_model_was_made_for(void **state)
{
    (void)state;
    assert_int_equal(defaults(1024, 8).seq_len, 1024);
    assert_int_equal(defaults(2048, 8).seq_len, 2048);
    assert_int_equal(defaults(4096, 8).seq_len, 4096);
    assert_int_equal(defaults(6000, 8).seq_len, 4096);
    assert_int_equal(defaults(8192, 8).seq_len, 8192);
    assert_int_equal(defaults(131072, 8).seq_len, 8192);
    assert_int_equal(defaults(0, 8).seq_len, 4096);
}

static void a_step_has_about_four_mi_tokens(void **state)
{
    (void)state;
    assert_int_equal(defaults(4096, 64).global_batch, 1024);
    assert_int_equal(defaults(8192, 64).global_batch, 512);
    assert_int_equal(defaults(2048, 1).global_batch, 2048);
    assert_int_equal(defaults(4096, 4096).global_batch, 1024);
}

static void a_large_cluster_has_1024_tokens_a_gpu_and_step(void **state)
{
    (void)state;
    assert_int_equal(defaults(4096, 16384).global_batch, 4096);
    assert_int_equal(defaults(8192, 131072).global_batch, 16384);
}

static void the_batch_has_the_odd_part_of_the_gpus(void **state)
{
    (void)state;
    assert_int_equal(defaults(4096, 24).global_batch, 768);
    assert_int_equal(defaults(4096, 56).global_batch, 896);
    assert_int_equal(defaults(4096, 72).global_batch, 1152);
    assert_int_equal(defaults(4096, 99991).global_batch, 99991);
}

static void the_batch_is_the_nearest_of_its_kind_for_every_gpu_count(
        void **state)
{
    (void)state;
    for (int n = 1; n <= 5000; n++) {
        const int64_t batch = defaults(4096, n).global_batch;
        const int64_t tokens = n > 4096 ? 1024 * (int64_t)n : 4194304;
        const int64_t target = tokens / 4096;
        int odd = n;

        while (odd % 2 == 0)
            odd /= 2;
        assert_true(batch >= 1);
        assert_int_equal(batch % odd, 0);
        if (batch > odd) {
            assert_true(batch <= 2 * target);
            assert_true(2 * batch > target);
        }
    }
}

static void what_was_said_is_kept(void **state)
{
    const p3d_framework framework = {.name = "mine"};
    const p3d_model model = {.max_positions = 8192};
    const p3d_cluster cluster = {
            .n_gpus = 64, .gpu = {.bf16_flop_per_s = 1e14}};
    p3d_job job = {.seq_len = 1000,
            .global_batch = 7,
            .n_tokens = 2e12,
            .dtype = P3D_FP16,
            .optimizer = P3D_SGD,
            .attention = P3D_EAGER,
            .dropout = true,
            .framework = &framework,
            .reserve_bytes = 5,
            .usd_per_gpu_h = 2};
    p3d_job before = job;

    (void)state;
    before.fixed_attention = before.fixed_reserve = true;
    p3d_job_default(&job, &model, &cluster);
    assert_memory_equal(&job, &before, sizeof(job));
}

static void the_data_type_is_what_the_gpu_can_do(void **state)
{
    const p3d_model model = {.max_positions = 8192};
    p3d_cluster cluster = {.n_gpus = 8, .gpu = {.fp32_flop_per_s = 1e13}};
    p3d_job job = {0};

    (void)state;
    p3d_job_default(&job, &model, &cluster);
    assert_int_equal(job.dtype, P3D_FP32);
    cluster.gpu.fp16_flop_per_s = 1e14;
    p3d_job_default(&job, &model, &cluster);
    assert_int_equal(job.dtype, P3D_FP16);
    assert_int_equal(defaults(2048, 8).dtype, P3D_BF16);
}

static void the_rest_is_adam_flash_attention_and_megatron(void **state)
{
    const p3d_job job = defaults(4096, 8);

    (void)state;
    assert_int_equal(job.optimizer, P3D_ADAM);
    assert_int_equal(job.attention, P3D_FLASH_2);
    assert_false(job.dropout);
    assert_string_equal(job.framework->name, "megatron-core");
}

static void the_error_of_the_estimate_is_kept_free(void **state)
{
    const p3d_framework framework = {.memory_error_frac = 0.05};
    const p3d_model dense = {.max_positions = 4096};
    const p3d_model experts = {.max_positions = 4096, .n_experts = 8};
    const p3d_cluster cluster = {
            .n_gpus = 8, .gpu = {.visible_memory_bytes = 80000000000}};
    p3d_job job = {.framework = &framework};

    (void)state;
    p3d_job_default(&job, &dense, &cluster);
    CHECK_REL((double)job.reserve_bytes, 4e9, 1e-9);
    job.reserve_bytes = 0;
    p3d_job_default(&job, &experts, &cluster);
    CHECK_REL((double)job.reserve_bytes, 8e9, 1e-9);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(sequences_are_as_long_as_the_model_was_made_for),
            cmocka_unit_test(a_step_has_about_four_mi_tokens),
            cmocka_unit_test(a_large_cluster_has_1024_tokens_a_gpu_and_step),
            cmocka_unit_test(the_batch_has_the_odd_part_of_the_gpus),
            cmocka_unit_test(
                    the_batch_is_the_nearest_of_its_kind_for_every_gpu_count),
            cmocka_unit_test(what_was_said_is_kept),
            cmocka_unit_test(the_data_type_is_what_the_gpu_can_do),
            cmocka_unit_test(the_error_of_the_estimate_is_kept_free),
            cmocka_unit_test(the_rest_is_adam_flash_attention_and_megatron),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
