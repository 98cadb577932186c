/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_runs.c - what measured runs of the user's own say of the next one. */
#include "spec/own_runs.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Runs that a mean is worth before any was measured. */
static const double PRIOR_SAME = 1;
static const double PRIOR_OTHER = 4;

typedef struct mean {
    int n;
    double sum;
} mean;

static void add(mean *to, double measured, double predicted)
{
    if (!(measured > 0) || !(predicted > 0))
        return;
    to->n++;
    to->sum += fmax(-P3D_MOST_OWN_LOG,
            fmin(P3D_MOST_OWN_LOG, p3d_log(measured / predicted)));
}

static double shrunk(const mean *of, bool same)
{
    return of->n == 0 ? 0
                      : of->sum / (of->n + (same ? PRIOR_SAME : PRIOR_OTHER));
}

const char *spec_own_network(const p3d_cluster *cluster)
{
    return cluster->n_nodes > 1 ? cluster->fabric.name : "";
}

static bool is_same_network(const char *a, const char *b)
{
    return a[0] == '\0' || b[0] == '\0' || strcmp(a, b) == 0;
}

static bool is_same(const p3d_own_run *run, const p3d_own_run *asked)
{
    return run->n_params == asked->n_params &&
           is_same_network(run->network, asked->network);
}

static bool says(const p3d_own_run *run, const p3d_own_run *asked, bool same)
{
    return strcmp(run->framework, asked->framework) == 0 &&
           is_same(run, asked) == same &&
           (same || run->experts == asked->experts);
}

static p3d_anchor anchor_of(
        const p3d_own_runs *runs, const p3d_own_run *asked, bool same)
{
    mean steps = {0};
    mean peaks = {0};

    for (int i = 0; i < runs->n && i < P3D_MAX_OWN_RUNS; i++) {
        const p3d_own_run *const run = &runs->at[i];

        if (!says(run, asked, same))
            continue;
        add(&steps, run->measured_step_s, run->predicted_step_s);
        add(&peaks, run->measured_peak_bytes, run->predicted_peak_bytes);
    }
    if (steps.n + peaks.n == 0)
        return (p3d_anchor){.step_factor = 0};
    return (p3d_anchor){.step_factor = p3d_exp(shrunk(&steps, same)),
            .peak_log = shrunk(&peaks, same),
            .n_steps = steps.n,
            .n_peaks = peaks.n,
            .same_model = same};
}

p3d_anchor p3d_anchor_of(const p3d_own_runs *runs, const p3d_own_run *asked)
{
    p3d_anchor same;

    if (runs == NULL || asked == NULL)
        return (p3d_anchor){.step_factor = 0};
    same = anchor_of(runs, asked, true);
    return same.n_steps + same.n_peaks > 0 ? same
                                           : anchor_of(runs, asked, false);
}

double p3d_anchor_step_factor(const p3d_anchor *anchor)
{
    return anchor != NULL && anchor->step_factor > 0 ? anchor->step_factor : 1;
}

static double error_frac(double predicted, double measured)
{
    return measured > 0 && predicted > 0 ? predicted / measured - 1
                                         : (double)NAN;
}

void p3d_own_runs_judge(const p3d_own_runs *runs, p3d_own_score *out)
{
    if (runs == NULL || out == NULL)
        return;
    for (int i = 0; i < runs->n && i < P3D_MAX_OWN_RUNS; i++) {
        const p3d_own_run *const run = &runs->at[i];
        p3d_own_runs others = *runs;
        p3d_anchor anchor;

        others.at[i] = others.at[--others.n];
        anchor = p3d_anchor_of(&others, run);
        out[i] = (p3d_own_score){.run = *run,
                .error_frac =
                        error_frac(run->predicted_step_s, run->measured_step_s),
                .held_error_frac =
                        anchor.n_steps == 0
                                ? (double)NAN
                                : error_frac(run->predicted_step_s *
                                                     anchor.step_factor,
                                          run->measured_step_s),
                .peak_error_frac = error_frac(
                        run->predicted_peak_bytes, run->measured_peak_bytes)};
    }
}

/* clang-format off */
#define ROW(type, member, flags, most, doc) \
    {#member, JSON_##type, flags, offsetof(p3d_own_run, member), 0, most, doc}
static const json_field fields[] = {
    ROW(STRING, id, JSON_REQUIRED, P3D_OWN_NAME, "that its owner calls it by"),
    ROW(STRING, framework, JSON_REQUIRED, P3D_OWN_NAME,
        "whose profile predicts it"),
    ROW(STRING, network, 0, P3D_OWN_NAME,
        "between its nodes; absent = not known, or one node"),
    ROW(INT64, n_params, JSON_REQUIRED, 1e15, "parameters of the model"),
    ROW(BOOL, experts, JSON_REQUIRED, 1, "the model has experts"),
    ROW(DOUBLE, measured_step_s, 0, 1e9, "of a step, s; absent = not measured"),
    ROW(DOUBLE, predicted_step_s, 0, 1e9, "the same, predicted, s"),
    ROW(DOUBLE, measured_peak_bytes, 0, 1e15,
        "of the tight GPU; absent = not measured"),
    ROW(DOUBLE, predicted_peak_bytes, 0, 1e15, "the same, predicted"),
};
/* clang-format on */

const json_shape spec_own_run_shape = {
        .doc = "a measured run of the user's own, and its prediction",
        .size = sizeof(p3d_own_run),
        .n_fields = P3D_COUNT_OF(fields),
        .fields = fields};
