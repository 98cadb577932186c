/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory_changes.c - one thing of a job or a plan is changed: which way
 * the memory goes. */
#include "random_plan.h"

#include <string.h>

static const char *const frameworks[] = {
        "generic", "megatron-core", "megatron-kwai", "deepspeed", "fsdp2"};
enum {
    N_FRAMEWORKS = sizeof(frameworks) / sizeof(*frameworks),
    N_PLANS = 70 /* of each model and framework */
};

/** A change, and how many plans it was tried on. */
typedef int check_plan(
        random_source *r, const p3d_problem *problem, p3d_plan plan);

static void on_random_plans(uint32_t seed, check_plan *check, int least)
{
    random_source r = {seed};
    int n = 0;

    for (int f = 0; f < N_FRAMEWORKS; f++) {
        for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
            const p3d_problem problem = random_problem(i, frameworks[f]);

            for (int j = 0; j < N_PLANS; j++)
                n += check(&r, &problem, random_plan(&r, &problem));
        }
    }
    if (n < least)
        print_error("%d plans only\n", n);
    assert_true(n >= least);
}

static p3d_memory memory_of(
        const p3d_problem *problem, const p3d_plan *plan, int stage)
{
    return problem_stage(problem, plan, stage).memory;
}

/** Every stage of b needs what that of a needs, or more. */
static int check_no_less(const p3d_problem *a, const p3d_plan *plan_a,
        const p3d_problem *b, const p3d_plan *plan_b)
{
    for (int s = 0; s < plan_a->pp; s++) {
        const p3d_memory less = memory_of(a, plan_a, s);
        const p3d_memory more = memory_of(b, plan_b, s);

        CHECK_PLAN(b, plan_b,
                p3d_memory_allocated_bytes(&more) + P3D_N_MEMORY_TERMS >=
                        p3d_memory_allocated_bytes(&less));
    }
    return 1;
}

