/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fronts.c - what scripts, templates and names of models tell of programs
 * that have names and defaults of their own. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/read/doubt.h"
#include "exchange/read/front.h"
#include "exchange/read/import_steps.h"
#include "exchange/read/model_word.h"

static exchange_settings settings;
static const exchange_front *front;

static void read_on(int n_gpus, const char *path, const char *text)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

    exchange_settings_free(&settings);
    settings.n_nodes = 1;
    settings.gpus_per_node = n_gpus;
    if (!exchange_read_text((exchange_text){path, text, strlen(text)},
                &settings, &measured, &err) ||
            !exchange_front_apply(&settings, &front, &err))
        fail_msg("%s", err.text);
}

static void says(const char *name, const char *value)
{
    const exchange_setting *const found =
            exchange_settings_find(&settings, name, true);

    if (found == NULL)
        fail_msg("'%s' is not said", name);
    if (value == NULL)
        assert_null(found->value);
    else
        assert_string_equal(found->value, value);
}

/* A remark of a kind that begins so. */
static bool remarks(char kind, const char *words)
{
    for (int i = 0; i < settings.n; i++)
        if (settings.at[i].name[0] == kind &&
                strncmp(settings.at[i].name + 1, words, strlen(words)) == 0)
            return true;
    return false;
}

static int forget(void **state)
{
    (void)state;
    exchange_settings_free(&settings);
    return 0;
}

