/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_launches.c - what the readers understand of launches as people have
 * them: choices of scripts, names of tokenizers, options of front ends. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "exchange/read/doubt.h"
#include "exchange/read/front.h"
#include "exchange/read/model_word.h"
#include "exchange/read/titan.h"

static exchange_settings settings;
static const exchange_front *front;

static void read_as(const char *path, const char *text)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

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

static void says_no(const char *name)
{
    if (exchange_settings_find(&settings, name, true) != NULL)
        fail_msg("'%s' is said", name);
}

static int forget(void **state)
{
    (void)state;
    exchange_settings_free(&settings);
    return 0;
}

static void the_arm_of_a_case_that_runs_is_read(void **state)
{
    (void)state;
    read_as("a.sh", "S=7B\ncase \"$S\" in\n"
                    "  1B|3B) TP=1; A=--one ;;\n"
                    "  \"7B\" ) TP=4\n  A=--seven ;;\n"
                    "  7*) TP=5 ;;\n"
                    "  (*) TP=8; run --other;;\nesac\n"
                    "case x in y) ;; esac\nrun --tp $TP --last\n");
    says("tp", "4");
    says("seven", NULL);
    says("last", NULL);
    says_no("one");
    says_no("other");
}

static void arguments_of_a_script_are_asked_for(void **state)
{
    (void)state;
    read_as("a.sh", "TP=2\nPP=\n"
                    "while [ $# -gt 0 ]; do case $1 in\n"
                    "  --tp) TP=$2 ;;\n  *) ZERO=3 ;;\nesac\ndone\n"
                    "if [ $3 = big ]; then N=8; else N=1; fi\n"
                    "run --tp $TP --zero $ZERO --n $N\n");
    says("tp", "2");
    says("zero", "$ZERO");
    says("n", "$3");
}

static void variables_that_are_not_set_are_empty_and_listed(void **state)
{
    (void)state;
    read_as("a.sh", "if [ -z \"$VP\" ]; then run --no-vp; fi\n"
                    "if [ ! -z ${VP} ]; then run --vp $VP; fi\n"
                    "if [[ $FP8 == 1 ]]; then run --fp8; fi\n"
                    "if [ $SLURM_X = 1 ]; then run --slurm; fi\n"
                    "for I in 1 2; do if [ $I = 1 ]; then run --loop; fi; "
                    "done\n");
    says("no-vp", NULL);
    says_no("vp");
    says_no("fp8");
    says("slurm", NULL);
    says("loop", NULL);
    says("$VP", "not set");
    says("$FP8", "not set");
    says_no("$I");
}

static void commands_behind_a_test_run_or_not(void **state)
{
    (void)state;
    read_as("a.sh", "N=2\n[ $N -gt 1 ] && run --many\n"
                    "[ $N = 1 ] && run --one\n"
                    "[[ $N == 2 ]] || run --not-two\nrun --after\n");
    says("many", NULL);
    says("after", NULL);
    says_no("one");
    says_no("not-two");
}

static void deepspeed_json_of_a_script_is_read(void **state)
{
    (void)state;
    read_as("a.sh", "Z=2\ncat <<EOT > ds.json\n"
                    "{\"zero_optimization\": {\"stage\": $Z},\n"
                    " \"train_batch_size\": $((Z * 8))}\nEOT\n"
                    "cat <<EOT > other.json\n{\"tp\": 4}\nEOT\n"
                    "sbatch <<EOF\nrun --tp 2\nEOF\n"
                    "run --last\n");
    says("zero_optimization.stage", "2");
    says("train_batch_size", "16");
    says("tp", "2");
    says("last", NULL);
}

static void the_cluster_gives_what_launchers_set(void **state)
{
    (void)state;
    settings.n_nodes = 4;
    settings.gpus_per_node = 8;
    read_as("a.sh", "W=$((NNODES * GPUS_PER_NODE))\n"
                    "run --gbs $((W * 2)) --nodes ${SLURM_NNODES:-1}\n");
    says("gbs", "64");
    says("nodes", "4");
}

