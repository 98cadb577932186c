/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools_training.c - a whole training on pools of several types: one job that
 * fails and is taken away as often as all of its pools are. */
#include <math.h>

#include "base/util.h"
#include "calibrate/training.h"
#include "cost/cost.h"
#include "cost/running.h"
#include "plan3d/pools.h"
#include "spec/given.h"

static int n_gpus_of(const p3d_pools_plan *plan)
{
    int n = 0;

    for (int k = 0; k < P3D_MAX_POOLS; k++)
        n += plan->n_gpus[k];
    return n;
}

/* The pool in use whose hosts take the longest copies: a checkpoint waits. */
static int slowest_pool(
        const p3d_pools_problem *problem, const p3d_pools_plan *plan)
{
    int slowest = -1;

    for (int k = 0; k < problem->pools.n_pools; k++)
        if (plan->n_gpus[k] > 0 &&
                (slowest < 0 ||
                        cost_host_copy_bytes_per_s(&problem->on[k].cluster) <
                                cost_host_copy_bytes_per_s(
                                        &problem->on[slowest].cluster)))
            slowest = k;
    return slowest;
}

/** Sums over the pools in use. */
typedef struct joined {
    double failures_per_s;
    double taken_per_s; /* away again and again */
    double away_frac;   /* of the time that all are there */
    double notice_s;    /* the shortest */
    double usd_per_h;   /* 0 = a pool has no price */
    double work_w;
    int n_nodes;
} joined;

static void join(const p3d_problem *on, int n_gpus, joined *all)
{
    const p3d_operations o = p3d_operations_of(on);
    const p3d_node *const node = &on->cluster.node;

    all->failures_per_s += n_gpus / o.gpu_mtbf_s;
    if (o.preempted_every_s > 0) {
        all->taken_per_s += 1 / o.preempted_every_s;
        all->away_frac += o.away_s / o.preempted_every_s;
        all->notice_s = fmin(all->notice_s, o.notice_s);
    }
    all->usd_per_h = on->job.usd_per_gpu_h > 0
                             ? all->usd_per_h + n_gpus * on->job.usd_per_gpu_h
                             : -HUGE_VAL;
    all->work_w += n_gpus * cost_power_per_gpu(&on->cluster).work_w;
    all->n_nodes += (n_gpus + node->gpus_per_node - 1) / node->gpus_per_node;
}

/* One cluster that fails, is taken away, draws power and costs as much as the
 * pools in use do together. */
static p3d_problem one_cluster(
        const p3d_pools_problem *problem, const p3d_pools_plan *plan)
{
    p3d_problem one = problem->on[slowest_pool(problem, plan)];
    p3d_cluster *const c = &one.cluster;
    const double watts = cost_power_per_gpu(c).work_w;
    const int n_gpus = n_gpus_of(plan);
    joined all = {.notice_s = HUGE_VAL};
    double power_frac;

    for (int k = 0; k < problem->pools.n_pools; k++)
        if (plan->n_gpus[k] > 0)
            join(&problem->on[k], plan->n_gpus[k], &all);
    power_frac = watts > 0 ? all.work_w / n_gpus / watts : 1;
    c->n_gpus = n_gpus;
    c->n_nodes = all.n_nodes;
    c->node.power_w *= power_frac;
    c->gpu.power_w *= power_frac;
    one.job.operations = p3d_operations_of(&one);
    one.job.operations.gpu_mtbf_s = n_gpus / all.failures_per_s;
    one.job.operations.preempted_every_s =
            all.taken_per_s > 0 ? 1 / all.taken_per_s : 0;
    one.job.operations.away_s =
            all.taken_per_s > 0 ? all.away_frac / all.taken_per_s : 0;
    one.job.operations.notice_s = all.taken_per_s > 0 ? all.notice_s : 0;
    one.job.usd_per_gpu_h = fmax(0, all.usd_per_h) / n_gpus;
    return one;
}

bool p3d_pools_training(const p3d_pools_problem *problem,
        const p3d_pools_plan *plan, p3d_training *out, p3d_error *err)
{
    p3d_problem one;

    if (problem == NULL || plan == NULL || out == NULL || !(plan->step_s > 0) ||
            n_gpus_of(plan) < 1 || slowest_pool(problem, plan) < 0)
        return p3d_misuse(err, __func__);
    one = one_cluster(problem, plan);
    if (!spec_problem_given(&one))
        return p3d_misuse(err, __func__);
    return calibrate_training(&one,
            one.job.n_tokens / (p3d_job_tokens(&one.job) / plan->step_s),
            plan->step_s, out, err);
}
