/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_advise_jobs.c - over small, tight and huge jobs the greedy walk ends
 * near the recommended plan, and in a sure one wherever there is one. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan3d/plan3d.h"
#include "plan3d/recommend.h"

static const struct job {
    const char *model;
    const char *cluster;
    const char *framework;
    int seq_len;          /* 0 = the default */
    int64_t global_batch; /* likewise */
} jobs[] = {
        {"llama-2-7b", "8xA100", "megatron-core", 0, 0},
        {"llama-2-7b", "8xRTX-4090", "megatron-core", 0, 0},
        {"llama-2-13b", "16xA800", "megatron-core", 0, 0},
        {"llama-3-70b", "64xA800", "megatron-core", 0, 0},
        {"llama-3-70b", "64xH100", "megatron-core", 0, 0},
        {"llama-3-70b", "2048xH100", "megatron-core", 0, 0},
        {"llama-3.1-405b", "16384xH100", "megatron-core", 0, 0},
        {"gpt3-175b", "1024xA100", "megatron-core", 0, 0},
        {"bloom-176b", "384xA100", "megatron-core", 0, 0},
        {"megatron-530b", "2240xA100", "megatron-core", 0, 0},
        {"mixtral-8x7b", "64xH100", "megatron-core", 0, 0},
        {"deepseek-v3", "2048xH800", "megatron-core", 0, 0},
        {"llama-3-70b", "16xA800", "megatron-core", 0, 0},
        {"gpt3-175b", "64xV100", "megatron-core", 0, 0},
        {"gpt2-xl", "1xA100", "megatron-core", 0, 0},
        {"llama-3-8b", "1xH100", "megatron-core", 0, 0},
        {"llama-3-8b", "8xH100", "megatron-core", 0, 0},
        {"llama-3-8b", "8xH100", "fsdp2", 0, 0},
        {"llama-3-8b", "8xH100", "megatron-core", 65536, 64},
        {"llama-3-70b", "64xH100", "megatron-core", 131072, 32},
        {"llama-3-70b", "64xH100", "deepspeed", 0, 0},
        {"llama-3-70b", "256xA100", "generic", 0, 0},
        {"llama-3-70b", "128xH100", "torchtitan", 0, 0},
        {"llama-3.1-405b", "512xH100", "generic", 0, 0},
        {"llama-3.1-405b", "2048xH100", "megatron-core", 0, 0},
        {"mixtral-8x22b", "256xH100", "megatron-core", 0, 0},
        {"qwen3-235b-a22b", "256xH100", "megatron-core", 0, 0},
        {"gpt3-13b", "32xV100", "megatron-core", 0, 0},
        {"opt-66b", "128xA100", "megatron-core", 0, 0},
        {"megatron-1t", "3072xA100", "megatron-core", 0, 0},
};

enum { N_JOBS = (int)(sizeof(jobs) / sizeof(jobs[0])), AT_LEAST_NEAR = 28 };

static const double near_frac = 0.10;

static double step_of(const p3d_estimate *e)
{
    return p3d_time_step_s(&e->time);
}

/** The walk's step over the recommended plan's; 0 = neither is there. */
static double ratio_of(
        const struct job *job, p3d_advice *walk, p3d_search_result *found)
{
    const p3d_problem problem = problem_of(job->model, job->cluster,
            job->framework, job->seq_len, job->global_batch);
    const p3d_recommend_options options = {.search = {.n_top = 1},
            .within_frac = P3D_WITHIN_FRAC,
            .alone = true};
    p3d_recommendation best;
    p3d_error err = {.code = P3D_OK};
    char ends[P3D_PLAN_WORDS], words[P3D_PLAN_WORDS];
    const p3d_estimate *end;

    problem_check(p3d_recommend(&problem, &options, found, &best, &err), &err);
    problem_check(p3d_advise(&problem, NULL, walk, &err), &err);
    if (best.verdict != P3D_VERDICT_FITS) {
        assert_int_equal(walk->best, -1);
        return 0;
    }
    if (walk->best < 0)
        fail_msg("%s on %s: the walk finds no sure plan", job->model,
                job->cluster);
    end = &walk->steps[walk->best].estimate;
    assert_true(end->sure);
    print_message("%-16s %-11s %5.3f  %3d steps  %s\n%36s%s\n", job->model,
            job->cluster, step_of(end) / step_of(&best.recommended),
            walk->n_steps, p3d_plan_print(&end->plan, ends, sizeof(ends)), "",
            p3d_plan_print(&best.recommended.plan, words, sizeof(words)));
    return step_of(end) / step_of(&best.recommended);
}

static void the_walk_ends_near_the_recommended_plan(void **state)
{
    p3d_advice *const walk = malloc(sizeof(*walk));
    p3d_search_result *const found = malloc(sizeof(*found));
    int n_near = 0;

    (void)state;
    assert_true(walk != NULL && found != NULL);
    for (int i = 0; i < N_JOBS; i++)
        n_near += ratio_of(&jobs[i], walk, found) < 1 + near_frac;
    print_message("%d of %d within 10 %%\n", n_near, N_JOBS);
    assert_true(n_near >= AT_LEAST_NEAR);
    free(walk);
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_walk_ends_near_the_recommended_plan),
    };

    return cmocka_run_group_tests_name("advise_jobs", tests, NULL, NULL);
}
