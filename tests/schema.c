/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.c - is a JSON value what a JSON Schema promises? */
#include "schema.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool differ(schema_place *at, const char *what, const char *detail)
{
    snprintf(at->what, sizeof(at->what), "%s %s", what, detail);
    return false;
}

static bool check_at(const json_value *schema, const json_value *value,
        const char *step, schema_place *at)
{
    const size_t used = strlen(at->pointer);
    bool ok;

    snprintf(at->pointer + used, sizeof(at->pointer) - used, "/%s", step);
    ok = schema_check(schema, value, at);
    if (ok)
        at->pointer[used] = '\0';
    return ok;
}

/* A member even when it is null, which json_get() leaves out. */
static const json_value *member(const json_value *object, const char *key)
{
    for (const json_value *m = json_first(object); m != NULL; m = json_next(m))
        if (strcmp(json_key(m), key) == 0)
            return m;
    return NULL;
}

static bool is_of_type(const json_value *value, const char *type)
{
    double number = 0;
    const bool is_number = !cJSON_IsBool(value) && json_number(value, &number);

    if (strcmp(type, "object") == 0)
        return json_is_object(value);
    if (strcmp(type, "array") == 0)
        return json_is_array(value);
    if (strcmp(type, "string") == 0)
        return json_is_string(value);
    if (strcmp(type, "boolean") == 0)
        return cJSON_IsBool(value);
    if (strcmp(type, "null") == 0)
        return cJSON_IsNull(value);
    if (strcmp(type, "integer") == 0)
        return is_number && number == floor(number);
    return strcmp(type, "number") == 0 && is_number;
}

static bool check_object(
        const json_value *schema, const json_value *value, schema_place *at)
{
    const json_value *properties = json_get(schema, "properties");
    const json_value *required = json_get(schema, "required");
    double closed = 1;

    for (const json_value *r = json_first(required); r != NULL;
            r = json_next(r))
        if (member(value, json_string(r)) == NULL)
            return differ(at, "lacks", json_string(r));
    json_number(json_get(schema, "additionalProperties"), &closed);
    for (const json_value *m = json_first(value); m != NULL; m = json_next(m)) {
        const json_value *property = json_get(properties, json_key(m));

        if (property == NULL && closed == 0)
            return differ(at, "may not have", json_key(m));
        if (property != NULL && !check_at(property, m, json_key(m), at))
            return false;
    }
    return true;
}

static bool check_items(
        const json_value *schema, const json_value *value, schema_place *at)
{
    const json_value *items = json_get(schema, "items");
    int i = 0;

    for (const json_value *m = json_first(value); items != NULL && m != NULL;
            m = json_next(m)) {
        char step[16];

        snprintf(step, sizeof(step), "%d", i++);
        if (!check_at(items, m, step, at))
            return false;
    }
    return true;
}

/* One of a list of schemas; with exactly_one, one and not two of them. */
static bool check_choice(const json_value *choices, const json_value *value,
        bool exactly_one, schema_place *at)
{
    schema_place nearest = *at;
    int n_valid = 0;

    for (const json_value *c = json_first(choices); c != NULL;
            c = json_next(c)) {
        schema_place inside = *at;

        if (schema_check(c, value, &inside))
            n_valid++;
        else if (strlen(inside.pointer) >= strlen(nearest.pointer))
            nearest = inside;
    }
    if (n_valid == 0)
        *at = nearest;
    return exactly_one ? n_valid == 1 : n_valid >= 1;
}

static bool check_words(
        const json_value *schema, const json_value *value, schema_place *at)
{
    const json_value *constant = json_get(schema, "const");
    const json_value *words = json_get(schema, "enum");

    if (constant != NULL &&
            strcmp(json_string(constant), json_string(value)) != 0)
        return differ(at, "is not", json_string(constant));
    if (words == NULL)
        return true;
    for (const json_value *w = json_first(words); w != NULL; w = json_next(w))
        if (strcmp(json_string(w), json_string(value)) == 0)
            return true;
    return differ(at, "is no word of the list:", json_string(value));
}

static bool check_range(
        const json_value *schema, const json_value *value, schema_place *at)
{
    double end = 0;
    double number = 0;

    if (!json_number(value, &number))
        return true;
    if (json_number(json_get(schema, "minimum"), &end) && number < end)
        return differ(at, "is below the", "minimum");
    if (json_number(json_get(schema, "maximum"), &end) && number > end)
        return differ(at, "is above the", "maximum");
    return true;
}

bool schema_check(
        const json_value *schema, const json_value *value, schema_place *at)
{
    const json_value *type = json_get(schema, "type");
    const json_value *any = json_get(schema, "anyOf");
    const json_value *one = json_get(schema, "oneOf");

    if (any != NULL && !check_choice(any, value, false, at))
        return false;
    if (one != NULL && !check_choice(one, value, true, at))
        return false;
    if (type != NULL && !is_of_type(value, json_string(type)))
        return differ(at, "is not of type", json_string(type));
    return check_range(schema, value, at) && check_words(schema, value, at) &&
           check_object(schema, value, at) && check_items(schema, value, at);
}
