/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_schedule.c - orders of pipelines against their known bubbles, delays
 * and activation counts. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed_forms.h"
#include "cost/cost.h"
#include "cost/memory/memory.h"
#include "simulate.h"

/** f, b, w: times of ONE RANK's whole share for one micro-batch. */
typedef struct times {
    double f, b, w, delay;
} times;

/** Bubble: makespan (or span) less the work of one rank. */
static double bubble(const cost_pipeline *pl, times t, bool span)
{
    simulate_stage *stages = calloc((size_t)(pl->p * pl->v), sizeof(*stages));
    simulate_result got;

    assert_true(cost_schedule_exists(pl));
    for (int s = 0; s < pl->p * pl->v; s++)
        stages[s] = (simulate_stage){t.f / pl->v, t.b / pl->v, t.w / pl->v};
    got = simulate(pl, stages, t.delay);
    assert_true(got.makespan_s > 0); /* no deadlock */
    free(stages);
    return (span ? got.span_s : got.makespan_s) - pl->m * (t.f + t.b + t.w);
}

/** Peak of chunk activations on a rank, every chunk 1. */
static double in_flight(const cost_pipeline *pl, int rank)
{
    cost_task *tasks =
            calloc((size_t)cost_schedule_max_tasks(pl), sizeof(*tasks));
    const int64_t n = cost_schedule_list(pl, rank, tasks);
    double now = 0, peak = 0;

    for (int64_t i = 0; i < n; i++) {
        if (tasks[i].kind == COST_FORWARD)
            now++;
        peak = fmax(peak, now);
        /* Needed until the gradients of the weights. */
        if (tasks[i].kind == COST_BACKWARD ||
                tasks[i].kind == COST_BACKWARD_WEIGHT)
            now--;
    }
    assert_true(now == 0);
    free(tasks);
    return peak;
}

static void check(double got, double want)
{
    if (fabs(got - want) > 1e-9 * (1 + fabs(want)))
        print_error("bubble %.12g, expected %.12g\n", got, want);
    assert_true(fabs(got - want) <= 1e-9 * (1 + fabs(want)));
}

static const times uneven = {1, 1.2, 0.8, 0};

static void gpipe_and_1f1b_idle_p_minus_1_micro_batches(void **state)
{
    (void)state;
    for (int p = 1; p <= 8; p++) {
        for (int m = p; m <= 4 * p; m += p) {
            const cost_pipeline g = {P3D_GPIPE, p, 1, m, 0};
            const cost_pipeline o = {P3D_1F1B, p, 1, m, 0};

            check(bubble(&g, uneven, false), (p - 1) * 3.0);
            check(bubble(&o, uneven, false), (p - 1) * 3.0);
        }
    }
}

/* One rank at a time: p - 1 of p are idle, and each micro-batch crosses to the
 * last rank and back. */
static void without_a_pipeline_one_rank_works(void **state)
{
    const times late = {1, 1.2, 0.8, 0.25};

    (void)state;
    for (int p = 1; p <= 8; p++) {
        for (int m = 1; m <= 9; m += 2) {
            const cost_pipeline pl = {P3D_NAIVE, p, 1, m, 0};

            check(bubble(&pl, uneven, false), m * (p - 1) * 3.0);
            check(bubble(&pl, late, false),
                    m * (p - 1) * 3.0 + 2 * m * (p - 1) * 0.25);
            for (int r = 0; r < p; r++)
                assert_true(in_flight(&pl, r) == 1);
        }
    }
}

static void interleaving_divides_the_bubble(void **state)
{
    (void)state;
    for (int p = 2; p <= 8; p *= 2) {
        for (int v = 2; v <= 4; v++) {
            const cost_pipeline pl = {P3D_INTERLEAVED, p, v, 4 * p, 0};

            check(bubble(&pl, uneven, false), (p - 1) * 3.0 / v);
        }
    }
}

