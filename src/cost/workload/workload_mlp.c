/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_mlp.c - the operations of dense and mixture-of-experts MLPs. */
#include <math.h>

#include "base/util.h"
#include "cost/workload/precision.h"
#include "cost/workload/workload_list.h"
#include "spec/params.h"

/** True where a token travels once for each of its experts. */
static bool sends_rows(const list_context *c)
{
    return c->job->dispatcher == P3D_DISPATCH_ALL_TO_ALL ||
           c->job->dispatcher == P3D_DISPATCH_2DH;
}

/* Bytes per row and hidden element of sorting tokens by expert, in 16 bit: read
 * and written once, twice around an all-to-all (by rank, then by the experts of
 * a rank). Source: Megatron-LM@d98e8a64 megatron/core/transformer/moe/
 * token_dispatcher.py, moe_utils.py. */
static double sorting_bytes(const list_context *c)
{
    return sends_rows(c) ? 8 : 4;
}

/* Index and probability of a routed token, kept for backward. */
enum { ROUTED_TOKEN_BYTES = 8 };

/* Rows of an expert are padded to this, where their number is not even. Source:
 * Megatron-LM@d98e8a64 megatron/core/transformer/moe/token_dispatcher.py
 * (padding for fp8 and grouped products). */
enum { ROWS_OF_EXPERT = 16 };

static int matrices_up(const p3d_model *model)
{
    return model->gated_mlp ? 2 : 1;
}

/** Names of the tensors around the activation of one kind of MLP. */
typedef struct mlp_names {
    const char *up, *down, *activation; /* kernels */
    const char *gate, *up_out, *activated, *product;
    const char *pre; /* not gated: input of the activation */
    unsigned module; /* that recomputes the activation alone */
    unsigned part;   /* P3D_PART_ */
    unsigned in[2];  /* P3D_TARGET_ of the matrices into it: gate and up */
    unsigned out;    /* and of that out of it */
} mlp_names;

#define MLP_MATRICES \
    P3D_PART_MLP, {P3D_TARGET_GATE, P3D_TARGET_UP}, P3D_TARGET_DOWN
static const mlp_names dense_names = {"MLP up", "MLP down", "MLP activation",
        "gate of the MLP", "up-projection of the MLP",
        "activated gate of the MLP", "input of the MLP's last product",
        "input of the MLP's activation", P3D_MODULE_MLP_ACTIVATION,
        MLP_MATRICES};
static const mlp_names expert_names = {"experts up", "experts down",
        "expert activation", "gates of the experts",
        "up-projections of the experts", "activated gates of the experts",
        "inputs of the experts' last product",
        "inputs of the experts' activation", P3D_MODULE_MOE_ACTIVATION,
        P3D_PART_EXPERTS, {P3D_TARGET_EXPERTS, P3D_TARGET_EXPERTS},
        P3D_TARGET_EXPERTS};
static const mlp_names shared_names = {"shared experts up",
        "shared experts down", "MLP activation", "gate of the shared experts",
        "up-projection of the shared experts",
        "activated gate of the shared experts",
        "input of the shared experts' last product",
        "input of the shared experts' activation", 0, MLP_MATRICES};

/**
 * Tensors around an activation: its input and the input of the last product;
 * 3 when gated (gate, up, product), 4 where the activation of the gate is a
 * kernel of its own. A ReLU keeps its result alone, which is that input.
 *
 * Source: arXiv:2205.05198 section 4.1 (16 sbh at f = 4h); gated: Transformer
 * Engine and Megatron's fused SwiGLU keep gate, up and product.
 */
