/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - what is known of modules, optimizers, losses and schedules, and how
 * a training is run where nothing was said about it. */
#include <stddef.h>

#include "base/util.h"
#include "plan3d/framework.h"
#include "plan3d/job.h"
#include "plan3d/plan.h"
#include "plan3d/training.h"
#include "spec/legality.h"

/* Source: Megatron-LM@d98e8a64 megatron/training/arguments.py
 * (--recompute-modules); kwai/Megatron-Kwai@b2646e4 (the activation alone);
 * torchtitan@9dec370 torchtitan/parallelisms/parallelize_llama.py ("op"). */
const char *p3d_module_name(int i)
{
    static const char *const names[P3D_N_MODULES] = {"core_attn", "mla_up_proj",
            "layernorm", "mlp", "mlp_act", "moe", "moe_act", "shared_experts",
            "op"};

    return P3D_HAS(names, i) ? names[i] : NULL;
}

/* Bytes per parameter of blockwise 8-bit moments: a byte and an fp32 scale for
 * 256 parameters each. Source: bitsandbytes@0.45 bitsandbytes/optim/
 * optimizer.py (blocksize 256). */
#define MOMENT_8BIT (1 + 4.0 / 256)

/* clang-format off */
static const p3d_optimizer_facts optimizer_rows[P3D_N_OPTIMIZERS] = {
    [P3D_ADAM] = {.name = "adam", .title = "Adam, AdamW",
        .moments = 2, .moment_bytes = 4, .other_moments = 2,
        .other_moment_bytes = 4, .source = "arXiv:1412.6980"},
    [P3D_SGD] = {.name = "sgd", .title = "SGD with momentum",
        .moments = 1, .moment_bytes = 4, .other_moments = 1,
        .other_moment_bytes = 4, .source = "pytorch torch/optim/sgd.py"},
    [P3D_ADAM_8BIT] = {.name = "adam-8bit", .title = "AdamW with 8-bit moments",
        .moments = 2, .moment_bytes = MOMENT_8BIT, .other_moments = 2,
        .other_moment_bytes = MOMENT_8BIT, .source = "arXiv:2110.02861"},
    [P3D_ADAFACTOR] = {.name = "adafactor",
        .title = "Adafactor without first moment",
        .factored = true, .other_moments = 1, .other_moment_bytes = 4,
        .source = "arXiv:1804.04235"},
    [P3D_LION] = {.name = "lion", .title = "Lion",
        .moments = 1, .moment_bytes = 4, .other_moments = 1,
        .other_moment_bytes = 4, .source = "arXiv:2302.06675"},
    [P3D_MUON] = {.name = "muon",
        .title = "Muon for matrices of layers, Adam for the rest",
        .moments = 1, .moment_bytes = 4, .other_moments = 2,
        .other_moment_bytes = 4,
        .source = "Megatron-LM@d98e8a64 megatron/core/optimizer/"
                  "emerging_optimizers.py:140"},
};
/* clang-format on */

const p3d_optimizer_facts *p3d_optimizer_of(p3d_optimizer optimizer)
{
    static const p3d_optimizer_facts none = {.name = "", .title = ""};

    if ((unsigned)optimizer >= P3D_N_OPTIMIZERS)
        return &none;
    return &optimizer_rows[optimizer];
}

#define MEGATRON "Megatron-LM@d98e8a64 megatron/core/"
#define PYTORCH  "pytorch@02eef6b8 "

#define LIGER \
    "linkedin/Liger-Kernel src/liger_kernel/ops/fused_linear_cross_entropy.py"

#define FLASH \
    "Dao-AILab/flash-attention@0251105 flash_attn/losses/cross_entropy.py"

enum { MAX_COPIES = 4 };

/* clang-format off */
/* Passes are counted per operation, each tensor read or written once: of
 * Megatron-LM's loss the cast (2 + 4), the maximum (4), the difference (8), the
 * exponential (8), its sum (4) and the division (8); backward the product (8)
 * and the cast (4 + 2). PyTorch's log-softmax reads its input twice (12 bytes
 * in fp32; 11.9 measured on A100 by linkedin/Liger-Kernel@ead96b6 benchmark/
 * data), its gradient zeroes and fills one tensor and reads two twice (24).
 * Compiled and fused kernels read the 16-bit logits once for the sum and once
 * for the gradient.
 *
 * The second of two columns is of a run in fp32, where the casts do nothing
 * (Tensor.float() gives its own tensor back): no pass, no copy, no kernel; what
 * is in 16 bit otherwise takes twice the bytes, and what is in fp32 as many.
 * Copies of 0 bytes are the logits themselves. */
