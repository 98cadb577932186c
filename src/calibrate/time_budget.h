/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1535, .n_sources = 43, .n_better = 25,
    .flat_scale = 0.1026,
    .own = {0.0852, 0.0852, 0.0852, 1464, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1026, 0.0957, 0.1072, 1525, 43},
        [P3D_ERROR_attention] = {0.1457, 0.1392, 0.1654, 760, 32},
        [P3D_ERROR_memory_pass] = {0.1927, 0.1668, 0.2195, 1371, 43},
        [P3D_ERROR_recompute] = {0.2042, 0.1757, 0.3040, 744, 28},
        [P3D_ERROR_host] = {0.1941, 0.1677, 0.1997, 205, 6},
        [P3D_ERROR_tp_comm] = {0.1779, 0.1683, 0.1833, 441, 25},
        [P3D_ERROR_cp_comm] = {0.1767, 0.1645, 0.1820, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2005, 0.1746, 0.2048, 129, 5},
        [P3D_ERROR_pp_bubble] = {0.1937, 0.1663, 0.2264, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3088, 0.1778, 0.3790, 20, 6},
        [P3D_ERROR_dp_comm] = {0.1914, 0.1723, 0.2051, 174, 21},
        [P3D_ERROR_optimizer] = {0.2011, 0.1718, 0.2071, 140, 12},
        [P3D_ERROR_offload] = {0.2387, 0.1821, 0.2439, 16, 2},
        [P3D_ERROR_straggler] = {0.1764, 0.1645, 0.1816, 0, 0},
        [P3D_ERROR_fixed] = {0.1769, 0.1647, 0.1822, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0611, 0.0350, 0.0645, 1535, 43},
    },
};
/* clang-format on */

#endif
