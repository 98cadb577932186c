/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer.c - see layer.h; and whether attention is latent. */
#include "spec/layer.h"

spec_layer spec_layer_of(int kind)
{
    const int mixing = kind & P3D_LAYER_NO_MIXING;
    const bool experts = (kind & P3D_LAYER_MOE) != 0;

    return (spec_layer){.attention = (mixing & P3D_LAYER_MIXER) == 0,
            .windowed = mixing == P3D_LAYER_WINDOWED,
            .mixer = mixing == P3D_LAYER_MIXER,
            .dense = !experts && (kind & P3D_LAYER_NO_MLP) == 0,
            .experts = experts,
            .shares_kv = (kind & P3D_LAYER_SHARES_KV) != 0};
}

const p3d_model *spec_layer_model(
        const p3d_model *model, int kind, p3d_model *room)
{
    const spec_layer has = spec_layer_of(kind);

    const bool wide = has.shares_kv && model->sharing_ffn > 0;
    const bool sees_all =
            !has.windowed && model->sparse.layout == P3D_SPARSE_CHOSEN;

    if (model->full_head_dim == 0 && !wide && !sees_all)
        return model;
    *room = *model;
    if (sees_all)
        room->index_heads = 0;
    if (wide)
        *(has.experts ? &room->shared_ffn : &room->ffn) = model->sharing_ffn;
    if (model->full_head_dim == 0)
        return room;
    if (has.attention && !has.windowed) {
        room->head_dim = model->full_head_dim;
        room->n_kv_heads = model->full_kv_heads;
    } else {
        room->full_shares = false;
    }
    return room;
}

bool spec_layer_mixes(const p3d_model *model, int kind)
{
    const spec_layer has = spec_layer_of(kind);

    return has.mixer || (has.attention && model->mixer_beside);
}

int spec_fewest_kv_heads(const p3d_model *model)
{
    return model->full_head_dim > 0 && model->full_kv_heads < model->n_kv_heads
                   ? model->full_kv_heads
                   : model->n_kv_heads;
}

bool p3d_model_is_mla(const p3d_model *model)
{
    if (model == NULL)
        return false;
    return model->kv_lora_rank > 0;
}
