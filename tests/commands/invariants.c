/* SPDX-License-Identifier: GPL-3.0-or-later */
/* invariants.c - the table of them. */
#include "commands/invariants.h"

#include "base/util.h"

/* clang-format off */
#define EVERY(words, check) {.name = words, .of_answer = check}
#define DRAWN(words, n, check) {.name = words, .of_trial = check, .one_in = n}

static const invariant invariants[] = {
    EVERY("the exit status is documented, and what goes where",
        answer_has_a_documented_status),
    EVERY("an answer is never empty", answer_is_never_empty),
    EVERY("JSON is as its schema promises", answer_is_as_its_schema_promises),
    EVERY("numbers are finite", answer_has_finite_numbers),
    EVERY("verdicts agree: what is closest never fits while fits is false",
        answer_never_contradicts_itself),
    EVERY("terms add up", answer_has_terms_that_add_up),
    EVERY("an answer takes at most 10 s of CPU", answer_takes_little_time),
    DRAWN("text and JSON agree", 2,
        trial_text_is_json),
    DRAWN("the first screen and JSON agree", 2,
        trial_first_screen_is_json),
    DRAWN("every form has the same exit status", 2,
        trial_forms_have_one_status),
    DRAWN("fit is the first of plan", 2,
        trial_fit_is_first_of_plan),
    DRAWN("a plan that is found is its estimate", 2,
        trial_best_is_its_estimate),
    DRAWN("a plan pinned wholly is its estimate", 2,
        trial_pinned_is_its_estimate),
    DRAWN("what is exported is imported as the same plan", 2,
        trial_import_is_what_was_exported),
    DRAWN("a smaller reserve is never worse", 3,
        trial_smaller_reserve),
    DRAWN("more GPU memory is never worse", 4,
        trial_larger_gpu),
    DRAWN("more host memory is never worse", 8,
        trial_larger_host),
    DRAWN("a cluster in words is its file", 16,
        trial_words_are_their_file),
    DRAWN("more idle nodes are never worse", 3,
        trial_idle_nodes),
    DRAWN("a shorter sequence still fits", 3,
        trial_shorter_sequence),
    DRAWN("fewer pins are never worse", 3,
        trial_fewer_pins),
    DRAWN("any framework is never worse than one", 3,
        trial_any_framework),
};
/* clang-format on */

const invariant *invariant_at(int i)
{
    return i < P3D_COUNT_OF(invariants) ? &invariants[i] : NULL;
}
