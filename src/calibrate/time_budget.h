/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1446, .n_sources = 39, .n_better = 22,
    .flat_scale = 0.1351,
    .own = {0.1009, 0.1009, 0.1009, 1374, 35},
    .terms = {
        [P3D_ERROR_gemm] = {0.1423, 0.1325, 0.1494, 1442, 39},
        [P3D_ERROR_attention] = {0.1796, 0.1701, 0.2028, 724, 28},
        [P3D_ERROR_memory_pass] = {0.4996, 0.2293, 0.6023, 1317, 39},
        [P3D_ERROR_recompute] = {0.2479, 0.2140, 0.2607, 685, 24},
        [P3D_ERROR_host] = {0.2321, 0.2134, 0.2390, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2158, 0.2008, 0.2251, 414, 25},
        [P3D_ERROR_cp_comm] = {0.2292, 0.2128, 0.2366, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2675, 0.2293, 0.2754, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2506, 0.2130, 0.2955, 395, 23},
        [P3D_ERROR_pp_comm] = {0.3289, 0.2310, 0.3396, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2516, 0.2277, 0.2712, 188, 22},
        [P3D_ERROR_optimizer] = {0.2495, 0.2154, 0.2578, 101, 8},
        [P3D_ERROR_offload] = {0.2846, 0.2399, 0.2936, 16, 2},
        [P3D_ERROR_straggler] = {0.2286, 0.2126, 0.2360, 0, 0},
        [P3D_ERROR_fixed] = {0.2294, 0.2130, 0.2368, 1, 1},
        [P3D_ERROR_UNEXPLAINED] = {0.0569, 0.0295, 0.0819, 1446, 39},
    },
};
/* clang-format on */

#endif
