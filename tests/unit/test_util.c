/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_util.c - checked integers, word distance, whole files. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/util.h"

static void mul_and_add_saturate(void **state)
{
    (void)state;
    assert_true(p3d_mul(0, INT64_MAX) == 0);
    assert_true(p3d_mul(INT64_MAX, 0) == 0);
    assert_true(p3d_mul(3037000500, 3037000500) == INT64_MAX);
    assert_true(p3d_mul(3037000499, 3037000499) == 9223372030926249001);
    assert_true(p3d_mul(INT64_MAX, 1) == INT64_MAX);
    assert_true(p3d_add(INT64_MAX, 1) == INT64_MAX);
    assert_true(p3d_add(INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(p3d_add(2, 3) == 5);
}

static void ceil_div_and_round_up_go_up(void **state)
{
    (void)state;
    assert_true(p3d_ceil_div(0, 8) == 0);
    assert_true(p3d_ceil_div(1, 8) == 1);
    assert_true(p3d_ceil_div(8, 8) == 1);
    assert_true(p3d_ceil_div(INT64_MAX, 2) == 4611686018427387904);
    assert_true(p3d_round_up(0, 512) == 0);
    assert_true(p3d_round_up(1, 512) == 512);
    assert_true(p3d_round_up(1024, 512) == 1024);
    assert_true(p3d_round_up(INT64_MAX, 512) == INT64_MAX);
}

static void copy_tells_when_it_cut(void **state)
{
    char buffer[4];

    (void)state;
    assert_true(p3d_copy(buffer, sizeof(buffer), "abc"));
    assert_string_equal(buffer, "abc");
    assert_false(p3d_copy(buffer, sizeof(buffer), "abcd"));
    assert_string_equal(buffer, "abc");
    assert_false(p3d_copy(buffer, sizeof(buffer), "ab\xc3\xa9"));
    assert_string_equal(buffer, "ab");
    assert_false(p3d_copy(buffer, 1, "a"));
    assert_string_equal(buffer, "");
}

static void same_word_ignores_case_only(void **state)
{
    (void)state;
    assert_true(p3d_same_word("Hidden_Size", "hidden_size"));
    assert_true(p3d_same_word("", ""));
    assert_false(p3d_same_word("a", "ab"));
    assert_false(p3d_same_word("ab", "a"));
    assert_false(p3d_same_word("@", "`"));
    assert_false(p3d_same_word("[", "{"));
}

static void distance_counts_edits_and_swaps(void **state)
{
    char far[66] = {0};

    (void)state;
    assert_int_equal(p3d_distance("", ""), 0);
    assert_int_equal(p3d_distance("", "abc"), 3);
    assert_int_equal(p3d_distance("abc", ""), 3);
    assert_int_equal(p3d_distance("kitten", "sitting"), 3);
    assert_int_equal(p3d_distance("GPUS", "gpu"), 1);
    assert_int_equal(p3d_distance("serach", "search"), 1);
    assert_int_equal(p3d_distance("ca", "abc"), 3);
    memset(far, 'a', 64);
    assert_true(p3d_distance(far, far) > 63);
    assert_true(p3d_distance("a", far) > 63);
    far[63] = '\0';
    assert_int_equal(p3d_distance(far, far), 0);
    assert_int_equal(p3d_distance(far, ""), 63);
}

static void nearest_suggests_a_slip_and_nothing_wild(void **state)
{
    p3d_nearest near = {.word = "hiden_size"};
    p3d_nearest wild = {.word = "zzz"};
    p3d_nearest tie = {.word = "bxt"};

    (void)state;
    p3d_nearest_offer(&near, "vocab_size");
    p3d_nearest_offer(&near, "hidden_size");
    p3d_nearest_offer(&near, "hidden_sizes");
    assert_string_equal(near.best, "hidden_size");
    p3d_nearest_offer(&wild, "hidden_size");
    p3d_nearest_offer(&wild, "zab");
    assert_string_equal(wild.best, "");
    p3d_nearest_offer(&tie, "bat");
    p3d_nearest_offer(&tie, "bit");
    assert_string_equal(tie.best, "bat");
}

/* A file of n bytes 'x' in a new folder; returns its path in a buffer. */
static void make_file(char path[64], const char *data, size_t n)
{
    FILE *file;
    int fd;

    snprintf(path, 64, "/tmp/plan3d-test-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    file = fdopen(fd, "wb");
    assert_non_null(file);
    assert_true(fwrite(data, 1, n, file) == n);
    assert_int_equal(fclose(file), 0);
}

static void read_file_keeps_every_byte(void **state)
{
    p3d_error err = {0};
    char path[64];
    char *text = NULL;
    size_t length = 0;

    (void)state;
    make_file(path, "a\0b\xff\n", 5);
    assert_true(p3d_read_file(path, 5, &text, &length, &err));
    assert_int_equal(length, 5);
    assert_memory_equal(text, "a\0b\xff\n", 6);
    free(text);
    unlink(path);
    assert_int_equal(err.code, P3D_OK);
    assert_string_equal(err.file, "");
}

static void read_file_reads_an_empty_file(void **state)
{
    char path[64];
    char *text = NULL;
    size_t length = 1;

    (void)state;
    make_file(path, "", 0);
    assert_true(p3d_read_file(path, 0, &text, &length, NULL));
    assert_int_equal(length, 0);
    assert_string_equal(text, "");
    free(text);
    unlink(path);
}

static void read_file_grows_over_many_blocks(void **state)
{
    enum { N = 100000 };
    char *const data = malloc(N);
    char path[64];
    char *text = NULL;
    size_t length = 0;

    (void)state;
    assert_non_null(data);
    for (int i = 0; i < N; i++)
        data[i] = (char)(i % 127);
    make_file(path, data, N);
    assert_true(p3d_read_file(path, N, &text, &length, NULL));
    assert_int_equal(length, N);
    assert_memory_equal(text, data, N);
    free(text);
    free(data);
    unlink(path);
}

static void read_file_refuses(
        const char *path, size_t max_bytes, p3d_code code, const char *words)
{
    p3d_error err = {0};
    char *text = NULL;
    size_t length = 77;

    assert_false(p3d_read_file(path, max_bytes, &text, &length, &err));
    test_check_error(&err, code, words);
    assert_null(text);
    assert_int_equal(length, 77);
    assert_string_equal(err.file, path);
}

static void read_file_refuses_one_byte_too_many(void **state)
{
    char path[64];

    (void)state;
    make_file(path, "12345", 5);
    read_file_refuses(path, 4, P3D_DATA, "the file is longer than 4 bytes");
    read_file_refuses(path, 0, P3D_DATA, "the file is longer than 0 bytes");
    unlink(path);
}

static void read_file_refuses_a_device(void **state)
{
    (void)state;
    read_file_refuses("/dev/zero", 100000, P3D_DATA, "this is a device");
    read_file_refuses("/dev/null", 100000, P3D_DATA, "this is a device");
}

static void read_file_refuses_a_missing_file(void **state)
{
    (void)state;
    read_file_refuses("/nonexistent/x.json", 9, P3D_DATA, "no such file");
    read_file_refuses("", 9, P3D_DATA, "no such file");
}

static void read_file_refuses_a_directory(void **state)
{
    (void)state;
    read_file_refuses("/tmp", 9, P3D_DATA, "this is a directory");
}

static void read_file_refuses_what_it_may_not_read(void **state)
{
    char path[64];

    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: root may read every file\n");
        skip();
    }
    make_file(path, "x", 1);
    chmod(path, 0);
    read_file_refuses(path, 9, P3D_SYSTEM, "no permission to read the file");
    unlink(path);
}

static void read_file_says_what_else_went_wrong(void **state)
{
    (void)state;
    read_file_refuses(
            "/dev/null/x", 9, P3D_SYSTEM, "the file cannot be opened");
}

static void read_file_keeps_an_earlier_error(void **state)
{
    p3d_error err = {.code = P3D_DATA, .file = "first.json", .text = "first"};
    char *text = NULL;
    size_t length = 0;

    (void)state;
    assert_false(p3d_read_file("/nonexistent", 9, &text, &length, &err));
    assert_string_equal(err.file, "first.json");
    assert_string_equal(err.text, "first");
}

static void a_cause_is_recorded_under_the_files_name_unless_it_has_one(
        void **state)
{
    const p3d_error nameless = {.code = P3D_DATA, .line = 7, .text = "odd"};
    const p3d_error named = {.code = P3D_DATA, .file = "inner.json"};
    p3d_error first = {0}, second = {0};

    (void)state;
    assert_false(p3d_fail_file(NULL, "a\nb", &nameless));
    assert_false(p3d_fail_file(&first, "a\nb", &nameless));
    test_check_error(&first, P3D_DATA, "odd");
    assert_int_equal(first.line, 7);
    assert_string_equal(first.file, "a\\nb");
    assert_false(p3d_fail_file(&first, "later", &named));
    assert_string_equal(first.text, "odd");
    assert_false(p3d_fail_file(&second, "outer", &named));
    assert_string_equal(second.file, "inner.json");
}

static void rows_keep_what_they_had_as_they_grow(void **state)
{
    enum { N = 1000 };
    p3d_rows rows = {0};

    (void)state;
    for (int i = 0; i < N; i++)
        assert_true(p3d_rows_add(&rows, sizeof(i), &i, NULL));
    assert_int_equal(rows.n, N);
    for (int i = 0; i < N; i++)
        assert_int_equal(((const int *)rows.items)[i], i);
    free(rows.items);
}

/* By hand: neither the locale nor the sign of a char counts. */
static void only_ascii_has_kinds(void **state)
{
    static const char words[] =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    static const char spaces[] = " \t\n\v\f\r";

    (void)state;
    for (int i = 1; i < 256; i++) {
        const char c = (char)i;

        assert_int_equal(p3d_is_word(c), strchr(words, c) != NULL);
        assert_int_equal(p3d_is_space(c), strchr(spaces, c) != NULL);
        assert_int_equal(p3d_is_digit(c), p3d_is_word(c) && i <= '9');
        assert_int_equal(p3d_is_letter(c),
                p3d_is_word(c) && !p3d_is_digit(c) && c != '_');
        assert_int_equal(p3d_lower(c), 'A' <= i && i <= 'Z' ? c + 32 : c);
    }
}

static void read_file_reads_standard_input(void **state)
{
    const int saved = dup(STDIN_FILENO);
    char path[64];
    char *text = NULL;
    size_t length = 0;
    int fd;

    (void)state;
    make_file(path, "from stdin", 10);
    fd = open(path, O_RDONLY);
    assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    assert_true(p3d_read_file("-", 10, &text, &length, NULL));
    assert_string_equal(text, "from stdin");
    free(text);
    close(fd);
    unlink(path);
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void a_bug_aborts(void **state)
{
    const pid_t child = fork();
    int status = 0;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        fclose(stderr);
        P3D_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void a_message_ends_with_what_was_meant(void **state)
{
    p3d_nearest nearest = {.word = "bf61"};

    (void)state;
    assert_string_equal(
            p3d_did_you_mean(&nearest, "; write bf16"), "; write bf16");
    p3d_nearest_offer(&nearest, "bf16");
    assert_string_equal(p3d_did_you_mean(&nearest, "; write bf16"),
            "; did you mean 'bf16'?");
}

static void the_first_row_of_a_name_is_found(void **state)
{
    p3d_name names[] = {{"r2", 0}, {"r10", 1}, {"", 2}, {"r1", 3}, {"r2", 4}};
    const int n = P3D_COUNT_OF(names);

    (void)state;
    assert_int_equal(p3d_names_find(names, 0, "r1", 2), -1);
    p3d_names_sort(names, n);
    assert_int_equal(p3d_names_find(names, n, "r2", 2), 0);
    assert_int_equal(p3d_names_find(names, n, "r1", 2), 3);
    assert_int_equal(p3d_names_find(names, n, "r10 r2", 3), 1);
    assert_int_equal(p3d_names_find(names, n, "", 0), 2);
    assert_int_equal(p3d_names_find(names, n, "r", 1), -1);
    assert_int_equal(p3d_names_find(names, n, "r20", 3), -1);
    assert_int_equal(p3d_names_find(names, n, "s", 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(mul_and_add_saturate),
            cmocka_unit_test(ceil_div_and_round_up_go_up),
            cmocka_unit_test(copy_tells_when_it_cut),
            cmocka_unit_test(same_word_ignores_case_only),
            cmocka_unit_test(distance_counts_edits_and_swaps),
            cmocka_unit_test(nearest_suggests_a_slip_and_nothing_wild),
            cmocka_unit_test(read_file_keeps_every_byte),
            cmocka_unit_test(read_file_reads_an_empty_file),
            cmocka_unit_test(read_file_grows_over_many_blocks),
            cmocka_unit_test(read_file_refuses_one_byte_too_many),
            cmocka_unit_test(read_file_refuses_a_device),
            cmocka_unit_test(read_file_refuses_a_missing_file),
            cmocka_unit_test(read_file_refuses_a_directory),
            cmocka_unit_test(read_file_refuses_what_it_may_not_read),
            cmocka_unit_test(read_file_says_what_else_went_wrong),
            cmocka_unit_test(read_file_keeps_an_earlier_error),
            cmocka_unit_test(
                    a_cause_is_recorded_under_the_files_name_unless_it_has_one),
            cmocka_unit_test(rows_keep_what_they_had_as_they_grow),
            cmocka_unit_test(only_ascii_has_kinds),
            cmocka_unit_test(read_file_reads_standard_input),
            cmocka_unit_test(a_bug_aborts),
            cmocka_unit_test(the_first_row_of_a_name_is_found),
            cmocka_unit_test(a_message_ends_with_what_was_meant),
    };

    return cmocka_run_group_tests_name("util", tests, NULL, NULL);
}
