/* SPDX-License-Identifier: GPL-3.0-or-later */
/* support.c - the checks of test.h. */
#include "test.h"

#include <math.h>
#include <string.h>

void test_check_rel(double got, double want, double rel, const char *what,
        const char *file, int line)
{
    const double scale = fmax(fabs(got), fabs(want));

    if (!(fabs(got - want) <= rel * scale)) {
        print_error("%s:%d: %s is %.17g, expected %.17g within %g\n", file,
                line, what, got, want, rel);
        _fail(file, line);
    }
}

void test_check_error(const p3d_error *err, p3d_code code, const char *words)
{
    assert_int_equal(err->code, code);
    if (strstr(err->text, words) == NULL) {
        print_error("'%s' does not say '%s'\n", err->text, words);
        fail();
    }
}
