/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.h - problems and plans from words, for the tests of costs. */
#ifndef PLAN3D_TEST_PROBLEM_H
#define PLAN3D_TEST_PROBLEM_H

#include "test.h"

#include "plan3d/estimate.h"
#include "plan3d/training.h"

/** Stop the test unless a reader succeeded. */
static inline void problem_check(bool ok, const p3d_error *err)
{
    if (!ok)
        fail_msg("%s", err->text);
}

/** A problem of the catalog; seq_len and global_batch 0 = the defaults. */
static inline p3d_problem problem_of(const char *model, const char *cluster,
        const char *framework, int seq_len, int64_t global_batch)
{
    p3d_problem problem = {
            .job = {.seq_len = seq_len, .global_batch = global_batch}};
    p3d_error err = {0};

    problem_check(p3d_model_find(model, &problem.model, &err), &err);
    problem_check(p3d_cluster_find(cluster, &problem.cluster, &err), &err);
    problem.job.framework = p3d_framework_find(framework);
    assert_non_null(problem.job.framework);
    p3d_job_default(&problem.job, &problem.model, &problem.cluster);
    return problem;
}

/** A plan in words for this problem's cluster. */
static inline p3d_plan problem_plan(
        const p3d_problem *problem, const char *words)
{
    p3d_plan plan;
    p3d_error err = {0};

    problem_check(p3d_plan_parse(words, problem->cluster.n_gpus,
                          problem->job.framework, &plan, &err),
            &err);
    return plan;
}

/** The estimate of a plan in words, which must be legal. */
static inline p3d_estimate problem_estimate(
        const p3d_problem *problem, const char *words)
{
    const p3d_plan plan = problem_plan(problem, words);
    p3d_estimate estimate;
    p3d_refusal refusal;

    if (!p3d_estimate_plan(problem, &plan, &estimate, &refusal))
        fail_msg("%s: %s %s", words, refusal.rule, refusal.reason);
    return estimate;
}

/** The whole training with a plan in words. */
static inline p3d_training problem_training(
        const p3d_problem *problem, const char *words)
{
    const p3d_estimate estimate = problem_estimate(problem, words);
    p3d_training training;
    p3d_error err = {0};

    problem_check(p3d_training_find(problem, &estimate, &training, &err), &err);
    return training;
}

/** One stage of a plan in words. */
static inline p3d_stage problem_stage(
        const p3d_problem *problem, const p3d_plan *plan, int rank)
{
    p3d_blocks blocks;
    p3d_stage stage;

    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    p3d_estimate_stage(problem, plan, &blocks, rank, &stage);
    return stage;
}

#endif
