/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precision.c - how the operands of products are scaled and stored: the table
 * of recipes, and the one that a job follows. */
#include "spec/precision.h"

#include "base/util.h"

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
    [P3D_FP8_USUAL] = {"", {"fp8", 89, 0, "gfx942, gfx950", ""}, {.title = ""}},
    /* The cast takes the scale of steps before, so norms write fp8 at once:
     * transformer_engine/pytorch/csrc/extensions/normalization.cpp. */
    [P3D_FP8_DELAYED] = {"delayed",
        {"fp8 by delayed scaling", 89, 0, "gfx942, gfx950", TE_RECIPES},
        {.title = "delayed scaling, a scale a tensor", BITS_8,
            .by_tensor = true, .norm_casts = true, .source = TE_RECIPES}},
    [P3D_FP8_CURRENT] = {"current",
        {"fp8 by current scaling", 89, 0, "gfx942, gfx950", TE_RECIPES},
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
