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

/** A collective as one rank ran it. */
typedef struct p3d_trace_call {
    int kind;        /* p3d_traced: all-reduce to broadcast */
    int step;        /* place among those of the trace */
    uint64_t group;  /* the same on all ranks of its group; 0 = not recorded */
    int64_t bytes;   /* of the larger buffer; 0 = not recorded */
    int64_t n_ranks; /* of the group; 0 = not recorded */
    int64_t n_nodes; /* 0 = not known */
    double length_s; /* with the wait for slower ranks */
} p3d_trace_call;

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
    p3d_rows calls;       /* of p3d_trace_call, as they began */
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

/** What a rank does in a step, over the ranks that were traced. */
typedef struct p3d_ranks_kind {
    const char *name;
    double mean_s;
    double fastest_s, slowest_s; /* ranks, by the time that they take */
    int fastest_rank, slowest_rank;
} p3d_ranks_kind;

/** Collectives of a kind in a step, of those that several traced ranks ran
 *  together: on the mean rank. The last of them waits for nobody: what it takes
 *  is the transfer; what the others take longer is waiting for it. */
typedef struct p3d_ranks_collective {
    const char *name;
    double n_calls;
    double mean_s; /* transfer_s + waiting_s */
    double transfer_s;
    double waiting_s;
    int last_rank;    /* for which the others wait longest; -1 = they do not */
    double last_frac; /* of all waiting, that for it */
} p3d_ranks_collective;

/** A stage of the pipeline: its mean rank in a step. */
typedef struct p3d_ranks_stage {
    int stage;
    int n_ranks;        /* that were traced */
    double computing_s; /* all but collectives, transfers and copies */
    double bubble_s;    /* as in the comparison with the estimate */
} p3d_ranks_stage;

enum { P3D_N_RANKS_KINDS = P3D_N_TRACED + 2, P3D_N_RANKS_COLLECTIVES = 5 };

/** Several ranks of one run. */
typedef struct p3d_traced_ranks {
    int n_traces;
    int slowest;       /* place of the trace that computes longest: the one to
                          compare with the estimate */
    int compared_rank; /* its rank */
    int n_kinds;
    p3d_ranks_kind kinds[P3D_N_RANKS_KINDS]; /* those that there are */
    int n_collectives;
    p3d_ranks_collective collectives[P3D_N_RANKS_COLLECTIVES];
    p3d_rows stages; /* of p3d_ranks_stage; empty without a pipeline */
    p3d_notes notes;
} p3d_traced_ranks;

/** Traces of one run, each of another rank. */
typedef struct p3d_ranks_options {
    const p3d_plan *plan;    /* that they ran */
    const p3d_trace *traces; /* their ranks as they say; those that do not are
                                of the rank that is their place */
    int n_traces;
    int n_steps; /* of traces that name none; 0 = not said */
} p3d_ranks_options;

/**
 * Compare ranks: which is slow in what, and how much of each collective is
 * waiting. Calls of a collective are matched by step, kind, group, bytes and
 * their order.
 *
 * @param out  release with p3d_traced_ranks_free(); untouched on failure
 * @return false with P3D_DATA (two are of one rank, or of runs of different
 *         sizes) or P3D_SYSTEM
 */
P3D_CHECK bool p3d_traces_compare(const p3d_ranks_options *options,
        p3d_traced_ranks *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_traced_ranks_free(p3d_traced_ranks *ranks);

P3D_API_END

#endif
