/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fused_attention.c - the two passes of attention as graphs. */
#include <math.h>

#include "bench/device/fused_graph.h"

/* A graph with the shapes that its nodes have in common. */
typedef struct attention {
    bench_graph *g;
    const bench_fused_spec *spec;
    int64_t scores[4], scores_stride[4]; /* [batch, heads, q, kv] */
    int64_t column[4], column_stride[4]; /* [batch, heads, q, 1] */
} attention;

static const cudnnDataType_t FP32 = CUDNN_DATA_FLOAT;

static attention shapes_of(bench_graph *g, const bench_fused_spec *s)
{
    return (attention){.g = g,
            .spec = s,
            .scores = {s->batch, s->heads, s->seq_q, s->seq_kv},
            .scores_stride = {s->heads * s->seq_q * s->seq_kv,
                    s->seq_q * s->seq_kv, s->seq_kv, 1},
            .column = {s->batch, s->heads, s->seq_q, 1},
            .column_stride = {s->heads * s->seq_q, s->seq_q, 1, 1}};
}

/* A real tensor [batch, heads, tokens, size] that lies in memory as [batch,
 * tokens, heads, size]; transposed, its last two dimensions change places. */
static int add_heads(const attention *a, int64_t heads, int64_t seq,
        int64_t dim, bool transposed)
{
    const int64_t row = heads * dim;
    const int64_t plain[4] = {a->spec->batch, heads, seq, dim};
    const int64_t plain_stride[4] = {seq * row, dim, row, 1};
    const int64_t turned[4] = {a->spec->batch, heads, dim, seq};
    const int64_t turned_stride[4] = {seq * row, dim, 1, row};

    return bench_graph_add(a->g, a->spec->type, transposed ? turned : plain,
            transposed ? turned_stride : plain_stride, false);
}

static int add_scores(const attention *a, cudnnDataType_t type)
{
    return bench_graph_add(a->g, type, a->scores, a->scores_stride, true);
}

static int add_column(const attention *a, bool is_virtual)
{
    return bench_graph_add(a->g, FP32, a->column, a->column_stride, is_virtual);
}

static int apply(const attention *a, cudnnPointwiseMode_t mode, int x, int b)
{
    const int y = add_scores(a, FP32);

    bench_graph_pointwise(a->g, mode, FP32, (bench_operands){x, b, -1, y});
    return y;
}

/* Scores of tokens after the query's own become minus infinity. */
static int mask(const attention *a, int scores)
{
    const int infinity = bench_graph_scalar(a->g, -HUGE_VAL);
    const int row = add_scores(a, CUDNN_DATA_INT32);
    const int column = add_scores(a, CUDNN_DATA_INT32);
    const int seen = add_scores(a, CUDNN_DATA_BOOLEAN);
    const int masked = add_scores(a, FP32);

    bench_graph_index(a->g, 2, scores, row);
    bench_graph_index(a->g, 3, scores, column);
    bench_graph_pointwise(a->g, CUDNN_POINTWISE_CMP_GE, CUDNN_DATA_BOOLEAN,
            (bench_operands){row, column, -1, seen});
    bench_graph_pointwise(a->g, CUDNN_POINTWISE_BINARY_SELECT, FP32,
            (bench_operands){scores, infinity, seen, masked});
    return masked;
}

static int scale_of(const attention *a)
{
    return bench_graph_scalar(a->g, 1 / sqrtf((float)a->spec->qk_dim));
}

