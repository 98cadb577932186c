/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c - what to change when nothing fits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/best_framework.h"
#include "search/exact/engine.h"
#include "spec/given.h"
#include "spec/job_sizes.h"

/* How far a larger cluster is looked for: a factor, and what keeps the answer
 * instant: steps, bounds of memory (a million takes a second), halves of a
 * step. */
enum {
    GROWTH_FACTOR = 64,
    MAX_SIZES = 512,
    MOST_WORK = 1000000,
    MOST_HALVES = 6
};

enum { SHORTEST_SEQUENCE = 512 };

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

/** A way through larger clusters. */
typedef struct growth {
    const p3d_problem *problem;
    const p3d_pins *pins;
    p3d_search_result *scratch;
    int64_t work_left;
} growth;

/** What a number of GPUs comes to: one that nodes cannot have ends a way. */
typedef enum size { SIZE_NOT_THERE, SIZE_TOO_SMALL, SIZE_FITS } size;

static size try_size(growth *g, int64_t n_gpus)
{
    p3d_problem larger = *g->problem;
    int64_t work = 0;
    bool fits;

    if (!resize(&larger, (int)n_gpus))
        return SIZE_NOT_THERE;
    fits = search_fits(&larger, g->pins, g->scratch, &work);
    g->work_left -= work;
    return fits ? SIZE_FITS : SIZE_TOO_SMALL;
}

/** The smallest between a cluster that is too small and one that is not, taking
 *  it that all above the smallest fit. */
static int64_t bisect(growth *g, int64_t low, int64_t high)
{
    const int64_t step = g->problem->cluster.node.gpus_per_node;

    for (int i = 0; i < MOST_HALVES && high - low > step; i++) {
        const int64_t middle = low + (high - low) / step / 2 * step;

        if (try_size(g, middle) == SIZE_FITS)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/** Smallest larger cluster of at most so many GPUs, or 0. Every whole number of
 *  nodes is tried while that takes little, because a larger one need not be
 *  better: its divisors may be poor. Then the clusters double, and the step
 *  from the last that was too small is bisected. */
static int smallest_larger(const p3d_problem *problem, const p3d_pins *pins,
        int max_gpus, p3d_search_result *scratch)
{
    growth g = {problem, pins, scratch, MOST_WORK};
    const int64_t step = problem->cluster.node.gpus_per_node;
    const int64_t largest = max_gpus / step * step;
    int64_t low = problem->cluster.n_gpus;

    for (int tried = 0; tried < MAX_SIZES; tried++) {
        const bool fine = g.work_left > 0;
        const int64_t more = !fine             ? low
                             : low < 64 * step ? step
                                               : low / 64 / step * step;
        const int64_t n = low + more < largest ? low + more : largest;
        const size found = n > low ? try_size(&g, n) : SIZE_NOT_THERE;

        if (found == SIZE_NOT_THERE)
            return 0;
        if (found == SIZE_FITS)
            return (int)(fine ? n : bisect(&g, low, n));
        low = n;
    }
    return 0;
}

int p3d_smallest_cluster(const p3d_problem *problem, int max_gpus)
{
    if (!spec_problem_given(problem))
        return 0;

    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *scratch = malloc(sizeof(*scratch));
    int64_t work = 0;
    int n = 0;

    if (scratch == NULL)
        return 0;
    n = search_fits(problem, &pins, scratch, &work)
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
            shorter.job.global_batch <= P3D_MAX_BATCH / 2) {
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

/** Drop the pins, if there are any. */
static int without_pins(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    const p3d_pins free_pins = p3d_pins_free();

    if (p3d_pins_are_free(pins))
        return 0;
    return add_change(problem, &free_pins,
            "without the pinned values, or with another offload", scratch, out);
}

/** The best other framework on the same cluster. */
static int other_framework(const p3d_problem *problem, const p3d_pins *pins,
        p3d_search_result *scratch, p3d_change *out)
{
    const p3d_search_options options = {.n_top = 1, .limit_s = HUGE_VAL};
    const p3d_framework_list all = p3d_frameworks_current();
    p3d_framework_list others = {.n = 0};
    p3d_framework_ranking ranking;
    p3d_problem other = *problem;
    char words[160];

    for (int i = 0; i < all.n; i++)
        if (all.at[i] != problem->job.framework)
            others.at[others.n++] = all.at[i];
    if (!p3d_rank_frameworks(
                problem, pins, &others, &options, &ranking, NULL) ||
            !p3d_take_first_framework(&ranking, &other, NULL))
        return 0;
    (void)snprintf(words, sizeof(words), "framework %s%s",
            other.job.framework->name,
            p3d_job_is_usually_16(&other.job)
                    ? " (weights and moments in 16 bit)"
                    : "");
    return add_change(&other, pins, words, scratch, out);
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
    if (!spec_problem_given(problem) || !spec_pins_given(pins) ||
            changes == NULL)
        return 0;

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
