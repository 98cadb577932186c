/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_sensitivity.c - how sure the choice of a plan is, in text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "plan3d/units.h"
#include "report/sensitivity.h"
#include "report/text/layout.h"
#include "report/text/text.h"

enum { MOST_PLANS = 10 };

/* Plans that are the fastest in fewer draws are listed only when something
 * refers to them. */
static const double RARE_FRAC = 0.01;

static void print_head(const report_document *d, p3d_text *out)
{
    const report_sensitivity *s = d->sensitivity;
    char verdict[64];

    snprintf(verdict, sizeof(verdict),
            report_say(out->style, "WITHIN %.0f %% OF THE FASTEST"),
            100 * s->found.near_limit_frac);
    report_paint_words(REPORT_HEAD, verdict, out);
    report_add(out,
            " in %.1f %% of %s draws of the "
            "constants, the fastest in %.1f %%\n",
            100 * s->found.near_frac,
            report_integer_words(s->found.n_draws).text,
            100 * s->found.rivals[0].win_frac);
    if (s->fastest != 1)
        report_wrap_labelled("asked", out,
                "a plan that is sure to fit, simple, and at most %.3g %% "
                "slower than the fastest, not the fastest itself",
                100 * s->found.near_limit_frac);
    report_text_plan(d->estimate, out);
    report_text_question(d, out);
}

/** "x 1.53 (plan 4)" or "-". */
static report_words switch_words(report_switch at, p3d_style style)
{
    return report_known_words(at.number != 0,
            report_say(style, "x %.3g (plan %d)"), at.factor, at.number);
}

/** What happens to the choice at a switch. */
static const char *verb(const report_sensitivity *s)
{
    return s->fastest == 1 ? "lost" : "won";
}

static void print_constants(const report_sensitivity *s, p3d_text *out)
{
    const report_effect *effects = s->constants.items;
    report_table table;

    report_table_begin(&table, out->style, "lrrrrr");
    report_table_row(&table,
            "constant\terror %%\tstep %%/%%\t%s at less\tat more\tknowing "
            "saves %%",
            report_say(out->style, verb(s)));
    for (int i = 0; i < s->constants.n; i++) {
        const report_effect *e = &effects[i];

        if (report_is_idle(e))
            continue;
        report_table_row(&table, "%s\t%.1f\t%.2f\t%s\t%s\t%s",
                report_say(out->style, e->name),
                100 * (p3d_exp(e->found.sigma) - 1), e->found.elasticity,
                switch_words(e->less, table.style).text,
                switch_words(e->more, table.style).text,
                report_known_words(
                        report_pays(e), "%.2f", 100 * e->found.worth_frac)
                        .text);
    }
    report_table_print(&table, out);
}

static void print_legend(const report_sensitivity *s, p3d_text *out)
{
    p3d_text words = {.style = out->style};

    report_add(&words,
            "(error: 1 standard deviation; step: its change in %% per %% of "
            "the "
            "constant; %s: factor on the constant (2 = takes twice as long) "
            "from which %s, - = never within x %.4g to x %.4g; knowing saves: "
            "expected regret that a measurement takes away, - = no more than "
            "noise)",
            report_say(out->style, verb(s)),
            report_say(out->style, s->fastest == 1
                                           ? "that plan is faster"
                                           : "this plan is the fastest"),
            1 / P3D_WIDEST_FACTOR, P3D_WIDEST_FACTOR);
    report_wrap_text(&words, 0, out);
}

static void print_idle(const report_sensitivity *s, p3d_text *out)
{
    p3d_text words = {.style = out->style};

    for (int i = 0; i < s->constants.n; i++)
        if (report_is_idle(&s->effects[i]))
            p3d_text_add(&words, "%s%s",
                    words.length > 0 ? report_say(out->style, ", ") : "",
                    report_say(out->style, s->effects[i].name));
    if (words.length > 0)
        report_wrap_labelled("no role", out,
                "%s: the step of this plan does not depend on them",
                p3d_text_get(&words));
    report_text_free(&words, out);
}

/** True when the text says something about a plan by its number. */
static bool is_named(const report_sensitivity *s, int number)
{
    const report_effect *effects = s->constants.items;

    for (int i = 0; i < s->constants.n; i++)
        if (effects[i].less.number == number ||
                effects[i].more.number == number)
            return true;
    return number == 1 || number == s->safest || number == s->fastest;
}

