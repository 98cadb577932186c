/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_search.c - how fast the exact search is: plans, seconds and memory
 * from 8 to 131,072 GPUs, best of some repetitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "plan3d/plan3d.h"

enum { REPETITIONS = 5 };

typedef struct case_row {
    const char *model;
    const char *cluster;
    int seq_len; /* 0 = usual */
    int global_batch;
} case_row;

/* The last rows are the problems of Calculon's own exhaustive search. */
static const char *const models[] = {
        "llama-3-70b", "llama-3.1-405b", "deepseek-v3"};
static const int sizes[] = {8, 64, 512, 4096, 16384, 131072};
static const case_row calculon[] = {{"gpt3-175b", "64xA100", 2048, 64},
        {"gpt3-175b", "64xA100", 2048, 1536},
        {"gpt3-175b", "512xA100", 2048, 512},
        {"gpt3-175b", "512xA100", 2048, 1536}};

static bool set_up(const case_row *row, p3d_problem *problem)
{
    p3d_error err = {.code = P3D_OK};

    memset(problem, 0, sizeof(*problem));
    if (!p3d_model_find(row->model, &problem->model, &err) ||
            !p3d_cluster_find(row->cluster, &problem->cluster, &err)) {
        (void)fprintf(stderr, "bench_search: %s\n", err.text);
        return false;
    }
    problem->job.seq_len = row->seq_len;
    problem->job.global_batch = row->global_batch;
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    return true;
}

static bool measure(const case_row *row, p3d_search_result *result)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_error err = {.code = P3D_OK};
    p3d_problem problem;
    double best_s = 1e9;
    struct rusage usage;

    if (!set_up(row, &problem))
        return false;
    for (int i = 0; i < REPETITIONS; i++) {
        if (!p3d_search(&problem, &pins, 1, result, &err))
            return false;
        best_s = result->seconds < best_s ? result->seconds : best_s;
    }
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%-15s %12s %6lld %15lld %8lld %8.1f %10.1f %9.2f %7ld\n",
            row->model, row->cluster, (long long)problem.job.global_batch,
            (long long)result->n_plans, (long long)result->n_evaluated,
            1e3 * best_s, 1e-6 * (double)result->n_plans / best_s,
            result->n_top > 0 ? p3d_time_step_s(&result->top[0].time) : 0,
            usage.ru_maxrss / 1024);
    return true;
}

static bool measure_growth(p3d_search_result *result)
{
    for (size_t m = 0; m < sizeof(models) / sizeof(models[0]); m++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            char cluster[32];
            const case_row row = {models[m], cluster, 0, 0};

            (void)snprintf(cluster, sizeof(cluster), "%dxH100", sizes[i]);
            if (!measure(&row, result))
                return false;
        }
    }
    return true;
}

int main(void)
{
    p3d_search_result *result = malloc(sizeof(*result));
    bool ok = result != NULL;

    printf("exact search, best plan and runner-up, nodes of 8 GPUs, best of %d "
           "runs\n",
            REPETITIONS);
    printf("%-15s %12s %6s %15s %8s %8s %10s %9s %7s\n", "model", "cluster",
            "batch", "plans", "leaves", "ms", "Mplans/s", "step s", "MiB");
    ok = ok && measure_growth(result);
    for (size_t i = 0; ok && i < sizeof(calculon) / sizeof(calculon[0]); i++)
        ok = measure(&calculon[i], result);
    free(result);
    return ok ? 0 : 4;
}
