/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory_profiles.c - what differs between frameworks, by hand. */
#include "problem.h"

#include "cost/cost.h"
#include "cost/memory/memory.h"

/* llama-3-8b: hidden 4096, 32 heads of 128, 8 key/value heads, ffn 14336. */
enum { TOKENS = 8192, HIDDEN = 4096, Q = 4096, KV = 1024, FFN = 14336 };

static p3d_block layer_of(const p3d_problem *problem, p3d_shard shard)
{
    p3d_blocks blocks;

    p3d_blocks_build(problem, shard, &blocks);
    return blocks.block[0];
}

/* 16-bit: two norm inputs, two linear inputs; q, k, v and the output; the
 * log-sum-exp; three or four tensors of the MLP width. */
static int64_t llama_layer_bytes(int mlp_tensors)
{
    return 2ll * TOKENS * (4 * HIDDEN + 2 * Q + 2 * KV + mlp_tensors * FFN) +
           4ll * TOKENS * 32;
}

/* Nanotron keeps keys and values a second time, packed for the kernel. */
static void an_unfused_swiglu_keeps_a_fourth_tensor(void **state)
{
    const p3d_problem core =
            problem_of("llama-3-8b", "8xH100", "megatron-core", TOKENS, 8);
    const p3d_problem nano =
            problem_of("llama-3-8b", "8xH100", "nanotron", TOKENS, 8);
    p3d_shard shard = p3d_shard_whole();

    (void)state;
    assert_int_equal(layer_of(&core, shard).saved_bytes[P3D_RECOMPUTE_NONE],
            llama_layer_bytes(3));
    assert_int_equal(layer_of(&nano, shard).saved_bytes[P3D_RECOMPUTE_NONE],
            llama_layer_bytes(4) + 2ll * TOKENS * 2 * KV);
}

/* Several sequences: nanotron's attention output in the layout of the
 * projection, 2 B x 2 x T x q more than twice a single one. */
static void nanotron_copies_the_output_of_several_sequences(void **state)
{
    const p3d_problem nano =
            problem_of("llama-3-8b", "8xH100", "nanotron", TOKENS, 16);
    p3d_shard shard = p3d_shard_whole();
    const int64_t one = layer_of(&nano, shard).saved_bytes[0];

    (void)state;
    assert_false(nano.job.flash_copies_output);
    shard.micro_batch = 2;
    assert_int_equal(layer_of(&nano, shard).saved_bytes[0],
            2 * one + 2ll * 2 * TOKENS * Q);
}

static void per_op_recomputation_keeps_every_second_product(void **state)
{
    p3d_problem p = problem_of("llama-3-8b", "8xH100", "fsdp2", TOKENS, 8);
    p3d_block layer = layer_of(&p, p3d_shard_whole());

    (void)state;
    /* input (h), queries and attention output (q), values (kv), gate (f),
     * log-sum-exp: torchtitan's "op" policy; the down projection (h) too where
     * no compiler sees that nothing needs it. */
    assert_int_equal(layer.saved_bytes[P3D_RECOMPUTE_SELECTIVE],
            2ll * TOKENS * (HIDDEN + 2 * Q + KV + FFN) + 4ll * TOKENS * 32);
    p.job.eager = true;
    layer = layer_of(&p, p3d_shard_whole());
    assert_int_equal(layer.saved_bytes[P3D_RECOMPUTE_SELECTIVE],
            2ll * TOKENS * (2 * HIDDEN + 2 * Q + KV + FFN) + 4ll * TOKENS * 32);
    assert_true(layer.replay_s[P3D_RECOMPUTE_SELECTIVE] > 0);
    assert_true(layer.replay_s[P3D_RECOMPUTE_SELECTIVE] <
                layer.replay_s[P3D_RECOMPUTE_FULL]);
}

static void flash_attention_2_copies_its_output(void **state)
{
    const p3d_problem a100 =
            problem_of("llama-3-8b", "8xA100", "megatron-core", TOKENS, 16);
    const p3d_problem h100 =
            problem_of("llama-3-8b", "8xH100", "megatron-core", TOKENS, 16);
    p3d_shard shard = p3d_shard_whole();

    (void)state;
    assert_true(a100.job.flash_copies_output);
    assert_false(h100.job.flash_copies_output);
    assert_int_equal(layer_of(&a100, shard).saved_bytes[0],
            layer_of(&h100, shard).saved_bytes[0]);
    shard.micro_batch = 2;
    assert_int_equal(layer_of(&a100, shard).saved_bytes[0],
            layer_of(&h100, shard).saved_bytes[0] + 2ll * 2 * TOKENS * Q);
}

static void linears_that_keep_their_gathered_input_gain_less_from_tp(
        void **state)
{
    const p3d_problem core =
            problem_of("llama-3-8b", "8xH100", "megatron-core", TOKENS, 8);
    const p3d_problem nano =
            problem_of("llama-3-8b", "8xH100", "nanotron-2024", TOKENS, 8);
    const p3d_problem later =
            problem_of("llama-3-8b", "8xH100", "nanotron", TOKENS, 8);
    const int64_t others = FFN / 4 + 2 * KV / 4;
    p3d_shard shard = p3d_shard_whole();

    (void)state;
    shard.tp = 4;
    shard.etp = 4;
    shard.sequence_parallel = true;
    /* two linear inputs whole instead of a quarter, the fourth tensor and the
     * copies of keys and values; since 2025 it gathers them again */
    assert_int_equal(layer_of(&nano, shard).saved_bytes[0] -
                             layer_of(&core, shard).saved_bytes[0],
            2ll * TOKENS * (2 * HIDDEN * 3 / 4 + others));
    assert_int_equal(layer_of(&later, shard).saved_bytes[0] -
                             layer_of(&core, shard).saved_bytes[0],
            2ll * TOKENS * others);
}

