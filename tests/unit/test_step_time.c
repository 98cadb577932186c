/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_time.c - a step put together from the seconds of its blocks. */
#include "problem.h"

#include <math.h>

#include "base/util.h"
#include "cost/time/step_time.h"

#include "cost/cost.h"

enum { N_RANKS = 4, LAYERS_PER_RANK = 8 };

static p3d_problem usual(const char *framework)
{
    return problem_of("llama-2-7b", "32xA100", framework, 4096, 32);
}

/** Seconds of one micro-batch on each rank of tp = 4, pp = 4, dp = 2, with
 *  `replayed` recomputed layers. */
static void rank_seconds(const p3d_problem *problem, const p3d_plan *plan,
        int replayed, double t[N_RANKS])
{
    p3d_blocks blocks;
    const p3d_block *layer = &blocks.block[0];
    const p3d_block *first = &blocks.block[P3D_BLOCK_EMBEDDING];
    const p3d_block *last = &blocks.block[P3D_BLOCK_HEAD];

    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    for (int rank = 0; rank < N_RANKS; rank++)
        t[rank] = LAYERS_PER_RANK * (p3d_time_step_s(&layer->forward) +
                                            p3d_time_step_s(&layer->backward)) +
                  replayed * p3d_time_step_s(&layer->forward);
    t[0] += p3d_time_step_s(&first->forward) +
            p3d_time_step_s(&first->backward);
    t[N_RANKS - 1] +=
            p3d_time_step_s(&last->forward) + p3d_time_step_s(&last->backward);
}

static double largest(const double t[N_RANKS])
{
    double most = 0;

    for (int rank = 0; rank < N_RANKS; rank++)
        most = fmax(most, t[rank]);
    return most;
}

/* 2 c (p v - 1) of delays, and 2 v m c where each pass waits for what the one
 * before sent: 14 and 78 crossings with p = 4, v = 2, m = 16. */
static void passes_that_wait_for_chunks_take_a_crossing_each(void **state)
{
    static const char plan[] = "tp=4,pp=4,zero=1,vp=2";
    p3d_problem problem = usual("megatron-2023");
    p3d_framework framework = *problem.job.framework;
    const p3d_estimate hidden = problem_estimate(&problem, plan);

    (void)state;
    framework.waits_for_chunks = true;
    problem.job.framework = &framework;
    CHECK_REL(problem_estimate(&problem, plan).time.pp_comm_s,
            hidden.time.pp_comm_s * 78 / 14, 1e-9);
    problem.job.framework = p3d_framework_find("megatron-2023");
    CHECK_REL(problem_estimate(&problem, "tp=4,pp=4,zero=1").time.pp_comm_s,
            hidden.time.pp_comm_s * 28 / 14, 1e-9);
}

static double step_with(const p3d_problem *problem, const char *plan)
{
    const p3d_estimate e = problem_estimate(problem, plan);

    return p3d_time_step_s(&e.time);
}

/* Sends that the schedule hides are not for free where the links are full: with
 * tp=8 a node is a stage, whose ranks have a card of 1 MB/s each. 16
 * micro-batches of 4,096 tokens of 4,096 16-bit values, an eighth a rank, go
 * forward and backward from each of v chunks; with two stages the first chunk
 * sends nothing back. */
static void no_step_is_shorter_than_what_its_links_take(void **state)
{
    static const struct {
        const char *plan;
        int messages, n_micro_batches;
    } rows[] = {{"tp=8,pp=4,zero=1,vp=2,sp", 4, 16},
            {"tp=8,pp=4,zero=1,vp=4,sp", 8, 16},
            {"tp=8,pp=2,dp=2,zero=1,vp=2,sp", 3, 8},
            {"tp=8,pp=4,zero=1,sp", 2, 16}, {"tp=8,pp=2,dp=2,zero=1,sp", 1, 8}};
    p3d_problem problem =
            problem_of("llama-2-7b", "32xA100", "megatron-core", 0, 16);
    const double bytes = 4096.0 * 4096 * 2 / 8;
    p3d_fabric *const f = &problem.cluster.fabric;

    (void)state;
    f->nic_bytes_per_s_one_way = 1e6;
    f->p2p_frac = f->all_reduce_frac = f->all_gather_frac = 1;
    problem.job.dp_overlap = P3D_OVERLAP_OFF;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const double wire_s =
                rows[i].messages * rows[i].n_micro_batches * bytes / 1e6;
        const p3d_plan plan = problem_plan(&problem, rows[i].plan);

        CHECK_REL(rows[i].n_micro_batches * cost_sends_s(&problem, &plan),
                wire_s, 1e-9);
        assert_true(step_with(&problem, rows[i].plan) >= wire_s * (1 - 1e-12));
    }
    CHECK_REL(step_with(&problem, rows[0].plan), 4 * 16 * bytes / 1e6, 1e-9);
}

