/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c - quantities with their units, read and printed. */
#include "plan3d/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/util.h"

typedef enum dimension { MEMORY, RATE, DURATION, COUNT, LENGTH } dimension;

/* One unit is times * 10^pow10 of bytes, bytes/s, seconds or things. The power
 * of ten stands apart because it is exact in decimal and not in binary. */
typedef struct unit {
    const char *suffix;
    int pow10;
    double times;
    dimension kind;
} unit;

/* clang-format off */
static const unit units[] = {
    {"B",       0, 1,             MEMORY},
    {"KB",      3, 1,             MEMORY},
    {"MB",      6, 1,             MEMORY},
    {"GB",      9, 1,             MEMORY},
    {"TB",     12, 1,             MEMORY},
    {"KiB",     0, 1024,          MEMORY},
    {"MiB",     0, 1048576,       MEMORY},
    {"GiB",     0, P3D_GIB,       MEMORY},
    {"TiB",     0, 1099511627776, MEMORY},
    {"B/s",     0, 1,             RATE},
    {"KB/s",    3, 1,             RATE},
    {"MB/s",    6, 1,             RATE},
    {"GB/s",    9, 1,             RATE},
    {"TB/s",   12, 1,             RATE},
    {"KiB/s",   0, 1024,          RATE},
    {"MiB/s",   0, 1048576,       RATE},
    {"GiB/s",   0, P3D_GIB,       RATE},
    {"TiB/s",   0, 1099511627776, RATE},
    {"Kbit/s",  3, 0.125,         RATE},
    {"Mbit/s",  6, 0.125,         RATE},
    {"Gbit/s",  9, 0.125,         RATE},
    {"Tbit/s", 12, 0.125,         RATE},
    {"ms",     -3, 1,             DURATION},
    {"s",       0, 1,             DURATION},
    {"min",     0, 60,            DURATION},
    {"h",       0, 3600,          DURATION},
    {"d",       0, 86400,         DURATION},
    {"y",       0, 31536000,      DURATION},
    {"",        0, 1,             COUNT},
    {"K",       3, 1,             COUNT},
    {"M",       6, 1,             COUNT},
    {"B",       9, 1,             COUNT},
    {"T",      12, 1,             COUNT},
    {"",        0, 1,             LENGTH},
    {"K",       0, 1024,          LENGTH},
    {"M",       0, 1048576,       LENGTH},
};

/* What to write instead: {suffix that people write, advice}. In the advice %N
 * is the number and %P the prefix (K, M, G or T). */
static const struct {
    dimension kind;
    const char *suffix; /* ? stands for a prefix, in either case */
    const char *advice;
} hints[] = {
    {MEMORY,   "",     "has no unit; write %NGB or %NGiB"},
    {MEMORY,   "?",    "has no unit; write %N%PB or %N%PiB"},
    {MEMORY,   "?i",   "has no unit; write %N%PiB"},
    {RATE,     "",     "has no unit; write %NGB/s or %NGbit/s"},
    {RATE,     "?",    "has no unit; write %N%PB/s or %N%Pbit/s"},
    {RATE,     "?B",   "is not a rate; write %N%PB/s"},
    {RATE,     "?iB",  "is not a rate; write %N%PiB/s"},
    {RATE,     "?b/s", "may be bits or bytes; write %N%Pbit/s or %N%PB/s"},
    {RATE,     "?bps", "may be bits or bytes; write %N%Pbit/s or %N%PB/s"},
    {DURATION, "",     "has no unit; write %Ns, %Nmin or %Nh"},
};
/* clang-format on */

/* A text that is being read. */
typedef struct quantity {
    char shown[80]; /* the whole text, for messages */
    p3d_decimal number;
    int n_number; /* bytes of it in the text */
    const char *text;
    const char *suffix;
    unit unit; /* zero until the suffix is found in the table */
} quantity;

static bool scan(
        const char *text, const char *example, quantity *q, p3d_error *err)
{
    q->text = text;
    p3d_show(q->shown, sizeof(q->shown), text);
    q->n_number = (int)p3d_scan_decimal(text, &q->number);
    q->suffix = text + q->n_number;
    if (q->n_number > 0)
        return true;
    if (strlen(text) > P3D_NUMBER_MAX)
        return p3d_fail(
                err, P3D_USAGE, "'%s' is too long for a number", q->shown);
    return p3d_fail(err, P3D_USAGE,
            "'%s' is not a number; write for example %s", q->shown, example);
}

