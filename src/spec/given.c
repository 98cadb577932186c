/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.c - what the numbers of a problem, a plan and pins may be, and whether
 * callers of the library gave what a function needs.
 *
 * Those of a job are the ranges of the command line's options, those of a model
 * the ranges of its file. Those of hardware are wider than the ranges of its
 * files: a problem whose constants were scaled is one, too. */
#include "spec/given.h"

#include <stdint.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/search.h"
#include "spec/layer.h"
#include "spec/sizes.h"
#include "spec/tiers.h"
#include "spec/tower.h"
#include "json/field.h"

/* Enumerations are one or the other. */
#define TYPE(T, member)            \
    _Generic(((T *)0)->member, int \
             : JSON_INT, unsigned  \
             : JSON_INT, int64_t   \
             : JSON_INT64, double  \
             : JSON_DOUBLE)
#define ROW(T, member, least, most, flag, words)                          \
    {                                                                     \
#        member, TYPE(T, member), flag, offsetof(T, member), least, most, \
                words                                                     \
    }
#define MEMBERS(rows)                                    \
    {                                                    \
        .n_fields = P3D_COUNT_OF(rows), .fields = (rows) \
    }

/* clang-format off */
#define JOB(member, least, most) ROW(p3d_job, member, least, most, 0, NULL)
#define MAYBE(member, least, most) \
    ROW(p3d_job, member, least, most, JSON_ZERO_IS_NULL, NULL)
