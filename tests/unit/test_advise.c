/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_advise.c - the greedy walk makes the moves that an engineer would. */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "plan3d/plan3d.h"

/** A walk from a plan in words; NULL = the usual start. */
static p3d_advice *walk_from(const p3d_problem *problem, const char *words)
{
    p3d_advice *const walk = malloc(sizeof(*walk));
    p3d_error err = {.code = P3D_OK};
    p3d_plan plan;

    assert_non_null(walk);
    if (words != NULL)
        plan = problem_plan(problem, words);
    assert_true(p3d_advise(problem, words != NULL ? &plan : NULL, walk, &err));
    return walk;
}

static p3d_advice *walk_of(const char *model, const char *cluster,
        const char *framework, p3d_problem *problem)
{
    *problem = problem_of(model, cluster, framework, 0, 0);
    return walk_from(problem, NULL);
}

/** Index of the first step with this decision, or -1. */
static int find(const p3d_advice *walk, const char *decision)
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
    p3d_advice *walk =
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
    p3d_advice *walk =
            walk_of("llama-3.1-405b", "512xH100", "generic", &problem);
    const int zero = find(walk, "shard more of the states: ZeRO 1 -> 2");
    const int stages = find(walk, "more pipeline stages: PP 1 -> 2");

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
    p3d_advice *walk =
            walk_of("llama-3-70b", "8xA100", "megatron-core", &problem);
    const int offload = find(walk, "offload the optimizer");

    (void)state;
    assert_true(offload > 0);
    for (int i = 0; i < offload; i++)
        assert_false(walk->steps[i].estimate.fits);
    free(walk);
}

/* Each half of the tensor parallelism is too large or slower. */
static void sharing_everything_replaces_tensor_parallelism(void **state)
{
    p3d_problem problem;
    p3d_advice *walk = walk_of("llama-3-70b", "64xH100", "deepspeed", &problem);
    const int all = find(walk, "replicas alone: DP 8 -> 64, TP 8 -> 1, ZeRO 3");
    const p3d_plan *best = &walk->steps[walk->best].estimate.plan;

    (void)state;
    assert_true(all > 0);
    assert_true(walk->steps[all].accepted);
    assert_int_equal(walk->steps[all].estimate.plan.offload, P3D_OFFLOAD_NONE);
    assert_int_equal(best->tp, 1);
    assert_int_equal(best->zero, 3);
    assert_int_equal(best->micro_batch, 2);
    free(walk);
}

