/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fronts_ray.c - programs that train on answers on a part of the cluster
 * or on all of it, those of the past, and recipes that functions change. */
#include "fronts.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/read/doubt.h"
#include "exchange/read/front.h"
#include "exchange/read/functions.h"
#include "exchange/read/model_word.h"

static void read_on(int n_nodes, int n_gpus, const char *path, const char *text)
{
    exchange_measured measured = {0};
    const char *const function = settings.function;
    p3d_error err = {0};

    exchange_settings_free(&settings);
    settings.function = function;
    settings.n_nodes = n_nodes;
    settings.gpus_per_node = n_gpus;
    if (!exchange_read_text((exchange_text){path, text, strlen(text)},
                &settings, &measured, &err) ||
            !exchange_front_apply(&settings, &front, &err))
        fail_msg("%s", err.text);
}

#define RAY "ray job submit -- python3 -m openrlhf.cli.train_ppo_ray "

/* The actor has 4 of 16 GPUs where the models do not share them, and all where
 * they do; before, options had no parts. */
static void an_actor_has_its_own_gpus(void **state)
{
    (void)state;
    read_on(2, 8, "a.sh",
            RAY "--actor_num_nodes 1 --actor_num_gpus_per_node 4 "
                "--ref_num_gpus_per_node 2 --pretrain meta-llama/Llama-3-8B "
                "--micro_train_batch_size 2 --train_batch_size 128 "
                "--prompt_max_len 512 --generate_max_len 1536 --zero_stage 3 "
                "--bf16 --adam_offload --gradient_checkpointing\n");
    assert_string_equal(front->title, "OpenRLHF under Ray");
    assert_int_equal(settings.n_nodes * settings.gpus_per_node, 4);
    assert_true(remarks('~', "its GPUs alone: 4 of the cluster's 16"));
    says("train_micro_batch_size_per_gpu", "2");
    says("train_batch_size", "128");
    says("seq-length", "2048");
    says("zero_optimization.stage", "3");
    says("zero_optimization.offload_optimizer.device", "cpu");
    says("recompute-granularity", "full");
    assert_false(remarks('&', "the reference model"));
    read_on(1, 8, "a.sh",
            RAY "--actor.num_nodes 1 --actor.num_gpus_per_node 4 "
                "--train.colocate_all --train.batch_size 128 "
                "--train.micro_batch_size 1 --data.max_len 4096\n");
    assert_int_equal(settings.gpus_per_node, 8);
    assert_true(remarks('&', "the reference model"));
    assert_true(remarks('&', "the critic"));
    assert_true(remarks('&', "the engines"));
    says("seq-length", "4096");
    says("zero_optimization.stage", "2");
}

/* A number of tokens takes the place of a micro-batch, of all ranks of a ring.
 */
static void rings_share_a_number_of_tokens(void **state)
{
    (void)state;
    read_on(1, 8, "a.sh",
            RAY "--actor.num_nodes 1 --actor.num_gpus_per_node 8 "
                "--train.colocate_all --train.batch_size 128 "
                "--train.dynamic_batch_enable --train.max_tokens_per_gpu 16384 "
                "--ds.ring_attn_size 2 --data.max_len 8192 "
                "--algo.kl.init_coef 0 --vllm.enable_sleep "
                "--algo.advantage.estimator rloo\n");
    says("train_micro_batch_size_per_gpu", "4");
    says("ds-sequence-parallel-size", "2");
    says("SEQUENCE_PARALLEL_IMPL", "ring_attention");
    assert_false(remarks('&', "the reference model"));
    assert_false(remarks('&', "the critic"));
    assert_false(remarks('&', "the engines"));
}

/* Learners of open-instruct, a number for each node; 16 questions with 4
 * answers each. */
static void learners_have_their_own_gpus(void **state)
{
    (void)state;
    read_on(3, 8, "a.sh",
            "python open_instruct/grpo_fast.py --num_learners_per_node 8 8 "
            "--deepspeed_stage 3 --per_device_train_batch_size 1 "
            "--max_prompt_token_length 2048 --response_length 6144 "
            "--pack_length 8192 --num_unique_prompts_rollout 16 "
            "--num_samples_per_prompt_rollout 4 --beta 0.0\n");
    assert_string_equal(front->title, "open-instruct's GRPO");
    assert_int_equal(settings.n_nodes, 2);
    assert_int_equal(settings.gpus_per_node, 8);
    says("train_batch_size", "64");
    says("seq-length", "8192");
    says("zero_optimization.stage", "3");
    assert_false(remarks('&', "the reference model"));
}

