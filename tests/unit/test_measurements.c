/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_measurements.c - files of measurements: what is written is read again,
 * what is wrong is refused at its place. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "exchange/measure/measurements.h"

#define DEVICE                                                             \
    "\"device\": {\"name\": \"H100\", \"uuid_hash\": \"00ff\", "           \
    "\"compute_capability\": 90, \"n_sms\": 132, \"memory_bytes\": 1000, " \
    "\"cuda\": \"13.0\", \"n_ranks\": 1, \"n_nodes\": 1}"
#define HEAD                                                             \
    "{\"schema\": 1, \"program\": \"p\", \"command\": \"c\", \"date\": " \
    "\"d\",\n" DEVICE
#define TIMING "\"n_samples\": 3, \"median_s\": 2, \"p10_s\": 1, \"p90_s\": 3"

static bool open_text(const char *text, p3d_measurements *out, p3d_error *err)
{
    char path[] = "/tmp/plan3d-measured-XXXXXX";
    const int fd = mkstemp(path);
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    ok = p3d_measurements_open(path, out, err);
    unlink(path);
    return ok;
}

static const p3d_timing timing = {
        .n_samples = 30, .median_s = 1.5e-3, .p10_s = 1.25e-3, .p90_s = 2e-3};

static p3d_gemm_row a_gemm = {.name = "MLP up",
        .dtype = P3D_NUMBER_FP8,
        .layout = P3D_LAYOUT_WGRAD,
        .how = P3D_GEMM_LOOP,
        .m = 4096,
        .n = 8192,
        .k = 28672,
        .count = 8,
        .accumulate = true,
        .timing = {30, 1.5e-3, 1.25e-3, 2e-3},
        .n_checked = 64,
        .error_frac = 1e-4};
static p3d_attention_row a_attention = {.code = P3D_CODE_CUDNN,
        .backward = true,
        .causal = true,
        .batch = 1,
        .heads = 32,
        .kv_heads = 8,
        .seq_q = 4096,
        .seq_kv = 4096,
        .qk_dim = 128,
        .v_dim = 128,
        .n_checked = 128,
        .error_frac = 0.001,
        .timing = {30, 1.5e-3, 1.25e-3, 2e-3}};
static p3d_collective_row a_collective = {.op = P3D_OP_ALL_REDUCE,
        .axis = "tp",
        .n_ranks = 4,
        .n_nodes = 1,
        .n_groups = 2,
        .bytes = 3000,
        .timing = {30, 1.5e-3, 1.25e-3, 2e-3},
        .algbw_bytes_per_s = 2e6,
        .busbw_bytes_per_s = 3e6};
static p3d_pass_row a_pass = {P3D_KERNEL_ADAM, 30, {1, 1, 1, 1}};
static p3d_copy_row a_copy = {P3D_COPY_BOTH, 30, {1, 1, 1, 1}};
static p3d_host_row a_host = {P3D_HOST_ADAM, 4, 8, 30, {1, 1, 1, 1}};
static p3d_overlap_row a_overlap = {
        P3D_OP_COPY_D2H, P3D_NUMBER_BF16, 1, 2, 3, 4, 1, 0.5, 0.75, 1, 2};
static p3d_capacity_row a_capacity = {.context_bytes = 5, .fits = true};

static p3d_measurements a_file(void)
{
    p3d_measurements file = {.schema = 1,
            .program = "plan3d-bench",
            .command = "plan3d-bench gemm",
            .date = "2026-11-21T04:00:00Z",
            .machine = {.name = "NVIDIA H100",
                    .uuid_hash = "0123456789abcdef",
                    .compute_capability = 90,
                    .n_sms = 132,
                    .memory_bytes = 85000000000,
                    .sm_hz = 1.98e9,
                    .cuda = "13.0",
                    .n_ranks = 8,
                    .n_nodes = 1}};

    file.gemm = (p3d_rows){&a_gemm, 1};
    file.attention = (p3d_rows){&a_attention, 1};
    file.pass = (p3d_rows){&a_pass, 1};
    file.copy = (p3d_rows){&a_copy, 1};
    file.host = (p3d_rows){&a_host, 1};
    file.collective = (p3d_rows){&a_collective, 1};
    file.overlap = (p3d_rows){&a_overlap, 1};
    file.capacity = (p3d_rows){&a_capacity, 1};
    return file;
}

