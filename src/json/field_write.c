/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_write.c - JSON objects and lines of CSV from structs by a table of
 * fields, and structs from lines of CSV. */
#include "json/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

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

/* Where the value of a field is: in the object, or in `out`, worked out. */
static const void *member_of(
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

    return member_list(member_of(field, object, &got));
}

static const void *item_at(const json_shape *shape, json_list list, int i)
{
    return (const char *)list.items + (size_t)i * shape->size;
}

static int64_t whole_number(const json_field *field, const char *from)
{
    return field->type->kind == JSON_KIND_INT64 ? member_int64(from)
                                                : member_int(from);
}

static bool is_absent(const json_field *field, const void *object)
{
    json_got got;
    const char *const from = member_of(field, object, &got);

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

/* False for a field that need not be there, and has nothing to say. */
static bool is_written(const json_field *field, const void *object)
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

    json_begin(w, key, '[');
    for (int i = 0; i < list.n; i++)
        if (field->type->kind == JSON_KIND_LINES)
            json_put_string(
                    w, NULL, (const char *)list.items + (size_t)i * JSON_LINE);
        else
            json_put_object(w, NULL, shape, item_at(shape, list, i));
    json_end(w, ']');
}

/* Write one field, also if it is absent; only its value where key is NULL. */
static void put_value(json_writer *w, const char *key, const json_field *field,
        const void *object)
{
    const json_type *const type = field->type;
    json_got got;
    const char *const from = member_of(field, object, &got);

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

        if (is_written(field, object))
            put_value(w, field->key, field, object);
    }
}

void json_put_object(json_writer *w, const char *key, const json_shape *shape,
        const void *object)
{
    json_begin(w, key, '{');
    json_put_fields(w, shape, object);
    json_end(w, '}');
}

enum {
    MAX_COLUMNS = P3D_COUNT_OF(((json_columns *)0)->at),
    PREFIX = 128 /* room for the keys of the objects around a field */
};

/** The keys of all kinds of rows, each once. */
typedef struct key_list {
    const char *at[MAX_COLUMNS];
    int n;
} key_list;

static bool is_there(const key_list *keys, const char *key)
{
    for (int i = 0; i < keys->n; i++)
        if (strcmp(keys->at[i], key) == 0)
            return true;
    return false;
}

static void add_keys(key_list *keys, const json_shape *shape)
{
    for (int i = 0; i < shape->n_fields; i++) {
        if (is_there(keys, shape->fields[i].key))
            continue;
        P3D_ASSERT(keys->n < MAX_COLUMNS);
        keys->at[keys->n++] = shape->fields[i].key;
    }
}

/* A number or truth as JSON has it, so that both formats say the same. */
static void put_as_json(
        const json_field *field, const void *object, p3d_text *out)
{
    p3d_text value = {0};
    json_writer w = {.out = &value, .one_line = true};

    put_value(&w, NULL, field, object);
    if (strcmp(p3d_text_get(&value), "null") != 0)
        p3d_text_add(out, "%s", p3d_text_get(&value));
    out->failed = out->failed || value.failed;
    p3d_text_free(&value);
}

/* A word as it is; NULL when the field has none, or its value is not one. */
static const char *word_in(
        const json_field *field, const void *object, json_got *got)
{
    const void *const at = member_of(field, object, got);
    const char *text = NULL;
    int word;

    if (field->type->kind == JSON_KIND_STRING)
        return at;
    if (field->type->kind == JSON_KIND_CONST)
        return field->type->text;
    if (field->type->kind == JSON_KIND_TEXT) {
        memcpy(&text, at, sizeof(text));
    } else if (field->type->kind == JSON_KIND_WORD) {
        memcpy(&word, at, sizeof(word));
        text = json_type_word(field->type, word);
    }
    return text;
}

void json_put_cell(const json_field *field, const void *object, p3d_text *out)
{
    json_got got;
    const char *const word = word_in(field, object, &got);

    if (word != NULL)
        p3d_csv_put(word, out);
    else
        put_as_json(field, object, out);
}

static void print_csv(const key_list *keys, const json_field *list,
        const void *row, p3d_text *out)
{
    p3d_csv_put(list->key, out);
    for (int i = 0; i < keys->n; i++) {
        const json_field *const field =
                json_find_field(list->type->shape, keys->at[i]);

        p3d_text_add(out, ",");
        if (field != NULL && is_written(field, row))
            json_put_cell(field, row, out);
    }
    p3d_text_add(out, "\n");
}

static void print_json(const json_field *list, const void *row, p3d_text *out)
{
    json_writer w = {.out = out, .one_line = true};

    json_begin(&w, NULL, '{');
    json_put_string(&w, "kind", list->key);
    json_put_fields(&w, list->type->shape, row);
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}

/* The rows of all lists: as CSV with these keys, or as JSON without any. */
static void print_lists(const json_shape *shape, const void *object,
        const key_list *keys, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const json_field *const list = &shape->fields[i];
        json_list rows;

        if (list->type->kind != JSON_KIND_LIST)
            continue;
        rows = json_list_of(list, object);
        for (int k = 0; k < rows.n; k++) {
            const void *const row = item_at(list->type->shape, rows, k);

            if (keys != NULL)
                print_csv(keys, list, row, out);
            else
                print_json(list, row, out);
        }
    }
}

