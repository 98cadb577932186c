/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tower.c - towers of multimodal models: which parts they are made of, and
 * their sizes from a config.json.
 *
 * Two tables: encoders by the model_type of the vision_config (or
 * audio_config), and the models that have one of them, with what they put
 * between it and the decoder. A model that is in none has a tower whose parts
 * are not known.
 *
 * Source: transformers@v5.0 src/transformers/models, modeling_qwen2_vl.py,
 * modeling_qwen2_5_vl.py, modeling_qwen3_vl.py, modeling_clip.py,
 * modeling_siglip.py, modeling_pixtral.py, modeling_internvl.py,
 * modeling_idefics3.py, modeling_qwen2_audio.py, modeling_qwen3_5.py (v5.24),
 * modeling_llava_next.py, modeling_llava_onevision.py (v5.23: image_newline),
 * and the configuration of each for what a file does not say;
 * OpenGVLab/InternVL3-8B modeling_intern_vit.py.
 */
#include "spec/tower.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/sizes.h"

enum { MAX_SIDE = 16, MAX_TILE_SIDE = 1 << 12 };

/* Sizes as files have them; 0 = none. */
typedef struct sizes {
    int hidden, n_layers, n_heads, ffn;
    int ffn_factor; /* the width of the MLP over the hidden size */
    int channels, patch, temporal, image;
    int merge; /* patches of a side that become one token */
    int out;   /* width that the tower itself ends with */
    int positions, window, frames;
    int qkv_bias, qk_norm, head; /* 0 or 1 */
} sizes;

/* What encoders have in common with others; a bit each. */
enum {
    QWEN2 = 1 << 0,
    QWEN2_5 = 1 << 1,
    QWEN3 = 1 << 2,
    VIT = 1 << 3, /* keys of CLIP and SigLIP */
    INTERN = 1 << 4,
    WHISPER = 1 << 5,
    QWEN = QWEN2 | QWEN2_5 | QWEN3
};

typedef struct size_key {
    const char *key;
    unsigned encoders;
    size_t offset;
    int least, most;
} size_key;

/* clang-format off */
#define SIZE(member) offsetof(sizes, member)
static const size_key size_keys[] = {
    {"embed_dim", QWEN2, SIZE(hidden), 1, SPEC_MAX_TOWER},
    {"d_model", WHISPER, SIZE(hidden), 1, SPEC_MAX_TOWER},
    {"hidden_size", QWEN2_5 | QWEN3 | VIT | INTERN, SIZE(hidden), 1,
     SPEC_MAX_TOWER},
    {"hidden_size", QWEN2, SIZE(out), 1, P3D_MAX_HIDDEN},
    {"out_hidden_size", QWEN2_5 | QWEN3, SIZE(out), 1, P3D_MAX_HIDDEN},
    {"depth", QWEN, SIZE(n_layers), 1, P3D_MAX_LAYERS},
    {"num_hidden_layers", VIT | INTERN, SIZE(n_layers), 1, P3D_MAX_LAYERS},
    {"encoder_layers", WHISPER, SIZE(n_layers), 1, P3D_MAX_LAYERS},
    {"num_heads", QWEN, SIZE(n_heads), 1, P3D_MAX_HEADS},
    {"num_attention_heads", VIT | INTERN, SIZE(n_heads), 1, P3D_MAX_HEADS},
    {"encoder_attention_heads", WHISPER, SIZE(n_heads), 1, P3D_MAX_HEADS},
    {"intermediate_size", QWEN2_5 | QWEN3 | VIT | INTERN, SIZE(ffn), 1,
     P3D_MAX_FFN},
    {"encoder_ffn_dim", WHISPER, SIZE(ffn), 1, P3D_MAX_FFN},
    {"mlp_ratio", QWEN2, SIZE(ffn_factor), 1, 16},
    {"in_channels", QWEN, SIZE(channels), 1, 16},
    {"in_chans", QWEN, SIZE(channels), 1, 16},
    {"num_channels", VIT | INTERN, SIZE(channels), 1, 16},
    {"num_mel_bins", WHISPER, SIZE(channels), 1, 4096},
    {"patch_size", QWEN | VIT | INTERN, SIZE(patch), 1, 256},
    {"temporal_patch_size", QWEN, SIZE(temporal), 1, 8},
    {"image_size", VIT | INTERN, SIZE(image), 1, 65536},
    {"spatial_merge_size", QWEN, SIZE(merge), 1, MAX_SIDE},
    {"num_position_embeddings", QWEN3, SIZE(positions), 1, 1 << 24},
    {"max_source_positions", WHISPER, SIZE(frames), 1, 1 << 20},
    {"window_size", QWEN2_5, SIZE(window), 1, 65536},
    {"attention_bias", INTERN, SIZE(qkv_bias), 0, 1},
    {"qkv_bias", INTERN, SIZE(qkv_bias), 0, 1},
    {"use_qk_norm", INTERN, SIZE(qk_norm), 0, 1},
    {"qk_normalization", INTERN, SIZE(qk_norm), 0, 1},
    {"vision_use_head", VIT, SIZE(head), 0, 1},
};

