/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - lists the operations of a plan, for plan3d-bench to measure. */
#include "plan3d/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/version.h"
#include "spec/given.h"

/* Parameters whose gradients a framework reduces at once.
 * Source: Megatron-LM@d98e8a64 megatron/core/distributed/
 * distributed_data_parallel.py (bucket_size). */
static const double BUCKET = 40e6;
static const double BUCKET_PER_REPLICA = 1e6;

/* What all steps of one call share. */
typedef struct builder {
    const p3d_problem *problem;
    const p3d_plan *plan;
    cost_layout layout;
    p3d_blocks blocks;
    p3d_params params;  /* of the rank with the most */
    p3d_params trained; /* of these, likewise */
    int64_t n_micro_batches;
    p3d_request *out;
    bool failed; /* memory ran out */
} builder;

static void push(builder *b, p3d_rows *rows, size_t size, const void *row)
{
    b->failed = !p3d_rows_add(rows, size, row, NULL) || b->failed;
}

static int number_of(const builder *b, p3d_dtype dtype)
{
    switch (dtype) {
    case P3D_BF16: return P3D_NUMBER_BF16;
    case P3D_FP16: return P3D_NUMBER_FP16;
    case P3D_FP8: return P3D_NUMBER_FP8;
    case P3D_NVFP4: return P3D_NUMBER_FP8; /* the nearest that is measured */
    case P3D_FP32:
    case P3D_N_DTYPES: break;
    }
    return b->problem->cluster.gpu.tf32_flop_per_s > 0 ? P3D_NUMBER_TF32
                                                       : P3D_NUMBER_FP32;
}

static int layout_of(const p3d_op *op)
{
    if (op->phase == P3D_FORWARD)
        return P3D_LAYOUT_FORWARD;
    return op->weight_gradient ? P3D_LAYOUT_WGRAD : P3D_LAYOUT_DGRAD;
}

static int how_of(const p3d_op *op)
{
    if (op->count == 1)
        return P3D_GEMM_SINGLE;
    return op->expert ? P3D_GEMM_LOOP : P3D_GEMM_BATCHED;
}

static void add_gemm(builder *b, const p3d_op *op, int64_t times)
{
    p3d_request_gemm row = {.dtype = number_of(b, op->dtype),
            .layout = layout_of(op),
            .how = how_of(op),
            .m = op->m,
            .n = op->n,
            .k = op->k,
            .count = op->count,
            .times = times};

    p3d_copy(row.name, sizeof(row.name), op->name);
    push(b, &b->out->gemm, sizeof(row), &row);
}

static void add_attention(builder *b, const p3d_op *op, int64_t times)
{
    p3d_request_attention row = {.dtype = number_of(b, op->dtype),
            .backward = op->phase == P3D_BACKWARD,
            .causal = !op->not_causal,
            .batch = op->batch,
            .heads = op->heads,
            .kv_heads = op->kv_heads,
            .seq_q = op->seq_q,
            .seq_kv = op->seq_kv,
            .qk_dim = op->qk_dim,
            .v_dim = op->v_dim,
            .window = op->window,
            .count = op->count,
            .times = times};

    p3d_copy(row.name, sizeof(row.name), op->name);
    push(b, &b->out->attention, sizeof(row), &row);
}

static void add_pass(builder *b, const p3d_op *op, int64_t times)
{
    p3d_request_pass row = {.bytes = (int64_t)op->bytes,
            .n_kernels = op->n_kernels,
            .times = times};

    p3d_request_pass *const rows = b->out->pass.items;

    if (row.bytes < 1 || row.n_kernels < 1)
        return;
    p3d_copy(row.name, sizeof(row.name), op->name);
    for (int i = 0; i < b->out->pass.n; i++) {
        if (rows[i].bytes == row.bytes && rows[i].n_kernels == row.n_kernels &&
                strcmp(rows[i].name, row.name) == 0) {
            rows[i].times += times;
            return;
        }
    }
    push(b, &b->out->pass, sizeof(row), &row);
}

static p3d_measured_op measured_op(p3d_collective collective)
{
    switch (collective) {
    case P3D_ALL_REDUCE: return P3D_OP_ALL_REDUCE;
    case P3D_ALL_GATHER: return P3D_OP_ALL_GATHER;
    case P3D_REDUCE_SCATTER: return P3D_OP_REDUCE_SCATTER;
    case P3D_ALL_TO_ALL:
    case P3D_N_COLLECTIVES: break;
    }
    return P3D_OP_ALL_TO_ALL;
}

