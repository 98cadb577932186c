/* SPDX-License-Identifier: GPL-3.0-or-later */
/* world.h - what launchers and the environment say beside a plan. */
#ifndef PLAN3D_EXCHANGE_READ_WORLD_H
#define PLAN3D_EXCHANGE_READ_WORLD_H

#include "exchange/launch/target.h"
#include "exchange/read/read.h"

/** Mark the sizes of the world as known. Another number than the cluster's is
 *  a line of `contradicted`, what only a run would tell one of `notes`. */
void exchange_note_world(exchange_settings *settings,
        const p3d_cluster *cluster, p3d_text *contradicted, p3d_text *notes);

/** Take what the environment of a script makes of its program. */
void exchange_apply_environment(
        exchange_settings *settings, exchange_launch *launch);

/** Note where the files say another number of replicas than the plan has. */
void exchange_note_replicas(
        const exchange_settings *settings, int dp, p3d_text *contradicted);

#endif
