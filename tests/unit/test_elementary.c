/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_elementary.c - the last digits of exp, log and the like. */
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"

/* The nearest double, by mpmath with 300 bits. */
static const struct {
    double (*of)(double x);
    double x, y;
} rows[] = {
        {p3d_exp, 0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1},
        {p3d_exp, -0x1.0000000000000p+0, 0x1.78b56362cef38p-2},
        {p3d_exp, 0x1.0000000000000p-1, 0x1.a61298e1e069cp+0},
        {p3d_exp, 0x1.d2aaaaaaaaaabp+7, 0x1.8bdbe8017e840p+336},
        {p3d_exp, -0x1.4520000000000p+9, 0x1.d99ba65a1c91fp-939},
        {p3d_exp, 0x1.12e0be826d695p-30, 0x1.000000044b830p+0},
        {p3d_exp, 0x1.652bd3c361134p-7, 0x1.02ce3fef9bae3p+0},
        {p3d_expm1, 0x1.0000000000000p+0, 0x1.b7e151628aed3p+0},
        {p3d_expm1, -0x1.6666666666666p-1, -0x1.01bf92311555fp-1},
        {p3d_expm1, 0x1.26e978d4fdf3bp-7, 0x1.283e3b6d58a57p-7},
        {p3d_expm1, 0x1.6872b020c49bap-7, 0x1.6a701095c93bcp-7},
        {p3d_expm1, 0x1.5798ee2308c3ap-27, 0x1.5798ee3fdb764p-27},
        {p3d_expm1, 0x1.c000000000000p+1, 0x1.00ec721396bdbp+5},
        {p3d_log, 0x1.0000000000000p+1, 0x1.62e42fefa39efp-1},
        {p3d_log, 0x1.4000000000000p+3, 0x1.26bb1bbb55516p+1},
        {p3d_log, 0x1.999999999999ap-4, -0x1.26bb1bbb55515p+1},
        {p3d_log, 0x1.000001ad7f29bp+0, 0x1.ad7f2847b6492p-24},
        {p3d_log, 0x1.ff7ced916872bp-1, -0x1.064670d979b73p-10},
        {p3d_log, 0x1.1eb2d66005835p+998, 0x1.59efe3d35d637p+9},
        {p3d_log, 0x1.56e1fc2f8f359p-996, -0x1.590a8b738c127p+9},
        {p3d_log1p, 0x1.0000000000000p+0, 0x1.62e42fefa39efp-1},
        {p3d_log1p, -0x1.0000000000000p-1, -0x1.62e42fefa39efp-1},
        {p3d_log1p, 0x1.26e978d4fdf3bp-7, 0x1.2597c215e6471p-7},
        {p3d_log1p, 0x1.6872b020c49bap-7, 0x1.667ade57a911bp-7},
        {p3d_log1p, 0x1.5798ee2308c3ap-27, 0x1.5798ee0636111p-27},
        {p3d_log1p, 0x1.c000000000000p+2, 0x1.0a2b23f3bab73p+1},
        {p3d_log2, 0x1.0000000000000p+3, 0x1.8000000000000p+1},
        {p3d_log2, 0x1.8000000000000p+1, 0x1.95c01a39fbd68p+0},
        {p3d_log2, 0x1.8000000000000p-1, -0x1.a8ff971810a5ep-2},
        {p3d_log2, 0x1.dcd6500000000p+29, 0x1.de5b8eaa8d7e0p+4},
        {p3d_log2, 0x1.0000000000000p-3, -0x1.8000000000000p+1},
        {p3d_log10, 0x1.f400000000000p+9, 0x1.8000000000000p+1},
        {p3d_log10, 0x1.0000000000000p+1, 0x1.34413509f79ffp-2},
        {p3d_log10, 0x1.0624dd2f1a9fcp-10, -0x1.8000000000000p+1},
        {p3d_log10, 0x1.0f0cf064dd592p+73, 0x1.6000000000000p+4},
        {p3d_cos, 0x0.0p+0, 0x1.0000000000000p+0},
        {p3d_cos, 0x1.0000000000000p+0, 0x1.14a280fb5068cp-1},
        {p3d_cos, 0x1.0000000000000p+1, -0x1.aa22657537205p-2},
        {p3d_cos, 0x1.8000000000000p+1, -0x1.fae04be85e5d2p-1},
        {p3d_cos, 0x1.91eb851eb851fp+2, 0x1.ffff55c68488ep-1},
        {p3d_cos, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
        {p3d_cos, 0x1.81cd6c8b43958p+13, 0x1.6b94c3bbe24b8p-1},
};

static const struct {
    double (*of)(double x, double y);
    double x, y, z;
} pairs[] = {
        {p3d_pow, 0x1.0000000000000p+1, 0x1.0000000000000p-1,
                0x1.6a09e667f3bcdp+0},
        {p3d_pow, 0x1.999999999999ap-4, 0x1.4000000000000p+3,
                0x1.b7cdfd9d7bdbfp-34},
        {p3d_pow, 0x1.11eb851eb851fp+0, 0x1.999999999999ap-4,
                0x1.01bce93f88814p+0},
        {p3d_pow, 0x1.4000000000000p+3, -0x1.0000000000000p+1,
                0x1.47ae147ae147bp-7},
        {p3d_pow, 0x1.4000000000000p+3, 0x1.6000000000000p+4,
                0x1.0f0cf064dd592p+73},
        {p3d_pow, 0x1.8000000000000p+1, -0x1.e666666666666p+0,
                0x1.fbf5c65a480f8p-4},
        {p3d_pow, 0x1.0624dd2f1a9fcp-10, 0x1.a666666666666p+1,
                0x1.14d7333fd9ee0p-33},
        {p3d_pow, 0x1.fae147ae147aep-1, 0x1.3880000000000p+13,
                0x1.00c3c3333189fp-145},
        {p3d_hypot, 0x1.8000000000000p+1, 0x1.0000000000000p+2,
                0x1.4000000000000p+2},
        {p3d_hypot, 0x1.0000000000000p+0, 0x1.0000000000000p+0,
                0x1.6a09e667f3bcdp+0},
        {p3d_hypot, 0x0.0p+0, 0x1.0000000000000p+1, 0x1.0000000000000p+1},
        {p3d_hypot, 0x1.0624dd2f1a9fcp-10, 0x1.2599ed7c6fbd2p-14,
                0x1.06c9146da8d69p-10},
};

static void values_are_the_nearest_doubles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].of(rows[i].x) != rows[i].y)
            fail_msg("row %zu: %a", i, rows[i].of(rows[i].x));
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (pairs[i].of(pairs[i].x, pairs[i].y) != pairs[i].z)
            fail_msg("pair %zu: %a", i, pairs[i].of(pairs[i].x, pairs[i].y));
}

