/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c - finds the published runs that are nearest to a job. */
#include "exchange/runs/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "spec/given.h"
#include "spec/hardware.h"
#include "spec/nearness.h"

/* clang-format off */
#define COLUMN(f, more, d)                                                     \
    {.key = #f, .type = JSON_TYPE_OF(p3d_measured_run, f),                     \
     .flags = JSON_REQUIRED | (more),                                          \
     .offset = offsetof(p3d_measured_run, f), .max = 1e300, .doc = d}

enum { MAY_BE_0 = JSON_ZERO_IS_NULL };

static const json_field columns[] = {
    COLUMN(id, 0, "of the run in tests/accuracy/runs.csv"),
    COLUMN(source, 0, "that published it"),
    COLUMN(year, MAY_BE_0, "of the publication"),
    COLUMN(framework, 0, "as the source names it"),
    COLUMN(profile, 0, "framework whose costs predicted it"),
    COLUMN(gpu, 0, "of hardware/gpu"),
    COLUMN(architecture, 0, "of that GPU"),
    COLUMN(n_gpus, 0, "GPUs of the run"),
    COLUMN(network_bytes_per_s_per_gpu, MAY_BE_0,
            "a GPU's share of the network between nodes; null: one node"),
    COLUMN(model, 0, "as the source names it"),
    COLUMN(parameters, 0, "of the model"),
    COLUMN(active_parameters, 0, "that a token passes"),
    COLUMN(n_experts, MAY_BE_0, "of a layer; null: dense"),
    COLUMN(adapter_rank, MAY_BE_0, "of LoRA; null: all weights are trained"),
    COLUMN(seq_len, 0, "tokens of a sequence"),
    COLUMN(dtype, 0, "data type of the products"),
    COLUMN(plan, 0, "as --plan reads it"),
    COLUMN(measured_step_s, 0, "one optimizer step, measured"),
    COLUMN(predicted_step_s, 0, "the same, predicted"),
    COLUMN(measured_tokens_per_s_per_gpu, 0, "of one GPU, measured"),
    COLUMN(predicted_tokens_per_s_per_gpu, 0, "the same, predicted"),
    COLUMN(ref, 0, "where it stands in the source"),
};
/* clang-format on */

const json_shape exchange_evidence_shape = {.size = sizeof(p3d_measured_run),
        .n_fields = P3D_COUNT_OF(columns),
        .fields = columns,
        .doc = "a measured run and its prediction"};

struct p3d_evidence_storage {
    p3d_csv csv;
    p3d_near_run *runs; /* all of the table */
};

/* A run that was read, to be held against a job. */
static spec_run_facts facts_of(
        const p3d_measured_run *run, const p3d_plan *plan, p3d_dtype dtype)
{
    return (spec_run_facts){.gpu = run->gpu,
            .architecture = run->architecture,
            .profile = run->profile,
            .active_parameters = (double)run->active_parameters,
            .seq_len = (double)run->seq_len,
            .network_bytes_per_s_per_gpu = run->network_bytes_per_s_per_gpu,
            .n_gpus = (int)run->n_gpus,
            .experts = run->n_experts > 0,
            .adapters = run->adapter_rank > 0,
            .dtype = dtype,
            .tp = plan->tp,
            .pp = plan->pp,
            .cp = plan->cp,
            .ep = plan->ep,
            .recompute = plan->recompute};
}

/* Reading. */

static int column_of(const p3d_csv *csv, const char *key)
{
    return p3d_csv_find(csv, key);
}

/* No number of a run may be left out, but those that say so. */
static bool check_numbers(const p3d_csv *csv, int row,
        const p3d_measured_run *run, p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(columns); i++) {
        const char *const at = (const char *)run + columns[i].offset;
        int64_t whole = 1;
        double number = 1;

        if ((columns[i].flags & MAY_BE_0) != 0)
            continue;
        if (columns[i].type == JSON_INT64)
            memcpy(&whole, at, sizeof(whole));
        if (columns[i].type == JSON_DOUBLE)
            memcpy(&number, at, sizeof(number));
        if (whole == 0 || !(number > 0))
            return p3d_csv_fail(csv, row, column_of(csv, columns[i].key), err,
                    "column %s: a number above 0 is missing", columns[i].key);
    }
    return true;
}

static bool read_dtype(const p3d_csv *csv, int row, const char *word,
        p3d_dtype *out, p3d_error *err)
{
    int i = 0;

    while (i < P3D_N_DTYPES && strcmp(p3d_dtype_name((p3d_dtype)i), word) != 0)
        i++;
    *out = (p3d_dtype)i;
    return i < P3D_N_DTYPES ||
           p3d_csv_fail(csv, row, column_of(csv, "dtype"), err,
                   "column dtype: no data type '%.40s'", word);
}

