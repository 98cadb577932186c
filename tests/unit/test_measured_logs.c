/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_measured_logs.c - logs of nccl-tests and mamf-finder as measurements. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "plan3d/measurements.h"

/* Reads a text as a file, whose name may say more. */
static bool open_named(const char *name, const char *text,
        p3d_measurements *out, p3d_error *err)
{
    char folder[] = "/tmp/plan3d-logs-XXXXXX";
    char path[128];
    FILE *file;
    bool ok;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    ok = p3d_measurements_open(path, out, err);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
    return ok;
}

static p3d_measurements read_text(const char *name, const char *text)
{
    p3d_measurements got = {0};
    p3d_error err = {0};

    if (!open_named(name, text, &got, &err))
        fail_msg("%d: %s", err.line, err.text);
    return got;
}

#define SIZE_LINE                                                           \
    "#       size         count      type   redop    root     time   algbw" \
    "   busbw  #wrong     time   algbw   busbw  #wrong\n"
#define RANK(rank, group, host)                                    \
    "#  Rank  " #rank " Group  " #group " Pid  4711 on      " host \
    " device  " #rank " [0000:1b:00] NVIDIA H100 80GB HBM3\n"
#define FOOT                          \
    "# Out of bounds values : 0 OK\n" \
    "# Avg bus bandwidth    : 123.4 \n"
#define HEAD                                                              \
    "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1048576 step: 2(factor) " \
    "warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n"     \
    "#\n# Using devices\n"
#define RUN(program, ranks, rows)                                         \
    "# nccl-tests version 2.17.6 nccl-headers=22809 nccl-library=22809\n" \
    "# Collective test starting: " program "_perf\n" HEAD ranks SIZE_LINE \
    "#        (B)    (elements)\n" rows FOOT

static void both_halves_of_a_row_are_read(void **state)
{
    p3d_measurements got = read_text("log",
            RUN("all_reduce", RANK(0, 0, "a") RANK(1, 0, "a") RANK(2, 0, "b"),
                    " 1048576  262144  float  sum  -1  50.00  20.97  27.96  0"
                    "  40.00  26.21  34.95  0\n"));
    const p3d_collective_row *const rows = got.collective.items;

    (void)state;
    assert_int_equal(got.collective.n, 2);
    assert_int_equal(rows[0].op, P3D_OP_ALL_REDUCE);
    assert_int_equal(rows[0].bytes, 1048576);
    assert_int_equal(rows[0].n_ranks, 3);
    assert_int_equal(rows[0].n_nodes, 2);
    assert_int_equal(rows[0].n_groups, 1);
    assert_int_equal(rows[0].timing.n_samples, 20);
    assert_false(rows[0].in_place);
    CHECK_REL(rows[0].timing.median_s, 50e-6, 1e-12);
    CHECK_REL(rows[0].busbw_bytes_per_s, 1048576 / 50e-6 * 4 / 3, 1e-12);
    assert_true(rows[1].in_place);
    CHECK_REL(rows[1].timing.median_s, 40e-6, 1e-12);
    assert_string_equal(got.machine.name, "NVIDIA H100 80GB HBM3");
    p3d_measurements_free(&got);
}

/* Runs one after the other, as a loop over programs writes them; groups of a
 * split job; empty messages; lines of others between. */
static void several_runs_are_one_file(void **state)
{
    p3d_measurements got = read_text("log",
            RUN("all_gather", RANK(0, 0, "a") RANK(1, 1, "a"),
                    "  0  0  float  none  -1  0.10  0.0  0.0  0  0.1 0 0 0\n"
                    "node7: NCCL INFO something\n"
                    "  64  16  float  none  -1  1.00  0.1  0.0  0  1.1 0 0 "
                    "N/A\n") RUN("alltoall", RANK(0, 0, "a") RANK(1, 0, "a"),
                    "  64  16  float  none  -1  2.00  0.1  0.0  0  2.2 0 0 "
                    "N/A\n"));
    const p3d_collective_row *const rows = got.collective.items;

    (void)state;
    assert_int_equal(got.collective.n, 4);
    assert_int_equal(rows[0].op, P3D_OP_ALL_GATHER);
    assert_int_equal(rows[0].n_ranks, 1);
    assert_int_equal(rows[0].n_groups, 2);
    assert_int_equal(rows[2].op, P3D_OP_ALL_TO_ALL);
    assert_int_equal(rows[2].n_ranks, 2);
    assert_int_equal(rows[3].n_groups, 1);
    p3d_measurements_free(&got);
}