/* FNV-1a of the bits of many values. */
static uint64_t mixed;

static void mix(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    for (int i = 0; i < 64; i += 8)
        mixed = (mixed ^ (bits >> i & 0xff)) * 0x100000001b3;
}

/* A compiler, a library or a machine that answers otherwise shows here. */
static void every_machine_has_the_same_bits(void **state)
{
    (void)state;
    mixed = 0xcbf29ce484222325;
    for (int i = 1; i <= 20000; i++) {
        const double x = i / 1024.0;

        mix(p3d_exp(x - 9));
        mix(p3d_expm1(x / 8 - 1));
        mix(p3d_log(x));
        mix(p3d_log1p(x - 0.99));
        mix(p3d_log2(x));
        mix(p3d_log10(x));
        mix(p3d_cos(x));
        mix(p3d_pow(x, 1.9));
        mix(p3d_hypot(x, 3));
    }
    if (mixed != 0xaca1706b24b519be)
        fail_msg("0x%016llx", (unsigned long long)mixed);
}

static void it_is_near_that_of_the_c_library(void **state)
{
    (void)state;
    for (int i = 1; i <= 20000; i++) {
        const double x = i / 1024.0;

        assert_true(fabs(p3d_exp(x) / exp(x) - 1) < 1e-15);
        assert_true(fabs(p3d_log(x) - log(x)) <= 1e-15 * fabs(log(x)));
        assert_true(fabs(p3d_pow(x, -3.3) / pow(x, -3.3) - 1) < 1e-15);
        assert_true(fabs(p3d_cos(x) - cos(x)) < 1e-15);
    }
}

static void ends_are_those_of_the_c_library(void **state)
{
    (void)state;
    assert_true(p3d_exp(800) == HUGE_VAL);
    assert_true(p3d_exp(-800) == 0);
    assert_true(p3d_exp(-720) == exp(-720));
    assert_true(p3d_expm1(-800) == -1);
    assert_true(p3d_expm1(0) == 0);
    assert_true(p3d_log(0) == -HUGE_VAL);
    assert_true(isnan(p3d_log(-1)));
    assert_true(isnan(p3d_log(nan(""))));
    assert_true(p3d_log(HUGE_VAL) == HUGE_VAL);
    assert_true(p3d_log(1) == 0);
    assert_true(p3d_log1p(-1) == -HUGE_VAL);
    assert_true(p3d_log1p(0) == 0);
    assert_true(p3d_log2(0) == -HUGE_VAL);
    assert_true(p3d_pow(0, 2) == 0);
    assert_true(p3d_pow(2, 1e9) == HUGE_VAL);
    assert_true(p3d_pow(7, 0) == 1);
    assert_true(p3d_pow(1, 1e300) == 1);
    assert_true(p3d_hypot(0, 0) == 0);
    assert_true(isnan(p3d_cos(HUGE_VAL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(values_are_the_nearest_doubles),
            cmocka_unit_test(every_machine_has_the_same_bits),
            cmocka_unit_test(it_is_near_that_of_the_c_library),
            cmocka_unit_test(ends_are_those_of_the_c_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
