/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.c - the legal space: what the pins leave of it, touring it branch by
 * branch, and why the pins alone may leave nothing. */
#include "search/exact/space.h"

#include <limits.h>
#include <stdio.h>

#include "base/util.h"
#include "spec/companion.h"
#include "spec/compression.h"
#include "spec/given.h"
#include "spec/legality.h"
#include "spec/plan_split.h"
#include "spec/plan_words.h"

void search_divisors_of(int64_t number, search_divisors *out)
{
    search_divisors high = {.n = 0};

    out->n = 0;
    for (int64_t d = 1; d * d <= number; d++) {
        if (number % d != 0)
            continue;
        if (d <= INT_MAX && out->n < SEARCH_MAX_DIVISORS)
            out->at[out->n++] = (int)d;
        if (number / d != d && number / d <= INT_MAX &&
                high.n < SEARCH_MAX_DIVISORS)
            high.at[high.n++] = (int)(number / d);
    }
    while (high.n > 0 && out->n < SEARCH_MAX_DIVISORS)
        out->at[out->n++] = high.at[--high.n];
}

/* Pins. */

p3d_pins p3d_pins_free(void)
{
    p3d_pins pins = {.lenient = false};

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++)
        spec_pins_set(&pins, (spec_plan_key)i, spec_plan_fields[i].free);
    return pins;
}

bool p3d_pins_are_free(const p3d_pins *pins)
{
    if (!spec_pins_given(pins) || pins->without != 0)
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (spec_pins_get(pins, (spec_plan_key)i) != spec_plan_fields[i].free)
            return false;
    }
    return true;
}

bool p3d_pins_parse(const char *words, p3d_pins *out, p3d_error *err)
{
    if (words == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_pins pins = p3d_pins_free();
    spec_said said;

    if (!spec_said_read(words, &said, err))
        return false;
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (said.said[i])
            spec_pins_set(&pins, (spec_plan_key)i, said.value[i]);
    }
    pins.lenient = true;
    *out = pins;
    return true;
}

bool space_allows(int pin, int value)
{
    return pin == 0 || pin == value;
}

bool space_leaves(int pin, int value)
{
    return pin < 0 || pin == value;
}

bool space_leaves_flag(const p3d_pins *pins, int flag, int on)
{
    return space_leaves((int)spec_pins_get(pins, spec_flags[flag].key), on);
}

/** Number that a pin says; 0 = none. */
static int number_said(int pin)
{
    return pin > 0 ? pin : 0;
}

bool space_say_chunks(const p3d_pins *pins, p3d_plan *plan)
{
    plan->first_layers = number_said(pins->first_layers);
    plan->last_layers = number_said(pins->last_layers);
    plan->short_chunk = number_said(pins->short_chunk);
    plan->tail = (p3d_tail)number_said(pins->tail);
    return p3d_plan_says_layers(plan);
}

bool space_lets_depart(
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan)
{
    return pins->without == 0 ||
           (spec_departures(problem, plan) & pins->without) == 0;
}

bool space_allows_schedule(const p3d_pins *pins, const p3d_plan *plan)
{
    const int s = (int)plan->schedule;

    if (!spec_schedule_searched(plan->schedule) && pins->schedule != s)
        return false;
    return space_leaves(pins->schedule, s) || (pins->lenient && pins->pp == 1);
}

/* Fewest tokens of a sequence on a context-parallel rank with which exchanges
 * that the job does not have are tried: below, hybrids were not published
 * (arXiv:2405.07719 has 8,192 to 32,768). */
enum { MIXED_CP_TOKENS = 8192 };

/** True where an exchange that the job does not have is tried: with long
 *  sequences, and heads traded between GPUs that NVLink joins. */
static bool tries_ulysses(const p3d_problem *problem, const p3d_plan *plan)
{
    const p3d_job *const job = &problem->job;
    const p3d_node *const node = &problem->cluster.node;

    return !job->fixed_cp_comm &&
           (job->framework->lacks & P3D_LACKS_HEAD_GROUPS) == 0 &&
           job->seq_len / plan->cp >= MIXED_CP_TOKENS &&
           (int64_t)plan->tp * plan->ulysses <= node->gpus_per_nvlink_domain;
}

int space_most_heads(const p3d_problem *problem)
{
    const p3d_job *const job = &problem->job;
    const int domain = problem->cluster.node.gpus_per_nvlink_domain;
    const int64_t most = job->seq_len / MIXED_CP_TOKENS;

    if (job->fixed_cp_comm || !job->framework->context_parallel ||
            (job->framework->lacks & P3D_LACKS_HEAD_GROUPS) != 0)
        return 1;
    return most < domain ? (int)most : domain;
}

