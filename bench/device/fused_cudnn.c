/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fused_cudnn.c - runs cuDNN's fused attention on the device. */
#include <stdlib.h>

#include "bench/device/attention.h"
#include "bench/device/fused_graph.h"
#include "bench/device/kernels.h"

/* Buffers that the runs use in turn are so many times the cache, and take so
 * much of the free memory at most; those of the backward pass are about three
 * times those of the forward one. */
static const double CACHE_FACTOR = 3;
static const double MEMORY_FRAC = 0.25;

enum { SETS = BENCH_GRAPH_SETS, N_SHARED = BENCH_STATS + 1 };

/* Both passes: the backward one needs what the forward one leaves. */
struct bench_fused {
    const bench_device *device;
    bench_attention_spec spec;
    bool backward;
    bench_dnn dnn;
    cudnnHandle_t handle;
    bench_graph passes[2];
    void *workspaces[2];
    int n_sets;
    void *shared[SETS][N_SHARED]; /* data that both passes use */
    void *owned[2 + 2 * SETS * BENCH_GRAPH_TENSORS];
    int n_owned;
};

int64_t bench_fused_version(void)
{
    bench_dnn dnn;
    int64_t version;

    if (!bench_dnn_open(&dnn, NULL))
        return 0;
    version = (int64_t)dnn.version();
    bench_dnn_close(&dnn);
    return version;
}

static bench_fused_spec spec_of(const bench_attention_spec *s, bool backward)
{
    return (bench_fused_spec){.type = s->dtype == P3D_NUMBER_FP16
                                              ? CUDNN_DATA_HALF
                                              : CUDNN_DATA_BFLOAT16,
            .backward = backward,
            .causal = s->causal,
            .batch = s->batch,
            .heads = s->heads,
            .kv_heads = s->kv_heads,
            .seq_q = s->seq_q,
            .seq_kv = s->seq_kv,
            .qk_dim = s->qk_dim,
            .v_dim = s->v_dim};
}

static bool own(bench_fused *f, int64_t bytes, void **out, p3d_error *err)
{
    if (!bench_device_allocate(out, bytes, "attention", err))
        return false;
    f->owned[f->n_owned++] = *out;
    return true;
}

/* As many sets of a pass's tensors as outgrow the cache, and fit. */
static bool count_sets(bench_fused *f, p3d_error *err)
{
    const bench_graph *const g = &f->passes[0];
    const double wanted = CACHE_FACTOR * (double)f->device->l2_bytes;
    int64_t free_bytes = 0;
    double bytes = 1;

    if (!bench_device_free_bytes(&free_bytes, err))
        return false;
    for (int i = 0; i < g->n_tensors; i++)
        bytes += g->tensors[i].by_value ? 0 : (double)g->tensors[i].bytes;
    f->n_sets = wanted / bytes < SETS - 1 ? 1 + (int)(wanted / bytes) : SETS;
    while (f->n_sets > 1 &&
            f->n_sets * bytes > MEMORY_FRAC * (double)free_bytes)
        f->n_sets--;
    return true;
}

/* Data of the tensors of one pass; those of the forward pass are shared. */
static bool make_data(bench_fused *f, int pass, int set, p3d_error *err)
{
    bench_graph *const g = &f->passes[pass];

    for (int i = 0; i < g->n_tensors; i++) {
        bench_graph_tensor *const t = &g->tensors[i];

        if (t->bytes == 0 || t->by_value)
            continue;
        if (pass == 1 && i < N_SHARED)
            t->data = f->shared[set][i];
        else if (!own(f, t->bytes, &t->data, err))
            return false;
        if (pass == 0 && i < N_SHARED)
            f->shared[set][i] = t->data;
    }
    return true;
}

static bool fill(
        bench_fused *f, const bench_graph *g, int tensor, p3d_error *err)
{
    const bench_graph_tensor *const t = &g->tensors[tensor];

    return bench_cuda(bench_fill(t->data, f->spec.dtype, t->bytes / 2,
                              (uint64_t)tensor << 40, f->device->stream),
            "filling", err);
}

static bool run_pass(bench_fused *f, int pass, int set, p3d_error *err)
{
    return f->dnn.execute(f->handle, f->passes[pass].plan,
                   f->passes[pass].packs[set]) == CUDNN_STATUS_SUCCESS ||
           p3d_fail(err, P3D_DEVICE, "cuDNN cannot run its attention kernel");
}

static bool fill_pass(bench_fused *f, int pass, p3d_error *err)
{
    const bench_graph *const g = &f->passes[pass];

    if (pass == 1)
        return fill(f, g, BENCH_DO, err);
    return fill(f, g, BENCH_Q, err) && fill(f, g, BENCH_K, err) &&
           fill(f, g, BENCH_V, err);
}

/* The tensors keep the data of the first set, which is bound last: that one is
 * checked. */
static bool open_pass(bench_fused *f, int pass, p3d_error *err)
{
    const bench_fused_spec spec = spec_of(&f->spec, pass == 1);
    const bench_fused_device device = {.ordinal = f->device->ordinal};
    bench_graph *const g = &f->passes[pass];

    if (!bench_fused_build(&f->dnn, &spec, device, g, err) ||
            (pass == 0 && !count_sets(f, err)) ||
            (g->workspace_bytes > 0 &&
                    !own(f, g->workspace_bytes, &f->workspaces[pass], err)))
        return false;
    for (int set = f->n_sets - 1; set >= 0; set--)
        if (!make_data(f, pass, set, err) ||
                !bench_graph_bind(g, set, f->workspaces[pass], err) ||
                !fill_pass(f, pass, err) || !run_pass(f, pass, set, err))
            return false;
    return true;
}

