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
#include "base/stop.h"
#include "base/util.h"
#include "search/exact/engine.h"
#include "search/exact/space.h"
#include "spec/given.h"
#include "spec/plan_fields.h"

enum { TICK_EVERY = 256 }; /* branches between two looks at the clock */

/* Plans that the rules refuse in the time of a bound of memory. */
enum { RULES_A_BOUND = 4 };

/** Order of plans: time, memory, then their values. */
static int compare(const p3d_estimate *a, const p3d_estimate *b)
{
    const double ta = p3d_time_step_s(&a->time);
    const double tb = p3d_time_step_s(&b->time);
    const int64_t ma = p3d_memory_device_bytes(&a->memory);
    const int64_t mb = p3d_memory_device_bytes(&b->memory);

    if (ta != tb)
        return ta < tb ? -1 : 1;
    if (ma != mb)
        return ma < mb ? -1 : 1;
    return spec_plan_compare(&a->plan, &b->plan);
}

double search_worst_s(const search *s)
{
    return s->worst_s;
}

/** True when two plans differ in no more than how the layers are split, which
 *  ranks are neighbours and how much is shared, recomputed or offloaded. */
static bool same_family(const p3d_plan *p, const p3d_plan *q)
{
    return p->tp == q->tp && p->pp == q->pp && p->dp == q->dp &&
           p->cp == q->cp && p->ep == q->ep && p->etp == q->etp &&
           p->vp == q->vp && p->micro_batch == q->micro_batch &&
           p->zero == q->zero && p->schedule == q->schedule &&
           p->recompute == q->recompute && p->offload == q->offload;
}

static void take_out(p3d_search_result *r, int at)
{
    r->n_top--;
    memmove(&r->top[at], &r->top[at + 1],
            (size_t)(r->n_top - at) * sizeof(r->top[0]));
}

/** Take out the kept plan of a family, unless it is better than this one.
 *  @return false when it is */
static bool replaces_kin(p3d_search_result *r, const p3d_estimate *e)
{
    for (int i = 0; i < r->n_top; i++) {
        if (!same_family(&r->top[i].plan, &e->plan))
            continue;
        if (compare(e, &r->top[i]) >= 0)
            return false;
        take_out(r, i);
        return true;
    }
    return true;
}

void search_keep(search *s, const p3d_estimate *e)
{
    p3d_search_result *r = s->result;
    int at;

    if (!replaces_kin(r, e))
        return;
    at = r->n_top;
    while (at > 0 && compare(e, &r->top[at - 1]) < 0)
        at--;
    if (at >= s->n_top)
        return;
    if (r->n_top < s->n_top)
        r->n_top++;
    memmove(&r->top[at + 1], &r->top[at],
            (size_t)(r->n_top - 1 - at) * sizeof(r->top[0]));
    r->top[at] = *e;
    if (r->n_top == s->n_top)
        s->worst_s =
                fmin(s->limit_s, p3d_time_step_s(&r->top[s->n_top - 1].time));
}

void search_cut(search *s, int64_t n, double bound_s)
{
    p3d_search_result *r = s->result;

    if (n == 0)
        return;
    r->n_cut += n;
    if (r->cut_s == 0 || bound_s < r->cut_s)
        r->cut_s = bound_s;
}

const cost_layout *search_layout(search *s, const p3d_plan *plan)
{
    const p3d_plan *of = &s->layout_plan;

    if (of->pp != plan->pp || of->vp != plan->vp ||
            of->first_layers != plan->first_layers ||
            of->last_layers != plan->last_layers ||
            of->uneven != plan->uneven) {
        P3D_ASSERT(cost_layout_build(s->problem, plan, &s->layout));
        s->layout_plan = *plan;
        s->have_kind_starts = false;
    }
    return &s->layout;
}

cost_case search_case(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    return (cost_case){s->problem, plan, blocks, search_layout(s, plan)};
}