static void what_is_written_is_read_again(void **state)
{
    const p3d_measurements written = a_file();
    p3d_measurements got = {0};
    p3d_text text = {0};
    p3d_error err = {0};
    const p3d_gemm_row *gemm;
    const p3d_overlap_row *overlap;

    (void)state;
    exchange_measurements_write(&written, &text);
    if (!open_text(p3d_text_get(&text), &got, &err))
        fail_msg("%s: %s", err.pointer, err.text);
    gemm = got.gemm.items;
    overlap = got.overlap.items;
    assert_string_equal(got.machine.name, "NVIDIA H100");
    assert_true(got.machine.sm_hz == 1.98e9);
    assert_string_equal(got.machine.nccl, "");
    assert_string_equal(gemm->name, "MLP up");
    assert_int_equal(gemm->dtype, P3D_NUMBER_FP8);
    assert_int_equal(gemm->layout, P3D_LAYOUT_WGRAD);
    assert_int_equal(gemm->how, P3D_GEMM_LOOP);
    assert_true(gemm->accumulate && !gemm->sustained);
    assert_true(gemm->timing.median_s == timing.median_s);
    assert_int_equal(
            ((const p3d_attention_row *)got.attention.items)->seq_kv, 4096);
    assert_int_equal(
            ((const p3d_pass_row *)got.pass.items)->kernel, P3D_KERNEL_ADAM);
    assert_int_equal(((const p3d_host_row *)got.host.items)->n_threads, 4);
    assert_int_equal(
            ((const p3d_copy_row *)got.copy.items)->direction, P3D_COPY_BOTH);
    assert_string_equal(
            ((const p3d_collective_row *)got.collective.items)->axis, "tp");
    assert_int_equal(overlap->op, P3D_OP_COPY_D2H);
    assert_true(overlap->gemm_beside_s == 0.75);
    assert_true(((const p3d_capacity_row *)got.capacity.items)->fits);
    p3d_measurements_free(&got);
    p3d_measurements_free(&got);
    p3d_text_free(&text);
}

static void a_file_without_rows_is_one(void **state)
{
    p3d_measurements got = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(open_text(HEAD "}", &got, &err));
    assert_int_equal(got.gemm.n, 0);
    assert_null(got.gemm.items);
    p3d_measurements_free(&got);
}

static const struct {
    const char *text;
    int line;
    const char *pointer;
    const char *words;
} wrong_files[] = {
        {"[]", 1, "", "not an object"},
        {"{\"schema\": 2}", 1, "/schema", "write 1"},
        {"{\"schema\": 1, \"program\": \"p\", \"command\": \"c\", "
         "\"date\": \"d\"}",
                1, "", "'device' is missing"},
        {HEAD ", \"gem\": []}", 2, "/gem", "gemm"},
        {HEAD ",\n\"pass\": {}}", 3, "/pass", "write [...]"},
        {HEAD ",\n\"pass\": [3]}", 3, "/pass/0", "write {...}"},
        {HEAD ",\n\"pass\": [{\"kernel\": \"scal\", \"bytes\": 1, " TIMING
              "}]}",
                3, "/pass/0/kernel", "did you mean 'scale'"},
        {HEAD ",\n\"pass\": [{\"kernel\": \"matrix\", \"bytes\": 1, " TIMING
              "}]}",
                3, "/pass/0/kernel", "write one of copy, scale"},
        {HEAD ",\n\"pass\": [{\"kernel\": 3, \"bytes\": 1, " TIMING "}]}", 3,
                "/pass/0/kernel", "write \"kernel\": \"copy\""},
        {HEAD ",\n\"pass\": [{\"kernel\": \"add\", " TIMING "}]}", 3, "/pass/0",
                "'bytes' is missing"},
        {HEAD ",\n\"pass\": [{\"kernel\": \"add\", \"bytes\": 0, " TIMING "}]}",
                3, "/pass/0/bytes", "from 1"},
        {HEAD ",\n\"pass\": [{\"kernel\": \"add\", \"bytes\": 8, "
              "\"n_samples\": 3, \"median_s\": 2, \"p10_s\": 1, "
              "\"p90_s\": 1.5}]}",
                3, "/pass/0/median_s", "not between"},
        {HEAD ",\n\"pass\": [{\"kernel\": \"add\", \"bytes\": 8, "
              "\"n_samples\": 3, \"median_s\": 0, \"p10_s\": 0, "
              "\"p90_s\": 1.5}]}",
                3, "/pass/0/median_s", "1e-09"},
        {HEAD ",\n\"collective\": [{\"op\": \"all_reduce\", \"axis\": "
              "\"all\", \"n_ranks\": 2, \"n_nodes\": 1, \"n_groups\": 1, "
              "\"in_place\": false, \"bytes\": 8, \"n_checked\": 0, " TIMING
              ", \"algbw_bytes_per_s\": 4, \"busbw_bytes_per_s\": 8}]}",
                3, "/collective/0/busbw_bytes_per_s", "times the factor"},
        {HEAD ",\n\"collective\": [{\"op\": \"all_reduce\", \"axis\": "
              "\"all\", \"n_ranks\": 2, \"n_nodes\": 1, \"n_groups\": 1, "
              "\"in_place\": false, \"bytes\": 8, \"n_checked\": 0, " TIMING
              ", \"algbw_bytes_per_s\": 5, \"busbw_bytes_per_s\": 5}]}",
                3, "/collective/0/algbw_bytes_per_s", "over median_s"},
};

