/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.c - the moves of the greedy walk, as two tables. */
#include "search/advice/moves.h"

#include <stdio.h>

#include "base/util.h"
#include "search/exact/space.h"

p3d_plan moves_start(const p3d_problem *problem, int tp)
{
    return (p3d_plan){.tp = tp,
            .pp = 1,
            .dp = problem->cluster.n_gpus / tp,
            .cp = 1,
            .ep = 1,
            .etp = tp,
            .vp = 1,
            .micro_batch = 1,
            .zero = problem->job.framework->zero_stages & 2u ? 1 : 2,
            .sequence_parallel = tp > 1,
            .recompute = P3D_RECOMPUTE_FULL};
}

/* Moves that save memory. */

static bool more_experts_apart(
        const p3d_problem *problem, p3d_plan *plan, char *decision, size_t n)
{
    const int before = plan->ep;
    const int ep = plan->ep * 2;

    if (problem->model.n_experts == 0 || problem->model.n_experts % ep != 0 ||
            (plan->tp * plan->cp * plan->dp) % ep != 0 ||
            ep > problem->cluster.node.gpus_per_node)
        return false;
    plan->ep = ep;
    plan->etp = 1;
    (void)snprintf(decision, n, "EP %d -> %d", before, ep);
    return true;
}

static bool zero_2(
        const p3d_problem *problem, p3d_plan *plan, char *decision, size_t n)
{
    if (plan->zero >= 2 || plan->dp * plan->cp == 1 ||
            !(problem->job.framework->zero_stages & 4u))
        return false;
    (void)snprintf(decision, n, "ZeRO %d -> 2", plan->zero);
    plan->zero = 2;
    return true;
}

/** Double the stages. Frameworks that cannot pipeline with this ZeRO stage
 *  fall back to ZeRO-1. */
static bool more_stages(
        const p3d_problem *problem, p3d_plan *plan, char *decision, size_t n)
{
    const p3d_framework *fw = problem->job.framework;
    const int before = plan->pp;

    if (plan->dp % 2 != 0)
        return false;
    plan->pp *= 2;
    plan->dp /= 2;
    if (!(fw->zero_stages_pipeline & (1u << plan->zero)))
        plan->zero = 1;
    if (plan->pp > problem->model.n_layers)
        return false;
    (void)snprintf(decision, n, "PP %d -> %d", before, plan->pp);
    return true;
}

static bool zero_3(
        const p3d_problem *problem, p3d_plan *plan, char *decision, size_t n)
{
    const p3d_framework *fw = problem->job.framework;

    if (plan->zero >= 3 || !(fw->zero_stages & 8u) ||
            plan->dp * plan->cp * plan->pp == 1)
        return false;
    (void)snprintf(decision, n, "ZeRO %d -> 3", plan->zero);
    plan->zero = 3;
    if (plan->pp > 1 && !(fw->zero_stages_pipeline & 8u)) {
        plan->dp *= plan->pp;
        plan->pp = 1;
    }
    return true;
}

static bool offload_optimizer(
        const p3d_problem *problem, p3d_plan *plan, char *decision, size_t n)
{
    (void)problem;
    if (plan->offload != P3D_OFFLOAD_NONE)
        return false;
    plan->offload = P3D_OFFLOAD_OPTIMIZER;
    (void)snprintf(decision, n, "offload the optimizer");
    return true;
}

static bool offload_parameters(
        const p3d_problem *problem, p3d_plan *plan, char *decision, size_t n)
{
    (void)problem;
    if (plan->offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS || plan->zero != 3)
        return false;
    plan->offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    (void)snprintf(decision, n, "offload the parameters too");
    return true;
}

static const moves_saver savers[] = {
        {more_experts_apart, true, "spread the experts over the node"},
        {zero_2, false, "shard the gradients"},
        {more_stages, true, "split the layers, micro batches re-tuned"},
        {zero_3, false, "shard the weights"},
        {offload_optimizer, false, "last resort: states in host memory"},
        {offload_parameters, false, "last resort: weights in host memory"},
};

const moves_saver *moves_savers(int *n)
{
    *n = P3D_COUNT_OF(savers);
    return savers;
}

/* Moves that may save time. */

/** Percent of the step that some seconds are. */
static double percent(const p3d_estimate *now, double seconds)
{
    return 100 * seconds / p3d_time_step_s(&now->time);
}

static bool no_offload(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    (void)problem;
    if (plan->offload == P3D_OFFLOAD_NONE)
        return false;
    plan->offload = P3D_OFFLOAD_NONE;
    (void)snprintf(words->decision, sizeof(words->decision), "no offload");
    (void)snprintf(words->why, sizeof(words->why),
            "offload is %.1f %% of the step",
            percent(now, now->time.offload_s));
    return true;
}

static bool lower_zero(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    if (plan->zero <= 1 || !(problem->job.framework->zero_stages & 2u))
        return false;
    (void)snprintf(words->decision, sizeof(words->decision), "ZeRO %d -> 1",
            plan->zero);
    (void)snprintf(words->why, sizeof(words->why),
            "data-parallel communication is %.1f %% of the step",
            percent(now, now->time.dp_comm_s));
    plan->zero = 1;
    return true;
}