/* arXiv:2104.04473 section 2.2: m t_max and the bubble of the others. */
static void a_step_is_the_slowest_rank_and_the_bubble(void **state)
{
    static const char *const words[] = {"tp=4,pp=4,zero=1",
            "tp=4,pp=4,zero=1,recompute=full",
            "tp=4,pp=4,zero=1,recompute=full:3", "tp=4,pp=4,zero=1,vp=2"};
    static const int replayed[] = {0, 8, 3, 0};
    const p3d_problem problem = usual("megatron-core");

    (void)state;
    for (int i = 0; i < 4; i++) {
        const p3d_estimate e = problem_estimate(&problem, words[i]);
        const p3d_time *t = &e.time;
        double ranks[N_RANKS];
        double sum = 0;

        rank_seconds(&problem, &e.plan, replayed[i], ranks);
        for (int rank = 0; rank < N_RANKS; rank++)
            sum += ranks[rank];
        /* 32 sequences over dp = 2: 16 micro-batches. */
        assert_int_equal(e.n_micro_batches, 16);
        CHECK_REL(t->gemm_s + t->attention_s + t->memory_pass_s +
                          t->recompute_s + t->host_s + t->tp_comm_s +
                          t->cp_comm_s + t->ep_comm_s,
                16 * largest(ranks), 1e-9);
        CHECK_REL(t->pp_bubble_s, (sum - largest(ranks)) / e.plan.vp, 1e-9);
        assert_true(t->fixed_s == 3e-3);
    }
}

static void the_head_makes_the_last_rank_the_slowest(void **state)
{
    const p3d_problem problem = usual("megatron-core");
    const p3d_plan plan = problem_plan(&problem, "tp=4,pp=4,zero=1");
    double ranks[N_RANKS];

    (void)state;
    rank_seconds(&problem, &plan, 0, ranks);
    assert_true(ranks[N_RANKS - 1] == largest(ranks));
    assert_true(ranks[0] > ranks[1] && ranks[1] == ranks[2]);
}

/* DeepSeek-V3 on two ranks that scatter gradients each micro-batch: the first
 * has three layers without experts and so fewer parameters, the second the
 * head. Whatever rank computes longer, the step waits for the one that has more
 * to send: recomputing the scores must not make the step shorter. */
static void the_rank_that_sends_most_is_waited_for(void **state)
{
    p3d_problem problem =
            problem_of("deepseek-v3", "512xH800", "fsdp2", 4096, 4096);
    p3d_estimate none, selective;

    (void)state;
    problem.job.attention = P3D_EAGER;
    none = problem_estimate(&problem, "pp=2,mbs=2,zero=2");
    selective =
            problem_estimate(&problem, "pp=2,mbs=2,zero=2,recompute=selective");
    assert_true(
            p3d_time_step_s(&selective.time) >= p3d_time_step_s(&none.time));
}

/* What a kernel of its own that adds gradients costs, with so many bytes per
 * parameter of the slowest rank and micro-batch at 0.8 x 2.039 TB/s. */
static void check_gradient_pass(
        p3d_dtype dtype, const char *words, double parameter_bytes)
{
    p3d_problem problem = usual("deepspeed");
    p3d_framework without = *problem.job.framework;
    p3d_problem other;
    p3d_estimate a, b;
    p3d_stage last;

    problem.job.dtype = dtype;
    other = problem;
    without.wgrad_pass_bytes = 0;
    other.job.framework = &without;
    a = problem_estimate(&problem, words);
    b = problem_estimate(&other, words);
    last = problem_stage(&problem, &a.plan, a.plan.pp - 1);
    CHECK_REL(a.time.memory_pass_s - b.time.memory_pass_s,
            (double)p3d_plan_n_micro_batches(&a.plan, &problem.job) *
                    (parameter_bytes * (double)last.params.dense /
                                    (0.8 * 2.039e12) +
                            4e-6),
            1e-6);
}

