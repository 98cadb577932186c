/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_grid.c - tensor-parallel against pipeline ranks: how fast the best plan
 * with each pair is, or why there is none. */
#include <stdio.h>
#include <string.h>

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

/* Why no plan with these ranks is legal, in a few words; the table has the
 * whole reason. Rules that only a whole plan can break are not here. */
static report_words refusal_words(
        const report_page *page, const report_cell *c, p3d_style style)
{
    static const struct {
        const char *rule;
        const char *words;
    } rows[] = {{"A1", "no divisor of the GPUs"},
            {"A2", "experts do not divide"}, {"B1", "heads do not divide"},
            {"B2", "KV heads do not divide"}, {"B4", "MLP does not divide"},
            {"B7", "sequence does not divide"}, {"C1", "layers do not divide"},
            {"D1", "batch too small"}, {"S1", "no pipeline there"},
            {"S5", "no tensor parallelism there"}};

    const int64_t n_ranks = (int64_t)c->tp * c->pp;

    if (n_ranks > page->document->cluster->n_gpus)
        return REPORT_WORDS(
                report_say(style, "needs %lld GPUs"), (long long)n_ranks);
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (strcmp(rows[i].rule, c->rule) == 0)
            return REPORT_WORDS("%s", report_say(style, rows[i].words));
    return REPORT_WORDS(report_say(style, "not possible"));
}

/* What there is to read about a cell. */
static void print_about(
        const report_cell *c, p3d_style style, char *words, size_t n)
{
    if (!c->legal)
        snprintf(words, n, "%s", report_say_made(style, c->reason).text);
    else if (c->words[0] == '\0')
        snprintf(words, n, "%s", report_say(style, "no plan fits"));
    else if (c->missing_bytes > 0)
        snprintf(words, n, report_say(style, "misses %s GiB: %s"),
                html_gib(c->missing_bytes).text, c->words);
    else
        snprintf(words, n,
                report_say(style,
                        c->fits ? "%s"
                        : c->barely
                                ? "fits by the estimate, less sure than asked: "
                                  "%s"
                                : "too little host memory: %s"),
                c->words);
}

static void put_cell(const report_page *page, const report_cell *c,
        const report_cell *best, p3d_text *out)
{
    const p3d_plan *const own = &page->document->estimate->found.plan;
    const char *const is_own =
            own->tp == c->tp && own->pp == c->pp ? " own" : "";
    const report_clock unit = report_clock_for(best != NULL ? best->step_s : 1);
    char about[REPORT_PLAN + JSON_LINE];

    if (best != NULL && c->fits)
        html_add(out,
                c == best ? "<td class=\"tip q%d%s\" tabindex=\"-1\">%s"
                            "<small>best</small>"
                          : "<td class=\"tip q%d%s\" tabindex=\"-1\">%s",
                shade(c->step_s / best->step_s - 1), is_own,
                report_three_words(c->step_s / unit.unit_s).text);
    else if (c->legal && c->missing_bytes > 0)
        html_add(out,
                "<td class=\"tip none%s\" tabindex=\"-1\">%s<small>GiB missing"
                "</small>",
                is_own, report_three_words(report_gib(c->missing_bytes)).text);
    else
        html_add(out,
                "<td class=\"tip none%s\" tabindex=\"-1\"><small>%s</small>",
                is_own,
                !c->legal             ? refusal_words(page, c, out->style).text
                : c->barely           ? report_say(out->style, "barely fits")
                : c->words[0] != '\0' ? report_say(out->style, "host memory")
                                      : report_say(out->style, "no plan fits"));
    print_about(c, out->style, about, sizeof(about));
    html_add(out, "<span class=\"bubble\">TP %d, PP %d: %s</span></td>", c->tp,
            c->pp, about);
}

static void put_grid(const report_page *page, p3d_text *out)
{
    const int n = n_columns(page);
    const report_cell *const best = fastest(page);

    html_add(out, "<div class=\"reads\"><div class=\"wide\" tabindex=\"0\" "
                  "role=\"region\" "
                  "aria-label=\"Step by tensor-parallel and pipeline ranks\">"
                  "\n<table class=\"heat\" id=\"grid-figure\">");
    if (best != NULL)
        html_add(out, "<caption>Step of the best plan, in %s</caption>",
                report_clock_for(best->step_s).word);
    html_add(out, "<thead><tr><td></td>");
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
    html_add(out, "</tbody></table></div>\n<p class=\"quiet hint\">Point at a "
                  "cell, or touch it, to read its plan.</p></div>\n");
}

static void put_table(const report_page *page, p3d_text *out)
{
    html_table(out, "Every pair with its plan, or why there is none",
            "<TP, PP|step|<plan, or why there is none");
    for (int i = 0; i < page->cells.n; i++) {
        const report_cell *const c = cell_at(page, i);
        char pair[HTML_CELL];
        char words[REPORT_PLAN + JSON_LINE];

        snprintf(pair, sizeof(pair), "TP %d, PP %d", c->tp, c->pp);
        print_about(c, out->style, words, sizeof(words));
        html_row(out, (const char *const[]){pair,
                              c->fits ? report_step_words(c->step_s).text : "-",
                              words, NULL});
    }
    html_table_end(out);
}

static bool has_barely(const report_page *page)
{
    for (int i = 0; i < page->cells.n; i++)
        if (cell_at(page, i)->barely)
            return true;
    return false;
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
    char title[2 * HTML_CELL] = "";

    if (page->cells.n < 2)
        return;
    if (best != NULL)
        snprintf(title, sizeof(title),
                report_say(out->style,
                        "Of the sure plans TP %d with PP %d is the fastest; %d "
                        "of %d pairs are within 5 %%"),
                best->tp, best->pp, count(page, best->step_s * 1.05),
                page->cells.n);
    html_fold(out, "grid", "Tensor against pipeline parallelism",
            best != NULL       ? title
            : has_barely(page) ? "No number of tensor-parallel and pipeline "
                                 "ranks makes it sure to fit"
                               : "No number of tensor-parallel and pipeline "
                                 "ranks makes it fit");
    put_grid(page, out);
    html_add(out, "<p class=\"quiet\">Everything else is free: each cell is "
                  "the best plan of an exact search. The stronger the colour "
                  "the faster; outlined are the ranks of this page's plan. "
                  "Not filled: no plan is sure to fit, or none is "
                  "possible.</p>\n");
    put_table(page, out);
    html_fold_end(out);
}
