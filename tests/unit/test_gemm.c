/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gemm.c - seconds of GEMMs, by hand and by their properties. */
#include "problem.h"

#include <math.h>

#include "cost/cost.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

/* A machine of round numbers: 100 TFLOP/s in 100 SMs, 1 TB/s. In the main loop
 * 0.8 of the peak: 0.8e12 FLOP/s an SM. */
static p3d_cluster machine(bool tile_wave)
{
    p3d_cluster cluster = {.gpu = {.bf16_flop_per_s = 1e14,
                                   .hbm_bytes_per_s = 1e12,
                                   .n_sms = 100},
            .calibration = {.sustained_frac = 1,
                    .gemm = {.tile_wave = tile_wave,
                            .launch_s = 3e-6,
                            .peak_frac = 0.8,
                            .k_ramp = 100,
                            .memory_frac = 0.5,
                            .wave_q = 0.5,
                            .tile_128_frac = 0.5,
                            .tile_64_frac = 0.5,
                            .p_norm = 2}}};

    return cluster;
}

static double seconds(const p3d_cluster *cluster, int64_t m, int64_t n,
        int64_t k, int64_t count)
{
    return cost_gemm_s(cluster, P3D_BF16, (cost_product){m, n, k, count});
}

/* One wave: 2560/256 x 1280/128 = 100 tiles on 100 SMs, each
 * 2 x 256 x 128 x (924 + 100) = 67.108864e6 FLOP / 0.8e12 = 83.88608 us; every
 * smaller tile runs at half the rate. Memory: 2 (2560 x 924 + 924 x 1280 +
 * 2560 x 1280) = 13,649,920 B / 0.5e12 = 27.29984 us. Their 2-norm 88.216 us;
 * with 2 x 2560 x 1280 x 924 / 0.8e14 = 75.69408 us in the 10-norm 89.985 us;
 * 3 us to launch. */
static void one_full_wave_of_the_largest_tile(void **state)
{
    const p3d_cluster cluster = machine(true);
    const double burst = hypot(83.88608e-6, 27.29984e-6);
    const double t = pow(pow(burst, 10) + pow(75.69408e-6, 10), 0.1) + 3e-6;

    (void)state;
    CHECK_REL(seconds(&cluster, 2560, 1280, 924, 1), t, 1e-12);
    CHECK_REL(t, 92.99e-6, 1e-3);
}

/* 110 tiles are 1.1 waves, charged 0.5 x 2 + 0.5 x 1.1 = 1.55 of one; halves
 * of k would add 8 x 2 x 2816 x 1280 B / 0.5e12 = 115 us of traffic. */
static void a_wave_that_is_begun_costs_most_of_one(void **state)
{
    p3d_cluster cluster = machine(true);

    (void)state;
    cluster.calibration.gemm.p_norm = 1000; /* the larger of the two */
    cluster.calibration.sustained_frac = 1e9;
    CHECK_REL(seconds(&cluster, 2560, 1280, 924, 1) - 3e-6, 83.88608e-6, 1e-9);
    CHECK_REL(seconds(&cluster, 2816, 1280, 924, 1) - 3e-6, 1.55 * 83.88608e-6,
            1e-9);
}

/* One tile and a long k: eight SMs share k = 80,000, 65,536 (10,000 + 100) /
 * 0.8e12 = 827.392 us, and add up 8 x 8 x 256 x 128 B / 0.5e12 = 4.194304 us.
 * The largest tile in one piece would take 65,536 x 80,100 / 0.8e12 = 6.56 ms,
 * two of 128 x 128 in eight parts twice the rate-halved 827 us: as long, and
 * 8 of 64 x 64 (rate 1/8) 1.03 ms with 0.5 of the splits' SMs. */
static void few_tiles_with_a_long_k_are_split(void **state)
{
    p3d_cluster cluster = machine(true);

    (void)state;
    cluster.calibration.gemm.p_norm = 1000; /* the larger of the two */
    cluster.calibration.sustained_frac = 1e9;
    CHECK_REL(seconds(&cluster, 256, 128, 80000, 1) - 3e-6,
            827.392e-6 + 4.194304e-6, 1e-9);
}

/* 2 x 4096 x 4096 x (3996 + 100) / 0.8e14 = 1.71798691840 ms of arithmetic;
 * memory 2 (2 x 4096 x 3996 + 4096 x 4096) / 0.5e12 = 0.198 ms is hidden. */
static void the_roofline_adds_a_ramp_to_k(void **state)
{
    p3d_cluster cluster = machine(false);

    (void)state;
    cluster.calibration.sustained_frac = 1e9;
    CHECK_REL(seconds(&cluster, 4096, 4096, 3996, 1), 1.7179869184e-3 + 3e-6,
            1e-9);
}

