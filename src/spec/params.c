/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - how many parameters a model has, and how many a rank holds. */
#include "spec/params.h"

#include "base/util.h"
#include "spec/given.h"

/* Width of the embedding: OPT-350m's is narrower than the model. */
static int64_t embedding_width(const p3d_model *model)
{
    return model->embedding_width > 0 ? model->embedding_width : model->hidden;
}

/* The matrix between a narrower embedding and the model, if there is one. */
static int64_t embedding_projection(const p3d_model *model)
{
    const int64_t width = embedding_width(model);

    if (model->narrow_tables)
        return (width + 1) * model->hidden;
    return width == model->hidden ? 0 : width * model->hidden;
}

int64_t spec_head_width(const p3d_model *model)
{
    return model->head_width > 0 ? model->head_width : model->hidden;
}

/* The matrices that make the other residual streams out of the first, or bring
 * them back. Source: transformers@v5.23 modeling_gemma3n.py. */
static int64_t stream_params(const p3d_model *model)
{
    return (int64_t)model->side_streams * model->hidden * model->hidden;
}

/* Those of the table of embeddings for each layer, and of what is added. */
static int64_t layer_embeddings(const p3d_model *model, p3d_shard shard)
{
    const int64_t width = (int64_t)model->n_layers * model->layer_embedding;

    return (p3d_ceil_div(model->layer_vocab, shard.tp) + model->hidden) *
                   width +
           (int64_t)model->layer_embedding * model->norm_weights;
}

/**
 * Parameters of the embedding on one rank.
 *
 *     P = V / t e + (X + Y) h + [e != h] e h + [embedding norm] h n
 *         or, with tables as narrow, (V / t + X + Y + n) e + (e + 1) h
 *       + V_u / t L u + h L u + [u > 0] u n        embeddings for each layer:
 *                                                  look-up, projection, norm
 *       + S h^2                                    further residual streams
 *
 * V  padded vocabulary   e  embedding width, mostly h   X  learned_positions
 * h  hidden   Y  extra_embeddings   n  norm_weights   t  shard.tp
 * u  layer_embedding   V_u  layer_vocab   L  n_layers   S  side_streams
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/models/common/embeddings/
 *         language_model_embedding.py (positions are not divided);
 *         transformers modeling_opt.py (project_in), modeling_bloom.py,
 *         modeling_gemma4.py (embed_tokens_per_layer).
 * Tested: tests/unit/test_params.c, tests/unit/test_mixer.c
 */
static int64_t embedding_params(
        const p3d_model *model, int64_t vocab, p3d_shard shard)
{
    const int64_t h =
            model->narrow_tables ? embedding_width(model) : model->hidden;
    int64_t P = p3d_ceil_div(vocab, shard.tp) * embedding_width(model);

    P += (model->learned_positions + (int64_t)model->extra_embeddings) * h +
         embedding_projection(model);
    if (model->embedding_norm)
        P += h * model->norm_weights;
    return P + layer_embeddings(model, shard) + stream_params(model);
}

/**
 * Parameters of the head on one rank.
 *
 *     P = [final norm] h n + [e != h] h e
 *       + [not tied] V / t e + [head bias] V / t
 *       + [transform] w (h + [bias] 1 + n)       not tied, V / t w
 *       + [pooler] h (h + 1)  + S h^2
 *
 * w  head_width   other symbols as for the embedding.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/models/gpt/gpt_model.py;
 *         transformers modeling_opt.py (project_out), modeling_gptj.py (bias),
 *         modeling_bert.py (BertPredictionHeadTransform, BertPooler),
 *         modeling_electra.py, modeling_rembert.py.
 * Tested: tests/unit/test_params.c
 */
static int64_t head_params(
        const p3d_model *model, int64_t vocab, p3d_shard shard, unsigned parts)
{
    const int64_t V = p3d_ceil_div(vocab, shard.tp);
    int64_t P = 0;

    if (model->final_norm && (parts & P3D_PART_NORMS) != 0)
        P += (int64_t)model->hidden * model->norm_weights;
    if ((parts & P3D_PART_HEAD) == 0)
        return P;
    if (!model->narrow_tables)
        P += embedding_projection(model) + stream_params(model);
    if (model->head_transform)
        P += spec_head_width(model) * (model->hidden + model->norm_weights +
                                              (model->head_plain ? 0 : 1));
    if (model->has_pooler)
        P += (int64_t)model->hidden * (model->hidden + 1);
    if (!model->tied_embeddings || model->n_outputs > 0)
        P += V * (model->head_width > 0 ? model->head_width
                                        : embedding_width(model));
    if (model->head_bias)
        P += V;
    return P;
}

