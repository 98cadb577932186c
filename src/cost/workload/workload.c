/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.c - the operations of a block: layers, embedding and head. */
#include "cost/workload/workload_list.h"

#include <string.h>

#include "base/util.h"
#include "cost/workload/precision.h"
#include "plan3d/workload.h"
#include "spec/given.h"
#include "spec/params.h"

/* Passes per element of the embedding, forward and backward. */
static const double EMBEDDING_PASS_BYTES[2] = {6, 8};

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
}

/** Something that a backward pass holds beside the saved tensors. */
typedef struct held {
    int64_t rows, width;
    unsigned moments;
} held;

static void hold(list_context *c, const char *name, const char *why, held what)
{
    list_keep(c, (list_tensor){name, why, LIST_BACKWARD_ORDER, what.rows,
                         what.width, (double)c->bytes, 0, what.moments, false});
}

/** A loss in chunks makes the gradients of its input and of the output matrix
 *  as it goes, and keeps them instead of the logits. */
static void hold_chunked(list_context *c, int64_t V)
{
    const int64_t h = c->model->hidden;

    hold(c, "gradient of the head's input", "made with the loss",
            (held){c->tokens, h, P3D_AT_LOSS | P3D_AT_LOGITS});
    hold(c, "gradient of the output matrix", "made with the loss",
            (held){list_trains(c, P3D_PART_HEAD) ? V : 0, h,
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
    const bool trained = list_trains(c, P3D_PART_HEAD);

    hold(c, "gradient of the logits", "gradient of the head",
            (held){c->tokens, V, P3D_AT_LOGITS});
    hold(c, "gradient of the head's input", "gradient of the head",
            (held){c->tokens, h, P3D_AT_LOGITS});
    if (c->shard.sequence_parallel && trained)
        hold(c, "gathered input of the head", "gradient of the head",
                (held){c->tokens, h, P3D_AT_LOGITS});
    if (c->job->framework->wgrad_pass_bytes > 0 && trained)
        hold(c, "gradient of the output matrix",
                "until it is added to the others", (held){V, h, P3D_AT_LOGITS});
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
            (!taught && facts->swaps))
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
    list_pass(c, "divergence from the teacher",
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

/** Final norm, logits, loss. Keeps the norm's input and output. */
void list_head(list_context *c)
{
    const p3d_model *m = c->model;
    const p3d_framework *fw = c->job->framework;
    const int64_t V = p3d_padded_vocab(m, fw, c->shard.tp) / c->shard.tp;
    const int64_t seen = fw->gathers_logits ? V * c->shard.tp : V;
    const double logits = (double)(c->tokens * seen);
    const p3d_loss_pass *loss = p3d_loss_passes(p3d_job_loss(c->job));

    list_pass_over(c, "final norm", (double)(c->resident * m->hidden),
            (list_work){{4, 8}, {1, 2}});
    list_keep(
            c, (list_tensor){"input of the final norm", "backward of the norm",
                       LIST_ACTIVATIONS, c->resident, m->hidden,
                       (double)c->bytes +
                               (p3d_job_kept(c->job)->in_place
                                               ? 0
                                               : fw->head_norm_extra_bytes),
                       0, 0, true});
    list_keep(c, (list_tensor){"input of the output matrix",
                         "gradient of the weights", LIST_ACTIVATIONS,
                         list_trains(c, P3D_PART_HEAD) ? c->resident : 0,
                         m->hidden, (double)c->bytes, 0, 0, false});
    (void)list_collective(c, "logits tensor parallelism",
            (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                    c->shard.sequence_parallel ? (double)list_stream_bytes(c)
                                               : 0});
    list_matrix_of(c, P3D_PART_HEAD, 0, false);
    list_wide_gemm(c, "logits", (cost_product){c->tokens, V, m->hidden, 1});
    if (fw->gathers_logits)
        (void)list_collective(c, "gathered logits",
                (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_TP,
                        (double)c->bytes * logits});
    list_pass_over(c, "cross entropy", logits,
            (list_work){{loss->bytes_per_logit[0], loss->bytes_per_logit[1]},
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

/* Launches of a layer's passes beside norms and residual stream (positions and
 * layout, activation), forward and backward. */
static const int OTHER_KERNELS[2] = {3, 6};

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

/** The input that linears share, where one of them is trained or adapted: of
 *  the attention, or of what follows it. */
static void keep_input(
        list_context *c, const char *name, bool of_attention, int kind)
{
    const p3d_model *m = c->model;
    const bool moe = (kind & P3D_LAYER_MOE) != 0;
    const bool has_mlp = moe ? m->shared_ffn > 0 : m->ffn > 0;
    const bool of_mlp = !of_attention || m->parallel_block;
    const bool routes = of_mlp && moe && list_trains(c, P3D_PART_ROUTER);
    const bool in_attention =
            of_attention &&
            list_keeps_input(c, P3D_PART_ATTENTION, LIST_INTO_ATTENTION);
    const bool in_mlp = of_mlp && has_mlp &&
                        list_keeps_input(c, P3D_PART_MLP, LIST_INTO_MLP);
    const unsigned part = of_attention ? P3D_PART_ATTENTION : P3D_PART_MLP;
    const bool adapted =
            (in_attention && list_adapts(c, LIST_INTO_ATTENTION)) ||
            (in_mlp && list_adapts(c, LIST_INTO_MLP));
    const bool gathered = c->job->framework->keeps_gathered_input ||
                          (adapted && c->adapters->gathers_input);

    if (routes || in_attention || in_mlp)
        list_keep(
                c, (list_tensor){name, "gradient of the weights",
                           LIST_ACTIVATIONS, gathered ? c->tokens : c->resident,
                           m->hidden, list_input_bytes(c, part),
                           P3D_MODULE_NORMS | P3D_MODULE_PER_OP, 0, false});
}

/** What norms and residual additions keep: each norm its input, each pair of
 *  linears its own (gathered, where the framework does not gather it again),
 *  dropout two masks of one byte.
 *
 *  By operation torchtitan keeps the layer's input and the output of the last
 *  product, which is as large as the second norm's input. */
static void keep_residual(list_context *c, int kind)
{
    static const char *const norm_inputs[] = {"input of the layer",
            "input of the MLP norm", "input of a third norm",
            "input of a fourth norm"};
    static const char *const linear_inputs[] = {
            "input of the QKV projection", "input of the MLP"};
    const p3d_model *m = c->model;
    const int norms = m->parallel_block ? 1 : m->n_norms;
    const int linears =
            (m->parallel_block || m->ffn == 0) && m->n_norms == 1 ? 1 : 2;
    const p3d_framework *fw = c->job->framework;
    const p3d_kept *kept = p3d_job_kept(c->job);

    for (int i = 0; i < norms; i++)
        list_keep(c, (list_tensor){norm_inputs[i], "backward of the norm",
                             LIST_ACTIVATIONS, c->resident, m->hidden,
                             (double)c->bytes,
                             i == 0 || (i == 1 && kept->last_product)
                                     ? 0
                                     : P3D_MODULE_PER_OP,
                             0, i == 0});
    list_keep(c,
            (list_tensor){"wide copies of the norms",
                    "backward of norms made of single operations", fw->versions,
                    norms * c->resident, m->hidden, kept->norm_extra_bytes,
                    P3D_MODULE_NORMS | P3D_MODULE_PER_OP, 0, false});
    for (int i = 0; i < linears; i++)
        keep_input(c, linear_inputs[i], i == 0, kind);
    if (c->job->dropout)
        list_keep(c, (list_tensor){"masks of the hidden dropout",
                             "backward of the dropout", LIST_ACTIVATIONS,
                             2 * c->resident, m->hidden, 1, P3D_MODULE_PER_OP,
                             0, false});
}

/** Norms, residual additions and hidden dropout of a layer. */
static void list_residual(list_context *c, int kind)
{
    const p3d_model *m = c->model;
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const double more = m->n_norms >= 4 ? 1.5 : 1;

    c->modules = P3D_MODULE_NORMS;
    list_pass_over(c, "norms and residual", (double)(c->resident * m->hidden),
            (list_work){{pass->residual[0] * more, pass->residual[1] * more},
                    {pass->n_kernels[0] - OTHER_KERNELS[0],
                            pass->n_kernels[1] - OTHER_KERNELS[1]}});
    c->modules = 0;
    keep_residual(c, kind);
}

/** What a dense MLP's backward holds beside the saved tensors: the gradients
 *  of its wide tensors, then of its input. */
static void hold_dense_mlp(list_context *c)
{
    const p3d_model *m = c->model;
    const int64_t f = m->ffn / c->shard.tp;

    hold(c, "gradients of the MLP's wide tensors", "backward of the MLP",
            (held){c->tokens,
                    (m->gated_mlp && !p3d_job_kept(c->job)->in_place ? 2 : 1) *
                            f,
                    P3D_AT_MLP_ACTIVATION});
    hold(c, "gradient of the first product's output", "backward of the MLP",
            (held){c->tokens, f, P3D_AT_MLP_INPUT});
    if (c->shard.sequence_parallel &&
            list_keeps_input(c, P3D_PART_MLP, LIST_INTO_MLP))
        hold(c, "gathered input of the MLP", "gradient of the weights",
                (held){c->tokens, m->hidden, P3D_AT_MLP_INPUT});
}

/** The same for the routed experts. */
static void hold_experts(list_context *c)
{
    const int64_t rows = list_expert_rows(c);
    const int64_t f = c->model->expert_ffn / c->shard.etp;

    hold(c, "gradients of the experts' wide tensors", "backward of the experts",
            (held){rows, (c->model->gated_mlp ? 2 : 1) * f,
                    P3D_AT_MLP_ACTIVATION});
    hold(c, "gradient of the experts' output", "backward of the experts",
            (held){rows, c->model->hidden,
                    P3D_AT_MLP_ACTIVATION | P3D_AT_MLP_INPUT});
    hold(c, "gradient of the experts' input", "backward of the experts",
            (held){rows, c->model->hidden, P3D_AT_MLP_INPUT});
}

/** What lives beside the saved tensors while a layer's backward runs: the
 *  gradients around the widest pair of linears and of the residual stream. */
static void hold_layer(list_context *c, int kind)
{
    const bool moe = (kind & P3D_LAYER_MOE) != 0;
    const p3d_model *m = c->model;
    const double E = (double)c->bytes;

    if (moe)
        hold_experts(c);
    else
        hold_dense_mlp(c);
    if (c->job->attention == P3D_EAGER && (kind & P3D_LAYER_MIXER) == 0) {
        const int64_t queries = (int64_t)c->shard.micro_batch *
                                (m->n_heads / c->shard.tp) *
                                (c->job->seq_len / c->shard.cp);

        list_keep(c, (list_tensor){"gradients of scores and probabilities",
                             "backward of unfused attention",
                             LIST_BACKWARD_ORDER, queries, c->job->seq_len,
                             2 * E, 0, P3D_AT_ATTENTION, false});
        hold(c, "gradients around the attention",
                "backward of unfused attention",
                (held){2 * c->tokens, m->hidden, P3D_AT_ATTENTION});
    }
    hold(c, "gradient of the residual stream", "backward of the layer",
            (held){c->resident, m->hidden,
                    P3D_AT_MLP_ACTIVATION | P3D_AT_MLP_INPUT |
                            P3D_AT_ATTENTION});
}

static void build_layer(list_context *c, int kind)
{
    const bool moe = (kind & P3D_LAYER_MOE) != 0;
    const p3d_model *m = c->model;

    list_residual(c, kind);
    c->linear.part = P3D_PART_ATTENTION;
    if ((kind & P3D_LAYER_MIXER) != 0) {
        list_mixer(c);
    } else {
        list_attention_parallel(c);
        list_attention(c, (kind & P3D_LAYER_WINDOWED) != 0);
    }
    c->linear.part = P3D_PART_MLP;
    if (!moe && m->ffn > 0) {
        if (!m->parallel_block)
            list_mlp_parallel(c, "MLP tensor parallelism", m->ffn);
        list_dense_mlp(c);
    } else if (moe) {
        if (m->shared_ffn > 0)
            list_mlp_parallel(
                    c, "shared experts tensor parallelism", m->shared_ffn);
        list_moe_mlp(c);
    }
    hold_layer(c, kind);
}

void p3d_workload_build(const p3d_model *model, const p3d_job *job,
        p3d_shard shard, int block, p3d_workload *out)
{
    list_context c = {.model = model,
            .job = job,
            .shard = shard,
            .out = out,
            .part = P3D_BESIDE_ATTENTION};

    if (out == NULL)
        return;
    out->n_ops = 0;
    out->n_tensors = 0;
    if (!spec_model_given(model) || !spec_job_given(job) ||
            !spec_shard_fits(model, job, &shard) || block < 0 ||
            block >= P3D_N_ALL_BLOCKS)
        return;
    if (block >= P3D_N_BLOCKS) {
        list_tower(model, job, shard, block, out);
        return;
    }
    c.tokens = (int64_t)shard.micro_batch * (job->seq_len / shard.cp);
    c.resident = shard.sequence_parallel ? c.tokens / shard.tp : c.tokens;
    c.bytes = p3d_dtype_bytes(job->dtype);
    c.frozen = p3d_job_frozen(job, model);
    c.adapters = job->adapters.rank > 0 ? p3d_adapter_facts_of(job->framework)
                                        : NULL;
    c.input_bytes = cost_kept_input_bytes(job);
    c.wide = p3d_precision_of(job) != NULL ? P3D_BF16 : job->dtype;
    if (block == P3D_BLOCK_EMBEDDING)
        list_embedding(&c);
    else if (block == P3D_BLOCK_HEAD)
        list_head(&c);
    else
        build_layer(&c, block);
}

/** Operations of one block per token of a whole sequence, forward and backward:
 *  as many sequences as experts, so that each expert gets a whole number of
 *  rows. */
static double pass_flop(const p3d_model *model, const p3d_job *job, int block)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_workload list;

    if (model->n_experts > 0)
        shard.micro_batch = model->n_experts;
    p3d_workload_build(model, job, shard, block, &list);
    return cost_model_flop(&list) / ((double)shard.micro_batch * job->seq_len);
}

/**
 * Model FLOPs per token of a training step.
 *
 *     sum over layers of 3 (forward GEMMs and causal attention) + 3 logits
 *       - 2 P_frozen
 *
 *       + of the tower, for the images of a sequence
 *       + forward alone, of a frozen model beside the trained one
 *
 * with the layer and the logits of each block of multi-token prediction, and
 * with those of adapters; a frozen matrix of P weights has no gradient. That
 * the first layer's input needs no gradient either where nothing below it is
 * trained is not counted.
 *
 * Of texts in padded sequences the pairs that attention needs are those of
 * packed ones.
 *
 * Recomputation and the padded vocabulary's share are not model FLOPs in the
 * strict sense; the padding (below 1 %) is kept, recomputation is not, nor are
 * norms of DoRA.
 *
 * Source: arXiv:2204.02311 appendix B (MFU), with the causal half of the
 * attention instead of the whole square; arXiv:2106.09685 section 4.1.
 * Tested: tests/unit/test_adapters.c
 */
double p3d_model_flop_per_token(const p3d_model *model, const p3d_job *job)
{
    if (!spec_model_given(model) || !spec_job_given(job))
        return 0;

    p3d_job fused = *job;
    const int last = model->layer_kind[model->n_layers - 1];
    double flop =
            (1 + job->n_mtp_layers) * pass_flop(model, job, P3D_BLOCK_HEAD);

    fused.attention = P3D_FLASH; /* eager computes both halves, needs one */
    fused.lengths.filling = spec_useful_filling(job);
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const int n = p3d_model_count_layers(model, kind) +
                      (kind == last ? job->n_mtp_layers : 0);

        if (n > 0)
            flop += n * pass_flop(model, &fused, kind);
    }
    return flop + cost_tower_flop(model, job) / job->seq_len +
           cost_companion_flop(model, job);
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

int64_t p3d_workload_input_bytes(const p3d_workload *list)
{
    return list == NULL ? 0
                        : sum_tensors(list,
                                  (cost_tensors){.kind = COST_INPUT_TENSORS});
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
