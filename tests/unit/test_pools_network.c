/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pools_network.c - which links are tight for a plan on pools: what it
 * says against the plan worked out on other networks. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/pools_network.h"

static p3d_pools_problem *problem_with(const char *words, double ratio)
{
    p3d_pools_problem *const p = calloc(1, sizeof(*p));
    p3d_error err = {0};

    assert_non_null(p);
    problem_check(p3d_pools_find(words, &p->pools, &err), &err);
    for (int k = 0; k < p->pools.n_pools; k++) {
        p3d_cluster *const c = &p->pools.clusters[k];

        if (ratio > 0) {
            c->tiers.n = 1;
            c->tiers.at[0] =
                    (p3d_tier){.nodes_below = 1, .oversubscription = ratio};
        }
        p->on[k] =
                problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 128);
        p->on[k].cluster = *c;
    }
    return p;
}

/* A replica over both pools, and one on the first. */
static p3d_pools_plan plan_of(void)
{
    p3d_pools_plan plan = {.zero = 1, .n_classes = 2};

    plan.classes[0] = (p3d_replica_class){.n_replicas = 1,
            .n_segments = 2,
            .segments = {{0, 8, 1}, {1, 8, 2}},
            .layers = {16, 32, 32},
            .micro_batch = 1,
            .n_micro_batches = 64};
    plan.classes[1] = (p3d_replica_class){.n_replicas = 1,
            .n_segments = 1,
            .segments = {{0, 8, 3}},
            .layers = {26, 27, 27},
            .micro_batch = 1,
            .n_micro_batches = 64};
    return plan;
}

static p3d_pools_network network_of(const p3d_pools_problem *problem)
{
    const p3d_pools_plan plan = plan_of();
    p3d_pools_network out;
    p3d_error err = {0};

    problem_check(p3d_pools_network_of(problem, &plan, &out, &err), &err);
    return out;
}

static double step_of(const p3d_pools_problem *problem)
{
    p3d_pools_plan plan = plan_of();

    (void)p3d_pools_estimate(problem, &plan);
    return plan.step_s;
}

static double step_with(const p3d_pools_network *n, const char *what)
{
    for (int i = 0; i < n->n_changes; i++)
        if (strcmp(n->changes[i].what, what) == 0)
            return n->changes[i].step_s;
    fail_msg("no change %s", what);
    return 0;
}

/* Each pool has its cards and its tier. */
static void cuts_are_of_pools(void **state)
{
    p3d_pools_problem *const p = problem_with("32xA800+16xH100", 4);
    const p3d_pools_network n = network_of(p);

    (void)state;
    assert_int_equal(n.n_cuts, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(n.cuts[i].pool, i / 2);
        assert_int_equal(n.cuts[i].tier, i % 2);
        assert_int_equal(n.cuts[i].other, -1);
    }
    CHECK_REL(n.cuts[0].bytes_per_s, 8 * 25e9, 1e-12);
    CHECK_REL(n.cuts[1].bytes_per_s, 8 * 25e9 / 4, 1e-12);
    CHECK_REL(n.step_s, step_of(p), 1e-12);
    free(p);
}

/* What the tightest cut costs is what the step takes less without it. */
static void a_tier_costs_what_it_takes(void **state)
{
    p3d_pools_problem *const p = problem_with("32xA800+16xH100", 64);
    const p3d_pools_network n = network_of(p);
    double free_s;

    (void)state;
    p->on[0].cluster.tiers.n = p->pools.clusters[0].tiers.n = 0;
    free_s = step_of(p);
    assert_true(free_s < 0.99 * n.step_s);
    assert_int_equal(n.tight, 1);
    CHECK_REL(n.cuts[1].cost_s, n.step_s - free_s, 1e-3);
    CHECK_REL(n.cuts[1].cost_frac, n.cuts[1].cost_s / n.step_s, 1e-12);
    assert_true(n.cuts[1].pipeline_s <= n.cuts[1].cost_s);
    free(p);
}

/* All that leaves a node leaves its switch where that has one node below. */
static void loads_are_by_hand(void **state)
{
    p3d_pools_problem *const p = problem_with("32xA800+16xH100", 4);
    const p3d_pools_network n = network_of(p);

    (void)state;
    assert_int_equal(n.n_loads, 8);
    for (int i = 0; i < n.n_loads; i++) {
        const int tier = n.cuts[n.loads[i].cut].tier;

        CHECK_REL(n.loads[i].load_frac, 1, 1e-12);
        CHECK_REL(n.loads[i].of_cards_frac, tier == 1 ? 4 : 1, 1e-12);
    }
    free(p);
}

/* Options are those of all pools; the step with them is the plan's there. */
static void changes_are_other_networks(void **state)
{
    p3d_pools_problem *const p = problem_with("32xA800+16xH100", 4);
    const p3d_pools_network n = network_of(p);

    (void)state;
    for (int k = 0; k < 2; k++)
        p->on[k].cluster.tiers.at[0].oversubscription =
                p->pools.clusters[k].tiers.at[0].oversubscription = 16;
    CHECK_REL(step_with(&n, "--oversubscription 16"), step_of(p), 1e-12);
    assert_true(step_with(&n, "--oversubscription 1") < n.step_s);
    assert_true(step_with(&n, "--rails yes") > 0);
    free(p);
}

/* A link that a file says is a cut of its own; one that nobody said is as fast
 * as the cards. */
static void a_slow_link_is_tight(void **state)
{
    p3d_pools_problem *const p = problem_with("32xA800+16xH100", 0);
    p3d_pools_network n = network_of(p);
    double slow_s;

    (void)state;
    assert_int_equal(n.n_cuts, 2);
    p->pools.links[0].assumed = false;
    p->pools.links[0].bytes_per_s_one_way = 1e9;
    n = network_of(p);
    slow_s = n.step_s;
    assert_int_equal(n.n_cuts, 3);
    assert_int_equal(n.cuts[2].pool, 0);
    assert_int_equal(n.cuts[2].other, 1);
    assert_int_equal(n.tight, 2);
    assert_true(n.cuts[2].cost_s > 0.1 * slow_s);
    p->pools.links[0].bytes_per_s_one_way = 2e9;
    CHECK_REL(
            step_with(&n, "links of A800-SXM4-80GB and H100-SXM5-80GB twice as "
                          "fast"),
            step_of(p), 1e-12);
    free(p);
}

/* Pools that the plan does not use are not asked about. */
static void what_is_not_used_is_left_out(void **state)
{
    p3d_pools_problem *const p = problem_with("32xA800+16xH100", 4);
    p3d_pools_plan plan = plan_of();
    p3d_pools_network n;
    p3d_error err = {0};

    (void)state;
    plan.classes[0] = plan.classes[1];
    plan.n_classes = 1;
    problem_check(p3d_pools_network_of(p, &plan, &n, &err), &err);
    assert_int_equal(n.n_cuts, 2);
    for (int i = 0; i < n.n_cuts; i++)
        assert_int_equal(n.cuts[i].pool, 0);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(cuts_are_of_pools),
            cmocka_unit_test(a_tier_costs_what_it_takes),
            cmocka_unit_test(loads_are_by_hand),
            cmocka_unit_test(changes_are_other_networks),
            cmocka_unit_test(a_slow_link_is_tight),
            cmocka_unit_test(what_is_not_used_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
