/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.h - measured operations of a plan against the predicted ones, and
 * whether the plan holds. */
#ifndef PLAN3D_VALIDATE_H
#define PLAN3D_VALIDATE_H

#include "plan3d/calibrate.h"
#include "plan3d/estimate.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"
#include "plan3d/search.h"

P3D_API_BEGIN

/* clang-format off */
/** Kinds of operations that are compared: name, words. */
#define P3D_COMPARED_KINDS(X) \
    X(GEMM,           "GEMMs") \
    X(SUSTAINED,      "GEMMs, sustained") \
    X(ATTENTION,      "attention") \
    X(PASS,           "memory-bound kernels") \
    X(COPY,           "copies to and from the host") \
    X(HOST,           "optimizer on the host") \
    X(ALL_REDUCE,     "all-reduce") \
    X(ALL_GATHER,     "all-gather") \
    X(REDUCE_SCATTER, "reduce-scatter") \
    X(ALL_TO_ALL,     "all-to-all") \
    X(SEND_RECV,      "transfers between stages")
/* clang-format on */

typedef enum p3d_compared_kind {
#define P3D_AS_KIND(name, words) P3D_COMPARED_##name,
    P3D_COMPARED_KINDS(P3D_AS_KIND)
#undef P3D_AS_KIND
            P3D_N_COMPARED
} p3d_compared_kind;

/** Ratios are of measured to predicted times: above 1 is slower than
 *  predicted. All are 0 without points. */
typedef struct p3d_comparison {
    const char *name;
    int n_wanted;     /* operations of the plan */
    int n_found;      /* of them, measured */
    int n_points;     /* measurements of these */
    double planned_s; /* of these in a step, as predicted, on the rank that
                            has the most of each */
    double missing_s; /* of those that were not measured */
    double median_ratio;
    double low_ratio;   /* a tenth is below, */
    double high_ratio;  /* a tenth is above */
    double worst_ratio; /* farthest from 1 */
    double worst_measured_s;
    double worst_predicted_s;
    char worst[96]; /* the operation, with its shape */
} p3d_comparison;

/** Whether the plan's tensors at its peak could be had. */
typedef struct p3d_had_memory {
    bool measured;
    bool fits;
    int64_t wanted_bytes;  /* allocated at the peak, as predicted */
    int64_t largest_bytes; /* that could be allocated */
    int64_t context_bytes; /* 0 = not measured */
} p3d_had_memory;

typedef struct p3d_compared {
    p3d_comparison kinds[P3D_N_COMPARED];
    p3d_comparison all; /* but the sustained products, which stand in `kinds`
                           twice */
    p3d_had_memory memory;
    int n_eager;     /* cores that were measured as products and a softmax */
    int n_elsewhere; /* collectives whose groups lay on another number of
                         nodes than the plan's */
} p3d_compared;

/** What is compared. */
typedef struct p3d_compare_options {
    const p3d_problem *problem;
    const p3d_estimate *estimate;
    const p3d_request *request;    /* the operations of the estimate's plan */
    const p3d_measurements *files; /* of one device like the cluster's; of two
                                      measurements of an operation the first
                                      counts */
    int n_files;
} p3d_compare_options;

/**
 * Compare measurements with what the cost forms say of the same operations.
 *
 * Products, attention, passes and collectives are those of the request; copies
 * and passes of the optimizer over host memory are all that were measured, and
 * count for the plan where it offloads. Bursts are compared with bursts,
 * sustained runs with the rate under the power limit.
 *
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_compare(
        const p3d_compare_options *options, p3d_compared *out, p3d_error *err);

/** Share of the planned seconds whose operations were measured. */
double p3d_covered_frac(const p3d_compared *compared);

/** A kind with a smaller share of the planned seconds is not judged: nothing
 *  hangs on it. */
#define P3D_LEAST_JUDGED_FRAC 0.05

/** Whether the median of a kind is off by more than the tolerance, and the kind
 *  has a share of the step that counts. */
bool p3d_is_off(const p3d_compared *compared, int kind, double tolerance_frac);

enum {
    P3D_MAX_BENCHES = 8,      /* commands of plan3d-bench */
    P3D_MAX_BENCH_WORDS = 12, /* of one of them */
    P3D_MAX_NOTES = 24,       /* lines of an answer */
    P3D_NOTE_TEXT = 256       /* bytes of one of them */
};

/** A run of plan3d-bench: what it is asked for, and how much that is. */
typedef struct p3d_bench {
    const char *command; /* "gemm" */
    const char *output;  /* file that it writes, without a directory */
    bool of_plan;        /* measures the request, not a set of its own */
    int n_words;
    char words[P3D_MAX_BENCH_WORDS][16]; /* further arguments */
    int64_t n_measurements;
} p3d_bench;

/** What has to be measured for a plan. */
typedef struct p3d_benches {
    int n;
    p3d_bench at[P3D_MAX_BENCHES];
    int64_t n_measurements;
} p3d_benches;

/** List the runs that validating a plan needs.
 *  @param launched  something else starts a process a GPU */
void p3d_benches_list(const p3d_problem *problem, const p3d_request *request,
        bool launched, p3d_benches *out);

/** Lines of an answer. */
typedef struct p3d_notes {
    int n;
    char at[P3D_MAX_NOTES][P3D_NOTE_TEXT];
} p3d_notes;

/** What a step takes by the constants from before and by those of the
 *  measurements. 0 = no constants could be fitted. */
typedef struct p3d_step_check {
    double predicted_s;
    double calibrated_s;
    double change_frac;
    double best_s;      /* of the fastest plan with the measured constants */
    double regret_frac; /* what the plan takes longer than that */
    bool is_best;
    const char *best_plan; /* in best_words; NULL = not searched */
    char best_words[P3D_PLAN_WORDS];
} p3d_step_check;

/** What is validated, and by what. */
typedef struct p3d_validate_options {
    const p3d_problem *problem;
    const p3d_estimate *estimate; /* of the plan */
    const p3d_measurements *files;
    int n_files;
    double tolerance_frac; /* what may be off, of a time: above 0, up to 1 */
    bool searched;       /* the plan was the fastest: that another one is speaks
                      against it */
    const char *missing; /* measurements that failed, in words; NULL or "" =
                               none */
    const p3d_watch *watch; /* of the search for the fastest plan; or NULL */
} p3d_validate_options;

/** Whether a plan holds on the machine that was measured. */
typedef struct p3d_validated {
    bool holds;          /* there is no reason against it */
    double covered_frac; /* share of the planned seconds that was measured */
    p3d_compared compared;
    p3d_calibrated calibrated; /* constants fitted to the measurements */
    p3d_step_check step;
    p3d_notes reasons; /* why it does not hold */
    p3d_notes notes;   /* what the measurements do not say */
} p3d_validated;

/**
 * Compare the measurements with what was predicted, fit constants to them, and
 * with these estimate the plan and search the fastest one again.
 *
 * @param out  large (allocate it); step.best_plan points into it; untouched on
 *             failure
 * @return false with P3D_DATA (another device was measured, or none of the
 *         plan's operations), P3D_SYSTEM, or P3D_INTERRUPTED: the watcher
 *         stopped the search
 */
P3D_CHECK bool p3d_validate_run(const p3d_validate_options *options,
        p3d_validated *out, p3d_error *err);

P3D_API_END

#endif