static void tokenizers_give_vocabularies(void **state)
{
    static const struct {
        const char *said, *vocabulary;
    } rows[] = {{"--tokenizer-model deepseek-ai/DeepSeek-V3", "129280"},
            {"--tokenizer-model /data/nemotron_2_256k.model", "256000"},
            {"--tokenizer-model mistralai/Mixtral-8x7B-v0.1", "32000"},
            {"--tokenizer-type GPT2BPETokenizer", "50257"},
            {"--tokenizer-model x/y --padded-vocab-size 640", "640"},
            {"--tokenizer-model Qwen/Qwen3-8B --vocab-size 5", "5"}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[200];

        snprintf(text, sizeof(text), "run %s\n", rows[i].said);
        read_as("a.sh", text);
        says("vocab-size", rows[i].vocabulary);
        exchange_settings_free(&settings);
    }
    read_as("a.sh", "run --tokenizer-model ./tmp/tokenizer.model\n");
    says_no("vocab-size");
}

static void fp8_of_nemo_is_off_where_it_is_off(void **state)
{
    static const char text[] = "trainer:\n  precision: bf16\nmodel:\n"
                               "  micro_batch_size: 1\n  fp8: %s\n"
                               "  fp8_hybrid: true\n";
    char file[200];

    (void)state;
    snprintf(file, sizeof(file), text, "false");
    read_as("a.yaml", file);
    says_no("fp8-format");
    exchange_settings_free(&settings);
    snprintf(file, sizeof(file), text, "true");
    read_as("a.yaml", file);
    says("fp8-format", "hybrid");
}

static void lengths_and_batches_follow_from_several_options(void **state)
{
    (void)state;
    read_as("a.sh", "run actor_rollout_ref.model.path=Qwen/Qwen3-8B \\\n"
                    " data.max_response_length=1536 \\\n"
                    " actor_rollout_ref.actor.ppo_mini_batch_size=32 \\\n"
                    " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=3 "
                    "\\\n actor_rollout_ref.rollout.n=5\n");
    assert_string_equal(front->title, "verl with FSDP");
    says("seq-length", "2048");
    says("train_batch_size", "160");
    says("train_micro_batch_size_per_gpu", "3");
}

static void accumulation_counts_the_replicas(void **state)
{
    (void)state;
    settings.n_nodes = 2;
    settings.gpus_per_node = 8;
    read_as("a.yaml", "finetuning_type: full\ncutoff_len: 512\n"
                      "tensor_model_parallel_size: 2\n"
                      "pipeline_model_parallel_size: 4\n"
                      "per_device_train_batch_size: 3\n"
                      "gradient_accumulation_steps: 5\n");
    says("global-batch-size", "30");
}

static void models_are_cut_to_their_sizes(void **state)
{
    p3d_text name = {0};

    (void)state;
    p3d_text_add(&name, "DeepSeek-V3-config-verl");
    assert_true(exchange_shorten_model(&name));
    assert_true(exchange_shorten_model(&name));
    assert_string_equal(p3d_text_get(&name), "DeepSeek-V3");
    p3d_text_cut(&name, 0);
    p3d_text_add(&name, "DeepSeek-V3-4layers");
    assert_false(exchange_shorten_model(&name));
    p3d_text_cut(&name, 0);
    p3d_text_add(&name, "7B-chat");
    assert_false(exchange_shorten_model(&name));
    p3d_text_cut(&name, 0);
    p3d_text_add(&name, "DeepSeek-R1-0528-Qwen3-8B");
    assert_false(exchange_shorten_model(&name));
    p3d_text_cut(&name, 0);
    p3d_text_add(&name, "llama3-8b-pro");
    assert_false(exchange_shorten_model(&name));
    p3d_text_free(&name);
}

static void options_of_the_trained_part_are_doubted(void **state)
{
    (void)state;
    assert_non_null(exchange_doubt_of(
            "actor_rollout_ref.actor.ulysses_sequence_parallel_size", "4"));
    assert_null(exchange_doubt_of(
            "actor_rollout_ref.rollout.tensor_model_parallel_size", "4"));
}

