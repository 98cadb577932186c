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
    .flat_scale = 0.1268,
    .own = {0.0944, 0.0944, 0.0944, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1324, 0.1234, 0.1382, 1519, 42},
        [P3D_ERROR_attention] = {0.1690, 0.1614, 0.1896, 765, 31},
        [P3D_ERROR_memory_pass] = {0.3355, 0.2015, 0.5372, 1358, 42},
        [P3D_ERROR_recompute] = {0.2250, 0.1988, 0.2440, 735, 27},
        [P3D_ERROR_host] = {0.2177, 0.2017, 0.2236, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2072, 0.1923, 0.2157, 436, 26},
        [P3D_ERROR_cp_comm] = {0.2148, 0.2002, 0.2210, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2496, 0.2150, 0.2588, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2333, 0.2012, 0.2696, 397, 23},
        [P3D_ERROR_pp_comm] = {0.3191, 0.2164, 0.3363, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2349, 0.2133, 0.2507, 203, 23},
        [P3D_ERROR_optimizer] = {0.2351, 0.2043, 0.2419, 121, 10},
        [P3D_ERROR_offload] = {0.2675, 0.2238, 0.2819, 16, 2},
        [P3D_ERROR_straggler] = {0.2142, 0.2000, 0.2203, 0, 0},
        [P3D_ERROR_fixed] = {0.2150, 0.2004, 0.2212, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0706, 0.0421, 0.0776, 1523, 42},
    },
};
/* clang-format on */

#endif
