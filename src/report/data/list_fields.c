/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_fields.c - the JSON objects of the lists, by tables. */
#include <stdio.h>

#include "plan3d/version.h"
#include "report/answer.h"
#include "report/data/fields.h"
#include "report/list.h"

const char *report_aliases(
        const p3d_framework *framework, char out[REPORT_ALIASES])
{
    size_t used = 0;
    const char *alias;

    out[0] = '\0';
    for (int k = 0; (alias = p3d_framework_alias(framework, k)) != NULL; k++)
        used += (size_t)snprintf(out + used, REPORT_ALIASES - used, "%s%s",
                k > 0 ? ", " : "", alias);
    return out;
}

const char *report_zero_words(unsigned stages, char out[REPORT_ZERO_WORDS])
{
    char *end = out;

    for (unsigned stage = 0; stage < 4; stage++) {
        if ((stages & (1u << stage)) != 0) {
            if (end > out)
                *end++ = ' ';
            *end++ = (char)('0' + stage);
        }
    }
    *end = '\0';
    return out;
}

unsigned report_pipeline_stages(const p3d_framework *framework)
{
    return framework->pipeline ? framework->zero_stages_pipeline : 0;
}

double report_attention_error_frac(const p3d_calibration *calibration)
{
    return p3d_attention_fit_of(calibration, P3D_CUDNN)->error_frac;
}

static void aliases_of(const void *framework, json_got *out)
{
    report_aliases(framework, out->chars);
}

static void zero_of(const void *framework, json_got *out)
{
    const p3d_framework *const f = framework;

    report_zero_words(f->zero_stages, out->chars);
}

static void zero_pipeline_of(const void *framework, json_got *out)
{
    report_zero_words(report_pipeline_stages(framework), out->chars);
}

GETTER(interleaved_of, p3d_framework, truth,
        p3d_schedule_offered(P3D_INTERLEAVED, x))
GETTER(offload_of, p3d_framework, truth, x->offload_zero_stages != 0)
GETTER(attention_error_of, p3d_calibration, number,
        report_attention_error_frac(x))

/* clang-format off */
#define M report_model_item
static const json_field model_fields[] = {
    CHARS_ROW(M, name, "name on the command line"),
    {GOT("parameters", M, model, p3d_model, INT64,
            report_get_parameters, "all parameters, tied matrices once")},
    {GOT("active_parameters", M, model, p3d_model, INT64,
            report_get_active_parameters,
            "parameters that one token passes through")},
    INT_IN(M, model, n_layers, "decoder layers"),
    INT_IN(M, model, hidden, "width of the residual stream"),
    INT_IN(M, model, n_heads, "query heads"),
    INT_IN(M, model, n_kv_heads, "key and value heads"),
    INT_IN(M, model, n_experts, "experts of a layer; 0 = dense model"),
    INT_IN(M, model, top_k, "experts that a token is sent to"),
    MAYBE_INT_IN(M, model, max_positions, "tokens of the longest sequence"),
};

#define G p3d_gpu
static const json_field gpu_fields[] = {
    CHARS_ROW(G, name, "name of the GPU"),
    CHARS_ROW(G, vendor, "maker"),
    CHARS_ROW(G, architecture, "of its instructions"),
    CHARS_ROW(G, calibration, "set of constants"),
    CHARS_ROW(G, node, "type of node that it is usually in"),
    INT64_ROW(G, memory_bytes, "as marketed"),
    INT64_ROW(G, visible_memory_bytes, "as the driver shows it"),
    DOUBLE_ROW(G, hbm_bytes_per_s, "of its memory, data sheet"),
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
    CHARS_ROW(N, name, "name of the node type"),
    CHARS_ROW(N, fabric, "type of its network"),
    INT_ROW(N, gpus_per_node, "GPUs"),
    INT_ROW(N, gpus_per_nvlink_domain, "GPUs that NVLink joins; 1 = none"),
    BOOL_ROW(N, nvswitch, "NVLink goes through switches"),
    INT_ROW(N, nics_per_node, "network adapters"),
    INT64_ROW(N, host_memory_bytes, "main memory"),
    DOUBLE_ROW(N, host_memory_bytes_per_s, "its rate, reads plus writes"),
    MAYBE_ROW(N, host_time_factor, "time of launches over an x86 server's"),
};

