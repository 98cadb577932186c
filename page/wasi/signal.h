/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signal.h - for a machine without signals: what the sources name of POSIX.
 * Nothing ever sends one, and what asks for one is told that it has it. */
#ifndef PLAN3D_PAGE_SIGNAL_H
#define PLAN3D_PAGE_SIGNAL_H

#include <sys/types.h>

typedef int sig_atomic_t;
typedef unsigned char sigset_t; /* as <pthread.h> has it */
typedef struct siginfo_t {
    int si_code;
} siginfo_t;

struct sigaction {
    void (*sa_handler)(int number);
    void (*sa_sigaction)(int number, siginfo_t *info, void *context);
    sigset_t sa_mask;
    int sa_flags;
};

#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
enum { SIGHUP = 1, SIGINT = 2, SIGTERM = 15 };
enum { SIG_BLOCK, SIG_SETMASK };
enum { SI_USER, SI_QUEUE, SI_OTHER };
enum { SA_SIGINFO = 1 };

int sigaction(
        int number, const struct sigaction *action, struct sigaction *old);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int kill(pid_t process, int number);

#endif
