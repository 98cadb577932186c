/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_net.c - ranks from the environment, and real processes that meet. */
#define _DEFAULT_SOURCE /* usleep() */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/util.h"
#include "bench/host/net.h"
#include "tests/bench/ports.h"

/* The environment of one case: names and values in turn. */
static const char *const *table;

static const char *look_up(const char *name)
{
    for (int i = 0; table[i] != NULL; i += 2)
        if (strcmp(table[i], name) == 0)
            return table[i + 1];
    return NULL;
}

#define ENV(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct {
    const char *const *env;
    int rank, n_ranks, local_rank, port;
    const char *host;
    bool has_pmi; /* MPI can ask the launcher */
} launches[] = {
        {ENV("HOME", "x"), 0, 1, 0, 29510, "", false},
        {ENV("RANK", "3", "WORLD_SIZE", "4", "LOCAL_RANK", "1", "MASTER_ADDR",
                 "node7", "MASTER_PORT", "1234"),
                3, 4, 1, 1234, "node7", false},
        {ENV("SLURM_PROCID", "9", "SLURM_STEP_NUM_TASKS", "16", "SLURM_LOCALID",
                 "1", "SLURM_STEP_NODELIST", "gpu[003-004]"),
                9, 16, 1, 29510, "gpu003", false},
        /* torchrun inside srun: the inner one counts */
        {ENV("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "1", "RANK", "1",
                 "WORLD_SIZE", "2", "LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "2"),
                1, 2, 1, 29510, "127.0.0.1", false},
        {ENV("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2",
                 "OMPI_COMM_WORLD_LOCAL_RANK", "1",
                 "OMPI_COMM_WORLD_LOCAL_SIZE", "2"),
                1, 2, 1, 29510, "127.0.0.1", true},
        /* on several nodes, whose names MPI need not be told */
        {ENV("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "4",
                 "OMPI_COMM_WORLD_LOCAL_RANK", "1",
                 "OMPI_COMM_WORLD_LOCAL_SIZE", "2"),
                1, 4, 1, 29510, "", true},
        /* torchrun on each node, started by mpirun: not the ranks of MPI */
        {ENV("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2",
                 "OMPI_COMM_WORLD_LOCAL_RANK", "0", "RANK", "3", "WORLD_SIZE",
                 "4", "LOCAL_RANK", "1", "MASTER_ADDR", "a"),
                3, 4, 1, 29510, "a", false},
        /* srun --mpi=pmix */
        {ENV("SLURM_PROCID", "1", "SLURM_STEP_NUM_TASKS", "2", "SLURM_LOCALID",
                 "1", "SLURM_STEP_NODELIST", "n1", "PMIX_RANK", "1"),
                1, 2, 1, 29510, "n1", true},
        /* mpirun inside an allocation of Slurm, whose step is mpirun's own
             * daemon; the first node is not of that step */
        {ENV("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "2", "SLURM_LOCALID",
                 "0", "SLURM_STEP_NODELIST", "n2", "SLURM_JOB_NODELIST",
                 "n[1-2]", "OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE",
                 "4", "OMPI_COMM_WORLD_LOCAL_RANK", "1",
                 "OMPI_COMM_WORLD_LOCAL_SIZE", "2"),
                1, 4, 1, 29510, "n1", true},
        {ENV("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "1", "SLURM_LOCALID",
                 "0", "PMI_RANK", "3", "PMI_SIZE", "4", "MPI_LOCALRANKID", "3",
                 "MPI_LOCALNRANKS", "4"),
                3, 4, 3, 29510, "127.0.0.1", true},
        /* srun --mpi=pmi2 tells the local rank in Slurm's way */
        {ENV("SLURM_PROCID", "5", "SLURM_STEP_NUM_TASKS", "8", "SLURM_LOCALID",
                 "1", "SLURM_STEP_NODELIST", "n[1-2]", "PMI_RANK", "5",
                 "PMI_SIZE", "8"),
                5, 8, 1, 29510, "n1", true},
        /* torchrun's own store holds MASTER_PORT */
        {ENV("RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1", "MASTER_ADDR",
                 "a", "MASTER_PORT", "29500", "TORCHELASTIC_RUN_ID", "none"),
                1, 2, 1, 29501, "a", false},
        {ENV("RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1", "MASTER_ADDR",
                 "a", "MASTER_PORT", "65535", "TORCHELASTIC_RUN_ID", "none"),
                1, 2, 1, 1024, "a", false},
        /* a batch script, not a step of it */
        {ENV("SLURM_PROCID", "0", "SLURM_NTASKS", "8"), 0, 1, 0, 29510, "",
                false},
        {ENV("RANK", "0", "WORLD_SIZE", "1"), 0, 1, 0, 29510, "", false},
};

static void every_launcher_is_understood(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(launches); i++) {
        bench_launch launch;
        p3d_error err = {0};

        table = launches[i].env;
        if (!bench_launch_read(look_up, &launch, &err))
            fail_msg("case %d: %s", i, err.text);
        assert_int_equal(launch.rank, launches[i].rank);
        assert_int_equal(launch.n_ranks, launches[i].n_ranks);
        assert_int_equal(launch.local_rank, launches[i].local_rank);
        assert_int_equal(launch.port, launches[i].port);
        assert_string_equal(launch.host, launches[i].host);
        assert_int_equal(launch.has_pmi, launches[i].has_pmi);
    }
}

