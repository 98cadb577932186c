/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html_page.c - the whole page: its head, the figures, the document inside. */
#include <string.h>

#include "base/sha256.h"
#include "base/util.h"
#include "plan3d/version.h"
#include "report/html/html.h"

/* Lines of page.css and page.js. */
static const char *const style[] = {
#include "report/html/page.css.inc"
        NULL};

static const char *const script[] = {
#include "report/html/page.js.inc"
        NULL};

static void put_lines(const char *const *lines, p3d_text *out)
{
    for (; *lines != NULL; lines++)
        p3d_text_append(out, *lines, strlen(*lines));
}

/* What the policy of the page lets run: these bytes, and nothing else. */
static void put_digest(const char *const *lines, p3d_text *out)
{
    char digest[P3D_SHA256_TEXT];
    p3d_text text = {0};

    put_lines(lines, &text);
    p3d_sha256(p3d_text_get(&text), strlen(p3d_text_get(&text)), digest);
    p3d_text_add(out, "'sha256-%s'", digest);
    report_text_free(&text, out);
}

/* A name that got past html_escape() could neither run nor fetch anything. */
static void put_policy(p3d_text *out)
{
    p3d_text_add(out, "<meta http-equiv=\"Content-Security-Policy\" "
                      "content=\"default-src 'none'; style-src ");
    put_digest(style, out);
    p3d_text_add(out, "; script-src ");
    put_digest(script, out);
    p3d_text_add(out, "; base-uri 'none'; form-action 'none'\">\n");
}

static void put_head(const report_document *d, p3d_text *out)
{
    static const char *const names[P3D_N_LANGS] = {"en", "zh-CN"};

    html_add(out,
            "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n"
            "<meta charset=\"utf-8\">\n",
            names[out->style.lang]);
    put_policy(out);
    html_add(out,
            "<meta name=\"viewport\" content=\"width=device-width, "
            "initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta name=\"generator\" content=\"plan3d %s\">\n"
            "<title>%s on %s</title>\n<style>",
            P3D_VERSION, d->model->name, d->cluster->name);
    put_lines(style, out);
    html_add(out, "</style>\n</head>\n<body>\n");
}

/* Inside of a script no '<' may stand, and JSON has them in strings alone. */
static void put_document(const report_page *page, p3d_text *out)
{
    p3d_text json = {0};
    json_writer writer = {.out = &json, .one_line = true};
    const char *at;

    json_put_object(&writer, NULL, &report_page_shape, page);
    html_add(out, "<script type=\"application/json\" id=\"plan3d\">");
    for (at = p3d_text_get(&json); *at != '\0';) {
        const size_t n = strcspn(at, "<");

        p3d_text_append(out, at, n);
        at += n;
        if (*at == '<') {
            p3d_text_append(out, "\\u003c", 6);
            at++;
        }
    }
    html_add(out, "</script>\n");
    report_text_free(&json, out);
}

static void put_foot(const report_page *page, p3d_text *out)
{
    html_add(out,
            "</main>\n<footer>\n<p>Made by plan3d %s without a measurement of "
            "this job: believe the order of plans more than the seconds. This "
            "file holds the question and the answer; <code>plan3d import "
            "plan.html</code> reads it.</p>\n</footer>\n",
            P3D_VERSION);
    put_document(page, out);
    html_add(out, "<script>");
    put_lines(script, out);
    html_add(out, "</script>\n</body>\n</html>\n");
}

/** The sections in the order of the page: what a reader asks first comes first.
 *  A function that has nothing to show prints nothing. */
static const struct {
    const char *id;
    const char *words; /* in the contents */
    void (*put)(const report_page *page, p3d_text *out);
} sections[] = {{"changes", "What helps", html_remedies},
        {"plans", "Plans", html_plans}, {"memory", "Memory", html_memory},
        {"step", "Time of a step", html_step},
        {"front", "Speed against memory", html_front},
        {"grid", "Tensor against pipeline", html_grid},
        {"pipeline", "The step in time", html_pipeline},
        {"ranks", "Which ranks talk", html_ranks},
        {"scaling", "More and fewer GPUs", html_scaling},
        {"swings", "How sure the step is", html_swings},
        {"proof", "Search and proof", html_proof},
        {"launches", "Launch files", html_launches},
        {"basis", "What it rests on", html_basis}};

/* The contents name the sections that are there. */
static void put_sections(const report_page *page, p3d_text *out)
{
    p3d_text body = {.style = out->style};

    html_add(out, "<nav id=\"contents\" aria-label=\"Contents\"><ul>\n");
    for (int i = 0; i < P3D_COUNT_OF(sections); i++) {
        const size_t before = body.length;

        sections[i].put(page, &body);
        if (body.length > before)
            html_add(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
                    report_say(out->style, sections[i].words));
    }
    html_add(out, "</ul></nav>\n");
    p3d_text_append(out, p3d_text_get(&body), body.length);
    report_text_free(&body, out);
}

bool report_page_print(const report_page *page, p3d_text *out, p3d_error *err)
{
    put_head(page->document, out);
    html_add(out, "<a class=\"skip\" href=\"#contents\">To the contents</a>\n"
                  "<button type=\"button\" id=\"theme\" hidden>Dark</button>\n"
                  "<main>\n");
    html_verdict(page, out);
    put_sections(page, out);
    put_foot(page, out);
    return !out->failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}
