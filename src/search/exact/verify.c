/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - checks a search by looking at every plan: plain loops over all
 * values, the rules, and no bound. It shares with the search only the lists of
 * what may be recomputed and offloaded, and the estimate itself. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/recommend.h"
#include "search/exact/engine.h"
#include "spec/given.h"
#include "spec/legality.h"
#include "spec/plan_split.h"
#include "spec/plan_words.h"

enum { TICK_EVERY = 1024 };

typedef struct verifier {
    const p3d_problem *problem;
    const p3d_pins *pins;
    const p3d_watch *watch;
    p3d_verification *out;
    search_savings savings;
    search_cache cache;
    bool out_of_memory;
    int64_t n_looks;
    double start_s;
    double limit_s; /* of the plan to recommend; 0 = look for the fastest */
} verifier;

static bool stopped(verifier *v)
{
    p3d_verification *out = v->out;

    out->interrupted = out->interrupted || p3d_stopped();
    if (v->watch != NULL && !out->interrupted && v->n_looks++ % TICK_EVERY == 0)
        out->interrupted = !v->watch->tick(
                v->watch->context, p3d_now_s() - v->start_s, out->n_plans);
    return out->interrupted || v->out_of_memory;
}

static bool legal(const verifier *v, const p3d_plan *plan)
{
    const p3d_problem *p = v->problem;

    return space_lets_depart(p, v->pins, plan) && spec_plan_words_given(plan) &&
           spec_plan_keeps_all(&p->model, &p->cluster, &p->job, plan, NULL);
}

/** True when a plan is better than the best so far. */
static bool is_better(const verifier *v, const p3d_estimate *e)
{
    const p3d_estimate *const best = &v->out->best;
    const double step_s = p3d_time_step_s(&e->time);

    if (v->limit_s > 0 && step_s > v->limit_s)
        return false;
    if (!v->out->have_best)
        return true;
    return v->limit_s > 0 ? p3d_recommended_before(v->problem, e, best)
                          : step_s < p3d_time_step_s(&best->time);
}

static void try_plan(verifier *v, const p3d_plan *plan)
{
    const search_shard *costs;
    p3d_estimate e;

    if (stopped(v) || !legal(v, plan))
        return;
    costs = search_cache_get(&v->cache, v->problem, p3d_plan_shard(plan));
    if (costs == NULL) {
        v->out_of_memory = true;
        return;
    }
    p3d_estimate_blocks(v->problem, plan, &costs->blocks, &e);
    v->out->n_plans++;
    if (!e.sure) {
        const int64_t missing_bytes =
                p3d_memory_device_bytes(&e.memory) - p3d_sure_bytes(v->problem);

        if (missing_bytes < v->out->least_missing_bytes)
            v->out->least_missing_bytes = missing_bytes;
        return;
    }
    v->out->n_fitting++;
    if (is_better(v, &e)) {
        v->out->best = e;
        v->out->have_best = true;
    }
}

static void try_offload(verifier *v, p3d_plan plan)
{
    for (int i = 0; i < v->savings.n_activations && !stopped(v); i++) {
        search_offloads ways;

        plan.activation_offload_frac = v->savings.activations[i];
        search_set_offload(
                &plan, &(search_offload){.kind = P3D_OFFLOAD_NONE}, false);
        search_offloads_of(v->problem, v->pins, &plan, &ways);
        for (int w = 0; w < ways.n; w++) {
            for (int nvme = ways.at[w].nvme;
                    nvme < ways.at[w].nvme + ways.at[w].n_places; nvme++) {
                search_set_offload(&plan, &ways.at[w], nvme != 0);
                try_plan(v, &plan);
            }
        }
    }
}

