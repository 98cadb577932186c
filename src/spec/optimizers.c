/* SPDX-License-Identifier: GPL-3.0-or-later */
/* optimizers.c - what an optimizer keeps per parameter: one row, one of them.*/
#include "base/util.h"
#include "plan3d/job.h"

/* Bytes per parameter of blockwise 8-bit moments: a byte and an fp32 scale for
 * 256 parameters each. Source: bitsandbytes@0.45 bitsandbytes/optim/
 * optimizer.py (blocksize 256). */
#define MOMENT_8BIT (1 + 4.0 / 256)

/* clang-format off */
static const p3d_optimizer_facts facts[P3D_N_OPTIMIZERS] = {
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
    return &facts[optimizer];
}
