/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - the parts of plan3d-bench memory that leave the device. */
#ifndef PLAN3D_BENCH_MEMORY_H
#define PLAN3D_BENCH_MEMORY_H

#include "bench/device/commands.h"

/** Copies from and to pinned memory, one way and both at once. */
P3D_CHECK bool bench_measure_copies(bench_task *task, p3d_error *err);

/** Passes over host memory and an Adam step on the processors. */
P3D_CHECK bool bench_measure_host(bench_task *task, p3d_error *err);

#endif
