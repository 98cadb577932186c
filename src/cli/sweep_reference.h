/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_reference.h - a deadline that is the time of another cluster. */
#ifndef PLAN3D_CLI_SWEEP_REFERENCE_H
#define PLAN3D_CLI_SWEEP_REFERENCE_H

#include "plan3d/sweep.h"

/**
 * Read what a training may take: a time ("30d"), or a cluster ("512xH100"),
 * whose own time for the same job it is.
 *
 * @param of   the sweep that has to keep it; its lists and its job are read
 * @param out  receives the seconds
 * @param is_cluster  receives whether a cluster is named
 * @return false with P3D_USAGE: neither, several jobs, no tokens, or a cluster
 *         that the job does not surely fit; or with what the search says
 */
P3D_CHECK bool cli_deadline_read(const char *word, const p3d_sweep_options *of,
        double *out, bool *is_cluster, p3d_error *err);

#endif
