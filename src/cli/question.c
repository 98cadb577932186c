/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - from a command line to the problem that it asks about. */
#include "cli/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/util.h"
#include "cli/progress.h"
#include "exchange/launch/target.h"
#include "plan3d/units.h"
#include "report/text/amounts.h"
#include "spec/hardware.h"
#include "study/backtest.h"

/** Nodes that may be idle: one at least has work. */
static int idle_nodes(const cli_args *args, const p3d_cluster *cluster)
{
    const int64_t most = cluster->n_nodes - 1;

    return (int)(args->max_idle_nodes < most ? args->max_idle_nodes : most);
}

/* Options of the training's run alone say nothing without its length. */
static bool check_training(const cli_args *args, p3d_error *err)
{
    static const char *const needs_tokens[] = {"gpu-mtbf", "restart", "storage",
            "async-save", "repair", "spares", "pue", "purchase-price",
            "amortize", "energy-price"};
    const bool bought = args->operations.usd_per_gpu > 0;

    for (int i = 0; i < P3D_COUNT_OF(needs_tokens); i++)
        if (args->n_tokens == 0 && cli_is_given(args, needs_tokens[i]))
            return p3d_fail(err, P3D_USAGE,
                    "--%s is about a whole training; write its --tokens too",
                    needs_tokens[i]);
    if (bought != (args->operations.amortize_s > 0))
        return p3d_fail(err, P3D_USAGE,
                "--purchase-price and --amortize go together; write --%s too",
                bought ? "amortize 4y" : "purchase-price USD");
    return true;
}

/* What launches are written for may be no framework, but run one. */
static bool fail_framework(const char *word, p3d_error *err)
{
    const p3d_target *target;

    for (int i = 0; (target = exchange_target_at(i)) != NULL; i++) {
        if (!p3d_same_word(target->name, word))
            continue;
        return p3d_fail(err, P3D_USAGE,
                "--framework: %s is a target of 'plan3d export', estimated "
                "with the costs of a framework; write %s%s%s",
                target->name, target->framework,
                target->also != NULL ? " or " : "",
                target->also != NULL ? target->also : "");
    }
    return cli_word_fail(
            "--framework: unknown framework", word, cli_framework_word, err);
}

bool cli_framework_find(
        const char *word, const p3d_framework **out, p3d_error *err)
{
    *out = NULL;
    if (word == NULL || cli_is_any_framework(word))
        return true;
    *out = p3d_framework_find(word);
    return *out != NULL || fail_framework(word, err);
}

static bool read_job(const cli_args *args, p3d_problem *problem, p3d_error *err)
{
    p3d_job job = {
            .seq_len = (int)args->seq_len,
            .global_batch = args->global_batch,
            .n_tokens = (double)args->n_tokens,
            .dropout = args->dropout,
            .eager = args->eager,
            .asynchronous = args->asynchronous,
            .tp_overlap = args->tp_overlap,
            .expert_overlap = args->expert_overlap,
            .optimizer_in_backward = args->optimizer_in_backward,
            .n_mtp_layers = (int)args->n_mtp_layers,
            .expert_load = args->expert_load,
            .usd_per_gpu_h = args->usd_per_gpu_h,
            .max_idle_nodes = idle_nodes(args, &problem->cluster),
            .operations = args->operations,
    };

    job.operations.fixed_spares = cli_is_given(args, "spares");
    job.operations.n_spare_nodes = (int)args->n_spare_nodes;
    if (!cli_framework_find(args->framework, &job.framework, err))
        return false;
    p3d_job_default(&job, &problem->model, &problem->cluster);
    /* Words that may stand for 0 are set after the defaults. */
    if (args->dtype > 0)
        job.dtype = (p3d_dtype)(args->dtype - 1);
    if (args->optimizer > 0)
        job.optimizer = (p3d_optimizer)(args->optimizer - 1);
    job.fixed_attention =
            args->attention > 0 && args->attention - 1 != P3D_FLASH;
    job.attention = job.fixed_attention ? (p3d_attention)(args->attention - 1)
                                        : P3D_FLASH;
    p3d_job_default_attention(&job, &problem->model, &problem->cluster.gpu);
    if (args->loss > 0)
        job.loss = (p3d_loss)(args->loss - 1);
    if (args->cp_comm > 0)
        job.cp_comm = (p3d_cp_comm)(args->cp_comm - 1);
    if (args->graphs > 0)
        job.graphs = (p3d_graphs)(args->graphs - 1);
    if (args->dispatcher > 0)
        job.dispatcher = (p3d_dispatcher)(args->dispatcher - 1);
    /* Words are numbered from 1, after "usual". */
    job.gradient_dtype = (p3d_state_dtype)args->gradient_dtype;
    job.master_dtype = (p3d_state_dtype)args->master_dtype;
    job.moment_dtype = (p3d_state_dtype)args->moment_dtype;
    if (cli_is_given(args, "reserve"))
        job.reserve_bytes = args->reserve_bytes;
    job.fixed_reserve = cli_is_given(args, "reserve");
    problem->job = job;
    return cli_is_any_framework(args->framework) ||
           p3d_job_check_states(&job, err);
}

