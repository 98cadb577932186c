/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_backtest.c - backtests called from C, on the repository's runs. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "exchange/runs/corpus.h"
#include "plan3d/backtest.h"
#include "spec/hardware.h"

#define RUNS "tests/accuracy/runs.csv"

static p3d_backtest_options options;
static p3d_backtest found;
static p3d_error err;

static int begin(void **state)
{
    (void)state;
    err = (p3d_error){.code = P3D_OK};
    found = (p3d_backtest){.n_rows = 0};
    options = (p3d_backtest_options){
            .runs = RUNS, .source = "llm-foundry", .time = true};
    return 0;
}

static int end(void **state)
{
    (void)state;
    p3d_backtest_free(&found);
    return 0;
}

static const p3d_backtest_row *row_of(const char *id)
{
    int i = 0;

    while (strcmp(found.rows[i].id, id) != 0)
        assert_true(++i < found.n_rows);
    return &found.rows[i];
}

/* The step of a row of the table, by the estimate of its own plan. */
static double estimated_s(const char *id)
{
    exchange_hardware *const hardware = exchange_hardware_create(&err);
    exchange_corpus corpus;
    exchange_case c;
    exchange_reason reason;
    p3d_estimate estimate;
    int row = 0;

    assert_non_null(hardware);
    assert_true(exchange_corpus_open(RUNS, &corpus, &err));
    while (strcmp(corpus.rows[row].id, id) != 0)
        row++;
    assert_true(
            exchange_corpus_convert(&corpus.rows[row], hardware, &c, &reason));
    assert_true(p3d_estimate_plan(&c.problem, &c.plan, &estimate, NULL));
    exchange_corpus_close(&corpus);
    exchange_hardware_destroy(hardware);
    return p3d_time_step_s(&estimate.time);
}

static void a_run_is_held_against_its_estimate(void **state)
{
    const p3d_backtest_row *row;

    (void)state;
    assert_true(p3d_backtest_run(&options, &found, &err));
    row = row_of("mpt-L91");
    assert_true(row->measured_step_s == 0.577511);
    assert_true(row->predicted_step_s == estimated_s("mpt-L91"));
    assert_true(row->time_error_frac ==
                row->predicted_step_s / row->measured_step_s - 1);
    assert_true(isnan(row->memory_error_frac));
    assert_null(row->skipped);
    assert_string_equal(row->source, "llm-foundry");
}

static void scores_count_their_rows(void **state)
{
    int n_scored = 0;

    (void)state;
    assert_true(p3d_backtest_run(&options, &found, &err));
    assert_int_equal(found.n_sources, 1);
    assert_int_equal(found.n_rows, found.n_file_rows);
    for (int i = 0; i < found.n_rows; i++)
        n_scored += !isnan(found.rows[i].time_error_frac);
    assert_true(n_scored > 0);
    assert_int_equal(found.summary.time.n_rows, n_scored);
    assert_int_equal(found.sources[0].time.n_rows, n_scored);
    assert_int_equal(found.summary.memory.n_rows, 0);
    assert_true(found.summary.time.median_abs_error_frac ==
                found.sources[0].time.median_abs_error_frac);
}

static bool ran(const p3d_backtest_row *row)
{
    return strcmp(row->fit, "ran") == 0;
}

/* Each run that ran or lacked memory is in one band, and the shares are those
 * of the rows. */
static void who_fits_is_counted_by_how_sure_it_was(void **state)
{
    const p3d_backtest_fits *fits = &found.summary.fits;
    int n = 0, n_ran = 0, n_right = 0, n_sure = 0;

    (void)state;
    options.runs = "tests/accuracy/memory.csv";
    options.source = NULL;
    options.time = false;
    options.memory = true;
    assert_true(p3d_backtest_run(&options, &found, &err));
    for (int i = 0; i < found.n_rows; i++) {
        const p3d_backtest_row *r = &found.rows[i];

        if (r->fit == NULL)
            continue;
        n++;
        n_ran += ran(r);
        n_right += ran(r) == (strcmp(r->predicted_fit, "fits") == 0);
        n_sure += r->fit_probability_frac >= 0.95;
    }
    assert_true(n > 400 && n_ran < n);
    assert_int_equal(fits->n_rows, n);
    assert_int_equal(fits->n_right, n_right);
    CHECK_REL(fits->right_frac, n_right / (double)n, 1e-12);
    assert_int_equal(fits->bands[3].n_rows, n_sure);
    for (int i = 0; i < P3D_BACKTEST_BANDS; i++) {
        n -= fits->bands[i].n_rows;
        n_ran -= fits->bands[i].n_ran;
    }
    assert_int_equal(n, 0);
    assert_int_equal(n_ran, 0);
    assert_true(fits->bands[3].ran_frac > 0.93);
}

