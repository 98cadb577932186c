/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_events.h - one event of a trace at a time. */
#ifndef PLAN3D_REPORT_TRACE_EVENTS_H
#define PLAN3D_REPORT_TRACE_EVENTS_H

#include "json/json.h"

/** Where events go. */
typedef struct trace_writer {
    json_writer json;
    int64_t n_events;
} trace_writer;

/** What runs on a thread of a process, from start to end. */
typedef struct trace_slice {
    const char *name;
    const char *category;
    int process;
    int thread;
    double start_s;
    double end_s;
} trace_slice;

/** A complete event, unless it takes no time. */
void trace_put_slice(trace_writer *w, const trace_slice *slice);

/** A counter's value from a moment on. */
void trace_put_bytes(trace_writer *w, const char *name, int process,
        double at_s, double bytes);

/** Names of processes and threads. Processes are shown by their number. */
void trace_name_process(trace_writer *w, int process, const char *name);
void trace_name_thread(
        trace_writer *w, int process, int thread, const char *name);

#endif
