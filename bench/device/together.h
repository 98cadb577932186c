/* SPDX-License-Identifier: GPL-3.0-or-later */
/* together.h - what several ranks measure at once, each on its own device. */
#ifndef PLAN3D_BENCH_TOGETHER_H
#define PLAN3D_BENCH_TOGETHER_H

#include "bench/device/commands.h"

/** What became of a step on a rank; the worst counts. */
typedef enum bench_verdict {
    BENCH_DONE,
    BENCH_LEFT_OUT, /* it cannot be run here, which is no fault */
    BENCH_FAILED
} bench_verdict;

/** The verdict of an error: P3D_DATA is left out. */
bench_verdict bench_verdict_of(bool ok, const p3d_error *cause);

/**
 * Agree on a step, so that no rank waits for one that leaves it out; all ranks
 * come here. One rank agrees with itself.
 *
 * @return false when a rank is lost
 */
P3D_CHECK bool bench_agree(const bench_task *task, bench_verdict mine,
        bench_verdict *all, p3d_error *err);

/** Begin at once on all ranks. */
P3D_CHECK bool bench_begin_together(const bench_task *task, p3d_error *err);

/** What a run took on the fastest and on the slowest device. */
typedef struct bench_spread {
    int64_t n_devices; /* 0 = there was one: nothing is known */
    double fastest_s;
    double slowest_s;
} bench_spread;

/** @param out  on rank 0 */
P3D_CHECK bool bench_find_spread(const bench_task *task, double median_s,
        bench_spread *out, p3d_error *err);

#endif
