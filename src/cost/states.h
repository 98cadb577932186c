/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.h - bytes of weights, gradients and optimizer states of a rank. */
#ifndef PLAN3D_COST_STATES_H
#define PLAN3D_COST_STATES_H

#include "cost/cost.h"

typedef struct cost_state_sum {
    double weights_bytes;
    double gradients_bytes;
    double optimizer_bytes;
} cost_state_sum;

/** States of one rank with these parameters. */
cost_state_sum cost_states(
        const p3d_job *job, const p3d_plan *plan, p3d_params params);

/** Host memory of one rank's offloaded states, bytes. */
double cost_host_bytes(const p3d_plan *plan, p3d_params params);

#endif
