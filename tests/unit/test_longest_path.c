/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_longest_path.c - pipelines of unequal stages against the simulation of
 * every task, and against bounds. */
#include "cost/time/longest_path.h"

#include <math.h>
#include <stdlib.h>

#include "problem.h"
#include "simulate.h"

enum { MAX_STAGES = 64 };

typedef struct instance {
    cost_pipeline pl;
    double delay_s;
    cost_pass_time stages[MAX_STAGES];
} instance;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (1 << 24);
}

/* All tasks of all micro-batches, in the order that schedule.c lists. */
static double whole_s(const instance *x)
{
    simulate_stage stages[MAX_STAGES];

    for (int s = 0; s < x->pl.p * x->pl.v; s++)
        stages[s] = (simulate_stage){
                x->stages[s].forward_s, x->stages[s].backward_s, 0};
    return simulate(&x->pl, stages, x->delay_s).makespan_s;
}

static double path_s(const instance *x)
{
    const cost_moments delays = {{x->delay_s, 2 * x->delay_s}};
    const cost_moments turned = {{2 * x->delay_s, x->delay_s}};
    cost_moments done[MAX_STAGES], again[MAX_STAGES];
    double last_s = 0;

    assert_true(cost_has_longest_path(&x->pl));
    cost_longest_path(&x->pl, x->stages, delays, done);
    cost_longest_path(&x->pl, x->stages, turned, again);
    for (int rank = 0; rank < x->pl.p; rank++) {
        assert_true(done[rank].s[0] == again[rank].s[1]);
        assert_true(done[rank].s[1] == again[rank].s[0]);
        last_s = fmax(last_s, done[rank].s[0]);
    }
    assert_true(cost_longest_path_least_s(&x->pl, x->stages) <= last_s);
    return last_s;
}

/** Stages that differ by `spread` of themselves at most. */
static instance draw(p3d_schedule order, int p, int v, int m, double spread,
        double delay_s, uint64_t *seed)
{
    instance x = {.pl = {order, p, v, m, 0}, .delay_s = delay_s};

    for (int s = 0; s < p * v; s++) {
        const double size = 1 + spread * uniform(seed);

        x.stages[s] = (cost_pass_time){size, 2.1 * size};
    }
    return x;
}

static void few_micro_batches_are_simulated_whole(void **state)
{
    static const p3d_schedule orders[] = {P3D_GPIPE, P3D_1F1B, P3D_INTERLEAVED};
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 300; i++) {
        const p3d_schedule order = orders[i % 3];
        const int p = 2 + i % 7;
        const int v = order == P3D_INTERLEAVED ? 2 + i % 3 : 1;
        const instance x =
                draw(order, p, v, p * (1 + i % 4), 0.5, 0.1 * (i % 2), &seed);

        CHECK_REL(path_s(&x), whole_s(&x), 1e-12);
    }
}

/* The period shows, unless the stages are next to equal and the slowest shows
 * late: then the error is small too. */
static void many_micro_batches_are_extrapolated(void **state)
{
    uint64_t seed = 2;
    int n_exact = 0;

    (void)state;
    for (int i = 0; i < 300; i++) {
        const int p = 2 + i % 7;
        const int v = i % 2 == 0 ? 1 : 2 + i % 3;
        const instance x = draw(v > 1 ? P3D_INTERLEAVED : P3D_1F1B, p, v,
                p * (16 + i % 9), 0.5, 0.1 * (i % 3), &seed);
        const double want = whole_s(&x);

        CHECK_REL(path_s(&x), want, 0.01);
        n_exact += fabs(path_s(&x) / want - 1) < 1e-9;
    }
    assert_true(n_exact >= 240);
}

/* A 1F1B with m not a multiple of p; groups larger than the pipeline. */
static void incomplete_groups(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int m = 1; m <= 40; m++) {
        const instance x = draw(P3D_1F1B, 4, 1, m, 0, 0.05, &seed);

        CHECK_REL(path_s(&x), whole_s(&x), 1e-9);
    }
    for (int rest = 0; rest < 2; rest++) {
        instance x = draw(P3D_INTERLEAVED, 4, 2, 60 + 5 * rest, 0, 0, &seed);

        x.pl.group = 6 - rest;
        CHECK_REL(path_s(&x), whole_s(&x), 1e-9);
    }
}

/* No rank is done before its own work is, nor later than one after another. */
static void between_its_bounds(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        const int p = 2 + i % 5;
        const int v = 1 + i % 3;
        const instance x = draw(
                v > 1 ? P3D_INTERLEAVED : P3D_1F1B, p, v, 6 * p, 1, 0, &seed);
        double most = 0, sum = 0;

        for (int rank = 0; rank < p; rank++) {
            double own = 0;

            for (int j = 0; j < v; j++)
                own += 3.1 * x.stages[j * p + rank].forward_s;
            most = fmax(most, own);
            sum += own;
        }
        assert_true(path_s(&x) >= 6 * p * most * (1 - 1e-12));
        assert_true(path_s(&x) >=
                    cost_longest_path_floor_s(&x.pl, x.stages) * (1 - 1e-12));
        assert_true(cost_longest_path_floor_s(&x.pl, x.stages) >=
                    6 * p * most * (1 - 1e-12));
        assert_true(path_s(&x) <= 6 * p * sum);
        if (v == 1) /* the closed form of 1F1B is an upper bound */
            assert_true(path_s(&x) <= (6 * p * most + sum - most) * (1 + 1e-9));
    }
}

static void orders_and_sizes_without_an_answer(void **state)
{
    const cost_pipeline large = {P3D_INTERLEAVED, 256, 4, 4096, 0};
    const cost_pipeline bubble = {P3D_ZB_H1, 4, 1, 8, 0};
    const cost_pipeline late = {P3D_2BW, 4, 1, 8, 0};
    const cost_pipeline stashed = {P3D_PIPEDREAM, 4, 1, 8, 0};

    (void)state;
    assert_false(cost_has_longest_path(&large));
    assert_false(cost_has_longest_path(&bubble));
    assert_false(cost_has_longest_path(&late));
    assert_false(cost_has_longest_path(&stashed));
}

static double step_s(const p3d_problem *problem, const char *words)
{
    const p3d_estimate e = problem_estimate(problem, words);

    return p3d_time_step_s(&e.time);
}

/* The same stages said in words take what the closed form takes, transfers
 * apart, which it has for equal stages only. */
static void a_plan_with_stages_in_words(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 0);

    (void)state;
    CHECK_REL(step_s(&problem, "tp=8,pp=4,mbs=1,first=20,last=20"),
            step_s(&problem, "tp=8,pp=4,mbs=1"), 3e-3);
    assert_true(step_s(&problem, "tp=8,pp=4,mbs=1,first=20,last=18") <
                step_s(&problem, "tp=8,pp=4,mbs=1,first=20,last=22"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(few_micro_batches_are_simulated_whole),
            cmocka_unit_test(many_micro_batches_are_extrapolated),
            cmocka_unit_test(incomplete_groups),
            cmocka_unit_test(between_its_bounds),
            cmocka_unit_test(orders_and_sizes_without_an_answer),
            cmocka_unit_test(a_plan_with_stages_in_words),
    };

    return cmocka_run_group_tests_name("longest_path", tests, NULL, NULL);
}
