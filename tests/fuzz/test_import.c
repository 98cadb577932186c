/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_import.c - launches that are cut or changed: read or refused with one
 * line, never a crash. */
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/util.h"
#include "fuzz/fuzz.h"

enum { N_CHANGES = 60 };

static int n_read;

static unsigned random_below(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
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
        n_read += fuzz_launch(path, (const uint8_t *)copy, changed);
    }
    free(copy);
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
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

        snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        if (!is_file(path))
            continue;
        if (!p3d_read_file(path, 1 << 20, &text, &length, &err))
            fail_msg("%s", err.text);
        n_read += fuzz_launch(path, (const uint8_t *)text, length);
        change_and_read(path, text, length, n_changes, &seed);
        free(text);
        n++;
    }
    closedir(d);
    assert_true(n > 5);
}

static void changed_files_are_read_or_refused(void **state)
{
    (void)state;
    n_read = 0;
    replay("import", N_CHANGES);
    assert_true(n_read > 100); /* the changes leave something to settle */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(changed_files_are_read_or_refused),
    };

    return cmocka_run_group_tests_name("importers", tests, NULL, NULL);
}
