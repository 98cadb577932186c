/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_complete.c - what a config.json leaves out: sizes that follow from
 * others, which layers are mixtures of experts, which are windowed; and whether
 * the sizes agree. */
#include "spec/family.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/given.h"
#include "spec/sizes.h"
#include "json/field.h"
#include "json/json.h"

/* The words of a key, and which bit of a layer they decide about. */
typedef struct layer_word {
    const char *word;
    int kind; /* the bit, or 0 */
} layer_word;

enum { MOST_WORDS = 12 };

typedef struct word_key {
    const char *key;
    int bit;
    layer_word words[MOST_WORDS]; /* fewer end with NULL */
} word_key;

/* Words of models with attention alone, and of those with a mixer. */
static const word_key attention_words = {"layer_types", P3D_LAYER_WINDOWED,
        {{"full_attention", 0}, {"sliding_attention", P3D_LAYER_WINDOWED},
                {"chunked_attention", P3D_LAYER_WINDOWED},
                {"reference_sliding_attention", P3D_LAYER_WINDOWED},
                {"minimax_m3_sparse", P3D_LAYER_WINDOWED}}};

static const word_key indexed_words = {"layer_types", P3D_LAYER_WINDOWED,
        {{"indexed_attention", 0}, {"full_attention", 0}}};

static const word_key mixer_words = {"layer_types",
        P3D_LAYER_WINDOWED | P3D_LAYER_MIXER,
        {{"full_attention", 0}, {"attention", 0},
                {"sliding_attention", P3D_LAYER_WINDOWED},
                {"linear_attention", P3D_LAYER_MIXER},
                {"mamba", P3D_LAYER_MIXER}, {"conv", P3D_LAYER_MIXER}}};

/* Layers of one part each, by words and by letters. */
enum {
    MAMBA_ALONE = P3D_LAYER_MIXER | P3D_LAYER_NO_MLP,
    ATTENTION_ALONE = P3D_LAYER_NO_MLP,
    MLP_ALONE = P3D_LAYER_NO_MIXING,
    EXPERTS_ALONE = P3D_LAYER_NO_MIXING | P3D_LAYER_MOE
};

static const word_key part_words = {"layers_block_type", P3D_N_LAYER_KINDS - 1,
        {{"full_attention", ATTENTION_ALONE}, {"attention", ATTENTION_ALONE},
                {"linear_attention", MAMBA_ALONE}, {"mamba", MAMBA_ALONE},
                {"mlp", MLP_ALONE}, {"moe", EXPERTS_ALONE}}};

static const word_key part_letters = {"hybrid_override_pattern", 0,
        {{"*", ATTENTION_ALONE}, {"M", MAMBA_ALONE}, {"-", MLP_ALONE},
                {"E", EXPERTS_ALONE}}};

static const word_key local_words = {"attention_layers", P3D_LAYER_WINDOWED,
        {{"global", 0}, {"local", P3D_LAYER_WINDOWED}}};

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
        const spec_reader *reader, const char *key, bool *ok)
{
    const json_value *const array = json_get(reader->object, key);

    *ok = array == NULL || json_is_array(array) ||
          spec_fail_at(reader, key,
                  "'%s' is not a list; write [...] with layers", key);
    return *ok ? array : NULL;
}

static bool fail_element(const spec_reader *reader, const char *key, int i,
        const char *what, const char *hint)
{
    char element[128];

    snprintf(element, sizeof(element), "%s/%d", key, i);
    return spec_fail_at(reader, element, "%s; write %s", what, hint);
}

static bool read_list(
        const spec_reader *reader, const char *key, layer_list *out)
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
        const spec_reader *reader, const word_key *key, p3d_model *model)
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

