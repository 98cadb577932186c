/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_hf_config.c - model files: refused with a place, or a sane model. */
#include "fuzz/fuzz.h"

#include "base/util.h"
#include "plan3d/model.h"
#include "plan3d/workload.h"

static void check_layers(const p3d_model *model)
{
    for (int i = 0; i < P3D_MAX_LAYERS; i++) {
        const int kind = model->layer_kind[i];

        P3D_ASSERT(kind < P3D_N_LAYER_KINDS);
        P3D_ASSERT(i < model->n_layers || kind == 0);
        P3D_ASSERT((kind & P3D_LAYER_MOE) == 0 || model->n_experts > 0);
        P3D_ASSERT((kind & P3D_LAYER_NO_MIXING) != P3D_LAYER_WINDOWED ||
                   model->window > 0 ||
                   p3d_sparse_pairs(&model->sparse, 1) > 0);
    }
}

static void check_sane(const p3d_model *model)
{
    const int64_t total = p3d_total_params(model);
    const int64_t active = p3d_active_params(model);

    P3D_ASSERT(model->hidden > 0 && model->vocab > 0 && model->ffn >= 0);
    P3D_ASSERT(model->n_layers > 0 && model->n_layers <= P3D_MAX_LAYERS);
    P3D_ASSERT(model->n_heads > 0 && model->head_dim > 0);
    P3D_ASSERT(model->n_kv_heads > 0);
    P3D_ASSERT(model->n_heads % model->n_kv_heads == 0);
    P3D_ASSERT(model->max_positions > 0 && model->learned_positions >= 0);
    P3D_ASSERT(model->window >= 0 && model->window < model->max_positions);
    P3D_ASSERT(model->n_experts == 0 ||
               (model->top_k >= 1 && model->top_k <= model->n_experts &&
                       model->expert_ffn > 0));
    P3D_ASSERT(model->shared_ffn >= 0 && model->n_mtp_layers >= 0);
    P3D_ASSERT(model->name[0] != '\0' && model->family[0] != '\0');
    check_layers(model);
    P3D_ASSERT(0 < active && active <= total && total < INT64_MAX / 2);
}

bool fuzz_hf_config(const uint8_t *data, size_t n)
{
    p3d_model model;
    p3d_error err = {0};
    const bool ok = p3d_model_load(fuzz_file(data, n), &model, &err);

    fuzz_check_error(ok, &err);
    if (ok)
        check_sane(&model);
    else
        P3D_ASSERT(err.code == P3D_DATA && err.file[0] != '\0');
    return ok;
}