bool space_allows_ulysses(
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan)
{
    if (pins->ulysses > 0)
        return pins->ulysses == p3d_plan_head_ranks(&problem->job, plan);
    return plan->ulysses == 0 ||
           (pins->ulysses < 0 && tries_ulysses(problem, plan));
}

bool space_has_no_order(const p3d_problem *problem, const p3d_pins *pins)
{
    return pins->lenient &&
           (pins->pp == 1 || pins->dp == 1 || problem->cluster.n_nodes == 1);
}

/* The tour of it. */

enum { N_ZERO_STAGES = 4 };

typedef struct tour {
    const p3d_problem *problem;
    const p3d_pins *pins;
    space_visit *visit;
    void *context;
    p3d_refusal *refusal; /* NULL once something was legal */
    int64_t n_asked;      /* plans that the rules were asked about */
    bool stopped;
    bool grid_is_legal;      /* with some pipeline */
    search_divisors batches; /* of the global batch */
} tour;

bool space_may_split(const p3d_problem *problem, const p3d_plan *plan)
{
    return problem->job.framework->typed_layers && plan->pp > 1 &&
           plan->vp == 1 && plan->pp <= problem->model.n_layers;
}

bool space_shares_axes(const p3d_problem *problem, const p3d_plan *plan)
{
    return (problem->job.framework->lacks & P3D_LACKS_WHOLE_AXES) != 0 &&
           plan->cp * plan->ep > 1;
}

int space_chunk_layers(const p3d_problem *problem, const p3d_plan *plan)
{
    int layers[P3D_MAX_LAYERS];
    int most = 0;

    if (!p3d_plan_split_layers(&problem->model, &problem->job, plan, layers))
        return 0;
    for (int i = 0; i < plan->pp * plan->vp; i++)
        most = layers[i] > most ? layers[i] : most;
    return most;
}

/** Check a plan, and remember the first refusal while nothing was legal. */
static bool legal(tour *w, const p3d_plan *plan)
{
    const p3d_problem *p = w->problem;
    p3d_refusal refusal = {.rule = NULL};
    const bool first = w->refusal != NULL && w->refusal->rule == NULL;
    const bool ok = spec_plan_keeps_all(
            &p->model, &p->cluster, &p->job, plan, first ? &refusal : NULL);

    w->n_asked++;
    if (first && !ok)
        *w->refusal = refusal;
    return ok;
}

/** The same of a plan that differs as little from a legal one. */
static bool stays_legal(
        tour *w, const p3d_plan *plan, p3d_difference difference)
{
    const p3d_problem *p = w->problem;

    w->n_asked++;
    return spec_plan_keeps_rules(
            &p->model, &p->cluster, &p->job, plan, difference);
}

/** The first of a schedule's plans; when there is no reason yet why nothing is
 *  legal, it is found. */
static bool first_legal(tour *w, const p3d_plan *plan)
{
    if (!w->grid_is_legal)
        return legal(w, plan);
    return stays_legal(w, plan, P3D_DIFFERENCE_PIPELINE) ||
           (w->refusal->rule == NULL && legal(w, plan));
}

static void tour_micro_batches(tour *w, p3d_plan plan)
{
    const int64_t batch = w->problem->job.global_batch / plan.dp;
    bool one_is = false;

    for (int i = 0; i < w->batches.n && !w->stopped; i++) {
        plan.micro_batch = w->batches.at[i];
        if (plan.micro_batch > batch)
            break;
        if (batch % plan.micro_batch != 0 ||
                !space_allows(w->pins->micro_batch, plan.micro_batch) ||
                !space_lets_depart(w->problem, w->pins, &plan) ||
                !(one_is ? stays_legal(w, &plan, P3D_DIFFERENCE_MICRO_BATCH)
                         : first_legal(w, &plan)))
            continue;
        one_is = true;
        w->stopped = !w->visit(w->context, &plan);
    }
}

/** Lowest ZeRO stage that the framework has, and that overlaps where the job
 *  asks for it: with it a plan is legal in every other respect if it is with
 *  any. */
