/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_split.c - how a plan shares out the layers and the batch. */
#include "spec/plan_split.h"

#include "base/util.h"

/* With a layer map: as even as can be, embedding and loss counted as a layer
 * each. The later stages take the odd layers, because the earlier ones keep
 * more micro-batches in flight. Megatron-LM@d98e8a64
 * --pipeline-model-parallel-layout; torchtitan, nanotron and DeepSpeed balance
 * by themselves. */
static bool balance(int n_layers, int64_t n_stages, p3d_split *out)
{
    const int share = (int)((n_layers + 2) / n_stages);

    if (share < 2)
        return false;
    *out = (p3d_split){.n_stages = n_stages,
            .share = share,
            .n_larger = (n_layers + 2) % n_stages,
            .first_less = true,
            .last_less = true};
    return true;
}

/* The loss, or the embedding and the loss, may stand in for a layer each:
 * Megatron-LM@d98e8a64 --account-for-loss-in-pipeline-split and
 * --account-for-embedding-in-pipeline-split. */
bool p3d_split_find(const p3d_model *model, const p3d_job *job,
        const p3d_plan *plan, p3d_split *out)
{
    static const struct {
        int extra;
        bool first_less;
        bool last_less;
    } shapes[] = {{0, false, false}, {2, true, true}, {1, false, true}};
    const int64_t n_stages = (int64_t)plan->pp * plan->vp;
    const int n_shapes = job->framework->uneven_stages ? 3 : 1;

    if (n_stages < 1 || n_stages > model->n_layers)
        return false;
    for (int i = 0; i < n_shapes; i++) {
        const int n = model->n_layers + shapes[i].extra;
        const int share = (int)(n / n_stages);

        if (n % n_stages != 0 || (share < 2 && shapes[i].last_less))
            continue;
        *out = (p3d_split){.n_stages = n_stages,
                .share = share,
                .first_less = shapes[i].first_less,
                .last_less = shapes[i].last_less};
        return true;
    }
    return job->framework->layer_map && plan->vp == 1 &&
           balance(model->n_layers, n_stages, out);
}

bool p3d_plan_split_layers(const p3d_model *model, const p3d_job *job,
        const p3d_plan *plan, int *layers)
{
    p3d_split split;

    if (!p3d_split_find(model, job, plan, &split))
        return false;
    for (int64_t i = 0; i < split.n_stages; i++)
        layers[i] = split.share + (i >= split.n_stages - split.n_larger);
    layers[0] -= split.first_less;
    layers[split.n_stages - 1] -= split.last_less;
    return true;
}

int64_t p3d_plan_n_micro_batches(const p3d_plan *plan, const p3d_job *job)
{
    return job->global_batch / ((int64_t)plan->dp * plan->micro_batch);
}
