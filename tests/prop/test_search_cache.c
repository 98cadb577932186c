/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_search_cache.c - searches that share costs, or have a limit, find what
 * a search alone finds. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan3d.h"
#include "problem.h"

/* Clusters in an order in which costs are shared, or must not be: of other
 * sizes, types, nodes and parts of a node. */
typedef struct sequence {
    const char *model;
    const char *framework;
    int seq_len;
    const char *clusters[6];
} sequence;

/* clang-format off */
static const sequence sequences[] = {
    {"llama-3-8b", "megatron-core", 8192,
     {"8xH100", "64xH100", "72xH100", "4xH100", "512xH100", "64xA800"}},
    {"llama-3-70b", "fsdp2", 8192,
     {"64xH100", "128xH100", "136xH100", "4x4xH100", "16xH100", "64xH800"}},
    {"mixtral-8x7b", "megatron-core", 4096,
     {"16xH100", "64xH100", "40xH100", "8xH100", "72xGB200", "64xGB200"}},
};
/* clang-format on */

static p3d_search_result *search(
        const p3d_problem *problem, double limit_s, p3d_search_cache *cache)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *result = malloc(sizeof(*result));
    const p3d_search_options options = {
            .n_top = 1, .limit_s = limit_s, .cache = cache};
    p3d_error err = {0};

    assert_non_null(result);
    problem_check(
            p3d_search_with(problem, &pins, &options, result, &err), &err);
    return result;
}

static double step_s(const p3d_search_result *result)
{
    return p3d_time_step_s(&result->top[0].time);
}

static void check_same(const p3d_search_result *a, const p3d_search_result *b)
{
    char words[2][160];

    assert_int_equal(a->n_plans, b->n_plans);
    assert_int_equal(a->n_top, b->n_top);
    if (a->n_top == 0)
        return;
    assert_string_equal(
            p3d_plan_print(&a->top[0].plan, words[0], sizeof(words[0])),
            p3d_plan_print(&b->top[0].plan, words[1], sizeof(words[1])));
    assert_true(step_s(a) == step_s(b));
    assert_int_equal(p3d_memory_device_bytes(&a->top[0].memory),
            p3d_memory_device_bytes(&b->top[0].memory));
}

static void shared_costs_change_nothing(void **state)
{
    p3d_error err = {0};

    (void)state;
    for (int s = 0; s < P3D_COUNT_OF(sequences); s++) {
        const sequence *q = &sequences[s];
        p3d_search_cache *shared = p3d_search_cache_create(&err);

        for (int i = 0; i < P3D_COUNT_OF(q->clusters); i++) {
            const p3d_problem problem = problem_of(
                    q->model, q->clusters[i], q->framework, q->seq_len, 0);
            p3d_search_cache *alone = p3d_search_cache_create(&err);
            p3d_search_result *a = search(&problem, 0, shared);
            p3d_search_result *b = search(&problem, 0, alone);

            check_same(a, b);
            free(a);
            free(b);
            p3d_search_cache_destroy(alone);
        }
        p3d_search_cache_destroy(shared);
    }
}

/* Within the limit the answer is the same; a limit below it leaves out plans,
 * but finds none that is faster. */
static void a_limit_leaves_the_best_plan(void **state)
{
    static const double factors[] = {1, 1.0001, 1.5, 100};
    p3d_error err = {0};
    p3d_search_cache *cache = p3d_search_cache_create(&err);

    (void)state;
    for (int s = 0; s < P3D_COUNT_OF(sequences); s++) {
        const sequence *q = &sequences[s];
        const p3d_problem problem = problem_of(
                q->model, q->clusters[1], q->framework, q->seq_len, 0);
        p3d_search_result *best = search(&problem, 0, cache);
        p3d_search_result *none;

        assert_int_equal(best->n_top, 1);
        for (int i = 0; i < P3D_COUNT_OF(factors); i++) {
            p3d_search_result *limited =
                    search(&problem, factors[i] * step_s(best), cache);

            check_same(limited, best);
            assert_true(limited->n_cut >= best->n_cut);
            free(limited);
        }
        none = search(&problem, 0.9 * step_s(best), cache);
        assert_true(none->n_top == 0 || step_s(none) >= step_s(best));
        assert_true(none->n_evaluated <= best->n_evaluated);
        free(none);
        free(best);
    }
    p3d_search_cache_destroy(cache);
}

static void check_blocks(const p3d_blocks *a, const p3d_blocks *b)
{
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        const p3d_block *x = &a->block[i], *y = &b->block[i];

        assert_true(
                p3d_time_step_s(&x->forward) == p3d_time_step_s(&y->forward));
        assert_true(
                p3d_time_step_s(&x->backward) == p3d_time_step_s(&y->backward));
        assert_true(x->paired_s == y->paired_s && x->weight_s == y->weight_s);
        assert_memory_equal(&x->params, &y->params, sizeof(x->params));
        assert_memory_equal(
                x->saved_bytes, y->saved_bytes, sizeof(x->saved_bytes));
        assert_memory_equal(
                x->replay_bytes, y->replay_bytes, sizeof(x->replay_bytes));
        assert_int_equal(x->working_bytes, y->working_bytes);
        for (int r = 0; r < P3D_N_RECOMPUTES; r++)
            assert_true(x->replay_s[r] == y->replay_s[r]);
    }
}

/** What is common to all groupings is no more than what any takes. */
static void check_common(const p3d_blocks *one, const p3d_blocks *other)
{
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const p3d_block *block = &other->block[kind];

        assert_true(one->block[kind].common_s <=
                    p3d_time_step_s(&block->forward) +
                            p3d_time_step_s(&block->backward) -
                            block->paired_s);
    }
}

/* Only layers with experts see how these are grouped. */
static void check_groupings(bool overlap)
{
    p3d_problem problem =
            problem_of("deepseek-v3", "512xH100", "megatron-core", 4096, 512);

    problem.job.expert_overlap = overlap;
    for (int tp = 1; tp <= 8; tp *= 2) {
        for (int ep = 1; ep <= 64; ep *= 4) {
            for (int etp = 1; etp <= tp; etp += tp > 1 ? tp - 1 : 1) {
                p3d_shard shard = {.tp = tp,
                        .cp = 2,
                        .ep = 1,
                        .etp = tp,
                        .micro_batch = 2,
                        .sequence_parallel = tp > 1};
                p3d_blocks built, regrouped;

                p3d_blocks_build(&problem, shard, &regrouped);
                shard.ep = ep;
                shard.etp = etp;
                p3d_blocks_build(&problem, shard, &built);
                check_common(&regrouped, &built);
                p3d_blocks_regroup(&problem, shard, &regrouped);
                check_blocks(&regrouped, &built);
            }
        }
    }
}

static void blocks_grouped_anew_are_those_built_anew(void **state)
{
    (void)state;
    check_groupings(false);
    check_groupings(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(blocks_grouped_anew_are_those_built_anew),
            cmocka_unit_test(shared_costs_change_nothing),
            cmocka_unit_test(a_limit_leaves_the_best_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
