/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_points.c - which rows of measurements a form is fitted to. */
#include "calibrate/calibrate_points.h"

/* Training sends no smaller messages, and they would outnumber the others;
 * bench/calibrate_published.c draws the same line. */
enum { LEAST_MESSAGE_BYTES = 65536 };

int calibrate_most_points(const p3d_measurements *file)
{
    return file->gemm.n + file->attention.n + file->pass.n + file->collective.n;
}

static bool is_16_bit(int number)
{
    return number == P3D_NUMBER_BF16 || number == P3D_NUMBER_FP16;
}

/* Plain products in short bursts, as the form describes them. */
static int products(const p3d_rows *rows, bool fp8, p3d_measured_kernel *out)
{
    const p3d_gemm_row *const row = rows->items;
    int n = 0;

    for (int i = 0; i < rows->n; i++) {
        const p3d_gemm_row *const r = &row[i];

        if (r->how == P3D_GEMM_LOOP || r->accumulate || r->sustained ||
                !(fp8 ? r->dtype == P3D_NUMBER_FP8 : is_16_bit(r->dtype)))
            continue;
        out[n] =
                (p3d_measured_kernel){.op = {.kind = P3D_OP_GEMM,
                                              .dtype = fp8 ? P3D_FP8 : P3D_BF16,
                                              .m = r->m,
                                              .n = r->n,
                                              .k = r->k,
                                              .count = r->count},
                        .time_s = r->timing.median_s};
        n++;
    }
    return n;
}

static int cores(const p3d_rows *rows, bool backward, p3d_measured_kernel *out)
{
    const p3d_attention_row *const row = rows->items;
    int n = 0;

    for (int i = 0; i < rows->n; i++) {
        const p3d_attention_row *const r = &row[i];

        if (r->code != P3D_CODE_CUDNN || r->backward != backward ||
                !is_16_bit(r->dtype))
            continue;
        out[n] = (p3d_measured_kernel){
                .op = {.kind = P3D_OP_ATTENTION,
                        .phase = backward ? P3D_BACKWARD : P3D_FORWARD,
                        .kernel = P3D_FLASH_2, /* where p3d_fit_attention()
                                                  looks */
                        .not_causal = !r->causal,
                        .count = 1,
                        .batch = r->batch,
                        .heads = r->heads,
                        .kv_heads = r->kv_heads,
                        .seq_q = r->seq_q,
                        .seq_kv = r->seq_kv,
                        .qk_dim = r->qk_dim,
                        .v_dim = r->v_dim},
                .time_s = r->timing.median_s};
        n++;
    }
    return n;
}

/* Kernels as training runs them: not the driver's own copy. */
static int passes(const p3d_rows *rows, p3d_measured_kernel *out)
{
    const p3d_pass_row *const row = rows->items;
    int n = 0;

    for (int i = 0; i < rows->n; i++) {
        if (row[i].kernel == P3D_KERNEL_COPY)
            continue;
        out[n] = (p3d_measured_kernel){.op = {.bytes = (double)row[i].bytes},
                .time_s = row[i].timing.median_s};
        n++;
    }
    return n;
}

static int collectives(
        const p3d_rows *rows, p3d_measured_op op, p3d_measured_kernel *out)
{
    const p3d_collective_row *const row = rows->items;
    int n = 0;

    for (int i = 0; i < rows->n; i++) {
        const p3d_collective_row *const r = &row[i];

        if (r->op != (int)op || r->n_nodes != 1 || r->n_ranks < 2 ||
                r->bytes < LEAST_MESSAGE_BYTES)
            continue;
        out[n] = (p3d_measured_kernel){.op = {.bytes = (double)r->bytes},
                .n_ranks = (int)r->n_ranks,
                .time_s = r->timing.median_s};
        n++;
    }
    return n;
}

int calibrate_points(const p3d_measurements *file, p3d_cost_form form,
        p3d_measured_kernel *out)
{
    switch (form) {
    case P3D_FORM_GEMM: return products(&file->gemm, false, out);
    case P3D_FORM_GEMM_FP8: return products(&file->gemm, true, out);
    case P3D_FORM_ATTENTION: return cores(&file->attention, false, out);
    case P3D_FORM_ATTENTION_BACKWARD: return cores(&file->attention, true, out);
    case P3D_FORM_PASS: return passes(&file->pass, out);
    case P3D_FORM_ALL_REDUCE:
        return collectives(&file->collective, P3D_OP_ALL_REDUCE, out);
    case P3D_FORM_ALL_GATHER:
        return collectives(&file->collective, P3D_OP_ALL_GATHER, out);
    case P3D_FORM_REDUCE_SCATTER:
        return collectives(&file->collective, P3D_OP_REDUCE_SCATTER, out);
    case P3D_FORM_ALL_TO_ALL:
        return collectives(&file->collective, P3D_OP_ALL_TO_ALL, out);
    case P3D_N_FORMS: break;
    }
    return 0;
}
