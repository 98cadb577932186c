/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.h - bytes of weights, gradients and optimizer states of a rank. */
#ifndef PLAN3D_COST_MEMORY_STATES_H
#define PLAN3D_COST_MEMORY_STATES_H

#include "cost/cost.h"

/** Parameters of a rank by what the optimizer keeps of them. */
typedef struct cost_parameters {
    p3d_params all;
    p3d_params
            matrices; /* of the layers: what Muon and Adafactor treat apart */
    p3d_params edges; /* rows plus columns of these matrices */
} cost_parameters;

/** Device bytes of the states of one rank. */
typedef struct cost_state_sum {
    double weights_bytes;
    double gradients_bytes;
    double master_bytes;
    double moments_bytes;
    double step_bytes;      /* while the optimizer runs */
    double optimizer_bytes; /* master and moments */
} cost_state_sum;

/** States of one rank with these parameters. */
cost_state_sum cost_states(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters);

/** Bytes that one rank's offloaded states take outside of the device. */
typedef struct cost_host_sum {
    double host_bytes;   /* of host memory, pinned ones included */
    double pinned_bytes; /* of these, locked in memory */
    double nvme_bytes;
} cost_host_sum;

cost_host_sum cost_host(const p3d_job *job, const p3d_plan *plan,
        const cost_parameters *parameters);

#endif
