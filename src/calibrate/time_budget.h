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
    .flat_scale = 0.1149,
    .own = {0.0931, 0.0931, 0.0931, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1192, 0.1118, 0.1247, 1519, 42},
        [P3D_ERROR_attention] = {0.1568, 0.1503, 0.1769, 757, 31},
        [P3D_ERROR_memory_pass] = {0.2282, 0.1925, 0.2719, 1359, 42},
        [P3D_ERROR_recompute] = {0.2152, 0.1890, 0.2375, 735, 27},
        [P3D_ERROR_host] = {0.1952, 0.1840, 0.2005, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1892, 0.1805, 0.1956, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1954, 0.1824, 0.2011, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2384, 0.1958, 0.2430, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2120, 0.1830, 0.2425, 398, 23},
        [P3D_ERROR_pp_comm] = {0.3324, 0.1968, 0.3758, 21, 6},
        [P3D_ERROR_dp_comm] = {0.2165, 0.1948, 0.2340, 199, 22},
        [P3D_ERROR_optimizer] = {0.2353, 0.1879, 0.2426, 141, 12},
        [P3D_ERROR_offload] = {0.2512, 0.2020, 0.2565, 16, 2},
        [P3D_ERROR_straggler] = {0.1949, 0.1822, 0.2005, 0, 0},
        [P3D_ERROR_fixed] = {0.1956, 0.1827, 0.2013, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0663, 0.0544, 0.0700, 1523, 42},
    },
};
/* clang-format on */

#endif
