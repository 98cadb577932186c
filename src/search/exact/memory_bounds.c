/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_bounds.c - proofs that nothing of many plans fits, on a device or on
 * its node; how many layers a stage holds; and the plan that misses the least.
 *
 * Each proof takes blocks that keep and replay the least that any of some
 * choices of recomputation does: what is too large with them is so with each.
 * Groups of layers keep less than one input per layer, but replay two layers
 * or more; so bounds are asked for each class of choices, and all of them have
 * to exceed. */
#include "base/util.h"
#include "cost/memory/memory.h"
#include "search/exact/engine.h"

search_leaf search_leaf_with(const search_leaf *leaf, int n_ways)
{
    search_leaf some = *leaf;

    some.n_ways = n_ways;
    return some;
}

/** The way to offload of a leaf that offloads the most. */
static const search_offload *last_way(const search_leaf *leaf)
{
    return &leaf->offloads->at[leaf->n_ways - 1];
}

/** The leaf's plan with the most offload that there is. */
static p3d_plan most_offload(const search *s, const search_leaf *leaf)
{
    p3d_plan plan = leaf->plan;

    search_set_offload(&plan, last_way(leaf), false);
    plan.activation_offload_frac =
            s->savings.activations[s->savings.n_activations - 1];
    return plan;
}

/* The least of each class of recomputation. */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Every choice without groups, where there is one. */
static bool has_single(const search *s, const search_leaf *leaf)
{
    const search_savings *c = &s->savings;

    return c->none || search_n_sets(c, &leaf->plan) > 0 ||
           search_n_layers(c, &leaf->plan, leaf->most) > 0;
}

/** Sizes of groups, by octaves: what the largest keeps and the smallest replays
 *  is little less than what each in between takes. */
search_classes search_classes_of(const search *s, const search_leaf *leaf)
{
    const int n = search_n_groups(&s->savings, &leaf->plan, leaf->most);
    const int end = search_least_group(&s->savings) + n;
    search_classes classes = {.n_single = has_single(s, leaf)};

    if (classes.n_single > 0)
        classes.at[classes.n++] = (search_class){1, 1};
    for (int low = search_least_group(&s->savings); low < end; low *= 2) {
        const int high = 2 * low < end ? 2 * low - 1 : end - 1;

        P3D_ASSERT(classes.n < SEARCH_MAX_CLASSES);
        classes.at[classes.n++] = (search_class){low, high};
    }
    return classes;
}

/** All choices as one class, which takes no more than any. */
static search_class all_classes(const search_leaf *leaf)
{
    return (search_class){0, leaf->most};
}

/** True for the blocks that the model has. */
static bool has_block(const search_shard *costs, int block)
{
    return block >= P3D_N_LAYER_KINDS || costs->n_layers[block] > 0;
}

/** What a layer keeps at least. */
static int64_t kept_bytes(const p3d_block *b)
{
    return least(b->saved_bytes[P3D_RECOMPUTE_NONE],
            b->saved_bytes[P3D_RECOMPUTE_FULL]);
}

/** What each layer of a model keeps at least. */
static int64_t least_kept_bytes(const search_shard *costs)
{
    int64_t bytes = INT64_MAX;

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        if (costs->n_layers[k] > 0)
            bytes = least(bytes, kept_bytes(&costs->blocks.block[k]));
    }
    return bytes;
}

/** Choices without groups keep a layer's input and replay nothing; groups keep
 *  an input for the most layers, and replay the fewest. */
static void make_least(
        const search_shard *costs, search_class class, p3d_blocks *blocks)
{
    const int64_t bytes = least_kept_bytes(costs);

    blocks->lower_bound = true;
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        p3d_block *b = &blocks->block[i];
        int64_t *const replay_bytes = &b->replay_bytes[P3D_RECOMPUTE_FULL];

        if (!has_block(costs, i))
            continue;
        b->saved_bytes[P3D_RECOMPUTE_NONE] = kept_bytes(b);
        b->replay_bytes[P3D_RECOMPUTE_NONE] = 0;
        *replay_bytes = *replay_bytes / class.high * class.low;
        if (i < P3D_N_LAYER_KINDS)
            b->saved_bytes[P3D_RECOMPUTE_FULL] = bytes;
    }
}

/** Neighbours ask for the same: a place for all choices, for those without
 *  groups, for each octave of groups, for layers that are alike, and for all
 *  modules recomputed. */
