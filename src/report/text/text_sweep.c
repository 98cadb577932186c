/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_sweep.c - a sweep as text: the answer, the table, what it means. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan3d/units.h"
#include "report/sweep.h"
#include "report/text/paint.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { WORD = 32, NEXT = 9 };

static const char *duration(char *buffer, double duration_s)
{
    return p3d_print_seconds(buffer, WORD, duration_s);
}

static void print_in_time(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *few = s->found.smallest, *cheap = s->found.cheapest;
    char took[WORD], asked[WORD], other[WORD];

    report_paint_words(REPORT_GOOD, "IN TIME", out);
    p3d_text_add(out, ": %s is the smallest, %s of %s", few->cluster,
            duration(took, few->training_s), duration(asked, s->deadline_s));
    if (cheap == few)
        p3d_text_add(out, ", and the cheapest\n");
    else
        p3d_text_add(out, "; %s is the cheapest, %s\n", cheap->cluster,
                duration(other, cheap->training_s));
}

static void print_late(const report_sweep *s, p3d_text *out)
{
    char took[WORD], asked[WORD], late[WORD];
    double late_s;

    if (s->found.closest == NULL) {
        report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
        p3d_text_add(out, " on any cluster that was looked at\n");
        return;
    }
    late_s = s->found.closest->training_s - s->deadline_s;
    report_paint_words(REPORT_BAD, "NOT IN TIME", out);
    p3d_text_add(out,
            ": %s comes closest, %s instead of %s: %s (%.3g %%) "
            "too long\n",
            s->found.closest->cluster,
            duration(took, s->found.closest->training_s),
            duration(asked, s->deadline_s), duration(late, late_s),
            100 * late_s / s->deadline_s);
}

static void print_counts(const report_sweep *s, p3d_text *out)
{
    report_paint_words(REPORT_HEAD, "SWEEP", out);
    p3d_text_add(out, ": %d of %d combination%s fit", s->found.n_fit,
            s->found.n_found, s->found.n_found == 1 ? "" : "s");
    if (s->found.n_illegal > 0)
        p3d_text_add(out, ", %d without a legal plan", s->found.n_illegal);
    p3d_text_add(out, "; %d on the front\n", s->found.n_front);
}

static void print_headline(const report_sweep *s, p3d_text *out)
{
    if (!s->found.complete && s->deadline_s > 0)
        p3d_text_add(out, "INTERRUPTED: what follows is the best so far\n");
    else if (!s->found.complete)
        p3d_text_add(out, "INTERRUPTED: %d of %" PRId64 " combinations\n",
                s->found.n_found, s->found.n_asked);
    if (s->deadline_s <= 0)
        print_counts(s, out);
    else if (s->found.smallest != NULL)
        print_in_time(s, out);
    else if (s->found.complete)
        print_late(s, out);
}

static void print_question(const report_sweep *s, p3d_text *out)
{
    const p3d_model *const model = &s->question.problem.model;
    char count[WORD];
    char took[WORD];

    report_wrap_labelled("model", out, "%s: %s parameters, %d layers",
            model->name,
            p3d_print_integer(count, sizeof(count), p3d_total_params(model)),
            model->n_layers);
    if (s->n_tokens > 0 && s->deadline_s > 0)
        report_wrap_labelled("training", out, "%s tokens in at most %s",
                p3d_print_count(count, sizeof(count), s->n_tokens),
                duration(took, s->deadline_s));
    else if (s->n_tokens > 0)
        report_wrap_labelled("training", out, "%s tokens",
                p3d_print_count(count, sizeof(count), s->n_tokens));
}

static bool has_both(const report_sweep *s)
{
    return s->found.smallest != NULL &&
           strchr(s->found.smallest->role, ' ') != NULL;
}

static void print_legend(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *row = s->rows.items;
    const bool priced = row->usd_per_gpu_h > 0;
    p3d_text legend = {0};

    if (s->deadline_s <= 0)
        p3d_text_add(&legend,
                "*: on the front: no row with such sequences is as good in "
                "GPUs, time, money, energy and margin, and better in one; ");
    else if (has_both(s))
        p3d_text_add(&legend, "both: smallest and cheapest; ");
    p3d_text_add(&legend,
            "Z: ZeRO; mb: sequences of a micro-batch; /GPU: tokens/s of one "
            "GPU; margin: GiB of the tight GPU that are left, below 0: "
            "missing");
    if (s->n_tokens > 0)
        p3d_text_add(&legend,
                "; days, MWh%s: of the whole training, with failures, restarts "
                "and checkpoints",
                priced ? ", USD" : "");
    else if (priced)
        p3d_text_add(&legend, "; USD: of a billion tokens");
    p3d_text_add(&legend, ")");
    p3d_text_add(out, "(");
    report_wrap(p3d_text_get(&legend), 1, REPORT_WIDTH, out);
    out->failed = out->failed || legend.failed;
    p3d_text_free(&legend);
}