static void keep_activation(
        list_context *c, const mlp_names *names, int64_t rows, int64_t f)
{
    static const char source[] = "arXiv:2205.05198 section 4.1";
    static const char why[] = "backward of the activation";
    const bool gated = c->model->gated_mlp;
    const double E = (double)c->bytes;
    const unsigned drop = names->module | P3D_MODULE_PER_OP;

    /* derivatives.yaml of PyTorch; recomputed, its input is kept instead. */
    if (!gated && c->model->activation == P3D_ACTIVATION_RELU) {
        list_keep(c, (list_tensor){names->product, why, source, rows, f, E, 0,
                             0, false});
        return;
    }
    list_keep(c, (list_tensor){gated ? names->gate : names->pre, why, source,
                         rows, f, E, 0, 0, false});
    if (gated)
        list_keep(c, (list_tensor){names->up_out, why, source, rows, f, E,
                             P3D_MODULE_PER_OP, 0, false});
    if (gated && p3d_job_kept(c->job)->gated_tensors == 4)
        list_keep(c, (list_tensor){names->activated, why, source, rows, f, E,
                             drop, 0, false});
    if (list_keeps_input(c, names->part, names->out))
        list_keep(c, (list_tensor){names->product, "gradient of the weights",
                             source, rows, f, list_input_bytes(c, names->part),
                             drop, 0, false});
}

bool cost_sizes_stay(const p3d_job *job)
{
    return job->graphs == P3D_GRAPHS_STEP;
}

/** Whether the products of the experts apply the activation and write it in
 *  fp8. Source: TransformerEngine@d0067d0d transformer_engine/pytorch/ops/
 *  fused/grouped_mlp.py. */
static bool fuses_activation(const list_context *c)
{
    return c->expert && c->job->dtype == P3D_FP8 && cost_sizes_stay(c->job);
}

/* Bytes of limiting an element of the gates and up-projections: two halves,
 * each cut and joined again (8); comparisons, a choice and a join backward
 * (15). And the kernels that it takes. Source: Megatron-LM@d98e8a64
 * megatron/core/fusions/fused_bias_geglu.py
 * (weighted_bias_quick_geglu_impl). */
static const list_work LIMIT_PASSES = {{8, 15}, {3, 7}};

/* Bytes of adding an element of the experts' biases to what they put out: the
 * bias times the weight of the token in fp32 (4), the sum in fp32 (10), parts
 * joined (8), cast (6); backward casts (12), parts joined (4), the gradients of
 * bias and weight, each a product and its sum (24). And the kernels for each
 * expert, and for all. Source: Megatron-LM@d98e8a64 megatron/core/transformer/
 * moe/experts.py (_apply_bias). */
static const double BIAS_PASS_BYTES[2] = {28, 40};
static const int BIAS_KERNELS[2] = {2, 6};
static const int BIAS_KERNELS_OF_ALL = 2;

/** Whether a compiler or the products themselves do what is left of the
 *  experts' elements: their biases, and their limits. */
static bool fuses_rest(const list_context *c)
{
    return cost_sizes_stay(c->job) ||
           (c->job->framework->compiles && !c->job->eager);
}

static void list_expert_biases(list_context *c, int64_t rows, int n_experts)
{
    list_work work = {{BIAS_PASS_BYTES[0], BIAS_PASS_BYTES[1]}, {0, 0}};

    if (!c->model->expert_bias || fuses_rest(c))
        return;
    for (int i = 0; i < 2; i++)
        work.n_kernels[i] = BIAS_KERNELS[i] * n_experts + BIAS_KERNELS_OF_ALL;
    list_pass_over(c, "biases of the experts",
            (double)(rows * spec_expert_width(c->model)), work);
}

/** What is kept of the gates and up-projections before their limits. */
static void list_expert_limits(list_context *c, int64_t rows, int64_t width)
{
    const unsigned around = c->modules;

    if (!c->model->clamped_experts || fuses_rest(c))
        return;
    c->modules |= P3D_MODULE_MOE_ACTIVATION;
    list_pass_over(c, "limits of the experts' activation",
            (double)(rows * width), LIMIT_PASSES);
    c->modules = around;
    list_keep(c,
            (list_tensor){"inputs of the experts' limits",
                    "backward of the limits",
                    "Megatron-LM@d98e8a64 "
                    "megatron/core/fusions/fused_bias_geglu.py",
                    rows, width, (double)c->bytes,
                    P3D_MODULE_MOE_ACTIVATION | P3D_MODULE_PER_OP, 0, false});
}

