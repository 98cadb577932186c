/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.c - makespan of a pipeline: the longest path through its order.
 *
 * The order of every rank is fixed, so the result does not depend on the order
 * in which ranks are visited: each is advanced as far as its inputs allow. */
#include "simulate.h"

#include <math.h>

typedef struct simulation {
    const cost_pipeline *pl;
    const cost_stage_time *stages;
    double delay_s;
    cost_simulation *room;
} simulation;

static double *slot(const simulation *s, double *ends, int stage, int i)
{
    return &ends[(int64_t)stage * s->pl->m + i];
}

/** When a task's result of another stage can be used on this rank; NAN while
 *  it does not exist. */
static double arrival(
        const simulation *s, double *ends, int from, int i, int rank)
{
    int sender, chunk;

    cost_schedule_place(s->pl, from, &sender, &chunk);
    return *slot(s, ends, from, i) + (sender != rank ? s->delay_s : 0);
}

/** The later of two times; NAN when one is missing, which fmax would hide. */
static double later(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

/** Earliest start of a task by its inputs; NAN while one is missing. */
static double ready(const simulation *s, int rank, const cost_task *t)
{
    const int stage = cost_schedule_stage(s->pl, rank, t->chunk);
    const int last = s->pl->p * s->pl->v - 1;
    double own;

    if (t->kind == COST_FORWARD)
        return stage == 0 ? 0
                          : arrival(s, s->room->forward_end, stage - 1,
                                    t->micro_batch, rank);
    if (t->kind == COST_BACKWARD_WEIGHT)
        return *slot(s, s->room->input_end, stage, t->micro_batch);
    own = *slot(s, s->room->forward_end, stage, t->micro_batch);
    if (stage == last)
        return own;
    return later(own,
            arrival(s, s->room->input_end, stage + 1, t->micro_batch, rank));
}

static double duration(const simulation *s, int rank, const cost_task *t)
{
    const cost_stage_time *st =
            &s->stages[cost_schedule_stage(s->pl, rank, t->chunk)];

    switch (t->kind) {
    case COST_FORWARD: return st->forward_s;
    case COST_BACKWARD: return st->backward_input_s + st->backward_weight_s;
    case COST_BACKWARD_INPUT: return st->backward_input_s;
    case COST_BACKWARD_WEIGHT: break;
    }
    return st->backward_weight_s;
}

static void finish(
        const simulation *s, int rank, const cost_task *t, double end)
{
    const int stage = cost_schedule_stage(s->pl, rank, t->chunk);

    if (t->kind == COST_FORWARD)
        *slot(s, s->room->forward_end, stage, t->micro_batch) = end;
    else if (t->kind != COST_BACKWARD_WEIGHT)
        *slot(s, s->room->input_end, stage, t->micro_batch) = end;
}

/** Run the next task of a rank, or the next two that go together.
 *  @return false when an input is missing */
static bool step(const simulation *s, int rank)
{
    const cost_task *t = s->room->tasks +
                         rank * cost_schedule_max_tasks(s->pl) +
                         s->room->next[rank];
    const int n = t->with_next ? 2 : 1;
    double start = s->room->clock[rank];

    for (int k = 0; k < n; k++) {
        const double at = ready(s, rank, &t[k]);

        if (isnan(at))
            return false;
        start = fmax(start, at);
    }
    for (int k = 0; k < n; k++)
        start += duration(s, rank, &t[k]);
    for (int k = 0; k < n; k++)
        finish(s, rank, &t[k], start);
    s->room->clock[rank] = start;
    s->room->next[rank] += n;
    return true;
}

static void prepare(const simulation *s)
{
    const int64_t ends = (int64_t)s->pl->p * s->pl->v * s->pl->m;

    for (int64_t i = 0; i < ends; i++)
        s->room->forward_end[i] = s->room->input_end[i] = (double)NAN;
    for (int rank = 0; rank < s->pl->p; rank++) {
        s->room->n_tasks[rank] = cost_schedule_list(s->pl, rank,
                s->room->tasks + rank * cost_schedule_max_tasks(s->pl));
        s->room->next[rank] = 0;
        s->room->clock[rank] = 0;
    }
}

cost_makespan cost_simulate(const cost_pipeline *pipeline,
        const cost_stage_time *stages, double delay_s, cost_simulation *room)
{
    const simulation s = {pipeline, stages, delay_s, room};
    cost_makespan result = {0, 0};
    bool moved = true;

    prepare(&s);
    while (moved) {
        moved = false;
        for (int rank = 0; rank < pipeline->p; rank++) {
            while (room->next[rank] < room->n_tasks[rank] && step(&s, rank))
                moved = true;
        }
    }
    for (int rank = 0; rank < pipeline->p; rank++) {
        const double first =
                *slot(&s, room->forward_end,
                        cost_schedule_stage(pipeline, rank, 0), 0) -
                stages[cost_schedule_stage(pipeline, rank, 0)].forward_s;

        if (room->next[rank] < room->n_tasks[rank])
            return (cost_makespan){-1, -1};
        result.makespan_s = fmax(result.makespan_s, room->clock[rank]);
        result.span_s = fmax(result.span_s, room->clock[rank] - first);
    }
    return result;
}
