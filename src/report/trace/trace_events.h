/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_events.h - one event of a trace at a time. */
#ifndef PLAN3D_REPORT_TRACE_TRACE_EVENTS_H
#define PLAN3D_REPORT_TRACE_TRACE_EVENTS_H

#include "json/json.h"

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

/** A complete event, unless it takes no time. */
void trace_put_slice(trace_writer *w, const trace_slice *slice);

/** A counter's value from a moment on; each counter has a name of its own. */
void trace_put_bytes(trace_writer *w, const char *name, int track, double at_s,
        double bytes);

/** Number of a rank's track. Numbers are in the order to show them in, and none
 *  stands twice: viewers take equal numbers for one track.
 *  @param lane  of the rank, 0 to 99 */
int trace_track(int rank, int lane);

void trace_name_all(trace_writer *w, const char *name);
void trace_name_track(trace_writer *w, int track, const char *name);

#endif
