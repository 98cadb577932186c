/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_collectives.c - collectives of a plan's groups, as they were measured
 * and as they are predicted. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "calibrate/compare_points.h"
#include "cost/cost.h"

static const double MIB = 1048576;

/* Kind and cost form of each operation of a request. */
static const struct {
    int kind;
    p3d_collective form;
} forms[] = {
        [P3D_OP_ALL_REDUCE] = {P3D_COMPARED_ALL_REDUCE, P3D_ALL_REDUCE},
        [P3D_OP_ALL_GATHER] = {P3D_COMPARED_ALL_GATHER, P3D_ALL_GATHER},
        [P3D_OP_REDUCE_SCATTER] = {P3D_COMPARED_REDUCE_SCATTER,
                P3D_REDUCE_SCATTER},
        [P3D_OP_ALL_TO_ALL] = {P3D_COMPARED_ALL_TO_ALL, P3D_ALL_TO_ALL},
};

/* The axis of a word; P3D_N_AXES = none. */
static p3d_axis axis_of(const char *word)
{
    int axis = 0;

    while (axis < P3D_N_AXES &&
            strcmp(p3d_axis_word((p3d_axis)axis), word) != 0)
        axis++;
    return (p3d_axis)axis;
}

/* plan3d-bench rounds to whole fp32 numbers of every rank. */
static int64_t measured_bytes(const p3d_request_collective *want)
{
    const int64_t step = 4 * want->n_ranks;
    const int64_t n = want->bytes / step;

    return (n > 0 ? n : 1) * step;
}

static bool is_same(
        const p3d_collective_row *r, const p3d_request_collective *want)
{
    return r->op == want->op && strcmp(r->axis, want->axis) == 0 &&
           r->n_ranks == want->n_ranks && r->bytes == measured_bytes(want);
}

/* In training all groups run at once: of one operation's measurements that of
 * the most groups. */
static const p3d_collective_row *find_row(
        const compare_work *w, const p3d_request_collective *want)
{
    const p3d_collective_row *best = NULL;

    for (int i = 0; i < w->n_files; i++) {
        const p3d_collective_row *const rows = w->files[i].collective.items;

        for (int k = 0; k < w->files[i].collective.n; k++) {
            if (is_same(&rows[k], want) &&
                    (best == NULL || rows[k].n_groups > best->n_groups))
                best = &rows[k];
        }
    }
    return best;
}

/* Hosts of one NVLink domain are no nodes of the cost forms. */
static bool lies_as_planned(
        const compare_work *w, const p3d_collective_row *row, cost_group group)
{
    const p3d_node *const node = &w->problem->cluster.node;

    return node->gpus_per_nvlink_domain > node->gpus_per_node ||
           row->n_nodes == group.n_nodes;
}

static double predict_s(
        const compare_work *w, int op, cost_group group, double bytes)
{
    const p3d_cluster *const cluster = &w->problem->cluster;

    return op == P3D_OP_SEND_RECV
                   ? cost_p2p_s(cluster, group, bytes)
                   : cost_collective_s(cluster, forms[op].form, group, bytes);
}

static void compare_one(compare_work *w, const p3d_request_collective *want)
{
    const int kind = want->op == P3D_OP_SEND_RECV ? P3D_COMPARED_SEND_RECV
                                                  : forms[want->op].kind;
    const p3d_axis axis = axis_of(want->axis);
    const p3d_collective_row *r = find_row(w, want);
    cost_group group;
    compare_point *point;

    if (axis == P3D_N_AXES)
        return;
    group = cost_place(&w->problem->cluster, &w->estimate->plan, axis);
    if (r != NULL && !lies_as_planned(w, r, group)) {
        w->out->n_elsewhere++;
        r = NULL;
    }
    compare_want(w, kind,
            (double)want->times *
                    predict_s(w, want->op, group, (double)want->bytes),
            r != NULL);
    if (r == NULL)
        return;
    point = compare_add(w, kind, r->timing.median_s,
            predict_s(w, want->op, group, (double)r->bytes));
    snprintf(point->shape, sizeof(point->shape),
            "%.40s, %s of %lld ranks, %.4g MiB", want->name, want->axis,
            (long long)want->n_ranks, (double)want->bytes / MIB);
}

void compare_collectives(compare_work *w)
{
    const p3d_request_collective *const rows = w->request->collective.items;

    for (int i = 0; i < w->request->collective.n; i++)
        if (rows[i].op <= P3D_OP_ALL_TO_ALL || rows[i].op == P3D_OP_SEND_RECV)
            compare_one(w, &rows[i]);
}
