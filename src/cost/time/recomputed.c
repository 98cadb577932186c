/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recomputed.c - what the recomputation of a step is made of. */
#include "cost/time/step_time.h"
#include "spec/given.h"

/** What is added up. */
typedef struct again {
    const cost_case *of;
    p3d_recomputed *sum;
} again;

/** Add n blocks that are recomputed in this way. */
static void add_blocks(const again *a, int block, p3d_recompute how, double n)
{
    const p3d_problem *const problem = a->of->problem;
    const p3d_shard shard = p3d_plan_shard(a->of->plan);
    p3d_workload list;
    p3d_recomputed one;

    if (n <= 0 || how == P3D_RECOMPUTE_NONE)
        return;
    p3d_workload_build(&problem->model, &problem->job, shard, block, &list);
    cost_block_again(problem, &(cost_listed){shard, block, &list}, how, &one);
    cost_add_terms(&a->sum->time, &one.time, n);
    a->sum->n_gemms += n * one.n_gemms;
    a->sum->n_cores += n * one.n_cores;
    a->sum->n_passes += n * one.n_passes;
}

static void add_chunk(const again *a, int chunk, double m)
{
    const cost_replay replay = cost_replay_of(a->of, chunk);
    const short *const count = a->of->layout->count[chunk];

    for (int kind = 0; kind < a->of->layout->n_kinds; kind++) {
        add_blocks(a, kind, P3D_RECOMPUTE_FULL, m * replay.full[kind]);
        add_blocks(a, kind, replay.rest, m * (count[kind] - replay.full[kind]));
    }
}

/** Layers of the tower lie with the embedding. */
static void add_tower(const again *a, double m)
{
    const p3d_problem *const p = a->of->problem;

    if (!p3d_tower_replays(&p->model, &p->job))
        return;
    for (int block = P3D_BLOCK_TOWER; block < P3D_BLOCK_TOWER_ENDS; block++)
        add_blocks(a, block, P3D_RECOMPUTE_FULL,
                m * p3d_tower_blocks(&p->model, block));
}

static void add_rank(const again *a, int rank)
{
    const double m = (double)cost_micro_batches(a->of);

    for (int j = 0; j < a->of->plan->vp; j++) {
        const int chunk = cost_stage_of(a->of->plan, rank, j);

        add_chunk(a, chunk, m);
        if (chunk == 0)
            add_tower(a, m);
    }
}

void p3d_estimate_recomputed(
        const p3d_problem *problem, const p3d_plan *plan, p3d_recomputed *out)
{
    cost_layout layout;
    p3d_blocks blocks;
    const cost_case of = {problem, plan, &blocks, &layout};
    p3d_recomputed sum = {.n_gemms = 0};

    if (out == NULL)
        return;
    *out = sum;
    if (!spec_problem_given(problem) || !spec_plan_given(plan) ||
            !cost_layout_build(problem, plan, &layout))
        return;
    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    add_rank(&(again){&of, &sum}, cost_slowest_rank(&of));
    cost_add_terms(&out->time, &sum.time,
            p3d_anchor_step_factor(&problem->job.anchor));
    out->n_gemms = sum.n_gemms;
    out->n_cores = sum.n_cores;
    out->n_passes = sum.n_passes;
}
