/* SPDX-License-Identifier: GPL-3.0-or-later */
/* put_fields.c - writes a struct by the table that reads it. */
#include <string.h>

#include "json/json.h"

/* memcpy() because the struct's members are reached by their offset. */
#define MEMBER(T, name, at) \
    T name;                 \
    memcpy(&name, at, sizeof(name))

static void put_int(json_writer *w, const json_field *field, int64_t value)
{
    if (value != 0 || field->required)
        json_put_int(w, field->key, value);
}

static void put_double(json_writer *w, const json_field *field, const char *at)
{
    MEMBER(double, value, at);

    if (value != 0 || field->required)
        json_put_double(w, field->key, value);
}

static void put_bool(json_writer *w, const json_field *field, const char *at)
{
    MEMBER(bool, value, at);

    if (value || field->required)
        json_put_bool(w, field->key, value);
}

static void put_field(json_writer *w, const json_field *field, const char *at)
{
    switch (field->kind) {
    case JSON_INT: {
        MEMBER(int, value, at);

        put_int(w, field, value);
        break;
    }
    case JSON_INT64: {
        MEMBER(int64_t, value, at);

        put_int(w, field, value);
        break;
    }
    case JSON_DOUBLE: put_double(w, field, at); break;
    case JSON_BOOL: put_bool(w, field, at); break;
    case JSON_STRING:
        if (*at != '\0' || field->required)
            json_put_string(w, field->key, at);
        break;
    case JSON_ANY: break;
    }
}

void json_put_fields(
        json_writer *w, const json_field *fields, int n_fields, const void *in)
{
    for (int i = 0; i < n_fields; i++)
        put_field(w, &fields[i], (const char *)in + fields[i].offset);
}
