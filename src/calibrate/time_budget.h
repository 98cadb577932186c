/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1523, .n_sources = 42, .n_better = 26,
    .flat_scale = 0.1144,
    .own = {0.0909, 0.0909, 0.0909, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1180, 0.1105, 0.1238, 1519, 42},
        [P3D_ERROR_attention] = {0.1562, 0.1495, 0.1764, 752, 31},
        [P3D_ERROR_memory_pass] = {0.2316, 0.1939, 0.2808, 1357, 42},
        [P3D_ERROR_recompute] = {0.2165, 0.1897, 0.2455, 735, 27},
        [P3D_ERROR_host] = {0.1946, 0.1832, 0.2004, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1890, 0.1803, 0.1954, 445, 26},
        [P3D_ERROR_cp_comm] = {0.1947, 0.1817, 0.2008, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2353, 0.1951, 0.2403, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2098, 0.1815, 0.2422, 398, 23},
        [P3D_ERROR_pp_comm] = {0.3332, 0.1959, 0.3842, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2138, 0.1926, 0.2304, 199, 22},
        [P3D_ERROR_optimizer] = {0.2339, 0.1872, 0.2414, 141, 12},
        [P3D_ERROR_offload] = {0.2506, 0.2012, 0.2561, 16, 2},
        [P3D_ERROR_straggler] = {0.1942, 0.1815, 0.2002, 0, 0},
        [P3D_ERROR_fixed] = {0.1950, 0.1819, 0.2011, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0662, 0.0531, 0.0703, 1523, 42},
    },
};
/* clang-format on */

#endif