/* The same on all ranks of a job, and another for another job. */
static void jobs_are_told_apart(void **state)
{
    const char *const *const envs[] = {
            ENV("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "2",
                    "SLURM_LOCALID", "0", "SLURM_STEP_NODELIST", "n[1-2]",
                    "SLURM_JOB_ID", "7", "SLURM_STEP_ID", "0"),
            ENV("SLURM_PROCID", "1", "SLURM_STEP_NUM_TASKS", "2",
                    "SLURM_LOCALID", "0", "SLURM_STEP_NODELIST", "n[1-2]",
                    "SLURM_JOB_ID", "7", "SLURM_STEP_ID", "0"),
            ENV("SLURM_PROCID", "1", "SLURM_STEP_NUM_TASKS", "2",
                    "SLURM_LOCALID", "0", "SLURM_STEP_NODELIST", "n[1-2]",
                    "SLURM_JOB_ID", "7", "SLURM_STEP_ID", "1"),
            ENV("RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1",
                    "MASTER_ADDR", "a")};
    bench_launch launch[P3D_COUNT_OF(envs)];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(envs); i++) {
        p3d_error err = {0};

        table = envs[i];
        if (!bench_launch_read(look_up, &launch[i], &err))
            fail_msg("case %d: %s", i, err.text);
    }
    assert_true(launch[0].job != 0 && launch[0].job == launch[1].job);
    assert_true(launch[1].job != launch[2].job);
    assert_true(launch[3].job == 0);
}

static void wrong_variables_are_named(void **state)
{
    char long_name[1000];
    const struct {
        const char *const *env;
        const char *words;
    } cases[] = {
            {ENV("RANK", "4", "WORLD_SIZE", "4"), "RANK: "},
            {ENV("RANK", "-1", "WORLD_SIZE", "4"), "RANK: "},
            {ENV("RANK", "x", "WORLD_SIZE", "4"), "RANK: "},
            {ENV("RANK", "1", "WORLD_SIZE", "4"), "LOCAL_RANK is not set"},
            {ENV("RANK", "1", "WORLD_SIZE", "4", "LOCAL_RANK", "1"),
                    "MASTER_ADDR is not set"},
            {ENV("RANK", "1", "WORLD_SIZE", "4", "LOCAL_RANK", "1",
                     "MASTER_ADDR", "a", "MASTER_PORT", "70000"),
                    "MASTER_PORT: "},
            {ENV("RANK", "1", "WORLD_SIZE", "4", "LOCAL_RANK", "1",
                     "MASTER_ADDR", long_name),
                    "MASTER_ADDR is too long"},
    };

    (void)state;
    memset(long_name, 'h', sizeof(long_name));
    long_name[sizeof(long_name) - 1] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        bench_launch launch = {.port = 5};
        p3d_error err = {0};

        table = cases[i].env;
        assert_false(bench_launch_read(look_up, &launch, &err));
        test_check_error(&err, P3D_DATA, cases[i].words);
        assert_int_equal(launch.port, 5);
    }
}

