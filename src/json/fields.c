/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.c - fills structs from objects by a table of fields. */
#include <cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "json/json.h"
#include "json/locate.h"

/* From here on, neighbouring integers are the same double. */
#define EXACT_LIMIT 9007199254740992.0

enum { WORDS = 160 }; /* room for a value or a range in a message */

/* What all steps of one call share. */
typedef struct reading {
    const json_doc *doc;
    const char *pointer; /* of the object */
    const json_field *fields;
    int n_fields;
    p3d_error *err;
} reading;

/* Fails at a member of the object. */
static bool fail_member(const reading *r, const char *key, const char *text)
{
    p3d_text pointer = {0};

    p3d_text_append(&pointer, r->pointer, strlen(r->pointer));
    json_pointer_add(&pointer, key);
    json_fail(r->doc, p3d_text_get(&pointer), r->err, "%s", text);
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
            field->kind == JSON_DOUBLE ? "a number" : "a whole number";
    char low[P3D_NUMBER_BUFFER];
    char high[P3D_NUMBER_BUFFER];

    p3d_print_shortest(low, sizeof(low), field->min);
    p3d_print_shortest(high, sizeof(high), field->max);
    if (field->kind == JSON_BOOL)
        snprintf(buffer, n, "true or false");
    else if (field->kind == JSON_STRING)
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

static bool has_kind(const json_value *value, json_kind kind)
{
    switch (kind) {
    case JSON_INT:
    case JSON_INT64:
    case JSON_DOUBLE: return cJSON_IsNumber(value);
    case JSON_BOOL: return cJSON_IsBool(value);
    case JSON_STRING: return cJSON_IsString(value);
    case JSON_ANY: break;
    }
    return true;
}

static bool check_kind(
        const reading *r, const json_field *field, const json_value *value)
{
    char is[WORDS];
    char wanted[WORDS];
    char text[2 * WORDS + 16];

    if (has_kind(value, field->kind))
        return true;
    show_value(value, is, sizeof(is));
    show_wanted(field, wanted, sizeof(wanted));
    snprintf(text, sizeof(text), "%s; write %s", is, wanted);
    return fail_member(r, field->key, text);
}

static bool check_number(
        const reading *r, const json_field *field, double value)
{
    const bool is_whole = field->kind != JSON_DOUBLE;
    char shown[P3D_NUMBER_BUFFER];
    char wanted[WORDS];
    char text[2 * WORDS];
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
    snprintf(text, sizeof(text), "'%s' %s; write %s", shown, complaint, wanted);
    return fail_member(r, field->key, text);
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
    char text[WORDS];

    if (strlen(value) < (size_t)field->max && prints(value))
        return true;
    p3d_show(shown, sizeof(shown), value);
    if (prints(value))
        snprintf(text, sizeof(text), "'%s' is longer than %zu bytes", shown,
                (size_t)field->max - 1);
    else
        snprintf(text, sizeof(text),
                "'%s' has a character that does not print; leave it out",
                shown);
    return fail_member(r, field->key, text);
}

static bool check_value(
        const reading *r, const json_field *field, const json_value *value)
{
    if (!check_kind(r, field, value))
        return false;
    switch (field->kind) {
    case JSON_INT:
        P3D_ASSERT(field->min >= INT_MIN && field->max <= INT_MAX);
        return check_number(r, field, value->valuedouble);
    case JSON_INT64:
    case JSON_DOUBLE: return check_number(r, field, value->valuedouble);
    case JSON_STRING:
        P3D_ASSERT(field->max >= 1);
        return check_string(r, field, value->valuestring);
    case JSON_BOOL:
    case JSON_ANY: break;
    }
    return true;
}

/* memcpy() because the struct's members are reached by their offset. */
static void store(const json_field *field, const json_value *value, void *out)
{
    char *const to = (char *)out + field->offset;

    switch (field->kind) {
    case JSON_INT: {
        const int number = (int)value->valuedouble;

        memcpy(to, &number, sizeof(number));
        break;
    }
    case JSON_INT64: {
        const int64_t number = (int64_t)value->valuedouble;

        memcpy(to, &number, sizeof(number));
        break;
    }
    case JSON_DOUBLE:
        memcpy(to, &value->valuedouble, sizeof(value->valuedouble));
        break;
    case JSON_BOOL: {
        const bool yes = cJSON_IsTrue(value);

        memcpy(to, &yes, sizeof(yes));
        break;
    }
    case JSON_STRING:
        memcpy(to, value->valuestring, strlen(value->valuestring) + 1);
        break;
    case JSON_ANY: break;
    }
}

static bool fail_unknown(const reading *r, const char *key)
{
    p3d_nearest nearest = {.word = key};
    char shown[64];
    char text[2 * WORDS];

    for (int i = 0; i < r->n_fields; i++)
        p3d_nearest_offer(&nearest, r->fields[i].key);
    p3d_show(shown, sizeof(shown), key);
    if (nearest.best[0] == '\0')
        snprintf(text, sizeof(text), "unknown key '%s'", shown);
    else
        snprintf(text, sizeof(text), "unknown key '%s'; did you mean '%s'?",
                shown, nearest.best);
    return fail_member(r, key, text);
}

static const json_field *find_field(const reading *r, const char *key)
{
    for (int i = 0; i < r->n_fields; i++) {
        if (strcmp(r->fields[i].key, key) == 0)
            return &r->fields[i];
    }
    return NULL;
}

static bool check_members(
        const reading *r, const json_value *object, bool refuse_others)
{
    for (const cJSON *member = object->child; member != NULL;
            member = member->next) {
        const json_field *const field = find_field(r, member->string);

        if (field == NULL && refuse_others)
            return fail_unknown(r, member->string);
        if (field != NULL && !cJSON_IsNull(member) &&
                !check_value(r, field, member))
            return false;
    }
    return true;
}

static bool check_required(const reading *r, const json_value *object)
{
    for (int i = 0; i < r->n_fields; i++) {
        const json_field *const field = &r->fields[i];

        if (!field->required || json_get(object, field->key) != NULL)
            continue;
        return json_fail(r->doc, r->pointer, r->err, "key '%s' is missing: %s",
                field->key, field->doc);
    }
    return true;
}

/* All checks come first, so that a failure leaves the struct untouched. */
static bool read_fields(const reading *r, const json_value *object,
        bool refuse_others, void *out)
{
    if (!cJSON_IsObject(object))
        return json_fail(r->doc, r->pointer, r->err,
                "this is not an object; write {...}");
    if (!check_members(r, object, refuse_others) || !check_required(r, object))
        return false;
    for (const cJSON *member = object->child; member != NULL;
            member = member->next) {
        const json_field *const field = find_field(r, member->string);

        if (field != NULL && !cJSON_IsNull(member))
            store(field, member, out);
    }
    return true;
}

bool json_read_fields(const json_doc *doc, const json_value *object,
        const char *pointer, const json_field *fields, int n_fields, void *out,
        p3d_error *err)
{
    const reading r = {doc, pointer, fields, n_fields, err};

    return read_fields(&r, object, true, out);
}

bool json_read_known_fields(const json_doc *doc, const json_value *object,
        const char *pointer, const json_field *fields, int n_fields, void *out,
        p3d_error *err)
{
    const reading r = {doc, pointer, fields, n_fields, err};

    return read_fields(&r, object, false, out);
}
