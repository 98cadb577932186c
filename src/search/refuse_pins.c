/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refuse_pins.c - why pinned values alone admit no plan. */
#include <math.h>
#include <stdio.h>

#include "search/engine.h"

/** A plan with the pinned values, and all others as small as they can be. */
static p3d_plan smallest_plan(const p3d_problem *p, const p3d_pins *pins)
{
    p3d_plan plan = {.tp = pins->tp > 0 ? pins->tp : 1,
            .pp = pins->pp > 0   ? pins->pp
                  : pins->vp > 1 ? 2
                                 : 1,
            .cp = pins->cp > 0 ? pins->cp : 1,
            .ep = pins->ep > 0 ? pins->ep : 1,
            .vp = pins->vp > 0 ? pins->vp : 1,
            .micro_batch = pins->micro_batch > 0 ? pins->micro_batch : 1,
            .zero = pins->zero >= 0
                            ? pins->zero
                            : p->job.framework->usual_zero[pins->pp > 1],
            .shard = pins->shard,
            .first_layers = pins->first_layers,
            .last_layers = pins->last_layers,
            .uneven = pins->uneven > 0,
            .order = pins->order > 0 ? (p3d_order)pins->order : P3D_ORDER_DP_PP,
            .recompute = pins->recompute > 0 ? (p3d_recompute)pins->recompute
                                             : P3D_RECOMPUTE_NONE,
            .recompute_modules = pins->recompute_modules,
            .recompute_layers = pins->recompute_layers,
            .recompute_group = pins->recompute_group,
            .offload = pins->offload > 0 ? (p3d_offload)pins->offload
                                         : P3D_OFFLOAD_NONE,
            .offload_frac = pins->offload_frac < 1 ? pins->offload_frac : 0,
            .offload_nvme = pins->offload_nvme > 0,
            .activation_offload_frac = fmax(0, pins->activation_offload_frac)};

    plan.dp = pins->dp > 0 ? pins->dp : 1;
    plan.etp = pins->etp > 0 ? pins->etp : plan.tp;
    plan.sequence_parallel = pins->sequence_parallel < 0
                                     ? plan.tp > 1
                                     : pins->sequence_parallel > 0;
    plan.schedule = pins->schedule >= 0 ? (p3d_schedule)pins->schedule
                    : plan.vp > 1       ? P3D_INTERLEAVED
                                        : P3D_1F1B;
    return plan;
}

/** Sizes that do not divide the number of GPUs: first the rule that they break
 *  on a cluster that they would divide. */
void search_refuse_pins(
        const p3d_problem *p, const p3d_pins *pins, p3d_refusal *refusal)
{
    p3d_plan plan = smallest_plan(p, pins);
    p3d_cluster cluster = p->cluster;
    const int64_t inner = (int64_t)plan.tp * plan.pp * plan.cp * plan.dp;
    const bool divides = cluster.n_gpus % inner == 0;

    if (divides && pins->dp == 0)
        plan.dp = (int)(cluster.n_gpus / inner);
    else if (!divides && inner <= P3D_MAX_GPUS)
        cluster.n_gpus = (int)inner;
    (void)p3d_plan_legal(&p->model, &cluster, &p->job, &plan, refusal);
    if (refusal->rule != NULL || divides)
        return;
    refusal->rule = "A1";
    (void)snprintf(refusal->reason, sizeof(refusal->reason),
            "tp=%d x pp=%d x cp=%d x dp=%d does not divide %d GPUs", plan.tp,
            plan.pp, plan.cp, plan.dp, p->cluster.n_gpus);
}
