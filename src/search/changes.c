/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c - what to change when nothing fits. */
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/search.h"
#include "search/fits.h"

/* How far a larger cluster is looked for: a factor, and a number of steps that
 * keeps the answer instant. */
enum { GROWTH_FACTOR = 64, MAX_SIZES = 512, SHORTEST_SEQUENCE = 512 };

/* As many as a command line takes for a batch. */
static const int64_t MOST_SEQUENCES = 1000000000;

/** The problem on another number of GPUs. A batch that those cannot share out
 *  is replaced by the default one. */
static bool resize(p3d_problem *problem, int n_gpus)
{
    p3d_error ignored = {.code = P3D_OK};
    int odd = n_gpus;

    if (!p3d_cluster_resize(&problem->cluster, n_gpus, &ignored))
        return false;
    while (odd % 2 == 0)
        odd /= 2;
    if (problem->job.global_batch % odd != 0)
        problem->job.global_batch =
                p3d_job_default_batch(problem->job.seq_len, n_gpus);
    return true;
}

/** Smallest larger cluster; every whole number of nodes is tried, because a
 *  larger one need not be better: its divisors may be poor. */
static int smallest_larger(const p3d_problem *problem, const p3d_pins *pins,
        int max_gpus, p3d_search_result *scratch)
{
    const int step = problem->cluster.node.gpus_per_node;
    int tried = 0;

    for (int64_t n = problem->cluster.n_gpus; n <= max_gpus;) {
        p3d_problem larger = *problem;

        if (tried++ >= MAX_SIZES)
            break;
        if (n != problem->cluster.n_gpus &&
                (!resize(&larger, (int)n) ||
                        search_fits(&larger, pins, scratch)))
            return larger.cluster.n_gpus == (int)n ? (int)n : 0;
        n += n < 64 * step ? step : (n / 64 / step) * step;
    }
    return 0;
}

int p3d_smallest_cluster(const p3d_problem *problem, int max_gpus)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *scratch = malloc(sizeof(*scratch));
    int n = 0;

    if (scratch == NULL)
        return 0;
    n = search_fits(problem, &pins, scratch)
                ? problem->cluster.n_gpus
                : smallest_larger(problem, &pins, max_gpus, scratch);
    free(scratch);
    return n;
}

/** Search the changed problem; keep it when something fits. */
static int add_change(const p3d_problem *changed, const p3d_pins *pins,
        const char *words, p3d_search_result *scratch, p3d_change *out)
{
    p3d_error ignored = {.code = P3D_OK};

    if (!p3d_search(changed, pins, 1, scratch, &ignored) || scratch->n_top == 0)
        return 0;
    *out = (p3d_change){.estimate = scratch->top[0],
            .n_gpus = changed->cluster.n_gpus,
            .seq_len = changed->job.seq_len,
            .global_batch = changed->job.global_batch};
    (void)p3d_copy(out->words, sizeof(out->words), words);
    return 1;
}

/** The longest shorter sequence that fits, with the same tokens per step. */
static int shorter_sequence(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    p3d_problem shorter = *problem;
    char words[160];

    while (shorter.job.seq_len % 2 == 0 &&
            shorter.job.seq_len / 2 >= SHORTEST_SEQUENCE &&
            shorter.job.global_batch <= MOST_SEQUENCES / 2) {
        shorter.job.seq_len /= 2;
        shorter.job.global_batch *= 2;
        (void)snprintf(words, sizeof(words), "sequences of %d tokens",
                shorter.job.seq_len);
        if (add_change(&shorter, pins, words, scratch, out))
            return 1;
    }
    return 0;
}

static int larger_cluster(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    const int64_t most = (int64_t)problem->cluster.n_gpus * GROWTH_FACTOR;
    const int n = smallest_larger(problem, pins,
            most > P3D_MAX_GPUS ? P3D_MAX_GPUS : (int)most, scratch);
    p3d_problem larger = *problem;
    char words[160];

    if (n == 0 || !resize(&larger, n))
        return 0;
    (void)snprintf(words, sizeof(words), "%d GPUs instead of %d", n,
            problem->cluster.n_gpus);
    return add_change(&larger, pins, words, scratch, out);
}

/** Drop the pins, if there are any that matter. */
static int without_pins(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    const p3d_pins free_pins = p3d_pins_free();

    (void)pins;
    return add_change(problem, &free_pins,
            "without the pinned values, or with another offload", scratch, out);
}

/** Another framework on the same cluster. */
static int other_framework(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    int n;
    const p3d_framework *frameworks = p3d_frameworks(&n);
    p3d_problem other = *problem;
    char words[160];

    for (int i = 0; i < n; i++) {
        if (&frameworks[i] == problem->job.framework ||
                p3d_same_word(frameworks[i].name, "any"))
            continue;
        other.job.framework = &frameworks[i];
        (void)snprintf(
                words, sizeof(words), "framework %s", frameworks[i].name);
        if (add_change(&other, pins, words, scratch, out))
            return 1;
    }
    return 0;
}

/** SGD with momentum: one fp32 state less per parameter. */
static int smaller_optimizer(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    p3d_problem other = *problem;

    if (problem->job.optimizer != P3D_ADAM)
        return 0;
    other.job.optimizer = P3D_SGD;
    return add_change(&other, pins,
            "optimizer sgd (one state less per parameter)", scratch, out);
}

int p3d_find_changes(const p3d_problem *problem, const p3d_pins *pins,
        p3d_change changes[P3D_MAX_CHANGES])
{
    static int (*const finders[])(const p3d_problem *, const p3d_pins *,
            p3d_search_result *, p3d_change *) = {without_pins,
            shorter_sequence, other_framework, smaller_optimizer,
            larger_cluster};
    p3d_search_result *scratch = malloc(sizeof(*scratch));
    int n = 0;

    if (scratch == NULL)
        return 0;
    for (int i = 0; i < P3D_COUNT_OF(finders); i++)
        n += finders[i](problem, pins, scratch, &changes[n]);
    free(scratch);
    return n;
}
