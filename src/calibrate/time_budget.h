/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1523, .n_sources = 42, .n_better = 25,
    .flat_scale = 0.1141,
    .own = {0.0905, 0.0905, 0.0905, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1178, 0.1102, 0.1234, 1519, 42},
        [P3D_ERROR_attention] = {0.1563, 0.1498, 0.1768, 752, 31},
        [P3D_ERROR_memory_pass] = {0.2332, 0.1941, 0.2857, 1358, 42},
        [P3D_ERROR_recompute] = {0.2162, 0.1891, 0.2469, 732, 27},
        [P3D_ERROR_host] = {0.1940, 0.1825, 0.1995, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1889, 0.1801, 0.1953, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1940, 0.1810, 0.1999, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2353, 0.1943, 0.2407, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2097, 0.1811, 0.2414, 399, 23},
        [P3D_ERROR_pp_comm] = {0.3340, 0.1951, 0.3883, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2068, 0.1879, 0.2234, 175, 21},
        [P3D_ERROR_optimizer] = {0.2323, 0.1862, 0.2397, 141, 12},
        [P3D_ERROR_offload] = {0.2504, 0.2005, 0.2560, 16, 2},
        [P3D_ERROR_straggler] = {0.1936, 0.1808, 0.1994, 0, 0},
        [P3D_ERROR_fixed] = {0.1943, 0.1812, 0.2001, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0656, 0.0519, 0.0698, 1523, 42},
    },
};
/* clang-format on */

#endif
