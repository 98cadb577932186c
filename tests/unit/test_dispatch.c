/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dispatch.c - tokens on their way to experts, and what hides it. */
#include "problem.h"

#include <math.h>
#include <string.h>

#include "cost/cost.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

/** Probability that k of `all` experts are none of `part`. */
static double missed(double all, double part, int k)
{
    double p = 1;

    for (int i = 0; i < k; i++)
        p *= (all - part - i) / (all - i);
    return p;
}

static void even_routing_reaches_parts(void **state)
{
    const p3d_routing four = {.n_experts = 4, .top_k = 2};
    const p3d_routing many = {.n_experts = 256, .top_k = 8};
    const p3d_routing one = {.n_experts = 64, .top_k = 1};

    (void)state;
    /* Two of four: one of the 6 pairs misses a half. */
    CHECK_REL(cost_parts_reached(&four, 2), 2 * (1 - 1.0 / 6), 1e-12);
    CHECK_REL(cost_parts_reached(&four, 1), 1, 1e-12);
    CHECK_REL(cost_parts_reached(&many, 256), 8, 1e-12);
    CHECK_REL(
            cost_parts_reached(&many, 8), 8 * (1 - missed(256, 32, 8)), 1e-12);
    for (int n = 1; n <= 64; n *= 2)
        CHECK_REL(cost_parts_reached(&one, n), 1, 1e-12);
}

/* DeepSeek-V3: 8 groups of 32 experts, 4 of them chosen, 8 experts of these
 * 128. A node for each group: half of them are chosen. */
static void chosen_groups_reach_fewer_nodes(void **state)
{
    const p3d_routing free = {.n_experts = 256, .top_k = 8};
    const p3d_routing r = {256, 8, 8, 4, 0};

    (void)state;
    CHECK_REL(cost_parts_reached(&r, 8), 4 * (1 - missed(128, 32, 8)), 1e-12);
    CHECK_REL(cost_parts_reached(&r, 1), 1, 1e-12);
    CHECK_REL(cost_parts_reached(&r, 256), 8, 1e-12);
    /* Two nodes: all four in the other one in 1 of 70 choices, one of its four
     * groups in 16, two in 36, three in 16. */
    CHECK_REL(cost_parts_reached(&r, 2),
            2 * (1 - (1 + 16 * missed(128, 32, 8) + 36 * missed(128, 64, 8) +
                             16 * missed(128, 96, 8)) /
                                70),
            1e-12);
    for (int n = 2; n <= 128; n *= 2) {
        assert_true(cost_parts_reached(&r, n) <= cost_parts_reached(&free, n));
        assert_true(cost_parts_reached(&r, n) >= cost_parts_reached(&r, n / 2));
        assert_true(cost_parts_reached(&r, n) <= (n < 8 ? n : 8));
    }
}

static cost_group ranks(int n, int n_nodes, double nic_bytes_per_s)
{
    return (cost_group){.n_ranks = n,
            .n_nodes = n_nodes,
            .ranks_per_node = n / n_nodes,
            .nic_bytes_per_s_one_way = n / n_nodes * nic_bytes_per_s};
}

