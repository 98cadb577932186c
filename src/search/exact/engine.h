/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - what the parts of a search share. */
#ifndef PLAN3D_SEARCH_EXACT_ENGINE_H
#define PLAN3D_SEARCH_EXACT_ENGINE_H

#include "cost/cost.h"
#include "plan3d/recommend.h"
#include "search/exact/memo.h"
#include "search/exact/space.h"
#include "search/exact/values.h"

/** True when layers of the two cost the same. */
bool search_same_shard(p3d_shard a, p3d_shard b);

/** What is known of a shard. */
typedef struct search_shard {
    p3d_blocks blocks;
    double pass_s; /* one micro-batch forward and backward through the whole
                       model */
    double common_pass_s; /* at least, however experts are grouped */
    /* Of one block of each kind. */
    double forward_s[P3D_N_BLOCKS];
    double backward_s[P3D_N_BLOCKS];
    int n_layers[P3D_N_LAYER_KINDS]; /* that the model has */
    int n_kinds; /* no layer is of this kind or a later one */
    bool groups; /* whatever the kind, costs follow how experts are grouped */
} search_shard;

/** A growing hash table; zero is empty. */
typedef struct p3d_search_cache {
    struct search_entry *entries;
    int n_entries;
    int capacity;        /* a power of two */
    p3d_problem problem; /* that the entries are of */
} search_cache;

/** Make ready for the searches of a problem: what is of another is freed. */
void search_cache_begin(search_cache *cache, const p3d_problem *problem);

/**
 * Costs of a shard, built on first use.
 *
 * @return valid until search_cache_begin() or _free(); NULL when memory ran out
 */
const search_shard *search_cache_get(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard);

/** The same of the shard whose layers differ in how experts are grouped alone;
 *  NULL when that is this one, or memory ran out. */
const search_shard *search_cache_get_alike(
        search_cache *cache, const p3d_problem *problem, p3d_shard shard);

/** True when the costs of a shard are there. */
bool search_cache_has(const search_cache *cache, p3d_shard shard);

void search_cache_free(search_cache *cache);

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
    int number;     /* in the order of the tour */
    const search_part *known; /* where among them to look; NULL = everywhere */
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

/** The least that blocks of these costs take with any choice of a class: see
 *  memory_bounds.c; NULL = none yet. */
typedef struct search_least {
    const search_shard *of;
    search_class class;
    p3d_blocks blocks;
} search_least;

/** Orders of the ranks that a plan may have. */
typedef struct search_orders {
    int n;
    p3d_order at[P3D_N_ORDERS];
} search_orders;

/** Everything decided but recomputation, offload and the order of ranks. */
typedef struct search_leaf {
    p3d_plan plan;
    search_orders orders;
    const search_offloads *offloads;
    int n_ways; /* of these, from the first on */
    const search_shard *costs;
    int most; /* layers of the largest chunk */
} search_leaf;

/** A leaf that is yet to be looked at. */
typedef struct search_pending {
    search_leaf leaf;
    double floor_s; /* none of its plans takes less */
    double path_s;  /* as of the search */
    int number;     /* in the order of the tour */
} search_pending;

typedef struct search_pending_list {
    int n;
    search_pending *at;
} search_pending_list;

/** What a search is for. */
typedef enum search_aim {
    SEARCH_FASTEST,
    SEARCH_ANY,   /* whether anything fits at all: the first plan is enough */
    SEARCH_QUICK, /* whether anything that fits keeps to the limit: likewise */
    SEARCH_SIFT,  /* nothing: to tell which leaves may have such plans */
    SEARCH_ROOMIEST /* the plan within the limit that takes the least memory:
                       each that is found leaves less for the next */
} search_aim;

typedef struct search {
    search_aim aim;
    const p3d_problem *problem;
    const p3d_pins *pins;
    const p3d_watch *watch; /* NULL = nobody */
    p3d_search_result *result;
    int n_top;
    double limit_s;       /* slower plans are of no use */
    double worst_s;       /* nor are those that exceed this, as long as what is
                           kept stands */
    bool found;           /* what was looked for: there is no need to go on */
    int64_t usable_bytes; /* of a device, that a plan may take */
    bool improved;        /* at the leaf at work a roomier plan was found */
    p3d_estimate *paper;  /* NULL = not looked for; the fastest plan that takes
                             no more than usable_bytes, beside the list of those
                             that take no more than sure_bytes; tokens_per_s of
                             0 = none so far */
    int64_t sure_bytes;
    const search_facts *known; /* NULL = nothing, else where to look */
    search_facts *told;        /* NULL, or what becomes known */
    double item_s;             /* bound of the plans at work */
    double leaf_s; /* least time of what was cut or evaluated in the leaf at
                      work */
    bool on_paper; /* the leaf at work is looked at for it */
    bool counts;   /* what becomes of each plan; else it is enough to find the
                      best */
    bool is_quick; /* the leaf at work is known not to be too slow as a whole */
    bool was_large;              /* the leaf before, also for it */
    search_pending_list pending; /* leaves that are yet to be */
    bool out_of_memory;
    double start_s;
    int64_t n_ticks;
    int64_t n_bounds; /* of memory that were asked for, or as much work */
    search_savings savings;
    search_cache *cache;
    search_memo *memo; /* NULL = none */
    search_split_table splits;
    search_stages stages[2][2][2][2]; /* with a pipeline; without a flush; that
                                         share axes; with replicas */
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
    search_least least[SEARCH_MAX_CLASSES + 3];
    search_shard recomputed; /* of search_recompute() */
    const search_shard *recomputed_of;
    cost_layout stage;
    double path_s; /* bound on the branch at work by its longest path; 0 = not
                      known yet */
    int room[3];   /* of the stages of the leaf before */
} search;

