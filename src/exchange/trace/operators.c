/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operators.c - operators of PyTorch as its profiler records them, with the
 * sizes, strides and values of what they were given: products and attention
 * cores. */
#include <string.h>

#include "base/util.h"
#include "exchange/trace/trace.h"

enum { MOST_SIZES = 5 };

json_slice trace_find(json_slice args, const char *name)
{
    json_walk walk = json_walk_into(args);
    json_slice key, value;

    while (json_walk_member(&walk, &key, &value))
        if (json_slice_is(key, name))
            return value;
    return (json_slice){"", 0};
}

json_slice trace_nth(json_slice list, int n)
{
    json_walk walk = json_walk_into(list);
    json_slice value;

    while (json_walk_element(&walk, &value))
        if (n-- == 0)
            return value;
    return (json_slice){"", 0};
}

/* Types of tensors, as the profiler and as NCCL's process groups name them.
 * Sources: pytorch/pytorch c10/core/ScalarType.h. */
static const struct {
    const char *word;
    int number; /* p3d_number; -1 = none that products are measured in */
    int bytes;
} types[] = {
        {"c10::BFloat16", P3D_NUMBER_BF16, 2},
        {"BFloat16", P3D_NUMBER_BF16, 2},
        {"c10::Half", P3D_NUMBER_FP16, 2},
        {"Half", P3D_NUMBER_FP16, 2},
        {"c10::Float8_e4m3fn", P3D_NUMBER_FP8, 1},
        {"Float8_e4m3fn", P3D_NUMBER_FP8, 1},
        {"float", P3D_NUMBER_FP32, 4},
        {"double", -1, 8},
        {"long", -1, 8},
        {"int", -1, 4},
        {"char", -1, 1},
        {"byte", -1, 1},
};

static int type_of(json_slice word)
{
    const json_slice inside = json_slice_inside(word);

    for (int i = 0; i < P3D_COUNT_OF(types); i++)
        if (json_slice_is(inside, types[i].word))
            return i;
    return -1;
}

int trace_type_bytes(json_slice word)
{
    const int type = type_of(word);

    return type >= 0 ? types[type].bytes : 0;
}

/* A tensor that an operator was given. */
typedef struct tensor {
    int n; /* dimensions; 0 = none, or not recorded */
    int64_t sizes[MOST_SIZES], strides[MOST_SIZES];
    bool has_strides;
    int type; /* place in `types`; -1 = unknown */
} tensor;

/* Sizes, or strides. @return how many; 0 = not recorded */
static int read_sizes(json_slice list, int64_t out[MOST_SIZES])
{
    json_walk walk = json_walk_into(list);
    json_slice value;
    int n = 0;

    while (n < MOST_SIZES && json_walk_element(&walk, &value)) {
        out[n] = json_slice_whole(value, 1, -1);
        if (out[n++] < 0)
            return 0;
    }
    return n < MOST_SIZES ? n : 0;
}

static tensor read_tensor(json_slice args, int place)
{
    tensor t = {.n = 0};

    t.n = read_sizes(trace_nth(trace_find(args, "Input Dims"), place), t.sizes);
    t.has_strides =
            t.n > 0 &&
            read_sizes(trace_nth(trace_find(args, "Input Strides"), place),
                    t.strides) == t.n;
    t.type = type_of(trace_nth(trace_find(args, "Input type"), place));
    return t;
}

/* Products. */

/* How the factors lie: A [m, k] by columns is that of a weight's gradient, and
 * B [k, n] by columns that of the forward pass. */
static int layout_of(const tensor *a, const tensor *b)
{
    const int last = a->n - 1;

    if (!a->has_strides || !b->has_strides)
        return -1;
    if (b->strides[last - 1] == 1 && b->strides[last] != 1)
        return P3D_LAYOUT_FORWARD;
    return a->strides[last - 1] == 1 && a->strides[last] != 1
                   ? P3D_LAYOUT_WGRAD
                   : P3D_LAYOUT_DGRAD;
}

