/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.c - measured steps of replicas that differ, on pools of several types,
 * against their predictions: a table of docs/accuracy.md.
 *
 *   pools FILE   rows of tests/accuracy/pools.csv */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/util.h"
#include "plan3d/pools.h"
#include "search/pools/stages.h"

enum { MOST_REPLICAS = 16, MOST_ROWS = 64 };

/** A measured run. Each stage is one box, with tensor parallelism over the GPUs
 *  that it uses of it. */
typedef struct run {
    const char *id, *pools;
    p3d_model model;
    int seq_len, micro_batch, tp, n_replicas, n_stages;
    int64_t batch, peak_bytes;
    double step_s, shown_bytes_per_s;
    char replicas[MOST_REPLICAS][P3D_MAX_POOLS + 1]; /* A: the first pool */
    int layers[P3D_MAX_POOLS];
} run;

/** Predicted over measured, less one. */
typedef struct errors {
    double assumed_frac; /* of the step, on the network that is assumed */
    double shown_frac;   /* on the one that the exchange shows */
    double peak_frac;    /* of the rank that has the most */
} errors;

static void stop(const p3d_error *err)
{
    fprintf(stderr, "pools: %s\n", err->text);
    exit(1);
}

static const char *word(const p3d_csv *csv, int row, const char *column)
{
    const int at = p3d_csv_find(csv, column);
    p3d_error err = {0};

    if (at < 0) {
        (void)p3d_csv_fail_header(csv, &err, "no column '%s'", column);
        stop(&err);
    }
    return p3d_csv_get(csv, row, at);
}

static double number(const p3d_csv *csv, int row, const char *column)
{
    return strtod(word(csv, row, column), NULL);
}

static int whole(const p3d_csv *csv, int row, const char *column)
{
    return (int)number(csv, row, column);
}

/* GPT layers, as the rows of other tables without gated MLPs. */
static p3d_model model_of(const p3d_csv *csv, int row)
{
    p3d_model m = {.hidden = whole(csv, row, "hidden"),
            .n_layers = whole(csv, row, "n_layers"),
            .n_heads = whole(csv, row, "n_heads"),
            .n_kv_heads = whole(csv, row, "n_heads"),
            .ffn = whole(csv, row, "ffn"),
            .vocab = whole(csv, row, "vocab"),
            .n_norms = 2,
            .norm_weights = 2,
            .final_norm = true,
            .qkv_bias = true,
            .o_bias = true,
            .mlp_bias = true,
            .max_positions = whole(csv, row, "seq_len"),
            .learned_positions = whole(csv, row, "seq_len")};

    (void)p3d_copy(m.name, sizeof(m.name), word(csv, row, "model"));
    m.head_dim = m.hidden / m.n_heads;
    return m;
}

static void read_replicas(const char *words, run *out)
{
    int used = 0;

    while (out->n_replicas < MOST_REPLICAS &&
            sscanf(words, " %4s%n", out->replicas[out->n_replicas], &used) ==
                    1) {
        words += used;
        out->n_replicas++;
    }
    out->n_stages = (int)strlen(out->replicas[0]);
}

static run read_run(const p3d_csv *csv, int row)
{
    const char *layers = word(csv, row, "layers");
    run out = {.id = word(csv, row, "id"),
            .pools = word(csv, row, "pools"),
            .model = model_of(csv, row),
            .seq_len = whole(csv, row, "seq_len"),
            .micro_batch = whole(csv, row, "micro_batch"),
            .tp = whole(csv, row, "tp"),
            .batch = whole(csv, row, "global_batch"),
            .peak_bytes = (int64_t)number(csv, row, "measured_peak_bytes"),
            .step_s = number(csv, row, "measured_step_s"),
            .shown_bytes_per_s = number(csv, row, "shown_gbit_per_s") / 8e-9};

    read_replicas(word(csv, row, "replicas"), &out);
    for (int s = 0; s < out.n_stages; s++) {
        char *end;

        out.layers[s] = (int)strtol(layers, &end, 10);
        layers = end;
    }
    return out;
}

/* As this rate from each node to all others. */
static void set_network(p3d_pools_problem *p, double bytes_per_s)
{
    for (int k = 0; k < p->pools.n_pools; k++) {
        p->pools.clusters[k].fabric.nic_bytes_per_s_one_way = bytes_per_s;
        p->on[k].cluster = p->pools.clusters[k];
    }
    for (int i = 0; i < p->pools.n_links; i++)
        p->pools.links[i].bytes_per_s_one_way = bytes_per_s;
}

