/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_fit.c - does it fit: the verdict and what it rests on; one plan. */
#include <math.h>

#include "plan3d/units.h"
#include "report/text/paint.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

static void print_yes(const report_answer *a, p3d_text *out)
{
    report_paint_words(REPORT_GOOD, "FITS", out);
    p3d_text_add(out,
            ", with %.2f GiB per GPU to spare (%.1f %% of %.2f GiB "
            "usable)\n",
            report_gib(a->margin_bytes),
            100 * (double)a->margin_bytes / (double)a->found.usable_bytes,
            report_gib(a->found.usable_bytes));
    report_text_plan(a, out);
}

/* What is left with the reserve, within the error of the peak: no promise. */
static void print_caution(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const double error_bytes =
            a->found.memory_error_frac * (double)a->peak_bytes;
    const int64_t left_bytes = a->margin_bytes + d->job->reserve_bytes;

    if (a->found.fits && (double)left_bytes < error_bytes) {
        report_wrap_labelled("caution", out,
                "what stays free is less than the peak may be wrong, +- %.0f "
                "%%; --reserve %.0fGiB finds a safer plan",
                100 * a->found.memory_error_frac, ceil(error_bytes / P3D_GIB));
    }
}

void report_text_lack(
        const report_document *d, const report_answer *answer, p3d_text *out)
{
    const p3d_node *node = &d->question.problem.cluster.node;

    if (answer->missing_bytes > 0) {
        p3d_text_add(out, "misses %.2f GiB per GPU on stage %d",
                report_gib(answer->missing_bytes), answer->found.tight_stage);
    } else if (answer->found.nvme_bytes_per_node > node->nvme_bytes) {
        p3d_text_add(out, "needs %.0f GiB of NVMe per node, which has %.0f GiB",
                report_gib(answer->found.nvme_bytes_per_node),
                report_gib(node->nvme_bytes));
    } else {
        p3d_text_add(out,
                "needs %.0f GiB of host memory per node, which has %.0f GiB",
                report_gib(answer->found.host_bytes_per_node),
                report_gib(node->host_memory_bytes));
    }
}

void report_text_missing(const report_document *d, const report_answer *answer,
        const char *which, p3d_text *out)
{
    report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
    p3d_text_add(out, ": %s ", which);
    report_text_lack(d, answer, out);
    p3d_text_add(out, "\n");
    report_text_plan(answer, out);
}

/* "+3 %" against the closest plan, of a rate that is to be high. */
static double percent_more(double value, double than)
{
    return 100 * (value / than - 1);
}

static void print_changes(const report_document *d, p3d_text *out)
{
    char plan[REPORT_SHORT_PLAN];
    char step[32];
    char rate[32];

    if (d->changes.n > 0)
        report_paint_line(
                REPORT_HEAD, "\nwhat makes it fit, cheapest first", out);
    for (int i = 0; i < d->changes.n; i++) {
        const p3d_change *c = &d->change_items[i];
        const p3d_estimate *e = &c->estimate;
        const double per_gpu = report_change_rate(c);

        p3d_text_add(out, "%3d  %s\n     ", i + 1, c->words);
        report_wrap(report_short_plan(&e->plan, plan, sizeof(plan)), 5,
                REPORT_WIDTH, out);
        p3d_text_add(out,
                "     %.2f of %.2f GiB per GPU, step %s, %s tokens/s per "
                "GPU",
                report_gib(p3d_memory_device_bytes(&e->memory)),
                report_gib(e->usable_bytes),
                report_step_words(
                        step, sizeof(step), p3d_time_step_s(&e->time)),
                report_rate_words(rate, sizeof(rate), per_gpu));
        if (d->closest != NULL) {
            p3d_text_add(out, " (%+.1f %%)",
                    percent_more(per_gpu, d->closest->tokens_per_s_per_gpu));
        }
        p3d_text_add(out, "\n");
    }
    if (d->changes.n > 0 && d->closest != NULL) {
        p3d_text_add(out, "     (%%: speed of a GPU against the closest plan "
                          "above)\n");
    }
    if (d->smallest_cluster_gpus > 0) {
        p3d_text_add(out, "smallest cluster found on which it fits: %d GPUs\n",
                d->smallest_cluster_gpus);
    }
}

void report_text_no(const report_document *d, p3d_text *out)
{
    static const char *const next[] = {"plan3d advise ", NULL};

    if (d->closest != NULL)
        report_text_missing(d, d->closest, "the closest plan", out);
    else
        report_paint_line(REPORT_BAD, "DOES NOT FIT", out);
    report_text_question(d, out);
    if (d->closest != NULL) {
        p3d_text_add(out, "\n");
        report_text_memory(d, d->closest, out);
    }
    print_changes(d, out);
    p3d_text_add(out, "\n");
    report_text_search(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}

/* Everything about one plan, below the verdict. */
static void print_plan(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    report_text_memory(d, a, out);
    print_caution(d, a, out);
    p3d_text_add(out, "\n");
    report_text_time(d, a, out);
    p3d_text_add(out, "\n");
}

void report_fit(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", "plan3d advise ", NULL};

    const report_data data = {&report_fit_shape, document, &report_answer_shape,
            report_found(document)};

    if (report_print_data(&data, format, out))
        return;
    if (!document->fits) {
        report_text_no(document, out);
        return;
    }
    print_yes(document->best, out);
    print_plan(document, document->best, out);
    report_text_search(document, out);
    report_text_assumed(document, out);
    report_text_next(document, next, out);
}

void report_text_estimate(const report_document *d, p3d_text *out)
{
    if (d->fits)
        print_yes(d->estimate, out);
    else
        report_text_missing(d, d->estimate, "this plan", out);
    print_plan(d, d->estimate, out);
}

void report_estimate(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};

    const report_data data = {&report_estimate_shape, document,
            &report_answer_shape, {document->estimate, 1}};

    if (report_print_data(&data, format, out))
        return;
    report_text_estimate(document, out);
    report_text_assumed(document, out);
    report_text_next(document, next, out);
}
