/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1416, .n_sources = 37, .n_better = 11,
    .flat_scale = 0.1267,
    .own = {0.0972, 0.0972, 0.0972, 1344, 33},
    .terms = {
        [P3D_ERROR_gemm] = {0.1363, 0.1256, 0.1431, 1412, 37},
        [P3D_ERROR_attention] = {0.1699, 0.1599, 0.1919, 714, 27},
        [P3D_ERROR_memory_pass] = {0.2358, 0.2191, 0.2455, 1288, 37},
        [P3D_ERROR_recompute] = {0.2350, 0.2021, 0.2461, 685, 24},
        [P3D_ERROR_host] = {0.2130, 0.1972, 0.2198, 131, 1},
        [P3D_ERROR_tp_comm] = {0.2004, 0.1892, 0.2075, 389, 24},
        [P3D_ERROR_cp_comm] = {0.2138, 0.1972, 0.2209, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2440, 0.2149, 0.2499, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2162, 0.1928, 0.2397, 386, 22},
        [P3D_ERROR_pp_comm] = {0.2266, 0.2072, 0.2330, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2330, 0.2126, 0.2495, 187, 21},
        [P3D_ERROR_optimizer] = {0.2321, 0.2004, 0.2400, 100, 7},
        [P3D_ERROR_offload] = {0.2573, 0.2210, 0.2635, 16, 2},
        [P3D_ERROR_straggler] = {0.2133, 0.1970, 0.2203, 0, 0},
        [P3D_ERROR_fixed] = {0.2140, 0.1974, 0.2211, 1, 1},
        [P3D_ERROR_UNEXPLAINED] = {0.0850, 0.0748, 0.0885, 1416, 37},
    },
};
/* clang-format on */

#endif
