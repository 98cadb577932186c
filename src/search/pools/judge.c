/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - a plan on pools, worked out stage by stage, and bounds that need no
 * plan. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "search/pools/seek.h"

void search_pool_twin(const search_pool_world *world, search_pool_world *out)
{
    *out = *world;
    out->setting.pools = 0;
    out->states = NULL;
}

/* The shard of a segment; NULL where there is none such. */
static const search_pool_shard *shard_of(const search_pool_world *w,
        const p3d_replica_class *class, const p3d_segment *segment)
{
    const int vp = class->vp > 0 ? class->vp : 1;
    const int t = search_pool_exponent(segment->tp),
              b = search_pool_exponent(class->micro_batch);
    const int v = search_pool_exponent(vp);
    int at;

    if (t >= SEARCH_POOL_TPS || b >= SEARCH_POOL_BATCHES ||
            v >= SEARCH_POOL_CHUNKS || 1 << t != segment->tp ||
            1 << b != class->micro_batch || 1 << v != vp)
        return NULL;
    at = w->index[segment->pool][t][b][class->recompute][v];
    return at < 0 ? NULL : &w->shards[at];
}

/* Whether chunks have as many layers in each stage, and run in whole rounds of
 * micro-batches. */
static bool has_rounds(
        const p3d_replica_class *class, const search_pool_shape *shape)
{
    const int vp = shape->shards[0]->vp;
    const int p = search_pool_n_stages(shape);

    for (int i = 0; i < p; i++)
        if (class->layers[i] % vp != 0)
            return false;
    return vp == 1 ||
           (p > 1 && class->n_micro_batches % search_pool_round(shape) == 0);
}

/* @return false where a shard is not legal */
static bool shape_of(const search_pool_world *w, const p3d_replica_class *class,
        search_pool_shape *out)
{
    *out = (search_pool_shape){.n_segments = class->n_segments};
    for (int i = 0; i < class->n_segments; i++) {
        out->shards[i] = shard_of(w, class, &class->segments[i]);
        out->n_stages[i] = class->segments[i].n_stages;
        if (out->shards[i] == NULL)
            return false;
    }
    return has_rounds(class, out);
}

int search_pool_stages_in(const search_pool_world *w,
        const p3d_replica_class *class, search_pool_stage *stages)
{
    search_pool_shape shape;
    int n;

    if (!shape_of(w, class, &shape))
        return 0;
    n = search_pool_stages_of(&shape, stages);
    for (int i = 0; i < n; i++)
        stages[i].n_layers = class->layers[i];
    return n;
}

/* Note the stage that has the least left. */
static void weigh(search_pool_world *w, const search_pool_stage *stage,
        p3d_replica_class *class)
{
    const p3d_problem *const on = &w->on[stage->shard->pool];
    const int64_t peak = search_pool_peak_bytes(w, stage);
    const int64_t left =
            on->cluster.gpu.visible_memory_bytes - on->job.reserve_bytes - peak;

    if (stage->stage > 0 && left >= class->left_bytes)
        return;
    class->peak_bytes = peak;
    class->left_bytes = left;
    class->tight_stage = stage->stage;
}

/* @return whether it is sure to fit */
static bool judge_class(
        search_pool_world *w, p3d_replica_class *class, double *once_s)
{
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    search_pool_split split = {.sum_s = 0};
    search_pool_shape shape;
    bool fits = true;

    if (!shape_of(w, class, &shape))
        return false;
    class->n_stages = search_pool_stages_of(&shape, stages);
    for (int i = 0; i < class->n_stages; i++) {
        const p3d_problem *const on = &w->on[stages[i].shard->pool];
        double pass_s;

        stages[i].n_layers = class->layers[i];
        pass_s = search_pool_pass_s(w, &stages[i]);
        split.sum_s += pass_s;
        split.bottleneck_s = fmax(split.bottleneck_s, pass_s);
        *once_s = fmax(*once_s, search_pool_once_s(w, &stages[i]));
        weigh(w, &stages[i], class);
        fits = fits &&
               search_pool_peak_bytes(w, &stages[i]) <= p3d_sure_bytes(on);
    }
    class->bottleneck_s = split.bottleneck_s;
    class->pipeline_s =
            search_pool_pipeline_s(&shape, &split, class->n_micro_batches);
    return fits;
}

