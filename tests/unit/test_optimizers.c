/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_optimizers.c - moments and number formats of states, by hand. */
#include "problem.h"

#include "cost/memory/memory.h"
#include "plan3d/catalog.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))
#define I64(n)        INT64_C(n)

/* LLaMA-2-7B: 32 layers of four matrices (queries, keys and values in one; gate
 * and up in one): 4096 x 12288, 4096 x 4096, 4096 x 22016, 11008 x 4096. The
 * rest are two of 32000 x 4096 and 65 norms. */
static const int64_t all = I64(6738415616);
static const int64_t matrices = 32 * I64(4096) * (12288 + 4096 + 22016 + 11008);
static const int64_t edges =
        (I64(4096) + 12288 + 4096 + 4096 + 4096 + 22016 + 11008 + 4096) * 32;

static p3d_problem llama(p3d_optimizer optimizer)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "megatron-core", 4096, 8);

    problem.job.optimizer = optimizer;
    return problem;
}

static p3d_memory memory_of(const p3d_problem *problem, const char *words)
{
    const p3d_plan plan = problem_plan(problem, words);

    return problem_stage(problem, &plan, 0).memory;
}

/** Bytes of the moments, by the form of the optimizer. */
static const struct {
    p3d_optimizer optimizer;
    double per_matrix, per_edge, per_other;
} optimizers[] = {
        {P3D_ADAM, 8, 0, 8},
        {P3D_SGD, 4, 0, 4},
        {P3D_LION, 4, 0, 4},
        {P3D_ADAM_8BIT, 2 + 8.0 / 256, 0, 2 + 8.0 / 256},
        {P3D_ADAFACTOR, 0, 4, 4},
        {P3D_MUON, 4, 0, 8},
};

static double moments(int i)
{
    return optimizers[i].per_matrix * (double)matrices +
           optimizers[i].per_edge * (double)edges +
           optimizers[i].per_other * (double)(all - matrices);
}

/* Beside them 4 B of master weights. */
static void optimizers_keep_their_moments(void **state)
{
    (void)state;
    assert_int_equal(N_ROWS(optimizers), P3D_N_OPTIMIZERS);
    for (int i = 0; i < N_ROWS(optimizers); i++) {
        const p3d_problem problem = llama(optimizers[i].optimizer);
        const p3d_memory m = memory_of(&problem, "zero=0");

        CHECK_REL((double)m.optimizer_bytes, 4.0 * (double)all + moments(i),
                1e-9);
        assert_int_equal(m.weights_bytes, 2 * all);
        assert_int_equal(m.gradients_bytes, 4 * all);
    }
}

/* Over 8 replicas, and over 4 where four of them share. */
static void zero_shares_the_moments(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(optimizers); i++) {
        const p3d_problem problem = llama(optimizers[i].optimizer);
        const double sum = 4.0 * (double)all + moments(i);

        CHECK_REL((double)memory_of(&problem, "zero=1").optimizer_bytes,
                sum / 8, 1e-9);
        CHECK_REL((double)memory_of(&problem, "zero=1,shard=4").optimizer_bytes,
                sum / 4, 1e-9);
        CHECK_REL((double)memory_of(&problem, "zero=3").optimizer_bytes,
                sum / 8, 1e-9);
    }
}

/* Of tp = 4 each rank has rows or columns of every matrix: 4096 x 3072, 1024 x
 * 4096, 4096 x 5504 and 2752 x 4096; the embedding and the output matrix have
 * 32256 / 4 rows each (63 x 512), the norms are whole. */
static void tensor_parallelism_cuts_the_matrices(void **state)
{
    const double matrix = (double)matrices / 4;
    const double edge =
            32.0 * (4096 + 3072 + 1024 + 4096 + 4096 + 5504 + 2752 + 4096);
    const double rest = 2 * 8064.0 * 4096 + 65 * 4096;
    const p3d_problem muon = llama(P3D_MUON);
    const p3d_problem factored = llama(P3D_ADAFACTOR);

    (void)state;
    CHECK_REL((double)memory_of(&muon, "tp=4,zero=0").optimizer_bytes,
            8 * matrix + 12 * rest, 1e-9);
    CHECK_REL((double)memory_of(&factored, "tp=4,zero=0").optimizer_bytes,
            4 * (matrix + rest) + 4 * (edge + rest), 1e-9);
}

/* Mixtral 8x7B with ep = 8: one expert of 4096 x 28672 and 14336 x 4096 on a
 * rank, 32 times; attention of 4096 x 6144 and 4096 x 4096, a router of 4096 x
 * 8. The experts have one replica, the rest 8. */
