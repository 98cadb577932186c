/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - the exact search: every legal plan, or a proof that it is worse.
 *
 * A branch fixes all but who shares the states, the split of the layers,
 * recomputation and offload. For it the time of the model's passes alone is a
 * lower bound of all its plans, so a branch whose bound is not below the worst
 * plan kept is cut; so is each of its variants by the time without
 * recomputation and offload. */
#include "plan3d/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/tasks.h"
#include "base/util.h"
#include "search/exact/space.h"
#include "search/exact/ways.h"
#include "spec/given.h"
#include "spec/plan_split.h"

enum { TICK_EVERY = 256 }; /* branches between two looks at the clock */

/* Looks at splits in the time of finding how many layers have room. */
enum { FEW_SPLITS = 16 };

/* Plans that the rules refuse in the time of a bound of memory. */
enum { RULES_A_BOUND = 4 };

/* Counting. */

/** Choices of recomputation of a leaf with `n` splits of its layers, whose
 *  largest stages add up to n_layers: their number grows evenly with that of
 *  the layers. */
static int64_t recomputes_alike(
        const search *s, search_leaf leaf, int64_t n, int64_t n_layers)
{
    int64_t one, each;

    leaf.most = 1;
    one = ways_n_recomputes(s, &leaf);
    leaf.most = 2;
    each = ways_n_recomputes(s, &leaf) - one;
    return (one - each) * n + each * n_layers;
}

/** Choices of recomputation of a leaf with the splits from one on. */
static int64_t recomputes_from(const search *s, search_leaf leaf,
        const search_splits *splits, int from)
{
    int64_t n = 0;

    if (s->savings.layers == 0 && s->savings.group == 0)
        return recomputes_alike(
                s, leaf, splits->n - from, splits->most_behind[from]);
    for (int i = from; i < splits->n; i++) {
        leaf.most = splits->at[i].most;
        n += ways_n_recomputes(s, &leaf);
    }
    return n;
}

/** Plans of a leaf with the splits from one on. */
static int64_t count_from(const search *s, const search_leaf *leaf,
        const search_splits *splits, int from)
{
    return ways_weight(s, leaf, 0, leaf->n_ways) *
           recomputes_from(s, *leaf, splits, from);
}

/** Plans of a branch with its layers split as usual, the largest chunk with
 *  `most` (0 = without these), and with splits that say the ends, if any. */
static int64_t count_states(search *s, const p3d_plan *branch, int most,
        const search_splits *splits)
{
    const search_stages *stages = search_stages_of(s, branch);
    search_leaf leaf = {.plan = *branch,
            .orders = search_orders_of(s, branch),
            .most = most};
    int64_t n_states = 0;
    int64_t n_recomputes = 0;

    for (int zero = 0; zero < P3D_COUNT_OF(stages->offloads); zero++) {
        leaf.offloads = &stages->offloads[zero];
        if (leaf.offloads->n > 0)
            n_states += (search_parts_of(s, branch, zero)->n +
                                search_may_share_all(s->pins, branch)) *
                        ways_weight(s, &leaf, 0, leaf.offloads->n);
    }
    if (n_states == 0)
        return 0;
    if (most > 0)
        n_recomputes += ways_n_recomputes(s, &leaf);
    if (splits != NULL)
        n_recomputes += recomputes_from(s, leaf, splits, 0);
    return n_states * n_recomputes;
}

/* Looking. */

/** A branch at work. */
typedef struct visit {
    search *s;
    const p3d_plan *branch;
    const search_shard *costs;
    const search_splits *splits;
    int from; /* of these, the first to look at */
} visit;

/** Look at plans. @return how many, when all are too large; else 0 */
typedef int64_t look(visit *v, search_leaf leaf);

/** Steps of a leaf if replicas exchanged nothing, by the order of ranks. */
typedef struct lone_steps {
    bool known;
    cost_lone_replicas of[P3D_N_ORDERS];
} lone_steps;

/** Where plans are counted, it is asked first whether they are too large; where
 *  there is one part, or ends are split, its own bound is as near. */
