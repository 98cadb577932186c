/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.c - decimal numbers, read and printed. */
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"

/* An exponent beyond this is as good as infinite; keeps int sums small. */
enum { MAX_EXPONENT = 100000 };

static void add_digit(p3d_decimal *number, char digit)
{
    if (number->n_digits == 1 && number->digits[0] == '0')
        number->n_digits = 0;
    number->digits[number->n_digits++] = digit;
}

/* "e+12" and its like; nothing is used when no digit follows. */
static const char *scan_exponent(const char *at, int *exponent)
{
    const char *digit = at + 1;
    int value = 0;
    bool negative = false;

    if (*at != 'e' && *at != 'E')
        return at;
    if (*digit == '+' || *digit == '-')
        negative = *digit++ == '-';
    if (!p3d_is_digit(*digit))
        return at;
    for (; p3d_is_digit(*digit); digit++) {
        if (value < MAX_EXPONENT)
            value = 10 * value + (*digit - '0');
    }
    *exponent += negative ? -value : value;
    return digit;
}

size_t p3d_scan_decimal(const char *text, p3d_decimal *out)
{
    p3d_decimal number = {0};
    const char *at = text;
    const char *const limit = text + strnlen(text, P3D_NUMBER_MAX);
    bool point = false;

    if (*at == '-') {
        number.negative = true;
        at++;
    }
    for (; at < limit; at++) {
        if (p3d_is_digit(*at)) {
            add_digit(&number, *at);
            number.exponent -= point;
        } else if (*at == '.' && !point && p3d_is_digit(at[1])) {
            point = true;
        } else {
            break;
        }
    }
    if (number.n_digits == 0 ||
            (at == limit && (p3d_is_digit(*at) || *at == '.')))
        return 0;
    at = scan_exponent(at, &number.exponent);
    if (at - text > P3D_NUMBER_MAX)
        return 0;
    number.digits[number.n_digits] = '\0';
    *out = number;
    return (size_t)(at - text);
}

/* The decimal point is what a locale changes; strtod() gets none to see. */
double p3d_decimal_double(const p3d_decimal *number, int pow10)
{
    char text[P3D_NUMBER_MAX + 32];

    snprintf(text, sizeof(text), "%s%se%d", number->negative ? "-" : "",
            number->digits, number->exponent + pow10);
    return strtod(text, NULL);
}

/* a * b + c for a >= 0, b >= 1, c >= 0; false when that does not fit. */
static bool mul_add(int64_t *a, int64_t b, int64_t c)
{
    if (*a > (INT64_MAX - c) / b)
        return false;
    *a = *a * b + c;
    return true;
}

bool p3d_decimal_integer(const p3d_decimal *number, int pow10, int64_t factor,
        int64_t *out, bool *exact)
{
    const int n = number->n_digits;
    /* digits[0 .. point-1] stand before the decimal point. */
    int point = n + number->exponent + pow10;
    int64_t whole = 0;
    int64_t twice = 0; /* floor(2 * fraction * factor) */
    bool rest = false;

    P3D_ASSERT(1 <= factor && factor <= INT64_C(1) << 58);
    if (strcmp(number->digits, "0") == 0)
        point = n;
    for (int i = 0; i < point; i++) {
        if (!mul_add(&whole, 10, i < n ? number->digits[i] - '0' : 0))
            return false;
    }
    if (point < -P3D_NUMBER_MAX)
        point = -P3D_NUMBER_MAX; /* all of them give 0 and a rest */
    for (int i = n - 1; i >= point; i--) {
        /* Horner from the last digit; a floor of floors is the floor. */
        if (i >= 0)
            twice += (number->digits[i] - '0') * factor * 2;
        rest = rest || twice % 10 != 0;
        twice /= 10;
    }
    if (!mul_add(&whole, factor, twice / 2 + twice % 2))
        return false;
    *out = number->negative ? -whole : whole;
    *exact = !rest && twice % 2 == 0;
    return true;
}

/* Whatever the locale puts between the digits, of however many bytes. */
static void force_point(char *buffer)
{
    const size_t before = strspn(buffer, "+-0123456789");
    const size_t after = strcspn(buffer + before, "0123456789");
    char *const point = buffer + before;

    if (point[0] == '\0' || strchr("ein", point[0]) != NULL || after == 0)
        return;
    point[0] = '.';
    memmove(point + 1, point + after, strlen(point + after) + 1);
}

const char *p3d_print_double(
        char *buffer, size_t n, char style, int digits, double value)
{
    if (style == 'f')
        snprintf(buffer, n, "%.*f", digits, value);
    else
        snprintf(buffer, n, "%.*g", digits, value);
    force_point(buffer);
    return buffer;
}

const char *p3d_print_shortest(char *buffer, size_t n, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        p3d_decimal number;

        p3d_print_double(buffer, n, 'g', digits, value);
        if (p3d_scan_decimal(buffer, &number) == strlen(buffer) &&
                p3d_decimal_double(&number, 0) == value)
            break;
    }
    return buffer;
}

size_t p3d_scan_whole(const char *text, int64_t *out)
{
    const size_t blanks = strspn(text, " \t");
    const size_t n = strspn(text + blanks, "0123456789");
    char digits[P3D_NUMBER_MAX + 1];
    p3d_decimal number;
    bool exact;

    *out = 0;
    if (n == 0 || n >= sizeof(digits))
        return 0;
    memcpy(digits, text + blanks, n);
    digits[n] = '\0';
    if (p3d_scan_decimal(digits, &number) != n ||
            !p3d_decimal_integer(&number, 0, 1, out, &exact))
        return 0;
    return blanks + n;
}
