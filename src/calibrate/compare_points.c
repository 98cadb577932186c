/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_points.c - products, attention, passes and copies of a plan, as they
 * were measured and as they are predicted. */
#include "calibrate/compare_points.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"

/* Offload moves more at once; below, a copy's start shows. */
enum { LEAST_COPY_BYTES = 16777216 };

static const double MIB = 1048576;

int compare_most_points(
        const p3d_request *request, const p3d_measurements *files, int n)
{
    int most = 2 * request->gemm.n + request->attention.n +
               P3D_N_REQUEST_KERNELS * request->pass.n + request->collective.n;

    for (int i = 0; i < n; i++)
        most += files[i].copy.n + files[i].host.n;
    return most;
}

void compare_want(compare_work *w, int kind, double planned_s, bool found)
{
    p3d_comparison *const c = &w->out->kinds[kind];

    c->n_wanted++;
    c->n_found += found;
    c->planned_s += planned_s;
    c->missing_s += found ? 0 : planned_s;
}

compare_point *compare_add(
        compare_work *w, int kind, double measured_s, double predicted_s)
{
    compare_point *const point = &w->points[w->n_points++];

    *point = (compare_point){
            .kind = kind, .measured_s = measured_s, .predicted_s = predicted_s};
    return point;
}

static p3d_dtype dtype_of(int number)
{
    static const p3d_dtype types[P3D_N_NUMBERS] = {[P3D_NUMBER_BF16] = P3D_BF16,
            [P3D_NUMBER_FP16] = P3D_FP16,
            [P3D_NUMBER_FP8] = P3D_FP8,
            [P3D_NUMBER_TF32] = P3D_FP32,
            [P3D_NUMBER_FP32] = P3D_FP32};

    return types[number];
}

/* Bytes of an element of a sum in fp32 that is read and written. */
enum { SUM_BYTES = 8 };

/* Products that are run one after the other each take a launch. */
static double product_s(const p3d_cluster *cluster,
        const p3d_request_gemm *want, bool accumulate)
{
    const bool loop = want->how == P3D_GEMM_LOOP;
    const p3d_op op = {.kind = P3D_OP_GEMM,
            .dtype = dtype_of(want->dtype),
            .m = want->m,
            .n = want->n,
            .k = want->k,
            .count = loop ? 1 : want->count,
            .out_bytes = accumulate ? SUM_BYTES : 0};

    return cost_op_gemm_s(cluster, &op) * (double)(loop ? want->count : 1);
}

static const p3d_gemm_row *find_product(
        const compare_work *w, const p3d_request_gemm *want, bool sustained)
{
    for (int i = 0; i < w->n_files; i++) {
        const p3d_gemm_row *const rows = w->files[i].gemm.items;

        for (int k = 0; k < w->files[i].gemm.n; k++) {
            const p3d_gemm_row *const r = &rows[k];

            if (r->sustained == sustained && r->dtype == want->dtype &&
                    r->layout == want->layout && r->how == want->how &&
                    r->m == want->m && r->n == want->n && r->k == want->k &&
                    r->count == want->count)
                return r;
        }
    }
    return NULL;
}

static void compare_product(
        compare_work *w, const p3d_request_gemm *want, bool sustained)
{
    const p3d_cluster *const cluster =
            sustained ? &w->problem->cluster : &w->burst;
    const p3d_gemm_row *const r = find_product(w, want, sustained);
    const int kind = sustained ? P3D_COMPARED_SUSTAINED : P3D_COMPARED_GEMM;
    const double planned_s =
            (double)want->times * product_s(&w->problem->cluster, want,
                                          want->layout == P3D_LAYOUT_WGRAD);
    compare_point *point;

    if (r != NULL || !sustained)
        compare_want(w, kind, planned_s, r != NULL);
    if (r == NULL)
        return;
    point = compare_add(w, kind, r->timing.median_s,
            product_s(cluster, want, r->accumulate));
    snprintf(point->shape, sizeof(point->shape), "%.40s, %s %lld x %lld x %lld",
            want->name, p3d_layout_words[want->layout], (long long)want->m,
            (long long)want->n, (long long)want->k);
}