static void a_dispatch_by_hand(void **state)
{
    p3d_cluster c = problem_of("gpt2", "16xH100", "generic", 1024, 16).cluster;
    p3d_routing r = {.n_experts = 16, .top_k = 1};

    (void)state;
    c.gpu.nvlink_bytes_per_s_one_way = 100e9;
    /* Each token on one of 8 ranks: 87 GB/s of the link. */
    CHECK_REL(cost_dispatch_s(
                      &c, ranks(8, 1, 50e9), P3D_DISPATCH_HYBRIDEP, &r, 8.7e9),
            45e-6 + 0.1, 1e-9);
    /* Half of the tokens leave a node of two: 4.35 GB over 0.95 x 50 GB/s. */
    CHECK_REL(cost_dispatch_s(
                      &c, ranks(16, 2, 50e9), P3D_DISPATCH_HYBRIDEP, &r, 8.7e9),
            45e-6 + hypot(0.1, 4.35 / 47.5), 1e-9);
    assert_true(cost_dispatch_s(&c, ranks(1, 1, 50e9), P3D_DISPATCH_HYBRIDEP,
                        &r, 8.7e9) == 0);
    /* 20 SMs of DeepEP move 450 GB/s and no more. */
    c.gpu.nvlink_bytes_per_s_one_way = 900e9;
    CHECK_REL(cost_dispatch_s(
                      &c, ranks(8, 1, 50e9), P3D_DISPATCH_DEEPEP, &r, 45e9),
            45e-6 + 0.1, 1e-9);
    /* A million tokens in it: 1.12 ns each of HybridEP, 2.7 of DeepEP. */
    r.token_bytes = 8700;
    c.gpu.nvlink_bytes_per_s_one_way = 100e9;
    CHECK_REL(cost_dispatch_s(
                      &c, ranks(8, 1, 50e9), P3D_DISPATCH_HYBRIDEP, &r, 8.7e9),
            45e-6 + 0.1 + 1.12e-3, 1e-9);
    CHECK_REL(cost_dispatch_s(
                      &c, ranks(8, 1, 50e9), P3D_DISPATCH_DEEPEP, &r, 8.7e9),
            45e-6 + 0.1 + 2.7e-3, 1e-9);
}

/* 4,096 tokens, 8 of 8 experts a rank, one NVLink domain of GB200: GB/s of the
 * copies, one's own among them. Source: deepseek-ai/DeepEP@94a9f8f6 docs/
 * README_Hybrid-EP.md, kernels, 32 SMs: dispatch in fp8 and 16 bit, combine. */
static void published_kernels_on_gb200(void **state)
{
    static const struct {
        int n_ranks;
        double fp8, dispatch, combine; /* GB/s */
    } rows[] = {{8, 713.98, 764.03, 737.13}, {16, 650.48, 706.95, 666.26},
            {24, 577.96, 665.97, 639.80}, {32, 538.86, 642.23, 605.15},
            {36, 489.27, 632.31, 596.99}};
    const p3d_cluster c =
            problem_of("gpt2", "72xGB200", "generic", 1024, 72).cluster;

    (void)state;
    for (int i = 0; i < N_ROWS(rows); i++) {
        const int n = rows[i].n_ranks;
        double rate[2];

        for (int j = 0; j < 2; j++) {
            const double each = 7168.0 * (1 + j);
            const p3d_routing r = {
                    .n_experts = 8 * n, .top_k = 8, .token_bytes = each};
            const double t = cost_dispatch_s(&c, ranks(n, 1, 50e9),
                    P3D_DISPATCH_HYBRIDEP, &r, 4096 * each);

            rate[j] = 4096e-9 * each * cost_parts_reached(&r, n) / (t - 45e-6);
        }
        CHECK_REL(rate[0], rows[i].fp8, 0.12);
        CHECK_REL(rate[1], rows[i].dispatch, 0.08);
        CHECK_REL(rate[1], rows[i].combine, 0.08);
    }
}

/* 32,768 tokens to 8 GPUs of H100, 8 of 256 experts, 16 bit: microseconds of
 * DeepEP's combine with 20 SMs (ai-dynamo/aiconfigurator@095f58a5
 * wideep_deepep_normal_perf). */
static void published_deepep_on_h100(void **state)
{
    static const struct {
        int hidden;
        double us;
    } rows[] = {{2048, 2282.83}, {4096, 4118.78}, {7168, 6961.25}};
    const p3d_cluster c =
            problem_of("gpt2", "8xH100", "generic", 1024, 8).cluster;

    (void)state;
    for (int i = 0; i < N_ROWS(rows); i++) {
        const double each = 2.0 * rows[i].hidden;
        const p3d_routing r = {
                .n_experts = 256, .top_k = 8, .token_bytes = each};

        CHECK_REL(1e6 * cost_dispatch_s(&c, ranks(8, 1, 50e9),
                                P3D_DISPATCH_DEEPEP, &r, 32768 * each),
                rows[i].us, 0.05);
    }
}

