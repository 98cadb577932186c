/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_write.c - JSON objects from structs by a table of fields. */
#include <math.h>
#include <string.h>

#include "json/field.h"

/* memcpy() because the struct's members are reached by their offset. */
#define MEMBER(name, T)                      \
    static T member_##name(const char *from) \
    {                                        \
        T value;                             \
                                             \
        memcpy(&value, from, sizeof(value)); \
        return value;                        \
    }
MEMBER(int, int)
MEMBER(int64, int64_t)
MEMBER(double, double)
MEMBER(bool, bool)
MEMBER(pointer, const void *)
MEMBER(list, json_list)

_Static_assert(sizeof(json_list) == sizeof(p3d_rows) &&
                       offsetof(json_list, n) == offsetof(p3d_rows, n),
        "both kinds of lists are written as one");

const void *json_member_of(
        const json_field *field, const void *object, json_got *out)
{
    const void *const at = (const char *)object + field->offset;

    if (field->type->get == NULL)
        return at;
    field->type->get(at, out);
    return out;
}

json_list json_list_of(const json_field *field, const void *object)
{
    json_got got;

    return member_list(json_member_of(field, object, &got));
}

static int64_t whole_number(const json_field *field, const char *from)
{
    return field->type->kind == JSON_KIND_INT64 ? member_int64(from)
                                                : member_int(from);
}

static bool is_absent(const json_field *field, const void *object)
{
    json_got got;
    const char *const from = json_member_of(field, object, &got);

    switch (field->type->kind) {
    case JSON_KIND_INT:
    case JSON_KIND_INT64:
    case JSON_KIND_WORD: return whole_number(field, from) == 0;
    case JSON_KIND_DOUBLE: return !(fabs(member_double(from)) > 0);
    case JSON_KIND_BOOL: return !member_bool(from);
    case JSON_KIND_STRING: return from[0] == '\0';
    case JSON_KIND_TEXT:
    case JSON_KIND_OBJECT_OR_NULL: return member_pointer(from) == NULL;
    case JSON_KIND_LIST:
    case JSON_KIND_LINES: return member_list(from).n == 0;
    case JSON_KIND_OBJECT:
    case JSON_KIND_CONST:
    case JSON_KIND_ANY:
    case JSON_N_KINDS: break;
    }
    return false;
}

bool json_is_written(const json_field *field, const void *object)
{
    return (field->flags & JSON_REQUIRED) != 0 || !is_absent(field, object);
}

static void put_whole(json_writer *w, const char *key, const json_field *field,
        const char *from)
{
    const int64_t value = whole_number(field, from);

    if ((field->flags & JSON_ZERO_IS_NULL) != 0 && value == 0)
        json_put_null(w, key);
    else
        json_put_int(w, key, value);
}

static void put_double(json_writer *w, const char *key, const json_field *field,
        const char *from)
{
    const double value = member_double(from);

    if (((field->flags & JSON_ZERO_IS_NULL) != 0 && value == 0) ||
            ((field->flags & JSON_NAN_IS_NULL) != 0 && isnan(value)))
        json_put_null(w, key);
    else
        json_put_double(w, key, value);
}

static void put_text(json_writer *w, const char *key, const char *value)
{
    if (value == NULL)
        json_put_null(w, key);
    else
        json_put_string(w, key, value);
}

static void put_list(json_writer *w, const char *key, const json_field *field,
        json_list list)
{
    const json_shape *const shape = field->type->shape;
    const char *const items = list.items;

    json_begin(w, key, '[');
    for (int i = 0; i < list.n; i++)
        if (field->type->kind == JSON_KIND_LINES)
            json_put_string(w, NULL, items + (size_t)i * JSON_LINE);
        else
            json_put_object(w, NULL, shape, items + (size_t)i * shape->size);
    json_end(w, ']');
}

void json_put_value(json_writer *w, const char *key, const json_field *field,
        const void *object)
{
    const json_type *const type = field->type;
    json_got got;
    const char *const from = json_member_of(field, object, &got);

    switch (type->kind) {
    case JSON_KIND_INT:
    case JSON_KIND_INT64: put_whole(w, key, field, from); break;
    case JSON_KIND_DOUBLE: put_double(w, key, field, from); break;
    case JSON_KIND_BOOL: json_put_bool(w, key, member_bool(from)); break;
    case JSON_KIND_STRING: json_put_string(w, key, from); break;
    case JSON_KIND_TEXT: put_text(w, key, member_pointer(from)); break;
    case JSON_KIND_CONST: json_put_string(w, key, type->text); break;
    case JSON_KIND_WORD:
        json_put_string(w, key, json_type_word(type, member_int(from)));
        break;
    case JSON_KIND_OBJECT: json_put_object(w, key, type->shape, from); break;
    case JSON_KIND_OBJECT_OR_NULL:
        if (member_pointer(from) == NULL)
            json_put_null(w, key);
        else
            json_put_object(w, key, type->shape, member_pointer(from));
        break;
    case JSON_KIND_LIST:
    case JSON_KIND_LINES: put_list(w, key, field, member_list(from)); break;
    case JSON_KIND_ANY:
    case JSON_N_KINDS: break;
    }
}

void json_put_fields(
        json_writer *w, const json_shape *shape, const void *object)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const json_field *const field = &shape->fields[i];

        if (json_is_written(field, object))
            json_put_value(w, field->key, field, object);
    }
}

void json_put_object(json_writer *w, const char *key, const json_shape *shape,
        const void *object)
{
    json_begin(w, key, '{');
    json_put_fields(w, shape, object);
    json_end(w, '}');
}
