/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_rank.c - what the chunks of a rank keep, and its walk over a step. */
#include <math.h>

#include "base/util.h"
#include "cost/memory/memory.h"

int cost_replay_group(const p3d_plan *plan, const cost_replay *replay, int kind)
{
    const int group = plan->recompute_group > 1 ? plan->recompute_group : 1;

    return group < replay->full[kind] ? group : replay->full[kind];
}

/** Bytes that the backward of a kind of layer holds beside what is saved. */
static double backward_bytes(const p3d_plan *plan, const p3d_block *block,
        const cost_replay *replay, int kind)
{
    const double back =
            replay->full[kind] > 0
                    ? cost_replay_group(plan, replay, kind) *
                              (double)block->replay_bytes[P3D_RECOMPUTE_FULL]
                    : (double)block->replay_bytes[replay->rest];

    return (double)block->working_bytes + back;
}

static double params_of(const p3d_block *block)
{
    return (double)(block->params.dense + block->params.experts);
}

cost_saved cost_saved_of(const cost_case *of, int stage)
{
    const bool last = stage == of->layout->n_chunks - 1;

    return (cost_saved){.n_layers = of->layout->count[stage],
            .replay = cost_replay_of(of, stage),
            .n_embeddings = stage == 0,
            .n_heads = last ? 1 + of->problem->job.n_mtp_layers : 0};
}

/** Add the layers of one kind. With full recomputation the backward brings a
 *  group of them back at once. */
static void add_kind(
        cost_rank *r, int kind, const cost_saved *saved, cost_chunk *chunk)
{
    const p3d_block *block = &r->of.blocks->block[kind];
    const cost_replay *replay = &saved->replay;
    const int n = saved->n_layers[kind];
    const int whole = n - replay->full[kind];
    const double params = params_of(block);

    chunk->saved_bytes +=
            replay->kept_inputs[kind] *
                    (double)block->saved_bytes[P3D_RECOMPUTE_FULL] +
            whole * (double)block->saved_bytes[replay->rest];
    chunk->backward_bytes = fmax(chunk->backward_bytes,
            backward_bytes(r->of.plan, block, replay, kind));
    r->layer_params = fmax(r->layer_params, params);
    r->layers_params += n * params;
    r->kept_params += r->of.blocks->hollow ? 0 : whole * params;
    r->parameters.matrices.dense += n * block->matrices.dense;
    r->parameters.matrices.experts += n * block->matrices.experts;
    r->parameters.edges.dense += n * block->edges.dense;
    r->parameters.edges.experts += n * block->edges.experts;
    r->seen[kind] = true;
    r->n_layers += n;
}

/** The layer whose weights are there at the end of a forward pass: none in a
 *  stage of an embedding or a head alone. */
static void add_last(cost_rank *r, int stage, int n_layers)
{
    int kind;

    if (n_layers == 0)
        return;
    kind = cost_kind_at(
            &r->of.problem->model, r->of.layout->first[stage] + n_layers - 1);
    r->last_params =
            fmax(r->last_params, params_of(&r->of.blocks->block[kind]));
}

/** The ends of the model: what embedding and heads keep, and the loss. */
static void add_ends(
        const cost_rank *r, const cost_saved *saved, cost_chunk *chunk)
{
    const p3d_block *embedding = &r->of.blocks->block[P3D_BLOCK_EMBEDDING];
    const p3d_block *head = &r->of.blocks->block[P3D_BLOCK_HEAD];

    if (saved->n_embeddings > 0)
        chunk->saved_bytes +=
                (double)embedding->saved_bytes[P3D_RECOMPUTE_NONE];
    if (saved->n_heads == 0)
        return;
    chunk->saved_bytes +=
            saved->n_heads * (double)head->saved_bytes[P3D_RECOMPUTE_NONE];
    chunk->forward_bytes = (double)head->working_bytes;
}

static void add_chunk(cost_rank *r, int j)
{
    const p3d_plan *plan = r->of.plan;
    const int stage = cost_stage_of(plan, r->rank, j);
    const cost_saved saved = cost_saved_of(&r->of, stage);
    cost_chunk *chunk = &r->chunks[j];

    *chunk = (cost_chunk){.saved_bytes = 0};
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        if (saved.n_layers[kind] > 0)
            add_kind(r, kind, &saved, chunk);
    }
    add_last(r, stage, cost_chunk_layers(r->of.layout, stage));
    add_ends(r, &saved, chunk);
    if (plan->pp > 1)
        chunk->saved_bytes += r->of.problem->job.framework->pipeline_tensors *
                              cost_boundary_bytes(r->of.problem, plan);
    r->whole_chunk_bytes = fmax(r->whole_chunk_bytes, chunk->saved_bytes);
}

void cost_rank_build(const cost_case *of, int rank, cost_rank *out)
{
    out->of = *of;
    out->rank = rank;
    out->has_head = cost_has_head(of->plan, rank);
    out->n_layers = 0;
    out->parameters = (cost_parameters){.all = {0, 0}};
    out->layer_params = out->last_params = 0;
    out->layers_params = out->kept_params = 0;
    out->whole_chunk_bytes = 0;
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++)
        out->seen[kind] = false;
    for (int j = 0; j < of->plan->vp; j++)
        add_chunk(out, j);
    out->parameters.all = cost_rank_params(of, rank);
}

static int64_t n_micro_batches(const cost_rank *rank)
{
    return p3d_plan_n_micro_batches(rank->of.plan, &rank->of.problem->job);
}

static cost_kept kept_of(const cost_rank *rank)
{
    const p3d_framework *fw = rank->of.problem->job.framework;

    return (cost_kept){.chunks = rank->chunks,
            .sent = {.frac = rank->of.plan->activation_offload_frac,
                    .passing_bytes =
                            rank->whole_chunk_bytes * fw->offload_chunks}};
}

void cost_rank_walk(cost_rank *rank)
{
    const cost_kept kept = kept_of(rank);

    cost_walk_rank(rank->of.plan, rank->rank, n_micro_batches(rank), &kept,
            &rank->walk);
}

void cost_rank_walk_most(cost_rank *rank)
{
    const cost_kept kept = kept_of(rank);

    cost_walk_most(rank->of.plan, rank->rank, n_micro_batches(rank), &kept,
            &rank->walk);
}

void cost_rank_walk_start(cost_rank *rank)
{
    const cost_kept kept = kept_of(rank);

    cost_walk_start(rank->of.plan, rank->rank, n_micro_batches(rank), &kept,
            &rank->walk);
}

int cost_worst_kind(const cost_rank *r, int chunk, cost_replay *replay)
{
    const int stage = cost_stage_of(r->of.plan, r->rank, chunk);
    const short *count = r->of.layout->count[stage];
    double most = -1;
    int worst = 0;

    *replay = cost_replay_of(&r->of, stage);
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const double bytes = backward_bytes(
                r->of.plan, &r->of.blocks->block[kind], replay, kind);

        if (count[kind] == 0 || bytes <= most)
            continue;
        most = bytes;
        worst = kind;
    }
    return worst;
}
