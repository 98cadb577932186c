/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_host_parts.c - statistics, shapes, groups, files and hashes. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/util.h"
#include "bench/host/groups.h"
#include "bench/host/record.h"
#include "bench/host/shapes.h"

static void medians_and_tenths_are_those_of_the_sorted_samples(void **state)
{
    double odd[] = {5, 1, 3};
    double even[] = {4, 1, 3, 2};
    double eleven[] = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    double one[] = {7};

    (void)state;
    assert_true(bench_timing(odd, 3).median_s == 3);
    assert_true(bench_timing(even, 4).median_s == 2.5);
    CHECK_REL(bench_timing(eleven, 11).p10_s, 2, 1e-12);
    CHECK_REL(bench_timing(eleven, 11).p90_s, 10, 1e-12);
    assert_int_equal(bench_timing(eleven, 11).n_samples, 11);
    assert_true(bench_timing(one, 1).p10_s == 7);
    assert_true(bench_timing(one, 1).p90_s == 7);
}

/* 1/2, 1/4, 3/4, 1/8 and 1/3, 2/3, 1/9: the definition. */
static void the_sequence_is_van_der_corputs(void **state)
{
    (void)state;
    CHECK_REL(bench_van_der_corput(1, 2), 0.5, 1e-15);
    CHECK_REL(bench_van_der_corput(2, 2), 0.25, 1e-15);
    CHECK_REL(bench_van_der_corput(3, 2), 0.75, 1e-15);
    CHECK_REL(bench_van_der_corput(4, 2), 0.125, 1e-15);
    CHECK_REL(bench_van_der_corput(2, 3), 2.0 / 3, 1e-15);
    CHECK_REL(bench_van_der_corput(3, 3), 1.0 / 9, 1e-15);
}

/* Any 64 in a row have points in each half of each side, all layouts, and no
 * size that a library pads. */
static void fill_the_space(p3d_number number, int least_step)
{
    int halves[3][2] = {{0}};
    int layouts[P3D_N_LAYOUTS] = {0};
    int n_odd = 0;

    for (int i = 0; i < 64; i++) {
        const bench_shape s = bench_shape_at(i, number);
        const int64_t sides[3] = {s.m, s.n, s.k};

        layouts[s.layout]++;
        n_odd += s.m % (2 * least_step) == least_step;
        for (int j = 0; j < 3; j++) {
            assert_in_range(sides[j], 512, 16384);
            assert_int_equal(sides[j] % least_step, 0);
            halves[j][sides[j] > 2896]++; /* the middle: sqrt(512 * 16384) */
        }
    }
    assert_int_equal(n_odd, 8);
    for (int j = 0; j < 3; j++)
        assert_in_range(halves[j][0], 24, 40);
    for (int j = 0; j < P3D_N_LAYOUTS; j++)
        assert_in_range(layouts[j], 21, 22);
}

static void shapes_fill_the_space(void **state)
{
    (void)state;
    fill_the_space(P3D_NUMBER_BF16, 8);
    /* cuBLASLt has fp8 kernels for multiples of 16 alone. */
    fill_the_space(P3D_NUMBER_FP8, 16);
}

static void sizes_double_up_to_the_largest(void **state)
{
    (void)state;
    assert_int_equal(bench_size_at(0, 100, 500), 100);
    assert_int_equal(bench_size_at(1, 100, 500), 200);
    assert_int_equal(bench_size_at(2, 100, 500), 400);
    assert_int_equal(bench_size_at(3, 100, 500), 500);
    assert_int_equal(bench_size_at(4, 100, 500), 0);
    assert_int_equal(bench_size_at(0, 8, 8), 8);
    assert_int_equal(bench_size_at(1, 8, 8), 0);
    assert_int_equal(bench_size_at(1, 1, INT64_MAX), 2);
}

/* A sum that is read and written is in fp32, whatever the factors are. */
static void elements_have_the_width_of_their_number(void **state)
{
    (void)state;
    assert_int_equal(bench_factor_bytes(P3D_NUMBER_FP8), 1);
    assert_int_equal(bench_factor_bytes(P3D_NUMBER_BF16), 2);
    assert_int_equal(bench_factor_bytes(P3D_NUMBER_TF32), 4);
    assert_int_equal(bench_result_bytes(P3D_NUMBER_FP8, false), 2);
    assert_int_equal(bench_result_bytes(P3D_NUMBER_BF16, false), 2);
    assert_int_equal(bench_result_bytes(P3D_NUMBER_BF16, true), 4);
    assert_int_equal(bench_result_bytes(P3D_NUMBER_TF32, false), 4);
}

static void check_group(bench_axis axis, int rank, int color, int position)
{
    const bench_group got = bench_group_of(rank, &axis);

    assert_int_equal(got.color, color);
    assert_int_equal(got.position, position);
    assert_int_equal(bench_group_rank(color, position, &axis), rank);
}

