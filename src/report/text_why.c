/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_why.c - what each decision of the best plan is worth. */
#include <stdio.h>
#include <string.h>

#include "plan3d/units.h"
#include "report/text.h"
#include "report/wrap.h"

enum { INDENT = 2, MOST_TERMS = 3, STEP = 10, PRICE = 9, GAP = 2 };

static double gib(int64_t n_bytes)
{
    return (double)n_bytes / P3D_GIB;
}

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
    return report_clock_for((d->fits ? d->best : d->closest)->time.step_s);
}

/* What a plan that does not fit lacks. */
static void add_missing(
        const report_document *d, const report_choice *c, p3d_text *text)
{
    if (c->missing_bytes > 0)
        p3d_text_add(text, "does not fit: misses %.2f GiB; %s take %.2f GiB",
                gib(c->missing_bytes), c->largest, gib(c->largest_bytes));
    else
        p3d_text_add(text,
                "does not fit: %.0f GiB of host memory per node are too few",
                gib(d->question.problem.cluster.node.host_memory_bytes));
}

static void add_why(
        const report_document *d, const report_choice *c, p3d_text *text)
{
    if (!c->legal) {
        p3d_text_add(text, "not legal: %s%s%s", c->rule != NULL ? c->rule : "",
                c->rule != NULL ? ": " : "", c->reason);
        return;
    }
    if (!c->fits)
        add_missing(d, c, text);
    else if (c->more != NULL)
        report_top_terms(c->more, MOST_TERMS, clock_of(d), text);
    if (c->with[0] != '\0')
        p3d_text_add(text, "%swith %s", text->length > 0 ? "; " : "", c->with);
}

static void print_choice(const report_document *d, const report_choice *c,
        int width, p3d_text *out)
{
    char step[32] = "-", price[32] = "";
    p3d_text why = {0};

    if (c->legal)
        report_step_words(step, sizeof(step), c->step_s);
    if (c->chosen)
        snprintf(price, sizeof(price), "%s", d->fits ? "best" : "closest");
    else if (c->more != NULL)
        snprintf(price, sizeof(price), "+%.1f %%", 100 * c->slower_frac);
    if (!c->chosen || !c->fits)
        add_why(d, c, &why);
    p3d_text_add(out, "%*s%-*s%*s%*s", INDENT, "", width, c->value, STEP, step,
            PRICE, price);
    if (why.length > 0)
        p3d_text_repeat(out, ' ', GAP);
    report_wrap(p3d_text_get(&why), INDENT + width + STEP + PRICE + GAP,
            REPORT_WIDTH, out);
    out->failed = out->failed || why.failed;
    p3d_text_free(&why);
}

static void print_decisions(const report_document *d, p3d_text *out)
{
    const int width = value_width(d);

    p3d_text_add(out,
            "%-*s%*s%*s  terms that change most, %s; what changes too\n",
            INDENT + width, "decision", STEP, "step", PRICE, "slower",
            clock_of(d).word);
    for (int i = 0; i < d->decisions.n; i++) {
        const report_decision *decision = &d->prices->decisions[i];
        const report_choice *choices = decision->choices.items;

        p3d_text_add(out, "%s: %s\n", decision->word, decision->doc);
        for (int k = 0; k < decision->choices.n; k++)
            print_choice(d, &choices[k], width, out);
    }
}

void report_why(const report_document *document, bool json, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};
    const report_document *d = document;

    if (json) {
        report_print_json(&report_why_shape, d, out);
        return;
    }
    if (d->fits)
        p3d_text_add(out, "BEST: %s\n", d->best->words);
    else
        report_text_missing(d, d->closest, "the closest plan", out);
    report_text_question(d, out);
    p3d_text_add(out, "\nEach line: the best plan with this one value, and all "
                      "others free.\n\n");
    print_decisions(d, out);
    p3d_text_add(out, "\n");
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
