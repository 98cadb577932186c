/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_time_order.c - what takes longer, on random legal plans. */
#include "random_plan.h"

#include <math.h>

static double step_s(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_estimate e;

    CHECK_PLAN(problem, plan, random_try(problem, plan, &e));
    return p3d_time_step_s(&e.time);
}

static void check_terms(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_estimate e;
    double sum = 0;

    assert_true(random_try(problem, plan, &e));
#define ADD(field, words)                                  \
    CHECK_PLAN(problem, plan, isfinite(e.time.field##_s)); \
    CHECK_PLAN(problem, plan, e.time.field##_s >= 0);      \
    sum += e.time.field##_s;
    P3D_TIME_TERMS(ADD)
#undef ADD
    CHECK_REL(p3d_time_step_s(&e.time), sum, 1e-12);
    CHECK_PLAN(problem, plan, e.time.gemm_s > 0);
    CHECK_PLAN(problem, plan, e.mfu_frac > 0 && e.mfu_frac < 1);
    CHECK_PLAN(problem, plan, e.hfu_frac >= e.mfu_frac && e.hfu_frac < 1.5);
    CHECK_REL(e.tokens_per_s * sum,
            (double)problem->job.global_batch * problem->job.seq_len, 1e-9);
}

/* 6,000 plans. */
static void terms_are_finite_not_negative_and_sum_to_the_step(void **state)
{
    (void)state;
    random_each(21, check_terms);
}

static void check_absent(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_estimate e;
    const p3d_time *t = &e.time;

    assert_true(random_try(problem, plan, &e));
    CHECK_PLAN(
            problem, plan, plan->tp > 1 ? t->tp_comm_s > 0 : t->tp_comm_s == 0);
    CHECK_PLAN(problem, plan, plan->cp > 1 || t->cp_comm_s == 0);
    CHECK_PLAN(
            problem, plan, plan->ep > 1 || plan->etp > 1 || t->ep_comm_s == 0);
    CHECK_PLAN(problem, plan, plan->ep == 1 || t->ep_comm_s > 0);
    if (plan->pp == 1) {
        CHECK_PLAN(problem, plan, t->pp_bubble_s == 0);
        CHECK_PLAN(problem, plan, t->pp_comm_s == 0);
    } else {
        CHECK_PLAN(problem, plan, t->pp_bubble_s > 0);
        CHECK_PLAN(problem, plan, t->pp_comm_s > 0);
    }
    CHECK_PLAN(problem, plan,
            plan->dp * plan->cp > 1 || t->dp_comm_s == 0 ||
                    plan->ep < plan->tp);
    CHECK_PLAN(problem, plan,
            plan->recompute != P3D_RECOMPUTE_NONE || t->recompute_s == 0);
    CHECK_PLAN(problem, plan,
            plan->offload != P3D_OFFLOAD_NONE || t->offload_s == 0);
}

static void an_axis_of_one_costs_nothing(void **state)
{
    (void)state;
    random_each(22, check_absent);
}

/** Not slower, but for rounding. */
static void check_not_slower(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_problem *better)
{
    const double before = step_s(problem, plan);
    const double after = step_s(better, plan);

    if (after > before * (1 + 1e-12))
        print_error("%.9g s, then %.9g s\n", before, after);
    CHECK_PLAN(problem, plan, after <= before * (1 + 1e-12));
}

static void check_machine(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_problem better = *problem;

    better.cluster.gpu.hbm_bytes_per_s *= 1.5;
    check_not_slower(problem, plan, &better);
    better = *problem;
    better.cluster.gpu.bf16_flop_per_s *= 1.5;
    check_not_slower(problem, plan, &better);
    better = *problem;
    better.cluster.gpu.nvlink_bytes_per_s_one_way *= 1.5;
    check_not_slower(problem, plan, &better);
    better = *problem;
    better.cluster.fabric.nic_bytes_per_s_one_way *= 1.5;
    check_not_slower(problem, plan, &better);
    better = *problem;
    better.cluster.gpu.pcie_bytes_per_s_one_way *= 1.5;
    check_not_slower(problem, plan, &better);
}

static void a_better_machine_is_never_slower(void **state)
{
    (void)state;
    random_each(23, check_machine);
}

/* What each part of a machine is for, seen strictly. */
static void each_part_of_a_machine_matters(void **state)
{
    const p3d_problem problem = random_problem(1, "megatron-core");
    const p3d_plan plan = problem_plan(&problem, "tp=8,pp=4,zero=1");
    const double before = step_s(&problem, &plan);
    p3d_problem better = problem;

    (void)state;
    better.cluster.gpu.hbm_bytes_per_s *= 2;
    assert_true(step_s(&better, &plan) < before);
    better = problem;
    better.cluster.gpu.bf16_flop_per_s *= 2;
    assert_true(step_s(&better, &plan) < before);
    better = problem;
    better.cluster.gpu.nvlink_bytes_per_s_one_way *= 2;
    assert_true(step_s(&better, &plan) < before);
    better = problem;
    better.cluster.fabric.nic_bytes_per_s_one_way *= 2;
    assert_true(step_s(&better, &plan) < before);
}

static void check_recompute(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_plan p = *plan;
    double none, before;

    p.recompute = P3D_RECOMPUTE_NONE;
    p.recompute_layers = 0;
    none = before = step_s(problem, &p);
    p.recompute = P3D_RECOMPUTE_SELECTIVE;
    CHECK_PLAN(problem, &p, step_s(problem, &p) >= none);
    p.recompute = P3D_RECOMPUTE_FULL;
    for (p.recompute_layers = 1; p.recompute_layers < 8; p.recompute_layers++) {
        p3d_estimate e;

        if (!random_try(problem, &p, &e))
            break;
        CHECK_PLAN(problem, &p, p3d_time_step_s(&e.time) >= before);
        before = p3d_time_step_s(&e.time);
    }
    p.recompute_layers = 0;
    CHECK_PLAN(problem, &p, step_s(problem, &p) >= before);
}

static void recomputation_is_never_faster(void **state)
{
    (void)state;
    random_each(24, check_recompute);
}

/* One replica: nothing to share, nothing to send, the same weights to step. */
static void check_one_replica(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_problem one = *problem;
    p3d_plan p = *plan;
    p3d_estimate a, b;

    p.dp = p.cp = 1;
    p.ep = 1;
    p.etp = p.tp;
    p.offload = P3D_OFFLOAD_NONE;
    one.cluster.n_gpus = p.tp * p.pp;
    p.zero = 0;
    if (!random_try(&one, &p, &a))
        return;
    p.zero = 1;
    CHECK_PLAN(&one, &p, random_try(&one, &p, &b));
    CHECK_PLAN(&one, &p, p3d_time_step_s(&a.time) == p3d_time_step_s(&b.time));
    CHECK_PLAN(&one, &p, a.time.dp_comm_s == 0 && b.time.dp_comm_s == 0);
}

static void zero_1_is_zero_0_for_one_replica(void **state)
{
    (void)state;
    random_each(25, check_one_replica);
}

/* The same micro-batches: twice the sequences, not less and not more than
 * twice the time. */
static void check_batch(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_problem twice = *problem;
    double before, after;

    twice.job.global_batch *= 2;
    before = step_s(problem, plan);
    after = step_s(&twice, plan);
    CHECK_PLAN(problem, plan, after > before);
    CHECK_PLAN(problem, plan, after < 2 * before);
}

static void twice_the_batch_takes_up_to_twice_as_long(void **state)
{
    (void)state;
    random_each(26, check_batch);
}

/* The parts of a step's recomputation are all of it, and each is a part of
 * what it is a repetition of. */
static void check_recomputed(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_recomputed again;
    p3d_estimate e;

    assert_true(random_try(problem, plan, &e));
    p3d_estimate_recomputed(problem, &e.plan, &again);
    CHECK_PLAN(problem, plan,
            fabs(p3d_time_step_s(&again.time) - e.time.recompute_s) <=
                    1e-9 * e.time.recompute_s);
    CHECK_PLAN(problem, plan, again.time.gemm_s < e.time.gemm_s);
    CHECK_PLAN(problem, plan, again.time.attention_s <= e.time.attention_s);
    CHECK_PLAN(problem, plan, again.time.memory_pass_s < e.time.memory_pass_s);
    CHECK_PLAN(problem, plan, (again.n_gemms > 0) == (again.time.gemm_s > 0));
    CHECK_PLAN(
            problem, plan, (again.n_cores > 0) == (again.time.attention_s > 0));
    CHECK_PLAN(problem, plan,
            (again.n_passes > 0) == (again.time.memory_pass_s > 0));
}

static void recomputation_is_the_sum_of_its_parts(void **state)
{
    (void)state;
    random_each(27, check_recomputed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(terms_are_finite_not_negative_and_sum_to_the_step),
            cmocka_unit_test(an_axis_of_one_costs_nothing),
            cmocka_unit_test(a_better_machine_is_never_slower),
            cmocka_unit_test(each_part_of_a_machine_matters),
            cmocka_unit_test(recomputation_is_never_faster),
            cmocka_unit_test(zero_1_is_zero_0_for_one_replica),
            cmocka_unit_test(twice_the_batch_takes_up_to_twice_as_long),
            cmocka_unit_test(recomputation_is_the_sum_of_its_parts),
    };

    return cmocka_run_group_tests_name("order of time", tests, NULL, NULL);
}
