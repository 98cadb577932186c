/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.c - the operations of a block, those of the embedding and the head,
 * and sums over the tensors of a list. */
#include "cost/workload/workload_list.h"

#include <string.h>

#include "base/util.h"
#include "cost/workload/precision.h"
#include "plan3d/workload.h"
#include "spec/given.h"
#include "spec/params.h"

/* Passes per element of the embedding, forward and backward. */
static const double EMBEDDING_PASS_BYTES[2] = {6, 8};

/* The same of embeddings for each layer, with the norm of what a projection of
 * the token's embedding adds to them, its addition and two scalings. */
static const double LAYERS_EMBEDDING_PASS_BYTES[2] = {
        6 + 8 + 4 + 6, 8 + 12 + 4};

/** A token's embeddings for all layers, with a projection of its own embedding;
 *  they stay until the layers' backward passes have gone. Source:
 *  transformers@v5.23 modeling_gemma4.py (project_per_layer_inputs). */
static void list_layer_embeddings(list_context *c)
{
    static const char source[] = "transformers@v5.23 modeling_gemma4.py";
    const p3d_model *const m = c->model;
    const bool trained = list_trains(c, P3D_PART_EMBEDDINGS);
    const int64_t T = c->resident, h = m->hidden;
    const int64_t width = (int64_t)m->n_layers * m->layer_embedding;

    if (width == 0)
        return;
    list_matrix_of(c, P3D_PART_EMBEDDINGS, 0, false);
    list_gemm(c, "projection to the layers' embeddings",
            (cost_product){T, width, h, 1});
    list_pass_over(c, "embeddings for each layer", (double)(T * width),
            (list_work){{LAYERS_EMBEDDING_PASS_BYTES[0],
                                trained ? LAYERS_EMBEDDING_PASS_BYTES[1] : 0},
                    {6, trained ? 6 : 0}});
    list_keep(c, (list_tensor){"embeddings for each layer",
                         "gradients of their gates", source, T, width,
                         (double)c->bytes, 0, 0, true});
    list_keep(c, (list_tensor){"input of the norm of embeddings for each layer",
                         "backward of the norm", source, T, trained ? width : 0,
                         (double)c->bytes, 0, 0, true});
}

/** The matrix behind tables that are narrower than the model. Source:
 *  transformers@v5.23 modeling_electra.py (embeddings_project). */
static void list_narrow_tables(list_context *c)
{
    const p3d_model *const m = c->model;

    if (!m->narrow_tables)
        return;
    list_matrix_of(c, P3D_PART_EMBEDDINGS, 0, false);
    list_gemm(c, "projection of the embedding",
            (cost_product){c->resident, m->hidden, m->embedding_width, 1});
    list_keep(c, (list_tensor){"embedding before its projection",
                         "gradient of the weights", LIST_ACTIVATIONS,
                         list_trains(c, P3D_PART_EMBEDDINGS) ? c->resident : 0,
                         m->embedding_width, (double)c->bytes, 0, 0, false});
}

/** Token (and position) look-up; its output is scattered or reduced over the
 *  tensor-parallel ranks, which share the vocabulary. */
void list_embedding(list_context *c)
{
    const bool trained = list_trains(c, P3D_PART_EMBEDDINGS);

    list_pass_over(c, "embedding", (double)(c->resident * c->model->hidden),
            (list_work){{EMBEDDING_PASS_BYTES[0],
                                trained ? EMBEDDING_PASS_BYTES[1] : 0},
                    {2, trained ? 2 : 0}});
    if (c->job->dropout)
        list_keep(c, (list_tensor){"mask of the embedding's dropout",
                             "backward of the dropout", LIST_ACTIVATIONS,
                             c->resident, c->model->hidden, 1, 0, 0, false});
    (void)list_collective(c, "embedding tensor parallelism",
            (list_transfer){P3D_FORWARD,
                    c->shard.sequence_parallel ? P3D_REDUCE_SCATTER
                                               : P3D_ALL_REDUCE,
                    P3D_AXIS_TP, (double)list_stream_bytes(c)});
    if (c->shard.sequence_parallel && trained)
        (void)list_collective(c, "embedding tensor parallelism",
                (list_transfer){P3D_BACKWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                        (double)list_stream_bytes(c)});
    list_narrow_tables(c);
    list_encoder_output(c);
    list_layer_embeddings(c);
    list_streams_begin(c);
}

/** A loss in chunks makes the gradients of its input and of the output matrix
 *  as it goes, and keeps them instead of the logits. */
