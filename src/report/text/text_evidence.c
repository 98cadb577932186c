/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_evidence.c - the measured runs that are nearest to a plan: in short with
 * an answer, and as a table with the parts of their distance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "report/text/layout.h"
#include "report/text/spans.h"
#include "report/text/text.h"

const char report_no_evidence[] = "no measured run is near this job: trust the "
                                  "order of the plans more than the seconds";

/* Characters before the first of some marks: "Megatron-Kwai" of "Megatron-Kwai
 * (Megatron-LM fork)". */
static int before(const char *text, const char *marks)
{
    size_t n = strcspn(text, marks);

    while (n > 0 && text[n - 1] == ' ')
        n--;
    return (int)n;
}

/* Characters of the type of a GPU, to the part that has a digit: "H800" of
 * "H800-SXM5-80GB", "RTX-4090" of "RTX-4090-24GB", "TPU-v5p". */
static int type_length(const char *gpu)
{
    const size_t to_digit = strcspn(gpu, "0123456789");

    return (int)(to_digit + strcspn(gpu + to_digit, "-"));
}

/* " in fp8": of products of another width than the job's. */
static report_words other_width(const p3d_near_run *near, p3d_style style)
{
    return near->parts.precision_steps > 0
                   ? REPORT_WORDS(report_say(style, " in %s"), near->run.dtype)
                   : (report_words){""};
}

/* How much longer a step is than the constants say. */
static void say_factor(const p3d_anchor *anchor, p3d_text *out)
{
    const double factor = p3d_anchor_step_factor(anchor);
    const int n = anchor->n_steps;

    if (anchor->same_model)
        report_wrap_labelled("own runs", out,
                n == 1 ? "anchored by %d run of yours of this model: a step "
                         "takes %.3g times what the constants say"
                       : "anchored by %d runs of yours of this model: a step "
                         "takes %.3g times what the constants say",
                n, factor);
    else
        report_wrap_labelled("own runs", out,
                n == 1 ? "anchored by %d run of yours of another model or "
                         "network: a step takes %.3g times what the constants "
                         "say"
                       : "anchored by %d runs of yours of other models or "
                         "networks: a step takes %.3g times what the constants "
                         "say",
                n, factor);
}

/* Runs of the user's own that the answer follows. */
static void say_own_runs(const p3d_anchor *anchor, p3d_text *out)
{
    if (anchor->n_steps > 0)
        say_factor(anchor, out);
    if (anchor->n_peaks > 0)
        report_wrap_labelled("peaks", out,
                anchor->same_model
                        ? "%d of this model: how sure a plan is to fit is said "
                          "for a peak of %.3g times the estimate"
                        : "%d of other models or networks: how sure a plan is "
                          "to "
                          "fit is said for a peak of %.3g times the estimate",
                anchor->n_peaks, p3d_exp(anchor->peak_log));
}

/* Of the step; a run that is further from its prediction says something of
 * this one, too: half of the error is common to runs of one source, framework,
 * GPU and model. Source: docs/recommendation.md, "Where the error comes from".
 */
static const double FAR_FRAC = 0.2;

void report_add_far(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate != NULL ? d->estimate : d->best;
    const p3d_near_run *const near = d->evidence.items;
    double longer;
    report_span step;

    if (d->evidence.n == 0 || a == NULL)
        return;
    longer = near->run.measured_step_s / near->run.predicted_step_s;
    step = report_step_span(a);
    if (longer > 1 + FAR_FRAC)
        report_add(out,
                "; its step took %.0f %% longer than predicted: take the upper "
                "half of the range, %s to %s %s",
                100 * (longer - 1), step.median.text, step.high.text,
                report_clock_for(a->step_s).word);
    else if (longer < 1 / (1 + FAR_FRAC))
        report_add(out,
                "; its step took %.0f %% less than predicted: take the lower "
                "half of the range, %s to %s %s",
                100 * (1 - longer), step.low.text, step.median.text,
                report_clock_for(a->step_s).word);
}

void report_text_nearest(const report_document *d, p3d_text *out)
{
    const p3d_near_run *const near = d->evidence.items;
    const p3d_measured_run *const run = &near->run;
    p3d_text words = {.style = out->style};

    say_own_runs(&d->job->anchor, out);
    if (d->evidence.n == 0) {
        report_wrap_labelled("measured", out,
                "no run near this job: trust the order of the plans more than "
                "the seconds");
        return;
    }
    report_add(&words,
            "%.*s on %lld %.*s%s, %.*s: %s tokens/s per GPU, predicted %s",
            before(run->model, "("), run->model, (long long)run->n_gpus,
            type_length(run->gpu), run->gpu, other_width(near, out->style).text,
            before(run->framework, "(/+"), run->framework,
            report_three_words(run->measured_tokens_per_s_per_gpu).text,
            report_three_words(run->predicted_tokens_per_s_per_gpu).text);
    report_add_far(d, &words);
    report_wrap_labelled_text("measured", &words, out);
}