/* Pipelines cast a gradient to fp32 (6), and add that (12). */
static void deepspeed_adds_gradients_in_a_pass(void **state)
{
    (void)state;
    check_gradient_pass(P3D_BF16, "tp=4,zero=1", 10);
    check_gradient_pass(P3D_BF16, "tp=4,pp=4,zero=1", 18);
}

/* In place, 6 bytes, not as fp32 ones. */
static void fp16_gradients_are_added_in_their_own_type(void **state)
{
    (void)state;
    check_gradient_pass(P3D_FP16, "tp=4,pp=4,zero=1", 6);
}

/* The mean of the largest of 32 normal values is 2.0697 (tables of order
 * statistics); GPUs spread by 8 % / 5.4 (arXiv:2208.11035). Blom's form is
 * within 1 %. */
static void a_step_waits_for_the_slowest_gpu(void **state)
{
    const p3d_problem problem = usual("megatron-core");
    const p3d_problem alone =
            problem_of("pythia-70m", "1xH100", "megatron-core", 512, 1);
    const p3d_estimate e = problem_estimate(&problem, "tp=4,pp=4,zero=1");
    const p3d_time *t = &e.time;

    (void)state;
    CHECK_REL(t->straggler_s,
            0.08 / 5.4 * 2.0697 *
                    (t->gemm_s + t->attention_s + t->recompute_s +
                            t->pp_bubble_s),
            0.01);
    assert_true(problem_estimate(&alone, "zero=0").time.straggler_s == 0);
}

/* 0.3 s every fifth step, twice as much on a host that is half as fast. */
static void collections_of_garbage_take_part_in_each_step(void **state)
{
    p3d_problem problem = usual("megatron-core");
    const double none_s =
            problem_estimate(&problem, "tp=4,pp=4,zero=1").time.fixed_s;

    (void)state;
    problem.job.gc_interval = 5;
    CHECK_REL(problem_estimate(&problem, "tp=4,pp=4,zero=1").time.fixed_s,
            none_s + 0.06, 1e-12);
    problem.cluster.node.host_time_factor = 2;
    CHECK_REL(problem_estimate(&problem, "tp=4,pp=4,zero=1").time.fixed_s,
            none_s + 0.12, 1e-12);
}

/** A product of 4,096 tokens, how much of a collective beside it waits, and how
 *  many multiprocessors it takes. */
typedef struct companion {
    double piece;
    int n_taken_sms;
    int64_t n, k;
} companion;

/** What shows of a collective of 2 B x 4,096 x 4,096 over tp = 8. */
static double beside(const p3d_problem *problem, const p3d_plan *plan,
        p3d_collective op, companion with)
{
    cost_transfer sent = cost_send(&problem->cluster, op,
            cost_place(&problem->cluster, plan, P3D_AXIS_TP), 33554432);
    const double waits_s = with.piece * sent.transfer_s;

    sent.transfer_s *= 1 - with.piece;
    sent.link_s *= 1 - with.piece;
    sent.n_taken_sms = with.n_taken_sms;
    return waits_s + cost_exposed_s(&problem->cluster, sent,
                             cost_gemm_s(&problem->cluster, P3D_BF16,
                                     (cost_product){4096, with.n, with.k, 1}));
}

/* User buffers: beside the products of QKV (3 x 4096 / 8 wide), output (512),
 * gate and up (2 x 11008 / 8) and down (1376) all but the first of 8 pieces of
 * a ring, with one multiprocessor, and the last of 4 chunks of a scatter, with
 * 16. */
static void pieces_of_tensor_parallelism_hide_behind_products(void **state)
{
    p3d_problem problem = usual("megatron-core");
    const p3d_plan plan = problem_plan(&problem, "tp=8,zero=1");
    const p3d_problem *p = &problem;
    p3d_blocks blocks;

    (void)state;
    problem.job.tp_overlap = true;
    p3d_blocks_build(&problem, p3d_plan_shard(&plan), &blocks);
    CHECK_REL(blocks.block[0].forward.tp_comm_s,
            beside(p, &plan, P3D_ALL_GATHER,
                    (companion){0.125, 1, 1536, 4096}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0.25, 16, 4096, 512}) +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0.125, 1, 2752, 4096}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0.25, 16, 4096, 1376}),
            1e-12);
    CHECK_REL(blocks.block[0].backward.tp_comm_s,
            beside(p, &plan, P3D_ALL_GATHER, (companion){0.125, 1, 4096, 512}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0, 16, 1536, 4096}) +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0, 16, 1536, 4096}) +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0.125, 1, 4096, 1376}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0, 16, 2752, 4096}) +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0, 16, 2752, 4096}),
            1e-12);
}

