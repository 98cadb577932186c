/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.c - an answer as data, by its tables of fields: JSON, CSV or JSON
 * lines; a failure likewise, its text cut into what is wrong and what to write
 * instead. */
#include <ctype.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/version.h"
#include "report/data/fields.h"
#include "report/data/keys.h"
#include "report/document.h"
#include "report/format.h"
#include "report/page.h"
#include "report/report.h"
#include "report/study.h"
#include "spec/hardware.h"

const char *report_format_word(int i)
{
    static const char *const words[REPORT_N_FORMATS] = {
            "text", "json", "csv", "jsonl", "md"};

    return i < REPORT_N_FORMATS ? words[i] : NULL;
}

void report_print_json(
        const json_shape *shape, const void *document, p3d_text *out)
{
    json_writer writer = {.out = out};

    json_put_object(&writer, NULL, shape, document);
    p3d_text_add(out, "\n");
}

/* Where there is no row, a line has the document: it says why. */
static void print_lines(const report_data *data, p3d_text *out)
{
    const json_shape *const shape = data->rows.n > 0 ? data->row : data->shape;
    const json_list document = {data->document, 1};
    const json_list *const rows = data->rows.n > 0 ? &data->rows : &document;

    for (int i = 0; i < rows->n; i++) {
        json_writer writer = {.out = out, .one_line = true};

        json_put_object(&writer, NULL, shape,
                (const char *)rows->items + (size_t)i * shape->size);
        p3d_text_add(out, "\n");
    }
}

bool report_print_data(
        const report_data *data, report_format format, p3d_text *out)
{
    switch (format) {
    case REPORT_JSON:
        report_print_json(data->shape, data->document, out);
        return true;
    case REPORT_CSV: json_put_table(data->row, data->rows, out); return true;
    case REPORT_JSONL: print_lines(data, out); return true;
    case REPORT_TEXT:
    case REPORT_MARKDOWN:
    case REPORT_N_FORMATS: break;
    }
    return false;
}

/* A failure as it is written. */
typedef struct failure {
    const char *command;
    p3d_code code;
    const char *hint; /* NULL = none */
    const char *file; /* likewise, and the next */
    const char *pointer;
    int exit_status;
    int line, column; /* 0 = not known */
    char message[P3D_ERROR_TEXT];
} failure;

static const char *code_word(int i)
{
    static const char *const words[] = {[P3D_OK] = "ok",
            [P3D_NO] = "no",
            [P3D_USAGE] = "usage",
            [P3D_DATA] = "data",
            [P3D_SYSTEM] = "system",
            [P3D_DEVICE] = "device",
            [P3D_INTERRUPTED] = "interrupted"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* clang-format off */
#define F failure
static const json_field error_fields[] = {
    WORD_ROW(F, code, p3d_code, code_word, "what kind of failure it is"),
    ROW(F, exit_status, "of the program"),
    ROW(F, message, "what is wrong, the culprit in quotes"),
    ROW(F, hint, "what to write instead; null: nothing is known"),
    ROW(F, file, "that is wrong; null: none is"),
    MAYBE_ROW(F, line, "of the file, from 1"),
    MAYBE_ROW(F, column, "of that line, in bytes from 1"),
    ROW(F, pointer, "JSON Pointer (RFC 6901) of the culprit in the file"),
};
static const json_shape error_shape = REPORT_SHAPE(
        F, error_fields, "what went wrong");

static const json_field failure_fields[] = {
    SCHEMA_ROWS_BUT_COMMAND,
    ROW(F, command, "that failed; null: none was found"),
    PART_ROW("error", error_shape, "what went wrong"),
};

static const json_field version_fields[] = {
    SCHEMA_ROWS("version"),
    {FIELD("version", JSON_CONST(P3D_VERSION), 0, "of plan3d")},
    {FIELD("license", JSON_CONST(P3D_LICENSE), 0, "its identifier in SPDX")},
};
/* clang-format on */

const json_shape report_version_shape = {.doc = "answer of plan3d version",
        .n_fields = P3D_COUNT_OF(version_fields),
        .fields = version_fields};

void report_version_print(report_format format, p3d_text *out)
{
    if (format != REPORT_JSON) {
        p3d_text_add(out, "plan3d %s (%s)\n", P3D_VERSION, P3D_LICENSE);
        return;
    }
    json_put_object(
            &(json_writer){.out = out}, NULL, &report_version_shape, "");
    p3d_text_add(out, "\n");
}

const json_shape report_failure_shape = REPORT_SHAPE(F, failure_fields,
        "answer of any command that fails (exit status 2 and more)");

/* A quotation mark opens before a word and closes behind one; between two
 * letters it is an apostrophe. */
static bool is_quote(const char *text, size_t at, bool open)
{
    const char beside = open ? text[at + 1] : at > 0 ? text[at - 1] : ' ';

    return text[at] == '\'' && !isalnum((unsigned char)beside);
}

/* Where the culprit is named and the advice begins, "; "; else the end. What
 * stands in quotes is somebody's, and may have any characters. */
static size_t find_hint(const char *text)
{
    const size_t length = strlen(text);
    bool quoted = false;

    for (size_t i = 0; i < length; i++) {
        if (is_quote(text, i, quoted))
            quoted = !quoted;
        else if (!quoted && text[i] == ';' && text[i + 1] == ' ')
            return i;
    }
    return length;
}

/* NULL for what is not there. */
static const char *known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

void report_failure_print(const p3d_error *error, const char *command,
        const char *see, p3d_text *out)
{
    const size_t n = find_hint(error->text);
    const bool has_hint = error->text[n] != '\0';
    failure f = {.command = command,
            .code = error->code,
            .hint = has_hint ? error->text + n + 2 : see,
            .file = known(error->file),
            .pointer = known(error->pointer),
            .exit_status = p3d_exit_status(error->code),
            .line = error->line,
            .column = error->column};

    memcpy(f.message, error->text, n);
    report_print_json(&report_failure_shape, &f, out);
}
