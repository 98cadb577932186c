/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what plan3d knows: reads the data files of one kind and lists them,
 * as text and as data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/answer.h"
#include "report/data/fields.h"
#include "report/report.h"
#include "report/text/amounts.h"
#include "report/text/layout.h"
#include "spec/hardware.h"

/** Of these, the lists have the names of the files. */
typedef struct report_model_item {
    char name[96];
    p3d_model model;
} report_model_item;

typedef struct report_calibration_item {
    char name[96];
    p3d_calibration constants; /* errors are 0 where nothing was fitted */
} report_calibration_item;

/** A list as it is printed. */
typedef struct report_list_document {
    json_list items;
    void *owned; /* free with free(); items points to it */
} report_list_document;

/** How one kind of thing is listed. */
typedef struct report_list_kind {
    const char *name;        /* on the command line */
    const json_shape *shape; /* of one thing */
    p3d_folder folder;       /* where the files are */
    /** Read one file; NULL for what is no file. */
    bool (*load)(const char *name, const char *path, void *out, p3d_error *err);
    /** Print all as a table. */
    void (*print)(const json_list *items, p3d_text *out);
} report_list_kind;

/* As data. */

/* Add one of several words, with a comma before all but the first. */
static void add_word(report_words *words, const char *comma, const char *word)
{
    const size_t n = strlen(words->text);

    snprintf(words->text + n, sizeof(words->text) - n, "%s%s",
            n > 0 ? comma : "", word);
}

/* Other names of a framework: "mcore, nemo". */
static report_words aliases(const p3d_framework *framework)
{
    report_words words = {""};
    const char *alias;

    for (int k = 0; (alias = p3d_framework_alias(framework, k)) != NULL; k++)
        add_word(&words, ", ", alias);
    return words;
}

/* "0 1 2 3". @param stages  bit z: ZeRO stage z */
static report_words zero_words(unsigned stages)
{
    static const char *const digits[] = {"0", "1", "2", "3"};
    report_words words = {""};

    for (int stage = 0; stage < P3D_COUNT_OF(digits); stage++)
        if ((stages & (1u << stage)) != 0)
            add_word(&words, " ", digits[stage]);
    return words;
}

/* "optimizer, activations": in the words of a plan. */
static report_words offload_words(const p3d_framework *f)
{
    report_words words = {""};

    if (f->offload_zero_stages != 0)
        add_word(&words, ", ", "optimizer");
    if (f->parameter_offload)
        add_word(&words, ", ", "parameters");
    if (f->activation_offload)
        add_word(&words, ", ", "activations");
    return words.text[0] != '\0' ? words : (report_words){"none"};
}

static unsigned pipeline_stages(const p3d_framework *framework)
{
    return framework->pipeline ? framework->zero_stages_pipeline : 0;
}

static double attention_error_frac(const p3d_calibration *calibration)
{
    return p3d_attention_fit_of(calibration, P3D_CUDNN)->error_frac;
}

WORDS_GETTER(aliases_of, p3d_framework, aliases(x))
WORDS_GETTER(zero_of, p3d_framework, zero_words(x->zero_stages))
WORDS_GETTER(zero_pipeline_of, p3d_framework, zero_words(pipeline_stages(x)))
GETTER(interleaved_of, p3d_framework, truth,
        p3d_schedule_offered(P3D_INTERLEAVED, x))
GETTER(offload_of, p3d_framework, truth, x->offload_zero_stages != 0)
GETTER(attention_error_of, p3d_calibration, number, attention_error_frac(x))

/* clang-format off */
#define M report_model_item
static const json_field model_fields[] = {
    ROW(M, name, "name on the command line"),
    {GOT("parameters", M, model, p3d_model, INT64,
            report_get_parameters, "all parameters, tied matrices once")},
    {GOT("active_parameters", M, model, p3d_model, INT64,
            report_get_active_parameters,
            "parameters that one token passes through")},
    IN(M, model, n_layers, "decoder layers"),
    IN(M, model, hidden, "width of the residual stream"),
    IN(M, model, n_heads, "query heads"),
    IN(M, model, n_kv_heads, "key and value heads"),
    IN(M, model, n_experts, "experts of a layer; 0 = dense model"),
    IN(M, model, top_k, "experts that a token is sent to"),
    MAYBE_IN(M, model, max_positions, "tokens of the longest sequence"),
};

