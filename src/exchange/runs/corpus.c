/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus.c - tables of measured runs: their columns and rows. */
#include "exchange/runs/corpus.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "json/field.h"

/* More than anybody has measured; each is predicted. */
enum { MAX_RUNS = 10000 };

enum { MAY = 0, MUST = JSON_REQUIRED };

/* Whether the column is part of the configuration. */
enum { NOTE = 0, PLAN = JSON_IS_KEY };

/* clang-format off */
#define COLUMN(ctype, f, need, part)                                           \
    {.key = #f, .type = JSON_TYPE_OF(exchange_run, f),                         \
     .flags = (need) | (part), .offset = offsetof(exchange_run, f),            \
     .max = 1e15},

static const json_field columns[] = {
    EXCHANGE_RUN_COLUMNS(COLUMN)
};
/* clang-format on */

static const json_shape row_shape = {.size = sizeof(exchange_run),
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
static void clear_row(exchange_run *row)
{
    const int64_t not_stated = EXCHANGE_NOT_STATED;

    for (int i = 0; i < P3D_COUNT_OF(columns); i++)
        if (columns[i].type == JSON_INT64)
            memcpy((char *)row + columns[i].offset, &not_stated,
                    sizeof(not_stated));
}

static bool read_rows(const p3d_csv *csv, exchange_run *rows, p3d_error *err)
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

bool exchange_corpus_open(
        const char *path, exchange_corpus *out, p3d_error *err)
{
    exchange_corpus got = {0};

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

void exchange_corpus_close(exchange_corpus *corpus)
{
    free(corpus->rows);
    p3d_csv_close(&corpus->csv);
    *corpus = (exchange_corpus){0};
}

static int compare_plans(const void *a, const void *b)
{
    const exchange_run *const *const left = a;
    const exchange_run *const *const right = b;

    return json_compare_keys(&row_shape, *left, *right);
}

bool exchange_corpus_number_plans(
        const exchange_corpus *corpus, int *out, p3d_error *err)
{
    const size_t n = (size_t)corpus->n_rows;
    const exchange_run **const rows = calloc(n + 1, sizeof(*rows));

    if (rows == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        rows[i] = &corpus->rows[i];
    qsort(rows, n, sizeof(*rows), compare_plans);
    for (size_t i = 0, plan = 0; i < n; i++) {
        if (i > 0 && compare_plans(&rows[i - 1], &rows[i]) != 0)
            plan++;
        out[rows[i] - corpus->rows] = (int)plan;
    }
    free(rows);
    return true;
}

bool exchange_corpus_refuse(exchange_reason *reason, const char *fmt, ...)
{
    char words[sizeof(reason->words)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(words, sizeof(words), fmt, args);
    va_end(args);
    p3d_copy(reason->words, sizeof(reason->words), words);
    p3d_copy(reason->kind, sizeof(reason->kind), words);
    return false;
}
