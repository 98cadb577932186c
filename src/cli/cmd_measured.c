/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_measured.c - plan3d shapes, calibrate, validate and backtest: what is to
 * be measured, and what follows from measurements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "cli/calibrate_runs.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/validate_measure.h"
#include "cli/validate_trace.h"
#include "exchange/measure/measurements.h"
#include "plan3d/backtest.h"
#include "plan3d/calibrate.h"
#include "report/study.h"
#include "spec/hardware.h"

static const json_option shapes_options[] = {
        CLI_PLAN_OR_BEST_ROW,
        CLI_FORMAT_ROW,
        CLI_JOB_ROWS,
};

static void print_shapes(const cli_question *question,
        const p3d_request *request, report_format format, p3d_text *out)
{
    switch (format) {
    case REPORT_JSON: exchange_request_write(request, out); break;
    case REPORT_CSV: json_put_csv(&exchange_request_shape, request, out); break;
    case REPORT_JSONL:
        json_put_lines(&exchange_request_shape, request, out);
        break;
    case REPORT_TEXT:
    case REPORT_MARKDOWN:
    case REPORT_N_FORMATS:
        report_frameworks(&question->question, out);
        report_shapes(request, out);
        break;
    }
}

static bool answer_shapes(
        const cli_question *question, cli_reply *reply, p3d_error *err)
{
    p3d_estimate estimate;
    p3d_request request;

    if (!cli_estimate_plan_or_best(
                question, question->args->plan, &estimate, err) ||
            !p3d_request_build(
                    &question->question.problem, &estimate, &request, err))
        return false;
    print_shapes(question, &request, reply->format, reply->out);
    p3d_request_free(&request);
    return true;
}

const cli_command cli_shapes = {
        .name = "shapes",
        .summary = "The operations of a plan with their shapes: what "
                   "plan3d-bench measures on the machine.",
        .positionals = {CLI_MODEL, CLI_CLUSTER},
        .table = CLI_TABLE(shapes_options),
        .examples = {"plan3d shapes 70B 64xA800 --plan tp=8,pp=4",
                "plan3d shapes 70B 64xA800 --json > shapes.json"},
        .answer = answer_shapes,
};

static const char EXAMPLE[] = "h100.json";

/* Members of a calibration file, and the forms that they hold. */
typedef struct member {
    const char *key;
    p3d_cost_form first, last; /* P3D_N_FORMS: none is fitted */
    unsigned part;             /* of assumed_parts; 0: none */
} member;

#define BIT(part) (1u << (part))

static const member members[] = {
        {"/gemm", P3D_FORM_GEMM, P3D_FORM_GEMM, BIT(P3D_SPEEDS_GEMM)},
        {"/gemm_fp8", P3D_FORM_GEMM_FP8, P3D_FORM_GEMM_FP8,
                BIT(P3D_SPEEDS_GEMM_FP8)},
        {"/gemm_nvfp4", P3D_N_FORMS, P3D_N_FORMS, BIT(P3D_SPEEDS_GEMM_NVFP4)},
        {"/sustained_frac", P3D_N_FORMS, P3D_N_FORMS,
                BIT(P3D_SPEEDS_SUSTAINED)},
        {"/attention", P3D_FORM_ATTENTION, P3D_FORM_ATTENTION_BACKWARD,
                BIT(P3D_SPEEDS_ATTENTION)},
        {"/memory_pass", P3D_FORM_PASS, P3D_FORM_PASS, BIT(P3D_SPEEDS_PASS)},
        {"/collective", P3D_FORM_ALL_REDUCE, P3D_FORM_ALL_TO_ALL,
                BIT(P3D_SPEEDS_COLLECTIVE)},
        {"/network", P3D_FORM_NETWORK, P3D_FORM_NETWORK_ALL_TO_ALL, 0},
        {"/assumed", P3D_FORM_OVERLAP, P3D_FORM_OVERLAP, 0},
        {"/host", P3D_FORM_COPY, P3D_FORM_CPU_ADAM, 0},
};

