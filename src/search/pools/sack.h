/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sack.h - which replicas to make of the GPUs of several pools: an unbounded
 * knapsack over the vector of GPUs. */
#ifndef PLAN3D_SEARCH_POOLS_SACK_H
#define PLAN3D_SEARCH_POOLS_SACK_H

#include "search/pools/classes.h"
#include "search/pools/known.h"

/** A replica of the knapsack: what it takes, and the sequences that it does. */
typedef struct search_pool_item {
    search_pool_shape shape;
    int at;                   /* the state of GPUs that it takes */
    int takes[P3D_MAX_POOLS]; /* units */
    int64_t n_micro_batches;
    int64_t samples;
} search_pool_item;

/** States are how many units of each pool are at hand. */
typedef struct search_pool_sack {
    search_pool_world *world;
    int n_pools;
    int unit[P3D_MAX_POOLS];   /* GPUs that go together */
    int size[P3D_MAX_POOLS];   /* units of each pool */
    int stride[P3D_MAX_POOLS]; /* states */
    int n_states;
    int64_t *most; /* sequences, by state */
    int *last;     /* item that the state takes last; below 0: -1 - the pool of
                      which a unit is left over; INT_MIN = nothing */
    search_pool_item *items;
    int n_items, capacity;
    search_pool_known known;
    search_pool_shape *before; /* by state, the class that was the best at the
                                  last; no segments = there is none */
    int64_t n_classes, n_cut, n_runs;
    bool out_of_memory;
} search_pool_sack;

/** Make room. Release with search_pool_sack_close() also after a failure. */
P3D_CHECK bool search_pool_sack_open(
        search_pool_world *world, search_pool_sack *sack, p3d_error *err);
void search_pool_sack_close(search_pool_sack *sack);

/** What a knapsack is filled for. */
typedef struct search_pool_ask {
    double budget_s; /* for the micro-batches of a replica */
    int64_t wanted;  /* sequences: enough */
    int64_t bonus;   /* sequences that each replica counts for more, or less */
} search_pool_ask;

/**
 * Most sequences that replicas of the setting's pools do in so long.
 *
 *     f(x) = max over classes c with r_c <= x of f(x - r_c) + v_c + bonus
 *
 * States are gone through from small to large. At each, a class that takes just
 * these GPUs is of use only where its v exceeds f so far, and where all other
 * GPUs at their best rate do what is then wanted: those whose bound does not
 * are left out, unsplit. Without a bonus what is enough ends it.
 *
 * With a bonus b, replicas of a number r do f - b r at most (a Lagrangian
 * bound), if all of them are wanted.
 *
 * @param state  of the answer
 */
int64_t search_pool_sack_fill(
        search_pool_sack *sack, const search_pool_ask *ask, int *state);

/** The same without a bonus and with exactly so many replicas, one item each in
 *  `chosen`. @return -1 where there are none such */
int64_t search_pool_sack_fill_count(search_pool_sack *sack,
        const search_pool_ask *ask, int n_replicas, int *chosen);

/** Items that a state of the last fill takes, one for each replica.
 *  @param chosen  room for all units @return how many */
int search_pool_sack_chosen(
        const search_pool_sack *sack, int state, int *chosen);

/** Units of all pools: no plan has more replicas. */
int search_pool_sack_units(const search_pool_sack *sack);

#endif