/* 2c(m + p - 3 - floor((m-2)/p)): nearly two delays per micro-batch. */
static void delay_costs_1f1b_two_crossings_per_micro_batch(void **state)
{
    (void)state;
    for (int p = 2; p <= 16; p++) {
        for (int m = 1; m <= 3 * p; m++) {
            const cost_pipeline pl = {P3D_1F1B, p, 1, m, 0};
            const times t = {1, 1.2, 0.8, 0.25};
            const int windows = m >= 2 ? (m - 2) / p : -1;
            const double ideal = (p - 1) * 3.0;

            check(bubble(&pl, t, false) - ideal,
                    2 * 0.25 * (m + p - 3 - windows));
        }
    }
}

static void delay_costs_interleaving_a_traversal_of_all_chunks(void **state)
{
    const times t = {1, 1.2, 0.8, 0.05};

    (void)state;
    for (int p = 2; p <= 8; p *= 2) {
        for (int v = 2; v <= 4; v++) {
            const cost_pipeline pl = {P3D_INTERLEAVED, p, v, 3 * p, 0};

            check(bubble(&pl, t, false),
                    (p - 1) * 3.0 / v + 2 * (p * v - 1) * 0.05);
        }
    }
}

/** Step of equal layers, with more work on the last stage: the closed form of
 *  step_time.c over the longest path, less 1. */
static double head_excess(const cost_pipeline *pl, double head)
{
    const int n = pl->p * pl->v;
    simulate_stage *stages = calloc((size_t)n, sizeof(*stages));
    double most = 0, sum = 0;
    simulate_result got;

    for (int s = 0; s < n; s++) {
        const double k = 1 + (s == n - 1 ? head : 0);

        stages[s] = (simulate_stage){k, 1.1 * k, 0.9 * k};
    }
    for (int rank = 0; rank < pl->p; rank++) {
        const double t = 3 * (pl->v + (rank == pl->p - 1 ? head : 0));

        most = fmax(most, t);
        sum += t;
    }
    got = simulate(pl, stages, 0);
    free(stages);
    return (pl->m * most + (sum - most) / pl->v) / got.makespan_s - 1;
}

/* The plans of a search have equal layers and a head: there the closed forms
 * are the longest path itself. */
static void a_heavy_head_keeps_the_closed_forms_exact(void **state)
{
    static const double heads[] = {0, 0.1, 0.5, 1.2, 3};

    (void)state;
    for (int i = 0; i < 5; i++) {
        for (int p = 2; p <= 16; p *= 2) {
            for (int m = 1; m <= 4 * p; m++) {
                const cost_pipeline one = {P3D_1F1B, p, 1, m, 0};

                assert_true(fabs(head_excess(&one, heads[i])) < 1e-12);
            }
            for (int v = 2; v <= 10; v += 4) {
                for (int m = p; m <= 4 * p; m += p) {
                    const cost_pipeline many = {P3D_INTERLEAVED, p, v, m, 0};

                    assert_true(fabs(head_excess(&many, heads[i])) < 1e-12);
                }
            }
        }
    }
}

/* Any f, b, w and number of micro-batches: the forms of step_time.c. */
static void zero_bubble_with_few_micro_batches(void **state)
{
    uint64_t seed = 20261121;

    (void)state;
    for (int i = 0; i < 400; i++) {
        double t[3];
        const int p = 2 << (i % 4);

        for (int j = 0; j < 3; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            t[j] = 0.25 + (double)(seed >> 40) / (1 << 24);
        }
        for (int m = 1; m <= 2 * p + 2; m++) {
            const cost_pipeline h1 = {P3D_ZB_H1, p, 1, m, 0};
            const cost_pipeline h2 = {P3D_ZB_H2, p, 1, m, 0};
            const double least = fmin(t[0], fmin(t[1], t[2]));
            const double both = fmin(t[1], 2 * fmin(t[0], t[2]));
            const int n1 = (m < p ? m : p) - 1;
            const int n2 = (m < 2 * p - 1 ? m : 2 * p - 1) - 1;
            const double through = (p - 1) * (t[0] + t[1]);
            const times all = {t[0], t[1], t[2], 0};

            check(bubble(&h1, all, false), through - n1 * least);
            check(bubble(&h2, all, false),
                    through - n2 / 2 * both - n2 % 2 * least);
        }
    }
}