/* Of one ReLU the result alone, which is the input of the product behind it:
 * 2 B x T x 4h less than of a GELU. */
static void a_relu_keeps_its_result_alone(void **state)
{
    const int64_t wide = 2ll * 2048 * 4 * 2048;
    p3d_problem p = problem_of("opt-1.3b", "8xA100", "megatron-core", 2048, 64);
    const p3d_block relu = layer_of(&p, p3d_shard_whole());
    p3d_block gelu;

    (void)state;
    assert_int_equal(p.model.activation, P3D_ACTIVATION_RELU);
    p.model.activation = P3D_ACTIVATION_USUAL;
    gelu = layer_of(&p, p3d_shard_whole());
    assert_int_equal(gelu.saved_bytes[0] - relu.saved_bytes[0], wide);
    p.model.activation = P3D_ACTIVATION_SQUARED_RELU;
    assert_int_equal(layer_of(&p, p3d_shard_whole()).saved_bytes[0],
            gelu.saved_bytes[0]);
}

static void the_loss_is_a_matter_of_its_implementation(void **state)
{
    p3d_problem p = problem_of("llama-3-8b", "8xH100", "fsdp2", TOKENS, 8);
    p3d_blocks blocks;
    int64_t usual;

    (void)state;
    p3d_blocks_build(&p, p3d_shard_whole(), &blocks);
    usual = blocks.block[P3D_BLOCK_HEAD].working_bytes;
    assert_int_equal(usual, 4ll * TOKENS * 128256); /* compiled */
    p.job.loss = P3D_LOSS_EAGER;
    p3d_blocks_build(&p, p3d_shard_whole(), &blocks);
    assert_int_equal(blocks.block[P3D_BLOCK_HEAD].working_bytes, 3 * usual);
}

/* Three copies in fp32 are three in an fp32 run; of two beside the logits in 16
 * bit one is the logits. */
static void the_loss_copies_no_logits_that_are_in_fp32(void **state)
{
    const int64_t logits = TOKENS * 128256ll;
    p3d_problem p = problem_of("llama-3-8b", "8xH100", "fsdp2", TOKENS, 8);
    p3d_blocks blocks;

    (void)state;
    p.job.dtype = P3D_FP32;
    p.job.loss = P3D_LOSS_EAGER;
    p3d_blocks_build(&p, p3d_shard_whole(), &blocks);
    assert_int_equal(blocks.block[P3D_BLOCK_HEAD].working_bytes, 12 * logits);
    p.job.loss = P3D_LOSS_VOCAB_PARALLEL_COPY;
    p3d_blocks_build(&p, p3d_shard_whole(), &blocks);
    assert_int_equal(blocks.block[P3D_BLOCK_HEAD].working_bytes, 8 * logits);
    assert_true(p3d_loss_hole_bytes(P3D_LOSS_EAGER, P3D_BF16) == 2);
    assert_true(p3d_loss_hole_bytes(P3D_LOSS_EAGER, P3D_FP32) == 0);
}

/* BF16_Optimizer, with fp32 gradients whole, only where pipelines need it; the
 * other one makes fp32 and flat 16-bit copies of its share for the step. */
static void deepspeed_bf16_keeps_fp32_gradients_only_with_a_pipeline(
        void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "64xA100", "deepspeed", 2048, 64);
    const cost_parameters params = {
            .all = {.dense = 1000000}, .trained = {.dense = 1000000}};
    const p3d_plan one = problem_plan(&p, "tp=1,dp=64");
    const p3d_plan two = problem_plan(&p, "tp=1,pp=2,dp=32");
    const cost_state_sum a = cost_states(&p.job, &one, &params);
    const cost_state_sum b = cost_states(&p.job, &two, &params);

    (void)state;
    CHECK_REL(a.gradients_bytes, 2e6, 1e-12);
    CHECK_REL(a.optimizer_bytes, 12e6 / 64, 1e-12);
    CHECK_REL(a.step_bytes, 6e6 / 64, 1e-12);
    CHECK_REL(b.gradients_bytes, 6e6, 1e-12);
    CHECK_REL(b.optimizer_bytes, 12e6 / 32, 1e-12);
    assert_true(b.step_bytes == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_unfused_swiglu_keeps_a_fourth_tensor),
            cmocka_unit_test(nanotron_copies_the_output_of_several_sequences),
            cmocka_unit_test(per_op_recomputation_keeps_every_second_product),
            cmocka_unit_test(flash_attention_2_copies_its_output),
            cmocka_unit_test(
                    linears_that_keep_their_gathered_input_gain_less_from_tp),
            cmocka_unit_test(a_relu_keeps_its_result_alone),
            cmocka_unit_test(the_loss_is_a_matter_of_its_implementation),
            cmocka_unit_test(the_loss_copies_no_logits_that_are_in_fp32),
            cmocka_unit_test(
                    deepspeed_bf16_keeps_fp32_gradients_only_with_a_pipeline),
    };

    return cmocka_run_group_tests_name("memory profiles", tests, NULL, NULL);
}
