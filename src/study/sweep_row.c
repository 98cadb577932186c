/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_row.c - one combination of a sweep: its problem, search and row; and
 * the scan of many for the fewest and the cheapest GPUs that train in time. */
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "base/util.h"
#include "plan3d/best_framework.h"
#include "plan3d/deadline.h"
#include "plan3d/range.h"
#include "plan3d/training.h"

static const double s_per_h = 3600;

/* "64xH100" */
static void print_cluster(
        const p3d_sweep_point *point, char word[P3D_SWEEP_WORD])
{
    if (point->n_gpus == 0)
        (void)p3d_copy(word, P3D_SWEEP_WORD, point->cluster->word);
    else
        snprintf(word, P3D_SWEEP_WORD, "%lldx%.70s", (long long)point->n_gpus,
                point->cluster->word);
}

bool study_sweep_next(const study_sweep *sweep, int64_t i, int64_t n,
        const p3d_sweep_point *point)
{
    const p3d_sweep_options *const options = sweep->options;
    char word[P3D_SWEEP_WORD];

    print_cluster(point, word);
    return options->next == NULL || options->next(options->context, i, n, word);
}

static bool is_any(const p3d_sweep_point *point)
{
    return p3d_same_word(point->framework, P3D_ANY_FRAMEWORK);
}

/* The job of all rows, for one of them. */
static bool complete_job(const p3d_job *shared, const p3d_sweep_point *point,
        p3d_problem *out, p3d_error *err)
{
    p3d_job job = *shared;
    p3d_refusal refusal = {0};

    if (point->seq_len > 0)
        job.seq_len = (int)point->seq_len;
    if (point->global_batch > 0)
        job.global_batch = point->global_batch;
    job.usd_per_gpu_h = point->cluster->usd_per_gpu_h;
    if (is_any(point)) /* a stand-in until another is chosen */
        job.framework = NULL;
    else if (point->framework[0] != '\0') {
        job.framework = p3d_framework_find(point->framework);
        if (job.framework == NULL)
            return p3d_fail(err, P3D_USAGE, "unknown framework '%.60s'",
                    point->framework);
    }
    p3d_job_default(&job, &out->model, &out->cluster);
    out->job = job;
    return is_any(point) ||
           p3d_job_runs(&out->model, &out->cluster, &out->job, &refusal) ||
           p3d_fail(err, P3D_DATA, "%s", refusal.reason);
}

bool study_sweep_problem(const study_sweep *sweep, const p3d_sweep_point *point,
        p3d_problem *out, p3d_error *err)
{
    const p3d_sweep_options *const options = sweep->options;

    *out = (p3d_problem){
            .model = *options->model, .cluster = point->cluster->cluster};
    if (point->n_gpus > 0 &&
            !p3d_cluster_resize(&out->cluster, (int)point->n_gpus, err))
        return false;
    return options->complete != NULL
                   ? options->complete(options->context, point, out, err)
                   : complete_job(&options->job, point, out, err);
}

/* Where the point is of any framework, give its problem the best one.
 * @param limit_s  of a step, as of p3d_search_with()
 * @return false with P3D_DATA (all refuse) or P3D_SYSTEM */
static bool choose_framework(const study_sweep *sweep,
        const p3d_sweep_point *point, double limit_s, p3d_problem *problem,
        p3d_error *err)
{
    const p3d_framework_list among = p3d_frameworks_current();
    const p3d_ranking_options options = {
            .among = &among, .limit_s = limit_s > 0 ? limit_s : HUGE_VAL};
    p3d_framework_ranking ranking;

    return !is_any(point) ||
           (p3d_rank_frameworks(
                    problem, &sweep->pins, &options, &ranking, err) &&
                   p3d_take_first_framework(&ranking, problem, err));
}

/* All GPUs of the cluster are paid for. */
static double billion_tokens_usd(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    return 1e9 / estimate->tokens_per_s * problem->job.usd_per_gpu_h *
           problem->cluster.n_gpus / s_per_h;
}