static bool read_product(json_slice args, int first, trace_op *out)
{
    const tensor a = read_tensor(args, first), b = read_tensor(args, first + 1);
    const int n = a.n;
    trace_product *const p = &out->product;

    out->kind = TRACE_PRODUCT;
    if (n < 2 || n > 3 || b.n != n || a.sizes[n - 1] != b.sizes[n - 2] ||
            a.sizes[0] != (n == 3 ? b.sizes[0] : a.sizes[0]))
        return false;
    *p = (trace_product){.dtype = a.type >= 0 ? types[a.type].number : -1,
            .layout = layout_of(&a, &b),
            .m = a.sizes[n - 2],
            .n = b.sizes[n - 1],
            .k = a.sizes[n - 1],
            .count = n == 3 ? a.sizes[0] : 1};
    return p->m > 0 && p->n > 0 && p->k > 0 && p->count > 0;
}

/* Attention. */

/* Where an operator of cuDNN's attention has its inputs: queries, with keys and
 * values behind them; a bias, which is another kernel; dropout; causal.
 * Source: pytorch/pytorch aten/src/ATen/native/native_functions.yaml. */
typedef struct core_inputs {
    int query, bias, dropout, causal;
} core_inputs;

static const core_inputs forward_core = {0, 3, 5, 6};
static const core_inputs backward_core = {1, 8, 13, 14};

/* Tensors of four dimensions: batch, heads, tokens, size of a head. */
static bool read_core(json_slice args, int backward, trace_op *out)
{
    const core_inputs at = backward ? backward_core : forward_core;
    const json_slice values = trace_find(args, "Concrete Inputs");
    const json_slice causal = json_slice_inside(trace_nth(values, at.causal));
    const json_slice dropout = json_slice_inside(trace_nth(values, at.dropout));
    const tensor q = read_tensor(args, at.query);
    const tensor k = read_tensor(args, at.query + 1);
    const tensor v = read_tensor(args, at.query + 2);

    out->kind = TRACE_CORE;
    if (q.n != 4 || k.n != 4 || v.n != 4 || q.type < 0 ||
            read_tensor(args, at.bias).n > 0 ||
            json_slice_whole(dropout, 1000, -1) != 0 ||
            (!json_slice_is(causal, "true") && !json_slice_is(causal, "false")))
        return false;
    out->core = (trace_core){.dtype = types[q.type].number,
            .backward = backward,
            .causal = json_slice_is(causal, "true"),
            .batch = q.sizes[0],
            .heads = q.sizes[1],
            .kv_heads = k.sizes[1],
            .seq_q = q.sizes[2],
            .seq_kv = k.sizes[2],
            .qk_dim = q.sizes[3],
            .v_dim = v.sizes[3]};
    return k.sizes[0] == q.sizes[0] && k.sizes[3] == q.sizes[3] &&
           v.sizes[1] == k.sizes[1] && v.sizes[2] == k.sizes[2];
}

/* Operators, who reads them, and a number that says more: the place of the
 * first factor, whether it is a backward pass. Passes over tensors have no
 * rows: they often find what they read in the L2 cache. */
static const struct {
    const char *name;
    bool (*read)(json_slice args, int more, trace_op *out);
    int more;
} operators[] = {
        {"aten::mm", read_product, 0},
        {"aten::addmm", read_product, 1},
        {"aten::bmm", read_product, 0},
        {"aten::baddbmm", read_product, 1},
        {"aten::_scaled_mm", read_product, 0},
        {"aten::_scaled_dot_product_cudnn_attention", read_core, false},
        {"aten::_scaled_dot_product_cudnn_attention_backward", read_core, true},
};

bool trace_read_op(json_slice name, json_slice args, trace_op *out)
{
    for (int i = 0; i < P3D_COUNT_OF(operators); i++)
        if (json_slice_is(name, operators[i].name))
            return operators[i].read(args, operators[i].more, out);
    return false;
}
