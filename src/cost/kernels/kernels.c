/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.c - seconds of kernels: GEMMs from their shape, fused
 * attention, passes over memory. */
#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "cost/cost.h"

/* How sharply the power limit takes over from the burst rate: with this power
 * the two meet within 7 % at the corner and agree elsewhere. */
static const double SUSTAINED_NORM = 10.0;

/* Of a product that is added to sums in memory: how much of reading and writing
 * these shows beside its arithmetic.
 * Source: gradients of weights added to fp32 sums ("NT, accumulate, fp32")
 * against the mean of the two other products of the same weight, in
 * MooreThreads/SimuMax@4dcaae5 configs/system (cuBLAS under Transformer
 * Engine). 40 weights of a100_pcie.json of 2e11 operations and more choose
 * 0.46, 114 of b200_bf16_ceperm.json 0.50; the mean error goes from 4.5 to 1.2
 * % and from 8.8 to 6.2 %. Those of bench/measured (H100, H200) choose more. */
static const double SUMS_SERIAL_FRAC = 0.5;

/* Rate of half-precision products without tensor cores over that of fp32. */
static const double GENERAL_FRAC = 0.5;

/** (a^p + b^p)^(1/p) for a, b >= 0 without overflow. */
static double soft_max(double a, double b, double p)
{
    const double high = fmax(a, b);
    const double low = fmin(a, b);

    if (low <= 0)
        return high;
    return high * p3d_pow(1 + p3d_pow(low / high, p), 1 / p);
}

typedef struct gemm_tile {
    int m;
    int n;
} gemm_tile;

static const gemm_tile gemm_tiles[] = {{256, 128}, {128, 256}, {256, 64},
        {64, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}};

/** Relative rate of the main loop with a tile of this size. */
static double tile_rate(const p3d_gemm_fit *fit, gemm_tile tile)
{
    const int area = tile.m * tile.n;

    if (area >= 32768)
        return 1;
    if (area >= 16384)
        return fit->tile_128_frac;
    if (area >= 8192)
        return fit->tile_128_frac * fit->tile_64_frac;
    return fit->tile_128_frac * fit->tile_64_frac * fit->tile_64_frac;
}

/**
 * Seconds of the arithmetic with whole tiles in waves over the SMs.
 *
 *     w    = count ceil(m/bm) ceil(n/bn) split / SMs
 *     weff = w <= 1 ? 1 : q ceil(w) + (1 - q) w
 *     t    = min over tile, split:
 *            weff 2 bm bn (k/split + k0) / (ec P / SMs e_tile)
 *            + (split > 1: 8 split m n count / (em BW))
 *
 * Source: fitted form for compute capability 8.0; held-out error 3.9 % for
 * min(m, n, k) >= 1024 on ai-dynamo/aiconfigurator@095f58a5 gemm_perf tables.
 */
static double tile_wave_s(const p3d_gemm_fit *fit, const p3d_gpu *gpu,
        double peak, cost_product p)
{
    const double m = (double)p.m, n = (double)p.n, k = (double)p.k;
    const double count = (double)p.count;
    const double rate = fit->peak_frac * peak / gpu->n_sms;
    double best = HUGE_VAL;

    for (int i = 0; i < P3D_COUNT_OF(gemm_tiles); i++) {
        const double grid =
                count * ceil(m / gemm_tiles[i].m) * ceil(n / gemm_tiles[i].n);
        const double flop = 2.0 * gemm_tiles[i].m * gemm_tiles[i].n;

        for (int split = 1; split <= 8; split *= 2) {
            const double w = grid * split / gpu->n_sms;
            const double waves =
                    w <= 1 ? 1 : fit->wave_q * ceil(w) + (1 - fit->wave_q) * w;
            double t = waves * flop * (k / split + fit->k_ramp) /
                       (rate * tile_rate(fit, gemm_tiles[i]));

            if (split > 1)
                t += 8.0 * split * m * n * count /
                     (fit->memory_frac * gpu->hbm_bytes_per_s);
            best = fmin(best, t);
            if (w > 4)
                break; /* enough tiles: splitting k only adds traffic */
        }
    }
    return best;
}

