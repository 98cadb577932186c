/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c - opens documents: strict scan, cJSON, then duplicate keys; and walks
 * their text along a pointer, for messages. */
#include "json/text.h"

#include <cJSON.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/utf8.h"
#include "base/util.h"
#include "json/json.h"

/* A place in a valid document; `at` never passes `end`. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static char here(const cursor *c)
{
    return c->at < c->end ? *c->at : '\0';
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && here(c) != '\0' &&
            strchr(" \t\r\n", here(c)) != NULL)
        c->at++;
}

static void skip_string(cursor *c)
{
    c->at++;
    while (c->at < c->end && *c->at != '"')
        c->at += *c->at == '\\' && c->end - c->at > 1 ? 2 : 1;
    if (c->at < c->end)
        c->at++;
}

/* Counts brackets instead of recursing. */
static void skip_value(cursor *c)
{
    int depth = 0;

    do {
        switch (here(c)) {
        case '"': skip_string(c); continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']': depth--; break;
        case ',':
            if (depth == 0)
                return;
            break;
        default: break;
        }
        if (depth < 0)
            return;
        c->at++;
    } while (c->at < c->end);
}

/* Does the key that begins at `at` equal one part of a pointer? Both are
 * escaped, each in its own way. */
static bool is_key(const char *at, const char *part, size_t length)
{
    const char *const end = part + length;

    at++;
    while (*at != '"' && *at != '\0') {
        char bytes[4];
        const int n = json_unescape(&at, bytes);

        for (int i = 0; i < n; i++) {
            char wanted;

            if (part == end)
                return false;
            wanted = *part++;
            if (wanted == '~' && part < end)
                wanted = *part++ == '0' ? '~' : '/';
            if (bytes[i] != wanted)
                return false;
        }
    }
    return part == end;
}

/* From the object at *c to the value of one of its members. */
static bool enter_object(
        cursor *c, const char *part, size_t length, int nth, const char **place)
{
    for (;;) {
        const char *key;

        c->at++; /* '{' or ',' */
        skip_space(c);
        if (here(c) != '"')
            return false;
        key = c->at;
        skip_string(c);
        skip_space(c);
        if (here(c) != ':')
            return false;
        c->at++;
        if (is_key(key, part, length) && --nth == 0) {
            skip_space(c);
            *place = key;
            return true;
        }
        skip_value(c);
        if (here(c) != ',')
            return false;
    }
}

/* An index of RFC 6901: digits without a leading zero; -1 for no index. */
static long index_of(const char *part, size_t length)
{
    long index = 0;

    if (length == 0 || length > 9 || (part[0] == '0' && length > 1))
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (!p3d_is_digit(part[i]))
            return -1;
        index = 10 * index + (part[i] - '0');
    }
    return index;
}

/* From the array at *c to one of its elements. */
static bool enter_array(
        cursor *c, const char *part, size_t length, const char **place)
{
    const long index = index_of(part, length);

    if (index < 0)
        return false;
    for (long i = 0;; i++) {
        c->at++; /* '[' or ',' */
        skip_space(c);
        if (here(c) == ']' || here(c) == '\0')
            return false;
        if (i == index) {
            *place = c->at;
            return true;
        }
        skip_value(c);
        if (here(c) != ',')
            return false;
    }
}

bool json_locate(const char *text, size_t length, const char *pointer, int nth,
        size_t *offset)
{
    cursor c = {text, text + length};
    const char *place;
    bool found = true;

    skip_space(&c);
    place = c.at;
    while (found && *pointer == '/') {
        const char *const part = pointer + 1;
        const size_t n = strcspn(part, "/");

        pointer = part + n;
        if (here(&c) == '{')
            found = enter_object(
                    &c, part, n, *pointer == '\0' ? nth : 1, &place);
        else
            found = here(&c) == '[' && enter_array(&c, part, n, &place);
    }
    *offset = (size_t)(place - text);
    return found && *pointer == '\0';
}

void json_pointer_add(p3d_text *pointer, const char *key)
{
    p3d_text_append(pointer, "/", 1);
    for (; *key != '\0'; key++) {
        if (*key == '~')
            p3d_text_append(pointer, "~0", 2);
        else if (*key == '/')
            p3d_text_append(pointer, "~1", 2);
        else
            p3d_text_append(pointer, key, 1);
    }
}

