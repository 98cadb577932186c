/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_round_trip.c - what is exported is imported as the same plan, by every
 * target and launcher. */
#include "random_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/launch/export.h"
#include "exchange/read/import.h"
#include "plan3d/search.h"
#include "spec/adapters.h"

enum { N_PLANS = 200 };

/* Layers that equal chunks leave for the last one; none where chunks are so by
 * themselves. */
static int last_chunk(const p3d_problem *problem, const p3d_plan *plan)
{
    const int others = plan->pp * plan->vp - 1;
    const int each = problem->model.n_layers / (others + 1);
    const int rest = problem->model.n_layers - each * others;

    return rest < each - 1 || rest > each ? rest : 0;
}

/* The parts of a plan that random_guess() leaves alone. */
static void vary(random_source *r, const p3d_problem *problem, p3d_plan *plan)
{
    if (random_below(r, 4) == 0)
        plan->shard = random_power(r, 4);
    if (plan->shard == plan->dp * plan->cp)
        plan->shard = 0; /* all replicas */
    if (plan->ulysses == 1 || plan->ulysses == plan->cp)
        plan->ulysses = 0; /* one exchange for all: the job's */
    if (plan->schedule == P3D_INTERLEAVED && random_below(r, 3) == 0)
        plan->group = plan->pp + random_below(r, 8);
    if (plan->group == plan->pp)
        plan->group = 0;
    if (plan->pp > 1 && plan->vp == 1 && random_below(r, 4) == 0)
        plan->first_layers = 1 + random_below(r, problem->model.n_layers);
    if (plan->pp > 1 && plan->vp > 1 && random_below(r, 4) == 0)
        plan->last_layers = last_chunk(problem, plan);
    if (plan->pp > 1 && plan->vp == 1 && random_below(r, 4) == 0)
        plan->last_layers = 1 + random_below(r, problem->model.n_layers);
    if (plan->recompute == P3D_RECOMPUTE_SELECTIVE && random_below(r, 2) == 0) {
        plan->recompute_modules =
                1u + (unsigned)random_below(r, (1 << P3D_N_MODULES) - 1);
        plan->recompute_modules &= problem->job.framework->modules;
    }
    if (plan->recompute_modules == problem->job.framework->usual_modules)
        plan->recompute_modules = 0;
    if (plan->recompute == P3D_RECOMPUTE_FULL && random_below(r, 3) == 0) {
        plan->recompute_group = 2 + random_below(r, 3);
        plan->recompute_layers = 0;
    }
    if (plan->offload != P3D_OFFLOAD_NONE && random_below(r, 2) == 0)
        plan->offload_frac = 0.25 * (1 + random_below(r, 3));
    if (plan->offload != P3D_OFFLOAD_NONE && plan->zero == 3 &&
            random_below(r, 2) == 0)
        plan->offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    if (plan->pp > 1 && random_below(r, 4) == 0)
        plan->order = P3D_ORDER_PP_DP;
    if (plan->offload != P3D_OFFLOAD_NONE && random_below(r, 3) == 0)
        plan->offload_nvme = true;
    if (plan->vp > 1)
        plan->uneven = random_below(r, 3) == 0;
    if (plan->pp == 1)
        plan->schedule = P3D_1F1B;
}

/* uneven says nothing where the chunks can be even. */
static void settle_uneven(const p3d_problem *problem, p3d_plan *plan)
{
    p3d_plan even = *plan;

    even.uneven = false;
    if (p3d_plan_legal(
                &problem->model, &problem->cluster, &problem->job, &even, NULL))
        plan->uneven = false;
}

static bool next_plan(
        random_source *r, const p3d_problem *problem, p3d_plan *out)
{
    for (int i = 0; i < 20000; i++) {
        *out = random_guess(r, problem);
        if (out->dp < 1)
            continue;
        vary(r, problem, out);
        if (!p3d_plan_legal(&problem->model, &problem->cluster, &problem->job,
                    out, NULL))
            continue;
        settle_uneven(problem, out);
        return true;
    }
    return false;
}

