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
        const report_shape *shape, const void *document, p3d_text *out)
{
    json_writer writer = {.out = out};

    report_write(&writer, NULL, shape, document);
    p3d_text_add(out, "\n");
}

/* Where there is no row, a line has the document: it says why. */
static void print_lines(const report_data *data, p3d_text *out)
{
    const report_shape *const shape =
            data->rows.n > 0 ? data->row : data->shape;
    const report_list document = {data->document, 1};
    const report_list *const rows = data->rows.n > 0 ? &data->rows : &document;

    for (int i = 0; i < rows->n; i++) {
        json_writer writer = {.out = out, .one_line = true};

        report_write(&writer, NULL, shape,
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

/* A number or truth as JSON has it, so that both formats say the same. */
static void put_as_json(
        const report_field *field, const void *object, p3d_text *out)
{
    const report_field alone = {.kind = field->kind,
            .offset = field->offset,
            .get = field->get,
            .zero_is_null = field->zero_is_null,
            .nan_is_null = field->nan_is_null};
    p3d_text value = {0};
    json_writer w = {.out = &value};

    report_write_value(&w, &alone, object);
    if (strcmp(p3d_text_get(&value), "null") != 0)
        p3d_text_add(out, "%s", p3d_text_get(&value));
    out->failed = out->failed || value.failed;
    p3d_text_free(&value);
}

static void put_value(
        const report_field *field, const void *object, p3d_text *out)
{
    report_value worked_out;
    const char *const at = report_value_of(field, object, &worked_out);
    const char *text = NULL;
    int word;

    switch (field->kind) {
    case REPORT_CONST: p3d_csv_put(field->text, out); break;
    case REPORT_CHARS: p3d_csv_put(at, out); break;
    case REPORT_STRING:
        memcpy(&text, at, sizeof(text));
        if (text != NULL)
            p3d_csv_put(text, out);
        break;
    case REPORT_WORD:
        memcpy(&word, at, sizeof(word));
        p3d_csv_put(field->word(word), out);
        break;
    case REPORT_BOOL:
    case REPORT_INT:
    case REPORT_INT64:
    case REPORT_DOUBLE: put_as_json(field, object, out); break;
    case REPORT_OBJECT:
    case REPORT_OBJECT_OR_NULL:
    case REPORT_LIST:
    case REPORT_LINES: P3D_ASSERT(field->kind < REPORT_OBJECT); break;
    }
}

static bool is_object(const report_field *field)
{
    return field->kind == REPORT_OBJECT || field->kind == REPORT_OBJECT_OR_NULL;
}

static bool is_list(const report_field *field)
{
    return field->kind == REPORT_LIST || field->kind == REPORT_LINES;
}

/* The object in a field, or NULL. */
static const void *object_in(const report_field *field, const void *object)
{
    report_value worked_out;
    const void *at;
    const void *inner;

    if (object == NULL)
        return NULL;
    at = report_value_of(field, object, &worked_out);
    if (field->kind == REPORT_OBJECT)
        return at;
    memcpy(&inner, at, sizeof(inner));
    return inner;
}

/* Names of the columns: "step_s", of an object within "memory.peak_bytes". */
static void put_names(const report_shape *shape, const char *prefix,
        const char **comma, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const report_field *field = &shape->fields[i];
        char inner[PREFIX];

        if (is_object(field)) {
            snprintf(inner, sizeof(inner), "%s%s.", prefix, field->key);
            put_names(field->shape, inner, comma, out);
        } else if (!is_list(field)) {
            p3d_text_add(out, "%s%s%s", *comma, prefix, field->key);
            *comma = ",";
        }
    }
}

/* The fields of an object; all are empty where it is NULL. */
static void put_values(const report_shape *shape, const void *object,
        const char **comma, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const report_field *field = &shape->fields[i];

        if (is_object(field)) {
            put_values(field->shape, object_in(field, object), comma, out);
        } else if (!is_list(field)) {
            p3d_text_add(out, "%s", *comma);
            *comma = ",";
            if (object != NULL)
                put_value(field, object, out);
        }
    }
}

/* The list of objects that an object holds beside its other fields, or NULL. */
static const report_field *list_of(const report_shape *shape)
{
    for (int i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].kind == REPORT_LIST)
            return &shape->fields[i];
    return NULL;
}

static void put_header(const report_shape *shape, p3d_text *out)
{
    const report_field *list = list_of(shape);
    const char *comma = "";

    put_names(shape, "", &comma, out);
    if (list != NULL)
        put_names(list->shape, "", &comma, out);
    p3d_text_add(out, "\n");
}

static void put_line(const report_shape *shape, const void *object,
        const report_shape *inner, const void *item, p3d_text *out)
{
    const char *comma = "";

    put_values(shape, object, &comma, out);
    if (inner != NULL)
        put_values(inner, item, &comma, out);
    p3d_text_add(out, "\n");
}

static void put_object(
        const report_shape *shape, const char *object, p3d_text *out)
{
    const report_field *field = list_of(shape);
    report_value worked_out;
    report_list list;

    if (field == NULL) {
        put_line(shape, object, NULL, NULL, out);
        return;
    }
    memcpy(&list, report_value_of(field, object, &worked_out), sizeof(list));
    for (int i = 0; i < list.n; i++)
        put_line(shape, object, field->shape,
                (const char *)list.items + (size_t)i * field->shape->size, out);
}

void report_write_csv(
        const report_shape *shape, const report_list *objects, p3d_text *out)
{
    put_header(shape, out);
    for (int i = 0; i < objects->n; i++)
        put_object(shape,
                (const char *)objects->items + (size_t)i * shape->size, out);
}