/* The same of a word with a letter for each layer. */
static bool read_letters(
        const spec_reader *reader, const word_key *key, p3d_model *model)
{
    const char *const pattern = json_string(json_get(reader->object, key->key));

    for (int i = 0; i < model->n_layers && pattern[0] != '\0'; i++) {
        const char letter[] = {pattern[i], '\0'};
        const int kind = kind_of_word(key, letter);

        if (kind < 0)
            return spec_fail_at(reader, key->key,
                    "letter %d of '%.60s' is none of M, *, - and E; write one "
                    "of them for each layer",
                    i + 1, pattern);
        model->layer_kind[i] = (uint8_t)kind;
    }
    return true;
}

static bool is_moe(const spec_draft *draft, int layer)
{
    if (draft->model.n_experts == 0 || layer < draft->first_dense)
        return false;
    if (draft->moe_end > 0 && layer > draft->moe_end)
        return false;
    if (draft->moe_period > 1 && (layer + 1) % draft->moe_period != 0)
        return false;
    return draft->moe_stride <= 1 ||
           layer % draft->moe_stride == draft->moe_offset;
}

static bool is_windowed(const spec_draft *draft, int layer)
{
    const p3d_model *const model = &draft->model;

    if ((model->window == 0 && model->sparse.layout == P3D_SPARSE_NONE) ||
            layer < draft->window_first)
        return false;
    return draft->window_period == 0 || (layer + 1) % draft->window_period != 0;
}

static bool is_mixer(const spec_draft *draft, int layer)
{
    const int period = draft->attention_period;
    const int offset =
            draft->attention_offset < 0 ? period - 1 : draft->attention_offset;

    return draft->model.mixer.kind != P3D_MIXER_NONE &&
           (period == 0 || layer % period != offset);
}

/* Set or clear a bit of the layers of a list. */
static bool apply_list(const spec_reader *reader, const layer_list *list,
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
        const spec_reader *reader, const spec_family *family, p3d_model *model)
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
static bool fill_chunked(const spec_reader *reader, p3d_model *model)
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

/* One number per layer, not 0 where it has the bit, where a file has such a
 * list. */
static bool fill_flags(
        const spec_reader *reader, const char *key, int bit, p3d_model *model)
{
    layer_list list = {0};

    if (reader->object == NULL || !read_list(reader, key, &list))
        return reader->object == NULL;
    if (list.present && list.n != model->n_layers)
        return fail_element(reader, key, list.n,
                "there is not one number for each layer", "0 or 1 per layer");
    for (int i = 0; i < list.n; i++)
        model->layer_kind[i] = (uint8_t)((model->layer_kind[i] & ~bit) |
                                         (list.values[i] != 0 ? bit : 0));
    return true;
}

/* MiniMax-M3: layers with an indexer of blocks, none unless the file says it,
 * and layers with experts. Source: transformers@v5.23
 * configuration_minimax_m3_vl.py (__post_init__). */
static bool fill_chosen(const spec_reader *reader, p3d_model *model)
{
    const spec_reader inner =
            spec_reader_inside(reader, "sparse_attention_config");

    for (int i = 0; i < model->n_layers; i++)
        model->layer_kind[i] &= (uint8_t)~P3D_LAYER_WINDOWED;
    return fill_flags(&inner, "sparse_attention_freq", P3D_LAYER_WINDOWED,
                   model) &&
           fill_flags(reader, "moe_layer_freq", P3D_LAYER_MOE, model);
}

/* Layers with attention by their numbers, where a file has such a list: the
 * others have the mixer. */
static bool fill_listed(
        const spec_reader *reader, const char *key, p3d_model *model)
{
    layer_list list = {0};

    if (!read_list(reader, key, &list))
        return false;
    for (int i = 0; i < model->n_layers && list.present; i++)
        model->layer_kind[i] |= P3D_LAYER_MIXER;
    return apply_list(reader, &list, P3D_LAYER_MIXER, false, model);
}

