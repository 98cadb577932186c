/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_export_facts.c - a fact of a job that changes the memory or the time of
 * a plan is in the files of each target, or the target refuses it. */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "exchange/launch/export.h"

/* A member of the job that is an enumeration, and its values. */
typedef struct fact {
    const char *name;
    void (*set)(p3d_job *, int);
    int n; /* values from 0 on */
} fact;

static void set_loss(p3d_job *job, int i)
{
    job->loss = (p3d_loss)i;
}

static void set_attention(p3d_job *job, int i)
{
    job->attention = (p3d_attention)i;
    job->fixed_attention = true;
}

static void set_optimizer(p3d_job *job, int i)
{
    job->optimizer = (p3d_optimizer)i;
}

static void set_gradients(p3d_job *job, int i)
{
    job->gradient_dtype = (p3d_state_dtype)i;
}

static void set_reduction(p3d_job *job, int i)
{
    job->reduce_dtype = (p3d_state_dtype)i;
}

static void set_master(p3d_job *job, int i)
{
    job->master_dtype = (p3d_state_dtype)i;
}

static void set_moments(p3d_job *job, int i)
{
    job->moment_dtype = (p3d_state_dtype)i;
}

static void set_overlap(p3d_job *job, int i)
{
    job->dp_overlap = (p3d_overlap)i;
}

static void set_dtype(p3d_job *job, int i)
{
    job->dtype = (p3d_dtype)i;
}

static void set_graphs(p3d_job *job, int i)
{
    job->graphs = (p3d_graphs)i;
}

static void set_allocator(p3d_job *job, int i)
{
    job->allocator = (p3d_allocator)i;
}

static void set_reference(p3d_job *job, int i)
{
    job->companion.reference = (p3d_reference)i;
}

static void set_flag(p3d_job *job, int i)
{
    bool *const flags[] = {&job->eager, &job->dropout,
            &job->optimizer_in_backward, &job->launch_blocking,
            &job->partition_activations, &job->compression.weights,
            &job->compression.gradients, &job->compression.one_bit};

    assert_true(i < P3D_COUNT_OF(flags));
    *flags[i] = true;
}

enum { N_FLAGS = 8 };

static void set_adapters(p3d_job *job, int i)
{
    job->adapters = (p3d_adapters){.rank = 16,
            .targets = P3D_TARGET_Q | P3D_TARGET_V,
            .base = i == 1 ? P3D_BASE_NF4 : P3D_BASE_16,
            .dora = i == 2};
}

enum { N_ADAPTERS = 3 };

static const fact facts[] = {{"loss", set_loss, P3D_N_LOSSES},
        {"attention", set_attention, P3D_N_ATTENTIONS},
        {"optimizer", set_optimizer, P3D_N_OPTIMIZERS},
        {"gradient-dtype", set_gradients, P3D_N_STATE_DTYPES},
        {"reduce-dtype", set_reduction, P3D_N_STATE_DTYPES},
        {"master-dtype", set_master, P3D_N_STATE_DTYPES},
        {"moment-dtype", set_moments, P3D_N_STATE_DTYPES},
        {"dp-overlap", set_overlap, P3D_N_OVERLAPS},
        {"dtype", set_dtype, P3D_N_DTYPES},
        {"cuda-graphs", set_graphs, P3D_N_GRAPHS},
        {"allocator", set_allocator, P3D_N_ALLOCATORS},
        {"reference", set_reference, P3D_N_REFERENCES},
        {"flag", set_flag, N_FLAGS}, {"lora", set_adapters, N_ADAPTERS}};

static const char *const plans[] = {"mbs=1,tp=2,dp=4,sp", "mbs=1,tp=2,dp=4",
        "mbs=1,zero=3", "mbs=1,zero=1", "mbs=1,zero=0"};

