/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_encoders.c - the table of families of encoders, trained with a head on
 * all tokens, and of decoders whose layers attend to an encoder.
 *
 * Source: huggingface/transformers@v5.23 src/transformers/models/<family>/
 * configuration_<family>.py and modeling_<family>.py. */
#include "spec/family_rows.h"

/* clang-format off */
static const spec_family rows[] = {
{.model_type = "bert",
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_TYPES,
 .defaults.model = {OWN, SHAPE(768, 3072, 12, 12, 0, 30522, 512),
    POST_NORMS, ALL_BIASES, .head_bias = true, .head_transform = true,
    .extra_embeddings = 2, .sees_all = true, TIED}},

{.model_type = "bert-generation",
 .keys = P3D_KEYS_POSITIONS,
 .defaults.model = {OWN, SHAPE(1024, 4096, 24, 16, 0, 50358, 512),
    POST_NORMS, ALL_BIASES, .head_bias = true, TIED}},

{.model_type = "megatron-bert",
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_TYPES,
 .defaults.model = {OWN, SHAPE(1024, 4096, 24, 16, 0, 29056, 512),
    LAYER_NORM(2), ALL_BIASES, .head_bias = true, .head_transform = true,
    .extra_embeddings = 2, .sees_all = true, TIED}},

{.model_type = "roberta-prelayernorm",
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_TYPES,
 .defaults.model = {OWN, SHAPE(768, 3072, 12, 12, 0, 50265, 512),
    LAYER_NORM(2), .embedding_norm = true, ALL_BIASES, .head_bias = true,
    .head_transform = true, .extra_embeddings = 2, .sees_all = true, TIED}},

{.model_type = "xlm",
 .keys = P3D_KEYS_POSITIONS,
 .defaults.model = {OWN, SHAPE(2048, 0, 12, 16, 0, 30145, 512),
    POST_NORMS, ALL_BIASES, .head_bias = true, .sees_all = true, TIED}},

{.model_type = "electra", .finish = spec_finish_narrow,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_TYPES | P3D_KEYS_NARROW,
 .defaults.model = {OWN, SHAPE(256, 1024, 12, 4, 0, 30522, 512),
    .embedding_width = 128, POST_NORMS, ALL_BIASES, .head_bias = true,
    .head_transform = true, .extra_embeddings = 2, .sees_all = true, TIED}},

{.model_type = "big_bird", .finish = spec_finish_sparse,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_TYPES | P3D_KEYS_QKV_BIAS_ALONE,
 .defaults.model = {OWN, SHAPE(768, 3072, 12, 12, 0, 50358, 4096),
    POST_NORMS, ALL_BIASES, .head_bias = true, .head_transform = true,
    .has_pooler = true, .extra_embeddings = 2, .sees_all = true, TIED}},

{.model_type = "roformer", .finish = spec_finish_rotated,
 .keys = P3D_KEYS_TYPES | P3D_KEYS_NARROW,
 .defaults.model = {OWN, SHAPE(768, 3072, 12, 12, 0, 50000, 1536),
    POST_NORMS, ALL_BIASES, .head_bias = true, .head_transform = true,
    .extra_embeddings = 2, .sees_all = true, TIED}},

{.model_type = "rembert", .finish = spec_finish_narrow,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_TYPES | P3D_KEYS_NARROW,
 .defaults.model = {OWN, SHAPE(1152, 4608, 32, 18, 0, 250300, 512),
    .embedding_width = 256, .head_width = 1664, POST_NORMS, ALL_BIASES,
    .head_bias = true, .head_transform = true, .extra_embeddings = 2,
    .sees_all = true}},

{.model_type = "modernbert-decoder", .finish = spec_finish_modern,
 .keys = QKVO_BIAS | P3D_KEYS_MLP_BIAS | WINDOW | P3D_KEYS_HEAD_BIAS,
 .defaults = {.window_period = 3, .model = {OWN, SHAPE(768, 1152, 22, 12, 0,
    50368, 8192), GATED, RMS_NORM(2), .window = 64, .head_bias = true,
    .head_transform = true, TIED}}},

{.model_type = "bart", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults = {.extra_positions = 2, .model = {OWN, SHAPE(1024, 4096, 12, 16, 0,
    50265, 1024), BETWEEN_NORMS, .embedding_norm = true, ALL_BIASES, TIED}}},

{.model_type = "plbart", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults = {.extra_positions = 2, .model = {OWN, SHAPE(768, 3072, 6, 12, 0,
    50005, 1024), BETWEEN_NORMS, .embedding_norm = true, ALL_BIASES, TIED}}},

{.model_type = "mvp", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults = {.extra_positions = 2, .model = {OWN, SHAPE(1024, 4096, 12, 16, 0,
    50267, 1024), BETWEEN_NORMS, .embedding_norm = true, ALL_BIASES, TIED}}},

{.model_type = "mbart", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults = {.extra_positions = 2, .model = {OWN, SHAPE(1024, 4096, 12, 16, 0,
    50265, 1024), LAYER_NORM(3), .embedding_norm = true, ALL_BIASES, TIED}}},

{.model_type = "trocr", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults = {.extra_positions = 2, .model = {OWN, SHAPE(1024, 4096, 12, 16, 0,
    50265, 512), BETWEEN_NORMS, .embedding_norm = true, ALL_BIASES, TIED}}},

{.model_type = "blenderbot", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults.model = {OWN, SHAPE(2560, 10240, 24, 32, 0, 8008, 128),
    LAYER_NORM(3), ALL_BIASES, TIED}},

{.model_type = "blenderbot-small", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults.model = {OWN, SHAPE(512, 2048, 8, 16, 0, 50265, 512),
    BETWEEN_NORMS, .embedding_norm = true, ALL_BIASES, TIED}},

{.model_type = "marian", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults.model = {OWN, SHAPE(1024, 4096, 12, 16, 0, 58101, 1024),
    BETWEEN_NORMS, ALL_BIASES, TIED}},

{.model_type = "pegasus", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults.model = {OWN, SHAPE(1024, 4096, 12, 16, 0, 50265, 1024),
    LAYER_NORM(3), ALL_BIASES, TIED}},

{.model_type = "bigbird_pegasus", .finish = spec_finish_untied_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults.model = {OWN, SHAPE(1024, 4096, 16, 16, 0, 96103, 4096),
    LAYER_NORM(3), .mlp_bias = true}},

{.model_type = "whisper", .finish = spec_finish_cross,
 .keys = P3D_KEYS_POSITIONS | P3D_KEYS_CROSS,
 .defaults.model = {OWN, SHAPE(384, 1536, 4, 6, 0, 51865, 448),
    LAYER_NORM(3), .cross_tokens = 1500, ALL_BIASES, .no_key_bias = true,
    TIED}},
};
/* clang-format on */

const spec_family_table spec_encoder_families = {rows, P3D_COUNT_OF(rows)};