/* PyTorch's: pieces in both directions, as much of which shows as of NCCL's;
 * the input is kept. */
static void compiled_pieces_go_both_ways(void **state)
{
    p3d_problem problem = usual("fsdp2");
    const p3d_plan plan = problem_plan(&problem, "tp=8,zero=3,sp");
    const p3d_problem *p = &problem;
    p3d_blocks blocks;

    (void)state;
    problem.job.tp_overlap = true;
    p3d_blocks_build(&problem, p3d_plan_shard(&plan), &blocks);
    CHECK_REL(blocks.block[0].backward.tp_comm_s,
            beside(p, &plan, P3D_ALL_GATHER, (companion){0.125, 0, 4096, 512}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0.125, 0, 1536, 4096}) +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0.125, 0, 4096, 1376}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0.125, 0, 2752, 4096}),
            1e-12);
}

/* 16 of 108 multiprocessors are 0.148 of a product's rate; NCCL's transfers
 * cost half of what their bytes take over NVLink: half of all of it there, a
 * tenth over a network that is five times as slow. */
static void what_is_hidden_slows_the_work(void **state)
{
    const p3d_problem problem = usual("megatron-core");
    const p3d_cluster *c = &problem.cluster;
    const double frac = 16.0 / c->gpu.n_sms;

    (void)state;
    CHECK_REL(frac, 0.148, 0.01);
    CHECK_REL(cost_exposed_s(c, (cost_transfer){1, 1, 16}, 2), frac, 1e-12);
    CHECK_REL(cost_exposed_s(c, (cost_transfer){3, 3, 16}, 2), 1 + 2 * frac,
            1e-12);
    CHECK_REL(cost_exposed_s(c, (cost_transfer){1, 1, 0}, 2), 0.5, 1e-12);
    CHECK_REL(cost_exposed_s(c, (cost_transfer){1, 0.2, 0}, 2), 0.1, 1e-12);
    CHECK_REL(cost_exposed_s(c, (cost_transfer){4, 0.8, 0}, 2), 2.2, 1e-12);
    assert_true(cost_exposed_s(c, (cost_transfer){0, 0, 0}, 2) == 0);
}

/* arXiv:2006.09503 section 3.1: no flush, so no bubble, and two versions of the
 * weights. */
static void late_weights_cost_memory_instead_of_a_bubble(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "generic", 2048, 64);
    const char *const words = "pp=8,zero=0,schedule=2bw";
    p3d_plan plan = problem_plan(&problem, words);
    p3d_estimate flush, late;
    p3d_stage one, two;

    (void)state;
    problem.job.asynchronous = true;
    flush = problem_estimate(&problem, "pp=8,zero=0");
    late = problem_estimate(&problem, words);
    assert_true(flush.time.pp_bubble_s > 0);
    assert_true(late.time.pp_bubble_s == 0);
    CHECK_REL(late.time.gemm_s, flush.time.gemm_s, 1e-12);
    two = problem_stage(&problem, &plan, 3);
    plan.schedule = P3D_1F1B;
    one = problem_stage(&problem, &plan, 3);
    CHECK_REL((double)two.memory.weights_bytes,
            2 * (double)one.memory.weights_bytes, 1e-9);
    CHECK_REL(two.in_flight, one.in_flight, 0);
}

/* arXiv:1806.03377 section 3.3: stage s of p keeps p - s versions, as many as
 * micro-batches are in flight; each is followed by an update and a
 * reduction. */
