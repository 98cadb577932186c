/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megatron_said.c - plans and models in the terms of Megatron's options, and
 * back. The options themselves: megatron.c.
 *
 * Source: Megatron-LM@d98e8a64 megatron/core/transformer/
 * transformer_config.py, megatron/core/model_parallel_config.py
 * (hierarchical_context_parallel_sizes: the inner groups first),
 * megatron/training/arguments.py (--cp-comm-type). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/megatron.h"
#include "spec/plan_split.h"

const char *const exchange_megatron_granularities[P3D_N_RECOMPUTES] = {
        [P3D_RECOMPUTE_SELECTIVE] = "selective", [P3D_RECOMPUTE_FULL] = "full"};

const char *const exchange_megatron_methods[EXCHANGE_N_METHODS] = {
        [EXCHANGE_METHOD_UNIFORM] = "uniform",
        [EXCHANGE_METHOD_BLOCK] = "block"};

const char *const exchange_megatron_strategies[] = {
        "no_shard", "optim", "optim_grads", "optim_grads_params"};

const char *const exchange_megatron_dispatchers[] = {
        [P3D_DISPATCH_ALL_TO_ALL] = "alltoall",
        [P3D_DISPATCH_ALL_GATHER] = "allgather",
        [EXCHANGE_FLEX] = "flex"};

const char *const exchange_megatron_backends[P3D_N_DISPATCHERS] = {
        [P3D_DISPATCH_DEEPEP] = "deepep", [P3D_DISPATCH_HYBRIDEP] = "hybridep"};

const char *const exchange_megatron_exchanges[EXCHANGE_N_EXCHANGES] = {
        [P3D_CP_RING] = "p2p",
        [P3D_CP_ALL_TO_ALL] = "a2a",
        [EXCHANGE_BOTH] = "a2a+p2p"};

/* Modules that are recomputed when none are named. */
#define USUAL_MODULES P3D_MODULE_CORE_ATTENTION

void exchange_megatron_defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->plan.micro_batch = 0; /* it must be said */
    launch->job.dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    launch->model = (p3d_model){.norm_weights = 2,
            .n_norms = 2,
            .final_norm = true,
            .top_k = 2,
            .n_kv_heads = 1,
            .kv_lora_rank = 32,
            .qk_nope_dim = 128,
            .qk_rope_dim = 64,
            .v_head_dim = 128};
    launch->said.rotary_kind = 1; /* of latent attention */
    launch->said.instances = 1;
    launch->said.sharding = 3;
    launch->said.offload_frac = 1;
    launch->said.bias = true;
    launch->said.attention_dropout = 0.1;
    launch->said.hidden_dropout = 0.1;
    launch->said.dispatcher = P3D_DISPATCH_ALL_GATHER;
    launch->said.flex_backend = P3D_DISPATCH_DEEPEP;
}

void exchange_megatron_environment(
        const exchange_launch *launch, p3d_text *lines)
{
    const bool wants_one = launch->plan.tp > 1 || launch->plan.cp > 1;

    if (launch->said.fsdp)
        p3d_text_add(lines, "unset CUDA_DEVICE_MAX_CONNECTIONS\n");
    else if (wants_one && launch->sm > 0 && launch->sm < 100)
        p3d_text_add(lines, "export CUDA_DEVICE_MAX_CONNECTIONS=1\n");
    /* megatron/training/arguments.py:1961-1968. */
    if (launch->job.graphs == P3D_GRAPHS_LAYERS &&
            launch->job.allocator == P3D_ALLOCATOR_EXPANDABLE)
        p3d_text_add(lines, "export NCCL_GRAPH_REGISTER=0\n");
}

static void say_recompute(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    said->granularity = (int)p->recompute;
    if (p->recompute == P3D_RECOMPUTE_SELECTIVE && p->recompute_modules != 0)
        exchange_modules_print(p->recompute_modules, " ", "", said->modules);
    if (p->recompute != P3D_RECOMPUTE_FULL)
        return;
    said->method = p->recompute_layers > 0 ? EXCHANGE_METHOD_BLOCK
                                           : EXCHANGE_METHOD_UNIFORM;
    said->method_layers = p->recompute_layers > 0  ? p->recompute_layers
                          : p->recompute_group > 1 ? p->recompute_group
                                                   : 1;
}