static bool open_library(bench_fused *f, p3d_error *err)
{
    if (!bench_dnn_open(&f->dnn, err))
        return false;
    return (f->dnn.create(&f->handle) == CUDNN_STATUS_SUCCESS &&
                   f->dnn.set_stream(f->handle, f->device->stream) ==
                           CUDNN_STATUS_SUCCESS) ||
           p3d_fail(err, P3D_DEVICE, "cuDNN cannot be opened");
}

/* What the graphs do not say is left to the eager core. */
static const char *refusal(const bench_attention_spec *s)
{
    if (s->dtype != P3D_NUMBER_BF16 && s->dtype != P3D_NUMBER_FP16)
        return "cuDNN's attention takes bf16 and fp16";
    if (s->causal && s->seq_q != s->seq_kv)
        return "causal attention over more keys than queries";
    return NULL;
}

bool bench_fused_open(const bench_device *device,
        const bench_attention_spec *spec, bool backward, bench_fused **out,
        p3d_error *err)
{
    const char *const why = refusal(spec);
    bench_fused *f;
    bool ok;

    if (why != NULL)
        return p3d_fail(err, P3D_DEVICE, "%s", why);
    f = calloc(1, sizeof(*f));
    if (f == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    f->device = device;
    f->spec = *spec;
    f->backward = backward;
    ok = open_library(f, err) && open_pass(f, 0, err) &&
         (!backward || open_pass(f, 1, err)) &&
         bench_cuda(cudaStreamSynchronize(device->stream), "attention", err);
    if (!ok) {
        bench_fused_close(f);
        return false;
    }
    *out = f;
    return true;
}

void bench_fused_close(bench_fused *fused)
{
    if (fused == NULL)
        return;
    for (int pass = 0; pass < 2; pass++)
        bench_graph_free(&fused->passes[pass]);
    for (int i = 0; i < fused->n_owned; i++)
        cudaFree(fused->owned[i]);
    if (fused->handle != NULL)
        (void)fused->dnn.destroy(fused->handle);
    bench_dnn_close(&fused->dnn);
    free(fused);
}

bool bench_fused_run(
        void *fused, int64_t i, cudaStream_t stream, p3d_error *err)
{
    bench_fused *const f = fused;

    (void)stream; /* the handle has it */
    return run_pass(f, f->backward ? 1 : 0, (int)(i % f->n_sets), err);
}

enum { N_CHECKED = 64 };

/* Over the root of the sum of squared terms, about the size of an entry:
 * probabilities and results are rounded to 8 bits. A wrong mask or scale is off
 * by about 1. */
static const double TOLERANCE = 1.0 / 16;

static bool compare(bench_fused *f, bench_core_result which, double *on_device,
        double *most, p3d_error *err)
{
    static const int tensor_of[] = {[BENCH_RESULT_O] = BENCH_O,
            [BENCH_RESULT_DV] = BENCH_DV,
            [BENCH_RESULT_DQ] = BENCH_DQ,
            [BENCH_RESULT_DK] = BENCH_DK};
    const bench_graph *const g = &f->passes[f->backward ? 1 : 0];
    const bench_attention_spec *const s = &f->spec;
    const bench_core core = {.q = g->tensors[BENCH_Q].data,
            .k = g->tensors[BENCH_K].data,
            .v = g->tensors[BENCH_V].data,
            .o = g->tensors[BENCH_O].data,
            .d_o = f->backward ? g->tensors[BENCH_DO].data : NULL,
            .result = g->tensors[tensor_of[which]].data,
            .stats = g->tensors[BENCH_STATS].data,
            .dtype = s->dtype,
            .causal = s->causal,
            .batch = s->batch,
            .heads = s->heads,
            .kv_heads = s->kv_heads,
            .seq_q = s->seq_q,
            .seq_kv = s->seq_kv,
            .qk_dim = s->qk_dim,
            .v_dim = s->v_dim};
    cudaStream_t const stream = f->device->stream;
    double errors[N_CHECKED];

    if (!bench_cuda(
                bench_check_core(&core, which, N_CHECKED, on_device, stream),
                "checking", err) ||
            !bench_cuda(cudaMemcpyAsync(errors, on_device, sizeof(errors),
                                cudaMemcpyDeviceToHost, stream),
                    "checking", err) ||
            !bench_cuda(cudaStreamSynchronize(stream), "checking", err))
        return false;
    for (int i = 0; i < N_CHECKED; i++)
        *most = errors[i] > *most || errors[i] != errors[i] ? errors[i] : *most;
    return *most <= TOLERANCE ||
           p3d_fail(err, P3D_DEVICE,
                   "attention is wrong by %g of its size; the "
                   "device or the library is broken",
                   *most);
}

bool bench_fused_check(
        bench_fused *fused, p3d_attention_row *row, p3d_error *err)
{
    double *on_device = NULL;
    double most = 0;
    bool ok = bench_device_allocate((void **)&on_device,
            N_CHECKED * (int64_t)sizeof(double), "check", err);

    if (!fused->backward)
        ok = ok && compare(fused, BENCH_RESULT_O, on_device, &most, err);
    else
        ok = ok && compare(fused, BENCH_RESULT_DV, on_device, &most, err) &&
             compare(fused, BENCH_RESULT_DQ, on_device, &most, err) &&
             compare(fused, BENCH_RESULT_DK, on_device, &most, err);
    cudaFree(on_device);
    row->n_checked = (fused->backward ? 3 : 1) * N_CHECKED;
    row->error_frac = most;
    return ok;
}
