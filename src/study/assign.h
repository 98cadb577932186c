/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.h - the parts of an assignment: places that jobs may have, and the
 * choice among them. */
#ifndef PLAN3D_STUDY_ASSIGN_H
#define PLAN3D_STUDY_ASSIGN_H

#include "plan3d/assign.h"

/** A place of a job that is faster than all with fewer nodes of its pool. */
typedef struct study_place {
    p3d_assign_point point;
    int n_units; /* of its nodes */
} study_place;

/** The places of one job in one pool, fewest nodes first. */
typedef struct study_places {
    study_place *at; /* owned */
    int n;
} study_places;

/** All jobs and pools: places[job * n_pools + pool]. */
typedef struct study_choice {
    const p3d_assign_options *options;
    const study_places *places;
    int n_units[P3D_MAX_POOLS]; /* of each pool */
    bool by_price;
    /* What was chosen: of each job; NULL = no place. */
    const study_place *chosen[P3D_MAX_ASSIGNED];
    int64_t n_states;
} study_choice;

/** What a place costs: money or, where not every pool has a price,
 *  GPU-hours. */
double study_place_cost(const study_choice *choice, const p3d_assign_point *at);

/** True when a place is in time for a job's deadline. */
bool study_place_in_time(const p3d_assign_job *job, const p3d_assign_point *at);

/** States of so many units in use: a number for each pool, from 0 on. */
int64_t study_n_states(const int *n_units, int n_pools);

/** Choose the places of all jobs, exactly.
 *  @return false with P3D_SYSTEM when memory runs out */
P3D_CHECK bool study_choose(study_choice *choice, p3d_error *err);

#endif
