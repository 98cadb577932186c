/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1523, .n_sources = 42, .n_better = 24,
    .flat_scale = 0.1273,
    .own = {0.0946, 0.0946, 0.0946, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1328, 0.1238, 0.1386, 1519, 42},
        [P3D_ERROR_attention] = {0.1693, 0.1616, 0.1898, 765, 31},
        [P3D_ERROR_memory_pass] = {0.3338, 0.2015, 0.5704, 1358, 42},
        [P3D_ERROR_recompute] = {0.2244, 0.1986, 0.2447, 735, 27},
        [P3D_ERROR_host] = {0.2205, 0.2017, 0.2264, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2095, 0.1923, 0.2186, 436, 26},
        [P3D_ERROR_cp_comm] = {0.2156, 0.2009, 0.2218, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2495, 0.2157, 0.2592, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2338, 0.2021, 0.2704, 395, 23},
        [P3D_ERROR_pp_comm] = {0.3175, 0.2170, 0.3363, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2352, 0.2139, 0.2509, 203, 23},
        [P3D_ERROR_optimizer] = {0.2357, 0.2050, 0.2425, 121, 10},
        [P3D_ERROR_offload] = {0.2675, 0.2245, 0.2836, 16, 2},
        [P3D_ERROR_straggler] = {0.2150, 0.2007, 0.2212, 0, 0},
        [P3D_ERROR_fixed] = {0.2158, 0.2011, 0.2220, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0718, 0.0366, 0.0790, 1523, 42},
    },
};
/* clang-format on */

#endif