void json_put_csv(const json_shape *shape, const void *object, p3d_text *out)
{
    key_list all = {.n = 0};

    for (int i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].type->kind == JSON_KIND_LIST)
            add_keys(&all, shape->fields[i].type->shape);
    p3d_text_add(out, "kind");
    for (int i = 0; i < all.n; i++)
        p3d_text_add(out, ",%s", all.at[i]);
    p3d_text_add(out, "\n");
    print_lists(shape, object, &all, out);
}

void json_put_lines(const json_shape *shape, const void *object, p3d_text *out)
{
    print_lists(shape, object, NULL, out);
}

/* Objects as a table: their keys are its columns. */

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

    if (object == NULL)
        return NULL;
    if (field->type->kind == JSON_KIND_OBJECT) /* no getter works it out */
        return (const char *)object + field->offset;
    return member_pointer(member_of(field, object, &got));
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

/* A line of an object, or of each item of its list. */
static void put_lines(
        const json_shape *shape, const void *object, p3d_text *out)
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
                item_at(field->type->shape, list, i), out);
}

void json_put_table(const json_shape *shape, json_list objects, p3d_text *out)
{
    put_header(shape, out);
    for (int i = 0; i < objects.n; i++)
        put_lines(shape, item_at(shape, objects, i), out);
}

/* Reading. */

bool json_find_columns(const p3d_csv *csv, const json_shape *shape,
        json_columns *out, p3d_error *err)
{
    P3D_ASSERT(shape->n_fields <= MAX_COLUMNS);
    *out = (json_columns){.csv = csv, .shape = shape};
    for (int i = 0; i < shape->n_fields; i++) {
        const json_field *const field = &shape->fields[i];

        out->at[i] = p3d_csv_find(csv, field->key);
        if (out->at[i] < 0 && (field->flags & JSON_REQUIRED) != 0)
            return p3d_csv_fail_header(csv, err, "no column '%s'", field->key);
    }
    return true;
}

/* "column tp: 'x' is not a number; leave it ..." */
static bool fail_cell(
        const p3d_csv *csv, int row, int at, const char *wrong, p3d_error *err)
{
    char shown[64];

    p3d_show(shown, sizeof(shown), p3d_csv_get(csv, row, at));
    return p3d_csv_fail(csv, row, at, err, "column %s: '%s' is %s",
            p3d_csv_name(csv, at), shown, wrong);
}

static const char *read_double(
        const json_field *field, const char *text, void *out)
{
    p3d_decimal decimal;
    const size_t used = p3d_scan_decimal(text, &decimal);
    double value;

    if (used == 0 || text[used] != '\0')
        return "not a number; leave it empty when it is not known";
    value = p3d_decimal_double(&decimal, 0);
    if (!(value > field->min && value < field->max))
        return "not above 0";
    memcpy(out, &value, sizeof(value));
    return NULL;
}

static const char *read_whole(const char *text, void *out)
{
    p3d_decimal decimal;
    const size_t used = p3d_scan_decimal(text, &decimal);
    int64_t value = 0;
    bool exact = false;

    if (used == 0 || text[used] != '\0' ||
            !p3d_decimal_integer(&decimal, 0, 1, &value, &exact) || !exact ||
            value < 0)
        return "not a whole number; leave it empty when it is not known";
    memcpy(out, &value, sizeof(value));
    return NULL;
}

/* @return NULL, or what is wrong with the cell */
static const char *read_cell(
        const json_field *field, const char *text, void *object)
{
    char *const to = (char *)object + field->offset;

    if (field->type == JSON_TEXT)
        memcpy(to, &text, sizeof(text));
    else if (text[0] != '\0')
        return field->type == JSON_INT64 ? read_whole(text, to)
                                         : read_double(field, text, to);
    return NULL;
}

bool json_read_row(
        const json_columns *columns, int row, void *out, p3d_error *err)
{
    const p3d_csv *const csv = columns->csv;

    for (int i = 0; i < columns->shape->n_fields; i++) {
        const int at = columns->at[i];
        const char *const text = at < 0 ? "" : p3d_csv_get(csv, row, at);
        const char *const wrong =
                read_cell(&columns->shape->fields[i], text, out);

        if (wrong != NULL)
            return fail_cell(csv, row, at, wrong, err);
    }
    return true;
}

static int compare_key(const json_field *field, const void *a, const void *b)
{
    const char *const from_a = (const char *)a + field->offset;
    const char *const from_b = (const char *)b + field->offset;
    const char *text_a;
    const char *text_b;

    P3D_ASSERT(field->type == JSON_INT64 || field->type == JSON_DOUBLE ||
               field->type == JSON_TEXT);
    if (field->type == JSON_INT64)
        return memcmp(from_a, from_b, sizeof(int64_t));
    if (field->type == JSON_DOUBLE)
        return memcmp(from_a, from_b, sizeof(double));
    memcpy(&text_a, from_a, sizeof(text_a));
    memcpy(&text_b, from_b, sizeof(text_b));
    return strcmp(text_a, text_b);
}

int json_compare_keys(const json_shape *shape, const void *a, const void *b)
{
    int order = 0;

    for (int i = 0; i < shape->n_fields && order == 0; i++)
        if ((shape->fields[i].flags & JSON_IS_KEY) != 0)
            order = compare_key(&shape->fields[i], a, b);
    return order;
}