/* Adapters and frozen weights are another training, whoever says them. */
static void what_freezes_weights_is_told_apart(void **state)
{
    (void)state;
    assert_true(exchange_doubt_of("adapter", "qlora")->freezes);
    assert_true(exchange_doubt_of("model.lora_adapter_path", "a/b")->freezes);
    assert_null(exchange_doubt_of("lora_model_dir", ""));
    assert_true(exchange_doubt_of("finetuning_type", "lora")->freezes);
    assert_true(exchange_doubt_of("finetuning-type", "freeze")->freezes);
    assert_true(exchange_doubt_of("use_peft", NULL)->freezes);
    assert_true(exchange_doubt_of("peft_scheme", "lora")->freezes);
    assert_null(exchange_doubt_of("finetuning_type", "full"));
    assert_false(exchange_doubt_of("load_in_4bit", "true")->freezes);
}

/* What torchtitan itself calls its models: each is one of plan3d's. */
static void flavors_of_torchtitan_are_models(void **state)
{
    static const struct {
        const char *family;
        const char *flavor;
        double billions; /* of parameters, as published */
    } rows[] = {{"llama2", "7B", 6.74}, {"llama2", "13B", 13.0},
            {"llama2", "26B", 25.7}, {"llama2", "70B", 69.0},
            {"llama3", "1B", 1.24}, {"llama3", "3B", 3.21},
            {"llama3", "8B", 8.03}, {"llama3", "8B_flex", 8.03},
            {"llama3", "70B", 70.6}, {"llama3", "405B", 405.9},
            {"llama4", "17bx16e", 107.8}, {"llama4", "17bx128e_irope", 400.7},
            {"deepseek_v3", "16B", 15.7}, {"deepseek_v3", "236B", 235.7},
            {"deepseek_v3", "671B", 671.0}, {"qwen3", "0.6B", 0.596},
            {"qwen3", "1.7B", 1.72}, {"qwen3", "4B", 4.02},
            {"qwen3", "8B", 8.19}, {"qwen3", "14B", 14.8},
            {"qwen3", "32B", 32.8}, {"qwen3", "30B-A3B", 30.5},
            {"qwen3", "235B-A22B", 235.1}, {"gpt_oss", "20b", 20.9},
            {"gpt_oss", "120b", 116.8},
            {"kimi_k2_7", "moonlight-16B-A3B", 16.0},
            /* 2 x 2048 x 256 + 256
             * + 6 x (4 x 256^2 + 3 x 256 x 768 + 2 x 256) */
            {"llama3", "debugmodel", 0.006163712},
            {"llama3", "debugmodel_varlen_attn", 0.006163712},
            /* 2 x 2256 x 256 + 256
             * + 8 x (4 x 256^2 + 3 x 256 x 768 + 2 x 256) */
            {"llama3", "debugmodel_2024", 0.007975168},
            /* 2 x 32000 x 1024 + 1024
             * + 16 x (4 x 1024^2 + 3 x 1024 x 2816 + 2 x 1024) */
            {"llama2", "271M", 0.271091712}, {"llama2", "1B", 0.0},
            {"llama2", "debugmodel", 0.0}, {"qwen3", "debugmodel", 0.0},
            {"qwen3", "debugmodel_moe", 0.0},
            {"deepseek_v3", "debugmodel", 0.0}};
    char text[200];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const exchange_setting *said;
        p3d_error err = {0};
        p3d_model model;

        snprintf(text, sizeof(text),
                "[model]\nname = \"%s\"\nflavor = \"%s\"\n"
                "[training]\nlocal_batch_size = 1\n",
                rows[i].family, rows[i].flavor);
        read_as("a.toml", text);
        said = exchange_settings_find(&settings, "model", false);
        assert_non_null(front);
        assert_non_null(said);
        if (!exchange_titan_find(said->value, &model))
            problem_check(p3d_model_find(said->value, &model, &err), &err);
        if (rows[i].billions > 0)
            assert_in_range(p3d_total_params(&model),
                    0.985e9 * rows[i].billions, 1.015e9 * rows[i].billions);
        exchange_settings_free(&settings);
    }
}

