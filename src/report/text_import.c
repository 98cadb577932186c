/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_import.c - a launch that was read: its plan, what its log measured, and
 * how far it is from the best. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "plan3d/units.h"
#include "report/text.h"
#include "report/wrap.h"

enum {
    MOST_SHOWN = 12,  /* lines of a list in text; JSON has all */
    MOST_CHANGES = 5, /* likewise */
    STEP = 12         /* columns of a step */
};

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

    to->title = launch->title;
    to->versions = launch->versions;
    to->measured_step_s = launch->measured_step_s;
    to->n_measured_steps = launch->n_measured_steps;
    to->measured_allocated_bytes = launch->measured_allocated_bytes;
    to->measured_reserved_bytes = launch->measured_reserved_bytes;
    to->error_frac =
            launch->measured_step_s > 0
                    ? d->estimate->time.step_s / launch->measured_step_s - 1
                    : nan("");
    d->exact_best = d->best;
    d->gap_frac = nan("");
    if (d->best != NULL) {
        d->gap_frac = d->estimate->time.step_s / d->best->time.step_s - 1;
        report_why_slower(&d->estimate->time.terms, &d->best->time.terms,
                to->slower_words, sizeof(to->slower_words));
        to->slower_by = to->slower_words;
    }
    return add_lines(to, launch, err);
}

static void print_measured(const report_document *d, p3d_text *out)
{
    const report_read *const r = &d->launch;
    char measured[32];
    char predicted[32];

    if (r->measured_step_s > 0)
        report_wrap_labelled("measured", out,
                "%s per step (median of %d), predicted %s: %+.1f %%",
                report_step_words(
                        measured, sizeof(measured), r->measured_step_s),
                r->n_measured_steps,
                report_step_words(
                        predicted, sizeof(predicted), d->estimate->time.step_s),
                100 * r->error_frac);
    if (r->measured_allocated_bytes > 0)
        report_wrap_labelled(r->measured_step_s > 0 ? "" : "measured", out,
                "%.2f GiB allocated, predicted %.2f; %.2f GiB reserved, "
                "predicted %.2f",
                (double)r->measured_allocated_bytes / P3D_GIB,
                (double)d->estimate->memory.allocated_bytes / P3D_GIB,
                (double)r->measured_reserved_bytes / P3D_GIB,
                (double)d->estimate->memory.reserved_bytes / P3D_GIB);
}

static bool is_best(const report_document *d)
{
    return d->exact_best != NULL &&
           strcmp(d->exact_best->words, d->estimate->words) == 0;
}

static void print_best(const report_document *d, p3d_text *out)
{
    char step[32];

    if (d->exact_best == NULL) {
        report_wrap_labelled("best", out, "no plan fits");
        return;
    }
    if (is_best(d)) {
        report_wrap_labelled("best", out, "it is the fastest plan that fits");
        return;
    }
    report_step_words(step, sizeof(step), d->exact_best->time.step_s);
    if (!d->fits)
        report_wrap_labelled("best", out, "%s per step with %s, which fits",
                step, d->exact_best->words);
    else
        report_wrap_labelled("best", out,
                "%s per step with %s: the plan of the files takes %.1f %% "
                "longer (%s)",
                step, d->exact_best->words, 100 * d->gap_frac,
                d->launch.slower_by);
}

void report_add_single(
        report_document *d, const p3d_single_change *changes, int n_changes)
{
    const p3d_plan *const plan = &d->estimate->plan;
    const double step_s = d->estimate->time.step_s;

    for (int i = 0; i < n_changes; i++) {
        const p3d_estimate *const e = &changes[i].estimate;
        report_single *const to = &d->single_items[i];

        to->decision = changes[i].doc;
        if (changes[i].is_option)
            p3d_copy(to->change, sizeof(to->change), changes[i].word);
        else
            p3d_decisions_differ(
                    plan, &e->plan, NULL, to->change, sizeof(to->change));
        p3d_plan_print(&e->plan, to->words, sizeof(to->words));
        to->step_s = p3d_time_step_s(&e->time);
        to->gain_s = step_s - to->step_s;
        to->gain_frac = to->gain_s / step_s;
        to->peak_bytes = p3d_memory_device_bytes(&e->memory);
        to->margin_bytes = p3d_estimate_margin_bytes(e);
    }
    d->single_changes = (report_list){d->single_items, n_changes};
}

static int change_width(const report_document *d, int n)
{
    int width = 0;

    for (int i = 0; i < n; i++) {
        const int length = (int)strlen(d->single_items[i].change);

        width = length > width ? length : width;
    }
    return width;
}

/* "-27.8 %": of the step, less. */
static void print_single(
        const report_document *d, int i, int width, p3d_text *out)
{
    const report_single *const s = &d->single_items[i];
    const report_clock clock = report_clock_for(d->estimate->time.step_s);
    char step[32];

    p3d_text_add(out, "         %-*s%*s%+9.1f %%%+10.*f %s%9.2f GiB to spare\n",
            width, s->change, STEP,
            report_step_words(step, sizeof(step), s->step_s),
            -100 * s->gain_frac, clock.digits, -s->gain_s / clock.unit_s,
            clock.word, (double)s->margin_bytes / P3D_GIB);
}

static void print_changes(const report_document *d, p3d_text *out)
{
    const int n = d->single_changes.n > MOST_CHANGES ? MOST_CHANGES
                                                     : d->single_changes.n;
    const int width = change_width(d, n);

    if (n == 0 && is_best(d))
        return;
    if (n == 0) {
        report_wrap_labelled("change", out,
                d->fits ? "no single one makes the plan of the files faster"
                        : "no single one makes the plan of the files fit");
        return;
    }
    report_wrap_labelled("change", out,
            "one alone, all else as in the files%s: the step then, and what "
            "that %s",
            d->fits ? "" : ", makes it fit", d->fits ? "gains" : "costs");
    for (int i = 0; i < n; i++)
        print_single(d, i, width, out);
}

static void print_list(
        const char *label, const report_list *list, p3d_text *out)
{
    const char *const lines = list->items;
    p3d_text words = {0};
    const int n = list->n > MOST_SHOWN ? MOST_SHOWN : list->n;

    if (list->n == 0)
        return;
    for (int i = 0; i < n; i++)
        p3d_text_add(&words, "%s%s", i == 0 ? "" : ", ",
                lines + (size_t)i * REPORT_LINE);
    if (list->n > n)
        p3d_text_add(&words, " and %d more (--json)", list->n - n);
    report_wrap_labelled(label, out, "%s", p3d_text_get(&words));
    out->failed = out->failed || words.failed;
    p3d_text_free(&words);
}

void report_import(
        const report_document *d, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_import_shape, d, &report_answer_shape, {d->estimate, 1}};

    if (report_print_data(&data, format, out))
        return;
    report_text_estimate(d, out);
    print_best(d, out);
    print_changes(d, out);
    print_measured(d, out);
    report_wrap_labelled("read", out,
            d->launch.versions != NULL ? "as %s, option names of %s" : "as %s",
            d->launch.title, d->launch.versions);
    print_list("default", &d->launch.defaults, out);
    if (d->launch.unmodelled.n > 0)
        report_wrap_labelled("beware", out,
                "these change what runs, and are not in the estimate:");
    print_list("", &d->launch.unmodelled, out);
    print_list("ignored", &d->launch.unknown, out);
    print_list("not read", &d->launch.unresolved, out);
    report_text_search(d, out);
    report_text_assumed(d, out);
}
