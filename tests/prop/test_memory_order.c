/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory_order.c - what needs more memory, on random legal plans. */
#include "random_plan.h"

#include "cost/cost.h"

static int64_t device(const p3d_estimate *e)
{
    return p3d_memory_device_bytes(&e->memory);
}

/* Comparisons of one property: of none it would hold too. */
static int n_compared;

static void each_pair(uint32_t seed, random_check *check)
{
    n_compared = 0;
    random_each(seed, check);
    assert_true(n_compared >= 500);
}

/** A second plan, when legal, needs at least as much as the first. */
static void check_more(const p3d_problem *problem, const p3d_plan *plan,
        const p3d_problem *other_problem, const p3d_plan *other)
{
    p3d_estimate a, b;

    if (!random_try(problem, plan, &a) || !random_try(other_problem, other, &b))
        return;
    n_compared++;
    if (device(&b) < device(&a))
        print_error("%.0f MB, then %.0f MB\n", (double)device(&a) / 1e6,
                (double)device(&b) / 1e6);
    CHECK_PLAN(problem, plan, device(&b) >= device(&a));
}

static void check_terms(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_estimate e;
    int64_t sum = 0;

    assert_true(random_try(problem, plan, &e));
#define ADD(field, words)                                   \
    CHECK_PLAN(problem, plan, e.memory.field##_bytes >= 0); \
    sum += e.memory.field##_bytes;
    P3D_MEMORY_TERMS(ADD)
#undef ADD
    CHECK_PLAN(problem, plan, sum == device(&e));
    CHECK_PLAN(problem, plan,
            e.fits || p3d_estimate_margin_bytes(&e) < 0 ||
                    plan->offload != P3D_OFFLOAD_NONE);
    CHECK_PLAN(problem, plan, e.tight_stage >= 0 && e.tight_stage < plan->pp);
}

static void terms_are_not_negative_and_sum_to_the_peak(void **state)
{
    (void)state;
    random_each(1, check_terms);
}

static void check_micro_batch(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_plan larger = *plan;

    larger.micro_batch *= 2;
    check_more(problem, plan, problem, &larger);
}

static void a_larger_micro_batch_needs_more(void **state)
{
    (void)state;
    each_pair(2, check_micro_batch);
}

static void check_sequence(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_problem longer = *problem;

    longer.job.seq_len *= 2;
    check_more(problem, plan, &longer, plan);
}

static void a_longer_sequence_needs_more(void **state)
{
    (void)state;
    each_pair(3, check_sequence);
}

/* DeepSpeed gathers its weights in as many parts as buckets go into them: with
 * a few more weights there may be one more part, and each is smaller. */
static void check_vocabulary(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_problem larger = *problem;

    larger.model.vocab *= 2;
    if (problem->job.framework->step_bucket <= 0)
        check_more(problem, plan, &larger, plan);
}

static void a_larger_vocabulary_needs_more(void **state)
{
    (void)state;
    each_pair(4, check_vocabulary);
}

/** True where layer n of some chunk, from 0 on, is the first of its kind there.
 */
static bool starts_kind(const p3d_problem *problem, const p3d_plan *plan, int n)
{
    const p3d_model *const m = &problem->model;
    int layers[P3D_MAX_LAYERS];
    int first = 0;

    assert_true(p3d_plan_split_layers(m, &problem->job, plan, layers));
    for (int chunk = 0; chunk < plan->pp * plan->vp; chunk++) {
        bool seen = layers[chunk] <= n;

        for (int i = first; i < first + n && !seen; i++)
            seen = m->layer_kind[i] == m->layer_kind[first + n];
        if (!seen)
            return true;
        first += layers[chunk];
    }
    return false;
}

/* From one layer on: the first adds the tensors of the layer that is run
 * again, which can be more than it saves when one micro-batch is alive. So does
 * the first layer of another kind, such as a mixture of experts after dense
 * layers. The search bisects between such layers alone. */
static void check_recompute(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_plan fewer = *plan, more = *plan;

    fewer.recompute = more.recompute = P3D_RECOMPUTE_FULL;
    for (int n = 1; n <= 16; n++) {
        fewer.recompute_layers = n;
        more.recompute_layers = n + 1;
        if (!starts_kind(problem, plan, n))
            check_more(problem, &more, problem, &fewer);
    }
    fewer.recompute_layers = 1;
    more.recompute_layers = 0;
    check_more(problem, &more, problem, &fewer);
}

static void fewer_recomputed_layers_need_more(void **state)
{
    (void)state;
    each_pair(5, check_recompute);
}

/* Stage 1 always saves where there are replicas to share with, of the experts
 * too; with none it brings nothing but DeepSpeed's flat copies around the step.
 * Stages 2 and 3 gather a layer into buffers, which can
 * outweigh what they share out when a rank has few layers or replicas: at least
 * 8 layers, 8 replicas, and no experts that fewer ranks share. With weights
 * whole, ends are not gathered; stage 3 gathers embedding and head whole, so
 * that a rank of 8 layers still gains where its ends are below its layers. */
static void check_zero(const p3d_problem *problem, const p3d_plan *plan)
{
    const bool shares =
            cost_dense_replicas(plan) > 1 &&
            (problem->model.n_experts == 0 || cost_expert_replicas(plan) > 1);
    p3d_plan higher = *plan;
    p3d_blocks blocks;
    p3d_params ends;

    higher.offload = P3D_OFFLOAD_NONE;
    for (higher.zero = 1; higher.zero <= 3; higher.zero++) {
        p3d_plan lower = higher;

        lower.zero--;
        if (higher.zero == 1 && shares)
            check_more(problem, &higher, problem, &lower);
        if (higher.zero == 1 || problem->model.n_experts > 0 ||
                cost_dense_replicas(plan) < 8 ||
                problem->model.n_layers / plan->pp < 8)
            continue;
        p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
        ends = blocks.block[P3D_BLOCK_EMBEDDING].params;
        ends.dense += blocks.block[P3D_BLOCK_HEAD].params.dense;
        if (higher.zero == 2 || ends.dense < blocks.block[0].params.dense * 2)
            check_more(problem, &higher, problem, &lower);
    }
}

static void a_higher_zero_stage_never_needs_more(void **state)
{
    (void)state;
    each_pair(6, check_zero);
}

/* Twice the GPUs and twice the batch: the micro-batches stay. The second
 * replica brings a communicator, so that allocated memory is compared, and
 * DeepSpeed's flat copies, so that there it must not be the second. */
static void check_replicas(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_problem twice = *problem;
    p3d_plan wider = *plan;

    twice.cluster.n_gpus *= 2;
    twice.cluster.n_nodes *= 2;
    twice.job.global_batch *= 2;
    wider.dp *= 2;
    if (plan->zero == 0 || (cost_dense_replicas(plan) == 1 &&
                                   problem->job.framework->step_bucket > 0))
        return;
    n_compared++;
    for (int rank = 0; rank < plan->pp; rank++) {
        const p3d_stage a = problem_stage(problem, plan, rank);
        const p3d_stage b = problem_stage(&twice, &wider, rank);

        CHECK_PLAN(problem, plan,
                p3d_memory_allocated_bytes(&b.memory) <=
                        p3d_memory_allocated_bytes(&a.memory));
    }
}

static void more_replicas_never_need_more_with_zero(void **state)
{
    (void)state;
    each_pair(7, check_replicas);
}

static void check_peak(const p3d_problem *problem, const p3d_plan *plan)
{
    p3d_estimate e;

    assert_true(random_try(problem, plan, &e));
    for (int rank = 0; rank < plan->pp; rank++) {
        const p3d_stage s = problem_stage(problem, plan, rank);

        CHECK_PLAN(problem, plan,
                p3d_memory_device_bytes(&s.memory) <= device(&e));
    }
}

static void the_peak_is_that_of_the_tightest_rank(void **state)
{
    (void)state;
    random_each(8, check_peak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(terms_are_not_negative_and_sum_to_the_peak),
            cmocka_unit_test(a_larger_micro_batch_needs_more),
            cmocka_unit_test(a_longer_sequence_needs_more),
            cmocka_unit_test(a_larger_vocabulary_needs_more),
            cmocka_unit_test(fewer_recomputed_layers_need_more),
            cmocka_unit_test(a_higher_zero_stage_never_needs_more),
            cmocka_unit_test(more_replicas_never_need_more_with_zero),
            cmocka_unit_test(the_peak_is_that_of_the_tightest_rank),
    };

    return cmocka_run_group_tests_name("order of memory", tests, NULL, NULL);
}
