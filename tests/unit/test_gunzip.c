/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gunzip.c - gzip is unpacked however its bytes come, and what is no gzip
 * any more is refused. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/gunzip.h"

/* The same text by Python's zlib: as it is, with fixed codes, and with every
 * optional part of a header. */
#define HEAD    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03"
#define TRAILER "\xab\x35\xe5\x6c\x17\x00\x00\x00"
#define FIXED   "\x2b\x2e\x49\x2d\x28\x56\xc8\x4f\x53\x28\x46\x61\x00\x00"
static const char TEXT[] = "steps of steps of steps";
static const char stored[] = HEAD
        "\x01\x17\x00\xe8\xff\x73\x74\x65\x70\x73\x20\x6f\x66\x20\x73\x74\x65"
        "\x70\x73\x20\x6f\x66\x20\x73\x74\x65\x70\x73" TRAILER;
static const char fixed[] = HEAD FIXED TRAILER;
static const char named[] =
        "\x1f\x8b\x08\x1e\x00\x00\x00\x00\x02\x03\x02\x00\x61\x62\x6e\x00\x63"
        "\x00\x00\x00" FIXED TRAILER;
static const char twice[] = HEAD FIXED TRAILER HEAD FIXED TRAILER;

static char got[4096];
static size_t n_got;
static size_t room;

static bool take(void *to, const char *part, size_t n, p3d_error *err)
{
    (void)to;
    if (n_got + n > room)
        return p3d_fail(err, P3D_SYSTEM, "no room");
    memcpy(got + n_got, part, n);
    n_got += n;
    return true;
}

/* Unpack in parts of so many bytes. */
static bool unpack(const char *data, size_t n, size_t part, p3d_error *err)
{
    p3d_gunzip *const g = p3d_gunzip_new(&(p3d_taker){take, NULL});
    bool ok = true;

    assert_non_null(g);
    n_got = 0;
    for (size_t i = 0; ok && i < n; i += part)
        ok = p3d_gunzip_take(g, data + i, part < n - i ? part : n - i, err);
    ok = ok && p3d_gunzip_end(g, err);
    p3d_gunzip_free(g);
    return ok;
}

static void check(const char *data, size_t n, const char *expected)
{
    for (size_t part = 1; part <= n; part++) {
        p3d_error err = {0};

        assert_true(unpack(data, n, part, &err));
        assert_int_equal(n_got, strlen(expected));
        assert_memory_equal(got, expected, n_got);
    }
}

static void every_way_of_packing_is_read(void **state)
{
    (void)state;
    room = sizeof(got);
    check(stored, sizeof(stored) - 1, TEXT);
    check(fixed, sizeof(fixed) - 1, TEXT);
    check(named, sizeof(named) - 1, TEXT);
    check(twice, sizeof(twice) - 1,
            "steps of steps of stepssteps of steps of steps");
}

static void what_is_not_packed_passes(void **state)
{
    (void)state;
    check("{}", 2, "{}");
    check("\x1fx", 2, "\x1fx");
    check("", 0, "");
}

static void every_cut_is_noticed(void **state)
{
    (void)state;
    for (size_t n = 1; n < sizeof(named) - 1; n++) {
        p3d_error err = {0};

        assert_false(unpack(named, n, 7, &err));
        test_check_error(&err, P3D_DATA, "cut short");
    }
}

/* Whatever bit is wrong, either it says so or nothing hangs on it (the time
 * and the system of a header). */
static void every_wrong_bit_is_survived(void **state)
{
    char data[sizeof(fixed)];
    int n_refused = 0;

    (void)state;
    for (size_t bit = 0; bit < 8 * (sizeof(fixed) - 1); bit++) {
        p3d_error err = {0};

        memcpy(data, fixed, sizeof(fixed));
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
        n_refused += !unpack(data, sizeof(fixed) - 1, 5, &err);
    }
    assert_true(n_refused > 150);
}

static void who_takes_can_refuse(void **state)
{
    p3d_error err = {0};

    (void)state;
    room = 3;
    assert_false(unpack(fixed, sizeof(fixed) - 1, 100, &err));
    test_check_error(&err, P3D_SYSTEM, "no room");
    room = sizeof(got);
    p3d_gunzip_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_way_of_packing_is_read),
            cmocka_unit_test(what_is_not_packed_passes),
            cmocka_unit_test(every_cut_is_noticed),
            cmocka_unit_test(every_wrong_bit_is_survived),
            cmocka_unit_test(who_takes_can_refuse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
