/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c - collectives of a rank, and those of several ranks that are the
 * same. All ranks of a group run its collectives in one order. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "exchange/trace/ranks.h"
#include "exchange/trace/trace.h"

static const double NS = 1e-9;

/* Who sends and who receives wait for each other, but not as long. */
static bool is_collective(int kind)
{
    return kind >= P3D_TRACED_ALL_REDUCE && kind < P3D_TRACED_SEND_RECV;
}

bool trace_list_calls(
        const trace_events *events, p3d_trace *out, p3d_error *err)
{
    const trace_kernel *const kernels = events->kernels.items;
    const trace_message *const messages = events->messages.items;

    for (int i = 0; i < events->kernels.n; i++) {
        const trace_kernel *const k = &kernels[i];
        const trace_message said = k->message >= 0 ? messages[k->message]
                                                   : (trace_message){.op = -1};
        const p3d_trace_call call = {.kind = k->kind,
                .step = out->named_steps ? k->step : 0,
                .group = said.group,
                .bytes = said.bytes,
                .n_ranks = said.n_ranks,
                .n_nodes = said.n_nodes,
                .length_s = NS * (double)(k->end_ns - k->start_ns)};

        if (is_collective(k->kind) && call.step >= 0 &&
                !p3d_rows_add(&out->calls, sizeof(call), &call, err))
            return false;
    }
    return true;
}

int exchange_rank_of(const p3d_trace *traces, int place)
{
    return traces[place].rank >= 0 ? traces[place].rank : place;
}

bool exchange_is_one_run(const p3d_trace *traces, int n)
{
    int n_traces = 0;

    for (int i = 0; i < n; i++) {
        if (traces[i].calls.n == 0)
            continue;
        if (traces[i].rank < 0)
            return false;
        for (int j = 0; j < i; j++)
            if (traces[j].calls.n > 0 &&
                    (traces[i].rank == traces[j].rank ||
                            traces[i].n_ranks != traces[j].n_ranks))
                return false;
        n_traces++;
    }
    return n_traces > 1;
}

/* A call with where it stands. */
typedef struct entry {
    p3d_trace_call call;
    int place; /* of the trace */
    int nth;   /* of those like it in its step and trace */
} entry;

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Calls that may be the same one. */
static int compare_calls(const p3d_trace_call *a, const p3d_trace_call *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->step != b->step)
        return order(a->step, b->step);
    if (a->kind != b->kind)
        return order(a->kind, b->kind);
    return a->bytes != b->bytes ? order(a->bytes, b->bytes)
                                : order(a->n_ranks, b->n_ranks);
}

/* Traces beside each other, each in its order. */
static int compare_as_run(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;
    const int n = compare_calls(&x->call, &y->call);

    if (n != 0)
        return n;
    return x->place != y->place ? order(x->place, y->place)
                                : order(x->nth, y->nth);
}

/* The same call beside each other, the shortest first. */
static int compare_as_met(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;

    if (x->nth != y->nth)
        return order(x->nth, y->nth);
    return (x->call.length_s > y->call.length_s) -
           (x->call.length_s < y->call.length_s);
}

static int list_entries(const p3d_trace *traces, int n, entry *out)
{
    int n_entries = 0;

    for (int t = 0; t < n; t++) {
        const p3d_trace_call *const calls = traces[t].calls.items;

        for (int i = 0; i < traces[t].calls.n; i++)
            out[n_entries++] = (entry){calls[i], t, i};
    }
    return n_entries;
}

/* Number calls that may be the same from 0 on, in each trace. @return traces
 * that have as many as each other; 0 = they have not */
static int number_calls(entry *e, int n)
{
    int n_traces = 0;

    for (int i = 0; i < n; i++) {
        const bool is_first = i == 0 || e[i].place != e[i - 1].place;

        n_traces += is_first;
        e[i].nth = is_first ? 0 : e[i - 1].nth + 1;
    }
    for (int i = 0; i < n; i++)
        if ((i + 1 == n || e[i].place != e[i + 1].place) &&
                (e[i].nth + 1) * n_traces != n)
            return 0;
    return n_traces;
}

/* Of calls that may be the same. */
static bool meet_block(entry *e, int n, p3d_rows *out, p3d_error *err)
{
    const int n_traces = number_calls(e, n);

    if (n_traces < 2)
        return true;
    qsort(e, (size_t)n, sizeof(*e), compare_as_met);
    for (int i = 0; i < n; i += n_traces) {
        exchange_met met = {
                .call = e[i].call, .last = e[i].place, .n_members = n_traces};

        for (int j = i; j < i + n_traces; j++)
            met.sum_s += e[j].call.length_s;
        if (!p3d_rows_add(out, sizeof(met), &met, err))
            return false;
    }
    return true;
}

