/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_validate.c - plan3d validate: measure a plan's own operations, and say
 * whether it holds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/answer.h"
#include "cli/calibrate.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/validate.h"
#include "report/validated.h"

/* clang-format off */
static const cli_option options[] = {
    CLI_FORMAT_ROW,
    CLI_PLAN_OR_BEST_ROW,
    {.name = "measurements", .kind = CLI_TEXT,
     .offset = CLI_AT(measurements, const char *), .value = "FILES",
     .fallback = "run plan3d-bench",
     .doc = "that were made already (gemm.json,nccl.json)"},
    {.name = "launcher", .kind = CLI_TEXT,
     .offset = CLI_AT(launcher_words, const char *), .value = "WORDS",
     .fallback = "one process a GPU of this node",
     .doc = "what starts plan3d-bench on every GPU, in the words of a shell "
            "that expands nothing ('srun -N8 --ntasks-per-node=8')"},
    {.name = "dry-run", .kind = CLI_FLAG, .offset = CLI_AT(dry_run, _Bool),
     .doc = "print what would be run"},
    {.name = "tolerance", .kind = CLI_TEXT,
     .offset = CLI_AT(tolerance, const char *), .value = "SHARE",
     .fallback = "10%", .doc = "what may be off, of a time"},
    {.name = "out", .letter = 'o', .kind = CLI_TEXT,
     .offset = CLI_AT(out, const char *), .value = "FILE",
     .doc = "write the constants that were fitted there, for --calibration"},
    {.name = "force", .kind = CLI_FLAG, .offset = CLI_AT(force, _Bool),
     .doc = "replace the file if it is there"},
    CLI_JOB_ROWS,
};
/* clang-format on */

static const double USUAL_TOLERANCE_FRAC = 0.1;

/* What the steps of one validation share. */
typedef struct work {
    const cli_args *args;
    cli_question *question;
    p3d_estimate estimate;
    p3d_request request;
    p3d_shell_words launcher;
    p3d_benches benches;
    cli_measured measured;
    p3d_validated validated;
    p3d_text commands; /* lines */
    report_validated report;
} work;

_Static_assert(
        (int)P3D_NOTE_TEXT == (int)JSON_LINE, "notes are lines of a report");

/* "10%", or a share "0.1". */
static bool read_tolerance(const char *text, double *out, p3d_error *err)
{
    p3d_decimal decimal;
    const size_t n = text != NULL ? p3d_scan_decimal(text, &decimal) : 0;
    const bool percent = n > 0 && strcmp(text + n, "%") == 0;

    if (text == NULL) {
        *out = USUAL_TOLERANCE_FRAC;
        return true;
    }
    if (n > 0 && (percent || text[n] == '\0')) {
        *out = p3d_decimal_double(&decimal, percent ? -2 : 0);
        if (*out > 0 && *out <= 1)
            return true;
    }
    return p3d_fail(err, P3D_USAGE,
            "--tolerance: '%.60s' is no share above 0 and up to 1; write 10%% "
            "or 0.1",
            text);
}

static bool read_launcher(work *w, p3d_error *err)
{
    p3d_error cause = {0};

    if (w->args->launcher_words == NULL)
        return true;
    if (w->args->measurements != NULL)
        return p3d_fail(err, P3D_USAGE,
                "--launcher starts plan3d-bench, and --measurements does "
                "without; leave one out");
    return p3d_shell_words_split(
                   w->args->launcher_words, &w->launcher, &cause) ||
           p3d_fail(err, P3D_USAGE, "--launcher: %.400s", cause.text);
}

/* Name the constants that were fitted, and write them where that was asked. */
static bool keep_constants(work *w, p3d_error *err)
{
    const cli_args *const args = w->args;
    p3d_calibrated *const made = &w->validated.calibrated;

    if (made->n_fitted == 0)
        return args->out == NULL ||
               p3d_fail(err, P3D_DATA,
                       "too few points to fit constants to, and nothing to "
                       "write to %.200s; see 'plan3d validate --dry-run'",
                       args->out);
    cli_calibration_name(made);
    return args->out == NULL ||
           cli_calibration_write(args->out, args->force, made, err);
}

/* Kinds that the plan has, or that were measured. */
static int keep_kinds(p3d_compared *compared)
{
    int n = 0;

    for (int i = 0; i < P3D_N_COMPARED; i++)
        if (compared->kinds[i].n_wanted > 0)
            compared->kinds[n++] = compared->kinds[i];
    return n;
}

/* What was found, where the report looks for it. */
static void fill_report(work *w)
{
    report_validated *const r = &w->report;
    p3d_validated *const v = &w->validated;
    const p3d_calibration *const c = &v->calibrated.constants;

    r->verdict = v->holds ? REPORT_HOLDS : REPORT_DOES_NOT_HOLD;
    r->device = c->device;
    r->driver = c->driver;
    r->date = c->date;
    r->covered_frac = v->covered_frac;
    r->all = &v->compared.all;
    r->step = &v->step;
    r->memory = &v->compared.memory;
    r->forms = (json_list){v->calibrated.forms, P3D_N_FORMS};
    r->file = w->args->out;
    r->reasons = (json_list){v->reasons.at, v->reasons.n};
    r->notes = (json_list){v->notes.at, v->notes.n};
    r->kinds = (json_list){v->compared.kinds, keep_kinds(&v->compared)};
}

static bool validate(work *w, p3d_error *err)
{
    cli_progress progress;
    const p3d_watch watch = {cli_progress_tick, &progress};
    const p3d_validate_options asked = {
            .problem = &w->question->question.problem,
            .estimate = &w->estimate,
            .files = w->measured.files,
            .n_files = w->measured.n,
            .tolerance_frac = w->report.tolerance_frac,
            .searched = w->args->plan == NULL,
            .missing = w->measured.missing,
            .watch = &watch};
    bool ok;

    cli_progress_begin(&progress, "searching", 0);
    ok = p3d_validate_run(&asked, &w->validated, err);
    cli_progress_end(&progress);
    if (!ok || !keep_constants(w, err))
        return false;
    fill_report(w);
    return true;
}

