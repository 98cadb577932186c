/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best_framework.c - each framework's own best plan, and which is faster. */
#include "plan3d/best_framework.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/util.h"
#include "spec/given.h"

const char *p3d_framework_verdict_word(int i)
{
    static const char *const words[P3D_N_FRAMEWORK_VERDICTS] = {
            "fits", "slower", "too large", "refused"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

static p3d_problem with_framework(
        const p3d_problem *problem, const p3d_framework *framework)
{
    p3d_problem other = *problem;

    p3d_job_use(&other.job, framework, &other.model, &other.cluster);
    return other;
}

static p3d_framework_rank begin(const p3d_framework *framework)
{
    return (p3d_framework_rank){
            .framework = framework, .name = framework->name};
}

static void refuse(p3d_framework_rank *rank, const char *reason)
{
    rank->verdict = P3D_FRAMEWORK_REFUSED;
    (void)p3d_copy(rank->reason, sizeof(rank->reason), reason);
}

/** Whether the framework takes the job's data types. */
static bool takes_states(const p3d_problem *problem, p3d_framework_rank *rank)
{
    p3d_error cause = {.code = P3D_OK};

    if (p3d_job_check_states(&problem->job, &cause))
        return true;
    refuse(rank, cause.text);
    return false;
}

static void fit(const p3d_estimate *estimate, p3d_framework_rank *rank)
{
    rank->verdict = P3D_FRAMEWORK_FITS;
    rank->step_s = p3d_time_step_s(&estimate->time);
}

static void miss(const p3d_estimate *estimate, p3d_framework_rank *rank)
{
    const int64_t margin_bytes = p3d_estimate_margin_bytes(estimate);

    rank->verdict = P3D_FRAMEWORK_TOO_LARGE;
    rank->missing_bytes = margin_bytes < 0 ? -margin_bytes : 0;
    rank->node_bytes =
            estimate->host_bytes_per_node + estimate->nvme_bytes_per_node;
}

static void take_result(
        const p3d_search_result *found, bool limited, p3d_framework_rank *rank)
{
    if (found->n_plans == 0)
        refuse(rank, found->empty.reason);
    else if (found->n_top > 0)
        fit(&found->top[0], rank);
    else if (limited || !found->have_closest)
        rank->verdict = P3D_FRAMEWORK_SLOWER;
    else
        miss(&found->closest, rank);
}

/** -1: a goes before b. */
static int compare(const p3d_framework_rank *a, const p3d_framework_rank *b)
{
    const double numbers[][2] = {{a->verdict, b->verdict},
            {a->step_s, b->step_s},
            {(double)a->missing_bytes, (double)b->missing_bytes},
            {(double)a->node_bytes, (double)b->node_bytes}};

    for (int i = 0; i < P3D_COUNT_OF(numbers); i++)
        if (numbers[i][0] != numbers[i][1])
            return numbers[i][0] < numbers[i][1] ? -1 : 1;
    return 0;
}

/** Put a framework in its place, behind its equals. */
static void insert(p3d_framework_ranking *out, const p3d_framework_rank *rank)
{
    int at = out->n++;

    while (at > 0 && compare(rank, &out->at[at - 1]) < 0) {
        out->at[at] = out->at[at - 1];
        at--;
    }
    out->at[at] = *rank;
}

static void complete(p3d_framework_ranking *out)
{
    for (int i = 0; i < out->n; i++)
        out->at[i].slower_frac =
                out->at[i].verdict == P3D_FRAMEWORK_FITS
                        ? out->at[i].step_s / out->at[0].step_s - 1
                        : nan("");
}

/** The limit of the next search; 0 = none. */
static double next_limit_s(double limit_s, const p3d_framework_ranking *ranking)
{
    if (limit_s <= 0 || ranking->n == 0 ||
            ranking->at[0].verdict != P3D_FRAMEWORK_FITS)
        return limit_s;
    return fmin(limit_s, ranking->at[0].step_s);
}

/** The search of one framework. */
typedef struct framework_task {
    p3d_framework_rank rank;
    atomic_llong n_plans; /* that are settled */
    bool interrupted;
    bool failed; /* memory ran out */
} framework_task;

/** What the searches of all frameworks share. */
typedef struct framework_search {
    const p3d_problem *problem;
    const p3d_pins *pins;
    const p3d_ranking_options *options;
    p3d_framework_ranking *out;
    double start_s;
    atomic_bool stopped; /* by the watcher */
    bool failed;
    framework_task tasks[P3D_MAX_FRAMEWORKS];
} framework_search;

/** A search and what it belongs to. */
typedef struct watched {
    framework_search *s;
    framework_task *task;
} watched;

/** Of a search, whose thread is not the watcher's own. */
static bool note(void *context, double seconds, int64_t n_plans)
{
    const watched *const w = context;

    (void)seconds;
    atomic_store(&w->task->n_plans, n_plans);
    return !atomic_load(&w->s->stopped);
}

/** Tell the watcher of all searches together. */
static void tell(void *context)
{
    framework_search *const s = context;
    const p3d_watch *const watch = s->options->watch;
    int64_t n_plans = 0;

    for (int i = 0; i < s->options->among->n; i++)
        n_plans += atomic_load(&s->tasks[i].n_plans);
    if (watch != NULL &&
            !watch->tick(watch->context, p3d_now_s() - s->start_s, n_plans))
        atomic_store(&s->stopped, true);
}

/** Search with the limit of the options or, where there is one, the best time
 *  so far; the watch is NULL, or of this search. */
static bool search_one(
        framework_search *s, framework_task *task, const p3d_watch *watch)
{
    const p3d_problem other = with_framework(s->problem, task->rank.framework);
    const double limit_s = next_limit_s(s->options->limit_s, s->out);
    const p3d_search_options options = {
            .n_top = 1, .limit_s = limit_s, .watch = watch};
    p3d_search_result *found;
    bool ok;

    if (!takes_states(&other, &task->rank))
        return true;
    found = malloc(sizeof(*found));
    ok = found != NULL &&
         p3d_search_with(&other, s->pins, &options, found, NULL);
    if (ok) {
        take_result(found, limit_s > 0 && isfinite(limit_s), &task->rank);
        task->interrupted = found->interrupted;
    }
    free(found);
    return ok;
}

static bool begin_task(void *context, int64_t i)
{
    framework_search *const s = context;

    s->tasks[i].rank = begin(s->options->among->at[i]);
    return !s->out->interrupted;
}

/** By the calling thread, for the watcher itself. */
static void search_alone(void *context, int64_t i, int thread)
{
    framework_search *const s = context;

    (void)thread;
    s->tasks[i].failed = !search_one(s, &s->tasks[i], s->options->watch);
}

static void search_beside(void *context, int64_t i, int thread)
{
    framework_search *const s = context;
    watched w = {s, &s->tasks[i]};
    const p3d_watch watch = {note, &w};

    (void)thread;
    s->tasks[i].failed = !search_one(s, &s->tasks[i], &watch);
}

static bool take_task(void *context, int64_t i)
{
    framework_search *const s = context;
    const framework_task *const task = &s->tasks[i];

    s->failed = task->failed;
    if (s->failed)
        return false;
    s->out->interrupted = s->out->interrupted || task->interrupted;
    insert(s->out, &task->rank);
    return true;
}

/** Beside each other, unless one's time is the limit of the next. */
static void rank_all(framework_search *s)
{
    const int n = s->options->among->n;
    const int n_threads = s->options->limit_s > 0 ? 1 : p3d_threads_for(n);

    p3d_tasks_run(&(p3d_tasks){.n = n,
            .n_threads = n_threads,
            .context = s,
            .begin = begin_task,
            .work = n_threads > 1 ? search_beside : search_alone,
            .take = take_task,
            .tick = tell});
    complete(s->out);
}

static bool is_list(const p3d_framework_list *list)
{
    if (list == NULL || list->n < 0 || list->n > P3D_MAX_FRAMEWORKS)
        return false;
    for (int i = 0; i < list->n; i++) {
        if (list->at[i] == NULL)
            return false;
    }
    return true;
}

bool p3d_rank_frameworks(const p3d_problem *problem, const p3d_pins *pins,
        const p3d_ranking_options *options, p3d_framework_ranking *out,
        p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_pins_given(pins) ||
            options == NULL || !is_list(options->among) || out == NULL)
        return p3d_misuse(err, __func__);

    framework_search *const s = calloc(1, sizeof(*s));
    bool ok;

    if (s == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s->problem = problem;
    s->pins = pins;
    s->options = options;
    s->out = out;
    s->start_s = p3d_now_s();
    memset(out, 0, sizeof(*out));
    rank_all(s);
    ok = !s->failed;
    free(s);
    return ok || p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
}

static void try_plan(
        const p3d_problem *problem, const char *words, p3d_framework_rank *rank)
{
    p3d_error cause = {.code = P3D_OK};
    p3d_refusal refusal = {.rule = NULL};
    p3d_estimate estimate;
    p3d_plan plan;

    if (!takes_states(problem, rank))
        return;
    if (!p3d_plan_parse(
                words, problem->cluster.n_gpus, rank->framework, &plan, &cause))
        refuse(rank, cause.text);
    else if (!p3d_estimate_plan(problem, &plan, &estimate, &refusal))
        refuse(rank, refusal.reason);
    else if (estimate.sure)
        fit(&estimate, rank);
    else
        miss(&estimate, rank);
}

void p3d_rank_frameworks_by_plan(const p3d_problem *problem, const char *plan,
        const p3d_framework_list *among, p3d_framework_ranking *out)
{
    if (out == NULL)
        return;
    memset(out, 0, sizeof(*out));
    if (!spec_problem_given(problem) || plan == NULL || !is_list(among))
        return;
    for (int i = 0; i < among->n; i++) {
        const p3d_problem other = with_framework(problem, among->at[i]);
        p3d_framework_rank rank = begin(among->at[i]);

        try_plan(&other, plan, &rank);
        insert(out, &rank);
    }
    complete(out);
}

/** How many refuse for another reason than the first. */
static int n_other_reasons(const p3d_framework_ranking *ranking)
{
    int n = 0;

    for (int i = 1; i < ranking->n; i++)
        n += strcmp(ranking->at[i].reason, ranking->at[0].reason) != 0;
    return n;
}

bool p3d_take_first_framework(const p3d_framework_ranking *ranking,
        p3d_problem *problem, p3d_error *err)
{
    const p3d_framework_rank *first;

    if (ranking == NULL || ranking->n < 1 || ranking->at[0].framework == NULL ||
            !spec_problem_given(problem))
        return p3d_misuse(err, __func__);
    first = &ranking->at[0];
    if (first->verdict == P3D_FRAMEWORK_REFUSED) {
        if (n_other_reasons(ranking) == 0)
            return p3d_fail(err, P3D_DATA, "%s", first->reason);
        return p3d_fail(err, P3D_DATA,
                "each of %d frameworks rejects it; %s: %.300s", ranking->n,
                first->name, first->reason);
    }
    p3d_job_use(&problem->job, first->framework, &problem->model,
            &problem->cluster);
    return true;
}
