/* SPDX-License-Identifier: GPL-3.0-or-later */
/* targets.c - the table of targets. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/serving.h"
#include "spec/abilities.h"

static const exchange_target *const targets[] = {&exchange_to_megatron,
        &exchange_to_bridge, &exchange_to_mindspeed, &exchange_to_maxtext,
        &exchange_to_deepspeed, &exchange_to_torchtitan,
        &exchange_to_accelerate, &exchange_to_nanotron, &exchange_to_colossalai,
        &exchange_to_lightning, &exchange_to_lightning_ddp, &exchange_to_jax,
        &exchange_to_hf_deepspeed, &exchange_to_hf_fsdp,
        &exchange_to_llama_factory, &exchange_to_axolotl, &exchange_to_ms_swift,
        &exchange_to_ms_swift_megatron, &exchange_to_torchtune,
        &exchange_to_verl, &exchange_to_flagscale};

const exchange_target *exchange_target_at(int i)
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

/* Names of programs whose files are those of a target. */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {{"nemo", "bridge"}, {"megatron-bridge", "bridge"},
        {"trainer", "hf-deepspeed"}, {"swift", "ms-swift"}};

/* By its own name, by another one, or by one of its framework: "fsdp". */
const exchange_target *exchange_target_find(const char *name, p3d_error *err)
{
    const p3d_framework *const framework = p3d_framework_find(name);

    for (int i = 0; i < P3D_COUNT_OF(aliases); i++)
        if (p3d_same_word(aliases[i].alias, name))
            name = aliases[i].name;
    for (int i = 0; i < P3D_COUNT_OF(targets); i++) {
        if (p3d_same_word(targets[i]->name, name))
            return targets[i];
    }
    for (int i = 0; framework != NULL && i < P3D_COUNT_OF(targets); i++)
        if (p3d_framework_find(targets[i]->framework) == framework)
            return targets[i];
    fail_target(name, err);
    return NULL;
}

p3d_framework exchange_target_framework(const exchange_target *target)
{
    const p3d_framework *const nearest = p3d_framework_find(target->framework);
    p3d_framework own;

    P3D_ASSERT(nearest != NULL);
    own = *nearest;
    if (target->nearest) {
        own.name = target->name;
        own.costs_of = nearest->name;
    }
    own.unsearched_modules = 0; /* files of its programs alone say them */
    if (target->narrow != NULL)
        target->narrow(&own);
    return own;
}

p3d_framework exchange_target_framework_now(const exchange_target *target)
{
    p3d_framework own = exchange_target_framework(target);

    if (target->retire != NULL)
        target->retire(&own);
    return own;
}

exchange_launch exchange_launch_of(const exchange_target *target,
        const p3d_problem *problem, const p3d_plan *plan)
{
    exchange_launch launch = {
            .model = problem->model,
            .job = problem->job,
            .plan = *plan,
            .n_gpus = plan->tp * plan->pp * plan->dp * plan->cp,
            .gpus_per_node = problem->cluster.node.gpus_per_node,
            .gpus_per_slice = problem->cluster.node.gpus_per_nvlink_domain,
            .sm = p3d_gpu_sm(&problem->cluster.gpu),
            .hosts_listed =
                    problem->cluster.tiers.placement == P3D_PLACEMENT_HOSTS,
    };
    exchange_said *const said = &launch.said;

    /* One exchange for all ranks is the job's to say. */
    if (plan->ulysses == plan->cp || plan->ulysses == 1) {
        launch.job.cp_comm =
                plan->ulysses > 1 ? P3D_CP_ALL_TO_ALL : P3D_CP_RING;
        launch.plan.ulysses = 0;
    }
    /* What the framework takes by itself needs no option. */
    if (problem->job.attention == spec_usual_attention(&problem->model,
                                          &problem->cluster.gpu, &problem->job))
        launch.job.fixed_attention = false;
    /* "Off" of a ZeRO stage that has no overlap is what is usual of it. */
    exchange_settle_overlap(&launch, exchange_says_overlap(&launch));
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
    said->fp16 = problem->job.dtype == P3D_FP16;
    said->fp8 = problem->job.dtype == P3D_FP8;
    said->fp4 = problem->job.dtype == P3D_NVFP4;
    said->bf16 = problem->job.dtype == P3D_BF16 || said->fp8 != 0 || said->fp4;
    target->say(&launch);
    return launch;
}
