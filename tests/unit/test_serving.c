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
            cmocka_unit_test(the_fewest_gpus_are_taken),
            cmocka_unit_test(only_some_serve_over_nodes),
    };

    return cmocka_run_group_tests_name("serving", tests, NULL, NULL);
}
