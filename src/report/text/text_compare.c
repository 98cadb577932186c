/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_compare.c - two plans side by side: which is the better, and why, term
 * by term. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/answer.h"
#include "report/text/layout.h"
#include "report/text/text.h"

/* True when the two are one and the same. */
static bool is_same(const report_comparison *c)
{
    return c->first.answer != NULL && c->second.answer != NULL &&
           strcmp(c->first.answer->words, c->second.answer->words) == 0;
}

static void lack(const report_document *d, char name, const report_side *side,
        p3d_text *out)
{
    p3d_text_add(out, "%c ", name);
    report_text_lack(d, side->answer, out);
}

/* Both are legal; one of them or none fits. */
static void print_misfit(const report_document *d, p3d_text *out)
{
    const report_side *a = &d->comparison.first, *b = &d->comparison.second;

    if (a->answer->found.fits) {
        report_paint_words(REPORT_CARE, "ONLY A FITS: ", out);
        lack(d, 'B', b, out);
    } else if (b->answer->found.fits) {
        report_paint_words(REPORT_CARE, "ONLY B FITS: ", out);
        lack(d, 'A', a, out);
    } else {
        report_paint_words(REPORT_BAD, "NEITHER FITS: ", out);
        lack(d, 'A', a, out);
        report_add(out, ", ");
        lack(d, 'B', b, out);
    }
    p3d_text_add(out, "\n");
}

static void print_faster(const report_document *d, p3d_text *out)
{
    const double a_s = d->comparison.first.answer->step_s;
    const double b_s = d->comparison.second.answer->step_s;
    const bool is_a = a_s < b_s;

    if (is_same(&d->comparison)) {
        report_add(out, "THE SAME PLAN, %s per step\n",
                report_step_words(a_s).text);
        return;
    }
    if (a_s == b_s) {
        report_add(out, "EQUALLY FAST: both take %s per step\n",
                report_step_words(a_s).text);
        return;
    }
    report_paint_words(REPORT_GOOD, is_a ? "A IS FASTER" : "B IS FASTER", out);
    report_add(out, ": %s per step, where %c takes %s (%.1f %% more)\n",
            report_step_words(is_a ? a_s : b_s).text, is_a ? 'B' : 'A',
            report_step_words(is_a ? b_s : a_s).text,
            100 * (is_a ? b_s / a_s - 1 : a_s / b_s - 1));
}

static void print_refusal(char name, const report_side *side, p3d_text *out)
{
    p3d_text words = {.style = out->style};

    if (side->answer != NULL)
        return;
    report_add(&words, "%c IS NOT LEGAL: %s", name,
            report_say_made(out->style, side->reason).text);
    report_wrap_text(&words, 0, out);
}

static void print_verdict(const report_document *d, p3d_text *out)
{
    const report_comparison *c = &d->comparison;

    print_refusal('A', &c->first, out);
    print_refusal('B', &c->second, out);
    if (c->first.answer == NULL || c->second.answer == NULL)
        return;
    if (c->first.answer->found.fits && c->second.answer->found.fits)
        print_faster(d, out);
    else
        print_misfit(d, out);
}

/* What a plan was chosen for; "" = it was asked for as it is. */
static void say_choice(
        const report_side *side, p3d_style style, char what[REPORT_PLAN])
{
    const bool sure = side->answer != NULL && side->answer->found.sure;

    what[0] = '\0';
    if (side->asked == NULL)
        p3d_copy(what, REPORT_PLAN,
                report_say(style, sure ? "the recommended plan: "
                                       : "the plan that comes closest: "));
    else if (side->is_search)
        snprintf(what, REPORT_PLAN,
                report_say(style,
                        sure ? "the fastest sure plan with %.100s: "
                             : "the plan with %.100s that comes closest: "),
                side->asked);
    else if (side->answer == NULL)
        snprintf(what, REPORT_PLAN, "%.100s: ", side->asked);
}

static void print_side(const report_document *d, char name,
        const report_side *side, p3d_text *out)
{
    const char label[] = {name, '\0'};
    char what[REPORT_PLAN];

    say_choice(side, out->style, what);
    if (side->answer == NULL) {
        report_wrap_labelled(label, out, "%snot legal", what);
        return;
    }
    report_wrap_labelled(label, out, "%s%s", what,
            report_short_plan(&side->answer->found.plan, out->style).text);
    p3d_text_add(out, "         %s\n", side->answer->words);
    if (side->answer->departures[0] != '\0')
        report_wrap_labelled("", out, "unusual: %s",
                report_departures_words(d, side->answer, out->style).text);
}

static void print_pair(const report_document *d, p3d_text *out)
{
    print_side(d, 'A', &d->comparison.first, out);
    print_side(d, 'B', &d->comparison.second, out);
}

enum { MOST_TERMS = 4 };

/* Terms below this share of both steps are added up. */
static const double least_frac = 0.0005;

/* In so many digits after the point. */
static void bytes_row(report_table *table, const char *words, int digits,
        int64_t a_bytes, int64_t b_bytes)
{
    report_table_row(table, "%s\t%.*f\t%.*f\t%+.*f\tGiB",
            report_say(table->style, words), digits, report_gib(a_bytes),
            digits, report_gib(b_bytes), digits, report_gib(b_bytes - a_bytes));
}