static void experts_are_matrices_of_their_own(void **state)
{
    p3d_problem problem =
            problem_of("mixtral-8x7b", "8xA100", "megatron-core", 4096, 8);
    const double expert = 32.0 * 4096 * (28672 + 14336);
    const double dense = 32.0 * 4096 * (6144 + 4096 + 8);
    const double rest = 2 * 32000.0 * 4096 + 65 * 4096;
    const double expert_edges = 32.0 * (4096 + 28672 + 14336 + 4096);
    const double dense_edges = 32.0 * (4096 + 6144 + 2 * 4096 + 4096 + 8);

    (void)state;
    problem.job.optimizer = P3D_MUON;
    CHECK_REL((double)memory_of(&problem, "ep=8,zero=1").optimizer_bytes,
            8 * expert + (8 * dense + 12 * rest) / 8, 1e-9);
    problem.job.optimizer = P3D_ADAFACTOR;
    CHECK_REL((double)memory_of(&problem, "ep=8,zero=1").optimizer_bytes,
            4 * expert + 4 * expert_edges +
                    (4 * dense + 4 * dense_edges + 8 * rest) / 8,
            1e-9);
}

/** Number formats; bytes per parameter of 8 replicas with ZeRO 0 and 1. */
static const struct {
    p3d_state_dtype gradient, master, moment;
    double weights, gradients, optimizer;
} formats[] = {
        {P3D_STATE_USUAL, P3D_STATE_USUAL, P3D_STATE_USUAL, 2, 4, 12},
        {P3D_STATE_IN_16, P3D_STATE_USUAL, P3D_STATE_USUAL, 2, 2, 12},
        {P3D_STATE_IN_FP32, P3D_STATE_USUAL, P3D_STATE_USUAL, 2, 4, 12},
        {P3D_STATE_USUAL, P3D_STATE_USUAL, P3D_STATE_IN_16, 2, 4, 8},
        {P3D_STATE_USUAL, P3D_STATE_USUAL, P3D_STATE_IN_8, 2, 4, 6},
        {P3D_STATE_USUAL, P3D_STATE_IN_16, P3D_STATE_USUAL, 2, 4, 10},
        /* 4 + 6 / D, docs/user-guide of Megatron's precision-aware optimizer */
        {P3D_STATE_IN_16, P3D_STATE_IN_16, P3D_STATE_IN_16, 2, 2, 6},
        {P3D_STATE_IN_16, P3D_STATE_IN_16, P3D_STATE_IN_8, 2, 2, 4},
        /* 2 + 2 + 4: nothing but 16 bit */
        {P3D_STATE_USUAL, P3D_STATE_NONE, P3D_STATE_USUAL, 2, 2, 4},
};

static void number_formats_take_their_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(formats); i++) {
        p3d_problem problem = llama(P3D_ADAM);
        const double P = (double)all;
        p3d_memory m;

        problem.job.gradient_dtype = formats[i].gradient;
        problem.job.master_dtype = formats[i].master;
        problem.job.moment_dtype = formats[i].moment;
        m = memory_of(&problem, "zero=0");
        CHECK_REL((double)m.weights_bytes, formats[i].weights * P, 1e-9);
        CHECK_REL((double)m.gradients_bytes, formats[i].gradients * P, 1e-9);
        CHECK_REL((double)m.optimizer_bytes, formats[i].optimizer * P, 1e-9);
        m = memory_of(&problem, "zero=1");
        CHECK_REL((double)m.weights_bytes, formats[i].weights * P, 1e-9);
        /* The buckets are padded, by some KB. */
        CHECK_REL((double)m.gradients_bytes, formats[i].gradients * P, 1e-5);
        CHECK_REL(
                (double)m.optimizer_bytes, formats[i].optimizer * P / 8, 1e-9);
    }
}

/* A narrow format never widens what an optimizer keeps: 8-bit moments stay at
 * 1 + 4 / 256 B, a factored one has no moments to narrow. */
static void formats_narrow_only_what_is_wide(void **state)
{
    p3d_problem problem = llama(P3D_ADAM_8BIT);

    (void)state;
    problem.job.moment_dtype = P3D_STATE_IN_16;
    CHECK_REL((double)memory_of(&problem, "zero=0").optimizer_bytes,
            (4 + 2 + 8.0 / 256) * (double)all, 1e-9);
    problem.job.optimizer = P3D_ADAFACTOR;
    CHECK_REL((double)memory_of(&problem, "zero=0").optimizer_bytes,
            4.0 * (double)all + 4.0 * (double)edges +
                    2.0 * (double)(all - matrices),
            1e-9);
}

