/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - nodes that are rented or bought with their GPUs: p5.48xlarge,
 * DGX H100. Their names stand where a type of GPU may, and count nodes. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "spec/hardware.h"

/* Whether one of the names is this word; all are offered for did-you-mean. */
static bool has_name(
        const json_doc *doc, const char *word, p3d_nearest *nearest)
{
    const char *name = json_string(json_get(doc->root, "name"));
    const json_value *alias = json_first(json_get(doc->root, "aliases"));

    for (;;) {
        if (nearest != NULL)
            p3d_nearest_offer(nearest, name);
        if (spec_same_name(word, name))
            return true;
        if (alias == NULL)
            return false;
        name = json_string(alias);
        alias = json_next(alias);
    }
}

/* A rack is what its name says, and not one of its trays. */
static int gpus_of(const p3d_node *node)
{
    return node->gpus_per_nvlink_domain > node->gpus_per_node
                   ? node->gpus_per_nvlink_domain
                   : node->gpus_per_node;
}

static bool read_machine(const json_doc *doc, spec_machine *out, p3d_error *err)
{
    spec_machine got = {0};

    if (!spec_node_read(&(json_place){doc, doc->root, ""}, &got.node, err))
        return false;
    got.n_gpus = gpus_of(&got.node);
    *out = got;
    return true;
}

bool spec_machine_find(const char *word, spec_machine *out,
        p3d_nearest *nearest, p3d_error *err)
{
    p3d_catalog catalog = {0};
    bool ok = p3d_catalog_open(P3D_NODES, &catalog, err);

    *out = (spec_machine){0};
    for (int i = 0; ok && out->n_gpus == 0 && i < catalog.n_names; i++) {
        char path[SPEC_PATH];
        json_doc doc = {0};

        p3d_catalog_path(&catalog, i, path, sizeof(path));
        ok = json_open(path, &doc, err);
        if (ok && json_get(doc.root, "gpu") != NULL &&
                has_name(&doc, word, nearest))
            ok = read_machine(&doc, out, err);
        json_close(&doc);
    }
    p3d_catalog_free(&catalog);
    return ok;
}

const char *spec_cluster_print(
        const char *type, int n_gpus, int unit, char *word, size_t n)
{
    if (unit <= 1)
        snprintf(word, n, "%dx%s", n_gpus, type);
    else if (n_gpus % unit == 0)
        snprintf(word, n, "%dx%s", n_gpus / unit, type);
    else
        snprintf(word, n, "1x%dx%s", n_gpus, type);
    return word;
}

int spec_type_unit(const char *type)
{
    spec_machine machine;
    p3d_gpu gpu;

    if (p3d_gpu_find(type, &gpu, NULL) ||
            !spec_machine_find(type, &machine, NULL, NULL) ||
            machine.n_gpus == 0)
        return 1;
    return machine.n_gpus;
}
