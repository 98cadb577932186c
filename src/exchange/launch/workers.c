/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workers.c - programs on Megatron-Core whose model is one of Hugging Face:
 * `megatron sft` of ms-swift, and the actor of verl.
 *
 * Names: ms-swift 4.6.0 megatron/arguments/megatron_args.py, cli/_megatron/
 * sft.py; verl 0.9.1 trainer/config/ppo_trainer.yaml, actor/actor.yaml,
 * engine/megatron.yaml, optim/megatron.yaml. What verl adds to the
 * configuration of Megatron-Core by override_transformer_config has the names
 * of Megatron-LM@d98e8a64 megatron/core/transformer/transformer_config.py. Its
 * gradients are reduced after the passes: verl/utils/megatron_utils.py:105. */
#include <stdio.h>

#include "exchange/launch/megatron.h"
#include "exchange/launch/target_rows.h"

static const char *const granularities[P3D_N_RECOMPUTES] = {
        "none", "selective", "full"};
static const char *const optimizers[P3D_N_OPTIMIZERS] = {
        [P3D_ADAM] = "adam", [P3D_SGD] = "sgd", [P3D_MUON] = "muon"};
static const char *const kernels[P3D_N_ATTENTIONS] = {[P3D_FLASH] = "auto",
        [P3D_EAGER] = "unfused",
        [P3D_FLASH_2] = "flash",
        [P3D_FLASH_3] = "flash",
        [P3D_CUDNN] = "fused",
        [P3D_FLASH_4] = "flash"};
static const char *const fp8_formats[] = {NULL, "hybrid", "e4m3"};
static const char *const fp8_recipes[P3D_N_FP8_RECIPES] = {
        [P3D_FP8_DELAYED] = "delayed",
        [P3D_FP8_CURRENT] = "tensorwise",
        [P3D_FP8_BLOCKWISE] = "blockwise",
        [P3D_FP8_MXFP8] = "mxfp8"};
static const char *const fusions[] = {"native", "te"};
static const char *const types[P3D_N_DTYPES] = {
        [P3D_FP16] = "float16", [P3D_BF16] = "bfloat16"};

/* clang-format off */
TEST(has_context, l->plan.cp > 1)
TEST(has_layout, l->said.layout[0] != '\0')
TEST(has_plain_chunks, l->plan.vp > 1 && !has_layout(l))
TEST(uses_fsdp, l->said.fsdp)
TEST(is_fused, l->said.fusion != 0)
TEST(is_not_fused, l->said.fusion == 0)
TEST(gathers_fp8, l->said.fp8_weights)
TEST(gathers_beside, l->said.gathers_beside)
TEST(uses_flex, l->plan.ep > 1 && l->said.dispatcher == EXCHANGE_FLEX)
TEST(sends_all_to_all, l->plan.ep > 1 && !uses_flex(l))

