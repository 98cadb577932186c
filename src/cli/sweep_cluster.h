/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_cluster.h - the words of a sweep: of lists, and for clusters. */
#ifndef PLAN3D_CLI_SWEEP_CLUSTER_H
#define PLAN3D_CLI_SWEEP_CLUSTER_H

#include "base/number_list.h"
#include "plan3d/sweep.h"

/* A part of a list that stands between commas. */
enum { CLI_PART = P3D_SWEEP_WORD };

/** Take the next part of a list. @return false at its end, or with P3D_USAGE */
P3D_CHECK bool cli_next_part(
        const char **at, char part[CLI_PART], p3d_error *err);

/**
 * Read a cluster in words, a type of GPU, or a range of GPUs of a type
 * ("64xA800", "H100", "8..1024xH100"), or the path of a cluster file.
 *
 * @param counts  receives the numbers of GPUs of a range; else untouched
 * @return false with P3D_USAGE or what p3d_cluster_find() says
 */
P3D_CHECK bool cli_sweep_cluster_read(const char *word, p3d_sweep_cluster *out,
        p3d_numbers *counts, p3d_error *err);

#endif
