/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1523, .n_sources = 42, .n_better = 27,
    .flat_scale = 0.1185,
    .own = {0.0931, 0.0931, 0.0931, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1248, 0.1157, 0.1302, 1519, 42},
        [P3D_ERROR_attention] = {0.1601, 0.1528, 0.1801, 763, 31},
        [P3D_ERROR_memory_pass] = {0.2269, 0.1951, 0.2682, 1358, 42},
        [P3D_ERROR_recompute] = {0.2152, 0.1884, 0.2255, 735, 27},
        [P3D_ERROR_host] = {0.2001, 0.1876, 0.2054, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1927, 0.1843, 0.1993, 434, 26},
        [P3D_ERROR_cp_comm] = {0.2008, 0.1867, 0.2065, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2370, 0.2007, 0.2420, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2146, 0.1869, 0.2433, 398, 23},
        [P3D_ERROR_pp_comm] = {0.3163, 0.2018, 0.3395, 21, 6},
        [P3D_ERROR_dp_comm] = {0.2203, 0.1997, 0.2359, 202, 22},
        [P3D_ERROR_optimizer] = {0.2380, 0.1927, 0.2452, 141, 12},
        [P3D_ERROR_offload] = {0.2548, 0.2086, 0.2601, 16, 2},
        [P3D_ERROR_straggler] = {0.2003, 0.1865, 0.2058, 0, 0},
        [P3D_ERROR_fixed] = {0.2011, 0.1870, 0.2067, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0715, 0.0617, 0.0748, 1523, 42},
    },
};
/* clang-format on */

#endif
