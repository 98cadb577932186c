/* SPDX-License-Identifier: GPL-3.0-or-later */
/* left_out.c - what of a config.json is not in the model that is planned: the
 * parts beside the decoder, and keys that nothing reads, wherever they stand.
 *
 * A key is known where it is read, or where it is in a list of those that
 * change no size: of decoders (family_keys.c), of what is around a decoder and
 * its tower, of a tower. */
#include "spec/family.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "spec/tower.h"
#include "json/json.h"

/* clang-format off */
/* Of the configuration around a decoder. Source: transformers@v5.0 src/
 * transformers/models (configuration of each model with a tower); OpenGVLab/
 * InternVL3-8B configuration_internvl_chat.py. */
static const char *const outer_keys[] = {
    "_attn_implementation_autoset", "_name_or_path", "audio_config",
    "downsample_ratio", "image_grid_pinpoints",
    "vision_aspect_ratio",
    "dynamic_image_size", "force_image_size", "ignore_index",
    "image_seq_length", "image_token", "is_encoder_decoder",
    "max_dynamic_patch", "min_dynamic_patch", "multimodal_projector_bias",
    "pad2square", "projection_dim", "projector_hidden_act", "ps_version",
    "scale_factor", "select_layer", "spatial_merge_size", "system_message",
    "template", "use_backbone_lora", "use_llm_lora", "use_thumbnail",
    "vision_feature_layer", "vision_feature_select_strategy",
};

/* Of a tower. Source: as above. */
static const char *const tower_keys[] = {
    "_attn_implementation_autoset", "activation_dropout",
    "activation_function", "architectures", "attention_dropout",
    "deepstack_visual_indexes", "drop_path_rate", "dropout", "dtype",
    "encoder_layerdrop", "fullatt_block_indexes", "head_dim", "hidden_act",
    "hidden_activation", "hidden_dropout_prob", "initializer_factor",
    "initializer_range", "layer_norm_eps", "layer_scale_init_value",
    "model_type", "norm_type", "num_hidden_layers", "num_image_tokens",
    "projection_dim", "projection_dropout", "rms_norm_eps", "rope_parameters",
    "rope_theta", "scale_embedding", "spatial_patch_size", "tokens_per_second",
    "torch_dtype", "use_absolute_position_embeddings", "use_bfloat16",
    "use_flash_attn", "use_mask_token", "use_mean_pooling", "vocab_size",
};
/* clang-format on */

/* Keys under which multimodal models nest their decoder. */
static const char *const nesting_keys[] = {
        "text_config", "llm_config", "language_config", "thinker_config"};

static bool is_one_of(const char *const *words, int n, const char *key)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(words[i], key) == 0)
            return true;
    }
    return false;
}

static bool has_ending(const char *key, const char *ending)
{
    const size_t length = strlen(key);
    const size_t n = strlen(ending);

    return length >= n && strcmp(key + length - n, ending) == 0;
}

/* Numbers of tokens that mean something change no size. */
static bool is_token(const char *key)
{
    return has_ending(key, "_token_id") || has_ending(key, "_token_index");
}

bool spec_outer_knows_key(const char *key)
{
    return is_token(key) || spec_family_knows_key(key, NULL) ||
           is_one_of(outer_keys, P3D_COUNT_OF(outer_keys), key) ||
           is_one_of(nesting_keys, P3D_COUNT_OF(nesting_keys), key);
}

bool spec_tower_knows_key(const char *key)
{
    return is_token(key) || spec_tower_reads_key(key) ||
           is_one_of(tower_keys, P3D_COUNT_OF(tower_keys), key);
}

/* What is left out, as it is found. */
typedef struct finds {
    const spec_reader *reader;
    p3d_model *model;
    int n_beside, n_more; /* that there was no room for */
} finds;

/* Append a word to a list, or count it where there is no more room. */
static void note(char *list, size_t n, const char *word, int *n_more)
{
    const size_t used = strlen(list);

    if (*n_more > 0 || used + strlen(word) + 2 >= n)
        (*n_more)++;
    else
        snprintf(list + used, n - used, "%s%s", used > 0 ? ", " : "", word);
}

static void note_beside(finds *f, const char *key)
{
    note(f->model->not_counted, sizeof(f->model->not_counted), key,
            &f->n_beside);
}

/* A key that nobody reads, and the object that has it. */
static void note_unread(finds *f, const char *place, const char *key)
{
    char word[128];

    snprintf(word, sizeof(word), "%.40s%s%.80s", place,
            place[0] != '\0' ? "." : "", key);
    note(f->model->unread_keys, sizeof(f->model->unread_keys), word,
            &f->n_more);
}

