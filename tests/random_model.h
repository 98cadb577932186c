/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_model.h - random small models of every kind that a file may have. */
#ifndef PLAN3D_TEST_RANDOM_MODEL_H
#define PLAN3D_TEST_RANDOM_MODEL_H

#include "random_plan.h"

#include "plan3d/plan3d.h"

/** One of n numbers of a list. */
#define PICK(r, list) ((list)[random_below((r), P3D_COUNT_OF(list))])

static inline bool one_in(random_source *r, int n)
{
    return random_below(r, n) == 0;
}

/** A model of up to 8 layers. What came later is drawn from copies of the
 *  source, so that what follows is as it was. */
void random_model_of(random_source *r, p3d_model *m);

#endif
