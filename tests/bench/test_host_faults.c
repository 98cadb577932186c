/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_host_faults.c - a system that refuses, as plan3d-bench meets it: the
 * calls below stand before those of the C library. */
#define _GNU_SOURCE    /* RTLD_NEXT */
#undef _FORTIFY_SOURCE /* its recv() is inline: no place for another */
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/host/host_memory.h"
#include "bench/host/net.h"
#include "bench/host/record.h"
#include "tests/bench/ports.h"

typedef enum call {
    NO_CALL,
    OPEN,
    WRITE,
    LINK,
    RENAME,
    SOCKET,
    SOCKETPAIR,
    BIND,
    ACCEPT,
    SEND,
    RECV,
    FORK,
    THREAD
} call;

/* The call that fails after so many, and how; what links instead fails too. */
static call failing;
static int n_good;
static int number;

static void set_fault(call which, int n_before, int error)
{
    failing = which;
    n_good = n_before;
    number = error;
}

static bool fails(call which)
{
    if (failing != which || n_good-- > 0)
        return false;
    errno = number;
    return true;
}

/* The C library's own function, for one of the same type. */
#define FIND(name)                                   \
    __typeof__(&(name)) real;                        \
    do {                                             \
        void *const found = dlsym(RTLD_NEXT, #name); \
        memcpy(&real, &found, sizeof(real));         \
    } while (0)

int open(const char *path, int flags, ...)
{
    FIND(open);
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return (flags & O_CREAT) != 0 && fails(OPEN) ? -1 : real(path, flags, mode);
}

ssize_t write(int fd, const void *data, size_t n)
{
    FIND(write);

    return fails(WRITE) ? -1 : real(fd, data, n);
}

/* A disk without hard links where another call is to fail: then that one is
 * made in its place. */
int link(const char *from, const char *to)
{
    FIND(link);

    if (fails(LINK))
        return -1;
    if (failing == OPEN || failing == RENAME) {
        errno = EPERM;
        return -1;
    }
    return real(from, to);
}

int rename(const char *from, const char *to)
{
    FIND(rename);

    return fails(RENAME) ? -1 : real(from, to);
}

int socket(int domain, int type, int protocol)
{
    FIND(socket);

    return fails(SOCKET) ? -1 : real(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    FIND(socketpair);

    return fails(SOCKETPAIR) ? -1 : real(domain, type, protocol, ends);
}

int bind(int fd, __CONST_SOCKADDR_ARG at, socklen_t n)
{
    FIND(bind);

    return fails(BIND) ? -1 : real(fd, at, n);
}

/* For a while only: what is left then is waited for. */
int accept(int fd, __SOCKADDR_ARG at, socklen_t *restrict n)
{
    FIND(accept);

    if (failing == ACCEPT) {
        errno = number;
        if (n_good-- > 0)
            return -1;
    }
    return real(fd, at, n);
}

ssize_t send(int fd, const void *data, size_t n, int flags)
{
    FIND(send);

    return fails(SEND) ? -1 : real(fd, data, n, flags);
}

ssize_t recv(int fd, void *data, size_t n, int flags)
{
    FIND(recv);

    return fails(RECV) ? 0 : real(fd, data, n, flags);
}

pid_t fork(void)
{
    FIND(fork);

    return fails(FORK) ? -1 : real();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
        void *(*run)(void *), void *data)
{
    FIND(pthread_create);

    return fails(THREAD) ? EAGAIN : real(thread, attributes, run, data);
}

static int forget(void **state)
{
    (void)state;
    set_fault(NO_CALL, 0, 0);
    return 0;
}

static void disks_that_refuse_are_said(void **state)
{
    static const struct {
        call call;
        int n_before;
        int number;
        bool force;
        p3d_code code;
        const char *words;
    } cases[] = {
            {OPEN, 0, EROFS, false, P3D_SYSTEM, "Read-only file system"},
            {OPEN, 0, EACCES, false, P3D_SYSTEM, "Permission denied"},
            {OPEN, 0, ENOENT, false, P3D_DATA, "No such file or directory"},
            {WRITE, 0, ENOSPC, false, P3D_SYSTEM, "No space left on device"},
            {LINK, 0, EIO, false, P3D_SYSTEM, "Input/output error"},
            {RENAME, 0, EIO, true, P3D_SYSTEM, "Input/output error"},
            {RENAME, 0, EIO, false, P3D_SYSTEM, "Input/output error"},
            {OPEN, 1, ENOSPC, false, P3D_SYSTEM, "No space left on device"},
            {OPEN, 1, EEXIST, false, P3D_DATA, "is there; write --force"},
    };
    char folder[] = "/tmp/plan3d-faults-XXXXXX";
    char path[64];
    p3d_text text = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/a.json", folder);
    p3d_text_add(&text, "text");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        p3d_error err = {0};
        bool ok;

        set_fault(cases[i].call, cases[i].n_before, cases[i].number);
        ok = bench_output_write(path, cases[i].force, &text, &err);
        forget(NULL);
        assert_false(ok);
        test_check_error(&err, cases[i].code, cases[i].words);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing is left there */
    p3d_text_free(&text);
}

static void what_was_not_made_is_not_written(void **state)
{
    p3d_text text = {.failed = true};
    char folder[] = "/tmp/plan3d-faults-XXXXXX";
    char never[64];
    const bench_args args = {.output = never};
    bench_record record = {.failed = true};
    char path[8192];
    p3d_error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(never, sizeof(never), "%s/never.json", folder);
    assert_false(bench_output_write(never, false, &text, &err));
    test_check_error(&err, P3D_SYSTEM, "out of memory");
    err = (p3d_error){0};
    assert_false(bench_record_write(&record, &args, &err));
    test_check_error(&err, P3D_SYSTEM, "out of memory");
    assert_int_equal(rmdir(folder), 0); /* nothing was written */
    text = (p3d_text){0};
    p3d_text_add(&text, "text");
    set_fault(WRITE, 0, ENOSPC);
    err = (p3d_error){0};
    assert_false(bench_output_write(NULL, false, &text, &err));
    forget(NULL);
    test_check_error(&err, P3D_SYSTEM,
            "the standard output cannot be written: No space left");
    memset(path, 'p', sizeof(path));
    path[sizeof(path) - 1] = '\0';
    err = (p3d_error){0};
    assert_false(bench_output_write(path, false, &text, &err));
    test_check_error(&err, P3D_DATA, "the path is longer than 4096 bytes");
    p3d_text_free(&text);
}

static void threads_that_do_not_start_are_counted(void **state)
{
    const p3d_host_row asked = {
            .kernel = P3D_HOST_READ, .n_threads = 3, .bytes = 1 << 21};
    p3d_host_row row = asked;
    p3d_error err = {0};

    (void)state;
    set_fault(THREAD, 0, 0);
    assert_false(bench_host_measure(&row, 2, &err));
    test_check_error(&err, P3D_SYSTEM,
            "only 0 of 3 threads could be started; write --threads 1");
    row = asked;
    set_fault(THREAD, 2, 0);
    err = (p3d_error){0};
    assert_false(bench_host_measure(&row, 2, &err));
    test_check_error(&err, P3D_SYSTEM,
            "only 2 of 3 threads could be started; write --threads 2");
}

static void processes_and_ports_that_are_not_had_are_said(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};

    (void)state;
    set_fault(SOCKETPAIR, 0, EMFILE);
    assert_false(bench_launch_fork(2, &launch, &err));
    test_check_error(&err, P3D_SYSTEM, "cannot start a process: Too many");
    set_fault(FORK, 0, EAGAIN);
    err = (p3d_error){0};
    assert_false(bench_launch_fork(2, &launch, &err));
    test_check_error(&err, P3D_SYSTEM, "cannot start a process: Resource");
    set_fault(SOCKET, 0, EMFILE);
    launch = (bench_launch){.n_ranks = 2, .port = 1};
    err = (p3d_error){0};
    assert_false(bench_net_open(&launch, 5, &net, &err));
    test_check_error(&err, P3D_SYSTEM,
            "cannot listen on ports 1 to 16: Too many open files; set "
            "MASTER_PORT to");
    set_fault(BIND, 0, EADDRINUSE);
    launch = (bench_launch){.n_ranks = 2, .port = 29510};
    err = (p3d_error){0};
    assert_false(bench_net_open(&launch, 5, &net, &err));
    test_check_error(&err, P3D_SYSTEM,
            "cannot listen on ports 29510 to 29525: Address already in use; "
            "set MASTER_PORT to a free one");
}

/* This process as a rank of two that have met; the other then waits. */
static bench_net *meet(int rank, bench_launch *launch)
{
    bench_net *net = NULL;
    p3d_error err = {0};
    char byte = 0;

    ports_fork(2, launch);
    launch->rank = launch->rank == 0 ? rank : 1 - rank;
    assert_true(bench_net_open(launch, 5, &net, &err));
    if (launch->n_children > 0)
        return net;
    (void)!bench_net_broadcast(net, &byte, 1, &err);
    (void)!bench_net_gather(net, &byte, 1, &byte, &err);
    _exit(0);
}

static void leave(bench_net *net, bench_launch *launch)
{
    forget(NULL);
    bench_net_close(net, true);
    assert_true(bench_launch_end(launch, true));
}

/* Files that are all in use: others close theirs after a while, or not. */
static void connections_that_are_not_had_are_waited_for(void **state)
{
    static const struct {
        int n_failed;
        int number;
        double timeout_s;
        const char *words; /* NULL = the ranks meet */
    } cases[] = {{3, EMFILE, 20, NULL}, {3, ECONNABORTED, 20, NULL},
            {1000, ENFILE, 1, "cannot accept rank 1 of 2: Too many open files"},
            {1000, EPERM, 20, "cannot accept rank 1 of 2: Operation not"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bench_launch launch;
        bench_net *net = NULL;
        p3d_error err = {0};
        bool ok;

        ports_fork(2, &launch);
        if (launch.rank == 1) {
            (void)!bench_net_open(&launch, 3, &net, &err);
            _exit(0);
        }
        set_fault(ACCEPT, cases[i].n_failed, cases[i].number);
        ok = bench_net_open(&launch, cases[i].timeout_s, &net, &err);
        if (cases[i].words == NULL) {
            assert_true(ok);
            assert_true(n_good < 1);
        } else {
            assert_false(ok);
            test_check_error(&err, P3D_SYSTEM, cases[i].words);
            assert_true(cases[i].n_failed - n_good < 50); /* it did not spin */
        }
        leave(net, &launch);
    }
}

static void ranks_that_are_lost_are_named(void **state)
{
    bench_launch launch;
    bench_net *net = meet(0, &launch);
    char byte = 0;
    p3d_error err = {0};

    (void)state;
    set_fault(SEND, 0, EPIPE);
    assert_false(bench_net_broadcast(net, &byte, 1, &err));
    test_check_error(&err, P3D_SYSTEM, "rank 1 Broken pipe");
    leave(net, &launch);
    net = meet(1, &launch);
    set_fault(RECV, 0, 0);
    err = (p3d_error){0};
    assert_false(bench_net_broadcast(net, &byte, 1, &err));
    test_check_error(&err, P3D_SYSTEM, "rank 0 has ended");
    set_fault(SEND, 0, EPIPE);
    err = (p3d_error){0};
    assert_false(bench_net_gather(net, &byte, 1, NULL, &err));
    test_check_error(&err, P3D_SYSTEM, "rank 0 Broken pipe");
    leave(net, &launch);
}

/* Rank 0 is there, and cannot be told who this is. */
static void a_rank_that_cannot_say_hello_is_refused(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};

    (void)state;
    ports_fork(2, &launch);
    if (launch.rank == 1) {
        launch.rank = 0;
        (void)!bench_net_open(&launch, 2, &net, &err);
        _exit(0);
    }
    launch.rank = 1;
    set_fault(SEND, 0, EPIPE);
    assert_false(bench_net_open(&launch, 1, &net, &err));
    test_check_error(&err, P3D_SYSTEM, "within 1 s (Broken pipe)");
    assert_true(bench_launch_end(&launch, true));
}

static void memory_that_runs_out_is_said(void **state)
{
#ifdef TEST_SANITIZED /* an allocator of its own, and no limit on addresses */
    (void)state;
    skip();
#else
    const struct rlimit few = {.rlim_cur = 1 << 30, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    bench_launch launch = {.n_ranks = 1 << 30};
    bench_net *net = NULL;
    char byte = 0;
    p3d_error err = {0};
    bool ok;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &few), 0);
    ok = bench_net_open(&launch, 5, &net, &err);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_false(ok);
    test_check_error(&err, P3D_SYSTEM, "out of memory");
    net = meet(1, &launch);
    err = (p3d_error){0};
    assert_false(bench_net_gather(net, &byte, SIZE_MAX / 4, NULL, &err));
    test_check_error(&err, P3D_SYSTEM, "out of memory");
    leave(net, &launch);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_teardown(disks_that_refuse_are_said, forget),
            cmocka_unit_test_teardown(what_was_not_made_is_not_written, forget),
            cmocka_unit_test_teardown(
                    threads_that_do_not_start_are_counted, forget),
            cmocka_unit_test_teardown(
                    processes_and_ports_that_are_not_had_are_said, forget),
            cmocka_unit_test_teardown(
                    connections_that_are_not_had_are_waited_for, forget),
            cmocka_unit_test_teardown(ranks_that_are_lost_are_named, forget),
            cmocka_unit_test_teardown(
                    a_rank_that_cannot_say_hello_is_refused, forget),
            cmocka_unit_test_teardown(memory_that_runs_out_is_said, forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
