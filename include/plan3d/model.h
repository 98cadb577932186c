/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the architecture of a decoder transformer. */
#ifndef PLAN3D_MODEL_H
#define PLAN3D_MODEL_H

#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/block_sparse.h"
#include "plan3d/error.h"
#include "plan3d/tower.h"

P3D_API_BEGIN

enum { P3D_MAX_LAYERS = 1024 };

/** Kinds of decoder layer; a bit set, so that there are 32. A layer has no
 *  window and a mixer: both bits say that it is an MLP alone. */
enum {
    P3D_LAYER_MOE = 1,      /* the MLP is a mixture of experts */
    P3D_LAYER_WINDOWED = 2, /* attention sees only the last `window` tokens, or
                               the blocks of `sparse` */
    P3D_LAYER_MIXER = 4,    /* no attention but the model's mixer */
    P3D_LAYER_NO_MIXING = P3D_LAYER_WINDOWED | P3D_LAYER_MIXER,
    P3D_LAYER_NO_MLP = 8,     /* attention or the mixer alone */
    P3D_LAYER_SHARES_KV = 16, /* attention to keys and values of the last layer
                                 before it that is alike and makes its own */
    P3D_N_LAYER_KINDS = 32
};

/** What mixes tokens in layers without attention, in time linear in their
 *  number. */
typedef enum p3d_mixer_kind {
    P3D_MIXER_NONE,
    P3D_MIXER_MAMBA,     /* selective scan of channels, arXiv:2312.00752 */
    P3D_MIXER_MAMBA2,    /* state-space duality, arXiv:2405.21060 */
    P3D_MIXER_DELTA,     /* gated delta rule, arXiv:2412.06464 */
    P3D_MIXER_KDA,       /* the same with a gate a channel, arXiv:2510.26692 */
    P3D_MIXER_LIGHTNING, /* linear attention with decay, arXiv:2501.08313 */
    P3D_MIXER_CONV,      /* a short convolution between two gates */
    P3D_N_MIXER_KINDS
} p3d_mixer_kind;

/** Sizes of a mixer. */
typedef struct p3d_mixer {
    p3d_mixer_kind kind;
    int heads;     /* of values: heads * value_dim channels go out of it */
    int key_heads; /* of queries and keys; the groups of Mamba-2 */
    int key_dim;   /* channels of a key: the state of a channel */
    int value_dim;
    int taps;  /* of its causal convolution; 0 = none */
    int rank;  /* of the step sizes of Mamba, of the gates of KDA; 0 = full */
    int chunk; /* tokens that are computed at once; 0 = none */
    bool proj_bias; /* the first and the last projection have biases */
    bool taps_bias;
    bool norm; /* the output is normalized, or the step, B and C of Mamba */
} p3d_mixer;

typedef enum p3d_attention_gate {
    P3D_GATE_NONE,
    P3D_GATE_HEAD,   /* one factor of the output for each head */
    P3D_GATE_CHANNEL /* one for each channel */
} p3d_attention_gate;

typedef enum p3d_qk_norm {
    P3D_QK_NORM_NONE,
    P3D_QK_NORM_HEAD, /* one weight per head channel: 2 * head_dim */
    P3D_QK_NORM_FULL, /* over all heads: heads * head_dim + kv * head_dim */
    P3D_QK_NORM_EACH  /* as many, of each head by itself, without biases */
} p3d_qk_norm;

/** What an MLP computes between its products. */
typedef enum p3d_activation {
    P3D_ACTIVATION_USUAL, /* SiLU of a gate, else GELU in one of its forms */
    P3D_ACTIVATION_RELU,  /* its backward pass reads the result alone */
    P3D_ACTIVATION_SQUARED_RELU,
    P3D_ACTIVATION_OTHER,
    P3D_N_ACTIVATIONS
} p3d_activation;

/** What a router makes of its logits: it decides which experts a token visits
 *  and how much each counts, and changes no size. */
typedef enum p3d_router_score {
    P3D_SCORE_SOFTMAX,
    P3D_SCORE_SIGMOID,
    P3D_SCORE_SQRT_SOFTPLUS,
    P3D_N_ROUTER_SCORES
} p3d_router_score;

