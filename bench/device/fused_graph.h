/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fused_graph.h - attention as graphs of cuDNN's backend, which finds its fused
 * kernel for them. Needs cuDNN's headers to build and its library to run; no
 * device until the graph is run. */
#ifndef PLAN3D_BENCH_FUSED_GRAPH_H
#define PLAN3D_BENCH_FUSED_GRAPH_H

#include <cudnn.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan3d/error.h"

/** Oldest library that takes descriptions of devices and infinite masks in
 *  these graphs. */
enum { BENCH_CUDNN_OLDEST = 91100 };

/** The library's functions. */
typedef struct bench_dnn {
    void *library; /* of dlopen() */
    size_t (*version)(void);
    cudnnStatus_t (*create)(cudnnHandle_t *);
    cudnnStatus_t (*destroy)(cudnnHandle_t);
    cudnnStatus_t (*set_stream)(cudnnHandle_t, cudaStream_t);
    void (*last_error)(char *, size_t);
    cudnnStatus_t (*make)(
            cudnnBackendDescriptorType_t, cudnnBackendDescriptor_t *);
    cudnnStatus_t (*free)(cudnnBackendDescriptor_t);
    cudnnStatus_t (*set)(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
            cudnnBackendAttributeType_t, int64_t, const void *);
    cudnnStatus_t (*get)(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
            cudnnBackendAttributeType_t, int64_t, int64_t *, void *);
    cudnnStatus_t (*finalize)(cudnnBackendDescriptor_t);
    cudnnStatus_t (*execute)(
            cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t);
} bench_dnn;

/** Load the library. @return false with P3D_DEVICE: it is not there, or old */
P3D_CHECK bool bench_dnn_open(bench_dnn *out, p3d_error *err);
void bench_dnn_close(bench_dnn *dnn);

enum { BENCH_GRAPH_TENSORS = 48, BENCH_GRAPH_OPS = 32, BENCH_GRAPH_ALL = 192 };

/** Sets of data that a graph may be run on in turn. */
enum { BENCH_GRAPH_SETS = 8 };

/** A tensor of a graph. */
typedef struct bench_graph_tensor {
    cudnnBackendDescriptor_t descriptor;
    int64_t dim[4];
    int64_t bytes; /* of a real one; 0 = virtual */
    float value;   /* of a scalar that is passed by value */
    bool by_value;
    void *data; /* where a real one lies; set before it is run */
} bench_graph_tensor;

/** A graph under construction, then a plan. `failed` sticks, with the library's
 *  own words in `why`. */
typedef struct bench_graph {
    const bench_dnn *dnn;
    bool failed;
    char why[200];
    int n_tensors;
    bench_graph_tensor tensors[BENCH_GRAPH_TENSORS];
    int n_ops;
    cudnnBackendDescriptor_t ops[BENCH_GRAPH_OPS];
    int n_all;
    cudnnBackendDescriptor_t all[BENCH_GRAPH_ALL]; /* to be freed */
    cudnnBackendDescriptor_t plan;
    /* Data and workspace of a run, for each set. */
    cudnnBackendDescriptor_t packs[BENCH_GRAPH_SETS];
    int64_t workspace_bytes;
} bench_graph;

/** A pass of an attention core, with its sizes as cuDNN takes them. */
typedef struct bench_fused_spec {
    cudnnDataType_t type; /* bf16 or fp16 */
    bool backward;
    bool causal;
    int64_t batch, heads, kv_heads, seq_q, seq_kv, qk_dim, v_dim;
} bench_fused_spec;

/** Places in `tensors` of what comes in and goes out. */
enum {
    BENCH_Q,
    BENCH_K,
    BENCH_V,
    BENCH_O,
    BENCH_STATS, /* log of the sum of a row's exponentials */
    BENCH_DO,    /* backward from here on */
    BENCH_DQ,
    BENCH_DK,
    BENCH_DV
};

/** The device that a kernel is for. */
typedef struct bench_fused_device {
    int ordinal;
    const char *json; /* for tests without a device: one as cuDNN describes it,
                         in place of the ordinal; else NULL */
} bench_fused_device;

/**
 * Build the graph of a pass and let cuDNN find a kernel for it.
 *
 * @param out  release with bench_graph_free(), also after a failure; large
 *             (allocate it)
 * @return false with P3D_DEVICE: cuDNN has no kernel, and why
 *
 * Source of the graphs: NVIDIA/cudnn-frontend v1.32
 * include/cudnn_frontend/node/scaled_dot_product_flash_attention.h (the nodes
 * that its SDPA operations are made of). Tested: tests/bench/test_fused.c
 */
P3D_CHECK bool bench_fused_build(const bench_dnn *dnn,
        const bench_fused_spec *spec, bench_fused_device device,
        bench_graph *out, p3d_error *err);

/** Bind the data that the tensors have now, and a workspace, as a set; then it
 *  may be run. */
P3D_CHECK bool bench_graph_bind(
        bench_graph *graph, int number, void *workspace, p3d_error *err);

void bench_graph_free(bench_graph *graph);

#endif
