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

/* A call for all experts; 9 us for each product but the first, 3.5 us for each
 * other kernel, on slow hosts, too. */
static void further_experts_cost_a_loop(void **state)
{
    const p3d_problem problem = usual("8xH100");
    const p3d_problem grace = usual("8xGB200");
    const p3d_op grouped = {
            .kind = P3D_OP_GEMM, .expert = true, .n_kernels = 16};
    const p3d_op casts = {.kind = P3D_OP_PASS, .expert = true, .n_kernels = 16};

    (void)state;
    CHECK_REL(cost_host_s(&problem, &grouped), 10e-6 + 15 * 9e-6, 1e-12);
    CHECK_REL(cost_host_s(&problem, &casts), 1e-6 + 15 * 3.5e-6, 1e-12);
    CHECK_REL(cost_host_s(&grace, &grouped), 26e-6 + 15 * 9e-6, 1e-12);
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

/* One dense layer's blocks with a host that takes this many seconds a kernel,
 * and this share of it added. */
static p3d_blocks blocks_with(
        p3d_problem *problem, double kernel_s, double frac)
{
    static p3d_framework framework;
    const p3d_shard shard = {.tp = 2,
            .cp = 1,
            .ep = 1,
            .etp = 2,
            .micro_batch = 1,
            .sequence_parallel = true};
    p3d_blocks blocks;

    framework = *p3d_framework_find("megatron-core");
    framework.host_s_per_kernel = kernel_s;
    framework.host_s_per_module = 0;
    problem->job.framework = &framework;
    problem->job.added_host_frac = frac;
    problem->job.fixed_added_host = true;
    p3d_blocks_build(problem, shard, &blocks);
    return blocks;
}

static p3d_problem dense(void)
{
    return problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 64);
}

/* A host of 1 ns a kernel never holds the device up; twice as slow a one takes
 * twice as long, and a share of it adds. */
static void a_share_of_the_shorter_adds_to_the_longer(void **state)
{
    p3d_problem problem = dense();
    const double device_s = blocks_with(&problem, 1e-15, 0).block[0].forward_s;
    const double slow_s = blocks_with(&problem, 1, 0).block[0].forward_s;
    const double host_s = slow_s * 1e-6; /* of 1 us a kernel */
    const double all_s = blocks_with(&problem, 1e-6, 1).block[0].forward_s;

    (void)state;
    assert_true(host_s < device_s);
    CHECK_REL(
            blocks_with(&problem, 1e-6, 0).block[0].forward_s, device_s, 1e-9);
    CHECK_REL(all_s, device_s + host_s, 1e-9);
    CHECK_REL(blocks_with(&problem, 1e-6, 0.3).block[0].forward_s,
            device_s + 0.3 * host_s, 1e-9);
    CHECK_REL(blocks_with(&problem, 1, 0.3).block[0].forward_s,
            slow_s + 0.3 * device_s, 1e-9);
}

static void launches_that_block_hide_nothing(void **state)
{
    p3d_problem problem = dense();
    const double all_s = blocks_with(&problem, 1e-6, 1).block[0].forward_s;
    const p3d_time with = blocks_with(&problem, 1e-6, 0).block[0].backward;
    p3d_time without;

    (void)state;
    problem.job.launch_blocking = true;
    assert_true(cost_added_host_frac(&problem.job, false) == 1);
    CHECK_REL(blocks_with(&problem, 1e-6, 0).block[0].forward_s, all_s, 1e-9);
    without = blocks_with(&problem, 1e-6, 0).block[0].backward;
    assert_true(without.tp_comm_s > with.tp_comm_s);
}

static void the_job_has_the_last_word_on_the_share(void **state)
{
    p3d_framework framework = {.added_host_frac = 0.3};
    p3d_job job = {.framework = &framework};

    (void)state;
    assert_true(cost_added_host_frac(&job, false) == 0.3);
    assert_true(cost_added_host_frac(&job, true) == 1);
    job.fixed_added_host = true;
    assert_true(cost_added_host_frac(&job, true) == 0);
    job.added_host_frac = 0.5;
    assert_true(cost_added_host_frac(&job, true) == 0.5);
}

/* The layer of experts of a job over so many ranks that share them. */
static p3d_block experts_over(p3d_problem *problem, int ep)
{
    const p3d_shard shard = {
            .tp = 1, .cp = 1, .ep = ep, .etp = 1, .micro_batch = 1};
    p3d_blocks blocks;

    p3d_blocks_build(problem, shard, &blocks);
    return blocks.block[P3D_LAYER_MOE];
}

/* A host that is much faster than the device shows in the forward pass,
 * where it waits for the sizes of the groups, and nowhere else. */
static void a_host_that_waits_for_sizes_shows(void **state)
{
    p3d_problem problem = usual("8xH100");
    p3d_block layer = experts_over(&problem, 8);

    (void)state;
    assert_true(layer.forward.host_s > 100e-6);
    assert_true(layer.backward.host_s == 0);
    CHECK_REL(layer.replay_s[P3D_RECOMPUTE_FULL], layer.forward_s, 1e-12);
    assert_true(layer.unwaited_s == 0);
    problem.job.expert_overlap = true;
    layer = experts_over(&problem, 8);
    CHECK_REL(layer.unwaited_s, layer.forward.host_s, 1e-9);
    assert_true(layer.paired_s > layer.unwaited_s);
    problem.job.expert_overlap = false;
    problem.job.graphs = P3D_GRAPHS_STEP;
    layer = experts_over(&problem, 8);
    assert_true(layer.forward.host_s == 0);
}

/* One kernel takes the groups of a rank that has all experts as they are. */
static void sizes_that_nobody_sends_stay(void **state)
{
    p3d_problem problem =
            problem_of("qwen3-30b-a3b", "8xH100", "fsdp2", 4096, 64);

    (void)state;
    assert_true(experts_over(&problem, 1).forward.host_s == 0);
    assert_true(experts_over(&problem, 8).forward.host_s > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(modules_cost_more_than_kernels),
            cmocka_unit_test(further_experts_cost_a_loop),
            cmocka_unit_test(a_grace_host_is_slower),
            cmocka_unit_test(a_share_of_the_shorter_adds_to_the_longer),
            cmocka_unit_test(launches_that_block_hide_nothing),
            cmocka_unit_test(the_job_has_the_last_word_on_the_share),
            cmocka_unit_test(graphs_launch_by_themselves),
            cmocka_unit_test(a_host_that_waits_for_sizes_shows),
            cmocka_unit_test(sizes_that_nobody_sends_stay),
    };

    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
