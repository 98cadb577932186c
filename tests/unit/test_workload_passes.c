/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_workload_passes.c - bytes that memory-bound operations move. */
#include "problem.h"

#include <string.h>

#include "base/util.h"

static p3d_problem usual(const char *model, int seq_len)
{
    return problem_of(model, "8xA100", "megatron-core", seq_len, 8);
}

/** Bytes of the pass with this name, forward and backward; -1 = none. */
static void check_pass(const p3d_problem *problem, p3d_shard shard, int block,
        const char *name, double forward, double backward)
{
    double found[2] = {-1, -1};
    p3d_workload list;

    p3d_workload_build(&problem->model, &problem->job, shard, block, &list);
    for (int i = 0; i < list.n_ops; i++) {
        const p3d_op *op = &list.ops[i];

        if (strcmp(op->name, name) == 0) {
            assert_int_equal(op->kind, P3D_OP_PASS);
            found[op->phase] = op->bytes;
        }
    }
    CHECK_REL(found[P3D_FORWARD], forward, 1e-12);
    CHECK_REL(found[P3D_BACKWARD], backward, 1e-12);
}

/* 4,096 tokens x 4,096 channels = 16,777,216 elements of the residual stream
 * and of the queries; 4,096 x 11,008 x 1.5 of the gated MLP. Transformer Engine
 * moves 14 / 26, 6 / 8 and 4 / 8 B per element. */
static void a_layer_moves_its_framework_s_bytes(void **state)
{
    const p3d_problem problem = usual("llama-2-7b", 4096);
    const p3d_shard whole = p3d_shard_whole();

    (void)state;
    check_pass(&problem, whole, 0, "norms and residual", 14 * 16777216.0,
            26 * 16777216.0);
    check_pass(&problem, whole, 0, "positions and layout", 6 * 16777216.0,
            8 * 16777216.0);
    check_pass(&problem, whole, 0, "MLP activation", 4 * 67633152.0,
            8 * 67633152.0);
}

/* 8 of 32 heads are keys: 24 B for each query element and 20 B for each key
 * element; norms on fp32 copies 2 x 36 B and additions 12 B. */
static void single_operations_move_keys_apart(void **state)
{
    p3d_problem problem =
            problem_of("llama-3-8b", "8xH100", "fsdp2-2024", 4096, 8);

    (void)state;
    problem.job.eager = true;
    check_pass(&problem, p3d_shard_whole(), 0, "positions and layout",
            (24 + 20 / 4) * 16777216.0, (24 + 20 / 4) * 16777216.0);
    check_pass(&problem, p3d_shard_whole(), 0, "norms and residual",
            84 * 16777216.0, 202 * 16777216.0);
}

static void four_norms_move_half_as_much_again(void **state)
{
    const p3d_problem problem = usual("gemma-2-9b", 4096);

    (void)state;
    check_pass(&problem, p3d_shard_whole(), 0, "norms and residual",
            21 * 4096.0 * 3584, 39 * 4096.0 * 3584);
}

/* 32 query and 8 key heads of 128: 4,096 x 5,120 elements; a norm is two fifths
 * of 14 / 26 B. */
static void norms_of_queries_and_keys_take_time(void **state)
{
    const p3d_problem problem = usual("qwen3-8b", 4096);

    (void)state;
    check_pass(&problem, p3d_shard_whole(), 0, "norms of queries and keys",
            5.6 * 4096 * 5120, 10.4 * 4096 * 5120);
}

/* In fp32 all that is in 16 bit otherwise takes twice the bytes. The loss works
 * in fp32 in either: without the casts, maximum 4, difference 8, exponential 8,
 * sum 4, division 8 = 32, and the product 8. PyTorch's log-softmax 12, its
 * gradient 24; Transformer Engine's kernel 4 + 4 + 4, and 4 + 4. Scores are
 * masked and take a softmax, 8 and 8; back 12, and 4 + 4 * 8 + 16 through the
 * view that was masked in place: Megatron's fused kernel is for 16 bit. */
static void full_precision_moves_twice_as_much_and_casts_nothing(void **state)
{
    const double logits = 4096.0 * 32000, scores = 32 * 4096.0 * 4096;
    const p3d_shard whole = p3d_shard_whole();
    p3d_problem problem = usual("llama-2-7b", 4096);

    (void)state;
    problem.job.dtype = P3D_FP32;
    check_pass(&problem, p3d_shard_whole(), 0, "norms and residual",
            28 * 16777216.0, 52 * 16777216.0);
    check_pass(&problem, p3d_shard_whole(), P3D_BLOCK_HEAD, "cross entropy",
            32 * logits, 8 * logits);
    problem.job.loss = P3D_LOSS_EAGER;
    check_pass(&problem, whole, P3D_BLOCK_HEAD, "cross entropy", 12 * logits,
            24 * logits);
    problem.job.loss = P3D_LOSS_TE_FUSED;
    check_pass(&problem, whole, P3D_BLOCK_HEAD, "cross entropy", 12 * logits,
            8 * logits);
    problem.job.attention = P3D_EAGER;
    check_pass(&problem, whole, 0, "softmax", 16 * scores, 64 * scores);
    problem.job.framework = p3d_framework_find("deepspeed-hf");
    check_pass(&problem, whole, 0, "softmax", 24 * scores, 20 * scores);
}