/* Something that ranks along an axis send each other. */
typedef struct transfer {
    const char *name;
    int op;
    p3d_axis axis;
    double bytes;
    int64_t times;
} transfer;

static void add_transfer(builder *b, transfer t)
{
    const cost_axis shape = cost_axis_of(b->plan, t.axis);
    p3d_request_collective row = {.op = t.op,
            .n_ranks = shape.n_ranks,
            .stride = shape.stride,
            .n_inner = shape.n_inner,
            .block = shape.block,
            .bytes = (int64_t)t.bytes,
            .times = t.times};

    p3d_request_collective *const rows = b->out->collective.items;

    if (row.n_ranks < 2 || row.bytes < 1)
        return;
    p3d_copy(row.name, sizeof(row.name), t.name);
    p3d_copy(row.axis, sizeof(row.axis), p3d_axis_word(t.axis));
    for (int i = 0; i < b->out->collective.n; i++) {
        if (rows[i].op == t.op && rows[i].bytes == row.bytes &&
                strcmp(rows[i].name, row.name) == 0) {
            rows[i].times += t.times;
            return;
        }
    }
    push(b, &b->out->collective, sizeof(row), &row);
}

/* One of several equal operations is enough; it is run as often as all. */
static bool same_op(const p3d_op *a, const p3d_op *b)
{
    return a->kind == b->kind && a->phase == b->phase && a->m == b->m &&
           a->n == b->n && a->k == b->k && a->count == b->count &&
           a->weight_gradient == b->weight_gradient &&
           strcmp(a->name, b->name) == 0 && a->axis == b->axis &&
           a->collective == b->collective && !(a->bytes < b->bytes) &&
           !(a->bytes > b->bytes) && a->seq_kv == b->seq_kv;
}

static void add_op(builder *b, const p3d_workload *list, int i, int64_t times)
{
    const p3d_op *const op = &list->ops[i];
    int64_t n = 0;

    for (int j = 0; j < list->n_ops; j++) {
        if (!same_op(op, &list->ops[j]))
            continue;
        if (j < i)
            return;
        n++;
    }
    switch (op->kind) {
    case P3D_OP_GEMM: add_gemm(b, op, n * times); break;
    case P3D_OP_ATTENTION: add_attention(b, op, n * times); break;
    case P3D_OP_PASS: add_pass(b, op, n * times); break;
    case P3D_OP_COLLECTIVE:
        add_transfer(b, (transfer){op->name, (int)measured_op(op->collective),
                                op->axis, op->bytes, n * times});
        break;
    }
}

/* Blocks of a kind on the rank that has the most of them. */
static int most_blocks(const builder *b, int block)
{
    int most = 0;

    if (block >= P3D_N_BLOCKS)
        return p3d_tower_blocks(&b->problem->model, block);
    if (block >= P3D_N_LAYER_KINDS)
        return 1;
    for (int rank = 0; rank < b->plan->pp; rank++) {
        int n = 0;

        for (int j = 0; j < b->plan->vp; j++)
            n += b->layout.count[cost_stage_of(b->plan, rank, j)][block];
        most = n > most ? n : most;
    }
    return most;
}

static void add_block(builder *b, int block)
{
    const int64_t n = most_blocks(b, block);
    p3d_workload list;

    if (n == 0)
        return;
    p3d_workload_build(&b->problem->model, &b->problem->job,
            p3d_plan_shard(b->plan), block, &list);
    for (int i = 0; i < list.n_ops; i++)
        add_op(b, &list, i, n * b->n_micro_batches);
}

/* Gradients and weights of the replicas: a bucket of the gradients, or with
 * ZeRO 3 the mean layer. */
static void add_replicas(
        builder *b, int64_t params, int64_t all, p3d_axis whole, p3d_axis shard)
{
    const double replicas = cost_axis_of(b->plan, whole).n_ranks;
    const int64_t m = b->n_micro_batches;
    const double n_layers =
            ceil((double)b->problem->model.n_layers / b->plan->pp);
    const double bucket = fmax(BUCKET, BUCKET_PER_REPLICA * replicas);
    const double unit = b->plan->zero == 3 ? (double)params / n_layers
                                           : fmin((double)params, bucket);
    const double own = b->problem->job.framework->reduce_bytes;
    const double reduce = (own > 0 ? own : 4) * unit;
    const double gather = p3d_dtype_bytes(b->problem->job.dtype) *
                          (b->plan->zero == 3 ? (double)all / n_layers : unit);
    int64_t n;

    if (params == 0)
        return;
    n = (int64_t)ceil((double)params / unit);
    if (b->plan->zero == 0) {
        add_transfer(b,
                (transfer){"gradients", P3D_OP_ALL_REDUCE, whole, reduce, n});
        return;
    }
    add_transfer(b, (transfer){"gradients", P3D_OP_REDUCE_SCATTER, shard,
                            reduce, b->plan->zero >= 2 ? n * m : n});
    add_transfer(b, (transfer){"weights", P3D_OP_ALL_GATHER, shard, gather,
                            b->plan->zero == 3 ? 2 * n * m : n});
}

