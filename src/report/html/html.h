/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.h - writes HTML and SVG: escaped text, numbers alike in every locale. */
#ifndef PLAN3D_REPORT_HTML_HTML_H
#define PLAN3D_REPORT_HTML_HTML_H

#include "base/text.h"
#include "report/html/page.h"
#include "report/text/layout.h"

/**
 * Append a template: `%s` is escaped, so that it is safe as text and between
 * double quotes; `%g` is a number with at most two digits behind a point; `%d`
 * is an int; `%%` is a percent sign. Nothing else may stand behind a percent.
 */
void html_add(p3d_text *out, const char *fmt, ...) P3D_PRINTF(2, 3);

/** Append the same text escaped, however long. */
void html_escape(p3d_text *out, const char *text);

/** The same, but no line ends between a number and a unit of time or "%". */
void html_title(p3d_text *out, const char *text);

/** A cell of a table, or a label: room for what p3d_print_*() write. */
enum { HTML_CELL = 96 };

/** A number with so many digits behind the point, in every locale. */
report_words html_number(int digits, double value);

/** "76.72", of GiB. */
report_words html_gib(int64_t n_bytes);

/** "62.1 %". */
report_words html_percent(double frac);

/** Begin and end a section: its name in the list of sections, what kind of
 *  thing it shows, and what one sees there. */
void html_section(
        p3d_text *out, const char *id, const char *kind, const char *finding);
void html_section_end(p3d_text *out);

/** Begin the one drawing of a section, as wide as its section and so many
 *  pixels high; and end it. */
void html_svg(
        p3d_text *out, const char *id, int height, const char *description);
void html_svg_end(p3d_text *out);

/** Begin and end the table under a figure. The heads are separated by '|';
 *  those that begin with '<' stand at the left, the others at the right. */
void html_table(p3d_text *out, const char *summary, const char *heads);
void html_table_end(p3d_text *out);

/** A row of it; the cells end in NULL, the first names the row. */
void html_row(p3d_text *out, const char *const *cells);

/** Lines "label    text" of an answer in text, as a list of definitions. */
void html_labelled(p3d_text *out, const char *lines);

/** The figures, in the order of the page. */
void html_verdict(const report_page *page, p3d_text *out);
void html_changes(const report_page *page, p3d_text *out);
void html_memory(const report_page *page, p3d_text *out);
void html_step(const report_page *page, p3d_text *out);
P3D_CHECK bool html_pipeline(
        const report_page *page, p3d_text *out, p3d_error *err);
void html_ranks(const report_page *page, p3d_text *out);
void html_grid(const report_page *page, p3d_text *out);
void html_front(const report_page *page, p3d_text *out);
void html_scaling(const report_page *page, p3d_text *out);
void html_swings(const report_page *page, p3d_text *out);
void html_proof(const report_page *page, p3d_text *out);
void html_basis(const report_page *page, p3d_text *out);
void html_launches(const report_page *page, p3d_text *out);

#endif
