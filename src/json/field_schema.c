/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_schema.c - the JSON Schema of an object, from its table of fields. */
#include <math.h>

#include "json/field.h"

static const char *const type_words[JSON_N_KINDS] = {
        [JSON_KIND_INT] = "integer",
        [JSON_KIND_INT64] = "integer",
        [JSON_KIND_DOUBLE] = "number",
        [JSON_KIND_BOOL] = "boolean",
        [JSON_KIND_STRING] = "string",
        [JSON_KIND_WORD] = "string",
        [JSON_KIND_LIST] = "array",
        [JSON_KIND_TEXT] = "string",
        [JSON_KIND_CONST] = "string",
        [JSON_KIND_LINES] = "array",
};

bool json_may_be_null(const json_field *field)
{
    return (field->flags & (JSON_ZERO_IS_NULL | JSON_NAN_IS_NULL)) != 0 ||
           field->type->kind == JSON_KIND_TEXT ||
           field->type->kind == JSON_KIND_OBJECT_OR_NULL;
}

static void put_range(json_writer *w, const json_field *field)
{
    if (isfinite(field->min))
        json_put_double(w, "minimum", field->min);
    if (isfinite(field->max))
        json_put_double(w, "maximum", field->max);
}

static void put_words(json_writer *w, const json_type *type)
{
    const char *word;

    json_begin(w, "enum", '[');
    for (int i = 0; (word = json_type_word(type, i)) != NULL; i++)
        json_put_string(w, NULL, word);
    json_end(w, ']');
}

/* A schema of nothing but a type. */
static void put_type(json_writer *w, const char *key, const char *type)
{
    json_begin(w, key, '{');
    json_put_string(w, "type", type);
    json_end(w, '}');
}

/* What values of this type may be. */
static void put_limits(json_writer *w, const json_field *field)
{
    switch (field->type->kind) {
    case JSON_KIND_INT:
    case JSON_KIND_INT64:
    case JSON_KIND_DOUBLE: put_range(w, field); break;
    case JSON_KIND_WORD: put_words(w, field->type); break;
    case JSON_KIND_CONST: json_put_string(w, "const", field->type->text); break;
    case JSON_KIND_LIST: json_put_schema(w, "items", field->type->shape); break;
    case JSON_KIND_LINES: put_type(w, "items", "string"); break;
    case JSON_KIND_BOOL:
    case JSON_KIND_STRING:
    case JSON_KIND_TEXT:
    case JSON_KIND_OBJECT:
    case JSON_KIND_OBJECT_OR_NULL:
    case JSON_KIND_ANY:
    case JSON_N_KINDS: break;
    }
}

/* The schema of a value that is there, as an object of its own. */
static void put_value(json_writer *w, const char *key, const json_field *field,
        bool type_first)
{
    const char *const type = type_words[field->type->kind];

    if (type == NULL) {
        json_put_schema(w, key, field->type->shape);
        return;
    }
    json_begin(w, key, '{');
    if (type_first)
        json_put_string(w, "type", type);
    if (field->doc != NULL && !json_may_be_null(field))
        json_put_string(w, "description", field->doc);
    if (!type_first)
        json_put_string(w, "type", type);
    put_limits(w, field);
    json_end(w, '}');
}

/* The alternatives of a field. */
static void put_any_of(json_writer *w, const json_field *field, bool type_first)
{
    const json_type *const type = field->type;

    if (json_may_be_null(field)) {
        put_value(w, NULL, field, type_first);
        put_type(w, NULL, "null");
        return;
    }
    for (int i = 0; type->words != NULL && type->words[i] != NULL; i++)
        put_type(w, NULL, type->words[i]);
}

static void put_field(json_writer *w, const json_field *field, bool type_first)
{
    if (!json_may_be_null(field) && field->type->kind != JSON_KIND_ANY) {
        put_value(w, field->key, field, type_first);
        return;
    }
    json_begin(w, field->key, '{');
    json_put_string(w, "description", field->doc);
    json_begin(w, "anyOf", '[');
    put_any_of(w, field, type_first);
    json_end(w, ']');
    json_end(w, '}');
}

static void put_required(json_writer *w, const json_shape *shape)
{
    json_begin(w, "required", '[');
    for (int i = 0; i < shape->n_fields; i++)
        if ((shape->fields[i].flags & JSON_REQUIRED) != 0)
            json_put_string(w, NULL, shape->fields[i].key);
    json_end(w, ']');
}

void json_put_dialect(json_writer *w)
{
    json_put_string(
            w, "$schema", "https://json-schema.org/draft/2020-12/schema");
}

void json_put_schema(json_writer *w, const char *key, const json_shape *shape)
{
    const bool outermost = w->depth == 0;

    json_begin(w, key, '{');
    if (outermost)
        json_put_dialect(w);
    json_put_string(w, "description", shape->doc);
    json_put_string(w, "type", "object");
    json_begin(w, "properties", '{');
    for (int i = 0; i < shape->n_fields; i++)
        put_field(w, &shape->fields[i], shape->type_first);
    json_end(w, '}');
    put_required(w, shape);
    json_put_bool(w, "additionalProperties", false);
    json_end(w, '}');
}
