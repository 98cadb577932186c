/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_companion.c - a frozen model beside the trained one, by hand. */
#include "problem.h"

#include <string.h>

#include "cost/cost.h"

/* LLaMA-2-7B and -13B; a table of 32000 x 4096 is in each end of the first. */
enum { H = 4096, L = 32, V = 32000 };
static const int64_t small = INT64_C(6738415616);
static const int64_t large = INT64_C(13015864320);

static p3d_problem llama(const char *framework)
{
    return problem_of("llama-2-7b", "8xA100", framework, 4096, 16);
}

static void teach(p3d_problem *p, const char *teacher)
{
    p3d_error err = {0};

    problem_check(
            p3d_model_find(teacher, &p->job.companion.teacher, &err), &err);
}

static p3d_stage stage_of(const p3d_problem *p, const char *words)
{
    const p3d_plan plan = problem_plan(p, words);
    p3d_refusal refusal;

    if (!p3d_plan_legal(&p->model, &p->cluster, &p->job, &plan, &refusal))
        fail_msg("%s: %s", words, refusal.reason);
    return problem_stage(p, &plan, 0);
}

/** Bytes that the frozen model adds to a term of rank 0. */
static int64_t more_weights(p3d_problem p, const char *words)
{
    const int64_t with = stage_of(&p, words).memory.weights_bytes;

    p.job.companion = (p3d_companion){.reference = P3D_REFERENCE_NONE};
    return with - stage_of(&p, words).memory.weights_bytes;
}

/* 2 B a weight on each of 8 replicas, or an eighth with ZeRO-3; of adapters
 * the base is the reference; megatron-core keeps it on the host. */
static void the_weights_are_shared_out_as_the_framework_does(void **state)
{
    p3d_problem trl = llama("deepspeed-hf");
    p3d_problem megatron = llama("megatron-core");

    (void)state;
    trl.job.companion.reference = P3D_REFERENCE_SELF;
    megatron.job.companion.reference = P3D_REFERENCE_SELF;
    assert_int_equal(more_weights(trl, "zero=2,mbs=2"), 2 * small);
    assert_int_equal(more_weights(trl, "zero=3,mbs=2"), 2 * small / 8);
    assert_int_equal(more_weights(megatron, "zero=1,tp=8,mbs=2"), 0);
    trl.job.adapters.rank = 16;
    assert_int_equal(more_weights(trl, "zero=2,mbs=2"), 0);
    trl.job.adapters.rank = 0;
    trl.job.companion.reference = P3D_REFERENCE_PRECOMPUTED;
    assert_int_equal(more_weights(trl, "zero=2,mbs=2"), 0);
    trl.job.companion.reference = P3D_REFERENCE_NONE;
    teach(&trl, "llama-2-13b");
    /* Its 40 layers are shared out over 32, each rounded up. */
    assert_in_range(
            more_weights(trl, "zero=2,mbs=2"), 2 * large, 2 * (large + L));
    teach(&megatron, "llama-2-13b");
    megatron.job.companion.reference = P3D_REFERENCE_NONE;
    CHECK_REL((double)more_weights(megatron, "zero=1,tp=8"),
            2.0 * (double)large / 8, 1e-3); /* norms are whole */
}

/* A frozen model takes 2 operations a weight and 2 H s/2 x 2 of attention in
 * each layer: a third of what the trained one does. */
static void the_forward_pass_is_a_third_of_the_training(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    const double alone = p3d_model_flop_per_token(&p.model, &p.job);

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    CHECK_REL(p3d_model_flop_per_token(&p.model, &p.job), alone * 4 / 3, 1e-12);
    p.job.companion.reference = P3D_REFERENCE_PRECOMPUTED;
    CHECK_REL(p3d_model_flop_per_token(&p.model, &p.job), alone, 1e-12);
    p.job.companion.reference = P3D_REFERENCE_KTO; /* 3 + 2 + 1 of 3 */
    CHECK_REL(p3d_model_flop_per_token(&p.model, &p.job), alone * 2, 1e-12);
    p.job.companion.reference = P3D_REFERENCE_NONE;
    teach(&p, "llama-2-13b");
    CHECK_REL(p3d_model_flop_per_token(&p.model, &p.job) - alone,
            2.0 * (double)(large - (int64_t)V * 5120) +
                    40.0 * 4 * 5120 * 4097 / 2,
            1e-3);
}

