/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload_mixer.c - the operations of layers that mix tokens without
 * attention: state spaces, linear attention, short convolutions. */
#include "base/util.h"
#include "cost/workload/workload_list.h"
#include "spec/params.h"

/* Bytes per channel of a causal convolution with its activation: read and
 * written, and backward read twice and written. Source: Dao-AILab/
 * causal-conv1d@v1.5 csrc/causal_conv1d_fwd.cu, causal_conv1d_bwd.cu. */
static const double CONVOLUTION_BYTES[2] = {4, 6};

/* Bytes per channel of a selective scan, which keeps the state on the chip:
 * x, step size and gate in, the output out; backward reads them again and the
 * gradient, and writes three. Source: arXiv:2312.00752 section 3.3.2. */
static const double SCAN_BYTES[2] = {8, 16};

/* Bytes per channel of the norm and the gate after the core. */
static const double GATE_BYTES[2] = {6, 10};

/* Bytes of an element of a state that is kept between chunks. Source:
 * state-spaces/mamba@v2.2 mamba_ssm/ops/triton/ssd_combined.py. */
enum { STATE_BYTES = 4 };

/** Products of a chunk of C tokens with each other and with the state, for
 *  every head: scores C B^T, scores X, the state's update B^T X, its reading
 *  C S. Source: arXiv:2405.21060 section 6 (algorithm of the state-space
 *  duality); arXiv:2501.08313 section 2.2 (lightning attention). */
static void list_chunks_of(list_context *c, spec_mixer w)
{
    const p3d_mixer *const x = &c->model->mixer;
    const int64_t C = x->chunk < c->job->seq_len ? x->chunk : c->job->seq_len;
    const int64_t n = p3d_ceil_div(c->tokens, C) * w.heads;

    list_core_gemm(c, "scores of a chunk", (cost_product){C, C, x->key_dim, n});
    list_core_gemm(
            c, "scores over values", (cost_product){C, x->value_dim, C, n});
    list_core_gemm(c, "update of the state",
            (cost_product){x->key_dim, x->value_dim, C, n});
    list_core_gemm(c, "reading of the state",
            (cost_product){C, x->value_dim, x->key_dim, n});
    list_keep(
            c, (list_tensor){"states between chunks", "backward of the scan",
                       "arXiv:2405.21060 section 6", n * x->key_dim,
                       x->value_dim, STATE_BYTES, P3D_MODULE_PER_OP, 0, false});
}

/** What the delta rule adds: K K^T of a chunk, and its inverse times keys and
 *  values. Source: arXiv:2412.06464 section 3.3; arXiv:2406.06484 section 3. */
static void list_delta(list_context *c, spec_mixer w)
{
    const p3d_mixer *const x = &c->model->mixer;
    const int64_t C = x->chunk < c->job->seq_len ? x->chunk : c->job->seq_len;
    const int64_t n = p3d_ceil_div(c->tokens, C) * w.heads;

    list_core_gemm(
            c, "products of the keys", (cost_product){C, C, x->key_dim, n});
    list_core_gemm(c, "inverse over keys", (cost_product){C, x->key_dim, C, n});
    list_core_gemm(
            c, "inverse over values", (cost_product){C, x->value_dim, C, n});
    list_keep(
            c, (list_tensor){"inverses of chunks", "backward of the delta rule",
                       "arXiv:2412.06464 section 3.3", c->tokens * w.heads, C,
                       (double)c->bytes, P3D_MODULE_PER_OP, 0, false});
}

/** Projections beside the first: step sizes, B and C of Mamba; the gates of
 *  KDA through a low rank. */
static void list_small_projections(list_context *c, spec_mixer w)
{
    const p3d_mixer *const x = &c->model->mixer;
    const int64_t T = c->tokens;

    list_matrix_of(c, P3D_PART_ATTENTION, 0, false);
    if (x->kind == P3D_MIXER_MAMBA) {
        list_gemm(c, "step sizes, B and C",
                (cost_product){T, x->rank + 2 * x->key_dim, w.out, 1});
        list_gemm(c, "step sizes", (cost_product){T, w.out, x->rank, 1});
    }
    if (x->kind == P3D_MIXER_KDA && x->rank > 0) {
        list_gemm(c, "gates down-projection",
                (cost_product){T, x->rank, c->model->hidden, 2});
        list_gemm(
                c, "gates up-projection", (cost_product){T, w.out, x->rank, 2});
    }
}

