/* SPDX-License-Identifier: GPL-3.0-or-later */
/* towers.c - scripts of LLaVA's kind: a language model and a tower by their
 * names, and which parts of both are trained.
 *
 * Names: haotian-liu/LLaVA@c121f043 llava/train/train.py, llava/model/
 * multimodal_projector/builder.py; LLaVA-NeXT@df179663 llava/train/train.py;
 * TinyLLaVA_Factory tinyllava/utils/arguments.py; VILA llava/train/args.py;
 * Qwen2-VL-Finetune src/params.py; Qwen3-VL qwen-vl-finetune/qwenvl/train/
 * argument.py; InternVL@2410d1db internvl_chat/internvl/train/
 * internvl_chat_finetune.py; MiniCPM-V finetune/finetune.py; VLM-R1
 * src/open-r1-multimodal; LLaMA-Factory 0.9.5 hparams/finetuning_args.py;
 * ms-swift 4.6.0 arguments/tuner_args.py; NVIDIA-NeMo/Megatron-Bridge@03619215
 * models/qwen_vl/qwen25_vl_provider.py. Sizes of towers: the vision_config of
 * the config.json on huggingface.co of each name. */
#include "exchange/read/import_steps.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/tower.h"

#define CLIP_L(image)                                                         \
    "{\"model_type\": \"clip_vision_model\", \"hidden_size\": 1024, "         \
    "\"intermediate_size\": 4096, \"num_hidden_layers\": 24, "                \
    "\"num_attention_heads\": 16, \"patch_size\": 14, \"image_size\": " image \
    "}"
#define SIGLIP(hidden, ffn, layers, heads, patch, image)                   \
    "{\"model_type\": \"siglip_vision_model\", \"vision_use_head\": "      \
    "false, \"hidden_size\": " hidden ", \"intermediate_size\": " ffn      \
    ", \"num_hidden_layers\": " layers ", \"num_attention_heads\": " heads \
    ", \"patch_size\": " patch ", \"image_size\": " image "}"
#define SO400M(patch, image) SIGLIP("1152", "4304", "27", "16", patch, image)

static const struct {
    const char *name;
    const char *config;
} towers[] = {{"clip-vit-large-patch14-336", CLIP_L("336")},
        {"clip-vit-large-patch14", CLIP_L("224")},
        {"siglip-so400m-patch14-384", SO400M("14", "384")},
        {"siglip-so400m-patch14-224", SO400M("14", "224")},
        {"siglip2-so400m-patch14-384", SO400M("14", "384")},
        {"siglip2-so400m-patch14-224", SO400M("14", "224")},
        {"siglip2-so400m-patch16-384", SO400M("16", "384")},
        {"siglip2-so400m-patch16-512", SO400M("16", "512")},
        {"siglip-base-patch16-224",
                SIGLIP("768", "3072", "12", "12", "16", "224")},
        {"siglip-base-patch16-384",
                SIGLIP("768", "3072", "12", "12", "16", "384")},
        {"siglip-large-patch16-384",
                SIGLIP("1024", "4096", "24", "16", "16", "384")}};

/* Projectors by their names, and the model of Hugging Face that has one. */
static const struct {
    const char *name;
    const char *model_type;
} projectors[] = {{"mlp2x_gelu", "llava"}, {"linear", "paligemma"}};

/* The setting, unless it is off. */
static exchange_setting *find_said(
        exchange_settings *settings, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        exchange_setting *const one =
                exchange_settings_find(settings, names[i], true);

        if (one != NULL && one->value != NULL)
            return one;
    }
    return NULL;
}

static const char *projector_of(exchange_setting *said)
{
    if (said == NULL)
        return projectors[1].model_type; /* LLaVA's own, of one matrix */
    for (int i = 0; i < P3D_COUNT_OF(projectors); i++)
        if (p3d_same_word(projectors[i].name, said->value))
            return projectors[i].model_type;
    return NULL;
}

static const char *config_of(const char *value)
{
    const char *const name = p3d_last_part(value);

    for (int i = 0; i < P3D_COUNT_OF(towers); i++)
        if (p3d_same_word(towers[i].name, name))
            return towers[i].config;
    return NULL;
}

/* Images that are cut to tiles are more tokens than one image. */
static void use_whole_images(exchange_settings *settings)
{
    static const char *const whole[] = {"pad", "square", "resize", "none"};
    exchange_setting *const said =
            exchange_settings_find(settings, "image_aspect_ratio", true);

    for (int i = 0;
            said != NULL && said->value != NULL && i < P3D_COUNT_OF(whole); i++)
        said->used = said->used || p3d_same_word(whole[i], said->value);
}