static const struct {
    const char *name;
    p3d_loss_pass pass[2];
    p3d_loss_copy copies[MAX_COPIES];
} losses[P3D_N_LOSSES] = {
    [P3D_LOSS_USUAL] = {"usual", {{{0}, {0}}}, {{0}}},
    [P3D_LOSS_VOCAB_PARALLEL] = {"vocab-parallel",
        {{{38, 14}, {9, 5}}, {{32, 8}, {8, 4}}}, {
        {"logits", {2, 0}, MEGATRON "tensor_parallel/cross_entropy.py:20-95"},
        {"logits in fp32, then their exponentials", {4, 4},
            MEGATRON "tensor_parallel/cross_entropy.py:20-95"}}},
    [P3D_LOSS_VOCAB_PARALLEL_COPY] = {"vocab-parallel-copy",
        {{{38, 14}, {9, 5}}, {{32, 8}, {8, 4}}}, {
        {"logits", {2, 0}, "Megatron-LM@core_v0.6.0 megatron/core/"
            "tensor_parallel/cross_entropy.py"},
        {"logits in fp32", {4, 4}, "Megatron-LM@core_v0.6.0 megatron/core/"
            "tensor_parallel/cross_entropy.py"},
        {"difference to the largest in fp32", {4, 4}, "Megatron-LM@core_v0.6.0 "
            "megatron/core/tensor_parallel/cross_entropy.py"}}},
    [P3D_LOSS_SHARDED_IN_PLACE] = {"sharded-in-place",
        {{{38, 14}, {9, 5}}, {{32, 8}, {8, 4}}}, {
        {"logits in fp32", {4, 4}, "nanotron@a27e8fe8 src/nanotron/parallel/"
            "tensor_parallel/functional.py:44"},
        {"difference to the largest in fp32", {4, 4}, "nanotron@a27e8fe8 "
            "src/nanotron/parallel/tensor_parallel/functional.py:74-86"}}},
    [P3D_LOSS_EAGER_KEPT] = {"eager-kept",
        {{{26, 38}, {4, 5}}, {{20, 32}, {3, 4}}}, {
        {"logits in fp32, held by the model's output", {4, 4},
            "transformers@0022728 modeling_llama.py"},
        {"log-softmax in fp32", {4, 4}, PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-likelihood in fp32", {4, 4},
            PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-softmax in fp32", {4, 4},
            PYTORCH "torch/nn/functional.py"}}},
    [P3D_LOSS_NATIVE_FUSED] = {"native-fused",
        {{{26, 6}, {4, 1}}, {{24, 8}, {4, 1}}}, {
        {"logits", {2, 0}, MEGATRON "fusions/fused_cross_entropy.py:47-82"},
        {"logits in fp32", {4, 4},
            MEGATRON "fusions/fused_cross_entropy.py:47-82"},
        {"exponentials in fp32", {4, 4},
            MEGATRON "fusions/fused_cross_entropy.py:47-82"}}},
    [P3D_LOSS_TE_FUSED] = {"te-fused",
        {{{6, 4}, {2, 1}}, {{12, 8}, {2, 1}}}, {
        {"logits, then their gradient", {2, 4},
            "TransformerEngine@d0067d0d pytorch/cross_entropy.py"}}},
    [P3D_LOSS_EAGER] = {"eager",
        {{{18, 30}, {3, 4}}, {{12, 24}, {2, 3}}}, {
        {"log-softmax in fp32", {4, 4}, PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-likelihood in fp32", {4, 4},
            PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-softmax in fp32", {4, 4},
            PYTORCH "torch/nn/functional.py"}}},
    [P3D_LOSS_COMPILED] = {"compiled",
        {{{4, 4}, {2, 1}}, {{8, 8}, {2, 1}}}, {
        {"logits", {2, 4}, PYTORCH "torch/_inductor"},
        {"gradient of the logits", {2, 4}, PYTORCH "torch/_inductor"}}},
    [P3D_LOSS_CHUNKED] = {"chunked",
        {{{4, 4}, {16, 8}}, {{8, 8}, {16, 8}}}, {
        {"logits", {2, 4}, "torchtune@1814feb17 torchtune/modules/loss/"
            "ce_chunked_output_loss.py"},
        {"gradient of the logits", {2, 4}, "torchtune@1814feb17 torchtune/"
            "modules/loss/ce_chunked_output_loss.py"}}},
    [P3D_LOSS_LIGER] = {"liger",
        {{{6, 0}, {16, 0}}, {{12, 0}, {16, 0}}}, {
        {"logits of a chunk", {2, 4}, LIGER},
        {"the same in fp32", {4, 0}, LIGER}}},
    [P3D_LOSS_FLASH] = {"flash",
        {{{2, 4}, {1, 1}}, {{4, 8}, {1, 1}}}, {
        {"logits", {2, 4}, FLASH}, {"gradient of the logits", {2, 4}, FLASH}}},
    [P3D_LOSS_FLASH_WIDE] = {"flash-fp32",
        {{{10, 14}, {2, 2}}, {{4, 8}, {1, 1}}}, {
        {"logits", {2, 0}, FLASH},
        {"logits in fp32, then their gradient", {4, 4}, FLASH}}},
    [P3D_LOSS_SHARDED_EAGER] = {"sharded-eager",
        {{{38, 34}, {8, 7}}, {{32, 28}, {7, 6}}}, {
        {"log-softmax in fp32", {4, 4},
            PYTORCH "torch/distributed/tensor/parallel/loss.py"},
        {"gradient of the log-likelihood in fp32", {4, 4},
            PYTORCH "torch/distributed/tensor/parallel/loss.py"},
        {"exponentials in fp32", {4, 4},
            PYTORCH "torch/distributed/tensor/parallel/loss.py"},
        {"gradient of the log-softmax in fp32", {4, 4},
            PYTORCH "torch/distributed/tensor/parallel/loss.py"}}},
};
/* clang-format on */

