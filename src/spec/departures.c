/* SPDX-License-Identifier: GPL-3.0-or-later */
/* departures.c - what a plan has that its framework does not do by itself. */
#include "plan3d/departures.h"

#include "base/util.h"
#include "spec/departures.h"
#include "spec/given.h"

static bool is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

/* One module alone is a usual thing to say; several together are a choice. */
static bool has_own_modules(const p3d_plan *plan)
{
    return plan->recompute == P3D_RECOMPUTE_SELECTIVE &&
           !is_power_of_two((int)plan->recompute_modules);
}

static bool has_thin_chunks(const p3d_problem *p, const p3d_plan *plan)
{
    return plan->vp > 1 && p->model.n_layers < 2 * (int64_t)plan->pp * plan->vp;
}

static unsigned offload_departures(const p3d_plan *plan)
{
    unsigned set = 0;

    if (plan->activation_offload_frac > 0)
        set |= P3D_DEPARTS_ACTIVATIONS;
    if (plan->offload == P3D_OFFLOAD_NONE)
        return set;
    set |= P3D_DEPARTS_OPTIMIZER;
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        set |= P3D_DEPARTS_PARAMETERS;
    if (plan->offload_nvme)
        set |= P3D_DEPARTS_NVME;
    if (plan->offload_frac > 0)
        set |= P3D_DEPARTS_SHARE;
    return set;
}

static unsigned pipeline_departures(const p3d_problem *p, const p3d_plan *plan)
{
    unsigned set = 0;

    if (plan->uneven)
        set |= P3D_DEPARTS_UNEVEN;
    if (plan->first_layers > 0 || plan->last_layers > 0)
        set |= P3D_DEPARTS_ENDS;
    if (has_thin_chunks(p, plan))
        set |= P3D_DEPARTS_THIN_CHUNKS;
    if (plan->schedule != P3D_1F1B && plan->schedule != P3D_INTERLEAVED)
        set |= P3D_DEPARTS_SCHEDULE;
    return set;
}

static unsigned shard_departures(const p3d_problem *p, const p3d_plan *plan)
{
    unsigned set = 0;

    if (p->cluster.node.gpus_per_node % plan->tp != 0)
        set |= P3D_DEPARTS_WIDE_TP;
    if (plan->tp > 1 && !plan->sequence_parallel)
        set |= P3D_DEPARTS_NO_SP;
    if (plan->cp > 1 && p->job.seq_len / plan->cp < P3D_SHORT_CP_TOKENS)
        set |= P3D_DEPARTS_SHORT_CP;
    if (plan->ulysses > 0)
        set |= P3D_DEPARTS_EXCHANGE;
    if (!is_power_of_two(plan->micro_batch))
        set |= P3D_DEPARTS_BATCH;
    return set;
}

unsigned spec_departures(const p3d_problem *problem, const p3d_plan *plan)
{
    unsigned set = 0;

    if (plan->order != P3D_ORDER_DP_PP)
        set |= P3D_DEPARTS_ORDER;
    if (plan->zero > problem->job.framework->usual_zero[plan->pp > 1])
        set |= P3D_DEPARTS_ZERO;
    if (plan->shard > 0)
        set |= P3D_DEPARTS_SHARDING;
    if (plan->recompute == P3D_RECOMPUTE_FULL &&
            (plan->recompute_layers > 0 || plan->recompute_group > 1))
        set |= P3D_DEPARTS_LAYERS;
    if (has_own_modules(plan))
        set |= P3D_DEPARTS_MODULES;
    return set | offload_departures(plan) | pipeline_departures(problem, plan) |
           shard_departures(problem, plan);
}

unsigned p3d_plan_departures(const p3d_problem *problem, const p3d_plan *plan)
{
    return spec_problem_given(problem) && spec_plan_given(plan)
                   ? spec_departures(problem, plan)
                   : 0;
}

const char *p3d_departure_words(int i)
{
    static const char *const words[] = {
#define AS_WORDS(name, words) words,
            P3D_DEPARTURES(AS_WORDS)
#undef AS_WORDS
    };

    return P3D_HAS(words, i) ? words[i] : NULL;
}

unsigned p3d_departure_bit(int i)
{
    return i >= 0 && i < P3D_N_DEPARTURES ? 1u << (P3D_N_DEPARTURES - 1 - i)
                                          : 0;
}
