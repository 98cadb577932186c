/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - widths of a model's tensors on one rank, and the parameters that
 * are trained. */
#ifndef PLAN3D_SPEC_PARAMS_H
#define PLAN3D_SPEC_PARAMS_H

#include "plan3d/workload.h"
#include "spec/layer.h"

/**
 * Tensor-parallel ranks that keys and values are divided among; with more
 * ranks than key/value heads, ranks hold copies.
 *
 *     t_kv = min(t, k)
 *
 * t  tp >= 1          k  n_kv_heads >= 1
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/transformer/attention.py
 *         (num_query_groups_per_partition).
 * Tested: tests/unit/test_params.c
 */
int64_t spec_kv_ranks(const p3d_model *model, int tp);

/** Channels that an expert reads and writes: expert_latent, or hidden. */
int64_t spec_expert_width(const p3d_model *model);

/** Channels of the gate of the attention's output on one rank; 0 = none. */
int64_t spec_gate_width(const p3d_model *model, int tp);

/** Widths of a mixer's tensors on one rank. */
typedef struct spec_mixer {
    int64_t heads, in, taps, keys;
    int64_t out; /* of the core, and into the last projection */
} spec_mixer;

spec_mixer spec_mixer_widths(const p3d_model *model, int tp);

/** Parameters of a block on one rank that are trained, adapters apart. */
p3d_params spec_trained_params(
        const p3d_model *model, const p3d_job *job, p3d_shard shard, int block);

/** True where the weights of a frozen model beside the trained one are on the
 *  device with those of that. */
bool spec_companion_is_held(const p3d_job *job);

/** Whether a reference waits in the host's memory until its pass. */
bool spec_companion_swaps(const p3d_job *job);

/** How texts would lie in sequences if nothing were computed for padding. */
p3d_filling spec_useful_filling(const p3d_job *job);

/** Parameters of some parts of a decoder layer on one rank. */
p3d_params spec_layer_params(
        const p3d_model *whole, p3d_shard shard, int kind, unsigned parts);

/** The layers of a tower as those of a model. */
void spec_tower_layer(const p3d_tower *tower, p3d_model *out);

/** Parameters of some parts of a block of the model's tower. */
int64_t spec_tower_params(const p3d_model *model, int block, unsigned parts);

/** Channels of the output matrix. */
int64_t spec_head_width(const p3d_model *model);

/** Outputs of the head on all tp ranks: words, which they share, or numbers,
 *  which each has. */
int64_t spec_head_rows(
        const p3d_model *model, const p3d_framework *framework, int tp);

#endif
