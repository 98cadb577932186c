/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.h - how many processors a long computation may use. */
#ifndef PLAN3D_THREADS_H
#define PLAN3D_THREADS_H

#include "plan3d/api.h"

P3D_API_BEGIN

/**
 * From here on the long computations of this thread (p3d_judge(),
 * p3d_decisions_price(), p3d_rank_frameworks(), p3d_sweep_run()) share their
 * work among so many threads, at most 256. What they find is the same for any
 * number. Before the first call it is 1: they start none.
 *
 * Progress, watchers and what is told next are called by this thread alone;
 * `complete` of a sweep by others too, one at a time.
 *
 * @param n  0 = one for each processor that the process may use; below 0 is
 *           taken as 1
 */
void p3d_use_threads(int n);

P3D_API_END

#endif