/* O = softmax(scale Q K') V, and the logarithm of each row's sum. */
static void build_forward(const attention *a)
{
    const bench_fused_spec *const s = a->spec;
    bench_graph *const g = a->g;
    const int q = add_heads(a, s->heads, s->seq_q, s->qk_dim, false);
    const int k = add_heads(a, s->kv_heads, s->seq_kv, s->qk_dim, true);
    const int v = add_heads(a, s->kv_heads, s->seq_kv, s->v_dim, false);
    const int o = add_heads(a, s->heads, s->seq_q, s->v_dim, false);
    const int stats = add_column(a, false);
    const int most = add_column(a, true);
    const int sum = add_column(a, true);
    const int log_sum = add_column(a, true);
    const int p = add_scores(a, s->type);
    int scores = add_scores(a, FP32);
    int powers;

    bench_graph_matmul(g, q, k, scores);
    scores = apply(a, CUDNN_POINTWISE_MUL, scores, scale_of(a));
    if (s->causal)
        scores = mask(a, scores);
    bench_graph_reduce(g, CUDNN_REDUCE_TENSOR_MAX, scores, most);
    powers = apply(a, CUDNN_POINTWISE_SUB, scores, most);
    powers = apply(a, CUDNN_POINTWISE_EXP, powers, -1);
    bench_graph_reduce(g, CUDNN_REDUCE_TENSOR_ADD, powers, sum);
    bench_graph_pointwise(g, CUDNN_POINTWISE_LOG, FP32,
            (bench_operands){sum, -1, -1, log_sum});
    bench_graph_pointwise(g, CUDNN_POINTWISE_ADD, FP32,
            (bench_operands){most, log_sum, -1, stats});
    bench_graph_pointwise(
            g, CUDNN_POINTWISE_DIV, FP32, (bench_operands){powers, sum, -1, p});
    bench_graph_matmul(g, p, v, o);
}

/* The transpose of a matrix of scores, in the type of the factors. */
static int transpose(const attention *a, int scores)
{
    const int64_t dim[4] = {
            a->scores[0], a->scores[1], a->scores[3], a->scores[2]};
    const int64_t stride[4] = {
            a->scores_stride[0], a->scores_stride[1], 1, a->scores_stride[2]};
    const int y = bench_graph_add(a->g, a->spec->type, dim, stride, true);

    bench_graph_reshape(a->g, scores, y);
    return y;
}

/* Gradient of keys or values: the sum over the heads of queries that share
 * them, where they do. */
static void add_gradient(
        const attention *a, int scores, int right, int64_t dim, int out)
{
    const bench_fused_spec *const s = a->spec;
    const int64_t all[4] = {s->batch, s->heads, s->seq_kv, dim};
    const int64_t stride[4] = {
            s->heads * s->seq_kv * dim, s->seq_kv * dim, dim, 1};
    const int turned = transpose(a, scores);
    int each;

    if (s->heads == s->kv_heads) {
        bench_graph_matmul(a->g, turned, right, out);
        return;
    }
    each = bench_graph_add(a->g, s->type, all, stride, true);
    bench_graph_matmul(a->g, turned, right, each);
    bench_graph_reduce(a->g, CUDNN_REDUCE_TENSOR_ADD, each, out);
}

/* The sum of dO O over each row. */
static int add_row_sums(const attention *a, int gradient, int output)
{
    const bench_fused_spec *const s = a->spec;
    const int64_t dim[4] = {s->batch, s->heads, s->seq_q, s->v_dim};
    const int64_t stride[4] = {s->heads * s->seq_q * s->v_dim,
            s->seq_q * s->v_dim, s->heads * s->v_dim, 1};
    const int product = bench_graph_add(a->g, FP32, dim, stride, true);
    const int sum = add_column(a, true);
    const int kept = add_column(a, false);

    bench_graph_pointwise(a->g, CUDNN_POINTWISE_MUL, FP32,
            (bench_operands){gradient, output, -1, product});
    bench_graph_reduce(a->g, CUDNN_REDUCE_TENSOR_ADD, product, sum);
    bench_graph_pointwise(a->g, CUDNN_POINTWISE_MUL, FP32,
            (bench_operands){sum, bench_graph_scalar(a->g, 1), -1, kept});
    return kept;
}

