/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c - what a trace has the sizes of, as rows of measurements: products,
 * attention cores and collectives. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "exchange/trace/trace.h"

static const double NS = 1e-9;

/* A kernel with what it is a row of. */
typedef struct sample {
    trace_op_kind kind; /* and the member that says it; the others are 0 */
    trace_product product;
    trace_core core;
    trace_message message;
    int64_t length_ns;
    int op; /* that asked for it; -1 = unknown */
} sample;

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_products(const trace_product *a, const trace_product *b)
{
    const int64_t keys[][2] = {{a->dtype, b->dtype}, {a->layout, b->layout},
            {a->m, b->m}, {a->n, b->n}, {a->k, b->k}, {a->count, b->count}};

    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return order(keys[i][0], keys[i][1]);
    return 0;
}

static int compare_cores(const trace_core *a, const trace_core *b)
{
    const int64_t keys[][2] = {{a->dtype, b->dtype}, {a->backward, b->backward},
            {a->causal, b->causal}, {a->batch, b->batch}, {a->heads, b->heads},
            {a->kv_heads, b->kv_heads}, {a->seq_q, b->seq_q},
            {a->seq_kv, b->seq_kv}, {a->qk_dim, b->qk_dim},
            {a->v_dim, b->v_dim}};

    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return order(keys[i][0], keys[i][1]);
    return 0;
}

static int compare_messages(const trace_message *a, const trace_message *b)
{
    const int64_t keys[][2] = {{a->op, b->op}, {a->n_ranks, b->n_ranks},
            {a->n_nodes, b->n_nodes}, {a->bytes, b->bytes}};

    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return order(keys[i][0], keys[i][1]);
    return 0;
}

static int compare_rows(const sample *a, const sample *b)
{
    if (a->kind != b->kind)
        return order(a->kind, b->kind);
    switch (a->kind) {
    case TRACE_MESSAGE: return compare_messages(&a->message, &b->message);
    case TRACE_PRODUCT: return compare_products(&a->product, &b->product);
    case TRACE_CORE: break;
    }
    return compare_cores(&a->core, &b->core);
}

/* Equal rows beside each other, the fastest first. */
static int compare_samples(const void *a, const void *b)
{
    const sample *const x = a, *const y = b;
    const int n = compare_rows(x, y);

    return n != 0 ? n : order(x->length_ns, y->length_ns);
}

/* A quantile of sorted samples. */
static double at_frac(const sample *samples, int n, int percent)
{
    return NS * (double)samples[(n - 1) * (int64_t)percent / 100].length_ns;
}

/* A collective waits for the slowest rank. What it takes itself is the time of
 * those for which nobody was waited: the fastest tenth. */
static p3d_timing timing_of(const sample *samples, int n)
{
    const bool waits = samples->kind == TRACE_MESSAGE;

    return (p3d_timing){.n_samples = n,
            .median_s = at_frac(samples, n, waits ? 10 : 50),
            .p10_s = at_frac(samples, n, 10),
            .p90_s = at_frac(samples, n, 90)};
}

/* Of a training, under the power limit: as a sustained product. */
static bool add_product(
        const sample *samples, int n, p3d_trace *out, p3d_error *err)
{
    const trace_product *const p = &samples->product;
    const p3d_gemm_row row = {.dtype = p->dtype,
            .layout = p->layout,
            .how = p->count > 1 ? P3D_GEMM_BATCHED : P3D_GEMM_SINGLE,
            .m = p->m,
            .n = p->n,
            .k = p->k,
            .count = p->count,
            .sustained = true,
            .timing = timing_of(samples, n)};

    return p3d_rows_add(&out->measured.gemm, sizeof(row), &row, err);
}

static bool add_core(
        const sample *samples, int n, p3d_trace *out, p3d_error *err)
{
    const trace_core *const c = &samples->core;
    const p3d_attention_row row = {.code = P3D_CODE_CUDNN,
            .dtype = c->dtype,
            .backward = c->backward,
            .causal = c->causal,
            .sustained = true,
            .batch = c->batch,
            .heads = c->heads,
            .kv_heads = c->kv_heads,
            .seq_q = c->seq_q,
            .seq_kv = c->seq_kv,
            .qk_dim = c->qk_dim,
            .v_dim = c->v_dim,
            .timing = timing_of(samples, n)};

    return p3d_rows_add(&out->measured.attention, sizeof(row), &row, err);
}