static void say_positions(exchange_launch *launch)
{
    const p3d_model *const m = &launch->model;
    const p3d_rotary *const r = &m->rotary;
    exchange_said *const said = &launch->said;

    said->position = m->learned_positions == 0;
    if (said->position == 0)
        return;
    said->rotary_base = (int64_t)r->base;
    said->stretches_rotary = r->kind == P3D_ROTARY_LLAMA3;
    said->stretch = said->stretches_rotary ? r->factor : 0;
    said->rotary_kind = 1;
    if (r->kind == P3D_ROTARY_LINEAR)
        said->rotary_divisor = (int)lround(r->factor);
    if (r->kind == P3D_ROTARY_YARN && !said->latent)
        said->position = 2;
}

static const char *const balances[P3D_N_ROUTER_BALANCES] = {
        [P3D_BALANCE_BATCH] = "aux_loss",
        [P3D_BALANCE_SEQUENCE] = "seq_aux_loss",
        [P3D_BALANCE_GLOBAL] = "global_aux_loss",
        [P3D_BALANCE_SINKHORN] = "sinkhorn",
        [P3D_BALANCE_QUANTILE] = "quantile_balancing",
        [P3D_BALANCE_NONE] = "none"};

/* One expert's softmax must come before it is chosen, or it is 1:
 * megatron/core/transformer/transformer_config.py:2661-2670. */
static void say_router(exchange_launch *launch)
{
    p3d_model *const m = &launch->model;
    p3d_router *const router = &m->router;

    if (m->n_experts == 0)
        return;
    if (m->top_k == 1)
        router->keeps_scores = true;
    if (router->loss_weight <= 0 && router->balance < P3D_BALANCE_SINKHORN)
        return;
    (void)p3d_copy(
            launch->said.balance, EXCHANGE_LAYOUT, balances[router->balance]);
    if (router->loss_weight > 0)
        snprintf(launch->said.balance_weights, EXCHANGE_LAYOUT, "%.10g",
                router->loss_weight);
}

static void say_model(exchange_launch *launch)
{
    p3d_model *const m = &launch->model;
    exchange_said *const said = &launch->said;

    said->latent = p3d_model_is_mla(m);
    said->grouped_query = !said->latent && m->n_kv_heads != m->n_heads;
    said->bias = m->mlp_bias;
    said->qkv_bias = m->qkv_bias && !m->mlp_bias;
    said->untied = !m->tied_embeddings;
    say_positions(launch);
    if (m->ffn == 0)
        m->ffn = m->expert_ffn;
    if (m->max_positions < launch->job.seq_len)
        m->max_positions = launch->job.seq_len;
    say_router(launch);
    exchange_layer_pattern_print(m, said->moe_layers);
}

static bool mixes_exchanges(const exchange_launch *launch)
{
    return launch->said.cp_exchange == EXCHANGE_BOTH;
}

void exchange_megatron_say_context(exchange_launch *launch, bool as_list)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;
    const int heads = p3d_plan_head_ranks(&launch->job, p);

    said->cp_exchange = heads == p->cp ? (int)P3D_CP_ALL_TO_ALL
                        : heads > 1    ? (int)EXCHANGE_BOTH
                                       : (int)P3D_CP_RING;
    if (p->cp == 1)
        said->cp_exchange = (int)launch->job.cp_comm;
    if (mixes_exchanges(launch))
        snprintf(said->cp_sizes, sizeof(said->cp_sizes),
                as_list ? "[%d, %d]" : "%d %d", heads, p->cp / heads);
}

