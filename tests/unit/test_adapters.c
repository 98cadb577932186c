/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_adapters.c - adapters, frozen parts, and weights in 8 and 4 bits, by
 * hand. */
#include "problem.h"

#include <string.h>

#include "cost/cost.h"
#include "spec/adapters.h"

#define I64(n) INT64_C(n)

/* LLaMA-2-7B: 32 layers of queries, keys, values and output 4096 x 4096, gate
 * and up 4096 x 11008, down 11008 x 4096; two tables of 32000 x 4096. */
enum { H = 4096, F = 11008, L = 32 };
static const int64_t all = I64(6738415616);
static const int64_t matrices = (int64_t)L * (4 * H * H + 3 * H * F);
static const int64_t table = I64(32000) * H;

static p3d_problem llama(const char *framework, const char *words)
{
    p3d_problem problem =
            problem_of("llama-2-7b", "8xA100", framework, 4096, 8);
    p3d_error err = {0};

    problem_check(spec_adapters_read(words, &problem.job.adapters, &err), &err);
    return problem;
}

static p3d_stage stage_of(const p3d_problem *problem, const char *words)
{
    const p3d_plan plan = problem_plan(problem, words);
    p3d_refusal refusal;

    if (!p3d_plan_legal(&problem->model, &problem->cluster, &problem->job,
                &plan, &refusal))
        fail_msg("%s: %s", words, refusal.reason);
    return problem_stage(problem, &plan, 0);
}

/** Parameters of the adapters on the only rank of a pipeline. */
static int64_t adapters_of(const p3d_problem *problem, const char *words)
{
    const int64_t held = stage_of(problem, words).params.dense;
    p3d_problem full = *problem;

    full.job.adapters.rank = 0;
    return held - stage_of(&full, words).params.dense;
}

/* Published by PEFT's print_trainable_parameters() for this model: 4,194,304
 * with r = 8 on queries and values, 39,976,960 with r = 16 on all. */
static void adapters_have_their_parameters(void **state)
{
    p3d_problem some = llama("deepspeed-hf", "r=8,targets=q+v");
    p3d_problem every = llama("deepspeed-hf", "r=16");
    p3d_problem joined = llama("megatron-core", "r=16");
    p3d_problem dora = llama("deepspeed-hf", "r=16,dora");

    (void)state;
    assert_int_equal(adapters_of(&some, "zero=0"), 4194304);
    assert_int_equal(adapters_of(&every, "zero=0"), 39976960);
    assert_int_equal(adapters_of(&joined, "zero=0"),
            16 * L * ((H + 3 * H) + (H + H) + (H + 2 * F) + (F + H)));
    assert_int_equal(
            adapters_of(&dora, "zero=0"), 39976960 + L * (5 * H + 2 * F));
    /* Both matrices of each adapter are divided by tp. */
    assert_int_equal(adapters_of(&joined, "tp=4,zero=0,nosp"),
            16 * L * ((H + 3 * H) + (H + H) + (H + 2 * F) + (F + H)) / 4);
}

/* Frozen weights 2 B; of the adapters 2 B, gradients 2, fp32 weights 4 and
 * moments 8, over 8 replicas with ZeRO-2. */
static void states_are_of_the_adapters(void **state)
{
    const p3d_problem p = llama("deepspeed-hf", "r=16");
    const p3d_memory zero0 = stage_of(&p, "zero=0").memory;
    const p3d_memory zero2 = stage_of(&p, "zero=2").memory;
    const p3d_memory zero3 = stage_of(&p, "zero=3").memory;
    const int64_t n = 39976960;

    (void)state;
    assert_int_equal(zero0.weights_bytes, 2 * (all + n));
    assert_int_equal(zero0.optimizer_bytes, 12 * n);
    assert_int_equal(zero2.weights_bytes, 2 * (all + n));
    assert_int_equal(zero2.optimizer_bytes, 12 * n / 8);
    assert_int_equal(zero3.weights_bytes, 2 * (all + n) / 8);
}

/* 8 bits: 1 B; NF4 with scales in 8 bits: 1/2 + 1/64 + 4/(64 256) B; with fp32
 * ones 1/2 + 4/64. The tables and norms stay in 16 bit. */
static void matrices_are_packed(void **state)
{
    static const struct {
        const char *words;
        double bytes;
    } rows[] = {{"r=16,base=8bit", 1}, {"r=16,base=nf4", 0.515869140625},
            {"r=16,base=nf4-single", 0.5625}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        const p3d_problem p = llama("deepspeed-hf", rows[i].words);

        CHECK_REL((double)stage_of(&p, "zero=0").memory.weights_bytes,
                2.0 * (double)(all - matrices + 39976960) +
                        rows[i].bytes * (double)matrices,
                1e-12);
    }
}

/* A token takes 6 operations per weight that is trained, 4 per frozen one:
 * attention 3 (2 x 2 H s/2) in each layer. */
