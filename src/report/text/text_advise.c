/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_advise.c - what decisions are worth: the greedy walk of an experienced
 * engineer, step by step, and each decision of the best plan on its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/text/layout.h"
#include "report/text/text.h"

enum { INDENT = 4 };

/* Of the best step; less is about as fast. */
#define LARGE_GAP_FRAC 0.10

static void print_step(const report_step *s, p3d_text *out)
{
    const p3d_advice_step *const step = &s->taken;
    const p3d_estimate *const e = &step->estimate;

    p3d_text_add(out, "%2d  %s%s\n", s->number,
            step->decision[0] == '\0'
                    ? report_say(out->style, "start")
                    : report_say_made(out->style, step->decision).text,
            step->accepted ? "" : report_say(out->style, "  (not taken)"));
    p3d_text_add(out, "    ");
    report_wrap(report_short_plan(&e->plan, out->style).text, INDENT, out);
    if (step->legal) {
        report_add(out,
                "    %s: %s of %s GiB per GPU, step %s, %s tokens/s per GPU\n",
                report_say(out->style, e->sure   ? "fits"
                                       : e->fits ? "fits, barely"
                                                 : "OUT OF MEMORY"),
                report_gib_words(p3d_memory_device_bytes(&e->memory)).text,
                report_gib_words(e->usable_bytes).text,
                report_step_words(p3d_time_step_s(&e->time)).text,
                report_three_words(report_step_rate(s)).text);
    } else {
        report_add(out, "    not legal: ");
        report_wrap(report_say_made(out->style, step->refusal.reason).text,
                INDENT, out);
    }
    if (step->reason[0] != '\0') {
        p3d_text_add(out, "    ");
        report_wrap(
                report_say_made(out->style, step->reason).text, INDENT, out);
    }
}

/** What the best plan has that no move of the walk led to. */
static void print_lacking(const report_document *d, p3d_text *out)
{
    char words[P3D_PLAN_WORDS];

    if (d->gap_frac <= LARGE_GAP_FRAC)
        return;
    report_add(out, "no single change leads from the walk's answer to it; what "
                    "it has and that answer lacks:\n    ");
    report_wrap(p3d_decisions_differ(&d->answer->found.plan,
                        &d->exact_best->found.plan, NULL, words, sizeof(words)),
            INDENT, out);
}

static void print_end(const report_document *d, p3d_text *out)
{
    if (d->answer == NULL || d->exact_best == NULL)
        return;
    if (fabs(d->gap_frac) < 0.0005) {
        report_add(out, "the walk's answer is as fast as the recommended plan");
    } else {
        report_add(out,
                "the walk's answer is %.1f %% %s than the recommended plan",
                100 * fabs(d->gap_frac),
                report_say(out->style, d->gap_frac < 0 ? "faster" : "slower"));
    }
    if (strcmp(d->answer->words, d->exact_best->words) == 0)
        report_add(out, ": it is the same plan\n");
    else
        p3d_text_add(out, ":\n    %s\n", d->exact_best->words);
    print_lacking(d, out);
}

static void print_verdict(const report_document *d, p3d_text *out)
{
    const report_answer *answer = d->answer != NULL ? d->answer : d->exact_best;

    p3d_text words = {.style = out->style};

    if (answer == NULL) {
        report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
        report_add(out, ": neither step by step nor by the whole search\n");
        return;
    }
    report_paint_words(
            answer->verdict == P3D_VERDICT_BARELY ? REPORT_CARE : REPORT_GOOD,
            p3d_verdict_words(answer->verdict), &words);
    report_add(&words, ", %s",
            report_sure_words(answer->fit_probability_frac, out->style).text);
    if (d->answer == NULL)
        report_add(&words, ", but no walk of single steps leads to a plan that "
                           "does");
    else
        report_add(&words,
                ": a walk of %d steps, each a change that was tried; its plan "
                "leaves %s GiB per GPU free",
                d->steps.n, report_gib_words(answer->margin_bytes).text);
    report_wrap_text(&words, 0, out);
    report_text_plan(answer, out);
}