static void hold_chunked(list_context *c, int64_t V)
{
    const int64_t h = spec_head_width(c->model);

    list_hold(c, "gradient of the head's input", "made with the loss",
            (list_held){c->tokens, h, P3D_AT_LOSS | P3D_AT_LOGITS});
    list_hold(c, "gradient of the output matrix", "made with the loss",
            (list_held){list_trains(c, P3D_PART_HEAD) ? V : 0, h,
                    P3D_AT_LOSS | P3D_AT_LOGITS});
}

/** The copies of the logits that an implementation of the loss makes; with
 *  chunks, those of one. */
static void hold_logits(list_context *c, int64_t V)
{
    const p3d_loss loss = p3d_job_loss(c->job);
    const int64_t chunks =
            p3d_loss_is_chunked(loss) ? p3d_ceil_div(V, c->model->hidden) : 1;
    int n;
    const p3d_loss_copy *copies = p3d_loss_copies(loss, &n);

    for (int i = 0; i < n; i++)
        list_keep(c, (list_tensor){copies[i].name, "cross entropy",
                             copies[i].source, p3d_ceil_div(c->tokens, chunks),
                             V, p3d_loss_copy_bytes(&copies[i], c->job->dtype),
                             0, P3D_AT_LOSS, false});
}

/** What the backward of the output matrix holds. */
static void hold_head_backward(list_context *c, int64_t V)
{
    const int64_t h = spec_head_width(c->model);
    const bool trained = list_trains(c, P3D_PART_HEAD);

    list_hold(c, "gradient of the logits", "gradient of the head",
            (list_held){c->tokens, V, P3D_AT_LOGITS});
    list_hold(c, "gradient of the head's input", "gradient of the head",
            (list_held){c->tokens, h, P3D_AT_LOGITS});
    if (c->shard.sequence_parallel && trained)
        list_hold(c, "gathered input of the head", "gradient of the head",
                (list_held){c->tokens, h, P3D_AT_LOGITS});
    if (c->job->framework->wgrad_pass_bytes > 0 && trained)
        list_hold(c, "gradient of the output matrix",
                "until it is added to the others",
                (list_held){V, h, P3D_AT_LOGITS});
}

/**
 * What is alive at the loss and after it.
 *
 *     loss      (bytes per logit) lg
 *     logits    2 lg + 2 e [+ 2 e gathered] [+ 2 V h / t where the gradient of
 *               the matrix is not added in the product]
 *     chunked   (bytes per logit) lg / chunks + 2 e + 2 V h / t
 *
 *  lg logits of a rank (all of them at the loss, where they are gathered), e
 *  elements of the stream. Source: Megatron-LM@d98e8a64
 *  megatron/core/tensor_parallel/cross_entropy.py:20-95, layers.py:627.
 */
static void hold_loss(list_context *c, int64_t V, int64_t seen)
{
    hold_logits(c, seen);
    if (p3d_loss_is_chunked(p3d_job_loss(c->job)))
        hold_chunked(c, V);
    else
        hold_head_backward(c, V);
}

/** What a frozen model beside the trained one leaves at the loss: the logits of
 *  a reference, until their log-probabilities are taken; those of a teacher,
 *  and what holds the student's against them. Where the loss is made in chunks
 *  of tokens, of one. */
static void list_companion(list_context *c, int64_t seen)
{
    const p3d_job *const job = c->job;
    const p3d_companion_facts *const facts =
            p3d_companion_facts_of(job->framework);
    const bool taught = job->companion.teacher.n_layers > 0;
    const int64_t chunks = p3d_loss_is_chunked(p3d_job_loss(job))
                                   ? p3d_ceil_div(seen, c->model->hidden)
                                   : 1;
    const int64_t rows = p3d_ceil_div(c->tokens, chunks);

    if (facts == NULL || p3d_companion_of(job, c->model) == NULL ||
            (!taught && spec_companion_swaps(job)))
        return;
    list_keep(c, (list_tensor){taught ? "logits of the teacher"
                                      : "logits of the reference",
                         taught ? "loss" : "until their log-probabilities",
                         facts->source, rows, seen, (double)c->bytes, 0,
                         P3D_AT_LOSS, false});
    if (!taught)
        return;
    list_keep(c, (list_tensor){"divergence from the teacher", "loss",
                         facts->source, rows, seen, facts->divergence_bytes, 0,
                         P3D_AT_LOSS, false});
    list_rows(c, "divergence from the teacher",
            (list_work){{facts->divergence_pass_bytes[0] *
                                        (double)(c->tokens * seen),
                                facts->divergence_pass_bytes[1] *
                                        (double)(c->tokens * seen)},
                    {facts->n_divergence_kernels[0],
                            facts->n_divergence_kernels[1]}});
}

