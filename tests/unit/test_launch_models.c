/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_launch_models.c - models that a target's options do not describe are
 * refused, and none of them is written as a plain one. */
#include "problem.h"

#include <stddef.h>
#include <string.h>

#include "exchange/launch/target.h"

static void sees_all(p3d_model *m)
{
    m->sees_all = true;
}

static void attends_to_an_encoder(p3d_model *m)
{
    m->cross_width = m->hidden;
}

static void shares_keys(p3d_model *m)
{
    m->layer_kind[m->n_layers - 1] |= P3D_LAYER_SHARES_KV;
}

static void has_embeddings_of_layers(p3d_model *m)
{
    m->layer_embedding = 256;
    m->layer_vocab = m->vocab;
}

static void has_streams(p3d_model *m)
{
    m->side_streams = 3;
}

static void has_other_heads(p3d_model *m)
{
    m->full_head_dim = 2 * m->head_dim;
    m->full_kv_heads = m->n_kv_heads;
}

static void transforms_its_head(p3d_model *m)
{
    m->head_transform = true;
}

static void has_kinds_of_tokens(p3d_model *m)
{
    m->extra_embeddings = 2;
}

static void gates_with_gelu(p3d_model *m)
{
    m->activation = P3D_ACTIVATION_OTHER;
}

static void has_relu(p3d_model *m)
{
    m->gated_mlp = false;
    m->activation = P3D_ACTIVATION_RELU;
}

/** What a Llama may have that no option says; the first ones no program that
 *  trains on text. */
static void (*const oddities[])(p3d_model *) = {sees_all, attends_to_an_encoder,
        shares_keys, has_embeddings_of_layers, has_streams, has_other_heads,
        transforms_its_head, has_kinds_of_tokens, gates_with_gelu, has_relu};
enum { N_OF_PROGRAMS = 2 };

static bool says(const exchange_target *target, void (*make)(p3d_model *))
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", target->framework, 4096, 64);
    p3d_plan plan = {.tp = 1,
            .cp = 1,
            .pp = 1,
            .vp = 1,
            .ep = 1,
            .etp = 1,
            .dp = 8,
            .micro_batch = 1,
            .zero = 1};
    p3d_refusal refusal;
    exchange_launch launch;

    if (make != NULL)
        make(&problem.model);
    launch = exchange_launch_of(target, &problem, &plan);
    return exchange_target_can_say(target, &launch, &refusal);
}

/** Targets whose options have sizes of a model. */
static bool has_sizes(const char *name)
{
    static const char *const names[] = {
            "megatron", "deepspeed", "nanotron", "flagscale"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void no_options_say_what_they_do_not_have(void **state)
{
    int n_targets = 0;

    (void)state;
    for (int t = 0; exchange_target_at(t) != NULL; t++) {
        const exchange_target *const target = exchange_target_at(t);

        if (!has_sizes(target->name) || !says(target, NULL))
            continue;
        n_targets++;
        for (int i = 0; i < P3D_COUNT_OF(oddities); i++) {
            if (says(target, oddities[i]))
                print_error("%s says %d\n", target->name, i);
            assert_false(says(target, oddities[i]));
        }
    }
    assert_int_equal(n_targets, 4);
}

static void programs_train_on_text_alone(void **state)
{
    int n_programs = 0;

    (void)state;
    for (int t = 0; exchange_target_at(t) != NULL; t++) {
        const exchange_target *const target = exchange_target_at(t);

        if (!target->next_tokens)
            continue;
        n_programs++;
        assert_true(says(target, NULL));
        for (int i = 0; i < N_OF_PROGRAMS; i++)
            assert_false(says(target, oddities[i]));
        assert_true(says(target, has_streams));
    }
    assert_int_equal(n_programs, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(no_options_say_what_they_do_not_have),
            cmocka_unit_test(programs_train_on_text_alone),
    };

    return cmocka_run_group_tests_name("launch_models", tests, NULL, NULL);
}