static double usd_of(const p3d_training *t)
{
    return t->rent_usd + t->energy_usd + t->purchase_usd;
}

/* One end of the ranges; the job's days where it has tokens. */
static bool set_end(const p3d_problem *problem, const p3d_estimate *estimate,
        double step_s, p3d_sweep_end *out, p3d_error *err)
{
    p3d_training t = {.progresses = false};

    if (problem->job.n_tokens > 0 &&
            !p3d_training_at(problem, estimate, step_s, &t, err))
        return false;
    *out = (p3d_sweep_end){.step_s = step_s,
            .training_s = t.real_s,
            .training_kwh = t.energy_kwh,
            .training_usd = usd_of(&t)};
    return true;
}

static bool set_ends(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_row *row, p3d_error *err)
{
    const p3d_range range = p3d_step_range(problem, estimate);
    const double tokens =
            estimate->tokens_per_s * p3d_time_step_s(&estimate->time);

    if (!set_end(problem, estimate, range.low_s, &row->low, err) ||
            !set_end(problem, estimate, range.high_s, &row->high, err))
        return false;
    row->low.tokens_per_s = tokens / range.high_s;
    row->high.tokens_per_s = tokens / range.low_s;
    return true;
}

bool study_sweep_train(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_row *row, p3d_error *err)
{
    const p3d_cluster *cluster = &problem->cluster;
    p3d_training t;
    int n_gpus;

    row->billion_tokens_usd = billion_tokens_usd(problem, estimate);
    if (problem->job.n_tokens == 0)
        return true;
    if (!p3d_training_find(problem, estimate, &t, err))
        return false;
    row->never_ends = !t.progresses;
    if (row->never_ends)
        return true;
    n_gpus = cluster->n_gpus + t.n_spare_nodes * cluster->node.gpus_per_node;
    row->training_s = t.real_s;
    row->goodput_frac = t.goodput_frac;
    row->training_gpu_h = t.real_s * n_gpus / s_per_h;
    row->training_usd = usd_of(&t);
    row->training_kwh = t.energy_kwh;
    return true;
}

/* A step of the job takes longer: all its FLOPs at the peak of all GPUs. */
static double peak_step_s(const p3d_problem *problem)
{
    const p3d_job *job = &problem->job;
    const p3d_cluster *cluster = &problem->cluster;

    return p3d_model_flop_per_token(&problem->model, job) *
           (double)job->global_batch * job->seq_len /
           (p3d_gpu_peak_flop_per_s(&cluster->gpu, job->dtype) *
                   (double)cluster->n_gpus);
}

/* The best plan that was found for a point. */
typedef struct found {
    bool fits;
    int n_gpus; /* that it uses */
    int64_t n_plans;
    const p3d_framework *framework;
    p3d_estimate estimate;
    p3d_recommendation choices; /* where it fits */
} found;

/* The search of one point. */
typedef struct attempt {
    study_sweep *sweep;
    const p3d_sweep_point *point;
    p3d_problem problem; /* of the whole cluster */
    found best;
    p3d_sweep_row row;
} attempt;

static double probability_frac(const p3d_problem *problem, int64_t peak_bytes)
{
    const double visible_bytes =
            (double)problem->cluster.gpu.visible_memory_bytes;

    return p3d_fit_probability_frac(problem->job.framework, &problem->model,
            (double)peak_bytes / visible_bytes);
}

static void set_plan(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_row *row)
{
    const int64_t margin_bytes = p3d_estimate_margin_bytes(estimate);

    row->best = estimate->plan;
    p3d_plan_print(&estimate->plan, row->plan_words, sizeof(row->plan_words));
    row->peak_bytes = p3d_memory_device_bytes(&estimate->memory);
    row->usable_bytes = estimate->usable_bytes;
    row->margin_bytes = margin_bytes;
    row->missing_bytes = margin_bytes < 0 ? -margin_bytes : 0;
    row->verdict = p3d_estimate_verdict(estimate);
    row->fit_probability_frac = probability_frac(problem, row->peak_bytes);
}