static lone_steps find_lone(visit *v, search_leaf leaf, int n_parts)
{
    search *s = v->s;
    lone_steps lone = {.known = !s->counts && n_parts > 1 &&
                                v->splits == NULL && s->worst_s < HUGE_VAL};

    for (int i = 0; lone.known && i < leaf.orders.n; i++) {
        cost_case of;

        leaf.plan.order = leaf.orders.at[i];
        of = search_case(s, &leaf.plan, &leaf.costs->blocks);
        lone.of[i] = cost_lone_replicas_of(&of);
    }
    return lone;
}

/** Cut a leaf by what its replicas exchange, before the dearer bound; what is
 *  to be told of is left to that. */
static bool cut_part(search *s, search_leaf leaf, const lone_steps *lone)
{
    double bound_s = HUGE_VAL;

    for (int i = 0; i < leaf.orders.n; i++) {
        cost_case of;

        leaf.plan.order = leaf.orders.at[i];
        of = search_case(s, &leaf.plan, &leaf.costs->blocks);
        bound_s = fmin(bound_s, cost_exchanging_floor_s(&of, &lone->of[i]));
        if (bound_s <= s->worst_s)
            return false;
    }
    return !search_tells(s, bound_s) &&
           search_cut(s, search_leaf_count(s, &leaf), bound_s);
}

/** All parts that share the states, the most first: what is too large with
 *  them is so with fewer. */
static void each_part(visit *v, search_leaf leaf, look *at)
{
    search *s = v->s;
    const search_divisors *parts =
            search_parts_of(s, v->branch, leaf.plan.zero);
    const int last = parts->n - !search_may_share_all(s->pins, v->branch);
    const lone_steps lone = find_lone(v, leaf, last + 1);

    for (int i = last; i >= 0; i--) {
        int64_t too_large;

        leaf.plan.shard = i == parts->n ? 0 : parts->at[i];
        if (lone.known && cut_part(s, leaf, &lone))
            continue;
        too_large = at(v, leaf);
        if (too_large > 0) {
            s->result->n_too_large += i * too_large;
            return;
        }
    }
}

/** Look with all stages of ZeRO and parts that share the states. */
static void each_state(visit *v, search_leaf leaf, look *at)
{
    const search_stages *stages = search_stages_of(v->s, v->branch);

    leaf.plan = *v->branch;
    leaf.costs = v->costs;
    leaf.orders = search_orders_of(v->s, v->branch);
    for (int zero = 0; zero < P3D_COUNT_OF(stages->offloads); zero++) {
        leaf.plan.zero = zero;
        leaf.offloads = &stages->offloads[zero];
        leaf.n_ways = leaf.offloads->n;
        if (leaf.n_ways > 0)
            each_part(v, leaf, at);
    }
}

static int64_t look_at_usual(visit *v, search_leaf leaf)
{
    const int64_t n = search_leaf_count(v->s, &leaf);

    return n > 0 && !search_leaf_visit(v->s, &leaf) ? n : 0;
}

/** Tell of the splits of a leaf from one on. */
static void tell_splits(
        search *s, const search_leaf *leaf, int from, double bound_s)
{
    const search_spot spot = {.zero = leaf->plan.zero,
            .shard = leaf->plan.shard,
            .from = (short)from,
            .bound_s = bound_s};

    if (search_tells(s, bound_s))
        search_facts_add(s->told, &spot);
}

/** True when few splits of a branch are fast enough. */
static bool few_are_fast(const visit *v)
{
    for (int i = v->from; i < v->splits->n; i++) {
        if (search_stage_floor_s(v->s, v->branch, v->costs,
                    v->splits->at[i].most) > v->s->worst_s)
            return true;
        if (i - v->from == FEW_SPLITS)
            return false;
    }
    return true;
}

/** Room on the devices, and not less where it takes longer to find than to look
 *  at each split. */
static search_room room_for(visit *v, const search_leaf *leaf)
{
    const int any = v->s->problem->model.n_layers;

    return !v->s->counts && few_are_fast(v) ? (search_room){any, any, any}
                                            : search_find_room(v->s, leaf);
}

/** Numbers of layers for the ends, for one way to share the states: the largest
 *  stage bounds the time, and each further split has one as large. */