/**
 * Share of the usual rate for sizes that are no multiples of 8.
 *
 * Rows of an operand that do not start at 16 bytes are loaded in parts, those
 * of an odd size element by element.
 *
 * Source: EleutherAI/cookbook@27dff48 sizing/results (A100: even sizes take 1.3
 * to 1.85 times as long, odd ones 3.4 to 3.6 times; multiples of 8 differ from
 * those of 64 by less than 10 %).
 */
static double alignment_frac(const p3d_gemm_fit *fit, int64_t n, int64_t k)
{
    if (n % 8 == 0 && k % 8 == 0)
        return 1;
    if (n % 2 == 0 && k % 2 == 0)
        return fit->even_frac > 0 ? fit->even_frac : 1;
    return fit->odd_frac > 0 ? fit->odd_frac : 1;
}

/** Share of the usual rate that products of a recipe reach. */
static double rate_frac(const p3d_gpu *gpu, const p3d_op *op)
{
    return op->sm90_rate_frac > 0 && p3d_gpu_sm(gpu) == 90 ? op->sm90_rate_frac
                                                           : 1;
}

const p3d_gemm_fit *cost_gemm_fit(
        const p3d_calibration *calibration, p3d_dtype dtype)
{
    const bool narrow = dtype == P3D_FP8 || dtype == P3D_NVFP4;

    if (dtype == P3D_NVFP4 && calibration->gemm_nvfp4.peak_frac > 0)
        return &calibration->gemm_nvfp4;
    return narrow && calibration->gemm_fp8.peak_frac > 0
                   ? &calibration->gemm_fp8
                   : &calibration->gemm;
}

/** Bytes of an element of an operand; nvfp4 has a byte of scale for 16. */
static double operand_bytes(p3d_dtype dtype)
{
    static const double narrow[P3D_N_DTYPES] = {
            [P3D_FP8] = 1, [P3D_NVFP4] = 0.5 + 1.0 / 16};

    return narrow[dtype] > 0 ? narrow[dtype] : p3d_dtype_bytes(dtype);
}

/**
 * Seconds of `count` products C[m,n] = A[m,k] B[k,n] in one launch.
 *
 *     burst = tile/wave form with t_m in a p-norm       (sm80)
 *           = max(2 m n (k + k0) / (ec P), t_m)         (sm90 and newer)
 *     t_m   = bytes / (em BW)
 *     t     = t0 + (burst^10 + (2 m n k / (S ec P))^10)^(1/10)
 *
 * all of it over alignment_frac() but t0. A product that is added to sums in
 * memory takes half of the shorter of its arithmetic and these more
 * (SUMS_SERIAL_FRAC).
 *
 * m, n, k, count >= 1; P dense peak of the data type; S sustained over burst
 * rate: training runs into the power limit, which caps large products and
 * leaves small ones at burst speed.
 *
 * Source: forms and constants hardware/calibration; sustained rate from
 * ai-dynamo/aiconfigurator@095f58a5 (H200 .878, B200 .869).
 * Tested: tests/unit/test_gemm.c
 */