/** Passes of the activation; within products what they write and read more: the
 *  result in fp8, twice; the input, and its gradient for that of the result. */
static list_work activation_work(const list_context *c)
{
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const double gated = c->model->gated_mlp ? 1.5 : 1;

    if (fuses_activation(c))
        return (list_work){{2 / gated, 6 / gated}, {0, 0}};
    return (list_work){{pass->mlp[0], pass->mlp[1]}, {1, 2}};
}

/** The activation between the products, and what is kept of it. */
static void list_activation(
        list_context *c, const mlp_names *names, int64_t rows, int64_t f)
{
    const double elements =
            (double)(rows * f) * (c->model->gated_mlp ? 1.5 : 1);
    const unsigned around = c->modules;

    c->modules |= names->module;
    list_pass_over(c, names->activation, elements, activation_work(c));
    c->modules = around;
    keep_activation(c, names, rows, f);
}

void list_mlp_parallel(list_context *c, const char *name, int64_t ffn)
{
    const int64_t f = ffn / c->shard.tp;

    if (c->model->gated_mlp && c->job->framework->reduces_gate_apart)
        list_gate_parallel(c, name, f);
    else
        list_tensor_parallel(c, name, matrices_up(c->model) * f, f);
}

/** The next product goes into an MLP of width f. */
static void set_matrices_in(list_context *c, const mlp_names *names, int64_t f)
{
    if (!c->model->gated_mlp)
        list_matrix_of(c, names->part, names->in[1], false);
    else
        c->linear = (list_linear){.part = names->part,
                .n = 2,
                .of = {{names->in[0], f}, {names->in[1], f}}};
}

/** One MLP of width f on this rank: up (and gate), activation, down. */
static void list_mlp(
        list_context *c, const mlp_names *names, int64_t f, unsigned casts)
{
    const int up = matrices_up(c->model);
    const int64_t T = c->tokens, h = c->model->hidden;

    set_matrices_in(c, names, f);
    list_gemm_casting(c, names->up, (cost_product){T, up * f, h, 1}, casts);
    list_activation(c, names, T, f);
    list_matrix_of(c, names->part, names->out, true);
    list_gemm(c, names->down, (cost_product){T, h, f, 1});
}

void list_dense_mlp(list_context *c)
{
    c->modules = P3D_MODULE_MLP;
    list_mlp(
            c, &dense_names, c->model->ffn / c->shard.tp, LIST_CAST_AFTER_NORM);
    c->modules = 0;
}

void list_mark_end(list_context *c, int first)
{
    p3d_op *product = NULL, *transfer = NULL;

    for (int i = first; i < c->out->n_ops; i++) {
        p3d_op *const op = &c->out->ops[i];

        if (op->phase != P3D_FORWARD)
            continue;
        if (op->base)
            product = op;
        if (op->collective != P3D_ALL_GATHER && op->kind == P3D_OP_COLLECTIVE)
            transfer = op;
    }
    if (product != NULL)
        product->ends_layer = true;
    if (transfer != NULL)
        transfer->ends_layer = true;
}

/**
 * Rows that the experts of one rank process.
 *
 *     rows = load * resident tokens * top_k * etp
 *
 * load  tokens of the busiest rank over the mean, or the capacity factor
 *
 * Each rank sends its own tokens to the expert-parallel ranks and gets as many
 * back; a group of expert-tensor-parallel ranks gathers the rows of all its
 * members. Without sequence parallelism every tensor-parallel rank holds all
 * tokens, so no gathering multiplies them.
 *
 * Source: Megatron-LM@d98e8a64
 * megatron/core/transformer/moe/token_dispatcher.py:741-751.
 */
