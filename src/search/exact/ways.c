/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.c - one choice of recomputation with all ways to offload: memory shrinks
 * with every tenth of the states and every quarter of the activations that go
 * to the host, and the time does not fall. */
#include "search/exact/ways.h"

#include <math.h>

#include "cost/memory/memory.h"

int64_t ways_weight(const search *s, const search_leaf *leaf, int from, int to)
{
    const search_offload *ways = leaf->offloads->at;
    int64_t n;

    if (from >= to)
        return 0;
    n = ways[to - 1].n_before + ways[to - 1].n_places - ways[from].n_before;
    return n * s->savings.n_activations * leaf->orders.n;
}

void ways_set(const ways_visit *v, int way, p3d_plan *plan)
{
    const search_offload *offload = &v->leaf->offloads->at[way];

    search_set_offload(plan, offload, offload->nvme || way >= v->nvme_from);
}

int ways_first(const ways_visit *v, int end,
        bool (*exceeds)(search *s, const search_leaf *leaf))
{
    int low = v->begin;
    int next = low; /* mostly the first is enough */

    while (low < end) {
        const search_leaf some = search_leaf_with(v->leaf, next + 1);

        if (exceeds(v->s, &some))
            low = next + 1;
        else
            end = next;
        next = (low + end) / 2;
    }
    return end;
}

bool ways_always_send(const ways_visit *v)
{
    return v->s->savings.activations[0] > 0;
}

bool ways_too_large(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    const search_question question = {.plan = *plan, .kind = SEARCH_OF_PLAN};
    bool too_large;

    if (search_recalls(s, &question, &too_large))
        return too_large;
    s->n_bounds++;
    return search_remember(
            s, &question, search_exceeds(s, plan, blocks, s->usable_bytes));
}

double ways_floor_s(
        ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks)
{
    search *s = v->s;
    p3d_plan ordered = *plan;
    const cost_case of = search_case(s, &ordered, blocks);
    double least_s = HUGE_VAL;

    if (s->worst_s == HUGE_VAL)
        return 0;
    for (int i = 0; i < v->leaf->orders.n; i++) {
        double one_s;

        ordered.order = v->leaf->orders.at[i];
        one_s = cost_step_floor_s(&of);
        least_s = fmin(least_s, one_s);
        if (least_s <= s->worst_s)
            break;
    }
    return least_s;
}

double ways_left_floor_s(ways_visit *v)
{
    p3d_plan plan = v->leaf->plan;

    ways_set(v, v->begin, &plan);
    return ways_floor_s(v, &plan, &v->leaf->costs->blocks);
}

static bool host_holds(
        search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    const cost_case of = search_case(s, plan, blocks);
    const cost_host_sum sum = cost_node_host(&of);

    return cost_node_holds(&s->problem->cluster.node, &sum);
}

/** A plan that the device holds, where it is cheap to see that it cannot be
 *  kept. @return whether that is so */
static bool is_beaten(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    const cost_case of = search_case(s, plan, blocks);
    double bound_s;

    if (plan->offload_nvme || s->result->n_top == 0)
        return false;
    bound_s = cost_step_floor_s(&of);
    if (!search_is_beaten(s, plan, bound_s))
        return false;
    s->leaf_s = fmin(s->leaf_s, bound_s);
    return true;
}

/** Keep a plan, if its estimate takes no more. @return whether it does */
static bool keep_estimate(search *s, const p3d_plan *plan,
        const p3d_blocks *blocks, int64_t limit_bytes)
{
    p3d_estimate e;

    p3d_estimate_blocks(s->problem, plan, blocks, &e);
    if (p3d_memory_device_bytes(&e.memory) > limit_bytes)
        return false;
    s->leaf_s = fmin(s->leaf_s, p3d_time_step_s(&e.time));
    search_keep(s, &e);
    return true;
}

/** Estimate a plan that the device holds, and keep it, when the host does too.
 */
static bool evaluate(
        ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks)
{
    search *s = v->s;
    const int64_t limit_bytes = s->usable_bytes; /* a plan kept may lower it */
    p3d_plan ordered = *plan;
    bool fits = false;

    if (!host_holds(s, plan, blocks)) {
        s->result->n_too_large += v->leaf->orders.n;
        return false;
    }
    for (int i = 0; i < v->leaf->orders.n; i++) {
        ordered.order = v->leaf->orders.at[i];
        s->result->n_evaluated++;
        if (!is_beaten(s, &ordered, blocks) &&
                !keep_estimate(s, &ordered, blocks, limit_bytes))
            continue;
        s->result->n_feasible++;
        fits = true;
    }
    return fits;
}

bool ways_are_slow(ways_visit *v, const p3d_plan *plan,
        const p3d_blocks *blocks, int64_t n)
{
    return search_cut(v->s, n, ways_floor_s(v, plan, blocks));
}

/** States on NVMe are slower than in host memory, and only of use where that is
 *  too small. */
static bool evaluate_places(ways_visit *v, p3d_plan *plan,
        const search_offload *way, const p3d_blocks *blocks)
{
    plan->offload_nvme = way->nvme;
    if (evaluate(v, plan, blocks)) {
        v->s->result->n_dominated +=
                (int64_t)(way->n_places - 1) * v->leaf->orders.n;
        return true;
    }
    if (way->n_places < 2)
        return false;
    plan->offload_nvme = true;
    return ways_are_slow(v, plan, blocks, v->leaf->orders.n) ||
           evaluate(v, plan, blocks);
}

