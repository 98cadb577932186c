/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_import.c - plan3d import: the plan of a launch that exists, or of a page
 * that plan3d report made. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/util.h"
#include "cli/commands.h"
#include "cli/import_change.h"
#include "cli/option_rows.h"
#include "cli/question.h"
#include "exchange/read/folder.h"
#include "exchange/read/page.h"
#include "spec/hardware.h"

enum { MAX_PATH_NAME = 4096, LEAST_VISIBLE = 1 << 30 /* bytes */ };

/** The question that is asked again, with the storage of its words. */
typedef struct asked_again {
    exchange_page page;
    p3d_text words[EXCHANGE_MAX_OPTIONS];
    cli_args args;
    cli_question question;
} asked_again;

/* An option that says how an answer is printed, not what is asked. */
static bool is_of_text(const char *option)
{
    static const char *const names[] = {
            "json", "format", "long", "lang", "color"};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

/* A page says all of it. */
static bool check_page_args(const cli_args *args, p3d_error *err)
{
    if (args->n_words > 1)
        return p3d_fail(err, P3D_USAGE,
                "%.200s is a page of plan3d report and stands alone; leave "
                "'%.60s' out",
                args->words[0], args->words[1]);
    for (int i = 0; i < args->n_given; i++) {
        const char *const name = args->given[i].option->field.key;

        if (!is_of_text(name))
            return p3d_fail(err, P3D_USAGE,
                    "%.200s is a page of plan3d report, which says it itself; "
                    "leave --%s out",
                    args->words[0], name);
    }
    return true;
}

/* Options go through the table of the command that the page is of. */
static bool read_args(asked_again *w, p3d_error *err)
{
    const char *argv[EXCHANGE_MAX_OPTIONS];
    p3d_error cause = {0};

    for (int i = 0; i < w->page.n_options; i++) {
        const char *const value = w->page.options[i].value;

        p3d_text_add(&w->words[i], "--%s%s%s", w->page.options[i].name,
                value != NULL ? "=" : "", value != NULL ? value : "");
        argv[i] = p3d_text_get(&w->words[i]);
    }
    if (!cli_args_parse(cli_report.table,
                (cli_line){w->page.n_options, argv, -1}, &w->args, &cause))
        return p3d_fail(
                err, P3D_DATA, "the options of the page: %s", cause.text);
    for (int i = 0; i < w->args.n_given; i++)
        if (!w->args.given[i].option->is_job)
            return p3d_fail(err, P3D_DATA,
                    "the page has an option --%s, which is not of a job",
                    w->args.given[i].option->field.key);
    w->args.words[w->args.n_words++] = w->page.model;
    w->args.words[w->args.n_words++] = w->page.cluster;
    w->args.plan = w->page.plan;
    return true;
}

static bool read_calibration(asked_again *w, p3d_error *err)
{
    p3d_calibration got = {.name = ""};

    if (w->page.calibration_text == NULL || w->args.calibration == NULL)
        return true;
    if (!spec_calibration_parse(
                w->args.calibration, w->page.calibration_text, &got, err) ||
            !cli_calibration_use(w->args.calibration, &got,
                    &w->question.question.problem.cluster, err))
        return false;
    w->args.calibration = NULL; /* nothing is left to be read */
    return true;
}

static bool read_problem(asked_again *w, p3d_error *err)
{
    const exchange_page *const page = &w->page;
    p3d_problem *const problem = &w->question.question.problem;
    const bool ok =
            (page->model_text != NULL
                            ? p3d_model_parse(page->model, page->model_text,
                                      &problem->model, err)
                            : p3d_model_find(
                                      page->model, &problem->model, err)) &&
            (page->cluster_text != NULL ? p3d_cluster_parse(page->cluster,
                                                  page->cluster_text,
                                                  &problem->cluster, err)
                                        : p3d_cluster_find(page->cluster,
                                                  &problem->cluster, err)) &&
            read_calibration(w, err) &&
            cli_job_read(&w->args, &w->question, err);

    if (ok)
        cli_question_say("import", &w->args, &w->question);
    return ok;
}

static bool answer_again(
        const asked_again *w, bool is_long, cli_reply *reply, p3d_error *err)
{
    const report_launch launch = {.title = "a page of plan3d report",
            .scope = "",
            .defaults = "",
            .unknown = "",
            .unmodelled = "",
            .unresolved = "",
            .doubtful = "",
            .contradicted = ""};
    p3d_search_result *search = NULL;
    p3d_estimate found;
    report_findings findings = {.estimate = &found, .launch = &launch};
    bool ok;

    if (!cli_estimate_plan(&w->question, w->page.plan, &found, err) ||
            !cli_question_search(&w->question, NULL, 1, &search, err))
        return false;
    findings.search = search;
    ok = cli_print_findings(&w->question, &findings,
            is_long ? report_import_long : report_import, reply, err);
    free(search);
    return ok;
}

/* Ask the question of a page again, of its own model, cluster, job and plan.
 * @param text  of the page */
static bool import_page(const cli_args *args, const char *text,
        cli_reply *reply, p3d_error *err)
{
    asked_again *const w = calloc(1, sizeof(*w));
    bool ok;

    if (w == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = check_page_args(args, err) &&
         exchange_page_read(args->words[0], text, &w->page, err) &&
         read_args(w, err) && read_problem(w, err) &&
         answer_again(w, args->is_long, reply, err);
    cli_question_free(&w->question);
    for (int i = 0; i < EXCHANGE_MAX_OPTIONS; i++)
        p3d_text_free(&w->words[i]);
    exchange_page_free(&w->page);
    free(w);
    return ok;
}

/* clang-format off */
static const json_option options[] = {
    {JSON_OPTION("cluster",
         "that the launch runs on, such as 64xA800; needed with all other "
         "files"), CLI_TEXT_AT(cluster, "CLUSTER"),
     .fallback = "that of a page of plan3d report"},
    {JSON_OPTION("model",
         "name, config.json or size; needed where the files say none"),
     CLI_TEXT_AT(model, "MODEL"), .fallback = "as the files describe it"},
    {JSON_OPTION("from",
         "framework of the files: megatron, bridge, deepspeed, torchtitan, "
         "accelerate, nanotron, colossalai, lightning, jax or another target "
         "of export"), CLI_TEXT_AT(from, "NAME"),
     .fallback = "the one whose options they are"},
    {JSON_OPTION("seq", "tokens per sequence; 32K is 32768"),
     CLI_LENGTH_AT(seq_len, "N", 1, P3D_MAX_SEQ_LEN),
     .fallback = "that of the files"},
    {JSON_OPTION("batch", "global batch size: sequences per step"),
     CLI_COUNT_AT(job.global_batch, "N", 1, P3D_MAX_BATCH),
     .fallback = "that of the files"},
    {JSON_OPTION("set",
         "variable that a script has from outside, or option that the files "
         "leave out, several with commas"), CLI_TEXT_AT(set, "NAME=VALUE"),
     .fallback = "not set"},
    {JSON_OPTION("function",
         "of a file of Python with several configurations; FILE:NAME is the "
         "same"),
     CLI_TEXT_AT(function, "NAME"), .fallback = "the only one"},
    {JSON_OPTION("force",
         "answer at your own risk where an option that looks like parallelism "
         "is not understood"), CLI_FLAG_AT(force)},
    {JSON_OPTION("write",
         "write the file with the recommended plan in it to FILE, or to "
         "standard output (-); DIR/ takes several files: only lines that say "
         "the plan are changed"), CLI_TEXT_AT(out, "FILE"),
     .fallback = "nothing is written"},
    {JSON_OPTION("change",
         "the N-th of the single changes, instead of the recommended plan"),
     CLI_COUNT_AT(n_change, "N", 1, P3D_MAX_SINGLE_CHANGES),
     .fallback = "the recommended plan"},
    {JSON_OPTION("overwrite", "replace the file of --write if it is there"),
     CLI_FLAG_AT(overwrite)},
    {JSON_OPTION("long",
         "text: also memory and time by terms, all options, assumptions"),
     CLI_FLAG_AT(is_long)},
    CLI_ROOM_ROWS,
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

/** A launch and its answer. */
typedef struct work {
    const cli_args *args;
    cli_launch launch;
    cli_question question;
    p3d_estimate found;
    p3d_single_change single[P3D_MAX_SINGLE_CHANGES];
    int n_single;
    cli_change change;
    p3d_text versions;
} work;

static void ask(work *w)
{
    report_question *const q = &w->question.question;
    const exchange_launch *const launch = &w->launch.import.launch;
    int64_t *visible;

    q->command = "import";
    q->model_word = w->launch.model_file != NULL ? w->launch.model_file
                                                 : launch->model.name;
    q->cluster_word = w->args->cluster;
    q->options = "";
    q->choice = "";
    q->given = (report_given){.seq_len = true,
            .global_batch = true,
            .dtype = true,
            .optimizer = true,
            .attention = true,
            .framework = true};
    q->problem = (p3d_problem){.model = launch->model,
            .cluster = w->launch.cluster,
            .job = launch->job};
    visible = &q->problem.cluster.gpu.visible_memory_bytes;
    *visible -= w->launch.import.resident_bytes;
    if (*visible < LEAST_VISIBLE) /* nothing fits beside what stays there */
        *visible = LEAST_VISIBLE;
}

static bool estimate(work *w, p3d_error *err)
{
    const p3d_plan *const plan = &w->launch.import.launch.plan;
    const exchange_slip *const slip = &w->launch.import.misspelt;
    p3d_refusal refusal = {0};
    char words[P3D_PLAN_WORDS];

    if (p3d_estimate_plan(
                &w->question.question.problem, plan, &w->found, &refusal))
        return true;
    p3d_plan_print(plan, words, sizeof(words));
    if (slip->name[0] != '\0')
        return p3d_fail(err, P3D_DATA,
                "no program has the option '%.80s' (is it %.80s?); without it "
                "the plan of the files, %.100s, is not legal: %s",
                slip->name, slip->meant, words, refusal.reason);
    return p3d_fail(err, P3D_DATA,
            "the plan of the files, %.100s, is not legal: %s", words,
            refusal.reason);
}

/* Of the program whose files they are, and of what it runs on. */
static const char *name_versions(work *w)
{
    const exchange_front *const front = w->launch.front;
    const char *const own = w->launch.import.target->versions;

    if (front == NULL || front->versions == NULL || own == NULL)
        return own;
    p3d_text_cut(&w->versions, 0);
    p3d_text_add(&w->versions, "%s, %s", front->versions, own);
    return p3d_text_get(&w->versions);
}

static report_launch describe(work *w)
{
    const cli_launch *const l = &w->launch;
    const exchange_import *const import = &l->import;

    return (report_launch){
            .title = l->front != NULL ? l->front->title : import->target->title,
            .profile = import->target->framework,
            .versions = name_versions(w),
            .scope = p3d_text_get(&import->scope),
            .defaults = p3d_text_get(&import->assumed),
            .unknown = p3d_text_get(&import->unknown),
            .unmodelled = p3d_text_get(&import->unmodelled),
            .unresolved = p3d_text_get(&import->unresolved),
            .doubtful = p3d_text_get(&import->doubtful),
            .contradicted = p3d_text_get(&import->contradicted),
            .measured_step_s = l->measured.step_s,
            .n_measured_steps = l->measured.n_steps,
            .measured_allocated_bytes = l->measured.max_allocated_bytes,
            .measured_reserved_bytes = l->measured.max_reserved_bytes,
            .command = p3d_text_get(&w->change.command),
            .change = &w->change.said};
}

/* The search, the single changes, and the file with one of these in it. */
static bool answer(work *w, cli_reply *reply, p3d_error *err)
{
    p3d_search_result *search = NULL;
    report_launch launch;
    report_findings findings = {
            .estimate = &w->found, .launch = &launch, .single = w->single};
    bool ok;

    if (!estimate(w, err) ||
            !cli_question_search(&w->question, NULL, 1, &search, err))
        return false;
    findings.search = search;
    findings.n_single = w->n_single = p3d_single_changes_find(
            &w->question.question.problem, &w->found, w->single);
    cli_mark_interrupted(search);
    ok = cli_change_make(
            &(cli_change_question){.args = w->args,
                    .launch = &w->launch,
                    .problem = &w->question.question.problem,
                    .estimate = &w->found,
                    .best = search->n_top > 0 ? &search->top[0] : NULL,
                    .single = w->single,
                    .n_single = w->n_single},
            &w->change, err);
    launch = describe(w);
    if (ok && w->args->out != NULL && strcmp(w->args->out, "-") == 0)
        p3d_text_append(reply->out, p3d_text_get(&w->change.texts[0]),
                w->change.texts[0].length);
    else
        ok = ok &&
             cli_print_findings(&w->question, &findings,
                     w->args->is_long ? report_import_long : report_import,
                     reply, err);
    free(search);
    return ok;
}

/* Of the caller: for variables that no script sets. */
static const char *from_environment(const char *name)
{
    return getenv(name);
}

/* @param said  lines on the files, which stand in the answer */
static bool answer_launch(const cli_args *args, const exchange_text *files,
        const p3d_text *said, cli_reply *reply, p3d_error *err)
{
    work *const w = calloc(1, sizeof(*w));
    bool ok;

    if (w == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    w->args = args;
    w->launch.settings.environment = from_environment;
    ok = cli_launch_read(args, files, args->n_words, &w->launch, err);
    if (ok) {
        p3d_text_add(&w->launch.import.scope, "%s", p3d_text_get(said));
        ask(w);
        ok = answer(w, reply, err);
    }
    cli_change_free(&w->change);
    cli_launch_free(&w->launch);
    p3d_text_free(&w->versions);
    free(w);
    return ok;
}

/* "FILE.py:NAME" is that function of the file. The path is copied without it.
 * @param path  of the word's length at least */
static bool split_function(
        const char *word, char *path, size_t size, const char **function)
{
    static const char ending[] = ".py:";
    const char *const at = strstr(word, ending);

    if (at == NULL || at[sizeof(ending) - 1] == '\0' ||
            strchr(at, '/') != NULL || !p3d_copy(path, size, word))
        return false;
    path[at - word + (ptrdiff_t)sizeof(ending) - 2] = '\0';
    *function = at + sizeof(ending) - 1;
    return true;
}

/* The first file was read. */
static bool import_launch(const cli_args *args, exchange_text *files,
        const p3d_text *said, cli_reply *reply, p3d_error *err)
{
    char *texts[EXCHANGE_MOST_FILES] = {NULL};
    bool ok = cli_change_check(args, err);

    for (int i = 1; i < args->n_words && ok; i++) {
        ok = p3d_read_file(files[i].path, EXCHANGE_MAX_BYTES, &texts[i],
                &files[i].length, err);
        files[i].text = texts[i];
    }
    ok = ok && answer_launch(args, files, said, reply, err);
    for (int i = 1; i < args->n_words; i++)
        free(texts[i]);
    return ok;
}

/* The first file tells what the words are. */
static bool import_files(const cli_args *args, exchange_text *files,
        const p3d_text *said, cli_reply *reply, p3d_error *err)
{
    char *first = NULL;
    bool ok;

    if (!p3d_read_file(files[0].path, EXCHANGE_MAX_BYTES, &first,
                &files[0].length, err))
        return false;
    files[0].text = first;
    ok = exchange_page_is(first) ? import_page(args, first, reply, err)
                                 : import_launch(args, files, said, reply, err);
    free(first);
    return ok;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    exchange_text files[EXCHANGE_MOST_FILES] = {{.path = NULL}};
    char *found[EXCHANGE_MOST_FILES] = {NULL};
    cli_args own = *args;
    p3d_text said = {0};
    char path[MAX_PATH_NAME];
    bool ok = true;

    for (int i = 0; i < args->n_words && ok; i++) {
        files[i].path = args->words[i];
        if (i == 0 && args->function == NULL &&
                split_function(
                        args->words[0], path, sizeof(path), &own.function))
            files[0].path = path;
        ok = exchange_folder_file(files[i].path, &found[i], err);
        if (found[i] == NULL)
            continue;
        p3d_text_add(&said,
                "%s, the only file of its folder that says a training",
                found[i]);
        p3d_text_add(&said, "\n");
        files[i].path = own.words[i] = found[i];
    }
    ok = ok && import_files(&own, files, &said, reply, err);
    p3d_text_free(&said);
    for (int i = 0; i < args->n_words; i++)
        free(found[i]);
    return ok;
}

const cli_command cli_import = {
        .name = "import",
        .summary = "The plan of an existing launch: its estimate, what its log "
                   "measured, how far it is from the best, and which single "
                   "changes gain most.",
        .positionals = {{"FILE",
                                "launch script, configuration or log of the "
                                "launch, several are read together; or a page "
                                "of plan3d report; - is standard input",
                                CLI_ONCE},
                {"FILE2", "the next one", CLI_AT_MOST_ONCE},
                {"FILE3", "the next one", CLI_AT_MOST_ONCE}},
        .table = CLI_TABLE(options),
        .examples = {"plan3d import run/launch.sh --cluster 64xA800",
                "plan3d import train.log --cluster 128xH100",
                "plan3d import ds.json train.sh --cluster 8xA100 --model 7B"},
        .run = run,
};