void exchange_megatron_say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;
    const p3d_dispatcher d = launch->job.dispatcher;

    said->distributed_optimizer = p->zero >= 1;
    said->fsdp = p->zero >= 2;
    said->overlaps_dp = exchange_says_overlap(launch);
    said->gathers_beside = said->overlaps_dp && said->distributed_optimizer;
    said->sharding = p->zero;
    said->instances = p->shard > 0 ? p->dp * p->cp / p->shard : 1;
    said->offload = p->offload != P3D_OFFLOAD_NONE;
    said->offload_frac = p->offload_frac > 0 ? p->offload_frac : 1;
    said->offload_layers =
            (int)lround(p->activation_offload_frac * launch->model.n_layers);
    said->dispatcher = d >= P3D_DISPATCH_DEEPEP ? EXCHANGE_FLEX : (int)d;
    said->flex_backend = (int)d;
    said->attention_dropout = launch->job.dropout ? 0.1 : 0;
    said->hidden_dropout = said->attention_dropout;
    said->fusion = launch->job.loss == P3D_LOSS_NATIVE_FUSED ||
                   launch->job.loss == P3D_LOSS_TE_FUSED;
    said->fusion_kind = launch->job.loss == P3D_LOSS_TE_FUSED;
    said->grads_16 = launch->job.gradient_dtype == P3D_STATE_IN_16;
    said->fp8_weights = said->fp8 > 0 && p->zero > 0 && !launch->job.fp8_copies;
    said->fp4_weights = said->fp4 > 0 && p->zero > 0 && !launch->job.fp8_copies;
    said->fp8_recipe = said->fp8 > 0 ? (int)launch->job.fp8_recipe : 0;
    said->method_layers = 0;
    say_recompute(launch);
    exchange_megatron_say_context(launch, false);
    say_model(launch);
    if (p->vp > 1 || (p->first_layers == 0 && p->last_layers == 0))
        exchange_layout_print(launch, said->layout);
}

/* What Megatron's options describe: RMSNorm or LayerNorm before attention and
 * MLP, rotary or learned positions. */
static bool can_say_model(const p3d_model *m, p3d_refusal *refusal)
{
    const struct {
        bool has;
        const char *words;
    } odd[] = {
            {m->n_norms != 2 || !m->final_norm, "its norms"},
            {m->parallel_block, "attention and MLP side by side"},
            {m->embedding_norm, "a norm of the embedding"},
            {m->attention_sinks, "attention sinks"},
            {m->qk_norm == P3D_QK_NORM_FULL || m->qk_norm == P3D_QK_NORM_EACH,
                    "norms over all heads"},
            {m->layer_scales > 0, "scales within its layers"},
            {m->mixer.kind != P3D_MIXER_NONE, "layers without attention"},
            {m->index_heads > 0, "an indexer of its attention"},
            {m->attention_gate != P3D_GATE_NONE, "a gate of the attention"},
            {m->activation == P3D_ACTIVATION_RELU ||
                            m->activation == P3D_ACTIVATION_OTHER,
                    "the activation of its MLP"},
            {m->own_code, "what only its own class computes"},
            {m->embedding_width != 0 && m->embedding_width != m->hidden,
                    "a narrow embedding"},
            {m->window > 0 && (p3d_model_count_layers(m, P3D_LAYER_WINDOWED) +
                                      p3d_model_count_layers(
                                              m, P3D_LAYER_WINDOWED |
                                                         P3D_LAYER_MOE)) > 0,
                    "windowed attention"},
            {m->o_bias != m->mlp_bias || (m->mlp_bias && !m->qkv_bias),
                    "biases of some projections"},
            {m->n_experts > 0 && m->router_correction &&
                            m->router.score == P3D_SCORE_SOFTMAX,
                    "a bias beside softmax scores of its experts"},
            {m->top_k > 1 && m->router.keeps_scores &&
                            m->router.score != P3D_SCORE_SOFTMAX,
                    "scores of its experts that do not add up to 1"},
            {m->head_bias || m->expert_bias || m->router_bias,
                    "biases of the head or of experts"},
            {p3d_same_word(m->family, "bloom") ||
                            p3d_same_word(m->family, "mpt"),
                    "ALiBi"},
    };

    for (int i = 0; i < P3D_COUNT_OF(odd); i++) {
        if (odd[i].has)
            return exchange_target_refuse(refusal, "X1",
                    "the options do not describe %s: %s", m->name,
                    odd[i].words);
    }
    return true;
}

/* Whole layers, less than all: Megatron-LM@d98e8a64 megatron/core/transformer/
 * transformer_config.py:1884-1899. What sends the inputs of modules is not
 * said: the plan does not name them. */
