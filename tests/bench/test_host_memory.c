/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_host_memory.c - Adam on the host, and the passes that are timed. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/host/host_memory.h"

/* By hand: step 1 moves every weight by the rate against the sign of its
 * gradient, since m / (1 - b1) = g and v / (1 - b2) = g^2. */
static void the_first_step_is_the_sign_of_the_gradient(void **state)
{
    float w[3] = {1, 1, 1}, g[3] = {0.5F, -2, 0}, m[3] = {0}, v[3] = {0};
    uint16_t r[3];
    const bench_adam_state adam = {w, g, m, v, r, 3};

    (void)state;
    bench_adam_step(&adam, 0, 3, 1);
    CHECK_REL((double)w[0], 0.999, 1e-6);
    CHECK_REL((double)w[1], 1.001, 1e-6);
    CHECK_REL((double)w[2], 1.0, 1e-6);
    CHECK_REL((double)m[1], -0.2, 1e-6);
    CHECK_REL((double)v[1], 0.004, 1e-4);
    assert_int_equal(r[2], 0x3f80);
}

/* By hand: g = 1 twice. m = 0.19, v = 0.001999; m / (1 - 0.81) = 1 and
 * v / (1 - 0.998001) = 1: the rate once more. */
static void later_steps_correct_the_bias(void **state)
{
    float w[1] = {1}, g[1] = {1}, m[1] = {0}, v[1] = {0};
    uint16_t r[1];
    const bench_adam_state adam = {w, g, m, v, r, 1};

    (void)state;
    bench_adam_step(&adam, 0, 1, 1);
    bench_adam_step(&adam, 0, 1, 2);
    CHECK_REL((double)m[0], 0.19, 1e-5);
    CHECK_REL((double)w[0], 0.998, 1e-5);
}

static void bf16_is_rounded_to_even(void **state)
{
    (void)state;
    assert_int_equal(bench_bf16_of(1.0F), 0x3f80);
    assert_int_equal(bench_bf16_of(-2.0F), 0xc000);
    assert_int_equal(bench_bf16_of(1.00390625F), 0x3f80); /* half: even */
    assert_int_equal(bench_bf16_of(1.01171875F), 0x3f82); /* half: even */
    assert_int_equal(bench_bf16_of(1.005F), 0x3f81);
}

static void every_kernel_is_timed(void **state)
{
    (void)state;
    for (int kernel = P3D_HOST_READ; kernel <= P3D_HOST_ADAM; kernel++) {
        for (int n_threads = 1; n_threads <= 3; n_threads++) {
            p3d_host_row row = {
                    .kernel = kernel, .n_threads = n_threads, .bytes = 1 << 21};
            p3d_error err = {0};

            if (!bench_host_measure(&row, 5, &err))
                fail_msg("%s", err.text);
            assert_int_equal(row.kernel, kernel);
            assert_int_equal(row.n_threads, n_threads);
            assert_int_equal(row.timing.n_samples, 5);
            assert_true(row.timing.median_s > 0);
            /* Adam holds 18 bytes a parameter and moves 30. */
            assert_in_range(row.bytes, 1 << 20, 30 * (1 << 21) / 18);
        }
    }
}

/* A page lies beside the processor that touches it first: not the thread that
 * only waits. */
static void pages_are_touched_by_the_threads_that_use_them(void **state)
{
    (void)state;
    for (int kernel = P3D_HOST_READ; kernel <= P3D_HOST_ADAM; kernel++) {
        p3d_host_row row = {.kernel = kernel, .n_threads = 2, .bytes = 1 << 28};
        struct rusage here[2], all[2];
        p3d_error err = {0};

        getrusage(RUSAGE_THREAD, &here[0]);
        getrusage(RUSAGE_SELF, &all[0]);
        assert_true(bench_host_measure(&row, 3, &err));
        getrusage(RUSAGE_THREAD, &here[1]);
        getrusage(RUSAGE_SELF, &all[1]);
        assert_true(all[1].ru_minflt - all[0].ru_minflt > 100);
        assert_true(4 * (here[1].ru_minflt - here[0].ru_minflt) <
                    all[1].ru_minflt - all[0].ru_minflt);
    }
}

static void too_much_memory_is_said(void **state)
{
    p3d_host_row row = {
            .kernel = P3D_HOST_READ, .n_threads = 1, .bytes = (int64_t)1 << 60};
    p3d_error err = {0};

    (void)state;
    assert_false(bench_host_measure(&row, 3, &err));
    test_check_error(&err, P3D_SYSTEM, "GiB of host memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_first_step_is_the_sign_of_the_gradient),
            cmocka_unit_test(later_steps_correct_the_bias),
            cmocka_unit_test(bf16_is_rounded_to_even),
            cmocka_unit_test(every_kernel_is_timed),
            cmocka_unit_test(pages_are_touched_by_the_threads_that_use_them),
            cmocka_unit_test(too_much_memory_is_said),
    };

    return cmocka_run_group_tests_name("host_memory", tests, NULL, NULL);
}