static int64_t look_at_splits(visit *v, search_leaf leaf)
{
    search *s = v->s;
    const search_splits *splits = v->splits;
    const search_room room = room_for(v, &leaf);

    if (search_is_full(s, &leaf, &room)) {
        const int64_t n = count_from(s, &leaf, splits, 0);

        s->result->n_too_large += n;
        return n;
    }
    for (int i = v->from; i < splits->n; i++) {
        const search_split *split = &splits->at[i];
        const double bound_s =
                search_stage_floor_s(s, v->branch, v->costs, split->most);

        if (bound_s > s->worst_s) {
            tell_splits(s, &leaf, i, bound_s);
            (void)search_cut(s, count_from(s, &leaf, splits, i), bound_s);
            return 0;
        }
        leaf.most = split->most;
        leaf.plan.first_layers = split->first;
        leaf.plan.last_layers = split->last;
        if (!search_has_room(split, &room))
            s->result->n_too_large += search_leaf_count(s, &leaf);
        else if (search_leaf_count(s, &leaf) > 0)
            (void)search_leaf_visit(s, &leaf);
    }
    return 0;
}

/** n more plans, none of them faster than this. */
static void enter(search *s, int64_t n, double bound_s)
{
    p3d_search_result *r = s->result;

    r->n_plans += n;
    if (n > 0 && (r->floor_s == 0 || bound_s < r->floor_s))
        r->floor_s = bound_s;
}

static bool defer(search *s, const search_deferred *item)
{
    search_deferred_list *list = &s->deferred;
    search_deferred *const more = p3d_grow(list->at, list->n, sizeof(*more));

    if (more == NULL)
        return false;
    list->at = more;
    list->at[list->n] = *item;
    list->at[list->n].number = list->n;
    list->n++;
    return true;
}

/** The leaf of a spot; without ways to offload where the pins leave none. */
static search_leaf leaf_at(visit *v, const search_spot *spot)
{
    search *s = v->s;
    const bool shares = (s->pins->without & P3D_DEPARTS_SHARDING) == 0;
    search_leaf leaf = {.plan = *v->branch,
            .orders = search_orders_of(s, v->branch),
            .offloads = &search_stages_of(s, v->branch)->offloads[spot->zero],
            .costs = v->costs,
            .most = spot->most};

    leaf.plan.zero = spot->zero;
    leaf.plan.shard = spot->shard;
    if (spot->from == SEARCH_ALL) {
        leaf.plan.first_layers = spot->first;
        leaf.plan.last_layers = spot->last;
    }
    leaf.n_ways = spot->shard == 0 || shares ? leaf.offloads->n : 0;
    return leaf;
}

/** Look where plans may be. */
static void look_at_spot(visit *v, const search_spot *spot)
{
    search *s = v->s;
    search_leaf leaf = leaf_at(v, spot);

    if (leaf.n_ways == 0)
        return;
    if (spot->from != SEARCH_ALL) {
        v->from = spot->from;
        (void)look_at_splits(v, leaf);
        return;
    }
    s->is_quick = true;
    if (s->aim == SEARCH_SIFT)
        search_facts_add(s->told, spot);
    else if (search_leaf_count(s, &leaf) > 0)
        (void)search_leaf_visit(s, &leaf);
    s->is_quick = false;
}

static void look_at_known(visit *v, const search_part *part)
{
    const search_spot *const spots = &v->s->known->spots[part->first_spot];

    for (int i = 0; i < part->n_spots && !v->s->found; i++) {
        if (spots[i].bound_s <= v->s->worst_s)
            look_at_spot(v, &spots[i]);
    }
}

static search_part part_of(const search_deferred *item)
{
    return (search_part){.branch = item->branch,
            .most = item->most,
            .bound_s = item->bound_s};
}

/** Cut plans, and tell of them where the next search may want them. */
static bool cut_item(search *s, const search_deferred *item)
{
    const search_part part = part_of(item);

    if (item->bound_s > s->worst_s && search_tells(s, item->bound_s))
        search_facts_add_all(s->told, &part);
    return search_cut(s, item->n, item->bound_s);
}

static void look_at_item(visit *v, const search_deferred *item)
{
    const search_leaf leaf = {.most = item->most};

    if (item->known != NULL)
        look_at_known(v, item->known);
    else
        each_state(v, leaf, item->most > 0 ? look_at_usual : look_at_splits);
}

