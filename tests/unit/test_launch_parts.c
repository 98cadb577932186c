/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_launch_parts.c - parts of launches: documents and forms of a shell,
 * tasks of a cluster, adapters by a pattern, weights that are not frozen. */
#include "problem.h"

#include <string.h>

#include "exchange/read/doubt.h"
#include "exchange/read/front.h"
#include "exchange/read/import_steps.h"
#include "spec/adapters.h"

static exchange_settings settings;
static const exchange_front *front;

static void read_alone(const char *path, const char *text)
{
    exchange_measured measured = {0};
    p3d_error err = {0};

    if (!exchange_read_text((exchange_text){path, text, strlen(text)},
                &settings, &measured, &err))
        fail_msg("%s", err.text);
}

static void read_as(const char *path, const char *text)
{
    p3d_error err = {0};

    read_alone(path, text);
    if (!exchange_front_apply(&settings, &front, &err))
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

/* Its "if" has no "fi", and would open all branches of the script. */
static void a_python_document_is_no_part_of_the_script(void **state)
{
    (void)state;
    read_alone("a.sh", "D=0\nM=8\nif [ $D = 1 ]; then\n  M=2\nfi\n"
                       "python3 - <<'PY' 2>&1 | tee log\n# checks\n"
                       "import os\nif missing:\n    run --inner 1\n"
                       "case = 3\nPY\nrun --micro $M\n");
    says("micro", "8");
    says_no("inner");
    says_no(EXCHANGE_BRANCH);
}

static void a_condition_that_does_not_close_is_in_doubt(void **state)
{
    (void)state;
    read_alone("a.sh", "D=0\nM=8\nif [ $D = 1 ]; then\n  M=2\nfi\n"
                       "if [ $D = 3 ]; then\nrun --micro $M\n");
    says(EXCHANGE_BRANCH, "an \"if\" is not closed");
    assert_non_null(exchange_doubt_of(EXCHANGE_BRANCH, "yes"));
}

static void letters_of_a_variable_become_small_or_capital(void **state)
{
    (void)state;
    read_alone("a.sh", "K=Fast\ncase \"${K,,}\" in\n  slow) M=1 ;;\n"
                       "  fast) M=4 ;;\nesac\nrun --m $M --k ${K^^}\n");
    says("m", "4");
    says("k", "FAST");
}

static void tasks_of_a_cluster_are_scripts(void **state)
{
    (void)state;
    read_alone("a.dstack.yml", "type: task\nname: t\nnodes: 2\nenv:\n"
                               "  - TOKEN\n  - M=Qwen/Qwen3-8B\ncommands:\n"
                               "  - pip install x\n  - python sft.py\n"
                               "    --model_name_or_path $M\n"
                               "    --lora_r 32\n");
    says("model_name_or_path", "Qwen/Qwen3-8B");
    says("lora_r", "32");
    says("nnodes", "2");
    exchange_settings_free(&settings);
    read_alone("a.yaml", "resources:\n  accelerators: H100:8\nnum_nodes: 4\n"
                         "envs:\n  TP: 2\nrun: |\n  cd x\n"
                         "  torchrun a.py --tp $TP\n");
    says("tp", "2");
    says("gpus-per-node", "8");
    says("nnodes", "4");
}

static unsigned targets_of(const char *text, p3d_error *err)
{
    p3d_adapters out = {.rank = 0};

    read_alone("a.yaml", text);
    *err = (p3d_error){0};
    if (!exchange_read_adapters(&settings, &out, err))
        out.rank = -1;
    exchange_settings_free(&settings);
    return out.rank > 0 ? out.targets : 0;
}

/* PEFT takes a pattern of the modules' names. */
static void a_pattern_of_modules_names_targets(void **state)
{
    p3d_error err = {0};

    (void)state;
    assert_int_equal(
            targets_of("adapter: lora\nlora_r: 8\nlora_target_modules: 'model."
                       "language_model.layers.[\\d]+.(mlp|self_attn).(up|down|"
                       "q|v)_proj'\n",
                    &err),
            P3D_TARGET_Q | P3D_TARGET_V | P3D_TARGET_UP | P3D_TARGET_DOWN);
    assert_int_equal(
            targets_of("adapter: lora\nlora_r: 8\nlora_target_modules: '.*\\."
                       "(?:q|o)_proj$'\n",
                    &err),
            P3D_TARGET_Q | P3D_TARGET_O);
    assert_int_equal(
            targets_of("adapter: lora\nlora_r: 8\nlora_target_modules: '.*"
                       "layers\\.(3|7)\\.self_attn\\.q_proj'\n",
                    &err),
            0);
    assert_non_null(strstr(err.text, "of some layers alone"));
    assert_int_equal(
            targets_of("adapter: lora\nlora_r: 8\nlora_target_modules: "
                       "'(q)_\\1(proj'\n",
                    &err),
            0);
    assert_non_null(strstr(err.text, "write the modules by name"));
    /* Each "+" doubles what it repeats: 2^20 copies of a letter. */
    assert_int_equal(
            targets_of("adapter: lora\nlora_r: 8\nlora_target_modules: "
                       "'((((((((((((((((((((q+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)"
                       "+)+)+)+|x'\n",
                    &err),
            0);
    assert_non_null(strstr(err.text, "write the modules by name"));
}

static void patterns_of_weights_freeze_all_others(void **state)
{
    exchange_tower_parts parts;

    (void)state;
    read_alone("a.yaml", "unfrozen_parameters:\n  - ^model.language_model.*\n"
                         "  - lm_head.*\n");
    parts = exchange_read_towers(&settings, "axolotl with FSDP2");
    assert_int_equal(parts.frozen,
            P3D_PART_VISION | P3D_PART_AUDIO | P3D_PART_PROJECTOR);
    exchange_settings_free(&settings);
    read_alone("a.yaml", "unfrozen_parameters:\n  - lm_head.*\n"
                         "  - model.layers.2[0-9]+.mlp\n");
    parts = exchange_read_towers(&settings, "axolotl with FSDP2");
    assert_int_equal(parts.frozen, 0);
    assert_false(settings.at[0].used);
}

static void offload_of_swift_is_a_word(void **state)
{
    (void)state;
    read_as("a.sh", "NPROC_PER_NODE=8 swift sft --model Qwen/Qwen3-8B "
                    "--deepspeed zero3_offload --max_length 2048\n");
    says("zero_optimization.stage", "3");
    says("zero_optimization.offload_optimizer.device", "cpu");
    says("zero_optimization.offload_param.device", "cpu");
}

static void kernels_and_bits_of_axolotl_are_read(void **state)
{
    (void)state;
    read_as("a.yml", "base_model: Qwen/Qwen3-8B\nsequence_len: 2048\n"
                     "micro_batch_size: 1\nadapter: qlora\nplugins:\n  - "
                     "axolotl.integrations.cut_cross_entropy."
                     "CutCrossEntropyPlugin\nquantize_moe_experts: true\n"
                     "optimizer: adamw_torch_8bit\n");
    says("use_liger_kernel", "true");
    says("optimizer_kind", "adam-8bit");
    says_no("cut_cross_entropy");
    says_no("quantize_moe_experts");
}

static void experts_with_room_are_as_others(void **state)
{
    (void)state;
    read_as("a.sh", "run pretrain_gpt.py --moe-expert-capacity-factor 2\n");
    says_no("moe-expert-capacity-factor");
    exchange_settings_free(&settings);
    read_as("a.sh", "run pretrain_gpt.py --moe-expert-capacity-factor 2 "
                    "--moe-pad-expert-input-to-capacity\n");
    says("moe-expert-capacity-factor", "2");
}

static void whole_types_of_axolotl_are_read(void **state)
{
    (void)state;
    read_as("a.yml", "base_model: EleutherAI/pythia-12b\nsequence_len: 2048\n"
                     "micro_batch_size: 1\nbf16: false\nfp16: false\n"
                     "float16: true\ndatasets:\n  - path: x\n");
    says("fp16.enabled", "true");
    says("weights_in_16_bit", "true");
}

static void the_router_of_slime_has_no_experts(void **state)
{
    (void)state;
    assert_null(exchange_doubt_of("use-slime-router", NULL));
    assert_null(exchange_doubt_of("slime-router-middleware-paths", "a.B"));
    assert_non_null(exchange_doubt_of("moe-router-unheard-of", "2"));
}

static void a_recipe_of_one_device_has_one_process(void **state)
{
    (void)state;
    read_alone("8B_lora_single_device.yaml",
            "model:\n  _component_: torchtune.models.llama3.lora_llama3_8b\n");
    says("nproc-per-node", "1");
    exchange_settings_free(&settings);
    read_alone("8B_lora.yaml",
            "model:\n  _component_: torchtune.models.llama3.lora_llama3_8b\n");
    says_no("nproc-per-node");
}

static void a_shard_of_one_gpu_is_a_replica(void **state)
{
    (void)state;
    read_as("a.sh", "torchrun -m verl.trainer.sft_trainer data.max_length=256 "
                    "model.path=Qwen/Qwen3-8B engine=fsdp "
                    "engine.strategy=fsdp2 engine.fsdp_size=1\n");
    assert_string_equal(
            front->title, "verl's SFT trainer with FSDP of whole states");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_teardown(
                    a_python_document_is_no_part_of_the_script, forget),
            cmocka_unit_test_teardown(
                    a_condition_that_does_not_close_is_in_doubt, forget),
            cmocka_unit_test_teardown(
                    letters_of_a_variable_become_small_or_capital, forget),
            cmocka_unit_test_teardown(tasks_of_a_cluster_are_scripts, forget),
            cmocka_unit_test_teardown(
                    a_pattern_of_modules_names_targets, forget),
            cmocka_unit_test_teardown(
                    patterns_of_weights_freeze_all_others, forget),
            cmocka_unit_test_teardown(offload_of_swift_is_a_word, forget),
            cmocka_unit_test_teardown(
                    kernels_and_bits_of_axolotl_are_read, forget),
            cmocka_unit_test_teardown(experts_with_room_are_as_others, forget),
            cmocka_unit_test_teardown(whole_types_of_axolotl_are_read, forget),
            cmocka_unit_test(the_router_of_slime_has_no_experts),
            cmocka_unit_test_teardown(
                    a_recipe_of_one_device_has_one_process, forget),
            cmocka_unit_test_teardown(a_shard_of_one_gpu_is_a_replica, forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
