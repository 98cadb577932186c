/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearness.c - the distance between two runs, in doublings and other words. */
#include "spec/nearness.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "plan3d/workload.h"
#include "spec/residuals.h"

/* Of what is not known: further than anything that is. */
static const double UNKNOWN_STEPS = 100;

double spec_network_bytes_per_s_per_gpu(const p3d_cluster *cluster)
{
    return cluster->n_nodes < 2 ? 0
                                : cluster->fabric.nic_bytes_per_s_one_way *
                                          cluster->node.nics_per_node /
                                          cluster->node.gpus_per_node;
}

spec_run_facts spec_facts_of(const p3d_problem *problem, const p3d_plan *plan)
{
    const p3d_job *const job = &problem->job;
    const p3d_framework *const fw = job->framework;

    return (spec_run_facts){.gpu = problem->cluster.gpu.name,
            .architecture = problem->cluster.gpu.architecture,
            .profile = fw != NULL && fw->name != NULL ? fw->name : "",
            .active_parameters = (double)p3d_active_params(&problem->model),
            .seq_len = (double)job->seq_len,
            .network_bytes_per_s_per_gpu =
                    spec_network_bytes_per_s_per_gpu(&problem->cluster),
            .n_gpus = problem->cluster.n_gpus,
            .experts = problem->model.n_experts > 0,
            .adapters = job->adapters.rank > 0,
            .dtype = job->dtype,
            .tp = plan->tp,
            .pp = plan->pp,
            .cp = plan->cp,
            .ep = plan->ep,
            .recompute = plan->recompute};
}

/* So that what is printed adds up. */
static double to_a_tenth(double steps)
{
    return round(10 * steps) / 10;
}

static double doublings(double a, double b)
{
    return a > 0 && b > 0 ? to_a_tenth(fabs(p3d_log2(a / b))) : UNKNOWN_STEPS;
}

static double network_steps(double a, double b)
{
    return a > 0 && b > 0 ? doublings(a, b) : (a > 0) != (b > 0);
}

/* Bytes of what is multiplied. */
static double width(p3d_dtype dtype)
{
    static const double narrow[P3D_N_DTYPES] = {
            [P3D_FP8] = 1, [P3D_NVFP4] = 0.5};

    if ((unsigned)dtype >= P3D_N_DTYPES)
        return 0;
    return narrow[dtype] > 0 ? narrow[dtype] : p3d_dtype_bytes(dtype);
}

static double gpu_steps(const spec_run_facts *a, const spec_run_facts *b)
{
    return strcmp(a->gpu, b->gpu) == 0                     ? 0
           : strcmp(a->architecture, b->architecture) == 0 ? 1
                                                           : 3;
}

static double framework_steps(const char *a, const char *b)
{
    return strcmp(a, b) == 0 ? 0 : spec_same_family(a, b) ? 1 : 2;
}

static double plan_steps(const spec_run_facts *a, const spec_run_facts *b)
{
    const bool same_split = a->tp == b->tp && a->pp == b->pp &&
                            a->cp == b->cp && a->ep == b->ep;

    return (same_split ? 0 : 1) + (a->recompute == b->recompute ? 0 : 1);
}

p3d_distance_parts spec_distance(
        const spec_run_facts *a, const spec_run_facts *b)
{
    return (p3d_distance_parts){
            .model_size_steps =
                    doublings(a->active_parameters, b->active_parameters),
            .experts_steps = a->experts == b->experts ? 0 : 3,
            .trained_steps = a->adapters == b->adapters ? 0 : 3,
            .gpu_steps = gpu_steps(a, b),
            .precision_steps = doublings(width(a->dtype), width(b->dtype)),
            .framework_steps = framework_steps(a->profile, b->profile),
            .network_steps = network_steps(a->network_bytes_per_s_per_gpu,
                    b->network_bytes_per_s_per_gpu),
            .n_gpus_steps = doublings(a->n_gpus, b->n_gpus),
            .seq_len_steps = doublings(a->seq_len, b->seq_len),
            .plan_steps = plan_steps(a, b),
    };
}

double spec_distance_steps(const p3d_distance_parts *parts)
{
    double sum = 0;

#define P3D_AS_SUM(part, words) sum += parts->part##_steps;
    P3D_DISTANCE_PARTS(P3D_AS_SUM)
#undef P3D_AS_SUM
    return to_a_tenth(sum);
}

bool spec_is_near(const p3d_distance_parts *parts)
{
    double largest = 0;

#define P3D_AS_LARGEST(part, words) \
    largest = fmax(largest, parts->part##_steps);
    P3D_DISTANCE_PARTS(P3D_AS_LARGEST)
#undef P3D_AS_LARGEST
    return spec_distance_steps(parts) <= P3D_NEAR_STEPS &&
           largest <= P3D_NEAR_PART_STEPS;
}
