/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lies.c - wrong answers, so that each invariant is seen to break. */
#include "commands/lies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* Put other words in the place of some, everywhere in the answer. */
static void replace(answer *a, const char *from, const char *to)
{
    p3d_text text = {0};
    const char *p = a->out;

    for (const char *q = strstr(p, from); q != NULL; q = strstr(p, from)) {
        p3d_text_append(&text, p, (size_t)(q - p));
        p3d_text_add(&text, "%s", to);
        p = q + strlen(from);
    }
    p3d_text_add(&text, "%s", p);
    free(a->out);
    a->out = text.data;
    P3D_ASSERT(!text.failed && a->out != NULL);
}

static bool is_of(const answer *a, const char *command)
{
    return strcmp(line_positional(&a->line, 0), command) == 0;
}

static void fail(answer *a, int count)
{
    (void)count;
    a->status = 4;
}

static void say_nothing(answer *a, int count)
{
    (void)count;
    a->out[0] = '\0';
}

static void leave_a_member_out(answer *a, int count)
{
    (void)count;
    replace(a, "\"fits\":", "\"fit\":");
}

static void say_nan(answer *a, int count)
{
    (void)count;
    replace(a, "0", " NaN ");
}

static void take_long(answer *a, int count)
{
    (void)count;
    a->cpu_s = 3600;
}

static void deny(answer *a, int count)
{
    (void)count;
    replace(a, "\"fits\": true", "\"fits\": false");
}

static void grow_a_term(answer *a, int count)
{
    (void)count;
    replace(a, "\"fixed_s\": ", "\"fixed_s\": 9");
}

static void deny_in_text(answer *a, int count)
{
    (void)count;
    replace(a, "FITS, ", "FITTED ");
    replace(a, "DOES NOT FIT", "FITS");
}

static void deny_in_csv(answer *a, int count)
{
    (void)count;
    if (line_has(&a->line, "format"))
        a->status = 1 - a->status;
}

/* Each answer is slower than the one before. */
static void slow_down(answer *a, int count)
{
    char slower[64];

    snprintf(slower, sizeof(slower), "\"step_s\": %d", 10 + count);
    replace(a, "\"step_s\": ", slower);
}

static void refuse_pins(answer *a, int count)
{
    (void)count;
    if (line_has(&a->line, "pin"))
        a->status = 3;
}

static void import_another_plan(answer *a, int count)
{
    (void)count;
    if (is_of(a, "import"))
        replace(a, "\"words\": \"tp=", "\"words\": \"tp=1");
}

static void deny_plans(answer *a, int count)
{
    if (line_has(&a->line, "plan"))
        deny(a, count);
}

static const struct {
    verdict (*of_answer)(trial *t, const answer *a);
    verdict (*of_trial)(trial *t);
    lie_teller *tell;
} lies[] = {
        {answer_has_a_documented_status, NULL, fail},
        {answer_is_never_empty, NULL, say_nothing},
        {answer_is_as_its_schema_promises, NULL, leave_a_member_out},
        {answer_has_finite_numbers, NULL, say_nan},
        {answer_never_contradicts_itself, NULL, deny},
        {answer_has_terms_that_add_up, NULL, grow_a_term},
        {answer_takes_little_time, NULL, take_long},
        {NULL, trial_text_is_json, deny_in_text},
        {NULL, trial_first_screen_is_json, deny_in_text},
        {NULL, trial_forms_have_one_status, deny_in_csv},
        {NULL, trial_fit_is_first_of_plan, slow_down},
        {NULL, trial_best_is_its_estimate, slow_down},
        {NULL, trial_pinned_is_its_estimate, refuse_pins},
        {NULL, trial_import_is_what_was_exported, import_another_plan},
        {NULL, trial_smaller_reserve, slow_down},
        {NULL, trial_larger_gpu, slow_down},
        {NULL, trial_larger_host, slow_down},
        {NULL, trial_words_are_their_file, slow_down},
        {NULL, trial_idle_nodes, slow_down},
        {NULL, trial_shorter_sequence, deny_plans},
        {NULL, trial_fewer_pins, slow_down},
        {NULL, trial_any_framework, slow_down},
};

lie_teller *lie_about(const invariant *one)
{
    for (int i = 0; i < P3D_COUNT_OF(lies); i++)
        if (lies[i].of_answer == one->of_answer &&
                lies[i].of_trial == one->of_trial)
            return lies[i].tell;
    return NULL;
}
