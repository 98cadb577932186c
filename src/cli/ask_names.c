/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_names.c - the names of models, GPUs, frameworks and networks in one
 * list, as the data files and the tables have them. */
#include "cli/ask_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/grow.h"
#include "cli/ask_words.h"
#include "exchange/launch/target.h"
#include "plan3d/catalog.h"
#include "plan3d/framework.h"
#include "spec/hardware.h"
#include "spec/model_file.h"

static bool add(ask_names *names, ask_kind kind, const char *word,
        const char *meaning, p3d_error *err)
{
    ask_name *const at = p3d_grow(names->at, names->n, sizeof(*at));

    if (at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    names->at = at;
    names->at[names->n] = (ask_name){.kind = kind};
    (void)p3d_copy(names->at[names->n].word, ASK_NAME, word);
    (void)p3d_copy(names->at[names->n].meaning, ASK_NAME, meaning);
    names->n++;
    return true;
}

static bool add_aliases(ask_names *names, ask_kind kind, const char *meaning,
        const json_value *aliases, p3d_error *err)
{
    bool ok = true;

    for (const json_value *alias = json_first(aliases); ok && alias != NULL;
            alias = json_next(alias))
        ok = add(names, kind, json_string(alias),
                meaning != NULL ? meaning : json_string(alias), err);
    return ok;
}

/* A model goes by the name of its file. */
static bool add_model(
        ask_names *names, const char *name, const json_doc *doc, p3d_error *err)
{
    spec_model_card card;

    return spec_model_card_read(doc, &card, err) &&
           add(names, ASK_MODEL, name, name, err) &&
           add_aliases(names, ASK_MODEL, name, card.aliases, err);
}

/* A GPU keeps the name that it was given: the short one says enough. */
static bool add_gpu(
        ask_names *names, const char *name, const json_doc *doc, p3d_error *err)
{
    return add(names, ASK_GPU, name, name, err) &&
           add_aliases(
                   names, ASK_GPU, NULL, json_get(doc->root, "aliases"), err);
}

/* "8 DGX H100" says nodes and their GPU; a rack of them is one name. */
static bool says_node(const char *name, const p3d_node *node)
{
    return ask_word_at(name).kind == ASK_HOST &&
           node->gpus_per_nvlink_domain <= node->gpus_per_node;
}

/* A machine that is rented or bought goes by its names. */
static bool add_node(
        ask_names *names, const char *name, const json_doc *doc, p3d_error *err)
{
    p3d_node node;
    bool ok = spec_node_read(&(json_place){doc, doc->root, ""}, &node, err);

    if (!ok || node.gpu[0] == '\0')
        return ok;
    if (!says_node(name, &node))
        ok = add(names, ASK_GPU, name, name, err);
    for (const json_value *a = json_first(json_get(doc->root, "aliases"));
            ok && a != NULL; a = json_next(a))
        if (!says_node(json_string(a), &node))
            ok = add(names, ASK_GPU, json_string(a), json_string(a), err);
    return ok;
}

static bool add_fabric(
        ask_names *names, const char *name, const json_doc *doc, p3d_error *err)
{
    (void)doc;
    return add(names, ASK_FABRIC, name, name, err);
}

typedef bool add_file(ask_names *names, const char *name, const json_doc *doc,
        p3d_error *err);

static bool add_folder(
        ask_names *names, p3d_folder folder, add_file *add_one, p3d_error *err)
{
    p3d_catalog catalog = {0};
    bool ok = p3d_catalog_open(folder, &catalog, err);

    for (int i = 0; ok && i < catalog.n_names; i++) {
        char path[SPEC_MODEL_PATH];
        json_doc doc = {0};

        p3d_catalog_path(&catalog, i, path, sizeof(path));
        ok = json_open(path, &doc, err) &&
             add_one(names, catalog.names[i], &doc, err);
        json_close(&doc);
    }
    p3d_catalog_free(&catalog);
    return ok;
}

static bool add_frameworks(ask_names *names, p3d_error *err)
{
    int n = 0;
    const p3d_framework *const all = p3d_frameworks(&n);
    bool ok = true;

    for (int i = 0; ok && i < n; i++) {
        const char *alias;

        ok = add(names, ASK_FRAMEWORK, all[i].name, all[i].name, err);
        for (int k = 0; ok && (alias = p3d_framework_alias(&all[i], k)) != NULL;
                k++)
            ok = add(names, ASK_FRAMEWORK, alias, all[i].name, err);
    }
    return ok;
}

/* Files are written for a target, which is one way to run a framework. */
static bool add_targets(ask_names *names, p3d_error *err)
{
    const exchange_target *target;
    bool ok = true;

    for (int i = 0; ok && (target = exchange_target_at(i)) != NULL; i++)
        if (p3d_framework_find(target->name) == NULL &&
                target->framework != NULL)
            ok = add(
                    names, ASK_FRAMEWORK, target->name, target->framework, err);
    return ok;
}

bool ask_names_open(ask_names *out, p3d_error *err)
{
    ask_names names = {0};
    const bool ok = add_folder(&names, P3D_MODELS, add_model, err) &&
                    add_folder(&names, P3D_GPUS, add_gpu, err) &&
                    add_folder(&names, P3D_NODES, add_node, err) &&
                    add_folder(&names, P3D_FABRICS, add_fabric, err) &&
                    add_frameworks(&names, err) && add_targets(&names, err);

    if (ok)
        *out = names;
    else
        ask_names_free(&names);
    return ok;
}

void ask_names_free(ask_names *names)
{
    free(names->at);
    *names = (ask_names){0};
}

/* "L40S" is L40S, and not more than one L40. */
static bool is_plural(const char *text, size_t n, const char *name)
{
    return tolower((unsigned char)text[n - 1]) !=
           tolower((unsigned char)name[strlen(name) - 1]);
}

const ask_name *ask_names_at(
        const ask_names *names, const char *text, size_t *length)
{
    const ask_name *best = NULL;

    *length = 0;
    for (int i = 0; i < names->n; i++) {
        const size_t n = ask_match(text, names->at[i].word);

        if (n > *length || (best != NULL && n == *length &&
                                   is_plural(text, n, best->word) &&
                                   !is_plural(text, n, names->at[i].word))) {
            *length = n;
            best = &names->at[i];
        }
    }
    return best;
}

const ask_name *ask_names_gpu(
        const ask_names *names, const char *gpu, double memory_gb)
{
    char word[2 * ASK_NAME];
    size_t length;
    const ask_name *found;

    snprintf(word, sizeof(word), "%s-%.0fGB", gpu, memory_gb);
    found = ask_names_at(names, word, &length);
    return found != NULL && found->kind == ASK_GPU && word[length] == '\0'
                   ? found
                   : NULL;
}

void ask_names_offer(const ask_names *names, p3d_nearest *nearest)
{
    for (int i = 0; i < names->n; i++)
        p3d_nearest_offer(nearest, names->at[i].word);
}

static bool begins_with(const char *name, const char *family)
{
    char start[ASK_NAME];

    snprintf(start, sizeof(start), "%.*s", (int)strlen(family), name);
    return p3d_same_word(start, family);
}

static bool ends_with(const char *name, const char *size)
{
    const size_t n = strlen(name);
    const size_t n_size = strlen(size);

    return n > n_size && name[n - n_size - 1] == '-' &&
           p3d_same_word(name + n - n_size, size);
}

void ask_names_of_size(const ask_names *names, const char *family,
        const char *size, char *out, size_t n)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < names->n; i++) {
        const ask_name *const name = &names->at[i];

        if (name->kind != ASK_MODEL || strcmp(name->word, name->meaning) != 0 ||
                !begins_with(name->word, family) ||
                !ends_with(name->word, size) ||
                used + strlen(name->word) + 5 > n)
            continue;
        used += (size_t)snprintf(out + used, n - used, "%s'%s'",
                used > 0 ? ", " : "", name->word);
    }
}
