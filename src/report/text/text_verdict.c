/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_verdict.c - which of two plans is the better, and what they are. */
#include <stdio.h>
#include <string.h>

#include "report/text/paint.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

bool report_is_same(const report_comparison *c)
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
        p3d_text_add(out, ", ");
        lack(d, 'B', b, out);
    }
    p3d_text_add(out, "\n");
}

static void print_faster(const report_document *d, p3d_text *out)
{
    const double a_s = d->comparison.first.answer->step_s;
    const double b_s = d->comparison.second.answer->step_s;
    const bool is_a = a_s < b_s;
    char fast[32], slow[32];

    if (report_is_same(&d->comparison)) {
        p3d_text_add(out, "THE SAME PLAN, %s per step\n",
                report_step_words(fast, sizeof(fast), a_s));
        return;
    }
    if (a_s == b_s) {
        p3d_text_add(out, "EQUALLY FAST: both take %s per step\n",
                report_step_words(fast, sizeof(fast), a_s));
        return;
    }
    report_paint_words(REPORT_GOOD, is_a ? "A IS FASTER" : "B IS FASTER", out);
    p3d_text_add(out, ": %s per step, where %c takes %s (%.1f %% more)\n",
            report_step_words(fast, sizeof(fast), is_a ? a_s : b_s),
            is_a ? 'B' : 'A',
            report_step_words(slow, sizeof(slow), is_a ? b_s : a_s),
            100 * (is_a ? b_s / a_s - 1 : a_s / b_s - 1));
}

static void print_refusal(char name, const report_side *side, p3d_text *out)
{
    p3d_text words = {0};

    if (side->answer != NULL)
        return;
    p3d_text_add(&words, "%c IS NOT LEGAL: %s%s%s", name,
            side->rule != NULL ? side->rule : "",
            side->rule != NULL ? ": " : "", side->reason);
    report_wrap(p3d_text_get(&words), 0, REPORT_WIDTH, out);
    out->failed = out->failed || words.failed;
    p3d_text_free(&words);
}

void report_text_verdict(const report_document *d, p3d_text *out)
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

static void print_side(char name, const report_side *side, p3d_text *out)
{
    const char label[] = {name, '\0'};
    char what[REPORT_PLAN] = "";
    char plan[REPORT_SHORT_PLAN] = "-";

    if (side->asked == NULL)
        snprintf(what, sizeof(what), "the best plan: ");
    else if (side->is_search)
        snprintf(
                what, sizeof(what), "the best plan with %.100s: ", side->asked);
    else if (side->answer == NULL)
        snprintf(what, sizeof(what), "%.100s: ", side->asked);
    if (side->answer == NULL) {
        report_wrap_labelled(label, out, "%snot legal", what);
        return;
    }
    report_short_plan(&side->answer->found.plan, plan, sizeof(plan));
    report_wrap_labelled(label, out, "%s%s", what, plan);
    p3d_text_add(out, "         %s\n", side->answer->words);
}

void report_text_pair(const report_document *d, p3d_text *out)
{
    print_side('A', &d->comparison.first, out);
    print_side('B', &d->comparison.second, out);
}
