/* SPDX-License-Identifier: GPL-3.0-or-later */
/* running.c - what it takes to run a training: failures, checkpoints, spare
 * nodes, power. */
#include "cost/running.h"

#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/memory/memory.h"

/* Below this the terms that the series leaves out are under 1e-16 of it. */
static const double SMALL = 1e-3;

/** exp(x) - 1 - x, for x >= 0, without the cancellation at small x. */
static double exp_less_line(double x)
{
    if (x > SMALL)
        return p3d_expm1(x) - x;
    return x * x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6))));
}

cost_segment cost_segment_of(const cost_failures *f, double interval_s)
{
    const double M = f->mtbf_s;
    const double x = (interval_s + f->pause_s) / M;
    const double failures = p3d_expm1(x);
    const double redone =
            M * p3d_exp(f->restart_s / M) * p3d_expm1(f->behind_s / M);

    return (cost_segment){.work_s = interval_s,
            .save_s = f->pause_s,
            .lost_s = M * exp_less_line(x) + failures * redone,
            .restart_s = failures * M * p3d_expm1(f->restart_s / M)};
}

double cost_overhead_frac(const cost_failures *f, double interval_s)
{
    const cost_segment s = cost_segment_of(f, interval_s);

    return (s.save_s + s.lost_s + s.restart_s) / s.work_s;
}

double cost_young_interval_s(const cost_failures *f)
{
    return sqrt(2 * f->pause_s * f->mtbf_s);
}

double cost_daly_interval_s(const cost_failures *f)
{
    const double half = f->pause_s / (2 * f->mtbf_s);

    if (half >= 1)
        return f->mtbf_s;
    return cost_young_interval_s(f) * (1 + sqrt(half) / 3 + half / 9) -
           f->pause_s;
}

/* The whole model on one rank, each state in one place. */
static const p3d_plan one_rank = {.tp = 1,
        .pp = 1,
        .dp = 1,
        .cp = 1,
        .ep = 1,
        .etp = 1,
        .vp = 1,
        .micro_batch = 1,
        .zero = 3};

/* A weight is written once, as a 32-bit number at most: casts that a framework
 * holds beside it are not. */
static const double LARGEST_WEIGHT_BYTES = 4;

/**
 * Bytes of a checkpoint: weights, the master weights that are updated, and the
 * optimizer's moments, as the job keeps them; gradients are not written, nor
 * are frozen weights beside adapters, nor a frozen model.
 *
 *     bytes = (w + m + moments) P
 *
 * With bf16 weights and Adam that is (2 + 4 + 8) P = 14 P.
 *
 * Source: bigscience-workshop/bigscience@9e64edec train/tr11-176B-ml/README.md
 *         (BLOOM: 2.3 TB for 176 billion parameters).
 * Tested: tests/unit/test_checkpoint.c
 */
double cost_checkpoint_bytes(const p3d_problem *problem)
{
    p3d_blocks blocks;
    cost_layout layout;
    const cost_case of = {problem, &one_rank, &blocks, &layout};
    cost_rank rank;
    cost_state_sum states;
    double params;

    P3D_ASSERT(cost_layout_build(problem, &one_rank, &layout));
    p3d_blocks_build(problem, p3d_plan_shard(&one_rank), &blocks);
    cost_rank_build(&of, 0, &rank);
    rank.parameters.all =
            cost_less_params(rank.parameters.all, rank.parameters.companion);
    rank.parameters.companion = (p3d_params){0, 0};
    if (problem->job.adapters.rank > 0) { /* they are saved apart */
        rank.parameters.all = rank.parameters.trained;
        rank.parameters.matrices = (p3d_params){0, 0};
    }
    states = cost_states(&problem->job, &one_rank, &rank.parameters);
    params = cost_all_params(rank.parameters.all);
    return fmin(states.weights_bytes, LARGEST_WEIGHT_BYTES * params) +
           states.optimizer_bytes;
}

double cost_up_s(const cost_preemptions *p, double work_s)
{
    return work_s / (1 - p->again_s / p->every_s);
}

/** Erlang's B of one line more. */
static double one_more(double busy, int n, double load)
{
    return load * busy / (n + load * busy);
}

double cost_waiting_frac(int n_spares, double load)
{
    double busy = 1;

    for (int n = 1; n <= n_spares + 1; n++)
        busy = one_more(busy, n, load);
    return busy;
}

/* 1 - B is concave in s, so the quotient has one valley. */
int cost_spares(int n_nodes, double load)
{
    double busy = one_more(1, 1, load);
    double hours = n_nodes / (1 - busy);
    int s = 0;

    while (s < n_nodes) {
        double more;

        busy = one_more(busy, s + 2, load);
        more = (n_nodes + s + 1) / (1 - busy);
        if (more >= hours)
            break;
        hours = more;
        s++;
    }
    return s;
}

/* Of a node's rated power, in computation-heavy training (8 x H100).
 * Source: arXiv:2506.14551 abstract; the highest draw seen while training
 * Llama2-13B is 0.82 of it (arXiv:2412.08602 abstract: 8.4 of 10.2 kW). */
static const double WORK_FRAC = 0.76;

/* The same with nothing running: 256,646 kWh in 1,082,990 GPU hours are 237 W
 * per GPU of nodes rated at 6.5 kW for 8 (DGX A100).
 * Source: arXiv:2211.02001 section 4 (idle consumption of BLOOM's nodes). */
static const double IDLE_FRAC = 0.29;

/* Rated power of a node over that of its GPUs: 10.2 kW for 8 of 700 W.
 * Source: data sheet of the DGX H100; 2.03 for the DGX A100, 1.79 B200. */
static const double NODE_OVER_GPUS = 1.82;

cost_power cost_power_per_gpu(const p3d_cluster *cluster)
{
    const p3d_node *node = &cluster->node;
    const double rated_w = node->power_w > 0
                                   ? node->power_w / node->gpus_per_node
                                   : NODE_OVER_GPUS * cluster->gpu.power_w;

    return (cost_power){WORK_FRAC * rated_w, IDLE_FRAC * rated_w};
}
