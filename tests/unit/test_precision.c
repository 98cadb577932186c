/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_precision.c - recipes of products in fewer than 16 bits: what their
 * casts move, what they keep, and who runs them. */
#include "problem.h"

#include <string.h>

#include "cost/memory/memory.h"
#include "cost/workload/precision.h"

enum { TOKENS = 8192, HIDDEN = 4096, QKV = 6144, OUT = 4096, FFN = 14336 };

static p3d_problem fp8_problem(
        const char *cluster, const char *framework, p3d_fp8_recipe recipe)
{
    p3d_problem p = problem_of("llama-3-8b", cluster, framework, TOKENS, 8);

    p.job.dtype = P3D_FP8;
    p.job.fp8_recipe = recipe;
    return p;
}

/** Bytes of all casts of a layer in one pass. */
static double cast_bytes(const p3d_problem *p, p3d_phase phase)
{
    p3d_workload layer;
    double bytes = 0;

    p3d_workload_build(&p->model, &p->job, p3d_shard_whole(), 0, &layer);
    for (int i = 0; i < layer.n_ops; i++) {
        if (strncmp(layer.ops[i].name, "cast to ", 8) == 0 &&
                layer.ops[i].phase == phase)
            bytes += layer.ops[i].bytes;
    }
    return bytes;
}

static void check_casts(const p3d_problem *p, double forward, double backward)
{
    CHECK_REL(cast_bytes(p, P3D_FORWARD), forward, 1e-12);
    CHECK_REL(cast_bytes(p, P3D_BACKWARD), backward, 1e-12);
}

/* Values per token: the norms write the inputs of QKV and up-projection, the
 * attention and the activation those of the other two. */
#define OF_NORMS  ((double)TOKENS * (HIDDEN + HIDDEN))
#define OF_OTHERS ((double)TOKENS * (OUT + FFN))
#define GRADIENTS ((double)TOKENS * (QKV + HIDDEN + 2 * FFN + HIDDEN))
#define WEIGHTS \
    ((double)HIDDEN * QKV + OUT * HIDDEN + HIDDEN * 2 * FFN + FFN * HIDDEN)

/* Hopper: 2 bytes read, 1 + 1 written; norms write 1 instead of 2, which is
 * read and written once more by the transposition. Current scaling reads all
 * values before, but of norms, which find the largest themselves. */
static void scales_of_a_tensor_on_hopper(void **state)
{
    p3d_problem p = fp8_problem("8xH100", "megatron-core", P3D_FP8_USUAL);

    (void)state;
    check_casts(&p, 1 * OF_NORMS + 4 * OF_OTHERS, 4 * GRADIENTS);
    p.job.fp8_recipe = P3D_FP8_DELAYED;
    check_casts(&p, 1 * OF_NORMS + 4 * OF_OTHERS, 4 * GRADIENTS);
    p.job.fp8_recipe = P3D_FP8_CURRENT;
    check_casts(&p, 4 * OF_NORMS + 6 * OF_OTHERS, 6 * GRADIENTS);
}

/* One layout: 2 + 1; what norms write instead of 16 bits is no cast. */
static void scales_of_a_tensor_on_blackwell(void **state)
{
    p3d_problem p = fp8_problem("8xB200", "megatron-core", P3D_FP8_DELAYED);

    (void)state;
    check_casts(&p, 3 * OF_OTHERS, 3 * GRADIENTS);
    p.job.fp8_recipe = P3D_FP8_CURRENT;
    check_casts(&p, 3 * OF_NORMS + 5 * OF_OTHERS, 5 * GRADIENTS);
}

/** Kernels of all casts of a layer. */
static int cast_kernels(const p3d_problem *p, p3d_shard shard, int block)
{
    p3d_workload layer;
    int n = 0;

    p3d_workload_build(&p->model, &p->job, shard, block, &layer);
    for (int i = 0; i < layer.n_ops; i++) {
        if (strncmp(layer.ops[i].name, "cast to ", 8) == 0)
            n += layer.ops[i].n_kernels;
    }
    return n;
}

/* Four inputs and four gradients: a kernel each; with current scaling three,
 * but two of what norms write. */
static void current_scaling_takes_more_kernels(void **state)
{
    p3d_problem p = fp8_problem("8xH100", "megatron-core", P3D_FP8_DELAYED);

    (void)state;
    assert_int_equal(cast_kernels(&p, p3d_shard_whole(), 0), 8);
    p.job.fp8_recipe = P3D_FP8_CURRENT;
    assert_int_equal(cast_kernels(&p, p3d_shard_whole(), 0), 22);
    p.job.framework = p3d_framework_find("fsdp2");
    assert_int_equal(cast_kernels(&p, p3d_shard_whole(), 0), 20);
}

