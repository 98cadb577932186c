/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_fields.c - what plan3d knows, as data: models, hardware, frameworks and
 * constants, by tables. */
#include "report/data/list_fields.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/answer.h"
#include "report/data/fields.h"

/* Add one of several words, with a comma before all but the first. */
static void add_word(report_words *words, const char *comma, const char *word)
{
    const size_t n = strlen(words->text);

    snprintf(words->text + n, sizeof(words->text) - n, "%s%s",
            n > 0 ? comma : "", word);
}

report_words report_framework_aliases(const p3d_framework *framework)
{
    report_words words = {""};
    const char *alias;

    for (int k = 0; (alias = p3d_framework_alias(framework, k)) != NULL; k++)
        add_word(&words, ", ", alias);
    return words;
}

report_words report_zero_words(unsigned stages)
{
    static const char *const digits[] = {"0", "1", "2", "3"};
    report_words words = {""};

    for (int stage = 0; stage < P3D_COUNT_OF(digits); stage++)
        if ((stages & (1u << stage)) != 0)
            add_word(&words, " ", digits[stage]);
    return words;
}

report_words report_offload_words(const p3d_framework *f)
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

unsigned report_pipeline_stages(const p3d_framework *framework)
{
    return framework->pipeline ? framework->zero_stages_pipeline : 0;
}

double report_attention_error_frac(const p3d_calibration *calibration)
{
    return p3d_attention_fit_of(calibration, P3D_CUDNN)->error_frac;
}

WORDS_GETTER(aliases_of, p3d_framework, report_framework_aliases(x))
WORDS_GETTER(zero_of, p3d_framework, report_zero_words(x->zero_stages))
WORDS_GETTER(zero_pipeline_of, p3d_framework,
        report_zero_words(report_pipeline_stages(x)))
GETTER(interleaved_of, p3d_framework, truth,
        p3d_schedule_offered(P3D_INTERLEAVED, x))
GETTER(offload_of, p3d_framework, truth, x->offload_zero_stages != 0)
GETTER(attention_error_of, p3d_calibration, number,
        report_attention_error_frac(x))

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
    ROW(N, gpu, "that it is rented or bought with; empty = any"),
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

const json_shape *const report_list_item_shapes[REPORT_N_LISTS] = {&model_shape,
        &gpu_shape, &node_shape, &fabric_shape, &calibration_shape,
        &framework_shape};

const json_shape *const report_list_shapes[REPORT_N_LISTS] = {&models_shape,
        &gpus_shape, &nodes_shape, &fabrics_shape, &calibrations_shape,
        &frameworks_shape};
