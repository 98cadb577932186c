/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_states.c - states of one rank by framework, stage and optimizer. */
#include "problem.h"

#include "cost/memory/memory.h"

/* 1e9 dense parameters over 16 ranks, 4e9 of experts over 4 (tp 1, ep 4). */
static const p3d_params params = {.dense = 1000000000, .experts = 4000000000};
static const cost_parameters parameters = {
        .all = {.dense = 1000000000, .experts = 4000000000},
        .trained = {.dense = 1000000000, .experts = 4000000000}};

static p3d_plan plan_of(int zero)
{
    return (p3d_plan){.tp = 1,
            .pp = 1,
            .dp = 8,
            .cp = 2,
            .ep = 4,
            .etp = 1,
            .vp = 1,
            .micro_batch = 1,
            .zero = zero};
}

static p3d_job job_of(const char *framework, p3d_dtype dtype)
{
    return (p3d_job){
            .dtype = dtype, .framework = p3d_framework_find(framework)};
}

static void check_states(const p3d_job *job, const p3d_plan *plan,
        double weights, double gradients, double optimizer)
{
    const cost_state_sum s = cost_states(job, plan, &parameters);

    CHECK_REL(s.weights_bytes, weights, 1e-12);
    CHECK_REL(s.gradients_bytes, gradients, 1e-12);
    CHECK_REL(s.optimizer_bytes, optimizer, 1e-12);
}

/* Shared by 16 and 4: 1e9 / 16 + 4e9 / 4 = 1.0625e9 parameters. */
static void experts_are_shared_by_fewer_ranks(void **state)
{
    const p3d_job job = job_of("megatron-core", P3D_BF16);
    p3d_plan plan = plan_of(0);

    (void)state;
    check_states(&job, &plan, 10e9, 20e9, 60e9);
    plan.zero = 1;
    check_states(&job, &plan, 10e9, 20e9, 12 * 1.0625e9);
    plan.zero = 2;
    check_states(&job, &plan, 10e9, 4 * 1.0625e9, 12 * 1.0625e9);
    plan.zero = 3;
    check_states(&job, &plan, 2 * 1.0625e9, 4 * 1.0625e9, 12 * 1.0625e9);
}

/* PyTorch's pipelines add up the gradients of all micro-batches before they
 * share them; in fp32, 4 bytes each. */
static void gradients_of_a_pipeline_may_stay_whole(void **state)
{
    const p3d_job job = job_of("fsdp2", P3D_BF16);
    p3d_plan plan = plan_of(2);

    (void)state;
    CHECK_REL(cost_states(&job, &plan, &parameters).gradients_bytes,
            4 * 1.0625e9, 1e-12);
    plan.pp = 2;
    CHECK_REL(cost_states(&job, &plan, &parameters).gradients_bytes, 4 * 5e9,
            1e-12);
    plan.zero = 3;
    CHECK_REL(cost_states(&job, &plan, &parameters).gradients_bytes, 4 * 5e9,
            1e-12);
}

/* fp32: 4 + 4 + 8 and no master copy. */
static void full_precision_has_no_master_weights(void **state)
{
    const p3d_job job = job_of("megatron-core", P3D_FP32);
    const p3d_plan plan = plan_of(0);

    (void)state;
    check_states(&job, &plan, 20e9, 20e9, 40e9);
}

/* One momentum instead of two moments: 4 bytes less, the master copy stays. */
/* fp32 weights (4), gradients (4) and, where several ranks reduce them, buckets
 * (4). */
static void one_rank_of_ddp_has_no_buckets(void **state)
{
    const p3d_job job = job_of("ddp-hf", P3D_BF16);
    p3d_plan plan = plan_of(0);

    (void)state;
    check_states(&job, &plan, 20e9, 40e9, 40e9);
    plan.dp = 1;
    check_states(&job, &plan, 20e9, 20e9, 40e9);
}

static void sgd_keeps_one_moment(void **state)
{
    p3d_job job = job_of("megatron-core", P3D_BF16);
    p3d_plan plan = plan_of(0);

    (void)state;
    job.optimizer = P3D_SGD;
    check_states(&job, &plan, 10e9, 20e9, 8 * 5e9);
    plan.zero = 1;
    check_states(&job, &plan, 10e9, 20e9, 8 * 1.0625e9);
    job.dtype = P3D_FP32;
    check_states(&job, &plan, 20e9, 20e9, 4 * 1.0625e9);
}

