/* SPDX-License-Identifier: GPL-3.0-or-later */
/* framework_states.h - bytes per parameter of the states that frameworks keep,
 * by data type and ZeRO stage: a part of the table in framework.c. */
#ifndef PLAN3D_SPEC_FRAMEWORK_STATES_H
#define PLAN3D_SPEC_FRAMEWORK_STATES_H

#include "plan3d/framework.h"

/* States in bytes per parameter; {replicated, sharded} over the data-parallel
 * ranks: weights, gradients, master weights, copies during the step.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/distributed/
 * param_and_grad_buffer.py (weights and fp32 gradients stay whole with the
 * distributed optimizer; fp16 gradients are 16-bit, megatron/training/
 * arguments.py:1215), megatron/core/optimizer/optimizer.py:1097 (their fp32
 * copy for the step) and megatron/core/distributed/fsdp (ZeRO 2, 3);
 * DeepSpeed@5f631abc deepspeed/runtime/zero/{stage_1_and_2.py:2038,
 * stage3.py:499} and DeepSpeed@edaa7221 runtime/bf16_optimizer.py;
 * torchtitan@b5bcd76c distributed/fsdp.py (fp32 shards, gathered in 16 bit);
 * nanotron@67c5ebb6 optim/gradient_accumulator.py:173, parallel/
 * tensor_parallel/distributed.py (weights are gathered through copies);
 * PaddlePaddle/Paddle@v2.5.1 python/paddle/distributed/fleet/meta_parallel/
 * sharding/group_sharded_stage2.py and meta_optimizers/dygraph_optimizer/
 * dygraph_sharding_optimizer.py (a gradient is reduced where it lies, to the
 * rank that holds its states). */
/* clang-format off */
#define STATES(w_r, w_s, g_r, g_s, m_r, m_s, t_r, t_s, from) \
    {.weights = {w_r, w_s}, .gradients = {g_r, g_s}, .master = {m_r, m_s}, \
     .step = {t_r, t_s}, .source = from}

#define MEGATRON_BF16 { \
    STATES(2, 0, 4, 0, 4, 0, 0, 0, "Megatron DistributedDataParallel"), \
    STATES(2, 0, 4, 0, 0, 4, 0, 0, "Megatron --use-distributed-optimizer"), \
    STATES(2, 0, 0, 4, 0, 4, 0, 0, "Megatron-FSDP optim_grads"), \
    STATES(0, 2, 0, 4, 0, 4, 0, 0, "Megatron-FSDP optim_grads_params")}

#define MEGATRON_FP16 { \
    STATES(2, 0, 2, 0, 4, 0, 4, 0, "Megatron DistributedDataParallel, fp16"), \
    STATES(2, 0, 2, 0, 0, 4, 0, 4, "Megatron --use-distributed-optimizer"), \
    STATES(2, 0, 0, 2, 0, 4, 0, 4, "Megatron-FSDP optim_grads"), \
    STATES(0, 2, 0, 2, 0, 4, 0, 4, "Megatron-FSDP optim_grads_params")}

#define NANOTRON_16 { \
    STATES(2, 0, 4, 0, 4, 0, 0, 0, "nanotron, fp32 accumulation"), \
    STATES(2, 0, 4, 0, 0, 4, 4, 2, "nanotron ZeRO-1"), \
    STATES(2, 0, 4, 0, 0, 4, 4, 2, "not offered"), \
    STATES(2, 0, 4, 0, 0, 4, 4, 2, "not offered")}

/* Weights and gradients of one width, without master weights. */
#define ONE_WIDTH(b, from) { \
    STATES(b, 0, b, 0, 0, 0, 0, 0, from), \
    STATES(b, 0, b, 0, 0, 0, 0, 0, from), \
    STATES(b, 0, 0, b, 0, 0, 0, 0, from), \
    STATES(0, b, 0, b, 0, 0, 0, 0, from)}

#define PLAIN_32(from) ONE_WIDTH(4, from)
/* Moments in 16 bit, too. */
#define PURE_16(from) ONE_WIDTH(2, from)

