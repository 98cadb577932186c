/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_memory.c - the memory of the ranks that matter, by terms; of the tight
 * one tensor by tensor. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/answer.h"
#include "report/text/layout.h"
#include "report/text/text.h"

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
                    stage == a->found.tight_stage
                            ? report_say(table->style, " (tight)")
                            : "");
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

/* Digits of a column of GiB that holds all of a GPU. */
static int digits_of(const report_answer *a)
{
    return report_gib_digits(a->found.usable_bytes);
}

/* What a compiler plans as one program has no context of its own. */
static bool has_row(const shown *s, int row)
{
    return row != P3D_TERM_context ||
           report_memory_term_bytes(&s->stages[0]->held.memory, row) != 0;
}

static void term_rows(report_table *table, const shown *s, int digits)
{
    for (int row = 0; row < REPORT_N_MEMORY_TERMS; row++) {
        if (!has_row(s, row))
            continue;
        report_table_cell(table, "%s",
                report_say(table->style, report_memory_terms[row].words));
        for (int i = 0; i < s->n; i++) {
            const int64_t n_bytes =
                    report_memory_term_bytes(&s->stages[i]->held.memory, row);

            report_table_cell(table, "%s",
                    report_known_words(
                            n_bytes != 0, "%.*f", digits, report_gib(n_bytes))
                            .text);
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

/* A row with a number for each stage. */
static void number_row(report_table *table, const char *words,
        const double *numbers, int digits, const char *unit)
{
    report_table_cell(table, "%s", report_say(table->style, words));
    for (int i = 0; i < table->n_columns - 2; i++)
        report_table_cell(table, "%.*f", digits, numbers[i]);
    report_table_cell(table, "%s", unit);
}

static void sum_rows(report_table *table, const shown *s,
        const report_answer *answer, p3d_style style)
{
    const int64_t usable = answer->found.usable_bytes;
    const int digits = digits_of(answer);
    double used[MAX_SHOWN] = {0}, all[MAX_SHOWN] = {0};
    double left[MAX_SHOWN] = {0}, share[MAX_SHOWN] = {0};

    for (int i = 0; i < s->n; i++) {
        const int64_t left_bytes = usable - s->stages[i]->peak_bytes;

        used[i] = report_gib(s->stages[i]->peak_bytes);
        all[i] = report_gib(usable);
        left[i] = report_gib(left_bytes);
        share[i] = 100 * (double)left_bytes / (double)usable;
    }
    report_table_rule(table);
    number_row(table, "used on the GPU", used, digits, "GiB");
    number_row(table, "usable", all, digits, "GiB");
    number_row(table, "free", left, digits, "GiB");
    number_row(table, "free of usable", share, 1, "%");
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
    p3d_text words = {.style = out->style};

    report_add(out, "peak: %s",
            report_say(out->style, p3d_pass_name(tight->held.pass)));
    if (tight->held.moment != NULL)
        report_add(out, " (%s)", report_say(out->style, tight->held.moment));
    p3d_text_add(out, "\n");
    report_add(&words,
            "allocated %.1f GiB (%.1f to %.1f), reserved %.1f (%.1f to %.1f), "
            "device %.1f (%.1f to %.1f)",
            report_gib(p3d_memory_allocated_bytes(&a->found.memory)),
            report_gib(r->allocated.low_bytes),
            report_gib(r->allocated.high_bytes),
            report_gib(p3d_memory_reserved_bytes(&a->found.memory)),
            report_gib(r->reserved.low_bytes),
            report_gib(r->reserved.high_bytes), report_gib(a->peak_bytes),
            report_gib(r->device.low_bytes), report_gib(r->device.high_bytes));
    report_wrap_text(&words, 0, out);
}

static void print_host(const report_answer *a, p3d_text *out)
{
    if (a->found.host_bytes_per_node > 0)
        report_add(out,
                "host memory: %.1f GiB per node is offloaded, %.1f GiB of it "
                "pinned\n",
                report_gib(a->found.host_bytes_per_node),
                report_gib(a->found.pinned_bytes_per_node));
    if (a->found.nvme_bytes_per_node > 0)
        report_add(out, "NVMe: %.1f GiB of states per node\n",
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

    report_table_begin(&table, out->style, aligns[s.n]);
    head(&table, &s, answer);
    term_rows(&table, &s, digits_of(answer));
    sum_rows(&table, &s, answer, out->style);
    report_table_print(&table, out);
    report_add(out, "usable: %s of nominal %s GiB",
            report_three_words(report_gib(gpu->visible_memory_bytes)).text,
            report_three_words(report_gib(gpu->memory_bytes)).text);
    if (d->job->reserve_bytes > 0)
        report_add(out, ", %s GiB kept free",
                report_three_words(report_gib(d->job->reserve_bytes)).text);
    report_add(
            out, "; peak +- %.0f %%\n", 100 * answer->found.memory_error_frac);
    print_ranges(answer, out);
    print_host(answer, out);
}

enum { MAX_SOURCES = 64, SOURCE = 6 /* column */, WHY = 4 /* of the table */ };

/* The sources of the table, each once, in the order of their numbers. */
typedef struct sources {
    int n;
    const char *at[MAX_SOURCES];
} sources;

static int number_of(sources *s, const char *source)
{
    for (int i = 0; i < s->n; i++) {
        if (strcmp(s->at[i], source) == 0)
            return i + 1;
    }
    if (s->n == MAX_SOURCES)
        return s->n;
    s->at[s->n++] = source;
    return s->n;
}

static void print_when(const report_answer *a, p3d_text *out)
{
    const report_stage *stage = &a->stages[a->found.tight_stage];
    p3d_text words = {.style = out->style};

    if (a->found.plan.pp > 1)
        report_add(
                &words, "Pipeline rank %d is the tight one. ", stage->number);
    report_add(&words, "Its peak is at the %s",
            report_say(out->style, p3d_pass_name(stage->held.pass)));
    if (stage->held.moment != NULL)
        report_add(&words, " (%s)", report_say(out->style, stage->held.moment));
    report_add(&words, ", with %.4g micro-batch%s in flight.",
            stage->held.in_flight, stage->held.in_flight == 1 ? "" : "es");
    report_wrap_text(&words, 0, out);
}

/* The term of memory that begins with item `first`, with its sum. */
static void add_term(const report_document *d, int first, report_table *table)
{
    const p3d_memory_item *const items = d->item_lines;
    int64_t sum_bytes = 0;

    for (int i = first; i < d->items.n && items[i].term == items[first].term;
            i++)
        sum_bytes += items[i].bytes;
    report_table_row(table, "%s\t%.2f",
            report_say(
                    table->style, report_memory_terms[items[first].term].words),
            report_gib(sum_bytes));
    for (int i = 0; i < 4; i++)
        report_table_cell(table, "%s", "");
}

static void print_table(const report_document *d, sources *seen, p3d_text *out)
{
    report_table table;

    report_table_begin(&table, out->style, "lrlrlr");
    table.least[WHY] = 20;
    report_table_row(&table,
            "alive at the peak\tGiB\tshape on the rank\ttimes\twhy\tsrc");
    for (int i = 0; i < d->items.n; i++) {
        const p3d_memory_item *const item = &d->item_lines[i];

        if (i == 0 || item->term != item[-1].term)
            add_term(d, i, &table);
        report_table_row(&table, "  %.60s\t%.2f\t%s\t%lld\t%.60s\t%d",
                report_say(out->style, item->name), report_gib(item->bytes),
                report_item_sizes(item).text, (long long)item->n_tensors,
                report_say(out->style, item->why),
                number_of(seen, item->source));
    }
    report_table_print(&table, out);
}

static void print_sums(const report_answer *a, p3d_text *out)
{
    const struct {
        const char *words;
        int64_t n_bytes;
        p3d_bytes_range range;
    } sums[] = {{"allocated by the framework",
                        p3d_memory_allocated_bytes(&a->found.memory),
                        a->ranges.allocated},
            {"reserved by the allocator",
                    p3d_memory_reserved_bytes(&a->found.memory),
                    a->ranges.reserved},
            {"used on the GPU", a->peak_bytes, a->ranges.device}};
    const int digits = digits_of(a);
    report_table table;

    report_table_begin(&table, out->style, "lrl");
    table.headless = true;
    for (int i = 0; i < P3D_COUNT_OF(sums); i++) {
        report_table_row(&table, "%s\t%.*f\tGiB (%.*f to %.*f)",
                report_say(out->style, sums[i].words), digits,
                report_gib(sums[i].n_bytes), digits,
                report_gib(sums[i].range.low_bytes), digits,
                report_gib(sums[i].range.high_bytes));
    }
    report_table_row(&table, "usable\t%.*f\tGiB", digits,
            report_gib(a->found.usable_bytes));
    report_table_print(&table, out);
}

void report_explain(
        const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", NULL};
    const report_data data = {
            &report_explain_shape, d, &report_item_shape, d->items};
    sources seen = {.n = 0};

    if (report_print_data(&data, format, out))
        return;
    report_text_plan(d->estimate, out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    print_when(d->estimate, out);
    p3d_text_add(out, "\n");
    print_table(d, &seen, out);
    p3d_text_add(out, "\n");
    print_sums(d->estimate, out);
    report_add(out, "\nsources:\n");
    for (int i = 0; i < seen.n; i++) {
        p3d_text_add(out, "  %2d  ", i + 1);
        report_wrap(report_say(out->style, seen.at[i]), SOURCE, out);
    }
    p3d_text_add(out, "\n");
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
