/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nanotron.c - nanotron: its YAML.
 *
 * Names: nanotron@2411b022 src/nanotron/config/config.py, src/nanotron/config/
 * parallelism_config.py, src/nanotron/config/models_config.py,
 * examples/config_tiny_llama.yaml. */
#include "exchange/launch/target_rows.h"

static const char *const engines[P3D_N_SCHEDULES] = {
        [P3D_1F1B] = "1f1b", [P3D_GPIPE] = "afab"};
static const char *const modes[] = {"ALL_REDUCE", "REDUCE_SCATTER"};
static const char *const types[P3D_N_DTYPES] = {[P3D_FP32] = "float32",
        [P3D_FP16] = "float16",
        [P3D_BF16] = "bfloat16"};

/* clang-format off */
static const exchange_option options[] = {
    FIXED("general.project", "plan3d"),
    FIXED("general.run", "plan3d"),
    FIXED("general.seed", "42"),
    FIXED("general.ignore_sanity_checks", "true"),
    VALUE("parallelism.dp", plan.dp),
    VALUE("parallelism.pp", plan.pp),
    VALUE("parallelism.tp", plan.tp),
    WORD("parallelism.pp_engine", plan.schedule, engines),
    WORD("parallelism.tp_mode", said.sequence_mode, modes),
    VALUE("parallelism.tp_linear_async_communication", plan.sequence_parallel),
    VALUE_SHY("parallelism.tp_recompute_allgather", said.regathers),
    VALUE("parallelism.recompute_layer", said.recompute),
    FIXED("parallelism.expert_parallel_size", "1"),
    FIXED("parallelism.context_parallel_size", "1"),
    VALUE("optimizer.zero_stage", plan.zero),
    FIXED("optimizer.accumulate_grad_in_fp32", "true"),
    FIXED("optimizer.clip_grad", "1.0"),
    FIXED("optimizer.weight_decay", "0.1"),
    FIXED("optimizer.optimizer_factory.name", "adamW"),
    FIXED("optimizer.optimizer_factory.adam_beta1", "0.9"),
    FIXED("optimizer.optimizer_factory.adam_beta2", "0.95"),
    FIXED("optimizer.optimizer_factory.adam_eps", "1.0e-8"),
    FIXED("optimizer.optimizer_factory.torch_adam_is_fused", "true"),
    FIXED("optimizer.learning_rate_scheduler.learning_rate", "1.0e-4"),
    FIXED("optimizer.learning_rate_scheduler.lr_warmup_steps", "2"),
    FIXED("optimizer.learning_rate_scheduler.lr_warmup_style", "linear"),
    FIXED("optimizer.learning_rate_scheduler.lr_decay_style", "cosine"),
    FIXED("optimizer.learning_rate_scheduler.min_decay_lr", "1.0e-5"),
    VALUE("tokens.micro_batch_size", plan.micro_batch),
    SOME("tokens.batch_accumulation_per_replica", said.n_micro_batches),
    VALUE("tokens.sequence_length", job.seq_len),
    FIXED("tokens.train_steps", "100"),
    FIXED("tokens.val_check_interval", "-1"),
    WORD("model.dtype", job.dtype, types),
    FIXED("model.make_vocab_size_divisible_by", "1"),
    FIXED("model.ddp_bucket_cap_mb", "25"),
    FIXED("model.init_method.std", "0.02"),
    FIXED("model.model_config.is_llama_config", "true"),
    VALUE("model.model_config.hidden_size", model.hidden),
    SOME("model.model_config.intermediate_size", model.ffn),
    VALUE("model.model_config.num_hidden_layers", model.n_layers),
    VALUE("model.model_config.num_attention_heads", model.n_heads),
    VALUE("model.model_config.num_key_value_heads", model.n_kv_heads),
    VALUE("model.model_config.vocab_size", model.vocab),
    VALUE_SHY("model.model_config.rope_theta", model.rotary.base),
    VALUE_SHY("model.model_config.rms_norm_eps", model.norm_epsilon),
    SOME("model.model_config.max_position_embeddings", model.max_positions),
    VALUE("model.model_config.tie_word_embeddings", model.tied_embeddings),
    FIXED("model.model_config.hidden_act", "silu"),
    FIXED("tokenizer.tokenizer_name_or_path",
        "robot-test/dummy-tokenizer-wordlevel"),
    FIXED("checkpoints.checkpoint_interval", "1000"),
    FIXED("checkpoints.checkpoints_path", "checkpoints"),
    FIXED("logging.log_level", "info"),
};
/* clang-format on */

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->plan.micro_batch = 0;
    launch->plan.schedule = P3D_GPIPE;
    launch->job.dtype = P3D_BF16;
    launch->said.n_micro_batches = 1;
    launch->said.regathers = true;
    launch->model = (p3d_model){.norm_weights = 1,
            .n_norms = 2,
            .final_norm = true,
            .gated_mlp = true};
}

