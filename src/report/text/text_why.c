/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_why.c - what each decision of the best plan is worth. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { INDENT = 2, MOST_TERMS = 3, COST = 10, MORE = 11, GAP = 2 };

/* Columns of the longest value. */
static int value_width(const report_document *d)
{
    int width = 0;

    for (int i = 0; i < d->decisions.n; i++) {
        const report_decision *decision = &d->prices->decisions[i];
        const report_choice *choices = decision->choices.items;

        for (int k = 0; k < decision->choices.n; k++) {
            const int n = (int)strlen(choices[k].value);

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
    if (!c->legal) {
        p3d_text_add(text, "not legal: %s%s%s", c->rule != NULL ? c->rule : "",
                c->rule != NULL ? ": " : "", c->reason);
        return;
    }
    add_values(c->with, text);
    if (c->with[0] != '\0')
        p3d_text_add(text, ": ");
    if (c->fits && c->more != NULL)
        report_top_terms(c->more, MOST_TERMS, clock_of(d), text);
    else if (!c->fits && c->missing_bytes == 0)
        p3d_text_add(text, "needs more than the %.0f GiB of a host",
                report_gib(d->question.problem.cluster.node.host_memory_bytes));
    else if (!c->fits && d->fits)
        p3d_text_add(text, "misses %.2f GiB; %s take %.2f GiB",
                report_gib(c->missing_bytes), c->largest,
                report_gib(c->largest_bytes));
    else if (!c->fits)
        p3d_text_add(
                text, "%s %.2f GiB", c->largest, report_gib(c->largest_bytes));
}

/* What a choice costs: seconds, or where nothing fits bytes. */
typedef struct cost_cells {
    char cost[32];
    char more[32];
} cost_cells;

static cost_cells seconds_of(const report_choice *c)
{
    cost_cells cells = {.cost = "no fit"};

    if (c->fits)
        report_step_words(cells.cost, sizeof(cells.cost), c->step_s);
    if (c->chosen)
        p3d_copy(cells.more, sizeof(cells.more), "best");
    else if (c->more != NULL)
        snprintf(cells.more, sizeof(cells.more), "+%.1f %%",
                100 * c->slower_frac);
    return cells;
}

static cost_cells bytes_of(const report_choice *c, int64_t least_bytes)
{
    cost_cells cells;

    snprintf(cells.cost, sizeof(cells.cost), "%.2f",
            report_gib(c->missing_bytes));
    if (c->chosen)
        p3d_copy(cells.more, sizeof(cells.more), "closest");
    else
        snprintf(cells.more, sizeof(cells.more), "%+.2f",
                report_gib(c->missing_bytes - least_bytes));
    return cells;
}

static cost_cells cells_of(const report_document *d, const report_choice *c)
{
    if (!c->legal)
        return (cost_cells){.cost = "-"};
    return d->fits ? seconds_of(c) : bytes_of(c, d->closest->missing_bytes);
}

static void print_line(const report_document *d, const char *value,
        const report_choice *c, int width, p3d_text *out)
{
    const cost_cells cells = cells_of(d, c);
    p3d_text why = {0};

    if (!c->chosen || !c->fits)
        add_why(d, c, &why);
    p3d_text_add(out, "%*s%-*s%*s%*s", INDENT, "", width, value, COST,
            cells.cost, MORE, cells.more);
    if (why.length > 0)
        p3d_text_repeat(out, ' ', GAP);
    report_wrap(p3d_text_get(&why), INDENT + width + COST + MORE + GAP,
            REPORT_WIDTH, out);
    out->failed = out->failed || why.failed;
    p3d_text_free(&why);
}

/* How many choices from this one on the same rule refuses; at least 1. */
static int count_refused(const report_choice *choices, int n)
{
    const char *const rule = choices[0].rule;
    int same = 1;

    while (same < n && rule != NULL && choices[same].rule != NULL &&
            strcmp(choices[same].rule, rule) == 0)
        same++;
    return same;
}

static void print_choices(const report_document *d,
        const report_decision *decision, int width, p3d_text *out)
{
    const report_choice *choices = decision->choices.items;

    p3d_text_add(out, "%s: %s\n", decision->word, decision->doc);
    for (int k = 0; k < decision->choices.n;) {
        int n = count_refused(&choices[k], decision->choices.n - k);
        char values[80];

        snprintf(values, sizeof(values), n == 2 ? "%s, %s" : "%s to %s",
                choices[k].value, choices[k + n - 1].value);
        if ((int)strlen(values) > width)
            n = 1;
        print_line(
                d, n > 1 ? values : choices[k].value, &choices[k], width, out);
        k += n;
    }
}

static void print_decisions(const report_document *d, p3d_text *out)
{
    const int width = value_width(d);

    p3d_text_add(out, "%-*s%*s%*s  what changes too: ", INDENT + width,
            "decision", COST, d->fits ? "step" : "misses", MORE,
            d->fits ? "slower" : "more, GiB");
    if (d->fits)
        p3d_text_add(out, "terms that change most, %s\n", clock_of(d).word);
    else
        p3d_text_add(out, "largest term of memory\n");
    for (int i = 0; i < d->decisions.n; i++)
        print_choices(d, &d->prices->decisions[i], width, out);
}

void report_why(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};
    const report_document *d = document;
    const report_data data = {
            &report_why_shape, d, &report_decision_shape, d->decisions};

    if (report_print_data(&data, format, out))
        return;
    if (d->fits)
        report_text_best(d, out);
    else
        report_text_missing(d, d->closest, "the closest plan", out);
    report_text_question(d, out);
    p3d_text_add(out, "\nEach line: the best plan with this one value, and all "
                      "others free.\n\n");
    print_decisions(d, out);
    p3d_text_add(out, "\n");
    report_text_interrupted(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