/* The policy of verl and slime has GPUs of its own where files say so. */
static void a_part_that_is_all_needs_no_word(void **state)
{
    (void)state;
    read_on(2, 8, "a.sh",
            "python3 train.py --hf-checkpoint a --num-layers 2 "
            "--rollout-batch-size 32 --global-batch-size 256 "
            "--actor-num-nodes 1 --actor-num-gpus-per-node 8\n");
    assert_string_equal(front->title, "slime");
    assert_int_equal(settings.n_nodes, 1);
    read_on(1, 8, "a.sh",
            "python3 train.py --hf-checkpoint a --num-layers 2 "
            "--rollout-batch-size 32 --global-batch-size 256 "
            "--actor-num-nodes 1 --actor-num-gpus-per-node 8\n");
    assert_false(remarks('~', "its GPUs alone"));
    read_on(2, 8, "a.sh",
            "python3 train.py --hf-checkpoint a --num-layers 2 --colocate "
            "--rollout-batch-size 32 --global-batch-size 256 "
            "--actor-num-nodes 1 --actor-num-gpus-per-node 8\n");
    assert_int_equal(settings.n_nodes, 2);
}

/* GRPOConfig of trl 0.16: questions of 512 tokens, answers of 256. */
static void answers_of_trl_have_lengths(void **state)
{
    (void)state;
    read_on(1, 8, "a.sh",
            "torchrun --nproc_per_node 8 grpo.py --deepspeed zero3 "
            "--model_name_or_path Qwen/Qwen2.5-7B --bf16 true "
            "--per_device_train_batch_size 4 --num_generations 8 "
            "--max_completion_length 1536 --beta 0.0\n");
    assert_string_equal(front->title, "TRL's GRPO with DeepSpeed");
    says("seq-length", "2048");
    says("zero_optimization.stage", "3");
    says_no("preference_pairs");
    says_no("num_generations");
    assert_false(remarks('%', "the reference model"));
    read_on(1, 8, "a.sh",
            "torchrun --nproc_per_node 8 grpo.py --bf16 true "
            "--model_name_or_path Qwen/Qwen2.5-7B "
            "--per_device_train_batch_size 4 --num_generations 8\n");
    assert_string_equal(front->title, "TRL's GRPO with DDP");
    says("seq-length", "768");
    assert_true(remarks('%', "the reference model"));
}

/* lingua/transformer.py: 8/3 of the width, up to a multiple of 256. */
static void lingua_has_widths_in_steps(void **state)
{
    static const char text[] =
            "model:\n  dim: 2048\n  n_layers: 16\n  n_heads: 16\n"
            "data:\n  batch_size: 4\n  seq_len: 4096\n"
            "  tokenizer:\n    name: bytes\n"
            "distributed:\n  fsdp_type: full_shard\n  compile: true\n"
            "  tp_size: 1\n";

    (void)state;
    read_on(1, 8, "a.yaml", text);
    assert_string_equal(front->title, "Lingua with torch.compile");
    says("ffn-hidden-size", "5632");
    says("vocab-size", "258");
    says("zero_optimization.stage", "3");
    says("train_micro_batch_size_per_gpu", "4");
    says("untie-embeddings-and-output-weights", "true");
    read_on(1, 8, "a.yaml",
            "model_type: minLSTM\nmodel:\n  dim: 2048\n  n_layers: 16\n"
            "data:\n  batch_size: 4\n  seq_len: 4096\n");
    assert_null(front);
}

/* ms-swift 2: 16 sequences a step, LoRA of the attention. */
static void swift_of_the_past_has_its_names(void **state)
{
    (void)state;
    read_on(1, 4, "a.sh",
            "NPROC_PER_NODE=4 swift sft --sft_type full --batch_size 2 "
            "--model_id_or_path a/Qwen2-1___5B-Instruct --dtype AUTO "
            "--max_length 4096 --deepspeed default-zero3\n");
    assert_string_equal(front->title, "ms-swift 2 with DeepSpeed");
    says("zero_optimization.stage", "3");
    says("train_micro_batch_size_per_gpu", "2");
    says("gradient_accumulation_steps", "2");
    says("bf16.enabled", "true");
    says("seq-length", "4096");
    read_on(1, 1, "a.sh",
            "swift sft --model_id_or_path a/Qwen2-7B --sft_type lora "
            "--lora_target_modules DEFAULT --quantization_bit 4\n");
    assert_string_equal(front->title, "ms-swift 2 with DDP");
    says("lora_target_modules", "q_proj,k_proj,v_proj");
    says("gradient_accumulation_steps", "16");
    says("seq-length", "2048");
}

/* finetune.py of alpaca-lora: a step of 128 sequences in parts of 4. */
static void alpaca_lora_is_in_8_bit(void **state)
{
    (void)state;
    read_on(1, 1, "a.sh",
            "python finetune.py --base_model a/llama-7b --data_path b "
            "--cutoff_len=512 --lora_target_modules='[q_proj,v_proj]'\n");
    assert_string_equal(front->title, "alpaca-lora");
    says("gradient_accumulation_steps", "32");
    says("load_in_8bit", "true");
    says("fp16.enabled", "true");
    says("seq-length", "512");
    assert_false(remarks('&', "layers of one process"));
}

