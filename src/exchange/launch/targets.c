/* SPDX-License-Identifier: GPL-3.0-or-later */
/* targets.c - the table of targets, and what all of them share. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/serving.h"

static const p3d_target *const targets[] = {&exchange_to_megatron,
        &exchange_to_bridge, &exchange_to_deepspeed, &exchange_to_torchtitan,
        &exchange_to_accelerate, &exchange_to_nanotron, &exchange_to_colossalai,
        &exchange_to_lightning, &exchange_to_jax};

const p3d_target *exchange_target_at(int i)
{
    return P3D_HAS(targets, i) ? targets[i] : NULL;
}

static void fail_target(const char *name, p3d_error *err)
{
    p3d_nearest nearest = {.word = name};
    p3d_text known = {0};

    p3d_text_add(&known, "; write one of");
    for (int i = 0; i < P3D_COUNT_OF(targets); i++) {
        p3d_nearest_offer(&nearest, targets[i]->name);
        p3d_text_add(&known, "%s %s", i == 0 ? "" : ",", targets[i]->name);
    }
    for (int i = 0; exchange_server_at(i) != NULL; i++) {
        p3d_nearest_offer(&nearest, exchange_server_at(i)->name);
        p3d_text_add(&known, ", %s", exchange_server_at(i)->name);
    }
    p3d_fail(err, P3D_USAGE, "unknown target '%.60s'%s", name,
            p3d_did_you_mean(&nearest, p3d_text_get(&known)));
    p3d_text_free(&known);
}

const p3d_target *exchange_target_find(const char *name, p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(targets); i++) {
        if (p3d_same_word(targets[i]->name, name))
            return targets[i];
    }
    fail_target(name, err);
    return NULL;
}

p3d_framework exchange_target_framework(const p3d_target *target)
{
    const p3d_framework *const nearest = p3d_framework_find(target->framework);
    p3d_framework own;

    P3D_ASSERT(nearest != NULL);
    own = *nearest;
    if (target->nearest) {
        own.name = target->name;
        own.costs_of = nearest->name;
    }
    if (target->narrow != NULL)
        target->narrow(&own);
    return own;
}

p3d_framework exchange_target_framework_now(const p3d_target *target)
{
    p3d_framework own = exchange_target_framework(target);

    if (target->retire != NULL)
        target->retire(&own);
    return own;
}

p3d_launch exchange_launch_of(const p3d_target *target,
        const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_launch launch = {
            .model = problem->model,
            .job = problem->job,
            .plan = *plan,
            .n_gpus = plan->tp * plan->pp * plan->dp * plan->cp,
            .gpus_per_node = problem->cluster.node.gpus_per_node,
            .sm = p3d_gpu_sm(&problem->cluster.gpu),
    };
    p3d_launch_said *const said = &launch.said;

    /* Nodes that the plan leaves idle are not asked for. */
    launch.n_nodes = (int)p3d_ceil_div(launch.n_gpus, launch.gpus_per_node);
    said->n_gpus = launch.n_gpus;
    said->n_nodes = launch.n_nodes;
    said->gpus_per_node = launch.gpus_per_node;
    said->n_micro_batches = p3d_plan_n_micro_batches(plan, &problem->job);
    said->micro_tokens = (int64_t)plan->micro_batch * problem->job.seq_len;
    said->step_tokens =
            p3d_mul(problem->job.global_batch, problem->job.seq_len);
    said->replica_batch = problem->job.global_batch / plan->dp;
    said->fp32 = problem->job.dtype == P3D_FP32;
    said->fp16 = problem->job.dtype == P3D_FP16;
    said->fp8 = problem->job.dtype == P3D_FP8;
    said->bf16 = problem->job.dtype == P3D_BF16 || said->fp8 != 0;
    target->say(&launch);
    return launch;
}

