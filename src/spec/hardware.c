/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.c - GPUs, nodes and fabrics from the files of hardware/, and what
 * all of these files share. */
#include "spec/hardware.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware_rows.h"

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

/* A whole file, or a part of a cluster. */
typedef struct part {
    int schema;
    p3d_gpu gpu;
    p3d_node node;
    p3d_fabric fabric;
} part;

/* clang-format off */
#define AT(member) offsetof(source, member)
static const json_field source_fields[] = {
    NEEDS(STRING, kind, 1, 16, "how it is known"),
    NEEDS(STRING, ref, 1, 1024, "where it is from"),
    MAY(STRING, read, 1, 16, "day it was read"),
    MAY(INT, page, 1, 1e5, "page of it"),
};

#undef AT
#define AT(member) offsetof(part, gpu.member)
static const json_field gpu_fields[] = {
    SCHEMA(part, false),
    NEEDS(STRING, name, 1, 48, "name of the GPU with its form and memory"),
    ELSEWHERE(aliases, false, "other names"),
    MAY(STRING, vendor, 1, 16, "maker"),
    NEEDS(STRING, architecture, 1, 16, "sm80, gfx942, ..."),
    NEEDS(STRING, calibration, 1, 48, "file of hardware/calibration"),
    MAY(STRING, node, 1, 48, "file of hardware/node it usually is in"),
    NEEDS(INT64, memory_bytes, 1e9, 1e13, "nominal memory, bytes"),
    MAY(INT64, visible_memory_bytes, 1e9, 1e13,
        "memory a program can see, bytes"),
    NEEDS(DOUBLE, hbm_bytes_per_s, 1e10, 1e14, "rate of that memory, bytes/s"),
    MAY(DOUBLE, fp32_flop_per_s, 1e11, 1e17, "dense peak of fp32, flop/s"),
    MAY(DOUBLE, tf32_flop_per_s, 1e11, 1e17, "dense peak of tf32, flop/s"),
    MAY(DOUBLE, fp16_flop_per_s, 1e11, 1e17,
        "dense peak of fp16, fp32 sums, flop/s"),
    MAY(DOUBLE, bf16_flop_per_s, 1e11, 1e17, "dense peak of bf16, flop/s"),
    MAY(DOUBLE, fp8_flop_per_s, 1e11, 1e17, "dense peak of fp8, flop/s"),
    MAY(DOUBLE, fp4_flop_per_s, 1e11, 1e17, "dense peak of fp4, flop/s"),
    NEEDS(INT, n_sms, 1, 10000, "multiprocessors"),
    MAY(INT64, l2_bytes, 1e5, 1e11, "second-level cache, bytes"),
    MAY(DOUBLE, boost_hz, 1e8, 1e10, "clock of the peak rates, Hz"),
    MAY(DOUBLE, nvlink_bytes_per_s_one_way, 1e9, 1e13,
        "to all others in its domain, bytes/s"),
    NEEDS(DOUBLE, pcie_bytes_per_s_one_way, 1e8, 1e12, "to the host, bytes/s"),
    MAY(DOUBLE, power_w, 1, 1e4, "power limit, W"),
    MAY(BOOL, variant, 0, 1,
        "one buyer's, half a product or an uncommon form of another: nobody "
        "is advised to change to it"),
    ELSEWHERE(sources, false, "where each number is from"),
};

#undef AT
#define AT(member) offsetof(part, node.member)
static const json_field node_fields[] = {
    SCHEMA(part, false),
    NEEDS(STRING, name, 1, 48, "name of the node type"),
    NEEDS(INT, gpus_per_node, 1, 1024, "GPUs in a node"),
    NEEDS(INT, gpus_per_nvlink_domain, 1, 65536,
        "GPUs that NVLink joins; 1 = none"),
    MAY(BOOL, nvswitch, 0, 1, "NVLink goes through switches"),
    MAY(INT, torus_axes, 2, P3D_MAX_TORUS_AXES,
        "axes of the torus that joins the GPUs of a domain"),
    MAY(INT, torus_wraps_at, 1, 65536,
        "an axis of a multiple of it is a ring, else a line"),
    NEEDS(INT, nics_per_node, 1, 1024, "network ports for training"),
    MAY(STRING, fabric, 1, 48, "file of hardware/fabric"),
    NEEDS(INT64, host_memory_bytes, 1e9, 1e15, "main memory, bytes"),
    NEEDS(DOUBLE, host_memory_bytes_per_s, 1e9, 1e14,
        "its rate, reads plus writes, bytes/s"),
    MAY(DOUBLE, host_time_factor, 0.1, 10,
        "time of launches over that of an x86 server"),
    MAY(INT64, nvme_bytes, 1e9, 1e16,
        "NVMe drives for data, bytes; without them nothing is offloaded there"),
    MAY(DOUBLE, nvme_bytes_per_s, 1e6, 1e13,
        "their rate, the lower of reads and writes, bytes/s"),
    MAY(DOUBLE, power_w, 10, 1e6, "power of a full node, W"),
    MAY(STRING, gpu, 1, 48,
        "file of hardware/gpu that it is rented or bought with: its name is "
        "then a type of clusters"),
    ELSEWHERE(aliases, false, "other names"),
    ELSEWHERE(sources, false, "where each number is from"),
};

