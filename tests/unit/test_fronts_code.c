/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fronts_code.c - programs of people's own in Python: names that stand for
 * a literal, sums, the classes of transformers, TRL, PEFT and Unsloth. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "exchange/read/doubt.h"
#include "exchange/read/front.h"
#include "exchange/read/model_word.h"
#include "exchange/read/python_values.h"

static exchange_settings settings;
static const exchange_front *front;

static void read_one(const char *text)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

    exchange_settings_free(&settings);
    settings.n_nodes = 1;
    settings.gpus_per_node = 8;
    if (!exchange_read_text((exchange_text){"train.py", text, strlen(text)},
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
    assert_string_equal(found->value != NULL ? found->value : "", value);
}

static bool remarks(const char *words)
{
    for (int i = 0; i < settings.n; i++)
        if (settings.at[i].name[0] == '&' &&
                strstr(settings.at[i].name, words) != NULL)
            return true;
    return false;
}

static int forget(void **state)
{
    (void)state;
    exchange_settings_free(&settings);
    return 0;
}

/* What a value becomes among these names. */
static void becomes(
        exchange_python_names *names, const char *value, const char *is)
{
    p3d_text text = {0};

    p3d_text_add(&text, "%s", value);
    (void)exchange_python_value(names, &text);
    assert_string_equal(p3d_text_get(&text), is);
    p3d_text_free(&text);
}

static void sums_of_whole_numbers_are_worked_out(void **state)
{
    static exchange_python_names names;

    (void)state;
    memset(&names, 0, sizeof(names));
    exchange_python_keep(&names,
            &(exchange_python_name){
                    .name = "LENGTH", .value = "8192", .is_global = true});
    exchange_python_keep(&names,
            &(exchange_python_name){
                    .name = "HALF", .value = "LENGTH // 2", .is_global = true});
    becomes(&names, "2**21", "2097152");
    becomes(&names, "2 * LENGTH", "16384");
    becomes(&names, "(1 + 3) * 4 - 2", "14");
    becomes(&names, "HALF", "4096");
    becomes(&names, "int(HALF) * 3", "12288");
    becomes(&names, "100_000", "100000");
    becomes(&names, "opts.length or LENGTH", "8192");
    becomes(&names, "1e-5", "1e-5");
    becomes(&names, "LENGTH / 2", "LENGTH / 2");
    becomes(&names, "2 ** 80", "2 ** 80");
    becomes(&names, "1 // 0", "1 // 0");
    becomes(&names, "1 - 2", "1 - 2");
    becomes(&names, "((((((((((1))))))))))", "((((((((((1))))))))))");
    becomes(&names, "OTHER * 2", "OTHER * 2");
    becomes(&names, "get_world_size() // 64", "get_world_size() // 64");
    names.n_gpus = 128;
    names.gpus_per_node = 8;
    becomes(&names, "get_world_size() // 64", "2");
    becomes(&names, "dist.get_local_world_size()", "8");
    becomes(&names, "get_world_size() // get_local_world_size()", "16");
}

/* A name with two values, or of another function, stands for none. */
static void a_name_of_two_values_stands_for_none(void **state)
{
    (void)state;
    read_one(
            "BATCH = 4\n"
            "if big:\n"
            "    SIZE = 8\n"
            "else:\n"
            "    SIZE = 16\n"
            "def other():\n"
            "    local = 2\n"
            "def main():\n"
            "    TrainingArguments(output_dir='x', seed=SIZE, save_steps=local,"
            "\n        per_device_train_batch_size=BATCH)\n");
    says("train_micro_batch_size_per_gpu", "4");
    says("seed", "SIZE");
    says("save_steps", "local");
}

static void arguments_have_their_defaults(void **state)
{
    (void)state;
    read_one(
            "parser.add_argument('--micro-batch', type=int, default=2)\n"
            "parser.add_argument('--model', default='Qwen/Qwen3-8B')\n"
            "parser.add_argument('--steps', type=int)\n"
            "model = AutoModelForCausalLM.from_pretrained(args.model)\n"
            "SFTConfig(output_dir='x', max_length=2048, max_steps=args.steps,\n"
            "    per_device_train_batch_size=args.micro_batch)\n");
    says("train_micro_batch_size_per_gpu", "2");
    says("model_name_or_path", "Qwen/Qwen3-8B");
    says("seq-length", "2048");
    says("max_steps", "args.steps");
    says("bf16.enabled", "true");
    says("recompute-granularity", "full");
    says("=SFTConfig.per_device_train_batch_size",
            "2, the default of its argument");
    assert_true(remarks("whose default is fp32"));
    assert_true(remarks("sharding by an accelerate"));
}

static void classes_of_peft_and_unsloth_are_adapters(void **state)
{
    (void)state;
    read_one("model, t = FastLanguageModel.from_pretrained(\n"
             "    model_name='unsloth/Llama-3.2-3B', max_seq_length=1024,\n"
             "    load_in_4bit=True)\n"
             "model = FastLanguageModel.get_peft_model(model, r=16,\n"
             "    use_gradient_checkpointing='unsloth')\n"
             "SFTTrainer(model=model, args=TrainingArguments(bf16=\n"
             "    is_bfloat16_supported(), per_device_train_batch_size=2))\n");
    says("lora_r", "16");
    says("seq-length", "1024");
    says("recompute-granularity", "full");
    says("offloads_activations", "true");
    read_one("AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-8B')\n"
             "AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-32B')\n"
             "LoraConfig(target_modules=['q_proj'], lora_alpha=16)\n"
             "TrainingArguments(per_device_train_batch_size=2, fp16=True)\n");
    says("lora_r", "8");
    says("fp16.enabled", "true");
    says("ref_model.from_pretrained", "Qwen/Qwen3-32B");
    read_one(
            "AutoModelForSequenceClassification.from_pretrained('a/b')\n"
            "GRPOTrainer(model='Qwen/Qwen3-4B', peft_config=LoraConfig(),\n"
            "    args=GRPOConfig(per_device_train_batch_size=4,\n"
            "        max_completion_length=2048, gradient_checkpointing=False))"
            "\n");
    assert_string_equal(front->title, "TRL's GRPO with DDP");
    says("lora_r", "8");
    says("seq-length", "2560");
    says("recompute-granularity", "none");
    says(EXCHANGE_OTHER_MODEL, "a/b");
    assert_true(remarks("sharding by an accelerate"));
}

#define OLMO                                                               \
    "SEQUENCE = 8192\n"                                                    \
    "def build(opts):\n"                                                   \
    "    length = opts.sequence_length or SEQUENCE\n"                      \
    "    model = TransformerConfig.olmo3_7B(vocab_size=t.padded())\n"      \
    "    data = NumpyDataLoaderConfig(global_batch_size=2**21)\n"          \
    "    train = TransformerTrainModuleConfig(\n"                          \
    "        rank_microbatch_size=2 * 8192, max_sequence_length=length,\n" \
    "        optim=SkipStepAdamWConfig(lr=1e-4), compile_model=True,\n"    \
    "        dp_config=TransformerDataParallelConfig(\n"                   \
    "            name=DataParallelType.hsdp, param_dtype=DType.bfloat16,\n"

/* Batches of OLMo-core count tokens; a hybrid sharding has a shard a node,
 * unless it says how many, or into how many replicas. */
static void batches_of_olmo_core_count_tokens(void **state)
{
    (void)state;
    read_one(OLMO "        ))\n");
    assert_string_equal(front->title, "OLMo-core with torch.compile");
    says("olmo_core.model", "OLMo-3-7B");
    says("seq-length", "8192");
    says("train_batch_size", "256");
    says("train_micro_batch_size_per_gpu", "2");
    says("zero_optimization.stage", "3");
    says("zero_optimization.mics_shard_size", "8");
    says("bf16.enabled", "true");
    says("recompute-granularity", "none");
    assert_true(exchange_settings_find(&settings, "SEQUENCE", false)->used);
    assert_false(remarks("an optimizer"));
    read_one(OLMO "            num_replicas=get_world_size() // 4),\n"
                  "        ac_config=TransformerActivationCheckpointingConfig("
                  "\n            TransformerActivationCheckpointingMode.full))"
                  "\n");
    says("zero_optimization.mics_shard_size", "4");
    says("recompute-granularity", "full");
    read_one(OLMO "            shard_degree=2),\n"
                  "        ac_config=TransformerActivationCheckpointingConfig("
                  "\n            mode=TransformerActivationCheckpointingMode."
                  "selected_modules))\n"
                  "    if get_world_size() >= 1024:\n"
                  "        train.rank_microbatch_size //= 2\n"
                  "    model_config.block.norm = other\n");
    says("zero_optimization.mics_shard_size", "2");
    read_one(OLMO "        ),\n"
                  "        cp_config=TransformerContextParallelConfig.llama3(\n"
                  "            degree=8))\n");
    says("context_parallel_size", "8");
    read_one(OLMO "            shard_degree=2),\n"
                  "        ac_config=TransformerActivationCheckpointingConfig("
                  "\n            mode=TransformerActivationCheckpointingMode."
                  "selected_modules))\n"
                  "    if get_world_size() >= 1024:\n"
                  "        train.rank_microbatch_size //= 2\n"
                  "    model_config.block.norm = other\n");
    assert_true(remarks("recomputation of the modules"));
    assert_true(remarks("what the script changes of the model"));
    assert_non_null(exchange_doubt_of(EXCHANGE_BRANCH, "get_world_size()"));
    says(EXCHANGE_BRANCH, "get_world_size()");
}

/* Configurations of GRPO name no launcher; a program of its own is none of
 * axolotl's. */
static void words_of_one_program_are_not_of_another(void **state)
{
    (void)state;
    read_one("x = 1\n");
    assert_null(front);
    exchange_settings_free(&settings);
    read_one("TrainingArguments(per_device_train_batch_size=1, bf16=True,\n"
             "    base_model='meta-llama/Llama-3.1-8B', max_seq_len=2048)\n");
    assert_string_equal(front->title, "transformers with DDP");
    says("seq-length", "2048");
}

static void read_as(const char *path, const char *text)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

    exchange_settings_free(&settings);
    settings.n_nodes = 1;
    settings.gpus_per_node = 8;
    if (!exchange_read_text((exchange_text){path, text, strlen(text)},
                &settings, &measured, &err) ||
            !exchange_front_apply(&settings, &front, &err))
        fail_msg("%s", err.text);
}

