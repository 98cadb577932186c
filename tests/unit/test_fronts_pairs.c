/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fronts_pairs.c - programs that train on answers that are given: pairs,
 * single ones, those of a teacher; and what they do with activations. */
#include "fronts.h"

#include <stdio.h>
#include <string.h>

#include "exchange/read/doubt.h"
#include "exchange/read/front.h"

/* The array is read where it is set; its words are no value of the first. */
static void overrides_of_an_array_are_apart(void **state)
{
    (void)state;
    read_as("a.sh", "A=(\n  actor_rollout_ref.model.path=Qwen/Qwen3-8B\n"
                    "  actor_rollout_ref.actor.strategy=fsdp2\n)\n"
                    "python3 -m verl.trainer.main_ppo "
                    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 "
                    "\"${A[@]}\"\n");
    says("actor_rollout_ref.model.path", "Qwen/Qwen3-8B");
    assert_string_equal(front->title, "verl with FSDP2");
    says_no("sharding_strategy");
    read_as("a.sh", "N=\"a b.c=1\"\npython3 a.py x.name=\"$N\"\n");
    says("x.name", "a b.c=1");
}

#define RL_MEGATRON                                                         \
    "policy:\n  model_name: Qwen/Qwen3-8B\n  train_global_batch_size: 64\n" \
    "  train_micro_batch_size: 2\n  max_total_sequence_length: 4096\n"      \
    "  precision: bfloat16\n  megatron_cfg:\n    enabled: true\n"           \
    "    defer_fp32_logits: true\n"

static void pairs_of_nemo_rl_have_a_reference(void **state)
{
    (void)state;
    read_as("a.yaml", RL_MEGATRON "dpo:\n  max_num_steps: 3\n");
    says(EXCHANGE_PREFERENCE, "self");
    says("micro-batch-size", "2");
    assert_false(remarks('&', "the second sequence"));
    read_as("a.yaml", RL_MEGATRON "grpo:\n  max_num_steps: 3\n");
    says_no(EXCHANGE_PREFERENCE);
    read_as("a.yaml", RL_MEGATRON "rm:\n  max_num_steps: 3\n");
    says(EXCHANGE_PREFERENCE, "pairs");
    says(EXCHANGE_OUTPUTS, "1");
}

/* Of DTensor the reference waits in the host's memory, too. */
static void a_reference_of_dtensor_is_swapped(void **state)
{
    (void)state;
    read_as("a.yaml",
            "policy:\n  model_name: Qwen/Qwen3-8B\n"
            "  train_global_batch_size: 64\n  train_micro_batch_size: 2\n"
            "  max_total_sequence_length: 4096\n  precision: bfloat16\n"
            "  dtensor_cfg:\n    enabled: true\ndpo:\n  max_num_steps: 3\n");
    says(EXCHANGE_PREFERENCE, "self");
    says("swaps_reference", "true");
}

/* Weights and states of 16 bit; replicas that meet every tenth step. */
static void states_and_replicas_are_as_files_say(void **state)
{
    (void)state;
    read_as("a.yaml",
            "model_name_or_path: a\nstage: sft\nfinetuning_type: full\n"
            "cutoff_len: 512\nper_device_train_batch_size: 1\n"
            "bf16: true\npure_bf16: true\n");
    says(EXCHANGE_WEIGHTS_16, "true");
    says_no("pure_bf16");
    assert_non_null(exchange_doubt_of("fault_tolerance.enable", "true"));
    assert_non_null(
            exchange_doubt_of("fault_tolerance.semi_sync_method", "diloco"));
    assert_null(exchange_doubt_of("fault_tolerance.enable", "false"));
    read_as("a.sh",
            "NPROC_PER_NODE=4 SEQUENCE_PARALLEL_IMPL=ring_attention swift sft "
            "--model a --max_length 512 --sequence_parallel_size 4\n");
    says(EXCHANGE_SEQUENCE_IMPL, "ring_attention");
}

/* A reward, or classes, in place of words. */
static void heads_of_numbers_are_known(void **state)
{
    (void)state;
    read_as("a.sh", "NPROC_PER_NODE=8 swift rlhf --rlhf_type rm --model a "
                    "--per_device_train_batch_size 1 --max_length 512\n");
    says(EXCHANGE_PREFERENCE, "pairs");
    says(EXCHANGE_OUTPUTS, "1");
    read_as("a.sh",
            "NPROC_PER_NODE=8 swift sft --task_type seq_cls --num_labels 3 "
            "--model a --per_device_train_batch_size 1 --max_length 512\n");
    says_no(EXCHANGE_PREFERENCE);
    says(EXCHANGE_OUTPUTS, "3");
    read_as("a.yaml", "base_model: a\nsequence_len: 512\nmicro_batch_size: "
                      "1\nbf16: true\n"
                      "reward_model: true\nnum_labels: 1\n");
    says(EXCHANGE_PREFERENCE, "pairs");
    says(EXCHANGE_OUTPUTS, "1");
}

