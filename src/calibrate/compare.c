/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - operations of a plan as they were measured against the predicted
 * ones. */
#include "plan3d/validate.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "calibrate/passes.h"
#include "cost/cost.h"
#include "spec/given.h"

/* A measured operation. */
typedef struct compare_point {
    int kind; /* p3d_compared_kind */
    double measured_s;
    double predicted_s;
    char shape[96];
} compare_point;

/* What the steps of one comparison share. */
typedef struct compare_work {
    const p3d_compare_options *o;
    const p3d_cluster *cluster;
    p3d_cluster burst; /* the same without a power limit */
    compare_point *points;
    int n_points;
    p3d_compared *out; /* counts and planned seconds */
} compare_work;

/* Offload moves more at once; below, a copy's start shows. */
enum { LEAST_COPY_BYTES = 16777216 };

static const double MIB = 1048576;

/* No comparison has more points. */
static size_t most_points(const p3d_compare_options *o)
{
    const p3d_request *const request = o->request;
    int most = 2 * request->gemm.n + request->attention.n +
               P3D_N_REQUEST_KERNELS * request->pass.n + request->collective.n;

    for (int i = 0; i < o->n_files; i++)
        most += o->files[i].copy.n + o->files[i].host.n;
    return (size_t)most;
}

/* Count an operation of the plan that takes so long in a step. */
static void count_wanted(
        compare_work *w, int kind, double planned_s, bool found)
{
    p3d_comparison *const c = &w->out->kinds[kind];

    c->n_wanted++;
    c->n_found += found;
    c->planned_s += planned_s;
    c->missing_s += found ? 0 : planned_s;
}

