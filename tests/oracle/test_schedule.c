/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_schedule.c - bubbles, rings and the products that make up a plan. */
#include "problem.h"

#include <stdio.h>

#include "cost/cost.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

/* Equal stages: a vocabulary so small that the ends weigh nothing. */
static p3d_problem equal_stages(int64_t batch)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "64xA100", "generic", 4096, batch);

    problem.model.vocab = 128;
    return problem;
}

/** Bubble over the time that the micro-batches alone would take. */
static double bubble_frac(int64_t batch, const char *words)
{
    const p3d_problem problem = equal_stages(batch);
    const p3d_estimate e = problem_estimate(&problem, words);
    const p3d_time *t = &e.time;

    return t->pp_bubble_s /
           (t->gemm_s + t->attention_s + t->memory_pass_s + t->recompute_s +
                   t->host_s + t->tp_comm_s + t->cp_comm_s + t->ep_comm_s);
}

/* arXiv:2104.04473 section 2.2.1: (p - 1) / m. dp = 8: 16 sequences are m = 2,
 * and so on. arXiv:1811.06965 section 2.3 has the same for GPipe. */
static void the_bubble_of_1f1b_and_gpipe_is_p_minus_1_over_m(void **state)
{
    static const int p[] = {2, 4, 8};
    static const int m[] = {8, 16, 64};

    (void)state;
    for (int i = 0; i < N_ROWS(p); i++) {
        for (int j = 0; j < N_ROWS(m); j++) {
            const double want = (p[i] - 1.0) / m[j];
            const int dp = 64 / p[i];
            char words[64];

            snprintf(words, sizeof(words), "pp=%d,zero=0", p[i]);
            CHECK_REL(bubble_frac(m[j] * dp, words), want, 0.01);
            snprintf(words, sizeof(words), "pp=%d,zero=0,schedule=gpipe", p[i]);
            CHECK_REL(bubble_frac(m[j] * dp, words), want, 0.01);
        }
    }
}

/* One rank of p works: p - 1 are idle, however many micro-batches there are. */
static void without_a_pipeline_p_minus_1_ranks_idle(void **state)
{
    (void)state;
    CHECK_REL(bubble_frac(64, "pp=8,zero=0,schedule=naive"), 7.0, 0.01);
    CHECK_REL(bubble_frac(512, "pp=4,zero=0,schedule=naive"), 3.0, 0.01);
}

/* arXiv:2104.04473 section 2.2.2: (p - 1) / (v m). */
static void interleaving_divides_the_bubble_by_the_chunks(void **state)
{
    (void)state;
    CHECK_REL(bubble_frac(64, "pp=8,vp=2,zero=0"), 7 / (2 * 8.0), 0.01);
    CHECK_REL(bubble_frac(64, "pp=8,vp=4,zero=0"), 7 / (4 * 8.0), 0.01);
    CHECK_REL(bubble_frac(256, "pp=4,vp=8,zero=0"), 3 / (8 * 16.0), 0.01);
}

/* Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009): a ring moves
 * 2 (n-1)/n S per rank for an all-reduce, (n-1)/n S for its two halves. Seen
 * on a machine whose only cost is the link. */
static void a_ring_moves_two_n_minus_1_over_n_of_the_tensor(void **state)
{
    p3d_cluster cluster =
            problem_of("gpt2", "8xA100", "generic", 1024, 8).cluster;
    const double S = 1e9;

    (void)state;
    cluster.calibration.nvls_factor = 1;
    for (int op = 0; op < P3D_N_COLLECTIVES; op++)
        cluster.calibration.collective[op] =
                (p3d_collective_fit){.link_frac = 1};
    for (int n = 2; n <= 8; n *= 2) {
        const cost_group group = {.n_ranks = n,
                .n_nodes = 1,
                .ranks_per_node = n,
                .nic_bytes_per_s_one_way = 1};
        const double ring = S * (n - 1) / n / 300e9;

        CHECK_REL(cost_collective_s(&cluster, P3D_ALL_REDUCE, group, S),
                2 * ring, 1e-12);
        CHECK_REL(cost_collective_s(&cluster, P3D_ALL_GATHER, group, S), ring,
                1e-12);
        CHECK_REL(cost_collective_s(&cluster, P3D_REDUCE_SCATTER, group, S),
                ring, 1e-12);
        CHECK_REL(cost_collective_s(&cluster, P3D_ALL_TO_ALL, group, S), ring,
                1e-12);
    }
}

/* arXiv:2104.04473 section 3.1: p t d = n; and with context parallelism,
 * arXiv:2407.21783 section 3.3.2: TP CP PP DP = GPUs. */
static void the_parallel_sizes_multiply_to_the_gpus(void **state)
{
    static const char *const words[] = {
            "tp=8,pp=4", "pp=2,cp=4", "tp=2", "tp=4,pp=2,cp=2", "tp=8,pp=8"};

    (void)state;
    for (int i = 0; i < N_ROWS(words); i++) {
        p3d_plan plan;
        p3d_error err = {0};

        problem_check(p3d_plan_parse(words[i], 64, NULL, &plan, &err), &err);
        assert_int_equal(plan.tp * plan.pp * plan.cp * plan.dp, 64);
    }
}

/* arXiv:2104.04473 table 1: B = b d m. */
static void the_batch_is_replicas_times_micro_batches(void **state)
{
    const p3d_problem problem = equal_stages(1024);

    (void)state;
    for (int mbs = 1; mbs <= 8; mbs *= 2) {
        char words[64];
        p3d_estimate e;

        snprintf(words, sizeof(words), "tp=2,pp=4,mbs=%d", mbs);
        e = problem_estimate(&problem, words);
        assert_int_equal(e.plan.dp, 8);
        assert_int_equal(e.n_micro_batches * e.plan.dp * mbs, 1024);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_bubble_of_1f1b_and_gpipe_is_p_minus_1_over_m),
            cmocka_unit_test(without_a_pipeline_p_minus_1_ranks_idle),
            cmocka_unit_test(interleaving_divides_the_bubble_by_the_chunks),
            cmocka_unit_test(a_ring_moves_two_n_minus_1_over_n_of_the_tensor),
            cmocka_unit_test(the_parallel_sizes_multiply_to_the_gpus),
            cmocka_unit_test(the_batch_is_replicas_times_micro_batches),
    };

    return cmocka_run_group_tests_name(
            "published schedules", tests, NULL, NULL);
}
