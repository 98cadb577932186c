/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tower.h - what a model sees or hears with: an encoder whose output stands
 * among the tokens of its decoder. */
#ifndef PLAN3D_TOWER_H
#define PLAN3D_TOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "plan3d/api.h"

P3D_API_BEGIN

/** A matrix, with a bias or without. */
typedef struct p3d_linear {
    int in, out;
    bool bias;
} p3d_linear;

enum { P3D_MAX_STEM = 2, P3D_MAX_PROJECTOR = 3 };

/** What turns the output of a tower into tokens of the decoder. */
typedef struct p3d_projector {
    int norm_params; /* of the norm before it; 0 = none */
    int n_linears;
    p3d_linear linear[P3D_MAX_PROJECTOR];
} p3d_projector;

/**
 * A tower as the planner sees it; hidden 0 = the model has none. Patches are
 * what its layers work on: of an image, or frames of sound.
 */
typedef struct p3d_tower {
    char key[24];    /* "vision_config" */
    char family[32]; /* "qwen2_5_vl" */
    bool is_audio;

    int hidden;
    int n_layers;
    int n_heads;
    int ffn;
    bool gated_mlp;
    int norm_weights; /* per channel: 1 RMSNorm, 2 LayerNorm */
    bool qkv_bias;
    bool no_key_bias; /* of those, keys have none */
    bool o_bias;
    bool mlp_bias;
    bool qk_norm;     /* over all heads */
    int layer_scales; /* weights of a layer that scale one channel each */

    int n_windowed;     /* layers whose attention sees a window */
    int window_patches; /* of those */

    int n_stem; /* what makes patches of pixels or of a spectrum */
    p3d_linear stem[P3D_MAX_STEM];
    int stem_rows[P3D_MAX_STEM]; /* for each patch */
    int class_tokens;            /* beside the patches of a tile */
    int learned_positions;       /* rows of a table */
    int n_outer_norms;           /* before the layers and behind them */

    int patches_per_token;
    int tile_patches; /* that attention mixes: an image or a part of it has so
                         many; 0 = as many as the image makes */
    int image_tokens; /* that one becomes as a rule */
    p3d_projector projector;
    int row_end;     /* weights of a vector behind each row of patches */
    int n_deepstack; /* projectors of outputs of inner layers */
    p3d_projector deepstack;
} p3d_tower;

struct p3d_model;
struct p3d_job;

/** The images, or clips of sound, of a sequence. */
typedef struct p3d_images {
    int n;
    int tokens;       /* of each */
    int64_t tiles;    /* sequences of the tower's attention, of all of them */
    int tile_patches; /* with class tokens */
} p3d_images;

/** Those of a sequence of a job; all 0 where the model has no tower, or the job
 *  no images. */
p3d_images p3d_job_images(
        const struct p3d_job *job, const struct p3d_model *model);

/** True for a model with a tower that is counted. */
bool p3d_has_tower(const struct p3d_model *model);

/** The part of the model that its tower is: P3D_PART_VISION or _AUDIO; 0
 *  without. */
unsigned p3d_tower_part(const struct p3d_model *model);

/** Whether a job trains the tower, and whether its layers are run again in
 *  their backward pass then. */
bool p3d_tower_trained(
        const struct p3d_model *model, const struct p3d_job *job);
bool p3d_tower_replays(
        const struct p3d_model *model, const struct p3d_job *job);

/** Parameters of the tower, its projectors counted. */
int64_t p3d_tower_params(const struct p3d_model *model);

P3D_API_END

#endif
