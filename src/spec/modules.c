/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modules.c - the units of a layer that can be recomputed alone, by name. */
#include <stddef.h>

#include "base/util.h"
#include "plan3d/framework.h"

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
