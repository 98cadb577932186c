/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1535, .n_sources = 43, .n_better = 26,
    .flat_scale = 0.1046,
    .own = {0.0861, 0.0861, 0.0861, 1464, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1054, 0.0984, 0.1102, 1525, 43},
        [P3D_ERROR_attention] = {0.1479, 0.1413, 0.1682, 764, 32},
        [P3D_ERROR_memory_pass] = {0.2071, 0.1759, 0.2458, 1372, 43},
        [P3D_ERROR_recompute] = {0.1991, 0.1744, 0.2284, 744, 28},
        [P3D_ERROR_host] = {0.1757, 0.1649, 0.1808, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1801, 0.1703, 0.1857, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1791, 0.1667, 0.1845, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2331, 0.1802, 0.2488, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.1966, 0.1684, 0.2307, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3111, 0.1802, 0.3431, 20, 6},
        [P3D_ERROR_dp_comm] = {0.1943, 0.1747, 0.2088, 174, 21},
        [P3D_ERROR_optimizer] = {0.2193, 0.1731, 0.2265, 140, 12},
        [P3D_ERROR_offload] = {0.2420, 0.1848, 0.2470, 16, 2},
        [P3D_ERROR_straggler] = {0.1788, 0.1667, 0.1841, 0, 0},
        [P3D_ERROR_fixed] = {0.1793, 0.1669, 0.1847, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0599, 0.0480, 0.0637, 1535, 43},
    },
};
/* clang-format on */

#endif