/** @param any  no framework is chosen yet: each is asked for itself */
static bool check_gpu(const p3d_problem *problem, bool any, p3d_error *err)
{
    const p3d_gpu *gpu = &problem->cluster.gpu;
    const p3d_job *job = &problem->job;
    p3d_refusal refusal = {0};

    if (!any &&
            !p3d_job_runs(&problem->model, &problem->cluster, job, &refusal))
        return p3d_fail(err, P3D_DATA, "%s", refusal.reason);
    if (job->reserve_bytes >= gpu->visible_memory_bytes) {
        return p3d_fail(err, P3D_DATA,
                "--reserve leaves nothing of the %.2f GiB of %s",
                (double)gpu->visible_memory_bytes / P3D_GIB, gpu->name);
    }
    return true;
}

bool cli_is_calibration_file(const char *word)
{
    const size_t n = strlen(word);

    return strchr(word, '/') != NULL ||
           (n > 5 && p3d_same_word(word + n - 5, ".json"));
}

bool cli_constants_open(const char *word, cli_constants *out, p3d_error *err)
{
    return (cli_is_calibration_file(word)
                           ? spec_calibration_open(word, &out->calibration, err)
                           : spec_calibration_load(
                                     word, &out->calibration, err)) &&
           p3d_gpu_find(out->calibration.basis, &out->basis, err);
}

static bool use(const char *word, const cli_constants *constants,
        p3d_cluster *cluster, p3d_error *err)
{
    if (!study_constants_hold(
                &constants->calibration, &constants->basis, &cluster->gpu))
        return p3d_fail(err, P3D_DATA,
                "--calibration %.120s is of %s, the cluster has %s; leave it "
                "out, or measure the GPU",
                word, constants->basis.name, cluster->gpu.name);
    cluster->calibration = constants->calibration;
    return true;
}

bool cli_calibration_use(const char *word, const p3d_calibration *calibration,
        p3d_cluster *cluster, p3d_error *err)
{
    cli_constants constants = {.calibration = *calibration};

    return p3d_gpu_find(calibration->basis, &constants.basis, err) &&
           use(word, &constants, cluster, err);
}

static bool read_calibration(
        const char *word, p3d_cluster *cluster, p3d_error *err)
{
    cli_constants constants = {.basis = {.name = ""}};

    return word == NULL || (cli_constants_open(word, &constants, err) &&
                                   use(word, &constants, cluster, err));
}

bool cli_job_begin(const cli_args *args, p3d_problem *problem, p3d_error *err)
{
    if (args->fabric != NULL &&
            !spec_fabric_load(args->fabric, &problem->cluster.fabric, err))
        return false;
    return read_calibration(args->calibration, &problem->cluster, err) &&
           check_training(args, err) && read_job(args, problem, err) &&
           check_gpu(problem, cli_is_any_framework(args->framework), err);
}

bool cli_is_any_framework(const char *word)
{
    return word != NULL && p3d_same_word(word, P3D_ANY_FRAMEWORK);
}

/* No plan is printed, of which another framework may have a faster one; what
 * was found is named. */
static bool fail_interrupted(
        const p3d_framework_ranking *ranking, p3d_error *err)
{
    static const char what[] =
            "interrupted before all frameworks were compared";
    const p3d_framework_rank *const first = &ranking->at[0];
    char step[32];

    if (ranking->n == 0 || first->verdict != P3D_FRAMEWORK_FITS)
        return p3d_fail(err, P3D_INTERRUPTED, "%s", what);
    return p3d_fail(err, P3D_INTERRUPTED,
            "%s; the fastest so far is %s, %s per step; its plans: --framework "
            "%s",
            what, first->name,
            report_step_words(step, sizeof(step), first->step_s), first->name);
}

/* Each framework's own best plan or, where a plan was said, that one. */
static bool rank_frameworks(
        const cli_args *args, cli_question *out, p3d_error *err)
{
    const p3d_framework_list among = p3d_frameworks_current();
    const p3d_problem *problem = &out->question.problem;
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    const p3d_search_options options = {.n_top = 1, .watch = &watch};
    p3d_pins pins;
    bool ok;

    if (!cli_read_pins(args, &pins, err))
        return false;
    if (args->plan != NULL) {
        p3d_rank_frameworks_by_plan(
                problem, args->plan, &among, &out->frameworks);
        return true;
    }
    cli_progress_begin(&progress, "comparing frameworks", 0);
    ok = p3d_rank_frameworks(
            problem, &pins, &among, &options, &out->frameworks, err);
    cli_progress_end(&progress);
    return ok && (!out->frameworks.interrupted ||
                         fail_interrupted(&out->frameworks, err));
}