static int lowest_zero(const tour *w, const p3d_plan *plan)
{
    const p3d_job *const job = &w->problem->job;
    const p3d_framework *const fw = job->framework;
    unsigned stages = plan->pp > 1 ? fw->zero_stages_pipeline : fw->zero_stages;

    if (space_shares_axes(w->problem, plan))
        stages &= 1u << 3;
    if (spec_compression_zero(&job->compression) >= 0)
        stages &= 1u << spec_compression_zero(&job->compression);
    if (plan->dp > 1 && (fw->lacks & P3D_LACKS_COPIES) != 0)
        stages &= ~1u;
    if (job->dp_overlap == P3D_OVERLAP_ON)
        stages &= fw->overlap_dp | fw->overlap_dp_asked;

    for (int zero = 0; zero < N_ZERO_STAGES; zero++) {
        if (stages & (1u << zero))
            return zero;
    }
    return 0;
}

/** Schedules that the framework runs; the rules leave out those that want
 *  another number of chunks. Without a pipeline there is nothing to choose. */
static void tour_schedules(tour *w, p3d_plan plan)
{
    const p3d_framework *framework = w->problem->job.framework;

    for (int s = 0; s < P3D_N_SCHEDULES && !w->stopped; s++) {
        plan.schedule = (p3d_schedule)s;
        plan.group =
                s == P3D_INTERLEAVED && w->pins->group > 0 ? w->pins->group : 0;
        if (space_allows_schedule(w->pins, &plan) &&
                space_leaves(w->pins->group, plan.group) &&
                p3d_schedule_offered(plan.schedule, framework) &&
                (plan.pp > 1 || s == P3D_1F1B))
            tour_micro_batches(w, plan);
    }
}

/** True where rule G5 refuses a plan for having no chunks. */
static bool needs_chunks(const tour *w, const p3d_plan *plan)
{
    return w->problem->job.expert_overlap && plan->ep > 1 && plan->pp > 1;
}

static bool splits(const tour *w, const p3d_plan *plan)
{
    int layers[P3D_MAX_LAYERS];

    return plan->pp <= P3D_MAX_LAYERS / plan->vp &&
           p3d_plan_split_layers(
                   &w->problem->model, &w->problem->job, plan, layers);
}

/** A split with numbers for the ends where there is none without: it stands for
 *  all those. @return false when there is none */
static bool say_ends(const tour *w, p3d_plan *plan)
{
    const int n_layers = w->problem->model.n_layers;

    if (!space_may_split(w->problem, plan))
        return false;
    plan->first_layers = n_layers - n_layers / plan->pp * (plan->pp - 1);
    return true;
}

/** Layers of a plan's stages: as the framework shares them out, with numbers
 *  for the ends where it cannot; chunks that differ by a layer where they
 *  cannot be equal, and chunks with numbers for the ends where the pins say
 *  them. @return false when the pins leave none of these */
static bool lay_out(const tour *w, p3d_plan *plan)
{
    const p3d_pins *pins = w->pins;
    const bool equal = pins->lenient || space_leaves(pins->uneven, 0);
    const bool said = space_say_chunks(pins, plan);

    plan->uneven = false;
    if (said && plan->vp > 1)
        return equal && splits(w, plan);
    if (plan->short_chunk > 0 || plan->tail != P3D_TAIL_LAYERS)
        return false;
    spec_split_usually(plan);
    if (!said && splits(w, plan))
        return equal;
    if (plan->vp == 1)
        return equal && say_ends(w, plan);
    plan->uneven = true;
    return space_leaves(pins->uneven, 1) && splits(w, plan);
}

/** Whether any split of the layers makes a plan legal. */
static bool legal_somehow(tour *w, p3d_plan plan)
{
    return legal(w, &plan) || (say_ends(w, &plan) && legal(w, &plan));
}

static void tour_chunks(tour *w, p3d_plan plan)
{
    const int most =
            plan.pp > 1 ? (w->problem->model.n_layers + 2) / plan.pp : 1;

    plan.vp = 1;
    plan.micro_batch = spec_least_micro_batch(&w->problem->job);
    plan.zero = lowest_zero(w, &plan);
    plan.schedule = P3D_1F1B;
    w->grid_is_legal = !needs_chunks(w, &plan);
    if (w->grid_is_legal && !legal_somehow(w, plan))
        return; /* more chunks or larger micro batches only add rules */
    for (plan.vp = 1; plan.vp <= most && !w->stopped; plan.vp++) {
        if (space_allows(w->pins->vp, plan.vp) && lay_out(w, &plan))
            tour_schedules(w, plan);
    }
}

/** Expert grids: ep divides the experts, experts are split over the whole
 *  tensor-parallel group or not at all. */