static void names_of_functions_are_those_of_models(void **state)
{
    static const char *const names[][2] = {
            {"torchtune.models.qwen2.lora_qwen2_1_5b", "qwen2-1.5b"},
            {"torchtune.models.qwen3.qwen3_0_6b", "qwen3-0.6b"},
            {"torchtune.models.llama3_1.llama3_1_8b", "llama3.1-8b"},
            {"torchtune.models.qwen2_5.qwen2_5_3b", "qwen2.5-3b"},
            {"torchtune.models.qwen2_5.qwen2_5_0_5b", "qwen2.5-0.5b"},
            {"torchtune.models.qwen3.lora_qwen3_0_6b_base", "qwen3-0.6b-base"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        p3d_text name = {0};

        exchange_model_name(names[i][0], &name);
        assert_string_equal(p3d_text_get(&name), names[i][1]);
        p3d_text_free(&name);
    }
}

static void names_tell_of_weights_in_few_bits(void **state)
{
    (void)state;
    assert_true(exchange_is_quantized("Qwen/Qwen-7B-Chat-Int4"));
    assert_true(exchange_is_quantized("x/Meta-Llama-3-8B-Instruct-GPTQ"));
    assert_true(exchange_is_quantized("unsloth/gemma-bnb-4bit"));
    assert_false(exchange_is_quantized("Qwen/Qwen3-4B"));
    assert_true(exchange_is_in_4_bits("x/Meta-Llama-3-8B-Instruct-AWQ"));
    assert_false(exchange_is_in_4_bits("Qwen/Qwen1.5-7B-GPTQ-Int8"));
    assert_false(exchange_is_in_4_bits("x/Meta-Llama-3-8B-AQLM-2Bit-1x16"));
}

/* torchrun starts a process a GPU; of accelerate a configuration decides. */
static void launchers_tell_whether_replicas_are_whole(void **state)
{
    static const char options[] =
            " t.py --model_name_or_path a --per_device_train_batch_size 1 "
            "--model_max_length 512 --bf16 True\n";
    char text[256];

    (void)state;
    snprintf(text, sizeof(text), "torchrun --nproc_per_node 8%s", options);
    read_on(8, "a.sh", text);
    assert_string_equal(front->title, "transformers with DDP");
    assert_false(remarks('&', "sharding"));
    snprintf(text, sizeof(text), "NPROC_PER_NODE=8 accelerate launch%s",
            options);
    read_on(8, "a.sh", text);
    assert_true(remarks('&', "sharding"));
    read_on(1, "a.sh", text);
    assert_false(remarks('&', "sharding"));
}

/* A file of LLaMA-Factory may be one for accelerate, which shards: its name or
 * a comment says so. */
static void files_that_speak_of_fsdp_are_in_doubt(void **state)
{
    static const char text[] =
            "model_name_or_path: a\nstage: sft\nfinetuning_type: full\n"
            "cutoff_len: 512\nper_device_train_batch_size: 1\n";
    char commented[sizeof(text) + 32];

    (void)state;
    read_on(8, "sft.yaml", text);
    assert_false(remarks('&', "sharding"));
    read_on(8, "sft_FSDP.yaml", text);
    assert_true(remarks('&', "sharding"));
    snprintf(commented, sizeof(commented), "# for FSDP training\n%s", text);
    read_on(8, "sft.yaml", commented);
    assert_true(remarks('&', "sharding"));
}

/* What stands in a variable behind an option is none of its value. */
static void options_of_a_variable_end_a_value(void **state)
{
    (void)state;
    read_on(8, "a.sh",
            "ARGS=\" \\\n  --num-layers 24 \\\n  --fp16 \\\n\"\n"
            "torchrun p.py --pipeline-model-parallel-size 2 $ARGS --x 1\n");
    says("pipeline-model-parallel-size", "2");
    says("num-layers", "24");
    says("x", "1");
}

/* A program may do something else with the options of a training. */
static void programs_that_do_not_train_are_in_doubt(void **state)
{
    (void)state;
    read_on(8, "a.sh", "torchrun text_generation_ptq.py --num-layers 2\n");
    says("no_training", "text_generation_ptq.py");
    read_on(8, "a.sh",
            "torchrun tools/generate_samples_gpt.py --num-layers 2\n");
    says("no_training", "generate_samples_gpt.py");
    read_on(8, "a.sh",
            "python main_ppo_split.py actor_rollout_ref.model.path=a "
            "actor_rollout_ref.actor.ppo_mini_batch_size=64 "
            "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2\n");
    assert_true(remarks('&', "the GPUs that generate"));
}

/* 24,000 tokens hold 15 sequences of 1,536: 16 divide the 160 of a replica. */
static void dynamic_micro_batches_fit_the_batch(void **state)
{
#define ACTOR "actor_rollout_ref.actor."
    (void)state;
    read_on(8, "a.sh",
            "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo "
            "data.max_prompt_length=1024 data.max_response_length=512 "
            "actor_rollout_ref.model.path=Qwen/Qwen2.5-1.5B " ACTOR
            "ppo_mini_batch_size=256 " ACTOR "use_dynamic_bsz=True " ACTOR
            "ppo_max_token_len_per_gpu=24000 actor_rollout_ref.rollout.n=5\n");
    says("train_batch_size", "1280");
    says("train_micro_batch_size_per_gpu", "16");
    assert_true(remarks('~', "the actor's step"));
    assert_false(remarks('&', "the critic"));
}

/* Two ranks of a sequence hold twice the tokens, and are one replica of 4. */
static void ranks_that_exchange_heads_share_sequences(void **state)
{
    (void)state;
    read_on(8, "a.sh",
            "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo "
            "data.max_prompt_length=512 data.max_response_length=3584 "
            "actor_rollout_ref.model.path=a "
            "actor_rollout_ref.actor.ppo_mini_batch_size=64 "
            "actor_rollout_ref.actor.use_dynamic_bsz=True "
            "actor_rollout_ref.actor.fsdp_config.fsdp_size=4 "
            "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8192 "
            "actor_rollout_ref.actor.ulysses_sequence_parallel_size=2\n");
    says("ds-sequence-parallel-size", "2");
    says("zero_optimization.mics_shard_size", "4");
    says("train_micro_batch_size_per_gpu", "4");
    read_on(8, "a.sh",
            "python3 -m verl.trainer.main_ppo data.max_prompt_length=512 "
            "data.max_response_length=1024 actor_rollout_ref.model.path=a "
            "actor_rollout_ref.actor.ppo_mini_batch_size=64 "
            "actor_rollout_ref.actor.ppo_micro_batch_size=64 "
            "actor_rollout_ref.actor.ulysses_sequence_parallel_size=2\n");
    says("train_micro_batch_size_per_gpu", "16");
}

/* Half of OLMo's ratio is that of a gated MLP; one in four of 16 layers is
 * recomputed. Oumi's weights are of the type that they are loaded in. */
static void files_of_laboratories_have_their_names(void **state)
{
    (void)state;
    read_on(8, "a.yaml",
            "model:\n  d_model: 1024\n  n_layers: 16\n  n_heads: 8\n"
            "  mlp_ratio: 8\n  weight_tying: false\n  rope: true\n"
            "  max_sequence_length: 2048\n"
            "activation_checkpointing: one_in_four\n"
            "device_train_microbatch_size: 2\nprecision: amp_bf16\n");
    says("ffn-hidden-size", "4096");
    says("recompute-granularity", "full");
    says("recompute-method", "block");
    says("recompute-num-layers", "4");
    says("zero_optimization.stage", "3");
    says("vocab-size", "50304");
    assert_true(remarks('&', "weights that are gathered in larger units"));
    read_on(8, "a.yaml",
            "model:\n  model_name: Qwen/Qwen3-8B\n  model_max_length: 4096\n"
            "  torch_dtype_str: bfloat16\n"
            "training:\n  trainer_type: TRL_DPO\n  compile: true\n"
            "deepspeed:\n  enable_deepspeed: true\n  zero_stage: ZERO_2\n");
    says("zero_optimization.stage", "2");
    says("weights_in_16_bit", "true");
    says("preference", "self");
    says("train_micro_batch_size_per_gpu", "8");
    says("recompute-granularity", "none");
    assert_true(remarks('&', "torch.compile"));
    read_on(8, "a.yaml",
            "modules:\n  post_trainer:\n    framework: megatron_bridge\n"
            "    model: qwen3_32b.yaml\n    overrides:\n"
            "      tensor_model_parallel_size: 2\n      seq_length: 8192\n"
            "      precision_config: bf16_mixed\n");
    says("tensor-model-parallel-size", "2");
    says("bf16", "true");
    says("use-distributed-optimizer", "true");
    read_on(8, "a.yaml",
            "base_model: Qwen/Qwen3-8B\nsequence_len: 2048\nbf16: true\n"
            "fp16:\nmicro_batch_size: 1\n");
    says("bf16.enabled", "true");
    assert_null(exchange_settings_find(&settings, "fp16.enabled", true));
    read_on(8, "a.yaml",
            "model_id_or_path: mistralai/Mistral-7B-v0.3\nseq_len: 8192\n"
            "batch_size: 2\nnum_microbatches: 4\nlora:\n  rank: 64\n"
            "run_dir: a\n");
    says("train_micro_batch_size_per_gpu", "2");
    says("gradient_accumulation_steps", "4");
    says("lora_rank", "64");
    says("recompute-granularity", "full");
    read_on(8, "a.yaml",
            "train_cfgs:\n  per_device_train_batch_size: 4\n  bf16: true\n"
            "  scale_coeff: 0.1\nmodel_cfgs:\n"
            "  model_name_or_path: Qwen/Qwen3-8B\n  model_max_length: 2048\n");
    says("train_micro_batch_size_per_gpu", "4");
    says("seq-length", "2048");
    assert_true(remarks('&', "pairs of answers"));
}

/* Of a micro-batch for all GPUs each has its part. */
static void a_micro_batch_of_all_gpus_is_shared(void **state)
{
    (void)state;
    read_on(8, "a.sh",
            "python3 -m verl.trainer.main_ppo "
            "actor_rollout_ref.model.path=Qwen/Qwen2.5-1.5B " ACTOR
            "ppo_mini_batch_size=64 " ACTOR "ppo_micro_batch_size=32\n");
    says("train_micro_batch_size_per_gpu", "4");
    assert_true(remarks('&', "the critic"));
}

/* 32 questions with 8 answers each, in two steps. */
static void batches_of_rollouts_are_shared_by_their_steps(void **state)
{
    (void)state;
    read_on(8, "a.sh",
            "ray job submit -- python3 train.py --hf-checkpoint a "
            "--num-layers 2 --rollout-batch-size 32 --n-samples-per-prompt 8 "
            "--num-steps-per-rollout 2 --rollout-max-response-len 4096 "
            "--use-dynamic-batch-size --max-tokens-per-gpu 9216 "
            "--context-parallel-size 2 --no-offload-rollout --colocate\n");
    assert_string_equal(front->title, "slime");
    says("global-batch-size", "128");
    says("micro-batch-size", "4"); /* of 18,432 tokens: 4 of 4,608 */
    says("seq-length", "4608");
    assert_true(remarks('&', "the engines"));
}

static void a_value_may_be_that_of_its_neighbour(void **state)
{
    (void)state;
    read_on(8, "a.yaml",
            "trainer:\n  precision: bf16\nmodel:\n  encoder_seq_length: 2048\n"
            "  max_position_embeddings: ${.encoder_seq_length}\n"
            "  other: ${.nothing}\n");
    says("max_position_embeddings", "2048");
    says("other", "${.nothing}");
}

/* Scripts of plan3d export have the model and the file of the plan at their
 * head; others say nothing by a comment. */
static void exported_scripts_name_their_model(void **state)
{
    (void)state;
    read_on(8, "launch.sh",
            "#!/bin/bash\n"
            "# Made by plan3d 0.1.0 for Megatron-Bridge (NeMo).\n"
            "# model: llama-3-8b, cluster: 8 x H100-SXM5-80GB\n"
            "torchrun recipe.py\n");
    says(EXCHANGE_MADE_MODEL, "llama-3-8b");
    says(EXCHANGE_MADE_FILE, "recipe.py");
    read_on(8, "launch.sh",
            "# Made by plan3d 0.1.0 for nothing.\n"
            "# model: llama-3-8b, cluster: 8 x H100\ntorchrun a.py --tp 2\n");
    assert_null(exchange_settings_find(&settings, EXCHANGE_MADE_MODEL, false));
    read_on(8, "launch.sh", "# model: a, cluster: b\ntorchrun a.py --tp 2\n");
    assert_null(exchange_settings_find(&settings, EXCHANGE_MADE_MODEL, false));
}

/* "sed" of a template that is not there, or by an expression, says nothing. */
static void edits_that_are_not_plain_are_left(void **state)
{
    static const char *const scripts[] = {
            "sed 's/A/1/' nothing.json > b.json\n",
            "sed 's/A.*/1/' tests/import/edited.json > b.json\n",
            "sed -i 's/STAGE/1/' tests/import/edited.json\n",
            "sed -n 5p tests/import/edited.json | cut -c1 > b.json\n",
            "sed 's/STAGE/1' tests/import/edited.json > b.json\n", "sed\n"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(scripts); i++) {
        read_on(8, "a.sh", scripts[i]);
        assert_null(exchange_settings_find(
                &settings, "zero_optimization.stage", true));
    }
}

/* Options of a training whose pairs are known are in no doubt. */
static void preferences_are_words_of_a_job(void **state)
{
    (void)state;
    read_on(1, "a.yaml",
            "model_name_or_path: a\nstage: dpo\nfinetuning_type: full\n"
            "cutoff_len: 512\nper_device_train_batch_size: 1\n");
    says(EXCHANGE_PREFERENCE, "self");
    read_on(1, "a.yaml",
            "model_name_or_path: a\nstage: dpo\npref_loss: simpo\n"
            "finetuning_type: full\ncutoff_len: 512\n");
    says(EXCHANGE_PREFERENCE, "pairs");
    read_on(1, "a.yaml",
            "base_model: a\nrl: dpo\nsequence_len: 512\nmicro_batch_size: 1\n"
            "optimizer: paged_adamw_8bit\nbf16: true\n");
    says(EXCHANGE_PREFERENCE, "self");
    says(EXCHANGE_OPTIMIZER, "adam-8bit");
    says(EXCHANGE_WEIGHTS_16, "true");
}

/* Which parts of a model with a tower scripts of LLaVA's kind train. */
static void scripts_say_which_parts_they_train(void **state)
{
    static const unsigned language =
            P3D_PART_EMBEDDINGS | P3D_PART_ATTENTION | P3D_PART_MLP |
            P3D_PART_EXPERTS | P3D_PART_ROUTER | P3D_PART_NORMS | P3D_PART_HEAD;
    static const unsigned tower = P3D_PART_VISION | P3D_PART_AUDIO;
    static const struct {
        const char *options;
        unsigned frozen;
    } rows[] = {{"--vision_tower a", tower},
            {"--vision_tower a --unfreeze_mm_vision_tower True", 0},
            {"--vision_tower a --tune_mm_mlp_adapter True", tower | language},
            {"--mm_tunable_parts mm_mlp_adapter,mm_language_model", tower},
            {"--mm_tunable_parts mm_vision_tower",
                    P3D_PART_PROJECTOR | language},
            {"--tune_type_llm frozen --tune_type_connector full", language},
            {"--tune_mm_vision False --tune_mm_llm True", tower},
            {"--freeze_backbone True", 0},
            {"--force_image_size 448 --freeze_backbone True", tower},
            {"--freeze_merger True --freeze_llm False", P3D_PART_PROJECTOR}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        char text[160];

        snprintf(text, sizeof(text), "python a.py %s\n", rows[i].options);
        read_on(8, "a.sh", text);
        assert_int_equal(
                exchange_read_towers(&settings, "a").frozen, rows[i].frozen);
    }
}

/* A tower that is known by its name has the parameters of its model. */
static void towers_are_known_by_their_names(void **state)
{
    p3d_model model, whole;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_model_find("llava-1.5-7b", &whole, &err));
    assert_true(p3d_model_find("llama-2-7b", &model, &err));
    read_on(8, "a.sh",
            "python a.py --vision_tower x/clip-vit-large-patch14-336 "
            "--mm_projector_type mlp2x_gelu\n");
    assert_true(exchange_add_tower(&settings, &model, &err));
    assert_int_equal(p3d_tower_params(&model), p3d_tower_params(&whole));
    assert_int_equal(model.tower.image_tokens, whole.tower.image_tokens);
    assert_true(p3d_model_find("llama-2-7b", &model, &err));
    read_on(8, "a.sh", "python a.py --vision_tower x/dinov2-large\n");
    assert_true(exchange_add_tower(&settings, &model, &err));
    assert_int_equal(model.tower.hidden, 0);
    assert_false(exchange_settings_find(&settings, "vision_tower", true)->used);
}

