/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longest_path.h - when each pipeline rank is done, stage by stage. */
#ifndef PLAN3D_COST_TIME_LONGEST_PATH_H
#define PLAN3D_COST_TIME_LONGEST_PATH_H

#include "cost/cost.h"
#include "cost/pipeline/schedule.h"

/** Most ends of passes that are kept: p v m of the micro-batches that are
 *  simulated. */
enum { COST_MAX_ENDS = 1 << 16 };

/** Delays between ranks that are run beside each other: the order in which
 *  passes become ready is the same with any. */
enum { COST_N_DELAYS = 2 };

/** Seconds with each delay. */
typedef struct cost_moments {
    double s[COST_N_DELAYS];
} cost_moments;

/** True where cost_longest_path() has an answer: orders that alternate, not
 *  larger than there is room. */
bool cost_has_longest_path(const cost_pipeline *pipeline);

/**
 * Run every rank's passes in their order, each as soon as its inputs are there.
 *
 *     F(s, i) after F(s-1, i); B(s, i) after F(s, i) and B(s+1, i);
 *     from another rank a delay later
 *
 * Many micro-batches are extrapolated: after the warm-up a further group of
 * them takes always the same (T(m) = T(m - g) + period, max-plus algebra).
 * Where two ranks are next to equally slow the period may show late: 1 % off at
 * most in random pipelines.
 *
 * @param stages  p v of them, by stage; none takes less than nothing
 * @param done    p of them: when each rank ends its last pass
 *
 * Tested: tests/unit/test_longest_path.c, against the whole simulation
 */
void cost_longest_path(const cost_pipeline *pipeline,
        const cost_pass_time *stages, cost_moments delays, cost_moments *done);

/**
 * Seconds that no order of these passes can beat, cheaply.
 *
 *     max over ranks r: m t_r + sum over the ranks before r of the pass of a
 *                       micro-batch through their first stage
 *     1F1B: max over r: sum of t before r + f_r + sum of t behind r + b_r
 *                       + (m - 1 - w) t_r + w b_r,   w = min(p - 1 - r, m - 1)
 *
 * t_r a rank's pass forward and backward, f_r and b_r its parts.
 *
 * Source: longest path through the order; none of 3,400 random pipelines is
 * below. Tested: tests/unit/test_longest_path.c
 */
double cost_longest_path_floor_s(
        const cost_pipeline *pipeline, const cost_pass_time *stages);

/**
 * Seconds that cost_longest_path() does not beat with any delay or with stages
 * that take longer: the path of the micro-batches that are simulated, and of
 * each further one no less than the slowest rank takes for it.
 */
double cost_longest_path_least_s(
        const cost_pipeline *pipeline, const cost_pass_time *stages);

#endif
