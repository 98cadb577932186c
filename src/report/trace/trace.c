/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - the simulated step of a plan, in the Chrome trace event format. */
#include "report/trace/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/version.h"
#include "json/json.h"

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

/** Where events go. */
typedef struct trace_writer {
    json_writer json;
    int64_t n_events;
} trace_writer;

/** What runs on a track, from start to end. */
typedef struct trace_slice {
    const char *name;
    const char *category;
    int track;
    double start_s;
    double end_s;
} trace_slice;

/* All is one process: viewers order the tracks of a process by their numbers,
 * and processes by how much is in them. */
enum { PROCESS = 1, TRACKS_PER_RANK = 100 };

static const double NS_PER_S = 1e9;
static const double NS_PER_US = 1e3;

/* Whole nanoseconds, so that what follows at once begins where the other
 * ends. */
static double whole_ns(double at_s)
{
    return round(at_s * NS_PER_S);
}

static void begin(
        trace_writer *w, const char *name, const char *phase, int track)
{
    json_begin(&w->json, NULL, '{');
    w->json.one_line = true;
    json_put_string(&w->json, "name", name);
    json_put_string(&w->json, "ph", phase);
    json_put_int(&w->json, "pid", PROCESS);
    json_put_int(&w->json, "tid", track);
    w->n_events++;
}

static void end(trace_writer *w)
{
    json_end(&w->json, '}');
    w->json.one_line = false;
}

/* A complete event, unless it takes no time. */
static void put_slice(trace_writer *w, const trace_slice *slice)
{
    const double start_ns = whole_ns(slice->start_s);
    const double end_ns = whole_ns(slice->end_s);

    if (end_ns <= start_ns)
        return;
    begin(w, slice->name, "X", slice->track);
    json_put_string(&w->json, "cat", slice->category);
    json_put_double(&w->json, "ts", start_ns / NS_PER_US);
    json_put_double(&w->json, "dur", (end_ns - start_ns) / NS_PER_US);
    end(w);
}

/* A counter's value from a moment on; each counter has a name of its own. */
static void put_bytes(
        trace_writer *w, const char *name, int track, double at_s, double bytes)
{
    begin(w, name, "C", track);
    json_put_double(&w->json, "ts", whole_ns(at_s) / NS_PER_US);
    json_begin(&w->json, "args", '{');
    json_put_int(&w->json, "bytes", (int64_t)round(bytes));
    json_end(&w->json, '}');
    end(w);
}

/* Number of a track of a rank, in the order to show them in. None stands
 * twice: viewers take equal numbers for one track. A rank has lanes 0 to 99. */
static int track_of(int rank, int lane)
{
    return (rank + 1) * TRACKS_PER_RANK + lane;
}

static void put_name(
        trace_writer *w, const char *what, int track, const char *name)
{
    begin(w, what, "M", track);
    json_begin(&w->json, "args", '{');
    json_put_string(&w->json, "name", name);
    json_end(&w->json, '}');
    end(w);
}

static void name_all(trace_writer *w, const char *name)
{
    put_name(w, "process_name", PROCESS, name);
}

static void name_track(trace_writer *w, int track, const char *name)
{
    put_name(w, "thread_name", track, name);
    begin(w, "thread_sort_index", "M", track);
    json_begin(&w->json, "args", '{');
    json_put_int(&w->json, "sort_index", track);
    json_end(&w->json, '}');
    end(w);
}

/* One pipeline rank. */

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
    put_slice(r->w,
            &(trace_slice){name,
                    pair ? "forward + backward" : kind_name(span->task.kind),
                    track_of(r->rank, COMPUTE), span->start_s, span->end_s});
}

