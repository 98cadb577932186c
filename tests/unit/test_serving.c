/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_serving.c - GPUs that serve a model: weights, cache, and the fewest. */
#include "problem.h"

#include <string.h>

#include "exchange/launch/serving.h"

static p3d_model model_of(const char *name)
{
    p3d_model model;
    p3d_error err = {0};

    problem_check(p3d_model_find(name, &model, &err), &err);
    return model;
}

/* Llama-3-70B: 2 tensors x 2 bytes x 80 layers x 8 heads x 128 channels. */
static void the_cache_of_a_token_is_keys_and_values(void **state)
{
    const p3d_model m = model_of("llama-3-70b");

    (void)state;
    CHECK_REL(exchange_cache_bytes(&m, 1, 1), 327680, 0);
    CHECK_REL(exchange_cache_bytes(&m, 8, 1), 40960, 0);
    CHECK_REL(exchange_cache_bytes(&m, 8, 4), 10240, 0);
    /* A head is copied where there are more ranks than heads. */
    CHECK_REL(exchange_cache_bytes(&m, 16, 1), 40960, 0);
}

/* DeepSeek-V3: 61 layers x (512 + 64) x 2 bytes, on every rank. */
static void a_latent_cache_is_not_split(void **state)
{
    const p3d_model m = model_of("deepseek-v3");

    (void)state;
    CHECK_REL(exchange_cache_bytes(&m, 1, 1), 70272, 0);
    CHECK_REL(exchange_cache_bytes(&m, 8, 1), 70272, 0);
}

/* Qwen3-Next: 12 of 48 layers have attention, 2 heads of 256 channels; the
 * others 32 states of 128 x 128, and 3 inputs of 8,192 channels. Gemma 4 E4B:
 * 24 of 42 layers make keys and values, each sixth one of 512 channels. Qwen3.5
 * and Kimi Linear (20 of 27 layers) keep states in fp32. */
static void layers_keep_what_they_have(void **state)
{
    const p3d_model next = model_of("qwen3-next-80b-a3b");
    const p3d_model wide = model_of("qwen3.5-0.8b");
    const p3d_model kimi = model_of("kimi-linear-48b-a3b");
    const p3d_model gemma = model_of("gemma-4-e4b");
    const p3d_model dense = model_of("llama-3-70b");

    (void)state;
    CHECK_REL(exchange_cache_bytes(&next, 1, 1), 12 * 4 * 2 * 256, 0);
    CHECK_REL(exchange_cache_bytes(&next, 2, 4), 3 * 4 * 256, 0);
    CHECK_REL(exchange_state_bytes(&next, 1, 1),
            36 * (2.0 * 32 * 128 * 128 + 2.0 * 3 * 8192), 0);
    CHECK_REL(exchange_state_bytes(&wide, 1, 1),
            18 * (4.0 * 16 * 128 * 128 + 2.0 * 3 * 6144), 0);
    CHECK_REL(exchange_state_bytes(&kimi, 1, 1),
            20 * (4.0 * 32 * 128 * 128 + 2.0 * 3 * 3 * 4096), 0);
    CHECK_REL(exchange_cache_bytes(&gemma, 1, 1),
            4 * 2 * (20.0 * 256 + 4.0 * 512), 0);
    CHECK_REL(exchange_state_bytes(&gemma, 1, 1), 0, 0);
    CHECK_REL(exchange_state_bytes(&dense, 1, 1), 0, 0);
}

/* Gemma 3 27B: 10 of 62 layers see all tokens, the others 1,024; 8,192 bytes a
 * token and layer. vLLM keeps the window, what a pass adds and a block, in six
 * groups of 10 layers; the others keep all. */
static void windows_drop_their_tokens(void **state)
{
    const exchange_server *const vllm = exchange_server_find("vllm");
    const exchange_server *const tgi = exchange_server_find("tgi");
    p3d_problem p =
            problem_of("gemma-3-27b", "8xH100", "megatron-core", 131072, 8);
    const p3d_problem small =
            problem_of("gemma-3-27b", "8xA100", "megatron-core", 131072, 8);
    const double all = 8192 * 131072.0;

    (void)state;
    CHECK_REL(exchange_sequence_bytes(vllm, &p, 1, 1),
            10 * all + 60 * 8192.0 * (1023 + 8192 + 16), 0);
    CHECK_REL(exchange_sequence_bytes(vllm, &small, 1, 1),
            10 * all + 60 * 8192.0 * (1023 + 2048 + 16), 0);
    CHECK_REL(exchange_sequence_bytes(tgi, &p, 1, 1), 62 * all, 0);
    p.job.seq_len = 4096;
    CHECK_REL(exchange_sequence_bytes(vllm, &p, 1, 1), 70 * 8192.0 * 4096, 0);
}

