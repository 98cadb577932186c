/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.c - pools of GPUs of one type each, in words such as 32xA800+16xH100
 * and in a JSON file; one of them as a cluster. */
#include "plan3d/pools.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "spec/hardware.h"
#include "spec/hardware_rows.h"
#include "spec/pool_links.h"

enum { POOL_WORDS = 128 };

static void name_pools(p3d_pools *pools)
{
    char name[sizeof(pools->name)] = "";
    size_t at = 0;

    for (int k = 0; k < pools->n_pools && at < sizeof(name); k++)
        at += (size_t)snprintf(name + at, sizeof(name) - at, "%s%s",
                k == 0 ? "" : " + ", pools->clusters[k].name);
    p3d_copy(pools->name, sizeof(pools->name), name);
}

/* The next part of words with plus signs; NULL past the last. */
static const char *next_part(const char *words, char part[POOL_WORDS])
{
    const size_t n = strcspn(words, "+");

    snprintf(part, POOL_WORDS, "%.*s", n < POOL_WORDS ? (int)n : POOL_WORDS - 1,
            words);
    return words[n] == '+' ? words + n + 1 : NULL;
}

static bool read_words(const char *words, p3d_pools *out, p3d_error *err)
{
    char part[POOL_WORDS];

    while (words != NULL) {
        p3d_cluster cluster;

        words = next_part(words, part);
        if (part[strspn(part, " ")] == '\0')
            return p3d_fail(err, P3D_DATA,
                    "a pool is missing beside a plus sign; write "
                    "32xA800+16xH100");
        if (spec_cluster_is_file(part))
            return p3d_fail(err, P3D_DATA,
                    "'%.80s' is a file; write its pools and the others' in "
                    "one file",
                    part);
        if (!spec_cluster_find(part, &cluster, err) ||
                !spec_pools_add(out, cluster.gpu.name, &cluster, err))
            return false;
    }
    return true;
}

static bool read_pool(const json_place *at, p3d_pools *out, p3d_error *err)
{
    const char *const name = json_string(json_get(at->value, "name"));
    p3d_cluster cluster;

    if (json_is_string(at->value)) {
        if (spec_cluster_is_file(json_string(at->value)))
            return json_fail(at->doc, at->pointer, err,
                    "a pool is a cluster in words, such as \"32xA800\", or an "
                    "object; no file");
        return spec_cluster_find(json_string(at->value), &cluster, err) &&
               spec_pools_add(out, cluster.gpu.name, &cluster, err);
    }
    return spec_pool_read(*at, &cluster, err) &&
           spec_pools_add(out, name[0] != '\0' ? name : cluster.gpu.name,
                   &cluster, err);
}

/* Say where of what was found out without a place: words, names, how many. */
static bool place_error(const json_place *at, p3d_error *err)
{
    if (err != NULL && err->line == 0) {
        const p3d_error found = *err;

        *err = (p3d_error){.code = P3D_OK};
        return json_fail(at->doc, at->pointer, err, "%s", found.text);
    }
    return false;
}

static bool read_pools(const json_doc *doc, p3d_pools *out, p3d_error *err)
{
    const json_value *const list = json_get(doc->root, "pools");
    int i = 0;

    if (!json_is_array(list) || json_first(list) == NULL)
        return json_fail(doc, "/pools", err,
                "a list of pools is expected, such as [\"32xA800\", "
                "\"16xH100\"]");
    for (const json_value *v = json_first(list); v != NULL;
            v = json_next(v), i++) {
        char pointer[SPEC_POINTER_MAX];
        const json_place at = {doc, v, pointer};

        snprintf(pointer, sizeof(pointer), "/pools/%d", i);
        if (!read_pool(&at, out, err))
            return place_error(&at, err);
    }
    return true;
}

static bool read_file(const json_doc *doc, p3d_pools *out, p3d_error *err)
{
    spec_pools_file file = {0};
    bool ok;

    if (!json_is_object(doc->root))
        return json_fail(doc, "", err, "a cluster is an object");
    ok = json_read_fields((json_place){doc, doc->root, ""},
                 &spec_pools_file_shape, &file, err) &&
         read_pools(doc, out, err) &&
         spec_pools_read_links(doc, &file.links, out, err);
    name_pools(out);
    if (file.name[0] != '\0')
        p3d_copy(out->name, sizeof(out->name), file.name);
    json_free_lists(&spec_pools_file_shape, &file);
    return ok;
}