/* Eight experts on a rank: attention's two inputs and two gradients; two of
 * each of the experts, all at once or (current) three kernels for each. */
static void only_delayed_scaling_casts_all_experts_at_once(void **state)
{
    p3d_problem p =
            problem_of("qwen3-30b-a3b", "2x8xH100", "megatron-core", 4096, 16);
    p3d_shard shard = p3d_shard_whole();

    (void)state;
    shard.ep = 16;
    p.job.dtype = P3D_FP8;
    p.job.fp8_recipe = P3D_FP8_DELAYED;
    assert_int_equal(cast_kernels(&p, shard, P3D_LAYER_MOE), 4 + 4);
    p.job.fp8_recipe = P3D_FP8_CURRENT;
    assert_int_equal(cast_kernels(&p, shard, P3D_LAYER_MOE), 11 + 4 * 24);
}

/* 2 + 2 (1 + 1/32) bytes, which take as long as 1.18 times as many. */
static void scales_of_blocks(void **state)
{
    const double each = 1.18 * (2 + 2 * (1 + 1.0 / 32));
    p3d_problem p = fp8_problem("8xB200", "megatron-core", P3D_FP8_MXFP8);

    (void)state;
    check_casts(&p, each * (OF_NORMS + OF_OTHERS), each * GRADIENTS);
    p = fp8_problem("8xH100", "megatron-core", P3D_FP8_BLOCKWISE);
    check_casts(&p, each * (OF_NORMS + OF_OTHERS), each * GRADIENTS);
}

/* torchao casts inputs and weights for the forward and again for the backward
 * pass; torch.compile finds the largest value in the kernel before, but not
 * that of columns: forward 2 + 1 and of weights 4 + 1; backward by tensor 2 + 1
 * of both, by row 4 + 1; gradients 2 + 1 + 1, or 2 + 1 and 4 + 1. */
static void torchao_casts_for_each_product(void **state)
{
    const double inputs = OF_NORMS + OF_OTHERS;
    p3d_problem p = fp8_problem("8xH100", "fsdp2", P3D_FP8_USUAL);

    (void)state;
    check_casts(&p, 3 * inputs + 5 * WEIGHTS,
            3 * inputs + 3 * WEIGHTS + 4 * GRADIENTS);
    p.job.fp8_recipe = P3D_FP8_ROWWISE;
    check_casts(&p, 3 * inputs + 5 * WEIGHTS,
            5 * inputs + 5 * WEIGHTS + 8 * GRADIENTS);
    p.job.eager = true;
    check_casts(&p, 5 * inputs + 5 * WEIGHTS,
            5 * inputs + 5 * WEIGHTS + 10 * GRADIENTS);
}

static void nothing_is_cast_in_16_bits(void **state)
{
    p3d_problem p = fp8_problem("8xH100", "megatron-core", P3D_FP8_USUAL);

    (void)state;
    p.job.dtype = P3D_BF16;
    check_casts(&p, 0, 0);
    assert_null(p3d_precision_of(&p.job));
}

/* Values and scales of one layout; torchao keeps what it casts again. */
static void inputs_are_kept_with_their_scales(void **state)
{
    p3d_problem p = fp8_problem("8xB200", "megatron-core", P3D_FP8_MXFP8);

    (void)state;
    CHECK_REL(cost_kept_input_bytes(&p.job), 33.0 / 32, 1e-12);
    CHECK_REL(cost_layout_bytes(&p.job), 33.0 / 32, 1e-12);
    p.job.fp8_recipe = P3D_FP8_CURRENT;
    CHECK_REL(cost_kept_input_bytes(&p.job), 1, 1e-12);
    p = fp8_problem("8xH100", "megatron-core", P3D_FP8_BLOCKWISE);
    CHECK_REL(cost_kept_input_bytes(&p.job), 33.0 / 32, 1e-12);
    CHECK_REL(cost_layout_bytes(&p.job), 1 + 4.0 / 16384, 1e-12);
    p = fp8_problem("8xH100", "fsdp2", P3D_FP8_ROWWISE);
    CHECK_REL(cost_kept_input_bytes(&p.job), 2, 1e-12);
}

