/* SPDX-License-Identifier: GPL-3.0-or-later */
/* companion.c - what a frozen model costs beside each block of the trained one:
 * a forward pass that keeps nothing.
 *
 * It runs on the same ranks, divided as the trained model is: its embedding and
 * its head lie with those of that model, its layers evenly beside those of it.
 * Source: NVIDIA/TensorRT-Model-Optimizer@87f791d6 modelopt/torch/distill/
 * plugins/megatron.py (each stage of the student has one of the teacher, whose
 * pass comes before its own). Assumes: A30. */
#include <math.h>

#include "cost/cost.h"
#include "spec/params.h"

p3d_job cost_companion_job(const p3d_job *job)
{
    p3d_job own = *job;

    own.companion.reference = P3D_REFERENCE_NONE;
    own.companion.teacher.n_layers = 0;
    own.adapters = (p3d_adapters){.base = p3d_companion_is_base(job)
                                                  ? job->adapters.base
                                                  : P3D_BASE_16};
    own.frozen = P3D_ALL_PARTS;
    own.dropout = false;
    own.n_mtp_layers = 0;
    if (job->dtype == P3D_FP8 || job->dtype == P3D_NVFP4)
        own.dtype = P3D_BF16;
    return own;
}

/** What is added of a block of the frozen model. */
typedef struct addition {
    double n;   /* times */
    int passes; /* of these, with the same weights */
    bool held;  /* its weights are on the device beside the others */
} addition;

static int64_t times(double n, int64_t params)
{
    return (int64_t)ceil(n * (double)params);
}

static void add(p3d_block *sum, const p3d_block *one, addition of)
{
    const double weights = of.n / of.passes;

    cost_add_terms(&sum->forward, &one->forward, of.n);
    sum->forward_s += of.n * one->forward_s;
    sum->common_s += of.n * one->common_s;
    sum->compute_s += of.n * one->compute_s;
    if (!of.held)
        return;
    sum->companion.dense += times(weights, one->params.dense);
    sum->companion.experts += times(weights, one->params.experts);
}

/** Build a block of the frozen model, whose problem this is, and add it. */
static void add_block(const p3d_problem *own, p3d_shard shard, int block,
        p3d_block *sum, addition of)
{
    p3d_workload list;
    p3d_block one;
    p3d_module_shares none;

    cost_workload_list(&own->model, &own->job, shard, block, &list);
    cost_drop_backward(&list);
    list.n_tensors = 0;
    cost_block_build(own, &(cost_listed){shard, block, &list}, &one, &none);
    add(sum, &one, of);
}

bool cost_companion_groups(const p3d_job *job)
{
    return job->companion.teacher.n_experts > 0;
}

/** All layers of a teacher, shared out evenly over those of its student. */
static void add_layers(
        const p3d_problem *own, p3d_shard shard, int n_layers, p3d_block *sum)
{
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const int n = p3d_model_count_layers(&own->model, kind);

        if (n > 0)
            add_block(own, shard, kind, sum,
                    (addition){(double)n / n_layers, 1, true});
    }
}

static void add_tower(
        const p3d_problem *own, p3d_shard shard, p3d_block *sum, addition of)
{
    for (int block = P3D_N_BLOCKS; block < P3D_N_ALL_BLOCKS; block++) {
        const int n = p3d_tower_blocks(&own->model, block);

        if (n > 0)
            add_block(own, shard, block, sum,
                    (addition){(double)of.passes * n, of.passes, of.held});
    }
}

/**
 * The frozen model's part of a block.
 *
 *     embedding, head   those of the frozen model
 *     layer             reference: the same layer; teacher: L_t / L of its
 *                       layers, of each kind
 *     of KTO            three times each, with the weights of one
 *
 * L layers of the trained model, L_t of the teacher. Its weights are those of
 * the base where adapters are trained, or wait on the host: none beside.
 *
 * Tested: tests/unit/test_companion.c
 */
void cost_companion_add(
        const p3d_problem *problem, p3d_shard shard, int block, p3d_block *out)
{
    const p3d_model *const model =
            p3d_companion_of(&problem->job, &problem->model);
    const int passes = p3d_companion_passes(&problem->job);
    const addition once = {
            passes, passes, spec_companion_is_held(&problem->job)};
    p3d_problem own;

    if (model == NULL)
        return;
    own = *problem;
    own.model = *model;
    own.job = cost_companion_job(&problem->job);
    shard.modules = 0;
    if (block < P3D_N_LAYER_KINDS && model != &problem->model)
        add_layers(&own, shard, problem->model.n_layers, out);
    else
        add_block(&own, shard, block, out, once);
    if (block == P3D_BLOCK_EMBEDDING)
        add_tower(&own, shard, out, once);
    out->params.dense += out->companion.dense;
    out->params.experts += out->companion.experts;
}