bool search_exceeds(search *s, const p3d_plan *plan, const p3d_blocks *blocks,
        int64_t limit_bytes)
{
    const cost_case of = search_case(s, plan, blocks);

    return cost_exceeds(&of, limit_bytes, &s->tight_rank);
}

static void find_kind_starts(
        const p3d_model *m, const cost_layout *layout, bool *starts)
{
    for (int chunk = 0; chunk < layout->n_chunks; chunk++) {
        const int n = cost_chunk_layers(layout, chunk);
        unsigned seen = 0;

        for (int i = 0; i < n; i++) {
            const unsigned kind = 1u
                                  << cost_kind_at(m, layout->first[chunk] + i);

            starts[i] |= (seen & kind) == 0;
            seen |= kind;
        }
    }
}

const bool *search_kind_starts(search *s, const p3d_plan *plan)
{
    const cost_layout *layout = search_layout(s, plan);

    if (!s->have_kind_starts) {
        memset(s->kind_starts, 0, sizeof(s->kind_starts));
        find_kind_starts(&s->problem->model, layout, s->kind_starts);
        s->have_kind_starts = true;
    }
    return s->kind_starts;
}

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

static bool visit(void *context, const p3d_plan *branch)
{
    search *s = context;

    if (!goes_on(s) || !search_branch_visit(s, branch))
        return false;
    return !(s->stop_at_first && s->result->n_feasible > 0);
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
    const p3d_search_result *r = s->result;

    if (list->n > 1)
        qsort(list->at, (size_t)list->n, sizeof(list->at[0]), by_bound);
    for (int i = 0; i < list->n && !s->out_of_memory && goes_on(s) &&
                    !(s->stop_at_first && r->n_feasible > 0);
            i++)
        search_deferred_visit(s, &list->at[i]);
}

static bool run(search *s)
{
    p3d_refusal refusal = {.rule = NULL};

    s->start_s = p3d_now_s();
    s->worst_s = s->limit_s;
    memset(s->result, 0, sizeof(*s->result));
    search_cache_begin(s->cache, s->problem);
    search_savings_build(s->problem, s->pins, &s->savings);
    s->n_bounds +=
            space_walk(s->problem, s->pins, visit, s, &refusal) / RULES_A_BOUND;
    visit_deferred(s);
    s->result->interrupted = s->result->interrupted || p3d_stopped();
    search_splits_free(&s->splits);
    free(s->deferred.at);
    if (s->result->n_feasible > 0)
        s->result->have_closest = false;
    if (s->result->n_plans == 0) {
        search_refuse_pins(s->problem, s->pins, &s->result->empty);
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

static bool search_for(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_search_options *options, p3d_search_result *out,
        p3d_error *err)
{
    const int n_top = options->n_top;
    search_cache own = {.n_entries = 0};
    search s = {.problem = problem,
            .pins = pins,
            .watch = options->watch,
            .result = out,
            .limit_s = options->limit_s > 0 ? options->limit_s : HUGE_VAL,
            .cache = options->cache != NULL ? options->cache : &own,
            .n_top = n_top > 1 || options->limit_s > 0 ? n_top : 2};
    bool ok;

    ok = run(&s);
    search_cache_free(&own);
    if (!ok)
        return p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
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
    return search_for(problem, pins, options, out, err);
}

bool p3d_search(const p3d_problem *problem, const p3d_pins *pins, int n_top,
        p3d_search_result *out, p3d_error *err)
{
    const p3d_search_options options = {.n_top = n_top};

    if (!is_asked(problem, pins, &options, out))
        return p3d_misuse(err, __func__);
    return search_for(problem, pins, &options, out, err);
}

bool search_fits(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, int64_t *work)
{
    search_cache cache = {.n_entries = 0};
    search s = {.problem = problem,
            .pins = pins,
            .result = scratch,
            .limit_s = HUGE_VAL,
            .cache = &cache,
            .n_top = 1,
            .stop_at_first = true};
    const bool ok = run(&s);

    search_cache_free(&cache);
    *work += s.n_bounds;
    return ok && scratch->n_feasible > 0;
}