static void list_core(list_context *c, spec_mixer w)
{
    switch (c->model->mixer.kind) {
    case P3D_MIXER_MAMBA:
        list_pass_over(c, "selective scan", (double)(c->tokens * w.out),
                (list_work){{SCAN_BYTES[0], SCAN_BYTES[1]}, {1, 1}});
        break;
    case P3D_MIXER_DELTA:
    case P3D_MIXER_KDA:
        list_delta(c, w);
        list_chunks_of(c, w);
        break;
    case P3D_MIXER_MAMBA2:
    case P3D_MIXER_LIGHTNING: list_chunks_of(c, w); break;
    case P3D_MIXER_CONV:
    case P3D_MIXER_NONE:
    case P3D_N_MIXER_KINDS: break;
    }
}

/** What the mixer keeps: the output of its projections, of its convolution and
 *  of its core, and the input of the last projection. */
static void keep_mixer(list_context *c, spec_mixer w)
{
    static const char source[] = "state-spaces/mamba@v2.2 mamba_ssm/ops/"
                                 "triton/ssd_combined.py";
    const p3d_mixer *const x = &c->model->mixer;
    const double E = (double)c->bytes;
    const int64_t small =
            x->kind == P3D_MIXER_MAMBA ? w.out + x->rank + 2 * x->key_dim
            : x->kind == P3D_MIXER_KDA && x->rank > 0 ? 2 * (w.out + x->rank)
                                                      : 0;
    const list_tensor kept[] = {
            {"projections of the mixer", "backward of the mixer", source,
                    c->tokens, w.in, E, 0, 0, false},
            {"step sizes and gates of the mixer", "backward of the mixer",
                    source, c->tokens, small, E, P3D_MODULE_PER_OP, 0, false},
            {"output of the convolution", "backward of the mixer", source,
                    c->tokens, x->kind == P3D_MIXER_CONV ? 0 : w.taps, E,
                    P3D_MODULE_PER_OP, 0, false},
            {"output of the mixer", "backward of its norm and gate", source,
                    c->tokens, w.out, E, P3D_MODULE_PER_OP, 0, false},
            {"input of the mixer's last projection", "gradient of the weights",
                    source,
                    list_keeps_input(c, P3D_PART_ATTENTION, P3D_TARGET_O)
                            ? c->tokens
                            : 0,
                    w.out, list_input_bytes(c, P3D_PART_ATTENTION), 0, 0,
                    false}};

    for (int i = 0; i < P3D_COUNT_OF(kept); i++)
        list_keep(c, kept[i]);
}

void list_mixer(list_context *c)
{
    const spec_mixer w = spec_mixer_widths(c->model, c->shard.tp);
    const int64_t T = c->tokens, h = c->model->hidden;

    list_tensor_parallel(c, "mixer tensor parallelism", w.in, w.out);
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_Q, false);
    list_gemm(c, "mixer projection", (cost_product){T, w.in, h, 1});
    if (w.taps > 0)
        list_pass_over(c, "convolution", (double)(T * w.taps),
                (list_work){
                        {CONVOLUTION_BYTES[0], CONVOLUTION_BYTES[1]}, {1, 1}});
    list_small_projections(c, w);
    list_core(c, w);
    list_rows_over(c, "norm and gate of the mixer", (double)(T * w.out),
            (list_work){{GATE_BYTES[0], GATE_BYTES[1]}, {1, 1}});
    keep_mixer(c, w);
    list_matrix_of(c, P3D_PART_ATTENTION, P3D_TARGET_O, true);
    list_gemm(c, "mixer output projection", (cost_product){T, h, w.out, 1});
}
