/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advise.c - the greedy walk of an experienced engineer: make it fit, then
 * make it fast, one move at a time (moves.c). A step is a move that was looked
 * at. What people do not choose by hand (how much is recomputed, how layers are
 * shared out, how many chunks) an exact search settles after each move. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/recommend.h"
#include "plan3d/units.h"
#include "search/advice/moves.h"
#include "spec/companion.h"
#include "spec/given.h"
#include "spec/plan_words.h"

/* Of a step; who gains less takes a move back. What goes to the host has to
 * gain more, what comes back from there nothing. */
static const double least_gain_frac = 0.002;
static const double host_gain_frac = P3D_WITHIN_FRAC;

/* Of a step; shorter terms suggest no move. */
static const double least_term_frac = 0.002;

/** A walk that is under way. */
typedef struct walker {
    const p3d_problem *problem;
    p3d_advice *out;
    p3d_search_cache *cache;
    p3d_search_result *found; /* of the last search */
    p3d_memory_item *items;   /* of the last peak */
    int at;                   /* the step whose plan the walk goes on from */
    bool failed;              /* memory ran out */
} walker;

/* Steps. */

/** Append a step; NULL when there is no room for more. */
static p3d_advice_step *add_step(walker *w, const char *decision)
{
    p3d_advice_step *step;

    if (w->out->n_steps >= P3D_MAX_ADVICE_STEPS)
        return NULL;
    step = &w->out->steps[w->out->n_steps++];
    *step = (p3d_advice_step){.legal = false};
    (void)p3d_copy(step->decision, sizeof(step->decision), decision);
    return step;
}

static void P3D_PRINTF(2, 3) say(p3d_advice_step *step, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(step->reason, sizeof(step->reason), fmt, args);
    va_end(args);
}

static double step_s(const p3d_advice_step *step)
{
    return p3d_time_step_s(&step->estimate.time);
}

static int64_t need_bytes(const p3d_advice_step *step)
{
    return p3d_memory_device_bytes(&step->estimate.memory);
}

static bool is_sure(const p3d_advice_step *step)
{
    return step->legal && step->estimate.sure;
}

static const p3d_advice_step *current(const walker *w)
{
    return &w->out->steps[w->at];
}

/** Go on from a step that was just added. */
static void accept(walker *w, p3d_advice_step *step)
{
    step->accepted = true;
    w->at = (int)(step - w->out->steps);
}

/* What a person reads. */

/** "622 GiB", "79.2 GiB": three digits. */
static const char *print_gib(char *buffer, size_t n, int64_t n_bytes)
{
    const double gib = (double)n_bytes / P3D_GIB;

    (void)snprintf(buffer, n, "%.*f GiB", (gib < 99.95) + (gib < 9.995), gib);
    return buffer;
}

/** The largest tensor of a peak: "logits 3.91 GiB". */
static void name_largest(
        walker *w, const p3d_estimate *e, char *buffer, size_t n)
{
    const int n_items =
            p3d_estimate_items(w->problem, &e->plan, e->tight_stage, w->items);
    int most = 0;
    char bytes[32];

    for (int i = 1; i < n_items; i++) {
        if (w->items[i].bytes > w->items[most].bytes)
            most = i;
    }
    buffer[0] = '\0';
    if (n_items == 0)
        return;
    (void)snprintf(buffer, n, "; the largest: %.40s, %s, %.0f %%",
            w->items[most].name,
            print_gib(bytes, sizeof(bytes), w->items[most].bytes),
            100.0 * (double)w->items[most].bytes /
                    (double)p3d_memory_device_bytes(&e->memory));
}

