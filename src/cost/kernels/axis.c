/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.c - which ranks are on one axis of a plan, and how many of them a part
 * of the machine has. */
#include "base/util.h"
#include "cost/cost.h"

const char *p3d_axis_word(p3d_axis axis)
{
    if ((unsigned)axis >= P3D_N_AXES)
        return "";

    static const char *const words[P3D_N_AXES] = {[P3D_AXIS_TP] = "tp",
            [P3D_AXIS_CP] = "cp",
            [P3D_AXIS_EP] = "ep",
            [P3D_AXIS_ETP] = "etp",
            [P3D_AXIS_DP] = "dp",
            [P3D_AXIS_EXPERT_DP] = "expert_dp",
            [P3D_AXIS_SHARD] = "shard",
            [P3D_AXIS_EXPERT_SHARD] = "expert_shard",
            [P3D_AXIS_COPY] = "copy",
            [P3D_AXIS_EXPERT_COPY] = "expert_copy",
            [P3D_AXIS_PP] = "pp",
            [P3D_AXIS_HEADS] = "ulysses",
            [P3D_AXIS_RING] = "ring"};

    return words[axis];
}

/** n of the replicas of the dense weights, each `step` replicas from the one
 *  before: context-parallel ranks lie together, and between the replicas may
 *  lie a pipeline. */
static cost_axis replicas_of(const p3d_plan *plan, int n, int step)
{
    const int block = plan->tp * plan->cp * plan->pp;

    if (plan->order == P3D_ORDER_DP_PP)
        return (cost_axis){.n_ranks = n, .stride = plan->tp * step};
    if (step >= plan->cp)
        return (cost_axis){.n_ranks = n, .stride = block * (step / plan->cp)};
    return (cost_axis){.n_ranks = n,
            .stride = plan->tp * step,
            .n_inner = plan->cp / step,
            .block = block};
}

/** The same of the experts' replicas. */
static cost_axis expert_replicas_of(const p3d_plan *plan, int n, int step)
{
    const bool pp_first = plan->order == P3D_ORDER_PP_DP;
    const int inner = plan->etp * plan->ep * (pp_first ? plan->pp : 1);

    return (cost_axis){.n_ranks = n, .stride = inner * step};
}

static cost_axis pipeline_of(const p3d_plan *plan)
{
    const int inner = plan->tp * plan->cp;

    return (cost_axis){.n_ranks = plan->pp,
            .stride =
                    plan->order == P3D_ORDER_PP_DP ? inner : inner * plan->dp};
}

/** Of the context-parallel ranks the neighbours exchange heads, and those with
 *  the same place among them form rings. Source: Megatron-LM@d98e8a64
 *  megatron/core/parallel_state.py (create_hierarchical_groups),
 *  --hierarchical-context-parallel-sizes. */
static cost_axis context_of(const p3d_plan *plan, p3d_axis axis)
{
    const int heads = plan->ulysses > 0 ? plan->ulysses : 1;

    if (axis == P3D_AXIS_HEADS)
        return (cost_axis){.n_ranks = heads, .stride = plan->tp};
    return (cost_axis){.n_ranks = plan->cp / heads, .stride = plan->tp * heads};
}

cost_axis cost_axis_of(const p3d_plan *plan, p3d_axis axis)
{
    const int replicas = cost_dense_replicas(plan);
    const int shards = (int)cost_dense_shards(plan);

    switch (axis) {
    case P3D_AXIS_TP: return (cost_axis){.n_ranks = plan->tp, .stride = 1};
    case P3D_AXIS_CP:
        return (cost_axis){.n_ranks = plan->cp, .stride = plan->tp};
    case P3D_AXIS_ETP: return (cost_axis){.n_ranks = plan->etp, .stride = 1};
    case P3D_AXIS_EP:
        return (cost_axis){.n_ranks = plan->ep, .stride = plan->etp};
    case P3D_AXIS_PP: return pipeline_of(plan);
    case P3D_AXIS_DP: return replicas_of(plan, replicas, 1);
    case P3D_AXIS_SHARD: return replicas_of(plan, shards, 1);
    case P3D_AXIS_COPY: return replicas_of(plan, replicas / shards, shards);
    case P3D_AXIS_EXPERT_DP:
        return expert_replicas_of(plan, cost_expert_replicas(plan), 1);
    case P3D_AXIS_EXPERT_SHARD:
        return expert_replicas_of(plan, (int)cost_expert_shards(plan), 1);
    case P3D_AXIS_EXPERT_COPY: {
        const int each = (int)cost_expert_shards(plan);

        return expert_replicas_of(
                plan, cost_expert_replicas(plan) / each, each);
    }
    case P3D_AXIS_HEADS:
    case P3D_AXIS_RING: return context_of(plan, axis);
    case P3D_N_AXES: break;
    }
    P3D_ASSERT(axis < P3D_N_AXES);
    return (cost_axis){.n_ranks = 1, .stride = 1};
}

static int ranks_within(const cost_axis *shape, int domain)
{
    const int adjacent = domain / shape->stride;

    if (shape->n_inner == 0)
        return adjacent;
    if (shape->block <= domain)
        return shape->n_inner * (domain / shape->block);
    return adjacent < shape->n_inner ? adjacent : shape->n_inner;
}

int cost_ranks_within(const cost_axis *axis, int n_gpus)
{
    const int within = ranks_within(axis, n_gpus);

    return within < 1 ? 1 : within > axis->n_ranks ? axis->n_ranks : within;
}

int cost_domain(const p3d_cluster *cluster)
{
    const p3d_node *node = &cluster->node;

    return node->gpus_per_nvlink_domain > node->gpus_per_node
                   ? node->gpus_per_nvlink_domain
                   : node->gpus_per_node;
}
