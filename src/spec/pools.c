/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.c - pools of GPUs of one type each, in words such as 32xA800+16xH100
 * and in a JSON file, and the links between them. */
#include "plan3d/pools.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"
#include "spec/hardware_rows.h"

enum { POOL_WORDS = 128 };

/* Index of the pool of a name; -1 = none. */
static int pool_named(const p3d_pools *pools, const char *name)
{
    for (int k = 0; k < pools->n_pools; k++)
        if (p3d_same_word(pools->names[k], name))
            return k;
    return -1;
}

/* Append a pool, of its GPU's name where it has none of its own. */
static bool add_pool(p3d_pools *pools, const char *name,
        const p3d_cluster *cluster, p3d_error *err)
{
    const int k = pools->n_pools;

    if (k == P3D_MAX_POOLS)
        return p3d_fail(err, P3D_DATA,
                "more than %d pools, the most that plan3d plans for",
                P3D_MAX_POOLS);
    if (pool_named(pools, name) >= 0)
        return p3d_fail(err, P3D_DATA,
                "two pools are named %s; write one of all its GPUs, or give "
                "them names in a file",
                name);
    p3d_copy(pools->names[k], sizeof(pools->names[k]), name);
    pools->clusters[k] = *cluster;
    pools->n_pools++;
    return true;
}

static void name_pools(p3d_pools *pools)
{
    char name[sizeof(pools->name)] = "";
    size_t at = 0;

    for (int k = 0; k < pools->n_pools && at < sizeof(name); k++)
        at += (size_t)snprintf(name + at, sizeof(name) - at, "%s%s",
                k == 0 ? "" : " + ", pools->clusters[k].name);
    p3d_copy(pools->name, sizeof(pools->name), name);
}

static bool joins(const p3d_pool_link *link, int a, int b)
{
    return (link->pool == a && link->other == b) ||
           (link->pool == b && link->other == a);
}

/* Bytes/s of a node's network cards. */
static double node_bytes_per_s(const p3d_cluster *c)
{
    return c->fabric.nic_bytes_per_s_one_way * c->node.nics_per_node;
}

/* A link that nobody said: the slower of the two fabrics. */
static p3d_pool_link usual_link(const p3d_pools *pools, int a, int b)
{
    const p3d_cluster *const c = &pools->clusters[a];
    const p3d_cluster *const d = &pools->clusters[b];

    return (p3d_pool_link){.pool = a,
            .other = b,
            .bytes_per_s_one_way =
                    fmin(node_bytes_per_s(c), node_bytes_per_s(d)),
            .latency_s = fmax(c->fabric.latency_s, d->fabric.latency_s),
            .assumed = true};
}

static void assume_links(p3d_pools *pools)
{
    pools->n_links = 0;
    for (int a = 0; a < pools->n_pools; a++)
        for (int b = a + 1; b < pools->n_pools; b++)
            pools->links[pools->n_links++] = usual_link(pools, a, b);
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
        if (!p3d_cluster_find(part, &cluster, err) ||
                !add_pool(out, cluster.gpu.name, &cluster, err))
            return false;
    }
    return true;
}

/* A file. */

typedef struct pools_file {
    int schema;
    char name[96];
    p3d_rows links;
} pools_file;

typedef struct link_row {
    char from[48];
    char to[48];
    double node_bytes_per_s_one_way;
    double total_bytes_per_s_one_way;
    double latency_s;
} link_row;

/* clang-format off */
#define AT(member) offsetof(link_row, member)
static const json_field link_fields[] = {
    NEEDS(STRING, from, 1, 48, "name of a pool"),
    NEEDS(STRING, to, 1, 48, "name of another"),
    MAY(DOUBLE, node_bytes_per_s_one_way, 1, 1e15,
        "bytes/s that a node of either has to the other pool, one way"),
    MAY(DOUBLE, total_bytes_per_s_one_way, 1, 1e18,
        "bytes/s between the pools, one way, shared evenly by the nodes of "
        "the smaller"),
    MAY(DOUBLE, latency_s, 0, 10,
        "seconds; absent = of the slower fabric of the two"),
};
/* clang-format on */

static const char *check_link(const void *object, const char **key)
{
    const link_row *const row = object;

    if (row->node_bytes_per_s_one_way > 0 || row->total_bytes_per_s_one_way > 0)
        return NULL;
    *key = "from";
    return "a link needs a rate; add \"node_bytes_per_s_one_way\" or "
           "\"total_bytes_per_s_one_way\"";
}

static const json_shape link_shape = {.doc = "the network between two pools",
        .size = sizeof(link_row),
        .n_fields = P3D_COUNT_OF(link_fields),
        .fields = link_fields,
        .check = check_link};

/* clang-format off */
#undef AT
#define AT(member) offsetof(pools_file, member)
static const json_field pools_fields[] = {
    SCHEMA(pools_file, true),
    MAY(STRING, name, 1, 96, "what people call the cluster"),
    {"pools", JSON_TYPE(ANY, .words = (const char *const[]){"array", NULL}),
        true, 0, 0, 0,
        "clusters of one type each: words, or objects like a cluster file "
        "without its schema, whose name is that of the pool"},
    {"links", JSON_LIST(link_shape), false, AT(links), 0, 0,
        "absent, or of a pair that has none: the slower of the two fabrics"},
};
/* clang-format on */

const json_shape spec_pools_file_shape = {
        .doc = "a cluster of several pools, in place of its words",
        .size = sizeof(pools_file),
        .n_fields = P3D_COUNT_OF(pools_fields),
        .fields = pools_fields};

