/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_budget.h - how wrong each term of a step is, by measured runs.
 *
 * Written by `make accuracy` from tests/accuracy/runs.csv. Do not edit. */
#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H
#define PLAN3D_CALIBRATE_TIME_BUDGET_H

#include "calibrate/budget.h"

/* clang-format off */
static const calibrate_shown calibrate_step_errors = {
    .n_runs = 1523, .n_sources = 42, .n_better = 25,
    .flat_scale = 0.1142,
    .own = {0.0907, 0.0907, 0.0907, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1176, 0.1100, 0.1234, 1519, 42},
        [P3D_ERROR_attention] = {0.1566, 0.1500, 0.1770, 752, 31},
        [P3D_ERROR_memory_pass] = {0.2329, 0.1944, 0.2842, 1357, 42},
        [P3D_ERROR_recompute] = {0.2172, 0.1901, 0.2495, 732, 27},
        [P3D_ERROR_host] = {0.1946, 0.1832, 0.2004, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1891, 0.1803, 0.1955, 445, 26},
        [P3D_ERROR_cp_comm] = {0.1947, 0.1817, 0.2008, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2355, 0.1951, 0.2408, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2099, 0.1815, 0.2424, 398, 23},
        [P3D_ERROR_pp_comm] = {0.3348, 0.1960, 0.3892, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2135, 0.1924, 0.2299, 207, 23},
        [P3D_ERROR_optimizer] = {0.2337, 0.1871, 0.2412, 141, 12},
        [P3D_ERROR_offload] = {0.2508, 0.2012, 0.2563, 16, 2},
        [P3D_ERROR_straggler] = {0.1942, 0.1815, 0.2002, 0, 0},
        [P3D_ERROR_fixed] = {0.1950, 0.1819, 0.2011, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0659, 0.0522, 0.0701, 1523, 42},
    },
};
/* clang-format on */

#endif