/* True for the objects of a multimodal model beside its decoder. */
static bool is_beside(const spec_reader *reader, const json_value *member)
{
    static const char *const no_parts[] = {"quantization_config",
            "generation_config", "linear_attn_config",
            "sparse_attention_config"};
    const char *const key = json_key(member);

    if (!json_is_object(member) || !has_ending(key, "_config") ||
            is_one_of(nesting_keys, P3D_COUNT_OF(nesting_keys), key) ||
            is_one_of(no_parts, P3D_COUNT_OF(no_parts), key))
        return false;
    return reader->nested || strncmp(key, "vision", strlen("vision")) == 0 ||
           strncmp(key, "audio", strlen("audio")) == 0;
}

/* True for null, false, 0 and what is empty: they ask for nothing. */
static bool says_nothing(const json_value *member)
{
    double number;

    if (json_number(member, &number))
        return number == 0;
    if (json_is_string(member))
        return json_string(member)[0] == '\0';
    if (json_is_array(member) || json_is_object(member))
        return json_first(member) == NULL;
    return true; /* null */
}

/* Keys whose value the model has without reading them: that heads are as many
 * as they are, or nothing where keys are latent. */
static bool is_so_anyway(const json_value *member, const p3d_model *model)
{
    const struct {
        const char *key;
        int value;
    } known[] = {{"num_key_value_heads", model->n_kv_heads},
            {"head_dim", model->head_dim}};
    double number;

    for (int i = 0; i < P3D_COUNT_OF(known); i++) {
        if (strcmp(json_key(member), known[i].key) == 0)
            return model->kv_lora_rank > 0 ||
                   (json_number(member, &number) && number == known[i].value);
    }
    return false;
}

/* What stands around the decoder: other parts, and their keys. */
static void look_around(finds *f, const json_value *object, const char *place)
{
    for (const json_value *member = json_first(object); member != NULL;
            member = json_next(member)) {
        const char *const key = json_key(member);

        if (is_beside(f->reader, member)) {
            if (strcmp(key, f->model->tower.key) != 0)
                note_beside(f, key);
        } else if (!spec_outer_knows_key(key) && !says_nothing(member)) {
            note_unread(f, place, key);
        }
    }
}

/* The object that an object nests its decoder in, or NULL. */
static const json_value *nested_in(const json_value *object)
{
    for (int i = 0; i < P3D_COUNT_OF(nesting_keys); i++) {
        const json_value *const inner = json_get(object, nesting_keys[i]);

        if (json_is_object(inner))
            return inner;
    }
    return NULL;
}

static void look_at_decoder(finds *f, const spec_family *family)
{
    for (const json_value *member = json_first(f->reader->object);
            member != NULL; member = json_next(member)) {
        const char *const key = json_key(member);

        if (is_beside(f->reader, member)) {
            if (strcmp(key, f->model->tower.key) != 0)
                note_beside(f, key);
        } else if (!spec_family_reads_key(family, key) && !is_token(key) &&
                   !says_nothing(member) && !is_so_anyway(member, f->model)) {
            note_unread(f, "", key);
        }
    }
}

static void look_at_tower(finds *f)
{
    const char *const place = f->model->tower.key;
    const json_value *const tower = json_get(f->reader->doc->root, place);

    for (const json_value *member = json_first(tower);
            tower != NULL && member != NULL; member = json_next(member)) {
        if (!spec_tower_knows_key(json_key(member)) && !says_nothing(member))
            note_unread(f, place, json_key(member));
    }
}

void spec_note_left_out(
        const spec_reader *reader, const spec_family *family, p3d_model *model)
{
    const json_value *const root = reader->doc->root;
    const json_value *const quantized = json_get(root, "quantization_config");
    const json_value *const method = json_get(quantized, "quant_method");
    const size_t n = sizeof(model->unread_keys);
    const char *const tower = spec_tower_key(reader);
    const char *place = "";
    finds f = {reader, model, 0, 0};

    if (json_is_object(quantized))
        p3d_show(model->quantization, sizeof(model->quantization),
                json_is_string(method) ? json_string(method) : "some way");
    for (const json_value *at = root; at != NULL && at != reader->object;
            at = nested_in(at)) {
        look_around(&f, at, place);
        place = "thinker_config"; /* the one that nests another */
    }
    look_at_decoder(&f, family);
    if (model->tower.hidden > 0)
        look_at_tower(&f);
    if (model->cross_width > 0)
        note_beside(&f, "its encoder");
    if (tower != NULL && model->tower.hidden == 0 &&
            json_get(root, tower) == NULL)
        note_beside(&f, tower);
    if (f.n_more > 0)
        snprintf(model->unread_keys + strlen(model->unread_keys),
                n - strlen(model->unread_keys), ", +%d", f.n_more);
}
