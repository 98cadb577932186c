/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abilities.c - the table of what the architecture of a GPU can run, and the
 * attention kernel of a job that follows from it. */
#include "spec/abilities.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

/* AMD's architectures that the tables speak of. */
static const char *const known_amd[] = {"gfx90a", "gfx942", "gfx950"};

/* clang-format off */
#define ALL_OF_AMD "gfx90a, gfx942, gfx950"
#define ANY_HEAD   1024

#define SDPA \
    "pytorch@v2.9 aten/src/ATen/native/transformers/cuda/sdp_utils.cpp"

static const spec_attention_facts kernels[P3D_N_ATTENTIONS] = {
    [P3D_FLASH] = {{"fused attention", 50, 0, ALL_OF_AMD,
        "whatever runs there"}, true, ANY_HEAD, 0},
    [P3D_EAGER] = {{"eager attention", 50, 0, ALL_OF_AMD,
        "GEMMs and a softmax"}, true, ANY_HEAD, 0},
    [P3D_EFFICIENT] = {{"memory-efficient attention", 50, 0, ALL_OF_AMD,
        SDPA " check_mem_efficient_hardware_support (sm50 to sm121; AOTriton)"},
        true, ANY_HEAD, 0},
    [P3D_FLASH_1] = {{"FlashAttention 1", 75, 90, "",
        "Dao-AILab/flash-attention@v1.0.9 README.md:73: Turing to Hopper"},
        false, 128, 0},
    [P3D_FLASH_2] = {{"FlashAttention-2", 80, 0, ALL_OF_AMD,
        "Dao-AILab/flash-attention@0251105 README.md:145, 161; " SDPA
        " check_flash_attention_hardware_support (sm80 to sm121)"},
        false, 256, 0},
    /* Built of instructions that Hopper alone has. */
    [P3D_FLASH_3] = {{"FlashAttention-3", 90, 90, "",
        "Dao-AILab/flash-attention@0251105 README.md:45: H100 and H800; "
        "TransformerEngine@d0067d0d transformer_engine/pytorch/attention/"
        "dot_product_attention/utils.py:576 (!= sm90)"},
        false, 256, 0},
    [P3D_CUDNN] = {{"cuDNN's fused attention", 80, 0, "",
        "docs.nvidia.com/deeplearning/cudnn/frontend operations/Attention; "
        "TransformerEngine@d0067d0d transformer_engine/common/fused_attn/"
        "fused_attn.cpp:299-336 (sm80; heads of 256 on sm90 and sm10x)"},
        false, 256, 128},
    [P3D_FLASH_4] = {{"FlashAttention-4", 90, 0, "",
        "TransformerEngine@d0067d0d transformer_engine/pytorch/attention/"
        "dot_product_attention/utils.py:580 (not sm8x), :994 (heads of 256)"},
        false, 256, 0},
};

static const spec_ability dispatchers[P3D_N_DISPATCHERS] = {
    [P3D_DISPATCH_ALL_TO_ALL] = {"NCCL's all-to-all", 50, 0, ALL_OF_AMD,
        "RCCL on AMD"},
    [P3D_DISPATCH_ALL_GATHER] = {"NCCL's all-gather", 50, 0, ALL_OF_AMD,
        "RCCL on AMD"},
    [P3D_DISPATCH_DEEPEP] = {"DeepEP", 80, 103, "",
        "deepseek-ai/DeepEP@94a9f8f6 README.md:48; Megatron-Bridge "
        "validate_flex_dispatcher_backend()"},
    [P3D_DISPATCH_HYBRIDEP] = {"HybridEP", 90, 103, "",
        "deepseek-ai/DeepEP, branch hybrid-ep, Hybrid-EP_Implementation.md: "
        "tensor memory accelerator, TORCH_CUDA_ARCH_LIST 9.0 and 10.0"},
};

