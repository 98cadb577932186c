/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_memory.c - memory of the pipeline ranks, stacked against what a GPU
 * has. */
#include <stdio.h>

#include "base/util.h"
#include "report/answer.h"
#include "report/html/html.h"

enum { ROW = 44, TOP = 26, BAR = 18, MOST_ROWS = 8, HINT = 20 };

/* Terms that are drawn as one. */
static const struct {
    html_colour colour;
    const char *words;
    int first, last; /* terms */
} parts[] = {{HTML_WEIGHTS, "weights", P3D_TERM_weights, P3D_TERM_weights},
        {HTML_GRADIENTS, "gradients", P3D_TERM_gradients, P3D_TERM_gradients},
        {HTML_OPTIMIZER, "optimizer states", P3D_TERM_optimizer,
                P3D_TERM_optimizer},
        {HTML_ACTIVATIONS, "saved activations", P3D_TERM_activations,
                P3D_TERM_activations},
        {HTML_WORKING, "temporary tensors", P3D_TERM_working, P3D_TERM_working},
        {HTML_BUFFERS, "buffers, allocator, process", P3D_TERM_buffers,
                P3D_TERM_context}};

static int64_t part_bytes(const report_stage *stage, int part)
{
    int64_t sum_bytes = 0;

    for (int i = parts[part].first; i <= parts[part].last; i++)
        sum_bytes += report_memory_term_bytes(&stage->held.memory, i);
    return sum_bytes;
}

/* Ranks that are drawn: all, or some with the first, the tight and the last. */
static bool is_drawn(const report_answer *a, int stage)
{
    const int step = (a->found.plan.pp + MOST_ROWS - 1) / MOST_ROWS;

    return stage % step == 0 || stage == a->found.plan.pp - 1 ||
           stage == a->found.tight_stage;
}

static int n_drawn(const report_answer *a)
{
    int n = 0;

    for (int i = 0; i < a->found.plan.pp; i++)
        n += is_drawn(a, i);
    return n;
}

/* Where a number of bytes ends, in percent of the width. */
static double place(const report_document *d, int64_t n_bytes)
{
    const int64_t peak_bytes = d->estimate->peak_bytes;
    const int64_t most_bytes = peak_bytes > d->cluster->gpu.memory_bytes
                                       ? peak_bytes
                                       : d->cluster->gpu.memory_bytes;

    return 100 * (double)n_bytes / (double)most_bytes;
}

static void put_stage_label(const report_document *d, const report_stage *stage,
        int y, p3d_text *out)
{
    const int64_t margin_bytes =
            d->estimate->found.usable_bytes - stage->peak_bytes;
    report_words name = REPORT_WORDS(report_say(out->style, "every GPU"));

    if (d->estimate->found.plan.pp > 1)
        name = REPORT_WORDS("stage %d", stage->number);
    html_add(out,
            "<text y=\"%d\"><tspan class=\"strong\">%s</tspan> %d layers"
            "</text>\n<text class=\"end\" x=\"100%%\" y=\"%d\">%s GiB, %s "
            "%s</text>\n",
            y, name.text, stage->held.n_layers, y,
            html_gib(stage->peak_bytes).text,
            html_gib(margin_bytes < 0 ? -margin_bytes : margin_bytes).text,
            report_say(out->style, margin_bytes < 0 ? "missing" : "free"));
}

/* What is usable, as a line across a bar. */
static void put_limit(const report_document *d, int from, int to, p3d_text *out)
{
    const double x = place(d, d->estimate->found.usable_bytes);

    html_add(out,
            "<line class=\"limit\" x1=\"%g%%\" x2=\"%g%%\" y1=\"%d\" "
            "y2=\"%d\"/>\n",
            x, x, from, to);
}

/* Where the words of a part appear, under the bars. */
static int hint_top(const report_answer *a)
{
    return TOP + n_drawn(a) * ROW;
}

/** A part of a bar: which, from where, how much. */
typedef struct piece {
    int part;
    int64_t from_bytes;
    int64_t n_bytes;
} piece;

static void put_piece(const report_document *d, const report_stage *stage,
        const piece *p, int y, p3d_text *out)
{
    const char *const name = report_say(out->style, parts[p->part].words);
    const report_words words =
            d->estimate->found.plan.pp > 1
                    ? REPORT_WORDS(
                              report_say(out->style, "stage %d, %s: %s GiB"),
                              stage->number, name, html_gib(p->n_bytes).text)
                    : REPORT_WORDS(report_say(out->style, "%s: %s GiB"), name,
                              html_gib(p->n_bytes).text);

    html_tip(out, false, words.text);
    html_add(out,
            "<rect class=\"%s\" x=\"%g%%\" y=\"%d\" width=\"%g%%\" "
            "height=\"%d\"/>",
            html_class(parts[p->part].colour), place(d, p->from_bytes), y,
            place(d, p->n_bytes), BAR);
    html_tip_end(out, hint_top(d->estimate), words.text);
}

