/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.c - what measured runs say of the next one: the distribution of an
 * error, pooled so that those most alike count most and each source once; how
 * sure it is that a plan fits; and the runs of the user's own. */
#include "spec/residuals.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/util.h"
#include "spec/memory_residuals.h"

/* Runs of a source with which it counts half. */
static const double half_weight_runs = 4;

/* Repeats of one run differ by as much. */
static const double noise = 0.02;

bool spec_is_any(const spec_residuals *of, const spec_asked_run *q)
{
    (void)of;
    (void)q;
    return true;
}

bool spec_same_family(const char *a, const char *b)
{
    while (*a == *b && isalpha((unsigned char)*a)) {
        a++;
        b++;
    }
    return !isalpha((unsigned char)*a) && !isalpha((unsigned char)*b);
}

bool spec_is_of_family(const spec_residuals *of, const spec_asked_run *q)
{
    return spec_same_family(of->framework, q->framework);
}

bool spec_is_of_framework(const spec_residuals *of, const spec_asked_run *q)
{
    return strcmp(of->framework, q->framework) == 0;
}

/** Share below x of what lies evenly around 0. */
static double noise_below(double x)
{
    return x <= -noise ? 0 : x >= noise ? 1 : (x / noise + 1) / 2;
}

static double row_below(const spec_residuals *of, double x)
{
    double sum = 0;

    if (x - of->quantile[SPEC_N_QUANTILES - 1] >= noise)
        return 1;
    for (int i = 0; i < SPEC_N_QUANTILES && of->quantile[i] < x + noise; i++)
        sum += noise_below(x - of->quantile[i]);
    return sum / SPEC_N_QUANTILES;
}

static bool is_same_source(const spec_residuals *a, const char *source)
{
    return source != NULL && strcmp(a->source, source) == 0;
}

static bool counts(
        const spec_residuals *of, const spec_asked_run *q, spec_belongs *belong)
{
    return !is_same_source(of, q->source) && belong(of, q);
}

static int end_of_source(const spec_pool *pool, int first)
{
    int end = first + 1;

    while (end < pool->n_rows &&
            is_same_source(&pool->rows[end], pool->rows[first].source))
        end++;
    return end;
}

/* What the rows of a pool count for in a question: they add up to 1. */
enum { MAX_ROWS = 512 };

typedef struct weights {
    double of[MAX_ROWS];
} weights;

/** Add a source to what the rows count for at a level. @return its weight */
static double add_source(const spec_pool *pool, const spec_asked_run *q,
        spec_belongs *belong, int first, double *added)
{
    const int end = end_of_source(pool, first);
    int n = 0;

    for (int i = first; i < end; i++)
        n += counts(&pool->rows[i], q, belong) ? pool->rows[i].n : 0;
    for (int i = first; i < end; i++)
        if (counts(&pool->rows[i], q, belong))
            added[i] += pool->rows[i].n / (n + half_weight_runs);
    return n / (n + half_weight_runs);
}

/** What the sources of a level say and, worth one more, the levels before. */
static void add_level(const spec_pool *pool, const spec_asked_run *q,
        spec_belongs *belong, bool has_prior, weights *w)
{
    double total = has_prior ? 1 : 0;

    for (int first = 0; first < pool->n_rows;
            first = end_of_source(pool, first))
        total += add_source(pool, q, belong, first, w->of);
    for (int i = 0; i < pool->n_rows && total > 0; i++)
        w->of[i] /= total;
}

static void find_weights(
        const spec_pool *pool, const spec_asked_run *q, weights *out)
{
    P3D_ASSERT(pool->n_rows <= MAX_ROWS);
    memset(out, 0, sizeof(*out));
    for (int i = 0; i < pool->n_levels; i++)
        add_level(pool, q, pool->levels[i], i > 0, out);
}

