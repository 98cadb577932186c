/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_budget.c - where the error of a step comes from, in text. */
#include <math.h>
#include <stdio.h>

#include "base/elementary.h"
#include "plan3d/units.h"
#include "report/text/layout.h"
#include "report/text/text.h"

/* Parts of the error that are not listed. */
static const double SMALL_FRAC = 0.0005;

/* A scale of logarithms in percent. */
static double percent(double scale)
{
    return 100 * p3d_expm1(scale);
}

static void print_head(const report_document *d, p3d_text *out)
{
    const p3d_error_budget *const b = &d->budget;
    char words[64];

    snprintf(words, sizeof(words),
            report_say(out->style, "ERROR ABOUT %.0f %%"), percent(b->scale));
    report_paint_words(REPORT_HEAD, words, out);
    report_add(out, " of a step of %s, as %s measured runs of %d sources say\n",
            report_step_words(d->estimate->step_s).text,
            report_integer_words(b->n_runs).text, b->n_sources);
    report_text_plan(d->estimate, out);
    report_text_question(d, out);
}

static void print_terms(const p3d_error_budget *b, p3d_text *out)
{
    report_table table;

    report_table_begin(&table, out->style, "lrrrrrr");
    report_table_row(&table,
            "term\tstep %%\tof the error %%\twrong by %%\twithout a source"
            "\truns\tsources");
    for (int i = 0; i < P3D_N_ERRORS; i++) {
        const p3d_term_error *const t = &b->terms[i];

        if (t->variance_frac < SMALL_FRAC)
            continue;
        report_table_row(&table, "%s\t%.1f\t%.1f\t%.0f\t%.0f to %.0f\t%s\t%d",
                report_say(out->style, t->name), 100 * t->step_frac,
                100 * t->variance_frac, percent(t->scale),
                percent(t->least_scale), percent(t->most_scale),
                report_integer_words(t->n_runs).text, t->n_sources);
    }
    report_table_print(&table, out);
}

static void print_legend(p3d_text *out)
{
    p3d_text words = {.style = out->style};

    report_add(&words,
            "(of the error: share of its square; wrong by: 5 of 8 runs are "
            "within, by all and without any one source: the rates of a term "
            "and all else that grows with it; runs, sources: of the measured "
            "runs those that spend %.0f %% of their step there; what none "
            "shows is taken to be as wrong as the rest)",
            100 * P3D_SHOWN_FRAC);
    report_wrap_text(&words, 0, out);
}

static void print_cures(const p3d_error_budget *b, p3d_text *out)
{
    report_table table;

    report_table_begin(&table, out->style, "lrrl");
    report_table_row(&table, "measure\ttakes away %%\tleaves %%\tby");
    for (int i = 0; i < P3D_N_CURES; i++) {
        const p3d_cure *const c = &b->cures[i];

        if (c->variance_frac < SMALL_FRAC)
            continue;
        report_table_row(&table, "%s\t%.1f\t%.1f\t%s",
                report_say(out->style, c->name), 100 * c->variance_frac,
                percent(c->left_scale), report_say(out->style, c->measure));
    }
    report_table_print(&table, out);
}

static void print_notes(const report_document *d, p3d_text *out)
{
    const p3d_error_budget *const b = &d->budget;
    const p3d_range *const range = &d->estimate->range;

    for (int i = 0; i < P3D_N_CURES; i++)
        if (b->cures[i].n_runs > 0)
            report_wrap_labelled("measure", out,
                    "takes away: at most so much; a benchmark removes no more "
                    "than the error of the constants that it measures; %s: as "
                    "one measured run predicts another of the same source, "
                    "framework, GPU and model",
                    report_say(out->style, b->cures[i].name));
    report_wrap_labelled("checked", out,
            "tested on each source without its own runs: for %d of %d, errors "
            "by term explain the runs better than one error of %.0f %% for all "
            "steps",
            b->n_better, b->n_sources, percent(b->flat_scale));
    report_wrap_labelled("range", out,
            "%.0f %% of runs should take %s to %s, by those most alike",
            100 * range->confidence_frac, report_step_words(range->low_s).text,
            report_step_words(range->high_s).text);
}

void report_error(const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", "plan3d shapes ", NULL};
    const report_data data = {&report_error_document_shape, d,
            &report_term_error_shape, d->errors};

    if (report_print_data(&data, format, out))
        return;
    print_head(d, out);
    p3d_text_add(out, "\n");
    print_terms(&d->budget, out);
    print_legend(out);
    p3d_text_add(out, "\n");
    print_cures(&d->budget, out);
    p3d_text_add(out, "\n");
    print_notes(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
