/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_axes.c - what a sweep combines: clusters, counts, jobs, prices. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/sweep.h"
#include "plan3d/units.h"
#include "spec/hardware.h"
#include "spec/job_sizes.h"

/* A part of a list that stands between commas. */
enum { PART = CLI_CLUSTER_WORD };

/* Take the next part of a list. @return false at its end, or with an error */
static bool next_part(const char **at, char part[PART], p3d_error *err)
{
    const size_t n = *at == NULL ? 0 : strcspn(*at, ",");

    if (*at == NULL)
        return false;
    if (n == 0 || n >= PART)
        return p3d_fail(err, P3D_USAGE,
                n == 0 ? "'%.60s' has an empty place; write words with one "
                         "comma between them"
                       : "'%.60s...' is too long",
                *at);
    memcpy(part, *at, n);
    part[n] = '\0';
    *at = (*at)[n] == ',' ? *at + n + 1 : NULL;
    return true;
}

/* "8..1024xH100": length of the range before the x; 0 = there is none. */
static size_t range_length(const char *word)
{
    const size_t n = strspn(word, "0123456789.:KMkm");

    if (n == 0 || (word[n] != 'x' && word[n] != 'X') || word[n + 1] == '\0')
        return 0;
    for (size_t i = 0; i < n; i++)
        if (word[i] == ':' || (word[i] == '.' && word[i + 1] == '.'))
            return n;
    return 0;
}

/* A whole node of a type of GPU, to be resized. */
static bool read_type(const char *type, cli_sweep_cluster *out, p3d_error *err)
{
    char words[PART + 2] = "1x";
    p3d_node node;

    (void)p3d_copy(words + 2, PART, type);
    (void)p3d_copy(out->word, sizeof(out->word), type);
    return p3d_cluster_find(words, &out->cluster, err) &&
           p3d_node_load(out->cluster.node.name, &node, err) &&
           p3d_cluster_resize(&out->cluster, node.gpus_per_node, err);
}

static bool read_range(
        const char *word, size_t n, cli_sweep_cluster *out, p3d_error *err)
{
    const char *const type = word + n + 1;

    if (type[strspn(type, "0123456789")] == 'x')
        return p3d_fail(err, P3D_USAGE,
                "'%s': a range counts GPUs, not nodes; write it before the "
                "type alone, such as 8..1024xH100",
                word);
    return p3d_numbers_parse(
                   word, n, (p3d_bounds){1, P3D_MAX_GPUS}, &out->counts, err) &&
           read_type(type, out, err);
}

/* "8,16xH100": what stands between commas is a cluster each. */
static bool is_bare_count(const char *word)
{
    return word[strspn(word, "0123456789")] == '\0';
}

static bool looks_like_type(const char *word)
{
    return strchr("0123456789+-.", word[0]) == NULL &&
           strchr(word, '/') == NULL && strstr(word, ".json") == NULL;
}

/* A cluster word of any kind. */
static bool read_cluster(
        const char *word, cli_sweep_cluster *out, p3d_error *err)
{
    const size_t n_range = range_length(word);
    p3d_gpu gpu;

    if (n_range > 0)
        return read_range(word, n_range, out, err);
    if (is_bare_count(word))
        return p3d_fail(err, P3D_USAGE,
                "'%s' names no GPU; write %sxH100, or a type alone and --gpus "
                "%s,...",
                word, word, word);
    if (looks_like_type(word))
        return p3d_gpu_find(word, &gpu, err) && read_type(word, out, err);
    out->sized = true;
    (void)p3d_copy(out->word, sizeof(out->word), word);
    return p3d_cluster_find(word, &out->cluster, err);
}

/* A list of numbers, or 0 alone for the default. */
static bool read_numbers(const char *option, const char *list, int64_t max,
        p3d_numbers *out, p3d_error *err)
{
    p3d_error cause = {0};

    if (list == NULL)
        return p3d_numbers_add(out, 0, err);
    return p3d_numbers_parse(
                   list, strlen(list), (p3d_bounds){1, max}, out, &cause) ||
           p3d_fail(err, cause.code, "--%s: %.400s", option, cause.text);
}

/* Numbers of GPUs: of the word, or of --gpus; with a deadline, of neither. */
static bool read_counts(
        const cli_args *args, cli_sweep_cluster *cluster, p3d_error *err)
{
    const bool sized = cluster->sized || cluster->counts.n > 0;

    if (args->gpu_list != NULL && sized)
        return p3d_fail(err, P3D_USAGE,
                "'%s' says how many GPUs already; leave --gpus out, or write "
                "the type alone, such as H100",
                cluster->word);
    if (!sized && args->gpu_list == NULL && args->deadline == NULL)
        return p3d_fail(err, P3D_USAGE,
                "'%s' does not say how many GPUs; write 8..1024x%s, or add "
                "--gpus 8..1024",
                cluster->word, cluster->word);
    return args->gpu_list == NULL ||
           read_numbers(
                   "gpus", args->gpu_list, P3D_MAX_GPUS, &cluster->counts, err);
}

