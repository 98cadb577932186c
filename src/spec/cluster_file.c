/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster_file.c - clusters in a JSON file. */
#include <stddef.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"

typedef struct cluster_file {
    int schema;
    char name[96];
    int n_nodes;
    int gpus_per_node; /* 0 = all of the node's */
} cluster_file;

/* clang-format off */
#define FILE_AT(field) offsetof(cluster_file, field)
static const json_field cluster_fields[] = {
    {"schema", JSON_INT, true, FILE_AT(schema), 1, 1,
        "version of this format, 1"},
    {"name", JSON_STRING, false, FILE_AT(name), 1, 96,
        "what people call the cluster"},
    {"n_nodes", JSON_INT, true, FILE_AT(n_nodes), 1, P3D_MAX_GPUS,
        "nodes"},
    {"gpus_per_node", JSON_INT, false, FILE_AT(gpus_per_node), 1, 65536,
        "GPUs that the job uses of a node"},
    {"gpu", JSON_ANY, true, 0, 0, 0,
        "name of a GPU, or an object like those of hardware/gpu"},
    {"node", JSON_ANY, false, 0, 0, 0,
        "name of a node type, or an object like those of hardware/node"},
    {"fabric", JSON_ANY, false, 0, 0, 0,
        "name of a network, or an object like those of hardware/fabric"},
};
/* clang-format on */

/* A part is the name of a file, or an object; absent, the fallback is taken. */
static bool read_gpu(const json_doc *doc, p3d_gpu *out, p3d_error *err)
{
    const json_value *const value = json_get(doc->root, "gpu");

    if (json_is_object(value))
        return spec_gpu_read(doc, value, "/gpu", out, err);
    if (!json_is_string(value))
        return json_fail(doc, "/gpu", err,
                "neither a name nor an object; write \"gpu\": \"A800\"");
    return p3d_gpu_find(json_string(value), out, err);
}

static bool read_node(const json_doc *doc, const char *fallback, p3d_node *out,
        p3d_error *err)
{
    const json_value *const value = json_get(doc->root, "node");

    if (json_is_object(value))
        return spec_node_read(doc, value, "/node", out, err);
    if (value == NULL && fallback[0] == '\0')
        return json_fail(doc, "", err,
                "neither the cluster nor its GPU says the node; add \"node\"");
    if (value != NULL && !json_is_string(value))
        return json_fail(doc, "/node", err,
                "neither a name nor an object; write \"node\": \"dgx-a100\"");
    return spec_node_load(
            value != NULL ? json_string(value) : fallback, out, err);
}

static bool read_fabric(const json_doc *doc, const char *fallback,
        p3d_fabric *out, p3d_error *err)
{
    const json_value *const value = json_get(doc->root, "fabric");

    if (json_is_object(value))
        return spec_fabric_read(doc, value, "/fabric", out, err);
    if (value == NULL && fallback[0] == '\0')
        return json_fail(doc, "", err,
                "neither the cluster nor its node says the fabric; add "
                "\"fabric\"");
    if (value != NULL && !json_is_string(value))
        return json_fail(doc, "/fabric", err,
                "neither a name nor an object; write \"fabric\": "
                "\"ib-hdr-200\"");
    return spec_fabric_load(
            value != NULL ? json_string(value) : fallback, out, err);
}

static bool shape_by_file(const json_doc *doc, const cluster_file *file,
        p3d_cluster *cluster, p3d_error *err)
{
    const p3d_node node = cluster->node;
    const int used =
            file->gpus_per_node > 0 ? file->gpus_per_node : node.gpus_per_node;

    if (p3d_mul(file->n_nodes, used) > P3D_MAX_GPUS)
        return json_fail(doc, "/n_nodes", err,
                "%d nodes of %d are more than %d GPUs, the most that plan3d "
                "plans for",
                file->n_nodes, used, P3D_MAX_GPUS);
    spec_cluster_shape(cluster, &node, file->n_nodes, used);
    if (file->name[0] != '\0')
        p3d_copy(cluster->name, sizeof(cluster->name), file->name);
    return true;
}

static bool read_cluster(const json_doc *doc, p3d_cluster *out, p3d_error *err)
{
    cluster_file file = {0};
    p3d_cluster got = {0};

    if (!json_is_object(doc->root))
        return json_fail(doc, "", err, "a cluster is an object");
    if (!json_read_fields((json_place){doc, doc->root, ""},
                JSON_FIELDS(cluster_fields), &file, err) ||
            !read_gpu(doc, &got.gpu, err) ||
            !read_node(doc, got.gpu.node, &got.node, err) ||
            !read_fabric(doc, got.node.fabric, &got.fabric, err) ||
            !spec_calibration_load(
                    got.gpu.calibration, &got.calibration, err) ||
            !shape_by_file(doc, &file, &got, err))
        return false;
    *out = got;
    return true;
}

static bool read_and_close(json_doc *doc, p3d_cluster *out, p3d_error *err)
{
    const bool ok = read_cluster(doc, out, err);

    json_close(doc);
    return ok;
}

bool spec_cluster_load(const char *path, p3d_cluster *out, p3d_error *err)
{
    json_doc doc = {0};

    return json_open(path, &doc, err) && read_and_close(&doc, out, err);
}

bool p3d_cluster_parse(
        const char *file, const char *text, p3d_cluster *out, p3d_error *err)
{
    if (file == NULL || text == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    json_doc doc = {0};

    return json_parse(file, text, strlen(text), &doc, err) &&
           read_and_close(&doc, out, err);
}