bool exchange_add_tower(
        exchange_settings *settings, p3d_model *model, p3d_error *err)
{
    static const char *const tower_names[] = {"vision_tower"};
    static const char *const joint_names[] = {
            "mm_projector_type", "connector_type"};
    enum { MAX_TEXT = 512 };
    exchange_setting *const tower =
            find_said(settings, tower_names, P3D_COUNT_OF(tower_names));
    exchange_setting *const joint =
            find_said(settings, joint_names, P3D_COUNT_OF(joint_names));
    const char *const config = tower != NULL ? config_of(tower->value) : NULL;
    const char *const type = config != NULL ? projector_of(joint) : NULL;
    char text[MAX_TEXT];

    use_whole_images(settings);
    if (type == NULL || model->tower.hidden > 0)
        return true;
    snprintf(text, sizeof(text),
            "{\"model_type\": \"%s\", \"vision_config\": %s}", type, config);
    if (!spec_tower_attach(text, model, err))
        return false;
    if (model->tower.hidden == 0)
        return true; /* no model of Hugging Face has both */
    exchange_settings_use(settings, tower->name, true);
    if (joint != NULL)
        exchange_settings_use(settings, joint->name, true);
    return true;
}

enum {
    TOWERS = P3D_PART_VISION | P3D_PART_AUDIO,
    LANGUAGE = P3D_PART_EMBEDDINGS | P3D_PART_ATTENTION | P3D_PART_MLP |
               P3D_PART_EXPERTS | P3D_PART_ROUTER | P3D_PART_NORMS |
               P3D_PART_HEAD,
    ALL = TOWERS | P3D_PART_PROJECTOR | LANGUAGE
};

/* Switches that freeze parts, or train them. */
static const struct {
    const char *name;
    unsigned parts;
    bool trains;
    const char *with; /* an option that must be said; NULL = none */
} switches[] = {{"freeze_vision_tower", TOWERS, false, NULL},
        {"freeze_vit", TOWERS, false, NULL},
        {"freeze_vision_model", TOWERS, false, NULL},
        {"freeze_vision_modules", TOWERS, false, NULL},
        {"freeze_audio_tower", P3D_PART_AUDIO, false, NULL},
        {"freeze_embeddings", P3D_PART_EMBEDDINGS, false, NULL},
        {"freeze_multi_modal_projector", P3D_PART_PROJECTOR, false, NULL},
        {"freeze_aligner", P3D_PART_PROJECTOR, false, NULL},
        {"freeze_merger", P3D_PART_PROJECTOR, false, NULL},
        {"freeze_mlp", P3D_PART_PROJECTOR, false, "force_image_size"},
        {"freeze_backbone", TOWERS, false, "force_image_size"},
        {"freeze_mm_mlp_adapter", P3D_PART_PROJECTOR, false, NULL},
        {"freeze_vision_projection", P3D_PART_PROJECTOR, false, NULL},
        {"freeze_language_model", LANGUAGE, false, NULL},
        {"freeze_llm", LANGUAGE, false, NULL},
        {"unfreeze_mm_vision_tower", TOWERS, true, NULL},
        {"tune_vision_tower", TOWERS, true, NULL},
        {"tune_mm_vision", TOWERS, true, NULL},
        {"tune_vision", TOWERS, true, NULL},
        {"tune_mm_projector", P3D_PART_PROJECTOR, true, NULL},
        {"tune_mm_mlp", P3D_PART_PROJECTOR, true, NULL},
        {"tune_language_model", LANGUAGE, true, NULL},
        {"tune_mm_llm", LANGUAGE, true, NULL},
        {"tune_llm", LANGUAGE, true, NULL}};

/* Words for how a part is trained: TinyLLaVA's. */
static const struct {
    const char *name;
    unsigned parts;
} kinds[] = {{"tune_type_vision_tower", TOWERS},
        {"tune_type_connector", P3D_PART_PROJECTOR},
        {"tune_type_llm", LANGUAGE}};

/* The last part of a name. */
static bool is_named(const char *full, const char *name)
{
    const char *const dot = strrchr(full, '.');

    return exchange_same_name(dot != NULL ? dot + 1 : full, name, true);
}

static bool is_on(const exchange_setting *setting)
{
    static const char *const no[] = {
            "false", "no", "off", "none", "null", "0", ""};

    for (int i = 0; setting->value != NULL && i < P3D_COUNT_OF(no); i++)
        if (p3d_same_word(no[i], setting->value))
            return false;
    return true;
}

/* What is known while settings are read. */
typedef struct parts {
    unsigned frozen;
    unsigned said;
} parts;

static void set(parts *p, unsigned which, bool trained)
{
    p->frozen = trained ? p->frozen & ~which : p->frozen | which;
    p->said |= which;
}

static void read_switches(
        exchange_settings *settings, exchange_setting *setting, parts *p)
{
    for (int k = 0; k < P3D_COUNT_OF(switches); k++)
        if (is_named(setting->name, switches[k].name) &&
                (switches[k].with == NULL ||
                        exchange_settings_find(
                                settings, switches[k].with, true) != NULL)) {
            set(p, switches[k].parts, is_on(setting) == switches[k].trains);
            setting->used = true;
        }
}