/* Kimi: an object that has the numbers of layers, 1 for the first. */
static bool fill_counted(const spec_reader *reader, p3d_model *model)
{
    const spec_reader inner = spec_reader_inside(reader, "linear_attn_config");
    layer_list list = {0};

    if (!read_list(&inner, "full_attn_layers", &list))
        return false;
    for (int i = 0; i < list.n; i++) {
        if (list.values[i]-- == 0)
            return fail_element(&inner, list.key, i, "there is no such layer",
                    "the number of a layer, 1 for the first");
    }
    for (int i = 0; i < model->n_layers && list.present; i++)
        model->layer_kind[i] |= P3D_LAYER_MIXER;
    return apply_list(&inner, &list, P3D_LAYER_MIXER, false, model);
}

/* Which layers have attention, where the model has a mixer as well. */
static bool fill_mixers(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (draft->needs_layers &&
            json_get(reader->object, "linear_attn_config") != NULL)
        return fill_counted(reader, model);
    if (draft->needs_layers && json_get(reader->object, "layer_types") == NULL)
        return spec_fail_at(reader, "",
                "'layer_types' is missing, so that it is not known which "
                "layers have attention; write one word for each layer");
    if (!fill_listed(reader, "full_attn_idxs", model) ||
            !fill_listed(reader, "attn_layer_indices", model) ||
            !read_words(reader, &mixer_words, model))
        return false;
    for (int i = 0; i < model->n_layers; i++) {
        if ((model->layer_kind[i] & P3D_LAYER_MIXER) != 0)
            model->layer_kind[i] &= (uint8_t)~P3D_LAYER_WINDOWED;
    }
    return true;
}

/* A window as long as the longest sequence is none; no windowed layer, no
 * window, no blocks and no indexer of them. */
static bool settle_window(const spec_reader *reader, p3d_model *model)
{
    bool windowed = false;

    for (int i = 0; i < model->n_layers; i++)
        windowed |= (model->layer_kind[i] & P3D_LAYER_WINDOWED) != 0;
    if (windowed && model->sparse.layout != P3D_SPARSE_NONE)
        return true;
    if (model->sparse.layout == P3D_SPARSE_CHOSEN)
        model->index_heads = 0;
    model->sparse.layout = P3D_SPARSE_NONE;
    if (windowed && model->window == 0)
        return spec_fail_at(reader, "layer_types",
                "'layer_types' has windowed layers, but the model has no "
                "window; write \"%s\": and a number of tokens",
                spec_key_in_use(reader, offsetof(spec_draft, model.window)));
    if (windowed && model->window < model->max_positions)
        return true;
    model->window = 0;
    for (int i = 0; i < model->n_layers; i++)
        model->layer_kind[i] &= (uint8_t)~P3D_LAYER_WINDOWED;
    return true;
}

/* The last layers use keys and values of the last one before them that is as
 * they are. Source: transformers@v5.23 configuration_gemma4.py,
 * configuration_gemma3n.py (kv_sharing_modes). */
static bool fill_sharing(const spec_reader *reader, spec_draft *draft)
{
    p3d_model *const model = &draft->model;
    uint8_t *const kind = model->layer_kind;
    const int first = model->n_layers - draft->n_sharing;

    for (int i = first > 0 ? first : 0; i < model->n_layers; i++) {
        int like = first - 1;

        while (like >= 0 && kind[like] != kind[i])
            like--;
        if (like < 0)
            return spec_fail_at(reader, "num_kv_shared_layers",
                    "there is no layer before the last %d that makes keys and "
                    "values as layer %d needs; write fewer",
                    draft->n_sharing, i);
    }
    for (int i = first; i < model->n_layers; i++)
        kind[i] |= P3D_LAYER_SHARES_KV;
    return true;
}