static void check_same(
        const p3d_problem *problem, const p3d_plan *a, const p3d_plan *b)
{
    for (int s = 0; s < a->pp; s++) {
        const p3d_memory x = memory_of(problem, a, s);
        const p3d_memory y = memory_of(problem, b, s);

#define CHECK_FIELD(field, words) \
    CHECK_PLAN(problem, b, x.field##_bytes == y.field##_bytes);
        P3D_MEMORY_TERMS(CHECK_FIELD)
#undef CHECK_FIELD
    }
}

static int shard_of_all(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    p3d_plan other = plan;

    (void)r;
    other.shard = plan.dp * plan.cp;
    if (plan.zero == 0)
        return 0;
    check_same(problem, &plan, &other);
    return 1;
}

static void sharing_among_all_is_the_usual(void **state)
{
    (void)state;
    on_random_plans(31, shard_of_all, 1000);
}

static int half_the_shard(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    p3d_plan fewer = plan;
    const int replicas = plan.dp * plan.cp;

    if (plan.zero == 0 || replicas % 2 != 0)
        return 0;
    plan.shard = replicas >> random_below(r, 2);
    if (plan.shard % 2 != 0)
        return 0;
    fewer.shard = plan.shard / 2;
    return check_no_less(problem, &plan, problem, &fewer);
}

static void fewer_sharers_never_need_less(void **state)
{
    (void)state;
    on_random_plans(32, half_the_shard, 1000);
}

/** Bytes of the chunks that stay whole on a stage, whatever is offloaded. */
static int64_t whole_chunks(
        const p3d_problem *problem, p3d_plan plan, int stage)
{
    int64_t none;

    plan.activation_offload_frac = 0;
    none = memory_of(problem, &plan, stage).buffers_bytes;
    plan.activation_offload_frac = 1;
    return memory_of(problem, &plan, stage).buffers_bytes - none;
}

/* Where more is alive than the chunks that stay whole on the device while the
 * rest is elsewhere; not beside the loss, whose moment is another. */
static int offload_more(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    p3d_plan more = plan;
    int n = 0;

    if (!problem->job.framework->activation_offload)
        return 0;
    for (int s = 0; s < plan.pp - 1; s++) {
        const p3d_memory whole = memory_of(problem, &plan, s);
        p3d_memory a, b;

        if (whole.activations_bytes <= whole_chunks(problem, plan, s))
            continue;
        plan.activation_offload_frac = random_below(r, 4) / 4.0;
        more.activation_offload_frac = plan.activation_offload_frac + 0.25;
        a = memory_of(problem, &plan, s);
        b = memory_of(problem, &more, s);
        CHECK_PLAN(problem, &more,
                p3d_memory_allocated_bytes(&b) <=
                        p3d_memory_allocated_bytes(&a) + P3D_N_MEMORY_TERMS);
        plan.activation_offload_frac = 0;
        n++;
    }
    return n;
}

static void offloading_more_activations_never_needs_more(void **state)
{
    (void)state;
    on_random_plans(33, offload_more, 500);
}

/* What is on the host grows with the share, and is there with none. */
static int offload_twice_as_much(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    p3d_plan twice = plan;
    p3d_estimate none, some, more;

    if (!problem->job.framework->activation_offload)
        return 0;
    CHECK_PLAN(problem, &plan, random_try(problem, &plan, &none));
    plan.activation_offload_frac = (1 + random_below(r, 4)) / 8.0;
    twice.activation_offload_frac = 2 * plan.activation_offload_frac;
    CHECK_PLAN(problem, &plan, random_try(problem, &plan, &some));
    CHECK_PLAN(problem, &twice, random_try(problem, &twice, &more));
    CHECK_PLAN(problem, &plan,
            some.host_bytes_per_node > none.host_bytes_per_node);
    CHECK_PLAN(problem, &twice,
            more.host_bytes_per_node > some.host_bytes_per_node);
    if (plan.offload == P3D_OFFLOAD_NONE)
        CHECK_REL((double)more.host_bytes_per_node,
                2.0 * (double)some.host_bytes_per_node, 1e-6);
    return 1;
}

static void the_host_takes_what_is_offloaded(void **state)
{
    (void)state;
    on_random_plans(34, offload_twice_as_much, 500);
}

static int offload_more_states(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    p3d_plan more = plan;
    p3d_estimate a, b;

    if (plan.offload == P3D_OFFLOAD_NONE ||
            (problem->job.framework->offload_ratio_stages >> plan.zero & 1) ==
                    0)
        return 0;
    plan.offload_frac = (1 + random_below(r, 3)) / 4.0;
    more.offload_frac = plan.offload_frac + 0.25;
    CHECK_PLAN(problem, &plan, random_try(problem, &plan, &a));
    CHECK_PLAN(problem, &more, random_try(problem, &more, &b));
    CHECK_PLAN(problem, &more, b.host_bytes_per_node > a.host_bytes_per_node);
    return check_no_less(problem, &more, problem, &plan);
}

static void offloading_more_states_never_needs_more(void **state)
{
    (void)state;
    on_random_plans(35, offload_more_states, 200);
}

/** True when two problems share out the layers in the same way. */
static bool same_layers(
        const p3d_problem *a, const p3d_problem *b, const p3d_plan *plan)
{
    int x[P3D_MAX_LAYERS] = {0}, y[P3D_MAX_LAYERS] = {0};

    return p3d_plan_split_layers(&a->model, &a->job, plan, x) &&
           p3d_plan_split_layers(&b->model, &b->job, plan, y) &&
           memcmp(x, y, sizeof(x)) == 0;
}

/* The last rank has a layer more, and its head twice. A map of layers that
 * makes up for that is another story. */
static int one_block_more(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    p3d_problem with = *problem;
    const int last =
            plan.schedule == P3D_ZB_V || plan.schedule == P3D_DUALPIPE_V
                    ? 0
                    : plan.pp - 1;
    p3d_memory a, b;

    with.job.n_mtp_layers = 1 + random_below(r, 3);
    if (!same_layers(problem, &with, &plan))
        return 0;
    check_no_less(problem, &plan, &with, &plan);
    a = memory_of(problem, &plan, last);
    b = memory_of(&with, &plan, last);
    CHECK_PLAN(&with, &plan,
            b.weights_bytes > a.weights_bytes ||
                    plan.offload != P3D_OFFLOAD_NONE);
    CHECK_PLAN(&with, &plan,
            p3d_memory_allocated_bytes(&b) > p3d_memory_allocated_bytes(&a));
    return 1;
}

static void predicting_more_tokens_needs_more(void **state)
{
    (void)state;
    on_random_plans(36, one_block_more, 1000);
}

/* The busiest rank's experts see more rows than the mean. */
static int a_busier_rank(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    const int kind = problem->model.layer_kind[problem->model.n_layers - 1];
    p3d_problem busy = *problem;
    p3d_blocks a, b;

    if ((kind & P3D_LAYER_MOE) == 0)
        return 0;
    busy.job.expert_load = 1.5 + random_below(r, 3);
    p3d_blocks_build(problem, p3d_plan_shard(&plan), &a);
    p3d_blocks_build(&busy, p3d_plan_shard(&plan), &b);
    CHECK_PLAN(&busy, &plan,
            b.block[kind].saved_bytes[P3D_RECOMPUTE_NONE] >
                    a.block[kind].saved_bytes[P3D_RECOMPUTE_NONE]);
    return check_no_less(problem, &plan, &busy, &plan);
}

static void busy_experts_need_more(void **state)
{
    (void)state;
    on_random_plans(37, a_busier_rank, 300);
}

/* Narrower formats and smaller moments; and what is put off is held. */
static int change_of_formats(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    const p3d_optimizer smaller[] = {
            P3D_SGD, P3D_LION, P3D_MUON, P3D_ADAFACTOR, P3D_ADAM_8BIT};
    p3d_problem other = *problem;

    other.job.optimizer = smaller[random_below(r, 5)];
    check_no_less(&other, &plan, problem, &plan);
    other = *problem;
    other.job.gradient_dtype = P3D_STATE_IN_16;
    if (problem->job.framework->typed_states)
        check_no_less(&other, &plan, problem, &plan);
    other = *problem;
    other.job.moment_dtype = P3D_STATE_IN_8;
    check_no_less(&other, &plan, problem, &plan);
    other = *problem;
    other.job.master_dtype = P3D_STATE_IN_16;
    check_no_less(&other, &plan, problem, &plan);
    other = *problem;
    other.job.optimizer_in_backward = true;
    check_no_less(&other, &plan, problem, &plan);
    other = *problem;
    other.job.dropout = true;
    check_no_less(problem, &plan, &other, &plan);
    other = *problem;
    other.job.deferred_logits = 1 + random_below(r, 20);
    return check_no_less(problem, &plan, &other, &plan);
}

static void narrower_states_never_need_more(void **state)
{
    (void)state;
    on_random_plans(38, change_of_formats, 2000);
}

/* Selective recomputation of more units keeps less, what comes back included
 * where the micro-batches in flight are many. */
static int more_units(
        random_source *r, const p3d_problem *problem, p3d_plan plan)
{
    const unsigned known = problem->job.framework->modules;
    p3d_plan more = plan;

    plan.recompute = more.recompute = P3D_RECOMPUTE_SELECTIVE;
    plan.recompute_layers = more.recompute_layers = 0;
    plan.recompute_modules =
            (unsigned)random_below(r, 1 << P3D_N_MODULES) & known;
    if (plan.recompute_modules == 0)
        return 0;
    more.recompute_modules =
            plan.recompute_modules |
            ((unsigned)random_below(r, 1 << P3D_N_MODULES) & known);
    for (int s = 0; s < plan.pp; s++) {
        const p3d_stage a = problem_stage(problem, &plan, s);
        const p3d_stage b = problem_stage(problem, &more, s);

        if (a.pass == b.pass)
            CHECK_PLAN(problem, &more,
                    b.memory.activations_bytes <= a.memory.activations_bytes);
        /* Beside the rest one layer's module comes back. */
        if (a.in_flight * a.n_layers >= 2)
            CHECK_PLAN(problem, &more,
                    p3d_memory_allocated_bytes(&b.memory) <=
                            p3d_memory_allocated_bytes(&a.memory) +
                                    P3D_N_MEMORY_TERMS);
    }
    return 1;
}

static void recomputing_more_units_never_keeps_more(void **state)
{
    (void)state;
    on_random_plans(39, more_units, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(sharing_among_all_is_the_usual),
            cmocka_unit_test(fewer_sharers_never_need_less),
            cmocka_unit_test(offloading_more_activations_never_needs_more),
            cmocka_unit_test(the_host_takes_what_is_offloaded),
            cmocka_unit_test(offloading_more_states_never_needs_more),
            cmocka_unit_test(predicting_more_tokens_needs_more),
            cmocka_unit_test(busy_experts_need_more),
            cmocka_unit_test(narrower_states_never_need_more),
            cmocka_unit_test(recomputing_more_units_never_keeps_more),
    };

    return cmocka_run_group_tests_name("memory changes", tests, NULL, NULL);
}
