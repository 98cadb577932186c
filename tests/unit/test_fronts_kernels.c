/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fronts_kernels.c - kernels that programs put in place of transformers',
 * TRL's programs and what they do unasked, Megatron-LM's YAML. */
#include "fronts.h"

#include <stdio.h>
#include <string.h>

#include "exchange/read/doubt.h"
#include "exchange/read/front.h"
#include "exchange/read/import_steps.h"

#define AXOLOTL \
    "base_model: a\nsequence_len: 512\nmicro_batch_size: 1\nbf16: true\n"
#define FACTORY                                                  \
    "model_name_or_path: a\nstage: sft\nfinetuning_type: full\n" \
    "cutoff_len: 512\nper_device_train_batch_size: 1\nbf16: true\n"
#define ZERO_3 "deepspeed_config:\n  zero_stage: 3\n"

static void kernels_of_layers_need_no_loss(void **state)
{
    (void)state;
    read_as("a.yaml", AXOLOTL "liger_rms_norm: true\nliger_rope: true\n"
                              "liger_glu_activation: true\n");
    says(EXCHANGE_LIGER_LAYERS, "true");
    says_no("use_liger_kernel");
    says_no("liger_rope");
    /* One of them alone stays in doubt. */
    read_as("a.yaml", AXOLOTL "liger_rms_norm: true\n");
    says("liger_rms_norm", "true");
    says_no(EXCHANGE_LIGER_LAYERS);
    read_as("a.yaml", FACTORY "use_liger_kernel: true\nliger_kernel_config:\n"
                              "  fused_linear_cross_entropy: false\n");
    says(EXCHANGE_LIGER_LAYERS, "true");
    says_no("use_liger_kernel");
}

static void compiled_layers_are_those_of_torchtitan(void **state)
{
    const p3d_framework *const hf = p3d_framework_find("ddp-hf");
    const p3d_framework *const compiled = p3d_framework_find("fsdp2");
    exchange_launch launch = {.said.compiles_layers = true};
    p3d_framework framework = *hf;

    (void)state;
    read_as("a.yaml", FACTORY "torch_compile: true\n");
    says(EXCHANGE_COMPILES_LAYERS, "true");
    says_no("torch_compile");
    exchange_widen(&exchange_to_deepspeed, &launch, &framework);
    assert_int_equal(
            framework.kept.gated_tensors, compiled->kept.gated_tensors);
    assert_int_equal(
            framework.pass[1].n_kernels[0], compiled->pass[1].n_kernels[0]);
    assert_int_not_equal(hf->kept.gated_tensors, compiled->kept.gated_tensors);
    launch.said.compiles_layers = false;
    launch.said.liger_layers = true;
    framework = *hf;
    exchange_widen(&exchange_to_deepspeed, &launch, &framework);
    assert_true(framework.kept.in_place);
    assert_int_equal(
            framework.pass[1].n_kernels[0], hf->pass_liger.n_kernels[0]);
}

#define RUN "accelerate launch "
#define OF  " --model_name_or_path a --bf16 --gradient_checkpointing\n"

static void programs_of_trl_have_a_length(void **state)
{
    (void)state;
    read_as("a.sh",
            RUN "trl/scripts/sft.py --per_device_train_batch_size 2" OF);
    says("seq-length", "1024");
    read_as("a.sh", RUN "examples/scripts/dpo.py --max_length 2048" OF);
    says("seq-length", "2048");
    says("train_micro_batch_size_per_gpu", "8");
    says(EXCHANGE_PREFERENCE, "self");
    read_as("a.sh", RUN "-m trl.scripts.kto" OF);
    says("seq-length", "1024");
    says(EXCHANGE_PREFERENCE, "kto");
    read_as("a.sh", "trl dpo --accelerate_config zero3" OF);
    says("seq-length", "1024");
    says("zero_optimization.stage", "3");
    read_as("a.sh", RUN "scripts/reward_modeling.py --max_length 9" OF);
    says_no("cut_by_trl"); /* anybody's */
    read_as("a.sh",
            RUN "scripts/run_sft.py --per_device_train_batch_size 1" OF);
    says_no("seq-length");
    /* What is in its configuration is not known. */
    read_as("a.sh", RUN "trl/scripts/sft.py --config b.yaml" OF);
    says_no("seq-length");
}

static void a_yaml_of_megatron_has_parts(void **state)
{
    (void)state;
    read_as("a.yaml", "language_model:\n  num_layers: 2\n  hidden_size: 64\n"
                      "  activation_func: swiglu\n  add_bias_linear: false\n"
                      "model_parallel:\n  tensor_model_parallel_size: 2\n"
                      "micro_batch_size: 4\n");
    assert_string_equal(front->title, "Megatron-LM's YAML");
    says("tensor-model-parallel-size", "2");
    says("num-layers", "2");
    says("swiglu", "true");
    says("disable-bias-linear", "true");
}

static void options_of_torchtitan_have_had_other_names(void **state)
{
    (void)state;
    read_as("a.toml", "[model]\nname = \"llama3\"\nflavor = \"debugmodel\"\n"
                      "[training]\nbatch_size = 2\nseq_len = 512\n"
                      "tensor_parallel_degree = 2\n"
                      "[experimental]\nenable_async_tensor_parallel = true\n"
                      "[float8]\nenable_float8_linear = true\n");
    says("compile.enable_async_tensor_parallel", "true");
    says("model.converters", "[\"float8\"]");
    says("model", "torchtitan-llama3-debugmodel-2024");
    read_as("a.toml", "[model]\nname = \"llama3\"\nflavor = \"8B\"\n"
                      "[training]\nlocal_batch_size = 2\n"
                      "[parallelism]\nenable_async_tensor_parallel = true\n");
    says("compile.enable_async_tensor_parallel", "true");
}

