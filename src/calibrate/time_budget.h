/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1357, .n_sources = 36, .n_better = 11,
    .flat_scale = 0.1272,
    .own = {0.0963, 0.0963, 0.0963, 1322, 33},
    .terms = {
        [P3D_ERROR_gemm] = {0.1361, 0.1248, 0.1430, 1353, 36},
        [P3D_ERROR_attention] = {0.1712, 0.1603, 0.1940, 661, 26},
        [P3D_ERROR_memory_pass] = {0.2363, 0.2178, 0.2467, 1229, 36},
        [P3D_ERROR_recompute] = {0.2343, 0.2017, 0.2448, 684, 23},
        [P3D_ERROR_host] = {0.2138, 0.1972, 0.2211, 131, 1},
        [P3D_ERROR_tp_comm] = {0.2061, 0.1939, 0.2131, 353, 23},
        [P3D_ERROR_cp_comm] = {0.2147, 0.1972, 0.2222, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2444, 0.2153, 0.2507, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2167, 0.1931, 0.2405, 381, 21},
        [P3D_ERROR_pp_comm] = {0.2271, 0.2078, 0.2340, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2322, 0.2124, 0.2481, 187, 21},
        [P3D_ERROR_optimizer] = {0.2330, 0.2007, 0.2414, 100, 7},
        [P3D_ERROR_offload] = {0.2578, 0.2218, 0.2643, 16, 2},
        [P3D_ERROR_straggler] = {0.2141, 0.1969, 0.2216, 0, 0},
        [P3D_ERROR_fixed] = {0.2149, 0.1974, 0.2224, 1, 1},
        [P3D_ERROR_UNEXPLAINED] = {0.0858, 0.0753, 0.0896, 1357, 36},
    },
};
/* clang-format on */

#endif
