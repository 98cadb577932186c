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

/* The blocks of Unicode whose East_Asian_Width is W or F. */
bool p3d_is_wide(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } blocks[] = {
            {0x1100, 0x115f},   /* Hangul Jamo */
            {0x2e80, 0x303e},   /* radicals, punctuation of CJK */
            {0x3041, 0xa4cf},   /* kana, ideographs, Yi */
            {0xac00, 0xd7a3},   /* Hangul */
            {0xf900, 0xfaff},   /* compatible ideographs */
            {0xfe30, 0xfe6f},   /* vertical and small forms */
            {0xff01, 0xff60},   /* full-width forms */
            {0xffe0, 0xffe6},   /* full-width signs */
            {0x20000, 0x3fffd}, /* further ideographs */
    };

    for (int i = 0; i < P3D_COUNT_OF(blocks); i++)
        if (blocks[i].first <= code && code <= blocks[i].last)
            return true;
    return false;
}

int p3d_utf8_columns(const char *text, size_t n)
{
    int columns = 0;

    while (n > 0) {
        const int length = p3d_utf8_length(text, n);
        const size_t taken = length > 0 ? (size_t)length : 1;

        columns++;
        columns += length > 1 && p3d_is_wide(p3d_utf8_code(text, length));
        text += taken;
        n -= taken;
    }
    return columns;
}

bool p3d_utf8_has_wide(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const int length = p3d_utf8_length(text, left);
        const size_t taken = length > 0 ? (size_t)length : 1;

        if (length > 1 && p3d_is_wide(p3d_utf8_code(text, length)))
            return true;
        text += taken;
        left -= taken;
    }
    return false;
}

uint32_t p3d_utf8_code(const char *at, int length)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)at[0] & first_bits[length];

    for (int i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)at[i] & 0x3f);
    return code;
}

bool p3d_prints(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } acts[] = {
            {0x0000, 0x001f},   /* C0 */
            {0x007f, 0x009f},   /* DEL, C1 with U+0085 */
            {0x061c, 0x061c},   /* Arabic letter mark */
            {0x200e, 0x200f},   /* marks of direction */
            {0x2028, 0x202e},   /* ends of lines; embeddings, overrides */
            {0x2060, 0x206f},   /* isolates, invisible operators */
            {0xfeff, 0xfeff},   /* byte order mark */
            {0xfff9, 0xfffb},   /* annotations */
            {0xfdd0, 0xfdef},   /* noncharacters */
            {0xe0000, 0xe007f}, /* tags */
    };

    for (int i = 0; i < P3D_COUNT_OF(acts); i++) {
        if (acts[i].first <= code && code <= acts[i].last)
            return false;
    }
    return (code & 0xfffe) != 0xfffe; /* noncharacters of every plane */
}

int p3d_utf8_printable(const char *at, size_t n)
{
    const int length = p3d_utf8_length(at, n);

    return length > 0 && p3d_prints(p3d_utf8_code(at, length)) ? length : 0;
}

size_t p3d_show_one(const char *from, size_t n, char piece[P3D_SHOWN])
{
    const int length = p3d_utf8_length(from, n);
    const unsigned char byte = (unsigned char)from[0];

    if (byte == '\n' || byte == '\r' || byte == '\t') {
        static const char letters[] = "tn??r"; /* for 9 .. 13 */

        snprintf(piece, P3D_SHOWN, "\\%c", letters[byte - '\t']);
    } else if (p3d_utf8_printable(from, n) > 0) {
        memcpy(piece, from, (size_t)length);
        piece[length] = '\0';
    } else if (length > 1) {
        const uint32_t code = p3d_utf8_code(from, length);

        snprintf(piece, P3D_SHOWN, code > 0xffff ? "\\U%08x" : "\\u%04x",
                (unsigned)code);
    } else {
        snprintf(piece, P3D_SHOWN, "\\x%02x", byte);
    }
    return length > 0 ? (size_t)length : 1;
}

bool p3d_show(char *to, size_t n, const char *from)
{
    static const char dots[] = "...";
    size_t left = strlen(from);
    size_t used = 0;
    size_t safe = 0; /* where the dots still fit */

    P3D_ASSERT(n >= sizeof(dots));
    while (left > 0) {
        char piece[P3D_SHOWN];
        const size_t taken = p3d_show_one(from, left, piece);
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
