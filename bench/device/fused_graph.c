/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fused_graph.c - the two passes of attention as graphs of cuDNN, which finds a
 * kernel for them. */
#include "bench/device/fused_graph.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ISO C has no cast from an object to a function: the bytes are copied. */
static bool find(void *library, const char *name, void *call, size_t n)
{
    void *const symbol = library != NULL ? dlsym(library, name) : NULL;

    memcpy(call, &symbol, n);
    return symbol != NULL;
}

#define FIND(dnn, name, call) \
    find((dnn)->library, name, &(dnn)->call, sizeof((dnn)->call))

bool bench_dnn_open(bench_dnn *out, p3d_error *err)
{
    *out = (bench_dnn){.library = dlopen("libcudnn.so.9", RTLD_NOW)};
    if (out->library == NULL)
        out->library = dlopen("libcudnn.so", RTLD_NOW);
    if (!FIND(out, "cudnnGetVersion", version) ||
            !FIND(out, "cudnnCreate", create) ||
            !FIND(out, "cudnnDestroy", destroy) ||
            !FIND(out, "cudnnSetStream", set_stream) ||
            !FIND(out, "cudnnGetLastErrorString", last_error) ||
            !FIND(out, "cudnnBackendCreateDescriptor", make) ||
            !FIND(out, "cudnnBackendDestroyDescriptor", free) ||
            !FIND(out, "cudnnBackendSetAttribute", set) ||
            !FIND(out, "cudnnBackendGetAttribute", get) ||
            !FIND(out, "cudnnBackendFinalize", finalize) ||
            !FIND(out, "cudnnBackendExecute", execute)) {
        bench_dnn_close(out);
        return p3d_fail(err, P3D_DEVICE, "no libcudnn.so.9");
    }
    if (out->version() < BENCH_CUDNN_OLDEST) {
        bench_dnn_close(out);
        return p3d_fail(err, P3D_DEVICE, "cuDNN is older than 9.11");
    }
    return true;
}

void bench_dnn_close(bench_dnn *dnn)
{
    /* The library stays loaded: it keeps what it compiled. */
    *dnn = (bench_dnn){0};
}

/* Keep the first failure, in the library's words. */
static bool ok(bench_graph *g, cudnnStatus_t status, const char *what)
{
    char words[160] = "";

    if (status == CUDNN_STATUS_SUCCESS || g->failed)
        return !g->failed;
    g->failed = true;
    g->dnn->last_error(words, sizeof(words));
    snprintf(g->why, sizeof(g->why), "%s: cuDNN status %d %.120s", what,
            (int)status, words);
    return false;
}

/* A descriptor that is freed with the graph; NULL after a failure. */
static cudnnBackendDescriptor_t make(
        bench_graph *g, cudnnBackendDescriptorType_t type)
{
    cudnnBackendDescriptor_t made = NULL;

    if (g->n_all == BENCH_GRAPH_ALL)
        g->failed = true;
    if (g->failed || !ok(g, g->dnn->make(type, &made), "descriptor"))
        return NULL;
    g->all[g->n_all++] = made;
    return made;
}

/* What an attribute is set to. */
typedef struct values {
    cudnnBackendAttributeType_t type;
    int64_t n;
    const void *at;
} values;

static void set_all(bench_graph *g, cudnnBackendDescriptor_t d,
        cudnnBackendAttributeName_t name, values to)
{
    char what[48];

    snprintf(what, sizeof(what), "attribute %d", (int)name);
    if (!g->failed)
        (void)ok(g, g->dnn->set(d, name, to.type, to.n, to.at), what);
}

static void set(bench_graph *g, cudnnBackendDescriptor_t d,
        cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
        const void *value)
{
    set_all(g, d, name, (values){type, 1, value});
}

static void set_descriptor(bench_graph *g, cudnnBackendDescriptor_t d,
        cudnnBackendAttributeName_t name, cudnnBackendDescriptor_t value)
{
    set(g, d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, &value);
}

