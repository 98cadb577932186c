/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_rows.c - the decisions of a plan, as a table. */
#include "search/decision_rows.h"

#include "base/util.h"

#define VALUE_OF(field, type)                          \
    static int field##_of(const p3d_plan *plan)        \
    {                                                  \
        return (int)plan->field;                       \
    }                                                  \
    static void field##_set(p3d_plan *plan, int value) \
    {                                                  \
        plan->field = (type)value;                     \
    }
VALUE_OF(tp, int)
VALUE_OF(pp, int)
VALUE_OF(vp, int)
VALUE_OF(cp, int)
VALUE_OF(ep, int)
VALUE_OF(etp, int)
VALUE_OF(micro_batch, int)
VALUE_OF(zero, int)
VALUE_OF(recompute, p3d_recompute)
VALUE_OF(offload, p3d_offload)
VALUE_OF(schedule, p3d_schedule)
VALUE_OF(sequence_parallel, bool)
VALUE_OF(shard, int)
VALUE_OF(order, p3d_order)
VALUE_OF(first_layers, int)
VALUE_OF(last_layers, int)
VALUE_OF(uneven, bool)
#undef VALUE_OF

static bool etp_follows(const p3d_plan *plan)
{
    return plan->etp == (plan->ep > 1 ? 1 : plan->tp);
}

static const char *recompute_name(int value)
{
    return p3d_recompute_name((p3d_recompute)value);
}

static const char *schedule_name(int value)
{
    return p3d_schedule_name((p3d_schedule)value);
}

static const char *order_name(int value)
{
    return p3d_order_name((p3d_order)value);
}

static const char *switch_name(int value)
{
    return value != 0 ? "on" : "off";
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

static const char *offload_name(int value)
{
    return p3d_offload_name((p3d_offload)value);
}

/* clang-format off */
/* In a plan as a number. */
#define NUMBER_ROW(field, word, doc, values, follows)                         \
    {word, doc, offsetof(p3d_pins, field), field##_of, field##_set,           \
     decision_values_##values, NULL, NULL, follows}
/* In a plan as a word, which may say more than the value does. */
#define WORD_ROW(field, doc)                                                  \
    {#field, doc, offsetof(p3d_pins, field), field##_of, field##_set,         \
     decision_values_##field, field##_name, p3d_print_##field, NULL}
/* Told where plans differ, not priced: a search does not pin it. */
#define TOLD_ROW(field, word, name, follows)                                  \
    {word, "", 0, field##_of, field##_set, NULL, name, NULL, follows}

static const decision_row rows[] = {
    NUMBER_ROW(tp,   "tp",   "tensor-parallel ranks",       tp,   NULL),
    NUMBER_ROW(pp,   "pp",   "pipeline ranks",              pp,   NULL),
    NUMBER_ROW(vp,   "vp",   "chunks of a pipeline rank",   vp,   NULL),
    NUMBER_ROW(cp,   "cp",   "context-parallel ranks",      cp,   NULL),
    NUMBER_ROW(ep,   "ep",   "expert-parallel ranks",       ep,   NULL),
    NUMBER_ROW(etp,  "etp",  "tensor-parallel ranks of an expert",
                                                            etp,  etp_follows),
    NUMBER_ROW(micro_batch,
                     "mbs",  "sequences of a micro-batch",  mbs,  NULL),
    NUMBER_ROW(zero, "zero", "ZeRO stage",                  zero, NULL),
    WORD_ROW(recompute,      "recomputation of activations"),
    WORD_ROW(offload,        "states in host memory"),
    {"schedule", "pipeline schedule", offsetof(p3d_pins, schedule),
     schedule_of, schedule_set, decision_values_schedule, schedule_name, NULL,
     schedule_follows},
    {"sp", "sequence parallelism", offsetof(p3d_pins, sequence_parallel),
     sequence_parallel_of, sequence_parallel_set, decision_values_sp,
     switch_name, NULL, sp_follows},
    TOLD_ROW(shard,        "shard",  NULL,        NULL),
    TOLD_ROW(order,        "order",  order_name,  NULL),
    TOLD_ROW(first_layers, "first",  NULL,        NULL),
    TOLD_ROW(last_layers,  "last",   NULL,        NULL),
    TOLD_ROW(uneven,       "uneven", switch_name, NULL),
};
/* clang-format on */

const decision_row *decision_rows(int *n)
{
    *n = P3D_COUNT_OF(rows);
    return rows;
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

    row->set(&next, value);
    next.dp = replicas(plan, &next);
    if (etp_follows(plan))
        next.etp = next.ep > 1 ? 1 : next.tp;
    else if (plan->etp == plan->tp)
        next.etp = next.tp;
    if (sp_follows(plan))
        next.sequence_parallel = next.tp > 1;
    follow_pipeline(plan, &next);
    row->set(&next, value);
    return next;
}
