/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_runs.h - the measured runs that stand in a calibration file. */
#ifndef PLAN3D_SPEC_OWN_RUNS_H
#define PLAN3D_SPEC_OWN_RUNS_H

#include "plan3d/own_runs.h"
#include "json/field.h"

/** A run as files have it. */
extern const json_shape spec_own_run_shape;

#endif
