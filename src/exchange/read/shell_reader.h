/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_reader.h - the reader of shell scripts, for its own parts alone: what
 * read_shell.c reads by itself, commands of a form of their own, functions and
 * here-documents, and variables that come from outside. */
#ifndef PLAN3D_EXCHANGE_READ_SHELL_READER_H
#define PLAN3D_EXCHANGE_READ_SHELL_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "exchange/read/branches.h"
#include "exchange/read/expand.h"
#include "exchange/read/read.h"

enum {
    EXCHANGE_SHELL_FUNCTIONS = 64,
    EXCHANGE_SHELL_CALLS = 256, /* of a script; more are left out */
    EXCHANGE_SHELL_DEPTH = 8
};

/** A function that the script calls by its name. */
typedef struct exchange_shell_function {
    p3d_text name;
    p3d_text body;
    int line; /* of its body */
} exchange_shell_function;

/** Zero to begin. */
typedef struct exchange_shell_functions {
    exchange_shell_function at[EXCHANGE_SHELL_FUNCTIONS];
    int n;
    int n_calls;
    int depth;
} exchange_shell_functions;

/* One word of a script. */
typedef struct shell_word {
    p3d_text text;
    bool literal; /* it begins with what is written there */
    int line;
} shell_word;

/* What a command does. */
typedef enum shell_kind { SHELL_NO_KIND, SHELL_TRAINS, SHELL_ASIDE } shell_kind;

typedef struct shell_reader {
    const char *at;
    int line;
    exchange_shell_variables variables;
    exchange_branches branches;
    exchange_shell_functions functions;
    exchange_settings *out;
    p3d_error *err;
    p3d_text written; /* the last word without the options of its variables */
    p3d_text name;    /* of the option that is open; empty = none */
    p3d_text value;   /* of it so far */
    bool has_value;
    bool overrides;      /* the command has words of Hydra */
    bool says;           /* the command prints its words */
    bool is_module;      /* the word before is "-m" */
    const char *program; /* the word before is its name; NULL = another */
    const char *before;  /* likewise, of those that shell_aside.c knows */
    shell_kind kind;     /* of the command that is read */
    bool trains;         /* one of the commands does */
    bool is_shell;       /* the words before are a shell and its options */
    bool keeps_lines;    /* of what stands in quotes */
    bool assigns;        /* a variable is set: none of it runs there */
    bool contains;       /* the words before start a container: its options are
                            not the program's */
    int n_before_container;  /* settings */
    bool quotes;             /* the command has another one in quotes */
    int command, n_commands; /* that is read, and so far */
    int turn;                /* of the last option of it */
    int option_line;
    int n_sourced;
    int cut_line; /* of what is still open where the script ends; 0 = none */
    const char *cut;
    bool failed;
    /** Read up to the end of the text: what loops and functions hold is read by
     *  what reads the whole. */
    void (*read_lines)(struct shell_reader *r);
} shell_reader;

/* shell_text.c */

/** Read a mark; the script must not end within something, as what follows would
 *  be missed. @param what  it closes */
void shell_close_with(shell_reader *r, char mark, int line, const char *what);

bool shell_ends_word(char c);

/** Blanks and continued lines. */
void shell_skip_blanks(shell_reader *r);

/** @param w  free its text */
void shell_read_word(shell_reader *r, shell_word *w);

/** Set a variable, as far as the branch that is read tells. */
void shell_keep(shell_reader *r, const char *name, size_t n, const char *value,
        bool appends);

/** Take a configuration of DeepSpeed that a script writes. One with a variable
 *  that is not known is left. */
void shell_take_json(shell_reader *r, const p3d_text *text);

/* shell_turns.c */

/** Options from one on stand in the command that is read, in this turn. */
void shell_take_turns(shell_reader *r, int first, int n);

/** A command names a variable at a place, "$NAME" or "${NAME[@]}": what was
 *  read in its value has its turn. */
void shell_take_variable(shell_reader *r, const char *at);

/** Of two options of one name in one command the later one counts: let it be
 *  the later one of the settings. */