#define G p3d_gpu
static const json_field gpu_fields[] = {
    ROW(G, name, "name of the GPU"),
    ROW(G, vendor, "maker"),
    ROW(G, architecture, "of its instructions"),
    ROW(G, calibration, "set of constants"),
    ROW(G, node, "type of node that it is usually in"),
    ROW(G, memory_bytes, "nominal"),
    ROW(G, visible_memory_bytes, "as the driver shows it"),
    ROW(G, hbm_bytes_per_s, "of its memory, data sheet"),
    MAYBE_ROW(G, fp32_flop_per_s, "dense peak"),
    MAYBE_ROW(G, tf32_flop_per_s, "dense peak"),
    MAYBE_ROW(G, fp16_flop_per_s, "dense peak"),
    MAYBE_ROW(G, bf16_flop_per_s, "dense peak"),
    MAYBE_ROW(G, fp8_flop_per_s, "dense peak"),
    MAYBE_ROW(G, fp4_flop_per_s, "dense peak"),
    MAYBE_ROW(G, nvlink_bytes_per_s_one_way, "to its NVLink domain"),
    MAYBE_ROW(G, pcie_bytes_per_s_one_way, "to the host"),
    MAYBE_ROW(G, power_w, "power limit"),
};

#define N p3d_node
static const json_field node_fields[] = {
    ROW(N, name, "name of the node type"),
    ROW(N, fabric, "type of its network"),
    ROW(N, gpus_per_node, "GPUs"),
    ROW(N, gpus_per_nvlink_domain, "GPUs that NVLink joins; 1 = none"),
    ROW(N, nvswitch, "NVLink goes through switches"),
    ROW(N, nics_per_node, "network adapters"),
    ROW(N, host_memory_bytes, "main memory"),
    ROW(N, host_memory_bytes_per_s, "its rate, reads plus writes"),
    MAYBE_ROW(N, host_time_factor, "time of launches over an x86 server's"),
};

#define F p3d_fabric
static const json_field fabric_fields[] = {
    ROW(F, name, "name of the network"),
    ROW(F, kind, "infiniband, roce, ethernet, ..."),
    ROW(F, nic_bytes_per_s_one_way, "rate of one adapter"),
    ROW(F, latency_s, "of a collective over two nodes"),
    ROW(F, all_reduce_frac, "of the rate that all-reduce reaches"),
    ROW(F, all_gather_frac, "of the rate that all-gather reaches"),
    ROW(F, p2p_frac, "of the rate that send and receive reach"),
};

#define W p3d_framework
#define CAN(key, getter, d) {GOT_OF_ALL(key, BOOL, getter, d)}
static const json_field framework_fields[] = {
    ROW(W, name, "name on the command line"),
    ROW(W, title, "in words"),
    ROW(W, versions, "that the facts were read from"),
    {GOT_OF_ALL("aliases", STRING, aliases_of,
            "other names on the command line, with commas")},
    WORD_ROW(W, standing, p3d_framework_standing, p3d_framework_standing_word,
            "whether --framework any takes it: current ones alone"),
    {GOT_OF_ALL("zero_stages", STRING, zero_of,
            "ZeRO stages without pipelines")},
    {GOT_OF_ALL("zero_stages_pipeline", STRING, zero_pipeline_of,
            "ZeRO stages with pipelines")},
    ROW(W, pipeline, "pipeline parallelism"),
    CAN("interleaved", interleaved_of, "interleaved schedule"),
    ROW(W, context_parallel, "context parallelism"),
    ROW(W, expert_parallel, "expert parallelism"),
    CAN("optimizer_offload", offload_of, "optimizer states in host memory"),
    ROW(W, parameter_offload, "weights in host memory"),
    ROW(W, activation_offload, "saved activations in host memory"),
};

#define C report_calibration_item
#define MAYBE_ERROR(name, at, d)                                               \
    {MAYBE(name, C, constants.at, d)}
