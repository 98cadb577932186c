/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_table.c - everything that is alive on a rank at its peak, by name. */
#include "base/util.h"
#include "cost/memory/memory.h"
#include "spec/given.h"

typedef struct table {
    const cost_rank *rank;
    int tower_chunk; /* whose tower runs backward at the peak; -1 = none */
    p3d_memory_item *out;
    int n;
} table;

static void put(table *t, p3d_memory_item item)
{
    if (item.bytes <= 0)
        return;
    P3D_ASSERT(t->n < P3D_MAX_MEMORY_ITEMS);
    t->out[t->n++] = item;
}

static void put_tensor(
        table *t, int term, const p3d_tensor *tensor, double n, const char *why)
{
    put(t, (p3d_memory_item){.term = term,
                   .name = tensor->name,
                   .why = why != NULL ? why : tensor->why,
                   .source = tensor->source,
                   .rows = tensor->rows,
                   .width = tensor->width,
                   .bytes_per_element = tensor->bytes_per_element,
                   .n_tensors = (int64_t)(n + 0.5),
                   .bytes = (int64_t)(n * (double)tensor->bytes)});
}

/** A layer's input that is kept n times, of which each rank has its share. */
static void put_input(
        table *t, const p3d_workload *list, const p3d_tensor *tensor, double n)
{
    p3d_tensor share = *tensor;

    share.bytes = cost_input_share_bytes(list, tensor->bytes);
    share.rows = p3d_ceil_div(tensor->rows, list->n_input_shares);
    put_tensor(t, P3D_TERM_activations, &share, n, NULL);
}

/** Saved tensors of a block: n whole, and n_inputs times the input alone. */
static void put_saved(table *t, const p3d_workload *list, unsigned modules,
        double n, double n_inputs)
{
    const cost_tensors all = {.kind = COST_SAVED_TENSORS};
    const cost_tensors kept = {.kind = COST_SAVED_TENSORS, .modules = modules};
    const cost_tensors inputs = {.kind = COST_INPUT_TENSORS};
    const bool shared = list->n_input_shares > 1;
    const p3d_tensor *tensor = NULL;

    while ((tensor = cost_next_tensor(list, all, tensor)) != NULL) {
        const double n_whole = cost_is_tensor(tensor, kept) ? n : 0;
        const double n_alone = cost_is_tensor(tensor, inputs) ? n_inputs : 0;

        put_tensor(t, P3D_TERM_activations, tensor,
                n_whole + (shared ? 0 : n_alone), NULL);
        if (shared && n_alone > 0)
            put_input(t, list, tensor, n_alone);
    }
}

/** What is alive beside, n times each. @param why  NULL = the tensor's own */
static void put_working(table *t, const p3d_workload *list, cost_tensors of,
        int n, const char *why)
{
    const p3d_tensor *tensor = NULL;

    while ((tensor = cost_next_tensor(list, of, tensor)) != NULL)
        put_tensor(t, P3D_TERM_working, tensor, n, why);
}

static void put_moment(table *t, const p3d_workload *list, int block)
{
    put_working(t, list,
            (cost_tensors){.kind = COST_MOMENT_TENSORS,
                    .moment = t->rank->of.blocks->block[block].working_moment},
            1, NULL);
}

/** What comes back of layers that are recomputed. */
static void put_replay(
        table *t, const p3d_workload *list, cost_tensors of, int n_layers)
{
    put_working(t, list, of, n_layers, "recomputed");
}

static void build_list(const cost_rank *r, int block, p3d_workload *list)
{
    p3d_workload_build(&r->of.problem->model, &r->of.problem->job,
            p3d_plan_shard(r->of.plan), block, list);
}

/** The module whose recomputation brings back the most. */
static unsigned largest_module(const p3d_workload *list, unsigned modules)
{
    const int64_t all = p3d_workload_saved_bytes(list, 0);
    int64_t most = -1;
    unsigned largest = 0;

    for (int i = 0; i < P3D_N_MODULES; i++) {
        const unsigned one = modules & 1u << i;
        const int64_t bytes = all - p3d_workload_saved_bytes(list, one);

        if (bytes > most) {
            most = bytes;
            largest = one;
        }
    }
    return largest;
}

/** Blocks of a chunk that keep all of their tensors. */
static int n_whole(const cost_saved *saved, int block)
{
    return block == P3D_BLOCK_EMBEDDING ? saved->n_embeddings
           : block == P3D_BLOCK_HEAD
                   ? saved->n_heads
                   : saved->n_layers[block] - saved->replay.full[block];
}

