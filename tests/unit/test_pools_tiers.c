/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pools_tiers.c - pools whose nodes lie below switches: what goes through
 * the links up, against one cluster and by hand. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/pools.h"
#include "search/pools/seek.h"

static const p3d_tier leaf = {.nodes_below = 2, .oversubscription = 8};

static p3d_cluster cluster_of(const char *words, p3d_placement placement)
{
    p3d_cluster c;
    p3d_error err = {0};

    problem_check(p3d_cluster_find(words, &c, &err), &err);
    c.tiers.n = 1;
    c.tiers.at[0] = leaf;
    c.tiers.placement = placement;
    return c;
}

/* 16 GPUs below a switch, an eighth of their cards' rate up: 8 that send fill
 * four times what the cards take, 16 eight times; one below in its node. */
static void rings_by_hand(void **state)
{
    const p3d_cluster c = cluster_of("64xH100", P3D_PLACEMENT_CONTIGUOUS);
    cost_far_ring ring = {.stride = 8, .n_sending = 8};

    (void)state;
    CHECK_REL(cost_far_narrowing(&c, &ring), 4, 1e-12);
    ring.stride = 12.5;
    CHECK_REL(cost_far_narrowing(&c, &ring), 6.25, 1e-12);
    ring.stride = 400;
    CHECK_REL(cost_far_narrowing(&c, &ring), 8, 1e-12);
    /* Where two GPUs of a node send, its cards take a quarter of the time. */
    ring = (cost_far_ring){.stride = 2, .n_sending = 2};
    CHECK_REL(cost_far_narrowing(&c, &ring), 4, 1e-12);
}

/* Within a cluster they are those of an axis. */
static void rings_within_a_cluster_are_those_of_an_axis(void **state)
{
    static const char *const words[] = {"64xH100", "256xA800", "32xMI300X"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++)
        for (int p = 0; p < P3D_PLACEMENT_HOSTS; p++)
            for (int ecmp = 0; ecmp < 2; ecmp++)
                for (int stride = 8; stride <= 32; stride *= 2) {
                    p3d_cluster c = cluster_of(words[i], (p3d_placement)p);
                    const cost_axis axis = {
                            .n_ranks = c.n_gpus / stride, .stride = stride};
                    const cost_far_ring ring = {
                            .stride = stride, .n_sending = 8};

                    if (ecmp != 0)
                        c.tiers.at[0].routing = P3D_LINKS_ECMP;
                    if (axis.n_ranks < 2)
                        continue;
                    CHECK_REL(cost_far_narrowing(&c, &ring),
                            cost_narrowing(&c, &axis, COST_RING), 0.02);
                }
}

/* A pool below one switch sends through its links only to other pools. */
static void a_pool_below_one_switch_sends_up_to_others(void **state)
{
    const p3d_cluster c = cluster_of("16xH100", P3D_PLACEMENT_CONTIGUOUS);
    cost_far_ring ring = {.stride = 64, .n_sending = 8};

    (void)state;
    assert_true(cost_far_narrowing(&c, &ring) <= 0);
    ring.n_beyond = 16;
    CHECK_REL(cost_far_narrowing(&c, &ring), 8, 1e-12);
}

static p3d_pools_problem *problem_with(
        const char *words, p3d_placement placement, bool ecmp)
{
    p3d_pools_problem *const p = calloc(1, sizeof(*p));
    p3d_error err = {0};

    assert_non_null(p);
    problem_check(p3d_pools_find(words, &p->pools, &err), &err);
    for (int k = 0; k < p->pools.n_pools; k++) {
        p3d_cluster *const c = &p->pools.clusters[k];

        c->tiers.n = 1;
        c->tiers.at[0] = leaf;
        c->tiers.at[0].routing = ecmp ? P3D_LINKS_ECMP : P3D_LINKS_ADAPTIVE;
        c->tiers.placement = placement;
        p->on[k] =
                problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 128);
        p->on[k].cluster = *c;
    }
    return p;
}

/* What the search rests on: more layers of a stage take no less once a step,
 * nor do more replicas. */