static void say(exchange_launch *launch)
{
    p3d_model *const m = &launch->model;

    launch->said.sequence_mode = launch->plan.sequence_parallel;
    launch->said.regathers = true;
    launch->said.recompute = launch->plan.recompute == P3D_RECOMPUTE_FULL;
    if (m->max_positions < launch->job.seq_len)
        m->max_positions = launch->job.seq_len;
}

/* LlamaConfig: RMSNorm, rotary positions, a gated MLP, no biases. */
static bool can_say(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_model *const m = &launch->model;
    const bool is_llama =
            m->gated_mlp && m->norm_weights == 1 && m->n_norms == 2 &&
            m->final_norm && !m->qkv_bias && !m->o_bias && !m->mlp_bias &&
            !m->head_bias && m->n_experts == 0 && m->kv_lora_rank == 0 &&
            m->qk_norm == P3D_QK_NORM_NONE && m->learned_positions == 0 &&
            m->window == 0 && !m->parallel_block && !m->embedding_norm &&
            m->mixer.kind == P3D_MIXER_NONE &&
            m->attention_gate == P3D_GATE_NONE && m->ffn > 0 &&
            m->activation == P3D_ACTIVATION_USUAL && !m->centered_norms &&
            !m->attention_sinks && !m->own_code && m->layer_scales == 0 &&
            m->head_dim * m->n_heads == m->hidden;

    if (!is_llama)
        return exchange_target_refuse(refusal, "X1",
                "nanotron's LlamaConfig does not describe %s", m->name);
    return true;
}

static bool settle_model(exchange_launch *launch, p3d_error *err)
{
    p3d_model *const m = &launch->model;

    if (m->n_layers < 1 || m->hidden < 1 || m->n_heads < 1 || m->vocab < 1 ||
            m->ffn < 1)
        return p3d_fail(err, P3D_DATA,
                "model.model_config does not say all sizes; write --model");
    if (m->hidden % m->n_heads != 0)
        return p3d_fail(err, P3D_DATA,
                "model.model_config: num_attention_heads %d do not divide "
                "hidden_size %d",
                m->n_heads, m->hidden);
    if (m->n_kv_heads == 0)
        m->n_kv_heads = m->n_heads;
    m->head_dim = m->hidden / m->n_heads;
    (void)p3d_copy(m->family, sizeof(m->family), "llama");
    (void)p3d_copy(m->name, sizeof(m->name), "model of the file");
    return true;
}

static bool settle(exchange_launch *launch, p3d_error *err)
{
    p3d_plan *const p = &launch->plan;

    if (!exchange_settle_said_replicas(launch, err))
        return false;
    p->sequence_parallel = launch->said.sequence_mode == 1 && p->tp > 1;
    if (p->pp == 1)
        p->schedule = P3D_1F1B;
    exchange_settle_usual(launch);
    return true;
}

static const char *const unmodelled[] = {"parallelism.expert_parallel_size",
        "parallelism.context_parallel_size", "parallelism.moe_layer_recompute",
        NULL};

static const char *const harmless[] = {"optimizer.torch_adam_is_fused", NULL};

const exchange_target exchange_to_nanotron = {
        .name = "nanotron",
        .title = "nanotron",
        .versions = "huggingface/nanotron@2411b022",
        .framework = "nanotron",
        .tables = {{.form = EXCHANGE_YAML,
                .file = "nanotron.yaml",
                .after = "data_stages:\n"
                         "- name: stage\n"
                         "  start_training_step: 1\n"
                         "  data:\n"
                         "    dataset: null\n"
                         "    num_loading_workers: 1\n"
                         "    seed: 42\n",
                OPTIONS(options)}},
        .n_tables = 1,
        .unmodelled = unmodelled,
        .harmless = harmless,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "run_train.py --config-file \"$HERE/nanotron.yaml\"",
        .defaults = defaults,
        .can_say = can_say,
        .say = say,
        .settle_model = settle_model,
        .settle = settle,
        .folder = "nanotron",
        .notes = "data_stages, tokenizer, checkpoints and schedule are yours\n",
        .variables = "export CUDA_DEVICE_MAX_CONNECTIONS=1\n",
};
