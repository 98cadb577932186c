/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - structs from JSON objects by a table of fields. */
#include "exchange/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"

/* More rows than this are a mistake, not a measurement. */
enum { MAX_ROWS = 100000, POINTER = 160 };

static json_kind kind_of(record_kind kind)
{
    switch (kind) {
    case RECORD_INT: return JSON_INT64;
    case RECORD_DOUBLE: return JSON_DOUBLE;
    case RECORD_BOOL: return JSON_BOOL;
    case RECORD_TEXT: return JSON_STRING;
    case RECORD_WORD: break;
    }
    return JSON_ANY;
}

static int word_at(const char *const *words, const char *word)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

/* "'fp4' is none of bf16, fp16; write bf16" */
static bool fail_word(const json_doc *doc, const char *pointer,
        const char *const *words, const char *word, p3d_error *err)
{
    p3d_nearest nearest = {.word = word};
    p3d_text list = {0};
    char shown[64];

    for (int i = 0; words[i] != NULL; i++) {
        p3d_nearest_offer(&nearest, words[i]);
        p3d_text_add(&list, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    p3d_show(shown, sizeof(shown), word);
    if (nearest.best[0] != '\0')
        json_fail(doc, pointer, err, "'%s' is unknown; did you mean '%s'?",
                shown, nearest.best);
    else
        json_fail(doc, pointer, err, "'%s' is unknown; write one of %s", shown,
                p3d_text_get(&list));
    p3d_text_free(&list);
    return false;
}

static bool read_word(const json_doc *doc, const json_value *value,
        const char *pointer, const record_field *field, void *out,
        p3d_error *err)
{
    char at[POINTER];
    int i;

    if (value == NULL)
        return true;
    snprintf(at, sizeof(at), "%s/%s", pointer, field->key);
    if (!json_is_string(value))
        return json_fail(doc, at, err, "not a word; write \"%s\": \"%s\"",
                field->key, field->words[0]);
    i = word_at(field->words, json_string(value));
    if (i < 0)
        return fail_word(doc, at, field->words, json_string(value), err);
    *(int *)(void *)((char *)out + field->offset) = i;
    return true;
}

static bool check(const json_doc *doc, const char *pointer, const record *shape,
        const void *object, p3d_error *err)
{
    const char *key = "";
    const char *const wrong =
            shape->check != NULL ? shape->check(object, &key) : NULL;
    char at[POINTER];

    if (wrong == NULL)
        return true;
    snprintf(at, sizeof(at), "%s/%s", pointer, key);
    return json_fail(doc, at, err, "%s", wrong);
}

/* Of an object inside the document. */
static const record_document no_parts = {0};

static json_field json_field_of(const record_field *field)
{
    return (json_field){.key = field->key,
            .kind = kind_of(field->kind),
            .required = !field->optional,
            .offset = field->offset,
            .min = field->min,
            .max = field->max,
            .doc = field->doc};
}

/* Reads one object; the keys of parts may be there too, and are read later. */
static bool read_object(const json_doc *doc, const json_value *object,
        const char *pointer, const record *shape, const record_document *whole,
        void *out, p3d_error *err)
{
    json_field fields[RECORD_MAX_FIELDS];
    int n = 0;

    P3D_ASSERT(shape->n_fields + whole->n_parts <= RECORD_MAX_FIELDS);
    for (int i = 0; i < shape->n_fields; i++)
        fields[n++] = json_field_of(&shape->fields[i]);
    for (int i = 0; i < whole->n_parts; i++)
        fields[n++] = (json_field){.key = whole->parts[i].shape->key,
                .kind = JSON_ANY,
                .required = !whole->parts[i].is_rows,
                .doc = whole->parts[i].shape->doc};
    if (!json_read_fields(doc, object, pointer, fields, n, out, err))
        return false;
    for (int i = 0; i < shape->n_fields; i++) {
        const record_field *const field = &shape->fields[i];

        if (field->kind == RECORD_WORD &&
                !read_word(doc, json_get(object, field->key), pointer, field,
                        out, err))
            return false;
    }
    return check(doc, pointer, shape, out, err);
}

static int count(const json_value *value)
{
    int n = 0;

    for (const json_value *i = json_first(value); i != NULL; i = json_next(i))
        n++;
    return n;
}

static bool read_rows(const json_doc *doc, const json_value *value,
        const char *pointer, const record *shape, p3d_rows *out, p3d_error *err)
{
    p3d_rows rows = {0};
    char at[POINTER];

    if (value == NULL) {
        *out = rows;
        return true;
    }
    if (!json_is_array(value))
        return json_fail(doc, pointer, err, "not a list; write [...]");
    if (count(value) > MAX_ROWS)
        return json_fail(doc, pointer, err, "more than %d rows", MAX_ROWS);
    rows.items = calloc((size_t)count(value) + 1, shape->size);
    if (rows.items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (const json_value *i = json_first(value); i != NULL; i = json_next(i)) {
        char *const row = (char *)rows.items + (size_t)rows.n * shape->size;

        snprintf(at, sizeof(at), "%.100s/%d", pointer, rows.n);
        if (!read_object(doc, i, at, shape, &no_parts, row, err)) {
            free(rows.items);
            return false;
        }
        rows.n++;
    }
    *out = rows;
    return true;
}

static bool read_part(const json_doc *doc, const record_part *part,
        char *document, p3d_error *err)
{
    const json_value *const value = json_get(doc->root, part->shape->key);
    char *const to = document + part->offset;
    char at[POINTER];

    snprintf(at, sizeof(at), "/%s", part->shape->key);
    if (part->is_rows)
        return read_rows(
                doc, value, at, part->shape, (p3d_rows *)(void *)to, err);
    return read_object(doc, value, at, part->shape, &no_parts, to, err);
}

static bool read_document(const json_doc *doc, const record_document *shape,
        void *out, p3d_error *err)
{
    if (!read_object(doc, doc->root, "", shape->head, shape, out, err))
        return false;
    for (int i = 0; i < shape->n_parts; i++)
        if (!read_part(doc, &shape->parts[i], out, err))
            return false;
    return true;
}

/* Closes the document. */
static bool take_document(
        json_doc *doc, const record_document *shape, void *out, p3d_error *err)
{
    void *const got = calloc(1, shape->head->size);
    bool ok = got != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && read_document(doc, shape, got, err);
    if (ok)
        memcpy(out, got, shape->head->size);
    else if (got != NULL)
        record_document_free(shape, got);
    free(got);
    json_close(doc);
    return ok;
}

bool record_document_open(const char *path, const record_document *shape,
        void *out, p3d_error *err)
{
    json_doc doc = {0};

    return json_open(path, &doc, err) && take_document(&doc, shape, out, err);
}

bool record_document_parse(const char *file, const char *text, size_t length,
        const record_document *shape, void *out, p3d_error *err)
{
    json_doc doc = {0};

    return json_parse(file, text, length, &doc, err) &&
           take_document(&doc, shape, out, err);
}

void record_document_free(const record_document *shape, void *document)
{
    for (int i = 0; i < shape->n_parts; i++) {
        p3d_rows *const rows =
                (p3d_rows *)(void *)((char *)document + shape->parts[i].offset);

        if (!shape->parts[i].is_rows)
            continue;
        free(rows->items);
        *rows = (p3d_rows){0};
    }
}
