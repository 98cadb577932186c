/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms_links.c - forms of collectives: in a node, between nodes, and beside
 * products. */
#include <math.h>

#include "calibrate/forms.h"

/* Forms, collectives and what plan3d-bench measures are in one order. */
static p3d_collective collective_of(p3d_cost_form form)
{
    return (p3d_collective)((int)form - P3D_FORM_ALL_REDUCE + P3D_ALL_REDUCE);
}
_Static_assert(P3D_FORM_ALL_TO_ALL - P3D_FORM_ALL_REDUCE ==
                               P3D_ALL_TO_ALL - P3D_ALL_REDUCE &&
                       (int)P3D_ALL_REDUCE == (int)P3D_OP_ALL_REDUCE &&
                       (int)P3D_ALL_TO_ALL == (int)P3D_OP_ALL_TO_ALL,
        "forms are in the order of the collectives");

static bool take_collective(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_collective_row *const r = row;

    if (r->op != (int)collective_of(form) || r->n_nodes != 1 ||
            r->n_ranks < 2 || r->bytes < CALIBRATE_LEAST_MESSAGE_BYTES)
        return false;
    *out = (p3d_measured_kernel){.op = {.bytes = (double)r->bytes},
            .n_ranks = (int)r->n_ranks,
            .time_s = r->timing.median_s};
    return true;
}

static double predict_collective_s(const p3d_cluster *cluster,
        p3d_cost_form form, const p3d_measured_kernel *point)
{
    const cost_group group = {.n_ranks = point->n_ranks,
            .n_nodes = 1,
            .ranks_per_node = point->n_ranks};

    return cost_collective_s(
            cluster, collective_of(form), group, point->op.bytes);
}

/* What was measured is what this machine does, its switch included. */
static bool fit_collective(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    const p3d_collective collective = collective_of(form);

    if (!p3d_fit_collective(&w->points, collective,
                &w->constants->collective[collective], q, err))
        return false;
    if (collective == P3D_ALL_REDUCE)
        w->constants->nvls_factor = 1;
    return true;
}

static bool is_between_nodes(const void *row)
{
    const p3d_collective_row *const r = row;

    return r->n_nodes > 1;
}

/* One group at a time, or all ranks: groups that share the cards are slower by
 * how many of them run. */
static bool take_network(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_collective_row *const r = row;
    const bool all_to_all = form == P3D_FORM_NETWORK_ALL_TO_ALL;

    if (!is_between_nodes(row) || r->op > P3D_OP_ALL_TO_ALL ||
            (r->op == P3D_OP_ALL_TO_ALL) != all_to_all ||
            r->bytes < CALIBRATE_LEAST_MESSAGE_BYTES || r->n_groups != 1 ||
            r->n_ranks % r->n_nodes != 0)
        return false;
    *out = (p3d_measured_kernel){
            .op = {.bytes = (double)r->bytes,
                    .collective = (p3d_collective)(r->op - P3D_OP_ALL_REDUCE +
                                                   P3D_ALL_REDUCE)},
            .n_ranks = (int)r->n_ranks,
            .n_nodes = (int)r->n_nodes,
            .time_s = r->timing.median_s};
    return true;
}

static double predict_network_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    (void)form;
    return p3d_network_point_s(cluster, point);
}

static bool fit_network(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    p3d_cluster cluster = calibrate_cluster_of(w, w->constants);

    (void)form;
    if (!p3d_fit_network(&w->points, &cluster, q, err))
        return false;
    *w->constants = cluster.calibration;
    return true;
}

/* A product beside a collective. Beside copies, and sends and receives, which
 * take few channels, products are as fast as alone. */
static bool take_overlap(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_overlap_row *const r = row;

    (void)form;
    *out = (p3d_measured_kernel){
            .op = {.bytes = (double)r->bytes,
                    .collective = (p3d_collective)(r->op - P3D_OP_ALL_REDUCE +
                                                   P3D_ALL_REDUCE)},
            .n_ranks = (int)r->n_ranks,
            .time_s = r->gemm_beside_s,
            .alone_s = r->gemm_alone_s,
            .other_alone_s = r->other_alone_s,
            .other_beside_s = r->other_beside_s};
    return r->op <= P3D_OP_ALL_TO_ALL && r->n_ranks > 1;
}

/* Seconds that the link alone needs for what the collective sends in a second
 * beside the product: what one leak costs the product in a second. */
static double link_load(
        const p3d_cluster *cluster, const p3d_measured_kernel *point)
{
    const cost_group group = {.n_ranks = point->n_ranks,
            .n_nodes = 1,
            .ranks_per_node = point->n_ranks};
    const double link_s =
            cost_link_s(cluster, point->op.collective, &group, point->op.bytes);

    return fmin(link_s, point->other_alone_s) / point->other_beside_s;
}

/* In a second beside the collective the product loses the leak's share. */
static double told_leak(
        const p3d_cluster *cluster, const p3d_measured_kernel *point)
{
    const double lost = 1 - point->alone_s / point->time_s;

    return fmin(1, fmax(0, lost / link_load(cluster, point)));
}

static double predict_overlap_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    /* A product that loses all its time never ends. */
    static const double MOST_LOST = 0.99;
    const double leak = cluster->calibration.assumed.overlap_leak_frac;

    (void)form;
    return point->alone_s /
           (1 - fmin(MOST_LOST, leak * link_load(cluster, point)));
}

static double *leak_of(p3d_calibration *c)
{
    return &c->assumed.overlap_leak_frac;
}

static bool fit_overlaps(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    static const calibrate_single leak = {
            told_leak, leak_of, predict_overlap_s};
    double *const error = &w->constants->assumed.overlap_error_frac;

    (void)form;
    if (!calibrate_fit_single(w, &leak, q, error, err))
        return false;
    *error = fmax(*error, CALIBRATE_LEAST_ERROR_FRAC);
    return true;
}

const calibrate_family calibrate_collectives =
        CALIBRATE_FAMILY(collective, p3d_collective_row, take_collective,
                predict_collective_s, fit_collective);
const calibrate_family calibrate_networks = CALIBRATE_FAMILY(collective,
        p3d_collective_row, take_network, predict_network_s, fit_network);
const calibrate_family calibrate_overlaps = CALIBRATE_FAMILY(overlap,
        p3d_overlap_row, take_overlap, predict_overlap_s, fit_overlaps);