static double gathered(p3d_problem *p, const char *plan)
{
    const p3d_plan of = problem_plan(p, plan);

    return cost_gather_bytes(&p->job, &of);
}

/* ZeRO-1 of mxfp8 gathers 16 bits, Megatron-FSDP values; torchao gathers
 * values where a tensor has one scale. */
static void weights_are_gathered_as_the_recipe_has_them(void **state)
{
    p3d_problem p = fp8_problem("8xB200", "megatron-core", P3D_FP8_MXFP8);

    (void)state;
    CHECK_REL(gathered(&p, "dp=8,zero=1"), 2, 1e-12);
    CHECK_REL(gathered(&p, "dp=8,zero=3"), 1, 1e-12);
    p.job.fp8_recipe = P3D_FP8_CURRENT;
    CHECK_REL(gathered(&p, "dp=8,zero=1"), 1, 1e-12);
    p.job.fp8_copies = true;
    CHECK_REL(gathered(&p, "dp=8,zero=1"), 2, 1e-12);
    p = fp8_problem("8xH100", "fsdp2", P3D_FP8_USUAL);
    CHECK_REL(gathered(&p, "dp=8,zero=3"), 1, 1e-12);
    p.job.fp8_recipe = P3D_FP8_ROWWISE;
    CHECK_REL(gathered(&p, "dp=8,zero=3"), 2, 1e-12);
    p.job.dtype = P3D_FP32;
    p.job.fp8_recipe = P3D_FP8_USUAL;
    CHECK_REL(gathered(&p, "dp=8,zero=3"), 4, 1e-12);
}

/* Products by blocks of 128 reach 0.88 of the usual rate on Hopper alone. */
static void blockwise_products_are_slower_on_hopper(void **state)
{
    const char *const clusters[] = {"8xH100", "8xB200"};
    const double least[] = {1.10, 1};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const p3d_problem p =
                fp8_problem(clusters[i], "megatron-core", P3D_FP8_BLOCKWISE);
        p3d_op op = {.kind = P3D_OP_GEMM,
                .dtype = P3D_FP8,
                .m = 16384,
                .n = 16384,
                .k = 16384,
                .count = 1};
        const double t = cost_op_gemm_s(&p.cluster, &op);

        op.sm90_rate_frac = p3d_precision_of(&p.job)->sm90_rate_frac;
        CHECK_REL(cost_op_gemm_s(&p.cluster, &op) / t,
                i == 0 ? 1 / 0.88 : least[i], 0.01);
    }
}

/* 2 bytes read twice, the second time transformed, and twice 1/2 + 1/16
 * written; all twelve products of a layer are in nvfp4. */
static void nvfp4_casts_and_multiplies(void **state)
{
    const double each = 1.18 * (2 * 2 + 2 * (0.5 + 1.0 / 16));
    p3d_problem p = fp8_problem("8xB200", "megatron-core", P3D_FP8_USUAL);
    p3d_workload layer;
    int n = 0;

    (void)state;
    p.job.dtype = P3D_NVFP4;
    check_casts(&p, each * (OF_NORMS + OF_OTHERS), each * GRADIENTS);
    CHECK_REL(cost_kept_input_bytes(&p.job), 0.5625, 1e-12);
    p3d_workload_build(&p.model, &p.job, p3d_shard_whole(), 0, &layer);
    for (int i = 0; i < layer.n_ops; i++) {
        n += layer.ops[i].dtype == P3D_NVFP4;
        if (layer.ops[i].kind == P3D_OP_ATTENTION)
            assert_int_equal(layer.ops[i].dtype, P3D_BF16);
    }
    assert_int_equal(n, 12);
}

/* Weights of the layers: half a byte instead of two, beside it the scales of
 * that layout and the other layout with its own; ZeRO-1 gathers the values. */
static void nvfp4_weights_take_half_a_byte(void **state)
{
    p3d_problem p = fp8_problem("8xB200", "megatron-core", P3D_FP8_USUAL);
    const p3d_plan plan = problem_plan(&p, "dp=8,zero=1");
    const cost_parameters parameters = {.all.dense = 1000000,
            .trained.dense = 1000000,
            .matrices.dense = 600000,
            .trained_matrices.dense = 600000};
    cost_state_sum wide, narrow;

    (void)state;
    p.job.dtype = P3D_BF16;
    wide = cost_states(&p.job, &plan, &parameters);
    p.job.dtype = P3D_NVFP4;
    narrow = cost_states(&p.job, &plan, &parameters);
    CHECK_REL(wide.weights_bytes, 2e6, 1e-12);
    CHECK_REL(narrow.weights_bytes, 2 * 4e5 + 0.5 * 6e5, 1e-12);
    CHECK_REL(cost_layouts(&p.job) * cost_layout_bytes(&p.job), 1.125, 1e-12);
    CHECK_REL(gathered(&p, "dp=8,zero=1"), 0.5, 1e-12);
    p.job.fp8_copies = true;
    CHECK_REL(gathered(&p, "dp=8,zero=1"), 2, 1e-12);
}