/** All of what is offloaded lies in pinned memory. */
static void check_host(const p3d_job *job, const p3d_plan *plan, double bytes)
{
    const cost_host_sum host = cost_host(job, plan, &parameters);

    CHECK_REL(host.host_bytes, bytes, 1e-12);
    CHECK_REL(host.pinned_bytes, bytes, 1e-12);
    assert_true(host.nvme_bytes == 0);
}

/* ZeRO-Offload (arXiv:2101.06840 section 4): the optimizer lives on the host,
 * 16 B per own parameter: fp32 weights, gradients and two moments; ZeRO-3 also
 * collects its 16-bit gradients there, 18, and with the weights 20. */
static void offloading_moves_the_optimizer_to_the_host(void **state)
{
    const p3d_job job = job_of("deepspeed", P3D_BF16);
    p3d_plan plan = plan_of(3);
    const double on_device =
            cost_states(&job, &plan, &parameters).optimizer_bytes;

    (void)state;
    assert_true(cost_host(&job, &plan, &parameters).host_bytes == 0);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    check_host(&job, &plan, 18 * 1.0625e9);
    assert_true(on_device > 0);
    assert_true(cost_states(&job, &plan, &parameters).optimizer_bytes == 0);
    CHECK_REL(cost_states(&job, &plan, &parameters).weights_bytes, 2 * 1.0625e9,
            1e-12);
    plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    check_host(&job, &plan, 20 * 1.0625e9);
    assert_true(cost_states(&job, &plan, &parameters).weights_bytes == 0);
    plan = plan_of(2);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    check_host(&job, &plan, 16 * 1.0625e9);
}

/* A half of the states on each side, of the gradients too. */
static void a_part_of_the_optimizer_may_be_offloaded(void **state)
{
    const p3d_job job = job_of("deepspeed", P3D_BF16);
    p3d_plan plan = plan_of(3);

    (void)state;
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    plan.offload_frac = 0.5;
    check_states(&job, &plan, 2 * 1.0625e9, 1.0625e9, 6 * 1.0625e9);
    check_host(&job, &plan, 9 * 1.0625e9);
}

/* NVMe holds what host memory would, 16 B with the weights 18, of 1.0625e9
 * parameters. It is reached through 4 buffers of 1e9 fp32 states, and for the
 * weights 5 of 1e8 and one of 1e9 in 16 bit; flat gradients stay in memory. */
static void nvme_is_reached_through_pinned_buffers(void **state)
{
    const p3d_job job = job_of("deepspeed", P3D_BF16);
    p3d_plan plan = plan_of(3);
    cost_host_sum host;

    (void)state;
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    plan.offload_nvme = true;
    host = cost_host(&job, &plan, &parameters);
    CHECK_REL(host.nvme_bytes, 16 * 1.0625e9, 1e-12);
    CHECK_REL(host.pinned_bytes, 16e9, 1e-12);
    CHECK_REL(host.host_bytes, 16e9 + 2 * 1.0625e9, 1e-12);
    plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    host = cost_host(&job, &plan, &parameters);
    CHECK_REL(host.nvme_bytes, 18 * 1.0625e9, 1e-12);
    CHECK_REL(host.pinned_bytes, 16e9 + 3e9, 1e-12);
}

/* shard=4 of 16 replicas: a quarter of the 4 replicas of the experts is one. */
static void a_part_of_the_replicas_may_share(void **state)
{
    const p3d_job job = job_of("megatron-core", P3D_BF16);
    p3d_plan plan = plan_of(1);

    (void)state;
    plan.shard = 8;
    check_states(&job, &plan, 10e9, 20e9, 12 * (1e9 / 8 + 4e9 / 2));
    plan.shard = 4;
    check_states(&job, &plan, 10e9, 20e9, 12 * (1e9 / 4 + 4e9));
}

/* Moments of 4.8e9 parameters in matrices with 3e6 rows and columns, and 0.2e9
 * elsewhere. 8-bit moments have an fp32 scale for 256 of them. */
