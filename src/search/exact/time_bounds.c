/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_bounds.c - bounds on the time of plans by the passes of the model. */
#include <math.h>

#include "cost/time/longest_path.h"
#include "search/exact/engine.h"
#include "spec/plan_split.h"

static const double ROUNDING = 1e-9; /* of sums, and more */

/** Micro-batches of a branch. */
static double n_micro(const search *s, const p3d_plan *branch)
{
    return (double)p3d_plan_n_micro_batches(branch, &s->problem->job);
}

/** Bounds are of the passes as they were estimated, steps as own runs were. */
static double surely_s(const search *s, double bound_s)
{
    return bound_s * p3d_anchor_step_factor(&s->problem->job.anchor) *
           (1 - ROUNDING);
}

double search_common_floor_s(
        const search *s, const p3d_plan *branch, const search_shard *alike)
{
    const double a = alike->common_pass_s / branch->pp;

    return surely_s(s, n_micro(s, branch) * a);
}

/**
 * With layers split as usual, without looking at stages.
 *
 *     T >= m a + (p - 1) a / v,   a = time of the whole model / p
 *     (without the second part where gradients of weights or the next step fill
 *     the bubble, and where chunks differ)
 *
 * The slowest of p stages takes at least the average a, and the step time
 * m t_max + (sum - t_max) / v grows with t_max.
 */
double search_usual_floor_s(
        const search *s, const p3d_plan *branch, const search_shard *costs)
{
    const double a = costs->pass_s / branch->pp;
    const bool fills = p3d_schedule_splits_backward(branch->schedule) ||
                       !p3d_schedule_flushes(branch->schedule) ||
                       spec_chunks_differ(branch);
    const double idle = fills ? 0 : (branch->pp - 1) * a / branch->vp;

    return surely_s(s, n_micro(s, branch) * a + idle);
}

/** The least that n layers of the model take, a forward pass counted so many
 *  times and a backward pass so many. */
static double layers_s(
        const search_shard *costs, int n, double forward, double backward)
{
    bool used[P3D_N_LAYER_KINDS] = {false};
    double sum_s = 0;

    while (n > 0) {
        double least_s = HUGE_VAL;
        int kind = -1;

        for (int k = 0; k < costs->n_kinds; k++) {
            const double one_s = forward * costs->forward_s[k] +
                                 backward * costs->backward_s[k];

            if (!used[k] && costs->n_layers[k] > 0 && one_s < least_s) {
                kind = k;
                least_s = one_s;
            }
        }
        if (kind < 0)
            break;
        used[kind] = true;
        sum_s += least_s *
                 (n < costs->n_layers[kind] ? n : costs->n_layers[kind]);
        n -= costs->n_layers[kind];
    }
    return sum_s;
}

/**
 * The same of plans with one chunk a rank, some stage of which has `n` layers
 * that take f forward and b backward.
 *
 *     T >= sum + (m - 1 - w) f + (m - 1) b,  w = min(p - 1, m - 1)   (1F1B)
 *     T >= sum + (m - 1) (f + b)                                     (GPipe)
 *     T >= m (f + b)                                                 (others)
 *
 * sum the time of the whole model. The first is cost_longest_path_floor_s()
 * for the rank where the least is to be waited for.
 */
double search_stage_floor_s(const search *s, const p3d_plan *branch,
        const search_shard *costs, int n)
{
    const double m = n_micro(s, branch);
    const double w = fmin(branch->pp - 1, m - 1);
    double bound_s = 0;

    if (branch->schedule == P3D_1F1B)
        bound_s = costs->pass_s + layers_s(costs, n, m - 1 - w, m - 1);
    if (branch->schedule == P3D_GPIPE)
        bound_s = costs->pass_s + layers_s(costs, n, m - 1, m - 1);
    return surely_s(s, fmax(layers_s(costs, n, m, m), bound_s));
}

double search_quick_floor_s(const search *s, const p3d_plan *plan,
        const search_shard *costs, int most)
{
    return plan->vp > 1 || (plan->first_layers == 0 && plan->last_layers == 0)
                   ? search_usual_floor_s(s, plan, costs)
                   : search_stage_floor_s(s, plan, costs, most);
}

static void add_pass(
        const search_shard *costs, int block, int n, cost_pass_time *sum)
{
    sum->forward_s += n * costs->forward_s[block];
    sum->backward_s += n * costs->backward_s[block];
}

/** Seconds of a stage's blocks, without recomputation. */
static cost_pass_time stage_time(const search *s, const search_shard *costs,
        const cost_layout *layout, int stage)
{
    cost_pass_time sum = {0, 0};

    for (int kind = 0; kind < layout->n_kinds; kind++)
        add_pass(costs, kind, layout->count[stage][kind], &sum);
    if (stage == 0)
        add_pass(costs, P3D_BLOCK_EMBEDDING, 1, &sum);
    if (stage == layout->n_chunks - 1)
        add_pass(costs, P3D_BLOCK_HEAD, 1 + s->problem->job.n_mtp_layers, &sum);
    return sum;
}

/** A bound by the passes of each stage. */
static double path_bound_s(search *s, const p3d_plan *branch,
        const search_shard *costs,
        double (*path_s)(const cost_pipeline *, const cost_pass_time *))
{
    const int64_t m = p3d_plan_n_micro_batches(branch, &s->problem->job);
    const cost_pipeline pipeline = {.order = branch->schedule,
            .p = branch->pp,
            .v = branch->vp,
            .m = (int)m,
            .group = branch->group};
    const cost_layout *layout = search_layout(s, branch);
    cost_pass_time stages[P3D_MAX_LAYERS];

    if (!cost_is_simulated(branch, m))
        return 0;
    for (int i = 0; i < layout->n_chunks; i++)
        stages[i] = stage_time(s, costs, layout, i);
    return surely_s(s, path_s(&pipeline, stages));
}

double search_uneven_floor_s(
        search *s, const p3d_plan *branch, const search_shard *costs)
{
    return path_bound_s(s, branch, costs, cost_longest_path_floor_s);
}

double search_uneven_path_s(
        search *s, const p3d_plan *branch, const search_shard *costs)
{
    return path_bound_s(s, branch, costs, cost_longest_path_least_s);
}