static void wrong_files_are_refused_at_their_place(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(wrong_files); i++) {
        p3d_measurements got = {.schema = 7};
        p3d_error err = {0};

        assert_false(open_text(wrong_files[i].text, &got, &err));
        test_check_error(&err, P3D_DATA, wrong_files[i].words);
        assert_int_equal(err.line, wrong_files[i].line);
        assert_string_equal(err.pointer, wrong_files[i].pointer);
        assert_int_equal(got.schema, 7);
    }
}

static void a_file_that_is_not_there_is_said(void **state)
{
    p3d_measurements got = {0};
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_measurements_open("/nowhere/none.json", &got, &err));
    test_check_error(&err, P3D_DATA, "no such file");
}

/* Worked examples of nccl-tests doc/PERFORMANCE.md: 2 (n-1)/n and (n-1)/n. */
static void bus_factors_are_those_of_nccl_tests(void **state)
{
    (void)state;
    CHECK_REL(p3d_bus_factor(P3D_OP_ALL_REDUCE, 8), 1.75, 1e-15);
    CHECK_REL(p3d_bus_factor(P3D_OP_ALL_GATHER, 8), 0.875, 1e-15);
    CHECK_REL(p3d_bus_factor(P3D_OP_REDUCE_SCATTER, 4), 0.75, 1e-15);
    CHECK_REL(p3d_bus_factor(P3D_OP_ALL_TO_ALL, 2), 0.5, 1e-15);
    CHECK_REL(p3d_bus_factor(P3D_OP_BROADCAST, 8), 1, 1e-15);
    CHECK_REL(p3d_bus_factor(P3D_OP_SEND_RECV, 8), 1, 1e-15);
    assert_true(p3d_bus_factor(P3D_OP_ALL_REDUCE, 1) == 0);
    assert_true(p3d_bus_factor(P3D_OP_SEND_RECV, 1) == 0);
}

/* Whole rows of 4096 elements: a sum moves 6 bytes of each, a norm 4. */
static void a_pass_moves_whole_rows(void **state)
{
    (void)state;
    assert_int_equal(p3d_kernel_bytes(P3D_KERNEL_ADD, 1), 6 * 4096);
    assert_int_equal(p3d_kernel_bytes(P3D_KERNEL_ADD, 100000), 4 * 6 * 4096);
    assert_int_equal(p3d_kernel_bytes(P3D_KERNEL_NORM, 6 * 4 * 4096), 98304);
    for (int i = 0; i < P3D_N_PASS_KERNELS; i++)
        assert_true(p3d_kernel_element_bytes((p3d_pass_kernel)i) > 0);
}

/* What `make replays` fits to. */
static void published_kernels_are_read(void **state)
{
    p3d_error err = {0};
    p3d_measurements got;

    (void)state;
    assert_true(p3d_measurements_open(
            "bench/replays/simumax-b200.json", &got, &err));
    assert_int_equal(got.gemm.n, 146);
    assert_int_equal(got.attention.n, 58);
    p3d_measurements_free(&got);
    assert_true(p3d_measurements_open(
            "bench/replays/stas00-h200.json", &got, &err));
    assert_int_equal(got.collective.n, 20);
    p3d_measurements_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_is_written_is_read_again),
            cmocka_unit_test(a_file_without_rows_is_one),
            cmocka_unit_test(wrong_files_are_refused_at_their_place),
            cmocka_unit_test(a_file_that_is_not_there_is_said),
            cmocka_unit_test(bus_factors_are_those_of_nccl_tests),
            cmocka_unit_test(a_pass_moves_whole_rows),
            cmocka_unit_test(published_kernels_are_read),
    };

    return cmocka_run_group_tests_name("measurements", tests, NULL, NULL);
}