#define JOB_WORD(member, n) JOB(member, 0, (n) - 1)
static const json_field job_rows[] = {
    JOB(seq_len, 1, P3D_MAX_SEQ_LEN),
    JOB(global_batch, 1, P3D_MAX_BATCH),
    MAYBE(n_tokens, 1, P3D_MAX_TOKENS),
    JOB_WORD(dtype, P3D_N_DTYPES),
    JOB_WORD(fp8_recipe, P3D_N_FP8_RECIPES),
    JOB_WORD(optimizer, P3D_N_OPTIMIZERS),
    JOB(compression.shares, 0, P3D_MAX_RANK),
    JOB(compression.rank, 0, P3D_MAX_RANK),
    JOB_WORD(sparse.layout, P3D_N_SPARSE_LAYOUTS),
    JOB(sparse.block, 0, P3D_MAX_POSITIONS),
    JOB(sparse.local, 0, P3D_MAX_POSITIONS),
    JOB(sparse.stride, 0, P3D_MAX_POSITIONS),
    JOB(sparse.global, 0, P3D_MAX_POSITIONS),
    JOB(sparse.random, 0, P3D_MAX_POSITIONS),
    JOB(adapters.rank, 0, P3D_MAX_RANK),
    JOB(adapters.targets, 0, P3D_ALL_TARGETS),
    JOB(adapters.trained, 0, P3D_ALL_PARTS),
    JOB_WORD(adapters.base, P3D_N_BASES),
    JOB(adapters.dropout, 0, 1),
    JOB(frozen, 0, P3D_ALL_PARTS),
    JOB_WORD(companion.reference, P3D_N_REFERENCES),
    JOB_WORD(lengths.filling, P3D_N_FILLINGS),
    MAYBE(lengths.mean, 1, P3D_MAX_SEQ_LEN),
    MAYBE(lengths.mean_square, 1, (double)P3D_MAX_SEQ_LEN * P3D_MAX_SEQ_LEN),
    JOB_WORD(attention, P3D_N_ATTENTIONS),
    JOB_WORD(cp_comm, P3D_N_CP_COMMS),
    JOB_WORD(dispatcher, P3D_N_DISPATCHERS),
    JOB_WORD(graphs, P3D_N_GRAPHS),
    JOB_WORD(allocator, P3D_N_ALLOCATORS),
    JOB_WORD(loss, P3D_N_LOSSES),
    JOB_WORD(gradient_dtype, P3D_N_STATE_DTYPES),
    JOB_WORD(master_dtype, P3D_N_STATE_DTYPES),
    JOB_WORD(moment_dtype, P3D_N_STATE_DTYPES),
    JOB_WORD(reduce_dtype, P3D_N_STATE_DTYPES),
    JOB_WORD(dp_overlap, P3D_N_OVERLAPS),
    JOB_WORD(tower_recompute, P3D_N_OVERLAPS),
    MAYBE(unit_params, 1, P3D_UNIT_WHOLE),
    JOB(n_images, 0, P3D_MAX_SEQ_LEN),
    JOB(image_tokens, 0, P3D_MAX_SEQ_LEN),
    MAYBE(expert_load, 1, P3D_MAX_EXPERT_LOAD),
    JOB(added_host_frac, 0, 1),
    JOB(n_mtp_layers, 0, P3D_MAX_MTP_LAYERS),
    JOB(deferred_logits, 0, P3D_MAX_BATCH),
    JOB(gc_interval, 0, P3D_MAX_GC_INTERVAL),
    JOB(cublas_bytes, 0, 1e13),
    JOB(max_idle_nodes, 0, P3D_MAX_GPUS),
    JOB(reserve_bytes, 0, P3D_MAX_RESERVE_BYTES),
    JOB(sure_reserve_bytes, 0, P3D_MAX_RESERVE_BYTES),
    MAYBE(sure_frac, 0.01, 0.999),
    MAYBE(usd_per_gpu_h, P3D_MIN_USD, P3D_MAX_USD_PER_GPU_H),
    MAYBE(operations.gpu_mtbf_s, P3D_MIN_GPU_MTBF_S, P3D_MAX_GPU_MTBF_S),
    MAYBE(operations.restart_s, P3D_MIN_RESTART_S, P3D_MAX_RESTART_S),
    MAYBE(operations.storage_bytes_per_s, P3D_MIN_STORAGE_BYTES_PER_S,
        P3D_MAX_STORAGE_BYTES_PER_S),
    MAYBE(operations.repair_s, P3D_MIN_REPAIR_S, P3D_MAX_REPAIR_S),
    JOB(operations.n_spare_nodes, 0, P3D_MAX_SPARE_NODES),
    MAYBE(operations.preempted_every_s, P3D_MIN_PREEMPTED_EVERY_S,
        P3D_MAX_PREEMPTED_EVERY_S),
    MAYBE(operations.away_s, P3D_MIN_AWAY_S, P3D_MAX_AWAY_S),
    MAYBE(operations.notice_s, P3D_MIN_NOTICE_S, P3D_MAX_NOTICE_S),
    MAYBE(operations.pue, P3D_MIN_PUE, P3D_MAX_PUE),
    MAYBE(operations.usd_per_kwh, P3D_MIN_USD, P3D_MAX_USD_PER_KWH),
    MAYBE(operations.usd_per_gpu, P3D_MIN_USD, P3D_MAX_USD_PER_GPU),
    MAYBE(operations.amortize_s, P3D_MIN_AMORTIZE_S, P3D_MAX_AMORTIZE_S),
    MAYBE(anchor.step_factor, 0.1, 10),
    JOB(anchor.peak_log, -P3D_MOST_OWN_LOG, P3D_MOST_OWN_LOG),
    JOB(anchor.n_steps, 0, P3D_MAX_OWN_RUNS),
    JOB(anchor.n_peaks, 0, P3D_MAX_OWN_RUNS),
};

#define MODEL(member, least, most, words) \
    ROW(p3d_model, member, least, most, 0, words)
