/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_verdict.c - the answer at the head of the page: yes or no, how fast, at
 * what cost; and what would make the job fit. */
#include <stdio.h>

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

static void put_memory(const report_answer *a, p3d_text *out)
{
    char part[HTML_CELL], usable[HTML_CELL], number[2 * HTML_CELL];
    char note[2 * HTML_CELL];
    const int64_t margin_bytes =
            a->margin_bytes < 0 ? -a->margin_bytes : a->margin_bytes;

    snprintf(number, sizeof(number), "%s GiB", html_gib(part, margin_bytes));
    snprintf(note, sizeof(note), "of %s GiB usable, peak \302\261 %.0f %%",
            html_gib(usable, a->found.usable_bytes),
            100 * a->found.memory_error_frac);
    put_tile(out, a->margin_bytes < 0 ? "missing per GPU" : "free per GPU",
            number, note);
}

static void put_speed(const report_answer *a, p3d_text *out)
{
    const report_clock unit = report_clock_for(a->step_s);
    char number[HTML_CELL], note[3 * HTML_CELL];
    char low[HTML_CELL], high[HTML_CELL];

    p3d_print_double(
            low, sizeof(low), 'f', unit.digits, a->range.low_s / unit.unit_s);
    p3d_print_double(high, sizeof(high), 'f', unit.digits,
            a->range.high_s / unit.unit_s);
    snprintf(note, sizeof(note), "%.0f %% of runs: %s to %s %s",
            100 * a->range.confidence_frac, low, high, unit.word);
    put_tile(out, "step", report_step_words(number, sizeof(number), a->step_s),
            note);
    report_rate_words(low, sizeof(low), a->tokens_per_s_per_gpu);
    snprintf(note, sizeof(note), "%s per GPU", low);
    put_tile(out, "tokens/s",
            report_rate_words(number, sizeof(number), a->found.tokens_per_s),
            note);
    html_percent(number, a->found.mfu_frac);
    snprintf(note, sizeof(note), "%s with recomputation (HFU)",
            html_percent(low, a->found.hfu_frac));
    put_tile(out, "model FLOPs utilization", number, note);
}

/* "USD 158,617" */
static const char *print_usd(char number[HTML_CELL], double amount_usd)
{
    char digits[HTML_CELL - 8];

    snprintf(number, HTML_CELL, "USD %s",
            report_usd_words(digits, sizeof(digits), amount_usd));
    return number;
}

static void put_training(const report_document *d, p3d_text *out)
{
    const p3d_training *const t = d->estimate->training;
    char number[2 * HTML_CELL], part[HTML_CELL], note[2 * HTML_CELL];

    if (t == NULL)
        return;
    snprintf(note, sizeof(note), "for %s tokens, failures included",
            p3d_print_count(part, sizeof(part), d->job->n_tokens));
    p3d_print_double(part, sizeof(part), 'f', 2, report_days(t->real_s));
    snprintf(number, sizeof(number), "%s days", part);
    put_tile(out, "training", t->progresses ? number : "never ends",
            t->progresses ? note : "it fails faster than it works");
    if (!t->progresses)
        return;
    if (t->rent_usd > 0)
        put_tile(out, "rent", print_usd(part, t->rent_usd),
                "for the whole training");
    if (t->purchase_usd + t->energy_usd > 0)
        put_tile(out, "owned", print_usd(part, t->purchase_usd + t->energy_usd),
                "purchase and energy of the whole training");
}

static void put_price(const report_document *d, p3d_text *out)
{
    char number[HTML_CELL], digits[HTML_CELL - 8];

    if (d->estimate->training != NULL || d->job->usd_per_gpu_h <= 0)
        return;
    p3d_print_double(
            digits, sizeof(digits), 'f', 2, d->estimate->billion_tokens_usd);
    snprintf(number, sizeof(number), "USD %s", digits);
    put_tile(out, "rent", number, "per billion tokens, if nothing fails");
}

/* "It fits: 158.25 s per step", or what it lacks. */
static void put_title(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;
    char step[HTML_CELL];
    p3d_text title = {0};

    if (a->found.fits) {
        p3d_text_add(&title, "It fits: %s per step",
                report_step_words(step, sizeof(step), a->step_s));
    } else {
        p3d_text_add(&title, "It does not fit: %s ",
                d->best != NULL ? "this plan" : "the closest plan");
        report_text_lack(d, a, &title);
    }
    html_add(out, "<h1>");
    html_title(out, p3d_text_get(&title));
    html_add(out, "</h1>\n");
    out->failed = out->failed || title.failed;
    p3d_text_free(&title);
}

/* How far the plan of --plan is from the best. */
static void put_gap(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate, *const best = d->best;
    char step[HTML_CELL], gap[HTML_CELL];

    if (best == NULL || best->step_s == a->step_s)
        return;
    html_add(out,
            "<p>The fastest plan that fits takes %s, %s %s: <code>%s</code></p>"
            "\n",
            report_step_words(step, sizeof(step), best->step_s),
            html_percent(gap, best->step_s < a->step_s
                                      ? 1 - best->step_s / a->step_s
                                      : best->step_s / a->step_s - 1),
            best->step_s < a->step_s ? "less" : "more", best->words);
}

void html_verdict(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char plan[REPORT_SHORT_PLAN];
    p3d_text question = {0};

    html_add(out,
            "<header id=\"verdict\" class=\"%s\">\n"
            "<p class=\"kind\">%s on %s</p>\n",
            d->estimate->found.fits ? "yes" : "no", d->model->name,
            d->cluster->name);
    put_title(d, out);
    html_add(out, "<p class=\"plan\">%s</p>\n<p><code>%s</code></p>\n",
            report_short_plan(&d->estimate->found.plan, plan, sizeof(plan)),
            d->estimate->words);
    put_gap(d, out);
    html_add(out, "<dl class=\"tiles\">\n");
    put_memory(d->estimate, out);
    put_speed(d->estimate, out);
    put_training(d, out);
    put_price(d, out);
    html_add(out, "</dl>\n<div class=\"question\">\n");
    report_text_question(d, &question);
    html_labelled(out, p3d_text_get(&question));
    html_add(out, "</div>\n</header>\n");
    out->failed = out->failed || question.failed;
    p3d_text_free(&question);
}

static void put_change(const p3d_change *c, p3d_text *out)
{
    const p3d_estimate *const e = &c->estimate;
    char plan[REPORT_SHORT_PLAN], step[HTML_CELL], rate[HTML_CELL];
    char peak[HTML_CELL], usable[HTML_CELL];

    html_add(out,
            "<li><b>%s</b><br>%s per step, %s tokens/s per GPU, %s of %s GiB "
            "per GPU<br><span class=\"quiet\">%s</span></li>\n",
            c->words,
            report_step_words(step, sizeof(step), p3d_time_step_s(&e->time)),
            report_rate_words(rate, sizeof(rate), report_change_rate(c)),
            html_gib(peak, p3d_memory_device_bytes(&e->memory)),
            html_gib(usable, e->usable_bytes),
            report_short_plan(&e->plan, plan, sizeof(plan)));
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
