/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_offload.c - states and activations outside of the device, by hand. */
#include "problem.h"

#include <stdio.h>

#include "cost/memory/memory.h"
#include "spec/adapters.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))
#define I64(n)        INT64_C(n)

/* 1e9 dense parameters over 16 ranks and 4e9 of experts over 4: 1.0625e9 are a
 * rank's own. */
static const cost_parameters params = {
        .all = {.dense = 1000000000, .experts = 4000000000},
        .trained = {.dense = 1000000000, .experts = 4000000000},
        .matrices = {.dense = 800000000, .experts = 4000000000},
        .trained_matrices = {.dense = 800000000, .experts = 4000000000},
        .edges = {.dense = 1000000, .experts = 4000000}};
static const double own = 1.0625e9;

static p3d_plan plan_of(int zero, p3d_offload offload)
{
    return (p3d_plan){.tp = 1,
            .pp = 1,
            .dp = 8,
            .cp = 2,
            .ep = 4,
            .etp = 1,
            .vp = 1,
            .micro_batch = 1,
            .zero = zero,
            .offload = offload};
}

/** One micro-batch per step. */
static p3d_job job_of(const char *framework)
{
    return (p3d_job){.dtype = P3D_BF16,
            .global_batch = 8,
            .framework = p3d_framework_find(framework)};
}

/* ZeRO-Offload (arXiv:2101.06840 section 4): fp32 weights, gradients and two
 * moments, 16 bytes; ZeRO-3 adds a flat 16-bit gradient, offloaded parameters
 * 2 bytes. */
static const struct {
    int zero;
    p3d_offload offload;
    double per_param;
} hosts[] = {{1, P3D_OFFLOAD_OPTIMIZER, 16}, {2, P3D_OFFLOAD_OPTIMIZER, 16},
        {3, P3D_OFFLOAD_OPTIMIZER, 18},
        {3, P3D_OFFLOAD_OPTIMIZER_PARAMETERS, 20}, {3, P3D_OFFLOAD_NONE, 0}};

static void the_host_keeps_16_bytes_of_each_own_parameter(void **state)
{
    const p3d_job job = job_of("deepspeed");

    (void)state;
    for (int i = 0; i < N_ROWS(hosts); i++) {
        const p3d_plan plan = plan_of(hosts[i].zero, hosts[i].offload);
        const cost_host_sum s = cost_host(&job, &plan, &params);

        CHECK_REL(s.host_bytes, hosts[i].per_param * own, 1e-12);
        CHECK_REL(s.pinned_bytes, hosts[i].per_param * own, 1e-12);
        assert_true(s.nvme_bytes == 0);
    }
}

/* 8 of the 16 bytes are Adam's moments: SGD and Lion have 4, Muon 4 for the
 * matrices (0.8e9 / 16 + 4e9 / 4 = 1.05e9) and 8 for the rest (0.0125e9). */
static void the_host_keeps_the_moments_of_the_optimizer(void **state)
{
    static const struct {
        p3d_optimizer optimizer;
        double moments;
    } cases[] = {{P3D_ADAM, 8 * 1.0625e9}, {P3D_SGD, 4 * 1.0625e9},
            {P3D_LION, 4 * 1.0625e9},
            {P3D_ADAM_8BIT, (2 + 8.0 / 256) * 1.0625e9},
            {P3D_MUON, 4 * 1.05e9 + 8 * 0.0125e9},
            {P3D_ADAFACTOR, 4 * (1e6 / 16 + 4e6 / 4) + 4 * 0.0125e9}};
    const p3d_plan plan = plan_of(2, P3D_OFFLOAD_OPTIMIZER);

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        p3d_job job = job_of("deepspeed");

        job.optimizer = cases[i].optimizer;
        CHECK_REL(cost_host(&job, &plan, &params).host_bytes,
                8 * own + cases[i].moments, 1e-12);
    }
}

