/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_device.c - which GPU of hardware/gpu a driver's name stands for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "plan3d/cluster.h"

/* Drivers differ in what they keep for themselves; the memories of two GPUs of
 * one name are at least a tenth apart. */
static const double MEMORY_TOLERANCE_FRAC = 0.05;

static const char SEPARATORS[] = " -_";

/* True when one of the words of a name is this one, of n bytes. */
static bool has_word(const char *name, const char *word, size_t n)
{
    while (*name != '\0') {
        const size_t length = strcspn(name, SEPARATORS);
        char own[48];
        char other[48];

        snprintf(own, sizeof(own), "%.*s", (int)length, name);
        snprintf(other, sizeof(other), "%.*s", (int)n, word);
        if (p3d_same_word(own, other))
            return true;
        name += length;
        name += strspn(name, SEPARATORS);
    }
    return false;
}

/* Words of the GPU's name that the device's has; 0 = another GPU. */
static int n_common_words(const char *gpu, const char *device)
{
    int n = 0;

    while (*gpu != '\0') {
        const size_t length = strcspn(gpu, SEPARATORS);

        n += has_word(device, gpu, length);
        gpu += length;
        gpu += strspn(gpu, SEPARATORS);
    }
    return n;
}

static bool is_alike(const p3d_gpu *gpu, int64_t memory_bytes, int64_t n_sms)
{
    const double more =
            (double)memory_bytes - (double)gpu->visible_memory_bytes;

    return (gpu->n_sms == 0 || n_sms == 0 || gpu->n_sms == n_sms) &&
           (memory_bytes == 0 ||
                   fabs(more) < MEMORY_TOLERANCE_FRAC *
                                        (double)gpu->visible_memory_bytes);
}

/* The GPUs that are most like a device. */
typedef struct likeness {
    int most; /* words in common; 0 = none is like it */
    int n;    /* GPUs with so many */
    p3d_gpu first;
    p3d_gpu last;
} likeness;

static bool find_likeness(const char *device, int64_t memory_bytes,
        int64_t n_sms, likeness *out, p3d_error *err)
{
    p3d_catalog catalog = {0};
    bool ok = p3d_catalog_open(P3D_GPUS, &catalog, err);

    *out = (likeness){.most = 0};
    for (int i = 0; ok && i < catalog.n_names; i++) {
        p3d_gpu gpu = {0};
        int n;

        ok = p3d_gpu_find(catalog.names[i], &gpu, err);
        n = ok && is_alike(&gpu, memory_bytes, n_sms)
                    ? n_common_words(gpu.name, device)
                    : 0;
        if (n > out->most)
            *out = (likeness){.most = n, .first = gpu};
        if (n > 0 && n == out->most) {
            out->n++;
            out->last = gpu;
        }
    }
    p3d_catalog_free(&catalog);
    return ok;
}

bool p3d_gpu_of_device(const char *device, int64_t memory_bytes, int64_t n_sms,
        p3d_gpu *out, p3d_error *err)
{
    if (device == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    likeness like;

    if (!find_likeness(device, memory_bytes, n_sms, &like, err))
        return false;
    if (like.most == 0)
        return p3d_fail(err, P3D_DATA,
                "no GPU of 'plan3d list gpus' is like '%.90s'; write its name "
                "with --gpu",
                device);
    if (like.n > 1 && memory_bytes == 0 && n_sms == 0)
        return p3d_fail(err, P3D_DATA,
                "'%.90s' may be %s or %s; write which with --gpu", device,
                like.first.name, like.last.name);
    *out = like.first;
    return true;
}

bool p3d_gpu_may_be(const p3d_gpu *gpu, const char *device,
        int64_t memory_bytes, int64_t n_sms, bool *out, p3d_error *err)
{
    if (gpu == NULL || device == NULL || out == NULL)
        return p3d_misuse(err, __func__);

    likeness like;

    if (!find_likeness(device, memory_bytes, n_sms, &like, err))
        return false;
    *out = like.most > 0 && is_alike(gpu, memory_bytes, n_sms) &&
           n_common_words(gpu->name, device) == like.most;
    return true;
}
