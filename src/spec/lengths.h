/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lengths.h - lengths of texts, read. */
#ifndef PLAN3D_SPEC_LENGTHS_H
#define PLAN3D_SPEC_LENGTHS_H

#include "plan3d/error.h"
#include "plan3d/lengths.h"

/**
 * Read the words of --lengths: mean and standard deviation ("700,450"), or a
 * file with a length on each line, which is cut at `seq_len`.
 *
 * @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool spec_lengths_read(
        const char *words, int seq_len, p3d_lengths *out, p3d_error *err);

/** Are they mean and standard deviation, and not the name of a file? */
bool spec_lengths_are_moments(const char *words);

#endif