/** Look at plans that have not been put off, or no longer. */
static void visit_item(search *s, const search_deferred *item)
{
    visit v = {.s = s, .branch = &item->branch, .costs = item->costs};
    const search_part part = part_of(item);

    if (cut_item(s, item))
        return;
    s->item_s = item->bound_s;
    s->path_s = 0;
    if (item->most == 0) {
        v.splits = search_splits_of(
                &s->splits, s->problem, s->pins, &item->branch);
        P3D_ASSERT(v.splits != NULL); /* kept since the branch was put off */
    }
    if (s->told != NULL)
        search_facts_begin(s->told, &part);
    look_at_item(&v, item);
    if (s->told != NULL)
        search_facts_end(s->told);
}

/** Look at plans now, cut them, or put them off until a plan is known that is
 *  hard to beat: pipelines whose stages differ are dear to look at. */
static void take(visit *v, search_deferred *item, bool later)
{
    search *s = v->s;

    item->branch = *v->branch;
    item->costs = v->costs;
    enter(s, item->n, item->bound_s);
    if (item->n == 0)
        return;
    if (!later)
        visit_item(s, item);
    else if (!cut_item(s, item))
        s->out_of_memory |= !defer(s, item);
}

/** Plans with layers split as usual. */
static void take_usual(visit *v, int most)
{
    search_deferred item = {.most = most,
            .bound_s = search_usual_floor_s(v->s, v->branch, v->costs),
            .n = count_states(v->s, v->branch, most, NULL)};

    if (spec_chunks_differ(v->branch) && item.bound_s <= v->s->worst_s)
        item.bound_s = fmax(
                item.bound_s, search_uneven_floor_s(v->s, v->branch, v->costs));
    take(v, &item, spec_chunks_differ(v->branch));
}

/** Plans with numbers of layers for the ends. Some stage has the mean or more.
 */
static void take_splits(visit *v)
{
    const int n_layers = v->s->problem->model.n_layers;
    const int mean = (n_layers + v->branch->pp - 1) / v->branch->pp;
    search_deferred item = {.most = 0,
            .bound_s = search_stage_floor_s(v->s, v->branch, v->costs, mean),
            .n = count_states(v->s, v->branch, 0, v->splits)};

    take(v, &item, true);
}

/** Cut a branch before its own costs are known, by what its layers take however
 *  their experts are grouped. @return false when that is not enough */
static bool cut_early(search *s, const p3d_plan *branch, int most,
        const search_splits *splits)
{
    const p3d_shard shard = p3d_plan_shard(branch);
    search_part all = {.branch = *branch, .most = SEARCH_ALL};
    const search_shard *alike;
    double bound_s;
    int64_t n;

    if (s->worst_s == HUGE_VAL || search_cache_has(s->cache, shard))
        return false;
    alike = search_cache_get_alike(s->cache, s->problem, shard);
    if (alike == NULL)
        return false;
    bound_s = search_common_floor_s(s, branch, alike);
    if (bound_s <= s->worst_s)
        return false;
    all.bound_s = bound_s;
    n = count_states(s, branch, most, splits);
    enter(s, n, bound_s);
    if (n > 0 && search_tells(s, bound_s))
        search_facts_add_all(s->told, &all);
    return search_cut(s, n, bound_s);
}

/** Layers of a branch's largest chunk; neighbours often have as many. */
static int most_layers(search *s, const p3d_plan *branch)
{
    if (s->most_pp != branch->pp || s->most_vp != branch->vp ||
            s->most_uneven != branch->uneven) {
        s->most_layers = space_chunk_layers(s->problem, branch);
        s->most_pp = branch->pp;
        s->most_vp = branch->vp;
        s->most_uneven = branch->uneven;
    }
    return s->most_layers;
}

