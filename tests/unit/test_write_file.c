/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_write_file.c - files get their names, also where links cannot be, and
 * nothing is written through what others planted. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"

static bool has_links;
static int
        n_planted; /* temporary names that are a link by the time of open() */
static char planted_name[256];
static char folder[64];
static char path[96];
static char victim[96];

/* Instead of the C library's: a file system that may have no hard links. */
int link(const char *from, const char *to)
{
    if (has_links)
        return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM;
    return -1;
}

/* Instead of the C library's: somebody is fast enough to plant a link under the
 * name that has just been found free. */
int unlink(const char *name)
{
    const int status = unlinkat(AT_FDCWD, name, 0);

    if (n_planted > 0 && strstr(name, "/.plan3d-") != NULL) {
        n_planted--;
        snprintf(planted_name, sizeof(planted_name), "%s", name);
        assert_int_equal(symlink(victim, name), 0);
    }
    return status;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "/tmp/plan3d-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof(path), "%s/file", folder);
    snprintf(victim, sizeof(victim), "%s/victim", folder);
    has_links = true;
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(victim);
    return rmdir(folder); /* fails where anything else is left */
}

static bool put(const char *to, const char *words, bool force, p3d_error *err)
{
    p3d_text text = {0};
    bool ok;

    p3d_text_add(&text, "%s", words);
    *err = (p3d_error){0};
    ok = p3d_write_file(to, force, &text, err);
    p3d_text_free(&text);
    return ok;
}

static void check_file(const char *name, const char *want)
{
    char *text = NULL;
    size_t length = 0;

    assert_true(p3d_read_file(name, 100, &text, &length, NULL));
    assert_string_equal(text, want);
    free(text);
}

static void check_names(bool links)
{
    p3d_error err;

    has_links = links;
    assert_true(p3d_may_write_file(path, false, NULL));
    assert_true(put(path, "first", false, &err));
    check_file(path, "first");
    assert_false(put(path, "second", false, &err));
    test_check_error(&err, P3D_DATA, "is there; write --force to replace it");
    err = (p3d_error){0};
    assert_false(p3d_may_write_file(path, false, &err));
    test_check_error(&err, P3D_DATA, "is there; write --force to replace it");
    check_file(path, "first");
    assert_true(put(path, "second", true, &err));
    check_file(path, "second");
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

static void a_file_has_the_mode_that_the_umask_leaves(void **state)
{
    static const mode_t masks[] = {0, 022, 027, 077};

    (void)state;
    for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
        const p3d_text text = {0};
        const p3d_output_file file = {
                .name = "file", .text = &text, .executable = i % 2 == 0};
        const mode_t before = umask(masks[i]);
        struct stat found;

        assert_true(p3d_write_files(folder, &file, 1, true, NULL));
        assert_int_equal(umask(before), masks[i]);
        assert_int_equal(stat(path, &found), 0);
        assert_int_equal(found.st_mode & 0777,
                (file.executable ? 0777 : 0666) & ~masks[i]);
    }
}

static void a_planted_temporary_name_is_not_followed(void **state)
{
    p3d_error err;

    (void)state;
    assert_true(put(victim, "precious", false, &err));
    n_planted = 1;
    assert_true(put(path, "mine", false, &err));
    assert_int_equal(n_planted, 0);
    check_file(victim, "precious");
    check_file(path, "mine");
    assert_int_equal(unlink(planted_name), 0); /* what was planted is kept */
    n_planted = 1000;
    assert_false(put(path, "mine", true, &err));
    test_check_error(&err, P3D_SYSTEM, "cannot be written: File exists");
    assert_int_equal(n_planted, 900);
    n_planted = 0;
    check_file(victim, "precious");
}

/* Links that were planted have the names of temporary files. */
static void remove_planted(void)
{
    DIR *const d = opendir(folder);

    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        if (strncmp(e->d_name, ".plan3d-", 8) == 0)
            assert_int_equal(unlinkat(dirfd(d), e->d_name, 0), 0);
    closedir(d);
}

static int forget_planted(void **state)
{
    (void)state;
    remove_planted();
    unlink(path);
    return 0;
}

static void make_socket(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
    close(fd);
}

/* Refused before and after long work, with force and without. */
static void check_refused(const char *to, const char *words)
{
    p3d_error err;

    for (int force = 0; force < 2; force++) {
        assert_false(put(to, "mine", force == 1, &err));
        test_check_error(&err, P3D_DATA, words);
        err = (p3d_error){0};
        assert_false(p3d_may_write_file(to, force == 1, &err));
        test_check_error(&err, P3D_DATA, words);
    }
}

