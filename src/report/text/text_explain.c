/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_explain.c - the memory of a rank at its peak, tensor by tensor. */
#include <string.h>

#include "base/util.h"
#include "report/terms.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { MAX_SOURCES = 64, SOURCE = 6 /* column */ };

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
    p3d_text words = {0};

    if (a->found.plan.pp > 1)
        p3d_text_add(
                &words, "Pipeline rank %d is the tight one. ", stage->number);
    p3d_text_add(
            &words, "Its peak is at the %s", p3d_pass_name(stage->held.pass));
    if (stage->held.moment != NULL)
        p3d_text_add(&words, " (%s)", stage->held.moment);
    p3d_text_add(&words, ", with %.4g micro-batch%s in flight.",
            stage->held.in_flight, stage->held.in_flight == 1 ? "" : "es");
    report_wrap(p3d_text_get(&words), 0, REPORT_WIDTH, out);
    out->failed = out->failed || words.failed;
    p3d_text_free(&words);
}

/* The term of memory that begins with item `first`, with its sum. */
static void add_term(const report_document *d, int first, report_table *table)
{
    const p3d_memory_item *const items = d->item_lines;
    int64_t sum_bytes = 0;

    for (int i = first; i < d->items.n && items[i].term == items[first].term;
            i++)
        sum_bytes += items[i].bytes;
    report_table_cell(
            table, "%s", report_memory_terms[items[first].term].words);
    report_table_cell(table, "%.3f", report_gib(sum_bytes));
    for (int i = 0; i < 4; i++)
        report_table_cell(table, "%s", "");
}

static void print_table(const report_document *d, sources *seen, p3d_text *out)
{
    static const char *const heads[] = {"alive at the peak", "GiB",
            "shape on the rank", "times", "why", "src"};
    report_table table;

    report_table_begin(&table, "lrlrlr");
    report_table_heads(&table, heads);
    for (int i = 0; i < d->items.n; i++) {
        const p3d_memory_item *const item = &d->item_lines[i];
        char sizes[REPORT_SIZES];

        if (i == 0 || item->term != item[-1].term)
            add_term(d, i, &table);
        report_table_cell(&table, "  %.60s", item->name);
        report_table_cell(&table, "%.3f", report_gib(item->bytes));
        report_table_cell(&table, "%s", report_item_sizes(item, sizes));
        report_table_cell(&table, "%lld", (long long)item->n_tensors);
        report_table_cell(&table, "%.60s", item->why);
        report_table_cell(&table, "%d", number_of(seen, item->source));
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
            {"used on the device", a->peak_bytes, a->ranges.device}};
    report_table table;

    report_table_begin(&table, "lrl");
    table.headless = true;
    for (int i = 0; i < P3D_COUNT_OF(sums); i++) {
        report_table_cell(&table, "%s", sums[i].words);
        report_table_cell(&table, "%.2f", report_gib(sums[i].n_bytes));
        report_table_cell(&table, "GiB (%.2f to %.2f)",
                report_gib(sums[i].range.low_bytes),
                report_gib(sums[i].range.high_bytes));
    }
    report_table_cell(&table, "usable");
    report_table_cell(&table, "%.2f", report_gib(a->found.usable_bytes));
    report_table_cell(&table, "GiB");
    report_table_print(&table, out);
}

void report_explain(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d estimate ", NULL};
    const report_document *d = document;
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
    p3d_text_add(out, "\nsources:\n");
    for (int i = 0; i < seen.n; i++) {
        p3d_text_add(out, "  %2d  ", i + 1);
        report_wrap(seen.at[i], SOURCE, REPORT_WIDTH, out);
    }
    p3d_text_add(out, "\n");
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
