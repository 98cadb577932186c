/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trainers.c - programs on transformers' Trainer with DeepSpeed: the Trainer
 * itself, LLaMA-Factory, axolotl and ms-swift. All have one JSON of DeepSpeed,
 * which the Trainer holds against its own arguments.
 *
 * Names: transformers 5.23.0 training_args.py, integrations/deepspeed.py (an
 * optimizer of the JSON, as DeepSpeed refuses PyTorch's own with offload), its
 * examples/pytorch/language-modeling/run_clm.py; llamafactory 0.9.5 hparams,
 * launcher.py; axolotl 0.19.0 utils/schemas/config.py, cli/train.py; ms-swift
 * 4.6.0 arguments/sft_args.py, arguments/base_args, cli/sft.py. axolotl's FSDP2
 * has no target: it leaves the parameters in 16 bit (monkeypatch/accelerate/
 * fsdp2.py), where the plan counts those of fp32; it has no default of
 * lora_alpha (axolotl@067b021c src/axolotl/loaders/adapter.py:189).
 *
 * Learning rates of adapters: axolotl@067b021c examples/llama-3/lora-8b.yml:44;
 * LLaMA-Factory@13d252fa examples/train_lora/llama3_lora_pretrain.yaml;
 * ms-swift@35884039 examples/train/lora_sft.sh. */
#include "exchange/launch/deepspeed.h"
#include "exchange/launch/peft.h"
#include "exchange/launch/target_rows.h"

static const char *const factory_kernels[P3D_N_ATTENTIONS] = {
        [P3D_FLASH] = "fa2",
        [P3D_EAGER] = "disabled",
        [P3D_EFFICIENT] = "sdpa",
        [P3D_FLASH_1] = "fa2",
        [P3D_FLASH_2] = "fa2",
        [P3D_FLASH_3] = "fa3",
        [P3D_CUDNN] = "sdpa",
        [P3D_FLASH_4] = "auto"};
static const char *const axolotl_kernels[P3D_N_ATTENTIONS] = {
        [P3D_FLASH] = "flash_attention_2",
        [P3D_EAGER] = "eager",
        [P3D_EFFICIENT] = "sdpa",
        [P3D_FLASH_1] = "flash_attention_2",
        [P3D_FLASH_2] = "flash_attention_2",
        [P3D_FLASH_3] = "flash_attention_3",
        [P3D_CUDNN] = "sdpa",
        [P3D_FLASH_4] = "flash_attention_4"};
static const char *const swift_kernels[P3D_N_ATTENTIONS] = {
        [P3D_FLASH] = "flash_attn",
        [P3D_EAGER] = "eager",
        [P3D_EFFICIENT] = "sdpa",
        [P3D_FLASH_1] = "flash_attn",
        [P3D_FLASH_2] = "flash_attn",
        [P3D_FLASH_3] = "flash_attention_3",
        [P3D_CUDNN] = "sdpa",
        [P3D_FLASH_4] = "flash_attention_4"};

/* clang-format off */
TEST(has_bf16, l->said.bf16)
TEST(has_fp16, l->said.fp16)
/* Packed sequences are told apart by these kernels alone: ms-swift 4.6.0
 * arguments/sft_args.py:187-194, axolotl 0.19.0 utils/schemas/enums.py. */
TEST(packs, l->job.attention != P3D_EAGER &&
    l->job.attention != P3D_EFFICIENT && l->job.attention != P3D_CUDNN)
TEST(has_dora, l->job.adapters.dora)
TEST(trains_tower, l->job.adapters.rank == 0 && l->model.tower.hidden > 0)
TEST(has_packed, l->job.adapters.base != P3D_BASE_16)
TEST(has_nf4, l->job.adapters.base == P3D_BASE_NF4 ||
    l->job.adapters.base == P3D_BASE_NF4_SINGLE)
TEST(has_8bit, l->job.adapters.base == P3D_BASE_8BIT)
TEST(has_single_scales, l->job.adapters.base == P3D_BASE_NF4_SINGLE)
TEST(has_lora, exchange_has_adapters(l) && !has_nf4(l))
TEST(has_qlora, exchange_has_adapters(l) && has_nf4(l))
static const char *const bits[P3D_N_BASES] = {
    [P3D_BASE_8BIT] = "8", [P3D_BASE_NF4] = "4", [P3D_BASE_NF4_SINGLE] = "4"};

static const char *const optimizers[] = {"AdamW", "OneBitAdam"};
TEST(has_one_bit, l->said.one_bit != 0)

/* By the Trainer: its optimizer and schedule are the user's arguments. */
static const exchange_option settings[] = {
    VALUE("train_batch_size", job.global_batch),
    VALUE("train_micro_batch_size_per_gpu", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE("bf16.enabled", said.bf16),
    VALUE("fp16.enabled", said.fp16),
    WORD("data_types.grad_accum_dtype", job.gradient_dtype,
        exchange_deepspeed_gradients),
    EXCHANGE_DEEPSPEED_WIRE,
    VALUE("zero_optimization.stage", plan.zero),
    {WORD_ROW("zero_optimization.overlap_comm", job.dp_overlap,
              exchange_deepspeed_overlaps), .raw = true},
    FIXED("zero_optimization.reduce_bucket_size", "500000000"),
    FIXED("zero_optimization.allgather_bucket_size", "500000000"),
    EXCHANGE_DEEPSPEED_SENT,
    EXCHANGE_DEEPSPEED_OFFLOAD,
    WORD("optimizer.type", said.one_bit, optimizers),
    FIXED("optimizer.params.lr", "\"auto\""),
    FIXED("optimizer.params.betas", "\"auto\""),
    FIXED("optimizer.params.eps", "\"auto\""),
    FIXED("optimizer.params.weight_decay", "\"auto\""),
    FIXED_WHEN("optimizer.params.freeze_step", "1000", has_one_bit),
    FIXED_WHEN("optimizer.params.comm_backend_name", "\"nccl\"", has_one_bit),
    FIXED("gradient_clipping", "\"auto\""),
    FIXED("steps_per_print", "10"),
};

static const exchange_option trainer_arguments[] = {
    HEAD("model and sequence, in the words of transformers' run_clm.py"),
    RAW("model_name_or_path", "\"$HF_MODEL\""),
    VALUE("block_size", job.seq_len),
    HEAD("plan"),
    RAW("deepspeed", "\"$HERE/ds_config.json\""),
    VALUE("per_device_train_batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    FLAG("bf16", said.bf16),
    FLAG("fp16", said.fp16),
    VALUE("gradient_checkpointing", said.recompute),
    VALUE_WHEN("use_liger_kernel", said.liger, exchange_has_liger),
    EXCHANGE_PEFT_ARGUMENTS,
    FIXED_WHEN("load_in_4bit", NULL, has_nf4),
    FIXED_WHEN("load_in_8bit", NULL, has_8bit),
    FIXED_WHEN("bnb_4bit_use_double_quant", "false", has_single_scales),
    WORD_WHEN("base", job.adapters.base, bits, exchange_never),
    EXCHANGE_RUN_CLM_MEASURE,
};

static const exchange_option factory_settings[] = {
    /* What the launch script replaces. */
    FIXED("model_name_or_path", "HF_MODEL"),
    FIXED("dataset", "DATASET"),
    FIXED("output_dir", "OUTPUT"),
    FIXED("deepspeed", "ds_config.json"),
    FIXED("stage", "pt"),
    FIXED("do_train", "true"),
    FIXED_WHEN("finetuning_type", "full", exchange_trains_all),
    FIXED_WHEN("finetuning_type", "lora", exchange_has_adapters),
    VALUE_WHEN("freeze_vision_tower", said.freezes_tower, trains_tower),
    VALUE_WHEN("freeze_multi_modal_projector", said.freezes_projector,
        trains_tower),
    VALUE_WHEN("lora_rank", job.adapters.rank, exchange_has_adapters),
    VALUE_WHEN("lora_target", said.adapted, exchange_has_adapters),
    VALUE_WHEN("lora_dropout", job.adapters.dropout,
        exchange_has_adapter_dropout),
    VALUE_WHEN("additional_target", said.whole_modules,
        exchange_has_whole_modules),
    VALUE_WHEN("use_dora", job.adapters.dora, has_dora),
    WORD_WHEN("base", job.adapters.base, bits, exchange_never),
    FIXED_WHEN("quantization_bit", "4", has_nf4),
    FIXED_WHEN("quantization_bit", "8", has_8bit),
    FIXED_WHEN("double_quantization", "false", has_single_scales),
    VALUE("cutoff_len", job.seq_len),
    FIXED("packing", "true"),
    VALUE("per_device_train_batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE("bf16", said.bf16),
    VALUE("fp16", said.fp16),
    VALUE("disable_gradient_checkpointing", said.keeps_all),
    WORD("flash_attn", job.attention, factory_kernels),
    VALUE_WHEN("enable_liger_kernel", said.liger, exchange_has_liger),
    FIXED("max_steps", "100"),
    FIXED_WHEN("learning_rate", "1.0e-5", exchange_trains_all),
    FIXED_WHEN("learning_rate", "1.0e-4", exchange_has_adapters),
    FIXED("logging_steps", "1"),
    FIXED("save_steps", "500"),
};

static const exchange_option axolotl_settings[] = {
    FIXED("base_model", "HF_MODEL"), /* replaced by the launch script */
    FIXED("output_dir", "OUTPUT"),
    FIXED("deepspeed", "ds_config.json"),
    VALUE("sequence_len", job.seq_len),
    FIXED_WHEN("sample_packing", "true", packs),
    FIXED("pad_to_sequence_len", "true"),
    VALUE("micro_batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    FIXED_WHEN("bf16", "true", has_bf16),
    FIXED_WHEN("fp16", "true", has_fp16),
    VALUE("gradient_checkpointing", said.recompute),
    FIXED_WHEN("adapter", "lora", has_lora),
    FIXED_WHEN("adapter", "qlora", has_qlora),
    VALUE_WHEN("lora_r", job.adapters.rank, exchange_has_adapters),
    VALUE_WHEN("lora_alpha", said.adapter_alpha, exchange_has_adapters),
    FIXED_WHEN("lora_target_linear", "true", exchange_has_all_targets),
    VALUE_WHEN("lora_target_modules", said.adapted_names,
        exchange_has_some_targets),
    VALUE_WHEN("lora_dropout", job.adapters.dropout,
        exchange_has_adapter_dropout),
    VALUE_WHEN("peft_use_dora", job.adapters.dora, has_dora),
    FIXED_WHEN("load_in_4bit", "true", has_nf4),
    FIXED_WHEN("load_in_8bit", "true", has_8bit),
    WORD_WHEN("base", job.adapters.base, bits, exchange_never),
    FIXED_WHEN("bnb_config_kwargs.bnb_4bit_use_double_quant", "false",
        has_single_scales),
    WORD("attn_implementation", job.attention, axolotl_kernels),
    FIXED_WHEN("plugins", "[axolotl.integrations.liger.LigerPlugin]",
        exchange_has_liger),
    VALUE_WHEN("liger_fused_linear_cross_entropy", said.liger,
        exchange_has_liger),
    FIXED("optimizer", "adamw_torch_fused"),
    FIXED("max_steps", "100"),
    FIXED_WHEN("learning_rate", "1.0e-5", exchange_trains_all),
    FIXED_WHEN("learning_rate", "2.0e-4", exchange_has_adapters),
    FIXED("logging_steps", "1"),
    FIXED("save_steps", "500"),
};

static const exchange_option swift_arguments[] = {
    HEAD("model and sequence"),
    RAW("model", "\"$HF_MODEL\""),
    FIXED_WHEN("tuner_type", "full", exchange_trains_all),
    FIXED_WHEN("tuner_type", "lora", exchange_has_adapters),
    VALUE_WHEN("freeze_vit", said.freezes_tower, trains_tower),
    VALUE_WHEN("freeze_aligner", said.freezes_projector, trains_tower),
    VALUE_WHEN("lora_rank", job.adapters.rank, exchange_has_adapters),
    FIXED_WHEN("target_modules", "all-linear", exchange_has_all_targets),
    VALUE_WHEN("target_regex", said.adapted_names, exchange_has_some_targets),
    VALUE_WHEN("lora_dropout", job.adapters.dropout,
        exchange_has_adapter_dropout),
    VALUE_WHEN("use_dora", job.adapters.dora, has_dora),
    WORD_WHEN("quant_bits", job.adapters.base, bits, has_packed),
    FIXED_WHEN("quant_method", "bnb", has_packed),
    FIXED_WHEN("bnb_4bit_use_double_quant", "false", has_single_scales),
    VALUE("max_length", job.seq_len),
    FIXED_WHEN("packing", "true", packs),
    HEAD("plan"),
    RAW("deepspeed", "\"$HERE/ds_config.json\""),
    VALUE("per_device_train_batch_size", plan.micro_batch),
    SOME("gradient_accumulation_steps", said.n_micro_batches),
    VALUE("bf16", said.bf16),
    VALUE("fp16", said.fp16),
    VALUE("gradient_checkpointing", said.recompute),
    WORD("attn_impl", job.attention, swift_kernels),
    VALUE_WHEN("use_liger_kernel", said.liger, exchange_has_liger),
    HEAD("to measure a step; put your data and schedule here"),
    RAW("dataset", "\"$DATASET\""),
    FIXED("max_steps", "100"),
    FIXED_WHEN("learning_rate", "1e-5", exchange_trains_all),
    FIXED_WHEN("learning_rate", "1e-4", exchange_has_adapters),
    FIXED("logging_steps", "1"),
    HEAD("checkpoints; --resume_from_checkpoint: yours"),
    RAW("output_dir", "\"$OUTPUT\""),
    FIXED("save_steps", "500"),
};
/* clang-format on */

/* All layers are recomputed or none, and DeepSpeed refuses MiCS of the present:
 * deepspeed.c. */
static void narrow(p3d_framework *framework)
{
    framework->hybrid_stages = 0;
    framework->modules = framework->usual_modules = 0;
    framework->lacks |= P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
                        P3D_LACKS_SELECTIVE | P3D_LACKS_FP8;
}

static void defaults(exchange_launch *launch)
{
    launch->plan = exchange_unsaid_plan();
    launch->said.offload_frac = 1;
}

static void say(exchange_launch *launch)
{
    const p3d_plan *const p = &launch->plan;
    exchange_said *const said = &launch->said;

    exchange_deepspeed_say_devices(launch);
    exchange_deepspeed_say_wire(launch);
    said->one_bit = launch->job.compression.one_bit;
    said->offload_frac = p->offload_frac > 0 ? p->offload_frac : 1;
    said->recompute = p->recompute == P3D_RECOMPUTE_FULL;
    said->keeps_all = !said->recompute;
    said->liger = launch->job.loss == P3D_LOSS_LIGER;
    said->freezes_tower =
            (launch->job.frozen & (P3D_PART_VISION | P3D_PART_AUDIO)) != 0;
    said->freezes_projector = (launch->job.frozen & P3D_PART_PROJECTOR) != 0;
    exchange_peft_say(launch);
}

#define HF_MODEL                                               \
    "export HF_MODEL=${HF_MODEL:?is the name of the model at " \
    "Hugging Face, or its folder}\n"
#define OUTPUT "export OUTPUT=${OUTPUT:-$HERE/output}\n"
#define JSON_OF_DEEPSPEED                                                  \
    {                                                                      \
        .form = EXCHANGE_JSON, .file = "ds_config.json", OPTIONS(settings) \
    }
#define ON_DEEPSPEED                                                      \
    .framework = "deepspeed-hf", .reads_as = "deepspeed", .n_tables = 2,  \
    .runner = EXCHANGE_RUN_TORCH, .narrow = narrow, .defaults = defaults, \
    .next_tokens = true, .say = say

const exchange_target exchange_to_hf_deepspeed = {
        .name = "hf-deepspeed",
        .title = "Hugging Face Trainer with DeepSpeed",
        .versions = "transformers 5.23.0, deepspeedai/DeepSpeed@edaa7221",
        .front = "transformers with DeepSpeed",
        ON_DEEPSPEED,
        .tables = {JSON_OF_DEEPSPEED,
                {.form = EXCHANGE_ARGUMENTS, OPTIONS(trainer_arguments)}},
        .program = "\"$TRAIN\"",
        .wrapper = &exchange_peft_wrapper,
        .can_say = exchange_peft_can_say,
        .notes = "TRAIN is run_clm.py of transformers' examples/pytorch/"
                 "language-modeling, or your\n"
                 "script on its Trainer; another one has another word than "
                 "--block_size\n",
        .variables = "export TRAIN=${TRAIN:-run_clm.py}\n" HF_MODEL
                     "export DATA_PATH=${DATA_PATH:?is a file of text, .txt, "
                     ".json or .csv}\n" OUTPUT,
};

const exchange_target exchange_to_llama_factory = {
        .name = "llama-factory",
        .title = "LLaMA-Factory with DeepSpeed",
        .versions = "llamafactory 0.9.5, deepspeedai/DeepSpeed@edaa7221",
        .front = "LLaMA-Factory with DeepSpeed",
        ON_DEEPSPEED,
        .tables = {JSON_OF_DEEPSPEED, {.form = EXCHANGE_YAML,
                                              .file = "llama_factory.yaml",
                                              OPTIONS(factory_settings)}},
        .program = "-m llamafactory.launcher \"$HERE/llama_factory.yaml\" \\\n"
                   "    \"model_name_or_path=$HF_MODEL\" \"dataset=$DATASET\" "
                   "\"output_dir=$OUTPUT\" \\\n"
                   "    \"deepspeed=$HERE/ds_config.json\"",
        .notes = "stage pt packs whole sequences, as the estimate has them; "
                 "for sft say template too\n",
        .variables = HF_MODEL
        "export DATASET=${DATASET:?is a name in dataset_info.json}\n" OUTPUT,
};

const exchange_target exchange_to_axolotl = {
        .name = "axolotl",
        .title = "axolotl with DeepSpeed",
        .versions = "axolotl 0.19.0, deepspeedai/DeepSpeed@edaa7221",
        .front = "transformers with DeepSpeed",
        ON_DEEPSPEED,
        .tables = {JSON_OF_DEEPSPEED,
                {.form = EXCHANGE_YAML,
                        .file = "axolotl.yaml",
                        .before = "# your data: a name at Hugging Face, or a "
                                  "file\n"
                                  "datasets:\n"
                                  "  - path: DATASET\n"
                                  "    type: completion\n",
                        OPTIONS(axolotl_settings)}},
        .program = "-m axolotl.cli.train \"$HERE/axolotl.yaml\" \\\n"
                   "    --base_model \"$HF_MODEL\" --output_dir \"$OUTPUT\" "
                   "\\\n"
                   "    --deepspeed \"$HERE/ds_config.json\"",
        .notes = "put your data under datasets in axolotl.yaml\n",
        .variables = HF_MODEL OUTPUT,
};

const exchange_target exchange_to_ms_swift = {
        .name = "ms-swift",
        .title = "ms-swift with DeepSpeed",
        .versions = "ms-swift 4.6.0, deepspeedai/DeepSpeed@edaa7221",
        .front = "ms-swift with DeepSpeed",
        ON_DEEPSPEED,
        .tables = {JSON_OF_DEEPSPEED,
                {.form = EXCHANGE_ARGUMENTS, OPTIONS(swift_arguments)}},
        .program = "-m swift.cli.sft",
        .notes = "for pre-training run swift.cli.pt; ms-swift-megatron has "
                 "tensor and pipeline parallelism\n",
        .variables = HF_MODEL "export DATASET=${DATASET:?is a name or a file "
                              "of the data}\n" OUTPUT,
};
