/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms_kernels.c - forms of kernels of one GPU: products, attention,
 * passes. */
#include <math.h>

#include "calibrate/forms.h"
#include "calibrate/passes.h"

/* Launches from a stream that runs on, without a framework's host time; as for
 * charts in bench/calibrate_published.c. */
static const double LONGEST_LAUNCH_S = 1.1e-5;

static bool is_16_bit(int number)
{
    return number == P3D_NUMBER_BF16 || number == P3D_NUMBER_FP16;
}

/* Plain products, as the form describes them. */
static bool take_plain(
        const p3d_gemm_row *r, p3d_cost_form form, p3d_measured_kernel *out)
{
    const bool fp8 = form == P3D_FORM_GEMM_FP8;

    if (r->how == P3D_GEMM_LOOP || r->accumulate ||
            !(fp8 ? r->dtype == P3D_NUMBER_FP8 : is_16_bit(r->dtype)))
        return false;
    *out = (p3d_measured_kernel){.op = {.kind = P3D_OP_GEMM,
                                         .dtype = fp8 ? P3D_FP8 : P3D_BF16,
                                         .m = r->m,
                                         .n = r->n,
                                         .k = r->k,
                                         .count = r->count},
            .time_s = r->timing.median_s};
    return true;
}

/* Those in short bursts. */
static bool take_product(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_gemm_row *const r = row;

    return !r->sustained && take_plain(r, form, out);
}

/* Those of a training, from a trace. */
static bool take_limited(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_gemm_row *const r = row;

    return r->sustained && take_plain(r, form, out);
}

static double predict_product_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    const p3d_op *const op = &point->op;

    (void)form;
    return cost_gemm_s(
            cluster, op->dtype, (cost_product){op->m, op->n, op->k, op->count});
}

static bool fit_products(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    p3d_gemm_fit *const fit = form == P3D_FORM_GEMM ? &w->constants->gemm
                                                    : &w->constants->gemm_fp8;
    p3d_gemm_fit found = fit->peak_frac > 0 ? *fit : w->constants->gemm;

    if (!p3d_fit_gemm(&w->points, found.tile_wave, &found, q, err))
        return false;
    if (w->limited) /* the limit is in the rate */
        found.sustained_frac = 1;
    *fit = found;
    return true;
}

static bool take_any_core(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_attention_row *const r = row;
    const bool backward = form == P3D_FORM_ATTENTION_BACKWARD;

    if (r->code != P3D_CODE_CUDNN || r->backward != backward ||
            !is_16_bit(r->dtype))
        return false;
    *out = (p3d_measured_kernel){
            .op = {.kind = P3D_OP_ATTENTION,
                    .phase = backward ? P3D_BACKWARD : P3D_FORWARD,
                    .kernel = P3D_FLASH_2, /* where p3d_fit_attention() looks */
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
    return true;
}

static bool take_core(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_attention_row *const r = row;

    return !r->sustained && take_any_core(row, form, out);
}

static bool take_limited_core(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_attention_row *const r = row;

    return r->sustained && take_any_core(row, form, out);
}

static double predict_core_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    p3d_op core = point->op;

    (void)form;
    core.kernel = P3D_CUDNN;
    return cost_attention_s(cluster, P3D_BF16, &core);
}

/* Where this kernel had no constants, its other pass begins as that of the
 * kernel that stood for it. What ran under the power limit had a higher rate
 * without. */
static bool fit_cores(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    const bool backward = form == P3D_FORM_ATTENTION_BACKWARD;
    p3d_attention_fit *const fit = &w->constants->attention[P3D_CUDNN];
    p3d_attention_fit found = *p3d_attention_fit_of(w->constants, P3D_CUDNN);
    p3d_attention_pass *const pass =
            backward ? &found.backward : &found.forward;
    const double limit =
            w->limited && found.sustained ? w->constants->sustained_frac : 1;

    if (!p3d_fit_attention(&w->points, LONGEST_LAUNCH_S, pass, q, err))
        return false;
    for (int i = 0; i < P3D_N_HEAD_SIZES; i++)
        pass->peak_frac[i] = fmin(pass->peak_frac[i] / limit, 1);
    if (!backward || fit->error_frac <= 0)
        found.error_frac = fmax(q->held_error_frac, CALIBRATE_LEAST_ERROR_FRAC);
    *fit = found;
    return true;
}

/* Kernels as training runs them: not the driver's own copy. */
static bool take_pass(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_pass_row *const r = row;

    (void)form;
    *out = (p3d_measured_kernel){
            .op = {.bytes = (double)r->bytes,
                    .pass_kind = calibrate_pass_kind(r->kernel)},
            .time_s = r->timing.median_s};
    return r->kernel != P3D_KERNEL_COPY;
}

static double predict_pass_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    (void)form;
    return cost_pass_s(cluster, point->op.pass_kind, point->op.bytes, 1);
}

static bool fit_passes(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    p3d_pass_fit *const pass = &w->constants->pass;
    const double single_frac = pass->single_frac;

    (void)form;
    if (!p3d_fit_pass(&w->points, pass, q, err))
        return false;
    /* Vectors are copied, and say nothing of it. */
    pass->single_frac = fmin(single_frac, pass->hbm_frac);
    return true;
}

const calibrate_family calibrate_products = {
        .rows = offsetof(p3d_measurements, gemm),
        .row_size = sizeof(p3d_gemm_row),
        .take = take_product,
        .take_limited = take_limited,
        .predict_s = predict_product_s,
        .fit = fit_products};
const calibrate_family calibrate_cores = {
        .rows = offsetof(p3d_measurements, attention),
        .row_size = sizeof(p3d_attention_row),
        .take = take_core,
        .take_limited = take_limited_core,
        .predict_s = predict_core_s,
        .fit = fit_cores};
const calibrate_family calibrate_passes = CALIBRATE_FAMILY(
        pass, p3d_pass_row, take_pass, predict_pass_s, fit_passes);
