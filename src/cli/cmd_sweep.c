/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sweep.c - plan3d sweep: the best plan of many clusters and jobs. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/stop.h"
#include "cli/rows.h"
#include "cli/sweep.h"
#include "plan3d/units.h"

/* clang-format off */
static const cli_option options[] = {
    {.name = "gpus", .kind = CLI_TEXT,
     .offset = CLI_AT(gpu_list, const char *), .value = "LIST",
     .doc = "numbers of GPUs of the types: 8..1024 (doubling), 8..512:8 (with "
            "a step), 64,96"},
    {.name = "seq", .kind = CLI_TEXT,
     .offset = CLI_AT(seq_list, const char *), .value = "LIST",
     .fallback = "the model's, at most 8192",
     .doc = "tokens per sequence: 4096,8192 or 4096..131072"},
    {.name = "batch", .kind = CLI_TEXT,
     .offset = CLI_AT(batch_list, const char *), .value = "LIST",
     .fallback = "about 4 Mi tokens",
     .doc = "sequences per step, of the whole cluster: 256,512"},
    {.name = "framework", .kind = CLI_TEXT,
     .offset = CLI_AT(framework_list, const char *), .value = "LIST",
     .fallback = "megatron-core",
     .doc = "training frameworks: megatron-core,fsdp2; any: the best for each "
            "row"},
    {.name = "price", .kind = CLI_TEXT,
     .offset = CLI_AT(price_list, const char *), .value = "LIST",
     .doc = "USD for one GPU and hour: one price, or one for each cluster"},
    {.name = "deadline", .kind = CLI_TEXT,
     .offset = CLI_AT(deadline, const char *), .value = "TIME",
     .doc = "find the fewest and the cheapest GPUs that train --tokens in this "
            "time (30d)"},
    {.name = "max-gpus", .kind = CLI_COUNT,
     .offset = CLI_AT(max_gpus, int64_t), .value = "N", .fallback = "16384",
     .min = 1, .max = P3D_MAX_GPUS,
     .doc = "where the search for a deadline ends"},
    {.name = "pareto", .kind = CLI_FLAG, .offset = CLI_AT(pareto, _Bool),
     .doc = "only rows that no other row beats in GPUs, time, money, energy "
            "and memory margin"},
    {.name = "idle", .kind = CLI_FLAG, .offset = CLI_AT(idle, _Bool),
     .doc = "a cluster may leave nodes idle where fewer are faster"},
    CLI_FORMAT_ROW,
    CLI_PIN_ROW,
    CLI_KIND_ROWS,
    CLI_PLACE_ROWS,
    CLI_TRAINING_ROWS,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

static bool read_deadline(const cli_args *args, double *out, p3d_error *err)
{
    p3d_error cause = {0};

    if (args->deadline == NULL && args->max_gpus > 0)
        return p3d_fail(err, P3D_USAGE,
                "--max-gpus is for --deadline; write --gpus 8..1024");
    if (args->deadline == NULL)
        return true;
    if (args->n_tokens == 0)
        return p3d_fail(err, P3D_USAGE,
                "--deadline needs the tokens of the training; add --tokens 2T");
    if (args->pareto)
        return p3d_fail(err, P3D_USAGE,
                "--pareto and --deadline contradict each other; leave one out");
    if (args->idle)
        return p3d_fail(err, P3D_USAGE,
                "--idle and --deadline contradict each other: a smaller "
                "cluster is found as such; leave one out");
    return p3d_parse_seconds(args->deadline, out, &cause) ||
           p3d_fail(err, P3D_USAGE, "--deadline: %.400s", cause.text);
}

/* A misspelt framework is found before the first search. */
static bool check_frameworks(const cli_sweep_work *sweep, p3d_error *err)
{
    for (int i = 0; i < sweep->axes.n_frameworks; i++) {
        cli_sweep_point point = cli_sweep_job(&sweep->axes, 0);
        p3d_error cause = {0};
        p3d_problem problem;

        point.framework = sweep->axes.frameworks[i];
        if (!cli_sweep_problem(sweep, &point, &problem, &cause) &&
                cause.code != P3D_DATA)
            return p3d_fail(err, cause.code, "%s", cause.text);
    }
    return true;
}

static bool read_work(const cli_args *args, cli_sweep_work *s, p3d_error *err)
{
    s->args = args;
    return read_deadline(args, &s->deadline_s, err) &&
           cli_read_pins(args, &s->pins, err) &&
           cli_sweep_axes_read(args, &s->axes, err) && check_frameworks(s, err);
}

/* Rows of one job: a row for each number of GPUs. */
static bool add_job(cli_sweep_work *s, cli_sweep_point point, p3d_error *err)
{
    const p3d_numbers *counts = &point.cluster->counts;

    for (int i = 0; i < (counts->n > 0 ? counts->n : 1); i++) {
        char word[CLI_CLUSTER_WORD];

        if (counts->n > 0)
            point.n_gpus = counts->at[i];
        cli_sweep_cluster_word(&point, word);
        if (cli_progress_next(&s->progress, word) &&
                !cli_sweep_add_row(s, &point, err))
            return false;
        if (p3d_stopped()) { /* a row that was begun is not in */
            s->report.complete = false;
            return true;
        }
    }
    return true;
}

static int64_t count_rows(const cli_sweep_axes *axes)
{
    int64_t n = 0;

    for (int64_t i = 0; i < cli_sweep_n_jobs(axes); i++) {
        const int counts = cli_sweep_job(axes, i).cluster->counts.n;

        n += counts > 0 ? counts : 1;
    }
    return n;
}

static bool search_all(cli_sweep_work *s, p3d_error *err)
{
    const int64_t n_jobs = cli_sweep_n_jobs(&s->axes);
    bool ok = true;

    cli_progress_begin(&s->progress, "", s->report.n_asked);
    for (int64_t i = 0; i < n_jobs && ok && s->report.complete; i++)
        ok = add_job(s, cli_sweep_job(&s->axes, i), err);
    cli_progress_end(&s->progress);
    return ok;
}

static bool find(cli_sweep_work *s, p3d_error *err)
{
    const double start_s = p3d_now_s();
    const bool scans = s->deadline_s > 0;
    const int64_t n_jobs = cli_sweep_n_jobs(&s->axes);
    const int64_t n_rows =
            scans ? n_jobs * CLI_SCAN_ROWS : count_rows(&s->axes);
    bool ok;

    s->cache = p3d_search_cache_create(err);
    s->result = malloc(sizeof(*s->result));
    s->rows = calloc((size_t)n_rows, sizeof(*s->rows));
    s->scans = calloc((size_t)n_jobs, sizeof(*s->scans));
    if (s->cache == NULL || s->result == NULL || s->rows == NULL ||
            s->scans == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s->report.complete = true;
    s->report.n_asked = scans ? 0 : n_rows;
    ok = scans ? cli_sweep_deadline(s, err) : search_all(s, err);
    s->report.seconds = p3d_now_s() - start_s;
    return ok && cli_sweep_mark_front(s, err);
}

/* When nothing at all is legal, the question is wrong, as for fit. */
static bool check_legal(const cli_sweep_work *s, p3d_error *err)
{
    for (int i = 0; i < s->n_rows; i++)
        if (s->rows[i].legal)
            return true;
    return s->n_rows == 0 ||
           p3d_fail(err, P3D_DATA, "%s: %.400s", s->rows[0].cluster,
                   s->rows[0].refusal_words);
}

static void print(cli_sweep_work *s, p3d_text *out, p3d_code *code)
{
    const cli_args *args = s->args;
    const report_question question = {
            .model_word = args->words[0], .problem.model = s->axes.model};
    p3d_text repeated = {0};

    cli_repeat_options(args, NULL, &repeated); /* rows name theirs */
    s->report.options = p3d_text_get(&repeated);
    s->report.model_word = args->words[0];
    s->report.question = question;
    s->report.n_tokens = (double)args->n_tokens;
    s->report.deadline_s = s->deadline_s;
    s->report.only_front = args->pareto;
    report_sweep_complete(&s->report, s->rows, s->n_rows, s->scans, s->n_scans);
    report_print_sweep(&s->report, cli_format(args), out);
    out->failed = out->failed || repeated.failed;
    p3d_text_free(&repeated);
    *code = !s->report.complete ? P3D_INTERRUPTED
            : s->report.fits    ? P3D_OK
                                : P3D_NO;
}

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    cli_sweep_work *s = calloc(1, sizeof(*s));
    bool ok;

    if (s == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = read_work(args, s, err) && find(s, err) && check_legal(s, err);
    if (ok)
        print(s, out, code);
    cli_sweep_axes_free(&s->axes);
    p3d_search_cache_destroy(s->cache);
    free(s->result);
    free(s->rows);
    free(s->scans);
    free(s);
    return ok;
}

const cli_command cli_sweep = {
        .name = "sweep",
        .summary = "The best plan of many clusters, sequence lengths, batches "
                   "and frameworks, a row each; or the smallest cluster that "
                   "meets a deadline.",
        .positionals = {CLI_MODEL,
                {.word = "CLUSTER",
                        .doc = "clusters with commas between: 64xH100, "
                               "8x8xA800, a path, a range of GPUs "
                               "(8..1024xH100 doubles, 8..512:8xH100 has a "
                               "step), or a type alone (H100) with --gpus or "
                               "--deadline",
                        .number = CLI_SOME}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d sweep 70B 64..1024xA800,64..1024xH100 --tokens 2T "
                     "--price 1.20,2.50",
                "plan3d sweep 70B H100 --tokens 2T --deadline 30d"},
        .run = run,
};
