/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_layers.c - which layers are mixtures of experts, which are windowed. */
#include <stdio.h>
#include <string.h>

#include "spec/family.h"

/* The words of a key, and which bit of a layer they decide about. */
typedef struct layer_word {
    const char *word;
    int kind; /* the bit, or 0 */
} layer_word;

enum { MOST_WORDS = 3 };

typedef struct word_key {
    const char *key;
    int bit;
    layer_word words[MOST_WORDS]; /* fewer end with NULL */
} word_key;

static const word_key attention_words = {"layer_types", P3D_LAYER_WINDOWED,
        {{"full_attention", 0}, {"sliding_attention", P3D_LAYER_WINDOWED},
                {"chunked_attention", P3D_LAYER_WINDOWED}}};

static const word_key mlp_words = {"mlp_layer_types", P3D_LAYER_MOE,
        {{"dense", 0}, {"sparse", P3D_LAYER_MOE}}};

/* A list of one number per layer, or of the numbers of some layers. */
typedef struct layer_list {
    const char *key;
    bool present;
    int n;
    int values[P3D_MAX_LAYERS];
} layer_list;

static const json_value *find_array(
        const p3d_reader *reader, const char *key, bool *ok)
{
    const json_value *const array = json_get(reader->object, key);
    char pointer[160];

    *ok = array == NULL || json_is_array(array);
    if (!*ok)
        json_fail(reader->doc,
                spec_pointer_to(reader, key, pointer, sizeof(pointer)),
                reader->err, "'%s' is not a list; write [...] with layers",
                key);
    return *ok ? array : NULL;
}

static bool fail_element(const p3d_reader *reader, const char *key, int i,
        const char *what, const char *hint)
{
    char pointer[160];

    snprintf(pointer, sizeof(pointer), "%s/%s/%d", reader->pointer, key, i);
    return json_fail(
            reader->doc, pointer, reader->err, "%s; write %s", what, hint);
}

static bool read_list(
        const p3d_reader *reader, const char *key, layer_list *out)
{
    bool ok;
    const json_value *const array = find_array(reader, key, &ok);

    out->key = key;
    if (array == NULL)
        return ok;
    out->present = true;
    for (const json_value *item = json_first(array); item != NULL;
            item = json_next(item)) {
        double value;

        if (out->n == P3D_MAX_LAYERS)
            return fail_element(reader, key, out->n, "this list is too long",
                    "one number per layer");
        if (!json_number(item, &value) || value < 0 ||
                value >= P3D_MAX_LAYERS || value != (int)value)
            return fail_element(reader, key, out->n,
                    "this is not the number of a layer",
                    "a whole number, 0 for the first layer");
        out->values[out->n++] = (int)value;
    }
    return true;
}

/* Bit of one word, or -1. */
static int kind_of_word(const word_key *key, const char *word)
{
    for (int i = 0; i < MOST_WORDS && key->words[i].word != NULL; i++) {
        if (strcmp(key->words[i].word, word) == 0)
            return key->words[i].kind;
    }
    return -1;
}

/* Let a list of words, one per layer, decide about one bit. */
static bool read_words(
        const p3d_reader *reader, const word_key *key, p3d_model *model)
{
    bool ok;
    const json_value *const array = find_array(reader, key->key, &ok);
    const json_value *item;
    char text[128];
    int i = 0;

    if (array == NULL)
        return ok;
    for (item = json_first(array); item != NULL; item = json_next(item)) {
        const int kind = kind_of_word(key, json_string(item));

        if (i == model->n_layers)
            break;
        if (kind < 0) {
            snprintf(text, sizeof(text),
                    "'%.60s' is a kind of layer that "
                    "plan3d cannot plan",
                    json_string(item));
            return fail_element(reader, key->key, i, text, key->words[0].word);
        }
        model->layer_kind[i] =
                (uint8_t)((model->layer_kind[i] & ~key->bit) | kind);
        i++;
    }
    if (item == NULL && i == model->n_layers)
        return true;
    snprintf(text, sizeof(text), "'%s' does not have %d words", key->key,
            model->n_layers);
    return fail_element(reader, key->key, i, text, "one word for each layer");
}

static bool is_moe(const p3d_draft *draft, int layer)
{
    if (draft->model.n_experts == 0 || layer < draft->first_dense)
        return false;
    if (draft->moe_period > 1 && (layer + 1) % draft->moe_period != 0)
        return false;
    return draft->moe_stride <= 1 || layer % draft->moe_stride == 0;
}

