/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_events.c - one event of a trace at a time, on a line of its own. */
#include "report/trace/trace_events.h"

#include <math.h>

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

void trace_put_slice(trace_writer *w, const trace_slice *slice)
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

void trace_put_bytes(
        trace_writer *w, const char *name, int track, double at_s, double bytes)
{
    begin(w, name, "C", track);
    json_put_double(&w->json, "ts", whole_ns(at_s) / NS_PER_US);
    json_begin(&w->json, "args", '{');
    json_put_int(&w->json, "bytes", (int64_t)round(bytes));
    json_end(&w->json, '}');
    end(w);
}

int trace_track(int rank, int lane)
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

void trace_name_all(trace_writer *w, const char *name)
{
    put_name(w, "process_name", PROCESS, name);
}

void trace_name_track(trace_writer *w, int track, const char *name)
{
    put_name(w, "thread_name", track, name);
    begin(w, "thread_sort_index", "M", track);
    json_begin(&w->json, "args", '{');
    json_put_int(&w->json, "sort_index", track);
    json_end(&w->json, '}');
    end(w);
}
