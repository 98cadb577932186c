/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_export.c - plan3d export: the launch files of a plan. */
#include <stdlib.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/interrupt.h"
#include "cli/launch.h"
#include "cli/rows.h"
#include "exchange/launch/serving.h"
#include "plan3d/units.h"
#include "plan3d/version.h"
#include "report/wrap.h"

static const char *format_word(int i)
{
    return i <= REPORT_JSON ? report_format_word(i) : NULL;
}

/* clang-format off */
static const cli_option options[] = {
    {.name = "to", .kind = CLI_TEXT, .offset = CLI_AT(to, const char *),
     .value = "TARGET", .is_required = true,
     .doc = "megatron, bridge, deepspeed, torchtitan, accelerate, nanotron, "
            "colossalai, lightning or jax; to serve the model: vllm, "
            "tensorrt-llm or tgi"},
    {.name = "plan", .kind = CLI_TEXT, .offset = CLI_AT(plan, const char *),
     .value = "WORDS", .fallback = "best",
     .doc = "the plan, such as tp=8,pp=2,sp, or best: the fastest that fits "
            "and that the target can run"},
    {.name = "out", .letter = 'o', .kind = CLI_TEXT,
     .offset = CLI_AT(out, const char *), .value = "DIR", .fallback = ".",
     .doc = "directory of the files, made when it is missing"},
    {.name = "launcher", .kind = CLI_WORD, .offset = CLI_AT(launcher, int),
     .value = "NAME", .word = p3d_launcher_word,
     .fallback = "slurm on several nodes",
     .doc = "torchrun, slurm, mpirun or deepspeed"},
    {.name = "force", .kind = CLI_FLAG, .offset = CLI_AT(force, _Bool),
     .doc = "replace files that are there, and write plans that do not fit"},
    {.name = "dry-run", .kind = CLI_FLAG, .offset = CLI_AT(dry_run, _Bool),
     .doc = "print the files and write none"},
    CLI_PIN_ROW,
    CLI_FORMATS_ROW(format_word, "text", "text, or json with the files in it"),
    CLI_JOB_ROWS,
};
/* clang-format on */

/* The plan of --plan, or the fastest that fits. */
static bool find_plan(const cli_question *question, const cli_args *args,
        p3d_estimate *out, p3d_error *err)
{
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
        const cli_args *args, const p3d_target *target, p3d_error *err)
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

static void print_files(const p3d_launch_files *files, p3d_text *out)
{
    for (int i = 0; i < files->n; i++) {
        p3d_text_add(
                out, "%s==> %s <==\n", i == 0 ? "" : "\n", files->at[i].name);
        p3d_text_append(out, p3d_text_get(&files->at[i].text),
                files->at[i].text.length);
    }
}

static void print_json(report_document *document, const p3d_target *target,
        p3d_launcher launcher, const char *directory,
        const p3d_launch_files *files, p3d_text *out)
{
    report_file rows[P3D_MAX_LAUNCH_FILES];
    const report_exported exported = {.target = target->title,
            .versions = target->versions,
            .profile = target->framework,
            .launcher = p3d_launcher_word((int)launcher),
            .directory = directory,
            .files = rows,
            .n_files = files->n};

    for (int i = 0; i < files->n; i++)
        rows[i] = (report_file){.name = files->at[i].name,
                .text = p3d_text_get(&files->at[i].text),
                .executable = files->at[i].executable};
    report_export(document, &exported, out);
}

static const char *directory_of(const cli_args *args)
{
    return args->dry_run ? NULL : args->out != NULL ? args->out : ".";
}

static bool write_files(const p3d_launch_files *files, const char *directory,
        const cli_args *args, p3d_error *err)
{
    return cli_begin_write(err) &&
           p3d_launch_files_write(files, directory, args->force, err);
}

/* Write the files and say which, or show what would be written. */
static bool put_files(const cli_args *args, const p3d_launch_files *files,
        p3d_text *out, p3d_error *err)
{
    const char *const directory = directory_of(args);

    if (directory == NULL) {
        print_files(files, out);
        return true;
    }
    for (int i = 0; i < files->n; i++)
        p3d_text_add(out, "%s/%s\n", directory, files->at[i].name);
    return out->failed || write_files(files, directory, args, err);
}

static bool put_out(const cli_args *args, report_document *document,
        const p3d_target *target, p3d_launcher launcher,
        const p3d_launch_files *files, p3d_text *out, p3d_error *err)
{
    const char *const directory = directory_of(args);

    if (cli_format(args) != REPORT_JSON)
        return put_files(args, files, out, err);
    print_json(document, target, launcher, directory, files, out);
    return directory == NULL || out->failed ||
           write_files(files, directory, args, err);
}