enum {
    AT_ANY,
    AT_SINGLE,
    AT_GROUPS,
    AT_ALIKE = SEARCH_MAX_CLASSES + 1,
    AT_MODULES
};

static int place_of(search_class class)
{
    int at = AT_GROUPS;

    if (class.low < 2)
        return class.low == 0 ? AT_ANY : AT_SINGLE;
    for (int low = class.low / 2; low > 1; low /= 2)
        at++;
    return at;
}

/** Copy the blocks that the model has to a place: the others, and what modules
 *  have of a block, are most of the bytes, and no memory asks for them.
 *  @return false where they are there */
static bool begin(
        search *s, int at, const search_shard *costs, search_class class)
{
    search_least *const there = &s->least[at];

    if (there->of == costs && there->class.low == class.low &&
            there->class.high == class.high)
        return false;
    there->of = costs;
    there->class = class;
    for (int i = 0; i < P3D_N_BLOCKS; i++) {
        if (has_block(costs, i))
            there->blocks.block[i] = costs->blocks.block[i];
    }
    return true;
}

/** Blocks that no choice of a class takes less memory than: of a layer no more
 *  than its input is kept, nor its weights that ZeRO gathered. Valid as long as
 *  the costs. */
static const p3d_blocks *least_blocks(
        search *s, const search_shard *costs, search_class class)
{
    const int at = place_of(class);

    if (class.low == 0)
        class.high = 1; /* nothing is replayed, whatever it is */
    if (begin(s, at, costs, class))
        make_least(costs, class, &s->least[at].blocks);
    return &s->least[at].blocks;
}

/** The parameters of layers, by what optimizers tell apart. */
typedef struct layer_params {
    p3d_params matrices, rest;
    p3d_params trained_matrices, edges, trained_rest;
    p3d_params companion; /* of a frozen model beside, in none of the others */
} layer_params;

/** Of a layer with experts, or without. */
static p3d_params some(p3d_params a, p3d_params b, int64_t experts)
{
    return (p3d_params){a.dense + b.dense, experts * (a.experts + b.experts)};
}

static p3d_params no_more(p3d_params a, p3d_params b, bool experts)
{
    return (p3d_params){least(a.dense, b.dense),
            experts ? least(a.experts, b.experts) : a.experts};
}

/** The fewest of each that a layer has, or one with experts: no sum of them,
 *  whatever an optimizer keeps of each, exceeds that of a layer. */
static layer_params fewest(const search_shard *costs)
{
    /* Three of them are added up. */
    const p3d_params any = {INT64_MAX / 4, INT64_MAX / 4};
    layer_params p = {any, any, any, any, any, any};

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        const p3d_block *b = &costs->blocks.block[k];
        const bool experts = (k & P3D_LAYER_MOE) != 0;

        if (costs->n_layers[k] == 0)
            continue;
        p.matrices = no_more(p.matrices, b->matrices, experts);
        p.edges = no_more(p.edges, b->edges, experts);
        p.companion = no_more(p.companion, b->companion, experts);
        p.rest = no_more(p.rest,
                cost_less_params(
                        cost_less_params(b->params, b->companion), b->matrices),
                experts);
        p.trained_matrices =
                no_more(p.trained_matrices, b->trained_matrices, experts);
        p.trained_rest = no_more(p.trained_rest,
                cost_less_params(b->trained, b->trained_matrices), experts);
    }
    return p;
}

/** A layer that has no more bytes than the least of them, without it being said
 *  which are recomputed. */
static p3d_block least_layer(const search_shard *costs, int group)
{
    p3d_block all = {.working_bytes = INT64_MAX};

    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        if (costs->n_layers[k] > 0)
            all.working_bytes = least(
                    all.working_bytes, costs->blocks.block[k].working_bytes);
    }
    all.saved_bytes[P3D_RECOMPUTE_NONE] = least_kept_bytes(costs) / group;
    return all;
}

static void make_alike(const search_shard *costs, int group, p3d_blocks *blocks)
{
    const p3d_params none = {0, 0};
    const layer_params few = fewest(costs);
    const p3d_block all = least_layer(costs, group);

    blocks->lower_bound = true;
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++) {
        const int64_t experts = (k & P3D_LAYER_MOE) != 0;
        p3d_block *const b = &blocks->block[k];

        *b = all;
        b->matrices = some(few.matrices, none, experts);
        b->edges = some(few.edges, none, experts);
        b->companion = some(few.companion, none, experts);
        b->params = some(few.rest, few.matrices, experts);
        b->params.dense += b->companion.dense;
        b->params.experts += b->companion.experts;
        b->trained_matrices = some(few.trained_matrices, none, experts);
        b->trained = some(few.trained_rest, few.trained_matrices, experts);
    }
}

