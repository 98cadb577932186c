/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline.c - who holds which layers, and how many micro-batches at once. */
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "cost/pipeline/schedule.h"
#include "spec/params.h"

int64_t cost_micro_batches(const cost_case *of)
{
    return p3d_plan_n_micro_batches(of->plan, &of->problem->job);
}

double cost_rank_tokens(const p3d_problem *problem, const p3d_plan *plan)
{
    return (double)plan->micro_batch * problem->job.seq_len / plan->cp;
}

double cost_all_params(p3d_params params)
{
    return (double)(params.dense + params.experts);
}

p3d_params cost_less_params(p3d_params a, p3d_params b)
{
    return (p3d_params){a.dense - b.dense, a.experts - b.experts};
}

int cost_dense_replicas(const p3d_plan *plan)
{
    return plan->dp * plan->cp;
}

int cost_expert_replicas(const p3d_plan *plan)
{
    const int world = plan->tp * plan->cp * plan->dp;

    return world / (plan->etp * plan->ep);
}

double cost_dense_shards(const p3d_plan *plan)
{
    return plan->shard > 0 ? plan->shard : cost_dense_replicas(plan);
}

double cost_expert_shards(const p3d_plan *plan)
{
    const double part =
            cost_dense_shards(plan) / (double)cost_dense_replicas(plan);
    const double shards = cost_expert_replicas(plan) * part;

    return shards > 1 ? shards : 1;
}

bool cost_reduces_once(const p3d_framework *framework, const p3d_plan *plan)
{
    return framework->reduces_pipelines_once && plan->pp > 1 && plan->zero >= 2;
}

/** As many layers of each kind. */
static bool same_counts(const cost_layout *layout, int a, int b)
{
    for (int kind = 0; kind < layout->n_kinds; kind++) {
        if (layout->count[a][kind] != layout->count[b][kind])
            return false;
    }
    return true;
}

static bool same_layers(
        const p3d_model *model, const cost_layout *layout, int a, int b)
{
    int n;

    if (!same_counts(layout, a, b))
        return false;
    n = cost_chunk_layers(layout, a);
    for (int i = 0; i < n; i++) {
        const int kind = cost_kind_at(model, layout->first[a] + i);

        if (layout->count[a][kind] == n)
            return true; /* all are alike */
        if (kind != cost_kind_at(model, layout->first[b] + i))
            return false;
    }
    return true;
}

/** Find the first chunk that each is like, mostly that of the chunk before.
 *  @param alone  the chunk that is like no other; -1 = none */
static void compare_chunks(
        const p3d_model *model, int alone, cost_layout *layout)
{
    short different[P3D_MAX_LAYERS];
    int n = 0;

    for (int chunk = 0; chunk < layout->n_chunks; chunk++) {
        int i = chunk == alone ? -1 : n - 1;

        while (i >= 0 &&
                (different[i] == alone ||
                        !same_layers(model, layout, chunk, different[i])))
            i--;
        if (i < 0)
            different[i = n++] = (short)chunk;
        layout->like[chunk] = different[i];
    }
}

/** The chunk with the blocks of multi-token prediction: that of the head, or
 *  the one before it. */
static int mtp_chunk(const p3d_plan *plan)
{
    return plan->pp * plan->vp - 1 - (plan->tail == P3D_TAIL_MTP_HEAD);
}

bool cost_layout_build(
        const p3d_problem *problem, const p3d_plan *plan, cost_layout *out)
{
    int layers[P3D_MAX_LAYERS];
    int next = 0;

    if (plan->pp > P3D_MAX_LAYERS / plan->vp ||
            !p3d_plan_split_layers(
                    &problem->model, &problem->job, plan, layers))
        return false;
    out->n_chunks = plan->pp * plan->vp;
    out->n_kinds = 1;
    for (int chunk = 0; chunk < out->n_chunks; chunk++) {
        short *count = out->count[chunk];

        memset(count, 0, sizeof(out->count[chunk]));
        out->first[chunk] = (short)next;
        for (int i = 0; i < layers[chunk]; i++) {
            const int kind = problem->model.layer_kind[next++];

            count[kind]++;
            if (kind >= out->n_kinds)
                out->n_kinds = kind + 1;
        }
    }
    out->count[mtp_chunk(plan)]
              [problem->model.layer_kind[problem->model.n_layers - 1]] +=
            (short)problem->job.n_mtp_layers;
    compare_chunks(&problem->model,
            plan->tail == P3D_TAIL_MTP_HEAD ? mtp_chunk(plan) : -1, out);
    return true;
}

