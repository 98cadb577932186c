/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_memory.c - the memory of the ranks that matter, by terms. */
#include <stdio.h>

#include "report/terms.h"
#include "report/text/paint.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { BAR = 16, MAX_SHOWN = 3 };

/* The pipeline ranks that are shown: first, tight, last, without repeats. */
typedef struct shown {
    int n;
    const report_stage *stages[MAX_SHOWN];
} shown;

static shown choose(const report_answer *answer)
{
    const int last = answer->found.plan.pp - 1;
    const int wanted[MAX_SHOWN] = {0, answer->found.tight_stage, last};
    shown chosen = {0};
    int before = -1;

    for (int i = 0; i < MAX_SHOWN; i++) {
        if (wanted[i] > before) {
            chosen.stages[chosen.n++] = &answer->stages[wanted[i]];
            before = wanted[i];
        }
    }
    return chosen;
}

static void head(report_table *table, const shown *s, const report_answer *a)
{
    report_table_cell(table, "memory per GPU");
    for (int i = 0; i < s->n; i++) {
        const int stage = s->stages[i]->number;

        if (a->found.plan.pp == 1) {
            report_table_cell(table, "every GPU");
        } else {
            report_table_cell(table, "stage %d%s", stage,
                    stage == a->found.tight_stage ? " (tight)" : "");
        }
    }
    report_table_cell(table, "%s", "");
    report_table_cell(table, "decoder layers");
    for (int i = 0; i < s->n; i++)
        report_table_cell(table, "%d", s->stages[i]->held.n_layers);
    report_table_cell(table, "%s", "");
    report_table_cell(table, "micro-batches in flight");
    for (int i = 0; i < s->n; i++)
        report_table_cell(table, "%.4g", s->stages[i]->held.in_flight);
    report_table_cell(table, "%s", "");
}

static void term_rows(report_table *table, const shown *s)
{
    for (int row = 0; row < REPORT_N_MEMORY_TERMS; row++) {
        report_table_cell(table, "%s", report_memory_terms[row].words);
        for (int i = 0; i < s->n; i++) {
            const int64_t n_bytes =
                    report_memory_term_bytes(&s->stages[i]->held.memory, row);

            if (n_bytes == 0)
                report_table_cell(table, "-");
            else
                report_table_cell(table, "%.2f", report_gib(n_bytes));
        }
        report_table_cell(table, "GiB");
    }
}

static void bar_cell(report_table *table, double share, p3d_style style)
{
    const char *const full = style.utf8 ? "\u2588" : "#";
    const char *const rest = style.utf8 ? "\u2591" : ".";
    p3d_text bar = {.style = style};
    p3d_text cell = {.style = style};

    for (int i = 0; i < BAR; i++)
        p3d_text_add(&bar, "%s", i < (int)(share * BAR + 0.5) ? full : rest);
    p3d_text_add(&cell, "[");
    report_paint_words(
            share > 1 ? REPORT_BAD : REPORT_GOOD, p3d_text_get(&bar), &cell);
    p3d_text_add(&cell, "]");
    report_table_cell(table, "%s", p3d_text_get(&cell));
    table->failed = table->failed || bar.failed || cell.failed;
    p3d_text_free(&bar);
    p3d_text_free(&cell);
}

static void sum_rows(report_table *table, const shown *s,
        const report_answer *answer, p3d_style style)
{
    const int64_t usable = answer->found.usable_bytes;

    report_table_rule(table);
    report_table_cell(table, "used on the device");
    for (int i = 0; i < s->n; i++)
        report_table_cell(table, "%.2f", report_gib(s->stages[i]->peak_bytes));
    report_table_cell(table, "GiB");
    report_table_cell(table, "usable");
    for (int i = 0; i < s->n; i++)
        report_table_cell(table, "%.2f", report_gib(usable));
    report_table_cell(table, "GiB");
    report_table_cell(table, "margin");
    for (int i = 0; i < s->n; i++) {
        report_table_cell(
                table, "%.2f", report_gib(usable - s->stages[i]->peak_bytes));
    }
    report_table_cell(table, "GiB");
    report_table_cell(table, "margin of usable");
    for (int i = 0; i < s->n; i++) {
        report_table_cell(table, "%.1f",
                100 * (double)(usable - s->stages[i]->peak_bytes) /
                        (double)usable);
    }
    report_table_cell(table, "%%");
    report_table_cell(table, "%s", "");
    for (int i = 0; i < s->n; i++)
        bar_cell(table, (double)s->stages[i]->peak_bytes / (double)usable,
                style);
    report_table_cell(table, "%s", "");
}

/* What the three numbers mean, and how sure they are. */
static void print_ranges(const report_answer *a, p3d_text *out)
{
    const report_stage *tight = &a->stages[a->found.tight_stage];
    const p3d_memory_ranges *r = &a->ranges;
    p3d_text words = {0};

    p3d_text_add(out, "peak: %s", p3d_pass_name(tight->held.pass));
    if (tight->held.moment != NULL)
        p3d_text_add(out, " (%s)", tight->held.moment);
    p3d_text_add(out, "\n");
    p3d_text_add(&words,
            "allocated %.1f GiB (%.1f to %.1f), reserved %.1f (%.1f to %.1f), "
            "device %.1f (%.1f to %.1f)",
            report_gib(p3d_memory_allocated_bytes(&a->found.memory)),
            report_gib(r->allocated.low_bytes),
            report_gib(r->allocated.high_bytes),
            report_gib(p3d_memory_reserved_bytes(&a->found.memory)),
            report_gib(r->reserved.low_bytes),
            report_gib(r->reserved.high_bytes), report_gib(a->peak_bytes),
            report_gib(r->device.low_bytes), report_gib(r->device.high_bytes));
    report_wrap(p3d_text_get(&words), 0, REPORT_WIDTH, out);
    out->failed = out->failed || words.failed;
    p3d_text_free(&words);
}

static void print_host(const report_answer *a, p3d_text *out)
{
    if (a->found.host_bytes_per_node > 0)
        p3d_text_add(out,
                "host memory: %.1f GiB per node is offloaded, %.1f GiB of it "
                "pinned\n",
                report_gib(a->found.host_bytes_per_node),
                report_gib(a->found.pinned_bytes_per_node));
    if (a->found.nvme_bytes_per_node > 0)
        p3d_text_add(out, "NVMe: %.1f GiB of states per node\n",
                report_gib(a->found.nvme_bytes_per_node));
}

void report_text_memory(
        const report_document *d, const report_answer *answer, p3d_text *out)
{
    static const char *const aligns[MAX_SHOWN + 1] = {
            "l", "lrl", "lrrl", "lrrrl"};
    const shown s = choose(answer);
    const p3d_gpu *gpu = &d->cluster->gpu;
    report_table table;

    report_table_begin(&table, aligns[s.n]);
    head(&table, &s, answer);
    term_rows(&table, &s);
    sum_rows(&table, &s, answer, out->style);
    report_table_print(&table, out);
    p3d_text_add(out,
            "usable: %.2f GiB marketed, %.2f GiB visible to a program",
            report_gib(gpu->memory_bytes),
            report_gib(gpu->visible_memory_bytes));
    if (d->job->reserve_bytes > 0)
        p3d_text_add(
                out, ", %.2f GiB kept free", report_gib(d->job->reserve_bytes));
    p3d_text_add(
            out, "; peak +- %.0f %%\n", 100 * answer->found.memory_error_frac);
    print_ranges(answer, out);
    print_host(answer, out);
}
