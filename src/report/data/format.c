/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.c - an answer as JSON, CSV or JSON lines, by its tables of fields. */
#include "report/data/format.h"

#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/util.h"

const char *report_format_word(int i)
{
    static const char *const words[REPORT_N_FORMATS] = {
            "text", "json", "csv", "jsonl", "md"};

    return i < REPORT_N_FORMATS ? words[i] : NULL;
}

void report_print_json(
        const json_shape *shape, const void *document, p3d_text *out)
{
    json_writer writer = {.out = out};

    json_put_object(&writer, NULL, shape, document);
    p3d_text_add(out, "\n");
}

/* Where there is no row, a line has the document: it says why. */
static void print_lines(const report_data *data, p3d_text *out)
{
    const json_shape *const shape = data->rows.n > 0 ? data->row : data->shape;
    const json_list document = {data->document, 1};
    const json_list *const rows = data->rows.n > 0 ? &data->rows : &document;

    for (int i = 0; i < rows->n; i++) {
        json_writer writer = {.out = out, .one_line = true};

        json_put_object(&writer, NULL, shape,
                (const char *)rows->items + (size_t)i * shape->size);
        p3d_text_add(out, "\n");
    }
}

bool report_print_data(
        const report_data *data, report_format format, p3d_text *out)
{
    switch (format) {
    case REPORT_JSON:
        report_print_json(data->shape, data->document, out);
        return true;
    case REPORT_CSV: report_write_csv(data->row, &data->rows, out); return true;
    case REPORT_JSONL: print_lines(data, out); return true;
    case REPORT_TEXT:
    case REPORT_MARKDOWN:
    case REPORT_N_FORMATS: break;
    }
    return false;
}

enum { PREFIX = 128 };

static bool is_object(const json_field *field)
{
    return field->type->kind == JSON_KIND_OBJECT ||
           field->type->kind == JSON_KIND_OBJECT_OR_NULL;
}

static bool is_list(const json_field *field)
{
    return field->type->kind == JSON_KIND_LIST ||
           field->type->kind == JSON_KIND_LINES;
}

/* The object in a field, or NULL. */
static const void *object_in(const json_field *field, const void *object)
{
    json_got got;
    const void *at;
    const void *inner;

    if (object == NULL)
        return NULL;
    at = json_member_of(field, object, &got);
    if (field->type->kind == JSON_KIND_OBJECT)
        return at;
    memcpy(&inner, at, sizeof(inner));
    return inner;
}

/* Names of the columns: "step_s", of an object within "memory.peak_bytes". */
static void put_names(const json_shape *shape, const char *prefix,
        const char **comma, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const json_field *field = &shape->fields[i];
        char inner[PREFIX];

        if (is_object(field)) {
            snprintf(inner, sizeof(inner), "%s%s.", prefix, field->key);
            put_names(field->type->shape, inner, comma, out);
        } else if (!is_list(field)) {
            p3d_text_add(out, "%s%s%s", *comma, prefix, field->key);
            *comma = ",";
        }
    }
}

/* The fields of an object; all are empty where it is NULL. */
static void put_values(const json_shape *shape, const void *object,
        const char **comma, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const json_field *field = &shape->fields[i];

        if (is_object(field)) {
            put_values(
                    field->type->shape, object_in(field, object), comma, out);
        } else if (!is_list(field)) {
            p3d_text_add(out, "%s", *comma);
            *comma = ",";
            if (object != NULL)
                json_put_cell(field, object, out);
        }
    }
}

/* The list of objects that an object holds beside its other fields, or NULL. */
static const json_field *list_of(const json_shape *shape)
{
    for (int i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].type->kind == JSON_KIND_LIST)
            return &shape->fields[i];
    return NULL;
}

static void put_header(const json_shape *shape, p3d_text *out)
{
    const json_field *list = list_of(shape);
    const char *comma = "";

    put_names(shape, "", &comma, out);
    if (list != NULL)
        put_names(list->type->shape, "", &comma, out);
    p3d_text_add(out, "\n");
}

static void put_line(const json_shape *shape, const void *object,
        const json_shape *inner, const void *item, p3d_text *out)
{
    const char *comma = "";

    put_values(shape, object, &comma, out);
    if (inner != NULL)
        put_values(inner, item, &comma, out);
    p3d_text_add(out, "\n");
}

static void put_object(
        const json_shape *shape, const char *object, p3d_text *out)
{
    const json_field *field = list_of(shape);
    json_list list;

    if (field == NULL) {
        put_line(shape, object, NULL, NULL, out);
        return;
    }
    list = json_list_of(field, object);
    for (int i = 0; i < list.n; i++)
        put_line(shape, object, field->type->shape,
                (const char *)list.items + (size_t)i * field->type->shape->size,
                out);
}

void report_write_csv(
        const json_shape *shape, const json_list *objects, p3d_text *out)
{
    put_header(shape, out);
    for (int i = 0; i < objects->n; i++)
        put_object(shape,
                (const char *)objects->items + (size_t)i * shape->size, out);
}
