/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maxtext.c - MaxText on TPUs: its YAML, over base.yml.
 *
 * Names, and what base.yml has: AI-Hypercomputer/maxtext@e591f30c src/maxtext/
 * configs/base.yml, configs/types.py; base_config, and that the file's name
 * ends in .yml: configs/pyconfig.py (_load_config, _resolve_or_infer_config);
 * models by their sizes: configs/models, layers/decoders.py; what a policy
 * keeps: layers/decoders.py (get_remat_policy); sequences of a step: types.py
 * (calculate_global_batch_sizes). */
#include <math.h>
#include <stdio.h>

#include "exchange/launch/target_rows.h"

/* Axes of the mesh, the outermost first. */
enum { DATA, FSDP, EXPERT, CONTEXT, TENSOR, N_AXES };
_Static_assert((int)N_AXES == (int)EXCHANGE_N_AXES, "axes of a mesh");

/* decoder_block, and what its layers have. */
enum { LLAMA2, QWEN2, QWEN3, MIXTRAL, QWEN3_MOE, DEEPSEEK, N_BLOCKS };
static const char *const blocks[N_BLOCKS] = {
        "llama2", "qwen2", "qwen3", "mixtral", "qwen3_moe", "deepseek"};

/* remat_policy: what of a layer is computed again. Norms and activations of
 * MLPs always are; no policy keeps them. */
enum {
    FULL,
    MINIMAL,
    WITH_CONTEXT,
    EXCEPT_MLP,
    CONTEXT_EXCEPT_MLP,
    N_POLICIES
};
static const char *const policies[N_POLICIES] = {"full", "minimal",
        "minimal_with_context", "save_dot_except_mlp",
        "save_dot_with_context_except_mlp"};
#define ALWAYS (P3D_MODULE_NORMS | P3D_MODULE_MLP_ACTIVATION)
static const unsigned modules_of[N_POLICIES] = {
        [MINIMAL] = ALWAYS | P3D_MODULE_CORE_ATTENTION,
        [WITH_CONTEXT] = ALWAYS,
        [EXCEPT_MLP] =
                P3D_MODULE_NORMS | P3D_MODULE_MLP | P3D_MODULE_CORE_ATTENTION,
        [CONTEXT_EXCEPT_MLP] = P3D_MODULE_NORMS | P3D_MODULE_MLP};

static const char *const types[P3D_N_DTYPES] = {
        [P3D_FP32] = "float32", [P3D_BF16] = "bfloat16"};
static const char *const optimizers[P3D_N_OPTIMIZERS] = {
        [P3D_ADAM] = "adamw", [P3D_SGD] = "sgd"};
static const char *const kernels[P3D_N_ATTENTIONS] = {
        [P3D_FLASH] = "autoselected",
        [P3D_EAGER] = "dot_product",
        [P3D_FLASH_2] = "flash"};
static const char *const exchanges[] = {
        [P3D_CP_RING] = "all_gather", [P3D_CP_ALL_TO_ALL] = "ulysses"};
static const char *const rotary_kinds[P3D_N_ROTARY_KINDS] = {
        [P3D_ROTARY_PLAIN] = "default",
        [P3D_ROTARY_LLAMA3] = "llama3.1",
        [P3D_ROTARY_YARN] = "yarn"};
static const char *const attentions[] = {"global", "mla"};
static const char *const truths[] = {"false", "true"};

/* clang-format off */
TEST(is_latent, p3d_model_is_mla(&l->model))
TEST(has_rotary_base, l->said.rotary_base > 0)
TEST(has_low_rank_queries, is_latent(l) && l->model.q_lora_rank > 0)
TEST(is_not_latent, !p3d_model_is_mla(&l->model))
TEST(stretches_rotary, rotary_kinds[l->model.rotary.kind] != NULL)
TEST(has_yarn, l->model.rotary.kind == P3D_ROTARY_YARN)
TEST(has_dense_layers, l->said.dense_layers > 0)
TEST(shares_experts, l->said.shared_experts > 0)
TEST(corrects_routing, l->model.router_correction)
TEST(has_context, l->plan.cp > 1)
TEST(sends_heads, has_context(l) && l->job.cp_comm == P3D_CP_ALL_TO_ALL)

/* An axis is 1 or more; -1 stands for what is left of the devices. */
#define AXIS(name, member)                          \
    {VALUE_ROW(name, member), .value = -1, .shy = true}
