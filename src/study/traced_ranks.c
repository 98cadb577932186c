/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traced_ranks.c - several traced ranks of a run: which is slow in what, how
 * much of each collective is waiting for another rank, and the bubble of each
 * stage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/util.h"
#include "cost/cost.h"
#include "exchange/trace/ranks.h"
#include "plan3d/trace.h"
#include "spec/given.h"

/* What the parts of an answer share. */
typedef struct work {
    const p3d_ranks_options *o;
    const exchange_met *met;
    int n_met;
    p3d_traced_ranks out;
} work;

/* A trace without names of steps is of so many. */
static double per_step(const p3d_ranks_options *o, int place)
{
    return o->n_steps > 0 && !o->traces[place].named_steps ? 1.0 / o->n_steps
                                                           : 1;
}

static double computing_s(const p3d_trace *trace)
{
    double sum_s = 0;

    for (int i = P3D_TRACED_GEMM; i <= P3D_TRACED_PASS; i++)
        sum_s += trace->kinds[i].busy_s;
    return sum_s;
}

/* Beside the kinds of kernels: what stands in the last lines. */
enum { IDLE = P3D_N_TRACED, STEP };

static const char *const names[P3D_N_RANKS_KINDS] = {
#define AS_NAME(name, words) words,
        P3D_TRACE_KINDS(AS_NAME)
#undef AS_NAME
                [IDLE] = "nothing runs on the GPU",
        [STEP] = "step",
};

static double seconds_of(const p3d_trace *trace, int kind)
{
    if (kind == IDLE)
        return trace->idle_s;
    return kind == STEP ? trace->step_s : trace->kinds[kind].busy_s;
}

static void add_kind(work *w, int kind)
{
    const p3d_ranks_options *const o = w->o;
    p3d_ranks_kind k = {.name = names[kind], .fastest_s = HUGE_VAL};

    for (int i = 0; i < o->n_traces; i++) {
        const double s = seconds_of(&o->traces[i], kind) * per_step(o, i);

        k.mean_s += s / o->n_traces;
        if (s < k.fastest_s) {
            k.fastest_s = s;
            k.fastest_rank = exchange_rank_of(o->traces, i);
        }
        if (s > k.slowest_s) {
            k.slowest_s = s;
            k.slowest_rank = exchange_rank_of(o->traces, i);
        }
    }
    if (k.slowest_s > 0)
        w->out.kinds[w->out.n_kinds++] = k;
}

static void find_slowest(work *w)
{
    const p3d_ranks_options *const o = w->o;

    for (int i = 1; i < o->n_traces; i++)
        if (computing_s(&o->traces[i]) * per_step(o, i) >
                computing_s(&o->traces[w->out.slowest]) *
                        per_step(o, w->out.slowest))
            w->out.slowest = i;
    w->out.compared_rank = exchange_rank_of(o->traces, w->out.slowest);
}

/* Seconds of a collective on the mean rank. */
static double share(const work *w, double sum_s, int place)
{
    const p3d_ranks_options *const o = w->o;

    return sum_s * per_step(o, place) / o->traces[place].n_steps / o->n_traces;
}

/* All others wait for the last one. */
static bool add_collective(work *w, int kind, p3d_error *err)
{
    p3d_ranks_collective c = {.name = names[kind], .last_rank = -1};
    double *const blame = calloc((size_t)w->o->n_traces, sizeof(*blame));
    int last = 0;

    if (blame == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < w->n_met; i++) {
        const exchange_met *const m = &w->met[i];
        const double transfer_s = m->n_members * m->call.length_s;

        if (m->call.kind != kind)
            continue;
        c.n_calls += share(w, m->n_members, m->last);
        c.mean_s += share(w, m->sum_s, m->last);
        c.transfer_s += share(w, transfer_s, m->last);
        blame[m->last] += share(w, m->sum_s - transfer_s, m->last);
    }
    c.waiting_s = c.mean_s - c.transfer_s;
    for (int i = 1; i < w->o->n_traces; i++)
        last = blame[i] > blame[last] ? i : last;
    if (c.waiting_s > 0) {
        c.last_rank = exchange_rank_of(w->o->traces, last);
        c.last_frac = blame[last] / c.waiting_s;
    }
    if (c.n_calls > 0)
        w->out.collectives[w->out.n_collectives++] = c;
    free(blame);
    return true;
}

/* Ranks are numbered as the plan's groups are placed. */
static int stage_of(const p3d_plan *plan, int rank)
{
    const cost_axis pipeline = cost_axis_of(plan, P3D_AXIS_PP);

    return rank / pipeline.stride % plan->pp;
}