#undef AT
#define AT(member) offsetof(part, fabric.member)
static const json_field fabric_fields[] = {
    SCHEMA(part, false),
    NEEDS(STRING, name, 1, 48, "name of the network"),
    NEEDS(STRING, kind, 1, 16, "infiniband, roce, ethernet, ..."),
    NEEDS(DOUBLE, nic_bytes_per_s_one_way, 1e7, 1e13,
        "rate of one port, bytes/s"),
    NEEDS(DOUBLE, latency_s, 1e-8, 1, "of a collective over two nodes, s"),
    NEEDS(DOUBLE, all_reduce_frac, 0.01, 1,
        "of the ports' rate that all-reduce reaches"),
    NEEDS(DOUBLE, all_gather_frac, 0.01, 1, "that all-gather reaches"),
    NEEDS(DOUBLE, p2p_frac, 0.01, 1, "that send and receive reach"),
    ELSEWHERE(sources, false, "where each number is from"),
};
/* clang-format on */

/* One member of "sources", such as "/power_w": {"kind": ..., "ref": ...}. */
static bool check_source(const json_doc *doc, const json_value *object,
        const char *pointer, const json_value *member, p3d_error *err)
{
    const char *const key = json_key(member);
    char at[SPEC_POINTER_MAX];
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

bool spec_is_assumed(const json_value *object, const char *key)
{
    const json_value *const listed = json_get(json_get(object, "sources"), key);

    return strcmp(json_string(json_get(listed, "kind")), "assumed") == 0;
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
        char key[SPEC_POINTER_MAX];

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

/* Of a part of a cluster, if it has any: every source is for a key of the
 * object and says its kind and where it is from. Of a whole file, where
 * check_head() has done that: every number has one. */
static bool check_sources(const json_doc *doc, const json_value *object,
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

static bool fail_unknown(p3d_folder folder, const p3d_catalog *catalog,
        const char *name, p3d_error *err)
{
    p3d_nearest nearest = {.word = name};
    char otherwise[64];

    for (int i = 0; i < catalog->n_names; i++)
        p3d_nearest_offer(&nearest, catalog->names[i]);
    snprintf(otherwise, sizeof(otherwise), "; see 'plan3d list %s'",
            folder_words[folder].list);
    return p3d_fail(err, P3D_DATA, "unknown %s '%s'%s",
            folder_words[folder].one, name,
            p3d_did_you_mean(&nearest, otherwise));
}

int spec_catalog_index(const p3d_catalog *catalog, const char *word)
{
    for (int i = 0; i < catalog->n_names; i++) {
        if (p3d_same_word(catalog->names[i], word))
            return i;
    }
    return -1;
}

bool spec_hardware_open(
        p3d_folder folder, const char *name, json_doc *doc, p3d_error *err)
{
    p3d_catalog catalog = {0};
    char path[2048];
    int found;
    bool ok;

    if (!p3d_catalog_open(folder, &catalog, err))
        return false;
    found = spec_catalog_index(&catalog, name);
    p3d_catalog_path(&catalog, found, path, sizeof(path));
    ok = found >= 0 ? spec_hardware_open_path(path, doc, err)
                    : fail_unknown(folder, &catalog, name, err);
    p3d_catalog_free(&catalog);
    return ok;
}

static bool check_aliases(const json_doc *doc, const json_value *object,
        const char *pointer, p3d_error *err)
{
    const json_value *const aliases = json_get(object, "aliases");

    if (aliases == NULL)
        return true;
    if (!json_is_array(aliases))
        return json_fail(doc, pointer, err, "\"aliases\" is not an array");
    for (const json_value *a = json_first(aliases); a != NULL;
            a = json_next(a)) {
        if (json_string(a)[0] == '\0')
            return json_fail(doc, pointer, err,
                    "an alias is not a word; write \"aliases\": [\"A800\"]");
    }
    return true;
}

/* Read and check a part by its fields. */
static bool read_part(const json_place *at, const json_shape *shape, part *out,
        p3d_error *err)
{
    return json_read_fields(*at, shape, out, err) &&
           check_aliases(at->doc, at->value, at->pointer, err) &&
           check_sources(at->doc, at->value, at->pointer, err);
}

bool spec_gpu_read(const json_place *at, p3d_gpu *out, p3d_error *err)
{
    part got = {0};

    if (!read_part(at, JSON_FIELDS(gpu_fields), &got, err))
        return false;
    if (got.gpu.visible_memory_bytes == 0)
        got.gpu.visible_memory_bytes = got.gpu.memory_bytes;
    *out = got.gpu;
    return true;
}

bool spec_node_read(const json_place *at, p3d_node *out, p3d_error *err)
{
    part got = {0};

    if (!read_part(at, JSON_FIELDS(node_fields), &got, err))
        return false;
    *out = got.node;
    return true;
}

bool spec_fabric_read(const json_place *at, p3d_fabric *out, p3d_error *err)
{
    part got = {0};

    if (!read_part(at, JSON_FIELDS(fabric_fields), &got, err))
        return false;
    *out = got.fabric;
    out->assumed_latency = spec_is_assumed(at->value, "/latency_s");
    out->assumed_fracs = spec_is_assumed(at->value, "/all_reduce_frac") ||
                         spec_is_assumed(at->value, "/all_gather_frac") ||
                         spec_is_assumed(at->value, "/p2p_frac");
    return true;
}

bool spec_node_load(const char *name, p3d_node *out, p3d_error *err)
{
    json_doc doc = {0};
    const bool ok = spec_hardware_open(P3D_NODES, name, &doc, err) &&
                    spec_node_read(&(json_place){&doc, doc.root, ""}, out, err);

    json_close(&doc);
    return ok;
}

bool spec_fabric_load(const char *name, p3d_fabric *out, p3d_error *err)
{
    json_doc doc = {0};
    const bool ok =
            spec_hardware_open(P3D_FABRICS, name, &doc, err) &&
            spec_fabric_read(&(json_place){&doc, doc.root, ""}, out, err);

    json_close(&doc);
    return ok;
}
