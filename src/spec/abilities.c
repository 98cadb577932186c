/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abilities.c - the table of what the architecture of a GPU can run, and what
 * of a job follows from it: its attention kernel, and how the operands of its
 * products are scaled and stored, by a table of recipes. */
#include "spec/abilities.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

/* The architectures of others than NVIDIA that the tables speak of. */
static const char *const known_others[] = {"gfx90a", "gfx942", "gfx950",
        "ascend910b", "ascend910c", "gaudi2", "gaudi3", "tpu-v4", "tpu-v5e",
        "tpu-v5p", "tpu-v6e", "tpu-v7x"};

/* clang-format off */
#define ALL_OF_AMD "gfx90a, gfx942, gfx950"
#define ALL_OTHERS ALL_OF_AMD ", ascend910b, ascend910c, gaudi2, gaudi3"
#define ALL_OF_TPU "tpu-v4, tpu-v5e, tpu-v5p, tpu-v6e, tpu-v7x"
#define WITH_TPU   ALL_OTHERS ", " ALL_OF_TPU
#define FP8_OTHERS "gfx942, gfx950, gaudi2, gaudi3"
#define ANY_HEAD   1024

#define SDPA \
    "pytorch@v2.9 aten/src/ATen/native/transformers/cuda/sdp_utils.cpp"

