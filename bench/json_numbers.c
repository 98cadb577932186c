/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_numbers.c - replaces numbers of a JSON file and nothing else. */
#include "bench/json_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/locate.h"

enum { MAX_FILE = 1 << 20 };

/* Reads a file whole; NUL-terminated. */
static bool read_file(const char *path, char *text, p3d_error *err)
{
    FILE *file = fopen(path, "r");
    size_t n;

    if (file == NULL)
        return p3d_fail(err, P3D_SYSTEM, "%s cannot be read", path);
    n = fread(text, 1, MAX_FILE - 1, file);
    text[n] = '\0';
    fclose(file);
    return true;
}

/* The number after "key": at an offset; NULL where there is none. */
static char *number_at(char *member)
{
    char *colon = strchr(member, ':');

    return colon == NULL ? NULL : colon + 1 + strspn(colon + 1, " \n\t");
}

static bool replace(
        char *text, const char *pointer, bench_number number, p3d_error *err)
{
    char whole[128];
    char words[32];
    size_t offset, old, new;
    char *at;

    snprintf(whole, sizeof(whole), "%s/%s", pointer, number.key);
    if (!json_locate(text, strlen(text), whole, 1, &offset) ||
            (at = number_at(text + offset)) == NULL)
        return p3d_fail(err, P3D_DATA, "%s is not there", whole);
    old = strspn(at, "+-.0123456789eE");
    new = (size_t)snprintf(words, sizeof(words), "%.6g", number.value);
    if (strlen(text) + new >= MAX_FILE)
        return p3d_fail(err, P3D_SYSTEM, "the file is too long");
    memmove(at + new, at + old, strlen(at + old) + 1);
    memcpy(at, words, new);
    return true;
}

static bool write_file(const char *path, const char *text, p3d_error *err)
{
    FILE *file = fopen(path, "w");
    bool ok = file != NULL && fputs(text, file) >= 0;

    if (file != NULL)
        ok = fclose(file) == 0 && ok;
    return ok || p3d_fail(err, P3D_SYSTEM, "%s cannot be written", path);
}

bool bench_write_numbers(const char *path, const char *pointer,
        const bench_number *numbers, int n, p3d_error *err)
{
    char *text = malloc(MAX_FILE);
    bool ok = text != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && read_file(path, text, err);
    for (int i = 0; i < n && ok; i++)
        ok = replace(text, pointer, numbers[i], err);
    ok = ok && write_file(path, text, err);
    free(text);
    return ok;
}