static p3d_pools_problem *problem_of(const run *r)
{
    p3d_pools_problem *const p = calloc(1, sizeof(*p));
    p3d_error err = {0};

    if (p == NULL)
        exit(4);
    if (!p3d_pools_find(r->pools, &p->pools, &err))
        stop(&err);
    for (int k = 0; k < p->pools.n_pools; k++) {
        p3d_problem *const on = &p->on[k];

        on->model = r->model;
        on->cluster = p->pools.clusters[k];
        on->job = (p3d_job){.seq_len = r->seq_len,
                .global_batch = r->batch,
                .framework = p3d_framework_find("generic")};
        p3d_job_default(&on->job, &on->model, &on->cluster);
        on->job.dtype = P3D_FP32;
        on->job.attention = P3D_EAGER;
    }
    return p;
}

static int pool_at(const run *r, int replica, int stage)
{
    return r->replicas[replica][stage] - 'A';
}

static void set_class(const run *r, int replica, p3d_replica_class *c)
{
    *c = (p3d_replica_class){.n_replicas = 1,
            .n_segments = r->n_stages,
            .micro_batch = r->micro_batch,
            .n_micro_batches = r->batch / (r->micro_batch * r->n_replicas)};
    for (int s = 0; s < r->n_stages; s++) {
        c->segments[s] = (p3d_segment){
                .pool = pool_at(r, replica, s), .tp = r->tp, .n_stages = 1};
        c->layers[s] = r->layers[s];
    }
}

/* Error of the step; bytes_per_s = 0: on the network that is assumed. */
static double step_error(const run *r, double bytes_per_s)
{
    p3d_pools_problem *const p = problem_of(r);
    p3d_pools_plan *const plan = calloc(1, sizeof(*plan));
    double step_s;

    if (plan == NULL)
        exit(4);
    if (bytes_per_s > 0)
        set_network(p, bytes_per_s);
    plan->n_classes = r->n_replicas;
    for (int i = 0; i < plan->n_classes; i++)
        set_class(r, i, &plan->classes[i]);
    (void)p3d_pools_estimate(p, plan); /* some are less than sure to fit */
    step_s = plan->step_s;
    free(plan);
    free(p);
    return step_s / r->step_s - 1;
}

static double peak_error(const run *r)
{
    p3d_pools_problem *const p = problem_of(r);
    search_pool_world *const w = malloc(sizeof(*w));
    const int n = r->n_replicas;
    const search_pool_setting setting = {0, (1u << p->pools.n_pools) - 1, n, n};
    int64_t most = 0;
    p3d_error err = {0};

    if (w == NULL)
        exit(4);
    if (!search_pool_open(p, w, &err))
        stop(&err);
    search_pool_set(w, &setting);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < r->n_stages; s++) {
            const int pool = pool_at(r, i, s);
            const search_pool_shard *const shard =
                    &w->shards[w->index[pool][search_pool_exponent(r->tp)][1]
                                       [P3D_RECOMPUTE_NONE][0]];
            const search_pool_stage stage = {
                    shard, r->n_stages, s, r->layers[s]};
            const int64_t bytes = search_pool_peak_bytes(w, &stage);

            most = bytes > most ? bytes : most;
        }
    search_pool_close(w);
    free(w);
    free(p);
    return (double)most / (double)r->peak_bytes - 1;
}

static void print_row(const p3d_csv *csv, int row, const run *r, errors e)
{
    printf("| %s | %s | %s | %.1f s | %+.0f %% | %+.0f %% | %.1f GB | %+.0f %% "
           "|\n",
            r->id, r->pools, word(csv, row, "replicas"), r->step_s,
            100 * e.assumed_frac, 100 * e.shown_frac,
            1e-9 * (double)r->peak_bytes, 100 * e.peak_frac);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Median of what is left without signs. */
static double median(double *values, int n)
{
    for (int i = 0; i < n; i++)
        values[i] = fabs(values[i]);
    qsort(values, (size_t)n, sizeof(*values), by_size);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

int main(int argc, char **argv)
{
    double assumed[MOST_ROWS], shown[MOST_ROWS], peak[MOST_ROWS];
    p3d_csv csv = {.n_rows = 0};
    p3d_error err = {0};

    if (argc != 2) {
        fprintf(stderr, "pools FILE\n");
        return 2;
    }
    if (!p3d_csv_open(argv[1], &csv, &err))
        stop(&err);
    P3D_ASSERT(csv.n_rows <= MOST_ROWS);
    printf("| run | pools | replicas, a letter a stage | step | as assumed | "
           "as "
           "shown | peak | error |\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < csv.n_rows; i++) {
        const run r = read_run(&csv, i);
        const errors e = {step_error(&r, 0),
                step_error(&r, r.shown_bytes_per_s), peak_error(&r)};

        assumed[i] = e.assumed_frac;
        shown[i] = e.shown_frac;
        peak[i] = e.peak_frac;
        print_row(&csv, i, &r, e);
    }
    printf("| median without sign | | | | %.0f %% | %.0f %% | | %.0f %% |\n",
            100 * median(assumed, csv.n_rows), 100 * median(shown, csv.n_rows),
            100 * median(peak, csv.n_rows));
    p3d_csv_close(&csv);
    return 0;
}