#undef BIT

static void add_source(const p3d_calibrated *c, const member *m, p3d_text *out)
{
    if (m->first == P3D_N_FORMS) {
        p3d_text_add(out, "as in %s", c->base);
        return;
    }
    for (int i = (int)m->first; i <= (int)m->last; i++) {
        const p3d_form_result *const f = &c->forms[i];

        p3d_text_add(out, "%s%s: ", i > (int)m->first ? "; " : "", f->name);
        if (f->fitted)
            p3d_text_add(out, "%d points, error %.1f %%, held out %.1f %%",
                    f->n_points, 100 * f->new_error_frac,
                    100 * f->held_error_frac);
        else
            p3d_text_add(out, "as in %s", c->base);
    }
}

static bool has_fit(const p3d_calibrated *c, const member *m)
{
    for (int i = (int)m->first; i <= (int)m->last && i < P3D_N_FORMS; i++)
        if (c->forms[i].fitted)
            return true;
    return false;
}

static void print_file(const p3d_calibrated *c, p3d_text *out)
{
    spec_calibration_source sources[P3D_COUNT_OF(members)];
    p3d_calibration constants = c->constants;

    for (int i = 0; i < P3D_COUNT_OF(members); i++) {
        p3d_text ref = {0};

        if (has_fit(c, &members[i]))
            constants.assumed_parts &= ~members[i].part;
        add_source(c, &members[i], &ref);
        sources[i].key = members[i].key;
        p3d_copy(sources[i].ref, sizeof(sources[i].ref), p3d_text_get(&ref));
        out->failed = out->failed || ref.failed;
        p3d_text_free(&ref);
    }
    spec_calibration_write(&constants, sources, P3D_COUNT_OF(members), out);
}

/* Name the constants after those from before: "sm90-measured". */
static void name_constants(p3d_calibrated *c)
{
    snprintf(c->constants.name, sizeof(c->constants.name), "%.36s-measured",
            c->base);
}

static bool may_write(const char *path, bool force, p3d_error *err)
{
    return path == NULL || cli_may_write_file(path, force, EXAMPLE, err);
}

static bool write_constants(
        const char *path, bool force, const p3d_calibrated *c, p3d_error *err)
{
    p3d_text text = {0};
    bool ok;

    print_file(c, &text);
    ok = cli_write_file(path, force, EXAMPLE, &text, err);
    p3d_text_free(&text);
    return ok;
}