static void slurms_short_forms_have_a_first_host(void **state)
{
    static const struct {
        const char *list;
        const char *host; /* NULL = none */
    } cases[] = {{"gpu[003-007,9]", "gpu003"}, {"a1,a2", "a1"}, {"a1", "a1"},
            {"r[2,4-5]n1", "r2n1"}, {"", NULL}, {"[1-2]", "1"},
            {"a-host-whose-name-is-too-long-for-it", NULL}};
    char host[16];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        const bool ok = bench_first_host(cases[i].list, host, sizeof(host));

        assert_int_equal(ok, cases[i].host != NULL);
        if (ok)
            assert_string_equal(host, cases[i].host);
    }
}

/* What one rank does: a broadcast, a gather, a barrier. */
static bool exchange(bench_net *net, const bench_launch *launch)
{
    enum { BYTES = 100000 }; /* more than a socket buffers at once */
    const int n = launch->n_ranks;
    int *const all = calloc((size_t)n, sizeof(*all));
    char *const data = calloc(1, BYTES);
    const int mine = 100 + launch->rank;
    p3d_error err = {0};
    bool ok;

    if (launch->rank == 0)
        memset(data, 7, BYTES);
    ok = bench_net_broadcast(net, data, BYTES, &err) && data[0] == 7 &&
         data[BYTES - 1] == 7 &&
         bench_net_gather(net, &mine, sizeof(mine),
                 launch->rank == 0 ? all : NULL, &err) &&
         bench_net_barrier(net, &err);
    for (int i = 0; i < n && launch->rank == 0; i++)
        ok = ok && all[i] == 100 + i;
    free(data);
    free(all);
    return ok;
}

/* By the sockets that they were started with, or at a port. */
static void processes_meet(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const int n = 1 + i / 2;
        bench_launch launch;
        bench_net *net = NULL;
        p3d_error err = {0};
        bool ok;

        if (i % 2 == 0)
            assert_true(bench_launch_fork(n, &launch, &err));
        else
            ports_fork(n, &launch);
        ok = bench_net_open(&launch, 20, &net, &err) && exchange(net, &launch);
        bench_net_close(net, true);
        if (launch.rank > 0)
            _exit(ok ? 0 : 1);
        assert_true(ok);
        assert_true(bench_launch_end(&launch, true));
    }
}

/* No rank keeps an end of another's socket: where rank 0 ends, all notice. */
static void ranks_notice_that_rank_0_has_ended(void **state)
{
    int status = 0;
    pid_t pid;

    (void)state;
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bench_launch launch;
        bench_net *net = NULL;
        p3d_error err = {0};
        char byte = 0;
        bool ok;

        if (!bench_launch_fork(3, &launch, &err) ||
                !bench_net_open(&launch, 20, &net, &err))
            _exit(1);
        if (launch.rank == 2) {
            (void)usleep(2000000); /* outlives what rank 1 waits */
            _exit(0);
        }
        if (launch.rank == 1) {
            bench_net_wait_up_to(net, 1);
            ok = !bench_net_broadcast(net, &byte, 1, &err) &&
                 strstr(err.text, "rank 0 has ended") != NULL;
            _exit(ok ? 0 : 1);
        }
        bench_net_close(net, true);
        _exit(bench_launch_end(&launch, true) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* By which way, and where to look when they do not. */
static void how_processes_meet_is_said(void **state)
{
    bench_launch launch = {.n_ranks = 4, .host = "node1", .port = 29510};
    char words[512];

    (void)state;
    bench_net_print(&launch, words, sizeof(words));
    assert_string_equal(words, "4 ranks over sockets of rank 0 at node1, the "
                               "first free port of 29510 to 29525");
    launch.is_paired = true;
    bench_net_print(&launch, words, sizeof(words));
    assert_string_equal(
            words, "4 ranks over sockets of rank 0, which started them");
}

/* The user wants a way that is not there: said, and nothing else is taken. */
static void a_way_that_is_not_there_is_an_error(void **state)
{
    static const struct {
        bench_rendezvous way;
        const char *words;
    } cases[] = {
            {BENCH_MEET_MPI, "--rendezvous mpi; no MPI: no launcher with PMI "
                             "started these ranks"},
            {BENCH_MEET_NCCL,
                    "--rendezvous nccl; no NCCL: this program has none"},
    };
    bench_launch launch = {.n_ranks = 2, .host = "node1", .port = 29510};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        bench_net *net = NULL;
        p3d_error err = {0};
        char words[512] = "x";

        launch.rendezvous = cases[i].way;
        bench_net_print(&launch, words, sizeof(words));
        assert_string_equal(words, "");
        assert_false(bench_net_open(&launch, 1, &net, &err));
        test_check_error(&err, P3D_DATA, cases[i].words);
    }
    launch.rendezvous = BENCH_MEET_MPI; /* one rank meets nobody */
    launch.n_ranks = 1;
    assert_string_equal(bench_rendezvous_word(BENCH_MEET_SOCKETS), "sockets");
    assert_null(bench_rendezvous_word(BENCH_N_MEET));
}

static int listen_on(int port)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
            .sin_port = htons((uint16_t)port),
            .sin_addr.s_addr = htonl(INADDR_ANY)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(listen(fd, 5), 0);
    return fd;
}