static bool add_cluster(const cli_args *args, const char *word,
        cli_sweep_axes *out, p3d_error *err)
{
    cli_sweep_cluster *cluster = &out->clusters[out->n_clusters];

    if (out->n_clusters == CLI_MAX_CLUSTERS)
        return p3d_fail(
                err, P3D_USAGE, "more than %d clusters", CLI_MAX_CLUSTERS);
    out->n_clusters++;
    return read_cluster(word, cluster, err) && read_counts(args, cluster, err);
}

static bool read_clusters(
        const cli_args *args, cli_sweep_axes *out, p3d_error *err)
{
    for (int i = 1; i < args->n_words; i++) {
        const char *at = args->words[i];
        char part[PART];
        p3d_error cause = {0};

        while (next_part(&at, part, &cause))
            if (!add_cluster(args, part, out, err))
                return false;
        if (cause.code != P3D_OK)
            return p3d_fail(err, cause.code, "%s", cause.text);
    }
    return true;
}

static bool read_frameworks(
        const char *list, cli_sweep_axes *out, p3d_error *err)
{
    const char *at = list;
    char part[PART];
    p3d_error cause = {0};

    out->n_frameworks = list == NULL;
    while (next_part(&at, part, &cause)) {
        if (out->n_frameworks == CLI_MAX_FRAMEWORKS ||
                !p3d_copy(out->frameworks[out->n_frameworks],
                        sizeof(out->frameworks[0]), part))
            return p3d_fail(err, P3D_USAGE,
                    "--framework: more than plan3d knows; see 'plan3d list "
                    "frameworks'");
        out->n_frameworks++;
    }
    return cause.code == P3D_OK ||
           p3d_fail(err, cause.code, "--framework: %s", cause.text);
}

/* One price for all clusters, or one for each of them. */
static bool read_prices(const char *list, cli_sweep_axes *out, p3d_error *err)
{
    const char *at = list;
    char part[PART];
    p3d_error cause = {0};
    int n = 0;

    while (next_part(&at, part, &cause)) {
        double usd;

        if (!p3d_parse_number(
                    part, P3D_MIN_USD, P3D_MAX_USD_PER_GPU_H, &usd, &cause))
            break;
        for (int i = n; i < out->n_clusters && (n == 0 || i == n); i++)
            out->clusters[i].usd_per_gpu_h = usd;
        n++;
    }
    if (cause.code != P3D_OK)
        return p3d_fail(err, cause.code, "--price: %.400s", cause.text);
    if (n > 1 && n != out->n_clusters)
        return p3d_fail(err, P3D_USAGE,
                "--price: %d prices for %d cluster%s; write one price, or one "
                "for each cluster",
                n, out->n_clusters, out->n_clusters == 1 ? "" : "s");
    return true;
}

static bool check_n_rows(const cli_sweep_axes *axes, p3d_error *err)
{
    int64_t n_clusters = 0;

    for (int i = 0; i < axes->n_clusters; i++)
        n_clusters += axes->clusters[i].counts.n + 1;
    if (p3d_mul(n_clusters, p3d_mul(axes->n_frameworks,
                                    p3d_mul(axes->seq_lens.n,
                                            axes->batches.n))) > CLI_MAX_ROWS)
        return p3d_fail(err, P3D_USAGE,
                "more than %d combinations; write larger steps, or ranges that "
                "double, such as 8..1024",
                (int)CLI_MAX_ROWS);
    return true;
}

bool cli_sweep_axes_read(
        const cli_args *args, cli_sweep_axes *out, p3d_error *err)
{
    const bool ok = p3d_model_find(args->words[0], &out->model, err) &&
                    read_clusters(args, out, err) &&
                    read_prices(args->price_list, out, err) &&
                    read_frameworks(args->framework_list, out, err) &&
                    read_numbers("seq", args->seq_list, P3D_MAX_SEQ_LEN,
                            &out->seq_lens, err) &&
                    read_numbers("batch", args->batch_list, P3D_MAX_BATCH,
                            &out->batches, err);

    if (ok)
        cli_sweep_keep_first(out);
    return ok && check_n_rows(out, err);
}

void cli_sweep_axes_free(cli_sweep_axes *axes)
{
    for (int i = 0; i < axes->n_clusters; i++)
        p3d_numbers_free(&axes->clusters[i].counts);
    p3d_numbers_free(&axes->seq_lens);
    p3d_numbers_free(&axes->batches);
}

int64_t cli_sweep_n_jobs(const cli_sweep_axes *axes)
{
    return (int64_t)axes->n_clusters * axes->n_frameworks * axes->seq_lens.n *
           axes->batches.n;
}

/* The last axis changes first. */
cli_sweep_point cli_sweep_job(const cli_sweep_axes *axes, int64_t i)
{
    const int64_t batch = i % axes->batches.n;
    const int64_t seq = i / axes->batches.n % axes->seq_lens.n;
    const int64_t rest = i / axes->batches.n / axes->seq_lens.n;

    return (cli_sweep_point){
            .cluster = &axes->clusters[rest / axes->n_frameworks],
            .framework = axes->frameworks[rest % axes->n_frameworks],
            .seq_len = axes->seq_lens.at[seq],
            .global_batch = axes->batches.at[batch],
    };
}
