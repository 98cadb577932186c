/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_best_framework.c - over random small problems, the best framework is the
 * one that is best of each searched alone: verdict, time and name. */
#include "problem.h"
#include "random_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/best_framework.h"
#include "plan3d/units.h"

enum { N_PROBLEMS = 80 };

/** What was said of a job; the rest follows from the framework. */
typedef struct asked {
    const char *model, *cluster, *pins;
    p3d_job job;
    p3d_dtype dtype;
    double visible_frac; /* of the GPU's memory */
} asked;

static asked random_asked(random_source *r)
{
    static const char *const models[] = {
            "gpt2", "opt-1.3b", "llama-2-7b", "qwen3-30b-a3b"};
    static const char *const clusters[] = {
            "1xH100", "4xA100", "2x2xA100", "8xRTX-4090", "3x2xH100"};
    static const char *const pins[] = {"", "", "tp=2", "pp=2", "zero=3",
            "zero=1", "recompute=full", "offload=optimizer", "ep=2", "tp=64"};
    static const p3d_dtype dtypes[] = {P3D_BF16, P3D_BF16, P3D_FP16, P3D_FP32};
    static const p3d_attention attentions[] = {
            P3D_FLASH, P3D_FLASH, P3D_EAGER, P3D_FLASH_2};
    const asked a = {.model = models[random_below(r, P3D_COUNT_OF(models))],
            .cluster = clusters[random_below(r, P3D_COUNT_OF(clusters))],
            .pins = pins[random_below(r, P3D_COUNT_OF(pins))],
            .dtype = dtypes[random_below(r, P3D_COUNT_OF(dtypes))],
            .visible_frac = 1.0 / random_power(r, 4),
            .job = {.seq_len = 512 * random_power(r, 3),
                    .global_batch = 12 * random_power(r, 2),
                    .attention = attentions[random_below(
                            r, P3D_COUNT_OF(attentions))],
                    .master_dtype = random_below(r, 4) == 0 ? P3D_STATE_IN_FP32
                                                            : P3D_STATE_USUAL,
                    .gradient_dtype = random_below(r, 4) == 0
                                              ? P3D_STATE_IN_FP32
                                              : P3D_STATE_USUAL,
                    .reserve_bytes = random_below(r, 3) == 0 ? 1 << 28 : 0}};

    return a;
}

/** The problem as it is read when this framework alone is asked for. */
static p3d_problem problem_with(const asked *a, const p3d_framework *framework)
{
    p3d_problem p = {.job = a->job};
    p3d_error err = {.code = P3D_OK};

    problem_check(p3d_model_find(a->model, &p.model, &err), &err);
    problem_check(p3d_cluster_find(a->cluster, &p.cluster, &err), &err);
    p.cluster.gpu.visible_memory_bytes =
            (int64_t)(a->visible_frac *
                      (double)p.cluster.gpu.visible_memory_bytes);
    p.job.framework = framework;
    p3d_job_default(&p.job, &p.model, &p.cluster);
    p.job.dtype = a->dtype;
    p.job.attention = a->job.attention;
    p3d_job_default_attention(&p.job, &p.model, &p.cluster.gpu);
    return p;
}

static p3d_pins pins_of(const char *words)
{
    p3d_pins pins = p3d_pins_free();
    p3d_error err = {.code = P3D_OK};

    if (words[0] != '\0')
        problem_check(p3d_pins_parse(words, &pins, &err), &err);
    return pins;
}

/** One framework alone; a step of 0 = nothing fits. */
typedef struct alone {
    bool legal;
    double step_s;
    int64_t missing_bytes;
} alone;

