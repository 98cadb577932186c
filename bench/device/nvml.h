/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvml.h - clocks, power and memory of the device, where the driver's library
 * is there. Every function gives 0 or "" where it is not. */
#ifndef PLAN3D_BENCH_NVML_H
#define PLAN3D_BENCH_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero is a device of which nothing is known. */
typedef struct bench_nvml {
    void *library; /* of dlopen() */
    void *device;  /* nvmlDevice_t */
} bench_nvml;

/** Find a device by its PCI bus id ("0000:1B:00.0"). */
void bench_nvml_open(const char *bus_id, bench_nvml *out);
void bench_nvml_close(bench_nvml *nvml);

double bench_nvml_sm_hz(const bench_nvml *nvml, bool highest);
double bench_nvml_memory_hz(const bench_nvml *nvml); /* highest */
double bench_nvml_power_w(const bench_nvml *nvml);
double bench_nvml_power_limit_w(const bench_nvml *nvml);
int64_t bench_nvml_used_bytes(const bench_nvml *nvml);
void bench_nvml_driver(const bench_nvml *nvml, char *buffer, size_t n);

#endif
