/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_parallel.c - what sharing gradients, weights and states costs a step. */
#include "cost/cost.h"

/* Bytes of a gathered weight in a 16-bit run, and of a reduced gradient. */
static const double GATHER_BYTES_16 = 2;
static const double REDUCE_BYTES = 4;

/** Seconds of one collective on the dense and on the expert weights, with this
 *  many bytes per parameter. */
static double both_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_collective op, p3d_params params, double bytes)
{
    const p3d_cluster *c = &problem->cluster;

    return cost_collective_s(c, op, cost_place(c, plan, P3D_AXIS_SHARD),
                   bytes * (double)params.dense) +
           cost_collective_s(c, op, cost_place(c, plan, P3D_AXIS_EXPERT_SHARD),
                   bytes * (double)params.experts);
}

/** Seconds of adding up each share of the gradients over the ranks that have
 *  the same one, where the states are shared by a part of the replicas. */
static double copies_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, double bytes)
{
    const p3d_cluster *c = &problem->cluster;

    if (plan->shard == 0)
        return 0;
    return cost_collective_s(c, P3D_ALL_REDUCE,
                   cost_place(c, plan, P3D_AXIS_COPY),
                   bytes * (double)params.dense / cost_dense_shards(plan)) +
           cost_collective_s(c, P3D_ALL_REDUCE,
                   cost_place(c, plan, P3D_AXIS_EXPERT_COPY),
                   bytes * (double)params.experts / cost_expert_shards(plan));
}

/** Bytes of a gradient on the wire. */
static double reduce_bytes(const p3d_problem *problem)
{
    const double own = problem->job.framework->reduce_bytes;

    return own > 0 ? own : REDUCE_BYTES;
}

/** Seconds of adding up all gradients on all replicas. */
static double all_reduce_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, double bytes)
{
    const p3d_cluster *c = &problem->cluster;

    return cost_collective_s(c, P3D_ALL_REDUCE,
                   cost_place(c, plan, P3D_AXIS_DP),
                   bytes * (double)params.dense) +
           cost_collective_s(c, P3D_ALL_REDUCE,
                   cost_place(c, plan, P3D_AXIS_EXPERT_DP),
                   bytes * (double)params.experts);
}

/** Seconds until each rank has its share of the gradients. */
static double reduce_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, double bytes)
{
    if (problem->job.framework->reduces_whole)
        return all_reduce_s(problem, plan, params, bytes);
    return both_s(problem, plan, P3D_REDUCE_SCATTER, params, bytes) +
           copies_s(problem, plan, params, bytes);
}

/** What shows of a transfer, with or without work beside it. */
static double exposed_s(const p3d_cluster *cluster, double transfer_s,
        double window_s, bool overlap)
{
    return overlap ? cost_exposed_s(cluster, transfer_s, window_s) : transfer_s;
}

/**
 * Exposed data-parallel communication of one step.
 *
 *     ZeRO 0   all-reduce of the gradients, once
 *     ZeRO 1   reduce-scatter of gradients, all-gather of weights, once
 *     ZeRO 2   reduce-scatter per micro-batch, all-gather once
 *     ZeRO 3   two all-gathers and a reduce-scatter per micro-batch
 *
 * Where a part of the replicas shares the states, they reduce and gather among
 * themselves, and each share is added up over its copies after that.
 *
 * What runs once hides behind the backward and forward pass of one
 * micro-batch; what runs per micro-batch behind that micro-batch's own.
 *
 * Source: arXiv:1910.02054 section 7; Megatron-LM@d98e8a64 megatron/core/
 * distributed; torchtitan@b5bcd76c distributed/fsdp.py.
 * Tested: tests/unit/test_data_parallel.c
 */
double cost_dp_exposed_s(const p3d_problem *problem, const p3d_plan *plan,
        p3d_params params, cost_pass_time pass, int64_t n_micro_batches)
{
    const p3d_cluster *c = &problem->cluster;
    const bool overlap =
            (problem->job.framework->overlap_dp >> plan->zero & 1) != 0;
    const double weight = problem->job.dtype == P3D_FP32 ? 4 : GATHER_BYTES_16;
    const double m = (double)n_micro_batches;
    const double bytes = reduce_bytes(problem);
    double reduce, gather;

    if (plan->zero == 0)
        return exposed_s(c, all_reduce_s(problem, plan, params, bytes),
                pass.backward_s, overlap);
    reduce = reduce_s(problem, plan, params, bytes);
    gather = both_s(problem, plan, P3D_ALL_GATHER, params, weight);
    if (plan->zero == 1)
        return exposed_s(c, reduce, pass.backward_s, overlap) +
               exposed_s(c, gather, pass.forward_s,
                       overlap && !problem->job.framework->gathers_after_step);
    if (plan->zero == 2)
        return m * exposed_s(c, reduce, pass.backward_s, overlap) +
               exposed_s(c, gather, pass.forward_s, overlap);
    return m * (exposed_s(c, gather, pass.forward_s, overlap) +
                       exposed_s(c, gather + reduce, pass.backward_s, overlap));
}