#define LAYER_NORM .norm_weights = 2
#define RMS_NORM   .norm_weights = 1
#define BIASES     .qkv_bias = true, .o_bias = true, .mlp_bias = true

/* An encoder: its parts, and the sizes of its class. */
typedef struct encoder {
    const char *model_types; /* between blanks */
    unsigned keys;
    sizes defaults;
    p3d_tower parts;
    bool patch_bias;
    bool any_size; /* images of any size are one sequence */
    bool positions; /* a table with a row for each patch and class token */
    bool deepstack; /* outputs of inner layers go to the decoder, too */
} encoder;

static const encoder encoders[] = {
    {" qwen2_vl qwen2_vl_vision ", QWEN2,
     {.hidden = 1280, .n_layers = 32, .n_heads = 16, .ffn_factor = 4,
      .channels = 3, .patch = 14, .temporal = 2, .merge = 2, .out = 3584},
     {LAYER_NORM, BIASES}, .any_size = true},
    {" qwen2_5_vl qwen2_5_vl_vision ", QWEN2_5,
     {.hidden = 3584, .n_layers = 32, .n_heads = 16, .ffn = 3420, .channels = 3,
      .patch = 14, .temporal = 2, .merge = 2, .out = 3584, .window = 112},
     {RMS_NORM, BIASES, .gated_mlp = true}, .any_size = true},
    {" qwen3_vl qwen3_vl_moe qwen3_vl_vision qwen3_vl_moe_vision ", QWEN3,
     {.hidden = 1152, .n_layers = 27, .n_heads = 16, .ffn = 4304, .channels = 3,
      .patch = 16, .temporal = 2, .merge = 2, .out = 3584, .positions = 2304},
     {LAYER_NORM, BIASES}, .patch_bias = true, .any_size = true,
     .deepstack = true},
    {" qwen3_5 qwen3_5_vision qwen3_5_moe qwen3_5_moe_vision ", QWEN3,
     {.hidden = 1152, .n_layers = 27, .n_heads = 16, .ffn = 4304, .channels = 3,
      .patch = 16, .temporal = 2, .merge = 2, .out = 3584, .positions = 2304},
     {LAYER_NORM, BIASES}, .patch_bias = true, .any_size = true},
    {" clip_vision_model ", VIT,
     {.hidden = 768, .n_layers = 12, .n_heads = 12, .ffn = 3072, .channels = 3,
      .patch = 32, .image = 224},
     {LAYER_NORM, BIASES, .class_tokens = 1, .n_outer_norms = 2},
     .positions = true},
    /* Source: modeling_siglip.py: a head, unless a file says no. */
    {" siglip_vision_model ", VIT,
     {.hidden = 768, .n_layers = 12, .n_heads = 12, .ffn = 3072, .channels = 3,
      .patch = 16, .image = 224, .head = 1},
     {LAYER_NORM, BIASES, .n_outer_norms = 1}, .patch_bias = true,
     .positions = true},
    {" idefics3 idefics3_vision smolvlm_vision smolvlm ", VIT,
     {.hidden = 1152, .n_layers = 12, .n_heads = 16, .ffn = 3072, .channels = 3,
      .patch = 32, .image = 224},
     {LAYER_NORM, BIASES, .n_outer_norms = 1}, .patch_bias = true,
     .positions = true},
    {" pixtral ", VIT,
     {.hidden = 1024, .n_layers = 24, .n_heads = 16, .ffn = 4096, .channels = 3,
      .patch = 16, .image = 1024},
     {RMS_NORM, .gated_mlp = true, .n_outer_norms = 1}, .any_size = true},
    /* The class of the files with remote code has sizes of its own for what
     * they leave out (InternVL3-8B configuration_intern_vit.py). */
    {" intern_vit_6b ", INTERN,
     {.hidden = 3200, .n_layers = 48, .n_heads = 25, .ffn = 12800,
      .channels = 3, .patch = 14, .image = 224, .qk_norm = 1},
     {RMS_NORM, .o_bias = true, .mlp_bias = true, .class_tokens = 1},
     .patch_bias = true, .positions = true},
    {" internvl_vision ", INTERN,
     {.hidden = 1024, .n_layers = 24, .n_heads = 16, .ffn = 4096, .channels = 3,
      .patch = 14, .image = 448},
     {LAYER_NORM, .o_bias = true, .mlp_bias = true, .class_tokens = 1},
     .patch_bias = true, .positions = true},
    {" qwen2_audio_encoder ", WHISPER,
     {.hidden = 1280, .n_layers = 32, .n_heads = 20, .ffn = 5120,
      .channels = 128, .frames = 1500},
     {LAYER_NORM, BIASES, .no_key_bias = true, .n_outer_norms = 1,
      .is_audio = true}, .patch_bias = true},
};
/* clang-format on */