/** Blocks that no recomputation in groups of up to so many layers, or without
 *  them, takes less memory than, for a plan that says none. The layers are
 *  alike, but for experts: none has more bytes or parameters than the least. */
static const p3d_blocks *least_blocks_alike(
        search *s, const search_shard *costs, int group)
{
    p3d_blocks *const blocks = &s->least[AT_ALIKE].blocks;

    if (begin(s, AT_ALIKE, costs, (search_class){group, group}))
        make_alike(costs, group, blocks);
    return blocks;
}

/** A plan that says no recomputation, as the least blocks of a class want it.
 */
static p3d_plan in_class(p3d_plan plan, search_class class)
{
    if (class.high > 1) {
        plan.recompute = P3D_RECOMPUTE_FULL;
        plan.recompute_group = class.high;
    }
    return plan;
}

/** True when a rank takes more than this with each choice of a class.
 *  @param of  has the least blocks of the class; its plan says no
 *             recomputation */
static bool least_exceeds(
        const cost_case *of, search_class class, int rank, int64_t limit_bytes)
{
    const p3d_plan in = in_class(*of->plan, class);
    const cost_case least = {of->problem, &in, of->blocks, of->layout};

    return cost_rank_exceeds(&least, rank, limit_bytes);
}

/* Devices and nodes that are too small. */

/** True when no choice of a class takes so little of a device; only the rank is
 *  asked that was too large the last time. */
static bool class_exceeds(search *s, const search_leaf *leaf,
        search_class class, int64_t limit_bytes)
{
    const p3d_plan plan = most_offload(s, leaf);
    const cost_case of =
            search_case(s, &plan, least_blocks(s, leaf->costs, class));
    const int rank = s->tight_rank < plan.pp ? s->tight_rank : 0;

    s->n_bounds++;
    return least_exceeds(&of, class, rank, limit_bytes);
}

bool search_class_exceeds(
        search *s, const search_leaf *leaf, search_class class)
{
    const search_question question = {
            .plan = in_class(most_offload(s, leaf), class),
            .kind = SEARCH_OF_CLASS,
            .low = class.low,
            .high = class.high};
    bool too_large;

    if (search_recalls(s, &question, &too_large))
        return too_large;
    s->n_bounds++;
    return search_remember(s, &question,
            search_exceeds(s, &question.plan,
                    least_blocks(s, leaf->costs, class), s->usable_bytes));
}

/** True when no choice of recomputation takes so little. */
static bool always_exceeds(
        search *s, const search_leaf *leaf, int64_t limit_bytes)
{
    const search_classes classes = search_classes_of(s, leaf);

    if (classes.n > 1 && class_exceeds(s, leaf, all_classes(leaf), limit_bytes))
        return true;
    for (int i = 0; i < classes.n; i++) {
        if (!class_exceeds(s, leaf, classes.at[i], limit_bytes))
            return false;
    }
    return true;
}

bool search_always_exceeds(search *s, const search_leaf *leaf)
{
    const search_question question = {
            .plan = most_offload(s, leaf), .kind = SEARCH_OF_LEAF};
    bool too_large;

    return search_recalls(s, &question, &too_large)
                   ? too_large
                   : search_remember(s, &question,
                             always_exceeds(s, leaf, s->usable_bytes));
}

/** Bytes of a device that a plan takes which comes closer to fitting than the
 *  closest so far. */
static int64_t closer_bytes(const search *s)
{
    return s->usable_bytes + s->closest_bytes - 1;
}

bool search_never_fits(search *s, const search_leaf *leaf)
{
    if (s->result->n_feasible == 0 && s->result->have_closest &&
            s->closest_bytes > 0 && always_exceeds(s, leaf, closer_bytes(s)))
        return true;
    if (!search_always_exceeds(s, leaf))
        return false;
    search_offer_closest(s, leaf);
    return true;
}

/** Ranks of a pipeline, and the layers on them. */
typedef struct rank_span {
    cost_case of;
    int first, end;
} rank_span;

