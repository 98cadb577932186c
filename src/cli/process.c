/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - another program, run to its end. */
#include "cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/util.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
enum {
    N_PASSED_ON = P3D_COUNT_OF(passed_on),
    SIGNAL_BASE = 128,
    LOOK_MS = 10, /* between two looks at the child */
    PATIENCE_MS = 200
};

/* A signal has no other way to hand anything on, or to find the child. */
static volatile sig_atomic_t child;
static volatile sig_atomic_t caught;

/* The terminal sends its signals to the child too. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const bool by_process =
            info->si_code == SI_USER || info->si_code == SI_QUEUE;

    (void)context;
    caught = number;
    if (by_process && child > 0)
        (void)kill((pid_t)child, number);
}

/* What is ignored, as nohup has it, stays so. */
static void catch_signals(struct sigaction *old)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};

    sigemptyset(&action.sa_mask);
    caught = 0;
    for (int i = 0; i < N_PASSED_ON; i++) {
        if (sigaction(passed_on[i], NULL, &old[i]) == 0 &&
                old[i].sa_handler != SIG_IGN)
            (void)sigaction(passed_on[i], &action, NULL);
    }
}

static void release_signals(const struct sigaction *old)
{
    child = 0;
    for (int i = 0; i < N_PASSED_ON; i++)
        (void)sigaction(passed_on[i], &old[i], NULL);
}

/* In the child: signals as they were, no input, all output to stderr. */
static void become(const char *const *words, const struct sigaction *old,
        const sigset_t *mask)
{
    const int empty = open("/dev/null", O_RDONLY);
    char *const *argv;

    /* execvp() leaves the strings as they are, though its type does not say
     * so. */
    memcpy(&argv, &words, sizeof(argv));
    for (int i = 0; i < N_PASSED_ON; i++)
        (void)sigaction(passed_on[i], &old[i], NULL);
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    (void)dup2(empty, STDIN_FILENO);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    (void)execvp(argv[0], argv);
    _exit(CLI_NOT_STARTED);
}

/* A child that was told to end has a moment for it. Then it is told once more,
 * as launchers understand it, and left to itself. */
static int wait_for(pid_t pid)
{
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    int patience_ms = PATIENCE_MS;
    int status = 0;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (caught != 0 && (patience_ms -= LOOK_MS) <= 0) {
            (void)kill(pid, SIGTERM);
            return SIGNAL_BASE + caught;
        }
        (void)nanosleep(&look, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status)
                             : SIGNAL_BASE + WTERMSIG(status);
}

bool cli_process_run(const char *const *words, int *status, p3d_error *err)
{
    struct sigaction old[N_PASSED_ON];
    sigset_t all;
    sigset_t mask;
    pid_t pid;

    /* A signal between fork() and the next line would not find the child. */
    sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &mask);
    catch_signals(old);
    pid = fork();
    if (pid == 0)
        become(words, old, &mask);
    child = pid > 0 ? (sig_atomic_t)pid : 0;
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    if (pid > 0)
        *status = wait_for(pid);
    release_signals(old);
    if (pid < 0)
        return p3d_fail(err, P3D_SYSTEM, "cannot start '%.100s': %s", words[0],
                strerror(errno));
    return caught == 0 || p3d_fail(err, P3D_INTERRUPTED,
                                  "interrupted while '%.100s' ran", words[0]);
}
