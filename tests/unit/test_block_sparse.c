/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_block_sparse.c - attention to blocks: words, pairs, bytes, seconds. */
#include "problem.h"

#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/estimate.h"
#include "spec/block_sparse.h"

static void words_are_read_and_printed(void **state)
{
    static const char *const good[] = {"fixed:block=16,local=4,global=1",
            "local:block=32,local=8", "bslongformer:block=16,local=3,global=1",
            "bigbird:block=64,local=3,global=1,random=2",
            "variable:block=128,local=2,global=2"};
    static const char *const bad[] = {"", "fixd", "fixed:", "fixed:block=24",
            "fixed:local=4,global=3", "local:global=1", "fixed:random=1",
            "fixed:local=0", "fixed:local=-1", "fixed:local", "fixed:blocks=16",
            "fixed:local=99999999999", "strided"};
    p3d_block_sparse s;
    p3d_error err = {0};
    char text[SPEC_SPARSE_WORDS];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(good); i++) {
        assert_true(spec_sparse_read(good[i], &s, &err));
        assert_string_equal(spec_sparse_print(&s, text), good[i]);
    }
    assert_true(spec_sparse_read("Fixed", &s, &err));
    assert_string_equal(spec_sparse_print(&s, text), good[0]);
    for (int i = 0; i < P3D_COUNT_OF(bad); i++) {
        assert_false(spec_sparse_read(bad[i], &s, &err));
        assert_int_equal(err.code, P3D_USAGE);
    }
    s = (p3d_block_sparse){0};
    assert_string_equal(spec_sparse_print(&s, text), "");
}

/* Blocks that eight rows of blocks see, counted by hand in the layouts of
 * DeepSpeed's sparsity_config.py (unidirectional, num_global_blocks=1): fixed
 * with groups of 4: 1 2 3 4, and the fourth block beside 1 2 3 4; bslongformer
 * with a window of 3, which looks back by one: 1 2 3 3 3 3 3 3. */
static void blocks_are_counted_as_deepspeed_lays_them_out(void **state)
{
    static const struct {
        const char *words;
        double blocks;
    } cases[] = {
            {"fixed:block=16,local=4,global=1", 10 + 14},
            {"variable:block=16,local=4,global=1", 10 + 14},
            {"local:block=16,local=4", 1 + 2 + 3 * 6},
            {"bslongformer:block=16,local=3,global=1", 1 + 2 + 3 * 6},
            {"bslongformer:block=16,local=3,global=2", 1 + 2 + 3 + 4 * 5},
            /* No row has more blocks than there are before it. */
            {"bigbird:block=16,local=3,global=8,random=8", 36},
    };
    p3d_block_sparse s;
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        assert_true(spec_sparse_read(cases[i].words, &s, &err));
        CHECK_REL(p3d_sparse_pairs(&s, 128), 256 * cases[i].blocks, 1e-12);
        assert_true(p3d_sparse_pairs(&s, 0) <= 0);
    }
    /* Random ones among those that are left: of row r, of r + 1 blocks, the
     * r - 2 that neither the window nor the first block has, each with 1 in
     * r + 1: (1 / 4) + (2 / 5) + (3 / 6) + (4 / 7) + (5 / 8). */
    assert_true(spec_sparse_read(
            "bigbird:block=16,local=3,global=1,random=1", &s, &err));
    CHECK_REL(p3d_sparse_pairs(&s, 128),
            256 * (21 + 1.0 / 4 + 2.0 / 5 + 3.0 / 6 + 4.0 / 7 + 5.0 / 8),
            1e-12);
    assert_true(p3d_sparse_pairs(NULL, 128) <= 0);
    /* More rows than are counted one by one: a window of 3 of them each. */
    assert_true(spec_sparse_read("local:block=16,local=4", &s, &err));
    CHECK_REL(p3d_sparse_pairs(&s, 64 << 20), 256.0 * 3 * (4 << 20), 1e-5);
}

static double step_s(const p3d_problem *p, const char *plan)
{
    const p3d_estimate estimate = problem_estimate(p, plan);

    return p3d_time_step_s(&estimate.time);
}

/* Phi-3 small: blocks of 64, a window of 16, one in 8 before it; 128 rows of a
 * sequence of 8,192: sum of min(r + 1, 16) = 136 + 112 x 16 = 1,928, before
 * them (1 + ... + 112) / 8 = 791. Every second layer sees all. */
static void phi_3_small_sees_blocks_in_every_second_layer(void **state)
{
    p3d_problem p = problem_of("phi-3-small", "8xA100", "fsdp2", 8192, 64);
    p3d_problem all = p;

    (void)state;
    CHECK_REL(p3d_sparse_pairs(&p.model.sparse, 8192), 4096.0 * (1928 + 791),
            1e-12);
    assert_int_equal(p3d_model_count_with(&p.model, P3D_LAYER_WINDOWED), 16);
    assert_int_equal(p.model.layer_kind[0], P3D_LAYER_WINDOWED);
    assert_int_equal(p.model.layer_kind[31], 0);
    for (int i = 0; i < all.model.n_layers; i++)
        all.model.layer_kind[i] = 0;
    assert_true(step_s(&p, "zero=3,mbs=1") < step_s(&all, "zero=3,mbs=1"));
}

static p3d_problem with(const char *words)
{
    p3d_problem p = problem_of("llama-2-7b", "8xA100", "deepspeed", 8192, 64);
    p3d_error err = {0};

    p.job.dtype = P3D_FP16;
    p.job.attention = P3D_EAGER;
    if (words[0] != '\0')
        assert_true(spec_sparse_read(words, &p.job.sparse, &err));
    return p;
}

/* 32 layers, 4 of 32 heads on a rank: all 8,192 x 8,192 pairs, which are more
 * than the fused softmax takes, in 4 bytes and 2 of their cast; or in 2 bytes
 * 512 rows of blocks of 16, of which local ones of 4 see 1 + 2 + 510 x 3 =
 * 1,533, the width rounded up to whole keys (48). */
static void probabilities_of_the_seen_blocks_are_kept(void **state)
{
    static const char plan[] = "tp=8,zero=0,mbs=1";
    const p3d_problem eager = with("");
    const p3d_problem sparse = with("local:block=16,local=4");

    (void)state;
    CHECK_REL(
            (double)(problem_estimate(&eager, plan).memory.activations_bytes -
                     problem_estimate(&sparse, plan).memory.activations_bytes),
            32.0 * 4 * 8192 * (6 * 8192 - 2 * 48), 1e-9);
    assert_true(step_s(&sparse, plan) < step_s(&eager, plan));
}

/* The more blocks are seen, the longer it takes. */
static void more_blocks_take_longer(void **state)
{
    static const char *const words[] = {"local:block=16,local=4",
            "bslongformer:block=16,local=4", "bigbird:block=16,local=4",
            "fixed:block=16,local=4", "fixed:block=16,local=4,global=2"};
    double last_s = 0;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        const p3d_problem p = with(words[i]);
        const double now_s = step_s(&p, "tp=8,zero=0,mbs=1");

        assert_true(now_s > last_s);
        last_s = now_s;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(words_are_read_and_printed),
            cmocka_unit_test(blocks_are_counted_as_deepspeed_lays_them_out),
            cmocka_unit_test(phi_3_small_sees_blocks_in_every_second_layer),
            cmocka_unit_test(probabilities_of_the_seen_blocks_are_kept),
            cmocka_unit_test(more_blocks_take_longer),
    };

    return cmocka_run_group_tests_name("block sparse", tests, NULL, NULL);
}
