/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - options of a command line as a table, for both programs. */
#ifndef PLAN3D_BASE_OPTIONS_H
#define PLAN3D_BASE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/util.h"
#include "plan3d/error.h"

typedef enum cli_kind {
    CLI_FLAG,    /* bool */
    CLI_TEXT,    /* const char * */
    CLI_WORD,    /* int: 1 + index in .word; 0 = not given */
    CLI_COUNT,   /* int64_t, min..max; 0 = not given */
    CLI_LENGTH,  /* the same of tokens of a sequence: K is 1024 */
    CLI_BYTES,   /* int64_t, 0..max */
    CLI_NUMBER,  /* double, min..max; 0 = not given */
    CLI_SECONDS, /* double, min..max; 0 = not given */
    CLI_RATE,    /* double, bytes/s, min..max; 0 = not given */
    CLI_PARSED   /* what .parse sets */
} cli_kind;

typedef p3d_words cli_words;

/** One row of a table of options. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0 = none */
    cli_kind kind;
    size_t offset;        /* into the struct of the program's arguments */
    const char *value;    /* its word in help; NULL for a flag */
    const char *fallback; /* default in words; NULL = none */
    const char *doc;      /* one line, with the unit */
    double min, max;
    cli_words *word;
    bool (*parse)(const char *text, void *to, p3d_error *err);
    unsigned commands; /* bit set of those that have it, where several share a
                          table; 0 in a table of one command */
    bool is_job;       /* repeated in "next" commands */
    bool is_choice;    /* likewise, of those alone that choose a plan */
    bool is_required;
} cli_option;

typedef struct cli_table {
    const cli_option *options;
    int n_options;
} cli_table;

/** The option that an argument such as "--seq=4" names; NULL when none. */
const cli_option *cli_option_find(cli_table table, const char *argument);

/** True when the argument is an option and its value is the next argument. */
bool cli_option_takes_next(const cli_option *option, const char *argument);

/**
 * Set what an option says.
 *
 * @param value  NULL for a flag
 * @param args   the struct of the program's arguments
 * @return false with P3D_USAGE, the option's name in front
 */
P3D_CHECK bool cli_option_set(const cli_option *option, const char *value,
        void *args, p3d_error *err);

/**
 * Find a word in its list.
 *
 * @param what  begins the message: "unknown word"
 * @param out   index of the word; untouched on failure
 * @return false with P3D_USAGE: the word that was meant, or else all of them
 */
P3D_CHECK bool cli_word_find(const char *what, const char *value,
        cli_words *word, int *out, p3d_error *err);

/** Fail as for a word that is not in its list. @return false */
bool cli_word_fail(
        const char *what, const char *value, cli_words *word, p3d_error *err);

#endif