/** What a plan that does not fit lacks, as a person would say it. */
static void say_missing(walker *w, p3d_advice_step *step, const char *why)
{
    const p3d_estimate *const e = &step->estimate;
    char need[32], have[32], largest[96];

    if (!step->legal) {
        say(step, "%s; not possible: %s", why, step->refusal.reason);
        return;
    }
    (void)print_gib(need, sizeof(need), need_bytes(step));
    (void)print_gib(have, sizeof(have), e->usable_bytes);
    name_largest(w, e, largest, sizeof(largest));
    if (e->sure)
        say(step, "%s: stage %d needs %s of %s: it fits", why, e->tight_stage,
                need, have);
    else if (e->fits)
        say(step, "%s: stage %d needs %s of %s: too little is left to be sure",
                why, e->tight_stage, need, have);
    else if (p3d_estimate_margin_bytes(e) < 0)
        say(step, "%s: stage %d needs %s of %s: out of memory%s", why,
                e->tight_stage, need, have, largest);
    else
        say(step, "%s: fits the GPU, but the host memory is too small", why);
}

/** Write the number that suggests a move.
 *  @return false where it is too small to */
static bool say_why(const search_hastener *h, const p3d_estimate *now,
        char *buffer, size_t n)
{
    double sum_s = 0, one_s;

    if (h->n_terms == 0) {
        (void)snprintf(buffer, n, "as %.1f GiB are free",
                (double)p3d_estimate_margin_bytes(now) / P3D_GIB);
        return true;
    }
    for (int i = 0; i < h->n_terms; i++) {
        memcpy(&one_s, (const char *)&now->time + h->at[i], sizeof(one_s));
        sum_s += one_s;
    }
    (void)snprintf(buffer, n, "to save %s, %.1f %% of the step", h->terms,
            100 * sum_s / p3d_time_step_s(&now->time));
    return sum_s > least_term_frac * p3d_time_step_s(&now->time);
}

/* Plans. */

/** What a move decides of a plan; the rest is settled. */
static p3d_pins pins_of(const p3d_plan *plan)
{
    static const spec_plan_key decided[] = {P3D_KEY_tp, P3D_KEY_pp, P3D_KEY_dp,
            P3D_KEY_cp, P3D_KEY_ep, P3D_KEY_etp, P3D_KEY_micro_batch,
            P3D_KEY_zero, P3D_KEY_sequence_parallel, P3D_KEY_schedule,
            P3D_KEY_offload, P3D_KEY_offload_nvme,
            P3D_KEY_activation_offload_frac};
    p3d_pins pins = p3d_pins_free();

    for (int i = 0; i < P3D_COUNT_OF(decided); i++)
        spec_pins_set(&pins, decided[i], spec_plan_get(plan, decided[i]));
    pins.lenient = true;
    return pins;
}

/** Settle a plan: of those with the same decisions the one to recommend, else
 *  the one that misses the fewest bytes. Where none is legal, say why. */
static void settle(walker *w, const p3d_plan *plan, p3d_advice_step *step)
{
    const p3d_pins pins = pins_of(plan);
    const p3d_recommend_options options = {.pins = &pins,
            .search = {.n_top = 1, .cache = w->cache},
            .within_frac = P3D_WITHIN_FRAC,
            .alone = true};
    p3d_recommendation got;

    step->estimate.plan = *plan;
    if (!p3d_recommend(w->problem, &options, w->found, &got, NULL)) {
        w->failed = true;
        return;
    }
    step->legal = w->found->n_top > 0 || w->found->have_closest;
    if (w->found->n_top > 0)
        step->estimate = got.recommended;
    else if (w->found->have_closest)
        step->estimate = w->found->closest;
    else if (p3d_estimate_plan(
                     w->problem, plan, &step->estimate, &step->refusal))
        step->refusal = w->found->empty;
    if (!step->legal && step->refusal.rule == NULL)
        step->refusal.rule = "space";
}

/** True when a step has looked at this very plan. */
static bool was_tried(const walker *w, const p3d_plan *plan)
{
    for (int i = 0; i < w->out->n_steps; i++) {
        if (spec_plan_compare(&w->out->steps[i].estimate.plan, plan) == 0)
            return true;
    }
    return false;
}

/** Look at a move from a plan.
 *  @return NULL where it changes nothing that is new, or there is no room */
