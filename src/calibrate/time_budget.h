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
    .flat_scale = 0.1158,
    .own = {0.0931, 0.0931, 0.0931, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1207, 0.1132, 0.1258, 1519, 42},
        [P3D_ERROR_attention] = {0.1581, 0.1516, 0.1783, 763, 31},
        [P3D_ERROR_memory_pass] = {0.2330, 0.1962, 0.2811, 1359, 42},
        [P3D_ERROR_recompute] = {0.2144, 0.1888, 0.2313, 735, 27},
        [P3D_ERROR_host] = {0.1966, 0.1854, 0.2019, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1902, 0.1816, 0.1966, 444, 26},
        [P3D_ERROR_cp_comm] = {0.1969, 0.1840, 0.2025, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2386, 0.1973, 0.2434, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2133, 0.1843, 0.2438, 398, 23},
        [P3D_ERROR_pp_comm] = {0.3295, 0.1984, 0.3664, 21, 6},
        [P3D_ERROR_dp_comm] = {0.2174, 0.1959, 0.2348, 199, 22},
        [P3D_ERROR_optimizer] = {0.2363, 0.1892, 0.2437, 141, 12},
        [P3D_ERROR_offload] = {0.2522, 0.2037, 0.2575, 16, 2},
        [P3D_ERROR_straggler] = {0.1964, 0.1838, 0.2018, 0, 0},
        [P3D_ERROR_fixed] = {0.1972, 0.1843, 0.2027, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0669, 0.0558, 0.0706, 1523, 42},
    },
};
/* clang-format on */

#endif
