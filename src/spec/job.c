/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - sensible values for what a person did not say about a job. */
#include "plan3d/job.h"

#include <stddef.h>
#include <string.h>

#include "base/util.h"

const char *p3d_dispatcher_name(p3d_dispatcher dispatcher)
{
    static const char *const names[P3D_N_DISPATCHERS] = {
            "alltoall", "allgather", "deepep", "hybridep"};

    P3D_ASSERT(dispatcher < P3D_N_DISPATCHERS);
    return names[dispatcher];
}

const char *p3d_graphs_word(int i)
{
    static const char *const words[P3D_N_GRAPHS] = {"none", "layers", "step"};

    return i < P3D_N_GRAPHS ? words[i] : NULL;
}

enum {
    TOKENS_PER_STEP = 4194304, /* 4 Mi, usual for pre-training */
    TOKENS_PER_GPU = 1024,     /* of a step, at the least */
    USUAL_SEQ_LEN = 4096,
    LONG_SEQ_LEN = 8192
};

static int default_seq_len(const p3d_model *model)
{
    const int longest = model->max_positions;

    if (longest >= LONG_SEQ_LEN)
        return LONG_SEQ_LEN;
    return 0 < longest && longest < USUAL_SEQ_LEN ? longest : USUAL_SEQ_LEN;
}

/* The number nearest to the target among odd_part(n_gpus) * 2^k, so that data
 * parallelism over any divisor of the GPUs finds a batch that it divides. */
static int64_t round_batch(int64_t target, int n_gpus)
{
    int64_t batch = n_gpus;

    while (batch % 2 == 0)
        batch /= 2;
    while (batch * 2 <= target)
        batch *= 2;
    return 2 * batch - target < target - batch ? 2 * batch : batch;
}

int64_t p3d_job_default_batch(int seq_len, int n_gpus)
{
    const int64_t least = (int64_t)TOKENS_PER_GPU * n_gpus;
    const int64_t tokens = least > TOKENS_PER_STEP ? least : TOKENS_PER_STEP;

    return round_batch(tokens / seq_len, n_gpus);
}

double p3d_memory_error_frac(
        const p3d_framework *framework, const p3d_model *model)
{
    return framework->memory_error_frac * (model->n_experts > 0 ? 2 : 1);
}

static p3d_dtype default_dtype(const p3d_gpu *gpu)
{
    if (p3d_gpu_peak_flop_per_s(gpu, P3D_BF16) > 0)
        return P3D_BF16;
    return p3d_gpu_peak_flop_per_s(gpu, P3D_FP16) > 0 ? P3D_FP16 : P3D_FP32;
}

/* Transformer Engine calls flash-attention 2 but for Hopper, where cuDNN is
 * preferred, and hands on a transposed copy of its output. Source:
 * TransformerEngine@d0067d0d transformer_engine/pytorch/attention/
 * dot_product_attention/backends.py:942, 1361-1369. */
static bool copies_output(const p3d_framework *framework, const p3d_gpu *gpu)
{
    return framework->transformer_engine && p3d_gpu_sm(gpu) > 0 &&
           p3d_gpu_sm(gpu) != 90;
}

/* The generation that the framework runs on the GPU. */
static p3d_attention usual_attention(
        const p3d_framework *framework, const p3d_gpu *gpu)
{
    return framework->attention[p3d_gpu_sm(gpu) >= 90 ? 1 : 0];
}

/* As much as the estimate of the peak may be wrong. */
static int64_t default_reserve(const p3d_framework *framework,
        const p3d_model *model, const p3d_cluster *cluster)
{
    return (int64_t)(p3d_memory_error_frac(framework, model) *
                     (double)cluster->gpu.visible_memory_bytes);
}

void p3d_job_default(
        p3d_job *job, const p3d_model *model, const p3d_cluster *cluster)
{
    if (job->seq_len == 0)
        job->seq_len = default_seq_len(model);
    if (job->global_batch == 0)
        job->global_batch =
                p3d_job_default_batch(job->seq_len, cluster->n_gpus);
    if (job->dtype == P3D_FP32) /* zero: not said */
        job->dtype = default_dtype(&cluster->gpu);
    if (job->framework == NULL)
        job->framework = p3d_framework_find("megatron-core");
    if (job->attention == P3D_FLASH)
        job->attention = usual_attention(job->framework, &cluster->gpu);
    job->flash_copies_output = copies_output(job->framework, &cluster->gpu);
    if (job->reserve_bytes == 0)
        job->reserve_bytes = default_reserve(job->framework, model, cluster);
}

p3d_loss p3d_job_loss(const p3d_job *job)
{
    return job->loss == P3D_LOSS_USUAL ? job->framework->usual_loss : job->loss;
}

const p3d_kept *p3d_job_kept(const p3d_job *job)
{
    return job->eager && job->framework->compiles ? &job->framework->kept_eager
                                                  : &job->framework->kept;
}
