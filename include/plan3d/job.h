/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - what is to be trained, and with which software. */
#ifndef PLAN3D_JOB_H
#define PLAN3D_JOB_H

#include <stdint.h>

#include "plan3d/cluster.h"
#include "plan3d/framework.h"
#include "plan3d/model.h"

/** Attention kernel. */
typedef enum p3d_attention {
    P3D_FLASH, /* fused: nothing of size sequence^2 is kept */
    P3D_EAGER  /* scores, softmax and dropout as separate kernels */
} p3d_attention;

typedef enum p3d_optimizer {
    P3D_ADAM, /* and AdamW: two moments */
    P3D_SGD,  /* one momentum */
    P3D_N_OPTIMIZERS
} p3d_optimizer;

/** Everything about a training job that is not the plan. */
typedef struct p3d_job {
    int seq_len;          /* tokens per sequence */
    int64_t global_batch; /* sequences per step */
    double n_tokens;      /* of the whole training; 0 = not asked */
    p3d_dtype dtype;
    p3d_optimizer optimizer;
    p3d_attention attention;
    bool dropout;             /* hidden and attention dropout masks are kept */
    bool flash_copies_output; /* the fused kernel's output is kept twice when a
                                 micro-batch has several sequences */
    p3d_loss loss;            /* usual = that of the framework */
    const p3d_framework *framework;
    int64_t reserve_bytes; /* kept free on each GPU */
    double usd_per_gpu_h;  /* 0 = not asked */
} p3d_job;

/**
 * Sensible values for what a person did not say: sequences as long as the
 * model was made for (at most 4096, or 8192 where the model allows 8192 or
 * more), about 4 Mi tokens per step (or 1,024 per GPU if that is more) in a
 * number of sequences that the GPU count divides well, bf16 (fp16 where the
 * GPU has no bf16), Adam, flash attention, megatron-core; whether the fused
 * kernel keeps its output twice; and a reserve as
 * large as the typical error of the memory estimate, so that a plan that fits
 * still does when the estimate is a little low.
 *
 * Fields of *job that are not zero are kept; fp32 is zero, so a job of that
 * type sets it afterwards.
 */
void p3d_job_default(
        p3d_job *job, const p3d_model *model, const p3d_cluster *cluster);

/** The default number of sequences per step alone. */
int64_t p3d_job_default_batch(int seq_len, int n_gpus);

/** The job's implementation of the cross entropy, or its framework's. */
p3d_loss p3d_job_loss(const p3d_job *job);

/** Typical error of the estimated peak, as a fraction of it: the framework's,
 *  twice that with experts, whose load is never even. */
double p3d_memory_error_frac(
        const p3d_framework *framework, const p3d_model *model);

#endif