static bool can_say_activations(
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_plan *const p = &launch->plan;
    const double n = p->activation_offload_frac * launch->model.n_layers;

    if (n <= 0 ||
            (p->pp == 1 && p->recompute == P3D_RECOMPUTE_NONE &&
                    launch->said.offload_layers < launch->model.n_layers &&
                    fabs(n - launch->said.offload_layers) < 1e-6 * n))
        return true;
    return exchange_target_refuse(refusal, "X3",
            "offload=activations:%g is not said by a number of layers; it "
            "takes pp=1, no recomputation, and a share of less than all %d "
            "layers",
            p->activation_offload_frac, launch->model.n_layers);
}

/* Transformer Engine's fused loss is read, and not written: megatron/training/
 * arguments.py:1697-1702 refuses it, and :883 the positions. */
bool exchange_megatron_can_say(
        const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_loss loss = launch->job.loss;

    if (!can_say_model(&launch->model, refusal) ||
            !can_say_activations(launch, refusal))
        return false;
    if (loss != P3D_LOSS_USUAL && loss != P3D_LOSS_VOCAB_PARALLEL &&
            loss != P3D_LOSS_NATIVE_FUSED)
        return exchange_target_refuse(refusal, "X2",
                "--loss %s: write vocab-parallel or native-fused",
                p3d_loss_name(loss));
    if (launch->job.n_mtp_layers > 0 && launch->model.learned_positions > 0)
        return exchange_target_refuse(refusal, "X2",
                "--mtp %d: multi-token prediction goes with rotary positions "
                "alone; leave it out",
                launch->job.n_mtp_layers);
    if (launch->job.optimizer == P3D_ADAM_8BIT ||
            launch->job.optimizer == P3D_ADAFACTOR)
        return exchange_target_refuse(refusal, "X2",
                "--optimizer %s: write adam, sgd, lion or muon",
                p3d_optimizer_of(launch->job.optimizer)->name);
    return true;
}

/* The way back. */

static bool settle_zero(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    const int64_t replicas = (int64_t)p->dp * p->cp;

    p->zero = said->fsdp ? said->sharding : said->distributed_optimizer;
    if (said->instances == 1)
        return true;
    if (p->zero == 0 || replicas % said->instances != 0)
        return p3d_fail(err, P3D_DATA,
                "num-distributed-optimizer-instances: %d does not divide %lld "
                "replicas that share states",
                said->instances, (long long)replicas);
    p->shard = (int)(replicas / said->instances);
    return true;
}

static bool settle_recompute(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;

    p->recompute = (p3d_recompute)said->granularity;
    if (said->recompute)
        p->recompute = P3D_RECOMPUTE_SELECTIVE;
    if (p->recompute == P3D_RECOMPUTE_SELECTIVE && said->modules[0] != '\0') {
        if (!exchange_modules_parse(said->modules, &p->recompute_modules, err))
            return false;
        if (p->recompute_modules == USUAL_MODULES)
            p->recompute_modules = 0;
    }
    if (p->recompute != P3D_RECOMPUTE_FULL)
        return true;
    if (said->method == EXCHANGE_METHOD_NONE || said->method_layers < 1)
        return p3d_fail(err, P3D_DATA,
                "recompute-granularity full needs recompute-method (uniform or "
                "block) and recompute-num-layers");
    if (said->method == EXCHANGE_METHOD_BLOCK)
        p->recompute_layers = said->method_layers;
    else if (said->method_layers > 1)
        p->recompute_group = said->method_layers;
    return true;
}

/* More layers than a chunk has are all of them: Megatron-LM@d98e8a64
 * megatron/core/transformer/transformer_block.py (_checkpointed_forward). */
static void settle_recomputed(exchange_launch *launch)
{
    p3d_plan *const p = &launch->plan;
    const int most = spec_most_layers(&launch->model, &launch->job, p);

    if (most > 0 && p->recompute_layers > most)
        p->recompute_layers = 0;
}

static bool settle_chunks(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    const int per_rank = launch->model.n_layers / p->pp;

    if (said->layout[0] != '\0')
        return exchange_layout_parse(said->layout, launch, err);
    if (said->stage_layers == 0)
        return exchange_split_settle(launch, err);
    if (p->vp > 1 || per_rank % said->stage_layers != 0)
        return p3d_fail(err, P3D_DATA,
                "num-layers-per-virtual-pipeline-stage: %d does not divide the "
                "%d layers of a rank, or the stages are given twice",
                said->stage_layers, per_rank);
    p->vp = per_rank / said->stage_layers;
    return exchange_split_settle(launch, err);
}

