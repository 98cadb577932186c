/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_plans.c - the plans to choose from, side by side; and what would make
 * the job fit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/html/html.h"
#include "report/text/spans.h"
#include "report/text/text.h"

enum { MOST_PLANS = 5 };

/** What makes one of the plans worth a look. */
typedef enum role { OWN, RECOMMENDED, FASTEST, ROOMIEST, USUAL } role;

/** A column. */
typedef struct choice {
    role role;
    const char *id;
    const char *name;
    const report_answer *answer;
} choice;

/** The columns; the first but OWN is the recommended one. */
typedef struct choices {
    const report_document *document;
    p3d_style style;
    int n;
    choice at[MOST_PLANS];
} choices;

static bool is_same(const report_answer *a, const report_answer *b)
{
    return strcmp(a->words, b->words) == 0;
}

/* The plan of --plan, unless it is one of the others. */
static choices collect(const report_document *d, p3d_style style)
{
    const choice all[] = {{OWN, "plan-own", "This page", d->estimate},
            {RECOMMENDED, "plan-recommended", "Recommended", d->recommended},
            {FASTEST, "plan-fastest", "Fastest", d->fastest},
            {ROOMIEST, "plan-roomiest", "Roomiest", d->roomiest},
            {USUAL, "plan-usual", "Usual", d->usual}};
    const int last = d->usual != NULL ? USUAL : ROOMIEST;
    choices c = {.document = d, .style = style};
    bool is_own = true;

    for (int i = RECOMMENDED; i <= last; i++)
        is_own = is_own && !is_same(d->estimate, all[i].answer);
    for (int i = is_own ? OWN : RECOMMENDED; i <= last; i++)
        c.at[c.n++] = all[i];
    return c;
}

static report_words step_words(const choices *c, const choice *at)
{
    const report_clock unit = report_clock_for(at->answer->step_s);

    (void)c;
    return REPORT_WORDS(
            "%s %s", report_step_span(at->answer).value.text, unit.word);
}

static report_words free_words(const choices *c, const choice *at)
{
    (void)c;
    return REPORT_WORDS("%.1f GiB", report_gib(at->answer->free_bytes));
}

static report_words sure_words(const choices *c, const choice *at)
{
    return report_sure_words(at->answer->fit_probability_frac, c->style);
}

static report_words departures_words(const choices *c, const choice *at)
{
    const int n = report_n_departures(c->document, at->answer);

    return n > 0 ? REPORT_WORDS("%d", n)
                 : REPORT_WORDS(report_say(c->style, "none"));
}

static report_words gain_words(const choices *c, const choice *at)
{
    const report_answer *const first = c->document->recommended;

    if (is_same(at->answer, first))
        return c->document->recommended->verdict == P3D_VERDICT_BARELY
                       ? REPORT_WORDS(report_say(c->style, "the surest to fit"))
                       : REPORT_WORDS(report_say(
                                 c->style, "sure, and the simplest"));
    if (at->role == ROOMIEST)
        return REPORT_WORDS(report_say(c->style, "%.1f GiB more free, %s"),
                report_gib(at->answer->free_bytes - first->free_bytes),
                report_pace_words(
                        at->answer->step_s / first->step_s - 1, c->style)
                        .text);
    return report_pace_words(at->answer->step_s / first->step_s - 1, c->style);
}

static report_words risk_words(const choices *c, const choice *at)
{
    const double fails_frac = 1 - at->answer->fit_probability_frac;
    const int n = report_n_departures(c->document, at->answer);

    if (!at->answer->found.fits)
        return REPORT_WORDS(report_say(c->style, "does not fit"));
    if (at->answer->verdict == P3D_VERDICT_BARELY)
        return REPORT_WORDS(report_say(c->style, "%.0f %% out of memory"),
                100 * fails_frac);
    if (n == 1)
        return REPORT_WORDS(report_say(c->style, "1 setting to test"));
    return n > 0 ? REPORT_WORDS(report_say(c->style, "%d settings to test"), n)
                 : REPORT_WORDS(report_say(c->style, "none of its own"));
}

static bool is_sure(const choice *at)
{
    return at->answer->verdict == P3D_VERDICT_FITS;
}

static void put_table(const choices *c, p3d_text *out)
{
    static const struct {
        const char *head;
        report_words (*words)(const choices *c, const choice *at);
        bool warns; /* where the plan is not sure to fit */
    } rows[] = {{"step", step_words, false}, {"memory free", free_words, true},
            {"to fit", sure_words, true},
            {"unusual settings", departures_words, false},
            {"gain", gain_words, false}, {"risk", risk_words, true}};

    html_add(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"Plans side by side\">\n"
                  "<table class=\"choices\"><thead><tr><td></td>");
    for (int i = 0; i < c->n; i++)
        html_add(out, "<th scope=\"col\">%s</th>",
                report_say(out->style, c->at[i].name));
    html_add(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        html_add(out, "<tr><th scope=\"row\">%s</th>",
                report_say(out->style, rows[i].head));
        for (int k = 0; k < c->n; k++)
            html_add(out,
                    rows[i].warns && !is_sure(&c->at[k])
                            ? "<td class=\"risk\">%s</td>"
                            : "<td>%s</td>",
                    rows[i].words(c, &c->at[k]).text);
        html_add(out, "</tr>\n");
    }
    html_add(out, "</tbody></table></div>\n");
}