/* Options that no table knows, and that change what a step costs. */
static void options_that_change_a_step_are_in_doubt(void **state)
{
    static const char *const names[] = {"vision_tower", "vision-model-type",
            "mm_tunable_parts", "image_aspect_ratio", "torch_compile",
            "use_prefix_grouper", "experimental.custom_args_module",
            "swap-attention", "num-layer-list", "enable-mtp-training",
            "linear-key-head-dim", "experimental-attention-variant",
            "enable-dsa-indexer", "spec", "rl", "ebft.mode", "max_frames",
            "qat.group_size", "train_impl", "task",
            "curriculum_learning.enabled", "other_model"};
    static const char *const harmless[] = {"spec-file", "specific",
            "pretrain_mm_mlp_adapter", "mm_use_im_start_end", "image_folder"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (exchange_doubt_of(names[i], "x") == NULL)
            fail_msg("%s is in no doubt", names[i]);
    for (int i = 0; i < P3D_COUNT_OF(harmless); i++)
        if (exchange_doubt_of(harmless[i], "x") != NULL)
            fail_msg("%s is in doubt", harmless[i]);
    assert_non_null(exchange_doubt_of("stage", "cls"));
    assert_null(exchange_doubt_of("stage", "sft"));
    assert_false(exchange_doubt_of("lora_mlp_kernel", "true")->freezes);
    assert_null(exchange_doubt_of("optim.total_training_steps", "-1"));
}

static void parts_of_files_are_referred_to(void **state)
{
    (void)state;
    read_on(8, "a.yaml",
            "parameters:\n  max_seq_len: 4096\n"
            "  global_train_batch_size: 8\n"
            "  note:\n    name: ${max_seq_len}\n");
    says("note.name", "4096");
}

/* Programs of Megatron-LM for models with other layers than a decoder's. */
static void programs_of_other_models_are_known(void **state)
{
    (void)state;
    read_on(8, "a.sh", "torchrun pretrain_bert.py --num-layers 24\n");
    says(EXCHANGE_OTHER_MODEL, "pretrain_bert.py");
    read_on(8, "a.sh", "torchrun pretrain_gpt.py --vocab-file b/vocab.txt\n");
    says(EXCHANGE_OTHER_MODEL, "b/vocab.txt");
    read_on(8, "a.sh", "torchrun pretrain_gpt.py --vocab-file b/vocab.json\n");
    assert_null(exchange_settings_find(&settings, EXCHANGE_OTHER_MODEL, true));
}

/* GPT-NeoX's ParallelMLP of gates has a third of the width that is said, in
 * multiples: configs/llama2/7B.yml has the 11,008 of Llama 2, 70B.yml its
 * 28,672; LLaMAParallelMLP before it had the width itself. */
static void neox_gates_have_a_third_of_the_width(void **state)
{
    static const struct {
        const char *lines, *width;
    } rows[] = {{"activation: swiglu\nintermediate_size: 32768\n"
                 "mlp_multiple_of: 256\n",
                        "11008"},
            {"activation: swiglu\nintermediate_size: 86016\n"
             "mlp_multiple_of: 256\n",
                    "28672"},
            {"activation: swiglu\n", "5461"},
            {"intermediate_size: 3072\n", "3072"},
            {"mlp_type: llama\nintermediate_size: 14336\n", "14336"},
            {"mlp_type: llama\n", "11008"}};
    char text[300];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        snprintf(text, sizeof(text),
                "pipe_parallel_size: 1\nmodel_parallel_size: 1\n"
                "num_layers: 32\nhidden_size: 4096\n%s",
                rows[i].lines);
        read_on(8, "neox.yml", text);
        assert_string_equal(front->title, "GPT-NeoX");
        says("ffn-hidden-size", rows[i].width);
    }
}

