/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - what knapsacks before say of one that asks for no more. */
#ifndef PLAN3D_SEARCH_POOLS_KNOWN_H
#define PLAN3D_SEARCH_POOLS_KNOWN_H

#include "search/pools/stages.h"

/** Knapsacks that are remembered. */
enum { SEARCH_POOL_KNOWN = 48 };

/** What one knapsack found of each state of GPUs. */
typedef struct search_pool_found {
    search_pool_setting setting;
    double limit_s, budget_s;
    int64_t *most; /* sequences that no class of these GPUs exceeds, by state */
} search_pool_found;

typedef struct search_pool_known {
    int n_states;
    int n; /* knapsacks so far */
    search_pool_found found[SEARCH_POOL_KNOWN];
    int64_t *most; /* by state, for the knapsack at work */
} search_pool_known;

/** @return false where memory is short. Release with search_pool_known_close()
 *  also then */
P3D_CHECK bool search_pool_known_open(search_pool_known *known, int n_states);
void search_pool_known_close(search_pool_known *known);

/**
 * Begin a knapsack for the world's setting and limit.
 *
 * What was found bounds it where the pools and ZeRO's stage are the same, and
 * neither replicas, limit nor budget allow more than they did: a class then has
 * room for no more layers, and time for no more micro-batches.
 *
 * @return where to note what is found, by state: bounds by what is known
 */
int64_t *search_pool_known_begin(search_pool_known *known,
        const search_pool_world *world, double budget_s);

#endif