static void stashed_weights_are_updated_by_each_micro_batch(void **state)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "generic", 2048, 64);
    const char *const words = "pp=4,zero=0,schedule=pipedream";
    p3d_plan plan = problem_plan(&problem, words);
    p3d_plan flush = problem_plan(&problem, "pp=4,zero=0");
    const double m = 32; /* 64 sequences on two replicas */
    p3d_estimate e, once;

    (void)state;
    problem.job.asynchronous = true;
    e = problem_estimate(&problem, words);
    once = problem_estimate(&problem, "pp=4,zero=0");
    assert_true(e.time.pp_bubble_s == 0);
    assert_true(once.time.dp_comm_s > 0 && once.time.optimizer_s > 0);
    for (int s = 0; s < 4; s++) {
        const p3d_stage one = problem_stage(&problem, &flush, s);
        const p3d_stage all = problem_stage(&problem, &plan, s);

        CHECK_REL((double)all.memory.weights_bytes,
                (4 - s) * (double)one.memory.weights_bytes, 1e-9);
        assert_int_equal(
                all.memory.optimizer_bytes, one.memory.optimizer_bytes);
        CHECK_REL(all.in_flight, one.in_flight, 0);
    }
    assert_true(e.time.optimizer_s > 0.9 * m * once.time.optimizer_s);
    assert_true(e.time.dp_comm_s > once.time.dp_comm_s);
}

/* nanotron communicates beside products with sequence parallelism alone. */
static void nanotron_overlaps_sequence_parallelism_alone(void **state)
{
    const p3d_problem problem = usual("nanotron");
    const char *const words[] = {"tp=8,nosp,zero=1", "tp=8,zero=1"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const p3d_shard shard = p3d_plan_shard(&(p3d_plan){.tp = 8,
                .cp = 1,
                .ep = 1,
                .etp = 8,
                .micro_batch = 1,
                .sequence_parallel =
                        problem_plan(&problem, words[i]).sequence_parallel});
        p3d_workload list;
        int n_beside = 0;

        p3d_workload_build(&problem.model, &problem.job, shard, 0, &list);
        for (int j = 0; j < list.n_ops; j++)
            n_beside += list.ops[j].kind == P3D_OP_COLLECTIVE &&
                        list.ops[j].phase == P3D_BACKWARD && list.ops[j].k > 0;
        assert_int_equal(n_beside > 0, i);
    }
}

/* Without sequence parallelism DeepSpeed sends an eighth from each of 8 ranks
 * and gathers it on the other side; Megatron-Core sends all of it. */
static void a_boundary_is_sent_in_shares(void **state)
{
    const p3d_problem whole = usual("megatron-core");
    const p3d_problem shares = usual("deepspeed");
    const p3d_plan plan = problem_plan(&whole, "tp=8,pp=4,nosp,zero=1");
    const cost_group next = cost_place(&whole.cluster, &plan, P3D_AXIS_PP);
    const double bytes = 2 * 4096.0 * 4096;
    const double gather = cost_collective_s(&whole.cluster, P3D_ALL_GATHER,
            cost_place(&whole.cluster, &plan, P3D_AXIS_TP), bytes);
    const double a =
            problem_estimate(&whole, "tp=8,pp=4,nosp,zero=1").time.pp_comm_s;
    const double b =
            problem_estimate(&shares, "tp=8,pp=4,nosp,zero=1").time.pp_comm_s;

    (void)state;
    CHECK_REL(b / a,
            (cost_p2p_s(&whole.cluster, next, bytes / 8) + gather) /
                    cost_p2p_s(&whole.cluster, next, bytes),
            1e-9);
}

/* 13 us of host time a kernel: a model this small waits for its launches. */
static void small_layers_wait_for_the_host(void **state)
{
    const p3d_problem small =
            problem_of("pythia-70m", "1xH100", "megatron-core", 512, 1);
    const p3d_problem large =
            problem_of("llama-2-70b", "8xH100", "megatron-core", 4096, 8);
    const p3d_estimate waits = problem_estimate(&small, "zero=0");
    const p3d_estimate works = problem_estimate(&large, "tp=8,zero=0");

    (void)state;
    assert_true(waits.time.host_s > 0);
    assert_true(works.time.host_s == 0);
}

/* The core alone is run again, with fused attention its forward kernel: F / (P
 * e) with ramps, as in its own test. */
