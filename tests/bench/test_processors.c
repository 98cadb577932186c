/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_processors.c - masks, control groups, and hosts. */
#define _GNU_SOURCE /* sched_setaffinity() */
#include "test.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "bench/host/processors.h"

static char folder[] = "/tmp/plan3d-processors-XXXXXX";

static void write_line(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : 1;
}

static int remove_folder(void **state)
{
    char line[256];

    (void)state;
    snprintf(line, sizeof(line), "rm -rf %s", folder);
    return system(line);
}

static void the_mask_is_counted(void **state)
{
    cpu_set_t before, one;
    size_t first = 0;
    int n;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_in_range(bench_n_processors(), 1, CPU_COUNT(&before));
    assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
    n = bench_n_processors();
    assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
    assert_int_equal(n, 1);
}

/* The tightest of a group and of those above it; parts of a processor are cut
 * off, one is the least. */
static void control_groups_grant_processors(void **state)
{
    static const struct {
        const char *job;
        const char *step;
        int n;
    } cases[] = {{"max 100000\n", "max 100000\n", 0},
            {"400000 100000\n", "max 100000\n", 4},
            {"400000 100000\n", "250000 100000\n", 2},
            {"150000 100000\n", "800000 100000\n", 1},
            {"50000 100000\n", "max 100000\n", 1}, {"", "x 1", 0}};
    char path[256];

    (void)state;
    snprintf(path, sizeof(path), "%s/job", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/job/step", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        write_line("job/cpu.max", cases[i].job);
        write_line("job/step/cpu.max", cases[i].step);
        assert_int_equal(
                bench_cgroup_processors(folder, "/job/step"), cases[i].n);
    }
    assert_int_equal(bench_cgroup_processors("/none", "/"), 0);
}

/* Two hosts of one image have one name. */
static void hosts_of_one_name_are_told_apart(void **state)
{
    char one[256], other[256];

    (void)state;
    write_line("boot-1", "1b2ce1f8-0000-4000-8000-000000000001\n");
    write_line("boot-2", "1b2ce1f8-0000-4000-8000-000000000002\n");
    snprintf(one, sizeof(one), "%s/boot-1", folder);
    snprintf(other, sizeof(other), "%s/boot-2", folder);
    assert_true(bench_host_id("gpu", one) == bench_host_id("gpu", one));
    assert_true(bench_host_id("gpu", one) != bench_host_id("gpu", other));
    assert_true(bench_host_id("gpu", one) != bench_host_id("cpu", one));
    assert_true(bench_host_id("a", "/none") != bench_host_id("b", "/none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_mask_is_counted),
            cmocka_unit_test(control_groups_grant_processors),
            cmocka_unit_test(hosts_of_one_name_are_told_apart),
    };

    return cmocka_run_group_tests_name(
            "processors", tests, make_folder, remove_folder);
}
