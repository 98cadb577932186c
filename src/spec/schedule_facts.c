/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule_facts.c - what each pipeline schedule needs of a plan. */
#include "base/util.h"
#include "plan3d/plan.h"

/* The fewest micro-batches are per_rank p + plus: the V-shaped orders fill
 * their warm-up with different ones. AMD-AGI/Primus@fd1eeabb zbv_formatted.py;
 * deepseek-ai/DualPipe@3da1bbea dualpipev.py. */
static const struct {
    int chunks;
    int per_rank;
    int plus;
    bool splits_backward;
    bool asynchronous;
} facts[P3D_N_SCHEDULES] = {
        [P3D_1F1B] = {1, 0, 1, false, false},
        [P3D_GPIPE] = {1, 0, 1, false, false},
        [P3D_INTERLEAVED] = {0, 0, 1, false, false},
        [P3D_ZB_H1] = {1, 0, 1, true, false},
        [P3D_ZB_H2] = {1, 0, 1, true, false},
        [P3D_ZB_V] = {2, 2, -1, true, false},
        [P3D_DUALPIPE_V] = {2, 2, 0, true, false},
        [P3D_2BW] = {1, 1, 0, false, true},
};

int p3d_schedule_chunks(p3d_schedule schedule)
{
    P3D_ASSERT(schedule < P3D_N_SCHEDULES);
    return facts[schedule].chunks;
}

int64_t p3d_schedule_min_micro_batches(p3d_schedule schedule, int pp)
{
    P3D_ASSERT(schedule < P3D_N_SCHEDULES);
    return (int64_t)facts[schedule].per_rank * pp + facts[schedule].plus;
}

bool p3d_schedule_splits_backward(p3d_schedule schedule)
{
    P3D_ASSERT(schedule < P3D_N_SCHEDULES);
    return facts[schedule].splits_backward;
}

bool p3d_schedule_flushes(p3d_schedule schedule)
{
    P3D_ASSERT(schedule < P3D_N_SCHEDULES);
    return !facts[schedule].asynchronous;
}

bool p3d_schedule_offered(p3d_schedule schedule, const p3d_framework *framework)
{
    return (framework->schedules >> schedule & 1) != 0;
}