int64_t list_expert_rows(const list_context *c)
{
    const bool gathers = c->resident < c->tokens || c->shard.tp == 1;
    const int64_t rows =
            c->resident * c->model->top_k * (gathers ? c->shard.etp : 1);
    const double load = c->job->expert_load;

    if (load <= 0)
        return rows;
    return p3d_round_up((int64_t)ceil(load * (double)rows),
            ROWS_OF_EXPERT * (c->model->n_experts / c->shard.ep));
}

/* To the experts in forward, and what comes back of them in backward. */
static bool is_outward(p3d_phase phase, p3d_beside beside)
{
    return (phase == P3D_FORWARD) == (beside == P3D_BESIDE_EXPERTS);
}

/** Send the tokens once, over the expert-parallel ranks.
 *
 *  all-to-all  a row for each expert of a token; in two steps: 2dh
 *  all-gather  all tokens to all ranks, and a reduce-scatter back
 *  kernels     the tokens themselves: cost_dispatch_s()
 *
 *  Source: Megatron-LM@d98e8a64 megatron/core/transformer/moe/
 *  token_dispatcher.py. */
static p3d_op *list_transport(list_context *c, const char *name,
        p3d_phase phase, p3d_beside beside, int64_t rows)
{
    const p3d_model *m = c->model;
    const int64_t width = spec_expert_width(m);
    const double sent = (double)(c->bytes * rows * width) / c->shard.etp;
    const double tokens = sent / m->top_k;
    p3d_op *op;

    if (c->job->dispatcher == P3D_DISPATCH_ALL_TO_ALL)
        return list_collective(c, name,
                (list_transfer){phase, P3D_ALL_TO_ALL, P3D_AXIS_EP, sent});
    if (c->job->dispatcher == P3D_DISPATCH_ALL_GATHER)
        return list_collective(c, name,
                (list_transfer){phase,
                        is_outward(phase, beside) ? P3D_ALL_GATHER
                                                  : P3D_REDUCE_SCATTER,
                        P3D_AXIS_EP, tokens * c->shard.ep});
    op = list_collective(c, name,
            (list_transfer){phase, P3D_ALL_TO_ALL, P3D_AXIS_EP,
                    sends_rows(c) ? sent : tokens});
    if (op == NULL)
        return NULL;
    op->dispatcher = c->job->dispatcher;
    op->routing = (p3d_routing){.n_experts = m->n_experts,
            .top_k = m->top_k,
            .n_groups = m->expert_groups,
            .top_groups = m->routed_groups,
            .token_bytes = (double)(c->bytes * width)};
    return op;
}

static void list_exchange(list_context *c, const char *name, p3d_phase phase,
        p3d_beside beside, int64_t rows)
{
    const int64_t width = spec_expert_width(c->model);
    const double sent = (double)(c->bytes * rows * width);
    p3d_op *op = list_transport(c, name, phase, beside, rows);

    if (op != NULL && c->job->expert_overlap)
        op->beside = beside;
    (void)list_collective(c, name,
            (list_transfer){phase, P3D_ALL_GATHER, P3D_AXIS_ETP, sent});
}

/** What routing and sorting keep. */
static void keep_routing(list_context *c, int64_t rows)
{
    static const char source[] = "Megatron-LM@d98e8a64 "
                                 "megatron/core/transformer/moe/moe_utils.py";

    if (list_keeps_input(c, P3D_PART_EXPERTS, P3D_TARGET_EXPERTS))
        list_keep(
                c, (list_tensor){"tokens sorted by expert",
                           "gradient of the experts' weights", source, rows,
                           spec_expert_width(c->model),
                           list_input_bytes(c, P3D_PART_EXPERTS), 0, 0, false});
    list_keep(c, (list_tensor){"places and probabilities of routed tokens",
                         "backward of the sorting", source, rows, 1,
                         ROUTED_TOKEN_BYTES, P3D_MODULE_PER_OP, 0, false});
}

/** A product of all experts, and its casts: kernels for each where the
 *  framework does not group them. Source: TransformerEngine@d0067d0d
 *  transformer_engine/common/gemm/cublaslt_gemm.cu:970 (cuBLAS calls over the
 *  experts). */
