/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_basis.c - the parts of the page that are words: what the numbers rest
 * on, and the files that launch the plan. */
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
    char title[2 * HTML_CELL];
    p3d_text lines = {.style = {.lang = out->style.lang}};

    snprintf(title, sizeof(title),
            report_say(out->style,
                    d->search.interrupted
                            ? "The search was stopped before all %s plans were "
                              "settled"
                            : "All %s legal plans are settled"),
            report_integer_words(d->search.n_plans).text);
    html_fold(out, "proof", "The search and its proof", title);
    report_text_search(d, &lines);
    html_labelled(out, p3d_text_get(&lines));
    html_add(out, "<p class=\"quiet\">Every legal plan of the framework is cut "
                  "by a bound, shown too large, beaten by one that does less, "
                  "or computed; no sample is drawn.</p>\n");
    html_fold_end(out);
    report_text_free(&lines, out);
}

static void put_formulas(p3d_text *out)
{
    static const char *const rows[][3] = {
            {"memory",
                    "weights + gradients + optimizer states + saved "
                    "activations + temporary tensors + buffers + workspaces + "
                    "fragmentation + context and communicators",
                    "of each pipeline stage, at the pass where the sum is the "
                    "largest"},
            {"usable", "memory that a program sees - what is kept free",
                    "--reserve"},
            {"step",
                    "GEMMs + attention + kernels + recomputation + "
                    "exposed communication + bubble + optimizer + waiting",
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
                report_say(out->style, rows[i][0]),
                report_say(out->style, rows[i][1]),
                report_say(out->style, rows[i][2]));
    html_add(out, "</dl>\n");
}

/* Where the constants are from, and how wrong they are on kernels that their
 * fit had not seen. */
static void put_calibration(const report_document *d, p3d_text *out)
{
    const p3d_calibration *const c = &d->cluster->calibration;
    const bool own = c->device[0] != '\0';
    char origin[JSON_LINE];

    report_speeds_origin(d, out->style, own ? c->device : c->basis, origin);
    html_add(out,
            "<p>Speeds: constants <b>%s</b>, %s%s%s%s. Errors on kernels that "
            "a fit had not seen, guesses where it is assumed: GEMMs %s, "
            "memory-bound kernels %s, collectives %s.</p>\n",
            c->name, origin,
            own ? report_say(out->style, ", by its owner") : "",
            c->date[0] != '\0' ? ", " : "", c->date,
            html_percent(out->style, c->gemm.error_frac).text,
            html_percent(out->style, c->pass.error_frac).text,
            html_percent(out->style, c->collective_error_frac).text);
}

/* The largest tensors that are alive at the peak, why, and who says so. */
static void put_tensors(const report_document *d, p3d_text *out)
{
    const p3d_memory_item *const items = d->item_lines;

    html_table(out, "Tensors alive on the tight GPU, with their sources",
            "<tensor|<shape|GiB|<why|<source");
    for (int i = 0; i < d->items.n && i < MOST_ITEMS; i++) {

        html_row(out,
                (const char *const[]){items[i].name,
                        report_item_sizes(&items[i]).text,
                        html_gib(items[i].bytes).text,
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

/* Measured runs near this one, and what is predicted for them. */
static void put_evidence(const report_document *d, p3d_text *out)
{
    const p3d_near_run *const runs = d->evidence.items;

    if (d->evidence.n == 0) {
        html_add(out, "<p>%s.</p>\n",
                report_say(out->style, report_no_evidence));
        return;
    }
    html_table(out, "Measured runs that are near this one",
            "<model|GPUs|<framework|measured tokens/s per GPU|predicted|"
            "error|steps away|<source");
    for (int i = 0; i < d->evidence.n; i++) {
        const p3d_measured_run *const run = &runs[i].run;

        html_row(out,
                (const char *const[]){run->model,
                        REPORT_WORDS(
                                "%lld x %s", (long long)run->n_gpus, run->gpu)
                                .text,
                        run->framework,
                        report_three_words(run->measured_tokens_per_s_per_gpu)
                                .text,
                        report_three_words(run->predicted_tokens_per_s_per_gpu)
                                .text,
                        html_percent(
                                out->style, report_near_error_frac(&runs[i]))
                                .text,
                        html_number(1, runs[i].distance_steps).text, run->ref,
                        NULL});
    }
    html_table_end(out);
}

static void put_training(const report_document *d, p3d_text *out)
{
    p3d_text lines = {.style = {.lang = out->style.lang}};

    if (d->estimate->training == NULL)
        return;
    report_text_training(d, d->estimate, &lines);
    html_add(out,
            "<details><summary>The whole training</summary>\n<pre "
            "tabindex=\"0\">%s</pre></details>\n",
            p3d_text_get(&lines));
    report_text_free(&lines, out);
}

void html_basis(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char lines[REPORT_MAX_ASSUMED][JSON_LINE];
    char title[2 * HTML_CELL];

    snprintf(title, sizeof(title),
            report_say(out->style, "They rest on %d assumptions; options in "
                                   "brackets change them"),
            d->assumed.n);
    html_fold(out, "basis", "What the numbers rest on", title);
    html_add(out, "<ul class=\"assumed\">\n");
    (void)report_assume(d, out->style, lines);
    for (int i = 0; i < d->assumed.n; i++)
        html_add(out, "<li>%s</li>\n", lines[i]);
    html_add(out, "</ul>\n");
    put_calibration(d, out);
    put_evidence(d, out);
    put_formulas(out);
    put_training(d, out);
    put_tensors(d, out);
    html_fold_end(out);
}

/* Launch files. */

static void put_file(
        const report_target *t, const report_file *file, int i, p3d_text *out)
{
    html_add(out,
            "<div class=\"file\"><div class=\"bar\"><b>%s</b><button "
            "type=\"button\" class=\"copy\" data-copy=\"file-%s-%d\" hidden>"
            "Copy<span class=\"hide\"> %s of %s</span></button></div>\n"
            "<pre tabindex=\"0\" id=\"file-%s-%d\">%s</pre></div>\n",
            file->name, t->name, i, file->name, t->title, t->name, i,
            file->text);
}

static void put_target(const report_target *t, p3d_text *out)
{
    const report_file *const files = t->files.items;

    html_add(out,
            "<details class=\"target\"><summary>%s <span class=\"quiet\">%s "
            "per step by its own costs%s</span></summary>\n<p class=\"quiet\">"
            "Names of the options: %s</p>\n",
            t->title, report_step_words(t->step_s).text,
            t->fits ? "" : report_say(out->style, ", and does not fit there"),
            t->versions);
    for (int i = 0; i < t->files.n; i++)
        put_file(t, &files[i], i, out);
    html_add(out, "</details>\n");
}

static void put_others(const report_page *page, p3d_text *out)
{
    const report_target *const targets = page->targets.items;

    html_table(out, "Frameworks that cannot run this plan, and why",
            "<framework|<reason");
    for (int i = 0; i < page->targets.n; i++)
        if (!targets[i].can)
            html_row(out,
                    (const char *const[]){targets[i].title,
                            report_say_made(out->style, targets[i].reason).text,
                            NULL});
    html_table_end(out);
}

void html_launches(const report_page *page, p3d_text *out)
{
    const report_target *const targets = page->targets.items;
    char title[2 * HTML_CELL];
    int n = 0;

    for (int i = 0; i < page->targets.n; i++)
        n += targets[i].can;
    snprintf(title, sizeof(title),
            report_say(out->style, "%d of %d frameworks can run this plan"), n,
            page->targets.n);
    html_fold(out, "launches", "Launch files", title);
    if (!page->document->estimate->found.fits)
        html_add(out, "<p>The plan does not fit: these files are for a "
                      "machine with more memory.</p>\n");
    for (int i = 0; i < page->targets.n; i++)
        if (targets[i].can)
            put_target(&targets[i], out);
    if (n < page->targets.n)
        put_others(page, out);
    html_fold_end(out);
}
