/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1523, .n_sources = 42, .n_better = 23,
    .flat_scale = 0.1276,
    .own = {0.0948, 0.0948, 0.0948, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1335, 0.1243, 0.1393, 1519, 42},
        [P3D_ERROR_attention] = {0.1697, 0.1619, 0.1903, 767, 31},
        [P3D_ERROR_memory_pass] = {0.3158, 0.2006, 0.5604, 1357, 42},
        [P3D_ERROR_recompute] = {0.2229, 0.1976, 0.2418, 735, 27},
        [P3D_ERROR_host] = {0.2210, 0.2022, 0.2269, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2102, 0.1927, 0.2193, 436, 26},
        [P3D_ERROR_cp_comm] = {0.2161, 0.2014, 0.2224, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2495, 0.2167, 0.2597, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2335, 0.2024, 0.2687, 395, 23},
        [P3D_ERROR_pp_comm] = {0.3148, 0.2173, 0.3320, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2353, 0.2144, 0.2512, 203, 23},
        [P3D_ERROR_optimizer] = {0.2363, 0.2055, 0.2432, 121, 10},
        [P3D_ERROR_offload] = {0.2666, 0.2250, 0.2827, 16, 2},
        [P3D_ERROR_straggler] = {0.2155, 0.2012, 0.2217, 0, 0},
        [P3D_ERROR_fixed] = {0.2163, 0.2016, 0.2226, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0745, 0.0411, 0.0804, 1523, 42},
    },
};
/* clang-format on */

#endif
