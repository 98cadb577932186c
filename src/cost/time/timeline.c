/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - what a step is made of, stage by stage, and when each task of a
 * pipeline begins and ends. */
#include "cost/time/timeline.h"

#include <math.h>

#include "base/util.h"
#include "cost/memory/memory.h"

/** Time a rank, and split its backward passes; what is added once for all
 *  stages is with the gradients of inputs. */
static void time_rank(const cost_case *of, int rank, cost_step_parts *out)
{
    cost_pass_time passes[P3D_MAX_LAYERS];

    out->ranks[rank] = cost_time_rank(of, rank, passes);
    for (int j = 0; j < of->plan->vp; j++) {
        const int stage = cost_stage_of(of->plan, rank, j);
        const double weight_s = cost_stage_weight_s(of, stage);

        out->stages[stage] =
                (cost_stage_pass){.forward_s = passes[stage].forward_s,
                        .input_s = passes[stage].backward_s - weight_s,
                        .weight_s = weight_s};
    }
}

static void save_rank(const cost_case *of, int rank, cost_step_parts *out)
{
    cost_rank sum;

    cost_rank_build(of, rank, &sum);
    for (int j = 0; j < of->plan->vp; j++)
        out->saved_bytes[cost_stage_of(of->plan, rank, j)] =
                (1 - of->plan->activation_offload_frac) *
                sum.chunks[j].saved_bytes;
}

/* As much longer as own runs were: step_time.c. */
static void scale(cost_step_parts *parts, const p3d_plan *plan, double factor)
{
    parts->crossing_s *= factor;
    for (int i = 0; i < plan->pp; i++)
        cost_scale_rank(&parts->ranks[i], factor);
    for (int i = 0; i < plan->pp * plan->vp; i++) {
        parts->stages[i].forward_s *= factor;
        parts->stages[i].input_s *= factor;
        parts->stages[i].weight_s *= factor;
    }
}

void cost_step_parts_of(
        const p3d_problem *problem, const p3d_plan *plan, cost_step_parts *out)
{
    p3d_blocks blocks;
    cost_layout layout;
    const cost_case of = {problem, plan, &blocks, &layout};

    p3d_blocks_build(problem, p3d_plan_shard(plan), &blocks);
    P3D_ASSERT(cost_layout_build(problem, plan, &layout));
    out->pipeline = cost_pipeline_of(plan, cost_micro_batches(&of));
    out->crossing_s = plan->pp > 1 ? cost_crossing_s(problem, plan) : 0;
    for (int rank = 0; rank < plan->pp; rank++) {
        time_rank(&of, rank, out);
        save_rank(&of, rank, out);
    }
    scale(out, plan, p3d_anchor_step_factor(&problem->job.anchor));
}

enum { NOT_YET = -1 }; /* the end of a task that has not run */

typedef struct run {
    const cost_pipeline *pl;
    const cost_stage_pass *stages;
    double delay_s;
    cost_timeline *line;
    int64_t next[P3D_MAX_LAYERS]; /* task of each rank */
    double clock_s[P3D_MAX_LAYERS];
} run;

cost_span *cost_timeline_rank(
        const cost_timeline *line, const cost_pipeline *pl, int rank)
{
    return line->spans + rank * cost_schedule_max_tasks(pl);
}

double cost_timeline_done_s(
        const cost_timeline *line, const cost_pipeline *pl, int rank)
{
    return cost_timeline_rank(line, pl, rank)[line->n_spans[rank] - 1].end_s;
}

static int64_t place(const run *x, int stage, int micro_batch)
{
    return (int64_t)stage * x->pl->m + micro_batch;
}

/** When the result of another stage is on this rank, or NOT_YET. */
static double arrival_s(
        const run *x, const double *ends_s, int from, int i, int rank)
{
    const double end_s = ends_s[place(x, from, i)];
    int sender, chunk;

    cost_schedule_place(x->pl, from, &sender, &chunk);
    return end_s >= 0 && sender != rank ? end_s + x->delay_s : end_s;
}

