/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_advise.c - the greedy walk of an experienced engineer, step by step. */
#include <math.h>
#include <string.h>

#include "report/text/paint.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { INDENT = 4 };

static void print_step(const report_step *s, p3d_text *out)
{
    const p3d_step *const step = &s->taken;
    const p3d_estimate *const e = &step->estimate;
    char plan[REPORT_SHORT_PLAN];
    char seconds[32];
    char rate[32];

    p3d_text_add(out, "%2d  %s%s\n", s->number,
            step->decision[0] == '\0' ? "start" : step->decision,
            step->accepted ? "" : "  (not taken)");
    p3d_text_add(out, "    ");
    report_wrap(report_short_plan(&e->plan, plan, sizeof(plan)), INDENT,
            REPORT_WIDTH, out);
    if (step->legal) {
        p3d_text_add(out,
                "    %s: %.2f of %.2f GiB per GPU, step %s, %s tokens/s per "
                "GPU\n",
                e->fits ? "fits" : "OUT OF MEMORY",
                report_gib(p3d_memory_device_bytes(&e->memory)),
                report_gib(e->usable_bytes),
                report_step_words(
                        seconds, sizeof(seconds), p3d_time_step_s(&e->time)),
                report_rate_words(rate, sizeof(rate), report_step_rate(s)));
    } else {
        p3d_text_add(out, "    not legal: %s: ", step->refusal.rule);
        report_wrap(step->refusal.reason, INDENT, REPORT_WIDTH, out);
    }
    if (step->reason[0] != '\0') {
        p3d_text_add(out, "    ");
        report_wrap(step->reason, INDENT, REPORT_WIDTH, out);
    }
}

static void print_end(const report_document *d, p3d_text *out)
{
    if (d->answer == NULL || d->exact_best == NULL)
        return;
    if (fabs(d->gap_frac) < 0.0005) {
        p3d_text_add(out, "the walk's answer is as fast as the exact best");
    } else {
        p3d_text_add(out,
                "the walk's answer is %.1f %% slower than the exact best",
                100 * d->gap_frac);
    }
    if (strcmp(d->answer->words, d->exact_best->words) == 0)
        p3d_text_add(out, ": it is the same plan\n");
    else
        p3d_text_add(out, ":\n    %s\n", d->exact_best->words);
}

static void print_verdict(const report_document *d, p3d_text *out)
{
    const report_answer *answer = d->answer != NULL ? d->answer : d->exact_best;

    if (answer == NULL) {
        report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
        p3d_text_add(out, ": neither the walk nor the search found a plan\n");
        return;
    }
    report_paint_words(REPORT_GOOD, "FITS", out);
    if (d->answer == NULL) {
        p3d_text_add(out, ", but the walk does not get there\n");
    } else {
        p3d_text_add(out,
                ": of %d plans that the walk tries, its answer leaves "
                "%.2f GiB per GPU to spare\n",
                d->steps.n, report_gib(answer->margin_bytes));
    }
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
    p3d_text_add(out, "\n");
    print_end(document, out);
    report_text_search(document, out);
    report_text_assumed(document, out);
    report_text_next(document, document->fits ? next_yes : next_no, out);
}
