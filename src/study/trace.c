/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - where a traced step differs from the estimate, and why. */
#include "plan3d/trace.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/util.h"
#include "spec/given.h"
#include "spec/hardware.h"

/* A difference that is a smaller share of the step is none to look for. */
static const double LEAST_DIFFERENCE_FRAC = 0.01;

/* Kernels that are counted to be so many times as many as planned are more, not
 * others: fusion and split sums change their number by less. */
static const double MOST_COUNT_RATIO = 1.25;

/* Steps of a trace that differ by more are not all like the one compared. */
static const double MOST_SPREAD = 1.2;

static void note(p3d_notes *notes, const char *fmt, ...) P3D_PRINTF(2, 3);

static void note(p3d_notes *notes, const char *fmt, ...)
{
    va_list args;

    if (notes->n == P3D_MAX_NOTES)
        return;
    va_start(args, fmt);
    vsnprintf(notes->at[notes->n++], P3D_NOTE_TEXT, fmt, args);
    va_end(args);
}

static void blame(p3d_trace_term *t, const char *fmt, ...) P3D_PRINTF(2, 3);

static void blame(p3d_trace_term *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(t->cause, sizeof(t->cause), fmt, args);
    va_end(args);
}

/* Kernels of a step, by the plan. Experts without a grouped kernel run one
 * after the other. */
static double planned_products(const p3d_request *request)
{
    const p3d_request_gemm *const rows = request->gemm.items;
    double n = 0;

    for (int i = 0; i < request->gemm.n; i++)
        n += (double)rows[i].times *
             (rows[i].how == P3D_GEMM_LOOP ? (double)rows[i].count : 1);
    return n;
}

static double planned_cores(const p3d_request *request)
{
    const p3d_request_attention *const rows = request->attention.items;
    double n = 0;

    for (int i = 0; i < request->attention.n; i++)
        n += (double)(rows[i].times * rows[i].count);
    return n;
}

static double planned_passes(const p3d_request *request)
{
    const p3d_request_pass *const rows = request->pass.items;
    double n = 0;

    for (int i = 0; i < request->pass.n; i++)
        n += (double)(rows[i].times * rows[i].n_kernels);
    return n;
}

/* Sums of the trace that a line has. */
static void add_kinds(
        const p3d_trace *trace, int first, int last, p3d_trace_term *t)
{
    for (int i = first; i <= last; i++) {
        t->measured_s += trace->kinds[i].exposed_s;
        t->n_measured += trace->kinds[i].n_kernels;
    }
}

/* What runs again is of the kinds of what ran before: of the predicted seconds
 * a part that is told by itself. */
static void predict_again(const p3d_trace_options *o, p3d_trace_term *t)
{
    p3d_recomputed r;

    p3d_estimate_recomputed(o->problem, &o->estimate->plan, &r);
    t[P3D_TRACE_TERM_GEMM].recomputed_s = r.time.gemm_s;
    t[P3D_TRACE_TERM_ATTENTION].recomputed_s = r.time.attention_s;
    t[P3D_TRACE_TERM_PASS].recomputed_s = r.time.memory_pass_s;
    t[P3D_TRACE_TERM_COMMUNICATION].recomputed_s =
            r.time.tp_comm_s + r.time.cp_comm_s + r.time.ep_comm_s;
    t[P3D_TRACE_TERM_IDLE].recomputed_s = r.time.host_s;
    t[P3D_TRACE_TERM_GEMM].n_planned += r.n_gemms;
    t[P3D_TRACE_TERM_ATTENTION].n_planned += r.n_cores;
    t[P3D_TRACE_TERM_PASS].n_planned += r.n_passes;
    for (int i = 0; i < P3D_N_TRACE_TERMS; i++)
        t[i].predicted_s += t[i].recomputed_s;
}

