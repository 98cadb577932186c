/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvml.c - the NVIDIA Management Library, loaded when it is there.
 *
 * Its header is not part of every toolkit; names, signatures and constants are
 * those of the NVML API reference, which are stable. */
#include "bench/device/nvml.h"

#include <dlfcn.h>
#include <string.h>

enum {
    SUCCESS = 0,     /* NVML_SUCCESS */
    CLOCK_SM = 1,    /* NVML_CLOCK_SM */
    CLOCK_MEMORY = 2 /* NVML_CLOCK_MEM */
};

/* nvmlMemory_t */
typedef struct memory {
    unsigned long long total_bytes, free_bytes, used_bytes;
} memory;

typedef int plain_call(void);
typedef int find_call(const char *, void **);
typedef int clock_call(void *, int, unsigned *);
typedef int number_call(void *, unsigned *);
typedef int memory_call(void *, memory *);
typedef int text_call(char *, unsigned);

/* ISO C has no cast from an object to a function: the bytes are copied. */
static bool find(const bench_nvml *nvml, const char *name, void *call, size_t n)
{
    void *const symbol =
            nvml->library != NULL ? dlsym(nvml->library, name) : NULL;

    if (symbol == NULL)
        return false;
    memcpy(call, &symbol, n);
    return true;
}

#define FIND(nvml, name, call) find(nvml, name, &(call), sizeof(call))

void bench_nvml_open(const char *bus_id, bench_nvml *out)
{
    plain_call *init;
    find_call *by_bus;

    *out = (bench_nvml){.library = dlopen("libnvidia-ml.so.1", RTLD_NOW)};
    if (!FIND(out, "nvmlInit_v2", init) || init() != SUCCESS ||
            !FIND(out, "nvmlDeviceGetHandleByPciBusId_v2", by_bus) ||
            by_bus(bus_id, &out->device) != SUCCESS)
        bench_nvml_close(out);
}

void bench_nvml_close(bench_nvml *nvml)
{
    plain_call *shutdown;

    if (FIND(nvml, "nvmlShutdown", shutdown))
        (void)shutdown();
    if (nvml->library != NULL)
        dlclose(nvml->library);
    *nvml = (bench_nvml){0};
}

static double number(const bench_nvml *nvml, const char *name)
{
    number_call *call;
    unsigned value = 0;

    return FIND(nvml, name, call) && call(nvml->device, &value) == SUCCESS
                   ? value
                   : 0;
}

static double clock_hz(const bench_nvml *nvml, const char *name, int which)
{
    clock_call *call;
    unsigned mhz = 0;

    return FIND(nvml, name, call) && call(nvml->device, which, &mhz) == SUCCESS
                   ? 1e6 * mhz
                   : 0;
}

double bench_nvml_sm_hz(const bench_nvml *nvml, bool highest)
{
    return clock_hz(nvml,
            highest ? "nvmlDeviceGetMaxClockInfo" : "nvmlDeviceGetClockInfo",
            CLOCK_SM);
}

double bench_nvml_memory_hz(const bench_nvml *nvml)
{
    return clock_hz(nvml, "nvmlDeviceGetMaxClockInfo", CLOCK_MEMORY);
}

double bench_nvml_power_w(const bench_nvml *nvml)
{
    return 1e-3 * number(nvml, "nvmlDeviceGetPowerUsage");
}

double bench_nvml_power_limit_w(const bench_nvml *nvml)
{
    return 1e-3 * number(nvml, "nvmlDeviceGetEnforcedPowerLimit");
}

int64_t bench_nvml_used_bytes(const bench_nvml *nvml)
{
    memory_call *call;
    memory got;

    return FIND(nvml, "nvmlDeviceGetMemoryInfo", call) &&
                           call(nvml->device, &got) == SUCCESS
                   ? (int64_t)got.used_bytes
                   : 0;
}

void bench_nvml_driver(const bench_nvml *nvml, char *buffer, size_t n)
{
    text_call *call;

    if (!FIND(nvml, "nvmlSystemGetDriverVersion", call) ||
            call(buffer, (unsigned)n) != SUCCESS)
        buffer[0] = '\0';
}
