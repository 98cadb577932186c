/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_sizes.c - sizes of models that were not read from a config.json. */
#include "spec/model_sizes.h"

#include <stddef.h>
#include <string.h>

#include "base/util.h"

#define SIZE(member) offsetof(p3d_model, member)

static const struct {
    const char *words;
    size_t offset;
    int max;
} sizes[] = {
        {"hidden size", SIZE(hidden), P3D_MAX_HIDDEN},
        {"layers", SIZE(n_layers), P3D_MAX_LAYERS},
        {"heads", SIZE(n_heads), P3D_MAX_HEADS},
        {"key/value heads", SIZE(n_kv_heads), P3D_MAX_HEADS},
        {"size of a head", SIZE(head_dim), P3D_MAX_HEAD_DIM},
        {"width of the MLP", SIZE(ffn), P3D_MAX_FFN},
        {"vocabulary", SIZE(vocab), P3D_MAX_VOCAB},
        {"positions", SIZE(max_positions), P3D_MAX_POSITIONS},
        {"experts", SIZE(n_experts), P3D_MAX_EXPERTS},
        {"experts of a token", SIZE(top_k), P3D_MAX_EXPERTS},
        {"groups of experts", SIZE(expert_groups), P3D_MAX_EXPERTS},
        {"groups of a token", SIZE(routed_groups), P3D_MAX_EXPERTS},
        {"width of an expert", SIZE(expert_ffn), P3D_MAX_EXPERT_FFN},
        {"width of the shared experts", SIZE(shared_ffn), P3D_MAX_FFN},
        {"rank of the queries", SIZE(q_lora_rank), P3D_MAX_HIDDEN},
        {"rank of keys and values", SIZE(kv_lora_rank), P3D_MAX_HIDDEN},
        {"size of a head of queries", SIZE(qk_nope_dim), P3D_MAX_HEAD_DIM},
        {"rotary size of a head", SIZE(qk_rope_dim), P3D_MAX_HEAD_DIM},
        {"size of a head of values", SIZE(v_head_dim), P3D_MAX_HEAD_DIM},
};

bool p3d_model_check_limits(const p3d_model *model, p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(sizes); i++) {
        int size;

        memcpy(&size, (const char *)model + sizes[i].offset, sizeof(size));
        if (size > sizes[i].max)
            return p3d_fail(err, P3D_DATA,
                    "the model's %s: %d is above %d, more than any model has",
                    sizes[i].words, size, sizes[i].max);
    }
    return true;
}

bool p3d_model_check_heads(const p3d_model *m, p3d_error *err)
{
    P3D_ASSERT(m->head_dim >= 1);
    if (m->n_kv_heads < 1 || m->n_heads % m->n_kv_heads != 0)
        return p3d_fail(err, P3D_DATA,
                "the model's %d key/value heads do not divide its %d query "
                "heads",
                m->n_kv_heads, m->n_heads);
    return true;
}