static bool doubts(const char *words)
{
    for (int i = 0; i < settings.n; i++)
        if (settings.at[i].name[0] == '&' &&
                strstr(settings.at[i].name, words) != NULL)
            return true;
    return false;
}

static void sections_have_names_of_the_trainer(void **state)
{
    (void)state;
    read_as("a.yaml", "model:\n  name_or_path: a\ndata:\n  max_seq_length: 9\n"
                      "sft:\n  per_device_train_batch_size: 2\n  bf16: true\n"
                      "  gradient_checkpointing: true\n");
    says("train_micro_batch_size_per_gpu", "2");
    says("seq-length", "9");
    says("model_name_or_path", "a");
    says("recompute-granularity", "full");
    assert_true(doubts("a program of its own"));
}

static void numbers_of_a_script_are_compared(void **state)
{
    (void)state;
    read_as("a.sh", "N=2\nM=a\nif ((N > 3)); then\nM=b\nelif (( N + 1 == 3 ))\n"
                    "then\nM=c\nelse\nM=d\nfi\ntorchrun t.py --model $M\n");
    says("model", "c");
}

/* Programs that a variable names; one that answers is no launch. */
static void modules_of_openrlhf_are_programs(void **state)
{
    (void)state;
    read_as("a.sh", "read -r -d '' a <<EOF\nopenrlhf.cli.batch_inference\n"
                    "  --tp_size 4 --pretrain b --max_len 9\nEOF\n"
                    "python -m $a\nread -r -d '' c <<EOF\n"
                    "openrlhf.cli.train_dpo --max_len 512 --pretrain d \\\n"
                    "  --micro_train_batch_size 2 --zero_stage 3\nEOF\n"
                    "deepspeed --module $c\n");
    assert_string_equal(front->title, "OpenRLHF's DPO");
    says_no("tp_size");
    says("pretrain", "d");
    says(EXCHANGE_PREFERENCE, "self");
    says_no("no_training");
}

static void resolvers_of_omegaconf_are_worked_out(void **state)
{
    (void)state;
    read_as("a.yaml", "grpo:\n  a: 64\n  b: 16\n"
                      "policy:\n  c: ${mul:${grpo.a}, ${grpo.b}}\n"
                      "  d: ${div:${grpo.a}, 4}\n  e: ${mul:${grpo.f}, 2}\n");
    says("policy.c", "1024");
    says("policy.d", "16");
    says("policy.e", "${mul:${grpo.f}, 2}");
}

static void programs_on_trl_say_what_they_do(void **state)
{
    static const char *const rows[][2] = {
            {"dpo_train.py", "self"}, {"train_simpo.py", "pairs"}};
    char text[200];

    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof(text),
                RUN "%s --beta 0.1 --max_prompt_length 9 --max_length 99 "
                    "--per_device_train_batch_size 2" OF,
                rows[i][0]);
        read_as("a.sh", text);
        says(EXCHANGE_PREFERENCE, rows[i][1]);
        says_no("preference_pairs");
        says_no("max_prompt_length");
    }
    /* Any other is in doubt. */
    read_as("a.sh", RUN "train_dpo.py --max_length 99" OF);
    says("preference_pairs", "train_dpo.py");
}

/* A key without a value, a comment that speaks of FSDP. */
static void keys_without_values_are_not_there(void **state)
{
    static const char *const texts[] = {"deepspeed:\nfsdp:\nfsdp_config:\n",
            "deepspeed: null\n", "# fsdp: full_shard\n"};

    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[200];

        snprintf(text, sizeof(text), "%s%s", AXOLOTL, texts[i]);
        read_as("a.yaml", text);
        assert_string_equal(front->title, "axolotl with DDP");
    }
}

#define REWARDS                                                        \
    "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=a " \
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 "          \
    "reward_model.enable=True "

static void a_reward_model_may_be_away(void **state)
{
    (void)state;
    read_as("a.sh", REWARDS "\n");
    assert_true(doubts("the reward model"));
    read_as("a.sh",
            REWARDS "reward_model.model.fsdp_config.param_offload=True\n");
    assert_false(doubts("the reward model"));
}

static void a_type_of_axolotl_is_set_by_others(void **state)
{
    (void)state;
    read_as("a.yaml", AXOLOTL "torch_dtype: float16\n");
    says_no("torch_dtype");
    assert_null(exchange_doubt_of("packing_num_proc", "32"));
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(kernels_of_layers_need_no_loss),
            TEST(compiled_layers_are_those_of_torchtitan),
            TEST(programs_of_trl_have_a_length),
            TEST(a_yaml_of_megatron_has_parts),
            TEST(options_of_torchtitan_have_had_other_names),
            TEST(sections_have_names_of_the_trainer),
            TEST(numbers_of_a_script_are_compared),
            TEST(modules_of_openrlhf_are_programs),
            TEST(resolvers_of_omegaconf_are_worked_out),
            TEST(programs_on_trl_say_what_they_do),
            TEST(keys_without_values_are_not_there),
            TEST(a_reward_model_may_be_away),
            TEST(a_type_of_axolotl_is_set_by_others),
    };

    return cmocka_run_group_tests_name("fronts_kernels", tests, NULL, NULL);
}
