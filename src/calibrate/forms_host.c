/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms_host.c - forms of what the host does: copies and the CPU's Adam. */
#include "calibrate/forms.h"

/* Offloading copies buckets of many MiB; smaller ones show their start. */
static const int64_t LEAST_COPY_BYTES = 1 << 20;

static bool take_copy(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_copy_row *const r = row;

    (void)form;
    *out = (p3d_measured_kernel){
            .op = {.bytes = (double)r->bytes}, .time_s = r->timing.median_s};
    return r->direction != P3D_COPY_BOTH && r->bytes >= LEAST_COPY_BYTES;
}

static double told_rate(
        const p3d_cluster *cluster, const p3d_measured_kernel *point)
{
    (void)cluster;
    return point->op.bytes / point->time_s;
}

static double predict_copy_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    (void)form;
    return point->op.bytes / cost_host_copy_bytes_per_s(cluster);
}

static double *copy_rate_of(p3d_calibration *c)
{
    return &c->host.copy_bytes_per_s;
}

static bool fit_copies(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    static const calibrate_single rate = {
            told_rate, copy_rate_of, predict_copy_s};

    (void)form;
    return calibrate_fit_single(w, &rate, q, NULL, err);
}

/* All processors of the host update for all its GPUs, as training does. */
static bool take_update(
        const void *row, p3d_cost_form form, p3d_measured_kernel *out)
{
    const p3d_host_row *const r = row;

    (void)form;
    *out = (p3d_measured_kernel){.op = {.bytes = (double)r->bytes},
            .n_ranks = (int)r->n_gpus,
            .time_s = r->timing.median_s};
    return r->kernel == P3D_HOST_ADAM && r->n_gpus > 0;
}

static double told_update_rate(
        const p3d_cluster *cluster, const p3d_measured_kernel *point)
{
    return told_rate(cluster, point) / point->n_ranks;
}

static double predict_update_s(const p3d_cluster *cluster, p3d_cost_form form,
        const p3d_measured_kernel *point)
{
    const double rate = cost_host_optimizer_bytes_per_s(cluster) *
                        point->n_ranks / cluster->node.gpus_per_node;

    (void)form;
    return rate > 0 ? point->op.bytes / rate : 0;
}

static double *update_rate_of(p3d_calibration *c)
{
    return &c->host.adam_bytes_per_s;
}

static bool fit_updates(const calibrate_work *w, p3d_cost_form form,
        p3d_fit_quality *q, p3d_error *err)
{
    static const calibrate_single rate = {
            told_update_rate, update_rate_of, predict_update_s};

    (void)form;
    return calibrate_fit_single(w, &rate, q, NULL, err);
}

const calibrate_family calibrate_copies = CALIBRATE_FAMILY(
        copy, p3d_copy_row, take_copy, predict_copy_s, fit_copies);
const calibrate_family calibrate_updates = CALIBRATE_FAMILY(
        host, p3d_host_row, take_update, predict_update_s, fit_updates);
