/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.h - tests that run the program of the stand-ins in a folder of their
 * own. */
#ifndef PLAN3D_TESTS_BESIDE_H
#define PLAN3D_TESTS_BESIDE_H

#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The program that was built beside a test of this name. */
static inline void beside_find(const char *test, char *program, size_t n)
{
    char here[2048];

    assert_non_null(getcwd(here, sizeof(here)));
    snprintf(program, n, "%s%s%.*s/fake/plan3d-bench",
            test[0] == '/' ? "" : here, test[0] == '/' ? "" : "/",
            (int)(strrchr(test, '/') - test), test);
}

#endif
