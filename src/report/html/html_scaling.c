/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_scaling.c - the same job on fewer and on more GPUs. */
#include <math.h>
#include <stdio.h>

#include "base/elementary.h"
#include "base/number.h"
#include "report/html/html.h"
#include "report/text/text.h"

enum { HEIGHT = 260, TOP = 44, BOTTOM = 50 };

static const report_scale *scale_at(const report_page *page, int i)
{
    return (const report_scale *)page->scales.items + i;
}

/* The smallest and the largest cluster on which it fits; -1 = none. */
static int first_that_fits(const report_page *page)
{
    for (int i = 0; i < page->scales.n; i++)
        if (scale_at(page, i)->fits)
            return i;
    return -1;
}

static int last_that_fits(const report_page *page)
{
    for (int i = page->scales.n - 1; i >= 0; i--)
        if (scale_at(page, i)->fits)
            return i;
    return -1;
}

/** Where things are drawn: a column a cluster, the logarithm of the speed. */
typedef struct plane {
    const report_page *page;
    double low, high; /* of log2 tokens/s */
} plane;

static double x_of(const plane *p, int i)
{
    return 100.0 * (i + 0.5) / p->page->scales.n;
}

static double y_of(const plane *p, double tokens_per_s)
{
    return HEIGHT - BOTTOM -
           (HEIGHT - TOP - BOTTOM) * (p3d_log2(tokens_per_s) - p->low) /
                   (p->high - p->low);
}

/* The speed of as many GPUs that are all as fast as those of the smallest. */
static double ideal(const plane *p, int i)
{
    const report_scale *const first =
            scale_at(p->page, first_that_fits(p->page));

    return first->tokens_per_s * scale_at(p->page, i)->n_gpus / first->n_gpus;
}

static plane plane_of(const report_page *page)
{
    const report_scale *const first = scale_at(page, first_that_fits(page));
    const report_scale *const last = scale_at(page, last_that_fits(page));
    plane p = {.page = page};

    p.low = p3d_log2(first->tokens_per_s);
    p.high = p3d_log2(fmax(last->tokens_per_s,
            first->tokens_per_s * last->n_gpus / first->n_gpus));
    if (p.high < p.low + 1)
        p.high = p.low + 1;
    return p;
}

static void put_scale(const plane *p, int i, p3d_text *out)
{
    const report_scale *const s = scale_at(p->page, i);
    const double x = x_of(p, i);

    html_add(out,
            "<text class=\"mid strong\" x=\"%g%%\" y=\"%d\">%d<tspan "
            "class=\"share\">%s</tspan></text>\n",
            x, HEIGHT - 28, s->n_gpus,
            report_say(out->style, s->n_gpus == 1 ? " GPU" : " GPUs"));
    if (!s->fits) {
        html_add(out,
                "<text class=\"mid quiet\" x=\"%g%%\" y=\"%d\">%s</text>\n", x,
                HEIGHT - 12,
                report_say(out->style, s->legal ? "too small" : "no plan"));
        return;
    }
    html_add(out,
            "<circle class=\"own\" cx=\"%g%%\" cy=\"%g\" r=\"5\"/>\n"
            "<text class=\"mid halo\" x=\"%g%%\" y=\"%g\">%s</text>\n"
            "<text class=\"mid quiet\" x=\"%g%%\" y=\"%d\">%s</text>\n",
            x, y_of(p, s->tokens_per_s), x, y_of(p, s->tokens_per_s) - 14,
            report_three_words(s->tokens_per_s).text, x, HEIGHT - 12,
            html_percent(out->style, s->efficiency_frac).text);
}

static void put_lines(const plane *p, p3d_text *out)
{
    int last = -1;

    for (int i = 0; i < p->page->scales.n; i++) {
        if (!scale_at(p->page, i)->fits)
            continue;
        if (last >= 0)
            html_add(out,
                    "<line class=\"ideal\" x1=\"%g%%\" y1=\"%g\" x2=\"%g%%\" "
                    "y2=\"%g\"/><line class=\"line\" x1=\"%g%%\" y1=\"%g\" "
                    "x2=\"%g%%\" y2=\"%g\"/>\n",
                    x_of(p, last), y_of(p, ideal(p, last)), x_of(p, i),
                    y_of(p, ideal(p, i)), x_of(p, last),
                    y_of(p, scale_at(p->page, last)->tokens_per_s), x_of(p, i),
                    y_of(p, scale_at(p->page, i)->tokens_per_s));
        last = i;
    }
}

