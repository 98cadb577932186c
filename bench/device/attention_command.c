/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attention_command.c - plan3d-bench attention: cores of a plan, or of common
 * sizes; fused, or from GEMMs and a softmax kernel. */
#include "base/util.h"
#include "bench/device/attention.h"
#include "bench/device/commands.h"
#include "bench/device/gemm.h"

/* The passes as products, with the softmax after the first (forward), or after
 * the second (backward). */
enum { SCORES, VALUES };
enum { D_VALUES, D_SCORES, D_QUERIES, D_KEYS };

/* The eager core; keys and values stand once for each head of queries, as
 * frameworks repeat them. */
typedef struct eager_core {
    bench_attention_spec spec;
    bool backward;
    bench_gemm products[4];
    int n_products;
    int64_t n_checked; /* entries of its products */
    double error_frac;
} eager_core;

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

static bool open_product(eager_core *e, const bench_device *device,
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
        eager_core *e, const bench_device *device, p3d_error *err)
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
        eager_core *e, const bench_device *device, p3d_error *err)
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

/* @param out  release with close_eager(), also after a failure */
static bool open_eager(const bench_device *device,
        const bench_attention_spec *spec, bool backward, eager_core *out,
        p3d_error *err)
{
    *out = (eager_core){.spec = *spec, .backward = backward};
    return backward ? open_backward(out, device, err)
                    : open_forward(out, device, err);
}

static void close_eager(eager_core *eager)
{
    for (int i = 0; i < eager->n_products; i++)
        bench_gemm_close(&eager->products[i]);
    eager->n_products = 0;
}

/* The stretch of a product's results that run i writes. */
static char *result_of(const bench_gemm *g, int64_t i)
{
    return g->c + i % g->n_sets * g->c_set;
}

/* The product whose results the softmax changes. */
static int before_softmax(const eager_core *e)
{
    return e->backward ? D_SCORES : SCORES;
}

static bool run_softmax(
        const eager_core *e, int64_t i, cudaStream_t stream, p3d_error *err)
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

/* A bench_run of it. */
static bool run_eager(
        void *eager, int64_t i, cudaStream_t stream, p3d_error *err)
{
    eager_core *const e = eager;

    for (int j = 0; j < e->n_products; j++) {
        if (!bench_gemm_run(&e->products[j], i, stream, err) ||
                (j == before_softmax(e) && !run_softmax(e, i, stream, err)))
            return false;
    }
    return true;
}

/* Sequences at 16,384 tokens in all, and common heads. */
static const bench_attention_spec common[] = {
        {0, true, 16, 32, 8, 1024, 1024, 128, 128},
        {0, true, 8, 32, 8, 2048, 2048, 128, 128},
        {0, true, 4, 32, 8, 4096, 4096, 128, 128},
        {0, true, 2, 32, 8, 8192, 8192, 128, 128},
        {0, true, 1, 32, 8, 16384, 16384, 128, 128},
        {0, true, 4, 32, 32, 4096, 4096, 64, 64},
        {0, true, 1, 8, 2, 8192, 8192, 128, 128},
        {0, false, 4, 16, 16, 4096, 4096, 128, 128},
};

static void add(bench_task *task, const p3d_attention_row *row)
{
    const double flop =
            2.0 * (row->causal ? 0.5 : 1) * (row->backward ? 2.5 : 1) *
            (double)row->batch * (double)row->heads * (double)row->seq_q *
            (double)row->seq_kv * (double)(row->qk_dim + row->v_dim);

    bench_add(task->record, &task->record->file.attention, sizeof(*row), row);
    bench_say("%-6s %-5s %-8s %3lld x %3lld/%-3lld heads %6lld tokens, %3lld "
              "%10.2f us %7.1f TFLOP/s",
            p3d_attention_code_words[row->code], p3d_number_words[row->dtype],
            row->backward ? "backward" : "forward", (long long)row->batch,
            (long long)row->heads, (long long)row->kv_heads,
            (long long)row->seq_kv, (long long)row->qk_dim,
            1e6 * row->timing.median_s, 1e-12 * flop / row->timing.median_s);
}

static bool skip(
        bench_task *task, const bench_attention_spec *spec, const char *why)
{
    bench_say("left out %lld sequences of %lld tokens: %s",
            (long long)spec->batch, (long long)spec->seq_kv, why);
    bench_note(task->record, "some attention cores were left out");
    return true;
}