void report_advise(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next_yes[] = {"plan3d plan ", NULL};
    static const char *const next_no[] = {"plan3d fit ", NULL};

    const report_data data = {&report_advise_shape, document,
            &report_step_shape, document->steps};

    if (report_print_data(&data, format, out))
        return;
    print_verdict(document, out);
    report_text_question(document, out);
    p3d_text_add(out, "\n");
    for (int i = 0; i < document->steps.n; i++)
        print_step(&document->step_items[i], out);
    if (document->changes.n > 0) {
        p3d_text_add(out, document->fits ? "" : "\n");
        report_text_remedies(document, out);
        p3d_text_add(out, "\n");
    } else {
        p3d_text_add(out, "\n");
        print_end(document, out);
    }
    report_text_search(document, out);
    report_text_assumed(document, out);
    report_text_next(document, document->fits ? next_yes : next_no, out);
}

/* Each decision on its own. */

enum { LEFT = 2, MOST_TERMS = 3, COST = 10, MORE = 11, GAP = 2 };

/* Columns of the longest value. */
static int value_width(const report_document *d)
{
    int width = 0;

    for (int i = 0; i < d->decisions.n; i++) {
        const report_decision *decision = &d->prices->decisions[i];
        const report_choice *choices = decision->choices.items;

        for (int k = 0; k < decision->choices.n; k++) {
            const int n = report_paint_columns(choices[k].value);

            width = n > width ? n : width;
        }
    }
    return width;
}

/* Differences are printed as the best plan's step is. */
static report_clock clock_of(const report_document *d)
{
    return report_clock_for((d->fits ? d->best : d->closest)->step_s);
}

/* "tp=2,pp=4" with blanks, where a line may break. */
static void add_values(const char *values, p3d_text *text)
{
    for (const char *c = values; *c != '\0'; c++)
        p3d_text_add(text, *c == ',' ? "%c " : "%c", *c);
}

static void add_why(
        const report_document *d, const report_choice *c, p3d_text *text)
{
    const p3d_estimate *const e = &c->found.estimate;
    const int largest = report_largest_term(&e->memory);

    if (!c->found.legal) {
        report_add(text, "not legal: %s",
                report_say_made(text->style, c->found.refusal.reason).text);
        return;
    }
    add_values(c->with, text);
    if (c->with[0] != '\0')
        report_add(text, ": ");
    if (e->fits && d->fits)
        report_top_terms(&c->more, MOST_TERMS, clock_of(d), text);
    else if (!e->fits && report_missing_bytes(e) == 0)
        report_add(text, "needs more than the %.0f GiB of a host's memory",
                report_gib(d->question.problem.cluster.node.host_memory_bytes));
    else if (!e->fits && d->fits)
        report_add(text, "misses %s GiB; %s take %s GiB",
                report_gib_words(report_missing_bytes(e)).text,
                report_say(text->style, report_memory_terms[largest].words),
                report_gib_words(report_memory_term_bytes(&e->memory, largest))
                        .text);
    else if (!e->fits)
        p3d_text_add(text, "%s %s GiB",
                report_say(text->style, report_memory_terms[largest].words),
                report_gib_words(report_memory_term_bytes(&e->memory, largest))
                        .text);
}

/* What a choice costs: seconds, or where nothing fits bytes. */
typedef struct cost_cells {
    report_words cost;
    report_words more;
} cost_cells;

static cost_cells seconds_of(const report_choice *c, p3d_style style)
{
    cost_cells cells = {{""}, {""}};

    cells.cost = c->found.estimate.fits
                         ? report_step_words(
                                   p3d_time_step_s(&c->found.estimate.time))
                         : REPORT_WORDS(report_say(style, "no fit"));
    if (c->found.chosen)
        cells.more = REPORT_WORDS(report_say(style, "chosen"));
    else if (!isnan(c->slower_frac))
        cells.more = REPORT_WORDS("%+.1f %%", 100 * c->slower_frac);
    return cells;
}

