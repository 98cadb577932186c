/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.h - what plan3d-bench or others measured on a machine.
 *
 * docs/measurements.md says what each number means and how it was taken. */
#ifndef PLAN3D_MEASUREMENTS_H
#define PLAN3D_MEASUREMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/error.h"
#include "plan3d/rows.h"

P3D_API_BEGIN

/** Numbers that are multiplied; fp32 sums, but for fp32 itself. tf32 is stored
 *  as fp32. */
typedef enum p3d_number {
    P3D_NUMBER_BF16,
    P3D_NUMBER_FP16,
    P3D_NUMBER_FP8, /* e4m3, one scale per tensor */
    P3D_NUMBER_TF32,
    P3D_NUMBER_FP32,
    P3D_N_NUMBERS
} p3d_number;

/** Which of a weight's three products; how the factors lie in memory. */
typedef enum p3d_layout {
    P3D_LAYOUT_FORWARD, /* Y = X W^T: B is stored [n, k] ("TN" in BLAS) */
    P3D_LAYOUT_DGRAD,   /* dX = dY W: B is stored [k, n] ("NN") */
    P3D_LAYOUT_WGRAD,   /* dW = dY^T X: A is stored [k, m] ("NT") */
    P3D_N_LAYOUTS
} p3d_layout;

/** How several equal products were run. */
typedef enum p3d_gemm_how {
    P3D_GEMM_SINGLE,
    P3D_GEMM_BATCHED, /* one strided-batched call */
    P3D_GEMM_LOOP     /* one call after the other in a stream, as experts */
} p3d_gemm_how;

typedef enum p3d_attention_code {
    P3D_CODE_EAGER, /* two products and a softmax kernel */
    P3D_CODE_CUDNN  /* cuDNN's fused kernel */
} p3d_attention_code;

typedef enum p3d_pass_kernel {
    P3D_KERNEL_COPY,          /* cudaMemcpy on the device: 1 read, 1 write */
    P3D_KERNEL_SCALE,         /* x *= a */
    P3D_KERNEL_ADD,           /* c = a + b */
    P3D_KERNEL_SWIGLU,        /* y = silu(a) * b */
    P3D_KERNEL_NORM,          /* RMS norm */
    P3D_KERNEL_NORM_BACKWARD, /* gradient of its input */
    P3D_KERNEL_ADAM,          /* fused step, 30 bytes a parameter */
    P3D_N_PASS_KERNELS
} p3d_pass_kernel;

/** Elements of a row of a pass: the hidden size of common models. */
enum { P3D_PASS_COLUMNS = 4096 };

typedef enum p3d_copy_direction {
    P3D_COPY_H2D,
    P3D_COPY_D2H,
    P3D_COPY_BOTH /* at once; bytes are those of one direction */
} p3d_copy_direction;

typedef enum p3d_host_kernel {
    P3D_HOST_READ,
    P3D_HOST_COPY, /* bytes read plus bytes written */
    P3D_HOST_ADAM  /* 30 bytes a parameter */
} p3d_host_kernel;

typedef enum p3d_measured_op {
    P3D_OP_ALL_REDUCE,
    P3D_OP_ALL_GATHER,
    P3D_OP_REDUCE_SCATTER,
    P3D_OP_ALL_TO_ALL,
    P3D_OP_BROADCAST,
    P3D_OP_SEND_RECV, /* to the next rank of a ring */
    P3D_OP_COPY_H2D,  /* in overlap rows */
    P3D_OP_COPY_D2H,
    P3D_N_MEASURED_OPS
} p3d_measured_op;

/** Seconds of one operation. */
typedef struct p3d_timing {
    int64_t n_samples;
    double median_s;
    double p10_s; /* a tenth of the samples is faster, */
    double p90_s; /* a tenth is slower */
} p3d_timing;

/** The machine. Unknown words are "", unknown numbers 0. */
typedef struct p3d_machine {
    char name[96];              /* "NVIDIA H100 80GB HBM3" */
    char uuid_hash[24];         /* tells devices apart without naming them */
    int64_t compute_capability; /* 90 for sm_90 */
    int64_t n_sms;
    int64_t memory_bytes; /* that a program sees */
    int64_t l2_bytes;
    double sm_hz;     /* highest clock */
    double memory_hz; /* highest clock */
    double power_limit_w;
    char driver[32];
    char cuda[16];
    char cublas[16];
    char cudnn[16];
    char nccl[16];
    int64_t n_ranks;
    int64_t n_nodes;
} p3d_machine;

/** count products C[m,n] = A[m,k] B[k,n]. */
typedef struct p3d_gemm_row {
    char name[64]; /* of the plan's operation */
    int dtype;     /* p3d_number */
    int layout;    /* p3d_layout */
    int how;       /* p3d_gemm_how */
    int64_t m, n, k, count;
    bool accumulate;   /* C in fp32 is added to */
    bool sustained;    /* for seconds on end, at the power limit */
    p3d_timing timing; /* of all `count` products */
    int64_t n_checked; /* entries that were compared with a reference */
    double error_frac; /* largest error, over the root of the sum of
                           (a b)^2 */
    double sm_hz;      /* while it ran */
    double power_w;    /* while it ran */
    int64_t n_devices; /* that ran it at once; 0 = this one alone */
    double fastest_s;  /* median of the fastest of them */
    double slowest_s;  /* median of the slowest of them */
} p3d_gemm_row;

typedef struct p3d_attention_row {
    char name[64];
    int code;  /* p3d_attention_code */
    int dtype; /* p3d_number */
    bool backward;
    bool causal;
    bool sustained; /* of a training, under the power limit; files have none */
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
    p3d_timing timing;
    int64_t n_checked; /* entries that were compared with a reference */
    double error_frac; /* largest error, over the root of the sum of
                           squared terms */
} p3d_attention_row;

