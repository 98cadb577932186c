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
    .flat_scale = 0.1014,
    .own = {0.0851, 0.0851, 0.0851, 1464, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1008, 0.0939, 0.1052, 1525, 43},
        [P3D_ERROR_attention] = {0.1444, 0.1377, 0.1641, 762, 32},
        [P3D_ERROR_memory_pass] = {0.1939, 0.1661, 0.2230, 1373, 43},
        [P3D_ERROR_recompute] = {0.2010, 0.1714, 0.2851, 743, 28},
        [P3D_ERROR_host] = {0.1922, 0.1657, 0.1979, 205, 6},
        [P3D_ERROR_tp_comm] = {0.1761, 0.1663, 0.1813, 441, 25},
        [P3D_ERROR_cp_comm] = {0.1744, 0.1622, 0.1797, 0, 0},
        [P3D_ERROR_ep_comm] = {0.1994, 0.1724, 0.2038, 129, 5},
        [P3D_ERROR_pp_bubble] = {0.1925, 0.1646, 0.2262, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3113, 0.1755, 0.3734, 20, 6},
        [P3D_ERROR_dp_comm] = {0.1895, 0.1702, 0.2028, 179, 21},
        [P3D_ERROR_optimizer] = {0.1990, 0.1694, 0.2050, 140, 12},
        [P3D_ERROR_offload] = {0.2377, 0.1798, 0.2426, 16, 2},
        [P3D_ERROR_straggler] = {0.1741, 0.1621, 0.1793, 0, 0},
        [P3D_ERROR_fixed] = {0.1747, 0.1624, 0.1799, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0600, 0.0375, 0.0633, 1535, 43},
    },
};
/* clang-format on */

#endif
