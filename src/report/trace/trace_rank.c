/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_rank.c - the events of one pipeline rank. */
#include "report/trace/trace_rank.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { COMPUTE, COMMUNICATION, MAX_LANES = 16, MAX_NAME = 96 };

/* Shorter gaps between two passes are rounding. */
static const double LEAST_BUBBLE_S = 1e-9;

/** A rank whose tasks are written one after the other. */
typedef struct rank_trace {
    trace_writer *w;
    const trace_step *step;
    int rank;
    char counter[MAX_NAME]; /* of the activations that are alive */
    double alive_bytes;
    double done_s;            /* the last pass that was written */
    double free_s[MAX_LANES]; /* tracks of communication: transfers that run
                                 beside each other need one each */
    int n_lanes;
} rank_trace;

static const char *kind_name(cost_task_kind kind)
{
    static const char *const names[] = {[COST_FORWARD] = "forward",
            [COST_BACKWARD] = "backward",
            [COST_BACKWARD_INPUT] = "backward inputs",
            [COST_BACKWARD_WEIGHT] = "backward weights"};

    return names[kind];
}

static int stage_of(const rank_trace *r, const cost_task *task)
{
    return cost_schedule_stage(&r->step->parts.pipeline, r->rank, task->chunk);
}

/* "forward 3", with chunks "forward 3.1": micro-batch and chunk. */
static int print_task(
        const rank_trace *r, const cost_task *task, char *out, size_t n)
{
    return r->step->parts.pipeline.v > 1
                   ? snprintf(out, n, "%s %d.%d", kind_name(task->kind),
                             task->micro_batch, task->chunk)
                   : snprintf(out, n, "%s %d", kind_name(task->kind),
                             task->micro_batch);
}

/* Two tasks that run as one are one event. */
static void put_task(const rank_trace *r, const cost_span *span)
{
    char name[MAX_NAME];
    const bool pair = span->task.with_next;
    int n = print_task(r, &span->task, name, sizeof(name));

    if (pair) {
        n += snprintf(name + n, sizeof(name) - (size_t)n, " + ");
        print_task(r, &span[1].task, name + n, sizeof(name) - (size_t)n);
    }
    trace_put_slice(r->w,
            &(trace_slice){name,
                    pair ? "forward + backward" : kind_name(span->task.kind),
                    trace_track(r->rank, COMPUTE), span->start_s, span->end_s});
}

/** The rank runs something until here; before it began it waited. */
static void put_bubble(rank_trace *r, double start_s, double end_s)
{
    if (start_s > r->done_s + LEAST_BUBBLE_S)
        trace_put_slice(r->w,
                &(trace_slice){"bubble", "bubble",
                        trace_track(r->rank, COMPUTE), r->done_s, start_s});
    r->done_s = end_s;
}

/** The stage that a task's result goes to, on another rank; -1 = none. */
static int receiver_of(const rank_trace *r, const cost_task *task)
{
    const cost_pipeline *const pl = &r->step->parts.pipeline;
    const int stage = stage_of(r, task);
    int to = task->kind == COST_FORWARD ? stage + 1 : stage - 1;
    int rank, chunk;

    if (task->kind == COST_BACKWARD_WEIGHT || to == pl->p * pl->v)
        to = -1;
    if (to < 0)
        return -1;
    cost_schedule_place(pl, to, &rank, &chunk);
    return rank == r->rank ? -1 : rank;
}

/** A track that is free at this moment, or else the one that is so first. */
static int lane_at(rank_trace *r, double at_s)
{
    int first = 0;

    for (int i = 0; i < r->n_lanes; i++) {
        if (r->free_s[i] <= at_s)
            return i;
        if (r->free_s[i] < r->free_s[first])
            first = i;
    }
    return r->n_lanes < MAX_LANES ? r->n_lanes++ : first;
}

/** Show communication on a track of its own while it runs. With more of it
 *  than tracks, what is left of it when a track is free. */
static void put_communication(rank_trace *r, const char *name,
        const char *category, double start_s, double end_s)
{
    const int lane = lane_at(r, start_s);

    trace_put_slice(r->w, &(trace_slice){name, category,
                                  trace_track(r->rank, COMMUNICATION + lane),
                                  fmax(start_s, r->free_s[lane]), end_s});
    r->free_s[lane] = fmax(end_s, r->free_s[lane]);
}

static void put_transfer(rank_trace *r, const cost_span *span)
{
    const int to = receiver_of(r, &span->task);
    const double end_s = span->end_s + r->step->parts.crossing_s;
    char name[MAX_NAME];
    int n;

    if (to < 0)
        return;
    n = snprintf(name, sizeof(name), "send to rank %d: ", to);
    print_task(r, &span->task, name + n, sizeof(name) - (size_t)n);
    put_communication(r, name, "pipeline transfer", span->end_s, end_s);
}