#define F p3d_fabric
static const json_field fabric_fields[] = {
    CHARS_ROW(F, name, "name of the network"),
    CHARS_ROW(F, kind, "infiniband, roce, ethernet, ..."),
    DOUBLE_ROW(F, nic_bytes_per_s_one_way, "rate of one adapter"),
    DOUBLE_ROW(F, latency_s, "of a collective over two nodes"),
    DOUBLE_ROW(F, all_reduce_frac, "of the rate that all-reduce reaches"),
    DOUBLE_ROW(F, all_gather_frac, "of the rate that all-gather reaches"),
    DOUBLE_ROW(F, p2p_frac, "of the rate that send and receive reach"),
};

#define W p3d_framework
#define CAN(key, getter, d) {GOT_OF_ALL(key, BOOL, getter, d)}
static const json_field framework_fields[] = {
    STRING_ROW(W, name, "name on the command line"),
    STRING_ROW(W, title, "in words"),
    STRING_ROW(W, versions, "that the facts were read from"),
    {GOT_OF_ALL("aliases", STRING, aliases_of,
            "other names on the command line, with commas")},
    WORD_ROW(W, standing, p3d_framework_standing, p3d_framework_standing_word,
            "whether --framework any takes it: current ones alone"),
    {GOT_OF_ALL("zero_stages", STRING, zero_of,
            "ZeRO stages without pipelines")},
    {GOT_OF_ALL("zero_stages_pipeline", STRING, zero_pipeline_of,
            "ZeRO stages with pipelines")},
    BOOL_ROW(W, pipeline, "pipeline parallelism"),
    CAN("interleaved", interleaved_of, "interleaved schedule"),
    BOOL_ROW(W, context_parallel, "context parallelism"),
    BOOL_ROW(W, expert_parallel, "expert parallelism"),
    CAN("optimizer_offload", offload_of, "optimizer states in host memory"),
    BOOL_ROW(W, parameter_offload, "weights in host memory"),
    BOOL_ROW(W, activation_offload, "saved activations in host memory"),
};

#define C report_calibration_item
#define MAYBE_ERROR(name, at, d)                                               \
    {MAYBE(name, C, constants.at, JSON_DOUBLE, double, d)}
#define CHARS_IN(f, d) {IN(C, constants, f, JSON_STRING, char *, d)}
static const json_field calibration_fields[] = {
    CHARS_ROW(C, name, "name of --calibration"),
    CHARS_IN(basis, "GPU that was measured"),
    CHARS_IN(device, "that its owner measured; empty: published kernels"),
    CHARS_IN(driver, "of that device"),
    CHARS_IN(date, "of the measurements, UTC"),
    {INNER("gemm_error_frac", C, constants.gemm.error_frac, JSON_DOUBLE,
            double, "of 16-bit matrix products, held out")},
    MAYBE_ERROR("fp8_error_frac", gemm_fp8.error_frac,
            "of fp8 matrix products"),
    {MAYBE("attention_error_frac", C, constants,
            JSON_GOT(DOUBLE, attention_error_of), p3d_calibration,
            "of cuDNN's attention, or of what stands for it")},
    MAYBE_ERROR("pass_error_frac", pass.error_frac, "of memory passes"),
    MAYBE_ERROR("collective_error_frac", collective_error_frac,
            "of collectives in a node"),
};
/* clang-format on */

const json_shape report_model_item_shape =
        REPORT_SHAPE(M, model_fields, "a model");
const json_shape report_gpu_shape = REPORT_SHAPE(G, gpu_fields, "a GPU");
const json_shape report_node_shape =
        REPORT_SHAPE(N, node_fields, "a type of node");
const json_shape report_fabric_shape =
        REPORT_SHAPE(F, fabric_fields, "a type of network");
const json_shape report_framework_shape =
        REPORT_SHAPE(W, framework_fields, "a training framework");
const json_shape report_calibration_item_shape =
        REPORT_SHAPE(C, calibration_fields, "a set of constants");

/* clang-format off */
#define LISTING(word)                                                          \
    static const json_field word##s_fields[] = {                             \
        CONST_ROW("schema", P3D_SCHEMA),                                       \
        CONST_ROW("command", "list"),                                          \
        CONST_ROW("what", #word "s"),                                          \
        LIST_ROW(report_list_document, items, LISTED_##word, "all of them"),   \
    };                                                                         \
    const json_shape report_##word##s_shape = REPORT_SHAPE(                  \
            report_list_document, word##s_fields, "answer of list " #word "s");
#define LISTED_model     report_model_item_shape
#define LISTED_gpu       report_gpu_shape
#define LISTED_node      report_node_shape
#define LISTED_fabric    report_fabric_shape
#define LISTED_framework report_framework_shape
#define LISTED_calibration report_calibration_item_shape
/* clang-format on */

LISTING(model)
LISTING(gpu)
LISTING(node)
LISTING(fabric)
LISTING(framework)
LISTING(calibration)
