/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eager.c - attention from matrix products and a softmax kernel. */
#include "bench/device/attention.h"

#include "base/util.h"

/* The passes as products, with the softmax after the first (forward), or after
 * the second (backward). */
enum { SCORES, VALUES };
enum { D_VALUES, D_SCORES, D_QUERIES, D_KEYS };

static bench_gemm_spec product(const bench_attention_spec *s, int layout,
        int64_t m, int64_t n, int64_t k)
{
    return (bench_gemm_spec){.dtype = s->dtype,
            .layout = layout,
            .how = P3D_GEMM_BATCHED,
            .m = m,
            .n = n,
            .k = k,
            .count = s->batch * s->heads};
}

static bool open_product(bench_eager *e, const bench_device *device,
        bench_gemm_spec spec, p3d_error *err)
{
    bench_gemm *const g = &e->products[e->n_products++];
    p3d_gemm_row checked;

    if (!bench_gemm_open(device, &spec, g, err) ||
            !bench_gemm_check(g, &checked, err))
        return false;
    e->n_checked += checked.n_checked;
    if (checked.error_frac > e->error_frac)
        e->error_frac = checked.error_frac;
    return true;
}

/* S = Q K', O = P V. */
static bool open_forward(
        bench_eager *e, const bench_device *device, p3d_error *err)
{
    const bench_attention_spec *const s = &e->spec;

    return open_product(e, device,
                   product(s, P3D_LAYOUT_FORWARD, s->seq_q, s->seq_kv,
                           s->qk_dim),
                   err) &&
           open_product(e, device,
                   product(s, P3D_LAYOUT_DGRAD, s->seq_q, s->v_dim, s->seq_kv),
                   err);
}

/* dV = P' dO, dP = dO V', dQ = dS K, dK = dS' Q. */
static bool open_backward(
        bench_eager *e, const bench_device *device, p3d_error *err)
{
    const bench_attention_spec *const s = &e->spec;

    return open_product(e, device,
                   product(s, P3D_LAYOUT_WGRAD, s->seq_kv, s->v_dim, s->seq_q),
                   err) &&
           open_product(e, device,
                   product(s, P3D_LAYOUT_FORWARD, s->seq_q, s->seq_kv,
                           s->v_dim),
                   err) &&
           open_product(e, device,
                   product(s, P3D_LAYOUT_DGRAD, s->seq_q, s->qk_dim, s->seq_kv),
                   err) &&
           open_product(e, device,
                   product(s, P3D_LAYOUT_WGRAD, s->seq_kv, s->qk_dim, s->seq_q),
                   err);
}

bool bench_eager_open(const bench_device *device,
        const bench_attention_spec *spec, bool backward, bench_eager *out,
        p3d_error *err)
{
    *out = (bench_eager){.spec = *spec, .backward = backward};
    return backward ? open_backward(out, device, err)
                    : open_forward(out, device, err);
}

void bench_eager_close(bench_eager *eager)
{
    for (int i = 0; i < eager->n_products; i++)
        bench_gemm_close(&eager->products[i]);
    eager->n_products = 0;
}

/* The stretch of a product's results that run i writes. */
static char *result_of(const bench_gemm *g, int64_t i)
{
    return g->c + i % g->n_sets * g->spec.count * g->c_bytes;
}

/* The product whose results the softmax changes. */
static int before_softmax(const bench_eager *e)
{
    return e->backward ? D_SCORES : SCORES;
}

static bool run_softmax(
        const bench_eager *e, int64_t i, cudaStream_t stream, p3d_error *err)
{
    const bench_attention_spec *const s = &e->spec;
    const bench_gemm *const before = &e->products[before_softmax(e)];
    const bench_score_rows rows = {.data = result_of(before, i),
            .dtype = s->dtype,
            .n = s->batch * s->heads * s->seq_q,
            .width = (int)s->seq_kv,
            .seq = (int)s->seq_q,
            .causal = s->causal};

    /* The probabilities are the first factor of dV's product. */
    return bench_cuda(e->backward
                              ? bench_softmax_backward(
                                        e->products[D_VALUES].a, rows, stream)
                              : bench_softmax(rows, stream),
            "softmax", err);
}

bool bench_eager_run(
        void *eager, int64_t i, cudaStream_t stream, p3d_error *err)
{
    bench_eager *const e = eager;

    for (int j = 0; j < e->n_products; j++) {
        if (!bench_gemm_run(&e->products[j], i, stream, err) ||
                (j == before_softmax(e) && !run_softmax(e, i, stream, err)))
            return false;
    }
    return true;
}
