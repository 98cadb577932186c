/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_catalog.c - where data files are looked for, and how they are listed. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan3d/catalog.h"

static char root[64];

static void make_file(const char *name)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", root, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *name)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    assert_int_equal(remove(path), 0);
}

static void make_folder(const char *name)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int begin(void **state)
{
    (void)state;
    snprintf(root, sizeof(root), "/tmp/plan3d-catalog-XXXXXX");
    assert_non_null(mkdtemp(root));
    return setenv("PLAN3D_DATA", root, 1);
}

static int end(void **state)
{
    (void)state;
    rmdir(root);
    return unsetenv("PLAN3D_DATA");
}

static void the_folder_named_by_the_environment_comes_first(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};
    char path[1200];
    char want[1200];

    (void)state;
    make_folder("models");
    make_file("models/b.json");
    make_file("models/a.json");
    make_file("models/a-1.json");
    make_file("models/B.json");
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    assert_int_equal(catalog.n_names, 4);
    assert_string_equal(catalog.names[0], "B");
    assert_string_equal(catalog.names[1], "a");
    assert_string_equal(catalog.names[2], "a-1");
    assert_string_equal(catalog.names[3], "b");
    p3d_catalog_path(&catalog, 2, path, sizeof(path));
    snprintf(want, sizeof(want), "%s/models/a-1.json", root);
    assert_string_equal(path, want);
    p3d_catalog_free(&catalog);
    remove_file("models/b.json");
    remove_file("models/a.json");
    remove_file("models/a-1.json");
    remove_file("models/B.json");
    remove_file("models");
}

static void only_data_files_are_listed(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    (void)state;
    make_folder("hardware");
    make_folder("hardware/gpu");
    make_file("hardware/gpu/h100-80g.json");
    make_file("hardware/gpu/README.md");
    make_file("hardware/gpu/.hidden.json");
    make_file("hardware/gpu/.json");
    make_file("hardware/gpu/old.json~");
    assert_true(p3d_catalog_open(P3D_GPUS, &catalog, &err));
    assert_int_equal(catalog.n_names, 1);
    assert_string_equal(catalog.names[0], "h100-80g");
    p3d_catalog_free(&catalog);
    remove_file("hardware/gpu/h100-80g.json");
    remove_file("hardware/gpu/README.md");
    remove_file("hardware/gpu/.hidden.json");
    remove_file("hardware/gpu/.json");
    remove_file("hardware/gpu/old.json~");
    remove_file("hardware/gpu");
    remove_file("hardware");
}

static void an_empty_folder_is_an_empty_list(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    (void)state;
    make_folder("models");
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    assert_int_equal(catalog.n_names, 0);
    p3d_catalog_free(&catalog);
    p3d_catalog_free(NULL);
    remove_file("models");
}

static void a_folder_that_is_not_there_is_looked_for_in_the_build_tree(
        void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    assert_true(catalog.n_names > 100);
    assert_string_equal(catalog.directory, P3D_SOURCE_DIR "/models");
    for (int i = 1; i < catalog.n_names; i++)
        assert_true(strcmp(catalog.names[i - 1], catalog.names[i]) < 0);
    p3d_catalog_free(&catalog);
}

static void an_empty_environment_variable_is_none(void **state)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    (void)state;
    assert_int_equal(setenv("PLAN3D_DATA", "", 1), 0);
    assert_true(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    assert_string_equal(catalog.directory, P3D_SOURCE_DIR "/models");
    p3d_catalog_free(&catalog);
}

static void a_name_that_is_too_long_is_refused(void **state)
{
    p3d_catalog catalog = {.n_names = 7};
    p3d_error err = {0};
    char name[160];

    (void)state;
    snprintf(name, sizeof(name), "models/%0120d.json", 0);
    make_folder("models");
    make_file(name);
    assert_false(p3d_catalog_open(P3D_MODELS, &catalog, &err));
    test_check_error(&err, P3D_SYSTEM, "is too long; use at most 100 bytes");
    assert_int_equal(catalog.n_names, 7);
    remove_file(name);
    remove_file("models");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_setup_teardown(
                    the_folder_named_by_the_environment_comes_first, begin,
                    end),
            cmocka_unit_test_setup_teardown(
                    only_data_files_are_listed, begin, end),
            cmocka_unit_test_setup_teardown(
                    an_empty_folder_is_an_empty_list, begin, end),
            cmocka_unit_test_setup_teardown(
                    a_folder_that_is_not_there_is_looked_for_in_the_build_tree,
                    begin, end),
            cmocka_unit_test_setup_teardown(
                    an_empty_environment_variable_is_none, begin, end),
            cmocka_unit_test_setup_teardown(
                    a_name_that_is_too_long_is_refused, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