/** The rank runs something until here; before it began it waited. */
static void put_bubble(rank_trace *r, double start_s, double end_s)
{
    if (start_s > r->done_s + LEAST_BUBBLE_S)
        put_slice(
                r->w, &(trace_slice){"bubble", "bubble",
                              track_of(r->rank, COMPUTE), r->done_s, start_s});
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

    put_slice(r->w, &(trace_slice){name, category,
                            track_of(r->rank, COMMUNICATION + lane),
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
    put_bytes(r->w, r->counter, track_of(r->rank, COMPUTE), at_s, bytes);
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
    put_slice(
            r->w, &(trace_slice){name, "not shown", track_of(r->rank, COMPUTE),
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
            {"exposed data-parallel communication", true, t->dp_s},
            {"optimizer step", false, t->optimizer_s},
            {"exposed CPU offload", true, t->offload_s},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const double end_s = at_s + rows[i].duration_s;

        if (rows[i].duration_s <= 0)
            continue;
        if (rows[i].sends)
            put_communication(r, rows[i].name, "once a step", at_s, end_s);
        else
            put_slice(r->w, &(trace_slice){rows[i].name, "once a step",
                                    track_of(r->rank, COMPUTE), at_s, end_s});
        at_s = end_s;
    }
}

static void put_names(const rank_trace *r)
{
    char name[MAX_NAME];

    snprintf(name, sizeof(name), "rank %d: compute", r->rank);
    name_track(r->w, track_of(r->rank, COMPUTE), name);
    for (int i = 0; i < r->n_lanes; i++) {
        const int track = track_of(r->rank, COMMUNICATION + i);

        if (i == 0)
            snprintf(name, sizeof(name), "rank %d: communication", r->rank);
        else
            snprintf(name, sizeof(name), "rank %d: communication %d", r->rank,
                    i + 1);
        name_track(r->w, track, name);
    }
}

/* @param n_ends  tasks of its first and of its last that are shown
 * @return tasks between them, which are one event */
static int64_t put_rank(
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

/* The step. */

/* Tasks that are shown at most: an event of each, its transfer and its
 * activations are 450 bytes, 18 MB in all. */
enum { MAX_SHOWN = 40000, USUAL_MICRO_BATCHES = 64 };

/* Tasks that are written at most where more are asked for: some 250 MB, about
 * what a tab of a browser opens. */
enum { MAX_WRITTEN = 600000 };

static const char NOTE[] =
        "times of the passes are the estimate's; communication inside of a "
        "pass is part of it, and data-parallel communication is what shows of "
        "it";

/* Tasks of a rank, first and last, that are shown at each end. */
static int64_t shown_at_ends(
        const trace_step *step, const report_trace_options *options)
{
    const cost_pipeline *const pl = &step->parts.pipeline;
    const int n_ranks = options->rank < 0 ? pl->p : 1;
    const int64_t each = step->line.n_spans[0] / pl->m;
    const int64_t most = MAX_SHOWN / (n_ranks * each);
    int64_t n = options->n_micro_batches;

    if (n == 0)
        n = USUAL_MICRO_BATCHES < most ? USUAL_MICRO_BATCHES : most;
    if (n >= pl->m)
        return cost_schedule_max_tasks(pl);
    return n * each / 2 > 0 ? n * each / 2 : 1;
}

static bool check_size(const trace_step *step,
        const report_trace_options *options, p3d_error *err)
{
    const int64_t n_ranks = options->rank < 0 ? step->parts.pipeline.p : 1;
    const int64_t each =
            n_ranks * (step->line.n_spans[0] / step->parts.pipeline.m);
    const int64_t m = step->parts.pipeline.m;
    const int64_t n =
            options->n_micro_batches < m ? options->n_micro_batches : m;

    return n * each <= MAX_WRITTEN ||
           p3d_fail(err, P3D_DATA,
                   "--micro-batches %" PRId64 ": a file too large for a "
                   "viewer; write --micro-batches %" PRId64 "%s",
                   options->n_micro_batches, MAX_WRITTEN / each,
                   n_ranks > 1 ? ", or --stage 0" : "");
}

/* What is not a rank's own: the whole step, and what all ranks wait for. */
static void put_whole(
        trace_writer *w, const trace_step *step, const p3d_time *time)
{
    const int track = track_of(step->parts.pipeline.p, 0);
    const double end_s = trace_step_end_s(step);
    const double slowest_s = end_s + time->straggler_s;

    name_all(w, "one step");
    name_track(w, track, "all ranks");
    put_slice(w, &(trace_slice){step->work_s < end_s
                                        ? "step, with a pipeline that fills "
                                          "and drains"
                                        : "pipeline, reduction, optimizer",
                         "step", track, 0, end_s});
    put_slice(w, &(trace_slice){"straggler wait", "straggler", track, end_s,
                         slowest_s});
    put_slice(w, &(trace_slice){"fixed cost of a step", "fixed", track,
                         slowest_s, slowest_s + time->fixed_s});
}

static void put_events(const report_trace_options *options,
        const trace_step *step, json_writer *json, report_trace_sum *sum)
{
    const int64_t n_ends = shown_at_ends(step, options);
    trace_writer w = {.json = *json};

    json_begin(&w.json, "traceEvents", '[');
    for (int rank = 0; rank < step->parts.pipeline.p; rank++) {
        if (options->rank < 0 || options->rank == rank)
            sum->n_hidden += put_rank(&w, step, rank, n_ends);
    }
    put_whole(&w, step, &options->estimate->time);
    json_end(&w.json, ']');
    sum->n_events = w.n_events;
    *json = w.json;
}

static void put_about(const report_trace_options *options,
        const report_trace_sum *sum, json_writer *json)
{
    const p3d_problem *const problem = options->problem;
    const p3d_estimate *const estimate = options->estimate;
    char words[256];

    p3d_plan_print(&estimate->plan, words, sizeof(words));
    json_begin(json, "otherData", '{');
    json_put_string(json, "program", "plan3d " P3D_VERSION);
    json_put_string(json, "model", problem->model.name);
    json_put_string(json, "cluster", problem->cluster.name);
    json_put_string(json, "framework", problem->job.framework->name);
    json_put_string(json, "plan", words);
    json_put_int(json, "n_micro_batches", estimate->n_micro_batches);
    json_put_double(json, "trace_step_s", sum->trace_step_s);
    json_put_double(json, "step_s", p3d_time_step_s(&estimate->time));
    json_put_string(json, "step_s_by",
            cost_is_simulated(&estimate->plan, estimate->n_micro_batches)
                    ? "longest path through the stages"
                    : "closed forms of the schedule (docs/assumptions.md A18)");
    json_put_int(json, "n_hidden_tasks", sum->n_hidden);
    json_put_string(json, "note", NOTE);
    json_end(json, '}');
}

static void write(const report_trace_options *options, const trace_step *step,
        p3d_text *out, report_trace_sum *sum)
{
    const p3d_time *const time = &options->estimate->time;
    json_writer json = {.out = out};

    *sum = (report_trace_sum){
            .trace_step_s = step->work_s + time->straggler_s + time->fixed_s};
    json_begin(&json, NULL, '{');
    json_put_string(&json, "displayTimeUnit", "ms");
    put_events(options, step, &json, sum);
    put_about(options, sum, &json);
    json_end(&json, '}');
    p3d_text_append(out, "\n", 1);
}

bool report_trace(const report_trace_options *options, p3d_text *out,
        report_trace_sum *sum, p3d_error *err)
{
    const p3d_estimate *const estimate = options->estimate;
    trace_step *step;
    bool ok;

    if (options->rank >= estimate->plan.pp)
        return p3d_fail(err, P3D_DATA,
                "--stage %d: pipeline ranks of the plan are numbered from 0 to "
                "%d",
                options->rank, estimate->plan.pp - 1);
    step = trace_step_create(
            options->problem, &estimate->plan, estimate->n_micro_batches, err);
    if (step == NULL)
        return false;
    ok = check_size(step, options, err);
    if (ok)
        write(options, step, out, sum);
    trace_step_destroy(step);
    return ok;
}