/* 4,096 tokens of 7,168 elements in 16 bit, 8 of 8 experts a rank, on H100 with
 * 400 Gb/s: GB/s of the copies that go to nodes, one's own among them. Source:
 * deepseek-ai/DeepEP@94a9f8f6 docs/README_Hybrid-EP.md, kernels, 16 SMs. */
static void published_kernels_on_h100(void **state)
{
    static const struct {
        int n_ranks;
        double dispatch_gb_per_s, combine_gb_per_s;
    } rows[] = {{16, 71.71, 62.95}, {32, 57.69, 57.46}, {64, 49.97, 49.77}};
    const p3d_cluster c =
            problem_of("gpt2", "64xH100", "generic", 1024, 64).cluster;
    const double bytes = 4096.0 * 7168 * 2;

    (void)state;
    for (int i = 0; i < N_ROWS(rows); i++) {
        const int n = rows[i].n_ranks;
        const p3d_routing r = {
                .n_experts = 8 * n, .top_k = 8, .token_bytes = 7168.0 * 2};
        const double t = cost_dispatch_s(
                &c, ranks(n, n / 8, 50e9), P3D_DISPATCH_HYBRIDEP, &r, bytes);
        const double rate = bytes * cost_parts_reached(&r, n / 8) / t * 1e-9;

        CHECK_REL(rate, rows[i].dispatch_gb_per_s, 0.08);
        CHECK_REL(rate, rows[i].combine_gb_per_s, 0.16);
    }
}

static p3d_problem qwen(const char *cluster)
{
    p3d_problem problem =
            problem_of("qwen3-30b-a3b", cluster, "megatron-core", 4096, 1024);

    problem.job.dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    return problem;
}

static double step_s(const p3d_problem *problem, const char *words)
{
    const p3d_estimate e = problem_estimate(problem, words);

    return p3d_time_step_s(&e.time);
}

static const p3d_op *find(
        const p3d_workload *list, const char *name, p3d_phase phase)
{
    for (int i = 0; i < list->n_ops; i++) {
        if (strcmp(list->ops[i].name, name) == 0 && list->ops[i].phase == phase)
            return &list->ops[i];
    }
    fail_msg("no '%s'", name);
    return NULL;
}

/* 4,096 tokens of 2,048 elements: 16 MiB; 8 experts each, 16 ranks. */
static void each_dispatcher_sends_its_own_bytes(void **state)
{
    const p3d_shard shard = {
            .tp = 1, .cp = 1, .ep = 16, .etp = 1, .micro_batch = 1};
    const double tokens = 4096.0 * 2048 * 2;
    p3d_problem problem = qwen("16xH100");
    p3d_workload list;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    CHECK_REL(find(&list, "dispatch to experts", P3D_FORWARD)->bytes,
            8 * tokens, 0);
    problem.job.dispatcher = P3D_DISPATCH_ALL_GATHER;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    CHECK_REL(find(&list, "dispatch to experts", P3D_FORWARD)->bytes,
            16 * tokens, 0);
    assert_int_equal(
            find(&list, "dispatch to experts", P3D_FORWARD)->collective,
            P3D_ALL_GATHER);
    assert_int_equal(
            find(&list, "dispatch to experts", P3D_BACKWARD)->collective,
            P3D_REDUCE_SCATTER);
    assert_int_equal(
            find(&list, "combine from experts", P3D_FORWARD)->collective,
            P3D_REDUCE_SCATTER);
    assert_int_equal(
            find(&list, "combine from experts", P3D_BACKWARD)->collective,
            P3D_ALL_GATHER);
    problem.job.dispatcher = P3D_DISPATCH_DEEPEP;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    CHECK_REL(find(&list, "combine from experts", P3D_BACKWARD)->bytes, tokens,
            0);
}

/* Two nodes of 8: a step over NVLink, one between the two GPUs of a place, and
 * two copies; the bytes on the network are those of one step. */