/**
 * Vocabulary after padding.
 *
 *     V = ceil(V_0 / (m t)) m t
 *
 * V_0  model.vocab   m  framework.vocab_multiple, 0 = not padded   t  tp >= 1
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/tokenizers/utils/
 *         build_tokenizer.py:133 (make_vocab_size_divisible_by * TP).
 * Tested: tests/unit/test_params.c
 */
int64_t p3d_padded_vocab(
        const p3d_model *model, const p3d_framework *framework, int tp)
{
    if (model == NULL || model->vocab < 0 || tp < 1)
        return 0;
    if (framework == NULL || framework->vocab_multiple <= 0)
        return model->vocab;
    return p3d_round_up(model->vocab, (int64_t)framework->vocab_multiple * tp);
}

int64_t spec_head_rows(
        const p3d_model *model, const p3d_framework *framework, int tp)
{
    return model->n_outputs > 0 ? p3d_mul(model->n_outputs, tp)
                                : p3d_padded_vocab(model, framework, tp);
}

/** Parameters of some parts of a block. */
static p3d_params part_params(const p3d_model *model,
        const p3d_framework *framework, p3d_shard shard, int block,
        unsigned parts)
{
    const int64_t vocab = p3d_padded_vocab(model, framework, shard.tp);

    if (block >= P3D_N_BLOCKS)
        return (p3d_params){.dense = spec_tower_params(model, block, parts)};
    if (block == P3D_BLOCK_EMBEDDING)
        return (p3d_params){
                .dense = (parts & P3D_PART_EMBEDDINGS) != 0
                                 ? embedding_params(model, vocab, shard)
                                 : 0};
    if (block == P3D_BLOCK_HEAD)
        return (p3d_params){.dense = head_params(model,
                                    spec_head_rows(model, framework, shard.tp),
                                    shard, parts)};
    return spec_layer_params(model, shard, block, parts);
}

p3d_params p3d_block_params(const p3d_model *model,
        const p3d_framework *framework, p3d_shard shard, int block)
{
    if (!spec_model_given(model) || !spec_shard_given(&shard) || block < 0 ||
            block >= P3D_N_ALL_BLOCKS)
        return (p3d_params){.dense = 0};
    return part_params(model, framework, shard, block, P3D_ALL_PARTS);
}

p3d_params spec_trained_params(
        const p3d_model *model, const p3d_job *job, p3d_shard shard, int block)
{
    const unsigned frozen = p3d_job_frozen(job, model);

    return part_params(
            model, job->framework, shard, block, P3D_ALL_PARTS & ~frozen);
}

/* Layers of the model that are a block: all of one kind, or one end. */
static int count_block(const p3d_model *model, int block)
{
    if (block >= P3D_N_BLOCKS)
        return p3d_tower_blocks(model, block);
    return block < P3D_N_LAYER_KINDS ? p3d_model_count_layers(model, block) : 1;
}

/**
 * Unique parameters of the whole model.
 *
 *     P = P_embedding + sum over layers P_layer + P_head + P_tower
 *
 * Tied matrices count once, multi-token prediction blocks do not count: so do
 * the published numbers.
 *
 * Source: the published counts in tests/unit/test_params.c.
 * Tested: tests/unit/test_params.c
 */
int64_t p3d_total_params(const p3d_model *model)
{
    if (!spec_model_given(model))
        return 0;

    int64_t P = 0;

    for (int block = 0; block < P3D_N_ALL_BLOCKS; block++) {
        const int n = count_block(model, block);

        if (n > 0) {
            const p3d_params one =
                    p3d_block_params(model, NULL, p3d_shard_whole(), block);

            P += n * (one.dense + one.experts);
        }
    }
    return P;
}

/**
 * Parameters that one token passes through: all but those of the experts that
 * it does not visit. The embedding counts whole, and once.
 *
 *     P_active = P - L_moe (E - K) P_expert
 *
 * L_moe  layers with experts   E  n_experts   K  top_k
 *
 * Source: arXiv:2401.04088 section 2.1 (active parameters of Mixtral).
 * Tested: tests/unit/test_params.c
 */
int64_t p3d_active_params(const p3d_model *model)
{
    if (!spec_model_given(model))
        return 0;

    const int64_t idle = model->n_experts - model->top_k;
    const int64_t moe_layers = p3d_model_count_with(model, P3D_LAYER_MOE);

    if (moe_layers == 0)
        return p3d_total_params(model);
    return p3d_total_params(model) -
           moe_layers * idle *
                   (spec_layer_params(model, p3d_shard_whole(), P3D_LAYER_MOE,
                            P3D_PART_EXPERTS)
                                   .experts /
                           model->n_experts);
}
