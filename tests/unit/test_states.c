/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_states.c - states of one rank by framework, stage and optimizer. */
#include "problem.h"

#include "cost/states.h"

/* 1e9 dense parameters over 16 ranks, 4e9 of experts over 4 (tp 1, ep 4). */
static const p3d_params params = {.dense = 1000000000, .experts = 4000000000};

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
    const cost_state_sum s = cost_states(job, plan, params);

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

/* fp32: 4 + 4 + 8 and no master copy. */
static void full_precision_has_no_master_weights(void **state)
{
    const p3d_job job = job_of("megatron-core", P3D_FP32);
    const p3d_plan plan = plan_of(0);

    (void)state;
    check_states(&job, &plan, 20e9, 20e9, 40e9);
}

/* One momentum instead of two moments: 4 bytes less, the master copy stays. */
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

/* ZeRO-Offload (arXiv:2101.06840 section 4): the optimizer lives on the host,
 * 16 B per own parameter, with the weights 18. */
static void offloading_moves_the_optimizer_to_the_host(void **state)
{
    const p3d_job job = job_of("deepspeed", P3D_BF16);
    p3d_plan plan = plan_of(3);
    const double on_device = cost_states(&job, &plan, params).optimizer_bytes;

    (void)state;
    assert_true(cost_host_bytes(&plan, params) == 0);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    CHECK_REL(cost_host_bytes(&plan, params), 16 * 1.0625e9, 1e-12);
    assert_true(on_device > 0);
    assert_true(cost_states(&job, &plan, params).optimizer_bytes == 0);
    CHECK_REL(cost_states(&job, &plan, params).weights_bytes, 2 * 1.0625e9,
            1e-12);
    plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    CHECK_REL(cost_host_bytes(&plan, params), 18 * 1.0625e9, 1e-12);
    assert_true(cost_states(&job, &plan, params).weights_bytes == 0);
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
                const cost_state_sum s = cost_states(&job, &plan, params);
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
            cmocka_unit_test(full_precision_has_no_master_weights),
            cmocka_unit_test(sgd_keeps_one_moment),
            cmocka_unit_test(offloading_moves_the_optimizer_to_the_host),
            cmocka_unit_test(without_zero_a_rank_updates_all_it_has),
            cmocka_unit_test(a_higher_stage_never_keeps_more),
    };

    return cmocka_run_group_tests_name("states", tests, NULL, NULL);
}