static bool visit_branch(search *s, const p3d_plan *branch)
{
    const bool ends_alone = branch->vp == 1 && branch->first_layers > 0;
    const int most = ends_alone ? 0 : most_layers(s, branch);
    visit v = {.s = s, .branch = branch};

    if (space_may_split(s->problem, branch) &&
            (s->pins->without & P3D_DEPARTS_ENDS) == 0) {
        v.splits = search_splits_of(&s->splits, s->problem, s->pins, branch);
        s->out_of_memory |= v.splits == NULL;
        if (v.splits != NULL && v.splits->n == 0)
            v.splits = NULL;
    }
    if (s->out_of_memory || cut_early(s, branch, most, v.splits))
        return !s->out_of_memory;
    v.costs = search_cache_get(s->cache, s->problem, p3d_plan_shard(branch));
    s->out_of_memory |= v.costs == NULL;
    if (!s->out_of_memory && most > 0)
        take_usual(&v, most);
    if (!s->out_of_memory && v.splits != NULL)
        take_splits(&v);
    return !s->out_of_memory;
}

/* Walking. */

/** Whether the watcher wants to go on; asked now and then. */
static bool goes_on(search *s)
{
    p3d_search_result *r = s->result;

    r->interrupted = r->interrupted || p3d_stopped();
    if (r->interrupted || s->watch == NULL || s->n_ticks++ % TICK_EVERY != 0)
        return !r->interrupted;
    r->interrupted = !s->watch->tick(
            s->watch->context, p3d_now_s() - s->start_s, r->n_plans);
    return !r->interrupted;
}

static bool visit_next(void *context, const p3d_plan *branch)
{
    search *s = context;

    return goes_on(s) && visit_branch(s, branch) && !s->found;
}

/** Plans of which is known where to look. */
static void visit_part(search *s, const search_part *part)
{
    visit v = {.s = s, .branch = &part->branch};
    search_deferred item = {.most = part->most,
            .bound_s = part->bound_s,
            .n = 1, /* or more: nobody asks */
            .known = part};

    v.costs = search_cache_get(
            s->cache, s->problem, p3d_plan_shard(&part->branch));
    if (part->most == 0)
        v.splits = search_splits_of(
                &s->splits, s->problem, s->pins, &part->branch);
    s->out_of_memory |=
            v.costs == NULL || (part->most == 0 && v.splits == NULL);
    if (s->out_of_memory)
        return;
    if (part->n_spots != SEARCH_ALL)
        take(&v, &item, part->most == 0 || spec_chunks_differ(&part->branch));
    else if (part->most > 0)
        take_usual(&v, part->most);
    else
        take_splits(&v);
}

static void visit_known(search *s)
{
    const bool ends = (s->pins->without & P3D_DEPARTS_ENDS) == 0;

    for (int i = 0; i < s->known->n_parts && goes_on(s) && !s->found &&
                    !s->out_of_memory;
            i++) {
        const search_part *const part = &s->known->parts[i];

        if (part->bound_s <= s->worst_s && (part->most != 0 || ends) &&
                space_lets_depart(s->problem, s->pins, &part->branch)) {
            if (part->most == SEARCH_ALL)
                (void)visit_branch(s, &part->branch);
            else
                visit_part(s, part);
        }
    }
}

/** All branches, or what an earlier search has left. */
static void visit_all(search *s, p3d_refusal *refusal)
{
    if (s->known != NULL && !s->known->incomplete)
        visit_known(s);
    else
        s->n_bounds += space_tour(s->problem, s->pins, visit_next, s, refusal) /
                       RULES_A_BOUND;
}

