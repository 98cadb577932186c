/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.c - the table of well-formed UTF-8, and printable copies. */
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

static bool is_between(unsigned char byte, unsigned low, unsigned high)
{
    return low <= byte && byte <= high;
}

/* The rows of RFC 3629 section 4: a first byte fixes the length and the range
 * of the second byte; the others are 80..BF. */
int p3d_utf8_length(const char *at, size_t n)
{
    /* clang-format off */
    static const struct {
        unsigned char first, last, low, high;
        int length;
    } rows[] = {
        {0x00, 0x7f, 0,    0,    1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    /* clang-format on */
    int row = 0;

    if (n == 0)
        return 0;
    while (row < P3D_COUNT_OF(rows) &&
            !is_between((unsigned char)at[0], rows[row].first, rows[row].last))
        row++;
    if (row == P3D_COUNT_OF(rows) || n < (size_t)rows[row].length)
        return 0;
    for (int i = 1; i < rows[row].length; i++) {
        const unsigned low = i == 1 ? rows[row].low : 0x80;
        const unsigned high = i == 1 ? rows[row].high : 0xbf;

        if (!is_between((unsigned char)at[i], low, high))
            return 0;
    }
    return rows[row].length;
}

int p3d_utf8_count(const char *text)
{
    size_t left = strlen(text);
    int n = 0;

    for (; left > 0; n++) {
        const int length = p3d_utf8_length(text, left);
        const size_t taken = length > 0 ? (size_t)length : 1;

        text += taken;
        left -= taken;
    }
    return n;
}

/* One printable piece for the character at `from`; returns its bytes in from.
 * U+0080..U+009F are control characters too (U+0085 ends a line). */
static size_t show_one(const char *from, size_t n, char piece[8])
{
    const int length = p3d_utf8_length(from, n);
    const unsigned char byte = (unsigned char)from[0];
    const bool is_c1 = length == 2 && byte == 0xc2 &&
                       is_between((unsigned char)from[1], 0x80, 0x9f);

    if (byte == '\n' || byte == '\r' || byte == '\t') {
        static const char letters[] = "tn??r"; /* for 9 .. 13 */

        snprintf(piece, 8, "\\%c", letters[byte - '\t']);
        return 1;
    }
    if (length == 0 || byte < 0x20 || byte == 0x7f || is_c1) {
        snprintf(piece, 8, "\\x%02x", byte);
        return 1;
    }
    memcpy(piece, from, (size_t)length);
    piece[length] = '\0';
    return (size_t)length;
}

bool p3d_show(char *to, size_t n, const char *from)
{
    static const char dots[] = "...";
    size_t left = strlen(from);
    size_t used = 0;
    size_t safe = 0; /* where the dots still fit */

    P3D_ASSERT(n >= sizeof(dots));
    while (left > 0) {
        char piece[8];
        const size_t taken = show_one(from, left, piece);
        const size_t length = strlen(piece);

        if (used + length >= n) {
            memcpy(to + safe, dots, sizeof(dots));
            return false;
        }
        memcpy(to + used, piece, length);
        used += length;
        if (used + sizeof(dots) <= n)
            safe = used;
        from += taken;
        left -= taken;
    }
    to[used] = '\0';
    return true;
}
