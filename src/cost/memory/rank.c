/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - what the chunks of a rank keep, and what it holds while it runs its
 * micro-batches, task by task. */
#include "cost/memory/memory.h"

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "spec/params.h"

static const double ROUNDING = 1e-12; /* of sums, and more */

/* Rounds of as many micro-batches as ranks after which an order has repeated
 * itself: warm-up takes at most two, one period at most one more. With 1F1B no
 * more are alive than as many as warm up, and one. */
enum { ROUNDS = 4 };

typedef struct walker {
    cost_kept kept;
    int n_chunks;
    int64_t weight; /* micro-batches that one of the walk stands for */
    double now_bytes;
    int64_t alive[P3D_MAX_LAYERS];
    cost_walk *out;
} walker;

static void offer(walker *w, const cost_task *task, double beside_bytes,
        cost_moment *best)
{
    const double saved_bytes = (1 - w->kept.sent.frac) * w->now_bytes;
    const double passing_bytes =
            w->kept.sent.frac * fmin(w->kept.sent.passing_bytes, w->now_bytes);
    const double more = saved_bytes + passing_bytes + beside_bytes -
                        best->saved_bytes - best->passing_bytes -
                        best->beside_bytes;

    if (more < 0 || (more <= 0 && w->now_bytes <= best->whole_bytes))
        return;
    best->saved_bytes = saved_bytes;
    best->passing_bytes = passing_bytes;
    best->whole_bytes = w->now_bytes;
    best->beside_bytes = beside_bytes;
    best->in_tower = false;
    best->task = *task;
    memcpy(best->alive, w->alive, (size_t)w->n_chunks * sizeof(w->alive[0]));
}

/**
 * The backward of a tower, which begins when the layers of its chunk have freed
 * what they had saved of the micro-batch:
 *
 *     saved - saved by the layers of one micro-batch + working set of the tower
 *
 * Tested: tests/unit/test_tower.c
 */
static void offer_tower(
        walker *w, const cost_task *task, const cost_chunk *chunk)
{
    const double before = w->out->backward.saved_bytes +
                          w->out->backward.passing_bytes +
                          w->out->backward.beside_bytes;
    cost_moment *const best = &w->out->backward;

    w->now_bytes -= chunk->layers_bytes;
    offer(w, task, chunk->tower_bytes, best);
    w->now_bytes += chunk->layers_bytes;
    if (best->saved_bytes + best->passing_bytes + best->beside_bytes > before)
        best->in_tower = true;
}

static void step(void *context, const cost_task *task)
{
    walker *w = context;
    const cost_chunk *chunk = &w->kept.chunks[task->chunk];
    const double bytes = (double)w->weight * chunk->saved_bytes;

    if (task->kind == COST_FORWARD) {
        w->now_bytes += bytes;
        w->alive[task->chunk] += w->weight;
        w->out->most_bytes = fmax(w->out->most_bytes, w->now_bytes);
        offer(w, task, chunk->forward_bytes, &w->out->forward);
        return;
    }
    if (task->kind != COST_BACKWARD_WEIGHT) {
        offer(w, task, chunk->backward_bytes, &w->out->backward);
        if (chunk->tower_bytes > 0)
            offer_tower(w, task, chunk);
    }
    if (task->kind != COST_BACKWARD_INPUT) {
        w->now_bytes -= bytes;
        w->alive[task->chunk] -= w->weight;
    }
}

/* No more micro-batches than it takes to see the peak. All of GPipe's live and
 * die together: one that stands for all. */
static cost_pipeline shorten(
        const p3d_plan *plan, int rank, int64_t m, int64_t *weight)
{
    const int group = plan->group > 0 ? plan->group : plan->pp;
    const int64_t most = plan->schedule == P3D_1F1B ? plan->pp - rank
                                                    : (int64_t)ROUNDS * group;

    *weight = plan->schedule == P3D_GPIPE ? m : 1;
    if (plan->schedule == P3D_GPIPE)
        m = 1;
    else if (m > most) /* a smaller last group stays */
        m = plan->schedule == P3D_INTERLEAVED ? most + m % group : most;
    return cost_pipeline_of(plan, m);
}