/* Append a point; its shape is printed. */
P3D_PRINTF(5, 6)
static void add_point(compare_work *w, int kind, double measured_s,
        double predicted_s, const char *fmt, ...)
{
    compare_point *const point = &w->points[w->n_points++];
    va_list args;

    *point = (compare_point){
            .kind = kind, .measured_s = measured_s, .predicted_s = predicted_s};
    va_start(args, fmt);
    vsnprintf(point->shape, sizeof(point->shape), fmt, args);
    va_end(args);
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
    for (int i = 0; i < w->o->n_files; i++) {
        const p3d_gemm_row *const rows = w->o->files[i].gemm.items;

        for (int k = 0; k < w->o->files[i].gemm.n; k++) {
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
    const p3d_cluster *const cluster = sustained ? w->cluster : &w->burst;
    const p3d_gemm_row *const r = find_product(w, want, sustained);
    const int kind = sustained ? P3D_COMPARED_SUSTAINED : P3D_COMPARED_GEMM;
    const double planned_s =
            (double)want->times *
            product_s(w->cluster, want, want->layout == P3D_LAYOUT_WGRAD);

    if (r != NULL || !sustained)
        count_wanted(w, kind, planned_s, r != NULL);
    if (r == NULL)
        return;
    add_point(w, kind, r->timing.median_s,
            product_s(cluster, want, r->accumulate),
            "%.40s, %s %lld x %lld x %lld", want->name,
            p3d_layout_words[want->layout], (long long)want->m,
            (long long)want->n, (long long)want->k);
}

static void compare_products(compare_work *w)
{
    const p3d_request_gemm *const rows = w->o->request->gemm.items;

    for (int i = 0; i < w->o->request->gemm.n; i++) {
        compare_product(w, &rows[i], false);
        compare_product(w, &rows[i], true);
    }
}

/* Of a ring of context parallelism one step is measured. */
static const p3d_attention_row *find_core(
        compare_work *w, const p3d_request_attention *want)
{
    for (int i = 0; i < w->o->n_files; i++) {
        const p3d_attention_row *const rows = w->o->files[i].attention.items;

        for (int k = 0; k < w->o->files[i].attention.n; k++) {
            const p3d_attention_row *const r = &rows[k];

            if (r->sustained || r->dtype != want->dtype ||
                    r->backward != want->backward ||
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

static void compare_cores(compare_work *w)
{
    const p3d_request_attention *const rows = w->o->request->attention.items;

    for (int i = 0; i < w->o->request->attention.n; i++) {
        const p3d_request_attention *const want = &rows[i];
        const p3d_attention_row *const r = find_core(w, want);

        count_wanted(w, P3D_COMPARED_ATTENTION,
                (double)(want->times * want->count) *
                        core_s(w->cluster, want, w->o->problem->job.attention),
                r != NULL);
        if (r == NULL)
            continue;
        add_point(w, P3D_COMPARED_ATTENTION, r->timing.median_s,
                core_s(&w->burst, want, P3D_CUDNN),
                "%s, %lld x %lld/%lld heads of %lld, %lld tokens",
                want->backward ? "backward" : "forward", (long long)want->batch,
                (long long)want->heads, (long long)want->kv_heads,
                (long long)want->qk_dim, (long long)r->seq_kv);
    }
}

static const p3d_pass_row *find_pass(
        const compare_work *w, int kernel, int64_t bytes)
{
    for (int i = 0; i < w->o->n_files; i++) {
        const p3d_pass_row *const rows = w->o->files[i].pass.items;

        for (int k = 0; k < w->o->files[i].pass.n; k++)
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

    if (r == NULL)
        return false;
    add_point(w, P3D_COMPARED_PASS, r->timing.median_s,
            cost_pass_s(&w->burst, calibrate_pass_kind(r->kernel),
                    (double)r->bytes, 1),
            "%.40s as %s of %.4g MiB", want->name,
            p3d_pass_kernel_words[r->kernel], (double)r->bytes / MIB);
    return true;
}

/* Seconds of the pass of a plan, which is measured as each of these kernels. */
static double wanted_pass_s(
        const p3d_cluster *cluster, const p3d_request_pass *want)
{
    double sum = 0;

    for (int k = 0; k < P3D_N_REQUEST_KERNELS; k++)
        sum += cost_pass_s(cluster,
                calibrate_pass_kind((int)p3d_request_kernels[k]),
                (double)want->bytes, (int)want->n_kernels);
    return sum / P3D_N_REQUEST_KERNELS;
}

static void compare_passes(compare_work *w)
{
    const p3d_request_pass *const rows = w->o->request->pass.items;

    for (int i = 0; i < w->o->request->pass.n; i++) {
        const p3d_request_pass *const want = &rows[i];
        const int64_t bytes = want->bytes / want->n_kernels;
        bool found = false;

        for (int k = 0; k < P3D_N_REQUEST_KERNELS; k++)
            found = compare_pass(w, want, p3d_request_kernels[k], bytes) ||
                    found;
        count_wanted(w, P3D_COMPARED_PASS,
                (double)want->times * wanted_pass_s(w->cluster, want), found);
    }
}

static void compare_copies(compare_work *w, const p3d_rows *from)
{
    const p3d_copy_row *const rows = from->items;
    const double rate = cost_host_copy_bytes_per_s(w->cluster);

    for (int i = 0; i < from->n; i++) {
        if (rows[i].direction == P3D_COPY_BOTH ||
                rows[i].bytes < LEAST_COPY_BYTES || rate <= 0)
            continue;
        count_wanted(w, P3D_COMPARED_COPY, 0, true);
        add_point(w, P3D_COMPARED_COPY, rows[i].timing.median_s,
                (double)rows[i].bytes / rate, "%s, %.4g MiB",
                p3d_copy_direction_words[rows[i].direction],
                (double)rows[i].bytes / MIB);
    }
}

/* Of the plan's node: hosts have processors for their GPUs. */
static double host_share(const compare_work *w, const p3d_host_row *row)
{
    return row->n_gpus > 0
                   ? (double)row->n_gpus / w->cluster->node.gpus_per_node
                   : 1;
}

static void compare_optimizer(compare_work *w, const p3d_rows *from)
{
    const p3d_host_row *const rows = from->items;
    const double rate = cost_host_optimizer_bytes_per_s(w->cluster);

    for (int i = 0; i < from->n; i++) {
        if (rows[i].kernel != P3D_HOST_ADAM || rate <= 0)
            continue;
        count_wanted(w, P3D_COMPARED_HOST, 0, true);
        add_point(w, P3D_COMPARED_HOST, rows[i].timing.median_s,
                (double)rows[i].bytes / (rate * host_share(w, &rows[i])),
                "Adam, %lld threads, %.4g MiB", (long long)rows[i].n_threads,
                (double)rows[i].bytes / MIB);
    }
}

/* Share of the copies in what offload adds to a step. */
static double copied_frac(const p3d_problem *problem)
{
    const p3d_cluster *const cluster = &problem->cluster;
    const double copies = cost_offload_link_bytes(&problem->job) /
                          cost_host_copy_bytes_per_s(cluster);
    const double rate = cost_host_optimizer_bytes_per_s(cluster);
    const double updates = rate > 0 ? cost_offload_host_bytes(&problem->job) *
                                              cluster->node.gpus_per_node / rate
                                    : 0;

    return copies / (copies + updates);
}

static void plan_host(compare_work *w, int kind, double planned_s)
{
    if (w->out->kinds[kind].n_wanted > 0)
        w->out->kinds[kind].planned_s = planned_s;
    else if (planned_s > 0)
        count_wanted(w, kind, planned_s, false);
}

static void compare_host(compare_work *w)
{
    const double offload_s = w->o->estimate->time.offload_s;
    const double frac = copied_frac(w->o->problem);

    for (int i = 0; i < w->o->n_files; i++) {
        compare_copies(w, &w->o->files[i].copy);
        compare_optimizer(w, &w->o->files[i].host);
    }
    plan_host(w, P3D_COMPARED_COPY, frac * offload_s);
    plan_host(w, P3D_COMPARED_HOST, (1 - frac) * offload_s);
}

/* What is compared of a request, by its operation, whose names are in the
 * order of the collectives; 0 = nothing is. */
static const int kinds[P3D_N_MEASURED_OPS] = {
        [P3D_OP_ALL_REDUCE] = P3D_COMPARED_ALL_REDUCE,
        [P3D_OP_ALL_GATHER] = P3D_COMPARED_ALL_GATHER,
        [P3D_OP_REDUCE_SCATTER] = P3D_COMPARED_REDUCE_SCATTER,
        [P3D_OP_ALL_TO_ALL] = P3D_COMPARED_ALL_TO_ALL,
        [P3D_OP_SEND_RECV] = P3D_COMPARED_SEND_RECV};

/* The axis of a word; P3D_N_AXES = none. */
static p3d_axis axis_of(const char *word)
{
    int axis = 0;

    while (axis < P3D_N_AXES &&
            strcmp(p3d_axis_word((p3d_axis)axis), word) != 0)
        axis++;
    return (p3d_axis)axis;
}

/* plan3d-bench rounds to whole fp32 numbers of every rank. */
static int64_t measured_bytes(const p3d_request_collective *want)
{
    const int64_t step = 4 * want->n_ranks;
    const int64_t n = want->bytes / step;

    return (n > 0 ? n : 1) * step;
}

static bool is_same(
        const p3d_collective_row *r, const p3d_request_collective *want)
{
    return r->op == want->op && strcmp(r->axis, want->axis) == 0 &&
           r->n_ranks == want->n_ranks && r->bytes == measured_bytes(want);
}

/* In training all groups run at once: of one operation's measurements that of
 * the most groups. */
static const p3d_collective_row *find_row(
        const compare_work *w, const p3d_request_collective *want)
{
    const p3d_collective_row *best = NULL;

    for (int i = 0; i < w->o->n_files; i++) {
        const p3d_collective_row *const rows = w->o->files[i].collective.items;

        for (int k = 0; k < w->o->files[i].collective.n; k++) {
            if (is_same(&rows[k], want) &&
                    (best == NULL || rows[k].n_groups > best->n_groups))
                best = &rows[k];
        }
    }
    return best;
}

/* Hosts of one NVLink domain are no nodes of the cost forms. */
static bool lies_as_planned(
        const compare_work *w, const p3d_collective_row *row, cost_group group)
{
    const p3d_node *const node = &w->cluster->node;

    return node->gpus_per_nvlink_domain > node->gpus_per_node ||
           row->n_nodes == group.n_nodes;
}

static double predict_s(
        const compare_work *w, int op, cost_group group, double bytes)
{
    return op == P3D_OP_SEND_RECV ? cost_p2p_s(w->cluster, group, bytes)
                                  : cost_collective_s(w->cluster,
                                            (p3d_collective)op, group, bytes);
}

static void compare_one(compare_work *w, const p3d_request_collective *want)
{
    const int kind = kinds[want->op];
    const p3d_axis axis = axis_of(want->axis);
    const p3d_collective_row *r = find_row(w, want);
    cost_group group;

    if (axis == P3D_N_AXES)
        return;
    group = cost_place(w->cluster, &w->o->estimate->plan, axis);
    if (r != NULL && !lies_as_planned(w, r, group)) {
        w->out->n_elsewhere++;
        r = NULL;
    }
    count_wanted(w, kind,
            (double)want->times *
                    predict_s(w, want->op, group, (double)want->bytes),
            r != NULL);
    if (r == NULL)
        return;
    add_point(w, kind, r->timing.median_s,
            predict_s(w, want->op, group, (double)r->bytes),
            "%.40s, %s of %lld ranks, %.4g MiB", want->name, want->axis,
            (long long)want->n_ranks, (double)want->bytes / MIB);
}

static void compare_collectives(compare_work *w)
{
    const p3d_request_collective *const rows = w->o->request->collective.items;

    for (int i = 0; i < w->o->request->collective.n; i++)
        if (kinds[rows[i].op] != 0)
            compare_one(w, &rows[i]);
}

enum { ALL = -1 };

static bool counts(const compare_point *point, int kind)
{
    return kind == ALL ? point->kind != P3D_COMPARED_SUSTAINED
                       : point->kind == kind;
}

static void take_worst(p3d_comparison *out, const compare_point *point)
{
    const double ratio = point->measured_s / point->predicted_s;

    if (out->worst_ratio > 0 &&
            fabs(p3d_log(ratio)) <= fabs(p3d_log(out->worst_ratio)))
        return;
    out->worst_ratio = ratio;
    out->worst_measured_s = point->measured_s;
    out->worst_predicted_s = point->predicted_s;
    p3d_copy(out->worst, sizeof(out->worst), point->shape);
}

/* @param ratios  room for all points */
static void summarize(
        const compare_work *w, int kind, double *ratios, p3d_comparison *out)
{
    int n = 0;

    for (int i = 0; i < w->n_points; i++) {
        const compare_point *const point = &w->points[i];

        if (!counts(point, kind))
            continue;
        ratios[n++] = point->measured_s / point->predicted_s;
        take_worst(out, point);
    }
    out->n_points = n;
    if (n == 0)
        return;
    gsl_sort(ratios, 1, (size_t)n);
    out->median_ratio = gsl_stats_median_from_sorted_data(ratios, 1, (size_t)n);
    out->low_ratio =
            gsl_stats_quantile_from_sorted_data(ratios, 1, (size_t)n, 0.1);
    out->high_ratio =
            gsl_stats_quantile_from_sorted_data(ratios, 1, (size_t)n, 0.9);
}

static void summarize_all(const compare_work *w, double *ratios)
{
    static const char *const names[P3D_N_COMPARED] = {
#define P3D_AS_WORDS(name, words) words,
            P3D_COMPARED_KINDS(P3D_AS_WORDS)
#undef P3D_AS_WORDS
    };
    p3d_comparison *const all = &w->out->all;

    for (int kind = 0; kind < P3D_N_COMPARED; kind++) {
        p3d_comparison *const one = &w->out->kinds[kind];

        one->name = names[kind];
        summarize(w, kind, ratios, one);
        if (kind == P3D_COMPARED_SUSTAINED)
            continue;
        all->n_wanted += one->n_wanted;
        all->n_found += one->n_found;
        all->planned_s += one->planned_s;
        all->missing_s += one->missing_s;
    }
    all->name = "all";
    summarize(w, ALL, ratios, all);
}

/* Of one plan are two sums of tensors that differ by less. */
static const double SAME_SUM_FRAC = 0.01;

/* Whether the plan's own tensors were had, or without them as many bytes. */
static bool had(const p3d_capacity_row *row, int64_t wanted_bytes)
{
    const double off = (double)(row->wanted_bytes - wanted_bytes);

    if (row->n_pieces > 0 && fabs(off) <= SAME_SUM_FRAC * (double)wanted_bytes)
        return row->fits;
    return row->largest_bytes >= wanted_bytes;
}

static void compare_memory(const compare_work *w)
{
    p3d_had_memory *const out = &w->out->memory;

    out->wanted_bytes = w->o->request->allocated_bytes;
    for (int i = 0; i < w->o->n_files; i++) {
        const p3d_capacity_row *const rows = w->o->files[i].capacity.items;

        for (int k = 0; k < w->o->files[i].capacity.n; k++) {
            out->measured = true;
            out->largest_bytes = rows[k].largest_bytes;
            out->context_bytes = rows[k].context_bytes;
            out->fits = had(&rows[k], out->wanted_bytes);
        }
    }
}

static void compare_all(compare_work *w)
{
    w->burst.calibration.sustained_frac = 1;
    w->burst.calibration.gemm.sustained_frac = 1;
    w->burst.calibration.gemm_fp8.sustained_frac = 1;
    w->burst.calibration.gemm_nvfp4.sustained_frac = 1;
    compare_products(w);
    compare_cores(w);
    compare_passes(w);
    compare_host(w);
    compare_collectives(w);
}

bool p3d_compare(
        const p3d_compare_options *o, p3d_compared *out, p3d_error *err)
{
    if (o == NULL || !spec_problem_given(o->problem) ||
            !spec_estimate_given(o->estimate) || o->request == NULL ||
            o->files == NULL || o->n_files < 1 || out == NULL)
        return p3d_misuse(err, __func__);

    const size_t most = 1 + most_points(o);
    double *const ratios = calloc(most, sizeof(*ratios));
    compare_work w = {.o = o,
            .cluster = &o->problem->cluster,
            .burst = o->problem->cluster,
            .points = calloc(most, sizeof(*w.points)),
            .out = out};
    const bool ok = (ratios != NULL && w.points != NULL) ||
                    p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok) {
        *out = (p3d_compared){.n_eager = 0};
        compare_all(&w);
        summarize_all(&w, ratios);
        compare_memory(&w);
    }
    free(w.points);
    free(ratios);
    return ok;
}

double p3d_covered_frac(const p3d_compared *compared)
{
    if (compared == NULL)
        return 0;

    const p3d_comparison *const all = &compared->all;

    return all->planned_s > 0 ? 1 - all->missing_s / all->planned_s : 0;
}

bool p3d_is_off(const p3d_compared *compared, int kind, double tolerance_frac)
{
    if (compared == NULL || kind < 0 || kind >= P3D_N_COMPARED)
        return false;

    const p3d_comparison *const c = &compared->kinds[kind];

    return c->n_points > 0 &&
           c->planned_s >= P3D_LEAST_JUDGED_FRAC * compared->all.planned_s &&
           fabs(c->median_ratio - 1) > tolerance_frac;
}
