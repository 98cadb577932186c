/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.c - memory, time and throughput of one plan. */
#include "plan3d/estimate.h"

#include <math.h>
#include <stdio.h>

#include "base/util.h"
#include "cost/cost.h"
#include "cost/memory.h"

/* Share of a node's host memory that offloaded states may take; the rest is
 * for the operating system, pinned buffers and data loading. Assumes: A11. */
static const double HOST_MEMORY_FRAC = 0.9;

static bool offloads(const p3d_plan *plan)
{
    return plan->offload != P3D_OFFLOAD_NONE ||
           plan->activation_offload_frac > 0;
}

/** What the ranks of a node keep outside of their devices, when all of them
 *  keep as much as the one that keeps the most. */
static void set_host(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, const cost_layout *layout, p3d_estimate *out)
{
    const int n = problem->cluster.node.gpus_per_node;
    cost_host_sum most = {.host_bytes = 0};

    for (int rank = 0; rank < plan->pp && offloads(plan); rank++) {
        const cost_host_sum one =
                cost_rank_host(problem, plan, blocks, layout, rank);

        most.host_bytes = fmax(most.host_bytes, one.host_bytes);
        most.pinned_bytes = fmax(most.pinned_bytes, one.pinned_bytes);
        most.nvme_bytes = fmax(most.nvme_bytes, one.nvme_bytes);
    }
    out->host_bytes_per_node = (int64_t)(most.host_bytes * n);
    out->pinned_bytes_per_node = (int64_t)(most.pinned_bytes * n);
    out->nvme_bytes_per_node = (int64_t)(most.nvme_bytes * n);
}

/** A plan fits when its tight rank, its node's host memory and NVMe hold it. */
static bool fits(const p3d_problem *problem, const p3d_estimate *e)
{
    const p3d_node *node = &problem->cluster.node;

    if (p3d_estimate_margin_bytes(e) < 0)
        return false;
    if (node->host_memory_bytes > 0 &&
            (double)e->host_bytes_per_node >
                    HOST_MEMORY_FRAC * (double)node->host_memory_bytes)
        return false;
    return e->nvme_bytes_per_node <= node->nvme_bytes;
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
    set_host(problem, plan, blocks, &layout, out);
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

/* What no number stands for is not printed. */
static bool is_counted(const p3d_estimate *estimate, p3d_refusal *refusal)
{
    if (p3d_memory_device_bytes(&estimate->memory) < COST_MOST_BYTES)
        return true;
    if (refusal != NULL) {
        *refusal = (p3d_refusal){.rule = "D2"};
        snprintf(refusal->reason, sizeof(refusal->reason),
                "a GPU would need more than the %lld PiB that plan3d counts; "
                "try a shorter --seq or recompute=full",
                (long long)(COST_MOST_BYTES >> 50));
    }
    return false;
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
    return is_counted(out, refusal);
}

void p3d_estimate_stage(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_blocks *blocks, int stage, p3d_stage *out)
{
    cost_layout layout;

    P3D_ASSERT(cost_layout_build(problem, plan, &layout));
    cost_stage_memory(problem, plan, blocks, &layout, stage, out);
}
