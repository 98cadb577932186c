/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processors.c - reads the affinity mask, control groups and the boot id. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "bench/host/processors.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/host/record.h"

enum { MOST = 4096, PATH = 4096, LINE = 512 };

/* The first line of a small file, without its end; "" where there is none. */
static void read_line(const char *path, char *out, int n)
{
    FILE *const file = fopen(path, "r");

    out[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(out, n, file) == NULL)
        out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    (void)fclose(file);
}

/* "200000 100000" grants the time of two processors, "max 100000" of all. */
static int limit_of(const char *quota)
{
    char *end;
    const double granted = strtod(quota, &end);
    const double period = end != quota ? strtod(end, NULL) : 0;

    if (granted <= 0 || period <= 0)
        return 0;
    return granted < period          ? 1
           : granted / period > MOST ? MOST
                                     : (int)(granted / period);
}

int bench_cgroup_processors(const char *mount, const char *path)
{
    char group[PATH];
    char file[2 * PATH];
    char quota[LINE];
    int least = 0;

    if (snprintf(group, sizeof(group), "%s", path) >= (int)sizeof(group))
        return 0;
    for (char *end = group + strlen(group); end != NULL;) {
        int n;

        *end = '\0';
        snprintf(file, sizeof(file), "%s%s/cpu.max", mount, group);
        read_line(file, quota, sizeof(quota));
        n = limit_of(quota);
        if (n > 0 && (least == 0 || n < least))
            least = n;
        end = strrchr(group, '/');
    }
    return least;
}

/* The group of version 2 of this process: the line "0::/path". */
static int granted_processors(void)
{
    FILE *const file = fopen("/proc/self/cgroup", "r");
    char line[PATH];
    int n = 0;

    if (file == NULL)
        return 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::", 3) == 0)
            n = bench_cgroup_processors("/sys/fs/cgroup", line + 3);
    }
    (void)fclose(file);
    return n;
}

/* Of the mask; masks of more processors than fit are refused by the kernel. */
static int allowed_processors(void)
{
    cpu_set_t *const set = CPU_ALLOC(MOST);
    const size_t size = CPU_ALLOC_SIZE(MOST);
    long n = 0;

    if (set != NULL && sched_getaffinity(0, size, set) == 0)
        n = CPU_COUNT_S(size, set);
    if (set != NULL)
        CPU_FREE(set);
    if (n < 1)
        n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST ? MOST : (int)n;
}

int bench_n_processors(void)
{
    const int allowed = allowed_processors();
    const int granted = granted_processors();

    return granted > 0 && granted < allowed ? granted : allowed;
}

uint64_t bench_host_id(const char *name, const char *boot_id)
{
    char boot[LINE];
    char words[2 * LINE];
    char hash[24];

    read_line(boot_id, boot, sizeof(boot));
    snprintf(words, sizeof(words), "%.400s %s", name, boot);
    bench_hash(words, strlen(words), hash);
    return strtoull(hash, NULL, 16);
}
