/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_parts.c - what a step is made of: stage by stage, rank by rank. */
#include "base/util.h"
#include "cost/memory.h"
#include "cost/timeline.h"

/** Split a rank's backward passes; what is added once for all stages is with
 *  the gradients of inputs. */
static void split_rank(const cost_case *of, int rank, cost_step_parts *out)
{
    cost_pass_time passes[P3D_MAX_LAYERS];

    cost_time_stages(of, rank, &out->ranks[rank], passes);
    for (int j = 0; j < of->plan->vp; j++) {
        const int stage = cost_stage_of(of->plan, rank, j);
        const double weight_s = cost_stage_weight_s(of, stage);

        out->stages[stage] =
                (cost_stage_pass){.forward_s = passes[stage].forward_s,
                        .input_s = passes[stage].backward_s - weight_s,
                        .weight_s = weight_s};
    }
}

static void save_rank(const cost_case *of, int rank, cost_step_parts *out)
{
    cost_rank sum;

    cost_rank_build(of, rank, &sum);
    for (int j = 0; j < of->plan->vp; j++)
        out->saved_bytes[cost_stage_of(of->plan, rank, j)] =
                (1 - of->plan->activation_offload_frac) *
                sum.chunks[j].saved_bytes;
}

void cost_step_parts_of(
        const p3d_problem *problem, const p3d_plan *plan, cost_step_parts *out)
{
    p3d_blocks blocks;
    cost_layout layout;
    const cost_case of = {problem, plan, &blocks, &layout};

    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    P3D_ASSERT(cost_layout_build(problem, plan, &layout));
    out->pipeline = (cost_pipeline){.order = plan->schedule,
            .p = plan->pp,
            .v = plan->vp,
            .m = (int)p3d_plan_n_micro_batches(plan, &problem->job),
            .group = plan->group};
    out->crossing_s = plan->pp > 1 ? cost_crossing_s(problem, plan) : 0;
    for (int rank = 0; rank < plan->pp; rank++) {
        out->ranks[rank] = cost_time_rank(&of, rank);
        split_rank(&of, rank, out);
        save_rank(&of, rank, out);
    }
}
