/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_json.c - JSON as settings, with the comments and last commas that
 * DeepSpeed's reader (HJSON) allows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "exchange/read.h"
#include "json/json.h"

enum { MAX_NAME = 512, MAX_DEPTH = 64 };

static size_t comment_length(const char *at)
{
    if (*at == '#' || strncmp(at, "//", 2) == 0)
        return strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *const end = strstr(at + 2, "*/");

        return end != NULL ? (size_t)(end - at) + 2 : strlen(at);
    }
    return 0;
}

/* The next place that is neither blank nor comment. */
static const char *next_token(const char *at)
{
    for (;;) {
        const size_t n = strspn(at, " \t\r\n");
        const size_t comment = comment_length(at + n);

        if (n + comment == 0)
            return at;
        at += n + comment;
    }
}

/* Comments and last commas become blanks, so that places stay where they
 * are. */
static void blank_out(char *text)
{
    bool in_string = false;

    for (char *p = text; *p != '\0'; p++) {
        const size_t n = in_string ? 0 : comment_length(p);

        if (in_string && *p == '\\' && p[1] != '\0') {
            p++;
        } else if (*p == '"') {
            in_string = !in_string;
        } else if (n > 0) {
            for (size_t i = 0; i < n; i++)
                p[i] = p[i] == '\n' ? '\n' : ' ';
            p += n - 1;
        } else if (*p == ',' && !in_string &&
                   strchr("}]", *next_token(p + 1)) != NULL &&
                   *next_token(p + 1) != '\0') {
            *p = ' ';
        }
    }
}

static bool add(const json_value *value, char name[MAX_NAME], int depth,
        p3d_settings *out, p3d_error *err);

static bool add_members(const json_value *value, char name[MAX_NAME], int depth,
        p3d_settings *out, p3d_error *err)
{
    const size_t used = strlen(name);
    int index = 0;

    for (const json_value *v = json_first(value); v != NULL;
            v = json_next(v), index++) {
        char number[16];
        const char *key = json_key(v);

        snprintf(number, sizeof(number), "%d", index);
        if (json_is_array(value))
            key = number;
        if (snprintf(name + used, MAX_NAME - used, "%s%s", used > 0 ? "." : "",
                    key) >= (int)(MAX_NAME - used))
            return p3d_fail(
                    err, P3D_DATA, "a name longer than %d bytes", MAX_NAME);
        if (!add(v, name, depth + 1, out, err))
            return false;
        name[used] = '\0';
    }
    return true;
}

static bool add(const json_value *value, char name[MAX_NAME], int depth,
        p3d_settings *out, p3d_error *err)
{
    char number[P3D_NUMBER_BUFFER];
    double x = 0;

    if (json_is_object(value) || json_is_array(value))
        return depth < MAX_DEPTH && add_members(value, name, depth, out, err);
    if (json_is_string(value))
        return p3d_settings_add(out, name, json_string(value), 0, err);
    if (!json_number(value, &x))
        return true; /* null: as if it were not there */
    p3d_print_shortest(number, sizeof(number), x);
    return p3d_settings_add(out, name, number, 0, err);
}

bool p3d_read_json(const char *file, const char *text, size_t length,
        p3d_settings *out, p3d_error *err)
{
    char *const copy = malloc(length + 1);
    char name[MAX_NAME] = "";
    json_doc doc = {.root = NULL};
    bool ok;

    if (copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strlen(copy) == length)
        blank_out(copy);
    ok = json_parse(file, copy, length, &doc, err) &&
         add(doc.root, name, 0, out, err);
    json_close(&doc);
    free(copy);
    return ok;
}
