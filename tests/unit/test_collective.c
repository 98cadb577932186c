/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_collective.c - where groups lie, and what their collectives cost. */
#include "problem.h"

#include <math.h>

#include "cost/cost.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

static p3d_cluster cluster_of(const char *words)
{
    return problem_of("gpt2", words, "generic", 1024, 8).cluster;
}

static void check_group(const char *words, const char *plan_words,
        p3d_axis axis, int n_ranks, int n_nodes, int ranks_per_node, double nic)
{
    const p3d_problem problem = problem_of("gpt2", words, "generic", 1024, 8);
    const p3d_plan plan = problem_plan(&problem, plan_words);
    const cost_group group = cost_place(&problem.cluster, &plan, axis);

    assert_int_equal(group.n_ranks, n_ranks);
    assert_int_equal(group.n_nodes, n_nodes);
    assert_int_equal(group.ranks_per_node, ranks_per_node);
    CHECK_REL(group.nic_bytes_per_s_one_way, nic, 1e-12);
}

/* 64 A100: 8 nodes of 8 GPUs and 8 NICs of 25 GB/s, one per GPU. Ranks are
 * numbered tp, cp, ep, dp, pp from the inside out. */
static void groups_lie_where_their_stride_puts_them(void **state)
{
    const char *const c = "64xA100";

    (void)state;
    check_group(c, "tp=8", P3D_AXIS_TP, 8, 1, 8, 200e9);
    check_group(c, "tp=8", P3D_AXIS_DP, 8, 8, 1, 25e9);
    check_group(c, "tp=2", P3D_AXIS_DP, 32, 8, 4, 100e9);
    check_group(c, "tp=1", P3D_AXIS_DP, 64, 8, 8, 200e9);
    check_group(c, "tp=4,cp=4", P3D_AXIS_CP, 4, 2, 2, 50e9);
    check_group(c, "tp=4,cp=2", P3D_AXIS_CP, 2, 1, 2, 50e9);
    /* Neighbours exchange heads; rings have one of each such group. */
    check_group(c, "tp=2,cp=16,ulysses=4", P3D_AXIS_HEADS, 4, 1, 4, 100e9);
    check_group(c, "tp=2,cp=16,ulysses=4", P3D_AXIS_RING, 4, 4, 1, 25e9);
    check_group(c, "tp=1,cp=8,ulysses=4", P3D_AXIS_RING, 2, 1, 2, 50e9);
    /* dp and cp together share the dense weights. */
    check_group(c, "tp=4,cp=2,pp=2", P3D_AXIS_DP, 8, 4, 2, 50e9);
    check_group(c, "tp=8,pp=4", P3D_AXIS_PP, 4, 4, 1, 25e9);
    check_group(c, "tp=2,cp=4,pp=8", P3D_AXIS_PP, 8, 8, 1, 25e9);
    check_group(c, "tp=1,pp=32", P3D_AXIS_PP, 32, 8, 4, 100e9);
}

static void experts_lie_inside_the_data_parallel_ranks(void **state)
{
    const char *const c = "64xA100";

    (void)state;
    check_group(c, "ep=8", P3D_AXIS_EP, 8, 1, 8, 200e9);
    check_group(c, "ep=8", P3D_AXIS_EXPERT_DP, 8, 8, 1, 25e9);
    check_group(c, "ep=16", P3D_AXIS_EP, 16, 2, 8, 200e9);
    /* ETP = TP = 4: experts every 4 ranks, two of them in a node; 64 / 16 = 4
     * replicas, 16 ranks apart. */
    check_group(c, "tp=4,ep=4,etp=4", P3D_AXIS_ETP, 4, 1, 4, 100e9);
    check_group(c, "tp=4,ep=4,etp=4", P3D_AXIS_EP, 4, 2, 2, 50e9);
    check_group(c, "tp=4,ep=4,etp=4", P3D_AXIS_EXPERT_DP, 4, 4, 1, 25e9);
    /* ETP = 1 under TP = 4: neighbouring ranks hold different experts. */
    check_group(c, "tp=4,ep=8,etp=1", P3D_AXIS_EP, 8, 1, 8, 200e9);
    check_group(c, "tp=4,ep=8,etp=1", P3D_AXIS_ETP, 1, 1, 1, 25e9);
}

/* GB200 NVL72: trays of 4 GPUs and 4 NICs of 50 GB/s, 72 GPUs on one NVLink. */
static void a_rack_of_72_is_one_domain(void **state)
{
    (void)state;
    check_group("72xGB200", "tp=8", P3D_AXIS_TP, 8, 1, 8, 400e9);
    check_group("72xGB200", "tp=8", P3D_AXIS_DP, 9, 1, 9, 450e9);
    check_group("144xGB200", "tp=8", P3D_AXIS_DP, 18, 2, 9, 450e9);
}