static void registries_of_torchtitan_say_their_model(void **state)
{
    static const char text[] =
            "def llama3_70b():\n"
            "    return Trainer.Config(\n"
            "        model_spec=model_registry(\n"
            "            \"70B\", "
            "converters=[A.Float8LinearConverter.Config()]),\n"
            "        training=TrainingConfig(max_context_length=8192),\n"
            "    )\n"
            "def other():\n"
            "    return Trainer.Config(model_spec=model_registry(\"8B\"),\n"
            "        training=TrainingConfig(max_context_length=4096))\n";

    (void)state;
    settings.function = "llama3_70b";
    read_as("a.py", text);
    says("model", "llama-3.1-70b");
    says("training.max_context_length", "8192");
    says("model_registry.converters", "[A.Float8LinearConverter.Config()]");
    exchange_settings_free(&settings);
    settings.function = "other";
    read_as("a.py", text);
    says("model.flavor", "8B");
    says_no("model");
}

/* "name=value" is an option of Hydra beside "part.name=value", and a variable
 * of the shell elsewhere. */
static void overrides_need_no_part_beside_others(void **state)
{
    (void)state;
    read_as("a.sh", "python -m main data.max_length=512 \\\n"
                    "  ulysses_sequence_parallel_size=2 +trainer.x=1\n"
                    "env lone=3 run --tp 1\n");
    says("ulysses_sequence_parallel_size", "2");
    says("data.max_length", "512");
    says_no("lone");
}

static void sums_of_expr_are_done(void **state)
{
    (void)state;
    read_as("a.sh", "N=4\nrun --a $(expr 16 / $N) --b `expr 2 + 3` \\\n"
                    "  --c $(expr length x) --d $(date)\n");
    says("a", "4");
    says("b", "5");
    says("c", "$(expr length x)");
    says("d", "$(date)");
}

/* FSDP of the Trainer's arguments, of version 1 where nothing else is said. */
static void fsdp_of_arguments_is_the_trainers(void **state)
{
    (void)state;
    read_as("a.sh",
            "torchrun train.py --model_name_or_path ~/llama-13b \\\n"
            "  --bf16 True --per_device_train_batch_size 4 \\\n"
            "  --fsdp \"full_shard auto_wrap offload\" \\\n"
            "  --model_max_length 2048 --gradient_checkpointing True\n");
    assert_string_equal(front->profile, "fsdp1");
    says("fsdp_config.fsdp_sharding_strategy", "FULL_SHARD");
    says("fsdp_config.fsdp_offload_params", "true");
    says("fsdp_config.fsdp_activation_checkpointing", "true");
    says("mixed_precision", "bf16");
    says("max_seq_length", "2048");
}

/* One row of words for the length, whatever says that FSDP2 shards. */
static void lengths_of_fsdp2_have_many_names(void **state)
{
    static const char *const names[] = {"max_length", "max_seq_length",
            "cutoff_len", "block_size", "model_max_length"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        char text[400];

        snprintf(text, sizeof(text),
                "accelerate launch --use_fsdp --fsdp_version 2 \\\n"
                "  --fsdp_reshard_after_forward true train.py --bf16 \\\n"
                "  --per_device_train_batch_size 2 --%s 4096\n",
                names[i]);
        read_as("a.sh", text);
        assert_string_equal(front->title, "transformers with FSDP2");
        says("max_seq_length", "4096");
        says("mixed_precision", "bf16");
        says("fsdp_config.fsdp_reshard_after_forward", "true");
        exchange_settings_free(&settings);
    }
}

/* Both recompute where they are not told otherwise. */
static void programs_on_the_trainer_keep_their_defaults_with_fsdp(void **state)
{
    (void)state;
    read_as("a.yaml", "finetuning_type: full\nbf16: true\n"
                      "fsdp_config:\n  fsdp_version: 2\n");
    assert_string_equal(front->title, "LLaMA-Factory with FSDP2");
    says("fsdp_config.fsdp_activation_checkpointing", "true");
    says("max_seq_length", "2048");
    exchange_settings_free(&settings);
    read_as("a.yaml", "tuner_type: full\nmax_length: 1024\n"
                      "gradient_checkpointing: false\n"
                      "fsdp_config:\n  fsdp_version: 1\n");
    assert_string_equal(front->profile, "fsdp1");
    says("fsdp_config.fsdp_activation_checkpointing", "false");
    says("max_seq_length", "1024");
}

/* hiyouga/LLaMA-Factory model/model_utils/checkpointing.py: transformers' own
 * option does nothing there. */
