/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_over_nccl.c - ranks of plan3d-bench that meet by NCCL's own bootstrap
 * and exchange small data over a communicator, with a device made of host
 * memory, as torchrun and Slurm start them. */
#define _DEFAULT_SOURCE /* SO_REUSEPORT */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/util.h"
#include "plan3d/measurements.h"
#include "tests/bench/beside.h"
#include "tests/bench/ports.h"

enum { PATH = 4096 };

static char program[PATH]; /* of this build */
static char folder[] = "/tmp/plan3d-nccl-XXXXXX";

#define TORCHRUN                                                 \
    "RANK=$r LOCAL_RANK=$r WORLD_SIZE=$n MASTER_ADDR=127.0.0.1 " \
    "MASTER_PORT=$port TORCHELASTIC_RUN_ID=none "
#define SLURM                                                           \
    "SLURM_PROCID=$r SLURM_LOCALID=$r SLURM_STEP_NUM_TASKS=$n "         \
    "SLURM_STEP_NODELIST=localhost SLURM_JOB_ID=$port SLURM_STEP_ID=0 " \
    "MASTER_PORT=$port "
#define SMALL " --samples 3 --warmup 1 --min 1000B --max 1000B --timeout 30s"

/* Start ranks first to n - 1, the last one first, each with a log of its own.
 * @param launcher  its variables, of $r, $n and $port
 * @return the exit status of the lowest */
static int run_ranks(
        const char *launcher, int first, int n, const char *arguments)
{
    char line[3 * PATH];
    int status;

    snprintf(line, sizeof(line),
            "cd %s && rm -f out.json log*; n=%d; port=%d; "
            "for r in $(seq %d -1 %d); do "
            "env -u RANK -u WORLD_SIZE -u SLURM_PROCID -u NCCL_COMM_ID %s "
            "timeout 100 '%s' %s -o out.json >log$r 2>&1 & last=$!; done; "
            "wait $last; s=$?; wait; exit $s",
            folder, n, ports_free(), n - 1, first, launcher, program,
            arguments);
    status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool log_has(int rank, const char *words)
{
    char line[PATH];

    snprintf(line, sizeof(line), "grep -qF -e '%s' %s/log%d", words, folder,
            rank);
    return system(line) == 0;
}

static p3d_measurements result(int n_ranks)
{
    char path[PATH];
    p3d_measurements got = {0};
    p3d_error err = {0};

    snprintf(path, sizeof(path), "%s/out.json", folder);
    if (!p3d_measurements_open(path, &got, &err))
        fail_msg("%d:%d: %s: %s", err.line, err.column, err.pointer, err.text);
    assert_int_equal(got.machine.n_ranks, n_ranks);
    return got;
}

/* From 2 to 8 ranks; every collective's data is checked. */
static void ranks_meet_under_each_launcher(void **state)
{
    static const struct {
        const char *launcher;
        int n;
        const char *words;
    } cases[] = {{TORCHRUN, 2, "2 ranks over NCCL at 127.0.0.1:"},
            {TORCHRUN, 8, "8 ranks over NCCL at 127.0.0.1:"},
            {SLURM, 4, "4 ranks over NCCL at localhost:"},
            {TORCHRUN "NCCL_COMM_ID=127.0.0.1:$port ", 3, " (NCCL_COMM_ID)"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_measurements got;

        assert_int_equal(
                run_ranks(cases[i].launcher, 0, cases[i].n, "nccl" SMALL), 0);
        assert_true(log_has(0, cases[i].words));
        got = result(cases[i].n);
        assert_int_equal(got.collective.n, 4 * 2 + 2);
        p3d_measurements_free(&got);
    }
    assert_int_equal(
            run_ranks(TORCHRUN, 0, 2, "nccl --rendezvous sockets" SMALL), 0);
    assert_true(log_has(0, "2 ranks over sockets of rank 0 at 127.0.0.1"));
}

/* Processes of --gpus take their sockets, unless the user wants otherwise. */
static void ranks_of_this_program_meet(void **state)
{
    p3d_measurements got;

    (void)state;
    assert_int_equal(run_ranks("", 0, 1, "nccl --gpus 3" SMALL), 0);
    assert_true(log_has(0, "3 ranks over sockets of rank 0, which started"));
    assert_int_equal(
            run_ranks("", 0, 1, "nccl --gpus 3 --rendezvous nccl" SMALL), 0);
    assert_true(log_has(0, "3 ranks over NCCL at 127.0.0.1:"));
    got = result(3);
    assert_int_equal(got.collective.n, 4 * 2 + 2);
    p3d_measurements_free(&got);
}

/* What carries small data takes no memory from what is measured: 32 MiB of a
 * communicator are free again when the device is filled up. */
static void capacity_is_that_without_small_data(void **state)
{
    static const char *const ways[] = {"nccl", "sockets"};
    int64_t largest[2], communicator[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        char words[128];
        p3d_measurements got;
        const p3d_capacity_row *row;

        snprintf(words, sizeof(words), "capacity --rendezvous %s --timeout 30s",
                ways[i]);
        assert_int_equal(
                run_ranks(TORCHRUN "FAKE_COMM_MIB=32 ", 0, 2, words), 0);
        got = result(2);
        row = got.capacity.items;
        largest[i] = row->largest_bytes;
        communicator[i] = row->communicator_bytes;
        p3d_measurements_free(&got);
    }
    assert_int_equal(largest[0], largest[1]);
    assert_int_equal(communicator[0], communicator[1]);
    assert_int_equal(communicator[0], 32 << 20);
}

/* One that never comes: all others say where they waited, in time. */
static void a_missing_rank_ends_the_others(void **state)
{
    const double began_s = p3d_now_s();

    (void)state;
    assert_int_equal(run_ranks(TORCHRUN, 1, 3, "capacity --timeout 1s"), 4);
    assert_true(log_has(1, "rank 0 or another rank has not come to 127.0.0.1"));
    assert_true(log_has(2, "within 1 s; check MASTER_ADDR, MASTER_PORT"));
    assert_int_equal(
            run_ranks("RANK=0 LOCAL_RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 "
                      "MASTER_PORT=$port ",
                    0, 1, "capacity --timeout 1s"),
            4);
    assert_true(log_has(0, "not all 2 ranks have come to 127.0.0.1:"));
    assert_true(log_has(0, "--rendezvous sockets does"));
    assert_true(p3d_now_s() - began_s < 20);
}

/* In the middle of an exchange. One that this program started is noticed at
 * once; of others NCCL may say nothing. The time that they are given must do
 * for meeting, too, on a busy machine. */
static void a_killed_rank_ends_the_others_in_time(void **state)
{
    const double began_s = p3d_now_s();

    (void)state;
    assert_int_equal(run_ranks(TORCHRUN "FAKE_LOST_AT_EXCHANGE=2 ", 0, 2,
                             "capacity --timeout 8s"),
            4);
    assert_true(log_has(0, "a rank does not answer within 8 s"));
    assert_int_equal(run_ranks("FAKE_LOST_AT_EXCHANGE=3 ", 0, 1,
                             "nccl --gpus 2 --rendezvous nccl --timeout 60s"),
            4);
    assert_true(log_has(0, "rank 1 was killed by signal 9 (Killed)"));
    assert_true(p3d_now_s() - began_s < 50);
}

/* Something listens at the port: NCCL itself would listen beside it. */
static void a_port_that_is_taken_is_an_error(void **state)
{
    const struct sockaddr_in any = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    struct sockaddr_in at = any;
    socklen_t n = sizeof(at);
    char variables[256];

    (void)state;
    assert_int_equal(
            setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)), 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&at, n), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
    assert_int_equal(listen(fd, 5), 0);
    snprintf(variables, sizeof(variables),
            "RANK=0 LOCAL_RANK=0 WORLD_SIZE=2 NCCL_COMM_ID=127.0.0.1:%d ",
            ntohs(at.sin_port));
    assert_int_equal(run_ranks(variables, 0, 1, "capacity --timeout 1s"), 4);
    assert_true(log_has(0, "cannot listen at 127.0.0.1:"));
    assert_true(log_has(0, "Address already in use; set MASTER_PORT"));
    close(fd);
    assert_int_equal(run_ranks("RANK=0 LOCAL_RANK=0 WORLD_SIZE=2 "
                               "NCCL_COMM_ID=here ",
                             0, 1, "capacity --timeout 1s"),
            3);
    assert_true(log_has(0, "NCCL_COMM_ID: write it as host:port"));
}