static void read_kinds(exchange_setting *setting, parts *p)
{
    for (int k = 0; k < P3D_COUNT_OF(kinds); k++) {
        const char *const value = setting->value != NULL ? setting->value : "";
        const bool frozen = p3d_same_word(value, "frozen");

        if (is_named(setting->name, kinds[k].name) &&
                (frozen || p3d_same_word(value, "full"))) {
            set(p, kinds[k].parts, !frozen);
            setting->used = true;
        }
    }
}

/* LLaVA's stage that aligns, and the list of parts of LLaVA-NeXT: all else is
 * frozen. */
static void read_list(exchange_setting *setting, parts *p)
{
    static const struct {
        const char *word;
        unsigned parts;
    } words[] = {{"mm_vision_tower", TOWERS},
            {"mm_mlp_adapter", P3D_PART_PROJECTOR},
            {"mm_language_model", LANGUAGE}};
    const char *const value = setting->value != NULL ? setting->value : "";

    if (is_named(setting->name, "tune_mm_mlp_adapter")) {
        if (is_on(setting))
            *p = (parts){
                    .frozen = ALL & ~(unsigned)P3D_PART_PROJECTOR, .said = ALL};
        setting->used = true;
    }
    if (!is_named(setting->name, "mm_tunable_parts"))
        return;
    *p = (parts){.frozen = ALL, .said = ALL};
    for (int k = 0; k < P3D_COUNT_OF(words); k++)
        if (strstr(value, words[k].word) != NULL)
            p->frozen &= ~words[k].parts;
    setting->used = strstr(value, "resampler") == NULL;
}

/* Programs that freeze the tower where nothing is said, and some of them what
 * is behind it. */
static unsigned frozen_by(const char *program, exchange_settings *settings)
{
    if (strncmp(program, "LLaMA-Factory", 13) == 0 ||
            strstr(program, "ms-swift") != NULL)
        return TOWERS | P3D_PART_PROJECTOR;
    return exchange_settings_find(settings, "vision_tower", true) != NULL
                   ? TOWERS
                   : 0;
}

/* axolotl's patterns of names, the only ones that are trained: utils/freeze.py
 * (freeze_layers_except). Those of single layers stay in doubt. */
static unsigned parts_of(const char *pattern)
{
    static const struct {
        const char *word;
        unsigned parts;
    } words[] = {
            {"model.language_model.*", LANGUAGE & ~(unsigned)P3D_PART_HEAD},
            {"language_model.model.*", LANGUAGE & ~(unsigned)P3D_PART_HEAD},
            {"lm_head.*", P3D_PART_HEAD}, {"lm_head.weight", P3D_PART_HEAD},
            {"model.embed_tokens.weight", P3D_PART_EMBEDDINGS},
            {"model.visual.*", TOWERS | P3D_PART_PROJECTOR}};
    const char *const at = pattern + (pattern[0] == '^');
    const size_t n = strlen(at) - (at[0] != '\0' && at[strlen(at) - 1] == '$');

    for (int i = 0; i < P3D_COUNT_OF(words); i++)
        if (strlen(words[i].word) == n && strncmp(words[i].word, at, n) == 0)
            return words[i].parts;
    return 0;
}

/* With adapters, the patterns are of the model around which these are. */
static void read_unfrozen(exchange_settings *settings, parts *p)
{
    static const char name[] = "unfrozen_parameters.";
    unsigned trained = 0;

    if (exchange_settings_find(settings, "adapter", true) != NULL)
        return;
    for (int i = 0; i < settings->n; i++) {
        const exchange_setting *const one = &settings->at[i];

        if (strncmp(one->name, name, strlen(name)) != 0)
            continue;
        if (one->value == NULL || parts_of(one->value) == 0)
            return;
        trained |= parts_of(one->value);
    }
    if (trained == 0)
        return;
    *p = (parts){.frozen = ALL & ~trained, .said = ALL};
    for (int i = 0; i < settings->n; i++)
        if (strncmp(settings->at[i].name, name, strlen(name)) == 0)
            settings->at[i].used = true;
}

exchange_tower_parts exchange_read_towers(
        exchange_settings *settings, const char *program)
{
    const unsigned by_itself = frozen_by(program, settings);
    parts p = {.frozen = by_itself};

    for (int i = 0; i < settings->n; i++) {
        read_switches(settings, &settings->at[i], &p);
        read_kinds(&settings->at[i], &p);
        read_list(&settings->at[i], &p);
    }
    read_unfrozen(settings, &p);
    return (exchange_tower_parts){.frozen = p.frozen,
            .by_itself = by_itself & p.frozen & ~p.said,
            .trained = p.said & ~p.frozen};
}
