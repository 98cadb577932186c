/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_step.c - the simulated step of a plan, every task of every rank. */
#include "report/trace/trace_step.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/util.h"

/* Tasks that are simulated at most: 128 MB. */
enum { MAX_TASKS = 1 << 22 };

static void free_room(cost_timeline *line)
{
    free(line->spans);
    free(line->forward_end_s);
    free(line->input_end_s);
}

static bool make_room(
        const cost_pipeline *pl, cost_timeline *line, p3d_error *err)
{
    const size_t n_ends = (size_t)pl->p * (size_t)pl->v * (size_t)pl->m;
    const size_t n_tasks = (size_t)pl->p * (size_t)cost_schedule_max_tasks(pl);

    line->spans = calloc(n_tasks, sizeof(*line->spans));
    line->forward_end_s = calloc(n_ends, sizeof(double));
    line->input_end_s = calloc(n_ends, sizeof(double));
    return (line->spans != NULL && line->forward_end_s != NULL &&
                   line->input_end_s != NULL) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

/** The end of the pipeline's last pass, and of what the ranks do after. */
typedef struct step_end {
    double passes_s;
    double all_s;
} step_end;

static step_end end_of(const trace_step *step)
{
    const cost_pipeline *const pl = &step->parts.pipeline;
    step_end end = {0, 0};

    for (int rank = 0; rank < pl->p; rank++) {
        const double done_s = cost_timeline_done_s(&step->line, pl, rank);

        end.passes_s = fmax(end.passes_s, done_s);
        end.all_s =
                fmax(end.all_s, done_s + cost_once_s(&step->parts.ranks[rank]));
    }
    return end;
}

static void run(trace_step *step)
{
    cost_timeline_run(&step->parts.pipeline, step->parts.stages,
            step->parts.crossing_s, &step->line);
}

/* Without a flush the next step follows before the pipeline is empty: a step
 * takes what the micro-batches of one more step add. */
static double without_flush_s(trace_step *step)
{
    step_end two, one;

    step->parts.pipeline.m *= 2;
    run(step);
    two = end_of(step);
    step->parts.pipeline.m /= 2;
    run(step);
    one = end_of(step);
    return two.passes_s - one.passes_s + one.all_s - one.passes_s;
}

/* Simulate the step. @return its seconds before what all ranks wait for */
static double simulate(trace_step *step)
{
    if (!p3d_schedule_flushes(step->parts.pipeline.order))
        return without_flush_s(step);
    run(step);
    return end_of(step).all_s;
}

double trace_step_end_s(const trace_step *step)
{
    return end_of(step).all_s;
}

static bool check(const p3d_plan *plan, int64_t m, p3d_error *err)
{
    const int64_t each = 3 * (int64_t)plan->pp * plan->vp *
                         (p3d_schedule_flushes(plan->schedule) ? 1 : 2);

    return m <= MAX_TASKS / each ||
           p3d_fail(err, P3D_DATA,
                   "%" PRId64 " micro-batches on %d stages are too many to "
                   "trace; write a --batch %" PRId64 " times smaller",
                   m, plan->pp * plan->vp, m / (MAX_TASKS / each) + 1);
}

trace_step *trace_step_create(const p3d_problem *problem, const p3d_plan *plan,
        int64_t n_micro_batches, p3d_error *err)
{
    trace_step *step;
    cost_pipeline room;

    if (!check(plan, n_micro_batches, err))
        return NULL;
    step = calloc(1, sizeof(*step));
    if (step == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    cost_step_parts_of(problem, plan, &step->parts);
    room = step->parts.pipeline;
    room.m *= p3d_schedule_flushes(room.order) ? 1 : 2;
    if (!make_room(&room, &step->line, err)) {
        trace_step_destroy(step);
        return NULL;
    }
    step->work_s = simulate(step);
    return step;
}

void trace_step_destroy(trace_step *step)
{
    if (step == NULL)
        return;
    free_room(&step->line);
    free(step);
}