static bool add_stage(work *w, int stage, p3d_error *err)
{
    const p3d_ranks_options *const o = w->o;
    p3d_ranks_stage s = {.stage = stage};

    for (int i = 0; i < o->n_traces; i++) {
        const p3d_trace *const t = &o->traces[i];

        if (stage_of(o->plan, exchange_rank_of(o->traces, i)) != stage)
            continue;
        s.n_ranks++;
        s.computing_s += computing_s(t) * per_step(o, i);
        s.bubble_s += (t->waiting_s + t->stalled_s) * per_step(o, i);
    }
    if (s.n_ranks == 0)
        return true;
    s.computing_s /= s.n_ranks;
    s.bubble_s /= s.n_ranks;
    return p3d_rows_add(&w->out.stages, sizeof(s), &s, err);
}

static bool check_ranks(const p3d_ranks_options *o, p3d_error *err)
{
    for (int i = 0; i < o->n_traces; i++) {
        for (int j = 0; j < i; j++) {
            if (exchange_rank_of(o->traces, i) ==
                    exchange_rank_of(o->traces, j))
                return p3d_fail(err, P3D_DATA,
                        "two traces are of rank %d; give one of each rank",
                        exchange_rank_of(o->traces, i));
            if (o->traces[i].n_ranks != o->traces[j].n_ranks)
                return p3d_fail(err, P3D_DATA,
                        "traces are of jobs of %d and of %d ranks; give those "
                        "of one run",
                        o->traces[j].n_ranks, o->traces[i].n_ranks);
        }
    }
    return true;
}

/* Collectives that were run beside other ranks than those traced. */
static void note_unmatched(work *w)
{
    const p3d_ranks_options *const o = w->o;
    int n_calls = 0, n_members = 0;

    for (int i = 0; i < o->n_traces; i++)
        n_calls += o->traces[i].calls.n;
    for (int i = 0; i < w->n_met; i++)
        n_members += w->met[i].n_members;
    if (n_members < n_calls)
        snprintf(w->out.notes.at[w->out.notes.n++], P3D_NOTE_TEXT,
                "of %d collectives %d are on one of the traced ranks alone, or "
                "not equally often on each: their waiting is not known",
                n_calls, n_calls - n_members);
}

static void note_places(work *w)
{
    for (int i = 0; i < w->o->n_traces; i++)
        if (w->o->traces[i].rank < 0) {
            snprintf(w->out.notes.at[w->out.notes.n++], P3D_NOTE_TEXT,
                    "not all traces say their rank, which is then their place "
                    "in --trace");
            return;
        }
}

static bool fill(work *w, p3d_error *err)
{
    const p3d_plan *const plan = w->o->plan;

    w->out.n_traces = w->o->n_traces;
    find_slowest(w);
    for (int i = 0; i < P3D_N_RANKS_KINDS; i++)
        add_kind(w, i);
    for (int i = P3D_TRACED_ALL_REDUCE; i < P3D_TRACED_SEND_RECV; i++)
        if (!add_collective(w, i, err))
            return false;
    for (int i = 0; i < plan->pp && plan->pp > 1; i++)
        if (!add_stage(w, i, err))
            return false;
    note_places(w);
    note_unmatched(w);
    return true;
}

static bool is_given(const p3d_ranks_options *o)
{
    bool ok = o != NULL && o->plan != NULL && o->plan->pp >= 1 &&
              o->traces != NULL && o->n_traces >= 1 && o->n_steps >= 0;

    for (int i = 0; ok && i < o->n_traces; i++)
        ok = o->traces[i].n_steps >= 1;
    return ok;
}

bool p3d_traces_compare(
        const p3d_ranks_options *options, p3d_traced_ranks *out, p3d_error *err)
{
    work w = {.o = options};
    p3d_rows met = {0};
    bool ok;

    if (!is_given(options) || out == NULL)
        return p3d_misuse(err, __func__);
    ok = check_ranks(options, err) &&
         exchange_meet(options->traces, options->n_traces, &met, err);
    w.met = met.items;
    w.n_met = met.n;
    ok = ok && fill(&w, err);
    free(met.items);
    if (ok)
        *out = w.out;
    else
        p3d_traced_ranks_free(&w.out);
    return ok;
}

void p3d_traced_ranks_free(p3d_traced_ranks *ranks)
{
    if (ranks == NULL)
        return;
    free(ranks->stages.items);
    ranks->stages = (p3d_rows){0};
}
