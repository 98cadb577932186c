/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_data_parallel.c - what sharing gradients, weights and states costs. */
#include "problem.h"

#include "cost/cost.h"

/** All are trained. */
#define ALL(params) ((cost_shared){(params), (params), {0, 0}})

/* 1e9 dense parameters, tp = 8: eight replicas, each on a node of its own. */
static const p3d_params params = {.dense = 1000000000};

static p3d_problem usual(const char *framework)
{
    return problem_of("llama-2-7b", "64xA100", framework, 4096, 64);
}

/** One collective of the eight replicas. */
static cost_transfer sent(
        const p3d_problem *problem, p3d_collective op, double bytes)
{
    const cost_group group = {.n_ranks = 8,
            .n_nodes = 8,
            .ranks_per_node = 1,
            .nic_bytes_per_s_one_way = 25e9};

    return cost_send(&problem->cluster, op, group, bytes);
}

/** Seconds of n of them, each of an n-th of the bytes. */
static double collective(
        const p3d_problem *problem, p3d_collective op, double bytes, int n)
{
    return n * sent(problem, op, bytes / n).transfer_s;
}

/** What shows of n of them beside endless work: half of what their bytes take
 *  over NVLink, and one of them as a whole; 0 = parts that all have work. */
static double hidden(
        const p3d_problem *problem, p3d_collective op, double bytes, int n)
{
    const cost_transfer each = sent(problem, op, n == 0 ? bytes : bytes / n);

    return n == 0 ? 0.5 * each.link_s
                  : each.transfer_s + 0.5 * (n - 1) * each.link_s;
}

static double exposed(const p3d_problem *problem, int zero, double forward_s,
        double backward_s, int64_t m)
{
    p3d_plan plan = problem_plan(problem, "tp=8");

    plan.zero = zero;
    return cost_dp_exposed_s(problem, &plan, ALL(params),
            (cost_pass_time){forward_s, backward_s}, m);
}

/* Gradients in 4 bytes, weights in 2, 1e9 gradients in two buckets of 5e8, 32
 * layers; ZeRO-2 scatters each micro-batch, ZeRO-3 gathers twice as well
 * (arXiv:1910.02054 section 7). */
static void without_overlap_all_of_it_shows(void **state)
{
    p3d_problem problem = usual("deepspeed");
    const p3d_problem *p = &problem;
    const double reduce = collective(p, P3D_ALL_REDUCE, 4e9, 2);
    const double scatter = collective(p, P3D_REDUCE_SCATTER, 4e9, 2);
    const double gather = collective(p, P3D_ALL_GATHER, 2e9, 1);

    (void)state;
    problem.job.dp_overlap = P3D_OVERLAP_OFF;
    CHECK_REL(exposed(p, 0, 1, 2, 5), reduce, 1e-12);
    CHECK_REL(exposed(p, 1, 1, 2, 5), scatter + gather, 1e-12);
    CHECK_REL(exposed(p, 2, 1, 2, 5), 5 * scatter + gather, 1e-12);
    CHECK_REL(exposed(p, 3, 1, 2, 5),
            5 * (collective(p, P3D_REDUCE_SCATTER, 4e9, 32) +
                        2 * collective(p, P3D_ALL_GATHER, 2e9, 32)),
            1e-12);
}

/* By default DeepSpeed hides nothing but stage 3, under Transformers with
 * 16-bit gradients on the wire. */
static void deepspeed_overlaps_stage_3_alone(void **state)
{
    const p3d_problem problem = usual("deepspeed-hf");
    const p3d_problem *p = &problem;

    (void)state;
    CHECK_REL(exposed(p, 2, 1e3, 1e3, 1),
            collective(p, P3D_REDUCE_SCATTER, 2e9, 2) +
                    collective(p, P3D_ALL_GATHER, 2e9, 1),
            1e-12);
    CHECK_REL(exposed(p, 3, 1e3, 1e3, 1),
            hidden(p, P3D_REDUCE_SCATTER, 2e9, 32) +
                    2 * hidden(p, P3D_ALL_GATHER, 2e9, 32),
            1e-12);
}

/* PyTorch's pipelines reduce once, after the last micro-batch and beside
 * nothing; with ZeRO 3 they gather for each pass as before. */
