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
    .flat_scale = 0.1266,
    .own = {0.0944, 0.0944, 0.0944, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1323, 0.1233, 0.1380, 1519, 42},
        [P3D_ERROR_attention] = {0.1687, 0.1610, 0.1892, 765, 31},
        [P3D_ERROR_memory_pass] = {0.3295, 0.2008, 0.5284, 1358, 42},
        [P3D_ERROR_recompute] = {0.2246, 0.1985, 0.2434, 735, 27},
        [P3D_ERROR_host] = {0.2174, 0.2014, 0.2233, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2070, 0.1921, 0.2156, 436, 26},
        [P3D_ERROR_cp_comm] = {0.2144, 0.1998, 0.2206, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2479, 0.2141, 0.2576, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2328, 0.2008, 0.2687, 397, 23},
        [P3D_ERROR_pp_comm] = {0.3184, 0.2160, 0.3356, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2344, 0.2129, 0.2501, 203, 23},
        [P3D_ERROR_optimizer] = {0.2348, 0.2040, 0.2417, 121, 10},
        [P3D_ERROR_offload] = {0.2669, 0.2234, 0.2812, 16, 2},
        [P3D_ERROR_straggler] = {0.2139, 0.1997, 0.2200, 0, 0},
        [P3D_ERROR_fixed] = {0.2147, 0.2001, 0.2208, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0711, 0.0436, 0.0778, 1523, 42},
    },
};
/* clang-format on */

#endif