static void set_tensor(bench_graph *g, cudnnBackendDescriptor_t d,
        cudnnBackendAttributeName_t name, int tensor)
{
    set_descriptor(g, d, name, g->tensors[tensor].descriptor);
}

static void finalize(
        bench_graph *g, cudnnBackendDescriptor_t d, const char *what)
{
    if (!g->failed)
        (void)ok(g, g->dnn->finalize(d), what);
}

static void add_op(bench_graph *g, cudnnBackendDescriptor_t d, const char *what)
{
    finalize(g, d, what);
    if (g->n_ops == BENCH_GRAPH_OPS)
        g->failed = true;
    if (!g->failed)
        g->ops[g->n_ops++] = d;
}

static int64_t bytes_of(cudnnDataType_t type)
{
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_INT32 ? 4 : 2;
}

/* Where the numbers of a tensor are: in memory, nowhere but in the kernel, or
 * in the call. */
typedef enum home { REAL, VIRTUAL, BY_VALUE } home;

/* Identifiers are places in the graph counted from 1. */
static void describe_tensor(
        bench_graph *g, cudnnBackendDescriptor_t d, home where)
{
    const int64_t id = g->n_tensors + 1;
    const int64_t alignment = 16;
    const bool is_virtual = where == VIRTUAL;
    const bool by_value = where == BY_VALUE;

    set(g, d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, &id);
    set(g, d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, &alignment);
    set(g, d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, &is_virtual);
    set(g, d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, &by_value);
    finalize(g, d, "tensor");
}

static int add_tensor(bench_graph *g, cudnnDataType_t type,
        const int64_t dim[4], const int64_t stride[4], home where)
{
    const int64_t n = dim[0] * dim[1] * dim[2] * dim[3];
    bench_graph_tensor *const t = &g->tensors[g->n_tensors];
    cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR);

    if (g->n_tensors == BENCH_GRAPH_TENSORS)
        g->failed = true;
    if (g->failed)
        return 0;
    set(g, d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, &type);
    set_all(g, d, CUDNN_ATTR_TENSOR_DIMENSIONS,
            (values){CUDNN_TYPE_INT64, 4, dim});
    set_all(g, d, CUDNN_ATTR_TENSOR_STRIDES,
            (values){CUDNN_TYPE_INT64, 4, stride});
    describe_tensor(g, d, where);
    *t = (bench_graph_tensor){.descriptor = d,
            .by_value = where == BY_VALUE,
            .bytes = where == VIRTUAL ? 0 : bytes_of(type) * n};
    memcpy(t->dim, dim, sizeof(t->dim));
    return g->n_tensors++;
}

static int add_scalar(bench_graph *g, float value)
{
    static const int64_t one[4] = {1, 1, 1, 1};
    const int place = add_tensor(g, CUDNN_DATA_FLOAT, one, one, BY_VALUE);

    g->tensors[place].value = value;
    return place;
}

static const cudnnDataType_t FP32 = CUDNN_DATA_FLOAT;