double cost_boundary_bytes(const p3d_problem *problem, const p3d_plan *plan)
{
    return (double)p3d_dtype_bytes(problem->job.dtype) *
           cost_rank_tokens(problem, plan) * problem->model.hidden /
           (plan->sequence_parallel ? plan->tp : 1);
}

double cost_pipeline_bytes(const p3d_problem *problem, const p3d_plan *plan)
{
    const p3d_framework *fw = problem->job.framework;
    const double boundary = cost_boundary_bytes(problem, plan);

    if (plan->pp == 1)
        return 0;
    return fw->partitions_outputs && plan->tp > 1 && !plan->sequence_parallel
                   ? boundary / plan->tp
                   : fw->pipeline_tensors * boundary;
}

int cost_stage_of(const p3d_plan *plan, int rank, int chunk)
{
    const cost_pipeline pipeline = {
            .order = plan->schedule, .p = plan->pp, .v = plan->vp};

    return cost_schedule_stage(&pipeline, rank, chunk);
}

bool cost_has_head(const p3d_plan *plan, int rank)
{
    return cost_stage_of(plan, rank, plan->vp - 1) == plan->pp * plan->vp - 1;
}

int cost_kind_at(const p3d_model *model, int layer)
{
    /* Blocks of multi-token prediction are like the last layer. */
    return model
            ->layer_kind[layer < model->n_layers ? layer : model->n_layers - 1];
}

bool cost_same_as_before(const cost_case *of, int rank)
{
    if (rank < 2 || rank == of->plan->pp - 1)
        return false;
    for (int j = 0; j < of->plan->vp; j++) {
        if (of->layout->like[cost_stage_of(of->plan, rank, j)] !=
                of->layout->like[cost_stage_of(of->plan, rank - 1, j)])
            return false;
    }
    return true;
}

bool cost_same_chunk_as_before(const cost_case *of, int rank, int chunk)
{
    int stage, before;

    if (chunk == 0)
        return false;
    stage = cost_stage_of(of->plan, rank, chunk);
    before = cost_stage_of(of->plan, rank, chunk - 1);
    return before > 0 && stage < of->layout->n_chunks - 1 &&
           of->layout->like[stage] == of->layout->like[before];
}

int cost_chunk_layers(const cost_layout *layout, int chunk)
{
    const short *count = layout->count[chunk];
    int n = 0;

    for (int kind = 0; kind < layout->n_kinds; kind++)
        n += count[kind];
    return n;
}

/** Layers that are recomputed in full, group by group. */
typedef struct replayed_layers {
    int first; /* of the model */
    int n;
    int group;
} replayed_layers;

static void replay_each(
        const p3d_model *model, replayed_layers of, cost_replay *out)
{
    int next = 0; /* layer that a group begins with */

    for (int i = 0; i < of.n; i++) {
        const int kind = cost_kind_at(model, of.first + i);

        out->full[kind]++;
        if (i == next) { /* no division: this is where a search is most */
            out->kept_inputs[kind]++;
            next += of.group;
        }
    }
}

/** The same where all layers of a chunk are of a kind, as they mostly are.
 *  @return false where they are not */
static bool replay_alike(
        const short *count, int total, replayed_layers of, cost_replay *out)
{
    int kind = 0;

    while (kind < P3D_N_LAYER_KINDS && count[kind] != total)
        kind++;
    if (kind == P3D_N_LAYER_KINDS)
        return false;
    out->full[kind] = (short)of.n;
    out->kept_inputs[kind] =
            (short)(of.group == 1 ? of.n : (of.n + of.group - 1) / of.group);
    return true;
}

cost_replay cost_replay_of(const cost_case *of, int chunk)
{
    const p3d_plan *plan = of->plan;
    const int total = cost_chunk_layers(of->layout, chunk);
    const replayed_layers layers = {.first = of->layout->first[chunk],
            .n = plan->recompute_layers > 0 && plan->recompute_layers < total
                         ? plan->recompute_layers
                         : total,
            .group = plan->recompute_group > 1 ? plan->recompute_group : 1};
    cost_replay replay = {.rest = plan->recompute};

    if (plan->recompute != P3D_RECOMPUTE_FULL)
        return replay;
    replay.rest = P3D_RECOMPUTE_NONE;
    if (!replay_alike(of->layout->count[chunk], total, layers, &replay))
        replay_each(&of->problem->model, layers, &replay);
    return replay;
}

/** Whether a rank has a chunk. */
static bool has_chunk(const p3d_plan *plan, int rank, int chunk)
{
    for (int j = plan->vp - 1; j >= 0; j--) {
        if (cost_stage_of(plan, rank, j) == chunk)
            return true;
    }
    return false;
}

