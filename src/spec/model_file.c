/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_file.c - finds a model by name, alias, path or size, and reads it from
 * a Hugging Face config.json. */
#include "spec/model_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/util.h"
#include "plan3d/catalog.h"
#include "plan3d/cluster.h"
#include "plan3d/job.h"
#include "plan3d/model.h"
#include "plan3d/units.h"
#include "spec/family.h"
#include "spec/given.h"
#include "spec/hardware.h"
#include "spec/release.h"
#include "spec/sizes.h"
#include "spec/tower.h"
#include "json/json.h"
#include "json/text.h"

enum { PATH_BYTES = SPEC_MODEL_PATH };

/* How well a model answers for a size such as "70B", best first. */
typedef enum likeness {
    NAMED_AND_USUAL, /* "llama-3-70b", which stands for its size */
    NAMED,           /* "deepseek-coder-33b" */
    USUAL,           /* stands for its size, which is nearly this */
    NEAR,            /* nearly of this size */
    UNLIKE
} likeness;

/* How far parameters are from the size of a name at most, as a ratio ("1B" of
 * 1.24e9), and from a size that no name has ("685B" of 671e9). */
static const double most_of_named = 1.3;
static const double most_of_near = 1.03;

/* A model that a size may mean. */
typedef struct sized {
    int file; /* -1 = none */
    likeness likeness;
    double ratio;
} sized;

/* The nearest model on one side of a size. */
typedef struct neighbour {
    int64_t parameters; /* 0 = none */
    char name[96];
} neighbour;

