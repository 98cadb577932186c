/* SPDX-License-Identifier: GPL-3.0-or-later */
/* torus.c - what groups of ranks reach of the links of a torus. */
#include <math.h>

#include "base/util.h"
#include "cost/cost.h"

/* Axes of the torus in the order in which ranks fill them. */
typedef struct torus_order {
    int n;
    int at[P3D_MAX_TORUS_AXES];
} torus_order;

/** True where tensor parallelism fills the first axes of an order. */
static bool fills(const p3d_cluster *c, const torus_order *order, int tp)
{
    int filled = 1;

    for (int i = 0; i < order->n && filled < tp; i++)
        filled *= c->torus.size[order->at[i]];
    return filled == tp;
}

/** The shortest axes first; or another order whose first axes tensor
 *  parallelism fills. */
static torus_order order_of(const p3d_cluster *c, int tp)
{
    static const int orders[][P3D_MAX_TORUS_AXES] = {
            {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    torus_order first = {.n = c->torus.n_axes, .at = {0, 1, 2}};

    for (int i = 0; i < P3D_COUNT_OF(orders); i++) {
        torus_order order = {.n = first.n};

        for (int k = 0, n = 0; k < P3D_MAX_TORUS_AXES; k++) {
            if (orders[i][k] < first.n)
                order.at[n++] = orders[i][k];
        }
        if (fills(c, &order, tp))
            return order;
    }
    return first;
}

/** Axes of two close by themselves; three through optical switches, which whole
 *  cubes alone reach. Source: jax-ml/scaling-book@0819a7d8 tpus.md. */
static bool is_ring(const p3d_cluster *c, int axis)
{
    const int at = c->node.torus_wraps_at;

    if (at < 1)
        return false;
    for (int i = 0; c->torus.n_axes == 3 && i < 3; i++) {
        if (c->torus.size[i] % at != 0)
            return false;
    }
    return c->torus.size[axis] % at == 0;
}

cost_torus cost_torus_of(
        const p3d_cluster *cluster, int tp, const cost_axis *axis, int n_ranks)
{
    const torus_order order = order_of(cluster, tp);
    const double from = axis->stride;
    const double to = from * n_ranks;
    double reached = 0, slowest = 0, below = 1;
    cost_torus torus = {.send_narrowing = 2 * order.n};

    for (int i = 0; i < order.n; i++) {
        const double size = cluster->torus.size[order.at[i]];
        /* Groups side by side share the links of an axis that they run along:
         * `apart` of them. */
        const double apart = fmax(from, below) / below;
        const double n = fmin(to, below * size) / below / apart;
        const bool ring = n * apart >= size && is_ring(cluster, order.at[i]);
        const double share = (ring ? 1 : 0.5) / apart;

        below *= size;
        if (n <= 1)
            continue;
        reached += share;
        slowest = fmax(slowest, n / (4 * share));
        torus.hops += apart * (ring ? n / 2 : n - 1);
    }
    if (reached > 0)
        torus.ring_narrowing = order.n / reached;
    if (n_ranks > 1)
        torus.all_to_all_narrowing =
                order.n * slowest * n_ranks / (n_ranks - 1.0);
    return torus;
}
