/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document_launch.c - gathers what is printed of a launch that was read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "report/document.h"
#include "report/terms.h"

static int count_lines(const char *text)
{
    int n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* Lines of a text into a list. @return the place behind its last one */
static char (*fill(const char *text, char (*lines)[REPORT_LINE],
        report_list *list))[REPORT_LINE]
{
    list->items = lines;
    list->n = 0;
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        char line[REPORT_LINE];

        line[0] = '\0';
        strncat(line, text, n < sizeof(line) - 1 ? n : sizeof(line) - 1);
        (void)p3d_show(lines[list->n++], REPORT_LINE, line);
        text += n + (text[n] == '\n');
    }
    return lines + list->n;
}

static bool add_lines(
        report_read *to, const report_launch *launch, p3d_error *err)
{
    const int n = count_lines(launch->defaults) + count_lines(launch->unknown) +
                  count_lines(launch->unmodelled) +
                  count_lines(launch->unresolved);
    char(*at)[REPORT_LINE];

    to->lines = calloc((size_t)n + 1, sizeof(*to->lines));
    if (to->lines == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    at = fill(launch->defaults, to->lines, &to->defaults);
    at = fill(launch->unknown, at, &to->unknown);
    at = fill(launch->unmodelled, at, &to->unmodelled);
    (void)fill(launch->unresolved, at, &to->unresolved);
    return true;
}

bool report_add_launch(
        report_document *d, const report_launch *launch, p3d_error *err)
{
    report_read *const to = &d->launch;
    report_growth growth;

    to->files = *launch;
    to->error_frac =
            launch->measured_step_s > 0
                    ? d->estimate->time.step_s / launch->measured_step_s - 1
                    : nan("");
    d->exact_best = d->best;
    d->gap_frac = nan("");
    if (d->best != NULL) {
        d->gap_frac = d->estimate->time.step_s / d->best->time.step_s - 1;
        growth = report_growth_of(
                &d->estimate->time.terms, &d->best->time.terms);
        to->slower_by = report_growth_words(&growth,
                report_time_terms[growth.term].words, to->slower_words,
                sizeof(to->slower_words));
    }
    return add_lines(to, launch, err);
}

void report_add_single(
        report_document *d, const p3d_single_change *changes, int n_changes)
{
    const p3d_plan *const plan = &d->estimate->plan;

    for (int i = 0; i < n_changes; i++) {
        report_single *const to = &d->single_items[i];

        to->made = changes[i];
        to->from_step_s = d->estimate->time.step_s;
        if (changes[i].is_option)
            p3d_copy(to->change, sizeof(to->change), changes[i].word);
        else
            p3d_decisions_differ(plan, &changes[i].estimate.plan, NULL,
                    to->change, sizeof(to->change));
    }
    d->single_changes = (report_list){d->single_items, n_changes};
}
