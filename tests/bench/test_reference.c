/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference.c - the sums that results of the device are compared with are
 * those of the definitions, and a wrong result is far from them. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#define BENCH_LOAD(data, dtype, i) ((void)(dtype), ((const double *)(data))[i])
#include "bench/host/reference_terms.h"

/* A small core of two heads for each head of keys, all in double precision. */
enum { B = 2, H = 4, HK = 2, S = 12, D = 8, DV = 6 };

typedef struct matrices {
    double q[B][S][H][D], k[B][S][HK][D], v[B][S][HK][DV];
    double o[B][S][H][DV], d_o[B][S][H][DV];
    double dq[B][S][H][D], dk[B][S][HK][D], dv[B][S][HK][DV];
    float stats[B][H][S];
} matrices;

/* Numbers from -0.5 to 0.5 that are not regular. */
static void fill(void *data, size_t n, unsigned seed)
{
    double *const to = data;

    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525U + 1013904223U;
        to[i] = (double)(seed >> 8) / 16777216 - 0.5;
    }
}

/* One query: probabilities, output, and what it gives to the gradients. */
static void attend(matrices *m, int b, int h, int i, bool causal)
{
    const int kv = h / (H / HK);
    const int seen = causal ? i + 1 : S;
    double p[S], dp[S], sum = 0, mean = 0;

    for (int j = 0; j < seen; j++) {
        double score = 0;

        for (int e = 0; e < D; e++)
            score += m->q[b][i][h][e] * m->k[b][j][kv][e];
        p[j] = exp(score / sqrt(D));
        sum += p[j];
    }
    m->stats[b][h][i] = (float)log(sum);
    for (int j = 0; j < seen; j++) {
        p[j] /= sum;
        dp[j] = 0;
        for (int d = 0; d < DV; d++) {
            m->o[b][i][h][d] += p[j] * m->v[b][j][kv][d];
            m->dv[b][j][kv][d] += p[j] * m->d_o[b][i][h][d];
            dp[j] += m->d_o[b][i][h][d] * m->v[b][j][kv][d];
        }
        mean += p[j] * dp[j];
    }
    for (int j = 0; j < seen; j++)
        for (int e = 0; e < D; e++) {
            const double ds = p[j] * (dp[j] - mean) / sqrt(D);

            m->dq[b][i][h][e] += ds * m->k[b][j][kv][e];
            m->dk[b][j][kv][e] += ds * m->q[b][i][h][e];
        }
}

static void attend_all(matrices *m, bool causal)
{
    memset(m, 0, sizeof(*m));
    fill(m->q, sizeof(m->q) / sizeof(double), 1);
    fill(m->k, sizeof(m->k) / sizeof(double), 2);
    fill(m->v, sizeof(m->v) / sizeof(double), 3);
    fill(m->d_o, sizeof(m->d_o) / sizeof(double), 4);
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < S; i++)
                attend(m, b, h, i, causal);
}

/* The largest error of 64 entries, with the terms of three threads. */
static double worst(const bench_core *core, bench_core_result which)
{
    double most = 0;

    for (int n = 0; n < 64; n++) {
        const bench_entry e = bench_entry_at(core, which, n);
        bench_sums sum = bench_core_terms(core, which, e, 0, 3);

        for (int thread = 1; thread < 3; thread++) {
            const bench_sums part = bench_core_terms(core, which, e, thread, 3);

            sum.all += part.all;
            sum.squares += part.squares;
            if (which == BENCH_RESULT_O)
                sum.weight += part.weight;
        }
        most = fmax(most, bench_error(bench_core_got(core, which, e), sum));
    }
    return most;
}

static void attention_is_compared_with_its_definition(void **state)
{
    static matrices m;

    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        const double *const results[] = {&m.o[0][0][0][0], &m.dv[0][0][0][0],
                &m.dq[0][0][0][0], &m.dk[0][0][0][0]};
        bench_core core = {.q = m.q,
                .k = m.k,
                .v = m.v,
                .o = m.o,
                .d_o = m.d_o,
                .stats = &m.stats[0][0][0],
                .causal = causal,
                .batch = B,
                .heads = H,
                .kv_heads = HK,
                .seq_q = S,
                .seq_kv = S,
                .qk_dim = D,
                .v_dim = DV};

        attend_all(&m, causal == 1);
        for (int which = BENCH_RESULT_O; which <= BENCH_RESULT_DK; which++) {
            core.result = results[which];
            core.causal = causal;
            /* stats are fp32 */
            assert_true(worst(&core, (bench_core_result)which) < 1e-5);
            core.causal = !causal;
            assert_true(worst(&core, (bench_core_result)which) > 0.5);
        }
    }
}

/* Every layout of factors with a product by hand. */
static void products_are_compared_with_their_definition(void **state)
{
    enum { M = 3, N = 4, K = 5 };
    double a[M][K], b[K][N], c[M][N] = {{0}};

    (void)state;
    fill(a, M * K, 5);
    fill(b, K * N, 6);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int p = 0; p < K; p++)
                c[i][j] += a[i][p] * b[p][j];
    for (int layout = 0; layout < P3D_N_LAYOUTS; layout++) {
        double stored_a[M * K], stored_b[K * N];
        const bench_product x = {.a = stored_a,
                .b = stored_b,
                .layout = layout,
                .m = M,
                .n = N,
                .k = K};

        for (int i = 0; i < M; i++)
            for (int p = 0; p < K; p++)
                stored_a[layout == P3D_LAYOUT_WGRAD ? p * M + i : i * K + p] =
                        a[i][p];
        for (int p = 0; p < K; p++)
            for (int j = 0; j < N; j++)
                stored_b[layout == P3D_LAYOUT_FORWARD ? j * K + p : p * N + j] =
                        b[p][j];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                const bench_sums s = bench_product_terms(&x, i, j, 0, 1);

                assert_true(bench_error(c[i][j], s) < 1e-12);
                assert_true(bench_error(-c[i][j] + 1, s) > 0.1);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(attention_is_compared_with_its_definition),
            cmocka_unit_test(products_are_compared_with_their_definition),
    };

    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