/* P = exp(scale Q K' - stats), from what the forward pass left. */
static int add_probabilities(const attention *a, int scale)
{
    int scores = add_scores(a, FP32);

    bench_graph_matmul(a->g, BENCH_Q, BENCH_K, scores);
    scores = apply(a, CUDNN_POINTWISE_MUL, scores, scale);
    scores = apply(a, CUDNN_POINTWISE_SUB, scores, BENCH_STATS);
    if (a->spec->causal)
        scores = mask(a, scores);
    return apply(a, CUDNN_POINTWISE_EXP, scores, -1);
}

/* dQ = dS K, added up in fp32. */
static void add_query_gradient(const attention *a, int d_scores)
{
    const bench_fused_spec *const s = a->spec;
    const int64_t row = s->kv_heads * s->qk_dim;
    const int64_t k_dim[4] = {s->batch, s->kv_heads, s->seq_kv, s->qk_dim};
    const int64_t k_stride[4] = {s->seq_kv * row, s->qk_dim, row, 1};
    const int64_t q_dim[4] = {s->batch, s->heads, s->seq_q, s->qk_dim};
    const int64_t q_stride[4] = {s->heads * s->seq_q * s->qk_dim,
            s->seq_q * s->qk_dim, s->qk_dim, 1};
    const int k = bench_graph_add(a->g, s->type, k_dim, k_stride, true);
    const int sum = bench_graph_add(a->g, FP32, q_dim, q_stride, false);

    bench_graph_reshape(a->g, BENCH_K, k);
    bench_graph_matmul(a->g, d_scores, k, sum);
    bench_graph_pointwise(a->g, CUDNN_POINTWISE_IDENTITY, FP32,
            (bench_operands){sum, -1, -1, BENCH_DQ});
}

/* dV = P' dO, dS = scale P (dO V' - sums), dQ = dS K, dK = dS' Q. */
static void build_backward(const attention *a)
{
    const bench_fused_spec *const s = a->spec;
    int sums, p, d_scores, scale;

    /* In the order of their places. */
    (void)add_heads(a, s->heads, s->seq_q, s->qk_dim, false);
    (void)add_heads(a, s->kv_heads, s->seq_kv, s->qk_dim, true);
    (void)add_heads(a, s->kv_heads, s->seq_kv, s->v_dim, true);
    (void)add_heads(a, s->heads, s->seq_q, s->v_dim, false);
    (void)add_column(a, false);
    (void)add_heads(a, s->heads, s->seq_q, s->v_dim, false);
    (void)add_heads(a, s->heads, s->seq_q, s->qk_dim, false);
    (void)add_heads(a, s->kv_heads, s->seq_kv, s->qk_dim, false);
    (void)add_heads(a, s->kv_heads, s->seq_kv, s->v_dim, false);
    scale = scale_of(a);
    sums = add_row_sums(a, BENCH_DO, BENCH_O);
    p = add_probabilities(a, scale);
    add_gradient(a, p, BENCH_DO, s->v_dim, BENCH_DV);
    d_scores = add_scores(a, FP32);
    bench_graph_matmul(a->g, BENCH_DO, BENCH_V, d_scores);
    d_scores = apply(a, CUDNN_POINTWISE_SUB, d_scores, sums);
    d_scores = apply(a, CUDNN_POINTWISE_MUL, d_scores, p);
    d_scores = apply(a, CUDNN_POINTWISE_MUL, d_scores, scale);
    add_gradient(a, d_scores, BENCH_Q, s->qk_dim, BENCH_DK);
    add_query_gradient(a, d_scores);
}

bool bench_fused_build(const bench_dnn *dnn, const bench_fused_spec *spec,
        bench_fused_device device, bench_graph *out, p3d_error *err)
{
    attention a;

    *out = (bench_graph){.dnn = dnn};
    a = shapes_of(out, spec);
    if (spec->backward)
        build_backward(&a);
    else
        build_forward(&a);
    bench_graph_plan(out, device);
    return !out->failed || p3d_fail(err, P3D_DEVICE, "%s", out->why);
}