static bool settle_types(exchange_launch *launch, p3d_error *err)
{
    const exchange_said *const said = &launch->said;
    p3d_job *const job = &launch->job;

    if (!exchange_settle_dtype(launch, err))
        return false;
    job->gradient_dtype = said->grads_16 ? P3D_STATE_IN_16 : P3D_STATE_USUAL;
    job->fp8_copies = ((said->fp8 > 0 && !said->fp8_weights) ||
                              (said->fp4 > 0 && !said->fp4_weights)) &&
                      (said->distributed_optimizer || said->fsdp);
    job->fp8_recipe =
            said->fp8 > 0 ? (p3d_fp8_recipe)said->fp8_recipe : P3D_FP8_USUAL;
    job->dropout = said->attention_dropout > 0 || said->hidden_dropout > 0;
    if (said->fusion)
        job->loss =
                said->fusion_kind ? P3D_LOSS_TE_FUSED : P3D_LOSS_NATIVE_FUSED;
    job->dispatcher = (p3d_dispatcher)(said->dispatcher == EXCHANGE_FLEX
                                               ? said->flex_backend
                                               : said->dispatcher);
    if (said->deepep)
        job->dispatcher = P3D_DISPATCH_DEEPEP;
    if (launch->model.n_experts == 0)
        job->dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    return true;
}

static bool settle_context(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    int heads = 0, rings = 0;

    if (!mixes_exchanges(launch)) {
        launch->job.cp_comm = (p3d_cp_comm)said->cp_exchange;
        return true;
    }
    if (sscanf(said->cp_sizes, "%*[[( ]%5d%*[, ]%5d", &heads, &rings) != 2 &&
            sscanf(said->cp_sizes, "%5d%*[, ]%5d", &heads, &rings) != 2)
        heads = rings = 0;
    if (heads < 1 || rings < 1 || p3d_mul(heads, rings) != p->cp)
        return p3d_fail(err, P3D_DATA,
                "hierarchical-context-parallel-sizes: '%.40s' is not two sizes "
                "whose product is the %d ranks of context parallelism",
                said->cp_sizes, p->cp);
    p->ulysses = heads;
    return true;
}

bool exchange_megatron_settle_plan(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;

    if (!exchange_meshes_settle(launch, err) ||
            !exchange_settle_replicas(launch, err))
        return false;
    if (p->etp == 0 || p->ep == 1)
        p->etp = p->tp;
    p->sequence_parallel = p->sequence_parallel && p->tp > 1;
    if (said->offload) {
        p->offload = P3D_OFFLOAD_OPTIMIZER;
        p->offload_frac = said->offload_frac < 1 ? said->offload_frac : 0;
    }
    if (said->offload_layers > 0 &&
            said->offload_layers >= launch->model.n_layers)
        return p3d_fail(err, P3D_DATA,
                "cpu-offloading-num-layers: write less than all %d layers",
                launch->model.n_layers);
    if (said->offload_layers > 0)
        p->activation_offload_frac =
                (double)said->offload_layers / launch->model.n_layers;
    if (launch->job.global_batch == 0)
        launch->job.global_batch = p3d_mul(p->micro_batch, p->dp);
    if (!settle_context(launch, err) || !settle_types(launch, err) ||
            !settle_zero(launch, err) || !settle_recompute(launch, err) ||
            !settle_chunks(launch, err))
        return false;
    settle_recomputed(launch);
    if (!said->fsdp) /* it overlaps always */
        exchange_settle_overlap(launch, said->overlaps_dp);
    return true;
}

static bool needs(bool said, const char *option, p3d_error *err)
{
    return said || p3d_fail(err, P3D_DATA,
                           "--%s is not said, and Megatron-LM has no default "
                           "for it; add it (--set %s=N), or write --model",
                           option, option);
}

/* 4 h, or two thirds of it in a multiple of 64 with three matrices.
 * Megatron-LM@d98e8a64 megatron/training/arguments.py (ffn_hidden_size). */
static int usual_width(const p3d_model *m)
{
    return m->gated_mlp ? (int)(4.0 * m->hidden * 2 / 3 / 64) * 64
                        : 4 * m->hidden;
}

