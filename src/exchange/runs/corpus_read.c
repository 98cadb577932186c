/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_read.c - the columns of a table of runs. */
#include <stdlib.h>
#include <string.h>

#include "exchange/runs/corpus.h"
#include "json/field.h"

/* More than anybody has measured; each is predicted. */
enum { MAX_RUNS = 10000 };

enum { MAY = 0, MUST = JSON_REQUIRED };

/* Whether the column is part of the configuration. */
enum { NOTE = 0, PLAN = JSON_IS_KEY };

/* clang-format off */
#define ROW(f, TYPE, T, need, part)                                            \
    {.key = #f, .type = TYPE, .flags = (need) | (part),                        \
     .offset = JSON_AT(p3d_corpus_row, f, T), .max = 1e15}
#define TEXT_ROW(f, need, part)   ROW(f, JSON_TEXT, const char *, need, part)
#define WHOLE_ROW(f, need, part)  ROW(f, JSON_INT64, int64_t, need, part)
#define NUMBER_ROW(f, need, part) ROW(f, JSON_DOUBLE, double, need, part)

static const json_field columns[] = {
    TEXT_ROW(id, MUST, NOTE), TEXT_ROW(source, MAY, NOTE),
    TEXT_ROW(framework, MAY, PLAN), TEXT_ROW(framework_version, MAY, NOTE),
    TEXT_ROW(gpu, MUST, PLAN), TEXT_ROW(interconnect, MAY, PLAN),
    TEXT_ROW(model, MAY, PLAN), TEXT_ROW(sharding, MAY, PLAN),
    TEXT_ROW(recompute, MAY, PLAN), TEXT_ROW(schedule, MAY, PLAN),
    TEXT_ROW(dtype, MAY, PLAN), TEXT_ROW(attention, MAY, PLAN),
    TEXT_ROW(dispatcher, MAY, PLAN), WHOLE_ROW(expert_overlap, MAY, PLAN),
    TEXT_ROW(cuda_graphs, MAY, PLAN),
    TEXT_ROW(offload, MAY, PLAN), TEXT_ROW(stage, MAY, NOTE),
    TEXT_ROW(memory_meter, MAY, NOTE), TEXT_ROW(notes, MAY, NOTE),
    TEXT_ROW(kind, MAY, NOTE), TEXT_ROW(ref, MAY, NOTE),
    WHOLE_ROW(year, MAY, NOTE), WHOLE_ROW(n_gpus, MUST, PLAN),
    WHOLE_ROW(gpus_per_node, MAY, PLAN), WHOLE_ROW(hidden, MUST, PLAN),
    WHOLE_ROW(n_layers, MUST, PLAN), WHOLE_ROW(n_heads, MUST, PLAN),
    WHOLE_ROW(n_kv_heads, MAY, PLAN), WHOLE_ROW(head_dim, MAY, PLAN),
    WHOLE_ROW(ffn, MUST, PLAN), WHOLE_ROW(gated_mlp, MUST, PLAN),
    WHOLE_ROW(vocab, MUST, PLAN), WHOLE_ROW(tied_embeddings, MAY, PLAN),
    WHOLE_ROW(n_experts, MAY, PLAN), WHOLE_ROW(top_k, MAY, PLAN),
    WHOLE_ROW(moe_ffn, MAY, PLAN), WHOLE_ROW(n_shared_experts, MAY, PLAN),
    WHOLE_ROW(n_dense_layers, MAY, PLAN), WHOLE_ROW(seq_len, MUST, PLAN),
    WHOLE_ROW(micro_batch, MUST, PLAN), WHOLE_ROW(global_batch, MUST, PLAN),
    WHOLE_ROW(tp, MUST, PLAN), WHOLE_ROW(pp, MUST, PLAN),
    WHOLE_ROW(vp, MAY, PLAN), WHOLE_ROW(cp, MAY, PLAN),
    WHOLE_ROW(ep, MAY, PLAN), WHOLE_ROW(etp, MAY, PLAN),
    WHOLE_ROW(dp, MAY, PLAN), WHOLE_ROW(sequence_parallel, MAY, PLAN),
    WHOLE_ROW(compile, MAY, PLAN),
    WHOLE_ROW(measured_peak_bytes, MAY, NOTE), WHOLE_ROW(oom, MAY, NOTE),
    WHOLE_ROW(usable_time, MAY, NOTE), WHOLE_ROW(usable_memory, MAY, NOTE),
    NUMBER_ROW(measured_step_s, MAY, NOTE),
};
/* clang-format on */

static const json_shape row_shape = {.size = sizeof(p3d_corpus_row),
        .n_fields = P3D_COUNT_OF(columns),
        .fields = columns};

static bool find_columns(const p3d_csv *csv, json_columns *out, p3d_error *err)
{
    if (!json_find_columns(csv, &row_shape, out, err))
        return false;
    return p3d_csv_find(csv, "measured_step_s") >= 0 ||
           p3d_csv_find(csv, "measured_peak_bytes") >= 0 ||
           p3d_csv_fail_header(csv, err,
                   "neither a column 'measured_step_s' nor "
                   "'measured_peak_bytes'");
}

/* A row that states nothing. */
static void clear_row(p3d_corpus_row *row)
{
    const int64_t not_stated = P3D_NOT_STATED;

    for (int i = 0; i < P3D_COUNT_OF(columns); i++)
        if (columns[i].type == JSON_INT64)
            memcpy((char *)row + columns[i].offset, &not_stated,
                    sizeof(not_stated));
}

static bool read_rows(const p3d_csv *csv, p3d_corpus_row *rows, p3d_error *err)
{
    json_columns found;

    if (!find_columns(csv, &found, err))
        return false;
    for (int row = 0; row < csv->n_rows; row++) {
        clear_row(&rows[row]);
        if (!json_read_row(&found, row, &rows[row], err))
            return false;
        if (rows[row].id[0] == '\0')
            return p3d_csv_fail(csv, row, p3d_csv_find(csv, "id"), err,
                    "a row without an id");
        if (rows[row].source[0] == '\0')
            rows[row].source = "unnamed";
    }
    return true;
}

bool exchange_corpus_open(const char *path, p3d_corpus *out, p3d_error *err)
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
        exchange_corpus_close(&got);
        return false;
    }
    *out = got;
    return true;
}

void exchange_corpus_close(p3d_corpus *corpus)
{
    free(corpus->rows);
    p3d_csv_close(&corpus->csv);
    *corpus = (p3d_corpus){0};
}

bool exchange_corpus_same_plan(const p3d_corpus *corpus, int a, int b)
{
    return json_same_keys(&row_shape, &corpus->rows[a], &corpus->rows[b]);
}
