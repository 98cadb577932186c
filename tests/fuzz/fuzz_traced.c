/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_traced.c - traces of a profiler: the times of a step add up to it. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "base/util.h"
#include "plan3d/trace.h"

bool fuzz_traced(const uint8_t *data, size_t n)
{
    p3d_trace trace = {.n_steps = 0};
    p3d_error err = {0};
    const bool ok = p3d_trace_open(fuzz_file(data, n), &trace, &err);
    double sum_s = trace.idle_s;

    fuzz_check_error(ok, &err);
    if (!ok)
        return false;
    for (int i = 0; i < P3D_N_TRACED; i++) {
        P3D_ASSERT(trace.kinds[i].exposed_s >= 0);
        sum_s += trace.kinds[i].exposed_s;
    }
    P3D_ASSERT(trace.n_steps > 0 && trace.step_s >= 0);
    P3D_ASSERT(fabs(sum_s - trace.step_s) <= 1e-6 * (1 + trace.step_s));
    p3d_trace_free(&trace);
    return true;
}
