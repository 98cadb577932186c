/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.h - constants of the cost forms, one set per architecture.
 *
 * Fitted to microbenchmarks only; read from hardware/calibration. */
#ifndef PLAN3D_CALIBRATION_H
#define PLAN3D_CALIBRATION_H

#include <stdbool.h>

#include "plan3d/api.h"
#include "plan3d/own_runs.h"

P3D_API_BEGIN

/** Seconds of a GEMM; which fields count depends on the form. */
typedef struct p3d_gemm_fit {
    bool tile_wave;     /* sm80: tiles, waves, split-K; else roofline */
    double launch_s;    /* fixed time of a launch */
    double peak_frac;   /* of the dense peak, in the main loop; 0 = no fit */
    double k_ramp;      /* prologue and epilogue as extra elements of k */
    double memory_frac; /* of the HBM rate */
    double wave_q;      /* 1 = whole waves, 0 = fractions of a wave */
    double tile_128_frac;
    double tile_64_frac;
    double p_norm;         /* how sharply compute and memory time combine */
    double error_frac;     /* mean error on shapes held out of the fit */
    double sustained_frac; /* over the burst rate, where products are limited
                              more than the rest; 0 = as the rest */
    double expert_ramp;    /* grouped products: extra rows of each group */
    double even_frac;      /* rate where n or k is even but no multiple of 8 */
    double odd_frac;       /* rate where n or k is odd; 0 = as any other */
    double general_frac;   /* products that no tensor core can run, over the
                              fp32 rate; 0 = 0.5 */
} p3d_gemm_fit;

/** Sizes of heads, means of those of queries and of values: 64, 128, 160 (192
 *  and 128 of latent attention; 0 = between its neighbours), 256. */
enum { P3D_N_HEAD_SIZES = 4 };

/** Attention kernel of a job. */
typedef enum p3d_attention {
    P3D_FLASH,     /* fused: nothing of size sequence^2 is kept; the generation
                    that the framework uses on the GPU */
    P3D_EAGER,     /* scores, softmax and dropout as separate kernels */
    P3D_EFFICIENT, /* memory-efficient attention of xFormers and PyTorch */
    P3D_FLASH_1,   /* FlashAttention of 2022, and its Triton kernel */
    P3D_FLASH_2, /* FlashAttention-2; PyTorch's scaled_dot_product_attention */
    P3D_FLASH_3, /* FlashAttention-3 */
    P3D_CUDNN,   /* cuDNN's fused attention */
    P3D_FLASH_4, /* FlashAttention-4 */
    P3D_N_ATTENTIONS
} p3d_attention;

/** One pass of a fused attention kernel. */
typedef struct p3d_attention_pass {
    double launch_s;
    double peak_frac[P3D_N_HEAD_SIZES];
    double seq_ramp;  /* tokens */
    double wave_ramp; /* tiles per SM */
} p3d_attention_pass;

typedef struct p3d_attention_fit {
    p3d_attention_pass forward;
    p3d_attention_pass backward;
    bool sustained;    /* the sustained factor applies */
    double error_frac; /* 0 = no fit */
} p3d_attention_fit;

/** Kinds of memory-bound kernels, which may have rates of their own: a norm
 *  waits for the sum of a row, the others stream. */
typedef enum p3d_pass_kind {
    P3D_PASS_VECTOR,        /* element by element */
    P3D_PASS_ROWS,          /* sums over rows: norms, softmax, losses */
    P3D_PASS_ROWS_BACKWARD, /* their gradients */
    P3D_PASS_OPTIMIZER,     /* many arrays, read and written in place */
    P3D_N_PASS_KINDS
} p3d_pass_kind;

/** t = launch + bytes / (hbm_frac * memory rate). */
typedef struct p3d_pass_rate {
    double hbm_frac; /* 0 = that of the other kinds */
    double launch_s;
} p3d_pass_rate;

typedef struct p3d_pass_fit {
    double hbm_frac;    /* of the kinds without a rate of their own */
    double single_frac; /* of PyTorch's operations, each a kernel of its own;
                           0 = as the others */
    double launch_s;
    double error_frac;
    p3d_pass_rate kind[P3D_N_PASS_KINDS]; /* that were measured apart */
} p3d_pass_fit;

/** t = launch + steps * step + V / (link_frac * link) + ramp * sqrt(V). */
typedef struct p3d_collective_fit {
    double launch_s;
    double step_s;
    double link_frac;
    double ramp_s_per_sqrt_byte;
} p3d_collective_fit;