static bool is_windowed(const p3d_draft *draft, int layer)
{
    if (draft->model.window == 0 || layer < draft->window_first)
        return false;
    return draft->window_period == 0 || (layer + 1) % draft->window_period != 0;
}

/* Set or clear a bit of the layers of a list. */
static bool apply_list(const p3d_reader *reader, const layer_list *list,
        int bit, bool set, p3d_model *model)
{
    for (int i = 0; i < list->n; i++) {
        uint8_t *kind = &model->layer_kind[list->values[i]];

        if (list->values[i] >= model->n_layers)
            return fail_element(reader, list->key, i, "there is no such layer",
                    "the number of a layer, 0 for the first");
        *kind = (uint8_t)(set ? *kind | bit : *kind & ~bit);
    }
    return true;
}

static bool fill_moe(
        const p3d_reader *reader, const p3d_family *family, p3d_model *model)
{
    layer_list dense = {0};
    layer_list moe = {0};

    if ((family->keys & P3D_KEYS_SPARSE_STEP) != 0 &&
            !(read_list(reader, "mlp_only_layers", &dense) &&
                    apply_list(reader, &dense, P3D_LAYER_MOE, false, model)))
        return false;
    if ((family->keys & P3D_KEYS_LLAMA4) != 0 &&
            !read_list(reader, "moe_layers", &moe))
        return false;
    if (moe.present) {
        for (int i = 0; i < model->n_layers; i++)
            model->layer_kind[i] &= (uint8_t)~P3D_LAYER_MOE;
        if (!apply_list(reader, &moe, P3D_LAYER_MOE, true, model))
            return false;
    }
    return read_words(reader, &mlp_words, model);
}

/* Llama 4: one number per layer, 1 where attention stays within a chunk. */
static bool fill_chunked(const p3d_reader *reader, p3d_model *model)
{
    layer_list list = {0};

    if (!read_list(reader, "no_rope_layers", &list))
        return false;
    if (list.n == 0)
        return true;
    if (list.n != model->n_layers)
        return fail_element(reader, "no_rope_layers", list.n,
                "there is not one number for each layer", "0 or 1 per layer");
    for (int i = 0; i < list.n; i++) {
        const int bit = list.values[i] != 0 && model->window > 0
                                ? P3D_LAYER_WINDOWED
                                : 0;

        model->layer_kind[i] =
                (uint8_t)((model->layer_kind[i] & ~P3D_LAYER_WINDOWED) | bit);
    }
    return true;
}

/* A window as long as the longest sequence is none; no windowed layer, no
 * window. */
static bool settle_window(const p3d_reader *reader, p3d_model *model)
{
    bool windowed = false;
    char pointer[160];

    for (int i = 0; i < model->n_layers; i++)
        windowed |= (model->layer_kind[i] & P3D_LAYER_WINDOWED) != 0;
    if (windowed && model->window == 0)
        return json_fail(reader->doc,
                spec_pointer_to(
                        reader, "layer_types", pointer, sizeof(pointer)),
                reader->err,
                "'layer_types' has windowed layers, but the model has no "
                "window; write \"%s\": and a number of tokens",
                spec_key_in_use(reader, offsetof(p3d_draft, model.window)));
    if (windowed && model->window < model->max_positions)
        return true;
    model->window = 0;
    for (int i = 0; i < model->n_layers; i++)
        model->layer_kind[i] &= (uint8_t)~P3D_LAYER_WINDOWED;
    return true;
}

bool spec_fill_layers(
        const p3d_reader *reader, const p3d_family *family, p3d_draft *draft)
{
    p3d_model *const model = &draft->model;

    if ((family->keys & P3D_KEYS_USE_WINDOW) != 0 && !draft->use_window)
        model->window = 0;
    for (int i = 0; i < model->n_layers; i++)
        model->layer_kind[i] =
                (uint8_t)((is_moe(draft, i) ? P3D_LAYER_MOE : 0) |
                          (is_windowed(draft, i) ? P3D_LAYER_WINDOWED : 0));
    if (model->n_experts > 0 && !fill_moe(reader, family, model))
        return false;
    if ((family->keys & P3D_KEYS_LLAMA4) != 0 && !fill_chunked(reader, model))
        return false;
    if ((family->keys & (P3D_KEYS_WINDOW | P3D_KEYS_LLAMA4)) != 0 &&
            !read_words(reader, &attention_words, model))
        return false;
    return settle_window(reader, model);
}
