/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precision.h - recipes of products in fewer than 16 bits, and who has them. */
#ifndef PLAN3D_SPEC_PRECISION_H
#define PLAN3D_SPEC_PRECISION_H

#include "spec/abilities.h"

/** Recipes of fp8 that the framework has: bit r for p3d_fp8_recipe r. */
unsigned spec_fp8_recipes(const p3d_framework *framework);

/** The recipe of a job in fp8: what was said, or its framework's usual one. */
p3d_fp8_recipe spec_fp8_recipe(const p3d_job *job);

/** The GPUs that run a recipe. */
const spec_ability *spec_recipe_ability(p3d_fp8_recipe recipe);

#endif
