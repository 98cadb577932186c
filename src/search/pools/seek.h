/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seek.h - plans on pools, worked out, and the fastest of them. */
#ifndef PLAN3D_SEARCH_POOLS_SEEK_H
#define PLAN3D_SEARCH_POOLS_SEEK_H

#include "search/pools/sack.h"

/** Work out a plan as p3d_pools_estimate() does. @return whether it fits */
bool search_pool_judge(search_pool_world *world, p3d_pools_plan *plan);

/** The stages of a class of a plan, with their layers.
 *  @param stages  room for P3D_MAX_POOL_STAGES
 *  @return how many; 0 = a stage is not legal */
int search_pool_stages_in(const search_pool_world *world,
        const p3d_replica_class *class, search_pool_stage *stages);

/** The same world with tables of its own; its costs stay with the first. */
void search_pool_twin(const search_pool_world *world, search_pool_world *out);

/** Work of a step over the best rates of the GPUs of these pools. */
double search_pool_floor_s(const search_pool_world *world, unsigned pools);

/** Most replicas that find room on the setting's pools; the states of a plan
 *  are shared by no more than the setting says. */
int search_pool_most_replicas(search_pool_world *world);

/** No plan of the setting takes less once a step: its stages, each within that,
 *  must hold the layers of the least number of replicas; HUGE_VAL: none. */
double search_pool_least_once_s(search_pool_world *world);

/** The search of p3d_pools_search_alike(); `out` is all zero. */
P3D_CHECK bool search_pools_alike(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err);

#endif
