/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c - takes a long JSON document apart as it comes. */
#include "json/parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"

/* Longest value that is kept; longer ones are skipped. An event of a profiler
 * with its stack has some kilobytes. */
enum { MOST_KEPT = 1 << 20, MOST_KEY = 128 };

/* Where in the document the next byte stands. */
typedef enum place {
    AT_START,
    AT_KEY, /* or at the end of the document */
    IN_KEY,
    AT_COLON,
    AT_VALUE, /* of a member */
    AT_COMMA, /* between members */
    IN_VALUE,
    AT_ELEMENT, /* of the list, or at its end */
    AT_END
} place;

struct json_parts {
    const char *list;
    json_part_taker to;
    place at;
    bool bare;    /* the list is the whole document */
    bool in_list; /* the value is an element */
    char key[MOST_KEY];
    size_t n_key;
    char *value;
    size_t n_value, capacity;
    int depth; /* of brackets in the value */
    bool in_string, escaped;
    bool is_word; /* a number, true, false or null: it ends before a mark */
    int line;
};

json_parts *json_parts_new(const char *list, const json_part_taker *to)
{
    json_parts *const p = calloc(1, sizeof(*p));

    if (p == NULL)
        return NULL;
    p->list = list;
    p->to = *to;
    p->line = 1;
    return p;
}

void json_parts_free(json_parts *parts)
{
    if (parts != NULL)
        free(parts->value);
    free(parts);
}

static bool refuse(const json_parts *p, char c, p3d_error *err)
{
    if (err != NULL && err->code == P3D_OK)
        err->line = p->line;
    return p3d_fail(err, P3D_DATA,
            "this is no JSON: byte 0x%02x cannot stand here; write the file as "
            "the profiler made it",
            (unsigned)(unsigned char)c);
}

/* Keep a byte of the value; one that is too long is dropped at its end. */
static bool keep(json_parts *p, char c, p3d_error *err)
{
    if (p->n_value > MOST_KEPT)
        return true;
    if (p->n_value == p->capacity) {
        const size_t wanted = p->capacity > 0 ? 2 * p->capacity : 4096;
        char *const more = realloc(p->value, wanted);

        if (more == NULL)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
        p->value = more;
        p->capacity = wanted;
    }
    p->value[p->n_value++] = c;
    return true;
}

static bool end_value(json_parts *p, p3d_error *err)
{
    const json_slice key = {p->key, p->in_list ? 0 : p->n_key};
    const json_slice value = {
            p->value, p->n_value > MOST_KEPT ? 0 : p->n_value};

    p->at = p->in_list ? AT_ELEMENT : AT_COMMA;
    return p->to.take(p->to.to, key, value, err);
}

static bool begin_value(json_parts *p, char c, p3d_error *err)
{
    p->n_value = 0;
    p->depth = c == '{' || c == '[';
    p->in_string = c == '"';
    p->escaped = false;
    p->is_word = p3d_is_word(c) || c == '-';
    p->at = IN_VALUE;
    return p->depth > 0 || p->in_string || p->is_word ? keep(p, c, err)
                                                      : refuse(p, c, err);
}

/* A byte inside of a string of the value. */
static bool in_string(json_parts *p, char c, p3d_error *err)
{
    p->in_string = p->escaped || c != '"';
    p->escaped = !p->escaped && c == '\\';
    return keep(p, c, err) &&
           (p->in_string || p->depth > 0 || end_value(p, err));
}

static bool at_byte(json_parts *p, char c, p3d_error *err);

static bool in_value(json_parts *p, char c, p3d_error *err)
{
    if (p->in_string)
        return in_string(p, c, err);
    if (p->is_word) {
        if (p3d_is_word(c) || c == '.' || c == '+' || c == '-')
            return keep(p, c, err);
        return end_value(p, err) && at_byte(p, c, err);
    }
    p->in_string = c == '"';
    p->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    return keep(p, c, err) && (p->depth > 0 || end_value(p, err));
}

static bool in_key(json_parts *p, char c)
{
    if (!p->escaped && c == '"') {
        p->at = AT_COLON;
        return true;
    }
    p->escaped = !p->escaped && c == '\\';
    if (p->n_key < MOST_KEY)
        p->key[p->n_key++] = c;
    return true;
}

