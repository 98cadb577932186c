/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_runs.c - plan3d calibrate --runs: tables of measured runs and logs
 * of them, each held against its prediction. */
#include "cli/calibrate_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "cli/calibrate_log.h"
#include "cli/commands.h"
#include "cli/launch_files.h"
#include "cli/output.h"
#include "plan3d/own_runs.h"
#include "plan3d/score.h"
#include "plan3d/units.h"
#include "report/study.h"
#include "spec/hardware.h"
#include "spec/residuals.h"
#include "json/field.h"

static const char EXAMPLE[] = "my-runs.json";

/** The runs as they are read. */
typedef struct learning {
    const cli_args *args;
    p3d_gpu gpu; /* of the first run; all others are on it, too */
    p3d_calibration constants;
    p3d_own_score scores[P3D_MAX_OWN_RUNS];
    p3d_own_log logs[P3D_MAX_OWN_RUNS]; /* that they are from */
} learning;

/** What was measured of a run. */
typedef struct measured {
    const char *id;
    double step_s;
    double peak_bytes;
    bool allocated;               /* the peak is of tensors alone */
    const exchange_measured *log; /* that says it; NULL = a table */
} measured;

static bool take_gpu(learning *l, const p3d_cluster *cluster, p3d_error *err)
{
    if (l->constants.runs.n == P3D_MAX_OWN_RUNS)
        return p3d_fail(err, P3D_DATA,
                "more than %d runs; leave out those that say the same",
                P3D_MAX_OWN_RUNS);
    if (l->constants.runs.n == 0) {
        l->gpu = cluster->gpu;
        l->constants = cluster->calibration;
        l->constants.runs.n = 0;
    }
    return strcmp(l->gpu.name, cluster->gpu.name) == 0 ||
           p3d_fail(err, P3D_DATA,
                   "a run on %s among runs on %s: a calibration is of one GPU; "
                   "write one for each",
                   cluster->gpu.name, l->gpu.name);
}

static p3d_own_log log_of(const exchange_measured *m)
{
    return (p3d_own_log){.n_steps = m->n_steps,
            .n_warm_up = m->n_warm_up,
            .n_repeated = m->n_repeated,
            .n_other_runs = m->n_other_runs,
            .n_other_batches = m->n_other_batches,
            .n_counted = m->n_counted,
            .whole_run = m->whole_bar ||
                         (m->n_rates > 0 &&
                                 m->rates[0].row->form == EXCHANGE_LOG_WHOLE)};
}

/* Predict a run as if none had been measured, and keep both. */
static bool add_run(learning *l, const p3d_problem *problem,
        const p3d_plan *plan, const measured *m, p3d_error *err)
{
    p3d_problem alone = *problem;
    p3d_own_run run = {.measured_step_s = m->step_s,
            .measured_peak_bytes = m->peak_bytes,
            .n_params = p3d_total_params(&problem->model),
            .experts = problem->model.n_experts > 0};
    p3d_refusal refusal = {0};
    p3d_estimate e;

    if (!take_gpu(l, &problem->cluster, err))
        return false;
    alone.job.anchor = (p3d_anchor){.step_factor = 0};
    if (!p3d_estimate_plan(&alone, plan, &e, &refusal))
        return p3d_fail(err, P3D_DATA, "the plan of the run: %s: %s",
                refusal.rule, refusal.reason);
    p3d_copy(run.id, sizeof(run.id), m->id);
    p3d_copy(
            run.framework, sizeof(run.framework), problem->job.framework->name);
    p3d_copy(run.network, sizeof(run.network),
            spec_own_network(&problem->cluster));
    run.predicted_step_s = p3d_time_step_s(&e.time);
    run.predicted_peak_bytes =
            (double)(m->allocated ? p3d_memory_allocated_bytes(&e.memory)
                                  : p3d_memory_reserved_bytes(&e.memory));
    if (m->log != NULL)
        l->logs[l->constants.runs.n] = log_of(m->log);
    l->constants.runs.at[l->constants.runs.n++] = run;
    return true;
}

/* A row of a table: a question of plan3d estimate, and what was measured. */
typedef struct row {
    const char *id, *model, *cluster, *plan, *options;
    double step_s, tokens_per_s, peak_gib;
    exchange_measured *log; /* in place of these; NULL = none */
} row;

