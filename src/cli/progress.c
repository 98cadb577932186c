/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - long work: one line about it, and Ctrl-C, which ends it. */
#include "cli/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/text.h"
#include "plan3d/command.h"
#include "plan3d/error.h"
#include "plan3d/units.h"
#include "report/words/words.h"

/* A signal has no other way to hand anything on. */
static volatile sig_atomic_t asked;
static struct sigaction before; /* of cli_listen() */

/* A program may run several commands at once: the first to listen takes the
 * signal, which ends all of them, and the last to end gives it back. */
static pthread_mutex_t listeners = PTHREAD_MUTEX_INITIALIZER;
static int n_listeners;
static _Thread_local bool listens;

/* Of this thread: one command at a time. */
static _Thread_local p3d_lang shown_lang;
static _Thread_local const p3d_listener *heard_by;
static _Thread_local volatile sig_atomic_t refused; /* the listener did */

void cli_progress_speak(p3d_lang lang)
{
    shown_lang = lang;
}

void cli_progress_tell(const p3d_listener *listener)
{
    const bool hears = listener != NULL && listener->hear != NULL;

    heard_by = hears ? listener : NULL;
    refused = 0;
}

static void on_interrupt(int number)
{
    asked = 1;
    (void)sigaction(number, &before, NULL);
}

static void exit_now(int number)
{
    static const char line[] = "plan3d: interrupted\n";

    (void)number;
    (void)!write(STDERR_FILENO, line, sizeof(line) - 1);
    _exit(p3d_exit_status(P3D_INTERRUPTED));
}

/* The reads and writes that it interrupts are to end too: no SA_RESTART. */
static void handle(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
}

void cli_exit_on_interrupt(void)
{
    struct sigaction old;

    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        handle(exit_now);
}

void cli_ignore_interrupt(void)
{
    handle(SIG_IGN);
}

void cli_listen(void)
{
    struct sigaction old;

    p3d_stop_listen((p3d_stop){&asked, &refused});
    if (listens)
        return;
    listens = true;
    (void)pthread_mutex_lock(&listeners);
    if (n_listeners++ == 0 && sigaction(SIGINT, NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN) {
        before = old;
        handle(on_interrupt);
    }
    (void)pthread_mutex_unlock(&listeners);
}

void cli_listen_end(void)
{
    struct sigaction old;

    p3d_stop_listen((p3d_stop){NULL, NULL});
    if (!listens)
        return;
    listens = false;
    (void)pthread_mutex_lock(&listeners);
    if (--n_listeners == 0) {
        if (sigaction(SIGINT, NULL, &old) == 0 &&
                old.sa_handler == on_interrupt)
            (void)sigaction(SIGINT, &before, NULL);
        asked = 0;
    }
    (void)pthread_mutex_unlock(&listeners);
}

bool cli_goes_on(const char *missing, p3d_error *err)
{
    return !p3d_stopped() ||
           p3d_fail(err, P3D_INTERRUPTED, "interrupted %s", missing);
}

bool cli_begin_write(p3d_error *err)
{
    cli_listen();
    return cli_goes_on("before anything was written", err);
}

/* Nobody waits for a line before this time; then it may change so often. */
static const double quiet_s = 0.5;
static const double between_s = 0.1;

void cli_progress_begin(
        cli_progress *progress, const char *what, int64_t n_total)
{
    *progress = (cli_progress){.what = what,
            .n_total = n_total,
            .terminal = heard_by == NULL && isatty(STDERR_FILENO) == 1,
            .next_s = p3d_now_s() + quiet_s};
    cli_listen();
}

static const char *say(const char *words) REPORT_SAYS(1);

static const char *say(const char *words)
{
    return report_say((p3d_style){.lang = shown_lang}, words);
}

/* CSI K clears what a longer line left. */
static void print_line(cli_progress *progress, const char *line)
{
    progress->shown = true;
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

/* Who listens is told nothing more once he has refused. */
static void tell(double done_frac, const char *line)
{
    if (refused == 0 && !heard_by->hear(heard_by->context, line, done_frac))
        refused = 1;
}

static void say_line(cli_progress *progress, double done_frac, const char *fmt,
        ...) P3D_PRINTF(3, 4);

/* Say the line again, where that is due: to who listens, else on a terminal. */
static void say_line(
        cli_progress *progress, double done_frac, const char *fmt, ...)
{
    p3d_text line = {.length = 0};
    va_list args;

    if ((!progress->terminal && heard_by == NULL) ||
            p3d_now_s() < progress->next_s)
        return;
    progress->next_s = p3d_now_s() + between_s;
    va_start(args, fmt);
    p3d_text_vadd(&line, say(fmt), args);
    va_end(args);
    if (progress->terminal)
        print_line(progress, p3d_text_get(&line));
    else
        tell(done_frac, p3d_text_get(&line));
    p3d_text_free(&line);
}

/* Nobody knows how far it is. */
static const double unknown_frac = -1;

static double share_of(int64_t n_done, int64_t n_all)
{
    return n_all > 0 && n_done <= n_all ? (double)n_done / (double)n_all
                                        : unknown_frac;
}

void cli_progress_say(cli_progress *progress)
{
    progress->next_s = 0;
    say_line(progress, unknown_frac, "%s", say(progress->what));
}

bool cli_progress_next(cli_progress *progress, const char *part)
{
    say_line(progress, share_of(progress->n_done, progress->n_total),
            "%lld of %lld: %.60s", (long long)progress->n_done + 1,
            (long long)progress->n_total, part);
    progress->n_done++;
    return !p3d_stopped();
}

void cli_progress_share(void *context, double done_frac)
{
    cli_progress *progress = context;

    say_line(progress, done_frac, "%s: %.0f %%", say(progress->what),
            100 * done_frac);
}

void cli_progress_parts(void *context, int n_done, int n_all)
{
    cli_progress *progress = context;

    say_line(progress, share_of(n_done, n_all), "%s: %d of %d",
            say(progress->what), n_done + 1, n_all);
}

bool cli_progress_tick(void *context, double seconds, int64_t n_plans)
{
    cli_progress *progress = context;
    char plans[32];

    say_line(progress, unknown_frac, "%s: %s plans, %.1f s",
            say(progress->what),
            p3d_print_integer(plans, sizeof(plans), n_plans), seconds);
    return !p3d_stopped();
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
    progress->shown = false;
}
