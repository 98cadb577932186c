/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_list.c - what plan3d knows: reads the data files of one kind and lists
 * them. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/amounts.h"
#include "report/data/list_fields.h"
#include "report/report.h"
#include "report/text/layout.h"
#include "spec/hardware.h"

/** How one kind of thing is listed. */
typedef struct report_list_kind {
    const char *name;  /* on the command line */
    p3d_folder folder; /* where the files are */
    /** Read one file; NULL for what is no file. */
    bool (*load)(const char *name, const char *path, void *out, p3d_error *err);
    /** Print all as a table. */
    void (*print)(const json_list *items, p3d_text *out);
} report_list_kind;

/* A number, or a dash where there is none. */
static report_words number(double value)
{
    return report_known_words(value != 0, "%.5g", value);
}

/* A fraction in percent, likewise. */
static report_words percent(double frac)
{
    return report_known_words(frac > 0, "%.1f", 100 * frac);
}

static const char *yes(bool can, p3d_style style)
{
    return report_say(style, can ? "yes" : "-");
}

static void print_models(const json_list *items, p3d_text *out)
{
    const report_model_item *models = items->items;
    report_table table;

    report_table_begin(&table, out->style, "lrrrrrrr");
    report_table_row(&table, "model\tparameters\tactive\tlayers\thidden\theads"
                             "\texperts\tcontext");
    for (int i = 0; i < items->n; i++) {
        const p3d_model *m = &models[i].model;

        report_table_row(&table, "%s\t%s\t%s\t%d\t%d\t%d/%d\t%s\t%s",
                models[i].name, report_integer_words(p3d_total_params(m)).text,
                m->n_experts == 0
                        ? report_say(out->style, "all")
                        : report_integer_words(p3d_active_params(m)).text,
                m->n_layers, m->hidden, m->n_heads, m->n_kv_heads,
                report_known_words(
                        m->n_experts != 0, "%d/%d", m->top_k, m->n_experts)
                        .text,
                report_known_words(
                        m->max_positions != 0, "%d", m->max_positions)
                        .text);
    }
    report_table_print(&table, out);
    report_add(out, "(heads: of queries/of keys and values; experts: of a "
                    "token/of a layer)\n");
}

static void print_gpus(const json_list *items, p3d_text *out)
{
    const p3d_gpu *gpus = items->items;
    report_table table;

    report_table_begin(&table, out->style, "lrrrrrrll");
    report_table_row(&table,
            "GPU\tGiB\tvisible\tHBM GB/s\tbf16\tfp8\tlink\tnode\tconstants");
    for (int i = 0; i < items->n; i++) {
        const p3d_gpu *g = &gpus[i];

        report_table_row(&table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", g->name,
                report_gib_words(g->memory_bytes).text,
                report_gib_words(g->visible_memory_bytes).text,
                number(g->hbm_bytes_per_s / 1e9).text,
                number(g->bf16_flop_per_s / 1e12).text,
                number(g->fp8_flop_per_s / 1e12).text,
                number(g->nvlink_bytes_per_s_one_way / 1e9).text, g->node,
                g->calibration);
    }
    report_table_print(&table, out);
    report_add(out,
            "(GiB: memory, nominal and usable; bf16, fp8: "
            "dense peak in TFLOP/s;\nlink: GB/s of a GPU one way to those of "
            "its domain, by NVLink or what stands for it,\nhalf of what is "
            "mostly quoted; constants: a file of hardware/calibration)\n");
}

static void print_nodes(const json_list *items, p3d_text *out)
{
    const p3d_node *nodes = items->items;
    report_table table;

    report_table_begin(&table, out->style, "lrllrrrl");
    report_table_row(&table, "node\tGPUs\tof type\tdomain\tNICs\thost GiB\t"
                             "GB/s\tnetwork");
    for (int i = 0; i < items->n; i++) {
        const p3d_node *n = &nodes[i];

        report_table_row(&table, "%s\t%d\t%s\t%d%s\t%d\t%.0f\t%s\t%s", n->name,
                n->gpus_per_node, n->gpu[0] != '\0' ? n->gpu : "-",
                n->gpus_per_nvlink_domain, n->nvswitch ? "*" : "",
                n->nics_per_node, report_gib(n->host_memory_bytes),
                number(n->host_memory_bytes_per_s / 1e9).text, n->fabric);
    }
    report_table_print(&table, out);
    report_add(out,
            "(of type: the GPU that it is rented or bought with: its name then "
            "is a type of\nclusters, such as 8xp5.48xlarge; domain: GPUs that "
            "NVLink or what stands for it joins,\n1 = none, *: through "
            "switches; GB/s: of the host's memory)\n");
}

static void print_fabrics(const json_list *items, p3d_text *out)
{
    const p3d_fabric *fabrics = items->items;
    report_table table;

    report_table_begin(&table, out->style, "llrrrrr");
    report_table_row(&table, "network\tkind\tGB/s per NIC\tlatency "
                             "us\tall-reduce %%\tall-gather %%\tp2p %%");
    for (int i = 0; i < items->n; i++) {
        const p3d_fabric *f = &fabrics[i];

        report_table_row(&table, "%s\t%s\t%s\t%s\t%s\t%s\t%s", f->name, f->kind,
                number(f->nic_bytes_per_s_one_way / 1e9).text,
                number(f->latency_s * 1e6).text,
                number(100 * f->all_reduce_frac).text,
                number(100 * f->all_gather_frac).text,
                number(100 * f->p2p_frac).text);
    }
    report_table_print(&table, out);
    report_add(out, "(GB/s one way; %%: of that rate, as reached by "
                    "collectives and by send and receive)\n");
}

