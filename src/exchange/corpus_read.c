/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_read.c - the columns of a table of runs. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "exchange/corpus.h"

/* More than anybody has measured; each is predicted. */
enum { MAX_RUNS = 10000 };

typedef enum kind { TEXT, WHOLE, NUMBER } kind;

/* What a column is needed for. */
typedef enum need { MAY, MUST } need;

typedef struct column {
    const char *name;
    kind kind;
    need need;
    bool is_plan; /* part of the configuration */
    size_t offset;
} column;

#define AT(field, T)                                                 \
    (offsetof(p3d_corpus_row, field) +                               \
            0 * sizeof(char[_Generic(                                \
                        ((p3d_corpus_row *)0)->field, T : 1, default \
                        : -1)]))

/* clang-format off */
#define TEXT_ROW(f, need, plan)   {#f, TEXT, need, plan, AT(f, const char *)}
#define WHOLE_ROW(f, need, plan)  {#f, WHOLE, need, plan, AT(f, int64_t)}
#define NUMBER_ROW(f, need, plan) {#f, NUMBER, need, plan, AT(f, double)}

static const column columns[] = {
    TEXT_ROW(id, MUST, false), TEXT_ROW(source, MAY, false),
    TEXT_ROW(framework, MAY, true), TEXT_ROW(framework_version, MAY, false),
    TEXT_ROW(gpu, MUST, true), TEXT_ROW(interconnect, MAY, true),
    TEXT_ROW(model, MAY, true), TEXT_ROW(sharding, MAY, true),
    TEXT_ROW(recompute, MAY, true), TEXT_ROW(schedule, MAY, true),
    TEXT_ROW(dtype, MAY, true), TEXT_ROW(attention, MAY, true),
    TEXT_ROW(dispatcher, MAY, true), WHOLE_ROW(expert_overlap, MAY, true),
    TEXT_ROW(cuda_graphs, MAY, true),
    TEXT_ROW(offload, MAY, true), TEXT_ROW(stage, MAY, false),
    TEXT_ROW(memory_meter, MAY, false), TEXT_ROW(notes, MAY, false),
    TEXT_ROW(kind, MAY, false), TEXT_ROW(ref, MAY, false),
    WHOLE_ROW(year, MAY, false), WHOLE_ROW(n_gpus, MUST, true),
    WHOLE_ROW(gpus_per_node, MAY, true), WHOLE_ROW(hidden, MUST, true),
    WHOLE_ROW(n_layers, MUST, true), WHOLE_ROW(n_heads, MUST, true),
    WHOLE_ROW(n_kv_heads, MAY, true), WHOLE_ROW(head_dim, MAY, true),
    WHOLE_ROW(ffn, MUST, true), WHOLE_ROW(gated_mlp, MUST, true),
    WHOLE_ROW(vocab, MUST, true), WHOLE_ROW(tied_embeddings, MAY, true),
    WHOLE_ROW(n_experts, MAY, true), WHOLE_ROW(top_k, MAY, true),
    WHOLE_ROW(moe_ffn, MAY, true), WHOLE_ROW(n_shared_experts, MAY, true),
    WHOLE_ROW(n_dense_layers, MAY, true), WHOLE_ROW(seq_len, MUST, true),
    WHOLE_ROW(micro_batch, MUST, true), WHOLE_ROW(global_batch, MUST, true),
    WHOLE_ROW(tp, MUST, true), WHOLE_ROW(pp, MUST, true),
    WHOLE_ROW(vp, MAY, true), WHOLE_ROW(cp, MAY, true),
    WHOLE_ROW(ep, MAY, true), WHOLE_ROW(etp, MAY, true),
    WHOLE_ROW(dp, MAY, true), WHOLE_ROW(sequence_parallel, MAY, true),
    WHOLE_ROW(compile, MAY, true),
    WHOLE_ROW(measured_peak_bytes, MAY, false), WHOLE_ROW(oom, MAY, false),
    WHOLE_ROW(usable_time, MAY, false), WHOLE_ROW(usable_memory, MAY, false),
    NUMBER_ROW(measured_step_s, MAY, false),
};
/* clang-format on */

enum { N_COLUMNS = P3D_COUNT_OF(columns) };

/* Where each column is in the table, -1 = not there. */
static bool find_columns(const p3d_csv *csv, int *at, p3d_error *err)
{
    bool has_measured = false;

    for (int i = 0; i < N_COLUMNS; i++) {
        const char *const name = columns[i].name;

        at[i] = p3d_csv_find(csv, name);
        has_measured = has_measured ||
                       (strncmp(name, "measured_", 9) == 0 && at[i] >= 0);
        if (at[i] < 0 && columns[i].need == MUST)
            return p3d_csv_fail_header(csv, err, "no column '%s'", name);
    }
    return has_measured || p3d_csv_fail_header(csv, err,
                                   "neither a column 'measured_step_s' nor "
                                   "'measured_peak_bytes'");
}

