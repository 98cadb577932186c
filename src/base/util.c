/* SPDX-License-Identifier: GPL-3.0-or-later */
/* util.c - assertions, checked integers, the distance between words, names in
 * order. */
#include "base/util.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

enum { MAX_WORD = 63, FAR_APART = MAX_WORD + 1 };

void p3d_bug(const char *condition, const char *file, int line)
{
    fprintf(stderr, "plan3d: bug in plan3d: %s:%d: not true: %s\n", file, line,
            condition);
    abort();
}

int64_t p3d_mul(int64_t a, int64_t b)
{
    P3D_ASSERT(a >= 0 && b >= 0);
    if (b != 0 && a > INT64_MAX / b)
        return INT64_MAX;
    return a * b;
}

int64_t p3d_add(int64_t a, int64_t b)
{
    P3D_ASSERT(a >= 0 && b >= 0);
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

int p3d_at_most_int(int64_t n)
{
    return n < INT_MAX ? (int)n : INT_MAX;
}

int64_t p3d_ceil_div(int64_t a, int64_t b)
{
    P3D_ASSERT(a >= 0 && b >= 1);
    return a / b + (a % b != 0);
}

int64_t p3d_round_up(int64_t n, int64_t step)
{
    return p3d_mul(p3d_ceil_div(n, step), step);
}

bool p3d_copy(char *to, size_t n, const char *from)
{
    size_t length = strlen(from);
    const bool fits = length < n;

    P3D_ASSERT(n >= 1);
    if (!fits) {
        length = n - 1;
        /* Cut between characters: from[length] must begin one. */
        while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80)
            length--;
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return fits;
}

const char *p3d_last_part(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

bool p3d_same_word(const char *a, const char *b)
{
    while (*a != '\0' && p3d_lower(*a) == p3d_lower(*b)) {
        a++;
        b++;
    }
    return p3d_lower(*a) == p3d_lower(*b);
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: d[i][j] is the distance of the first i letters of
 * a and the first j of b; only the last three rows are kept. */
int p3d_distance(const char *a, const char *b)
{
    const size_t n_a = strlen(a);
    const size_t n_b = strlen(b);
    int rows[3][MAX_WORD + 1];
    int *before = rows[0];
    int *above = rows[1];
    int *row = rows[2];

    if (n_a > MAX_WORD || n_b > MAX_WORD)
        return FAR_APART;
    for (int j = 0; j <= (int)n_b; j++)
        row[j] = j;
    for (int i = 1; i <= (int)n_a; i++) {
        int *const oldest = before;

        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (int j = 1; j <= (int)n_b; j++) {
            const bool same = p3d_lower(a[i - 1]) == p3d_lower(b[j - 1]);

            row[j] = min_of(
                    above[j - 1] + !same, min_of(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && p3d_lower(a[i - 1]) == p3d_lower(b[j - 2]) &&
                    p3d_lower(a[i - 2]) == p3d_lower(b[j - 1]))
                row[j] = min_of(row[j], before[j - 2] + 1);
        }
    }
    return row[n_b];
}

/* True where a name begins with a word of three letters and more. */
static bool goes_on(const char *word, const char *name)
{
    size_t n = 0;

    while (word[n] != '\0' && p3d_lower(word[n]) == p3d_lower(name[n]))
        n++;
    return n >= 3 && word[n] == '\0';
}

/* "qwen3-235b" of "qwen3-235b-a22b": whole, with something behind it. */
static bool begins_name(const char *word, const char *name)
{
    return goes_on(word, name) && name[strlen(word)] == '-';
}

/* The size in a name, "405b": its digits. @return how many; 0 = none */
static size_t find_size(const char *name, const char **size)
{
    size_t n = 0;

    for (; *name != '\0'; name++) {
        n = p3d_is_digit(*name) || (*name == '.' && n > 0) ? n + 1 : 0;
        if (n > 0 && p3d_lower(name[1]) == 'b' &&
                (name[2] == '\0' || name[2] == '-')) {
            *size = name + 1 - n;
            return n;
        }
    }
    return 0;
}

/* Names of two sizes are further apart than their letters. */
static bool differ_in_size(const char *a, const char *b)
{
    const char *of_a = NULL, *of_b = NULL;
    const size_t n = find_size(a, &of_a);

    return n > 0 && find_size(b, &of_b) > 0 && strncmp(of_a, of_b, n + 1) != 0;
}

/* Of equals the first stays, unless the next is the word and more letters, as
 * A800 of A80. */
static bool goes_on_closer(const p3d_nearest *nearest, const char *candidate)
{
    return goes_on(nearest->word, candidate) &&
           !goes_on(nearest->word, nearest->best);
}

void p3d_nearest_offer(p3d_nearest *nearest, const char *candidate)
{
    const size_t n_word = strlen(nearest->word);
    const size_t n_candidate = strlen(candidate);
    const size_t longer = n_word > n_candidate ? n_word : n_candidate;
    const size_t shorter = n_word < n_candidate ? n_word : n_candidate;
    const bool begins = begins_name(nearest->word, candidate);
    int distance;

    /* One edit in three letters still looks like a slip of the finger, of two
     * letters where the first is right: tp is no mtp. */
    if (!begins && ((longer - shorter) * 3 > longer ||
                           (shorter < 3 && p3d_lower(nearest->word[0]) !=
                                                   p3d_lower(candidate[0]))))
        return;
    distance = begins ? 1 : p3d_distance(nearest->word, candidate);
    if (distance > 1 && differ_in_size(nearest->word, candidate))
        distance += 2;
    if ((size_t)distance * 3 > longer || distance >= FAR_APART)
        return;
    if (nearest->best[0] != '\0' &&
            (nearest->distance < distance ||
                    (nearest->distance == distance &&
                            !goes_on_closer(nearest, candidate))))
        return;
    nearest->distance = distance;
    p3d_copy(nearest->best, sizeof(nearest->best), candidate);
}

const char *p3d_did_you_mean(p3d_nearest *nearest, const char *otherwise)
{
    if (nearest->best[0] == '\0')
        return otherwise;
    snprintf(nearest->end, sizeof(nearest->end), "; did you mean '%s'?",
            nearest->best);
    return nearest->end;
}

static int compare(const void *a, const void *b)
{
    const p3d_name *const left = a;
    const p3d_name *const right = b;
    const int order = strcmp(left->name, right->name);

    return order != 0 ? order
                      : (left->row > right->row) - (left->row < right->row);
}

void p3d_names_sort(p3d_name *names, int n)
{
    if (n > 1)
        qsort(names, (size_t)n, sizeof(*names), compare);
}

/* As strcmp(), of a name that ends after `length` bytes. */
static int compare_to(const char *name, const char *to, size_t length)
{
    const int order = strncmp(name, to, length);

    return order != 0 ? order : name[length] != '\0';
}

int p3d_names_find(
        const p3d_name *names, int n, const char *name, size_t length)
{
    int low = 0;
    int high = n;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (compare_to(names[middle].name, name, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && compare_to(names[low].name, name, length) == 0
                   ? names[low].row
                   : -1;
}