void shell_sort_turns(exchange_settings *settings, int first);

/* shell_edit.c */

/** "sed s/A/B/ TEMPLATE | sed s/C/D/ > FILE": what is in FILE. */
void shell_read_edits(shell_reader *r);

/* shell_commands.c */

/** "for NAME in A B C" */
void shell_read_loop(shell_reader *r);

/** Skip the rest of "while [ $# -gt 0 ]; do ... done", which does nothing in a
 *  script without arguments. @return false for another loop */
bool shell_skip_arguments(shell_reader *r);

/** "read -r A B <<< WORDS": each name has a word, the last one the rest. */
void shell_read_names(shell_reader *r);

/** Read the body of a function where it is called. @return false where the
 *  script has none of that name */
bool shell_read_call(shell_reader *r, const char *name);

/** True where lines begin with a module or a file of Python that does something
 *  else than train: the words of a command that a variable is to hold. */
bool shell_is_of_aside(const char *at, const char *end);

/** Read "((a > b))" behind "if" as the test of numbers that it is.
 *  @return false where it is none */
bool shell_read_number_test(shell_reader *r);

/** Note a word that is TRL's program, or behind "trl" what it is to do. */
void shell_note_trl(shell_reader *r, const char *text);

/** True where "bash" and its options were read and this word says that a script
 *  follows: "-c", "-lc". */
bool shell_begins_inner(shell_reader *r, const char *word);

/** Read the script behind it, where it stands there and is no variable: the
 *  options in the value of one were read where it was set. */
void shell_read_inner(shell_reader *r);

/** Read a script that is one word of a command: of "ssh", "eval". @return false
 *  where the word is none */
bool shell_read_quoted(shell_reader *r, const shell_word *w);

/** A word of a command: one that starts a container, or a program in one, which
 *  has none of the options before; or one before a command in quotes. */
void shell_note_wrapper(shell_reader *r, const shell_word *w);

/** A function that is called is read there, others where they stand. */
void shell_skip_function(shell_reader *r);

/* shell_aside.c */

/** True where a word stands between characters that are no letters. */
bool shell_has_word(const char *text, const char *word);

/** A word of a command before its options, of which the first one that is known
 *  says what the command does. @param is_program  a file or a module */
void shell_note_kind(shell_reader *r, const char *text, bool is_program);

/** The command ends: its settings are those from `first` on. */
void shell_end_kind(shell_reader *r, int first);

/** Forget what other commands have where one of the script trains. */
void shell_drop_aside(shell_reader *r);

/* functions_shell.c */

/**
 * Take the function that begins at a place, "name() {" or "function name {",
 * if what follows it calls it.
 *
 * @param line  of the place
 * @return the place behind its body; NULL where none begins, or none is called
 *         later, or there is no room for it
 */
const char *exchange_shell_define(
        exchange_shell_functions *functions, const char *at, int line);

/** The function of a name; NULL = none. */
const exchange_shell_function *exchange_shell_function_of(
        const exchange_shell_functions *functions, const char *name);

/** Accepts zero ones. */
void exchange_shell_functions_free(exchange_shell_functions *functions);

/** A here-document: how it ends. */
typedef struct exchange_here {
    const char *end;
    size_t n;
    bool is_plain; /* its variables stay as they are written */
} exchange_here;

/** Read "<<EOF", "<<-EOF", "<<'EOF'". @return false where none begins */
bool exchange_here_read(const char *at, exchange_here *out);

/** The line that ends a here-document; NULL = none. */
const char *exchange_here_end(const char *at, const exchange_here *here);

/* outside.c */

/** Set what launchers and schedulers tell of the machines, and what the caller
 *  gives. @param text  of the script @return false when memory runs out */
bool exchange_outside_take(const char *text, exchange_settings *settings,
        exchange_shell_variables *variables);

/** Append as settings: the machines of a launcher, variables that programs read
 *  by themselves, those that tests took as empty, those of the environment. */
P3D_CHECK bool exchange_outside_put(const exchange_shell_variables *variables,
        const exchange_branches *branches, exchange_settings *out,
        p3d_error *err);

#endif