void report_text_evidence(const report_document *d, p3d_text *out)
{
    const p3d_near_run *const runs = d->evidence.items;

    if (d->evidence.n == 0)
        report_wrap_labelled("evidence", out, "%s",
                report_say(out->style, report_no_evidence));
    for (int i = 0; i < d->evidence.n; i++) {
        const p3d_measured_run *const run = &runs[i].run;
        p3d_text words = {.style = out->style};

        report_add(&words,
                "%.*s on %lld %.*s%s, %.*s: %s tokens/s per GPU, predicted %s",
                before(run->model, "("), run->model, (long long)run->n_gpus,
                type_length(run->gpu), run->gpu,
                other_width(&runs[i], out->style).text,
                before(run->framework, "(/+"), run->framework,
                report_three_words(run->measured_tokens_per_s_per_gpu).text,
                report_three_words(run->predicted_tokens_per_s_per_gpu).text);
        if (i == 0)
            report_add_far(d, &words);
        report_wrap_labelled_text(i == 0 ? "evidence" : "", &words, out);
    }
}

/* The table. */

#define CELL(name, ...) REPORT_COLUMN(name, p3d_near_run, __VA_ARGS__)
CELL(print_model, "%.*s", before(x->run.model, "("), x->run.model)
CELL(print_gpus, "%lld %.*s", (long long)x->run.n_gpus, type_length(x->run.gpu),
        x->run.gpu)
CELL(print_measured, "%s",
        report_three_words(x->run.measured_tokens_per_s_per_gpu).text)
CELL(print_error, "%+.1f", 100 * report_near_error_frac(x))
CELL(print_distance, "%.1f%s", x->distance_steps, x->near ? "" : " *")
#define P3D_AS_CELL(part, words) \
    CELL(print_##part, "%.1f", x->parts.part##_steps)
P3D_DISTANCE_PARTS(P3D_AS_CELL)
#undef P3D_AS_CELL

/* clang-format off */
static const report_column columns[] = {
    {"model",    'l', false, 0, 0, print_model},
    {"GPUs",     'l', false, 0, 0, print_gpus},
    {"/GPU",     'r', false, 0, 0, print_measured},
    {"error %",  'r', false, 0, 0, print_error},
    {"steps",    'l', false, 0, 0, print_distance},
    {"size",     'r', false, 0, 0, print_model_size},
    {"moe",      'r', true,  0, 0, print_experts},
    {"lora",     'r', true,  0, 0, print_trained},
    {"gpu",      'r', false, 0, 0, print_gpu},
    {"dtype",    'r', true,  0, 0, print_precision},
    {"fw",       'r', false, 0, 0, print_framework},
    {"net",      'r', false, 0, 0, print_network},
    {"n",        'r', false, 0, 0, print_n_gpus},
    {"seq",      'r', false, 0, 0, print_seq_len},
    {"plan",     'r', false, 0, 0, print_plan},
};
/* clang-format on */

static void print_table(const report_document *d, p3d_text *out)
{
    report_columns shown = {.rows = d->nearest,
            .size = sizeof(p3d_near_run),
            .style = out->style,
            .in_all = "in all runs: ",
            .numbered = true};

    for (int i = 0; i < P3D_COUNT_OF(columns); i++)
        report_columns_add(&shown, &columns[i]);
    report_columns_print(&shown, out);
}

static void print_legend(p3d_text *out)
{
    p3d_text words = {.style = out->style};

    report_add(&words,
            "(/GPU: measured tokens/s of one GPU; error %%: predicted over "
            "measured step, less 1; steps: sum of the parts at the right, a "
            "doubling or another word each; *: not near, which is more than "
            "%.0f in all or more than %.0f in one part)",
            P3D_NEAR_STEPS, P3D_NEAR_PART_STEPS);
    report_wrap_text(&words, 0, out);
}

/* The words of a plan, with a blank after each comma to break at. */
static void add_plan(const char *plan, p3d_text *out)
{
    for (; *plan != '\0'; plan++)
        p3d_text_add(out, *plan == ',' ? ", " : "%c", *plan);
}

/* What each run is, below the table. */
static void print_sources(const report_document *d, p3d_text *out)
{
    const p3d_near_run *const runs = d->nearest.items;

    for (int i = 0; i < d->nearest.n; i++) {
        const p3d_measured_run *const run = &runs[i].run;
        p3d_text words = {.style = out->style};

        p3d_text_add(out, "%3d  ", i + 1);
        report_add(&words, "%s, sequence %s, %s, ", run->framework,
                report_integer_words(run->seq_len).text, run->dtype);
        add_plan(run->plan, &words);
        p3d_text_add(&words, ": %s", run->ref);
        report_wrap_text(&words, 5, out);
    }
}

void report_evidence(
        const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", "plan3d explain ", NULL};
    const report_data data = {
            &report_evidence_shape, d, &report_near_run_shape, d->nearest};

    if (report_print_data(&data, format, out))
        return;
    report_text_plan(d->estimate, out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    print_table(d, out);
    print_legend(out);
    p3d_text_add(out, "\n");
    print_sources(d, out);
    p3d_text_add(out, "\n");
    report_text_evidence(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
