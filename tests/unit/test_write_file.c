/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_write_file.c - files get their names, also where links cannot be. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static bool has_links;

/* Instead of the C library's: a file system that may have no hard links. */
int link(const char *from, const char *to)
{
    if (has_links)
        return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM;
    return -1;
}

static char folder[64];
static char part[96];
static char path[96];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "/tmp/plan3d-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(part, sizeof(part), "%s/part", folder);
    snprintf(path, sizeof(path), "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(part);
    unlink(path);
    return rmdir(folder);
}

static void make_part(const char *text)
{
    const int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_true(p3d_write_bytes(fd, text, strlen(text)));
    assert_int_equal(close(fd), 0);
}

static void check_file(const char *want)
{
    char *text = NULL;
    size_t length = 0;

    assert_true(p3d_read_file(path, 100, &text, &length, NULL));
    assert_string_equal(text, want);
    free(text);
}

static void check_names(bool links)
{
    has_links = links;
    unlink(path);
    make_part("first");
    assert_true(p3d_take_name(part, path, false));
    check_file("first");
    make_part("second");
    assert_false(p3d_take_name(part, path, false));
    assert_int_equal(errno, EEXIST);
    check_file("first");
    assert_true(p3d_take_name(part, path, true));
    check_file("second");
}

static void a_name_is_taken_once_and_replaced_by_force(void **state)
{
    (void)state;
    check_names(true);
}

static void so_it_is_where_there_are_no_hard_links(void **state)
{
    (void)state;
    check_names(false);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    has_links = true;
    make_part("text");
    assert_false(p3d_take_name(part, "/nowhere/at/all", false));
    assert_int_equal(errno, ENOENT);
    assert_false(p3d_write_bytes(-1, "x", 1));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_name_is_taken_once_and_replaced_by_force),
            cmocka_unit_test(so_it_is_where_there_are_no_hard_links),
            cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
    };

    return cmocka_run_group_tests_name(
            "write_file", tests, make_folder, remove_folder);
}