/* gpt-oss-20b: as many layers of each kind, no place is left empty. */
static void groups_are_filled(void **state)
{
    const exchange_server *const vllm = exchange_server_find("vllm");
    const p3d_problem p =
            problem_of("gpt-oss-20b", "8xH100", "megatron-core", 131072, 8);

    (void)state;
    CHECK_REL(exchange_sequence_bytes(vllm, &p, 2, 1),
            12 * 1024.0 * (131072 + 127 + 8192 + 16), 0);
}

/* Llama-3-8B: 8 bits but for two tables of 128,256 x 4,096. */
static void tables_stay_in_16_bits(void **state)
{
    p3d_problem p =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 8192, 8);
    exchange_serving s;
    p3d_error err = {0};

    (void)state;
    p.job.dtype = P3D_FP8;
    assert_true(
            exchange_serving_find(exchange_server_find("tgi"), &p, &s, &err));
    assert_int_equal(
            s.weights_bytes, INT64_C(8030261248) + 2 * 128256 * 4096 + 4096);
}

/* Tokens that see those behind them are not written one by one. */
static void what_writes_no_text_is_not_served(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xH100", "megatron-core", 512, 8);
    exchange_serving s;
    p3d_error err = {0};

    (void)state;
    problem.model.sees_all = true;
    assert_false(exchange_serving_find(
            exchange_server_find("vllm"), &problem, &s, &err));
    test_check_error(&err, P3D_DATA, "its tokens see those behind them");
    problem.model.sees_all = false;
    problem.model.cross_width = 512;
    err = (p3d_error){0};
    assert_false(exchange_serving_find(
            exchange_server_find("tgi"), &problem, &s, &err));
    test_check_error(&err, P3D_DATA, "the output of an encoder");
}

/* 141 GB of weights: two GPUs of 80 GB hold them, one does not. */
static void the_fewest_gpus_are_taken(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3-70b", "8xA100", "megatron-core", 8192, 8);
    exchange_serving s;
    p3d_error err = {0};

    (void)state;
    for (int i = 0; exchange_server_at(i) != NULL; i++) {
        assert_true(exchange_serving_find(
                exchange_server_at(i), &problem, &s, &err));
        assert_int_equal(s.pp, 1);
        assert_int_equal(s.tp * s.pp * s.dp, 8);
        assert_true(s.room_tokens >= 8192);
        assert_true(s.tp >= 2 && s.tp <= 4);
        CHECK_REL((double)s.weights_bytes, 70553706496.0 * 2 / s.tp, 1e-9);
    }
}

static void only_some_serve_over_nodes(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3.1-405b", "16xH100", "megatron-core", 8192, 16);
    exchange_serving s;
    p3d_error err = {0};

    (void)state;
    assert_true(exchange_serving_find(
            exchange_server_find("vllm"), &problem, &s, &err));
    assert_int_equal(s.tp, 8);
    assert_int_equal(s.pp, 2);
    assert_false(exchange_serving_find(
            exchange_server_find("tgi"), &problem, &s, &err));
    test_check_error(&err, P3D_NO, "the GPUs of a node");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_cache_of_a_token_is_keys_and_values),
            cmocka_unit_test(a_latent_cache_is_not_split),
            cmocka_unit_test(layers_keep_what_they_have),
            cmocka_unit_test(windows_drop_their_tokens),
            cmocka_unit_test(groups_are_filled),
            cmocka_unit_test(tables_stay_in_16_bits),
            cmocka_unit_test(what_writes_no_text_is_not_served),
            cmocka_unit_test(the_fewest_gpus_are_taken),
            cmocka_unit_test(only_some_serve_over_nodes),
    };

    return cmocka_run_group_tests_name("serving", tests, NULL, NULL);
}