static void a_pipeline_may_reduce_once(void **state)
{
    p3d_problem problem = usual("fsdp2");
    const p3d_problem *p = &problem;
    const cost_pass_time endless = {1e3, 1e3};
    p3d_plan plan = problem_plan(p, "tp=2,pp=4,zero=2");
    double once_s, off_s;

    (void)state;
    once_s = cost_dp_exposed_s(p, &plan, ALL(params), endless, 1);
    CHECK_REL(cost_dp_exposed_s(p, &plan, ALL(params), endless, 16), once_s,
            1e-12);
    plan.zero = 3;
    once_s = cost_dp_exposed_s(p, &plan, ALL(params), endless, 1);
    assert_true(cost_dp_exposed_s(p, &plan, ALL(params), endless, 16) > once_s);
    problem.job.dp_overlap = P3D_OVERLAP_OFF;
    plan.zero = 2;
    off_s = cost_dp_exposed_s(p, &plan, ALL(params), endless, 16);
    problem.job.framework = p3d_framework_find("generic");
    assert_true(
            cost_dp_exposed_s(p, &plan, ALL(params), endless, 16) > 8 * off_s);
}

/* overlap_comm: all but the last bucket of a backward pass is reduced beside
 * it, weights are gathered after the step as before; a pipeline switches it
 * off (DeepSpeed@edaa7221 runtime/zero/stage_1_and_2.py:1350-1363,
 * runtime/engine.py:2391). */
static void overlap_comm_hides_all_buckets_but_one(void **state)
{
    p3d_problem problem = usual("deepspeed");
    const p3d_problem *p = &problem;
    p3d_plan pipeline = problem_plan(p, "tp=2,pp=4,zero=1");
    const double gather = collective(p, P3D_ALL_GATHER, 2e9, 1);
    double off_s;

    (void)state;
    off_s = cost_dp_exposed_s(
            p, &pipeline, ALL(params), (cost_pass_time){1, 1}, 8);
    problem.job.dp_overlap = P3D_OVERLAP_ON;
    CHECK_REL(exposed(p, 1, 1e3, 1e3, 5),
            hidden(p, P3D_REDUCE_SCATTER, 4e9, 2) + gather, 1e-12);
    CHECK_REL(exposed(p, 2, 1e3, 1e3, 5),
            5 * hidden(p, P3D_REDUCE_SCATTER, 4e9, 2) + gather, 1e-12);
    assert_true(cost_dp_exposed_s(p, &pipeline, ALL(params),
                        (cost_pass_time){1, 1}, 8) == off_s);
}

/* nanotron: DDP's hooks run beside the backward pass, in buckets of 25 MiB of
 * 16-bit gradients, 76.3 of them; where the optimizer is shared, gradients are
 * added up after it, and weights gathered. */
static void nanotron_overlaps_without_shared_states_alone(void **state)
{
    const p3d_problem problem = usual("nanotron");
    const p3d_problem *p = &problem;
    const double n = 1e9 / (25 * 1024 * 1024 / 2.0);
    const cost_transfer each = sent(p, P3D_ALL_REDUCE, 4e9 / n);

    (void)state;
    CHECK_REL(exposed(p, 0, 1, 1e3, 5),
            each.transfer_s + 0.5 * (n - 1) * each.link_s, 1e-12);
    CHECK_REL(exposed(p, 1, 1e3, 1e3, 5),
            n * each.transfer_s + collective(p, P3D_ALL_GATHER, 2e9, 1), 1e-12);
}

/* InternEvo adds up 16-bit gradients on all replicas, beside the backward pass,
 * in buckets of 512 Mi, and hands out the weights after the step, beside
 * nothing. */
static void internevo_reduces_whole_gradients(void **state)
{
    const p3d_problem problem = usual("internevo");
    const p3d_problem *p = &problem;
    const double n = 1e9 / (512 * 1024 * 1024.0);
    const cost_transfer each = sent(p, P3D_ALL_REDUCE, 2e9 / n);
    const double reduce = each.transfer_s + 0.5 * (n - 1) * each.link_s;

    (void)state;
    CHECK_REL(exposed(p, 1, 1, 100, 5),
            reduce + collective(p, P3D_ALL_GATHER, 2e9, 1), 1e-12);
    CHECK_REL(exposed(p, 0, 1, 100, 5), reduce, 1e-12);
}

