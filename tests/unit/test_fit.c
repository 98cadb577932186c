/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fit.c - constants from measured kernels. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "cost/cost.h"
#include "plan3d/fit.h"
#include "spec/hardware.h"

/* 100 TFLOP/s in 100 SMs, 1 TB/s, links of 300 GB/s. */
static const p3d_gpu gpu = {.bf16_flop_per_s = 1e14,
        .hbm_bytes_per_s = 1e12,
        .nvlink_bytes_per_s_one_way = 3e11,
        .n_sms = 100};

enum { N_SIZES = 8, MAX_KERNELS = N_SIZES * N_SIZES * N_SIZES };

static const int64_t sizes[N_SIZES] = {
        512, 768, 1024, 1536, 2048, 4096, 6144, 8192};

/* Products as a machine with these constants would run them. */
static int products_of(const p3d_gemm_fit *fit, p3d_measured_kernel *out)
{
    const p3d_cluster machine = {
            .gpu = gpu, .calibration = {.sustained_frac = 1, .gemm = *fit}};

    for (int i = 0; i < MAX_KERNELS; i++) {
        const int64_t m = sizes[i % N_SIZES];
        const int64_t n = sizes[i / N_SIZES % N_SIZES];
        const int64_t k = sizes[i / N_SIZES / N_SIZES];

        out[i] = (p3d_measured_kernel){
                .op = {.m = m, .n = n, .k = k, .count = 1},
                .time_s = cost_gemm_s(
                        &machine, P3D_BF16, (cost_product){m, n, k, 1})};
    }
    return MAX_KERNELS;
}

static void the_roofline_s_constants_are_found_again(void **state)
{
    const p3d_gemm_fit made = {.launch_s = 4e-6,
            .peak_frac = 0.72,
            .k_ramp = 150,
            .memory_frac = 0.8};
    p3d_measured_kernel kernels[MAX_KERNELS];
    p3d_gemm_fit found = {.expert_ramp = 7};
    p3d_fit_quality quality;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_fit_gemm(
            &(p3d_measured_kernels){&gpu, kernels, products_of(&made, kernels)},
            false, &found, &quality, &err));
    CHECK_REL(found.peak_frac, 0.72, 1e-3);
    CHECK_REL(found.k_ramp, 150, 1e-2);
    CHECK_REL(found.launch_s, 4e-6, 2e-2);
    CHECK_REL(found.memory_frac, 0.8, 0);
    assert_true(found.expert_ramp == 7);
    assert_int_equal(quality.n_kernels, MAX_KERNELS);
    assert_true(quality.held_error_frac < 1e-3);
    assert_true(found.error_frac == quality.held_error_frac);
}

/* Tiles, waves and the norm trade off: the times are found again, and with
 * them the rate of the main loop. */
static void tiles_and_waves_are_found_again(void **state)
{
    const p3d_gemm_fit made = {.tile_wave = true,
            .launch_s = 4e-6,
            .peak_frac = 0.85,
            .k_ramp = 150,
            .memory_frac = 0.8,
            .wave_q = 0.7,
            .tile_128_frac = 0.8,
            .tile_64_frac = 0.9,
            .p_norm = 6};
    p3d_measured_kernel kernels[MAX_KERNELS];
    p3d_gemm_fit found = {0};
    p3d_fit_quality quality;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_fit_gemm(
            &(p3d_measured_kernels){&gpu, kernels, products_of(&made, kernels)},
            true, &found, &quality, &err));
    assert_true(found.tile_wave);
    assert_true(quality.held_error_frac < 0.01);
    CHECK_REL(found.peak_frac, 0.85, 0.03);
}

static void attention_s_constants_are_found_again(void **state)
{
    const p3d_attention_pass made = {.launch_s = 8e-6,
            .peak_frac = {0.4, 0.6, 0, 0.7},
            .seq_ramp = 700,
            .wave_ramp = 0.3};
    const p3d_cluster machine = {.gpu = gpu,
            .calibration.attention[P3D_FLASH_2] = {
                    .forward = made, .backward = made, .error_frac = 1}};
    p3d_attention_pass found = {.peak_frac = {0, 0, 0.5, 0.9}};
    p3d_measured_kernel kernels[48];
    p3d_fit_quality quality;
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < 48; i++) {
        p3d_op op = {.kind = P3D_OP_ATTENTION,
                .phase = P3D_FORWARD,
                .kernel = P3D_FLASH_2,
                .count = 1,
                .batch = 1 + i / 24,
                .heads = 4 << i % 3,
                .seq_q = 512 << i / 6 % 4,
                .seq_kv = 512 << i / 6 % 4,
                .qk_dim = i % 2 == 0 ? 64 : 128,
                .v_dim = i % 2 == 0 ? 64 : 128,
                .not_causal = i / 3 % 2 == 0};

        kernels[i] = (p3d_measured_kernel){
                .op = op, .time_s = cost_attention_s(&machine, P3D_BF16, &op)};
    }
    assert_true(p3d_fit_attention(&(p3d_measured_kernels){&gpu, kernels, 48},
            1e-4, &found, &quality, &err));
    CHECK_REL(found.peak_frac[0], 0.4, 0.01);
    CHECK_REL(found.peak_frac[1], 0.6, 0.01);
    assert_true(found.peak_frac[2] == 0.5 && found.peak_frac[3] == 0.9);
    CHECK_REL(found.seq_ramp, 700, 0.03);
    CHECK_REL(found.wave_ramp, 0.3, 0.05);
    assert_true(quality.held_error_frac < 0.01);
}

