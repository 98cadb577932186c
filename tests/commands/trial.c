/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.c - one command line, what is asked about it, and what is found. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "commands/invariants.h"

static void check(trial *t, int i, const answer *of)
{
    const invariant *const one = invariant_at(i);
    verdict found;

    p3d_text_free(&t->why);
    found = of != NULL ? one->of_answer(t, of) : one->of_trial(t);
    if (found == INVARIANT_SILENT)
        return;
    t->broken = t->broken || found == INVARIANT_BROKEN;
    t->listen(t->context, t, i,
            found == INVARIANT_BROKEN ? p3d_text_get(&t->why) : NULL);
}

static bool is_wanted(const trial *t, int i)
{
    return t->only < 0 || t->only == i;
}

static void check_answer(trial *t, const answer *of)
{
    for (int i = 0; invariant_at(i) != NULL; i++)
        if (invariant_at(i)->of_answer != NULL && is_wanted(t, i))
            check(t, i, of);
}

/* The same choices are drawn whatever is wanted. */
static void check_trial(trial *t)
{
    for (int i = 0; invariant_at(i) != NULL; i++) {
        const invariant *const one = invariant_at(i);
        const draw_source before = t->draw;

        if (one->of_trial == NULL)
            continue;
        t->draw = draw_begin(before.state, i);
        if ((draw_one_in(&t->draw, one->one_in) || t->only == i) &&
                is_wanted(t, i))
            check(t, i, NULL);
        t->draw = before;
    }
}

const answer *trial_ask(trial *t, const line *l)
{
    const p3d_text why = t->why;
    answer *a;

    for (a = t->answers; a != NULL; a = a->next)
        if (line_is_same(&a->line, l))
            return a;
    a = t->ask(l);
    a->next = t->answers;
    t->answers = a;
    t->n_commands++;
    if (answer_wants_json(l) && a->out[0] != '\0' &&
            !json_parse("answer", a->out, strlen(a->out), &a->json, NULL))
        a->json.root = NULL;
    /* An invariant that asks is in the middle of its own words. */
    t->why = (p3d_text){0};
    check_answer(t, a);
    p3d_text_free(&t->why);
    t->why = why;
    return a;
}

void trial_run(trial *t, const line *l)
{
    t->first = trial_ask(t, l);
    check_trial(t);
}

const char *trial_path(trial *t, const char *name)
{
    char *path;

    if (t->directory[0] == '\0') {
        const char *const tmp = getenv("TMPDIR");

        snprintf(t->directory, TRIAL_PATH, "%.100s/plan3d-commands-XXXXXX",
                tmp != NULL ? tmp : "/tmp");
        P3D_ASSERT(mkdtemp(t->directory) != NULL);
    }
    P3D_ASSERT(t->n_paths < TRIAL_PATHS);
    path = t->paths[t->n_paths++];
    P3D_ASSERT(snprintf(path, TRIAL_PATH, "%s/%s", t->directory, name) <
               TRIAL_PATH);
    return path;
}

void trial_end(trial *t)
{
    /* What breaks an invariant is to be typed again. */
    while (!t->broken && t->n_paths > 0)
        remove(t->paths[--t->n_paths]);
    if (!t->broken && t->directory[0] != '\0')
        remove(t->directory);
    answer_free(t->answers);
    p3d_text_free(&t->why);
}

verdict trial_broken(
        trial *t, const answer *a, const answer *b, const char *fmt, ...)
{
    char words[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(words, sizeof(words), fmt, args);
    va_end(args);
    p3d_text_add(&t->why, "    %s\n    ", words);
    line_print(&a->line, &t->why);
    if (b != NULL) {
        p3d_text_add(&t->why, "\n    ");
        line_print(&b->line, &t->why);
    }
    p3d_text_add(&t->why, "\n");
    return INVARIANT_BROKEN;
}

line trial_question(const trial *t, const char *command)
{
    line l = line_of_command(&t->first->line, command);

    line_set(&l, "json", NULL);
    return l;
}

bool trial_has_question(const trial *t)
{
    static const char *const commands[] = {"fit", "plan", "estimate", "explain",
            "shapes", "trace", "report", "advise", "export", "validate"};
    const char *const command = line_positional(&t->first->line, 0);

    if (!answer_is_given(t->first) || line_has(&t->first->line, "help"))
        return false;
    for (int i = 0; i < P3D_COUNT_OF(commands); i++)
        if (strcmp(commands[i], command) == 0)
            return true;
    return false;
}
