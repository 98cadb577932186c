/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_time.c - measured steps of published runs, within what a model
 * that was fitted to microbenchmarks only can promise. */
#include "problem.h"

/* arXiv:2205.05198 table 5 with the settings of its table 3: A100-80GB nodes
 * (Selene), no data parallelism, attention that keeps the scores, dropout;
 * "baseline" (full recomputation) and "present work" (sequence parallelism and
 * selective recomputation). The 175B rows are left out. */
static const struct {
    const char *model;
    const char *cluster;
    const char *words;
    int batch;
    double measured_s;
} korthikanti[] = {
        {"megatron-22b", "8xA100", "tp=8,nosp,mbs=4,zero=0,recompute=full", 4,
                1.42},
        {"megatron-22b", "8xA100", "tp=8,sp,mbs=4,zero=0,recompute=selective",
                4, 1.10},
        {"megatron-530b", "280xA100",
                "tp=8,pp=35,vp=3,nosp,zero=0,recompute=full", 280, 49.05},
        {"megatron-530b", "280xA100",
                "tp=8,pp=35,vp=3,sp,zero=0,recompute=selective", 280, 37.83},
        {"megatron-1t", "512xA100", "tp=8,pp=64,nosp,zero=0,recompute=full",
                512, 94.42},
        {"megatron-1t", "512xA100", "tp=8,pp=64,sp,zero=0,recompute=selective",
                512, 71.49},
};
enum { N_KORTHIKANTI = sizeof(korthikanti) / sizeof(*korthikanti) };

static p3d_estimate estimate_of_row(int i)
{
    p3d_problem problem =
            problem_of(korthikanti[i].model, korthikanti[i].cluster,
                    "megatron-core", 2048, korthikanti[i].batch);

    problem.job.dtype = P3D_FP16;
    problem.job.attention = P3D_EAGER;
    problem.job.dropout = true;
    return problem_estimate(&problem, korthikanti[i].words);
}

static void steps_of_megatron_in_2022_are_within_15_percent(void **state)
{
    (void)state;
    for (int i = 0; i < N_KORTHIKANTI; i++) {
        const p3d_estimate e = estimate_of_row(i);

        CHECK_REL(p3d_time_step_s(&e.time), korthikanti[i].measured_s, 0.15);
    }
}

/* The same table: the present work is 29.0, 29.7 and 32.1 % faster. */
static void the_gain_of_selective_recomputation_is_reproduced(void **state)
{
    static const double gain[] = {1.290, 1.297, 1.321};

    (void)state;
    for (int i = 0; i < N_KORTHIKANTI; i += 2) {
        const p3d_estimate full = estimate_of_row(i);
        const p3d_estimate selective = estimate_of_row(i + 1);

        CHECK_REL(
                p3d_time_step_s(&full.time) / p3d_time_step_s(&selective.time),
                gain[i / 2], 0.06);
    }
}

/* All of these ran in 80 GB. */
static void runs_that_happened_fit(void **state)
{
    (void)state;
    for (int i = 0; i < N_KORTHIKANTI; i++) {
        const p3d_estimate e = estimate_of_row(i);

        assert_true(p3d_memory_device_bytes(&e.memory) <
                    INT64_C(80) * 1000 * 1000 * 1000);
    }
}

/* arXiv:2407.21783 table 4: Llama 3 405B, sequences of 8,192, 16 Mi tokens a
 * step: 8,192 H100 with dp 64, 430 TFLOP/s, MFU 43 %; 16,384 with dp 128, 400
 * TFLOP/s, 41 %. Its interleaved schedule does not state the chunks; 4 are
 * taken, so that stages of 2 layers with one less at the ends are left
 * (section 3.3.2). The network there is RoCE of 400 Gb/s. Tolerance 15 %. */
static void llama_405b_reaches_about_40_percent(void **state)
{
    const char *const words = "tp=8,pp=16,vp=4,zero=1,sp";
    const p3d_problem small = problem_of(
            "llama-3.1-405b", "8192xH100", "megatron-core", 8192, 2048);
    const p3d_problem large = problem_of(
            "llama-3.1-405b", "16384xH100", "megatron-core", 8192, 2048);
    const p3d_estimate at_8192 = problem_estimate(&small, words);
    const p3d_estimate at_16384 = problem_estimate(&large, words);

    (void)state;
    CHECK_REL(at_8192.mfu_frac, 0.43, 0.15);
    CHECK_REL(at_16384.mfu_frac, 0.41, 0.15);
    assert_true(at_16384.mfu_frac < at_8192.mfu_frac);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(steps_of_megatron_in_2022_are_within_15_percent),
            cmocka_unit_test(the_gain_of_selective_recomputation_is_reproduced),
            cmocka_unit_test(runs_that_happened_fit),
            cmocka_unit_test(llama_405b_reaches_about_40_percent),
    };

    return cmocka_run_group_tests_name(
            "published step times", tests, NULL, NULL);
}
