/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - looks at parsed values without showing cJSON to other rooms. */
#include <cJSON.h>
#include <string.h>

#include "json/json.h"

/* cJSON_GetObjectItem() ignores the case of keys. */
const json_value *json_get(const json_value *object, const char *key)
{
    if (!cJSON_IsObject(object))
        return NULL;
    for (const cJSON *member = object->child; member != NULL;
            member = member->next) {
        if (strcmp(member->string, key) == 0)
            return cJSON_IsNull(member) ? NULL : member;
    }
    return NULL;
}

bool json_is_object(const json_value *value)
{
    return cJSON_IsObject(value);
}

bool json_is_array(const json_value *value)
{
    return cJSON_IsArray(value);
}

bool json_is_number(const json_value *value)
{
    return cJSON_IsNumber(value);
}

bool json_is_string(const json_value *value)
{
    return cJSON_IsString(value);
}

const json_value *json_first(const json_value *value)
{
    return value == NULL ? NULL : value->child;
}

const json_value *json_next(const json_value *value)
{
    return value == NULL ? NULL : value->next;
}

const char *json_key(const json_value *value)
{
    return value == NULL || value->string == NULL ? "" : value->string;
}

const char *json_string(const json_value *value)
{
    return cJSON_IsString(value) ? value->valuestring : "";
}

/* valueint saturates at 2^31 - 1; only valuedouble is ever read. */
bool json_number(const json_value *value, double *out)
{
    if (cJSON_IsBool(value)) {
        *out = cJSON_IsTrue(value) ? 1 : 0;
        return true;
    }
    if (!cJSON_IsNumber(value))
        return false;
    *out = value->valuedouble;
    return true;
}
