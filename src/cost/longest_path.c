/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longest_path.c - when each pipeline rank is done, stage by stage.
 *
 * The order of every rank is fixed, so the result does not depend on the order
 * in which ranks are visited: each is advanced as far as its inputs allow. */
#include "cost/longest_path.h"

#include <math.h>

#include "base/util.h"
#include "plan3d/model.h"

/* Groups of micro-batches that are simulated where there is room, and after
 * which one more takes always the same; four are needed. */
enum { MOST_GROUPS = 12, FEWEST_GROUPS = 4 };

typedef struct path {
    cost_pipeline pl;
    const cost_pass_time *stages;
    double delay_s;
    int next[P3D_MAX_LAYERS]; /* task of each rank */
    double *clock_s;          /* of each rank */
    /* When each micro-batch leaves each stage; negative = not yet. */
    double forward_end_s[COST_MAX_ENDS];
    double backward_end_s[COST_MAX_ENDS];
} path;

static int group_of(const cost_pipeline *pl)
{
    return pl->group > 0 ? pl->group : pl->p;
}

/** Micro-batches that are simulated: all, or as many groups as show the period,
 *  the last as incomplete as it is. */
static int64_t shortened(const cost_pipeline *pl)
{
    const int64_t group = group_of(pl);
    const int64_t stages = (int64_t)pl->p * pl->v;
    int64_t groups = MOST_GROUPS;
    int64_t m;

    while (groups > FEWEST_GROUPS &&
            stages * (groups + 1) * group > COST_MAX_ENDS)
        groups--;
    m = groups * group + pl->m % group;
    return pl->m < m ? pl->m : m;
}

bool cost_has_longest_path(const cost_pipeline *pl)
{
    return cost_schedule_alternates(pl->order) &&
           pl->order != P3D_2BW && /* steps overlap */
           pl->p <= P3D_MAX_LAYERS &&
           (int64_t)pl->p * pl->v * shortened(pl) <= COST_MAX_ENDS;
}

/** When the result of a pass can be used on this rank; negative while it does
 *  not exist. */
static double arrival_s(
        const path *x, const double *end_s, int stage, int i, int rank)
{
    const double end = end_s[stage * x->pl.m + i];

    return end < 0 || stage % x->pl.p == rank ? end : end + x->delay_s;
}

/** Earliest start of a pass by its inputs; negative while one is missing. */
static double ready_s(const path *x, int rank, const cost_task *t)
{
    const int stage = cost_schedule_stage(&x->pl, rank, t->chunk);
    const bool last = stage == x->pl.p * x->pl.v - 1;

    if (t->kind == COST_FORWARD)
        return stage == 0 ? 0
                          : arrival_s(x, x->forward_end_s, stage - 1,
                                    t->micro_batch, rank);
    return last ? arrival_s(x, x->forward_end_s, stage, t->micro_batch, rank)
                : arrival_s(x, x->backward_end_s, stage + 1, t->micro_batch,
                          rank);
}

/** Run a rank as far as its inputs allow. @return whether it moved */
static bool advance(path *x, int rank)
{
    const int before = x->next[rank];

    while (x->next[rank] < 2 * x->pl.m * x->pl.v) {
        const cost_task t = cost_schedule_nth(&x->pl, rank, x->next[rank]);
        const int stage = cost_schedule_stage(&x->pl, rank, t.chunk);
        const bool forward = t.kind == COST_FORWARD;
        const double ready = ready_s(x, rank, &t);
        double *end = forward ? x->forward_end_s : x->backward_end_s;

        if (ready < 0)
            break;
        x->clock_s[rank] = fmax(x->clock_s[rank], ready) +
                           (forward ? x->stages[stage].forward_s
                                    : x->stages[stage].backward_s);
        end[stage * x->pl.m + t.micro_batch] = x->clock_s[rank];
        x->next[rank]++;
    }
    return x->next[rank] > before;
}

static void run(path *x, int m, double *done_s)
{
    bool moved = true;

    x->pl.m = m;
    x->clock_s = done_s;
    for (int i = 0; i < x->pl.p * x->pl.v * m; i++)
        x->forward_end_s[i] = x->backward_end_s[i] = -1;
    for (int rank = 0; rank < x->pl.p; rank++) {
        x->next[rank] = 0;
        done_s[rank] = 0;
    }
    while (moved) {
        moved = false;
        for (int rank = 0; rank < x->pl.p; rank++)
            moved = advance(x, rank) || moved;
    }
}

/** Seconds of a micro-batch on all stages of a rank. */
static double rank_s(
        const cost_pipeline *pl, const cost_pass_time *stages, int rank)
{
    double sum = 0;

    for (int chunk = 0; chunk < pl->v; chunk++) {
        const int stage = cost_schedule_stage(pl, rank, chunk);

        sum += stages[stage].forward_s + stages[stage].backward_s;
    }
    return sum;
}

/** The rank that takes longest: the period of its micro-batches is no less. */
static double slowest_s(const cost_pipeline *pl, const cost_pass_time *stages)
{
    double most = 0;

    for (int rank = 0; rank < pl->p; rank++)
        most = fmax(most, rank_s(pl, stages, rank));
    return most;
}

void cost_longest_path(const cost_pipeline *pipeline,
        const cost_pass_time *stages, double delay_s, double *done_s)
{
    const int group = group_of(pipeline);
    const int m = (int)shortened(pipeline);
    const double groups = (double)(pipeline->m - m) / group;
    double less_s[P3D_MAX_LAYERS] = {0};
    double least_s;
    path x; /* large: only what is used is written */

    P3D_ASSERT(cost_has_longest_path(pipeline));
    x.pl = *pipeline;
    x.stages = stages;
    x.delay_s = delay_s;
    if (groups > 0)
        run(&x, m - group, less_s);
    run(&x, m, done_s);
    least_s = group * slowest_s(pipeline, stages);
    for (int rank = 0; rank < pipeline->p && groups > 0; rank++)
        done_s[rank] += groups * fmax(least_s, done_s[rank] - less_s[rank]);
}

double cost_longest_path_floor_s(
        const cost_pipeline *pl, const cost_pass_time *stages)
{
    const double m = pl->m;
    double all_s = 0;
    double before_s = 0;
    double floor_s = 0;

    for (int rank = 0; rank < pl->p; rank++)
        all_s += stages[rank].forward_s + stages[rank].backward_s;
    for (int rank = 0; rank < pl->p; rank++) {
        const double b = stages[rank].backward_s;
        const double t = stages[rank].forward_s + b;
        const double warm = fmin(pl->p - 1 - rank, m - 1);

        floor_s = fmax(floor_s, before_s + m * rank_s(pl, stages, rank));
        if (pl->order == P3D_1F1B)
            floor_s = fmax(floor_s, all_s + (m - 1 - warm) * t + warm * b);
        before_s += t;
    }
    return floor_s;
}
