/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c - ties kernels to who launched them and to steps, and gives each
 * moment of a step to one kind. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "exchange/trace/trace.h"

static const double NS = 1e-9;

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_launches(const void *a, const void *b)
{
    const trace_launch *const x = a, *const y = b;

    return order(x->correlation, y->correlation);
}

static int compare_ops(const void *a, const void *b)
{
    const trace_op *const x = a, *const y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return order(x->start_ns, y->start_ns);
}

static int compare_steps(const void *a, const void *b)
{
    const trace_step *const x = a, *const y = b;

    return order(x->start_ns, y->start_ns);
}

static int compare_kernels(const void *a, const void *b)
{
    const trace_kernel *const x = a, *const y = b;

    return order(x->start_ns, y->start_ns);
}

static void sort(
        p3d_rows *rows, size_t size, int (*compare)(const void *, const void *))
{
    if (rows->n > 1)
        qsort(rows->items, (size_t)rows->n, size, compare);
}

static const trace_launch *find_launch(
        const trace_events *e, const trace_kernel *k)
{
    const trace_launch key = {.correlation = k->correlation};

    if (k->correlation < 0 || e->launches.n == 0)
        return NULL;
    return bsearch(&key, e->launches.items, (size_t)e->launches.n, sizeof(key),
            compare_launches);
}

/* The product or collective during which its thread launched this; -1 = none. A
 * number that the profiler gives to both ties them, too, but does not mean the
 * same in all of its versions. */
