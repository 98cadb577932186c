/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abilities.h - what the architecture of a GPU can run; recipes of products in
 * fewer than 16 bits, and who has them. */
#ifndef PLAN3D_SPEC_ABILITIES_H
#define PLAN3D_SPEC_ABILITIES_H

#include "plan3d/job.h"

/** What not every GPU runs, and which do. An architecture that is neither
 *  NVIDIA's nor one of AMD's in the table runs everything: its owner knows. */
typedef struct spec_ability {
    const char *title;
    int first_sm;       /* compute capability of NVIDIA, 0 = none */
    int last_sm;        /* 0 = all later ones */
    const char *others; /* architectures: "gfx942, gfx950"; "" = none */
    const char *source;
} spec_ability;

/** An attention kernel: what it computes with. */
typedef struct spec_attention_facts {
    spec_ability ability;
    bool fp32;
    int max_head;      /* channels of a head, forward and backward */
    int max_head_else; /* but on sm90 and sm10x; 0 = the same */
} spec_attention_facts;

const spec_attention_facts *spec_attention_facts_of(p3d_attention attention);
const spec_ability *spec_dispatcher_ability(p3d_dispatcher dispatcher);
const spec_ability *spec_dtype_ability(p3d_dtype dtype);

/** One kernel for the products of all experts. */
const spec_ability *spec_grouped_ability(void);

/** True where a framework's kernels are written for a GPU. */
bool spec_framework_runs_on(const p3d_framework *framework, const p3d_gpu *gpu);

/** The framework that answers on a GPU where none is named. */
const char *spec_usual_framework(const p3d_gpu *gpu);

bool spec_gpu_runs(const p3d_gpu *gpu, const spec_ability *ability);

/** Why not: "FlashAttention-3 needs sm90; A100-SXM4-80GB is sm80". */
typedef struct spec_ability_words {
    char text[176];
} spec_ability_words;

spec_ability_words spec_gpu_lacks(
        const p3d_gpu *gpu, const spec_ability *ability);

/** Channels of a head that the kernel takes on the GPU. */
int spec_attention_max_head(
        const spec_attention_facts *facts, const p3d_gpu *gpu);

/** True where framework, GPU, data type and heads allow the kernel. */
bool spec_attention_runs(p3d_attention attention, const p3d_model *model,
        const p3d_gpu *gpu, const p3d_job *job);

/** The kernel that the framework runs by itself: its usual one where that runs,
 *  or where nothing does, else the next best. */
p3d_attention spec_usual_attention(
        const p3d_model *model, const p3d_gpu *gpu, const p3d_job *job);

/** Recipes of fp8 that the framework has: bit r for p3d_fp8_recipe r. */
unsigned spec_fp8_recipes(const p3d_framework *framework);

/** The recipe of a job in fp8: what was said, or its framework's usual one. */
p3d_fp8_recipe spec_fp8_recipe(const p3d_job *job);

/** Modules with dropout masks, which a CUDA graph would draw anew. Source:
 *  Megatron-LM@d98e8a64 megatron/core/transformer/transformer_config.py
 *  ("Graphed recompute module doesn't accept random number"). */
#define SPEC_DRAWING_MODULES \
    (P3D_MODULE_CORE_ATTENTION | P3D_MODULE_MLP | P3D_MODULE_MOE)

/** Modules that a job's framework does not recompute alone in it, though it has
 *  them: those that its fp8 keeps, those with dropout in a CUDA graph, and the
 *  parts of experts and of latent attention where the model has none. */
unsigned spec_kept_modules(const p3d_model *model, const p3d_job *job);

/** The GPUs that run a recipe. */
const spec_ability *spec_recipe_ability(p3d_fp8_recipe recipe);

#endif