static void llama_factory_recomputes_by_its_own_option(void **state)
{
    (void)state;
    read_as("a.yaml", "finetuning_type: full\nstage: sft\nbf16: true\n"
                      "per_device_train_batch_size: 1\n"
                      "gradient_checkpointing: false\n");
    assert_string_equal(front->title, "LLaMA-Factory with DDP");
    says("recompute-granularity", "full");
    exchange_settings_free(&settings);
    read_as("a.yaml", "finetuning_type: full\nstage: sft\nbf16: true\n"
                      "per_device_train_batch_size: 1\n"
                      "disable_gradient_checkpointing: true\n");
    says("recompute-granularity", "none");
    exchange_settings_free(&settings);
    read_as("a.yaml", "finetuning_type: full\nbf16: true\n"
                      "gradient_checkpointing: false\n"
                      "fsdp_config:\n  fsdp_version: 2\n");
    says("fsdp_config.fsdp_activation_checkpointing", "true");
}

/* openrlhf/cli/train_sft.py; dschat/utils/ds_utils.py: --offload is of both. */
static void programs_on_deepspeed_have_its_names(void **state)
{
    (void)state;
    read_as("a.sh", "deepspeed --module openrlhf.cli.train_sft \\\n"
                    "  --data.max_len 4096 --train.micro_batch_size 2 \\\n"
                    "  --train.batch_size 256 --ds.adam_offload\n");
    assert_string_equal(front->title, "OpenRLHF's SFT");
    says("train_micro_batch_size_per_gpu", "2");
    says("train_batch_size", "256");
    says("seq-length", "4096");
    says("zero_optimization.stage", "2");
    says("zero_optimization.offload_optimizer.device", "cpu");
    exchange_settings_free(&settings);
    read_as("a.sh", "deepspeed main.py --data_path x --zero_stage 3 \\\n"
                    "  --max_seq_len 512 --offload\n");
    assert_string_equal(front->title, "DeepSpeed-Chat");
    says("train_micro_batch_size_per_gpu", "16");
    says("fp16.enabled", "1");
    says("zero_optimization.offload_optimizer.device", "cpu");
    says("zero_optimization.offload_param.device", "cpu");
}