/** Full recomputation of some layers, or of all in groups. */
static void try_full(verifier *v, p3d_plan plan)
{
    const search_savings *c = &v->savings;
    const int most = space_chunk_layers(v->problem, &plan);

    plan.recompute = P3D_RECOMPUTE_FULL;
    for (int k = 1; k <= most && c->group == 0; k++) {
        plan.recompute_layers = k == most ? 0 : k;
        if (c->layers == 0 || c->layers == k ||
                (c->layers == SPEC_ALL_LAYERS && k == most))
            try_offload(v, plan);
    }
    plan.recompute_layers = 0;
    for (int group = 1; group <= most && c->groups; group++) {
        plan.recompute_group = group;
        if (c->group == 0 ? group > 1 : c->group == group)
            try_offload(v, plan);
    }
}

static void try_recompute(verifier *v, p3d_plan plan)
{
    const search_savings *c = &v->savings;

    if (c->none)
        try_offload(v, plan);
    plan.recompute = P3D_RECOMPUTE_SELECTIVE;
    for (int i = 0; i < c->n_sets; i++) {
        plan.recompute_modules = c->sets[i];
        try_offload(v, plan);
    }
    plan.recompute_modules = 0;
    if (c->full)
        try_full(v, plan);
}

/** Sharing by all of n replicas is 0, by a part its size; by one alone only
 *  when somebody says so. */
static bool allows_shard(const p3d_pins *pins, int shard, int n)
{
    if (shard == 0)
        return pins->shard <= 0 || (pins->lenient && pins->shard == n);
    return n % shard == 0 &&
           (shard > 1 ? space_leaves(pins->shard, shard) : pins->shard == 1);
}

static void try_states(verifier *v, p3d_plan plan)
{
    const int n = plan.dp * plan.cp;

    for (plan.zero = 0; plan.zero <= 3 && !stopped(v); plan.zero++) {
        if (!space_leaves(v->pins->zero, plan.zero))
            continue;
        for (plan.shard = 0; plan.shard < n; plan.shard++) {
            if (allows_shard(v->pins, plan.shard, n))
                try_recompute(v, plan);
        }
    }
}

/** True when numbers for the ends say what could be said with fewer: that of
 *  the stages between them, or the split without any. What somebody has said
 *  stays. */
static bool repeats(const verifier *v, const p3d_plan *plan)
{
    const p3d_pins *pins = v->pins;
    const int n = plan->pp;
    const bool first = plan->first_layers > 0 && pins->first_layers <= 0;
    const bool last = plan->last_layers > 0 && pins->last_layers <= 0;
    int layers[P3D_MAX_LAYERS], usual[P3D_MAX_LAYERS];
    p3d_plan without = *plan;

    if (!p3d_plan_split_layers(
                &v->problem->model, &v->problem->job, plan, layers))
        return true;
    without.first_layers = without.last_layers = 0;
    if (pins->first_layers <= 0 && pins->last_layers <= 0 &&
            p3d_plan_split_layers(
                    &v->problem->model, &v->problem->job, &without, usual) &&
            memcmp(layers, usual, (size_t)n * sizeof(int)) == 0)
        return true;
    if (n == 2)
        return last || (first && plan->last_layers > 0);
    return (first && plan->first_layers == layers[1]) ||
           (last && plan->last_layers == layers[n - 2]);
}

/** Chunks with the numbers of layers that the pins say, else chunks that differ
 *  by a layer where they cannot be equal. */
static void try_chunks(verifier *v, p3d_plan plan)
{
    const p3d_pins *const pins = v->pins;
    int layers[P3D_MAX_LAYERS];

    if (space_say_chunks(pins, &plan)) {
        if (pins->lenient || space_leaves(pins->uneven, 0))
            try_states(v, plan);
        return;
    }
    if (p3d_plan_split_layers(
                &v->problem->model, &v->problem->job, &plan, layers))
        return;
    plan.uneven = true;
    if (space_leaves(pins->uneven, 1))
        try_states(v, plan);
}

