/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_framework.c - the table of frameworks says what belongs together. */
#include "test.h"

#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"

static void frameworks_are_found_by_name_and_alias(void **state)
{
    static const char *const words[][2] = {{"megatron", "megatron-core"},
            {"Megatron-LM", "megatron-core"}, {"mcore", "megatron-core"},
            {"NeMo", "megatron-core"}, {"torchtitan", "fsdp2"},
            {"fsdp", "fsdp2"}, {"DeepSpeed", "deepspeed"},
            {"HF", "deepspeed-hf"}, {"transformers", "deepspeed-hf"},
            {"megatron-legacy", "megatron-local"}, {"generic", "generic"}};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        const p3d_framework *f = p3d_framework_find(words[i][0]);

        assert_non_null(f);
        assert_string_equal(f == NULL ? "" : f->name, words[i][1]);
    }
    assert_null(p3d_framework_find("tensorflow"));
    /* It runs FSDP2 or DeepSpeed: no one profile is meant. */
    assert_null(p3d_framework_find("accelerate"));
    assert_null(p3d_framework_find("any")); /* it names no row */
    assert_null(p3d_framework_find(""));
}

static void every_alias_is_listed_and_finds_its_framework(void **state)
{
    int n, n_aliases = 0;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int k = 0; p3d_framework_alias(&f[i], k) != NULL; k++) {
            assert_ptr_equal(
                    p3d_framework_find(p3d_framework_alias(&f[i], k)), &f[i]);
            n_aliases++;
        }
    }
    assert_int_equal(n_aliases, 9);
    assert_string_equal(p3d_framework_alias(&f[0], 0), "megatron");
    assert_null(p3d_framework_alias(&f[0], -1));
    assert_null(p3d_framework_alias(NULL, 0));
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

static void the_current_ones_are_those_that_a_new_run_chooses_from(void **state)
{
    static const char *const others[] = {"megatron-2021", "megatron-2023",
            "fsdp1-compiled", "llm-foundry", "fsdp2-2024", "nanotron-2024",
            "internevo", "aleph-alpha", "aleph-alpha-fused", "aleph-alpha-rms",
            "mindspeed-plain", "sailor", "paddlenlp", "paddlenlp-plain",
            "generic"};
    const p3d_framework_list list = p3d_frameworks_current(NULL);
    int n;

    (void)state;
    (void)p3d_frameworks(&n);
    assert_true(n <= P3D_MAX_FRAMEWORKS);
    assert_int_equal(list.n, n - P3D_COUNT_OF(others));
    for (int i = 0; i < P3D_COUNT_OF(others); i++)
        assert_int_not_equal(
                p3d_framework_find(others[i])->standing, P3D_FRAMEWORK_CURRENT);
}

/* A profile put together of two that runs were held against. */
static void transformers_on_fsdp2_is_both(void **state)
{
    const p3d_framework *const hf = p3d_framework_find("fsdp2-hf");
    const p3d_framework *const shards = p3d_framework_find("fsdp2");
    const p3d_framework *const layers = p3d_framework_find("deepspeed-hf");
    p3d_kept kept = layers->kept;

    (void)state;
    kept.layer_norm_extra_bytes = 2; /* autocast, which DeepSpeed has not */
    assert_memory_equal(hf->states, shards->states, sizeof(hf->states));
    assert_int_equal(hf->overlap_dp, shards->overlap_dp);
    assert_memory_equal(&hf->kept, &kept, sizeof(hf->kept));
    assert_memory_equal(hf->pass, layers->pass, sizeof(hf->pass));
    assert_int_equal(hf->usual_loss, layers->usual_loss);
    assert_false(hf->compiles || hf->pipeline || hf->expert_parallel);
}

static double whole(p3d_state_bytes bytes)
{
    return bytes.replicated + bytes.sharded;
}

static double replicated(const p3d_states *s)
{
    return s->weights.replicated + s->gradients.replicated +
           s->master.replicated;
}

/** True where weights in fp32 are kept, by themselves or beside others. */
static bool has_fp32_weights(const p3d_states *s)
{
    return whole(s->master) == 4 || s->weights.replicated >= 4 ||
           s->weights.sharded >= 4;
}

/* Stage 1 shares out the optimizer, 2 the gradients too, 3 the weights too;
 * rows of stages that a framework has not stand for nothing. */