static cost_cells bytes_of(
        const report_choice *c, int64_t least_bytes, p3d_style style)
{
    const int64_t missing_bytes = report_missing_bytes(&c->found.estimate);
    cost_cells cells = {{""}, REPORT_WORDS(report_say(style, "closest"))};

    cells.cost = report_gib_words(missing_bytes);
    if (!c->found.chosen)
        cells.more = REPORT_WORDS(
                "+%s", report_gib_words(missing_bytes - least_bytes).text);
    return cells;
}

static cost_cells cells_of(
        const report_document *d, const report_choice *c, p3d_style style)
{
    if (!c->found.legal)
        return (cost_cells){{"-"}, {""}};
    return d->fits ? seconds_of(c, style)
                   : bytes_of(c, d->closest->missing_bytes, style);
}

static void print_line(const report_document *d, const char *value,
        const report_choice *c, int width, p3d_text *out)
{
    const cost_cells cells = cells_of(d, c, out->style);
    p3d_text why = {.style = out->style};

    if (!c->found.chosen || !c->found.estimate.fits)
        add_why(d, c, &why);
    p3d_text_repeat(out, ' ', LEFT);
    report_left(value, width, out);
    report_right(cells.cost.text, COST, out);
    report_right(cells.more.text, MORE, out);
    if (why.length > 0)
        p3d_text_repeat(out, ' ', GAP);
    report_wrap(p3d_text_get(&why), LEFT + width + COST + MORE + GAP, out);
    report_text_free(&why, out);
}

/* How many choices from this one on the same rule refuses; at least 1. */
static int count_refused(const report_choice *choices, int n)
{
    const char *const rule = choices[0].found.refusal.rule;
    int same = 1;

    while (same < n && rule != NULL &&
            choices[same].found.refusal.rule != NULL &&
            strcmp(choices[same].found.refusal.rule, rule) == 0)
        same++;
    return same;
}

static void print_choices(const report_document *d,
        const report_decision *decision, int width, p3d_text *out)
{
    const report_choice *choices = decision->choices.items;

    p3d_text_add(out, "%s%s%s\n", decision->word, report_say(out->style, ": "),
            report_say(out->style, decision->doc));
    for (int k = 0; k < decision->choices.n;) {
        int n = count_refused(&choices[k], decision->choices.n - k);
        char values[80];

        snprintf(values, sizeof(values),
                report_say(out->style, n == 2 ? "%s, %s" : "%s to %s"),
                choices[k].value, choices[k + n - 1].value);
        if (report_paint_columns(values) > width)
            n = 1;
        print_line(
                d, n > 1 ? values : choices[k].value, &choices[k], width, out);
        k += n;
    }
}

static void print_decisions(const report_document *d, p3d_text *out)
{
    const int width = value_width(d);
    p3d_text others = {.style = out->style};

    report_left(report_say(out->style, "decision"), LEFT + width, out);
    report_right(
            report_say(out->style, d->fits ? "step" : "misses"), COST, out);
    report_right(report_say(out->style, d->fits ? "slower" : "more, GiB"), MORE,
            out);
    p3d_text_repeat(out, ' ', GAP);
    if (d->fits)
        report_add(&others, "what else changes: terms, %s", clock_of(d).word);
    else
        report_add(&others, "what else changes: largest term of memory");
    report_wrap_text(&others, LEFT + width + COST + MORE + GAP, out);
    for (int i = 0; i < d->decisions.n; i++)
        print_choices(d, &d->prices->decisions[i], width, out);
}

void report_why(const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};
    const report_data data = {
            &report_why_shape, d, &report_decision_shape, d->decisions};

    if (report_print_data(&data, format, out))
        return;
    if (d->fits)
        report_text_best(d, out);
    else
        report_text_missing(d, d->closest, "the closest plan", out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    report_wrap(
            report_say(out->style, "Each line shows the fastest sure plan with "
                                   "this one value, all other settings free. A "
                                   "line that is faster than the plan above is "
                                   "less simple, or leaves less memory free."),
            0, out);
    p3d_text_add(out, "\n");
    print_decisions(d, out);
    p3d_text_add(out, "\n");
    report_text_interrupted(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