static const exchange_option options[] = {
    FIXED("base_config", "base.yml"),
    FIXED("run_name", "plan3d"),
    FIXED("hardware", "tpu"),
    WORD("decoder_block", said.block, blocks),
    VALUE("base_emb_dim", model.hidden),
    VALUE("base_num_decoder_layers", model.n_layers),
    VALUE("base_num_query_heads", model.n_heads),
    SOME("base_num_kv_heads", model.n_kv_heads),
    SOME_WHEN("head_dim", model.head_dim, is_not_latent),
    SOME("base_mlp_dim", model.ffn),
    VALUE("vocab_size", model.vocab),
    VALUE("logits_via_embedding", model.tied_embeddings),
    {VALUE_ROW("attention_bias", said.qkv_bias), .shy = true},
    {WORD_ROW("use_qk_norm", model.qk_norm, truths), .raw = true, .shy = true},
    VALUE_SHY("normalization_layer_epsilon", model.norm_epsilon),
    SOME_WHEN("rope_max_timescale", said.rotary_base, has_rotary_base),
    {WORD_ROW("rope_type", model.rotary.kind, rotary_kinds), .shy = true,
     .when = stretches_rotary},
    VALUE_WHEN("rope_factor", model.rotary.factor, has_yarn),
    SOME_WHEN("original_max_position_embeddings",
        model.rotary.first_positions, has_yarn),
    VALUE_WHEN("beta_fast", model.rotary.beta_fast, has_yarn),
    VALUE_WHEN("beta_slow", model.rotary.beta_slow, has_yarn),
    VALUE_WHEN("mscale", model.rotary.mscale, has_yarn),
    WORD_SHY("attention_type", said.attention_type, attentions),
    VALUE_WHEN("q_lora_rank", model.q_lora_rank, has_low_rank_queries),
    SOME_WHEN("kv_lora_rank", model.kv_lora_rank, is_latent),
    SOME_WHEN("qk_nope_head_dim", model.qk_nope_dim, is_latent),
    SOME_WHEN("qk_rope_head_dim", model.qk_rope_dim, is_latent),
    SOME_WHEN("v_head_dim", model.v_head_dim, is_latent),
    SOME_WHEN("num_experts", model.n_experts, exchange_has_experts),
    SOME_WHEN("num_experts_per_tok", model.top_k, exchange_has_experts),
    SOME_WHEN("base_moe_mlp_dim", model.expert_ffn, exchange_has_experts),
    SOME_WHEN("shared_experts", said.shared_experts, shares_experts),
    SOME_WHEN("first_num_dense_layers", said.dense_layers, has_dense_layers),
    {VALUE_ROW("routed_bias", model.router_correction), .shy = true},
    FIXED_WHEN("routed_score_func", "sigmoid", corrects_routing),
    VALUE_SHY("routed_scaling_factor", model.router.scale),
    SOME_SHY("n_routing_groups", model.expert_groups),
    SOME_SHY("topk_routing_group", model.routed_groups),
    AXIS("dcn_data_parallelism", said.slices[DATA]),
    AXIS("dcn_fsdp_parallelism", said.slices[FSDP]),
    AXIS("dcn_expert_parallelism", said.slices[EXPERT]),
    AXIS("dcn_context_parallelism", said.slices[CONTEXT]),
    AXIS("dcn_tensor_parallelism", said.slices[TENSOR]),
    AXIS("ici_data_parallelism", said.chips[DATA]),
    AXIS("ici_fsdp_parallelism", said.chips[FSDP]),
    AXIS("ici_expert_parallelism", said.chips[EXPERT]),
    AXIS("ici_context_parallelism", said.chips[CONTEXT]),
    AXIS("ici_tensor_parallelism", said.chips[TENSOR]),
    {VALUE_ROW("shard_optimizer_over_data", said.distributed_optimizer),
     .shy = true},
    {WORD_ROW("context_parallel_strategy", job.cp_comm, exchanges),
     .when = has_context},
    FIXED_WHEN("context_parallel_load_balance", "false", sends_heads),
    WORD("remat_policy", said.method, policies),
    VALUE("per_device_batch_size", said.device_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE("max_target_length", job.seq_len),
    WORD("dtype", job.dtype, types),
    WORD("attention", job.attention, kernels),
    WORD("opt_type", job.optimizer, optimizers),
    FIXED("enable_dropout", "false"),
    FIXED("dataset_type", "synthetic"),
    FIXED("steps", "100"),
    FIXED("enable_checkpointing", "false"),
};
/* clang-format on */

static void defaults(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;

    launch->plan = exchange_unsaid_plan(); /* device_batch has its sequences */
    launch->job.dtype = P3D_BF16;
    launch->job.seq_len = 2048;
    launch->model = (p3d_model){.norm_weights = 1,
            .n_norms = 2,
            .final_norm = true,
            .gated_mlp = true,
            .norm_epsilon = 1e-5,
            .head_dim = 128,
            .kv_lora_rank = 512,
            .qk_nope_dim = 128,
            .qk_rope_dim = 64,
            .v_head_dim = 128};
    said->rotary_base = 10000;
    said->n_micro_batches = 1;
    said->device_batch = 12;
    said->method = FULL;
    for (int i = 0; i < N_AXES; i++)
        said->slices[i] = said->chips[i] = 1;
    said->slices[DATA] = said->chips[FSDP] = -1;
}

/* From a plan. */

static int common_divisor(int a, int b)
{
    while (b != 0) {
        const int rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The outer axes lie over the slices, as far as they go. */
static void spread(const int sizes[N_AXES], int n_slices, exchange_said *said)
{
    for (int i = 0; i < N_AXES; i++) {
        said->slices[i] = common_divisor(sizes[i], n_slices);
        said->chips[i] = sizes[i] / said->slices[i];
        n_slices /= said->slices[i];
    }
}

/* Slices that a number of chips takes; part of one is one. */
static int count_slices(const exchange_launch *launch)
{
    const int each = launch->gpus_per_slice;

    return each > 0 && launch->n_gpus > each && launch->n_gpus % each == 0
                   ? launch->n_gpus / each
                   : 1;
}

static void say_mesh(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    const bool shards = p->zero == 3;
    const int inner = p->cp * p->ep;
    const int shard = p->shard > 0 ? p->shard : p->dp * p->cp;
    const int fsdp = shards && shard >= inner ? shard / inner : 1;
    const int data = p->dp / p->ep / fsdp;
    const int sizes[N_AXES] = {[DATA] = data > 0 ? data : 1,
            [FSDP] = fsdp,
            [EXPERT] = p->ep,
            [CONTEXT] = p->cp,
            [TENSOR] = p->tp};

    spread(sizes, count_slices(launch), &launch->said);
    launch->said.distributed_optimizer = p->zero == 1;
    /* One replica shares nothing: the axis that is left says the stage. */
    if (p->dp * p->cp == 1)
        launch->said.chips[shards ? FSDP : DATA] = -1;
}

/* The modules of a plan that a policy stands for, of those that layers of the
 * model have; 0 = the framework's usual ones. */
static unsigned modules_by(const exchange_launch *launch, int policy)
{
    const unsigned dense = P3D_MODULE_MLP | P3D_MODULE_MLP_ACTIVATION;
    const bool has_dense =
            launch->said.dense_layers > 0 || launch->model.n_experts == 0;

    if (modules_of[policy] == launch->job.framework->usual_modules)
        return 0;
    return has_dense ? modules_of[policy] : modules_of[policy] & ~dense;
}

/* @return -1 where no policy is that of the plan */
static int policy_of(const exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;

    if (p->recompute == P3D_RECOMPUTE_FULL)
        return FULL;
    for (int i = MINIMAL; i < N_POLICIES; i++)
        if (p->recompute == P3D_RECOMPUTE_SELECTIVE &&
                modules_by(launch, i) == p->recompute_modules)
            return i;
    return -1;
}

/* @return -1 where no block has the layers of the model */
static int block_of(const p3d_model *m)
{
    const bool has_experts = m->n_experts > 0;

    if (p3d_model_is_mla(m))
        return m->qk_norm == P3D_QK_NORM_NONE ? DEEPSEEK : -1;
    if (m->qk_norm != P3D_QK_NORM_NONE)
        return has_experts ? QWEN3_MOE : QWEN3;
    if (m->qkv_bias)
        return has_experts ? -1 : QWEN2;
    if (!has_experts)
        return LLAMA2;
    return m->shared_ffn > 0 || (m->layer_kind[0] & P3D_LAYER_MOE) == 0
                   ? DEEPSEEK
                   : MIXTRAL;
}

/* The first layers without experts; below 0 where others are so. */
static int dense_layers(const p3d_model *m)
{
    int n = 0;

    if (m->n_experts == 0)
        return 0;
    while (n < m->n_layers && (m->layer_kind[n] & P3D_LAYER_MOE) == 0)
        n++;
    for (int i = n; i < m->n_layers; i++)
        if ((m->layer_kind[i] & P3D_LAYER_MOE) == 0)
            return -1;
    return n;
}

static void say_model(exchange_launch *launch)
{
    p3d_model *const m = &launch->model;
    exchange_said *const said = &launch->said;

    said->block = block_of(m);
    said->attention_type = p3d_model_is_mla(m);
    said->qkv_bias = m->qkv_bias;
    said->rotary_base = (int64_t)m->rotary.base;
    said->dense_layers = dense_layers(m);
    said->shared_experts = m->n_experts > 0 && m->expert_ffn > 0
                                   ? m->shared_ffn / m->expert_ffn
                                   : 0;
    if (m->norm_epsilon <= 0)
        m->norm_epsilon = 1e-5;
    /* types.py: one width, where all layers have experts. */
    if (m->n_experts > 0 && said->dense_layers == 0)
        m->ffn = m->expert_ffn;
}

static void say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;

    say_model(launch);
    say_mesh(launch);
    launch->said.method = policy_of(launch);
    launch->said.device_batch = (double)p->micro_batch / (p->tp * p->cp);
}

static bool has_usual_layers(const p3d_model *m)
{
    return m->gated_mlp && m->norm_weights == 1 && m->n_norms == 2 &&
           m->final_norm && !m->o_bias && !m->mlp_bias && !m->head_bias &&
           !m->expert_bias && !m->router_bias && m->learned_positions == 0 &&
           m->window == 0 && !m->parallel_block && !m->embedding_norm &&
           m->mixer.kind == P3D_MIXER_NONE && m->index_heads == 0 &&
           m->attention_gate == P3D_GATE_NONE && !m->attention_sinks &&
           !m->own_code && m->layer_scales == 0 && !m->shared_gate &&
           m->activation == P3D_ACTIVATION_USUAL && !m->centered_norms &&
           (m->embedding_width == 0 || m->embedding_width == m->hidden) &&
           (m->qk_norm == P3D_QK_NORM_NONE || m->qk_norm == P3D_QK_NORM_HEAD);
}

static bool can_say_model(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_model *const m = &launch->model;
    const exchange_said *const said = &launch->said;
    const bool mixes = said->dense_layers != 0 || m->shared_ffn > 0;

    if (has_usual_layers(m) && said->block >= 0 && said->dense_layers >= 0 &&
            said->dense_layers < m->n_layers &&
            (!mixes || said->block == DEEPSEEK) &&
            (m->n_experts == 0 || m->expert_ffn > 0) &&
            said->shared_experts * m->expert_ffn == m->shared_ffn)
        return true;
    return exchange_target_refuse(refusal, "X1",
            "no decoder_block of MaxText that plan3d writes describes %s",
            m->name);
}

static bool can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;

    if (!can_say_model(launch, refusal))
        return false;
    if (job->loss != P3D_LOSS_USUAL && job->loss != P3D_LOSS_SHARDED_IN_PLACE)
        return exchange_target_refuse(refusal, "X2",
                "--loss %s: MaxText computes its own; leave it out",
                p3d_loss_name(job->loss));
    if (job->optimizer != P3D_ADAM && job->optimizer != P3D_SGD)
        return exchange_target_refuse(refusal, "X2",
                "--optimizer %s: write adam or sgd",
                p3d_optimizer_of(job->optimizer)->name);
    if (launch->said.method < 0)
        return exchange_target_refuse(refusal, "X3",
                "no remat_policy of MaxText recomputes these modules alone; "
                "try recompute=selective or recompute=full");
    return true;
}

/* Back. */

static bool settle_model(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;
    const exchange_said *const said = &launch->said;

    if (m->n_layers < 1 || m->hidden < 1 || m->n_heads < 1 || m->vocab < 1)
        return p3d_fail(err, P3D_DATA,
                "the files do not say base_emb_dim, base_num_decoder_layers, "
                "base_num_query_heads and vocab_size; write --model");
    if (m->n_kv_heads == 0)
        m->n_kv_heads = m->n_heads;
    m->qkv_bias = said->qkv_bias;
    m->rotary.base = (double)said->rotary_base;
    if (said->attention_type == 1)
        m->head_dim = m->qk_nope_dim + m->qk_rope_dim;
    else
        m->kv_lora_rank = m->q_lora_rank = m->qk_nope_dim = m->qk_rope_dim =
                m->v_head_dim = 0;
    if (m->n_experts > 1) {
        m->shared_ffn = said->shared_experts * m->expert_ffn;
        for (int i = said->dense_layers; i < m->n_layers; i++)
            m->layer_kind[i] = P3D_LAYER_MOE;
    } else {
        m->n_experts = m->top_k = m->expert_ffn = 0;
    }
    (void)p3d_copy(m->family, sizeof(m->family), "llama");
    (void)p3d_copy(m->name, sizeof(m->name), "model of the file");
    return true;
}

/* Give the one axis that is left open what the others leave.
 * @return false with P3D_DATA where the axes do not make up the devices */
static bool close_axes(
        const char *network, int n, int axes[N_AXES], p3d_error *err)
{
    int64_t product = 1;
    int open = -1;

    for (int i = 0; i < N_AXES; i++) {
        if (axes[i] < 1)
            open = i;
        else
            product = p3d_mul(product, axes[i]);
    }
    if (open >= 0 && n % product == 0)
        axes[open] = (int)(n / product);
    else if (product != n)
        return p3d_fail(err, P3D_DATA,
                "%s parallelism: the axes make up %lld, not the %d that the "
                "cluster has",
                network, (long long)product, n);
    return true;
}

static bool settle_mesh(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;
    const bool is_open = said->chips[FSDP] < 1;
    const int n_slices = count_slices(launch);
    int sizes[N_AXES];

    if (!close_axes("dcn", n_slices, said->slices, err) ||
            !close_axes("ici", launch->n_gpus / n_slices, said->chips, err))
        return false;
    for (int i = 0; i < N_AXES; i++)
        sizes[i] = said->slices[i] * said->chips[i];
    p->tp = p->etp = sizes[TENSOR];
    p->cp = sizes[CONTEXT];
    p->ep = sizes[EXPERT];
    p->dp = sizes[DATA] * sizes[FSDP] * sizes[EXPERT];
    p->sequence_parallel = p->tp > 1;
    p->zero = is_open || sizes[FSDP] * p->cp * p->ep > 1 ? 3
              : said->distributed_optimizer              ? 1
                                                         : 0;
    p->shard =
            p->zero == 3 && sizes[DATA] > 1 ? sizes[FSDP] * p->cp * p->ep : 0;
    return true;
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;
    const exchange_said *const said = &launch->said;
    double sequences;

    if (!settle_mesh(launch, err))
        return false;
    sequences = said->device_batch * p->tp * p->cp;
    p->micro_batch = sequences < 1e9 ? (int)lround(sequences) : 0;
    if (p->micro_batch < 1 ||
            fabs(sequences - p->micro_batch) > 1e-6 * sequences)
        return p3d_fail(err, P3D_DATA,
                "per_device_batch_size: %g on %d devices of a replica is no "
                "whole number of sequences",
                said->device_batch, p->tp * p->cp);
    p->recompute =
            said->method == FULL ? P3D_RECOMPUTE_FULL : P3D_RECOMPUTE_SELECTIVE;
    p->recompute_modules = modules_by(launch, said->method);
    launch->job.global_batch = exchange_said_batch(launch);
    return true;
}

/* What a plan has no part of. */
static const char *const unmodelled[] = {"ici_pipeline_parallelism",
        "dcn_pipeline_parallelism", "ici_fsdp_transpose_parallelism",
        "dcn_fsdp_transpose_parallelism", "ici_tensor_sequence_parallelism",
        "ici_context_usp_ulysses_parallelism", "ici_sequence_parallelism",
        "enable_diloco", "quantization", "optimizer_memory_host_offload",
        "parameter_memory_host_offload", "weight_dtype", "grad_dtype",
        "mu_dtype", "num_vocab_tiling", "global_parameter_scale",
        "sliding_window_size", "capacity_factor", "custom_mesh_and_rule",
        "logical_axis_rules", "mlp_activations", "trainable_parameters_mask",
        "mtp_num_layers", "enable_rampup_batch_size", NULL};

const exchange_target exchange_to_maxtext = {
        .name = "maxtext",
        .title = "MaxText",
        .versions = "AI-Hypercomputer/maxtext@e591f30c",
        .framework = "maxtext",
        .reads_as = "maxtext", /* its front end knows the files */
        .front = "MaxText",
        .tables = {{.form = EXCHANGE_YAML,
                .file = "maxtext.yml",
                OPTIONS(options)}},
        .n_tables = 1,
        .unmodelled = unmodelled,
        .runner = EXCHANGE_RUN_HOST,
        .program = "-m maxtext.trainers.pre_train.train \"$HERE/maxtext.yml\" "
                   "\\\n    \"base_output_directory=$OUTPUT\"",
        .defaults = defaults,
        .can_say = can_say,
        .say = say,
        .settle_model = settle_model,
        .settle = settle,
        .notes = "the data are made up: a training has dataset_type, "
                 "tokenizer_path, its steps and\n"
                 "enable_checkpointing: true\n",
        .variables = "export OUTPUT=${OUTPUT:-$HERE/output}\n",
};