/* Older versions do not say which program they are. */
static void the_file_may_name_the_program(void **state)
{
    static const char text[] = HEAD RANK(0, 0, "a") SIZE_LINE
            " 64  16  float  sum  -1  1.0  0.1  0.1  0  1.0 0.1 0.1 0\n" FOOT;
    p3d_measurements got = read_text("reduce_scatter_perf.txt", text);
    p3d_error err = {0};

    (void)state;
    assert_int_equal(((p3d_collective_row *)got.collective.items)->op,
            P3D_OP_REDUCE_SCATTER);
    p3d_measurements_free(&got);
    assert_false(open_named("log.txt", text, &got, &err));
    test_check_error(&err, P3D_DATA, "which collective this is");
}

static void wrong_logs_of_collectives_are_refused(void **state)
{
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
            {RUN("all_reduce", RANK(0, 0, "a"),
                     " 64  16  float  sum  -1  1.0  0.1\n"),
                    9, "7 of 13 columns"},
            {RUN("all_reduce", RANK(0, 0, "a"),
                     " 64  16  float  sum  -1  1.0  0.1 0.1 3 1.0 0.1 0.1 0\n"),
                    9, "3 wrong values"},
            {RUN("all_reduce", RANK(0, 0, "a"),
                     " 64  16  float  sum  -1  x  0.1 0.1 0 1.0 0.1 0.1 0\n"),
                    9, "no time"},
            {RUN("all_reduce", RANK(0, 0, "a"), ""), 10, "no measurement"},
            {RUN("all_reduce", "", " 64  16\n"), 6, "no line '#  Rank"},
            {"# nccl-tests version 2.17.6\n" HEAD RANK(0, 0, "a"), 5,
                    "the run did not end"},
            {HEAD "#  Rank  0 Group 0 Pid 1 on a device 0\n" FOOT, 4,
                    "without its device"},
            {"# all_reduce_perf\n" HEAD RANK(
                     0, 0, "a") "# size count type redop root cputime algbw "
                                "busbw #wrong\n" FOOT,
                    6, "times of the host"},
            {"# all_reduce_perf\n" HEAD RANK(
                     0, 0, "a") "#  Rank  1 Group  0 Pid 1 on a device 1 "
                                "[0000:1b:00] NVIDIA "
                                "A100\n" FOOT,
                    6, "devices of two types"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_measurements got = {.schema = 7};
        p3d_error err = {0};

        assert_false(open_named("log", cases[i].text, &got, &err));
        test_check_error(&err, P3D_DATA, cases[i].words);
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(got.schema, 7);
    }
}

#define MAMF_HEAD                                                     \
    "Benchmark started on 2026-02-03 04:05:06\n"                      \
    "** Command line:\npython mamf-finder.py --m 64\n"                \
    "** Dtype: torch.bfloat16\n** Platform/Device info:\n"            \
    "- _CudaDeviceProperties(name='NVIDIA H100 80GB HBM3', major=9, " \
    "minor=0, total_memory=81079MB, multi_processor_count=132, L2=50MB)\n"
#define MAMF_FOOT                                 \
    "Tried 2 shapes => the best outcomes were:\n" \
    "mean:   600.0 TFLOPS @ 8192x8192x8192 (MxNxK)\n"

