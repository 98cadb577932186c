/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_cuda.c - the CUDA runtime over host memory: everything is done when the
 * call returns. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tests/bench/fake/fake.h"

static int64_t used_bytes; /* of the device */

void fake_sleep(int ms)
{
    const struct timespec t = {
            .tv_sec = ms / 1000, .tv_nsec = 1000000L * (ms % 1000)};

    if (ms > 0)
        nanosleep(&t, NULL);
}

bool fake_hangs;
int fake_device;

static int n_queued;

bool fake_queue(void)
{
    const int most = fake_setting("FAKE_MOST_QUEUED");

    return most == 0 || ++n_queued <= most;
}

int fake_setting(const char *name)
{
    const char *const text = getenv(name);

    return text != NULL ? (int)strtol(text, NULL, 10) : 0;
}

/* What the device is like, unless a setting says otherwise. */
static int64_t setting_or(const char *name, int64_t usual)
{
    return fake_setting(name) > 0 ? fake_setting(name) : usual;
}

static int64_t memory_bytes(void)
{
    return setting_or("FAKE_MIB", FAKE_MIB) << 20;
}

/* Before each allocation lies its size. */
enum { HEADER = 256 };

struct CUevent_st {
    double at_s;
};

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 8; /* one for each rank */
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    fake_device = device;
    return device < 8 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetAttribute(
        int *value, enum cudaDeviceAttr which, int device)
{
    (void)device;
    *value = which == cudaDevAttrComputeCapabilityMajor ? FAKE_CAPABILITY / 10
             : which == cudaDevAttrComputeCapabilityMinor
                     ? FAKE_CAPABILITY % 10
                     : (int)setting_or("FAKE_L2_MIB", 1) << 20;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device)
{
    snprintf(id, (size_t)n, "0000:%02x:00.0", device);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof(*p));
    snprintf(p->name, sizeof(p->name), "Fake GPU");
    p->uuid.bytes[0] = (char)device;
    p->multiProcessorCount = (int)setting_or("FAKE_SMS", 4);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **out, size_t n)
{
    char *block;

    if ((int64_t)n > memory_bytes() - used_bytes)
        return cudaErrorMemoryAllocation;
    block = aligned_alloc(HEADER, (n + 2 * HEADER - 1) / HEADER * HEADER);
    if (block == NULL)
        return cudaErrorMemoryAllocation;
    memcpy(block, &n, sizeof(n));
    used_bytes += (int64_t)n;
    *out = block + HEADER;
    return cudaSuccess;
}

cudaError_t cudaFree(void *data)
{
    char *block;
    size_t n;

    if (data == NULL)
        return cudaSuccess;
    block = (char *)data - HEADER;
    memcpy(&n, block, sizeof(n));
    used_bytes -= (int64_t)n;
    free(block);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *total_bytes = (size_t)memory_bytes();
    *free_bytes = (size_t)(memory_bytes() - used_bytes);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **out, size_t n, unsigned flags)
{
    (void)flags;
    *out = malloc(n);
    return *out != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *data)
{
    free(data);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(
        void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, n);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n,
        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return fake_queue() ? cudaMemcpy(to, from, n, kind)
                        : cudaErrorLaunchFailure;
}

cudaError_t cudaMemset(void *to, int value, size_t n)
{
    memset(to, value, n);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(to, value, n);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    (void)flags;
    *out = malloc(1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(
        cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    (void)flags;
    *out = calloc(1, sizeof(**out));
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

/* On a machine that others use too, what this process took of it is steadier
 * than what passed. */
static double now_s(void)
{
    struct timespec t;

    if (fake_setting("FAKE_CPU_TIME") == 0)
        return p3d_now_s();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    event->at_s = now_s();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    n_queued = 0;
    (void)event;
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    (void)event;
    n_queued = 0;
    return fake_hangs ? cudaErrorNotReady : cudaSuccess;
}

/* Never 0, which no real run takes. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    *ms = (float)(1e3 * (end->at_s - begin->at_s)) + 1e-3F;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "fake error";
}