static void two_steps_by_hand(void **state)
{
    const p3d_cluster c =
            problem_of("gpt2", "16xH100", "generic", 1024, 16).cluster;
    const double bytes = 1e9;
    const double copies_s = 2 * cost_pass_s(&c, P3D_PASS_VECTOR, 2 * bytes, 1);
    const cost_transfer two = cost_send_2dh(&c, ranks(16, 2, 50e9), bytes);
    const cost_transfer inside =
            cost_send(&c, P3D_ALL_TO_ALL, ranks(8, 1, 50e9), bytes);

    (void)state;
    CHECK_REL(two.transfer_s,
            inside.transfer_s + 36e-6 + bytes / 2 / (c.fabric.p2p_frac * 50e9) +
                    copies_s,
            1e-12);
    CHECK_REL(two.link_s, inside.link_s, 1e-12);
    /* One node, or one GPU in each: one step. */
    CHECK_REL(cost_send_2dh(&c, ranks(8, 1, 50e9), bytes).transfer_s,
            inside.transfer_s, 1e-12);
    CHECK_REL(cost_send_2dh(&c, ranks(4, 4, 50e9), bytes).transfer_s,
            cost_collective_s(&c, P3D_ALL_TO_ALL, ranks(4, 4, 50e9), bytes),
            1e-12);
    assert_true(cost_send_2dh(&c, ranks(16, 2, 50e9), 0).transfer_s == 0);
}

/* The rows of an all-to-all, and what it sends beside them. */
static void two_steps_send_rows(void **state)
{
    const p3d_shard shard = {
            .tp = 1, .cp = 1, .ep = 16, .etp = 1, .micro_batch = 1};
    p3d_problem problem =
            problem_of("qwen3-30b-a3b", "16xH100", "generic", 4096, 1024);
    p3d_workload one, two;

    (void)state;
    problem.job.dispatcher = P3D_DISPATCH_ALL_TO_ALL;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &one);
    problem.job.dispatcher = P3D_DISPATCH_2DH;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &two);
    assert_int_equal(one.n_ops, two.n_ops);
    for (int i = 0; i < one.n_ops; i++)
        CHECK_REL(two.ops[i].bytes, one.ops[i].bytes, 0);
}

/* Over a network a token once to a node beats a row for each expert; NVIDIA
 * measured 41.25 and 24.71 s, with overlap 31.31 and 21.07 s:
 * Megatron-Bridge@067f987 skills/nemo-mbridge-perf-moe-comm-overlap. */
static void dispatchers_in_the_order_that_was_measured(void **state)
{
    static const char words[] = "dp=16,ep=16,mbs=1";
    p3d_problem plain = qwen("16xH100");
    p3d_problem hybrid = plain, plain_over = plain, hybrid_over;

    (void)state;
    hybrid.job.dispatcher = P3D_DISPATCH_HYBRIDEP;
    plain_over.job.expert_overlap = true;
    hybrid_over = hybrid;
    hybrid_over.job.expert_overlap = true;
    CHECK_REL(step_s(&plain, words), 41.25, 0.15);
    CHECK_REL(step_s(&plain_over, words), 31.31, 0.25);
    CHECK_REL(step_s(&hybrid, words), 24.71, 0.2);
    CHECK_REL(step_s(&hybrid_over, words), 21.07, 0.3);
}

/* The first forward and the last backward run beside nothing: the saving grows
 * with every micro-batch but the first. */
static void all_micro_batches_but_one_are_paired(void **state)
{
    double saved[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        p3d_problem problem = qwen("16xH100");

        problem.job.global_batch = i == 0 ? 32 : 128; /* 2 and 8 each */
        saved[i] = step_s(&problem, "dp=16,ep=16,mbs=1");
        problem.job.expert_overlap = true;
        saved[i] -= step_s(&problem, "dp=16,ep=16,mbs=1");
    }
    assert_true(saved[0] > 0);
    CHECK_REL(saved[1], 7 * saved[0], 1e-9);
}

/* While a backward frees the layers of one micro-batch, the forward beside it
 * fills those of the next: no more are alive than without. */