bool p3d_pools_parse(
        const char *file, const char *text, p3d_pools *out, p3d_error *err)
{
    if (file == NULL || text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_pools got = {.n_pools = 0};
    json_doc doc = {0};

    if (!json_parse(file, text, strlen(text), &doc, err) ||
            !json_close_after(&doc, read_file(&doc, &got, err)))
        return false;
    *out = got;
    return true;
}

bool p3d_pools_find(const char *words, p3d_pools *out, p3d_error *err)
{
    if (words == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_pools got = {.n_pools = 0};
    json_doc doc = {0};

    if (spec_cluster_is_file(words)) {
        if (!json_open(words, &doc, err) ||
                !json_close_after(&doc, read_file(&doc, &got, err)))
            return false;
    } else {
        if (!read_words(words, &got, err))
            return false;
        name_pools(&got);
        spec_pools_assume_links(&got);
    }
    *out = got;
    return true;
}

bool p3d_are_pools(const char *words)
{
    const json_value *list;
    char file[SPEC_PATH];
    json_doc doc = {0};
    bool are;

    if (words == NULL)
        return false;
    if (!spec_cluster_is_file(words))
        return strchr(words, '+') != NULL;
    if (strcmp(words, "-") == 0 || spec_cluster_pool(words, file) != NULL ||
            !json_open(words, &doc, NULL))
        return false;
    list = json_get(doc.root, "pools");
    are = list != NULL &&
          (json_first(list) == NULL || json_next(json_first(list)) != NULL);
    json_close(&doc);
    return are;
}

/* "new:16" is a name and GPUs, "16" GPUs alone; 0 = there is no count. */
static size_t split_count(const char *words, int *n_gpus)
{
    const char *const colon = strrchr(words, ':');
    const char *const last = colon != NULL ? colon + 1 : words;
    int64_t n = 0;

    *n_gpus = 0;
    if (!p3d_parse_count(last, 1, P3D_MAX_GPUS, &n, NULL))
        return strlen(words);
    *n_gpus = (int)n;
    return colon != NULL ? (size_t)(colon - words) : 0;
}

/* Some GPUs of a cluster; 0 = all. */
static bool take(p3d_cluster *cluster, int n_gpus, p3d_error *err)
{
    if (n_gpus > cluster->n_gpus)
        return p3d_fail(err, P3D_DATA, "%s has %d GPUs, not %d", cluster->name,
                cluster->n_gpus, n_gpus);
    return n_gpus == 0 || p3d_cluster_resize(cluster, n_gpus, err);
}

/* The pool of the words, and how many of its GPUs. */
static bool pick_pool(const char *file, const char *words, p3d_pools *pools,
        p3d_cluster *out, p3d_error *err)
{
    char name[SPEC_POOL_NAMES];
    int n_gpus = 0, k = spec_pools_named(pools, words);

    if (k < 0) {
        snprintf(name, sizeof(name), "%.*s", (int)split_count(words, &n_gpus),
                words);
        k = name[0] == '\0' && pools->n_pools == 1
                    ? 0
                    : spec_pools_named(pools, name);
    }
    if (k < 0) {
        spec_pools_list(pools, name, sizeof(name));
        return p3d_fail(err, P3D_DATA,
                "%.400s has no pool '%.80s'; its pools are %s", file, words,
                name);
    }
    *out = pools->clusters[k];
    return take(out, n_gpus, err);
}

/* Some GPUs of a file that is one cluster. */
static bool pick_part(
        const char *file, const char *words, p3d_cluster *out, p3d_error *err)
{
    int n_gpus;

    if (split_count(words, &n_gpus) > 0)
        return p3d_fail(err, P3D_DATA,
                "%.400s has no pools to take '%.80s' of: it is one cluster; "
                "write its name alone, or with GPUs behind it",
                file, words);
    return spec_cluster_find(file, out, err) && take(out, n_gpus, err);
}

/* A part of a file: a pool by its name, GPUs by their number. */
static bool pick(
        const char *file, const char *words, p3d_cluster *out, p3d_error *err)
{
    p3d_pools pools = {.n_pools = 0};
    json_doc doc = {0};
    bool has_pools;

    if (!json_open(file, &doc, err))
        return false;
    has_pools = json_get(doc.root, "pools") != NULL;
    if (!json_close_after(&doc, !has_pools || read_file(&doc, &pools, err)))
        return false;
    return has_pools ? pick_pool(file, words, &pools, out, err)
                     : pick_part(file, words, out, err);
}

bool p3d_cluster_find(const char *words, p3d_cluster *out, p3d_error *err)
{
    if (words == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    char file[SPEC_PATH];
    const char *const pool = spec_cluster_pool(words, file);

    return pool != NULL ? pick(file, pool, out, err)
                        : spec_cluster_find(words, out, err);
}
