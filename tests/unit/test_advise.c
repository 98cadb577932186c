/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_advise.c - the greedy walk makes the moves that an engineer would. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "plan3d/plan3d.h"

static p3d_walk *walk_of(const char *model, const char *cluster,
        const char *framework, p3d_problem *problem)
{
    p3d_error err = {.code = P3D_OK};
    p3d_walk *walk = malloc(sizeof(*walk));

    assert_non_null(walk);
    memset(problem, 0, sizeof(*problem));
    assert_true(p3d_model_find(model, &problem->model, &err));
    assert_true(p3d_cluster_find(cluster, &problem->cluster, &err));
    problem->job.framework = p3d_framework_find(framework);
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    p3d_advise(problem, walk);
    return walk;
}

/** Index of the first step with this decision, or -1. */
static int find(const p3d_walk *walk, const char *decision)
{
    for (int i = 0; i < walk->n_steps; i++) {
        if (strncmp(walk->steps[i].decision, decision, strlen(decision)) == 0)
            return i;
    }
    return -1;
}

static void it_starts_with_tp_over_a_node_zero_1_and_recomputation(void **state)
{
    p3d_problem problem;
    p3d_walk *walk =
            walk_of("llama-3-70b", "64xA800", "megatron-core", &problem);
    const p3d_plan *first = &walk->steps[0].estimate.plan;

    (void)state;
    assert_string_equal(walk->steps[0].decision, "start");
    assert_int_equal(first->tp, 8);
    assert_int_equal(first->pp, 1);
    assert_int_equal(first->dp, 8);
    assert_int_equal(first->zero, 1);
    assert_int_equal(first->micro_batch, 1);
    assert_int_equal(first->recompute, P3D_RECOMPUTE_FULL);
    assert_int_equal(first->recompute_layers, 0);
    free(walk);
}

static void out_of_memory_leads_to_zero_2_then_stages(void **state)
{
    p3d_problem problem;
    p3d_walk *walk = walk_of("llama-3.1-405b", "512xH100", "generic", &problem);
    const int zero = find(walk, "ZeRO 1 -> 2");
    const int stages = find(walk, "PP 1 -> 2");

    (void)state;
    assert_false(walk->steps[0].estimate.fits);
    assert_non_null(strstr(walk->steps[0].reason, "out of memory"));
    assert_int_equal(zero, 1);
    assert_int_equal(stages, 2);
    free(walk);
}

static void offload_is_the_last_resort(void **state)
{
    p3d_problem problem;
    p3d_walk *walk =
            walk_of("llama-3-70b", "8xA100", "megatron-core", &problem);
    const int offload = find(walk, "offload the optimizer");

    (void)state;
    assert_true(offload > 0);
    for (int i = 0; i < offload; i++)
        assert_false(walk->steps[i].estimate.fits);
    free(walk);
}

static void every_accepted_plan_after_the_first_fit_fits_and_is_faster(
        void **state)
{
    static const char *const jobs[][2] = {{"llama-3-70b", "64xA800"},
            {"llama-3-8b", "8xH100"}, {"llama-3.1-405b", "2048xH100"},
            {"mixtral-8x7b", "64xH100"}, {"gpt3-175b", "512xA100"},
            {"deepseek-v3", "1024xH800"}};

    (void)state;
    for (size_t j = 0; j < sizeof(jobs) / sizeof(jobs[0]); j++) {
        p3d_problem problem;
        p3d_walk *walk =
                walk_of(jobs[j][0], jobs[j][1], "megatron-core", &problem);
        double last_s = 1e300;

        assert_true(walk->n_steps > 0 && walk->n_steps <= P3D_MAX_STEPS);
        for (int i = 0; i < walk->n_steps; i++) {
            const p3d_step *step = &walk->steps[i];

            assert_true(step->reason[0] != '\0');
            if (!step->accepted || !step->estimate.fits)
                continue;
            assert_true(p3d_time_step_s(&step->estimate.time) < last_s);
            last_s = p3d_time_step_s(&step->estimate.time);
            assert_true(p3d_plan_legal(&problem.model, &problem.cluster,
                    &problem.job, &step->estimate.plan, NULL));
        }
        free(walk);
    }
}

static void the_walk_never_beats_the_exact_search(void **state)
{
    p3d_search_result *best = malloc(sizeof(*best));
    const p3d_pins pins = p3d_pins_free();
    p3d_error err = {.code = P3D_OK};
    p3d_problem problem;
    p3d_walk *walk =
            walk_of("llama-3-70b", "64xA800", "megatron-core", &problem);

    (void)state;
    assert_non_null(best);
    assert_true(p3d_search(&problem, &pins, 1, best, &err));
    assert_true(walk->best >= 0);
    assert_true(p3d_time_step_s(&walk->steps[walk->best].estimate.time) >=
                p3d_time_step_s(&best->top[0].time));
    free(best);
    free(walk);
}

static void no_plan_is_looked_at_twice_while_making_it_fast(void **state)
{
    p3d_problem problem;
    p3d_walk *walk =
            walk_of("gpt3-175b", "512xA100", "megatron-core", &problem);

    (void)state;
    for (int i = 0; i < walk->n_steps; i++) {
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(&walk->steps[i].estimate.plan,
                    &walk->steps[j].estimate.plan, sizeof(p3d_plan));
    }
    free(walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(
                    it_starts_with_tp_over_a_node_zero_1_and_recomputation),
            cmocka_unit_test(out_of_memory_leads_to_zero_2_then_stages),
            cmocka_unit_test(offload_is_the_last_resort),
            cmocka_unit_test(
                    every_accepted_plan_after_the_first_fit_fits_and_is_faster),
            cmocka_unit_test(the_walk_never_beats_the_exact_search),
            cmocka_unit_test(no_plan_is_looked_at_twice_while_making_it_fast),
    };

    return cmocka_run_group_tests_name("advise", tests, NULL, NULL);
}
