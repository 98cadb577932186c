/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_measure.c - runs plan3d-bench for a plan, or reads what it wrote. */
#include "cli/validate_measure.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/tasks.h"
#include "base/util.h"
#include "cli/file_list.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "exchange/measure/measurements.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
enum {
    NOT_STARTED = 127, /* exit status of what could not be, as of a shell */
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
    _exit(NOT_STARTED);
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

/* Run a program and wait for it. No shell is between. What it prints goes to
 * standard error; standard input is empty.
 *
 * SIGINT, SIGTERM and SIGHUP are passed on to it; one of a terminal reaches it
 * anyway. They are P3D_INTERRUPTED here, once it has ended or a fifth of a
 * second has gone by.
 *
 * @param words   its name (of PATH, where it has no /) and arguments, then NULL
 * @param status  its exit status, or 128 and the number of the signal that
 *                ended it
 * @return false with P3D_INTERRUPTED or P3D_SYSTEM */
static bool run_program(const char *const *words, int *status, p3d_error *err)
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

enum {
    PATH = 4096,
    MAX_WORDS = P3D_MAX_SHELL_WORDS + P3D_MAX_BENCH_WORDS + 8,
    NO_DEVICE = 5, /* exit status */
    MAX_FILES = 16
};

static const char PROGRAM[] = "plan3d-bench";

void cli_measured_free(cli_measured *measured)
{
    for (int i = 0; i < measured->n; i++)
        p3d_measurements_free(&measured->files[i]);
    free(measured->files);
    *measured = (cli_measured){.n = 0};
}

static bool reserve(cli_measured *out, int n, p3d_error *err)
{
    out->files = calloc((size_t)n, sizeof(*out->files));
    return out->files != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");
}

static bool open_file(const char *path, cli_measured *out, p3d_error *err)
{
    if (!p3d_measurements_open(path, &out->files[out->n], err))
        return false;
    out->n++;
    return true;
}

bool cli_measured_open(const char *list, cli_measured *out, p3d_error *err)
{
    cli_file_list files = {
            "--measurements", "gemm.json,nccl.json", MAX_FILES, list, 0};
    char path[PATH];

    if (!reserve(out, MAX_FILES, err))
        return false;
    while (files.at != NULL)
        if (!cli_next_file(&files, path, sizeof(path), err) ||
                !open_file(path, out, err))
            return false;
    return true;
}

/* "DIRECTORY/plan3d-bench", if it can be run. */
static bool is_in(const char *directory, size_t n, char *out)
{
    const int used = snprintf(out, PATH, "%.*s/%s", (int)n, directory, PROGRAM);

    return used > 0 && used < PATH && access(out, X_OK) == 0;
}

static bool is_beside(char *out)
{
    char self[PATH];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (n <= 0)
        return false;
    self[n] = '\0';
    return is_in(self, (size_t)(strrchr(self, '/') - self), out);
}

static bool is_on_path(char *out)
{
    const char *at = getenv("PATH");

    while (at != NULL && *at != '\0') {
        const size_t n = strcspn(at, ":");

        if (n > 0 && is_in(at, n, out))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

/* A launcher finds it on other nodes, or says that it does not. */
static bool find_program(bool launched, char *out)
{
    if (is_beside(out) || is_on_path(out))
        return true;
    p3d_copy(out, PATH, PROGRAM);
    return launched;
}

static bool make_directory(bool launched, char *out, p3d_error *err)
{
    const char *const tmp = getenv("TMPDIR");
    const char *const root = launched                        ? "."
                             : tmp != NULL && tmp[0] != '\0' ? tmp
                                                             : "/tmp";

    if (snprintf(out, PATH / 2, "%s/.plan3d-validate-XXXXXX", root) >= PATH / 2)
        return p3d_fail(err, P3D_SYSTEM, "TMPDIR is longer than a path");
    return mkdtemp(out) != NULL ||
           p3d_fail(err, P3D_SYSTEM, "no directory can be made in '%.200s': %s",
                   root, strerror(errno));
}

/* plan3d-bench may have left the part of a file. */
static void remove_directory(const char *directory)
{
    DIR *const d = opendir(directory);

    for (const struct dirent *e = d != NULL ? readdir(d) : NULL; e != NULL;
            e = readdir(d)) {
        char path[PATH];

        snprintf(path, sizeof(path), "%.2047s/%.255s", directory, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            (void)unlink(path);
    }
    if (d != NULL)
        closedir(d);
    (void)rmdir(directory);
}

static bool write_request(
        const p3d_request *request, const char *path, p3d_error *err)
{
    p3d_text text = {0};
    bool ok;

    exchange_request_write(request, &text);
    ok = cli_write_file(path, false, "shapes.json", &text, err);
    p3d_text_free(&text);
    return ok;
}

/* What the runs of one measurement share. */
typedef struct session {
    const p3d_shell_words *launcher; /* NULL = none */
    char program[PATH];
    char directory[PATH / 2];
    char request[PATH];
    cli_measured *out;
} session;

/** The words of a run, the launcher's first. @param output  its file */
static void list_words(const session *s, const p3d_bench *bench,
        const char *output, const char **words)
{
    int n = 0;

    for (int i = 0; s->launcher != NULL && i < s->launcher->n; i++)
        words[n++] = s->launcher->at[i];
    words[n++] = s->program;
    words[n++] = bench->command;
    if (bench->of_plan) {
        words[n++] = "--request";
        words[n++] = s->request;
    }
    for (int i = 0; i < bench->n_words; i++)
        words[n++] = bench->words[i];
    words[n++] = "-o";
    words[n++] = output;
    words[n] = NULL;
}

/* Why nothing is measured: a launcher that starts nothing is content. */
static void say_why_not(const session *s, const p3d_bench *bench, int status,
        char *out, size_t n)
{
    const bool launched = s->launcher != NULL;
    const char *const first = launched ? s->launcher->at[0] : PROGRAM;

    if (status == NOT_STARTED)
        snprintf(out, n, "'%.100s' cannot be started", first);
    else if (status == NO_DEVICE)
        snprintf(out, n, "plan3d-bench found no usable device");
    else if (status == 0)
        snprintf(out, n, "'%.100s' ended well, but no %s was written%s", first,
                bench->output,
                launched ? "; a launcher starts the words behind it" : "");
}

static void note_failure(session *s, const p3d_bench *bench, int status)
{
    cli_measured *const out = s->out;
    const size_t used = strlen(out->missing);
    char *const end = out->missing + used;
    const size_t n = sizeof(out->missing) - used;
    const char *const comma = used > 0 ? ", " : "";

    if (out->n == 0)
        say_why_not(s, bench, status, out->why_not, sizeof(out->why_not));
    if (status == 0)
        snprintf(end, n, "%s%s (no file)", comma, bench->command);
    else
        snprintf(
                end, n, "%s%s (exit status %d)", comma, bench->command, status);
}

static bool run_one(session *s, const p3d_bench *bench, p3d_error *err)
{
    const char *words[MAX_WORDS];
    char output[PATH];
    int status = 0;

    snprintf(output, sizeof(output), "%s/%s", s->directory, bench->output);
    list_words(s, bench, output, words);
    if (!run_program(words, &status, err))
        return false;
    if (status == 0 && access(output, F_OK) == 0)
        return open_file(output, s->out, err);
    note_failure(s, bench, status);
    return true;
}

/* Without a device the first run says so, and all others would. */
static bool run_all(session *s, const p3d_benches *benches, p3d_error *err)
{
    for (int i = 0;
            i < benches->n && s->out->why_not[0] == '\0' && !p3d_stopped(); i++)
        if (!run_one(s, &benches->at[i], err))
            return false;
    return s->out->n > 0 || s->out->why_not[0] != '\0' || p3d_stopped() ||
           p3d_fail(err, P3D_SYSTEM, "plan3d-bench measured nothing: %.300s",
                   s->out->missing);
}

bool cli_measure(const p3d_request *request, const p3d_benches *benches,
        const p3d_shell_words *launcher, cli_measured *out, p3d_error *err)
{
    session s = {.launcher = launcher, .out = out};
    bool ok;

    if (!find_program(launcher != NULL, s.program)) {
        p3d_copy(out->why_not, sizeof(out->why_not),
                "plan3d-bench is neither beside plan3d nor on the PATH");
        return true;
    }
    cli_listen(); /* what is made here is removed in any case */
    if (!reserve(out, benches->n, err) ||
            !make_directory(launcher != NULL, s.directory, err))
        return false;
    snprintf(s.request, sizeof(s.request), "%s/shapes.json", s.directory);
    ok = write_request(request, s.request, err) && run_all(&s, benches, err);
    remove_directory(s.directory);
    return ok;
}
