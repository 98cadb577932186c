/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_file.c - reads a model from a Hugging Face config.json. */
#include "spec/model_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/util.h"
#include "spec/family.h"
#include "json/locate.h"

/* clang-format off */
#define STRING(field) \
    offsetof(p3d_model_card, field), 0, sizeof(((p3d_model_card *)NULL)->field)

static const json_field card_fields[] = {
    {"schema", JSON_INT, true, offsetof(p3d_model_card, schema), 1, INT_MAX,
     "version of this object: 1"},
    {"name", JSON_STRING, true, STRING(name), "name, as the file's"},
    {"aliases", JSON_ANY, false, 0, 0, 0, "other names: a list of strings"},
    {"stands_for_size", JSON_BOOL, false,
     offsetof(p3d_model_card, stands_for_size), 0, 0,
     "a size such as 70B may mean this model"},
    {"parameters", JSON_INT64, true, offsetof(p3d_model_card, parameters), 1,
     9e15, "unique parameters"},
    {"source", JSON_STRING, true, STRING(source), "where the sizes are from"},
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
        const json_doc *doc, p3d_model_card *out, p3d_error *err)
{
    const json_value *const member = json_get(doc->root, "plan3d");
    p3d_model_card card = {0};

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
    *out = card;
    return true;
}

static bool fail_family(const p3d_reader *reader, const char *model_type)
{
    p3d_nearest nearest = {.word = model_type};
    p3d_text list = {0};
    char pointer[160];
    int n;
    const p3d_family *const families = spec_families(&n);

    for (int i = 0; i < n; i++) {
        p3d_nearest_offer(&nearest, families[i].model_type);
        p3d_text_add(&list, "%s%s", i == 0 ? "" : ", ", families[i].model_type);
    }
    json_fail(reader->doc,
            spec_pointer_to(reader, "model_type", pointer, sizeof(pointer)),
            reader->err, "model_type '%.60s' is not supported%s; write %s",
            model_type, p3d_did_you_mean(&nearest, ""), p3d_text_get(&list));
    p3d_text_free(&list);
    return false;
}

/* The model_type of the reader's object; NULL after a failure, and
 * `otherwise` when the object has none. */
static const char *read_model_type(
        const p3d_reader *reader, const char *otherwise)
{
    const json_value *const value = json_get(reader->object, "model_type");
    char pointer[160];

    if (json_is_string(value))
        return json_string(value);
    if (value == NULL && otherwise != NULL)
        return otherwise;
    spec_pointer_to(reader, "model_type", pointer, sizeof(pointer));
    if (value != NULL)
        json_fail(reader->doc, pointer, reader->err,
                "'model_type' is not a string; write one such as \"llama\"");
    else
        json_fail(reader->doc, reader->pointer, reader->err,
                "'model_type' is missing, so the family is not known; "
                "write \"model_type\": \"llama\" or another one");
    return NULL;
}

/* Point the reader at the decoder, which multimodal models nest. */
static const p3d_family *find_decoder(p3d_reader *reader)
{
    const char *model_type = read_model_type(reader, NULL);
    const p3d_family *wrapped;
    const p3d_family *family;

    if (model_type == NULL)
        return NULL;
    family = spec_family_find(model_type);
    if (family != NULL)
        return family;
    wrapped = spec_family_of_wrapper(model_type);
    if (!json_is_object(json_get(reader->object, "text_config"))) {
        if (wrapped == NULL)
            fail_family(reader, model_type);
        else
            json_fail(reader->doc, reader->pointer, reader->err,
                    "'text_config' is missing, where '%s' has its decoder; "
                    "write \"text_config\": {...}",
                    model_type);
        return NULL;
    }
    reader->object = json_get(reader->object, "text_config");
    reader->nested = true;
    snprintf(reader->pointer, sizeof(reader->pointer), "/text_config");
    model_type = read_model_type(
            reader, wrapped == NULL ? NULL : wrapped->model_type);
    if (model_type == NULL)
        return NULL;
    family = spec_family_find(model_type);
    if (family == NULL)
        fail_family(reader, model_type);
    return family;
}

/* A wrapper may say for its decoder whether the embedding is the output. */
static bool read_outer_tie(const p3d_reader *reader, p3d_draft *draft)
{
    static const p3d_family_key tie = {
            .spellings = {"tie_word_embeddings"},
            .kind = JSON_BOOL,
            .offset = offsetof(p3d_draft, model.tied_embeddings),
    };
    const p3d_reader outer = {
            .doc = reader->doc,
            .object = reader->doc->root,
            .err = reader->err,
    };

    if (!reader->nested || json_get(reader->object, tie.spellings[0]) != NULL)
        return true;
    return spec_read_family_key(&outer, &tie, draft);
}

/* Every key of one of our own files must mean something to somebody. */
static bool check_keys(const json_doc *doc, const char *pointer,
        const json_value *object, p3d_error *err)
{
    for (const json_value *member = json_first(object); member != NULL;
            member = json_next(member)) {
        p3d_nearest nearest = {.word = json_key(member)};
        p3d_text place = {0};

        if (spec_family_knows_key(json_key(member), &nearest))
            continue;
        p3d_text_add(&place, "%s", pointer);
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
        const json_doc *doc, const p3d_model_card *card, p3d_model *model)
{
    const char *const path = json_string(json_get(doc->root, "_name_or_path"));
    const bool from_stdin = strcmp(doc->file, P3D_STDIN) == 0;

    p3d_show(model->source, sizeof(model->source), doc->file);
    if (card->name[0] != '\0')
        p3d_show(model->name, sizeof(model->name), card->name);
    else if (path[0] != '\0')
        name_from_path(path, model->name, sizeof(model->name));
    else
        name_from_path(from_stdin ? "stdin" : doc->file, model->name,
                sizeof(model->name));
}

static bool read_decoder(
        p3d_reader *reader, p3d_draft *draft, p3d_model_card *card)
{
    const p3d_family *const family = find_decoder(reader);

    if (family == NULL)
        return false;
    if (card->schema > 0 &&
            !(check_keys(reader->doc, "", reader->doc->root, reader->err) &&
                    (!reader->nested || check_keys(reader->doc, reader->pointer,
                                                reader->object, reader->err))))
        return false;
    *draft = family->defaults;
    if (!spec_read_family_keys(reader, family, draft) ||
            !read_outer_tie(reader, draft) ||
            !spec_complete_draft(reader, family, draft))
        return false;
    p3d_copy(draft->model.family, sizeof(draft->model.family),
            family->model_type);
    return true;
}

static bool read_model(const json_doc *doc, p3d_model *out, p3d_error *err)
{
    p3d_reader reader = {.doc = doc, .object = doc->root, .err = err};
    p3d_model_card card;
    p3d_draft draft;

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

static bool read_and_close(json_doc *doc, p3d_model *out, p3d_error *err)
{
    const bool ok = read_model(doc, out, err);

    json_close(doc);
    return ok;
}

bool p3d_model_load(const char *path, p3d_model *out, p3d_error *err)
{
    if (path == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    json_doc doc = {0};

    return json_open(path, &doc, err) && read_and_close(&doc, out, err);
}

bool p3d_model_parse(
        const char *file, const char *text, p3d_model *out, p3d_error *err)
{
    if (file == NULL || text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    json_doc doc = {0};

    return json_parse(file, text, strlen(text), &doc, err) &&
           read_and_close(&doc, out, err);
}
