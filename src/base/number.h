/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - decimal numbers in every locale. */
#ifndef PLAN3D_BASE_NUMBER_H
#define PLAN3D_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    P3D_NUMBER_MAX = 63,   /* longest number that is read, in bytes */
    P3D_NUMBER_BUFFER = 32 /* enough for p3d_print_shortest() */
};

/** A number exactly as it was written: digits * 10^exponent. */
typedef struct p3d_decimal {
    bool negative;
    int n_digits;                    /* >= 1 */
    int exponent;                    /* of 10 */
    char digits[P3D_NUMBER_MAX + 1]; /* no leading zeros, but "0" for zero */
} p3d_decimal;

/**
 * Read the number that a text begins with: an optional minus, digits with an
 * optional '.', an optional exponent. This is the only reader of numbers.
 *
 * @return bytes used; 0 when there is no number or it is longer than
 *         P3D_NUMBER_MAX (*out is then not set)
 */
size_t p3d_scan_decimal(const char *text, p3d_decimal *out);

/**
 * Read the whole number that a text begins with: digits, blanks before them.
 *
 * @return bytes used; 0 when there is none or it does not fit (*out is then 0)
 */
size_t p3d_scan_whole(const char *text, int64_t *out);

/** The number times 10^pow10, correctly rounded; may be infinite. */
double p3d_decimal_double(const p3d_decimal *number, int pow10);

/**
 * The number times factor times 10^pow10 as an integer, in exact arithmetic.
 *
 * @param factor  1 .. 2^58
 * @param out     rounded to the nearest, halves away from zero
 * @param exact   false when a fraction was rounded
 * @return false when it does not fit; nothing is then set
 */
bool p3d_decimal_integer(const p3d_decimal *number, int pow10, int64_t factor,
        int64_t *out, bool *exact);

/** snprintf() of "%.*f" (style 'f') or "%.*g" (style 'g') with '.' as the
 *  decimal point. @return buffer */
const char *p3d_print_double(
        char *buffer, size_t n, char style, int digits, double value);

/** The shortest of %.15g, %.16g and %.17g that reads back equal. */
const char *p3d_print_shortest(char *buffer, size_t n, double value);

#endif
