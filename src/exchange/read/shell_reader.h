/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_reader.h - the reader of shell scripts, for its own parts alone: what
 * read_shell.c reads by itself, and commands of a form of their own. */
#ifndef PLAN3D_EXCHANGE_READ_SHELL_READER_H
#define PLAN3D_EXCHANGE_READ_SHELL_READER_H

#include "base/text.h"
#include "exchange/read/branches.h"
#include "exchange/read/expand.h"
#include "exchange/read/functions_shell.h"
#include "exchange/read/read.h"

/* One word of a script. */
typedef struct shell_word {
    p3d_text text;
    bool literal; /* it begins with what is written there */
    int line;
} shell_word;

typedef struct shell_reader {
    const char *at;
    int line;
    exchange_shell_variables variables;
    exchange_branches branches;
    exchange_shell_functions functions;
    exchange_settings *out;
    p3d_error *err;
    p3d_text name;  /* of the option that is open; empty = none */
    p3d_text value; /* of it so far */
    bool has_value;
    bool overrides;     /* the command has words of Hydra */
    bool says;          /* the command prints its words */
    bool is_module;     /* the word before is "-m" */
    bool is_accelerate; /* the word before is its name */
    int option_line;
    int n_sourced;
    int cut_line; /* of what is still open where the script ends; 0 = none */
    const char *cut;
    bool failed;
} shell_reader;

/* read_shell.c */

bool shell_ends_word(char c);

/** Blanks and continued lines. */
void shell_skip_blanks(shell_reader *r);

/** @param w  free its text */
void shell_read_word(shell_reader *r, shell_word *w);

/** Set a variable, as far as the branch that is read tells. */
void shell_keep(shell_reader *r, const char *name, size_t n, const char *value,
        bool appends);

/** Read up to the end of the text. */
void shell_read_lines(shell_reader *r);

/* shell_commands.c */

/** "for NAME in A B C" */
void shell_read_loop(shell_reader *r);

/** "read -r A B <<< WORDS": each name has a word, the last one the rest. */
void shell_read_names(shell_reader *r);

/** Read the body of a function where it is called. @return false where the
 *  script has none of that name */
bool shell_read_call(shell_reader *r, const char *name);

/** A function that is called is read there, others where they stand. */
void shell_skip_function(shell_reader *r);

#endif
