/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - reads the data files of one kind and lists them. */
#include "report/list.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/workload.h"
#include "report/document.h"
#include "spec/hardware.h"

static bool load_model(
        const char *name, const char *path, void *out, p3d_error *err)
{
    report_model_item *item = out;
    p3d_model m;

    if (!p3d_model_load(path, &m, err))
        return false;
    *item = (report_model_item){
            .parameters = p3d_total_params(&m),
            .active_parameters = p3d_active_params(&m),
            .n_layers = m.n_layers,
            .hidden = m.hidden,
            .n_heads = m.n_heads,
            .n_kv_heads = m.n_kv_heads,
            .n_experts = m.n_experts,
            .top_k = m.top_k,
            .max_positions = m.max_positions,
    };
    p3d_copy(item->name, sizeof(item->name), name);
    return true;
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
    return p3d_node_load(name, node, err);
}

static bool load_fabric(
        const char *name, const char *path, void *out, p3d_error *err)
{
    p3d_fabric *fabric = out;

    (void)path;
    return p3d_fabric_load(name, fabric, err);
}

static bool load_calibration(
        const char *name, const char *path, void *out, p3d_error *err)
{
    report_calibration_item *item = out;
    p3d_calibration c = {.name = ""};

    if (!p3d_calibration_open(path, &c, err))
        return false;
    *item = (report_calibration_item){
            .gemm_error_frac = c.gemm.error_frac,
            .fp8_error_frac = c.gemm_fp8.error_frac,
            .attention_error_frac =
                    p3d_attention_fit_of(&c, P3D_CUDNN)->error_frac,
            .pass_error_frac = c.pass.error_frac,
            .collective_error_frac = c.collective_error_frac,
    };
    p3d_copy(item->name, sizeof(item->name), name);
    p3d_copy(item->basis, sizeof(item->basis), c.basis);
    p3d_copy(item->device, sizeof(item->device), c.device);
    p3d_copy(item->driver, sizeof(item->driver), c.driver);
    p3d_copy(item->date, sizeof(item->date), c.date);
    return true;
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
    {"frameworks", &report_framework_item_shape, &report_frameworks_shape,
     P3D_N_FOLDERS, NULL, report_print_frameworks},
};
/* clang-format on */

const char *report_list_name(int i)
{
    return P3D_HAS(kinds, i) ? kinds[i].name : NULL;
}

static const char *zero_words(char *buffer, unsigned stages)
{
    char *end = buffer;

    for (unsigned stage = 0; stage < 4; stage++) {
        if ((stages & (1u << stage)) != 0) {
            if (end > buffer)
                *end++ = ' ';
            *end++ = (char)('0' + stage);
        }
    }
    *end = '\0';
    return buffer;
}

static void alias_words(
        const p3d_framework *framework, char words[REPORT_ALIASES])
{
    size_t used = 0;
    const char *alias;

    for (int k = 0; (alias = p3d_framework_alias(framework, k)) != NULL; k++)
        used += (size_t)snprintf(words + used, REPORT_ALIASES - used, "%s%s",
                k > 0 ? ", " : "", alias);
}

static void load_framework(
        const p3d_framework *framework, report_framework_item *out)
{
    *out = (report_framework_item){
            .name = framework->name,
            .title = framework->title,
            .versions = framework->versions,
            .standing = (int)framework->standing,
            .pipeline = framework->pipeline,
            .interleaved = p3d_schedule_offered(P3D_INTERLEAVED, framework),
            .context_parallel = framework->context_parallel,
            .expert_parallel = framework->expert_parallel,
            .optimizer_offload = framework->offload_zero_stages != 0,
            .parameter_offload = framework->parameter_offload,
            .activation_offload = framework->activation_offload,
    };
    alias_words(framework, out->aliases);
    zero_words(out->zero_stages, framework->zero_stages);
    zero_words(out->zero_stages_pipeline,
            framework->pipeline ? framework->zero_stages_pipeline : 0);
}

static bool load_frameworks(report_list_document *out, p3d_error *err)
{
    int n = 0;
    const p3d_framework *frameworks = p3d_frameworks(&n);
    report_framework_item *items = calloc((size_t)n, sizeof(*items));

    if (items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < n; i++)
        load_framework(&frameworks[i], &items[i]);
    *out = (report_list_document){{items, n}, items};
    return true;
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
    const bool ok = kind->load == NULL ? load_frameworks(&document, err)
                                       : load_folder(kind, &document, err);

    report_data data = {kind->listing, &document, kind->shape, {NULL, 0}};

    if (!ok)
        return false;
    data.rows = document.items;
    if (!report_print_data(&data, format, out))
        kind->print(&document.items, out);
    free(document.owned);
    return true;
}