static const json_field model_rows[] = {
    MODEL(hidden, 1, P3D_MAX_HIDDEN, "hidden size"),
    MODEL(n_layers, 1, P3D_MAX_LAYERS, "layers"),
    MODEL(n_heads, 1, P3D_MAX_HEADS, "heads"),
    MODEL(n_kv_heads, 1, P3D_MAX_HEADS, "key/value heads"),
    MODEL(head_dim, 1, P3D_MAX_HEAD_DIM, "size of a head"),
    MODEL(full_head_dim, 0, P3D_MAX_HEAD_DIM, "size of a head of some layers"),
    MODEL(full_kv_heads, 0, P3D_MAX_HEADS, "key/value heads of some layers"),
    MODEL(ffn, 0, P3D_MAX_FFN, "width of the MLP"),
    MODEL(sharing_ffn, 0, P3D_MAX_FFN, "width of the MLP of some layers"),
    MODEL(rotary.base, 0, 1e12, "base of rotary positions"),
    MODEL(rotary.share, 0, 1, "share of channels with positions"),
    MODEL(rotary.kind, 0, P3D_N_ROTARY_KINDS - 1, "kind of rotary positions"),
    MODEL(rotary.factor, 0, 1e12, "factor of rotary positions"),
    MODEL(rotary.first_positions, 0, P3D_MAX_POSITIONS, "first positions"),
    MODEL(rotary.beta_fast, 0, 1e12, "fast end of YaRN"),
    MODEL(rotary.beta_slow, 0, 1e12, "slow end of YaRN"),
    MODEL(rotary.mscale, 0, 1e12, "scale of YaRN"),
    MODEL(rotary.mscale_all_dim, 0, 1e12, "scale of all channels of YaRN"),
    MODEL(router.score, 0, P3D_N_ROUTER_SCORES - 1, "scores of a router"),
    MODEL(router.scale, 0, 1e12, "factor of a router's scores"),
    MODEL(router.balance, 0, P3D_N_ROUTER_BALANCES - 1, "balance of experts"),
    MODEL(router.loss_weight, 0, 1e12, "weight of the balancing loss"),
    MODEL(activation, 0, P3D_N_ACTIVATIONS - 1, "activation of the MLP"),
    MODEL(norm_epsilon, 0, 1, "epsilon of norms"),
    MODEL(vocab, 1, P3D_MAX_VOCAB, "vocabulary"),
    MODEL(max_positions, 0, P3D_MAX_POSITIONS, "positions"),
    MODEL(learned_positions, 0, P3D_MAX_POSITIONS, "table of positions"),
    MODEL(embedding_width, 0, P3D_MAX_HIDDEN, "width of the embedding"),
    MODEL(head_width, 0, P3D_MAX_HIDDEN, "width of the head"),
    MODEL(n_outputs, 0, P3D_MAX_VOCAB, "outputs of the head"),
    MODEL(cross_width, 0, P3D_MAX_HIDDEN, "width of an encoder's output"),
    MODEL(cross_tokens, 0, P3D_MAX_POSITIONS, "tokens of an encoder"),
    MODEL(extra_embeddings, 0, P3D_MAX_VOCAB, "rows beside the embedding"),
    MODEL(layer_embedding, 0, P3D_MAX_HIDDEN, "width of a layer's embedding"),
    MODEL(layer_vocab, 0, P3D_MAX_VOCAB, "rows of the layers' embeddings"),
    MODEL(side_streams, 0, P3D_MAX_STREAMS, "further residual streams"),
    MODEL(bypass_rank, 0, P3D_MAX_HIDDEN, "rank beside the attention"),
    MODEL(norm_weights, 0, 2, "parameters of a norm"),
    MODEL(n_norms, 0, 8, "norms of a layer"),
    MODEL(layer_scales, 0, 16 * P3D_MAX_HIDDEN, "scales of a layer"),
    MODEL(qk_norm, 0, P3D_QK_NORM_EACH, "norm of queries and keys"),
    MODEL(n_experts, 0, P3D_MAX_EXPERTS, "experts"),
    MODEL(top_k, 0, P3D_MAX_EXPERTS, "experts of a token"),
    MODEL(expert_groups, 0, P3D_MAX_EXPERTS, "groups of experts"),
    MODEL(routed_groups, 0, P3D_MAX_EXPERTS, "groups of a token"),
    MODEL(expert_ffn, 0, P3D_MAX_EXPERT_FFN, "width of an expert"),
    MODEL(expert_latent, 0, P3D_MAX_HIDDEN, "width that experts read"),
    MODEL(shared_ffn, 0, P3D_MAX_FFN, "width of the shared experts"),
    MODEL(q_lora_rank, 0, P3D_MAX_HIDDEN, "rank of the queries"),
    MODEL(kv_lora_rank, 0, P3D_MAX_HIDDEN, "rank of keys and values"),
    MODEL(qk_nope_dim, 0, P3D_MAX_HEAD_DIM, "size of a head of queries"),
    MODEL(qk_rope_dim, 0, P3D_MAX_HEAD_DIM, "rotary size of a head"),
    MODEL(v_head_dim, 0, P3D_MAX_HEAD_DIM, "size of a head of values"),
    MODEL(attention_gate, 0, P3D_GATE_CHANNEL, "gate of the attention"),
    MODEL(index_heads, 0, P3D_MAX_HEADS, "heads of the indexer"),
    MODEL(index_dim, 0, P3D_MAX_HEAD_DIM, "size of a head of the indexer"),
    MODEL(index_topk, 0, P3D_MAX_POSITIONS, "tokens that an indexer chooses"),
    MODEL(mixer.kind, 0, P3D_N_MIXER_KINDS - 1, "kind of mixer"),
    MODEL(mixer.heads, 0, P3D_MAX_HIDDEN, "heads of the mixer"),
    MODEL(mixer.key_heads, 0, P3D_MAX_HIDDEN, "key heads of the mixer"),
    MODEL(mixer.key_dim, 0, P3D_MAX_HIDDEN, "size of the mixer's keys"),
    MODEL(mixer.value_dim, 0, P3D_MAX_HIDDEN, "size of the mixer's values"),
    MODEL(mixer.taps, 0, 1024, "taps of the mixer's convolution"),
    MODEL(mixer.rank, 0, P3D_MAX_HIDDEN, "rank of the mixer's gates"),
    MODEL(mixer.chunk, 0, P3D_MAX_POSITIONS, "chunk of the mixer"),
    MODEL(window, 0, P3D_MAX_POSITIONS, "window"),
    MODEL(sparse.layout, 0, P3D_N_SPARSE_LAYOUTS - 1, "layout of blocks"),
    MODEL(sparse.block, 0, P3D_MAX_POSITIONS, "tokens of a block"),
    MODEL(sparse.local, 0, P3D_MAX_POSITIONS, "blocks of a window"),
    MODEL(sparse.stride, 0, P3D_MAX_POSITIONS, "stride of the blocks"),
    MODEL(sparse.global, 0, P3D_MAX_POSITIONS, "blocks that all see"),
    MODEL(sparse.random, 0, P3D_MAX_POSITIONS, "random blocks"),
    MODEL(n_mtp_layers, 0, P3D_MAX_MTP_LAYERS, "multi-token prediction blocks"),
    MODEL(tower.hidden, 0, SPEC_MAX_TOWER, "width of the tower"),
    MODEL(tower.n_layers, 0, P3D_MAX_LAYERS, "layers of the tower"),
    MODEL(tower.n_heads, 0, P3D_MAX_HEADS, "heads of the tower"),
    MODEL(tower.ffn, 0, P3D_MAX_FFN, "width of the tower's MLP"),
    MODEL(tower.norm_weights, 0, 2, "parameters of the tower's norms"),
    MODEL(tower.layer_scales, 0, 2 * SPEC_MAX_TOWER, "scales of the tower"),
    MODEL(tower.n_windowed, 0, P3D_MAX_LAYERS, "windowed layers of the tower"),
    MODEL(tower.window_patches, 0, SPEC_MAX_PATCHES, "patches of a window"),
    MODEL(tower.row_end, 0, P3D_MAX_HIDDEN, "end of a tower's rows"),
    MODEL(tower.n_stem, 0, P3D_MAX_STEM, "matrices that make patches"),
    MODEL(tower.class_tokens, 0, 64, "class tokens of the tower"),
    MODEL(tower.learned_positions, 0, 2 * SPEC_MAX_PATCHES,
        "positions of the tower"),
    MODEL(tower.n_outer_norms, 0, 4, "norms around the tower's layers"),
    MODEL(tower.patches_per_token, 0, SPEC_MAX_PATCHES, "patches of a token"),
    MODEL(tower.tile_patches, 0, SPEC_MAX_PATCHES, "patches of an image"),
    MODEL(tower.image_tokens, 0, SPEC_MAX_PATCHES, "tokens of an image"),
    MODEL(tower.n_deepstack, 0, P3D_MAX_LAYERS, "projectors of inner layers"),
    MODEL(pretraining.seq_len, 0, P3D_MAX_SEQ_LEN, "tokens of a sequence"),
    MODEL(pretraining.global_batch, 0, P3D_MAX_BATCH, "sequences of a step"),
};