/* What is between a tower and its decoder. */
typedef enum joint {
    MERGER,       /* Qwen: norm, merged patches through an MLP */
    TWO_LINEARS,  /* LLaVA */
    TILED,        /* LLaVA-NeXT: the same, a vector behind each row */
    ONE_LINEAR,   /* PaliGemma, Qwen2-Audio */
    BARE_LINEAR,  /* Idefics3: of merged patches, without a bias */
    POOLED,       /* Gemma 3: pooled, norm, a matrix */
    PATCH_MERGER, /* Mistral 3: norm, merged patches, two linears */
    PIXEL_SHUFFLE /* InternVL: merged patches, norm, two linears */
} joint;

/* A model that has a tower. */
typedef struct bearer {
    const char *model_types; /* between blanks */
    const char *key;
    const char *encoder;  /* where its file does not say */
    const char *encoders; /* that it may have, between blanks */
    joint joint;
} bearer;

static const bearer bearers[] = {
        {" qwen2_vl ", "vision_config", "qwen2_vl",
                " qwen2_vl qwen2_vl_vision ", MERGER},
        {" qwen2_5_vl ", "vision_config", "qwen2_5_vl",
                " qwen2_5_vl qwen2_5_vl_vision ", MERGER},
        {" qwen3_vl qwen3_vl_moe ", "vision_config", "qwen3_vl",
                " qwen3_vl qwen3_vl_moe qwen3_vl_vision qwen3_vl_moe_vision ",
                MERGER},
        {" qwen3_5 qwen3_5_moe ", "vision_config", "qwen3_5_vision",
                " qwen3_5 qwen3_5_vision qwen3_5_moe qwen3_5_moe_vision ",
                MERGER},
        {" llava ", "vision_config", "clip_vision_model",
                " clip_vision_model siglip_vision_model pixtral ", TWO_LINEARS},
        {" llava_next llava_next_video llava_onevision ", "vision_config",
                "clip_vision_model", " clip_vision_model siglip_vision_model ",
                TILED},
        {" gemma3 ", "vision_config", "siglip_vision_model",
                " siglip_vision_model ", POOLED},
        {" paligemma ", "vision_config", "siglip_vision_model",
                " siglip_vision_model ", ONE_LINEAR},
        {" mistral3 ", "vision_config", "pixtral", " pixtral ", PATCH_MERGER},
        {" internvl internvl_chat ", "vision_config", "internvl_vision",
                " internvl_vision intern_vit_6b ", PIXEL_SHUFFLE},
        {" idefics3 smolvlm ", "vision_config", "idefics3_vision",
                " idefics3 idefics3_vision smolvlm_vision smolvlm ",
                BARE_LINEAR},
        {" qwen2_audio ", "audio_config", "qwen2_audio_encoder",
                " qwen2_audio_encoder ", ONE_LINEAR},
};

