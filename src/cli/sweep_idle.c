/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_idle.c - the best plan of a cluster that may leave nodes idle. */
#include "cli/sweep.h"

double cli_sweep_peak_step_s(const p3d_problem *problem)
{
    const p3d_job *job = &problem->job;
    const p3d_cluster *cluster = &problem->cluster;

    return p3d_model_flop_per_token(&problem->model, job) *
           (double)job->global_batch * job->seq_len /
           (p3d_gpu_peak_flop_per_s(&cluster->gpu, job->dtype) *
                   (double)cluster->n_gpus);
}

/* Search one smaller cluster, for what is faster than the best so far. */
static bool try_smaller(cli_sweep_work *sweep, const cli_sweep_point *point,
        p3d_problem *smaller, cli_sweep_found *best, p3d_error *err)
{
    const p3d_search_result *result = sweep->result;

    const p3d_search_options options = {.n_top = 1,
            .limit_s = best->fits ? p3d_time_step_s(&best->estimate.time) : 0,
            .cache = sweep->cache};

    p3d_error cause = {.code = P3D_OK};

    if (!cli_sweep_choose(sweep, point, options.limit_s, smaller, &cause))
        return cause.code == P3D_DATA ||
               p3d_fail(err, cause.code, "%s", cause.text);
    if (!p3d_search_with(smaller, &sweep->pins, &options, sweep->result, err))
        return false;
    best->n_plans += result->n_plans;
    if (result->n_top > 0 &&
            (!best->fits || p3d_time_step_s(&result->top[0].time) <
                                    p3d_time_step_s(&best->estimate.time)))
        *best = (cli_sweep_found){.fits = true,
                .n_gpus = smaller->cluster.n_gpus,
                .n_plans = best->n_plans,
                .framework = smaller->job.framework,
                .estimate = result->top[0]};
    return true;
}

bool cli_sweep_leave_idle(cli_sweep_work *sweep, const cli_sweep_point *point,
        const p3d_problem *problem, cli_sweep_found *best, p3d_error *err)
{
    const int node = problem->cluster.node.gpus_per_node;
    cli_sweep_point smaller = *point;

    smaller.global_batch = problem->job.global_batch;
    for (int n = problem->cluster.n_gpus - node; n > 0; n -= node) {
        p3d_problem p;

        smaller.n_gpus = n;
        if (!cli_sweep_problem(sweep, &smaller, &p, err))
            return false;
        if (best->fits && cli_sweep_peak_step_s(&p) >=
                                  p3d_time_step_s(&best->estimate.time))
            break; /* fewer GPUs need longer still */
        if (!try_smaller(sweep, &smaller, &p, best, err))
            return false;
    }
    return true;
}