static double below(const spec_pool *pool, const weights *w, double x)
{
    double sum = 0;

    for (int i = 0; i < pool->n_rows; i++)
        if (w->of[i] > 0)
            sum += w->of[i] * row_below(&pool->rows[i], x);
    return fmin(sum, 1); /* the weights are rounded */
}

double spec_pool_below_frac(
        const spec_pool *pool, const spec_asked_run *q, double x)
{
    weights w;

    find_weights(pool, q, &w);
    return below(pool, &w, x);
}

double spec_pool_quantile(
        const spec_pool *pool, const spec_asked_run *q, double frac)
{
    double low = -3, high = 3;
    weights w;

    find_weights(pool, q, &w);
    for (int i = 0; i < 40; i++) {
        const double x = (low + high) / 2;

        if (below(pool, &w, x) < frac)
            low = x;
        else
            high = x;
    }
    return high;
}

spec_evidence spec_pool_evidence(
        const spec_pool *pool, const spec_asked_run *q, spec_belongs *belong)
{
    spec_evidence out = {.n_runs = 0};

    for (int first = 0, end; first < pool->n_rows; first = end) {
        int n = 0;

        end = end_of_source(pool, first);
        for (int i = first; i < end; i++)
            n += counts(&pool->rows[i], q, belong) ? pool->rows[i].n : 0;
        out.n_sources += n > 0;
        out.n_runs += n;
    }
    return out;
}

/* nvidia-smi shows what the allocator holds without need, too. */
static bool is_known(const spec_residuals *of, const spec_asked_run *q)
{
    (void)q;
    return (of->traits & (SPEC_STANDS_IN | SPEC_DEVICE)) == 0;
}

static bool is_of_family(const spec_residuals *of, const spec_asked_run *q)
{
    return is_known(of, q) && spec_is_of_family(of, q);
}

static bool is_of_framework(const spec_residuals *of, const spec_asked_run *q)
{
    return is_known(of, q) && spec_is_of_framework(of, q);
}

static bool is_alike(const spec_residuals *of, const spec_asked_run *q)
{
    return is_of_framework(of, q) &&
           ((of->traits ^ q->traits) & SPEC_EXPERTS) == 0;
}

static spec_belongs *const levels[] = {
        spec_is_any, is_known, is_of_family, is_of_framework, is_alike};

static const spec_pool peak_pool = {spec_peak_residuals,
        P3D_COUNT_OF(spec_peak_residuals), levels, P3D_COUNT_OF(levels)};

static spec_asked_run question_of(const p3d_framework *framework, bool experts)
{
    return (spec_asked_run){
            .framework = framework->name != NULL ? framework->name : "",
            .traits = experts ? SPEC_EXPERTS : 0};
}

double spec_fit_probability_frac(const p3d_framework *framework, bool experts,
        const char *source, double taken_frac)
{
    spec_asked_run q = question_of(framework, experts);

    q.source = source;
    /* To 1e-6: nothing is known better, and machines print the same. */
    return round(1e6 *
                   spec_pool_below_frac(&peak_pool, &q, -p3d_log(taken_frac))) /
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
    spec_asked_run q;

    if (framework == NULL || model == NULL || !(sure_frac > 0) ||
            !(sure_frac < 1))
        return (double)NAN;
    q = question_of(framework, model->n_experts > 0);
    return p3d_exp(-spec_pool_quantile(&peak_pool, &q, sure_frac));
}

p3d_fit_evidence p3d_fit_evidence_of(
        const p3d_framework *framework, const p3d_model *model)
{
    spec_evidence alike, all;
    spec_asked_run q;

    if (framework == NULL || model == NULL)
        return (p3d_fit_evidence){.n_sources = 0};
    q = question_of(framework, model->n_experts > 0);
    alike = spec_pool_evidence(&peak_pool, &q, is_alike);
    all = spec_pool_evidence(&peak_pool, &q, spec_is_any);
    return (p3d_fit_evidence){
            alike.n_sources, alike.n_runs, all.n_sources, all.n_runs};
}

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
