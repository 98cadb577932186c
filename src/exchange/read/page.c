/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.c - reads the question back from a page of plan3d report. */
#include "exchange/read/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

static const char page_mark[] = "<!DOCTYPE html>";
static const char begin_mark[] =
        "<script type=\"application/json\" id=\"plan3d\">";
static const char end_mark[] = "</script>";

bool exchange_page_is(const char *text)
{
    return strncmp(text, page_mark, sizeof(page_mark) - 1) == 0 ||
           strstr(text, begin_mark) != NULL;
}

/* The document alone, at the lines and columns where the page has it. */
static char *cut_document(
        const char *path, const char *text, size_t *n, p3d_error *err)
{
    const char *const mark = strstr(text, begin_mark);
    const char *const begin = mark != NULL ? mark + sizeof(begin_mark) - 1 : "";
    const char *const end = strstr(begin, end_mark);
    char *copy;

    if (end == NULL) {
        p3d_fail(err, P3D_DATA,
                mark == NULL ? "%.200s: no document of plan3d report in it; if "
                               "the page was cut, make it again"
                             : "%.200s: its document has no end, the page was "
                               "cut; make it again",
                path);
        return NULL;
    }
    *n = (size_t)(end - text);
    copy = malloc(*n + 1);
    if (copy == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < (size_t)(begin - text); i++)
        copy[i] = text[i] == '\n' ? '\n' : ' ';
    memcpy(copy + (begin - text), begin, (size_t)(end - begin));
    copy[*n] = '\0';
    return copy;
}

/* A member of "origin": a string, or absent or null where it may be. */
static bool read_text(const json_doc *doc, const char *key, bool required,
        const char **out, p3d_error *err)
{
    const json_value *const value =
            json_get(json_get(doc->root, "origin"), key);
    char pointer[64];

    snprintf(pointer, sizeof(pointer), "/origin/%s", key);
    if (value == NULL && required)
        return json_fail(
                doc, pointer, err, "'%s' is missing; make the page again", key);
    if (value != NULL && !json_is_string(value))
        return json_fail(doc, pointer, err, "'%s' is not a string", key);
    if (value != NULL)
        *out = json_string(value);
    return true;
}

static bool read_option(const json_doc *doc, const json_value *option,
        exchange_page *page, p3d_error *err)
{
    const json_value *const name = json_get(option, "name");
    const json_value *const value = json_get(option, "value");

    if (json_string(name)[0] == '\0' ||
            (value != NULL && !json_is_string(value)) ||
            page->n_options == EXCHANGE_MAX_OPTIONS)
        return json_fail(doc, "/origin/options", err,
                "not a list of options; make the page again");
    page->options[page->n_options].name = json_string(name);
    page->options[page->n_options++].value =
            value != NULL ? json_string(value) : NULL;
    return true;
}

static bool read_origin(exchange_page *page, p3d_error *err)
{
    const json_doc *const doc = &page->doc;
    const json_value *const options =
            json_get(json_get(doc->root, "origin"), "options");
    const struct {
        const char *key;
        bool required;
        const char **out;
    } rows[] = {{"model", true, &page->model},
            {"model_text", false, &page->model_text},
            {"cluster", true, &page->cluster},
            {"cluster_text", false, &page->cluster_text},
            {"calibration_text", false, &page->calibration_text},
            {"plan", true, &page->plan}};

    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        if (!read_text(doc, rows[i].key, rows[i].required, rows[i].out, err))
            return false;
    if (!json_is_array(options))
        return json_fail(doc, "/origin/options", err,
                "not a list of options; make the page again");
    for (const json_value *o = json_first(options); o != NULL; o = json_next(o))
        if (!read_option(doc, o, page, err))
            return false;
    return true;
}

bool exchange_page_read(
        const char *path, const char *text, exchange_page *out, p3d_error *err)
{
    exchange_page page = {.model = NULL};
    size_t n;
    char *const document = cut_document(path, text, &n, err);
    bool ok;

    if (document == NULL)
        return false;
    ok = json_parse(path, document, n, &page.doc, err) &&
         read_origin(&page, err);
    free(document);
    if (ok)
        *out = page;
    else
        exchange_page_free(&page);
    return ok;
}

void exchange_page_free(exchange_page *page)
{
    json_close(&page->doc);
    *page = (exchange_page){.model = NULL};
}