static void a_collective_s_constants_are_found_again(void **state)
{
    const p3d_collective_fit made = {.launch_s = 8e-6,
            .step_s = 1e-6,
            .link_frac = 0.7,
            .ramp_s_per_sqrt_byte = 2e-8};
    p3d_cluster machine = {.gpu = gpu,
            .node = {.gpus_per_nvlink_domain = 8},
            .calibration = {.nvls_factor = 1}};
    p3d_collective_fit found;
    p3d_measured_kernel kernels[60];
    p3d_fit_quality quality;
    p3d_error err = {0};

    (void)state;
    machine.calibration.collective[P3D_ALL_GATHER] = made;
    for (int i = 0; i < 60; i++) {
        const int n_ranks = 2 << i % 3;
        const cost_group group = {
                .n_ranks = n_ranks, .n_nodes = 1, .ranks_per_node = n_ranks};
        const double bytes = 65536.0 * (1 << i / 3 % 15);

        kernels[i] = (p3d_measured_kernel){.op = {.bytes = bytes},
                .n_ranks = n_ranks,
                .time_s = cost_collective_s(
                        &machine, P3D_ALL_GATHER, group, bytes)};
    }
    assert_true(p3d_fit_collective(&(p3d_measured_kernels){&gpu, kernels, 60},
            P3D_ALL_GATHER, &found, &quality, &err));
    CHECK_REL(found.link_frac, 0.7, 0.02);
    CHECK_REL(found.launch_s, 8e-6, 0.1);
    CHECK_REL(found.step_s, 1e-6, 0.1);
    assert_true(quality.held_error_frac < 0.01);
}

static void too_few_kernels_are_refused(void **state)
{
    const p3d_measured_kernel kernels[5] = {{.op = {.m = 1}, .time_s = 1}};
    p3d_gemm_fit fit = {.peak_frac = 0.5};
    p3d_fit_quality quality;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_fit_gemm(&(p3d_measured_kernels){&gpu, kernels, 5}, false,
            &fit, &quality, &err));
    test_check_error(&err, P3D_DATA, "5 measured kernels, at least 6 needed");
    assert_true(fit.peak_frac == 0.5);
}

static double cell(const p3d_csv *csv, int row, const char *name)
{
    return strtod(p3d_csv_get(csv, row, p3d_csv_find(csv, name)), NULL);
}

/* What hardware/calibration says of its error on published products holds. */
static void stated_errors_are_those_on_published_products(void **state)
{
    static const struct {
        const char *gpu, *basis, *calibration;
    } rows[] = {{"A100-SXM4-80GB", "A100-SXM4-80GB", "sm80"},
            {"H100-SXM5-80GB", "H100-SXM5-80GB", "sm90"},
            {"H200-SXM5-141GB", "H200-SXM-141GB", "sm90-h200"},
            {"B200-SXM6-180GB", "B200-SXM-180GB", "sm100"}};
    p3d_csv csv = {.n_rows = 0};
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_csv_open("bench/published/gemm.csv", &csv, &err));
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        p3d_cluster c = {.n_gpus = 1};
        double sum = 0;
        int n = 0;

        assert_true(p3d_gpu_find(rows[r].basis, &c.gpu, &err));
        assert_true(spec_calibration_load(
                rows[r].calibration, &c.calibration, &err));
        c.calibration.sustained_frac = 1; /* short bursts */
        c.calibration.gemm.sustained_frac = 0;
        for (int i = 0; i < csv.n_rows; i++) {
            if (strcmp(p3d_csv_get(&csv, i, p3d_csv_find(&csv, "gpu")),
                        rows[r].gpu) != 0)
                continue;
            sum += fabs(cost_gemm_s(&c, P3D_BF16,
                                (cost_product){(int64_t)cell(&csv, i, "m"),
                                        (int64_t)cell(&csv, i, "n"),
                                        (int64_t)cell(&csv, i, "k"), 1}) /
                                (1e-6 * cell(&csv, i, "time_us")) -
                        1);
            n++;
        }
        assert_true(n > 700);
        assert_true(sum / n < 1.03 * c.calibration.gemm.error_frac);
        assert_true(sum / n < 0.06);
    }
    p3d_csv_close(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_roofline_s_constants_are_found_again),
            cmocka_unit_test(tiles_and_waves_are_found_again),
            cmocka_unit_test(attention_s_constants_are_found_again),
            cmocka_unit_test(a_collective_s_constants_are_found_again),
            cmocka_unit_test(too_few_kernels_are_refused),
            cmocka_unit_test(stated_errors_are_those_on_published_products),
    };

    return cmocka_run_group_tests_name("fits", tests, NULL, NULL);
}
