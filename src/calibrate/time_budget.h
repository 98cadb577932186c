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
    .flat_scale = 0.1099,
    .own = {0.0871, 0.0871, 0.0871, 1456, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1142, 0.1069, 0.1194, 1525, 43},
        [P3D_ERROR_attention] = {0.1520, 0.1455, 0.1722, 764, 32},
        [P3D_ERROR_memory_pass] = {0.2089, 0.1809, 0.2438, 1370, 43},
        [P3D_ERROR_recompute] = {0.1947, 0.1734, 0.2086, 744, 28},
        [P3D_ERROR_host] = {0.1824, 0.1713, 0.1874, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1835, 0.1745, 0.1893, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1865, 0.1739, 0.1919, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2294, 0.1870, 0.2339, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2018, 0.1743, 0.2321, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3301, 0.1872, 0.3690, 20, 6},
        [P3D_ERROR_dp_comm] = {0.1999, 0.1812, 0.2152, 175, 21},
        [P3D_ERROR_optimizer] = {0.2237, 0.1795, 0.2308, 141, 12},
        [P3D_ERROR_offload] = {0.2442, 0.1925, 0.2493, 16, 2},
        [P3D_ERROR_straggler] = {0.1861, 0.1739, 0.1915, 0, 0},
        [P3D_ERROR_fixed] = {0.1867, 0.1742, 0.1922, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0654, 0.0563, 0.0686, 1535, 43},
    },
};
/* clang-format on */

#endif
