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
#include "report/amounts.h"

enum { MOST_ARGUMENTS = 24 };

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

/* An argument of a template. */
typedef struct argument {
    char kind; /* 's', 'd' or 'g' */
    const char *text;
    int integer;
    double number;
} argument;

/* In English the arguments stand in their order. */
static void take_arguments(
        const char *fmt, va_list args, argument taken[MOST_ARGUMENTS])
{
    int n = 0;

    while ((fmt = strchr(fmt, '%')) != NULL) {
        argument *const a = &taken[n];

        P3D_ASSERT(n < MOST_ARGUMENTS && strchr("%sdg", fmt[1]) != NULL);
        a->kind = fmt[1];
        switch (a->kind) {
        case 's': a->text = va_arg(args, const char *); break;
        case 'd': a->integer = va_arg(args, int); break;
        case 'g': a->number = va_arg(args, double); break;
        default: break;
        }
        n += a->kind != '%';
        fmt += 2;
    }
}

static void put_argument(p3d_text *out, const argument *a)
{
    switch (a->kind) {
    case 's': html_escape(out, a->text); break;
    case 'd': p3d_text_add(out, "%d", a->integer); break;
    default: put_number(out, a->number);
    }
}

void html_add(p3d_text *out, const char *fmt, ...)
{
    const char *at = report_say(out->style, fmt);
    argument taken[MOST_ARGUMENTS] = {{0}};
    va_list args;
    int next = 0;

    va_start(args, fmt);
    take_arguments(fmt, args, taken);
    va_end(args);
    for (;;) {
        const size_t n = strcspn(at, "%");

        p3d_text_append(out, at, n);
        at += n;
        if (*at == '\0')
            break;
        if (at[1] == '%') {
            p3d_text_append(out, "%", 1);
            at += 2;
        } else if (at[2] == '$') {
            put_argument(out, &taken[at[1] - '1']);
            at += 4;
        } else {
            put_argument(out, &taken[next++]);
            at += 2;
        }
    }
}

report_words html_number(int digits, double value)
{
    report_words words = {""};

    p3d_print_double(words.text, sizeof(words.text), 'f', digits, value);
    return words;
}

report_words html_gib(int64_t n_bytes)
{
    return report_gib_words(n_bytes);
}

report_words html_percent(p3d_style style, double frac)
{
    return REPORT_WORDS(
            report_say(style, "%s %%"), html_number(1, 100 * frac).text);
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

const char *html_class(html_colour colour)
{
    static const char *const classes[] = {
#define HTML_AS_WORD(name, word) [HTML_##name] = (word),
            HTML_COLOURS(HTML_AS_WORD)
#undef HTML_AS_WORD
    };

    return classes[colour];
}

void html_section(
        p3d_text *out, const char *id, const char *kind, const char *finding)
{
    html_add(out,
            "<section id=\"%s\" class=\"card\" aria-labelledby=\"%s-title\">\n"
            "<p class=\"kind\">%s</p>\n<h2 id=\"%s-title\">",
            id, id, report_say(out->style, kind), id);
    html_title(out, report_say(out->style, finding));
    html_add(out, "</h2>\n");
}

void html_section_end(p3d_text *out)
{
    html_add(out, "</section>\n");
}

void html_fold(
        p3d_text *out, const char *id, const char *kind, const char *finding)
{
    html_add(out,
            "<section id=\"%s\" class=\"card\" aria-labelledby=\"%s-title\">\n"
            "<details class=\"fold\"><summary><span class=\"kind\">%s</span>\n"
            "<h2 id=\"%s-title\">",
            id, id, report_say(out->style, kind), id);
    html_title(out, report_say(out->style, finding));
    html_add(out, "</h2>\n</summary>\n");
}

void html_fold_end(p3d_text *out)
{
    html_add(out, "</details>\n</section>\n");
}

void html_svg(
        p3d_text *out, const char *id, int height, const char *description)
{
    html_add(out,
            "<svg class=\"figure\" id=\"%s-figure\" width=\"100%%\" "
            "height=\"%d\" role=\"figure\" aria-labelledby=\"%s-title "
            "%s-desc\">\n<desc id=\"%s-desc\">%s</desc>\n",
            id, height, id, id, id, report_say(out->style, description));
}

void html_svg_end(p3d_text *out)
{
    html_add(out, "</svg>\n");
}

/* What a finger can touch can have the focus; by keyboard only some are gone
 * through, as a hundred stops would be in the way. */
void html_tip(p3d_text *out, bool tab, const char *words)
{
    html_add(out,
            "<g class=\"tip\" tabindex=\"%d\" role=\"img\" "
            "aria-label=\"%s\">",
            tab ? 0 : -1, words);
}

void html_tip_end(p3d_text *out, int top, const char *words)
{
    html_add(out,
            "<foreignObject class=\"bubble\" y=\"%d\" width=\"100%%\" "
            "height=\"%d\" aria-hidden=\"true\"><p>%s</p></foreignObject></g>"
            "\n",
            top, HTML_HINT, words);
}

void html_hint(p3d_text *out, int top, const char *words)
{
    html_add(out, "<text class=\"quiet hint\" y=\"%d\">%s</text>\n", top + 20,
            report_say(out->style, words));
}

void html_key(p3d_text *out, html_colour colour, const char *words)
{
    html_add(out, "<li><span class=\"swatch %s\"></span>%s</li>\n",
            html_class(colour), report_say(out->style, words));
}

void html_copied(p3d_text *out, const char *id, const char *text)
{
    html_add(out,
            "<code id=\"%s\">%s</code> <button type=\"button\" "
            "class=\"copy\" data-copy=\"%s\" hidden>Copy<span class=\"hide\"> "
            "%s</span></button>",
            id, text, id, text);
}

void html_table(p3d_text *out, const char *summary, const char *heads)
{
    summary = report_say(out->style, summary);
    heads = report_say(out->style, heads);
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
    html_add(out, "<tr><th scope=\"row\">%s</th>",
            report_say(out->style, cells[0]));
    for (int i = 1; cells[i] != NULL; i++)
        html_add(out,
                is_number(cells[i]) ? "<td>%s</td>"
                                    : "<td class=\"left\">%s</td>",
                report_say(out->style, cells[i]));
    html_add(out, "</tr>\n");
}

void html_table_end(p3d_text *out)
{
    html_add(out, "</tbody></table>\n</div></details>\n");
}

/* The label of a line ends at a blank; it is empty where the line goes on with
 * the one before. */
void html_labelled(p3d_text *out, const char *lines)
{
    bool open = false;

    html_add(out, "<dl>\n");
    while (*lines != '\0') {
        const int n = (int)strcspn(lines, "\n");
        int label = 0;
        char text[JSON_LINE];

        if (lines[0] != ' ') {
            label = (int)strcspn(lines, " \n");
            snprintf(text, sizeof(text), "%.*s", label, lines);
            html_add(out, open ? "</dd>\n<dt>%s</dt><dd>" : "<dt>%s</dt><dd>",
                    text);
            open = true;
        } else {
            html_add(out, " ");
        }
        label += (int)strspn(lines + label, " ");
        snprintf(text, sizeof(text), "%.*s", n - label, lines + label);
        html_add(out, "%s", text);
        lines += n + (lines[n] == '\n');
    }
    html_add(out, open ? "</dd>\n</dl>\n" : "</dl>\n");
}