/* A100 nodes with constants of round numbers. */
static p3d_cluster machine(void)
{
    p3d_cluster c = cluster_of("64xA100");

    for (int op = 0; op < P3D_N_COLLECTIVES; op++)
        c.calibration.collective[op] = (p3d_collective_fit){.launch_s = 10e-6,
                .step_s = 1e-6,
                .link_frac = 0.5,
                .ramp_s_per_sqrt_byte = 1e-8};
    c.calibration.nvls_factor = 1.5;
    c.calibration.multinode_ramp_s_per_sqrt_byte = 2e-8;
    c.fabric.latency_s = 50e-6;
    c.fabric.all_reduce_frac = 1;
    c.fabric.all_gather_frac = 0.8;
    c.fabric.p2p_frac = 0.5;
    return c;
}

static cost_group group_of(int n_ranks, int n_nodes)
{
    const int per_node = n_ranks / n_nodes;

    return (cost_group){.n_ranks = n_ranks,
            .n_nodes = n_nodes,
            .ranks_per_node = per_node,
            .nic_bytes_per_s_one_way = 25e9 * per_node};
}

/* B = 0.5 x 300 = 150 GB/s, 225 for an all-reduce of 8 ranks in the switch.
 * All-reduce of 1.2 GB: V = 2 x 1.2 x 7/8 = 2.1 GB, 14 steps: 10 us + 14 us +
 * 9.3333 ms + 1e-8 sqrt(2.1e9) = 0.458 ms. Gather: V = 1.05 GB, 7 steps. */
static void inside_a_node_by_hand(void **state)
{
    const p3d_cluster c = machine();
    const cost_group eight = group_of(8, 1);
    const cost_group four = group_of(4, 1);

    (void)state;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_REDUCE, eight, 1.2e9),
            10e-6 + 14e-6 + 2.1e9 / 225e9 + 1e-8 * sqrt(2.1e9), 1e-12);
    CHECK_REL(cost_collective_s(&c, P3D_ALL_GATHER, eight, 1.2e9),
            10e-6 + 7e-6 + 1.05e9 / 150e9 + 1e-8 * sqrt(1.05e9), 1e-12);
    /* 4 ranks: V = 2 x 1.2 x 3/4 = 1.8 GB, and no switch. */
    CHECK_REL(cost_collective_s(&c, P3D_ALL_REDUCE, four, 1.2e9),
            10e-6 + 6e-6 + 1.8e9 / 150e9 + 1e-8 * sqrt(1.8e9), 1e-12);
}

/* Two nodes of 8, NIC 200 GB/s; k = 2 x 15/16. Link 225 GB/s is below 1.875 x
 * 200: it decides. With a link of 0.9 x 300 x 1.5 = 405 the cards do: 375. */
static void two_nodes_send_the_tensor_once(void **state)
{
    p3d_cluster c = machine();
    const cost_group group = group_of(16, 2);
    const double V = 2e9 * 15 / 16;

    (void)state;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_REDUCE, group, 1e9),
            50e-6 + V / 225e9 + 2e-8 * sqrt(V), 1e-12);
    c.calibration.collective[P3D_ALL_REDUCE].link_frac = 0.9;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_REDUCE, group, 1e9),
            50e-6 + V / 375e9 + 2e-8 * sqrt(V), 1e-12);
    /* One rank a node: a plain ring of two over one card. */
    CHECK_REL(cost_collective_s(&c, P3D_ALL_REDUCE, group_of(2, 2), 1e9),
            50e-6 + 1e9 / 25e9 + 2e-8 * sqrt(1e9), 1e-12);
}

/* Four nodes: the latency of a tree is 50 us x (1 + 1.9 log2(2)) = 145 us, that
 * of a ring 50 us x (8.4 + 28 x 3.4 + 3 x 9.6) / (8.4 + 14 x 3.4 + 9.6);
 * all-reduce 200 GB/s of the cards, gather min(150, 0.8 x 200). With one rank a
 * node there is no ring. */
static void more_nodes_add_latency(void **state)
{
    const p3d_cluster c = machine();
    const cost_group group = group_of(32, 4);
    const double V = 1e9 * 31 / 32;

    (void)state;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_REDUCE, group, 1e9),
            145e-6 + 2 * V / 200e9 + 2e-8 * sqrt(2 * V), 1e-12);
    CHECK_REL(cost_collective_s(&c, P3D_ALL_GATHER, group, 1e9),
            50e-6 * 132.4 / 65.6 + V / 150e9 + 2e-8 * sqrt(V), 1e-12);
    CHECK_REL(cost_collective_s(&c, P3D_ALL_GATHER, group_of(4, 4), 1e9),
            145e-6 + 0.75e9 / (0.8 * 25e9) + 2e-8 * sqrt(0.75e9), 1e-12);
}

