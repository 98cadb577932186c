/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.c - what all files of hardware/ share; nodes and fabrics. */
#include "spec/hardware.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"

/* What a file of a folder is, and the word of 'plan3d list' for all. */
static const struct {
    const char *one;
    const char *list;
} folder_words[P3D_N_FOLDERS] = {
        [P3D_MODELS] = {"model", "models"},
        [P3D_GPUS] = {"GPU", "gpus"},
        [P3D_NODES] = {"node", "nodes"},
        [P3D_FABRICS] = {"fabric", "fabrics"},
        [P3D_CALIBRATIONS] = {"calibration", "calibrations"},
};

static const char *const source_kinds[] = {
        "datasheet", "published", "measured", "fitted", "assumed"};

typedef struct source {
    char kind[16];
    char ref[1024];
    char read[16];
    int page;
} source;

typedef struct node_file {
    int schema;
    p3d_node node;
} node_file;

typedef struct fabric_file {
    int schema;
    p3d_fabric fabric;
} fabric_file;

/* clang-format off */
static const json_field source_fields[] = {
    {"kind", JSON_STRING, true, offsetof(source, kind), 1, 16,
        "how it is known"},
    {"ref", JSON_STRING, true, offsetof(source, ref), 1, 1024,
        "where it is from"},
    {"read", JSON_STRING, false, offsetof(source, read), 1, 16,
        "day it was read"},
    {"page", JSON_INT, false, offsetof(source, page), 1, 1e5,
        "page of it"},
};

#define NODE(field) offsetof(node_file, node.field)
static const json_field node_fields[] = {
    {"schema", JSON_INT, false, offsetof(node_file, schema), 1, 1,
        "version of this format, 1"},
    {"name", JSON_STRING, true, NODE(name), 1, 48,
        "name of the node type"},
    {"gpus_per_node", JSON_INT, true, NODE(gpus_per_node), 1, 1024,
        "GPUs in a node"},
    {"gpus_per_nvlink_domain", JSON_INT, true,
        NODE(gpus_per_nvlink_domain), 1, 65536,
        "GPUs that NVLink joins; 1 = none"},
    {"nvswitch", JSON_BOOL, false, NODE(nvswitch), 0, 1,
        "NVLink goes through switches"},
    {"nics_per_node", JSON_INT, true, NODE(nics_per_node), 1, 1024,
        "network ports for training"},
    {"fabric", JSON_STRING, false, NODE(fabric), 1, 48,
        "file of hardware/fabric"},
    {"host_memory_bytes", JSON_INT64, true, NODE(host_memory_bytes), 1e9, 1e15,
        "main memory, bytes"},
    {"host_memory_bytes_per_s", JSON_DOUBLE, true,
        NODE(host_memory_bytes_per_s), 1e9, 1e14,
        "its rate, reads plus writes, bytes/s"},
    {"host_time_factor", JSON_DOUBLE, false, NODE(host_time_factor), 0.1, 10,
        "time of launches over that of an x86 server"},
    {"nvme_bytes", JSON_INT64, false, NODE(nvme_bytes), 1e9, 1e16,
        "NVMe drives for data, bytes; without them nothing is offloaded there"},
    {"nvme_bytes_per_s", JSON_DOUBLE, false, NODE(nvme_bytes_per_s), 1e6, 1e13,
        "their rate, the lower of reads and writes, bytes/s"},
    {"power_w", JSON_DOUBLE, false, NODE(power_w), 10, 1e6,
        "power of a full node, W"},
    {"sources", JSON_ANY, false, 0, 0, 0,
        "where each number is from"},
};

#define FABRIC(field) offsetof(fabric_file, fabric.field)
static const json_field fabric_fields[] = {
    {"schema", JSON_INT, false, offsetof(fabric_file, schema), 1, 1,
        "version of this format, 1"},
    {"name", JSON_STRING, true, FABRIC(name), 1, 48,
        "name of the network"},
    {"kind", JSON_STRING, true, FABRIC(kind), 1, 16,
        "infiniband, roce, ethernet, ..."},
    {"nic_bytes_per_s_one_way", JSON_DOUBLE, true,
        FABRIC(nic_bytes_per_s_one_way), 1e7, 1e13,
        "rate of one port, bytes/s"},
    {"latency_s", JSON_DOUBLE, true, FABRIC(latency_s), 1e-8, 1,
        "of a collective over two nodes, s"},
    {"all_reduce_frac", JSON_DOUBLE, true, FABRIC(all_reduce_frac), 0.01, 1,
        "of the ports' rate that all-reduce reaches"},
    {"all_gather_frac", JSON_DOUBLE, true, FABRIC(all_gather_frac), 0.01, 1,
        "that all-gather reaches"},
    {"p2p_frac", JSON_DOUBLE, true, FABRIC(p2p_frac), 0.01, 1,
        "that send and receive reach"},
    {"sources", JSON_ANY, false, 0, 0, 0,
        "where each number is from"},
};
/* clang-format on */