/* clang-format off */
static const json_option calibrate_options[] = {
    CLI_FILE_ROWS(NULL, "write the calibration there, for --calibration FILE",
            "replace the file if it is there"),
    {JSON_OPTION("gpu", "GPU that was measured, see 'plan3d list gpus'"),
     CLI_TEXT_AT(gpu, "NAME"), .fallback = "the one like the measured device"},
    {JSON_OPTION("runs",
         "the files are of runs of yours: tables (CSV with the columns model, "
         "cluster, plan, options, and step_s, tokens_per_s or peak_gib) or "
         "logs of Megatron-LM, NeMo, torchtitan, nanotron, DeepSpeed, the "
         "Hugging Face Trainer or Lightning"), CLI_FLAG_AT(runs)},
    {JSON_OPTION("calibration",
         "with --runs: constants that the runs are held against"),
     CLI_TEXT_AT(calibration, "FILE"), .fallback = "that of the GPU"},
    {JSON_OPTION("cluster",
         "with --runs: that a log is from, such as 64xA800"),
     CLI_TEXT_AT(cluster, "CLUSTER"), .fallback = "that of each row"},
    {JSON_OPTION("model", "with --runs: that a log is of"),
     CLI_TEXT_AT(model, "MODEL"), .fallback = "as the log describes it"},
    {JSON_OPTION("seq", "with --runs: tokens per sequence of a log"),
     CLI_LENGTH_AT(seq_len, "N", 1, P3D_MAX_SEQ_LEN),
     .fallback = "as the log has it"},
    {JSON_OPTION("batch", "with --runs: global batch size of a log"),
     CLI_COUNT_AT(job.global_batch, "N", 1, P3D_MAX_BATCH),
     .fallback = "as the log has it"},
    {JSON_OPTION("plan",
         "with --runs: the plan that a log is of, such as tp=8,pp=2"),
     CLI_TEXT_AT(plan, "WORDS"), .fallback = "as the log has it"},
    {JSON_OPTION("framework",
         "with --runs and --plan: whose profile predicts a log"),
     CLI_TEXT_AT(framework, "NAME"),
     .fallback = "the one that writes such logs"},
    {JSON_OPTION("set",
         "with --runs: what a log leaves out, several with commas"),
     CLI_TEXT_AT(set, "NAME=VALUE"), .fallback = "not set"},
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

/* Options that say nothing of the other kind of files. */
static bool check_calibrate(const cli_args *args, p3d_error *err)
{
    static const char *const of_runs[] = {"calibration", "cluster", "model",
            "seq", "batch", "plan", "framework", "set"};

    if (args->runs && args->gpu != NULL)
        return p3d_fail(err, P3D_USAGE,
                "--gpu: a run is on the GPUs of its cluster; leave it out");
    for (int i = 0; i < P3D_COUNT_OF(of_runs) && !args->runs; i++)
        if (cli_is_given(args, of_runs[i]))
            return p3d_fail(err, P3D_USAGE,
                    "--%s is of measured runs; add --runs, or leave it out",
                    of_runs[i]);
    return true;
}

/* Who has one node is not asked for what leaves it, nor who does not offload
 * for the host. */
static json_list shown_forms(const p3d_calibrated *c, p3d_form_result *room)
{
    int n = 0;

    for (int i = 0; i < P3D_N_FORMS; i++)
        if (i < (int)P3D_FORM_NETWORK || c->forms[i].n_points > 0)
            room[n++] = c->forms[i];
    return (json_list){room, n};
}

static void print_calibrated(
        const cli_args *args, const p3d_calibrated *c, p3d_text *out)
{
    p3d_form_result shown[P3D_N_FORMS];
    const report_calibrated report = {.gpu = c->gpu.name,
            .base = c->base,
            .device = c->constants.device,
            .driver = c->constants.driver,
            .date = c->constants.date,
            .file = args->out,
            .forms = shown_forms(c, shown),
            .left = {c->left, c->n_left}};

    report_print_calibrated(&report, cli_format(args), out);
}

/* Logs of other programs have no more of the device than its name. */
static const p3d_machine *best_described(const p3d_measurements *files, int n)
{
    for (int i = 0; i < n; i++)
        if (files[i].machine.memory_bytes > 0)
            return &files[i].machine;
    return &files[0].machine;
}

static bool find_gpu(const cli_args *args, const p3d_machine *machine,
        p3d_gpu *out, p3d_error *err)
{
    if (args->gpu != NULL)
        return p3d_gpu_find(args->gpu, out, err);
    return p3d_gpu_of_device(machine, out, err);
}

static bool calibrate(const cli_args *args, const p3d_measurements *files,
        p3d_calibrated *out, p3d_error *err)
{
    p3d_calibration base = {.name = ""};
    p3d_gpu gpu = {.name = ""};

    if (!find_gpu(args, best_described(files, args->n_words), &gpu, err) ||
            !spec_calibration_load(gpu.calibration, &base, err) ||
            !p3d_calibrate(
                    &(p3d_calibrate_options){&gpu, &base, files, args->n_words},
                    out, err))
        return false;
    name_constants(out);
    return true;
}

/* No file without its answer. */
static bool write_file(const cli_args *args, const p3d_calibrated *made,
        const p3d_text *answer, p3d_error *err)
{
    return args->out == NULL || answer->failed ||
           write_constants(args->out, args->force, made, err);
}

static bool run_constants(
        const cli_args *args, cli_reply *reply, p3d_error *err)
{
    p3d_measurements *const files =
            calloc((size_t)args->n_words, sizeof(*files));
    p3d_calibrated *const made = calloc(1, sizeof(*made));
    bool ok = (files != NULL && made != NULL) ||
              p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok &&
         p3d_measurements_open_all(args->words, args->n_words, files, err) &&
         calibrate(args, files, made, err);
    if (ok) {
        print_calibrated(args, made, reply->out);
        ok = write_file(args, made, reply->out, err);
    }
    for (int i = 0; files != NULL && i < args->n_words; i++)
        p3d_measurements_free(&files[i]);
    free(made);
    free(files);
    return ok;
}

static bool run_calibrate(
        const cli_args *args, cli_reply *reply, p3d_error *err)
{
    return check_calibrate(args, err) &&
           (args->runs ? cli_calibrate_runs : run_constants)(args, reply, err);
}

const cli_command cli_calibrate = {
        .name = "calibrate",
        .summary = "The constants of a machine, fitted to what plan3d-bench "
                   "measured on it; or what runs of yours say of the next.",
        .positionals = {{.word = "FILE",
                .doc = "measurements of plan3d-bench, logs of nccl-tests "
                       "or mamf-finder, or traces of the PyTorch profiler; "
                       "several of one machine are fitted together; with "
                       "--runs tables or logs of runs",
                .number = CLI_SOME}},
        .table = CLI_TABLE(calibrate_options),
        .examples = {"plan3d calibrate gemm.json nccl.json -o my-h100.json",
                "plan3d calibrate gemm.json --gpu H100 --json",
                "plan3d calibrate --runs runs.csv -o my-runs.json"},
        .run = run_calibrate,
};

/* clang-format off */
static const json_option validate_options[] = {
    CLI_FORMAT_ROW,
    CLI_PLAN_OR_BEST_ROW,
    {JSON_OPTION("measurements",
         "that were made already (gemm.json,nccl.json)"),
     CLI_TEXT_AT(measurements, "FILES"), .fallback = "run plan3d-bench"},
    {JSON_OPTION("trace",
         "of the PyTorch profiler (trace.json.gz) or of Nsight Systems "
         "(report.sqlite) while the plan trained: where its steps differ from "
         "the prediction; with commas several, each of another rank: which is "
         "slow, and who waits"),
     CLI_TEXT_AT(trace, "FILES"), .fallback = "measure operations"},
    {JSON_OPTION("trace-steps", "steps that the trace is of, if it names none"),
     CLI_COUNT_AT(n_trace_steps, "N", 1, 1000000), .fallback = "1"},
    {JSON_OPTION("launcher",
         "what starts plan3d-bench on every GPU, in the words of a shell that "
         "expands nothing ('srun -N8 --ntasks-per-node=8')"),
     CLI_TEXT_AT(launcher_words, "WORDS"),
     .fallback = "one process a GPU of this node"},
    {JSON_OPTION("dry-run", "print what would be run"), CLI_FLAG_AT(dry_run)},
    {JSON_OPTION("tolerance", "what may be off, of a time"),
     CLI_TEXT_AT(tolerance, "SHARE"), .fallback = "10%"},
    CLI_FILE_ROWS(NULL,
            "write the constants that were fitted there, for --calibration",
            "replace the file if it is there"),
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
    p3d_form_result shown[P3D_N_FORMS]; /* those that the report has */
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
    name_constants(made);
    return args->out == NULL ||
           write_constants(args->out, args->force, made, err);
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
    r->forms = shown_forms(&v->calibrated, w->shown);
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
            !read_launcher(w, err) || !may_write(args->out, args->force, err) ||
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
    if (!cli_trace_check(w->args, err) || !prepare(w, err))
        return false;
    if (w->args->trace != NULL)
        return cli_trace_compare(
                &(cli_traced){w->args, &w->question->question.problem,
                        &w->estimate, &w->request, &w->report},
                reply, err);
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

static bool run_validate(const cli_args *args, cli_reply *reply, p3d_error *err)
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
        .table = CLI_TABLE(validate_options),
        .examples = {"plan3d validate 70B 64xA800 --launcher "
                     "'srun -N8 --ntasks-per-node=8'",
                "plan3d validate 70B 64xA800 --measurements "
                "gemm.json,nccl.json -o mine.json",
                "plan3d validate 70B 64xA800 --dry-run"},
        .run = run_validate,
};

typedef enum what { ALL, TIME, MEMORY, RANK, N_WHATS } what;

static const char *what_word(int i)
{
    static const char *const words[] = {[ALL] = "all",
            [TIME] = "time",
            [MEMORY] = "memory",
            [RANK] = "rank"};

    return i < N_WHATS ? words[i] : NULL;
}

/* clang-format off */
static const json_option backtest_options[] = {
    {JSON_OPTION("what", "time, memory, rank (needs --sets) or all"),
     CLI_WORD_AT(what, "WHAT", what_word), .fallback = "all"},
    {JSON_OPTION("sets",
         "CSV of sets of runs of one job with different plans: columns set "
         "and ids"), CLI_TEXT_AT(sets, "FILE")},
    {JSON_OPTION("source", "only the rows of this source"),
     CLI_TEXT_AT(source, "NAME")},
    {JSON_OPTION("calibration",
         "constants for the runs on the GPU that it is of: a file of 'plan3d "
         "calibrate', or a name of 'plan3d list calibrations'"),
     CLI_TEXT_AT(calibration, "FILE"), .fallback = "those of each GPU"},
    {JSON_OPTION("rows", "list every row"), CLI_FLAG_AT(rows)},
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

static void print_backtest(const cli_args *args,
        const p3d_backtest_options *asked, const p3d_backtest *found,
        p3d_text *out)
{
    const report_backtest report = {.file = asked->runs,
            .time = asked->time,
            .memory = asked->memory,
            .rank = asked->rank,
            .with_rows = args->rows,
            .found = *found,
            .sources = {found->sources, found->n_sources},
            .skipped = {found->skipped, found->n_skipped},
            .assumed = {found->assumed, found->n_assumed},
            .rows = {found->rows, args->rows ? found->n_rows : 0}};

    report_print_backtest(&report, cli_format(args), out);
}

static bool run_backtest(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    const int asked = args->what > 0 ? args->what - 1 : ALL;
    p3d_calibration constants = {.name = ""};
    const p3d_backtest_options asked_runs = {.runs = args->words[0],
            .sets = args->sets,
            .source = args->source,
            .calibration = args->calibration != NULL ? &constants : NULL,
            .time = asked == ALL || asked == TIME,
            .memory = asked == ALL || asked == MEMORY,
            .rank = args->sets != NULL && (asked == ALL || asked == RANK)};
    p3d_backtest found = {.n_rows = 0};

    if (args->calibration != NULL &&
            !cli_calibration_open(args->calibration, &constants, err))
        return false;
    if (asked == RANK && args->sets == NULL)
        return p3d_fail(err, P3D_USAGE, "--what rank needs --sets FILE");
    if (!p3d_backtest_run(&asked_runs, &found, err))
        return false;
    print_backtest(args, &asked_runs, &found, reply->out);
    p3d_backtest_free(&found);
    return true;
}

const cli_command cli_backtest = {
        .name = "backtest",
        .summary = "Predict measured runs and print the errors by source.",
        .positionals = {{"FILE",
                "CSV of measured runs, with the columns of "
                "tests/accuracy/runs.csv; - is standard input",
                CLI_ONCE}},
        .table = CLI_TABLE(backtest_options),
        .examples = {"plan3d backtest tests/accuracy/runs.csv --sets "
                     "tests/accuracy/ranking_sets.csv",
                "plan3d backtest tests/accuracy/memory.csv --what memory "
                "--rows"},
        .run = run_backtest,
};