static p3d_launcher launcher_of(const cli_question *question,
        const cli_args *args, const p3d_target *target)
{
    return args->launcher > 0 ? (p3d_launcher)(args->launcher - 1)
                              : cli_usual_launcher(target,
                                        &question->question.problem.cluster);
}

static bool export_plan(const cli_question *question, const cli_args *args,
        const p3d_target *target, const p3d_estimate *estimate, p3d_text *out,
        p3d_error *err)
{
    const p3d_problem *const problem = &question->question.problem;
    const p3d_launcher launcher = launcher_of(question, args, target);
    const report_findings findings = {.estimate = estimate};
    report_document *const document =
            report_document_create(&question->question, &findings, err);
    p3d_launch_files files = {0};
    const bool ok = document != NULL &&
                    cli_make_launch(document, problem, &estimate->plan, target,
                            launcher, &files, err) &&
                    put_out(args, document, target, launcher, &files, out, err);

    p3d_launch_files_free(&files);
    report_document_destroy(document);
    return ok;
}

static bool answer(const cli_question *question, const cli_args *args,
        const p3d_target *target, p3d_text *out, p3d_error *err)
{
    p3d_estimate estimate;

    if (!find_plan(question, args, &estimate, err))
        return false;
    if (!estimate.fits && !args->force)
        return p3d_fail(err, P3D_NO,
                "the plan does not fit: %.2f GiB are missing; write --force to "
                "export it all the same",
                -(double)p3d_estimate_margin_bytes(&estimate) / P3D_GIB);
    return export_plan(question, args, target, &estimate, out, err);
}

/* To serve a model there is no plan to search: the fewest GPUs that hold it,
 * and sequences as long as the model allows. */
static bool serve(const p3d_server *server, const cli_args *args, p3d_text *out,
        p3d_error *err)
{
    cli_question question = {0};
    cli_args own = *args;
    p3d_problem *const problem = &question.question.problem;
    p3d_launch_files files = {0};
    p3d_text about = {0};
    p3d_serving serving;
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
    ok = ok && p3d_serving_find(server, problem, &serving, err);
    if (ok) {
        p3d_text_add(&about,
                "Made by plan3d %s for %s.\nmodel: %s, cluster: %s\n",
                P3D_VERSION, server->title, problem->model.name,
                problem->cluster.name);
        p3d_serving_export(
                server, problem, &serving, p3d_text_get(&about), &files);
        ok = put_files(args, &files, out, err);
    }
    p3d_text_free(&about);
    p3d_launch_files_free(&files);
    cli_question_free(&question);
    return ok;
}

/* The answer is no: that is no mistake, and stands where the files would.
 * @return false where it is a mistake */
static bool say_no(p3d_text *out, p3d_code *code, p3d_error *err)
{
    if (err->code != P3D_NO)
        return false;
    report_wrap(err->text, 0, REPORT_WIDTH, out);
    *err = (p3d_error){.code = P3D_OK};
    *code = P3D_NO;
    return true;
}

/* The same as a document without files. */
static bool print_no(const cli_question *question, const cli_args *args,
        const p3d_target *target, p3d_text *out, p3d_error *err)
{
    const report_findings nothing = {.estimate = NULL};
    const p3d_launch_files none = {.n = 0};
    report_document *const document =
            report_document_create(&question->question, &nothing, err);

    if (document == NULL)
        return false;
    p3d_text_free(out);
    print_json(document, target, launcher_of(question, args, target), NULL,
            &none, out);
    report_document_destroy(document);
    return true;
}

/* The question is that of the profile; then the target's own rules are laid
 * over it. */
static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    const p3d_server *const server = p3d_server_find(args->to);
    const p3d_target *const target =
            server == NULL ? p3d_target_find(args->to, err) : NULL;
    cli_question question = {0};
    cli_args own = *args;
    p3d_framework framework;
    bool ok;

    *code = P3D_OK;
    if (server != NULL)
        return serve(server, args, out, err) || say_no(out, code, err);
    if (target == NULL || !check_framework(args, target, err))
        return false;
    own.framework = target->framework;
    framework = p3d_target_framework_now(target);
    ok = cli_question_read("export", &own, &question, err);
    if (ok) {
        question.question.problem.job.framework = &framework;
        ok = answer(&question, args, target, out, err) ||
             say_no(out, code, err);
        if (ok && *code == P3D_NO && cli_format(args) == REPORT_JSON)
            ok = print_no(&question, args, target, out, err);
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
        .run = run,
};
