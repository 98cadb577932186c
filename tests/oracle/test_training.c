/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_training.c - failures and goodput of published trainings. */
#include "problem.h"

/* arXiv:2407.21783 section 3.3.4: more than 90 % of effective training time,
 * 419 unexpected interruptions in 54 days. The plan is that of its table 4
 * with a sequence of 8,192; the rate of failures is plan3d's own default, so
 * that only the goodput is a test of the formulas. */
static void llama_3_405b_works_more_than_nine_tenths(void **state)
{
    p3d_problem p = problem_of(
            "llama-3.1-405b", "16384xH100", "megatron-core", 8192, 2048);
    p3d_training t;

    (void)state;
    p.job.n_tokens = 15.6e12;
    t = problem_training(&p, "tp=8,pp=16,dp=128,zero=1,mbs=1,sp");
    assert_true(t.goodput_frac > 0.90);
    assert_true(t.goodput_frac < 0.96);
    CHECK_REL(t.n_failures * 54 * 86400 / t.real_s, 419, 1e-9);
}

/* arXiv:2402.15627 section 6.3: an effective rate above 90 % on more than
 * 10,000 GPUs, and work is caught up within 15 minutes. The plan is that of its
 * table 2; A100 stand in for its GPUs. */
static void megascale_catches_up_within_15_minutes(void **state)
{
    p3d_problem p =
            problem_of("gpt3-175b", "12288xA100", "megatron-core", 2048, 6144);
    p3d_training t;

    (void)state;
    p.job.n_tokens = 3e12;
    t = problem_training(&p, "tp=8,pp=8,dp=192,vp=6,zero=1,mbs=1,sp");
    assert_true(t.goodput_frac > 0.90);
    assert_true((t.lost_s + t.restart_s) / t.n_failures < 15 * 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(llama_3_405b_works_more_than_nine_tenths),
            cmocka_unit_test(megascale_catches_up_within_15_minutes),
    };

    return cmocka_run_group_tests_name("training", tests, NULL, NULL);
}