/* Embedding 6 / 8 B, norm 4 / 8 B per element, Megatron-LM's loss per
 * logit: cast 6, maximum 4, difference 8, exponential 8, sum 4, division 8 =
 * 38; backward product 8 and cast 6 = 14. */
static void the_ends_move_these_bytes(void **state)
{
    const p3d_problem problem = usual("llama-2-7b", 4096);
    const p3d_shard whole = p3d_shard_whole();

    (void)state;
    check_pass(&problem, whole, P3D_BLOCK_EMBEDDING, "embedding",
            6 * 16777216.0, 8 * 16777216.0);
    check_pass(&problem, whole, P3D_BLOCK_HEAD, "final norm", 4 * 16777216.0,
            8 * 16777216.0);
    check_pass(&problem, whole, P3D_BLOCK_HEAD, "cross entropy",
            38 * 4096.0 * 32000, 14 * 4096.0 * 32000);
}

/* Transformer Engine's fused loss reads the 16-bit logits twice and writes
 * their gradient; torch.compile's reads them twice and once more for the
 * gradient. */
static void fused_losses_move_less(void **state)
{
    p3d_problem problem = usual("llama-2-7b", 4096);
    const double logits = 4096.0 * 32000;

    (void)state;
    problem.job.loss = P3D_LOSS_TE_FUSED;
    check_pass(&problem, p3d_shard_whole(), P3D_BLOCK_HEAD, "cross entropy",
            6 * logits, 4 * logits);
    problem.job.loss = P3D_LOSS_COMPILED;
    check_pass(&problem, p3d_shard_whole(), P3D_BLOCK_HEAD, "cross entropy",
            4 * logits, 4 * logits);
}

/* LLM Foundry computes cross entropy and perplexity of every micro-batch, each
 * by a log-softmax (2 + 2) and a copy in fp32 (2 + 4). */
static void metrics_are_passes_too(void **state)
{
    const p3d_problem problem =
            problem_of("gpt3-1.3b", "8xA100", "llm-foundry", 2048, 8);
    const p3d_problem other = usual("gpt3-1.3b", 2048);
    const double logits = 2048.0 * problem.model.vocab;

    (void)state;
    check_pass(&problem, p3d_shard_whole(), P3D_BLOCK_HEAD,
            "metrics of the logits", 20 * logits, 0);
    check_pass(&other, p3d_shard_whole(), P3D_BLOCK_HEAD,
            "metrics of the logits", -1, -1);
}

/* 96 x 2048 x 2048 scores: softmax 4 / 6 B, dropout 5 B each way more. */
static void kept_scores_are_moved_by_softmax_and_dropout(void **state)
{
    p3d_problem problem = usual("gpt3-175b", 2048);
    const double scores = 96.0 * 2048 * 2048;

    (void)state;
    problem.job.attention = P3D_EAGER;
    check_pass(
            &problem, p3d_shard_whole(), 0, "softmax", 4 * scores, 6 * scores);
    problem.job.dropout = true;
    check_pass(
            &problem, p3d_shard_whole(), 0, "softmax", 9 * scores, 11 * scores);
}

/* llama-2-13b has 40 heads: 5 of them on each of 8 ranks are no multiple of 4,
 * with four samples 20 are. PyTorch then copies to fp32, scales, masks, takes
 * the softmax and casts, 36 and 48 B per score in 5 and 6 kernels; without the
 * scale in fp32 28 and 40 B; in 16 bit and in place 8 and 32 B. Rows of more
 * than 2,048 scores were too long in 2021. */