static const json_field calibration_fields[] = {
    ROW(C, name, "name of --calibration"),
    IN(C, constants, basis, "GPU that was measured"),
    IN(C, constants, device,
            "that its owner measured; empty: published kernels"),
    IN(C, constants, driver, "of that device"),
    IN(C, constants, date, "of the measurements, UTC"),
    {AS("gemm_error_frac", C, constants.gemm.error_frac,
            "of 16-bit GEMMs, held out")},
    MAYBE_ERROR("fp8_error_frac", gemm_fp8.error_frac,
            "of fp8 GEMMs"),
    MAYBE_ERROR("nvfp4_error_frac", gemm_nvfp4.error_frac, "of nvfp4 GEMMs"),
    {MAYBE_GOT("attention_error_frac", C, constants, p3d_calibration, DOUBLE,
            attention_error_of,
            "of cuDNN's attention, or of what stands for it")},
    MAYBE_ERROR("pass_error_frac", pass.error_frac, "of memory-bound kernels"),
    MAYBE_ERROR("collective_error_frac", collective_error_frac,
            "of collectives in a node"),
};
/* clang-format on */

/* One thing, and the document of all. */
/* clang-format off */
#define LISTING(word, T, about)                                                \
    static const json_shape word##_shape =                                     \
            REPORT_SHAPE(T, word##_fields, about);                             \
    static const json_field word##s_fields[] = {                               \
        SCHEMA_ROWS("list"),                                          \
        CONST_ROW("what", #word "s"),                                          \
        LIST_ROW(report_list_document, items, word##_shape, "all of them"),    \
    };                                                                         \
    static const json_shape word##s_shape = REPORT_SHAPE(                      \
            report_list_document, word##s_fields, "answer of list " #word "s");
/* clang-format on */

LISTING(model, M, "a model")
LISTING(gpu, G, "a GPU")
LISTING(node, N, "a type of node")
LISTING(fabric, F, "a type of network")
LISTING(framework, W, "a training framework")
LISTING(calibration, C, "a set of constants")

/* As text. */

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
            "GPU\tGiB\tvisible\tHBM GB/s\tbf16\tfp8\tNVLink\tnode\tconstants");
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
            "dense peak in TFLOP/s;\nNVLink: GB/s of a GPU one way, half of "
            "what is "
            "mostly quoted; constants: a file of\nhardware/calibration)\n");
}

static void print_nodes(const json_list *items, p3d_text *out)
{
    const p3d_node *nodes = items->items;
    report_table table;

    report_table_begin(&table, out->style, "lrrlrrrl");
    report_table_row(&table, "node\tGPUs\tNVLink domain\tNVSwitch\tNICs\thost "
                             "GiB\thost GB/s\tnetwork");
    for (int i = 0; i < items->n; i++) {
        const p3d_node *n = &nodes[i];

        report_table_row(&table, "%s\t%d\t%d\t%s\t%d\t%.0f\t%s\t%s", n->name,
                n->gpus_per_node, n->gpus_per_nvlink_domain,
                yes(n->nvswitch, out->style), n->nics_per_node,
                report_gib(n->host_memory_bytes),
                number(n->host_memory_bytes_per_s / 1e9).text, n->fabric);
    }
    report_table_print(&table, out);
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
                percent(attention_error_frac(c)).text,
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
                zero_words(f->zero_stages).text,
                zero_words(pipeline_stages(f)).text,
                yes(f->pipeline, out->style), yes(interleaved, out->style),
                yes(f->context_parallel, out->style),
                yes(f->expert_parallel, out->style), offload_words(f).text);
    }
    report_table_print(&table, out);
    for (int i = 0; i < items->n; i++) {
        const p3d_framework *f = &frameworks[i];
        const report_words others = aliases(f);
        p3d_text about = {.style = out->style};

        report_add(&about, "%s%s%s: %s, as of %s%s", f->name,
                others.text[0] != '\0' ? report_say(out->style, " or ") : "",
                others.text, f->title, f->versions,
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
    {"models", &model_shape, P3D_MODELS, load_model, print_models},
    {"gpus", &gpu_shape, P3D_GPUS, load_gpu, print_gpus},
    {"nodes", &node_shape, P3D_NODES, load_node, print_nodes},
    {"fabrics", &fabric_shape, P3D_FABRICS, load_fabric, print_fabrics},
    {"calibrations", &calibration_shape, P3D_CALIBRATIONS,
     load_calibration, print_calibrations},
    {"frameworks", &framework_shape, P3D_N_FOLDERS, NULL, print_frameworks},
};
/* clang-format on */

const json_shape *const report_list_shapes[REPORT_N_LISTS] = {&models_shape,
        &gpus_shape, &nodes_shape, &fabrics_shape, &calibrations_shape,
        &frameworks_shape};

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
    report_data data = {
            report_list_shapes[i], &document, kind->shape, {NULL, 0}};

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
