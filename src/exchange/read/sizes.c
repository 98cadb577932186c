/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.c - what files say of the model: other sizes than those of the model
 * that is taken, and parts of layers that no table knows. */
#include "exchange/read/import_steps.h"

#include <stddef.h>
#include <string.h>

#include "base/ascii.h"

void exchange_add_doubtful(const exchange_setting *setting,
        const exchange_doubt *doubt, exchange_import *import)
{
    p3d_text line = {0};

    p3d_text_add(&line, "%.100s%s%.100s (%s)\n", setting->name,
            setting->value != NULL ? " = " : "",
            setting->value != NULL ? setting->value : "", doubt->topic);
    if (strstr(p3d_text_get(&import->doubtful), p3d_text_get(&line)) == NULL)
        p3d_text_add(&import->doubtful, "%s", p3d_text_get(&line));
    import->doubtful.failed = import->doubtful.failed || line.failed;
    p3d_text_free(&line);
}

/* Sizes that files may say otherwise: tables are padded, positions are more
 * than are used, heads of latent attention have other names, and where all
 * layers have experts none has a dense MLP. */
static bool is_free_size(const p3d_model *model, const exchange_option *option)
{
    static const char *const names[] = {"vocab-size", "max-position-embeddings",
            "kv-channels", "num-query-groups"};
    const int n = p3d_model_is_mla(model) ? 4 : 2;

    if (option->field.offset == offsetof(exchange_launch, model.ffn))
        return model->n_layers == p3d_model_count_with(model, P3D_LAYER_MOE);
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], option->field.key) == 0)
            return true;
    return false;
}

/* The attention of a latent model, where the files switch it off. */
static void note_attention(const p3d_model *model,
        const exchange_settings *settings, exchange_import *import)
{
    static const exchange_doubt attention = {
            "the model's attention", false, false};
    const exchange_setting *const said =
            exchange_settings_find(settings, "multi-latent-attention", true);

    if (said != NULL && said->value != NULL &&
            p3d_same_word(said->value, "false") && p3d_model_is_mla(model))
        exchange_add_doubtful(said, &attention, import);
}

/* One group, or one expert, is none. */
static bool is_same_size(const char *taken, const char *said)
{
    int one, other;

    memcpy(&one, taken, sizeof(one));
    memcpy(&other, said, sizeof(other));
    return one == other || (one >= 0 && one <= 1 && other >= 0 && other <= 1);
}

/* Sizes in the files that are not those of the model that is taken. */
static void note_other_sizes(const p3d_model *model,
        const exchange_settings *settings, exchange_import *import)
{
    static const exchange_doubt size = {
            "another size than the model's", false, false};
    const exchange_target *const target = import->target;
    const char *const taken = (const char *)model;
    const char *const said = (const char *)&import->launch.model;

    for (int t = 0; t < target->n_tables; t++)
        for (int i = 0; i < target->tables[t].n_options; i++) {
            const exchange_option *const option = &target->tables[t].options[i];
            const exchange_setting *setting;
            size_t at;

            if (option->kind != EXCHANGE_VALUE ||
                    !exchange_is(option, JSON_KIND_INT) ||
                    option->field.offset >= offsetof(exchange_launch, job))
                continue;
            at = option->field.offset; /* the model is the first of a launch */
            setting =
                    exchange_import_find(settings, &target->tables[t], option);
            if (setting != NULL && !is_free_size(model, option) &&
                    !is_same_size(taken + at, said + at))
                exchange_add_doubtful(setting, &size, import);
        }
}

/* Megatron-LM routed each token to one expert before core 0.5, as forks of it
 * still do (core_v0.4.0 megatron/core/transformer/switch_mlp.py); a script says
 * no version. */
static void note_router(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *import)
{
    static const char option[] = "moe-router-topk";
    const p3d_model *const m = &import->launch.model;

    if (question->front == NULL && m->n_experts > 1 &&
            question->target == &exchange_to_megatron &&
            exchange_settings_find(settings, option, true) == NULL)
        p3d_text_add(&import->unmodelled,
                "experts of a token, which the files do not say: %d are "
                "counted, and versions before core 0.5 take 1\n",
                m->top_k);
}

void exchange_note_model(const exchange_import_question *question,
        const exchange_settings *settings, exchange_import *import)
{
    if (question->model != NULL) {
        note_other_sizes(question->model, settings, import);
        note_attention(question->model, settings, import);
    } else {
        note_router(question, settings, import);
    }
}