static void clear(cost_moment *moment, int n_chunks)
{
    moment->saved_bytes = moment->passing_bytes = -1;
    moment->whole_bytes = moment->beside_bytes = -1;
    moment->in_tower = false;
    moment->task = (cost_task){.chunk = 0};
    memset(moment->alive, 0, (size_t)n_chunks * sizeof(moment->alive[0]));
}

static void begin(
        walker *w, const p3d_plan *plan, const cost_kept *kept, cost_walk *out)
{
    w->kept = *kept;
    w->n_chunks = plan->vp;
    w->now_bytes = 0;
    w->out = out;
    out->most_bytes = 0;
    memset(w->alive, 0, (size_t)plan->vp * sizeof(w->alive[0]));
    clear(&out->forward, plan->vp);
    clear(&out->backward, plan->vp);
}

/** One chunk in an order that alternates: never more is alive than when the
 *  first backward begins, when the last forward of the warm-up is done. */
static void step_to_peak(walker *w, const cost_pipeline *pl, int rank)
{
    const int warm = cost_schedule_warm_up(pl, rank);
    const int last = warm < pl->m ? warm : pl->m - 1;
    const cost_task forward = {.kind = COST_FORWARD, .micro_batch = last};
    const cost_task backward = {.kind = COST_BACKWARD};

    w->alive[0] = last * w->weight;
    w->now_bytes = (double)w->alive[0] * w->kept.chunks[0].saved_bytes;
    step(w, &forward);
    step(w, &backward);
}

void cost_walk_rank(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out)
{
    walker w;
    const cost_pipeline pipeline =
            shorten(plan, rank, n_micro_batches, &w.weight);

    begin(&w, plan, kept, out);
    if (!cost_schedule_alternates(plan->schedule))
        cost_schedule_visit(&pipeline, rank, step, &w);
    else if (plan->vp > 1)
        cost_schedule_visit_period(&pipeline, rank, step, &w);
    else
        step_to_peak(&w, &pipeline, rank);
}

void cost_walk_most(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out)
{
    int64_t weight;
    const cost_pipeline pipeline =
            shorten(plan, rank, n_micro_batches, &weight);
    const int passes = pipeline.m * pipeline.v;
    const int warm = cost_schedule_warm_up(&pipeline, rank);
    const double alive = (double)weight * (warm < passes ? warm + 1 : passes);
    cost_chunk most = {.saved_bytes = 0};
    double whole_bytes;

    for (int i = 0; i < plan->vp; i++) {
        most.saved_bytes = fmax(most.saved_bytes, kept->chunks[i].saved_bytes);
        most.forward_bytes =
                fmax(most.forward_bytes, kept->chunks[i].forward_bytes);
        most.backward_bytes =
                fmax(most.backward_bytes, kept->chunks[i].backward_bytes);
        most.backward_bytes =
                fmax(most.backward_bytes, kept->chunks[i].tower_bytes);
    }
    whole_bytes = alive * most.saved_bytes * (1 + ROUNDING);
    out->forward.whole_bytes = out->backward.whole_bytes = whole_bytes;
    out->forward.saved_bytes = out->backward.saved_bytes =
            (1 - kept->sent.frac) * whole_bytes;
    out->forward.passing_bytes = out->backward.passing_bytes =
            kept->sent.frac * fmin(kept->sent.passing_bytes, whole_bytes);
    out->most_bytes = whole_bytes;
    out->forward.beside_bytes = most.forward_bytes;
    out->backward.beside_bytes = most.backward_bytes;
}

/** After the first n passes forward. */
static void stand(walker *w, const cost_pipeline *pl, int n)
{
    w->now_bytes = 0;
    for (int i = 0; i < w->n_chunks; i++) {
        w->alive[i] = w->weight * cost_schedule_forwards(pl, i, n);
        w->now_bytes += (double)w->alive[i] * w->kept.chunks[i].saved_bytes;
    }
}

/** Each pass keeps more than the one before: of those of a chunk with a loss
 *  the last needs the most, of the others the last of all. */
