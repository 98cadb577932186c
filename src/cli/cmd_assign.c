/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_assign.c - plan3d assign: which of several trainings on which pool of a
 * fleet. */
#include <stdlib.h>
#include <string.h>

#include "cli/assign_jobs.h"
#include "cli/option_rows.h"
#include "cli/pool_files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/assign.h"
#include "report/text/layout.h"

/* clang-format off */
static const json_option options[] = {
    {JSON_OPTION("objective",
         "end (the last job's, then the cost), mean (of the ends by weight, "
         "then the cost) or cost (then the mean end)"),
     CLI_WORD_AT(objective, "WORD", p3d_assign_objective_word),
     .fallback = "end"},
    {JSON_OPTION("whole",
         "each job has a whole pool to itself"), CLI_FLAG_AT(whole_pools)},
    CLI_FORMAT_ROW,
    CLI_FABRIC_ROW,
    CLI_OVERSUBSCRIPTION_ROW,
    CLI_RAILS_ROW,
    CLI_TIER_ROWS,
    CLI_JOBS_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

/* What a command line asks for. */
typedef struct asked {
    cli_jobs jobs;
    p3d_pools pools;
    p3d_problem *problems; /* of each job and pool; owned */
    p3d_assign_job list[P3D_MAX_ASSIGNED];
    report_assign_job words[P3D_MAX_ASSIGNED];
    cli_progress progress;
    p3d_assignment found;
} asked;

/* What the options say of the network holds in all pools, but for the files of
 * switches. */
static bool read_networks(
        const cli_args *args, p3d_pools *pools, p3d_error *err)
{
    cli_pool_files files;

    if (!cli_pool_files_read(args, pools, &files, err))
        return false;
    for (int k = 0; k < pools->n_pools; k++) {
        const cli_args of = cli_args_of_pool(args, &files, k);

        if (!cli_network_begin(&of, &pools->clusters[k], err))
            return false;
    }
    return true;
}

/* Pools, or a cluster of one type, which is one pool. */
static bool read_fleet(const char *word, p3d_pools *out, p3d_error *err)
{
    if (p3d_are_pools(word))
        return p3d_pools_find(word, out, err);
    if (!p3d_cluster_find(word, &out->clusters[0], err))
        return false;
    out->n_pools = 1;
    (void)p3d_copy(out->name, sizeof(out->name), out->clusters[0].name);
    (void)p3d_copy(
            out->names[0], sizeof(out->names[0]), out->clusters[0].gpu.name);
    return true;
}

/* The same batch on all pools: that of all of their GPUs. */
static int64_t usual_batch(const p3d_pools *pools, const p3d_problem *problem)
{
    int n_gpus = 0;

    for (int k = 0; k < pools->n_pools; k++)
        n_gpus += pools->clusters[k].n_gpus;
    return p3d_job_default_batch(&problem->model, problem->job.seq_len, n_gpus);
}

/* The job on a pool; where the pool cannot run it, why. */
static bool read_on(asked *q, int j, int k, p3d_error *err)
{
    const cli_args *const args = &q->jobs.at[j].args;
    p3d_problem *const on = &q->problems[j * q->pools.n_pools + k];
    p3d_error cause = {.code = P3D_OK};

    on->cluster = q->pools.clusters[k];
    if (!cli_job_begin(args, on, &cause)) {
        if (cause.code != P3D_DATA)
            return cli_jobs_fail(&q->jobs, j, &cause, err);
        (void)p3d_copy(q->words[j].refusal[k], P3D_ASSIGN_REASON, cause.text);
        q->list[j].refused[k] = true;
    } else if (args->job.global_batch == 0) {
        on->job.global_batch = usual_batch(&q->pools, on);
    }
    return true;
}

static bool read_job(asked *q, int j, p3d_error *err)
{
    const cli_job *const job = &q->jobs.at[j];
    p3d_problem *const on = &q->problems[j * q->pools.n_pools];
    p3d_error cause = {.code = P3D_OK};

    q->list[j] = (p3d_assign_job){.name = job->args.name,
            .on = on,
            .weight = (int)job->args.weight,
            .deadline_s = job->deadline_s};
    if (cli_is_any_framework(job->args.framework))
        p3d_record(&cause, P3D_USAGE,
                "a job has one framework on all pools; write its name");
    if (cause.code != P3D_OK ||
            !p3d_model_find(job->args.words[0], &on[0].model, &cause))
        return cli_jobs_fail(&q->jobs, j, &cause, err);
    for (int k = 0; k < q->pools.n_pools; k++) {
        on[k].model = on[0].model;
        if (!read_on(q, j, k, err))
            return false;
    }
    return true;
}

static bool show_next(void *context, int64_t i, int64_t n, int job, int pool)
{
    asked *const q = context;
    char part[64];

    (void)i;
    (void)n;
    (void)snprintf(part, sizeof(part), "%.30s, %.30s", q->list[job].name,
            q->pools.names[pool]);
    return cli_progress_next(&q->progress, part);
}

static bool search(asked *q, const cli_args *args, p3d_error *err)
{
    const int n = q->jobs.n * q->pools.n_pools;
    const p3d_assign_options o = {.jobs = q->list,
            .n_jobs = q->jobs.n,
            .n_pools = q->pools.n_pools,
            .objective = args->objective > 0
                                 ? (p3d_assign_objective)(args->objective - 1)
                                 : P3D_ASSIGN_END,
            .whole_pools = args->whole_pools,
            .next = show_next,
            .context = q};
    bool ok;

    cli_progress_begin(&q->progress, "", n);
    ok = p3d_assign(&o, &q->found, err);
    cli_progress_end(&q->progress);
    return ok && (q->found.complete || q->found.n_assigned > 0 ||
                         p3d_fail(err, P3D_INTERRUPTED,
                                 "interrupted before any job had a place"));
}

static void print(asked *q, const cli_args *args, cli_reply *reply)
{
    report_assign *const answer = calloc(1, sizeof(*answer));

    if (answer == NULL) {
        reply->out->failed = true;
        return;
    }
    for (int j = 0; j < q->jobs.n; j++) {
        q->words[j].says_batch = cli_is_given(&q->jobs.at[j].args, "batch");
        q->words[j].model_word = q->jobs.at[j].args.words[0];
        cli_repeat_options(&q->jobs.at[j].args,
                q->problems[j * q->pools.n_pools].job.framework,
                &q->words[j].options);
        cli_repeat_options(args, NULL, &q->words[j].options);
    }
    *answer = (report_assign){.fleet_word = args->words[1],
            .pools = &q->pools,
            .jobs = q->list,
            .words = q->words,
            .objective = args->objective > 0 ? args->objective - 1 : 0,
            .found = q->found};
    report_assign_fill(answer);
    report_assign_print(answer, reply->format, reply->out);
    if (reply->format == REPORT_TEXT && reply->out->length > 0)
        report_name_devices(report_pools_noun(&q->pools), reply->out->data);
    free(answer);
}

static void release(asked *q)
{
    p3d_assignment_free(&q->found);
    for (int j = 0; j < P3D_MAX_ASSIGNED; j++)
        p3d_text_free(&q->words[j].options);
    cli_jobs_free(&q->jobs);
    free(q->problems);
    free(q);
}

static bool read(asked *q, const cli_args *args, p3d_error *err)
{
    if (!cli_jobs_open(args->words[0], &q->jobs, err) ||
            !read_fleet(args->words[1], &q->pools, err) ||
            !read_networks(args, &q->pools, err))
        return false;
    q->problems = calloc(
            (size_t)q->jobs.n * (size_t)q->pools.n_pools, sizeof(*q->problems));
    if (q->problems == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int j = 0; j < q->jobs.n; j++)
        if (!read_job(q, j, err))
            return false;
    return true;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    asked *const q = calloc(1, sizeof(*q));
    bool ok;

    if (q == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = read(q, args, err) && search(q, args, err);
    if (ok) {
        print(q, args, reply);
        reply->code = !q->found.complete                       ? P3D_INTERRUPTED
                      : q->found.n_assigned == q->found.n_jobs ? P3D_OK
                                                               : P3D_NO;
    }
    release(q);
    return ok;
}

const cli_command cli_assign = {
        .name = "assign",
        .summary = "Which of several trainings on which pool of a fleet, all "
                   "at the same time: exactly.",
        .positionals = {{"JOBS",
                                "path of a file of jobs (- is standard "
                                "input); 'plan3d schema jobs' has its keys",
                                CLI_ONCE},
                {"FLEET",
                        "pools in words (32xA800+16xH100), or path of a "
                        "cluster JSON with pools",
                        CLI_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d assign jobs.json 32xA800+16xH100",
                "plan3d assign jobs.json fleet.json --objective cost"},
        .run = run,
};