/** True when a node of each of these ranks holds the states that a way to
 *  offload puts there, in its memory or on its NVMe. */
static bool node_holds(const rank_span *ranks, const search_offload *offload)
{
    p3d_plan sent = *ranks->of.plan;
    cost_case of = ranks->of;

    of.plan = &sent;
    for (int i = 0; i < offload->n_places; i++) {
        int rank = ranks->first;

        search_set_offload(&sent, offload, i > 0 || offload->nvme);
        for (; rank < ranks->end; rank++) {
            const cost_host_sum sum = cost_rank_node_host(&of, rank);

            if (!cost_node_holds(&of.problem->cluster.node, &sum))
                break;
        }
        if (rank == ranks->end)
            return true;
    }
    return false;
}

/** All of a leaf's, with its blocks. */
static rank_span all_ranks(search *s, const search_leaf *leaf)
{
    return (rank_span){.of = search_case(s, &leaf->plan, &leaf->costs->blocks),
            .end = leaf->plan.pp};
}

int search_n_held(search *s, const search_leaf *leaf)
{
    const rank_span all = all_ranks(s, leaf);
    int n = leaf->n_ways;

    while (n > 0 && !node_holds(&all, &leaf->offloads->at[n - 1]))
        n--;
    return n;
}

bool search_memory_holds(search *s, const search_leaf *leaf)
{
    search_offload in_memory = *last_way(leaf);
    const rank_span all = all_ranks(s, leaf);

    in_memory.nvme = false;
    in_memory.n_places = 1;
    return node_holds(&all, &in_memory);
}

/** Blocks with all of some modules recomputed, none of which is replayed. */
static const p3d_blocks *set_blocks(
        search *s, const search_shard *costs, unsigned modules)
{
    const search_class set = {(int)modules, (int)modules};
    p3d_blocks *const blocks = &s->least[AT_MODULES].blocks;

    if (!begin(s, AT_MODULES, costs, set))
        return blocks;
    cost_blocks_copy(&search_recompute(s, costs, modules)->blocks,
            costs->n_kinds, blocks);
    for (int i = 0; i < P3D_N_BLOCKS; i++)
        blocks->block[i].replay_bytes[P3D_RECOMPUTE_SELECTIVE] = 0;
    return blocks;
}

bool search_no_set_fits(search *s, const search_leaf *leaf)
{
    search_question question = {
            .plan = most_offload(s, leaf), .kind = SEARCH_OF_MODULES};
    p3d_plan *const plan = &question.plan;
    bool too_large;

    plan->recompute = P3D_RECOMPUTE_SELECTIVE;
    plan->recompute_modules = search_all_modules(&s->savings, plan);
    if (search_recalls(s, &question, &too_large))
        return too_large;
    s->n_bounds++;
    return search_remember(s, &question,
            search_exceeds(s, plan,
                    set_blocks(s, leaf->costs, plan->recompute_modules),
                    s->usable_bytes));
}

/* The plan that misses the least. */

/** The recomputation that is taken to keep the least without groups, of those
 *  that may be: of all layers, else of the first set of modules if there must
 *  be any. */
static void most_recompute(
        const search *s, const search_leaf *leaf, p3d_plan *plan)
{
    const search_savings *c = &s->savings;

    if (search_n_layers(c, plan, leaf->most) > 0) {
        plan->recompute = P3D_RECOMPUTE_FULL;
        plan->recompute_layers = c->layers < leaf->most ? c->layers : 0;
    } else if (!c->none && search_n_sets(c, plan) > 0) {
        plan->recompute = P3D_RECOMPUTE_SELECTIVE;
        plan->recompute_modules = c->sets[0];
    }
}

/** Remember a plan if it misses less than any before it. */
static void offer(search *s, const search_leaf *leaf, const p3d_plan *plan)
{
    const p3d_blocks *const blocks =
            &search_recompute(s, leaf->costs, plan->recompute_modules)->blocks;
    const cost_case of = search_case(s, plan, blocks);
    p3d_memory memory = {0};

    if (s->result->have_closest &&
            search_exceeds(s, plan, blocks, closer_bytes(s)))
        return;
    cost_peak_memory(&of, &memory);
    s->result->have_closest = true;
    s->closest_bytes = p3d_memory_device_bytes(&memory) - s->usable_bytes;
    p3d_estimate_blocks(s->problem, plan, blocks, &s->result->closest);
}

