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

    return (gpu->n_sms == 0 || gpu->n_sms == n_sms) &&
           fabs(more) <
                   MEMORY_TOLERANCE_FRAC * (double)gpu->visible_memory_bytes;
}

bool p3d_gpu_of_device(const char *device, int64_t memory_bytes, int64_t n_sms,
        p3d_gpu *out, p3d_error *err)
{
    p3d_catalog catalog = {0};
    p3d_gpu best = {0};
    int most = 0;
    bool ok;

    if (!p3d_catalog_open(P3D_GPUS, &catalog, err))
        return false;
    ok = true;
    for (int i = 0; i < catalog.n_names && ok; i++) {
        p3d_gpu gpu = {0};
        int n;

        ok = p3d_gpu_find(catalog.names[i], &gpu, err);
        n = ok && is_alike(&gpu, memory_bytes, n_sms)
                    ? n_common_words(gpu.name, device)
                    : 0;
        if (n > most) {
            most = n;
            best = gpu;
        }
    }
    p3d_catalog_free(&catalog);
    if (ok && most == 0)
        ok = p3d_fail(err, P3D_DATA,
                "no GPU of 'plan3d list gpus' is like '%.90s'; write its name "
                "with --gpu",
                device);
    if (ok)
        *out = best;
    return ok;
}