static bool has_doubts(const char *name)
{
    const exchange_setting *const found =
            exchange_settings_find(&settings, name, true);

    return found != NULL && !found->used;
}

static void one_expert_of_neox_is_none(void **state)
{
    (void)state;
    read_on(8, "neox.yml",
            "pipe_parallel_size: 0\nmodel_parallel_size: 1\n"
            "num_layers: 12\nmoe_num_experts: 1\nmoe_top_k: 1\n"
            "moe_router_type: topk\nmlp_type: regular\n");
    assert_false(has_doubts("moe_num_experts"));
    assert_false(has_doubts("moe_top_k"));
    assert_false(has_doubts("moe_router_type"));
    read_on(8, "neox.yml",
            "pipe_parallel_size: 0\nmodel_parallel_size: 1\n"
            "num_layers: 12\nmoe_num_experts: 8\nmoe_top_k: 1\n");
    assert_true(has_doubts("moe_num_experts"));
    assert_true(has_doubts("moe_top_k"));
}

static void fused_kernels_of_verl_keep_no_logits(void **state)
{
    static const char script[] =
            "python3 -m verl.trainer.main_ppo \\\n"
            "  actor_rollout_ref.model.path=Qwen/Qwen3-8B \\\n"
            "  actor_rollout_ref.actor.ppo_mini_batch_size=8 \\\n"
            "  actor_rollout_ref.model.use_fused_kernels=%s\n";
    char text[300];

    (void)state;
    snprintf(text, sizeof(text), script, "True");
    read_on(8, "a.sh", text);
    says("use_liger_kernel", "true");
    snprintf(text, sizeof(text), script, "False");
    read_on(8, "a.sh", text);
    assert_null(exchange_settings_find(&settings, "use_liger_kernel", true));
}

