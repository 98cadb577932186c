/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best_framework.c - each framework's own best plan, and which is faster. */
#include "plan3d/best_framework.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void refuse(
        p3d_framework_rank *rank, const char *rule, const char *reason)
{
    rank->verdict = P3D_FRAMEWORK_REFUSED;
    snprintf(rank->reason, sizeof(rank->reason), "%s%s%s",
            rule != NULL ? rule : "", rule != NULL ? ": " : "", reason);
}

/** Whether the framework takes the job's data types. */
static bool takes_states(const p3d_problem *problem, p3d_framework_rank *rank)
{
    p3d_error cause = {.code = P3D_OK};

    if (p3d_job_check_states(&problem->job, &cause))
        return true;
    refuse(rank, NULL, cause.text);
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
        refuse(rank, found->empty.rule, found->empty.reason);
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

/** What the searches of all frameworks share. */
typedef struct framework_search {
    const p3d_pins *pins;
    p3d_search_options options;
    p3d_search_result *found;
} framework_search;

static bool search_one(const framework_search *s, const p3d_problem *problem,
        p3d_framework_rank *rank, p3d_error *err)
{
    const double limit_s = s->options.limit_s;

    if (!takes_states(problem, rank))
        return true;
    if (!p3d_search_with(problem, s->pins, &s->options, s->found, err))
        return false;
    take_result(s->found, limit_s > 0 && isfinite(limit_s), rank);
    return true;
}

static bool rank_all(framework_search *s, const p3d_problem *problem,
        const p3d_framework_list *among, p3d_framework_ranking *out,
        p3d_error *err)
{
    const double limit_s = s->options.limit_s;

    for (int i = 0; i < among->n && !out->interrupted; i++) {
        const p3d_problem other = with_framework(problem, among->at[i]);
        p3d_framework_rank rank = begin(among->at[i]);

        s->options.limit_s = next_limit_s(limit_s, out);
        s->found->interrupted = false;
        if (!search_one(s, &other, &rank, err))
            return false;
        out->interrupted = s->found->interrupted;
        insert(out, &rank);
    }
    complete(out);
    return true;
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

    framework_search s = {.pins = pins,
            .options = {.n_top = 1,
                    .limit_s = options->limit_s,
                    .watch = options->watch}};
    bool ok;

    s.found = malloc(sizeof(*s.found));
    if (s.found == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    memset(out, 0, sizeof(*out));
    ok = rank_all(&s, problem, options->among, out, err);
    free(s.found);
    return ok;
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
        refuse(rank, NULL, cause.text);
    else if (!p3d_estimate_plan(problem, &plan, &estimate, &refusal))
        refuse(rank, refusal.rule, refusal.reason);
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
                "each of %d frameworks refuses; %s: %.300s", ranking->n,
                first->name, first->reason);
    }
    p3d_job_use(&problem->job, first->framework, &problem->model,
            &problem->cluster);
    return true;
}
