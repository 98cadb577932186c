/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params_tower.c - how many parameters a tower has. */
#include "spec/given.h"
#include "spec/params.h"

/* The layers of a tower are those of a decoder of its sizes. */
void spec_tower_layer(const p3d_tower *t, p3d_model *out)
{
    *out = (p3d_model){.hidden = t->hidden,
            .n_layers = 1,
            .n_heads = t->n_heads,
            .n_kv_heads = t->n_heads,
            .head_dim = t->hidden / t->n_heads,
            .ffn = t->ffn,
            .gated_mlp = t->gated_mlp,
            .vocab = 1,
            .norm_weights = t->norm_weights,
            .n_norms = 2,
            .qk_norm = t->qk_norm ? P3D_QK_NORM_FULL : P3D_QK_NORM_NONE,
            .qkv_bias = t->qkv_bias,
            .o_bias = t->o_bias,
            .mlp_bias = t->mlp_bias,
            .layer_scales = t->layer_scales};
}

int p3d_tower_blocks(const p3d_model *model, int block)
{
    if (!spec_model_given(model) || !p3d_has_tower(model))
        return 0;
    switch (block) {
    case P3D_BLOCK_TOWER:
        return model->tower.n_layers - model->tower.n_windowed;
    case P3D_BLOCK_TOWER_WINDOWED: return model->tower.n_windowed;
    case P3D_BLOCK_TOWER_ENDS: return 1;
    default: return 0;
    }
}

static int64_t linear_params(const p3d_linear *l, int n)
{
    int64_t P = 0;

    for (int i = 0; i < n; i++)
        P += (int64_t)l[i].in * l[i].out + (l[i].bias ? l[i].out : 0);
    return P;
}

static int64_t projector_params(const p3d_projector *p)
{
    return p->norm_params + linear_params(p->linear, p->n_linears);
}

/**
 * Parameters of the ends of a tower.
 *
 *     vision     sum (in out + [bias] out) of the matrices that make patches
 *                + (c + X + N n) h
 *     projector  (1 + deepstack) (norm + sum (in out + [bias] out)) + row end
 *
 * h hidden   c class tokens   X rows of the table of positions   N norms
 * outside of the layers, of n weights a channel; those of inner outputs have
 * norms of their own width.
 *
 * Source: transformers@v5.0 modeling_qwen2_5_vl.py (Qwen2_5_VLPatchMerger),
 * modeling_clip.py (CLIPVisionEmbeddings), modeling_llava.py
 * (LlavaMultiModalProjector), modeling_gemma3.py, modeling_mistral3.py,
 * modeling_internvl.py, modeling_idefics3.py, modeling_qwen2_audio.py.
 * Tested: tests/unit/test_tower.c
 */
static int64_t ends_params(const p3d_model *model, unsigned parts)
{
    const p3d_tower *const t = &model->tower;
    int64_t P = 0;

    if ((parts & p3d_tower_part(model)) != 0)
        P += linear_params(t->stem, t->n_stem) +
             (int64_t)t->hidden *
                     (t->class_tokens + t->learned_positions +
                             (int64_t)t->n_outer_norms * t->norm_weights);
    if ((parts & P3D_PART_PROJECTOR) != 0)
        P += t->row_end + projector_params(&t->projector) +
             (t->n_deepstack > 0
                             ? t->n_deepstack * projector_params(&t->deepstack)
                             : 0);
    return P;
}

/**
 * Parameters of a block of a tower, on each rank of the first stage.
 *
 *     layer  those of a decoder's layer of its sizes  - [keys without bias] h
 *
 * Source: transformers@v5.0 modeling_whisper.py (k_proj without a bias), and as
 * for the ends.
 * Tested: tests/unit/test_tower.c
 */
int64_t spec_tower_params(const p3d_model *model, int block, unsigned parts)
{
    p3d_model layer;

    if (p3d_tower_blocks(model, block) == 0)
        return 0;
    if (block == P3D_BLOCK_TOWER_ENDS)
        return ends_params(model, parts);
    if ((parts & p3d_tower_part(model)) == 0)
        return 0;
    spec_tower_layer(&model->tower, &layer);
    return spec_layer_params(&layer, p3d_shard_whole(), 0, P3D_ALL_PARTS)
                   .dense -
           (model->tower.no_key_bias ? model->tower.hidden : 0);
}

int64_t p3d_tower_params(const p3d_model *model)
{
    int64_t P = 0;

    for (int i = P3D_N_BLOCKS; i < P3D_N_ALL_BLOCKS; i++)
        P += p3d_tower_blocks(model, i) *
             spec_tower_params(model, i, P3D_ALL_PARTS);
    return P;
}
