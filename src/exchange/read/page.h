/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - reads the question back from a page of plan3d report. */
#ifndef PLAN3D_EXCHANGE_READ_PAGE_H
#define PLAN3D_EXCHANGE_READ_PAGE_H

#include "json/json.h"

enum { EXCHANGE_MAX_OPTIONS = 64 };

/** The question of a page: words of a command line, and the files that they
 *  name. The words live as long as the page; a text is NULL where the page has
 *  none. Zero to begin. */
typedef struct exchange_page {
    const char *model;
    const char *model_text;
    const char *cluster;
    const char *cluster_text;
    const char *calibration_text;
    const char *plan;
    int n_options;
    struct {
        const char *name;
        const char *value; /* NULL = a flag */
    } options[EXCHANGE_MAX_OPTIONS];
    json_doc doc; /* storage of all of it */
} exchange_page;

/** True for a text that holds a page, whatever the name of its file. */
bool exchange_page_is(const char *text);

/**
 * Read a page.
 *
 * @param path  for messages, whose lines are those of the page
 * @param out   free with exchange_page_free(); untouched on failure
 * @return false with P3D_DATA (what is wrong with it) or P3D_SYSTEM
 */
P3D_CHECK bool exchange_page_read(
        const char *path, const char *text, exchange_page *out, p3d_error *err);

/** Accepts a zero page. */
void exchange_page_free(exchange_page *page);

#endif