/* On matrix units: what emulates them trains nothing of this size. */
static const spec_ability dtypes[P3D_N_DTYPES] = {
    [P3D_FP32] = {"fp32", 50, 0, ALL_OF_AMD, "every GPU"},
    [P3D_FP16] = {"fp16", 70, 0, ALL_OF_AMD,
        "CUDA C++ Programming Guide, Tensor Cores: sm70"},
    [P3D_BF16] = {"bf16", 80, 0, ALL_OF_AMD,
        "CUDA C++ Programming Guide, Tensor Cores: sm80"},
    [P3D_FP8] = {"fp8", 89, 0, "gfx942, gfx950",
        "TransformerEngine@d0067d0d transformer_engine/pytorch/quantization.py"
        ":154 (sm89); ROCm: CDNA 3 and 4"},
    [P3D_NVFP4] = {"nvfp4", 100, 0, "",
        "TransformerEngine@d0067d0d transformer_engine/pytorch/quantization.py "
        "(_compute_nvfp4_support)"},
};

static const spec_ability grouped = {"grouped products", 80, 0, ALL_OF_AMD,
    "Megatron-LM@d98e8a64 megatron/training/arguments.py:1380"};
/* clang-format on */

const spec_attention_facts *spec_attention_facts_of(p3d_attention attention)
{
    P3D_ASSERT(attention < P3D_N_ATTENTIONS);
    return &kernels[attention];
}

const spec_ability *spec_dispatcher_ability(p3d_dispatcher dispatcher)
{
    P3D_ASSERT(dispatcher < P3D_N_DISPATCHERS);
    return &dispatchers[dispatcher];
}

const spec_ability *spec_dtype_ability(p3d_dtype dtype)
{
    P3D_ASSERT(dtype < P3D_N_DTYPES);
    return &dtypes[dtype];
}

const spec_ability *spec_grouped_ability(void)
{
    return &grouped;
}

static bool is_known_amd(const char *architecture)
{
    for (int i = 0; i < P3D_COUNT_OF(known_amd); i++) {
        if (strcmp(architecture, known_amd[i]) == 0)
            return true;
    }
    return false;
}

bool spec_gpu_runs(const p3d_gpu *gpu, const spec_ability *ability)
{
    const int sm = p3d_gpu_sm(gpu);

    if (sm > 0)
        return ability->first_sm > 0 && sm >= ability->first_sm &&
               (ability->last_sm == 0 || sm <= ability->last_sm);
    return !is_known_amd(gpu->architecture) ||
           strstr(ability->amd, gpu->architecture) != NULL;
}

spec_ability_words spec_gpu_lacks(
        const p3d_gpu *gpu, const spec_ability *ability)
{
    spec_ability_words words;
    char range[32] = " or later";

    if (ability->last_sm == ability->first_sm)
        range[0] = '\0';
    else if (ability->last_sm > 0)
        snprintf(range, sizeof(range), " to sm%d", ability->last_sm);
    snprintf(words.text, sizeof(words.text), "%s needs sm%d%s%s%s; %s is %s",
            ability->title, ability->first_sm, range,
            ability->amd[0] != '\0' ? ", " : "", ability->amd, gpu->name,
            gpu->architecture);
    return words;
}

int spec_attention_max_head(
        const spec_attention_facts *facts, const p3d_gpu *gpu)
{
    const int sm = p3d_gpu_sm(gpu);

    return facts->max_head_else > 0 && sm > 0 && (sm < 90 || sm >= 110)
                   ? facts->max_head_else
                   : facts->max_head;
}

bool spec_attention_runs(p3d_attention attention, const p3d_model *model,
        const p3d_gpu *gpu, const p3d_job *job)
{
    const spec_attention_facts *const facts =
            spec_attention_facts_of(attention);

    return (attention == P3D_FLASH ||
                   (job->framework->kernels >> attention & 1) != 0) &&
           spec_gpu_runs(gpu, &facts->ability) &&
           (facts->fp32 || job->dtype != P3D_FP32) &&
           model->head_dim <= spec_attention_max_head(facts, gpu);
}

p3d_attention spec_usual_attention(
        const p3d_model *model, const p3d_gpu *gpu, const p3d_job *job)
{
    const p3d_attention best[] = {
            job->framework->attention[p3d_gpu_sm(gpu) >= 90 ? 1 : 0],
            P3D_FLASH_2, P3D_EFFICIENT, P3D_EAGER};

    for (int i = 0; i < P3D_COUNT_OF(best); i++) {
        if (spec_attention_runs(best[i], model, gpu, job))
            return best[i];
    }
    return best[0];
}
