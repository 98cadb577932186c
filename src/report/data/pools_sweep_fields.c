/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools_sweep_fields.c - a sweep over pools of several types: its rows, and its
 * JSON document by tables. */
#include <stdio.h>
#include <string.h>

#include "report/data/fields.h"
#include "report/pools.h"

/* "2 x A800 tp=4 pp=5; 1 x H100 tp=8 pp=2", as far as there is room. */
static void print_classes(const report_pools *a, char *out, size_t size)
{
    size_t at = 0;

    for (int i = 0; i < a->classes.n; i++) {
        const report_replica_class *const c = &a->class_rows[i];

        for (int j = 0; j < c->found.n_segments && at < size; j++) {
            const report_segment *const s = &c->rows[j];
            char head[24] = "";

            if (j == 0)
                (void)snprintf(head, sizeof(head), "%s%d x ", i > 0 ? "; " : "",
                        c->found.n_replicas);
            at += (size_t)snprintf(out + at, size - at, "%s%s%s tp=%d pp=%d",
                    j > 0 ? ", " : "", head, s->pool, s->tp, s->n_stages);
        }
    }
}

void report_pools_fill_row(const report_pools *a, report_pools_row *row)
{
    const p3d_pools_result *const found = a->found;
    const int best = found->best_alone;
    const double tokens = p3d_job_tokens(&a->problem->on[0].job);

    row->seq_len = a->seq_len;
    row->global_batch = a->global_batch;
    row->fits = a->fits;
    row->bound_s = found->bound_s;
    row->interrupted = found->interrupted;
    row->together_step_s = found->fits ? found->plan.step_s : 0;
    if (best >= 0) {
        (void)p3d_copy(row->best_alone, sizeof(row->best_alone),
                a->pool_rows[best].name);
        row->best_alone_step_s = found->alone[best].step_s;
    }
    if (!a->fits)
        return;
    (void)p3d_copy(row->recommended, sizeof(row->recommended), a->recommended);
    row->step_s =
            found->prefer_alone ? row->best_alone_step_s : row->together_step_s;
    row->tokens_per_s = tokens / row->step_s;
    if (found->prefer_alone)
        (void)p3d_copy(
                row->plan, sizeof(row->plan), a->pool_rows[best].alone_plan);
    else
        print_classes(a, row->plan, sizeof(row->plan));
}

/* What is faster by less is as fast. */
static const double SAME_FRAC = 1e-9;

void report_pools_mark(report_pools_row *rows, int n)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, rows[i].tokens_per_s);
    for (int i = 0; i < n; i++)
        rows[i].best =
                rows[i].fits && rows[i].tokens_per_s >= most * (1 - SAME_FRAC);
}

/* clang-format off */
#define R report_pools_row
#define CHARS(f, d)                                                            \
    {TYPED(#f, R, f, JSON_GOT(TEXT, report_get_chars), char *, d)}
static const json_field row_fields[] = {
    CHARS(cluster, "its pools in words"),
    CHARS(beside, "options of the network that vary; empty: none do"),
    ROW(R, seq_len, "tokens per sequence"),
    ROW(R, global_batch, "sequences per step"),
    ROW(R, fits, "the plan of the pools is sure to fit, or some pool alone is"),
    ROW(R, best, "no row does more tokens/s"),
    CHARS(recommended, "pools, or the name of the pool that is no slower "
        "alone; empty: nothing fits"),
    CHARS(plan, "what is recommended, in words: replicas and their segments, "
        "or as --plan reads it"),
    MAYBE_ROW(R, step_s, "time of a step of what is recommended"),
    MAYBE_ROW(R, tokens_per_s, "of it"),
    MAYBE_ROW(R, together_step_s, "time of a step of the fastest plan on all "
        "pools"),
    CHARS(best_alone, "name of the pool that is the fastest alone; empty: no "
        "pool fits alone"),
    MAYBE_ROW(R, best_alone_step_s, "time of its step"),
    MAYBE_ROW(R, bound_s, "no plan on all pools takes less"),
    ROW(R, interrupted, "its search was stopped"),
};
#define S report_pools_sweep
static const json_field sweep_fields[] = {
    SCHEMA_ROWS("sweep"),
    CONST_ROW("topic", "pools"),
    ROW(S, fits, "some row does"),
    ROW(S, complete, "no search was stopped"),
    ROW(S, model, "its name"),
    ROW(S, framework, "its name"),
    LIST_ROW(S, rows, report_pools_row_shape,
        "one for each combination, in the order of the command line"),
};
/* clang-format on */

const json_shape report_pools_row_shape =
        REPORT_SHAPE(R, row_fields, "what a sweep found on pools");
const json_shape report_pools_sweep_shape = REPORT_SHAPE(
        S, sweep_fields, "answer of plan3d sweep on pools of several types");