/** A kind of block over the chunks of the rank, times the micro-batches that
 *  are alive of each chunk. */
static void put_block(table *t, int block, const cost_moment *moment)
{
    const cost_rank *r = t->rank;
    const p3d_plan *plan = r->of.plan;
    const bool is_layer = block < P3D_N_LAYER_KINDS;
    const bool by_module =
            is_layer && plan->recompute == P3D_RECOMPUTE_SELECTIVE;
    const double kept = 1 - plan->activation_offload_frac;
    double n = 0, n_inputs = 0;
    p3d_workload list;

    for (int j = 0; j < plan->vp; j++) {
        const cost_saved saved =
                cost_saved_of(&r->of, cost_stage_of(plan, r->rank, j));
        const bool gone = is_layer && j == t->tower_chunk;
        const double alive = kept * (double)(moment->alive[j] - gone);

        n += alive * n_whole(&saved, block);
        if (is_layer)
            n_inputs += alive * saved.replay.kept_inputs[block];
    }
    if (n <= 0 && n_inputs <= 0)
        return;
    build_list(r, block, &list);
    put_saved(t, &list,
            by_module ? cost_modules(r->of.problem->job.framework,
                                plan->recompute_modules)
                      : 0,
            n, n_inputs);
}

/** What the tower keeps: of layers that are recomputed the input alone. */
static void put_tower(table *t, const cost_moment *moment)
{
    const p3d_problem *const p = t->rank->of.problem;
    const bool replays = p3d_tower_replays(&p->model, &p->job);
    const double kept = 1 - t->rank->of.plan->activation_offload_frac;

    for (int j = 0; j < t->rank->of.plan->vp; j++) {
        if (cost_stage_of(t->rank->of.plan, t->rank->rank, j) != 0)
            continue;
        for (int block = P3D_N_BLOCKS; block < P3D_N_ALL_BLOCKS; block++) {
            const double n = kept * (double)moment->alive[j] *
                             p3d_tower_blocks(&p->model, block);
            const bool whole = !replays || block == P3D_BLOCK_TOWER_ENDS;
            p3d_workload list;

            if (n <= 0)
                continue;
            build_list(t->rank, block, &list);
            put_saved(t, &list, 0, whole ? n : 0, whole ? 0 : n);
        }
    }
}

/** What a layer of the tower needs, of those that need the most. */
static void put_tower_beside(table *t)
{
    const p3d_problem *const p = t->rank->of.problem;
    const bool replays = p3d_tower_replays(&p->model, &p->job);
    int64_t most = -1;
    int worst = P3D_BLOCK_TOWER;
    p3d_workload list;

    for (int block = P3D_BLOCK_TOWER; block < P3D_BLOCK_TOWER_ENDS; block++) {
        int64_t bytes;

        if (p3d_tower_blocks(&p->model, block) == 0)
            continue;
        build_list(t->rank, block, &list);
        bytes = p3d_workload_working_bytes(&list, NULL) +
                (replays ? p3d_workload_saved_bytes(&list, 0) : 0);
        worst = bytes > most ? block : worst;
        most = bytes > most ? bytes : most;
    }
    build_list(t->rank, worst, &list);
    put_moment(t, &list, P3D_BLOCK_EMBEDDING);
    if (replays)
        put_replay(t, &list, (cost_tensors){.kind = COST_SAVED_TENSORS}, 1);
}

/** Tensors that a pipeline keeps beside the activations. */
static void put_pipeline(table *t, const cost_moment *moment)
{
    const cost_rank *r = t->rank;
    const double kept = 1 - r->of.plan->activation_offload_frac;
    const double bytes = cost_pipeline_bytes(r->of.problem, r->of.plan);
    const double E = p3d_dtype_bytes(r->of.problem->job.dtype);
    double alive = 0;

    for (int j = 0; j < r->of.plan->vp; j++)
        alive += kept * (double)moment->alive[j];
    if (r->of.plan->pp > 1)
        put(t, (p3d_memory_item){.term = P3D_TERM_activations,
                       .name = "inputs and outputs of the stage",
                       .why = "sent and received, kept for the backward",
                       .source = r->of.problem->job.framework->versions,
                       .rows = (int64_t)(bytes / E),
                       .bytes_per_element = E,
                       .n_tensors = (int64_t)alive,
                       .bytes = (int64_t)(alive * bytes)});
}

