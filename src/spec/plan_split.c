/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_split.c - how a plan shares out the layers. */
#include "spec/plan_split.h"

#include "base/util.h"
#include "spec/given.h"
#include "spec/sizes.h"

/* With a layer map: as even as can be, embedding, loss and blocks of
 * multi-token prediction counted as a layer each. The later stages take the odd
 * layers, because the earlier ones keep more micro-batches in flight.
 * Megatron-LM@d98e8a64 --pipeline-model-parallel-layout; torchtitan, nanotron
 * and DeepSpeed balance by themselves. A chunk may be an embedding alone, as in
 * "E|t*2|...|tL"; a stage may not. */
static bool balance(int n_layers, int n_mtp_layers, const p3d_plan *plan,
        int64_t n_stages, spec_split *out)
{
    const int least = plan->vp > 1 ? 1 : 2;
    const int n = n_layers + 2 + n_mtp_layers;
    const int share = (int)(n / n_stages);
    const int n_larger = (int)(n % n_stages);

    if (share < least || share + (n_larger > 0) < 1 + n_mtp_layers)
        return false;
    *out = (spec_split){.n_stages = n_stages,
            .share = share,
            .n_larger = n_larger,
            .first_less = true,
            .last_less = 1 + n_mtp_layers};
    return true;
}

/* Embedding, layers, final norm and head, as even as can be; the earlier
 * stages take the odd ones. Aleph-Alpha/scaling@7848929 src/scaling/core/nn/
 * parallel_module/pipeline_partitioning.py (pipe_partition_uniform). */
static bool split_items(
        const p3d_model *model, int64_t n_stages, spec_split *out)
{
    const int n = model->n_layers + 3;

    *out = (spec_split){.n_stages = n_stages,
            .share = (int)(n / n_stages),
            .n_larger = n % n_stages,
            .larger_first = true,
            .first_less = true,
            .last_less = 2};
    return out->share >= 3;
}

/* Numbers of the first and the last stage said by the plan, the rest shared
 * out evenly. Megatron-LM@d98e8a64 --decoder-first-pipeline-num-layers and
 * --decoder-last-pipeline-num-layers, megatron/core/transformer/
 * transformer_block.py:91-203. With chunks they are those of the first and of
 * the last chunk that has layers, and one between them may have fewer, as in
 * the layouts of Megatron-Bridge@04264182
 * src/megatron/bridge/recipes/kimi/kimi_k2.py. */
static bool split_typed(const p3d_model *model, const p3d_framework *framework,
        const p3d_plan *plan, spec_split *out)
{
    const int64_t n_stages = (int64_t)plan->pp * plan->vp;
    const int64_t n_full = n_stages - (int)plan->tail;
    const int n_ends = (plan->first_layers > 0) + (plan->last_layers > 0);
    const int64_t n_middle = n_full - n_ends;
    const int rest = model->n_layers - plan->first_layers - plan->last_layers;

    if ((plan->vp > 1 && !framework->layer_map) || n_middle < 0 || rest < 0 ||
            plan->short_chunk >= n_full - (plan->last_layers > 0))
        return false;
    *out = (spec_split){.n_stages = n_stages, .typed = true};
    if (n_middle == 0)
        return rest == 0;
    out->share = (int)p3d_ceil_div(rest, n_middle);
    out->less = (int)(out->share * n_middle - rest);
    return out->less < out->share && (out->less > 0) == (plan->short_chunk > 0);
}

/* The loss, or the embedding and the loss, may stand in for a layer each:
 * Megatron-LM@d98e8a64 --account-for-loss-in-pipeline-split and
 * --account-for-embedding-in-pipeline-split. */
static bool split_evenly(const p3d_model *model, const p3d_job *job,
        int64_t n_stages, spec_split *out)
{
    static const struct {
        int extra;
        bool first_less;
        bool last_less;
    } shapes[] = {{0, false, false}, {2, true, true}, {1, false, true}};
    const int n_shapes = job->framework->uneven_stages ? 3 : 1;

    for (int i = 0; i < n_shapes; i++) {
        const int n = model->n_layers + shapes[i].extra;
        const int share = (int)(n / n_stages);

        if (n % n_stages != 0 || share < 1 ||
                (share < 2 && shapes[i].last_less && n_stages < 3))
            continue;
        *out = (spec_split){.n_stages = n_stages,
                .share = share,
                .first_less = shapes[i].first_less,
                .last_less = shapes[i].last_less};
        return true;
    }
    return false;
}

bool p3d_plan_says_layers(const p3d_plan *plan)
{
    if (plan == NULL)
        return false;
    return plan->first_layers > 0 || plan->last_layers > 0 ||
           plan->short_chunk > 0 || plan->tail != P3D_TAIL_LAYERS;
}

void spec_split_usually(p3d_plan *plan)
{
    plan->first_layers = plan->last_layers = plan->short_chunk = 0;
    plan->tail = P3D_TAIL_LAYERS;
}

bool spec_split_find(const p3d_model *model, const p3d_job *job,
        const p3d_plan *plan, spec_split *out)
{
    const int64_t n_stages = (int64_t)plan->pp * plan->vp;

    if (n_stages < 1)
        return false;
    if (p3d_plan_says_layers(plan))
        return split_typed(model, job->framework, plan, out);
    if (job->framework->splits_by_cost) {
        *out = (spec_split){.n_stages = n_stages, .by_cost = true};
        return plan->vp == 1 && n_stages <= model->n_layers;
    }
    if (job->framework->splits_by_items)
        return plan->vp == 1 && split_items(model, n_stages, out);
    return split_evenly(model, job, n_stages, out) ||
           (job->framework->layer_map && (plan->vp == 1 || plan->uneven) &&
                   n_stages <= model->n_layers &&
                   balance(model->n_layers, job->n_mtp_layers, plan, n_stages,
                           out));
}

