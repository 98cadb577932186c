/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.cu - entries of an attention core's results, computed again in double
 * precision. Scores of inputs from -0.5 to 0.5 are small: no maximum is needed
 * before the exponential. */
#include "bench/device/elements.cuh"
#include "bench/device/kernels.h"

/* Sums of terms and of their squares. */
typedef struct sums {
    double all;
    double squares;
} sums;

/* The row of a token and head in a matrix with `heads` heads of size `dim`. */
__device__ static int64_t row_of(int64_t batch, int64_t token, int64_t head,
        int64_t seq, int64_t heads, int64_t dim)
{
    return ((batch * seq + token) * heads + head) * dim;
}

__device__ static double dot(const void *a, int64_t i, const void *b, int64_t j,
        int64_t n, int dtype)
{
    double sum = 0;

    for (int64_t p = 0; p < n; p++)
        sum += (double)load(a, dtype, i + p) * (double)load(b, dtype, j + p);
    return sum;
}

__device__ static double score(
        const bench_core &c, int64_t batch, int64_t head, int64_t i, int64_t j)
{
    const int64_t q = row_of(batch, i, head, c.seq_q, c.heads, c.qk_dim);
    const int64_t k = row_of(batch, j, head * c.kv_heads / c.heads, c.seq_kv,
            c.kv_heads, c.qk_dim);

    return dot(c.q, q, c.k, k, c.qk_dim, c.dtype) / sqrt((double)c.qk_dim);
}

/* O[i] = sum of exp(s) V over sum of exp(s). */
__device__ static sums output(
        const bench_core &c, int64_t batch, int64_t head, int64_t i, int64_t d)
{
    const int64_t seen = c.causal ? i + 1 : c.seq_kv;
    double weight = 0;
    sums s = {0, 0};

    for (int64_t j = threadIdx.x; j < seen; j += blockDim.x) {
        const double power = exp(score(c, batch, head, i, j));
        const double v = load(c.v, c.dtype,
                row_of(batch, j, head * c.kv_heads / c.heads, c.seq_kv,
                        c.kv_heads, c.v_dim) +
                        d);

        weight += power;
        s.all += power * v;
        s.squares += power * v * power * v;
    }
    weight = block_sum(weight);
    return {block_sum(s.all) / weight, block_sum(s.squares) / weight / weight};
}

__device__ static double probability(
        const bench_core &c, int64_t batch, int64_t head, int64_t i, int64_t j)
{
    return exp(score(c, batch, head, i, j) -
               c.stats[(batch * c.heads + head) * c.seq_q + i]);
}

/* dV[j] = sum over the heads that share it and the tokens that see it. */
__device__ static sums value_gradient(
        const bench_core &c, int64_t batch, int64_t kv, int64_t j, int64_t d)
{
    const int64_t group = c.heads / c.kv_heads;
    sums s = {0, 0};

    for (int64_t i = threadIdx.x + (c.causal ? j : 0); i < c.seq_q;
            i += blockDim.x) {
        for (int64_t head = kv * group; head < (kv + 1) * group; head++) {
            const double term =
                    probability(c, batch, head, i, j) *
                    load(c.d_o, c.dtype,
                            row_of(batch, i, head, c.seq_q, c.heads, c.v_dim) +
                                    d);

            s.all += term;
            s.squares += term * term;
        }
    }
    return {block_sum(s.all), block_sum(s.squares)};
}

/* dQ[i] = scale sum of P (dO V' - dO O') K. */
__device__ static sums query_gradient(
        const bench_core &c, int64_t batch, int64_t head, int64_t i, int64_t d)
{
    const int64_t kv = head * c.kv_heads / c.heads;
    const int64_t seen = c.causal ? i + 1 : c.seq_kv;
    const int64_t own = row_of(batch, i, head, c.seq_q, c.heads, c.v_dim);
    const double mean = dot(c.d_o, own, c.o, own, c.v_dim, c.dtype);
    const double scale = 1 / sqrt((double)c.qk_dim);
    sums s = {0, 0};

    for (int64_t j = threadIdx.x; j < seen; j += blockDim.x) {
        const int64_t v = row_of(batch, j, kv, c.seq_kv, c.kv_heads, c.v_dim);
        const int64_t k = row_of(batch, j, kv, c.seq_kv, c.kv_heads, c.qk_dim);
        const double dp = dot(c.d_o, own, c.v, v, c.v_dim, c.dtype);
        const double term = scale * probability(c, batch, head, i, j) *
                            (dp - mean) * (double)load(c.k, c.dtype, k + d);

        s.all += term;
        s.squares += term * term;
    }
    return {block_sum(s.all), block_sum(s.squares)};
}

/* Entries spread over the result by a multiplicative sequence. */
__global__ static void check_core(
        bench_core c, bench_core_result which, double *errors)
{
    const bool of_values = which == BENCH_RESULT_DV;
    const int64_t heads = of_values ? c.kv_heads : c.heads;
    const int64_t seq = of_values ? c.seq_kv : c.seq_q;
    const int64_t dim = which == BENCH_RESULT_DQ ? c.qk_dim : c.v_dim;
    const int64_t step = (int64_t)blockIdx.x * 7919 + 1;
    const int64_t batch = step % c.batch;
    const int64_t head = step % heads;
    const int64_t token = step * 31 % seq;
    const int64_t d = step * 13 % dim;
    const sums want = of_values ? value_gradient(c, batch, head, token, d)
                      : which == BENCH_RESULT_DQ
                              ? query_gradient(c, batch, head, token, d)
                              : output(c, batch, head, token, d);
    const double got = load(
            c.result, c.dtype, row_of(batch, token, head, seq, heads, dim) + d);

    if (threadIdx.x == 0)
        errors[blockIdx.x] = fabs(got - want.all) / sqrt(want.squares);
}

cudaError_t bench_check_core(const bench_core *core, bench_core_result which,
        int n, double *errors, cudaStream_t stream)
{
    check_core<<<n, THREADS, 0, stream>>>(*core, which, errors);
    return cudaGetLastError();
}