static p3d_block block_of(const p3d_problem *p, int block)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_blocks blocks;

    shard.micro_batch = 2;
    p3d_blocks_build(p, shard, &blocks);
    return blocks.block[block];
}

/* A layer's forward pass comes twice, what it keeps, recomputes and runs
 * backward once; the second one writes no inputs for gradients. */
static void a_reference_runs_forward_and_keeps_nothing(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    const p3d_block alone = block_of(&p, 0);
    p3d_block both;

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    both = block_of(&p, 0);
    CHECK_REL(both.forward_s, 2 * alone.forward_s, 1e-9);
    CHECK_REL(both.backward_s, alone.backward_s, 1e-12);
    for (int i = 0; i < P3D_N_RECOMPUTES; i++) {
        assert_int_equal(both.saved_bytes[i], alone.saved_bytes[i]);
        CHECK_REL(both.replay_s[i], alone.replay_s[i], 1e-12);
    }
    assert_int_equal(both.working_bytes, alone.working_bytes);
    assert_int_equal(both.companion.dense, alone.params.dense);
    assert_int_equal(both.params.dense, 2 * alone.params.dense);
    assert_int_equal(both.trained.dense, alone.trained.dense);
}

/* Two sequences of 4,096 tokens: their logits in 16 bit a second time; beside
 * a teacher's what holds both against each other, 32 B a logit in TRL. */
static void the_loss_holds_the_logits_of_both(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    const int64_t logits = INT64_C(2) * 4096 * V;
    const int64_t alone = block_of(&p, P3D_BLOCK_HEAD).working_bytes;

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    assert_int_equal(
            block_of(&p, P3D_BLOCK_HEAD).working_bytes, alone + 2 * logits);
    p.job.companion.reference = P3D_REFERENCE_NONE;
    teach(&p, "llama-2-13b");
    assert_int_equal(block_of(&p, P3D_BLOCK_HEAD).working_bytes,
            alone + (2 + 32) * logits);
}

/* 3 x 2 B x P over 0.88 x 32 GB/s, once a step. */
static void a_reference_is_swapped_in_once_a_step(void **state)
{
    p3d_problem p = llama("megatron-core");
    const char *const words = "tp=8,zero=1,mbs=2,sp";
    p3d_estimate e;
    double copies;

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    e = problem_estimate(&p, words);
    copies = 3 * 2.0 * (double)small / 8 /
             (0.88 * p.cluster.gpu.pcie_bytes_per_s_one_way);
    CHECK_REL(e.time.offload_s, copies,
            2e-3); /* norms are whole, tables padded */
    p.job.companion.reference = P3D_REFERENCE_PRECOMPUTED;
    e = problem_estimate(&p, words);
    assert_true(e.time.offload_s == 0);
}

/* ZeRO-3 gathers 2 P forward and P backward, where 2 P were gathered before:
 * half as much again, beside nothing. */
static void a_reference_is_gathered_once(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    const p3d_params all = {.dense = small};
    const p3d_params both = {.dense = 2 * small};
    const p3d_params none = {.dense = 0};
    const cost_pass_time pass = {0, 0};
    const p3d_plan plan = problem_plan(&p, "zero=3");
    double once, twice;

    (void)state;
    p.job.dp_overlap = P3D_OVERLAP_OFF;
    once = cost_dp_exposed_s(
            &p, &plan, (cost_shared){all, none, none}, pass, 1);
    twice = cost_dp_exposed_s(
            &p, &plan, (cost_shared){both, none, all}, pass, 1);
    CHECK_REL(twice, 1.5 * once, 0.03); /* starts do not grow */
}

static void refuses(const p3d_problem *p, const char *words, const char *why)
{
    const p3d_plan plan = problem_plan(p, words);
    p3d_refusal refusal;

    assert_false(
            p3d_plan_legal(&p->model, &p->cluster, &p->job, &plan, &refusal));
    if (strstr(refusal.reason, why) == NULL)
        fail_msg("%s: %s", words, refusal.reason);
}

