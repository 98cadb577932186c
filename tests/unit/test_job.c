/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_job.c - what a job is when a person says little. */
#include "test.h"

#include <string.h>

#include "base/util.h"
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

static p3d_job defaults_of(const char *name, int seq_len, int n_gpus)
{
    const p3d_cluster cluster = {
            .n_gpus = n_gpus, .gpu = {.bf16_flop_per_s = 1e14}};
    p3d_model model;
    p3d_error err = {0};
    p3d_job job = {.seq_len = seq_len};

    if (!p3d_model_find(name, &model, &err))
        fail_msg("%s: %s", name, err.text);
    p3d_job_default(&job, &model, &cluster);
    return job;
}

/* By hand, from the reports that the files name. */
static void a_job_is_the_published_training(void **state)
{
    static const struct {
        const char *model;
        int n_gpus;
        int seq_len;
        int64_t batch;
    } rows[] = {
            {"deepseek-v3", 2048, 4096, 15360},
            {"deepseek-v3", 64, 4096, 15360},
            {"deepseek-v2", 512, 4096, 9216},
            {"kimi-k2", 256, 4096, 16384},
            {"moonlight-16b-a3b", 64, 8192, 4096},
            {"llama-3.1-405b", 16384, 8192, 2048},
            {"llama-2-70b", 8, 4096, 1024},
            {"gpt3-175b", 1024, 2048, 1536},
            {"gpt2-xl", 32, 1024, 512},
            {"bloom-176b", 512, 2048, 2048},
            {"megatron-530b", 2240, 2048, 1960},
            {"falcon-40b", 384, 2048, 1152},
            {"opt-6.7b", 128, 2048, 1024},
            {"opt-1.3b", 64, 2048, 512},
            {"opt-175b", 1024, 2048, 1024},
            {"bloom-560m", 64, 2048, 256},
            {"bloom-7b1", 64, 2048, 512},
            {"llama-65b", 2048, 2048, 2048},
            {"gpt-j-6b", 256, 2048, 512},
            {"smollm2-135m", 64, 2048, 512},
            {"smollm2-360m", 128, 2048, 768},
            {"smollm2-1.7b", 256, 2048, 1024},
            {"pythia-12b", 256, 2048, 1024},
            {"olmo-2-13b", 128, 4096, 2048},
            {"phi-4", 1920, 4096, 5760},
            /* not known: the batch; all of it */
            {"qwen3-32b", 64, 4096, 1024},
            {"qwen2.5-72b", 64, 4096, 1024},
            {"llama-3-70b", 64, 8192, 512},
            {"mixtral-8x7b", 64, 8192, 512},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const p3d_job job = defaults_of(rows[i].model, 0, rows[i].n_gpus);

        if (job.seq_len != rows[i].seq_len || job.global_batch != rows[i].batch)
            fail_msg("%s on %d: %lld x %d", rows[i].model, rows[i].n_gpus,
                    (long long)job.global_batch, job.seq_len);
    }
}

static void other_sequences_keep_the_published_tokens(void **state)
{
    (void)state;
    assert_int_equal(defaults_of("deepseek-v3", 8192, 64).global_batch, 7680);
    assert_int_equal(defaults_of("deepseek-v3", 32768, 64).global_batch, 1920);
    assert_int_equal(defaults_of("llama-2-7b", 1048576, 64).global_batch, 4);
}

static void a_published_batch_moves_to_one_that_the_gpus_divide(void **state)
{
    (void)state;
    assert_int_equal(defaults_of("gpt-neox-20b", 0, 1).global_batch, 1538);
    assert_int_equal(defaults_of("gpt-neox-20b", 0, 96).global_batch, 1536);
    assert_int_equal(defaults_of("bloom-176b", 0, 384).global_batch, 2112);
    assert_int_equal(defaults_of("llama-2-70b", 0, 56).global_batch, 1008);
    assert_int_equal(defaults_of("llama-2-70b", 0, 1999).global_batch, 1999);
}

/* Of 8192 GPUs each has 1,024 tokens, twice what the model was trained with. */
static void more_gpus_than_the_published_batch_has_for_get_more(void **state)
{
    (void)state;
    assert_int_equal(defaults_of("llama-2-70b", 0, 4096).global_batch, 1024);
    assert_int_equal(defaults_of("llama-2-70b", 0, 8192).global_batch, 2048);
}

static void a_wild_published_batch_is_none(void **state)
{
    p3d_model model = {.pretraining = {4096, INT64_MAX, ""}};

    (void)state;
    assert_int_equal(p3d_job_default_batch(&model, 4096, 64), 1024);
    model.pretraining.global_batch = -1;
    assert_int_equal(p3d_job_default_batch(&model, 4096, 64), 1024);
    assert_int_equal(p3d_job_default_batch(NULL, 4096, 64), 0);
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
    before.sure_frac = P3D_SURE_FRAC; /* which a reserve stands for */
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

/* What is kept free makes a plan as sure to fit as is asked for. */
static void as_much_is_kept_free_as_makes_sure(void **state)
{
    const p3d_framework *const core = p3d_framework_find("megatron-core");
    const p3d_model dense = {.max_positions = 4096};
    const p3d_model experts = {.max_positions = 4096, .n_experts = 8};
    const p3d_cluster cluster = {
            .n_gpus = 8, .gpu = {.visible_memory_bytes = 80000000000}};
    p3d_job job = {.framework = core};
    p3d_job surer = {.framework = core, .sure_frac = 0.99};
    p3d_job of_experts = {.framework = core};
    p3d_job fixed = {.framework = core, .reserve_bytes = 5};

    (void)state;
    p3d_job_default(&job, &dense, &cluster);
    p3d_job_default(&surer, &dense, &cluster);
    p3d_job_default(&of_experts, &experts, &cluster);
    p3d_job_default(&fixed, &dense, &cluster);
    CHECK_REL((double)job.sure_reserve_bytes,
            8e10 * (1 - p3d_sure_taken_frac(core, &dense, 0.95)), 1e-9);
    assert_true(job.sure_reserve_bytes > 1000000000);
    assert_true(surer.sure_reserve_bytes > job.sure_reserve_bytes);
    assert_true(of_experts.sure_reserve_bytes > job.sure_reserve_bytes);
    assert_int_equal(fixed.sure_reserve_bytes, 0);
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
            cmocka_unit_test(a_job_is_the_published_training),
            cmocka_unit_test(other_sequences_keep_the_published_tokens),
            cmocka_unit_test(
                    a_published_batch_moves_to_one_that_the_gpus_divide),
            cmocka_unit_test(
                    more_gpus_than_the_published_batch_has_for_get_more),
            cmocka_unit_test(a_wild_published_batch_is_none),
            cmocka_unit_test(what_was_said_is_kept),
            cmocka_unit_test(the_data_type_is_what_the_gpu_can_do),
            cmocka_unit_test(as_much_is_kept_free_as_makes_sure),
            cmocka_unit_test(the_rest_is_adam_flash_attention_and_megatron),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
