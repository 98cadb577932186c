/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_request.c - the operations of a plan are those of the workload. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/util.h"
#include "exchange/measure/measurements.h"
#include "plan3d/units.h"
#include "problem.h"

static void build(
        const p3d_problem *problem, const char *words, p3d_request *out)
{
    const p3d_estimate estimate = problem_estimate(problem, words);
    p3d_error err = {0};

    assert_true(p3d_request_build(problem, &estimate, out, &err));
}

static const p3d_request_gemm *find_gemm(
        const p3d_request *request, const char *name, int layout)
{
    const p3d_request_gemm *const rows = request->gemm.items;

    for (int i = 0; i < request->gemm.n; i++)
        if (strcmp(rows[i].name, name) == 0 && rows[i].layout == layout)
            return &rows[i];
    fail_msg("no product '%s'", name);
    return NULL;
}

static const p3d_request_collective *find_collective(
        const p3d_request *request, const char *name, int op)
{
    const p3d_request_collective *const rows = request->collective.items;

    for (int i = 0; i < request->collective.n; i++)
        if (strcmp(rows[i].name, name) == 0 && rows[i].op == op)
            return &rows[i];
    fail_msg("no collective '%s'", name);
    return NULL;
}

/* Llama-2-70B, hidden 8192, ffn 28672, 80 layers, TP 8, PP 4, DP 2, sequences
 * of 4096, batch 1024: 512 micro-batches, 20 layers a rank. */
static void products_have_the_shapes_of_their_shard(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-70b", "64xA800", "megatron-core", 4096, 1024);
    p3d_request request = {0};
    const p3d_request_gemm *down;
    double flop = 0;

    (void)state;
    build(&problem, "tp=8,pp=4,mbs=1,zero=1", &request);
    assert_int_equal(request.n_micro_batches, 512);
    down = find_gemm(&request, "MLP down", P3D_LAYOUT_FORWARD);
    assert_int_equal(down->m, 4096);
    assert_int_equal(down->n, 8192);
    assert_int_equal(down->k, 28672 / 8);
    assert_int_equal(down->times, 20 * 512);
    assert_int_equal(down->dtype, P3D_NUMBER_BF16);
    down = find_gemm(&request, "MLP down", P3D_LAYOUT_WGRAD);
    assert_int_equal(down->m, 8192);
    assert_int_equal(down->n, 28672 / 8);
    assert_int_equal(down->k, 4096);
    /* All products of a rank are 6 flop per weight and token, up to the head
     * that only the last rank has. */
    for (int i = 0; i < request.gemm.n; i++) {
        const p3d_request_gemm *const row =
                &((const p3d_request_gemm *)request.gemm.items)[i];

        if (strcmp(row->name, "logits") != 0)
            flop += 2.0 * (double)(row->m * row->n * row->k) *
                    (double)(row->count * row->times);
    }
    CHECK_REL(flop,
            6.0 * 20 * 512 * 4096 / 8 *
                    (8192.0 * 10240 + 8192.0 * 8192 + 3 * 8192.0 * 28672),
            1e-12);
    p3d_request_free(&request);
}

static void collectives_have_the_groups_of_the_plan(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-70b", "64xA800", "megatron-core", 4096, 1024);
    const p3d_request_collective *row;
    p3d_request request = {0};

    (void)state;
    build(&problem, "tp=8,pp=4,mbs=1,zero=1", &request);
    row = find_collective(
            &request, "MLP tensor parallelism", P3D_OP_REDUCE_SCATTER);
    assert_string_equal(row->axis, "tp");
    assert_int_equal(row->n_ranks, 8);
    assert_int_equal(row->stride, 1);
    assert_int_equal(row->bytes, 2 * 4096 * 8192);
    row = find_collective(&request, "between stages", P3D_OP_SEND_RECV);
    assert_int_equal(row->n_ranks, 4);
    assert_int_equal(row->stride, 16);
    assert_int_equal(row->bytes, 2 * 4096 * 8192 / 8);
    row = find_collective(&request, "gradients", P3D_OP_REDUCE_SCATTER);
    assert_int_equal(row->n_ranks, 2);
    assert_int_equal(row->stride, 8);
    assert_int_equal(row->bytes, 40000000 * 4);
    p3d_request_free(&request);
}

