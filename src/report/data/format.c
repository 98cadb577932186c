/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.c - an answer as data, by its tables of fields: JSON, CSV or JSON
 * lines, and the JSON Schemas of what plan3d writes and reads. */
#include <string.h>

#include "base/util.h"
#include "report/data/format.h"
#include "report/data/keys.h"
#include "report/document.h"
#include "report/failure.h"
#include "report/html/page.h"
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

/* The schemas. */

/* A document: one shape, or several of which it has one. */
typedef struct document_row {
    const char *name;
    int n_shapes;
    const json_shape *const *shapes;
} document_row;

static const json_shape *const fit_shapes[] = {&report_fit_shape};
static const json_shape *const plan_shapes[] = {&report_plan_document_shape};
static const json_shape *const estimate_shapes[] = {&report_estimate_shape};
static const json_shape *const advise_shapes[] = {&report_advise_shape};
static const json_shape *const explain_shapes[] = {&report_explain_shape,
        &report_why_shape, &report_compare_shape,
        &report_sensitivity_document_shape, &report_evidence_shape,
        &report_error_document_shape};
static const json_shape *const sweep_shapes[] = {&report_sweep_shape};
static const json_shape *const export_shapes[] = {&report_export_shape};
static const json_shape *const import_shapes[] = {&report_import_shape};
static const json_shape *const backtest_shapes[] = {&report_backtest_shape};
static const json_shape *const page_shapes[] = {&report_page_shape};
static const json_shape *const calibrate_shapes[] = {&report_calibrated_shape};
static const json_shape *const validate_shapes[] = {&report_validated_shape};
static const json_shape *const error_shapes[] = {&report_failure_shape};
static const json_shape *const cluster_shapes[] = {&spec_cluster_file_shape};

#define DOCUMENT(name) #name, P3D_COUNT_OF(name##_shapes), name##_shapes

static const document_row documents[] = {
        {DOCUMENT(fit)},
        {DOCUMENT(plan)},
        {DOCUMENT(estimate)},
        {DOCUMENT(explain)},
        {DOCUMENT(advise)},
        {DOCUMENT(sweep)},
        {DOCUMENT(export)},
        {DOCUMENT(import)},
        {"report", P3D_COUNT_OF(page_shapes), page_shapes},
        {DOCUMENT(backtest)},
        {DOCUMENT(calibrate)},
        {DOCUMENT(validate)},
        {"list", REPORT_N_LISTS, report_list_shapes},
        {DOCUMENT(error)},
        {DOCUMENT(cluster)},
};

const char *report_schema_name(int i)
{
    return P3D_HAS(documents, i) ? documents[i].name : NULL;
}

report_keys_of report_document_at(int i)
{
    for (int d = 0; d < P3D_COUNT_OF(documents); d++) {
        if (i < documents[d].n_shapes)
            return (report_keys_of){documents[d].name, documents[d].shapes[i]};
        i -= documents[d].n_shapes;
    }
    return (report_keys_of){NULL, NULL};
}

static void print_document(const document_row *row, p3d_text *out)
{
    json_writer w = {.out = out};

    if (row->n_shapes == 1) {
        json_put_schema(&w, NULL, row->shapes[0]);
    } else {
        json_begin(&w, NULL, '{');
        json_put_dialect(&w);
        json_begin(&w, "oneOf", '[');
        for (int i = 0; i < row->n_shapes; i++)
            json_put_schema(&w, NULL, row->shapes[i]);
        json_end(&w, ']');
        json_end(&w, '}');
    }
    p3d_text_add(out, "\n");
}

bool report_schema(const char *name, p3d_text *out)
{
    for (int i = 0; i < P3D_COUNT_OF(documents); i++) {
        if (strcmp(documents[i].name, name) == 0) {
            print_document(&documents[i], out);
            return true;
        }
    }
    return false;
}
