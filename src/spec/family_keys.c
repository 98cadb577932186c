/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_keys.c - the keys of a config.json, by every name that they have. */
#include "spec/family.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spec/sizes.h"

/* clang-format off */
#define OF_TYPE(t, member) \
    .field.type = (t), .field.offset = offsetof(spec_draft, member)
#define INT(member, least, most) \
    OF_TYPE(JSON_INT, member), .field.min = (least), .field.max = (most)
#define NUMBER(member, least, most) \
    OF_TYPE(JSON_DOUBLE, member), .field.min = (least), .field.max = (most)
#define BOOL(member)          OF_TYPE(JSON_BOOL, member)
#define ELSEWHERE             .field.type = JSON_ANY
#define NEEDED                .field.flags = JSON_REQUIRED
#define NULL_IS_NONE          .null_is_none = true

static const spec_family_key keys[] = {
    /* Every family. */
    {{"hidden_size", "n_embd", "d_model", "n_embed", "embed_dim",
      "emb_dim"}, P3D_KEYS_ALL,
     INT(model.hidden, 1, P3D_MAX_HIDDEN), NEEDED,
     .field.doc = "width of the residual stream"},
    {{"num_hidden_layers", "n_layer", "n_layers", "num_layers",
      "layers", "decoder_layers"}, P3D_KEYS_ALL,
     INT(model.n_layers, 1, P3D_MAX_LAYERS), NEEDED,
     .field.doc = "number of decoder layers"},
    {{"num_attention_heads", "n_head", "n_heads", "num_heads",
      "attention_heads", "decoder_attention_heads"}, P3D_KEYS_ALL,
     INT(model.n_heads, 1, P3D_MAX_HEADS), NEEDED,
     .field.doc = "number of query heads"},
    {{"vocab_size", "padded_vocab_size"}, P3D_KEYS_ALL,
     INT(model.vocab, 1, P3D_MAX_VOCAB), NEEDED,
     .field.doc = "number of tokens in the vocabulary"},
    {{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "dff",
      "block_ff_dim"},
     P3D_KEYS_ALL, INT(model.ffn, 1, P3D_MAX_FFN), .by_layer = true,
     .field.doc = "width of the MLP"},
    {{"max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
      "n_ctx", "max_target_positions"}, P3D_KEYS_ALL,
     INT(model.max_positions, 1, P3D_MAX_POSITIONS),
     .field.doc = "longest sequence"},
    {{"type_vocab_size"}, P3D_KEYS_TYPES,
     INT(model.extra_embeddings, 0, P3D_MAX_VOCAB),
     .field.doc = "kinds of a token, each with an embedding"},
    {{"tie_word_embeddings"}, P3D_KEYS_ALL, BOOL(model.tied_embeddings),
     .field.doc = "the output matrix is the embedding"},

    /* Attention. */
    {{"num_key_value_heads", "num_kv_heads", "n_head_kv"}, P3D_KEYS_KV,
     INT(model.n_kv_heads, 1, P3D_MAX_HEADS),
     .field.doc = "number of key/value heads"},
    {{"head_dim"}, P3D_KEYS_HEAD_DIM, INT(model.head_dim, 1, P3D_MAX_HEAD_DIM),
     .field.doc = "size of a head"},
    {{"global_head_dim"}, P3D_KEYS_GLOBAL,
     INT(model.full_head_dim, 1, P3D_MAX_HEAD_DIM),
     .field.doc = "size of a head of layers that see all tokens"},
    {{"num_global_key_value_heads"}, P3D_KEYS_GLOBAL,
     INT(model.full_kv_heads, 1, P3D_MAX_HEADS),
     .field.doc = "key/value heads of layers that see all tokens"},
    {{"attention_k_eq_v"}, P3D_KEYS_GLOBAL, BOOL(model.full_shares),
     .field.doc = "values of these layers come out of the keys' projection"},
    {{"hidden_size_per_layer_input"}, P3D_KEYS_GLOBAL | P3D_KEYS_STREAMS,
     INT(model.layer_embedding, 0, P3D_MAX_HIDDEN), NULL_IS_NONE,
     .field.doc = "width of a token's embedding for each layer"},
    {{"vocab_size_per_layer_input"}, P3D_KEYS_GLOBAL | P3D_KEYS_STREAMS,
     INT(model.layer_vocab, 0, P3D_MAX_VOCAB),
     .field.doc = "rows of the table of these"},
    {{"altup_num_inputs"}, P3D_KEYS_STREAMS,
     INT(n_streams, 2, P3D_MAX_STREAMS),
     .field.doc = "residual streams"},
    {{"laurel_rank"}, P3D_KEYS_STREAMS,
     INT(model.bypass_rank, 1, P3D_MAX_HIDDEN),
     .field.doc = "rank of two products beside the attention"},
    {{"num_kv_shared_layers"}, P3D_KEYS_GLOBAL | P3D_KEYS_STREAMS,
     INT(n_sharing, 0, P3D_MAX_LAYERS), NULL_IS_NONE,
     .field.doc = "last layers, which use keys and values of others"},
    {{"use_double_wide_mlp"}, P3D_KEYS_GLOBAL, BOOL(doubles_ffn),
     .field.doc = "MLPs of these layers are twice as wide"},
    {{"enable_moe_block"}, P3D_KEYS_GLOBAL, BOOL(has_experts),
     .field.doc = "experts beside the MLP"},
    {{"attention_bias"}, P3D_KEYS_QKV_BIAS, BOOL(model.qkv_bias),
     .field.doc = "q, k and v have biases"},
    {{"attention_bias"}, P3D_KEYS_O_BIAS, BOOL(model.o_bias),
     .field.doc = "the output projection has a bias"},
    {{"qkv_bias", "use_qkv_bias", "use_bias"}, P3D_KEYS_QKV_BIAS_ALONE,
     BOOL(model.qkv_bias),
     .field.doc = "q, k and v have biases"},
    {{"use_qk_norm", "qk_layernorm"}, P3D_KEYS_QK_NORM, BOOL(use_qk_norm),
     .field.doc = "queries and keys are normalized"},
    {{"mlp_bias"}, P3D_KEYS_MLP_BIAS, BOOL(model.mlp_bias),
     .field.doc = "the MLP has biases"},
    {{"use_bias"}, P3D_KEYS_USE_BIAS, BOOL(model.qkv_bias),
     .field.doc = "biases"},
    {{"use_bias"}, P3D_KEYS_USE_BIAS, BOOL(model.o_bias),
     .field.doc = "biases"},
    {{"use_bias"}, P3D_KEYS_USE_BIAS, BOOL(model.mlp_bias),
     .field.doc = "biases"},
    {{"use_bias"}, P3D_KEYS_ERNIE, BOOL(model.head_bias),
     .field.doc = "biases"},
    {{"attention_out_bias"}, P3D_KEYS_OUT_BIAS, BOOL(model.o_bias),
     .field.doc = "the output projection has a bias"},
    {{"lm_head_bias", "decoder_bias"}, P3D_KEYS_HEAD_BIAS,
     BOOL(model.head_bias),
     .field.doc = "the output matrix has a bias"},
    {{"use_post_norm", "use_sandwich_norm"}, P3D_KEYS_POST_NORM,
     BOOL(use_post_norm),
     .field.doc = "norms stand after attention and MLP, too"},
    {{"use_parallel_residual"}, P3D_KEYS_PARALLEL, BOOL(parallel),
     .field.doc = "attention and MLP read the same input"},
    {{"q_lora_rank"}, P3D_KEYS_MLA,
     INT(model.q_lora_rank, 1, P3D_MAX_HIDDEN), NULL_IS_NONE,
     .field.doc = "width of the latent query"},
    {{"kv_lora_rank"}, P3D_KEYS_MLA, INT(model.kv_lora_rank, 1, P3D_MAX_HIDDEN),
     .field.doc = "width of the latent key and value"},
    {{"qk_nope_head_dim"}, P3D_KEYS_MLA,
     INT(model.qk_nope_dim, 1, P3D_MAX_HEAD_DIM),
     .field.doc = "head channels without rotary position"},
    {{"qk_rope_head_dim"}, P3D_KEYS_MLA,
     INT(model.qk_rope_dim, 1, P3D_MAX_HEAD_DIM),
     .field.doc = "head channels with rotary position"},
    {{"v_head_dim"}, P3D_KEYS_MLA, INT(model.v_head_dim, 1, P3D_MAX_HEAD_DIM),
     .field.doc = "head channels of a value"},

    /* Of no size, for launch files. */
    {{"rope_theta", "rotary_emb_base"}, P3D_KEYS_ALL,
     NUMBER(model.rotary.base, 0, 1e12),
     .field.doc = "base of rotary positions"},
    {{"partial_rotary_factor", "rotary_pct"}, P3D_KEYS_ALL,
     NUMBER(model.rotary.share, 0, 1),
     .field.doc = "share of a head's channels that have positions"},
    {{"routed_scaling_factor", "moe_routed_scaling_factor",
      "router_scaling_factor", "route_scale"}, P3D_KEYS_ALL,
     NUMBER(model.router.scale, 0, 1e12),
     .field.doc = "factor of the scores of a token's experts"},
    {{"router_aux_loss_coef", "aux_loss_alpha"}, P3D_KEYS_ALL,
     NUMBER(model.router.loss_weight, 0, 1e12),
     .field.doc = "weight of the loss that balances experts"},
    {{"seq_aux"}, P3D_KEYS_ALL, BOOL(by_sequence),
     .field.doc = "this loss is of each sequence"},
    {{"norm_topk_prob", "moe_renormalize"}, P3D_KEYS_ALL, BOOL(adds_up),
     .field.doc = "scores of a token's experts add up to 1"},
    {{"scoring_func", "score_function", "moe_router_activation_func",
      "topk_method"}, P3D_KEYS_ALL, ELSEWHERE,
     .field.doc = "scores of the router"},
    {{"hidden_act", "hidden_activation", "activation_function",
      "mlp_hidden_act"}, P3D_KEYS_ALL, ELSEWHERE,
     .field.doc = "what an MLP computes between its products"},
    {{"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps",
      "norm_epsilon", "layernorm_epsilon"}, P3D_KEYS_ALL,
     NUMBER(model.norm_epsilon, 0, 1),
     .field.doc = "added to a variance by norms"},

    /* Windows. */
    {{"sliding_window"}, P3D_KEYS_WINDOW,
     INT(model.window, 0, P3D_MAX_POSITIONS), NULL_IS_NONE,
     .field.doc = "tokens that a windowed layer sees"},
    {{"window_size"}, P3D_KEYS_GPT_NEO,
     INT(model.window, 1, P3D_MAX_POSITIONS),
     .field.doc = "tokens that a windowed layer sees"},
    {{"use_sliding_window"}, P3D_KEYS_USE_WINDOW, BOOL(use_window),
     .field.doc = "sliding_window counts"},
    {{"max_window_layers"}, P3D_KEYS_WINDOW_FIRST,
     INT(window_first, 0, P3D_MAX_LAYERS),
     .field.doc = "layers before the first windowed one"},
    {{"sliding_window_pattern", "_sliding_window_pattern"},
     P3D_KEYS_WINDOW_PERIOD, INT(window_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th layer sees all tokens"},
    {{"attention_chunk_size"}, P3D_KEYS_LLAMA4,
     INT(model.window, 1, P3D_MAX_POSITIONS), NULL_IS_NONE,
     .field.doc = "tokens of a chunk that attention stays in"},
    {{"no_rope_layer_interval"}, P3D_KEYS_LLAMA4,
     INT(window_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th layer sees all tokens"},

    /* Mixtures of experts. */
    {{"num_local_experts", "num_experts", "n_routed_experts",
      "moe_num_experts"}, P3D_KEYS_MOE,
     INT(model.n_experts, 0, P3D_MAX_EXPERTS),
     .field.doc = "number of routed experts of a layer"},
    {{"num_experts_per_tok", "experts_per_token", "moe_k", "moe_topk",
      "num_experts_per_token", "top_k_experts"}, P3D_KEYS_MOE,
     INT(model.top_k, 0, P3D_MAX_EXPERTS),
     .field.doc = "experts that a token visits"},
    {{"n_group", "num_expert_group"}, P3D_KEYS_MOE,
     INT(model.expert_groups, 0, P3D_MAX_EXPERTS),
     NULL_IS_NONE, .field.doc = "groups that the experts are in"},
    {{"topk_group"}, P3D_KEYS_MOE, INT(model.routed_groups, 0, P3D_MAX_EXPERTS),
     NULL_IS_NONE, .field.doc = "groups that a token visits"},
    {{"moe_intermediate_size"}, P3D_KEYS_EXPERT_FFN,
     INT(model.expert_ffn, 1, P3D_MAX_EXPERT_FFN),
     .field.doc = "width of an expert"},
    {{"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"},
     P3D_KEYS_SHARED, INT(n_shared, 0, 64), NULL_IS_NONE,
     .field.doc = "experts for every token"},
    {{"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"},
     P3D_KEYS_SHARED, INT(first_dense, 0, P3D_MAX_LAYERS),
     .field.doc = "layers before the first mixture of experts"},
    {{"moe_layer_freq"}, P3D_KEYS_SHARED,
     INT(moe_stride, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th is a mixture"},
    {{"shared_expert_intermediate_size", "shared_intermediate_size",
      "moe_shared_expert_intermediate_size", "share_expert_dim"},
     P3D_KEYS_SHARED_FFN, INT(model.shared_ffn, 0, P3D_MAX_FFN),
     .field.doc = "width of the shared expert"},
    {{"decoder_sparse_step"}, P3D_KEYS_SPARSE_STEP,
     INT(moe_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th is a mixture"},
    {{"moe_layer_interval"}, P3D_KEYS_ERNIE,
     INT(moe_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th is a mixture"},
    {{"moe_layer_end_index"}, P3D_KEYS_ERNIE,
     INT(moe_end, -1, P3D_MAX_LAYERS),
     .field.doc = "the last layer that may be a mixture"},
    {{"interleave_moe_layer_step"}, P3D_KEYS_LLAMA4,
     INT(moe_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th is a mixture"},
    {{"intermediate_size_mlp", "dense_intermediate_size"},
     P3D_KEYS_LLAMA4 | P3D_KEYS_WIDE, INT(wide_ffn, 1, P3D_MAX_FFN),
     .field.doc = "width of the MLP of a dense layer"},
    {{"num_nextn_predict_layers"}, P3D_KEYS_MTP,
     INT(model.n_mtp_layers, 0, P3D_MAX_MTP_LAYERS),
     .field.doc = "multi-token prediction blocks"},

    /* Mixers. */
    {{"mamba_d_state", "state_size", "ssm_state_size"},
     P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     INT(model.mixer.key_dim, 1, P3D_MAX_HIDDEN),
     .field.doc = "size of the state of a channel"},
    {{"mamba_n_groups", "n_groups"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     INT(model.mixer.key_heads, 1, P3D_MAX_HIDDEN),
     .field.doc = "groups of heads that share B and C"},
    {{"mamba_n_heads", "mamba_num_heads"}, P3D_KEYS_MAMBA,
     INT(model.mixer.heads, 1, P3D_MAX_HIDDEN), .field.doc = "heads of Mamba"},
    {{"num_heads"}, P3D_KEYS_STATE,
     INT(model.mixer.heads, 1, P3D_MAX_HIDDEN), .field.doc = "heads of Mamba"},
    {{"mamba_d_head", "mamba_head_dim"}, P3D_KEYS_MAMBA,
     INT(model.mixer.value_dim, 1, P3D_MAX_HIDDEN),
     .field.doc = "channels of a head of Mamba"},
    {{"head_dim"}, P3D_KEYS_STATE,
     INT(model.mixer.value_dim, 1, P3D_MAX_HIDDEN),
     .field.doc = "channels of a head of Mamba"},
    {{"mamba_d_conv", "conv_kernel"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     INT(model.mixer.taps, 1, 1024), .field.doc = "taps of the convolution"},
    {{"mamba_expand", "expand"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     INT(expand, 1, 64), .field.doc = "channels of Mamba / hidden size"},
    {{"mamba_dt_rank", "time_step_rank"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     INT(model.mixer.rank, 1, P3D_MAX_HIDDEN),
     .field.doc = "rank of step sizes"},
    {{"mamba_chunk_size", "chunk_size"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     INT(model.mixer.chunk, 1, P3D_MAX_POSITIONS),
     .field.doc = "tokens that are computed at once"},
    {{"mamba_proj_bias", "use_bias"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     BOOL(model.mixer.proj_bias), .field.doc = "the projections have biases"},
    {{"mamba_conv_bias", "use_conv_bias"}, P3D_KEYS_MAMBA | P3D_KEYS_STATE,
     BOOL(model.mixer.taps_bias), .field.doc = "the convolution has a bias"},
    {{"linear_num_value_heads", "linear_num_heads"}, P3D_KEYS_LINEAR,
     INT(model.mixer.heads, 1, P3D_MAX_HIDDEN),
     .field.doc = "value heads of the linear attention"},
    {{"linear_num_key_heads"}, P3D_KEYS_LINEAR,
     INT(model.mixer.key_heads, 1, P3D_MAX_HIDDEN),
     .field.doc = "key heads of the linear attention"},
    {{"linear_key_head_dim"}, P3D_KEYS_LINEAR,
     INT(model.mixer.key_dim, 1, P3D_MAX_HIDDEN),
     .field.doc = "size of a key of the linear attention"},
    {{"linear_value_head_dim", "linear_head_dim"}, P3D_KEYS_LINEAR,
     INT(model.mixer.value_dim, 1, P3D_MAX_HIDDEN),
     .field.doc = "size of a value of the linear attention"},
    {{"linear_conv_kernel_dim"}, P3D_KEYS_LINEAR,
     INT(model.mixer.taps, 1, 1024), .field.doc = "taps of the convolution"},
    {{"conv_L_cache"}, P3D_KEYS_CONV, INT(model.mixer.taps, 1, 1024),
     .field.doc = "taps of the convolution"},
    {{"conv_bias"}, P3D_KEYS_CONV, BOOL(model.mixer.taps_bias),
     .field.doc = "the convolution and its projections have biases"},
    {{"block_auto_adjust_ff_dim"}, P3D_KEYS_CONV, BOOL(adjusts_ffn),
     .field.doc = "the MLP has two thirds of its width"},
    {{"block_ffn_dim_multiplier"}, P3D_KEYS_CONV,
     NUMBER(ffn_factor, 0, 64),
     .field.doc = "what its width is multiplied with"},
    {{"block_multiple_of"}, P3D_KEYS_CONV,
     INT(ffn_multiple, 1, P3D_MAX_FFN),
     .field.doc = "what its width is rounded to"},
    {{"full_attention_interval", "layer_group_size"}, P3D_KEYS_MIXED,
     INT(attention_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th layer has attention"},
    {{"attn_layer_period"}, P3D_KEYS_JAMBA,
     INT(attention_period, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th layer has attention"},
    {{"attn_layer_offset"}, P3D_KEYS_JAMBA,
     INT(attention_offset, 0, P3D_MAX_LAYERS),
     .field.doc = "the first layer that has attention"},
    {{"expert_layer_period"}, P3D_KEYS_JAMBA,
     INT(moe_stride, 1, P3D_MAX_LAYERS),
     .field.doc = "every n-th is a mixture"},
    {{"expert_layer_offset"}, P3D_KEYS_JAMBA,
     INT(moe_offset, 0, P3D_MAX_LAYERS),
     .field.doc = "the first that is a mixture"},
    {{"use_attention_gate", "gating"}, P3D_KEYS_GATE, BOOL(has_gate),
     .field.doc = "the attention's output has a gate"},
    {{"index_n_heads"}, P3D_KEYS_INDEX | P3D_KEYS_CHOSEN_BLOCKS,
     INT(model.index_heads, 1, P3D_MAX_HEADS),
     .field.doc = "heads of the indexer"},
    {{"index_head_dim"}, P3D_KEYS_INDEX | P3D_KEYS_CHOSEN_BLOCKS,
     INT(model.index_dim, 1, P3D_MAX_HEAD_DIM),
     .field.doc = "size of a head of the indexer"},
    {{"index_topk"}, P3D_KEYS_INDEX,
     INT(model.index_topk, 1, P3D_MAX_POSITIONS),
     .field.doc = "tokens that the indexer chooses"},

    {{"index_block_size"}, P3D_KEYS_CHOSEN_BLOCKS,
     INT(model.sparse.block, 1, P3D_MAX_POSITIONS),
     .field.doc = "tokens of a block"},
    {{"index_topk_blocks"}, P3D_KEYS_CHOSEN_BLOCKS,
     INT(model.sparse.local, 1, P3D_MAX_POSITIONS),
     .field.doc = "blocks that the indexer chooses"},
    {{"index_local_blocks"}, P3D_KEYS_CHOSEN_BLOCKS, ELSEWHERE,
     .field.doc = "of these, those before a token"},
    {{"sparse_attention_config", "moe_layer_freq"}, P3D_KEYS_CHOSEN_BLOCKS,
     ELSEWHERE, .field.doc = "layers with the indexer, and with experts"},
    {{"shared_intermediate_size"}, P3D_KEYS_CHOSEN_BLOCKS,
     INT(model.shared_ffn, 1, P3D_MAX_FFN),
     .field.doc = "width of the shared expert"},
    {{"use_gemma_norm", "use_qk_norm", "qk_norm_type", "use_routing_bias"},
     P3D_KEYS_CHOSEN_BLOCKS, ELSEWHERE, .field.doc = "as the class has them"},
    {{"n_shared_experts"}, P3D_KEYS_CHOSEN_BLOCKS, ELSEWHERE,
     .field.doc = "one, of the width of an expert"},
    {{"ff_intermediate_size"}, P3D_KEYS_SEEN_BLOCKS,
     INT(model.ffn, 1, P3D_MAX_FFN), .field.doc = "width of the MLP"},
    {{"rope_embedding_base"}, P3D_KEYS_SEEN_BLOCKS,
     NUMBER(model.rotary.base, 0, 1e12),
     .field.doc = "base of rotary positions"},
    {{"blocksparse_block_size"}, P3D_KEYS_SEEN_BLOCKS,
     INT(model.sparse.block, 1, P3D_MAX_POSITIONS),
     .field.doc = "tokens of a block"},
    {{"blocksparse_num_local_blocks"}, P3D_KEYS_SEEN_BLOCKS,
     INT(model.sparse.local, 1, P3D_MAX_POSITIONS),
     .field.doc = "blocks of the window, a token's own among them"},
    {{"blocksparse_vert_stride"}, P3D_KEYS_SEEN_BLOCKS,
     INT(model.sparse.stride, 1, P3D_MAX_POSITIONS),
     .field.doc = "of the blocks before it one in so many is seen"},
    {{"dense_attention_every_n_layers"}, P3D_KEYS_SEEN_BLOCKS,
     INT(window_period, 0, P3D_MAX_LAYERS), NULL_IS_NONE,
     .field.doc = "every n-th layer sees all tokens"},
    {{"blocksparse_homo_head_pattern", "blocksparse_triton_kernel_block_size"},
     P3D_KEYS_SEEN_BLOCKS, ELSEWHERE, .field.doc = "blocks of the stride"},
    {{"gegelu_limit", "gegelu_pad_to_256", "ff_dim_multiplier"},
     P3D_KEYS_SEEN_BLOCKS, ELSEWHERE, .field.doc = "details of the MLP"},
    {{"mup_use_scaling", "mup_width_multiplier", "mup_attn_multiplier",
      "mup_embedding_multiplier"}, P3D_KEYS_SEEN_BLOCKS, ELSEWHERE,
     .field.doc = "factors"},
    {{"pad_sequence_to_multiple_of_64", "rope_position_scale",
      "dummy_token_indices"}, P3D_KEYS_SEEN_BLOCKS, ELSEWHERE,
     .field.doc = "of no size"},
    {{"ffn_dropout_prob", "attention_dropout_prob", "embedding_dropout_prob"},
     P3D_KEYS_SEEN_BLOCKS, ELSEWHERE, .field.doc = "dropout"},

    /* Encoders, and what attends to one. */
    {{"embedding_size", "input_embedding_size"}, P3D_KEYS_NARROW,
     INT(model.embedding_width, 1, P3D_MAX_HIDDEN),
     .field.doc = "width of the embedding"},
    {{"output_embedding_size"}, P3D_KEYS_NARROW,
     INT(model.head_width, 1, P3D_MAX_HIDDEN),
     .field.doc = "width of the output matrix"},
    {{"decoder_layers"}, P3D_KEYS_CROSS,
     INT(model.n_layers, 1, P3D_MAX_LAYERS),
     .field.doc = "number of decoder layers"},
    {{"decoder_attention_heads"}, P3D_KEYS_CROSS,
     INT(model.n_heads, 1, P3D_MAX_HEADS),
     .field.doc = "number of query heads"},
    {{"decoder_ffn_dim"}, P3D_KEYS_CROSS, INT(model.ffn, 1, P3D_MAX_FFN),
     .field.doc = "width of the MLP"},
    {{"decoder_vocab_size"}, P3D_KEYS_CROSS, INT(model.vocab, 1, P3D_MAX_VOCAB),
     .field.doc = "number of tokens in the decoder's vocabulary"},
    {{"use_bias"}, P3D_KEYS_CROSS, BOOL(model.qkv_bias),
     .field.doc = "attention has biases"},
    {{"use_bias"}, P3D_KEYS_CROSS, BOOL(model.o_bias),
     .field.doc = "attention has biases"},
    {{"layernorm_embedding"}, P3D_KEYS_CROSS, BOOL(model.embedding_norm),
     .field.doc = "the embedding has a norm"},
    {{"cross_attention_hidden_size"}, P3D_KEYS_CROSS,
     INT(model.cross_width, 1, P3D_MAX_HIDDEN),
     .field.doc = "width of the encoder's output"},
    {{"max_source_positions"}, P3D_KEYS_CROSS,
     INT(model.cross_tokens, 1, P3D_MAX_POSITIONS),
     .field.doc = "tokens of the encoder's output"},
    {{"encoder_layers", "encoder_attention_heads", "encoder_ffn_dim",
      "encoder_layerdrop", "decoder_layerdrop", "is_encoder_decoder"},
     P3D_KEYS_CROSS, ELSEWHERE, .field.doc = "the encoder"},
    {{"attention_type", "num_random_blocks"}, P3D_KEYS_NARROW | P3D_KEYS_CROSS,
     ELSEWHERE, .field.doc = "blocks that attention sees"},
    {{"norm_bias", "classifier_bias", "local_attention"}, P3D_KEYS_HEAD_BIAS,
     ELSEWHERE, .field.doc = "biases of ModernBERT"},
    {{"linear_attn_config"}, P3D_KEYS_LINEAR, ELSEWHERE,
     .field.doc = "sizes of KDA, and which layers have attention"},
    {{"intermediate_multiple_size"}, P3D_KEYS_NARROW, ELSEWHERE,
     .field.doc = "MLP / hidden"},
    {{"use_learned_position_embeddings", "encoder_no_repeat_ngram_size",
      "num_mel_bins", "prompt_length", "prompt_mid_dim",
      "share_encoder_decoder_embeddings"}, P3D_KEYS_CROSS, ELSEWHERE,
     .field.doc = "read elsewhere, or the encoder's"},

    /* OPT. */
    {{"word_embed_proj_dim"}, P3D_KEYS_OPT,
     INT(model.embedding_width, 1, P3D_MAX_HIDDEN),
     .field.doc = "width of the embedding"},
    {{"do_layer_norm_before"}, P3D_KEYS_OPT, BOOL(model.final_norm),
     .field.doc = "norms stand before the blocks, and one at the end"},
    {{"_remove_final_layer_norm"}, P3D_KEYS_OPT, BOOL(remove_final_norm),
     .field.doc = "no norm at the end"},
    {{"layer_norm_elementwise_affine"}, P3D_KEYS_OPT, BOOL(norm_affine),
     .field.doc = "norms have parameters"},
    {{"enable_bias"}, P3D_KEYS_OPT, BOOL(model.qkv_bias),
     .field.doc = "biases"},
    {{"enable_bias"}, P3D_KEYS_OPT, BOOL(model.o_bias), .field.doc = "biases"},
    {{"enable_bias"}, P3D_KEYS_OPT, BOOL(model.mlp_bias),
     .field.doc = "biases"},

    /* Falcon. */
    {{"new_decoder_architecture"}, P3D_KEYS_FALCON, BOOL(new_architecture),
     .field.doc = "grouped key/value heads, two norms"},
    {{"multi_query"}, P3D_KEYS_FALCON, BOOL(multi_query),
     .field.doc = "one key/value head"},
    {{"parallel_attn"}, P3D_KEYS_FALCON, BOOL(parallel),
     .field.doc = "attention and MLP read the same input"},
    {{"num_ln_in_parallel_attn"}, P3D_KEYS_FALCON,
     INT(n_parallel_norms, 1, 2), .field.doc = "norms of the new architecture"},
    {{"bias"}, P3D_KEYS_FALCON, BOOL(model.qkv_bias), .field.doc = "biases"},
    {{"bias"}, P3D_KEYS_FALCON, BOOL(model.o_bias), .field.doc = "biases"},
    {{"bias"}, P3D_KEYS_FALCON, BOOL(model.mlp_bias), .field.doc = "biases"},

    /* Classes of published checkpoints' own. */
    {{"model_max_length"}, P3D_KEYS_LENGTH,
     INT(model.max_positions, 1, P3D_MAX_POSITIONS),
     .field.doc = "longest sequence"},
    {{"bias"}, P3D_KEYS_BIAS, BOOL(model.qkv_bias),
     .field.doc = "attention has biases"},
    {{"bias"}, P3D_KEYS_BIAS, BOOL(model.o_bias),
     .field.doc = "attention has biases"},
    {{"kv_channels"}, P3D_KEYS_CHATGLM | P3D_KEYS_QWEN,
     INT(model.head_dim, 1, P3D_MAX_HEAD_DIM), .field.doc = "size of a head"},
    {{"multi_query_group_num"}, P3D_KEYS_CHATGLM,
     INT(model.n_kv_heads, 1, P3D_MAX_HEADS),
     .field.doc = "number of key/value heads"},
    {{"add_qkv_bias"}, P3D_KEYS_CHATGLM, BOOL(model.qkv_bias),
     .field.doc = "q, k and v have biases"},
    {{"multi_query_attention", "add_bias_linear", "post_layer_norm", "rmsnorm",
      "inner_hidden_size"}, P3D_KEYS_CHATGLM, ELSEWHERE,
     .field.doc = "which ChatGLM"},
    {{"apply_query_key_layer_scaling", "fp32_residual_connection",
      "original_rope", "pre_seq_len", "prefix_projection", "quantization_bit",
      "rope_ratio"}, P3D_KEYS_CHATGLM, ELSEWHERE,
     .field.doc = "of ChatGLM, of no size"},
    {{"no_bias"}, P3D_KEYS_QWEN, ELSEWHERE, .field.doc = "no bias but of QKV"},
    {{"use_qkv_bias"}, P3D_KEYS_BAILING, BOOL(model.qkv_bias),
     .field.doc = "q, k and v have biases"},
    {{"use_bias", "max_window_layers"}, P3D_KEYS_BAILING, ELSEWHERE,
     .field.doc = "biases; windows, which the class has not"},
    {{"moe_router_enable_expert_bias"}, P3D_KEYS_BAILING,
     BOOL(model.router_correction), .field.doc = "a bias of each expert"},

    /* Read by functions. */
    {{"plan3d"}, P3D_KEYS_ALL, ELSEWHERE,
     .field.doc = "what plan3d knows of it"},
    {{"model_type"}, P3D_KEYS_ALL, ELSEWHERE, .field.doc = "the family"},
    {{"text_config"}, P3D_KEYS_ALL, ELSEWHERE, .field.doc = "the decoder"},
    {{"_name_or_path"}, P3D_KEYS_ALL, ELSEWHERE, .field.doc = "the name"},
    {{"rope_scaling"}, P3D_KEYS_ALL, ELSEWHERE,
     .field.doc = "how rotary positions are stretched"},
    {{"rope_parameters"}, P3D_KEYS_ALL, ELSEWHERE,
     .field.doc = "base of rotary positions, and how they are stretched"},
    {{"layer_types"}, P3D_KEYS_ALL, ELSEWHERE, .field.doc = "windows by layer"},
    {{"mlp_layer_types"}, P3D_KEYS_MOE, ELSEWHERE,
     .field.doc = "mixtures by layer"},
    {{"mlp_only_layers"}, P3D_KEYS_SPARSE_STEP, ELSEWHERE,
     .field.doc = "layers that are no mixture"},
    {{"attention_layers"}, P3D_KEYS_GPT_NEO, ELSEWHERE,
     .field.doc = "windows by layer"},
    {{"full_attn_idxs"}, P3D_KEYS_CONV, ELSEWHERE,
     .field.doc = "layers with attention"},
    {{"mamba_rms_norm", "mamba_d_ssm", "mamba_norm_before_gate"},
     P3D_KEYS_MAMBA, ELSEWHERE, .field.doc = "the mixer's norm"},
    {{"attn_layer_indices"}, P3D_KEYS_MAMBA, ELSEWHERE,
     .field.doc = "layers with attention"},
    {{"indexer_types"}, P3D_KEYS_INDEX, ELSEWHERE,
     .field.doc = "layers' indexers"},
    {{"layers_block_type"}, P3D_KEYS_BLOCKS, ELSEWHERE,
     .field.doc = "parts, one a layer"},
    {{"hybrid_override_pattern"}, P3D_KEYS_BLOCKS, ELSEWHERE,
     .field.doc = "parts, one a layer: M * - E"},
    {{"moe_latent_size"}, P3D_KEYS_BLOCKS,
     INT(model.expert_latent, 1, P3D_MAX_HIDDEN), NULL_IS_NONE,
     .field.doc = "width that experts read and write"},
    {{"n_shared_experts"}, P3D_KEYS_BLOCKS, ELSEWHERE,
     .field.doc = "of a width of its own, so that the number says nothing"},
    {{"mtp_layers_block_type"}, P3D_KEYS_BLOCKS, ELSEWHERE,
     .field.doc = "parts of multi-token prediction"},
    {{"mtp_hybrid_override_pattern"}, P3D_KEYS_BLOCKS, ELSEWHERE,
     .field.doc = "parts of multi-token prediction"},
    {{"attention_types"}, P3D_KEYS_GPT_NEO, ELSEWHERE,
     .field.doc = "windows by groups of layers"},
    {{"moe_layers"}, P3D_KEYS_LLAMA4, ELSEWHERE, .field.doc = "mixtures"},
    {{"no_rope_layers"}, P3D_KEYS_LLAMA4, ELSEWHERE,
     .field.doc = "1: windowed"},
    {{"num_sliding_attention_heads"}, P3D_KEYS_GATE, ELSEWHERE,
     .field.doc = "heads of windowed layers"},
    {{"num_attention_heads_per_layer"}, P3D_KEYS_GATE, ELSEWHERE,
     .field.doc = "heads by layer"},
    {{"attn_config", "ffn_config"}, P3D_KEYS_DBRX, ELSEWHERE,
     .field.doc = "attention and experts of DBRX"},
    {{"emb_pdrop", "resid_pdrop"}, P3D_KEYS_DBRX, ELSEWHERE,
     .field.doc = "dropout"},
    {{"attn_config"}, P3D_KEYS_MPT, ELSEWHERE, .field.doc = "attention of MPT"},
    {{"expansion_ratio"}, P3D_KEYS_MPT, ELSEWHERE, .field.doc = "MLP / hidden"},
    {{"no_bias"}, P3D_KEYS_MPT, ELSEWHERE, .field.doc = "no bias anywhere"},
    {{"learned_pos_emb"}, P3D_KEYS_MPT, ELSEWHERE,
     .field.doc = "a position table where there is no ALiBi"},
};

/* Keys of Hugging Face that change neither a size nor a kind of layer. Some
 * are read for one family and mean nothing in the class of another. */
static const char *const inert_keys[] = {
    "activation", "afn", "attention_multiplier", "attn_output_multiplier",
    "block_size", "embedding_multiplier_scale", "max_attn_value",
    "output_multiplier_scale",
    "activation_sparsity_pattern", "altup_active_idx", "altup_coef_clip",
    "altup_correct_scale",
    "chunk_size_feed_forward", "cls_token_id", "decoder_start_token_id",
    "dim_model_base", "dropout", "embedding_initializer_range",
    "embedding_multiplier", "enable_moe_fp32_combine", "eod_token_id",
    "expert_selection_fn", "full_attn_alpha_factor", "full_attn_beta_factor",
    "global_attn_every_n_layers", "id2label", "kda_lower_bound",
    "kda_safe_gate", "label2id", "lambda_std_dev", "layer_rope_theta",
    "linear_a_log_max", "linear_a_log_min", "linear_allow_neg_eigval",
    "linear_attn_alpha_factor", "linear_attn_beta_factor",
    "linear_dt_init_floor", "linear_dt_max", "linear_dt_min",
    "logits_scaling", "mamba_hidden_act", "mamba_ssm_cache_dtype",
    "mamba_ssm_dtype", "mla_use_nope",
    "use_grouped_topk", "_from_model_config", "attn_implementation",
    "mup_denominator", "router_dtype", "use_dynamic_ntk",
    "use_flash_attn", "use_logn_attn", "use_rmsnorm",
    "mixer_rms_eps", "mlp_alpha_factor", "mlp_beta_factor",
    "moe_shared_expert_overlap",
    "moe_norm_min",
    "num_image_tokens", "num_logits_to_keep", "output_multiplier",
    "post_norm_eps", "qk_head_dim", "qk_scale_factor",
    "rescale_prenorm_residual", "residual_dropout", "residual_in_fp32",
    "residual_multiplier", "return_dict", "rope_interleave",
    "scale_depth", "scale_emb", "scale_embedding",
    "sep_token_id", "shared_expert_combination_strategy", "swiglu_alpha",
    "time_step_floor", "time_step_init_scheme", "time_step_limit",
    "time_step_max", "time_step_min", "time_step_scale",
    "use_associative_scan", "use_bidirectional_attention",
    "use_mamba_kernels", "use_mambapy", "z_loss_coefficient",
    "alibi", "apply_residual_connection_post_layernorm",
    "architectures", "attention_dropout", "attention_probs_dropout_prob",
    "attention_softmax_in_fp32", "attn_logit_softcapping", "attn_pdrop",
    "attn_scale", "attn_temperature_tuning", "auto_map",
    "bias_dropout_fusion", "boi_token_index", "bos_token_id",
    "cache_implementation", "classifier_dropout", "clip_qkv",
    "dtype", "emb_pdrop", "embd_pdrop",
    "embedding_fraction", "end_token_id", "eoi_token_index", "eos_token_id",
    "ep_size", "final_logit_softcapping", "floor_scale", "for_llm_compressor",
    "gradient_checkpointing",
    "hidden_dropout", "hidden_dropout_prob", "image_token_index", "init_device",
    "init_std", "initial_context_length", "initializer_factor",
    "initializer_range", "layerdrop",
    "logit_scale", "masked_softmax_fusion",
    "mm_tokens_per_image", "model_max_length",
    "no_repeat_ngram_size", "norm_type",
    "num_hidden_groups", "offset_alibi",
    "original_max_position_embeddings", "output_attentions",
    "output_hidden_states", "output_router_logits", "pad_token_id",
    "pretraining_tp", "prefix", "quantization_config",
    "query_pre_attn_scalar", "reorder_and_upcast_attn", "resid_pdrop",
    "rope_local_base_freq", "rotary", "rotary_dim",
    "router_jitter_noise",
    "scale_attention_softmax_in_fp32", "scale_attn_by_inverse_layer_idx",
    "scale_attn_weights", "skip_bias_add",
    "skip_bias_add_qkv", "slow_but_exact", "summary_activation",
    "summary_first_dropout", "summary_proj_to_labels", "summary_type",
    "summary_use_proj", "swiglu_limit", "task_specific_params",
    "tokenizer_class", "torch_dtype",
    "transformers_version", "unk_token_id", "use_bfloat16", "use_cache",
    "use_parallel_residual", "verbose", "vision_config",
};
/* clang-format on */

bool spec_family_knows_key(const char *key, p3d_nearest *nearest)
{
    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        for (const char *const *name = keys[i].spellings; *name != NULL;
                name++) {
            if (strcmp(*name, key) == 0)
                return true;
            if (nearest != NULL)
                p3d_nearest_offer(nearest, *name);
        }
    }
    for (int i = 0; i < P3D_COUNT_OF(inert_keys); i++) {
        if (strcmp(inert_keys[i], key) == 0)
            return true;
        if (nearest != NULL)
            p3d_nearest_offer(nearest, inert_keys[i]);
    }
    return false;
}

bool spec_family_reads_key(const spec_family *family, const char *key)
{
    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        const bool reads = (keys[i].keys & family->keys) != 0 ||
                           keys[i].keys == P3D_KEYS_ALL;

        for (const char *const *name = keys[i].spellings;
                reads && *name != NULL; name++) {
            if (strcmp(*name, key) == 0)
                return true;
        }
    }
    for (int i = 0; i < P3D_COUNT_OF(inert_keys); i++) {
        if (strcmp(inert_keys[i], key) == 0)
            return true;
    }
    return false;
}

bool spec_fail_at(
        const spec_reader *reader, const char *key, const char *fmt, ...)
{
    char pointer[160];
    char text[sizeof(reader->err->text)];
    va_list args;

    snprintf(pointer, sizeof(pointer), "%s%s%s", reader->pointer,
            key[0] != '\0' ? "/" : "", key);
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return json_fail(reader->doc, pointer, reader->err, "%s", text);
}

/* True when the object has the key, with null or a value. */
static bool has_key(const json_value *object, const char *key)
{
    for (const json_value *member = json_first(object); member != NULL;
            member = json_next(member)) {
        if (strcmp(json_key(member), key) == 0)
            return true;
    }
    return false;
}

/* The first spelling that the object has with a value, or NULL. */
static const char *present_spelling(
        const spec_reader *reader, const spec_family_key *key)
{
    for (const char *const *name = key->spellings; *name != NULL; name++) {
        if (json_get(reader->object, *name) != NULL)
            return *name;
    }
    return NULL;
}

const char *spec_key_in_use(const spec_reader *reader, size_t offset)
{
    const char *first = "";

    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        const char *name;

        if (keys[i].field.type == JSON_ANY || keys[i].field.offset != offset)
            continue;
        name = present_spelling(reader, &keys[i]);
        if (name != NULL)
            return name;
        if (first[0] == '\0')
            first = keys[i].spellings[0];
    }
    return first;
}

/* A key that is absent, or null, leaves the default of the class. */
static bool accept_absence(const spec_reader *reader,
        const spec_family_key *key, spec_draft *draft)
{
    const char *const name = key->spellings[0];

    if (key->null_is_none && has_key(reader->object, name))
        memset((char *)draft + key->field.offset, 0, sizeof(int));
    if ((key->field.flags & JSON_REQUIRED) == 0 || reader->has_sizes ||
            (reader->no_heads &&
                    key->field.offset == offsetof(spec_draft, model.n_heads)) ||
            (reader->lists_parts &&
                    key->field.offset == offsetof(spec_draft, model.n_layers)))
        return true;
    return spec_fail_at(reader, "",
            "the %s is missing; write \"%s\": and a number", key->field.doc,
            name);
}

/* A number of each layer, where all are the same. */
static bool read_alike(const spec_reader *reader, const json_value *list,
        const json_field *field, spec_draft *draft)
{
    double first = 0;

    if (!json_number(json_first(list), &first))
        first = 0;
    for (const json_value *item = json_first(list); item != NULL;
            item = json_next(item)) {
        double n = 0;

        if (!json_number(item, &n) || n != first)
            return spec_fail_at(reader, field->key,
                    "'%s' differs by layer, which is not planned; write one "
                    "number",
                    field->key);
    }
    if (first != (int)first || first < field->min || first > field->max)
        return spec_fail_at(reader, field->key,
                "'%s' is not the same number from %.0f to %.0f for each layer; "
                "write one number",
                field->key, field->min, field->max);
    *(int *)(void *)((char *)draft + field->offset) = (int)first;
    return true;
}

bool spec_read_family_key(const spec_reader *reader, const spec_family_key *key,
        spec_draft *draft)
{
    const char *const name = present_spelling(reader, key);
    const json_value *value;
    json_field field = key->field;

    if (name == NULL)
        return accept_absence(reader, key, draft);
    field.key = name;
    value = json_get(reader->object, name);
    if (key->by_layer && json_is_array(value))
        return read_alike(reader, value, &field, draft);
    return json_read_known_fields(
            (json_place){reader->doc, reader->object, reader->pointer},
            &(json_shape){.n_fields = 1, .fields = &field}, draft, reader->err);
}

bool spec_read_family_keys(
        const spec_reader *reader, const spec_family *family, spec_draft *draft)
{
    for (int i = 0; i < P3D_COUNT_OF(keys); i++) {
        const bool reads = keys[i].keys == P3D_KEYS_ALL ||
                           (keys[i].keys & family->keys) != 0;

        if (keys[i].field.type != JSON_ANY && reads &&
                !spec_read_family_key(reader, &keys[i], draft))
            return false;
    }
    return true;
}