typedef struct p3d_pass_row {
    int kernel;    /* p3d_pass_kernel */
    int64_t bytes; /* read plus written */
    p3d_timing timing;
} p3d_pass_row;

typedef struct p3d_copy_row {
    int direction; /* p3d_copy_direction */
    int64_t bytes;
    p3d_timing timing;
} p3d_copy_row;

typedef struct p3d_host_row {
    int kernel; /* p3d_host_kernel */
    int64_t n_threads;
    int64_t n_gpus; /* of the host, which share it; 0 = not said */
    int64_t bytes;  /* read plus written */
    p3d_timing timing;
} p3d_host_row;

/** A collective, timed on the slowest rank. */
typedef struct p3d_collective_row {
    int op;           /* p3d_measured_op */
    char axis[16];    /* "all", or the plan's: "tp", "dp" */
    int64_t n_ranks;  /* of a group */
    int64_t n_nodes;  /* that a group touches */
    int64_t n_groups; /* that ran at once */
    bool in_place;
    int64_t bytes;     /* as nccl-tests: of the larger of the two buffers */
    int64_t n_checked; /* elements of the result that were compared */
    p3d_timing timing;
    double algbw_bytes_per_s; /* bytes over the median */
    double busbw_bytes_per_s; /* times p3d_bus_factor() */
} p3d_collective_row;

/** A product beside a collective or a copy. */
typedef struct p3d_overlap_row {
    int op;    /* p3d_measured_op */
    int dtype; /* p3d_number */
    int64_t m, n, k;
    int64_t bytes;
    int64_t n_ranks;
    double gemm_alone_s;
    double gemm_beside_s;
    double other_alone_s;
    double other_beside_s;
} p3d_overlap_row;

/** What a device holds. */
typedef struct p3d_capacity_row {
    int64_t context_bytes;      /* taken before the first allocation */
    int64_t communicator_bytes; /* by an NCCL communicator; 0 = not measured */
    int64_t wanted_bytes;  /* allocated by the plan at its peak; 0 = none */
    int64_t n_pieces;      /* allocations of the plan */
    bool fits;             /* all of them were allocated and written */
    int64_t largest_bytes; /* that could be allocated and written */
} p3d_capacity_row;

/** A file of measurements. */
typedef struct p3d_measurements {
    int64_t schema;
    char program[32];
    char command[512];
    char date[24]; /* UTC, "2026-11-21T04:00:00Z" */
    char note[256];
    p3d_machine machine;
    p3d_rows gemm;       /* of p3d_gemm_row */
    p3d_rows attention;  /* of p3d_attention_row */
    p3d_rows pass;       /* of p3d_pass_row */
    p3d_rows copy;       /* of p3d_copy_row */
    p3d_rows host;       /* of p3d_host_row */
    p3d_rows collective; /* of p3d_collective_row */
    p3d_rows overlap;    /* of p3d_overlap_row */
    p3d_rows capacity;   /* of p3d_capacity_row */
} p3d_measurements;

/** Words of the enumerations above, as files have them; NULL ends each. */
extern const char *const p3d_number_words[];
extern const char *const p3d_layout_words[];
extern const char *const p3d_gemm_how_words[];
extern const char *const p3d_attention_code_words[];
extern const char *const p3d_pass_kernel_words[];
extern const char *const p3d_copy_direction_words[];
extern const char *const p3d_host_kernel_words[];
extern const char *const p3d_measured_op_words[];

/**
 * Read a file of measurements ("-" is standard input): JSON of plan3d-bench, a
 * log of nccl-tests or mamf-finder, or a trace of the PyTorch profiler, packed
 * by gzip or not (trace.h); the contents say which.
 *
 * @param out  release with p3d_measurements_free(); untouched on failure
 * @return false with P3D_DATA (file:line:column and what to write) or
 *         P3D_SYSTEM
 */
P3D_CHECK bool p3d_measurements_open(
        const char *path, p3d_measurements *out, p3d_error *err);

/**
 * Read several files. Of traces of one run, each of another rank, a collective
 * counts as long as it took on the fastest of its ranks, which waited for
 * nobody, and stands in the first of them.
 *
 * @param out  n_paths structs; release each with p3d_measurements_free();
 *             untouched on failure
 * @return false as p3d_measurements_open()
 */
P3D_CHECK bool p3d_measurements_open_all(const char *const *paths, int n_paths,
        p3d_measurements *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_measurements_free(p3d_measurements *measurements);

/**
 * Bus bandwidth over algorithm bandwidth: what makes rates comparable with
 * that of a link, whatever the number of ranks.
 *
 *     all-reduce 2 (n-1)/n; all-gather, reduce-scatter, all-to-all (n-1)/n;
 *     broadcast, send-receive 1; one rank 0
 *
 * Source: NVIDIA/nccl-tests@a0b82b2 doc/PERFORMANCE.md.
 * Tested: tests/unit/test_measurements.c
 */
double p3d_bus_factor(p3d_measured_op op, int64_t n_ranks);

/** Bytes that a pass reads and writes for one element; the norm's are bf16 in
 *  and out, its backward reads x and dy. */
int p3d_kernel_element_bytes(p3d_pass_kernel kernel);

/** Bytes that plan3d-bench lets a pass move where about so many are wanted:
 *  whole rows, one at least. */
int64_t p3d_kernel_bytes(p3d_pass_kernel kernel, int64_t wanted_bytes);

P3D_API_END

#endif
