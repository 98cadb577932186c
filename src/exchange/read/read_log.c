/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_log.c - a log of Megatron-LM: the arguments that it prints when it
 * starts, the time of its steps and the memory of its ranks.
 *
 * Source: Megatron-LM@d98e8a64 megatron/training/arguments.py:1990-2001
 * ("  name ...... value"), megatron/training/training.py:3574 ("elapsed time
 * per iteration (ms)"), megatron/training/utils.py:report_memory. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/text.h"
#include "exchange/read/read.h"

enum { N_WARM_UP = 2, MAX_STEPS = 100000, MAX_NAME = 128 };

/* Length of "name ..." at a place, or 0; *n_name is that of the name. */
static size_t dots_after_name(const char *at, size_t n, size_t *n_name)
{
    size_t i = 0;
    size_t dots = 0;

    while (i < n && p3d_is_word(at[i]))
        i++;
    *n_name = i;
    if (i == 0 || i >= MAX_NAME || i >= n || at[i] != ' ')
        return 0;
    while (i + 1 + dots < n && at[i + 1 + dots] == '.')
        dots++;
    if (dots < 3 || i + 1 + dots >= n || at[i + 1 + dots] != ' ')
        return 0;
    return i + 2 + dots;
}

/* "  name .......... value", behind whatever a launcher writes before it. */
static bool read_argument(const char *line, size_t n, int number,
        exchange_settings *out, p3d_error *err)
{
    for (size_t i = 0; i + 4 < n; i++) {
        char name[MAX_NAME];
        size_t n_name = 0;
        size_t used;
        p3d_text value = {0};
        bool ok;

        if (i > 0 && p3d_is_word(line[i - 1]))
            continue;
        used = dots_after_name(line + i, n - i, &n_name);
        if (used == 0)
            continue;
        memcpy(name, line + i, n_name);
        name[n_name] = '\0';
        while (n > i + used && p3d_is_space(line[n - 1]))
            n--;
        p3d_text_append(&value, line + i + used, n - i - used);
        ok = exchange_settings_add(
                out, name, p3d_text_get(&value), number, err);
        p3d_text_free(&value);
        return ok;
    }
    return true;
}

/* The number behind a word of a line. @return false where there is none */
static bool number_after(
        const char *line, size_t n, const char *word, double *out)
{
    const size_t length = strlen(word);
    p3d_decimal number;

    for (size_t i = 0; i + length < n; i++) {
        if (strncmp(line + i, word, length) != 0)
            continue;
        i += length;
        while (i < n && line[i] == ' ')
            i++;
        if (p3d_scan_decimal(line + i, &number) == 0 || number.negative)
            return false;
        *out = p3d_decimal_double(&number, 0);
        return *out > 0 && *out < 1e15;
    }
    return false;
}

static void keep_largest(
        const char *line, size_t n, const char *word, int64_t *bytes)
{
    double mib = 0;

    if (number_after(line, n, word, &mib) && mib < 1e9 &&
            (int64_t)(mib * 1048576) > *bytes)
        *bytes = (int64_t)(mib * 1048576);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* " > padded vocab (size: 50257) with 47 dummy tokens": dumps of arguments have
 * no size where the tokenizer has it (megatron/training/tokenizer). */
static bool read_vocab(const char *line, size_t n, int number,
        exchange_settings *out, p3d_error *err)
{
    double size = 0;
    p3d_text value = {0};
    bool ok;

    if (!number_after(line, n, "padded vocab (size:", &size) || size > 1e8)
        return true;
    p3d_text_add(&value, "%.0f", size);
    ok = exchange_settings_add(
            out, "vocab_size", p3d_text_get(&value), number, err);
    p3d_text_free(&value);
    return ok;
}

static void finish(double *steps, int n, exchange_measured *measured)
{
    const int skip = n > N_WARM_UP ? N_WARM_UP : 0;

    if (n == 0)
        return;
    qsort(steps + skip, (size_t)(n - skip), sizeof(*steps), compare);
    measured->step_s = steps[skip + (n - skip) / 2] / 1e3;
    measured->n_steps = n - skip;
}

bool exchange_read_log(const char *text, exchange_settings *out,
        exchange_measured *measured, p3d_error *err)
{
    double *const steps = malloc(MAX_STEPS * sizeof(*steps));
    int n_steps = 0;
    int number = 1;
    bool ok = steps != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    while (*text != '\0' && ok) {
        const size_t n = strcspn(text, "\n");
        double ms = 0;

        ok = read_argument(text, n, number, out, err) &&
             read_vocab(text, n, number, out, err);
        number++;
        if (number_after(text, n, "elapsed time per iteration (ms):", &ms) &&
                n_steps < MAX_STEPS)
            steps[n_steps++] = ms;
        keep_largest(text, n, "max allocated:", &measured->max_allocated_bytes);
        keep_largest(text, n, "max reserved:", &measured->max_reserved_bytes);
        text += n + (text[n] == '\n');
    }
    if (ok)
        finish(steps, n_steps, measured);
    free(steps);
    return ok;
}
