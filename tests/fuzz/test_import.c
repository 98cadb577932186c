/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_import.c - launches that are cut, changed or made to hurt: read or
 * refused with one line, never a crash. */
#include "problem.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/import.h"

enum { N_CHANGES = 60 };

static unsigned random_below(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
}

static void check_error(bool ok, const p3d_error *err)
{
    assert_int_equal(ok, err->code == P3D_OK);
    assert_int_equal(ok, err->text[0] == '\0');
    for (const char *p = err->text; *p != '\0'; p++)
        assert_true((unsigned char)*p >= ' ');
}

static p3d_cluster cluster;
static p3d_model model;
static int n_read;

/* A plan of the settings by every target, with and without a model. */
static void settle(p3d_settings *settings, const p3d_target *target)
{
    p3d_import *const import = malloc(sizeof(*import));
    const p3d_job job = {.seq_len = 2048, .global_batch = 64};

    assert_non_null(import);
    for (int with = 0; with < 4; with++) {
        p3d_error err = {0};
        const bool ok = p3d_import_settle(target, settings,
                (with & 1) != 0 ? &model : NULL, &cluster,
                (with & 2) != 0 ? &job : &(p3d_job){0}, import, &err);

        check_error(ok, &err);
        n_read += ok;
        if (ok) {
            const p3d_problem problem = {.model = import->launch.model,
                    .cluster = cluster,
                    .job = import->launch.job};
            p3d_estimate estimate;
            p3d_refusal refusal;

            if (p3d_estimate_plan(
                        &problem, &import->launch.plan, &estimate, &refusal)) {
                assert_true(isfinite(p3d_time_step_s(&estimate.time)));
                assert_true(p3d_memory_device_bytes(&estimate.memory) > 0);
            }
        }
        p3d_import_free(import);
    }
    free(import);
}

static void read_text(const char *path, const char *text, size_t length)
{
    p3d_settings settings = {0};
    p3d_measured measured = {0};
    p3d_error err = {0};
    const bool ok = p3d_read_launch_text(
            path, text, length, &settings, &measured, &err);

    check_error(ok, &err);
    assert_true(measured.step_s >= 0 && measured.step_s < 1e15);
    if (ok) {
        const p3d_target *const guess = p3d_import_guess(&settings, NULL);

        if (guess != NULL)
            settle(&settings, guess);
    }
    p3d_settings_free(&settings);
}

/* Cut, overwrite, double or insert; the copy has room for twice the text. */
static size_t change(uint64_t *seed, char *text, size_t n)
{
    static const char *const pieces[] = {"=", "(", ")", "\"", "'", "\n", "-1",
            "999999999999", "0", "$", "${", "[", "{", ":", ",", "#", "\\",
            "None", "true", "nan", "&a ", "*a", "\xff", "--"};
    const size_t at = n == 0 ? 0 : random_below(seed, (unsigned)n);
    const char *const piece =
            pieces[random_below(seed, sizeof(pieces) / sizeof(pieces[0]))];
    const size_t length = strlen(piece);

    switch (random_below(seed, 3)) {
    case 0: return at;
    case 1:
        memcpy(text + at, piece, n - at < length ? n - at : length);
        return n;
    default:
        memmove(text + at + length, text + at, n - at);
        memcpy(text + at, piece, length);
        return n + length;
    }
}

static void change_and_read(const char *path, const char *text, size_t length,
        int n_changes, uint64_t *seed)
{
    char *const copy = malloc(length + 1024);

    assert_non_null(copy);
    for (int i = 0; i < n_changes; i++) {
        const unsigned n = 1 + random_below(seed, 4);
        size_t changed = length;

        memcpy(copy, text, length);
        for (unsigned k = 0; k < n; k++)
            changed = change(seed, copy, changed);
        copy[changed] = '\0';
        read_text(path, copy, changed);
    }
    free(copy);
}

static void replay(const char *folder, int n_changes)
{
    char directory[1024];
    struct dirent *entry;
    uint64_t seed = 11;
    int n = 0;
    DIR *d;

    snprintf(directory, sizeof(directory), "%s/tests/%s", P3D_SOURCE_DIR,
            folder);
    d = opendir(directory);
    assert_non_null(d);
    while ((entry = readdir(d)) != NULL) {
        char path[2048];
        char *text = NULL;
        size_t length = 0;
        p3d_error err = {0};

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        if (!p3d_read_file(path, 1 << 20, &text, &length, &err))
            fail_msg("%s", err.text);
        read_text(path, text, length);
        change_and_read(path, text, length, n_changes, &seed);
        free(text);
        n++;
    }
    closedir(d);
    assert_true(n > 5);
}

static void files_that_hurt_are_read_or_refused(void **state)
{
    (void)state;
    replay("fuzz/import", 20);
}

static void changed_files_are_read_or_refused(void **state)
{
    (void)state;
    n_read = 0;
    replay("import", N_CHANGES);
    assert_true(n_read > 100); /* the changes leave something to settle */
}

static int prepare(void **state)
{
    p3d_error err = {0};

    (void)state;
    problem_check(p3d_cluster_find("64xA100", &cluster, &err), &err);
    problem_check(p3d_model_find("llama-2-7b", &model, &err), &err);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(files_that_hurt_are_read_or_refused),
            cmocka_unit_test(changed_files_are_read_or_refused),
    };

    return cmocka_run_group_tests_name("importers", tests, prepare, NULL);
}
