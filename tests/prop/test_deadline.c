/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_deadline.c - the scan against looking at every count, on random ones. */
#include "test.h"

#include <math.h>

#include "plan3d/deadline.h"
#include "random_plan.h"

enum { MAX_COUNTS = 40, N_TRIALS = 3000 };

/* Trainings of made-up speed: GPUs reach a random share of their peak. */
typedef struct world {
    int64_t n_gpus[MAX_COUNTS];
    double training_s[MAX_COUNTS]; /* infinite = impossible */
    int n_counts;
    int n_calls;
    int stop_after; /* calls; 0 = never */
} world;

static const double peak_gpu_s = 1e6;
static const double gpu_s_cost = 2;

static int index_of(const world *w, int64_t n_gpus)
{
    for (int i = 0; i < w->n_counts; i++)
        if (w->n_gpus[i] == n_gpus)
            return i;
    fail_msg("%lld GPUs were not asked for", (long long)n_gpus);
    return 0;
}

static double bound_s(void *context, int64_t n_gpus)
{
    (void)context;
    return peak_gpu_s / (double)n_gpus;
}

static double cost_of(const world *w, int i)
{
    return gpu_s_cost * (double)w->n_gpus[i] * w->training_s[i];
}

/* What is slower than the limit is left out, as the promise allows. */
static bool train(
        void *context, int64_t n_gpus, double limit_s, p3d_training_point *out)
{
    world *w = context;
    const int i = index_of(w, n_gpus);

    w->n_calls++;
    if (w->stop_after > 0 && w->n_calls > w->stop_after)
        return false;
    if (isfinite(w->training_s[i]) && w->training_s[i] <= limit_s)
        *out = (p3d_training_point){true, w->training_s[i], cost_of(w, i)};
    return true;
}

static void build(random_source *source, world *w)
{
    int64_t n_gpus = 0;

    *w = (world){.n_counts = 1 + random_below(source, MAX_COUNTS)};
    for (int i = 0; i < w->n_counts; i++) {
        const double mfu_frac = (1 + random_below(source, 20)) / 40.0;

        n_gpus += 8 * (1 + random_below(source, 3));
        w->n_gpus[i] = n_gpus;
        w->training_s[i] = random_below(source, 5) == 0
                                   ? (double)INFINITY
                                   : peak_gpu_s / mfu_frac / (double)n_gpus;
    }
}

static p3d_deadline_question question_of(world *w, double deadline_s)
{
    return (p3d_deadline_question){.deadline_s = deadline_s,
            .n_gpus = w->n_gpus,
            .n_counts = w->n_counts,
            .gpu_s_cost = gpu_s_cost,
            .context = w,
            .bound_s = bound_s,
            .train = train};
}

/* The answer by definition. */
static p3d_deadline_answer look_at_all(const world *w, double deadline_s)
{
    p3d_deadline_answer a = {.smallest = -1, .cheapest = -1, .closest = -1};
    int fastest = -1;

    for (int i = 0; i < w->n_counts; i++) {
        if (!isfinite(w->training_s[i]))
            continue;
        if (fastest < 0 || w->training_s[i] < w->training_s[fastest])
            fastest = i;
        if (w->training_s[i] > deadline_s)
            continue;
        if (a.smallest < 0)
            a.smallest = i;
        if (a.cheapest < 0 ||
                cost_of(w, i) < cost_of(w, a.cheapest) * (1 - 1e-12))
            a.cheapest = i;
    }
    a.closest = a.smallest < 0 ? fastest : -1;
    return a;
}

/* Equal up to rounding: another order of operations may prefer the other. */
static void check_same(double got, double want)
{
    CHECK_REL(got, want, 1e-9);
}

static void the_scan_finds_what_looking_at_all_finds(void **state)
{
    random_source source = {20261122};

    (void)state;
    for (int trial = 0; trial < N_TRIALS; trial++) {
        world w;
        p3d_deadline_answer got, want;
        p3d_deadline_question q;

        build(&source, &w);
        q = question_of(&w, 1000.0 * (1 + random_below(&source, 100)));
        want = look_at_all(&w, q.deadline_s);
        assert_true(p3d_deadline_scan(&q, &got));
        assert_int_equal(got.smallest, want.smallest);
        assert_int_equal(got.cheapest < 0, want.cheapest < 0);
        assert_int_equal(got.closest < 0, want.closest < 0);
        if (want.cheapest >= 0)
            check_same(cost_of(&w, got.cheapest), cost_of(&w, want.cheapest));
        if (want.closest >= 0)
            check_same(w.training_s[got.closest], w.training_s[want.closest]);
        assert_int_equal(got.n_searched + got.n_skipped, w.n_counts);
    }
}

static void a_scan_that_stops_keeps_what_it_found(void **state)
{
    world w = {.n_gpus = {8, 16, 24},
            .training_s = {9e5, 2e5, 1e5},
            .n_counts = 3,
            .stop_after = 2};
    const p3d_deadline_question q = question_of(&w, 3e5);
    p3d_deadline_answer got;

    (void)state;
    assert_false(p3d_deadline_scan(&q, &got));
    assert_int_equal(got.smallest, 1);
    assert_int_equal(got.n_searched, 2);
}

static void counts_that_the_bound_rules_out_are_not_searched(void **state)
{
    world w = {.n_gpus = {8, 16, 24, 32},
            .training_s = {4e5, 2e5, 1.2e5, 8e4},
            .n_counts = 4};
    const p3d_deadline_question q = question_of(&w, 5e4);
    p3d_deadline_answer got;

    (void)state;
    /* Bounds 125000, 62500, 41667, 31250 s: the first two are ruled out. The
     * closest takes 80000 s, so that the second had to be looked at then. */
    assert_true(p3d_deadline_scan(&q, &got));
    assert_int_equal(got.smallest, -1);
    assert_int_equal(got.closest, 3);
    assert_int_equal(got.n_skipped, 1);
    assert_int_equal(got.n_searched, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_scan_finds_what_looking_at_all_finds),
            cmocka_unit_test(a_scan_that_stops_keeps_what_it_found),
            cmocka_unit_test(counts_that_the_bound_rules_out_are_not_searched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