const char *p3d_loss_name(p3d_loss loss)
{
    if ((unsigned)loss >= P3D_N_LOSSES)
        return "";
    return losses[loss].name;
}

/** Column of a run in this type. */
static int column_of(p3d_dtype dtype)
{
    return dtype == P3D_FP32 ? 1 : 0;
}

const p3d_loss_pass *p3d_loss_passes(p3d_loss loss, p3d_dtype dtype)
{
    static const p3d_loss_pass none;

    if (loss == P3D_LOSS_USUAL || (unsigned)loss >= P3D_N_LOSSES)
        return &none;
    return &losses[loss].pass[column_of(dtype)];
}

const p3d_loss_copy *p3d_loss_copies(p3d_loss loss, int *n)
{
    if (n == NULL)
        return NULL;
    *n = 0;
    if (loss == P3D_LOSS_USUAL || (unsigned)loss >= P3D_N_LOSSES)
        return NULL;
    while (*n < MAX_COPIES && losses[loss].copies[*n].name != NULL)
        ++*n;
    return losses[loss].copies;
}

double p3d_loss_copy_bytes(const p3d_loss_copy *copy, p3d_dtype dtype)
{
    return copy == NULL ? 0 : copy->bytes_per_logit[column_of(dtype)];
}

/* Of [16-bit logits][fp32 copy][log-softmax] the first two are freed; the hole
 * of 6 bytes takes one gradient of 4. In fp32 there is no copy, and the
 * gradient fits. */
double p3d_loss_hole_bytes(p3d_loss loss, p3d_dtype dtype)
{
    const bool leaves =
            loss == P3D_LOSS_EAGER || loss == P3D_LOSS_SHARDED_EAGER;

    return leaves && dtype != P3D_FP32 ? 2 : 0;
}

bool p3d_loss_is_chunked(p3d_loss loss)
{
    return loss == P3D_LOSS_LIGER;
}

typedef struct schedule_facts {
    int chunks;
    int per_rank;
    int plus;
    bool splits_backward;
    bool asynchronous;
    bool searched;
} schedule_facts;

static const schedule_facts *schedule_of(p3d_schedule schedule)
{
    static const schedule_facts none = {.asynchronous = true};
    static const schedule_facts rows[P3D_N_SCHEDULES] = {
#define AS_FACTS(name, word, chunks, a, b, splits, late, searched) \
    {chunks, a, b, splits, late, searched},
            P3D_SCHEDULES(AS_FACTS)
#undef AS_FACTS
    };

    return (unsigned)schedule < P3D_N_SCHEDULES ? &rows[schedule] : &none;
}

int p3d_schedule_chunks(p3d_schedule schedule)
{
    return schedule_of(schedule)->chunks;
}

int64_t p3d_schedule_min_micro_batches(p3d_schedule schedule, int pp)
{
    const schedule_facts *const facts = schedule_of(schedule);

    return (int64_t)facts->per_rank * pp + facts->plus;
}

bool p3d_schedule_splits_backward(p3d_schedule schedule)
{
    return schedule_of(schedule)->splits_backward;
}

bool p3d_schedule_flushes(p3d_schedule schedule)
{
    return !schedule_of(schedule)->asynchronous;
}

bool spec_schedule_searched(p3d_schedule schedule)
{
    return schedule_of(schedule)->searched;
}

bool p3d_schedule_offered(p3d_schedule schedule, const p3d_framework *framework)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES || framework == NULL)
        return false;
    return (framework->schedules >> schedule & 1) != 0;
}

int64_t p3d_plan_n_micro_batches(const p3d_plan *plan, const p3d_job *job)
{
    if (plan == NULL || plan->dp < 1 || plan->micro_batch < 1 || job == NULL)
        return 0;
    return job->global_batch / ((int64_t)plan->dp * plan->micro_batch);
}

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
