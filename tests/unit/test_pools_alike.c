/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pools_alike.c - the fastest plan whose replicas are all alike, against
 * trying every such plan. */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/pools.h"
#include "search/pools/seek.h"

static p3d_pools_problem *pools_problem(
        const char *model, const char *words, int n_layers, int64_t batch)
{
    p3d_pools_problem *const p = calloc(1, sizeof(*p));
    p3d_error err = {0};

    assert_non_null(p);
    problem_check(p3d_pools_find(words, &p->pools, &err), &err);
    for (int k = 0; k < p->pools.n_pools; k++) {
        p3d_problem *const on = &p->on[k];

        problem_check(p3d_model_find(model, &on->model, &err), &err);
        on->model.n_layers = n_layers;
        on->cluster = p->pools.clusters[k];
        on->job.global_batch = batch;
        p3d_job_default(&on->job, &on->model, &on->cluster);
    }
    return p;
}

/** Every plan, by and by. */
typedef struct brute {
    search_pool_world *world;
    const p3d_pools_problem *problem;
    p3d_pools_plan plan;
    double best_s;
    int64_t n_plans;
} brute;

/* Whole micro-batches, as many ranks at both ends of a tied model. */
static bool is_of_kind(const brute *b)
{
    const p3d_replica_class *const c = &b->plan.classes[0];
    const int64_t step = (int64_t)c->n_replicas * c->micro_batch;

    return b->world->global_batch % step == 0 &&
           (!b->problem->on[0].model.tied_embeddings ||
                   c->segments[0].tp == c->segments[c->n_segments - 1].tp);
}

static void try_splits(brute *b, int stage, int left)
{
    p3d_replica_class *const c = &b->plan.classes[0];

    if (stage < c->n_stages - 1) {
        for (int n = 1; n < left; n++) {
            c->layers[stage] = n;
            try_splits(b, stage + 1, left - n);
        }
        return;
    }
    c->layers[stage] = left;
    for (int zero = 0; zero <= 1; zero++) {
        p3d_pools_plan plan = b->plan;

        plan.zero = zero;
        b->n_plans++;
        if (search_pool_judge(b->world, &plan))
            b->best_s = fmin(b->best_s, plan.step_s);
    }
}

/* All segments behind those that are there, in pools that have none. */
static void try_segments(brute *b, unsigned used)
{
    const search_pool_world *const w = b->world;
    p3d_replica_class *const c = &b->plan.classes[0];
    const int i = c->n_segments, n_stages = c->n_stages;

    if (i > 0 && n_stages <= w->n_layers && is_of_kind(b)) {
        c->n_micro_batches = w->global_batch / c->n_replicas / c->micro_batch;
        try_splits(b, 0, w->n_layers);
    }
    for (int k = 0; k < b->problem->pools.n_pools; k++) {
        const int n_gpus = b->problem->pools.clusters[k].n_gpus / c->n_replicas;

        for (int tp = 1; tp <= n_gpus && (used >> k & 1) == 0; tp *= 2)
            for (int n = 1; n * tp <= n_gpus; n++) {
                c->segments[i] = (p3d_segment){k, tp, n};
                c->n_segments = i + 1;
                c->n_stages = n_stages + n;
                if (c->n_stages <= w->n_layers)
                    try_segments(b, used | 1u << k);
                c->n_segments = i;
                c->n_stages = n_stages;
            }
    }
}

static double try_all(const p3d_pools_problem *problem, int64_t *n_plans)
{
    brute *const b = calloc(1, sizeof(*b));
    p3d_replica_class *c;
    p3d_error err = {0};
    double best_s;

    assert_non_null(b);
    c = &b->plan.classes[0];
    b->world = malloc(sizeof(*b->world));
    assert_non_null(b->world);
    b->problem = problem;
    b->best_s = HUGE_VAL;
    b->plan.n_classes = 1;
    problem_check(search_pool_open(problem, b->world, &err), &err);
    for (c->n_replicas = 1; c->n_replicas <= 8; c->n_replicas++)
        for (c->micro_batch = 1; c->micro_batch <= 8; c->micro_batch *= 2)
            for (int r = 0; r < P3D_N_RECOMPUTES; r++) {
                c->recompute = (p3d_recompute)r;
                try_segments(b, 0);
            }
    *n_plans = b->n_plans;
    best_s = b->best_s;
    search_pool_close(b->world);
    free(b->world);
    free(b);
    return best_s;
}

static void the_search_finds_what_trying_all_such_plans_finds(void **state)
{
    static const struct {
        const char *model, *words;
        int n_layers;
        int64_t batch;
    } cases[] = {{"llama-2-7b", "4xA800+2xH100", 5, 12},
            {"llama-2-13b", "4xA800+4xRTX-4090", 6, 16},
            {"llama-3-70b", "4xA100-40G+3xH100", 4, 6},
            {"llama-3-8b", "2xL40S+2xRTX-3090+2xH100", 5, 8},
            {"gemma-2b", "4xA800+4xL40S", 6, 8}, /* tied */
            {"llama-3-8b", "3xRTX-4090+5xA800", 5, 15},
            {"llama-2-7b", "6xRTX-3090+2xA800", 4, 7}};
    int n_mixed = 0;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_pools_problem *const problem = pools_problem(cases[i].model,
                cases[i].words, cases[i].n_layers, cases[i].batch);
        p3d_pools_result *const found = malloc(sizeof(*found));
        p3d_error err = {0};
        int64_t n_plans;
        double best_s;

        assert_non_null(found);
        best_s = try_all(problem, &n_plans);
        problem_check(p3d_pools_search_alike(problem, NULL, found, &err), &err);
        if (found->fits ? fabs(found->plan.step_s - best_s) > 1e-9 * best_s
                        : best_s < HUGE_VAL)
            fail_msg("%s, %s: %.12g s found, %.12g s of %lld plans",
                    cases[i].words, cases[i].model,
                    found->fits ? found->plan.step_s : 0, best_s,
                    (long long)n_plans);
        n_mixed += found->fits && found->plan.classes[0].n_segments > 1;
        free(found);
        free(problem);
    }
    assert_true(n_mixed >= 2);
}

/* No plan of the kind is faster than the fastest of all, and a plan of one
 * class that the whole search finds is found here. */
static void it_is_no_faster_than_the_fastest_plan(void **state)
{
    p3d_pools_problem *const problem =
            pools_problem("llama-2-7b", "8xA800+8xH100", 16, 64);
    p3d_pools_result *const all = malloc(sizeof(*all));
    p3d_pools_result *const alike = malloc(sizeof(*alike));
    p3d_error err = {0};

    (void)state;
    assert_true(all != NULL && alike != NULL);
    problem_check(p3d_pools_search(problem, NULL, all, &err), &err);
    problem_check(p3d_pools_search_alike(problem, NULL, alike, &err), &err);
    assert_true(all->fits && alike->fits);
    assert_int_equal(alike->plan.n_classes, 1);
    assert_true(alike->plan.step_s >= all->plan.step_s * (1 - 1e-9));
    assert_true(alike->floor_s <= alike->bound_s &&
                alike->bound_s <= alike->plan.step_s);
    free(all);
    free(alike);
    free(problem);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_search_finds_what_trying_all_such_plans_finds),
            cmocka_unit_test(it_is_no_faster_than_the_fastest_plan),
    };

    return cmocka_run_group_tests_name(
            "pools, replicas alike", tests, NULL, NULL);
}
