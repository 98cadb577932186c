/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - valid UTF-8, and foreign text made fit for one line of a message. */
#ifndef PLAN3D_BASE_UTF8_H
#define PLAN3D_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of the character that starts at `at` (1 to 4) by RFC 3629, or 0 where
 *  the n bytes that are left do not start with a valid one. */
int p3d_utf8_length(const char *at, size_t n);

/** The code point of the well-formed character of these many bytes. */
uint32_t p3d_utf8_code(const char *at, int length);

/**
 * What decides everywhere whether a character may go out as it is. False for
 * those that do not show but act: controls (C0, DEL, C1), ends of lines that
 * YAML, JavaScript and terminals know (U+0085, U+2028, U+2029), marks that turn
 * the direction of text, the byte order mark, annotations, tags, noncharacters.
 */
bool p3d_prints(uint32_t code);

/** As p3d_utf8_length(), and 0 where the character does not print. */
int p3d_utf8_printable(const char *at, size_t n);

/** True for a character that takes two columns of a terminal: of Chinese,
 *  Japanese and Korean, with their full-width punctuation. */
bool p3d_is_wide(uint32_t code);

/** Columns that the first n bytes of a text take; bytes that are not UTF-8
 *  take one each. */
int p3d_utf8_columns(const char *text, size_t n);

/** True when a text has such a character. */
bool p3d_utf8_has_wide(const char *text);

/** Room for one character that p3d_show_one() writes, with its NUL. */
enum { P3D_SHOWN = 12 };

/** Write the character that begins the n >= 1 bytes so that it prints, as
 *  p3d_show() does. @return how many bytes of `from` it is */
size_t p3d_show_one(const char *from, size_t n, char piece[P3D_SHOWN]);

/**
 * Copy a text so that it is one printable line: characters that do not print
 * become \n, \t, \r, \x1b or \u2028, bytes that are not UTF-8 \xff. What does
 * not fit is cut between characters and ends in "...".
 *
 * @param n  size of the buffer, >= 4
 * @return false when it had to be cut
 */
bool p3d_show(char *to, size_t n, const char *from);

#endif
