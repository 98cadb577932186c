/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - what a profiler saw on a GPU while it trained, and where that
 * differs from the estimate.
 *
 * docs/traces.md says which files are read and how each number is found. */
#ifndef PLAN3D_TRACE_H
#define PLAN3D_TRACE_H

#include "plan3d/api.h"
#include "plan3d/error.h"
#include "plan3d/estimate.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"
#include "plan3d/validate.h"

P3D_API_BEGIN

/* clang-format off */
/** Kinds of what a GPU does, first those that hide the later ones: name,
 *  words. */
#define P3D_TRACE_KINDS(X) \
    X(GEMM,           "GEMMs") \
    X(ATTENTION,      "attention core") \
    X(OPTIMIZER,      "optimizer step") \
    X(PASS,           "memory-bound kernels") \
    X(ALL_REDUCE,     "all-reduce") \
    X(ALL_GATHER,     "all-gather") \
    X(REDUCE_SCATTER, "reduce-scatter") \
    X(ALL_TO_ALL,     "all-to-all") \
    X(BROADCAST,      "broadcast") \
    X(SEND_RECV,      "transfers between ranks") \
    X(COPY,           "copies to and from the host")
/* clang-format on */

typedef enum p3d_traced {
#define P3D_AS_TRACED(name, words) P3D_TRACED_##name,
    P3D_TRACE_KINDS(P3D_AS_TRACED)
#undef P3D_AS_TRACED
            P3D_N_TRACED
} p3d_traced;

/** A kind in a step: means over the steps of the trace. */
typedef struct p3d_trace_kind {
    const char *name;
    double n_kernels;
    double busy_s;    /* sum of their times */
    double exposed_s; /* while nothing of an earlier kind ran */
} p3d_trace_kind;

/** A trace of one GPU. The exposed times and the idle time of a step add up to
 *  the step. */
typedef struct p3d_trace {
    p3d_measurements measured; /* the device; products with their shapes, and
                                  collectives, as rows */
    int n_steps;               /* 1 also where the trace names none */
    bool named_steps;          /* by ProfilerStep# */
    double step_s;             /* mean */
    double shortest_s, longest_s;
    p3d_trace_kind kinds[P3D_N_TRACED];
    double waiting_s;     /* of the exposed transfers between ranks: beyond what
                             the fastest of their size take */
    double idle_s;        /* of a step: nothing runs on the GPU */
    double stalled_s;     /* of that: with the next kernel launched before, so
                             it is not the host that was waited for */
    double n_gaps;        /* of a step */
    double longest_gap_s; /* of the trace */
    int64_t n_kernels;    /* of the trace, copies among them */
    int64_t n_shaped;     /* products whose shape is recorded */
    int64_t n_elsewhere;  /* kernels of other GPUs, left out */
    int64_t n_graphs;     /* CUDA graphs without their kernels */
    int64_t n_unnamed;    /* transfers between ranks of which it is not recorded
                             what they are for */
    int rank;             /* -1 = not said */
    int n_ranks;          /* 0 = not said */
} p3d_trace;

/**
 * Read a trace of the PyTorch profiler (Kineto, in Chrome's format), packed by
 * gzip or not ("-" is standard input), or an export of Nsight Systems to
 * SQLite. The file may be as long as it is; what is kept is some hundred bytes
 * a kernel.
 *
 * @param out  release with p3d_trace_free(); untouched on failure
 * @return false with P3D_DATA (no trace, none of a GPU, cut short) or
 *         P3D_SYSTEM
 */
P3D_CHECK bool p3d_trace_open(const char *path, p3d_trace *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_trace_free(p3d_trace *trace);

/* clang-format off */
/** Lines of a comparison: name, words. */
#define P3D_TRACE_TERMS(X) \
    X(GEMM,          "GEMMs") \
    X(ATTENTION,     "attention core") \
    X(PASS,          "memory-bound kernels") \
    X(OPTIMIZER,     "optimizer step") \
    X(COMMUNICATION, "exposed communication") \
    X(BUBBLE,        "pipeline bubble") \
    X(TRANSFER,      "transfers between stages") \
    X(COPY,          "copies to and from the host") \
    X(IDLE,          "nothing runs on the GPU")
/* clang-format on */

typedef enum p3d_trace_term_kind {
#define P3D_AS_TERM(name, words) P3D_TRACE_TERM_##name,
    P3D_TRACE_TERMS(P3D_AS_TERM)
#undef P3D_AS_TERM
            P3D_N_TRACE_TERMS
} p3d_trace_term_kind;

/** A part of a step, as predicted and as traced. */
typedef struct p3d_trace_term {
    const char *name;
    double predicted_s;
    double recomputed_s; /* of predicted_s */
    double measured_s;
    double difference_s; /* measured less predicted */
    double n_planned;    /* kernels of a step, as planned; 0 = not known */
    double n_measured;   /* kernels of a step */
    char cause[P3D_NOTE_TEXT]; /* why they differ; "" = they do not */
} p3d_trace_term;

/** A step against the estimate. */
typedef struct p3d_traced_step {
    bool holds; /* they differ by less than the tolerance */
    int n_steps;
    double predicted_s;
    double measured_s; /* mean of the steps */
    double shortest_s, longest_s;
    double change_frac; /* measured over predicted, less 1 */
    double hidden_s;    /* communication beside other kernels */
    p3d_trace_term terms[P3D_N_TRACE_TERMS]; /* each column adds up to the
                                                  step */
    p3d_notes notes;                         /* what the trace does not say */
} p3d_traced_step;

/** What is compared. */
typedef struct p3d_trace_options {
    const p3d_problem *problem;
    const p3d_estimate *estimate;
    const p3d_request *request; /* the operations of the estimate's plan */
    const p3d_trace *trace;     /* of a GPU like the cluster's */
    double tolerance_frac;      /* what the step may be off: above 0, up to 1 */
    int n_steps;                /* of a trace that names none; 0 = not said */
} p3d_trace_options;

/**
 * Compare the steps of a trace with the estimate, term by term.
 *
 * @return false with P3D_DATA: the trace is of another device, or names its
 *         steps where n_steps says how many there are
 */
P3D_CHECK bool p3d_trace_compare(
        const p3d_trace_options *options, p3d_traced_step *out, p3d_error *err);

P3D_API_END

#endif
