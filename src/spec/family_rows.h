/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_rows.h - words of the tables of families: one row, one model_type.
 *
 * A row holds what the class of the family in Hugging Face transformers takes
 * for a key that a config.json leaves out, and what it hard-codes; what the
 * tables cannot say about a few of them is in family_finish.c.
 *
 * A width of 0 is 4 * hidden; 0 key/value heads are as many as query heads; a
 * head size of 0 is hidden / heads; an expert width of 0 is the MLP's. */
#ifndef PLAN3D_SPEC_FAMILY_ROWS_H
#define PLAN3D_SPEC_FAMILY_ROWS_H

#include "base/util.h"
#include "spec/family.h"

/* clang-format off */
#define SHAPE(h, f, l, a, k, v, positions) \
    .hidden = h, .ffn = f, .n_layers = l, .n_heads = a, .n_kv_heads = k, \
    .vocab = v, .max_positions = positions
#define RMS_NORM(n)   .norm_weights = 1, .n_norms = n, .final_norm = true
#define LAYER_NORM(n) .norm_weights = 2, .n_norms = n, .final_norm = true
#define POST_NORMS    .norm_weights = 2, .n_norms = 2, .embedding_norm = true
#define BETWEEN_NORMS .norm_weights = 2, .n_norms = 3
#define ALL_BIASES    .qkv_bias = true, .o_bias = true, .mlp_bias = true
#define GATED         .gated_mlp = true
#define GELU_GATE     .activation = P3D_ACTIVATION_OTHER
#define TIED          .tied_embeddings = true
#define OWN           .own_code = true
#define KEEPS_SCORES  .router.keeps_scores = true
#define DELTA_RULE(h, k, n, v) \
    .mixer = {.kind = P3D_MIXER_DELTA, .heads = h, .key_heads = k, \
        .key_dim = n, .value_dim = v, .taps = 4, .chunk = 64}
#define EVERY_FOURTH  .attention_period = 4, .attention_offset = -1
#define MLA(q) \
    .q_lora_rank = q, .kv_lora_rank = 512, .qk_nope_dim = 128, \
    .qk_rope_dim = 64, .v_head_dim = 128

#define KV         P3D_KEYS_KV
#define HEAD_DIM   (P3D_KEYS_KV | P3D_KEYS_HEAD_DIM)
#define QKVO_BIAS  (P3D_KEYS_QKV_BIAS | P3D_KEYS_O_BIAS)
#define QKV_BIAS   P3D_KEYS_QKV_BIAS
#define MOE        P3D_KEYS_MOE
#define WINDOW     P3D_KEYS_WINDOW
#define PERIOD     (P3D_KEYS_WINDOW | P3D_KEYS_WINDOW_PERIOD)
#define SWITCH     (P3D_KEYS_WINDOW | P3D_KEYS_USE_WINDOW)
#define SWITCH_AT  (SWITCH | P3D_KEYS_WINDOW_FIRST)
#define QWEN_MOE   (MOE | P3D_KEYS_EXPERT_FFN | P3D_KEYS_SPARSE_STEP)
#define SHARED_MOE (MOE | P3D_KEYS_EXPERT_FFN | P3D_KEYS_SHARED)
#define DEEPSEEK   (SHARED_MOE | \
                    P3D_KEYS_MLA | P3D_KEYS_MTP | QKVO_BIAS)
#define GLM_MOE    (SHARED_MOE | \
                    P3D_KEYS_MTP | P3D_KEYS_QK_NORM | QKV_BIAS | HEAD_DIM)
/* clang-format on */

#endif
