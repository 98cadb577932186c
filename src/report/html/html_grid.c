/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_grid.c - tensor-parallel against pipeline ranks: how fast the best plan
 * with each pair is, or why there is none. */
#include <stdio.h>

#include "base/util.h"
#include "report/html/html.h"
#include "report/text/text.h"

static const report_cell *cell_at(const report_page *page, int i)
{
    return (const report_cell *)page->cells.items + i;
}

/* Pipeline ranks in a row: cells are by tp, then pp. */
static int n_columns(const report_page *page)
{
    int n = 0;

    while (n < page->cells.n && cell_at(page, n)->tp == cell_at(page, 0)->tp)
        n++;
    return n;
}

static const report_cell *fastest(const report_page *page)
{
    const report_cell *best = NULL;

    for (int i = 0; i < page->cells.n; i++) {
        const report_cell *const c = cell_at(page, i);

        if (c->fits && (best == NULL || c->step_s < best->step_s))
            best = c;
    }
    return best;
}

/* How dark a cell is, from 5, the best, to 0. */
static int shade(double slower_frac)
{
    static const double limits[] = {0.005, 0.03, 0.1, 0.25, 0.6};
    int n = P3D_COUNT_OF(limits);

    for (int i = P3D_COUNT_OF(limits) - 1; i >= 0 && slower_frac < limits[i];
            i--)
        n = i;
    return P3D_COUNT_OF(limits) - n;
}

static void put_cell(const report_page *page, const report_cell *c,
        const report_cell *best, p3d_text *out)
{
    const p3d_plan *const own = &page->document->estimate->found.plan;
    const bool is_own = own->tp == c->tp && own->pp == c->pp;

    if (best != NULL && c->fits)
        html_add(out,
                c == best ? "<td class=\"q%d%s\" title=\"%s\">%s<small>best"
                            "</small></td>"
                          : "<td class=\"q%d%s\" title=\"%s\">%s</td>",
                shade(c->step_s / best->step_s - 1), is_own ? " own" : "",
                c->words, report_step_words(c->step_s).text);
    else if (c->legal && c->missing_bytes > 0)
        html_add(out,
                "<td class=\"none%s\" title=\"%s\">%s<small>GiB missing"
                "</small></td>",
                is_own ? " own" : "", c->words,
                html_gib(c->missing_bytes).text);
    else
        html_add(out,
                "<td class=\"none\" title=\"%s\">%s<small>%s</small></td>",
                c->legal ? c->words : c->reason,
                c->legal || c->rule[0] == '\0' ? "no" : c->rule,
                c->legal ? "host memory" : "rule");
}

static void put_grid(const report_page *page, p3d_text *out)
{
    const int n = n_columns(page);
    const report_cell *const best = fastest(page);

    html_add(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"Step by tensor-parallel and pipeline ranks\">"
                  "\n<table class=\"heat\" id=\"grid-figure\"><caption>Step "
                  "of the best plan</caption><thead><tr><td></td>");
    for (int i = 0; i < n; i++)
        html_add(out, "<th scope=\"col\">PP %d</th>", cell_at(page, i)->pp);
    html_add(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < page->cells.n; i++) {
        if (i % n == 0)
            html_add(out, "<tr><th scope=\"row\">TP %d</th>",
                    cell_at(page, i)->tp);
        put_cell(page, cell_at(page, i), best, out);
        if (i % n == n - 1)
            html_add(out, "</tr>\n");
    }
    html_add(out, "</tbody></table></div>\n");
}

static void put_table(const report_page *page, p3d_text *out)
{
    html_table(out, "Every pair with its plan, or the rule against it",
            "<TP, PP|step|<plan, or why there is none");
    for (int i = 0; i < page->cells.n; i++) {
        const report_cell *const c = cell_at(page, i);
        char pair[HTML_CELL];
        char words[REPORT_PLAN + JSON_LINE];

        snprintf(pair, sizeof(pair), "TP %d, PP %d", c->tp, c->pp);
        if (!c->legal)
            snprintf(words, sizeof(words), "%s%s%s", c->rule,
                    c->rule[0] != '\0' ? ": " : "", c->reason);
        else if (c->missing_bytes > 0)
            snprintf(words, sizeof(words), "misses %s GiB: %s",
                    html_gib(c->missing_bytes).text, c->words);
        else
            snprintf(words, sizeof(words), "%s%s",
                    c->fits ? "" : "too little host memory: ", c->words);
        html_row(out, (const char *const[]){pair,
                              c->fits ? report_step_words(c->step_s).text : "-",
                              words, NULL});
    }
    html_table_end(out);
}

static int count(const report_page *page, double most_s)
{
    int n = 0;

    for (int i = 0; i < page->cells.n; i++) {
        const report_cell *const c = cell_at(page, i);

        n += c->fits && c->step_s <= most_s;
    }
    return n;
}

void html_grid(const report_page *page, p3d_text *out)
{
    const report_cell *const best = fastest(page);
    char title[2 * HTML_CELL] =
            "No number of tensor-parallel and pipeline ranks makes it fit";

    if (page->cells.n < 2)
        return;
    if (best != NULL)
        snprintf(title, sizeof(title),
                "Of the sure plans TP %d with PP %d is the fastest; %d of %d "
                "pairs are within 5 %%",
                best->tp, best->pp, count(page, best->step_s * 1.05),
                page->cells.n);
    html_section(out, "grid", "Tensor against pipeline parallelism", title);
    put_grid(page, out);
    html_add(out,
            "<p class=\"quiet\">Everything else is free: each cell is "
            "the best plan of an exact search. The stronger the colour "
            "the faster; outlined are the ranks of this page's plan. "
            "Grey: no plan fits, or a rule of the framework refuses.</p>\n");
    put_table(page, out);
    html_section_end(out);
}