/* Replicas, GPUs and pools of a plan. @return its pools, a bit each */
static unsigned count(p3d_pools_plan *plan)
{
    unsigned pools = 0;

    plan->n_replicas = 0;
    memset(plan->n_gpus, 0, sizeof(plan->n_gpus));
    for (int i = 0; i < plan->n_classes; i++) {
        const p3d_replica_class *const class = &plan->classes[i];

        plan->n_replicas += class->n_replicas;
        for (int j = 0; j < class->n_segments; j++) {
            const p3d_segment *const s = &class->segments[j];

            plan->n_gpus[s->pool] += class->n_replicas * s->tp * s->n_stages;
            pools |= 1u << s->pool;
        }
    }
    return pools;
}

static void set_rates(const search_pool_world *w, p3d_pools_plan *plan)
{
    const p3d_job *const job = &w->problem->on[0].job;
    const double tokens = p3d_job_tokens(job);
    double peak = 0;

    for (int k = 0; k < w->problem->pools.n_pools; k++)
        peak += plan->n_gpus[k] *
                p3d_gpu_peak_flop_per_s(
                        &w->problem->pools.clusters[k].gpu, job->dtype);
    plan->tokens_per_s = tokens / plan->step_s;
    plan->mfu_frac = p3d_model_flop_per_token(&w->problem->on[0].model, job) *
                     tokens / (plan->step_s * peak);
}

bool search_pool_judge(search_pool_world *w, p3d_pools_plan *plan)
{
    const unsigned pools = count(plan);
    const search_pool_setting setting = {.zero = plan->zero,
            .pools = pools,
            .least_replicas = plan->n_replicas,
            .most_replicas = plan->n_replicas};
    bool fits = true;

    search_pool_set(w, &setting);
    plan->pipeline_s = plan->once_s = 0;
    for (int i = 0; i < plan->n_classes; i++) {
        fits = judge_class(w, &plan->classes[i], &plan->once_s) && fits;
        plan->pipeline_s = fmax(plan->pipeline_s, plan->classes[i].pipeline_s);
    }
    plan->step_s = plan->pipeline_s + plan->once_s;
    set_rates(w, plan);
    return fits;
}

double search_pool_floor_s(const search_pool_world *w, unsigned pools)
{
    double samples_per_s = 0;

    for (int k = 0; k < w->problem->pools.n_pools; k++) {
        double best = 0; /* sequences a second and GPU */

        for (int i = 0; i < w->n_shards; i++) {
            const search_pool_shard *const s = &w->shards[i];

            if (s->pool == k && (pools >> k & 1) != 0)
                best = fmax(best,
                        s->micro_batch / (s->tp * s->layer_s * w->n_layers));
        }
        samples_per_s += best * w->problem->pools.clusters[k].n_gpus;
    }
    return (double)w->global_batch / samples_per_s * (1 - 1e-12);
}

/* Layers that a GPU of a pool holds, at most. */
static double layers_of_gpu(search_pool_world *w, int pool)
{
    static const struct {
        int n_stages, stage;
    } roomy[] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}};
    double most = 0;

    for (int i = 0; i < w->n_shards; i++) {
        const search_pool_shard *const shard = &w->shards[i];

        /* Several chunks leave no more room. */
        if (shard->pool != pool || shard->vp > 1)
            continue;
        for (int j = 0; j < P3D_COUNT_OF(roomy); j++) {
            const search_pool_stage s = {
                    shard, roomy[j].n_stages, roomy[j].stage, 0};

            most = fmax(most, (double)search_pool_room(w, &s) / shard->tp);
        }
    }
    return most;
}

/* Layers that all GPUs of the setting's pools hold, at most. */
static double layers_of_all(search_pool_world *w)
{
    double layers = 0;

    for (int k = 0; k < w->problem->pools.n_pools; k++)
        if ((w->setting.pools >> k & 1) != 0)
            layers +=
                    w->problem->pools.clusters[k].n_gpus * layers_of_gpu(w, k);
    return layers * (1 + 1e-12);
}

int search_pool_most_replicas(search_pool_world *w)
{
    return (int)(layers_of_all(w) / w->n_layers);
}

/* Halvings after which a bound is near enough. */
enum { HALVINGS = 12 };

double search_pool_least_once_s(search_pool_world *w)
{
    const double layers = (double)w->setting.least_replicas * w->n_layers;
    double low_s = 0, high_s = 1e-3;

    search_pool_limit(w, HUGE_VAL);
    if (layers_of_all(w) < layers)
        return HUGE_VAL;
    for (;; low_s = high_s, high_s *= 4) {
        search_pool_limit(w, high_s);
        if (layers_of_all(w) >= layers)
            break;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle_s = (low_s + high_s) / 2;

        search_pool_limit(w, middle_s);
        if (layers_of_all(w) >= layers)
            high_s = middle_s;
        else
            low_s = middle_s;
    }
    return low_s;
}