static const exchange_option swift_options[] = {
    HEAD("model and sequence"),
    RAW("model", "\"$HF_MODEL\""),
    FIXED("tuner_type", "full"),
    VALUE("max_length", job.seq_len),
    FIXED("packing", "true"),
    VALUE_SHY("mtp_num_layers", job.n_mtp_layers),
    HEAD("plan"),
    VALUE("tensor_model_parallel_size", plan.tp),
    VALUE("sequence_parallel", plan.sequence_parallel),
    VALUE("pipeline_model_parallel_size", plan.pp),
    VALUE_WHEN("virtual_pipeline_model_parallel_size", plan.vp,
        has_plain_chunks),
    SOME_SHY("microbatch_group_size_per_vp_stage", plan.group),
    {VALUE_ROW("decoder_first_pipeline_num_layers", plan.first_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    {VALUE_ROW("decoder_last_pipeline_num_layers", plan.last_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    {VALUE_ROW("account_for_embedding_in_pipeline_split",
        said.counts_embedding), .shy = true},
    {VALUE_ROW("account_for_loss_in_pipeline_split",
        said.counts_loss), .shy = true},
    VALUE_WHEN("pipeline_model_parallel_layout", said.layout, has_layout),
    VALUE("context_parallel_size", plan.cp),
    WORD_WHEN("cp_comm_type", said.cp_exchange, exchange_megatron_exchanges,
        has_context),
    VALUE_WHEN("expert_model_parallel_size", plan.ep, exchange_has_experts),
    VALUE_WHEN("expert_tensor_parallel_size", plan.etp,
        exchange_splits_experts),
    WORD_WHEN("moe_token_dispatcher_type", said.dispatcher,
        exchange_megatron_dispatchers, exchange_has_experts),
    FIXED_WHEN("moe_enable_deepep", "true", uses_flex),
    VALUE("use_distributed_optimizer", said.distributed_optimizer),
    VALUE("overlap_grad_reduce", said.overlaps_dp),
    FIXED_WHEN("overlap_param_gather", "true", gathers_beside),
    FIXED_WHEN("use_megatron_fsdp", "true", uses_fsdp),
    WORD_WHEN("data_parallel_sharding_strategy", said.sharding,
        exchange_megatron_strategies, uses_fsdp),
    {VALUE_ROW("tp_comm_overlap", job.tp_overlap), .shy = true},
    WORD("recompute_granularity", said.granularity, granularities),
    WORD("recompute_method", said.method, exchange_megatron_methods),
    SOME_SHY("recompute_num_layers", said.method_layers),
    RAW_VALUE("recompute_modules", said.modules),
    FIXED_WHEN("optimizer_cpu_offload", "true", exchange_offloads),
    VALUE_WHEN("optimizer_offload_fraction", said.offload_frac,
        exchange_offloads),
    FIXED_WHEN("use_precision_aware_optimizer", "true", exchange_offloads),
    HEAD("batch and precision"),
    VALUE("micro_batch_size", plan.micro_batch),
    VALUE("global_batch_size", job.global_batch),
    VALUE("bf16", said.bf16),
    VALUE("fp16", said.fp16),
    WORD("fp8_format", said.fp8, fp8_formats),
    WORD("fp8_recipe", said.fp8_recipe, fp8_recipes),
    FIXED_WHEN("fp8_param_gather", "true", gathers_fp8),
    WORD("attention_backend", job.attention, kernels),
    FIXED_WHEN("cross_entropy_loss_fusion", "true", is_fused),
    WORD_WHEN("cross_entropy_fusion_impl", said.fusion_kind, fusions, is_fused),
    FIXED_WHEN("cross_entropy_loss_fusion", "false", is_not_fused),
    WORD("optimizer", job.optimizer, optimizers),
    HEAD("to measure a step; put your data and schedule here"),
    RAW("dataset", "\"$DATASET\""),
    FIXED("train_iters", "100"),
    FIXED("lr", "1e-5"),
    FIXED("logging_steps", "1"),
    HEAD("checkpoints; --mcore_model to start from one of Megatron: yours"),
    RAW("output_dir", "\"$OUTPUT\""),
    FIXED("save_steps", "500"),
};

#define ACTOR "actor_rollout_ref.actor."
#define MCORE ACTOR "megatron."
/* ++ sets what there is, and adds what there is not. */
#define LAYER "++" MCORE "override_transformer_config."
#define STEP  "++" ACTOR "optim.override_optimizer_config."

static const exchange_option verl_options[] = {
    HEAD("model"),
    FIXED("model_engine", "megatron"),
    RAW("actor_rollout_ref.model.path", "\"$HF_MODEL\""),
    HEAD("plan of the actor"),
    VALUE(MCORE "tensor_model_parallel_size", plan.tp),
    VALUE(MCORE "sequence_parallel", plan.sequence_parallel),
    VALUE(MCORE "pipeline_model_parallel_size", plan.pp),
    VALUE_WHEN(MCORE "virtual_pipeline_model_parallel_size", plan.vp,
        exchange_has_chunks),
    {VALUE_ROW(LAYER "num_layers_in_first_pipeline_stage", plan.first_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    {VALUE_ROW(LAYER "num_layers_in_last_pipeline_stage", plan.last_layers),
     .value = 1, .shy = true, .when = exchange_has_one_chunk},
    VALUE(MCORE "context_parallel_size", plan.cp),
    WORD_WHEN(LAYER "cp_comm_type", said.cp_exchange,
        exchange_megatron_exchanges, has_context),
    VALUE_WHEN(MCORE "expert_model_parallel_size", plan.ep,
        exchange_has_experts),
    VALUE_WHEN(MCORE "expert_tensor_parallel_size", plan.etp,
        exchange_splits_experts),
    WORD_WHEN(LAYER "moe_token_dispatcher_type", said.dispatcher,
        exchange_megatron_dispatchers, sends_all_to_all),
    WORD_WHEN(LAYER "moe_token_dispatcher_type", said.dispatcher,
        exchange_megatron_dispatchers, uses_flex),
    WORD_WHEN(LAYER "moe_flex_dispatcher_backend", said.flex_backend,
        exchange_megatron_backends, uses_flex),
    VALUE(MCORE "use_distributed_optimizer", said.distributed_optimizer),
    WORD(LAYER "recompute_granularity", said.granularity,
        exchange_megatron_granularities),
    WORD(LAYER "recompute_method", said.method, exchange_megatron_methods),
    SOME_SHY(LAYER "recompute_num_layers", said.method_layers),
    VALUE(LAYER "recompute_modules", said.modules),
    WORD(LAYER "attention_backend", job.attention, kernels),
    FIXED_WHEN(STEP "optimizer_cpu_offload", "true", exchange_offloads),
    VALUE_WHEN(STEP "optimizer_offload_fraction", said.offload_frac,
        exchange_offloads),
    FIXED_WHEN(STEP "use_precision_aware_optimizer", "true",
        exchange_offloads),
    FIXED(MCORE "param_offload", "false"),
    FIXED(MCORE "optimizer_offload", "false"),
    WORD(MCORE "dtype", job.dtype, types),
    HEAD("batch: a step of the optimizer has ppo_mini_batch_size x rollout.n"),
    HEAD("sequences, of at most max_prompt_length + max_response_length"),
    VALUE("data.train_batch_size", said.prompts),
    VALUE(ACTOR "ppo_mini_batch_size", said.prompts),
    VALUE("actor_rollout_ref.rollout.n", said.answers),
    VALUE(ACTOR "ppo_micro_batch_size_per_gpu", plan.micro_batch),
    FIXED(ACTOR "use_dynamic_bsz", "false"),
    VALUE("data.max_prompt_length", said.prompt_tokens),
    VALUE("data.max_response_length", said.answer_tokens),
    HEAD("world"),
    SOME("trainer.nnodes", said.n_nodes),
    SOME("trainer.n_gpus_per_node", said.gpus_per_node),
    HEAD("the rest of the loop, data and output: yours"),
    FIXED("algorithm.adv_estimator", "grpo"),
    FIXED("actor_rollout_ref.rollout.name", "vllm"),
    VALUE("actor_rollout_ref.rollout.tensor_model_parallel_size", plan.tp),
    VALUE("actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu",
        plan.micro_batch),
    RAW("data.train_files", "\"$TRAIN_FILES\""),
    RAW("data.val_files", "\"$VAL_FILES\""),
    RAW("trainer.default_local_dir", "\"$OUTPUT\""),
    FIXED("trainer.save_freq", "-1"),
    FIXED("trainer.val_before_train", "false"),
    FIXED("trainer.total_training_steps", "20"),
    FIXED("trainer.logger", "[console]"),
};
/* clang-format on */

static void defaults(exchange_launch *launch)
{
    exchange_megatron_defaults(launch);
    launch->plan.sequence_parallel = false;
}

/* What neither has an option for. */
static void narrow(p3d_framework *framework)
{
    framework->hybrid_stages = 0;
    framework->activation_offload = false;
    framework->pp_before_dp = false;
    framework->lacks |= P3D_LACKS_HEAD_GROUPS;
}

static void narrow_swift(p3d_framework *framework)
{
    narrow(framework);
    framework->dispatchers &= ~(1u << P3D_DISPATCH_HYBRIDEP);
    framework->usual_dispatcher = P3D_DISPATCH_DEEPEP;
}

static bool can_say_swift(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;

    if (!exchange_megatron_can_say(launch, refusal))
        return false;
    if (job->dtype == P3D_FP32)
        return exchange_target_refuse(
                refusal, "X2", "--dtype fp32: write bf16, fp16 or fp8");
    if (optimizers[job->optimizer] == NULL)
        return exchange_target_refuse(refusal, "X2",
                "--optimizer %s: write adam, sgd or muon",
                p3d_optimizer_of(job->optimizer)->name);
    if (launch->plan.ep > 1 && job->dispatcher == P3D_DISPATCH_HYBRIDEP)
        return exchange_target_refuse(refusal, "X2",
                "--dispatcher hybridep: ms-swift has no option of it; write "
                "--dispatcher deepep or alltoall");
    return true;
}

#define HF_MODEL                                               \
    "export HF_MODEL=${HF_MODEL:?is the name of the model at " \
    "Hugging Face, or its folder}\n"
#define OUTPUT "export OUTPUT=${OUTPUT:-$HERE/output}\n"

const exchange_target exchange_to_ms_swift_megatron = {
        .name = "ms-swift-megatron",
        .title = "ms-swift with Megatron-Core (megatron sft)",
        .versions = "ms-swift 4.6.0",
        .framework = "megatron-core",
        .reads_as = "megatron",
        .front = "ms-swift with Megatron-LM",
        .tables = {{.form = EXCHANGE_ARGUMENTS, OPTIONS(swift_options)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_TORCH,
        .program = "-m swift.cli._megatron.sft",
        .narrow = narrow_swift,
        .defaults = defaults,
        .can_say = can_say_swift,
        .say = exchange_megatron_say,
        .notes = "for pre-training run swift.cli._megatron.pt\n",
        .variables = HF_MODEL "export DATASET=${DATASET:?is a name or a file "
                              "of the data}\n" OUTPUT,
        .environment = exchange_megatron_environment,
};

/* The actor's step alone is planned: of the pipeline's stages no layout is
 * said, and its own options have one scheme of states. */
static void narrow_verl(p3d_framework *framework)
{
    narrow(framework);
    framework->zero_stages &= 3u;
    framework->zero_stages_pipeline &= 3u;
    framework->overlap_dp = framework->overlap_dp_asked = 0;
    framework->uneven_stages = framework->layer_map = false;
    framework->lacks |= P3D_LACKS_FP8 | P3D_LACKS_MICRO_BATCH_GROUPS;
}

static void say_verl(exchange_launch *launch)
{
    exchange_said *const said = &launch->said;
    const p3d_plan *const p = &launch->plan;
    char names[EXCHANGE_LAYOUT];

    exchange_megatron_say(launch);
    for (said->answers = 8; launch->job.global_batch % said->answers != 0;)
        said->answers /= 2;
    said->prompts = launch->job.global_batch / said->answers;
    said->prompt_tokens = launch->job.seq_len / 2;
    said->answer_tokens = launch->job.seq_len - said->prompt_tokens;
    if (p->recompute != P3D_RECOMPUTE_SELECTIVE || p->recompute_modules == 0)
        return;
    exchange_modules_print(p->recompute_modules, ",", "", names);
    snprintf(said->modules, EXCHANGE_LAYOUT, "[%.8000s]", names);
}

static bool can_say_verl(const exchange_launch *launch, p3d_refusal *refusal)
{
    const p3d_job *const job = &launch->job;

    if (!exchange_megatron_can_say(launch, refusal))
        return false;
    if (job->dtype == P3D_FP32)
        return exchange_target_refuse(
                refusal, "X2", "--dtype fp32: write bf16 or fp16");
    if (is_fused(launch))
        return exchange_target_refuse(refusal, "X2",
                "--loss %s: verl computes its own; leave it out",
                p3d_loss_name(job->loss));
    if (has_layout(launch))
        return exchange_target_refuse(refusal, "X3",
                "stages of other numbers of layers than first= and last= say "
                "have no option of verl's");
    return true;
}

const exchange_target exchange_to_verl = {
        .name = "verl",
        .title = "verl (actor with Megatron-Core)",
        .versions = "verl 0.9.1, NVIDIA/Megatron-LM@d98e8a64",
        .framework = "megatron-core",
        .nearest = true,
        .reads_as = "megatron",
        .front = "verl with Megatron-LM",
        .tables = {{.form = EXCHANGE_OVERRIDES, OPTIONS(verl_options)}},
        .n_tables = 1,
        .runner = EXCHANGE_RUN_RAY,
        .program = "-m verl.trainer.main_ppo",
        .narrow = narrow_verl,
        .defaults = defaults,
        .can_say = can_say_verl,
        .say = say_verl,
        .notes = "the plan and its estimate are of the actor's step alone: "
                 "answers that are generated,\n"
                 "the reference model and a critic take time and memory "
                 "beside it\n",
        .variables = HF_MODEL
        "export TRAIN_FILES=${TRAIN_FILES:?is a file of prompts, .parquet}\n"
        "export VAL_FILES=${VAL_FILES:-$TRAIN_FILES}\n" OUTPUT,
        .environment = exchange_megatron_environment,
        .own_allocator = true,
};