static void what_the_fused_softmax_does_not_take_runs_apart(void **state)
{
    static const struct {
        const char *framework;
        int seq_len, micro_batch;
        double bytes[2];
        int n_kernels[2];
    } rows[] = {
            {"megatron-2021", 2048, 1, {36, 48}, {5, 6}},
            {"megatron-2021", 2048, 4, {4, 6}, {1, 1}},
            {"megatron-2021", 4096, 4, {36, 48}, {5, 6}},
            {"deepspeed", 4096, 4, {4, 6}, {1, 1}},
            {"deepspeed", 4096, 1, {36, 48}, {5, 6}},
            {"megatron-local", 4096, 1, {28, 40}, {4, 5}},
            {"megatron-2023", 4096, 1, {8, 32}, {2, 8}},
            {"megatron-2023", 8192, 4, {8, 32}, {2, 8}},
            {"generic", 4096, 1, {4, 6}, {1, 1}},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_problem problem = problem_of(
                "llama-2-13b", "8xA100", rows[i].framework, rows[i].seq_len, 8);
        const p3d_shard shard = {8, 1, 1, 1, rows[i].micro_batch, false, 0, 0};
        const double scores =
                5.0 * rows[i].micro_batch * rows[i].seq_len * rows[i].seq_len;
        p3d_workload list;

        problem.job.attention = P3D_EAGER;
        check_pass(&problem, shard, 0, "softmax", rows[i].bytes[0] * scores,
                rows[i].bytes[1] * scores);
        p3d_workload_build(&problem.model, &problem.job, shard, 0, &list);
        for (int k = 0; k < list.n_ops; k++)
            if (strcmp(list.ops[k].name, "softmax") == 0)
                assert_int_equal(list.ops[k].n_kernels,
                        rows[i].n_kernels[list.ops[k].phase]);
    }
}

/* Three steps of a ring of four add 2,048 x 4,096 results in 10 B each. */
static void ring_steps_are_merged(void **state)
{
    const p3d_problem problem = usual("llama-3-8b", 8192);
    const p3d_shard ring = {1, 4, 1, 1, 1, false, 0, 0};
    const double merged = 10 * 3 * 2048.0 * 4096;

    (void)state;
    check_pass(&problem, ring, 0, "merging of ring steps", merged, merged);
}

/* 8,192 rows of 4,096: sorted and back in 8 B; experts' width 14,336 x 1.5. */
static void rows_are_sorted_by_expert(void **state)
{
    const p3d_problem problem = usual("mixtral-8x7b", 4096);
    const p3d_shard shard = {1, 1, 8, 1, 1, false, 0, 0};
    const double rows = 8192;

    (void)state;
    check_pass(&problem, shard, P3D_LAYER_MOE, "sorting tokens by expert",
            8 * rows * 4096, 8 * rows * 4096);
    check_pass(&problem, shard, P3D_LAYER_MOE, "weighted sum of experts",
            8 * rows * 4096, 8 * rows * 4096);
    check_pass(&problem, shard, P3D_LAYER_MOE, "expert activation",
            4 * rows * 14336 * 1.5, 8 * rows * 14336 * 1.5);
}

/* Transformers' own operations and Liger's kernels: norms 72 and 8 B per
 * element forward, additions 12; SwiGLU 10 and 6 B per element of the MLP's
 * width. Unfused softmax in fp32 20 B per score; Scaling masks a view in place,
 * in 16 bit 8 and 32 B. Liger adds up the gradient of
 * 32,000 x 4,096 weights once for each of 8 chunks, 16 B each. */
static void transformers_runs_single_operations_liger_does_not(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "deepspeed-hf", 4096, 8);
    const p3d_shard whole = p3d_shard_whole();
    const double wide = 4096.0 * 11008, scores = 32 * 4096.0 * 4096;

    (void)state;
    check_pass(&problem, whole, 0, "norms and residual", 84 * 16777216.0,
            202 * 16777216.0);
    check_pass(&problem, whole, 0, "MLP activation", 10 * wide, 18 * wide);
    problem.job.loss = P3D_LOSS_LIGER;
    check_pass(&problem, whole, 0, "norms and residual", 20 * 16777216.0,
            30 * 16777216.0);
    check_pass(&problem, whole, 0, "MLP activation", 6 * wide, 10 * wide);
    check_pass(&problem, whole, P3D_BLOCK_HEAD,
            "gradient of the output matrix by chunks", 8 * 16 * 32000.0 * 4096,
            0);
    problem.job.attention = P3D_EAGER;
    check_pass(&problem, whole, 0, "softmax", 20 * scores, 20 * scores);
    problem.job.framework = p3d_framework_find("aleph-alpha");
    check_pass(&problem, whole, 0, "softmax", 8 * scores, 32 * scores);
    problem.job.framework = p3d_framework_find("aleph-alpha-fused");
    check_pass(&problem, whole, 0, "softmax", 4 * scores, 6 * scores);
}

/* GPT-OSS 20B: 16,384 rows of 2,880 channels, of 5,760 gates and
 * up-projections; a bias costs 28 / 40 B, a limit 8 / 15 B. A compiler fuses
 * both into what is there anyway. */
