/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.h - writes HTML and SVG: escaped text, numbers alike in every locale. */
#ifndef PLAN3D_REPORT_HTML_HTML_H
#define PLAN3D_REPORT_HTML_HTML_H

#include "base/text.h"
#include "report/page.h"
#include "report/text/layout.h"

/**
 * Append a template: `%s` is escaped, so that it is safe as text and between
 * double quotes; `%g` is a number with at most two digits behind a point; `%d`
 * is an int; `%%` is a percent sign. Nothing else may stand behind a percent.
 * The template goes into the language of the text's style, and so do the words
 * that the functions below are given.
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

/** "76.7", "8.46": three digits, of GiB. */
report_words html_gib(int64_t n_bytes);

/** "62.1 %". */
report_words html_percent(p3d_style style, double frac);

/* clang-format off */
/**
 * What the colours of the figures mean: X(NAME, class). Each stands for one
 * thing in all figures, and each thing has one colour: page.css has a class of
 * this name for each, and tests/browser/check_pages.py holds them apart.
 */
#define HTML_COLOURS(X) \
    X(WEIGHTS,       "weights") \
    X(GRADIENTS,     "gradients") \
    X(OPTIMIZER,     "optimizer") /* its states, and its step */ \
    X(ACTIVATIONS,   "activations") \
    X(WORKING,       "working") \
    X(BUFFERS,       "buffers") /* with workspaces, allocator, CUDA, NCCL */ \
    X(COMPUTING,     "computing") /* in a pipeline: forward */ \
    X(BACKWARD,      "backward") \
    X(WEIGHTS_BACK,  "weights-back") /* backward of weights alone */ \
    X(COMMUNICATION, "communication") /* also with the host */ \
    X(WAITING,       "waiting")
/* clang-format on */

typedef enum html_colour {
#define HTML_AS_ONE(name, word) HTML_##name,
    HTML_COLOURS(HTML_AS_ONE)
#undef HTML_AS_ONE
            HTML_N_COLOURS
} html_colour;

/** The class of a colour: "weights". */
const char *html_class(html_colour colour);

/** Begin and end a section: its name in the list of sections, what kind of
 *  thing it shows, and what one sees there. */
void html_section(
        p3d_text *out, const char *id, const char *kind, const char *finding);
void html_section_end(p3d_text *out);

/** The same for what most readers need not see: closed, it shows the finding
 *  alone. */
void html_fold(
        p3d_text *out, const char *id, const char *kind, const char *finding);
void html_fold_end(p3d_text *out);

/** Begin the one drawing of a section, as wide as its section and so many
 *  pixels high; and end it. */
void html_svg(
        p3d_text *out, const char *id, int height, const char *description);
void html_svg_end(p3d_text *out);

/** Begin and end a part of a drawing that tells what it is when it is pointed
 *  at, touched or, with `tab`, reached by keyboard: shapes stand between the
 *  two, the words appear so many pixels from the top of the drawing, where
 *  html_hint() has left room. */
void html_tip(p3d_text *out, bool tab, const char *words);
void html_tip_end(p3d_text *out, int top, const char *words);

/** What to do to read the words: where they appear. */
void html_hint(p3d_text *out, int top, const char *words);

/** Pixels that the words take. */
enum { HTML_HINT = 44 };

/** A line of the key of a figure: a colour and what it stands for. */
void html_key(p3d_text *out, html_colour colour, const char *words);

/** A text to copy, with a button where the script runs. */
void html_copied(p3d_text *out, const char *id, const char *text);

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
void html_plans(const report_page *page, p3d_text *out);
void html_remedies(const report_page *page, p3d_text *out);
void html_memory(const report_page *page, p3d_text *out);
void html_step(const report_page *page, p3d_text *out);
void html_front(const report_page *page, p3d_text *out);
void html_grid(const report_page *page, p3d_text *out);
void html_pipeline(const report_page *page, p3d_text *out);
void html_ranks(const report_page *page, p3d_text *out);
void html_scaling(const report_page *page, p3d_text *out);
void html_swings(const report_page *page, p3d_text *out);
void html_proof(const report_page *page, p3d_text *out);
void html_launches(const report_page *page, p3d_text *out);
void html_basis(const report_page *page, p3d_text *out);

#endif