static void selective_recomputation_repeats_the_core(void **state)
{
    const p3d_problem problem = usual("megatron-core");
    const p3d_estimate e =
            problem_estimate(&problem, "tp=4,pp=4,zero=1,recompute=selective");
    p3d_workload list;
    double core = 0;

    (void)state;
    p3d_workload_build(
            &problem.model, &problem.job, p3d_plan_shard(&e.plan), 0, &list);
    for (int i = 0; i < list.n_ops; i++) {
        if (list.ops[i].kind == P3D_OP_ATTENTION &&
                list.ops[i].phase == P3D_FORWARD)
            core += cost_attention_s(&problem.cluster, P3D_BF16, &list.ops[i]);
    }
    CHECK_REL(e.time.recompute_s, 16 * LAYERS_PER_RANK * core, 1e-9);
}

/* The ring hides behind (c - 1) / c of the attention: at 128 Ki tokens all of
 * it on NVLink; at 2 Ki tokens between nodes it shows. */
static void a_ring_hides_behind_long_attention(void **state)
{
    const p3d_problem longer =
            problem_of("llama-3-8b", "8xH100", "megatron-core", 131072, 1);
    const p3d_problem shorter =
            problem_of("llama-3-8b", "64xH100", "megatron-core", 2048, 8);
    const p3d_estimate hidden = problem_estimate(&longer, "cp=8,zero=1");
    const p3d_estimate shown = problem_estimate(&shorter, "tp=8,cp=8,zero=1");

    (void)state;
    assert_true(hidden.time.cp_comm_s == 0);
    assert_true(shown.time.cp_comm_s > 0);
}

/** Seconds of one collective over an axis of a plan. */
static double collective(const p3d_problem *problem, const p3d_plan *plan,
        p3d_collective op, p3d_axis axis, double bytes)
{
    return cost_collective_s(&problem->cluster, op,
            cost_place(&problem->cluster, plan, axis), bytes);
}

/* Two gathers and scatters of 2 B x 4,096 x 4,096 each way; backward the input
 * is gathered again, and that and its gradient's scatter run beside products of
 * QKV and MLP (Megatron-LM layers.py). torchtitan keeps the gathered input and
 * waits for everything; DeepSpeed waits for two all-reduces each way. */
static void tensor_parallelism_hides_in_backward_alone(void **state)
{
    const p3d_problem problem = usual("megatron-core");
    const p3d_problem titan = usual("fsdp2");
    const p3d_problem plain = usual("deepspeed");
    const p3d_plan plan = problem_plan(&problem, "tp=8,zero=1");
    const p3d_plan whole = problem_plan(&problem, "tp=8,zero=1,nosp");
    const p3d_problem *p = &problem;
    const double gather =
            collective(&problem, &plan, P3D_ALL_GATHER, P3D_AXIS_TP, 33554432);
    const double scatter = collective(
            &problem, &plan, P3D_REDUCE_SCATTER, P3D_AXIS_TP, 33554432);
    const double reduce =
            collective(&problem, &plan, P3D_ALL_REDUCE, P3D_AXIS_TP, 33554432);
    p3d_blocks blocks;

    (void)state;
    p3d_blocks_build(&problem, p3d_plan_shard(&plan), &blocks);
    CHECK_REL(blocks.block[0].forward.tp_comm_s, 2 * (gather + scatter), 1e-12);
    CHECK_REL(blocks.block[0].backward.tp_comm_s,
            2 * gather +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0, 0, 1536, 4096}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0, 0, 1536, 4096}) +
                    beside(p, &plan, P3D_ALL_GATHER,
                            (companion){0, 0, 2752, 4096}) +
                    beside(p, &plan, P3D_REDUCE_SCATTER,
                            (companion){0, 0, 2752, 4096}),
            1e-12);
    p3d_blocks_build(&problem, p3d_plan_shard(&whole), &blocks);
    CHECK_REL(blocks.block[0].backward.tp_comm_s,
            beside(p, &plan, P3D_ALL_REDUCE, (companion){0, 0, 1536, 4096}) +
                    beside(p, &plan, P3D_ALL_REDUCE,
                            (companion){0, 0, 2752, 4096}),
            1e-12);
    p3d_blocks_build(&titan, p3d_plan_shard(&plan), &blocks);
    CHECK_REL(
            blocks.block[0].backward.tp_comm_s, 2 * (gather + scatter), 1e-12);
    p3d_blocks_build(&plain, p3d_plan_shard(&whole), &blocks);
    CHECK_REL(blocks.block[0].forward.tp_comm_s, 2 * reduce, 1e-12);
    CHECK_REL(blocks.block[0].backward.tp_comm_s, 2 * reduce, 1e-12);
}

