/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.c - opens a device, describes it, and times what runs on it. */
#include "bench/device/device.h"

#include <dlfcn.h>
#include <math.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/util.h"
#include "bench/device/attention.h"
#include "bench/host/record.h"

/* The NVIDIA Management Library is loaded when it is there. Its header is not
 * part of every toolkit; names, signatures and constants are those of the NVML
 * API reference, which are stable. */
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
typedef int count_call(unsigned *);
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

int bench_n_devices(const bench_nvml *nvml)
{
    count_call *call;
    unsigned n_of_host = 0;
    int n = 0;

    if (FIND(nvml, "nvmlDeviceGetCount_v2", call) &&
            call(&n_of_host) == SUCCESS && n_of_host > 0)
        return (int)n_of_host;
    if (cudaGetDeviceCount(&n) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return n;
}

void bench_nvml_driver(const bench_nvml *nvml, char *buffer, size_t n)
{
    text_call *call;

    if (!FIND(nvml, "nvmlSystemGetDriverVersion", call) ||
            call(buffer, (unsigned)n) != SUCCESS)
        buffer[0] = '\0';
}

bool bench_cuda(cudaError_t code, const char *what, p3d_error *err)
{
    if (code == cudaSuccess)
        return true;
    (void)cudaGetLastError(); /* the next call shall not report it again */
    if (code == cudaErrorMemoryAllocation)
        return p3d_fail(err, P3D_DATA,
                "%s: the device has too little free memory; write smaller "
                "sizes, or end what else uses it",
                what);
    return p3d_fail(err, P3D_DEVICE, "%s: %s", what, cudaGetErrorString(code));
}

bool bench_blas(cublasStatus_t code, const char *what, p3d_error *err)
{
    return code == CUBLAS_STATUS_SUCCESS ||
           p3d_fail(err, P3D_DEVICE, "%s: cuBLASLt status %d", what, (int)code);
}

void bench_print_version(
        char *buffer, size_t n, int64_t packed, int base, int minor)
{
    const uint64_t version = packed < 0 ? 0 : (uint64_t)packed;
    const unsigned b = (unsigned)base;
    const unsigned m = (unsigned)minor;

    snprintf(buffer, n, "%u.%u.%u", (unsigned)(version / b % 1000),
            (unsigned)(version % b / m % 1000), (unsigned)(version % m % 1000));
}

static bool count_devices(int *out, p3d_error *err)
{
    const cudaError_t code = cudaGetDeviceCount(out);

    (void)cudaGetLastError();
    if (code == cudaErrorInsufficientDriver)
        return p3d_fail(err, P3D_DEVICE,
                "no usable device: the driver is missing or older than CUDA "
                "%d.%d needs",
                CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    if (code == cudaErrorNoDevice || (code == cudaSuccess && *out == 0))
        return p3d_fail(err, P3D_DEVICE,
                "no usable device: the driver finds no NVIDIA GPU");
    return code == cudaSuccess ||
           p3d_fail(err, P3D_DEVICE, "no usable device: %s",
                   cudaGetErrorString(code));
}

static bool choose(const bench_args *args, const bench_launch *launch,
        bench_device *d, p3d_error *err)
{
    int n = 0;

    if (!count_devices(&n, err))
        return false;
    /* A launcher that shows each rank its own device shows just one. */
    d->ordinal = args->device >= 0 ? (int)args->device
                 : n == 1          ? 0
                                   : launch->local_rank;
    if (d->ordinal >= n)
        return p3d_fail(err, P3D_DEVICE,
                "no device %d: there are %d; write --device 0 to %d, or fewer "
                "ranks on a node",
                d->ordinal, n, n - 1);
    return true;
}

static int attribute(const bench_device *d, enum cudaDeviceAttr which)
{
    int value = 0;

    return cudaDeviceGetAttribute(&value, which, d->ordinal) == cudaSuccess
                   ? value
                   : 0;
}

/* Device memory in use before and after are those of this process too. */
static bool open_context(bench_device *d, p3d_error *err)
{
    const int64_t before = bench_nvml_used_bytes(&d->nvml);
    int64_t after;

    if (!bench_cuda(cudaSetDevice(d->ordinal), "choosing the device", err) ||
            !bench_cuda(cudaFree(NULL), "opening the device", err))
        return false;
    after = bench_nvml_used_bytes(&d->nvml);
    d->context_bytes = before > 0 && after > before ? after - before : 0;
    return true;
}

static bool open_libraries(bench_device *d, p3d_error *err)
{
    return bench_cuda(
                   cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking),
                   "making a stream", err) &&
           bench_cuda(cudaEventCreate(&d->begin), "making an event", err) &&
           bench_cuda(cudaEventCreate(&d->end), "making an event", err) &&
           bench_cuda(
                   cudaEventCreateWithFlags(&d->done, cudaEventDisableTiming),
                   "making an event", err) &&
           bench_blas(cublasLtCreate(&d->blas), "opening cuBLASLt", err) &&
           bench_device_allocate(
                   &d->workspace, BENCH_WORKSPACE_BYTES, "workspace", err);
}

bool bench_device_open(const bench_args *args, const bench_launch *launch,
        bench_device *out, p3d_error *err)
{
    char bus[32] = "";

    *out = (bench_device){0};
    if (!choose(args, launch, out, err))
        return false;
    if (cudaDeviceGetPCIBusId(bus, sizeof(bus), out->ordinal) == cudaSuccess)
        bench_nvml_open(bus, &out->nvml);
    if (!open_context(out, err))
        return false;
    out->compute_capability =
            10 * attribute(out, cudaDevAttrComputeCapabilityMajor) +
            attribute(out, cudaDevAttrComputeCapabilityMinor);
    out->l2_bytes = attribute(out, cudaDevAttrL2CacheSize);
    if (out->compute_capability < 80)
        return p3d_fail(err, P3D_DEVICE,
                "no usable device: sm_%d; the kernels need sm_80 or newer",
                out->compute_capability);
    return open_libraries(out, err);
}

void bench_device_close(bench_device *device)
{
    if (device->workspace != NULL)
        cudaFree(device->workspace);
    if (device->blas != NULL)
        cublasLtDestroy(device->blas);
    if (device->done != NULL)
        cudaEventDestroy(device->done);
    if (device->end != NULL)
        cudaEventDestroy(device->end);
    if (device->begin != NULL)
        cudaEventDestroy(device->begin);
    if (device->stream != NULL)
        cudaStreamDestroy(device->stream);
    bench_nvml_close(&device->nvml);
    *device = (bench_device){0};
}

static void describe_versions(p3d_machine *out)
{
    int nccl = 0;

    bench_print_version(out->cuda, sizeof(out->cuda), CUDART_VERSION, 1000, 10);
    bench_print_version(out->cublas, sizeof(out->cublas),
            (int64_t)cublasLtGetVersion(), 10000, 100);
    if (bench_fused_version() > 0)
        bench_print_version(out->cudnn, sizeof(out->cudnn),
                bench_fused_version(), 10000, 100);
    if (ncclGetVersion(&nccl) == ncclSuccess)
        bench_print_version(out->nccl, sizeof(out->nccl), nccl, 10000, 100);
}

bool bench_device_describe(const bench_device *device,
        const bench_launch *launch, p3d_machine *out, p3d_error *err)
{
    struct cudaDeviceProp p;
    size_t free_bytes, total_bytes;

    if (!bench_cuda(cudaGetDeviceProperties(&p, device->ordinal),
                "describing the device", err) ||
            !bench_cuda(cudaMemGetInfo(&free_bytes, &total_bytes),
                    "describing the device", err))
        return false;
    p3d_copy(out->name, sizeof(out->name), p.name);
    bench_hash(p.uuid.bytes, sizeof(p.uuid.bytes), out->uuid_hash);
    out->compute_capability = device->compute_capability;
    out->n_sms = p.multiProcessorCount;
    out->memory_bytes = (int64_t)total_bytes;
    out->l2_bytes = device->l2_bytes;
    out->sm_hz = bench_nvml_sm_hz(&device->nvml, true);
    out->memory_hz = bench_nvml_memory_hz(&device->nvml);
    out->power_limit_w = bench_nvml_power_limit_w(&device->nvml);
    bench_nvml_driver(&device->nvml, out->driver, sizeof(out->driver));
    describe_versions(out);
    out->n_ranks = launch->n_ranks;
    out->n_nodes = 1;
    return true;
}

bool bench_device_free_bytes(int64_t *out, p3d_error *err)
{
    size_t free_bytes, total_bytes;

    if (!bench_cuda(cudaMemGetInfo(&free_bytes, &total_bytes),
                "reading the free memory", err))
        return false;
    *out = (int64_t)free_bytes;
    return true;
}

bool bench_device_allocate(
        void **out, int64_t bytes, const char *what, p3d_error *err)
{
    char words[128];

    snprintf(words, sizeof(words), "allocating %.2f GiB (%s)",
            (double)bytes / 1073741824.0, what);
    return bench_cuda(cudaMalloc(out, (size_t)bytes), words, err);
}

/* Shortest sample, and shortest piece of a sustained run. */
static const double SAMPLE_S = 0.5e-3;
static const double PIECE_S = 50e-3;

enum { MOST_RUNS = 100000, MOST_PIECES = 100000 };

/* Between two looks at the other ranks. */
static const double LOOK_S = 0.05;

/* A process that ended says more than what is seen of it through a link. */
static bool is_well(const bench_device *d, p3d_error *err)
{
    return (d->children == NULL || bench_launch_alive(d->children, err)) &&
           (d->guard.is_well == NULL ||
                   d->guard.is_well(d->guard.context, err));
}

static bool wait_for(const bench_device *d, cudaEvent_t event, const char *what,
        p3d_error *err)
{
    double next_s = p3d_now_s() + LOOK_S;
    cudaError_t code;

    if (d->children == NULL && d->guard.is_well == NULL)
        return bench_cuda(cudaEventSynchronize(event), what, err);
    while ((code = cudaEventQuery(event)) == cudaErrorNotReady) {
        if (p3d_now_s() < next_s)
            continue;
        next_s += LOOK_S;
        if (!is_well(d, err))
            return false;
    }
    return bench_cuda(code, what, err);
}

bool bench_wait(const bench_device *device, cudaStream_t stream,
        const char *what, p3d_error *err)
{
    return bench_cuda(cudaEventRecord(device->done, stream), what, err) &&
           wait_for(device, device->done, what, err);
}

bool bench_time_runs(
        bench_work work, int64_t first, int64_t n, double *out, p3d_error *err)
{
    const bench_device *const device = work.device;
    cudaStream_t const stream = device->stream;
    float ms = 0;

    if (device->watch_s > 0)
        bench_watchdog(device->watch_s);
    if (!bench_cuda(cudaEventRecord(device->begin, stream), "timing", err))
        return false;
    for (int64_t i = first; i < first + n; i++)
        if (!work.run(work.context, i, stream, err))
            return false;
    if (!bench_cuda(cudaEventRecord(device->end, stream), "timing", err) ||
            !wait_for(device, device->end, "running", err) ||
            !bench_cuda(cudaEventElapsedTime(&ms, device->begin, device->end),
                    "timing", err))
        return false;
    *out = 1e-3 * (double)ms;
    return true;
}

/* Runs that fill a sample, from the time of the warm-up. */
static int64_t runs_of(double run_s, double sample_s)
{
    const double n = run_s > 0 ? ceil(sample_s / run_s) : MOST_RUNS;

    return n < 1 ? 1 : n > MOST_RUNS ? MOST_RUNS : (int64_t)n;
}

int64_t bench_runs_of_sample(double run_s)
{
    return runs_of(run_s, SAMPLE_S);
}

bool bench_time_samples(bench_work work, int n_samples, int64_t inner,
        p3d_timing *out, p3d_error *err)
{
    double *const samples = calloc((size_t)n_samples, sizeof(*samples));
    bool ok = samples != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    for (int i = 0; i < n_samples && ok; i++) {
        ok = bench_time_runs(work, i * inner, inner, &samples[i], err);
        samples[i] /= (double)inner;
    }
    if (ok)
        *out = bench_timing(samples, n_samples);
    free(samples);
    return ok;
}

/* Runs that take longer than this are waited for one by one, so that the
 * watchdog is for one of them. */
static const double LONG_RUN_S = 0.1;

bool bench_warm_up(
        bench_work work, const bench_args *args, double *run_s, p3d_error *err)
{
    double first_s, sum_s = 0;
    int64_t step;

    if (!bench_time_runs(work, 0, 1, &first_s, err))
        return false;
    step = first_s > LONG_RUN_S ? 1 : args->n_warmup;
    for (int64_t i = 0; i < args->n_warmup; i += step) {
        double piece_s;

        if (!bench_time_runs(work, i, step, &piece_s, err))
            return false;
        sum_s += piece_s;
    }
    *run_s = sum_s / (double)args->n_warmup;
    return true;
}

bool bench_time(bench_work work, const bench_args *args, p3d_timing *out,
        p3d_error *err)
{
    double run_s;

    return bench_warm_up(work, args, &run_s, err) &&
           bench_time_samples(work, (int)args->n_samples,
                   bench_runs_of_sample(run_s), out, err);
}

bool bench_time_sustained(
        bench_work work, double seconds, bench_load *out, p3d_error *err)
{
    const bench_device *const device = work.device;
    const double until_s = p3d_now_s() + seconds;
    double *const pieces = calloc(MOST_PIECES, sizeof(*pieces));
    double piece_s = 0;
    int64_t inner;
    int n = 0;
    bool ok = pieces != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && bench_time_runs(work, 0, 10, &piece_s, err);
    inner = ok ? runs_of(piece_s / 10, fmax(PIECE_S, seconds / MOST_PIECES))
               : 0;
    for (; ok && n < MOST_PIECES && (n < 6 || p3d_now_s() < until_s); n++) {
        ok = bench_time_runs(work, n * inner, inner, &pieces[n], err);
        pieces[n] /= (double)(ok ? inner : 1);
    }
    /* Clock and power are those of a device at work. */
    for (int64_t i = 0; i < inner && ok; i++)
        ok = work.run(work.context, i, device->stream, err);
    if (ok) {
        out->sm_hz = bench_nvml_sm_hz(&device->nvml, false);
        out->power_w = bench_nvml_power_w(&device->nvml);
        out->timing = bench_timing(pieces + n / 2, n - n / 2);
        ok = bench_wait(device, device->stream, "running", err);
    }
    free(pieces);
    return ok;
}