static void print_plans(const report_sensitivity *s, p3d_text *out)
{
    const report_rival *rivals = s->plans.items;
    const double fastest_s = rivals[s->fastest - 1].found.step_s;
    report_table table;
    int n_often = 0;

    report_table_begin(&table, out->style, "rlrrr");
    report_table_row(&table,
            "plan\tof the %d compared\tslower %%\tfastest %%\tregret %%",
            s->plans.n);
    for (int i = 0; i < s->plans.n; i++) {
        const report_rival *r = &rivals[i];
        const bool often =
                r->found.win_frac >= RARE_FRAC && n_often < MOST_PLANS;

        n_often += often;
        if (!often && !is_named(s, r->number))
            continue;
        report_table_row(&table, "%d\t%s\t%.2f\t%.1f\t%.2f", r->number,
                r->words, 100 * (r->found.step_s / fastest_s - 1),
                100 * r->found.win_frac, 100 * r->found.regret_frac);
    }
    report_table_print(&table, out);
}

static const report_effect *effect_named(
        const report_sensitivity *s, const char *name)
{
    for (int i = 0; i < s->constants.n; i++)
        if (strcmp(s->effects[i].name, name) == 0)
            return &s->effects[i];
    return NULL;
}

static void print_advice(const report_sensitivity *s, p3d_text *out)
{
    const report_rival *safest = &s->rivals[s->safest - 1];
    const report_effect *first =
            s->measure_first != NULL ? effect_named(s, s->measure_first) : NULL;

    if (s->safest != 1)
        report_wrap_labelled("steady", out,
                "plan %d, whose expected regret is %.2f %% instead of %.2f %%",
                s->safest, 100 * safest->found.regret_frac,
                100 * s->found.rivals[0].regret_frac);
    if (first == NULL)
        report_wrap_labelled("measure", out,
                "nothing: no single constant would improve the choice by more "
                "than the noise of the draws");
    else
        report_wrap_labelled("measure", out,
                "%s: %s; to know it saves %.2f %% of the step (+- %.2f) of the "
                "%.2f %% that the steadiest plan is expected to lose",
                report_say(out->style, first->name),
                report_say(out->style, first->measure),
                100 * first->found.worth_frac,
                100 * first->found.worth_error_frac,
                100 * safest->found.regret_frac);
}

static void print_spread(const report_sensitivity *s, p3d_text *out)
{
    if (s->fastest != 1)
        report_wrap_labelled("fastest", out,
                "plan %d with the constants as they are; this one takes %.2f "
                "%% longer",
                s->fastest,
                100 * (s->rivals[0].found.step_s /
                                      s->rivals[s->fastest - 1].found.step_s -
                              1));
    report_wrap_labelled("regret", out,
            "%.2f %% expected, below %.2f %% in 95 %% of the draws: what this "
            "plan takes longer than the one that is the fastest there",
            100 * s->found.rivals[0].regret_frac,
            100 * s->found.regret_p95_frac);
    report_wrap_labelled("step", out,
            "%s (10 %% of the draws are below), %s (50 %%), %s (90 %%), by the "
            "constants alone; runs spread more, see 'range' of plan3d estimate",
            report_step_words(s->found.step_p10_s).text,
            report_step_words(s->found.step_p50_s).text,
            report_step_words(s->found.step_p90_s).text);
}

static void print_notes(const report_sensitivity *s, p3d_text *out)
{
    report_wrap_labelled("draws", out,
            "log-normal, independent errors, one factor for all kernels of a "
            "kind; errors that hit the shapes of one plan alone are not in "
            "them; seed %lld",
            (long long)s->found.seed);
    report_wrap_labelled("searched", out,
            "%d plans were compared, %d of them found by %d exact searches "
            "with changed constants; of %d draws that were searched exactly, "
            "%d had their best plan among those compared already",
            s->plans.n, s->found.n_found, s->found.n_searches,
            s->found.n_searched_draws, s->found.n_known_draws);
}

void report_sensitivity_print(
        const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", "plan3d fit ", NULL};
    static const char *const next_no[] = {"plan3d fit ", NULL};
    const report_sensitivity *s = d->sensitivity;
    const report_data data = {&report_sensitivity_document_shape, d,
            &report_effect_shape,
            s != NULL ? s->constants : (json_list){NULL, 0}};

    if (report_print_data(&data, format, out))
        return;
    if (s == NULL) {
        report_text_missing(d, d->estimate, "the plan", out);
        report_text_question(d, out);
        report_text_assumed(d, out);
        report_text_next(d, next_no, out);
        return;
    }
    print_head(d, out);
    p3d_text_add(out, "\n");
    print_constants(s, out);
    print_legend(s, out);
    print_idle(s, out);
    p3d_text_add(out, "\n");
    print_plans(s, out);
    p3d_text_add(out, "\n");
    print_spread(s, out);
    print_advice(s, out);
    print_notes(s, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
