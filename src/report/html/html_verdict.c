/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_verdict.c - the answer at the head of the page: yes or no, how sure, how
 * long, at what cost, on what. */
#include <stdio.h>

#include "plan3d/fit_probability.h"
#include "report/html/html.h"
#include "report/text/spans.h"
#include "report/text/text.h"

enum { NOTE = 4 * HTML_CELL };

/* A number that stands out, what it is, and what goes with it. */
static void put_tile(
        p3d_text *out, const char *what, const char *number, const char *note)
{
    html_add(out,
            "<div class=\"tile\"><dt>%s</dt><dd><b>%s</b><span>%s</span></dd>"
            "</div>\n",
            report_say(out->style, what), report_say(out->style, number),
            report_say(out->style, note));
}

static void put_memory(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const report_span peak = report_peak_span(a);
    char note[NOTE];

    snprintf(note, sizeof(note),
            report_say(out->style, "it needs %s GiB (%s) of %s"),
            peak.value.text, report_ends_words(&peak, out->style).text,
            report_three_words(report_gib(d->cluster->gpu.visible_memory_bytes))
                    .text);
    if (a->free_bytes < 0)
        put_tile(out, "Memory missing per GPU",
                REPORT_WORDS("%s GiB",
                        report_three_words(report_gib(-a->free_bytes)).text)
                        .text,
                note);
    else
        put_tile(out, "Memory free per GPU",
                REPORT_WORDS("%s GiB",
                        report_three_words(report_gib(a->free_bytes)).text)
                        .text,
                note);
}

static void put_step(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    const report_span step = report_step_span(a),
                      rate = report_rate_span(a, out->style);
    char note[NOTE];

    snprintf(note, sizeof(note),
            report_say(out->style, "%s %s in %.0f %% of runs, median %s"),
            report_ends_words(&step, out->style).text, unit.word,
            100 * a->range.confidence_frac, step.median.text);
    put_tile(out, "Time of a step",
            REPORT_WORDS("%s %s", step.value.text, unit.word).text, note);
    snprintf(note, sizeof(note),
            report_say(out->style, "(%s); %s of the GPUs' peak (MFU)"),
            report_ends_words(&rate, out->style).text,
            REPORT_WORDS(
                    report_say(out->style, "%.3g %%"), 100 * a->found.mfu_frac)
                    .text);
    put_tile(out, "Speed", REPORT_WORDS("%s tokens/s", rate.value.text).text,
            note);
}

static void put_days(const report_document *d, p3d_text *out)
{
    const report_training *const t = d->estimate->training;
    const report_clock unit = report_long_clock_for(t->found.real_s);
    const report_span days = report_time_span(t);
    char note[NOTE];

    if (!t->found.progresses) {
        put_tile(out, "Time of the training", "never ends",
                "it fails faster than it works");
        return;
    }
    snprintf(note, sizeof(note),
            report_say(out->style,
                    "(%s, median %s) for %s tokens, failures included"),
            report_ends_words(&days, out->style).text, days.median.text,
            report_count_words(d->job->n_tokens).text);
    put_tile(out, "Time of the training",
            REPORT_WORDS(
                    "%s %s", days.value.text, report_say(out->style, unit.word))
                    .text,
            note);
}

/* Money, where a price was given; else energy. */
static void put_cost(const report_training *t, p3d_text *out)
{
    const report_span usd = report_usd_span(t, out->style);
    const report_span energy = report_energy_span(t);
    const bool has_energy = t->found.energy_kwh > 0;
    char note[NOTE];

    if (report_training_usd(&t->found) > 0) {
        snprintf(note, sizeof(note),
                report_say(out->style,
                        has_energy ? "(%s, median %s), all of the training; "
                                     "energy %s%s"
                                   : "(%s, median %s), all of the training"),
                report_ends_words(&usd, out->style).text, usd.median.text,
                energy.value.text, report_energy_unit(t));
        put_tile(out, "Cost",
                REPORT_WORDS(report_say(out->style, "USD %s"), usd.value.text)
                        .text,
                note);
    } else if (has_energy) {
        snprintf(note, sizeof(note),
                report_say(out->style, "(%s, median %s), all of the training"),
                report_ends_words(&energy, out->style).text,
                energy.median.text);
        put_tile(out, "Energy",
                REPORT_WORDS("%s%s", energy.value.text, report_energy_unit(t))
                        .text,
                note);
    }
}

/* Days and money of what was asked: a training, or a billion tokens. */
static void put_training(const report_document *d, p3d_text *out)
{
    const report_span usd = report_billion_span(d->estimate, out->style);
    char note[NOTE];

    if (d->estimate->training != NULL) {
        put_days(d, out);
        if (d->estimate->training->found.progresses)
            put_cost(d->estimate->training, out);
    } else if (d->job->usd_per_gpu_h > 0) {
        snprintf(note, sizeof(note),
                report_say(out->style,
                        "(%s) per billion tokens, if nothing fails"),
                report_ends_words(&usd, out->style).text);
        put_tile(out, "Cost",
                REPORT_WORDS(report_say(out->style, "USD %s"), usd.value.text)
                        .text,
                note);
    }
}

