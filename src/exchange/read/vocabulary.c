/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vocabulary.c - vocabularies of tokenizers that files name. */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "exchange/read/front.h"
#include "exchange/read/model_word.h"
#include "plan3d/model.h"

/* Options with a tokenizer, by its name or its file. */
static const char *const options[] = {"tokenizer-model",
        "tokenizer-name-or-path", "tokenizer.model", "tokenizer.type",
        "tokenizer_path"};

/* Files of tokenizers, which carry the name of no model of today.
 *
 * nvidia/Minitron-4B-Base config.json (the tokenizer of Nemotron-4);
 * meta-llama/Llama-2-7b-hf config.json; NeMo-Framework-Launcher@26e42fa9
 * launcher_scripts/conf/training/llama (llama_tokenizer.model is the one of
 * Llama 1 and 2); google-t5/t5-small tokenizer.json; EleutherAI/gpt-neox-20b
 * tokenizer.json. */
static const struct {
    const char *part; /* of its name, in small letters */
    int vocabulary;
} files[] = {{"nemotron_2_256k", 256000}, {"llama_tokenizer.model", 32000},
        {"gpt2-vocab", 50257}, {"t5-small", 32100}, {"20b_tokenizer", 50277}};

static bool contains(const char *value, const char *part)
{
    const size_t n = strlen(part);

    for (; *value != '\0'; value++) {
        size_t i = 0;

        while (i < n && p3d_lower(value[i]) == part[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* A name as those of the Hugging Face Hub, and no file. */
static bool is_hub_name(const char *value)
{
    const char *const slash = strchr(value, '/');

    return slash != NULL && slash != value && value[0] != '.' &&
           strchr(slash + 1, '/') == NULL && strpbrk(value, "$`<") == NULL &&
           strstr(slash, ".model") == NULL && strstr(slash, ".json") == NULL;
}

/* "Meta-Llama-3-8B/tokenizer.json": the folder may have a model's name. It is
 * its whole name, as many folders are cut short.
 * @return length of what is before the file; 0 = it is none of a tokenizer */
static size_t folder_length(const char *value)
{
    static const char *const ends[] = {"/tokenizer.json", "/tokenizer.model"};
    const size_t n = strlen(value), inner = strlen("/tokenizer");

    for (int i = 0; i < P3D_COUNT_OF(ends); i++) {
        const size_t end = strlen(ends[i]);

        if (n > end && strcmp(value + n - end, ends[i]) == 0) {
            const size_t folder = n - end;

            return folder > inner && strncmp(value + folder - inner,
                                             "/tokenizer", inner) == 0
                           ? folder - inner
                           : folder;
        }
    }
    return 0;
}

/* 0 = not known */
static int vocabulary_of(const char *value)
{
    const size_t folder = folder_length(value);
    p3d_text name = {0}, path = {0};
    p3d_error none = {0};
    p3d_model model;
    int found = 0;

    for (int i = 0; i < P3D_COUNT_OF(files); i++)
        if (contains(value, files[i].part))
            return files[i].vocabulary;
    if (folder == 0 && !is_hub_name(value))
        return 0;
    p3d_text_append(&path, value, folder > 0 ? folder : strlen(value));
    exchange_model_name(p3d_text_get(&path), &name);
    if (name.length > 0 && p3d_is_letter(name.data[0]))
        do {
            if (p3d_model_find(name.data, &model, &none))
                found = model.vocab;
        } while (found == 0 && folder == 0 && exchange_shorten_model(&name));
    p3d_text_free(&name);
    p3d_text_free(&path);
    return found;
}

/* A list of word pieces is one of BERT's, or of T5's in Megatron-LM
 * (megatron/training/tokenizer: BertWordPieceLowerCase). */
static bool note_word_pieces(exchange_settings *settings, p3d_error *err)
{
    const exchange_setting *const file =
            exchange_settings_find(settings, "vocab-file", true);
    const size_t n =
            file != NULL && file->value != NULL ? strlen(file->value) : 0;

    return n < sizeof(".txt") || strcmp(file->value + n - 4, ".txt") != 0 ||
           exchange_settings_find(settings, EXCHANGE_OTHER_MODEL, false) !=
                   NULL ||
           exchange_settings_add(settings, EXCHANGE_OTHER_MODEL, file->value,
                   file->line, err);
}

/* The vocabulary of GPT-NeoX's own tokenizer, where no file is named. */
static bool take_words(exchange_settings *settings, p3d_error *err)
{
    exchange_setting *const words =
            exchange_settings_find(settings, "neox_words", false);
    char number[16];

    if (words == NULL || !p3d_copy(number, sizeof(number), words->value))
        return true;
    words->name[0] = '\0';
    words->used = true;
    return exchange_settings_add(
            settings, "vocab-size", number, EXCHANGE_PRESET, err);
}

bool exchange_vocabulary_add(exchange_settings *settings, p3d_error *err)
{
    const exchange_setting *said;

    if (!note_word_pieces(settings, err))
        return false;
    said = exchange_settings_find(settings, "vocab-size", true);
    if (said != NULL && (said->value == NULL ||
                                (!p3d_same_word(said->value, "none") &&
                                        !p3d_same_word(said->value, "null"))))
        return true;
    for (int i = 0; i < P3D_COUNT_OF(options); i++) {
        const exchange_setting *const one =
                exchange_settings_find(settings, options[i], true);
        const int n = one != NULL && one->value != NULL
                              ? vocabulary_of(one->value)
                              : 0;
        char number[16];

        if (n == 0)
            continue;
        snprintf(number, sizeof(number), "%d", n);
        return exchange_settings_add(
                settings, "vocab-size", number, EXCHANGE_PRESET, err);
    }
    return take_words(settings, err);
}
