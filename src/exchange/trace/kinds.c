/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.c - what a kernel does, by its name. */
#include "base/ascii.h"
#include "base/util.h"
#include "exchange/trace/trace.h"

/* Names of kernels have their template arguments, which repeat themselves: what
 * a kernel is stands before. */
enum { MOST_LOOKED_AT = 200 };

/* Does the word, in small letters, stand in the name? */
static bool has(json_slice name, const char *word)
{
    const size_t n = name.n < MOST_LOOKED_AT ? name.n : MOST_LOOKED_AT;

    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (word[k] != '\0' && i + k < n &&
                p3d_lower(name.text[i + k]) == word[k])
            k++;
        if (word[k] == '\0')
            return true;
    }
    return false;
}

/* A kind, and a word that its kernels have in their names; the first row that
 * fits counts. Sources: NVIDIA/nccl src/device (ncclDevKernel_AllReduce_...,
 * until 2.18 ncclKernel_...); ROCm/rccl (ncclDevKernel_Generic);
 * pytorch/pytorch torch/csrc/distributed/c10d/CUDASymmetricMemoryOps.cu
 * (multimem_, one_shot_,
 * two_shot_); deepseek-ai/DeepEP csrc/kernels (dispatch, combine);
 * Dao-AILab/flash-attention and cuDNN (flash, sdpa, fmha); cuBLAS, CUTLASS and
 * cuBLASLt (gemm, xmma, nvjet, splitK), ROCm/Tensile (Cijk_);
 * aten/src/ATen/native/cuda (multi_tensor_apply, fused Adam). */
typedef struct kind_row {
    const char *word;
    int kind;
} kind_row;

static const kind_row collectives[] = {
        {"allreduce", P3D_TRACED_ALL_REDUCE},
        {"allgather", P3D_TRACED_ALL_GATHER},
        {"reducescatter", P3D_TRACED_REDUCE_SCATTER},
        {"alltoall", P3D_TRACED_ALL_TO_ALL},
        {"broadcast", P3D_TRACED_BROADCAST},
        {"sendrecv", P3D_TRACED_SEND_RECV},
        {"reduce", P3D_TRACED_ALL_REDUCE},
};

static const kind_row kernels[] = {
        {"all_reduce_kernel", P3D_TRACED_ALL_REDUCE},
        {"one_shot_all_reduce", P3D_TRACED_ALL_REDUCE},
        {"two_shot_all_reduce", P3D_TRACED_ALL_REDUCE},
        {"deep_ep", P3D_TRACED_ALL_TO_ALL},
        {"flash", P3D_TRACED_ATTENTION},
        {"fmha", P3D_TRACED_ATTENTION},
        {"sdpa", P3D_TRACED_ATTENTION},
        {"attention", P3D_TRACED_ATTENTION},
        {"attn_", P3D_TRACED_ATTENTION},
        {"adam", P3D_TRACED_OPTIMIZER},
        {"multi_tensor_apply", P3D_TRACED_OPTIMIZER},
        {"gemm", P3D_TRACED_GEMM},
        {"gemv", P3D_TRACED_GEMM},
        {"nvjet", P3D_TRACED_GEMM},
        {"cijk_", P3D_TRACED_GEMM},
        {"xmma", P3D_TRACED_GEMM},
        {"cutlass", P3D_TRACED_GEMM},
        {"splitk", P3D_TRACED_GEMM},
        {"memcpy hto", P3D_TRACED_COPY},
        {"memcpy dtoh", P3D_TRACED_COPY},
        {"memcpy ptop", P3D_TRACED_SEND_RECV},
};

static int find(const kind_row *rows, int n, json_slice name, int otherwise)
{
    for (int i = 0; i < n; i++)
        if (has(name, rows[i].word))
            return rows[i].kind;
    return otherwise;
}

p3d_traced trace_kind_of(json_slice name)
{
    if (has(name, "nccl") || has(name, "rccl"))
        return (p3d_traced)find(collectives, P3D_COUNT_OF(collectives), name,
                P3D_TRACED_SEND_RECV);
    return (p3d_traced)find(
            kernels, P3D_COUNT_OF(kernels), name, P3D_TRACED_PASS);
}

/* cuBLAS writes how its factors lie, by columns: "_tn_", and nvjet in capitals
 * at its end, with the result's: "_TNT". */
int trace_layout_of(json_slice name)
{
    static const kind_row rows[] = {{"_tn_", P3D_LAYOUT_FORWARD},
            {"_tnt", P3D_LAYOUT_FORWARD}, {"_tnn", P3D_LAYOUT_FORWARD},
            {"_nn_", P3D_LAYOUT_DGRAD}, {"_nnt", P3D_LAYOUT_DGRAD},
            {"_nnn", P3D_LAYOUT_DGRAD}, {"_nt_", P3D_LAYOUT_WGRAD},
            {"_ntt", P3D_LAYOUT_WGRAD}, {"_ntn", P3D_LAYOUT_WGRAD}};

    return find(rows, P3D_COUNT_OF(rows), name, -1);
}

bool trace_is_tf32(json_slice name)
{
    return has(name, "tf32") || has(name, "s1688");
}

/* Sources: pytorch/pytorch torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp,
 * the words of its calls of RECORD_PARAM_COMMS. */
int trace_op_of(json_slice word)
{
    static const kind_row rows[] = {
            {"allreduce", P3D_OP_ALL_REDUCE},
            {"all_reduce", P3D_OP_ALL_REDUCE},
            {"allgather", P3D_OP_ALL_GATHER},
            {"all_gather", P3D_OP_ALL_GATHER},
            {"reduce_scatter", P3D_OP_REDUCE_SCATTER},
            {"all_to_all", P3D_OP_ALL_TO_ALL},
            {"alltoall", P3D_OP_ALL_TO_ALL},
            {"broadcast", P3D_OP_BROADCAST},
            {"send", P3D_OP_SEND_RECV},
            {"recv", P3D_OP_SEND_RECV},
    };

    return find(rows, P3D_COUNT_OF(rows), word, -1);
}

int trace_kind_of_op(int op, int otherwise)
{
    static const int kinds[P3D_N_MEASURED_OPS] = {
            [P3D_OP_ALL_REDUCE] = P3D_TRACED_ALL_REDUCE,
            [P3D_OP_ALL_GATHER] = P3D_TRACED_ALL_GATHER,
            [P3D_OP_REDUCE_SCATTER] = P3D_TRACED_REDUCE_SCATTER,
            [P3D_OP_ALL_TO_ALL] = P3D_TRACED_ALL_TO_ALL,
            [P3D_OP_BROADCAST] = P3D_TRACED_BROADCAST,
            [P3D_OP_SEND_RECV] = P3D_TRACED_SEND_RECV};

    return op >= 0 ? kinds[op] : otherwise;
}