/** The same of the groups of a class. */
static void offer_groups(
        search *s, const search_leaf *leaf, search_class class, p3d_plan plan)
{
    if (s->result->have_closest &&
            class_exceeds(s, leaf, class, closer_bytes(s)))
        return;
    plan.recompute = P3D_RECOMPUTE_FULL;
    for (int group = class.low; group <= class.high; group++) {
        plan.recompute_group = group;
        offer(s, leaf, &plan);
    }
}

void search_offer_closest(search *s, const search_leaf *leaf)
{
    const search_offload *most = last_way(leaf);
    const search_classes classes = search_classes_of(s, leaf);
    p3d_plan plan = most_offload(s, leaf);

    if (s->aim != SEARCH_FASTEST || s->paper != NULL || s->known != NULL ||
            s->result->n_feasible > 0)
        return;
    plan.offload_nvme = most->nvme;
    if (classes.n_single > 0) {
        p3d_plan one = plan;

        most_recompute(s, leaf, &one);
        offer(s, leaf, &one);
    }
    for (int i = classes.n_single; i < classes.n; i++)
        offer_groups(s, leaf, classes.at[i], plan);
}

/* The layers that a stage holds. */

/** Where a stage lies. */
typedef enum place { FIRST, MIDDLE, LAST } place;

/** n layers of a stage: those at the model's begin or end; between them as many
 *  without experts as the model has. */
static void lay_stage(const p3d_model *m, place where, int n, short *count)
{
    for (int k = 0; k < P3D_N_LAYER_KINDS; k++)
        count[k] = 0;
    for (int i = 0; i < n && where != MIDDLE; i++)
        count[m->layer_kind[where == FIRST ? i : m->n_layers - 1 - i]]++;
    for (int i = 0; i < m->n_layers && where == MIDDLE; i++) {
        if ((m->layer_kind[i] & P3D_LAYER_MOE) == 0 && count[0] < n)
            count[0]++;
    }
    if (where == MIDDLE)
        count[P3D_LAYER_MOE] = (short)(n - count[0]);
}

/** The layer that n layers of a stage begin with; of those between the ends the
 *  last has no experts, where the model has such a layer. */
static int first_layer(const p3d_model *m, place where, int n)
{
    int last = n - 1;

    if (where == LAST)
        return m->n_layers - n;
    for (int i = 0; i < m->n_layers && where == MIDDLE; i++) {
        if ((m->layer_kind[i] & P3D_LAYER_MOE) == 0)
            last = i;
    }
    return last - n + 1;
}

/** Lay n layers on a stage. @return its rank */
static int lay(search *s, const p3d_plan *plan, place where, int n)
{
    const p3d_model *m = &s->problem->model;
    const int rank = where == FIRST ? 0 : where == LAST ? plan->pp - 1 : 1;

    s->stage.n_chunks = plan->pp;
    s->stage.n_kinds = P3D_N_LAYER_KINDS;
    s->stage.first[rank] = (short)first_layer(m, where, n);
    s->stage.like[rank] = (short)rank;
    lay_stage(m, where, n, s->stage.count[rank]);
    return rank;
}

/** The class of all choices of a leaf. */
static search_class any_class(const search *s, const search_leaf *leaf)
{
    const search_classes classes = search_classes_of(s, leaf);

    return classes.n == 1 ? classes.at[0] : all_classes(leaf);
}

/** The least that a stage's layers take. */
static const p3d_blocks *stage_blocks(
        search *s, const search_leaf *leaf, place where, search_class class)
{
    return where == MIDDLE ? least_blocks_alike(s, leaf->costs, class.high)
                           : least_blocks(s, leaf->costs, class);
}

/** True when n layers fit on a stage, whatever is recomputed. */
static bool holds(
        search *s, const cost_case *of, place where, search_class class, int n)
{
    const search_class none = {1, 1};
    const int rank = lay(s, of->plan, where, n);

    return !least_exceeds(
            of, where == MIDDLE ? none : class, rank, s->usable_bytes);
}

/** Most layers that fit on a stage. Neighbours differ little: the room of the
 *  leaf before is asked first. */
