/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.h - a command line that is put together, changed and asked. */
#ifndef PLAN3D_TEST_LINE_H
#define PLAN3D_TEST_LINE_H

#include "base/text.h"
#include "json/json.h"

enum { LINE_WORDS = 48, LINE_WORD = 320 };

/** The words behind "plan3d", options as "--name=value". */
typedef struct line {
    int n;
    char words[LINE_WORDS][LINE_WORD];
    bool spaced; /* asked as "--name value" */
} line;

/** Append a word. */
void line_add(line *l, const char *fmt, ...) P3D_PRINTF(2, 3);

/** Set an option; value NULL for a flag. */
void line_set(line *l, const char *name, const char *value);

/** Leave an option out. */
void line_drop(line *l, const char *name);

bool line_has(const line *l, const char *name);

/** The value of an option: "" for a flag, NULL when it is not there. */
const char *line_value(const line *l, const char *name);

/** The i-th word that is no option, the command being the 0-th; "" past the
 *  last. */
const char *line_positional(const line *l, int i);

/**
 * The same question of another command: model, cluster and the options that
 * both commands have, but for those about the form of the answer.
 */
line line_of_command(const line *question, const char *command);

/** Append the line as a shell reads it. */
void line_print(const line *l, p3d_text *out);

bool line_is_same(const line *a, const line *b);

/** What the program answers. */
typedef struct answer {
    line line;
    int status;
    char *out, *err;
    double cpu_s;
    json_doc json; /* root is NULL where the answer is no JSON document */
    struct answer *next;
} answer;

/** Run a command line in this process. @return free with answer_free() */
answer *answer_ask(const line *l);

/** Free an answer and those behind it. */
void answer_free(answer *a);

/** True where the line asks for one JSON document. */
bool answer_wants_json(const line *l);

/** True when the program answered: status 0 or 1. */
bool answer_is_given(const answer *a);

/** A member of members, such as "best.time.step_s"; NULL when it is absent or
 *  null. */
const json_value *answer_at(const answer *a, const char *path);

/** The same as a number, not-a-number when it is none, and as a string. */
double answer_number(const answer *a, const char *path);
const char *answer_string(const answer *a, const char *path);
bool answer_true(const answer *a, const char *path);

#endif
