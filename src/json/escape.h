/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.h - the backslash escapes of JSON strings. */
#ifndef PLAN3D_JSON_ESCAPE_H
#define PLAN3D_JSON_ESCAPE_H

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