static double product_s(
        const p3d_cluster *cluster, const p3d_op *op, double serial_frac)
{
    const p3d_dtype dtype = op->dtype;
    const cost_product p = {op->m, op->n, op->k, op->count};
    const double out_bytes =
            op->out_bytes > 0 ? op->out_bytes : p3d_dtype_bytes(dtype);
    const p3d_gpu *gpu = &cluster->gpu;
    const p3d_gemm_fit *fit = cost_gemm_fit(&cluster->calibration, dtype);
    const double in = operand_bytes(dtype);
    const double peak =
            rate_frac(gpu, op) * p3d_gpu_peak_flop_per_s(gpu, dtype);
    const double M = (double)p.m, N = (double)p.n, K = (double)p.k;
    const double c = (double)p.count;
    const double bytes = c * (in * (M * K + K * N) + out_bytes * M * N);
    const double memory_s = bytes / (fit->memory_frac * gpu->hbm_bytes_per_s);
    const double sums_s = op->out_bytes * c * M * N /
                          (fit->memory_frac * gpu->hbm_bytes_per_s);
    const double sums_frac = serial_frac > 0 ? 0 : SUMS_SERIAL_FRAC;
    const double flop = 2 * M * N * K * c;
    const double sustained = fit->sustained_frac > 0
                                     ? fit->sustained_frac
                                     : cluster->calibration.sustained_frac;
    const double power_s = flop / (sustained * fit->peak_frac * peak);
    double math_s, burst_s, whole_s;

    if (p.m <= 0 || p.n <= 0 || p.k <= 0 || p.count <= 0)
        return 0;
    if (fit->tile_wave && gpu->n_sms > 0) {
        math_s = tile_wave_s(fit, gpu, peak, p);
        burst_s = soft_max(math_s, memory_s, fit->p_norm);
    } else {
        math_s = 2 * M * N * (K + fit->k_ramp) * c / (fit->peak_frac * peak);
        burst_s = fmax(math_s, memory_s);
    }
    whole_s = soft_max(burst_s, power_s, SUSTAINED_NORM);
    /* The same for most products, and what a search spends its time in. */
    math_s = math_s == burst_s ? whole_s
                               : soft_max(math_s, power_s, SUSTAINED_NORM);
    return fit->launch_s + (whole_s + serial_frac * fmin(math_s, memory_s) +
                                   sums_frac * fmin(math_s, sums_s)) /
                                   alignment_frac(fit, p.n, p.k);
}

/**
 * Seconds of attention's batched products where tensor cores cannot read the
 * heads.
 *
 *     t = t0 + 2 m n k count / (g P32)
 *
 * The matrix of a head begins head_dim elements after that of the one before;
 * cuBLAS asks for strides of 16 bytes, or leaves the tensor cores. P32 fp32
 * rate of the vector units; g general_frac of the calibration, 0 = 0.5.
 *
 * Source: cuBLAS library, "Tensor Core Usage" (strides of matrices, multiples
 * of 16 bytes). g: bigscience-workshop/bigscience@9e64ede train/tr11-176B-ml/
 * chronicles-prequel.md, "NHEADs comparison" and "Another round of NHEADS":
 * four pairs of runs on A100 that differ in heads of 108 and 144 alone.
 * Tested: tests/unit/test_gemm.c
 */
static double general_product_s(const p3d_cluster *cluster, const p3d_op *op)
{
    const p3d_gemm_fit *fit = &cluster->calibration.gemm;
    const double frac =
            fit->general_frac > 0 ? fit->general_frac : GENERAL_FRAC;

    return fit->launch_s +
           p3d_op_flop(op) / (frac * cluster->gpu.fp32_flop_per_s);
}

/** True where the heads of a strided product are no multiples of 16 bytes. */
static bool is_unaligned(const p3d_cluster *cluster, const p3d_op *op)
{
    return op->strided && (op->n % 8 != 0 || op->k % 8 != 0) &&
           op->dtype != P3D_FP32 && cluster->gpu.fp32_flop_per_s > 0;
}

double cost_gemm_s(const p3d_cluster *cluster, p3d_dtype dtype, cost_product p)
{
    const p3d_op op = {
            .dtype = dtype, .m = p.m, .n = p.n, .k = p.k, .count = p.count};

    return product_s(cluster, &op, 0);
}

/* Of products that are called one by one, for each expert: how much of the
 * shorter of arithmetic and traffic shows beside the longer. Source: as below.
 */
static const double LOOP_SERIAL_FRAC = 0.75;

/**
 * Seconds of a product as it stands in a list; of experts
 *
 *     t = t(count products) (1 + m0 / m)                 in one kernel
 *       = max(math, bytes / (em BW)) + 0.75 min(of both)   called one by one
 *
 * m rows of each expert's group. The gradient of the weights has its rows in
 * k, whose ramp is that of every product; where it is added to fp32 sums in the
 * product, these are read and written, which decides for small groups.
 *
 * Source: in one kernel hardware/calibration (expert_ramp), efficiency of
 * expert MLPs by rows per expert in ai-dynamo/aiconfigurator@095f58a5 moe_perf
 * tables. One by one: cuBLAS under Transformer Engine on B200, all 108 grouped
 * products of MooreThreads/SimuMax@4dcaae5 configs/system/b200_bf16_ceperm.json
 * (group_matmul: 20 to 256 experts of 128 to 9,832 rows, three passes, sums in
 * fp32 and 16 bit): mean error 8.5 % where the calls themselves do not decide,
 * of one kernel's law 21.6 %; medians 1.00, 1.02, 1.04 of the measured time.
 * Tested: tests/unit/test_gemm.c
 */