/* "plan3d WORD MODEL CLUSTER OPTIONS --plan WORDS" */
static void add_question(const work *w, const char *word, p3d_text *out)
{
    const report_question *const q = &w->question->question;

    p3d_text_add(out, "plan3d %s ", word);
    report_shell_word(q->model_word, out);
    p3d_text_add(out, " ");
    report_shell_word(q->cluster_word, out);
    p3d_text_add(out, "%s --plan ", q->options);
    report_shell_word(w->request.plan, out);
}

/* A run as a person writes it. @param launcher  NULL = none */
static void add_bench(
        const p3d_bench *bench, const char *launcher, p3d_text *out)
{
    p3d_text_add(out, "%s%splan3d-bench %s", launcher != NULL ? launcher : "",
            launcher != NULL ? " " : "", bench->command);
    if (bench->of_plan)
        p3d_text_add(out, " --request shapes.json");
    for (int i = 0; i < bench->n_words; i++)
        p3d_text_add(out, " %s", bench->words[i]);
    p3d_text_add(out, " -o %s", bench->output);
}

/* The lines of the commands, each ended by a NUL. */
static void write_commands(work *w)
{
    p3d_text *const out = &w->commands;

    add_question(w, "shapes", out);
    p3d_text_add(out, " --json > shapes.json");
    p3d_text_append(out, "", 1);
    for (int i = 0; i < w->benches.n; i++) {
        add_bench(&w->benches.at[i], w->args->launcher_words, out);
        p3d_text_append(out, "", 1);
    }
    add_question(w, "validate", out);
    for (int i = 0; i < w->benches.n; i++)
        p3d_text_add(out, "%s%s", i == 0 ? " --measurements " : ",",
                w->benches.at[i].output);
    p3d_text_append(out, "", 1);
}

/* Say what to run where the GPUs are. */
static bool print_commands(work *w, int verdict, const char *why_not,
        p3d_text *out, p3d_error *err)
{
    report_bench rows[P3D_MAX_BENCHES + 2] = {{.command = NULL}};
    const int n = w->benches.n + 2;
    const char *at;

    write_commands(w);
    if (w->commands.failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    at = p3d_text_get(&w->commands);
    for (int i = 0; i < n; i++) {
        rows[i].command = at;
        if (i > 0 && i <= w->benches.n)
            rows[i].n_measurements = w->benches.at[i - 1].n_measurements;
        at += strlen(at) + 1;
    }
    w->report.verdict = verdict;
    w->report.why_not = why_not;
    w->report.commands = (json_list){rows, n};
    w->report.n_measurements = w->benches.n_measurements;
    report_print_validated(&w->report, cli_format(w->args), out);
    return true;
}

static bool measure(work *w, p3d_error *err)
{
    if (w->args->measurements != NULL)
        return cli_measured_open(w->args->measurements, &w->measured, err);
    return cli_measure(&w->request, &w->benches,
            w->args->launcher_words != NULL ? &w->launcher : NULL, &w->measured,
            err);
}

static bool prepare(work *w, p3d_error *err)
{
    const cli_args *const args = w->args;
    report_validated *const r = &w->report;
    const p3d_problem *const problem = &w->question->question.problem;

    if (!read_tolerance(args->tolerance, &r->tolerance_frac, err) ||
            !read_launcher(w, err) ||
            !cli_calibration_may_write(args->out, args->force, err) ||
            !cli_question_read("validate", args, w->question, err) ||
            !cli_estimate_plan_or_best(
                    w->question, args->plan, &w->estimate, err) ||
            !p3d_request_build(problem, &w->estimate, &w->request, err))
        return false;
    r->model = w->request.model;
    r->cluster = w->request.cluster;
    r->plan = w->request.plan;
    p3d_benches_list(
            problem, &w->request, args->launcher_words != NULL, &w->benches);
    return true;
}

static bool answer(work *w, cli_reply *reply, p3d_error *err)
{
    if (!prepare(w, err))
        return false;
    if (w->args->dry_run)
        return print_commands(w, REPORT_NOT_RUN, NULL, reply->out, err);
    if (!measure(w, err))
        return false;
    if (w->measured.why_not[0] != '\0') {
        reply->code = P3D_DEVICE;
        return print_commands(
                w, REPORT_NOT_MEASURED, w->measured.why_not, reply->out, err);
    }
    if (!validate(w, err))
        return false;
    report_print_validated(&w->report, cli_format(w->args), reply->out);
    reply->code = w->report.verdict == REPORT_HOLDS ? P3D_OK : P3D_NO;
    return true;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    cli_question question = {0};
    work *const w = calloc(1, sizeof(*w));
    bool ok = w != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok) {
        w->args = args;
        w->question = &question;
        ok = answer(w, reply, err);
        cli_measured_free(&w->measured);
        p3d_request_free(&w->request);
        p3d_text_free(&w->commands);
    }
    free(w);
    cli_question_free(&question);
    return ok;
}

const cli_command cli_validate = {
        .name = "validate",
        .summary = "Measure a plan's own operations on the machine, and say "
                   "whether the plan holds there.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(options),
        .examples = {"plan3d validate 70B 64xA800 --launcher "
                     "'srun -N8 --ntasks-per-node=8'",
                "plan3d validate 70B 64xA800 --measurements "
                "gemm.json,nccl.json -o mine.json",
                "plan3d validate 70B 64xA800 --dry-run"},
        .run = run,
};