/** True when two plans are of one kind: they differ in no more than the number
 *  of chunks and the schedule, the micro-batch, how the layers are split, which
 *  ranks are neighbours and how much is shared, recomputed or offloaded. */
bool search_same_family(const p3d_plan *p, const p3d_plan *q);

/** Put a plan that fits in its place among the best. */
void search_keep(search *s, const p3d_estimate *estimate);

/** True when a plan that fits and takes no less than this can have no place
 *  among the best: one of its kind, or all of them, are faster. */
bool search_is_beaten(const search *s, const p3d_plan *plan, double bound_s);

/** True when plans are to be told of, none of which is faster than this. */
bool search_tells(const search *s, double bound_s);

/** Cut n plans, none of which is faster than this, if so none can enter the
 *  list. @return whether they are cut */
bool search_cut(search *s, int64_t n, double bound_s);

const cost_layout *search_layout(search *s, const p3d_plan *plan);

/** A plan of the search, with blocks of its shard. */
cost_case search_case(
        search *s, const p3d_plan *plan, const p3d_blocks *blocks);

/** An answer about plans that take no more than usable_bytes, from the memo.
 *  @return false when it has none */
bool search_recalls(
        const search *s, const search_question *question, bool *too_large);

/** Keep an answer. @return it */
bool search_remember(
        const search *s, const search_question *question, bool too_large);

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

search_orders search_orders_of(const search *s, const p3d_plan *branch);

/** A leaf with so many of its ways to offload, from the first on. */
search_leaf search_leaf_with(const search_leaf *leaf, int n_ways);

typedef struct search_classes {
    int n_single; /* 1 when the first is not of groups, else 0 */
    int n;
    search_class at[SEARCH_MAX_CLASSES];
} search_classes;

/** The choices of a leaf. */
search_classes search_classes_of(const search *s, const search_leaf *leaf);

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

/** True when the memory of a leaf's nodes holds what its last way to offload
 *  puts there. */
bool search_memory_holds(search *s, const search_leaf *leaf);

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

/** A shard's costs when these modules are recomputed, which its times count;
 *  valid until the next call. */
const search_shard *search_recompute(
        search *s, const search_shard *costs, unsigned modules);

/** Plans that a leaf stands for. */
int64_t search_leaf_count(const search *s, const search_leaf *leaf);

/** Look at all ways to recompute and to offload.
 *  @return false when all are too large, whatever is recomputed or offloaded */
bool search_leaf_visit(search *s, const search_leaf *leaf);

/** Look for the fastest plan that fits by the estimate where it may be. */
void search_visit_pending(search *s);

/** A search with an aim, of plans that take no more of a device. */
typedef struct search_order {
    const p3d_problem *problem;
    const p3d_pins *pins;
    search_aim aim;
    int n_top;
    double limit_s; /* 0 = none */
    int64_t usable_bytes;
    p3d_estimate *paper; /* NULL, or where to put the fastest plan that takes
                             no more than paper_bytes, if any takes no longer
                             than the last one of the list; it is zero before.
                             Then no closest plan is looked for */
    int64_t paper_bytes; /* at least usable_bytes */
    search_cache *cache; /* NULL = one of its own */
    const search_facts *known; /* NULL, or of an earlier search of the problem
                            whose pins left out no more plans and whose limit
                            was no less, of memory neither. Then nothing is
                            counted that is not looked for */
    search_facts *told; /* NULL, or what this search finds out is added */
    bool uncounted;     /* nobody asks what becomes of each plan */
    search_memo *memo;  /* NULL, or shared by searches of the problem that
                           differ in the constants of its times alone, and ask
                           for plans that take no more of a device */
    const p3d_watch *watch;
} search_order;

/** @param out       its first plan is what was found, if any
 *  @param n_bounds  NULL, or what it took is added
 *  @return false when memory ran out */
bool search_run(
        const search_order *order, p3d_search_result *out, int64_t *n_bounds);

/** What plans may take of a device by the estimate. */
int64_t search_paper_bytes(const p3d_problem *problem);

/** What a search finds besides; NULL = not wanted. */
typedef struct search_besides {
    p3d_estimate *paper; /* the fastest plan that fits by the estimate; zero
                            where there is none */
    search_facts *facts; /* what is found out is added */
    bool uncounted;      /* as of search_order */
} search_besides;

/** Find what p3d_search_with() does and, in the same tour, something besides.
 *  @return false when memory ran out */
bool search_both(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_search_options *options, search_besides besides,
        p3d_search_result *out);

/** Whether anything fits at all: a search that stops at once.
 *  @param scratch  large; holds the first plan that fits, if any
 *  @param work     what it took is added: bounds of memory that were asked for
 *  @return true when some plan fits */
bool search_fits(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, int64_t *work);

/** True where a recommendation was asked for with what was given. */
bool search_recommend_asked(
        const p3d_problem *problem, const p3d_recommend_options *options);

#endif
