/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number_list.c - lists of whole numbers: "8..1024", "512,1K". */
#include "base/number_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "plan3d/units.h"

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