static void read_all(const exchange_files *files, exchange_settings *out)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

    for (int i = 0; i < files->n; i++) {
        if (strcmp(files->at[i].name, "hostfile") == 0)
            continue;
        if (!exchange_read_text((exchange_text){files->at[i].name,
                                        p3d_text_get(&files->at[i].text),
                                        files->at[i].text.length},
                    out, &measured, &err))
            fail_msg("%s: %s", files->at[i].name, err.text);
    }
}

static void check_adapters(const exchange_target *target,
        const p3d_adapters *wrote, const p3d_adapters *read)
{
    char a[SPEC_ADAPTERS_WORDS], b[SPEC_ADAPTERS_WORDS];

    (void)spec_adapters_print(wrote, a);
    (void)spec_adapters_print(read, b);
    if (strcmp(a, b) != 0)
        fail_msg("%s: wrote adapters '%s', read '%s'", target->name, a, b);
}

static void check_same(const exchange_target *target,
        const p3d_problem *problem, const p3d_plan *plan,
        const exchange_import *import)
{
    char wrote[256], read[256];
    const exchange_launch *const got = &import->launch;

    p3d_plan_print(plan, wrote, sizeof(wrote));
    p3d_plan_print(&got->plan, read, sizeof(read));
    if (strcmp(wrote, read) != 0)
        fail_msg("%s, %s on %s: wrote %s, read %s", target->name,
                problem->model.name, problem->cluster.name, wrote, read);
    assert_int_equal(got->job.seq_len, problem->job.seq_len);
    assert_int_equal(got->job.global_batch, problem->job.global_batch);
    assert_int_equal(got->job.dtype, problem->job.dtype);
    assert_int_equal(got->job.fp8_copies, problem->job.fp8_copies);
    if (problem->job.fp8_recipe != P3D_FP8_USUAL)
        assert_int_equal(got->job.fp8_recipe, problem->job.fp8_recipe);
    check_adapters(target, &problem->job.adapters, &got->job.adapters);
    if (import->own_model &&
            p3d_total_params(&got->model) != p3d_total_params(&problem->model))
        fail_msg("%s: %s has %lld parameters, read as %lld", target->name,
                problem->model.name,
                (long long)p3d_total_params(&problem->model),
                (long long)p3d_total_params(&got->model));
}

/* What the files are known as, and their options in its names. */
static const exchange_target *recognize(const exchange_target *target,
        exchange_settings *settings, const exchange_front **front)
{
    p3d_error err = {0};

    if (!exchange_front_apply(settings, front, &err))
        fail_msg("%s: %s", target->name, err.text);
    if (target->front == NULL ? *front != NULL
                              : *front == NULL || strcmp((*front)->title,
                                                          target->front) != 0)
        fail_msg("%s: taken for the files of %s", target->name,
                *front != NULL ? (*front)->title : "no front end");
    return *front != NULL ? exchange_target_find((*front)->target, &err)
                          : exchange_import_guess(settings, &err);
}

