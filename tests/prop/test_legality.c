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
}

static void a_few_rules_say_what_all_say(void **state)
{
    static const char *const frameworks[] = {
            "megatron-core", "deepspeed", "fsdp2", "torchtitan", "any"};
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
