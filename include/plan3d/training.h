/* SPDX-License-Identifier: GPL-3.0-or-later */
/* training.h - a whole training in real days: failures, energy, money. */
#ifndef PLAN3D_TRAINING_H
#define PLAN3D_TRAINING_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

/** A whole training. Quantities of which 0 makes no sense are 0 where they are
 *  not known or were not asked for. */
typedef struct p3d_training {
    bool progresses; /* false: it fails faster than it works; then there are
                        no real days, energy or money */
    double ideal_s;  /* of the steps, if nothing fails */
    double save_s;   /* during which checkpoints stop the steps */
    double lost_s;   /* of work that failures undo */
    double restart_s;
    double waiting_s;    /* for broken nodes, when all spares are in use */
    double away_s;       /* the cluster is taken away, and not paid for */
    double real_s;       /* sum of the six */
    double goodput_frac; /* ideal over real */

    int64_t checkpoint_bytes;
    double write_s;               /* of one checkpoint; also to read it */
    double pause_s;               /* that it stops the steps for */
    double checkpoint_interval_s; /* of steps: the best, a whole number */
    int64_t checkpoint_interval_steps;
    double young_interval_s;
    double daly_interval_s;

    double mtbf_s; /* of the job */
    double n_failures;
    double n_preemptions; /* expected */
    bool saves_at_notice; /* the notice of one is enough to save all work */
    int n_spare_nodes;
    double availability_frac; /* of the time, enough nodes are whole */

    double power_w;    /* of the job while steps run, without the site's */
    double energy_kwh; /* with the site's */
    double billion_tokens_kwh;

    double gpu_h; /* of the real time, less away_s; spares too */
    double rent_usd;
    double billion_tokens_usd; /* of the rent */
    double energy_usd;
    double purchase_usd; /* the share of the price that the days take */
    double total_usd;    /* sum of rent, energy and purchase */

    p3d_operations operations; /* with what was assumed */
} p3d_training;

/** The job's operations, with what is assumed where nothing was said. */
p3d_operations p3d_operations_of(const p3d_problem *problem);

/**
 * Work out the training of job.n_tokens (> 0) with an estimated plan: expected
 * failures, the best interval between checkpoints, real time, energy, money.
 *
 * @param out  untouched on failure
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_training_find(const p3d_problem *problem,
        const p3d_estimate *estimate, p3d_training *out, p3d_error *err);

/** The same where a step takes another time than estimated, > 0: an end of its
 *  range (range.h). */
P3D_CHECK bool p3d_training_at(const p3d_problem *problem,
        const p3d_estimate *estimate, double step_s, p3d_training *out,
        p3d_error *err);

P3D_API_END

#endif
