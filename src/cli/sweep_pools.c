/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_pools.c - a sweep over pools of several types: each cluster with each
 * network, sequence length and batch. */
#include "cli/sweep_pools.h"

#include <stdlib.h>
#include <string.h>

#include "base/number_list.h"
#include "base/util.h"
#include "cli/pools.h"
#include "cli/sweep_cluster.h"
#include "cli/sweep_networks.h"
#include "plan3d/units.h"
#include "report/text/layout.h"
#include "spec/sizes.h"

enum { MAX_ROWS = 64 };

/* What a command line asks for. */
typedef struct asked {
    const cli_args *args;
    int n_clusters;
    char clusters[MAX_ROWS][CLI_PART];
    cli_networks networks;
    p3d_numbers seq_lens, batches;
    double usd_per_gpu_h;
    cli_pools work;
    int n_rows;
    report_pools_row rows[MAX_ROWS];
} asked;

bool cli_sweeps_pools(const cli_args *args)
{
    for (int i = 1; i < args->n_words; i++) {
        const char *at = args->words[i];
        char part[CLI_PART];

        while (cli_next_part(&at, part, NULL))
            if (p3d_are_pools(part))
                return true;
    }
    return false;
}

static bool add_cluster(asked *q, const char *part, p3d_error *err)
{
    if (!p3d_are_pools(part))
        return p3d_fail(err, P3D_USAGE,
                "'%.80s' has GPUs of one type, others have pools of several; "
                "sweep them by themselves",
                part);
    if (q->n_clusters == MAX_ROWS)
        return p3d_fail(err, P3D_USAGE, "more than %d clusters", MAX_ROWS);
    (void)p3d_copy(q->clusters[q->n_clusters++], CLI_PART, part);
    return true;
}

static bool read_clusters(asked *q, p3d_error *err)
{
    p3d_error cause = {0};

    for (int i = 1; i < q->args->n_words; i++) {
        const char *at = q->args->words[i];
        char part[CLI_PART];

        while (cli_next_part(&at, part, &cause))
            if (!add_cluster(q, part, err))
                return false;
    }
    return cause.code == P3D_OK || p3d_fail(err, cause.code, "%s", cause.text);
}

static bool read_numbers(const char *option, const char *list,
        p3d_bounds bounds, p3d_numbers *out, p3d_error *err)
{
    p3d_error cause = {0};

    return list == NULL ||
           p3d_numbers_parse(list, strlen(list), bounds, out, &cause) ||
           p3d_fail(err, cause.code, "--%s: %.400s", option, cause.text);
}

/* Options that take lists in a sweep have one value here. */
static bool check_single(const char *option, const char *list, p3d_error *err)
{
    return list == NULL || strchr(list, ',') == NULL ||
           p3d_fail(err, P3D_USAGE,
                   "--%s: a sweep of pools of several types takes one value; "
                   "lists are for --oversubscription, --rails, --seq and "
                   "--batch",
                   option);
}

static bool read(asked *q, p3d_error *err)
{
    const cli_args *const args = q->args;
    p3d_error cause = {0};

    if (!cli_pools_takes(args, err))
        return false;
    if (args->n_tokens > 0)
        return p3d_fail(err, P3D_USAGE,
                "--tokens is not for a sweep of pools of several types; "
                "'plan3d "
                "fit' has the training on them");
    if (args->price_list != NULL &&
            !p3d_parse_number(args->price_list, P3D_MIN_USD,
                    P3D_MAX_USD_PER_GPU_H, &q->usd_per_gpu_h, &cause))
        return p3d_fail(err, P3D_USAGE, "--price: %.400s", cause.text);
    return check_single("framework", args->framework_list, err) &&
           read_clusters(q, err) &&
           cli_networks_read(args, &q->networks, err) &&
           read_numbers("seq", args->seq_list,
                   (p3d_bounds){1, P3D_MAX_SEQ_LEN, true}, &q->seq_lens, err) &&
           read_numbers("batch", args->batch_list,
                   (p3d_bounds){1, P3D_MAX_BATCH, false}, &q->batches, err);
}

