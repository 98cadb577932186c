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
        [P3D_ERROR_gemm] = {0.1334, 0.1243, 0.1392, 1519, 42},
        [P3D_ERROR_attention] = {0.1696, 0.1618, 0.1901, 767, 31},
        [P3D_ERROR_memory_pass] = {0.3145, 0.2003, 0.5578, 1357, 42},
        [P3D_ERROR_recompute] = {0.2226, 0.1974, 0.2415, 735, 27},
        [P3D_ERROR_host] = {0.2208, 0.2021, 0.2268, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2101, 0.1925, 0.2192, 436, 26},
        [P3D_ERROR_cp_comm] = {0.2159, 0.2012, 0.2222, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2493, 0.2165, 0.2595, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2333, 0.2023, 0.2684, 395, 23},
        [P3D_ERROR_pp_comm] = {0.3145, 0.2172, 0.3316, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2351, 0.2142, 0.2509, 203, 23},
        [P3D_ERROR_optimizer] = {0.2351, 0.2047, 0.2419, 121, 10},
        [P3D_ERROR_offload] = {0.2663, 0.2248, 0.2824, 16, 2},
        [P3D_ERROR_straggler] = {0.2154, 0.2010, 0.2215, 0, 0},
        [P3D_ERROR_fixed] = {0.2162, 0.2015, 0.2224, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0746, 0.0417, 0.0805, 1523, 42},
    },
};
/* clang-format on */

#endif
