/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c - products and collectives of a trace as rows of measurements. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "exchange/trace/trace.h"

static const double NS = 1e-9;

/* A kernel with what it is a row of. */
typedef struct sample {
    trace_product product;
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

static int compare_messages(const trace_message *a, const trace_message *b)
{
    const int64_t keys[][2] = {{a->op, b->op}, {a->n_ranks, b->n_ranks},
            {a->n_nodes, b->n_nodes}, {a->bytes, b->bytes}};

    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return order(keys[i][0], keys[i][1]);
    return 0;
}

/* Equal rows beside each other, the fastest first. */
static int compare_samples(const void *a, const void *b)
{
    const sample *const x = a, *const y = b;
    int n = compare_products(&x->product, &y->product);

    if (n == 0)
        n = compare_messages(&x->message, &y->message);
    return n != 0 ? n : order(x->length_ns, y->length_ns);
}

static bool is_same_row(const sample *a, const sample *b)
{
    return compare_products(&a->product, &b->product) == 0 &&
           compare_messages(&a->message, &b->message) == 0;
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
    const bool waits = samples->message.n_ranks > 0;

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
static bool is_likely(const sample *s)
{
    const int64_t most = 1000000000;
    const trace_product *const p = &s->product;

    return p->m <= most && p->n <= most && p->k <= most && p->count <= most &&
           s->message.bytes <= most * most / 1000 &&
           s->message.n_ranks <= most / 100;
}

/* Does the trace say enough of a kernel? */
static bool take_sample(
        const trace_events *e, const trace_kernel *k, sample *out)
{
    const trace_op *const ops = e->ops.items;
    const trace_message *const messages = e->messages.items;

    *out = (sample){.length_ns = k->end_ns - k->start_ns, .op = k->op};
    if (out->length_ns <= 0)
        return false;
    if (k->message >= 0) {
        out->message = messages[k->message];
        return out->message.op >= 0 && out->message.bytes > 0 &&
               out->message.n_ranks > 1 && out->message.n_nodes > 0 &&
               is_likely(out);
    }
    if (k->kind != P3D_TRACED_GEMM || k->op < 0 || ops[k->op].message >= 0)
        return false;
    out->product = ops[k->op].product;
    if (out->product.layout < 0)
        out->product.layout = k->layout >= 0 ? k->layout : P3D_LAYOUT_FORWARD;
    if (out->product.dtype == P3D_NUMBER_FP32 && k->tf32)
        out->product.dtype = P3D_NUMBER_TF32;
    return out->product.dtype >= 0 && is_likely(out);
}

/* Kernels of one product, such as the parts of a split sum and what adds them,
 * are one sample. */
static bool joins(const sample *before, const sample *s)
{
    return s->op >= 0 && s->op == before->op && s->message.n_ranks == 0;
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
        for (end = i + 1; end < n && is_same_row(&samples[i], &samples[end]);)
            end++;
        ok = (samples[i].message.n_ranks > 0 ? add_collective : add_product)(
                &samples[i], end - i, out, err);
    }
    free(samples);
    return ok;
}