/** What holds the load of the experts even. */
typedef enum p3d_router_balance {
    P3D_BALANCE_BATCH,    /* a loss over a micro-batch, arXiv:2101.03961 */
    P3D_BALANCE_SEQUENCE, /* over each sequence, arXiv:2405.04434 */
    P3D_BALANCE_GLOBAL,   /* over the batch of a step */
    P3D_BALANCE_SINKHORN,
    P3D_BALANCE_QUANTILE,
    P3D_BALANCE_NONE,
    P3D_N_ROUTER_BALANCES
} p3d_router_balance;

typedef struct p3d_router {
    p3d_router_score score;
    bool keeps_scores; /* those of a token's experts do not add up to 1 */
    double scale;      /* what they are multiplied with; 0 = nothing */
    p3d_router_balance balance;
    double loss_weight; /* of the loss that balances; 0 = not stated */
} p3d_router;

typedef enum p3d_rotary_kind {
    P3D_ROTARY_PLAIN,
    P3D_ROTARY_LINEAR, /* positions are divided by the factor */
    P3D_ROTARY_LLAMA3, /* long waves alone are stretched, as Llama 3.1 does */
    P3D_ROTARY_YARN,   /* arXiv:2309.00071 */
    P3D_ROTARY_OTHER,  /* in a way that no option says */
    P3D_N_ROTARY_KINDS
} p3d_rotary_kind;

/** Rotary positions, and how they are stretched to more than a model was
 *  trained with: what makes the model the model, and no size. 0 = not
 *  stated. */
typedef struct p3d_rotary {
    double base;
    double share;     /* of the channels of a head that have positions; 0 = all
                         of them */
    bool interleaved; /* neighbouring channels are a pair, not halves of a
                         head */
    p3d_rotary_kind kind;
    double factor;
    /* YaRN. */
    int first_positions; /* that the model was trained with at first */
    double beta_fast, beta_slow;
    double mscale, mscale_all_dim;
    bool exact_range; /* the range of channels is not rounded to whole ones */
} p3d_rotary;

/** How a model was trained, as its authors report: the main stage of the
 *  pre-training. Defaults of a job come from it. */
typedef struct p3d_pretraining {
    int seq_len;          /* tokens per sequence; 0 = not known, as below */
    int64_t global_batch; /* sequences per step */
    char source[64];
} p3d_pretraining;

/**
 * A model as the planner sees it, read from a Hugging Face config.json or from
 * a file of models/. No owned pointers: assignment copies it. Zero means
 * "the model has none of it" for every optional part.
 */
