/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.c - opens a device and describes it. */
#include "bench/device/device.h"

#include <nccl.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "bench/device/attention.h"

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