void compare_products(compare_work *w)
{
    const p3d_request_gemm *const rows = w->request->gemm.items;

    for (int i = 0; i < w->request->gemm.n; i++) {
        compare_product(w, &rows[i], false);
        compare_product(w, &rows[i], true);
    }
}

/* Of a ring of context parallelism one step is measured. */
static const p3d_attention_row *find_core(
        compare_work *w, const p3d_request_attention *want)
{
    for (int i = 0; i < w->n_files; i++) {
        const p3d_attention_row *const rows = w->files[i].attention.items;

        for (int k = 0; k < w->files[i].attention.n; k++) {
            const p3d_attention_row *const r = &rows[k];

            if (r->dtype != want->dtype || r->backward != want->backward ||
                    r->causal != want->causal || r->batch != want->batch ||
                    r->heads != want->heads || r->kv_heads != want->kv_heads ||
                    r->seq_q != want->seq_q ||
                    r->seq_kv != want->seq_kv / want->count ||
                    r->qk_dim != want->qk_dim || r->v_dim != want->v_dim ||
                    want->window > 0)
                continue;
            if (r->code == P3D_CODE_CUDNN)
                return r;
            w->out->n_eager++;
            return NULL;
        }
    }
    return NULL;
}

static double core_s(const p3d_cluster *cluster,
        const p3d_request_attention *want, p3d_attention kernel)
{
    const p3d_op op = {.kind = P3D_OP_ATTENTION,
            .phase = want->backward ? P3D_BACKWARD : P3D_FORWARD,
            .kernel = kernel,
            .not_causal = !want->causal,
            .count = 1,
            .batch = want->batch,
            .heads = want->heads,
            .kv_heads = want->kv_heads,
            .seq_q = want->seq_q,
            .seq_kv = want->seq_kv / want->count,
            .qk_dim = want->qk_dim,
            .v_dim = want->v_dim};

    return cost_attention_s(cluster, dtype_of(want->dtype), &op);
}

void compare_cores(compare_work *w)
{
    const p3d_request_attention *const rows = w->request->attention.items;

    for (int i = 0; i < w->request->attention.n; i++) {
        const p3d_request_attention *const want = &rows[i];
        const p3d_attention_row *const r = find_core(w, want);
        compare_point *point;

        compare_want(w, P3D_COMPARED_ATTENTION,
                (double)(want->times * want->count) *
                        core_s(&w->problem->cluster, want,
                                w->problem->job.attention),
                r != NULL);
        if (r == NULL)
            continue;
        point = compare_add(w, P3D_COMPARED_ATTENTION, r->timing.median_s,
                core_s(&w->burst, want, P3D_CUDNN));
        snprintf(point->shape, sizeof(point->shape),
                "%s, %lld x %lld/%lld heads of %lld, %lld tokens",
                want->backward ? "backward" : "forward", (long long)want->batch,
                (long long)want->heads, (long long)want->kv_heads,
                (long long)want->qk_dim, (long long)r->seq_kv);
    }
}

static const p3d_pass_row *find_pass(
        const compare_work *w, int kernel, int64_t bytes)
{
    for (int i = 0; i < w->n_files; i++) {
        const p3d_pass_row *const rows = w->files[i].pass.items;

        for (int k = 0; k < w->files[i].pass.n; k++)
            if (rows[k].kernel == kernel && rows[k].bytes == bytes)
                return &rows[k];
    }
    return NULL;
}

static bool compare_pass(compare_work *w, const p3d_request_pass *want,
        p3d_pass_kernel kernel, int64_t bytes)
{
    const p3d_pass_row *const r =
            find_pass(w, (int)kernel, p3d_kernel_bytes(kernel, bytes));
    compare_point *point;

    if (r == NULL)
        return false;
    point = compare_add(w, P3D_COMPARED_PASS, r->timing.median_s,
            cost_pass_s(&w->burst, (double)r->bytes, 1));
    snprintf(point->shape, sizeof(point->shape), "%.40s as %s of %.4g MiB",
            want->name, p3d_pass_kernel_words[r->kernel],
            (double)r->bytes / MIB);
    return true;
}

