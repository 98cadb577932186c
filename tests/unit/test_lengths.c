/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lengths.c - texts of different lengths in sequences, by hand. */
#include "problem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "spec/lengths.h"

/* LLaMA-2-7B: 32 layers, hidden 4096. */
enum { H = 4096, L = 32, S = 4096 };

static p3d_problem texts(p3d_filling filling, double mean, double deviation)
{
    p3d_problem p = problem_of("llama-2-7b", "8xA100", "fsdp2", S, 64);

    p.job.lengths =
            (p3d_lengths){filling, mean, mean * mean + deviation * deviation};
    return p;
}

/* Four texts of 1,024 tokens in a sequence of 4,096: a quarter of the pairs.
 * Texts of 500 and 1,500: (500^2 + 1500^2) / 2000 = 1,250 for a token. */
static void packed_texts_see_themselves_alone(void **state)
{
    const p3d_problem whole = texts(P3D_FILLING_WHOLE, 0, 0);
    const p3d_problem even = texts(P3D_FILLING_PACKED, 1024, 0);
    const p3d_problem odd = texts(P3D_FILLING_PACKED, 1000, 500);
    const double full = p3d_model_flop_per_token(&whole.model, &whole.job);
    const double each = 3.0 * L * 4 * H / 2; /* for a token seen */

    (void)state;
    CHECK_REL(p3d_text_tokens(&odd.job), 1250, 1e-12);
    CHECK_REL(full - p3d_model_flop_per_token(&even.model, &even.job),
            each * (S - 1024), 1e-9);
    CHECK_REL(full - p3d_model_flop_per_token(&odd.model, &odd.job),
            each * (S - 1250), 1e-9);
    assert_true(p3d_job_tokens(&odd.job) == 64.0 * S);
}

/* The rest of a step stays as it was. */
static void packing_shortens_attention_alone(void **state)
{
    const p3d_problem whole = texts(P3D_FILLING_WHOLE, 0, 0);
    const p3d_problem even = texts(P3D_FILLING_PACKED, 1024, 0);
    const char *const words = "zero=3,recompute=full";
    const p3d_estimate a = problem_estimate(&whole, words);
    const p3d_estimate b = problem_estimate(&even, words);

    (void)state;
    CHECK_REL(b.time.gemm_s, a.time.gemm_s, 1e-12);
    assert_true(b.time.attention_s < a.time.attention_s / 2);
    assert_true(b.time.attention_s > a.time.attention_s / 4);
    assert_int_equal(p3d_memory_device_bytes(&b.memory),
            p3d_memory_device_bytes(&a.memory));
    assert_true(b.tokens_per_s > a.tokens_per_s);
}

/* A quarter of each sequence is text: the step is as long, a quarter of its
 * tokens counts, and so does their arithmetic. */
static void padding_is_computed_and_not_counted(void **state)
{
    const p3d_problem whole = texts(P3D_FILLING_WHOLE, 0, 0);
    const p3d_problem padded = texts(P3D_FILLING_PADDED, 1024, 0);
    const p3d_problem packed = texts(P3D_FILLING_PACKED, 1024, 0);
    const char *const words = "zero=3,recompute=full";
    const p3d_estimate a = problem_estimate(&whole, words);
    const p3d_estimate b = problem_estimate(&padded, words);

    (void)state;
    CHECK_REL(p3d_time_step_s(&b.time), p3d_time_step_s(&a.time), 1e-12);
    CHECK_REL(b.tokens_per_s, a.tokens_per_s / 4, 1e-12);
    CHECK_REL(b.hfu_frac, a.hfu_frac, 1e-12);
    CHECK_REL(b.mfu_frac / a.mfu_frac,
            p3d_model_flop_per_token(&packed.model, &packed.job) /
                    p3d_model_flop_per_token(&whole.model, &whole.job) / 4,
            1e-12);
}

static void a_text_is_no_longer_than_a_sequence(void **state)
{
    p3d_problem p = texts(P3D_FILLING_PACKED, 4000, 4000);

    (void)state;
    assert_true(p3d_text_tokens(&p.job) == S);
    p.job.lengths.filling = P3D_FILLING_PADDED;
    assert_true(p3d_job_tokens(&p.job) == 64.0 * 4000);
    p.job.lengths.mean = 0; /* not said */
    assert_true(p3d_job_tokens(&p.job) == 64.0 * S);
    assert_null(p3d_filling_word(P3D_N_FILLINGS));
}

static p3d_lengths read_of(const char *words, int seq_len)
{
    p3d_lengths lengths = {P3D_FILLING_PACKED, 0, 0};
    p3d_error err = {0};

    problem_check(spec_lengths_read(words, seq_len, &lengths, &err), &err);
    return lengths;
}

static void refuses(const char *words, p3d_code code, const char *why)
{
    p3d_lengths lengths = {P3D_FILLING_PACKED, 0, 0};
    p3d_error err = {0};

    assert_false(spec_lengths_read(words, 1000, &lengths, &err));
    test_check_error(&err, code, why);
}

static void write_lengths(const char *text)
{
    FILE *const file = fopen("build/lengths.test", "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* 100, 300 and 2,000 cut at 1,000: mean 1,400 / 3. */
static void lengths_are_read(void **state)
{
    p3d_lengths lengths = read_of("700,450", 1000);

    (void)state;
    CHECK_REL(lengths.mean_square, 700.0 * 700 + 450 * 450, 1e-12);
    write_lengths("100\n300\n\n 2000\r\n");
    lengths = read_of("build/lengths.test", 1000);
    CHECK_REL(lengths.mean, 1400.0 / 3, 1e-12);
    CHECK_REL(lengths.mean_square, (1e4 + 9e4 + 1e6) / 3, 1e-12);
    write_lengths("100\nten\n");
    refuses("build/lengths.test", P3D_DATA, ":2: 'ten' is no number of tokens");
    write_lengths("\n");
    refuses("build/lengths.test", P3D_DATA, "has no lengths");
    assert_int_equal(unlink("build/lengths.test"), 0);
    refuses("build/lengths.test", P3D_DATA, "no such file");
    refuses("1001,5", P3D_USAGE, "the mean '1001,5' is of 1 to 1000 tokens");
    refuses("700,-1", P3D_USAGE, "its standard deviation of 0 to as many");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(packed_texts_see_themselves_alone),
            cmocka_unit_test(packing_shortens_attention_alone),
            cmocka_unit_test(padding_is_computed_and_not_counted),
            cmocka_unit_test(a_text_is_no_longer_than_a_sequence),
            cmocka_unit_test(lengths_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
