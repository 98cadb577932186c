/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - finds a model by name, alias, path or size. */
#include "plan3d/model.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "plan3d/units.h"
#include "spec/given.h"
#include "spec/model_file.h"
#include "json/json.h"

enum { PATH_BYTES = P3D_MODEL_PATH };

/* What one pass over all files of models/ is looking for. */
typedef struct search {
    const char *word;
    int64_t parameters; /* the size that the word means, 0 = none */
    int found;          /* file with this name or alias, or -1 */
    int closest;        /* file that stands for the nearest size, or -1 */
    double closest_ratio;
    char closest_name[96];
    p3d_nearest nearest;
} search;

/* "70B", "1.3b", "405B", "1T": 0 when the word is not a size. */
static int64_t parse_size(const char *word)
{
    const size_t digits = strspn(word, "0123456789.");
    char text[32];
    int64_t value;

    if (digits == 0 || digits + 1 != strlen(word) || digits + 2 > sizeof(text))
        return 0;
    if (strchr("mbtMBT", word[digits]) == NULL)
        return 0;
    memcpy(text, word, digits + 2);
    if (text[digits] >= 'a')
        text[digits] = (char)(text[digits] - 'a' + 'A');
    if (!p3d_parse_count(text, 1, INT64_C(1000000000000000), &value, NULL))
        return 0;
    return value;
}

/* How far apart two sizes are, as a ratio >= 1. */
static double size_ratio(int64_t a, int64_t b)
{
    return a > b ? (double)a / (double)b : (double)b / (double)a;
}

static void consider(search *s, const p3d_model_card *card, int i)
{
    double ratio;

    if (p3d_same_word(card->name, s->word))
        s->found = i;
    p3d_nearest_offer(&s->nearest, card->name);
    for (const json_value *alias = json_first(card->aliases); alias != NULL;
            alias = json_next(alias)) {
        if (p3d_same_word(json_string(alias), s->word))
            s->found = i;
        p3d_nearest_offer(&s->nearest, json_string(alias));
    }
    if (s->parameters == 0 || !card->stands_for_size)
        return;
    ratio = size_ratio(s->parameters, card->parameters);
    if (s->closest < 0 || ratio < s->closest_ratio) {
        s->closest = i;
        s->closest_ratio = ratio;
        p3d_copy(s->closest_name, sizeof(s->closest_name), card->name);
    }
}

/* Read every file once, until one has the name. */
static bool search_files(const p3d_catalog *catalog, search *s, p3d_error *err)
{
    for (int i = 0; i < catalog->n_names && s->found < 0; i++) {
        char path[PATH_BYTES];
        p3d_model_card card;
        json_doc doc = {0};
        bool ok;

        p3d_catalog_path(catalog, i, path, sizeof(path));
        if (!json_open(path, &doc, err))
            return false;
        ok = spec_model_card_read(&doc, &card, err);
        if (ok && card.schema > 0)
            consider(s, &card, i);
        json_close(&doc);
        if (!ok)
            return false;
    }
    return true;
}

/* A size may be answered by a shape of up to twice or half of it. */
static bool check_closest(
        const p3d_catalog *catalog, const search *s, p3d_error *err)
{
    char count[32];

    if (s->closest < 0)
        return p3d_fail(err, P3D_DATA,
                "no model of '%s' stands for a size; write a name or the path "
                "of a config.json",
                catalog->directory);
    if (s->closest_ratio > 2)
        return p3d_fail(err, P3D_DATA,
                "no known shape is near '%s' (%s parameters), the nearest is "
                "'%s'; write a name or the path of a config.json",
                s->word,
                p3d_print_count(count, sizeof(count), (double)s->parameters),
                s->closest_name);
    return true;
}

/* Index of the file that says it has this name or stands for this size. */
static bool find_in_catalog(
        const p3d_catalog *catalog, const char *word, int *out, p3d_error *err)
{
    search s = {
            .word = word,
            .parameters = parse_size(word),
            .found = -1,
            .closest = -1,
            .nearest = {.word = word},
    };

    if (!search_files(catalog, &s, err))
        return false;
    *out = s.found >= 0 ? s.found : s.closest;
    if (s.found >= 0)
        return true;
    if (s.parameters > 0)
        return check_closest(catalog, &s, err);
    if (s.nearest.best[0] != '\0')
        return p3d_fail(err, P3D_DATA,
                "unknown model '%s'; did you mean '%s'? (or write the path of "
                "a config.json)",
                word, s.nearest.best);
    return p3d_fail(err, P3D_DATA,
            "unknown model '%s'; write a name of 'plan3d list models', a size "
            "such as 70B, or the path of a config.json",
            word);
}

/* Index of the file with this name, or -1. */
static int find_file(const p3d_catalog *catalog, const char *word)
{
    for (int i = 0; i < catalog->n_names; i++) {
        if (p3d_same_word(catalog->names[i], word))
            return i;
    }
    return -1;
}

/* A path that exists: the file itself, or config.json in the folder. */
static bool find_path(const char *word, char *path, size_t n)
{
    struct stat status;
    int length;

    if (stat(word, &status) != 0)
        return false;
    length = snprintf(path, n, "%s%s", word,
            S_ISDIR(status.st_mode) ? "/config.json" : "");
    return length > 0 && (size_t)length < n;
}

/* Cannot be a name of the catalog, nor a Hugging Face name "owner/model". */
static bool is_path(const char *word)
{
    const size_t length = strlen(word);

    return strcmp(word, "-") == 0 || word[0] == '/' || word[0] == '.' ||
           (length > 5 && strcmp(word + length - 5, ".json") == 0);
}

/* A file name of the catalog is tried before any of its files is read. */
static const char *path_in_catalog(const char *word, bool exists,
        char path[P3D_MODEL_PATH], p3d_error *err)
{
    p3d_catalog catalog;
    bool ok = true;
    int i;

    if (!p3d_catalog_open(P3D_MODELS, &catalog, err))
        return NULL;
    i = find_file(&catalog, word);
    if (i < 0 && !exists)
        ok = find_in_catalog(&catalog, word, &i, err);
    if (ok && i >= 0)
        p3d_catalog_path(&catalog, i, path, P3D_MODEL_PATH);
    p3d_catalog_free(&catalog);
    return ok ? path : NULL;
}

const char *spec_model_path(
        const char *word, char path[P3D_MODEL_PATH], p3d_error *err)
{
    const bool exists = find_path(word, path, P3D_MODEL_PATH);

    if (is_path(word) || (exists && strchr(word, '/') != NULL))
        return exists ? path : word;
    return path_in_catalog(word, exists, path, err);
}

bool p3d_model_find(const char *word, p3d_model *out, p3d_error *err)
{
    char buffer[P3D_MODEL_PATH];
    const char *path;

    if (word == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    path = spec_model_path(word, buffer, err);
    return path != NULL && p3d_model_load(path, out, err);
}

int p3d_model_count_layers(const p3d_model *model, int kind)
{
    if (!spec_layers_given(model))
        return 0;

    int n = 0;

    for (int i = 0; i < model->n_layers; i++)
        n += model->layer_kind[i] == kind;
    return n;
}

bool p3d_model_is_mla(const p3d_model *model)
{
    if (model == NULL)
        return false;
    return model->kv_lora_rank > 0;
}