static void stages_share_out_what_they_are_named_for(void **state)
{
    int n;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int kind = 0; kind < P3D_N_STATE_KINDS; kind++) {
            const p3d_states *const z = f[i].states[kind];
            const unsigned has = f[i].zero_stages;

            assert_true(z[0].weights.sharded == 0 &&
                        z[0].gradients.sharded == 0 &&
                        z[0].master.sharded == 0 && z[0].step.sharded == 0);
            for (int stage = 1; stage < 4; stage++)
                assert_true(z[stage].master.replicated == 0);
            assert_true((has >> 2 & 1) == 0 || z[2].gradients.replicated == 0);
            assert_true((has >> 3 & 1) == 0 || replicated(&z[3]) == 0);
            assert_true((has >> 3 & 1) == 0 || z[3].step.replicated == 0);
            for (int stage = 1; stage < 4; stage++)
                assert_true(replicated(&z[stage]) <= replicated(&z[stage - 1]));
        }
    }
}

/* Weights, gradients, two moments of Adam; in a 16-bit run also fp32 weights,
 * kept as such or as a second copy, unless all states are in 16 bit. */
static void every_row_holds_a_whole_training(void **state)
{
    int n;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        for (int kind = 0; kind < P3D_N_STATE_KINDS; kind++) {
            for (int stage = 0; stage < 4; stage++) {
                const p3d_states *s = &f[i].states[kind][stage];
                const bool pure = kind == P3D_STATE_PURE_16;
                const bool ddp = strncmp(f[i].name, "ddp", 3) == 0;
                const double sum = whole(s->weights) + whole(s->gradients) +
                                   whole(s->master) + (pure ? 4 : 8);

                assert_int_equal(has_fp32_weights(s), !pure);
                assert_true(whole(s->weights) >= 2);
                assert_true(whole(s->gradients) >= 2);
                /* DDP keeps 16-bit casts and buckets beside: 6 B more. */
                assert_true(pure ? sum >= 8 && sum <= 10
                                 : sum >= 16 && sum <= (ddp ? 22 : 20));
                assert_non_null(s->source);
            }
        }
    }
}

static void what_a_framework_can_run_is_consistent(void **state)
{
    int n, n_copies;
    const p3d_framework *f = p3d_frameworks(&n);

    (void)state;
    for (int i = 0; i < n; i++) {
        assert_true(f[i].zero_stages != 0 && f[i].zero_stages < 16);
        assert_int_equal(f[i].zero_stages_pipeline & ~f[i].zero_stages, 0);
        assert_true(f[i].schedules & (1u << P3D_1F1B));
        assert_true(f[i].pipeline || f[i].schedules == 1u << P3D_1F1B);
        assert_true(f[i].vocab_multiple >= 1);
        (void)p3d_loss_copies(f[i].usual_loss, &n_copies);
        assert_true(n_copies >= 1);
        assert_true(
                p3d_loss_passes(f[i].usual_loss, P3D_BF16)->bytes_per_logit[0] >
                0);
        assert_true(f[i].kernels >> f[i].attention[0] & 1);
        assert_true(f[i].kernels >> f[i].attention[1] & 1);
        assert_true(f[i].attention[1] >= f[i].attention[0]);
        assert_true((f[i].host_s_per_kernel > 0) != f[i].one_program);
        assert_true(f[i].memory_error_frac > 0 && f[i].memory_error_frac < 0.5);
        for (int phase = 0; phase < 2; phase++) {
            assert_true(f[i].pass[0].residual[phase] > 0);
            assert_true(f[i].pass[1].mlp[phase] > 0);
            assert_true(f[i].pass[0].attention[phase] >= 0);
            assert_true(f[i].pass[0].n_kernels[phase] > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(frameworks_are_found_by_name_and_alias),
            cmocka_unit_test(every_alias_is_listed_and_finds_its_framework),
            cmocka_unit_test(names_are_unique),
            cmocka_unit_test(
                    the_current_ones_are_those_that_a_new_run_chooses_from),
            cmocka_unit_test(transformers_on_fsdp2_is_both),
            cmocka_unit_test(stages_share_out_what_they_are_named_for),
            cmocka_unit_test(every_row_holds_a_whole_training),
            cmocka_unit_test(what_a_framework_can_run_is_consistent),
    };

    return cmocka_run_group_tests_name("framework", tests, NULL, NULL);
}
