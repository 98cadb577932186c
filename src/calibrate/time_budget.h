/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1535, .n_sources = 43, .n_better = 23,
    .flat_scale = 0.1015,
    .own = {0.0850, 0.0850, 0.0850, 1464, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1010, 0.0942, 0.1055, 1525, 43},
        [P3D_ERROR_attention] = {0.1444, 0.1378, 0.1640, 762, 32},
        [P3D_ERROR_memory_pass] = {0.1938, 0.1663, 0.2228, 1373, 43},
        [P3D_ERROR_recompute] = {0.2010, 0.1718, 0.2844, 743, 28},
        [P3D_ERROR_host] = {0.1925, 0.1660, 0.1981, 205, 6},
        [P3D_ERROR_tp_comm] = {0.1765, 0.1667, 0.1818, 441, 25},
        [P3D_ERROR_cp_comm] = {0.1748, 0.1625, 0.1800, 0, 0},
        [P3D_ERROR_ep_comm] = {0.1994, 0.1727, 0.2039, 129, 5},
        [P3D_ERROR_pp_bubble] = {0.1926, 0.1649, 0.2261, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3104, 0.1759, 0.3721, 20, 6},
        [P3D_ERROR_dp_comm] = {0.1897, 0.1705, 0.2031, 179, 21},
        [P3D_ERROR_optimizer] = {0.1992, 0.1697, 0.2053, 140, 12},
        [P3D_ERROR_offload] = {0.2378, 0.1801, 0.2426, 16, 2},
        [P3D_ERROR_straggler] = {0.1744, 0.1625, 0.1796, 0, 0},
        [P3D_ERROR_fixed] = {0.1750, 0.1628, 0.1802, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0603, 0.0380, 0.0636, 1535, 43},
    },
};
/* clang-format on */

#endif