static int room_of(search *s, const search_leaf *leaf, place where)
{
    const p3d_plan plan = most_offload(s, leaf);
    const search_class class = any_class(s, leaf);
    const cost_case of = {
            s->problem, &plan, stage_blocks(s, leaf, where, class), &s->stage};
    int *const last = &s->room[where];
    int low = 0;
    int high = s->problem->model.n_layers;
    int next = *last < high ? *last : high;
    int step = 1;

    while (low < high) {
        if (next <= low || next > high)
            next = (low + high + 1) / 2;
        if (holds(s, &of, where, class, next)) {
            low = next;
            next += step;
        } else {
            high = next - 1;
            next = high - step + 1;
        }
        step *= 2;
    }
    return *last = low;
}

/** Every stage has to fit, so also the one behind the first, which speaks for
 *  those between the ends. */
static search_room device_room(search *s, const search_leaf *leaf)
{
    return (search_room){.first = room_of(s, leaf, FIRST),
            .middle = leaf->plan.pp > 2 ? room_of(s, leaf, MIDDLE) : 0,
            .last = room_of(s, leaf, LAST)};
}

/** The least way to offload with which the devices have room for all layers;
 *  with the last one they have. */
static int least_way(search *s, const search_leaf *leaf)
{
    int low = 0;
    int end = leaf->n_ways - 1;

    while (low < end) {
        const int middle = (low + end) / 2;
        const search_leaf some = search_leaf_with(leaf, middle + 1);
        const search_room room = device_room(s, &some);

        if (search_is_full(s, leaf, &room))
            low = middle + 1;
        else
            end = middle;
    }
    return end;
}

/** True when a node holds what n layers on a stage put there with a way to
 *  offload. */
static bool stage_node_holds(
        search *s, const search_leaf *leaf, int way, place where, int n)
{
    const int rank = lay(s, &leaf->plan, where, n);
    const rank_span one = {
            .of = {s->problem, &leaf->plan,
                    stage_blocks(s, leaf, where, any_class(s, leaf)),
                    &s->stage},
            .first = rank,
            .end = rank + 1};

    return node_holds(&one, &leaf->offloads->at[way]);
}

/** Most layers, of so many, that a node holds too. */
static int held(
        search *s, const search_leaf *leaf, int way, place where, int room)
{
    int low = 0;

    if (stage_node_holds(s, leaf, way, where, room))
        return room;
    while (low < room) {
        const int middle = (low + room + 1) / 2;

        if (stage_node_holds(s, leaf, way, where, middle))
            low = middle;
        else
            room = middle - 1;
    }
    return low;
}

/** All of a room with so much offload. */
static search_room held_room(
        search *s, const search_leaf *leaf, int way, search_room room)
{
    room.first = held(s, leaf, way, FIRST, room.first);
    if (leaf->plan.pp > 2)
        room.middle = held(s, leaf, way, MIDDLE, room.middle);
    room.last = held(s, leaf, way, LAST, room.last);
    return room;
}

/** True when the ways from one on may put states in the same places. */
static bool same_places(const search_leaf *leaf, int from)
{
    const search_offload *ways = leaf->offloads->at;

    for (int i = from + 1; i < leaf->n_ways; i++) {
        if (ways[i].n_places != ways[from].n_places ||
                ways[i].nvme != ways[from].nvme)
            return false;
    }
    return true;
}

/** No plan puts less on the host than the least way to offload with which the
 *  devices hold the model; each further way puts more there. It is only looked
 *  for where the most offload is too much for a node. */
search_room search_find_room(search *s, const search_leaf *leaf)
{
    const int last = leaf->n_ways - 1;
    search_leaf any = *leaf;
    search_room room, most;
    int way;

    any.most = s->problem->model.n_layers;
    room = device_room(s, &any);
    if (last_way(leaf)->kind == P3D_OFFLOAD_NONE ||
            search_is_full(s, leaf, &room))
        return room;
    most = held_room(s, &any, last, room);
    if (!search_is_full(s, leaf, &most))
        return room;
    way = least_way(s, &any);
    return same_places(leaf, way) ? held_room(s, &any, way, room) : room;
}

bool search_is_full(
        const search *s, const search_leaf *leaf, const search_room *room)
{
    return (int64_t)room->first + room->last +
                   (int64_t)room->middle * (leaf->plan.pp - 2) <
           s->problem->model.n_layers;
}

bool search_has_room(const search_split *split, const search_room *room)
{
    return split->ends[0] <= room->first && split->ends[1] <= room->last &&
           split->share <= room->middle;
}