static void pieces_are_what_is_allocated(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-70b", "64xA800", "megatron-core", 4096, 1024);
    p3d_request request = {0};
    double sum = 0;

    (void)state;
    build(&problem, "tp=8,pp=4,mbs=1,zero=1", &request);
    for (int i = 0; i < request.piece.n; i++)
        sum += (double)((const p3d_request_piece *)request.piece.items)[i]
                       .bytes;
    CHECK_REL(sum, (double)request.allocated_bytes, 1e-6);
    p3d_request_free(&request);
}

static void what_is_written_is_read_again(void **state)
{
    const p3d_problem problem =
            problem_of("mixtral-8x7b", "64xH100", "megatron-core", 4096, 1024);
    char path[] = "/tmp/plan3d-request-XXXXXX";
    const int fd = mkstemp(path);
    p3d_request request = {0};
    p3d_request got = {0};
    p3d_text text = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(fd >= 0);
    build(&problem, "tp=2,pp=4,ep=4,mbs=1,zero=1", &request);
    exchange_request_write(&request, &text);
    assert_int_equal(write(fd, text.data, text.length), (ssize_t)text.length);
    close(fd);
    if (!p3d_request_open(path, &got, &err))
        fail_msg("%d: %s: %s", err.line, err.pointer, err.text);
    unlink(path);
    assert_int_equal(got.gemm.n, request.gemm.n);
    assert_int_equal(got.attention.n, request.attention.n);
    assert_int_equal(got.pass.n, request.pass.n);
    assert_int_equal(got.collective.n, request.collective.n);
    assert_int_equal(got.piece.n, request.piece.n);
    for (int i = 0; i < got.gemm.n; i++) {
        const p3d_request_gemm *const a =
                &((const p3d_request_gemm *)got.gemm.items)[i];
        const p3d_request_gemm *const b =
                &((const p3d_request_gemm *)request.gemm.items)[i];

        assert_string_equal(a->name, b->name);
        assert_int_equal(a->k, b->k);
        assert_int_equal(a->how, b->how);
        assert_int_equal(a->times, b->times);
    }
    p3d_text_free(&text);
    p3d_request_free(&got);
    p3d_request_free(&request);
}

static bool open_text(const char *text, p3d_request *out, p3d_error *err)
{
    char path[] = "/tmp/plan3d-request-XXXXXX";
    const int fd = mkstemp(path);
    bool ok;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    ok = p3d_request_open(path, out, err);
    unlink(path);
    return ok;
}

#define HEAD "{\"schema\": \"plan3d/1\", \"command\": \"shapes\""
#define RING                                                              \
    HEAD ", \"collective\": [{\"op\": \"all_reduce\", \"axis\": \"dp\", " \
         "\"bytes\": 8, "

