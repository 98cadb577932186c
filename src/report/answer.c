/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - what a report says about a question and about one plan. */
#include "report/answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "report/terms.h"

static const double s_per_h = 3600;

const char *report_optimizer_word(int i)
{
    return i < P3D_N_OPTIMIZERS ? p3d_optimizer_of((p3d_optimizer)i)->name
                                : NULL;
}

const char *report_attention_word(int i)
{
    return i < P3D_N_ATTENTIONS ? p3d_attention_name((p3d_attention)i) : NULL;
}

report_model report_model_of(const report_question *question)
{
    const p3d_model *m = &question->problem.model;

    return (report_model){
            .asked = question->model_word,
            .name = m->name,
            .family = m->family,
            .parameters = p3d_total_params(m),
            .active_parameters = p3d_active_params(m),
            .n_layers = m->n_layers,
            .hidden = m->hidden,
            .n_heads = m->n_heads,
            .n_kv_heads = m->n_kv_heads,
            .head_dim = m->head_dim,
            .ffn = m->ffn,
            .vocab = m->vocab,
            .n_experts = m->n_experts,
            .top_k = m->top_k,
            .expert_ffn = m->expert_ffn,
            .max_positions = m->max_positions,
    };
}

report_cluster report_cluster_of(const report_question *question)
{
    const p3d_cluster *c = &question->problem.cluster;
    const p3d_dtype dtype = question->problem.job.dtype;

    return (report_cluster){
            .asked = question->cluster_word,
            .name = c->name,
            .gpu = c->gpu.name,
            .node = c->node.name,
            .fabric = c->fabric.name,
            .calibration = c->calibration.name,
            .calibration_basis = c->calibration.basis,
            .n_gpus = c->n_gpus,
            .n_nodes = c->n_nodes,
            .gpus_per_node = c->node.gpus_per_node,
            .gpus_per_nvlink_domain = c->node.gpus_per_nvlink_domain,
            .nics_per_node = c->node.nics_per_node,
            .memory_bytes = c->gpu.memory_bytes,
            .visible_memory_bytes = c->gpu.visible_memory_bytes,
            .hbm_bytes_per_s = c->gpu.hbm_bytes_per_s,
            .peak_flop_per_s = p3d_gpu_peak_flop_per_s(&c->gpu, dtype),
            .nvlink_bytes_per_s_one_way = c->gpu.nvlink_bytes_per_s_one_way,
            .nic_bytes_per_s_one_way = c->fabric.nic_bytes_per_s_one_way,
    };
}

static report_list frameworks_of(const report_question *question)
{
    const p3d_framework_ranking *ranking = question->frameworks;

    return ranking != NULL ? (report_list){ranking->at, ranking->n}
                           : (report_list){NULL, 0};
}

report_job report_job_of(const report_question *question)
{
    const p3d_job *j = &question->problem.job;

    return (report_job){
            .seq_len = j->seq_len,
            .global_batch = j->global_batch,
            .tokens_per_step = p3d_mul(j->global_batch, j->seq_len),
            .n_tokens = j->n_tokens,
            .dtype = (int)j->dtype,
            .optimizer = (int)j->optimizer,
            .attention = (int)j->attention,
            .loss = p3d_loss_name(p3d_job_loss(j)),
            .asynchronous = j->asynchronous,
            .tp_overlap = j->tp_overlap,
            .dispatcher = p3d_dispatcher_name(j->dispatcher),
            .expert_overlap = j->expert_overlap,
            .graphs = (int)j->graphs,
            .dropout = j->dropout,
            .framework = j->framework->name,
            .framework_versions = j->framework->versions,
            .framework_costs_of = j->framework->costs_of,
            .frameworks = frameworks_of(question),
            .reserve_bytes = j->reserve_bytes,
            .usd_per_gpu_h = j->usd_per_gpu_h,
    };
}

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
                .stage = i,
                .n_layers = stage.n_layers,
                .in_flight_micro_batches = stage.in_flight,
                .peak_bytes = p3d_memory_device_bytes(&stage.memory),
                .pass = p3d_pass_name(stage.pass),
                .moment = stage.moment,
                .terms = stage.memory,
        };
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

/* The time of a step and its range. */
static report_time time_of(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    const p3d_range range = p3d_step_range(problem, estimate);

    return (report_time){
            .step_s = p3d_time_step_s(&estimate->time),
            .range_constants = range.constants,
            .range_constants_error_frac = range.constants_error_frac,
            .low_s = range.low_s,
            .high_s = range.high_s,
            .confidence_frac = range.confidence_frac,
            .terms = estimate->time,
    };
}

bool report_answer_build(const p3d_problem *problem,
        const p3d_estimate *estimate, report_answer *out, p3d_error *err)
{
    const p3d_memory *memory = &estimate->memory;
    report_answer answer = {
            .fits = estimate->fits,
            .missing_bytes = report_missing_bytes(estimate),
            .plan = estimate->plan,
            .memory =
                    {
                            .peak_bytes = p3d_memory_device_bytes(memory),
                            .usable_bytes = estimate->usable_bytes,
                            .margin_bytes = p3d_estimate_margin_bytes(estimate),
                            .allocated_bytes =
                                    p3d_memory_allocated_bytes(memory),
                            .reserved_bytes = p3d_memory_reserved_bytes(memory),
                            .ranges = p3d_memory_ranges_of(
                                    problem, &estimate->plan, memory),
                            .host_bytes_per_node =
                                    estimate->host_bytes_per_node,
                            .pinned_bytes_per_node =
                                    estimate->pinned_bytes_per_node,
                            .nvme_bytes_per_node =
                                    estimate->nvme_bytes_per_node,
                            .tight_stage = estimate->tight_stage,
                            .error_frac = estimate->memory_error_frac,
                            .terms = *memory,
                    },
            .time = time_of(problem, estimate),
            .n_micro_batches = estimate->n_micro_batches,
            .tokens_per_s = estimate->tokens_per_s,
            .tokens_per_s_per_gpu =
                    estimate->tokens_per_s / problem->cluster.n_gpus,
            .mfu_frac = estimate->mfu_frac,
            .hfu_frac = estimate->hfu_frac,
            .billion_tokens_usd = report_billion_tokens_usd(problem, estimate),
    };

    if (problem->job.n_tokens > 0 &&
            !p3d_training_find(problem, estimate, &answer.whole_training, err))
        return false;
    answer.stages = build_stages(problem, estimate);
    if (answer.stages == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    answer.memory.stages = (report_list){answer.stages, answer.plan.pp};
    p3d_plan_print(&answer.plan, answer.words, sizeof(answer.words));
    p3d_print_recompute(&answer.plan, answer.recompute_words);
    p3d_print_offload(&answer.plan, answer.offload_words);
    *out = answer;
    out->training = problem->job.n_tokens > 0 ? &out->whole_training : NULL;
    return true;
}

void report_answer_free(report_answer *answer)
{
    free(answer->stages);
    answer->stages = NULL;
    answer->memory.stages = (report_list){NULL, 0};
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
