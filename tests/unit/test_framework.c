/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_framework.c - the table of frameworks says what belongs together. */
#include "test.h"

#include <string.h>

#include "plan3d/plan.h"

static void frameworks_are_found_by_name_and_alias(void **state)
{
    static const char *const words[][2] = {{"megatron", "megatron-core"},
            {"Megatron-LM", "megatron-core"}, {"mcore", "megatron-core"},
            {"NeMo", "megatron-core"}, {"torchtitan", "fsdp2"},
            {"fsdp", "fsdp2"}, {"DeepSpeed", "deepspeed"}, {"any", "any"}};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        const p3d_framework *f = p3d_framework_find(words[i][0]);

        assert_non_null(f);
        assert_string_equal(f == NULL ? "" : f->name, words[i][1]);
    }
    assert_null(p3d_framework_find("tensorflow"));
    assert_null(p3d_framework_find(""));
}

static void names_are_unique(void **state)
{
    int n;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    assert_true(n >= 4);
    for (int i = 0; i < n; i++) {
        assert_ptr_equal(p3d_framework_find(f[i].name), &f[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(f[i].name, f[j].name);
    }
}

static double whole(p3d_state_bytes bytes)
{
    return bytes.replicated + bytes.sharded;
}

static double replicated(const p3d_states *s)
{
    return s->weights.replicated + s->gradients.replicated +
           s->optimizer.replicated;
}

/* Stage 1 shares out the optimizer, 2 the gradients too, 3 the weights too. */
static void stages_share_out_what_they_are_named_for(void **state)
{
    int n;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int kind = 0; kind < P3D_N_STATE_KINDS; kind++) {
            const p3d_states *const z = f[i].states[kind];

            assert_true(z[0].weights.sharded == 0 &&
                        z[0].gradients.sharded == 0 &&
                        z[0].optimizer.sharded == 0);
            assert_true(z[1].optimizer.replicated == 0);
            assert_true(z[2].gradients.replicated == 0);
            assert_true(replicated(&z[3]) == 0);
            for (int stage = 1; stage < 4; stage++)
                assert_true(replicated(&z[stage]) <= replicated(&z[stage - 1]));
        }
    }
}

/* Weights, gradients, two moments; in a 16-bit run also master weights. */
static void every_row_holds_a_whole_training(void **state)
{
    int n;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int kind = 0; kind < P3D_N_STATE_KINDS; kind++) {
            for (int stage = 0; stage < 4; stage++) {
                const p3d_states *s = &f[i].states[kind][stage];
                const double sum = whole(s->weights) + whole(s->gradients) +
                                   whole(s->optimizer);

                assert_true(whole(s->optimizer) >= 8);
                assert_true(sum >= 16 && sum <= 20);
                assert_non_null(s->source);
            }
        }
    }
}

static void what_a_framework_can_run_is_consistent(void **state)
{
    int n;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        assert_true(f[i].zero_stages != 0 && f[i].zero_stages < 16);
        assert_int_equal(f[i].zero_stages_pipeline & ~f[i].zero_stages, 0);
        assert_true(f[i].schedules & (1u << P3D_1F1B));
        assert_true(f[i].pipeline || f[i].schedules == 1u << P3D_1F1B);
        assert_true(f[i].vocab_multiple >= 1);
        assert_true(p3d_loss_bytes_per_logit(f[i].usual_loss) >= 2);
        assert_true(f[i].host_s_per_kernel > 0);
        assert_true(f[i].memory_error_frac > 0 && f[i].memory_error_frac < 0.5);
        for (int phase = 0; phase < 2; phase++) {
            assert_true(f[i].pass[0].residual[phase] > 0);
            assert_true(f[i].pass[1].mlp[phase] > 0);
            assert_true(f[i].pass[0].attention[phase] > 0);
            assert_true(f[i].pass[0].n_kernels[phase] > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(frameworks_are_found_by_name_and_alias),
            cmocka_unit_test(names_are_unique),
            cmocka_unit_test(stages_share_out_what_they_are_named_for),
            cmocka_unit_test(every_row_holds_a_whole_training),
            cmocka_unit_test(what_a_framework_can_run_is_consistent),
    };

    return cmocka_run_group_tests_name("framework", tests, NULL, NULL);
}