/* json_fail() with a text that is ready, at the nth member of the same key. */
static bool fail_nth(const json_doc *doc, const char *pointer, int nth,
        p3d_error *err, const char *text)
{
    size_t offset;

    if (err == NULL || err->code != P3D_OK)
        return false;
    p3d_show(err->file, sizeof(err->file), doc->file);
    p3d_show(err->pointer, sizeof(err->pointer), pointer);
    if (doc->text != NULL) {
        json_locate(doc->text, doc->length, pointer, nth, &offset);
        json_line_column(doc->text, offset, &err->line, &err->column);
    }
    return p3d_fail(err, P3D_DATA, "%s", text);
}

bool json_fail(const json_doc *doc, const char *pointer, p3d_error *err,
        const char *fmt, ...)
{
    char text[sizeof(err->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return fail_nth(doc, pointer, 1, err, text);
}

/* A key with its place among the members, so that equal keys stay in order. */
typedef struct named {
    const char *key;
    size_t index;
} named;

/* Walks all objects of a document; path[0..depth] leads to the current one. */
typedef struct walk {
    const cJSON *path[JSON_MAX_DEPTH + 1];
    int depth;
    named *names; /* reused by all objects */
    size_t capacity;
} walk;

static int compare_names(const void *a, const void *b)
{
    const named *const x = a;
    const named *const y = b;
    const int order = strcmp(x->key, y->key);

    if (order != 0)
        return order;
    return (x->index > y->index) - (x->index < y->index);
}

/* The first key of the object that was there before, or NULL; false when there
 * is not enough memory. */
static bool find_duplicate(walk *w, const cJSON *object, const char **key)
{
    size_t n = 0;
    size_t first = SIZE_MAX;

    *key = NULL;
    for (const cJSON *member = object->child; member != NULL;
            member = member->next) {
        if (n == w->capacity) {
            const size_t capacity = n == 0 ? 64 : 2 * n;
            named *const more =
                    realloc(w->names, capacity * sizeof(w->names[0]));

            if (more == NULL)
                return false;
            w->names = more;
            w->capacity = capacity;
        }
        w->names[n] = (named){member->string, n};
        n++;
    }
    if (n < 2)
        return true;
    qsort(w->names, n, sizeof(w->names[0]), compare_names);
    for (size_t i = 1; i < n; i++) {
        if (w->names[i].index < first &&
                strcmp(w->names[i - 1].key, w->names[i].key) == 0) {
            first = w->names[i].index;
            *key = w->names[i].key;
        }
    }
    return true;
}

/* The pointer of the object that the walk is at. */
static void add_pointer(const walk *w, p3d_text *pointer)
{
    for (int i = 1; i <= w->depth; i++) {
        const cJSON *const parent = w->path[i - 1];
        size_t index = 0;

        if (cJSON_IsObject(parent)) {
            json_pointer_add(pointer, w->path[i]->string);
            continue;
        }
        for (const cJSON *e = parent->child; e != w->path[i]; e = e->next)
            index++;
        p3d_text_add(pointer, "/%zu", index);
    }
}

static bool refuse_duplicate(
        const walk *w, const json_doc *doc, const char *key, p3d_error *err)
{
    p3d_text pointer = {0};
    char text[200];
    char shown[64];
    size_t first = 0;
    int line;
    int column;

    add_pointer(w, &pointer);
    json_pointer_add(&pointer, key);
    p3d_show(shown, sizeof(shown), key);
    json_locate(doc->text, doc->length, p3d_text_get(&pointer), 1, &first);
    json_line_column(doc->text, first, &line, &column);
    snprintf(text, sizeof(text),
            "key '%s' appears twice, first on line %d; remove one of the two",
            shown, line);
    fail_nth(doc, p3d_text_get(&pointer), 2, err, text);
    p3d_text_free(&pointer);
    return false;
}

/* Visits every value once, parents first; the depth was checked before. */
static bool check_keys(const json_doc *doc, p3d_error *err)
{
    walk w = {.path = {doc->root}};
    const cJSON *node = doc->root;
    bool ok = true;

    while (ok && node != NULL) {
        const char *key = NULL;

        w.path[w.depth] = node;
        if (cJSON_IsObject(node) && !find_duplicate(&w, node, &key))
            ok = p3d_fail(err, P3D_SYSTEM, "out of memory");
        else if (key != NULL)
            ok = refuse_duplicate(&w, doc, key, err);
        if (node->child != NULL) {
            w.depth++;
            node = node->child;
            continue;
        }
        while (w.depth > 0 && node->next == NULL)
            node = w.path[--w.depth];
        node = node->next; /* NULL at the document itself */
    }
    free(w.names);
    return ok;
}

/* cJSON asks the locale for the first byte of its decimal point. */
static cJSON *parse_in_c_locale(
        const char *text, size_t length, const char **end)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before;
    cJSON *root;

    if (plain == (locale_t)0)
        return NULL;
    before = uselocale(plain);
    root = cJSON_ParseWithLengthOpts(text, length + 1, end, true);
    uselocale(before);
    freelocale(plain);
    return root;
}

/* Parses a text that becomes the doc's own; it is freed on failure. That cJSON
 * refuses what the scan accepted means that memory ran out. */
static bool parse_own(const char *file, char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    json_doc parsed = {.text = text, .length = length};
    const char *end = NULL;

    p3d_show(parsed.file, sizeof(parsed.file), file);
    if (!json_scan(file, text, length, err))
        goto out;
    parsed.root = parse_in_c_locale(text, length, &end);
    if (parsed.root == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        goto out;
    }
    if (!check_keys(&parsed, err))
        goto out;
    *doc = parsed;
    return true;
out:
    json_close(&parsed);
    return false;
}

/* Put null, in as many bytes, for the infinities outside of strings. Source:
 * Python's json.encoder (allow_nan). */
static void take_infinities(char *text)
{
    static const char infinity[] = "Infinity";
    const size_t n = strlen(infinity);
    bool in_string = false;

    for (char *at = text; *at != '\0'; at++) {
        if (in_string && *at == '\\' && at[1] != '\0')
            at++;
        else if (*at == '"')
            in_string = !in_string;
        else if (!in_string && strncmp(at, infinity, n) == 0) {
            memcpy(at, "null    ", n);
            if (at > text && at[-1] == '-')
                at[-1] = ' ';
        }
    }
}

static bool copy_text(const char *file, const char *text, size_t length,
        char **copy, p3d_error *err)
{
    json_doc empty = {0};

    p3d_show(empty.file, sizeof(empty.file), file);
    if (length > JSON_MAX_BYTES)
        return json_fail(&empty, "", err,
                "the document is longer than %d bytes", JSON_MAX_BYTES);
    *copy = malloc(length + 1);
    if (*copy == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memcpy(*copy, text, length);
    (*copy)[length] = '\0';
    return true;
}

bool json_parse(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    char *copy;

    return copy_text(file, text, length, &copy, err) &&
           parse_own(file, copy, length, doc, err);
}

bool json_parse_python(const char *file, const char *text, size_t length,
        json_doc *doc, p3d_error *err)
{
    char *copy;

    if (!copy_text(file, text, length, &copy, err))
        return false;
    take_infinities(copy);
    return parse_own(file, copy, length, doc, err);
}

bool json_open(const char *path, json_doc *doc, p3d_error *err)
{
    char *text;
    size_t length;

    return p3d_read_file(path, JSON_MAX_BYTES, &text, &length, err) &&
           parse_own(p3d_file_name(path), text, length, doc, err);
}

bool json_open_python(const char *path, json_doc *doc, p3d_error *err)
{
    char *text;
    size_t length;

    if (!p3d_read_file(path, JSON_MAX_BYTES, &text, &length, err))
        return false;
    take_infinities(text);
    return parse_own(p3d_file_name(path), text, length, doc, err);
}

void json_close(json_doc *doc)
{
    cJSON_Delete(doc->root);
    free(doc->text);
    *doc = (json_doc){0};
}

bool json_close_after(json_doc *doc, bool ok)
{
    json_close(doc);
    return ok;
}

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

bool json_is_bool(const json_value *value)
{
    return cJSON_IsBool(value);
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