#define GPU(member, least, most) ROW(p3d_gpu, member, least, most, 0, NULL)
#define IF_ANY(member, least, most) \
    ROW(p3d_gpu, member, least, most, JSON_ZERO_IS_NULL, NULL)
static const json_field gpu_rows[] = {
    GPU(memory_bytes, 1, 1e18),
    GPU(visible_memory_bytes, 0, 1e18),
    GPU(hbm_bytes_per_s, 1, 1e20),
    IF_ANY(fp32_flop_per_s, 1, 1e20),
    IF_ANY(tf32_flop_per_s, 1, 1e20),
    IF_ANY(fp16_flop_per_s, 1, 1e20),
    IF_ANY(bf16_flop_per_s, 1, 1e20),
    IF_ANY(fp8_flop_per_s, 1, 1e20),
    IF_ANY(fp4_flop_per_s, 1, 1e20),
    GPU(n_sms, 1, 10000),
    IF_ANY(l2_bytes, 1, 1e18),
    IF_ANY(boost_hz, 1, 1e20),
    IF_ANY(nvlink_bytes_per_s_one_way, 1, 1e20),
    GPU(pcie_bytes_per_s_one_way, 1, 1e20),
    GPU(power_w, 0, 1e6),
};

#define CLUSTER(member, least, most) \
    ROW(p3d_cluster, member, least, most, 0, NULL)
