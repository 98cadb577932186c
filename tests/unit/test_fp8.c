/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fp8.c - products with weights in fp8, the rest in bf16. */
#include "problem.h"

#include <math.h>
#include <string.h>

#include "cost/cost.h"

enum { TOKENS = 8192, HIDDEN = 4096, Q = 4096, KV = 1024, FFN = 14336 };

static p3d_problem problem_in(p3d_dtype dtype, const char *framework)
{
    p3d_problem p = problem_of("llama-3-8b", "8xH100", framework, TOKENS, 8);

    p.job.dtype = dtype;
    return p;
}

static void only_products_with_weights_are_fp8(void **state)
{
    const p3d_problem p = problem_in(P3D_FP8, "megatron-core");
    p3d_workload layer, head;
    int n_fp8 = 0;

    (void)state;
    p3d_workload_build(&p.model, &p.job, p3d_shard_whole(), 0, &layer);
    p3d_workload_build(
            &p.model, &p.job, p3d_shard_whole(), P3D_BLOCK_HEAD, &head);
    for (int i = 0; i < layer.n_ops; i++) {
        if (layer.ops[i].kind == P3D_OP_ATTENTION)
            assert_int_equal(layer.ops[i].dtype, P3D_BF16);
        n_fp8 += layer.ops[i].dtype == P3D_FP8;
    }
    assert_int_equal(n_fp8, 4 * 3); /* four weights, three products each */
    for (int i = 0; i < head.n_ops; i++)
        assert_int_equal(head.ops[i].dtype, P3D_BF16);
}

/* H100: 1979 TFLOP/s; best shape .709 of it, 0.87 sustained: 1221 TFLOP/s. */
static void large_products_run_at_the_sustained_fp8_rate(void **state)
{
    const p3d_problem p = problem_in(P3D_FP8, "megatron-core");
    const double flop = 2.0 * 16384 * 16384 * 16384;
    const double t = cost_gemm_s(
            &p.cluster, P3D_FP8, (cost_product){16384, 16384, 16384, 1});
    const double wide = cost_gemm_s(
            &p.cluster, P3D_BF16, (cost_product){16384, 16384, 16384, 1});

    (void)state;
    assert_true(flop / t < 0.709 * 0.87 * 1979e12);
    assert_true(flop / t > 0.95 * 0.709 * 0.87 * 1979e12);
    assert_true(t < wide && t > wide / 2.2);
}

/* Transformer Engine keeps inputs of products as one byte: the two linear
 * inputs and the MLP's product shrink by one byte each, and the output
 * projection keeps a copy of its own beside the attention's. */
static void transformer_engine_keeps_fp8_inputs(void **state)
{
    const p3d_problem wide = problem_in(P3D_BF16, "megatron-core");
    const p3d_problem fp8 = problem_in(P3D_FP8, "megatron-core");
    const p3d_problem torch_wide = problem_in(P3D_BF16, "fsdp2");
    const p3d_problem torch_fp8 = problem_in(P3D_FP8, "fsdp2");
    p3d_blocks a, b;

    (void)state;
    p3d_blocks_build(&wide, p3d_shard_whole(), &a);
    p3d_blocks_build(&fp8, p3d_shard_whole(), &b);
    assert_int_equal(b.block[0].saved_bytes[0] - a.block[0].saved_bytes[0],
            (long long)TOKENS * (Q - 2 * HIDDEN - FFN));
    p3d_blocks_build(&torch_wide, p3d_shard_whole(), &a);
    p3d_blocks_build(&torch_fp8, p3d_shard_whole(), &b);
    assert_int_equal(b.block[0].saved_bytes[0], a.block[0].saved_bytes[0]);
}

static void fp8_is_faster_but_not_twice_as_fast(void **state)
{
    const p3d_problem wide = problem_in(P3D_BF16, "megatron-core");
    const p3d_problem fp8 = problem_in(P3D_FP8, "megatron-core");
    const p3d_estimate a = problem_estimate(&wide, "tp=1,dp=8");
    const p3d_estimate b = problem_estimate(&fp8, "tp=1,dp=8");
    const double ratio = p3d_time_step_s(&a.time) / p3d_time_step_s(&b.time);

    (void)state;
    assert_true(ratio > 1.1 && ratio < 1.8);
    assert_true(b.mfu_frac < a.mfu_frac); /* of the fp8 peak */
}

static void a_gpu_without_fp8_is_refused(void **state)
{
    p3d_problem p = problem_of("llama-3-8b", "8xA100", "megatron-core", 0, 0);
    const p3d_plan plan = problem_plan(&p, "tp=1,dp=8");
    p3d_refusal refusal;

    (void)state;
    p.job.dtype = P3D_FP8;
    assert_false(p3d_plan_legal(&p.model, &p.cluster, &p.job, &plan, &refusal));
    assert_string_equal(refusal.rule, "S4");
    assert_non_null(strstr(refusal.reason, "is sm80; try --dtype bf16"));
}

/** Bytes of the largest transfer of this kind between tensor-parallel ranks. */
static double largest(const p3d_problem *p, p3d_collective collective)
{
    const p3d_shard shard = {.tp = 2,
            .cp = 1,
            .ep = 1,
            .etp = 2,
            .micro_batch = 1,
            .sequence_parallel = true};
    p3d_workload layer;
    double bytes = 0;

    p3d_workload_build(&p->model, &p->job, shard, 0, &layer);
    for (int i = 0; i < layer.n_ops; i++) {
        if (layer.ops[i].kind == P3D_OP_COLLECTIVE &&
                layer.ops[i].axis == P3D_AXIS_TP &&
                layer.ops[i].collective == collective)
            bytes = fmax(bytes, layer.ops[i].bytes);
    }
    return bytes;
}

/* Transformer Engine casts before it gathers; sums stay in 16 bit. */
static void gathers_are_in_fp8_sums_are_not(void **state)
{
    const double elements = (double)TOKENS * HIDDEN;
    const p3d_problem fp8 = problem_in(P3D_FP8, "megatron-core");
    const p3d_problem wide = problem_in(P3D_BF16, "megatron-core");

    (void)state;
    CHECK_REL(largest(&fp8, P3D_ALL_GATHER), elements, 1e-12);
    CHECK_REL(largest(&fp8, P3D_REDUCE_SCATTER), 2 * elements, 1e-12);
    CHECK_REL(largest(&wide, P3D_ALL_GATHER), 2 * elements, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(only_products_with_weights_are_fp8),
            cmocka_unit_test(large_products_run_at_the_sustained_fp8_rate),
            cmocka_unit_test(transformer_engine_keeps_fp8_inputs),
            cmocka_unit_test(gathers_are_in_fp8_sums_are_not),
            cmocka_unit_test(fp8_is_faster_but_not_twice_as_fast),
            cmocka_unit_test(a_gpu_without_fp8_is_refused),
    };

    return cmocka_run_group_tests_name("fp8", tests, NULL, NULL);
}
