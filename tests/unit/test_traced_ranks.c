/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_traced_ranks.c - several traced ranks of a run: who is slow, who waits
 * for whom, the bubbles of stages, and rows of collectives without waits. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/trace.h"

enum { N = 4 };

/* Two stages of two ranks, two steps of 1 s. Rank 1 multiplies for 0.34 s and
 * the others for 0.3 s, so it comes to the reduction 40 ms after rank 0. */
#define FILE_OF(rank) "tests/data/traces/rank-" #rank ".json"

static const char *const paths[N] = {
        FILE_OF(0), FILE_OF(1), FILE_OF(2), FILE_OF(3)};

static p3d_error err;

static void open_traces(p3d_trace *out)
{
    for (int i = 0; i < N; i++)
        if (!p3d_trace_open(paths[i], &out[i], &err))
            fail_msg("%s", err.text);
}

static void free_traces(p3d_trace *traces)
{
    for (int i = 0; i < N; i++)
        p3d_trace_free(&traces[i]);
}

static void check_s(double is, double should)
{
    if (fabs(is - should) > 1e-9)
        fail_msg("%.9g s, not %.9g s", is, should);
}

static p3d_plan plan_of(const char *words)
{
    p3d_plan plan;

    assert_true(p3d_plan_parse(words, N, NULL, &plan, &err));
    return plan;
}

static void ranks_are_compared(void **state)
{
    p3d_trace traces[N];
    p3d_traced_ranks r;
    const p3d_plan plan = plan_of("tp=1,pp=2,dp=2");
    const p3d_ranks_options o = {&plan, traces, N, 0};
    const p3d_ranks_stage *stages;

    (void)state;
    open_traces(traces);
    assert_true(p3d_traces_compare(&o, &r, &err));
    assert_int_equal(r.n_traces, N);
    assert_int_equal(r.slowest, 1);
    assert_int_equal(r.compared_rank, 1);
    assert_int_equal(r.n_kinds, 7);
    assert_string_equal(r.kinds[0].name, "GEMMs");
    check_s(r.kinds[0].mean_s, 0.31);
    check_s(r.kinds[0].fastest_s, 0.3);
    assert_int_equal(r.kinds[0].fastest_rank, 0);
    check_s(r.kinds[0].slowest_s, 0.34);
    assert_int_equal(r.kinds[0].slowest_rank, 1);
    assert_string_equal(r.kinds[6].name, "step");
    check_s(r.kinds[6].mean_s, 1);
    /* Ranks 0 and 1 take 140 and 100 ms, 2 and 3 take 100 and 90 ms. */
    assert_int_equal(r.n_collectives, 1);
    assert_string_equal(r.collectives[0].name, "all-reduce");
    check_s(r.collectives[0].n_calls, 1);
    check_s(r.collectives[0].mean_s, (0.14 + 0.1 + 0.1 + 0.09) / 4);
    check_s(r.collectives[0].transfer_s, (2 * 0.1 + 2 * 0.09) / 4);
    check_s(r.collectives[0].waiting_s, (0.04 + 0.01) / 4);
    assert_int_equal(r.collectives[0].last_rank, 1);
    check_s(r.collectives[0].last_frac, 0.8);
    /* Of receives of 30 and 90 ms the second waits for 60 ms. */
    stages = r.stages.items;
    assert_int_equal(r.stages.n, 2);
    assert_int_equal(stages[1].stage, 1);
    assert_int_equal(stages[1].n_ranks, 2);
    check_s(stages[0].computing_s, 0.47);
    check_s(stages[1].computing_s, 0.45);
    check_s(stages[1].bubble_s,
            (traces[2].stalled_s + traces[3].stalled_s) / 2 + 0.03);
    assert_int_equal(r.notes.n, 0);
    p3d_traced_ranks_free(&r);
    free_traces(traces);
}

