/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_export.c - plan3d export: the launch files of a plan. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/launch_export.h"
#include "cli/option_rows.h"
#include "cli/pools.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "exchange/launch/serving.h"
#include "plan3d/fit_probability.h"
#include "plan3d/units.h"
#include "plan3d/version.h"
#include "report/amounts.h"
#include "report/text/layout.h"
#include "report/words/words.h"
#include "spec/abilities.h"

exchange_launcher cli_usual_launcher(
        const exchange_target *target, const p3d_cluster *cluster)
{
    if (strcmp(target->name, "deepspeed") == 0)
        return EXCHANGE_DEEPSPEED;
    if (target->runner == EXCHANGE_RUN_HOST)
        return EXCHANGE_TORCHRUN;
    return cluster->n_nodes > 1 ? EXCHANGE_SLURM : EXCHANGE_TORCHRUN;
}

double cli_less_sure_frac(
        const p3d_problem *problem, const p3d_estimate *estimate)
{
    double frac;

    if (p3d_estimate_verdict(estimate) == P3D_VERDICT_FITS)
        return 0;
    frac = p3d_peak_probability_frac(
            problem, p3d_memory_device_bytes(&estimate->memory));
    return frac > 0 ? frac : 0;
}

/* What stands at the head of each file. */
static void print_about(const cli_launch *launch, p3d_text *out)
{
    const exchange_target *const target = launch->target;
    char words[P3D_PLAN_WORDS];

    p3d_text_add(
            out, "Made by plan3d %s for %s.\n", P3D_VERSION, target->title);
    report_about(launch->document, out);
    if (target->nearest)
        p3d_text_add(out,
                "estimated with the costs of %s, the framework most like it\n",
                target->framework);
    p3d_plan_print(launch->plan, words, sizeof(words));
    p3d_text_add(out, "plan: %s\n", words);
}

