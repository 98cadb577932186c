/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - decimal numbers in every locale, and lists of them: "8..1024". */
#ifndef PLAN3D_BASE_NUMBER_H
#define PLAN3D_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan3d/error.h"

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

/** More would not be read by anyone, and never end. */
enum { P3D_MAX_NUMBERS = 16384 };

/** Numbers in the order in which they were written. Zero is none. */
typedef struct p3d_numbers {
    int64_t *at; /* owned */
    int n;
} p3d_numbers;

/** What a number may be. */
typedef struct p3d_bounds {
    int64_t min, max;
    bool lengths; /* of sequences: K is 1024 */
} p3d_bounds;

/**
 * Append the numbers of a list. Its parts stand between commas: a number
 * ("512", "4K": 4000, or 4096 tokens of a sequence), a range that doubles
 * ("8..1024": 8, 16, 32, ... at most 1024)
 * or one with a step ("8..512:8": 8, 16, 24, ...).
 *
 * @param text  of n bytes
 * @param out   free with p3d_numbers_free(), also after a failure
 * @return false with P3D_USAGE: what is wrong and what to write
 */
P3D_CHECK bool p3d_numbers_parse(const char *text, size_t n, p3d_bounds bounds,
        p3d_numbers *out, p3d_error *err);

/** Append one number. @return false with P3D_USAGE or P3D_SYSTEM */
P3D_CHECK bool p3d_numbers_add(
        p3d_numbers *numbers, int64_t number, p3d_error *err);

/** Put them in ascending order, each once. */
void p3d_numbers_sort(p3d_numbers *numbers);

void p3d_numbers_free(p3d_numbers *numbers);

#endif