static bool fill_layers(
        const spec_reader *reader, const spec_family *family, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if ((family->keys & P3D_KEYS_BLOCKS) != 0)
        return read_letters(reader, &part_letters, model) &&
               read_words(reader, &part_words, model);
    if ((family->keys & P3D_KEYS_USE_WINDOW) != 0 && !draft->use_window)
        model->window = 0;
    if ((family->keys & P3D_KEYS_SPARSE_STEP) != 0 &&
            json_get(reader->object, "mlp_only_layers") != NULL)
        draft->first_dense = 0; /* the list says which */
    for (int i = 0; i < model->n_layers; i++)
        model->layer_kind[i] =
                (uint8_t)((is_moe(draft, i) ? P3D_LAYER_MOE : 0) |
                          (is_windowed(draft, i) ? P3D_LAYER_WINDOWED : 0) |
                          (is_mixer(draft, i) ? P3D_LAYER_MIXER : 0));
    if (model->mixer.kind != P3D_MIXER_NONE && !fill_mixers(reader, draft))
        return false;
    if (model->n_experts > 0 && !fill_moe(reader, family, model))
        return false;
    if ((family->keys & P3D_KEYS_LLAMA4) != 0 && !fill_chunked(reader, model))
        return false;
    if ((family->keys & P3D_KEYS_CHOSEN_BLOCKS) != 0 &&
            !fill_chosen(reader, model))
        return false;
    if ((family->keys & P3D_KEYS_GPT_NEO) != 0 &&
            !read_words(reader, &local_words, model))
        return false;
    if ((family->keys & P3D_KEYS_INDEX) != 0 &&
            !read_words(reader, &indexed_words, model))
        return false;
    if ((family->keys & (P3D_KEYS_WINDOW | P3D_KEYS_LLAMA4)) != 0 &&
            model->mixer.kind == P3D_MIXER_NONE &&
            !read_words(reader, &attention_words, model))
        return false;
    if ((family->keys & P3D_KEYS_GLOBAL) != 0) /* Gemma 4's last sees all */
        model->layer_kind[model->n_layers - 1] &= (uint8_t)~P3D_LAYER_WINDOWED;
    if (!fill_sharing(reader, draft))
        return false;
    return settle_window(reader, model);
}

bool spec_model_check_limits(const p3d_model *model, p3d_error *err)
{
    for (int i = 0; i < spec_model_members.n_fields; i++) {
        const json_field *const member = &spec_model_members.fields[i];
        const double size = spec_member_value(member, model);

        if (size > member->max)
            return p3d_fail(err, P3D_DATA,
                    "the model's %s: %.0f is above %.0f, more than any model "
                    "has",
                    member->doc, size, member->max);
    }
    return true;
}

bool spec_model_check_heads(const p3d_model *m, p3d_error *err)
{
    P3D_ASSERT(m->head_dim >= 1);
    return spec_kv_heads_divide(m) ||
           p3d_fail(err, P3D_DATA,
                   "the model's %d key/value heads do not divide its %d query "
                   "heads",
                   m->n_kv_heads, m->n_heads);
}

/* The key by which the object calls a member of spec_draft. */
#define KEY_OF(reader, member) \
    spec_key_in_use(reader, offsetof(spec_draft, member))

/* What follows from the keys when the class leaves it open. */
static bool derive(
        const spec_reader *reader, const spec_family *family, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (model->ffn == 0)
        model->ffn = 4 * model->hidden;
    if (model->kv_lora_rank > 0) {
        model->head_dim = model->qk_nope_dim + model->qk_rope_dim;
        model->n_kv_heads = model->n_heads;
    }
    if (model->n_kv_heads == 0)
        model->n_kv_heads = model->n_heads;
    if (model->head_dim == 0) {
        if (!draft->floor_head_dim && model->hidden % model->n_heads != 0)
            return spec_fail_at(reader, KEY_OF(reader, model.n_heads),
                    "%d heads do not divide the hidden size %d; "
                    "write a divisor of it%s",
                    model->n_heads, model->hidden,
                    (family->keys & P3D_KEYS_HEAD_DIM) == 0
                            ? ""
                            : ", or \"head_dim\": and a number");
        model->head_dim = model->hidden / model->n_heads;
    }
    return true;
}

