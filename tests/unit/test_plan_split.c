/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plan_split.c - layers on stages, sequences in micro-batches. */
#include "test.h"

#include "plan3d/plan.h"

static const p3d_framework even = {.name = "even"};
static const p3d_framework uneven = {.name = "uneven", .uneven_stages = true};
static const p3d_framework mapped = {
        .name = "mapped", .uneven_stages = true, .layer_map = true};

static bool split(const p3d_framework *framework, int n_layers, int pp, int vp,
        int layers[P3D_MAX_LAYERS])
{
    const p3d_model model = {.n_layers = n_layers};
    const p3d_job job = {.framework = framework};
    const p3d_plan plan = {.pp = pp, .vp = vp};

    return p3d_plan_split_layers(&model, &job, &plan, layers);
}

static void equal_shares_come_first(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(split(&even, 80, 4, 1, layers));
    for (int i = 0; i < 4; i++)
        assert_int_equal(layers[i], 20);
    assert_true(split(&uneven, 80, 4, 5, layers));
    for (int i = 0; i < 20; i++)
        assert_int_equal(layers[i], 4);
    assert_true(split(&even, 61, 1, 1, layers));
    assert_int_equal(layers[0], 61);
}

static void embedding_and_loss_may_count_as_layers(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(split(&uneven, 126, 16, 1, layers));
    assert_int_equal(layers[0], 7);
    assert_int_equal(layers[1], 8);
    assert_int_equal(layers[14], 8);
    assert_int_equal(layers[15], 7);
    assert_false(split(&even, 126, 16, 1, layers));
}

static void the_loss_alone_may_count_as_a_layer(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(split(&uneven, 31, 4, 2, layers));
    assert_int_equal(layers[0], 4);
    assert_int_equal(layers[6], 4);
    assert_int_equal(layers[7], 3);
    assert_false(split(&even, 31, 4, 2, layers));
}

static void some_layers_cannot_be_shared_out(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_false(split(&uneven, 80, 7, 1, layers));
    assert_false(split(&uneven, 4, 8, 1, layers));
    assert_false(split(&uneven, 5, 8, 1, layers)); /* would leave 0 layers */
    assert_false(split(&even, 6, 8, 1, layers));
    assert_false(split(&even, 7, 8, 1, layers));
    assert_false(split(&uneven, 1, 2, 1, layers)); /* one would have all */
    assert_false(split(&uneven, 80, 16777216, 16777216, layers));
    assert_false(split(&uneven, 80, 0, 1, layers));
}

/* Megatron-LM counts embedding and loss as layers, whatever is left for their
 * stages: of three and more, the ends may hold nothing else. */
static void ends_may_be_left_with_embedding_and_loss(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(split(&uneven, 6, 8, 1, layers));
    assert_int_equal(layers[0], 0);
    for (int i = 1; i < 7; i++)
        assert_int_equal(layers[i], 1);
    assert_int_equal(layers[7], 0);
    assert_true(split(&uneven, 7, 4, 2, layers));
    for (int i = 0; i < 7; i++)
        assert_int_equal(layers[i], 1);
    assert_int_equal(layers[7], 0);
    assert_true(split(&uneven, 1, 3, 1, layers));
    assert_int_equal(layers[1], 1);
}

static void only_an_end_of_three_stages_is_empty(void **state)
{
    (void)state;
    for (int n = 1; n <= 130; n++) {
        for (int pp = 1; pp <= 40; pp++) {
            for (int vp = 1; vp <= 6; vp++) {
                int layers[P3D_MAX_LAYERS];
                int sum = 0;

                if (!split(&uneven, n, pp, vp, layers)) {
                    assert_int_not_equal(n % (pp * vp), 0);
                    continue;
                }
                for (int i = 0; i < pp * vp; i++) {
                    const bool end = i == 0 || i == pp * vp - 1;

                    assert_true(layers[i] >= (end && pp * vp >= 3 ? 0 : 1));
                    assert_true(layers[i] <= layers[0] + 1);
                    sum += layers[i];
                }
                assert_int_equal(sum, n);
            }
        }
    }
}

static bool split_as(
        const char *words, int n_layers, int layers[P3D_MAX_LAYERS])
{
    const p3d_model model = {.n_layers = n_layers};
    const p3d_job job = {.framework = &mapped};
    p3d_plan plan;
    p3d_error err;

    assert_true(p3d_plan_parse(words, 8, &mapped, &plan, &err));
    return p3d_plan_split_layers(&model, &job, &plan, layers);
}

/* 1 + 14 x 2 + 1 + 15 x 2 + 1, and 3 + 29 x 2 + 0 + 0: Megatron-LM's layouts
 * "Et|(tt|)*14t|(tt|)*15tL" and "Et*3|(tt|)*29m|L". */