static bool read_plan(const p3d_csv *csv, int row, const p3d_measured_run *run,
        p3d_plan *out, p3d_error *err)
{
    const p3d_framework *const profile = p3d_framework_find(run->profile);
    p3d_error why = {.code = P3D_OK};

    if (profile == NULL)
        return p3d_csv_fail(csv, row, column_of(csv, "profile"), err,
                "column profile: no framework '%.40s'", run->profile);
    if (run->n_gpus > P3D_MAX_GPUS)
        return p3d_csv_fail(csv, row, column_of(csv, "n_gpus"), err,
                "column n_gpus: more than %d GPUs", (int)P3D_MAX_GPUS);
    return p3d_plan_parse(run->plan, (int)run->n_gpus, profile, out, &why) ||
           p3d_csv_fail(csv, row, column_of(csv, "plan"), err,
                   "column plan: %.200s", why.text);
}

static bool read_run(const json_columns *found, int row, p3d_measured_run *out,
        spec_run_facts *facts, p3d_error *err)
{
    p3d_dtype dtype;
    p3d_plan plan;

    if (!json_read_row(found, row, out, err) ||
            !check_numbers(found->csv, row, out, err) ||
            !read_dtype(found->csv, row, out->dtype, &dtype, err) ||
            !read_plan(found->csv, row, out, &plan, err))
        return false;
    *facts = facts_of(out, &plan, dtype);
    return true;
}

/* All runs of the table and how far each is. */
static bool read_runs(p3d_evidence_storage *storage, const p3d_problem *problem,
        const p3d_plan *plan, p3d_error *err)
{
    const p3d_csv *const csv = &storage->csv;
    const spec_run_facts asked = spec_facts_of(problem, plan);
    json_columns found;

    storage->runs = calloc((size_t)csv->n_rows + 1, sizeof(*storage->runs));
    if (storage->runs == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!json_find_columns(csv, &exchange_evidence_shape, &found, err))
        return false;
    for (int row = 0; row < csv->n_rows; row++) {
        p3d_near_run *const to = &storage->runs[row];
        spec_run_facts facts;

        if (!read_run(&found, row, &to->run, &facts, err))
            return false;
        to->parts = spec_distance(&facts, &asked);
        to->distance_steps = spec_distance_steps(&to->parts);
        to->near = spec_is_near(&to->parts);
    }
    return true;
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

/* Near ones first, then by distance; of equally near ones the one that is
 * nearer in the weightiest part. */
static int compare(const void *a, const void *b)
{
    const p3d_near_run *const x = a, *const y = b;
    int by = (int)y->near - (int)x->near;

    if (by == 0)
        by = order(x->distance_steps, y->distance_steps);
#define P3D_AS_ORDER(part, words) \
    if (by == 0)                  \
        by = order(x->parts.part##_steps, y->parts.part##_steps);
    P3D_DISTANCE_PARTS(P3D_AS_ORDER)
#undef P3D_AS_ORDER
    return by != 0 ? by : strcmp(x->run.id, y->run.id);
}

static void take_nearest(p3d_evidence_storage *storage, p3d_evidence *out)
{
    const int n = storage->csv.n_rows;

    if (n > 0)
        qsort(storage->runs, (size_t)n, sizeof(*storage->runs), compare);
    *out = (p3d_evidence){.n = n < P3D_MAX_EVIDENCE ? n : P3D_MAX_EVIDENCE,
            .n_runs = n,
            .storage = storage};
    for (int i = 0; i < out->n; i++) {
        out->nearest[i] = storage->runs[i];
        out->n_near += out->nearest[i].near;
    }
}

static void destroy(p3d_evidence_storage *storage)
{
    free(storage->runs);
    p3d_csv_close(&storage->csv);
    free(storage);
}

static bool open_table(const char *path, p3d_csv *out, p3d_error *err)
{
    char found[SPEC_PATH];

    if (path != NULL)
        return p3d_csv_open(path, out, err);
    spec_data_path("hardware/evidence", "runs.csv", found);
    return p3d_csv_open(found, out, err);
}

bool p3d_evidence_find(const char *path, const p3d_problem *problem,
        const p3d_plan *plan, p3d_evidence *out, p3d_error *err)
{
    p3d_evidence_storage *storage;

    if (!spec_problem_given(problem) || !spec_plan_given(plan) || out == NULL)
        return p3d_misuse(err, __func__);
    storage = calloc(1, sizeof(*storage));
    if (storage == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!open_table(path, &storage->csv, err) ||
            !read_runs(storage, problem, plan, err)) {
        destroy(storage);
        return false;
    }
    take_nearest(storage, out);
    return true;
}

void p3d_evidence_free(p3d_evidence *evidence)
{
    if (evidence == NULL)
        return;
    if (evidence->storage != NULL)
        destroy(evidence->storage);
    *evidence = (p3d_evidence){.n = 0};
}