/* Keys and values of one head group: 2 B x 2,048 x 2 x 128. */
static void a_ring_shows_what_attention_does_not_hide(void **state)
{
    const p3d_problem problem =
            problem_of("llama-3-8b", "64xH100", "megatron-core", 2048, 8);
    const p3d_plan plan = problem_plan(&problem, "tp=8,cp=8,zero=1");
    const double ring =
            collective(&problem, &plan, P3D_ALL_GATHER, P3D_AXIS_CP, 1048576);
    p3d_blocks blocks;
    const p3d_time *forward = &blocks.block[0].forward;

    (void)state;
    p3d_blocks_build(&problem, p3d_plan_shard(&plan), &blocks);
    CHECK_REL(forward->cp_comm_s, ring - forward->attention_s * 7 / 8, 1e-9);
    assert_true(forward->cp_comm_s > 0);
}

/* FSDP2 casts what it gathers twice per micro-batch: 2 x 6 B per parameter. */
static void gathered_weights_cost_a_pass(void **state)
{
    const p3d_problem problem = usual("fsdp2");
    p3d_framework without = *problem.job.framework;
    p3d_problem other = problem;
    p3d_estimate a, b;

    (void)state;
    without.gather_pass_bytes = 0;
    other.job.framework = &without;
    a = problem_estimate(&problem, "zero=3");
    b = problem_estimate(&other, "zero=3");
    CHECK_REL(a.time.memory_pass_s - b.time.memory_pass_s,
            12 * 6738415616.0 / (0.8 * 2.039e12) + 4e-6, 1e-6);
}

/* The sums of ranks, less those of the slowest, round to less than nothing. */
static void no_term_is_negative(void **state)
{
    static const char *const models[] = {
            "deepseek-v2-lite", "mixtral-8x7b", "qwen3-30b-a3b"};
    static const int batches[] = {1, 2, 3, 5, 6, 7};

    (void)state;
    for (int i = 0; i < 18; i++) {
        p3d_problem problem = problem_of(models[i % 3], "8xRTX-A6000-48GB",
                "megatron-core", 512, 8 * batches[i / 3]);
        p3d_estimate e;

        problem.job.expert_overlap = true;
        e = problem_estimate(&problem, "ep=8,mbs=1,zero=1");
        assert_true(e.time.pp_bubble_s == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(passes_that_wait_for_chunks_take_a_crossing_each),
            cmocka_unit_test(no_step_is_shorter_than_what_its_links_take),
            cmocka_unit_test(a_step_is_the_slowest_rank_and_the_bubble),
            cmocka_unit_test(the_head_makes_the_last_rank_the_slowest),
            cmocka_unit_test(the_rank_that_sends_most_is_waited_for),
            cmocka_unit_test(deepspeed_adds_gradients_in_a_pass),
            cmocka_unit_test(fp16_gradients_are_added_in_their_own_type),
            cmocka_unit_test(a_step_waits_for_the_slowest_gpu),
            cmocka_unit_test(collections_of_garbage_take_part_in_each_step),
            cmocka_unit_test(pieces_of_tensor_parallelism_hide_behind_products),
            cmocka_unit_test(compiled_pieces_go_both_ways),
            cmocka_unit_test(what_is_hidden_slows_the_work),
            cmocka_unit_test(late_weights_cost_memory_instead_of_a_bubble),
            cmocka_unit_test(stashed_weights_are_updated_by_each_micro_batch),
            cmocka_unit_test(nanotron_overlaps_sequence_parallelism_alone),
            cmocka_unit_test(a_boundary_is_sent_in_shares),
            cmocka_unit_test(tensor_parallelism_hides_in_backward_alone),
            cmocka_unit_test(a_ring_shows_what_attention_does_not_hide),
            cmocka_unit_test(gathered_weights_cost_a_pass),
            cmocka_unit_test(small_layers_wait_for_the_host),
            cmocka_unit_test(no_term_is_negative),
            cmocka_unit_test(selective_recomputation_repeats_the_core),
            cmocka_unit_test(a_ring_hides_behind_long_attention),
    };

    return cmocka_run_group_tests_name("step time", tests, NULL, NULL);
}
