/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - a device of which everything is known: measurements of a plan's
 * operations, and of the sets that fits need, made from cost forms. */
#ifndef PLAN3D_TEST_DEVICE_H
#define PLAN3D_TEST_DEVICE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"

enum { DEVICE_ROWS = 512, DEVICE_SET = 24 };

/** The truth, and what was measured of it. Large: allocate it. */
typedef struct device {
    p3d_cluster burst;     /* of short runs */
    p3d_cluster sustained; /* under the power limit */
    p3d_gemm_row gemm[DEVICE_ROWS];
    p3d_attention_row attention[DEVICE_ROWS];
    p3d_pass_row pass[DEVICE_ROWS];
    p3d_copy_row copy[DEVICE_ROWS];
    p3d_host_row host[DEVICE_ROWS];
    p3d_collective_row collective[DEVICE_ROWS];
    p3d_capacity_row capacity[1];
    p3d_measurements file;
} device;

static p3d_timing device_time(double time_s)
{
    return (p3d_timing){30, time_s, 0.99 * time_s, 1.02 * time_s};
}

static inline void device_product(device *d, const p3d_request_gemm *want,
        bool accumulate, bool sustained)
{
    const bool loop = want->how == P3D_GEMM_LOOP;
    const p3d_op op = {.kind = P3D_OP_GEMM,
            .dtype = P3D_BF16,
            .m = want->m,
            .n = want->n,
            .k = want->k,
            .count = loop ? 1 : want->count,
            .out_bytes = accumulate ? 8 : 0};
    p3d_gemm_row row = {.layout = want->layout,
            .how = want->how,
            .m = want->m,
            .n = want->n,
            .k = want->k,
            .count = want->count,
            .accumulate = accumulate,
            .sustained = sustained,
            .n_checked = 64,
            .timing = device_time(
                    (double)(loop ? want->count : 1) *
                    cost_op_gemm_s(
                            sustained ? &d->sustained : &d->burst, &op))};

    p3d_copy(row.name, sizeof(row.name), want->name);
    d->gemm[d->file.gemm.n++] = row;
}

static inline void device_core(device *d, const p3d_request_attention *want)
{
    const p3d_op op = {.kind = P3D_OP_ATTENTION,
            .phase = want->backward ? P3D_BACKWARD : P3D_FORWARD,
            .kernel = P3D_CUDNN,
            .not_causal = !want->causal,
            .count = 1,
            .batch = want->batch,
            .heads = want->heads,
            .kv_heads = want->kv_heads,
            .seq_q = want->seq_q,
            .seq_kv = want->seq_kv / want->count,
            .qk_dim = want->qk_dim,
            .v_dim = want->v_dim};

    d->attention[d->file.attention.n++] = (p3d_attention_row){
            .code = P3D_CODE_CUDNN,
            .backward = want->backward,
            .causal = want->causal,
            .batch = want->batch,
            .heads = want->heads,
            .kv_heads = want->kv_heads,
            .seq_q = want->seq_q,
            .seq_kv = want->seq_kv / want->count,
            .qk_dim = want->qk_dim,
            .v_dim = want->v_dim,
            .n_checked = 64,
            .timing = device_time(cost_attention_s(&d->burst, P3D_BF16, &op))};
}

static inline void device_pass(device *d, int kernel, int64_t bytes)
{
    d->pass[d->file.pass.n++] = (p3d_pass_row){.kernel = kernel,
            .bytes = bytes,
            .timing = device_time(
                    cost_pass_s(&d->burst, P3D_PASS_VECTOR, (double)bytes, 1))};
}

/* @param n_nodes  that a group touches; the ranks lie as the plan's do */
static inline void device_collective(device *d, int op, const char *axis,
        int64_t bytes, int n_groups, cost_group group)
{
    static const p3d_collective forms[] = {[P3D_OP_ALL_REDUCE] = P3D_ALL_REDUCE,
            [P3D_OP_ALL_GATHER] = P3D_ALL_GATHER,
            [P3D_OP_REDUCE_SCATTER] = P3D_REDUCE_SCATTER,
            [P3D_OP_ALL_TO_ALL] = P3D_ALL_TO_ALL};
    const int64_t whole = 4 * (int64_t)group.n_ranks;
    p3d_collective_row row = {.op = op,
            .n_ranks = group.n_ranks,
            .n_nodes = group.n_nodes,
            .n_groups = n_groups,
            .bytes = (bytes / whole > 0 ? bytes / whole : 1) * whole};

    p3d_copy(row.axis, sizeof(row.axis), axis);
    row.timing = device_time(
            op == P3D_OP_SEND_RECV
                    ? cost_p2p_s(&d->burst, group, (double)row.bytes)
                    : cost_collective_s(
                              &d->burst, forms[op], group, (double)row.bytes));
    row.algbw_bytes_per_s = (double)row.bytes / row.timing.median_s;
    row.busbw_bytes_per_s = row.algbw_bytes_per_s *
                            p3d_bus_factor((p3d_measured_op)op, row.n_ranks);
    d->collective[d->file.collective.n++] = row;
}