static void tour_experts(tour *w, p3d_plan plan)
{
    search_divisors eps;

    if (w->problem->model.n_experts == 0) {
        plan.ep = 1;
        plan.etp = plan.tp;
        if (space_allows(w->pins->ep, 1) &&
                space_allows(w->pins->etp, plan.etp))
            tour_chunks(w, plan);
        return;
    }
    search_divisors_of(w->problem->model.n_experts, &eps);
    for (int i = 0; i < eps.n && !w->stopped; i++) {
        plan.ep = eps.at[i];
        if (!space_allows(w->pins->ep, plan.ep))
            continue;
        for (int t = 0; t < (plan.tp > 1 ? 2 : 1); t++) {
            plan.etp = t == 0 ? plan.tp : 1;
            if (space_allows(w->pins->etp, plan.etp))
                tour_chunks(w, plan);
        }
    }
}

/** With the i-th flag and without, where there is a choice, and the flags
 *  behind it. */
static void tour_flags(tour *w, p3d_plan plan, int i)
{
    if (i == P3D_N_FLAGS) {
        tour_experts(w, plan);
        return;
    }
    for (int on = spec_flag_may(&plan, i); on >= 0 && !w->stopped; on--) {
        spec_plan_set(&plan, spec_flags[i].key, on);
        if (space_leaves_flag(w->pins, i, on) &&
                space_lets_depart(w->problem, w->pins, &plan))
            tour_flags(w, plan, i + 1);
    }
}

/** How context-parallel ranks exchange: as the job says, or where it leaves
 *  that to the plan and the framework has both, heads among a part of them. */
static void tour_exchanges(tour *w, p3d_plan plan)
{
    const int usual = spec_head_ranks(&w->problem->job, plan.cp, 0);

    for (int heads = 1; heads <= plan.cp && !w->stopped; heads++) {
        plan.ulysses = heads != usual ? heads : 0;
        if (plan.cp % heads == 0 &&
                space_allows_ulysses(w->problem, w->pins, &plan))
            tour_flags(w, plan, 0);
    }
}

/** All ways to write n as tp * cp * pp * dp that the pins allow. */
static void tour_grids(tour *w, int n)
{
    const p3d_pins *pins = w->pins;
    const bool only_batch = w->problem->job.global_batch < n;
    search_divisors d;

    search_divisors_of(n, &d);
    for (int t = 0; t < d.n && !w->stopped; t++) {
        const int tp = d.at[t];

        if (!space_allows(pins->tp, tp) || tp > w->problem->model.n_heads)
            continue;
        for (int c = 0; c < d.n && tp * d.at[c] <= n && !w->stopped; c++) {
            const int cp = d.at[c];

            if (n % (tp * cp) != 0 || !space_allows(pins->cp, cp))
                continue;
            for (int p = 0; p < d.n && !w->stopped; p++) {
                const int pp = d.at[p];
                const int rest = n / (tp * cp);
                p3d_plan plan = {.tp = tp, .cp = cp, .pp = pp, .vp = 1};

                /* Embedding and loss may have a stage to themselves. */
                if (pp > rest || pp > w->problem->model.n_layers + 2)
                    break;
                plan.dp = rest / pp;
                if (rest % pp != 0 || !space_allows(pins->pp, pp) ||
                        !space_allows(pins->dp, plan.dp) ||
                        (only_batch && plan.dp > w->problem->job.global_batch))
                    continue;
                tour_exchanges(w, plan);
            }
        }
    }
}

int64_t space_tour(const p3d_problem *problem, const p3d_pins *pins,
        space_visit *visit, void *context, p3d_refusal *refusal)
{
    p3d_refusal ignored = {.rule = NULL};
    tour w = {.problem = problem,
            .pins = pins,
            .visit = visit,
            .context = context,
            .refusal = refusal != NULL ? refusal : &ignored};

    w.refusal->rule = NULL;
    search_divisors_of(problem->job.global_batch, &w.batches);
    for (int idle = 0; idle <= problem->job.max_idle_nodes && !w.stopped;
            idle++) {
        const int n_gpus = problem->cluster.n_gpus -
                           idle * problem->cluster.node.gpus_per_node;

        if (n_gpus > 0)
            tour_grids(&w, n_gpus);
    }
    return w.n_asked;
}

/* Pins that leave nothing. */

static bool is_free(const p3d_pins *pins, spec_plan_key key)
{
    return spec_pins_get(pins, key) == spec_plan_fields[key].free;
}

