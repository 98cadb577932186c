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
    .flat_scale = 0.1080,
    .own = {0.0853, 0.0853, 0.0853, 1464, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1118, 0.1044, 0.1171, 1525, 43},
        [P3D_ERROR_attention] = {0.1505, 0.1438, 0.1707, 764, 32},
        [P3D_ERROR_memory_pass] = {0.2027, 0.1764, 0.2327, 1370, 43},
        [P3D_ERROR_recompute] = {0.1948, 0.1730, 0.2097, 744, 28},
        [P3D_ERROR_host] = {0.1799, 0.1690, 0.1851, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1821, 0.1729, 0.1878, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1837, 0.1712, 0.1893, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2309, 0.1846, 0.2399, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.1998, 0.1720, 0.2327, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3425, 0.1845, 0.3885, 20, 6},
        [P3D_ERROR_dp_comm] = {0.1972, 0.1784, 0.2119, 174, 21},
        [P3D_ERROR_optimizer] = {0.2225, 0.1771, 0.2299, 140, 12},
        [P3D_ERROR_offload] = {0.2435, 0.1896, 0.2488, 16, 2},
        [P3D_ERROR_straggler] = {0.1834, 0.1711, 0.1889, 0, 0},
        [P3D_ERROR_fixed] = {0.1839, 0.1714, 0.1895, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0632, 0.0536, 0.0665, 1535, 43},
    },
};
/* clang-format on */

#endif
