/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_read.c - structs from JSON objects by a table of fields. */
#include <cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "json/field.h"
#include "json/text.h"

/* From here on, neighbouring integers are the same double. */
#define EXACT_LIMIT 9007199254740992.0

enum {
    WORDS = 160,       /* room for a value or a range in a message */
    POINTER = 160,     /* room for where an object inside the document is */
    MAX_ROWS = 100000, /* more are a mistake, not a measurement */
};

const json_type json_types[JSON_N_KINDS] = {
        [JSON_KIND_INT] = {.kind = JSON_KIND_INT},
        [JSON_KIND_INT64] = {.kind = JSON_KIND_INT64},
        [JSON_KIND_DOUBLE] = {.kind = JSON_KIND_DOUBLE},
        [JSON_KIND_BOOL] = {.kind = JSON_KIND_BOOL},
        [JSON_KIND_STRING] = {.kind = JSON_KIND_STRING},
        [JSON_KIND_ANY] = {.kind = JSON_KIND_ANY},
        [JSON_KIND_TEXT] = {.kind = JSON_KIND_TEXT},
        [JSON_KIND_LINES] = {.kind = JSON_KIND_LINES},
};

/* What all steps of one object share. */
typedef struct reading {
    json_place at;
    const json_shape *shape;
    p3d_error *err;
} reading;

const char *json_type_word(const json_type *type, int i)
{
    return type->word != NULL ? type->word(i) : type->words[i];
}

const json_field *json_find_field(const json_shape *shape, const char *key)
{
    for (int i = 0; i < shape->n_fields; i++) {
        if (strcmp(shape->fields[i].key, key) == 0)
            return &shape->fields[i];
    }
    return NULL;
}

/* Fails at a member of the object. */
P3D_PRINTF(3, 4)
static bool fail_member(const reading *r, const char *key, const char *fmt, ...)
{
    char text[sizeof(r->err->text)];
    p3d_text pointer = {0};
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    p3d_text_append(&pointer, r->at.pointer, strlen(r->at.pointer));
    json_pointer_add(&pointer, key);
    json_fail(r->at.doc, p3d_text_get(&pointer), r->err, "%s", text);
    p3d_text_free(&pointer);
    return false;
}

/* The value as a message quotes it. */
static void show_value(const json_value *value, char *buffer, size_t n)
{
    char number[P3D_NUMBER_BUFFER];
    char shown[64];

    if (cJSON_IsString(value)) {
        p3d_show(shown, sizeof(shown), value->valuestring);
        snprintf(buffer, n, "'%s' is a string", shown);
    } else if (cJSON_IsNumber(value)) {
        p3d_print_shortest(number, sizeof(number), value->valuedouble);
        snprintf(buffer, n, "'%s' is a number", number);
    } else if (cJSON_IsBool(value)) {
        snprintf(buffer, n, "'%s' is a truth value",
                cJSON_IsTrue(value) ? "true" : "false");
    } else {
        snprintf(buffer, n, "this is %s",
                cJSON_IsArray(value) ? "an array" : "an object");
    }
}

/* "a whole number from 1 to 64": what a field takes. */
static void show_wanted(const json_field *field, char *buffer, size_t n)
{
    const char *const what =
            field->type == JSON_DOUBLE ? "a number" : "a whole number";
    char low[P3D_NUMBER_BUFFER];
    char high[P3D_NUMBER_BUFFER];

    p3d_print_shortest(low, sizeof(low), field->min);
    p3d_print_shortest(high, sizeof(high), field->max);
    if (field->type == JSON_BOOL)
        snprintf(buffer, n, "true or false");
    else if (field->type == JSON_STRING)
        snprintf(buffer, n, "a string in double quotes");
    else if (field->min == field->max)
        snprintf(buffer, n, "%s", low);
    else if (isinf(field->min) && isinf(field->max))
        snprintf(buffer, n, "%s", what);
    else if (isinf(field->max))
        snprintf(buffer, n, "%s of at least %s", what, low);
    else if (isinf(field->min))
        snprintf(buffer, n, "%s of at most %s", what, high);
    else
        snprintf(buffer, n, "%s from %s to %s", what, low, high);
}

static bool is_number(const json_field *field)
{
    return field->type == JSON_INT || field->type == JSON_INT64 ||
           field->type == JSON_DOUBLE;
}

/* Words, objects and lists are looked at later. */
static bool has_kind(const json_value *value, const json_field *field)
{
    if (is_number(field))
        return cJSON_IsNumber(value);
    if (field->type == JSON_BOOL)
        return cJSON_IsBool(value);
    return field->type != JSON_STRING || cJSON_IsString(value);
}

static bool check_kind(
        const reading *r, const json_field *field, const json_value *value)
{
    char is[WORDS];
    char wanted[WORDS];

    if (has_kind(value, field))
        return true;
    show_value(value, is, sizeof(is));
    show_wanted(field, wanted, sizeof(wanted));
    return fail_member(r, field->key, "%s; write %s", is, wanted);
}

