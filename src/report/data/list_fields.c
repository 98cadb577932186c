/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_fields.c - the JSON objects of the lists, by tables. */
#include "plan3d/version.h"
#include "report/data/fields.h"
#include "report/list.h"

/* clang-format off */
#define M report_model_item
static const report_field model_fields[] = {
    CHARS_ROW(M, name, "name on the command line"),
    INT64_ROW(M, parameters, "all parameters, tied matrices once"),
    INT64_ROW(M, active_parameters, "parameters that one token passes through"),
    INT_ROW(M, n_layers, "decoder layers"),
    INT_ROW(M, hidden, "width of the residual stream"),
    INT_ROW(M, n_heads, "query heads"),
    INT_ROW(M, n_kv_heads, "key and value heads"),
    INT_ROW(M, n_experts, "experts of a layer; 0 = dense model"),
    INT_ROW(M, top_k, "experts that a token is sent to"),
    MAYBE_INT_ROW(M, max_positions, "tokens of the longest sequence"),
};

#define G p3d_gpu
static const report_field gpu_fields[] = {
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
static const report_field node_fields[] = {
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
static const report_field fabric_fields[] = {
    CHARS_ROW(F, name, "name of the network"),
    CHARS_ROW(F, kind, "infiniband, roce, ethernet, ..."),
    DOUBLE_ROW(F, nic_bytes_per_s_one_way, "rate of one adapter"),
    DOUBLE_ROW(F, latency_s, "of a collective over two nodes"),
    DOUBLE_ROW(F, all_reduce_frac, "of the rate that all-reduce reaches"),
    DOUBLE_ROW(F, all_gather_frac, "of the rate that all-gather reaches"),
    DOUBLE_ROW(F, p2p_frac, "of the rate that send and receive reach"),
};

#define W report_framework_item
static const report_field framework_fields[] = {
    STRING_ROW(W, name, "name on the command line"),
    STRING_ROW(W, title, "in words"),
    STRING_ROW(W, versions, "that the facts were read from"),
    CHARS_ROW(W, aliases, "other names on the command line, with commas"),
    WORD_ROW(W, standing, int, p3d_framework_standing_word,
            "whether --framework any takes it: current ones alone"),
    CHARS_ROW(W, zero_stages, "ZeRO stages without pipelines"),
    CHARS_ROW(W, zero_stages_pipeline, "ZeRO stages with pipelines"),
    BOOL_ROW(W, pipeline, "pipeline parallelism"),
    BOOL_ROW(W, interleaved, "interleaved schedule"),
    BOOL_ROW(W, context_parallel, "context parallelism"),
    BOOL_ROW(W, expert_parallel, "expert parallelism"),
    BOOL_ROW(W, optimizer_offload, "optimizer states in host memory"),
    BOOL_ROW(W, parameter_offload, "weights in host memory"),
    BOOL_ROW(W, activation_offload, "saved activations in host memory"),
};

#define C report_calibration_item
static const report_field calibration_fields[] = {
    CHARS_ROW(C, name, "name of --calibration"),
    CHARS_ROW(C, basis, "GPU that was measured"),
    CHARS_ROW(C, device, "that its owner measured; empty: published kernels"),
    CHARS_ROW(C, driver, "of that device"),
    CHARS_ROW(C, date, "of the measurements, UTC"),
    DOUBLE_ROW(C, gemm_error_frac, "of 16-bit matrix products, held out"),
    MAYBE_ROW(C, fp8_error_frac, "of fp8 matrix products"),
    MAYBE_ROW(C, attention_error_frac, "of cuDNN's attention, or of what "
              "stands for it"),
    MAYBE_ROW(C, pass_error_frac, "of memory passes"),
    MAYBE_ROW(C, collective_error_frac, "of collectives in a node"),
};
/* clang-format on */

const report_shape report_model_item_shape =
        REPORT_SHAPE(M, model_fields, "a model");
const report_shape report_gpu_shape = REPORT_SHAPE(G, gpu_fields, "a GPU");
const report_shape report_node_shape =
        REPORT_SHAPE(N, node_fields, "a type of node");
const report_shape report_fabric_shape =
        REPORT_SHAPE(F, fabric_fields, "a type of network");
const report_shape report_framework_item_shape =
        REPORT_SHAPE(W, framework_fields, "a training framework");
const report_shape report_calibration_item_shape =
        REPORT_SHAPE(C, calibration_fields, "a set of constants");

/* clang-format off */
#define LISTING(word)                                                          \
    static const report_field word##s_fields[] = {                             \
        CONST_ROW("schema", P3D_SCHEMA),                                       \
        CONST_ROW("command", "list"),                                          \
        CONST_ROW("what", #word "s"),                                          \
        LIST_ROW(report_list_document, items, LISTED_##word, "all of them"),   \
    };                                                                         \
    const report_shape report_##word##s_shape = REPORT_SHAPE(                  \
            report_list_document, word##s_fields, "answer of list " #word "s");
#define LISTED_model     report_model_item_shape
#define LISTED_gpu       report_gpu_shape
#define LISTED_node      report_node_shape
#define LISTED_fabric    report_fabric_shape
#define LISTED_framework report_framework_item_shape
#define LISTED_calibration report_calibration_item_shape
/* clang-format on */

LISTING(model)
LISTING(gpu)
LISTING(node)
LISTING(fabric)
LISTING(framework)
LISTING(calibration)