/* TP 2, CP 2, DP 2 and PP 2 on 16 ranks, as Megatron numbers them. */
static void groups_are_megatrons(void **state)
{
    const bench_axis cp_dp = {4, 2, 2, 8}; /* with the pipeline before dp */
    const bench_axis pp = {2, 8, 0, 0};

    (void)state;
    check_group((bench_axis){2, 1, 0, 0}, 5, 4, 1); /* TP: 4, 5 */
    check_group((bench_axis){2, 2, 0, 0}, 7, 5, 1); /* CP: 5, 7 */
    check_group((bench_axis){4, 2, 0, 0}, 7, 1, 3); /* DP*CP: 1, 3, 5, 7 */
    check_group(pp, 13, 5, 1);                      /* PP: 5, 13 */
    check_group(cp_dp, 3, 1, 1);                    /* 1, 3, 9, 11 */
    check_group(cp_dp, 9, 1, 2);
    check_group(cp_dp, 14, 4, 3); /* 4, 6, 12, 14 */
    assert_int_equal(bench_axis_span(&cp_dp), 16);
    assert_int_equal(bench_axis_span(&pp), 16);
}

/* Every axis parts all ranks into groups, each rank in one place. */
static void groups_share_out_the_ranks(void **state)
{
    static const bench_axis axes[] = {{1, 1, 0, 0}, {16, 1, 0, 0}, {4, 1, 0, 0},
            {2, 4, 0, 0}, {4, 2, 2, 8}, {4, 1, 2, 4}, {2, 1, 1, 8}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(axes); i++) {
        bool seen[16][16] = {{false}};

        for (int rank = 0; rank < 16; rank++) {
            const bench_group g = bench_group_of(rank, &axes[i]);

            assert_in_range(g.color, 0, rank);
            assert_in_range(g.position, 0, axes[i].n - 1);
            assert_false(seen[g.color][g.position]);
            seen[g.color][g.position] = true;
            assert_int_equal(
                    bench_group_rank(g.color, g.position, &axes[i]), rank);
        }
    }
}

static void nodes_of_groups_are_counted(void **state)
{
    static const uint64_t hosts[] = {7, 7, 7, 7, 3, 3, 3, 3};
    static const bench_axis row = {4, 1, 0, 0};
    static const bench_axis every_second = {4, 2, 0, 0};
    static const bench_axis pairs = {4, 1, 2, 4};

    (void)state;
    assert_int_equal(bench_group_nodes(hosts, 0, &row), 1);
    assert_int_equal(bench_group_nodes(hosts, 2, &row), 2);
    assert_int_equal(bench_group_nodes(hosts, 0, &every_second), 2);
    assert_int_equal(bench_group_nodes(hosts, 1, &pairs), 2);
}

/* Each collective, carried out here by hand over what the ranks send. */
static void results_are_those_of_the_collectives(void **state)
{
    enum { N = 3, COUNT = 12, PART = COUNT / N };

    (void)state;
    for (int me = 0; me < N; me++) {
        for (int i = 0; i < COUNT; i++) {
            float sum = 0;

            for (int r = 0; r < N; r++)
                sum += bench_pattern(r, i);
            assert_true(
                    bench_expected(P3D_OP_ALL_REDUCE, me, N, COUNT, i) == sum);
            if (i / PART == me)
                assert_true(bench_expected(P3D_OP_REDUCE_SCATTER, me, N, COUNT,
                                    i % PART) == sum);
            assert_true(bench_expected(P3D_OP_ALL_GATHER, me, N, COUNT, i) ==
                        bench_pattern(i / PART, i % PART));
            /* The piece that rank i / PART cut for me. */
            assert_true(bench_expected(P3D_OP_ALL_TO_ALL, me, N, COUNT, i) ==
                        bench_pattern(i / PART, me * PART + i % PART));
            assert_true(bench_expected(P3D_OP_BROADCAST, me, N, COUNT, i) ==
                        bench_pattern(0, i));
            assert_true(bench_expected(P3D_OP_SEND_RECV, me, N, COUNT, i) ==
                        bench_pattern(me == 0 ? N - 1 : me - 1, i));
        }
    }
    assert_int_equal(bench_send_count(P3D_OP_ALL_GATHER, COUNT, N), PART);
    assert_int_equal(bench_send_count(P3D_OP_ALL_TO_ALL, COUNT, N), COUNT);
    assert_int_equal(
            bench_receive_count(P3D_OP_REDUCE_SCATTER, COUNT, N), PART);
    assert_int_equal(bench_receive_count(P3D_OP_ALL_REDUCE, COUNT, N), COUNT);
}

