/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test.h - what every test includes: cmocka, checks on numbers and errors. */
#ifndef PLAN3D_TEST_H
#define PLAN3D_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "plan3d/error.h"

#if defined(__SANITIZE_ADDRESS__)
#    define TEST_SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define TEST_SANITIZED 1
#    endif
#endif

/** A test that tries every plan of many problems takes every so many of them.
 *  Sanitizers make a program six times as slow, and what they find does not
 *  depend on the problem as an answer does. TEST_SELDOM: where a problem takes
 *  seconds without them. */
#ifdef TEST_SANITIZED
enum { TEST_EVERY = 5, TEST_SELDOM = 10 };
#else
enum { TEST_EVERY = 1, TEST_SELDOM = 1 };
#endif

/** got and want agree within the relative tolerance (both 0 agree). */
#define CHECK_REL(got, want, rel) \
    test_check_rel((got), (want), (rel), #got, __FILE__, __LINE__)

void test_check_rel(double got, double want, double rel, const char *what,
        const char *file, int line);

/** Run a check in every locale of this machine whose decimal point is not one;
 *  without any, the test is skipped. */
void test_every_locale(void (*check)(void));

/** The call failed with this code and its message contains the words. */
void test_check_error(const p3d_error *err, p3d_code code, const char *words);

#endif
