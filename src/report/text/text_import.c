/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_import.c - a launch that was read: its plan, what its log measured, and
 * how far it is from the best. */
#include <string.h>

#include "report/text/layout.h"
#include "report/text/text.h"

enum {
    MOST_SHOWN = 12,  /* lines of a list in text; JSON has all */
    MOST_CHANGES = 5, /* likewise */
    STEP = 12         /* columns of a step */
};

static void print_measured(const report_document *d, p3d_text *out)
{
    const report_launch *const r = &d->launch.files;

    if (r->measured_step_s > 0)
        report_wrap_labelled("measured", out,
                "%s per step (median of %d), predicted %s: %+.1f %%",
                report_step_words(r->measured_step_s).text, r->n_measured_steps,
                report_step_words(d->estimate->step_s).text,
                100 * d->launch.error_frac);
    if (r->measured_allocated_bytes > 0)
        report_wrap_labelled(r->measured_step_s > 0 ? "" : "measured", out,
                "%.2f GiB allocated, predicted %.2f; %.2f GiB reserved, "
                "predicted %.2f",
                report_gib(r->measured_allocated_bytes),
                report_gib(
                        p3d_memory_allocated_bytes(&d->estimate->found.memory)),
                report_gib(r->measured_reserved_bytes),
                report_gib(
                        p3d_memory_reserved_bytes(&d->estimate->found.memory)));
}

static bool is_best(const report_document *d)
{
    return d->exact_best != NULL &&
           strcmp(d->exact_best->words, d->estimate->words) == 0;
}

static void print_best(const report_document *d, p3d_text *out)
{
    if (d->exact_best == NULL) {
        report_wrap_labelled("best", out, "no plan fits");
        return;
    }
    if (is_best(d)) {
        report_wrap_labelled("best", out, "it is the recommended plan");
        return;
    }
    if (!d->fits)
        report_wrap_labelled("best", out, "%s per step with %s, which fits",
                report_step_words(d->exact_best->step_s).text,
                d->exact_best->words);
    else
        report_wrap_labelled("best", out,
                "%s per step with %s: the plan of the files takes %.1f %% "
                "longer (%s)",
                report_step_words(d->exact_best->step_s).text,
                d->exact_best->words, 100 * d->gap_frac,
                report_say_made(out->style, d->launch.slower_by).text);
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
    const p3d_estimate *const e = &s->made.estimate;
    const double gain_s = report_single_gain_s(s);
    const report_clock clock = report_clock_for(d->estimate->step_s);

    report_add(out, "         %-*s%*s%+9.1f %%%+10.*f %s%9.2f GiB free\n",
            width, s->change, STEP,
            report_step_words(p3d_time_step_s(&e->time)).text,
            -100 * (gain_s / s->from_step_s), clock.digits,
            -gain_s / clock.unit_s, clock.word,
            report_gib(p3d_estimate_margin_bytes(e)));
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
            d->fits ? "" : report_say(out->style, ", makes it fit"),
            report_say(out->style, d->fits ? "gains" : "costs"));
    for (int i = 0; i < n; i++)
        print_single(d, i, width, out);
}

static void print_list(const char *label, const json_list *list, p3d_text *out)
{
    const char *const lines = list->items;
    p3d_text words = {.style = out->style};
    const int n = list->n > MOST_SHOWN ? MOST_SHOWN : list->n;

    if (list->n == 0)
        return;
    for (int i = 0; i < n; i++)
        p3d_text_add(&words, "%s%s", i == 0 ? "" : ", ",
                lines + (size_t)i * JSON_LINE);
    if (list->n > n)
        report_add(&words, " and %d more (--json)", list->n - n);
    report_wrap_labelled_text(label, &words, out);
}

/* What may make the answer wrong comes before it. */
static void print_beware(const report_document *d, p3d_text *out)
{
    const report_read *const r = &d->launch;

    if (r->doubtful.n > 0)
        report_wrap_labelled("beware", out,
                "at your own risk: not understood, and may change the answer:");
    print_list("", &r->doubtful, out);
    if (r->unmodelled.n > 0)
        report_wrap_labelled("beware", out,
                "these change what runs, and are not in the estimate:");
    print_list("", &r->unmodelled, out);
}

void report_import(
        const report_document *d, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_import_shape, d, &report_answer_shape, {d->estimate, 1}};

    if (report_print_data(&data, format, out))
        return;
    print_beware(d, out);
    report_text_estimate(d, out);
    print_best(d, out);
    print_changes(d, out);
    print_measured(d, out);
    report_wrap_labelled("read", out,
            d->launch.files.versions != NULL ? "as %s, option names of %s"
                                             : "as %s",
            d->launch.files.title, d->launch.files.versions);
    print_list("default", &d->launch.defaults, out);
    print_list("ignored", &d->launch.unknown, out);
    print_list("not read", &d->launch.unresolved, out);
    report_text_search(d, out);
    report_text_assumed(d, out);
}