static void a_share_is_offloaded_and_the_rest_stays(void **state)
{
    const p3d_job job = job_of("deepspeed");
    const p3d_plan none = plan_of(2, P3D_OFFLOAD_NONE);
    const cost_state_sum before = cost_states(&job, &none, &params);

    (void)state;
    CHECK_REL(before.master_bytes, 4 * own, 1e-12);
    CHECK_REL(before.moments_bytes, 8 * own, 1e-12);
    for (int quarters = 1; quarters <= 4; quarters++) {
        p3d_plan plan = plan_of(2, P3D_OFFLOAD_OPTIMIZER);
        const double frac = quarters / 4.0;
        cost_state_sum s;

        plan.offload_frac = frac;
        s = cost_states(&job, &plan, &params);
        CHECK_REL(s.master_bytes, (1 - frac) * before.master_bytes, 1e-12);
        CHECK_REL(s.moments_bytes, (1 - frac) * before.moments_bytes, 1e-12);
        CHECK_REL(s.optimizer_bytes, (1 - frac) * 12 * own, 1e-12);
        CHECK_REL(s.step_bytes, (1 - frac) * before.step_bytes, 1e-12);
        assert_true(s.weights_bytes == before.weights_bytes);
        CHECK_REL(cost_host(&job, &plan, &params).host_bytes, frac * 16 * own,
                1e-12);
        plan.zero = 3;
        CHECK_REL(cost_host(&job, &plan, &params).host_bytes, frac * 18 * own,
                1e-12);
    }
}

/* No share said: all of them. */
static void nothing_said_is_everything(void **state)
{
    const p3d_job job = job_of("deepspeed");
    p3d_plan all = plan_of(2, P3D_OFFLOAD_OPTIMIZER);

    (void)state;
    assert_true(cost_states(&job, &all, &params).optimizer_bytes == 0);
    all.offload_frac = 1;
    assert_true(cost_states(&job, &all, &params).optimizer_bytes == 0);
    CHECK_REL(cost_host(&job, &all, &params).host_bytes, 16 * own, 1e-12);
}

/* DeepSpeed moves the 2 bytes of sharded gradients out as they come, Megatron
 * keeps its whole fp32 ones. */
static void gradients_stay_where_the_framework_keeps_them(void **state)
{
    const p3d_job deepspeed = job_of("deepspeed");
    const p3d_job megatron = job_of("megatron-core");
    const p3d_job generic = job_of("generic");
    p3d_plan plan = plan_of(2, P3D_OFFLOAD_NONE);

    (void)state;
    CHECK_REL(cost_states(&deepspeed, &plan, &params).gradients_bytes, 2 * own,
            1e-12);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    assert_true(cost_states(&deepspeed, &plan, &params).gradients_bytes == 0);
    plan.offload_frac = 0.5;
    CHECK_REL(cost_states(&deepspeed, &plan, &params).gradients_bytes, own,
            1e-12);
    /* Of 4 bytes 2 stay of what is offloaded, all of the rest. */
    CHECK_REL(cost_states(&generic, &plan, &params).gradients_bytes, 3 * own,
            1e-12);
    plan.offload_frac = 0.25;
    CHECK_REL(cost_states(&generic, &plan, &params).gradients_bytes, 3.5 * own,
            1e-12);
    plan.zero = 1;
    CHECK_REL(cost_states(&megatron, &plan, &params).gradients_bytes, 4 * 5e9,
            1e-12);
}

static void offloaded_parameters_leave_the_device(void **state)
{
    const p3d_job job = job_of("deepspeed");
    p3d_plan plan = plan_of(3, P3D_OFFLOAD_OPTIMIZER);

    (void)state;
    CHECK_REL(cost_states(&job, &plan, &params).weights_bytes, 2 * own, 1e-12);
    plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    assert_true(cost_states(&job, &plan, &params).weights_bytes == 0);
}

/* In place of the states: 4 fp32 buffers of a group of at most 1e9 of them, 5
 * of 1e8 16-bit weights and 1e9 kept ones; ZeRO-3's flat gradients stay. */
static void nvme_takes_the_states_and_buffers_remain(void **state)
{
    static const struct {
        int zero;
        p3d_offload offload;
        double own, nvme, pinned, host;
    } cases[] = {
            {2, P3D_OFFLOAD_OPTIMIZER, 1.0625e9, 16, 16e9, 16e9},
            {3, P3D_OFFLOAD_OPTIMIZER, 1.0625e9, 16, 16e9, 16e9 + 2.125e9},
            {3, P3D_OFFLOAD_OPTIMIZER_PARAMETERS, 1.0625e9, 18, 19e9,
                    19e9 + 2.125e9},
            {2, P3D_OFFLOAD_OPTIMIZER, 0.5e9, 16, 8e9, 8e9},
            {3, P3D_OFFLOAD_OPTIMIZER_PARAMETERS, 0.5e9, 18, 11e9, 12e9},
    };
    const p3d_job job = job_of("deepspeed");

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        p3d_plan plan = plan_of(cases[i].zero, cases[i].offload);
        const bool small = cases[i].own < 1e9;
        const cost_parameters dense = {
                .all = {.dense = 8000000000}, .trained = {.dense = 8000000000}};
        cost_host_sum s;

        plan.offload_nvme = true;
        s = cost_host(&job, &plan, small ? &dense : &params);
        CHECK_REL(s.nvme_bytes, cases[i].nvme * cases[i].own, 1e-12);
        CHECK_REL(s.pinned_bytes, cases[i].pinned, 1e-12);
        CHECK_REL(s.host_bytes, cases[i].host, 1e-12);
    }
}

