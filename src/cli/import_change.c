/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_change.c - a plan written into the files of another one, read again
 * before it counts. */
#include "cli/import_change.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/util.h"
#include "cli/output.h"
#include "cli/progress.h"

enum { CONTEXT = 1 /* lines around a change */ };

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool is_directory(const char *path)
{
    const size_t n = strlen(path);

    return n > 0 && path[n - 1] == '/';
}

static bool check_path(const cli_args *args, p3d_error *err)
{
    struct stat status;

    if (is_stdout(args->out))
        return !args->json ||
               p3d_fail(err, P3D_USAGE,
                       "--write - prints the file alone; leave --json out, or "
                       "name a file");
    if (is_directory(args->out))
        return true; /* its files are checked where they are written */
    if (lstat(args->out, &status) == 0 && !args->overwrite)
        return p3d_fail(err, P3D_DATA,
                "%.300s is there; write --overwrite to replace it", args->out);
    return cli_may_write_file(args->out, true, "train.new.sh", err);
}

bool cli_change_check(const cli_args *args, p3d_error *err)
{
    if (args->out != NULL)
        return check_path(args, err);
    return !args->overwrite ||
           p3d_fail(err, P3D_USAGE, "--overwrite is for the file of --write");
}

/** A launch that is to be read again. */
typedef struct wanted {
    const cli_change_question *q;
    const exchange_target *target;
    exchange_launch *from;
    exchange_launch *to;
    exchange_launch *got; /* scratch */
    cli_launch *again;    /* likewise */
} wanted;

/* The texts are imported as the command line says, and are what is wanted. */
static bool check(void *context, const exchange_text *files, p3d_error *err)
{
    const wanted *const w = context;
    const exchange_import *const import = &w->again->import;
    p3d_problem problem = *w->q->problem;
    char words[P3D_PLAN_WORDS], got[P3D_PLAN_WORDS];
    bool ok;

    memset(w->again, 0, sizeof(*w->again));
    w->again->settings.environment = w->q->launch->settings.environment;
    ok = cli_launch_read(
            w->q->args, files, w->q->launch->n_files, w->again, err);
    if (ok) {
        problem.model = import->launch.model;
        problem.job = import->launch.job;
        *w->got = exchange_launch_of(w->target, &problem, &import->launch.plan);
        p3d_plan_print(&w->to->plan, words, sizeof(words));
        p3d_plan_print(&import->launch.plan, got, sizeof(got));
        ok = import->target == w->target && strcmp(words, got) == 0
                     ? exchange_says_same(w->target, w->to, w->got) ||
                               p3d_fail(err, P3D_DATA,
                                       "with it the files say another job")
                     : p3d_fail(err, P3D_DATA, "with it the files say %.200s",
                               got);
    }
    cli_launch_free(w->again);
    return ok;
}

/* Only what a log or a page says of a run that was. */
static bool is_log(const cli_launch *launch)
{
    return launch->n_files == 1 &&
           exchange_syntax_of(launch->files[0].path, launch->files[0].text) ==
                   EXCHANGE_IN_LOG;
}

/* What was kept of a change that is not the one. */
static void forget(cli_change *change)
{
    for (int i = 0; i < change->n_files; i++)
        p3d_text_free(&change->texts[i]);
    p3d_text_free(&change->diff);
    p3d_text_free(&change->files);
    change->n_files = 0;
    change->said.file = NULL;
}

/* One file that is changed, of several perhaps. */
static void keep_file(
        const exchange_text *file, p3d_text *text, cli_change *out)
{
    const char *const name = p3d_file_name(file->path);

    p3d_text_append(
            &out->texts[out->n_files], p3d_text_get(text), text->length);
    exchange_diff(name, file->text, p3d_text_get(text), CONTEXT, &out->diff);
    p3d_text_add(&out->files, "%s%s", out->n_files > 0 ? ", " : "", name);
    out->names[out->n_files++] = p3d_last_part(file->path);
}

