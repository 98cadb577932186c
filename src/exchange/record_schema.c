/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_schema.c - JSON Schemas of records. */
#include <math.h>

#include "exchange/record.h"

static const char *type_of(record_kind kind)
{
    switch (kind) {
    case RECORD_INT: return "integer";
    case RECORD_DOUBLE: return "number";
    case RECORD_BOOL: return "boolean";
    case RECORD_TEXT:
    case RECORD_WORD: break;
    }
    return "string";
}

static void put_range(json_writer *w, const record_field *field)
{
    json_put_double(w, "minimum", field->min);
    if (isfinite(field->max))
        json_put_double(w, "maximum", field->max);
}

static void put_field(json_writer *w, const record_field *field)
{
    json_begin(w, field->key, '{');
    json_put_string(w, "type", type_of(field->kind));
    json_put_string(w, "description", field->doc);
    if (field->kind == RECORD_INT || field->kind == RECORD_DOUBLE)
        put_range(w, field);
    if (field->kind == RECORD_WORD) {
        json_begin(w, "enum", '[');
        for (int i = 0; field->words[i] != NULL; i++)
            json_put_string(w, NULL, field->words[i]);
        json_end(w, ']');
    }
    json_end(w, '}');
}

static void put_properties(json_writer *w, const record *shape)
{
    for (int i = 0; i < shape->n_fields; i++)
        put_field(w, &shape->fields[i]);
}

static void put_required(json_writer *w, const record *shape)
{
    for (int i = 0; i < shape->n_fields; i++)
        if (!shape->fields[i].optional)
            json_put_string(w, NULL, shape->fields[i].key);
}

static void put_object(json_writer *w, const char *key, const record *shape)
{
    json_begin(w, key, '{');
    json_put_string(w, "description", shape->doc);
    json_put_string(w, "type", "object");
    json_begin(w, "properties", '{');
    put_properties(w, shape);
    json_end(w, '}');
    json_begin(w, "required", '[');
    put_required(w, shape);
    json_end(w, ']');
    json_put_bool(w, "additionalProperties", false);
    json_end(w, '}');
}

static void put_part(json_writer *w, const record_part *part)
{
    if (!part->is_rows) {
        put_object(w, part->shape->key, part->shape);
        return;
    }
    json_begin(w, part->shape->key, '{');
    json_put_string(w, "type", "array");
    put_object(w, "items", part->shape);
    json_end(w, '}');
}

void record_document_schema(const record_document *shape, p3d_text *out)
{
    json_writer w = {.out = out};

    json_begin(&w, NULL, '{');
    json_put_string(
            &w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_put_string(&w, "description", shape->head->doc);
    json_put_string(&w, "type", "object");
    json_begin(&w, "properties", '{');
    put_properties(&w, shape->head);
    for (int i = 0; i < shape->n_parts; i++)
        put_part(&w, &shape->parts[i]);
    json_end(&w, '}');
    json_begin(&w, "required", '[');
    put_required(&w, shape->head);
    for (int i = 0; i < shape->n_parts; i++)
        if (!shape->parts[i].is_rows)
            json_put_string(&w, NULL, shape->parts[i].shape->key);
    json_end(&w, ']');
    json_put_bool(&w, "additionalProperties", false);
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}
