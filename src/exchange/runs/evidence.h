/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.h - the table of published runs that comes with plan3d. */
#ifndef PLAN3D_EXCHANGE_RUNS_EVIDENCE_H
#define PLAN3D_EXCHANGE_RUNS_EVIDENCE_H

#include "plan3d/evidence.h"
#include "json/field.h"

/** Its columns: of p3d_measured_run. Reads the table and writes it. */
extern const json_shape exchange_evidence_shape;

/** A GPU's share of the network between nodes, one way; 0 = one node. */
double exchange_network_bytes_per_s_per_gpu(const p3d_cluster *cluster);

#endif