/* Buckets of 40 million gradients; what is longer than the work shows. */
static void with_overlap_work_hides_it(void **state)
{
    const p3d_problem problem = usual("megatron-core");
    const p3d_problem *p = &problem;
    const double reduce = collective(p, P3D_ALL_REDUCE, 4e9, 25);
    const cost_transfer each = sent(p, P3D_ALL_REDUCE, 4e9 / 25);
    const double gather = hidden(p, P3D_ALL_GATHER, 2e9, 0);

    (void)state;
    CHECK_REL(exposed(p, 0, 10, 10, 5), hidden(p, P3D_ALL_REDUCE, 4e9, 25),
            1e-12);
    /* Half as much work as there is to send of the first 24. */
    CHECK_REL(exposed(p, 0, 10, reduce / 2, 5),
            each.transfer_s + 12 * each.transfer_s + 12 * 0.5 * each.link_s,
            1e-12);
    CHECK_REL(exposed(p, 0, 10, 0, 5), reduce, 1e-12);
    CHECK_REL(exposed(p, 1, 10, 10, 5),
            hidden(p, P3D_REDUCE_SCATTER, 4e9, 25) + gather, 1e-12);
    CHECK_REL(exposed(p, 1, 0, 10, 5),
            hidden(p, P3D_REDUCE_SCATTER, 4e9, 25) +
                    collective(p, P3D_ALL_GATHER, 2e9, 1),
            1e-12);
    CHECK_REL(exposed(p, 3, 10, 10, 5),
            5 * (hidden(p, P3D_REDUCE_SCATTER, 4e9, 32) +
                        2 * hidden(p, P3D_ALL_GATHER, 2e9, 32)),
            1e-12);
}

/* 16-bit gradients on the wire where that is asked, or where they are added up
 * so; weights in fp8 are gathered as a byte each. */
static void types_decide_the_bytes(void **state)
{
    p3d_problem problem = usual("megatron-core");
    const p3d_problem *p = &problem;
    const double narrow = hidden(p, P3D_ALL_REDUCE, 2e9, 25);

    (void)state;
    problem.job.reduce_dtype = P3D_STATE_IN_16;
    CHECK_REL(exposed(p, 0, 10, 10, 5), narrow, 1e-12);
    problem.job.reduce_dtype = P3D_STATE_USUAL;
    problem.job.gradient_dtype = P3D_STATE_IN_16;
    CHECK_REL(exposed(p, 0, 10, 10, 5), narrow, 1e-12);
    problem.job.gradient_dtype = P3D_STATE_USUAL;
    problem.job.dtype = P3D_FP16;
    CHECK_REL(exposed(p, 0, 10, 10, 5), narrow, 1e-12);
    problem.job.reduce_dtype = P3D_STATE_IN_FP32;
    problem.job.dtype = P3D_FP8;
    CHECK_REL(exposed(p, 1, 10, 10, 5),
            hidden(p, P3D_REDUCE_SCATTER, 4e9, 25) +
                    hidden(p, P3D_ALL_GATHER, 1e9, 0),
            1e-12);
}

/* States shared by 4 of 8 replicas: each quarter of the gradients is added up
 * over both groups, layer by layer: beside the backward pass with FSDP, whose
 * all-reduce has a stream of its own, but for the last layer; DeepSpeed does so
 * at the end of the last micro-batch alone, beside nothing (MiCS). */
