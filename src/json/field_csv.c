/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_csv.c - rows of structs as lines: CSV, out and in, and JSON. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "json/field.h"

enum {
    MAX_COLUMNS = P3D_COUNT_OF(((json_columns *)0)->at),
    PREFIX = 128 /* room for the keys of the objects around a field */
};

/** The keys of all kinds of rows, each once. */
typedef struct key_list {
    const char *at[MAX_COLUMNS];
    int n;
} key_list;

/** Prints a row of a list. */
typedef void row_printer(const key_list *keys, const json_field *list,
        const char *row, p3d_text *out);

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

    json_put_value(&w, NULL, field, object);
    if (strcmp(p3d_text_get(&value), "null") != 0)
        p3d_text_add(out, "%s", p3d_text_get(&value));
    out->failed = out->failed || value.failed;
    p3d_text_free(&value);
}

/* A word as it is; NULL when the field has none, or its value is not one. */
static const char *word_in(
        const json_field *field, const void *object, json_got *got)
{
    const void *const at = json_member_of(field, object, got);
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
        const char *row, p3d_text *out)
{
    p3d_csv_put(list->key, out);
    for (int i = 0; i < keys->n; i++) {
        const json_field *const field =
                json_find_field(list->type->shape, keys->at[i]);

        p3d_text_add(out, ",");
        if (field != NULL && json_is_written(field, row))
            json_put_cell(field, row, out);
    }
    p3d_text_add(out, "\n");
}

static void print_json(const key_list *keys, const json_field *list,
        const char *row, p3d_text *out)
{
    json_writer w = {.out = out, .one_line = true};

    (void)keys;
    json_begin(&w, NULL, '{');
    json_put_string(&w, "kind", list->key);
    json_put_fields(&w, list->type->shape, row);
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}

static void print_list(const json_field *list, const void *object,
        const key_list *keys, row_printer *print, p3d_text *out)
{
    const size_t size = list->type->shape->size;
    const json_list rows = json_list_of(list, object);

    for (int i = 0; i < rows.n; i++)
        print(keys, list, (const char *)rows.items + (size_t)i * size, out);
}

static void print_lists(const json_shape *shape, const void *object,
        const key_list *keys, row_printer *print, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].type->kind == JSON_KIND_LIST)
            print_list(&shape->fields[i], object, keys, print, out);
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
    print_lists(shape, object, &all, print_csv, out);
}

void json_put_lines(const json_shape *shape, const void *object, p3d_text *out)
{
    print_lists(shape, object, NULL, print_json, out);
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

void json_put_table(const json_shape *shape, json_list objects, p3d_text *out)
{
    put_header(shape, out);
    for (int i = 0; i < objects.n; i++)
        put_object(shape, (const char *)objects.items + (size_t)i * shape->size,
                out);
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

static bool is_same(const json_field *field, const void *a, const void *b)
{
    const char *const from_a = (const char *)a + field->offset;
    const char *const from_b = (const char *)b + field->offset;
    const char *text_a;
    const char *text_b;

    P3D_ASSERT(field->type == JSON_INT64 || field->type == JSON_TEXT);
    if (field->type == JSON_INT64)
        return memcmp(from_a, from_b, sizeof(int64_t)) == 0;
    memcpy(&text_a, from_a, sizeof(text_a));
    memcpy(&text_b, from_b, sizeof(text_b));
    return strcmp(text_a, text_b) == 0;
}

bool json_same_keys(const json_shape *shape, const void *a, const void *b)
{
    for (int i = 0; i < shape->n_fields; i++)
        if ((shape->fields[i].flags & JSON_IS_KEY) != 0 &&
                !is_same(&shape->fields[i], a, b))
            return false;
    return true;
}
