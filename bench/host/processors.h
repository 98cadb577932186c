/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processors.h - the processors that this process may use, and this host among
 * others. */
#ifndef PLAN3D_BENCH_PROCESSORS_H
#define PLAN3D_BENCH_PROCESSORS_H

#include <stdint.h>

/** Processors that this process may use: those of its mask (taskset, srun,
 *  cpusets), and no more than its control groups grant the time of. */
int bench_n_processors(void);

/**
 * The whole processors that a control group of version 2 and those above it
 * grant.
 *
 * @param mount  where they lie: "/sys/fs/cgroup"
 * @param path   of the group: "/user.slice/job"
 * @return 0 without a limit; at least 1
 *
 * Source: Linux Documentation/admin-guide/cgroup-v2.rst (cpu.max).
 * Tested: tests/bench/test_processors.c
 */
int bench_cgroup_processors(const char *mount, const char *path);

/**
 * A number that tells hosts apart: of the name, which images and containers
 * share, and of the kernel's boot.
 *
 * @param boot_id  file with it: "/proc/sys/kernel/random/boot_id"
 */
uint64_t bench_host_id(const char *name, const char *boot_id);

#endif
