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

/** A rank's group along an axis of a plan: n ranks, `stride` apart. */
typedef struct bench_group {
    int color;    /* the group's lowest rank */
    int position; /* of the rank in its group */
} bench_group;

/** Ranks are numbered with the innermost axis first (tp-cp-ep-dp-pp), as
 *  Megatron-LM@d98e8a64 megatron/core/parallel_state.py does. */
static inline bench_group bench_group_of(int rank, int n, int stride)
{
    const int position = rank / stride % n;

    return (bench_group){rank - position * stride, position};
}

/** Nodes that a group touches; hosts[r] is that of rank r. */
static inline int bench_group_nodes(
        const uint64_t *hosts, int color, int n, int stride)
{
    int nodes = 0;

    for (int i = 0; i < n; i++) {
        int j = 0;

        while (j < i && hosts[color + j * stride] != hosts[color + i * stride])
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