/** Shares of the activations, from the least that is enough for a device. */
typedef struct share_span {
    int least, end;
} share_span;

/** Settle a plan with the least of some shares, and so the larger ones.
 *  @return false when the node holds none of them */
static bool settle_shares(ways_visit *v, p3d_plan plan, int way,
        const p3d_blocks *blocks, share_span shares)
{
    p3d_search_result *const r = v->s->result;
    const search_offload *offload = &v->leaf->offloads->at[way];
    const int64_t each = (int64_t)offload->n_places * v->leaf->orders.n;
    const int n = shares.end - shares.least;
    bool held;

    ways_set(v, way, &plan);
    plan.activation_offload_frac = v->s->savings.activations[shares.least];
    if (plan.activation_offload_frac > 0 &&
            ways_are_slow(v, &plan, blocks, n * each))
        return true;
    held = evaluate_places(v, &plan, offload, blocks);
    *(held ? &r->n_dominated : &r->n_too_large) += (n - 1) * each;
    return held;
}

bool ways_settle(
        ways_visit *v, const p3d_plan *plan, int way, const p3d_blocks *blocks)
{
    return settle_shares(v, *plan, way, blocks,
            (share_span){0, v->s->savings.n_activations});
}

void ways_settle_rest(ways_visit *v, int from, int n, bool needless)
{
    const int64_t plans = n * ways_weight(v->s, v->leaf, from, v->end);

    *(needless ? &v->s->result->n_dominated : &v->s->result->n_too_large) +=
            plans;
}

/** Whether a way to offload is enough with a share of the activations. */
static bool way_fits(ways_visit *v, p3d_plan plan, int way,
        const p3d_blocks *blocks, int share)
{
    plan.activation_offload_frac = v->s->savings.activations[share];
    search_set_offload(&plan, &v->leaf->offloads->at[way], false);
    return !ways_too_large(v->s, &plan, blocks);
}

/** The first way to offload before `end` that is enough with a share of the
 *  activations, or `end`. Mostly it is one of the first two, or none. */
static int first_way(ways_visit *v, const p3d_plan *plan,
        const p3d_blocks *blocks, int end, int share)
{
    int low = v->begin + 1;
    int high = end - 1;

    if (high < v->begin || !way_fits(v, *plan, high, blocks, share))
        return end;
    if (high == v->begin || way_fits(v, *plan, v->begin, blocks, share))
        return v->begin;
    while (low < high) {
        const int middle = (low + high) / 2;

        if (way_fits(v, *plan, middle, blocks, share))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/** The least share before `end` that is enough for the device, or `end`. The
 *  first is not. */
static int least_share(ways_visit *v, const p3d_plan *plan, int way,
        const p3d_blocks *blocks, int end)
{
    int low = 1;
    int next = end - 1; /* mostly what the way before needed is needed still */

    while (low < end) {
        if (way_fits(v, *plan, way, blocks, next))
            end = next;
        else
            low = next + 1;
        next = (low + end) / 2;
    }
    return end;
}

void ways_settle_partly(ways_visit *v, const p3d_plan *plan, int way,
        const p3d_blocks *blocks, ways_share *share)
{
    p3d_search_result *const r = v->s->result;
    const int64_t each =
            (int64_t)v->leaf->offloads->at[way].n_places * v->leaf->orders.n;
    const int end = share->least;
    const int least = least_share(v, plan, way, blocks, end);

    r->n_too_large += least * each;
    *(share->needless ? &r->n_dominated : &r->n_too_large) +=
            (v->s->savings.n_activations - end) * each;
    if (least == end)
        return;
    share->needless =
            settle_shares(v, *plan, way, blocks, (share_span){least, end});
    share->least = least;
}

/** Cut a way to offload and all that follow by the time of a plan without
 *  activations on the host. */
static bool cut_from(
        ways_visit *v, p3d_plan plan, int way, const p3d_blocks *blocks)
{
    ways_set(v, way, &plan);
    return ways_are_slow(
            v, &plan, blocks, ways_weight(v->s, v->leaf, way, v->end));
}

/** Ways to offload that need activations on the host too. */
static bool try_partly(
        ways_visit *v, const p3d_plan *plan, int end, const p3d_blocks *blocks)
{
    search *s = v->s;
    const int n = s->savings.n_activations;
    const int first = n == 1 ? end : first_way(v, plan, blocks, end, n - 1);
    ways_share share = {.least = n};

    s->result->n_too_large += ways_weight(s, v->leaf, v->begin, first);
    for (int way = first; way < end; way++) {
        if (cut_from(v, *plan, way, blocks))
            return false;
        ways_settle_partly(v, plan, way, blocks, &share);
    }
    return true;
}

int ways_try(ways_visit *v, const p3d_plan *plan, const p3d_blocks *blocks,
        bool *held)
{
    const int way = first_way(v, plan, blocks, v->end, 0);

    if (!try_partly(v, plan, way, blocks) || way == v->end ||
            cut_from(v, *plan, way, blocks))
        return v->end;
    *held = ways_settle(v, plan, way, blocks);
    ways_settle_rest(v, way + 1, 1, *held);
    return way;
}
