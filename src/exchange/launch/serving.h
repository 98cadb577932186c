/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serving.h - commands that serve a model: how many GPUs its weights and the
 * cache of keys and values need. */
#ifndef PLAN3D_EXCHANGE_LAUNCH_SERVING_H
#define PLAN3D_EXCHANGE_LAUNCH_SERVING_H

#include "exchange/launch/export.h"

/** A program that serves models. */
typedef struct exchange_server {
    const char *name;
    const char *title;
    const char *versions; /* that the names of its options were read from */
    const char *program;
    bool pipeline;           /* over nodes */
    bool replicas;           /* it starts copies of the model itself */
    double memory_frac;      /* of a GPU's memory that it takes */
    bool frac_after_weights; /* of what the weights leave, instead */
    bool drops_tokens;       /* that no window of a layer has any more */
    const exchange_option *options;
    int n_options;
} exchange_server;

/** The i-th in the order of the help; NULL past the last. */
const exchange_server *exchange_server_at(int i);

/** Find one by its name; NULL when there is none. */
const exchange_server *exchange_server_find(const char *name);

/** How a model lies on GPUs that serve it. */
typedef struct exchange_serving {
    int tp, pp, dp;        /* dp: copies of the model */
    int64_t weights_bytes; /* of a GPU */
    double cache_bytes;    /* of a GPU and token */
    double window_bytes;   /* of these, in layers that drop old tokens */
    double state_bytes;    /* of a GPU and sequence: what mixers keep */
    int64_t n_sequences;   /* of the job's length, with one copy */
    int64_t room_tokens;   /* of the cache of one copy */
} exchange_serving;

/**
 * Bytes that one token's keys and values take on a GPU, in 16 bit; of stages of
 * as many layers, those of the largest:
 *
 *     sum over layers  2 * 2 * max(k / t, 1) * d,   with latent attention
 *                      2 * (r + d_rope)
 *
 * k key/value heads of d channels, t tensor-parallel ranks, r rank of the
 * latent vector, which every rank holds. Layers without attention, or with the
 * keys and values of another, have none.
 *
 * @param pp  stages, >= 1
 *
 * Source: arXiv:2309.06180 (2 * 2 * h per token and layer), arXiv:2405.04434
 * section 2.1 (latent vector and rotary key).
 * Tested: tests/unit/test_serving.c
 */
double exchange_cache_bytes(const p3d_model *model, int tp, int pp);

/**
 * Bytes that a sequence's states of mixers take on a GPU, whatever its length:
 *
 *     sum over layers  e * d * N + 2 * c * (taps - 1)
 *
 * d channels out of the mixer, N of a key, e = 2 bytes, or 4 with KDA and where
 * the configurations of a family say fp32; c channels of the convolution, the
 * last inputs of which are kept in 16 bit.
 *
 * Source: arXiv:2312.00752 section 3.3 (state of N per channel),
 * arXiv:2405.21060, arXiv:2412.06464; types: vllm-project/vllm@02d71083
 * vllm/model_executor/layers/mamba/mamba_utils.py
 * (MambaStateDtypeCalculator), text-generation-inference@db931fcf
 * server/text_generation_server/models/mamba.py (new_inference_params).
 * Tested: tests/unit/test_serving.c
 */
double exchange_state_bytes(const p3d_model *model, int tp, int pp);

/**
 * Bytes that one sequence takes on a GPU, cache and states, on the stage with
 * the most. A server that drops tokens keeps of a layer with a window w
 *
 *     min(w - 1 + n, s) + 16 tokens
 *
 * s tokens of the sequence, n that a pass takes at once (8192 on GPUs of 70
 * GiB and more but A100s, else 2048), 16 those of a block. Its layers come in
 * groups of one kind and as many layers as the rarest kind has, or as the most
 * frequent one where that has fewer than 3/2 of it; the last group of a kind
 * has the place of a full one.
 *
 * Source: vllm-project/vllm@001cabc1 vllm/v1/kv_cache_interface.py
 * (SlidingWindowSpec.max_memory_usage_bytes), vllm/v1/core/kv_cache_utils.py
 * (_get_kv_cache_groups_uniform_page_size), vllm/engine/arg_utils.py
 * (get_batch_defaults); text-generation-inference@db931fcf server/
 * text_generation_server/models/model.py (info: no window).
 * Tested: tests/unit/test_serving.c
 */
double exchange_sequence_bytes(const exchange_server *server,
        const p3d_problem *problem, int tp, int pp);

/**
 * The fewest GPUs on which weights and the cache of one sequence fit, first
 * within a node, then over nodes; copies fill the cluster.
 *
 * @return false with P3D_NO when no number of GPUs is enough, P3D_DATA for
 *         models that make no text, or of an encoder's output
 */
P3D_CHECK bool exchange_serving_find(const exchange_server *server,
        const p3d_problem *problem, exchange_serving *out, p3d_error *err);

/** Make serve.sh. @param out  free with exchange_files_free() */
void exchange_serving_export(const exchange_server *server,
        const p3d_problem *problem, const exchange_serving *serving,
        const char *about, exchange_files *out);

#endif
