/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - predicts one measured run: what it is like, and what would have
 * been said of it by the runs of all other sources. */
#include "study/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "calibrate/range.h"
#include "spec/hardware.h"
#include "spec/legality.h"
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

    out->n_gpus = problem->cluster.n_gpus;
    out->seq_len = problem->job.seq_len;
    out->global_batch = problem->job.global_batch;
    out->dtype = p3d_dtype_name(problem->job.dtype);
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
    out->median_step_s = range.median_s;
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

/* What people say who have no model: 40 % of the dense peak. */
const double study_guess_mfu_frac = 0.4;

/* The step at that use of the peak, from the one at its own. */
static double guess_s(const p3d_estimate *estimate)
{
    return p3d_time_step_s(&estimate->time) * estimate->mfu_frac /
           study_guess_mfu_frac;
}

static int64_t metered(const p3d_memory *memory, exchange_meter meter)
{
    switch (meter) {
    case EXCHANGE_METER_ALLOCATED: return p3d_memory_allocated_bytes(memory);
    case EXCHANGE_METER_RESERVED: return p3d_memory_reserved_bytes(memory);
    case EXCHANGE_METER_DEVICE: break;
    }
    return p3d_memory_device_bytes(memory);
}

static bool is_metered(const exchange_case *c, int stage)
{
    const int last = c->plan.pp - 1;

    switch (c->stage) {
    case EXCHANGE_STAGE_HIGHEST: return true;
    case EXCHANGE_STAGE_LAST: return stage == last;
    case EXCHANGE_STAGE_FIRST_OR_LAST: return stage == 0 || stage == last;
    default: return stage == c->stage;
    }
}

static void predict_memory(const exchange_case *c, study_prediction *out)
{
    p3d_blocks blocks;

    p3d_blocks_build(&c->problem, p3d_plan_shard(&c->plan), &blocks);
    out->fits = true;
    for (int i = 0; i < c->plan.pp; i++) {
        p3d_stage stage;
        int64_t peak_bytes;

        p3d_estimate_stage(&c->problem, &c->plan, &blocks, i, &stage);
        peak_bytes = metered(&stage.memory, c->meter);
        if (is_metered(c, i) && peak_bytes > out->peak_bytes)
            out->peak_bytes = peak_bytes;
        if (p3d_memory_device_bytes(&stage.memory) >
                c->problem.cluster.gpu.visible_memory_bytes)
            out->fits = false;
    }
}

/* Refusals are counted by the rule, not by their numbers. */
static void refuse(const p3d_refusal *refusal, exchange_reason *out)
{
    int i = 0;

    while (spec_rule_id(i) != NULL &&
            strcmp(spec_rule_id(i), refusal->rule) != 0)
        i++;
    snprintf(out->kind, sizeof(out->kind), "not legal: %s",
            spec_rule_id(i) != NULL ? spec_rule_words(i) : refusal->rule);
    snprintf(out->words, sizeof(out->words), "%s", refusal->reason);
}

bool study_constants_hold(const p3d_calibration *calibration,
        const p3d_gpu *basis, const p3d_gpu *gpu)
{
    return strcmp(basis->calibration, gpu->calibration) == 0 ||
           p3d_same_word(calibration->name, gpu->calibration);
}

void study_predict_run(const exchange_run *row, exchange_hardware *hardware,
        const study_constants *given, study_prediction *out)
{
    exchange_case c;
    p3d_estimate estimate;
    p3d_refusal refusal = {0};

    *out = (study_prediction){0};
    if (!exchange_corpus_convert(row, hardware, &c, &out->reason))
        return;
    out->calibrated =
            given != NULL && study_constants_hold(given->calibration,
                                     &given->basis, &c.problem.cluster.gpu);
    if (out->calibrated)
        spec_cluster_calibrate(&c.problem.cluster, given->calibration);
    if (!p3d_estimate_plan(&c.problem, &c.plan, &estimate, &refusal)) {
        refuse(&refusal, &out->reason);
        return;
    }
    out->known = true;
    out->assumed = c.assumed;
    out->step_s = p3d_time_step_s(&estimate.time);
    out->guess_s = guess_s(&estimate);
    study_describe_run(row, &c, &estimate, &out->run);
    predict_memory(&c, out);
}