static void chunks_may_be_short_or_bare(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(split_as("pp=8,vp=4,first=1,last=1,short=15", 61, layers));
    for (int i = 0; i < 32; i++)
        assert_int_equal(layers[i], i % 16 == 15 || i == 0 ? 1 : 2);
    assert_true(split_as("pp=8,vp=4,first=3,tail=mtp-head", 61, layers));
    for (int i = 0; i < 32; i++)
        assert_int_equal(layers[i], i == 0 ? 3 : i < 30 ? 2 : 0);
    assert_true(split_as("pp=4,vp=2,last=2,tail=head", 20, layers));
    for (int i = 0; i < 8; i++)
        assert_int_equal(layers[i], i < 6 ? 3 : i == 6 ? 2 : 0);
    assert_true(split_as("pp=4,vp=2,short=7", 22, layers));
    assert_int_equal(layers[6], 3);
    assert_int_equal(layers[7], 1);
    /* none is short, the last is bare, and one would have no layer */
    assert_false(split_as("pp=4,vp=2,short=3", 24, layers));
    assert_false(split_as("pp=4,vp=2,short=7,tail=head", 20, layers));
    assert_false(split_as("pp=4,vp=2,short=3", 21, layers));
    assert_false(split_as("pp=4,vp=2,tail=head", 20, layers));
}

/* DeepSeek-V3: 61 layers and two ends on 16 stages. */
static void a_layer_map_balances_what_does_not_divide(void **state)
{
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(split(&mapped, 61, 16, 1, layers));
    assert_int_equal(layers[0], 2);
    for (int i = 1; i < 15; i++)
        assert_int_equal(layers[i], 4);
    assert_int_equal(layers[15], 3);
    assert_true(split(&mapped, 100, 7, 1, layers)); /* 102 = 7 x 14 + 4 */
    assert_int_equal(layers[0], 13);
    assert_int_equal(layers[2], 14);
    assert_int_equal(layers[3], 15);
    assert_int_equal(layers[6], 14);
    assert_false(split(&mapped, 61, 16, 2, layers)); /* one chunk only */
    assert_false(split(&mapped, 12, 8, 1, layers));  /* an empty first stage */
}

/* DeepSeek-V3 on 16 stages of two chunks: "E|t*2|...|tL". */
static void a_chunk_may_be_an_embedding(void **state)
{
    const p3d_model model = {.n_layers = 61};
    const p3d_job job = {.framework = &mapped};
    const p3d_plan plan = {.pp = 16, .vp = 2, .uneven = true};
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_true(p3d_plan_split_layers(&model, &job, &plan, layers));
    for (int i = 0; i < 32; i++)
        assert_int_equal(layers[i], i == 0 ? 0 : i == 31 ? 1 : 2);
    assert_false(split(&mapped, 61, 32, 1, layers)); /* a stage may not */
}

static void a_layer_map_shares_out_every_layer(void **state)
{
    (void)state;
    for (int n = 1; n <= 130; n++) {
        for (int pp = 1; pp <= 70; pp++) {
            int layers[P3D_MAX_LAYERS];
            int sum = 0;

            if (!split(&mapped, n, pp, 1, layers)) {
                assert_true(n + 2 < 2 * pp);
                continue;
            }
            for (int i = 0; i < pp; i++) {
                const bool end = i == 0 || i == pp - 1;
                const bool counted = n + 2 == pp || n + 1 == pp;

                assert_in_range(layers[i], end && counted && pp >= 3 ? 0 : 1,
                        (n + pp - 1) / pp);
                sum += layers[i];
            }
            assert_int_equal(sum, n);
        }
    }
}

/* Stages that the plan says, the rest in equal shares. */
static void the_ends_take_the_layers_that_are_said(void **state)
{
    static const struct {
        int n_layers, pp, first, last;
        int want[4]; /* 0 = cannot be shared out */
    } cases[] = {{27, 2, 13, 0, {13, 14}}, {27, 2, 13, 14, {13, 14}},
            {61, 4, 14, 15, {14, 16, 16, 15}}, {29, 4, 0, 5, {8, 8, 8, 5}},
            {61, 4, 14, 14, {0}}, {27, 2, 13, 13, {0}}, {8, 4, 5, 3, {0}},
            {8, 4, 9, 0, {0}}};

    (void)state;
    for (int i = 0; i < (int)(sizeof(cases) / sizeof(*cases)); i++) {
        const p3d_model model = {.n_layers = cases[i].n_layers};
        const p3d_job job = {.framework = &even};
        p3d_plan plan = {.pp = cases[i].pp,
                .vp = 1,
                .first_layers = cases[i].first,
                .last_layers = cases[i].last};
        int layers[P3D_MAX_LAYERS];

        assert_int_equal(p3d_plan_split_layers(&model, &job, &plan, layers),
                cases[i].want[0] > 0);
        for (int j = 0; j < plan.pp && cases[i].want[0] > 0; j++)
            assert_int_equal(layers[j], cases[i].want[j]);
        plan.vp = 2;
        assert_false(p3d_plan_split_layers(&model, &job, &plan, layers));
    }
}

/* Layers of 4 x 8 x 16 x 128 + 3 x 128 x 128 = 114,688 and a head of V x 128.
 * 8 layers on 2 stages: with a head of one layer (V = 896) the half of 9 is
 * passed by the fifth; of none, the half of 8 by the fifth as well, since four
 * only reach it; of five, the half of 13 by the seventh. */
