/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - a command line by the table of its options, for both programs. */
#ifndef PLAN3D_JSON_OPTIONS_H
#define PLAN3D_JSON_OPTIONS_H

#include "plan3d/error.h"
#include "json/field.h"

/** One row of a table of options: a field of the struct of the program's
 *  arguments, and how a command line has it. The key is the option's name,
 *  without the dashes. A number that is not given is 0. */
typedef struct json_option {
    json_field field;
    char letter;          /* 0 = none */
    const char *value;    /* its word in help; NULL for JSON_BOOL */
    const char *fallback; /* default in words; NULL = none */
    unsigned commands; /* bit set of those that have it, where several share a
                          table; 0 in a table of one command */
    bool is_job;       /* repeated in "next" commands */
    bool is_choice;    /* likewise, of those alone that choose a plan */
} json_option;

/** The name of an option and what it is, as a row begins. */
#define JSON_OPTION(name, text) .field.key = (name), .field.doc = (text)

typedef struct json_option_table {
    const json_option *options;
    int n_options;
} json_option_table;

/** The option that an argument such as "--seq=4" names; NULL when none. */
const json_option *json_option_find(
        json_option_table table, const char *argument);

/** True when the argument is an option and its value is the next argument. */
bool json_option_takes_next(const json_option *option, const char *argument);

/**
 * Set what an option says.
 *
 * @param value  NULL for a flag
 * @param args   the struct of the program's arguments
 * @return false with P3D_USAGE, the option's name in front
 */
P3D_CHECK bool json_option_set(const json_option *option, const char *value,
        void *args, p3d_error *err);

/** An option as it was given. */
typedef struct json_option_given {
    const json_option *option;
    const char *value; /* NULL for a flag */
} json_option_given;

/** What may be wrong with an argument. */
typedef enum json_option_fault {
    JSON_OPTION_UNKNOWN,
    JSON_OPTION_TWICE,
    JSON_OPTION_NO_VALUE, /* a flag that has one */
    JSON_OPTION_NEEDS_VALUE
} json_option_fault;

/** A command line that is read, and how its program takes it. */
typedef struct json_option_line {
    json_option_table table;
    unsigned commands; /* bit of the command; 0 = it has all of the table */
    int argc;
    const char *const *argv;
    int skip;       /* index of an argument that is left out; -1 = none */
    bool is_strict; /* "--" ends the options, what begins with it is no value
                       of another option, and no value is empty */
    void *args;     /* the struct of the program's arguments */
    json_option_given *given; /* NULL = options may be given twice */
    int n_given, max_given;
    int at; /* the next argument */
    /** Say what is wrong with an argument. @param option  NULL where it is
     *  unknown @return false */
    bool (*fail)(const struct json_option_line *line, json_option_fault fault,
            const json_option *option, const char *argument, p3d_error *err);
    /** Take an argument that is no option. */
    bool (*take)(void *args, const char *argument, p3d_error *err);
} json_option_line;

/** True when the command of a line has an option. */
bool json_option_has(const json_option_line *line, const json_option *option);

/** Read all arguments. @return false with P3D_USAGE */
P3D_CHECK bool json_option_line_read(json_option_line *line, p3d_error *err);

#endif