/* LLaMA-2-7B on 8 GPUs of one node: 16 bytes of all parameters, whatever their
 * number; on 16 GPUs half of them on each node. */
static void a_node_holds_what_its_ranks_offload(void **state)
{
    static const struct {
        const char *cluster, *words;
        double host, nvme;
    } cases[] = {{"8xA100", "zero=2,offload=optimizer", 16, 0},
            {"8xA100", "zero=3,offload=optimizer:0.5", 9, 0},
            {"8xA100", "zero=3,offload=optimizer", 18, 0},
            {"8xA100", "zero=3,offload=optimizer+parameters", 20, 0},
            {"16xA100", "zero=2,offload=optimizer", 8, 0},
            {"8xA100", "zero=2,offload=optimizer@nvme", 16, 16}};

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        const double P = 6738415616.0;
        p3d_problem problem = problem_of(
                "llama-2-7b", cases[i].cluster, "deepspeed", 4096, 16);
        p3d_estimate e;

        problem.cluster.node.nvme_bytes = INT64_C(8000000000000);
        e = problem_estimate(&problem, cases[i].words);
        /* NVMe: 4 buffers of fp32, 16 bytes of all parameters, as these are
         * less than 1e9 on a rank. */
        CHECK_REL((double)e.host_bytes_per_node, cases[i].host * P, 1e-9);
        CHECK_REL((double)e.pinned_bytes_per_node, cases[i].host * P, 1e-9);
        CHECK_REL((double)e.nvme_bytes_per_node, cases[i].nvme * P, 1e-9);
    }
}

/* LLaMA-2-7B on one node: P weights, of them M in the matrices of its layers;
 * adapters of rank 16 have A. Of each of these the host has 16 B (fp32 weights,
 * gradients, two moments), DeepSpeed's 4 more in 16 bit; of frozen weights what
 * they are stored in: 2 B, 4 B under accelerate's FSDP2, 1/2 + 1/64 + 4/(64
 * 256) B of a matrix in NF4 with scales in 8 bits. */
static void frozen_weights_go_to_the_host(void **state)
{
    static const double P = 6738415616.0, A = 39976960.0;
    static const double M = 32.0 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 11008);
    static const struct {
        const char *framework, *adapters;
        double of_adapters, of_tables, of_matrices;
    } cases[] = {{"fsdp1", "r=16", 16, 2, 2},
            {"fsdp1", "r=16,base=nf4", 16, 2, 0.515869140625},
            {"fsdp2-hf", "r=16", 16, 4, 4},
            {"fsdp2-hf", "r=16,base=nf4", 16, 2, 0.515869140625},
            {"deepspeed-hf", "r=16", 20, 2, 2},
            {"deepspeed-hf", "r=16,base=nf4", 20, 2, 0.515869140625}};
    const char *const words =
            "zero=3,recompute=full,offload=optimizer+parameters";

    (void)state;
    for (int i = 0; i < N_ROWS(cases); i++) {
        p3d_problem problem = problem_of(
                "llama-2-7b", "8xA100", cases[i].framework, 4096, 16);
        const double bytes = cases[i].of_adapters * A +
                             cases[i].of_tables * (P - M) +
                             cases[i].of_matrices * M;
        p3d_error err = {0};
        p3d_estimate e;

        problem_check(spec_adapters_read(
                              cases[i].adapters, &problem.job.adapters, &err),
                &err);
        e = problem_estimate(&problem, words);
        CHECK_REL((double)e.host_bytes_per_node, bytes, 1e-9);
        assert_int_equal(e.memory.weights_bytes, 0);
        /* 90 % of the host's memory may be taken. */
        problem.cluster.node.host_memory_bytes = (int64_t)(bytes / 0.9) + 9;
        assert_true(problem_estimate(&problem, words).fits);
        problem.cluster.node.host_memory_bytes = (int64_t)(bytes / 0.9) - 9;
        assert_false(problem_estimate(&problem, words).fits);
    }
}