/* With the pipeline inside the replicas ranks 0 and 2 are of stage 0. */
static void stages_follow_the_order_of_ranks(void **state)
{
    p3d_trace traces[N];
    p3d_traced_ranks r;
    const p3d_plan plan = plan_of("tp=1,pp=2,dp=2,order=tp-cp-ep-pp-dp");
    const p3d_ranks_options o = {&plan, traces, N, 0};

    (void)state;
    open_traces(traces);
    assert_true(p3d_traces_compare(&o, &r, &err));
    check_s(((p3d_ranks_stage *)r.stages.items)[1].computing_s, 0.47);
    check_s(((p3d_ranks_stage *)r.stages.items)[0].computing_s, 0.45);
    p3d_traced_ranks_free(&r);
    free_traces(traces);
}

/* Of ranks 0 and 2 each runs its reduction without the other. */
static void what_nobody_shares_is_said(void **state)
{
    p3d_trace traces[N], two[2];
    p3d_traced_ranks r;
    const p3d_plan plan = plan_of("tp=1,pp=1,dp=4");
    const p3d_ranks_options o = {&plan, two, 2, 0};

    (void)state;
    open_traces(traces);
    two[0] = traces[0];
    two[1] = traces[2];
    assert_true(p3d_traces_compare(&o, &r, &err));
    assert_int_equal(r.n_collectives, 0);
    assert_int_equal(r.stages.n, 0);
    assert_int_equal(r.notes.n, 1);
    assert_non_null(strstr(r.notes.at[0], "of 4 collectives 4 are on one of"));
    p3d_traced_ranks_free(&r);
    two[1] = traces[0]; /* twice the same */
    assert_false(p3d_traces_compare(&o, &r, &err));
    test_check_error(&err, P3D_DATA, "two traces are of rank 0");
    two[1] = traces[1];
    two[1].n_ranks = 8;
    err = (p3d_error){0};
    assert_false(p3d_traces_compare(&o, &r, &err));
    test_check_error(&err, P3D_DATA, "traces are of jobs of 4 and of 8 ranks");
    two[0].rank = two[1].rank = -1; /* then their places count */
    two[1].n_ranks = 4;
    assert_true(p3d_traces_compare(&o, &r, &err));
    assert_int_equal(r.kinds[0].slowest_rank, 1);
    assert_non_null(strstr(r.notes.at[0], "which is then their place"));
    p3d_traced_ranks_free(&r);
    free_traces(traces);
}

/* Four reductions of 64 MiB: of 90, 90, 100 and 100 ms without waits. */
static void rows_have_no_waits(void **state)
{
    p3d_measurements files[N];
    const p3d_collective_row *row;
    int n_found = 0;

    (void)state;
    assert_true(p3d_measurements_open_all(paths, N, files, &err));
    row = files[0].collective.items;
    for (int i = 0; i < files[0].collective.n; i++) {
        if (row[i].op != P3D_OP_ALL_REDUCE)
            continue;
        n_found++;
        assert_int_equal(row[i].bytes, 4 << 24);
        assert_int_equal(row[i].n_ranks, 2);
        assert_int_equal(row[i].n_nodes, 1);
        assert_int_equal(row[i].timing.n_samples, 4);
        check_s(row[i].timing.median_s, 0.09);
        check_s(row[i].timing.p90_s, 0.1);
    }
    assert_int_equal(n_found, 1);
    for (int f = 1; f < N; f++) {
        row = files[f].collective.items;
        for (int i = 0; i < files[f].collective.n; i++)
            assert_int_not_equal(row[i].op, P3D_OP_ALL_REDUCE);
    }
    for (int f = 0; f < N; f++)
        p3d_measurements_free(&files[f]);
    /* Alone, rank 0 counts with its waits. */
    assert_true(p3d_measurements_open_all(paths, 1, files, &err));
    row = files[0].collective.items;
    for (int i = 0; i < files[0].collective.n; i++)
        if (row[i].op == P3D_OP_ALL_REDUCE)
            check_s(row[i].timing.median_s, 0.14);
    p3d_measurements_free(&files[0]);
    assert_false(p3d_measurements_open_all(
            (const char *const[]){FILE_OF(0), "none.json"}, 2, files, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(ranks_are_compared),
            cmocka_unit_test(stages_follow_the_order_of_ranks),
            cmocka_unit_test(what_nobody_shares_is_said),
            cmocka_unit_test(rows_have_no_waits),
    };

    return cmocka_run_group_tests_name("traced ranks", tests, NULL, NULL);
}
