/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - the operations of one plan, to be measured by plan3d-bench. */
#ifndef PLAN3D_REQUEST_H
#define PLAN3D_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/estimate.h"
#include "plan3d/measurements.h"

P3D_API_BEGIN

/** Products of the plan; times is how often a rank runs them in a step. */
typedef struct p3d_request_gemm {
    char name[64];
    int dtype;  /* p3d_number */
    int layout; /* p3d_layout */
    int how;    /* p3d_gemm_how */
    int64_t m, n, k;
    int64_t count; /* run together: experts, heads, or pieces of a ring */
    int64_t times;
} p3d_request_gemm;

typedef struct p3d_request_attention {
    char name[64];
    int dtype; /* p3d_number */
    bool backward;
    bool causal;
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
    int64_t window; /* 0 = all earlier tokens */
    int64_t count;  /* kernels: steps of a ring */
    int64_t times;
} p3d_request_attention;

typedef struct p3d_request_pass {
    char name[64];
    int64_t bytes; /* read plus written */
    int64_t n_kernels;
    int64_t times;
} p3d_request_pass;

/** Kernels that each pass of a plan is measured by: the sum of elements, which
 *  is the commonest kind, and a norm. */
enum { P3D_N_REQUEST_KERNELS = 2 };
extern const p3d_pass_kernel p3d_request_kernels[P3D_N_REQUEST_KERNELS];

typedef struct p3d_request_collective {
    char name[64];
    int op; /* p3d_measured_op */
    char axis[16];
    int64_t n_ranks;
    int64_t stride;  /* between neighbouring ranks of a group; */
    int64_t n_inner; /* after so many (0 = never) the next is */
    int64_t block;   /* so far from where they began */
    int64_t bytes;   /* as nccl-tests: of the larger of the two buffers */
    int64_t times;
} p3d_request_collective;

/** Tensors that are alive on the tight rank at its peak. */
typedef struct p3d_request_piece {
    char name[64];
    int64_t bytes; /* of all */
    int64_t count;
} p3d_request_piece;

typedef struct p3d_request {
    char schema[16];
    char schema_version[8]; /* empty = of an older plan3d */
    char command[16];
    char model[96];
    char cluster[96];
    char plan[P3D_PLAN_WORDS]; /* as --plan reads it */
    int64_t n_gpus;
    int64_t n_micro_batches;
    int64_t allocated_bytes; /* of the tight rank at its peak */
    p3d_rows gemm;
    p3d_rows attention;
    p3d_rows pass;
    p3d_rows collective;
    p3d_rows piece;
} p3d_request;

/**
 * List the operations of a plan: those of every kind of block on one rank,
 * forward and backward, equal ones once. times counts the blocks of the rank
 * that has the most of that kind; recomputation is not counted.
 *
 * @param out  release with p3d_request_free(); untouched on failure
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_request_build(const p3d_problem *problem,
        const p3d_estimate *estimate, p3d_request *out, p3d_error *err);

/** Read what `plan3d shapes --json` wrote, or a list made by hand. The same
 *  promises as p3d_measurements_open(). */
P3D_CHECK bool p3d_request_open(
        const char *path, p3d_request *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_request_free(p3d_request *request);

P3D_API_END

#endif
