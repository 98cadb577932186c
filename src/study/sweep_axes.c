/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_axes.c - what a sweep combines: what is given twice counts once. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "spec/hardware.h"
#include "study/sweep.h"

static bool has(const p3d_numbers *numbers, int64_t number)
{
    for (int i = 0; i < numbers->n; i++) {
        if (numbers->at[i] == number)
            return true;
    }
    return false;
}

/* Numbers, each once; 0 alone where there are none. */
static bool add_numbers(
        const int64_t *at, int n, p3d_numbers *out, p3d_error *err)
{
    if (n == 0)
        return p3d_numbers_add(out, 0, err);
    for (int i = 0; i < n; i++) {
        if (!has(out, at[i]) && !p3d_numbers_add(out, at[i], err))
            return false;
    }
    return true;
}

/* "torchtitan" is "fsdp2". A word that is neither is refused later. */
static bool is_same_framework(const char *a, const char *b)
{
    const p3d_framework *const found = p3d_framework_find(a);

    if (found == NULL)
        return p3d_same_word(a, b);
    return found == p3d_framework_find(b);
}

static void add_framework(const char *word, study_axes *out)
{
    for (int i = 0; i < out->n_frameworks; i++) {
        if (is_same_framework(out->frameworks[i], word))
            return;
    }
    out->frameworks[out->n_frameworks++] = word;
}

/* All but the number of GPUs. */
static bool is_same_type(const p3d_sweep_cluster *a, const p3d_sweep_cluster *b)
{
    if (a->usd_per_gpu_h != b->usd_per_gpu_h)
        return false;
    if (spec_cluster_is_file(a->word) || spec_cluster_is_file(b->word))
        return strcmp(a->word, b->word) == 0;
    return strcmp(a->cluster.gpu.name, b->cluster.gpu.name) == 0 &&
           strcmp(a->cluster.node.name, b->cluster.node.name) == 0 &&
           a->cluster.node.gpus_per_node == b->cluster.node.gpus_per_node;
}

/* Whether so many GPUs are asked for; 0 = any number of them. */
static bool has_count(const study_cluster *cluster, int64_t n_gpus)
{
    if (cluster->of->sized)
        return cluster->of->cluster.n_gpus == n_gpus;
    return n_gpus == 0 ? cluster->counts.n == 0 : has(&cluster->counts, n_gpus);
}

/* Whether no cluster before has that. */
static bool is_new(
        const study_axes *axes, const p3d_sweep_cluster *of, int64_t n_gpus)
{
    for (int i = 0; i < axes->n_clusters; i++) {
        if (is_same_type(axes->clusters[i].of, of) &&
                has_count(&axes->clusters[i], n_gpus))
            return false;
    }
    return true;
}

static bool add_cluster(
        const p3d_sweep_cluster *of, study_axes *out, p3d_error *err)
{
    study_cluster *const cluster = &out->clusters[out->n_clusters];
    const bool counted = !of->sized && of->n_counts > 0;
    bool ok = true;

    cluster->of = of;
    for (int i = 0; counted && i < of->n_counts && ok; i++) {
        if (is_new(out, of, of->counts[i]) &&
                !has(&cluster->counts, of->counts[i]))
            ok = p3d_numbers_add(&cluster->counts, of->counts[i], err);
    }
    if (counted ? cluster->counts.n > 0
                : is_new(out, of, of->sized ? of->cluster.n_gpus : 0))
        out->n_clusters++; /* what it holds is released with the others */
    return ok;
}

static bool check_n_rows(const study_axes *axes, p3d_error *err)
{
    int64_t n_clusters = 0;

    for (int i = 0; i < axes->n_clusters; i++)
        n_clusters += axes->clusters[i].counts.n + 1;
    if (p3d_mul(n_clusters,
                p3d_mul(axes->n_frameworks,
                        p3d_mul(axes->seq_lens.n, axes->batches.n))) >
            P3D_MAX_SWEEP_ROWS)
        return p3d_fail(err, P3D_USAGE,
                "more than %d combinations; write larger steps, or ranges that "
                "double, such as 8..1024",
                (int)P3D_MAX_SWEEP_ROWS);
    return true;
}

static bool reserve(
        const p3d_sweep_options *options, study_axes *out, p3d_error *err)
{
    out->clusters = calloc((size_t)options->n_clusters, sizeof(*out->clusters));
    out->frameworks =
            calloc((size_t)options->n_frameworks + 1, sizeof(*out->frameworks));
    return (out->clusters != NULL && out->frameworks != NULL) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

bool study_axes_build(
        const p3d_sweep_options *options, study_axes *out, p3d_error *err)
{
    if (!reserve(options, out, err))
        return false;
    for (int i = 0; i < options->n_clusters; i++) {
        if (!add_cluster(&options->clusters[i], out, err))
            return false;
    }
    if (options->n_frameworks == 0)
        add_framework("", out);
    for (int i = 0; i < options->n_frameworks; i++)
        add_framework(options->frameworks[i], out);
    return add_numbers(options->seq_lens, options->n_seq_lens, &out->seq_lens,
                   err) &&
           add_numbers(
                   options->batches, options->n_batches, &out->batches, err) &&
           check_n_rows(out, err);
}

void study_axes_free(study_axes *axes)
{
    for (int i = 0; i < axes->n_clusters; i++)
        p3d_numbers_free(&axes->clusters[i].counts);
    free(axes->clusters);
    free(axes->frameworks);
    p3d_numbers_free(&axes->seq_lens);
    p3d_numbers_free(&axes->batches);
}

int64_t study_axes_n_jobs(const study_axes *axes)
{
    return (int64_t)axes->n_clusters * axes->n_frameworks * axes->seq_lens.n *
           axes->batches.n;
}

const study_cluster *study_axes_cluster(const study_axes *axes, int64_t i)
{
    return &axes->clusters[i / axes->batches.n / axes->seq_lens.n /
                           axes->n_frameworks];
}

/* The last axis changes first. */
p3d_sweep_point study_axes_job(const study_axes *axes, int64_t i)
{
    const int64_t batch = i % axes->batches.n;
    const int64_t seq = i / axes->batches.n % axes->seq_lens.n;
    const int64_t rest = i / axes->batches.n / axes->seq_lens.n;

    return (p3d_sweep_point){
            .cluster = study_axes_cluster(axes, i)->of,
            .framework = axes->frameworks[rest % axes->n_frameworks],
            .seq_len = axes->seq_lens.at[seq],
            .global_batch = axes->batches.at[batch],
    };
}