static void list_expert_gemm(
        list_context *c, const char *name, cost_product p, unsigned casts)
{
    const int first = c->out->n_ops;
    const bool grouped =
            c->job->framework->grouped_experts || cost_sizes_stay(c->job);

    list_gemm_casting(c, name, p, casts);
    for (int i = first; i < c->out->n_ops; i++) {
        p3d_op *const op = &c->out->ops[i];
        const bool cast = list_is_cast(op);

        if (!grouped && !(cast && cost_casts_together(c->job)))
            op->n_kernels = (int)p.count * (cast ? op->n_kernels : 1);
    }
}

static void list_experts(list_context *c, int64_t rows)
{
    const p3d_model *m = c->model;
    const int64_t local = m->n_experts / c->shard.ep;
    const int64_t f = m->expert_ffn / c->shard.etp;
    const int64_t width = spec_expert_width(m);
    const int64_t per_expert = rows / local > 0 ? rows / local : 1;
    unsigned around; /* the activation */

    c->expert = true;
    around = fuses_activation(c) ? 0 : LIST_CAST_INPUT | LIST_CAST_GRADIENT;
    set_matrices_in(c, &expert_names, f);
    list_expert_gemm(c, expert_names.up,
            (cost_product){per_expert, matrices_up(m) * f, width, local},
            LIST_CAST_INPUT | (around & LIST_CAST_GRADIENT));
    list_expert_limits(c, rows, matrices_up(m) * f);
    list_activation(c, &expert_names, rows, f);
    list_matrix_of(c, expert_names.part, expert_names.out, true);
    list_expert_gemm(c, expert_names.down,
            (cost_product){per_expert, width, f, local},
            LIST_CAST_GRADIENT | (around & LIST_CAST_INPUT));
    list_expert_biases(c, rows, (int)local);
    c->expert = false;
}

/* Bytes per token and expert of choosing the experts, in fp32: logits written,
 * their largest found, probabilities and map written; the auxiliary loss reads
 * them, takes the softmax and finds the largest again; and back. And the
 * kernels that it takes, unfused. Source: Megatron-LM@d98e8a64 megatron/core/
 * transformer/moe/router.py:746-843, moe_utils.py (topk_routing_with_
 * score_function, compute_routing_scores_for_aux_loss),
 * token_dispatcher.py:493-640 (sizes of the exchange). */
static const double ROUTING_PASS_BYTES[2] = {28, 16};
static const int ROUTING_KERNELS[2] = {35, 15};

/* Further ones of it where scores are sigmoids (each token's are divided by
 * their sum, twice with the auxiliary loss), where a correction of each expert
 * is added before the choice and counted after it, and where weights are
 * scaled. Source: the operations that Megatron-LM@24bad8e6 megatron/core/
 * transformer/moe/router.py (TopKRouter) sends to PyTorch. */
static const int SIGMOID_KERNELS[2] = {6, 14};
static const int CORRECTION_KERNELS[2] = {4, 0};
static const int SCALE_KERNELS[2] = {1, 1};

/** Bytes of a number of tokens, of a weight of a token, in an exchange. */
enum { SIZE_BYTES = 8, WEIGHT_BYTES = 4 };

/** What ranks tell each other before tokens can travel: how many go to each
 *  expert, and their weights; HybridEP gathers the whole map. */
static void list_sizes(list_context *c, int64_t rows)
{
    static const char name[] = "sizes of the exchange";
    const double experts = c->model->n_experts;
    const double all = experts * c->shard.ep;
    const p3d_dispatcher d = c->job->dispatcher;

    if (d == P3D_DISPATCH_HYBRIDEP)
        (void)list_collective(c, name,
                (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_EP,
                        all * (double)c->resident});
    if (!sends_rows(c))
        return;
    (void)list_collective(c, name,
            (list_transfer){P3D_FORWARD, P3D_ALL_GATHER, P3D_AXIS_EP,
                    SIZE_BYTES * all});
    for (int phase = 0; phase < 2; phase++)
        (void)list_collective(c, "weights of the experts",
                (list_transfer){(p3d_phase)phase, P3D_ALL_TO_ALL, P3D_AXIS_EP,
                        WEIGHT_BYTES * (double)rows / c->shard.etp});
}

