/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1535, .n_sources = 43, .n_better = 24,
    .flat_scale = 0.1109,
    .own = {0.0889, 0.0889, 0.0889, 1456, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1147, 0.1073, 0.1199, 1531, 43},
        [P3D_ERROR_attention] = {0.1531, 0.1466, 0.1734, 764, 32},
        [P3D_ERROR_memory_pass] = {0.2191, 0.1885, 0.2606, 1370, 43},
        [P3D_ERROR_recompute] = {0.1999, 0.1775, 0.2153, 744, 28},
        [P3D_ERROR_host] = {0.1857, 0.1745, 0.1909, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1850, 0.1761, 0.1910, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1883, 0.1757, 0.1938, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2316, 0.1888, 0.2360, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2039, 0.1760, 0.2350, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3338, 0.1893, 0.3756, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2018, 0.1829, 0.2175, 175, 21},
        [P3D_ERROR_optimizer] = {0.2261, 0.1811, 0.2333, 141, 12},
        [P3D_ERROR_offload] = {0.2462, 0.1945, 0.2513, 16, 2},
        [P3D_ERROR_straggler] = {0.1880, 0.1756, 0.1934, 0, 0},
        [P3D_ERROR_fixed] = {0.1886, 0.1759, 0.1941, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0648, 0.0549, 0.0683, 1535, 43},
    },
};
/* clang-format on */

#endif