static void more_layers_and_replicas_take_no_less(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        p3d_pools_problem *const problem =
                problem_with("32xA800+16xH100", (p3d_placement)(i % 2), i > 1);
        search_pool_world *const w = malloc(sizeof(*w));
        p3d_error err = {0};

        assert_non_null(w);
        problem_check(search_pool_open(problem, w, &err), &err);
        for (int j = 0; j < w->n_shards; j++)
            for (int stage = 0; stage < 3; stage++) {
                search_pool_stage s = {&w->shards[j], 3, stage, 0};
                double before_s = 0;

                if (w->shards[j].micro_batch > 1 || w->shards[j].vp > 1 ||
                        w->shards[j].recompute != P3D_RECOMPUTE_NONE)
                    continue;
                for (int r = 2; r <= 4; r += 2) {
                    const search_pool_setting setting = {1, 3, r, r};

                    search_pool_set(w, &setting);
                    for (s.n_layers = 1; s.n_layers < 40; s.n_layers++) {
                        const double s_s = search_pool_once_s(w, &s);

                        assert_true(s_s >= before_s * (1 - 1e-12));
                        before_s = s_s;
                    }
                    s.n_layers = 1;
                    before_s = search_pool_once_s(w, &s);
                }
            }
        search_pool_close(w);
        free(w);
        free(problem);
    }
}

/* Two pools of 32 A800 of one type cost what 64 of them do, below the same
 * switches: rings of replicas that are 32 GPUs apart. */
static void alike_pools_cost_about_what_one_cluster_costs(void **state)
{
    static const char file[] =
            "{\"schema\": 1, \"pools\": [{\"name\": \"a\", \"n_nodes\": 4, "
            "\"gpu\": \"A800\", \"tiers\": [{\"nodes_below\": 2, "
            "\"oversubscription\": 64}]}, {\"name\": \"b\", \"n_nodes\": 4, "
            "\"gpu\": \"A800\", \"tiers\": [{\"nodes_below\": 2, "
            "\"oversubscription\": 64}]}]}";
    p3d_pools_problem *const problem =
            problem_with("8xA800+8xH100", P3D_PLACEMENT_CONTIGUOUS, false);
    p3d_problem flat =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 16);
    p3d_pools_plan plan = {.zero = 1, .n_classes = 2};
    p3d_error err = {0};
    double free_s;
    p3d_estimate e;

    (void)state;
    flat.job.dp_overlap = P3D_OVERLAP_OFF;
    e = problem_estimate(&flat,
            "tp=8,pp=4,dp=2,mbs=1,zero=1,recompute=full,order=tp-cp-ep-pp-dp");
    free_s = p3d_time_step_s(&e.time);
    flat.cluster.tiers.n = 1;
    flat.cluster.tiers.at[0] = leaf;
    flat.cluster.tiers.at[0].oversubscription = 64;
    e = problem_estimate(&flat,
            "tp=8,pp=4,dp=2,mbs=1,zero=1,recompute=full,order=tp-cp-ep-pp-dp");
    /* The links up are seen. */
    assert_true(p3d_time_step_s(&e.time) > 1.05 * free_s);
    problem_check(p3d_pools_parse("f", file, &problem->pools, &err), &err);
    for (int k = 0; k < 2; k++) {
        problem->on[k] = flat;
        problem->on[k].cluster = problem->pools.clusters[k];
        plan.classes[k] = (p3d_replica_class){.n_replicas = 1,
                .n_segments = 1,
                .segments = {{k, 8, 4}},
                .layers = {20, 20, 20, 20},
                .vp = 1,
                .micro_batch = 1,
                .n_micro_batches = 8,
                .recompute = P3D_RECOMPUTE_FULL};
    }
    assert_true(p3d_pools_estimate(problem, &plan));
    CHECK_REL(plan.step_s, p3d_time_step_s(&e.time), 0.02);
    free(problem);
}

/* A wrong tier of a pool is named with its place. */
static void tiers_of_a_file_are_checked(void **state)
{
    p3d_pools pools;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_pools_parse("f",
            "{\"schema\": 1, \"pools\": [\"32xA800\", {\"name\": \"b\", "
            "\"n_nodes\": 4, \"gpu\": \"H100\", \"tiers\": "
            "[{\"nodes_below\": 4}, {\"nodes_below\": 6}]}]}",
            &pools, &err));
    test_check_error(&err, P3D_DATA, "not a multiple of the nodes below");
    assert_string_equal(err.pointer, "/pools/1/tiers/1/nodes_below");
    assert_true(err.line > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(rings_by_hand),
            cmocka_unit_test(rings_within_a_cluster_are_those_of_an_axis),
            cmocka_unit_test(a_pool_below_one_switch_sends_up_to_others),
            cmocka_unit_test(more_layers_and_replicas_take_no_less),
            cmocka_unit_test(alike_pools_cost_about_what_one_cluster_costs),
            cmocka_unit_test(tiers_of_a_file_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