/* verl@1dda039b verl/trainer/config/engine/veomni.yaml. */
static void verl_on_veomni_has_its_words(void **state)
{
    (void)state;
    read_on(8, "a.sh",
            "python3 -m verl.trainer.main_ppo model_engine=veomni \\\n"
            "  actor_rollout_ref.model.path=Qwen/Qwen3-8B \\\n"
            "  actor_rollout_ref.actor.ppo_mini_batch_size=8 \\\n"
            "  actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \\\n"
            "  actor_rollout_ref.actor.veomni.enable_full_shard=False \\\n"
            "  actor_rollout_ref.actor.veomni.expert_parallel_size=4 \\\n"
            "  actor_rollout_ref.actor.veomni.ulysses_parallel_size=2\n");
    says("zero_optimization.stage", "2");
    says("ds-sequence-parallel-size", "2");
    says("train_micro_batch_size_per_gpu", "2");
    assert_true(
            has_doubts("actor_rollout_ref.actor.veomni.expert_parallel_size"));
}

static void heads_beside_the_model_make_another(void **state)
{
    (void)state;
    assert_true(exchange_is_other_model("-MTP"));
    assert_true(exchange_is_other_model("-Medusa"));
    assert_false(exchange_is_other_model("-Instruct"));
}

/* Experts over ranks are Automodel's, which shares them as torchtitan does. */
static void nemo_rl_shares_experts_as_automodel(void **state)
{
    static const char policy[] = "policy:\n"
                                 "  model_name: Qwen/Qwen3-30B-A3B\n"
                                 "  train_global_batch_size: 128\n"
                                 "  train_micro_batch_size: 2\n"
                                 "  max_total_sequence_length: 4096\n"
                                 "  dtensor_cfg:\n    enabled: true\n";
    char text[400];

    (void)state;
    snprintf(text, sizeof(text),
            "%s    expert_parallel_size: 8\n"
            "    activation_checkpointing: true\n",
            policy);
    read_on(16, "grpo.yaml", text);
    assert_string_equal(front->target, "torchtitan");
    says("parallelism.expert_parallel_degree", "8");
    says("training.local_batch_size", "2");
    says("training.seq_len", "4096");
    says("activation_checkpoint.mode", "full");
    snprintf(text, sizeof(text), "%s    expert_parallel_size: 1\n", policy);
    read_on(16, "grpo.yaml", text);
    assert_string_equal(front->target, "accelerate");
}