bool exchange_target_refuse(
        p3d_refusal *refusal, const char *rule, const char *fmt, ...)
{
    va_list args;

    refusal->rule = rule;
    va_start(args, fmt);
    vsnprintf(refusal->reason, sizeof(refusal->reason), fmt, args);
    va_end(args);
    return false;
}

/* A part of the job that is not the usual, and whether files must say it. */
typedef struct job_part {
    unsigned bit;
    const char *words; /* of the command line */
    bool (*differs)(const p3d_job *);
} job_part;

/* clang-format off */
#define PART(name, condition) \
    static bool name(const p3d_job *job) { return condition; }
PART(is_fp16, job->dtype == P3D_FP16)
PART(is_fp32, job->dtype == P3D_FP32)
PART(is_fp8, job->dtype == P3D_FP8)
PART(has_dropout, job->dropout)
PART(trades_heads, job->cp_comm != P3D_CP_RING)
PART(dispatches, job->dispatcher != P3D_DISPATCH_ALL_TO_ALL)
PART(has_graphs, job->graphs != P3D_GRAPHS_NONE)
PART(has_mtp, job->n_mtp_layers > 0)
PART(overlaps_tp, job->tp_overlap)
PART(overlaps_experts, job->expert_overlap)
PART(is_eager, job->eager)
PART(types_gradients, job->gradient_dtype != P3D_STATE_USUAL)
PART(other_optimizer, job->optimizer != P3D_ADAM)
PART(eager_attention, job->attention == P3D_EAGER)
PART(types_master, job->master_dtype != P3D_STATE_USUAL)
PART(types_moments, job->moment_dtype != P3D_STATE_USUAL)
PART(steps_early, job->optimizer_in_backward)
PART(is_late, job->asynchronous)
#undef PART

static const job_part parts[] = {
    {P3D_SAYS_FP16,            "--dtype fp16",            is_fp16},
    {P3D_SAYS_FP32,            "--dtype fp32",            is_fp32},
    {P3D_SAYS_FP8,             "--dtype fp8",             is_fp8},
    {P3D_SAYS_DROPOUT,         "--dropout",               has_dropout},
    {P3D_SAYS_CP_ALL_TO_ALL,   "--cp-comm a2a",           trades_heads},
    {P3D_SAYS_DISPATCHER,      "--dispatcher",            dispatches},
    {P3D_SAYS_GRAPHS,          "--cuda-graphs",           has_graphs},
    {P3D_SAYS_MTP,             "--mtp",                   has_mtp},
    {P3D_SAYS_TP_OVERLAP,      "--tp-overlap",            overlaps_tp},
    {P3D_SAYS_EXPERT_OVERLAP,  "--moe-overlap",           overlaps_experts},
    {P3D_SAYS_EAGER,           "--eager",                 is_eager},
    {P3D_SAYS_GRADIENTS,       "--gradient-dtype",        types_gradients},
    {P3D_SAYS_OPTIMIZERS,      "--optimizer",             other_optimizer},
    {P3D_SAYS_EAGER_ATTENTION, "--attention eager",       eager_attention},
    {0,                        "--master-dtype",          types_master},
    {0,                        "--moment-dtype",          types_moments},
    {0,                        "--optimizer-in-backward", steps_early},
    {0,                        "--async",                 is_late},
};
/* clang-format on */

bool exchange_target_can_say(const p3d_target *target, const p3d_launch *launch,
        p3d_refusal *refusal)
{
    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        if (parts[i].differs(&launch->job) &&
                (target->says & parts[i].bit) == 0)
            return exchange_target_refuse(refusal, "X2",
                    "plan3d has no option of %s for %s; leave it out or choose "
                    "another target",
                    target->title, parts[i].words);
    }
    return target->can_say == NULL || target->can_say(launch, refusal);
}

void exchange_own_script(const p3d_launch *launch, p3d_text *lines)
{
    (void)launch;
    p3d_text_add(lines, "export TRAIN=${TRAIN:-train.py}\n"
                        "export PYTHONPATH=$HERE:${PYTHONPATH:-}\n");
}
