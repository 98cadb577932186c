/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_probability.c - how sure it is that a plan fits, from measured peaks. */
#include "spec/fit_probability.h"

#include <math.h>

#include "base/elementary.h"
#include "base/util.h"
#include "spec/memory_residuals.h"
#include "spec/residuals.h"

/* nvidia-smi shows what the allocator holds without need, too. */
static bool is_known(const spec_residuals *of, const spec_question *q)
{
    (void)q;
    return (of->traits & (SPEC_STANDS_IN | SPEC_DEVICE)) == 0;
}

static bool is_of_family(const spec_residuals *of, const spec_question *q)
{
    return is_known(of, q) && spec_is_of_family(of, q);
}

static bool is_of_framework(const spec_residuals *of, const spec_question *q)
{
    return is_known(of, q) && spec_is_of_framework(of, q);
}

static bool is_alike(const spec_residuals *of, const spec_question *q)
{
    return is_of_framework(of, q) &&
           ((of->traits ^ q->traits) & SPEC_EXPERTS) == 0;
}

static spec_belongs *const levels[] = {
        spec_is_any, is_known, is_of_family, is_of_framework, is_alike};

static const spec_pool peaks = {spec_peak_residuals,
        P3D_COUNT_OF(spec_peak_residuals), levels, P3D_COUNT_OF(levels)};

static spec_question question_of(const p3d_framework *framework, bool experts)
{
    return (spec_question){
            .framework = framework->name != NULL ? framework->name : "",
            .traits = experts ? SPEC_EXPERTS : 0};
}

double spec_fit_probability_frac(const p3d_framework *framework, bool experts,
        const char *source, double taken_frac)
{
    spec_question q = question_of(framework, experts);

    q.source = source;
    /* To 1e-6: nothing is known better, and machines print the same. */
    return round(1e6 * spec_pool_below_frac(&peaks, &q, -p3d_log(taken_frac))) /
           1e6;
}

double p3d_fit_probability_frac(const p3d_framework *framework,
        const p3d_model *model, double taken_frac)
{
    if (framework == NULL || model == NULL || !(taken_frac > 0))
        return (double)NAN;
    return spec_fit_probability_frac(
            framework, model->n_experts > 0, NULL, taken_frac);
}

double p3d_sure_taken_frac(const p3d_framework *framework,
        const p3d_model *model, double sure_frac)
{
    spec_question q;

    if (framework == NULL || model == NULL || !(sure_frac > 0) ||
            !(sure_frac < 1))
        return (double)NAN;
    q = question_of(framework, model->n_experts > 0);
    return p3d_exp(-spec_pool_quantile(&peaks, &q, sure_frac));
}

p3d_fit_evidence p3d_fit_evidence_of(
        const p3d_framework *framework, const p3d_model *model)
{
    spec_evidence alike, all;
    spec_question q;

    if (framework == NULL || model == NULL)
        return (p3d_fit_evidence){.n_sources = 0};
    q = question_of(framework, model->n_experts > 0);
    alike = spec_pool_evidence(&peaks, &q, is_alike);
    all = spec_pool_evidence(&peaks, &q, spec_is_any);
    return (p3d_fit_evidence){
            alike.n_sources, alike.n_runs, all.n_sources, all.n_runs};
}