static alone search_alone(const asked *a, const p3d_framework *framework)
{
    const p3d_problem p = problem_with(a, framework);
    const p3d_pins pins = pins_of(a->pins);
    p3d_search_result *found = malloc(sizeof(*found));
    p3d_error err = {.code = P3D_OK};
    alone out = {.legal = false};

    assert_non_null(found);
    if (p3d_job_check_states(&p.job, &err)) {
        problem_check(p3d_search(&p, &pins, 1, found, &err), &err);
        out.legal = found->n_plans > 0;
        if (found->n_top > 0)
            out.step_s = p3d_time_step_s(&found->top[0].time);
        else if (found->have_closest)
            out.missing_bytes = -p3d_estimate_margin_bytes(&found->closest);
    }
    free(found);
    if (out.missing_bytes < 0)
        out.missing_bytes = 0;
    return out;
}

static void check_rank(const asked *a, const p3d_framework_rank *rank)
{
    const alone own = search_alone(a, rank->framework);
    const p3d_framework_verdict verdict = !own.legal ? P3D_FRAMEWORK_REFUSED
                                          : own.step_s > 0
                                                  ? P3D_FRAMEWORK_FITS
                                                  : P3D_FRAMEWORK_TOO_LARGE;

    if (rank->verdict != verdict || rank->step_s != own.step_s)
        print_error("%s on %s, memory / %g, --pin '%s' with %s: %s, %g s; "
                    "alone %s, %g s: %s\n",
                a->model, a->cluster, 1 / a->visible_frac, a->pins, rank->name,
                p3d_framework_verdict_word((int)rank->verdict), rank->step_s,
                p3d_framework_verdict_word((int)verdict), own.step_s,
                rank->reason);
    assert_string_equal(rank->name, rank->framework->name);
    assert_int_equal(rank->verdict, verdict);
    assert_true(rank->step_s == own.step_s);
    assert_int_equal(rank->missing_bytes, own.missing_bytes);
    assert_int_equal(rank->reason[0] != '\0', !own.legal);
}

/** Verdict, then time, then what is missing, then as they were given. */
static void check_order(
        const p3d_framework_rank *a, const p3d_framework_rank *b)
{
    assert_true(a->verdict <= b->verdict);
    if (a->verdict != b->verdict)
        return;
    assert_true(a->step_s <= b->step_s);
    if (a->step_s != b->step_s)
        return;
    assert_true(a->missing_bytes <= b->missing_bytes);
    if (a->missing_bytes == b->missing_bytes && a->node_bytes == b->node_bytes)
        assert_true(a->framework < b->framework);
}

static p3d_framework_ranking rank_of(const asked *a, double limit_s)
{
    const p3d_framework_list among = p3d_frameworks_current(NULL);
    const p3d_ranking_options options = {.among = &among, .limit_s = limit_s};
    const p3d_problem p = problem_with(a, p3d_framework_find("megatron-core"));
    const p3d_pins pins = pins_of(a->pins);
    p3d_error err = {.code = P3D_OK};
    p3d_framework_ranking ranking;

    problem_check(
            p3d_rank_frameworks(&p, &pins, &options, &ranking, &err), &err);
    assert_int_equal(ranking.n, among.n);
    assert_false(ranking.interrupted);
    return ranking;
}

static int n_with[P3D_N_FRAMEWORK_VERDICTS];

static void check(const asked *a)
{
    const p3d_framework_ranking all = rank_of(a, 0);
    const p3d_framework_ranking quick = rank_of(a, HUGE_VAL);
    p3d_problem p = problem_with(a, p3d_framework_find("deepspeed"));
    p3d_problem own;
    p3d_error err = {.code = P3D_OK};

    for (int i = 0; i < all.n; i++)
        check_rank(a, &all.at[i]);
    for (int i = 1; i < all.n; i++)
        check_order(&all.at[i - 1], &all.at[i]);
    n_with[all.at[0].verdict]++;
    assert_ptr_equal(quick.at[0].framework, all.at[0].framework);
    assert_int_equal(quick.at[0].verdict, all.at[0].verdict);
    assert_true(quick.at[0].step_s == all.at[0].step_s);
    if (!p3d_take_first_framework(&all, &p, &err)) {
        assert_int_equal(all.at[0].verdict, P3D_FRAMEWORK_REFUSED);
        assert_int_equal(err.code, P3D_DATA);
        return;
    }
    own = problem_with(a, all.at[0].framework);
    assert_memory_equal(&p.job, &own.job, sizeof(own.job));
}