void cost_walk_start(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out)
{
    walker w;
    const cost_pipeline pipeline =
            shorten(plan, rank, n_micro_batches, &w.weight);
    const int passes = pipeline.m * pipeline.v;
    const int warm = cost_schedule_warm_up(&pipeline, rank);
    const int n = warm < passes ? warm + 1 : passes;
    const cost_task none = {.kind = COST_FORWARD};
    const cost_task backward = cost_passes_begin(&pipeline, COST_BACKWARD).task;

    begin(&w, plan, kept, out);
    for (int i = 0; i < plan->vp; i++) {
        const int last = cost_schedule_forwards(&pipeline, i, n);

        if (last == 0 || kept->chunks[i].forward_bytes <= 0)
            continue;
        stand(&w, &pipeline, cost_schedule_until(&pipeline, i, last));
        offer(&w, &none, kept->chunks[i].forward_bytes, &out->forward);
    }
    stand(&w, &pipeline, n);
    out->most_bytes = w.now_bytes;
    offer(&w, &none, 0, &out->forward);
    step(&w, &backward);
}

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
    const double params =
            cost_all_params(cost_less_params(block->params, block->companion));

    chunk->saved_bytes +=
            replay->kept_inputs[kind] *
                    (double)block->saved_bytes[P3D_RECOMPUTE_FULL] +
            whole * (double)block->saved_bytes[replay->rest];
    chunk->backward_bytes = fmax(chunk->backward_bytes,
            backward_bytes(r->of.plan, block, replay, kind));
    r->layer_params = fmax(r->layer_params, params);
    r->layer_trained = fmax(r->layer_trained, cost_all_params(block->trained));
    r->largest_matrix = fmax(r->largest_matrix, (double)block->largest_matrix);
    r->layers.kept_params += r->of.blocks->lower_bound ? 0 : whole * params;
    r->seen[kind] = true;
    r->layers.n += n;
}

/** The layer whose weights are there at the end of a forward pass: none in a
 *  stage of an embedding or a head alone. */
static void add_last(cost_rank *r, int stage, int n_layers)
{
    const p3d_block *block;
    int kind;

    if (n_layers == 0)
        return;
    kind = cost_kind_at(
            &r->of.problem->model, r->of.layout->first[stage] + n_layers - 1);
    block = &r->of.blocks->block[kind];
    r->last_params = fmax(r->last_params,
            cost_all_params(cost_less_params(block->params, block->companion)));
}

/** The ends of the model: what embedding and heads keep, and the loss. */
static void add_ends(
        const cost_rank *r, const cost_saved *saved, cost_chunk *chunk)
{
    const p3d_block *embedding = &r->of.blocks->block[P3D_BLOCK_EMBEDDING];
    const p3d_block *head = &r->of.blocks->block[P3D_BLOCK_HEAD];

    if (saved->n_embeddings > 0) {
        chunk->tower_bytes = (double)embedding->working_bytes;
        chunk->layers_bytes = chunk->saved_bytes;
        chunk->saved_bytes +=
                (double)embedding->saved_bytes[P3D_RECOMPUTE_NONE];
    }
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
    const int n_layers = cost_chunk_layers(r->of.layout, stage);
    cost_chunk *chunk = &r->chunks[j];

    *chunk = (cost_chunk){.saved_bytes = 0};
    for (int kind = 0; kind < r->of.layout->n_kinds; kind++) {
        if (saved.n_layers[kind] > 0)
            add_kind(r, kind, &saved, chunk);
    }
    if (n_layers > 1)
        r->next_params = fmax(r->next_params, r->layer_params);
    add_last(r, stage, n_layers);
    add_ends(r, &saved, chunk);
    chunk->saved_bytes += cost_pipeline_bytes(r->of.problem, plan);
    r->whole_chunk_bytes = fmax(r->whole_chunk_bytes, chunk->saved_bytes);
}

static void add_params(p3d_params *sum, p3d_params one, int n)
{
    sum->dense += n * one.dense;
    sum->experts += n * one.experts;
}

