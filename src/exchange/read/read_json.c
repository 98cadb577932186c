/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_json.c - JSON as settings, and Hjson, which DeepSpeed reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "exchange/read/hjson.h"
#include "exchange/read/read.h"
#include "json/json.h"

enum { MAX_NAME = 512, MAX_DEPTH = 64 };

/* The next place that is neither blank nor comment. */
static const char *next_token(const char *at)
{
    for (;;) {
        const size_t n = strspn(at, " \t\r\n");
        const size_t comment = exchange_hjson_comment(at + n);

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
        const size_t n = in_string ? 0 : exchange_hjson_comment(p);

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
        return exchange_settings_add(out, name, json_string(value), 0, err);
    if (!json_number(value, &x))
        return true; /* null: as if it were not there */
    p3d_print_shortest(number, sizeof(number), x);
    return exchange_settings_add(out, name, number, 0, err);
}

/* JSON with comments and last commas. */
static bool parse_commented(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    char *const copy = malloc(length + 1);
    bool ok;

    if (copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(copy, text, length + 1);
    blank_out(copy);
    ok = json_parse(file, copy, length, doc, err);
    free(copy);
    return ok;
}

/* Where both fail, the message is that of JSON, at its place. */
static bool parse(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    p3d_error as_json = {0};
    p3d_error as_hjson = {0};
    p3d_text converted = {0};
    bool ok;

    if (parse_commented(file, text, length, doc, &as_json))
        return true;
    exchange_hjson_to_json(text, &converted);
    ok = !converted.failed && json_parse(file, p3d_text_get(&converted),
                                      converted.length, doc, &as_hjson);
    p3d_text_free(&converted);
    if (!ok)
        *err = as_json;
    return ok;
}

bool exchange_read_json(const char *file, const char *text, size_t length,
        p3d_settings *out, p3d_error *err)
{
    char name[MAX_NAME] = "";
    json_doc doc = {.root = NULL};
    const bool ok = parse(file, text, length, &doc, err) &&
                    add(doc.root, name, 0, out, err);

    json_close(&doc);
    return ok;
}