static void wrong_requests_are_refused_at_their_place(void **state)
{
    static const struct {
        const char *text;
        const char *pointer;
        const char *words;
    } cases[] = {
            {"{\"schema\": \"plan3d/1\", \"command\": \"fit\"}", "/command",
                    "not a list of shapes"},
            {HEAD ", \"gemm\": [{\"dtype\": \"bf16\", \"layout\": "
                  "\"forwards\", \"how\": \"single\", \"m\": 1, \"n\": 1, "
                  "\"k\": 1, \"count\": 1}]}",
                    "/gemm/0/layout", "did you mean 'forward'"},
            {HEAD ", \"gemm\": [{\"dtype\": \"bf16\", \"layout\": "
                  "\"forward\", \"how\": \"single\", \"m\": 2e9, \"n\": 1, "
                  "\"k\": 1, \"count\": 1}]}",
                    "/gemm/0/m", "from 1 to"},
            {RING "\"n_ranks\": 1, \"stride\": 1}]}", "/collective/0/n_ranks",
                    "from 2 to"},
            {RING "\"n_ranks\": 4, \"stride\": 1, \"n_inner\": 2}]}",
                    "/collective/0/n_inner", "go together"},
            {RING "\"n_ranks\": 4, \"stride\": 1, \"n_inner\": 3, \"block\": "
                  "8}]}",
                    "/collective/0/n_inner", "not a multiple"},
            {RING "\"n_ranks\": 4, \"stride\": 4, \"n_inner\": 2, \"block\": "
                  "7}]}",
                    "/collective/0/block", "shorter than"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_request got = {.n_gpus = 7};
        p3d_error err = {0};

        assert_false(open_text(cases[i].text, &got, &err));
        test_check_error(&err, P3D_DATA, cases[i].words);
        assert_string_equal(err.pointer, cases[i].pointer);
        assert_int_equal(got.n_gpus, 7);
    }
}

/* With the pipeline before the replicas, ranks of a group lie in two steps. */
static void groups_in_two_steps_say_so(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-70b", "64xA800", "megatron-core", 4096, 1024);
    const p3d_request_collective *row;
    p3d_request request = {0};

    (void)state;
    build(&problem, "tp=4,pp=2,cp=2,dp=4,order=tp-cp-ep-pp-dp", &request);
    row = find_collective(&request, "gradients", P3D_OP_REDUCE_SCATTER);
    assert_int_equal(row->n_ranks, 8);
    assert_int_equal(row->stride, 4);
    assert_int_equal(row->n_inner, 2);
    assert_int_equal(row->block, 16);
    p3d_request_free(&request);
}

static int64_t count_at(const p3d_csv *csv, int row, const char *column)
{
    int64_t count = -1;
    p3d_error err = {0};

    problem_check(
            p3d_parse_count(p3d_csv_get(csv, row, p3d_csv_find(csv, column)), 0,
                    INT64_MAX / 2, &count, &err),
            &err);
    return count;
}

/* Empty cells for what the kind of row has not. */
static void lines_have_every_row_and_number(void **state)
{
    const p3d_problem problem =
            problem_of("llama-2-70b", "64xA800", "megatron-core", 4096, 1024);
    p3d_request request = {0};
    p3d_error err = {0};
    p3d_text text = {0};
    p3d_csv csv = {.text = NULL};
    const p3d_request_collective *rows;
    int row;

    (void)state;
    build(&problem, "tp=8,pp=4,mbs=1,zero=1", &request);
    json_put_csv(&exchange_request_shape, &request, &text);
    assert_true(p3d_csv_parse(
            "shapes", p3d_text_get(&text), text.length, &csv, &err));
    assert_int_equal(csv.n_rows, request.gemm.n + request.attention.n +
                                         request.pass.n + request.collective.n +
                                         request.piece.n);
    row = request.gemm.n + request.attention.n + request.pass.n;
    rows = request.collective.items;
    for (int i = 0; i < request.collective.n; i++) {
        assert_string_equal(p3d_csv_get(&csv, row + i, 0), "collective");
        assert_int_equal(count_at(&csv, row + i, "bytes"), rows[i].bytes);
        assert_int_equal(count_at(&csv, row + i, "n_ranks"), rows[i].n_ranks);
        assert_string_equal(
                p3d_csv_get(&csv, row + i, p3d_csv_find(&csv, "m")), "");
    }
    p3d_csv_close(&csv);
    p3d_text_free(&text);
    p3d_request_free(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(products_have_the_shapes_of_their_shard),
            cmocka_unit_test(collectives_have_the_groups_of_the_plan),
            cmocka_unit_test(pieces_are_what_is_allocated),
            cmocka_unit_test(what_is_written_is_read_again),
            cmocka_unit_test(wrong_requests_are_refused_at_their_place),
            cmocka_unit_test(groups_in_two_steps_say_so),
            cmocka_unit_test(lines_have_every_row_and_number),
    };

    return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
