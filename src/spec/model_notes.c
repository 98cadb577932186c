/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_notes.c - what of a config.json is not in the model that is planned:
 * the parts beside the decoder, and keys that nothing reads. */
#include "spec/family.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "spec/tower.h"
#include "json/json.h"

/* Append a word to a list, or count it where there is no more room. */
static void note(char *list, size_t n, const char *word, int *n_more)
{
    const size_t used = strlen(list);

    if (*n_more > 0 || used + strlen(word) + 2 >= n)
        (*n_more)++;
    else
        snprintf(list + used, n - used, "%s%s", used > 0 ? ", " : "", word);
}

/* True for the objects of a multimodal model beside its decoder. */
static bool is_beside(const spec_reader *reader, const json_value *member)
{
    static const char ending[] = "_config";
    static const char *const no_parts[] = {"text_config", "llm_config",
            "language_config", "thinker_config", "quantization_config",
            "generation_config"};
    const char *const key = json_key(member);
    const size_t length = strlen(key);
    const size_t n = strlen(ending);

    if (!json_is_object(member) || length < n ||
            strcmp(key + length - n, ending) != 0)
        return false;
    for (int i = 0; i < P3D_COUNT_OF(no_parts); i++) {
        if (strcmp(no_parts[i], key) == 0)
            return false;
    }
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

void spec_note_left_out(
        const spec_reader *reader, const spec_family *family, p3d_model *model)
{
    const json_value *const quantized =
            json_get(reader->doc->root, "quantization_config");
    const json_value *const method = json_get(quantized, "quant_method");
    int n_more = 0;
    int n_beside = 0;
    const size_t n = sizeof(model->unread_keys);

    if (json_is_object(quantized))
        p3d_show(model->quantization, sizeof(model->quantization),
                json_is_string(method) ? json_string(method) : "some way");
    for (const json_value *member = json_first(reader->doc->root);
            member != NULL; member = json_next(member)) {
        if (is_beside(reader, member) &&
                strcmp(json_key(member), model->tower.key) != 0)
            note(model->not_counted, sizeof(model->not_counted),
                    json_key(member), &n_beside);
    }
    if (spec_tower_key(reader) != NULL && model->tower.hidden == 0 &&
            json_get(reader->doc->root, spec_tower_key(reader)) == NULL)
        note(model->not_counted, sizeof(model->not_counted),
                spec_tower_key(reader), &n_beside);
    for (const json_value *member = json_first(reader->object); member != NULL;
            member = json_next(member)) {
        if (!spec_family_reads_key(family, json_key(member)) &&
                !is_beside(reader, member) && !says_nothing(member) &&
                !is_so_anyway(member, model))
            note(model->unread_keys, n, json_key(member), &n_more);
    }
    if (n_more > 0)
        snprintf(model->unread_keys + strlen(model->unread_keys),
                n - strlen(model->unread_keys), ", +%d", n_more);
}
