/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster_file.h - clusters as files, with more memory than they have. */
#ifndef PLAN3D_TEST_CLUSTER_FILE_H
#define PLAN3D_TEST_CLUSTER_FILE_H

#include "commands/invariants.h"

/**
 * Write the cluster of an answer's question as a file of its own.
 *
 * @param gpu_factor   over the memory of its GPUs
 * @param host_factor  over the host memory and NVMe of its nodes
 * @return its path
 */
const char *cluster_file_write(trial *t, const answer *of, const char *name,
        double gpu_factor, double host_factor);

#endif