/* GB200: 10 PFLOP/s; best shape .572 of it, 0.87 sustained. */
static void nvfp4_products_run_at_their_own_rate(void **state)
{
    const p3d_problem p =
            fp8_problem("8xGB200", "megatron-core", P3D_FP8_USUAL);
    const cost_product large = {32768, 32768, 32768, 1};
    const double rate = 2.0 * 32768 * 32768 * 32768 /
                        cost_gemm_s(&p.cluster, P3D_NVFP4, large);

    (void)state;
    assert_true(rate < 0.572 * 0.87 * 1e16);
    assert_true(rate > 0.95 * 0.572 * 0.87 * 1e16);
}

static void check_refused(p3d_problem p, const char *words)
{
    p3d_refusal refusal = {0};

    assert_false(p3d_job_runs(&p.model, &p.cluster, &p.job, &refusal));
    assert_string_equal(refusal.rule, "S4");
    if (strstr(refusal.reason, words) == NULL)
        fail_msg("%s", refusal.reason);
}

static void recipes_need_their_gpu_and_framework(void **state)
{
    p3d_problem p = fp8_problem("8xH100", "megatron-core", P3D_FP8_MXFP8);

    (void)state;
    check_refused(p, "mxfp8 needs sm100 to sm119; H100-SXM5-80GB is "
                     "sm90; leave out --fp8-recipe");
    check_refused(fp8_problem("8xH100", "megatron-core", P3D_FP8_ROWWISE),
            "megatron-core has no fp8 by the recipe rowwise");
    check_refused(fp8_problem("8xH100", "fsdp2", P3D_FP8_DELAYED),
            "fsdp2 has no fp8 by the recipe delayed");
    check_refused(fp8_problem("8xH100", "deepspeed", P3D_FP8_CURRENT),
            "deepspeed has no fp8 by the recipe current");
    p.job.dtype = P3D_BF16;
    check_refused(p, "--fp8-recipe mxfp8 needs --dtype fp8, this is bf16");
    p.job.dtype = P3D_NVFP4;
    check_refused(p, "nvfp4 needs sm100 or later; H100-SXM5-80GB is sm90");
    p = fp8_problem("8xB200", "fsdp2", P3D_FP8_USUAL);
    p.job.dtype = P3D_NVFP4;
    check_refused(p, "fsdp2 has no nvfp4");
    p = fp8_problem("8xMI355X", "megatron-core", P3D_FP8_USUAL);
    p.job.dtype = P3D_NVFP4;
    check_refused(p, "nvfp4 needs sm100 or later; MI355X-288GB is gfx950");
    p = fp8_problem("8xB200", "megatron-core", P3D_FP8_MXFP8);
    assert_true(p3d_job_runs(&p.model, &p.cluster, &p.job, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(scales_of_a_tensor_on_hopper),
            cmocka_unit_test(scales_of_a_tensor_on_blackwell),
            cmocka_unit_test(scales_of_blocks),
            cmocka_unit_test(current_scaling_takes_more_kernels),
            cmocka_unit_test(only_delayed_scaling_casts_all_experts_at_once),
            cmocka_unit_test(torchao_casts_for_each_product),
            cmocka_unit_test(nothing_is_cast_in_16_bits),
            cmocka_unit_test(inputs_are_kept_with_their_scales),
            cmocka_unit_test(weights_are_gathered_as_the_recipe_has_them),
            cmocka_unit_test(blockwise_products_are_slower_on_hopper),
            cmocka_unit_test(nvfp4_casts_and_multiplies),
            cmocka_unit_test(nvfp4_weights_take_half_a_byte),
            cmocka_unit_test(nvfp4_products_run_at_their_own_rate),
            cmocka_unit_test(recipes_need_their_gpu_and_framework),
    };

    return cmocka_run_group_tests_name("precision", tests, NULL, NULL);
}
