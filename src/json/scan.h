/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the strict grammar of JSON, checked before cJSON sees the text. */
#ifndef PLAN3D_JSON_SCAN_H
#define PLAN3D_JSON_SCAN_H

#include <stddef.h>

#include "plan3d/error.h"

enum { JSON_MAX_DEPTH = 64, JSON_MAX_BYTES = 8 << 20 };

/* The text ends in a NUL and contains no other one, so that the character at
 * `at` may always be looked at. */
typedef struct json_scanner {
    const char *file; /* for messages */
    const char *text;
    const char *at;
    const char *end;
    int depth;
    p3d_error *err;
} json_scanner;

/** Fail at a place of the text. @return false */
bool json_refuse(json_scanner *s, const char *where, const char *fmt, ...)
        P3D_PRINTF(3, 4);

/** What stands at `at`, for a message: a word, or one character. @return buffer
 */
const char *json_show_here(
        const json_scanner *s, const char *at, char *buffer, size_t n);

/** Move behind the string or number that begins at s->at. */
P3D_CHECK bool json_scan_string(json_scanner *s);
P3D_CHECK bool json_scan_number(json_scanner *s);

/**
 * Check that a text is one JSON document as json_parse() promises, but for
 * duplicate keys.
 *
 * @param file  name for messages
 * @param text  text[length] is NUL
 */
P3D_CHECK bool json_scan(
        const char *file, const char *text, size_t length, p3d_error *err);

#endif