/* The same product, added to sums of 8 bytes read and written: half of 8 x 4096
 * x 4096 / 0.5e12 = 0.268435456 ms. Of 10 rows of k arithmetic is the shorter,
 * 2 x 4096 x 4096 x 110 / 0.8e14 = 46.137344 us beside (2 x 2 x 4096 x 10 + 8 x
 * 4096 x 4096) / 0.5e12 = 268.763136 us. */
static void sums_show_beside_the_arithmetic(void **state)
{
    p3d_cluster cluster = machine(false);
    p3d_op op = {.kind = P3D_OP_GEMM,
            .dtype = P3D_BF16,
            .m = 4096,
            .n = 4096,
            .k = 3996,
            .count = 1,
            .out_bytes = 8};

    (void)state;
    cluster.calibration.sustained_frac = 1e9;
    CHECK_REL(cost_op_gemm_s(&cluster, &op),
            1.7179869184e-3 + 0.134217728e-3 + 3e-6, 1e-9);
    op.k = 10;
    CHECK_REL(cost_op_gemm_s(&cluster, &op),
            268.763136e-6 + 23.068672e-6 + 3e-6, 1e-9);
}

/* 2 (8192 + 8192 x 8192 + 8192) B / 0.5e12 = 268.5 us; the arithmetic of one
 * row, 2 x 8192 x 8292 / 0.8e14 = 1.7 us, is hidden. */
static void a_thin_product_costs_its_bytes(void **state)
{
    p3d_cluster cluster = machine(false);
    const double bytes = 2 * (8192.0 + 8192.0 * 8192 + 8192);

    (void)state;
    CHECK_REL(seconds(&cluster, 1, 8192, 8192, 1), bytes / 0.5e12 + 3e-6, 1e-9);
}

/* At sustained 0.5 the cap of 0.4e14 is far above any burst time here. */
static void the_power_limit_caps_the_rate(void **state)
{
    static const char *const clusters[] = {
            "8xA100", "8xH100", "8xB200", "8xV100", "8xMI300X"};

    (void)state;
    for (int i = 0; i < N_ROWS(clusters); i++) {
        const p3d_problem problem =
                problem_of("gpt2", clusters[i], "generic", 1024, 8);
        const p3d_cluster *c = &problem.cluster;
        const p3d_dtype dtype = problem.job.dtype;
        const double cap = c->calibration.sustained_frac *
                           c->calibration.gemm.peak_frac *
                           p3d_gpu_peak_flop_per_s(&c->gpu, dtype);

        for (int64_t n = 64; n <= 65536; n *= 2) {
            const double N = (double)n;
            const double t = cost_gemm_s(c, dtype, (cost_product){n, n, n, 1}) -
                             c->calibration.gemm.launch_s;

            assert_true(2 * N * N * N / t <= cap * (1 + 1e-12));
        }
    }
}

/* Published: the best of all shapes reaches 271 of 312 TFLOP/s on A100, 794 of
 * 989 on H100 (stas00/ml-engineering compute/accelerator/README.md, mamf); in
 * a training run nothing goes faster. */
static void large_products_reach_a_plausible_rate(void **state)
{
    const p3d_problem a100 = problem_of("gpt2", "8xA100", "generic", 1024, 8);
    const p3d_problem h100 = problem_of("gpt2", "8xH100", "generic", 1024, 8);
    const double flop = 2.0 * 8192 * 8192 * 8192;
    const double on_a100 = flop / seconds(&a100.cluster, 8192, 8192, 8192, 1);
    const double on_h100 = flop / seconds(&h100.cluster, 8192, 8192, 8192, 1);

    (void)state;
    assert_true(on_a100 > 220e12 && on_a100 < 271e12);
    assert_true(on_h100 > 580e12 && on_h100 < 794e12);
}

/* Sizes are multiples of 8: the others are slower than larger ones. */
static void more_work_never_takes_less_time(void **state)
{
    static const int64_t sizes[] = {8, 64, 72, 104, 128, 200, 256, 264, 512,
            768, 1024, 1504, 2048, 3000, 4096, 6144, 8192, 12288};
    static const char *const clusters[] = {"8xA100", "8xH100"};

    (void)state;
    for (int i = 0; i < N_ROWS(clusters); i++) {
        const p3d_cluster c =
                problem_of("gpt2", clusters[i], "generic", 1024, 8).cluster;

        for (int j = 1; j < N_ROWS(sizes); j++) {
            for (int64_t other = 64; other <= 8192; other *= 2) {
                const int64_t a = sizes[j - 1], b = sizes[j];

                assert_true(seconds(&c, a, other, 512, 1) <=
                            seconds(&c, b, other, 512, 1));
                assert_true(seconds(&c, other, a, 512, 1) <=
                            seconds(&c, other, b, 512, 1));
                assert_true(seconds(&c, other, 512, a, 1) <=
                            seconds(&c, other, 512, b, 1));
                assert_true(seconds(&c, other, a, b, 1) <=
                            seconds(&c, other, a, b, 2));
            }
        }
    }
}