static void copies_are_added_up_as_the_framework_does(void **state)
{
    const p3d_problem titan = usual("fsdp2");
    const p3d_problem mics = usual("deepspeed");
    const char *const words = "tp=8,zero=3,shard=4";
    const p3d_plan plan = problem_plan(&titan, words);
    const cost_group copies = cost_place(&titan.cluster, &plan, P3D_AXIS_COPY);
    const cost_transfer each =
            cost_send(&titan.cluster, P3D_ALL_REDUCE, copies, 4e9 / 32 / 4);
    const cost_pass_time pass = {1e3, 1e3};
    const double late_s = 31 * (each.transfer_s - 0.5 * each.link_s);
    p3d_framework waits = *titan.job.framework;
    p3d_problem other = titan;

    (void)state;
    assert_int_equal(copies.n_ranks, 2);
    CHECK_REL(cost_dp_exposed_s(&titan, &plan, ALL(params), pass, 5),
            5 * cost_dp_exposed_s(&titan, &plan, ALL(params), pass, 1), 1e-12);
    waits.overlaps_copies = false;
    other.job.framework = &waits;
    CHECK_REL(cost_dp_exposed_s(&other, &plan, ALL(params), pass, 1) -
                      cost_dp_exposed_s(&titan, &plan, ALL(params), pass, 1),
            late_s, 1e-9);
    CHECK_REL(cost_dp_exposed_s(&mics, &plan, ALL(params), pass, 5) -
                      5 * cost_dp_exposed_s(&mics, &plan, ALL(params), pass, 1),
            -4 * 32 * each.transfer_s, 1e-9);
}

/* More work never lets more show, and what it hides is less than itself. */
static void a_longer_window_helps_by_at_most_its_length(void **state)
{
    const p3d_problem problem = usual("megatron-core");

    (void)state;
    for (int zero = 0; zero <= 3; zero++) {
        for (double w = 0.001; w < 1; w *= 1.5) {
            const double few = exposed(&problem, zero, w, 2 * w, 4);
            const double more = exposed(&problem, zero, 2 * w, 4 * w, 4);

            assert_true(more <= few);
            assert_true(few - more <= 4 * 3 * w);
        }
    }
}

static void one_replica_has_nothing_to_say(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "generic", 4096, 64);
    p3d_plan plan = problem_plan(&problem, "tp=8");

    (void)state;
    for (plan.zero = 0; plan.zero <= 3; plan.zero++)
        assert_true(cost_dp_exposed_s(&problem, &plan, ALL(params),
                            (cost_pass_time){1, 1}, 8) == 0);
}

/* 34 B per owned parameter at 0.8 x 2.039 TB/s: 1e9 / 8 parameters 2.605 ms,
 * and 4 us to launch; all 1e9 of them without ZeRO. Before that the gradients
 * of all 1e9 are zeroed (one write of 4 B) and scaled (read, written): 12e9 B
 * in 7.357 ms, half of it where they are in 16 bit. */
static void the_optimizer_passes_over_what_a_rank_owns(void **state)
{
    p3d_problem problem = usual("megatron-core");
    p3d_plan plan = problem_plan(&problem, "tp=8,zero=1");
    const double rate = 0.8 * 2.039e12;

    (void)state;
    CHECK_REL(cost_optimizer_s(&problem, &plan, params),
            (34 * 0.125e9 + 12e9) / rate + 4e-6, 1e-9);
    CHECK_REL(34 * 0.125e9 / rate, 2.605e-3, 1e-3);
    CHECK_REL(12e9 / rate, 7.357e-3, 1e-3);
    plan.zero = 0;
    CHECK_REL(cost_optimizer_s(&problem, &plan, params),
            (34 * 1e9 + 12e9) / rate + 4e-6, 1e-9);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    CHECK_REL(cost_optimizer_s(&problem, &plan, params), 12e9 / rate + 4e-6,
            1e-9);
    problem.job.gradient_dtype = P3D_STATE_IN_16;
    CHECK_REL(
            cost_optimizer_s(&problem, &plan, params), 6e9 / rate + 4e-6, 1e-9);
}

/* DeepSpeed passes four times over the fp32 gradients of a pipeline, not over
 * the 16-bit ones beside them: 16e9 B; without one over these, 8e9 B. */
static void deepspeed_passes_over_the_gradients_that_it_reduces(void **state)
{
    const p3d_problem problem = usual("deepspeed");
    const p3d_plan plan = problem_plan(&problem, "tp=8,zero=1");
    p3d_plan staged = plan;
    const double rate = 0.8 * 2.039e12;
    const double owned = cost_owned_params(&plan, params);

    (void)state;
    CHECK_REL(cost_optimizer_s(&problem, &plan, params),
            (48 * owned + 8e9) / rate + 4e-6, 1e-9);
    staged.pp = 2;
    CHECK_REL(cost_optimizer_s(&problem, &staged, params),
            (48 * owned + 16e9) / rate + 4e-6, 1e-9);
}

