/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_replay.c - the inputs of each fuzz target, and those that once broke
 * it: none does, and each is settled in no time. */
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/util.h"
#include "fuzz/fuzz.h"

enum { MAX_BYTES = 1 << 20 };

/* They take milliseconds; the limit is wide for sanitizers and valgrind. */
static const double limit_s = 20;

static void replay_file(fuzz_target *target, const char *path)
{
    const clock_t begin = clock();
    char *data = NULL;
    size_t n = 0;
    p3d_error err = {0};

    if (!p3d_read_file(path, MAX_BYTES, &data, &n, &err))
        fail_msg("%s", err.text);
    print_message("%s\n", path);
    (void)target((const uint8_t *)data, n);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < limit_s);
    free(data);
}

static void replay(const char *name, fuzz_target *target)
{
    char folder[1024];
    int n = 0;
    DIR *d;

    snprintf(folder, sizeof(folder), "%s/tests/fuzz/%s", P3D_SOURCE_DIR, name);
    d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        char path[2048];

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
        replay_file(target, path);
        n++;
    }
    closedir(d);
    assert_true(n > 0);
}

#define FUZZ_AS_TEST(name)                  \
    static void replay_##name(void **state) \
    {                                       \
        (void)state;                        \
        replay(#name, fuzz_##name);         \
    }
FUZZ_TARGETS(FUZZ_AS_TEST)
#undef FUZZ_AS_TEST

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define FUZZ_AS_ROW(name) cmocka_unit_test(replay_##name),
            FUZZ_TARGETS(FUZZ_AS_ROW)
#undef FUZZ_AS_ROW
    };

    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