/* @param missing  set, and no error, where cuDNN has no kernel for it */
static bool measure_fused(bench_task *task, const bench_attention_spec *spec,
        p3d_attention_row *row, bool *missing, p3d_error *err)
{
    bench_fused *fused = NULL;
    p3d_error cause = {0};
    bool ok =
            bench_fused_open(task->device, spec, row->backward, &fused, &cause);

    *missing = !ok && cause.code == P3D_DEVICE;
    if (*missing)
        bench_say("cuDNN: %.90s: measuring the eager core", cause.text);
    ok = ok && bench_fused_check(fused, row, &cause) &&
         bench_time((bench_work){task->device, bench_fused_run, fused},
                 task->args, &row->timing, &cause);
    bench_fused_close(fused);
    if (!ok && cause.code == P3D_DATA)
        return skip(task, spec, cause.text);
    if (ok) {
        row->code = P3D_CODE_CUDNN;
        add(task, row);
    } else if (!*missing) {
        *err = cause;
    }
    return ok;
}

static bool measure_eager(bench_task *task, const bench_attention_spec *spec,
        p3d_attention_row *row, p3d_error *err)
{
    eager_core eager;
    p3d_error cause = {0};
    bool ok = open_eager(task->device, spec, row->backward, &eager, &cause) &&
              bench_time((bench_work){task->device, run_eager, &eager},
                      task->args, &row->timing, &cause);

    row->n_checked = eager.n_checked;
    row->error_frac = eager.error_frac;
    close_eager(&eager);
    if (ok)
        add(task, row);
    else if (cause.code == P3D_DATA)
        ok = skip(task, spec, cause.text);
    else
        *err = cause;
    return ok;
}

/* Entries of the largest matrix of a core; beyond this none fits anywhere. */
static const double MOST_ENTRIES = 1e13;

static bool is_too_large(const bench_attention_spec *s)
{
    const double dim = (double)(s->qk_dim > s->v_dim ? s->qk_dim : s->v_dim);
    const double seq = (double)(s->seq_q > s->seq_kv ? s->seq_q : s->seq_kv);
    const double heads =
            (double)(s->heads > s->kv_heads ? s->heads : s->kv_heads);

    return (double)s->batch * heads * seq * dim > MOST_ENTRIES ||
           s->heads % s->kv_heads != 0 || s->seq_kv < 1;
}

static bool measure(bench_task *task, const bench_attention_spec *spec,
        const char *name, bool backward, p3d_error *err)
{
    p3d_attention_row row = {.code = P3D_CODE_EAGER,
            .dtype = spec->dtype,
            .backward = backward,
            .causal = spec->causal,
            .batch = spec->batch,
            .heads = spec->heads,
            .kv_heads = spec->kv_heads,
            .seq_q = spec->seq_q,
            .seq_kv = spec->seq_kv,
            .qk_dim = spec->qk_dim,
            .v_dim = spec->v_dim};
    bool missing = false;

    p3d_copy(row.name, sizeof(row.name), name);
    if (measure_fused(task, spec, &row, &missing, err))
        return true;
    return missing && measure_eager(task, spec, &row, err);
}

static bool measure_request(bench_task *task, p3d_error *err)
{
    const p3d_rows *const rows = &task->request->attention;
    const p3d_request_attention *const items = rows->items;

    for (int i = 0; i < rows->n; i++) {
        const p3d_request_attention *const want = &items[i];
        /* Of a ring of context parallelism, one step. */
        const bench_attention_spec spec = {want->dtype, want->causal,
                want->batch, want->heads, want->kv_heads, want->seq_q,
                want->seq_kv / want->count, want->qk_dim, want->v_dim};

        if (want->window > 0 || want->dtype == P3D_NUMBER_FP8) {
            if (!skip(task, &spec, "neither windows nor fp8 are measured"))
                return false;
        } else if (is_too_large(&spec)) {
            if (!skip(task, &spec, "too large, or heads that do not divide"))
                return false;
        } else if (!measure(task, &spec, want->name, want->backward, err)) {
            return false;
        }
    }
    return true;
}

static bool measure_common(bench_task *task, int number, p3d_error *err)
{
    for (int i = 0; i < P3D_COUNT_OF(common); i++) {
        bench_attention_spec spec = common[i];

        spec.dtype = number;
        for (int backward = 0; backward < 2; backward++)
            if (!measure(task, &spec, "", backward == 1, err))
                return false;
    }
    return true;
}

bool bench_attention_command(bench_task *task, p3d_error *err)
{
    if (task->request != NULL)
        return measure_request(task, err);
    for (int number = 0; number < P3D_N_NUMBERS; number++) {
        /* In fp8 no attention is measured. */
        if ((task->args->numbers >> number & 1) != 0 &&
                number != P3D_NUMBER_FP8 && !measure_common(task, number, err))
            return false;
    }
    return true;
}