/** Bytes that a task adds when it begins, or takes away when it ends. */
static double change_bytes(const rank_trace *r, const cost_task *task)
{
    const double bytes = r->step->parts.saved_bytes[stage_of(r, task)];

    if (task->kind == COST_FORWARD)
        return bytes;
    return task->kind == COST_BACKWARD_INPUT ? 0 : -bytes;
}

static void put_counter(const rank_trace *r, double at_s, double bytes)
{
    trace_put_bytes(
            r->w, r->counter, trace_track(r->rank, COMPUTE), at_s, bytes);
}

static void put_alive(rank_trace *r, const cost_span *span, bool shown)
{
    const double change = change_bytes(r, &span->task);

    r->alive_bytes = fmax(0, r->alive_bytes + change);
    if (shown && change != 0)
        put_counter(
                r, change > 0 ? span->start_s : span->end_s, r->alive_bytes);
}

/* What is not shown is one event; its activations are at their most. */
static void put_hidden(rank_trace *r, const cost_span *spans, int64_t n)
{
    char name[MAX_NAME];
    double most = 0;

    put_bubble(r, spans[0].start_s, spans[n - 1].end_s);
    snprintf(name, sizeof(name), "%" PRId64 " passes not shown", n);
    trace_put_slice(r->w,
            &(trace_slice){name, "not shown", trace_track(r->rank, COMPUTE),
                    spans[0].start_s, spans[n - 1].end_s});
    for (int64_t i = 0; i < n; i++) {
        put_alive(r, &spans[i], false);
        most = fmax(most, r->alive_bytes);
    }
    put_counter(r, spans[0].start_s, most);
    put_counter(r, spans[n - 1].end_s, r->alive_bytes);
}

static void put_span(rank_trace *r, const cost_span *span, bool second)
{
    put_bubble(r, span->start_s, span->end_s);
    if (!second)
        put_task(r, span);
    put_alive(r, span, true);
    put_transfer(r, span);
}

static void put_tasks(
        rank_trace *r, const cost_span *spans, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++)
        put_span(r, &spans[i], i > 0 && spans[i - 1].task.with_next);
}

/* Once a step, when the last pass is done. */
static void put_once(rank_trace *r, double at_s)
{
    const cost_rank_time *const t = &r->step->parts.ranks[r->rank];
    const struct {
        const char *name;
        bool sends;
        double duration_s;
    } rows[] = {
            {"data-parallel communication that shows", true, t->dp_s},
            {"optimizer step", false, t->optimizer_s},
            {"offload to the host", true, t->offload_s},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const double end_s = at_s + rows[i].duration_s;

        if (rows[i].duration_s <= 0)
            continue;
        if (rows[i].sends)
            put_communication(r, rows[i].name, "once a step", at_s, end_s);
        else
            trace_put_slice(
                    r->w, &(trace_slice){rows[i].name, "once a step",
                                  trace_track(r->rank, COMPUTE), at_s, end_s});
        at_s = end_s;
    }
}

static void put_names(const rank_trace *r)
{
    char name[MAX_NAME];

    snprintf(name, sizeof(name), "rank %d: compute", r->rank);
    trace_name_track(r->w, trace_track(r->rank, COMPUTE), name);
    for (int i = 0; i < r->n_lanes; i++) {
        const int track = trace_track(r->rank, COMMUNICATION + i);

        if (i == 0)
            snprintf(name, sizeof(name), "rank %d: communication", r->rank);
        else
            snprintf(name, sizeof(name), "rank %d: communication %d", r->rank,
                    i + 1);
        trace_name_track(r->w, track, name);
    }
}

int64_t trace_put_rank(
        trace_writer *w, const trace_step *step, int rank, int64_t n_ends)
{
    const cost_pipeline *const pl = &step->parts.pipeline;
    const cost_span *const spans = cost_timeline_rank(&step->line, pl, rank);
    const int64_t n = step->line.n_spans[rank];
    rank_trace r = {.w = w, .step = step, .rank = rank, .n_lanes = 1};
    int64_t head = n_ends < n ? n_ends : n;
    int64_t tail = n - n_ends > head ? n - n_ends : head;

    snprintf(r.counter, sizeof(r.counter), "rank %d: activations alive", rank);
    /* Two that run as one stay together. */
    head -= head > 0 && head < n && spans[head - 1].task.with_next;
    tail += tail > 0 && tail < n && spans[tail - 1].task.with_next;
    put_tasks(&r, spans, 0, head);
    if (tail > head)
        put_hidden(&r, spans + head, tail - head);
    put_tasks(&r, spans, tail, n);
    put_once(&r, cost_timeline_done_s(&step->line, pl, rank));
    put_names(&r);
    return tail - head;
}