static bool fail_keep(const cli_change *out, p3d_error *err)
{
    for (int i = 0; i < out->n_files; i++) {
        if (out->texts[i].failed)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
        for (int k = 0; k < i; k++)
            if (strcmp(out->names[i], out->names[k]) == 0)
                return p3d_fail(err, P3D_DATA,
                        "it is a change of two files named %.100s; rename one",
                        out->names[i]);
    }
    if (out->n_files == 0)
        return p3d_fail(
                err, P3D_DATA, "no option of the files changes with it");
    return !(out->files.failed || out->diff.failed) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

static bool keep(const wanted *w, exchange_rewritten *made, cli_change *out,
        p3d_error *err)
{
    const exchange_text *const files = w->q->launch->files;

    forget(out);
    for (int i = 0; i < w->q->launch->n_files; i++)
        if (strcmp(p3d_text_get(&made->texts[i]), files[i].text) != 0)
            keep_file(&files[i], &made->texts[i], out);
    if (!fail_keep(out, err))
        return false;
    out->said.file = p3d_text_get(&out->files);
    out->said.n_files = out->n_files;
    return true;
}

static bool rewrite(wanted *w, const p3d_problem *problem, const p3d_plan *plan,
        cli_change *out, p3d_error *err)
{
    const cli_launch *const launch = w->q->launch;
    exchange_rewritten made = {.n_changed = 0};
    bool ok;

    *w->from =
            exchange_launch_of(w->target, w->q->problem, &w->q->estimate->plan);
    *w->to = exchange_launch_of(w->target, problem, plan);
    ok = exchange_rewrite(&(exchange_rewrite_question){.target = w->target,
                                  .front = launch->front,
                                  .read = &launch->read,
                                  .said = &launch->settings,
                                  .files = launch->files,
                                  .n_files = launch->n_files,
                                  .from = w->from,
                                  .to = w->to,
                                  .check = check,
                                  .context = w},
                 &made, err) &&
         keep(w, &made, out, err);
    exchange_rewritten_free(&made);
    return ok;
}

/* The n-th single change, from 1; 0 = the recommended plan. */
static bool try_change(wanted *w, int n, cli_change *out, p3d_error *err)
{
    const cli_change_question *const q = w->q;
    p3d_problem *const problem = malloc(sizeof(*problem));
    const p3d_plan *plan =
            n == 0 ? &q->best->plan : &q->single[n - 1].estimate.plan;
    bool ok;

    if (problem == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    *problem = *q->problem;
    if (n > 0)
        p3d_single_change_apply(&q->single[n - 1], problem);
    ok = is_log(q->launch) ? p3d_fail(err, P3D_DATA,
                                     "a log says what ran; give the file that "
                                     "started it, too")
                           : rewrite(w, problem, plan, out, err);
    out->said.number = n;
    free(problem);
    return ok;
}

/* What the files can say, where they cannot say the recommended plan: that
 * is no failure. */
static bool try_nearest(wanted *w, cli_change *out, p3d_error *err)
{
    for (int i = 1; i <= w->q->n_single; i++) {
        p3d_error cause = {0};

        if (try_change(w, i, out, &cause))
            return true;
        if (cause.code != P3D_DATA) {
            *err = cause;
            return false;
        }
    }
    return true;
}

static bool is_best(const cli_change_question *q)
{
    char a[P3D_PLAN_WORDS], b[P3D_PLAN_WORDS];

    return q->best != NULL &&
           strcmp(p3d_plan_print(&q->estimate->plan, a, sizeof(a)),
                   p3d_plan_print(&q->best->plan, b, sizeof(b))) == 0;
}

static bool check_number(const cli_change_question *q, p3d_error *err)
{
    const int n = (int)q->args->n_change;

    if (n == 0 && q->args->out == NULL)
        return true;
    if (n > q->n_single)
        return p3d_fail(err, P3D_DATA,
                q->n_single == 0 ? "--change %d: no single change gains "
                                   "anything%.0d"
                                 : "--change %d: there are %d single changes",
                n, q->n_single);
    if (n == 0 && is_best(q))
        return p3d_fail(err, P3D_DATA,
                "nothing to write: the plan of the files is the recommended "
                "one");
    return n > 0 || q->best != NULL ||
           p3d_fail(err, P3D_DATA, "nothing to write: no plan fits");
}

/* A refusal of what was asked for in one line. */
static bool fail_asked(
        wanted *w, cli_change *out, const p3d_error *why, p3d_error *err)
{
    const cli_args *const args = w->q->args;
    p3d_error ignored = {0};

    if (why->code != P3D_DATA) {
        *err = *why;
        return false;
    }
    if (args->n_change == 0 && try_nearest(w, out, &ignored) &&
            out->said.file != NULL)
        return p3d_fail(err, P3D_DATA,
                "the recommended plan cannot be written into the files: %s; "
                "--change %d can",
                why->text, out->said.number);
    return p3d_fail(err, P3D_DATA, "%s cannot be written into the files: %s",
            args->n_change > 0 ? "the change" : "the recommended plan",
            why->text);
}

/* As executable as the file that it comes from. */
static bool is_executable(const cli_change_question *q, const char *name)
{
    struct stat status;

    for (int i = 0; i < q->launch->n_files; i++) {
        const char *const path = q->launch->files[i].path;

        if (strcmp(p3d_last_part(path), name) == 0)
            return stat(path, &status) == 0 && (status.st_mode & S_IXUSR) != 0;
    }
    return false;
}

/* Nothing is replaced that nobody asked for. */
static bool check_free(
        const char *directory, const cli_change *out, p3d_error *err)
{
    p3d_text path = {0};
    struct stat status;
    bool ok = true;

    for (int i = 0; i < out->n_files && ok; i++) {
        p3d_text_cut(&path, 0);
        p3d_text_add(&path, "%s/%s", directory, out->names[i]);
        ok = lstat(p3d_text_get(&path), &status) != 0 ||
             p3d_fail(err, P3D_DATA,
                     "%.300s is there; write --overwrite to replace it",
                     p3d_text_get(&path));
    }
    p3d_text_free(&path);
    return ok;
}

static bool put_files(
        const cli_change_question *q, const cli_change *out, p3d_error *err)
{
    const char *const path = q->args->out;
    const char *const slash = strrchr(path, '/');
    const bool is_inside = is_directory(path);
    p3d_output_file files[EXCHANGE_MOST_FILES];
    p3d_text directory = {0};
    bool ok;

    for (int i = 0; i < out->n_files; i++)
        files[i] = (p3d_output_file){.name = is_inside       ? out->names[i]
                                             : slash != NULL ? slash + 1
                                                             : path,
                .text = &out->texts[i],
                .executable = is_executable(q, out->names[i])};
    p3d_text_add(&directory, "%.*s",
            slash != NULL ? (int)(slash - path) + (slash == path) : 1,
            slash != NULL ? path : ".");
    ok = !directory.failed &&
         (!is_inside || q->args->overwrite ||
                 check_free(directory.data, out, err)) &&
         p3d_write_files(
                 directory.data, files, out->n_files, q->args->overwrite, err);
    p3d_text_free(&directory);
    return ok;
}

static bool write_file(
        const cli_change_question *q, cli_change *out, p3d_error *err)
{
    const cli_args *const args = q->args;

    if (args->out == NULL)
        return true;
    if (out->n_files > 1 && !is_directory(args->out))
        return p3d_fail(err, P3D_DATA,
                "it is a change of several files, %.200s: write --write DIR/",
                p3d_text_get(&out->files));
    if (is_stdout(args->out))
        return true;
    out->said.written = args->out;
    return cli_begin_write(err) && put_files(q, out, err);
}

static bool make(wanted *w, cli_change *out, p3d_error *err)
{
    const cli_change_question *const q = w->q;
    const int n = (int)q->args->n_change;
    p3d_error why = {0};

    if (!check_number(q, err))
        return false;
    if (n == 0 && (q->best == NULL || is_best(q))) {
        out->said.number = -1;
        return q->best != NULL || try_nearest(w, out, err);
    }
    if (try_change(w, n, out, &why))
        return write_file(q, out, err);
    if (q->args->out != NULL || n > 0 || why.code != P3D_DATA)
        return fail_asked(w, out, &why, err);
    p3d_text_add(&out->refused, "%s", why.text);
    out->said.refused = p3d_text_get(&out->refused);
    return try_nearest(w, out, err);
}

/* The command line again, for the commands that follow. */
static void say_command(const cli_args *args, p3d_text *out)
{
    p3d_text_add(out, "plan3d import");
    for (int i = 0; i < args->n_words; i++) {
        p3d_text_add(out, " ");
        report_shell_word(args->words[i], out);
    }
    for (int i = 0; i < args->n_given; i++) {
        const char *const name = args->given[i].option->field.key;
        const char *const value = args->given[i].value;
        static const char *const not [] = {"json", "format", "long", "write",
                "change", "overwrite", "color", "lang"};
        bool skip = false;

        for (size_t k = 0; k < sizeof(not ) / sizeof(not [0]); k++)
            skip = skip || strcmp(name, not [k]) == 0;
        if (skip)
            continue;
        p3d_text_add(out, " --%s", name);
        if (value != NULL) {
            p3d_text_add(out, " ");
            report_shell_word(value, out);
        }
    }
}

bool cli_change_make(
        const cli_change_question *question, cli_change *out, p3d_error *err)
{
    wanted w = {.q = question,
            .target = question->launch->import.target,
            .from = malloc(sizeof(*w.from)),
            .to = malloc(sizeof(*w.to)),
            .got = malloc(sizeof(*w.got)),
            .again = malloc(sizeof(*w.again))};
    bool ok;

    say_command(question->args, &out->command);
    ok = (w.from != NULL && w.to != NULL && w.got != NULL && w.again != NULL) ||
         p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = ok && make(&w, out, err);
    out->said.diff = out->said.file != NULL ? p3d_text_get(&out->diff) : NULL;
    free(w.from);
    free(w.to);
    free(w.got);
    free(w.again);
    return ok;
}

void cli_change_free(cli_change *change)
{
    forget(change);
    p3d_text_free(&change->refused);
    p3d_text_free(&change->command);
}
