/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_json.c - documents: what is accepted is read the same after it was
 * written again, and as Hjson. */
#include "fuzz/fuzz.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/read/read.h"
#include "json/json.h"

/* The writer has no null, because plan3d leaves out what is unknown. */
static void write_value(json_writer *w, const char *key, const cJSON *value)
{
    if (cJSON_IsNumber(value)) {
        json_put_double(w, key, value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        json_put_bool(w, key, cJSON_IsTrue(value));
    } else if (cJSON_IsObject(value) || cJSON_IsArray(value)) {
        const bool is_object = cJSON_IsObject(value);

        json_begin(w, key, is_object ? '{' : '[');
        for (const cJSON *v = json_first(value); v != NULL; v = json_next(v))
            write_value(w, is_object ? json_key(v) : NULL, v);
        json_end(w, is_object ? '}' : ']');
    } else {
        json_put_string(
                w, key, cJSON_IsNull(value) ? "null" : json_string(value));
    }
}

static bool same_value(const cJSON *a, const cJSON *b)
{
    const cJSON *x = json_first(a);
    const cJSON *y = json_first(b);

    if (cJSON_IsNull(a))
        return cJSON_IsNull(b) ||
               (cJSON_IsString(b) && strcmp(json_string(b), "null") == 0);
    if (a->type != b->type || strcmp(json_key(a), json_key(b)) != 0 ||
            strcmp(json_string(a), json_string(b)) != 0)
        return false;
    if (cJSON_IsNumber(a) && a->valuedouble != b->valuedouble)
        return false;
    while (x != NULL && y != NULL && same_value(x, y)) {
        x = json_next(x);
        y = json_next(y);
    }
    return x == NULL && y == NULL;
}

/* JSON is Hjson. */
static void check_hjson(const json_value *root, const uint8_t *data, size_t n)
{
    char *const text = fuzz_text(data, n);
    p3d_text converted = {0};
    json_doc doc = {0};

    exchange_hjson_to_json(text, &converted);
    P3D_ASSERT(json_parse(
            "hjson", p3d_text_get(&converted), converted.length, &doc, NULL));
    P3D_ASSERT(same_value(root, doc.root));
    json_close(&doc);
    p3d_text_free(&converted);
    free(text);
}

bool fuzz_json(const uint8_t *data, size_t n)
{
    json_doc doc = {0};
    json_doc again = {0};
    p3d_error err = {0};
    p3d_text text = {0};
    json_writer w = {.out = &text};
    const bool ok = json_parse("fuzz", (const char *)data, n, &doc, &err);

    fuzz_check_error(ok, &err);
    if (!ok) {
        P3D_ASSERT(err.code == P3D_DATA && err.line >= 1 && err.column >= 1);
        return false;
    }
    check_hjson(doc.root, data, n);
    write_value(&w, NULL, doc.root);
    P3D_ASSERT(json_parse(
            "again", p3d_text_get(&text), text.length, &again, NULL));
    P3D_ASSERT(same_value(doc.root, again.root));
    json_close(&doc);
    json_close(&again);
    p3d_text_free(&text);
    return true;
}
