/* SPDX-License-Identifier: GPL-3.0-or-later */
/* world.h - what launchers and the environment say beside a plan. */
#ifndef PLAN3D_EXCHANGE_READ_WORLD_H
#define PLAN3D_EXCHANGE_READ_WORLD_H

#include "exchange/launch/target.h"
#include "exchange/read/read.h"

/** Mark the sizes of the world as known; what is not the cluster's becomes a
 *  line of the notes. */
void exchange_note_world(exchange_settings *settings,
        const p3d_cluster *cluster, p3d_text *notes);

/** Take what the environment of a script makes of its program. */
void exchange_apply_environment(
        exchange_settings *settings, exchange_launch *launch);

#endif
