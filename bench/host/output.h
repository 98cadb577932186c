/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - files that are written whole or not at all. */
#ifndef PLAN3D_BENCH_OUTPUT_H
#define PLAN3D_BENCH_OUTPUT_H

#include "base/text.h"

/**
 * Find out before the measurement that the file can be written after it.
 *
 * @param path  NULL = standard output, always fine
 * @return false with P3D_DATA (it exists and force is not set) or P3D_SYSTEM
 */
P3D_CHECK bool bench_output_check(const char *path, bool force, p3d_error *err);

/**
 * Write a file under a name of its own and rename it: a reader sees the old
 * file or the new one. Without force a file that exists is never replaced, even
 * when it appears while this runs.
 *
 * @param path  NULL = standard output
 */
P3D_CHECK bool bench_output_write(
        const char *path, bool force, const p3d_text *text, p3d_error *err);

#endif
