/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - the strict grammar of JSON (RFC 8259), with helpful refusals. */

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "json/text.h"

/* The text ends in a NUL and contains no other one, so that the character at
 * `at` may always be looked at. */
typedef struct scanner {
    const char *file; /* for messages */
    const char *text;
    const char *at;
    const char *end;
    int depth;
    p3d_error *err;
} scanner;

/* The value of four hexadecimal digits, or -1. */
static int hex4(const char *at)
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
    point = *escape == 'u' ? hex4(escape + 1) : -1;
    if (point < 0) { /* \" \\ \/ */
        out[0] = *escape;
        return 1;
    }
    *at += 4;
    if (0xd800 <= point && point <= 0xdbff && (*at)[0] == '\\') {
        point = 0x10000 + ((point - 0xd800) << 10) + (hex4(*at + 2) - 0xdc00);
        *at += 6;
    }
    return encode(point, out);
}

static bool scan_value(scanner *s, const char *after);

P3D_PRINTF(3, 4)
static bool refuse(scanner *s, const char *where, const char *fmt, ...)
{
    char text[sizeof(s->err->text)];
    va_list args;

    if (s->err == NULL || s->err->code != P3D_OK)
        return false;
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    p3d_show(s->err->file, sizeof(s->err->file), s->file);
    json_line_column(
            s->text, (size_t)(where - s->text), &s->err->line, &s->err->column);
    return p3d_fail(s->err, P3D_DATA, "%s", text);
}

/* strspn() would do; some libraries take ten times as long for it. */
static void skip_space(scanner *s)
{
    while (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r')
        s->at++;
}

static const char *show_here(
        const scanner *s, const char *at, char *buffer, size_t n)
{
    char raw[40];
    size_t length = 0;

    while (length < sizeof(raw) - 1 && p3d_is_word(at[length]))
        length++;
    if (length == 0)
        length = (size_t)p3d_utf8_length(at, (size_t)(s->end - at));
    if (length == 0)
        length = 1;
    memcpy(raw, at, length);
    raw[length] = '\0';
    p3d_show(buffer, n, raw);
    return buffer;
}

static int line_of(const scanner *s, const char *where)
{
    int line;
    int column;

    json_line_column(s->text, (size_t)(where - s->text), &line, &column);
    return line;
}

/* A \u escape, or two of them that make one character. */
static bool scan_unicode_escape(scanner *s)
{
    const int first = hex4(s->at + 2);
    int second;

    if (first < 0)
        return refuse(s, s->at, "'\\u' needs four hexadecimal digits");
    if (first == 0)
        return refuse(s, s->at, "'\\u0000' in a string is not supported");
    if (first < 0xd800 || first > 0xdfff) {
        s->at += 6;
        return true;
    }
    second = s->at[6] == '\\' && s->at[7] == 'u' ? hex4(s->at + 8) : -1;
    if (first > 0xdbff || second < 0xdc00 || second > 0xdfff)
        return refuse(s, s->at, "'%.6s' is half of a surrogate pair", s->at);
    s->at += 12;
    return true;
}

static bool scan_escape(scanner *s)
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
        return refuse(s, s->at, "the document ends inside a string");
    length = p3d_utf8_length(s->at + 1, (size_t)(s->end - s->at - 1));
    memcpy(raw, s->at, length > 0 ? (size_t)length + 1 : 2);
    p3d_show(shown, sizeof(shown), raw);
    return refuse(s, s->at,
            "'%s' is not an escape of JSON; write '\\\\' for a backslash",
            shown);
}

static bool refuse_byte(scanner *s, const char *begin)
{
    const unsigned char byte = (unsigned char)*s->at;

    if (s->at == s->end)
        return refuse(s, begin, "the string is not closed; add '\"'");
    if (byte == '\n' || byte == '\r')
        return refuse(s, begin,
                "the string is not closed on its line; add '\"', or write "
                "'\\n' for a new line");
    if (byte < 0x20)
        return refuse(s, s->at,
                "control character 0x%02x in a string; write '\\u%04x'", byte,
                byte);
    return refuse(s, s->at,
            "byte 0x%02x is not valid UTF-8; save the file as UTF-8", byte);
}

