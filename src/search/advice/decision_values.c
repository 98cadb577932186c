/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_values.c - the plausible values of each decision of a plan. */
#include "search/advice/decision_values.h"

#include <string.h>

#include "base/util.h"

/* Drop what is above a limit. */
static void keep_until(search_divisors *values, int limit)
{
    while (values->n > 0 && values->at[values->n - 1] > limit)
        values->n--;
}

/* 0, 1, .. n - 1. */
static void count_up(int n, search_divisors *out)
{
    for (out->n = 0; out->n < n; out->n++)
        out->at[out->n] = out->n;
}

void decision_values_tp(const p3d_problem *problem, search_divisors *out)
{
    const p3d_node *node = &problem->cluster.node;
    const int domain = node->gpus_per_nvlink_domain > node->gpus_per_node
                               ? node->gpus_per_nvlink_domain
                               : node->gpus_per_node;

    search_divisors_of(problem->cluster.n_gpus, out);
    keep_until(out, 2 * domain);
}

void decision_values_pp(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->cluster.n_gpus, out);
    keep_until(out, problem->model.n_layers + 2);
}

/* True when some number of pipeline ranks can hold vp chunks each. */
static bool shares_layers(
        const p3d_problem *problem, const search_divisors *ranks, int vp)
{
    for (int i = 0; i < ranks->n; i++) {
        const p3d_plan plan = {.pp = ranks->at[i], .vp = vp};
        int layers[P3D_MAX_LAYERS];

        if (plan.pp > 1 && plan.pp * vp <= P3D_MAX_LAYERS &&
                p3d_plan_split_layers(
                        &problem->model, &problem->job, &plan, layers))
            return true;
    }
    return false;
}

void decision_values_vp(const p3d_problem *problem, search_divisors *out)
{
    search_divisors ranks;

    decision_values_pp(problem, &ranks);
    out->n = 0;
    for (int vp = 1; vp <= (problem->model.n_layers + 2) / 2; vp++) {
        if (out->n < SEARCH_MAX_DIVISORS && shares_layers(problem, &ranks, vp))
            out->at[out->n++] = vp;
    }
}

void decision_values_cp(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->cluster.n_gpus, out);
}

void decision_values_ep(const p3d_problem *problem, search_divisors *out)
{
    out->n = 0;
    if (problem->model.n_experts > 0)
        search_divisors_of(problem->model.n_experts, out);
}

void decision_values_etp(const p3d_problem *problem, search_divisors *out)
{
    out->n = 0;
    if (problem->model.n_experts > 0)
        decision_values_tp(problem, out);
}

void decision_values_mbs(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->job.global_batch, out);
}

void decision_values_zero(const p3d_problem *problem, search_divisors *out)
{
    (void)problem;
    count_up(4, out);
}

void decision_values_recompute(const p3d_problem *problem, search_divisors *out)
{
    (void)problem;
    count_up(P3D_N_RECOMPUTES, out);
}

void decision_values_offload(const p3d_problem *problem, search_divisors *out)
{
    (void)problem;
    count_up(P3D_N_OFFLOADS, out);
}

void decision_values_sp(const p3d_problem *problem, search_divisors *out)
{
    count_up(problem->cluster.n_gpus > 1 ? 2 : 0, out);
}

void decision_values_schedule(const p3d_problem *problem, search_divisors *out)
{
    const p3d_job *job = &problem->job;

    out->n = 0;
    for (int s = 0; s < P3D_N_SCHEDULES; s++) {
        if (p3d_schedule_offered((p3d_schedule)s, job->framework) &&
                (job->asynchronous || p3d_schedule_flushes((p3d_schedule)s)))
            out->at[out->n++] = s;
    }
}

/* Place of a value, which is put there where it is missing. */
static int place_of(search_divisors *values, int value)
{
    int at = 0;

    while (at < values->n && values->at[at] < value)
        at++;
    if (at < values->n && values->at[at] == value)
        return at;
    P3D_ASSERT(values->n < SEARCH_MAX_DIVISORS);
    memmove(&values->at[at + 1], &values->at[at],
            (size_t)(values->n - at) * sizeof(values->at[0]));
    values->at[at] = value;
    values->n++;
    return at;
}

void decision_values_near(search_divisors *values, int chosen, int most)
{
    int first, at;

    if (values->n == 0)
        return;
    at = place_of(values, chosen);
    if (values->n <= most)
        return;
    /* The first value and most - 1 around the chosen one. */
    first = at - (most - 1) / 2;
    if (first > values->n - (most - 1))
        first = values->n - (most - 1);
    if (first < 1)
        first = 1;
    memmove(&values->at[1], &values->at[first],
            (size_t)(most - 1) * sizeof(values->at[0]));
    values->n = most;
}