static void frozen_weights_have_no_gradient(void **state)
{
    p3d_problem p = llama("deepspeed-hf", "r=8,targets=q+v");
    const double attention = 3.0 * L * 4 * H * (4096.0 + 1) / 2;
    const double frozen = (double)(matrices + table);
    double full;

    (void)state;
    CHECK_REL(p3d_model_flop_per_token(&p.model, &p.job),
            4 * frozen + 6 * 4194304.0 + attention, 1e-3);
    p.job.adapters.rank = 0;
    full = p3d_model_flop_per_token(&p.model, &p.job);
    p.job.frozen = P3D_PART_HEAD;
    CHECK_REL(full - p3d_model_flop_per_token(&p.model, &p.job),
            2 * (double)table, 1e-9);
}

/** Bytes that a layer keeps for its backward pass. */
static int64_t kept(const p3d_problem *p)
{
    p3d_shard shard = p3d_shard_whole();
    p3d_workload list;

    p3d_workload_build(&p->model, &p->job, shard, 0, &list);
    return p3d_workload_saved_bytes(&list, 0);
}

/* The inputs of the QKV projection and the MLP (s H), of the output projection
 * in the same tensor as the core's output, of the last product (s F); an
 * adapter of r columns keeps s r, and its own input under dropout with a mask
 * of a byte. */
static void inputs_are_kept_for_adapters_alone(void **state)
{
    const int64_t s = 4096;
    p3d_problem p = llama("deepspeed-hf", "r=16");
    int64_t full, none;

    (void)state;
    p.job.adapters.rank = 0;
    full = kept(&p);
    p.job.frozen = P3D_ALL_PARTS & ~(unsigned)P3D_PART_NORMS;
    none = full - 2 * s * (2 * H + F);
    assert_int_equal(kept(&p), none);
    p = llama("deepspeed-hf", "r=16");
    assert_int_equal(kept(&p), full + 2 * s * 16 * 7);
    p = llama("deepspeed-hf", "r=8,targets=q+v");
    assert_int_equal(kept(&p), none + 2 * s * H + 2 * s * 8 * 2);
    p = llama("deepspeed-hf", "r=8,targets=q+v,dropout=0.1");
    assert_int_equal(kept(&p), none + 2 * s * 8 * 2 + 3 * s * H * 2);
}

/* arXiv:2305.14314: 65B is finetuned on one GPU of 48 GB, batches of one
 * sequence of 512 tokens, adapters in 16 bit. */
static void a_large_model_fits_one_gpu(void **state)
{
    p3d_problem p = problem_of("llama-65b", "1xRTX-A6000", "ddp", 512, 16);
    p3d_error err = {0};

    (void)state;
    problem_check(
            spec_adapters_read("r=64,base=nf4", &p.job.adapters, &err), &err);
    p.job.master_dtype = P3D_STATE_NONE;
    assert_true(problem_estimate(&p, "mbs=1,zero=0,recompute=full").fits);
    p.job.adapters.base = P3D_BASE_16;
    assert_false(problem_estimate(&p, "mbs=1,zero=0,recompute=full").fits);
}

static int64_t peak(const p3d_problem *p, const char *words)
{
    const p3d_estimate e = problem_estimate(p, words);

    return p3d_memory_device_bytes(&e.memory);
}

/* Fewer weights are trained: less memory, less time; a larger rank never takes
 * less. */
static void adapters_take_less_than_all(void **state)
{
    static const char *const frameworks[] = {
            "megatron-core", "deepspeed-hf", "fsdp1", "fsdp2-hf", "generic"};
    static const char *const plans[] = {"mbs=1,zero=3,recompute=full"};

    (void)state;
    for (int i = 0; i < 5; i++) {
        const char *const plan = i == 0 ? "tp=2,mbs=1,zero=1,sp" : plans[0];
        p3d_problem p = llama(frameworks[i], "r=16");
        p3d_problem full = p;
        double last_s;
        int64_t last;

        full.job.adapters.rank = 0;
        last = peak(&p, plan);
        last_s = problem_estimate(&p, plan).time.gemm_s;
        assert_true(last < peak(&full, plan));
        assert_true(last_s < problem_estimate(&full, plan).time.gemm_s);
        for (int r = 32; r <= 256; r *= 2) {
            p.job.adapters.rank = r;
            assert_true(peak(&p, plan) >= last);
            assert_true(problem_estimate(&p, plan).time.gemm_s >= last_s);
            last = peak(&p, plan);
            last_s = problem_estimate(&p, plan).time.gemm_s;
        }
    }
}

/** Why a plan or a job with adapters is refused. */
static void check_refused(
        const p3d_problem *p, const char *words, const char *reason)
{
    const p3d_plan plan = problem_plan(p, words);
    p3d_refusal refusal = {0};

    assert_false(
            p3d_plan_legal(&p->model, &p->cluster, &p->job, &plan, &refusal));
    if (strstr(refusal.reason, reason) == NULL)
        fail_msg("'%s' is not '%s'", refusal.reason, reason);
}