/* One plan there and back. @return false where the target cannot say it */
static bool trip(const exchange_target *target, const p3d_problem *problem,
        const p3d_plan *plan, exchange_launcher launcher)
{
    exchange_launch *const launch = malloc(sizeof(*launch));
    exchange_import *const import = malloc(sizeof(*import));
    exchange_files files = {0};
    exchange_settings settings = {0};
    const exchange_front *front = NULL;
    const exchange_target *read;
    p3d_refusal refusal;
    p3d_error err = {0};
    bool can;

    assert_non_null(launch);
    assert_non_null(import);
    *launch = exchange_launch_of(target, problem, plan);
    can = exchange_target_can_say(target, launch, &refusal);
    if (can) {
        if (!exchange_export((exchange_start){target, launch, launcher,
                                     launcher == EXCHANGE_SLURM ? 0.5 : 0},
                    "", &files, &err))
            fail_msg("%s: %s", target->name, err.text);
        read_all(&files, &settings);
        read = recognize(target, &settings, &front);
        if (read == NULL || strcmp(read->name, target->reads_as != NULL
                                                       ? target->reads_as
                                                       : target->name) != 0)
            fail_msg("%s: taken for another target", target->name);
        if (!exchange_import_settle(
                    &(exchange_import_question){.target = read,
                            .front = front,
                            .model = target->settle_model == NULL
                                             ? &problem->model
                                             : NULL,
                            .cluster = &problem->cluster,
                            .job = &(p3d_job){0}},
                    &settings, import, &err))
            fail_msg("%s: %s", target->name, err.text);
        check_same(target, problem, plan, import);
        exchange_import_free(import);
    }
    exchange_files_free(&files);
    exchange_settings_free(&settings);
    free(launch);
    free(import);
    return can;
}

static int trip_some(const exchange_target *target, int problem_index, int n,
        random_source *r)
{
    p3d_framework framework = exchange_target_framework(target);
    p3d_problem problem = random_problem(problem_index, target->framework);
    int n_done = 0;

    problem.job.framework = &framework;
    for (int i = 0; i < 4 * n && n_done < n; i++) {
        const exchange_launcher launcher =
                target->runner == EXCHANGE_RUN_HOST ? EXCHANGE_TORCHRUN
                : target->runner == EXCHANGE_RUN_TORCH
                        ? (exchange_launcher)(i % EXCHANGE_N_LAUNCHERS)
                        : (exchange_launcher)(i % 2);
        p3d_plan plan;

        if (!next_plan(r, &problem, &plan))
            break;
        n_done += trip(target, &problem, &plan, launcher);
    }
    return n_done;
}

static void every_target_reads_back_what_it_writes(void **state)
{
    (void)state;
    for (int t = 0; exchange_target_at(t) != NULL; t++) {
        const exchange_target *const target = exchange_target_at(t);
        random_source r = {.state = 17u + (unsigned)t};
        int n = 0;

        for (int round = 0; round < 20 && n < N_PLANS; round++) {
            for (int i = 0; i < N_RANDOM_PROBLEMS && n < N_PLANS; i++)
                n += trip_some(target, i, 40, &r);
        }
        if (n < N_PLANS)
            fail_msg("%s: only %d plans", target->name, n);
    }
}

/* Data types and recipes of fp8 that the files of a target say. */
static void recipes_of_fp8_come_back(void **state)
{
    static const struct {
        p3d_dtype dtype;
        p3d_fp8_recipe recipe;
        const char *cluster;
    } jobs[] = {{P3D_FP8, P3D_FP8_USUAL, "8xH100"},
            {P3D_FP8, P3D_FP8_DELAYED, "8xH100"},
            {P3D_FP8, P3D_FP8_CURRENT, "8xH100"},
            {P3D_FP8, P3D_FP8_BLOCKWISE, "8xH100"},
            {P3D_FP8, P3D_FP8_MXFP8, "8xB200"},
            {P3D_NVFP4, P3D_FP8_USUAL, "8xB200"}};
    static const struct {
        const char *target;
        int n_said;
    } targets[] = {{"megatron", 6}, {"bridge", 5}, {"ms-swift-megatron", 5},
            {"torchtitan", 0}};

    (void)state;
    for (int t = 0; t < P3D_COUNT_OF(targets); t++) {
        p3d_error err = {0};
        const exchange_target *const target =
                exchange_target_find(targets[t].target, &err);
        const p3d_framework framework = exchange_target_framework(target);
        int n = 0;

        for (int i = 0; i < P3D_COUNT_OF(jobs); i++) {
            p3d_problem p = problem_of(
                    "llama-3-8b", jobs[i].cluster, target->framework, 4096, 64);
            const p3d_plan plan = problem_plan(
                    &p, t == 3 ? "dp=8,zero=3" : "tp=2,dp=4,zero=1");

            p.job.dtype = jobs[i].dtype;
            p.job.fp8_recipe = jobs[i].recipe;
            p.job.framework = &framework;
            n += trip(target, &p, &plan, EXCHANGE_TORCHRUN);
        }
        if (n != targets[t].n_said)
            fail_msg("%s: %d jobs", target->name, n);
    }
}

