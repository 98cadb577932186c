/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - the simulated step of a plan, in the Chrome trace event format. */
#include "report/trace/trace.h"

#include <inttypes.h>

#include "base/util.h"
#include "plan3d/version.h"
#include "report/trace/trace_rank.h"

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
        const trace_step *step, const report_trace_choice *choice)
{
    const cost_pipeline *const pl = &step->parts.pipeline;
    const int n_ranks = choice->rank < 0 ? pl->p : 1;
    const int64_t each = step->line.n_spans[0] / pl->m;
    const int64_t most = MAX_SHOWN / (n_ranks * each);
    int64_t n = choice->n_micro_batches;

    if (n == 0)
        n = USUAL_MICRO_BATCHES < most ? USUAL_MICRO_BATCHES : most;
    if (n >= pl->m)
        return cost_schedule_max_tasks(pl);
    return n * each / 2 > 0 ? n * each / 2 : 1;
}

static bool check_size(const trace_step *step,
        const report_trace_choice *choice, p3d_error *err)
{
    const int64_t n_ranks = choice->rank < 0 ? step->parts.pipeline.p : 1;
    const int64_t each =
            n_ranks * (step->line.n_spans[0] / step->parts.pipeline.m);
    const int64_t m = step->parts.pipeline.m;
    const int64_t n = choice->n_micro_batches < m ? choice->n_micro_batches : m;

    return n * each <= MAX_WRITTEN ||
           p3d_fail(err, P3D_DATA,
                   "--micro-batches %" PRId64 ": a file too large for a "
                   "viewer; write --micro-batches %" PRId64 "%s",
                   choice->n_micro_batches, MAX_WRITTEN / each,
                   n_ranks > 1 ? ", or --stage 0" : "");
}

/* What is not a rank's own: the whole step, and what all ranks wait for. */
static void put_whole(
        trace_writer *w, const trace_step *step, const p3d_time *time)
{
    const int track = trace_track(step->parts.pipeline.p, 0);
    const double end_s = trace_step_end_s(step);
    const double slowest_s = end_s + time->straggler_s;

    trace_name_all(w, "one step");
    trace_name_track(w, track, "all ranks");
    trace_put_slice(
            w, &(trace_slice){step->work_s < end_s
                                      ? "step, with a pipeline that fills "
                                        "and drains"
                                      : "pipeline, reduction, optimizer",
                       "step", track, 0, end_s});
    trace_put_slice(w, &(trace_slice){"waiting for the slowest GPU",
                               "straggler", track, end_s, slowest_s});
    trace_put_slice(w, &(trace_slice){"fixed cost of a step", "fixed", track,
                               slowest_s, slowest_s + time->fixed_s});
}

static void put_events(const report_trace_choice *choice,
        const trace_step *step, json_writer *json, report_trace_sum *sum)
{
    const int64_t n_ends = shown_at_ends(step, choice);
    trace_writer w = {.json = *json};

    json_begin(&w.json, "traceEvents", '[');
    for (int rank = 0; rank < step->parts.pipeline.p; rank++) {
        if (choice->rank < 0 || choice->rank == rank)
            sum->n_hidden += trace_put_rank(&w, step, rank, n_ends);
    }
    put_whole(&w, step, &choice->estimate->time);
    json_end(&w.json, ']');
    sum->n_events = w.n_events;
    *json = w.json;
}

static void put_about(const report_trace_choice *choice,
        const report_trace_sum *sum, json_writer *json)
{
    const p3d_problem *const problem = choice->problem;
    const p3d_estimate *const estimate = choice->estimate;
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

static void write(const report_trace_choice *choice, const trace_step *step,
        p3d_text *out, report_trace_sum *sum)
{
    const p3d_time *const time = &choice->estimate->time;
    json_writer json = {.out = out};

    *sum = (report_trace_sum){
            .trace_step_s = step->work_s + time->straggler_s + time->fixed_s};
    json_begin(&json, NULL, '{');
    json_put_string(&json, "displayTimeUnit", "ms");
    put_events(choice, step, &json, sum);
    put_about(choice, sum, &json);
    json_end(&json, '}');
    p3d_text_append(out, "\n", 1);
}

bool report_trace(const report_trace_choice *choice, p3d_text *out,
        report_trace_sum *sum, p3d_error *err)
{
    const p3d_estimate *const estimate = choice->estimate;
    trace_step *step;
    bool ok;

    if (choice->rank >= estimate->plan.pp)
        return p3d_fail(err, P3D_DATA,
                "--stage %d: pipeline ranks of the plan are numbered from 0 to "
                "%d",
                choice->rank, estimate->plan.pp - 1);
    step = trace_step_create(
            choice->problem, &estimate->plan, estimate->n_micro_batches, err);
    if (step == NULL)
        return false;
    ok = check_size(step, choice, err);
    if (ok)
        write(choice, step, out, sum);
    trace_step_destroy(step);
    return ok;
}
