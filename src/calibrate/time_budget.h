/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1446, .n_sources = 39, .n_better = 21,
    .flat_scale = 0.1399,
    .own = {0.1072, 0.1072, 0.1072, 1374, 35},
    .terms = {
        [P3D_ERROR_gemm] = {0.1467, 0.1370, 0.1540, 1442, 39},
        [P3D_ERROR_attention] = {0.1834, 0.1739, 0.2080, 718, 28},
        [P3D_ERROR_memory_pass] = {0.5529, 0.2380, 0.6441, 1316, 39},
        [P3D_ERROR_recompute] = {0.2578, 0.2213, 0.2675, 685, 24},
        [P3D_ERROR_host] = {0.2383, 0.2200, 0.2457, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2200, 0.2054, 0.2297, 415, 25},
        [P3D_ERROR_cp_comm] = {0.2365, 0.2197, 0.2444, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2652, 0.2359, 0.2725, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2571, 0.2187, 0.3037, 395, 23},
        [P3D_ERROR_pp_comm] = {0.3195, 0.2461, 0.3326, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2630, 0.2373, 0.2873, 188, 22},
        [P3D_ERROR_optimizer] = {0.2567, 0.2221, 0.2655, 101, 8},
        [P3D_ERROR_offload] = {0.2910, 0.2478, 0.3008, 16, 2},
        [P3D_ERROR_straggler] = {0.2359, 0.2194, 0.2436, 0, 0},
        [P3D_ERROR_fixed] = {0.2367, 0.2199, 0.2446, 1, 1},
        [P3D_ERROR_UNEXPLAINED] = {0.0534, 0.0237, 0.0874, 1446, 39},
    },
};
/* clang-format on */

#endif
