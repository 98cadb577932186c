/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_validate_notes.c - every reason why a plan does not hold, and every
 * limit of what was measured. */
#include "problem.h"

#include <string.h>

#include "base/util.h"
#include "study/validate.h"

/* A plan of which nothing is to be said; tests change it. */
static p3d_problem problem;
static p3d_estimate estimate;
static p3d_compared compared;
static p3d_calibrated calibrated;
static p3d_step_check step;
static study_judged judged;

static int begin(void **state)
{
    p3d_plan plan;

    (void)state;
    problem = problem_of("llama-3-8b", "8xH100", "megatron-core", 0, 0);
    plan = problem_plan(&problem, "tp=1,zero=1");
    assert_true(p3d_estimate_plan(&problem, &plan, &estimate, NULL));
    compared = (p3d_compared){.all = {.planned_s = 10}};
    for (int i = 0; i < P3D_N_COMPARED; i++)
        compared.kinds[i] = (p3d_comparison){.name = "all-reduce",
                .n_wanted = 1,
                .n_points = 1,
                .planned_s = 1,
                .median_ratio = 1};
    calibrated = (p3d_calibrated){.base = "sm90"};
    for (int i = 0; i < P3D_N_FORMS; i++)
        calibrated.forms[i] = (p3d_form_result){.name = "all-gather",
                .n_points = 3,
                .n_least = 8,
                .fitted = true};
    problem.job.attention = P3D_CUDNN;
    step = (p3d_step_check){.predicted_s = 10, .calibrated_s = 10};
    judged = (study_judged){.problem = &problem,
            .estimate = &estimate,
            .compared = &compared,
            .calibrated = &calibrated,
            .step = &step,
            .missing = "",
            .tolerance_frac = 0.1};
    estimate.fits = true;
    return 0;
}

static void check_only(const p3d_notes *notes, const char *words)
{
    if (notes->n != 1)
        fail_msg("%d notes, not 1: '%s'", notes->n, words);
    assert_string_equal(notes->at[0], words);
}

static void check_reason(const char *words)
{
    p3d_notes notes = {.n = 0};

    study_notes_reasons(&judged, &notes);
    check_only(&notes, words);
    begin(NULL);
}

static void check_limit(const char *words)
{
    p3d_notes notes = {.n = 0};

    study_notes_limits(&judged, &notes);
    check_only(&notes, words);
    begin(NULL);
}

static void a_plan_that_holds_has_no_notes(void **state)
{
    p3d_notes notes = {.n = 0};

    (void)state;
    study_notes_reasons(&judged, &notes);
    study_notes_limits(&judged, &notes);
    assert_int_equal(notes.n, 0);
}

static void every_reason_is_said(void **state)
{
    (void)state;
    compared.all.missing_s = 6;
    check_reason("only 40.0 % of the planned seconds was measured");
    compared.kinds[P3D_COMPARED_ALL_REDUCE].median_ratio = 1.2;
    check_reason("all-reduce: 20.0 % slower than predicted");
    compared.kinds[P3D_COMPARED_ALL_REDUCE].median_ratio = 0.75;
    check_reason("all-reduce: 25.0 % faster than predicted");
    step.change_frac = 0.3;
    check_reason("a step takes 30.0 % longer than predicted");
    step.change_frac = -0.3;
    check_reason("a step takes 30.0 % less than predicted");
    judged.searched = true;
    step.regret_frac = 0.15;
    check_reason(
            "another plan is the fastest, and this one takes 15.0 % longer");
    compared.memory = (p3d_had_memory){.measured = true};
    check_reason("the tensors of the peak could not be had");
    estimate.fits = false;
    estimate.usable_bytes =
            p3d_memory_device_bytes(&estimate.memory) - ((int64_t)3 << 30);
    check_reason("the plan is not predicted to fit: 3.00 GiB are missing");
}

static void every_limit_is_said(void **state)
{
    (void)state;
    compared.all.missing_s = 2;
    check_limit("what was not measured is taken as predicted: 20.0 % of the "
                "planned seconds");
    calibrated.forms[P3D_FORM_ALL_GATHER].fitted = false;
    check_limit("all-gather: 3 points, a fit needs 8; constants of sm90 stay");
    problem.job.dtype = P3D_FP8;
    calibrated.forms[P3D_FORM_GEMM_FP8].fitted = false;
    check_limit("all-gather: 3 points, a fit needs 8; constants of sm90 stay");
    compared.n_eager = 2;
    check_limit("2 attention cores were measured as products and a softmax, "
                "and are not compared");
    problem.job.attention = P3D_FLASH_2;
    check_limit("attention was measured with cuDNN's kernel, which the job "
                "does not use: its time in the step stays");
    compared.n_elsewhere = 4;
    check_limit("4 collectives were measured on other numbers of nodes than "
                "the plan's groups have; --launcher starts all of them");
    problem.cluster.n_nodes = 2;
    check_limit("collectives between nodes are compared, their constants "
                "stay");
    judged.missing = "nccl (exit status 3)";
    check_limit("failed and left out: nccl (exit status 3)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_setup(a_plan_that_holds_has_no_notes, begin),
            cmocka_unit_test_setup(every_reason_is_said, begin),
            cmocka_unit_test_setup(every_limit_is_said, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
