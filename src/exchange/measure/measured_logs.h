/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured_logs.h - logs of other benchmarks as measurements. */
#ifndef PLAN3D_EXCHANGE_MEASURE_MEASURED_LOGS_H
#define PLAN3D_EXCHANGE_MEASURE_MEASURED_LOGS_H

#include <stddef.h>

#include "plan3d/measurements.h"

/** Whether a text is a log of this program, whole or in part. */
bool exchange_is_nccl_tests(const char *text);
bool exchange_is_mamf_finder(const char *text);

/**
 * Read what nccl-tests prints (all_reduce_perf and the like), of one or several
 * runs on one type of device. Times are means over the run's iterations, which
 * it does not say more of: p10_s and p90_s are the same.
 *
 * @param file  for messages; may name the program where the log does not
 * @param out   release with p3d_measurements_free(), also after a failure
 * @return false with P3D_DATA at file:line (no run that ended, wrong results,
 *         a column that is missing) or P3D_SYSTEM
 *
 * Source: NVIDIA/nccl-tests@a0b82b2 src/util.cu.
 */
P3D_CHECK bool exchange_nccl_tests_read(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err);

/**
 * Read a log of mamf-finder, versions 2 to 4: the median of each shape, with
 * the last-level cache cleared before each run.
 *
 * The same promises as exchange_nccl_tests_read().
 *
 * Source: stas00/ml-engineering@744d01e and @0359db8
 * compute/accelerator/benchmarks/mamf-finder.py.
 */
P3D_CHECK bool exchange_mamf_finder_read(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err);

#endif