static void predict(const p3d_trace_options *o, p3d_trace_term *t)
{
    const p3d_time *const s = &o->estimate->time;

    t[P3D_TRACE_TERM_GEMM].predicted_s = s->gemm_s;
    t[P3D_TRACE_TERM_ATTENTION].predicted_s = s->attention_s;
    t[P3D_TRACE_TERM_PASS].predicted_s = s->memory_pass_s;
    t[P3D_TRACE_TERM_OPTIMIZER].predicted_s = s->optimizer_s;
    t[P3D_TRACE_TERM_COMMUNICATION].predicted_s = s->tp_comm_s + s->cp_comm_s +
                                                  s->ep_comm_s + s->dp_comm_s +
                                                  s->straggler_s;
    t[P3D_TRACE_TERM_BUBBLE].predicted_s = s->pp_bubble_s;
    t[P3D_TRACE_TERM_TRANSFER].predicted_s = s->pp_comm_s;
    t[P3D_TRACE_TERM_COPY].predicted_s = s->offload_s;
    t[P3D_TRACE_TERM_IDLE].predicted_s = s->host_s + s->fixed_s;
    t[P3D_TRACE_TERM_GEMM].n_planned = planned_products(o->request);
    t[P3D_TRACE_TERM_ATTENTION].n_planned = planned_cores(o->request);
    t[P3D_TRACE_TERM_PASS].n_planned = planned_passes(o->request);
    predict_again(o, t);
}

/* Without stages what ranks send each other is one of the other axes. With
 * them, who waits in a transfer waits for another stage, and so does a GPU that
 * has been told what to do next. */
static void measure(const p3d_trace_options *o, p3d_trace_term *t)
{
    const p3d_trace *const trace = o->trace;
    const bool stages = o->estimate->plan.pp > 1;
    const int transfers =
            stages ? P3D_TRACE_TERM_TRANSFER : P3D_TRACE_TERM_COMMUNICATION;

    add_kinds(trace, P3D_TRACED_GEMM, P3D_TRACED_GEMM, &t[P3D_TRACE_TERM_GEMM]);
    add_kinds(trace, P3D_TRACED_ATTENTION, P3D_TRACED_ATTENTION,
            &t[P3D_TRACE_TERM_ATTENTION]);
    add_kinds(trace, P3D_TRACED_PASS, P3D_TRACED_PASS, &t[P3D_TRACE_TERM_PASS]);
    add_kinds(trace, P3D_TRACED_OPTIMIZER, P3D_TRACED_OPTIMIZER,
            &t[P3D_TRACE_TERM_OPTIMIZER]);
    add_kinds(trace, P3D_TRACED_ALL_REDUCE, P3D_TRACED_BROADCAST,
            &t[P3D_TRACE_TERM_COMMUNICATION]);
    add_kinds(trace, P3D_TRACED_SEND_RECV, P3D_TRACED_SEND_RECV, &t[transfers]);
    add_kinds(trace, P3D_TRACED_COPY, P3D_TRACED_COPY, &t[P3D_TRACE_TERM_COPY]);
    t[P3D_TRACE_TERM_IDLE].measured_s = trace->idle_s;
    if (!stages)
        return;
    t[P3D_TRACE_TERM_BUBBLE].measured_s = trace->waiting_s + trace->stalled_s;
    t[P3D_TRACE_TERM_BUBBLE].n_measured = t[transfers].n_measured;
    t[transfers].measured_s -= trace->waiting_s;
    t[P3D_TRACE_TERM_IDLE].measured_s -= trace->stalled_s;
}

/* Communication that other kernels hide. */
static double hidden_s(const p3d_trace *trace)
{
    double sum_s = 0;

    for (int i = P3D_TRACED_ALL_REDUCE; i <= P3D_TRACED_SEND_RECV; i++)
        sum_s += fmax(0, trace->kinds[i].busy_s - trace->kinds[i].exposed_s);
    return sum_s;
}

/* Products, attention, passes: more kernels, or each takes longer. */
static void blame_kernels(const p3d_trace_options *o, p3d_trace_term *t)
{
    const bool more = t->n_measured > MOST_COUNT_RATIO * t->n_planned;
    const bool fewer = t->n_planned > MOST_COUNT_RATIO * t->n_measured;

    (void)o;
    if (t->n_measured <= 0)
        blame(t, "no kernel of this kind is in the trace: its name may be new, "
                 "and it then stands among the memory-bound kernels");
    else if (t->predicted_s <= 0)
        blame(t,
                "%.0f kernels a step that the plan has not: is the model "
                "another?",
                t->n_measured);
    else if (more == (t->difference_s > 0) && (more || fewer))
        blame(t,
                "%.0f kernels a step, %.0f planned: are model, batch, "
                "recomputation and fusion those of the run?",
                t->n_measured, t->n_planned);
    else
        blame(t,
                "the kernels take %.2f times as long as planned: plan3d "
                "calibrate fits constants to the trace",
                t->measured_s / t->predicted_s);
}

static void blame_optimizer(const p3d_trace_options *o, p3d_trace_term *t)
{
    (void)o;
    if (t->n_measured <= 0)
        blame(t, "no kernel is named after the optimizer: it stands among the "
                 "memory-bound kernels");
    else
        blame(t,
                "the update of the weights is %.0f kernels: is it fused, and "
                "are the states sharded as planned?",
                t->n_measured);
}

