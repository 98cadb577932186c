/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - the exact search: every legal plan, or a proof that it is worse.
 *
 * A branch fixes everything but recomputation and offload. For it the time
 * without either is a lower bound of all its plans (both only add seconds), so
 * a branch whose bound is not below the worst plan kept is cut. Otherwise the
 * fewest recomputed layers that fit are found for each kind of offload: time
 * grows and memory shrinks with every further layer. */
#include "plan3d/search.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/util.h"
#include "cost/cost.h"
#include "search/cache.h"
#include "search/fits.h"
#include "search/space.h"

typedef struct search {
    const p3d_problem *problem;
    const p3d_pins *pins;
    p3d_search_result *result;
    int n_top;
    double limit_s;     /* slower plans need not be found; 0 = none is */
    bool stop_at_first; /* only whether anything fits is asked */
    bool out_of_memory;
    search_cache *cache;
    cost_layout layout;
    int layout_pp, layout_vp; /* of which plan the layout is */
    int64_t closest_bytes;    /* that the closest plan misses */
} search;

/** Order of plans: time, memory, then the numbers of the plan. */
static int compare(const p3d_estimate *a, const p3d_estimate *b)
{
    const double ta = p3d_time_step_s(&a->time);
    const double tb = p3d_time_step_s(&b->time);
    const int64_t ma = p3d_memory_device_bytes(&a->memory);
    const int64_t mb = p3d_memory_device_bytes(&b->memory);
    const p3d_plan *p = &a->plan, *q = &b->plan;
    const int numbers[][2] = {{p->tp, q->tp}, {p->pp, q->pp}, {p->cp, q->cp},
            {p->ep, q->ep}, {p->etp, q->etp}, {p->vp, q->vp},
            {p->micro_batch, q->micro_batch}, {p->zero, q->zero},
            {(int)p->recompute, (int)q->recompute},
            {p->recompute_layers, q->recompute_layers},
            {(int)p->offload, (int)q->offload},
            {(int)p->schedule, (int)q->schedule}};

    if (ta != tb)
        return ta < tb ? -1 : 1;
    if (ma != mb)
        return ma < mb ? -1 : 1;
    for (int i = 0; i < P3D_COUNT_OF(numbers); i++) {
        if (numbers[i][0] != numbers[i][1])
            return numbers[i][0] < numbers[i][1] ? -1 : 1;
    }
    return 0;
}

/** Put a plan in its place among the best. */
static void keep(search *s, const p3d_estimate *e)
{
    p3d_search_result *r = s->result;
    int at = r->n_top;

    while (at > 0 && compare(e, &r->top[at - 1]) < 0)
        at--;
    if (at >= s->n_top)
        return;
    if (r->n_top < s->n_top)
        r->n_top++;
    memmove(&r->top[at + 1], &r->top[at],
            (size_t)(r->n_top - 1 - at) * sizeof(r->top[0]));
    r->top[at] = *e;
}

static const cost_layout *layout_of(search *s, const p3d_plan *plan)
{
    if (s->layout_pp != plan->pp || s->layout_vp != plan->vp) {
        P3D_ASSERT(cost_layout_build(s->problem, plan, &s->layout));
        s->layout_pp = plan->pp;
        s->layout_vp = plan->vp;
    }
    return &s->layout;
}

/** Bytes that a plan misses; 0 or less when it fits. */
static int64_t missing(
        search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    p3d_memory memory = {0};

    cost_peak_memory(s->problem, plan, blocks, layout_of(s, plan), &memory);
    return p3d_memory_device_bytes(&memory) + s->problem->job.reserve_bytes -
           s->problem->cluster.gpu.visible_memory_bytes;
}

/** True when a plan misses more than this. */
static bool misses_more(search *s, const p3d_plan *plan,
        const p3d_blocks *blocks, int64_t missing_bytes)
{
    return cost_exceeds(s->problem, plan, blocks, layout_of(s, plan),
            s->problem->cluster.gpu.visible_memory_bytes -
                    s->problem->job.reserve_bytes + missing_bytes);
}

