/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spares.c - the time that a job waits for nodes. */
#include "test.h"

#include "cost/running.h"

/* Erlang's table for two erlang: 2/3, 2/5, 4/19, 2/21. */
static void waiting_is_erlangs_loss(void **state)
{
    static const double want[] = {2.0 / 3, 2.0 / 5, 4.0 / 19, 2.0 / 21};

    (void)state;
    for (int i = 0; i < 4; i++)
        CHECK_REL(cost_waiting_frac(i, 2), want[i], 1e-14);
}

/* Without spares: repair over failure and repair. */
static void without_spares_each_repair_is_waited_for(void **state)
{
    (void)state;
    CHECK_REL(cost_waiting_frac(0, 0.25), 0.2, 1e-15);
    CHECK_REL(cost_waiting_frac(5, 0), 0, 0);
}

static double node_hours(int n_nodes, int n_spares, double load)
{
    return (n_nodes + n_spares) / (1 - cost_waiting_frac(n_spares, load));
}

/* 1,400 jobs, against every number of spares. */
static void the_spares_have_the_fewest_node_hours(void **state)
{
    (void)state;
    for (int n_nodes = 1; n_nodes <= 100; n_nodes++) {
        for (double load = 0.001; load < 200; load *= 2.5) {
            const int s = cost_spares(n_nodes, load);

            assert_in_range(s, 0, n_nodes);
            for (int other = 0; other <= n_nodes; other++)
                assert_true(node_hours(n_nodes, s, load) <=
                            node_hours(n_nodes, other, load) * (1 + 1e-12));
        }
    }
}

static void larger_jobs_and_longer_repairs_want_more_spares(void **state)
{
    (void)state;
    assert_int_equal(cost_spares(1, 0.01), 0);
    assert_true(cost_spares(1000, 0.01) > 0);
    assert_true(cost_spares(1000, 20) > cost_spares(1000, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(waiting_is_erlangs_loss),
            cmocka_unit_test(without_spares_each_repair_is_waited_for),
            cmocka_unit_test(the_spares_have_the_fewest_node_hours),
            cmocka_unit_test(larger_jobs_and_longer_repairs_want_more_spares),
    };

    return cmocka_run_group_tests_name("spares", tests, NULL, NULL);
}
