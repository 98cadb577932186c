/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - the table of commands, and what one command is. */
#ifndef PLAN3D_CLI_COMMANDS_H
#define PLAN3D_CLI_COMMANDS_H

#include "cli/question.h"

enum { CLI_MAX_POSITIONALS = 3, CLI_N_EXAMPLES = 3 };

/** How often a positional argument stands. */
typedef enum cli_number {
    CLI_ONCE,
    CLI_AT_MOST_ONCE,
    CLI_SOME, /* the last: one or more of it */
    CLI_ANY   /* the last: none or more of it */
} cli_number;

/** A positional argument: its word in the usage line, and what it is. */
typedef struct cli_positional {
    const char *word;
    const char *doc;
    cli_number number;
} cli_positional;

/** Answers a question whose CLUSTER is pools; the name is of the command. */
typedef bool cli_pools_answer(const char *command, const cli_args *args,
        cli_reply *reply, p3d_error *err);

typedef struct cli_command {
    const char *name;
    const char *summary; /* one sentence */
    cli_positional positionals[CLI_MAX_POSITIONALS];
    p3d_words *last_words; /* all that the last of them may be; NULL: no list */
    json_option_table table;
    const char *examples[CLI_N_EXAMPLES];
    cli_pools_answer *of_pools; /* where CLUSTER is pools of several types;
                                   NULL: it is none */
    /** Say what is missing, where more is known than the option's name; NULL =
     *  never. @return false where it failed */
    bool (*lacks)(const cli_args *args, p3d_error *err);
    cli_answer *answer; /* the question of MODEL and CLUSTER; NULL: */
    bool (*run)(const cli_args *args, cli_reply *reply, p3d_error *err);
} cli_command;

extern const cli_command cli_fit;
extern const cli_command cli_plan;
extern const cli_command cli_estimate;
extern const cli_command cli_explain;
extern const cli_command cli_shapes;
extern const cli_command cli_trace;
extern const cli_command cli_report;
extern const cli_command cli_advise;
extern const cli_command cli_sweep;
extern const cli_command cli_assign;
extern const cli_command cli_backtest;
extern const cli_command cli_export;
extern const cli_command cli_import;
extern const cli_command cli_calibrate;
extern const cli_command cli_validate;
extern const cli_command cli_list;
extern const cli_command cli_schema;
extern const cli_command cli_page;
extern const cli_command cli_completion;
extern const cli_command cli_man;
extern const cli_command cli_version;
extern const cli_command cli_help;

/** Not among the commands: what a command line without words prints. */
extern const cli_command cli_intro;

/** The i-th command in the order of the help, or NULL past the last. */
const cli_command *cli_command_at(int i);

/** Find a command. @return NULL with P3D_USAGE and did-you-mean */
const cli_command *cli_command_find(const char *name, p3d_error *err);

/** Print the help of one command. */
void cli_print_help(const cli_command *command, p3d_text *out);

/** What explain explains: its third argument. */
p3d_words cli_topic_word;

/** What schema has a schema of. */
p3d_words cli_schema_word;

#endif