/* Of the mean source between 75 and 85 of 100 steps are in the range that 80
 * should be in: sources are what the range is made of. Of all steps few more,
 * as few sources with many steps have a say in that. */
static void ranges_hold(void **state)
{
    int n_inside = 0;

    (void)state;
    options.source = NULL;
    assert_true(p3d_backtest_run(&options, &found, &err));
    for (int i = 0; i < found.n_rows; i++) {
        const p3d_backtest_row *r = &found.rows[i];

        n_inside += !isnan(r->time_error_frac) &&
                    r->measured_step_s >= r->low_step_s &&
                    r->measured_step_s <= r->high_step_s;
    }
    assert_int_equal(found.summary.n_inside, n_inside);
    CHECK_REL(found.summary.inside_frac,
            n_inside / (double)found.summary.time.n_rows, 1e-12);
    assert_true(found.summary.inside_frac > 0.75);
    assert_true(found.summary.inside_frac < 0.9);
    assert_true(found.summary.macro_inside_frac > 0.75);
    assert_true(found.summary.macro_inside_frac < 0.85);
}

/* Runs that have a step time fitted. */
static void runs_with_a_step_fitted(void **state)
{
    int n_fit = 0;

    (void)state;
    options.memory = true;
    options.time = false;
    assert_true(p3d_backtest_run(&options, &found, &err));
    assert_string_equal(row_of("mpt-L91")->fit, "ran");
    assert_string_equal(row_of("mpt-L91")->predicted_fit, "fits");
    for (int i = 0; i < found.n_rows; i++)
        n_fit += found.rows[i].fit != NULL;
    assert_int_equal(found.summary.memory.n_rows, 0);
    assert_int_equal(found.oom.n_ran, n_fit);
    assert_int_equal(found.sources[0].oom.n_ran, n_fit);
    assert_int_equal(found.oom.n_failed, 0);
}

static void runs_that_lacked_memory_are_counted(void **state)
{
    (void)state;
    options.runs = "tests/accuracy/memory.csv";
    options.source = "aleph-alpha-layouts";
    options.memory = true;
    assert_true(p3d_backtest_run(&options, &found, &err));
    assert_int_equal(found.oom.n_ran, 0);
    assert_int_equal(found.oom.n_failed, found.n_rows);
    assert_int_equal(found.sources[0].oom.n_failed, found.n_rows);
    assert_string_equal(found.rows[0].fit, "lacked memory");
}

static void sets_are_ranked(void **state)
{
    (void)state;
    options.sets = "tests/accuracy/ranking_sets.csv";
    options.source = "bigscience-176b";
    options.time = false;
    options.rank = true;
    assert_true(p3d_backtest_run(&options, &found, &err));
    assert_true(found.summary.rank.n_sets > 0);
    assert_int_equal(found.summary.rank.n_sets, found.sources[0].rank.n_sets);
    assert_true(found.summary.rank.mean_regret_frac >= 0);
    assert_int_equal(found.summary.time.n_rows, 0);
}

static void constants_of_another_gpu_change_nothing_else(void **state)
{
    p3d_calibration other;

    (void)state;
    assert_true(spec_calibration_load("sm70", &other, &err));
    options.calibration = &other;
    assert_false(p3d_backtest_run(&options, &found, &err));
    test_check_error(&err, P3D_DATA, "no row that can be predicted ran on it");
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    options.source = "llm-foundri";
    assert_false(p3d_backtest_run(&options, &found, &err));
    test_check_error(&err, P3D_USAGE, "did you mean 'llm-foundry'?");
    err = (p3d_error){.code = P3D_OK};
    options.runs = "none.csv";
    assert_false(p3d_backtest_run(&options, &found, &err));
    assert_int_equal(err.code, P3D_DATA);
    assert_null(found.storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
            TEST(a_run_is_held_against_its_estimate),
            TEST(scores_count_their_rows),
            TEST(who_fits_is_counted_by_how_sure_it_was),
            TEST(ranges_hold),
            TEST(runs_with_a_step_fitted),
            TEST(runs_that_lacked_memory_are_counted),
            TEST(sets_are_ranked),
            TEST(constants_of_another_gpu_change_nothing_else),
            TEST(what_is_wrong_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