/* One member of "sources", such as "/power_w": {"kind": ..., "ref": ...}. */
static bool check_source(const json_doc *doc, const json_value *object,
        const char *pointer, const json_value *member, p3d_error *err)
{
    const char *const key = json_key(member);
    char at[P3D_POINTER_MAX];
    source got = {0};

    if (key[0] != '/' || json_get(object, key + 1) == NULL) {
        snprintf(at, sizeof(at), "%s/sources", pointer);
        return json_fail(doc, at, err,
                "the source '%s' is for no key here; write '/' and a key", key);
    }
    /* In a JSON Pointer the slash of the key is written ~1. */
    snprintf(at, sizeof(at), "%s/sources/~1%s", pointer, key + 1);
    if (!json_is_object(member))
        return json_fail(doc, at, err,
                "a source is an object: {\"kind\": ..., \"ref\": ...}");
    if (!json_read_fields((json_place){doc, member, at},
                JSON_FIELDS(source_fields), &got, err))
        return false;
    if (got.ref[0] == '\0')
        return json_fail(
                doc, at, err, "an empty \"ref\"; say where it is from");
    for (int i = 0; i < P3D_COUNT_OF(source_kinds); i++) {
        if (strcmp(source_kinds[i], got.kind) == 0)
            return true;
    }
    return json_fail(doc, at, err,
            "unknown kind '%s'; write datasheet, published, measured, fitted "
            "or assumed",
            got.kind);
}

static bool check_listed(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_error *err)
{
    const json_value *const sources = json_get(object, "sources");

    if (sources == NULL)
        return true;
    if (!json_is_object(sources))
        return json_fail(doc, pointer, err, "\"sources\" is not an object");
    for (const json_value *s = json_first(sources); s != NULL;
            s = json_next(s)) {
        if (!check_source(doc, object, pointer, s, err))
            return false;
    }
    return true;
}

/* Each number of a file, but its schema, has a source. */
static bool check_sourced(const json_doc *doc, p3d_error *err)
{
    const json_value *const sources = json_get(doc->root, "sources");

    for (const json_value *v = json_first(doc->root); v != NULL;
            v = json_next(v)) {
        char key[P3D_POINTER_MAX];

        snprintf(key, sizeof(key), "/%s", json_key(v));
        if (json_is_number(v) && strcmp(key, "/schema") != 0 &&
                json_get(sources, key) == NULL)
            return json_fail(doc, key, err,
                    "no source; add \"%s\" to \"sources\", with where the "
                    "number is from",
                    key);
    }
    return true;
}

bool spec_hardware_check_sources(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_error *err)
{
    return object == doc->root ? check_sourced(doc, err)
                               : check_listed(doc, object, pointer, err);
}

static bool check_head(const json_doc *doc, p3d_error *err)
{
    if (!json_is_object(doc->root))
        return json_fail(doc, "", err, "the file is not an object");
    if (json_get(doc->root, "schema") == NULL)
        return json_fail(doc, "", err, "no schema; write \"schema\": 1");
    if (json_get(doc->root, "sources") == NULL)
        return json_fail(
                doc, "", err, "no sources; say where each number is from");
    return check_listed(doc, doc->root, "", err);
}

bool spec_hardware_open_path(const char *path, json_doc *doc, p3d_error *err)
{
    json_doc opened = {0};

    if (!json_open(path, &opened, err))
        return false;
    if (!check_head(&opened, err)) {
        json_close(&opened);
        return false;
    }
    *doc = opened;
    return true;
}

static bool fail_unknown(
        p3d_folder folder, p3d_nearest *nearest, p3d_error *err)
{
    char otherwise[64];

    snprintf(otherwise, sizeof(otherwise), "; see 'plan3d list %s'",
            folder_words[folder].list);
    return p3d_fail(err, P3D_DATA, "unknown %s '%s'%s",
            folder_words[folder].one, nearest->word,
            p3d_did_you_mean(nearest, otherwise));
}

bool spec_hardware_open(
        p3d_folder folder, const char *name, json_doc *doc, p3d_error *err)
{
    p3d_catalog catalog = {0};
    p3d_nearest nearest = {.word = name};
    char path[2048];
    int found = -1;
    bool ok;

    if (!p3d_catalog_open(folder, &catalog, err))
        return false;
    for (int i = 0; i < catalog.n_names && found < 0; i++) {
        p3d_nearest_offer(&nearest, catalog.names[i]);
        if (p3d_same_word(catalog.names[i], name))
            found = i;
    }
    if (found >= 0) {
        p3d_catalog_path(&catalog, found, path, sizeof(path));
        ok = spec_hardware_open_path(path, doc, err);
    } else {
        ok = fail_unknown(folder, &nearest, err);
    }
    p3d_catalog_free(&catalog);
    return ok;
}

bool spec_node_read(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_node *out, p3d_error *err)
{
    node_file file = {0};

    if (!json_read_fields((json_place){doc, object, pointer},
                JSON_FIELDS(node_fields), &file, err) ||
            !spec_hardware_check_sources(doc, object, pointer, err))
        return false;
    *out = file.node;
    return true;
}

bool spec_fabric_read(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_fabric *out, p3d_error *err)
{
    fabric_file file = {0};

    if (!json_read_fields((json_place){doc, object, pointer},
                JSON_FIELDS(fabric_fields), &file, err) ||
            !spec_hardware_check_sources(doc, object, pointer, err))
        return false;
    *out = file.fabric;
    return true;
}

bool spec_node_load(const char *name, p3d_node *out, p3d_error *err)
{
    json_doc doc = {0};
    bool ok;

    if (!spec_hardware_open(P3D_NODES, name, &doc, err))
        return false;
    ok = spec_node_read(&doc, doc.root, "", out, err);
    json_close(&doc);
    return ok;
}

bool spec_fabric_load(const char *name, p3d_fabric *out, p3d_error *err)
{
    json_doc doc = {0};
    bool ok;

    if (!spec_hardware_open(P3D_FABRICS, name, &doc, err))
        return false;
    ok = spec_fabric_read(&doc, doc.root, "", out, err);
    json_close(&doc);
    return ok;
}
