/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_verdict.c - the answer at the head of the page: yes or no, how fast, at
 * what cost; and what would make the job fit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "plan3d/units.h"
#include "report/html/html.h"
#include "report/text/text.h"

/* A number that stands out, what it is, and what goes with it. */
static void put_tile(
        p3d_text *out, const char *what, const char *number, const char *note)
{
    html_add(out,
            "<div class=\"tile\"><dt>%s</dt><dd><b>%s</b><span>%s</span></dd>"
            "</div>\n",
            what, number, note);
}

static void put_memory(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const int64_t free_bytes =
            a->free_bytes < 0 ? -a->free_bytes : a->free_bytes;

    put_tile(out, a->free_bytes < 0 ? "missing per GPU" : "free per GPU",
            REPORT_WORDS("%s GiB", html_gib(free_bytes).text).text,
            REPORT_WORDS("of %s GiB, %s to fit",
                    html_gib(d->cluster->gpu.visible_memory_bytes).text,
                    report_sure_words(a->fit_probability_frac).text)
                    .text);
}

static void put_speed(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    char note[3 * HTML_CELL];

    snprintf(note, sizeof(note), "%.0f %% of runs: %s to %s %s",
            100 * a->range.confidence_frac,
            html_number(unit.digits, a->range.low_s / unit.unit_s).text,
            html_number(unit.digits, a->range.high_s / unit.unit_s).text,
            unit.word);
    put_tile(out, "step", report_step_words(a->step_s).text, note);
    snprintf(note, sizeof(note), "%s per GPU",
            report_rate_words(a->tokens_per_s_per_gpu).text);
    put_tile(out, "tokens/s", report_rate_words(a->found.tokens_per_s).text,
            note);
    snprintf(note, sizeof(note), "%s with recomputation (HFU)",
            html_percent(a->found.hfu_frac).text);
    put_tile(out, "model FLOPs utilization",
            html_percent(a->found.mfu_frac).text, note);
}

/* "USD 158,617" */
static report_words usd(double amount_usd)
{
    return REPORT_WORDS("USD %s", report_usd_words(amount_usd).text);
}

static void put_training(const report_document *d, p3d_text *out)
{
    const p3d_training *const t = d->estimate->training != NULL
                                          ? &d->estimate->training->found
                                          : NULL;
    char number[2 * HTML_CELL], note[2 * HTML_CELL];

    if (t == NULL)
        return;
    snprintf(note, sizeof(note), "for %s tokens, failures included",
            report_count_words(d->job->n_tokens).text);
    snprintf(number, sizeof(number), "%s days",
            html_number(2, report_days(t->real_s)).text);
    put_tile(out, "training", t->progresses ? number : "never ends",
            t->progresses ? note : "it fails faster than it works");
    if (!t->progresses)
        return;
    if (t->rent_usd > 0)
        put_tile(out, "rent", usd(t->rent_usd).text, "for the whole training");
    if (t->purchase_usd + t->energy_usd > 0)
        put_tile(out, "owned", usd(t->purchase_usd + t->energy_usd).text,
                "purchase and energy of the whole training");
}

static void put_price(const report_document *d, p3d_text *out)
{
    const double each_usd = d->estimate->billion_tokens_usd;

    if (d->estimate->training == NULL && d->job->usd_per_gpu_h > 0)
        put_tile(out, "rent",
                REPORT_WORDS("USD %s", html_number(2, each_usd).text).text,
                "per billion tokens, if nothing fails");
}

/* "It fits: 158.25 s per step", or what it lacks. */
static void put_title(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;
    p3d_text title = {0};

    if (a->found.fits) {
        p3d_text_add(&title, "It fits%s: %s per step",
                a->verdict == P3D_VERDICT_BARELY ? ", barely" : "",
                report_step_words(a->step_s).text);
    } else {
        p3d_text_add(&title, "It does not fit: %s ",
                d->best != NULL ? "this plan" : "the closest plan");
        report_text_lack(d, a, &title);
    }
    html_add(out, "<h1>");
    html_title(out, p3d_text_get(&title));
    html_add(out, "</h1>\n");
    report_text_free(&title, out);
}