static int by_bound(const void *a, const void *b)
{
    const search_deferred *x = a, *y = b;

    if (x->bound_s != y->bound_s)
        return x->bound_s < y->bound_s ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/** What was put off, the most promising first. */
static void visit_deferred(search *s)
{
    const search_deferred_list *list = &s->deferred;

    if (list->n > 1)
        qsort(list->at, (size_t)list->n, sizeof(list->at[0]), by_bound);
    for (int i = 0; i < list->n && !s->out_of_memory && goes_on(s) && !s->found;
            i++)
        visit_item(s, &list->at[i]);
}

static bool run(search *s)
{
    p3d_refusal refusal = {.rule = NULL};

    s->start_s = p3d_now_s();
    s->worst_s = s->limit_s;
    memset(s->result, 0, sizeof(*s->result));
    search_cache_begin(s->cache, s->problem);
    search_savings_build(s->problem, s->pins, &s->savings);
    visit_all(s, &refusal);
    visit_deferred(s);
    search_visit_pending(s);
    s->result->interrupted = s->result->interrupted || p3d_stopped();
    search_splits_free(&s->splits);
    free(s->deferred.at);
    if (s->result->n_feasible > 0)
        s->result->have_closest = false;
    if (s->result->n_plans == 0) {
        space_refuse_pins(s->problem, s->pins, &s->result->empty);
        if (s->result->empty.rule == NULL)
            s->result->empty = refusal;
        if (s->result->empty.rule == NULL)
            p3d_copy(s->result->empty.reason, sizeof(refusal.reason),
                    "no legal plan has what is asked for, with this model, "
                    "batch and number of GPUs");
    }
    s->result->seconds = p3d_now_s() - s->start_s;
    return !s->out_of_memory;
}

static bool is_asked(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_search_options *options, const p3d_search_result *out)
{
    return spec_problem_given(problem) && spec_pins_given(pins) &&
           options != NULL && options->n_top >= 1 &&
           options->n_top <= P3D_MAX_TOP && !isnan(options->limit_s) &&
           out != NULL;
}

bool search_run(
        const search_order *order, p3d_search_result *out, int64_t *n_bounds)
{
    search_cache own = {.n_entries = 0};
    search s = {.aim = order->aim,
            .problem = order->problem,
            .pins = order->pins,
            .watch = order->watch,
            .result = out,
            .usable_bytes = order->paper != NULL ? order->paper_bytes
                                                 : order->usable_bytes,
            .paper = order->paper,
            .sure_bytes = order->usable_bytes,
            .known = order->known,
            .counts = order->known == NULL && !order->uncounted,
            .told = order->told,
            .limit_s = order->limit_s > 0 ? order->limit_s : HUGE_VAL,
            .cache = order->cache != NULL ? order->cache : &own,
            .memo = order->memo,
            .n_top = order->n_top};
    const bool ok = run(&s);

    search_cache_free(&own);
    if (n_bounds != NULL)
        *n_bounds += s.n_bounds;
    return ok;
}

int64_t search_paper_bytes(const p3d_problem *problem)
{
    return problem->cluster.gpu.visible_memory_bytes -
           problem->job.reserve_bytes;
}

bool search_both(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_search_options *options, search_besides besides,
        p3d_search_result *out)
{
    const int n_top = options->n_top;
    const search_order order = {.problem = problem,
            .pins = pins,
            .watch = options->watch,
            .usable_bytes = p3d_sure_bytes(problem),
            .limit_s = options->limit_s,
            .paper = besides.paper,
            .paper_bytes = search_paper_bytes(problem),
            .cache = options->cache,
            .told = besides.facts,
            .uncounted = besides.uncounted,
            .n_top = n_top > 1 || options->limit_s > 0 ? n_top : 2};

    if (!search_run(&order, out, NULL))
        return false;
    if (out->n_top > 0)
        out->fastest_s = p3d_time_step_s(&out->top[0].time);
    if (out->n_top > 1)
        out->runner_up_s = p3d_time_step_s(&out->top[1].time);
    if (out->n_top > n_top)
        out->n_top = n_top;
    return true;
}

bool p3d_search_with(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_search_options *options, p3d_search_result *out,
        p3d_error *err)
{
    if (!is_asked(problem, pins, options, out))
        return p3d_misuse(err, __func__);
    return search_both(problem, pins, options, (search_besides){.facts = NULL},
                   out) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
}

bool p3d_search(const p3d_problem *problem, const p3d_pins *pins, int n_top,
        p3d_search_result *out, p3d_error *err)
{
    const p3d_search_options options = {.n_top = n_top};

    if (!is_asked(problem, pins, &options, out))
        return p3d_misuse(err, __func__);
    return p3d_search_with(problem, pins, &options, out, err);
}

bool search_fits(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, int64_t *work)
{
    const search_order order = {.problem = problem,
            .pins = pins,
            .aim = SEARCH_ANY,
            .usable_bytes = p3d_sure_bytes(problem),
            .n_top = 1};

    return search_run(&order, scratch, work) && scratch->n_feasible > 0;
}