/* Two formats; progress overwrites its line by a carriage return. */
static void medians_of_shapes_are_read(void **state)
{
    static const char *const texts[] = {MAMF_HEAD
            "     1 |  400.0(mean)  412.3(median)  420.0(max) @ "
            "1024x2048x4096       | best:  1.0(mean)  1.0(median)  1.0(max) "
            "TFLOPS\r"
            "     2 |  600.0(mean)  612.3(median)  620.0(max) @ "
            "8192x8192x8192       | best:  1.0(mean)  1.0(median)  1.0(max) "
            "TFLOPS\n" MAMF_FOOT,
            MAMF_HEAD
            "   num  shape                mean median    max   best     W   "
            "MHz\n"
            "     1  1024x2048x4096      400.0  412.3  420.0  400.0   650  "
            "1755\n"
            "     2  8192x8192x8192      600.0  612.3  620.0  600.0   690  "
            "1700\n" MAMF_FOOT};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(texts); i++) {
        p3d_measurements got = read_text("log", texts[i]);
        const p3d_gemm_row *const rows = got.gemm.items;

        assert_int_equal(got.gemm.n, 2);
        assert_int_equal(rows[0].m, 1024);
        assert_int_equal(rows[0].n, 2048);
        assert_int_equal(rows[0].k, 4096);
        assert_int_equal(rows[0].count, 1);
        assert_int_equal(rows[0].dtype, P3D_NUMBER_BF16);
        CHECK_REL(rows[0].timing.median_s, 2.0 * 1024 * 2048 * 4096 / 412.3e12,
                1e-12);
        CHECK_REL(rows[1].timing.median_s, 2.0 * 8192 * 8192 * 8192 / 612.3e12,
                1e-12);
        assert_string_equal(got.machine.name, "NVIDIA H100 80GB HBM3");
        assert_int_equal(got.machine.memory_bytes, (int64_t)81079 << 20);
        assert_int_equal(got.machine.n_sms, 132);
        assert_string_equal(got.date, "2026-02-03T04:05:06");
        p3d_measurements_free(&got);
    }
}

static void wrong_logs_of_products_are_refused(void **state)
{
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
            {MAMF_HEAD "     1  64x64x64  1.0  1.0  1.0\n", 7,
                    "the run did not end"},
            {MAMF_HEAD MAMF_FOOT, 8, "no line of a shape"},
            {"mamf-finder.py\n 1  64x64x64  1.0  1.0  1.0\n" MAMF_FOOT, 2,
                    "no line '** Dtype:'"},
            {"mamf-finder.py\n** Dtype: nvfp4\n", 2, "'nvfp4' have no"},
            {"mamf-finder.py\n** Dtype: float16\n 1  64x64x64  1.0  1.0 "
             "1.0\n" MAMF_FOOT,
                    5, "properties of a CUDA device"},
            {MAMF_HEAD "     1  64x64x64  1.0\n" MAMF_FOOT, 7,
                    "without its median"},
            {MAMF_HEAD "     1  64x64x64  1.0  0.0  1.0\n" MAMF_FOOT, 7,
                    "without its median"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_measurements got = {.schema = 7};
        p3d_error err = {0};

        assert_false(open_named("log", cases[i].text, &got, &err));
        test_check_error(&err, P3D_DATA, cases[i].words);
        assert_int_equal(err.line, cases[i].line);
    }
}

/* However a log is cut, it is read or refused in one line. */
static void every_beginning_of_a_log_is_read_or_refused(void **state)
{
    static const char *const texts[] = {
            RUN("all_reduce", RANK(0, 0, "a"),
                    " 64  16  float  sum  -1  1.0 0.1 0.1 0 1.0 0.1 0.1 0\n"),
            MAMF_HEAD "     1  64x64x64  1.0  1.0  1.0\n" MAMF_FOOT};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(texts); i++) {
        for (size_t n = 0; n < strlen(texts[i]); n++) {
            char text[2048];
            p3d_measurements got = {.schema = 7};
            p3d_error err = {0};

            snprintf(text, sizeof(text), "%.*s", (int)n, texts[i]);
            if (open_named("log", text, &got, &err))
                p3d_measurements_free(&got);
            else
                assert_int_equal(err.code, P3D_DATA);
        }
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
            "hello\n", "size,time\n1,2\n", "\001\002", "# nothing\n"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(texts); i++) {
        p3d_measurements got = {.schema = 7};
        p3d_error err = {0};

        assert_false(open_named("log", texts[i], &got, &err));
        test_check_error(&err, P3D_DATA, "neither JSON of plan3d-bench nor");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(both_halves_of_a_row_are_read),
            cmocka_unit_test(several_runs_are_one_file),
            cmocka_unit_test(the_file_may_name_the_program),
            cmocka_unit_test(wrong_logs_of_collectives_are_refused),
            cmocka_unit_test(medians_of_shapes_are_read),
            cmocka_unit_test(wrong_logs_of_products_are_refused),
            cmocka_unit_test(every_beginning_of_a_log_is_read_or_refused),
            cmocka_unit_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests_name("measured_logs", tests, NULL, NULL);
}
