/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - from a command line to the problem that it asks about. */
#ifndef PLAN3D_CLI_QUESTION_H
#define PLAN3D_CLI_QUESTION_H

#include "cli/options.h"
#include "plan3d/best_framework.h"
#include "report/report.h"

/** Constants of --calibration, and the GPU that they were measured on. */
typedef struct cli_constants {
    p3d_calibration calibration;
    p3d_gpu basis;
} cli_constants;

/** True when a word of --calibration is a path, and no name. */
bool cli_is_calibration_file(const char *word);

/** Read a file, or the constants of a name.
 *  @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool cli_constants_open(
        const char *word, cli_constants *out, p3d_error *err);

/** A question with the storage of its words. Zero to begin. */
typedef struct cli_question {
    const cli_args *args; /* that it was read from */
    report_question question;
    p3d_text options;
    p3d_framework_ranking frameworks; /* of --framework any */
} cli_question;

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
        const cli_given *given, const p3d_framework *framework);

/** Append the job's options again, for "next" commands: " --seq 4096". */
void cli_repeat_options(
        const cli_args *args, const p3d_framework *framework, p3d_text *out);

/**
 * Search the plans of a question.
 *
 * @param n_top  plans to keep
 * @param out    release with free()
 * @return false with P3D_DATA when no plan at all is legal: the rule
 */
P3D_CHECK bool cli_question_search(const cli_question *question,
        const p3d_pins *pins, int n_top, p3d_search_result **out,
        p3d_error *err);

/** Ctrl-C that came after a search makes its answer a part too. */
void cli_mark_interrupted(p3d_search_result *search);

/** The fastest plan that fits, or where none fits the one that misses least. */
const p3d_estimate *cli_best_or_closest(const p3d_search_result *search);

/** Pins of --pin, or none. */
P3D_CHECK bool cli_read_pins(
        const cli_args *args, p3d_pins *out, p3d_error *err);

#endif
