/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_compare.c - two plans side by side, term by term. */
#include "report/terms.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { MOST_TERMS = 4 };

/* Terms below this share of both steps are added up. */
static const double least_frac = 0.0005;

static void bytes_row(report_table *table, const char *words, int64_t a_bytes,
        int64_t b_bytes)
{
    report_table_cell(table, "%s", words);
    report_table_cell(table, "%.2f", report_gib(a_bytes));
    report_table_cell(table, "%.2f", report_gib(b_bytes));
    report_table_cell(table, "%+.2f", report_gib(b_bytes - a_bytes));
    report_table_cell(table, "GiB");
}

static void head(report_table *table, const char *words)
{
    report_table_begin(table, "lrrrl");
    report_table_cell(table, "%s", words);
    report_table_cell(table, "A");
    report_table_cell(table, "B");
    report_table_cell(table, "B - A");
    report_table_cell(table, "%s", "");
}

static void print_memory(
        const report_answer *a, const report_answer *b, p3d_text *out)
{
    report_table table;

    head(&table, "memory of the tight GPU");
    report_table_cell(&table, "pipeline rank");
    report_table_cell(&table, "%d", a->found.tight_stage);
    report_table_cell(&table, "%d", b->found.tight_stage);
    for (int i = 0; i < 2; i++)
        report_table_cell(&table, "%s", "");
    for (int i = 0; i < REPORT_N_MEMORY_TERMS; i++) {
        const int64_t a_bytes = report_memory_term_bytes(&a->found.memory, i);
        const int64_t b_bytes = report_memory_term_bytes(&b->found.memory, i);

        if (a_bytes != 0 || b_bytes != 0)
            bytes_row(&table, report_memory_terms[i].words, a_bytes, b_bytes);
    }
    report_table_rule(&table);
    bytes_row(&table, "used on the device", a->peak_bytes, b->peak_bytes);
    bytes_row(
            &table, "left of what is usable", a->margin_bytes, b->margin_bytes);
    if (a->found.host_bytes_per_node > 0 || b->found.host_bytes_per_node > 0)
        bytes_row(&table, "offloaded to a node's host",
                a->found.host_bytes_per_node, b->found.host_bytes_per_node);
    report_table_print(&table, out);
}

static void time_row(report_table *table, const char *words, double a_s,
        double b_s, report_clock clock)
{
    report_table_cell(table, "%s", words);
    report_table_cell(table, "%.*f", clock.digits, a_s / clock.unit_s);
    report_table_cell(table, "%.*f", clock.digits, b_s / clock.unit_s);
    report_table_cell(table, "%+.*f", clock.digits, (b_s - a_s) / clock.unit_s);
    report_table_cell(table, "%s", clock.word);
}

static void rate_rows(
        report_table *table, const report_answer *a, const report_answer *b)
{
    report_table_cell(table, "micro-batches per step");
    report_table_cell(table, "%lld", (long long)a->found.n_micro_batches);
    report_table_cell(table, "%lld", (long long)b->found.n_micro_batches);
    report_table_cell(table, "%+lld",
            (long long)(b->found.n_micro_batches - a->found.n_micro_batches));
    report_table_cell(table, "%s", "");
    report_table_cell(table, "tokens/s per GPU");
    report_table_cell(table, "%.1f", a->tokens_per_s_per_gpu);
    report_table_cell(table, "%.1f", b->tokens_per_s_per_gpu);
    report_table_cell(
            table, "%+.1f", b->tokens_per_s_per_gpu - a->tokens_per_s_per_gpu);
    report_table_cell(table, "%s", "");
    report_table_cell(table, "MFU");
    report_table_cell(table, "%.1f", 100 * a->found.mfu_frac);
    report_table_cell(table, "%.1f", 100 * b->found.mfu_frac);
    report_table_cell(
            table, "%+.1f", 100 * (b->found.mfu_frac - a->found.mfu_frac));
    report_table_cell(table, "%%");
}

static double longest_of(const report_answer *a, const report_answer *b)
{
    return a->step_s > b->step_s ? a->step_s : b->step_s;
}

static report_clock common_clock(const report_answer *a, const report_answer *b)
{
    return report_clock_for(longest_of(a, b));
}

static void print_time(
        const report_answer *a, const report_answer *b, p3d_text *out)
{
    const double longest_s = longest_of(a, b);
    const report_clock clock = common_clock(a, b);
    double rest_a_s = 0, rest_b_s = 0;
    report_table table;

    head(&table, "time per step");
    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double a_s = report_time_term_s(&a->found.time, i);
        const double b_s = report_time_term_s(&b->found.time, i);

        if (a_s > least_frac * longest_s || b_s > least_frac * longest_s) {
            time_row(&table, report_time_terms[i].words, a_s, b_s, clock);
        } else {
            rest_a_s += a_s;
            rest_b_s += b_s;
        }
    }
    if (rest_a_s > 0 || rest_b_s > 0)
        time_row(&table, "all the rest", rest_a_s, rest_b_s, clock);
    report_table_rule(&table);
    time_row(&table, "one step", a->step_s, b->step_s, clock);
    rate_rows(&table, a, b);
    report_table_print(&table, out);
}

/* The terms that decide, from A to B. */
static void print_because(const report_comparison *c, p3d_text *out)
{
    const report_clock clock = common_clock(c->first.answer, c->second.answer);
    p3d_text terms = {0};

    report_top_terms(c->more_time, MOST_TERMS, clock, &terms);
    if (terms.length > 0)
        report_wrap_labelled("B - A", out, "%s (%s per step)",
                p3d_text_get(&terms), clock.word);
    out->failed = out->failed || terms.failed;
    p3d_text_free(&terms);
}

void report_comparison_print(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};
    const report_document *d = document;
    const report_comparison *c = &d->comparison;

    const report_data data = {&report_compare_shape, d, &report_answer_shape,
            {d->answers, d->n_answers}};

    if (report_print_data(&data, format, out))
        return;
    report_text_verdict(d, out);
    report_text_pair(d, out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    if (c->first.answer != NULL && c->second.answer != NULL &&
            !report_is_same(c)) {
        print_memory(c->first.answer, c->second.answer, out);
        p3d_text_add(out, "\n");
        print_time(c->first.answer, c->second.answer, out);
        print_because(c, out);
        p3d_text_add(out, "\n");
    }
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