/* One launch and shared waves: 8 grouped products of 320 x 128 (two tiles of
 * 256 x 128 each) fit one wave that a single one leaves 98 % empty. */
static void a_group_costs_less_than_its_products(void **state)
{
    const p3d_cluster tiles = machine(true);
    const p3d_cluster roof = machine(false);
    const double one = seconds(&tiles, 320, 128, 4096, 1);

    (void)state;
    assert_true(seconds(&tiles, 320, 128, 4096, 8) < 8 * one);
    /* On the roofline the group saves the launches and nothing else. */
    CHECK_REL(seconds(&roof, 320, 128, 4096, 8),
            8 * seconds(&roof, 320, 128, 4096, 1) - 7 * 3e-6, 1e-9);
}

/* A ramp of 100 rows: groups of 400 rows take a quarter longer, and half as
 * long again with 200; gradients of weights have their rows in k. */
static void small_groups_of_experts_are_slow(void **state)
{
    p3d_cluster cluster = machine(false);
    p3d_op op = {.kind = P3D_OP_GEMM,
            .dtype = P3D_BF16,
            .m = 400,
            .n = 2048,
            .k = 4096,
            .count = 8,
            .expert = true};

    (void)state;
    cluster.calibration.gemm.expert_ramp = 100;
    CHECK_REL(cost_op_gemm_s(&cluster, &op),
            1.25 * seconds(&cluster, 400, 2048, 4096, 8), 1e-12);
    op.m = 200;
    CHECK_REL(cost_op_gemm_s(&cluster, &op),
            1.5 * seconds(&cluster, 200, 2048, 4096, 8), 1e-12);
    op.weight_gradient = true;
    CHECK_REL(cost_op_gemm_s(&cluster, &op),
            seconds(&cluster, 200, 2048, 4096, 8), 1e-12);
}

/* B200, cuBLAS called for each expert under Transformer Engine: microseconds
 * forward, of the gradient of the input, and of that of the weights added to
 * fp32 sums. Source: MooreThreads/SimuMax@4dcaae5 configs/system/
 * b200_bf16_ceperm.json, group_matmul. */
static void products_one_by_one_take_what_was_measured(void **state)
{
    static const struct {
        int count, rows, n, k;
        double us[3];
    } groups[] = {{256, 128, 4096, 7168, {4109, 3778, 11035}},
            {128, 256, 4096, 7168, {3151, 2572, 5805}},
            {32, 1024, 4096, 7168, {1871, 1964, 2961}},
            {64, 512, 7168, 2048, {1000, 1453, 1993}},
            {20, 1232, 3072, 5120, {671, 817, 1052}},
            {40, 9832, 3072, 5120, {11585, 11563, 13136}}};
    const p3d_cluster b200 =
            problem_of("gpt2", "8xB200", "generic", 1024, 8).cluster;

    (void)state;
    for (int i = 0; i < N_ROWS(groups); i++) {
        const int64_t m = groups[i].rows, n = groups[i].n, k = groups[i].k;
        const int64_t of[3][3] = {{m, n, k}, {m, k, n}, {n, k, m}};

        for (int pass = 0; pass < 3; pass++) {
            const p3d_op op = {.kind = P3D_OP_GEMM,
                    .dtype = P3D_BF16,
                    .m = of[pass][0],
                    .n = of[pass][1],
                    .k = of[pass][2],
                    .count = groups[i].count,
                    .n_kernels = groups[i].count,
                    .expert = true,
                    .weight_gradient = pass == 2,
                    .out_bytes = pass == 2 ? 8 : 0};

            CHECK_REL(
                    1e6 * cost_op_gemm_s(&b200, &op), groups[i].us[pass], 0.25);
        }
    }
}

/* 128 experts of 4,096 x 7,168 with 16 rows each: what is added to fp32 sums
 * moves four times the bytes of a 16-bit result, and these decide; half of the
 * arithmetic shows beside them. */
static void sums_in_fp32_are_read_and_written(void **state)
{
    const p3d_cluster cluster = machine(false);
    p3d_op op = {.kind = P3D_OP_GEMM,
            .dtype = P3D_BF16,
            .m = 4096,
            .n = 7168,
            .k = 16,
            .count = 128,
            .expert = true,
            .weight_gradient = true};
    const double in = 2.0 * 128 * 16 * (4096 + 7168);
    const double element = 128.0 * 4096 * 7168;
    const double rate =
            cluster.calibration.gemm.memory_frac * cluster.gpu.hbm_bytes_per_s;
    const double math_s = 2 * element * (16 + 100) / 0.8e14;
    double plain;

    (void)state;
    plain = cost_op_gemm_s(&cluster, &op);
    op.out_bytes = 8;
    CHECK_REL(cost_op_gemm_s(&cluster, &op) - plain,
            6 * element / rate + 0.5 * math_s, 1e-3);
    CHECK_REL(plain, 3e-6 + (in + 2 * element) / rate, 1e-3);
}