/* Bytes per weight of the output matrix and chunk: its gradient of the chunk is
 * written in 16 bit (2), cast to fp32 (2 + 4) and added (4 + 2 + 2). Source:
 * linkedin/Liger-Kernel@v0.8.0 src/liger_kernel/ops/
 * fused_linear_cross_entropy.py:212. */
static const double CHUNK_PASS_BYTES = 16;

/** Where the loss comes with the output matrix: the gradient of all of the
 *  matrix is summed up once for each chunk, ceil(V / h) of them. */
static void list_chunks(list_context *c, int64_t V)
{
    const int64_t h = c->model->hidden;
    const int64_t chunks = p3d_ceil_div(V, h);

    if (p3d_loss_is_chunked(p3d_job_loss(c->job)) &&
            list_trains(c, P3D_PART_HEAD))
        list_pass(c, "gradient of the output matrix by chunks",
                (list_work){{CHUNK_PASS_BYTES * (double)(chunks * V * h), 0},
                        {(int)(3 * chunks), 0}});
}

/** A matrix, its activation and a norm before the output matrix, of each rank's
 *  own tokens. Source: transformers@v5.23 modeling_bert.py
 *  (BertPredictionHeadTransform). */
static void list_head_transform(list_context *c)
{
    const int64_t w = spec_head_width(c->model);

    if (!c->model->head_transform)
        return;
    list_matrix_of(c, P3D_PART_HEAD, 0, false);
    list_gemm(c, "transform of the head",
            (cost_product){c->resident, w, c->model->hidden, 1});
    list_rows_over(c, "activation and norm of the head",
            (double)(c->resident * w), (list_work){{8, 14}, {2, 3}});
    list_keep(c, (list_tensor){"inputs of the head's activation and norm",
                         "backward of the head's transform", LIST_ACTIVATIONS,
                         2 * c->resident, w, (double)c->bytes, 0, 0, false});
}

/** Final norm, logits, loss. Keeps the norm's input and output. */
void list_head(list_context *c)
{
    const p3d_model *m = c->model;
    const p3d_framework *fw = c->job->framework;
    const int64_t V = spec_head_rows(m, fw, c->shard.tp) / c->shard.tp;
    const int64_t seen = fw->gathers_logits ? V * c->shard.tp : V;
    const double logits = (double)(c->tokens * seen);
    const p3d_loss_pass *loss =
            p3d_loss_passes(p3d_job_loss(c->job), c->job->dtype);
    const double norm_bytes =
            p3d_job_kept(c->job)->in_place ? 0 : fw->head_norm_extra_bytes;

    list_streams_end(c);
    list_rows_over(c, "final norm", (double)(c->resident * m->hidden),
            (list_work){{4, 8}, {1, 2}});
    list_keep(
            c, (list_tensor){"input of the final norm", "backward of the norm",
                       LIST_ACTIVATIONS, c->resident, m->hidden,
                       list_norm_input_bytes(c) +
                               list_norm_extra_bytes(c, norm_bytes),
                       0, 0, true});
    list_keep(c, (list_tensor){"input of the output matrix",
                         "gradient of the weights", LIST_ACTIVATIONS,
                         list_trains(c, P3D_PART_HEAD) ? c->resident : 0,
                         spec_head_width(m), (double)c->bytes, 0, 0, false});
    list_head_transform(c);
    (void)list_collective(c, "logits tensor parallelism",
            (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                    c->shard.sequence_parallel ? (double)list_stream_bytes(c)
                                               : 0});
    list_matrix_of(c, P3D_PART_HEAD, 0, false);
    list_wide_gemm(
            c, "logits", (cost_product){c->tokens, V, spec_head_width(m), 1});
    if (fw->gathers_logits)
        (void)list_collective(c, "gathered logits",
                (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                        (double)c->bytes * logits});
    list_rows(c, "cross entropy",
            (list_work){{loss->bytes_per_logit[0] * logits,
                                loss->bytes_per_logit[1] * logits},
                    {loss->n_kernels[0], loss->n_kernels[1]}});
    list_chunks(c, V);
    list_companion(c, seen);
    if (fw->metric_pass_bytes > 0)
        list_pass(c, "metrics of the logits",
                (list_work){{fw->metric_pass_bytes * logits, 0}, {4, 0}});
    (void)list_collective(c, "logits tensor parallelism",
            (list_transfer){P3D_BACKWARD,
                    c->shard.sequence_parallel ? P3D_REDUCE_SCATTER
                                               : P3D_ALL_REDUCE,
                    P3D_AXIS_TP, (double)list_stream_bytes(c)});
    hold_loss(c, V, seen);
}