/**
 * Stages by their share of the work: a block goes to the stage at hand, which
 * ends when all blocks so far pass its share. A layer costs 4 a d h + 3 h f,
 * the head V h, embedding and norms nothing.
 *
 * Source: nanotron@a27e8fe8 src/nanotron/models/base.py:217-233.
 */
static void split_by_cost(const p3d_model *m, const p3d_plan *plan, int *layers)
{
    const double layer = 4.0 * m->n_heads * m->head_dim * m->hidden +
                         3.0 * m->hidden * m->ffn;
    const double all = m->n_layers * layer + (double)m->vocab * m->hidden;
    int stage = 0;

    for (int i = 0; i < plan->pp; i++)
        layers[i] = 0;
    for (int i = 0; i < m->n_layers; i++) {
        layers[stage]++;
        if ((i + 1) * layer > all * (stage + 1) / plan->pp &&
                stage + 1 < plan->pp)
            stage++;
    }
}

/* All that is read here. */
static bool is_given(
        const p3d_model *model, const p3d_job *job, const p3d_plan *plan)
{
    return spec_layers_given(model) && job != NULL && job->framework != NULL &&
           job->n_mtp_layers >= 0 && job->n_mtp_layers <= P3D_MAX_MTP_LAYERS &&
           plan != NULL && plan->pp >= 1 && plan->vp >= 1 &&
           plan->first_layers >= 0 && plan->last_layers >= 0 &&
           plan->first_layers <= P3D_MAX_GPUS &&
           plan->last_layers <= P3D_MAX_GPUS && plan->short_chunk >= 0 &&
           plan->tail >= P3D_TAIL_LAYERS && plan->tail < P3D_N_TAILS;
}

/* The chunks that have numbers of their own. */
static void lay_typed(
        const p3d_plan *plan, const spec_split *split, int *layers)
{
    const int64_t n_full = split->n_stages - (int)plan->tail;

    if (plan->first_layers > 0)
        layers[0] = plan->first_layers;
    if (plan->last_layers > 0)
        layers[n_full - 1] = plan->last_layers;
    if (plan->short_chunk > 0)
        layers[plan->short_chunk] -= split->less;
    for (int64_t i = n_full; i < split->n_stages; i++)
        layers[i] = 0;
}

bool p3d_plan_split_layers(const p3d_model *model, const p3d_job *job,
        const p3d_plan *plan, int *layers)
{
    if (!is_given(model, job, plan) || layers == NULL)
        return false;

    spec_split split;

    if (!spec_split_find(model, job, plan, &split))
        return false;
    if (split.by_cost) {
        split_by_cost(model, plan, layers);
        return true;
    }
    for (int64_t i = 0; i < split.n_stages; i++)
        layers[i] = split.share +
                    (split.larger_first ? i < split.n_larger
                                        : i >= split.n_stages - split.n_larger);
    layers[0] -= split.first_less;
    layers[split.n_stages - 1] -= split.last_less;
    if (split.typed)
        lay_typed(plan, &split, layers);
    return true;
}

bool p3d_plan_has_orders(const p3d_cluster *cluster, const p3d_plan *plan)
{
    return cluster != NULL && plan != NULL && plan->pp > 1 && plan->dp > 1 &&
           cluster->n_nodes > 1;
}

int p3d_plan_head_ranks(const p3d_job *job, const p3d_plan *plan)
{
    return job != NULL && plan != NULL
                   ? spec_head_ranks(job, plan->cp, plan->ulysses)
                   : 1;
}

bool spec_chunks_differ(const p3d_plan *plan)
{
    return plan->vp > 1 && (plan->uneven || p3d_plan_says_layers(plan));
}

int spec_most_layers(
        const p3d_model *model, const p3d_job *job, const p3d_plan *plan)
{
    int layers[P3D_MAX_LAYERS];
    int most = 0;

    if ((int64_t)plan->pp * plan->vp > P3D_MAX_LAYERS ||
            !p3d_plan_split_layers(model, job, plan, layers))
        return 0;
    for (int i = 0; i < plan->pp * plan->vp; i++)
        most = layers[i] > most ? layers[i] : most;
    return most;
}

p3d_plan p3d_plan_plain(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan)
{
    p3d_plan plain = {.tp = 0};

    if (plan == NULL)
        return plain;
    plain = *plan;
    if (!spec_model_given(model) || !spec_cluster_given(cluster) ||
            !spec_job_given(job))
        return plain;
    if (plan->pp == 1 && plan->vp == 1)
        plain.schedule = P3D_1F1B;
    if (!p3d_plan_has_orders(cluster, plan))
        plain.order = P3D_ORDER_DP_PP;
    if (plan->shard == (int64_t)plan->dp * plan->cp)
        plain.shard = 0;
    if (plan->ulysses == spec_head_ranks(job, plan->cp, 0))
        plain.ulysses = 0;
    plain.uneven = false;
    if (plan->uneven && spec_most_layers(model, job, &plain) == 0)
        plain.uneven = true;
    if (plan->recompute_layers == spec_most_layers(model, job, &plain))
        plain.recompute_layers = 0;
    return plain;
}