/* Adapters that the files of a target say. */
static void adapters_come_back(void **state)
{
    static const char *const words[] = {"r=8", "r=16,targets=q+v,base=nf4",
            "r=32,base=nf4-single,dora", "r=64,targets=k+o+down,base=8bit",
            "r=4,dropout=0.05", "r=16,train=embeddings+head",
            "r=16,targets=q+k+v+gate+up,dora,dropout=0.1"};
    static const struct {
        const char *target;
        int n_said;
        const char *plan;
    } targets[] = {{"llama-factory", 7, "dp=8,zero=1"},
            {"axolotl", 6, "dp=8,zero=1"}, {"ms-swift", 6, "dp=8,zero=1"},
            {"hf-deepspeed", 7, "dp=8,zero=1"}, {"hf-fsdp", 4, "dp=8,zero=2"},
            {"bridge", 3, "dp=8,zero=1"}, {"megatron", 0, "dp=8,zero=1"}};

    (void)state;
    for (int t = 0; t < P3D_COUNT_OF(targets); t++) {
        p3d_error err = {0};
        const exchange_target *const target =
                exchange_target_find(targets[t].target, &err);
        const p3d_framework framework = exchange_target_framework(target);
        int n = 0;

        for (int i = 0; i < P3D_COUNT_OF(words); i++) {
            p3d_problem p = problem_of(
                    "llama-3-8b", "8xA100", target->framework, 4096, 64);
            const p3d_plan plan = problem_plan(&p, targets[t].plan);

            problem_check(
                    spec_adapters_read(words[i], &p.job.adapters, &err), &err);
            p.job.framework = &framework;
            n += trip(target, &p, &plan, EXCHANGE_TORCHRUN);
        }
        if (n != targets[t].n_said)
            fail_msg("%s: %d jobs", target->name, n);
    }
}

/* The search of a target's framework proposes what its files can say. */
static void a_search_proposes_what_can_be_said(void **state)
{
    p3d_search_result *const found = malloc(sizeof(*found));
    exchange_launch *const launch = malloc(sizeof(*launch));
    const p3d_pins pins = p3d_pins_free();

    (void)state;
    assert_non_null(found);
    assert_non_null(launch);
    for (int t = 0; exchange_target_at(t) != NULL; t++) {
        const exchange_target *const target = exchange_target_at(t);
        const p3d_framework framework = exchange_target_framework(target);
        int n = 0;

        for (int i = 0; i < N_RANDOM_PROBLEMS; i += 3) {
            p3d_problem problem = random_problem(i, target->framework);
            p3d_error err = {0};

            problem.job.framework = &framework;
            problem_check(p3d_search(&problem, &pins, 20, found, &err), &err);
            for (int k = 0; k < found->n_top; k++) {
                p3d_refusal refusal = {.rule = NULL};

                *launch = exchange_launch_of(
                        target, &problem, &found->top[k].plan);
                if (exchange_target_can_say(target, launch, &refusal))
                    n++;
                else if (strcmp(refusal.rule, "X3") == 0)
                    CHECK_PLAN(&problem, &found->top[k].plan, false);
            }
        }
        if (n == 0)
            fail_msg("%s: no plan was proposed", target->name);
    }
    free(launch);
    free(found);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_target_reads_back_what_it_writes),
            cmocka_unit_test(recipes_of_fp8_come_back),
            cmocka_unit_test(adapters_come_back),
            cmocka_unit_test(a_search_proposes_what_can_be_said),
    };

    return cmocka_run_group_tests_name("round trip", tests, NULL, NULL);
}
