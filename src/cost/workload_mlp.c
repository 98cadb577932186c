/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_mlp.c - the operations of dense and mixture-of-experts MLPs. */
#include "base/util.h"
#include "cost/workload_list.h"

/* Bytes per token and hidden element of sorting tokens by expert and back,
 * fused permutation kernels. Source: Megatron-LM@d98e8a64
 * megatron/core/transformer/moe/moe_utils.py (read and write, 16 bit, twice).*/
static const double PERMUTE_PASS_BYTES = 8;

/* Index and probability of a routed token, kept for backward. */
enum { ROUTED_TOKEN_BYTES = 8 };

static int matrices_up(const p3d_model *model)
{
    return model->gated_mlp ? 2 : 1;
}

/** Bytes per element of the MLP width that are kept for backward: the tensors
 *  around the activation, of which the last is the input of a product. */
static int64_t kept_bytes(const list_context *c)
{
    const int tensors =
            c->model->gated_mlp ? c->job->framework->gated_tensors : 2;

    return c->bytes * (tensors - 1) + c->input_bytes;
}

/**
 * Dense MLP: up (and gate), activation, down.
 *
 * Keeps the inputs of the activation and of the down projection: 2 tensors of
 * the MLP width, 3 when gated (gate, up, product), 4 where the activation of
 * the gate is a kernel of its own.
 *
 * Source: arXiv:2205.05198 section 4.1 (16 sbh at f = 4h); gated: Transformer
 * Engine and Megatron's fused SwiGLU keep gate, up and product.
 */
void list_dense_mlp(list_context *c, int64_t ffn, const char *up_name,
        const char *down_name)
{
    const int up = matrices_up(c->model);
    const int64_t f = ffn / c->shard.tp;
    const int64_t T = c->tokens, h = c->model->hidden;
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const double elements = (double)(T * f) * (c->model->gated_mlp ? 1.5 : 1);
    const double factor = (double)c->bytes / 2;

    list_gemm(c, up_name, T, up * f, h, 1);
    list_pass(c, "MLP activation", pass->mlp[0] * factor * elements,
            pass->mlp[1] * factor * elements, 1, 2, T * f * kept_bytes(c));
    list_gemm(c, down_name, T, h, f, 1);
}

/**
 * Rows that the experts of one rank process, when the load is balanced.
 *
 *     rows = resident tokens * top_k * etp
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

    return c->resident * c->model->top_k * (gathers ? c->shard.etp : 1);
}

static void list_exchange(
        list_context *c, const char *name, p3d_phase phase, int64_t rows)
{
    const double sent = (double)(c->bytes * rows * c->model->hidden);

    list_collective(c, name, phase, P3D_ALL_TO_ALL, P3D_AXIS_EP,
            sent / c->shard.etp, 1);
    list_collective(c, name, phase, P3D_ALL_GATHER, P3D_AXIS_ETP, sent, 1);
}

/** Routed experts and their exchange, then the shared experts. */
void list_moe_mlp(list_context *c)
{
    const p3d_model *m = c->model;
    const int64_t rows = list_expert_rows(c);
    const int64_t local = m->n_experts / c->shard.ep;
    const int64_t f = m->expert_ffn / c->shard.etp;
    const int64_t per_expert = rows / local > 0 ? rows / local : 1;
    const int up = matrices_up(m);
    const p3d_pass_bytes *pass = list_pass_bytes(c);
    const double factor = (double)c->bytes / 2;
    const double elements = (double)(rows * f) * (m->gated_mlp ? 1.5 : 1);
    const double sorted =
            PERMUTE_PASS_BYTES * factor * (double)(rows * m->hidden);

    list_wide_gemm(c, "router", c->resident, m->n_experts, m->hidden, 1);
    list_pass(c, "sorting tokens by expert", sorted, sorted, 2, 2,
            c->input_bytes * rows * m->hidden + ROUTED_TOKEN_BYTES * rows);
    list_exchange(c, "dispatch to experts", P3D_FORWARD, rows);
    list_exchange(c, "dispatch to experts", P3D_BACKWARD, rows);
    list_gemm(c, "experts up", per_expert, up * f, m->hidden, local);
    list_pass(c, "expert activation", pass->mlp[0] * factor * elements,
            pass->mlp[1] * factor * elements, 1, 2, rows * f * kept_bytes(c));
    list_gemm(c, "experts down", per_expert, m->hidden, f, local);
    list_exchange(c, "combine from experts", P3D_FORWARD, rows);
    list_exchange(c, "combine from experts", P3D_BACKWARD, rows);
    list_pass(c, "weighted sum of experts", sorted, sorted, 1, 1, 0);
    if (m->shared_ffn > 0)
        list_dense_mlp(
                c, m->shared_ffn, "shared experts up", "shared experts down");
}