static void check_file(const char *path, const char *want)
{
    char *text = NULL;
    size_t n;
    p3d_error err = {0};

    assert_true(p3d_read_file(path, 100, &text, &n, &err));
    assert_string_equal(text, want);
    free(text);
}

static void files_are_never_overwritten_unasked(void **state)
{
    char folder[] = "/tmp/plan3d-output-XXXXXX";
    char path[64];
    p3d_text one = {0}, two = {0};
    p3d_error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/a.json", folder);
    p3d_text_add(&one, "one");
    p3d_text_add(&two, "two");
    assert_true(bench_output_check(path, false, &err));
    assert_true(bench_output_write(path, false, &one, &err));
    check_file(path, "one");
    assert_false(bench_output_check(path, false, &err));
    test_check_error(&err, P3D_DATA, "--force to replace");
    err = (p3d_error){0};
    assert_false(bench_output_write(path, false, &two, &err));
    test_check_error(&err, P3D_DATA, "--force to replace");
    check_file(path, "one");
    err = (p3d_error){0};
    assert_true(bench_output_write(path, true, &two, &err));
    check_file(path, "two");
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left there */
    p3d_text_free(&one);
    p3d_text_free(&two);
}

static void places_that_cannot_be_written_are_said(void **state)
{
    p3d_error err = {0};

    (void)state;
    assert_true(bench_output_check(NULL, false, &err));
    assert_false(bench_output_check("/tmp", true, &err));
    test_check_error(&err, P3D_DATA, "is a directory");
    err = (p3d_error){0};
    assert_false(bench_output_check("/nowhere/at/all.json", false, &err));
    test_check_error(&err, P3D_DATA, "there is no directory '/nowhere/at'");
}

/* Test vectors of the draft: "" and "a", "foobar". */
static void hashes_are_fnv_1a(void **state)
{
    char hash[24];

    (void)state;
    bench_hash("", 0, hash);
    assert_string_equal(hash, "cbf29ce484222325");
    bench_hash("a", 1, hash);
    assert_string_equal(hash, "af63dc4c8601ec8c");
    bench_hash("foobar", 6, hash);
    assert_string_equal(hash, "85944171f73967e8");
}

static void a_record_is_a_file_of_measurements(void **state)
{
    const char *const argv[] = {"plan3d-bench", "memory"};
    char path[] = "/tmp/plan3d-record-XXXXXX";
    const p3d_host_row row = {P3D_HOST_READ, 2, 8, 4096, {3, 1, 1, 1}};
    bench_args args = {.output = path, .force = true};
    p3d_measurements got = {0};
    bench_record record;
    p3d_error err = {0};

    (void)state;
    close(mkstemp(path));
    bench_record_begin(2, argv, &record);
    p3d_copy(record.file.machine.name, 96, "none");
    p3d_copy(record.file.machine.uuid_hash, 24, "0");
    p3d_copy(record.file.machine.cuda, 16, "13.0");
    record.file.machine.compute_capability = 90;
    record.file.machine.n_sms = 1;
    record.file.machine.memory_bytes = 1;
    record.file.machine.n_ranks = 1;
    record.file.machine.n_nodes = 1;
    for (int i = 0; i < 5; i++)
        bench_add(&record, &record.file.host, sizeof(row), &row);
    bench_note(&record, "no link was measured");
    bench_note(&record, "no link was measured");
    bench_note(&record, "no fp8");
    assert_true(bench_record_write(&record, &args, &err));
    if (!p3d_measurements_open(path, &got, &err))
        fail_msg("%s: %s", err.pointer, err.text);
    assert_int_equal(got.host.n, 5);
    assert_string_equal(got.note, "no link was measured; no fp8");
    assert_string_equal(got.command, "plan3d-bench memory");
    assert_int_equal(strlen(got.date), 20);
    p3d_measurements_free(&got);
    bench_record_free(&record);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(
                    medians_and_tenths_are_those_of_the_sorted_samples),
            cmocka_unit_test(the_sequence_is_van_der_corputs),
            cmocka_unit_test(shapes_fill_the_space),
            cmocka_unit_test(sizes_double_up_to_the_largest),
            cmocka_unit_test(elements_have_the_width_of_their_number),
            cmocka_unit_test(groups_are_megatrons),
            cmocka_unit_test(groups_share_out_the_ranks),
            cmocka_unit_test(nodes_of_groups_are_counted),
            cmocka_unit_test(results_are_those_of_the_collectives),
            cmocka_unit_test(files_are_never_overwritten_unasked),
            cmocka_unit_test(places_that_cannot_be_written_are_said),
            cmocka_unit_test(hashes_are_fnv_1a),
            cmocka_unit_test(a_record_is_a_file_of_measurements),
    };

    return cmocka_run_group_tests_name("host_parts", tests, NULL, NULL);
}