static void try_splits(verifier *v, p3d_plan plan)
{
    const int most =
            plan.vp == 1 && plan.pp > 1 ? v->problem->model.n_layers : 0;
    const p3d_plan even = plan;

    if (plan.pp * plan.vp > P3D_MAX_LAYERS)
        return;
    for (int first = 0; first <= most && !stopped(v); first++) {
        for (int last = 0; last <= most - first; last++) {
            plan.first_layers = first;
            plan.last_layers = last;
            if (space_leaves(v->pins->first_layers, first) &&
                    space_leaves(v->pins->last_layers, last) &&
                    v->pins->short_chunk <= 0 && v->pins->tail <= 0 &&
                    (v->pins->lenient || space_leaves(v->pins->uneven, 0)) &&
                    (first + last == 0 || !repeats(v, &plan)))
                try_states(v, plan);
        }
    }
    if (plan.vp > 1)
        try_chunks(v, even);
}

static void try_orders(verifier *v, p3d_plan plan)
{
    const bool choice =
            plan.pp > 1 && plan.dp > 1 && v->problem->cluster.n_nodes > 1;

    for (int o = 0; o < (choice ? P3D_N_ORDERS : 1); o++) {
        plan.order = (p3d_order)o;
        if (space_leaves(v->pins->order, o) ||
                (!choice && space_has_no_order(v->problem, v->pins)))
            try_splits(v, plan);
    }
}

static void try_batches(verifier *v, p3d_plan plan)
{
    const int64_t batch = v->problem->job.global_batch;

    for (plan.micro_batch = 1;
            (int64_t)plan.micro_batch * plan.dp <= batch && !stopped(v);
            plan.micro_batch++) {
        if (batch % ((int64_t)plan.dp * plan.micro_batch) == 0 &&
                space_allows(v->pins->micro_batch, plan.micro_batch))
            try_orders(v, plan);
    }
}

static void try_schedules(verifier *v, p3d_plan plan)
{
    plan.group = v->pins->group > 0 ? v->pins->group : 0;
    for (plan.vp = 1; plan.vp <= v->problem->model.n_layers + 2 && !stopped(v);
            plan.vp++) {
        for (int s = 0; s < P3D_N_SCHEDULES; s++) {
            plan.schedule = (p3d_schedule)s;
            if (p3d_schedule_offered(
                        plan.schedule, v->problem->job.framework) &&
                    (plan.pp > 1 || (plan.vp == 1 && s == P3D_1F1B)) &&
                    space_allows(v->pins->vp, plan.vp) &&
                    (spec_schedule_searched(plan.schedule) ||
                            v->pins->schedule == s) &&
                    (space_leaves(v->pins->schedule, s) ||
                            (v->pins->pp == 1 && v->pins->lenient)))
                try_batches(v, plan);
        }
    }
}

static void try_etps(verifier *v, p3d_plan plan)
{
    for (int t = 0; t < (plan.tp > 1 ? 2 : 1); t++) {
        plan.etp = t == 0 ? plan.tp : 1;
        if (space_allows(v->pins->etp, plan.etp))
            try_schedules(v, plan);
    }
}

static void try_experts(verifier *v, p3d_plan plan)
{
    const int most = v->problem->model.n_experts;

    plan.ep = 1;
    plan.etp = plan.tp;
    if (most == 0) {
        if (space_allows(v->pins->ep, 1) &&
                space_allows(v->pins->etp, plan.etp))
            try_schedules(v, plan);
        return;
    }
    for (; plan.ep <= most && !stopped(v); plan.ep++) {
        if (space_allows(v->pins->ep, plan.ep))
            try_etps(v, plan);
    }
}

/** The flags from the i-th on, each off and where it may be on. */
static void try_flags(verifier *v, p3d_plan plan, int i)
{
    if (i == P3D_N_FLAGS) {
        try_experts(v, plan);
        return;
    }
    const int last = spec_flag_may(&plan, i) ? 1 : 0;

    for (int on = 0; on <= last; on++) {
        spec_plan_set(&plan, spec_flags[i].key, on);
        if (space_leaves_flag(v->pins, i, on))
            try_flags(v, plan, i + 1);
    }
}

