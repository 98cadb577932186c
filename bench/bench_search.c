/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_search.c - how fast the exact search is, alone and for the plan to
 * recommend: plans, seconds and memory from 8 to 131,072 GPUs, and what one
 * plan takes; best of some repetitions.
 * Seconds are those of the processor, so that neighbours do not count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "plan3d/plan3d.h"

enum { REPETITIONS = 5, ESTIMATES = 1000 };

typedef struct case_row {
    const char *model;
    const char *cluster;
    int seq_len; /* 0 = usual */
    int global_batch;
} case_row;

/* Powers of two, and numbers with more divisors. */
static const char *const models[] = {
        "llama-3-70b", "llama-3.1-405b", "deepseek-v3"};
static const int sizes[] = {8, 64, 384, 512, 4096, 12288, 16384, 98304, 131072};

/* The problems of Calculon's own exhaustive search. */
static const case_row calculon[] = {{"gpt3-175b", "64xA100", 2048, 64},
        {"gpt3-175b", "64xA100", 2048, 1536},
        {"gpt3-175b", "512xA100", 2048, 512},
        {"gpt3-175b", "512xA100", 2048, 1536}};

/* Plans of llama-3-70b on 64 H100, the costs of whose blocks are known. */
static const char *const leaves[] = {"tp=4,pp=1,dp=16,zero=3",
        "tp=4,pp=4,dp=4,zero=1", "tp=4,pp=8,dp=2,zero=1",
        "tp=4,pp=4,dp=4,vp=5,zero=1", "tp=4,pp=4,dp=4,zero=1,first=18,last=20"};

static double processor_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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

/** A search, or all that `plan3d fit` looks for. */
typedef bool search_kind(const p3d_problem *problem, p3d_search_result *result);

static bool search_alone(const p3d_problem *problem, p3d_search_result *result)
{
    const p3d_pins pins = p3d_pins_free();

    return p3d_search(problem, &pins, 1, result, NULL);
}

static bool recommend(const p3d_problem *problem, p3d_search_result *result)
{
    const p3d_recommend_options options = {
            .search = {.n_top = 1}, .within_frac = P3D_WITHIN_FRAC};
    p3d_recommendation found;

    return p3d_recommend(problem, &options, result, &found, NULL);
}

/** @return seconds of the fastest repetition, negative where one failed */
static double least_s(const p3d_problem *problem, search_kind *kind,
        p3d_search_result *result)
{
    double best_s = 1e9;

    for (int i = 0; i < REPETITIONS; i++) {
        double s = processor_s();

        if (!kind(problem, result))
            return -1;
        s = processor_s() - s;
        best_s = s < best_s ? s : best_s;
    }
    return best_s;
}

static bool measure(const case_row *row, p3d_search_result *result)
{
    p3d_problem problem;
    struct rusage usage;
    double alone_s, all_s;

    if (!set_up(row, &problem))
        return false;
    all_s = least_s(&problem, recommend, result);
    alone_s = least_s(&problem, search_alone, result);
    if (all_s < 0 || alone_s < 0)
        return false;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%-15s %12s %6lld %15lld %8lld %8.1f %8.1f %10.1f %9.2f %7ld\n",
            row->model, row->cluster, (long long)problem.job.global_batch,
            (long long)result->n_plans, (long long)result->n_evaluated,
            1e3 * alone_s, 1e3 * all_s,
            1e-6 * (double)result->n_plans / alone_s,
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

static bool measure_leaf(const char *words)
{
    const case_row row = {"llama-3-70b", "64xH100", 0, 0};
    p3d_error err = {.code = P3D_OK};
    p3d_problem problem;
    p3d_plan plan;
    p3d_blocks blocks;
    p3d_estimate estimate;
    double best_s = 1e9;

    if (!set_up(&row, &problem) ||
            !p3d_plan_parse(words, problem.cluster.n_gpus, NULL, &plan, &err))
        return false;
    p3d_blocks_build(&problem, p3d_plan_shard(&plan), &blocks);
    for (int i = 0; i < REPETITIONS; i++) {
        double s = processor_s();

        for (int j = 0; j < ESTIMATES; j++)
            p3d_estimate_blocks(&problem, &plan, &blocks, &estimate);
        s = (processor_s() - s) / ESTIMATES;
        best_s = s < best_s ? s : best_s;
    }
    printf("%-40s %6.2f us\n", words, 1e6 * best_s);
    return true;
}

static bool measure_leaves(void)
{
    bool ok = true;

    printf("\none plan of llama-3-70b on 64xH100, the costs of its blocks "
           "known\n");
    for (size_t i = 0; ok && i < sizeof(leaves) / sizeof(leaves[0]); i++)
        ok = measure_leaf(leaves[i]);
    return ok;
}

int main(void)
{
    p3d_search_result *result = malloc(sizeof(*result));
    bool ok = result != NULL;

    printf("exact search, best plan and runner-up, nodes of 8 GPUs, best of %d "
           "runs\n",
            REPETITIONS);
    printf("%-15s %12s %6s %15s %8s %8s %8s %10s %9s %7s\n", "model", "cluster",
            "batch", "plans", "leaves", "ms", "all ms", "Mplans/s", "step s",
            "MiB");
    ok = ok && measure_growth(result);
    for (size_t i = 0; ok && i < sizeof(calculon) / sizeof(calculon[0]); i++)
        ok = measure(&calculon[i], result);
    ok = ok && measure_leaves();
    free(result);
    return ok ? 0 : 4;
}
