/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_plan.h - random legal plans of catalog models, from a fixed seed. */
#ifndef PLAN3D_TEST_RANDOM_PLAN_H
#define PLAN3D_TEST_RANDOM_PLAN_H

#include "problem.h"

#include "base/util.h"
#include "spec/legality.h"

typedef struct random_source {
    uint32_t state;
} random_source;

/** A number in 0 .. n - 1. */
static inline int random_below(random_source *r, int n)
{
    r->state = r->state * 1664525u + 1013904223u;
    return (int)((r->state >> 8) % (uint32_t)n);
}

/** A power of two, 1 .. 2^largest; small ones more often. */
static inline int random_power(random_source *r, int largest)
{
    const int a = random_below(r, largest + 1);
    const int b = random_below(r, largest + 1);

    return 1 << (a < b ? a : b);
}

/** Models on machines of their time; the last ones share keys and values, have
 *  layers without attention, or layers of one part each. */
static const struct {
    const char *model, *cluster;
    int seq_len, global_batch;
} random_problems[] = {
        {"llama-2-7b", "64xA100", 4096, 256},
        {"llama-3-70b", "256xH100", 8192, 512},
        {"gpt3-175b", "128xA100", 2048, 1536},
        {"mixtral-8x7b", "64xH100", 4096, 512},
        {"deepseek-v3", "512xH800", 4096, 4096},
        {"gemma-2-9b", "32xB200", 8192, 128},
        {"falcon-40b", "64xA100-40G", 2048, 1024},
        {"qwen3-30b-a3b", "32xH200", 4096, 512},
        {"gpt-oss-120b", "72xGB200", 8192, 288},
        {"opt-1.3b", "16xMI300X", 2048, 256},
        {"gemma-4-e4b", "16xH100", 8192, 128},
        {"qwen3-next-80b-a3b", "64xH100", 4096, 512},
        {"nemotron-3-nano-30b", "32xH200", 8192, 256},
        {"kimi-linear-48b-a3b", "64xH800", 4096, 512},
};
enum { N_RANDOM_PROBLEMS = sizeof(random_problems) / sizeof(*random_problems) };

/** Machines that a framework runs on, where those of the list are not. */
static inline const char *random_cluster(int i, const char *framework)
{
    static const char *const slices[] = {
            "64xTPU-v5p", "2x128xTPU-v5p", "128xTPU-v6e", "32xTPU-v7x"};
    const p3d_framework *const f = p3d_framework_find(framework);
    const p3d_devices devices = f != NULL ? f->devices : P3D_ON_ANY;

    return devices == P3D_ON_TPU      ? slices[i % P3D_COUNT_OF(slices)]
           : devices == P3D_ON_ASCEND ? (i % 2 == 0 ? "64x910B" : "256x910B")
                                      : random_problems[i].cluster;
}

static inline p3d_problem random_problem(int i, const char *framework)
{
    return problem_of(random_problems[i].model, random_cluster(i, framework),
            framework, random_problems[i].seq_len,
            random_problems[i].global_batch);
}

/** One guess; mostly not legal. */
static inline p3d_plan random_guess(
        random_source *r, const p3d_problem *problem)
{
    p3d_plan p = {.tp = random_power(r, 3),
            .pp = random_power(r, 4),
            .cp = random_power(r, 2),
            .ep = problem->model.n_experts > 0 ? random_power(r, 5) : 1,
            .vp = 1,
            .micro_batch = random_power(r, 2),
            .zero = random_below(r, 4),
            .recompute = (p3d_recompute)random_below(r, P3D_N_RECOMPUTES),
            .schedule = random_below(r, 4) == 0 ? P3D_GPIPE : P3D_1F1B};

    if (p.cp > 1 && random_below(r, 3) == 0)
        p.ulysses = random_power(r, 2);
    if (p.pp == 1)
        p.schedule = P3D_1F1B;
    if (p.pp > 1 && random_below(r, 3) == 0) {
        p.vp = 2 + random_below(r, 3);
        p.schedule = P3D_INTERLEAVED;
    }
    if (p.recompute == P3D_RECOMPUTE_FULL)
        p.recompute_layers = random_below(r, 4);
    if (random_below(r, 4) == 0 && p.zero >= 1)
        p.offload = P3D_OFFLOAD_OPTIMIZER;
    p.sequence_parallel = p.tp > 1 && random_below(r, 4) != 0;
    p.etp = p.ep == 1 || random_below(r, 2) == 0 ? p.tp : 1;
    p.dp = problem->cluster.n_gpus / (p.tp * p.pp * p.cp);
    return p;
}

/** Guess until a plan is legal. @return false when none is found */
static inline bool random_find(
        random_source *r, const p3d_problem *problem, p3d_plan *out)
{
    const bool runs = p3d_job_runs(
            &problem->model, &problem->cluster, &problem->job, NULL);

    for (int i = 0; runs && i < 100000; i++) {
        *out = random_guess(r, problem);
        if (out->dp >= 1 &&
                spec_plan_keeps_all(&problem->model, &problem->cluster,
                        &problem->job, out, NULL))
            return true;
    }
    return false;
}

/** The same, which must find one. */
static inline p3d_plan random_plan(random_source *r, const p3d_problem *problem)
{
    p3d_plan plan;

    if (!random_find(r, problem, &plan))
        fail_msg("no legal plan of %s", problem->model.name);
    return plan;
}

/** The estimate of a plan, when it is legal. */
static inline bool random_try(
        const p3d_problem *problem, const p3d_plan *plan, p3d_estimate *out)
{
    return p3d_estimate_plan(problem, plan, out, NULL);
}

typedef void random_check(const p3d_problem *problem, const p3d_plan *plan);

/** Run a check on random plans of every model and several frameworks, a
 *  quarter of them with eager attention. */
static inline void random_each(uint32_t seed, random_check *check)
{
    static const char *const frameworks[] = {
            "megatron-core", "deepspeed", "fsdp2", "generic"};
    enum { N_PLANS = 150 };
    random_source r = {seed};

    for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
        for (int f = 0; f < P3D_COUNT_OF(frameworks); f++) {
            p3d_problem problem = random_problem(i, frameworks[f]);

            for (int j = 0; j < N_PLANS; j++) {
                p3d_plan plan;

                problem.job.attention = j % 4 == 0 ? P3D_EAGER : P3D_FLASH;
                plan = random_plan(&r, &problem);
                check(&problem, &plan);
            }
        }
    }
}

/** Say which plan of which model broke a property. */
static inline void random_say(const p3d_problem *problem, const p3d_plan *plan)
{
    char words[256];

    print_error("%s on %s, %s: %s\n", problem->model.name,
            problem->cluster.name, problem->job.framework->name,
            p3d_plan_print(plan, words, sizeof(words)));
}

/** Assert with the plan that broke it. */
#define CHECK_PLAN(problem, plan, condition) \
    do {                                     \
        if (!(condition))                    \
            random_say((problem), (plan));   \
        assert_true(condition);              \
    } while (0)

#endif