/* All ranks of a job take the same; what listens is noticed, not what did. */
static void the_port_of_nccl_is_free(void **state)
{
    const bench_launch launch = {.port = 29510, .job = 37};
    const bench_launch late = {.port = 65530, .job = 15};
    const int port = bench_free_port(0);
    int fd;

    (void)state;
    assert_int_equal(bench_nccl_port(&launch), 29515);
    assert_int_equal(bench_nccl_port(&late), 1033);
    assert_true(port >= 1024);
    assert_int_equal(bench_free_port(port), port);
    fd = listen_on(port);
    assert_int_equal(bench_free_port(port), -1);
    assert_int_equal(errno, EADDRINUSE);
    close(fd);
    assert_int_equal(bench_free_port(port), port);
}

/* With NCCL_COMM_ID no host is needed; sockets are told that they do. */
static void the_address_of_nccl_is_kept(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};
    char long_id[400];

    (void)state;
    table = ENV("RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1",
            "NCCL_COMM_ID", "node1:1234");
    assert_true(bench_launch_read(look_up, &launch, &err));
    assert_string_equal(launch.comm_id, "node1:1234");
    launch.rendezvous = BENCH_MEET_SOCKETS;
    assert_false(bench_net_open(&launch, 1, &net, &err));
    test_check_error(&err, P3D_DATA, "MASTER_ADDR is not set");
    memset(long_id, 'x', sizeof(long_id) - 1);
    long_id[sizeof(long_id) - 1] = '\0';
    table = ENV("RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1",
            "NCCL_COMM_ID", long_id);
    err = (p3d_error){0};
    assert_false(bench_launch_read(look_up, &launch, &err));
    test_check_error(&err, P3D_DATA, "NCCL_COMM_ID is too long");
}

static void a_failed_process_is_noticed(void **state)
{
    bench_launch launch;
    p3d_error err = {0};

    (void)state;
    assert_true(bench_launch_fork(2, &launch, &err));
    if (launch.rank > 0)
        _exit(3);
    assert_false(bench_launch_end(&launch, true));
}

/* Rank 0 of three, of which one never comes: named, in time. */
static void a_missing_rank_is_named_in_time(void **state)
{
    const double began_s = p3d_now_s();
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};

    (void)state;
    ports_fork(2, &launch);
    launch.n_ranks = 3;
    if (launch.rank > 0) {
        (void)!bench_net_open(&launch, 5, &net, &err);
        bench_net_close(net, true);
        _exit(0);
    }
    assert_false(bench_net_open(&launch, 0.5, &net, &err));
    test_check_error(&err, P3D_SYSTEM, "rank 2 of 3 has not come within 0.5 s");
    assert_true(p3d_now_s() - began_s < 4);
    assert_true(bench_launch_end(&launch, true));
}