/** What leaves the node, as it was measured on a cluster: the network's rate
 *  that collectives reach, of each GPU. 0 = not measured. */
typedef struct p3d_network_fit {
    double latency_s; /* of a collective over two nodes; grows with the nodes */
    double all_reduce_bytes_per_s;
    double all_gather_bytes_per_s; /* of reduce-scatter, too */
    double all_to_all_bytes_per_s;
} p3d_network_fit;

/* clang-format off */
/** Collectives: name, key of a calibration file, and the one before it whose
 *  constants a file without it lends; itself = every file has it. */
#define P3D_COLLECTIVES(X) \
    X(P3D_ALL_REDUCE,     all_reduce,     P3D_ALL_REDUCE) \
    X(P3D_ALL_GATHER,     all_gather,     P3D_ALL_GATHER) \
    X(P3D_REDUCE_SCATTER, reduce_scatter, P3D_REDUCE_SCATTER) \
    X(P3D_ALL_TO_ALL,     all_to_all,     P3D_ALL_TO_ALL)
/* clang-format on */

typedef enum p3d_collective {
#define P3D_AS_COLLECTIVE(name, key, like) name,
    P3D_COLLECTIVES(P3D_AS_COLLECTIVE)
#undef P3D_AS_COLLECTIVE
            P3D_N_COLLECTIVES
} p3d_collective;

/** The host, as it was measured. 0 = not measured. */
typedef struct p3d_host_fit {
    double copy_bytes_per_s; /* between pinned memory and a GPU, one way */
    double adam_bytes_per_s; /* of the CPU's Adam, for each GPU of the host */
} p3d_host_fit;

/** What no microbenchmark of one kernel tells. */
typedef struct p3d_assumed_fit {
    double fixed_step_s;       /* of a step: data, logging, synchronization */
    double overlap_leak_frac;  /* of overlapped communication: stays exposed */
    double overlap_error_frac; /* mean error of it; 0 = not measured */
    double gpu_spread_frac;    /* standard deviation of the speed of GPUs */
} p3d_assumed_fit;

/* clang-format off */
/** Parts that have a source each: name, and key of a calibration file. */
#define P3D_CALIBRATION_PARTS(X) \
    X(P3D_SPEEDS_GEMM,       gemm) \
    X(P3D_SPEEDS_GEMM_FP8,   gemm_fp8) \
    X(P3D_SPEEDS_GEMM_NVFP4, gemm_nvfp4) \
    X(P3D_SPEEDS_SUSTAINED,  sustained_frac) \
    X(P3D_SPEEDS_ATTENTION,  attention) \
    X(P3D_SPEEDS_PASS,       memory_pass) \
    X(P3D_SPEEDS_COLLECTIVE, collective)
/* clang-format on */

typedef enum p3d_calibration_part {
#define P3D_AS_PART(name, key) name,
    P3D_CALIBRATION_PARTS(P3D_AS_PART)
#undef P3D_AS_PART
            P3D_N_CALIBRATION_PARTS
} p3d_calibration_part;

typedef struct p3d_calibration {
    char name[48];
    char basis[48];  /* GPU that the constants are of */
    char device[96]; /* that its owner measured; "" = published kernels */
    char driver[32]; /* of that device */
    char date[24];   /* of the measurements, UTC */
    unsigned assumed_parts; /* bits of p3d_calibration_part: nothing of them
                               was measured on the basis */
    p3d_gemm_fit gemm;      /* bf16 and fp16 */
    p3d_gemm_fit gemm_fp8;  /* peak_frac 0 where there is none */
    p3d_gemm_fit gemm_nvfp4;
    double sustained_frac; /* sustained over burst rate: the power limit */
    p3d_attention_fit attention[P3D_N_ATTENTIONS]; /* fused kernels */
    p3d_pass_fit pass;
    p3d_collective_fit collective[P3D_N_COLLECTIVES];
    double nvls_factor; /* all-reduce in the switch; 1 = none */
    double multinode_ramp_s_per_sqrt_byte;
    double collective_error_frac;
    p3d_network_fit network;
    p3d_host_fit host;
    p3d_assumed_fit assumed;
    p3d_own_runs runs; /* of the user's own on this GPU */
} p3d_calibration;

/** Constants of a kernel; where they were not measured, those of the next older
 *  generation that was, else of the next newer one. */
const p3d_attention_fit *p3d_attention_fit_of(
        const p3d_calibration *calibration, p3d_attention kernel);

P3D_API_END

#endif