bool cli_job_read(const cli_args *args, cli_question *out, p3d_error *err)
{
    p3d_problem *problem = &out->question.problem;

    if (!cli_job_begin(args, problem, err))
        return false;
    if (!cli_is_any_framework(args->framework))
        return true;
    return rank_frameworks(args, out, err) &&
           p3d_take_first_framework(&out->frameworks, problem, err);
}

static bool read_problem(
        const cli_args *args, cli_question *out, p3d_error *err)
{
    p3d_problem *problem = &out->question.problem;

    return p3d_model_find(args->words[0], &problem->model, err) &&
           p3d_cluster_find(args->words[1], &problem->cluster, err) &&
           cli_job_read(args, out, err);
}

const char *cli_given_value(
        const cli_given *given, const p3d_framework *framework)
{
    return strcmp(given->option->name, "framework") == 0 &&
                           cli_is_any_framework(given->value)
                   ? framework->name
                   : given->value;
}

void cli_repeat_options(
        const cli_args *args, const p3d_framework *framework, p3d_text *out)
{
    for (int i = 0; i < args->n_given; i++) {
        const cli_given *given = &args->given[i];

        if (given->option->is_job) {
            p3d_text_add(out, " --%s", given->option->name);
            if (given->value != NULL) {
                p3d_text_add(out, " ");
                report_shell_word(cli_given_value(given, framework), out);
            }
        }
    }
}

void cli_question_say(
        const char *command, const cli_args *args, cli_question *out)
{
    report_question *q = &out->question;

    out->args = args;
    cli_repeat_options(args, q->problem.job.framework, &out->options);
    q->command = command;
    q->model_word = args->words[0];
    q->cluster_word = args->words[1];
    q->options = p3d_text_get(&out->options);
    q->frameworks = out->frameworks.n > 0 ? &out->frameworks : NULL;
    q->given = (report_given){
            .seq_len = args->seq_len > 0,
            .global_batch = args->global_batch > 0,
            .dtype = args->dtype > 0,
            .optimizer = args->optimizer > 0,
            .attention = args->attention > 0,
            .framework = args->framework != NULL,
            .reserve = cli_is_given(args, "reserve"),
            .fabric = args->fabric != NULL,
            .cluster_file = spec_cluster_is_file(args->words[1]),
    };
}

bool cli_question_read(const char *command, const cli_args *args,
        cli_question *out, p3d_error *err)
{
    if (!read_problem(args, out, err))
        return false;
    cli_question_say(command, args, out);
    return true;
}

void cli_question_free(cli_question *question)
{
    p3d_text_free(&question->options);
}

static bool fail_empty(const p3d_refusal *empty, p3d_error *err)
{
    if (empty->rule == NULL)
        return p3d_fail(
                err, P3D_DATA, "%s; leave out a value of --pin", empty->reason);
    return p3d_fail(err, P3D_DATA, "no plan is legal: %s: %s", empty->rule,
            empty->reason);
}

bool cli_question_search(const cli_question *question, const p3d_pins *pins,
        int n_top, p3d_search_result **out, p3d_error *err)
{
    p3d_search_result *result = calloc(1, sizeof(*result));
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    const p3d_search_options options = {.n_top = n_top, .watch = &watch};
    bool ok;

    if (result == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    cli_progress_begin(&progress, "searching", 0);
    ok = p3d_search_with(
            &question->question.problem, pins, &options, result, err);
    cli_progress_end(&progress);
    if (ok && result->interrupted && result->n_top == 0)
        ok = p3d_fail(
                err, P3D_INTERRUPTED, "interrupted before any plan was found");
    else if (ok && result->n_plans == 0)
        ok = fail_empty(&result->empty, err);
    if (ok)
        *out = result;
    else
        free(result);
    return ok;
}

void cli_mark_interrupted(p3d_search_result *search)
{
    search->interrupted = search->interrupted || p3d_stopped();
}

const p3d_estimate *cli_best_or_closest(const p3d_search_result *search)
{
    return search->n_top > 0 ? &search->top[0] : &search->closest;
}

bool cli_read_pins(const cli_args *args, p3d_pins *out, p3d_error *err)
{
    *out = p3d_pins_free();
    return args->pins == NULL || p3d_pins_parse(args->pins, out, err);
}