static p3d_advice_step *look(
        walker *w, const p3d_plan *from, search_move_apply *apply)
{
    search_move move = {.problem = w->problem, .plan = *from};
    p3d_advice_step got = {.legal = false};
    p3d_advice_step *step;

    if (p3d_stopped() || !apply(&move))
        return NULL;
    settle(w, &move.plan, &got);
    if (w->failed || p3d_stopped() || was_tried(w, &got.estimate.plan))
        return NULL;
    move.plan = got.estimate.plan;
    search_name_settled(&move, from);
    step = add_step(w, move.decision);
    if (step == NULL)
        return NULL;
    (void)p3d_copy(got.decision, sizeof(got.decision), move.decision);
    *step = got;
    return step;
}

/* Where the walk starts. */

static p3d_plan first_plan(const p3d_problem *problem, int tp, int pp)
{
    return (p3d_plan){.tp = tp,
            .pp = pp,
            .dp = problem->cluster.n_gpus / tp / pp,
            .cp = 1,
            .ep = 1,
            .etp = tp,
            .vp = 1,
            .micro_batch = spec_least_micro_batch(&problem->job),
            .zero = problem->job.framework->zero_stages & 2u ? 1 : 2,
            .sequence_parallel = tp > 1,
            .recompute = P3D_RECOMPUTE_FULL};
}

/** The fewest stages, and of these the largest tensor parallelism inside a
 *  node, that are legal. */
static p3d_plan usual_start(const p3d_problem *p)
{
    const int n = p->cluster.n_gpus;
    const int node = p->cluster.node.gpus_per_node < n
                             ? p->cluster.node.gpus_per_node
                             : n;

    for (int pp = 1; pp <= p->model.n_layers; pp++) {
        for (int tp = node; tp >= 1; tp--) {
            const p3d_plan plan = first_plan(p, tp, pp);

            if (n % (tp * pp) == 0 && p3d_plan_legal(&p->model, &p->cluster,
                                              &p->job, &plan, NULL))
                return plan;
        }
    }
    return first_plan(p, 1, 1);
}

/** @return false where the first plan is not legal */
static bool start(walker *w, const p3d_plan *from)
{
    const p3d_plan plan = from != NULL ? *from : usual_start(w->problem);
    p3d_advice_step *const step = add_step(w, "start");

    P3D_ASSERT(step != NULL);
    step->estimate.plan = plan;
    step->legal = p3d_estimate_plan(
            w->problem, &plan, &step->estimate, &step->refusal);
    say_missing(w, step,
            from != NULL ? "the plan that was given"
                         : "TP over the GPUs of a node, ZeRO-1, recomputation "
                           "of every layer, micro-batch 1");
    if (step->legal)
        accept(w, step);
    return step->legal;
}

/* First half: make it fit. */

/** The accepted step that needs the least of those that need more than so
 *  much; -1 = none. */
static int next_smallest(const walker *w, int64_t more_than_bytes)
{
    int best = -1;

    for (int i = 0; i < w->out->n_steps; i++) {
        const p3d_advice_step *const step = &w->out->steps[i];

        if (step->accepted && need_bytes(step) > more_than_bytes &&
                (best < 0 ||
                        need_bytes(step) < need_bytes(&w->out->steps[best])))
            best = i;
    }
    return best;
}

/** Try a saver from a step. Why it is not possible is told once, where the walk
 *  is.
 *  @return the step where it was possible, else NULL */
static p3d_advice_step *try_saver(
        walker *w, const search_saver *saver, int from)
{
    const p3d_plan plan = w->out->steps[from].estimate.plan;
    p3d_advice_step *const step = look(w, &plan, saver->apply);
    char why[128];

    if (step == NULL)
        return NULL;
    if (!step->legal && from != w->at) {
        w->out->n_steps--;
        return NULL;
    }
    (void)snprintf(why, sizeof(why),
            w->out->steps[from].accepted && from != w->at
                    ? "from an earlier plan: %.60s"
                    : "%.60s",
            saver->why);
    say_missing(w, step, why);
    return step->legal ? step : NULL;
}

/** Make a move, as often as it may be: one stage more may take what the ZeRO
 *  stage gave that it does not go with, and the next gives it back. The walk
 *  goes on from what needs less than any plan before.
 *  @return false where the move was not possible at all */
