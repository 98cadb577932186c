/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.c - whether callers of the library gave what a function needs. */
#include "spec/given.h"

#include "spec/members.h"

/* What no range of one number says: heads that keys and values divide, experts
 * that there are, and the layers that have them. */
static bool model_agrees(const p3d_model *model)
{
    unsigned kinds = 0;

    for (int i = 0; i < model->n_layers; i++)
        kinds |= model->layer_kind[i];
    return model->n_heads % model->n_kv_heads == 0 &&
           model->top_k <= model->n_experts && kinds < P3D_N_LAYER_KINDS &&
           ((kinds & P3D_LAYER_MOE) == 0 || model->top_k >= 1) &&
           ((kinds & P3D_LAYER_WINDOWED) == 0 || model->window >= 1);
}

bool spec_model_given(const p3d_model *model)
{
    return model != NULL && spec_members_hold(&spec_model_members, model) &&
           model_agrees(model);
}

bool spec_layers_given(const p3d_model *model)
{
    return model != NULL && model->n_layers >= 1 &&
           model->n_layers <= P3D_MAX_LAYERS;
}

bool spec_gpu_given(const p3d_gpu *gpu)
{
    return gpu != NULL && spec_members_hold(&spec_gpu_members, gpu);
}

bool spec_cluster_given(const p3d_cluster *cluster)
{
    return cluster != NULL &&
           spec_members_hold(&spec_cluster_members, cluster) &&
           spec_gpu_given(&cluster->gpu) && cluster->n_nodes <= cluster->n_gpus;
}

bool spec_job_given(const p3d_job *job)
{
    return job != NULL && job->framework != NULL &&
           spec_members_hold(&spec_job_members, job);
}

bool spec_problem_given(const p3d_problem *problem)
{
    return problem != NULL && spec_model_given(&problem->model) &&
           spec_cluster_given(&problem->cluster) &&
           spec_job_given(&problem->job);
}

bool spec_plan_words_given(const p3d_plan *plan)
{
    return plan != NULL && spec_members_hold(&spec_plan_members, plan);
}

bool spec_plan_given(const p3d_plan *plan)
{
    return spec_plan_words_given(plan) &&
           spec_members_hold(&spec_plan_sizes, plan);
}

bool spec_pins_given(const p3d_pins *pins)
{
    return pins != NULL && spec_members_hold(&spec_pins_members, pins);
}

bool spec_estimate_given(const p3d_estimate *estimate)
{
    return estimate != NULL && spec_plan_given(&estimate->plan);
}

bool spec_shard_given(const p3d_shard *shard)
{
    return shard->tp >= 1 && shard->cp >= 1 && shard->ep >= 1 &&
           shard->etp >= 1 && shard->micro_batch >= 1;
}

bool spec_shard_fits(
        const p3d_model *model, const p3d_job *job, const p3d_shard *shard)
{
    const int64_t of_heads = job->cp_comm == P3D_CP_ALL_TO_ALL
                                     ? (int64_t)shard->tp * shard->cp
                                     : shard->tp;

    return spec_shard_given(shard) && of_heads <= model->n_heads &&
           shard->cp <= job->seq_len;
}