/* A tower while it is read. */
typedef struct reading {
    spec_reader of;   /* its own object */
    spec_reader root; /* that of the whole */
    const bearer *bearer;
    const encoder *encoder;
    sizes sizes;
    int width; /* of the decoder */
    bool known;
    p3d_tower out;
} reading;

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = strstr(list, word); n > 0 && at != NULL;
            at = strstr(at + 1, word)) {
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    }
    return false;
}

/* A number, or both of a list of two that are the same: 448, [448, 448]. */
static bool number_at(const json_value *value, double *out)
{
    double other;

    if (!json_is_array(value))
        return json_number(value, out);
    value = json_first(value);
    return value != NULL && json_number(value, out) &&
           json_next(value) != NULL && json_number(json_next(value), &other) &&
           other == *out && json_next(json_next(value)) == NULL;
}

/* A whole number, or true and false for 1 and 0; one that is absent or null
 * stays as it is. */
static bool read_number(
        const spec_reader *from, const char *key, int range[2], int *out)
{
    const json_value *const value = json_get(from->object, key);
    double number = 0;

    if (value == NULL)
        return true;
    if (!number_at(value, &number))
        number = -1;
    if (!(number >= range[0] && number <= range[1]) || floor(number) != number)
        return spec_fail_at(from, key,
                "'%s' of the tower is no whole number from %d to %d; write "
                "what its model has",
                key, range[0], range[1]);
    *out = (int)number;
    return true;
}

static bool read_sizes(reading *r)
{
    r->sizes = r->encoder->defaults;
    for (int i = 0; i < P3D_COUNT_OF(size_keys); i++) {
        const size_key *const k = &size_keys[i];
        int range[2] = {k->least, k->most};

        if ((k->encoders & r->encoder->keys) != 0 &&
                !read_number(&r->of, k->key, range,
                        (int *)(void *)((char *)&r->sizes + k->offset)))
            return false;
    }
    if (r->sizes.ffn_factor > 0)
        r->sizes.ffn = r->sizes.ffn_factor * r->sizes.hidden;
    if (r->sizes.hidden % r->sizes.n_heads != 0)
        return spec_fail_at(&r->of, "",
                "the %d heads of the tower do not divide its hidden size %d; "
                "write what its model has",
                r->sizes.n_heads, r->sizes.hidden);
    return true;
}

/* Entries of a list of layers that there are; without a list every
 * eighth from `first` to `last`, as in the classes. */
static int count_list(const reading *r, const char *key, int first, int last)
{
    enum { PERIOD = 8 };
    const json_value *const list = json_get(r->of.object, key);
    int n = 0;

    for (int i = first; i <= last && !json_is_array(list); i += PERIOD)
        n += i < r->sizes.n_layers;
    if (!json_is_array(list))
        return n;
    for (const json_value *at = json_first(list); at != NULL;
            at = json_next(at)) {
        double layer;

        n += json_number(at, &layer) && layer >= 0 && layer < r->sizes.n_layers;
    }
    return n;
}

