/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.c - the costs of all blocks of a model: the tower with the embedding,
 * a frozen model beside each. */
#include "base/util.h"
#include "cost/cost.h"
#include "spec/given.h"
#include "spec/params.h"

static void build_block(const p3d_problem *problem, p3d_shard shard, int block,
        p3d_block *out, p3d_module_shares *shares)
{
    p3d_workload list;

    cost_workload_list(&problem->model, &problem->job, shard, block, &list);
    cost_block_build(problem, &(cost_listed){shard, block, &list}, out, shares);
}

/** How blocks of the tower are added up. */
typedef struct folding {
    int n;
    bool layer;   /* and no end */
    bool replays; /* layers are recomputed */
    bool packed;  /* their matrices are kept in 8 or 4 bits */
} folding;

static void fold_params(p3d_block *sum, const p3d_block *one, folding f)
{
    const int n = f.n;

    cost_params_add(f.layer ? &sum->tower_layers : &sum->tower_ends, false,
            n * one->params.dense);
    cost_params_add(
            f.layer ? &sum->tower_layers_trained : &sum->tower_ends_trained,
            false, n * one->trained.dense);
    cost_params_add(&sum->params, false, n * one->params.dense);
    cost_params_add(&sum->trained, false, n * one->trained.dense);
    cost_params_add(
            &sum->matrices, false, f.packed ? n * one->matrices.dense : 0);
    cost_params_add(
            &sum->trained_matrices, false, n * one->trained_matrices.dense);
    cost_params_add(&sum->edges, false, n * one->edges.dense);
}

/** Add a block of the tower to the embedding's costs, `n` of it. */
static void fold(p3d_block *sum, const p3d_block *one, folding f)
{
    const int n = f.n;
    const bool replays = f.replays;
    const int64_t all = one->saved_bytes[P3D_RECOMPUTE_NONE];
    const int64_t kept = replays ? one->saved_bytes[P3D_RECOMPUTE_FULL] : all;
    const int64_t working = one->working_bytes + (replays ? all : 0);
    int64_t *const saved = sum->saved_bytes;

    fold_params(sum, one, f);
    saved[P3D_RECOMPUTE_NONE] =
            p3d_add(saved[P3D_RECOMPUTE_NONE], p3d_mul(n, kept));
    saved[P3D_RECOMPUTE_FULL] =
            p3d_add(saved[P3D_RECOMPUTE_FULL], p3d_mul(n, kept));
    if (working > sum->working_bytes) {
        sum->working_bytes = working;
        sum->working_moment = one->working_moment;
    }
    cost_add_terms(&sum->forward, &one->forward, n);
    cost_add_terms(&sum->backward, &one->backward, n);
    sum->backward.recompute_s += replays ? n * one->forward_s : 0;
    sum->forward_s += n * one->forward_s;
    sum->backward_s += n * (one->backward_s + (replays ? one->forward_s : 0));
    sum->common_s += n * one->common_s;
    sum->compute_s += n * one->compute_s;
    sum->weight_s += n * one->weight_s;
}

/** The tower stands before the first layer, as the embedding does: a constant
 *  for each number of sequences of a micro-batch. */
static void fold_tower(
        const p3d_problem *problem, p3d_shard shard, p3d_block *out)
{
    const p3d_model *const model = &problem->model;
    const bool replays = p3d_tower_replays(model, &problem->job);
    const bool packed = problem->job.adapters.base != P3D_BASE_16;

    for (int block = P3D_N_BLOCKS; block < P3D_N_ALL_BLOCKS; block++) {
        const int n = p3d_tower_blocks(model, block);
        const bool layer = block != P3D_BLOCK_TOWER_ENDS;
        p3d_module_shares none;
        p3d_block one;

        if (n == 0)
            continue;
        build_block(problem, shard, block, &one, &none);
        fold(out, &one, (folding){n, layer, replays && layer, packed && layer});
    }
}

int cost_count_kinds(const p3d_model *model, int n_layers[P3D_N_LAYER_KINDS])
{
    int n_kinds = 0;

    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++)
        n_layers[kind] = 0;
    for (int i = 0; i < model->n_layers; i++) {
        const int kind = model->layer_kind[i];

        n_layers[kind]++;
        n_kinds = kind >= n_kinds ? kind + 1 : n_kinds;
    }
    return n_kinds;
}

static void clear_block(int block, p3d_blocks *out)
{
    out->block[block] = (p3d_block){.working_bytes = 0};
    out->shares[block].n = 0;
}

static void build_used(
        const p3d_problem *problem, p3d_shard shard, int block, p3d_blocks *out)
{
    build_block(problem, shard, block, &out->block[block], &out->shares[block]);
    cost_block_recompute(&out->shares[block],
            cost_modules(problem->job.framework, shard.modules),
            &out->block[block]);
    if (block == P3D_BLOCK_EMBEDDING && p3d_has_tower(&problem->model))
        fold_tower(problem, shard, &out->block[block]);
    cost_companion_add(problem, shard, block, &out->block[block]);
}

void p3d_blocks_build(
        const p3d_problem *problem, p3d_shard shard, p3d_blocks *out)
{
    int n_layers[P3D_N_LAYER_KINDS];

    if (!spec_problem_given(problem) ||
            !spec_shard_fits(&problem->model, &problem->job, &shard) ||
            out == NULL)
        return;
    (void)cost_count_kinds(&problem->model, n_layers);
    for (int block = 0; block < P3D_N_BLOCKS; block++)
        if (block >= P3D_N_LAYER_KINDS || n_layers[block] > 0)
            build_used(problem, shard, block, out);
        else
            clear_block(block, out);
    out->lower_bound = false;
}

void p3d_blocks_regroup(
        const p3d_problem *problem, p3d_shard shard, p3d_blocks *blocks)
{
    int n_layers[P3D_N_LAYER_KINDS];

    if (!spec_problem_given(problem) ||
            !spec_shard_fits(&problem->model, &problem->job, &shard) ||
            blocks == NULL)
        return;
    (void)cost_count_kinds(&problem->model, n_layers);
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        if (n_layers[kind] > 0 && ((kind & P3D_LAYER_MOE) != 0 ||
                                          cost_companion_groups(&problem->job)))
            build_used(problem, shard, kind, blocks);
    }
}
