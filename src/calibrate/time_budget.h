/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1477, .n_sources = 41, .n_better = 22,
    .flat_scale = 0.1295,
    .own = {0.0970, 0.0970, 0.0970, 1398, 37},
    .terms = {
        [P3D_ERROR_gemm] = {0.1370, 0.1271, 0.1433, 1473, 41},
        [P3D_ERROR_attention] = {0.1717, 0.1634, 0.1923, 749, 30},
        [P3D_ERROR_memory_pass] = {0.2997, 0.2019, 0.5291, 1347, 41},
        [P3D_ERROR_recompute] = {0.2274, 0.2004, 0.2458, 699, 26},
        [P3D_ERROR_host] = {0.2244, 0.2052, 0.2307, 139, 2},
        [P3D_ERROR_tp_comm] = {0.2134, 0.1950, 0.2228, 414, 25},
        [P3D_ERROR_cp_comm] = {0.2198, 0.2044, 0.2264, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2519, 0.2203, 0.2630, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2358, 0.2049, 0.2699, 395, 23},
        [P3D_ERROR_pp_comm] = {0.3153, 0.2206, 0.3338, 22, 7},
        [P3D_ERROR_dp_comm] = {0.2381, 0.2174, 0.2547, 188, 22},
        [P3D_ERROR_optimizer] = {0.2393, 0.2079, 0.2467, 121, 10},
        [P3D_ERROR_offload] = {0.2684, 0.2287, 0.2844, 16, 2},
        [P3D_ERROR_straggler] = {0.2193, 0.2042, 0.2259, 0, 0},
        [P3D_ERROR_fixed] = {0.2200, 0.2046, 0.2267, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0771, 0.0473, 0.0823, 1477, 41},
    },
};
/* clang-format on */

#endif
