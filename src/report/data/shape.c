/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.c - one table of fields writes a JSON object and its schema. */
#include "report/data/shape.h"

#include <math.h>
#include <string.h>

/* The members are read with memcpy: the tables promise the types. */
static int read_int(const char *from)
{
    int value;

    memcpy(&value, from, sizeof(value));
    return value;
}

static int64_t read_int64(const char *from)
{
    int64_t value;

    memcpy(&value, from, sizeof(value));
    return value;
}

static double read_double(const char *from)
{
    double value;

    memcpy(&value, from, sizeof(value));
    return value;
}

static bool read_bool(const char *from)
{
    bool value;

    memcpy(&value, from, sizeof(value));
    return value;
}

static const void *read_pointer(const char *from)
{
    const void *value;

    memcpy(&value, from, sizeof(value));
    return value;
}

void report_get_chars(const void *at, report_value *out)
{
    out->string = at;
}

const void *report_value_of(
        const report_field *field, const void *object, report_value *worked_out)
{
    const void *const at = (const char *)object + field->offset;

    if (field->get == NULL)
        return at;
    field->get(at, worked_out);
    return worked_out;
}

static void write_number(
        json_writer *w, const report_field *field, const char *from)
{
    if (field->kind == REPORT_DOUBLE) {
        const double value = read_double(from);

        if ((field->zero_is_null && value == 0) ||
                (field->nan_is_null && isnan(value)))
            json_put_null(w, field->key);
        else
            json_put_double(w, field->key, value);
    } else {
        const int64_t value =
                field->kind == REPORT_INT ? read_int(from) : read_int64(from);

        if (field->zero_is_null && value == 0)
            json_put_null(w, field->key);
        else
            json_put_int(w, field->key, value);
    }
}

static void write_string(json_writer *w, const char *key, const char *value)
{
    if (value == NULL)
        json_put_null(w, key);
    else
        json_put_string(w, key, value);
}

static void write_list(
        json_writer *w, const report_field *field, const char *from)
{
    report_list list;

    memcpy(&list, from, sizeof(list));
    json_begin(w, field->key, '[');
    for (int i = 0; i < list.n; i++) {
        const char *items = list.items;

        if (field->kind == REPORT_LINES) {
            json_put_string(w, NULL, items + (size_t)i * REPORT_LINE);
        } else {
            report_write(w, NULL, field->shape,
                    items + (size_t)i * field->shape->size);
        }
    }
    json_end(w, ']');
}

void report_write_value(
        json_writer *w, const report_field *field, const void *object)
{
    report_value worked_out;
    const char *const from = report_value_of(field, object, &worked_out);

    switch (field->kind) {
    case REPORT_CONST: json_put_string(w, field->key, field->text); break;
    case REPORT_STRING: write_string(w, field->key, read_pointer(from)); break;
    case REPORT_CHARS: json_put_string(w, field->key, from); break;
    case REPORT_WORD:
        json_put_string(w, field->key, field->word(read_int(from)));
        break;
    case REPORT_BOOL: json_put_bool(w, field->key, read_bool(from)); break;
    case REPORT_INT:
    case REPORT_INT64:
    case REPORT_DOUBLE: write_number(w, field, from); break;
    case REPORT_OBJECT: report_write(w, field->key, field->shape, from); break;
    case REPORT_OBJECT_OR_NULL:
        if (read_pointer(from) == NULL)
            json_put_null(w, field->key);
        else
            report_write(w, field->key, field->shape, read_pointer(from));
        break;
    case REPORT_LIST:
    case REPORT_LINES: write_list(w, field, from); break;
    }
}

void report_write(json_writer *w, const char *key, const report_shape *shape,
        const void *object)
{
    json_begin(w, key, '{');
    for (int i = 0; i < shape->n_fields; i++)
        report_write_value(w, &shape->fields[i], object);
    json_end(w, '}');
}
