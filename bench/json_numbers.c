/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_numbers.c - replaces numbers of a JSON file and nothing else. */
#include "bench/json_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/write_file.h"
#include "json/locate.h"

enum { MOST_BYTES = 1 << 20 };

/* The number after "key": at a place; NULL where there is none. */
static const char *number_at(const char *member)
{
    const char *const colon = strchr(member, ':');

    return colon == NULL ? NULL : colon + 1 + strspn(colon + 1, " \n\t");
}

/* Writes the number into the text, which is made anew. */
static bool replace(p3d_text *text, const char *pointer, bench_number number,
        p3d_error *err)
{
    const char *const old = p3d_text_get(text);
    p3d_text made = {0};
    char whole[128];
    size_t offset;
    const char *at;

    snprintf(whole, sizeof(whole), "%s/%s", pointer, number.key);
    if (!json_locate(old, text->length, whole, 1, &offset) ||
            (at = number_at(old + offset)) == NULL)
        return p3d_fail(err, P3D_DATA, "%s is not there", whole);
    p3d_text_append(&made, old, (size_t)(at - old));
    p3d_text_add(
            &made, "%.6g%s", number.value, at + strspn(at, "+-.0123456789eE"));
    p3d_text_free(text);
    *text = made;
    return !made.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

bool bench_write_numbers(const char *path, const char *pointer,
        const bench_number *numbers, int n, p3d_error *err)
{
    p3d_text text = {0};
    char *read = NULL;
    size_t length = 0;
    bool ok = p3d_read_file(path, MOST_BYTES, &read, &length, err);

    p3d_text_append(&text, read, length);
    free(read);
    for (int i = 0; i < n && ok; i++)
        ok = replace(&text, pointer, numbers[i], err);
    ok = ok && p3d_write_file(path, true, &text, err);
    p3d_text_free(&text);
    return ok;
}
