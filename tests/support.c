/* SPDX-License-Identifier: GPL-3.0-or-later */
/* support.c - the checks of test.h. */
#include "test.h"

#include <locale.h>
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

void test_every_locale(void (*check)(void))
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
            "fr_FR.UTF-8", "fr_FR.utf8", "ps_AF.UTF-8", "ps_AF.utf8", "ps_AF"};
    int n_tried = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (setlocale(LC_ALL, names[i]) == NULL)
            continue;
        n_tried++;
        check();
    }
    setlocale(LC_ALL, "C");
    if (n_tried == 0) {
        print_message("skipped: no locale with another decimal point\n");
        skip();
    }
}
