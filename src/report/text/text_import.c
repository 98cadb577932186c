/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_import.c - a launch that was read: its plan, what its log measured, and
 * how far it is from the best. */
#include <math.h>
#include <string.h>

#include "report/text/layout.h"
#include "report/text/spans.h"
#include "report/text/text.h"

enum {
    MOST_SHOWN = 12,  /* lines of a list in text; JSON has all */
    MOST_CHANGES = 5, /* likewise */
    FEW_CHANGES = 3,  /* on the first screen */
    NEXT = 9,         /* column of a command that follows */
    STEP = 12         /* columns of a step */
};

/* What the log says, and how far the prediction is from it. */
static void print_measured(const report_document *d, p3d_text *out)
{
    const report_launch *const r = &d->launch.files;

    if (r->measured_step_s > 0)
        report_wrap_labelled("measured", out,
                "%s per step in the log (median of %d), predicted %s: %+.1f %%",
                report_step_words(r->measured_step_s).text, r->n_measured_steps,
                report_step_words(d->estimate->step_s).text,
                100 * d->launch.error_frac);
    if (r->measured_allocated_bytes > 0)
        report_wrap_labelled(r->measured_step_s > 0 ? "" : "measured", out,
                "%.1f GiB allocated, predicted %.1f; %.1f GiB reserved, "
                "predicted %.1f",
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

/* How far the plan is from the recommended one, and how sure that is. */
static void print_best(const report_document *d, p3d_text *out)
{
    const report_answer *const best = d->exact_best;
    const report_clock unit = report_clock_for(best != NULL ? best->step_s : 1);
    report_span step;

    if (best == NULL) {
        report_wrap_labelled("advised", out, "no plan fits");
        return;
    }
    if (is_best(d)) {
        report_wrap_labelled("advised", out, "it is the recommended plan");
        return;
    }
    step = report_step_span(best);
    if (!d->fits)
        report_wrap_labelled("advised", out,
                "%s %s (%s to %s), %s to fit with %.1f GiB free, with",
                step.value.text, unit.word, step.low.text, step.high.text,
                report_sure_words(best->fit_probability_frac, out->style).text,
                report_gib(best->free_bytes));
    else
        report_wrap_labelled("advised", out,
                d->gap_frac < 0
                        ? "%s %s (%s to %s), %s to fit with %.1f GiB free: "
                          "yours is %.1f %% faster (%s)"
                        : "%s %s (%s to %s), %s to fit with %.1f GiB free: "
                          "yours takes %.1f %% longer (%s)",
                step.value.text, unit.word, step.low.text, step.high.text,
                report_sure_words(best->fit_probability_frac, out->style).text,
                report_gib(best->free_bytes), 100 * fabs(d->gap_frac),
                report_say_made(out->style, d->launch.slower_by).text);
    report_text_words(best->words, out);
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

    report_add(out, "      %2d %-*s%*s%+9.1f %%%+10.*f %s%7.1f GiB free, %s\n",
            i + 1, width, s->change, STEP,
            report_step_words(p3d_time_step_s(&e->time)).text,
            -100 * (gain_s / s->from_step_s), clock.digits,
            -gain_s / clock.unit_s, clock.word,
            report_gib(p3d_estimate_margin_bytes(e)),
            report_sure_words(s->fit_probability_frac, out->style).text);
}

static void print_changes(const report_document *d, int n_most, p3d_text *out)
{
    const int n = d->single_changes.n > n_most ? n_most : d->single_changes.n;
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

/* The words for what the file would have: the recommended plan, or a change. */
static void add_what(const report_document *d, int number, p3d_text *out)
{
    if (number > 0 && number <= d->single_changes.n)
        p3d_text_add(out, "%s", d->single_items[number - 1].change);
    else
        report_add(out, "the recommended plan");
}

/* What would change in the file, or where the changed one is. */
static void print_file(const report_document *d, p3d_text *out)
{
    const report_change *const c = d->launch.files.change;
    p3d_text what = {.style = out->style};

    if (c == NULL)
        return;
    if (c->refused != NULL)
        report_wrap_labelled("file", out,
                "the files cannot express the recommended plan: %s",
                report_say_made(out->style, c->refused).text);
    add_what(d, c->number, &what);
    if (c->file != NULL && c->written != NULL)
        report_wrap_labelled("file", out,
                c->n_files > 1 ? "%s, with %s, are in %s"
                               : "%s, with %s, is %s",
                c->file, p3d_text_get(&what), c->written);
    else if (c->file != NULL)
        report_wrap_labelled(c->refused != NULL ? "" : "file", out,
                c->n_files > 1 ? "%s in them, as a diff; --write DIR/ writes "
                                 "them:"
                               : "%s in it, as a diff; --write FILE writes it:",
                p3d_text_get(&what));
    if (c->file != NULL)
        p3d_text_add(out, "%s", c->diff);
    report_text_free(&what, out);
}

static void print_list(const char *label, const json_list *list, p3d_text *out)
{
    const char *const lines = list->items;
    p3d_text words = {.style = out->style};
    const int n = list->n > MOST_SHOWN ? MOST_SHOWN : list->n;

    if (list->n == 0)
        return;
    for (int i = 0; i < n; i++)
        p3d_text_add(&words, "%s%s", i == 0 ? "" : report_say(out->style, ", "),
                report_say_made(out->style, lines + (size_t)i * JSON_LINE)
                        .text);
    if (list->n > n)
        report_add(&words, " and %d more (--json)", list->n - n);
    report_wrap_labelled_text(label, &words, out);
}

/* What may make the answer wrong comes right behind its first line. */
static void print_beware(const report_document *d, p3d_text *out)
{
    const report_read *const r = &d->launch;

    if (r->contradicted.n > 0)
        report_wrap_labelled("beware", out,
                "the files contradict the cluster or each other; what counts "
                "here:");
    print_list("", &r->contradicted, out);
    if (r->doubtful.n > 0)
        report_wrap_labelled("beware", out,
                "at your own risk: not understood, and may change the answer:");
    print_list("", &r->doubtful, out);
    if (r->unmodelled.n > 0)
        report_wrap_labelled("beware", out,
                "at your own risk: these change what runs, and are not in the "
                "estimate:");
    print_list("", &r->unmodelled, out);
}

/* This is what you run. */
static void print_run(const report_document *d, p3d_text *out)
{
    report_wrap_labelled("you run", out, "%s",
            report_short_plan(&d->estimate->found.plan, out->style).text);
    report_text_words(d->estimate->words, out);
    report_text_job(d, out);
    print_list("scope", &d->launch.scope, out);
}

/* The first line is the answer. */
static void print_fits(const report_document *d, p3d_text *out)
{
    if (d->fits) {
        report_text_verdict(d, d->estimate, out);
        return;
    }
    report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
    report_add(out, ": %s ", report_say(out->style, "this plan"));
    report_text_lack(d, d->estimate, out);
    p3d_text_add(out, "\n");
}

static void print_step(const report_document *d, p3d_text *out)
{
    if (!d->fits)
        return;
    report_text_step(d->estimate, out);
    report_text_median(d->estimate, out);
}

/* What no file says and is not of the program either stands in the answer. */
static void print_outside(const report_read *r, p3d_text *out)
{
    static const char mark[] = ", from the environment";
    const char *const lines = r->defaults.items;
    p3d_text words = {.style = out->style};

    for (int i = 0; i < r->defaults.n; i++) {
        const char *const line = lines + (size_t)i * JSON_LINE;
        const char *const end = strstr(line, mark);

        if (end != NULL)
            p3d_text_add(&words, "%s%.*s%s",
                    words.length == 0 ? "" : report_say(out->style, ", "),
                    (int)(end - line), line, report_say(out->style, mark));
    }
    if (words.length > 0)
        report_wrap_labelled_text("read", &words, out);
    p3d_text_free(&words);
}

/* The options that the answer rests on, or lacks, by number. */
static void print_rest(const report_document *d, p3d_text *out)
{
    const report_read *const r = &d->launch;

    report_wrap_labelled("read", out,
            r->files.versions != NULL ? "as %s, option names of %s" : "as %s",
            r->files.title, r->files.versions);
    print_outside(r, out);
    report_wrap_labelled("assumed", out,
            "options left to the framework: %d, ignored: %d, not read: %d; "
            "constants: %d; --long lists them",
            r->defaults.n, r->unknown.n, r->unresolved.n, d->assumed.n);
}

/* @param number  of the change to write; < 0 = the long answer */
static void print_next(const report_document *d, int number, p3d_text *out)
{
    p3d_text command = {0};

    p3d_text_add(&command, "%s", d->launch.files.command);
    if (number < 0)
        p3d_text_add(&command, " --long");
    else if (number > 0)
        p3d_text_add(&command, " --change %d", number);
    if (number >= 0 && d->launch.files.change->n_files > 1)
        p3d_text_add(&command, " --write DIR/");
    else if (number >= 0)
        p3d_text_add(&command, " --write FILE");
    if (out->style.lang_option != NULL)
        p3d_text_add(&command, "%s", out->style.lang_option);
    report_left(report_say(out->style, number < 0 ? "next" : ""), NEXT, out);
    report_wrap_command(p3d_text_get(&command), NEXT, out);
    report_text_free(&command, out);
}

/* All up to where the tables begin. */
static void print_first(const report_document *d, int n_most, p3d_text *out)
{
    print_fits(d, out);
    print_beware(d, out);
    print_run(d, out);
    print_step(d, out);
    report_text_interrupted(d, out);
    print_measured(d, out);
    print_best(d, out);
    print_changes(d, n_most, out);
    print_file(d, out);
}

static bool print_data(
        const report_document *d, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_import_shape, d, &report_answer_shape, {d->estimate, 1}};

    return report_print_data(&data, format, out);
}

void report_import(
        const report_document *d, report_format format, p3d_text *out)
{
    if (print_data(d, format, out))
        return;
    print_first(d, FEW_CHANGES, out);
    print_rest(d, out);
    if (d->launch.files.command == NULL)
        return;
    print_next(d, -1, out);
    if (d->launch.files.change->file != NULL &&
            d->launch.files.change->written == NULL)
        print_next(d, d->launch.files.change->number, out);
}

void report_import_long(
        const report_document *d, report_format format, p3d_text *out)
{
    if (print_data(d, format, out))
        return;
    print_first(d, MOST_CHANGES, out);
    p3d_text_add(out, "\n");
    report_text_estimate(d, out);
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
