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
    .own = {0.0904, 0.0904, 0.0904, 1444, 38},
    .terms = {
        [P3D_ERROR_gemm] = {0.1176, 0.1100, 0.1234, 1519, 42},
        [P3D_ERROR_attention] = {0.1566, 0.1500, 0.1770, 752, 31},
        [P3D_ERROR_memory_pass] = {0.2327, 0.1943, 0.2838, 1357, 42},
        [P3D_ERROR_recompute] = {0.2172, 0.1900, 0.2493, 732, 27},
        [P3D_ERROR_host] = {0.1945, 0.1831, 0.2003, 136, 2},
        [P3D_ERROR_tp_comm] = {0.1895, 0.1807, 0.1959, 445, 26},
        [P3D_ERROR_cp_comm] = {0.1946, 0.1816, 0.2007, 0, 0},
        [P3D_ERROR_ep_comm] = {0.2356, 0.1949, 0.2409, 130, 5},
        [P3D_ERROR_pp_bubble] = {0.2099, 0.1815, 0.2424, 398, 23},
        [P3D_ERROR_pp_comm] = {0.3347, 0.1959, 0.3893, 20, 6},
        [P3D_ERROR_dp_comm] = {0.2110, 0.1907, 0.2301, 207, 23},
        [P3D_ERROR_optimizer] = {0.2336, 0.1870, 0.2411, 141, 12},
        [P3D_ERROR_offload] = {0.2507, 0.2011, 0.2562, 16, 2},
        [P3D_ERROR_straggler] = {0.1941, 0.1814, 0.2002, 0, 0},
        [P3D_ERROR_fixed] = {0.1949, 0.1818, 0.2010, 3, 2},
        [P3D_ERROR_UNEXPLAINED] = {0.0660, 0.0523, 0.0701, 1523, 42},
    },
};
/* clang-format on */

#endif
