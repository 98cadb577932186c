/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.c - makespan of a pipeline: the longest path through its order.
 *
 * The order of every rank is fixed, so the result does not depend on the order
 * in which ranks are visited: each is advanced as far as its inputs allow. */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>

typedef struct simulation {
    const cost_pipeline *pl;
    const simulate_stage *stages;
    double delay_s;
    cost_task *tasks;    /* p * cost_schedule_max_tasks() */
    double *forward_end; /* p v m */
    double *input_end;   /* p v m */
    int64_t *n_tasks;    /* p */
    int64_t *next;       /* p */
    double *clock;       /* p */
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
                          : arrival(s, s->forward_end, stage - 1,
                                    t->micro_batch, rank);
    if (t->kind == COST_BACKWARD_WEIGHT)
        return *slot(s, s->input_end, stage, t->micro_batch);
    own = *slot(s, s->forward_end, stage, t->micro_batch);
    if (stage == last)
        return own;
    return later(
            own, arrival(s, s->input_end, stage + 1, t->micro_batch, rank));
}

static double duration(const simulation *s, int rank, const cost_task *t)
{
    const simulate_stage *st =
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
        *slot(s, s->forward_end, stage, t->micro_batch) = end;
    else if (t->kind != COST_BACKWARD_WEIGHT)
        *slot(s, s->input_end, stage, t->micro_batch) = end;
}

/** Run the next task of a rank, or the next two that go together.
 *  @return false when an input is missing */
static bool step(const simulation *s, int rank)
{
    const cost_task *t =
            s->tasks + rank * cost_schedule_max_tasks(s->pl) + s->next[rank];
    const int n = t->with_next ? 2 : 1;
    double start = s->clock[rank];

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
    s->clock[rank] = start;
    s->next[rank] += n;
    return true;
}

static simulation begin(
        const cost_pipeline *pl, const simulate_stage *stages, double delay_s)
{
    const size_t p = (size_t)pl->p, ends = p * (size_t)(pl->v * pl->m);
    const size_t most = (size_t)cost_schedule_max_tasks(pl);
    simulation s = {.pl = pl,
            .stages = stages,
            .delay_s = delay_s,
            .tasks = calloc(p * most, sizeof(*s.tasks)),
            .forward_end = calloc(ends, sizeof(double)),
            .input_end = calloc(ends, sizeof(double)),
            .n_tasks = calloc(p, sizeof(int64_t)),
            .next = calloc(p, sizeof(int64_t)),
            .clock = calloc(p, sizeof(double))};

    for (size_t i = 0; i < ends; i++)
        s.forward_end[i] = s.input_end[i] = (double)NAN;
    for (int rank = 0; rank < pl->p; rank++)
        s.n_tasks[rank] =
                cost_schedule_list(pl, rank, s.tasks + (size_t)rank * most);
    return s;
}

static void end(simulation *s)
{
    free(s->tasks);
    free(s->forward_end);
    free(s->input_end);
    free(s->n_tasks);
    free(s->next);
    free(s->clock);
}

/** What the clocks say, once no task can run. */
static simulate_result result_of(const simulation *s)
{
    simulate_result result = {0, 0};

    for (int rank = 0; rank < s->pl->p; rank++) {
        const int stage = cost_schedule_stage(s->pl, rank, 0);
        const double first =
                *slot(s, s->forward_end, stage, 0) - s->stages[stage].forward_s;

        if (s->next[rank] < s->n_tasks[rank])
            return (simulate_result){-1, -1};
        result.makespan_s = fmax(result.makespan_s, s->clock[rank]);
        result.span_s = fmax(result.span_s, s->clock[rank] - first);
    }
    return result;
}

simulate_result simulate(const cost_pipeline *pipeline,
        const simulate_stage *stages, double delay_s)
{
    simulation s = begin(pipeline, stages, delay_s);
    simulate_result result;
    bool moved = true;

    while (moved) {
        moved = false;
        for (int rank = 0; rank < pipeline->p; rank++) {
            while (s.next[rank] < s.n_tasks[rank] && step(&s, rank))
                moved = true;
        }
    }
    result = result_of(&s);
    end(&s);
    return result;
}
