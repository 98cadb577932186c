/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_rows.c - the decisions of a plan, as a table. */
#include "search/advice/decision_rows.h"

#include "base/util.h"

static bool etp_follows(const p3d_plan *plan)
{
    return plan->etp == (plan->ep > 1 ? 1 : plan->tp);
}

/* Without tensor parallelism there is nothing to split. */
static bool sp_follows(const p3d_plan *plan)
{
    return plan->sequence_parallel == (plan->tp > 1);
}

/* Usual for the number of chunks, or for want of a pipeline. */
static bool schedule_follows(const p3d_plan *plan)
{
    return plan->schedule == (plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B);
}

/* clang-format off */
static const decision_row rows[] = {
    {P3D_KEY_tp,          "tensor-parallel ranks",       decision_values_tp,
        NULL},
    {P3D_KEY_pp,          "pipeline ranks",              decision_values_pp,
        NULL},
    {P3D_KEY_vp,          "chunks of a pipeline rank",   decision_values_vp,
        NULL},
    {P3D_KEY_cp,          "context-parallel ranks",      decision_values_cp,
        NULL},
    {P3D_KEY_ep,          "expert-parallel ranks",       decision_values_ep,
        NULL},
    {P3D_KEY_etp,         "tensor-parallel ranks of an expert",
        decision_values_etp, etp_follows},
    {P3D_KEY_micro_batch, "sequences of a micro-batch",  decision_values_mbs,
        NULL},
    {P3D_KEY_zero,        "ZeRO stage",                  decision_values_zero,
        NULL},
    {P3D_KEY_recompute,   "recomputation of activations",
        decision_values_recompute, NULL},
    {P3D_KEY_offload,     "states in host memory",
        decision_values_offload, NULL},
    {P3D_KEY_schedule,    "pipeline schedule",
        decision_values_schedule, schedule_follows},
    {P3D_KEY_sequence_parallel, "sequence parallelism",
        decision_values_sp, sp_follows},
};
/* clang-format on */

const decision_row *decision_rows(int *n)
{
    *n = P3D_COUNT_OF(rows);
    return rows;
}

const decision_row *decision_row_of(p3d_plan_key key)
{
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        if (rows[i].key == key)
            return &rows[i];
    }
    return NULL;
}

const char *decision_word(const decision_row *row)
{
    return spec_plan_fields[row->key].word;
}

int decision_value(const decision_row *row, const p3d_plan *plan)
{
    return (int)spec_plan_get(plan, row->key);
}

/* As many replicas as the plan's GPUs make; 0 where they do not divide. */
static int replicas(const p3d_plan *plan, const p3d_plan *next)
{
    const int n_gpus = plan->tp * plan->cp * plan->pp * plan->dp;
    const int64_t each = (int64_t)next->tp * next->cp * next->pp;

    return n_gpus % each == 0 ? (int)(n_gpus / each) : 0;
}

/* Chunks and their schedule, where one of them or the ranks were changed. */
static void follow_pipeline(const p3d_plan *plan, p3d_plan *next)
{
    const int chunks = p3d_schedule_chunks(next->schedule);

    if (next->pp == plan->pp && next->vp == plan->vp &&
            next->schedule == plan->schedule)
        return;
    if (next->pp == 1) {
        next->vp = 1;
        next->schedule = P3D_1F1B;
    } else if (next->schedule != plan->schedule && chunks > 0) {
        next->vp = chunks;
    } else if (schedule_follows(plan)) {
        next->schedule = next->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B;
    }
    if (next->pp != plan->pp || next->vp != plan->vp)
        next->first_layers = next->last_layers = 0;
}

p3d_plan decision_change(
        const p3d_plan *plan, const decision_row *row, int value)
{
    p3d_plan next = *plan;

    spec_plan_set(&next, row->key, value);
    next.dp = replicas(plan, &next);
    if (etp_follows(plan))
        next.etp = next.ep > 1 ? 1 : next.tp;
    else if (plan->etp == plan->tp)
        next.etp = next.tp;
    if (sp_follows(plan))
        next.sequence_parallel = next.tp > 1;
    follow_pipeline(plan, &next);
    spec_plan_set(&next, row->key, value);
    return next;
}
