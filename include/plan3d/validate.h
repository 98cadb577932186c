/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.h - measured operations of a plan against the predicted ones. */
#ifndef PLAN3D_VALIDATE_H
#define PLAN3D_VALIDATE_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"
#include "plan3d/measurements.h"
#include "plan3d/request.h"

P3D_API_BEGIN

/* clang-format off */
/** Kinds of operations that are compared: name, words. */
#define P3D_COMPARED_KINDS(X) \
    X(GEMM,           "matrix products") \
    X(SUSTAINED,      "matrix products, sustained") \
    X(ATTENTION,      "attention") \
    X(PASS,           "memory-bound passes") \
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

/**
 * Compare measurements with what the cost forms say of the same operations.
 *
 * Products, attention, passes and collectives are those of the request; copies
 * and passes of the optimizer over host memory are all that were measured, and
 * count for the plan where it offloads. Bursts are compared with bursts,
 * sustained runs with the rate under the power limit.
 *
 * @param request   the operations of the estimate's plan
 * @param files     n of them, of one device like the cluster's; of two
 *                  measurements of an operation the first counts
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_compare(const p3d_problem *problem,
        const p3d_estimate *estimate, const p3d_request *request,
        const p3d_measurements *files, int n, p3d_compared *out,
        p3d_error *err);

/** Share of the planned seconds whose operations were measured. */
double p3d_covered_frac(const p3d_compared *compared);

/** A kind with a smaller share of the planned seconds is not judged: nothing
 *  hangs on it. */
#define P3D_LEAST_JUDGED_FRAC 0.05

/** Whether the median of a kind is off by more than the tolerance, and the kind
 *  has a share of the step that counts. */
bool p3d_is_off(const p3d_compared *compared, int kind, double tolerance_frac);

P3D_API_END

#endif