/* clang-format off */
#define TEXT(member, flags, doc) \
    {#member, JSON_TEXT, flags, offsetof(row, member), 0, 0, doc}
#define NUMBER(member, most, doc) \
    {#member, JSON_DOUBLE, 0, offsetof(row, member), 0, most, doc}
static const json_field columns[] = {
    TEXT(id, 0, "that you call the run by"),
    TEXT(model, JSON_REQUIRED, "MODEL of plan3d estimate"),
    TEXT(cluster, JSON_REQUIRED, "CLUSTER of plan3d estimate"),
    TEXT(plan, JSON_REQUIRED, "what --plan says"),
    TEXT(options, 0, "other options of plan3d estimate, with blanks"),
    NUMBER(step_s, 1e9, "measured, of a step, s"),
    NUMBER(tokens_per_s, 1e15, "or of all GPUs together"),
    NUMBER(peak_gib, 1e9, "measured, of torch.cuda.max_memory_reserved(), GiB"),
};
/* clang-format on */

static const json_shape row_shape = {.doc = "a measured run",
        .size = sizeof(row),
        .n_fields = P3D_COUNT_OF(columns),
        .fields = columns};

/* The words of options, cut in place. */
static bool cut_options(char *text, const char **argv, int *n, p3d_error *err)
{
    for (char *at = NULL, *word = strtok_r(text, " ", &at); word != NULL;
            word = strtok_r(NULL, " ", &at)) {
        if (*n == CLI_MAX_GIVEN)
            return p3d_fail(err, P3D_DATA, "more than %d words of options",
                    (int)CLI_MAX_GIVEN);
        argv[(*n)++] = word;
    }
    return true;
}

static double measured_step_s(const row *r, const p3d_job *job)
{
    if (r->step_s > 0 || r->tokens_per_s <= 0)
        return r->step_s;
    return (double)job->global_batch * job->seq_len / r->tokens_per_s;
}

static exchange_log_job job_of(const p3d_problem *of, const p3d_plan *plan)
{
    return (exchange_log_job){(double)of->job.global_batch, of->job.seq_len,
            of->cluster.n_gpus,
            (double)p3d_plan_n_micro_batches(plan, &of->job)};
}

static bool check_log(const char *path, const exchange_measured *log,
        const exchange_log_job *job, p3d_error *err)
{
    p3d_error cause = {0};

    return exchange_log_check(log, job, &cause) ||
           p3d_fail_file(err, path, &cause);
}

/* The peak of the allocator, or that of its tensors. */
static measured measured_of(const char *id, const exchange_measured *log)
{
    const bool allocated = log->max_reserved_bytes <= 0;

    return (measured){id, log->step_s,
            (double)(allocated ? log->max_allocated_bytes
                               : log->max_reserved_bytes),
            allocated, log};
}

static bool measure(const row *r, const p3d_problem *problem,
        const p3d_plan *plan, measured *out, p3d_error *err)
{
    const exchange_log_job job = job_of(problem, plan);

    if (r->log == NULL) {
        *out = (measured){r->id, measured_step_s(r, &problem->job),
                P3D_GIB * r->peak_gib, false, NULL};
        return true;
    }
    exchange_log_step(r->log, &job);
    *out = measured_of(r->id, r->log);
    return check_log(r->id, r->log, &job, err);
}

/* Ask the question of a row, with the options of the command line. */
static bool add_question(
        learning *l, const row *r, const cli_args *args, p3d_error *err)
{
    cli_question *const q = calloc(1, sizeof(*q));
    p3d_estimate found;
    bool ok = q != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && cli_question_read("estimate", args, q, err) &&
         cli_estimate_plan(q, r->plan, &found, err);
    if (ok) {
        const p3d_problem *const problem = &q->question.problem;
        measured m;

        ok = measure(r, problem, &found.plan, &m, err) &&
             (m.step_s > 0 || m.peak_bytes > 0 ||
                     p3d_fail(err, P3D_DATA,
                             "nothing was measured; give step_s, tokens_per_s "
                             "or peak_gib")) &&
             add_run(l, problem, &found.plan, &m, err);
    }
    if (q != NULL)
        cli_question_free(q);
    free(q);
    return ok;
}

static bool add_row(learning *l, const row *r, p3d_error *err)
{
    const char *argv[CLI_MAX_GIVEN + 2];
    p3d_text options = {0};
    cli_args args;
    int n = 0;
    bool ok;

    p3d_text_add(&options, "%s", r->options);
    ok = !options.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
    argv[n++] = r->model;
    argv[n++] = r->cluster;
    ok = ok &&
         (options.data == NULL || cut_options(options.data, argv, &n, err)) &&
         cli_args_parse(
                 cli_estimate.table, (cli_line){n, argv, -1}, &args, err);
    if (ok && args.calibration == NULL)
        args.calibration = l->args->calibration;
    ok = ok && add_question(l, r, &args, err);
    p3d_text_free(&options);
    return ok;
}

static bool add_rows(learning *l, const p3d_csv *csv, p3d_error *err)
{
    json_columns found;

    if (!json_find_columns(csv, &row_shape, &found, err))
        return false;
    for (int i = 0; i < csv->n_rows; i++) {
        row r = {.id = ""};
        char number[16];
        p3d_error cause = {0};

        if (!json_read_row(&found, i, &r, err))
            return false;
        (void)snprintf(number, sizeof(number), "row %d", i + 1);
        if (r.id[0] == '\0')
            r.id = number;
        if (!add_row(l, &r, &cause))
            return cause.code == P3D_SYSTEM
                           ? p3d_fail(err, P3D_SYSTEM, "%s", cause.text)
                           : p3d_csv_fail(csv, i, 0, err, "%s", cause.text);
    }
    return csv->n_rows > 0 || p3d_csv_fail_header(csv, err, "no run");
}

static bool add_launch(learning *l, const cli_launch *launch, p3d_error *err)
{
    const exchange_launch *const of = &launch->import.launch;
    p3d_problem problem = {
            .model = of->model, .cluster = launch->cluster, .job = of->job};
    const measured m = measured_of(l->args->words[0], &launch->measured);
    const exchange_log_job job = job_of(&problem, &of->plan);
    p3d_calibration given;

    if (!check_log(l->args->words[0], &launch->measured, &job, err))
        return false;
    if (l->args->calibration != NULL &&
            (!cli_calibration_open(l->args->calibration, &given, err) ||
                    !cli_calibration_use(l->args->calibration, &given,
                            &problem.cluster, err)))
        return false;
    return add_run(l, &problem, &of->plan, &m, err);
}

/* A log that prints its arguments: what import reads. */
static bool add_launch_log(learning *l, cli_runs_file *file, p3d_error *err)
{
    const exchange_text log = {.path = l->args->words[0]};
    cli_launch *const launch = calloc(1, sizeof(*launch));
    bool ok = launch != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok && l->args->cluster == NULL)
        ok = p3d_fail(err, P3D_USAGE,
                "%.200s is a log, which does not say its GPUs; write --cluster "
                "64xA800",
                log.path);
    if (ok) {
        launch->settings = file->settings;
        launch->settings.file = 1;
        launch->measured = file->measured;
        file->settings = (exchange_settings){0};
        ok = cli_launch_read(l->args, &log, 1, launch, err) &&
             add_launch(l, launch, err);
    }
    if (launch != NULL)
        cli_launch_free(launch);
    free(launch);
    return ok;
}

/* A log of which the command line says the rest. */
static bool add_said_log(learning *l, cli_runs_file *file, p3d_error *err)
{
    const cli_args *const args = l->args;
    p3d_text options = {0};
    row r = {.id = args->words[0],
            .model = args->model,
            .cluster = args->cluster,
            .plan = args->plan,
            .log = &file->measured};
    bool ok = cli_log_options(args, &file->measured, &options, err);

    r.options = p3d_text_get(&options);
    ok = ok && add_row(l, &r, err);
    p3d_text_free(&options);
    return ok;
}

/* Why nothing was found in a log. */
static bool fail_empty(
        const char *path, const exchange_measured *got, p3d_error *err)
{
    if (got->short_bar)
        return p3d_fail(err, P3D_DATA,
                "%.200s: its progress bar has less than 20 s after the "
                "warm-up, and whole seconds; give a longer log",
                path);
    if (got->lacks_time)
        return p3d_fail(err, P3D_DATA,
                "%.200s: the table of Lightning has no train/time; train with "
                "the callback ThroughputMonitor, or give what the progress bar "
                "printed",
                path);
    return p3d_fail(err, P3D_DATA,
            "%.200s: the log has neither the time of a step nor a peak of "
            "memory; write a table with what was measured (plan3d help "
            "calibrate)",
            path);
}

static bool add_log(learning *l, cli_runs_file *file, p3d_error *err)
{
    const exchange_measured *const got = &file->measured;

    if (got->n_rates == 0 && got->max_allocated_bytes <= 0 &&
            got->max_reserved_bytes <= 0)
        return fail_empty(l->args->words[0], got, err);
    if (!cli_log_agrees(l->args, file, err))
        return false;
    return cli_log_is_launch(l->args, file) ? add_launch_log(l, file, err)
                                            : add_said_log(l, file, err);
}

static bool add_table(learning *l, const p3d_text *table, p3d_error *err)
{
    p3d_csv csv = {.n_rows = 0};
    const bool ok = p3d_csv_parse(l->args->words[0], table->data, table->length,
                            &csv, err) &&
                    add_rows(l, &csv, err);

    p3d_csv_close(&csv);
    return ok;
}

static bool add_file(learning *l, const char *path, p3d_error *err)
{
    const cli_args *const all = l->args;
    cli_args one = *all;
    cli_runs_file file = {0};
    bool ok;

    one.words[0] = path;
    one.n_words = 1;
    l->args = &one;
    ok = cli_runs_file_read(path, &file, err) &&
         (file.table.length > 0 ? add_table(l, &file.table, err)
                                : add_log(l, &file, err));
    l->args = all;
    cli_runs_file_free(&file);
    return ok;
}

/* Of the sizes of those that are known; 0 where none is. */
static bool find_median(
        const learning *l, size_t member, double *out, p3d_error *err)
{
    p3d_residual known[P3D_MAX_OWN_RUNS];
    p3d_score score = {.median_abs_error_frac = 0};
    int n = 0;

    for (int i = 0; i < l->constants.runs.n; i++) {
        double error;

        memcpy(&error, (const char *)&l->scores[i] + member, sizeof(error));
        if (!isnan(error))
            known[n++] = (p3d_residual){.error_frac = error};
    }
    if (n > 0 && !p3d_score_residuals(known, n, &score, err))
        return false;
    *out = score.median_abs_error_frac;
    return true;
}

static bool print(const learning *l, p3d_text *out, p3d_error *err)
{
    report_calibrated report = {.gpu = l->gpu.name,
            .base = l->gpu.calibration,
            .device = l->constants.device,
            .driver = l->constants.driver,
            .date = l->constants.date,
            .file = l->args->out,
            .runs = {l->scores, l->constants.runs.n}};

    if (!find_median(l, offsetof(p3d_own_score, error_frac),
                &report.median_error_frac, err) ||
            !find_median(l, offsetof(p3d_own_score, held_error_frac),
                    &report.median_held_error_frac, err))
        return false;
    report_print_calibrated(&report, cli_format(l->args), out);
    return true;
}

static bool write(const learning *l, p3d_error *err)
{
    static const char *const members[] = {"/gemm", "/gemm_fp8", "/gemm_nvfp4",
            "/sustained_frac", "/attention", "/memory_pass", "/collective"};
    spec_calibration_source sources[P3D_COUNT_OF(members)];
    p3d_text text = {0};
    bool ok;

    for (int i = 0; i < P3D_COUNT_OF(members); i++) {
        sources[i].key = members[i];
        (void)snprintf(sources[i].ref, sizeof(sources[i].ref), "as in %s",
                l->constants.name);
    }
    spec_calibration_write(
            &l->constants, sources, P3D_COUNT_OF(members), &text);
    ok = cli_write_file(l->args->out, l->args->force, EXAMPLE, &text, err);
    p3d_text_free(&text);
    return ok;
}

bool cli_calibrate_runs(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    learning *const l = calloc(1, sizeof(*l));
    bool ok = l != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok && args->out != NULL)
        ok = cli_may_write_file(args->out, args->force, EXAMPLE, err);
    if (ok)
        l->args = args;
    for (int i = 0; i < args->n_words && ok; i++)
        ok = add_file(l, args->words[i], err);
    if (ok) {
        p3d_own_runs_judge(&l->constants.runs, l->scores);
        for (int i = 0; i < l->constants.runs.n; i++)
            l->scores[i].log = l->logs[i];
        ok = print(l, reply->out, err) && (args->out == NULL || write(l, err));
    }
    free(l);
    return ok;
}