void compare_passes(compare_work *w)
{
    const p3d_request_pass *const rows = w->request->pass.items;

    for (int i = 0; i < w->request->pass.n; i++) {
        const p3d_request_pass *const want = &rows[i];
        const int64_t bytes = want->bytes / want->n_kernels;
        bool found = false;

        for (int k = 0; k < P3D_N_REQUEST_KERNELS; k++)
            found = compare_pass(w, want, p3d_request_kernels[k], bytes) ||
                    found;
        compare_want(w, P3D_COMPARED_PASS,
                (double)want->times * cost_pass_s(&w->problem->cluster,
                                              (double)want->bytes,
                                              (int)want->n_kernels),
                found);
    }
}

static void compare_copies(compare_work *w, const p3d_rows *from)
{
    const p3d_copy_row *const rows = from->items;
    const double rate = cost_host_copy_bytes_per_s(&w->problem->cluster);

    for (int i = 0; i < from->n; i++) {
        compare_point *point;

        if (rows[i].direction == P3D_COPY_BOTH ||
                rows[i].bytes < LEAST_COPY_BYTES || rate <= 0)
            continue;
        compare_want(w, P3D_COMPARED_COPY, 0, true);
        point = compare_add(w, P3D_COMPARED_COPY, rows[i].timing.median_s,
                (double)rows[i].bytes / rate);
        snprintf(point->shape, sizeof(point->shape), "%s, %.4g MiB",
                p3d_copy_direction_words[rows[i].direction],
                (double)rows[i].bytes / MIB);
    }
}

static void compare_optimizer(compare_work *w, const p3d_rows *from)
{
    const p3d_host_row *const rows = from->items;
    const double rate = cost_host_optimizer_bytes_per_s(&w->problem->cluster);

    for (int i = 0; i < from->n; i++) {
        compare_point *point;

        if (rows[i].kernel != P3D_HOST_ADAM || rate <= 0)
            continue;
        compare_want(w, P3D_COMPARED_HOST, 0, true);
        point = compare_add(w, P3D_COMPARED_HOST, rows[i].timing.median_s,
                (double)rows[i].bytes / rate);
        snprintf(point->shape, sizeof(point->shape),
                "Adam, %lld threads, %.4g MiB", (long long)rows[i].n_threads,
                (double)rows[i].bytes / MIB);
    }
}

/* Bytes per parameter: gradients down and weights up, and those that Adam
 * reads and writes (cost_offload_s()). */
static const double COPIED_BYTES = 4;
static const double UPDATED_BYTES = 30;

/* Share of the copies in what offload adds to a step. */
static double copied_frac(const p3d_cluster *cluster)
{
    const double copies = COPIED_BYTES / cost_host_copy_bytes_per_s(cluster);
    const double rate = cost_host_optimizer_bytes_per_s(cluster);
    const double updates =
            rate > 0 ? UPDATED_BYTES * cluster->node.gpus_per_node / rate : 0;

    return copies / (copies + updates);
}

static void plan_host(compare_work *w, int kind, double planned_s)
{
    if (w->out->kinds[kind].n_wanted > 0)
        w->out->kinds[kind].planned_s = planned_s;
    else if (planned_s > 0)
        compare_want(w, kind, planned_s, false);
}

void compare_host(compare_work *w)
{
    const double offload_s = w->estimate->time.offload_s;
    const double frac = copied_frac(&w->problem->cluster);

    for (int i = 0; i < w->n_files; i++) {
        compare_copies(w, &w->files[i].copy);
        compare_optimizer(w, &w->files[i].host);
    }
    plan_host(w, P3D_COMPARED_COPY, frac * offload_s);
    plan_host(w, P3D_COMPARED_HOST, (1 - frac) * offload_s);
}