static void set_choice(const p3d_problem *problem, const p3d_estimate *estimate,
        p3d_sweep_choice *out)
{
    out->found = estimate->plan;
    p3d_plan_print(&estimate->plan, out->plan_words, sizeof(out->plan_words));
    out->step_s = p3d_time_step_s(&estimate->time);
    out->margin_bytes = p3d_estimate_margin_bytes(estimate);
    out->fit_probability_frac = probability_frac(
            problem, p3d_memory_device_bytes(&estimate->memory));
}

/* All GPUs are paid for, those that wait too. */
static bool set_rates(attempt *a, p3d_error *err)
{
    const p3d_estimate *estimate = &a->best.estimate;
    const int n_gpus = a->problem.cluster.n_gpus;
    p3d_sweep_row *const row = &a->row;

    row->fits = true;
    row->legal = true;
    row->idle_gpus = n_gpus - a->best.n_gpus;
    row->step_s = p3d_time_step_s(&estimate->time);
    row->tokens_per_s = estimate->tokens_per_s;
    row->tokens_per_s_per_gpu = estimate->tokens_per_s / n_gpus;
    row->mfu_frac = estimate->mfu_frac * a->best.n_gpus / n_gpus;
    return study_sweep_train(&a->problem, estimate, row, err) &&
           set_ends(&a->problem, estimate, row, err);
}

/* Longer than what is kept of it: the end may be cut. */
static void set_refusal(const p3d_refusal *empty, p3d_sweep_row *row)
{
    char words[2 * P3D_SWEEP_REASON];

    if (empty->rule == NULL)
        snprintf(words, sizeof(words),
                "no plan divides this model, batch and number of GPUs (with "
                "the values of --pin, if any)");
    else
        snprintf(words, sizeof(words), "%s: %s", empty->rule, empty->reason);
    (void)p3d_copy(row->refusal_words, sizeof(row->refusal_words), words);
}

/* Choose a plan; the first of the sweep's result is the one, if any is. Plans
 * that only the estimate calls fitting are none where there is a limit.
 * @param choices  the others to choose from; NULL = they are not asked for */
static bool choose_plan(const study_sweep *sweep, const p3d_problem *problem,
        double limit_s, p3d_recommendation *choices, p3d_error *err)
{
    const p3d_recommend_options options = {
            .search = {.n_top = 1, .limit_s = limit_s, .cache = sweep->cache},
            .within_frac = sweep->options->within_frac,
            .objective = sweep->options->objective,
            .alone = choices == NULL,
            .only_sure = limit_s > 0};
    p3d_recommendation own;

    return p3d_recommend(problem, &sweep->pins, &options, sweep->result,
            choices != NULL ? choices : &own, err);
}

/* Search the whole cluster. */
static bool search_all(attempt *a, p3d_error *err)
{
    p3d_search_result *const result = a->sweep->result;
    const p3d_framework *const framework = a->problem.job.framework;
    p3d_recommendation choices;

    if (!choose_plan(a->sweep, &a->problem, 0, &choices, err))
        return false;
    a->best = (found){.fits = result->n_top > 0,
            .n_gpus = a->problem.cluster.n_gpus,
            .n_plans = result->n_plans,
            .framework = framework,
            .estimate = result->n_top > 0 ? result->top[0] : result->closest,
            .choices = choices};
    a->row.legal = result->n_plans > 0;
    a->row.framework = framework->name;
    if (!a->row.legal)
        set_refusal(&result->empty, &a->row);
    if (a->best.fits || result->have_closest)
        set_plan(&a->problem, &a->best.estimate, &a->row);
    return true;
}

/* What refuses every framework is as a rule that empties the space. */
static bool choose_and_search(attempt *a, p3d_error *err)
{
    p3d_error cause = {.code = P3D_OK};

    if (choose_framework(a->sweep, a->point, 0, &a->problem, &cause))
        return search_all(a, err);
    if (cause.code != P3D_DATA)
        return p3d_fail(err, cause.code, "%s", cause.text);
    (void)p3d_copy(
            a->row.refusal_words, sizeof(a->row.refusal_words), cause.text);
    return true;
}

