/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slices.c - slices of TPUs: the sizes that there are, and Google's names. */
#include "spec/slices.h"

#include <string.h>

#include "base/ascii.h"
#include "base/util.h"
#include "plan3d/units.h"

static const struct {
    const char *prefix;
    int cores; /* a chip, of which the number counts */
    const char *gpu;
} names[] = {{"v4-", 2, "TPU-v4"}, {"v5p-", 2, "TPU-v5p"},
        {"v5e-", 1, "TPU-v5e"}, {"v5litepod-", 1, "TPU-v5e"},
        {"v6e-", 1, "TPU-v6e"}};

static bool begins(const char *words, const char *prefix)
{
    for (; *prefix != '\0'; words++, prefix++)
        if (p3d_lower(*words) != *prefix)
            return false;
    return true;
}

int64_t spec_slice_named(const char *words, const char **gpu)
{
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        const char *const number = words + strlen(names[i].prefix);
        int64_t n;

        if (!begins(words, names[i].prefix) || !p3d_is_digit(number[0]) ||
                !p3d_parse_count(number, 1, 2 * P3D_MAX_GPUS, &n, NULL))
            continue;
        *gpu = names[i].gpu;
        return n % names[i].cores == 0 ? n / names[i].cores : -1;
    }
    return 0;
}

/* Chips of a cube, and of the largest slice of three axes below it. */
enum { CUBE = 64 };

static bool is_slice(const p3d_node *node, int n)
{
    const bool is_power = (n & (n - 1)) == 0;

    if (n <= node->gpus_per_node)
        return true;
    return is_power || (node->torus_axes == 3 && n % CUBE == 0);
}

/* Whether so many chips are slices alike, as large as they can be. */
static bool are_slices(const p3d_node *node, int n)
{
    const int most = node->gpus_per_nvlink_domain;
    const int slice = n < most ? n : most;

    return n % slice == 0 && is_slice(node, slice);
}

spec_slices_nearby spec_slices_near(const p3d_node *node, int n_chips)
{
    spec_slices_nearby near = {n_chips - 1, n_chips + 1};

    while (!are_slices(node, near.fewer))
        near.fewer--;
    while (!are_slices(node, near.more))
        near.more++;
    return near;
}

bool spec_slices_are(const p3d_node *node, const p3d_cluster *cluster)
{
    const int slice = cluster->node.gpus_per_nvlink_domain;

    return node->torus_axes == 0 ||
           (cluster->n_gpus % slice == 0 && is_slice(node, slice));
}

bool spec_slices_check(
        const p3d_node *node, const p3d_cluster *cluster, p3d_error *err)
{
    const char *const gpu = cluster->gpu.name;
    spec_slices_nearby near;

    if (spec_slices_are(node, cluster))
        return true;
    near = spec_slices_near(node, cluster->n_gpus);
    return p3d_fail(err, P3D_DATA,
            node->torus_axes == 3
                    ? "%d chips are no slice of %s: these have 4, 8, 16, 32 or "
                      "a multiple of 64; write %dx%s or %dx%s, or slices x "
                      "chips, as 2x64x%s"
                    : "%d chips are no slice of %s: these have 4, 8, 16, 32, "
                      "64, 128 or 256; write %dx%s or %dx%s, or slices x "
                      "chips, as 2x64x%s",
            cluster->n_gpus, gpu, near.fewer, gpu, near.more, gpu, gpu);
}
