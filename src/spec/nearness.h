/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearness.h - how far two runs are from each other: the same for the measured
 * runs that an answer shows and for the width of its range. */
#ifndef PLAN3D_SPEC_NEARNESS_H
#define PLAN3D_SPEC_NEARNESS_H

#include "plan3d/evidence.h"

/** What of a run counts for its distance from another. */
typedef struct spec_run_facts {
    const char *gpu, *architecture;
    const char *profile; /* framework whose costs predict it */
    double active_parameters;
    double seq_len;
    double network_bytes_per_s_per_gpu; /* between nodes; 0 = one node */
    int n_gpus;
    bool experts, adapters;
    p3d_dtype dtype;
    int tp, pp, cp, ep;
    p3d_recompute recompute;
} spec_run_facts;

/** Those of a plan of a job; they point into the problem. */
spec_run_facts spec_facts_of(const p3d_problem *problem, const p3d_plan *plan);

/** A GPU's share of the network between nodes; 0 = there is one node. */
double spec_network_bytes_per_s_per_gpu(const p3d_cluster *cluster);

/** Steps between two runs, part by part; 100 where a number is not known. */
p3d_distance_parts spec_distance(
        const spec_run_facts *a, const spec_run_facts *b);

/** Sum of the parts, to a tenth. */
double spec_distance_steps(const p3d_distance_parts *parts);

/** True when all parts together are at most P3D_NEAR_STEPS and none alone is
 *  more than P3D_NEAR_PART_STEPS. */
bool spec_is_near(const p3d_distance_parts *parts);

#endif