/* Stages and experts have split the states already. */
static void stages_and_experts_keep_their_tensor_parallelism(void **state)
{
    static const char *const jobs[][2] = {
            {"gpt3-175b", "1024xA100"}, {"mixtral-8x22b", "256xH100"}};

    (void)state;
    for (size_t j = 0; j < sizeof(jobs) / sizeof(jobs[0]); j++) {
        p3d_problem problem;
        p3d_advice *walk =
                walk_of(jobs[j][0], jobs[j][1], "megatron-core", &problem);

        for (int i = 0; i < walk->n_steps; i++)
            assert_null(strstr(walk->steps[i].decision, "replicas alone"));
        free(walk);
    }
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
        p3d_advice *walk =
                walk_of(jobs[j][0], jobs[j][1], "megatron-core", &problem);
        double last_s = 1e300;

        assert_true(walk->n_steps > 0 && walk->n_steps <= P3D_MAX_ADVICE_STEPS);
        for (int i = 0; i < walk->n_steps; i++) {
            const p3d_advice_step *step = &walk->steps[i];

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
    p3d_advice *walk =
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
    p3d_advice *walk =
            walk_of("gpt3-175b", "512xA100", "megatron-core", &problem);

    (void)state;
    for (int i = 0; i < walk->n_steps; i++) {
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(&walk->steps[i].estimate.plan,
                    &walk->steps[j].estimate.plan, sizeof(p3d_plan));
    }
    free(walk);
}

/** Gradients of 405 G parameters in fp32, eighths of them: 405,853,388,800 x 4
 *  / 8 bytes are 188.99 GiB. */
static void out_of_memory_names_the_largest_tensor(void **state)
{
    p3d_problem problem;
    p3d_advice *walk =
            walk_of("llama-3.1-405b", "512xH100", "megatron-core", &problem);

    (void)state;
    if (strstr(walk->steps[0].reason, "the largest: gradients, 189") == NULL)
        fail_msg("%s", walk->steps[0].reason);
    free(walk);
}

/** ZeRO-2, stages, ZeRO-3, offload; ZeRO-3 has no offload there, but the plan
 *  with two stages has. */
static void what_is_refused_is_tried_from_an_earlier_plan(void **state)
{
    p3d_problem problem;
    p3d_advice *walk =
            walk_of("llama-3-70b", "16xA800", "megatron-core", &problem);
    const int stages = find(walk, "more pipeline stages: PP 1 -> 2");
    const int zero_3 = find(walk, "shard more of the states: ZeRO 1 -> 3");
    const int refused = find(walk, "offload the optimizer");
    const p3d_advice_step *const taken = &walk->steps[refused + 1];

    (void)state;
    assert_int_equal(find(walk, "shard more of the states: ZeRO 1 -> 2"), 1);
    assert_true(stages > 1 && zero_3 > stages && refused > zero_3);
    assert_false(walk->steps[refused].legal);
    assert_non_null(
            strstr(walk->steps[refused].reason, "not possible: offload="));
    assert_string_equal(taken->decision, "offload the optimizer");
    assert_non_null(strstr(taken->reason, "from an earlier plan"));
    assert_true(taken->accepted && taken->estimate.sure);
    assert_int_equal(taken->estimate.plan.pp, 2);
    assert_int_equal(taken->estimate.plan.zero, 1);
    assert_true(walk->best >= refused + 1);
    free(walk);
}

/** True when a move that is taken begins like one of these, and what suggested
 *  it is said. */
static bool takes(const p3d_advice *walk, const char *decision, const char *why)
{
    for (int i = 1; i < walk->n_steps; i++) {
        const p3d_advice_step *const step = &walk->steps[i];

        if (step->accepted &&
                strncmp(step->decision, decision, strlen(decision)) == 0 &&
                strstr(step->reason, why) != NULL)
            return true;
    }
    return false;
}

static void what_is_slow_of_a_given_plan_is_undone(void **state)
{
    static const struct {
        const char *model;
        const char *cluster;
        const char *plan;
        const char *decision;
        const char *why;
    } cases[] = {
            {"llama-3-8b", "16xH100", "tp=16",
                    "more replicas: DP 1 -> 2, TP 16 -> 8", "tensor-parallel"},
            {"llama-3-8b", "8xH100", "tp=8,offload=optimizer",
                    "keep all states on the GPU", "to save offload"},
            {"llama-3-8b", "8xH100", "tp=2,zero=3",
                    "shard less of the states: ZeRO 3 -> 1", "data-parallel"},
            {"llama-3-8b", "8xH100", "tp=2,pp=4,mbs=16",
                    "smaller micro-batch: 16 -> 8", "bubble"},
            {"llama-3-70b", "64xA800", "tp=2,pp=4,cp=2,mbs=2,nosp",
                    "interleave the pipeline", "bubble"},
            {"llama-3-8b", "8xH100", "tp=1,pp=8",
                    "more replicas: DP 1 -> 2, PP 8 -> 4", "bubble"},
            {"llama-3-8b", "8xH100", "tp=4,recompute=full",
                    "recompute less: full", "to save recomputation"},
            {"llama-3-8b", "16xH100", "tp=1,cp=16",
                    "more replicas: DP 1 -> 2, CP 16 -> 8", "GiB are free"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const p3d_problem problem = problem_of(
                cases[i].model, cases[i].cluster, "megatron-core", 0, 0);
        p3d_advice *const walk = walk_from(&problem, cases[i].plan);

        assert_string_equal(walk->steps[0].decision, "start");
        assert_true(walk->best > 0);
        if (!takes(walk, cases[i].decision, cases[i].why)) {
            for (int k = 0; k < walk->n_steps; k++)
                print_message("%d %s: %s\n", walk->steps[k].accepted,
                        walk->steps[k].decision, walk->steps[k].reason);
            fail_msg("%s: '%s' is not taken", cases[i].plan, cases[i].decision);
        }
        free(walk);
    }
}

/** What keeps the most for nothing goes first; nothing is given up that need
 *  not be. */
static void what_a_given_plan_wastes_is_saved_in_order(void **state)
{
    static const char *const decisions[] = {"start", "recompute more",
            "smaller micro-batch: 16 -> 8", "smaller micro-batch: 8 -> 4",
            "smaller micro-batch: 4 -> 2", "smaller micro-batch: 2 -> 1",
            "add sequence parallelism",
            "shard more of the states: ZeRO 0 -> 1"};
    enum { N = (int)(sizeof(decisions) / sizeof(decisions[0])) };
    const p3d_problem problem =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 0);
    p3d_advice *const walk = walk_from(&problem, "tp=8,nosp,mbs=16,zero=0");

    (void)state;
    assert_true(walk->n_steps > N);
    for (int i = 0; i < N; i++) {
        assert_string_equal(walk->steps[i].decision, decisions[i]);
        assert_true(walk->steps[i].accepted);
        assert_int_equal(walk->steps[i].estimate.sure, i == N - 1);
    }
    free(walk);
}

static void a_plan_that_is_not_legal_is_the_only_step(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 0, 0);
    p3d_advice *const walk =
            walk_from(&problem, "tp=1,zero=3,offload=optimizer+parameters");

    (void)state;
    assert_int_equal(walk->n_steps, 1);
    assert_int_equal(walk->best, -1);
    assert_false(walk->steps[0].legal);
    assert_string_equal(walk->steps[0].refusal.rule, "E2");
    free(walk);
}

