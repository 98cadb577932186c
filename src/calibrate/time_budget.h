/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1348, .n_sources = 36, .n_better = 9,
    .flat_scale = 0.1288,
    .own = {0.0977, 0.0977, 0.0977, 1313, 33},
    .terms = {
        [P3D_ERROR_gemm] = {0.1378, 0.1265, 0.1449, 1344, 36},
        [P3D_ERROR_attention] = {0.1739, 0.1631, 0.1973, 652, 26},
        [P3D_ERROR_memory_pass] = {0.2359, 0.2171, 0.2463, 1218, 36},
        [P3D_ERROR_recompute] = {0.2349, 0.2028, 0.2431, 684, 23},
        [P3D_ERROR_host] = {0.2163, 0.1995, 0.2237, 131, 1},
        [P3D_ERROR_tp_comm] = {0.2080, 0.1956, 0.2152, 344, 23},
        [P3D_ERROR_cp_comm] = {0.2173, 0.1996, 0.2249, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2467, 0.2183, 0.2530, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2186, 0.1951, 0.2423, 381, 21},
        [P3D_ERROR_pp_comm] = {0.2292, 0.2104, 0.2361, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2358, 0.2157, 0.2529, 187, 21},
        [P3D_ERROR_optimizer] = {0.2355, 0.2031, 0.2440, 100, 7},
        [P3D_ERROR_offload] = {0.2592, 0.2245, 0.2658, 16, 2},
        [P3D_ERROR_straggler] = {0.2167, 0.1993, 0.2242, 0, 0},
        [P3D_ERROR_fixed] = {0.2175, 0.1998, 0.2251, 1, 1},
        [P3D_ERROR_UNEXPLAINED] = {0.0877, 0.0774, 0.0915, 1348, 36},
    },
};
/* clang-format on */

#endif
