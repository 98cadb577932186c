/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loss.c - implementations of the cross entropy: one row, one of them. */
#include "base/util.h"
#include "plan3d/framework.h"

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
 * for the gradient. */
static const struct {
    const char *name;
    p3d_loss_pass pass;
    p3d_loss_copy copies[MAX_COPIES];
} losses[P3D_N_LOSSES] = {
    [P3D_LOSS_USUAL] = {"usual", {{0}, {0}}, {{0}}},
    [P3D_LOSS_VOCAB_PARALLEL] = {"vocab-parallel", {{38, 14}, {9, 5}}, {
        {"logits", 2, MEGATRON "tensor_parallel/cross_entropy.py:20-95"},
        {"logits in fp32, then their exponentials", 4,
            MEGATRON "tensor_parallel/cross_entropy.py:20-95"}}},
    [P3D_LOSS_VOCAB_PARALLEL_COPY] = {"vocab-parallel-copy",
        {{38, 14}, {9, 5}}, {
        {"logits", 2, "Megatron-LM@core_v0.6.0 megatron/core/tensor_parallel/"
            "cross_entropy.py"},
        {"logits in fp32", 4, "Megatron-LM@core_v0.6.0 megatron/core/"
            "tensor_parallel/cross_entropy.py"},
        {"difference to the largest in fp32", 4, "Megatron-LM@core_v0.6.0 "
            "megatron/core/tensor_parallel/cross_entropy.py"}}},
    [P3D_LOSS_SHARDED_IN_PLACE] = {"sharded-in-place", {{38, 14}, {9, 5}}, {
        {"logits in fp32", 4, "nanotron@a27e8fe8 src/nanotron/parallel/"
            "tensor_parallel/functional.py:44"},
        {"difference to the largest in fp32", 4, "nanotron@a27e8fe8 "
            "src/nanotron/parallel/tensor_parallel/functional.py:74-86"}}},
    [P3D_LOSS_EAGER_KEPT] = {"eager-kept", {{26, 38}, {4, 5}}, {
        {"logits in fp32, held by the model's output", 4,
            "transformers@0022728 modeling_llama.py"},
        {"log-softmax in fp32", 4, PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-likelihood in fp32", 4,
            PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-softmax in fp32", 4,
            PYTORCH "torch/nn/functional.py"}}},
    [P3D_LOSS_NATIVE_FUSED] = {"native-fused", {{26, 6}, {4, 1}}, {
        {"logits", 2, MEGATRON "fusions/fused_cross_entropy.py:47-82"},
        {"logits in fp32", 4, MEGATRON "fusions/fused_cross_entropy.py:47-82"},
        {"exponentials in fp32", 4,
            MEGATRON "fusions/fused_cross_entropy.py:47-82"}}},
    [P3D_LOSS_TE_FUSED] = {"te-fused", {{6, 4}, {2, 1}}, {
        {"logits, then their gradient", 2,
            "TransformerEngine@d0067d0d pytorch/cross_entropy.py"}}},
    [P3D_LOSS_EAGER] = {"eager", {{18, 30}, {3, 4}}, {
        {"log-softmax in fp32", 4, PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-likelihood in fp32", 4,
            PYTORCH "torch/nn/functional.py"},
        {"gradient of the log-softmax in fp32", 4,
            PYTORCH "torch/nn/functional.py"}}},
    [P3D_LOSS_COMPILED] = {"compiled", {{4, 4}, {2, 1}}, {
        {"logits", 2, PYTORCH "torch/_inductor"},
        {"gradient of the logits", 2, PYTORCH "torch/_inductor"}}},
    [P3D_LOSS_CHUNKED] = {"chunked", {{4, 4}, {16, 8}}, {
        {"logits", 2, "torchtune@1814feb17 torchtune/modules/loss/"
            "ce_chunked_output_loss.py"},
        {"gradient of the logits", 2, "torchtune@1814feb17 torchtune/modules/"
            "loss/ce_chunked_output_loss.py"}}},
    [P3D_LOSS_LIGER] = {"liger", {{6, 0}, {16, 0}}, {
        {"logits of a chunk", 2, LIGER}, {"the same in fp32", 4, LIGER}}},
    [P3D_LOSS_FLASH] = {"flash", {{2, 4}, {1, 1}}, {
        {"logits", 2, FLASH}, {"gradient of the logits", 2, FLASH}}},
    [P3D_LOSS_FLASH_WIDE] = {"flash-fp32", {{10, 14}, {2, 2}}, {
        {"logits", 2, FLASH},
        {"logits in fp32, then their gradient", 4, FLASH}}},
    [P3D_LOSS_SHARDED_EAGER] = {"sharded-eager", {{38, 34}, {8, 7}}, {
        {"log-softmax in fp32", 4,
            PYTORCH "torch/distributed/tensor/parallel/loss.py"},
        {"gradient of the log-likelihood in fp32", 4,
            PYTORCH "torch/distributed/tensor/parallel/loss.py"},
        {"exponentials in fp32", 4,
            PYTORCH "torch/distributed/tensor/parallel/loss.py"},
        {"gradient of the log-softmax in fp32", 4,
            PYTORCH "torch/distributed/tensor/parallel/loss.py"}}},
};
/* clang-format on */

const char *p3d_loss_name(p3d_loss loss)
{
    if ((unsigned)loss >= P3D_N_LOSSES)
        return "";
    return losses[loss].name;
}

const p3d_loss_pass *p3d_loss_passes(p3d_loss loss)
{
    static const p3d_loss_pass none;

    if (loss == P3D_LOSS_USUAL || (unsigned)loss >= P3D_N_LOSSES)
        return &none;
    return &losses[loss].pass;
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

/* Of [16-bit logits][fp32 copy][log-softmax] the first two are freed; the hole
 * of 6 bytes takes one gradient of 4. */
double p3d_loss_hole_bytes(p3d_loss loss)
{
    return loss == P3D_LOSS_EAGER || loss == P3D_LOSS_SHARDED_EAGER ? 2 : 0;
}

bool p3d_loss_is_chunked(p3d_loss loss)
{
    return loss == P3D_LOSS_LIGER;
}
