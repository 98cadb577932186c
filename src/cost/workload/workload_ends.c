/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_ends.c - the operations of the embedding and of the head. */
#include "base/util.h"
#include "cost/workload/workload_list.h"

/* Passes per element of the embedding, forward and backward. */
static const double EMBEDDING_PASS_BYTES[2] = {6, 8};

/** Token (and position) look-up; its output is scattered or reduced over the
 *  tensor-parallel ranks, which share the vocabulary. */
void list_embedding(list_context *c)
{
    const int64_t elements = c->resident * c->model->hidden;
    const double factor = (double)c->bytes / 2;

    list_pass(c, "embedding",
            (list_work){{EMBEDDING_PASS_BYTES[0] * factor * (double)elements,
                                EMBEDDING_PASS_BYTES[1] * factor *
                                        (double)elements},
                    {2, 2}});
    if (c->job->dropout)
        list_keep(c, (list_tensor){"mask of the embedding's dropout",
                             "backward of the dropout", LIST_ACTIVATIONS,
                             c->resident, c->model->hidden, 1, 0, 0, false});
    (void)list_collective(c, "embedding tensor parallelism",
            (list_transfer){P3D_FORWARD,
                    c->shard.sequence_parallel ? P3D_REDUCE_SCATTER
                                               : P3D_ALL_REDUCE,
                    P3D_AXIS_TP, (double)list_stream_bytes(c)});
    if (c->shard.sequence_parallel)
        (void)list_collective(c, "embedding tensor parallelism",
                (list_transfer){P3D_BACKWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                        (double)list_stream_bytes(c)});
}

/** A loss in chunks makes the gradients of its input and of the output matrix
 *  as it goes, and keeps them instead of the logits. */
static void hold_chunked(list_context *c, int64_t V)
{
    const int64_t h = c->model->hidden;
    const double E = (double)c->bytes;

    list_keep(c, (list_tensor){"gradient of the head's input",
                         "made with the loss", LIST_BACKWARD_ORDER, c->tokens,
                         h, E, 0, P3D_AT_LOSS | P3D_AT_LOGITS, false});
    list_keep(c, (list_tensor){"gradient of the output matrix",
                         "made with the loss", LIST_BACKWARD_ORDER, V, h, E, 0,
                         P3D_AT_LOSS | P3D_AT_LOGITS, false});
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
        list_keep(
                c, (list_tensor){copies[i].name, "cross entropy",
                           copies[i].source, p3d_ceil_div(c->tokens, chunks), V,
                           copies[i].bytes_per_logit * (double)c->bytes / 2, 0,
                           P3D_AT_LOSS, false});
}

/** What the backward of the output matrix holds. */
static void hold_head_backward(list_context *c, int64_t V)
{
    const int64_t h = c->model->hidden;
    const double E = (double)c->bytes;

    list_keep(c, (list_tensor){"gradient of the logits", "gradient of the head",
                         LIST_BACKWARD_ORDER, c->tokens, V, E, 0, P3D_AT_LOGITS,
                         false});
    list_keep(c, (list_tensor){"gradient of the head's input",
                         "gradient of the head", LIST_BACKWARD_ORDER, c->tokens,
                         h, E, 0, P3D_AT_LOGITS, false});
    if (c->shard.sequence_parallel)
        list_keep(c, (list_tensor){"gathered input of the head",
                             "gradient of the head", LIST_BACKWARD_ORDER,
                             c->tokens, h, E, 0, P3D_AT_LOGITS, false});
    if (c->job->framework->wgrad_pass_bytes > 0)
        list_keep(c,
                (list_tensor){"gradient of the output matrix",
                        "until it is added to the others", LIST_BACKWARD_ORDER,
                        V, h, E, 0, P3D_AT_LOGITS, false});
}

/**
 * What is alive at the loss and after it.
 *
 *     loss      (bytes per logit) lg
 *     logits    2 lg + 2 e [+ 2 e gathered] [+ 2 V h / t where the gradient of
 *               the matrix is not added in the product]
 *     chunked   (bytes per logit) lg / chunks + 2 e + 2 V h / t
 *
 *  lg logits of a rank, e elements of the stream. Source: Megatron-LM@d98e8a64
 *  megatron/core/tensor_parallel/cross_entropy.py:20-95, layers.py:627.
 */
static void hold_loss(list_context *c, int64_t V)
{
    hold_logits(c, V);
    if (p3d_loss_is_chunked(p3d_job_loss(c->job)))
        hold_chunked(c, V);
    else
        hold_head_backward(c, V);
}

/** Final norm, logits, loss. Keeps the norm's input and output. */
void list_head(list_context *c)
{
    const p3d_model *m = c->model;
    const p3d_framework *fw = c->job->framework;
    const int64_t V = p3d_padded_vocab(m, fw, c->shard.tp) / c->shard.tp;
    const double elements = (double)(c->resident * m->hidden);
    const double factor = (double)c->bytes / 2;
    const double logits = (double)(c->tokens * V);
    const p3d_loss_pass *loss = p3d_loss_passes(p3d_job_loss(c->job));

    list_pass(c, "final norm",
            (list_work){
                    {4 * factor * elements, 8 * factor * elements}, {1, 2}});
    list_keep(c,
            (list_tensor){"input of the final norm", "backward of the norm",
                    LIST_ACTIVATIONS, c->resident, m->hidden,
                    (double)c->bytes + fw->head_norm_extra_bytes, 0, 0, true});
    list_keep(
            c, (list_tensor){"input of the output matrix",
                       "gradient of the weights", LIST_ACTIVATIONS, c->resident,
                       m->hidden, (double)c->bytes, 0, 0, false});
    (void)list_collective(c, "logits tensor parallelism",
            (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                    c->shard.sequence_parallel ? (double)list_stream_bytes(c)
                                               : 0});
    list_wide_gemm(c, "logits", (cost_product){c->tokens, V, m->hidden, 1});
    list_pass(c, "cross entropy",
            (list_work){{loss->bytes_per_logit[0] * factor * logits,
                                loss->bytes_per_logit[1] * factor * logits},
                    {loss->n_kernels[0], loss->n_kernels[1]}});
    if (fw->metric_pass_bytes > 0)
        list_pass(c, "metrics of the logits",
                (list_work){{fw->metric_pass_bytes * logits, 0}, {4, 0}});
    (void)list_collective(c, "logits tensor parallelism",
            (list_transfer){P3D_BACKWARD,
                    c->shard.sequence_parallel ? P3D_REDUCE_SCATTER
                                               : P3D_ALL_REDUCE,
                    P3D_AXIS_TP, (double)list_stream_bytes(c)});
    hold_loss(c, V);
}