/** Place of the first change whose words contain some, or -1. */
static int place_of(const p3d_remedy *changes, int n, const char *words)
{
    for (int i = 0; i < n; i++) {
        if (strstr(changes[i].words, words) != NULL)
            return i;
    }
    return -1;
}

static void changes_go_from_software_to_hardware(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3-70b", "8xA800", "megatron-core", 0, 0);
    const p3d_pins pins = p3d_pins_free();
    p3d_remedy changes[P3D_MAX_REMEDIES];
    const int n = p3d_remedies_find(&problem, &pins, changes);
    const int framework = place_of(changes, n, "framework");
    const int more = place_of(changes, n, "GPUs instead of 8");
    const int larger = place_of(changes, n, "instead of A800-SXM4-80GB");

    (void)state;
    assert_int_equal(place_of(changes, n, "--gradient-dtype 16bit"), 0);
    assert_true(framework > 0 && more > framework && larger > more);
    assert_int_equal(changes[larger].n_gpus, 8);
    for (int i = 0; i < n; i++)
        assert_true(changes[i].estimate.sure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(out_of_memory_names_the_largest_tensor),
            cmocka_unit_test(what_is_refused_is_tried_from_an_earlier_plan),
            cmocka_unit_test(what_is_slow_of_a_given_plan_is_undone),
            cmocka_unit_test(what_a_given_plan_wastes_is_saved_in_order),
            cmocka_unit_test(a_plan_that_is_not_legal_is_the_only_step),
            cmocka_unit_test(changes_go_from_software_to_hardware),
            cmocka_unit_test(
                    it_starts_with_tp_over_a_node_zero_1_and_recomputation),
            cmocka_unit_test(out_of_memory_leads_to_zero_2_then_stages),
            cmocka_unit_test(offload_is_the_last_resort),
            cmocka_unit_test(sharing_everything_replaces_tensor_parallelism),
            cmocka_unit_test(stages_and_experts_keep_their_tensor_parallelism),
            cmocka_unit_test(
                    every_accepted_plan_after_the_first_fit_fits_and_is_faster),
            cmocka_unit_test(the_walk_never_beats_the_exact_search),
            cmocka_unit_test(no_plan_is_looked_at_twice_while_making_it_fast),
    };

    return cmocka_run_group_tests_name("advise", tests, NULL, NULL);
}