static void settle_positions(exchange_launch *launch)
{
    p3d_model *const m = &launch->model;
    p3d_rotary *const r = &m->rotary;
    const exchange_said *const said = &launch->said;
    const double factor = r->factor;

    m->learned_positions = said->position > 0 ? 0 : m->max_positions;
    r->base = (double)said->rotary_base;
    if (r->share >= 1)
        r->share = 0;
    if (said->position == 2 ||
            (said->latent && said->rotary_kind == 1 && factor > 1)) {
        r->kind = P3D_ROTARY_YARN;
    } else if (said->stretches_rotary) {
        r->kind = P3D_ROTARY_LLAMA3;
        r->factor = said->stretch > 0 ? said->stretch
                    : factor > 0      ? factor
                                      : 8; /* its default */
    } else if (said->rotary_divisor > 1) {
        r->kind = P3D_ROTARY_LINEAR;
        r->factor = said->rotary_divisor;
    } else {
        r->factor = 0;
    }
}

/* The first of several words and of their weights. */
static void settle_router(exchange_launch *launch)
{
    p3d_router *const router = &launch->model.router;
    const exchange_said *const said = &launch->said;
    const size_t at = strcspn(said->balance, "agnqs");
    const char *const number = said->balance_weights +
                               strcspn(said->balance_weights, "0123456789.");

    for (int i = 0; i < P3D_N_ROUTER_BALANCES; i++) {
        if (strncmp(said->balance + at, balances[i], strlen(balances[i])) == 0)
            router->balance = (p3d_router_balance)i;
    }
    router->loss_weight = number[0] != '\0' ? strtod(number, NULL) : 0;
}

static bool settle_attention(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const exchange_said *const said = &launch->said;

    if (said->latent) {
        m->qk_norm = P3D_QK_NORM_NONE; /* those of the latents are usual */
        m->n_kv_heads = m->n_heads;
        m->head_dim = m->qk_nope_dim + m->qk_rope_dim;
        return true;
    }
    m->kv_lora_rank = m->q_lora_rank = 0;
    m->qk_nope_dim = m->qk_rope_dim = m->v_head_dim = 0;
    if (!said->grouped_query)
        m->n_kv_heads = m->n_heads;
    if (m->head_dim == 0 && m->hidden % m->n_heads != 0)
        return p3d_fail(err, P3D_DATA,
                "num-attention-heads: %d do not divide hidden-size %d; say "
                "kv-channels",
                m->n_heads, m->hidden);
    if (m->head_dim == 0)
        m->head_dim = m->hidden / m->n_heads;
    return true;
}

static bool settle_experts(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const char *const layers = launch->said.moe_layers;

    if (m->n_experts == 0) {
        m->top_k = m->expert_ffn = m->shared_ffn = 0;
        m->router = (p3d_router){0};
        return true;
    }
    settle_router(launch);
    if (m->top_k > m->n_experts)
        return p3d_fail(err, P3D_DATA,
                "moe-router-topk: %d is more than the %d experts", m->top_k,
                m->n_experts);
    if (m->expert_ffn == 0)
        m->expert_ffn = m->ffn;
    for (int i = 0; i < m->n_layers; i++)
        m->layer_kind[i] = P3D_LAYER_MOE;
    return layers[0] == '\0' || exchange_layer_pattern_parse(layers, m, err);
}

bool exchange_megatron_settle_model(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const exchange_said *const said = &launch->said;

    if (m->n_layers == 0 && m->hidden == 0 && m->n_heads == 0)
        return p3d_fail(err, P3D_DATA,
                "the files do not describe the model; write --model");
    if (!needs(m->n_layers > 0, "num-layers", err) ||
            !needs(m->hidden > 0, "hidden-size", err) ||
            !needs(m->n_heads > 0, "num-attention-heads", err) ||
            !needs(m->vocab > 0, "vocab-size", err))
        return false;
    if (m->ffn == 0)
        m->ffn = usual_width(m);
    m->mlp_bias = m->o_bias = said->bias;
    m->qkv_bias = said->bias || said->qkv_bias;
    m->tied_embeddings = !said->untied;
    settle_positions(launch);
    (void)p3d_copy(m->family, sizeof(m->family), "megatron");
    (void)p3d_copy(m->name, sizeof(m->name), "model of the script");
    return settle_attention(launch, err) && settle_experts(launch, err);
}
