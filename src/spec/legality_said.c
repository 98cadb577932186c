/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_said.c - the rule on plans that a framework's options cannot say. */
#include "base/util.h"
#include "spec/legality.h"

static bool recomputes_some(const p3d_question *q)
{
    return q->plan->recompute == P3D_RECOMPUTE_FULL &&
           q->plan->recompute_layers > 0;
}

static bool recomputes_some_in_pipeline(const p3d_question *q)
{
    return q->plan->pp > 1 && recomputes_some(q);
}

static bool recomputes_groups(const p3d_question *q)
{
    return q->plan->recompute_group > 1;
}

static bool recomputes_odd_groups(const p3d_question *q)
{
    const p3d_plan *const p = q->plan;
    int layers[P3D_MAX_LAYERS];

    if (p->recompute_group < 2 || p->pp < 1 || p->vp < 1 ||
            p->pp > P3D_MAX_LAYERS / p->vp ||
            !p3d_plan_split_layers(q->model, q->job, p, layers))
        return false;
    for (int i = 0; i < p->pp * p->vp; i++) {
        if (layers[i] % p->recompute_group != 0)
            return true;
    }
    return false;
}

static bool groups_micro_batches(const p3d_question *q)
{
    return q->plan->group > 0 && q->plan->group != q->plan->pp;
}

static bool recomputes_modules(const p3d_question *q)
{
    return q->plan->recompute == P3D_RECOMPUTE_SELECTIVE;
}

static bool splits_experts(const p3d_question *q)
{
    return q->plan->ep > 1 && q->plan->etp > 1;
}

static bool splits_sequences(const p3d_question *q)
{
    return q->plan->sequence_parallel;
}

static bool shards_experts(const p3d_question *q)
{
    return q->plan->zero == 3 && q->model->n_experts > 0;
}

static bool cuts_context(const p3d_question *q)
{
    return q->plan->shard > 0 && q->plan->shard % q->plan->cp != 0;
}

static bool shares_with_nobody(const p3d_question *q)
{
    return q->plan->shard > 0 && q->plan->shard <= q->plan->cp;
}

static bool has_uneven_chunks(const p3d_question *q)
{
    return q->plan->uneven;
}

/* clang-format off */
static const struct {
    unsigned bit;
    bool (*wants)(const p3d_question *);
    const char *words;
} rows[] = {
    {P3D_LACKS_LAYER_COUNTS, recomputes_some,
        "recomputes all layers or none; try recompute=full"},
    {P3D_LACKS_PIPELINE_LAYER_COUNTS, recomputes_some_in_pipeline,
        "recomputes all layers of a pipeline or none; try recompute=full"},
    {P3D_LACKS_LAYER_GROUPS, recomputes_groups,
        "recomputes each layer from its own input; try recompute=full"},
    {P3D_LACKS_ODD_GROUPS, recomputes_odd_groups,
        "takes groups that divide the layers of each chunk; try "
        "recompute=full"},
    {P3D_LACKS_MICRO_BATCH_GROUPS, groups_micro_batches,
        "runs pp micro-batches in a row, with no option for it; try it without "
        "group"},
    {P3D_LACKS_SELECTIVE, recomputes_modules,
        "recomputes whole layers alone; try recompute=full"},
    {P3D_LACKS_EXPERT_TENSOR, splits_experts,
        "does not split the experts of ep > 1; try etp=1"},
    {P3D_LACKS_SEQUENCE_PARALLEL, splits_sequences,
        "has no sequence parallelism; try nosp"},
    {P3D_LACKS_CONTEXT_SHARDS, cuts_context,
        "shares states by whole groups of cp; try a multiple of it"},
    {P3D_LACKS_LONE_SHARDS, shares_with_nobody,
        "shares states by two replicas or more; try another shard"},
    {P3D_LACKS_UNEVEN_CHUNKS, has_uneven_chunks,
        "takes one number of layers for all chunks; try another vp"},
    {P3D_LACKS_ZERO_3_EXPERTS, shards_experts,
        "does not shard the weights of experts; try zero=2"},
};
/* clang-format on */

bool spec_rule_said(const p3d_question *q)
{
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        if ((q->framework->lacks & rows[i].bit) != 0 && rows[i].wants(q))
            return spec_refuse(q, "%s %s", q->framework->name, rows[i].words);
    }
    return true;
}