static bool scan_string(scanner *s)
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
static const char *number_end(scanner *s)
{
    const char *at = s->at + (*s->at == '-');
    const char *const whole = at;

    at = skip_digits(at);
    if (at == whole)
        return refuse(s, s->at, "a digit is missing after '-'"), NULL;
    if (*whole == '0' && at > whole + 1)
        return refuse(s, s->at, "a number must not begin with 0"), NULL;
    if (*at == '.') {
        if (!p3d_is_digit(at[1]))
            return refuse(s, s->at, "a digit is missing after '.'"), NULL;
        at = skip_digits(at + 1);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!p3d_is_digit(*at))
            return refuse(s, s->at, "a digit is missing in the exponent"), NULL;
        at = skip_digits(at);
    }
    return at;
}

static bool scan_number(scanner *s)
{
    const char *const end = number_end(s);
    p3d_decimal number;
    char word[48];

    if (end == NULL)
        return false;
    if (p3d_is_word(*end))
        return refuse(s, s->at,
                "'%.*s%s' is not a number; write it without a unit",
                end - s->at < 40 ? (int)(end - s->at) : 40, s->at,
                show_here(s, end, word, sizeof(word)));
    /* cJSON too reads no more than these. */
    if (p3d_scan_decimal(s->at, &number) != (size_t)(end - s->at))
        return refuse(s, s->at, "the number is longer than %d characters",
                P3D_NUMBER_MAX);
    if (!isfinite(p3d_decimal_double(&number, 0)))
        return refuse(s, s->at, "'%.*s' is too large for a number",
                (int)(end - s->at), s->at);
    s->at = end;
    return true;
}

/* What stands at s->at is wrong; `wanted` ends the message. */
static bool refuse_here(scanner *s, const char *wanted)
{
    char shown[48];

    show_here(s, s->at, shown, sizeof(shown));
    if (*s->at == '/' || *s->at == '#')
        return refuse(s, s->at, "'%s': JSON has no comments; remove it", shown);
    return refuse(s, s->at, "unexpected '%s'%s", shown, wanted);
}

/* Names the mistakes that people make where a value should be. `after` is what
 * stands before it, or NULL at the beginning. */
static bool refuse_value(scanner *s, const char *after)
{
    char shown[48];

    if (s->at == s->end && after == NULL)
        return refuse(s, s->at, "the document is empty");
    if (s->at == s->end)
        return refuse(s, s->at, "the document ends where a value should be");
    if (*s->at == '\'')
        return refuse(s, s->at, "a string needs double quotes");
    if ((*s->at == ']' || *s->at == '}') && after != NULL && *after == ',')
        return refuse(
                s, after, "unexpected ',' before '%c'; remove it", *s->at);
    if (p3d_is_word(*s->at))
        return refuse(s, s->at,
                "unknown word '%s'; write a string in double quotes, a number, "
                "true, false or null",
                show_here(s, s->at, shown, sizeof(shown)));
    return refuse_here(s, " where a value should be");
}

static bool refuse_end(scanner *s, const char *begin, char closing)
{
    return refuse(s, s->at,
            "the document ends inside the '%c' of line %d; add '%c'", *begin,
            line_of(s, begin), closing);
}

/* After an element: true when another one follows, *more says so. */
static bool scan_separator(
        scanner *s, const char *begin, char closing, bool *more)
{
    const char *const wanted =
            closing == '}' ? "; write ',' or '}'" : "; write ',' or ']'";

    skip_space(s);
    *more = *s->at == ',';
    if (*s->at == ',' || *s->at == closing) {
        s->at++;
        return true;
    }
    if (s->at == s->end)
        return refuse_end(s, begin, closing);
    return refuse_here(s, wanted);
}

