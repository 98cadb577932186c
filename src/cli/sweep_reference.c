/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_reference.c - a deadline that is the time of another cluster. */
#include "cli/sweep_reference.h"

#include <string.h>

#include "base/util.h"
#include "cli/sweep_cluster.h"
#include "plan3d/units.h"

/** One cluster of a fixed size. */
static bool read_cluster(
        const char *word, p3d_sweep_cluster *out, p3d_error *err)
{
    p3d_numbers counts = {.n = 0};
    p3d_error cause = {0};
    const bool ok = cli_sweep_cluster_read(word, out, &counts, &cause);

    p3d_numbers_free(&counts);
    if (!ok)
        return p3d_fail(err, P3D_USAGE, "--deadline: %.400s", cause.text);
    return out->sized ||
           p3d_fail(err, P3D_USAGE,
                   "--deadline: '%.60s' does not say how many GPUs; write for "
                   "example 512xH100, or a time such as 30d",
                   word);
}

/** The seconds of the training on one cluster. */
static bool find_time(const p3d_sweep_options *of,
        const p3d_sweep_cluster *cluster, double *out, p3d_error *err)
{
    p3d_sweep_options options = *of;
    p3d_sweep found = {.rows = NULL};
    bool ok;

    options.clusters = cluster;
    options.n_clusters = 1;
    options.deadline_s = 0;
    options.budget_usd = 0;
    options.next = NULL;
    ok = p3d_sweep_run(&options, &found, err) &&
         ((found.n_rows == 1 && found.rows[0].fits) ||
                 p3d_fail(err, P3D_USAGE,
                         "--deadline: the training does not surely fit on "
                         "%.60s, so it has no time there; write a time such as "
                         "30d, or a larger cluster",
                         cluster->word));
    *out = ok ? found.rows[0].training_s : 0;
    if (ok && !(*out > 0))
        ok = p3d_fail(err, P3D_USAGE,
                "--deadline %.60s: a cluster has a time only for --tokens, "
                "which are looked for here; write a time such as 30d",
                cluster->word);
    p3d_sweep_free(&found);
    return ok;
}

bool cli_deadline_read(const char *word, const p3d_sweep_options *of,
        double *out, bool *is_cluster, p3d_error *err)
{
    p3d_sweep_cluster cluster = {.unit = 0};
    p3d_error cause = {0};

    *is_cluster = false;
    if (p3d_parse_seconds(word, out, &cause))
        return true;
    if (strchr(word, 'x') == NULL && strchr(word, '.') == NULL)
        return p3d_fail(err, P3D_USAGE,
                "--deadline: %.400s, or a cluster such as 512xH100, whose time "
                "it is",
                cause.text);
    *is_cluster = true;
    if (!read_cluster(word, &cluster, err))
        return false;
    if (of->n_seq_lens > 1 || of->n_batches > 1 || of->n_frameworks > 1)
        return p3d_fail(err, P3D_USAGE,
                "--deadline %.60s: the time of a cluster is that of one job; "
                "leave lists of --seq, --batch and --framework out",
                word);
    return find_time(of, &cluster, out, err);
}
