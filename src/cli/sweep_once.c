/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_once.c - what a sweep was given twice is searched, and shown, once. */
#include <string.h>

#include "base/util.h"
#include "cli/question.h"
#include "cli/sweep.h"
#include "spec/hardware.h"

static bool has(const p3d_numbers *numbers, int n, int64_t number)
{
    for (int i = 0; i < n; i++) {
        if (numbers->at[i] == number)
            return true;
    }
    return false;
}

static void keep_first_of_numbers(p3d_numbers *numbers)
{
    int n = 0;

    for (int i = 0; i < numbers->n; i++) {
        if (!has(numbers, n, numbers->at[i]))
            numbers->at[n++] = numbers->at[i];
    }
    numbers->n = n;
}

/* "torchtitan" is "fsdp2". A word that is neither is refused later. */
static bool is_same_framework(const char *a, const char *b)
{
    const p3d_framework *const found = p3d_framework_find(a);

    if (found == NULL)
        return p3d_same_word(a, b);
    return found == p3d_framework_find(b);
}

static void keep_first_of_frameworks(cli_sweep_axes *axes)
{
    int n = 0;

    for (int i = 0; i < axes->n_frameworks; i++) {
        bool is_new = true;

        for (int k = 0; k < n; k++)
            is_new = is_new && !is_same_framework(axes->frameworks[k],
                                       axes->frameworks[i]);
        if (is_new && n++ < i)
            memcpy(axes->frameworks[n - 1], axes->frameworks[i],
                    sizeof(axes->frameworks[0]));
    }
    axes->n_frameworks = n;
}

/* All but the number of GPUs. */
static bool is_same_cluster(
        const cli_sweep_cluster *a, const cli_sweep_cluster *b)
{
    if (a->usd_per_gpu_h != b->usd_per_gpu_h)
        return false;
    if (p3d_cluster_is_file(a->word) || p3d_cluster_is_file(b->word))
        return strcmp(a->word, b->word) == 0;
    return strcmp(a->cluster.gpu.name, b->cluster.gpu.name) == 0 &&
           strcmp(a->cluster.node.name, b->cluster.node.name) == 0 &&
           a->cluster.node.gpus_per_node == b->cluster.node.gpus_per_node;
}

static bool has_count(const cli_sweep_cluster *cluster, int64_t n_gpus)
{
    return cluster->sized ? cluster->cluster.n_gpus == n_gpus
                          : has(&cluster->counts, cluster->counts.n, n_gpus);
}

/* Take from a cluster the numbers of GPUs that an earlier one has.
 * @return whether something is left */
static bool leave_new(
        const cli_sweep_cluster *earlier, cli_sweep_cluster *cluster)
{
    p3d_numbers *const counts = &cluster->counts;
    int n = 0;

    if (!is_same_cluster(earlier, cluster))
        return true;
    if (cluster->sized)
        return !has_count(earlier, cluster->cluster.n_gpus);
    if (counts->n == 0) /* a type alone: any number of them */
        return earlier->sized || earlier->counts.n > 0;
    for (int i = 0; i < counts->n; i++) {
        if (!has_count(earlier, counts->at[i]))
            counts->at[n++] = counts->at[i];
    }
    counts->n = n;
    return n > 0;
}

static void keep_first_of_clusters(cli_sweep_axes *axes)
{
    int n = 0;

    for (int i = 0; i < axes->n_clusters; i++) {
        bool is_new = true;

        keep_first_of_numbers(&axes->clusters[i].counts);
        for (int k = 0; k < n && is_new; k++)
            is_new = leave_new(&axes->clusters[k], &axes->clusters[i]);
        if (!is_new)
            p3d_numbers_free(&axes->clusters[i].counts);
        else if (n++ < i)
            axes->clusters[n - 1] = axes->clusters[i];
    }
    axes->n_clusters = n;
}

void cli_sweep_keep_first(cli_sweep_axes *axes)
{
    keep_first_of_clusters(axes);
    keep_first_of_frameworks(axes);
    keep_first_of_numbers(&axes->seq_lens);
    keep_first_of_numbers(&axes->batches);
}
