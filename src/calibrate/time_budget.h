/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1380, .n_sources = 36, .n_better = 9,
    .flat_scale = 0.1283,
    .own = {0.0972, 0.0972, 0.0972, 1344, 33},
    .terms = {
        [P3D_ERROR_gemm] = {0.1383, 0.1270, 0.1455, 1376, 36},
        [P3D_ERROR_attention] = {0.1724, 0.1618, 0.1951, 684, 26},
        [P3D_ERROR_memory_pass] = {0.2367, 0.2190, 0.2467, 1252, 36},
        [P3D_ERROR_recompute] = {0.2345, 0.2025, 0.2427, 684, 23},
        [P3D_ERROR_host] = {0.2159, 0.1993, 0.2232, 131, 1},
        [P3D_ERROR_tp_comm] = {0.2075, 0.1954, 0.2146, 361, 23},
        [P3D_ERROR_cp_comm] = {0.2168, 0.1994, 0.2244, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2459, 0.2174, 0.2523, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2185, 0.1949, 0.2423, 384, 21},
        [P3D_ERROR_pp_comm] = {0.2290, 0.2101, 0.2359, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2350, 0.2150, 0.2518, 187, 21},
        [P3D_ERROR_optimizer] = {0.2352, 0.2028, 0.2436, 100, 7},
        [P3D_ERROR_offload] = {0.2593, 0.2241, 0.2659, 16, 2},
        [P3D_ERROR_straggler] = {0.2163, 0.1991, 0.2237, 0, 0},
        [P3D_ERROR_fixed] = {0.2170, 0.1996, 0.2246, 1, 1},
        [P3D_ERROR_UNEXPLAINED] = {0.0866, 0.0763, 0.0903, 1380, 36},
    },
};
/* clang-format on */

#endif
