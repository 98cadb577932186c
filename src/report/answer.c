/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - what a report says about a question and about one plan. */
#include "report/answer.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

const report_term report_memory_terms[REPORT_N_MEMORY_TERMS] = {
#define P3D_AS_TERM(field, words) \
    {#field "_bytes", words, offsetof(p3d_memory, field##_bytes)},
        P3D_MEMORY_TERMS(P3D_AS_TERM)
#undef P3D_AS_TERM
};

const report_term report_time_terms[REPORT_N_TIME_TERMS] = {
#define P3D_AS_TERM(field, words) \
    {#field "_s", words, offsetof(p3d_time, field##_s)},
        P3D_TIME_TERMS(P3D_AS_TERM)
#undef P3D_AS_TERM
};

int64_t report_memory_term_bytes(const p3d_memory *memory, int i)
{
    int64_t value;

    memcpy(&value, (const char *)memory + report_memory_terms[i].offset,
            sizeof(value));
    return value;
}

double report_time_term_s(const p3d_time *time, int i)
{
    double value;

    memcpy(&value, (const char *)time + report_time_terms[i].offset,
            sizeof(value));
    return value;
}

static const double s_per_h = 3600;

/* One entry for each pipeline rank, or NULL when memory ran out. */
static report_stage *build_stages(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    const int n = estimate->plan.pp;
    p3d_blocks *blocks = malloc(sizeof(*blocks));
    report_stage *stages = calloc((size_t)n, sizeof(*stages));

    if (blocks == NULL || stages == NULL) {
        free(blocks);
        free(stages);
        return NULL;
    }
    p3d_blocks_build(problem, p3d_plan_shard(&estimate->plan), blocks);
    for (int i = 0; i < n; i++) {
        p3d_stage stage;

        p3d_estimate_stage(problem, &estimate->plan, blocks, i, &stage);
        stages[i] = (report_stage){
                i, p3d_memory_device_bytes(&stage.memory), stage};
    }
    free(blocks);
    return stages;
}

/* US dollars for 1e9 tokens, if nothing fails; 0 = without a price. All GPUs of
 * the cluster are paid for. Where the whole training was asked for, its rent
 * says it: see set_training_price(). */
static double billion_tokens_usd(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    return 1e9 / estimate->tokens_per_s * problem->job.usd_per_gpu_h *
           problem->cluster.n_gpus / s_per_h;
}

int64_t report_missing_bytes(const p3d_estimate *estimate)
{
    const int64_t margin_bytes = p3d_estimate_margin_bytes(estimate);

    return margin_bytes < 0 ? -margin_bytes : 0;
}

/** Where steps take this time. */
static report_rates rates_at(const report_answer *a, double step_s)
{
    const double slower = step_s / a->step_s;

    return (report_rates){a->found.tokens_per_s / slower,
            a->tokens_per_s_per_gpu / slower, a->billion_tokens_usd * slower};
}

/** The slowest steps give the lowest rates and the highest price. */
static void set_rates(report_answer *a)
{
    const report_rates slow = rates_at(a, a->range.high_s);
    const report_rates fast = rates_at(a, a->range.low_s);

    a->low = slow;
    a->median = rates_at(a, a->range.median_s);
    a->high = fast;
    a->low.billion_tokens_usd = fast.billion_tokens_usd;
    a->high.billion_tokens_usd = slow.billion_tokens_usd;
}

/* With what fails, as the text has it: one key has one meaning. */
static void set_training_price(report_answer *a)
{
    const report_training *const t = &a->whole_training;

    a->billion_tokens_usd = t->found.billion_tokens_usd;
    a->low.billion_tokens_usd = t->low.billion_tokens_usd;
    a->median.billion_tokens_usd = t->median.billion_tokens_usd;
    a->high.billion_tokens_usd = t->high.billion_tokens_usd;
}

static bool find_training(const p3d_problem *problem,
        const p3d_estimate *estimate, report_answer *a, p3d_error *err)
{
    report_training *const t = &a->whole_training;

    return p3d_training_find(problem, estimate, &t->found, err) &&
           p3d_training_at(problem, estimate, a->range.low_s, &t->low, err) &&
           p3d_training_at(
                   problem, estimate, a->range.median_s, &t->median, err) &&
           p3d_training_at(problem, estimate, a->range.high_s, &t->high, err);
}

/* "optimizer on the host, chunks of one layer". */
static void say_departures(unsigned departures, char *out, size_t n)
{
    out[0] = '\0';
    for (int i = 0; i < P3D_N_DEPARTURES; i++) {
        const size_t used = strlen(out);

        if ((departures & p3d_departure_bit(i)) != 0)
            (void)snprintf(out + used, n - used, "%s%s", used > 0 ? ", " : "",
                    p3d_departure_words(i));
    }
}

double report_fit_probability_frac(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    return p3d_peak_probability_frac(
            problem, p3d_memory_device_bytes(&estimate->memory));
}

bool report_answer_build(const p3d_problem *problem,
        const p3d_estimate *estimate, report_answer *out, p3d_error *err)
{
    const p3d_memory *memory = &estimate->memory;
    report_answer answer = {
            .found = *estimate,
            .peak_bytes = p3d_memory_device_bytes(memory),
            .margin_bytes = p3d_estimate_margin_bytes(estimate),
            .missing_bytes = report_missing_bytes(estimate),
            .free_bytes = problem->cluster.gpu.visible_memory_bytes -
                          p3d_memory_device_bytes(memory),
            .verdict = p3d_estimate_verdict(estimate),
            .fit_probability_frac =
                    report_fit_probability_frac(problem, estimate),
            .ranges = p3d_memory_ranges_of(problem, &estimate->plan, memory),
            .step_s = p3d_time_step_s(&estimate->time),
            .range = p3d_step_range(problem, estimate),
            .tokens_per_s_per_gpu =
                    estimate->tokens_per_s / problem->cluster.n_gpus,
            .billion_tokens_usd = billion_tokens_usd(problem, estimate),
    };

    if (problem->job.n_tokens > 0 &&
            !find_training(problem, estimate, &answer, err))
        return false;
    set_rates(&answer);
    if (problem->job.n_tokens > 0)
        set_training_price(&answer);
    answer.stages = build_stages(problem, estimate);
    if (answer.stages == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    p3d_plan_print(&estimate->plan, answer.words, sizeof(answer.words));
    say_departures(p3d_plan_departures(problem, &estimate->plan),
            answer.departures, sizeof(answer.departures));
    *out = answer;
    out->training = problem->job.n_tokens > 0 ? &out->whole_training : NULL;
    return true;
}

void report_answer_free(report_answer *answer)
{
    free(answer->stages);
    answer->stages = NULL;
}

report_growth report_growth_of(const p3d_time *slower, const p3d_time *first)
{
    report_growth most = {.growth_s = 0};

    for (int i = 0; i < REPORT_N_TIME_TERMS; i++) {
        const double growth_s =
                report_time_term_s(slower, i) - report_time_term_s(first, i);

        if (growth_s > most.growth_s)
            most = (report_growth){i, growth_s};
    }
    return most;
}

const char *report_growth_words(
        const report_growth *growth, const char *words, char *buffer, size_t n)
{
    if (growth->growth_s > 0)
        snprintf(buffer, n, "%s +%.3g s", words, growth->growth_s);
    else
        snprintf(buffer, n, "same time");
    return buffer;
}

int64_t report_tokens_per_step(const p3d_job *job)
{
    return p3d_mul(job->global_batch, job->seq_len);
}

double report_peak_flop_per_s(const p3d_problem *problem)
{
    return p3d_gpu_peak_flop_per_s(&problem->cluster.gpu, problem->job.dtype);
}