/* A byte between values, which is no blank. */
static bool between(json_parts *p, char c, p3d_error *err)
{
    switch (p->at) {
    case AT_START:
        p->bare = p->in_list = c == '[';
        p->at = p->bare ? AT_ELEMENT : AT_KEY;
        return p->bare || c == '{' || ((p->at = AT_START), refuse(p, c, err));
    case AT_KEY:
        p->n_key = 0;
        p->at = c == '"' ? IN_KEY : c == '}' ? AT_END : AT_KEY;
        return p->at != AT_KEY || refuse(p, c, err);
    case AT_COLON:
        if (c != ':')
            return refuse(p, c, err);
        p->at = AT_VALUE;
        return true;
    case AT_VALUE:
        p->in_list = c == '[' &&
                     json_slice_is((json_slice){p->key, p->n_key}, p->list);
        if (!p->in_list)
            return begin_value(p, c, err);
        p->at = AT_ELEMENT;
        return true;
    case AT_COMMA:
        if (c != ',' && c != '}')
            return refuse(p, c, err);
        p->at = c == ',' ? AT_KEY : AT_END;
        return true;
    case AT_ELEMENT:
        if (c == ']') {
            p->at = p->bare ? AT_END : AT_COMMA;
            p->in_list = false;
            return true;
        }
        return c == ',' || begin_value(p, c, err);
    case IN_KEY:
    case IN_VALUE:
    case AT_END: break;
    }
    return refuse(p, c, err);
}

static bool at_byte(json_parts *p, char c, p3d_error *err)
{
    if (p->at == IN_VALUE)
        return in_value(p, c, err);
    if (p->at == IN_KEY)
        return in_key(p, c);
    return p3d_is_space(c) || between(p, c, err);
}

bool json_parts_take(void *parts, const char *part, size_t n, p3d_error *err)
{
    json_parts *const p = parts;

    for (size_t i = 0; i < n; i++) {
        if (!at_byte(p, part[i], err))
            return false;
        p->line += part[i] == '\n' && p->line < INT32_MAX;
    }
    return true;
}

bool json_parts_end(json_parts *parts, p3d_error *err)
{
    if (parts->at == AT_END)
        return true;
    if (err != NULL && err->code == P3D_OK)
        err->line = parts->line;
    return p3d_fail(err, P3D_DATA,
            "the document is cut short; let the profiler end, and copy the "
            "file whole");
}

/* Walking a value that is whole. */

json_walk json_walk_into(json_slice value)
{
    const bool open =
            value.n >= 2 && (value.text[0] == '{' || value.text[0] == '[');

    return open ? (json_walk){value.text + 1, value.text + value.n - 1}
                : (json_walk){NULL, NULL};
}

static void skip_marks(json_walk *w)
{
    while (w->at < w->end &&
            (p3d_is_space(*w->at) || *w->at == ',' || *w->at == ':'))
        w->at++;
}

/* Behind the string that begins here. */
static void skip_string(json_walk *w)
{
    w->at++;
    while (w->at < w->end && *w->at != '"')
        w->at += *w->at == '\\' && w->end - w->at > 1 ? 2 : 1;
    w->at += w->at < w->end;
}

static void skip_brackets(json_walk *w)
{
    int depth = 0;

    do {
        const char c = *w->at;

        if (c == '"') {
            skip_string(w);
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        w->at++;
    } while (depth > 0 && w->at < w->end);
}

bool json_walk_element(json_walk *walk, json_slice *value)
{
    skip_marks(walk);
    if (walk->at >= walk->end)
        return false;
    value->text = walk->at;
    if (*walk->at == '"')
        skip_string(walk);
    else if (*walk->at == '{' || *walk->at == '[')
        skip_brackets(walk);
    else
        do
            walk->at++;
        while (walk->at < walk->end && !p3d_is_space(*walk->at) &&
                *walk->at != ',' && *walk->at != ':');
    value->n = (size_t)(walk->at - value->text);
    return true;
}

bool json_walk_member(json_walk *walk, json_slice *key, json_slice *value)
{
    if (!json_walk_element(walk, key) || !json_walk_element(walk, value))
        return false;
    *key = json_slice_inside(*key);
    return true;
}

json_slice json_slice_inside(json_slice value)
{
    if (value.n < 2 || value.text[0] != '"')
        return value;
    return (json_slice){value.text + 1, value.n - 2};
}

bool json_slice_is(json_slice slice, const char *word)
{
    size_t i = 0;

    while (i < slice.n && word[i] != '\0' &&
            p3d_lower(slice.text[i]) == p3d_lower(word[i]))
        i++;
    return i == slice.n && word[i] == '\0';
}

void json_slice_copy(json_slice slice, char *to, size_t n)
{
    const size_t fits = slice.n < n - 1 ? slice.n : n - 1;

    if (fits > 0)
        memcpy(to, slice.text, fits);
    to[fits] = '\0';
}

int64_t json_slice_whole(json_slice value, int64_t factor, int64_t otherwise)
{
    char text[P3D_NUMBER_MAX + 1];
    p3d_decimal number;
    int64_t found;
    bool exact;

    json_slice_copy(json_slice_inside(value), text, sizeof(text));
    return p3d_scan_decimal(text, &number) > 0 &&
                           p3d_decimal_integer(
                                   &number, 0, factor, &found, &exact)
                   ? found
                   : otherwise;
}
