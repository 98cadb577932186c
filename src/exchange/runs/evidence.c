/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c - finds the published runs that are nearest to a job. */
#include "exchange/runs/corpus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "plan3d/workload.h"
#include "spec/given.h"
#include "spec/hardware.h"
#include "spec/residuals.h"

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

/* A run as a plan of a job, to be held against another. */
typedef struct run_facts {
    p3d_plan plan;
    p3d_dtype dtype;
} run_facts;

double exchange_network_bytes_per_s_per_gpu(const p3d_cluster *cluster)
{
    return cluster->n_nodes < 2 ? 0
                                : cluster->fabric.nic_bytes_per_s_one_way *
                                          cluster->node.nics_per_node /
                                          cluster->node.gpus_per_node;
}

/* So that what is printed adds up. */
static double to_a_tenth(double steps)
{
    return round(10 * steps) / 10;
}

static double doublings(double a, double b)
{
    return to_a_tenth(fabs(p3d_log2(a / b)));
}

static double network_steps(double a, double b)
{
    return a > 0 && b > 0 ? doublings(a, b) : (a > 0) != (b > 0);
}

/* Bytes of what is multiplied. */
static double width(p3d_dtype dtype)
{
    static const double narrow[P3D_N_DTYPES] = {
            [P3D_FP8] = 1, [P3D_NVFP4] = 0.5};

    return narrow[dtype] > 0 ? narrow[dtype] : p3d_dtype_bytes(dtype);
}

static double gpu_steps(const p3d_measured_run *run, const p3d_gpu *gpu)
{
    return strcmp(run->gpu, gpu->name) == 0                    ? 0
           : strcmp(run->architecture, gpu->architecture) == 0 ? 1
                                                               : 3;
}

static double framework_steps(const char *a, const char *b)
{
    return strcmp(a, b) == 0 ? 0 : spec_same_family(a, b) ? 1 : 2;
}

static double plan_steps(const p3d_plan *a, const p3d_plan *b)
{
    const bool same_split = a->tp == b->tp && a->pp == b->pp &&
                            a->cp == b->cp && a->ep == b->ep;

    return (same_split ? 0 : 1) + (a->recompute == b->recompute ? 0 : 1);
}

static p3d_distance_parts distance(const p3d_measured_run *run,
        const run_facts *facts, const p3d_problem *problem,
        const p3d_plan *plan)
{
    const p3d_model *const model = &problem->model;
    const p3d_cluster *const cluster = &problem->cluster;
    const p3d_job *const job = &problem->job;

    return (p3d_distance_parts){
            .model_size_steps = doublings((double)run->active_parameters,
                    (double)p3d_active_params(model)),
            .experts_steps =
                    (run->n_experts > 0) == (model->n_experts > 0) ? 0 : 3,
            .trained_steps =
                    (run->adapter_rank > 0) == (job->adapters.rank > 0) ? 0 : 3,
            .gpu_steps = gpu_steps(run, &cluster->gpu),
            .precision_steps =
                    doublings(width(facts->dtype), width(job->dtype)),
            .framework_steps =
                    framework_steps(run->profile, job->framework->name),
            .network_steps = network_steps(run->network_bytes_per_s_per_gpu,
                    exchange_network_bytes_per_s_per_gpu(cluster)),
            .n_gpus_steps = doublings((double)run->n_gpus, cluster->n_gpus),
            .seq_len_steps = doublings((double)run->seq_len, job->seq_len),
            .plan_steps = plan_steps(&facts->plan, plan),
    };
}

static void add_up(p3d_near_run *of)
{
    double sum = 0, largest = 0;

#define P3D_AS_SUM(part, words)    \
    sum += of->parts.part##_steps; \
    largest = fmax(largest, of->parts.part##_steps);
    P3D_DISTANCE_PARTS(P3D_AS_SUM)
#undef P3D_AS_SUM
    of->distance_steps = to_a_tenth(sum);
    of->near = of->distance_steps <= P3D_NEAR_STEPS &&
               largest <= P3D_NEAR_PART_STEPS;
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
        run_facts *facts, p3d_error *err)
{
    return json_read_row(found, row, out, err) &&
           check_numbers(found->csv, row, out, err) &&
           read_dtype(found->csv, row, out->dtype, &facts->dtype, err) &&
           read_plan(found->csv, row, out, &facts->plan, err);
}

/* All runs of the table and how far each is. */
static bool read_runs(p3d_evidence_storage *storage, const p3d_problem *problem,
        const p3d_plan *plan, p3d_error *err)
{
    const p3d_csv *const csv = &storage->csv;
    json_columns found;

    storage->runs = calloc((size_t)csv->n_rows + 1, sizeof(*storage->runs));
    if (storage->runs == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!json_find_columns(csv, &exchange_evidence_shape, &found, err))
        return false;
    for (int row = 0; row < csv->n_rows; row++) {
        p3d_near_run *const to = &storage->runs[row];
        run_facts facts;

        if (!read_run(&found, row, &to->run, &facts, err))
            return false;
        to->parts = distance(&to->run, &facts, problem, plan);
        add_up(to);
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