/* Bits and bytes differ by the case of a letter, counts do not. */
static bool is_unit(const unit *row, const char *suffix, dimension kind)
{
    if (row->kind != kind)
        return false;
    return kind == COUNT || kind == LENGTH ? p3d_same_word(row->suffix, suffix)
                                           : strcmp(row->suffix, suffix) == 0;
}

static const unit *find_unit(const char *suffix, dimension kind)
{
    for (int i = 0; i < P3D_COUNT_OF(units); i++) {
        if (is_unit(&units[i], suffix, kind))
            return &units[i];
    }
    return NULL;
}

/* The prefix in upper case, or 0. */
static char prefix_of(char c)
{
    static const char prefixes[] = "KMGTkmgt";
    const char *const found = c == '\0' ? NULL : strchr(prefixes, c);

    return found == NULL ? '\0' : prefixes[(found - prefixes) % 4];
}

static bool matches(const char *pattern, const char *suffix)
{
    if (pattern[0] != '?')
        return strcmp(pattern, suffix) == 0;
    return prefix_of(suffix[0]) != '\0' && strcmp(pattern + 1, suffix + 1) == 0;
}

static bool fail_with_hint(
        const quantity *q, const char *advice, p3d_error *err)
{
    p3d_text text = {0};

    for (; *advice != '\0'; advice++) {
        if (*advice != '%') {
            p3d_text_append(&text, advice, 1);
        } else if (*++advice == 'N') {
            p3d_text_append(&text, q->text, (size_t)q->n_number);
        } else {
            const char prefix = prefix_of(q->suffix[0]);

            p3d_text_append(&text, &prefix, 1);
        }
    }
    p3d_fail(err, P3D_USAGE, "'%s' %s", q->shown, p3d_text_get(&text));
    p3d_text_free(&text);
    return false;
}

/* "write B, KB, MB, ...": all units of one kind. */
static bool fail_with_list(const quantity *q, dimension kind, p3d_error *err)
{
    p3d_text list = {0};
    char shown[32];

    for (int i = 0; i < P3D_COUNT_OF(units); i++) {
        if (units[i].kind != kind || units[i].suffix[0] == '\0')
            continue;
        p3d_text_add(
                &list, "%s%s", list.length == 0 ? "" : ", ", units[i].suffix);
    }
    p3d_show(shown, sizeof(shown), q->suffix);
    p3d_fail(err, P3D_USAGE, "'%s' has the unknown unit '%s'; use one of %s",
            q->shown, shown, p3d_text_get(&list));
    p3d_text_free(&list);
    return false;
}

static bool fail_unit(const quantity *q, dimension kind, p3d_error *err)
{
    const char *const word = q->suffix + strspn(q->suffix, " ");

    if (word != q->suffix && find_unit(word, kind) != NULL)
        return p3d_fail(err, P3D_USAGE, "'%s' has a space in it; write %.*s%s",
                q->shown, q->n_number, q->text, word);
    for (int i = 0; i < P3D_COUNT_OF(hints); i++) {
        if (hints[i].kind == kind && matches(hints[i].suffix, q->suffix))
            return fail_with_hint(q, hints[i].advice, err);
    }
    for (int i = 0; i < P3D_COUNT_OF(units); i++) {
        if (units[i].kind == kind && p3d_same_word(units[i].suffix, q->suffix))
            return p3d_fail(err, P3D_USAGE,
                    "'%s' has the unknown unit '%s'; did you mean %.*s%s?",
                    q->shown, q->suffix, q->n_number, q->text, units[i].suffix);
    }
    return fail_with_list(q, kind, err);
}

/* A number with a unit of one kind. */
static bool read_quantity(const char *text, dimension kind, const char *example,
        quantity *q, p3d_error *err)
{
    const unit *found;

    if (!scan(text, example, q, err))
        return false;
    found = find_unit(q->suffix, kind);
    if (found == NULL)
        return fail_unit(q, kind, err);
    q->unit = *found;
    return true;
}