/* Operations of the plan. */
static inline void device_plan(
        device *d, const p3d_plan *plan, const p3d_request *request)
{
    const p3d_request_gemm *const products = request->gemm.items;
    const p3d_request_attention *const cores = request->attention.items;
    const p3d_request_pass *const passes = request->pass.items;
    const p3d_request_collective *const c = request->collective.items;

    for (int i = 0; i < request->gemm.n; i++) {
        const bool wgrad = products[i].layout == P3D_LAYOUT_WGRAD;

        device_product(d, &products[i], wgrad, false);
        device_product(d, &products[i], wgrad, true);
    }
    for (int i = 0; i < request->attention.n; i++)
        device_core(d, &cores[i]);
    for (int i = 0; i < request->pass.n; i++) {
        const int64_t bytes = passes[i].bytes / passes[i].n_kernels;
        const int64_t sums = bytes / 24576, norms = bytes / 16384;

        device_pass(d, P3D_KERNEL_ADD, 24576 * (sums > 0 ? sums : 1));
        device_pass(d, P3D_KERNEL_NORM, 16384 * (norms > 0 ? norms : 1));
    }
    for (int i = 0; i < request->collective.n; i++) {
        int axis = 0;

        while (strcmp(p3d_axis_word((p3d_axis)axis), c[i].axis) != 0)
            axis++;
        device_collective(d, c[i].op, c[i].axis, c[i].bytes, 1,
                cost_place(&d->burst, plan, (p3d_axis)axis));
    }
    d->capacity[0] = (p3d_capacity_row){.context_bytes = 500 << 20,
            .communicator_bytes = 100 << 20,
            .wanted_bytes = request->allocated_bytes,
            .n_pieces = 100,
            .fits = true,
            .largest_bytes = (int64_t)78 << 30};
    d->file.capacity.n = 1;
}

/* What plan3d-bench measures without a plan. */
static inline void device_set(device *d)
{
    for (int i = 0; i < DEVICE_SET; i++) {
        const p3d_request_gemm product = {.m = 512 + 640 * (i % 7),
                .n = 1024 + 512 * (i % 11),
                .k = 512 + 448 * (i % 13),
                .count = 1};
        const p3d_request_attention core = {.backward = i % 2 == 1,
                .causal = true,
                .batch = 1 + i % 4,
                .heads = 32,
                .kv_heads = 8,
                .seq_q = 1024 << i % 5,
                .seq_kv = 1024 << i % 5,
                .qk_dim = 128,
                .v_dim = 128,
                .count = 1};
        const cost_group group = {
                .n_ranks = 8, .n_nodes = 1, .ranks_per_node = 8};

        device_product(d, &product, false, false);
        device_core(d, &core);
        device_pass(d, P3D_KERNEL_SWIGLU, (int64_t)(1e6 * pow(1.3, i)));
        for (int op = P3D_OP_ALL_REDUCE; op <= P3D_OP_ALL_TO_ALL; op++)
            device_collective(
                    d, op, "all", (int64_t)(65536 * pow(1.5, i)), 1, group);
    }
    for (int i = 0; i < 2; i++) {
        const int64_t bytes = (int64_t)256 << 20;

        d->copy[d->file.copy.n++] = (p3d_copy_row){.direction = i,
                .bytes = bytes,
                .timing = device_time(
                        (double)bytes / cost_host_copy_bytes_per_s(&d->burst))};
    }
    d->host[d->file.host.n++] = (p3d_host_row){.kernel = P3D_HOST_ADAM,
            .n_threads = 96,
            .bytes = (int64_t)1 << 31,
            .timing = device_time((double)((int64_t)1 << 31) /
                                  cost_host_optimizer_bytes_per_s(&d->burst))};
}

/**
 * Measure a plan on a device like the cluster's, whose products take
 * `product_factor` as long, and whose collectives `collective_factor`.
 *
 * @param out  its files point into it: it may not move
 */
static inline void device_measure(const p3d_problem *problem,
        const p3d_plan *plan, const p3d_request *request, double product_factor,
        double collective_factor, device *out)
{
    p3d_calibration *const c = &out->burst.calibration;

    memset(out, 0, sizeof(*out));
    out->burst = problem->cluster;
    c->gemm.peak_frac /= product_factor;
    c->gemm.memory_frac /= product_factor;
    c->gemm.launch_s *= product_factor;
    for (int i = 0; i < P3D_N_COLLECTIVES; i++) {
        c->collective[i].link_frac /= collective_factor;
        c->collective[i].launch_s *= collective_factor;
        c->collective[i].step_s *= collective_factor;
        c->collective[i].ramp_s_per_sqrt_byte *= collective_factor;
    }
    out->sustained = out->burst;
    c->sustained_frac = c->gemm.sustained_frac = 1;
    out->file = (p3d_measurements){.schema = 1,
            .program = "plan3d-bench",
            .command = "plan3d-bench",
            .date = "2026-11-21T04:00:00Z",
            .machine = {.name = "NVIDIA H100 80GB HBM3",
                    .uuid_hash = "fnv1a:0011223344556677",
                    .compute_capability = 90,
                    .n_sms = 132,
                    .memory_bytes = 85017493504,
                    .driver = "550.54.15",
                    .cuda = "12.4",
                    .power_limit_w = 700,
                    .n_ranks = 8,
                    .n_nodes = 1},
            .gemm = {.items = out->gemm},
            .attention = {.items = out->attention},
            .pass = {.items = out->pass},
            .copy = {.items = out->copy},
            .host = {.items = out->host},
            .collective = {.items = out->collective},
            .capacity = {.items = out->capacity}};
    device_plan(out, plan, request);
    device_set(out);
}

#endif