bool cli_make_launch(
        const cli_launch *launch, exchange_files *files, p3d_error *err)
{
    exchange_launch *const made = malloc(sizeof(*made));
    p3d_text about = {0};
    bool ok;

    if (made == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    print_about(launch, &about);
    *made = exchange_launch_of(launch->target, launch->problem, launch->plan);
    ok = exchange_export((exchange_start){launch->target, made,
                                 launch->launcher, launch->less_sure_frac},
            p3d_text_get(&about), files, err);
    p3d_text_free(&about);
    free(made);
    return ok;
}

json_list cli_list_files(const exchange_files *files, report_file *to)
{
    for (int i = 0; i < files->n; i++)
        to[i] = (report_file){.name = files->at[i].name,
                .text = p3d_text_get(&files->at[i].text),
                .executable = files->at[i].executable};
    return (json_list){to, files->n};
}

static const char *format_word(int i)
{
    return i <= REPORT_JSON ? report_format_word(i) : NULL;
}

/* clang-format off */
static const json_option options[] = {
    {JSON_OPTION("to",
         "megatron, bridge, deepspeed, torchtitan, accelerate, nanotron, "
         "colossalai, lightning, lightning-ddp, jax, hf-deepspeed, hf-fsdp, "
         "llama-factory, axolotl, ms-swift, ms-swift-megatron, torchtune, "
         "verl, flagscale, mindspeed (Ascend) or maxtext (TPU); to serve the "
         "model: vllm, tensorrt-llm or tgi"), CLI_TEXT_AT(to, "TARGET"),
     .field.flags = JSON_REQUIRED},
    {JSON_OPTION("plan",
         "the plan, such as tp=8,pp=2,sp, or best: the recommended one and "
         "that the target can run"), CLI_TEXT_AT(plan, "WORDS"),
     .fallback = "best"},
    {JSON_OPTION("out", "directory of the files, made when it is missing"),
     .letter = 'o', CLI_TEXT_AT(out, "DIR"), .fallback = "."},
    {JSON_OPTION("launcher", "torchrun, slurm, mpirun or deepspeed"),
     CLI_WORD_AT(launcher, "NAME", exchange_launcher_word),
     .fallback = "slurm on several nodes"},
    {JSON_OPTION("force",
         "replace files that are there, and write plans that do not fit"),
     CLI_FLAG_AT(force)},
    {JSON_OPTION("dry-run", "print the files and write none"),
     CLI_FLAG_AT(dry_run)},
    CLI_PIN_ROW,
    CLI_CHOICE_ROWS,
    CLI_FORMATS_ROW(format_word, "text", "text, or json with the files in it"),
    CLI_JOB_ROWS,
};
/* clang-format on */

/* The plan of --plan, or that of the objective. */
static bool find_plan(
        const cli_question *question, p3d_estimate *out, p3d_error *err)
{
    const cli_args *const args = question->args;
    p3d_search_result *search = NULL;
    p3d_pins pins;
    bool found;

    if (args->plan != NULL && strcmp(args->plan, "best") != 0)
        return cli_estimate_plan(question, args->plan, out, err);
    if (!cli_read_pins(args, &pins, err) ||
            !cli_question_search(question, &pins, 1, &search, err))
        return false;
    found = search->n_top > 0;
    if (found)
        *out = search->top[0];
    free(search);
    return found || p3d_fail(err, P3D_NO,
                            "no plan fits; 'plan3d fit %s %s' says what would",
                            args->words[0], args->words[1]);
}

/* A framework that was said must be the target's; any is. */
static bool check_framework(
        const cli_args *args, const exchange_target *target, p3d_error *err)
{
    const p3d_framework *said;

    if (!cli_framework_find(args->framework, &said, err))
        return false;
    if (said != NULL && said != p3d_framework_find(target->framework))
        return p3d_fail(err, P3D_USAGE,
                "--framework %.60s is not that of --to %s; leave it out",
                args->framework, target->name);
    return true;
}

enum { MOST_NAMED = 3 };

/* Some targets for which a test holds, by names behind "--to".
 * @return how many */
static int name_targets(
        bool (*is_one)(const exchange_target *target, const void *of),
        const void *of, char names[P3D_ERROR_TEXT])
{
    const exchange_target *target;
    int n = 0;

    names[0] = '\0';
    for (int i = 0; (target = exchange_target_at(i)) != NULL && n < MOST_NAMED;
            i++) {
        const size_t used = strlen(names);

        if (is_one(target, of))
            snprintf(names + used, P3D_ERROR_TEXT - used, "%s%s",
                    n++ == 0 ? "" : ", ", target->name);
    }
    return n;
}

/* @param of  p3d_gpu */
static bool runs_on(const exchange_target *target, const void *of)
{
    return spec_framework_runs_on(p3d_framework_find(target->framework), of);
}

/* A cluster of one type of GPU; one that is not understood is another
 * message's. */
static bool find_cluster(const cli_args *args, p3d_cluster *out)
{
    return !p3d_are_pools(args->words[1]) &&
           p3d_cluster_find(args->words[1], out, NULL);
}

/* Whether the files of a target run on the cluster.
 * @param target  NULL = none was said, which is a mistake by itself */
static bool check_devices(
        const cli_args *args, const exchange_target *target, p3d_error *err)
{
    char names[P3D_ERROR_TEXT];
    p3d_cluster cluster;

    if (!find_cluster(args, &cluster) ||
            (target != NULL && runs_on(target, &cluster.gpu)))
        return true;
    (void)name_targets(runs_on, &cluster.gpu, names); /* each GPU has some */
    if (target == NULL)
        return p3d_fail(err, P3D_USAGE,
                "--to TARGET is missing; these run on %s: --to %s",
                cluster.gpu.name, names);
    return p3d_fail(err, P3D_DATA, "%s does not run on %s; these do: --to %s",
            target->title, cluster.gpu.name, names);
}

static bool name_target(const cli_args *args, p3d_error *err)
{
    return check_devices(args, NULL, err);
}

static void print_files(const exchange_files *files, p3d_text *out)
{
    for (int i = 0; i < files->n; i++) {
        p3d_text_add(
                out, "%s==> %s <==\n", i == 0 ? "" : "\n", files->at[i].name);
        p3d_text_append(out, p3d_text_get(&files->at[i].text),
                files->at[i].text.length);
    }
}

/** @param launch  of its plan, if any */
static void print_json(const cli_launch *launch, const char *directory,
        const exchange_files *files, p3d_text *out)
{
    const exchange_target *const target = launch->target;
    report_file rows[EXCHANGE_MAX_FILES];
    const report_exported exported = {.target = target->title,
            .versions = target->versions,
            .profile = target->framework,
            .launcher = exchange_launcher_word((int)launch->launcher),
            .directory = directory,
            .files = rows,
            .n_files = files->n};

    (void)cli_list_files(files, rows);
    report_export(launch->document, &exported, out);
}

static const char *directory_of(const cli_args *args)
{
    return args->dry_run ? NULL : args->out != NULL ? args->out : ".";
}

/* The whole path of a folder that need not be there yet. */
static void add_whole_path(const char *directory, p3d_text *out)
{
    char *const here = directory[0] != '/' ? getcwd(NULL, 0) : NULL;
    size_t n;

    if (here != NULL) {
        p3d_text_add(out, "%s/", strcmp(here, "/") == 0 ? "" : here);
        while (strncmp(directory, "./", 2) == 0)
            directory += 1 + strspn(directory + 1, "/");
        if (strcmp(directory, ".") == 0)
            directory = "";
    }
    n = strlen(directory);
    while (n > 1 && directory[n - 1] == '/')
        n--;
    p3d_text_append(out, directory, n);
    if (n > 0 && directory[n - 1] != '/')
        p3d_text_add(out, "/");
    free(here);
}

/* How the script is started: by its whole path, because that is done in
 * another folder for the most part. */
static void print_start(
        const cli_launch *launch, const char *directory, p3d_text *out)
{
    static const char *const starters[EXCHANGE_N_LAUNCHERS] = {
            [EXCHANGE_TORCHRUN] = "bash",
            [EXCHANGE_SLURM] = "sbatch",
            [EXCHANGE_MPIRUN] = "bash",
            [EXCHANGE_DEEPSPEED] = "bash"};
    const char *const folder = launch->target->folder;
    p3d_text command = {0};

    p3d_text_add(&command, "%s ", starters[launch->launcher]);
    add_whole_path(directory, &command);
    p3d_text_add(&command, "launch.sh");
    if (folder != NULL)
        report_add(out, "run it in the folder of %s: %s\n", folder,
                p3d_text_get(&command));
    else
        report_add(out, "run it with: %s\n", p3d_text_get(&command));
    out->failed = out->failed || command.failed;
    p3d_text_free(&command);
}

/* The files themselves, or where each will be. */
static void show_files(
        const cli_args *args, const exchange_files *files, p3d_text *out)
{
    const char *const directory = directory_of(args);

    if (directory == NULL)
        print_files(files, out);
    else
        for (int i = 0; i < files->n; i++)
            p3d_text_add(out, "%s/%s\n", directory, files->at[i].name);
}

/* Last of all: what is written stays, so nothing may fail after it.
 * @param out  what is said of the files */
static bool write_files(const cli_args *args, const exchange_files *files,
        const p3d_text *out, p3d_error *err)
{
    const char *const directory = directory_of(args);

    return directory == NULL || out->failed ||
           (cli_begin_write(err) &&
                   exchange_files_write(files, directory, args->force, err));
}

static bool put_out(const cli_args *args, const cli_launch *launch,
        const exchange_files *files, p3d_text *out, p3d_error *err)
{
    const char *const directory = directory_of(args);

    if (cli_format(args) == REPORT_JSON) {
        print_json(launch, directory, files, out);
    } else {
        show_files(args, files, out);
        if (directory != NULL)
            print_start(launch, directory, out);
    }
    return write_files(args, files, out, err);
}

static exchange_launcher launcher_of(
        const cli_question *question, const exchange_target *target)
{
    const cli_args *const args = question->args;

    return args->launcher > 0 ? (exchange_launcher)(args->launcher - 1)
                              : cli_usual_launcher(target,
                                        &question->question.problem.cluster);
}

static bool export_plan(const cli_question *question,
        const exchange_target *target, const p3d_estimate *estimate,
        p3d_text *out, p3d_error *err)
{
    const report_findings findings = {.estimate = estimate};
    const cli_launch launch = {.document = report_document_create(
                                       &question->question, &findings, err),
            .problem = &question->question.problem,
            .plan = &estimate->plan,
            .target = target,
            .launcher = launcher_of(question, target),
            .less_sure_frac =
                    cli_less_sure_frac(&question->question.problem, estimate)};
    exchange_files files = {0};
    const bool ok = launch.document != NULL &&
                    cli_make_launch(&launch, &files, err) &&
                    put_out(question->args, &launch, &files, out, err);

    exchange_files_free(&files);
    report_document_destroy(launch.document);
    return ok;
}

/* Lay a target's own rules over its profile's, and take another dispatcher
 * where it has not the profile's usual one. */
static void use_framework(p3d_problem *problem, const p3d_framework *framework)
{
    p3d_job *const job = &problem->job;

    job->framework = framework;
    if (!job->fixed_dispatcher && job->dispatcher != P3D_DISPATCH_ALL_TO_ALL &&
            (framework->dispatchers >> job->dispatcher & 1) == 0)
        p3d_job_use(job, framework, &problem->model, &problem->cluster);
}

typedef struct asked_plan {
    const cli_question *question;
    const char *words;
} asked_plan;

/* True when another target runs a plan and can say it, by its own rules.
 * @param of  asked_plan */
static bool can_export(const exchange_target *target, const void *of)
{
    const asked_plan *const asked = of;
    const cli_question *const question = asked->question;
    p3d_framework framework = exchange_target_framework_now(target);
    p3d_problem problem = question->question.problem;
    cli_args args = *question->args;
    exchange_launch *launch;
    p3d_refusal refusal = {0};
    p3d_plan plan;
    bool can;

    args.framework = target->framework;
    if (!cli_job_begin(&args, &problem, NULL))
        return false;
    use_framework(&problem, &framework);
    if (!p3d_plan_parse(asked->words, problem.cluster.n_gpus, &framework, &plan,
                NULL) ||
            !p3d_plan_legal(&problem.model, &problem.cluster, &problem.job,
                    &plan, &refusal))
        return false;
    launch = malloc(sizeof(*launch));
    if (launch == NULL)
        return false;
    *launch = exchange_launch_of(target, &problem, &plan);
    can = exchange_target_can_say(target, launch, &refusal);
    free(launch);
    return can;
}

/* Add to a refusal which targets can write the plan. @return false */
static bool name_capable(
        const cli_question *question, const char *words, p3d_error *err)
{
    const p3d_error why = *err;
    char names[P3D_ERROR_TEXT];

    if (name_targets(can_export, &(asked_plan){question, words}, names) == 0)
        return false;
    *err = (p3d_error){.code = P3D_OK};
    return p3d_fail(err, why.code, "%s; these can: --to %s", why.text, names);
}

/* A plan of --plan that the target does not run. @return false */
static bool fail_plan(const cli_question *question, p3d_error *err)
{
    const char *const words = question->args->plan;

    return words != NULL && err->code == P3D_DATA &&
           name_capable(question, words, err);
}

/* A plan that the target's files cannot say, or files that could not be
 * written. @return false */
static bool fail_export(const cli_question *question,
        const exchange_target *target, const p3d_plan *plan, p3d_error *err)
{
    char words[P3D_PLAN_WORDS];

    p3d_plan_print(plan, words, sizeof(words));
    return err->code == P3D_DATA &&
           !can_export(target, &(asked_plan){question, words}) &&
           strstr(err->text, " does not start under --launcher ") == NULL &&
           name_capable(question, words, err);
}

static bool answer(const cli_question *question, const exchange_target *target,
        p3d_text *out, p3d_error *err)
{
    p3d_estimate estimate;

    if (!find_plan(question, &estimate, err))
        return fail_plan(question, err);
    if (!estimate.fits && !question->args->force)
        return p3d_fail(err, P3D_NO,
                "the plan does not fit: %.2f GiB are missing; write --force to "
                "export it all the same",
                -(double)p3d_estimate_margin_bytes(&estimate) / P3D_GIB);
    return export_plan(question, target, &estimate, out, err) ||
           fail_export(question, target, &estimate.plan, err);
}

/* To serve a model there is no plan to search: the fewest GPUs that hold it,
 * and sequences as long as the model allows. */
static bool serve(const exchange_server *server, const cli_args *args,
        p3d_text *out, p3d_error *err)
{
    cli_question question = {0};
    cli_args own = *args;
    p3d_problem *const problem = &question.question.problem;
    exchange_files files = {0};
    p3d_text about = {0};
    exchange_serving serving;
    bool ok;

    if (cli_format(args) == REPORT_JSON)
        return p3d_fail(err, P3D_USAGE,
                "an export to serve has no JSON document; leave out --json "
                "and --format json");
    if (cli_is_any_framework(own.framework))
        own.framework = NULL; /* none serves */
    ok = cli_question_read("export", &own, &question, err);
    if (ok && args->seq_len == 0 && problem->model.max_positions > 0)
        problem->job.seq_len = problem->model.max_positions;
    ok = ok && exchange_serving_find(server, problem, &serving, err);
    if (ok) {
        p3d_text_add(&about,
                "Made by plan3d %s for %s.\nmodel: %s, cluster: %s\n",
                P3D_VERSION, server->title, problem->model.name,
                problem->cluster.name);
        exchange_serving_export(
                server, problem, &serving, p3d_text_get(&about), &files);
        show_files(args, &files, out);
        ok = write_files(args, &files, out, err);
    }
    p3d_text_free(&about);
    exchange_files_free(&files);
    cli_question_free(&question);
    return ok;
}

/* What stands at the head of the files of a plan on pools. */
static void print_about_pools(
        const exchange_target *target, const cli_pools *found, p3d_text *out)
{
    const p3d_pools_plan *const plan = &found->found.plan;
    const report_pools *const a = &found->answer;

    p3d_text_add(out,
            "Made by plan3d %s for %s.\n"
            "model: %s, cluster: %s\n"
            "job: sequence %d, batch %lld sequences\n"
            "predicted: %s per step, %.0f tokens/s%s\n"
            "plan: %d replicas of %s; mbs=%d, zero=%d, recompute=%s\n",
            P3D_VERSION, target->title, a->model, found->problem.pools.name,
            a->seq_len, (long long)a->global_batch,
            report_step_words(plan->step_s).text, plan->tokens_per_s,
            found->found.interrupted
                    ? "; the search was interrupted"
                    : "; no plan whose replicas are all alike is faster",
            plan->n_replicas, a->class_rows[0].pipeline,
            plan->classes[0].micro_batch, plan->zero,
            p3d_recompute_name(plan->classes[0].recompute));
}

static bool make_pools(const exchange_target *target, const cli_pools *found,
        exchange_files *files, p3d_error *err)
{
    exchange_launch *const launch = malloc(sizeof(*launch));
    p3d_text about = {0};
    bool ok;

    if (launch == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    *launch = exchange_launch_of_pools(&found->problem, &found->found.plan);
    print_about_pools(target, found, &about);
    ok = exchange_export((exchange_start){target, launch, EXCHANGE_TORCHRUN, 0},
            p3d_text_get(&about), files, err);
    p3d_text_free(&about);
    free(launch);
    return ok;
}

/* Pools of several types run by one framework, and as JSON they have no
 * document. */
static bool check_pools(
        const cli_args *args, const exchange_target *target, p3d_error *err)
{
    if (target != &exchange_to_flagscale)
        return p3d_fail(err, P3D_USAGE,
                "%s runs no plan over GPUs of several types; write --to "
                "flagscale, or name one pool",
                target->title);
    if (args->launcher > 0 && args->launcher - 1 != EXCHANGE_TORCHRUN)
        return p3d_fail(err, P3D_USAGE,
                "FlagScale starts pools of several types by ssh; leave out "
                "--launcher");
    return cli_format(args) != REPORT_JSON ||
           p3d_fail(err, P3D_USAGE,
                   "an export of pools has no JSON document; leave out --json "
                   "and --format json");
}

/* The fastest plan that FlagScale runs. */
static bool export_pools(const cli_args *args, const exchange_target *target,
        p3d_text *out, p3d_error *err)
{
    cli_pools *const found = calloc(1, sizeof(*found));
    const cli_launch launch = {.target = target};
    exchange_files files = {0};
    bool ok = found != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && check_pools(args, target, err) &&
         cli_pools_alike(args, found, err) &&
         (found->found.fits ||
                 p3d_fail(err, P3D_NO,
                         "no plan whose replicas are all alike fits; 'plan3d "
                         "fit %s %s' says what does",
                         args->words[0], args->words[1])) &&
         make_pools(target, found, &files, err) &&
         put_out(args, &launch, &files, out, err);
    exchange_files_free(&files);
    free(found);
    return ok;
}

/* The answer is no: that is no mistake, and stands where the files would, with
 * the name that tells it from them.
 * @return false where it is a mistake */
static bool say_no(cli_reply *reply, p3d_error *err)
{
    p3d_text said = {0};

    if (err->code != P3D_NO)
        return false;
    p3d_text_add(&said, "plan3d: %s",
            report_say_made(reply->out->style, err->text).text);
    report_wrap(p3d_text_get(&said), 0, reply->out);
    reply->out->failed = reply->out->failed || said.failed;
    p3d_text_free(&said);
    *err = (p3d_error){.code = P3D_OK};
    reply->code = P3D_NO;
    return true;
}

/* The same as a document without files. */
static bool print_no(const cli_question *question,
        const exchange_target *target, p3d_text *out, p3d_error *err)
{
    const report_findings nothing = {.estimate = NULL};
    const exchange_files none = {.n = 0};
    const cli_launch launch = {.document = report_document_create(
                                       &question->question, &nothing, err),
            .target = target,
            .launcher = launcher_of(question, target)};

    if (launch.document == NULL)
        return false;
    p3d_text_free(out);
    print_json(&launch, NULL, &none, out);
    report_document_destroy(launch.document);
    return true;
}

/* The question is that of the profile; then the target's own rules are laid
 * over it. */
static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const exchange_server *const server = exchange_server_find(args->to);
    const exchange_target *const target =
            server == NULL ? exchange_target_find(args->to, err) : NULL;
    cli_question question = {0};
    cli_args own = *args;
    p3d_framework framework;
    bool ok;

    if (server != NULL)
        return serve(server, args, reply->out, err) || say_no(reply, err);
    if (target == NULL || !check_framework(args, target, err))
        return false;
    if (p3d_are_pools(args->words[1]))
        return export_pools(args, target, reply->out, err) ||
               say_no(reply, err);
    if (!check_devices(args, target, err))
        return false;
    own.framework = target->framework;
    framework = exchange_target_framework_now(target);
    ok = cli_question_read("export", &own, &question, err);
    if (ok) {
        use_framework(&question.question.problem, &framework);
        ok = answer(&question, target, reply->out, err) || say_no(reply, err);
        if (ok && reply->code == P3D_NO && cli_format(args) == REPORT_JSON)
            ok = print_no(&question, target, reply->out, err);
    }
    cli_question_free(&question);
    return ok;
}

const cli_command cli_export = {
        .name = "export",
        .summary = "The launch files of a plan for a training framework.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d export 70B 64xA800 --to megatron -o run",
                "plan3d export llama-3-8b 8xH100 --to torchtitan --dry-run",
                "plan3d export 70B 8xH100 --to vllm"},
        .lacks = name_target,
        .run = run,
};