static void a_root_that_is_not_there_is_named_in_time(void **state)
{
    const double began_s = p3d_now_s();
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};

    (void)state;
    launch = (bench_launch){.rank = 1, .n_ranks = 2, .host = "127.0.0.1"};
    launch.port = 1; /* nothing listens there */
    assert_false(bench_net_open(&launch, 0.5, &net, &err));
    test_check_error(&err, P3D_SYSTEM, "rank 0 does not answer at 127.0.0.1");
    assert_true(p3d_now_s() - began_s < 4);
}

/* Something else listens where the ranks would meet, as torchrun's store does,
 * and answers to nobody: they meet at the next port. */
static void ranks_meet_beside_a_port_that_is_taken(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};
    bool ok;
    int fd;

    (void)state;
    ports_fork(3, &launch);
    fd = launch.rank == 0 ? listen_on(launch.port) : -1;
    if (launch.rank > 0)
        (void)usleep(300000); /* it is found first */
    ok = bench_net_open(&launch, 60, &net, &err) && exchange(net, &launch);
    bench_net_close(net, true);
    if (launch.rank > 0)
        _exit(ok ? 0 : 1);
    if (!ok)
        fail_msg("%s", err.text);
    close(fd);
    assert_true(bench_launch_end(&launch, true));
}

/* A rank of a job that began at the same time on the same host. */
static void a_rank_of_another_job_is_turned_away(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};
    bool ok;

    (void)state;
    ports_fork(3, &launch);
    if (launch.rank == 2) {
        bench_launch other = launch;

        other.job++;
        other.rank = 1;
        assert_false(bench_net_open(&other, 0.5, &net, &err));
        test_check_error(&err, P3D_SYSTEM, "something else listens there");
        err = (p3d_error){0};
    }
    ok = bench_net_open(&launch, 20, &net, &err) && exchange(net, &launch);
    bench_net_close(net, true);
    if (launch.rank > 0)
        _exit(ok ? 0 : 1);
    assert_true(ok);
    assert_true(bench_launch_end(&launch, true));
}

/* Seen while the others are waited for, long before the time is over. */
static void a_killed_rank_is_noticed_at_once(void **state)
{
    static const struct {
        int signal; /* 0 = it fails by itself */
        p3d_code code;
        const char *words;
    } cases[] = {
            {SIGKILL, P3D_SYSTEM, "rank 2 was killed by signal 9 (Killed)"},
            {0, P3D_DATA, "rank 2 has ended with status 3"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        const double began_s = p3d_now_s();
        bench_launch launch;
        bench_net *net = NULL;
        p3d_error err = {0};

        assert_true(bench_launch_fork(4, &launch, &err));
        if (launch.rank == 2) {
            (void)usleep(200000);
            if (cases[i].signal != 0)
                kill(getpid(), cases[i].signal);
            _exit(3);
        }
        if (launch.rank > 0) {
            (void)!bench_net_open(&launch, 60, &net, &err);
            _exit(0);
        }
        assert_false(bench_net_open(&launch, 60, &net, &err));
        test_check_error(&err, cases[i].code, cases[i].words);
        assert_false(bench_launch_end(&launch, false));
        assert_true(p3d_now_s() - began_s < 20);
    }
}

/* A star of many ranks takes more files than are usual. */
static void the_limit_of_open_files_is_raised(void **state)
{
    const bench_launch many = {.n_ranks = 100000, .port = 29510};
    bench_launch launch;
    bench_net *net = NULL;
    struct rlimit before, low;
    p3d_error err = {0};
    bool ok;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    low = before;
    low.rlim_cur = 64;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    assert_true(bench_launch_fork(2, &launch, &err));
    ok = bench_net_open(&launch, 20, &net, &err);
    bench_net_close(net, true);
    if (launch.rank > 0) {
        low.rlim_max = 1000;
        launch = many;
        ok = ok && setrlimit(RLIMIT_NOFILE, &low) == 0 &&
             !bench_net_open(&launch, 20, &net, &err) &&
             strstr(err.text, "100000 ranks need 100256 files open at once, "
                              "where at most 1000 may be") != NULL;
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &low), 0);
    assert_true(low.rlim_cur > 64);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(ok);
    assert_true(bench_launch_end(&launch, true));
}