/** The matrix from the model's width to that of its experts, before tokens are
 *  sorted, or back behind their weighted sum, whose result it keeps. Source:
 *  Megatron-LM@d98e8a64 megatron/core/transformer/moe/moe_layer.py. */
static void list_latent(list_context *c, bool down)
{
    const int64_t h = c->model->hidden, l = c->model->expert_latent;

    if (l == 0)
        return;
    list_matrix_of(c, P3D_PART_MLP, 0, false);
    list_gemm(c,
            down ? "experts' input projection" : "experts' output projection",
            (cost_product){c->resident, down ? l : h, down ? h : l, 1});
    if (!down && list_trains(c, P3D_PART_MLP))
        list_keep(c, (list_tensor){"input of the experts' output projection",
                             "gradient of the weights",
                             "Megatron-LM@d98e8a64 "
                             "megatron/core/transformer/moe/moe_layer.py",
                             c->resident, l, (double)c->bytes,
                             P3D_MODULE_PER_OP, 0, false});
}

/** Choosing the experts of each token, from the router's logits. */
static void list_routing(list_context *c)
{
    const p3d_model *m = c->model;
    const double scores = (double)c->resident * m->n_experts;
    list_work work;

    for (int i = 0; i < 2; i++) {
        work.bytes[i] = ROUTING_PASS_BYTES[i] * scores;
        work.n_kernels[i] = ROUTING_KERNELS[i];
        if (m->router.score != P3D_SCORE_SOFTMAX)
            work.n_kernels[i] += SIGMOID_KERNELS[i];
        if (m->router_correction)
            work.n_kernels[i] += CORRECTION_KERNELS[i];
        if (m->router.scale > 0)
            work.n_kernels[i] += SCALE_KERNELS[i];
    }
    list_rows(c, "choosing experts", work);
}

/** Routed experts and their exchange, then the shared experts. */
void list_moe_mlp(list_context *c)
{
    const p3d_model *m = c->model;
    const int64_t rows = list_expert_rows(c);
    const double sorted = (double)(rows * spec_expert_width(m));
    const double sorting = sorting_bytes(c);

    c->modules = P3D_MODULE_MOE;
    list_matrix_of(c, P3D_PART_ROUTER, 0, false);
    list_wide_gemm(c, "router",
            (cost_product){c->resident, m->n_experts, m->hidden, 1});
    list_routing(c);
    list_latent(c, true);
    list_sizes(c, rows);
    c->part = P3D_BESIDE_EXPERTS;
    list_pass_over(c, "sorting tokens by expert", sorted,
            (list_work){{sorting, sorting}, {2, 2}});
    keep_routing(c, rows);
    list_exchange(
            c, "dispatch to experts", P3D_FORWARD, P3D_BESIDE_EXPERTS, rows);
    list_exchange(
            c, "dispatch to experts", P3D_BACKWARD, P3D_BESIDE_EXPERTS, rows);
    list_experts(c, rows);
    list_exchange(
            c, "combine from experts", P3D_FORWARD, P3D_BESIDE_ATTENTION, rows);
    list_exchange(c, "combine from experts", P3D_BACKWARD, P3D_BESIDE_ATTENTION,
            rows);
    list_pass_over(c, "weighted sum of experts", sorted,
            (list_work){{sorting, sorting}, {1, 1}});
    list_latent(c, false);
    c->part = P3D_BESIDE_ATTENTION;
    if (m->shared_ffn > 0) {
        c->modules = P3D_MODULE_MOE | P3D_MODULE_SHARED_EXPERTS;
        list_mlp(c, &shared_names, m->shared_ffn / c->shard.tp,
                LIST_CAST_INPUT | LIST_CAST_GRADIENT);
    }
    c->modules = 0;
}