/* Patches of pixels, or of a spectrum in two convolutions of three taps of
 * which the second takes every other frame. Source: modeling_whisper.py. */
static void set_stem(reading *r)
{
    const sizes *const s = &r->sizes;
    p3d_tower *const t = &r->out;

    if (t->is_audio) {
        t->n_stem = 2;
        t->stem[0] = (p3d_linear){3 * s->channels, s->hidden, true};
        t->stem[1] = (p3d_linear){3 * s->hidden, s->hidden, true};
        t->stem_rows[0] = 2;
        t->stem_rows[1] = 1;
        return;
    }
    t->n_stem = 1;
    t->stem[0] = (p3d_linear){s->channels * s->patch * s->patch *
                                      (s->temporal > 0 ? s->temporal : 1),
            s->hidden, r->encoder->patch_bias};
    t->stem_rows[0] = 1;
}

/* Patches of an image of a fixed size, and the table of their positions. */
static void set_tile(reading *r)
{
    const sizes *const s = &r->sizes;
    const int side = s->patch > 0 ? s->image / s->patch : 0;
    p3d_tower *const t = &r->out;

    t->learned_positions = s->positions;
    if (t->is_audio) {
        t->tile_patches = s->frames;
        t->learned_positions = s->frames;
    } else if (!r->encoder->any_size) {
        t->tile_patches = side <= MAX_TILE_SIDE ? side * side : 0;
        r->known = r->known && t->tile_patches > 0;
    }
    if (r->encoder->positions)
        t->learned_positions = t->tile_patches + t->class_tokens;
}

/* Layers of Qwen2.5-VL that see a window of so many pixels a side, but for
 * those of a list. Source: configuration_qwen2_5_vl.py. */
static void set_windows(reading *r)
{
    const int side = r->sizes.window > 0 ? r->sizes.window / r->sizes.patch : 0;

    if (side < 1 || side > MAX_TILE_SIDE)
        return;
    r->out.n_windowed =
            r->sizes.n_layers - count_list(r, "fullatt_block_indexes", 7, 31);
    r->out.window_patches = side * side;
}

static void set_layers(reading *r)
{
    const sizes *const s = &r->sizes;
    const json_value *const norm = json_get(r->of.object, "norm_type");
    p3d_tower *const t = &r->out;

    *t = r->encoder->parts;
    t->hidden = s->hidden;
    t->n_layers = s->n_layers;
    t->n_heads = s->n_heads;
    t->ffn = s->ffn;
    if (r->encoder->keys == INTERN) {
        t->qkv_bias = s->qkv_bias != 0;
        t->qk_norm = s->qk_norm != 0;
        t->layer_scales = 2 * s->hidden;
        if (json_is_string(norm))
            t->norm_weights =
                    strcmp(json_string(norm), "rms_norm") == 0 ? 1 : 2;
        /* Norms of queries and keys have one weight a channel. */
        r->known = r->known && !(t->qk_norm && t->norm_weights == 2);
    }
    r->known = r->known && s->head == 0;
}

/* Linears of two layers, as wide as the decoder behind the first. */
static p3d_projector two_linears(int in, int width, bool bias)
{
    return (p3d_projector){.n_linears = 2,
            .linear = {{in, width, bias}, {width, width, bias}}};
}

/* Mergers of Qwen: an MLP of four patches side by side, each of them behind a
 * norm; those of inner layers have the norm behind the merging. Their output is
 * as wide as the file says, also where the decoder is not. */
static bool join_merger(reading *r)
{
    const sizes *const s = &r->sizes;
    const int in = s->hidden * s->merge * s->merge;
    p3d_tower *const t = &r->out;

    t->patches_per_token = s->merge * s->merge;
    t->projector = (p3d_projector){.norm_params = s->hidden * t->norm_weights,
            .n_linears = 2,
            .linear = {{in, in, true}, {in, s->out, true}}};
    if (r->encoder->deepstack) {
        t->n_deepstack = count_list(r, "deepstack_visual_indexes", 8, 24);
        t->deepstack = t->projector;
        t->deepstack.norm_params = in * t->norm_weights;
    }
    if (s->out == r->encoder->defaults.out && s->out != r->width &&
            json_get(r->of.object, "out_hidden_size") == NULL &&
            json_get(r->of.object, "hidden_size") == NULL)
        r->known = false;
    return true;
}