static bool too_large(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    return misses_more(s, plan, blocks, 0);
}

static bool allows_recompute(
        const search *s, const p3d_plan *branch, p3d_recompute recompute)
{
    const bool pairs = s->problem->job.expert_overlap && branch->ep > 1;

    if (recompute == P3D_RECOMPUTE_FULL && pairs)
        return false; /* rule G5 */
    return s->pins->recompute < 0 || s->pins->recompute == (int)recompute;
}

/** The fewest layers, 1 .. most, whose recomputation makes the plan fit, or 0
 *  when not even all do. Memory does not grow with the count. */
static int fewest_layers(
        search *s, p3d_plan plan, const p3d_blocks *blocks, int most)
{
    int low = 1;
    int high = most;

    plan.recompute = P3D_RECOMPUTE_FULL;
    plan.recompute_layers = most;
    if (too_large(s, &plan, blocks))
        return 0;
    while (low < high) {
        const int middle = (low + high) / 2;

        plan.recompute_layers = middle;
        if (too_large(s, &plan, blocks))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** Estimate a plan whose device memory holds it; false when the host's memory
 *  is too small for what is offloaded. */
static bool evaluate(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    p3d_estimate e;

    p3d_estimate_blocks(s->problem, plan, blocks, &e);
    s->result->n_evaluated++;
    if (!e.fits)
        return false;
    s->result->n_feasible++;
    keep(s, &e);
    return true;
}

/** Remember the plan that misses the least while nothing has fitted. */
static void offer_closest(search *s, p3d_plan plan, const p3d_blocks *blocks)
{
    int64_t bytes;

    if (s->result->n_feasible > 0)
        return;
    if (allows_recompute(s, &plan, P3D_RECOMPUTE_FULL)) {
        plan.recompute = P3D_RECOMPUTE_FULL;
        plan.recompute_layers = 0;
    }
    if (s->result->have_closest &&
            misses_more(s, &plan, blocks, s->closest_bytes - 1))
        return;
    bytes = missing(s, &plan, blocks);
    s->result->have_closest = true;
    s->closest_bytes = bytes;
    p3d_estimate_blocks(s->problem, &plan, blocks, &s->result->closest);
}

/** Where selective recomputation redoes the attention core alone, fused
 *  attention keeps nothing that this would free: only tried when asked for. */
static bool selective_allowed(const search *s)
{
    const p3d_job *job = &s->problem->job;

    return s->pins->recompute == P3D_RECOMPUTE_SELECTIVE ||
           (s->pins->recompute < 0 && (job->attention == P3D_EAGER ||
                                              (job->framework->usual_modules &
                                                      P3D_MODULE_PER_OP) != 0));
}

/** Plans that a branch stands for with one kind of offload: the kinds of
 *  recomputation and their layer counts. */
static int64_t count_plans(const search *s, const p3d_plan *branch)
{
    int64_t n = allows_recompute(s, branch, P3D_RECOMPUTE_NONE) +
                selective_allowed(s);

    if (allows_recompute(s, branch, P3D_RECOMPUTE_FULL))
        n += space_chunk_layers(s->problem, branch);
    return n;
}

/** Whether a plan fits the device; one that does not is counted. */
static bool holds(search *s, const p3d_plan *plan, const p3d_blocks *blocks)
{
    if (!too_large(s, plan, blocks))
        return true;
    s->result->n_too_large++;
    return false;
}

/** Full recomputation: only the fewest layers that fit are worth a look. */
static void try_full(search *s, p3d_plan plan, const p3d_blocks *blocks)
{
    const int most = space_chunk_layers(s->problem, &plan);
    const int layers = fewest_layers(s, plan, blocks, most);

    if (layers == 0) {
        s->result->n_too_large += most;
        return;
    }
    s->result->n_too_large += layers - 1;
    s->result->n_dominated += most - layers;
    plan.recompute = P3D_RECOMPUTE_FULL;
    plan.recompute_layers = layers == most ? 0 : layers;
    (void)evaluate(s, &plan, blocks);
}

/** Try the kinds of recomputation of one branch and offload.
 *  @return true when it fits without any, so that more offload is pointless */
static bool try_recompute(search *s, p3d_plan plan, const p3d_blocks *blocks)
{
    if (allows_recompute(s, &plan, P3D_RECOMPUTE_NONE) &&
            holds(s, &plan, blocks) && evaluate(s, &plan, blocks)) {
        s->result->n_dominated += count_plans(s, &plan) - 1;
        return true;
    }
    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    if (selective_allowed(s) && holds(s, &plan, blocks))
        (void)evaluate(s, &plan, blocks);
    if (allows_recompute(s, &plan, P3D_RECOMPUTE_FULL))
        try_full(s, plan, blocks);
    return false;
}

static bool offload_allowed(const search *s, const p3d_plan *plan)
{
    const p3d_problem *p = s->problem;

    if (s->pins->offload >= 0 && s->pins->offload != (int)plan->offload)
        return false;
    return plan->offload == P3D_OFFLOAD_NONE ||
           p3d_plan_legal(&p->model, &p->cluster, &p->job, plan, NULL);
}

/**
 * A step time that no plan of the branch can beat, without looking at stages.
 *
 *     T >= m a + (p - 1) a / v,   a = time of the whole model / p
 *     (without the second part where gradients of weights or the next step fill
 *     the bubble)
 *
 * The slowest of p stages takes at least the average a, and the step time
 * m t_max + (sum - t_max) / v grows with t_max. Rounding is allowed for.
 */
static double floor_s(
        const search *s, const p3d_plan *branch, const search_shard *costs)
{
    const double a = costs->pass_s / branch->pp;
    const double m = (double)p3d_plan_n_micro_batches(branch, &s->problem->job);
    const bool fills = p3d_schedule_splits_backward(branch->schedule) ||
                       !p3d_schedule_flushes(branch->schedule);
    const double idle = fills ? 0 : (branch->pp - 1) * a / branch->vp;

    return (m * a + idle) * (1 - 1e-9);
}

/** A step time above which no plan is of interest any more. */
static double slowest_s(const search *s)
{
    const double limit_s = s->limit_s > 0 ? s->limit_s : (double)INFINITY;

    if (s->result->n_top < s->n_top)
        return limit_s;
    return fmin(limit_s, p3d_time_step_s(&s->result->top[s->n_top - 1].time));
}

/** True when no plan of the branch can enter the list. */
static bool is_cut(search *s, const p3d_plan *branch, const search_shard *costs)
{
    const double worst_s = slowest_s(s);
    p3d_time bound;

    if (isinf(worst_s))
        return false;
    if (floor_s(s, branch, costs) > worst_s)
        return true;
    cost_step_time(
            s->problem, branch, &costs->blocks, layout_of(s, branch), &bound);
    return p3d_time_step_s(&bound) > worst_s;
}

static bool visit(void *context, const p3d_plan *branch)
{
    search *s = context;
    const search_shard *costs =
            search_cache_get(s->cache, s->problem, p3d_plan_shard(branch));
    p3d_plan plan = *branch;
    p3d_offload allowed[P3D_N_OFFLOADS];
    int n = 0;

    if (costs == NULL) {
        s->out_of_memory = true;
        return false;
    }
    for (int offload = 0; offload < P3D_N_OFFLOADS; offload++) {
        plan.offload = (p3d_offload)offload;
        if (offload_allowed(s, &plan))
            allowed[n++] = plan.offload;
    }
    s->result->n_plans += n * count_plans(s, branch);
    if (is_cut(s, branch, costs)) {
        s->result->n_cut += n * count_plans(s, branch);
        return true;
    }
    for (int i = 0; i < n; i++) {
        plan.offload = allowed[i];
        if (try_recompute(s, plan, &costs->blocks)) {
            s->result->n_dominated += (n - 1 - i) * count_plans(s, branch);
            break;
        }
        if (i == n - 1)
            offer_closest(s, plan, &costs->blocks);
    }
    return !(s->stop_at_first && s->result->n_feasible > 0);
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Why the pinned values alone admit no plan: the first rule that they break
 *  with everything else as small as it can be. */
static void refuse_pins(const search *s, p3d_refusal *refusal)
{
    const p3d_problem *p = s->problem;
    const p3d_pins *pins = s->pins;
    p3d_plan plan = {.tp = pins->tp > 0 ? pins->tp : 1,
            .pp = pins->pp > 0   ? pins->pp
                  : pins->vp > 1 ? 2
                                 : 1,
            .cp = pins->cp > 0 ? pins->cp : 1,
            .ep = pins->ep > 0 ? pins->ep : 1,
            .vp = pins->vp > 0 ? pins->vp : 1,
            .micro_batch = pins->micro_batch > 0 ? pins->micro_batch : 1,
            .zero = pins->zero > 0 ? pins->zero : 1};
    const int64_t inner = (int64_t)plan.tp * plan.pp * plan.cp;

    plan.dp = p->cluster.n_gpus / inner > 0 ? (int)(p->cluster.n_gpus / inner)
                                            : 1;
    plan.dp = pins->dp > 0 ? pins->dp : plan.dp;
    plan.etp = pins->etp > 0 ? pins->etp : plan.tp;
    plan.sequence_parallel = plan.tp > 1;
    plan.schedule = plan.vp > 1 ? P3D_INTERLEAVED : P3D_1F1B;
    (void)p3d_plan_legal(&p->model, &p->cluster, &p->job, &plan, refusal);
}

static bool run(search *s)
{
    const double start_s = now_s();
    p3d_refusal refusal = {.rule = NULL};

    space_walk(s->problem, s->pins, visit, s, &refusal);
    if (s->result->n_feasible > 0)
        s->result->have_closest = false;
    if (s->result->n_plans == 0) {
        refuse_pins(s, &s->result->empty);
        if (s->result->empty.rule == NULL)
            s->result->empty = refusal;
    }
    s->result->seconds = now_s() - start_s;
    return !s->out_of_memory;
}

bool p3d_search(const p3d_problem *problem, const p3d_pins *pins, int n_top,
        p3d_search_result *out, p3d_error *err)
{
    search_cache cache = {.n_entries = 0};
    const bool ok =
            p3d_search_within(problem, pins, n_top, 0, &cache, out, err);

    search_cache_free(&cache);
    return ok;
}

bool p3d_search_within(const p3d_problem *problem, const p3d_pins *pins,
        int n_top, double limit_s, p3d_search_cache *cache,
        p3d_search_result *out, p3d_error *err)
{
    search s = {.problem = problem,
            .pins = pins,
            .result = out,
            .n_top = n_top,
            .limit_s = limit_s,
            .cache = cache};

    P3D_ASSERT(n_top >= 1 && n_top <= P3D_MAX_TOP);
    memset(out, 0, sizeof(*out));
    search_cache_begin(cache, problem);
    if (!run(&s))
        return p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
    return true;
}

bool search_fits(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch)
{
    search_cache cache = {.n_entries = 0};
    search s = {.problem = problem,
            .pins = pins,
            .result = scratch,
            .n_top = 1,
            .stop_at_first = true,
            .cache = &cache};
    bool ok;

    memset(scratch, 0, sizeof(*scratch));
    ok = run(&s) && scratch->n_feasible > 0;
    search_cache_free(&cache);
    return ok;
}
