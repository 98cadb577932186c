/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.c - memory, time and throughput of one plan. */
#include "plan3d/estimate.h"

#include "base/util.h"
#include "cost/cost.h"
#include "cost/states.h"

/* Share of a node's host memory that offloaded states may take; the rest is
 * for the operating system, pinned buffers and data loading. Assumes: A11. */
static const double HOST_MEMORY_FRAC = 0.9;

static int64_t host_bytes(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const cost_layout *layout)
{
    double most = 0;

    if (plan->offload == P3D_OFFLOAD_NONE)
        return 0;
    for (int rank = 0; rank < plan->pp; rank++) {
        const double bytes = cost_host_bytes(
                plan, cost_rank_params(problem, plan, blocks, layout, rank));

        most = bytes > most ? bytes : most;
    }
    return (int64_t)(most * problem->cluster.node.gpus_per_node);
}

/** A plan fits when its tight rank and its node's host memory hold it. */
static bool fits(const p3d_problem *problem, const p3d_estimate *e)
{
    const double host = (double)problem->cluster.node.host_memory_bytes;

    if (p3d_estimate_margin_bytes(e) < 0)
        return false;
    return host <= 0 ||
           (double)e->host_bytes_per_node <= HOST_MEMORY_FRAC * host;
}

static void set_rates(const p3d_problem *problem, const p3d_plan *plan,
        double replay_flop, p3d_estimate *out)
{
    const p3d_job *job = &problem->job;
    const double step_s = p3d_time_step_s(&out->time);
    const double tokens = (double)job->global_batch * job->seq_len;
    const double flop = p3d_model_flop_per_token(&problem->model, job) * tokens;
    const double peak =
            p3d_gpu_peak_flop_per_s(&problem->cluster.gpu, job->dtype) *
            (double)plan->tp * plan->pp * plan->dp * plan->cp;

    out->tokens_per_s = tokens / step_s;
    out->mfu_frac = flop / (step_s * peak);
    out->hfu_frac = (flop + replay_flop) / (step_s * peak);
}

void p3d_estimate_blocks(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, p3d_estimate *out)
{
    cost_layout layout;

    P3D_ASSERT(cost_layout_build(problem, plan, &layout));
    out->plan = *plan;
    out->tight_stage =
            cost_peak_memory(problem, plan, blocks, &layout, &out->memory);
    out->usable_bytes = problem->cluster.gpu.visible_memory_bytes -
                        problem->job.reserve_bytes;
    out->host_bytes_per_node = host_bytes(problem, plan, blocks, &layout);
    out->fits = fits(problem, out);
    cost_step_time(problem, plan, blocks, &layout, &out->time);
    out->n_micro_batches = p3d_plan_n_micro_batches(plan, &problem->job);
    out->memory_error_frac =
            p3d_memory_error_frac(problem->job.framework, &problem->model);
    set_rates(problem, plan, cost_replay_flop(problem, plan, blocks, &layout),
            out);
}

int64_t p3d_estimate_margin_bytes(const p3d_estimate *estimate)
{
    return estimate->usable_bytes - p3d_memory_device_bytes(&estimate->memory);
}

bool p3d_estimate_plan(const p3d_problem *problem, const p3d_plan *plan,
        p3d_estimate *out, p3d_refusal *refusal)
{
    p3d_blocks blocks;

    if (!p3d_plan_legal(&problem->model, &problem->cluster, &problem->job, plan,
                refusal))
        return false;
    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    p3d_estimate_blocks(problem, plan, &blocks, out);
    return true;
}

void p3d_estimate_stage(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, int stage, p3d_stage *out)
{
    cost_layout layout;

    P3D_ASSERT(cost_layout_build(problem, plan, &layout));
    cost_stage_memory(problem, plan, blocks, &layout, stage, out);
}