#define PERHAPS(member, least, most) \
    ROW(p3d_cluster, member, least, most, JSON_ZERO_IS_NULL, NULL)
#define TIER(i)                                              \
    PERHAPS(tiers.at[i].nodes_below, 1, P3D_MAX_GPUS),       \
    PERHAPS(tiers.at[i].oversubscription, 1e-3, 1e9),        \
    PERHAPS(tiers.at[i].uplink_bytes_per_s, 1, 1e20),        \
    CLUSTER(tiers.at[i].routing, 0, P3D_N_LINK_CHOICES - 1), \
    CLUSTER(tiers.at[i].flows_per_nic, 0, 4096)
static const json_field cluster_rows[] = {
    CLUSTER(n_gpus, 1, P3D_MAX_GPUS),
    CLUSTER(n_nodes, 1, P3D_MAX_GPUS),
    PERHAPS(terms.usd_per_gpu_h, P3D_MIN_USD, P3D_MAX_USD_PER_GPU_H),
    PERHAPS(terms.gpu_mtbf_s, P3D_MIN_GPU_MTBF_S, P3D_MAX_GPU_MTBF_S),
    PERHAPS(terms.preempted_every_s, P3D_MIN_PREEMPTED_EVERY_S,
        P3D_MAX_PREEMPTED_EVERY_S),
    PERHAPS(terms.away_s, P3D_MIN_AWAY_S, P3D_MAX_AWAY_S),
    PERHAPS(terms.notice_s, P3D_MIN_NOTICE_S, P3D_MAX_NOTICE_S),
    CLUSTER(node.gpus_per_node, 1, P3D_MAX_GPUS),
    CLUSTER(node.gpus_per_nvlink_domain, 1, P3D_MAX_GPUS),
    PERHAPS(node.torus_axes, 2, P3D_MAX_TORUS_AXES),
    PERHAPS(node.torus_wraps_at, 1, P3D_MAX_GPUS),
    PERHAPS(torus.n_axes, 2, P3D_MAX_TORUS_AXES),
    CLUSTER(torus.size[0], 0, P3D_MAX_GPUS),
    CLUSTER(torus.size[1], 0, P3D_MAX_GPUS),
    CLUSTER(torus.size[2], 0, P3D_MAX_GPUS),
    CLUSTER(node.nics_per_node, 1, 1024),
    CLUSTER(node.host_memory_bytes, 0, 1e18),
    CLUSTER(node.host_memory_bytes_per_s, 1, 1e20),
    PERHAPS(node.host_time_factor, 1e-6, 1e6),
    PERHAPS(node.nvme_bytes, 1, 1e18),
    PERHAPS(node.nvme_bytes_per_s, 1, 1e20),
    CLUSTER(node.power_w, 0, 1e9),
    CLUSTER(fabric.nic_bytes_per_s_one_way, 1, 1e20),
    CLUSTER(fabric.latency_s, 0, 1e6),
    CLUSTER(fabric.all_reduce_frac, 1e-6, 1),
    CLUSTER(fabric.all_gather_frac, 1e-6, 1),
    CLUSTER(fabric.p2p_frac, 1e-6, 1),
    CLUSTER(tiers.n, 0, P3D_MAX_TIERS),
    CLUSTER(tiers.placement, 0, P3D_N_PLACEMENTS - 1),
    CLUSTER(tiers.n_nodes, 0, P3D_MAX_GPUS),
    CLUSTER(tiers.n_stretches, 0, P3D_MAX_STRETCHES),
    TIER(0),
    TIER(1),
    TIER(2),
    TIER(3),
    CLUSTER(calibration.runs.n, 0, P3D_MAX_OWN_RUNS),
};

/* Of a plan, what no rule looks at, and what rules refuse in words; what is on
 * or off has no wrong value. */