static void add_transfers(builder *b)
{
    add_replicas(
            b, b->trained.dense, b->params.dense, P3D_AXIS_DP, P3D_AXIS_SHARD);
    add_replicas(b, b->trained.experts, b->params.experts, P3D_AXIS_EXPERT_DP,
            P3D_AXIS_EXPERT_SHARD);
    add_transfer(b, (transfer){"between stages", P3D_OP_SEND_RECV, P3D_AXIS_PP,
                            cost_boundary_bytes(b->problem, b->plan),
                            2 * b->plan->vp * b->n_micro_batches});
}

/* What the framework's allocator hands out at the peak. */
static bool add_pieces(builder *b, int stage)
{
    p3d_memory_item *const items =
            malloc(P3D_MAX_MEMORY_ITEMS * sizeof(*items));
    int n;

    if (items == NULL)
        return false;
    n = p3d_estimate_items(b->problem, b->plan, stage, items);
    for (int i = 0; i < n; i++) {
        p3d_request_piece row = {
                .bytes = items[i].bytes, .count = items[i].n_tensors};

        if (items[i].term >= P3D_TERM_fragmentation || row.bytes < 1)
            continue;
        p3d_copy(row.name, sizeof(row.name), items[i].name);
        row.count = row.count > 0 ? row.count : 1;
        push(b, &b->out->piece, sizeof(row), &row);
    }
    free(items);
    return true;
}

/* Parameters of the rank that has the most. */
static p3d_params most_of(p3d_params a, p3d_params b)
{
    return (p3d_params){a.dense > b.dense ? a.dense : b.dense,
            a.experts > b.experts ? a.experts : b.experts};
}

static void find_params(builder *b)
{
    const cost_case of = {b->problem, b->plan, &b->blocks, &b->layout};

    for (int rank = 0; rank < b->plan->pp; rank++) {
        const cost_shared params = cost_rank_shared(&of, rank);

        b->params = most_of(b->params, params.all);
        b->trained = most_of(b->trained, params.trained);
    }
}

static void name_request(const builder *b, const p3d_estimate *estimate)
{
    p3d_request *const out = b->out;

    p3d_copy(out->schema, sizeof(out->schema), P3D_SCHEMA);
    p3d_copy(out->schema_version, sizeof(out->schema_version),
            P3D_SCHEMA_VERSION);
    p3d_copy(out->command, sizeof(out->command), "shapes");
    p3d_copy(out->model, sizeof(out->model), b->problem->model.name);
    p3d_copy(out->cluster, sizeof(out->cluster), b->problem->cluster.name);
    p3d_plan_print(b->plan, out->plan, sizeof(out->plan));
    out->n_gpus = b->problem->cluster.n_gpus;
    out->n_micro_batches = b->n_micro_batches;
    out->allocated_bytes = p3d_memory_allocated_bytes(&estimate->memory);
}

bool p3d_request_build(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_request *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(estimate) ||
            out == NULL)
        return p3d_misuse(err, __func__);

    p3d_request got = {0};
    builder b = {.problem = problem,
            .plan = &estimate->plan,
            .n_micro_batches = estimate->n_micro_batches,
            .out = &got};

    /* The estimate of another problem. */
    if (!cost_layout_build(problem, &estimate->plan, &b.layout))
        return p3d_misuse(err, __func__);
    p3d_blocks_build(problem, p3d_plan_shard(&estimate->plan), &b.blocks);
    find_params(&b);
    name_request(&b, estimate);
    for (int block = 0; block < P3D_N_ALL_BLOCKS; block++)
        add_block(&b, block);
    add_transfers(&b);
    if (!add_pieces(&b, estimate->tight_stage) || b.failed) {
        p3d_request_free(&got);
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    }
    *out = got;
    return true;
}