static void what_is_no_file_is_neither_replaced_nor_written(void **state)
{
    p3d_error err;

    (void)state;
    unlink(path);
    unlink(victim);
    assert_true(put(victim, "precious", false, &err));
    assert_int_equal(symlink(victim, path), 0);
    check_refused(path, "is a symbolic link; plan3d writes and replaces only");
    check_file(victim, "precious");
    unlink(path);
    assert_int_equal(symlink("/nowhere", path), 0);
    check_refused(path, "is a symbolic link");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(path, "is a pipe");
    unlink(path);
    make_socket();
    check_refused(path, "is a socket");
    unlink(path);
    check_refused("/dev/null", "is a device");
    check_refused("/dev/stdout", "is a symbolic link");
    check_refused(folder, "is a directory");
    check_refused("/", "is a directory");
}

static void a_path_that_leads_nowhere_is_an_error(void **state)
{
    static char endless[8192];
    p3d_error err;

    (void)state;
    check_refused("/nowhere/at/all",
            "/nowhere/at/all: there is no directory '/nowhere/at'; make it "
            "first, or write to another");
    check_refused("/dev/null/all", "Not a directory");
    memset(endless, 'p', sizeof(endless) - 1);
    endless[5000] = '/';
    assert_false(put(endless, "mine", true, &err));
    test_check_error(&err, P3D_DATA, "the path is longer than 4096 bytes");
    endless[5000] = '\0';
    assert_false(put(endless, "mine", true, &err));
    test_check_error(&err, P3D_DATA, "the path is longer than 4096 bytes");
    endless[1000] = '\0';
    assert_false(p3d_may_write_file(endless, true, NULL));
    assert_false(put(endless, "mine", true, &err));
    test_check_error(&err, P3D_DATA, "File name too long");
    assert_false(p3d_write_bytes(-1, "x", 1));
}

/* Of a set of files; a file by its path is not written into one that somebody
 * misspelt. */
static void a_directory_is_made_for_a_set_of_files_alone(void **state)
{
    const p3d_text text = {0};
    const p3d_output_file file = {.name = "file", .text = &text};
    char inner[128];
    char directory[96];
    p3d_error err = {0};

    (void)state;
    snprintf(directory, sizeof(directory), "%s//new", folder);
    snprintf(inner, sizeof(inner), "%s//file", directory);
    check_refused(inner, "there is no directory");
    assert_false(p3d_may_write_file(inner, false, &err));
    test_check_error(&err, P3D_DATA, directory);
    assert_int_equal(access(directory, F_OK), -1);
    assert_true(p3d_write_files(directory, &file, 1, false, NULL));
    assert_true(p3d_may_write_file(inner, true, NULL));
    unlink(inner);
    assert_int_equal(rmdir(directory), 0);
}

/* The second of two is there, or cannot take its name: the first is not left.
 */
static void all_files_are_written_or_none(void **state)
{
    const p3d_text text = {0};
    p3d_output_file files[] = {
            {.name = "file", .text = &text}, {.name = "victim", .text = &text}};
    p3d_error err;

    (void)state;
    unlink(path);
    unlink(victim);
    assert_true(put(victim, "precious", false, &err));
    assert_false(p3d_write_files(folder, files, 2, false, &err));
    test_check_error(&err, P3D_DATA, "victim is there");
    assert_int_equal(access(path, F_OK), -1);
    files[1].name = "nowhere/at";
    err = (p3d_error){0};
    assert_false(p3d_write_files(folder, files, 2, false, &err));
    test_check_error(&err, P3D_DATA, "nowhere/at: cannot be written: No such");
    assert_int_equal(access(path, F_OK), -1);
    check_file(victim, "precious");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_name_is_taken_once_and_replaced_by_force),
            cmocka_unit_test_setup(
                    so_it_is_where_there_are_no_hard_links, forget_planted),
            cmocka_unit_test(a_file_has_the_mode_that_the_umask_leaves),
            cmocka_unit_test_setup_teardown(
                    a_planted_temporary_name_is_not_followed, forget_planted,
                    forget_planted),
            cmocka_unit_test(what_is_no_file_is_neither_replaced_nor_written),
            cmocka_unit_test(a_path_that_leads_nowhere_is_an_error),
            cmocka_unit_test(a_directory_is_made_for_a_set_of_files_alone),
            cmocka_unit_test(all_files_are_written_or_none),
    };

    return cmocka_run_group_tests_name(
            "write_file", tests, make_folder, remove_folder);
}
