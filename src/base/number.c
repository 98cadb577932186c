/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.c - decimal numbers, read and printed, and lists of them. */
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/util.h"
#include "plan3d/units.h"

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

/* Longest part of a list, in bytes. */
enum { PART = 96 };

bool p3d_numbers_add(p3d_numbers *numbers, int64_t number, p3d_error *err)
{
    int64_t *at;

    if (numbers->n == P3D_MAX_NUMBERS)
        return p3d_fail(err, P3D_USAGE,
                "more than %d numbers; write a larger step, or a range that "
                "doubles, such as 8..1024",
                (int)P3D_MAX_NUMBERS);
    at = p3d_grow(numbers->at, numbers->n, sizeof(*at));
    if (at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    numbers->at = at;
    numbers->at[numbers->n++] = number;
    return true;
}

static int compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

void p3d_numbers_sort(p3d_numbers *numbers)
{
    int n = 0;

    if (numbers->n == 0)
        return;
    qsort(numbers->at, (size_t)numbers->n, sizeof(*numbers->at), compare);
    for (int i = 0; i < numbers->n; i++)
        if (i == 0 || numbers->at[i] != numbers->at[n - 1])
            numbers->at[n++] = numbers->at[i];
    numbers->n = n;
}

void p3d_numbers_free(p3d_numbers *numbers)
{
    free(numbers->at);
    *numbers = (p3d_numbers){0};
}

static bool fail_in(const char *part, const p3d_error *cause, p3d_error *err)
{
    return p3d_fail(err, P3D_USAGE, "'%s': %.300s", part, cause->text);
}

/* A range: first and last number, and a step or NULL where it doubles. */
typedef struct range_words {
    char *first, *last, *step;
} range_words;

/* Cut a range into words in place. */
static range_words cut_range(char *words, char *dots)
{
    range_words range = {words, dots + 2, strchr(dots + 2, ':')};

    *dots = '\0';
    if (range.step != NULL)
        *range.step++ = '\0';
    return range;
}

static bool parse(
        const char *text, p3d_bounds bounds, int64_t *out, p3d_error *err)
{
    return bounds.lengths
                   ? p3d_parse_length(text, bounds.min, bounds.max, out, err)
                   : p3d_parse_count(text, bounds.min, bounds.max, out, err);
}

static bool add_range(const char *part, range_words words, p3d_bounds bounds,
        p3d_numbers *out, p3d_error *err)
{
    p3d_error cause = {0};
    int64_t first = 0, last = 0, step = 0;

    if (!parse(words.first, bounds, &first, &cause) ||
            !parse(words.last, bounds, &last, &cause) ||
            (words.step != NULL &&
                    !parse(words.step,
                            (p3d_bounds){1, bounds.max, bounds.lengths}, &step,
                            &cause)))
        return fail_in(part, &cause, err);
    if (last < first)
        return p3d_fail(err, P3D_USAGE,
                "'%s' ends before it begins; write %s..%s", part, words.last,
                words.first);
    for (int64_t n = first; n <= last; n += words.step != NULL ? step : n)
        if (!p3d_numbers_add(out, n, err))
            return false;
    return true;
}

static bool add_part(
        const char *part, p3d_bounds bounds, p3d_numbers *out, p3d_error *err)
{
    char words[PART];
    char *dots;
    int64_t number = 0;
    p3d_error cause = {0};

    (void)p3d_copy(words, sizeof(words), part);
    dots = strstr(words, "..");
    if (dots != NULL && dots > words && dots[2] != '\0')
        return add_range(part, cut_range(words, dots), bounds, out, err);
    if (dots != NULL || strpbrk(part, ":-") != NULL)
        return p3d_fail(err, P3D_USAGE,
                "'%s' is not a range; write 8..1024 (doubling) or 8..512:8 "
                "(with a step)",
                part);
    if (!parse(part, bounds, &number, &cause))
        return fail_in(part, &cause, err);
    return p3d_numbers_add(out, number, err);
}

bool p3d_numbers_parse(const char *text, size_t n, p3d_bounds bounds,
        p3d_numbers *out, p3d_error *err)
{
    const char *const end = text + n;

    for (const char *at = text; at <= end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const size_t length = (size_t)((comma != NULL ? comma : end) - at);
        char part[PART];

        if (length == 0)
            return p3d_fail(err, P3D_USAGE,
                    "'%.*s' has an empty place; write numbers with commas "
                    "between, such as 256,512",
                    n < PART ? (int)n : PART, text);
        if (length >= sizeof(part))
            return p3d_fail(err, P3D_USAGE, "'%.40s...' is not a number", at);
        memcpy(part, at, length);
        part[length] = '\0';
        if (!add_part(part, bounds, out, err))
            return false;
        at += length + 1;
    }
    return true;
}
