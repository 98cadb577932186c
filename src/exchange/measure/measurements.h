/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.h - measurements and requests as they are written, and
 * logs of other benchmarks as measurements. */
#ifndef PLAN3D_EXCHANGE_MEASURE_MEASUREMENTS_H
#define PLAN3D_EXCHANGE_MEASURE_MEASUREMENTS_H

#include "base/text.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"
#include "json/field.h"

/**
 * Read measurements or a log of another benchmark.
 *
 * @param file  for messages
 * @param text  ends in NUL behind its bytes
 * @param out   release with p3d_measurements_free(), also after a failure
 */
P3D_CHECK bool exchange_measurements_read(const char *file, const char *text,
        size_t length, p3d_measurements *out, p3d_error *err);

/** As p3d_measurements_open() reads it, with a line end after it. */
void exchange_measurements_write(const p3d_measurements *from, p3d_text *out);
void exchange_request_write(const p3d_request *from, p3d_text *out);

/** The tables of both. */
extern const json_shape exchange_measurements_shape;
extern const json_shape exchange_request_shape;

/**
 * Read a log of another benchmark.
 *
 * @param file  for messages; may name the program where the log does not
 * @param out   release with p3d_measurements_free(), also after a failure
 * @return false with P3D_DATA at file:line (no run that ended, wrong results,
 *         a column that is missing) or P3D_SYSTEM
 */
typedef bool exchange_log_reader(const char *file, const char *text,
        p3d_measurements *out, p3d_error *err);

/**
 * The reader of a log, whole or in part; NULL when it is none that is known.
 *
 * Of nccl-tests (all_reduce_perf and the like): one or several runs on one type
 * of device. Times are means over the run's iterations, which it does not say
 * more of: p10_s and p90_s are the same. Source: NVIDIA/nccl-tests@a0b82b2
 * src/util.cu.
 *
 * Of mamf-finder, versions 2 to 4: the median of each shape, with the
 * last-level cache cleared before each run. Source: stas00/ml-engineering
 * @744d01e and @0359db8 compute/accelerator/benchmarks/mamf-finder.py.
 */
exchange_log_reader *exchange_log_reader_of(const char *text);

#endif
