/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster_job.h - jobs of Kubernetes: what their containers run. */
#ifndef PLAN3D_EXCHANGE_READ_CLUSTER_JOB_H
#define PLAN3D_EXCHANGE_READ_CLUSTER_JOB_H

#include "exchange/read/read.h"

/**
 * Read the command of a job's first container that has one as a script, with
 * the container's variables, behind the settings of the file; replicas and
 * GPUs become the machines of a launcher. Nothing where the settings from
 * `from` on are of no such job.
 *
 * @return false with P3D_DATA or P3D_SYSTEM
 */
P3D_CHECK bool exchange_read_cluster_job(
        int from, exchange_settings *settings, p3d_error *err);

#endif
