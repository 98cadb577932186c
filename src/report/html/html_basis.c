/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_basis.c - what the numbers rest on: the search and its proof, formulas,
 * assumptions, constants, sources. */
#include <stdio.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "plan3d/version.h"
#include "report/html/html.h"
#include "report/text/text.h"

enum { MOST_ITEMS = 24 };

void html_proof(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char count[HTML_CELL], title[2 * HTML_CELL];
    p3d_text lines = {0};

    p3d_print_integer(count, sizeof(count), d->search.n_plans);
    snprintf(title, sizeof(title),
            d->search.interrupted
                    ? "The search was stopped before all %s plans were settled"
                    : "All %s legal plans are settled",
            count);
    html_section(out, "proof", "The search and its proof", title);
    report_text_search(d, &lines);
    html_labelled(out, p3d_text_get(&lines));
    html_add(out, "<p class=\"quiet\">Every legal plan of the framework is cut "
                  "by a bound, shown too large, beaten by one that does less, "
                  "or computed; no sample is drawn.</p>\n");
    html_section_end(out);
    out->failed = out->failed || lines.failed;
    p3d_text_free(&lines);
}

static void put_formulas(p3d_text *out)
{
    static const char *const rows[][3] = {
            {"memory",
                    "weights + gradients + optimizer states + saved "
                    "activations + working set + buffers + workspaces + "
                    "fragmentation + CUDA context and NCCL",
                    "of each pipeline stage, at the pass where the sum is the "
                    "largest"},
            {"usable", "memory that a program sees - what is kept free",
                    "--reserve"},
            {"step",
                    "matrix products + attention + passes + recomputation + "
                    "communication that shows + bubble + optimizer + waiting",
                    "of the slowest pipeline rank"},
            {"tokens/s", "sequences x tokens of one / step", "all GPUs"},
            {"MFU", "FLOPs of the model in a step / (step x GPUs x dense peak)",
                    "HFU counts recomputation too"},
    };

    html_add(out, "<dl class=\"formulas\">\n");
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        html_add(out,
                "<dt>%s</dt><dd><code>%s</code><br><span class=\"quiet\">%s"
                "</span></dd>\n",
                rows[i][0], rows[i][1], rows[i][2]);
    html_add(out, "</dl>\n");
}

/* Where the constants are from, and how wrong they are on kernels that their
 * fit had not seen. */
static void put_calibration(const p3d_calibration *c, p3d_text *out)
{
    char gemm[HTML_CELL], pass[HTML_CELL], sent[HTML_CELL];

    html_add(out,
            "<p>Speeds: constants <b>%s</b>, measured on %s%s%s%s. Errors "
            "on kernels that the fit had not seen: matrix products %s, "
            "memory-bound passes %s, collectives %s.</p>\n",
            c->name, c->device[0] != '\0' ? c->device : c->basis,
            c->device[0] != '\0' ? " by its owner" : " (published kernels)",
            c->date[0] != '\0' ? ", " : "", c->date,
            html_percent(gemm, c->gemm.error_frac),
            html_percent(pass, c->pass.error_frac),
            html_percent(sent, c->collective_error_frac));
}

/* The largest tensors that are alive at the peak, why, and who says so. */
static void put_tensors(const report_document *d, p3d_text *out)
{
    const p3d_memory_item *const items = d->item_lines;

    html_table(out, "Tensors alive on the tight GPU, with their sources",
            "<tensor|<shape|GiB|<why|<source");
    for (int i = 0; i < d->items.n && i < MOST_ITEMS; i++) {
        char gib[HTML_CELL];
        char sizes[REPORT_SIZES];

        html_row(out,
                (const char *const[]){items[i].name,
                        report_item_sizes(&items[i], sizes),
                        html_gib(gib, items[i].bytes),
                        items[i].why != NULL ? items[i].why : "",
                        items[i].source != NULL ? items[i].source : "", NULL});
    }
    html_table_end(out);
    if (d->items.n > MOST_ITEMS)
        html_add(out,
                "<p class=\"quiet\">%d of %d lines; <code>plan3d explain "
                "... memory</code> prints all.</p>\n",
                MOST_ITEMS, d->items.n);
}

static void put_training(const report_document *d, p3d_text *out)
{
    p3d_text lines = {0};

    if (d->estimate->training == NULL)
        return;
    report_text_training(d, d->estimate->training, &lines);
    html_add(out,
            "<details><summary>The whole training</summary>\n<pre "
            "tabindex=\"0\">%s</pre></details>\n",
            p3d_text_get(&lines));
    out->failed = out->failed || lines.failed;
    p3d_text_free(&lines);
}

void html_basis(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char title[2 * HTML_CELL];

    snprintf(title, sizeof(title),
            "They rest on %d assumptions; options in brackets change them",
            d->assumed.n);
    html_section(out, "basis", "What the numbers rest on", title);
    html_add(out, "<ul class=\"assumed\">\n");
    for (int i = 0; i < d->assumed.n; i++)
        html_add(out, "<li>%s</li>\n", d->assumed_lines[i]);
    html_add(out, "</ul>\n");
    put_calibration(&d->question.problem.cluster.calibration, out);
    put_formulas(out);
    put_training(d, out);
    put_tensors(d, out);
    html_section_end(out);
}
