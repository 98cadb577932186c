/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units_print.c - quantities for people, short and in a fitting unit. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "plan3d/units.h"

/* Append " word" or nothing. */
static const char *with_unit(char *buffer, size_t n, const char *word)
{
    const size_t used = strlen(buffer);

    snprintf(buffer + used, n - used, "%s", word);
    return buffer;
}

const char *p3d_print_bytes(char *buffer, size_t n, double amount_bytes)
{
    if (buffer == NULL || n == 0)
        return "";

    const double size = fabs(amount_bytes);

    if (size >= 0.005 * P3D_GIB || !isfinite(amount_bytes)) {
        p3d_print_double(buffer, n, 'f', 2, amount_bytes / P3D_GIB);
        return with_unit(buffer, n, " GiB");
    }
    if (size >= 1048576) {
        p3d_print_double(buffer, n, 'f', 2, amount_bytes / 1048576);
        return with_unit(buffer, n, " MiB");
    }
    if (size >= 1024) {
        p3d_print_double(buffer, n, 'f', 2, amount_bytes / 1024);
        return with_unit(buffer, n, " KiB");
    }
    /* Adding 0 turns the -0 that rounding leaves into 0. */
    p3d_print_double(buffer, n, 'f', 0, round(amount_bytes) + 0.0);
    return with_unit(buffer, n, " B");
}

const char *p3d_print_seconds(char *buffer, size_t n, double duration_s)
{
    if (buffer == NULL || n == 0)
        return "";

    /* A unit is used below its limit; 999.5 of one is printed as 1000. */
    static const struct {
        double limit_s;
        double unit_s;
        const char *word;
    } rows[] = {
            {999.5e-9, 1e-9, " ns"},
            {999.5e-6, 1e-6, " us"},
            {999.5e-3, 1e-3, " ms"},
            {120, 1, " s"},
            {120 * 60, 60, " min"},
            {48 * 3600, 3600, " h"},
            {HUGE_VAL, 86400, " days"},
    };
    const double size = fabs(duration_s);
    int row = 0;
    double value;

    if (duration_s == 0 || !isfinite(duration_s)) {
        p3d_print_double(buffer, n, 'f', 0, size > 0 ? duration_s : 0);
        return with_unit(buffer, n, " s");
    }
    while (row < P3D_COUNT_OF(rows) - 1 && size >= rows[row].limit_s)
        row++;
    value = duration_s / rows[row].unit_s;
    p3d_print_double(buffer, n, 'f', fabs(value) < 99.95 ? 1 : 0, value);
    if (strlen(buffer) > 2 && strcmp(buffer + strlen(buffer) - 2, ".0") == 0)
        buffer[strlen(buffer) - 2] = '\0';
    return with_unit(buffer, n, rows[row].word);
}

const char *p3d_print_count(char *buffer, size_t n, double count)
{
    if (buffer == NULL || n == 0)
        return "";

    static const struct {
        double times;
        const char *word;
    } rows[] = {{1, ""}, {1e3, "K"}, {1e6, "M"}, {1e9, "B"}, {1e12, "T"}};
    int row = 0;

    while (row < P3D_COUNT_OF(rows) - 1 &&
            fabs(count) >= 999.5 * rows[row].times)
        row++;
    count /= rows[row].times;
    if (fabs(count) < 999.5)
        p3d_print_double(buffer, n, 'g', 3, count);
    else
        p3d_print_double(buffer, n, 'f', 0, count);
    return with_unit(buffer, n, rows[row].word);
}

const char *p3d_print_integer(char *buffer, size_t n, int64_t value)
{
    if (buffer == NULL || n == 0)
        return "";

    char digits[24];
    char grouped[40];
    size_t used = 0;
    size_t n_digits;

    snprintf(digits, sizeof(digits), "%" PRId64, value);
    n_digits = strlen(digits);
    for (size_t i = 0; i < n_digits; i++) {
        if (i > 0 && digits[i - 1] != '-' && (n_digits - i) % 3 == 0)
            grouped[used++] = ',';
        grouped[used++] = digits[i];
    }
    grouped[used] = '\0';
    snprintf(buffer, n, "%s", grouped);
    return buffer;
}