static void blame_communication(const p3d_trace_options *o, p3d_trace_term *t)
{
    if (t->n_measured <= 0)
        blame(t, "no collective is in the trace: is it of one GPU, or of "
                 "kernels with names of their own?");
    else if (t->difference_s > 0)
        blame(t,
                "%.3g s of communication a step, of which %.3g s is hidden; "
                "its kernels also wait for slower ranks",
                t->measured_s + hidden_s(o->trace), hidden_s(o->trace));
    else
        blame(t,
                "%.3g s of communication a step is hidden; less is exposed "
                "than planned: links are faster, or messages smaller",
                hidden_s(o->trace));
}

static void blame_bubble(const p3d_trace_options *o, p3d_trace_term *t)
{
    if (t->difference_s > 0)
        blame(t,
                "%.3g s of waiting in %.0f transfers a step, %.3g s with a "
                "kernel launched and none running: are the stages of equal "
                "time, and is this the slowest one?",
                o->trace->waiting_s, t->n_measured, o->trace->stalled_s);
    else
        blame(t, "waiting for other stages may stand as idle time, or this "
                 "stage is the slowest one");
}

static void blame_transfer(const p3d_trace_options *o, p3d_trace_term *t)
{
    (void)o;
    blame(t,
            "%.0f transfers a step: are they of the planned bytes, and "
            "between the planned nodes?",
            t->n_measured);
}

static void blame_copies(const p3d_trace_options *o, p3d_trace_term *t)
{
    if (o->estimate->time.offload_s <= 0)
        blame(t,
                "%.0f copies a step that the plan has not: data without "
                "pinned memory, or values that the host asks for",
                t->n_measured);
    else
        blame(t,
                "%.0f copies a step: are host memory and PCIe as fast as the "
                "cluster says?",
                t->n_measured);
}

static void blame_idle(const p3d_trace_options *o, p3d_trace_term *t)
{
    if (t->difference_s > 0)
        blame(t,
                "%.0f gaps a step, the longest %.3g s: the host launches too "
                "slowly or waits (data, synchronisation, the profiler itself)",
                o->trace->n_gaps, o->trace->longest_gap_s);
    else
        blame(t, "the host launches ahead of the GPU");
}

static const char *const names[P3D_N_TRACE_TERMS] = {
#define AS_NAME(name, words) words,
        P3D_TRACE_TERMS(AS_NAME)
#undef AS_NAME
};

static void (*const causes[P3D_N_TRACE_TERMS])(
        const p3d_trace_options *o, p3d_trace_term *t) = {
        [P3D_TRACE_TERM_GEMM] = blame_kernels,
        [P3D_TRACE_TERM_ATTENTION] = blame_kernels,
        [P3D_TRACE_TERM_PASS] = blame_kernels,
        [P3D_TRACE_TERM_OPTIMIZER] = blame_optimizer,
        [P3D_TRACE_TERM_COMMUNICATION] = blame_communication,
        [P3D_TRACE_TERM_BUBBLE] = blame_bubble,
        [P3D_TRACE_TERM_TRANSFER] = blame_transfer,
        [P3D_TRACE_TERM_COPY] = blame_copies,
        [P3D_TRACE_TERM_IDLE] = blame_idle,
};

static void compare_terms(const p3d_trace_options *o, p3d_traced_step *out)
{
    predict(o, out->terms);
    measure(o, out->terms);
    for (int i = 0; i < P3D_N_TRACE_TERMS; i++) {
        p3d_trace_term *const t = &out->terms[i];

        t->name = names[i];
        t->difference_s = t->measured_s - t->predicted_s;
        if (fabs(t->difference_s) > LEAST_DIFFERENCE_FRAC * out->predicted_s)
            causes[i](o, t);
    }
}

/* Rings are sends and receives, as those between stages are; an all-to-all may
 * be named. */
static bool mixes_transfers(const p3d_trace_options *o)
{
    const p3d_plan *const plan = &o->estimate->plan;
    const p3d_trace_kind *const sent = &o->trace->kinds[P3D_TRACED_SEND_RECV];

    return plan->pp > 1 && sent->n_kernels > 0 &&
           (plan->cp > 1 || (plan->ep > 1 && o->trace->n_unnamed > 0));
}