static void put_choice(const report_document *d, const char *which,
        const report_answer *a, p3d_text *out)
{
    const double slower_frac = a->step_s / d->recommended->step_s - 1;

    if (strcmp(a->words, d->recommended->words) == 0)
        return;
    html_add(out,
            "<li>%s: %s %s, %s to fit, %s GiB free; %s: <code>%s</code></li>\n",
            which, html_percent(fabs(slower_frac)).text,
            slower_frac < 0 ? "faster" : "slower",
            report_sure_words(a->fit_probability_frac).text,
            html_gib(a->free_bytes).text,
            a->departures[0] != '\0' ? a->departures
                                     : "as the framework does it by itself",
            a->words);
}

/* What else there is. */
static void put_choices(const report_document *d, p3d_text *out)
{
    if (d->recommended == NULL)
        return;
    html_add(out, "<ul class=\"choices\">\n");
    if (strcmp(d->estimate->words, d->recommended->words) == 0)
        html_add(out, "<li>recommended: %s</li>\n",
                d->recommended->departures[0] != '\0'
                        ? d->recommended->departures
                        : "as the framework does it by itself");
    put_choice(d, "fastest by the estimate", d->fastest, out);
    put_choice(d, "roomiest", d->roomiest, out);
    html_add(out, "</ul>\n");
}

/* How far the plan of --plan is from the best. */
static void put_gap(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate, *const best = d->best;

    if (best == NULL || best->step_s == a->step_s)
        return;
    html_add(out,
            "<p>The recommended plan takes %s, %s %s: <code>%s</code></p>\n",
            report_step_words(best->step_s).text,
            html_percent(best->step_s < a->step_s
                                 ? 1 - best->step_s / a->step_s
                                 : best->step_s / a->step_s - 1)
                    .text,
            best->step_s < a->step_s ? "less" : "more", best->words);
}

void html_verdict(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    p3d_text question = {0};

    html_add(out,
            "<header id=\"verdict\" class=\"%s\">\n"
            "<p class=\"kind\">%s on %s</p>\n",
            d->estimate->found.fits ? "yes" : "no", d->model->name,
            d->cluster->name);
    put_title(d, out);
    html_add(out, "<p class=\"plan\">%s</p>\n<p><code>%s</code></p>\n",
            report_short_plan(&d->estimate->found.plan).text,
            d->estimate->words);
    put_gap(d, out);
    put_choices(d, out);
    html_add(out, "<dl class=\"tiles\">\n");
    put_memory(d, d->estimate, out);
    put_speed(d->estimate, out);
    put_training(d, out);
    put_price(d, out);
    html_add(out, "</dl>\n<div class=\"question\">\n");
    report_text_question(d, &question);
    html_labelled(out, p3d_text_get(&question));
    html_add(out, "</div>\n</header>\n");
    report_text_free(&question, out);
}

static void put_change(const p3d_change *c, p3d_text *out)
{
    const p3d_estimate *const e = &c->estimate;

    html_add(out,
            "<li><b>%s</b><br>%s per step, %s tokens/s per GPU, %s of %s GiB "
            "per GPU<br><span class=\"quiet\">%s</span></li>\n",
            c->words, report_step_words(p3d_time_step_s(&e->time)).text,
            report_rate_words(report_change_rate(c)).text,
            html_gib(p3d_memory_device_bytes(&e->memory)).text,
            html_gib(e->usable_bytes).text, report_short_plan(&e->plan).text);
}

void html_changes(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char title[HTML_CELL];

    if (d->best != NULL)
        return;
    snprintf(title, sizeof(title), "%d change%s make%s it fit, cheapest first",
            d->changes.n, d->changes.n == 1 ? "" : "s",
            d->changes.n == 1 ? "s" : "");
    html_section(out, "changes", "What helps",
            d->changes.n > 0 ? title : "No single change makes it fit");
    html_add(out, "<ol class=\"changes\">\n");
    for (int i = 0; i < d->changes.n; i++)
        put_change(&d->change_items[i], out);
    html_add(out, "</ol>\n");
    if (d->smallest_cluster_gpus > 0)
        html_add(out,
                "<p>The smallest cluster found on which it fits has %d GPUs of "
                "this type.</p>\n",
                d->smallest_cluster_gpus);
    html_section_end(out);
}
