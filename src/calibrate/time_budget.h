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
    .flat_scale = 0.1107,
    .own = {0.0885, 0.0885, 0.0885, 1456, 39},
    .terms = {
        [P3D_ERROR_gemm] = {0.1146, 0.1073, 0.1199, 1525, 43},
        [P3D_ERROR_attention] = {0.1529, 0.1464, 0.1732, 764, 32},
        [P3D_ERROR_memory_pass] = {0.2192, 0.1884, 0.2611, 1370, 43},
        [P3D_ERROR_recompute] = {0.1986, 0.1766, 0.2136, 744, 28},
        [P3D_ERROR_host] = {0.1837, 0.1726, 0.1888, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1844, 0.1755, 0.1904, 447, 26},
        [P3D_ERROR_cp_comm] = {0.1880, 0.1754, 0.1934, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2314, 0.1885, 0.2358, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2037, 0.1757, 0.2349, 396, 23},
        [P3D_ERROR_pp_comm] = {0.3339, 0.1889, 0.3754, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2015, 0.1826, 0.2172, 175, 21},
        [P3D_ERROR_optimizer] = {0.2257, 0.1808, 0.2329, 141, 12},
        [P3D_ERROR_offload] = {0.2460, 0.1941, 0.2512, 16, 2},
        [P3D_ERROR_straggler] = {0.1876, 0.1753, 0.1930, 0, 0},
        [P3D_ERROR_fixed] = {0.1882, 0.1756, 0.1937, 4, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0647, 0.0548, 0.0681, 1535, 43},
    },
};
/* clang-format on */

#endif