static void read_apart(const char *gpus, const char *nodes, int n_nodes)
{
    char text[1024];

    snprintf(text, sizeof(text),
            RL_MEGATRON "  generation:\n    colocated:\n      enabled: false\n"
                        "      resources:\n        gpus_per_node: %s\n"
                        "        num_nodes: %s\ngrpo:\n  max_num_steps: 3\n"
                        "cluster:\n  gpus_per_node: 8\n  num_nodes: %d\n",
            gpus, nodes, n_nodes);
    read_as("a.yaml", text);
}

/* Of 24 GPUs 8 generate, or of one node's 8 half. */
static void generation_leaves_a_part_of_the_cluster(void **state)
{
    (void)state;
    read_apart("4", "null", 1);
    says("nproc-per-node", "4");
    assert_int_equal(settings.n_nodes * settings.gpus_per_node, 4);
    assert_false(remarks('&', "the GPUs that generate"));
    read_apart("8", "1", 3);
    says("nnodes", "2");
    says_no("num_nodes");
}

/* A mark of what follows must not be one that the names left out before. */
static void marks_of_what_follows_are_kept(void **state)
{
    (void)state;
    for (int i = 0; exchange_front_at(i) != NULL; i++) {
        const exchange_front *const f = exchange_front_at(i);

        for (int k = 0; k < f->n_derived; k++)
            for (int m = 0; m < f->n_renames; m++) {
                const exchange_rename *const r = &f->renames[m];
                const char *const when = f->derived[k].when;
                char mark[160];

                snprintf(mark, sizeof(mark), "!%s=%s", r->from,
                        r->is != NULL ? r->is : "");
                if (when != NULL && !r->implies && r->is != NULL &&
                        strcmp(when, mark) == 0)
                    fail_msg("%s: '%s' is left out before", f->title, when);
            }
    }
}

static void a_teacher_of_nemo_rl_runs_before(void **state)
{
    (void)state;
    read_as("a.yaml", RL_MEGATRON "distillation:\n  max_num_steps: 3\n");
    assert_true(remarks('~', "the student's step"));
    assert_false(remarks('&', "the teacher"));
}

/* Between the layers each rank of a tensor has a part of a sequence. */
static void dtensor_shares_sequences(void **state)
{
    static const char policy[] =
            "policy:\n  model_name: Qwen/Qwen3-8B\n"
            "  train_global_batch_size: 64\n  train_micro_batch_size: 2\n"
            "  max_total_sequence_length: 4096\n  precision: bfloat16\n"
            "  dtensor_cfg:\n    enabled: true\n    sequence_parallel: true\n"
            "    tensor_parallel_size: ";
    char text[sizeof(policy) + 8];

    (void)state;
    snprintf(text, sizeof(text), "%s4\n", policy);
    read_as("a.yaml", text);
    assert_string_equal(front->target, "torchtitan");
    says("parallelism.enable_sequence_parallel", "true");
    says("parallelism.tensor_parallel_degree", "4");
    says("parallelism.fsdp_reshard_after_forward", "always");
    snprintf(text, sizeof(text), "%s1\n", policy);
    read_as("a.yaml", text);
    assert_string_equal(front->target, "accelerate");
}

/* arcee-ai/NeMo-RL has two of them. */
static void a_second_dtensor_is_read(void **state)
{
    (void)state;
    read_as("a.yaml",
            "policy:\n  model_name: Qwen/Qwen3-8B\n"
            "  train_global_batch_size: 64\n  train_micro_batch_size: 2\n"
            "  max_total_sequence_length: 4096\n  precision: bfloat16\n"
            "  dtensor_cfg:\n    enabled: false\n"
            "  dtensor_v2_cfg:\n    enabled: true\n"
            "    context_parallel_size: 2\n");
    assert_string_equal(front->title, "NeMo-RL with DTensor");
    says("parallelism_config.parallelism_config_cp_size", "2");
}