static void put_figure(const report_page *page, p3d_text *out)
{
    const plane p = plane_of(page);

    html_svg(out, "scaling", HEIGHT,
            "Tokens per second of the best plan against the number of GPUs, "
            "both on logarithmic scales; dashed: as if each GPU stayed as fast "
            "as on the smallest cluster. The table below has the numbers.");
    html_add(out,
            "<text class=\"quiet\" y=\"12\">tokens/s</text>\n"
            "<line class=\"grid\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n",
            HEIGHT - BOTTOM + 6, HEIGHT - BOTTOM + 6);
    put_lines(&p, out);
    for (int i = 0; i < page->scales.n; i++)
        put_scale(&p, i, out);
    html_svg_end(out);
}

/* Money of the whole training, or of a billion tokens. */
static report_words cost_words(const report_scale *s, p3d_style style)
{
    if (s->training_usd > 0)
        return REPORT_WORDS(report_say(style, "%s USD"),
                report_brief_words(
                        s->training_usd, s->low_usd, s->high_usd, style)
                        .text);
    return report_known_words(s->billion_tokens_usd > 0,
            report_say(style, "%s USD / 1B tokens"),
            report_brief_words(s->billion_tokens_usd, s->low_billion_usd,
                    s->high_billion_usd, style)
                    .text);
}

static void put_row(const report_scale *s, p3d_text *out)
{
    char words[REPORT_PLAN + JSON_LINE];

    snprintf(words, sizeof(words), "%s",
            s->legal ? s->words : report_say_made(out->style, s->reason).text);
    if (!s->fits && s->missing_bytes > 0)
        snprintf(words, sizeof(words),
                report_say(out->style, "misses %s GiB: %s"),
                html_gib(s->missing_bytes).text, s->words);
    html_row(out,
            (const char *const[]){REPORT_WORDS("%d", s->n_gpus).text,
                    s->fits ? report_step_words(s->step_s).text : "-",
                    s->fits ? report_three_words(s->tokens_per_s).text : "-",
                    s->fits ? html_percent(out->style, s->efficiency_frac).text
                            : "-",
                    s->training_s > 0
                            ? report_brief_words(report_days(s->training_s),
                                      report_days(s->low_s),
                                      report_days(s->high_s), out->style)
                                      .text
                            : "-",
                    cost_words(s, out->style).text, words, NULL});
}

static void put_table(const report_page *page, p3d_text *out)
{
    html_table(out, "Other numbers of GPUs, with their plans",
            "<GPUs|step|tokens/s|per GPU|days|cost|<plan");
    for (int i = 0; i < page->scales.n; i++)
        put_row(scale_at(page, i), out);
    html_table_end(out);
}

static void print_title(
        const report_page *page, p3d_style style, char *title, size_t n)
{
    const report_scale *const first = scale_at(page, first_that_fits(page));
    const report_scale *const last = scale_at(page, last_that_fits(page));
    const double times = last->tokens_per_s / first->tokens_per_s;

    if (first == last)
        snprintf(title, n,
                report_say(style, "Of these clusters it fits on %d GPUs alone"),
                first->n_gpus);
    else
        snprintf(title, n,
                report_say(style, "%d GPUs train %s times as fast as %d"),
                last->n_gpus, report_three_words(times).text, first->n_gpus);
}

void html_scaling(const report_page *page, p3d_text *out)
{
    char title[2 * HTML_CELL] = "It fits on none of these clusters";

    if (first_that_fits(page) >= 0)
        print_title(page, out->style, title, sizeof(title));
    html_fold(out, "scaling", "More and fewer GPUs, the same batch", title);
    if (first_that_fits(page) >= 0) {
        put_figure(page, out);
        html_add(out,
                "<p class=\"quiet\">In percent: the speed of each GPU "
                "against that of one GPU on the asked cluster. Each point "
                "is the best plan there, of an exact search.</p>\n");
    }
    put_table(page, out);
    html_fold_end(out);
}
