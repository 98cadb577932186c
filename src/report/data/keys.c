/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.c - the documents that plan3d writes and reads: their JSON Schemas, and
 * every key with its type, unit and meaning as Markdown, from the tables of
 * fields. */
#include "report/data/keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "report/assign.h"
#include "report/document.h"
#include "report/format.h"
#include "report/page.h"
#include "report/pools.h"
#include "report/report.h"
#include "report/study.h"
#include "spec/hardware.h"

/* Objects in the order in which they are met: each is described once. */
typedef struct shapes {
    const json_shape **at; /* owned */
    int n;
    bool failed;
} shapes;

static bool has(const shapes *list, const json_shape *shape)
{
    for (int i = 0; i < list->n; i++) {
        if (list->at[i] == shape)
            return true;
    }
    return false;
}

static void add(shapes *list, const json_shape *shape)
{
    const json_shape **more;

    if (list->failed || has(list, shape))
        return;
    more = p3d_grow(list->at, list->n, sizeof(*more));
    list->failed = more == NULL;
    if (list->failed)
        return;
    list->at = more;
    list->at[list->n++] = shape;
}

/* Those in the fields of one. */
static void add_inner(shapes *list, const json_shape *shape)
{
    for (int i = 0; i < shape->n_fields; i++) {
        if (shape->fields[i].type->shape != NULL)
            add(list, shape->fields[i].type->shape);
    }
}

/* How a key ends, and its unit; the first that fits is taken. */
static const struct {
    const char *end;
    const char *unit;
} units[] = {
        {"bytes_per_s_one_way", "bytes/s, one way"},
        {"bytes_per_s", "bytes/s"},
        {"bytes_per_s_per_gpu", "bytes/s"},
        {"flop_per_s", "FLOP/s"},
        {"flops", "FLOP/s"},
        {"tokens_per_s", "tokens/s"},
        {"tokens_per_s_per_gpu", "tokens/s"},
        {"usd_per_gpu_h", "USD/h"},
        {"usd_per_gpu", "USD"},
        {"usd_per_kwh", "USD/kWh"},
        {"usd", "USD"},
        {"kwh", "kWh"},
        {"gpu_h", "GPU hours"},
        {"_w", "W"},
        {"_hz", "Hz"},
        {"_gib", "GiB"},
        {"bytes_per_node", "bytes"},
        {"bytes_per_element", "bytes"},
        {"bytes", "bytes"},
        {"_frac", "share of 1"},
        {"_ratio", "ratio"},
        {"_s", "s"},
        {"seconds", "s"},
        {"_steps", "steps"},
        {"n_tokens", "tokens"},
        {"tokens_per_step", "tokens"},
        {"seq_len", "tokens"},
        {"max_positions", "tokens"},
        {"global_batch", "sequences"},
        {"parameters", "parameters"},
        {"gpus", "GPUs"},
        {"nodes", "nodes"},
        {"layers", "layers"},
};

static const char *const type_words[JSON_N_KINDS] = {
        [JSON_KIND_INT] = "integer",
        [JSON_KIND_INT64] = "integer",
        [JSON_KIND_DOUBLE] = "number",
        [JSON_KIND_BOOL] = "true or false",
        [JSON_KIND_STRING] = "text",
        [JSON_KIND_WORD] = "word",
        [JSON_KIND_OBJECT] = "object",
        [JSON_KIND_LIST] = "list",
        [JSON_KIND_ANY] = "several",
        [JSON_KIND_TEXT] = "text",
        [JSON_KIND_CONST] = "word",
        [JSON_KIND_OBJECT_OR_NULL] = "object",
        [JSON_KIND_LINES] = "list of texts",
};

static const char *unit_of(const json_field *field)
{
    const json_kind kind = field->type->kind;
    const size_t n = strlen(field->key);

    if (kind != JSON_KIND_INT && kind != JSON_KIND_INT64 &&
            kind != JSON_KIND_DOUBLE)
        return "";
    for (int i = 0; i < P3D_COUNT_OF(units); i++) {
        const size_t length = strlen(units[i].end);

        if (n >= length && strcmp(field->key + n - length, units[i].end) == 0)
            return units[i].unit;
    }
    return kind == JSON_KIND_DOUBLE ? "1" : "";
}

/* Words in a cell: a bar would end it. */
static void put_words(const char *words, p3d_text *out)
{
    for (; *words != '\0'; words++)
        p3d_text_add(out, *words == '|' ? "\\%c" : "%c", *words);
}

/* The anchor that a heading gets: letters and digits, a hyphen for a space. */
static void put_anchor(const char *heading, p3d_text *out)
{
    for (; *heading != '\0'; heading++) {
        const unsigned char c = (unsigned char)*heading;

        if (isalnum(c) || c == '-' || c == '_')
            p3d_text_add(out, "%c", tolower(c));
        else if (c == ' ')
            p3d_text_add(out, "-");
    }
}

/* How many objects before this one are called the same: headings that repeat
 * get a number behind their anchor. */
