/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_mpi.c - ranks that meet by the cluster's MPI: this program starts itself
 * under mpirun, where one is. */
#define _DEFAULT_SOURCE /* realpath() */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/host/net.h"

enum { PATH = 4096, BYTES = 1 << 20 /* more than MPI sends at once */ };

static char program[PATH];
static char folder[] = "/tmp/plan3d-mpi-XXXXXX";

/* What a rank does; the exit status of a test that failed is 1. */
typedef int act(bench_launch *launch);

static const char *environment(const char *name)
{
    return getenv(name);
}

static void nap(double s)
{
    const struct timespec t = {
            .tv_sec = (time_t)s, .tv_nsec = (long)(1e9 * (s - (double)(int)s))};

    nanosleep(&t, NULL);
}

/* Data of rank 0 reaches all, and of all rank 0; as a barrier does, late ranks
 * are waited for. */
static int meet(bench_launch *launch)
{
    const double began_s = p3d_now_s();
    const int n = launch->n_ranks;
    const int mine = 100 + launch->rank;
    char *const data = calloc(1, BYTES);
    int *const all = calloc((size_t)n, sizeof(*all));
    char words[512];
    bench_net *net;
    bool ok;

    bench_net_print(launch, words, sizeof(words));
    ok = strstr(words, "3 ranks over MPI (") == words &&
         bench_net_open(launch, 20, &net, NULL);
    memset(data, launch->rank == 0 ? 7 : 0, BYTES);
    for (int i = 0; i < 3 && ok; i++)
        ok = bench_net_broadcast(net, data, BYTES, NULL) && data[0] == 7 &&
             data[BYTES - 1] == 7 &&
             bench_net_gather(net, &mine, sizeof(mine),
                     launch->rank == 0 ? all : NULL, NULL);
    for (int i = 0; i < n && launch->rank == 0; i++)
        ok = ok && all[i] == 100 + i;
    if (launch->rank == 2)
        nap(0.3);
    ok = ok && bench_net_barrier(net, NULL) && p3d_now_s() - began_s > 0.3;
    if (ok)
        bench_net_close(net, true);
    free(data);
    free(all);
    return ok ? 0 : 1;
}

/* Rank 2 does not come to a barrier: named by rank 0 in time, and all end. */
static int wait_for_one(bench_launch *launch)
{
    bench_net *net;
    p3d_error err = {0};
    bool ok;

    if (!bench_net_open(launch, 20, &net, &err))
        return 1;
    bench_net_wait_up_to(net, launch->rank == 0 ? 0.5 : 30);
    if (launch->rank == 2)
        nap(60);
    ok = bench_net_barrier(net, &err);
    fprintf(stderr, "%s\n", err.text);
    bench_net_close(net, ok);
    return ok ? 1 : p3d_exit_status(err.code);
}

/* Of another launcher's four ranks this MPI sees another number: they meet by
 * sockets, which have to be told where. */
static int see_another(bench_launch *launch)
{
    static const char why[] =
            "; no MPI: the launcher is of another one than this build";
    char words[512];
    bench_net *net;
    p3d_error err = {0};

    launch->n_ranks = 4;
    launch->host[0] = '\0';
    bench_net_print(launch, words, sizeof(words));
    return strstr(words, "4 ranks over sockets") == words &&
                           strstr(words, why) != NULL &&
                           !bench_net_open(launch, 20, &net, &err) &&
                           err.code == P3D_DATA &&
                           strstr(err.text, "MASTER_ADDR is not set") != NULL
                   ? 0
                   : 1;
}

static const struct {
    const char *word;
    act *run;
} acts[] = {{"meet", meet}, {"wait", wait_for_one}, {"another", see_another}};

static int run_act(const char *word)
{
    bench_launch launch;

    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        if (strcmp(word, acts[i].word) == 0 &&
                bench_launch_read(environment, &launch, NULL))
            return acts[i].run(&launch);
    return 2;
}

/* @return the exit status; the words of all ranks are in the log. Memory that
 * MPI itself keeps is not looked for. */
static int run_ranks(const char *word)
{
    char line[2 * PATH];
    int status;

    snprintf(line, sizeof(line),
            "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
            "OMPI_MCA_rmaps_base_oversubscribe=1 "
            "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "
            "ASAN_OPTIONS=detect_leaks=0 timeout 100 mpirun -n 3 '%s' %s "
            ">%s/log 2>&1 </dev/null",
            program, word, folder);
    status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool log_has(const char *words)
{
    char line[PATH];

    snprintf(line, sizeof(line), "grep -qF '%s' %s/log", words, folder);
    return system(line) == 0;
}

static void need_mpirun(void)
{
    if (system("command -v mpirun >/dev/null") != 0)
        skip();
}

static void ranks_meet(void **state)
{
    (void)state;
    need_mpirun();
    assert_int_equal(run_ranks("meet"), 0);
}

static void a_rank_that_does_not_come_is_named(void **state)
{
    const double began_s = p3d_now_s();

    (void)state;
    need_mpirun();
    assert_int_equal(run_ranks("wait"), 4);
    assert_true(log_has("rank 2 does not answer"));
    assert_true(p3d_now_s() - began_s < 30);
}

static void the_ranks_of_another_mpi_meet_by_sockets(void **state)
{
    (void)state;
    need_mpirun();
    assert_int_equal(run_ranks("another"), 0);
}

static int remove_folder(void **state)
{
    char line[PATH];

    (void)state;
    snprintf(line, sizeof(line), "rm -rf %s", folder);
    return system(line);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(ranks_meet),
            cmocka_unit_test(a_rank_that_does_not_come_is_named),
            cmocka_unit_test(the_ranks_of_another_mpi_meet_by_sockets),
    };

    if (argc > 1)
        return run_act(argv[1]);
    assert_non_null(realpath(argv[0], program));
    assert_non_null(mkdtemp(folder));
    return cmocka_run_group_tests_name("mpi", tests, NULL, remove_folder);
}
