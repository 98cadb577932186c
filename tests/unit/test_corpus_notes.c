/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_corpus_notes.c - what the notes and the finer words of a measured run
 * say. */
#include "test.h"

#include "base/util.h"
#include "corpus_row.h"

static void modules_of_selective_recomputation_are_read(void **state)
{
    static const struct {
        const char *word;
        unsigned modules;
    } cases[] = {{"selective", 0}, {"selective:core_attn", 1},
            {"selective:mlp", P3D_MODULE_MLP},
            {"selective:norm+moe_act",
                    P3D_MODULE_NORMS | P3D_MODULE_MOE_ACTIVATION},
            {"selective:layernorm+mla_up_proj+shared_experts",
                    P3D_MODULE_NORMS | P3D_MODULE_LATENT_UP |
                            P3D_MODULE_SHARED_EXPERTS}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        row.recompute = cases[i].word;
        assert_int_equal(convert(&row).plan.recompute, P3D_RECOMPUTE_SELECTIVE);
        assert_int_equal(
                convert(&row).plan.recompute_modules, cases[i].modules);
    }
}

/* All, a share, or the layers of so many of 32. */
static void transport_of_tokens_and_graphs_are_columns(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.framework = "Megatron-LM";
    assert_int_equal(
            convert(&row).problem.job.dispatcher, P3D_DISPATCH_ALL_TO_ALL);
    assert_false(convert(&row).problem.job.expert_overlap);
    assert_int_equal(convert(&row).problem.job.graphs, P3D_GRAPHS_NONE);
    row.dispatcher = "hybridep";
    row.expert_overlap = 1;
    row.cuda_graphs = "layers";
    assert_int_equal(
            convert(&row).problem.job.dispatcher, P3D_DISPATCH_HYBRIDEP);
    assert_true(convert(&row).problem.job.expert_overlap);
    assert_int_equal(convert(&row).problem.job.graphs, P3D_GRAPHS_LAYERS);
}

static void offloaded_activations_are_a_share(void **state)
{
    static const struct {
        const char *word;
        double frac;
    } cases[] = {{"", 0}, {"optimizer", 0}, {"activations", 1},
            {"activations:20.0%", 0.2}, {"activations:4", 4 / 32.0}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        row.offload = cases[i].word;
        CHECK_REL(convert(&row).plan.activation_offload_frac, cases[i].frac,
                1e-12);
    }
}

static void optimizers_of_the_notes_are_read(void **state)
{
    static const struct {
        const char *notes;
        p3d_optimizer optimizer;
        bool in_backward;
    } cases[] = {{"", P3D_ADAM, false}, {"x; Muon optimizer", P3D_MUON, false},
            {"optimizer=muon", P3D_MUON, false},
            {"8bit AdamW", P3D_ADAM_8BIT, false},
            {"step \"+optim in bwd\"", P3D_ADAM, true},
            {"step \"+8bit AdamW\"", P3D_ADAM_8BIT, true}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        row.notes = cases[i].notes;
        assert_int_equal(
                convert(&row).problem.job.optimizer, cases[i].optimizer);
        assert_int_equal(convert(&row).problem.job.optimizer_in_backward,
                cases[i].in_backward);
    }
}

static void flags_of_the_notes_are_read(void **state)
{
    exchange_run row = a_row();
    exchange_case c;

    (void)state;
    row.notes = "decoder-first-pipeline-num-layers=14; "
                "num-distributed-optimizer-instances=2; mtp-num-layers=1; "
                "defer-embedding-wgrad-compute, wgrad-deferral-limit=22; "
                "fp8-param-gather";
    c = convert(&row);
    assert_int_equal(c.plan.first_layers, 14);
    assert_int_equal(c.plan.last_layers, 0);
    assert_int_equal(c.plan.shard, 4); /* of 8 replicas */
    assert_int_equal(c.problem.job.n_mtp_layers, 1);
    assert_int_equal(c.problem.job.deferred_logits, 22);
    assert_false(c.problem.job.fp8_copies);
    row.notes = "decoder-last-pipeline-num-layers=15";
    c = convert(&row);
    assert_int_equal(c.plan.first_layers, 0);
    assert_int_equal(c.plan.last_layers, 15);
    assert_int_equal(c.plan.shard, 0);
    assert_int_equal(c.problem.job.n_mtp_layers, 0);
    assert_int_equal(c.problem.job.deferred_logits, 0);
}

/* Recipes that add up gradients in 16 bit and keep fp8 weights alone; mxfp8 has
 * scales of blocks, gpt-oss its weights in 16 bit. */