/* Parts of one device: the others wait without a communicator. */
static void a_quick_run_rests_between_its_parts(void **state)
{
    char path[PATH];
    p3d_measurements got;
    FILE *file;

    (void)state;
    snprintf(path, sizeof(path), "%s/request.json", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"schema\": \"plan3d/1\", \"command\": \"shapes\", \"gemm\": "
          "[{\"dtype\": \"bf16\", \"layout\": \"forward\", \"how\": "
          "\"single\", \"m\": 16, \"n\": 40, \"k\": 16, \"count\": 1}], "
          "\"pass\": [{\"bytes\": 100000, \"n_kernels\": 1}], \"collective\": "
          "[{\"op\": \"all_gather\", \"axis\": \"tp\", \"n_ranks\": 2, "
          "\"stride\": 1, \"bytes\": 800}]}",
            file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(run_ranks(TORCHRUN, 0, 2,
                             "quick --request request.json --samples 3 "
                             "--warmup 1 --max 64KiB --timeout 30s"),
            0);
    got = result(2);
    assert_int_equal(got.gemm.n, 1);
    assert_int_equal(got.pass.n, 2);
    assert_int_equal(got.collective.n, 1);
    assert_int_equal(got.capacity.n, 1);
    assert_null(strstr(got.note, "incomplete"));
    p3d_measurements_free(&got);
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
            cmocka_unit_test(ranks_meet_under_each_launcher),
            cmocka_unit_test(ranks_of_this_program_meet),
            cmocka_unit_test(capacity_is_that_without_small_data),
            cmocka_unit_test(a_missing_rank_ends_the_others),
            cmocka_unit_test(a_killed_rank_ends_the_others_in_time),
            cmocka_unit_test(a_port_that_is_taken_is_an_error),
            cmocka_unit_test(a_quick_run_rests_between_its_parts),
    };

    assert_true(argc > 0 && mkdtemp(folder) != NULL);
    beside_find(argv[0], program, sizeof(program));
    return cmocka_run_group_tests_name("over nccl", tests, NULL, remove_folder);
}
