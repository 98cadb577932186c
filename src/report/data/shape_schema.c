/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape_schema.c - the JSON Schema of an object, from its table of fields. */
#include "report/data/shape.h"

static const char *const type_words[] = {
        [REPORT_CONST] = "string",
        [REPORT_STRING] = "string",
        [REPORT_CHARS] = "string",
        [REPORT_WORD] = "string",
        [REPORT_BOOL] = "boolean",
        [REPORT_INT] = "integer",
        [REPORT_INT64] = "integer",
        [REPORT_DOUBLE] = "number",
        [REPORT_LIST] = "array",
        [REPORT_LINES] = "array",
};

static bool may_be_null(const report_field *field)
{
    return field->zero_is_null || field->nan_is_null ||
           field->kind == REPORT_STRING || field->kind == REPORT_OBJECT_OR_NULL;
}

static void put_words(json_writer *w, const report_field *field)
{
    json_begin(w, "enum", '[');
    for (int i = 0; field->word(i) != NULL; i++)
        json_put_string(w, NULL, field->word(i));
    json_end(w, ']');
}

static void put_items(json_writer *w, const report_field *field)
{
    if (field->kind == REPORT_LIST) {
        report_write_schema(w, "items", field->shape);
        return;
    }
    json_begin(w, "items", '{');
    json_put_string(w, "type", "string");
    json_end(w, '}');
}

/* The schema of a value that is there, as an object of its own. */
static void put_value(
        json_writer *w, const char *key, const report_field *field)
{
    const bool may_be_null_too = may_be_null(field);

    if (field->shape != NULL && field->kind != REPORT_LIST) {
        report_write_schema(w, key, field->shape);
        return;
    }
    json_begin(w, key, '{');
    if (!may_be_null_too)
        json_put_string(w, "description", field->doc);
    json_put_string(w, "type", type_words[field->kind]);
    switch (field->kind) {
    case REPORT_CONST: json_put_string(w, "const", field->text); break;
    case REPORT_WORD: put_words(w, field); break;
    case REPORT_LIST:
    case REPORT_LINES: put_items(w, field); break;
    case REPORT_INT:
    case REPORT_INT64:
    case REPORT_DOUBLE:
        if (!field->is_signed)
            json_put_int(w, "minimum", 0);
        break;
    case REPORT_STRING:
    case REPORT_CHARS:
    case REPORT_BOOL:
    case REPORT_OBJECT:
    case REPORT_OBJECT_OR_NULL: break;
    }
    json_end(w, '}');
}

static void put_field(json_writer *w, const report_field *field)
{
    if (!may_be_null(field)) {
        put_value(w, field->key, field);
        return;
    }
    json_begin(w, field->key, '{');
    json_put_string(w, "description", field->doc);
    json_begin(w, "anyOf", '[');
    put_value(w, NULL, field);
    json_begin(w, NULL, '{');
    json_put_string(w, "type", "null");
    json_end(w, '}');
    json_end(w, ']');
    json_end(w, '}');
}

void report_write_dialect(json_writer *w)
{
    json_put_string(
            w, "$schema", "https://json-schema.org/draft/2020-12/schema");
}

void report_write_schema(
        json_writer *w, const char *key, const report_shape *shape)
{
    const bool outermost = w->depth == 0;

    json_begin(w, key, '{');
    if (outermost)
        report_write_dialect(w);
    json_put_string(w, "description", shape->doc);
    json_put_string(w, "type", "object");
    json_begin(w, "properties", '{');
    for (int i = 0; i < shape->n_fields; i++)
        put_field(w, &shape->fields[i]);
    json_end(w, '}');
    json_begin(w, "required", '[');
    for (int i = 0; i < shape->n_fields; i++)
        json_put_string(w, NULL, shape->fields[i].key);
    json_end(w, ']');
    json_put_bool(w, "additionalProperties", false);
    json_end(w, '}');
}