static void print_refusals(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *rows = s->rows.items;
    bool first = true;

    for (int i = 0; i < s->rows.n; i++) {
        if (rows[i].refusal == NULL)
            continue;
        report_wrap_labelled(first ? "illegal" : "", out, "%s: %s",
                rows[i].cluster, rows[i].refusal);
        first = false;
    }
}

static void print_scan(
        const p3d_sweep_scan *scan, const char *label, p3d_text *out)
{
    char least[WORD], most[WORD], counts[WORD], searched[WORD], skipped[WORD];
    char job[128] = "";
    int n = 0;

    if (scan->seq_len > 0)
        n += snprintf(job + n, sizeof(job) - (size_t)n, ", sequence %d",
                scan->seq_len);
    if (scan->global_batch > 0)
        n += snprintf(job + n, sizeof(job) - (size_t)n, ", batch %" PRId64,
                scan->global_batch);
    if (scan->framework != NULL)
        snprintf(job + n, sizeof(job) - (size_t)n, ", %.40s", scan->framework);
    report_wrap_labelled(label, out,
            "%s%s: %s counts from %s to %s GPUs, %s searched exactly, %s "
            "skipped (too slow or too dear even at peak)%s",
            scan->type, job,
            p3d_print_integer(counts, sizeof(counts), scan->n_counts),
            p3d_print_integer(least, sizeof(least), scan->least_gpus),
            p3d_print_integer(most, sizeof(most), scan->most_gpus),
            p3d_print_integer(searched, sizeof(searched), scan->n_searched),
            p3d_print_integer(skipped, sizeof(skipped), scan->n_skipped),
            scan->complete ? "" : "; interrupted");
}

static void print_scans(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_scan *scans = s->scans.items;
    bool any_batch = false;

    for (int i = 0; i < s->scans.n; i++) {
        print_scan(&scans[i], i == 0 ? "scanned" : "", out);
        any_batch = any_batch || scans[i].global_batch == 0;
    }
    if (any_batch)
        report_wrap_labelled("", out,
                "batch: the default of each count, about 4 Mi tokens or 1,024 "
                "per GPU (--batch)");
    if (s->scans.n > 0 && s->found.complete)
        report_wrap_labelled("", out,
                s->found.smallest != NULL
                        ? "exact; every larger cluster is in time too: it can "
                          "leave nodes idle"
                        : "exact: none of them is in time");
}

/* The same question for the row that answers. Clusters of a file have the
 * number of GPUs that it says. */
static void print_next(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *row =
            s->found.smallest != NULL ? s->found.smallest : s->found.closest;
    p3d_text command = {0};

    if (row == NULL || strchr(row->type, '/') != NULL ||
            strstr(row->type, ".json") != NULL)
        return;
    p3d_text_add(&command, "plan3d plan ");
    report_shell_word(s->model_word, &command);
    p3d_text_add(&command, " %s --seq %d --batch %" PRId64 " --framework %s",
            row->cluster, row->seq_len, row->global_batch, row->framework);
    if (row->usd_per_gpu_h > 0)
        p3d_text_add(&command, " --price %g", row->usd_per_gpu_h);
    p3d_text_add(&command, "%s", s->options);
    p3d_text_add(out, "next     ");
    report_wrap_command(p3d_text_get(&command), NEXT, out);
    out->failed = out->failed || command.failed;
    p3d_text_free(&command);
}

static void print_left_out(const report_sweep *s, p3d_text *out)
{
    const int n = s->found.n_found - s->rows.n;

    if (n > 0)
        p3d_text_add(out,
                "%d other row%s: not on the front, %d of them "
                "without a plan that fits\n",
                n, n == 1 ? "" : "s", s->found.n_found - s->found.n_fit);
}

void report_text_sweep(const report_sweep *sweep, p3d_text *out)
{
    print_headline(sweep, out);
    print_question(sweep, out);
    if (sweep->rows.n > 0) {
        p3d_text_add(out, "\n");
        report_text_sweep_rows(sweep, out);
        print_left_out(sweep, out);
        print_legend(sweep, out);
    }
    print_refusals(sweep, out);
    if (sweep->scans.n > 0)
        p3d_text_add(out, "\n");
    print_scans(sweep, out);
    print_next(sweep, out);
}
