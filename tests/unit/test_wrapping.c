/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_wrapping.c - units of FSDP1: by size, and the model as one. */
#include "problem.h"

#include "cost/cost.h"
#include "cost/memory/memory.h"

static cost_wrapping wrapped(const char *model)
{
    const p3d_problem p = problem_of(model, "8xA100", "fsdp1", 4096, 64);

    return cost_wrap(&p.model, 1e8);
}

/* What PyTorch's size_based_auto_wrap_policy makes of transformers' LLaMA-2
 * with min_num_params=1e8: 7B has units of an MLP (3 x 4096 x 11008), the
 * attention of all layers (4 x 4096^2 each) and the norms are one around them;
 * 13B has units of attention, too; 70B units of a matrix of the MLP. */
static void units_are_those_of_pytorch(void **state)
{
    const cost_wrapping small = wrapped("llama-2-7b");
    const cost_wrapping middle = wrapped("llama-2-13b");
    const cost_wrapping large = wrapped("llama-2-70b");

    (void)state;
    CHECK_REL(small.largest, 135266304, 1e-12);
    CHECK_REL(small.around, 2147749888, 1e-12);
    assert_false(small.is_root);
    assert_true(small.wraps_ends);
    CHECK_REL(middle.largest, 212336640, 1e-12);
    CHECK_REL(middle.around, 414720, 1e-12);
    assert_true(middle.is_root);
    CHECK_REL(large.largest, 234881024, 1e-12);
    CHECK_REL(large.around, 1318912, 1e-12);
    assert_true(large.is_root);
}

static p3d_problem usual(int64_t unit_params)
{
    p3d_problem p = problem_of("llama-2-7b", "8xA100", "fsdp1", 4096, 64);

    p.job.unit_params = unit_params;
    return p;
}

/* 6,738,415,616 parameters, whose gradients are reduced in 2 and 4 bytes. */
static void a_model_is_reduced_at_once(void **state)
{
    const p3d_problem p = usual(P3D_UNIT_WHOLE);
    const p3d_plan plan = problem_plan(&p, "zero=3,mbs=1,recompute=full");

    (void)state;
    assert_int_equal(problem_stage(&p, &plan, 0).memory.buffers_bytes,
            INT64_C(6) * 6738415616);
}

/* Attention and norms around the MLPs, and the embedding's gradient beside. */
static void units_by_size_leave_the_attention_around(void **state)
{
    const p3d_problem p = usual(100000000);
    const p3d_plan plan = problem_plan(&p, "zero=3,mbs=1,recompute=full");

    (void)state;
    assert_int_equal(problem_stage(&p, &plan, 0).memory.buffers_bytes,
            INT64_C(6) * 2147749888 + 2 * 131072000);
}

static double sent_s(const p3d_problem *p, p3d_collective op, double bytes)
{
    const p3d_plan plan = problem_plan(p, "zero=3,mbs=1");

    return cost_collective_s(&p->cluster, op,
            cost_place(&p->cluster, &plan, P3D_AXIS_SHARD), bytes);
}

/* Beside nothing, whatever runs: one gather and one reduction for each of the
 * micro-batches, as the outermost module is not given back between passes;
 * with SHARD_GRAD_OP one gather a step. */
static void nothing_runs_beside_a_whole_model(void **state)
{
    const p3d_problem p = usual(P3D_UNIT_WHOLE);
    const p3d_params all = {.dense = 1000000000};
    const cost_shared params = {all, all, {0, 0}};
    const cost_pass_time endless = {1e3, 1e3};
    p3d_plan plan = problem_plan(&p, "zero=3,mbs=1");
    const double gather_s = sent_s(&p, P3D_ALL_GATHER, 2e9);
    const double reduce_s = sent_s(&p, P3D_REDUCE_SCATTER, 4e9);

    (void)state;
    CHECK_REL(cost_dp_exposed_s(&p, &plan, params, endless, 5),
            5 * (gather_s + reduce_s), 1e-9);
    plan.zero = 2;
    CHECK_REL(cost_dp_exposed_s(&p, &plan, params, endless, 5),
            gather_s + 5 * reduce_s, 1e-9);
}

/* The unit around the MLPs is no outermost module: gathered twice. */
static void a_unit_inside_is_gathered_twice(void **state)
{
    const p3d_problem p = usual(100000000);
    const p3d_params all = {.dense = 2147749888};
    const p3d_plan plan = problem_plan(&p, "zero=3,mbs=1");

    (void)state;
    CHECK_REL(cost_dp_exposed_s(&p, &plan, (cost_shared){all, all, {0, 0}},
                      (cost_pass_time){1e3, 1e3}, 3),
            3 * (2 * sent_s(&p, P3D_ALL_GATHER, 2 * 2147749888.0) +
                        sent_s(&p, P3D_REDUCE_SCATTER, 4 * 2147749888.0)),
            1e-9);
}

static void refused(p3d_problem *p, const char *framework)
{
    const p3d_plan plan = problem_plan(p, "zero=3,mbs=1");
    p3d_refusal refusal = {.rule = NULL};

    p->job.framework = p3d_framework_find(framework);
    assert_false(
            p3d_plan_legal(&p->model, &p->cluster, &p->job, &plan, &refusal));
    assert_string_equal(refusal.rule, "S17");
}

static void rules_want_fsdp1_and_known_modules(void **state)
{
    p3d_problem p = usual(P3D_UNIT_WHOLE);

    (void)state;
    refused(&p, "fsdp2");
    p.job.unit_params = 100000000;
    p.model.n_experts = 8;
    refused(&p, "fsdp1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(units_are_those_of_pytorch),
            cmocka_unit_test(a_model_is_reduced_at_once),
            cmocka_unit_test(units_by_size_leave_the_attention_around),
            cmocka_unit_test(nothing_runs_beside_a_whole_model),
            cmocka_unit_test(a_unit_inside_is_gathered_twice),
            cmocka_unit_test(rules_want_fsdp1_and_known_modules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
