/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.h - the file that calibrate and validate write. */
#ifndef PLAN3D_CLI_CALIBRATE_H
#define PLAN3D_CLI_CALIBRATE_H

#include "plan3d/calibrate.h"

/** Name the constants after those from before: "sm90-measured". */
void cli_calibration_name(p3d_calibrated *calibrated);

/** Fail when the file of -o is there and may not be replaced, or its path is
 *  no file's: before long work. @param path  NULL = none */
P3D_CHECK bool cli_calibration_may_write(
        const char *path, bool force, p3d_error *err);

/** Write a calibration at once, or not at all.
 *  @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_calibration_write(const char *path, bool force,
        const p3d_calibrated *calibrated, p3d_error *err);

#endif