/* arXiv:2401.10241 table 1: (p-1)(f+b-w) and (p-1)(f+b-2w). */
static void zero_bubble_fills_the_cool_down_with_weight_gradients(void **state)
{
    (void)state;
    for (int p = 4; p <= 16; p += 4) {
        const cost_pipeline h1 = {P3D_ZB_H1, p, 1, 4 * p, 0};
        const cost_pipeline h2 = {P3D_ZB_H2, p, 1, 4 * p, 0};
        const double f = uneven.f, b = uneven.b, w = uneven.w;

        check(bubble(&h1, uneven, false), (p - 1) * (f + b - w));
        check(bubble(&h2, uneven, false), (p - 1) * fmax(f, f + b - 2 * w));
        check(bubble(&h2, uneven, true), (p - 1) * fmax(0, f + b - 2 * w));
    }
}

static void the_v_shape_has_no_bubble_when_all_three_are_equal(void **state)
{
    const times equal = {1, 1, 1, 0};

    (void)state;
    for (int p = 2; p <= 12; p += 2) {
        const cost_pipeline pl = {P3D_ZB_V, p, 2, 4 * p, 0};

        check(bubble(&pl, equal, true), 0);
        check(bubble(&pl, equal, false), (p - 1) * 0.5);
    }
}

/* deepseek-ai/DualPipe README: (PP/2 - 1)(F&B + B - 3W) in chunk times, an
 * upper bound: the last rank runs its first pair unpaired on purpose. */
static void dualpipe_v_stays_below_its_published_bubble(void **state)
{
    (void)state;
    for (int p = 4; p <= 16; p *= 2) {
        const cost_pipeline pl = {P3D_DUALPIPE_V, p, 2, 4 * p, 0};
        const double F = uneven.f / 2, W = uneven.w / 2;
        const double B = (uneven.b + uneven.w) / 2;
        const double published = (p - 1) * (F + B + B - 3 * W);
        const double got = bubble(&pl, uneven, false);

        assert_true(got <= published + 1e-9);
        assert_true(got >= published - uneven.f);
    }
}

static void activations_in_flight_are_the_known_counts(void **state)
{
    (void)state;
    for (int p = 2; p <= 8; p++) {
        const int m = 4 * p;

        for (int r = 0; r < p; r++) {
            const cost_pipeline gpipe = {P3D_GPIPE, p, 1, m, 0};
            const cost_pipeline f1b1 = {P3D_1F1B, p, 1, m, 0};
            const cost_pipeline inter = {P3D_INTERLEAVED, p, 3, m, 0};
            const cost_pipeline h1 = {P3D_ZB_H1, p, 1, m, 0};
            const cost_pipeline h2 = {P3D_ZB_H2, p, 1, m, 0};
            const cost_pipeline zbv = {P3D_ZB_V, p, 2, m, 0};
            const cost_pipeline dual = {P3D_DUALPIPE_V, p, 2, m, 0};

            assert_true(in_flight(&gpipe, r) == m);
            assert_true(in_flight(&f1b1, r) == p - r);
            assert_true(in_flight(&inter, r) == 2 * (p - 1 - r) + 2 * p + 1);
            assert_true(in_flight(&h1, r) == p);
            assert_true(in_flight(&h2, r) == 2 * p - 1);
            assert_true(in_flight(&zbv, r) == 2 * p);
            assert_true(in_flight(&dual, r) == 2 * p + 1);
        }
    }
}

/** The closed form of the chunk activations of a rank. */
static int64_t closed(const cost_pipeline *pl, int rank)
{
    const p3d_plan plan = {.pp = pl->p, .vp = pl->v, .schedule = pl->order};
    int64_t sum = 0;

    for (int chunk = 0; chunk < pl->v; chunk++)
        sum += closed_in_flight(&plan, rank, chunk, pl->m);
    return sum;
}