static int find_op(const trace_events *e, const trace_launch *launch)
{
    const trace_op *const ops = e->ops.items;
    const trace_op key = {.thread = launch->thread, .start_ns = launch->at_ns};
    int low = 0, high = e->ops.n;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (compare_ops(&ops[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    low--;
    return low >= 0 && ops[low].thread == launch->thread &&
                           launch->at_ns <= ops[low].end_ns
                   ? low
                   : -1;
}

/* The step in which the host launched it; -1 = before the first. */
static int find_step(const trace_events *e, int64_t at_ns)
{
    const trace_step *const steps = e->steps.items;
    int low = 0, high = e->steps.n;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (steps[middle].start_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/* What the host said of a collective counts more than the kernel's name. */
static void name_message(const trace_events *e, trace_kernel *k)
{
    const trace_op *const ops = e->ops.items;
    const trace_message *const messages = e->messages.items;

    if (k->kind < P3D_TRACED_ALL_REDUCE || k->kind > P3D_TRACED_SEND_RECV)
        return;
    if (k->message < 0 && k->op >= 0)
        k->message = ops[k->op].message;
    if (k->message >= 0)
        k->kind = trace_kind_of_op(messages[k->message].op, k->kind);
}

static void tie(const trace_events *e)
{
    trace_kernel *const kernels = e->kernels.items;

    for (int i = 0; i < e->kernels.n; i++) {
        trace_kernel *const k = &kernels[i];
        const trace_launch *const launch = find_launch(e, k);

        k->launched_ns = launch != NULL ? launch->at_ns : -1;
        k->step = find_step(e, launch != NULL ? launch->at_ns : k->start_ns);
        if (launch != NULL)
            k->op = find_op(e, launch);
        name_message(e, k);
    }
}

/* Steps of the GPU: from the first kernel of one to the first of the next. */

/* Where the kernels of each step begin and end. A step without any has none
 * (start_ns is -1). */
static void span_steps(const trace_events *e, trace_step *out)
{
    const trace_kernel *const kernels = e->kernels.items;

    for (int i = 0; i < e->steps.n; i++)
        out[i] = (trace_step){-1, -1};
    for (int i = 0; i < e->kernels.n; i++) {
        trace_step *const s = out + kernels[i].step;

        if (kernels[i].step < 0)
            continue;
        if (s->start_ns < 0 || kernels[i].start_ns < s->start_ns)
            s->start_ns = kernels[i].start_ns;
        if (kernels[i].end_ns > s->end_ns)
            s->end_ns = kernels[i].end_ns;
    }
}

/* The host's steps become those of the GPU. The last one ends as far after the
 * host's end as the first one began after the host's beginning, but not before
 * its last kernel. */
static bool move_steps(trace_events *e, p3d_error *err)
{
    trace_step *const steps = e->steps.items;
    const int n = e->steps.n;
    trace_step *const gpu = calloc((size_t)n, sizeof(*gpu));
    int64_t lag_ns = -1;
    int kept = 0;

    if (gpu == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    span_steps(e, gpu);
    for (int i = 0; i < n; i++) {
        if (gpu[i].start_ns < 0)
            continue;
        if (lag_ns < 0)
            lag_ns = gpu[i].start_ns - steps[i].start_ns;
        if (kept > 0)
            steps[kept - 1].end_ns = gpu[i].start_ns;
        steps[kept].start_ns = gpu[i].start_ns;
        steps[kept++].end_ns = steps[i].end_ns + lag_ns > gpu[i].end_ns
                                       ? steps[i].end_ns + lag_ns
                                       : gpu[i].end_ns;
    }
    e->steps.n = kept;
    free(gpu);
    return true;
}

/* Without names of steps the whole trace is one. */
static bool find_steps(trace_events *e, p3d_trace *out, p3d_error *err)
{
    const trace_kernel *const kernels = e->kernels.items;

    sort(&e->steps, sizeof(trace_step), compare_steps);
    out->named_steps = e->steps.n > 0;
    tie(e);
    if (out->named_steps && !move_steps(e, err))
        return false;
    if (e->steps.n > 0)
        return true;
    out->named_steps = false;
    e->steps.items = realloc(e->steps.items, sizeof(trace_step));
    if (e->steps.items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    *(trace_step *)e->steps.items =
            (trace_step){kernels[0].start_ns, kernels[0].end_ns};
    e->steps.n = 1;
    for (int i = 0; i < e->kernels.n; i++)
        if (kernels[i].end_ns > ((trace_step *)e->steps.items)->end_ns)
            ((trace_step *)e->steps.items)->end_ns = kernels[i].end_ns;
    return true;
}

/* A kernel begins (1) or ends (-1), or begins to wait or ends that. */
typedef struct edge {
    int64_t at_ns;
    int kind; /* p3d_traced, or MOVING */
    int change;
} edge;

/* Beside the kinds: transfers of which the data moves. */
enum { MOVING = P3D_N_TRACED, N_RUNNING, MOST_EDGES = 4 };

static int compare_edges(const void *a, const void *b)
{
    const edge *const x = a, *const y = b;

    return order(x->at_ns, y->at_ns);
}

/* What of the steps the sweep has summed up. */
typedef struct sweep {
    int64_t begin_ns, end_ns;
    int64_t exposed_ns[P3D_N_TRACED];
    int64_t waiting_ns; /* exposed: transfers that all wait */
    int64_t idle_ns, gap_ns, longest_ns;
    int n_gaps;
    int running[N_RUNNING];
} sweep;

static void end_gap(sweep *s)
{
    s->n_gaps += s->gap_ns >= TRACE_LEAST_GAP_NS;
    if (s->gap_ns > s->longest_ns)
        s->longest_ns = s->gap_ns;
    s->gap_ns = 0;
}

/* Give a time to the first kind that runs. */
static void give(sweep *s, int64_t from_ns, int64_t to_ns)
{
    int64_t length_ns;

    from_ns = from_ns > s->begin_ns ? from_ns : s->begin_ns;
    to_ns = to_ns < s->end_ns ? to_ns : s->end_ns;
    length_ns = to_ns - from_ns;
    if (length_ns <= 0)
        return;
    for (int i = 0; i < P3D_N_TRACED; i++) {
        if (s->running[i] <= 0)
            continue;
        s->exposed_ns[i] += length_ns;
        if (i == P3D_TRACED_SEND_RECV && s->running[MOVING] <= 0)
            s->waiting_ns += length_ns;
        end_gap(s);
        return;
    }
    s->idle_ns += length_ns;
    s->gap_ns += length_ns;
}

static void run_sweep(sweep *s, const edge *edges, int n)
{
    int64_t at_ns = s->begin_ns;

    for (int i = 0; i < n; i++) {
        give(s, at_ns, edges[i].at_ns);
        at_ns = edges[i].at_ns > at_ns ? edges[i].at_ns : at_ns;
        s->running[edges[i].kind] += edges[i].change;
    }
    give(s, at_ns, s->end_ns);
    end_gap(s);
}

static int add_edges(const trace_kernel *k, edge *out)
{
    const int64_t moves_ns = k->moves_ns > 0 ? k->moves_ns : k->start_ns;

    out[0] = (edge){k->start_ns, k->kind, 1};
    out[1] = (edge){k->end_ns, k->kind, -1};
    if (k->kind != P3D_TRACED_SEND_RECV)
        return 2;
    out[2] = (edge){moves_ns, MOVING, 1};
    out[3] = (edge){k->end_ns, MOVING, -1};
    return MOST_EDGES;
}

/* Edges of all kernels, in order. @return NULL when memory runs out */
static edge *list_edges(const trace_events *e, int *n)
{
    const trace_kernel *const kernels = e->kernels.items;
    edge *const edges =
            calloc((size_t)e->kernels.n, MOST_EDGES * sizeof(*edges));

    *n = 0;
    if (edges == NULL)
        return NULL;
    for (int i = 0; i < e->kernels.n; i++)
        *n += add_edges(&kernels[i], edges + *n);
    qsort(edges, (size_t)*n, sizeof(*edges), compare_edges);
    return edges;
}

static const char *const kind_names[P3D_N_TRACED] = {
#define AS_NAME(name, words) words,
        P3D_TRACE_KINDS(AS_NAME)
#undef AS_NAME
};

static void sum_kernels(const trace_events *e, const sweep *s, p3d_trace *out)
{
    const trace_kernel *const kernels = e->kernels.items;
    const trace_op *const ops = e->ops.items;
    const double n = out->n_steps;

    for (int i = 0; i < e->kernels.n; i++) {
        const trace_kernel *const k = &kernels[i];
        const bool shaped = k->kind == P3D_TRACED_GEMM && k->op >= 0 &&
                            ops[k->op].kind == TRACE_PRODUCT;

        out->n_shaped += shaped;
        out->n_unnamed += k->kind == P3D_TRACED_SEND_RECV && k->message < 0;
        if (out->named_steps && k->step < 0)
            continue;
        out->kinds[k->kind].n_kernels++;
        out->kinds[k->kind].busy_s +=
                NS * (double)(k->end_ns - k->start_ns) / n;
    }
    for (int i = 0; i < P3D_N_TRACED; i++) {
        out->kinds[i].name = kind_names[i];
        out->kinds[i].n_kernels /= n;
        out->kinds[i].exposed_s = NS * (double)s->exposed_ns[i] / n;
    }
    out->waiting_s = NS * (double)s->waiting_ns / n;
    out->stalled_s =
            NS *
            (double)trace_stalled_ns(e, (trace_step){s->begin_ns, s->end_ns}) /
            n;
    out->idle_s = NS * (double)s->idle_ns / n;
    out->n_gaps = s->n_gaps / n;
    out->longest_gap_s = NS * (double)s->longest_ns;
}

static void sum_steps(const trace_events *e, sweep *s, p3d_trace *out)
{
    const trace_step *const steps = e->steps.items;
    const int n = e->steps.n;

    s->begin_ns = steps[0].start_ns;
    s->end_ns = steps[n - 1].end_ns;
    out->n_steps = n;
    out->step_s = NS * (double)(s->end_ns - s->begin_ns) / n;
    out->shortest_s = out->longest_s =
            NS * (double)(steps[0].end_ns - steps[0].start_ns);
    for (int i = 1; i < n; i++) {
        const double length_s =
                NS * (double)(steps[i].end_ns - steps[i].start_ns);

        if (length_s < out->shortest_s)
            out->shortest_s = length_s;
        if (length_s > out->longest_s)
            out->longest_s = length_s;
    }
}

bool trace_sum_up(trace_events *events, p3d_trace *out, p3d_error *err)
{
    sweep s = {.begin_ns = 0};
    int n_edges;
    edge *edges;

    if (events->kernels.n == 0)
        return p3d_fail(err, P3D_DATA,
                "no kernel of a GPU is in the trace; profile with "
                "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]");
    sort(&events->kernels, sizeof(trace_kernel), compare_kernels);
    sort(&events->launches, sizeof(trace_launch), compare_launches);
    sort(&events->ops, sizeof(trace_op), compare_ops);
    if (!find_steps(events, out, err) || !trace_split_transfers(events, err))
        return false;
    sum_steps(events, &s, out);
    edges = list_edges(events, &n_edges);
    if (edges == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    run_sweep(&s, edges, n_edges);
    free(edges);
    sum_kernels(events, &s, out);
    out->n_kernels = events->kernels.n;
    out->n_elsewhere = events->n_elsewhere;
    out->rank = events->rank;
    out->n_ranks = events->n_ranks;
    return true;
}
