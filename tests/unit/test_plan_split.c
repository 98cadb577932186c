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
    assert_false(split(&uneven, 6, 8, 1, layers)); /* would leave 0 layers */
    assert_false(split(&uneven, 7, 8, 1, layers));
    assert_false(split(&uneven, 80, 16777216, 16777216, layers));
    assert_false(split(&uneven, 80, 0, 1, layers));
}

static void shares_sum_to_the_layers_and_none_is_empty(void **state)
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
                    assert_true(layers[i] >= 1);
                    assert_true(layers[i] <= layers[0] + 1);
                    sum += layers[i];
                }
                assert_int_equal(sum, n);
            }
        }
    }
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
                assert_in_range(layers[i], 1, (n + pp - 1) / pp);
                sum += layers[i];
            }
            assert_int_equal(sum, n);
        }
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(equal_shares_come_first),
            cmocka_unit_test(embedding_and_loss_may_count_as_layers),
            cmocka_unit_test(the_loss_alone_may_count_as_a_layer),
            cmocka_unit_test(some_layers_cannot_be_shared_out),
            cmocka_unit_test(shares_sum_to_the_layers_and_none_is_empty),
            cmocka_unit_test(a_layer_map_balances_what_does_not_divide),
            cmocka_unit_test(a_layer_map_shares_out_every_layer),
            cmocka_unit_test(micro_batches_divide_the_batch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
