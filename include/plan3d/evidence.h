/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.h - the published runs that are nearest to a job, each with what was
 * measured and what plan3d predicts for it. */
#ifndef PLAN3D_EVIDENCE_H
#define PLAN3D_EVIDENCE_H

#include <stdint.h>

#include "plan3d/estimate.h"

P3D_API_BEGIN

/** A measured run and its prediction. */
typedef struct p3d_measured_run {
    const char *id;           /* in tests/accuracy/runs.csv */
    const char *source;       /* that published it */
    const char *framework;    /* as the source names it */
    const char *profile;      /* framework whose costs predicted it */
    const char *gpu;          /* of hardware/gpu */
    const char *architecture; /* of that GPU: "sm90" */
    const char *model;
    const char *dtype;
    const char *plan; /* as p3d_plan_parse() reads it */
    const char *ref;  /* where it stands in the source */
    int64_t year;
    int64_t n_gpus;
    int64_t parameters;
    int64_t active_parameters;
    int64_t n_experts;    /* 0 = dense */
    int64_t adapter_rank; /* 0 = all weights are trained */
    int64_t seq_len;
    double network_bytes_per_s_per_gpu; /* between nodes; 0 = one node */
    double measured_step_s;
    double predicted_step_s;
    double measured_tokens_per_s_per_gpu;
    double predicted_tokens_per_s_per_gpu;
} p3d_measured_run;

/* clang-format off */
/**
 * The parts of the distance between a run and a job, the weightiest first:
 * X(member, words). A step is a doubling of a number (to a tenth), or another
 * word; no part has a weight.
 */
#define P3D_DISTANCE_PARTS(X) \
    X(model_size, "doublings of the active parameters") \
    X(experts,    "3 where one model has experts and the other has none") \
    X(trained,    "3 where one trains adapters and the other all weights") \
    X(gpu,        "1 within an architecture, 3 beyond") \
    X(precision,  "doublings of the width of the products") \
    X(framework,  "1 within a family, 2 beyond") \
    X(network,    "doublings of a GPU's share of the network; 1 where only " \
                  "one of the two has several nodes") \
    X(n_gpus,     "doublings of the number of GPUs") \
    X(seq_len,    "doublings of the sequence") \
    X(plan,       "1 for other tp, pp, cp or ep, 1 for other recomputation")
/* clang-format on */

typedef struct p3d_distance_parts {
#define P3D_AS_MEMBER(part, words) double part##_steps;
    P3D_DISTANCE_PARTS(P3D_AS_MEMBER)
#undef P3D_AS_MEMBER
} p3d_distance_parts;

/** A run is near when all parts together are at most so many steps, and none
 *  alone is more than the second: four times as large or as small. */
#define P3D_NEAR_STEPS      5.0
#define P3D_NEAR_PART_STEPS 2.0

typedef struct p3d_near_run {
    p3d_measured_run run;
    p3d_distance_parts parts;
    double distance_steps; /* sum of the parts */
    bool near;
} p3d_near_run;

/** Runs that are listed, and of these those that an answer shows. */
enum { P3D_MAX_EVIDENCE = 15, P3D_SHOWN_EVIDENCE = 3 };

/** The table that words point into. */
typedef struct p3d_evidence_storage p3d_evidence_storage;

/** The nearest runs. */
typedef struct p3d_evidence {
    p3d_near_run nearest[P3D_MAX_EVIDENCE]; /* near ones first; of these and of
                                               the others the nearest first */
    int n;
    int n_near; /* of them; 0 = no measured run is near this job */
    int n_runs; /* of the table */
    p3d_evidence_storage *storage;
} p3d_evidence;

/**
 * Find the measured runs that are nearest to a plan of a job.
 *
 * @param path  CSV with the columns of hardware/evidence/runs.csv; NULL = that
 *              file, looked for as all data (plan3d/catalog.h)
 * @param out   release with p3d_evidence_free(); untouched on failure
 * @return false with P3D_DATA at file:line:column, or P3D_SYSTEM
 */
P3D_CHECK bool p3d_evidence_find(const char *path, const p3d_problem *problem,
        const p3d_plan *plan, p3d_evidence *out, p3d_error *err);

/** Accepts a zero struct. */
void p3d_evidence_free(p3d_evidence *evidence);

P3D_API_END

#endif
