/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.c - unpacks a trace, takes it apart and sums it up. */
#include "exchange/trace/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/gunzip.h"
#include "base/util.h"
#include "exchange/trace/trace.h"

struct exchange_trace {
    p3d_gunzip *gunzip;
    json_parts *parts;
    trace_events events;
};

exchange_trace *exchange_trace_new(void)
{
    exchange_trace *const t = calloc(1, sizeof(*t));

    if (t == NULL)
        return NULL;
    t->events.rank = -1;
    t->parts = json_parts_new(
            "traceEvents", &(json_part_taker){trace_events_take, &t->events});
    t->gunzip = p3d_gunzip_new(&(p3d_taker){json_parts_take, t->parts});
    if (t->parts != NULL && t->gunzip != NULL)
        return t;
    exchange_trace_free(t);
    return NULL;
}

void exchange_trace_free(exchange_trace *trace)
{
    if (trace == NULL)
        return;
    p3d_gunzip_free(trace->gunzip);
    json_parts_free(trace->parts);
    trace_events_free(&trace->events);
    free(trace);
}

bool exchange_trace_take(
        void *trace, const char *part, size_t n, p3d_error *err)
{
    exchange_trace *const t = trace;

    return p3d_gunzip_take(t->gunzip, part, n, err);
}

bool trace_finish(trace_events *events, const char *program, p3d_trace *out,
        p3d_error *err)
{
    p3d_measurements *const m = &out->measured;

    if (!trace_sum_up(events, out, err) || !trace_add_rows(events, out, err) ||
            !trace_list_calls(events, out, err))
        return false;
    m->schema = 1;
    m->machine = events->machine;
    m->machine.n_ranks = out->n_ranks;
    p3d_copy(m->program, sizeof(m->program), program);
    return true;
}

bool exchange_trace_end(exchange_trace *trace, p3d_trace *out, p3d_error *err)
{
    return p3d_gunzip_end(trace->gunzip, err) &&
           json_parts_end(trace->parts, err) &&
           trace_finish(&trace->events, "PyTorch profiler", out, err);
}
