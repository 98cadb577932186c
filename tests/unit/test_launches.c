/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_launches.c - what the readers understand of launches as people have
 * them: choices of scripts, names of tokenizers, options of front ends. */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "exchange/read/doubt.h"
#include "exchange/read/front.h"

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
    says("zero", "$1");
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
    assert_true(exchange_front_shorten(&name));
    assert_true(exchange_front_shorten(&name));
    assert_string_equal(p3d_text_get(&name), "DeepSeek-V3");
    p3d_text_cut(&name, 0);
    p3d_text_add(&name, "DeepSeek-V3-4layers");
    assert_false(exchange_front_shorten(&name));
    p3d_text_cut(&name, 0);
    p3d_text_add(&name, "7B-chat");
    assert_false(exchange_front_shorten(&name));
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

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    static const struct CMUnitTest tests[] = {
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
