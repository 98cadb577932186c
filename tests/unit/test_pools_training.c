/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pools_training.c - a whole training on pools of several types. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan3d/pools.h"

enum { N_GPUS = 64 };

/* Two pools of 32 A800 with terms of their own, and a job of 1e12 tokens. */
static p3d_pools_problem *two_pools(const char *a, const char *b)
{
    p3d_pools_problem *const p = calloc(1, sizeof(*p));
    const p3d_problem flat =
            problem_of("llama-3-8b", "32xA800", "megatron-core", 0, 512);
    p3d_error err = {0};
    char file[512];

    assert_non_null(p);
    snprintf(file, sizeof(file),
            "{\"schema\": 1, \"pools\": [{\"name\": \"a\", \"n_nodes\": 4, "
            "\"gpu\": \"A800\"%s}, {\"name\": \"b\", \"n_nodes\": 4, "
            "\"gpu\": \"A800\"%s}]}",
            a, b);
    problem_check(p3d_pools_parse("f", file, &p->pools, &err), &err);
    for (int k = 0; k < 2; k++) {
        p->on[k] = flat;
        p->on[k].cluster = p->pools.clusters[k];
        p->on[k].job.n_tokens = 1e12;
    }
    return p;
}

static const p3d_pools_plan both = {.step_s = 8, .n_gpus = {32, 32}};

static p3d_training training_of(
        const p3d_pools_problem *problem, const p3d_pools_plan *plan)
{
    p3d_training t;
    p3d_error err = {0};

    problem_check(p3d_pools_training(problem, plan, &t, &err), &err);
    return t;
}

/* The same on one cluster of all GPUs. */
static p3d_training flat_training(const p3d_operations *operations, double usd)
{
    p3d_problem flat =
            problem_of("llama-3-8b", "64xA800", "megatron-core", 0, 512);
    p3d_estimate e = problem_estimate(&flat, "dp=64,zero=1,mbs=1");
    p3d_training t;
    p3d_error err = {0};

    flat.job.n_tokens = 1e12;
    flat.job.operations = *operations;
    flat.job.usd_per_gpu_h = usd;
    e.time = (p3d_time){.fixed_s = both.step_s};
    e.tokens_per_s = p3d_job_tokens(&flat.job) / both.step_s;
    problem_check(p3d_training_find(&flat, &e, &t, &err), &err);
    return t;
}

static void check_same(const p3d_training *a, const p3d_training *b)
{
    CHECK_REL(a->ideal_s, b->ideal_s, 1e-12);
    CHECK_REL(a->real_s, b->real_s, 1e-9);
    CHECK_REL(a->away_s, b->away_s, 1e-9);
    CHECK_REL(a->energy_kwh, b->energy_kwh, 1e-9);
    CHECK_REL(a->rent_usd, b->rent_usd, 1e-9);
}

static void pools_of_one_type_train_as_one_cluster(void **state)
{
    static const char price[] = ", \"usd_per_gpu_h\": 2";
    const p3d_operations none = {.gpu_mtbf_s = 0};
    p3d_pools_problem *const p = two_pools(price, price);
    p3d_training t, flat;

    (void)state;
    for (int k = 0; k < 2; k++)
        p->on[k].job.usd_per_gpu_h = 2;
    t = training_of(p, &both);
    flat = flat_training(&none, 2);
    check_same(&t, &flat);
    assert_true(t.progresses && t.away_s == 0 && t.rent_usd > 0);
    free(p);
}

/* Rates add: failures of 32 GPUs each, and preemptions of either pool. */
static void rates_of_pools_add_and_the_shortest_notice_counts(void **state)
{
    const p3d_operations operations = {
            .gpu_mtbf_s = N_GPUS / (32 / 1e8 + 32 / 4e8),
            .preempted_every_s = 1 / (1 / 2e5 + 1 / 6e5),
            /* 3 of 4 are of the first pool. */
            .away_s = 0.75 * 8000 + 0.25 * 4000,
            .notice_s = 100};
    p3d_pools_problem *const p = two_pools("", "");
    p3d_training t, flat;

    (void)state;
    p->on[0].job.operations = (p3d_operations){.gpu_mtbf_s = 1e8,
            .preempted_every_s = 2e5,
            .away_s = 8000,
            .notice_s = 300};
    p->on[1].job.operations = (p3d_operations){.gpu_mtbf_s = 4e8,
            .preempted_every_s = 6e5,
            .away_s = 4000,
            .notice_s = 100};
    t = training_of(p, &both);
    flat = flat_training(&operations, 0);
    check_same(&t, &flat);
    assert_true(t.n_preemptions > 1);
    free(p);
}

/* A pool that a plan does not use stops nothing, and a price that is missing
 * leaves the rent open. */
static void only_pools_in_use_count(void **state)
{
    const p3d_pools_plan first = {.step_s = 8, .n_gpus = {32, 0}};
    p3d_pools_problem *const p = two_pools("", "");

    (void)state;
    p->on[0].job.usd_per_gpu_h = 3;
    p->on[1].job.operations.preempted_every_s = 1e5;
    p->on[1].job.operations.away_s = 1e4;
    assert_true(training_of(p, &first).away_s == 0);
    assert_true(training_of(p, &first).rent_usd > 0);
    assert_true(training_of(p, &both).away_s > 0);
    assert_true(training_of(p, &both).rent_usd == 0);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(pools_of_one_type_train_as_one_cluster),
            cmocka_unit_test(rates_of_pools_add_and_the_shortest_notice_counts),
            cmocka_unit_test(only_pools_in_use_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