double cost_op_gemm_s(const p3d_cluster *cluster, const p3d_op *op)
{
    const p3d_gemm_fit *fit = cost_gemm_fit(&cluster->calibration, op->dtype);
    const bool one_by_one = op->expert && op->n_kernels > 1;

    if (is_unaligned(cluster, op))
        return general_product_s(cluster, op);

    const double t = product_s(cluster, op, one_by_one ? LOOP_SERIAL_FRAC : 0);

    if (!op->expert || one_by_one || op->weight_gradient || op->m <= 0)
        return t;
    return t * (1 + fit->expert_ramp / (double)op->m);
}

/** Keys that a query's kernel has before it is masked: all of a sequence or,
 *  where texts are packed, those of a text in the mean over the tokens. */
static double keys_of(const p3d_op *op)
{
    return op->text_tokens > 0 ? op->text_tokens : (double)op->seq_kv;
}

/** Pairs of query and key that causal attention computes, per sequence: the
 *  triangle, a band of `window` keys, or the blocks of a layout; queries are
 *  dealt out evenly over the context-parallel ranks. Of texts of lengths l that
 *  are packed
 *
 *      sum of l^2 / 2  =  s (sum of l^2 / sum of l) / 2
 *
 *  Source: Dao-AILab/flash-attention flash_attn_varlen_func (cu_seqlens). */
static double computed_pairs(const p3d_op *op)
{
    const double q = (double)op->seq_q;
    const double kv = keys_of(op);
    const double w = (double)op->window;

    if (op->seen_frac > 0)
        return q * (double)op->seq_kv * op->seen_frac;
    if (op->window > 0 && w < kv)
        return q * (op->not_causal ? w : w - w * w / (2 * kv));
    return op->not_causal ? q * kv : q * kv / 2;
}

/**
 * Floating-point operations of an operation.
 *
 *     GEMM               2 m n k count
 *     attention forward  2 pairs heads batch (d_qk + d_v)
 *     attention backward 2 pairs heads batch (3 d_qk + 2 d_v)
 *
 * pairs = s_q s_kv / 2 when causal. The backward pass of fused attention
 * recomputes the scores: 5 products instead of 2.
 *
 * Source: arXiv:2307.08691 section 4.1 (backward = 2.5 x forward).
 * Tested: tests/unit/test_attention.c
 */
double p3d_op_flop(const p3d_op *op)
{
    if (op == NULL)
        return 0;

    const double heads = (double)(op->heads * op->batch);
    const double qk = (double)op->qk_dim;
    const double v = (double)op->v_dim;

    if (op->kind == P3D_OP_GEMM)
        return 2.0 * (double)op->m * (double)op->n * (double)op->k *
               (double)op->count;
    if (op->kind != P3D_OP_ATTENTION)
        return 0;
    if (op->phase == P3D_FORWARD)
        return 2 * computed_pairs(op) * heads * (qk + v);
    return 2 * computed_pairs(op) * heads * (3 * qk + 2 * v);
}

/** True for a kernel whose constants the calibration has. */
static bool is_fitted(const p3d_calibration *calibration, int kernel)
{
    return kernel >= P3D_EFFICIENT && kernel < P3D_N_ATTENTIONS &&
           calibration->attention[kernel].error_frac > 0;
}

const p3d_attention_fit *p3d_attention_fit_of(
        const p3d_calibration *calibration, p3d_attention kernel)
{
    static const p3d_attention_fit none;

    if (calibration == NULL || (unsigned)kernel >= P3D_N_ATTENTIONS)
        return &none;

    const int asked = kernel < P3D_EFFICIENT ? P3D_FLASH_2 : (int)kernel;
    int k = asked;

    while (k > P3D_EFFICIENT && !is_fitted(calibration, k))
        k--;
    while (k < P3D_N_ATTENTIONS - 1 && !is_fitted(calibration, k))
        k++;
    return &calibration->attention[k];
}

/** Next multiple of 64. */
static double padded(double dim)
{
    return ceil(dim / 64) * 64;
}