static void folders_of_modelscope_have_no_points(void **state)
{
    static const char *const names[][2] = {
            {"a/Qwen/Qwen2___5-3B-Instruct", "Qwen2.5-3B"},
            {"Qwen2-1___5B-Instruct", "Qwen2-1.5B"}, {"a___", "a."},
            {"/c/hub/models--Qwen--Qwen3-8B/snapshots/3f8a", "Qwen3-8B"},
            {"models--Qwen3-8B", "models--Qwen3-8B"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        p3d_text name = {0};

        exchange_model_name(names[i][0], &name);
        assert_string_equal(p3d_text_get(&name), names[i][1]);
        p3d_text_free(&name);
    }
}

static const char recipe[] =
        "def _fp8(cfg):\n"
        "    cfg.mixed_precision = get_mixed_precision_config(\n"
        "        \"bf16_with_fp8_current_scaling_mixed\")\n"
        "    return cfg\n"
        "def a_bf16_config():\n"
        "    cfg = _pretrain_common()\n"
        "    cfg.model = AutoBridge.from_hf_pretrained(\"openai/gpt-oss-20b\")"
        ".to_megatron_provider(load_weights=False)\n"
        "    cfg.model.moe_flex_dispatcher_backend = (\n"
        "        \"deepep\"  # or hybridep\n"
        "    )\n"
        "    cfg.optimizer.main_grads_dtype = torch.float32\n"
        "    return cfg\n"
        "def a_fp8_config():\n"
        "    cfg = a_bf16_config()\n"
        "    cfg = _fp8(cfg)\n"
        "    return other(cfg)\n";

/* A function that is given the configuration changes it, wherever it is. */
static void functions_change_a_recipe(void **state)
{
    (void)state;
    settings.function = "a_bf16_config";
    read_on(2, 8, "a.py", recipe);
    says("from_hf_pretrained", "openai/gpt-oss-20b");
    says("cfg.model.moe_flex_dispatcher_backend", "deepep");
    says("cfg.model.attention_dropout", "0");
    says_no("cfg.mixed_precision");
    says_no("recipe_beside");
    says_no("cfg.optimizer.main_grads_dtype");
    settings.function = "a_fp8_config";
    read_on(2, 8, "a.py", recipe);
    says("cfg.mixed_precision", "bf16_with_fp8_current_scaling_mixed");
    says("recipe_beside", "other(cfg)");
    for (int i = 0; i < settings.n; i++)
        if (settings.at[i].name[0] != '\0' && settings.at[i].value != NULL)
            assert_string_not_equal(settings.at[i].value, "_fp8(cfg)");
    assert_non_null(exchange_doubt_of("recipe_beside", "other(cfg)"));
}

/* A batch of MindSpeed-RL counts questions, each with several answers; what
 * waits on the host while answers are generated is no part of the step. */
static void a_batch_of_questions_has_their_answers(void **state)
{
    (void)state;
    read_on(2, 8, "a.yaml",
            "megatron_training:\n"
            "  model: qwen25_32b\n"
            "  bf16: true\n"
            "  sequence_parallel: true\n"
            "  use_distributed_optimizer: true\n"
            "  global_batch_size: 128\n"
            "  seq_length: 8192\n"
            "actor_config:\n"
            "  model: qwen25_32b\n"
            "  micro_batch_size: 2\n"
            "  tensor_model_parallel_size: 4\n"
            "  pipeline_model_parallel_size: 4\n"
            "ref_config:\n"
            "  micro_batch_size: 8\n"
            "rl_config:\n"
            "  mini_batch_size: 64\n"
            "  n_samples_per_prompt: 16\n"
            "  max_prompt_length: 1024\n"
            "  use_dynamic_bsz: true\n"
            "  adv_estimator: gae\n"
            "  actor_resource:\n"
            "    num_npus: 16\n"
            "generate_config:\n"
            "  offload_train_grad: true\n"
            "  sampling_config:\n"
            "    max_tokens: 2048\n");
    assert_string_equal(front->title, "MindSpeed-RL");
    says("model", "Qwen2.5-32B");
    says("micro_batch_size", "2");
    says("global-batch-size", "1024");
    says("seq-length", "3072");
    says("tensor-model-parallel-size", "4");
    says("num_processes", "16");
    says_no("generate_config.offload_train_grad");
    assert_true(remarks('~', "the actor's step"));
    assert_true(remarks('&', "micro-batches that are filled"));
    assert_true(remarks('&', "the critic"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    const struct CMUnitTest tests[] = {TEST(an_actor_has_its_own_gpus),
            TEST(rings_share_a_number_of_tokens),
            TEST(learners_have_their_own_gpus),
            TEST(a_batch_of_questions_has_their_answers),
            TEST(a_part_that_is_all_needs_no_word),
            TEST(answers_of_trl_have_lengths), TEST(lingua_has_widths_in_steps),
            TEST(swift_of_the_past_has_its_names),
            TEST(alpaca_lora_is_in_8_bit),
            TEST(folders_of_modelscope_have_no_points),
            TEST(functions_change_a_recipe)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
