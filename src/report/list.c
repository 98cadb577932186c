/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - reads the data files of one kind and lists them. */
#include "report/list.h"

#include <stdlib.h>

#include "base/util.h"
#include "spec/hardware.h"

static bool load_model(
        const char *name, const char *path, void *out, p3d_error *err)
{
    report_model_item *item = out;

    p3d_copy(item->name, sizeof(item->name), name);
    return p3d_model_load(path, &item->model, err);
}

static bool load_gpu(
        const char *name, const char *path, void *out, p3d_error *err)
{
    p3d_gpu *gpu = out;

    (void)path;
    return p3d_gpu_find(name, gpu, err);
}

static bool load_node(
        const char *name, const char *path, void *out, p3d_error *err)
{
    p3d_node *node = out;

    (void)path;
    return spec_node_load(name, node, err);
}

static bool load_fabric(
        const char *name, const char *path, void *out, p3d_error *err)
{
    p3d_fabric *fabric = out;

    (void)path;
    return spec_fabric_load(name, fabric, err);
}

static bool load_calibration(
        const char *name, const char *path, void *out, p3d_error *err)
{
    report_calibration_item *item = out;

    p3d_copy(item->name, sizeof(item->name), name);
    return spec_calibration_open(path, &item->constants, err);
}

/* clang-format off */
static const report_list_kind kinds[] = {
    {"models", &report_model_item_shape, &report_models_shape, P3D_MODELS,
     load_model, report_print_models},
    {"gpus", &report_gpu_shape, &report_gpus_shape, P3D_GPUS,
     load_gpu, report_print_gpus},
    {"nodes", &report_node_shape, &report_nodes_shape, P3D_NODES,
     load_node, report_print_nodes},
    {"fabrics", &report_fabric_shape, &report_fabrics_shape, P3D_FABRICS,
     load_fabric, report_print_fabrics},
    {"calibrations", &report_calibration_item_shape,
     &report_calibrations_shape, P3D_CALIBRATIONS,
     load_calibration, report_print_calibrations},
    {"frameworks", &report_framework_shape, &report_frameworks_shape,
     P3D_N_FOLDERS, NULL, report_print_frameworks},
};
/* clang-format on */

const char *report_list_name(int i)
{
    return P3D_HAS(kinds, i) ? kinds[i].name : NULL;
}

/* Read every file of a folder into an array of n * size bytes. */
static char *load_files(const report_list_kind *kind,
        const p3d_catalog *catalog, p3d_error *err)
{
    const size_t n = (size_t)catalog->n_names;
    char *items = calloc(n == 0 ? 1 : n, kind->shape->size);

    if (items == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    for (int i = 0; i < catalog->n_names; i++) {
        char path[2048];

        p3d_catalog_path(catalog, i, path, sizeof(path));
        if (!kind->load(catalog->names[i], path,
                    items + (size_t)i * kind->shape->size, err)) {
            free(items);
            return NULL;
        }
    }
    return items;
}

static bool load_folder(
        const report_list_kind *kind, report_list_document *out, p3d_error *err)
{
    p3d_catalog catalog = {0};
    void *items;

    if (!p3d_catalog_open(kind->folder, &catalog, err))
        return false;
    items = load_files(kind, &catalog, err);
    *out = (report_list_document){{items, catalog.n_names}, items};
    p3d_catalog_free(&catalog);
    return items != NULL;
}

bool report_list_print(
        int i, report_format format, p3d_text *out, p3d_error *err)
{
    const report_list_kind *kind = &kinds[i];
    report_list_document document = {{NULL, 0}, NULL};
    report_data data = {kind->listing, &document, kind->shape, {NULL, 0}};

    if (kind->load == NULL)
        document.items.items = p3d_frameworks(&document.items.n);
    else if (!load_folder(kind, &document, err))
        return false;
    data.rows = document.items;
    if (!report_print_data(&data, format, out))
        kind->print(&document.items, out);
    free(document.owned);
    return true;
}
