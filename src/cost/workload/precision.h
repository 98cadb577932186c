/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precision.h - bytes of values that are cast for products in fewer than 16
 * bits. Of jobs in 16 or 32 bits nothing is cast. */
#ifndef PLAN3D_COST_WORKLOAD_PRECISION_H
#define PLAN3D_COST_WORKLOAD_PRECISION_H

#include "plan3d/job.h"

/** Where an operand comes from, which may have done a part of the cast. */
typedef enum cost_operand {
    COST_INPUT,         /* of a product, from any kernel */
    COST_INPUT_OF_NORM, /* from a norm right before it */
    COST_GRADIENT,      /* of the result */
    COST_WEIGHT
} cost_operand;

/** Bytes that casts of one value move, forward and backward. */
typedef struct cost_cast {
    double bytes[2];
} cost_cast;

/** Kernels of a cast of one tensor. Source: TransformerEngine@0064fbd6
 *  transformer_engine/pytorch/csrc/quantizer.cpp
 *  (Float8CurrentScalingQuantizer::quantize_impl). */
int cost_cast_kernels(const p3d_job *job, cost_operand operand);

/** True where one kernel casts the tensors of all experts: of delayed scaling
 *  alone. Source: TransformerEngine@006b3360 transformer_engine/pytorch/csrc/
 *  extensions/cast.cpp (multi_tensor_quantize_impl). */
bool cost_casts_together(const p3d_job *job);

/** @param frozen  the weights of the product are: no third product takes a
 *                 second layout */
cost_cast cost_cast_of(const p3d_job *job, cost_operand operand, bool frozen);

/** Layouts of an operand that the three products of a weight take: 1 or 2. */
int cost_layouts(const p3d_job *job);

/** Bytes per parameter of one layout of a weight, with its scales. */
double cost_layout_bytes(const p3d_job *job);

/** Bytes per element of an input that a product with weights keeps:
 *  Transformer Engine the layout that its backward takes, torchao the original.
 *
 *  Source: TransformerEngine@d0067d0d transformer_engine/pytorch/module/
 *  linear.py; pytorch/ao@36027d8 torchao/float8/float8_linear.py. */
double cost_kept_input_bytes(const p3d_job *job);

/** True where torchao casts, within torch.compile: what it does not keep it
 *  casts again. */
bool cost_casts_again(const p3d_job *job);

/** Bytes of a gradient as it is added up and reduced: fp32, or what the
 *  framework's states say of fp16, where the job does not say it.
 *
 *  Source: Megatron-LM@d98e8a64 megatron/training/arguments.py:1215
 *  (accumulate_allreduce_grads_in_fp32 with bf16 alone); DeepSpeed@5f631abc
 *  deepspeed/runtime/engine.py:1405-1416 (communication_data_type). Tested:
 *  tests/unit/test_data_parallel.c, tests/unit/test_gemm.c */
double cost_gradient_bytes(const p3d_job *job);

/** Whether fp32 weights run under PyTorch's autocast: their matrices are cast
 *  to 16 bit, the residual stream is in fp32. */
bool cost_autocasts(const p3d_job *job);

#endif
