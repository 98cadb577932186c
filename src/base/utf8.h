/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - valid UTF-8, and foreign text made fit for one line of a message. */
#ifndef PLAN3D_BASE_UTF8_H
#define PLAN3D_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/** Bytes of the character that starts at `at` (1 to 4) by RFC 3629, or 0 where
 *  the n bytes that are left do not start with a valid one. */
int p3d_utf8_length(const char *at, size_t n);

/** Characters of a text; bytes that are not UTF-8 count as one each. */
int p3d_utf8_count(const char *text);

/**
 * Copy a text so that it is one printable line: control characters and bytes
 * that are not UTF-8 become \n, \t, \r or \x1b. What does not fit is cut
 * between characters and ends in "...".
 *
 * @param n  size of the buffer, >= 4
 * @return false when it had to be cut
 */
bool p3d_show(char *to, size_t n, const char *from);

#endif
