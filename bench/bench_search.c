/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_search.c - how fast the exact search is: plans, seconds and memory
 * from 8 to 131,072 GPUs, best of some repetitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "plan3d/plan3d.h"

enum { REPETITIONS = 5 };

static const char *const models[] = {
        "llama-3-70b", "llama-3.1-405b", "deepseek-v3"};
static const int sizes[] = {8, 64, 512, 4096, 16384, 131072};

static bool set_up(const char *model, int n_gpus, p3d_problem *problem)
{
    p3d_error err = {.code = P3D_OK};
    char cluster[32];

    memset(problem, 0, sizeof(*problem));
    (void)snprintf(cluster, sizeof(cluster), "%dxH100", n_gpus);
    if (!p3d_model_find(model, &problem->model, &err) ||
            !p3d_cluster_find(cluster, &problem->cluster, &err)) {
        (void)fprintf(stderr, "bench_search: %s\n", err.text);
        return false;
    }
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    return true;
}

static bool measure(const char *model, int n_gpus, p3d_search_result *result)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_error err = {.code = P3D_OK};
    p3d_problem problem;
    double best_s = 1e9;
    struct rusage usage;

    if (!set_up(model, n_gpus, &problem))
        return false;
    for (int i = 0; i < REPETITIONS; i++) {
        if (!p3d_search(&problem, &pins, 1, result, &err))
            return false;
        best_s = result->seconds < best_s ? result->seconds : best_s;
    }
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%-16s %8d %12lld %8lld %10.2f %12.1f %10ld\n", model, n_gpus,
            (long long)result->n_plans, (long long)result->n_evaluated,
            1e3 * best_s, 1e-6 * (double)result->n_plans / best_s,
            usage.ru_maxrss / 1024);
    return true;
}

int main(void)
{
    p3d_search_result *result = malloc(sizeof(*result));

    if (result == NULL)
        return 4;
    printf("exact search, best plan only, H100 nodes of 8, best of %d runs\n",
            REPETITIONS);
    printf("%-16s %8s %12s %8s %10s %12s %10s\n", "model", "GPUs", "plans",
            "leaves", "ms", "Mplans/s", "max MiB");
    for (size_t m = 0; m < sizeof(models) / sizeof(models[0]); m++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            if (!measure(models[m], sizes[i], result)) {
                free(result);
                return 4;
            }
        }
    }
    free(result);
    return 0;
}
