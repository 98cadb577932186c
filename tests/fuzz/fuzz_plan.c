/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_plan.c - words of plans and pins: an accepted plan is read the same
 * after it was printed. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/search.h"

enum { N_GPUS = 64, WORDS = 512 };

static void check_round_trip(const p3d_plan *plan)
{
    char printed[WORDS], again[WORDS];
    p3d_plan read;

    p3d_plan_print(plan, printed, sizeof(printed));
    P3D_ASSERT(p3d_plan_parse(printed, N_GPUS, NULL, &read, NULL));
    p3d_plan_print(&read, again, sizeof(again));
    P3D_ASSERT(strcmp(printed, again) == 0);
}

bool fuzz_plan(const uint8_t *data, size_t n)
{
    char *const words = fuzz_text(data, n);
    p3d_error err = {0};
    p3d_error pins_err = {0};
    p3d_plan plan;
    p3d_pins pins;
    const bool ok = p3d_plan_parse(words, N_GPUS, NULL, &plan, &err);

    fuzz_check_error(ok, &err);
    if (ok)
        check_round_trip(&plan);
    fuzz_check_error(p3d_pins_parse(words, &pins, &pins_err), &pins_err);
    free(words);
    return ok;
}
