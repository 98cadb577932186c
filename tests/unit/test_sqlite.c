/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sqlite.c - tables of a database that SQLite wrote
 * (tests/tools/sqlite-file): small pages, several levels, a header of a
 * write-ahead log; and what is left of it when it is cut or damaged. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sqlite.h"

#define TABLES "tests/data/sqlite/tables.db"

static p3d_error err;

/* What was taken of a table. */
typedef struct taken {
    int n;
    int64_t first[256];  /* column of each row; */
    int64_t second[256]; /* and the one behind it, -77 where it is none */
    size_t lengths[256]; /* of texts in the first */
    char last[256];
    size_t last_at; /* its last character */
} taken;

static bool take(void *to, const p3d_sqlite_value *v, p3d_error *e)
{
    taken *const t = to;

    (void)e;
    assert_true(t->n < 256);
    t->first[t->n] = v[0].type == P3D_SQLITE_WHOLE ? v[0].whole : -77;
    t->second[t->n] = v[1].type == P3D_SQLITE_WHOLE ? v[1].whole : -77;
    if (v[0].type == P3D_SQLITE_TEXT) {
        t->lengths[t->n] = v[0].n;
        t->last[t->n] = v[0].text[v[0].n - 1];
    }
    t->n++;
    return true;
}

static bool read_rows(const char *path, const char *table, const char *first,
        const char *second, taken *out)
{
    const p3d_sqlite_query query = {.table = table,
            .columns = {first, second},
            .take = take,
            .to = out};
    p3d_sqlite *db;
    bool ok;

    err = (p3d_error){.code = P3D_OK};
    *out = (taken){.n = 0};
    db = p3d_sqlite_open(path, &err);
    ok = db != NULL && p3d_sqlite_rows(db, &query, &err);
    p3d_sqlite_close(db);
    return ok;
}

static void numbers_of_all_widths(void **state)
{
    static const int64_t wanted[] = {0, 1, -1, 127, -128, 32767, -32768,
            8388607, -8388608, 2147483647, -2147483647 - 1, 140737488355327,
            -140737488355328, INT64_MAX, INT64_MIN};
    taken t;

    (void)state;
    assert_true(read_rows(TABLES, "numbers", "value", "PLACE", &t));
    assert_int_equal(t.n, 15);
    for (int i = 0; i < t.n; i++) {
        assert_true(t.first[i] == wanted[i]);
        assert_true(t.second[i] == i);
    }
}

/* Columns stand anywhere in the words that made the table. */
static void columns_by_their_names(void **state)
{
    taken t;

    (void)state;
    assert_true(read_rows(TABLES, "Words", "end", "id", &t));
    assert_int_equal(t.n, 150);
    for (int i = 0; i < t.n; i++) {
        assert_int_equal(t.lengths[i], 202 + (i > 9) + (i > 99));
        assert_true(t.second[i] == 10 * i);
    }
    assert_true(read_rows(TABLES, "Words", "raw", "a size", &t));
    assert_true(t.n == 150 && t.first[0] == -77 && t.second[0] == -77);
    assert_true(read_rows(TABLES, "Words", "later", "unique", &t));
    assert_true(t.n == 150 && t.first[7] == -77 && t.second[7] == -77);
}

/* A row on up to a dozen pages; what is very long is cut, and the number behind
 * it is none. */
static void long_rows(void **state)
{
    static const size_t lengths[] = {1, 401, 501, 1001, 5001};
    taken t;

    (void)state;
    assert_true(read_rows(TABLES, "Long", "value", "after", &t));
    assert_int_equal(t.n, 6);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(t.lengths[i], lengths[i]);
        assert_int_equal(t.last[i], 'z');
        assert_true(t.second[i] == (int64_t)lengths[i] - 1);
    }
    assert_true(t.lengths[5] > 65000 && t.lengths[5] <= 65536);
    assert_int_equal(t.last[5], 'a');
    assert_true(t.second[5] == -77);
}

