/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single_changes.h - what one change of a plan gains, all else as it is. */
#ifndef PLAN3D_SINGLE_CHANGES_H
#define PLAN3D_SINGLE_CHANGES_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

enum { P3D_MAX_SINGLE_CHANGES = 16 };

/** Another value of one decision, or an option of the job. */
typedef struct p3d_single_change {
    const char *word;      /* the decision ("tp"), or the option as it is
                              written on the command line ("--tp-overlap");
                              "compile": without --eager */
    const char *doc;       /* what it is */
    bool is_option;        /* of the job: the plan is the same */
    p3d_estimate estimate; /* with the change; fits */
} p3d_single_change;

/**
 * Of each decision of a plan, its best other value, with no more changed than
 * what follows from it: replicas from the GPUs, the schedule from the chunks.
 *
 * @param from  any plan: where it fits, changes that gain less than a
 *              thousandth of its step are left out; where it does not, those
 *              with which it does not either
 * @param out   the fastest first
 * @return how many there are
 */
int p3d_single_changes_find(const p3d_problem *problem,
        const p3d_estimate *from,
        p3d_single_change out[P3D_MAX_SINGLE_CHANGES]);

/** Set the option of the job that a change is; a change of the plan leaves the
 *  problem alone. */
void p3d_single_change_apply(
        const p3d_single_change *change, p3d_problem *problem);

P3D_API_END

#endif
