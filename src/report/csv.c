/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - objects of one table of fields as lines of CSV. */
#include "report/csv.h"

#include <string.h>

#include "base/util.h"

/* A text with a comma, quote or line end stands in quotes. */
static void put_text(const char *text, p3d_text *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        p3d_text_add(out, "%s", text);
        return;
    }
    p3d_text_append(out, "\"", 1);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"')
            p3d_text_append(out, "\"", 1);
        p3d_text_append(out, c, 1);
    }
    p3d_text_append(out, "\"", 1);
}

/* A number or truth as JSON has it, so that both formats say the same. */
static void put_as_json(
        const report_field *field, const void *object, p3d_text *out)
{
    const report_field alone = {.kind = field->kind,
            .offset = field->offset,
            .zero_is_null = field->zero_is_null,
            .nan_is_null = field->nan_is_null};
    p3d_text value = {0};
    json_writer w = {.out = &value};

    report_write_value(&w, &alone, object);
    if (strcmp(p3d_text_get(&value), "null") != 0)
        p3d_text_add(out, "%s", p3d_text_get(&value));
    out->failed = out->failed || value.failed;
    p3d_text_free(&value);
}

static void put_field(
        const report_field *field, const void *object, p3d_text *out)
{
    const char *const at = (const char *)object + field->offset;
    const char *text = NULL;

    switch (field->kind) {
    case REPORT_CONST: put_text(field->text, out); break;
    case REPORT_CHARS: put_text(at, out); break;
    case REPORT_STRING:
        memcpy(&text, at, sizeof(text));
        if (text != NULL)
            put_text(text, out);
        break;
    case REPORT_BOOL:
    case REPORT_INT:
    case REPORT_INT64:
    case REPORT_DOUBLE: put_as_json(field, object, out); break;
    case REPORT_WORD:
    case REPORT_OBJECT:
    case REPORT_OBJECT_OR_NULL:
    case REPORT_LIST:
    case REPORT_LINES: P3D_ASSERT(field->kind < REPORT_WORD); break;
    }
}

void report_write_csv(
        const report_shape *shape, const report_list *objects, p3d_text *out)
{
    for (int i = 0; i < shape->n_fields; i++)
        p3d_text_add(out, "%s%s", i == 0 ? "" : ",", shape->fields[i].key);
    p3d_text_add(out, "\n");
    for (int row = 0; row < objects->n; row++) {
        const char *object =
                (const char *)objects->items + (size_t)row * shape->size;

        for (int i = 0; i < shape->n_fields; i++) {
            if (i > 0)
                p3d_text_append(out, ",", 1);
            put_field(&shape->fields[i], object, out);
        }
        p3d_text_append(out, "\n", 1);
    }
}