static void print_calibrations(const json_list *items, p3d_text *out)
{
    const report_calibration_item *calibrations = items->items;
    report_table table;

    report_table_begin(&table, out->style, "llrrrrrll");
    report_table_row(&table, "calibration\tGPU\tproducts %%\tfp8 %%\tattention "
                             "%%\tkernels %%\tNCCL %%\tdate\tdevice");
    for (int i = 0; i < items->n; i++) {
        const p3d_calibration *c = &calibrations[i].constants;

        report_table_row(&table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.10s\t%s",
                calibrations[i].name, c->basis,
                percent(c->gemm.error_frac).text,
                percent(c->gemm_fp8.error_frac).text,
                percent(report_attention_error_frac(c)).text,
                percent(c->pass.error_frac).text,
                percent(c->collective_error_frac).text,
                c->date[0] != '\0' ? c->date : "-",
                c->device[0] != '\0' ? c->device : "-");
    }
    report_table_print(&table, out);
    report_add(out, "(%%: mean errors of the fits on kernels held out; NCCL: "
                    "collectives in a node; date, device:\nof a machine that "
                    "'plan3d calibrate' was given)\n");
}

static void print_frameworks(const json_list *items, p3d_text *out)
{
    static const char *const notes[P3D_N_FRAMEWORK_STANDINGS] = {
            "", "; of the past: not among any", "; a profile: not among any"};
    const p3d_framework *frameworks = items->items;
    report_table table;

    report_table_begin(&table, out->style, "llllllll");
    report_table_row(
            &table, "framework\tZeRO\twith PP\tPP\tVP\tCP\tEP\toffload");
    for (int i = 0; i < items->n; i++) {
        const p3d_framework *f = &frameworks[i];
        const bool interleaved = p3d_schedule_offered(P3D_INTERLEAVED, f);

        report_table_row(&table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", f->name,
                report_zero_words(f->zero_stages).text,
                report_zero_words(report_pipeline_stages(f)).text,
                yes(f->pipeline, out->style), yes(interleaved, out->style),
                yes(f->context_parallel, out->style),
                yes(f->expert_parallel, out->style),
                report_offload_words(f).text);
    }
    report_table_print(&table, out);
    for (int i = 0; i < items->n; i++) {
        const p3d_framework *f = &frameworks[i];
        const report_words others = report_framework_aliases(f);
        p3d_text about = {.style = out->style};

        report_add(&about, "%s%s%s: %s, as of %s%s", f->name,
                others.text[0] != '\0' ? report_say(out->style, " or ") : "",
                others.text, report_say(out->style, f->title), f->versions,
                report_say(out->style, notes[f->standing]));
        report_wrap_text(&about, 0, out);
    }
    report_add(out, "any: the one of these whose best plan is the fastest\n");
}

static bool load_model(
        const char *name, const char *path, void *out, p3d_error *err)
{
    report_model_item *item = out;

    p3d_copy(item->name, sizeof(item->name), name);
    return p3d_model_load(path, &item->model, err);
}

/* By the name, wherever the file is. */
#define LOADER(what, T, found)                                            \
    static bool load_##what(                                              \
            const char *name, const char *path, void *to, p3d_error *err) \
    {                                                                     \
        T *const out = to;                                                \
                                                                          \
        (void)path;                                                       \
        return found;                                                     \
    }
LOADER(gpu, p3d_gpu, p3d_gpu_find(name, out, err))
LOADER(node, p3d_node, spec_node_load(name, out, err))
LOADER(fabric, p3d_fabric, spec_fabric_load(name, out, err))

static bool load_calibration(
        const char *name, const char *path, void *out, p3d_error *err)
{
    report_calibration_item *item = out;

    p3d_copy(item->name, sizeof(item->name), name);
    return spec_calibration_open(path, &item->constants, err);
}

/* clang-format off */
static const report_list_kind kinds[REPORT_N_LISTS] = {
    {"models", P3D_MODELS, load_model, print_models},
    {"gpus", P3D_GPUS, load_gpu, print_gpus},
    {"nodes", P3D_NODES, load_node, print_nodes},
    {"fabrics", P3D_FABRICS, load_fabric, print_fabrics},
    {"calibrations", P3D_CALIBRATIONS,
     load_calibration, print_calibrations},
    {"frameworks", P3D_N_FOLDERS, NULL, print_frameworks},
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
    const size_t size = report_list_item_shapes[kind - kinds]->size;
    char *items = calloc(n == 0 ? 1 : n, size);

    if (items == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    for (int i = 0; i < catalog->n_names; i++) {
        char path[2048];

        p3d_catalog_path(catalog, i, path, sizeof(path));
        if (!kind->load(
                    catalog->names[i], path, items + (size_t)i * size, err)) {
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
    report_data data = {report_list_shapes[i], &document,
            report_list_item_shapes[i], {NULL, 0}};

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
