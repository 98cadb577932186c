/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_runs.h - the measured runs that stand in a calibration file. */
#ifndef PLAN3D_SPEC_OWN_RUNS_H
#define PLAN3D_SPEC_OWN_RUNS_H

#include "plan3d/cluster.h"
#include "json/field.h"

/** What runs on a cluster go by: the name of the network between its nodes; ""
 *  where it has one node. */
const char *spec_own_network(const p3d_cluster *cluster);

/** A run as files have it. */
extern const json_shape spec_own_run_shape;

#endif