/* Gemma 3 pools the patches to so many tokens a side. */
static bool join_pooled(reading *r)
{
    int range[2] = {1, 1 << 20};
    int tokens = 256;
    p3d_tower *const t = &r->out;

    if (!read_number(&r->root, "mm_tokens_per_image", range, &tokens))
        return false;
    if (t->tile_patches % tokens != 0)
        return spec_fail_at(&r->root, "mm_tokens_per_image",
                "%d patches of an image do not make %d tokens; write a number "
                "that divides them",
                t->tile_patches, tokens);
    t->patches_per_token = t->tile_patches / tokens;
    t->projector = (p3d_projector){.norm_params = t->hidden,
            .n_linears = 1,
            .linear = {{t->hidden, r->width, false}}};
    return true;
}

static bool join_patch_merger(reading *r)
{
    int side_range[2] = {1, MAX_SIDE};
    int bias_range[2] = {0, 1};
    int merge = 2;
    int bias = 0;
    p3d_tower *const t = &r->out;

    if (!read_number(&r->root, "spatial_merge_size", side_range, &merge) ||
            !read_number(
                    &r->root, "multimodal_projector_bias", bias_range, &bias))
        return false;
    t->patches_per_token = merge * merge;
    t->projector = (p3d_projector){.norm_params = t->hidden,
            .n_linears = 3,
            .linear = {{t->hidden * merge * merge, t->hidden, false},
                    {t->hidden, r->width, bias != 0},
                    {r->width, r->width, bias != 0}}};
    return true;
}

static bool join_pixel_shuffle(reading *r)
{
    const json_value *const ratio =
            json_get(r->root.object, "downsample_ratio");
    double number = 0.5;
    int side;

    if (ratio != NULL && (!json_number(ratio, &number) || !(number >= 0.1) ||
                                 !(number <= 1)))
        return spec_fail_at(&r->root, "downsample_ratio",
                "'downsample_ratio' is no number from 0.1 to 1; write 0.5");
    side = (int)lround(1 / number);
    r->out.patches_per_token = side * side;
    r->out.projector = two_linears(r->out.hidden * side * side, r->width, true);
    r->out.projector.norm_params = 2 * r->out.hidden * side * side;
    return true;
}

static bool join_bare(reading *r)
{
    int range[2] = {1, MAX_SIDE};
    int side = 2;

    if (!read_number(&r->root, "scale_factor", range, &side))
        return false;
    r->out.patches_per_token = side * side;
    r->out.projector = (p3d_projector){.n_linears = 1,
            .linear = {{r->out.hidden * side * side, r->width, false}}};
    return true;
}

static bool join_linears(reading *r, int n)
{
    int range[2] = {0, 1};
    int bias = 1;

    if (n == 2 &&
            !read_number(&r->root, "multimodal_projector_bias", range, &bias))
        return false;
    /* Pooled over two frames: modeling_qwen2_audio.py. */
    r->out.patches_per_token = r->out.is_audio ? 2 : 1;
    r->out.projector = two_linears(r->out.hidden, r->width, bias != 0);
    r->out.projector.n_linears = n;
    return true;
}

static bool join_decoder(reading *r)
{
    switch (r->bearer->joint) {
    case MERGER: return join_merger(r);
    case TWO_LINEARS:
    case TILED: return join_linears(r, 2);
    case ONE_LINEAR: return join_linears(r, 1);
    case BARE_LINEAR: return join_bare(r);
    case POOLED: return join_pooled(r);
    case PATCH_MERGER: return join_patch_merger(r);
    case PIXEL_SHUFFLE: break;
    }
    return join_pixel_shuffle(r);
}

