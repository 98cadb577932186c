/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_layer.c - the operations of a decoder layer, what it keeps for its
 * backward pass, and what that holds. */
#include <math.h>

#include "base/util.h"
#include "cost/workload/precision.h"
#include "cost/workload/workload_list.h"
#include "spec/params.h"

/* Launches of a layer's passes beside norms and residual stream (positions and
 * layout, activation), forward and backward. */
static const int OTHER_KERNELS[2] = {3, 6};

/** Copies of an input that linears share. Autocast casts it from fp32 for each
 *  of them (it caches casts of weights alone): queries, keys and values, gate
 *  and up-projection; models with LayerNorm mostly have one linear there.
 *  Source: pytorch@2.6.0 aten/src/ATen/autocast_mode.cpp (cached_cast). */
static int n_casts(const list_context *c, bool of_attention, int kind)
{
    if (!cost_autocasts(c->job) || list_has_layer_norm(c))
        return 1;
    if (of_attention)
        return 3;
    return c->model->gated_mlp && !spec_layer_of(kind).experts ? 2 : 1;
}

/** The input that linears share, where one of them is trained or adapted: of
 *  the attention, or of what follows it. */
static void keep_input(
        list_context *c, const char *name, bool of_attention, int kind)
{
    const p3d_model *m = c->model;
    const spec_layer has = spec_layer_of(kind);
    const bool has_mlp = has.experts ? m->shared_ffn > 0 || m->expert_latent > 0
                                     : has.dense && m->ffn > 0;
    const bool of_mlp = !of_attention || m->parallel_block;
    const bool routes =
            of_mlp && has.experts && list_trains(c, P3D_PART_ROUTER);
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
        list_keep(c,
                (list_tensor){name, "gradient of the weights", LIST_ACTIVATIONS,
                        gathered ? c->tokens : c->resident, m->hidden,
                        n_casts(c, of_attention, kind) *
                                list_input_bytes(c, part),
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
            "input of a fourth norm", "input of a further norm"};
    const int last_name = P3D_COUNT_OF(norm_inputs) - 1;
    static const char *const linear_inputs[] = {
            "input of the QKV projection", "input of the MLP"};
    const p3d_model *m = c->model;
    const int norms = m->parallel_block ? 1 : m->n_norms;
    const spec_layer has = spec_layer_of(kind);
    const int first = has.attention || has.mixer ? 0 : 1;
    const int linears = m->parallel_block && m->n_norms == 1 ? 1 : 2;
    const p3d_framework *fw = c->job->framework;
    const p3d_kept *kept = p3d_job_kept(c->job);

    for (int i = 0; i < norms; i++)
        list_keep(c, (list_tensor){norm_inputs[i < last_name ? i : last_name],
                             "backward of the norm", LIST_ACTIVATIONS,
                             c->resident, m->hidden, list_norm_input_bytes(c),
                             i == 0 || (i == 1 && kept->last_product)
                                     ? 0
                                     : P3D_MODULE_PER_OP,
                             0, i == 0});
    list_keep(c, (list_tensor){"wide copies of the norms",
                         "backward of norms made of single operations",
                         fw->versions, norms * c->resident, m->hidden,
                         list_norm_extra_bytes(c, kept->norm_extra_bytes),
                         P3D_MODULE_NORMS | P3D_MODULE_PER_OP, 0, false});
    for (int i = first; i < linears; i++)
        keep_input(c, linear_inputs[i], i == 0, kind);
    if (c->job->dropout)
        list_keep(c, (list_tensor){"masks of the hidden dropout",
                             "backward of the dropout", LIST_ACTIVATIONS,
                             (m->cross_width > 0 ? 3 : 2) * c->resident,
                             m->hidden, 1, P3D_MODULE_PER_OP, 0, false});
}

/** How many times the passes of two norms and two additions a layer has: half
 *  of them where it is of one part, or for a norm and an addition more. */
static double residual_passes(const list_context *c, int kind)
{
    const p3d_model *m = c->model;
    const spec_layer has = spec_layer_of(kind);
    const bool mixes = has.attention || has.mixer;
    const bool has_mlp = has.experts || (has.dense && m->ffn > 0);

    if (!mixes || !has_mlp)
        return 0.5;
    return (m->n_norms >= 4 || m->cross_width > 0 ? 1.5 : 1) +
           (m->layer_embedding > 0 ? 0.5 : 0);
}

/** Norms, residual additions and hidden dropout of a layer. */
static void list_residual(list_context *c, int kind)
{
    const p3d_model *m = c->model;
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const double more = residual_passes(c, kind);
    list_work work;

    for (int i = 0; i < 2; i++) {
        work.bytes[i] = pass->residual[i] * more;
        work.n_kernels[i] = (int)ceil(
                fmin(more, 1) * (pass->n_kernels[i] - OTHER_KERNELS[i]));
    }
    c->modules = P3D_MODULE_NORMS;
    list_rows_over(
            c, "norms and residual", (double)(c->resident * m->hidden), work);
    c->modules = 0;
    keep_residual(c, kind);
}

/** What a dense MLP's backward holds beside the saved tensors: the gradients
 *  of its wide tensors, then of its input. */
static void hold_dense_mlp(list_context *c)
{
    const p3d_model *m = c->model;
    const int64_t f = m->ffn / c->shard.tp;

    list_hold(c, "gradients of the MLP's wide tensors", "backward of the MLP",
            (list_held){c->tokens,
                    (m->gated_mlp && !p3d_job_kept(c->job)->in_place ? 2 : 1) *
                            f,
                    P3D_AT_MLP_ACTIVATION});
    list_hold(c, "gradient of the first product's output",
            "backward of the MLP", (list_held){c->tokens, f, P3D_AT_MLP_INPUT});
    if (c->shard.sequence_parallel &&
            list_keeps_input(c, P3D_PART_MLP, LIST_INTO_MLP))
        list_hold(c, "gathered input of the MLP", "gradient of the weights",
                (list_held){c->tokens, m->hidden, P3D_AT_MLP_INPUT});
}

/** The same for the routed experts. */
static void hold_experts(list_context *c)
{
    const int64_t rows = list_expert_rows(c);
    const int64_t f = c->model->expert_ffn / c->shard.etp;
    const int64_t width = spec_expert_width(c->model);

    list_hold(c, "gradients of the experts' wide tensors",
            "backward of the experts",
            (list_held){rows, (c->model->gated_mlp ? 2 : 1) * f,
                    P3D_AT_MLP_ACTIVATION});
    list_hold(c, "gradient of the experts' output", "backward of the experts",
            (list_held){rows, width, P3D_AT_MLP_ACTIVATION | P3D_AT_MLP_INPUT});
    list_hold(c, "gradient of the experts' input", "backward of the experts",
            (list_held){rows, width, P3D_AT_MLP_INPUT});
}

/** What lives beside the saved tensors while a layer's backward runs: the
 *  gradients around the widest pair of linears and of the residual stream. */
static void hold_layer(list_context *c, int kind)
{
    const spec_layer has = spec_layer_of(kind);
    const p3d_model *m = c->model;
    const double E = (double)c->bytes;

    if (has.experts)
        hold_experts(c);
    else if (has.dense)
        hold_dense_mlp(c);
    if (c->job->attention == P3D_EAGER && has.attention) {
        const int64_t queries = (int64_t)c->shard.micro_batch *
                                (m->n_heads / c->shard.tp) *
                                (c->job->seq_len / c->shard.cp);

        list_keep(c, (list_tensor){"gradients of scores and probabilities",
                             "backward of unfused attention",
                             LIST_BACKWARD_ORDER, queries, c->job->seq_len,
                             2 * E, 0, P3D_AT_ATTENTION, false});
        list_hold(c, "gradients around the attention",
                "backward of unfused attention",
                (list_held){2 * c->tokens, m->hidden, P3D_AT_ATTENTION});
    }
    list_hold(c, "gradient of the residual stream", "backward of the layer",
            (list_held){c->resident, m->hidden,
                    P3D_AT_MLP_ACTIVATION | P3D_AT_MLP_INPUT |
                            P3D_AT_ATTENTION});
}

/* Bytes per channel of a token's embedding for a layer: the gate's output read,
 * activated, read again with the embedding, and their product written; backward
 * reads five and writes three. */
static const double LAYER_EMBEDDING_PASS_BYTES[2] = {10, 16};

/** A token's embedding for this layer, times a gate that the layer's output
 *  gives, goes back to it. On every tensor-parallel rank. Source: transformers@
 *  v5.23 modeling_gemma4.py (Gemma4TextDecoderLayer). */
static void list_layer_embedding(list_context *c)
{
    static const char source[] = "transformers@v5.23 modeling_gemma4.py";
    const p3d_model *const m = c->model;
    const int64_t T = c->resident, h = m->hidden, u = m->layer_embedding;
    const double E = (double)c->bytes;
    const bool trained = list_trains(c, P3D_PART_MLP);
    const list_tensor kept[] = {
            {"input of the gate of the layer's embedding",
                    "gradient of the weights", source, T, trained ? h : 0, E,
                    P3D_MODULE_PER_OP, 0, false},
            {"gate of the layer's embedding", "backward of the activation",
                    source, T, u, E, 0, 0, false},
            {"activated gate of the layer's embedding",
                    "gradient of the layer's embedding", source, T, u, E,
                    P3D_MODULE_PER_OP, 0, false},
            {"gated embedding of the layer", "gradient of the weights", source,
                    T, trained ? u : 0, E, P3D_MODULE_PER_OP, 0, false}};

    if (u == 0)
        return;
    list_matrix_of(c, P3D_PART_MLP, 0, false);
    list_gemm(c, "gate of the layer's embedding", (cost_product){T, u, h, 1});
    list_pass_over(c, "gated embedding of the layer", (double)(T * u),
            (list_work){{LAYER_EMBEDDING_PASS_BYTES[0],
                                LAYER_EMBEDDING_PASS_BYTES[1]},
                    {2, 3}});
    list_gemm(c, "projection of the layer's embedding",
            (cost_product){T, h, u, 1});
    for (int i = 0; i < P3D_COUNT_OF(kept); i++)
        list_keep(c, kept[i]);
}

/** A mixer beside the attention reads a scaled copy of the same norm's output.
 *  Source: transformers@v5.23 modeling_falcon_h1.py (ssm_in_multiplier). */
static void keep_mixer_input(list_context *c)
{
    if (c->model->mixer_beside && list_trains(c, P3D_PART_ATTENTION))
        list_keep(c,
                (list_tensor){"input of the mixer", "gradient of the weights",
                        "transformers@v5.23 modeling_falcon_h1.py", c->resident,
                        c->model->hidden, (double)c->bytes,
                        P3D_MODULE_NORMS | P3D_MODULE_PER_OP, 0, false});
}

/** Whether nothing but the sum with the residual stream follows the MLP. */
static bool ends_with_mlp(const list_context *c)
{
    const p3d_model *const m = c->model;

    return m->n_norms <= 2 && m->side_streams == 0 && m->bypass_rank == 0 &&
           m->layer_embedding == 0 && !c->job->dropout;
}

/** The norm behind experts and shared ones: its input, and its passes as one of
 *  the layer's. Source: transformers@v5.23 modeling_axk1.py (AXK1MoE). */
static void list_expert_norm(list_context *c)
{
    if (!c->model->expert_norm)
        return;
    list_rows_over(c, "norm behind the experts",
            (double)(c->resident * c->model->hidden),
            (list_work){{4, 8}, {1, 2}});
    list_keep(c, (list_tensor){"input of the norm behind the experts",
                         "backward of the norm",
                         "transformers@v5.23 modeling_axk1.py", c->resident,
                         c->model->hidden, (double)c->bytes, P3D_MODULE_PER_OP,
                         0, false});
}

void list_layer(list_context *c, int kind)
{
    p3d_model room;
    const spec_layer has = spec_layer_of(kind);
    const p3d_model *const whole = c->model;
    const p3d_model *const m = spec_layer_model(whole, kind, &room);

    c->model = m;

    list_residual(c, kind);
    c->linear.part = P3D_PART_ATTENTION;
    if (spec_layer_mixes(m, kind)) {
        keep_mixer_input(c);
        list_mixer(c);
    }
    if (has.attention) {
        list_attention_parallel(c, has.shares_kv);
        list_attention(c, has);
        list_cross_attention(c);
    }
    c->linear.part = P3D_PART_MLP;
    if (has.dense && m->ffn > 0) {
        const int first = c->out->n_ops;

        if (!m->parallel_block)
            list_mlp_parallel(c, "MLP tensor parallelism", m->ffn);
        list_dense_mlp(c);
        if (ends_with_mlp(c))
            list_mark_end(c, first);
    } else if (has.experts) {
        if (m->shared_ffn > 0)
            list_mlp_parallel(
                    c, "shared experts tensor parallelism", m->shared_ffn);
        list_moe_mlp(c);
        list_expert_norm(c);
    }
    list_layer_embedding(c);
    list_streams(c);
    hold_layer(c, kind);
    c->model = whole;
}
