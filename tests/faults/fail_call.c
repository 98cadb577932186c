/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fail_call.c - a system that refuses: preloaded into a program, what FAIL_CALL
 * names fails. Below the directory FAIL_UNDER: "readonly" (whatever makes a
 * name or changes it), "write", "sync", "close", "link" (there are no hard
 * links), "exists" (a name has just appeared), "rename", "read" (no
 * permission), "opendir", "readdir", "stat" (nothing is there); anywhere:
 * "fork", "interrupt" (Ctrl-C as soon as it is caught) and "interrupt-later"
 * (the fourth time that the clock is read then). */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* The C library's own function, for one of the same type. */
#define FIND(name)                                   \
    __typeof__(&(name)) real;                        \
    do {                                             \
        void *const found = dlsym(RTLD_NEXT, #name); \
        memcpy(&real, &found, sizeof(real));         \
    } while (0)

static bool is_asked(const char *fault)
{
    const char *const asked = getenv("FAIL_CALL");

    return asked != NULL && strcmp(asked, fault) == 0;
}

static bool is_under(const char *path)
{
    const char *const directory = getenv("FAIL_UNDER");

    return directory != NULL &&
           strncmp(path, directory, strlen(directory)) == 0;
}

static bool fails(const char *fault, const char *path, int number)
{
    if (!is_asked(fault) || !is_under(path))
        return false;
    errno = number;
    return true;
}

static bool fails_at(const char *fault, int fd, int number)
{
    char link[64];
    char path[4096];
    ssize_t n;

    if (!is_asked(fault))
        return false;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof(path) - 1);
    path[n > 0 ? n : 0] = '\0';
    return fails(fault, path, number);
}

int open(const char *path, int flags, ...)
{
    FIND(open);
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    if ((flags & O_ACCMODE) != O_RDONLY ? fails("readonly", path, EROFS)
                                        : fails("read", path, EACCES))
        return -1;
    return real(path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    FIND(mkdir);
    struct stat found;

    /* As the kernel does: a name that is there is not made, here or there. */
    if (stat(path, &found) != 0 && fails("readonly", path, EROFS))
        return -1;
    return real(path, mode);
}

char *mkdtemp(char *path)
{
    FIND(mkdtemp);

    return fails("readonly", path, EROFS) ? NULL : real(path);
}

int access(const char *path, int mode)
{
    FIND(access);

    return (mode & W_OK) != 0 && fails("readonly", path, EROFS)
                   ? -1
                   : real(path, mode);
}

int link(const char *from, const char *to)
{
    FIND(link);

    return fails("link", to, EPERM) || fails("exists", to, EEXIST)
                   ? -1
                   : real(from, to);
}

int rename(const char *from, const char *to)
{
    FIND(rename);

    return fails("rename", to, EIO) ? -1 : real(from, to);
}

ssize_t write(int fd, const void *data, size_t n)
{
    FIND(write);

    return fails_at("write", fd, ENOSPC) ? -1 : real(fd, data, n);
}

int fsync(int fd)
{
    FIND(fsync);

    return fails_at("sync", fd, EIO) ? -1 : real(fd);
}

int close(int fd)
{
    FIND(close);
    const bool fail = fails_at("close", fd, ENOSPC);
    const int status = real(fd);

    if (!fail)
        return status;
    errno = ENOSPC;
    return -1;
}

DIR *opendir(const char *path)
{
    FIND(opendir);

    return fails("opendir", path, EACCES) ? NULL : real(path);
}

struct dirent *readdir(DIR *directory)
{
    FIND(readdir);

    return fails_at("readdir", dirfd(directory), EIO) ? NULL : real(directory);
}

int stat(const char *path, struct stat *out)
{
    FIND(stat);

    return fails("stat", path, ENOENT) ? -1 : real(path, out);
}

static bool is_interrupted;
static int n_to_interrupt = -1;

int clock_gettime(clockid_t clock, struct timespec *out)
{
    FIND(clock_gettime);

    if (n_to_interrupt > 0 && --n_to_interrupt == 0)
        raise(SIGINT);
    return real(clock, out);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    FIND(sigaction);
    struct sigaction before;
    const int known = real(number, NULL, &before);
    const int status = real(number, action, old);

    /* The program's own handler comes before that of its work, which puts it
     * back. */
    if (number != SIGINT || action == NULL || known != 0 || is_interrupted ||
            before.sa_handler == SIG_DFL)
        return status;
    is_interrupted = true;
    if (is_asked("interrupt"))
        raise(SIGINT);
    if (is_asked("interrupt-later"))
        n_to_interrupt = 4;
    return status;
}

pid_t fork(void)
{
    FIND(fork);

    if (!is_asked("fork"))
        return real();
    errno = EAGAIN;
    return -1;
}
