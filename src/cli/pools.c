/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pools.c - a question about pools of GPUs of several types: from a command
 * line to the job on each pool, and from there to what is printed. */
#include "cli/pools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "cli/pool_files.h"
#include "cli/progress.h"
#include "report/pools.h"
#include "report/text/layout.h"
#include "spec/pool_links.h"

/* What a command line may say beside the two words: the rest is of plans or
 * GPUs that pools are not searched for. */
static const char *const known_options[] = {"seq", "batch", "dtype",
        "optimizer", "gradient-dtype", "reduce-dtype", "master-dtype",
        "moment-dtype", "attention", "loss", "framework", "reserve", "sure",
        "format", "json", "color", "lang", "to", "out", "launcher", "force",
        "dry-run", "tokens", "price", "gpu-mtbf", "restart", "storage",
        "async-save", "repair", "spares", "preempted", "away", "notice", "pue",
        "energy-price", "purchase-price", "amortize", "fabric",
        "oversubscription", "leaf-nodes", "routing", "rails", "placement",
        "topology", "hosts", "jobs"};

/* Frameworks whose costs stand for what runs pools; FlagScale's first. */
static const char *const known_frameworks[] = {"megatron-core", "generic"};

static bool is_among(const char *word, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

bool cli_pools_takes(const cli_args *args, p3d_error *err)
{
    for (int i = 0; i < args->n_given; i++) {
        const char *const name = args->given[i].option->field.key;

        if (!is_among(name, known_options, P3D_COUNT_OF(known_options)))
            return p3d_fail(err, P3D_USAGE,
                    "--%s is not for pools of several types; leave it out, or "
                    "name one pool",
                    name);
    }
    return true;
}

static bool check_framework(
        const cli_args *args, const p3d_problem *problem, p3d_error *err)
{
    const p3d_framework *const framework = problem->job.framework;

    if (is_among(framework->name, known_frameworks,
                P3D_COUNT_OF(known_frameworks)))
        return true;
    if (args->framework == NULL)
        return p3d_fail(err, P3D_USAGE,
                "no framework that runs on %s runs pools of several types; "
                "write --framework generic",
                problem->cluster.gpu.name);
    return p3d_fail(err, P3D_USAGE,
            "--framework %s does not run pools of several types; leave it out, "
            "or write megatron-core or generic",
            framework->name);
}

/* Collectives are of one library: NCCL, RCCL or HCCL. */
static bool check_kinds(const p3d_pools *pools, p3d_error *err)
{
    const p3d_gpu *const first = &pools->clusters[0].gpu;

    for (int k = 1; k < pools->n_pools; k++) {
        const p3d_gpu *const gpu = &pools->clusters[k].gpu;

        if (strcmp(p3d_gpu_link(gpu), p3d_gpu_link(first)) != 0)
            return p3d_fail(err, P3D_DATA,
                    "no library of collectives joins %s and %s; name pools of "
                    "one maker",
                    first->name, gpu->name);
    }
    return true;
}

/* The same batch for all pools: that of all of their GPUs. */
static bool read_jobs(
        const cli_args *args, p3d_pools_problem *problem, p3d_error *err)
{
    cli_args all = *args;
    cli_pool_files files;
    int n_gpus = 0;

    if (!check_kinds(&problem->pools, err) ||
            !cli_pool_files_read(args, &problem->pools, &files, err))
        return false;
    for (int k = 0; k < problem->pools.n_pools; k++)
        n_gpus += problem->pools.clusters[k].n_gpus;
    for (int k = 0; k < problem->pools.n_pools; k++) {
        p3d_problem *const on = &problem->on[k];
        const cli_args of = cli_args_of_pool(&all, &files, k);

        if (k > 0)
            on->model = problem->on[0].model;
        on->cluster = problem->pools.clusters[k];
        if (!cli_job_begin(&of, on, err) || !check_framework(args, on, err))
            return false;
        if (all.job.global_batch == 0) {
            all.job.global_batch =
                    p3d_job_default_batch(&on->model, on->job.seq_len, n_gpus);
            on->job.global_batch = all.job.global_batch;
        }
        problem->pools.clusters[k] = on->cluster;
    }
    spec_pools_renew_links(&problem->pools);
    return true;
}

static bool finish(const p3d_pools_result *found, p3d_error *err)
{
    return !found->interrupted || found->fits ||
           p3d_fail(err, P3D_INTERRUPTED,
                   "interrupted before any plan was found");
}

/* What is searched for: the best plan of all, that whose replicas are all
 * alike. */
enum { BEST = 1, ALIKE = 2 };

static bool search(cli_pools *out, int what, p3d_error *err)
{
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    bool ok = true;

    cli_progress_begin(&progress, "searching", 0);
    if ((what & BEST) != 0)
        ok = p3d_pools_search(&out->problem, &watch, &out->found, err);
    if (ok && (what & ALIKE) != 0)
        ok = p3d_pools_search_alike(&out->problem, &watch, &out->alike, err);
    cli_progress_end(&progress);
    if (what == ALIKE)
        out->found = out->alike;
    return ok && finish(&out->found, err);
}

static bool read_question(const cli_args *args, cli_pools *out, p3d_error *err)
{
    return cli_pools_takes(args, err) &&
           p3d_model_find(args->words[0], &out->problem.on[0].model, err) &&
           p3d_pools_find(args->words[1], &out->problem.pools, err) &&
           read_jobs(args, &out->problem, err);
}

bool cli_pools_find(const cli_args *args, cli_pools *out, p3d_error *err)
{
    return read_question(args, out, err) && search(out, BEST, err);
}

bool cli_pools_alike(const cli_args *args, cli_pools *out, p3d_error *err)
{
    if (!read_question(args, out, err) || !search(out, ALIKE, err))
        return false;
    out->answer =
            (report_pools){.problem = &out->problem, .found = &out->found};
    report_pools_fill(&out->answer);
    return true;
}

/* All GPUs of a pool, with its best plan. */
static p3d_pools_plan plan_alone(const cli_pools *work, int k)
{
    p3d_pools_plan plan = {.step_s = work->found.alone[k].step_s};

    plan.n_gpus[k] = work->problem.pools.clusters[k].n_gpus;
    return plan;
}

/* Trainings with the plan and on each pool alone. The best is then the one that
 * is done first: a pool that is taken away stops all of them. */
static bool train(cli_pools *work, p3d_error *err)
{
    p3d_pools_result *const found = &work->found;
    const p3d_training *const all = &work->training.found;
    double least_s = HUGE_VAL;

    if (found->fits && !p3d_pools_training(&work->problem, &found->plan,
                               &work->training.found, err))
        return false;
    for (int k = 0; k < work->problem.pools.n_pools; k++) {
        const p3d_pools_plan alone = plan_alone(work, k);

        if (!found->alone[k].fits)
            continue;
        if (!p3d_pools_training(&work->problem, &alone, &work->alone[k], err))
            return false;
        if (work->alone[k].progresses && work->alone[k].real_s < least_s) {
            least_s = work->alone[k].real_s;
            found->best_alone = k;
        }
    }
    found->prefer_alone =
            found->best_alone >= 0 &&
            (!found->fits || !all->progresses || least_s <= all->real_s);
    return true;
}

/* @return NULL where memory is short; owned */
static cli_pools *new_work(p3d_error *err)
{
    cli_pools *const work = calloc(1, sizeof(*work));

    if (work == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    return work;
}

/* GPUs, or what else they are called. */
static void name_devices(const cli_pools *work, cli_reply *reply)
{
    if (reply->format == REPORT_TEXT && reply->out->length > 0)
        report_name_devices(
                report_pools_noun(&work->problem.pools), reply->out->data);
}

static bool answer(const char *command, const cli_args *args, cli_pools *work,
        cli_reply *reply, p3d_error *err)
{
    const bool trains = args->n_tokens > 0;
    p3d_text options = {.length = 0};

    if (!read_question(args, work, err) || !search(work, BEST | ALIKE, err) ||
            (trains && !train(work, err)))
        return false;
    cli_repeat_options(args, work->problem.on[0].job.framework, &options);
    work->answer = (report_pools){.command = command,
            .model_word = args->words[0],
            .cluster_word = args->words[1],
            .options = p3d_text_get(&options),
            .said_batch = cli_is_given(args, "batch"),
            .exports = is_among(work->problem.on[0].job.framework->name,
                    known_frameworks, 1),
            .problem = &work->problem,
            .found = &work->found,
            .alike = &work->alike,
            .training = trains ? &work->training : NULL,
            .alone = trains ? work->alone : NULL};
    report_pools_fill(&work->answer);
    report_pools_print(&work->answer, reply->format, reply->out);
    name_devices(work, reply);
    reply->code = work->found.interrupted ? P3D_INTERRUPTED
                  : work->answer.fits     ? P3D_OK
                                          : P3D_NO;
    p3d_text_free(&options);
    return true;
}

bool cli_ask_pools(const char *command, const cli_args *args, cli_reply *reply,
        p3d_error *err)
{
    cli_pools *const work = new_work(err);
    const bool ok = work != NULL && answer(command, args, work, reply, err);

    free(work);
    return ok;
}

static bool explain(const char *command, const cli_args *args, cli_pools *work,
        cli_reply *reply, p3d_error *err)
{
    const p3d_pools_result *const found = &work->found;

    if (!cli_pools_find(args, work, err) ||
            (found->fits && !p3d_pools_network_of(&work->problem, &found->plan,
                                    &work->network, err)))
        return false;
    work->answer = (report_pools){.command = command,
            .problem = &work->problem,
            .found = found,
            .network = found->fits ? &work->network : NULL};
    report_pools_fill(&work->answer);
    report_pools_network(&work->answer, reply->format, reply->out);
    name_devices(work, reply);
    reply->code = found->interrupted ? P3D_INTERRUPTED
                  : found->fits      ? P3D_OK
                                     : P3D_NO;
    return true;
}

bool cli_explain_pools(const char *command, const cli_args *args,
        cli_reply *reply, p3d_error *err)
{
    cli_pools *work;
    bool ok;

    if (args->words[2] == NULL || strcmp(args->words[2], "network") != 0)
        return p3d_fail(err, P3D_USAGE,
                "of pools of several types the network alone is explained; "
                "write network, or name one pool");
    work = new_work(err);
    ok = work != NULL && explain(command, args, work, reply, err);
    free(work);
    return ok;
}
