/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - the command line as a table: parser, usage line and help. */
#ifndef PLAN3D_CLI_OPTIONS_H
#define PLAN3D_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "base/text.h"
#include "plan3d/error.h"
#include "plan3d/job.h"
#include "report/format.h"

enum { CLI_MAX_WORDS = 32, CLI_MAX_GIVEN = 64 };

/** What a command line says; every command reads its part. */
typedef struct cli_args {
    const char *words[CLI_MAX_WORDS]; /* positional arguments */
    int n_words;
    p3d_option_given given[CLI_MAX_GIVEN];
    int n_given;
    p3d_job job; /* what options say of it without a reader of their own */
    bool help;
    bool json;
    double host_time_factor;
    int cp_comm;
    int dispatcher;
    int graphs;
    int64_t max_idle_nodes;
    int64_t n_mtp_layers;
    int64_t n_images;
    int64_t image_tokens;
    int dtype;
    int optimizer;
    int attention;
    int loss;
    int64_t seq_len;
    int64_t n_tokens;
    int64_t n_top;
    int64_t n_jobs;
    int64_t n_draws;
    int64_t seed;
    int64_t reserve_bytes;
    double sure_frac;
    double within_frac;
    int objective;
    int64_t n_spare_nodes;
    const char *framework;
    const char *fabric;
    const char *topology;
    double oversubscription;
    int64_t leaf_nodes;
    int routing;
    int placement;
    const char *calibration;
    const char *gpu;
    const char *pins;
    const char *plan;
    const char *not_values;
    const char *compare;
    const char *with;
    const char *sets;
    const char *source;
    const char *to;       /* of export */
    const char *from;     /* of import */
    const char *function; /* likewise: of a file of Python */
    const char *set;      /* likewise: variables of scripts */
    const char *model;
    const char *cluster;
    const char *out;
    int64_t n_change; /* of import: which single change */
    bool overwrite;
    int launcher;
    const char *launcher_words; /* of validate */
    const char *measurements;
    const char *tolerance;
    bool force;
    bool dry_run;
    int what;
    bool rows;
    bool runs; /* of calibrate: the files are of runs */
    bool keys;
    /* Lists and ranges of sweep. */
    const char *gpu_list;
    const char *seq_list;
    const char *batch_list;
    const char *framework_list;
    const char *price_list;
    const char *oversubscription_list;
    const char *deadline;
    int64_t budget_usd;
    const char *part;
    const char *beside;
    int find;   /* 1 + a p3d_limit_kind */
    int answer; /* likewise of the words of --answer; 0 = none */
    int64_t max_gpus;
    int64_t stage;
    int64_t n_shown; /* micro-batches */
    int format;      /* 1 + report_format; 0 = text */
    int color;
    int lang; /* 1 + p3d_lang; 0 = not said */
    bool pareto;
    bool verify;
    bool idle;
    bool is_long;
    bool fp8_blocks;
    const char *show;
    const char *lengths;
} cli_args;

/** Offset of a member of cli_args, with its type checked by the compiler. */
#define CLI_AT(field, T)                                                    \
    (offsetof(cli_args, field) +                                            \
            0 * sizeof(char[_Generic(((cli_args *)0)->field, T : 1, default \
                                     : -1)]))

/** The kind of an option in a row of a table, the member that it sets, its
 *  value's word in help, and its limits. */
#define CLI_FLAG_AT(field) \
    .kind = P3D_OPTION_FLAG, .offset = CLI_AT(field, _Bool)
#define CLI_TEXT_AT(field, name)                                    \
    .kind = P3D_OPTION_TEXT, .offset = CLI_AT(field, const char *), \
    .value = name
#define CLI_WORD_AT(field, name, words)                                   \
    .kind = P3D_OPTION_WORD, .offset = CLI_AT(field, int), .value = name, \
    .word = words
/* Of an enumeration in the job, as wide as an int: 0 = not said. */
#define CLI_NAME_AT(field, name, words)                                     \
    .kind = P3D_OPTION_WORD,                                                \
    .offset = offsetof(cli_args, field) +                                   \
              0 * sizeof(char[sizeof(((cli_args *)0)->field) == sizeof(int) \
                                      ? 1                                   \
                                      : -1]),                               \
    .value = name, .word = words
#define CLI_COUNT_AT(field, name, least, most)                                 \
    .kind = P3D_OPTION_COUNT, .offset = CLI_AT(field, int64_t), .value = name, \
    .min = least, .max = most
#define CLI_LENGTH_AT(field, name, least, most)                  \
    .kind = P3D_OPTION_LENGTH, .offset = CLI_AT(field, int64_t), \
    .value = name, .min = least, .max = most
#define CLI_BYTES_AT(field, name, most)                                        \
    .kind = P3D_OPTION_BYTES, .offset = CLI_AT(field, int64_t), .value = name, \
    .max = most
#define CLI_DOUBLE_AT(sort, field, name, least, most)             \
    .kind = sort, .offset = CLI_AT(field, double), .value = name, \
    .min = least, .max = most
#define CLI_NUMBER_AT(field, name, least, most) \
    CLI_DOUBLE_AT(P3D_OPTION_NUMBER, field, name, least, most)
#define CLI_SECONDS_AT(field, name, least, most) \
    CLI_DOUBLE_AT(P3D_OPTION_SECONDS, field, name, least, most)
#define CLI_RATE_AT(field, name, least, most) \
    CLI_DOUBLE_AT(P3D_OPTION_RATE, field, name, least, most)

/** A command line without the program's name. */
typedef struct cli_line {
    int argc;
    const char *const *argv;
    int skip; /* index of the command's name among them; -1 = not there */
} cli_line;

/**
 * Read a command line.
 *
 * @param out  points into argv; untouched on failure
 * @return false with P3D_USAGE
 */
P3D_CHECK bool cli_args_parse(
        p3d_option_table table, cli_line line, cli_args *out, p3d_error *err);

/** True when the option of this name is on the command line. */
bool cli_is_given(const cli_args *args, const char *name);

/** The form of the answer: that of --format or --json, or text. */
report_format cli_format(const cli_args *args);

#endif