static void put_beside(table *t, p3d_pass pass, const cost_moment *moment)
{
    const cost_rank *r = t->rank;
    cost_replay replay;
    p3d_workload list;
    unsigned module;
    int kind;

    if (pass == P3D_PASS_LOSS) {
        if (moment->beside_bytes > 0) {
            build_list(r, P3D_BLOCK_HEAD, &list);
            put_moment(t, &list, P3D_BLOCK_HEAD);
        }
        return;
    }
    kind = cost_worst_kind(r, moment, &replay);
    if (kind == P3D_BLOCK_EMBEDDING) {
        put_tower_beside(t);
        return;
    }
    build_list(r, kind, &list);
    put_moment(t, &list, kind);
    module = largest_module(&list, cost_modules(r->of.problem->job.framework,
                                           r->of.plan->recompute_modules));
    if (replay.full[kind] > 0)
        put_replay(t, &list, (cost_tensors){.kind = COST_SAVED_TENSORS},
                cost_replay_group(r->of.plan, &replay, kind));
    else if (replay.rest == P3D_RECOMPUTE_SELECTIVE && module != 0)
        put_replay(t, &list,
                (cost_tensors){.kind = COST_FREED_TENSORS, .modules = module},
                1);
}

static void put_items(table *t, const cost_items *items, p3d_pass pass)
{
    for (int i = 0; i < items->n; i++) {
        const cost_item *item = &items->at[i];
        const bool alive = (item->when >> pass & 1) != 0;

        if (!alive && !item->apart)
            continue;
        put(t, (p3d_memory_item){
                       .term = alive ? item->term : P3D_TERM_fragmentation,
                       .name = item->name,
                       .why = alive ? item->why : "reserved, not in use",
                       .source = item->source,
                       .rows = (int64_t)item->elements,
                       .n_tensors = 1,
                       .bytes = (int64_t)item->bytes});
    }
}

/** What else is reserved: holes, and what another pass needs more of what is
 *  not apart. */
static void put_holes(table *t, const cost_items *items, p3d_pass pass,
        const p3d_memory *memory)
{
    double bytes = cost_reserved_bytes(t->rank, items) -
                   (double)p3d_memory_allocated_bytes(memory);

    for (int i = 0; i < items->n; i++) {
        const cost_item *item = &items->at[i];
        const bool alive = (item->when >> pass & 1) != 0;

        bytes -= alive ? item->term == P3D_TERM_fragmentation ? item->bytes : 0
                 : item->apart ? item->bytes
                               : 0;
    }
    put(t, (p3d_memory_item){.term = P3D_TERM_fragmentation,
                   .name = "holes, and segments of other passes",
                   .why = "sizes do not fit each other",
                   .source = "MooreThreads/SimuMax@4dcaae51 docs/b200",
                   .n_tensors = 1,
                   .bytes = (int64_t)bytes});
}

int p3d_estimate_items(const p3d_problem *problem, const p3d_plan *plan,
        int stage, p3d_memory_item out[P3D_MAX_MEMORY_ITEMS])
{
    table t = {.out = out, .tower_chunk = -1};
    p3d_blocks blocks;
    cost_layout layout;
    const cost_case of = {problem, plan, &blocks, &layout};
    cost_items items;
    cost_rank rank;
    p3d_memory memory;
    p3d_pass pass;

    if (!spec_problem_given(problem) || !spec_plan_given(plan) || stage < 0 ||
            stage >= plan->pp || out == NULL ||
            !cost_layout_build(problem, plan, &layout))
        return 0;
    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    cost_rank_build(&of, stage, &rank);
    cost_rank_walk(&rank, cost_walk_rank);
    cost_items_build(&rank, &items);
    cost_offload_put(&rank, &items);
    pass = cost_peak_pass(&rank, &items, &memory);
    t.rank = &rank;
    put_items(&t, &items, pass);
    if (pass == P3D_PASS_LOSS || pass == P3D_PASS_BACKWARD) {
        const cost_moment *moment = pass == P3D_PASS_LOSS ? &rank.walk.forward
                                                          : &rank.walk.backward;

        if (pass == P3D_PASS_BACKWARD && moment->in_tower)
            t.tower_chunk = moment->task.chunk;
        for (int block = 0; block < P3D_N_BLOCKS; block++)
            put_block(&t, block, moment);
        put_tower(&t, moment);
        put_pipeline(&t, moment);
        put_beside(&t, pass, moment);
    }
    put_holes(&t, &items, pass, &memory);
    return t.n;
}