/* What one pass over all files of models/ is looking for. */
typedef struct search {
    const char *word;
    spec_release_names names; /* the word, then what it is a release of */
    int64_t parameters;       /* the size that the word means, 0 = none */
    int found;                /* file with one of these names, or -1 */
    int form;                 /* of the names, which one it has */
    sized best;               /* of those that the size may mean */
    neighbour smaller;        /* nearest of the others */
    neighbour larger;
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

/* True for "70B" and "llama-2-70b", "qwen3-30b-a3b" and "30B". */
static bool has_part(const char *name, const char *word)
{
    const size_t n = strlen(word);

    for (const char *part = name; part != NULL; part = strchr(part, '-')) {
        part += *part == '-';
        if (strcspn(part, "-") == n && strncasecmp(part, word, n) == 0)
            return true;
    }
    return false;
}

static likeness likeness_of(
        const search *s, const spec_model_card *card, double ratio)
{
    if (ratio <= most_of_named && has_part(card->name, s->word))
        return card->stands_for_size ? NAMED_AND_USUAL : NAMED;
    if (ratio <= most_of_near)
        return card->stands_for_size ? USUAL : NEAR;
    return UNLIKE;
}

/* Of two that are as like, the later name: a later release. */
static void consider_size(search *s, const spec_model_card *card, int i)
{
    const double ratio = size_ratio(s->parameters, card->parameters);
    const likeness now = likeness_of(s, card, ratio);
    sized *const best = &s->best;

    if (now < best->likeness ||
            (now == best->likeness && now < UNLIKE && ratio <= best->ratio))
        *best = (sized){i, now, ratio};
}

static void consider_neighbour(search *s, const spec_model_card *card)
{
    neighbour *const side =
            card->parameters < s->parameters ? &s->smaller : &s->larger;

    if (side->parameters > 0 &&
            size_ratio(s->parameters, card->parameters) >=
                    size_ratio(s->parameters, side->parameters))
        return;
    side->parameters = card->parameters;
    p3d_copy(side->name, sizeof(side->name), card->name);
}

/* A name of a file: the word's, or that of what it is a release of. */
static void consider_name(search *s, const char *name, int i)
{
    for (int form = 0; form < s->form; form++)
        if (p3d_same_word(name, s->names.form[form]) ||
                (form > 0 && p3d_same_word(spec_without_maker(name),
                                     s->names.form[form]))) {
            s->found = i;
            s->form = form;
        }
    p3d_nearest_offer(&s->nearest, name);
}

static void consider(search *s, const spec_model_card *card, int i)
{
    consider_name(s, card->name, i);
    for (const json_value *alias = json_first(card->aliases); alias != NULL;
            alias = json_next(alias))
        consider_name(s, json_string(alias), i);
    if (s->parameters == 0 || card->sees)
        return;
    consider_size(s, card, i);
    consider_neighbour(s, card);
}

/* Read every file once, until one has the very name. */
static bool search_files(const p3d_catalog *catalog, search *s, p3d_error *err)
{
    for (int i = 0; i < catalog->n_names && s->form > 0; i++) {
        char path[PATH_BYTES];
        spec_model_card card;
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

/* "'llama-3.1-405b' (406B)": a neighbour, after what joins it to the first. */
static void add_neighbour(
        const neighbour *side, const char *before, char *text, size_t n)
{
    const size_t used = strlen(text);
    char count[32];

    if (side->parameters > 0)
        snprintf(text + used, n - used, "%s'%s' (%s)", before, side->name,
                p3d_print_count(
                        count, sizeof(count), (double)side->parameters));
}

static bool fail_size(
        const p3d_catalog *catalog, const search *s, p3d_error *err)
{
    char names[256] = "";

    add_neighbour(&s->smaller, "", names, sizeof(names));
    add_neighbour(
            &s->larger, names[0] != '\0' ? ", " : "", names, sizeof(names));
    if (names[0] == '\0')
        return p3d_fail(err, P3D_DATA,
                "no model of '%s' has a size; write a name or the path of a "
                "config.json",
                catalog->directory);
    return p3d_fail(err, P3D_DATA,
            "no known model is of size '%s'; nearest: %s; write a name or the "
            "path of a config.json",
            s->word, names);
}

/* Index of the file that says it has this name or stands for this size. */
static bool find_in_catalog(
        const p3d_catalog *catalog, const char *word, int *out, p3d_error *err)
{
    search s = {
            .word = word,
            .parameters = parse_size(word),
            .found = -1,
            .best = {.file = -1, .likeness = UNLIKE},
            .nearest = {.word = word},
    };
    p3d_cluster cluster;

    spec_release_names_of(word, &s.names);
    s.form = s.names.n > 0 ? s.names.n : 1;
    if (!search_files(catalog, &s, err))
        return false;
    *out = s.found >= 0 ? s.found : s.best.file;
    if (*out >= 0)
        return true;
    if (s.parameters > 0)
        return fail_size(catalog, &s, err);
    if (p3d_cluster_find(word, &cluster, NULL))
        return p3d_fail(err, P3D_DATA,
                "'%s' is a cluster; write the model before it, such as 70B %s",
                word, word);
    return p3d_fail(err, P3D_DATA,
            s.nearest.best[0] != '\0'
                    ? "unknown model '%s'%s (or write the path of a "
                      "config.json)"
                    : "unknown model '%s'%s",
            word,
            p3d_did_you_mean(&s.nearest,
                    "; write a name of 'plan3d list models', a size such as "
                    "70B, or the path of a config.json"));
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
        char path[SPEC_MODEL_PATH], p3d_error *err)
{
    p3d_catalog catalog;
    bool ok = true;
    int i;

    if (!p3d_catalog_open(P3D_MODELS, &catalog, err))
        return NULL;
    i = spec_catalog_index(&catalog, word);
    if (i < 0 && !exists)
        ok = find_in_catalog(&catalog, word, &i, err);
    if (ok && i >= 0)
        p3d_catalog_path(&catalog, i, path, SPEC_MODEL_PATH);
    p3d_catalog_free(&catalog);
    return ok ? path : NULL;
}

const char *spec_model_path(
        const char *word, char path[SPEC_MODEL_PATH], p3d_error *err)
{
    const bool exists = find_path(word, path, SPEC_MODEL_PATH);

    if (is_path(word) || (exists && strchr(word, '/') != NULL))
        return exists ? path : word;
    return path_in_catalog(word, exists, path, err);
}

bool p3d_model_find(const char *word, p3d_model *out, p3d_error *err)
{
    char buffer[SPEC_MODEL_PATH];
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

int p3d_model_count_with(const p3d_model *model, int bits)
{
    if (!spec_layers_given(model))
        return 0;

    int n = 0;

    for (int i = 0; i < model->n_layers; i++)
        n += (model->layer_kind[i] & bits) == bits;
    return n;
}

/* clang-format off */
static const json_field training_fields[] = {
    {"sequence_length", JSON_INT, true, offsetof(p3d_pretraining, seq_len), 1,
     P3D_MAX_SEQ_LEN, "tokens per sequence of the main stage of pre-training"},
    {"batch_sequences", JSON_INT64, false,
     offsetof(p3d_pretraining, global_batch), 1, P3D_MAX_BATCH,
     "sequences per step, the most of that stage; without it none is known"},
    {"source", JSON_STRING, true, offsetof(p3d_pretraining, source), 0,
     sizeof(((p3d_pretraining *)NULL)->source), "where they are from"},
};
/* clang-format on */

static const char *check_training(const void *object, const char **key)
{
    *key = "source";
    return ((const p3d_pretraining *)object)->source[0] != '\0'
                   ? NULL
                   : "the source is empty; write where the numbers are from";
}

static const json_shape training_shape = {
        .n_fields = P3D_COUNT_OF(training_fields),
        .fields = training_fields,
        .check = check_training,
};

/* clang-format off */
#define STRING(field) \
    offsetof(spec_model_card, field), 0, \
    sizeof(((spec_model_card *)NULL)->field)

static const json_field card_fields[] = {
    {"schema", JSON_INT, true, offsetof(spec_model_card, schema), 1, INT_MAX,
     "version of this object: 1"},
    {"name", JSON_STRING, true, STRING(name), "name, as the file's"},
    {"aliases", JSON_ANY, false, 0, 0, 0, "other names: a list of strings"},
    {"stands_for_size", JSON_BOOL, false,
     offsetof(spec_model_card, stands_for_size), 0, 0,
     "a size such as 70B may mean this model"},
    {"parameters", JSON_INT64, true, offsetof(spec_model_card, parameters), 1,
     9e15, "unique parameters"},
    {"source", JSON_STRING, true, STRING(source), "where the sizes are from"},
    {"training", JSON_OBJECT(training_shape), false,
     offsetof(spec_model_card, pretraining), 0, 0,
     "how it was trained: sequence_length, batch_sequences and their source"},
};
/* clang-format on */

static bool check_aliases(
        const json_doc *doc, const json_value *aliases, p3d_error *err)
{
    int i = 0;

    if (aliases != NULL && !json_is_array(aliases))
        return json_fail(doc, "/plan3d/aliases", err,
                "'aliases' is not a list; write [\"another name\"]");
    for (const json_value *alias = json_first(aliases); alias != NULL;
            alias = json_next(alias), i++) {
        char pointer[64];

        snprintf(pointer, sizeof(pointer), "/plan3d/aliases/%d", i);
        if (json_string(alias)[0] == '\0')
            return json_fail(doc, pointer, err,
                    "this alias is not a name; write a string");
    }
    return true;
}

bool spec_model_card_read(
        const json_doc *doc, spec_model_card *out, p3d_error *err)
{
    const json_value *const member = json_get(doc->root, "plan3d");
    spec_model_card card = {0};

    if (member != NULL &&
            !json_read_fields((json_place){doc, member, "/plan3d"},
                    JSON_FIELDS(card_fields), &card, err))
        return false;
    if (card.schema > 1)
        return json_fail(doc, "/plan3d/schema", err,
                "schema %d is newer than this plan3d; write 1", card.schema);
    if (member != NULL && card.name[0] == '\0')
        return json_fail(doc, "/plan3d/name", err,
                "the name is empty; write the file's name without .json");
    card.aliases = json_get(member, "aliases");
    if (!check_aliases(doc, card.aliases, err))
        return false;
    card.sees = json_get(doc->root, "vision_config") != NULL ||
                json_get(doc->root, "audio_config") != NULL;
    *out = card;
    return true;
}

/* The model_type of the reader's object; NULL after a failure, and
 * `otherwise` when the object has none. */
static const char *read_model_type(
        const spec_reader *reader, const char *otherwise)
{
    const json_value *const value = json_get(reader->object, "model_type");

    if (json_is_string(value))
        return json_string(value);
    if (value == NULL && otherwise != NULL)
        return otherwise;
    if (value != NULL)
        spec_fail_at(reader, "model_type",
                "'model_type' is not a string; write one such as \"llama\"");
    else
        spec_fail_at(reader, "",
                "'model_type' is missing, so the family is not known; "
                "write \"model_type\": \"llama\" or another one");
    return NULL;
}

/* Keys under which multimodal models nest their decoder. */
static const char *const decoder_keys[] = {
        "text_config", "llm_config", "language_config", "thinker_config"};

/* The key under which an object nests its decoder, or NULL. */
static const char *nesting_key(const json_value *object)
{
    for (int i = 0; i < P3D_COUNT_OF(decoder_keys); i++) {
        if (json_is_object(json_get(object, decoder_keys[i])))
            return decoder_keys[i];
    }
    return NULL;
}

static const spec_family *fail_unnested(
        const spec_reader *reader, const char *model_type)
{
    if (spec_family_of_wrapper(model_type) == NULL)
        spec_fail_family(reader, model_type);
    else
        spec_fail_at(reader, "",
                "'text_config' is missing, where '%s' has its decoder; "
                "write \"text_config\": {...}",
                model_type);
    return NULL;
}

/* Point the reader at the decoder, which multimodal models nest, some of them
 * twice. */
static const spec_family *find_decoder(spec_reader *reader)
{
    const char *model_type = read_model_type(reader, NULL);
    const char *key;
    const spec_family *family;

    while (model_type != NULL && (key = nesting_key(reader->object)) != NULL) {
        const spec_family *const wrapped = spec_family_of_wrapper(model_type);
        const size_t length = strlen(reader->pointer);

        reader->object = json_get(reader->object, key);
        reader->nested = true;
        snprintf(reader->pointer + length, sizeof(reader->pointer) - length,
                "/%s", key);
        model_type = read_model_type(
                reader, wrapped == NULL ? NULL : wrapped->model_type);
    }
    if (model_type == NULL)
        return NULL;
    family = spec_family_find(model_type);
    reader->has_sizes = reader->nested && !spec_family_is_alias(model_type);
    if (family == NULL && reader->nested)
        spec_fail_family(reader, model_type);
    return family != NULL || reader->nested ? family
                                            : fail_unnested(reader, model_type);
}

/* A wrapper says for its decoder whether the embedding is the output, and the
 * decoder only where it does not. Source: transformers@v5 modeling_utils.py
 * (get_expanded_tied_weights_keys reads the configuration of the whole). */
static bool read_outer_tie(const spec_reader *reader, spec_draft *draft)
{
    static const spec_family_key tie = {
            .spellings = {"tie_word_embeddings"},
            .field.type = JSON_BOOL,
            .field.offset = offsetof(spec_draft, model.tied_embeddings),
    };
    const spec_reader outer = {
            .doc = reader->doc,
            .object = reader->doc->root,
            .err = reader->err,
    };

    if (!reader->nested || json_get(outer.object, tie.spellings[0]) == NULL)
        return true;
    return spec_read_family_key(&outer, &tie, draft);
}

/* An object of a file, where it is, and what is known of its keys. */
typedef struct own_object {
    const json_value *object;
    const char *pointer;
    bool (*knows)(const char *key);
} own_object;

/* Every key of one of our own files must mean something to somebody. */
static bool check_keys(const json_doc *doc, own_object of, p3d_error *err)
{
    for (const json_value *member = json_first(of.object); member != NULL;
            member = json_next(member)) {
        p3d_nearest nearest = {.word = json_key(member)};
        p3d_text place = {0};

        /* The nearest key takes long to find, and no file needs one. */
        if (spec_family_knows_key(json_key(member), NULL) ||
                of.knows(json_key(member)))
            continue;
        (void)spec_family_knows_key(json_key(member), &nearest);
        p3d_text_add(&place, "%s", of.pointer);
        json_pointer_add(&place, json_key(member));
        json_fail(doc, p3d_text_get(&place), err, "unknown key '%.60s'%s",
                json_key(member),
                p3d_did_you_mean(&nearest,
                        "; remove it, or add it to src/spec/family_keys.c"));
        p3d_text_free(&place);
        return false;
    }
    return true;
}

/* Bytes of the last part of a path; *start is where it begins. */
static size_t last_part(const char *path, size_t length, const char **start)
{
    size_t begin;

    while (length > 0 && path[length - 1] == '/')
        length--;
    for (begin = length; begin > 0 && path[begin - 1] != '/';)
        begin--;
    *start = path + begin;
    return length - begin;
}

/* Name from a path: the file, or the folder where the file is config.json. */
static void name_from_path(const char *path, char *name, size_t n)
{
    const char *part;
    size_t length = last_part(path, strlen(path), &part);
    char copy[256];

    if (length == strlen("config.json") &&
            strncmp(part, "config.json", length) == 0) {
        const char *folder;
        const size_t folder_length =
                last_part(path, (size_t)(part - path), &folder);

        if (folder_length > 0 && folder[0] != '.') {
            part = folder;
            length = folder_length;
        }
    }
    if (length > 5 && strncmp(part + length - 5, ".json", 5) == 0)
        length -= 5;
    snprintf(copy, sizeof(copy), "%.*s", (int)(length < 255 ? length : 255),
            part);
    p3d_show(name, n, copy[0] == '\0' ? "model" : copy);
}

static void set_identity(
        const json_doc *doc, const spec_model_card *card, p3d_model *model)
{
    const char *const path = json_string(json_get(doc->root, "_name_or_path"));
    const bool from_stdin = strcmp(doc->file, P3D_STDIN) == 0;

    model->pretraining = card->pretraining;
    p3d_show(model->source, sizeof(model->source), doc->file);
    if (card->name[0] != '\0')
        p3d_show(model->name, sizeof(model->name), card->name);
    else if (path[0] != '\0')
        name_from_path(path, model->name, sizeof(model->name));
    else
        name_from_path(from_stdin ? "stdin" : doc->file, model->name,
                sizeof(model->name));
}

/* The same of all objects of the file that have sizes. */
static bool check_all_keys(const spec_reader *reader)
{
    const json_value *const root = reader->doc->root;
    const own_object objects[] = {
            {root, "", spec_outer_knows_key},
            {reader->nested ? reader->object : NULL, reader->pointer,
                    spec_outer_knows_key},
            {json_get(root, "vision_config"), "/vision_config",
                    spec_tower_knows_key},
            {json_get(root, "audio_config"), "/audio_config",
                    spec_tower_knows_key},
    };

    for (int i = 0; i < P3D_COUNT_OF(objects); i++) {
        if (objects[i].object != NULL &&
                !check_keys(reader->doc, objects[i], reader->err))
            return false;
    }
    return true;
}

static bool read_decoder(
        spec_reader *reader, spec_draft *draft, spec_model_card *card)
{
    const spec_family *const family = find_decoder(reader);

    if (family == NULL)
        return false;
    if (card->schema > 0 && !check_all_keys(reader))
        return false;
    *draft = family->defaults;
    draft->adds_up = !draft->model.router.keeps_scores;
    reader->no_heads = (family->keys & P3D_KEYS_NO_HEADS) != 0;
    reader->lists_parts = (family->keys & P3D_KEYS_BLOCKS) != 0;
    if (!spec_read_family_keys(reader, family, draft) ||
            !read_outer_tie(reader, draft) ||
            !spec_complete_draft(reader, family, draft))
        return false;
    spec_read_unsized(reader->object, draft);
    if (!spec_tower_read(reader, &draft->model))
        return false;
    spec_note_left_out(reader, family, &draft->model);
    if (card->schema > 0) /* the library's keys were looked at */
        draft->model.unread_keys[0] = '\0';
    p3d_copy(draft->model.family, sizeof(draft->model.family),
            family->model_type);
    return true;
}

static bool read_model(const json_doc *doc, p3d_model *out, p3d_error *err)
{
    spec_reader reader = {.doc = doc, .object = doc->root, .err = err};
    spec_model_card card;
    spec_draft draft;

    if (!json_is_object(doc->root))
        return json_fail(doc, "", err,
                "this is not a model; write an object such as config.json");
    if (!spec_model_card_read(doc, &card, err) ||
            !read_decoder(&reader, &draft, &card))
        return false;
    set_identity(doc, &card, &draft.model);
    *out = draft.model;
    return true;
}

bool p3d_model_load(const char *path, p3d_model *out, p3d_error *err)
{
    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    json_doc doc = {0};

    return json_open_python(path, &doc, err) &&
           json_close_after(&doc, read_model(&doc, out, err));
}

bool p3d_model_parse(
        const char *file, const char *text, p3d_model *out, p3d_error *err)
{
    if (file == NULL || text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    json_doc doc = {0};

    return json_parse_python(file, text, strlen(text), &doc, err) &&
           json_close_after(&doc, read_model(&doc, out, err));
}
