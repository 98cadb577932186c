/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_import.c - plan3d import: the plan of a launch that exists. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/answer.h"
#include "cli/import_page.h"
#include "cli/rows.h"
#include "exchange/read/import.h"
#include "exchange/read/page.h"

/* clang-format off */
static const cli_option options[] = {
    {.name = "cluster", .kind = CLI_TEXT,
     .offset = CLI_AT(cluster, const char *), .value = "CLUSTER",
     .fallback = "that of a page of plan3d report",
     .doc = "that the launch runs on, such as 64xA800; needed with all other "
            "files"},
    {.name = "model", .kind = CLI_TEXT, .offset = CLI_AT(model, const char *),
     .value = "MODEL", .fallback = "as the files describe it",
     .doc = "name, config.json or size; needed where the files say none"},
    {.name = "from", .kind = CLI_TEXT,
     .offset = CLI_AT(from, const char *), .value = "NAME",
     .fallback = "the one whose options they are",
     .doc = "framework of the files: megatron, bridge, deepspeed, torchtitan, "
            "accelerate, nanotron, colossalai, lightning or jax"},
    {.name = "seq", .kind = CLI_COUNT, .offset = CLI_AT(seq_len, int64_t),
     .value = "N", .fallback = "that of the files", .min = 1,
     .max = P3D_MAX_SEQ_LEN, .doc = "tokens per sequence"},
    {.name = "batch", .kind = CLI_COUNT,
     .offset = CLI_AT(global_batch, int64_t), .value = "N",
     .fallback = "that of the files", .min = 1, .max = P3D_MAX_BATCH,
     .doc = "sequences per step, of the whole cluster"},
    CLI_FORMAT_ROW,
    CLI_JSON_ROW,
    CLI_HELP_ROW,
};
/* clang-format on */

/* A plan that was read, with the storage of what it points to. */
typedef struct work {
    p3d_settings settings;
    p3d_measured_run measured;
    p3d_import import;
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

/* The first file has been read. */
static bool read_file(const cli_args *args, int i, const content *first,
        work *w, p3d_error *err)
{
    return i == 0 ? p3d_read_launch_text((p3d_launch_text){args->words[i],
                                                 first->text, first->length},
                            &w->settings, &w->measured, err)
                  : p3d_read_launch_file(
                            args->words[i], &w->settings, &w->measured, err);
}

/* A config.json among the files is the model of the launch. */
static bool read_files(
        const cli_args *args, const content *first, work *w, p3d_error *err)
{
    for (int i = 0; i < args->n_words; i++) {
        const int n_before = w->settings.n;

        if (!read_file(args, i, first, w, err))
            return false;
        for (int k = n_before; k < w->settings.n; k++) {
            if (strcmp(w->settings.at[k].name, "model_type") == 0 &&
                    args->model == NULL)
                w->model_file = args->words[i];
        }
        if (w->model_file == args->words[i])
            p3d_settings_cut(&w->settings, n_before);
    }
    return true;
}

static bool settle(
        const cli_args *args, const content *first, work *w, p3d_error *err)
{
    const p3d_job job = {
            .seq_len = (int)args->seq_len, .global_batch = args->global_batch};
    const p3d_target *target;

    w->model_file = args->model;
    if (args->cluster == NULL)
        return p3d_fail(err, P3D_USAGE, "--cluster CLUSTER is missing");
    if (!p3d_cluster_find(args->cluster, &w->cluster, err) ||
            !read_files(args, first, w, err) ||
            (w->model_file != NULL &&
                    !p3d_model_find(w->model_file, &w->model, err)))
        return false;
    target = args->from != NULL ? p3d_target_find(args->from, err)
                                : p3d_import_guess(&w->settings, err);
    return target != NULL &&
           p3d_import_settle(&(p3d_import_question){target,
                                     w->model_file != NULL ? &w->model : NULL,
                                     &w->cluster, &job},
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

static bool answer(const cli_args *args, work *w, p3d_text *out, p3d_code *code,
        p3d_error *err)
{
    const p3d_pins pins = p3d_pins_free();
    const report_launch launch = {
            .title = w->import.target->title,
            .profile = w->import.target->framework,
            .versions = w->import.target->versions,
            .defaults = p3d_text_get(&w->import.assumed),
            .unknown = p3d_text_get(&w->import.unknown),
            .unmodelled = p3d_text_get(&w->import.unmodelled),
            .unresolved = p3d_text_get(&w->import.unresolved),
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
            !cli_question_search(&w->question, &pins, 1, &search, err))
        return false;
    findings.search = search;
    findings.n_single = p3d_single_changes_find(
            &w->question.question.problem, &found, w->single);
    cli_mark_interrupted(search);
    ok = cli_print_findings(
            &w->question, &findings, args, report_import, out, code, err);
    free(search);
    return ok;
}

static bool import_launch(const cli_args *args, const content *first,
        p3d_text *out, p3d_code *code, p3d_error *err)
{
    work *const w = calloc(1, sizeof(*w));
    bool ok;

    if (w == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = settle(args, first, w, err);
    if (ok) {
        ask(args, w);
        ok = answer(args, w, out, code, err);
    }
    p3d_import_free(&w->import);
    p3d_settings_free(&w->settings);
    free(w);
    return ok;
}

static bool run(
        const cli_args *args, p3d_text *out, p3d_code *code, p3d_error *err)
{
    content first = {NULL, 0};
    bool ok;

    if (!p3d_read_file(args->words[0], P3D_MAX_IMPORT_BYTES, &first.text,
                &first.length, err))
        return false;
    ok = p3d_page_is(first.text)
                 ? cli_import_page(args, first.text, out, code, err)
                 : import_launch(args, &first, out, code, err);
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