/** What follows from pinned values for those that are free. */
static void follow(const p3d_problem *p, const p3d_pins *pins, p3d_plan *plan)
{
    if (is_free(pins, P3D_KEY_vp) &&
            (is_free(pins, P3D_KEY_schedule) ||
                    pins->schedule == P3D_INTERLEAVED) &&
            pins->group > 0 && pins->pp != 1 &&
            p3d_schedule_offered(P3D_INTERLEAVED, p->job.framework))
        plan->vp = 2;
    if (is_free(pins, P3D_KEY_pp) && plan->vp > 1)
        plan->pp = 2;
    if (is_free(pins, P3D_KEY_cp) && plan->ulysses > 1)
        plan->cp = plan->ulysses;
    if (is_free(pins, P3D_KEY_etp))
        plan->etp = plan->tp;
    if (is_free(pins, P3D_KEY_zero))
        plan->zero = p->job.framework->usual_zero[pins->pp > 1];
    if (is_free(pins, P3D_KEY_zero) &&
            spec_compression_zero(&p->job.compression) >= 0)
        plan->zero = spec_compression_zero(&p->job.compression);
    for (int i = 0; i < P3D_N_FLAGS; i++) {
        if (is_free(pins, spec_flags[i].key))
            spec_flag_follow(plan, i);
    }
    if (is_free(pins, P3D_KEY_schedule) && plan->vp > 1)
        plan->schedule = P3D_INTERLEAVED;
}

/** The same of inputs that are to be shared out. */
static void share_out(
        const p3d_problem *p, const p3d_pins *pins, p3d_plan *plan)
{
    if (!p->job.partition_activations)
        return;
    if (is_free(pins, P3D_KEY_recompute))
        plan->recompute = P3D_RECOMPUTE_FULL;
    if (is_free(pins, P3D_KEY_tp) && p->cluster.n_gpus % 2 == 0)
        plan->tp = 2;
    if (is_free(pins, P3D_KEY_sequence_parallel))
        plan->sequence_parallel = false;
    if (is_free(pins, P3D_KEY_etp))
        plan->etp = plan->tp;
}

/** A plan with the pinned values, and all others as small as they can be. */
static p3d_plan smallest_plan(const p3d_problem *p, const p3d_pins *pins)
{
    p3d_plan plan;

    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        const spec_plan_key key = (spec_plan_key)i;

        spec_plan_set(&plan, key,
                is_free(pins, key) ? spec_plan_fields[i].least
                                   : spec_pins_get(pins, key));
    }
    if (plan.offload_frac >= 1)
        plan.offload_frac = 0;
    if (plan.recompute_layers == SPEC_ALL_LAYERS)
        plan.recompute_layers = 0;
    follow(p, pins, &plan);
    share_out(p, pins, &plan);
    return plan;
}

/** Sizes that do not divide the number of GPUs: first the rule that they break
 *  on a cluster that they would divide. */
void space_refuse_pins(
        const p3d_problem *p, const p3d_pins *pins, p3d_refusal *refusal)
{
    p3d_plan plan = smallest_plan(p, pins);
    p3d_cluster cluster = p->cluster;
    const int64_t inner = (int64_t)plan.tp * plan.pp * plan.cp * plan.dp;
    const bool divides = cluster.n_gpus % inner == 0;

    if (divides && pins->dp == 0)
        plan.dp = (int)(cluster.n_gpus / inner);
    else if (!divides && inner <= P3D_MAX_GPUS)
        cluster.n_gpus = (int)inner;
    (void)p3d_plan_legal(&p->model, &cluster, &p->job, &plan, refusal);
    if (refusal->rule == NULL && pins->recompute_group > 1 &&
            (p->job.framework->lacks & P3D_LACKS_ODD_GROUPS) != 0) {
        refusal->rule = "F2";
        (void)snprintf(refusal->reason, sizeof(refusal->reason),
                "recompute=uniform:%d: groups of %s divide the layers of each "
                "chunk, and no search looks for that; estimate the one plan",
                pins->recompute_group, p->job.framework->name);
        return;
    }
    if (refusal->rule != NULL || divides)
        return;
    refusal->rule = "A1";
    (void)snprintf(refusal->reason, sizeof(refusal->reason),
            "tp=%d x pp=%d x cp=%d x dp=%d does not divide %d GPUs", plan.tp,
            plan.pp, plan.cp, plan.dp, p->cluster.n_gpus);
}
