/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slices.h - slices of TPUs: the sizes that there are, and Google's names. */
#ifndef PLAN3D_SPEC_SLICES_H
#define PLAN3D_SPEC_SLICES_H

#include "plan3d/cluster.h"

/**
 * Read the type of an accelerator as Google has it: v5p-128, v5litepod-64.
 *
 * On v4 and v5p the number counts TensorCores, two a chip; on v5e and v6e
 * chips. Source: docs.cloud.google.com/tpu/docs/v4, v5p, v5e and v6e.
 *
 * @param gpu  name of the chip
 * @return chips of a slice; 0 = it is no such name, -1 = half a chip
 */
int64_t spec_slice_named(const char *words, const char **gpu);

/**
 * Whether a cluster is slices that can be asked for: of two axes with a power
 * of two of chips, of three with one of up to 32 or whole cubes of 64. A host
 * alone may be used in part.
 *
 * Source: ibid., the tables of shapes.
 *
 * @param node  whole
 */
bool spec_slices_are(const p3d_node *node, const p3d_cluster *cluster);

/** Chips of the slices on both sides of a number that has none. */
typedef struct spec_slices_nearby {
    int fewer, more;
} spec_slices_nearby;

spec_slices_nearby spec_slices_near(const p3d_node *node, int n_chips);

/** Tell who wrote words, or asked for another size, what to write.
 *  @return false with P3D_DATA where the cluster is no slices */
P3D_CHECK bool spec_slices_check(
        const p3d_node *node, const p3d_cluster *cluster, p3d_error *err);

#endif
