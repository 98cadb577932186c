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
    .flat_scale = 0.1008,
    .own = {0.0850, 0.0850, 0.0850, 1464, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.0990, 0.0944, 0.1045, 1525, 43},
        [P3D_ERROR_attention] = {0.1529, 0.1379, 0.1775, 756, 32},
        [P3D_ERROR_memory_pass] = {0.2219, 0.1668, 0.2599, 1373, 43},
        [P3D_ERROR_recompute] = {0.3219, 0.2001, 0.3895, 743, 28},
        [P3D_ERROR_host] = {0.1762, 0.1656, 0.1898, 205, 6},
        [P3D_ERROR_tp_comm] = {0.1863, 0.1664, 0.1933, 441, 25},
        [P3D_ERROR_cp_comm] = {0.1741, 0.1619, 0.1793, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2148, 0.1703, 0.2236, 129, 5},
        [P3D_ERROR_pp_bubble] = {0.2019, 0.1669, 0.2639, 396, 23},
        [P3D_ERROR_pp_comm] = {0.4021, 0.1761, 0.4141, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2049, 0.1741, 0.2275, 179, 21},
        [P3D_ERROR_optimizer] = {0.1767, 0.1647, 0.1870, 140, 12},
        [P3D_ERROR_offload] = {0.2551, 0.1797, 0.2606, 16, 2},
        [P3D_ERROR_straggler] = {0.1740, 0.1622, 0.1791, 0, 0},
        [P3D_ERROR_fixed] = {0.7902, 0.1658, 0.8176, 10, 3},
        [P3D_ERROR_UNEXPLAINED] = {0.0221, 0.0021, 0.0592, 1535, 43},
    },
};
/* clang-format on */

#endif
