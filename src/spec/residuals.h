/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.h - how far measurements were from their predictions, by source,
 * and what that says of a run of a source that nobody has seen; the measured
 * runs that stand in a calibration file. */
#ifndef PLAN3D_SPEC_RESIDUALS_H
#define PLAN3D_SPEC_RESIDUALS_H

#include <stdbool.h>

#include "plan3d/cluster.h"
#include "plan3d/fit_probability.h"
#include "json/field.h"

/** What runs are like, and questions about one: bits. */
typedef enum spec_trait {
    SPEC_STANDS_IN = 1 << 0, /* the profile is of a similar framework */
    SPEC_EXPERTS = 1 << 1,
    SPEC_ALLOCATED = 1 << 2, /* a peak: what the tensors take */
    SPEC_DEVICE = 1 << 3,    /* a peak: what the device says, also what the
                                allocator holds without need */
    SPEC_SEVERAL_NODES = 1 << 4,
    SPEC_HOST_BOUND = 1 << 5, /* the host takes more than 10 % of the step */
    SPEC_MANY_GPUS = 1 << 6   /* more than SPEC_USUAL_GPUS */
} spec_trait;

enum { SPEC_N_QUANTILES = 20 };

/** Beyond so many GPUs a handful of sources has measured. */
enum { SPEC_USUAL_GPUS = 1024 };

/** Runs of one source that are alike. */
typedef struct spec_residuals {
    const char *source;
    const char *framework;             /* whose profile predicted them */
    unsigned traits;                   /* SPEC_ */
    int n;                             /* runs */
    double quantile[SPEC_N_QUANTILES]; /* of ln(measured / predicted),
                                          ascending, at 2.5, 7.5, ... 97.5 % */
} spec_residuals;

/** A run that is asked about. */
typedef struct spec_asked_run {
    const char *framework;
    unsigned traits;
    const char *source; /* whose runs are left out; NULL = none */
} spec_asked_run;

/** True when the names of two frameworks begin with the same word: "megatron"
 *  of "megatron-core", "fsdp" of "fsdp2". */
bool spec_same_family(const char *a, const char *b);

/** Whether runs belong to a question. */
typedef bool spec_belongs(const spec_residuals *of, const spec_asked_run *q);

spec_belongs spec_is_any;
spec_belongs spec_is_of_family;
spec_belongs spec_is_of_framework;

/** A table of residuals, the rows of a source side by side, and its levels,
 *  from all runs to those that are most alike. */
typedef struct spec_pool {
    const spec_residuals *rows;
    int n_rows;
    spec_belongs *const *levels;
    int n_levels;
} spec_pool;

/**
 * Share of runs whose ln(measured / predicted) is below x.
 *
 * A run of a source that nobody has seen is one draw from the sources, so each
 * is one draw too: its distribution counts n / (n + 4), n its number of runs.
 * Each level is worth one more source to the next.
 */
double spec_pool_below_frac(
        const spec_pool *pool, const spec_asked_run *q, double x);

/** The x that this share of runs is below, 0 < frac < 1; within -3 and 3. */
double spec_pool_quantile(
        const spec_pool *pool, const spec_asked_run *q, double frac);

/** What belongs to a question. */
typedef struct spec_evidence {
    int n_sources, n_runs;
} spec_evidence;

spec_evidence spec_pool_evidence(
        const spec_pool *pool, const spec_asked_run *q, spec_belongs *belong);

/** The same as p3d_fit_probability_frac() without the peaks of one source: what
 *  would have been said of it. @param source  NULL = with all */
double spec_fit_probability_frac(const p3d_framework *framework, bool experts,
        const char *source, double taken_frac);

/** What runs on a cluster go by: the name of the network between its nodes; ""
 *  where it has one node. */
const char *spec_own_network(const p3d_cluster *cluster);

/** A run as files have it. */
extern const json_shape spec_own_run_shape;

#endif
