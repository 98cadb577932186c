/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_host.c - what the host spends on launching operations. */
#include "problem.h"

#include "cost/cost.h"

static p3d_problem usual(const char *cluster)
{
    p3d_problem problem =
            problem_of("qwen3-30b-a3b", cluster, "megatron-core", 4096, 64);
    static p3d_framework framework;

    framework = *problem.job.framework;
    framework.host_s_per_kernel = 1e-6;
    framework.host_s_per_module = 10e-6;
    problem.job.framework = &framework;
    return problem;
}

static void modules_cost_more_than_kernels(void **state)
{
    const p3d_problem problem = usual("8xH100");
    const p3d_op linear = {.kind = P3D_OP_GEMM, .n_kernels = 1};
    const p3d_op weights = {
            .kind = P3D_OP_GEMM, .weight_gradient = true, .n_kernels = 1};
    const p3d_op ring = {.kind = P3D_OP_ATTENTION, .n_kernels = 4};
    const p3d_op pass = {.kind = P3D_OP_PASS, .n_kernels = 5};
    const p3d_op nothing = {.kind = P3D_OP_PASS};

    (void)state;
    CHECK_REL(cost_host_s(&problem, &linear), 10e-6, 1e-12);
    CHECK_REL(cost_host_s(&problem, &weights), 1e-6, 1e-12);
    CHECK_REL(cost_host_s(&problem, &ring), 40e-6, 1e-12);
    CHECK_REL(cost_host_s(&problem, &pass), 5e-6, 1e-12);
    assert_true(cost_host_s(&problem, &nothing) == 0);
}

/* A call for all experts, 3.5 us for each but the first. */
static void further_experts_cost_a_loop(void **state)
{
    const p3d_problem problem = usual("8xH100");
    const p3d_op grouped = {
            .kind = P3D_OP_GEMM, .expert = true, .n_kernels = 16};

    (void)state;
    CHECK_REL(cost_host_s(&problem, &grouped), 10e-6 + 15 * 3.5e-6, 1e-12);
}

/* 2.6 times as slow: NVIDIA/TransformerEngine issue 2053. */
static void a_grace_host_is_slower(void **state)
{
    const p3d_op linear = {.kind = P3D_OP_GEMM, .n_kernels = 1};
    const p3d_problem x86 = usual("8xH100");
    const p3d_problem grace = usual("8xGB200");

    (void)state;
    CHECK_REL(cost_host_s(&grace, &linear), 2.6 * cost_host_s(&x86, &linear),
            1e-12);
}

static void graphs_launch_by_themselves(void **state)
{
    p3d_problem problem = usual("8xH100");
    const p3d_op attention = {.kind = P3D_OP_ATTENTION,
            .part = P3D_BESIDE_ATTENTION,
            .n_kernels = 1};
    const p3d_op experts = {
            .kind = P3D_OP_GEMM, .part = P3D_BESIDE_EXPERTS, .n_kernels = 1};

    (void)state;
    problem.job.graphs = P3D_GRAPHS_LAYERS;
    assert_true(cost_host_s(&problem, &attention) == 0);
    assert_true(cost_host_s(&problem, &experts) > 0);
    problem.job.graphs = P3D_GRAPHS_STEP;
    assert_true(cost_host_s(&problem, &experts) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(modules_cost_more_than_kernels),
            cmocka_unit_test(further_experts_cost_a_loop),
            cmocka_unit_test(a_grace_host_is_slower),
            cmocka_unit_test(graphs_launch_by_themselves),
    };

    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
