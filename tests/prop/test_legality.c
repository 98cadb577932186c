/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_legality.c - the few rules that a difference may break say the same as
 * all rules. */
#include "test.h"

#include "random_plan.h"

enum { N_PLANS = 200 };

static bool legal(const p3d_problem *p, const p3d_plan *plan)
{
    return p3d_plan_legal(&p->model, &p->cluster, &p->job, plan, NULL);
}

/* Plans that stay legal, and those that do not: both are needed. */
static int n_legal, n_refused;

static void check(const p3d_problem *p, const p3d_plan *plan, p3d_difference d)
{
    const bool stays =
            p3d_plan_stays_legal(&p->model, &p->cluster, &p->job, plan, d);

    CHECK_PLAN(p, plan, stays == legal(p, plan));
    n_legal += stays;
    n_refused += !stays;
}

static void check_pipelines(const p3d_problem *problem, p3d_plan plan)
{
    static const short ends[][2] = {{0, 0}, {3, 0}, {0, 5}, {7, 9}};

    plan.recompute = P3D_RECOMPUTE_NONE;
    plan.recompute_modules = 0;
    plan.recompute_layers = plan.recompute_group = 0;
    if (!legal(problem, &plan))
        return;
    for (int i = 0; i < P3D_N_SCHEDULES * 6 * 4 * 2 * 2; i++) {
        plan.schedule = (p3d_schedule)(i % P3D_N_SCHEDULES);
        plan.vp = 1 + i / P3D_N_SCHEDULES % 6;
        plan.first_layers = ends[i / P3D_N_SCHEDULES / 6 % 4][0];
        plan.last_layers = ends[i / P3D_N_SCHEDULES / 6 % 4][1];
        plan.uneven = i / P3D_N_SCHEDULES / 24 % 2 != 0;
        plan.micro_batch = 1 + i / P3D_N_SCHEDULES / 48;
        check(problem, &plan, P3D_DIFFERENCE_PIPELINE);
    }
}

static void check_differences(const p3d_problem *problem, p3d_plan plan)
{
    p3d_plan other = plan;

    for (int n = 1; n <= 16; n++) {
        other.micro_batch = n;
        check(problem, &other, P3D_DIFFERENCE_MICRO_BATCH);
    }
    other = plan;
    for (int n = 0; n <= 16; n++) {
        other.shard = n;
        for (int order = 0; order < P3D_N_ORDERS; order++) {
            other.order = (p3d_order)order;
            check(problem, &other, P3D_DIFFERENCE_SHARING);
        }
    }
    check_pipelines(problem, plan);
}

static void a_few_rules_say_what_all_say(void **state)
{
    static const char *const frameworks[] = {
            "megatron-core", "deepspeed", "fsdp2", "torchtitan", "generic"};
    random_source r = {5};

    (void)state;
    for (int i = 0; i < N_PLANS; i++) {
        const p3d_problem problem =
                random_problem(i % N_RANDOM_PROBLEMS, frameworks[i % 5]);
        p3d_plan plan;

        if (random_find(&r, &problem, &plan))
            check_differences(&problem, plan);
    }
    assert_true(n_legal >= 1000 && n_refused >= 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_few_rules_say_what_all_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
