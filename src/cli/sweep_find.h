/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_find.h - the end of a range: the fewest GPUs, the longest sequence, the
 * largest micro-batch, the largest model that surely fits. */
#ifndef PLAN3D_CLI_SWEEP_FIND_H
#define PLAN3D_CLI_SWEEP_FIND_H

#include "cli/rows.h"
#include "plan3d/sweep.h"
#include "report/study.h"

/** The row that is asked for, and the first beyond it. */
typedef struct cli_found_end {
    p3d_sweep_row row[2];
    p3d_model model[2]; /* where models are looked for */
    bool has[2];
    int64_t n_asked;
    bool complete; /* nobody asked to stop */
} cli_found_end;

enum { CLI_END, CLI_BEYOND };

/** What --find finds, by its words. */
p3d_words cli_find_word;

/**
 * Look at one value after the other, exactly.
 *
 * @param options  of one cluster without a deadline; max_gpus is where GPUs
 *                 end, 0 = 2048
 * @return false with P3D_DATA (no plan of any is legal), P3D_USAGE or
 *         P3D_SYSTEM
 */
P3D_CHECK bool cli_find_end(const p3d_sweep_options *options,
        report_answer_kind what, cli_found_end *out, p3d_error *err);

#endif