/* Strategies that share states in a node, or not at all. */
static void hybrid_strategies_have_many_names(void **state)
{
    static const struct {
        const char *word, *strategy, *profile;
    } cases[] = {{"hybrid_shard auto_wrap", "HYBRID_SHARD", "fsdp1"},
            {"hybrid_shard_zero2", "_HYBRID_SHARD_ZERO2", "fsdp1"},
            {"no_shard", "NO_SHARD", "ddp-hf"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        char text[300];

        snprintf(text, sizeof(text),
                "torchrun train.py --model_name_or_path ~/llama-13b \\\n"
                "  --bf16 True --per_device_train_batch_size 4 \\\n"
                "  --fsdp \"%s\" --model_max_length 2048\n",
                cases[i].word);
        read_as("a.sh", text);
        assert_string_equal(front->profile, cases[i].profile);
        says("fsdp_config.fsdp_sharding_strategy", cases[i].strategy);
    }
}

/* Wrappers of PyTorch in a script, and what is sent of its gradients. */
static void wrappers_of_a_script_are_strategies(void **state)
{
    (void)state;
    read_one("FSDP(model, sharding_strategy=ShardingStrategy.HYBRID_SHARD)\n"
             "micro_batch_size = 2\nseq_len = 4096\n");
    assert_string_equal(front->title, "PyTorch's FSDP1 in a script");
    says("fsdp_config.fsdp_sharding_strategy", "HYBRID_SHARD");
    says("per_device_train_batch_size", "2");
    read_one("L.Trainer(devices=8, num_nodes=2, precision='bf16-mixed',\n"
             "    strategy=FSDPStrategy(sharding_strategy='NO_SHARD'))\n");
    assert_string_equal(front->profile, "ddp");
    says("num_processes", "16");
    read_one("L.Trainer(devices=8, strategy=DDPStrategy(\n"
             "    ddp_comm_state=PowerSGDState(process_group=None,\n"
             "        matrix_approximation_rank=4),\n"
             "    ddp_comm_hook=powerSGD_hook))\n");
    assert_string_equal(front->title, "Lightning with DDP");
    says("powersgd_rank", "4");
    assert_true(remarks("the steps before PowerSGD begins"));
    read_one("DistributedDataParallelKwargs(\n"
             "    comm_hook=DDPCommunicationHookType.BF16)\n"
             "TrainingArguments(per_device_train_batch_size=1, bf16=True)\n");
    says(EXCHANGE_REDUCED_16, "true");
}

#define JOB                             \
    "kind: PyTorchJob\n"                \
    "spec:\n"                           \
    "  containers:\n"                   \
    "  - name: train\n"                 \
    "    env:\n"                        \
    "    - {name: MBS, value: \"2\"}\n" \
    "    resources: {limits: {nvidia.com/gpu: 4}}\n"

/* What a container runs is a command, or a script behind "-c". */
static void jobs_of_kubernetes_run_their_commands(void **state)
{
    (void)state;
    read_as("job.yaml", JOB "    command: [torchrun, --nnodes=2]\n"
                            "    args:\n"
                            "    - pretrain_gpt.py\n"
                            "    - --tensor-model-parallel-size\n"
                            "    - '2'\n"
                            "    - --micro-batch-size=$(MBS)\n");
    says("tensor-model-parallel-size", "2");
    says("micro-batch-size", "2");
    says("nnodes", "2");
    says("gpus-per-node", "4");
    read_as("job.yaml", JOB "    command:\n"
                            "    - /bin/bash\n"
                            "    - -c\n"
                            "    - |\n"
                            "      accelerate launch train.py \\\n"
                            "        --model_name_or_path Qwen/Qwen3-8B \\\n"
                            "        --per_device_train_batch_size $MBS\n");
    assert_string_equal(front->title, "transformers with DDP");
    says("train_micro_batch_size_per_gpu", "2");
    read_as("job.yaml", "kind: Service\nspec:\n  containers:\n"
                        "  - command: [a.sh, --micro-batch-size, '2']\n");
    assert_null(exchange_settings_find(&settings, "micro-batch-size", true));
}

/* Braces of templates stand for a value, or control what stands there. */
static void templates_of_yaml_are_read(void **state)
{
    (void)state;
    read_as("a.yaml", "{% if big %}\n"
                      "path: {{ data }}/x\n"
                      "{{- if .Values.gpu }}\n"
                      "files: [a, {{b}}]\n"
                      "{{- end }}\n"
                      "batch_size: 4\n");
    says("path", "<< data >>/x");
    says("files.1", "<<b>>");
    says("batch_size", "4");
    assert_int_equal(
            exchange_settings_find(&settings, "batch_size", true)->line, 6);
}

/* 20B_tokenizer.json is GPT-NeoX's own; the folder of another one may have the
 * name of its model, and else nobody knows how many words it has. */
static void vocabularies_are_of_the_file_that_is_named(void **state)
{
    static const char *const files[][2] = {{"data/20B_tokenizer.json", "50277"},
            {"/x/Meta-Llama-3-8B/tokenizer.json", "128256"},
            {"/x/llama3-8b-instruct/tokenizer/tokenizer.json", "128256"},
            {"/x/mine/tokenizer.json", NULL}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(files); i++) {
        char text[200];

        snprintf(text, sizeof(text),
                "model_parallel_size: 1\nnum_layers: 2\n"
                "tokenizer_type: HFTokenizer\nvocab_file: %s\n",
                files[i][0]);
        read_as("a.yml", text);
        assert_string_equal(front->title, "GPT-NeoX");
        if (files[i][1] != NULL)
            says("vocab-size", files[i][1]);
        else
            assert_null(exchange_settings_find(&settings, "vocab-size", true));
    }
    read_as("a.yml", "model_parallel_size: 1\nnum_layers: 2\n"
                     "tokenizer_type: HFTokenizer\n");
    says("vocab-size", "50277");
}

/* GPT-NeoX once had one word for both types of 16 bit. */
static void a_type_of_16_bit_is_one_of_two(void **state)
{
    (void)state;
    read_as("a.yml", "model_parallel_size: 1\nnum_layers: 2\n"
                     "fp16: {enabled: true, type: bfloat16}\n");
    says("bf16", "true");
    assert_null(exchange_settings_find(&settings, "fp16", true));
    assert_string_equal(
            exchange_doubt_of("parallelism.prefetch_distance", "4")->topic,
            "sharding");
}

/* Without the parameters of a token, where no name is longer. */
static void experts_may_be_left_out_of_a_name(void **state)
{
    static const char *const words[][2] = {
            {"merged_qwen3_235b", "qwen3-235b-a22b"},
            {"my-qwen3-30b-run", "qwen3-30b-a3b"},
            {"qwen3_32b_sft", "qwen3-32b"}, {"my-qwen3-31b", ""}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        p3d_text name = {0};
        p3d_error err = {0};

        assert_true(exchange_model_in_word(words[i][0], &name, &err));
        assert_string_equal(p3d_text_get(&name), words[i][1]);
        p3d_text_free(&name);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(sums_of_whole_numbers_are_worked_out),
            TEST(a_name_of_two_values_stands_for_none),
            TEST(arguments_have_their_defaults),
            TEST(classes_of_peft_and_unsloth_are_adapters),
            TEST(batches_of_olmo_core_count_tokens),
            TEST(words_of_one_program_are_not_of_another),
            TEST(hybrid_strategies_have_many_names),
            TEST(wrappers_of_a_script_are_strategies),
            TEST(jobs_of_kubernetes_run_their_commands),
            TEST(templates_of_yaml_are_read),
            TEST(vocabularies_are_of_the_file_that_is_named),
            TEST(experts_may_be_left_out_of_a_name),
            TEST(a_type_of_16_bit_is_one_of_two),
    };

    return cmocka_run_group_tests_name("fronts_code", tests, NULL, NULL);
}