/** Efficiency at a size, a mean of two multiples of 64: straight lines between
 *  the sizes that were measured. */
static double frac_at(const double frac[P3D_N_HEAD_SIZES], double size)
{
    static const double sizes[P3D_N_HEAD_SIZES] = {64, 128, 160, 256};
    int below = 0;

    if (size <= sizes[0])
        return frac[0];
    for (int i = 1; i < P3D_N_HEAD_SIZES; i++) {
        if (frac[i] <= 0)
            continue;
        if (size <= sizes[i])
            return frac[below] + (frac[i] - frac[below]) *
                                         (size - sizes[below]) /
                                         (sizes[i] - sizes[below]);
        below = i;
    }
    return frac[below];
}

/** Efficiency of a core: heads run as the next larger multiples of 64, of which
 *  they waste a part. */
static double head_frac(
        const double frac[P3D_N_HEAD_SIZES], double qk_dim, double v_dim)
{
    const double size = (padded(qk_dim) + padded(v_dim)) / 2;

    return frac_at(frac, size) * (qk_dim + v_dim) / 2 / size;
}

/**
 * Seconds of a fused attention core.
 *
 *     t = c t0 + F / (P e(d)) (1 + s0 c / s) (1 + w0 / w)
 *
 * F operations of p3d_op_flop(); P dense peak; e efficiency of the head size;
 * s keys of a text, twice as many when not causal; c steps of the
 * context-parallel ring, each a kernel over s / c keys;
 * w = batch heads ceil(s_q / 128) / SMs query tiles per SM. On GPUs whose
 * constants were measured in short bursts the sustained factor applies.
 *
 * Source: hardware/calibration (attention); held-out errors 2.6 to 8 %.
 * Tested: tests/unit/test_attention.c
 */
double cost_attention_s(
        const p3d_cluster *cluster, p3d_dtype dtype, const p3d_op *op)
{
    const p3d_attention_fit *fit =
            p3d_attention_fit_of(&cluster->calibration, op->kernel);
    const p3d_attention_pass *pass =
            op->phase == P3D_FORWARD ? &fit->forward : &fit->backward;
    const double peak = p3d_gpu_peak_flop_per_s(&cluster->gpu, dtype);
    const double steps = (double)op->count;
    const double keys = keys_of(op) * (op->not_causal ? 2 : 1);
    const double tiles =
            (double)(op->batch * op->heads) * ceil((double)op->seq_q / 128);
    const double ramp = (1 + pass->seq_ramp * steps / keys) *
                        (1 + pass->wave_ramp * cluster->gpu.n_sms / tiles);
    const double power =
            fit->sustained ? cluster->calibration.sustained_frac : 1;

    return steps * pass->launch_s +
           p3d_op_flop(op) /
                   (peak *
                           head_frac(pass->peak_frac, (double)op->qk_dim,
                                   (double)op->v_dim) *
                           power) *
                   ramp;
}

/**
 * Seconds of kernels that only move bytes.
 *
 *     t = bytes / (f BW) + kernels t0
 *
 * f and t0 are those of the kind of kernels, where they were measured apart.
 *
 * Source: hardware/calibration (memory_pass).
 * Tested: tests/unit/test_attention.c
 */
double cost_pass_s(const p3d_cluster *cluster, p3d_pass_kind kind, double bytes,
        int n_kernels)
{
    const p3d_op op = {
            .pass_kind = kind, .bytes = bytes, .n_kernels = n_kernels};

    return cost_op_pass_s(cluster, &op);
}

double cost_op_pass_s(const p3d_cluster *cluster, const p3d_op *op)
{
    const p3d_pass_fit *const fit = &cluster->calibration.pass;
    p3d_pass_rate rate = fit->kind[op->pass_kind];

    if (rate.hbm_frac <= 0)
        rate = (p3d_pass_rate){fit->hbm_frac, fit->launch_s};
    if (op->single && fit->single_frac > 0)
        rate.hbm_frac = fmin(rate.hbm_frac, fit->single_frac);
    return op->bytes / (rate.hbm_frac * cluster->gpu.hbm_bytes_per_s) +
           op->n_kernels * rate.launch_s;
}