static void performance_recipes_are_known(void **state)
{
    exchange_run row = a_row();
    exchange_case c;

    (void)state;
    row.year = 2026;
    row.dtype = "mxfp8";
    c = convert(&row);
    assert_int_equal(c.problem.job.gradient_dtype, P3D_STATE_USUAL);
    assert_true(c.problem.job.fp8_copies);
    assert_int_equal(c.problem.job.fp8_recipe, P3D_FP8_MXFP8);
    row.framework = "Megatron-Bridge/Megatron-Core";
    row.dtype = "fp8";
    c = convert(&row);
    assert_int_equal(c.problem.job.gradient_dtype, P3D_STATE_IN_16);
    assert_int_equal(c.problem.job.allocator, P3D_ALLOCATOR_EXPANDABLE);
    assert_false(c.problem.job.fp8_copies);
    assert_int_equal(c.problem.job.fp8_recipe, P3D_FP8_CURRENT);
    row.allocator = "fixed";
    row.model = "GPT OSS 120B";
    c = convert(&row);
    assert_int_equal(c.problem.job.allocator, P3D_ALLOCATOR_FIXED);
    assert_true(c.problem.job.fp8_copies);
}

static void losses_of_the_column_are_read(void **state)
{
    exchange_run row = a_row();
    exchange_reason reason;
    exchange_case c;
    exchange_hardware *const hardware = exchange_hardware_create(NULL);

    (void)state;
    row.loss = "liger";
    assert_int_equal(convert(&row).problem.job.loss, P3D_LOSS_LIGER);
    row.loss = "nicest";
    assert_false(exchange_corpus_convert(&row, hardware, &c, &reason));
    assert_string_equal(reason.words, "loss nicest is not modelled");
    row.loss = "";
    row.allocator = "arena";
    assert_false(exchange_corpus_convert(&row, hardware, &c, &reason));
    assert_string_equal(reason.words, "allocator arena is not modelled");
    exchange_hardware_destroy(hardware);
}

/* The profile goes with the words and with the year. */
static void frameworks_are_those_of_their_time(void **state)
{
    static const struct {
        const char *words, *version, *notes;
        int year;
        const char *profile;
    } cases[] = {{"Megatron-LM", "", "", 2023, "megatron-2023"},
            {"Megatron-LM", "", "", 2024, "megatron-core"},
            {"Megatron-LM", "", "transformer-impl=local", 2025,
                    "megatron-local"},
            {"FlagScale", "", "", 2024, "megatron-2023"},
            {"sail-sg zero-bubble", "", "", 2024, "megatron-zero-bubble"},
            {"Megatron-Kwai", "", "", 2024, "megatron-kwai"},
            {"Hugging Face DeepSpeed", "", "", 2024, "deepspeed-hf"},
            {"DeepSpeed 0.19 + HF Transformers 5 + Liger", "", "", 2026,
                    "deepspeed-hf"},
            {"DeepSpeed", "", "", 2024, "deepspeed"},
            {"AA-Scaling", "", "flash_attention2 + RMS kernel", 2023,
                    "aleph-alpha-rms"},
            {"AA-Scaling", "", "flash_attention2", 2023, "aleph-alpha"},
            {"AA-Scaling", "", "kernel \"fused\"", 2023, "aleph-alpha-fused"},
            {"torchtitan", "", "", 2024, "fsdp2-2024"},
            {"torchtitan", "torch 2.7", "", 2025, "fsdp2-2024"},
            {"torchtitan", "", "", 2025, "fsdp2"},
            {"nanotron", "", "", 2024, "nanotron-2024"},
            {"nanotron v0.5", "", "", 2025, "nanotron"}};
    exchange_run row = a_row();

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        row.framework = cases[i].words;
        row.framework_version = cases[i].version;
        row.notes = cases[i].notes;
        row.year = cases[i].year;
        assert_string_equal(
                convert(&row).problem.job.framework->name, cases[i].profile);
    }
}

/* The generation of a fused kernel, and Liger's loss. */
static void kernels_and_losses_follow_the_words(void **state)
{
    exchange_run row = a_row();

    (void)state;
    row.attention = "flash";
    row.framework = "AA-Scaling";
    row.notes = "kernel \"flash_attentionv1.0.8\"; hidden-dropout=0.1";
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_1);
    assert_true(convert(&row).problem.job.dropout);
    row.notes = "kernel \"flash_attention2\"";
    assert_int_equal(convert(&row).problem.job.attention, P3D_FLASH_2);
    assert_false(convert(&row).problem.job.dropout);
    row.framework = "DeepSpeed 0.19 + HF Transformers 5 + Liger";
    assert_int_equal(convert(&row).problem.job.loss, P3D_LOSS_LIGER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(modules_of_selective_recomputation_are_read),
            cmocka_unit_test(transport_of_tokens_and_graphs_are_columns),
            cmocka_unit_test(offloaded_activations_are_a_share),
            cmocka_unit_test(optimizers_of_the_notes_are_read),
            cmocka_unit_test(flags_of_the_notes_are_read),
            cmocka_unit_test(performance_recipes_are_known),
            cmocka_unit_test(losses_of_the_column_are_read),
            cmocka_unit_test(frameworks_are_those_of_their_time),
            cmocka_unit_test(kernels_and_losses_follow_the_words),
    };

    return cmocka_run_group_tests_name("corpus notes", tests, NULL, NULL);
}
