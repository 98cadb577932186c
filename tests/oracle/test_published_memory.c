/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_published_memory.c - peaks of published runs, against those of the
 * ranks that were measured. */
#include "problem.h"

#include <stdio.h>

#include "plan3d/units.h"

#define N_ROWS(table) (int)(sizeof(table) / sizeof(*(table)))

static double allocated_gib(const p3d_memory *memory)
{
    return (double)p3d_memory_allocated_bytes(memory) / P3D_GIB;
}

/* LLaMA-65B on 256 H800, kwai/Megatron-Kwai@b2646e4 examples/atc24: the most
 * that any rank has allocated, figure 7 of its paper. */
static p3d_problem kwai(void)
{
    p3d_problem problem =
            problem_of("llama-65b", "256xH800", "megatron-kwai", 8192, 256);

    assert_int_equal(problem.model.hidden, 8192);
    assert_int_equal(problem.model.n_layers, 80);
    assert_int_equal(problem.model.n_heads, 64);
    assert_int_equal(problem.model.ffn, 22016);
    problem.model.vocab = 32005; /* of its tokenizer without words */
    return problem;
}

static p3d_estimate kwai_estimate(const char *recompute, int percent)
{
    const p3d_problem problem = kwai();
    char words[128];
    int n = snprintf(words, sizeof(words),
            "tp=2,pp=8,vp=5,cp=2,dp=8,sp,mbs=1,zero=1,recompute=%s", recompute);

    if (percent > 0)
        (void)snprintf(words + n, sizeof(words) - (size_t)n,
                ",offload=activations:%.2f", percent / 100.0);
    return problem_estimate(&problem, words);
}

static const struct {
    const char *recompute;
    int percent; /* of the activations, on the host */
    double gib;
} offloaded[] = {{"selective:layernorm+mlp_act", 0, 60.84},
        {"selective:layernorm+mlp_act", 10, 57.86},
        {"selective:layernorm+mlp_act", 20, 54.86},
        {"selective:layernorm+mlp_act", 30, 51.74},
        {"selective:layernorm+mlp_act", 40, 48.51},
        {"selective:layernorm+mlp_act", 50, 45.27},
        {"selective:layernorm+mlp_act", 60, 42.58},
        {"selective:layernorm+mlp_act", 70, 39.89},
        {"selective:layernorm+mlp_act", 80, 36.25},
        {"selective:layernorm+mlp_act", 90, 33.66},
        {"selective:layernorm+mlp_act", 100, 30.23}, {"none", 30, 67.77},
        {"none", 40, 62.35}, {"none", 50, 56.94}, {"none", 60, 51.91},
        {"none", 70, 46.87}, {"none", 80, 42.68}, {"none", 90, 36.81},
        {"none", 100, 32.12}};

static void offloading_activations_leaves_these_peaks(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(offloaded); i++) {
        const p3d_estimate e =
                kwai_estimate(offloaded[i].recompute, offloaded[i].percent);

        CHECK_REL(allocated_gib(&e.memory), offloaded[i].gib, 0.03);
        assert_true(e.fits);
    }
}

/* Without recomputation these ran out of memory: none is sure to fit. */
static void too_little_offload_does_not_fit(void **state)
{
    (void)state;
    for (int percent = 0; percent <= 20; percent += 10)
        assert_false(kwai_estimate("none", percent).sure);
}

/* The 1B model of huggingface/bench_cluster@f55b5e5: 4,096 tokens, 1,024
 * sequences a step, H100, ZeRO-1. */
static p3d_problem bench_cluster(const char *cluster)
{
    p3d_problem problem =
            problem_of("llama-2-7b", cluster, "nanotron-2024", 4096, 1024);

    problem.model.hidden = 2048;
    problem.model.n_layers = 24;
    problem.model.n_heads = problem.model.n_kv_heads = 32;
    problem.model.head_dim = 64;
    problem.model.ffn = 4096;
    problem.model.vocab = 50257;
    problem.model.tied_embeddings = true;
    return problem;
}

static const struct {
    int n_gpus;
    const char *words;
    double bytes; /* allocated on the first stage */
} stages[] = {{8, "dp=2,tp=4,mbs=8", 27058293965},
        {8, "pp=8,mbs=4", 46170898432}, {16, "dp=4,tp=4,mbs=16", 49853832888},
        {16, "tp=8,pp=2,mbs=8", 17351667876},
        {16, "tp=8,pp=2,mbs=16", 33060510761},
        {16, "tp=8,pp=2,mbs=32", 64467459113},
        {16, "tp=4,pp=4,mbs=8", 25619479921},
        {16, "tp=4,pp=4,mbs=16", 49381386486}, {16, "pp=16,mbs=1", 13217761853},
        {16, "pp=16,mbs=2", 24051816858}, {16, "dp=2,pp=8,mbs=2", 23944442675},
        {16, "dp=2,pp=8,mbs=4", 44549548278},
        {16, "tp=2,pp=8,mbs=8", 48028471788}, {16, "dp=16,mbs=2", 26295937270},
        {16, "dp=16,mbs=4", 44979045007}};

static void the_first_stage_of_nanotron_peaks_here(void **state)
{
    (void)state;
    for (int i = 0; i < N_ROWS(stages); i++) {
        const p3d_problem problem =
                bench_cluster(stages[i].n_gpus == 8 ? "8xH100" : "16xH100");
        const p3d_plan plan = problem_plan(&problem, stages[i].words);
        p3d_memory m;

        (void)problem_estimate(&problem, stages[i].words); /* it is legal */
        m = problem_stage(&problem, &plan, 0).memory;
        CHECK_REL(
                (double)p3d_memory_allocated_bytes(&m), stages[i].bytes, 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(offloading_activations_leaves_these_peaks),
            cmocka_unit_test(too_little_offload_does_not_fit),
            cmocka_unit_test(the_first_stage_of_nanotron_peaks_here),
    };

    return cmocka_run_group_tests_name("published memory", tests, NULL, NULL);
}
