/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compression.c - ZeRO++, 1-bit Adam and PowerSGD: words, bytes, seconds
 * and rules. */
#include "problem.h"

#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/estimate.h"
#include "spec/compression.h"

/* LLaMA-2-7B has 6,738,415,616 parameters. */
#define P 6738415616.0

static p3d_problem usual(const char *framework, const char *words)
{
    p3d_problem p = problem_of("llama-2-7b", "2x8xA100", framework, 4096, 16);
    p3d_error err = {0};

    p.job.dp_overlap = P3D_OVERLAP_OFF;
    if (words[0] != '\0' &&
            !spec_compression_read(words, &p.job.compression, &err))
        fail_msg("%s", err.text);
    return p;
}

static void words_are_read_and_printed(void **state)
{
    static const char *const good[] = {"qwz", "qgz", "hpz=8", "qwz,qgz,hpz=8",
            "onebit", "powersgd=4", "int8"};
    static const char *const bad[] = {"", "qwz,", "qwz=1", "hpz", "hpz=0",
            "hpz=-1", "hpz=99999999", "powersgd=x", "qwz,onebit",
            "hpz=8,powersgd=4", "onebits", "int8=8", "int8,onebit"};
    p3d_compression c;
    p3d_error err = {0};
    char text[SPEC_COMPRESSION_WORDS];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(good); i++) {
        assert_true(spec_compression_read(good[i], &c, &err));
        assert_string_equal(spec_compression_print(&c, text), good[i]);
    }
    for (int i = 0; i < P3D_COUNT_OF(bad); i++) {
        assert_false(spec_compression_read(bad[i], &c, &err));
        assert_int_equal(err.code, P3D_USAGE);
    }
    c = (p3d_compression){0};
    assert_string_equal(spec_compression_print(&c, text), "");
}

/* Rank 4: of each layer 4 matrices of 4096 x 4096 (4 x 8,192 numbers each) and
 * 3 of 11008 x 4096 (4 x 15,104), of the ends 2 of 32000 x 4096 (4 x 36,096);
 * 65 norms of 4,096 as they are:
 * 32 (131,072 + 181,248) + 288,768 + 266,240 = 10,549,248. */
static void powersgd_leaves_two_thin_matrices(void **state)
{
    const p3d_problem p = usual("ddp", "");
    p3d_model other = p.model;

    (void)state;
    CHECK_REL(p3d_low_rank_numbers(&p.model, 4), 10549248, 1e-15);
    /* Rank 2,048 is no less than a matrix of 4096 x 4096 / 2. */
    assert_true(p3d_low_rank_numbers(&p.model, 2048) > P / 2);
    other.n_experts = 8;
    assert_true(p3d_low_rank_numbers(&other, 4) <= 0);
}

static double states(const char *framework, const char *words, const char *plan)
{
    const p3d_problem p = usual(framework, words);
    const p3d_memory m = problem_estimate(&p, plan).memory;

    return (double)(m.weights_bytes + m.gradients_bytes + m.optimizer_bytes);
}

/* hpZ: 2 P / 8; 1-bit Adam: errors in fp32, of all and of a sixteenth;
 * PowerSGD: of all and its factors. */
static void errors_and_second_shares_are_kept(void **state)
{
    static const char sharded[] = "zero=3,mbs=1,recompute=full";
    static const char whole[] = "zero=0,mbs=1,recompute=full";

    (void)state;
    CHECK_REL(states("deepspeed-hf", "hpz=8", sharded) -
                      states("deepspeed-hf", "", sharded),
            2 * P / 8, 1e-6);
    CHECK_REL(states("deepspeed-hf", "qwz,qgz", sharded),
            states("deepspeed-hf", "", sharded), 1e-12);
    CHECK_REL(states("deepspeed-hf", "onebit", whole) -
                      states("deepspeed-hf", "", whole),
            4 * P * 17 / 16, 1e-6);
    CHECK_REL(states("ddp", "powersgd=4", whole) - states("ddp", "", whole),
            4 * (P + 10549248), 1e-6);
}

static double exposed(const p3d_problem *p, const char *words, int64_t m)
{
    const p3d_plan plan = problem_plan(p, words);
    const p3d_params all = {.dense = (int64_t)P};

    return cost_dp_exposed_s(p, &plan, (cost_shared){all, all, {0, 0}},
            (cost_pass_time){1, 2}, m);
}

/** n collectives of an n-th each, over the neighbours of a node, over those
 *  with the same place in two nodes, or over all 16. */
static double sent(
        const p3d_problem *p, p3d_collective op, int ranks, double bytes, int n)
{
    return n * cost_collective_s(&p->cluster, op,
                       cost_place(&p->cluster,
                               &(p3d_plan){.tp = 1,
                                       .pp = 1,
                                       .cp = 1,
                                       .ep = 1,
                                       .etp = 1,
                                       .vp = 1,
                                       .dp = 16,
                                       .micro_batch = 1,
                                       .zero = 3,
                                       .shard = ranks == 16 ? 0 : 8},
                               ranks == 2 ? P3D_AXIS_COPY : P3D_AXIS_SHARD),
                       bytes / n);
}