static void biases_and_limits_of_experts_are_passes(void **state)
{
    p3d_problem problem = usual("gpt-oss-20b", 4096);
    const p3d_shard whole = p3d_shard_whole();
    p3d_workload list;

    (void)state;
    check_pass(&problem, whole, P3D_LAYER_MOE, "biases of the experts",
            28 * 16384.0 * 2880, 40 * 16384.0 * 2880);
    check_pass(&problem, whole, P3D_LAYER_MOE,
            "limits of the experts' activation", 8 * 16384.0 * 5760,
            15 * 16384.0 * 5760);
    problem.job.framework = p3d_framework_find("fsdp2");
    p3d_workload_build(
            &problem.model, &problem.job, whole, P3D_LAYER_MOE, &list);
    for (int i = 0; i < list.n_ops; i++) {
        assert_string_not_equal(list.ops[i].name, "biases of the experts");
        assert_string_not_equal(
                list.ops[i].name, "limits of the experts' activation");
    }
}

/** Kernels of the pass with this name in a layer of experts. */
static void check_kernels(
        const p3d_problem *problem, const char *name, int forward, int backward)
{
    int found[2] = {-1, -1};
    p3d_workload list;

    p3d_workload_build(&problem->model, &problem->job, p3d_shard_whole(),
            P3D_LAYER_MOE, &list);
    for (int i = 0; i < list.n_ops; i++) {
        if (strcmp(list.ops[i].name, name) == 0)
            found[list.ops[i].phase] = list.ops[i].n_kernels;
    }
    assert_int_equal(found[P3D_FORWARD], forward);
    assert_int_equal(found[P3D_BACKWARD], backward);
}

/* 16 heads of 128 channels without and 64 with positions, 4,096 tokens. Counted
 * in what Megatron-LM's functions send to PyTorch: 158,334,976 bytes forward
 * with 8 heads, in 29 kernels. Moonlight's positions are not YaRN's,
 * DeepSeek-V2's are. */
static void positions_of_latents_are_fused_for_yarn_alone(void **state)
{
    const p3d_problem plain = usual("moonlight-16b-a3b", 4096);
    const p3d_problem yarn = usual("deepseek-v2-lite", 4096);
    const p3d_shard halved = {
            .tp = 2, .cp = 1, .ep = 1, .etp = 1, .micro_batch = 1};
    const char *const name = "positions and layout";

    (void)state;
    check_pass(&plain, p3d_shard_whole(), P3D_LAYER_MOE, name,
            4096.0 * (20 * 16 * 192 + 124 * 64),
            4096.0 * (25 * 16 * 192 + 50 * 64));
    check_pass(&plain, halved, P3D_LAYER_MOE, name, 158334976,
            4096.0 * (25 * 8 * 192 + 50 * 64));
    check_kernels(&plain, name, 29, 29);
    check_pass(&yarn, p3d_shard_whole(), P3D_LAYER_MOE, name,
            6 * 4096.0 * 16 * 192, 8 * 4096.0 * 16 * 192);
    check_kernels(&yarn, name, 2, 4);
}

/* Softmax over all experts; sigmoids with a correction and a scale: 6, 4 and 1
 * more forward, 14 and 1 backward. */
static void sigmoids_of_a_router_are_more_kernels(void **state)
{
    const p3d_problem softmax = usual("qwen3-30b-a3b", 4096);
    const p3d_problem sigmoid = usual("moonlight-16b-a3b", 4096);

    (void)state;
    check_kernels(&softmax, "choosing experts", 35, 15);
    check_kernels(&sigmoid, "choosing experts", 46, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_layer_moves_its_framework_s_bytes),
            cmocka_unit_test(single_operations_move_keys_apart),
            cmocka_unit_test(four_norms_move_half_as_much_again),
            cmocka_unit_test(norms_of_queries_and_keys_take_time),
            cmocka_unit_test(
                    full_precision_moves_twice_as_much_and_casts_nothing),
            cmocka_unit_test(the_ends_move_these_bytes),
            cmocka_unit_test(fused_losses_move_less),
            cmocka_unit_test(metrics_are_passes_too),
            cmocka_unit_test(kept_scores_are_moved_by_softmax_and_dropout),
            cmocka_unit_test(what_the_fused_softmax_does_not_take_runs_apart),
            cmocka_unit_test(ring_steps_are_merged),
            cmocka_unit_test(rows_are_sorted_by_expert),
            cmocka_unit_test(biases_and_limits_of_experts_are_passes),
            cmocka_unit_test(positions_of_latents_are_fused_for_yarn_alone),
            cmocka_unit_test(sigmoids_of_a_router_are_more_kernels),
            cmocka_unit_test(
                    transformers_runs_single_operations_liger_does_not),
    };

    return cmocka_run_group_tests_name(
            "passes of the workload", tests, NULL, NULL);
}
