/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - what the parts of a search share. */
#ifndef PLAN3D_SEARCH_EXACT_ENGINE_H
#define PLAN3D_SEARCH_EXACT_ENGINE_H

#include "cost/cost.h"
#include "search/exact/cache.h"
#include "search/exact/divisors.h"
#include "search/exact/savings.h"
#include "search/exact/splits.h"

/** Ways to offload with each ZeRO stage; none where the stage is not legal. */
typedef struct search_stages {
    bool built;
    search_offloads offloads[4];
} search_stages;

/** Parts of the replicas that may share the states. */
typedef struct search_parts {
    int n_replicas, n_expert_replicas, cp; /* that they were found for; 0 =
                                              none */
    search_divisors sizes;
} search_parts;

/** Plans of a branch that may be put off: with layers split as usual, or with
 *  numbers for the ends. */
typedef struct search_deferred {
    p3d_plan branch;
    const search_shard *costs;
    int most;       /* layers of the largest chunk as usual; 0 = numbers for
                       the ends */
    double bound_s; /* none takes less */
    int64_t n;      /* plans */
    int number;     /* in the order of the walk */
} search_deferred;

typedef struct search_deferred_list {
    int n;
    search_deferred *at;
} search_deferred_list;

/** Choices of recomputation that one bound on memory speaks for: in groups of
 *  `low` to `high` layers; from 1 to 1, layers by themselves or less; from 0,
 *  all of them. */
typedef struct search_class {
    int low, high;
} search_class;

/** Blocks that are hollow for a class, of these costs; NULL = none yet. */
typedef struct search_hollowed {
    const search_shard *of;
    search_class class;
    p3d_blocks blocks;
} search_hollowed;

typedef struct search {
    const p3d_problem *problem;
    const p3d_pins *pins;
    const p3d_watch *watch; /* NULL = nobody */
    p3d_search_result *result;
    int n_top;
    double limit_s;     /* slower plans are of no use */
    double worst_s;     /* nor are those, as long as what is kept stands */
    bool stop_at_first; /* only whether anything fits is asked */
    bool out_of_memory;
    double start_s;
    int64_t n_ticks;
    int64_t n_bounds; /* of memory that were asked for, or as much work */
    search_savings savings;
    search_cache *cache;
    search_split_table splits;
    search_stages stages[2][2]; /* with a pipeline; without a flush */
    search_parts parts;
    search_deferred_list deferred;
    cost_layout layout;
    p3d_plan layout_plan; /* of which plan the layout is */
    bool kind_starts[P3D_MAX_LAYERS];
    bool have_kind_starts; /* of the layout */
    int most_layers;       /* of the largest chunk, with so many stages: */
    int most_pp, most_vp;
    bool most_uneven;
    int64_t closest_bytes; /* that the closest plan misses */
    int tight_rank;        /* that was too large the last time */
    search_hollowed hollow[SEARCH_MAX_CLASSES + 2]; /* of hollow.c */
    search_shard recomputed;                        /* of search_recompute() */
    const search_shard *recomputed_of;
    cost_layout stage;
    double path_s; /* bound on the branch at work by its longest path; 0 = not
                      known yet */
    int room[3];   /* of the stages of the leaf before */
} search;

/** Step time that a plan must not exceed to enter the list. */
double search_worst_s(const search *s);

/** Put a plan that fits in its place among the best. */
void search_keep(search *s, const p3d_estimate *estimate);

/** n plans cannot enter the list: none is faster than this. */
void search_cut(search *s, int64_t n, double bound_s);

const cost_layout *search_layout(search *s, const p3d_plan *plan);

/** A plan of the search, with blocks of its shard. */
cost_case search_case(
        search *s, const p3d_plan *plan, const p3d_blocks *blocks);

/** True when some rank of a plan takes more of its device than this; the one
 *  that was too large the last time is asked first. */
bool search_exceeds(search *s, const p3d_plan *plan, const p3d_blocks *blocks,
        int64_t limit_bytes);

/** By its place in a chunk: whether a layer is the first of its kind in some
 *  chunk of the plan's layout. */
const bool *search_kind_starts(search *s, const p3d_plan *plan);

/** Ways to offload with a branch's ZeRO stages. */
const search_stages *search_stages_of(search *s, const p3d_plan *branch);

/** Parts of a branch's replicas that may share its states, where the stage
 *  allows it. */
const search_divisors *search_parts_of(
        search *s, const p3d_plan *branch, int zero);

/** True when the pins let all replicas share the states. */
bool search_may_share_all(const p3d_pins *pins, const p3d_plan *branch);

/** Orders of the ranks that a plan may have. */
typedef struct search_orders {
    int n;
    p3d_order at[P3D_N_ORDERS];
} search_orders;

search_orders search_orders_of(const search *s, const p3d_plan *branch);

/** Everything decided but recomputation, offload and the order of ranks. */
typedef struct search_leaf {
    p3d_plan plan;
    search_orders orders;
    const search_offloads *offloads;
    const search_shard *costs;
    int most; /* layers of the largest chunk */
} search_leaf;

/** A leaf with the ways to offload up to one; `few` has them. */
search_leaf search_leaf_upto(
        const search_leaf *leaf, int way, search_offloads *few);

/** Bytes of a device that a plan may take. */
int64_t search_usable_bytes(const search *s);

/** The leaf's plan with the most offload that there is. */
p3d_plan search_most_offload(const search *s, const search_leaf *leaf);