/* One row: a cluster, a network, a sequence length, a batch. */
static bool add_row(
        asked *q, const cli_args *of, const char *beside, p3d_error *err)
{
    report_pools_row *const row = &q->rows[q->n_rows];

    if (q->n_rows == MAX_ROWS)
        return p3d_fail(err, P3D_USAGE,
                "more than %d rows of pools of several types; write fewer "
                "values",
                MAX_ROWS);
    memset(&q->work, 0, sizeof(q->work));
    if (!cli_pools_find(of, &q->work, err))
        return false;
    q->work.answer = (report_pools){
            .problem = &q->work.problem, .found = &q->work.found};
    report_pools_fill(&q->work.answer);
    *row = (report_pools_row){.seq_len = 0};
    (void)p3d_copy(row->cluster, sizeof(row->cluster), of->words[1]);
    (void)p3d_copy(row->beside, sizeof(row->beside), beside);
    report_pools_fill_row(&q->work.answer, row);
    q->n_rows++;
    return true;
}

/* All lengths and batches on a cluster with a network. */
static bool add_jobs(asked *q, int cluster, int network, p3d_error *err)
{
    cli_args of = *q->args;
    const int n_seq = q->seq_lens.n > 0 ? q->seq_lens.n : 1;
    const int n_batch = q->batches.n > 0 ? q->batches.n : 1;
    const char *const words = q->networks.words[network];

    of.words[1] = q->clusters[cluster];
    of.framework = q->args->framework_list;
    of.job.usd_per_gpu_h = q->usd_per_gpu_h;
    cli_networks_say(&q->networks, words, &of);
    for (int i = 0; i < n_seq; i++)
        for (int j = 0; j < n_batch; j++) {
            of.seq_len = q->seq_lens.n > 0 ? q->seq_lens.at[i] : 0;
            of.job.global_batch = q->batches.n > 0 ? q->batches.at[j] : 0;
            if (!add_row(q, &of, words, err))
                return false;
            if (q->rows[q->n_rows - 1].interrupted)
                return true;
        }
    return true;
}

static bool search(asked *q, p3d_error *err)
{
    for (int i = 0; i < q->n_clusters; i++)
        for (int k = 0; k < q->networks.n; k++) {
            if (!add_jobs(q, i, k, err))
                return false;
            if (q->rows[q->n_rows - 1].interrupted)
                return true;
        }
    return true;
}

static void print(asked *q, cli_reply *reply)
{
    report_pools_sweep sweep = {.model = q->work.problem.on[0].model.name,
            .framework = q->work.problem.on[0].job.framework->name,
            .complete = true,
            .rows = {q->rows, q->n_rows}};

    for (int i = 0; i < q->n_rows; i++) {
        sweep.fits = sweep.fits || q->rows[i].fits;
        sweep.complete = sweep.complete && !q->rows[i].interrupted;
    }
    report_pools_mark(q->rows, q->n_rows);
    report_pools_sweep_print(&sweep, reply->format, reply->out);
    if (reply->format == REPORT_TEXT && reply->out->length > 0)
        report_name_devices(
                report_pools_noun(&q->work.problem.pools), reply->out->data);
    reply->code = !sweep.complete ? P3D_INTERRUPTED
                  : sweep.fits    ? P3D_OK
                                  : P3D_NO;
}

bool cli_sweep_pools(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    asked *const q = calloc(1, sizeof(*q));
    bool ok;

    if (q == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    q->args = args;
    ok = read(q, err) && search(q, err);
    if (ok)
        print(q, reply);
    p3d_numbers_free(&q->seq_lens);
    p3d_numbers_free(&q->batches);
    free(q);
    return ok;
}
