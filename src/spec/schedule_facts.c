/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule_facts.c - what each pipeline schedule needs of a plan. */
#include "base/util.h"
#include "plan3d/plan.h"

static const struct {
    int chunks;
    int per_rank;
    int plus;
    bool splits_backward;
    bool asynchronous;
} facts[] = {
#define AS_FACTS(name, word, chunks, a, b, splits, late) \
    {chunks, a, b, splits, late},
        P3D_SCHEDULES(AS_FACTS)
#undef AS_FACTS
};

int p3d_schedule_chunks(p3d_schedule schedule)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES)
        return 0;
    return facts[schedule].chunks;
}

int64_t p3d_schedule_min_micro_batches(p3d_schedule schedule, int pp)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES)
        return 0;
    return (int64_t)facts[schedule].per_rank * pp + facts[schedule].plus;
}

bool p3d_schedule_splits_backward(p3d_schedule schedule)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES)
        return false;
    return facts[schedule].splits_backward;
}

bool p3d_schedule_flushes(p3d_schedule schedule)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES)
        return false;
    return !facts[schedule].asynchronous;
}

bool p3d_schedule_offered(p3d_schedule schedule, const p3d_framework *framework)
{
    if ((unsigned)schedule >= P3D_N_SCHEDULES || framework == NULL)
        return false;
    return (framework->schedules >> schedule & 1) != 0;
}