static void pairs_hold_no_micro_batch_more(void **state)
{
    p3d_problem problem = qwen("16xH200");
    const p3d_plan plan = problem_plan(&problem, "dp=16,ep=16,mbs=1");
    p3d_stage alone, paired;

    (void)state;
    alone = problem_stage(&problem, &plan, 0);
    problem.job.expert_overlap = true;
    paired = problem_stage(&problem, &plan, 0);
    CHECK_REL(paired.in_flight, alone.in_flight, 0);
}

static void check_refused(
        const p3d_problem *problem, const char *words, const char *rule)
{
    const p3d_plan plan = problem_plan(problem, words);
    p3d_estimate estimate;
    p3d_refusal refusal;

    assert_false(p3d_estimate_plan(problem, &plan, &estimate, &refusal));
    assert_string_equal(refusal.rule, rule);
}

static int kernels(const p3d_workload *list, const char *name)
{
    int n = 0;

    for (int i = 0; i < list->n_ops; i++)
        n += strcmp(list->ops[i].name, name) == 0 ? list->ops[i].n_kernels : 0;
    return n;
}

/* 8 of 128 experts on a rank: Transformer Engine calls cuBLAS for each, forward
 * and twice backward; torchtitan's grouped product is one kernel. */
static void experts_are_a_kernel_each_unless_grouped(void **state)
{
    const p3d_shard shard = {
            .tp = 1, .cp = 1, .ep = 16, .etp = 1, .micro_batch = 1};
    p3d_problem problem = qwen("16xH100");
    p3d_workload list;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    assert_int_equal(kernels(&list, "experts up"), 3 * 8);
    assert_int_equal(kernels(&list, "qkv projection"), 3);
    problem.job.framework = p3d_framework_find("fsdp2");
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    assert_int_equal(kernels(&list, "experts up"), 3);
}

/* Biases are added expert by expert: 2 kernels and 6 backward for each of 4,
 * and 2 for all. A graph of the step has them in the products. */
static void biases_are_added_expert_by_expert(void **state)
{
    const p3d_shard shard = {
            .tp = 1, .cp = 1, .ep = 8, .etp = 1, .micro_batch = 1};
    p3d_problem problem =
            problem_of("gpt-oss-20b", "8xH100", "megatron-core", 4096, 8);
    p3d_workload list;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    assert_int_equal(kernels(&list, "biases of the experts"), 10 + 26);
    problem.job.graphs = P3D_GRAPHS_STEP;
    p3d_workload_build(
            &problem.model, &problem.job, shard, P3D_LAYER_MOE, &list);
    assert_int_equal(kernels(&list, "biases of the experts"), 0);
}

/* Graphs of layers leave the experts to the host, one of the step nothing. */
static void graphs_take_launches_from_the_host(void **state)
{
    static const char words[] = "dp=16,ep=16,mbs=1";
    p3d_framework slow = *p3d_framework_find("megatron-core");
    p3d_problem problem = qwen("16xH100");
    double host_s[P3D_N_GRAPHS];

    (void)state;
    slow.host_s_per_kernel = slow.host_s_per_module = 1e-3;
    problem.job.framework = &slow;
    for (int i = 0; i < P3D_N_GRAPHS; i++) {
        problem.job.graphs = (p3d_graphs)i;
        host_s[i] = problem_estimate(&problem, words).time.host_s;
    }
    assert_true(host_s[P3D_GRAPHS_NONE] > host_s[P3D_GRAPHS_LAYERS]);
    assert_true(host_s[P3D_GRAPHS_LAYERS] > 0);
    assert_true(host_s[P3D_GRAPHS_STEP] == 0);
    problem.job.framework = p3d_framework_find("fsdp2");
    check_refused(&problem, words, "S7");
}

static double device_bytes(const p3d_problem *problem, const char *words)
{
    const p3d_plan plan = problem_plan(problem, words);
    const p3d_stage stage = problem_stage(problem, &plan, 0);

    return (double)stage.memory.context_bytes;
}