static const spec_attention_facts kernels[P3D_N_ATTENTIONS] = {
    [P3D_FLASH] = {{"fused attention", 50, 0, WITH_TPU,
        "whatever runs there"}, true, ANY_HEAD, 0},
    [P3D_EAGER] = {{"eager attention", 50, 0, WITH_TPU,
        "GEMMs and a softmax"}, true, ANY_HEAD, 0},
    [P3D_EFFICIENT] = {{"memory-efficient attention", 50, 0, ALL_OF_AMD,
        SDPA " check_mem_efficient_hardware_support (sm50 to sm121; AOTriton)"},
        true, ANY_HEAD, 0},
    [P3D_FLASH_1] = {{"FlashAttention 1", 75, 90, "",
        "Dao-AILab/flash-attention@v1.0.9 README.md:73: Turing to Hopper"},
        false, 128, 0},
    /* On Ascend npu_fusion_attention stands for it, on Gaudi FusedSDPA, on TPU
     * the splash attention of JAX. */
    [P3D_FLASH_2] = {{"FlashAttention-2", 80, 0, WITH_TPU,
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
    [P3D_DISPATCH_ALL_TO_ALL] = {"NCCL's all-to-all", 50, 0, WITH_TPU,
        "RCCL on AMD, HCCL on Ascend and Gaudi, XLA on TPU"},
    [P3D_DISPATCH_ALL_GATHER] = {"NCCL's all-gather", 50, 0, WITH_TPU,
        "RCCL on AMD, HCCL on Ascend and Gaudi, XLA on TPU"},
    [P3D_DISPATCH_2DH] = {"Tutel's hierarchical all-to-all", 50, 0, ALL_OF_AMD,
        "microsoft/tutel@82af7aad tutel/custom/custom_kernel.cpp (NCCL)"},
    [P3D_DISPATCH_DEEPEP] = {"DeepEP", 80, 103, "",
        "deepseek-ai/DeepEP@94a9f8f6 README.md:48; Megatron-Bridge "
        "validate_flex_dispatcher_backend()"},
    [P3D_DISPATCH_HYBRIDEP] = {"HybridEP", 90, 103, "",
        "deepseek-ai/DeepEP, branch hybrid-ep, Hybrid-EP_Implementation.md: "
        "tensor memory accelerator, TORCH_CUDA_ARCH_LIST 9.0 and 10.0"},
};

/* On matrix units: what emulates them trains nothing of this size. Those of a
 * TPU take bf16. */
static const spec_ability dtypes[P3D_N_DTYPES] = {
    [P3D_FP32] = {"fp32", 50, 0, ALL_OTHERS, "every GPU"},
    [P3D_FP16] = {"fp16", 70, 0, ALL_OTHERS,
        "CUDA C++ Programming Guide, Tensor Cores: sm70"},
    [P3D_BF16] = {"bf16", 80, 0, WITH_TPU,
        "CUDA C++ Programming Guide, Tensor Cores: sm80"},
    [P3D_FP8] = {"fp8", 89, 0, FP8_OTHERS,
        "TransformerEngine@d0067d0d transformer_engine/pytorch/quantization.py"
        ":154 (sm89); ROCm: CDNA 3 and 4; stas00/ml-engineering@744d01e1 "
        "compute/accelerator/README.md (Gaudi)"},
    [P3D_NVFP4] = {"nvfp4", 100, 0, "",
        "TransformerEngine@d0067d0d transformer_engine/pytorch/quantization.py "
        "(_compute_nvfp4_support)"},
};

static const spec_ability grouped = {"grouped products", 80, 0, WITH_TPU,
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

static bool is_known_other(const char *architecture)
{
    for (int i = 0; i < P3D_COUNT_OF(known_others); i++) {
        if (strcmp(architecture, known_others[i]) == 0)
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
    return !is_known_other(gpu->architecture) ||
           strstr(ability->others, gpu->architecture) != NULL;
}

spec_ability_words spec_gpu_lacks(
        const p3d_gpu *gpu, const spec_ability *ability)
{
    spec_ability_words words;
    /* What else runs it is no help with a GPU of NVIDIA. */
    const char *const others = p3d_gpu_sm(gpu) > 0 ? "" : ability->others;
    char range[32] = " or later";

    if (ability->last_sm == ability->first_sm)
        range[0] = '\0';
    else if (ability->last_sm > 0)
        snprintf(range, sizeof(range), " to sm%d", ability->last_sm);
    snprintf(words.text, sizeof(words.text), "%s needs sm%d%s%s%s; %s is %s",
            ability->title, ability->first_sm, range,
            others[0] != '\0' ? ", " : "", others, gpu->name,
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

/** On AMD what PyTorch calls is AOTriton, whichever kernel it asks for; the
 *  package flash-attn and Transformer Engine call composable kernels there.
 *  Source: pytorch@v2.9 aten/src/ATen/native/transformers/hip/flash_attn,
 *  Dao-AILab/flash-attention@0251105 README.md:161 (ROCm, CK backend). */
static p3d_attention own_attention(const p3d_gpu *gpu, const p3d_framework *fw)
{
    const int sm = p3d_gpu_sm(gpu);

    if (strncmp(gpu->architecture, "gfx", 3) == 0 &&
            (fw->kernels >> P3D_EFFICIENT & 1) != 0)
        return P3D_EFFICIENT;
    if (fw->sdpa_cudnn_since > 0 && sm >= 90 && sm < 110)
        return P3D_CUDNN;
    return fw->attention[sm >= 90 ? 1 : 0];
}

p3d_attention spec_usual_attention(
        const p3d_model *model, const p3d_gpu *gpu, const p3d_job *job)
{
    const p3d_attention best[] = {own_attention(gpu, job->framework),
            P3D_FLASH_2, P3D_EFFICIENT, P3D_EAGER};

    for (int i = 0; i < P3D_COUNT_OF(best); i++) {
        if (spec_attention_runs(best[i], model, gpu, job))
            return best[i];
    }
    return best[0];
}

#define TE_RECIPES \
    "TransformerEngine@d0067d0d transformer_engine/common/recipe/__init__.py"

/* clang-format off */
#define BITS_8 .data_bytes = 1, .sm90_rate_frac = 1

/* Where the kernels of a recipe run: TransformerEngine@d0067d0d
 * transformer_engine/pytorch/quantization.py (_compute_fp8_support and below);
 * pytorch/ao@36027d8 torchao/float8/README.md (rowwise: sm90 and MI300). */
static const struct {
    const char *name;
    spec_ability ability;
    p3d_precision facts;
} recipes[P3D_N_FP8_RECIPES] = {
    [P3D_FP8_USUAL] = {"", {"fp8", 89, 0, FP8_OTHERS, ""}, {.title = ""}},
    /* The cast takes the scale of steps before, so norms write fp8 at once:
     * transformer_engine/pytorch/csrc/extensions/normalization.cpp. */
    [P3D_FP8_DELAYED] = {"delayed",
        {"fp8 by delayed scaling", 89, 0, FP8_OTHERS, TE_RECIPES},
        {.title = "delayed scaling, a scale a tensor", BITS_8,
            .by_tensor = true, .norm_casts = true, .source = TE_RECIPES}},
    [P3D_FP8_CURRENT] = {"current",
        {"fp8 by current scaling", 89, 0, FP8_OTHERS, TE_RECIPES},
        {.title = "current scaling, a scale a tensor", BITS_8,
            .finds_largest = true, .by_tensor = true, .norm_finds = true,
            .source = TE_RECIPES "; pytorch/ao@36027d8 torchao/float8/"
                "config.py"}},
    /* An fp32 scale for 1 x 128 values, of weights for 128 x 128. Products on
     * Hopper: best shapes of the fp8_block tables over those of fp8, less the
     * passes of the cast, .659 / .707 on H100 and .645 / .779 on H200
     * (ai-dynamo/aiconfigurator@095f58a5 gemm_perf); from sm100 on they are
     * those of mxfp8. */
    [P3D_FP8_BLOCKWISE] = {"blockwise",
        {"fp8 by blocks of 128", 90, 0, "", TE_RECIPES},
        {.title = "a scale for each 128 values", .data_bytes = 1,
            .scale_bytes = 4.0 / 128, .weight_scale_bytes = 4.0 / (128 * 128),
            .sm90_rate_frac = 0.88, .source = TE_RECIPES}},
    [P3D_FP8_ROWWISE] = {"rowwise",
        {"fp8 by rows", 90, 0, "gfx942, gfx950",
            "pytorch/ao@36027d8 torchao/float8/README.md"},
        {.title = "a scale for each row", BITS_8, .finds_largest = true,
            .by_row = true,
            .source = "pytorch/ao@36027d8 torchao/float8/config.py"}},
    /* A scale of one byte for 32 values: transformer_engine/pytorch/
     * constants.py:87 (MXFP8_BLOCK_SCALING_SIZE). The weights that ZeRO-1
     * gathers are in 16 bit: Megatron-LM@d98e8a64 megatron/core/distributed/
     * param_and_grad_buffer.py:303, 465. */
    [P3D_FP8_MXFP8] = {"mxfp8",
        {"mxfp8", 100, 119, "gfx950", TE_RECIPES},
        {.title = "a scale for each 32 values", BITS_8,
            .scale_bytes = 1.0 / 32, .weight_scale_bytes = 1.0 / 32,
            .gathers_wide = true, .source = TE_RECIPES}},
};
/* clang-format on */

/* A scale of one byte for 16 values, in weights the same for 16 rows, and one
 * of the tensor; inputs and gradients of the weights' product go through a
 * Hadamard transform within the cast, after which the largest value is found,
 * so that no norm finds it. All three products are in nvfp4. */
static const p3d_precision nvfp4 = {.title = "a scale for each 16 values",
        .data_bytes = 0.5,
        .scale_bytes = 1.0 / 16,
        .weight_scale_bytes = 1.0 / 16,
        .finds_largest = true,
        .sm90_rate_frac = 1,
        .source = TE_RECIPES " (NVFP4BlockScaling), pytorch/csrc/quantizer.cpp "
                             "(NVFP4Quantizer)"};

const char *p3d_fp8_recipe_name(p3d_fp8_recipe recipe)
{
    return (unsigned)recipe < P3D_N_FP8_RECIPES ? recipes[recipe].name : "";
}

unsigned spec_fp8_recipes(const p3d_framework *framework)
{
    return framework->fp8_recipes != 0 ? framework->fp8_recipes
                                       : 1u << P3D_FP8_DELAYED;
}

p3d_fp8_recipe spec_fp8_recipe(const p3d_job *job)
{
    const unsigned all = spec_fp8_recipes(job->framework);
    int first = P3D_FP8_DELAYED;

    while (first < P3D_N_FP8_RECIPES - 1 && (all >> first & 1) == 0)
        first++;
    return job->fp8_recipe != P3D_FP8_USUAL ? job->fp8_recipe
                                            : (p3d_fp8_recipe)first;
}

/* Source: Megatron-LM@d98e8a64 megatron/core/transformer/transformer_config.py
 * ("moe_act in recompute_modules", "mla_up_proj in recompute_modules"). */
unsigned spec_kept_modules(const p3d_model *model, const p3d_job *job)
{
    const p3d_framework *const f = job->framework;
    const bool delayed =
            job->dtype == P3D_FP8 && spec_fp8_recipe(job) == P3D_FP8_DELAYED;
    const bool draws = job->dropout && job->graphs != P3D_GRAPHS_NONE;

    return (delayed ? f->delayed_keeps : 0u) |
           (draws ? SPEC_DRAWING_MODULES : 0u) |
           (model->n_experts == 0 ? P3D_MODULE_MOE_ACTIVATION : 0u) |
           (model->kv_lora_rank == 0 ? P3D_MODULE_LATENT_UP : 0u);
}

const spec_ability *spec_recipe_ability(p3d_fp8_recipe recipe)
{
    P3D_ASSERT((unsigned)recipe < P3D_N_FP8_RECIPES);
    return &recipes[recipe].ability;
}

const p3d_precision *p3d_precision_of(const p3d_job *job)
{
    if (job == NULL)
        return NULL;
    if (job->dtype == P3D_NVFP4)
        return &nvfp4;
    if (job->dtype != P3D_FP8 || job->framework == NULL ||
            (unsigned)job->fp8_recipe >= P3D_N_FP8_RECIPES)
        return NULL;
    return &recipes[spec_fp8_recipe(job)].facts;
}
