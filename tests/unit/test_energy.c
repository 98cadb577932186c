/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_energy.c - power of GPUs with their share of a node. */
#include "problem.h"

#include "cost/running.h"

static p3d_cluster cluster_of(const char *words)
{
    p3d_cluster cluster;
    p3d_error err = {0};

    problem_check(p3d_cluster_find(words, &cluster, &err), &err);
    return cluster;
}

/* 0.76 and 0.29 of 10.2 kW over 8. */
static void an_h100_draws_its_share_of_a_dgx(void **state)
{
    const p3d_cluster c = cluster_of("8xH100");
    const cost_power power = cost_power_per_gpu(&c);

    (void)state;
    CHECK_REL(power.work_w, 969, 1e-12);
    CHECK_REL(power.idle_w, 369.75, 1e-12);
}

static void a_part_of_a_node_draws_its_share(void **state)
{
    const p3d_cluster whole = cluster_of("8xH100");
    const p3d_cluster part = cluster_of("2xH100");
    const p3d_cluster parts = cluster_of("16x4xH100");

    (void)state;
    CHECK_REL(cost_power_per_gpu(&part).work_w,
            cost_power_per_gpu(&whole).work_w, 1e-12);
    CHECK_REL(cost_power_per_gpu(&parts).work_w,
            cost_power_per_gpu(&whole).work_w, 1e-12);
}

static void a_node_of_unknown_power_is_sized_by_its_gpus(void **state)
{
    p3d_cluster c = cluster_of("8xH100");

    (void)state;
    c.node.power_w = 0;
    CHECK_REL(cost_power_per_gpu(&c).work_w, 0.76 * 1.82 * 700, 1e-12);
    c.gpu.power_w = 0;
    CHECK_REL(cost_power_per_gpu(&c).work_w, 0, 0);
}

/* BLOOM, before the site's share: 433,196 kWh of GPUs and 256,646 kWh of idle
 * nodes in 1,082,990 GPU hours (arXiv:2211.02001 section 4). */
static void bloom_is_as_published(void **state)
{
    const p3d_cluster c = cluster_of("384xA100");

    (void)state;
    CHECK_REL(cost_power_per_gpu(&c).work_w * 1082990 / 1e3, 433196 + 256646,
            0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_h100_draws_its_share_of_a_dgx),
            cmocka_unit_test(a_part_of_a_node_draws_its_share),
            cmocka_unit_test(a_node_of_unknown_power_is_sized_by_its_gpus),
            cmocka_unit_test(bloom_is_as_published),
    };

    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
