/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h - which ranks communicate, and which data they expect. */
#ifndef PLAN3D_BENCH_GROUPS_H
#define PLAN3D_BENCH_GROUPS_H

#include <stdint.h>

#include "plan3d/measurements.h"

#ifdef __CUDACC__
#    define BENCH_BOTH __host__ __device__
#else
#    define BENCH_BOTH
#endif

/** How the groups of an axis lie: n ranks, `stride` apart; after n_inner of
 *  them (0 = never) the next is `block` from where they began. */
typedef struct bench_axis {
    int n;
    int stride;
    int n_inner;
    int block;
} bench_axis;

/** A rank's place on an axis. */
typedef struct bench_group {
    int color;    /* the group's lowest rank */
    int position; /* of the rank in its group */
} bench_group;

/** Ranks are numbered with the innermost axis first (tp-cp-ep-dp-pp, or with
 *  the pipeline before dp), as Megatron-LM@d98e8a64 megatron/core/
 *  parallel_state.py does. */
static inline bench_group bench_group_of(int rank, const bench_axis *axis)
{
    const int n_inner = axis->n_inner > 0 ? axis->n_inner : axis->n;
    const int inner = rank / axis->stride % n_inner;
    const int outer =
            axis->n_inner > 0 ? rank / axis->block % (axis->n / n_inner) : 0;

    return (bench_group){rank - inner * axis->stride - outer * axis->block,
            outer * n_inner + inner};
}

/** The rank at a position of the group that begins at `color`. */
static inline int bench_group_rank(
        int color, int position, const bench_axis *axis)
{
    const int n_inner = axis->n_inner > 0 ? axis->n_inner : axis->n;

    return color + position % n_inner * axis->stride +
           position / n_inner * axis->block;
}

/** Ranks after which the groups repeat. */
static inline int64_t bench_axis_span(const bench_axis *axis)
{
    return axis->n_inner > 0 ? (int64_t)axis->block * (axis->n / axis->n_inner)
                             : (int64_t)axis->stride * axis->n;
}

/** Nodes that a group touches; hosts[r] is that of rank r. */
static inline int bench_group_nodes(
        const uint64_t *hosts, int color, const bench_axis *axis)
{
    int nodes = 0;

    for (int i = 0; i < axis->n; i++) {
        const uint64_t host = hosts[bench_group_rank(color, i, axis)];
        int j = 0;

        while (j < i && hosts[bench_group_rank(color, j, axis)] != host)
            j++;
        nodes += j == i;
    }
    return nodes;
}

/** Elements that a rank sends and receives, where the larger buffer of a
 *  collective has `count`. */
static inline int64_t bench_send_count(int op, int64_t count, int n_ranks)
{
    return op == P3D_OP_ALL_GATHER ? count / n_ranks : count;
}

static inline int64_t bench_receive_count(int op, int64_t count, int n_ranks)
{
    return op == P3D_OP_REDUCE_SCATTER ? count / n_ranks : count;
}

/** Element i of what a rank sends: whole numbers, whose sums over many ranks
 *  have no rounding in fp32. */
BENCH_BOTH static inline float bench_pattern(int rank, int64_t i)
{
    return (float)((i * 3 + rank * 5) % 11 - 5);
}

/** Element i of what a rank has to receive. */
BENCH_BOTH static inline float bench_expected(
        int op, int rank, int n_ranks, int64_t count, int64_t i)
{
    const int64_t part = count / n_ranks;
    float sum = 0;

    switch (op) {
    case P3D_OP_ALL_REDUCE:
        for (int r = 0; r < n_ranks; r++)
            sum += bench_pattern(r, i);
        return sum;
    case P3D_OP_REDUCE_SCATTER:
        for (int r = 0; r < n_ranks; r++)
            sum += bench_pattern(r, rank * part + i);
        return sum;
    case P3D_OP_ALL_GATHER: return bench_pattern((int)(i / part), i % part);
    case P3D_OP_ALL_TO_ALL:
        return bench_pattern((int)(i / part), rank * part + i % part);
    case P3D_OP_SEND_RECV:
        return bench_pattern((rank + n_ranks - 1) % n_ranks, i);
    default: break;
    }
    return bench_pattern(0, i); /* broadcast of the first rank */
}

#endif