static void add_matmul(bench_graph *g, int a, int b, int c)
{
    cudnnBackendDescriptor_t how = make(g, CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    cudnnBackendDescriptor_t op =
            make(g, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);

    set(g, how, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, &FP32);
    finalize(g, how, "product");
    set_tensor(g, op, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
    set_tensor(g, op, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    set_tensor(g, op, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
    set_descriptor(g, op, CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
    add_op(g, op, "product");
}

/* Tensors of an operation on each element: y of x and b or, with t, of
 * t ? x : b; b and t may be -1 = none. */
typedef struct operands {
    int x, b, t, y;
} operands;

static void add_pointwise(
        bench_graph *g, cudnnBackendDescriptor_t how, operands of)
{
    cudnnBackendDescriptor_t op =
            make(g, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);

    finalize(g, how, "pointwise");
    set_descriptor(g, op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    set_tensor(g, op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, of.x);
    set_tensor(g, op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, of.y);
    if (of.b >= 0)
        set_tensor(g, op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, of.b);
    if (of.t >= 0)
        set_tensor(g, op, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, of.t);
    add_op(g, op, "pointwise operation");
}

static void add_elementwise(bench_graph *g, cudnnPointwiseMode_t mode,
        cudnnDataType_t compute, operands of)
{
    cudnnBackendDescriptor_t how = make(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);

    set(g, how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, &mode);
    set(g, how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, &compute);
    add_pointwise(g, how, of);
}

static void add_index(bench_graph *g, int64_t axis, int x, int y)
{
    const cudnnPointwiseMode_t mode = CUDNN_POINTWISE_GEN_INDEX;
    cudnnBackendDescriptor_t how = make(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);

    set(g, how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, &mode);
    set(g, how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, &FP32);
    set(g, how, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, &axis);
    add_pointwise(g, how, (operands){x, -1, -1, y});
}

static void add_reduction(
        bench_graph *g, cudnnReduceTensorOp_t reduction, int x, int y)
{
    cudnnBackendDescriptor_t how = make(g, CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    cudnnBackendDescriptor_t op =
            make(g, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);

    set(g, how, CUDNN_ATTR_REDUCTION_OPERATOR,
            CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, &reduction);
    set(g, how, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, &FP32);
    finalize(g, how, "reduction");
    set_tensor(g, op, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
    set_tensor(g, op, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
    set_descriptor(g, op, CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
    add_op(g, op, "reduction");
}

static void add_reshape(bench_graph *g, int x, int y)
{
    cudnnBackendDescriptor_t op =
            make(g, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);

    set_tensor(g, op, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x);
    set_tensor(g, op, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y);
    add_op(g, op, "reshape");
}

static cudnnBackendDescriptor_t describe_device(
        bench_graph *g, bench_fused_device device)
{
    const int32_t number = device.ordinal;
    cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);

    if (device.json != NULL)
        set_all(g, d, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
                (values){CUDNN_TYPE_CHAR, (int64_t)strlen(device.json),
                        device.json});
    else
        set(g, d, CUDNN_ATTR_DEVICEPROP_DEVICE_ID, CUDNN_TYPE_INT32, &number);
    finalize(g, d, "device");
    return d;
}

enum { MOST_PROPOSALS = 8 };

/* Kernels that cuDNN's heuristic proposes, the best first. */
static int64_t propose(bench_graph *g, cudnnBackendDescriptor_t graph,
        cudnnBackendDescriptor_t device,
        cudnnBackendDescriptor_t proposals[MOST_PROPOSALS])
{
    const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_A;
    cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    int64_t n = 0;

    set_descriptor(g, d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    set_descriptor(g, d, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device);
    set(g, d, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, &mode);
    finalize(g, d, "heuristic");
    for (int i = 0; i < MOST_PROPOSALS; i++)
        proposals[i] = make(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    if (!g->failed)
        (void)ok(g,
                g->dnn->get(d, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                        CUDNN_TYPE_BACKEND_DESCRIPTOR, MOST_PROPOSALS, &n,
                        proposals),
                "heuristic");
    return g->failed ? 0 : n;
}

/* True when a proposal becomes a plan. */
static bool try_plan(bench_graph *g, cudnnBackendDescriptor_t device,
        cudnnBackendDescriptor_t proposal)
{
    cudnnBackendDescriptor_t d =
            make(g, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    int64_t n = 0;

    set_descriptor(g, d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, proposal);
    set_descriptor(g, d, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device);
    if (g->failed || g->dnn->finalize(d) != CUDNN_STATUS_SUCCESS)
        return false;
    g->plan = d;
    return ok(g,
            g->dnn->get(d, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                    CUDNN_TYPE_INT64, 1, &n, &g->workspace_bytes),
            "plan");
}

/* Find a kernel and finalize the plan. */
static void find_plan(bench_graph *g, bench_fused_device device)
{
    cudnnBackendDescriptor_t proposals[MOST_PROPOSALS];
    cudnnBackendDescriptor_t graph =
            make(g, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    cudnnBackendDescriptor_t on = describe_device(g, device);
    int64_t n;

    set_all(g, graph, CUDNN_ATTR_OPERATIONGRAPH_OPS,
            (values){CUDNN_TYPE_BACKEND_DESCRIPTOR, g->n_ops, g->ops});
    finalize(g, graph, "graph");
    n = propose(g, graph, on, proposals);
    for (int64_t i = 0; i < n && g->plan == NULL && !g->failed; i++)
        (void)try_plan(g, on, proposals[i]);
    if (g->plan == NULL && !g->failed) {
        g->failed = true;
        g->dnn->last_error(g->why, sizeof(g->why));
    }
}

bool bench_graph_bind(
        bench_graph *graph, int number, void *workspace, p3d_error *err)
{
    bench_graph *const g = graph;
    int64_t ids[BENCH_GRAPH_TENSORS];
    void *data[BENCH_GRAPH_TENSORS];
    cudnnBackendDescriptor_t pack;
    int n = 0;

    for (int i = 0; i < g->n_tensors; i++) {
        bench_graph_tensor *const t = &g->tensors[i];

        if (t->bytes == 0)
            continue;
        ids[n] = i + 1;
        data[n++] = t->by_value ? (void *)&t->value : t->data;
    }
    pack = make(g, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    set_all(g, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS,
            (values){CUDNN_TYPE_INT64, n, ids});
    set_all(g, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS,
            (values){CUDNN_TYPE_VOID_PTR, n, data});
    set(g, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
            &workspace);
    finalize(g, pack, "data");
    g->packs[number] = pack;
    return !g->failed || p3d_fail(err, P3D_DEVICE, "%s", g->why);
}

void bench_graph_free(bench_graph *graph)
{
    for (int i = graph->n_all; i > 0; i--)
        (void)graph->dnn->free(graph->all[i - 1]);
    *graph = (bench_graph){0};
}

/* A graph with the shapes that its nodes have in common. */
typedef struct attention {
    bench_graph *g;
    const bench_fused_spec *spec;
    int64_t scores[4], scores_stride[4]; /* [batch, heads, q, kv] */
    int64_t column[4], column_stride[4]; /* [batch, heads, q, 1] */
} attention;

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

    return add_tensor(a->g, a->spec->type, transposed ? turned : plain,
            transposed ? turned_stride : plain_stride, REAL);
}

static int add_scores(const attention *a, cudnnDataType_t type)
{
    return add_tensor(a->g, type, a->scores, a->scores_stride, VIRTUAL);
}

static int add_column(const attention *a, bool is_virtual)
{
    return add_tensor(a->g, FP32, a->column, a->column_stride,
            is_virtual ? VIRTUAL : REAL);
}

static int apply(const attention *a, cudnnPointwiseMode_t mode, int x, int b)
{
    const int y = add_scores(a, FP32);

    add_elementwise(a->g, mode, FP32, (operands){x, b, -1, y});
    return y;
}

/* Scores of tokens after the query's own become minus infinity. */
static int mask(const attention *a, int scores)
{
    const int infinity = add_scalar(a->g, -HUGE_VAL);
    const int row = add_scores(a, CUDNN_DATA_INT32);
    const int column = add_scores(a, CUDNN_DATA_INT32);
    const int seen = add_scores(a, CUDNN_DATA_BOOLEAN);
    const int masked = add_scores(a, FP32);

    add_index(a->g, 2, scores, row);
    add_index(a->g, 3, scores, column);
    add_elementwise(a->g, CUDNN_POINTWISE_CMP_GE, CUDNN_DATA_BOOLEAN,
            (operands){row, column, -1, seen});
    add_elementwise(a->g, CUDNN_POINTWISE_BINARY_SELECT, FP32,
            (operands){scores, infinity, seen, masked});
    return masked;
}

static int scale_of(const attention *a)
{
    return add_scalar(a->g, 1 / sqrtf((float)a->spec->qk_dim));
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

    add_matmul(g, q, k, scores);
    scores = apply(a, CUDNN_POINTWISE_MUL, scores, scale_of(a));
    if (s->causal)
        scores = mask(a, scores);
    add_reduction(g, CUDNN_REDUCE_TENSOR_MAX, scores, most);
    powers = apply(a, CUDNN_POINTWISE_SUB, scores, most);
    powers = apply(a, CUDNN_POINTWISE_EXP, powers, -1);
    add_reduction(g, CUDNN_REDUCE_TENSOR_ADD, powers, sum);
    add_elementwise(
            g, CUDNN_POINTWISE_LOG, FP32, (operands){sum, -1, -1, log_sum});
    add_elementwise(
            g, CUDNN_POINTWISE_ADD, FP32, (operands){most, log_sum, -1, stats});
    add_elementwise(
            g, CUDNN_POINTWISE_DIV, FP32, (operands){powers, sum, -1, p});
    add_matmul(g, p, v, o);
}

/* The transpose of a matrix of scores, in the type of the factors. */
static int transpose(const attention *a, int scores)
{
    const int64_t dim[4] = {
            a->scores[0], a->scores[1], a->scores[3], a->scores[2]};
    const int64_t stride[4] = {
            a->scores_stride[0], a->scores_stride[1], 1, a->scores_stride[2]};
    const int y = add_tensor(a->g, a->spec->type, dim, stride, VIRTUAL);

    add_reshape(a->g, scores, y);
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
        add_matmul(a->g, turned, right, out);
        return;
    }
    each = add_tensor(a->g, s->type, all, stride, VIRTUAL);
    add_matmul(a->g, turned, right, each);
    add_reduction(a->g, CUDNN_REDUCE_TENSOR_ADD, each, out);
}

/* The sum of dO O over each row. */
static int add_row_sums(const attention *a, int gradient, int output)
{
    const bench_fused_spec *const s = a->spec;
    const int64_t dim[4] = {s->batch, s->heads, s->seq_q, s->v_dim};
    const int64_t stride[4] = {s->heads * s->seq_q * s->v_dim,
            s->seq_q * s->v_dim, s->heads * s->v_dim, 1};
    const int product = add_tensor(a->g, FP32, dim, stride, VIRTUAL);
    const int sum = add_column(a, true);
    const int kept = add_column(a, false);

    add_elementwise(a->g, CUDNN_POINTWISE_MUL, FP32,
            (operands){gradient, output, -1, product});
    add_reduction(a->g, CUDNN_REDUCE_TENSOR_ADD, product, sum);
    add_elementwise(a->g, CUDNN_POINTWISE_MUL, FP32,
            (operands){sum, add_scalar(a->g, 1), -1, kept});
    return kept;
}

/* P = exp(scale Q K' - stats), from what the forward pass left. */
static int add_probabilities(const attention *a, int scale)
{
    int scores = add_scores(a, FP32);

    add_matmul(a->g, BENCH_Q, BENCH_K, scores);
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
    const int k = add_tensor(a->g, s->type, k_dim, k_stride, VIRTUAL);
    const int sum = add_tensor(a->g, FP32, q_dim, q_stride, REAL);

    add_reshape(a->g, BENCH_K, k);
    add_matmul(a->g, d_scores, k, sum);
    add_elementwise(a->g, CUDNN_POINTWISE_IDENTITY, FP32,
            (operands){sum, -1, -1, BENCH_DQ});
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
    add_matmul(a->g, BENCH_DO, BENCH_V, d_scores);
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
    find_plan(out, device);
    return !out->failed || p3d_fail(err, P3D_DEVICE, "%s", out->why);
}
