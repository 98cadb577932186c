/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_operations.c - the operations of a plan as tables. */
#include <stdio.h>
#include <string.h>

#include "plan3d/units.h"
#include "report/amounts.h"
#include "report/report.h"
#include "report/text/layout.h"

static void cell_count(report_table *table, int64_t value)
{
    report_table_cell(table, "%s", report_integer_words(value).text);
}

static void cell_mib(report_table *table, int64_t n_bytes)
{
    report_table_cell(table, "%.4g", 1024 * report_gib(n_bytes));
}

static void print_products(const p3d_request *request, p3d_text *out)
{
    const p3d_request_gemm *const rows = request->gemm.items;
    report_table table;

    report_table_begin(&table, out->style, "lllrrrrr");
    report_table_row(&table, "GEMMs\tdtype\tlayout\tm\tn\tk\tat once\ttimes");
    for (int i = 0; i < request->gemm.n; i++) {
        report_table_row(&table, "%s\t%s\t%s\t%lld\t%lld\t%lld\t%lld",
                report_say(out->style, rows[i].name),
                p3d_number_words[rows[i].dtype],
                p3d_layout_words[rows[i].layout], (long long)rows[i].m,
                (long long)rows[i].n, (long long)rows[i].k,
                (long long)rows[i].count);
        cell_count(&table, rows[i].times);
    }
    report_table_print(&table, out);
}

static void print_attention(const p3d_request *request, p3d_text *out)
{
    const p3d_request_attention *const rows = request->attention.items;
    report_table table;

    if (request->attention.n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "llrrrrrrrr");
    report_table_row(&table,
            "attention\tpass\tsequences\theads\tkv heads\ttokens\tkv "
            "tokens\thead size\tv size\ttimes");
    for (int i = 0; i < request->attention.n; i++) {
        report_table_row(&table,
                "%s\t%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld",
                report_say(out->style, rows[i].name),
                report_say(
                        out->style, rows[i].backward ? "backward" : "forward"),
                (long long)rows[i].batch, (long long)rows[i].heads,
                (long long)rows[i].kv_heads, (long long)rows[i].seq_q,
                (long long)rows[i].seq_kv, (long long)rows[i].qk_dim,
                (long long)rows[i].v_dim);
        cell_count(&table, rows[i].times * rows[i].count);
    }
    report_table_print(&table, out);
}

static void print_passes(const p3d_request *request, p3d_text *out)
{
    const p3d_request_pass *const rows = request->pass.items;
    report_table table;

    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "lrrr");
    report_table_row(&table, "memory-bound kernels\tMiB\tkernels\ttimes");
    for (int i = 0; i < request->pass.n; i++) {
        report_table_cell(&table, "%s", report_say(out->style, rows[i].name));
        cell_mib(&table, rows[i].bytes);
        report_table_cell(&table, "%lld", (long long)rows[i].n_kernels);
        cell_count(&table, rows[i].times);
    }
    report_table_print(&table, out);
}

static void print_collectives(const p3d_request *request, p3d_text *out)
{
    const p3d_request_collective *const rows = request->collective.items;
    report_table table;

    if (request->collective.n == 0)
        return;
    p3d_text_add(out, "\n");
    report_table_begin(&table, out->style, "lllrrrr");
    report_table_row(&table,
            "communication\tcollective\taxis\tranks\tstride\tMiB\ttimes");
    for (int i = 0; i < request->collective.n; i++) {
        report_table_row(&table, "%s\t%s\t%s\t%lld\t%lld",
                report_say(out->style, rows[i].name),
                p3d_measured_op_words[rows[i].op], rows[i].axis,
                (long long)rows[i].n_ranks, (long long)rows[i].stride);
        cell_mib(&table, rows[i].bytes);
        cell_count(&table, rows[i].times);
    }
    report_table_print(&table, out);
}

void report_shapes(const p3d_request *request, p3d_text *out)
{
    report_add(out, "plan     %s\nmodel    %s\ncluster  %s\n\n", request->plan,
            request->model, request->cluster);
    print_products(request, out);
    print_attention(request, out);
    print_passes(request, out);
    print_collectives(request, out);
    report_add(out,
            "\npeak     %s allocated on the tight GPU, in %d kinds of tensors "
            "(--json)\n"
            "times    in a step, on the rank that has the most of such blocks; "
            "recomputation not\n"
            "         counted. A name stands again for blocks of another "
            "kind\n",
            report_bytes_words((double)request->allocated_bytes).text,
            request->piece.n);
}
