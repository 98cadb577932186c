/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recommend.c - of all sure plans that are about as fast as any the simplest,
 * then the roomiest, then the fastest.
 *
 * Every question is an exact search of its own, in a space that each answer
 * makes smaller: is there a plan within the limit without the gravest departure
 * that is left? A plan that is found may do without many at once. */
#include "plan3d/recommend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "search/exact/engine.h"
#include "spec/given.h"
#include "spec/legality.h"

/* The time of the limit itself is within it, however it was rounded. */
static const double rounding = 1e-12;

enum { ALL_DEPARTURES = (1 << P3D_N_DEPARTURES) - 1 };

/** Questions about the plans within a limit. */
typedef struct chooser {
    search_order order; /* of the next question */
    p3d_pins pins;
    p3d_search_result *found;
    p3d_estimate paper; /* the fastest that fits by the estimate, if it was
                           looked for; else zero */
    search_facts facts; /* of the first search, then sifted */
    bool out_of_memory;
    bool failed; /* that, or somebody stopped it: nothing is known */
} chooser;

/** Ask for a plan without some departures that takes no more than so much.
 *  @return NULL where there is none, or nothing is known */
static const p3d_estimate *ask(
        chooser *c, search_aim aim, unsigned without, int64_t usable_bytes)
{
    const unsigned asked = c->pins.without;
    const p3d_estimate *const e = &c->found->top[0];

    if (c->failed)
        return NULL;
    c->order.aim = aim;
    c->order.usable_bytes = usable_bytes;
    c->pins.without |= without;
    c->out_of_memory = !search_run(&c->order, c->found, NULL);
    c->failed = c->out_of_memory || c->found->interrupted;
    c->pins.without = asked;
    return !c->failed && c->found->n_top > 0 &&
                           p3d_time_step_s(&e->time) <= c->order.limit_s
                   ? e
                   : NULL;
}

/** Leave out of the facts what is too slow or too large as a whole: all that is
 *  left is looked at by each further question. */
static void sift(chooser *c, int64_t usable_bytes)
{
    search_facts sifted = {.n_spots = 0};

    if (c->failed || c->facts.incomplete)
        return;
    c->order.told = &sifted;
    (void)ask(c, SEARCH_SIFT, 0, usable_bytes);
    c->order.told = NULL;
    if (sifted.incomplete) {
        search_facts_free(&sifted);
        return;
    }
    search_facts_free(&c->facts);
    c->facts = sifted;
}

/** The departures of the simplest plans within the limit, one of which has
 *  these: bit by bit, the gravest first, whether any does without. */
static unsigned fewest_departures(
        chooser *c, unsigned some, int64_t usable_bytes)
{
    unsigned needed = 0;
    unsigned above = 0; /* the graver ones, which are settled */

    if (some == 0 || ask(c, SEARCH_QUICK, ALL_DEPARTURES, usable_bytes) != NULL)
        return 0;
    sift(c, usable_bytes);
    for (int i = 0; i < P3D_N_DEPARTURES; i++) {
        const unsigned bit = p3d_departure_bit(i);
        const p3d_estimate *simpler = NULL;

        above |= bit;
        if ((some & bit) == 0)
            continue;
        simpler = ask(c, SEARCH_QUICK, above & ~needed, usable_bytes);
        if (simpler != NULL)
            some = spec_departures(c->order.problem, &simpler->plan);
        else
            needed |= bit;
    }
    return needed;
}

/** The plan without some departures that an aim picks; *out stays where there
 *  is none, or nothing is known. */
static void take(chooser *c, search_aim aim, unsigned without,
        int64_t usable_bytes, p3d_estimate *out)
{
    const p3d_estimate *const e = ask(c, aim, without, usable_bytes);

    if (e != NULL)
        *out = *e;
}

/** The simplest plan, of these the roomiest, of these the fastest. */

static void take_simplest(chooser *c, int64_t usable_bytes, p3d_estimate *out)
{
    const unsigned without =
            ALL_DEPARTURES &
            ~fewest_departures(c, spec_departures(c->order.problem, &out->plan),
                    usable_bytes);

    take(c, SEARCH_ROOMIEST, without, usable_bytes, out);
    take(c, SEARCH_FASTEST, without, p3d_memory_device_bytes(&out->memory),
            out);
}

/** The fastest plan without departures, however long it takes: what the facts
 *  say of plans within the limit does not help. */
static void take_usual(
        chooser *c, int64_t usable_bytes, p3d_recommendation *out)
{
    const p3d_estimate *usual;

    c->order.known = NULL;
    c->order.limit_s = HUGE_VAL;
    usual = ask(c, SEARCH_FASTEST, ALL_DEPARTURES, usable_bytes);
    out->have_usual = usual != NULL;
    if (usual != NULL)
        out->usual = *usual;
}

/** True when a plan has to be found for its own sake. */
static bool wants(const p3d_recommend_options *options, p3d_objective objective)
{
    return !options->alone || options->objective == objective;
}