/* Tokens of an image: those of its size, or of one of about 900 pixels a side
 * where any size is read. */
static void set_tokens(reading *r)
{
    /* Four tiles, and the whole image as a fifth: two by two of the largest
     * grids of configuration_llava_next.py. */
    enum { USUAL_TOKENS = 1024, USUAL_TILES = 5 };
    p3d_tower *const t = &r->out;

    t->image_tokens = t->tile_patches > 0
                              ? t->tile_patches / t->patches_per_token
                              : USUAL_TOKENS;
    if (r->bearer->joint == TILED) {
        t->image_tokens *= USUAL_TILES;
        t->row_end = r->width;
    }
    r->known = r->known && t->image_tokens > 0;
}

static const encoder *find_encoder(const reading *r)
{
    const json_value *const said = json_get(r->of.object, "model_type");
    const char *const name =
            json_is_string(said) ? json_string(said) : r->bearer->encoder;

    if (!has_word(r->bearer->encoders, name))
        return NULL;
    for (int i = 0; i < P3D_COUNT_OF(encoders); i++) {
        if (has_word(encoders[i].model_types, name))
            return &encoders[i];
    }
    return NULL;
}

static const bearer *find_bearer(const spec_reader *reader)
{
    const json_value *const said = json_get(reader->doc->root, "model_type");

    for (int i = 0; json_is_string(said) && i < P3D_COUNT_OF(bearers); i++) {
        if (has_word(bearers[i].model_types, json_string(said)))
            return &bearers[i];
    }
    return NULL;
}

bool spec_tower_reads_key(const char *key)
{
    for (int i = 0; i < P3D_COUNT_OF(size_keys); i++) {
        if (strcmp(size_keys[i].key, key) == 0)
            return true;
    }
    return false;
}

const char *spec_tower_key(const spec_reader *reader)
{
    const bearer *const b = find_bearer(reader);

    return b == NULL ? NULL : b->key;
}

/* More than one layer's output, or a part of the tokens, goes on to the
 * projector: parts that are not known. */
static bool takes_one_layer(const reading *r)
{
    return !json_is_array(json_get(r->root.object, "vision_feature_layer")) ||
           json_next(json_first(
                   json_get(r->root.object, "vision_feature_layer"))) == NULL;
}

static bool read_tower(reading *r, p3d_model *model)
{
    r->known = takes_one_layer(r);
    if (!read_sizes(r))
        return false;
    set_layers(r);
    set_tile(r);
    if (!r->known)
        return true;
    set_stem(r);
    set_windows(r);
    if (!join_decoder(r))
        return false;
    set_tokens(r);
    if (!r->known || !spec_tower_given(&r->out))
        return true;
    p3d_copy(r->out.key, sizeof(r->out.key), r->bearer->key);
    p3d_copy(r->out.family, sizeof(r->out.family), r->bearer->encoder);
    model->tower = r->out;
    return true;
}

bool spec_tower_read(const spec_reader *reader, p3d_model *model)
{
    const bearer *const b = find_bearer(reader);
    reading r = {.root = {.doc = reader->doc,
                         .object = reader->doc->root,
                         .err = reader->err},
            .bearer = b,
            .width = model->hidden};

    if (b == NULL)
        return true;
    r.of = r.root;
    r.of.object = json_get(reader->doc->root, b->key);
    if (!json_is_object(r.of.object))
        return true;
    snprintf(r.of.pointer, sizeof(r.of.pointer), "/%s", b->key);
    r.encoder = find_encoder(&r);
    return r.encoder == NULL || read_tower(&r, model);
}

bool spec_tower_attach(const char *text, p3d_model *model, p3d_error *err)
{
    json_doc doc = {0};
    spec_reader reader = {.doc = &doc, .err = err};

    if (!json_parse("tower", text, strlen(text), &doc, err))
        return false;
    reader.object = doc.root;
    return json_close_after(&doc, spec_tower_read(&reader, model));
}