static bool check_number(
        const reading *r, const json_field *field, double value)
{
    const bool is_whole = field->type != JSON_DOUBLE;
    char shown[P3D_NUMBER_BUFFER];
    char wanted[WORDS];
    const char *complaint = NULL;

    if (is_whole && value != floor(value))
        complaint = "is not a whole number";
    else if (value < field->min || value > field->max)
        complaint = "is out of range";
    else if (is_whole && fabs(value) >= EXACT_LIMIT)
        complaint = "is too large to be exact";
    if (complaint == NULL)
        return true;
    p3d_print_shortest(shown, sizeof(shown), value);
    show_wanted(field, wanted, sizeof(wanted));
    return fail_member(
            r, field->key, "'%s' %s; write %s", shown, complaint, wanted);
}

static bool prints(const char *text)
{
    size_t left = strlen(text);
    int length;

    while ((length = p3d_utf8_printable(text, left)) > 0) {
        text += length;
        left -= (size_t)length;
    }
    return left == 0;
}

/* Names and notes go into launch files and to terminals. */
static bool check_string(
        const reading *r, const json_field *field, const char *value)
{
    char shown[64];

    if (strlen(value) < (size_t)field->max && prints(value))
        return true;
    p3d_show(shown, sizeof(shown), value);
    if (prints(value))
        return fail_member(r, field->key, "'%s' is longer than %zu bytes",
                shown, (size_t)field->max - 1);
    return fail_member(r, field->key,
            "'%s' has a character that does not print; leave it out", shown);
}

static bool check_value(
        const reading *r, const json_field *field, const json_value *value)
{
    if (!check_kind(r, field, value))
        return false;
    if (field->type == JSON_STRING) {
        P3D_ASSERT(field->max >= 1);
        return check_string(r, field, value->valuestring);
    }
    P3D_ASSERT(field->type != JSON_INT ||
               (field->min >= INT_MIN && field->max <= INT_MAX));
    return !is_number(field) || check_number(r, field, value->valuedouble);
}

/* memcpy() because the struct's members are reached by their offset. */
static void store(const json_field *field, const json_value *value, void *out)
{
    char *const to = (char *)out + field->offset;
    const double number = value->valuedouble;
    const bool yes = cJSON_IsTrue(value);

    if (field->type == JSON_INT)
        memcpy(to, &(int){(int)number}, sizeof(int));
    else if (field->type == JSON_INT64)
        memcpy(to, &(int64_t){(int64_t)number}, sizeof(int64_t));
    else if (field->type == JSON_DOUBLE)
        memcpy(to, &number, sizeof(number));
    else if (field->type == JSON_BOOL)
        memcpy(to, &yes, sizeof(yes));
    else if (field->type == JSON_STRING)
        memcpy(to, value->valuestring, strlen(value->valuestring) + 1);
}

static bool fail_unknown(const reading *r, const char *key)
{
    p3d_nearest nearest = {.word = key};
    char shown[64];

    for (int i = 0; i < r->shape->n_fields; i++)
        p3d_nearest_offer(&nearest, r->shape->fields[i].key);
    p3d_show(shown, sizeof(shown), key);
    return fail_member(r, key, "unknown key '%s'%s", shown,
            p3d_did_you_mean(&nearest, ""));
}

static bool check_members(const reading *r, bool refuse_others)
{
    for (const cJSON *member = r->at.value->child; member != NULL;
            member = member->next) {
        const json_field *const field =
                json_find_field(r->shape, member->string);

        if (field == NULL && refuse_others)
            return fail_unknown(r, member->string);
        if (field != NULL && !cJSON_IsNull(member) &&
                !check_value(r, field, member))
            return false;
    }
    return true;
}

static bool check_required(const reading *r)
{
    for (int i = 0; i < r->shape->n_fields; i++) {
        const json_field *const field = &r->shape->fields[i];

        if ((field->flags & JSON_REQUIRED) == 0 ||
                json_get(r->at.value, field->key) != NULL)
            continue;
        return json_fail(r->at.doc, r->at.pointer, r->err,
                "key '%s' is missing: %s", field->key,
                field->doc != NULL ? field->doc : field->type->shape->doc);
    }
    return true;
}

/* "'fp4' is unknown; did you mean 'fp8'?" */
static bool fail_word(
        const reading *r, const json_field *field, const char *word)
{
    p3d_nearest nearest = {.word = word};
    p3d_text list = {0};
    char shown[64];
    const char *choice;

    p3d_text_add(&list, "; write one of");
    for (int i = 0; (choice = json_type_word(field->type, i)) != NULL; i++) {
        p3d_nearest_offer(&nearest, choice);
        p3d_text_add(&list, "%s %s", i > 0 ? "," : "", choice);
    }
    p3d_show(shown, sizeof(shown), word);
    fail_member(r, field->key, "'%s' is unknown%s", shown,
            p3d_did_you_mean(&nearest, p3d_text_get(&list)));
    p3d_text_free(&list);
    return false;
}

