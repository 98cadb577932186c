/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c - what a rank holds while it runs its micro-batches, task by task. */
#include "cost/walk.h"

#include <string.h>

/* Rounds of as many micro-batches as ranks after which an order has repeated
 * itself: warm-up takes at most two, one period at most one more. A 1F1B needs
 * one micro-batch more than ranks. */
enum { ROUNDS = 4 };

typedef struct walker {
    const cost_chunk *chunks;
    int n_chunks;
    int64_t weight; /* micro-batches that one of the walk stands for */
    double kept_frac;
    double now_bytes;
    int64_t alive[P3D_MAX_LAYERS];
    cost_walk *out;
} walker;

static void offer(walker *w, const cost_task *task, double beside_bytes,
        cost_moment *best)
{
    const double saved_bytes = w->kept_frac * w->now_bytes;
    const double more =
            saved_bytes + beside_bytes - best->saved_bytes - best->beside_bytes;

    if (more < 0 || (more <= 0 && w->now_bytes <= best->whole_bytes))
        return;
    best->saved_bytes = saved_bytes;
    best->whole_bytes = w->now_bytes;
    best->beside_bytes = beside_bytes;
    best->task = *task;
    memcpy(best->alive, w->alive, (size_t)w->n_chunks * sizeof(w->alive[0]));
}

static void step(void *context, const cost_task *task)
{
    walker *w = context;
    const cost_chunk *chunk = &w->chunks[task->chunk];
    const double bytes = (double)w->weight * chunk->saved_bytes;

    if (task->kind == COST_FORWARD) {
        w->now_bytes += bytes;
        w->alive[task->chunk] += w->weight;
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
static cost_pipeline shorten(const p3d_plan *plan, int64_t m, int64_t *weight)
{
    const int group = plan->group > 0 ? plan->group : plan->pp;
    const int64_t most =
            plan->schedule == P3D_1F1B ? plan->pp + 1 : (int64_t)ROUNDS * group;

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
    moment->saved_bytes = moment->whole_bytes = moment->beside_bytes = -1;
    moment->task = (cost_task){.chunk = 0};
    memset(moment->alive, 0, (size_t)n_chunks * sizeof(moment->alive[0]));
}

void cost_walk_rank(const p3d_plan *plan, int rank, int64_t n_micro_batches,
        const cost_chunk *chunks, double kept_frac, cost_walk *out)
{
    walker w;
    const cost_pipeline pipeline = shorten(plan, n_micro_batches, &w.weight);

    w.chunks = chunks;
    w.n_chunks = plan->vp;
    w.kept_frac = kept_frac;
    w.now_bytes = 0;
    w.out = out;
    memset(w.alive, 0, (size_t)plan->vp * sizeof(w.alive[0]));
    clear(&out->forward, plan->vp);
    clear(&out->backward, plan->vp);
    cost_schedule_visit(&pipeline, rank, step, &w);
}
