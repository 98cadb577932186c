/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_goodput.c - expected time with failures, by hand and as published. */
#include "test.h"

#include <math.h>

#include "cost/running.h"

/* With M = 100, R = 10, C = 5, t = 15: S / M = 0.2, q = e^0.2 - 1 =
 * 0.221402758; T = M e^0.1 q = 24.468789. */
static void a_segment_is_dalys_cost_by_hand(void **state)
{
    const cost_failures f = {.mtbf_s = 100, .restart_s = 10, .pause_s = 5};
    const cost_segment s = cost_segment_of(&f, 15);

    (void)state;
    CHECK_REL(s.work_s, 15, 1e-15);
    CHECK_REL(s.save_s, 5, 1e-15);
    CHECK_REL(s.lost_s, 2.1402758160169834, 1e-12);
    CHECK_REL(s.restart_s, 2.3285131340185647, 1e-12);
    CHECK_REL(s.work_s + s.save_s + s.lost_s + s.restart_s, 24.468788950035552,
            1e-12);
    CHECK_REL(cost_overhead_frac(&f, 15), 24.468788950035552 / 15 - 1, 1e-12);
}

/* A checkpoint that takes W more to become useful: T e^(W / M) in all. */
static void a_late_checkpoint_costs_its_delay_at_each_failure(void **state)
{
    const cost_failures f = {
            .mtbf_s = 100, .restart_s = 10, .pause_s = 5, .behind_s = 20};
    const cost_segment s = cost_segment_of(&f, 15);

    (void)state;
    CHECK_REL(s.work_s + s.save_s + s.lost_s + s.restart_s,
            100 * exp(0.3) * expm1(0.2), 1e-12);
}

/* Where failures are rare: C + S^2 / 2 M + R S / M. The series and the
 * difference of exponentials meet. */
static void rare_failures_cost_half_an_interval_and_a_restart(void **state)
{
    (void)state;
    for (double M = 1e4; M < 1e13; M *= 10) {
        const cost_failures f = {.mtbf_s = M, .restart_s = 10, .pause_s = 5};
        const cost_segment s = cost_segment_of(&f, 15);

        CHECK_REL(s.lost_s, 20 * 20 / (2 * M), 20 / M);
        CHECK_REL(s.restart_s, 10 * 20 / M, 20 / M);
    }
}

/* Daly 2006, figures 3 to 5: R = 10 min, C = 5 min. */
static void dalys_interval_is_as_published(void **state)
{
    static const double min = 60;
    static const struct {
        double mtbf_min;
        double best_min;
    } rows[] = {{24 * 60, 117}, {6 * 60, 57}, {15, 9.1}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        const cost_failures f = {.mtbf_s = rows[i].mtbf_min * min,
                .restart_s = 10 * min,
                .pause_s = 5 * min};

        CHECK_REL(cost_daly_interval_s(&f) / min, rows[i].best_min, 0.006);
    }
}

static void young_and_daly_by_hand(void **state)
{
    const cost_failures f = {.mtbf_s = 5000, .pause_s = 100};
    const cost_failures often = {.mtbf_s = 50, .pause_s = 100};

    (void)state;
    CHECK_REL(cost_young_interval_s(&f), 1000, 1e-15);
    /* 1000 (1 + 0.1 / 3 + 0.01 / 9) - 100 */
    CHECK_REL(cost_daly_interval_s(&f), 934.444444, 1e-8);
    CHECK_REL(cost_daly_interval_s(&often), 50, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_segment_is_dalys_cost_by_hand),
            cmocka_unit_test(a_late_checkpoint_costs_its_delay_at_each_failure),
            cmocka_unit_test(rare_failures_cost_half_an_interval_and_a_restart),
            cmocka_unit_test(dalys_interval_is_as_published),
            cmocka_unit_test(young_and_daly_by_hand),
    };

    return cmocka_run_group_tests_name("goodput", tests, NULL, NULL);
}