/* Qwen3 30B on two nodes: h = 2,048, 4,096 tokens, 8 experts of a rank.
 *
 * DeepEP: 10 channels of 8 peers x 288 slots and 2 x 2 nodes x 128 slots of
 * 2 h + 2,056 bytes.
 *
 * HybridEP: rows of 2 h + 4 x 8 x 8 + 4 h / 128 = 4,416 bytes for 16 x 4,096
 * tokens; over the network 4,416 + 4 x 8 x 8 bytes for each token, and three
 * rows for the other node. */
static void libraries_hold_buffers(void **state)
{
    static const char words[] = "dp=16,ep=16,mbs=1";
    p3d_problem problem = qwen("16xH100");
    const double without = device_bytes(&problem, words);

    (void)state;
    problem.job.dispatcher = P3D_DISPATCH_DEEPEP;
    CHECK_REL(device_bytes(&problem, words) - without,
            10 * (2 * 2048 + 2056) * (8 * 288 + 2 * 2 * 128.0), 1e-6);
    problem.job.dispatcher = P3D_DISPATCH_HYBRIDEP;
    CHECK_REL(device_bytes(&problem, words) - without,
            4096 * (16 * 4416 + 4416 + 256 + 3 * 4416.0), 1e-6);
}

static void what_does_not_overlap_is_refused(void **state)
{
    p3d_problem problem = qwen("16xH100");
    p3d_problem fsdp =
            problem_of("qwen3-30b-a3b", "16xH100", "fsdp2", 4096, 1024);

    (void)state;
    problem.job.expert_overlap = true;
    check_refused(&problem, "dp=8,pp=2,ep=8,mbs=1", "G5");
    (void)step_s(&problem, "dp=8,pp=2,vp=2,schedule=interleaved,ep=8,mbs=1");
    check_refused(&problem, "dp=16,ep=16,mbs=1,recompute=full", "G5");
    (void)step_s(&problem, "dp=16,ep=1,mbs=1,recompute=full");
    problem.job.dispatcher = P3D_DISPATCH_ALL_GATHER;
    check_refused(&problem, "dp=16,ep=16,mbs=1", "G5");
    fsdp.job.expert_overlap = true;
    check_refused(&fsdp, "dp=16,ep=16,mbs=1", "G5");
    fsdp.job.expert_overlap = false;
    fsdp.job.dispatcher = P3D_DISPATCH_ALL_GATHER;
    check_refused(&fsdp, "dp=16,ep=16,mbs=1", "S6");
    fsdp.job.dispatcher = P3D_DISPATCH_2DH;
    check_refused(&fsdp, "dp=16,ep=16,mbs=1", "S6");
    fsdp.job.dispatcher = P3D_DISPATCH_DEEPEP;
    (void)step_s(&fsdp, "dp=16,ep=16,mbs=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(even_routing_reaches_parts),
            cmocka_unit_test(chosen_groups_reach_fewer_nodes),
            cmocka_unit_test(a_dispatch_by_hand),
            cmocka_unit_test(published_kernels_on_h100),
            cmocka_unit_test(published_kernels_on_gb200),
            cmocka_unit_test(published_deepep_on_h100),
            cmocka_unit_test(each_dispatcher_sends_its_own_bytes),
            cmocka_unit_test(two_steps_by_hand),
            cmocka_unit_test(two_steps_send_rows),
            cmocka_unit_test(dispatchers_in_the_order_that_was_measured),
            cmocka_unit_test(all_micro_batches_but_one_are_paired),
            cmocka_unit_test(pairs_hold_no_micro_batch_more),
            cmocka_unit_test(experts_are_a_kernel_each_unless_grouped),
            cmocka_unit_test(biases_are_added_expert_by_expert),
            cmocka_unit_test(graphs_take_launches_from_the_host),
            cmocka_unit_test(libraries_hold_buffers),
            cmocka_unit_test(what_does_not_overlap_is_refused),
    };

    return cmocka_run_group_tests_name("dispatch", tests, NULL, NULL);
}