/** When the inputs of a task are there, or NOT_YET. */
static double ready_s(const run *x, int rank, const cost_task *t)
{
    const int stage = cost_schedule_stage(x->pl, rank, t->chunk);
    const int last = x->pl->p * x->pl->v - 1;
    const int i = t->micro_batch;
    double own_s, behind_s;

    if (t->kind == COST_FORWARD)
        return stage == 0 ? 0
                          : arrival_s(x, x->line->forward_end_s, stage - 1, i,
                                    rank);
    if (t->kind == COST_BACKWARD_WEIGHT)
        return x->line->input_end_s[place(x, stage, i)];
    own_s = x->line->forward_end_s[place(x, stage, i)];
    if (stage == last || own_s < 0)
        return own_s;
    behind_s = arrival_s(x, x->line->input_end_s, stage + 1, i, rank);
    return behind_s < 0 ? NOT_YET : fmax(own_s, behind_s);
}

static double duration_s(const run *x, int rank, const cost_task *t)
{
    const cost_stage_pass *pass =
            &x->stages[cost_schedule_stage(x->pl, rank, t->chunk)];

    switch (t->kind) {
    case COST_FORWARD: return pass->forward_s;
    case COST_BACKWARD: return pass->input_s + pass->weight_s;
    case COST_BACKWARD_INPUT: return pass->input_s;
    case COST_BACKWARD_WEIGHT: break;
    }
    return pass->weight_s;
}

static void finish(run *x, int rank, cost_span *span, double start_s)
{
    const cost_task *t = &span->task;
    const int stage = cost_schedule_stage(x->pl, rank, t->chunk);

    span->start_s = start_s;
    span->end_s = x->clock_s[rank];
    if (t->kind == COST_FORWARD)
        x->line->forward_end_s[place(x, stage, t->micro_batch)] = span->end_s;
    else if (t->kind != COST_BACKWARD_WEIGHT)
        x->line->input_end_s[place(x, stage, t->micro_batch)] = span->end_s;
}

/** Run the next task of a rank, or the next two that go together.
 *  @return false while an input is missing */
static bool step(run *x, int rank)
{
    cost_span *const span =
            cost_timeline_rank(x->line, x->pl, rank) + x->next[rank];
    const int n = span->task.with_next ? 2 : 1;
    double start_s = x->clock_s[rank];

    for (int k = 0; k < n; k++) {
        const double at_s = ready_s(x, rank, &span[k].task);

        if (at_s < 0)
            return false;
        start_s = fmax(start_s, at_s);
    }
    x->clock_s[rank] = start_s;
    for (int k = 0; k < n; k++)
        x->clock_s[rank] += duration_s(x, rank, &span[k].task);
    for (int k = 0; k < n; k++)
        finish(x, rank, &span[k], start_s);
    x->next[rank] += n;
    return true;
}

typedef struct listing {
    cost_span *out;
    int64_t n;
} listing;

static void append(void *context, const cost_task *task)
{
    listing *list = context;

    list->out[list->n++] = (cost_span){.task = *task};
}

static void prepare(run *x)
{
    const int64_t ends = (int64_t)x->pl->p * x->pl->v * x->pl->m;

    for (int64_t i = 0; i < ends; i++)
        x->line->forward_end_s[i] = x->line->input_end_s[i] = NOT_YET;
    for (int rank = 0; rank < x->pl->p; rank++) {
        listing list = {.out = cost_timeline_rank(x->line, x->pl, rank)};

        cost_schedule_visit(x->pl, rank, append, &list);
        x->line->n_spans[rank] = list.n;
        x->next[rank] = 0;
        x->clock_s[rank] = 0;
    }
}

void cost_timeline_run(const cost_pipeline *pipeline,
        const cost_stage_pass *stages, double delay_s, cost_timeline *timeline)
{
    run x = {.pl = pipeline,
            .stages = stages,
            .delay_s = delay_s,
            .line = timeline};
    bool moved = true;

    P3D_ASSERT(pipeline->p <= P3D_MAX_LAYERS);
    prepare(&x);
    while (moved) {
        moved = false;
        for (int rank = 0; rank < pipeline->p; rank++) {
            while (x.next[rank] < timeline->n_spans[rank] && step(&x, rank))
                moved = true;
        }
    }
    for (int rank = 0; rank < pipeline->p; rank++)
        P3D_ASSERT(x.next[rank] == timeline->n_spans[rank]);
}