p3d_shard p3d_plan_shard(const p3d_plan *plan)
{
    if (plan == NULL)
        return p3d_shard_whole();
    return (p3d_shard){
#define AS_OF_PLAN(type, member, of, whole) .member = plan->of,
            P3D_SHARD_FIELDS(AS_OF_PLAN)
#undef AS_OF_PLAN
    };
}

void cost_workload_list(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out)
{
    list_context c;

    out->n_ops = 0;
    out->n_tensors = 0;
    out->n_input_shares = 0;
    if (block >= P3D_N_BLOCKS) {
        list_tower(model, job, shard, block, out);
        return;
    }
    c = list_context_of(model, job, shard, out);
    if (block == P3D_BLOCK_EMBEDDING)
        list_embedding(&c);
    else if (block == P3D_BLOCK_HEAD)
        list_head(&c);
    else
        list_layer(&c, block);
    if (job->partition_activations && !shard.sequence_parallel &&
            block < P3D_N_LAYER_KINDS)
        out->n_input_shares = shard.tp;
}

void p3d_workload_build(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out)
{
    if (out == NULL)
        return;
    out->n_ops = 0;
    out->n_tensors = 0;
    out->n_input_shares = 0;
    if (spec_model_given(model) && spec_job_given(job) &&
            spec_shard_fits(model, job, &shard) && block >= 0 &&
            block < P3D_N_ALL_BLOCKS)
        cost_workload_list(model, job, shard, block, out);
}

double cost_forward_flop(const p3d_workload *list)
{
    double flop = 0;

    for (int i = 0; i < list->n_ops; i++) {
        const p3d_op *op = &list->ops[i];

        flop += op->phase == P3D_FORWARD ? p3d_op_flop(op) : 0;
    }
    return flop;
}

const char *p3d_moment_name(int i)
{
    if (i < 0 || i >= P3D_N_MOMENTS)
        return "";

    static const char *const names[P3D_N_MOMENTS] = {
            "backward of the MLP activation", "backward of the MLP's input",
            "backward of the attention core", "loss",
            "backward of the output matrix"};

    return names[i];
}

bool cost_is_tensor(const p3d_tensor *tensor, cost_tensors of)
{
    const bool saved = tensor->moments == 0;
    const bool freed = (tensor->modules & of.modules) != 0;

    switch (of.kind) {
    case COST_SAVED_TENSORS: return saved && !freed;
    case COST_FREED_TENSORS: return saved && freed;
    case COST_INPUT_TENSORS: return tensor->is_input;
    case COST_MOMENT_TENSORS: return (tensor->moments >> of.moment & 1) != 0;
    }
    return false;
}

const p3d_tensor *cost_next_tensor(
        const p3d_workload *list, cost_tensors of, const p3d_tensor *last)
{
    const p3d_tensor *const end = list->tensors + list->n_tensors;
    const p3d_tensor *t = last != NULL ? last + 1 : list->tensors;

    while (t < end && !cost_is_tensor(t, of))
        t++;
    return t < end ? t : NULL;
}

static int64_t sum_tensors(const p3d_workload *list, cost_tensors of)
{
    const p3d_tensor *t = NULL;
    int64_t sum = 0;

    while ((t = cost_next_tensor(list, of, t)) != NULL)
        sum = p3d_add(sum, t->bytes);
    return sum;
}

int64_t p3d_workload_saved_bytes(const p3d_workload *list, unsigned modules)
{
    return list == NULL ? 0
                        : sum_tensors(list,
                                  (cost_tensors){.kind = COST_SAVED_TENSORS,
                                          .modules = modules});
}

int64_t cost_input_share_bytes(const p3d_workload *list, int64_t bytes)
{
    return list->n_input_shares > 1 ? p3d_ceil_div(bytes, list->n_input_shares)
                                    : bytes;
}

int64_t p3d_workload_input_bytes(const p3d_workload *list)
{
    const cost_tensors inputs = {.kind = COST_INPUT_TENSORS};
    const p3d_tensor *t = NULL;
    int64_t sum = 0;

    if (list == NULL)
        return 0;
    while ((t = cost_next_tensor(list, inputs, t)) != NULL)
        sum = p3d_add(sum, cost_input_share_bytes(list, t->bytes));
    return sum;
}

int64_t p3d_workload_working_bytes(const p3d_workload *list, int *moment)
{
    if (list == NULL)
        return 0;

    int64_t most = 0;

    if (moment != NULL)
        *moment = 0;
    for (int at = 0; at < P3D_N_MOMENTS; at++) {
        const int64_t sum = sum_tensors(list,
                (cost_tensors){.kind = COST_MOMENT_TENSORS, .moment = at});

        if (sum > most && moment != NULL)
            *moment = at;
        most = sum > most ? sum : most;
    }
    return most;
}
