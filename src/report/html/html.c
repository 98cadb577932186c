/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.c - writes HTML and SVG: escaped text, numbers, sections, tables. */
#include "report/html/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "report/text/amounts.h"

static const char *entity_of(char byte)
{
    switch (byte) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Bytes that are not UTF-8, and characters that do not print, become U+FFFD. */
void html_escape(p3d_text *out, const char *text)
{
    const char *const end = text + strlen(text);

    while (text < end) {
        const char *const entity = entity_of(*text);
        const size_t left = (size_t)(end - text);
        const int length = p3d_utf8_length(text, left);

        if (entity != NULL)
            p3d_text_add(out, "%s", entity);
        else if (p3d_utf8_printable(text, left) > 0 || *text == '\n' ||
                 *text == '\t')
            p3d_text_append(out, text, (size_t)length);
        else
            p3d_text_add(out, "\xef\xbf\xbd");
        text += length > 0 ? length : 1;
    }
}

/* Two digits behind the point at most, none that are zero. */
static void put_number(p3d_text *out, double value)
{
    char digits[64];
    size_t n;

    P3D_ASSERT(isfinite(value) && fabs(value) < 1e15);
    p3d_print_double(digits, sizeof(digits), 'f', 2, value);
    n = strlen(digits);
    while (digits[n - 1] == '0')
        n--;
    n -= digits[n - 1] == '.';
    if (n == 2 && strncmp(digits, "-0", 2) == 0)
        p3d_text_append(out, "0", 1);
    else
        p3d_text_append(out, digits, n);
}

void html_add(p3d_text *out, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    for (;;) {
        const size_t n = strcspn(fmt, "%");

        p3d_text_append(out, fmt, n);
        if (fmt[n] == '\0')
            break;
        switch (fmt[n + 1]) {
        case 's': html_escape(out, va_arg(args, const char *)); break;
        case 'd': p3d_text_add(out, "%d", va_arg(args, int)); break;
        case 'g': put_number(out, va_arg(args, double)); break;
        default: P3D_ASSERT(fmt[n + 1] == '%'); p3d_text_append(out, "%", 1);
        }
        fmt += n + 2;
    }
    va_end(args);
}

report_words html_number(int digits, double value)
{
    report_words words = {""};

    p3d_print_double(words.text, sizeof(words.text), 'f', digits, value);
    return words;
}

report_words html_gib(int64_t n_bytes)
{
    return html_number(2, report_gib(n_bytes));
}

report_words html_percent(double frac)
{
    return REPORT_WORDS("%s %%", html_number(1, 100 * frac).text);
}

/* A number and its unit stay on one line. */
void html_title(p3d_text *out, const char *text)
{
    p3d_text joined = {0};

    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] == ' ' && i > 0 && text[i - 1] >= '0' &&
                text[i - 1] <= '9' && text[i + 1] != '\0' &&
                strchr("%sm", text[i + 1]) != NULL)
            p3d_text_append(&joined, "\302\240", 2);
        else
            p3d_text_append(&joined, &text[i], 1);
    }
    html_escape(out, p3d_text_get(&joined));
    report_text_free(&joined, out);
}

void html_section(
        p3d_text *out, const char *id, const char *kind, const char *finding)
{
    html_add(out,
            "<section id=\"%s\" class=\"card\" aria-labelledby=\"%s-title\">\n"
            "<p class=\"kind\">%s</p>\n<h2 id=\"%s-title\">",
            id, id, kind, id);
    html_title(out, finding);
    html_add(out, "</h2>\n");
}

void html_section_end(p3d_text *out)
{
    html_add(out, "</section>\n");
}

void html_svg(
        p3d_text *out, const char *id, int height, const char *description)
{
    html_add(out,
            "<svg class=\"figure\" id=\"%s-figure\" width=\"100%%\" "
            "height=\"%d\" role=\"img\" aria-labelledby=\"%s-title "
            "%s-desc\">\n<desc id=\"%s-desc\">%s</desc>\n",
            id, height, id, id, id, description);
}

void html_svg_end(p3d_text *out)
{
    html_add(out, "</svg>\n");
}

void html_table(p3d_text *out, const char *summary, const char *heads)
{
    html_add(out,
            "<details><summary>%s</summary>\n"
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"%s\">\n<table><thead><tr>",
            summary, summary);
    for (;;) {
        const size_t n = strcspn(heads, "|");
        const bool left = heads[0] == '<';
        char head[HTML_CELL];

        snprintf(head, sizeof(head), "%.*s", (int)(n - left), heads + left);
        html_add(out,
                left ? "<th scope=\"col\" class=\"left\">%s</th>"
                     : "<th scope=\"col\">%s</th>",
                head);
        if (heads[n] == '\0')
            break;
        heads += n + 1;
    }
    html_add(out, "</tr></thead><tbody>\n");
}

/* Numbers stand at the right, words at the left. */
static bool is_number(const char *cell)
{
    return strchr("0123456789+-", cell[0]) != NULL && strchr(cell, '=') == NULL;
}

void html_row(p3d_text *out, const char *const *cells)
{
    html_add(out, "<tr><th scope=\"row\">%s</th>", cells[0]);
    for (int i = 1; cells[i] != NULL; i++)
        html_add(out,
                is_number(cells[i]) ? "<td>%s</td>"
                                    : "<td class=\"left\">%s</td>",
                cells[i]);
    html_add(out, "</tr>\n");
}

void html_table_end(p3d_text *out)
{
    html_add(out, "</tbody></table>\n</div></details>\n");
}

/* The label of a line is before its ninth column, and empty where the line
 * goes on with the one before. */
void html_labelled(p3d_text *out, const char *lines)
{
    enum { LABEL = 9 };
    bool open = false;

    html_add(out, "<dl>\n");
    while (*lines != '\0') {
        const int n = (int)strcspn(lines, "\n");
        const int label = n < LABEL ? n : LABEL;
        char text[JSON_LINE];

        if (lines[0] != ' ') {
            snprintf(text, sizeof(text), "%.*s", (int)strcspn(lines, " \n"),
                    lines);
            html_add(out, open ? "</dd>\n<dt>%s</dt><dd>" : "<dt>%s</dt><dd>",
                    text);
            open = true;
        } else {
            html_add(out, " ");
        }
        snprintf(text, sizeof(text), "%.*s", n - label, lines + label);
        html_add(out, "%s", text);
        lines += n + (lines[n] == '\n');
    }
    html_add(out, open ? "</dd>\n</dl>\n" : "</dl>\n");
}
