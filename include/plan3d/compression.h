/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compression.h - fewer bytes between data-parallel ranks. */
#ifndef PLAN3D_COMPRESSION_H
#define PLAN3D_COMPRESSION_H

#include <stdbool.h>

#include "plan3d/api.h"

P3D_API_BEGIN

/** What a framework may have: a bit set. */
enum {
    P3D_COMPRESS_ZEROPP = 1,   /* quantized weights and gradients, second shares
                                of the weights: arXiv:2306.10209 */
    P3D_COMPRESS_ONE_BIT = 2,  /* signs of the momentum: arXiv:2102.02888 */
    P3D_COMPRESS_LOW_RANK = 4, /* PowerSGD: arXiv:1905.13727 */
    P3D_COMPRESS_8_BIT = 8     /* PyTorch's quantization_pertensor_hook */
};

/** How data-parallel ranks send less than weights and gradients as they are.
 *  All zero = not at all. Narrower gradients alone are p3d_job.reduce_dtype. */
typedef struct p3d_compression {
    bool weights;   /* ZeRO++ qwZ: weights are gathered in 8 bits */
    bool gradients; /* ZeRO++ qgZ: gradients are sent in 4 bits, first within
                       nodes and then between them */
    int shares;     /* ZeRO++ hpZ: neighbouring ranks that have second shares of
                       all weights; 0 = none */
    bool one_bit;   /* 1-bit Adam, behind its first steps */
    int rank;       /* PowerSGD; 0 = none */
    bool eight_bit; /* gradients are quantized, and all of them gathered */
} p3d_compression;

struct p3d_model;

/**
 * Numbers that PowerSGD sends of a dense model for a step.
 *
 *     sum over matrices n x m of r (n + m), where 2 r (n + m) < n m,
 *     and all numbers of the rest
 *
 * @param rank  r >= 1
 * @return 0 for a model that has other matrices than a dense decoder
 *
 * Source: arXiv:1905.13727 section 3; pytorch@2.6.0 torch/distributed/
 * algorithms/ddp_comm_hooks/powerSGD_hook.py (_should_compress).
 * Tested: tests/unit/test_compression.c
 */
double p3d_low_rank_numbers(const struct p3d_model *model, int rank);

P3D_API_END

#endif
