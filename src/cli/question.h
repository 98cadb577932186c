/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - from a command line to the problem that it asks about, and from
 * there to what is printed: search, estimate, print. */
#ifndef PLAN3D_CLI_QUESTION_H
#define PLAN3D_CLI_QUESTION_H

#include "cli/options.h"
#include "plan3d/best_framework.h"
#include "plan3d/recommend.h"
#include "report/report.h"

/** True when a word of --calibration is a path, and no name. */
bool cli_is_calibration_file(const char *word);

/** Read a file, or the constants of a name.
 *  @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_calibration_open(
        const char *word, p3d_calibration *out, p3d_error *err);

/** Values of --lora and --freeze, for their rows. */
bool cli_read_adapters(const char *text, void *to, p3d_error *err);
bool cli_read_compression(const char *text, void *to, p3d_error *err);
bool cli_read_sparse(const char *text, void *to, p3d_error *err);
bool cli_read_parts(const char *text, void *to, p3d_error *err);
bool cli_read_unit(const char *text, void *to, p3d_error *err);

/** Of --teacher, a model. */
bool cli_read_teacher(const char *text, void *to, p3d_error *err);

/** A question with the storage of its words. Zero to begin. */
typedef struct cli_question {
    const cli_args *args; /* that it was read from */
    report_question question;
    p3d_text options;
    p3d_text choice;
    p3d_framework_ranking frameworks; /* of --framework any */
} cli_question;

/** What is to stay free on a GPU: so much, or what makes a plan so sure to fit.
 *  @return false with P3D_USAGE when both are said */
P3D_CHECK bool cli_read_room(
        const cli_args *args, p3d_job *job, p3d_error *err);

/**
 * Read model, cluster and job of a command line: words[0], words[1], options.
 *
 * @param out  release with cli_question_free(), also after a failure
 * @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool cli_question_read(const char *command, const cli_args *args,
        cli_question *out, p3d_error *err);

/** The words of a question whose problem is there. */
void cli_question_say(
        const char *command, const cli_args *args, cli_question *out);

void cli_question_free(cli_question *question);

/** Read the job of a question whose model and cluster are there: options. For
 *  --framework any it has the best framework, and the ranks of all.
 *  @return false with P3D_USAGE, P3D_DATA, P3D_SYSTEM or P3D_INTERRUPTED */
P3D_CHECK bool cli_job_read(
        const cli_args *args, cli_question *out, p3d_error *err);

/** Change a cluster's network as the options say.
 *  @return false with P3D_USAGE, P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_network_begin(
        const cli_args *args, p3d_cluster *cluster, p3d_error *err);

/** The same but for --framework any, where the default one stands in until
 *  another is chosen. */
P3D_CHECK bool cli_job_begin(
        const cli_args *args, p3d_problem *problem, p3d_error *err);

/** The framework of a word, or NULL: the default (no word), or one that is
 *  still to be chosen (any). @return false with P3D_USAGE */
P3D_CHECK bool cli_framework_find(
        const char *word, const p3d_framework **out, p3d_error *err);

/** True for the word of --framework that stands for the best one. */
bool cli_is_any_framework(const char *word);

/** Give a cluster the constants of a calibration, which holds for the GPUs that
 *  have it, and for those that share the constants of the one it is of.
 *  @param word  what people call it, for a message
 *  @return false with P3D_DATA: it is of another GPU */
P3D_CHECK bool cli_calibration_use(const char *word,
        const p3d_calibration *calibration, p3d_cluster *cluster,
        p3d_error *err);

/** The value of an option as it is repeated, with the framework that was chosen
 *  for `any`; NULL for a flag. */
const char *cli_given_value(
        const json_option_given *given, const p3d_framework *framework);

/** Append the job's options again, for "next" commands: " --seq 4096". */
void cli_repeat_options(
        const cli_args *args, const p3d_framework *framework, p3d_text *out);

/** What a search found, and the plans to choose from. */
typedef struct cli_found {
    p3d_search_result search; /* the first member: it is freed as one */
    p3d_recommendation recommendation;
} cli_found;

/** How --objective and --within choose; NULL = as without them. */
p3d_recommend_options cli_recommend_options(const cli_args *args);

/**
 * Search the plans of a question, the one of its objective first.
 *
 * @return release with free(); NULL with P3D_DATA when no plan at all is
 *         legal: the rule
 */
cli_found *cli_question_choose(const cli_question *question,
        p3d_recommend_options options, p3d_error *err);

/**
 * The same where no other plan than that of the objective matters.
 *
 * @param pins   NULL = all plans
 * @param n_top  plans to keep
 * @param out    release with free()
 * @return false with P3D_DATA when no plan at all is legal: the rule
 */
P3D_CHECK bool cli_question_search(const cli_question *question,
        const p3d_pins *pins, int n_top, p3d_search_result **out,
        p3d_error *err);

/** Ctrl-C that came after a search makes its answer a part too. */
void cli_mark_interrupted(p3d_search_result *search);

/** The plan of the objective, or where none fits the one that misses least. */
const p3d_estimate *cli_best_or_closest(const p3d_search_result *search);

/** Pins of --pin, or none. */
P3D_CHECK bool cli_read_pins(
        const cli_args *args, p3d_pins *out, p3d_error *err);

/** Where an answer goes. */
typedef struct cli_reply {
    p3d_text *out; /* to stdout; left out on failure */
    report_format format;
    p3d_code code; /* P3D_OK unless a command says P3D_NO, P3D_DEVICE or
                      P3D_INTERRUPTED */
} cli_reply;

/** Answers a question that was read. */
typedef bool cli_answer(
        const cli_question *question, cli_reply *reply, p3d_error *err);

/** Read the question of a command line and answer it. */
P3D_CHECK bool cli_ask(const char *command, const cli_args *args,
        cli_answer *answer, cli_reply *reply, p3d_error *err);

/** Prints a document. */
typedef void cli_printer(
        const report_document *document, report_format format, p3d_text *out);

/** Print what was found for a question. Where that says no, so does the code of
 *  the reply. */
P3D_CHECK bool cli_print_findings(const cli_question *question,
        const report_findings *findings, cli_printer *print, cli_reply *reply,
        p3d_error *err);

/** Search the plans of a question and print the n_top best, or, when none
 *  fits, what to change. */
P3D_CHECK bool cli_search_and_print(const cli_question *question, int n_top,
        cli_printer *print, cli_reply *reply, p3d_error *err);

/** When nothing fits, look for what to change.
 *  @param changes  room for P3D_MAX_REMEDIES; *findings points to it */
void cli_find_changes(const p3d_problem *problem, const p3d_pins *pins,
        p3d_remedy *changes, report_findings *findings);

/** Estimate the plan that these words say.
 *  @return false with P3D_DATA: a wrong word, or the rule that refuses it */
P3D_CHECK bool cli_estimate_plan(const cli_question *question,
        const char *words, p3d_estimate *out, p3d_error *err);

/** The same, or without words (NULL) what a search found. */
P3D_CHECK bool cli_estimate_plan_or_found(const cli_question *question,
        const char *words, const p3d_search_result *search, p3d_estimate *out,
        p3d_error *err);

/** The same, with a search of its own. */
P3D_CHECK bool cli_estimate_plan_or_best(const cli_question *question,
        const char *words, p3d_estimate *out, p3d_error *err);

#endif