bool p3d_parse_bytes(const char *text, int64_t *out, p3d_error *err)
{
    if (text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    quantity q;
    int64_t value;
    bool exact;

    if (!read_quantity(text, MEMORY, "80GiB", &q, err))
        return false;
    if (q.number.negative)
        return p3d_fail(err, P3D_USAGE,
                "'%s' is negative; write an amount of at least 0B", q.shown);
    if (!p3d_decimal_integer(
                &q.number, q.unit.pow10, (int64_t)q.unit.times, &value, &exact))
        return p3d_fail(err, P3D_USAGE,
                "'%s' is too large; write less than 8388608TiB", q.shown);
    if (!exact && strcmp(q.unit.suffix, "B") == 0)
        return p3d_fail(
                err, P3D_USAGE, "'%s' is not a whole number of bytes", q.shown);
    *out = value;
    return true;
}

static bool read_positive(const char *text, dimension kind, const char *example,
        double *out, p3d_error *err)
{
    quantity q;
    double value;

    if (!read_quantity(text, kind, example, &q, err))
        return false;
    value = p3d_decimal_double(&q.number, q.unit.pow10) * q.unit.times;
    if (!(value > 0))
        return p3d_fail(err, P3D_USAGE,
                "'%s' is not more than 0; write for example %s", q.shown,
                example);
    if (!isfinite(value))
        return p3d_fail(err, P3D_USAGE, "'%s' is too large", q.shown);
    *out = value;
    return true;
}

bool p3d_parse_bytes_per_s(const char *text, double *out, p3d_error *err)
{
    if (text == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    return read_positive(text, RATE, "400Gbit/s", out, err);
}

bool p3d_parse_seconds(const char *text, double *out, p3d_error *err)
{
    if (text == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    return read_positive(text, DURATION, "30min", out, err);
}

static bool fail_range(
        const quantity *q, int64_t min, int64_t max, p3d_error *err)
{
    if (max == INT64_MAX)
        return p3d_fail(err, P3D_USAGE,
                "'%s' is out of range; write a whole number of at least "
                "%" PRId64,
                q->shown, min);
    return p3d_fail(err, P3D_USAGE,
            "'%s' is out of range; write a whole number from %" PRId64
            " to %" PRId64,
            q->shown, min, max);
}

/* A whole number in a range. */
typedef struct whole {
    dimension kind;
    int64_t min, max;
} whole;

static bool read_whole(const char *text, whole is, int64_t *out, p3d_error *err)
{
    quantity q;
    int64_t value;
    bool exact;

    if (!read_quantity(text, is.kind, "64", &q, err))
        return false;
    if (!p3d_decimal_integer(
                &q.number, q.unit.pow10, (int64_t)q.unit.times, &value, &exact))
        return fail_range(&q, is.min, is.max, err);
    if (!exact)
        return p3d_fail(err, P3D_USAGE, "'%s' is not a whole number", q.shown);
    if (value < is.min || value > is.max)
        return fail_range(&q, is.min, is.max, err);
    *out = value;
    return true;
}

bool p3d_parse_count(const char *text, int64_t min, int64_t max, int64_t *out,
        p3d_error *err)
{
    if (text == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    return read_whole(text, (whole){COUNT, min, max}, out, err);
}

bool p3d_parse_length(const char *text, int64_t min, int64_t max, int64_t *out,
        p3d_error *err)
{
    if (text == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    return read_whole(text, (whole){LENGTH, min, max}, out, err);
}

bool p3d_parse_number(
        const char *text, double min, double max, double *out, p3d_error *err)
{
    if (text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    quantity q;
    double value;
    bool percent;
    char low[P3D_NUMBER_BUFFER];
    char high[P3D_NUMBER_BUFFER];

    if (!scan(text, "0.5", &q, err))
        return false;
    p3d_print_shortest(low, sizeof(low), min);
    p3d_print_shortest(high, sizeof(high), max);
    percent = max <= 1 && strcmp(q.suffix, "%") == 0;
    if (q.suffix[0] != '\0' && !percent)
        return p3d_fail(err, P3D_USAGE,
                "'%s' is not a plain number; write a number from %s to %s",
                q.shown, low, high);
    value = p3d_decimal_double(&q.number, percent ? -2 : 0);
    if (!percent && max <= 1 && value > 1 && value / 100 <= max)
        return p3d_fail(err, P3D_USAGE,
                "'%s' is out of range; write a number from %s to %s, or "
                "percent: %s%%",
                q.shown, low, high, q.shown);
    if (!isfinite(value) || value < min || value > max)
        return p3d_fail(err, P3D_USAGE,
                "'%s' is out of range; write a number from %s to %s", q.shown,
                low, high);
    *out = value;
    return true;
}

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