static void every_optimizer_keeps_its_moments(void **state)
{
    static const cost_parameters mixed = {.all = {1000000000, 4000000000},
            .trained = {1000000000, 4000000000},
            .matrices = {800000000, 4000000000},
            .trained_matrices = {800000000, 4000000000},
            .edges = {1000000, 2000000}};
    static const struct {
        p3d_optimizer optimizer;
        double bytes, bytes_in_16;
    } cases[] = {{P3D_ADAM, 8 * 5e9, 4 * 5e9}, {P3D_SGD, 4 * 5e9, 2 * 5e9},
            {P3D_ADAM_8BIT, (2 + 8.0 / 256) * 5e9, (2 + 8.0 / 256) * 5e9},
            {P3D_ADAFACTOR, 4 * 3e6 + 4 * 0.2e9, 4 * 3e6 + 2 * 0.2e9},
            {P3D_LION, 4 * 5e9, 2 * 5e9},
            {P3D_MUON, 4 * 4.8e9 + 8 * 0.2e9, 2 * 4.8e9 + 4 * 0.2e9}};
    p3d_job job = job_of("megatron-core", P3D_BF16);
    const p3d_plan plan = plan_of(0);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        job.optimizer = cases[i].optimizer;
        job.moment_dtype = P3D_STATE_USUAL;
        CHECK_REL(cost_states(&job, &plan, &mixed).moments_bytes,
                cases[i].bytes, 1e-12);
        job.moment_dtype = P3D_STATE_IN_16;
        CHECK_REL(cost_states(&job, &plan, &mixed).moments_bytes,
                cases[i].bytes_in_16, 1e-12);
    }
}

/* Gradients and master weights in 16 bit; no master weights: all in 16 bit. */
static void states_take_the_data_type_that_is_asked(void **state)
{
    p3d_job job = job_of("megatron-core", P3D_BF16);
    const p3d_plan plan = plan_of(0);

    (void)state;
    job.gradient_dtype = P3D_STATE_IN_16;
    check_states(&job, &plan, 10e9, 10e9, 60e9);
    job.master_dtype = P3D_STATE_IN_16;
    check_states(&job, &plan, 10e9, 10e9, 50e9);
    job.master_dtype = P3D_STATE_NONE;
    check_states(&job, &plan, 10e9, 10e9, 20e9);
}

static void without_zero_a_rank_updates_all_it_has(void **state)
{
    p3d_plan plan = plan_of(0);

    (void)state;
    CHECK_REL(cost_owned_params(&plan, params), 5e9, 1e-12);
    for (plan.zero = 1; plan.zero <= 3; plan.zero++)
        CHECK_REL(cost_owned_params(&plan, params), 1.0625e9, 1e-12);
}

static void a_higher_stage_never_keeps_more(void **state)
{
    int n;
    const p3d_framework *frameworks = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int dtype = 0; dtype < P3D_N_DTYPES; dtype++) {
            const p3d_job job = {
                    .dtype = (p3d_dtype)dtype, .framework = &frameworks[i]};
            double before = 0;

            for (int zero = 0; zero <= 3; zero++) {
                const p3d_plan plan = plan_of(zero);
                const cost_state_sum s = cost_states(&job, &plan, &parameters);
                const double sum =
                        s.weights_bytes + s.gradients_bytes + s.optimizer_bytes;

                if ((frameworks[i].zero_stages >> zero & 1) == 0)
                    continue;
                assert_true(before == 0 || sum <= before);
                before = sum;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(experts_are_shared_by_fewer_ranks),
            cmocka_unit_test(gradients_of_a_pipeline_may_stay_whole),
            cmocka_unit_test(full_precision_has_no_master_weights),
            cmocka_unit_test(one_rank_of_ddp_has_no_buckets),
            cmocka_unit_test(sgd_keeps_one_moment),
            cmocka_unit_test(offloading_moves_the_optimizer_to_the_host),
            cmocka_unit_test(a_part_of_the_optimizer_may_be_offloaded),
            cmocka_unit_test(nvme_is_reached_through_pinned_buffers),
            cmocka_unit_test(a_part_of_the_replicas_may_share),
            cmocka_unit_test(every_optimizer_keeps_its_moments),
            cmocka_unit_test(states_take_the_data_type_that_is_asked),
            cmocka_unit_test(without_zero_a_rank_updates_all_it_has),
            cmocka_unit_test(a_higher_stage_never_keeps_more),
    };

    return cmocka_run_group_tests_name("states", tests, NULL, NULL);
}