bool exchange_meet(
        const p3d_trace *traces, int n, p3d_rows *out, p3d_error *err)
{
    entry *entries;
    size_t n_calls = 0;
    int n_entries;
    bool ok = true;

    *out = (p3d_rows){0};
    for (int t = 0; t < n; t++)
        n_calls += (size_t)traces[t].calls.n;
    entries =
            n_calls > INT32_MAX ? NULL : calloc(n_calls + 1, sizeof(*entries));
    if (entries == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    n_entries = list_entries(traces, n, entries);
    qsort(entries, (size_t)n_entries, sizeof(*entries), compare_as_run);
    for (int i = 0, end; i < n_entries && ok; i = end) {
        for (end = i + 1; end < n_entries && compare_calls(&entries[i].call,
                                                     &entries[end].call) == 0;)
            end++;
        ok = meet_block(entries + i, end - i, out, err);
    }
    free(entries);
    return ok;
}

/* Rows. */

static const int ops[P3D_N_TRACED] = {
        [P3D_TRACED_ALL_REDUCE] = P3D_OP_ALL_REDUCE,
        [P3D_TRACED_ALL_GATHER] = P3D_OP_ALL_GATHER,
        [P3D_TRACED_REDUCE_SCATTER] = P3D_OP_REDUCE_SCATTER,
        [P3D_TRACED_ALL_TO_ALL] = P3D_OP_ALL_TO_ALL,
        [P3D_TRACED_BROADCAST] = P3D_OP_BROADCAST,
};

static int compare_sizes(const p3d_trace_call *a, const p3d_trace_call *b)
{
    const int64_t keys[][2] = {{a->kind, b->kind}, {a->n_ranks, b->n_ranks},
            {a->n_nodes, b->n_nodes}, {a->bytes, b->bytes}};

    for (int i = 0; i < P3D_COUNT_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return order(keys[i][0], keys[i][1]);
    return 0;
}

static int compare_met(const void *a, const void *b)
{
    const exchange_met *const x = a, *const y = b;
    const int n = compare_sizes(&x->call, &y->call);

    if (n != 0)
        return n;
    return (x->call.length_s > y->call.length_s) -
           (x->call.length_s < y->call.length_s);
}

static bool has_sizes(const p3d_trace_call *c)
{
    return c->bytes > 0 && c->n_ranks > 1 && c->n_nodes > 0 && c->length_s > 0;
}

/* Equal ones are one row: nobody was waited for, so their median counts. */
static bool add_met(
        const exchange_met *met, int n, p3d_rows *out, p3d_error *err)
{
    const p3d_trace_call *const c = &met->call;
    p3d_collective_row row = {.op = ops[c->kind],
            .axis = "all",
            .n_ranks = c->n_ranks,
            .n_nodes = c->n_nodes,
            .n_groups = 1,
            .bytes = c->bytes,
            .timing = {.n_samples = n,
                    .median_s = met[(n - 1) / 2].call.length_s,
                    .p10_s = met[(n - 1) / 10].call.length_s,
                    .p90_s = met[(int64_t)(n - 1) * 9 / 10].call.length_s}};

    row.algbw_bytes_per_s = (double)c->bytes / row.timing.median_s;
    row.busbw_bytes_per_s = row.algbw_bytes_per_s *
                            p3d_bus_factor((p3d_measured_op)row.op, c->n_ranks);
    return p3d_rows_add(out, sizeof(row), &row, err);
}

static bool is_like(const p3d_collective_row *row, const p3d_trace_call *c)
{
    return row->op == ops[c->kind] && row->n_ranks == c->n_ranks &&
           row->n_nodes == c->n_nodes && row->bytes == c->bytes;
}

/* A row of one rank that the rows of all stand for. */
static void drop_rows(const p3d_trace_call *c, p3d_rows *rows)
{
    p3d_collective_row *const items = rows->items;
    int kept = 0;

    for (int i = 0; i < rows->n; i++)
        if (!is_like(&items[i], c))
            items[kept++] = items[i];
    rows->n = kept;
}

/* What has calls is a trace; the first one takes the row. */
static bool join(const exchange_met *met, int n, p3d_trace *traces,
        int n_traces, p3d_error *err)
{
    p3d_rows *first = NULL;

    if (!has_sizes(&met->call))
        return true;
    for (int t = n_traces - 1; t >= 0; t--) {
        if (traces[t].calls.n == 0)
            continue;
        first = &traces[t].measured.collective;
        drop_rows(&met->call, first);
    }
    return first == NULL || add_met(met, n, first, err);
}

bool exchange_join_rows(p3d_trace *traces, int n, p3d_error *err)
{
    p3d_rows met;
    bool ok = exchange_meet(traces, n, &met, err);
    exchange_met *const items = met.items;

    if (ok && met.n > 1)
        qsort(items, (size_t)met.n, sizeof(*items), compare_met);
    for (int i = 0, end; i < met.n && ok; i = end) {
        for (end = i + 1; end < met.n &&
                          compare_sizes(&items[i].call, &items[end].call) == 0;)
            end++;
        ok = join(items + i, end - i, traces, n, err);
    }
    free(met.items);
    return ok;
}
