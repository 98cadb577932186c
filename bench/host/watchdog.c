/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watchdog.c - an alarm that ends the process. */
#include "bench/host/watchdog.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

enum { STATUS = 5 }; /* of P3D_DEVICE; an enumerator is safe in a handler */

/* Only what may be called from a signal handler. */
static void give_up(int signal)
{
    static const char line[] = "plan3d-bench: NCCL: other ranks do not answer "
                               "within --timeout\n";

    (void)signal;
    (void)!write(STDERR_FILENO, line, sizeof(line) - 1);
    _exit(STATUS);
}

void bench_watchdog(double timeout_s)
{
    struct sigaction action = {.sa_handler = give_up};

    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(timeout_s > 0 ? (unsigned)ceil(timeout_s) : 0);
}
