/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.c - memory, time and throughput of one plan. */
#include "plan3d/estimate.h"

#include <math.h>
#include <stdio.h>

#include "base/util.h"
#include "cost/cost.h"
#include "cost/memory/memory.h"
#include "spec/given.h"

static void set_host(const cost_case *of, p3d_estimate *out)
{
    const cost_host_sum node = cost_node_host(of);

    out->host_bytes_per_node = (int64_t)node.host_bytes;
    out->pinned_bytes_per_node = (int64_t)node.pinned_bytes;
    out->nvme_bytes_per_node = (int64_t)node.nvme_bytes;
    out->fits = p3d_estimate_margin_bytes(out) >= 0 &&
                cost_node_holds(&of->problem->cluster.node, &node);
    out->sure = out->fits && p3d_memory_device_bytes(&out->memory) <=
                                     p3d_sure_bytes(of->problem);
}

/** FLOPs of a step, for padding too. */
static double computed_flop(const p3d_model *model, const p3d_job *job)
{
    p3d_job whole = *job;

    if (job->lengths.filling == P3D_FILLING_PADDED)
        whole.lengths.filling = P3D_FILLING_WHOLE;
    return p3d_model_flop_per_token(model, &whole) * p3d_job_tokens(&whole);
}

static void set_rates(const p3d_problem *problem, const p3d_plan *plan,
        double replay_flop, p3d_estimate *out)
{
    const p3d_job *job = &problem->job;
    const double step_s = p3d_time_step_s(&out->time);
    const double tokens = p3d_job_tokens(job);
    const double flop = p3d_model_flop_per_token(&problem->model, job) * tokens;
    const double peak =
            p3d_gpu_peak_flop_per_s(&problem->cluster.gpu, job->dtype) *
            (double)plan->tp * plan->pp * plan->dp * plan->cp;

    out->tokens_per_s = tokens / step_s;
    out->mfu_frac = flop / (step_s * peak);
    out->hfu_frac = (computed_flop(&problem->model, job) + replay_flop) /
                    (step_s * peak);
}

void p3d_estimate_blocks(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, p3d_estimate *out)
{
    cost_layout layout;
    const cost_case of = {problem, plan, blocks, &layout};

    if (out == NULL)
        return;
    if (!spec_problem_given(problem) || !spec_plan_given(plan) ||
            blocks == NULL || !cost_layout_build(problem, plan, &layout)) {
        *out = (p3d_estimate){.fits = false};
        return;
    }
    out->plan = *plan;
    out->tight_stage = cost_peak_memory(&of, &out->memory);
    out->usable_bytes = problem->cluster.gpu.visible_memory_bytes -
                        problem->job.reserve_bytes;
    set_host(&of, out);
    cost_step_time(&of, &out->time);
    out->n_micro_batches = p3d_plan_n_micro_batches(plan, &problem->job);
    out->memory_error_frac =
            p3d_memory_error_frac(problem->job.framework, &problem->model);
    set_rates(problem, plan, cost_replay_flop(&of), out);
}

int64_t p3d_sure_bytes(const p3d_problem *problem)
{
    const p3d_job *job;

    if (problem == NULL)
        return 0;
    job = &problem->job;
    return problem->cluster.gpu.visible_memory_bytes -
           (job->reserve_bytes > job->sure_reserve_bytes
                           ? job->reserve_bytes
                           : job->sure_reserve_bytes);
}

int64_t p3d_estimate_margin_bytes(const p3d_estimate *estimate)
{
    if (estimate == NULL)
        return 0;
    return estimate->usable_bytes - p3d_memory_device_bytes(&estimate->memory);
}

/* What no number stands for is not printed. */
static bool is_counted(const p3d_estimate *estimate, p3d_refusal *refusal)
{
    if (p3d_memory_device_bytes(&estimate->memory) < COST_MOST_BYTES)
        return true;
    if (refusal != NULL) {
        *refusal = (p3d_refusal){.rule = "D2"};
        snprintf(refusal->reason, sizeof(refusal->reason),
                "one GPU would need more than the %lld PiB that plan3d counts; "
                "try a shorter --seq or recompute=full",
                (long long)(COST_MOST_BYTES >> 50));
    }
    return false;
}

bool p3d_estimate_plan(const p3d_problem *problem, const p3d_plan *plan,
        p3d_estimate *out, p3d_refusal *refusal)
{
    p3d_plan plain;
    p3d_blocks blocks;

    if (problem == NULL || out == NULL)
        return p3d_plan_legal(NULL, NULL, NULL, NULL, refusal);
    if (!spec_plan_given(plan)) /* say which rule, where one is for it */
        return p3d_plan_legal(&problem->model, &problem->cluster, &problem->job,
                       plan, refusal) &&
               p3d_plan_legal(NULL, NULL, NULL, NULL, refusal);
    plain = p3d_plan_plain(
            &problem->model, &problem->cluster, &problem->job, plan);
    if (!p3d_plan_legal(&problem->model, &problem->cluster, &problem->job,
                &plain, refusal))
        return false;
    p3d_blocks_build(problem, p3d_plan_shard(&plain), &blocks);
    p3d_estimate_blocks(problem, &plain, &blocks, out);
    return is_counted(out, refusal);
}

void p3d_estimate_stage(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, int stage, p3d_stage *out)
{
    cost_layout layout;
    const cost_case of = {problem, plan, blocks, &layout};

    if (out == NULL)
        return;
    *out = (p3d_stage){.n_layers = 0};
    if (spec_problem_given(problem) && spec_plan_given(plan) &&
            blocks != NULL && stage >= 0 && stage < plan->pp &&
            cost_layout_build(problem, plan, &layout))
        cost_stage_memory(&of, stage, out);
}
