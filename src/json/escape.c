/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.c - the backslash escapes of JSON strings. */
#include "json/escape.h"

#include <string.h>

int json_hex4(const char *at)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    int value = 0;

    for (int i = 0; i < 4; i++) {
        const char *const found = at[i] == '\0' ? NULL : strchr(digits, at[i]);
        int digit;

        if (found == NULL)
            return -1;
        digit = (int)(found - digits);
        value = 16 * value + (digit < 16 ? digit : digit - 6);
    }
    return value;
}

/* One character of UTF-8: `n` bytes of six bits after the first byte. */
static int encode(int point, char out[4])
{
    /* clang-format off */
    static const struct { int limit, first, n; } rows[] = {
        {0x80,     0x00, 0},
        {0x800,    0xc0, 1},
        {0x10000,  0xe0, 2},
        {0x110000, 0xf0, 3},
    };
    /* clang-format on */
    int row = 0;
    int n;

    while (row < 3 && point >= rows[row].limit)
        row++;
    n = rows[row].n;
    out[0] = (char)(unsigned char)(rows[row].first | point >> (6 * n));
    for (int i = 1; i <= n; i++)
        out[i] = (char)(unsigned char)(0x80 | (point >> (6 * (n - i)) & 0x3f));
    return n + 1;
}

int json_unescape(const char **at, char out[4])
{
    static const char letters[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    const char *escape = *at + 1;
    const char *letter;
    int point;

    if (**at != '\\' || *escape == '\0') {
        out[0] = *(*at)++;
        return 1;
    }
    *at += 2;
    letter = strchr(letters, *escape);
    if (letter != NULL) {
        out[0] = meanings[letter - letters];
        return 1;
    }
    point = *escape == 'u' ? json_hex4(escape + 1) : -1;
    if (point < 0) { /* \" \\ \/ */
        out[0] = *escape;
        return 1;
    }
    *at += 4;
    if (0xd800 <= point && point <= 0xdbff && (*at)[0] == '\\') {
        point = 0x10000 + ((point - 0xd800) << 10) +
                (json_hex4(*at + 2) - 0xdc00);
        *at += 6;
    }
    return encode(point, out);
}
