/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_builtin.c - the data that the library holds is that of the folders. */
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builtin.h"
#include "base/file.h"
#include "plan3d/catalog.h"

static void all_files_are_there_byte_for_byte(void **state)
{
    static const char *const patterns[] = {
            "/models/*.json", "/hardware/*/*.json", "/hardware/*/*.csv"};
    int n = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        char pattern[512];
        glob_t found;

        snprintf(pattern, sizeof(pattern), "%s%s", P3D_SOURCE_DIR, patterns[i]);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t f = 0; f < found.gl_pathc; f++, n++) {
            const char *const path = found.gl_pathv[f];
            char name[512];
            char *theirs = NULL, *ours = NULL;
            size_t n_theirs, n_ours;
            p3d_error err = {0};

            snprintf(name, sizeof(name), P3D_BUILTIN "%s",
                    path + strlen(P3D_SOURCE_DIR "/"));
            assert_true(p3d_read_file(path, 1 << 24, &theirs, &n_theirs, &err));
            assert_true(p3d_read_file(name, 1 << 24, &ours, &n_ours, &err));
            assert_int_equal(n_theirs, n_ours);
            assert_string_equal(theirs, ours);
            free(theirs);
            free(ours);
        }
        globfree(&found);
    }
    /* The page is there where it was built before. */
    n += p3d_builtin_find(P3D_BUILTIN "page/plan3d.html") != NULL;
    assert_int_equal(n, p3d_n_builtin_files);
}

static void the_order_is_that_of_bytes(void **state)
{
    (void)state;
    for (int i = 1; i < p3d_n_builtin_files; i++)
        assert_true(strcmp(p3d_builtin_files[i - 1].name,
                            p3d_builtin_files[i].name) < 0);
}

static void a_name_is_found_or_not(void **state)
{
    (void)state;
    assert_non_null(p3d_builtin_find("builtin:models/gpt2.json"));
    assert_null(p3d_builtin_find("models/gpt2.json"));
    assert_null(p3d_builtin_find("builtin:"));
    assert_null(p3d_builtin_find("builtin:models"));
    assert_null(p3d_builtin_find("builtin:models/../models/gpt2.json"));
}

static void what_is_too_long_is_refused(void **state)
{
    p3d_error err = {0};
    char *text = NULL;
    size_t length;

    (void)state;
    assert_false(p3d_read_file(
            "builtin:models/gpt2.json", 10, &text, &length, &err));
    test_check_error(&err, P3D_DATA, "the file is longer than 10 bytes");
    assert_string_equal(err.file, "builtin:models/gpt2.json");
}

static void the_catalog_lists_them_when_asked(void **state)
{
    p3d_catalog of_folder = {0}, own = {0};
    p3d_error err = {0};
    char path[1200];

    (void)state;
    assert_true(p3d_catalog_open(P3D_GPUS, &of_folder, &err));
    assert_int_equal(setenv("PLAN3D_DATA", "builtin:", 1), 0);
    assert_true(p3d_catalog_open(P3D_GPUS, &own, &err));
    assert_int_equal(unsetenv("PLAN3D_DATA"), 0);
    assert_string_equal(own.directory, "builtin:hardware/gpu");
    assert_int_equal(own.n_names, of_folder.n_names);
    for (int i = 0; i < own.n_names; i++)
        assert_string_equal(own.names[i], of_folder.names[i]);
    p3d_catalog_path(&own, 0, path, sizeof(path));
    assert_non_null(p3d_builtin_find(path));
    p3d_catalog_free(&own);
    p3d_catalog_free(&of_folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(all_files_are_there_byte_for_byte),
            cmocka_unit_test(the_order_is_that_of_bytes),
            cmocka_unit_test(a_name_is_found_or_not),
            cmocka_unit_test(what_is_too_long_is_refused),
            cmocka_unit_test(the_catalog_lists_them_when_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
