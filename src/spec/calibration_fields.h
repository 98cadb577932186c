/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration_fields.h - the fields of a file of hardware/calibration, for its
 * reader and its writer. */
#ifndef PLAN3D_SPEC_CALIBRATION_FIELDS_H
#define PLAN3D_SPEC_CALIBRATION_FIELDS_H

#include "base/util.h"
#include "spec/hardware.h"

/* A calibration as its file has it; the parts are objects of their own. */
typedef struct head {
    int schema;
    p3d_calibration calibration;
} head;

typedef struct gemm_file {
    char form[16];
    p3d_gemm_fit fit;
} gemm_file;

typedef struct collectives {
    double nvls_factor;
    double multinode_ramp_s_per_sqrt_byte;
    double error_frac;
} collectives;

/* clang-format off */
#define HEAD(field) offsetof(head, calibration.field)
static const json_field head_fields[] = {
    {"schema", JSON_INT, false, offsetof(head, schema), 1, 1,
        "version of this format, 1"},
    {"name", JSON_STRING, true, HEAD(name), 1, 48,
        "name of the calibration"},
    {"basis", JSON_STRING, true, HEAD(basis), 1, 48,
        "GPU that the microbenchmarks ran on"},
    {"device", JSON_STRING, false, HEAD(device), 1, 96,
        "that was measured by its owner, as its driver has it"},
    {"driver", JSON_STRING, false, HEAD(driver), 1, 32,
        "of that device"},
    {"date", JSON_STRING, false, HEAD(date), 1, 24,
        "of the first measurement, UTC"},
    {"gemm", JSON_ANY, true, 0, 0, 0,
        "matrix products in bf16 and fp16"},
    {"gemm_fp8", JSON_ANY, false, 0, 0, 0,
        "matrix products in fp8"},
    {"sustained_frac", JSON_DOUBLE, true, HEAD(sustained_frac), 0.1, 1,
        "sustained over burst rate"},
    {"attention", JSON_ANY, true, 0, 0, 0,
        "attention kernels"},
    {"memory_pass", JSON_ANY, true, 0, 0, 0,
        "memory-bound kernels"},
    {"collective", JSON_ANY, true, 0, 0, 0,
        "collectives inside a node"},
    {"assumed", JSON_ANY, false, 0, 0, 0,
        "what no microbenchmark of one kernel tells"},
    {"sources", JSON_ANY, true, 0, 0, 0,
        "where each number is from"},
};

