/* SPDX-License-Identifier: GPL-3.0-or-later */
/* posix.c - a machine with files, but with no signals, terminals or programs
 * beside this one: what needs them fails as on a system that is short of them. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(int number)
{
    errno = number;
    return -1;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    (void)number;
    (void)action;
    if (old != NULL)
        *old = (struct sigaction){.sa_handler = SIG_DFL};
    return 0;
}

int sigemptyset(sigset_t *set)
{
    *set = 0;
    return 0;
}

int sigfillset(sigset_t *set)
{
    return sigemptyset(set);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    (void)how;
    (void)set;
    return old != NULL ? sigemptyset(old) : 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return sigprocmask(how, set, old);
}

int kill(pid_t process, int number)
{
    (void)process;
    (void)number;
    return fail(ESRCH);
}

pid_t waitpid(pid_t process, int *status, int options)
{
    (void)process;
    (void)status;
    (void)options;
    return fail(ECHILD);
}

pid_t fork(void)
{
    return fail(ENOSYS);
}

int dup2(int from, int to)
{
    (void)from;
    (void)to;
    return fail(ENOSYS);
}

int execvp(const char *file, char *const *argv)
{
    (void)file;
    (void)argv;
    return fail(ENOSYS);
}

int ioctl(int fd, int request, struct winsize *size)
{
    (void)fd;
    (void)request;
    (void)size;
    return fail(ENOTTY);
}

/* Nobody else makes files here, so that counting finds a name. */
static void fill_in(char *path)
{
    static unsigned n;
    char *const end = path + strlen(path);

    n++;
    for (int i = 1; i <= 6; i++)
        end[-i] = (char)('a' + (n >> (4 * (i - 1))) % 16);
}

int mkstemp(char *path)
{
    fill_in(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
}

char *mkdtemp(char *path)
{
    fill_in(path);
    return mkdir(path, 0700) == 0 ? path : NULL;
}