#define PLAN(member, least, most) \
    ROW(p3d_plan, member, least, most, 0, NULL),
#define SIZE_COUNT(m, least, most) PLAN(m, least, most)
#define SIZE_PART(m, least, most) PLAN(m, least, most)
#define SIZE_FLAG(m, least, most)
#define SIZE_SWITCH(m, least, most)
#define SIZE_NAMED(m, least, most)
#define SIZE_MODULES(m, least, most)
#define SIZE_SHARE(m, least, most)
#define REST_COUNT(m, least, most)
#define REST_PART(m, least, most)
#define REST_FLAG(m, least, most)
#define REST_SWITCH(m, least, most)
#define REST_NAMED(m, least, most) PLAN(m, least, most)
#define REST_MODULES(m, least, most) PLAN(m, least, most)
#define REST_SHARE(m, least, most) PLAN(m, least, most)
static const json_field plan_sizes[] = {
#define AS_SIZE(type, pin, member, word, kind, least, most, free, doc) \
    SIZE_##kind(member, least, most)
    P3D_PLAN_FIELDS(AS_SIZE)
};
static const json_field plan_rows[] = {
#define AS_ROW(type, pin, member, word, kind, least, most, free, doc) \
    REST_##kind(member, least, most)
    P3D_PLAN_FIELDS(AS_ROW)
};

static const json_field pins_rows[] = {
#define AS_PIN(type, pin, member, word, kind, least, most, free, doc)      \
    ROW(p3d_pins, member, (free) < (least) ? (free) : (least), most, 0, \
            NULL),
    P3D_PLAN_FIELDS(AS_PIN)
};
/* clang-format on */

const json_shape spec_job_members = MEMBERS(job_rows);
const json_shape spec_model_members = MEMBERS(model_rows);
const json_shape spec_cluster_members = MEMBERS(cluster_rows);
const json_shape spec_gpu_members = MEMBERS(gpu_rows);
const json_shape spec_plan_members = MEMBERS(plan_rows);
const json_shape spec_plan_sizes = MEMBERS(plan_sizes);
const json_shape spec_pins_members = MEMBERS(pins_rows);

/* An enumeration is as wide as an int, whichever of the two it is. */
_Static_assert(sizeof(p3d_dtype) == sizeof(int), "an enumeration is no int");

double spec_member_value(const json_field *member, const void *of)
{
    const char *const at = (const char *)of + member->offset;
    int whole;
    int64_t wide;
    double number;

    if (member->type == JSON_INT) {
        memcpy(&whole, at, sizeof(whole));
        return whole;
    }
    if (member->type == JSON_INT64) {
        memcpy(&wide, at, sizeof(wide));
        return (double)wide;
    }
    memcpy(&number, at, sizeof(number));
    return number;
}

bool spec_members_hold(const json_shape *members, const void *of)
{
    for (int i = 0; i < members->n_fields; i++) {
        const json_field *const member = &members->fields[i];
        const double value = spec_member_value(member, of);

        if (!(member->min <= value && value <= member->max) &&
                !(member->flags == JSON_ZERO_IS_NULL && value == 0))
            return false;
    }
    return true;
}

bool spec_kv_heads_divide(const p3d_model *model)
{
    const int fewest = spec_fewest_kv_heads(model);

    return model->n_kv_heads >= 1 && model->n_heads % model->n_kv_heads == 0 &&
           fewest >= 1 && model->n_heads % fewest == 0;
}

static bool mixer_agrees(const p3d_mixer *mixer)
{
    return mixer->kind != P3D_MIXER_NONE && mixer->heads >= 1 &&
           mixer->value_dim >= 1 && mixer->key_heads >= 1 &&
           mixer->key_dim >= 1 && mixer->heads % mixer->key_heads == 0;
}

/* A layer has what its model has, and something. */
static bool kind_agrees(const p3d_model *model, unsigned kind)
{
    const spec_layer has = spec_layer_of((int)kind);
    const bool mixes = has.attention || has.mixer;

    return kind < P3D_N_LAYER_KINDS && (!has.experts || model->top_k >= 1) &&
           !(has.experts && (kind & P3D_LAYER_NO_MLP) != 0) &&
           (mixes || (kind & P3D_LAYER_NO_MLP) == 0) &&
           (!spec_layer_mixes(model, (int)kind) ||
                   mixer_agrees(&model->mixer)) &&
           (!has.shares_kv || (has.attention && !p3d_model_is_mla(model))) &&
           (!has.windowed || model->window >= 1 ||
                   p3d_sparse_pairs(&model->sparse, 1) > 0);
}