typedef struct p3d_model {
    char name[96];
    char family[32];  /* Hugging Face model_type of the decoder */
    char source[256]; /* file that it was read from */

    int hidden;
    int n_layers;
    int n_heads;
    int n_kv_heads; /* = n_heads without grouped-query attention */
    int head_dim;   /* of queries and keys */
    int ffn;        /* width of a dense MLP, per projection */
    bool gated_mlp; /* three matrices instead of two */
    p3d_activation activation;
    int vocab; /* before padding */
    bool tied_embeddings;
    int max_positions;     /* longest sequence it was made for */
    int learned_positions; /* rows of a position table; 0 = none */
    int embedding_width;   /* OPT-350m: narrower than hidden, 0 = hidden */
    bool narrow_tables;    /* positions, kinds and the norm are as wide as it,
                              and the matrix behind them has a bias */
    int extra_embeddings;  /* rows of tables beside it: kinds of a token */
    int layer_embedding; /* channels of a token's own embedding for each layer;
                              0 = none */
    int layer_vocab;     /* rows of the table of those */
    int side_streams;    /* residual streams beside the one that attention and
                              MLP read; 0 = none */
    int bypass_rank;     /* of two products beside the attention; 0 = none */
    bool head_transform; /* BERT: a matrix and a norm before the output */
    bool head_plain;     /* that matrix has no bias */
    int head_width;      /* channels behind it; 0 = hidden */
    bool has_pooler;     /* a matrix that the loss does not see */
    bool sees_all;       /* encoders: tokens see those after them, too */

    /* Parameters of normalization and biases. */
    int norm_weights; /* per channel: 1 RMSNorm or no bias, 2 LayerNorm */
    int n_norms;      /* per layer: 1 parallel block, 2 usual, 4 Gemma, GLM */
    bool final_norm;
    bool centered_norms; /* their weights are counted from 1 */
    bool embedding_norm;
    p3d_qk_norm qk_norm;
    bool qkv_bias;
    bool no_key_bias; /* keys have none, where queries and values do */
    bool o_bias;
    bool mlp_bias;
    bool head_bias;
    int n_outputs; /* of the head, in place of words: a reward, classes; 0 =
                      words */
    p3d_attention_gate attention_gate;
    int full_head_dim; /* of layers that see all tokens, and ... */
    int full_kv_heads; /* ... their key/value heads; 0 = as of the others */
    bool full_shares;  /* ... their values come out of the keys' projection */
    int sharing_ffn;   /* width of the MLP, or of shared experts, in layers that
                          attend to keys and values of another; 0 = as else */
    bool attention_sinks; /* one learned logit per head */
    int layer_scales;     /* weights of a layer that scale one channel each,
                             and are of none of the above */
    bool parallel_block;  /* attention and MLP read the same norm */
    bool own_code;        /* its class computes what changes no size and other
                             code does not: scales of the residual stream,
                             another activation or positions */

    /* A second attention in each layer, to the output of an encoder. */
    int cross_width;  /* channels of that output; 0 = none */
    int cross_tokens; /* of it, for a sequence; 0 = as many as that has */

    /* Mixture of experts; n_experts 0 = dense. */
    int n_experts;
    int top_k;
    int expert_groups; /* a token's experts lie in routed_groups of them; 0 = in
                          any */
    int routed_groups;
    int expert_ffn;
    int expert_latent;      /* width that they read and write; 0 = hidden */
    bool expert_norm;       /* one more norm, behind experts and shared ones */
    int shared_ffn;         /* total width of the shared experts */
    bool shared_gate;       /* hidden -> 1 gate on the shared expert */
    bool router_bias;       /* one per expert, a parameter */
    bool router_correction; /* one per expert, balances the load */
    bool expert_bias;
    bool clamped_experts; /* gates and up-projections have a limit */

    /* Multi-head latent attention; kv_lora_rank 0 = none. */
    int q_lora_rank; /* 0 = plain query projection */
    int kv_lora_rank;
    int qk_nope_dim;
    int qk_rope_dim;
    int v_head_dim;

    p3d_mixer mixer;   /* of the layers that have one */
    bool mixer_beside; /* layers with attention have it, too, of one input */

    /* Sparse attention: an indexer chooses the tokens that a query sees, or
       the blocks of `sparse`; index_heads 0 = none. */
    int index_heads;
    int index_dim;
    int index_topk;

    /* What makes the model the model, and no size: 0 = not stated. */
    p3d_rotary rotary;
    p3d_router router; /* of its experts */
    double norm_epsilon;

    int window;              /* tokens; of the windowed layers */
    p3d_block_sparse sparse; /* what these see instead, where it is not none */
    int n_mtp_layers;        /* multi-token prediction blocks in the file */

    uint8_t layer_kind[P3D_MAX_LAYERS]; /* P3D_LAYER_ bits */

    p3d_tower tower; /* beside the decoder */

    /* What of the file is not in the model: lists of keys, "" = nothing. */
    char not_counted[96];  /* parts beside the decoder: "vision_config" */
    char unread_keys[224]; /* of the decoder, that plan3d does not know */
    char quantization[32]; /* of the file's weights: "fp8", which no training
                              keeps them in by itself; "" = none */

    p3d_pretraining pretraining;
} p3d_model;

/**
 * Find and read a model.
 *
 * @param word  a name or alias of models/ ("llama-2-70b"), or one of a
 *              release that has its layers ("unsloth/llama-2-70b-chat-hf"),
 *              the path of a config.json ("-" = standard input), or a size
 *              ("70B": the usual model of that size, else one within 3 %)
 * @param out   untouched on failure
 * @return false with P3D_DATA (unknown name with did-you-mean; wrong file) or
 *         P3D_SYSTEM (cannot be read)
 */
P3D_CHECK bool p3d_model_find(const char *word, p3d_model *out, p3d_error *err);

/** Read one config.json or file of models/; see p3d_model_find(). */
P3D_CHECK bool p3d_model_load(const char *path, p3d_model *out, p3d_error *err);

/** The same for the text of such a file. @param file  its name */
P3D_CHECK bool p3d_model_parse(
        const char *file, const char *text, p3d_model *out, p3d_error *err);

/** Number of decoder layers that have all the bits of `kind` exactly. */
int p3d_model_count_layers(const p3d_model *model, int kind);

/** Number of decoder layers that have all the bits of `bits` and maybe more. */
int p3d_model_count_with(const p3d_model *model, int bits);

/** True when queries, keys and values come from a latent vector (MLA). */
bool p3d_model_is_mla(const p3d_model *model);

P3D_API_END

#endif
