/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the strict grammar of JSON, checked before cJSON sees the text. */
#ifndef PLAN3D_JSON_SCAN_H
#define PLAN3D_JSON_SCAN_H

#include <stddef.h>

#include "plan3d/error.h"

enum { JSON_MAX_DEPTH = 64, JSON_MAX_BYTES = 8 << 20 };

/**
 * Check that a text is one JSON document as json_parse() promises, but for
 * duplicate keys.
 *
 * @param file  name for messages
 * @param text  text[length] is NUL
 */
P3D_CHECK bool json_scan(
        const char *file, const char *text, size_t length, p3d_error *err);

/** The value of four hexadecimal digits, or -1. */
int json_hex4(const char *at);

/**
 * Decode what stands at *at inside a valid string: an escape gives its
 * character, anything else one byte.
 *
 * @param at   moved behind it
 * @param out  1 to 4 bytes of UTF-8
 * @return number of bytes
 */
int json_unescape(const char **at, char out[4]);

#endif