static void what_a_framework_lacks_is_refused(void **state)
{
    p3d_problem p = llama("megatron-core", "r=6");

    (void)state;
    check_refused(&p, "tp=4,zero=1", "tp=4 does not divide the rank 6");
    p = llama("megatron-core", "r=16,base=nf4");
    check_refused(&p, "zero=1", "has no weights in nf4; try base=16bit");
    p = llama("fsdp2-hf", "r=16,base=8bit");
    check_refused(&p, "zero=3", "has no weights in 8bit; try base=nf4");
    p = llama("deepspeed-hf", "r=16,base=8bit");
    check_refused(&p, "zero=3", "try another stage");
    p = llama("fsdp2", "r=16");
    check_refused(&p, "zero=3", "fsdp2 has no LoRA; these have:");
    p = llama("fsdp2-hf", "r=16,base=nf4");
    check_refused(&p, "tp=2,zero=3", "does not divide weights in nf4");
    p.job.dtype = P3D_FP32;
    p.job.attention = P3D_EFFICIENT;
    check_refused(&p, "zero=3", "try --dtype bf16");
    p = llama("fsdp2-hf", "r=16,targets=experts");
    check_refused(&p, "zero=3", "none of the matrices");
    p = llama("fsdp2-hf", "r=16");
    p.job.frozen = P3D_PART_HEAD;
    check_refused(&p, "zero=3", "leave out --freeze");
    p.job.adapters.rank = 0;
    p.job.frozen = P3D_ALL_PARTS & ~(unsigned)P3D_PART_HEAD;
    check_refused(&p, "zero=3", "no more than the output matrix");
    p.job.adapters.base = P3D_BASE_NF4;
    check_refused(&p, "zero=3", "they need adapters");
}

static void words_are_read_and_printed(void **state)
{
    static const char *const rows[][2] = {{"r=16", "r=16"}, {"", "r=16"},
            {"32", "r=32"}, {"rank=4,targets=all-linear", "r=4"},
            {"r=8,targets=q_proj+v_proj,dropout=0.05",
                    "r=8,targets=q+v,dropout=0.05"},
            {"r=8,targets=W_pack+w1", "r=8,targets=q+k+v+gate"},
            {"r=8,targets=query_key_value+dense_4h_to_h",
                    "r=8,targets=q+k+v+down"},
            {"base=nf4,dora,targets=attention,train=embeddings+head",
                    "r=16,targets=q+k+v+o,base=nf4,dora,train=embeddings+"
                    "head"}};
    static const char *const wrong[] = {"r=0", "r=x", "targets=z", "base=3bit",
            "dropout=1", "rnk=3", "train=tail", "dora=1x"};
    char text[SPEC_ADAPTERS_WORDS];
    p3d_adapters got;
    unsigned parts = 0;
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < (int)(sizeof(rows) / sizeof(rows[0])); i++) {
        problem_check(spec_adapters_read(rows[i][0], &got, &err), &err);
        assert_string_equal(spec_adapters_print(&got, text), rows[i][1]);
    }
    for (int i = 0; i < (int)(sizeof(wrong) / sizeof(wrong[0])); i++)
        assert_false(spec_adapters_read(wrong[i], &got, &err));
    problem_check(spec_parts_read("head,embeddings", &parts, &err), &err);
    assert_string_equal(spec_parts_print(parts, text), "embeddings,head");
    assert_false(spec_parts_read("heads,tails", &parts, &err));
    assert_null(p3d_target_word(P3D_N_TARGETS));
    assert_null(p3d_part_word(P3D_N_PARTS));
    assert_null(p3d_base_word(P3D_N_BASES));
}

/* A tied matrix is frozen with either end, and trained with either. */
static void tied_ends_are_one_matrix(void **state)
{
    p3d_model m = {.tied_embeddings = true};
    p3d_job job = {.frozen = P3D_PART_HEAD};

    (void)state;
    assert_int_equal(
            p3d_job_frozen(&job, &m), P3D_PART_HEAD | P3D_PART_EMBEDDINGS);
    job.adapters = (p3d_adapters){.rank = 8, .trained = P3D_PART_HEAD};
    assert_int_equal(p3d_job_frozen(&job, &m),
            P3D_ALL_PARTS & ~(P3D_PART_HEAD | P3D_PART_EMBEDDINGS));
    assert_int_equal(p3d_job_frozen(NULL, &m), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(adapters_have_their_parameters),
            cmocka_unit_test(states_are_of_the_adapters),
            cmocka_unit_test(matrices_are_packed),
            cmocka_unit_test(frozen_weights_have_no_gradient),
            cmocka_unit_test(inputs_are_kept_for_adapters_alone),
            cmocka_unit_test(a_large_model_fits_one_gpu),
            cmocka_unit_test(adapters_take_less_than_all),
            cmocka_unit_test(what_a_framework_lacks_is_refused),
            cmocka_unit_test(words_are_read_and_printed),
            cmocka_unit_test(tied_ends_are_one_matrix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