/* Of optimizers only Adam changes nothing. */
static void optimizers_of_nemo_rl_are_told_apart(void **state)
{
    static const char *const optimizers[][2] = {{"torch.optim.AdamW", NULL},
            {"dion.MuonReference", "muon"}, {"torch.optim.SGD", "SGD"}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[512];

        snprintf(text, sizeof(text),
                "policy:\n  model_name: Qwen/Qwen3-8B\n"
                "  train_global_batch_size: 64\n  train_micro_batch_size: 2\n"
                "  max_total_sequence_length: 4096\n  precision: bfloat16\n"
                "  optimizer:\n    name: %s\n  dtensor_cfg:\n    enabled: "
                "true\n",
                optimizers[i][0]);
        read_as("a.yaml", text);
        if (i == 1)
            says(EXCHANGE_OPTIMIZER, optimizers[i][1]);
        if (i == 2)
            says("policy.optimizer.name", "torch.optim.SGD");
        else
            says_no("policy.optimizer.name");
    }
    assert_non_null(exchange_doubt_of("policy.optimizer.name", "x"));
}

/* 16,384 tokens of both ranks of a sequence hold 8 of 2,048. */
static void verl_fine_tunes_on_megatron(void **state)
{
    (void)state;
    read_as("a.sh",
            "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer "
            "model.path=Qwen/Qwen2.5-7B data.max_length=2048 "
            "data.train_batch_size=64 engine=megatron optim=megatron "
            "engine.tensor_model_parallel_size=2 "
            "engine.context_parallel_size=2 "
            "+engine.override_transformer_config.recompute_granularity=full\n");
    assert_string_equal(front->title, "verl's SFT trainer with Megatron-LM");
    says("tensor-model-parallel-size", "2");
    says("global-batch-size", "64");
    says("micro-batch-size", "8");
    says("recompute-granularity", "full");
    says("sequence-parallel", "true");
    read_as("a.sh",
            "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer "
            "model.path=Qwen/Qwen2.5-7B data.max_length=2048 engine=fsdp "
            "data.use_dynamic_bsz=False data.micro_batch_size_per_gpu=4 "
            "data.max_token_len_per_gpu=2048\n");
    says("train_micro_batch_size_per_gpu", "4");
}

/* Options of Megatron-LM stand behind the engine's name. */
static void verl_on_mindspeed_is_megatron(void **state)
{
    (void)state;
    read_as("a.sh",
            "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo "
            "actor_rollout_ref.model.path=Qwen/Qwen3-32B "
            "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 "
            "actor_rollout_ref.actor.mindspeed.tensor_model_parallel_size=4 "
            "+actor_rollout_ref.actor.mindspeed.mcore_kwargs."
            "recompute_granularity=full "
            "actor_rollout_ref.actor.mindspeed.mcore_kwargs.micro_batch_size=1 "
            "distillation.enabled=True distillation.nnodes=1\n");
    assert_string_equal(front->target, "mindspeed");
    says("tensor_model_parallel_size", "4");
    says("recompute_granularity", "full");
    says("micro-batch-size", "2");
    assert_true(remarks('~', "the teachers are on GPUs"));
}

static void activations_wait_on_the_host(void **state)
{
    (void)state;
    read_as("a.sh", "python3 -m verl.trainer.main_ppo "
                    "actor_rollout_ref.model.path=a "
                    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 "
                    "actor_rollout_ref.model.enable_activation_offload=True\n");
    says("offloads_activations", "True");
    read_as("a.yaml",
            "base_model: a\nsequence_len: 512\nmicro_batch_size: 1\nbf16: "
            "true\n"
            "gradient_checkpointing: true\nactivation_offloading: legacy\n");
    says("offloads_activations", "true");
    says("recompute-granularity", "full");
    read_as("a.yaml", "base_model: a\nsequence_len: 512\nmicro_batch_size: "
                      "1\nbf16: true\n"
                      "gradient_checkpointing: offload\noptimizer: muon\n");
    says("offloads_activations", "true");
    says("recompute-granularity", "full");
    says(EXCHANGE_OPTIMIZER, "muon");
    read_as("a.yaml", "base_model: a\nsequence_len: 512\nmicro_batch_size: "
                      "1\nbf16: true\n"
                      "activation_offloading: false\n");
    says_no("offloads_activations");
}