/* The files of a launch behind each other; "" = they cannot say it. */
static void write_files(const exchange_target *target,
        const p3d_problem *problem, const p3d_plan *plan, p3d_text *out)
{
    exchange_launch *const launch = malloc(sizeof(*launch));
    exchange_files files = {0};
    p3d_refusal refusal;
    p3d_error err = {0};

    assert_non_null(launch);
    *launch = exchange_launch_of(target, problem, plan);
    if (exchange_target_can_say(target, launch, &refusal)) {
        if (!exchange_export(
                    (exchange_start){target, launch, EXCHANGE_TORCHRUN, 0}, "",
                    &files, &err))
            fail_msg("%s: %s", target->name, err.text);
        for (int i = 0; i < files.n; i++)
            p3d_text_add(out, "%s", p3d_text_get(&files.at[i].text));
    }
    exchange_files_free(&files);
    free(launch);
}

static bool estimates(
        const p3d_problem *problem, const p3d_plan *plan, p3d_estimate *out)
{
    p3d_refusal refusal;
    p3d_error err = {0};

    return p3d_job_check_states(&problem->job, &err) &&
           p3d_estimate_plan(problem, plan, out, &refusal);
}

static bool is_same(const p3d_estimate *a, const p3d_estimate *b)
{
    return p3d_time_step_s(&a->time) == p3d_time_step_s(&b->time) &&
           p3d_memory_device_bytes(&a->memory) ==
                   p3d_memory_device_bytes(&b->memory);
}

/* @return values that were held against the files */
static int check_fact(const exchange_target *target, const p3d_problem *problem,
        const p3d_plan *plan, const fact *of)
{
    static p3d_estimate usual, other;
    p3d_text before = {0};
    int n = 0;

    write_files(target, problem, plan, &before);
    if (before.length > 0 && estimates(problem, plan, &usual))
        for (int i = 0; i < of->n; i++) {
            p3d_problem changed = *problem;
            p3d_text after = {0};

            of->set(&changed.job, i);
            p3d_job_default_attention(
                    &changed.job, &changed.model, &changed.cluster.gpu);
            if (!estimates(&changed, plan, &other) || is_same(&usual, &other))
                continue;
            n++;
            write_files(target, &changed, plan, &after);
            if (strcmp(p3d_text_get(&before), p3d_text_get(&after)) == 0)
                fail_msg("%s loses value %d of %s", target->name, i, of->name);
            p3d_text_free(&after);
        }
    p3d_text_free(&before);
    return n;
}

/* A plan that the target has. @return false where it has none of them */
static bool find_plan(const exchange_target *target, const p3d_problem *problem,
        p3d_plan *out)
{
    static p3d_estimate estimate;
    p3d_error err = {0};

    for (int i = 0; i < P3D_COUNT_OF(plans); i++) {
        p3d_text text = {0};
        bool has;

        if (p3d_plan_parse(plans[i], problem->cluster.n_gpus,
                    problem->job.framework, out, &err) &&
                estimates(problem, out, &estimate))
            write_files(target, problem, out, &text);
        has = text.length > 0;
        p3d_text_free(&text);
        if (has)
            return true;
    }
    return false;
}

static void no_fact_is_lost(void **state)
{
    int n_targets = 0, n_values = 0;

    (void)state;
    for (int t = 0; exchange_target_at(t) != NULL; t++) {
        const exchange_target *const target = exchange_target_at(t);
        const p3d_framework own = exchange_target_framework(target);
        p3d_problem problem = problem_of(
                "llama-3.2-1b", "8xH100", target->framework, 4096, 32);
        p3d_plan plan;

        problem.job.framework = &own;
        if (!find_plan(target, &problem, &plan))
            continue;
        n_targets++;
        for (int i = 0; i < P3D_COUNT_OF(facts); i++)
            n_values += check_fact(target, &problem, &plan, &facts[i]);
    }
    assert_true(n_targets >= 17);
    assert_true(n_values >= 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_fact_is_lost)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