static void put_stage(const report_document *d, const report_stage *stage,
        int row, p3d_text *out)
{
    const int y = TOP + row * ROW;
    piece p = {0};

    put_stage_label(d, stage, y + 12, out);
    html_add(out,
            "<rect class=\"track\" y=\"%d\" width=\"100%%\" height=\"%d\"/>\n",
            y + 18, BAR);
    for (; p.part < P3D_COUNT_OF(parts); p.part++) {
        p.n_bytes = part_bytes(stage, p.part);
        if (p.n_bytes > 0)
            put_piece(d, stage, &p, y + 18, out);
        p.from_bytes += p.n_bytes;
    }
    put_limit(d, y + 15, y + 21 + BAR, out);
}

static void put_figure(const report_document *d, p3d_text *out)
{
    const report_answer *const a = d->estimate;
    const double usable = place(d, a->found.usable_bytes);
    int row = 0;

    html_svg(out, "memory", hint_top(a) + HINT,
            "A bar for each pipeline stage: what the memory of one of its GPUs "
            "holds at the peak, against what is usable. The table below has "
            "the numbers.");
    for (int i = 0; i < a->found.plan.pp; i++)
        if (is_drawn(a, i))
            put_stage(d, &a->stages[i], row++, out);
    html_hint(out, hint_top(a), "Point at a part of a bar, or touch it.");
    put_limit(d, 4, 16, out);
    html_add(out,
            "<text class=\"end strong\" x=\"%g%%\" y=\"13\">usable %s GiB"
            "</text>\n",
            usable - 1, html_gib(a->found.usable_bytes).text);
    html_svg_end(out);
}

/* What the colours are, with the bytes of the tight stage. */
static void put_key(const report_answer *a, p3d_text *out)
{
    const report_stage *const tight = &a->stages[a->found.tight_stage];

    html_add(out, "<ul class=\"key\">\n");
    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        html_add(out,
                "<li><span class=\"swatch %s\"></span>%s <b>%s GiB</b></li>"
                "\n",
                html_class(parts[i].colour),
                report_say(out->style, parts[i].words),
                html_gib(part_bytes(tight, i)).text);
    html_add(out, "</ul>\n");
}

static void put_row(
        const report_answer *a, const char *words, int term, p3d_text *out)
{
    html_add(out, "<tr><th scope=\"row\">%s</th>",
            report_say(out->style, words));
    for (int i = 0; i < a->found.plan.pp; i++) {
        const report_stage *const s = &a->stages[i];

        html_add(out, "<td>%s</td>",
                html_gib(term < 0 ? s->peak_bytes
                                  : report_memory_term_bytes(
                                            &s->held.memory, term))
                        .text);
    }
    html_add(out, "</tr>\n");
}

static void put_table(const report_answer *a, p3d_text *out)
{
    p3d_text heads = {.style = out->style};

    report_add(&heads, "<GiB of each GPU");
    for (int i = 0; i < a->found.plan.pp; i++)
        p3d_text_add(&heads, "|stage %d", i);
    html_table(out, "Memory of every stage, by terms", p3d_text_get(&heads));
    for (int i = 0; i < REPORT_N_MEMORY_TERMS; i++) {
        /* What a compiler plans as one program has no context of its own. */
        if (i != P3D_TERM_context ||
                report_memory_term_bytes(&a->stages[0].held.memory, i) != 0)
            put_row(a, report_memory_terms[i].words, i, out);
    }
    put_row(a, "used on the GPU", -1, out);
    html_table_end(out);
    report_text_free(&heads, out);
}

void html_memory(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    const report_answer *const a = d->estimate;
    const report_stage *const tight = &a->stages[a->found.tight_stage];
    char title[4 * HTML_CELL];
    report_words where = REPORT_WORDS(report_say(out->style, "Every GPU"));

    if (a->found.plan.pp > 1)
        where = REPORT_WORDS("Stage %d", a->found.tight_stage);
    snprintf(title, sizeof(title),
            report_say(out->style,
                    a->margin_bytes < 0 ? "%s needs %s GiB, and %s are usable"
                    : a->found.plan.pp > 1
                            ? "%s is the fullest: %s of %s GiB usable"
                            : "%s holds %s of %s GiB usable"),
            where.text, html_gib(a->peak_bytes).text,
            html_gib(a->found.usable_bytes).text);
    html_section(out, "memory", "Memory per GPU", title);
    html_add(out, "<p class=\"quiet\">At the peak: %s%s</p>\n",
            report_say(out->style, p3d_pass_name(tight->held.pass)),
            tight->held.moment != NULL
                    ? REPORT_WORDS(report_say(out->style, " (%s)"),
                              report_say(out->style, tight->held.moment))
                              .text
                    : "");
    put_figure(d, out);
    put_key(a, out);
    if (n_drawn(a) < a->found.plan.pp)
        html_add(out,
                "<p class=\"quiet\">%d of %d stages are drawn; the table "
                "has all.</p>\n",
                n_drawn(a), a->found.plan.pp);
    put_table(a, out);
    html_section_end(out);
}