/* KTO has single answers; DPO's prompts are a part of its sequences. */
static void words_of_preferences_are_known(void **state)
{
    (void)state;
    read_as("a.yaml",
            "model_name_or_path: a\nstage: kto\nfinetuning_type: full\n"
            "cutoff_len: 512\nper_device_train_batch_size: 1\n");
    says(EXCHANGE_PREFERENCE, "kto");
    says_no("preference_pairs");
    read_as("a.yaml",
            "model_name_or_path: a\nstage: rm\nfinetuning_type: full\n"
            "cutoff_len: 512\nper_device_train_batch_size: 1\n");
    says(EXCHANGE_PREFERENCE, "pairs");
    read_as("a.sh",
            "torchrun run_dpo.py --model_name_or_path a --max_length 1024 "
            "--max_prompt_length 512 --per_device_train_batch_size 1 --bf16\n");
    says(EXCHANGE_PREFERENCE, "self");
    says_no("max_prompt_length");
    read_as("a.sh", "torchrun dpo_tune_cache.py --model_name_or_path a --bf16 "
                    "--max_seq_length 1024 --per_device_train_batch_size 1\n");
    says(EXCHANGE_PREFERENCE, "precomputed");
}

/* openrlhf/cli/train_dpo.py, train_rm.py, train_kto.py: OpenRLHF@3c3be623. */
static void pairs_of_openrlhf_have_their_programs(void **state)
{
    static const char head[] =
            "deepspeed --module openrlhf.cli.%s --pretrain a --max_len 2048 "
            "--micro_train_batch_size 2 --train_batch_size 64 --zero_stage 3 "
            "%s\n";
    static const struct {
        const char *program, *options, *preference, *outputs;
    } rows[] = {{"train_dpo", "--beta 0.1 --chosen_key c", "self", NULL},
            {"train_rm", "--chosen_key c", "pairs", "1"},
            {"train_kto", "--beta 0.1 --label_key l", "kto", NULL}};

    (void)state;
    read_as("a.sh",
            "deepspeed --module openrlhf.cli.train_sft --pretrain a "
            "--max_len 2048 --micro_train_batch_size 2 --ring_attn_size 4 "
            "--ring_head_stride 2\n");
    says("ds-sequence-parallel-size", "4");
    says("SEQUENCE_PARALLEL_IMPL", "ring_attention");
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        char text[300];

        snprintf(text, sizeof(text), head, rows[i].program, rows[i].options);
        read_as("a.sh", text);
        says(EXCHANGE_PREFERENCE, rows[i].preference);
        if (rows[i].outputs != NULL)
            says(EXCHANGE_OUTPUTS, rows[i].outputs);
        else
            says_no(EXCHANGE_OUTPUTS);
        says_no("preference_pairs");
    }
}

/* swift/config/fsdp2.json, swift/sequence_parallel/ulysses.py. */
static void swift_shares_sequences_beside_fsdp(void **state)
{
    (void)state;
    read_as("a.sh", "swift sft --model a --tuner_type full --fsdp fsdp2 "
                    "--sequence_parallel_size 2 --max_length 4096\n");
    says("zero_optimization.stage", "3");
    says("ds-sequence-parallel-size", "2");
    says("recompute-granularity", "full");
    read_as("a.sh", "swift sft --model a --tuner_type full --fsdp fsdp2 "
                    "--max_length 4096\n");
    says("fsdp_config.fsdp_activation_checkpointing", "true");
    says_no("fsdp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_teardown(
                    pairs_of_openrlhf_have_their_programs, forget),
            cmocka_unit_test_teardown(
                    swift_shares_sequences_beside_fsdp, forget),
            cmocka_unit_test_teardown(overrides_of_an_array_are_apart, forget),
            cmocka_unit_test_teardown(
                    pairs_of_nemo_rl_have_a_reference, forget),
            cmocka_unit_test_teardown(
                    a_reference_of_dtensor_is_swapped, forget),
            cmocka_unit_test_teardown(
                    states_and_replicas_are_as_files_say, forget),
            cmocka_unit_test_teardown(heads_of_numbers_are_known, forget),
            cmocka_unit_test_teardown(
                    generation_leaves_a_part_of_the_cluster, forget),
            cmocka_unit_test(marks_of_what_follows_are_kept),
            cmocka_unit_test_teardown(verl_on_mindspeed_is_megatron, forget),
            cmocka_unit_test_teardown(a_teacher_of_nemo_rl_runs_before, forget),
            cmocka_unit_test_teardown(dtensor_shares_sequences, forget),
            cmocka_unit_test_teardown(a_second_dtensor_is_read, forget),
            cmocka_unit_test_teardown(
                    optimizers_of_nemo_rl_are_told_apart, forget),
            cmocka_unit_test_teardown(verl_fine_tunes_on_megatron, forget),
            cmocka_unit_test_teardown(activations_wait_on_the_host, forget),
            cmocka_unit_test_teardown(words_of_preferences_are_known, forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