static void note_limits(const p3d_trace_options *o, p3d_traced_step *out)
{
    const p3d_trace *const trace = o->trace;
    p3d_notes *const notes = &out->notes;

    if (!trace->named_steps && o->n_steps == 0)
        note(notes, "the trace names no steps and counts as one: --trace-steps "
                    "says how many there are");
    if (trace->longest_s > MOST_SPREAD * trace->shortest_s)
        note(notes,
                "steps take %.3g to %.3g s, and their mean is compared; "
                "trace steps after the warm-up",
                trace->shortest_s, trace->longest_s);
    if (trace->n_ranks > 0 && trace->n_ranks != o->problem->cluster.n_gpus)
        note(notes, "the trace is of a job of %d ranks, the plan of %d GPUs",
                trace->n_ranks, o->problem->cluster.n_gpus);
    if (trace->n_shaped == 0)
        note(notes, "no GEMM has its shape in the trace; PyTorch's profiler "
                    "records shapes with record_shapes=True, for rows that "
                    "calibrate fits");
    if (trace->n_elsewhere > 0)
        note(notes, "%lld kernels of other GPUs are left out",
                (long long)trace->n_elsewhere);
    if (trace->n_graphs > 0)
        note(notes,
                "CUDA graphs that are recorded as a whole, and stand as idle "
                "time: %lld; record with --cuda-graph-trace=node",
                (long long)trace->n_graphs);
    if (mixes_transfers(o))
        note(notes, "all-to-all, rings of context parallelism and transfers "
                    "between stages are the same kernels: those that the trace "
                    "does not tell apart stand in the lines of the pipeline");
    if (trace->measured.machine.name[0] == '\0')
        note(notes, "the trace does not name its GPU");
}

static bool check_device(const p3d_trace_options *o, p3d_error *err)
{
    const p3d_machine *const m = &o->trace->measured.machine;
    const p3d_gpu *const gpu = &o->problem->cluster.gpu;
    bool same = m->name[0] == '\0';

    if (!same && !p3d_gpu_may_be(gpu, m, &same, err))
        return false;
    return same || p3d_fail(err, P3D_DATA,
                           "measured on '%.90s', but the cluster has %s; "
                           "validate a plan of the cluster that was measured",
                           m->name, gpu->name);
}

/* A trace without names of steps is of so many, which are taken as equal. */
static p3d_trace split(const p3d_trace *trace, int n_steps)
{
    p3d_trace t = *trace;
    const double n = n_steps > 0 ? n_steps : 1;

    t.n_steps = n_steps > 0 ? n_steps : t.n_steps;
    t.step_s /= n;
    t.shortest_s /= n;
    t.longest_s /= n;
    t.waiting_s /= n;
    t.idle_s /= n;
    t.stalled_s /= n;
    t.n_gaps /= n;
    for (int i = 0; i < P3D_N_TRACED; i++) {
        t.kinds[i].n_kernels /= n;
        t.kinds[i].busy_s /= n;
        t.kinds[i].exposed_s /= n;
    }
    return t;
}

static void compare_steps(
        const p3d_trace_options *options, p3d_traced_step *out)
{
    const p3d_trace *const trace = options->trace;

    *out = (p3d_traced_step){.n_steps = trace->n_steps,
            .predicted_s = p3d_time_step_s(&options->estimate->time),
            .measured_s = trace->step_s,
            .shortest_s = trace->shortest_s,
            .longest_s = trace->longest_s,
            .hidden_s = hidden_s(trace)};
    out->change_frac = out->measured_s / out->predicted_s - 1;
    out->holds = fabs(out->change_frac) <= options->tolerance_frac;
    compare_terms(options, out);
    note_limits(options, out);
}

bool p3d_trace_compare(
        const p3d_trace_options *options, p3d_traced_step *out, p3d_error *err)
{
    p3d_trace_options split_options;
    p3d_trace trace;

    if (options == NULL || out == NULL || options->request == NULL ||
            options->trace == NULL || options->trace->n_steps < 1 ||
            options->n_steps < 0 || !spec_problem_given(options->problem) ||
            !spec_estimate_given(options->estimate))
        return p3d_misuse(err, __func__);
    if (!check_device(options, err))
        return false;
    if (options->n_steps > 0 && options->trace->named_steps)
        return p3d_fail(err, P3D_DATA,
                "the trace names its %d steps; leave out --trace-steps",
                options->trace->n_steps);
    trace = split(options->trace, options->n_steps);
    split_options = *options;
    split_options.trace = &trace;
    compare_steps(&split_options, out);
    return true;
}