/** The exchanges of a grid's context-parallel ranks, each once. */
static void try_exchanges(verifier *v, p3d_plan plan)
{
    const int usual = spec_head_ranks(&v->problem->job, plan.cp, 0);

    for (int heads = 1; heads <= plan.cp && !stopped(v); heads++) {
        plan.ulysses = heads == usual ? 0 : heads;
        if (space_allows_ulysses(v->problem, v->pins, &plan))
            try_flags(v, plan, 0);
    }
}

/** Plans whose pipeline and replicas follow. */
static void try_grid(verifier *v, int n, int tp, int cp)
{
    const p3d_pins *pins = v->pins;
    p3d_plan plan = {.tp = tp, .cp = cp, .vp = 1};

    for (plan.pp = 1; plan.pp <= n / tp / cp && !stopped(v); plan.pp++) {
        plan.dp = n / (tp * cp * plan.pp);
        if (tp * cp * plan.pp * plan.dp != n ||
                !space_allows(pins->pp, plan.pp) ||
                !space_allows(pins->dp, plan.dp))
            continue;
        try_exchanges(v, plan);
    }
}

static void try_cluster(verifier *v, int n)
{
    for (int tp = 1; tp <= n && !stopped(v); tp++) {
        for (int cp = 1; cp <= n / tp; cp++) {
            if (n % (tp * cp) == 0 && space_allows(v->pins->tp, tp) &&
                    space_allows(v->pins->cp, cp))
                try_grid(v, n, tp, cp);
        }
    }
}

/* Plans whose bottleneck is the same differ by the rounding of other terms. */
static const double ROUNDING = 1e-12;

bool p3d_verification_agrees(
        const p3d_verification *verification, const p3d_search_result *result)
{
    double best_s, found_s;

    if (verification == NULL || result == NULL || verification->interrupted ||
            verification->n_plans != result->n_plans ||
            verification->have_best != (result->n_top > 0))
        return false;
    if (!verification->have_best)
        return true;
    best_s = p3d_time_step_s(&verification->best.time);
    found_s = p3d_time_step_s(&result->top[0].time);
    return fabs(found_s - best_s) <= ROUNDING * best_s;
}

static bool verify(verifier *v, p3d_error *err)
{
    memset(v->out, 0, sizeof(*v->out));
    v->out->least_missing_bytes = INT64_MAX;
    v->start_s = p3d_now_s();
    search_savings_build(v->problem, v->pins, &v->savings);
    for (int idle = 0; idle <= v->problem->job.max_idle_nodes; idle++)
        try_cluster(v, v->problem->cluster.n_gpus -
                               idle * v->problem->cluster.node.gpus_per_node);
    search_cache_free(&v->cache);
    v->out->seconds = p3d_now_s() - v->start_s;
    if (v->out_of_memory)
        return p3d_fail(err, P3D_SYSTEM, "out of memory while verifying");
    return true;
}

bool p3d_verify(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_watch *watch, p3d_verification *out, p3d_error *err)
{
    verifier v = {.problem = problem, .pins = pins, .watch = watch, .out = out};

    if (!spec_problem_given(problem) || !spec_pins_given(pins) || out == NULL)
        return p3d_misuse(err, __func__);
    return verify(&v, err);
}

bool p3d_verify_recommended(const p3d_problem *problem,
        const p3d_recommend_options *options,
        const p3d_recommendation *recommendation, p3d_verification *out,
        p3d_error *err)
{
    const p3d_pins all = p3d_pins_free();
    verifier v = {.problem = problem, .out = out};

    if (!search_recommend_asked(problem, options) || recommendation == NULL ||
            out == NULL || !(recommendation->limit_s > 0))
        return p3d_misuse(err, __func__);
    v.pins = options->pins != NULL ? options->pins : &all;
    v.watch = options->search.watch;
    v.limit_s = recommendation->limit_s;
    return verify(&v, err);
}
