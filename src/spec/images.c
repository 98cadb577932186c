/* SPDX-License-Identifier: GPL-3.0-or-later */
/* images.c - what a job shows to the tower of its model, and what it trains of
 * it. */

#include "base/util.h"
#include "spec/given.h"
#include "spec/legality.h"
#include "spec/tower.h"

enum { ALL_OF_TOWERS = P3D_PART_VISION | P3D_PART_AUDIO | P3D_PART_PROJECTOR };

bool p3d_has_tower(const p3d_model *model)
{
    return model != NULL && model->tower.hidden > 0;
}

unsigned p3d_tower_part(const p3d_model *model)
{
    if (!p3d_has_tower(model))
        return 0;
    return model->tower.is_audio ? P3D_PART_AUDIO : P3D_PART_VISION;
}

/* Sizes of matrices that there are. */
static bool linears_given(const p3d_linear *linears, int n)
{
    for (int i = 0; i < n; i++) {
        if (linears[i].in < 1 || linears[i].out < 1)
            return false;
    }
    return true;
}

static bool projector_given(const p3d_projector *p)
{
    return p->n_linears >= 1 && p->n_linears <= P3D_MAX_PROJECTOR &&
           p->norm_params >= 0 && linears_given(p->linear, p->n_linears);
}

bool spec_tower_given(const p3d_tower *t)
{
    if (t->hidden == 0)
        return true;
    return t->n_heads >= 1 && t->n_layers >= 1 && t->ffn >= 1 &&
           t->hidden % t->n_heads == 0 && t->norm_weights >= 1 &&
           t->n_windowed <= t->n_layers &&
           (t->n_windowed == 0 || t->window_patches >= 1) && t->n_stem >= 1 &&
           linears_given(t->stem, t->n_stem) && t->patches_per_token >= 1 &&
           t->image_tokens >= 1 && projector_given(&t->projector) &&
           (t->n_deepstack == 0 || projector_given(&t->deepstack));
}

p3d_images p3d_job_images(const p3d_job *job, const p3d_model *model)
{
    p3d_images images = {0, 0, 0, 0};

    if (job == NULL || model == NULL || !p3d_has_tower(model) ||
            !spec_tower_given(&model->tower) || job->no_images)
        return images;

    const p3d_tower *const t = &model->tower;
    const int n = job->n_images > 0 ? job->n_images : 1;
    const int tokens =
            job->image_tokens > 0 ? job->image_tokens : t->image_tokens;
    const int64_t patches = p3d_mul(tokens, t->patches_per_token);
    const int64_t tile = t->tile_patches > 0 ? t->tile_patches : patches;

    images.n = n;
    images.tokens = tokens;
    images.tiles = p3d_mul(n, p3d_ceil_div(patches, tile));
    images.tile_patches = p3d_at_most_int(tile + t->class_tokens);
    return images;
}

/* Recomputed where gradient checkpointing is what recipes of Hugging Face's
 * Trainer train with (LLaMA-Factory, ms-swift and TRL have it on: every layer
 * of the tower is a GradientCheckpointingLayer, too); Megatron's option is off
 * (--recompute-vision). Source: transformers@v5.0 modeling_layers.py;
 * hiyouga/LLaMA-Factory src/llamafactory/hparams/model_args.py
 * (disable_gradient_checkpointing); modelscope/ms-swift docs (vit_gradient_
 * checkpointing); Megatron-LM@d98e8a64 examples/multimodal/model.py. */
bool spec_tower_recomputes(const p3d_job *job)
{
    return job->tower_recompute == P3D_OVERLAP_USUAL
                   ? !job->framework->keeps_towers
                   : job->tower_recompute == P3D_OVERLAP_ON;
}

bool p3d_tower_trained(const p3d_model *model, const p3d_job *job)
{
    return p3d_has_tower(model) && job != NULL &&
           (p3d_job_frozen(job, model) & p3d_tower_part(model)) == 0;
}

bool p3d_tower_replays(const p3d_model *model, const p3d_job *job)
{
    return p3d_tower_trained(model, job) && job->framework != NULL &&
           spec_tower_recomputes(job);
}

bool spec_rule_images(const spec_question *q)
{
    const p3d_model *const m = q->model;
    const p3d_job *const j = q->job;
    const p3d_images images = p3d_job_images(j, m);
    const unsigned parts =
            p3d_has_tower(m) ? p3d_tower_part(m) | P3D_PART_PROJECTOR : 0;

    if ((j->n_images > 0 || j->image_tokens > 0) && !p3d_has_tower(m))
        return spec_refuse(q,
                "%s has no tower that plan3d knows, so that a sequence has no "
                "images; leave out --images and --image-tokens",
                m->name);
    if ((j->frozen & ALL_OF_TOWERS & ~parts) != 0)
        return spec_refuse(q,
                "%s has none of the tower's parts that --freeze says; leave "
                "them out",
                m->name);
    return p3d_mul(images.n, images.tokens) <= j->seq_len ||
           spec_refuse(q,
                   "%d x %d tokens of %s are longer than a sequence of %d; try "
                   "a longer --seq, or fewer --images or --image-tokens",
                   images.n, images.tokens,
                   m->tower.is_audio ? "sound" : "images", j->seq_len);
}