/** Parameters at the end of a pipeline that are not of its blocks: a tied
 *  output matrix on another rank than the embedding is a copy (Megatron-LM
 *  megatron/core/models/common/language_module), and so is the embedding that
 *  multi-token prediction reads; a block of that has a projection of two
 *  streams to one and three norms more (arXiv:2412.19437 section 2.2). */
static int64_t end_extras(const p3d_problem *problem, const p3d_plan *plan,
        int rank, bool trained)
{
    const bool head = cost_has_head(plan, rank);
    const int n_mtp = has_chunk(plan, rank, mtp_chunk(plan))
                              ? problem->job.n_mtp_layers
                              : 0;
    const unsigned frozen = p3d_job_frozen(&problem->job, &problem->model);
    const p3d_model *m = &problem->model;
    const int64_t width =
            m->embedding_width > 0 ? m->embedding_width : m->hidden;
    const int64_t matrix =
            p3d_padded_vocab(m, problem->job.framework, plan->tp) / plan->tp *
            width;
    const int64_t h = m->hidden;
    const bool has_matrix = !trained || (frozen & P3D_PART_EMBEDDINGS) == 0;
    const bool has_blocks = !trained || problem->job.adapters.rank == 0;

    return (rank != 0 && ((head && m->tied_embeddings) || n_mtp > 0) &&
                                   has_matrix
                           ? matrix
                           : 0) +
           (has_blocks ? n_mtp : 0) *
                   (2 * h * h / plan->tp + 3 * h * m->norm_weights);
}

/** The tied output matrix of a frozen model, likewise a copy. */
static int64_t companion_extras(
        const p3d_problem *problem, const p3d_plan *plan, int rank)
{
    const p3d_model *const m = p3d_companion_of(&problem->job, &problem->model);

    if (m == NULL || rank == 0 || !m->tied_embeddings ||
            !spec_companion_is_held(&problem->job))
        return 0;
    return p3d_padded_vocab(m, problem->job.framework, plan->tp) / plan->tp *
           (m->embedding_width > 0 ? m->embedding_width : m->hidden);
}

/** Add n blocks' parameters of each sort. */
static void add_block(cost_shared *sum, const p3d_block *block, int n)
{
    sum->all.dense += n * block->params.dense;
    sum->all.experts += n * block->params.experts;
    sum->trained.dense += n * block->trained.dense;
    sum->trained.experts += n * block->trained.experts;
    sum->companion.dense += n * block->companion.dense;
    sum->companion.experts += n * block->companion.experts;
}

/** Add the parameters of an end, which has no experts. */
static void add_end(cost_shared *sum, const p3d_block *block)
{
    sum->all.dense += block->params.dense;
    sum->trained.dense += block->trained.dense;
    sum->companion.dense += block->companion.dense;
}

/** Add what the chunks at the end of the pipeline have beside their layers. */
static void add_tail(const cost_case *of, int rank, cost_shared *sum)
{
    sum->all.dense += end_extras(of->problem, of->plan, rank, false);
    sum->trained.dense += end_extras(of->problem, of->plan, rank, true);
    if (cost_has_head(of->plan, rank)) {
        const int64_t companion = companion_extras(of->problem, of->plan, rank);

        add_end(sum, &of->blocks->block[P3D_BLOCK_HEAD]);
        sum->all.dense += companion;
        sum->companion.dense += companion;
    }
}

static void count_layers(const cost_case *of, int rank, int *count)
{
    const int n_kinds = of->layout->n_kinds;

    memset(count, 0, (size_t)n_kinds * sizeof(count[0]));
    for (int j = 0; j < of->plan->vp; j++) {
        const short *of_chunk =
                of->layout->count[cost_stage_of(of->plan, rank, j)];

        for (int kind = 0; kind < n_kinds; kind++)
            count[kind] += of_chunk[kind];
    }
}

cost_shared cost_rank_shared_of(const cost_case *of, int rank, int *count)
{
    cost_shared sum = {{0, 0}, {0, 0}, {0, 0}};

    count_layers(of, rank, count);
    for (int kind = 0; kind < of->layout->n_kinds; kind++) {
        if (count[kind] > 0)
            add_block(&sum, &of->blocks->block[kind], count[kind]);
    }
    if (rank == 0)
        add_end(&sum, &of->blocks->block[P3D_BLOCK_EMBEDDING]);
    if (cost_has_head(of->plan, rank) || of->plan->tail == P3D_TAIL_MTP_HEAD)
        add_tail(of, rank, &sum);
    return sum;
}

cost_shared cost_rank_shared(const cost_case *of, int rank)
{
    int count[P3D_N_LAYER_KINDS];

    return cost_rank_shared_of(of, rank, count);
}
