/* SPDX-License-Identifier: GPL-3.0-or-later */
/* invariants.h - what holds of every command line and its answer. */
#ifndef PLAN3D_TEST_INVARIANTS_H
#define PLAN3D_TEST_INVARIANTS_H

#include "commands/grammar.h"

enum { TRIAL_PATHS = 32, TRIAL_PATH = 256 };

typedef struct trial trial;

/** How a command line is asked: answer_ask(), or one that lies. */
typedef answer *trial_asker(const line *l);

/** Told of each invariant that is checked; `why` is NULL where it holds. */
typedef void trial_listener(
        void *context, const trial *t, int invariant, const char *why);

/** A command line that was drawn, and all that was asked about it. */
struct trial {
    uint64_t seed;
    int number;
    draw_source draw;
    const answer *first; /* the answer of the line that was drawn */
    answer *answers;     /* the last one first */
    int n_commands;
    char directory[TRIAL_PATH]; /* "" = none yet */
    char paths[TRIAL_PATHS][TRIAL_PATH];
    int n_paths;
    bool broken;  /* its files stay */
    int only;     /* this invariant alone, of every line; -1 = all */
    p3d_text why; /* of the invariant that is being checked */
    trial_asker *ask;
    trial_listener *listen;
    void *context;
};

typedef enum verdict {
    INVARIANT_HOLDS,
    INVARIANT_BROKEN,
    INVARIANT_SILENT /* it says nothing of this line */
} verdict;

typedef struct invariant {
    const char *name;
    verdict (*of_answer)(trial *t, const answer *a); /* of every answer */
    verdict (*of_trial)(trial *t);                   /* of the drawn line */
    int one_in; /* lines that are drawn: those that it asks more about */
} invariant;

/** The i-th invariant; NULL past the last. */
const invariant *invariant_at(int i);

/** Ask a command line, check every answer's invariants, ask and check what the
 *  others want to know. */
void trial_run(trial *t, const line *l);

/** Ask a line, once however often. The answer stays the trial's. */
const answer *trial_ask(trial *t, const line *l);

/** The path of a file or folder that is removed at the end, unless an
 *  invariant breaks. @return the trial's own copy */
const char *trial_path(trial *t, const char *name);

/** Remove files, free answers. */
void trial_end(trial *t);

/** Write why an invariant is broken: a and b are the command lines that show
 *  it, b may be NULL. @return INVARIANT_BROKEN */
verdict trial_broken(trial *t, const answer *a, const answer *b,
        const char *fmt, ...) P3D_PRINTF(4, 5);

/** The question of the drawn line with another command, as JSON. */
line trial_question(const trial *t, const char *command);

/** True where the drawn line has a model and a cluster that were understood,
 *  and its answer was given. */
bool trial_has_question(const trial *t);

/* The invariants of every answer. */
verdict answer_has_a_documented_status(trial *t, const answer *a);
verdict answer_is_never_empty(trial *t, const answer *a);
verdict answer_is_as_its_schema_promises(trial *t, const answer *a);
verdict answer_has_finite_numbers(trial *t, const answer *a);
verdict answer_never_contradicts_itself(trial *t, const answer *a);
verdict answer_has_terms_that_add_up(trial *t, const answer *a);
verdict answer_takes_little_time(trial *t, const answer *a);

/* Of one question asked in several ways. */
verdict trial_text_is_json(trial *t);
verdict trial_first_screen_is_json(trial *t);
verdict trial_forms_have_one_status(trial *t);
verdict trial_fit_is_first_of_plan(trial *t);
verdict trial_best_is_its_estimate(trial *t);
verdict trial_pinned_is_its_estimate(trial *t);
verdict trial_import_is_what_was_exported(trial *t);

/* Of two questions. */
verdict trial_smaller_reserve(trial *t);
verdict trial_larger_gpu(trial *t);
verdict trial_larger_host(trial *t);
verdict trial_words_are_their_file(trial *t);
verdict trial_idle_nodes(trial *t);
verdict trial_shorter_sequence(trial *t);
verdict trial_fewer_pins(trial *t);
verdict trial_any_framework(trial *t);

#endif
