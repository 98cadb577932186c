/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupt.c - Ctrl-C: the first asks a command to end with what it has, the
 * second is the caller's. */
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "base/stop.h"

/* A signal has no other way to hand anything on. */
static volatile sig_atomic_t asked;
static struct sigaction before; /* of cli_listen() */

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

    p3d_stop_listen(&asked);
    if (sigaction(SIGINT, NULL, &old) != 0 || old.sa_handler == SIG_IGN ||
            old.sa_handler == on_interrupt || asked != 0)
        return;
    before = old;
    handle(on_interrupt);
}

void cli_listen_end(void)
{
    struct sigaction old;

    p3d_stop_listen(NULL);
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == on_interrupt)
        (void)sigaction(SIGINT, &before, NULL);
    asked = 0;
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