/** What the memory model takes for them. */
static double planned(const cost_pipeline *pl, int rank)
{
    static const cost_chunk ones[3] = {
            {.saved_bytes = 1}, {.saved_bytes = 1}, {.saved_bytes = 1}};
    const p3d_plan plan = {.pp = pl->p, .vp = pl->v, .schedule = pl->order};
    cost_walk walk;

    cost_walk_rank(&plan, rank, pl->m,
            &(cost_kept){.chunks = ones, .sent = {.frac = 0}}, &walk);
    return walk.forward.saved_bytes;
}

static void the_memory_model_counts_what_the_orders_keep(void **state)
{
    static const int chunks[] = {1, 1, 3, 1, 1, 2, 2, 1, 1, 1};

    (void)state;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        for (int p = 2; p <= 8; p++) {
            for (int m = 2 * p; m <= 6 * p; m += p) {
                const cost_pipeline pl = {
                        (p3d_schedule)order, p, chunks[order], m, 0};

                for (int r = 0; r < p; r++) {
                    assert_true(planned(&pl, r) == in_flight(&pl, r));
                    assert_int_equal(closed(&pl, r), planned(&pl, r));
                }
            }
        }
    }
}

static void a_v_has_both_ends_on_the_first_rank(void **state)
{
    const p3d_plan v = {.pp = 4, .vp = 2, .schedule = P3D_ZB_V};
    const p3d_plan loop = {.pp = 4, .vp = 2, .schedule = P3D_INTERLEAVED};

    (void)state;
    assert_true(cost_has_head(&v, 0));
    assert_false(cost_has_head(&v, 3));
    assert_int_equal(cost_stage_of(&v, 3, 0), 3);
    assert_int_equal(cost_stage_of(&v, 3, 1), 4);
    assert_false(cost_has_head(&loop, 0));
    assert_true(cost_has_head(&loop, 3));
}

static void every_order_runs_each_task_once(void **state)
{
    static const int chunks[] = {1, 1, 3, 1, 1, 2, 2, 1, 1, 1};

    (void)state;
    for (int order = 0; order < P3D_N_SCHEDULES; order++) {
        const cost_pipeline pl = {(p3d_schedule)order, 4, chunks[order], 16, 0};
        const int64_t room = cost_schedule_max_tasks(&pl);
        cost_task *tasks = calloc((size_t)room, sizeof(*tasks));

        for (int r = 0; r < pl.p; r++) {
            int seen[3][3][16];
            const int64_t n = cost_schedule_list(&pl, r, tasks);

            memset(seen, 0, sizeof(seen));
            assert_true(n <= room);
            for (int64_t i = 0; i < n; i++) {
                const cost_task *t = &tasks[i];

                seen[0][t->chunk][t->micro_batch] += t->kind == COST_FORWARD;
                seen[1][t->chunk][t->micro_batch] +=
                        t->kind == COST_BACKWARD ||
                        t->kind == COST_BACKWARD_INPUT;
                seen[2][t->chunk][t->micro_batch] +=
                        t->kind == COST_BACKWARD ||
                        t->kind == COST_BACKWARD_WEIGHT;
            }
            for (int k = 0; k < 3; k++) {
                for (int c = 0; c < pl.v; c++) {
                    for (int i = 0; i < pl.m; i++)
                        assert_int_equal(seen[k][c][i], 1);
                }
            }
        }
        free(tasks);
    }
}

/* Groups of more micro-batches than ranks leave the bubble as it is, wherever
 * they end: with 5 on 4 ranks, 9 are groups of 5 and 4. */