static bool add_collective(
        const sample *samples, int n, p3d_trace *out, p3d_error *err)
{
    const trace_message *const m = &samples->message;
    p3d_collective_row row = {.op = m->op,
            .axis = "all",
            .n_ranks = m->n_ranks,
            .n_nodes = m->n_nodes,
            .n_groups = 1,
            .bytes = m->bytes,
            .timing = timing_of(samples, n)};

    row.algbw_bytes_per_s = (double)m->bytes / row.timing.median_s;
    row.busbw_bytes_per_s = row.algbw_bytes_per_s *
                            p3d_bus_factor((p3d_measured_op)m->op, m->n_ranks);
    return p3d_rows_add(&out->measured.collective, sizeof(row), &row, err);
}

/* What a file of measurements holds at most; more is a damaged trace. */
static const int64_t MOST = 1000000000;

static bool take_message(
        const trace_events *e, const trace_kernel *k, sample *out)
{
    const trace_message *const m =
            (const trace_message *)e->messages.items + k->message;

    out->kind = TRACE_MESSAGE;
    out->message = *m;
    return m->op >= 0 && m->bytes > 0 && m->n_ranks > 1 && m->n_nodes > 0 &&
           m->bytes <= MOST * MOST / 1000 && m->n_ranks <= MOST / 100;
}

static bool take_product(const trace_kernel *k, const trace_op *op, sample *out)
{
    trace_product *const p = &out->product;

    *p = op->product;
    if (p->layout < 0)
        p->layout = k->layout >= 0 ? k->layout : P3D_LAYOUT_FORWARD;
    if (p->dtype == P3D_NUMBER_FP32 && k->tf32)
        p->dtype = P3D_NUMBER_TF32;
    return k->kind == P3D_TRACED_GEMM && p->dtype >= 0 && p->m <= MOST &&
           p->n <= MOST && p->k <= MOST && p->count <= MOST;
}

/* All kernels of the operator, whatever their names are. */
static bool take_core(const trace_op *op, sample *out)
{
    const trace_core *const c = &op->core;
    const int64_t sizes[] = {c->batch, c->heads, c->kv_heads, c->seq_q,
            c->seq_kv, c->qk_dim, c->v_dim};
    bool likely = c->dtype >= 0;

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++)
        likely = likely && sizes[i] > 0 && sizes[i] <= MOST;
    out->core = *c;
    return likely;
}

/* Does the trace say enough of a kernel? */
static bool take_sample(
        const trace_events *e, const trace_kernel *k, sample *out)
{
    const trace_op *const op =
            k->op >= 0 ? (const trace_op *)e->ops.items + k->op : NULL;

    *out = (sample){.length_ns = k->end_ns - k->start_ns, .op = k->op};
    if (out->length_ns <= 0)
        return false;
    if (k->message >= 0)
        return take_message(e, k, out);
    if (op == NULL || op->kind == TRACE_MESSAGE)
        return false;
    out->kind = op->kind;
    return op->kind == TRACE_PRODUCT ? take_product(k, op, out)
                                     : take_core(op, out);
}

/* Kernels of one operator, such as the parts of a split sum and what adds them,
 * are one sample. */
static bool joins(const sample *before, const sample *s)
{
    return s->op >= 0 && s->op == before->op && s->kind != TRACE_MESSAGE;
}

static int list_samples(const trace_events *e, sample *out)
{
    const trace_kernel *const kernels = e->kernels.items;
    int n = 0;

    for (int i = 0; i < e->kernels.n; i++) {
        if (!take_sample(e, &kernels[i], &out[n]))
            continue;
        if (n > 0 && joins(&out[n - 1], &out[n]))
            out[n - 1].length_ns += out[n].length_ns;
        else
            n++;
    }
    return n;
}

static bool add_row(
        const sample *samples, int n, p3d_trace *out, p3d_error *err)
{
    switch (samples->kind) {
    case TRACE_MESSAGE: return add_collective(samples, n, out, err);
    case TRACE_PRODUCT: return add_product(samples, n, out, err);
    case TRACE_CORE: break;
    }
    return add_core(samples, n, out, err);
}

bool trace_add_rows(const trace_events *events, p3d_trace *out, p3d_error *err)
{
    sample *const samples = calloc((size_t)events->kernels.n, sizeof(*samples));
    int n = 0;
    bool ok = samples != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok)
        n = list_samples(events, samples);
    if (n > 1)
        qsort(samples, (size_t)n, sizeof(*samples), compare_samples);
    for (int i = 0, end; ok && i < n; i = end) {
        for (end = i + 1;
                end < n && compare_rows(&samples[i], &samples[end]) == 0;)
            end++;
        ok = add_row(&samples[i], end - i, out, err);
    }
    free(samples);
    return ok;
}