/* An earlier column with the same plan; NULL = none. */
static const choice *earlier(const choices *c, int i)
{
    for (int k = 0; k < i; k++)
        if (is_same(c->at[k].answer, c->at[i].answer))
            return &c->at[k];
    return NULL;
}

/* Each plan as --plan reads it, and in what it departs. */
static void put_strings(const choices *c, p3d_text *out)
{
    html_add(out, "<dl class=\"strings\">\n");
    for (int i = 0; i < c->n; i++) {
        const choice *const same = earlier(c, i);

        html_add(out, "<dt>%s</dt><dd>", report_say(out->style, c->at[i].name));
        if (same != NULL) {
            html_add(out, "the same plan: %s",
                    report_say(out->style, same->name));
        } else {
            html_copied(out, c->at[i].id, c->at[i].answer->words);
            if (c->at[i].answer->departures[0] != '\0')
                html_add(out, "<br><span class=\"quiet\">unusual: %s</span>",
                        report_departures_words(
                                c->document, c->at[i].answer, out->style)
                                .text);
        }
        html_add(out, "</dd>\n");
    }
    html_add(out, "</dl>\n");
}

static void print_title(const choices *c, char *title, size_t n)
{
    const report_document *const d = c->document;
    const double faster_frac = 1 - d->fastest->step_s / d->recommended->step_s;

    if (c->at[0].role == OWN)
        snprintf(title, n,
                report_say(c->style,
                        "The recommended plan takes %s per step, this one %s"),
                step_words(c, &c->at[1]).text, step_words(c, &c->at[0]).text);
    else if (!is_same(d->fastest, d->recommended))
        snprintf(title, n,
                report_say(c->style, "The fastest plan is %.1f %% faster on "
                                     "paper and %s to fit"),
                100 * faster_frac,
                report_sure_words(d->fastest->fit_probability_frac, c->style)
                        .text);
    else if (!is_same(d->roomiest, d->recommended))
        snprintf(title, n,
                report_say(c->style, "The recommended plan is also the "
                                     "fastest; the roomiest leaves "
                                     "%.1f GiB free"),
                report_gib(d->roomiest->free_bytes));
    else
        snprintf(title, n,
                report_say(c->style, "The recommended plan is also the fastest "
                                     "and the roomiest"));
}

void html_plans(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char title[3 * HTML_CELL];
    choices c;

    if (d->recommended == NULL)
        return;
    c = collect(d, out->style);
    print_title(&c, title, sizeof(title));
    html_section(out, "plans", "Plans to choose from", title);
    put_table(&c, out);
    put_strings(&c, out);
    html_add(out, "<p class=\"quiet\">A setting is unusual where the framework "
                  "does not choose it by itself; gains are against the "
                  "recommended plan.</p>\n");
    html_section_end(out);
}

static void put_remedy(const p3d_remedy *c, p3d_text *out)
{
    const p3d_estimate *const e = &c->estimate;

    html_add(out,
            "<li><b>%s</b><br>%s per step, %s tokens/s per GPU, %s of %s GiB "
            "per GPU<br><span class=\"quiet\">%s</span></li>\n",
            report_say_made(out->style, c->words).text,
            report_step_words(p3d_time_step_s(&e->time)).text,
            report_three_words(report_remedy_rate(c)).text,
            html_gib(p3d_memory_device_bytes(&e->memory)).text,
            html_gib(e->usable_bytes).text,
            report_short_plan(&e->plan, out->style).text);
}

void html_remedies(const report_page *page, p3d_text *out)
{
    const report_document *const d = page->document;
    char title[HTML_CELL];

    if (d->best != NULL)
        return;
    snprintf(title, sizeof(title),
            report_say(out->style, d->changes.n == 1
                                           ? "%d change makes it fit"
                                           : "%d changes make it fit, cheapest "
                                             "first"),
            d->changes.n);
    html_section(out, "changes", "What helps",
            d->changes.n > 0 ? title : "No single change makes it fit");
    html_add(out, "<ol class=\"changes\">\n");
    for (int i = 0; i < d->changes.n; i++)
        put_remedy(&d->remedy_items[i], out);
    html_add(out, "</ol>\n");
    if (d->smallest_cluster_gpus > 0)
        html_add(out,
                "<p>The smallest cluster found on which it fits has %d GPUs of "
                "this type.</p>\n",
                d->smallest_cluster_gpus);
    html_section_end(out);
}
