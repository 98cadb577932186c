/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benches.c - what plan3d-bench has to measure for a plan. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/validate.h"
#include "spec/given.h"

/* Sets of plan3d-bench, which fits need beside the few shapes of a plan, and
 * how many measurements each makes with the default options. Sources:
 * bench/device/gemm_command.c, attention_command.c, memory_command.c and
 * nccl_command.c. */
enum {
    N_SET_PRODUCTS = 48,
    N_SEVERAL_PRODUCTS = 5,
    N_LARGE_PRODUCTS = 2, /* one, and again sustained */
    N_SET_CORES = 16,
    N_SET_PASSES = 7 * 8 + 3 * 8 + 3,
    N_SET_COLLECTIVES = 15 * (4 * 2 + 2)
};

static p3d_bench *add(p3d_benches *to, const char *command, const char *output,
        bool of_plan, int64_t n_measurements)
{
    p3d_bench *const bench = &to->at[to->n++];

    *bench = (p3d_bench){.command = command,
            .output = output,
            .of_plan = of_plan,
            .n_measurements = n_measurements};
    to->n_measurements += n_measurements;
    return bench;
}

static void add_word(p3d_bench *bench, const char *word)
{
    P3D_ASSERT(bench->n_words < P3D_MAX_BENCH_WORDS);
    p3d_copy(bench->words[bench->n_words++], sizeof(bench->words[0]), word);
}

static double flop_of(const p3d_request_gemm *row)
{
    return (double)row->m * (double)row->n * (double)row->k *
           (double)row->count;
}

/* Products of more than half of the largest one's work are sustained too. */
static int64_t n_products(const p3d_request *request)
{
    const p3d_request_gemm *const rows = request->gemm.items;
    double most = 0;
    int64_t n = request->gemm.n;

    for (int i = 0; i < request->gemm.n; i++)
        most = flop_of(&rows[i]) > most ? flop_of(&rows[i]) : most;
    for (int i = 0; i < request->gemm.n; i++)
        n += flop_of(&rows[i]) > 0.5 * most;
    return n;
}

static void add_products(
        p3d_benches *to, p3d_dtype dtype, const p3d_request *request)
{
    const int n_types = dtype == P3D_FP8 ? 2 : 1;
    p3d_bench *const bench = add(to, "gemm", "gemm.json", true,
            n_products(request) +
                    n_types * (N_SET_PRODUCTS + N_SEVERAL_PRODUCTS +
                                      N_LARGE_PRODUCTS));

    add_word(bench, "--points");
    add_word(bench, "48");
    add_word(bench, "--sustain");
    add_word(bench, "10s");
    if (dtype != P3D_BF16) {
        add_word(bench, "--dtype");
        add_word(bench, dtype == P3D_FP8    ? "bf16,fp8"
                        : dtype == P3D_FP16 ? "fp16"
                                            : "tf32");
    }
}

static void add_gpus(p3d_bench *bench, int n_gpus)
{
    char word[sizeof(bench->words[0])];

    snprintf(word, sizeof(word), "%d", n_gpus);
    add_word(bench, "--gpus");
    add_word(bench, word);
}

/* Groups that so many ranks form run twice, one alone and all at once; the one
 * group of all of them once. */
static int64_t n_collectives(const p3d_request *request, int n_ranks)
{
    const p3d_request_collective *const rows = request->collective.items;
    int64_t n = 0;

    for (int i = 0; i < request->collective.n; i++) {
        const p3d_request_collective *const c = &rows[i];
        const int64_t span = c->n_inner > 0
                                     ? c->block * (c->n_ranks / c->n_inner)
                                     : c->stride * c->n_ranks;

        if (n_ranks % span == 0)
            n += c->n_ranks < n_ranks ? 2 : 1;
    }
    return n;
}

static void add_collectives(p3d_benches *to, const p3d_cluster *cluster,
        const p3d_request *request, bool launched)
{
    const int n_local = cluster->node.gpus_per_node;
    p3d_bench *bench = add(to, "nccl", "nccl.json", true,
            n_collectives(request, launched ? cluster->n_gpus : n_local));

    if (!launched)
        add_gpus(bench, n_local);
    /* Over several nodes the set says nothing of the links inside one. */
    if (launched && cluster->n_nodes > 1)
        return;
    bench = add(to, "nccl", "nccl-set.json", false, N_SET_COLLECTIVES);
    if (!launched)
        add_gpus(bench, n_local);
}

void p3d_benches_list(const p3d_problem *problem, const p3d_request *request,
        bool launched, p3d_benches *out)
{
    if (out == NULL)
        return;
    *out = (p3d_benches){.n = 0};
    if (!spec_problem_given(problem) || request == NULL)
        return;
    add_products(out, problem->job.dtype, request);
    if (request->attention.n > 0) {
        add(out, "attention", "attention.json", true, request->attention.n);
        add(out, "attention", "attention-set.json", false, N_SET_CORES);
    }
    add(out, "memory", "memory.json", true,
            P3D_N_REQUEST_KERNELS * request->pass.n);
    add(out, "memory", "memory-set.json", false, N_SET_PASSES);
    if (request->collective.n > 0)
        add_collectives(out, &problem->cluster, request, launched);
    add(out, "capacity", "capacity.json", true, 1);
}