typedef struct search_classes {
    int n_single; /* 1 when the first is not of groups, else 0 */
    int n;
    search_class at[SEARCH_MAX_CLASSES];
} search_classes;

/** The choices of a leaf. */
search_classes search_classes_of(const search *s, const search_leaf *leaf);

/** All of them as one, which takes no more than any. */
search_class search_any_class(const search_leaf *leaf);

/** Blocks that no choice of a class takes less memory than: of a layer no more
 *  than its input is kept, nor its weights that ZeRO gathered. Valid as long as
 *  the costs. */
const p3d_blocks *search_hollow(
        search *s, const search_shard *costs, search_class class);

/** Blocks that no recomputation in groups of up to so many layers, or without
 *  them, takes less memory than, for a plan that says none. The layers are
 *  alike, but for experts: none has more bytes or parameters than the least. */
const p3d_blocks *search_hollow_alike(
        search *s, const search_shard *costs, int group);

/** A plan that says no recomputation, as hollow blocks of a class want it. */
p3d_plan search_in_class(p3d_plan plan, search_class class);

/** True when a rank takes more than this with each choice of a class.
 *  @param of  has hollow blocks of the class; its plan says no recomputation */
bool search_hollow_exceeds(
        const cost_case *of, search_class class, int rank, int64_t limit_bytes);

/** True when one rank shows that not even the most offload makes any
 *  recomputation of a leaf fit; false says nothing. While nothing fits, the
 *  plan that misses the least is remembered. */
bool search_never_fits(search *s, const search_leaf *leaf);

/** The same of one class by any rank, and nothing is remembered. */
bool search_class_exceeds(
        search *s, const search_leaf *leaf, search_class class);

/** The same of all, and nothing is remembered. */
bool search_always_exceeds(search *s, const search_leaf *leaf);

/** How many of a leaf's ways to offload, from the first on, the memory and the
 *  NVMe of a node hold, nothing but states counted. */
int search_n_held(search *s, const search_leaf *leaf);

/** Ranks of a pipeline, and the layers on them. */
typedef struct search_ranks {
    cost_case of;
    int first, end;
} search_ranks;

/** All of a leaf's, with its blocks. */
search_ranks search_all_ranks(search *s, const search_leaf *leaf);

/** True when a node of each of these ranks holds the states that a way to
 *  offload puts there, in its memory or on its NVMe. */
bool search_node_holds(
        const search_ranks *ranks, const search_offload *offload);

/** True when no set of modules, recomputed, makes a leaf fit with the most
 *  offload; nothing is said of sets by operation. */
bool search_no_set_fits(search *s, const search_leaf *leaf);

/** Most layers that the first stage, the last and one between them hold, on the
 *  devices and, with what must be offloaded then, on their nodes. */
typedef struct search_room {
    int first, middle, last;
} search_room;

search_room search_find_room(search *s, const search_leaf *leaf);

/** True when the model's layers find no room in a leaf's pipeline. */
bool search_is_full(
        const search *s, const search_leaf *leaf, const search_room *room);
bool search_has_room(const search_split *split, const search_room *room);

/** Remember the leaf's plan that takes the least, if it misses less than any
 *  before it. */
void search_offer_closest(search *s, const search_leaf *leaf);

/** Why the pinned values alone admit no plan: the first rule that they break;
 *  none where it is not for them. */
void search_refuse_pins(
        const p3d_problem *problem, const p3d_pins *pins, p3d_refusal *refusal);

/* Step times that no plan of a branch can beat, by the passes of the model
 * alone; rounding is allowed for. */

/** However its experts are grouped.
 *  @param alike  the costs with any grouping */
double search_common_floor_s(
        const search *s, const p3d_plan *branch, const search_shard *alike);

/** With layers split as usual. */
double search_usual_floor_s(
        const search *s, const p3d_plan *branch, const search_shard *costs);

/** With `most` layers on the largest stage. */
double search_stage_floor_s(const search *s, const p3d_plan *branch,
        const search_shard *costs, int most);

/** The one of these two that goes with how a plan splits its layers. */
double search_quick_floor_s(const search *s, const p3d_plan *plan,
        const search_shard *costs, int most);

/** With layers split as usual into stages that differ. */
double search_uneven_floor_s(
        search *s, const p3d_plan *branch, const search_shard *costs);

/** The same, dearer and closer. */
double search_uneven_path_s(
        search *s, const p3d_plan *branch, const search_shard *costs);

/** Look at a branch; what it may yet be good for is put off.
 *  @return false when memory ran out */
bool search_branch_visit(search *s, const p3d_plan *branch);
void search_deferred_visit(search *s, const search_deferred *item);

/** A shard's costs when these modules are recomputed, which its times count;
 *  valid until the next call. */
const search_shard *search_recompute(
        search *s, const search_shard *costs, unsigned modules);

/** Plans that a leaf stands for. */
int64_t search_leaf_count(const search *s, const search_leaf *leaf);

/** Look at all ways to recompute and to offload.
 *  @return false when all are too large, whatever is recomputed or offloaded */
bool search_leaf_visit(search *s, const search_leaf *leaf);

/** Whether anything fits at all: a search that stops at once.
 *  @param scratch  large; holds the first plan that fits, if any
 *  @param work     what it took is added: bounds of memory that were asked for
 *  @return true when some plan fits */
bool search_fits(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, int64_t *work);

#endif
