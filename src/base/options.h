/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - a command line by the table of its options, for both programs. */
#ifndef PLAN3D_BASE_OPTIONS_H
#define PLAN3D_BASE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/util.h"
#include "plan3d/error.h"

typedef enum p3d_option_kind {
    P3D_OPTION_FLAG,    /* bool */
    P3D_OPTION_TEXT,    /* const char * */
    P3D_OPTION_WORD,    /* int: 1 + index in .word; 0 = not given */
    P3D_OPTION_COUNT,   /* int64_t, min..max; 0 = not given */
    P3D_OPTION_LENGTH,  /* the same of tokens of a sequence: K is 1024 */
    P3D_OPTION_BYTES,   /* int64_t, 0..max */
    P3D_OPTION_NUMBER,  /* double, min..max; 0 = not given */
    P3D_OPTION_SECONDS, /* double, min..max; 0 = not given */
    P3D_OPTION_RATE,    /* double, bytes/s, min..max; 0 = not given */
    P3D_OPTION_PARSED   /* what .parse sets */
} p3d_option_kind;

/** One row of a table of options. */
typedef struct p3d_option {
    const char *name; /* without the dashes */
    char letter;      /* 0 = none */
    p3d_option_kind kind;
    size_t offset;        /* into the struct of the program's arguments */
    const char *value;    /* its word in help; NULL for a flag */
    const char *fallback; /* default in words; NULL = none */
    const char *doc;      /* one line, with the unit */
    double min, max;
    p3d_words *word;
    bool (*parse)(const char *text, void *to, p3d_error *err);
    unsigned commands; /* bit set of those that have it, where several share a
                          table; 0 in a table of one command */
    bool is_job;       /* repeated in "next" commands */
    bool is_choice;    /* likewise, of those alone that choose a plan */
    bool is_required;
} p3d_option;

typedef struct p3d_option_table {
    const p3d_option *options;
    int n_options;
} p3d_option_table;

/** The option that an argument such as "--seq=4" names; NULL when none. */
const p3d_option *p3d_option_find(p3d_option_table table, const char *argument);

/** True when the argument is an option and its value is the next argument. */
bool p3d_option_takes_next(const p3d_option *option, const char *argument);

/**
 * Set what an option says.
 *
 * @param value  NULL for a flag
 * @param args   the struct of the program's arguments
 * @return false with P3D_USAGE, the option's name in front
 */
P3D_CHECK bool p3d_option_set(const p3d_option *option, const char *value,
        void *args, p3d_error *err);

/** An option as it was given. */
typedef struct p3d_option_given {
    const p3d_option *option;
    const char *value; /* NULL for a flag */
} p3d_option_given;

/** What may be wrong with an argument. */
typedef enum p3d_option_fault {
    P3D_OPTION_UNKNOWN,
    P3D_OPTION_TWICE,
    P3D_OPTION_NO_VALUE, /* a flag that has one */
    P3D_OPTION_NEEDS_VALUE
} p3d_option_fault;

/** A command line that is read, and how its program takes it. */
typedef struct p3d_option_line {
    p3d_option_table table;
    unsigned commands; /* bit of the command; 0 = it has all of the table */
    int argc;
    const char *const *argv;
    int skip;       /* index of an argument that is left out; -1 = none */
    bool is_strict; /* "--" ends the options, what begins with it is no value
                       of another option, and no value is empty */
    void *args;     /* the struct of the program's arguments */
    p3d_option_given *given; /* NULL = options may be given twice */
    int n_given, max_given;
    int at; /* the next argument */
    /** Say what is wrong with an argument. @param option  NULL where it is
     *  unknown @return false */
    bool (*fail)(const struct p3d_option_line *line, p3d_option_fault fault,
            const p3d_option *option, const char *argument, p3d_error *err);
    /** Take an argument that is no option. */
    bool (*take)(void *args, const char *argument, p3d_error *err);
} p3d_option_line;

/** True when the command of a line has an option. */
bool p3d_option_has(const p3d_option_line *line, const p3d_option *option);

/** Read all arguments. @return false with P3D_USAGE */
P3D_CHECK bool p3d_option_line_read(p3d_option_line *line, p3d_error *err);

/**
 * Find a word in its list.
 *
 * @param what  begins the message: "unknown word"
 * @param out   index of the word; untouched on failure
 * @return false with P3D_USAGE: the word that was meant, or else all of them
 */
P3D_CHECK bool p3d_option_word_find(const char *what, const char *value,
        p3d_words *word, int *out, p3d_error *err);

/** Fail as for a word that is not in its list. @return false */
bool p3d_option_word_fail(
        const char *what, const char *value, p3d_words *word, p3d_error *err);

#endif
