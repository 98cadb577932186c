/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.c - an answer as JSON, CSV or JSON lines, by its tables of fields. */
#include "report/format.h"

#include "report/csv.h"

const char *report_format_word(int i)
{
    static const char *const words[REPORT_N_FORMATS] = {
            "text", "json", "csv", "jsonl", "md"};

    return i < REPORT_N_FORMATS ? words[i] : NULL;
}

void report_print_json(
        const report_shape *shape, const void *document, p3d_text *out)
{
    json_writer writer = {.out = out};

    report_write(&writer, NULL, shape, document);
    p3d_text_add(out, "\n");
}

/* Where there is no row, a line has the document: it says why. */
static void print_lines(const report_data *data, p3d_text *out)
{
    const report_shape *const shape =
            data->rows.n > 0 ? data->row : data->shape;
    const report_list document = {data->document, 1};
    const report_list *const rows = data->rows.n > 0 ? &data->rows : &document;

    for (int i = 0; i < rows->n; i++) {
        json_writer writer = {.out = out, .one_line = true};

        report_write(&writer, NULL, shape,
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
    case REPORT_CSV: report_write_csv(data->row, &data->rows, out); return true;
    case REPORT_JSONL: print_lines(data, out); return true;
    case REPORT_TEXT:
    case REPORT_MARKDOWN:
    case REPORT_N_FORMATS: break;
    }
    return false;
}
