/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_split.h - the shape of a split of layers over pipeline stages. */
#ifndef PLAN3D_SPEC_PLAN_SPLIT_H
#define PLAN3D_SPEC_PLAN_SPLIT_H

#include "plan3d/plan.h"

/** The shape of a split: each (virtual) stage has `share` layers, the last
 *  `n_larger` stages (or the first) one more; the first and the last may have
 *  fewer, or numbers of their own. */
typedef struct spec_split {
    int64_t n_stages;
    int share;
    int64_t n_larger;
    bool larger_first;
    bool first_less; /* the embedding counts as a layer */
    int last_less;   /* the loss counts as a layer, and blocks of multi-token
                        prediction */
    bool typed;      /* the plan says how: p3d_plan_says_layers() */
    int less;        /* layers that its short_chunk lacks */
    bool by_cost;    /* a stage ends where its share of the work is passed */
} spec_split;

/** Take them away. */
void spec_split_usually(p3d_plan *plan);

/** @return false when the layers cannot be shared out; see
 *  p3d_plan_split_layers() */
bool spec_split_find(const p3d_model *model, const p3d_job *job,
        const p3d_plan *plan, spec_split *out);

/** True where the chunks of a rank may have different numbers of layers. */
bool spec_chunks_differ(const p3d_plan *plan);

/** Layers of the largest chunk; 0 where they cannot be shared out. */
int spec_most_layers(
        const p3d_model *model, const p3d_job *job, const p3d_plan *plan);

#endif
