/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_program.c - plan3d-bench as a whole, with a device made of host memory:
 * every command runs, checks its results, and writes what the core reads. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/util.h"
#include "plan3d/measurements.h"
#include "tests/bench/beside.h"

enum { PATH = 4096 };

static char program[PATH]; /* of this build */
static char folder[] = "/tmp/plan3d-program-XXXXXX";

#define ONE_OF_TWO "WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 "
#define HEAD       "{\"schema\": \"plan3d/1\", \"command\": \"shapes\", "

static void write_request(const char *text)
{
    char path[PATH];
    FILE *file;

    snprintf(path, sizeof(path), "%s/request.json", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Run with these variables and arguments. @return the exit status */
static int run_with(const char *variables, const char *arguments)
{
    char line[3 * PATH];
    int status;

    snprintf(line, sizeof(line),
            "cd %s && env -u RANK -u WORLD_SIZE -u SLURM_PROCID %s timeout 100 "
            "'%s' %s >log 2>&1",
            folder, variables, program, arguments);
    status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run(const char *arguments)
{
    return run_with("", arguments);
}

static void show_log(void)
{
    char line[PATH];

    snprintf(line, sizeof(line), "tail -n 20 %s/log", folder);
    if (system(line) != 0)
        print_message("no log\n");
}

static bool log_has(const char *words)
{
    char line[PATH];

    snprintf(line, sizeof(line), "grep -qF -e '%s' %s/log", words, folder);
    return system(line) == 0;
}

/* Run with these variables, and read the file that was written, which is not
 * there before. */
static p3d_measurements measure_with(
        const char *variables, const char *arguments, int status)
{
    char line[PATH];
    char path[PATH];
    p3d_measurements got = {0};
    p3d_error err = {0};
    int was;

    snprintf(path, sizeof(path), "%s/out.json", folder);
    (void)unlink(path);
    snprintf(line, sizeof(line), "%s -o out.json", arguments);
    was = run_with(variables, line);
    if (was != status) {
        show_log();
        fail_msg("%d: plan3d-bench %s", was, arguments);
    }
    snprintf(path, sizeof(path), "%s/out.json", folder);
    if (!p3d_measurements_open(path, &got, &err))
        fail_msg("%d:%d: %s: %s", err.line, err.column, err.pointer, err.text);
    assert_string_equal(got.machine.name, "Fake GPU");
    assert_int_equal(got.machine.compute_capability, 90);
    return got;
}

static p3d_measurements measure(const char *arguments)
{
    return measure_with("", arguments, 0);
}

/* A plan of products whose results have these columns. */
static void write_products(const char *how, const int *columns, int n)
{
    p3d_text text = {0};

    p3d_text_add(&text, HEAD "\"gemm\": [");
    for (int i = 0; i < n; i++)
        p3d_text_add(&text,
                "%s{\"dtype\": \"bf16\", \"layout\": \"forward\", \"how\": "
                "\"%s\", \"m\": 8, \"n\": %d, \"k\": 8, \"count\": %d}",
                i > 0 ? "," : "", how, columns[i],
                strcmp(how, "single") == 0 ? 1 : 3);
    p3d_text_add(&text, "]}");
    write_request(p3d_text_get(&text));
    p3d_text_free(&text);
}

#define PRODUCTS "gemm --request request.json --samples 3 --warmup 1"

/* Of 128 bytes and a few more: what cuBLASLt was promised holds for all of
 * those that the runs use in turn. */
static void buffers_are_aligned(void **state)
{
    static const char *const hows[] = {"single", "batched", "loop"};
    static const int columns[] = {8, 24};

    (void)state;
    for (int i = 0; i < 3; i++) {
        p3d_measurements got;

        write_products(hows[i], columns, 2);
        got = measure(PRODUCTS);
        assert_int_equal(got.gemm.n, 2);
        p3d_measurements_free(&got);
    }
}

static void products_without_a_kernel_are_left_out(void **state)
{
    static const int columns[] = {16, 40, 24};
    p3d_measurements got;

    (void)state;
    write_products("single", columns, 3);
    got = measure_with("FAKE_NO_KERNEL_FOR=40", PRODUCTS, 0);
    assert_int_equal(got.gemm.n, 2);
    assert_non_null(strstr(got.note, "some products were left out"));
    assert_true(log_has("has no kernel for a product in bf16"));
    p3d_measurements_free(&got);
}

/* A product that breaks the device, or a scheduler that ends the run: what was
 * measured before is there. */
static void rows_are_kept_as_they_come(void **state)
{
    static const int columns[] = {16, 24, 40, 48};
    static const struct {
        const char *variable;
        int status;
        const char *note;
    } cases[] = {{"FAKE_BROKEN_FOR=40", 5, "incomplete: product: cuBLASLt"},
            {"FAKE_KILLED_FOR=40", 137, "incomplete: the run had not ended"}};
    char path[PATH];

    (void)state;
    write_products("single", columns, 4);
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_measurements got =
                measure_with(cases[i].variable, PRODUCTS, cases[i].status);

        assert_int_equal(got.gemm.n, 2);
        assert_non_null(strstr(got.note, cases[i].note));
        p3d_measurements_free(&got);
    }
    snprintf(path, sizeof(path), "%s/out.json", folder);
    (void)unlink(path);
    write_products("single", columns + 2, 1);
    assert_int_equal(
            run_with("FAKE_BROKEN_FOR=40", PRODUCTS " -o out.json"), 5);
    assert_int_equal(access(path, F_OK), -1); /* there was no row */
}

/* All devices are loaded at once; one of them is slow. */
static void products_are_run_on_all_devices(void **state)
{
    static const int columns[] = {16, 40};
    p3d_measurements got;
    const p3d_gemm_row *rows;

    (void)state;
    write_products("single", columns, 2);
    got = measure_with("FAKE_SLOW_DEVICE=2 FAKE_SLOW_MS=20",
            PRODUCTS " --gpus 3 --timeout 60s --sustain 100ms", 0);
    rows = got.gemm.items;
    assert_int_equal(got.machine.n_ranks, 3);
    assert_int_equal(got.gemm.n, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rows[i].n_devices, 3);
        assert_true(rows[i].fastest_s <= rows[i].timing.median_s);
        assert_true(rows[i].slowest_s > 0.02);
        assert_true(rows[i].slowest_s > 2 * rows[i].fastest_s);
    }
    p3d_measurements_free(&got);
    /* What one of them cannot run, none does. */
    got = measure_with("FAKE_NO_KERNEL_FOR=40 FAKE_NO_KERNEL_ON=1",
            PRODUCTS " --gpus 2 --timeout 60s", 0);
    assert_int_equal(got.gemm.n, 1);
    assert_true(log_has("another rank cannot run it"));
    p3d_measurements_free(&got);
}

/* Of one collective, whose parts take a share of the timeout each. */
#define ONE_COLLECTIVE                                                   \
    HEAD "\"collective\": [{\"op\": \"all_reduce\", \"axis\": \"all\", " \
         "\"n_ranks\": 2, \"stride\": 1, \"bytes\": 800}]}"
#define COLLECTIVES \
    "nccl --gpus 2 --request request.json --samples 5 --warmup 3 "

static void links_that_are_slow_are_no_lost_ranks(void **state)
{
    p3d_measurements got;

    (void)state;
    write_request(ONE_COLLECTIVE);
    got = measure_with("FAKE_NCCL_MS=300", COLLECTIVES "--timeout 1s", 0);
    assert_int_equal(got.collective.n, 1);
    p3d_measurements_free(&got);
    assert_int_equal(
            run_with("FAKE_NCCL_MS=3000", COLLECTIVES "--timeout 1s"), 5);
    assert_true(log_has("other ranks do not answer within --timeout"));
}

/* Inside a collective, which waits for the lost one for ever. */
static void a_killed_rank_ends_the_others(void **state)
{
    const double began_s = p3d_now_s();

    (void)state;
    write_request(ONE_COLLECTIVE);
    assert_int_equal(
            run_with("FAKE_LOST_AT_CALL=3", COLLECTIVES "--timeout 80s"), 4);
    assert_true(log_has("rank 1 was killed by signal 9 (Killed)"));
    /* On another node it is NCCL that notices. */
    assert_int_equal(
            run_with("FAKE_LINK_LOST_AT_CALL=3", COLLECTIVES "--timeout 80s"),
            5);
    assert_true(log_has("a rank or a link is lost: NCCL: "));
    assert_true(p3d_now_s() - began_s < 40);
}

/* Two ranks of mpirun, by MPI where the build has it, else by sockets. @return
 * whether all went well */
static bool run_under_mpirun(const char *variables)
{
    char line[3 * PATH];

    snprintf(line, sizeof(line),
            "cd %s && OMPI_ALLOW_RUN_AS_ROOT=1 "
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
            "OMPI_MCA_rmaps_base_oversubscribe=1 "
            "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "
            "ASAN_OPTIONS=detect_leaks=0 %s timeout 80 mpirun -n 2 '%s' "
            "nccl --request request.json --samples 5 --warmup 3 --timeout 60s "
            "-o out.json >log 2>&1 </dev/null",
            folder, variables, program);
    return system(line) == 0;
}

static void ranks_of_mpirun_are_measured(void **state)
{
    const double began_s = p3d_now_s();
    char path[PATH];
    p3d_measurements got;

    (void)state;
    if (system("command -v mpirun >/dev/null") != 0)
        skip();
    snprintf(path, sizeof(path), "%s/out.json", folder);
    (void)unlink(path);
    write_request(ONE_COLLECTIVE);
    if (!run_under_mpirun("")) {
        show_log();
        fail();
    }
    assert_true(log_has("2 ranks over "));
    assert_true(p3d_measurements_open(path, &got, NULL));
    assert_int_equal(got.machine.n_ranks, 2);
    assert_int_equal(got.collective.n, 1);
    p3d_measurements_free(&got);
    /* The launcher sees the lost one, and ends the other. */
    (void)unlink(path);
    assert_false(run_under_mpirun("FAKE_LOST_AT_CALL=3"));
    assert_true(log_has("signal 9") || log_has("EXIT CODE: 9"));
    assert_true(p3d_now_s() - began_s < 40);
}

/* Each type, layout and way of several products; all are checked against sums,
 * so a wrong operand, stride or transposition ends the program. */
static void products_are_measured(void **state)
{
    static const char *const hows[] = {"single", "batched", "loop"};
    p3d_text text = {0};
    p3d_measurements got;
    int n = 0;

    (void)state;
    p3d_text_add(&text, HEAD "\"gemm\": [");
    for (int dtype = 0; dtype < P3D_N_NUMBERS; dtype++)
        for (int layout = 0; layout < P3D_N_LAYOUTS; layout++)
            for (int how = 0; how < 3; how++)
                p3d_text_add(&text,
                        "%s{\"name\": \"p\", \"dtype\": \"%s\", \"layout\": "
                        "\"%s\", \"how\": \"%s\", \"m\": 32, \"n\": 48, "
                        "\"k\": 64, \"count\": %d}",
                        n++ > 0 ? "," : "", p3d_number_words[dtype],
                        p3d_layout_words[layout], hows[how], how == 0 ? 1 : 3);
    p3d_text_add(&text, "]}");
    write_request(p3d_text_get(&text));
    p3d_text_free(&text);
    got = measure("gemm --request request.json --samples 3 --warmup 1");
    assert_int_equal(got.gemm.n, n);
    for (int i = 0; i < n; i++) {
        const p3d_gemm_row *const row = &((p3d_gemm_row *)got.gemm.items)[i];

        assert_int_equal(row->n_checked, 64);
        assert_int_equal(row->accumulate, row->layout == P3D_LAYOUT_WGRAD);
        assert_true(row->error_frac < 0.02);
    }
    p3d_measurements_free(&got);
}

/* fp8 has sides in multiples of 16; 400 MB are more than the device has. */
static void products_that_cannot_be_run_are_left_out(void **state)
{
    p3d_measurements got;

    (void)state;
    write_request(HEAD
            "\"gemm\": [{\"dtype\": \"fp8\", \"layout\": \"forward\", \"how\": "
            "\"single\", \"m\": 8, \"n\": 16, \"k\": 16, \"count\": 1}, "
            "{\"dtype\": \"bf16\", \"layout\": \"dgrad\", \"how\": \"single\", "
            "\"m\": 10000, \"n\": 10000, \"k\": 10000, \"count\": 1}]}");
    got = measure("gemm --request request.json --samples 3 --warmup 1");
    assert_int_equal(got.gemm.n, 0);
    assert_non_null(strstr(got.note, "left out"));
    p3d_measurements_free(&got);
}

static void sustained_runs_are_rows_of_their_own(void **state)
{
    p3d_measurements got;

    (void)state;
    write_request(HEAD
            "\"gemm\": [{\"dtype\": \"bf16\", \"layout\": \"forward\", "
            "\"how\": "
            "\"single\", \"m\": 16, \"n\": 16, \"k\": 16, \"count\": 1}]}");
    got = measure("gemm --request request.json --samples 3 --warmup 1 "
                  "--sustain 100ms");
    assert_int_equal(got.gemm.n, 2);
    assert_false(((p3d_gemm_row *)got.gemm.items)[0].sustained);
    assert_true(((p3d_gemm_row *)got.gemm.items)[1].sustained);
    p3d_measurements_free(&got);
}

static void attention_is_measured_without_cudnn(void **state)
{
    p3d_measurements got;
    const p3d_attention_row *rows;

    (void)state;
    write_request(HEAD
            "\"attention\": [{\"dtype\": \"bf16\", \"backward\": false, "
            "\"causal\": true, \"batch\": 2, \"heads\": 4, \"kv_heads\": 2, "
            "\"seq_q\": 24, \"seq_kv\": 48, \"qk_dim\": 8, \"v_dim\": 16, "
            "\"count\": 2}, {\"dtype\": \"fp16\", \"backward\": true, "
            "\"causal\": false, \"batch\": 1, \"heads\": 2, \"kv_heads\": 2, "
            "\"seq_q\": 16, \"seq_kv\": 32, \"qk_dim\": 8, \"v_dim\": 8, "
            "\"count\": 1}]}");
    got = measure("attention --request request.json --samples 3 --warmup 1");
    rows = got.attention.items;
    assert_int_equal(got.attention.n, 2);
    assert_int_equal(rows[0].code, P3D_CODE_EAGER);
    assert_int_equal(rows[0].seq_kv, 24); /* one step of the ring */
    assert_int_equal(rows[0].n_checked, 2 * 64);
    assert_true(rows[1].backward);
    assert_int_equal(rows[1].n_checked, 4 * 64);
    p3d_measurements_free(&got);
}

static void memory_is_measured(void **state)
{
    const p3d_host_row *hosts;
    p3d_measurements got;

    (void)state;
    write_request(HEAD "\"pass\": [{\"bytes\": 100000, \"n_kernels\": 2}]}");
    got = measure("memory --request request.json --samples 3 --warmup 1");
    assert_int_equal(got.pass.n, 2);
    p3d_measurements_free(&got);
    got = measure("memory --min 64KiB --max 256KiB --threads 2 --samples 3 "
                  "--warmup 1");
    assert_int_equal(got.pass.n, 7 * 2);
    assert_int_equal(got.copy.n, 3 * 2);
    assert_int_equal(got.host.n, 2 * 3);
    hosts = got.host.items;
    assert_int_equal(hosts[2].kernel, P3D_HOST_ADAM);
    assert_int_equal(hosts[5].kernel, P3D_HOST_ADAM);
    assert_true(hosts[5].bytes < hosts[2].bytes);
    assert_in_range(hosts[5].n_gpus, 1, 64);
    p3d_measurements_free(&got);
}

/* 4 processes meet; every collective's data is right in both forms. */
static void collectives_of_processes_are_measured(void **state)
{
    p3d_measurements got;
    const p3d_collective_row *rows;

    (void)state;
    got = measure(
            "nccl --gpus 4 --min 1000B --max 4000B --samples 3 --warmup 1 "
            "--timeout 60s");
    rows = got.collective.items;
    /* 3 sizes; four collectives in both forms, two in one. */
    assert_int_equal(got.collective.n, 3 * (4 * 2 + 2));
    assert_int_equal(got.machine.n_ranks, 4);
    assert_int_equal(got.machine.n_nodes, 1);
    assert_int_equal(rows[0].bytes, 992); /* 62 numbers for each of 4 */
    for (int i = 0; i < got.collective.n; i++) {
        assert_int_equal(rows[i].n_ranks, 4);
        assert_true(rows[i].n_checked > 0);
        assert_true(rows[i].busbw_bytes_per_s > 0);
    }
    p3d_measurements_free(&got);
}

/* Groups of a plan: pairs, every second rank, in two steps; one alone, and all
 * at once. Groups of 3 cannot be formed. */
static void groups_of_a_plan_are_measured(void **state)
{
    static const int groups_at_once[] = {1, 2, 1, 2, 1, 2, 1};
    p3d_measurements got;
    const p3d_collective_row *rows;

    (void)state;
    write_request(HEAD
            "\"collective\": [{\"op\": \"all_gather\", \"axis\": \"tp\", "
            "\"n_ranks\": 2, \"stride\": 1, \"bytes\": 800}, {\"op\": "
            "\"all_to_all\", \"axis\": \"dp\", \"n_ranks\": 2, \"stride\": 2, "
            "\"bytes\": 800}, {\"op\": \"send_recv\", \"axis\": \"pp\", "
            "\"n_ranks\": 2, \"stride\": 1, \"n_inner\": 1, \"block\": 2, "
            "\"bytes\": 80}, {\"op\": \"all_reduce\", \"axis\": \"all\", "
            "\"n_ranks\": 4, \"stride\": 1, \"bytes\": 8}, {\"op\": "
            "\"all_reduce\", \"axis\": \"cp\", \"n_ranks\": 3, \"stride\": 1, "
            "\"bytes\": 8}]}");
    got = measure("nccl --gpus 4 --request request.json --samples 3 --warmup 1 "
                  "--timeout 60s");
    rows = got.collective.items;
    assert_int_equal(got.collective.n, P3D_COUNT_OF(groups_at_once));
    for (int i = 0; i < got.collective.n; i++)
        assert_int_equal(rows[i].n_groups, groups_at_once[i]);
    assert_string_equal(rows[2].axis, "dp");
    assert_non_null(strstr(got.note, "groups that these ranks cannot form"));
    p3d_measurements_free(&got);
}

/** A collective of one rank is a copy, or nothing: no row may say otherwise. */
static void one_rank_has_no_link(void **state)
{
    static const int columns[] = {16};
    p3d_measurements got;

    (void)state;
    assert_int_equal(run("nccl --min 1KiB --max 1KiB --samples 3"), 3);
    assert_true(log_has("one rank has no link; start one for each GPU"));
    write_products("single", columns, 1);
    got = measure("overlap --request request.json --max 64KiB --samples 3");
    assert_int_equal(got.overlap.n, 2);
    assert_int_equal(
            ((p3d_overlap_row *)got.overlap.items)->op, P3D_OP_COPY_H2D);
    assert_non_null(strstr(got.note, "no link was measured"));
    p3d_measurements_free(&got);
}

static void overlap_is_measured(void **state)
{
    p3d_measurements got;
    const p3d_overlap_row *rows;

    (void)state;
    write_request(HEAD
            "\"gemm\": [{\"dtype\": \"bf16\", \"layout\": \"forward\", "
            "\"how\": "
            "\"single\", \"m\": 16, \"n\": 16, \"k\": 16, \"count\": 1}, "
            "{\"dtype\": \"fp16\", \"layout\": \"dgrad\", \"how\": \"single\", "
            "\"m\": 16, \"n\": 16, \"k\": 32, \"count\": 1}]}");
    got = measure("overlap --gpus 2 --request request.json --max 64KiB "
                  "--samples 3 --timeout 60s");
    rows = got.overlap.items;
    assert_int_equal(got.overlap.n, 7);
    assert_int_equal(rows[0].k, 32);
    assert_int_equal(rows[0].dtype, P3D_NUMBER_FP16);
    assert_int_equal(rows[0].n_ranks, 2);
    assert_int_equal(rows[6].op, P3D_OP_COPY_D2H);
    assert_int_equal(rows[6].n_ranks, 1);
    p3d_measurements_free(&got);
    assert_int_equal(run_with("CUDA_DEVICE_MAX_CONNECTIONS=1",
                             "overlap --gpus 2 --request request.json"),
            3);
    assert_true(log_has("CUDA_DEVICE_MAX_CONNECTIONS=1 puts all streams in"));
}

/* More launches than a device takes would stop the host in the middle. */
static void overlap_queues_no_more_than_a_device_takes(void **state)
{
    static const int columns[] = {16};
    p3d_measurements got;

    (void)state;
    write_products("single", columns, 1);
    got = measure_with("FAKE_MOST_QUEUED=1024",
            "overlap --request request.json --min 64B --max 64B --samples 3",
            0);
    assert_int_equal(got.overlap.n, 2);
    p3d_measurements_free(&got);
}

static void capacity_is_measured(void **state)
{
    p3d_measurements got;
    const p3d_capacity_row *row;

    (void)state;
    write_request(
            HEAD "\"piece\": [{\"name\": \"weights\", \"bytes\": 50000001, "
                 "\"count\": 3}, {\"name\": \"rest\", \"bytes\": 1000, "
                 "\"count\": 1000}]}");
    got = measure("capacity --request request.json");
    row = got.capacity.items;
    assert_true(row->fits);
    assert_int_equal(row->wanted_bytes, 50001001);
    assert_int_equal(row->n_pieces, 1003);
    /* All but the workspace, to 2 MiB. */
    assert_in_range(row->largest_bytes, 158 << 20, 160 << 20);
    p3d_measurements_free(&got);
    write_request(HEAD "\"piece\": [{\"name\": \"weights\", \"bytes\": "
                       "200000000, \"count\": 10}]}");
    got = measure("capacity --request request.json");
    row = got.capacity.items;
    assert_false(row->fits);
    assert_non_null(strstr(got.note, "one of a single rank"));
    p3d_measurements_free(&got);
    got = measure("capacity --request request.json --gpus 2 --timeout 60s");
    row = got.capacity.items;
    assert_int_equal(got.capacity.n, 1);
    assert_int_equal(got.machine.n_ranks, 2);
    assert_false(row->fits);
    assert_null(strstr(got.note, "one of a single rank"));
    p3d_measurements_free(&got);
}

/* A launcher starts a process a GPU, also where one device is measured. */
static void one_of_several_ranks_measures_a_device(void **state)
{
    char path[PATH];

    (void)state;
    write_request(HEAD "\"pass\": []}");
    snprintf(path, sizeof(path), "%s/ranks.json", folder);
    assert_int_equal(run_with(ONE_OF_TWO "RANK=1 LOCAL_RANK=1",
                             "memory --request request.json -o ranks.json"),
            0);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(run_with(ONE_OF_TWO "RANK=0 LOCAL_RANK=0",
                             "memory --request request.json -o ranks.json"),
            0);
    assert_int_equal(access(path, F_OK), 0);
}

static void what_is_wrong_has_its_exit_status(void **state)
{
    (void)state;
    assert_int_equal(run("gemm --points 1 --samples 2"), 2);
    assert_int_equal(run("gemm --device 9"), 5);
    assert_int_equal(run("nccl --gpus 2 --max 1GiB --timeout 20s"), 3);
    assert_int_equal(run("gemm -o /dev/null"), 3);
}

static int remove_folder(void **state)
{
    char line[PATH];

    (void)state;
    snprintf(line, sizeof(line), "rm -rf %s", folder);
    return system(line);
}

/* One operation of each kind. */
#define ONE_OF_EACH                                                            \
    HEAD "\"gemm\": [{\"dtype\": \"bf16\", \"layout\": \"forward\", "          \
         "\"how\": \"single\", \"m\": 16, \"n\": 40, \"k\": 16, "              \
         "\"count\": 1}], \"attention\": [{\"dtype\": \"bf16\", "              \
         "\"backward\": false, \"causal\": true, \"batch\": 1, \"heads\": 2, " \
         "\"kv_heads\": 2, \"seq_q\": 16, \"seq_kv\": 16, \"qk_dim\": 8, "     \
         "\"v_dim\": 8, \"count\": 1}], \"pass\": [{\"bytes\": 100000, "       \
         "\"n_kernels\": 1}], \"collective\": [{\"op\": \"all_reduce\", "      \
         "\"axis\": \"tp\", \"n_ranks\": 2, \"stride\": 1, "                   \
         "\"bytes\": 800}]}"
#define QUICK                                                          \
    "quick --request request.json --samples 3 --warmup 1 --max 64KiB " \
    "--timeout 60s "

static void assert_all_kinds(const p3d_measurements *got, int n_ranks)
{
    assert_int_equal(got->machine.n_ranks, n_ranks);
    assert_int_equal(got->gemm.n, 1);
    assert_int_equal(got->attention.n, 1);
    assert_int_equal(got->pass.n, 2);
    assert_int_equal(got->collective.n, n_ranks > 1 ? 1 : 0);
    assert_true(got->overlap.n > 0);
    assert_int_equal(got->capacity.n, 1);
    assert_null(strstr(got->note, "incomplete"));
    assert_null(strstr(got->note, "left out for time"));
}

static void a_quick_run_measures_all_parts(void **state)
{
    p3d_measurements got;

    (void)state;
    write_request(ONE_OF_EACH);
    got = measure(QUICK);
    assert_all_kinds(&got, 1);
    p3d_measurements_free(&got);
    assert_true(log_has("[....................] 1 of 6: gemm; about 4 min"));
    got = measure(QUICK "--gpus 2");
    assert_all_kinds(&got, 2);
    p3d_measurements_free(&got);
    /* What this machine cannot run is left out, on all ranks. */
    got = measure_with("CUDA_DEVICE_MAX_CONNECTIONS=1", QUICK "--gpus 2", 0);
    assert_int_equal(got.overlap.n, 0);
    assert_int_equal(got.capacity.n, 1);
    assert_non_null(strstr(got.note, "overlap was left out: CUDA_DEVICE_"));
    p3d_measurements_free(&got);
}

/* Of hundreds of products those that a step spends most on. */
static void a_quick_run_chooses_products(void **state)
{
    enum { MANY = 60, MOST = 48 };
    int columns[MANY];
    p3d_measurements got;

    (void)state;
    for (int i = 0; i < MANY; i++)
        columns[i] = 8 * (i + 1);
    write_products("single", columns, MANY);
    got = measure(PRODUCTS);
    assert_int_equal(got.gemm.n, MANY);
    p3d_measurements_free(&got);
    got = measure(QUICK "--budget 1ms");
    assert_int_equal(got.gemm.n, MOST);
    p3d_measurements_free(&got);
}

/* Ended for time, by a broken device, or by a scheduler: the rows of whole
 * parts stay, the last part is measured anew. */
static void a_quick_run_is_taken_up(void **state)
{
    char path[PATH];
    p3d_measurements got;
    p3d_error err = {0};

    (void)state;
    snprintf(path, sizeof(path), "%s/out.json", folder);
    write_request(ONE_OF_EACH);
    got = measure(QUICK "--gpus 2 --budget 1ms");
    assert_int_equal(got.gemm.n, 1);
    assert_int_equal(got.collective.n, 0);
    assert_non_null(strstr(got.note, "left out for time: nccl, attention, "));
    p3d_measurements_free(&got);
    /* Another number of ranks is another machine. */
    assert_int_equal(run(QUICK "--resume -o out.json"), 3);
    assert_true(log_has("--resume: out.json is of another device, or of 2 "));
    assert_int_equal(run(QUICK "--gpus 2 --resume -o out.json"), 0);
    assert_false(log_has("1 of 6: gemm"));
    assert_true(p3d_measurements_open(path, &got, &err));
    assert_all_kinds(&got, 2);
    p3d_measurements_free(&got);
    assert_int_equal(run(QUICK "--gpus 2 --resume -o out.json"), 3);
    assert_true(log_has("is whole; there is nothing left to measure"));
    /* What the note says of the rows of whole parts stays. */
    write_products("single", (const int[]){16, 40}, 2);
    got = measure_with("FAKE_NO_KERNEL_FOR=40", QUICK "--budget 1ms", 0);
    assert_non_null(strstr(got.note, "some products were left out"));
    p3d_measurements_free(&got);
    assert_int_equal(run(QUICK "--resume -o out.json"), 0);
    assert_true(p3d_measurements_open(path, &got, &err));
    assert_non_null(strstr(got.note, "some products were left out"));
    assert_null(strstr(got.note, "left out for time"));
    p3d_measurements_free(&got);

    write_request(
            HEAD "\"gemm\": [{\"dtype\": \"bf16\", \"layout\": \"forward\", "
                 "\"how\": \"single\", \"m\": 8, \"n\": 16, \"k\": 8, "
                 "\"count\": 1}, "
                 "{\"dtype\": \"bf16\", \"layout\": \"forward\", \"how\": "
                 "\"single\", \"m\": 8, \"n\": 40, \"k\": 8, \"count\": 1}]}");
    got = measure_with("FAKE_KILLED_FOR=40", QUICK, 137);
    assert_int_equal(got.gemm.n, 1);
    p3d_measurements_free(&got);
    assert_int_equal(run(QUICK "--resume -o out.json"), 0);
    assert_true(p3d_measurements_open(path, &got, &err));
    assert_int_equal(got.gemm.n, 2);
    p3d_measurements_free(&got);
    assert_int_equal(run(QUICK "--resume"), 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(products_are_measured),
            cmocka_unit_test(products_that_cannot_be_run_are_left_out),
            cmocka_unit_test(buffers_are_aligned),
            cmocka_unit_test(products_without_a_kernel_are_left_out),
            cmocka_unit_test(rows_are_kept_as_they_come),
            cmocka_unit_test(products_are_run_on_all_devices),
            cmocka_unit_test(links_that_are_slow_are_no_lost_ranks),
            cmocka_unit_test(a_killed_rank_ends_the_others),
            cmocka_unit_test(ranks_of_mpirun_are_measured),
            cmocka_unit_test(sustained_runs_are_rows_of_their_own),
            cmocka_unit_test(attention_is_measured_without_cudnn),
            cmocka_unit_test(memory_is_measured),
            cmocka_unit_test(collectives_of_processes_are_measured),
            cmocka_unit_test(groups_of_a_plan_are_measured),
            cmocka_unit_test(one_rank_has_no_link),
            cmocka_unit_test(overlap_is_measured),
            cmocka_unit_test(overlap_queues_no_more_than_a_device_takes),
            cmocka_unit_test(capacity_is_measured),
            cmocka_unit_test(one_of_several_ranks_measures_a_device),
            cmocka_unit_test(what_is_wrong_has_its_exit_status),
            cmocka_unit_test(a_quick_run_measures_all_parts),
            cmocka_unit_test(a_quick_run_chooses_products),
            cmocka_unit_test(a_quick_run_is_taken_up),
    };

    assert_true(argc > 0 && mkdtemp(folder) != NULL);
    beside_find(argv[0], program, sizeof(program));
    return cmocka_run_group_tests_name("program", tests, NULL, remove_folder);
}