static void what_no_framework_runs_is_refused(void **state)
{
    p3d_problem p = llama("fsdp2");

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    refuses(&p, "zero=3", "fsdp2 has no preference training");
    p = llama("megatron-core");
    p.job.companion.reference = P3D_REFERENCE_SELF;
    refuses(&p, "tp=8", "try mbs=2");
    p.job.n_mtp_layers = 1;
    refuses(&p, "tp=8,mbs=2", "leave out --mtp");
    p.job.n_mtp_layers = 0;
    p.job.global_batch = 15;
    refuses(&p, "tp=8,mbs=2", "is not of pairs");
    p.job.global_batch = 16;
    teach(&p, "llama-2-13b");
    refuses(&p, "tp=8,mbs=2", "two trainings");
    p.job.companion.reference = P3D_REFERENCE_NONE;
    refuses(&p, "tp=4,pp=2,vp=2,schedule=interleaved", "try vp=1");
    p.job.companion.teacher.n_layers = 39;
    refuses(&p, "tp=4,pp=2", "does not divide the 39 layers");
    teach(&p, "llama-3-8b");
    refuses(&p, "tp=8", "a vocabulary of 128256");
    p = llama("fsdp2");
    teach(&p, "llama-2-13b");
    refuses(&p, "zero=3", "fsdp2 has no distillation");
    p = problem_of("llama-2-7b", "8xA100", "generic", 4096, 16);
    teach(&p, "llama-2-13b");
    p.job.companion.teacher.learned_positions = 2048;
    p.job.companion.teacher.max_positions = 2048;
    refuses(&p, "tp=8", "the teacher has learned 2048 positions");
    p = problem_of("llama-2-7b", "8xA100", "generic", 4096, 16);
    p.job.asynchronous = true;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    refuses(&p, "pp=2,schedule=2bw,mbs=2,zero=1", "runs no frozen model");
}

/* The reference and the trained model on one of another prompt, too: three
 * forward passes, and the weights once. Its sequences are single. */
static void kto_runs_forward_three_times_more(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    const p3d_block alone = block_of(&p, 0);
    p3d_block all;

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_KTO;
    all = block_of(&p, 0);
    CHECK_REL(all.forward_s, 4 * alone.forward_s, 1e-9);
    CHECK_REL(all.backward_s, alone.backward_s, 1e-12);
    assert_int_equal(all.companion.dense, alone.params.dense);
    assert_int_equal(p3d_companion_passes(&p.job), 3);
    assert_false(p3d_companion_pairs(&p.job));
    p.job.adapters.rank = 8;
    assert_true(p3d_companion_is_base(&p.job));
}

/* A program may have it in the host's memory on any framework. */
static void a_reference_that_is_swapped_takes_no_memory(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    p3d_framework swapping = *p.job.framework;

    (void)state;
    p.job.companion.reference = P3D_REFERENCE_SELF;
    assert_int_not_equal(block_of(&p, 0).companion.dense, 0);
    swapping.swaps_reference = true;
    p.job.framework = &swapping;
    assert_int_equal(block_of(&p, 0).companion.dense, 0);
}

/* Of a head of one number: h weights in place of V h, and no logits of words.
 */
static void a_head_of_one_number_has_no_words(void **state)
{
    p3d_problem p = llama("deepspeed-hf");
    const int64_t words = p3d_total_params(&p.model);
    const p3d_block of_words = block_of(&p, P3D_BLOCK_HEAD);
    p3d_block of_one;

    (void)state;
    p.model.n_outputs = 1;
    p.job.companion.reference = P3D_REFERENCE_PAIRS;
    of_one = block_of(&p, P3D_BLOCK_HEAD);
    assert_int_equal(words - p3d_total_params(&p.model),
            (int64_t)(p.model.vocab - 1) * p.model.hidden);
    assert_true(of_one.forward_s < of_words.forward_s / 10);
    assert_true(p3d_companion_pairs(&p.job));
    assert_null(p3d_companion_of(&p.job, &p.model));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_weights_are_shared_out_as_the_framework_does),
            cmocka_unit_test(the_forward_pass_is_a_third_of_the_training),
            cmocka_unit_test(kto_runs_forward_three_times_more),
            cmocka_unit_test(a_head_of_one_number_has_no_words),
            cmocka_unit_test(a_reference_that_is_swapped_takes_no_memory),
            cmocka_unit_test(a_reference_runs_forward_and_keeps_nothing),
            cmocka_unit_test(the_loss_holds_the_logits_of_both),
            cmocka_unit_test(a_reference_is_swapped_in_once_a_step),
            cmocka_unit_test(a_reference_is_gathered_once),
            cmocka_unit_test(what_no_framework_runs_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
