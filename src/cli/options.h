/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - the command line as a table: parser, usage line and help. */
#ifndef PLAN3D_CLI_OPTIONS_H
#define PLAN3D_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "plan3d/error.h"
#include "plan3d/job.h"
#include "report/format.h"
#include "json/options.h"

enum { CLI_MAX_WORDS = 32, CLI_MAX_GIVEN = 64 };

/** What a command line says; every command reads its part. */
typedef struct cli_args {
    const char *words[CLI_MAX_WORDS]; /* positional arguments */
    int n_words;
    json_option_given given[CLI_MAX_GIVEN];
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
    const char *hosts;
    double oversubscription;
    int64_t leaf_nodes;
    int routing;
    int placement;
    int rails; /* 1 + yes */
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
    const char *trace;
    int64_t n_trace_steps;
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
    const char *rails_list;
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
    const char *name; /* of a job of assign */
    int64_t weight;   /* likewise */
    bool whole_pools;
} cli_args;

/** Offset of a member of cli_args, with its type checked by the compiler. */
#define CLI_AT(field, T)                                                    \
    (offsetof(cli_args, field) +                                            \
            0 * sizeof(char[_Generic(((cli_args *)0)->field, T : 1, default \
                                     : -1)]))

/** The field of an option in a row of a table: the member that it sets, its
 *  value's word in help, and its limits. */
#define CLI_SET(member, T, what) \
    .field.type = (what), .field.offset = CLI_AT(member, T)
#define CLI_LIMITS(name, least, most) \
    .value = (name), .field.min = (least), .field.max = (most)
#define CLI_FLAG_AT(member) CLI_SET(member, _Bool, JSON_BOOL)
#define CLI_TEXT_AT(member, name) \
    CLI_SET(member, const char *, JSON_TEXT), .value = (name)
#define CLI_WORD_AT(member, name, words) \
    CLI_SET(member, int, JSON_GIVEN_WORD(words)), .value = (name)
/* Of an enumeration in the job, as wide as an int: 0 = not said. */
#define CLI_NAME_AT(member, name, words)                                   \
    .field.type = JSON_GIVEN_WORD(words),                                  \
    .field.offset =                                                        \
            offsetof(cli_args, member) +                                   \
            0 * sizeof(char[sizeof(((cli_args *)0)->member) == sizeof(int) \
                                    ? 1                                    \
                                    : -1]),                                \
    .value = (name)
#define CLI_COUNT_AT(member, name, least, most) \
    CLI_SET(member, int64_t, JSON_INT64), CLI_LIMITS(name, least, most)
#define CLI_LENGTH_AT(member, name, least, most)      \
    CLI_SET(member, int64_t, JSON_IN(INT64, TOKENS)), \
            CLI_LIMITS(name, least, most)
#define CLI_BYTES_AT(member, name, most) \
    CLI_SET(member, int64_t, JSON_IN(INT64, BYTES)), CLI_LIMITS(name, 0, most)
#define CLI_NUMBER_AT(member, name, least, most) \
    CLI_SET(member, double, JSON_DOUBLE), CLI_LIMITS(name, least, most)
#define CLI_SECONDS_AT(member, name, least, most)      \
    CLI_SET(member, double, JSON_IN(DOUBLE, SECONDS)), \
            CLI_LIMITS(name, least, most)
#define CLI_RATE_AT(member, name, least, most)             \
    CLI_SET(member, double, JSON_IN(DOUBLE, BYTES_PER_S)), \
            CLI_LIMITS(name, least, most)
/* What a function reads. */
#define CLI_READ_AT(member, name, reader) \
    .field.type = JSON_READ_BY(reader),   \
    .field.offset = offsetof(cli_args, member), .value = (name)

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
        json_option_table table, cli_line line, cli_args *out, p3d_error *err);

/** True when the option of this name is on the command line. */
bool cli_is_given(const cli_args *args, const char *name);

/** The form of the answer: that of --format or --json, or text. */
report_format cli_format(const cli_args *args);

#endif