/* 16 ranks on 2 nodes: 7/16 of the bytes stay on the link (150 GB/s), 8/16
 * cross one card of 0.5 x 25 GB/s. */
static void an_all_to_all_waits_for_the_slower_part(void **state)
{
    p3d_cluster c = machine();

    (void)state;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_TO_ALL, group_of(16, 2), 1e9),
            36e-6 + 0.5e9 / 12.5e9, 1e-12);
    c.fabric.p2p_frac = 1e6;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_TO_ALL, group_of(16, 2), 1e9),
            36e-6 + 0.4375e9 / 150e9, 1e-12);
}

/* Where a switch has one rail, what goes to other rails goes over NVLink first:
 * 7/8 of all bytes. Where a cut above the nodes takes 3 times as long as the
 * cards, half of the bytes go at a third of their rate. */
static void rails_and_cuts_slow_an_all_to_all(void **state)
{
    p3d_cluster c = machine();
    cost_group group = group_of(16, 2);

    (void)state;
    c.tiers.rails = true;
    c.fabric.p2p_frac = 1e6;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_TO_ALL, group, 1e9),
            36e-6 + 0.875e9 / 150e9, 1e-12);
    c.fabric.p2p_frac = 0.5;
    group.all_to_all_narrowing = 3;
    CHECK_REL(cost_collective_s(&c, P3D_ALL_TO_ALL, group, 1e9),
            36e-6 + 0.5e9 / 12.5e9 * 3, 1e-12);
}

/* A ring of 8 in a node that a cut takes 4 times as long for is half as long as
 * 8 that send at once; 16 times, twice as long. */
static void a_cut_slows_transfers_and_rings(void **state)
{
    const p3d_cluster c = machine();
    cost_group group = group_of(32, 4);
    double whole_s;

    (void)state;
    group.ring_narrowing = 4;
    CHECK_REL(cost_p2p_s(&c, group, 12.5e6), 25e-6 + 1e-3, 1e-12);
    group.ring_narrowing = 16;
    CHECK_REL(cost_p2p_s(&c, group, 12.5e6), 25e-6 + 2e-3, 1e-12);
    group.ring_narrowing = 0;
    whole_s = cost_collective_s(&c, P3D_ALL_GATHER, group, 64e9);
    group.ring_narrowing = 2;
    assert_true(
            cost_collective_s(&c, P3D_ALL_GATHER, group, 64e9) > 1.5 * whole_s);
}

/* Copies reach 0.88 of the link: 10 us + S / 264 GB/s; between nodes 25 us
 * + S / (0.5 x 25 GB/s) whatever the number of ranks beside it. */
static void a_transfer_by_hand(void **state)
{
    const p3d_cluster c = machine();

    (void)state;
    CHECK_REL(cost_p2p_s(&c, group_of(8, 1), 264e6), 10e-6 + 1e-3, 1e-12);
    CHECK_REL(cost_p2p_s(&c, group_of(8, 8), 12.5e6), 25e-6 + 1e-3, 1e-12);
    CHECK_REL(cost_p2p_s(&c, group_of(32, 8), 12.5e6), 25e-6 + 1e-3, 1e-12);
    assert_true(cost_p2p_s(&c, group_of(1, 1), 1e9) == 0);
}

/* One card of 25 GB/s for 8 ranks, of which 4 send at once: 4 stages of 4 ranks
 * on two nodes. All 8 do where each stage has a node. */
static void those_that_send_share_the_cards(void **state)
{
    const p3d_cluster c = machine();
    cost_group group = group_of(4, 2);

    (void)state;
    group.nic_bytes_per_s_one_way = 2 * 25e9 / 8;
    CHECK_REL(cost_p2p_s(&c, group, 3.125e6), 25e-6 + 1e-3, 1e-12);
    group = group_of(4, 4);
    group.nic_bytes_per_s_one_way = 25e9 / 8;
    CHECK_REL(cost_p2p_s(&c, group, 3.125e6), 25e-6 + 2e-3, 1e-12);
}

static const char *const clusters[] = {
        "64xA100", "64xH100", "64xB200", "64xA800", "64xMI300X"};
static const int shapes[][2] = {
        {2, 1}, {4, 1}, {8, 1}, {16, 2}, {32, 4}, {64, 8}, {8, 8}, {2, 2}};

static void more_bytes_take_longer(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(clusters); i++) {
        const p3d_cluster c = cluster_of(clusters[i]);

        for (int op = 0; op < P3D_N_COLLECTIVES; op++) {
            for (int j = 0; j < N_ROWS(shapes); j++) {
                const cost_group g = group_of(shapes[j][0], shapes[j][1]);
                double before = 0;

                for (double S = 1; S < 1e12; S *= 4) {
                    const double t =
                            cost_collective_s(&c, (p3d_collective)op, g, S);

                    assert_true(t > before && isfinite(t));
                    before = t;
                }
            }
        }
    }
}

