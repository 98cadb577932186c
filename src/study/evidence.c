/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c - what a measured run is like, and what would have been said of it
 * by the runs of all other sources: whether it fits, and its range. */
#include "study/evidence.h"

#include <math.h>

#include "base/elementary.h"
#include "calibrate/range.h"
#include "spec/fit_probability.h"
#include "spec/residuals.h"

static const char *const meters[] = {[EXCHANGE_METER_ALLOCATED] = "allocated",
        [EXCHANGE_METER_RESERVED] = "reserved",
        [EXCHANGE_METER_DEVICE] = "device"};

/* What the allocator wastes, of a run that tells both. */
static double waste_log(
        const exchange_run *row, const exchange_case *c, const p3d_memory *m)
{
    if (c->meter != EXCHANGE_METER_ALLOCATED || row->measured_peak_bytes <= 0 ||
            row->measured_reserved_bytes <= 0)
        return (double)NAN;
    return p3d_log((double)row->measured_reserved_bytes /
                   (double)row->measured_peak_bytes) -
           p3d_log((double)p3d_memory_reserved_bytes(m) /
                   (double)p3d_memory_allocated_bytes(m));
}

void study_describe_run(const exchange_run *row, const exchange_case *c,
        const p3d_estimate *estimate, p3d_backtest_row *out)
{
    const p3d_problem *const problem = &c->problem;
    const p3d_range range =
            calibrate_step_range(problem, estimate, row->source);

    out->framework = problem->job.framework->name;
    out->meter = meters[c->meter];
    out->experts = problem->model.n_experts > 0;
    out->stands_in = (c->assumed >> EXCHANGE_ASSUMED_STAND_IN & 1) != 0;
    out->several_nodes = problem->cluster.n_nodes > 1;
    out->host_bound = calibrate_is_host_bound(estimate);
    out->many_gpus = problem->cluster.n_gpus > SPEC_USUAL_GPUS;
    out->waste_log = waste_log(row, c, &estimate->memory);
    out->taken_frac = (double)p3d_memory_device_bytes(&estimate->memory) /
                      (double)problem->cluster.gpu.visible_memory_bytes;
    out->fit_probability_frac = spec_fit_probability_frac(
            problem->job.framework, out->experts, row->source, out->taken_frac);
    out->low_step_s = range.low_s;
    out->high_step_s = range.high_s;
    out->time = estimate->time;
}

static const double band_ends[P3D_BACKTEST_BANDS] = {0.05, 0.5, 0.95, 1};

void study_count_fit(
        const p3d_backtest_row *run, bool ran, p3d_backtest_fits *out)
{
    int k = 0;

    while (k < P3D_BACKTEST_BANDS - 1 &&
            run->fit_probability_frac >= band_ends[k])
        k++;
    out->n_rows++;
    out->n_right += (run->taken_frac <= 1) == ran;
    out->bands[k].n_rows++;
    out->bands[k].n_ran += ran;
}

bool study_is_inside(const p3d_backtest_row *run)
{
    return run->low_step_s <= run->measured_step_s &&
           run->measured_step_s <= run->high_step_s;
}

/* Not-a-number of nothing. */
static double share(int some, int all)
{
    return all > 0 ? (double)some / all : (double)NAN;
}

static void set_shares(p3d_backtest_source *s)
{
    p3d_backtest_fits *const fits = &s->fits;

    s->inside_frac = share(s->n_inside, s->time.n_rows);
    fits->right_frac = share(fits->n_right, fits->n_rows);
    for (int i = 0; i < P3D_BACKTEST_BANDS; i++) {
        p3d_backtest_band *const band = &fits->bands[i];

        band->low_frac = i > 0 ? band_ends[i - 1] : 0;
        band->high_frac = band_ends[i];
        band->ran_frac = share(band->n_ran, band->n_rows);
    }
}

void study_set_shares(p3d_backtest *backtest)
{
    double sum = 0;
    int n = 0;

    set_shares(&backtest->summary);
    for (int i = 0; i < backtest->n_sources; i++) {
        p3d_backtest_source *const s = &backtest->sources[i];

        set_shares(s);
        s->macro_inside_frac = (double)NAN;
        if (s->time.n_rows < P3D_MACRO_MIN_ROWS)
            continue;
        sum += s->inside_frac;
        n++;
    }
    backtest->summary.macro_inside_frac = n > 0 ? sum / n : (double)NAN;
}