/* Heads of 108 and 110 are even but no multiples of 8, 109 is odd. */
static void odd_sizes_are_slow(void **state)
{
    p3d_cluster cluster = machine(false);
    const double even = seconds(&cluster, 2048, 2048, 108, 16) - 3e-6;
    const double odd = seconds(&cluster, 2048, 109, 2048, 16) - 3e-6;

    (void)state;
    cluster.calibration.gemm.even_frac = 0.5;
    cluster.calibration.gemm.odd_frac = 0.25;
    CHECK_REL(seconds(&cluster, 2048, 2048, 108, 16), 2 * even + 3e-6, 1e-12);
    CHECK_REL(seconds(&cluster, 2048, 109, 2048, 16), 4 * odd + 3e-6, 1e-12);
}

/* EleutherAI/cookbook@27dff48 sizing/results: 27648 x 4096 x n on A100, n from
 * 384 to 511: 213 to 232 TFLOP/s for multiples of 8, 140 for other even n. */
static void an_unaligned_product_reaches_its_published_rate(void **state)
{
    const p3d_cluster cluster =
            problem_of("gpt2", "8xA100", "generic", 1024, 8).cluster;
    const double rate =
            2.0 * 27648 * 450 * 4096 / seconds(&cluster, 27648, 450, 4096, 1);

    (void)state;
    CHECK_REL(rate, 140e12, 0.12);
}

/* bigscience-workshop/bigscience@9e64ede chronicles-prequel.md, "Another round
 * of NHEADS": heads of 108 instead of 144 took 43.6 s more of a step whose
 * ranks run 8 such products (two in forward, two again, four in backward) in
 * 6.5 layers of 64 micro-batches. */
static void unaligned_heads_leave_the_tensor_cores(void **state)
{
    const p3d_cluster cluster =
            problem_of("gpt2", "8xA100", "generic", 1024, 8).cluster;
    p3d_op op = {.kind = P3D_OP_GEMM,
            .dtype = P3D_FP16,
            .m = 2048,
            .n = 2048,
            .k = 108,
            .count = 128,
            .strided = true};
    const double flop = 2.0 * 2048 * 2048 * 108 * 128;
    const double launch = cluster.calibration.gemm.launch_s;

    (void)state;
    CHECK_REL(cost_op_gemm_s(&cluster, &op), launch + flop / (0.5 * 19.5e12),
            1e-12);
    CHECK_REL(cost_op_gemm_s(&cluster, &op) * 8 * 6.5 * 64, 43.6, 0.15);
    op.k = 104;
    assert_true(cost_op_gemm_s(&cluster, &op) < flop / 60e12);
    op.k = 108;
    op.strided = false;
    assert_true(cost_op_gemm_s(&cluster, &op) < flop / 60e12);
}

static void nothing_takes_no_time(void **state)
{
    const p3d_cluster cluster = machine(true);

    (void)state;
    assert_true(seconds(&cluster, 0, 128, 128, 1) == 0);
    assert_true(seconds(&cluster, 128, 0, 128, 1) == 0);
    assert_true(seconds(&cluster, 128, 128, 0, 1) == 0);
    assert_true(seconds(&cluster, 128, 128, 128, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(one_full_wave_of_the_largest_tile),
            cmocka_unit_test(a_wave_that_is_begun_costs_most_of_one),
            cmocka_unit_test(few_tiles_with_a_long_k_are_split),
            cmocka_unit_test(the_roofline_adds_a_ramp_to_k),
            cmocka_unit_test(sums_show_beside_the_arithmetic),
            cmocka_unit_test(a_thin_product_costs_its_bytes),
            cmocka_unit_test(the_power_limit_caps_the_rate),
            cmocka_unit_test(large_products_reach_a_plausible_rate),
            cmocka_unit_test(more_work_never_takes_less_time),
            cmocka_unit_test(a_group_costs_less_than_its_products),
            cmocka_unit_test(small_groups_of_experts_are_slow),
            cmocka_unit_test(products_one_by_one_take_what_was_measured),
            cmocka_unit_test(sums_in_fp32_are_read_and_written),
            cmocka_unit_test(odd_sizes_are_slow),
            cmocka_unit_test(an_unaligned_product_reaches_its_published_rate),
            cmocka_unit_test(unaligned_heads_leave_the_tensor_cores),
            cmocka_unit_test(nothing_takes_no_time),
    };

    return cmocka_run_group_tests_name("gemm", tests, NULL, NULL);
}