static void choose(chooser *c, const p3d_recommend_options *options,
        const p3d_search_result *fastest, p3d_recommendation *out)
{
    const p3d_problem *const p = c->order.problem;
    const bool sure = out->verdict == P3D_VERDICT_FITS;
    const int64_t usable_bytes =
            sure ? p3d_sure_bytes(p) : search_paper_bytes(p);

    out->recommended = out->fastest = out->roomiest = fastest->top[0];
    if (sure && wants(options, P3D_OBJECTIVE_RECOMMENDED)) {
        take_simplest(c, usable_bytes, &out->recommended);
        out->roomiest = out->recommended;
    }
    if (!sure || wants(options, P3D_OBJECTIVE_ROOMIEST))
        take(c, SEARCH_ROOMIEST, 0,
                p3d_memory_device_bytes(&out->roomiest.memory) - 1,
                &out->roomiest);
    if (!sure)
        out->recommended = out->roomiest;
    if (sure && c->paper.tokens_per_s > 0)
        out->fastest = c->paper;
    out->departures = spec_departures(p, &out->recommended.plan);
    if (sure && options->usual && out->departures != 0)
        take_usual(c, usable_bytes, out);
}

/** The plan that was asked for. */
static const p3d_estimate *chosen(
        const p3d_recommendation *from, p3d_objective objective)
{
    return objective == P3D_OBJECTIVE_RECOMMENDED ? &from->recommended
           : objective == P3D_OBJECTIVE_FASTEST   ? &from->fastest
           : objective == P3D_OBJECTIVE_ROOMIEST  ? &from->roomiest
                                                  : NULL;
}

/** Put a plan before the list, from which a plan of its family goes. */
static void put_first(
        p3d_search_result *list, int n_most, const p3d_estimate *e)
{
    int at = 0;

    while (at < list->n_top &&
            !search_same_family(&list->top[at].plan, &e->plan))
        at++;
    if (at == list->n_top && list->n_top < n_most)
        list->n_top++;
    if (at == list->n_top)
        at--;
    memmove(&list->top[1], &list->top[0], (size_t)at * sizeof(list->top[0]));
    list->top[0] = *e;
}

/** True when the search has kept plans, none of which is within its limit. */
static bool is_late(
        const p3d_recommend_options *options, const p3d_search_result *found)
{
    const double limit_s = options->search.limit_s;

    return found->n_top > 0 && limit_s > 0 && found->fastest_s > limit_s;
}

/** The fastest plans: sure ones, else those that fit by the estimate. */
static bool find_fastest(chooser *c, const p3d_recommend_options *options,
        p3d_search_result *out, p3d_verdict *verdict, p3d_error *err)
{
    const p3d_problem *const problem = c->order.problem;
    const bool both = wants(options, P3D_OBJECTIVE_FASTEST) &&
                      search_paper_bytes(problem) > p3d_sure_bytes(problem);
    const search_besides besides = {.paper = both ? &c->paper : NULL,
            .facts = &c->facts,
            .uncounted = options->only_sure};
    p3d_problem paper;

    *verdict = P3D_VERDICT_FITS;
    if (!search_both(problem, &c->pins, &options->search, besides, out))
        return p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
    if (options->only_sure && is_late(options, out))
        out->n_top = 0;
    if (out->n_top > 0 || out->interrupted || options->only_sure ||
            problem->job.sure_reserve_bytes <= problem->job.reserve_bytes) {
        *verdict = out->n_top > 0 ? P3D_VERDICT_FITS : P3D_VERDICT_DOES_NOT_FIT;
        return true;
    }
    paper = *problem;
    paper.job.sure_reserve_bytes = 0;
    if (!p3d_search_with(&paper, &c->pins, &options->search, out, err))
        return false;
    /* Sure is what the job asks for, and no plan of the first search was. */
    for (int i = 0; i < out->n_top; i++)
        out->top[i].sure = false;
    *verdict = out->n_top > 0 ? P3D_VERDICT_BARELY : P3D_VERDICT_DOES_NOT_FIT;
    return true;
}

bool search_recommend_asked(
        const p3d_problem *problem, const p3d_recommend_options *options)
{
    return spec_problem_given(problem) && options != NULL &&
           (options->pins == NULL || spec_pins_given(options->pins)) &&
           options->search.n_top >= 1 && options->search.n_top <= P3D_MAX_TOP &&
           !isnan(options->search.limit_s) && !isnan(options->chosen_limit_s) &&
           options->within_frac >= 0 && isfinite(options->within_frac) &&
           (unsigned)options->objective < P3D_N_OBJECTIVES;
}

/** Choose among what fits. @return false when memory ran out */
static bool choose_all(chooser *c, const p3d_recommend_options *options,
        p3d_search_result *out, p3d_recommendation *recommendation)
{
    const p3d_estimate *first;

    c->found = malloc(sizeof(*c->found));
    if (c->found == NULL)
        return false;
    c->order.pins = &c->pins;
    c->order.known =
            recommendation->verdict == P3D_VERDICT_FITS ? &c->facts : NULL;
    c->order.limit_s = recommendation->limit_s;
    choose(c, options, out, recommendation);
    first = chosen(recommendation, options->objective);
    if (first != NULL)
        put_first(out, options->search.n_top, first);
    out->interrupted = out->interrupted || c->failed;
    free(c->found);
    return !c->out_of_memory;
}

