/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.h - predicts measured runs and holds the errors against them. */
#ifndef PLAN3D_CLI_BACKTEST_H
#define PLAN3D_CLI_BACKTEST_H

#include "cli/question.h"
#include "exchange/runs/corpus.h"
#include "report/backtest.h"

/** What plan3d says about one row. */
typedef struct cli_prediction {
    bool known;               /* false: reason says why not */
    p3d_corpus_reason reason; /* "" while known */
    double step_s;
    double guess_s;     /* at a constant share of the peak */
    int64_t peak_bytes; /* of the rank and the meter that were measured */
    bool fits;          /* no rank needs more than a GPU has */
    bool calibrated;    /* by the constants that were given */
    unsigned assumed;   /* bit i: P3D_ASSUMED_ */
} cli_prediction;

/** Share of the peak that the guess takes. */
double cli_guess_mfu_frac(void);

/** Predict one row. @param constants  for the GPUs that they hold for; NULL =
 *  those of each GPU */
void cli_predict(const p3d_corpus_row *row, p3d_corpus_hardware *hardware,
        const cli_constants *constants, cli_prediction *out);

/** A backtest while it is being made. */
typedef struct cli_trial {
    const cli_constants *constants; /* NULL = those of each GPU */
    p3d_corpus corpus;
    cli_prediction *predictions; /* of each row */
    bool *is_asked;              /* rows of the sources asked for */
    int *source_of;              /* index into sources, of each row */
    report_backtest report;
    report_source *sources;
    report_skipped *skipped;
    int n_skipped;
    int skipped_capacity;
    report_assumed_rows assumed[P3D_N_ASSUMED];
    report_run *runs;
    p3d_csv sets;
} cli_trial;

/** Count a row (or a set) that is not scored. */
P3D_CHECK bool cli_trial_skip(cli_trial *b, const char *what,
        const char *reason, const char *id, p3d_error *err);

/**
 * Predict and score.
 *
 * @param file    table of runs
 * @param sets    table of sets of runs to rank; NULL = none
 * @param source  only rows of this source; NULL = all
 * @param out     what is asked for is set before; free with
 *                cli_trial_free(), also after a failure
 */
P3D_CHECK bool cli_trial_run(const char *file, const char *sets,
        const char *source, cli_trial *out, p3d_error *err);

void cli_trial_free(cli_trial *b);

/** Read the sets and score the order of their plans. */
P3D_CHECK bool cli_trial_rank(cli_trial *b, const char *path, p3d_error *err);

#endif