/* However fast the host is, and however little there is to offload: the search
 * leaves out what offloads more than it must. */
static void what_is_offloaded_takes_no_less(void **state)
{
    p3d_problem problem = usual("deepspeed");
    p3d_plan plan = problem_plan(&problem, "tp=8,zero=3");
    const p3d_params few = {.dense = 100};
    double before_s, few_before_s;

    (void)state;
    problem.cluster.node.host_memory_bytes_per_s = 1e14;
    problem.cluster.gpu.pcie_bytes_per_s_one_way = 1e13;
    before_s = cost_optimizer_s(&problem, &plan, params);
    few_before_s = cost_optimizer_s(&problem, &plan, few);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    for (int tenths = 1; tenths <= 10; tenths++) {
        plan.offload_frac = tenths < 10 ? tenths / 10.0 : 0;
        assert_true(cost_optimizer_s(&problem, &plan, params) +
                            cost_offload_s(&problem, &plan, ALL(params), 1) >=
                    before_s * (1 - 1e-12));
        assert_true(cost_optimizer_s(&problem, &plan, few) +
                            cost_offload_s(&problem, &plan, ALL(few), 1) >=
                    few_before_s * (1 - 1e-12));
    }
}

/* PCIe 0.88 x 32 = 28.16 GB/s: 0.125e9 gradients down in 4 and weights up in
 * 2 B: 26.6 ms. CPU Adam of DeepSpeed: 48 B x 0.125e9 x 8 ranks / (0.5 x 409.6
 * GB/s) = 234 ms; where nothing is known of a framework 4 B and 30 B. Weights
 * on the host come up twice per micro-batch more. */
static void offloading_costs_pcie_and_host_memory(void **state)
{
    p3d_problem problem = usual("deepspeed");
    p3d_plan plan = problem_plan(&problem, "tp=8,zero=3");
    const double adam = 48 * 0.125e9 * 8 / (0.5 * 409.6e9);

    (void)state;
    assert_true(cost_offload_s(&problem, &plan, ALL(params), 4) == 0);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    CHECK_REL(cost_offload_s(&problem, &plan, ALL(params), 4),
            6 * 0.125e9 / 28.16e9 + adam, 1e-9);
    plan.offload = P3D_OFFLOAD_OPTIMIZER_PARAMETERS;
    CHECK_REL(cost_offload_s(&problem, &plan, ALL(params), 4),
            6 * 0.125e9 / 28.16e9 + adam + 2 * 4 * 2 * 0.125e9 / 28.16e9, 1e-9);
    plan.offload = P3D_OFFLOAD_OPTIMIZER;
    problem.job.framework = p3d_framework_find("generic");
    CHECK_REL(cost_offload_s(&problem, &plan, ALL(params), 4),
            4 * 0.125e9 / 28.16e9 + adam * 30 / 48, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(without_overlap_all_of_it_shows),
            cmocka_unit_test(with_overlap_work_hides_it),
            cmocka_unit_test(deepspeed_overlaps_stage_3_alone),
            cmocka_unit_test(a_pipeline_may_reduce_once),
            cmocka_unit_test(overlap_comm_hides_all_buckets_but_one),
            cmocka_unit_test(types_decide_the_bytes),
            cmocka_unit_test(copies_are_added_up_as_the_framework_does),
            cmocka_unit_test(nanotron_overlaps_without_shared_states_alone),
            cmocka_unit_test(internevo_reduces_whole_gradients),
            cmocka_unit_test(a_longer_window_helps_by_at_most_its_length),
            cmocka_unit_test(one_replica_has_nothing_to_say),
            cmocka_unit_test(the_optimizer_passes_over_what_a_rank_owns),
            cmocka_unit_test(
                    deepspeed_passes_over_the_gradients_that_it_reduces),
            cmocka_unit_test(what_is_offloaded_takes_no_less),
            cmocka_unit_test(offloading_costs_pcie_and_host_memory),
    };

    return cmocka_run_group_tests_name("data parallel", tests, NULL, NULL);
}