/** Add n blocks' parameters by what optimizers tell apart. */
static void add_by_shape(const p3d_block *block, int n, cost_parameters *sum)
{
    add_params(&sum->matrices, block->matrices, n);
    add_params(&sum->trained_matrices, block->trained_matrices, n);
    add_params(&sum->edges, block->edges, n);
}

void cost_rank_begin(const cost_case *of, int rank, cost_rank *out)
{
    int count[P3D_N_LAYER_KINDS];
    const cost_shared params = cost_rank_shared_of(of, rank, count);

    out->of = *of;
    out->rank = rank;
    out->has_head = cost_has_head(of->plan, rank);
    out->parameters = (cost_parameters){.all = params.all,
            .trained = params.trained,
            .companion = params.companion};
    for (int kind = 0; kind < of->layout->n_kinds; kind++) {
        if (count[kind] > 0)
            add_by_shape(
                    &of->blocks->block[kind], count[kind], &out->parameters);
    }
    if (rank == 0) /* a tower's */
        add_by_shape(
                &of->blocks->block[P3D_BLOCK_EMBEDDING], 1, &out->parameters);
}

/** Add a chunk that is like the one before, which added so much. */
static void add_again(cost_rank *r, int j, const cost_rank_layers *more)
{
    r->chunks[j] = r->chunks[j - 1];
    r->layers.n += more->n;
    r->layers.kept_params += more->kept_params;
}

void cost_rank_end(cost_rank *rank)
{
    cost_rank_layers more = {.n = 0};

    rank->layers = more;
    rank->layer_params = rank->next_params = rank->last_params = 0;
    rank->layer_trained = rank->largest_matrix = 0;
    rank->whole_chunk_bytes = 0;
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++)
        rank->seen[kind] = false;
    for (int j = 0; j < rank->of.plan->vp; j++) {
        const cost_rank_layers before = rank->layers;

        if (cost_same_chunk_as_before(&rank->of, rank->rank, j)) {
            add_again(rank, j, &more);
            continue;
        }
        add_chunk(rank, j);
        more.n = rank->layers.n - before.n;
        more.kept_params = rank->layers.kept_params - before.kept_params;
    }
}

void cost_rank_build(const cost_case *of, int rank, cost_rank *out)
{
    cost_rank_begin(of, rank, out);
    cost_rank_end(out);
}

void cost_rank_walk(cost_rank *rank, cost_walk_kind *walk)
{
    const p3d_framework *fw = rank->of.problem->job.framework;
    const cost_kept kept = {.chunks = rank->chunks,
            .sent = {.frac = rank->of.plan->activation_offload_frac,
                    .passing_bytes =
                            rank->whole_chunk_bytes * fw->offload_chunks}};

    walk(rank->of.plan, rank->rank, cost_micro_batches(&rank->of), &kept,
            &rank->walk);
}

int cost_worst_kind(
        const cost_rank *r, const cost_moment *moment, cost_replay *replay)
{
    const int stage = cost_stage_of(r->of.plan, r->rank, moment->task.chunk);
    const short *count = r->of.layout->count[stage];
    double most = -1;
    int worst = 0;

    *replay = cost_replay_of(&r->of, stage);
    for (int kind = 0; kind < r->of.layout->n_kinds; kind++) {
        const double bytes = backward_bytes(
                r->of.plan, &r->of.blocks->block[kind], replay, kind);

        if (count[kind] == 0 || bytes <= most)
            continue;
        most = bytes;
        worst = kind;
    }
    return moment->in_tower ? P3D_BLOCK_EMBEDDING : worst;
}

double cost_rank_logits(const cost_rank *r)
{
    const p3d_problem *problem = r->of.problem;
    const p3d_framework *fw = problem->job.framework;
    const int tp = r->of.plan->tp;

    return cost_rank_tokens(problem, r->of.plan) *
           (double)spec_head_rows(&problem->model, fw, tp) /
           (fw->gathers_logits ? 1 : tp);
}

double cost_block_params(const cost_rank *r, int block)
{
    const p3d_block *const b = &r->of.blocks->block[block];

    return cost_all_params(cost_less_params(b->params, b->companion)) -
           cost_all_params(b->tower_layers);
}