#define DEEPSPEED_16 { \
    STATES(2, 0, 2, 0, 4, 0, 4, 0, "DeepSpeed FP16_Optimizer"), \
    STATES(2, 0, 2, 0, 0, 4, 0, 6, "DeepSpeed ZeRO-1"), \
    STATES(2, 0, 0, 2, 0, 4, 0, 6, "DeepSpeed ZeRO-2"), \
    STATES(0, 2, 0, 2, 0, 4, 0, 6, "DeepSpeed ZeRO-3")}

/* Adam reads the 16-bit gradients (multi_precision). */
#define PADDLE_16 { \
    STATES(2, 0, 2, 0, 4, 0, 0, 0, "Paddle, level O2"), \
    STATES(2, 0, 2, 0, 0, 4, 0, 0, "Paddle, sharding stage 1"), \
    STATES(2, 0, 0, 2, 0, 4, 0, 0, "Paddle, sharding stage 2"), \
    STATES(0, 2, 0, 2, 0, 4, 0, 0, "Paddle, sharding stage 3")}

/* The engine takes BF16_Optimizer (fp32 gradients whole) where gradients are
 * accumulated in fp32, as pipelines need; ZeRO-1 of its own otherwise
 * (runtime/engine.py:1994). */
#define DEEPSPEED_WIDE_GRADIENTS { \
    STATES(2, 0, 6, 0, 4, 0, 0, 0, "DeepSpeed BF16_Optimizer"), \
    STATES(2, 0, 6, 0, 0, 4, 0, 0, "DeepSpeed BF16_Optimizer, ZeRO-1"), \
    STATES(2, 0, 0, 2, 0, 4, 0, 6, "DeepSpeed ZeRO-2"), \
    STATES(0, 2, 0, 4, 0, 4, 0, 6, "DeepSpeed ZeRO-3, fp32 accumulation")}

/* fp32 parameters are the master weights: no second copy of them. ZeRO 0 is
 * replicate-only, ZeRO 2 keeps the gathered weights (reshard_after_forward
 * off), ZeRO 1 does not exist. */
#define FSDP2_16 { \
    STATES(4, 0, 4, 0, 0, 0, 0, 0, "DDP with autocast"), \
    STATES(4, 0, 4, 0, 0, 0, 0, 0, "not offered"), \
    STATES(2, 4, 0, 4, 0, 0, 0, 0, "FSDP2, reshard_after_forward=never"), \
    STATES(0, 4, 0, 4, 0, 0, 0, 0, "FSDP2")}

/* The buckets that are reduced are a second copy of the gradients
 * (gradient_as_bucket_view off). */
#define DDP_16 { \
    STATES(4, 0, 8, 0, 0, 0, 0, 0, "DDP with autocast, buckets apart"), \
    STATES(4, 0, 8, 0, 0, 0, 0, 0, "not offered"), \
    STATES(4, 0, 0, 8, 0, 0, 0, 0, "not offered"), \
    STATES(0, 4, 0, 8, 0, 0, 0, 0, "not offered")}

/* base.yml: weight_dtype and grad_dtype float32, mu_dtype that of the weights;
 * layers/linears.py casts a layer's weights when it uses them;
 * shard_optimizer_over_data. */
#define MAXTEXT_16 { \
    STATES(4, 0, 4, 0, 0, 0, 0, 0, "MaxText, data axis"), \
    STATES(4, 0, 4, 0, 0, 0, 0, 0, "MaxText, shard_optimizer_over_data"), \
    STATES(4, 0, 0, 4, 0, 0, 0, 0, "not offered"), \
    STATES(0, 4, 0, 4, 0, 0, 0, 0, "MaxText, fsdp axis")}

#define FSDP2_PURE_16 { \
    STATES(2, 0, 2, 0, 0, 0, 0, 0, "DDP, weights in 16 bit"), \
    STATES(2, 0, 2, 0, 0, 0, 0, 0, "not offered"), \
    STATES(2, 2, 0, 2, 0, 0, 0, 0, "FSDP2, weights in 16 bit, not resharded"), \
    STATES(0, 2, 0, 2, 0, 0, 0, 0, "FSDP2, weights in 16 bit")}
/* clang-format on */

#endif