/** Step time that the choice keeps to, as it was asked for. */
static double asked_limit_s(const p3d_recommend_options *options, double best_s)
{
    const double chosen_s = options->chosen_limit_s;

    if (chosen_s > 0)
        return best_s <= chosen_s ? chosen_s : HUGE_VAL;
    return options->search.limit_s > 0 ? options->search.limit_s : HUGE_VAL;
}

/** Step time that simpler and roomier plans keep to. */
static double limit_s(const p3d_recommend_options *options,
        const p3d_recommendation *recommendation)
{
    const double best_s = recommendation->best_s;
    const double within_s = best_s * (1 + options->within_frac + rounding);
    const double asked_s = asked_limit_s(options, best_s);

    return recommendation->verdict == P3D_VERDICT_FITS ? fmin(within_s, asked_s)
                                                       : asked_s;
}

bool p3d_recommend(const p3d_problem *problem,
        const p3d_recommend_options *options, p3d_search_result *out,
        p3d_recommendation *recommendation, p3d_error *err)
{
    p3d_search_cache own = {.n_entries = 0};
    p3d_recommend_options shared;
    chooser c;
    bool ok;

    if (!search_recommend_asked(problem, options) || out == NULL ||
            recommendation == NULL)
        return p3d_misuse(err, __func__);
    shared = *options;
    if (shared.search.cache == NULL)
        shared.search.cache = &own;
    c = (chooser){.order = {.problem = problem,
                          .n_top = 1,
                          .cache = shared.search.cache,
                          .watch = shared.search.watch},
            .pins = options->pins != NULL ? *options->pins : p3d_pins_free(),
            .facts = {.within_frac = shared.within_frac + 2 * rounding}};
    *recommendation = (p3d_recommendation){.verdict = P3D_VERDICT_DOES_NOT_FIT};
    ok = find_fastest(&c, &shared, out, &recommendation->verdict, err);
    if (ok && out->n_top > 0) {
        recommendation->best_s = out->fastest_s;
        recommendation->limit_s = limit_s(&shared, recommendation);
        ok = choose_all(&c, &shared, out, recommendation) ||
             p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
    }
    search_facts_free(&c.facts);
    search_cache_free(&own);
    return ok;
}

bool p3d_recommended_before(const p3d_problem *problem, const p3d_estimate *a,
        const p3d_estimate *b)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(a) ||
            !spec_estimate_given(b))
        return false;

    const unsigned da = spec_departures(problem, &a->plan);
    const unsigned db = spec_departures(problem, &b->plan);
    const int64_t ma = p3d_memory_device_bytes(&a->memory);
    const int64_t mb = p3d_memory_device_bytes(&b->memory);

    if (da != db)
        return da < db;
    if (ma != mb)
        return ma < mb;
    return p3d_time_step_s(&a->time) < p3d_time_step_s(&b->time);
}

static bool same_time(double a_s, double b_s)
{
    /* Sums in another order are as far apart, too. */
    return fabs(a_s - b_s) <= rounding * b_s;
}

bool p3d_recommendation_agrees(const p3d_problem *problem,
        const p3d_recommendation *recommendation, int64_t n_plans,
        const p3d_verification *fastest, const p3d_verification *recommended)
{
    const p3d_estimate *a, *b;

    if (recommendation == NULL || fastest == NULL || recommended == NULL ||
            fastest->interrupted || recommended->interrupted ||
            fastest->n_plans != n_plans ||
            fastest->have_best != (recommendation->verdict == P3D_VERDICT_FITS))
        return false;
    if (!fastest->have_best)
        return true;
    a = &recommendation->recommended;
    b = &recommended->best;
    return same_time(recommendation->best_s,
                   p3d_time_step_s(&fastest->best.time)) &&
           p3d_plan_departures(problem, &a->plan) ==
                   p3d_plan_departures(problem, &b->plan) &&
           p3d_memory_device_bytes(&a->memory) ==
                   p3d_memory_device_bytes(&b->memory) &&
           same_time(p3d_time_step_s(&a->time), p3d_time_step_s(&b->time));
}

p3d_verdict p3d_estimate_verdict(const p3d_estimate *estimate)
{
    return estimate == NULL || !estimate->fits ? P3D_VERDICT_DOES_NOT_FIT
           : estimate->sure                    ? P3D_VERDICT_FITS
                                               : P3D_VERDICT_BARELY;
}

const char *p3d_verdict_words(p3d_verdict verdict)
{
    static const char *const words[] = {"FITS", "FITS, BARELY", "DOES NOT FIT"};

    return P3D_HAS(words, (int)verdict) ? words[verdict] : "";
}

const char *p3d_verdict_name(p3d_verdict verdict)
{
    static const char *const names[] = {"fits", "fits_barely", "does_not_fit"};

    return P3D_HAS(names, (int)verdict) ? names[verdict] : "";
}

const char *p3d_objective_name(p3d_objective objective)
{
    static const char *const names[] = {
            "recommended", "fastest", "roomiest", "cheapest"};

    return P3D_HAS(names, (int)objective) ? names[objective] : "";
}