static void a_group_of_one_and_no_bytes_are_free(void **state)
{
    const p3d_cluster c = cluster_of("64xA100");

    (void)state;
    for (int op = 0; op < P3D_N_COLLECTIVES; op++) {
        assert_true(cost_collective_s(
                            &c, (p3d_collective)op, group_of(1, 1), 1e9) == 0);
        assert_true(cost_collective_s(
                            &c, (p3d_collective)op, group_of(8, 1), 0) == 0);
    }
}

/* An all-reduce does what a scatter and a gather do. Between two whole nodes
 * the library sends the tensor only once, and public logs show all-reduces as
 * fast as gathers where the cards decide (B200: 683 to 718 GB/s of bus
 * bandwidth beside gathers of 0.77 to 0.85 of 400). */
static void an_all_reduce_takes_longer_than_a_gather(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(clusters); i++) {
        const p3d_cluster c = cluster_of(clusters[i]);

        for (int j = 0; j < N_ROWS(shapes); j++) {
            const cost_group g = group_of(shapes[j][0], shapes[j][1]);
            const double least = g.n_nodes == 2 ? 0.95 : 1;

            for (double S = 1e6; S < 1e11; S *= 10)
                assert_true(
                        cost_collective_s(&c, P3D_ALL_REDUCE, g, S) >
                        least * cost_collective_s(&c, P3D_ALL_GATHER, g, S));
        }
    }
}

static void leaving_the_node_is_never_faster(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(clusters); i++) {
        const p3d_cluster c = cluster_of(clusters[i]);

        for (int op = 0; op < P3D_N_COLLECTIVES; op++) {
            for (double S = 1e6; S < 1e11; S *= 10)
                assert_true(cost_collective_s(
                                    &c, (p3d_collective)op, group_of(8, 1), S) <
                            cost_collective_s(
                                    &c, (p3d_collective)op, group_of(8, 8), S));
        }
    }
}

/* 512 MiB x 8 = 4 GiB all-reduce on 4 H200 nodes of 8 x 400 Gb/s: 365 GB/s of
 * bus bandwidth; on 4 B200 nodes 377 (public nccl-tests logs). Within 10 %. */
static void published_bus_bandwidth_is_reached(void **state)
{
    const double S = 4.294967296e9;
    const cost_group g = {.n_ranks = 32,
            .n_nodes = 4,
            .ranks_per_node = 8,
            .nic_bytes_per_s_one_way = 400e9};
    const p3d_cluster h200 = cluster_of("32xH200");
    const p3d_cluster b200 = cluster_of("32xB200");
    const double V = 2 * S * 31 / 32;

    (void)state;
    CHECK_REL(V / cost_collective_s(&h200, P3D_ALL_REDUCE, g, S), 365e9, 0.1);
    CHECK_REL(V / cost_collective_s(&b200, P3D_ALL_REDUCE, g, S), 377e9, 0.1);
}

static void architectures_are_compute_capabilities(void **state)
{
    (void)state;
    assert_int_equal(p3d_gpu_sm(&(p3d_gpu){.architecture = "sm80"}), 80);
    assert_int_equal(p3d_gpu_sm(&(p3d_gpu){.architecture = "sm103"}), 103);
    assert_int_equal(p3d_gpu_sm(&(p3d_gpu){.architecture = "gfx942"}), 0);
    assert_int_equal(p3d_gpu_sm(&(p3d_gpu){.architecture = ""}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(groups_lie_where_their_stride_puts_them),
            cmocka_unit_test(experts_lie_inside_the_data_parallel_ranks),
            cmocka_unit_test(a_rack_of_72_is_one_domain),
            cmocka_unit_test(inside_a_node_by_hand),
            cmocka_unit_test(two_nodes_send_the_tensor_once),
            cmocka_unit_test(more_nodes_add_latency),
            cmocka_unit_test(an_all_to_all_waits_for_the_slower_part),
            cmocka_unit_test(rails_and_cuts_slow_an_all_to_all),
            cmocka_unit_test(a_cut_slows_transfers_and_rings),
            cmocka_unit_test(a_transfer_by_hand),
            cmocka_unit_test(those_that_send_share_the_cards),
            cmocka_unit_test(more_bytes_take_longer),
            cmocka_unit_test(a_group_of_one_and_no_bytes_are_free),
            cmocka_unit_test(an_all_reduce_takes_longer_than_a_gather),
            cmocka_unit_test(leaving_the_node_is_never_faster),
            cmocka_unit_test(published_bus_bandwidth_is_reached),
            cmocka_unit_test(architectures_are_compute_capabilities),
    };

    return cmocka_run_group_tests_name("collective", tests, NULL, NULL);
}