static void head(report_table *table, p3d_style style, const char *words)
{
    report_table_begin(table, style, "lrrrl");
    report_table_row(table, "%s\tA\tB\tB - A\t", report_say(style, words));
}

static void print_memory(
        const report_answer *a, const report_answer *b, p3d_text *out)
{
    const int digits = report_gib_digits(a->found.usable_bytes);
    report_table table;

    head(&table, out->style, "memory of the tight GPU");
    report_table_row(&table, "pipeline rank\t%d\t%d", a->found.tight_stage,
            b->found.tight_stage);
    for (int i = 0; i < 2; i++)
        report_table_cell(&table, "%s", "");
    for (int i = 0; i < REPORT_N_MEMORY_TERMS; i++) {
        const int64_t a_bytes = report_memory_term_bytes(&a->found.memory, i);
        const int64_t b_bytes = report_memory_term_bytes(&b->found.memory, i);

        if (a_bytes != 0 || b_bytes != 0)
            bytes_row(&table, report_memory_terms[i].words, digits, a_bytes,
                    b_bytes);
    }
    report_table_rule(&table);
    bytes_row(&table, "used on the GPU", digits, a->peak_bytes, b->peak_bytes);
    bytes_row(&table, "left of what is usable", digits, a->margin_bytes,
            b->margin_bytes);
    if (a->found.host_bytes_per_node > 0 || b->found.host_bytes_per_node > 0)
        bytes_row(&table, "offloaded to a node's host", digits,
                a->found.host_bytes_per_node, b->found.host_bytes_per_node);
    report_table_print(&table, out);
}

static void time_row(report_table *table, const char *words, double a_s,
        double b_s, report_clock clock)
{
    const double more_s =
            fabs(b_s - a_s) < report_clock_least_s(clock) ? 0 : b_s - a_s;

    report_table_row(table, "%s\t%.*f\t%.*f\t%+.*f\t%s",
            report_say(table->style, words), clock.digits, a_s / clock.unit_s,
            clock.digits, b_s / clock.unit_s, clock.digits,
            more_s / clock.unit_s, clock.word);
}

static void rate_rows(
        report_table *table, const report_answer *a, const report_answer *b)
{
    report_table_row(table, "micro-batches per step\t%lld\t%lld\t%+lld\t",
            (long long)a->found.n_micro_batches,
            (long long)b->found.n_micro_batches,
            (long long)(b->found.n_micro_batches - a->found.n_micro_batches));
    report_table_row(table, "tokens/s per GPU\t%s\t%s\t%+.3g\t",
            report_three_words(a->tokens_per_s_per_gpu).text,
            report_three_words(b->tokens_per_s_per_gpu).text,
            b->tokens_per_s_per_gpu - a->tokens_per_s_per_gpu);
    report_table_row(table, "MFU\t%.1f\t%.1f\t%+.1f\t%%",
            100 * a->found.mfu_frac, 100 * b->found.mfu_frac,
            100 * (b->found.mfu_frac - a->found.mfu_frac));
}

static double longest_of(const report_answer *a, const report_answer *b)
{
    return a->step_s > b->step_s ? a->step_s : b->step_s;
}

static report_clock common_clock(const report_answer *a, const report_answer *b)
{
    return report_clock_for(longest_of(a, b));
}

static void print_time(
        const report_answer *a, const report_answer *b, p3d_text *out)
{
    const double longest_s = longest_of(a, b);
    const report_clock clock = common_clock(a, b);
    double rest_a_s = 0, rest_b_s = 0;
    report_table table;

    head(&table, out->style, "time per step");
    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double a_s = report_time_term_s(&a->found.time, i);
        const double b_s = report_time_term_s(&b->found.time, i);

        if (a_s > least_frac * longest_s || b_s > least_frac * longest_s) {
            time_row(&table, report_time_terms[i].words, a_s, b_s, clock);
        } else {
            rest_a_s += a_s;
            rest_b_s += b_s;
        }
    }
    if (fmax(rest_a_s, rest_b_s) >= report_clock_least_s(clock))
        time_row(&table, "all the rest", rest_a_s, rest_b_s, clock);
    report_table_rule(&table);
    time_row(&table, "one step", a->step_s, b->step_s, clock);
    rate_rows(&table, a, b);
    report_table_print(&table, out);
}

/* The terms that decide, from A to B. */
static void print_because(const report_comparison *c, p3d_text *out)
{
    const report_clock clock = common_clock(c->first.answer, c->second.answer);
    p3d_text terms = {.style = out->style};

    report_top_terms(c->more_time, MOST_TERMS, clock, &terms);
    if (terms.length > 0)
        report_wrap_labelled("B - A", out, "%s (%s per step)",
                p3d_text_get(&terms), clock.word);
    report_text_free(&terms, out);
}

void report_comparison_print(
        const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};
    const report_comparison *c = &d->comparison;

    const report_data data = {&report_compare_shape, d, &report_answer_shape,
            {d->answers, d->n_answers}};

    if (report_print_data(&data, format, out))
        return;
    print_verdict(d, out);
    print_pair(d, out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    if (c->first.answer != NULL && c->second.answer != NULL && !is_same(c)) {
        print_memory(c->first.answer, c->second.answer, out);
        p3d_text_add(out, "\n");
        print_time(c->first.answer, c->second.answer, out);
        print_because(c, out);
        p3d_text_add(out, "\n");
    }
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