static void the_best_framework_is_the_best_of_each_alone(void **state)
{
    random_source r = {16};

    (void)state;
    for (int i = 0; i < N_PROBLEMS; i++) {
        const asked a = random_asked(&r);

        check(&a);
    }
    for (int v = 0; v < P3D_N_FRAMEWORK_VERDICTS; v++)
        if (v != P3D_FRAMEWORK_SLOWER)
            assert_in_range(n_with[v], 5, N_PROBLEMS);
}

static void check_plan(const char *words, const p3d_framework_rank *rank)
{
    const p3d_problem p =
            problem_of("opt-1.3b", "16xA100", rank->name, 2048, 64);
    p3d_refusal refusal = {.rule = NULL};
    p3d_error err = {.code = P3D_OK};
    p3d_estimate estimate;
    p3d_plan plan;

    if (!p3d_plan_parse(words, 16, p.job.framework, &plan, &err) ||
            !p3d_estimate_plan(&p, &plan, &estimate, &refusal)) {
        assert_int_equal(rank->verdict, P3D_FRAMEWORK_REFUSED);
        return;
    }
    assert_int_equal(rank->verdict,
            estimate.fits ? P3D_FRAMEWORK_FITS : P3D_FRAMEWORK_TOO_LARGE);
    if (estimate.fits)
        assert_true(rank->step_s == p3d_time_step_s(&estimate.time));
}

static void so_it_is_for_one_plan(void **state)
{
    static const char *const plans[] = {"tp=2", "pp=4,mbs=2", "zero=3,tp=1",
            "tp=2,pp=2,sp,recompute=full", "zero=1,offload=optimizer", "cp=2",
            "mbs=64", "tp=3"};
    const p3d_framework_list among = p3d_frameworks_current(NULL);
    const p3d_problem problem =
            problem_of("opt-1.3b", "16xA100", "fsdp1", 2048, 64);

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(plans); i++) {
        p3d_framework_ranking ranking;

        p3d_rank_frameworks_by_plan(&problem, plans[i], &among, &ranking);
        assert_int_equal(ranking.n, among.n);
        for (int k = 0; k < ranking.n; k++)
            check_plan(plans[i], &ranking.at[k]);
        for (int k = 1; k < ranking.n; k++)
            check_order(&ranking.at[k - 1], &ranking.at[k]);
    }
}

static bool stop(void *context, double seconds, int64_t n_plans)
{
    (void)seconds;
    (void)n_plans;
    return --*(int *)context > 0;
}

static void it_can_be_interrupted(void **state)
{
    const p3d_framework_list among = p3d_frameworks_current(NULL);
    const p3d_problem p = problem_of("llama-2-7b", "8xA100", "fsdp1", 4096, 64);
    const p3d_pins pins = p3d_pins_free();
    int n_ticks = 3;
    const p3d_watch watch = {stop, &n_ticks};
    const p3d_ranking_options options = {.among = &among, .watch = &watch};
    p3d_framework_ranking ranking;
    p3d_error err = {.code = P3D_OK};

    (void)state;
    assert_true(p3d_rank_frameworks(&p, &pins, &options, &ranking, &err));
    assert_true(ranking.interrupted);
    assert_in_range(ranking.n, 1, among.n - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_best_framework_is_the_best_of_each_alone),
            cmocka_unit_test(so_it_is_for_one_plan),
            cmocka_unit_test(it_can_be_interrupted),
    };

    return cmocka_run_group_tests_name("best framework", tests, NULL, NULL);
}