static void nemo_rl_has_fp8_on_megatron(void **state)
{
    (void)state;
    read_on(8, "grpo.yaml",
            "policy:\n  train_global_batch_size: 8\n  megatron_cfg:\n"
            "    enabled: true\n    fp8_cfg:\n      enabled: true\n"
            "      fp8: e4m3\n      fp8_recipe: blockwise\n");
    says("fp8-format", "e4m3");
    says("fp8-recipe", "blockwise");
    read_on(8, "grpo.yaml",
            "policy:\n  train_global_batch_size: 8\n  megatron_cfg:\n"
            "    enabled: true\n    fp8_cfg:\n      enabled: false\n"
            "      fp8: e4m3\n");
    assert_null(exchange_settings_find(&settings, "fp8-format", true));
}

/* gradient_checkpointing is of all layers or none. DeepSpeed's own arguments
 * have numbers, and what the files say stays legal. */
static void trainers_recompute_all_layers_or_none(void **state)
{
    const unsigned some = P3D_LACKS_LAYER_COUNTS | P3D_LACKS_LAYER_GROUPS |
                          P3D_LACKS_SELECTIVE;
    p3d_plan plan = {.recompute = P3D_RECOMPUTE_FULL, .recompute_group = 1};
    p3d_framework framework = {.name = "any"};

    (void)state;
    read_on(4, "train.py",
            "args = TrainingArguments(per_device_train_batch_size=4,\n"
            "                         gradient_checkpointing=True)\n");
    assert_string_equal(front->title, "transformers with DDP");
    exchange_narrow(front, &exchange_to_deepspeed, &plan, &framework);
    assert_int_equal(framework.lacks, some);
    framework.lacks = 0;
    exchange_narrow(NULL, &exchange_to_deepspeed, &plan, &framework);
    assert_int_equal(framework.lacks, 0);
    plan.recompute_layers = 3;
    exchange_narrow(front, &exchange_to_deepspeed, &plan, &framework);
    assert_int_equal(framework.lacks, some & ~(unsigned)P3D_LACKS_LAYER_COUNTS);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(names_of_functions_are_those_of_models),
            cmocka_unit_test(names_tell_of_weights_in_few_bits),
            TEST(parts_of_files_are_referred_to),
            TEST(launchers_tell_whether_replicas_are_whole),
            TEST(files_that_speak_of_fsdp_are_in_doubt),
            TEST(options_of_a_variable_end_a_value),
            TEST(programs_that_do_not_train_are_in_doubt),
            TEST(dynamic_micro_batches_fit_the_batch),
            TEST(files_of_laboratories_have_their_names),
            TEST(ranks_that_exchange_heads_share_sequences),
            TEST(a_micro_batch_of_all_gpus_is_shared),
            TEST(batches_of_rollouts_are_shared_by_their_steps),
            TEST(a_value_may_be_that_of_its_neighbour),
            TEST(exported_scripts_name_their_model),
            TEST(edits_that_are_not_plain_are_left),
            TEST(preferences_are_words_of_a_job),
            TEST(scripts_say_which_parts_they_train),
            TEST(towers_are_known_by_their_names),
            cmocka_unit_test_teardown(
                    neox_gates_have_a_third_of_the_width, forget),
            cmocka_unit_test_teardown(one_expert_of_neox_is_none, forget),
            TEST(fused_kernels_of_verl_keep_no_logits),
            TEST(verl_on_veomni_has_its_words),
            cmocka_unit_test(heads_beside_the_model_make_another),
            cmocka_unit_test_teardown(
                    nemo_rl_shares_experts_as_automodel, forget),
            cmocka_unit_test_teardown(nemo_rl_has_fp8_on_megatron, forget),
            TEST(trainers_recompute_all_layers_or_none),
            cmocka_unit_test(options_that_change_a_step_are_in_doubt),
            TEST(programs_of_other_models_are_known)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