/* A plan that fits does not when the node has too little. */
static void a_node_without_room_does_not_fit(void **state)
{
    const char *const words = "zero=2,offload=optimizer@nvme,recompute=full";
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "deepspeed", 4096, 16);

    (void)state;
    problem.cluster.node.nvme_bytes = INT64_C(107814649856); /* 16 P */
    assert_true(problem_estimate(&problem, words).fits);
    problem.cluster.node.nvme_bytes--;
    assert_false(problem_estimate(&problem, words).fits);
    problem.cluster.node.nvme_bytes = INT64_C(8000000000000);
    problem.cluster.node.host_memory_bytes = INT64_C(107814649856);
    assert_false(problem_estimate(&problem, words).fits);
}

/* LLaMA-2-7B over 8 ranks of 4 layers. A layer keeps 629,669,888 B (4 tensors
 * of the MLP); the first rank has 8 micro-batches, of which the share f is
 * elsewhere but for 4 whole chunks of 4 layers. */
static void four_chunks_of_offloaded_activations_stay(void **state)
{
    const int64_t layer = I64(629669888);
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-kwai", 4096, 32);

    (void)state;
    for (int tenths = 1; tenths <= 10; tenths++) {
        const double f = tenths / 10.0;
        char words[64];
        p3d_plan plan;
        p3d_memory m;

        (void)snprintf(words, sizeof(words),
                "pp=8,zero=1,offload=activations:%.1f", f);
        plan = problem_plan(&problem, words);
        m = problem_stage(&problem, &plan, 0).memory;
        CHECK_REL((double)m.activations_bytes, (1 - f) * 8 * 4 * (double)layer,
                1e-9);
        CHECK_REL((double)m.buffers_bytes, f * 4 * 4 * (double)layer, 1e-9);
        CHECK_REL((double)problem_estimate(&problem, words).host_bytes_per_node,
                8 * f * 8 * 4 * (double)layer, 1e-9);
    }
}

/* A rank with fewer than four chunks alive has no four of them on the way. */
static void no_more_stays_than_is_alive(void **state)
{
    static const char *const words[] = {"zero=1", "pp=2,zero=1",
            "pp=2,vp=2,zero=1", "pp=4,zero=1,recompute=full"};
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-kwai", 4096, 32);

    (void)state;
    for (int i = 0; i < N_ROWS(words); i++) {
        p3d_plan plan = problem_plan(&problem, words[i]);

        for (int rank = 0; rank < plan.pp; rank++) {
            p3d_memory before, after;

            plan.activation_offload_frac = 0;
            before = problem_stage(&problem, &plan, rank).memory;
            plan.activation_offload_frac = 1;
            after = problem_stage(&problem, &plan, rank).memory;
            assert_true(after.activations_bytes + after.buffers_bytes <=
                        before.activations_bytes + before.buffers_bytes);
        }
    }
}

/* What recomputation drops is not offloaded either. */
static void only_what_is_kept_is_offloaded(void **state)
{
    const int64_t input = 33554432;
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-kwai", 4096, 32);
    const p3d_plan plan = problem_plan(
            &problem, "pp=8,zero=1,recompute=full,offload=activations:0.5");
    const p3d_memory m = problem_stage(&problem, &plan, 0).memory;

    (void)state;
    assert_int_equal(m.activations_bytes, 8 * 4 * input / 2);
    assert_int_equal(m.buffers_bytes, 4 * 4 * input / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_host_keeps_16_bytes_of_each_own_parameter),
            cmocka_unit_test(the_host_keeps_the_moments_of_the_optimizer),
            cmocka_unit_test(a_share_is_offloaded_and_the_rest_stays),
            cmocka_unit_test(nothing_said_is_everything),
            cmocka_unit_test(gradients_stay_where_the_framework_keeps_them),
            cmocka_unit_test(offloaded_parameters_leave_the_device),
            cmocka_unit_test(nvme_takes_the_states_and_buffers_remain),
            cmocka_unit_test(a_node_holds_what_its_ranks_offload),
            cmocka_unit_test(frozen_weights_go_to_the_host),
            cmocka_unit_test(a_node_without_room_does_not_fit),
            cmocka_unit_test(four_chunks_of_offloaded_activations_stay),
            cmocka_unit_test(no_more_stays_than_is_alive),
            cmocka_unit_test(only_what_is_kept_is_offloaded),
    };

    return cmocka_run_group_tests_name("offload", tests, NULL, NULL);
}