/* A stranger that talks first is dropped, and the ranks still meet. */
static void strangers_are_turned_away(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};
    bool ok;

    (void)state;
    ports_fork(2, &launch);
    if (launch.rank == 1) {
        const struct sockaddr_in at = {.sin_family = AF_INET,
                .sin_port = htons((uint16_t)launch.port),
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int fd = -1;

        for (int i = 0; i < 50; i++) {
            const struct timespec pause = {.tv_nsec = 20000000};

            fd = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0)
                break;
            close(fd);
            nanosleep(&pause, NULL);
        }
        (void)!write(fd, "GET / HTTP/1.1\r\n\r\n", 18);
    }
    ok = bench_net_open(&launch, 20, &net, &err) && exchange(net, &launch);
    bench_net_close(net, true);
    if (launch.rank > 0)
        _exit(ok ? 0 : 1);
    assert_true(ok);
    assert_true(bench_launch_end(&launch, true));
}

/* Another job's rank at this port ends both with a reason. */
static void ranks_of_another_job_are_refused(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};

    (void)state;
    ports_fork(2, &launch);
    if (launch.rank == 1) {
        launch.n_ranks = 5;
        (void)!bench_net_open(&launch, 5, &net, &err);
        _exit(0);
    }
    assert_false(bench_net_open(&launch, 5, &net, &err));
    test_check_error(&err, P3D_SYSTEM, "rank 1 of 5, where rank 0 has 2");
    assert_true(bench_launch_end(&launch, true));
}

/* A rank that ends in the middle does not hang the others. */
static void a_rank_that_ends_is_named(void **state)
{
    bench_launch launch;
    bench_net *net = NULL;
    p3d_error err = {0};

    (void)state;
    assert_true(bench_launch_fork(2, &launch, &err));
    assert_true(bench_net_open(&launch, 5, &net, &err));
    if (launch.rank == 1)
        _exit(0);
    assert_false(bench_net_barrier(net, &err));
    assert_int_equal(err.code, P3D_SYSTEM);
    assert_non_null(strstr(err.text, "rank 1 "));
    bench_net_close(net, true);
    assert_true(bench_launch_end(&launch, true));
}

/* NCCL that waits for ever: the process ends by itself, with status 5. */
static void the_watchdog_ends_a_process_that_waits(void **state)
{
    const double began_s = p3d_now_s();
    int status = 0;
    pid_t pid;

    (void)state;
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(STDERR_FILENO);
        bench_watchdog(30);
        bench_watchdog(0.2);
        for (;;)
            pause();
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 5);
    assert_true(p3d_now_s() - began_s < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_launcher_is_understood),
            cmocka_unit_test(jobs_are_told_apart),
            cmocka_unit_test(wrong_variables_are_named),
            cmocka_unit_test(slurms_short_forms_have_a_first_host),
            cmocka_unit_test(processes_meet),
            cmocka_unit_test(ranks_notice_that_rank_0_has_ended),
            cmocka_unit_test(how_processes_meet_is_said),
            cmocka_unit_test(a_way_that_is_not_there_is_an_error),
            cmocka_unit_test(the_port_of_nccl_is_free),
            cmocka_unit_test(the_address_of_nccl_is_kept),
            cmocka_unit_test(a_failed_process_is_noticed),
            cmocka_unit_test(a_missing_rank_is_named_in_time),
            cmocka_unit_test(a_root_that_is_not_there_is_named_in_time),
            cmocka_unit_test(ranks_meet_beside_a_port_that_is_taken),
            cmocka_unit_test(a_rank_of_another_job_is_turned_away),
            cmocka_unit_test(a_killed_rank_is_noticed_at_once),
            cmocka_unit_test(the_limit_of_open_files_is_raised),
            cmocka_unit_test(strangers_are_turned_away),
            cmocka_unit_test(ranks_of_another_job_are_refused),
            cmocka_unit_test(a_rank_that_ends_is_named),
            cmocka_unit_test(the_watchdog_ends_a_process_that_waits),
    };

    return cmocka_run_group_tests_name("net", tests, NULL, NULL);
}
