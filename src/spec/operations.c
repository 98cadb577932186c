/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operations.c - how a training is run, where nothing was said about it. */
#include "plan3d/training.h"

/* GPU hours per failure: 419 unexpected interruptions in 54 days on 16,384
 * H100, whatever their cause. Source: arXiv:2407.21783 section 3.3.4 (Llama 3
 * 405B). Assumes: A20. */
static const double GPU_MTBF_S = 54.0 * 86400 * 16384 / 419;

/* Detection and diagnosis before the job starts again take "less than 10
 * minutes" in the mean on over 10,000 GPUs. Source: arXiv:2402.15627 section
 * 6.3 (MegaScale). Assumes: A20. */
static const double RESTART_S = 600;

/* 2 TB/s that storage keeps up, over the 16,384 GPUs that write to it. Source:
 * arXiv:2407.21783 section 3.3.1. BLOOM had 0.15 GB/s per GPU: 2.3 TB in 40 s
 * from 384 (bigscience-workshop/bigscience@9e64edec
 * train/tr11-176B-ml/chronicles.md). Assumes: A21. */
static const double STORAGE_BYTES_PER_S_PER_GPU = 2e12 / 16384;

/* Of Jean Zay, where BLOOM was trained. Source: arXiv:2211.02001 section 4.
 * Assumes: A22. */
static const double PUE = 1.2;

static double said_or(double value, double otherwise)
{
    return value > 0 ? value : otherwise;
}

p3d_operations p3d_operations_of(const p3d_problem *problem)
{
    if (problem == NULL)
        return (p3d_operations){.pue = 0};

    p3d_operations o = problem->job.operations;

    o.gpu_mtbf_s = said_or(o.gpu_mtbf_s, GPU_MTBF_S);
    o.restart_s = said_or(o.restart_s, RESTART_S);
    o.storage_bytes_per_s = said_or(o.storage_bytes_per_s,
            STORAGE_BYTES_PER_S_PER_GPU * problem->cluster.n_gpus);
    o.pue = said_or(o.pue, PUE);
    return o;
}
