/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_write.c - JSON objects from structs by a table of fields. */
#include "exchange/record.h"

bool record_is_absent(const record_field *field, const char *at)
{
    switch (field->kind) {
    case RECORD_INT: return *(const int64_t *)(const void *)at == 0;
    case RECORD_DOUBLE: return !(*(const double *)(const void *)at > 0);
    case RECORD_BOOL: return !*(const bool *)at;
    case RECORD_TEXT: return at[0] == '\0';
    case RECORD_WORD: break;
    }
    return *(const int *)(const void *)at == 0;
}

void record_write_value(json_writer *w, const char *key,
        const record_field *field, const char *at)
{
    switch (field->kind) {
    case RECORD_INT:
        json_put_int(w, key, *(const int64_t *)(const void *)at);
        break;
    case RECORD_DOUBLE:
        json_put_double(w, key, *(const double *)(const void *)at);
        break;
    case RECORD_BOOL: json_put_bool(w, key, *(const bool *)at); break;
    case RECORD_TEXT: json_put_string(w, key, at); break;
    case RECORD_WORD:
        json_put_string(w, key, field->words[*(const int *)(const void *)at]);
        break;
    }
}

void record_write_fields(json_writer *w, const record *shape, const void *from)
{
    for (int i = 0; i < shape->n_fields; i++) {
        const record_field *const field = &shape->fields[i];
        const char *const at = (const char *)from + field->offset;

        if (!field->optional || !record_is_absent(field, at))
            record_write_value(w, field->key, field, at);
    }
}

static void write_object(
        json_writer *w, const char *key, const record *shape, const void *from)
{
    json_begin(w, key, '{');
    record_write_fields(w, shape, from);
    json_end(w, '}');
}

static void write_rows(
        json_writer *w, const record *shape, const p3d_rows *rows)
{
    json_begin(w, shape->key, '[');
    for (int i = 0; i < rows->n; i++)
        write_object(w, NULL, shape,
                (const char *)rows->items + (size_t)i * shape->size);
    json_end(w, ']');
}

void record_document_write(
        const record_document *shape, const void *from, p3d_text *out)
{
    json_writer w = {.out = out};

    json_begin(&w, NULL, '{');
    record_write_fields(&w, shape->head, from);
    for (int i = 0; i < shape->n_parts; i++) {
        const record_part *const part = &shape->parts[i];
        const void *const at = (const char *)from + part->offset;

        if (!part->is_rows)
            write_object(&w, part->shape->key, part->shape, at);
        else if (((const p3d_rows *)at)->n > 0)
            write_rows(&w, part->shape, at);
    }
    json_end(&w, '}');
    p3d_text_add(out, "\n");
}