static bool read_number(
        const p3d_csv *csv, int row, int at, double *out, p3d_error *err)
{
    const char *const text = p3d_csv_get(csv, row, at);
    p3d_decimal decimal;
    const size_t used = p3d_scan_decimal(text, &decimal);
    char shown[64];
    double value;

    p3d_show(shown, sizeof(shown), text);
    if (used == 0 || text[used] != '\0')
        return p3d_csv_fail(csv, row, at, err,
                "column %s: '%s' is not a number; leave it empty when it is "
                "not known",
                p3d_csv_name(csv, at), shown);
    value = p3d_decimal_double(&decimal, 0);
    if (!(value > 0 && value < 1e15))
        return p3d_csv_fail(csv, row, at, err, "column %s: '%s' is not above 0",
                p3d_csv_name(csv, at), shown);
    *out = value;
    return true;
}

static bool read_whole(
        const p3d_csv *csv, int row, int at, int64_t *out, p3d_error *err)
{
    const char *const text = p3d_csv_get(csv, row, at);
    p3d_decimal decimal;
    const size_t used = p3d_scan_decimal(text, &decimal);
    int64_t value = 0;
    bool exact = false;
    char shown[64];

    p3d_show(shown, sizeof(shown), text);
    if (used == 0 || text[used] != '\0' ||
            !p3d_decimal_integer(&decimal, 0, 1, &value, &exact) || !exact ||
            value < 0)
        return p3d_csv_fail(csv, row, at, err,
                "column %s: '%s' is not a whole number; leave it empty when "
                "it is not known",
                p3d_csv_name(csv, at), shown);
    *out = value;
    return true;
}

static bool read_cell(const p3d_csv *csv, int row, int at, const column *c,
        p3d_corpus_row *out, p3d_error *err)
{
    void *const to = (char *)out + c->offset;
    const char *const text = at < 0 ? "" : p3d_csv_get(csv, row, at);

    if (c->kind == TEXT) {
        *(const char **)to = text;
        return true;
    }
    if (c->kind == WHOLE) {
        *(int64_t *)to = P3D_NOT_STATED;
        return text[0] == '\0' || read_whole(csv, row, at, to, err);
    }
    *(double *)to = 0;
    return text[0] == '\0' || read_number(csv, row, at, to, err);
}

static bool read_rows(const p3d_csv *csv, p3d_corpus_row *rows, p3d_error *err)
{
    int at[N_COLUMNS];

    if (!find_columns(csv, at, err))
        return false;
    for (int row = 0; row < csv->n_rows; row++) {
        for (int i = 0; i < N_COLUMNS; i++) {
            if (!read_cell(csv, row, at[i], &columns[i], &rows[row], err))
                return false;
        }
        if (rows[row].id[0] == '\0')
            return p3d_csv_fail(csv, row, p3d_csv_find(csv, "id"), err,
                    "a row without an id");
        if (rows[row].source[0] == '\0')
            rows[row].source = "unnamed";
    }
    return true;
}

bool p3d_corpus_open(const char *path, p3d_corpus *out, p3d_error *err)
{
    p3d_corpus got = {0};

    if (!p3d_csv_open(path, &got.csv, err))
        return false;
    if (got.csv.n_rows > MAX_RUNS) {
        p3d_csv_fail(
                &got.csv, MAX_RUNS, 0, err, "more than %d runs", (int)MAX_RUNS);
        p3d_csv_close(&got.csv);
        return false;
    }
    got.n_rows = got.csv.n_rows;
    got.rows = calloc((size_t)got.n_rows + 1, sizeof(*got.rows));
    if (got.rows == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (got.rows == NULL || !read_rows(&got.csv, got.rows, err)) {
        p3d_corpus_close(&got);
        return false;
    }
    *out = got;
    return true;
}

void p3d_corpus_close(p3d_corpus *corpus)
{
    free(corpus->rows);
    p3d_csv_close(&corpus->csv);
    *corpus = (p3d_corpus){0};
}

static bool same_cell(
        const p3d_corpus_row *a, const p3d_corpus_row *b, const column *c)
{
    const char *const from_a = (const char *)a + c->offset;
    const char *const from_b = (const char *)b + c->offset;
    const char *text_a;
    const char *text_b;

    if (c->kind == WHOLE)
        return memcmp(from_a, from_b, sizeof(int64_t)) == 0;
    memcpy(&text_a, from_a, sizeof(text_a));
    memcpy(&text_b, from_b, sizeof(text_b));
    return strcmp(text_a, text_b) == 0;
}

bool p3d_corpus_same_plan(const p3d_corpus *corpus, int a, int b)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        if (columns[i].is_plan &&
                !same_cell(&corpus->rows[a], &corpus->rows[b], &columns[i]))
            return false;
    }
    return true;
}