static bool less_recompute(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    const double s = now->time.recompute_s;

    if (s <= 0 || !moves_tune_recompute(problem, plan))
        return false;
    if (plan->recompute == now->plan.recompute &&
            plan->recompute_layers == now->plan.recompute_layers &&
            plan->recompute_group == now->plan.recompute_group)
        return false;
    if (plan->recompute == P3D_RECOMPUTE_NONE)
        (void)snprintf(
                words->decision, sizeof(words->decision), "no recomputation");
    else
        (void)snprintf(words->decision, sizeof(words->decision),
                "recompute %d layers of a stage", plan->recompute_layers);
    (void)snprintf(words->why, sizeof(words->why),
            "recomputation is %.1f %% of the step and there is room",
            percent(now, s));
    return true;
}

/** Halve one axis into another; both moves share this. */
static bool lower_tp(const p3d_estimate *now, bool to_stages, p3d_plan *plan,
        moves_words *words)
{
    if (plan->tp % 2 != 0)
        return false;
    (void)snprintf(words->decision, sizeof(words->decision),
            "TP %d -> %d, %s up", plan->tp, plan->tp / 2,
            to_stages ? "PP" : "DP");
    (void)snprintf(words->why, sizeof(words->why),
            "tensor-parallel communication is %.1f %% of the step",
            percent(now, now->time.tp_comm_s));
    plan->etp = plan->etp == plan->tp ? plan->tp / 2 : plan->etp;
    plan->tp /= 2;
    plan->sequence_parallel = plan->tp > 1;
    if (to_stages)
        plan->pp *= 2;
    else
        plan->dp *= 2;
    return true;
}

static bool tp_to_dp(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    (void)problem;
    return lower_tp(now, false, plan, words);
}

static bool tp_to_pp(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    (void)problem;
    return lower_tp(now, true, plan, words);
}

static bool fewer_stages(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    (void)problem;
    if (plan->pp % 2 != 0)
        return false;
    (void)snprintf(words->decision, sizeof(words->decision),
            "PP %d -> %d, DP up", plan->pp, plan->pp / 2);
    (void)snprintf(words->why, sizeof(words->why),
            "bubble and transfers are %.1f %% of the step",
            percent(now, now->time.pp_bubble_s + now->time.pp_comm_s));
    plan->pp /= 2;
    plan->dp *= 2;
    if (plan->pp == 1) {
        plan->vp = 1;
        plan->schedule = P3D_1F1B;
    }
    return true;
}

static bool interleave(const p3d_problem *problem, const p3d_estimate *now,
        p3d_plan *plan, moves_words *words)
{
    const int before = plan->vp;

    if (plan->pp == 1 ||
            !p3d_schedule_offered(P3D_INTERLEAVED, problem->job.framework))
        return false;
    for (plan->vp++; plan->vp * plan->pp <= problem->model.n_layers + 2;
            plan->vp++) {
        int layers[P3D_MAX_LAYERS];

        if (plan->vp * plan->pp > P3D_MAX_LAYERS ||
                !p3d_plan_split_layers(
                        &problem->model, &problem->job, plan, layers))
            continue;
        plan->schedule = P3D_INTERLEAVED;
        (void)snprintf(words->decision, sizeof(words->decision),
                "interleave VP %d -> %d", before, plan->vp);
        (void)snprintf(words->why, sizeof(words->why),
                "the bubble is %.1f %% of the step",
                percent(now, now->time.pp_bubble_s));
        return true;
    }
    return false;
}

static bool larger_micro_batch(const p3d_problem *problem,
        const p3d_estimate *now, p3d_plan *plan, moves_words *words)
{
    const int64_t batch = problem->job.global_batch / plan->dp;
    const int before = plan->micro_batch;

    if (batch % (2 * (int64_t)before) != 0)
        return false;
    plan->micro_batch *= 2;
    (void)snprintf(words->decision, sizeof(words->decision),
            "micro batch %d -> %d", before, plan->micro_batch);
    (void)snprintf(words->why, sizeof(words->why), "%.1f GiB are free",
            (double)p3d_estimate_margin_bytes(now) / (1024.0 * 1024 * 1024));
    return true;
}

static const moves_hastener hasteners[] = {{no_offload}, {lower_zero},
        {less_recompute}, {tp_to_dp}, {tp_to_pp}, {fewer_stages}, {interleave},
        {larger_micro_batch}};

const moves_hastener *moves_hasteners(int *n)
{
    *n = P3D_COUNT_OF(hasteners);
    return hasteners;
}

bool moves_tune_recompute(const p3d_problem *problem, p3d_plan *plan)
{
    const int most = space_chunk_layers(problem, plan);
    p3d_plan next = *plan;
    p3d_estimate e;

    next.recompute = P3D_RECOMPUTE_NONE;
    next.recompute_layers = next.recompute_group = 0;
    for (int layers = 0; layers <= most; layers++) {
        if (layers > 0) {
            next.recompute = P3D_RECOMPUTE_FULL;
            next.recompute_layers = layers == most ? 0 : layers;
        }
        if (p3d_estimate_plan(problem, &next, &e, NULL) && e.fits) {
            *plan = next;
            return true;
        }
    }
    plan->recompute = P3D_RECOMPUTE_FULL;
    plan->recompute_layers = plan->recompute_group = 0;
    return false;
}