static bool read_word(const reading *r, const json_field *field, void *out)
{
    const json_value *const value = json_get(r->at.value, field->key);
    const char *word;

    if (value == NULL)
        return true;
    if (!json_is_string(value))
        return fail_member(r, field->key, "not a word; write \"%s\": \"%s\"",
                field->key, json_type_word(field->type, 0));
    for (int i = 0; (word = json_type_word(field->type, i)) != NULL; i++) {
        if (strcmp(word, json_string(value)) != 0)
            continue;
        memcpy((char *)out + field->offset, &i, sizeof(i));
        return true;
    }
    return fail_word(r, field, json_string(value));
}

static bool read_words(const reading *r, void *out)
{
    for (int i = 0; i < r->shape->n_fields; i++) {
        const json_field *const field = &r->shape->fields[i];

        if (field->type->kind == JSON_KIND_WORD && !read_word(r, field, out))
            return false;
    }
    return true;
}

static bool check_whole(const reading *r, const void *object)
{
    const char *key = "";
    const char *const wrong =
            r->shape->check != NULL ? r->shape->check(object, &key) : NULL;

    return wrong == NULL || fail_member(r, key, "%s", wrong);
}

/* All checks come first, so that a failure leaves the struct untouched. */
static bool read_members(const reading *r, bool refuse_others, void *out)
{
    if (!cJSON_IsObject(r->at.value))
        return json_fail(r->at.doc, r->at.pointer, r->err,
                "this is not an object; write {...}");
    if (!check_members(r, refuse_others) || !check_required(r))
        return false;
    for (const cJSON *member = r->at.value->child; member != NULL;
            member = member->next) {
        const json_field *const field =
                json_find_field(r->shape, member->string);

        if (field != NULL && !cJSON_IsNull(member))
            store(field, member, out);
    }
    return read_words(r, out) && check_whole(r, out);
}

static int count(const json_value *value)
{
    int n = 0;

    for (const json_value *i = json_first(value); i != NULL; i = json_next(i))
        n++;
    return n;
}

/* Rows that were begun are left in the list, which its owner frees. */
static bool read_list(
        json_place at, const json_shape *shape, p3d_rows *out, p3d_error *err)
{
    char pointer[POINTER];

    if (!json_is_array(at.value))
        return json_fail(at.doc, at.pointer, err, "not a list; write [...]");
    if (count(at.value) > MAX_ROWS)
        return json_fail(
                at.doc, at.pointer, err, "more than %d rows", MAX_ROWS);
    out->items = calloc((size_t)count(at.value) + 1, shape->size);
    if (out->items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (const json_value *i = json_first(at.value); i != NULL;
            i = json_next(i)) {
        char *const row = (char *)out->items + (size_t)out->n * shape->size;

        snprintf(pointer, sizeof(pointer), "%.100s/%d", at.pointer, out->n++);
        if (!json_read_fields(
                    (json_place){at.doc, i, pointer}, shape, row, err))
            return false;
    }
    return true;
}

/* An object or a list inside the object. */
static bool read_part(const reading *r, const json_field *field, void *out)
{
    const json_type *const type = field->type;
    char *const to = (char *)out + field->offset;
    char pointer[POINTER];
    const json_place at = {
            r->at.doc, json_get(r->at.value, field->key), pointer};

    if (at.value == NULL ||
            (type->kind != JSON_KIND_OBJECT && type->kind != JSON_KIND_LIST))
        return true;
    snprintf(pointer, sizeof(pointer), "%.100s/%s", r->at.pointer, field->key);
    return type->kind == JSON_KIND_OBJECT
                   ? json_read_fields(at, type->shape, to, r->err)
                   : read_list(at, type->shape, (p3d_rows *)(void *)to, r->err);
}

static bool read_parts(const reading *r, void *out)
{
    for (int i = 0; i < r->shape->n_fields; i++)
        if (!read_part(r, &r->shape->fields[i], out))
            return false;
    return true;
}

bool json_read_fields(
        json_place at, const json_shape *shape, void *out, p3d_error *err)
{
    const reading r = {at, shape, err};

    return read_members(&r, true, out) && read_parts(&r, out);
}

bool json_read_known_fields(
        json_place at, const json_shape *shape, void *out, p3d_error *err)
{
    const reading r = {at, shape, err};

    return read_members(&r, false, out) && read_parts(&r, out);
}

bool json_take(
        json_doc *doc, const json_shape *shape, void *out, p3d_error *err)
{
    void *const got = calloc(1, shape->size);
    bool ok = got != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok &&
         json_read_fields((json_place){doc, doc->root, ""}, shape, got, err);
    if (ok)
        memcpy(out, got, shape->size);
    else if (got != NULL)
        json_free_lists(shape, got);
    free(got);
    json_close(doc);
    return ok;
}

void json_free_lists(const json_shape *shape, void *object)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const json_field *const field = &shape->fields[i];
        p3d_rows rows;

        if (field->type->kind != JSON_KIND_LIST)
            continue;
        memcpy(&rows, (char *)object + field->offset, sizeof(rows));
        free(rows.items);
        rows = (p3d_rows){0};
        memcpy((char *)object + field->offset, &rows, sizeof(rows));
    }
}