#define GEMM(field) offsetof(gemm_file, fit.field)
static const json_field gemm_fields[] = {
    {"form", JSON_STRING, true, offsetof(gemm_file, form), 1, 16,
        "tile_wave or roofline"},
    {"launch_s", JSON_DOUBLE, true, GEMM(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"peak_frac", JSON_DOUBLE, true, GEMM(peak_frac), 0.01, 1,
        "of the dense peak"},
    {"k_ramp", JSON_DOUBLE, true, GEMM(k_ramp), 0, 1e5,
        "extra elements of k"},
    {"memory_frac", JSON_DOUBLE, true, GEMM(memory_frac), 0.01, 1,
        "of the memory rate"},
    {"wave_q", JSON_DOUBLE, false, GEMM(wave_q), 0, 1,
        "1 = whole waves"},
    {"tile_128_frac", JSON_DOUBLE, false, GEMM(tile_128_frac), 0.01, 2,
        "rate of 128-wide tiles"},
    {"tile_64_frac", JSON_DOUBLE, false, GEMM(tile_64_frac), 0.01, 2,
        "rate of 64-wide tiles"},
    {"p_norm", JSON_DOUBLE, false, GEMM(p_norm), 1, 100,
        "how compute and memory combine"},
    {"error_frac", JSON_DOUBLE, true, GEMM(error_frac), 0, 1,
        "mean error, held out"},
    {"sustained_frac", JSON_DOUBLE, false, GEMM(sustained_frac), 0.1, 1,
        "sustained over burst rate, where it differs"},
    {"expert_ramp", JSON_DOUBLE, false, GEMM(expert_ramp), 0, 1e4,
        "extra rows of each group of a grouped product"},
    {"even_frac", JSON_DOUBLE, false, GEMM(even_frac), 0.01, 1,
        "rate of even sizes that are no multiples of 8"},
    {"odd_frac", JSON_DOUBLE, false, GEMM(odd_frac), 0.01, 1,
        "rate of odd sizes"},
};

static const json_field kernels_fields[] = {
    {"efficient", JSON_ANY, false, 0, 0, 0,
        "memory-efficient attention"},
    {"flash1", JSON_ANY, false, 0, 0, 0,
        "FlashAttention"},
    {"flash2", JSON_ANY, false, 0, 0, 0,
        "FlashAttention-2"},
    {"flash3", JSON_ANY, false, 0, 0, 0,
        "FlashAttention-3"},
    {"cudnn", JSON_ANY, false, 0, 0, 0,
        "cuDNN's fused attention"},
};

#define KERNEL(field) offsetof(p3d_attention_fit, field)
static const json_field kernel_fields[] = {
    {"forward", JSON_ANY, true, 0, 0, 0,
        "forward pass"},
    {"backward", JSON_ANY, true, 0, 0, 0,
        "backward pass"},
    {"sustained", JSON_BOOL, true, KERNEL(sustained), 0, 1,
        "the power limit applies"},
    {"error_frac", JSON_DOUBLE, true, KERNEL(error_frac), 0.001, 1,
        "mean error"},
};

#define CORE(field) offsetof(p3d_attention_pass, field)
static const json_field core_fields[] = {
    {"launch_s", JSON_DOUBLE, true, CORE(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"peak_frac", JSON_ANY, true, 0, 0, 0,
        "of the dense peak, by head size"},
    {"seq_ramp", JSON_DOUBLE, true, CORE(seq_ramp), 0, 1e5,
        "tokens"},
    {"wave_ramp", JSON_DOUBLE, true, CORE(wave_ramp), 0, 100,
        "tiles per multiprocessor"},
};

static const json_field head_size_fields[] = {
    {"64", JSON_DOUBLE, true, 0, 0.001, 1,
        "of the dense peak"},
    {"128", JSON_DOUBLE, true, sizeof(double), 0.001, 1,
        "of the dense peak"},
    {"160", JSON_DOUBLE, false, 2 * sizeof(double), 0.001, 1,
        "of the dense peak, heads of 192 and 128"},
    {"256", JSON_DOUBLE, true, 3 * sizeof(double), 0.001, 1,
        "of the dense peak"},
};
_Static_assert(P3D_COUNT_OF(head_size_fields) == P3D_N_HEAD_SIZES,
        "one field for each head size");

#define PASS(field) offsetof(p3d_pass_fit, field)
static const json_field pass_fields[] = {
    {"hbm_frac", JSON_DOUBLE, true, PASS(hbm_frac), 0.01, 1,
        "of the memory rate"},
    {"launch_s", JSON_DOUBLE, true, PASS(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"error_frac", JSON_DOUBLE, true, PASS(error_frac), 0, 1,
        "mean error"},
};

#define ALL(field) offsetof(collectives, field)
static const json_field collectives_fields[] = {
#define AS_FIELD(name, key, like)                                              \
    {#key, JSON_ANY, (name) == (like), 0, 0, 0, "one collective"},
    P3D_COLLECTIVES(AS_FIELD)
#undef AS_FIELD
    {"nvls_factor", JSON_DOUBLE, false, ALL(nvls_factor), 1, 4,
        "gain of all-reduce in the switch"},
    {"multinode_ramp_s_per_sqrt_byte", JSON_DOUBLE, true,
        ALL(multinode_ramp_s_per_sqrt_byte), 0, 1e-4,
        "between nodes"},
    {"error_frac", JSON_DOUBLE, true, ALL(error_frac), 0, 1,
        "mean error"},
};

#define ONE(field) offsetof(p3d_collective_fit, field)
static const json_field collective_fields[] = {
    {"launch_s", JSON_DOUBLE, true, ONE(launch_s), 0, 1e-2,
        "fixed time of a launch, s"},
    {"step_s", JSON_DOUBLE, true, ONE(step_s), 0, 1e-2,
        "of one step of the ring, s"},
    {"link_frac", JSON_DOUBLE, true, ONE(link_frac), 0.001, 1,
        "of the link's rate"},
    {"ramp_s_per_sqrt_byte", JSON_DOUBLE, true,
        ONE(ramp_s_per_sqrt_byte), 0, 1e-4,
        "slow start"},
};

#define ASSUMED(field) offsetof(p3d_assumed_fit, field)
static const json_field assumed_fields[] = {
    {"fixed_step_s", JSON_DOUBLE, false, ASSUMED(fixed_step_s), 0, 10,
        "of a step: data, logging, synchronization, s"},
    {"overlap_leak_frac", JSON_DOUBLE, false, ASSUMED(overlap_leak_frac), 0, 1,
        "of hidden communication that shows anyway"},
    {"gpu_spread_frac", JSON_DOUBLE, false, ASSUMED(gpu_spread_frac), 0, 0.5,
        "standard deviation of the speed of GPUs"},
};
/* clang-format on */

static const char *const collective_keys[] = {
#define AS_KEY(name, key, like) #key,
        P3D_COLLECTIVES(AS_KEY)
#undef AS_KEY
};

#endif
