/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits.c - what of a trace is waiting for another rank: transfers that take
 * longer than the fastest of their size, and pauses of a GPU that was told what
 * to do next. */
#include <stdlib.h>

#include "base/util.h"
#include "exchange/trace/trace.h"

/* A transfer, for the fastest ones of its size. */
typedef struct transfer {
    int64_t bytes; /* 0 = not recorded */
    int64_t length_ns;
    int kernel;
} transfer;

static int compare(const void *a, const void *b)
{
    const transfer *const x = a, *const y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->length_ns > y->length_ns) - (x->length_ns < y->length_ns);
}

static int list_transfers(const trace_events *e, transfer *out)
{
    const trace_kernel *const kernels = e->kernels.items;
    const trace_message *const messages = e->messages.items;
    int n = 0;

    for (int i = 0; i < e->kernels.n; i++) {
        const trace_kernel *const k = &kernels[i];

        if (k->kind == P3D_TRACED_SEND_RECV)
            out[n++] =
                    (transfer){k->message < 0 ? 0 : messages[k->message].bytes,
                            k->end_ns - k->start_ns, i};
    }
    return n;
}

/* Nobody was waited for in the fastest tenth; the data moves at the end. */
static void split_equal(const transfer *rows, int n, trace_kernel *kernels)
{
    const int64_t fastest_ns = rows[n / 10].length_ns;

    for (int i = 0; i < n; i++) {
        trace_kernel *const k = &kernels[rows[i].kernel];

        if (rows[i].length_ns > fastest_ns)
            k->moves_ns = k->end_ns - fastest_ns;
    }
}

bool trace_split_transfers(trace_events *e, p3d_error *err)
{
    transfer *const rows = malloc((size_t)e->kernels.n * sizeof(transfer) + 1);
    int n, first = 0;

    if (rows == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    n = list_transfers(e, rows);
    if (n > 1)
        qsort(rows, (size_t)n, sizeof(*rows), compare);
    for (int i = 1; i <= n; i++) {
        if (i < n && rows[i].bytes == rows[first].bytes)
            continue;
        split_equal(&rows[first], i - first, e->kernels.items);
        first = i;
    }
    free(rows);
    return true;
}

static int64_t overlap_ns(trace_step a, trace_step b)
{
    const int64_t start_ns = a.start_ns > b.start_ns ? a.start_ns : b.start_ns;
    const int64_t end_ns = a.end_ns < b.end_ns ? a.end_ns : b.end_ns;

    return end_ns > start_ns ? end_ns - start_ns : 0;
}

int64_t trace_stalled_ns(const trace_events *e, trace_step within)
{
    const trace_kernel *const kernels = e->kernels.items;
    int64_t sum_ns = 0, end_ns = within.start_ns;

    for (int i = 0; i < e->kernels.n; i++) {
        const trace_kernel *const k = &kernels[i];
        const trace_step gap = {end_ns, k->start_ns};

        if (k->launched_ns >= 0 && k->launched_ns <= gap.start_ns &&
                gap.end_ns - gap.start_ns >= TRACE_LEAST_GAP_NS)
            sum_ns += overlap_ns(gap, within);
        if (k->end_ns > end_ns)
            end_ns = k->end_ns;
    }
    return sum_ns;
}
