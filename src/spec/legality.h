/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality.h - the rules of p3d_plan_legal(), and what a plan has that its
 * framework does not do by itself. */
#ifndef PLAN3D_SPEC_LEGALITY_H
#define PLAN3D_SPEC_LEGALITY_H

#include <stddef.h>

#include "plan3d/departures.h"
#include "plan3d/plan.h"

/** Id and words of the i-th rule in the order of checking; NULL after the
 *  last. */
const char *spec_rule_id(int i);
const char *spec_rule_words(int i);

/** p3d_plan_legal() and p3d_plan_stays_legal() of what needs no look at whether
 *  it was given: a search asks a million times. Not asked is the last rule,
 *  which wants recomputation: a search asks before it has chosen any, and
 *  search_savings_build() leaves no other. */
bool spec_plan_keeps_all(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_refusal *refusal);
bool spec_plan_keeps_rules(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_difference difference);

/** A plan in question, and where to say why not. */
typedef struct spec_question {
    const p3d_model *model;
    const p3d_cluster *cluster;
    const p3d_job *job;
    const p3d_framework *framework;
    const p3d_plan *plan;
    char *reason; /* NULL = nobody asks */
    size_t n_reason;
} spec_question;

/** Write the reason. */
void spec_say_reason(const spec_question *q, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** Write the reason, if anybody asks: false. */
#define spec_refuse(q, ...) \
    ((q)->reason != NULL ? (spec_say_reason(q, __VA_ARGS__), false) : false)

/** Largest divisor of n and of the GPUs that is at most limit, the size to try
 *  instead; 1 when nobody asks. */
int spec_fitting(const spec_question *q, int64_t n, int limit);

/* Rules of legality_shape.c; true when the plan keeps them. Sizes are >= 1
 * and dp * mbs divides the batch: that is checked before. */
bool spec_rule_heads(const spec_question *q);
bool spec_rule_kv_heads(const spec_question *q);
bool spec_rule_ffn(const spec_question *q);
bool spec_rule_sequence(const spec_question *q);
bool spec_rule_positions(const spec_question *q);
bool spec_rule_layers(const spec_question *q);
bool spec_rule_schedule(const spec_question *q);
bool spec_rule_chunks(const spec_question *q);
bool spec_rule_rounds(const spec_question *q);
bool spec_rule_recompute(const spec_question *q);
bool spec_rule_ends(const spec_question *q);

/* Rules of legality_abilities.c. Those of the job alone look at no plan. */
bool spec_rule_images(const spec_question *q);
bool spec_rule_dtype(const spec_question *q);
bool spec_rule_attention(const spec_question *q);
bool spec_rule_dispatcher(const spec_question *q);
bool spec_rule_dispatch_links(const spec_question *q);
bool spec_rule_ring(const spec_question *q);
bool spec_rule_tp_overlap(const spec_question *q);
bool spec_rule_partition(const spec_question *q);
/** True for models whose modules FSDP1 is known to wrap by their size: dense
 *  ones, all of them trained. */
bool spec_wraps_by_size(const p3d_model *model, const p3d_job *job);
bool spec_rule_units(const spec_question *q);
bool spec_rule_compression(const spec_question *q);
bool spec_rule_sparse(const spec_question *q);
bool spec_rule_partition_inputs(const spec_question *q);
bool spec_rule_devices(const spec_question *q);
bool spec_rule_dp_overlap(const spec_question *q);
bool spec_rule_said(const spec_question *q);

/* Rules of legality_adapters.c, of the job alone and of a plan. */
bool spec_rule_adapters(const spec_question *q);
bool spec_rule_adapter_plan(const spec_question *q);

/* Rules of legality_companion.c, likewise. */
bool spec_rule_companion(const spec_question *q);
bool spec_rule_companion_plan(const spec_question *q);

/** True for a pipeline schedule that a search tries without a pin. */
bool spec_schedule_searched(p3d_schedule schedule);

/** p3d_plan_departures() of what is known to be given; of a plan that is not
 *  whole yet, those of the values that it has (tp and cp at least 1). */
unsigned spec_departures(const p3d_problem *p, const p3d_plan *plan);

#endif