/* A key and its colon. `after` is the '{' or ',' before it. */
static bool scan_key(scanner *s, const char *begin, const char *after)
{
    if (s->at == s->end)
        return refuse_end(s, begin, '}');
    if (*s->at == '"') {
        if (!scan_string(s))
            return false;
        skip_space(s);
        if (*s->at == ':') {
            s->at++;
            return true;
        }
        if (s->at == s->end)
            return refuse_end(s, begin, '}');
        return refuse_here(s, " after a key; write ':'");
    }
    if (*s->at == '}')
        return refuse(s, after, "unexpected ',' before '}'; remove it");
    return refuse_here(s, " where a key should be; write it in double quotes");
}

static bool scan_container(scanner *s)
{
    const char *const begin = s->at;
    const char *after = s->at;
    const char closing = *begin == '{' ? '}' : ']';
    bool more = true;

    if (s->depth == JSON_MAX_DEPTH)
        return refuse(s, s->at, "more than %d levels deep", JSON_MAX_DEPTH);
    s->depth++;
    s->at++;
    skip_space(s);
    if (*s->at == closing) {
        s->at++;
        more = false;
    }
    while (more) {
        skip_space(s);
        if (closing == '}') {
            if (!scan_key(s, begin, after))
                return false;
            after = s->at - 1;
            skip_space(s);
        } else if (s->at == s->end) {
            return refuse_end(s, begin, closing);
        }
        if (!scan_value(s, after) || !scan_separator(s, begin, closing, &more))
            return false;
        after = s->at - 1;
    }
    s->depth--;
    return true;
}

static bool scan_literal(scanner *s, const char *after)
{
    static const char *const words[] = {"true", "false", "null"};

    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const size_t length = strlen(words[i]);

        if (strncmp(s->at, words[i], length) == 0 &&
                !p3d_is_word(s->at[length])) {
            s->at += length;
            return true;
        }
    }
    return refuse_value(s, after);
}

/* Recursion ends at JSON_MAX_DEPTH. */
static bool scan_value(scanner *s, const char *after)
{
    switch (*s->at) {
    case '{':
    case '[': return scan_container(s);
    case '"': return scan_string(s);
    default: break;
    }
    if (*s->at == '-' || p3d_is_digit(*s->at))
        return scan_number(s);
    return scan_literal(s, after);
}

/* What is no text at all: NUL bytes, UTF-16, a byte order mark. */
static bool scan_encoding(scanner *s)
{
    const char *const nul = memchr(s->text, '\0', (size_t)(s->end - s->text));

    if (strncmp(s->text, "\xff\xfe", 2) == 0 ||
            strncmp(s->text, "\xfe\xff", 2) == 0)
        return refuse(s, s->text, "the file is UTF-16; save it as UTF-8");
    if (nul != NULL)
        return refuse(s, nul,
                "NUL byte; this is a binary or UTF-16 file, not JSON text");
    if (strncmp(s->text, "\xef\xbb\xbf", 3) == 0)
        return refuse(s, s->text,
                "the file begins with a byte order mark; save it as UTF-8 "
                "without one");
    return true;
}

bool json_scan(
        const char *file, const char *text, size_t length, p3d_error *err)
{
    scanner s = {file, text, text, text + length, 0, err};

    if (!scan_encoding(&s))
        return false;
    skip_space(&s);
    if (!scan_value(&s, NULL))
        return false;
    skip_space(&s);
    if (s.at == s.end)
        return true;
    return refuse_here(&s, " after the document; remove it");
}

void json_line_column(const char *text, size_t offset, int *line, int *column)
{
    size_t lines = 1;
    size_t begin = 0;

    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n') {
            lines++;
            begin = i + 1;
        }
    }
    *line = lines > INT_MAX ? INT_MAX : (int)lines;
    *column = offset - begin >= INT_MAX ? INT_MAX : (int)(offset - begin) + 1;
}
