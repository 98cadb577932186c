/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - measured operations of a plan against the predicted ones. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/util.h"
#include "calibrate/compare_points.h"
#include "spec/given.h"

enum { ALL = -1 };

static bool counts(const compare_point *point, int kind)
{
    return kind == ALL ? point->kind != P3D_COMPARED_SUSTAINED
                       : point->kind == kind;
}

static void take_worst(p3d_comparison *out, const compare_point *point)
{
    const double ratio = point->measured_s / point->predicted_s;

    if (out->worst_ratio > 0 && fabs(log(ratio)) <= fabs(log(out->worst_ratio)))
        return;
    out->worst_ratio = ratio;
    out->worst_measured_s = point->measured_s;
    out->worst_predicted_s = point->predicted_s;
    p3d_copy(out->worst, sizeof(out->worst), point->shape);
}

/* @param ratios  room for all points */
static void summarize(
        const compare_work *w, int kind, double *ratios, p3d_comparison *out)
{
    int n = 0;

    for (int i = 0; i < w->n_points; i++) {
        const compare_point *const point = &w->points[i];

        if (!counts(point, kind))
            continue;
        ratios[n++] = point->measured_s / point->predicted_s;
        take_worst(out, point);
    }
    out->n_points = n;
    if (n == 0)
        return;
    gsl_sort(ratios, 1, (size_t)n);
    out->median_ratio = gsl_stats_median_from_sorted_data(ratios, 1, (size_t)n);
    out->low_ratio =
            gsl_stats_quantile_from_sorted_data(ratios, 1, (size_t)n, 0.1);
    out->high_ratio =
            gsl_stats_quantile_from_sorted_data(ratios, 1, (size_t)n, 0.9);
}

static void summarize_all(const compare_work *w, double *ratios)
{
    static const char *const names[P3D_N_COMPARED] = {
#define P3D_AS_WORDS(name, words) words,
            P3D_COMPARED_KINDS(P3D_AS_WORDS)
#undef P3D_AS_WORDS
    };
    p3d_comparison *const all = &w->out->all;

    for (int kind = 0; kind < P3D_N_COMPARED; kind++) {
        p3d_comparison *const one = &w->out->kinds[kind];

        one->name = names[kind];
        summarize(w, kind, ratios, one);
        if (kind == P3D_COMPARED_SUSTAINED)
            continue;
        all->n_wanted += one->n_wanted;
        all->n_found += one->n_found;
        all->planned_s += one->planned_s;
        all->missing_s += one->missing_s;
    }
    all->name = "all";
    summarize(w, ALL, ratios, all);
}

/* Of one plan are two sums of tensors that differ by less. */
static const double SAME_SUM_FRAC = 0.01;

/* Whether the plan's own tensors were had, or without them as many bytes. */
static bool had(const p3d_capacity_row *row, int64_t wanted_bytes)
{
    const double off = (double)(row->wanted_bytes - wanted_bytes);

    if (row->n_pieces > 0 && fabs(off) <= SAME_SUM_FRAC * (double)wanted_bytes)
        return row->fits;
    return row->largest_bytes >= wanted_bytes;
}

static void compare_memory(const compare_work *w)
{
    p3d_had_memory *const out = &w->out->memory;

    out->wanted_bytes = w->request->allocated_bytes;
    for (int i = 0; i < w->n_files; i++) {
        const p3d_capacity_row *const rows = w->files[i].capacity.items;

        for (int k = 0; k < w->files[i].capacity.n; k++) {
            out->measured = true;
            out->largest_bytes = rows[k].largest_bytes;
            out->context_bytes = rows[k].context_bytes;
            out->fits = had(&rows[k], out->wanted_bytes);
        }
    }
}

bool p3d_compare(const p3d_problem *problem, const p3d_estimate *estimate,
        const p3d_request *request, const p3d_measurements *files, int n,
        p3d_compared *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(estimate) ||
            request == NULL || files == NULL || n < 1 || out == NULL)
        return p3d_misuse(err, __func__);

    const size_t most = 1 + (size_t)compare_most_points(request, files, n);
    double *const ratios = calloc(most, sizeof(*ratios));
    compare_work w = {.problem = problem,
            .estimate = estimate,
            .request = request,
            .files = files,
            .n_files = n,
            .burst = problem->cluster,
            .points = calloc(most, sizeof(*w.points)),
            .out = out};
    const bool ok = (ratios != NULL && w.points != NULL) ||
                    p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok) {
        *out = (p3d_compared){.n_eager = 0};
        w.burst.calibration.sustained_frac = 1;
        w.burst.calibration.gemm.sustained_frac = 1;
        w.burst.calibration.gemm_fp8.sustained_frac = 1;
        compare_products(&w);
        compare_cores(&w);
        compare_passes(&w);
        compare_host(&w);
        compare_collectives(&w);
        summarize_all(&w, ratios);
        compare_memory(&w);
    }
    free(w.points);
    free(ratios);
    return ok;
}

double p3d_covered_frac(const p3d_compared *compared)
{
    if (compared == NULL)
        return 0;

    const p3d_comparison *const all = &compared->all;

    return all->planned_s > 0 ? 1 - all->missing_s / all->planned_s : 0;
}

bool p3d_is_off(const p3d_compared *compared, int kind, double tolerance_frac)
{
    if (compared == NULL || kind < 0 || kind >= P3D_N_COMPARED)
        return false;

    const p3d_comparison *const c = &compared->kinds[kind];

    return c->n_points > 0 &&
           c->planned_s >= P3D_LEAST_JUDGED_FRAC * compared->all.planned_s &&
           fabs(c->median_ratio - 1) > tolerance_frac;
}
