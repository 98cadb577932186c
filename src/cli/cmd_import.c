/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_import.c - plan3d import: the plan of a launch that exists, or of a page
 * that plan3d report made. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/question.h"
#include "cli/rows.h"
#include "exchange/read/follow.h"
#include "exchange/read/import.h"
#include "exchange/read/page.h"
#include "spec/hardware.h"

/** The question that is asked again, with the storage of its words. */
typedef struct asked_again {
    exchange_page page;
    p3d_text words[EXCHANGE_MAX_OPTIONS];
    cli_args args;
    cli_question question;
} asked_again;

/* A page says all of it. */
static bool check_page_args(const cli_args *args, p3d_error *err)
{
    if (args->n_words > 1)
        return p3d_fail(err, P3D_USAGE,
                "%.200s is a page of plan3d report and stands alone; leave "
                "'%.60s' out",
                args->words[0], args->words[1]);
    for (int i = 0; i < args->n_given; i++) {
        const char *const name = args->given[i].option->name;

        if (strcmp(name, "json") != 0 && strcmp(name, "format") != 0)
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
                    w->args.given[i].option->name);
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

static bool answer_again(const asked_again *w, cli_reply *reply, p3d_error *err)
{
    const report_launch launch = {.title = "a page of plan3d report",
            .defaults = "",
            .unknown = "",
            .unmodelled = "",
            .unresolved = "",
            .doubtful = ""};
    p3d_search_result *search = NULL;
    p3d_estimate found;
    report_findings findings = {.estimate = &found, .launch = &launch};
    bool ok;

    if (!cli_estimate_plan(&w->question, w->page.plan, &found, err) ||
            !cli_question_search(&w->question, NULL, 1, &search, err))
        return false;
    findings.search = search;
    ok = cli_print_findings(&w->question, &findings, report_import, reply, err);
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
         answer_again(w, reply, err);
    cli_question_free(&w->question);
    for (int i = 0; i < EXCHANGE_MAX_OPTIONS; i++)
        p3d_text_free(&w->words[i]);
    exchange_page_free(&w->page);
    free(w);
    return ok;
}

/* clang-format off */
static const cli_option options[] = {
    {.name = "cluster", CLI_TEXT_AT(cluster, "CLUSTER"),
     .fallback = "that of a page of plan3d report",
     .doc = "that the launch runs on, such as 64xA800; needed with all other "
            "files"},
    {.name = "model", CLI_TEXT_AT(model, "MODEL"),
     .fallback = "as the files describe it",
     .doc = "name, config.json or size; needed where the files say none"},
    {.name = "from", CLI_TEXT_AT(from, "NAME"),
     .fallback = "the one whose options they are",
     .doc = "framework of the files: megatron, bridge, deepspeed, "
            "torchtitan, accelerate, nanotron, colossalai, lightning, jax or "
            "another target of export"},
    {.name = "seq", CLI_LENGTH_AT(seq_len, "N", 1, P3D_MAX_SEQ_LEN),
     .fallback = "that of the files", 
     .doc = "tokens per sequence; 32K is 32768"},
    {.name = "batch", CLI_COUNT_AT(job.global_batch, "N", 1, P3D_MAX_BATCH),
     .fallback = "that of the files",
     .doc = "global batch size: sequences per step"},
    {.name = "set", CLI_TEXT_AT(set, "NAME=VALUE"),
     .fallback = "not set",
     .doc = "variable that a script has from outside, or option that the files "
            "leave out, several with commas"},
    {.name = "function", CLI_TEXT_AT(function, "NAME"),
     .fallback = "the only one",
     .doc = "of a file of Python with several configurations"},
    {.name = "force", CLI_FLAG_AT(force),
     .doc = "answer at your own risk where an option that looks like "
            "parallelism is not understood"},
    CLI_ROOM_ROWS,
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

enum { MAX_GIVEN = 64, MOST_FILES = 4 /* of words, and one more */ };

static const char word_characters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

/* A plan that was read, with the storage of what it points to. */
typedef struct work {
    exchange_settings settings;
    exchange_variable given[MAX_GIVEN];
    p3d_text set; /* --set, cut into their words */
    exchange_measured measured;
    exchange_import import;
    const exchange_front *front; /* that the files are of; NULL = none */
    p3d_text model_name;         /* that the files have */
    p3d_text followed;           /* path of a file that they name */
    const char *files[MOST_FILES];
    const char *model_file; /* --model, or a config.json among the files */
    p3d_model model;
    p3d_cluster cluster;
    cli_question question;
    p3d_single_change single[P3D_MAX_SINGLE_CHANGES];
} work;

/** A file that was read. */
typedef struct content {
    char *text;
    size_t length;
} content;

static bool fail_set(const char *part, p3d_error *err)
{
    return p3d_fail(err, P3D_USAGE,
            "--set '%.80s': write NAME=VALUE, several with commas", part);
}

/* "TP=4,PP=2": names and values of scripts' variables. */
static bool read_set(const cli_args *args, work *w, p3d_error *err)
{
    char *part;

    if (args->set == NULL)
        return true;
    p3d_text_add(&w->set, "%s", args->set);
    if (w->set.failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    w->settings.given = w->given;
    for (part = w->set.data; part != NULL;) {
        char *const comma = strchr(part, ',');
        const size_t n = strcspn(part, "=,");

        if (w->settings.n_given == MAX_GIVEN)
            return p3d_fail(err, P3D_USAGE,
                    "--set: more than %d variables; leave out what the files "
                    "do not use",
                    (int)MAX_GIVEN);
        if (n == 0 || part[n] != '=' || strspn(part, word_characters) != n)
            return fail_set(part, err);
        part[n] = '\0';
        if (comma != NULL)
            *comma = '\0';
        w->given[w->settings.n_given++] =
                (exchange_variable){part, part + n + 1, false};
        part = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}

/* Files that the files name. */
static bool follow(const cli_args *args, work *w, p3d_error *err)
{
    for (int i = 0; i < args->n_words; i++)
        w->files[i] = args->words[i];
    if (!exchange_follow(&w->settings, w->files, &w->followed, err))
        return false;
    if (w->followed.length == 0)
        return true;
    w->files[args->n_words] = w->followed.data;
    return exchange_read_file(
            w->followed.data, &w->settings, &w->measured, err);
}

/* What no script asks for is an option that the files leave out, or a mistake
 * in a name. */
static bool take_set(work *w, p3d_error *err)
{
    for (int i = 0; i < w->settings.n_given; i++) {
        exchange_variable *const given = &w->given[i];

        if (given->used)
            continue;
        if (!exchange_front_knows(given->name) &&
                !exchange_import_knows(given->name))
            return p3d_fail(err, P3D_DATA,
                    "--set %.60s: no script of the files has $%.60s; leave it "
                    "out, or correct its name",
                    given->name, given->name);
        if (!exchange_settings_add(
                    &w->settings, given->name, given->value, 1, err))
            return false;
    }
    return true;
}

static bool check_function(const cli_args *args, const work *w, p3d_error *err)
{
    return args->function == NULL || w->settings.chose ||
           p3d_fail(err, P3D_USAGE,
                   "--function %.60s: no file is Python; leave it out",
                   args->function);
}

/* The model of a name, or of one that is cut where that is not known. */
static bool find_model(work *w, p3d_error *err)
{
    p3d_error why = {0};

    if (p3d_model_find(w->model_name.data, &w->model, &why))
        return true;
    while (exchange_front_shorten(&w->model_name))
        if (p3d_model_find(w->model_name.data, &w->model, &why)) {
            if (!exchange_settings_add(&w->settings, "model",
                        w->model_name.data, EXCHANGE_PRESET, err))
                return false;
            exchange_settings_use(&w->settings, "model", false);
            return true;
        }
    return false;
}

/* The model by the name that a front end's files have for it. */
static bool find_named_model(work *w, p3d_error *err)
{
    const exchange_setting *said = NULL;
    p3d_text value = {0};

    if (w->model_file != NULL || w->front == NULL)
        return true;
    exchange_front_model(w->front, &w->settings, &said, &w->model_name);
    if (said == NULL || w->model_name.length == 0)
        return true;
    exchange_settings_use(&w->settings, said->name, true);
    p3d_text_add(&value, "%.40s = %.80s", said->name, said->value);
    if (!find_model(w, err)) {
        p3d_fail(err, P3D_DATA,
                "%.140s: plan3d has no model of this name; write --model and "
                "its config.json, or the nearest of 'plan3d list models'",
                p3d_text_get(&value));
        p3d_text_free(&value);
        return false;
    }
    p3d_text_free(&value);
    w->model_file = w->model_name.data;
    return true;
}

/* The target of --from. Of one that is written alone the files must be those
 * of its front end, and become those of another target. */
static const exchange_target *find_from(
        const char *name, const work *w, p3d_error *err)
{
    const exchange_target *const said = exchange_target_find(name, err);

    if (said == NULL || said->reads_as == NULL)
        return said;
    if (w->front != NULL && w->front->target != NULL &&
            strcmp(w->front->target, said->reads_as) == 0)
        return exchange_target_find(said->reads_as, err);
    p3d_fail(err, P3D_DATA,
            "the files are not of %s; leave --from out, or add the file that "
            "is missing",
            said->title);
    return NULL;
}

static const exchange_target *find_target(
        const cli_args *args, const work *w, p3d_error *err)
{
    if (args->from != NULL)
        return find_from(args->from, w, err);
    if (w->front != NULL)
        return exchange_target_find(w->front->target, err);
    return exchange_import_guess(&w->settings, err);
}

/* The first file has been read. */
static bool read_file(const cli_args *args, int i, const content *first,
        work *w, p3d_error *err)
{
    return i == 0 ? exchange_read_text((exchange_text){args->words[i],
                                               first->text, first->length},
                            &w->settings, &w->measured, err)
                  : exchange_read_file(
                            args->words[i], &w->settings, &w->measured, err);
}

/* True where the settings from the n-th on are a config.json. */
static bool is_model(const exchange_settings *settings, int n)
{
    bool has_type = false, has_size = false;

    for (int i = n; i < settings->n; i++) {
        const char *const name = settings->at[i].name;

        has_type = has_type || strcmp(name, "model_type") == 0;
        has_size = has_size || strcmp(name, "architectures") == 0 ||
                   strcmp(name, "vocab_size") == 0;
    }
    return has_type && has_size;
}

/* A config.json among the files is the model of the launch. */
static bool read_files(
        const cli_args *args, const content *first, work *w, p3d_error *err)
{
    for (int i = 0; i < args->n_words; i++) {
        const int n_before = w->settings.n;

        if (!read_file(args, i, first, w, err))
            return false;
        if (!is_model(&w->settings, n_before))
            continue;
        if (args->model == NULL)
            w->model_file = args->words[i];
        exchange_settings_cut(&w->settings, n_before);
    }
    return true;
}

static bool settle(
        const cli_args *args, const content *first, work *w, p3d_error *err)
{
    p3d_job job = {.seq_len = (int)args->seq_len,
            .global_batch = args->job.global_batch};
    const exchange_target *target;

    if (!cli_read_room(args, &job, err))
        return false;
    w->model_file = args->model;
    w->settings.function = args->function;
    if (args->cluster == NULL)
        return p3d_fail(err, P3D_USAGE, "--cluster CLUSTER is missing");
    if (!p3d_cluster_find(args->cluster, &w->cluster, err))
        return false;
    w->settings.n_nodes = w->cluster.n_nodes;
    w->settings.gpus_per_node = w->cluster.node.gpus_per_node;
    if (!read_set(args, w, err) || !read_files(args, first, w, err) ||
            !check_function(args, w, err) || !take_set(w, err) ||
            !follow(args, w, err) ||
            !exchange_front_apply(&w->settings, &w->front, err) ||
            (w->model_file != NULL &&
                    !p3d_model_find(w->model_file, &w->model, err)))
        return false;
    target = find_target(args, w, err);
    return target != NULL && find_named_model(w, err) &&
           exchange_import_settle(
                   &(exchange_import_question){.target = target,
                           .front = w->front,
                           .model = w->model_file != NULL ? &w->model : NULL,
                           .cluster = &w->cluster,
                           .job = &job,
                           .files = w->files,
                           .at_own_risk = args->force},
                   &w->settings, &w->import, err);
}

static void ask(const cli_args *args, work *w)
{
    report_question *const q = &w->question.question;

    q->command = "import";
    q->model_word =
            w->model_file != NULL ? w->model_file : w->import.launch.model.name;
    q->cluster_word = args->cluster;
    q->options = "";
    q->choice = "";
    q->given = (report_given){.seq_len = true,
            .global_batch = true,
            .dtype = true,
            .optimizer = true,
            .attention = true,
            .framework = true};
    q->problem = (p3d_problem){.model = w->import.launch.model,
            .cluster = w->cluster,
            .job = w->import.launch.job};
}

static bool estimate(const work *w, p3d_estimate *out, p3d_error *err)
{
    const p3d_plan *const plan = &w->import.launch.plan;
    p3d_refusal refusal = {0};
    char words[P3D_PLAN_WORDS];

    if (p3d_estimate_plan(&w->question.question.problem, plan, out, &refusal))
        return true;
    return p3d_fail(err, P3D_DATA, "the plan of the files, %.100s: %s: %s",
            p3d_plan_print(plan, words, sizeof(words)), refusal.rule,
            refusal.reason);
}

static bool answer(work *w, cli_reply *reply, p3d_error *err)
{
    const report_launch launch = {
            .title = w->front != NULL ? w->front->title
                                      : w->import.target->title,
            .profile = w->import.target->framework,
            .versions = w->import.target->versions,
            .defaults = p3d_text_get(&w->import.assumed),
            .unknown = p3d_text_get(&w->import.unknown),
            .unmodelled = p3d_text_get(&w->import.unmodelled),
            .unresolved = p3d_text_get(&w->import.unresolved),
            .doubtful = p3d_text_get(&w->import.doubtful),
            .measured_step_s = w->measured.step_s,
            .n_measured_steps = w->measured.n_steps,
            .measured_allocated_bytes = w->measured.max_allocated_bytes,
            .measured_reserved_bytes = w->measured.max_reserved_bytes,
    };
    p3d_search_result *search = NULL;
    p3d_estimate found;
    report_findings findings = {
            .estimate = &found, .launch = &launch, .single = w->single};
    bool ok;

    if (!estimate(w, &found, err) ||
            !cli_question_search(&w->question, NULL, 1, &search, err))
        return false;
    findings.search = search;
    findings.n_single = p3d_single_changes_find(
            &w->question.question.problem, &found, w->single);
    cli_mark_interrupted(search);
    ok = cli_print_findings(&w->question, &findings, report_import, reply, err);
    free(search);
    return ok;
}

static bool import_launch(const cli_args *args, const content *first,
        cli_reply *reply, p3d_error *err)
{
    work *const w = calloc(1, sizeof(*w));
    bool ok;

    if (w == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = settle(args, first, w, err);
    if (ok) {
        ask(args, w);
        ok = answer(w, reply, err);
    }
    exchange_import_free(&w->import);
    exchange_settings_free(&w->settings);
    p3d_text_free(&w->set);
    p3d_text_free(&w->model_name);
    p3d_text_free(&w->followed);
    free(w);
    return ok;
}

static bool run(const cli_args *args, cli_reply *reply, p3d_error *err)
{
    content first = {NULL, 0};
    bool ok;

    if (!p3d_read_file(args->words[0], EXCHANGE_MAX_BYTES, &first.text,
                &first.length, err))
        return false;
    ok = exchange_page_is(first.text)
                 ? import_page(args, first.text, reply, err)
                 : import_launch(args, &first, reply, err);
    free(first.text);
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
