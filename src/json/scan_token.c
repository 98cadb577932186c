/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan_token.c - the strict grammar of JSON's strings and numbers. */
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/utf8.h"
#include "json/escape.h"
#include "json/scan.h"

/* A \u escape, or two of them that make one character. */
static bool scan_unicode_escape(json_scanner *s)
{
    const int first = json_hex4(s->at + 2);
    int second;

    if (first < 0)
        return json_refuse(s, s->at, "'\\u' needs four hexadecimal digits");
    if (first == 0)
        return json_refuse(s, s->at, "'\\u0000' in a string is not supported");
    if (first < 0xd800 || first > 0xdfff) {
        s->at += 6;
        return true;
    }
    second = s->at[6] == '\\' && s->at[7] == 'u' ? json_hex4(s->at + 8) : -1;
    if (first > 0xdbff || second < 0xdc00 || second > 0xdfff)
        return json_refuse(
                s, s->at, "'%.6s' is half of a surrogate pair", s->at);
    s->at += 12;
    return true;
}

static bool scan_escape(json_scanner *s)
{
    char raw[8] = {0};
    char shown[24];
    int length;

    if (s->at[1] == 'u')
        return scan_unicode_escape(s);
    if (s->at[1] != '\0' && strchr("\"\\/bfnrt", s->at[1]) != NULL) {
        s->at += 2;
        return true;
    }
    if (s->at + 1 == s->end)
        return json_refuse(s, s->at, "the document ends inside a string");
    length = p3d_utf8_length(s->at + 1, (size_t)(s->end - s->at - 1));
    memcpy(raw, s->at, length > 0 ? (size_t)length + 1 : 2);
    p3d_show(shown, sizeof(shown), raw);
    return json_refuse(s, s->at,
            "'%s' is not an escape of JSON; write '\\\\' for a backslash",
            shown);
}

static bool refuse_byte(json_scanner *s, const char *begin)
{
    const unsigned char byte = (unsigned char)*s->at;

    if (s->at == s->end)
        return json_refuse(s, begin, "the string is not closed; add '\"'");
    if (byte == '\n' || byte == '\r')
        return json_refuse(s, begin,
                "the string is not closed on its line; add '\"', or write "
                "'\\n' for a new line");
    if (byte < 0x20)
        return json_refuse(s, s->at,
                "control character 0x%02x in a string; write '\\u%04x'", byte,
                byte);
    return json_refuse(s, s->at,
            "byte 0x%02x is not valid UTF-8; save the file as UTF-8", byte);
}

bool json_scan_string(json_scanner *s)
{
    const char *const begin = s->at;

    s->at++;
    while (*s->at != '"') {
        int length;

        if (*s->at == '\\') {
            if (!scan_escape(s))
                return false;
            continue;
        }
        length = p3d_utf8_length(s->at, (size_t)(s->end - s->at));
        if (length == 0 || (unsigned char)*s->at < 0x20)
            return refuse_byte(s, begin);
        s->at += length;
    }
    s->at++;
    return true;
}

static const char *skip_digits(const char *at)
{
    while (p3d_is_digit(*at))
        at++;
    return at;
}

/* The end of the number that begins at s->at, or NULL. */
static const char *number_end(json_scanner *s)
{
    const char *at = s->at + (*s->at == '-');
    const char *const whole = at;

    at = skip_digits(at);
    if (at == whole)
        return json_refuse(s, s->at, "a digit is missing after '-'"), NULL;
    if (*whole == '0' && at > whole + 1)
        return json_refuse(s, s->at, "a number must not begin with 0"), NULL;
    if (*at == '.') {
        if (!p3d_is_digit(at[1]))
            return json_refuse(s, s->at, "a digit is missing after '.'"), NULL;
        at = skip_digits(at + 1);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!p3d_is_digit(*at))
            return json_refuse(s, s->at, "a digit is missing in the exponent"),
                   NULL;
        at = skip_digits(at);
    }
    return at;
}

bool json_scan_number(json_scanner *s)
{
    const char *const end = number_end(s);
    p3d_decimal number;
    char word[48];

    if (end == NULL)
        return false;
    if (p3d_is_word(*end))
        return json_refuse(s, s->at,
                "'%.*s%s' is not a number; write it without a unit",
                end - s->at < 40 ? (int)(end - s->at) : 40, s->at,
                json_show_here(s, end, word, sizeof(word)));
    /* cJSON too reads no more than these. */
    if (p3d_scan_decimal(s->at, &number) != (size_t)(end - s->at))
        return json_refuse(s, s->at, "the number is longer than %d characters",
                P3D_NUMBER_MAX);
    if (!isfinite(p3d_decimal_double(&number, 0)))
        return json_refuse(s, s->at, "'%.*s' is too large for a number",
                (int)(end - s->at), s->at);
    s->at = end;
    return true;
}
