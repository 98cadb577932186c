/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_links.c - pools by their names, the links between them, and what a file
 * of pools has beside the pools. */
#include "spec/pool_links.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"
#include "spec/hardware_rows.h"

/* Index of the pool of a name; -1 = none. */
static int pool_named(const p3d_pools *pools, const char *name)
{
    for (int k = 0; k < pools->n_pools; k++)
        if (p3d_same_word(pools->names[k], name))
            return k;
    return -1;
}

/* Index of the only pool of a type of GPU, "A800"; -1 = none, or several. */
static int pool_of_type(const p3d_pools *pools, const char *type)
{
    p3d_gpu gpu;
    int found = -1;

    if (!p3d_gpu_find(type, &gpu, NULL))
        return -1;
    for (int k = 0; k < pools->n_pools; k++)
        if (strcmp(pools->clusters[k].gpu.name, gpu.name) == 0) {
            if (found >= 0)
                return -1;
            found = k;
        }
    return found;
}

int spec_pools_named(const p3d_pools *pools, const char *name)
{
    const int k = pool_named(pools, name);

    return k >= 0 ? k : pool_of_type(pools, name);
}

void spec_pools_list(const p3d_pools *pools, char *out, size_t size)
{
    size_t at = 0;

    out[0] = '\0';
    for (int k = 0; k < pools->n_pools && at < size; k++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", k > 0 ? ", " : "",
                pools->names[k]);
}

bool spec_pools_add(p3d_pools *pools, const char *name,
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

void spec_pools_assume_links(p3d_pools *pools)
{
    pools->n_links = 0;
    for (int a = 0; a < pools->n_pools; a++)
        for (int b = a + 1; b < pools->n_pools; b++)
            pools->links[pools->n_links++] = usual_link(pools, a, b);
}

void spec_pools_renew_links(p3d_pools *pools)
{
    for (int i = 0; i < pools->n_links; i++) {
        p3d_pool_link *const link = &pools->links[i];

        if (link->assumed)
            *link = usual_link(pools, link->pool, link->other);
    }
}

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
#define AT(member) offsetof(spec_pools_file, member)
static const json_field pools_fields[] = {
    SCHEMA(spec_pools_file, true),
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
        .size = sizeof(spec_pools_file),
        .n_fields = P3D_COUNT_OF(pools_fields),
        .fields = pools_fields};

/* The pool that an end of a link names. */
static bool find_end(const json_place *at, const char *name,
        const p3d_pools *pools, int *out, p3d_error *err)
{
    char names[SPEC_POOL_NAMES];

    *out = spec_pools_named(pools, name);
    if (*out >= 0)
        return true;
    spec_pools_list(pools, names, sizeof(names));
    return json_fail(at->doc, at->pointer, err,
            "no pool is named '%s'; its pools are %s", name, names);
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

bool spec_pools_read_links(const json_doc *doc, const p3d_rows *rows,
        p3d_pools *out, p3d_error *err)
{
    const link_row *const row = rows->items;

    spec_pools_assume_links(out);
    for (int i = 0; i < rows->n; i++)
        if (!read_link(doc, i, &row[i], out, err))
            return false;
    return true;
}

bool spec_pools_check(
        const json_doc *doc, const p3d_cluster *only, p3d_error *err)
{
    const json_value *const pool = json_first(json_get(doc->root, "pools"));
    const char *const name = json_string(json_get(pool, "name"));
    p3d_pools pools = {.n_pools = 0};
    spec_pools_file file = {0};
    const bool ok =
            json_read_fields((json_place){doc, doc->root, ""},
                    &spec_pools_file_shape, &file, err) &&
            spec_pools_add(&pools, name[0] != '\0' ? name : only->gpu.name,
                    only, err) &&
            spec_pools_read_links(doc, &file.links, &pools, err);

    json_free_lists(&spec_pools_file_shape, &file);
    return ok;
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