static void groups_may_be_larger_than_the_pipeline(void **state)
{
    static const struct {
        int p, v, m, group;
    } cases[] = {{4, 2, 10, 5}, {4, 2, 9, 5}, {4, 3, 24, 12}, {4, 2, 7, 7},
            {2, 4, 6, 3}, {8, 2, 24, 16}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const cost_pipeline pl = {P3D_INTERLEAVED, cases[i].p, cases[i].v,
                cases[i].m, cases[i].group};

        check(bubble(&pl, uneven, false), (pl.p - 1) * 3.0 / pl.v);
    }
}

/** Count the passes forward of a rank one by one. */
static void check_forwards(const cost_pipeline *pl)
{
    cost_passes at = cost_passes_begin(pl, COST_FORWARD);
    int count[8] = {0};

    for (int n = 1; n <= pl->m * pl->v; n++) {
        count[at.task.chunk]++;
        assert_int_equal(
                cost_schedule_until(pl, at.task.chunk, count[at.task.chunk]),
                n);
        cost_passes_next(&at);
        for (int chunk = 0; chunk < pl->v; chunk++)
            assert_int_equal(
                    cost_schedule_forwards(pl, chunk, n), count[chunk]);
    }
}

static void passes_of_a_chunk_are_counted_at_once(void **state)
{
    (void)state;
    for (int p = 2; p <= 4; p++) {
        for (int m = 1; m <= 4 * p; m++) {
            check_forwards(&(cost_pipeline){P3D_1F1B, p, 1, m, 0});
            for (int v = 2; v <= 4; v++) {
                check_forwards(&(cost_pipeline){P3D_INTERLEAVED, p, v, m, 0});
                check_forwards(
                        &(cost_pipeline){P3D_INTERLEAVED, p, v, m, p + 1});
            }
        }
    }
}

static void sizes_without_an_order_are_refused(void **state)
{
    const cost_pipeline odd = {P3D_INTERLEAVED, 4, 2, 10, 0};
    const cost_pipeline small = {P3D_INTERLEAVED, 4, 2, 12, 3};
    const cost_pipeline rest = {P3D_INTERLEAVED, 4, 2, 14, 6};
    const cost_pipeline few = {P3D_ZB_V, 4, 2, 6, 0};
    const cost_pipeline three = {P3D_DUALPIPE_V, 4, 3, 16, 0};
    const cost_pipeline none = {P3D_1F1B, 4, 1, 0, 0};

    (void)state;
    assert_false(cost_schedule_exists(&odd));
    assert_false(cost_schedule_exists(&small));
    assert_false(cost_schedule_exists(&rest));
    assert_false(cost_schedule_exists(&few));
    assert_false(cost_schedule_exists(&three));
    assert_false(cost_schedule_exists(&none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_heavy_head_keeps_the_closed_forms_exact),
            cmocka_unit_test(zero_bubble_with_few_micro_batches),
            cmocka_unit_test(gpipe_and_1f1b_idle_p_minus_1_micro_batches),
            cmocka_unit_test(without_a_pipeline_one_rank_works),
            cmocka_unit_test(interleaving_divides_the_bubble),
            cmocka_unit_test(delay_costs_1f1b_two_crossings_per_micro_batch),
            cmocka_unit_test(
                    delay_costs_interleaving_a_traversal_of_all_chunks),
            cmocka_unit_test(
                    zero_bubble_fills_the_cool_down_with_weight_gradients),
            cmocka_unit_test(
                    the_v_shape_has_no_bubble_when_all_three_are_equal),
            cmocka_unit_test(dualpipe_v_stays_below_its_published_bubble),
            cmocka_unit_test(activations_in_flight_are_the_known_counts),
            cmocka_unit_test(the_memory_model_counts_what_the_orders_keep),
            cmocka_unit_test(a_v_has_both_ends_on_the_first_rank),
            cmocka_unit_test(every_order_runs_each_task_once),
            cmocka_unit_test(groups_may_be_larger_than_the_pipeline),
            cmocka_unit_test(passes_of_a_chunk_are_counted_at_once),
            cmocka_unit_test(sizes_without_an_order_are_refused),
    };

    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