/* fp32: 4 + 4, no master weights, and the moments. */
static void full_precision_has_no_master_weights(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(optimizers); i++) {
        p3d_problem problem = llama(optimizers[i].optimizer);
        p3d_memory m;

        problem.job.dtype = P3D_FP32;
        m = memory_of(&problem, "zero=0");
        assert_int_equal(m.weights_bytes, 4 * all);
        assert_int_equal(m.gradients_bytes, 4 * all);
        CHECK_REL((double)m.optimizer_bytes, moments(i), 1e-9);
    }
}

/* torchtune updates 16-bit weights: 2 + 2 + 4, and all of it is shared. */
static void sixteen_bit_training_keeps_8_bytes(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", "torchtune", 4096, 8);
    const p3d_plan plan = problem_plan(&problem, "zero=3");
    const p3d_memory m = problem_stage(&problem, &plan, 0).memory;

    (void)state;
    CHECK_REL((double)m.weights_bytes, 2.0 * (double)all / 8, 1e-9);
    CHECK_REL((double)m.optimizer_bytes, 4.0 * (double)all / 8, 1e-9);
}

/* No gradient outlives its update. */
static void an_optimizer_in_the_backward_keeps_no_gradients(void **state)
{
    p3d_problem problem = llama(P3D_ADAM);

    (void)state;
    assert_true(memory_of(&problem, "zero=0").gradients_bytes > 0);
    problem.job.optimizer_in_backward = true;
    assert_int_equal(memory_of(&problem, "zero=0").gradients_bytes, 0);
}

/** The matrices of a layer are among its parameters. */
static void check_matrices(const p3d_problem *problem, p3d_shard shard)
{
    p3d_blocks blocks;

    p3d_blocks_build(problem, shard, &blocks);
    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        const p3d_block *b = &blocks.block[kind];

        if (p3d_model_count_layers(&problem->model, kind) == 0)
            continue;
        assert_true(0 < b->matrices.dense);
        assert_true(b->matrices.dense <= b->params.dense);
        assert_true(b->matrices.experts <= b->params.experts);
        assert_int_equal(b->matrices.experts > 0, (kind & P3D_LAYER_MOE) != 0);
        assert_true(b->edges.dense < b->matrices.dense);
        /* The rest are vectors: less than 2 % of a layer. */
        assert_true(
                (double)b->matrices.dense >= 0.98 * (double)b->params.dense);
        assert_true((double)b->matrices.experts >=
                    0.98 * (double)b->params.experts);
    }
}

static void matrices_are_parameters_of_their_layer(void **state)
{
    p3d_catalog catalog;
    p3d_error err = {0};

    (void)state;
    problem_check(p3d_catalog_open(P3D_MODELS, &catalog, &err), &err);
    for (int i = 0; i < catalog.n_names; i++) {
        char path[1200];
        p3d_problem problem;
        p3d_shard shard = p3d_shard_whole();

        p3d_catalog_path(&catalog, i, path, sizeof(path));
        problem = problem_of(path, "8xH100", "megatron-core", 512, 64);
        check_matrices(&problem, shard);
        shard.tp = 2;
        shard.sequence_parallel = true;
        if (problem.model.n_heads % 2 != 0 || problem.model.ffn % 2 != 0)
            continue;
        shard.ep = problem.model.n_experts > 0 ? 4 : 1;
        shard.etp = shard.ep > 1 ? 1 : 2;
        check_matrices(&problem, shard);
    }
    p3d_catalog_free(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(optimizers_keep_their_moments),
            cmocka_unit_test(zero_shares_the_moments),
            cmocka_unit_test(tensor_parallelism_cuts_the_matrices),
            cmocka_unit_test(experts_are_matrices_of_their_own),
            cmocka_unit_test(number_formats_take_their_bytes),
            cmocka_unit_test(formats_narrow_only_what_is_wide),
            cmocka_unit_test(full_precision_has_no_master_weights),
            cmocka_unit_test(sixteen_bit_training_keeps_8_bytes),
            cmocka_unit_test(an_optimizer_in_the_backward_keeps_no_gradients),
            cmocka_unit_test(matrices_are_parameters_of_their_layer),
    };

    return cmocka_run_group_tests_name("optimizers", tests, NULL, NULL);
}