static bool try_often(walker *w, const search_saver *saver, int from)
{
    int64_t least_bytes = need_bytes(current(w));
    p3d_advice_step *step = try_saver(w, saver, from);
    const bool possible = step != NULL;

    while (step != NULL) {
        from = (int)(step - w->out->steps);
        if (step->estimate.sure || need_bytes(step) < least_bytes) {
            least_bytes = need_bytes(step);
            accept(w, step);
        }
        step = saver->repeat && !step->estimate.sure ? try_saver(w, saver, from)
                                                     : NULL;
    }
    return possible;
}

/** Try a saver from where the walk is; where that is not possible, from the
 *  earlier plans, the smallest first: what is refused here may not be there. */
static void try_from_all(walker *w, const search_saver *saver)
{
    int64_t tried_bytes = -1;
    int from;

    if (try_often(w, saver, w->at))
        return;
    while ((from = next_smallest(w, tried_bytes)) >= 0) {
        tried_bytes = need_bytes(&w->out->steps[from]);
        if (from != w->at && try_often(w, saver, from))
            return;
    }
}

/** Rounds of moves that save memory, until a whole round saves none. */
static bool make_it_fit(walker *w)
{
    int n, before;
    const search_saver *const savers = search_savers(&n);

    do {
        before = w->at;
        for (int i = 0; i < n && !is_sure(current(w)); i++)
            try_from_all(w, &savers[i]);
    } while (w->at != before && !is_sure(current(w)));
    return is_sure(current(w));
}

/* Second half: make it fast. */

/** True when a step gains enough over the one before. */
static bool is_worth(const p3d_advice_step *before, const p3d_advice_step *step)
{
    const int host = (int)step->estimate.plan.offload -
                     (int)before->estimate.plan.offload;
    const double least_frac = host > 0   ? host_gain_frac
                              : host < 0 ? 0
                                         : least_gain_frac;

    return step_s(step) < step_s(before) * (1 - least_frac);
}

/** Try one move that may save time; keep it when it fits and is faster. */
static bool try_faster(walker *w, const search_hastener *hastener)
{
    const p3d_advice_step *const before = current(w);
    char why[128];
    p3d_advice_step *step;

    if (!say_why(hastener, &before->estimate, why, sizeof(why)))
        return false;
    step = look(w, &before->estimate.plan, hastener->apply);
    if (step == NULL)
        return false;
    if (!is_sure(step)) {
        say_missing(w, step, why);
        return false;
    }
    if (is_worth(before, step))
        accept(w, step);
    say(step, "%s: %.3g s -> %.3g s, %s", why, step_s(before), step_s(step),
            step->accepted                  ? "kept"
            : step_s(step) < step_s(before) ? "undone: it gains too little"
                                            : "undone: it is slower");
    return step->accepted;
}

/** Rounds of moves until a whole round gains nothing. */
static void make_it_fast(walker *w)
{
    int n;
    const search_hastener *const hasteners = search_hasteners(&n);
    bool gained = true;

    while (gained) {
        gained = false;
        for (int i = 0; i < n; i++)
            gained = try_faster(w, &hasteners[i]) || gained;
    }
}

bool p3d_advise(const p3d_problem *problem, const p3d_plan *from,
        p3d_advice *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || out == NULL ||
            (from != NULL && !spec_plan_words_given(from)))
        return p3d_misuse(err, __func__);

    walker w = {.problem = problem,
            .out = out,
            .cache = p3d_search_cache_create(NULL),
            .found = malloc(sizeof(*w.found)),
            .items = malloc(P3D_MAX_MEMORY_ITEMS * sizeof(*w.items))};

    out->n_steps = 0;
    out->best = -1;
    w.failed = w.cache == NULL || w.found == NULL || w.items == NULL;
    if (!w.failed && start(&w, from) &&
            (is_sure(current(&w)) || make_it_fit(&w))) {
        make_it_fast(&w);
        out->best = w.at;
    }
    p3d_search_cache_destroy(w.cache);
    free(w.found);
    free(w.items);
    return !w.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}
