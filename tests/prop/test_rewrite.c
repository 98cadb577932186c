/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rewrite.c - an exported launch, changed to another plan, is imported as
 * that plan, by every target; all lines that say nothing of it stay. */
#include "random_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/launch/export.h"
#include "exchange/read/import.h"
#include "exchange/rewrite/rewrite.h"

enum { N_PLANS = 120, N_JOBS = 6 };

/** One launch that was exported and read. */
typedef struct world {
    const exchange_target *target;
    const p3d_problem *problem;
    exchange_text files[EXCHANGE_MOST_FILES];
    int n_files;
    exchange_settings read, said;
    exchange_import import;
    exchange_launch from, to;
} world;

static bool settle(const world *w, const exchange_text *files,
        exchange_settings *settings, exchange_import *out, p3d_error *err)
{
    exchange_measured measured = {0};

    for (int i = 0; i < w->n_files; i++)
        if (!exchange_read_text(files[i], settings, &measured, err))
            return false;
    return exchange_import_settle(
            &(exchange_import_question){.target = w->target,
                    .model = w->target->settle_model == NULL
                                     ? &w->problem->model
                                     : NULL,
                    .cluster = &w->problem->cluster,
                    .job = &(p3d_job){0}},
            settings, out, err);
}

/* What is read from the changed files is the second launch. */
static bool check(void *context, const exchange_text *files, p3d_error *err)
{
    world *const w = context;
    exchange_settings settings = {0};
    exchange_import *const import = malloc(sizeof(*import));
    exchange_launch *const got = malloc(sizeof(*got));
    char words[2][P3D_PLAN_WORDS];
    bool ok;

    assert_non_null(import);
    assert_non_null(got);
    ok = settle(w, files, &settings, import, err);
    if (ok) {
        p3d_problem problem = *w->problem;

        problem.model = import->launch.model;
        problem.job = import->launch.job;
        *got = exchange_launch_of(w->target, &problem, &import->launch.plan);
        p3d_plan_print(&w->to.plan, words[0], sizeof(words[0]));
        p3d_plan_print(&got->plan, words[1], sizeof(words[1]));
        ok = strcmp(words[0], words[1]) == 0
                     ? exchange_says_same(w->target, &w->to, got) ||
                               p3d_fail(err, P3D_DATA, "another job")
                     : p3d_fail(err, P3D_DATA, "%s", words[1]);
        exchange_import_free(import);
    }
    exchange_settings_free(&settings);
    free(import);
    free(got);
    return ok;
}

static bool next_plan(
        random_source *r, const p3d_problem *problem, p3d_plan *out)
{
    for (int i = 0; i < 5000; i++) {
        *out = random_guess(r, problem);
        if (out->dp >= 1 && p3d_plan_legal(&problem->model, &problem->cluster,
                                    &problem->job, out, NULL))
            return true;
    }
    return false;
}

static bool can_say(const world *w, const p3d_problem *problem,
        const p3d_plan *plan, exchange_launch *out)
{
    p3d_refusal refusal;

    *out = exchange_launch_of(w->target, problem, plan);
    return exchange_target_can_say(w->target, out, &refusal);
}

/* Every line of the first text that has no option of a plan is in the other. */
static void keeps_comments(const char *before, const char *after)
{
    while (*before != '\0') {
        const size_t n = strcspn(before, "\n");
        char line[512];

        if (before[strspn(before, " ")] == '#' && n < sizeof(line)) {
            snprintf(line, sizeof(line), "%.*s", (int)n, before);
            if (strstr(after, line) == NULL)
                fail_msg("lost: %s", line);
        }
        before += n + (before[n] == '\n');
    }
}

static void fail_rewrite(const world *w, const p3d_error *err)
{
    char words[2][P3D_PLAN_WORDS];

    p3d_plan_print(&w->from.plan, words[0], sizeof(words[0]));
    p3d_plan_print(&w->to.plan, words[1], sizeof(words[1]));
    fail_msg("%s, %s: from %s to %s: %s", w->target->name,
            w->problem->model.name, words[0], words[1], err->text);
}

/* @return false where the target cannot say one of the plans */
static bool trip(world *w, random_source *r, const p3d_problem *problem)
{
    exchange_rewritten made = {.n_changed = 0};
    exchange_files files = {0};
    p3d_plan from, to;
    p3d_error err = {0};

    w->problem = problem;
    if (!next_plan(r, problem, &from) || !next_plan(r, problem, &to) ||
            !can_say(w, problem, &from, &w->from) ||
            !can_say(w, problem, &to, &w->to))
        return false;
    if (!exchange_export(
                (exchange_start){w->target, &w->from, EXCHANGE_SLURM, 0},
                "# a comment", &files, &err))
        fail_msg("%s", err.text);
    w->n_files = files.n;
    for (int i = 0; i < files.n; i++)
        w->files[i] = (exchange_text){files.at[i].name,
                p3d_text_get(&files.at[i].text), files.at[i].text.length};
    if (!settle(w, w->files, &w->said, &w->import, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < w->said.n; i++) /* the reader's, before any table */
        assert_true(exchange_settings_add(&w->read, w->said.at[i].name,
                w->said.at[i].value, w->said.at[i].line, &err));
    for (int i = 0; i < w->said.n; i++)
        w->read.at[i].file = w->said.at[i].file;
    if (!exchange_rewrite(&(exchange_rewrite_question){.target = w->target,
                                  .read = &w->read,
                                  .said = &w->said,
                                  .files = w->files,
                                  .n_files = w->n_files,
                                  .from = &w->from,
                                  .to = &w->to,
                                  .check = check,
                                  .context = w},
                &made, &err))
        fail_rewrite(w, &err);
    for (int i = 0; i < w->n_files; i++)
        keeps_comments(w->files[i].text, p3d_text_get(&made.texts[i]));
    exchange_rewritten_free(&made);
    exchange_import_free(&w->import);
    exchange_settings_free(&w->read);
    exchange_settings_free(&w->said);
    exchange_files_free(&files);
    return true;
}

static void what_is_changed_is_read_as_the_other_plan(void **state)
{
    world *const w = calloc(1, sizeof(*w));

    (void)state;
    assert_non_null(w);
    for (int t = 0; exchange_target_at(t) != NULL; t++) {
        p3d_framework framework =
                exchange_target_framework_now(exchange_target_at(t));
        random_source r = {.state = 29u + (unsigned)t};
        int n = 0;

        w->target = exchange_target_at(t);
        if (w->target->reads_as != NULL)
            continue; /* its files become those of another target */
        for (int round = 0; round < 60 * N_RANDOM_PROBLEMS && n < N_PLANS;
                round++) {
            p3d_problem problem = random_problem(
                    round % N_RANDOM_PROBLEMS, w->target->framework);

            problem.job.framework = &framework;
            for (int i = 0; i < N_JOBS && n < N_PLANS; i++)
                n += trip(w, &r, &problem);
        }
        if (n < N_PLANS)
            fail_msg("%s: only %d plans", w->target->name, n);
    }
    free(w);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_is_changed_is_read_as_the_other_plan),
    };

    return cmocka_run_group_tests_name("rewrite", tests, NULL, NULL);
}