/* What changes a run by far stands under beware, whatever it is of. */
static void what_changes_a_run_is_doubtful(void **state)
{
    static const char *const names[] = {"use_galore", "use_apollo", "use_badam",
            "use_adam_mini", "mixture_of_depths", "cut_cross_entropy",
            "ring_attn_size", "ulysses_sequence_parallel_size", "rlhf_type",
            "max_prompt_length", "num_generations"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        assert_non_null(exchange_doubt_of(names[i], "2"));
    assert_true(exchange_doubt_of("ring_attn_size", "2")->shapes_replica);
    assert_true(
            exchange_doubt_of("sequence_parallel_size", "4")->shapes_replica);
    assert_null(exchange_doubt_of("sequence_parallel_size", "1"));
    assert_null(exchange_doubt_of("lighteval.parallelism.dp", "4"));
    assert_null(exchange_doubt_of("model_config.pretraining_tp", "2"));
}

/* Options that name a second model: TRL trl/trainer, LLaMA-Factory
 * src/llamafactory/hparams, ms-swift swift, axolotl src/axolotl/utils/schemas,
 * Megatron-LM megatron/training/arguments.py, slime, OpenRLHF. */
static void second_models_are_doubtful(void **state)
{
    static const char *const names[] = {"use_asft_loss", "asft_alpha",
            "ref_model", "ref_model_adapters", "reward_model",
            "teacher_model_name_or_path", "teacher_model", "teacher_deepspeed",
            "reward_model_path", "kd_trainer", "kd_alpha", "seq_kd",
            "sync_ref_model", "distillation", "export-kd-teacher-load",
            "opd-teacher-load", "ref-load", "mcore_ref_model",
            "reward_pretrain", "distillation.kd_loss_weight"};
    static const char *const others[] = {"ref_per_token_logps", "prefetch",
            "center_rewards_coefficient", "use_dft_loss", "system_prefix"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        const exchange_doubt *const doubt = exchange_doubt_of(names[i], "x/y");

        if (doubt == NULL || strcmp(doubt->topic, "a second model") != 0)
            fail_msg("%s is no second model", names[i]);
        assert_null(exchange_doubt_of(names[i], "false"));
    }
    for (int i = 0; i < P3D_COUNT_OF(others); i++)
        assert_null(exchange_doubt_of(others[i], "0.5"));
    assert_non_null(exchange_doubt_of("reward_funcs", "accuracy"));
}

/* Recomputation that is off has no method. */
static void methods_without_recomputation_are_idle(void **state)
{
    (void)state;
    read_as("a.yaml", "modules:\n  pre_trainer:\n    framework: megatron\n"
                      "    overrides:\n      recompute_granularity: null\n"
                      "      recompute_method: block\n"
                      "      recompute_num_layers: 0\n");
    says_no("recompute-num-layers");
    says_no("recompute-method");
    exchange_settings_free(&settings);
    read_as("a.sh", "run --num-layers 2 --recompute-num-layers 0\n");
    says_no("recompute-num-layers");
    exchange_settings_free(&settings);
    read_as("a.sh", "run --recompute-granularity full \\\n"
                    "  --recompute-method uniform --recompute-num-layers 1\n");
    says("recompute-num-layers", "1");
    says("recompute-method", "uniform");
    exchange_settings_free(&settings);
    read_as("a.sh", "run --recompute-granularity full \\\n"
                    "  --recompute-method block --recompute-num-layers 0\n");
    says_no("recompute-granularity");
    says_no("recompute-num-layers");
}

/* A body is read where it is called, with the words of the call. */
static void functions_have_the_arguments_of_their_call(void **state)
{
    (void)state;
    read_as("a.sh", "setup() {\n  local TP=$1\n  PP=${2:-1}\n"
                    "  cat > x <<EOF\n}\nEOF\n  T=$TP; U=\"${PP}\"\n}\n"
                    "function run_it {\n  run --tp $T --pp $U --n $1\n}\n"
                    "never() { N=7; run --never $N; }\n"
                    "setup 4 2\nrun_it 3 | tee log\nrun --out $1\n");
    says("tp", "4");
    says("pp", "2");
    says("n", "3");
    says("never", "7");
    says("out", "$1");
    exchange_settings_free(&settings);
    read_as("a.sh", "a() { b; }\nb() { a; run --in 1; }\na\nrun --last\n");
    says("last", NULL);
}

static void loops_over_one_word_are_that_word(void **state)
{
    (void)state;
    read_as("a.sh", "for TP in 4; do run --tp $TP --n $((TP * 2)); done\n"
                    "PP=1\nfor PP in 1 2; do run --pp $PP; done\n");
    says("tp", "4");
    says("n", "8");
    says("pp", "$PP ");
    says("for $PP", "1 2");
    says_no("for $TP");
}

static void words_of_read_are_shared(void **state)
{
    (void)state;
    read_as("a.sh", "read -r A B <<< \"4 2 1\"\nIFS=',' read C D <<<\"5,6\"\n"
                    "read E <<< '7,8'\nwhile read F; do run --f $F; done <x\n"
                    "run --a $A --b $B --c $C --d $D --e $E\n");
    says("a", "4");
    says("b", "2 1");
    says("c", "5");
    says("d", "6");
    says("e", "7,8");
    says("f", "$F");
}

static const char *outside(const char *name)
{
    return strcmp(name, "TP") == 0        ? "4"
           : strcmp(name, "NNODES") == 0  ? "3"
           : strcmp(name, "SLURM_X") == 0 ? "9"
                                          : NULL;
}

/* What the script sets counts more; a scheduler's are of another cluster. */
static void the_environment_gives_what_scripts_lack(void **state)
{
    (void)state;
    settings.environment = outside;
    settings.n_nodes = 2;
    settings.gpus_per_node = 8;
    read_as("a.sh", "run --tp ${TP:-1} --pp ${PP:-2} --nnodes $NNODES \\\n"
                    "  --x $SLURM_X\nTP=8\nrun --late $TP\n");
    says("tp", "4");
    says("pp", "2");
    says("nnodes", "3");
    says("x", "$SLURM_X");
    says("late", "8");
    says("$NNODES", "3, from the environment");
}

/* Words that a script prints are no launch. */
static void what_is_printed_is_not_read(void **state)
{
    (void)state;
    read_as("a.sh", "echo \"usage: --tp 2\" --pp 4\n"
                    "[ 1 = 1 ] && echo --cp 2; run --dp 3\n");
    says_no("pp");
    says_no("cp");
    says("dp", "3");
}

/* nemo_rl: recomputation follows from a switch, the batch is of a step. */
static void nemo_rl_has_two_backends(void **state)
{
    (void)state;
    read_as("a.yaml", "policy:\n  model_name: meta-llama/Llama-3.1-8B\n"
                      "  train_global_batch_size: 512\n"
                      "  train_micro_batch_size: 2\n"
                      "  max_total_sequence_length: 4096\n"
                      "  precision: bfloat16\n"
                      "  dtensor_cfg:\n    enabled: false\n"
                      "    tensor_parallel_size: 8\n"
                      "  megatron_cfg:\n    enabled: true\n"
                      "    activation_checkpointing: true\n"
                      "    tensor_model_parallel_size: 2\n");
    assert_string_equal(front->title, "NeMo-RL with Megatron-Core");
    says("tensor-model-parallel-size", "2");
    says("recompute-granularity", "full");
    says("global-batch-size", "512");
    says("seq-length", "4096");
    exchange_settings_free(&settings);
    settings.n_nodes = 1;
    settings.gpus_per_node = 8;
    read_as("a.yaml", "policy:\n  model_name: meta-llama/Llama-3.1-8B\n"
                      "  train_global_batch_size: 128\n"
                      "  train_micro_batch_size: 2\n"
                      "  dtensor_cfg:\n    enabled: true\n"
                      "    tensor_parallel_size: 2\n"
                      "grpo:\n  num_prompts_per_step: 32\n");
    assert_string_equal(front->title, "NeMo-RL with DTensor");
    says("~the policy's step: answers are generated, and reference and reward "
         "models run, before it",
            NULL);
    says("gradient_accumulation_steps", "16");
    says("parallelism_config.parallelism_config_tp_size", "2");
}

/* What nobody knows is taken by its name, and said so. */
static void options_of_ones_own_are_guessed(void **state)
{
    (void)state;
    read_as("a.sh",
            "srun train --tp_size 8 --pipeline_parallel 2 \\\n"
            "  --seq_len 4096 --batch_size 64 --mbs 1 --grad-accum 2\n");
    assert_true(front->guesses);
    says("tensor-model-parallel-size", "8");
    says("pipeline-model-parallel-size", "2");
    says("seq-length", "4096");
    says("global-batch-size", "64");
    says("micro-batch-size", "1");
    says("?tp_size = 8", "taken for tensor-model-parallel-size");
    exchange_settings_free(&settings);
    read_as("a.sh", "vllm serve x --tensor-parallel-size 8 --port 80\n");
    assert_null(front);
}

static void colossal_llama_has_its_plugins(void **state)
{
    (void)state;
    read_as("a.sh",
            "colossalai run train.py --plugin 3d --tp 4 --pp 2 \\\n"
            "  --zero_stage 1 --batch_size 8 --accumulation_steps 2 \\\n"
            "  --microbatch_size 2 --mixed_precision bf16\n");
    assert_string_equal(front->title, "Colossal-LLaMA");
    says("HybridParallelPlugin.tp_size", "4");
    says("HybridParallelPlugin.zero_stage", "1");
    says("launch.micro_batch_size", "2");
    says("launch.batch_per_replica", "16");
    assert_int_equal(settings.lacks, 0);
    exchange_settings_free(&settings);
    read_as("a.sh", "colossalai run train.py --plugin gemini --tp 4 \\\n"
                    "  --batch_size 8 --mixed_precision bf16\n");
    assert_int_not_equal(settings.lacks, 0);
}

/* Family and size within a name, at the bounds of its parts. */
static void models_are_found_within_names(void **state)
{
    static const char *const words[][2] = {
            {"my-qwen2.5-32b-base", "qwen2.5-32b"},
            {"llama31_405b", "llama-3.1-405b"},
            {"llama3_8b_pretrain_config", "llama-3-8b"},
            {"Qwen2.5-32B-long-sft", "qwen2.5-32b"},
            {"qwen3_30b_a3b_v2", "qwen3-30b-a3b"},
            {"my-qwen2-vl-7b", "qwen2-vl-7b"}, {"my-qwen2-vl-9b", ""},
            {"qwen3_5_27b_sft_config", "qwen3.5-27b"},
            {"qwen35_vl_27b_sft_config", "qwen3.5-27b"},
            {"qwen3_vl_27b_sft_config", ""},
            {"ministral3_8b_sft_config", "ministral-3-8b"},
            {"Ministral-8B-Instruct-2410", "ministral-8b"},
            {"qwen2.5-132b", ""}, {"qwen3.5-14b", ""}, {"llama-3-8b.5", ""},
            {"llama-3-8b-draft", ""}, {"gpt2", ""}, {"my-llama-1.3b", ""},
            {"my-llama-13b", "llama-13b"}, {"llama3.1-8b-run", "llama-3.1-8b"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        p3d_text name = {0};
        p3d_error err = {0};

        assert_true(exchange_model_in_word(words[i][0], &name, &err));
        assert_string_equal(p3d_text_get(&name), words[i][1]);
        p3d_text_free(&name);
    }
}

/* Who trains on pairs says so by a program, or by an option. */
static void training_on_pairs_is_known_by_the_program(void **state)
{
    (void)state;
    read_as("a.sh", "torchrun -n 8 open_instruct/dpo_tune_cache.py --x 1\n");
    says("preference_pairs", "dpo_tune_cache.py");
    exchange_settings_free(&settings);
    read_as("a.sh", "deepspeed --module a -m openrlhf.cli.train_rm --x 1\n");
    says("preference_pairs", "openrlhf.cli.train_rm");
    exchange_settings_free(&settings);
    read_as("a.sh", "torchrun scripts/train_form.py --x 1\n");
    says_no("preference_pairs");
    exchange_settings_free(&settings);
    read_as("a.yaml", "base_model: x\nrl: grpo\nmicro_batch_size: 1\n");
    says("preference_pairs", "true");
}

/* A part that is off has no part in the plan. */
static void parts_that_are_off_are_not_read(void **state)
{
    (void)state;
    read_as("a.yaml", "peft:\n  enabled: false\n  dim: 8\n"
                      "tune:\n  enabled: true\n  dim: 4\n");
    says_no("peft.dim");
    says("peft.enabled", "false");
    says("tune.dim", "4");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    static const struct CMUnitTest tests[] = {
            TEST(overrides_need_no_part_beside_others),
            TEST(sums_of_expr_are_done),
            TEST(fsdp_of_arguments_is_the_trainers),
            TEST(lengths_of_fsdp2_have_many_names),
            TEST(programs_on_the_trainer_keep_their_defaults_with_fsdp),
            TEST(llama_factory_recomputes_by_its_own_option),
            TEST(programs_on_deepspeed_have_its_names),
            TEST(what_changes_a_run_is_doubtful),
            TEST(second_models_are_doubtful), TEST(nemo_rl_has_two_backends),
            TEST(options_of_ones_own_are_guessed),
            TEST(colossal_llama_has_its_plugins),
            TEST(models_are_found_within_names),
            TEST(training_on_pairs_is_known_by_the_program),
            TEST(parts_that_are_off_are_not_read),
            TEST(functions_have_the_arguments_of_their_call),
            TEST(loops_over_one_word_are_that_word),
            TEST(words_of_read_are_shared),
            TEST(the_environment_gives_what_scripts_lack),
            TEST(what_is_printed_is_not_read),
            TEST(methods_without_recomputation_are_idle),
            TEST(what_freezes_weights_is_told_apart),
            TEST(flavors_of_torchtitan_are_models),
            TEST(registries_of_torchtitan_say_their_model),
            TEST(the_arm_of_a_case_that_runs_is_read),
            TEST(arguments_of_a_script_are_asked_for),
            TEST(variables_that_are_not_set_are_empty_and_listed),
            TEST(commands_behind_a_test_run_or_not),
            TEST(deepspeed_json_of_a_script_is_read),
            TEST(the_cluster_gives_what_launchers_set),
            TEST(tokenizers_give_vocabularies),
            TEST(fp8_of_nemo_is_off_where_it_is_off),
            TEST(lengths_and_batches_follow_from_several_options),
            TEST(accumulation_counts_the_replicas),
            TEST(models_are_cut_to_their_sizes),
            TEST(options_of_the_trained_part_are_doubted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