static double best_step_s(const attempt *a)
{
    return p3d_time_step_s(&a->best.estimate.time);
}

/* Search one smaller cluster, for what is faster than the best so far. */
static bool try_smaller(attempt *a, const p3d_sweep_point *point,
        p3d_problem *smaller, p3d_error *err)
{
    const p3d_search_result *const result = a->sweep->result;
    const double limit_s = a->best.fits ? best_step_s(a) : 0;
    p3d_error cause = {.code = P3D_OK};
    p3d_recommendation choices;

    if (!choose_framework(a->sweep, point, limit_s, smaller, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(err, cause.code, "%s", cause.text);
    if (!choose_plan(a->sweep, smaller, limit_s, &choices, err))
        return false;
    a->best.n_plans += result->n_plans;
    if (result->n_top > 0 &&
            (!a->best.fits ||
                    p3d_time_step_s(&result->top[0].time) < best_step_s(a)))
        a->best = (found){.fits = true,
                .n_gpus = smaller->cluster.n_gpus,
                .n_plans = a->best.n_plans,
                .framework = smaller->job.framework,
                .estimate = result->top[0],
                .choices = choices};
    return true;
}

/* Look for a faster plan that uses fewer nodes, for the same job: some numbers
 * of GPUs have poor divisors. */
static bool leave_idle(attempt *a, p3d_error *err)
{
    const int node = a->problem.cluster.node.gpus_per_node;
    p3d_sweep_point smaller = *a->point;

    smaller.global_batch = a->problem.job.global_batch;
    for (int n = a->problem.cluster.n_gpus - node; n > 0; n -= node) {
        p3d_problem p;

        smaller.n_gpus = n;
        if (!study_sweep_problem(a->sweep, &smaller, &p, err))
            return false;
        if (a->best.fits && peak_step_s(&p) >= best_step_s(a))
            break; /* fewer GPUs need longer still */
        if (!try_smaller(a, &smaller, &p, err))
            return false;
    }
    return true;
}

/* Search the cluster and, where nodes may be idle, what is smaller than it. */
static bool search(attempt *a, p3d_error *err)
{
    p3d_problem *const p = &a->problem;

    if (!choose_and_search(a, err) ||
            (a->sweep->options->idle && !leave_idle(a, err)))
        return false;
    a->row.n_plans = a->best.n_plans;
    if (!a->best.fits)
        return true;
    a->row.refusal_words[0] = '\0';
    a->row.framework = a->best.framework->name;
    p3d_job_use(&p->job, a->best.framework, &p->model, &p->cluster);
    set_plan(&a->problem, &a->best.estimate, &a->row);
    set_choice(&a->problem, &a->best.choices.fastest, &a->row.fastest);
    set_choice(&a->problem, &a->best.choices.roomiest, &a->row.roomiest);
    return set_rates(a, err);
}

/* What is known before the search. */
static void begin_row(attempt *a)
{
    const p3d_sweep_point *const point = a->point;
    const p3d_problem *const problem = &a->problem;
    p3d_sweep_row *const row = &a->row;

    *row = (p3d_sweep_row){
            .type = point->cluster->word,
            .gpu = point->cluster->cluster.gpu.name,
            .n_gpus = point->n_gpus > 0 ? (int)point->n_gpus
                                        : problem->cluster.n_gpus,
            .seq_len = (int)point->seq_len,
            .global_batch = point->global_batch,
            .any_framework = is_any(point),
            .usd_per_gpu_h = point->cluster->usd_per_gpu_h,
    };
    if (problem->job.framework != NULL) {
        row->n_nodes = problem->cluster.n_nodes;
        row->seq_len = problem->job.seq_len;
        row->global_batch = problem->job.global_batch;
        row->framework =
                is_any(point) ? point->framework : problem->job.framework->name;
    }
    print_cluster(point, row->cluster);
}

bool study_sweep_add_row(
        study_sweep *sweep, const p3d_sweep_point *point, p3d_error *err)
{
    attempt a = {.sweep = sweep, .point = point};
    p3d_error cause = {0};
    const bool legal = study_sweep_problem(sweep, point, &a.problem, &cause);

    begin_row(&a);
    if (!legal && cause.code != P3D_DATA)
        return p3d_fail(err, cause.code, "%s", cause.text);
    if (!legal)
        (void)p3d_copy(
                a.row.refusal_words, sizeof(a.row.refusal_words), cause.text);
    else if (!search(&a, err))
        return false;
    if (!p3d_stopped())
        sweep->out.rows[sweep->out.n_rows++] = a.row;
    return true;
}

/* What the scan of one job needs. */
typedef struct scan {
    study_sweep *sweep;
    const p3d_numbers *counts; /* of GPUs */
    int64_t n_asked;           /* of them */
    p3d_sweep_point job;       /* of any number of GPUs */
    p3d_error error;           /* why it stopped; none when interrupted */
} scan;

static p3d_sweep_point with_gpus(const scan *s, int64_t n_gpus)
{
    p3d_sweep_point point = s->job;

    if (!point.cluster->sized)
        point.n_gpus = n_gpus;
    return point;
}

static double n_steps(const p3d_problem *p)
{
    return p->job.n_tokens / ((double)p->job.global_batch * p->job.seq_len);
}

/* 0 where the problem is not one, so that it is looked at and refused. */
static double bound_s(void *context, int64_t n_gpus)
{
    const scan *s = context;
    const p3d_sweep_point point = with_gpus(s, n_gpus);
    p3d_problem p;

    if (!study_sweep_problem(s->sweep, &point, &p, NULL))
        return 0;
    return n_steps(&p) * peak_step_s(&p);
}

/* A training takes at least its steps: a limit of one is a limit of a step. */
static double step_limit_s(const p3d_problem *p, double training_s)
{
    return isfinite(training_s) ? training_s / n_steps(p) : 0;
}

static bool train(
        void *context, int64_t n_gpus, double limit_s, p3d_training_point *out)
{
    scan *s = context;
    const p3d_sweep_point point = with_gpus(s, n_gpus);
    p3d_search_result *const result = s->sweep->result;
    p3d_sweep_row row = {.n_gpus = (int)n_gpus};
    p3d_error cause = {.code = P3D_OK};
    p3d_problem p;
    double most_s;

    if (!study_sweep_next(s->sweep, ++s->n_asked, s->counts->n, &point))
        return false;
    if (!study_sweep_problem(s->sweep, &point, &p, NULL))
        return true;
    most_s = step_limit_s(&p, limit_s);
    if (!choose_framework(s->sweep, &point, most_s, &p, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(&s->error, cause.code, "%s", cause.text);
    if (!choose_plan(s->sweep, &p, most_s, NULL, &s->error))
        return false;
    if (p3d_stopped())
        return false;
    if (result->n_top == 0)
        return true;
    if (!study_sweep_train(&p, &result->top[0], &row, &s->error))
        return false;
    if (row.never_ends)
        return true;
    *out = (p3d_training_point){.possible = true,
            .training_s = row.training_s,
            .cost = study_sweep_cost(&row)};
    return true;
}

/* Every number of whole nodes, or the numbers that were asked for. */
static bool list_counts(const study_sweep *sweep, const study_cluster *cluster,
        p3d_numbers *out, p3d_error *err)
{
    const p3d_sweep_cluster *const of = cluster->of;
    const int64_t asked = sweep->options->max_gpus;
    const int64_t max = asked > 0 ? asked : P3D_SWEEP_MAX_GPUS;
    const int64_t step = of->cluster.node.gpus_per_node;

    if (of->sized)
        return p3d_numbers_add(out, of->cluster.n_gpus, err);
    for (int i = 0; i < cluster->counts.n; i++)
        if (!p3d_numbers_add(out, cluster->counts.at[i], err))
            return false;
    for (int64_t n = step; cluster->counts.n == 0 && n <= max; n += step)
        if (!p3d_numbers_add(out, n, err))
            return false;
    p3d_numbers_sort(out);
    return out->n > 0 || p3d_fail(err, P3D_USAGE,
                                 "--max-gpus: a node of %s has %lld GPUs "
                                 "already; write a larger number",
                                 of->word, (long long)step);
}

/* Rows of what a scan found; one row for what is smallest and cheapest. Where
 * nothing fits, the largest says what is missing. */
static bool add_rows(scan *s, const p3d_deadline_answer *answer, p3d_error *err)
{
    p3d_sweep *const out = &s->sweep->out;
    const bool both = answer->smallest == answer->cheapest;
    const bool nothing =
            out->complete && answer->smallest < 0 && answer->closest < 0;
    const struct {
        int at;
        const char *role;
    } roles[STUDY_SCAN_ROWS] = {
            {answer->smallest, both ? "smallest and cheapest" : "smallest"},
            {both ? -1 : answer->cheapest, "cheapest"},
            {nothing ? s->counts->n - 1 : answer->closest,
                    nothing ? "largest" : "closest"}};

    for (int i = 0; i < P3D_COUNT_OF(roles); i++) {
        p3d_sweep_point point;

        if (roles[i].at < 0)
            continue;
        point = with_gpus(s, s->counts->at[roles[i].at]);
        if (!study_sweep_add_row(s->sweep, &point, err))
            return false;
        if (p3d_stopped())
            return true;
        out->rows[out->n_rows - 1].role = roles[i].role;
    }
    return true;
}

/* What is said of a scan beside its rows. */
static p3d_sweep_scan sum_up(
        const scan *s, const p3d_deadline_answer *answer, bool done)
{
    const p3d_sweep_point *const job = &s->job;

    return (p3d_sweep_scan){
            .type = job->cluster->word,
            .seq_len = (int)job->seq_len,
            .global_batch = job->global_batch,
            .framework = job->framework[0] != '\0' ? job->framework : NULL,
            .met = answer->smallest >= 0,
            .complete = done,
            .least_gpus = s->counts->at[0],
            .most_gpus = s->counts->at[s->counts->n - 1],
            .n_counts = s->counts->n,
            .n_searched = answer->n_searched,
            .n_skipped = answer->n_skipped,
    };
}

static bool scan_job(scan *s, p3d_error *err)
{
    p3d_sweep *const out = &s->sweep->out;
    const double usd_per_gpu_h = s->job.cluster->usd_per_gpu_h;
    const p3d_deadline_question question = {
            .deadline_s = s->sweep->options->deadline_s,
            .n_gpus = s->counts->at,
            .n_counts = s->counts->n,
            .gpu_s_cost = (usd_per_gpu_h > 0 ? usd_per_gpu_h : 1) / s_per_h,
            .context = s,
            .bound_s = bound_s,
            .train = train};
    p3d_deadline_answer answer;
    const bool done = p3d_deadline_scan(&question, &answer);

    if (s->error.code != P3D_OK)
        return p3d_fail(err, s->error.code, "%s", s->error.text);
    out->complete = out->complete && done;
    out->scans[out->n_scans++] = sum_up(s, &answer, done);
    return add_rows(s, &answer, err);
}

bool study_sweep_deadline(study_sweep *sweep, p3d_error *err)
{
    const int64_t n_jobs = study_axes_n_jobs(&sweep->axes);
    bool ok = true;

    for (int64_t i = 0; i < n_jobs && ok && sweep->out.complete; i++) {
        p3d_numbers counts = {0};
        scan s = {.sweep = sweep,
                .counts = &counts,
                .job = study_axes_job(&sweep->axes, i)};

        ok = list_counts(
                sweep, study_axes_cluster(&sweep->axes, i), &counts, err);
        if (ok) {
            sweep->out.n_asked += counts.n;
            ok = scan_job(&s, err);
        }
        p3d_numbers_free(&counts);
    }
    return ok;
}