/* What no range of one number says: heads that keys and values divide, experts
 * that there are, and the layers that have them. */
static bool model_agrees(const p3d_model *model)
{
    bool known = true;

    for (int i = 0; i < model->n_layers; i++)
        known = known && kind_agrees(model, model->layer_kind[i]);
    return known && spec_kv_heads_divide(model) &&
           model->top_k <= model->n_experts && spec_tower_given(&model->tower);
}

bool spec_model_given(const p3d_model *model)
{
    return model != NULL && spec_members_hold(&spec_model_members, model) &&
           model_agrees(model);
}

bool spec_layers_given(const p3d_model *model)
{
    return model != NULL && model->n_layers >= 1 &&
           model->n_layers <= P3D_MAX_LAYERS;
}

bool spec_gpu_given(const p3d_gpu *gpu)
{
    return gpu != NULL && spec_members_hold(&spec_gpu_members, gpu);
}

/* Tiers in use have nodes, and a rate up. */
static bool tiers_given(const p3d_tiers *tiers)
{
    for (int i = 0; i < tiers->n; i++)
        if (tiers->at[i].nodes_below < 1 ||
                (tiers->at[i].oversubscription <= 0 &&
                        tiers->at[i].uplink_bytes_per_s <= 0))
            return false;
    return true;
}

/* A list of hosts has all nodes, in stretches below switches. */
static bool hosts_given(const p3d_cluster *cluster)
{
    const p3d_tiers *const tiers = &cluster->tiers;

    for (int i = 0; i < tiers->n_stretches; i++) {
        const p3d_stretch *const s = &tiers->stretches[i];

        if (s->n_nodes < 1 || s->n_nodes > P3D_MAX_GPUS)
            return false;
        for (int k = 0; k < P3D_MAX_TIERS; k++)
            if (s->switch_of[k] >= P3D_MAX_STRETCHES)
                return false;
    }
    return tiers->placement != P3D_PLACEMENT_HOSTS ||
           spec_tiers_hosts(tiers) >= cluster->n_nodes;
}

bool spec_cluster_given(const p3d_cluster *cluster)
{
    return cluster != NULL &&
           spec_members_hold(&spec_cluster_members, cluster) &&
           tiers_given(&cluster->tiers) && spec_gpu_given(&cluster->gpu) &&
           cluster->n_nodes <= cluster->n_gpus && hosts_given(cluster);
}

bool spec_job_given(const p3d_job *job)
{
    return job != NULL && job->framework != NULL &&
           spec_members_hold(&spec_job_members, job) &&
           (job->companion.teacher.n_layers == 0 ||
                   spec_model_given(&job->companion.teacher));
}

bool spec_problem_given(const p3d_problem *problem)
{
    return problem != NULL && spec_model_given(&problem->model) &&
           spec_cluster_given(&problem->cluster) &&
           spec_job_given(&problem->job);
}

bool spec_plan_words_given(const p3d_plan *plan)
{
    return plan != NULL && spec_members_hold(&spec_plan_members, plan);
}

bool spec_plan_given(const p3d_plan *plan)
{
    return spec_plan_words_given(plan) &&
           spec_members_hold(&spec_plan_sizes, plan);
}

bool spec_pins_given(const p3d_pins *pins)
{
    return pins != NULL && spec_members_hold(&spec_pins_members, pins);
}

bool spec_estimate_given(const p3d_estimate *estimate)
{
    return estimate != NULL && spec_plan_given(&estimate->plan);
}

bool spec_shard_given(const p3d_shard *shard)
{
    return shard->tp >= 1 && shard->cp >= 1 && shard->ep >= 1 &&
           shard->etp >= 1 && shard->micro_batch >= 1;
}

bool spec_shard_fits(
        const p3d_model *model, const p3d_job *job, const p3d_shard *shard)
{
    const int heads = spec_head_ranks(job, shard->cp, shard->ulysses);

    return spec_shard_given(shard) && shard->ulysses >= 0 &&
           shard->cp % heads == 0 &&
           (int64_t)shard->tp * heads <= model->n_heads &&
           shard->cp <= job->seq_len;
}