/* 32 layers, gradients in 2 bytes on the wire. */
static void zeropp_sends_less(void **state)
{
    static const char plan[] = "zero=3,mbs=1";
    const p3d_problem plain = usual("deepspeed-hf", "");
    const p3d_problem qwz = usual("deepspeed-hf", "qwz");
    const p3d_problem hpz = usual("deepspeed-hf", "hpz=8");
    const p3d_problem qgz = usual("deepspeed-hf", "qgz");
    const double gather = sent(&plain, P3D_ALL_GATHER, 16, 2 * P, 32);
    const double near = sent(&plain, P3D_ALL_GATHER, 8, 2 * P, 32);
    const double reduce = sent(&plain, P3D_REDUCE_SCATTER, 16, 2 * P, 32);

    (void)state;
    CHECK_REL(exposed(&plain, plan, 3), 3 * (2 * gather + reduce), 1e-9);
    CHECK_REL(exposed(&qwz, plan, 3),
            3 * (2 * sent(&qwz, P3D_ALL_GATHER, 16, 1.0005 * P, 32) + reduce),
            1e-9);
    CHECK_REL(exposed(&hpz, plan, 3), gather + 5 * near + 3 * reduce, 1e-9);
    CHECK_REL(exposed(&qgz, plan, 3),
            3 * (2 * gather + sent(&qgz, P3D_ALL_TO_ALL, 8, P / 2, 32) +
                        sent(&qgz, P3D_ALL_TO_ALL, 2, P / 16, 32)),
            1e-9);
}

/* A bit of each momentum out, and of each mean back. */
static void one_bit_sends_signs(void **state)
{
    const p3d_problem p = usual("deepspeed-hf", "onebit");

    (void)state;
    CHECK_REL(exposed(&p, "zero=0,mbs=1", 3),
            sent(&p, P3D_ALL_TO_ALL, 16, P / 8, 1) +
                    sent(&p, P3D_ALL_GATHER, 16, P / 8, 1),
            1e-9);
}

/** Ranks 0 to 15 of dp=16. */
static cost_group all_ranks(const p3d_problem *p)
{
    return cost_place(&p->cluster,
            &(p3d_plan){.tp = 1,
                    .pp = 1,
                    .cp = 1,
                    .ep = 1,
                    .etp = 1,
                    .vp = 1,
                    .dp = 16,
                    .micro_batch = 1},
            P3D_AXIS_DP);
}

/* 10,549,248 numbers of 4 bytes in 258 buckets of 25 MiB, 3 all-reduces each.*/
static void powersgd_sends_its_factors(void **state)
{
    const p3d_problem p = usual("ddp", "powersgd=4");
    const double n = P / 6553600;

    (void)state;
    CHECK_REL(exposed(&p, "zero=0,mbs=1", 1),
            n * 3 *
                    cost_collective_s(&p.cluster, P3D_ALL_REDUCE, all_ranks(&p),
                            4 * 10549248.0 * (int64_t)P / P / n / 3),
            1e-6);
}

/* A byte of each gradient from each of 16 ranks, in 1,028.2 buckets of
 * 6,553,600 numbers; over these 57 + 34 x 16 = 601 bytes are moved for each
 * gradient, and a bucket of all ranks and its fp32 sum lie beside them. */
static void eight_bits_are_gathered(void **state)
{
    const p3d_problem p = usual("ddp", "int8");
    const p3d_problem plain = usual("ddp", "");
    const p3d_plan plan = problem_plan(&p, "zero=0,mbs=1");
    const p3d_params all = {.dense = (int64_t)P};
    const double n = P / 6553600;

    (void)state;
    CHECK_REL(exposed(&p, "zero=0,mbs=1", 1),
            n * cost_collective_s(
                        &p.cluster, P3D_ALL_GATHER, all_ranks(&p), 16 * P / n),
            1e-6);
    assert_true(exposed(&p, "zero=0,mbs=1", 1) >
                exposed(&plain, "zero=0,mbs=1", 1));
    CHECK_REL(cost_compress_step_bytes(&p.job, &plan, all), 601 * P, 1e-12);
    assert_true(cost_compress_step_bytes(&plain.job, &plan, all) <= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(words_are_read_and_printed),
            cmocka_unit_test(powersgd_leaves_two_thin_matrices),
            cmocka_unit_test(errors_and_second_shares_are_kept),
            cmocka_unit_test(zeropp_sends_less),
            cmocka_unit_test(one_bit_sends_signs),
            cmocka_unit_test(powersgd_sends_its_factors),
            cmocka_unit_test(eight_bits_are_gathered),
    };

    return cmocka_run_group_tests_name("compression", tests, NULL, NULL);
}