static void a_table_that_is_not_there_has_no_rows(void **state)
{
    taken t;

    (void)state;
    assert_true(read_rows(TABLES, "nothing", "a", "b", &t) && t.n == 0);
    assert_true(read_rows(TABLES, "empty", "id", "b", &t) && t.n == 0);
    assert_true(read_rows(TABLES, "numbers2", "value", "b", &t) && t.n == 0);
    assert_false(read_rows(TABLES, "keyed", "id", "n", &t));
    test_check_error(&err, P3D_DATA, "damaged");
}

/* A copy of the file, cut and with a byte changed. */
static char *copy(size_t length, size_t at, char byte)
{
    static char path[] = "/tmp/plan3d-sqlite-XXXXXX";
    char *const data = malloc(1 << 20);
    FILE *const from = fopen(TABLES, "rb");
    FILE *to;
    size_t n;

    assert_true(data != NULL && from != NULL);
    n = fread(data, 1, 1 << 20, from);
    (void)fclose(from);
    if (at < n)
        data[at] = byte;
    memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
    close(mkstemp(path));
    to = fopen(path, "wb");
    assert_non_null(to);
    (void)fwrite(data, 1, length < n ? length : n, to);
    (void)fclose(to);
    free(data);
    return path;
}

enum { ALL = 1 << 20 };

static void check_refused(const char *path, const char *why)
{
    taken t;

    assert_false(read_rows(path, "Words", "end", "id", &t));
    test_check_error(&err, P3D_DATA, why);
    unlink(path);
}

/* A database is read at any place of its file, which a pipe does not have. */
static void a_pipe_is_refused(void **state)
{
    char folder[] = "/tmp/plan3d-sqlite-XXXXXX";
    char path[64];
    taken t;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(p3d_sqlite_is(path));
    assert_false(read_rows(path, "wide", "id", NULL, &t));
    test_check_error(&err, P3D_DATA,
            "this is no plain file, and it is not read from its beginning to "
            "its end; write it into a file");
    unlink(path);
    rmdir(folder);
}

static void what_is_no_whole_database_is_refused(void **state)
{
    (void)state;
    check_refused(copy(0, ALL, 0), "no SQLite database");
    check_refused(copy(50, ALL, 0), "no SQLite database");
    check_refused(copy(ALL, 3, 'x'), "no SQLite database");
    check_refused(copy(100, ALL, 0), "cut short");
    check_refused(copy(3000, ALL, 0), "cut short");
    check_refused(copy(ALL, 16, 3), "damaged");    /* 768 bytes a page */
    check_refused(copy(ALL, 59, 2), "UTF-16");     /* text encoding */
    check_refused(copy(ALL, 100, 2), "damaged");   /* kind of the first page */
    check_refused(copy(ALL, 103, 127), "damaged"); /* too many cells */
}

/* Whatever one byte says, a walk ends, and rows are as many as there are. */
static void a_changed_byte_ends_no_walk(void **state)
{
    taken *const t = malloc(sizeof(*t));

    (void)state;
    assert_non_null(t);
    for (size_t at = 100; at < 2048; at += 3) {
        const char *const path = copy(ALL, at, (char)(at * 7));
        const bool ok = read_rows(path, "Words", "end", "id", t);

        assert_true(ok || err.code == P3D_DATA);
        unlink(path);
    }
    free(t);
}

/* What SQLite has written into the log is not in the file. */
static void a_log_beside_it_is_not_passed_over(void **state)
{
    char *const path = copy(ALL, ALL, 0);
    char log[64];
    FILE *file;
    taken t;

    (void)state;
    (void)snprintf(log, sizeof(log), "%s-wal", path);
    file = fopen(log, "wb");
    assert_non_null(file);
    (void)fclose(file);
    assert_true(read_rows(path, "Words", "end", "id", &t) && t.n == 150);
    file = fopen(log, "wb");
    (void)fputs("frames", file);
    (void)fclose(file);
    check_refused(path, "in its log");
    unlink(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(numbers_of_all_widths),
            cmocka_unit_test(columns_by_their_names),
            cmocka_unit_test(long_rows),
            cmocka_unit_test(a_table_that_is_not_there_has_no_rows),
            cmocka_unit_test(a_pipe_is_refused),
            cmocka_unit_test(what_is_no_whole_database_is_refused),
            cmocka_unit_test(a_changed_byte_ends_no_walk),
            cmocka_unit_test(a_log_beside_it_is_not_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