static bool read_pool(const json_place *at, p3d_pools *out, p3d_error *err)
{
    const char *const name = json_string(json_get(at->value, "name"));
    p3d_cluster cluster;

    if (json_is_string(at->value)) {
        if (spec_cluster_is_file(json_string(at->value)))
            return json_fail(at->doc, at->pointer, err,
                    "a pool is a cluster in words, such as \"32xA800\", or an "
                    "object; no file");
        return p3d_cluster_find(json_string(at->value), &cluster, err) &&
               add_pool(out, cluster.gpu.name, &cluster, err);
    }
    if (!spec_pool_read(*at, &cluster, err))
        return false;
    if (cluster.tiers.n > 0)
        return json_fail(at->doc, at->pointer, err,
                "tiers of switches are for clusters of one type; leave them "
                "out of a pool");
    return add_pool(
            out, name[0] != '\0' ? name : cluster.gpu.name, &cluster, err);
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

/* The pool that an end of a link names. */
static bool find_end(const json_place *at, const char *name,
        const p3d_pools *pools, int *out, p3d_error *err)
{
    p3d_nearest nearest = {.word = name};

    *out = pool_named(pools, name);
    if (*out >= 0)
        return true;
    for (int k = 0; k < pools->n_pools; k++)
        p3d_nearest_offer(&nearest, pools->names[k]);
    return json_fail(at->doc, at->pointer, err, "no pool is named '%s'%s", name,
            p3d_did_you_mean(&nearest, "; write the name of one"));
}

static double link_bytes_per_s(
        const link_row *row, const p3d_cluster *a, const p3d_cluster *b)
{
    const int n = a->n_nodes < b->n_nodes ? a->n_nodes : b->n_nodes;
    const double node = row->node_bytes_per_s_one_way;
    const double share = row->total_bytes_per_s_one_way / n;

    if (node > 0 && share > 0)
        return fmin(node, share);
    return node > 0 ? node : share;
}

static bool read_link(const json_doc *doc, int i, const link_row *row,
        p3d_pools *out, p3d_error *err)
{
    char from[SPEC_POINTER_MAX], to[SPEC_POINTER_MAX];
    p3d_pool_link *link;
    int a = 0, b = 0;

    snprintf(from, sizeof(from), "/links/%d/from", i);
    snprintf(to, sizeof(to), "/links/%d/to", i);
    if (!find_end(&(json_place){doc, NULL, from}, row->from, out, &a, err) ||
            !find_end(&(json_place){doc, NULL, to}, row->to, out, &b, err))
        return false;
    if (a == b)
        return json_fail(doc, to, err,
                "a link joins two pools; this one '%s' with itself", row->to);
    link = &out->links[0];
    while (!joins(link, a, b))
        link++;
    if (!link->assumed)
        return json_fail(doc, from, err,
                "%s and %s have a link already; leave one out", row->from,
                row->to);
    link->assumed = false;
    link->bytes_per_s_one_way =
            link_bytes_per_s(row, &out->clusters[a], &out->clusters[b]);
    if (row->latency_s > 0)
        link->latency_s = row->latency_s;
    return true;
}

static bool read_links(const json_doc *doc, const p3d_rows *rows,
        p3d_pools *out, p3d_error *err)
{
    const link_row *const row = rows->items;

    assume_links(out);
    for (int i = 0; i < rows->n; i++)
        if (!read_link(doc, i, &row[i], out, err))
            return false;
    return true;
}

static bool read_file(const json_doc *doc, p3d_pools *out, p3d_error *err)
{
    pools_file file = {0};
    bool ok;

    if (!json_is_object(doc->root))
        return json_fail(doc, "", err, "a cluster is an object");
    ok = json_read_fields((json_place){doc, doc->root, ""},
                 &spec_pools_file_shape, &file, err) &&
         read_pools(doc, out, err) && read_links(doc, &file.links, out, err);
    name_pools(out);
    if (file.name[0] != '\0')
        p3d_copy(out->name, sizeof(out->name), file.name);
    json_free_lists(&spec_pools_file_shape, &file);
    return ok;
}

bool spec_pools_check(
        const json_doc *doc, const p3d_cluster *only, p3d_error *err)
{
    const json_value *const pool = json_first(json_get(doc->root, "pools"));
    const char *const name = json_string(json_get(pool, "name"));
    p3d_pools pools = {.n_pools = 0};
    pools_file file = {0};
    const bool ok = json_read_fields((json_place){doc, doc->root, ""},
                            &spec_pools_file_shape, &file, err) &&
                    add_pool(&pools, name[0] != '\0' ? name : only->gpu.name,
                            only, err) &&
                    read_links(doc, &file.links, &pools, err);

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
        assume_links(&got);
    }
    *out = got;
    return true;
}

bool p3d_are_pools(const char *words)
{
    const json_value *list;
    json_doc doc = {0};
    bool are;

    if (words == NULL)
        return false;
    if (!spec_cluster_is_file(words))
        return strchr(words, '+') != NULL;
    if (strcmp(words, "-") == 0 || !json_open(words, &doc, NULL))
        return false;
    list = json_get(doc.root, "pools");
    are = list != NULL &&
          (json_first(list) == NULL || json_next(json_first(list)) != NULL);
    json_close(&doc);
    return are;
}

const p3d_pool_link *p3d_pools_link(const p3d_pools *pools, int a, int b)
{
    if (pools == NULL || a == b)
        return NULL;
    for (int i = 0; i < pools->n_links; i++)
        if (joins(&pools->links[i], a, b))
            return &pools->links[i];
    return NULL;
}
