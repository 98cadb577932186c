/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c - what a rank holds while it runs its micro-batches, task by task. */
#include "cost/memory/walk.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-12; /* of sums, and more */

/* Rounds of as many micro-batches as ranks after which an order has repeated
 * itself: warm-up takes at most two, one period at most one more. With 1F1B no
 * more are alive than as many as warm up, and one. */
enum { ROUNDS = 4 };

typedef struct walker {
    cost_kept kept;
    int n_chunks;
    int64_t weight; /* micro-batches that one of the walk stands for */
    double now_bytes;
    int64_t alive[P3D_MAX_LAYERS];
    cost_walk *out;
} walker;

static void offer(walker *w, const cost_task *task, double beside_bytes,
        cost_moment *best)
{
    const double saved_bytes = (1 - w->kept.sent.frac) * w->now_bytes;
    const double passing_bytes =
            w->kept.sent.frac * fmin(w->kept.sent.passing_bytes, w->now_bytes);
    const double more = saved_bytes + passing_bytes + beside_bytes -
                        best->saved_bytes - best->passing_bytes -
                        best->beside_bytes;

    if (more < 0 || (more <= 0 && w->now_bytes <= best->whole_bytes))
        return;
    best->saved_bytes = saved_bytes;
    best->passing_bytes = passing_bytes;
    best->whole_bytes = w->now_bytes;
    best->beside_bytes = beside_bytes;
    best->task = *task;
    memcpy(best->alive, w->alive, (size_t)w->n_chunks * sizeof(w->alive[0]));
}

static void step(void *context, const cost_task *task)
{
    walker *w = context;
    const cost_chunk *chunk = &w->kept.chunks[task->chunk];
    const double bytes = (double)w->weight * chunk->saved_bytes;

    if (task->kind == COST_FORWARD) {
        w->now_bytes += bytes;
        w->alive[task->chunk] += w->weight;
        w->out->most_bytes = fmax(w->out->most_bytes, w->now_bytes);
        offer(w, task, chunk->forward_bytes, &w->out->forward);
        return;
    }
    if (task->kind != COST_BACKWARD_WEIGHT)
        offer(w, task, chunk->backward_bytes, &w->out->backward);
    if (task->kind != COST_BACKWARD_INPUT) {
        w->now_bytes -= bytes;
        w->alive[task->chunk] -= w->weight;
    }
}

/* No more micro-batches than it takes to see the peak. All of GPipe's live and
 * die together: one that stands for all. */
static cost_pipeline shorten(
        const p3d_plan *plan, int rank, int64_t m, int64_t *weight)
{
    const int group = plan->group > 0 ? plan->group : plan->pp;
    const int64_t most = plan->schedule == P3D_1F1B ? plan->pp - rank
                                                    : (int64_t)ROUNDS * group;

    *weight = plan->schedule == P3D_GPIPE ? m : 1;
    if (plan->schedule == P3D_GPIPE)
        m = 1;
    else if (m > most) /* a smaller last group stays */
        m = plan->schedule == P3D_INTERLEAVED ? most + m % group : most;
    return (cost_pipeline){.order = plan->schedule,
            .p = plan->pp,
            .v = plan->vp,
            .m = (int)m,
            .group = plan->group};
}

static void clear(cost_moment *moment, int n_chunks)
{
    moment->saved_bytes = moment->passing_bytes = -1;
    moment->whole_bytes = moment->beside_bytes = -1;
    moment->task = (cost_task){.chunk = 0};
    memset(moment->alive, 0, (size_t)n_chunks * sizeof(moment->alive[0]));
}

static void begin(
        walker *w, const p3d_plan *plan, const cost_kept *kept, cost_walk *out)
{
    w->kept = *kept;
    w->n_chunks = plan->vp;
    w->now_bytes = 0;
    w->out = out;
    out->most_bytes = 0;
    memset(w->alive, 0, (size_t)plan->vp * sizeof(w->alive[0]));
    clear(&out->forward, plan->vp);
    clear(&out->backward, plan->vp);
}

/** One chunk in an order that alternates: never more is alive than when the
 *  first backward begins, when the last forward of the warm-up is done. */
static void step_to_peak(walker *w, const cost_pipeline *pl, int rank)
{
    const int warm = cost_schedule_warm_up(pl, rank);
    const int last = warm < pl->m ? warm : pl->m - 1;
    const cost_task forward = {.kind = COST_FORWARD, .micro_batch = last};
    const cost_task backward = {.kind = COST_BACKWARD};

    w->alive[0] = last * w->weight;
    w->now_bytes = (double)w->alive[0] * w->kept.chunks[0].saved_bytes;
    step(w, &forward);
    step(w, &backward);
}

void cost_walk_rank(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out)
{
    walker w;
    const cost_pipeline pipeline =
            shorten(plan, rank, n_micro_batches, &w.weight);

    begin(&w, plan, kept, out);
    if (plan->vp == 1 && cost_schedule_alternates(plan->schedule))
        step_to_peak(&w, &pipeline, rank);
    else
        cost_schedule_visit(&pipeline, rank, step, &w);
}

void cost_walk_most(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out)
{
    int64_t weight;
    const cost_pipeline pipeline =
            shorten(plan, rank, n_micro_batches, &weight);
    const int passes = pipeline.m * pipeline.v;
    const int warm = cost_schedule_warm_up(&pipeline, rank);
    const double alive = (double)weight * (warm < passes ? warm + 1 : passes);
    cost_chunk most = {0, 0, 0};
    double whole_bytes;

    for (int i = 0; i < plan->vp; i++) {
        most.saved_bytes = fmax(most.saved_bytes, kept->chunks[i].saved_bytes);
        most.forward_bytes =
                fmax(most.forward_bytes, kept->chunks[i].forward_bytes);
        most.backward_bytes =
                fmax(most.backward_bytes, kept->chunks[i].backward_bytes);
    }
    whole_bytes = alive * most.saved_bytes * (1 + ROUNDING);
    out->forward.whole_bytes = out->backward.whole_bytes = whole_bytes;
    out->forward.saved_bytes = out->backward.saved_bytes =
            (1 - kept->sent.frac) * whole_bytes;
    out->forward.passing_bytes = out->backward.passing_bytes =
            kept->sent.frac * fmin(kept->sent.passing_bytes, whole_bytes);
    out->most_bytes = whole_bytes;
    out->forward.beside_bytes = most.forward_bytes;
    out->backward.beside_bytes = most.backward_bytes;
}

void cost_walk_start(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_kept *kept, cost_walk *out)
{
    walker w;
    const cost_pipeline pipeline =
            shorten(plan, rank, n_micro_batches, &w.weight);
    const int passes = pipeline.m * pipeline.v;
    const int warm = cost_schedule_warm_up(&pipeline, rank);
    cost_passes forward = cost_passes_begin(&pipeline, COST_FORWARD);
    const cost_passes backward = cost_passes_begin(&pipeline, COST_BACKWARD);

    begin(&w, plan, kept, out);
    for (int k = 0; k <= warm && k < passes; k++) {
        step(&w, &forward.task);
        cost_passes_next(&forward);
    }
    step(&w, &backward.task);
}