static void stages_end_where_their_share_of_the_work_is_passed(void **state)
{
    static const struct {
        int vocab, first;
    } cases[] = {{896, 5}, {0, 5}, {5 * 896, 7}};
    const p3d_framework by_cost = {.name = "by cost", .splits_by_cost = true};
    const p3d_job job = {.framework = &by_cost};
    int layers[P3D_MAX_LAYERS];

    (void)state;
    for (int i = 0; i < (int)(sizeof(cases) / sizeof(*cases)); i++) {
        const p3d_model model = {.n_layers = 8,
                .hidden = 128,
                .n_heads = 8,
                .head_dim = 16,
                .ffn = 128,
                .vocab = cases[i].vocab};
        p3d_plan plan = {.pp = 2, .vp = 1};

        assert_true(p3d_plan_split_layers(&model, &job, &plan, layers));
        assert_int_equal(layers[0], cases[i].first);
        assert_int_equal(layers[1], 8 - cases[i].first);
        plan.vp = 2;
        assert_false(p3d_plan_split_layers(&model, &job, &plan, layers));
    }
}

/* 40 layers, embedding, norm and head are 43 items: 22 and 21, or 3 x 11 and
 * 10, or 3 x 6 and 5 x 5; the ends have one and two fewer layers. */
static void items_are_shared_out_the_first_stages_first(void **state)
{
    static const struct {
        int pp, want[8];
    } cases[] = {{1, {40}}, {2, {21, 19}}, {4, {10, 11, 11, 8}},
            {8, {5, 6, 6, 5, 5, 5, 5, 3}}};
    const p3d_framework by_items = {
            .name = "by items", .splits_by_items = true};
    const p3d_job job = {.framework = &by_items};
    const p3d_model model = {.n_layers = 40};
    int layers[P3D_MAX_LAYERS];

    (void)state;
    for (int i = 0; i < (int)(sizeof(cases) / sizeof(*cases)); i++) {
        p3d_plan plan = {.pp = cases[i].pp, .vp = 1};

        assert_true(p3d_plan_split_layers(&model, &job, &plan, layers));
        for (int j = 0; j < plan.pp; j++)
            assert_int_equal(layers[j], cases[i].want[j]);
        plan.vp = 2;
        assert_false(p3d_plan_split_layers(&model, &job, &plan, layers));
    }
}

static void micro_batches_divide_the_batch(void **state)
{
    const p3d_job job = {.global_batch = 1024};
    const p3d_plan plan = {.dp = 4, .micro_batch = 2};
    const p3d_plan most = {.dp = P3D_MAX_GPUS, .micro_batch = P3D_MAX_GPUS};

    (void)state;
    assert_int_equal(p3d_plan_n_micro_batches(&plan, &job), 128);
    assert_int_equal(p3d_plan_n_micro_batches(&most, &job), 0);
}

/* 61 layers, embedding and loss in 16 chunks: 63 = 15 x 4 + 3. Only a plan that
 * asks for it, and a framework that takes a map. */
static void chunks_may_differ_by_a_layer_when_asked(void **state)
{
    const p3d_model model = {.n_layers = 61};
    const p3d_job job = {.framework = &mapped};
    const p3d_job fixed = {.framework = &uneven};
    p3d_plan plan = {.pp = 4, .vp = 4};
    int layers[P3D_MAX_LAYERS];

    (void)state;
    assert_false(p3d_plan_split_layers(&model, &job, &plan, layers));
    plan.uneven = true;
    assert_true(p3d_plan_split_layers(&model, &job, &plan, layers));
    assert_int_equal(layers[0], 2);
    for (int i = 1; i < 15; i++)
        assert_int_equal(layers[i], 4);
    assert_int_equal(layers[15], 3);
    assert_false(p3d_plan_split_layers(&model, &fixed, &plan, layers));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(equal_shares_come_first),
            cmocka_unit_test(embedding_and_loss_may_count_as_layers),
            cmocka_unit_test(the_loss_alone_may_count_as_a_layer),
            cmocka_unit_test(some_layers_cannot_be_shared_out),
            cmocka_unit_test(ends_may_be_left_with_embedding_and_loss),
            cmocka_unit_test(only_an_end_of_three_stages_is_empty),
            cmocka_unit_test(chunks_may_be_short_or_bare),
            cmocka_unit_test(a_layer_map_balances_what_does_not_divide),
            cmocka_unit_test(chunks_may_differ_by_a_layer_when_asked),
            cmocka_unit_test(a_chunk_may_be_an_embedding),
            cmocka_unit_test(a_layer_map_shares_out_every_layer),
            cmocka_unit_test(the_ends_take_the_layers_that_are_said),
            cmocka_unit_test(
                    stages_end_where_their_share_of_the_work_is_passed),
            cmocka_unit_test(items_are_shared_out_the_first_stages_first),
            cmocka_unit_test(micro_batches_divide_the_batch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
