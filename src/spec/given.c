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

bool p3d_model_given(const p3d_model *model)
{
    return model != NULL && p3d_members_hold(&p3d_model_members, model) &&
           model_agrees(model);
}

bool p3d_layers_given(const p3d_model *model)
{
    return model != NULL && model->n_layers >= 1 &&
           model->n_layers <= P3D_MAX_LAYERS;
}

bool p3d_gpu_given(const p3d_gpu *gpu)
{
    return gpu != NULL && p3d_members_hold(&p3d_gpu_members, gpu);
}

bool p3d_cluster_given(const p3d_cluster *cluster)
{
    return cluster != NULL && p3d_members_hold(&p3d_cluster_members, cluster) &&
           p3d_gpu_given(&cluster->gpu) && cluster->n_nodes <= cluster->n_gpus;
}

bool p3d_job_given(const p3d_job *job)
{
    return job != NULL && job->framework != NULL &&
           p3d_members_hold(&p3d_job_members, job);
}

bool p3d_problem_given(const p3d_problem *problem)
{
    return problem != NULL && p3d_model_given(&problem->model) &&
           p3d_cluster_given(&problem->cluster) && p3d_job_given(&problem->job);
}

bool p3d_plan_words_given(const p3d_plan *plan)
{
    return plan != NULL && p3d_members_hold(&p3d_plan_members, plan);
}

bool p3d_plan_given(const p3d_plan *plan)
{
    return p3d_plan_words_given(plan) &&
           p3d_members_hold(&p3d_plan_sizes, plan);
}

bool p3d_pins_given(const p3d_pins *pins)
{
    return pins != NULL && p3d_members_hold(&p3d_pins_members, pins);
}

bool p3d_estimate_given(const p3d_estimate *estimate)
{
    return estimate != NULL && p3d_plan_given(&estimate->plan);
}

bool p3d_shard_given(const p3d_shard *shard)
{
    return shard->tp >= 1 && shard->cp >= 1 && shard->ep >= 1 &&
           shard->etp >= 1 && shard->micro_batch >= 1;
}

bool p3d_shard_fits(
        const p3d_model *model, const p3d_job *job, const p3d_shard *shard)
{
    const int64_t of_heads = job->cp_comm == P3D_CP_ALL_TO_ALL
                                     ? (int64_t)shard->tp * shard->cp
                                     : shard->tp;

    return p3d_shard_given(shard) && of_heads <= model->n_heads &&
           shard->cp <= job->seq_len;
}
