/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plans.c - the three best plans of a model on a cluster, and the first one's
 * memory and time by terms. */
#include <stdio.h>
#include <stdlib.h>

#include <plan3d/plan3d.h>

/* A problem is filled once and then only read. What is 0 gets a default. */
static bool ask(p3d_problem *problem, p3d_error *err)
{
    *problem = (p3d_problem){.job = {.seq_len = 8192, .global_batch = 512}};
    if (!p3d_model_find("llama-3-8b", &problem->model, err) ||
            !p3d_cluster_find("8xH100", &problem->cluster, err))
        return false;
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    return true;
}

static void print_plan(const p3d_estimate *estimate)
{
    char words[P3D_PLAN_WORDS];

    printf("%7.3f s %6.2f GiB %5.1f %% MFU  %s\n",
            p3d_time_step_s(&estimate->time),
            (double)p3d_memory_device_bytes(&estimate->memory) / P3D_GIB,
            100 * estimate->mfu_frac,
            p3d_plan_print(&estimate->plan, words, sizeof(words)));
}

static void print_terms(const p3d_estimate *estimate)
{
#define PRINT_BYTES(field, words)        \
    printf("  %-36s %6.2f GiB\n", words, \
            (double)estimate->memory.field##_bytes / P3D_GIB);
#define PRINT_SECONDS(field, words) \
    printf("  %-36s %7.3f s\n", words, estimate->time.field##_s);
    P3D_MEMORY_TERMS(PRINT_BYTES)
    P3D_TIME_TERMS(PRINT_SECONDS)
}

int main(void)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *found = malloc(sizeof(*found));
    p3d_problem *problem = malloc(sizeof(*problem));
    p3d_error err = {.code = P3D_OK};
    char line[P3D_ERROR_LINE];
    const bool ok = found != NULL && problem != NULL && ask(problem, &err) &&
                    p3d_search(problem, &pins, 3, found, &err);

    if (ok) {
        for (int i = 0; i < found->n_top; i++)
            print_plan(&found->top[i]);
        if (found->n_top > 0)
            print_terms(&found->top[0]);
    } else {
        fprintf(stderr, "plans: %s\n",
                p3d_print_error(line, sizeof(line), &err));
    }
    free(problem);
    free(found);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