static void put_machine(const report_document *d, p3d_text *out)
{
    char note[NOTE];

    snprintf(note, sizeof(note), "%s; %s, %s", d->cluster->gpu.name,
            d->job->framework->name, p3d_dtype_name(d->job->dtype));
    put_tile(out, "On",
            d->cluster->n_gpus == 1
                    ? "1 GPU"
                    : REPORT_WORDS(report_say(out->style, "%d GPUs"),
                              d->cluster->n_gpus)
                              .text,
            note);
}

/* "It fits, 97 % sure", or what it lacks. */
static void put_title(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;
    p3d_text title = {.style = {.lang = out->style.lang}};

    if (a->found.fits) {
        report_add(&title,
                a->verdict == P3D_VERDICT_BARELY ? "It barely fits, %s"
                                                 : "It fits, %s",
                report_sure_words(a->fit_probability_frac, out->style).text);
    } else {
        report_add(&title, d->best != NULL
                                   ? "This plan does not fit: it "
                                   : "It does not fit: the closest plan ");
        report_text_lack(d, a, &title);
    }
    html_add(out, "<h1>");
    html_title(out, p3d_text_get(&title));
    html_add(out, "</h1>\n");
    report_text_free(&title, out);
}

/* Runs like this one may need more than there is. */
static bool is_thin(const report_document *d)
{
    const report_answer *const a = d->estimate;

    return a->fit_probability_frac < P3D_SURE_FRAC ||
           a->ranges.device.high_bytes > d->cluster->gpu.visible_memory_bytes;
}

static void put_warning(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;

    if (a->missing_bytes > 0)
        html_add(out,
                "<p>It is %s to fit. The numbers are what this plan would take "
                "on GPUs with more memory.</p>\n",
                report_sure_words(a->fit_probability_frac, out->style).text);
    else if (!a->found.fits)
        html_add(out, "<p>The numbers are what this plan would take on nodes "
                      "with more memory.</p>\n");
    else if (a->verdict == P3D_VERDICT_BARELY)
        html_add(out,
                "<p class=\"warn\"><b>It may run out of memory.</b> Such a "
                "plan is only %s to fit, and %s %% was asked for. Run a few "
                "steps before you book the machine.</p>\n",
                report_sure_words(a->fit_probability_frac, out->style).text,
                REPORT_WORDS("%.3g", 100 * d->job->sure_frac).text);
    else if (is_thin(d))
        html_add(out,
                "<p class=\"warn\"><b>The margin is thin.</b> The plan is %s "
                "to "
                "fit; memory may reach %s GiB of the %s GiB of each GPU. Run a "
                "few steps before you book the machine.</p>\n",
                report_sure_words(a->fit_probability_frac, out->style).text,
                report_peak_span(a).high.text,
                report_three_words(
                        report_gib(d->cluster->gpu.visible_memory_bytes))
                        .text);
}

/* The colour of the answer. */
static const char *class_of(const report_document *d)
{
    if (!d->estimate->found.fits)
        return "no";
    return d->estimate->verdict == P3D_VERDICT_BARELY || is_thin(d) ? "barely"
                                                                    : "yes";
}

static void put_question(const report_document *d, p3d_text *out)
{
    p3d_text question = {.style = {.lang = out->style.lang}};

    report_text_question(d, &question);
    html_add(out, "<details class=\"question\"><summary>Model, cluster and job "
                  "in full</summary>\n");
    html_labelled(out, p3d_text_get(&question));
    html_add(out, "</details>\n");
    report_text_free(&question, out);
}

/* Where no plans to choose from follow, this is the one to copy. */
static void put_string(const report_document *d, p3d_text *out)
{
    if (d->recommended != NULL)
        return;
    html_add(out, "<p class=\"string\">");
    html_copied(out, "plan", d->estimate->words);
    html_add(out, "</p>\n");
}

void html_verdict(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    const report_answer *const a = d->estimate;

    html_add(out,
            "<header id=\"verdict\" class=\"%s\">\n"
            "<p class=\"kind\">%s on %s</p>\n",
            class_of(d), d->model->name, d->cluster->name);
    put_title(d, out);
    put_warning(d, out);
    html_add(out, "<dl class=\"tiles\">\n");
    put_training(d, out);
    put_step(a, out);
    put_memory(d, a, out);
    put_machine(d, out);
    html_add(out, "</dl>\n<p class=\"plan\">%s</p>\n",
            report_short_plan(&a->found.plan, out->style).text);
    put_string(d, out);
    put_question(d, out);
    html_add(out, "</header>\n");
}