static int n_namesakes(const shapes *list, const json_shape *shape)
{
    int n = 0;

    for (int i = 0; i < list->n && list->at[i] != shape; i++)
        n += strcmp(list->at[i]->doc, shape->doc) == 0;
    return n;
}

static void put_link(const shapes *list, const json_shape *shape, p3d_text *out)
{
    const int n = n_namesakes(list, shape);

    p3d_text_add(out, " [");
    put_words(shape->doc, out);
    p3d_text_add(out, "](#");
    put_anchor(shape->doc, out);
    if (n > 0)
        p3d_text_add(out, "-%d", n);
    p3d_text_add(out, ")");
}

/* Those that a value may be, quoted. */
static void put_choices(const json_type *type, p3d_text *out)
{
    const char *word;

    if (type->kind == JSON_KIND_CONST)
        p3d_text_add(out, " `%s`", type->text);
    for (int i = 0; type->kind == JSON_KIND_WORD &&
                    (word = json_type_word(type, i)) != NULL;
            i++)
        p3d_text_add(out, "%s `%s`", i > 0 ? "," : "", word);
}

static void put_field(
        const shapes *list, const json_field *field, p3d_text *out)
{
    const json_type *const type = field->type;
    const char *const doc = field->doc != NULL    ? field->doc
                            : type->shape != NULL ? type->shape->doc
                                                  : "";

    p3d_text_add(out, "| `%s` | %s", field->key, type_words[type->kind]);
    put_choices(type, out);
    if (type->shape != NULL) {
        p3d_text_add(out, "%s", type->kind == JSON_KIND_LIST ? " of" : "");
        put_link(list, type->shape, out);
    }
    p3d_text_add(out, "%s | %s | ", json_may_be_null(field) ? " or null" : "",
            unit_of(field));
    put_words(doc, out);
    p3d_text_add(out, " |\n");
}

static void put_table(
        const shapes *list, const json_shape *shape, p3d_text *out)
{
    p3d_text_add(out, "| key | type | unit | meaning |\n|---|---|---|---|\n");
    for (int i = 0; i < shape->n_fields; i++)
        put_field(list, &shape->fields[i], out);
    p3d_text_add(out, "\n");
}

static void print(const report_keys_of *documents, int n, const shapes *list,
        p3d_text *out)
{
    for (int i = 0; i < n; i++) {
        p3d_text_add(out, "### %s\n\n`plan3d schema %s`\n\n",
                documents[i].shape->doc, documents[i].name);
        put_table(list, documents[i].shape, out);
    }
    p3d_text_add(out, "## Objects in them\n\n");
    for (int i = n; i < list->n; i++) {
        p3d_text_add(out, "### %s\n\n", list->at[i]->doc);
        put_table(list, list->at[i], out);
    }
}

bool report_print_keys(
        const report_keys_of *documents, int n, p3d_text *out, p3d_error *err)
{
    shapes list = {.n = 0};

    for (int i = 0; i < n; i++)
        add(&list, documents[i].shape);
    for (int i = 0; i < list.n; i++) /* it grows */
        add_inner(&list, list.at[i]);
    if (!list.failed)
        print(documents, n, &list, out);
    free(list.at);
    return !list.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

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
        &report_error_document_shape, &report_network_document_shape,
        &report_pools_network_document_shape};
static const json_shape *const sweep_shapes[] = {
        &report_sweep_shape, &report_pools_sweep_shape};
static const json_shape *const assign_shapes[] = {&report_assign_shape};
static const json_shape *const export_shapes[] = {&report_export_shape};
static const json_shape *const import_shapes[] = {&report_import_shape};
static const json_shape *const backtest_shapes[] = {&report_backtest_shape};
static const json_shape *const page_shapes[] = {&report_page_shape};
static const json_shape *const calibrate_shapes[] = {&report_calibrated_shape};
static const json_shape *const validate_shapes[] = {&report_validated_shape};
static const json_shape *const error_shapes[] = {&report_failure_shape};
static const json_shape *const version_shapes[] = {&report_version_shape};
static const json_shape *const cluster_shapes[] = {&spec_cluster_file_shape};
static const json_shape *const pools_shapes[] = {&report_pools_shape};
static const json_shape *const fleet_shapes[] = {&spec_pools_file_shape};

#define DOCUMENT(name) #name, P3D_COUNT_OF(name##_shapes), name##_shapes

static const document_row documents[] = {
        {DOCUMENT(fit)},
        {DOCUMENT(plan)},
        {DOCUMENT(estimate)},
        {DOCUMENT(explain)},
        {DOCUMENT(advise)},
        {DOCUMENT(sweep)},
        {DOCUMENT(assign)},
        {DOCUMENT(export)},
        {DOCUMENT(import)},
        {"report", P3D_COUNT_OF(page_shapes), page_shapes},
        {DOCUMENT(backtest)},
        {DOCUMENT(calibrate)},
        {DOCUMENT(validate)},
        {"list", REPORT_N_LISTS, report_list_shapes},
        {DOCUMENT(version)},
        {DOCUMENT(error)},
        {DOCUMENT(cluster)},
        {DOCUMENT(pools)},
        {DOCUMENT(fleet)},
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