/* The widths of the experts; a model whose files say 0 experts is dense. */
static void derive_experts(spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (model->n_experts == 0) {
        model->top_k = model->expert_ffn = model->shared_ffn = 0;
        model->expert_groups = model->routed_groups = 0;
        model->shared_gate = model->router_bias = false;
        model->router_correction = model->expert_bias = false;
        return;
    }
    if (model->expert_ffn == 0)
        model->expert_ffn = model->ffn;
    if (draft->n_shared > 0)
        model->shared_ffn = draft->n_shared * model->expert_ffn;
    if (model->shared_ffn == 0)
        model->shared_gate = false;
}

static bool check_heads(const spec_reader *reader, const p3d_model *model)
{
    const char *const kv_heads = KEY_OF(reader, model.n_kv_heads);
    const bool written = json_get(reader->object, kv_heads) != NULL;

    return spec_kv_heads_divide(model) ||
           spec_fail_at(reader,
                   written ? kv_heads : KEY_OF(reader, model.n_heads),
                   "%d key/value heads%s do not divide %d query heads; "
                   "write \"%s\": and a divisor",
                   model->n_kv_heads,
                   written ? "" : " (the default of the class)", model->n_heads,
                   kv_heads);
}

static bool check_mixer(const spec_reader *reader, const p3d_model *model)
{
    const p3d_mixer *const x = &model->mixer;

    if (x->kind == P3D_MIXER_NONE || x->heads % x->key_heads == 0)
        return true;
    return spec_fail_at(reader, KEY_OF(reader, model.mixer.key_heads),
            "%d key heads of the mixer do not divide its %d heads; write a "
            "divisor",
            x->key_heads, x->heads);
}

static bool check_experts(const spec_reader *reader, const p3d_model *model)
{
    if (model->n_experts == 0)
        return true;
    if (model->top_k < 1 || model->top_k > model->n_experts)
        return spec_fail_at(reader, KEY_OF(reader, model.top_k),
                "a token cannot visit %d of %d experts; write 1 to %d",
                model->top_k, model->n_experts, model->n_experts);
    if (model->expert_groups > 1 &&
            (model->n_experts % model->expert_groups != 0 ||
                    model->routed_groups < 1 ||
                    model->routed_groups > model->expert_groups))
        return spec_fail_at(reader, KEY_OF(reader, model.expert_groups),
                "a token cannot visit %d of %d groups of %d experts; write a "
                "divisor of %d, and \"topk_group\": 1 to that",
                model->routed_groups, model->expert_groups, model->n_experts,
                model->n_experts);
    return model->expert_ffn <= P3D_MAX_EXPERT_FFN ||
           spec_fail_at(reader, KEY_OF(reader, model.ffn),
                   "experts of width %d are out of range; write 1 to %d",
                   model->expert_ffn, P3D_MAX_EXPERT_FFN);
}

/* What follows from the keys may be larger than what may be written. */
static bool check_limits(const spec_reader *reader, const p3d_model *model)
{
    p3d_error limit = {0};

    return spec_model_check_limits(model, &limit) ||
           spec_fail_at(reader, KEY_OF(reader, model.hidden), "%s", limit.text);
}

bool spec_complete_draft(
        const spec_reader *reader, const spec_family *family, spec_draft *draft)
{
    p3d_model *const model = &draft->model;

    if (!derive(reader, family, draft))
        return false;
    if (family->finish != NULL && !family->finish(reader, draft))
        return false;
    derive_experts(draft);
    if ((family->keys & P3D_KEYS_POSITIONS) != 0)
        model->learned_positions =
                model->max_positions + draft->extra_positions;
    return check_heads(reader, model) && check_mixer(reader, model) &&
           check_experts(reader, model) && check_limits(reader, model) &&
           fill_layers(reader, family, draft);
}
