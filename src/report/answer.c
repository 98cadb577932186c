/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - what a report says about a question and about one plan. */
#include "report/answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "report/terms.h"

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

double report_billion_tokens_usd(
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

bool report_answer_build(const p3d_problem *problem,
        const p3d_estimate *estimate, report_answer *out, p3d_error *err)
{
    const p3d_memory *memory = &estimate->memory;
    report_answer answer = {
            .found = *estimate,
            .peak_bytes = p3d_memory_device_bytes(memory),
            .margin_bytes = p3d_estimate_margin_bytes(estimate),
            .missing_bytes = report_missing_bytes(estimate),
            .ranges = p3d_memory_ranges_of(problem, &estimate->plan, memory),
            .step_s = p3d_time_step_s(&estimate->time),
            .range = p3d_step_range(problem, estimate),
            .tokens_per_s_per_gpu =
                    estimate->tokens_per_s / problem->cluster.n_gpus,
            .billion_tokens_usd = report_billion_tokens_usd(problem, estimate),
    };

    if (problem->job.n_tokens > 0 &&
            !p3d_training_find(problem, estimate, &answer.whole_training, err))
        return false;
    answer.stages = build_stages(problem, estimate);
    if (answer.stages == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    p3d_plan_print(&estimate->plan, answer.words, sizeof(answer.words));
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
