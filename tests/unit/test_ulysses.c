/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ulysses.c - context parallelism as two factors: which ranks may exchange
 * heads, and the form in which a plan says so. */
#include "legality_world.h"

#include "problem.h"

static void heads_of_a_rank_are_divided(void **state)
{
    const world sparse = experts();
    world w = dense();

    (void)state;
    legal(&sparse, "cp=4,ulysses=2");
    legal(&w, "cp=4,ulysses=2");
    legal(&w, "cp=4,ulysses=4");
    w.model.n_kv_heads = 4;
    refused(&w, "tp=2,cp=4,ulysses=4", "B1",
            "ulysses=4: an all-to-all does not divide 2 key/value heads of a "
            "rank by 4; try ulysses=2");
    refused(&w, "tp=8,cp=2,ulysses=2", "B1",
            "ulysses=2: an all-to-all does not divide 1 key/value heads of a "
            "rank by 2; try ulysses=1");
    w.model.n_heads = 12;
    w.model.n_kv_heads = 12;
    refused(&w, "tp=4,cp=4,ulysses=2", "B1",
            "ulysses=2: an all-to-all does not divide 3 heads of a rank by 2; "
            "try ulysses=1");
}

static void a_framework_may_have_one_exchange_alone(void **state)
{
    world w = dense();

    (void)state;
    w.framework.lacks = P3D_LACKS_HEAD_GROUPS;
    legal(&w, "cp=4,ulysses=1");
    refused(&w, "cp=4,ulysses=2", "F2",
            "all has one exchange for all ranks of cp; try it without ulysses");
    w.job.cp_comm = P3D_CP_ALL_TO_ALL;
    legal(&w, "cp=4,ulysses=4");
}

/* What the job says already is not said again. */
static void a_plain_plan_says_what_differs_from_the_job(void **state)
{
    static const struct {
        p3d_cp_comm job;
        int said, plain, ranks;
    } cases[] = {{P3D_CP_RING, 0, 0, 1}, {P3D_CP_RING, 1, 0, 1},
            {P3D_CP_RING, 2, 2, 2}, {P3D_CP_RING, 4, 4, 4},
            {P3D_CP_ALL_TO_ALL, 0, 0, 4}, {P3D_CP_ALL_TO_ALL, 4, 0, 4},
            {P3D_CP_ALL_TO_ALL, 1, 1, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        p3d_problem problem =
                problem_of("llama-3-8b", "64xH100", "megatron-core", 65536, 64);
        p3d_plan plan = problem_plan(&problem, "cp=4,zero=1");

        problem.job.cp_comm = cases[i].job;
        plan.ulysses = cases[i].said;
        assert_int_equal(
                p3d_plan_head_ranks(&problem.job, &plan), cases[i].ranks);
        plan = p3d_plan_plain(
                &problem.model, &problem.cluster, &problem.job, &plan);
        assert_int_equal(plan.ulysses, cases[i].plain);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(heads_of_a_rank_are_divided),
            cmocka_unit_test(a_framework_may_have_one_exchange_alone),
            cmocka_unit_test(a_plain_plan_says_what_differs_from_the_job),
    };

    return cmocka_run_group_tests_name("ulysses", tests, NULL, NULL);
}
