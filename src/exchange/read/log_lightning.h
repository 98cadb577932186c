/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_lightning.h - Lightning counts micro-batches and says the time that has
 * passed: its bars in whole seconds, the metrics.csv of its CSVLogger exactly.
 * Seconds are those of a micro-batch. */
#ifndef PLAN3D_EXCHANGE_READ_LOG_LIGHTNING_H
#define PLAN3D_EXCHANGE_READ_LOG_LIGHTNING_H

#include <stdbool.h>

#include "exchange/read/log_lines.h"
#include "exchange/read/read.h"

/** A report of a bar: micro-batches of the epoch, seconds since it began. */
typedef struct exchange_lightning_at {
    double epoch, count, time_s;
} exchange_lightning_at;

/** Reports of an epoch between which nothing else ran. */
typedef struct exchange_lightning_stretch {
    exchange_lightning_at first, last;
    int n_reports; /* after the one that it is counted from */
    int n_warm_up; /* reports left out before it */
    bool whole;    /* its warm-up is in it */
} exchange_lightning_stretch;

/** Columns of metrics.csv; -1 = none. */
typedef struct exchange_lightning_columns {
    int time, batches, step, allocated, reserved;
    int n; /* 0 = no line of names was seen */
} exchange_lightning_columns;

/** Zero to begin. */
typedef struct exchange_lightning {
    exchange_lightning_stretch now, best;
    exchange_lightning_at seen; /* the last report of a bar */
    bool begun;                 /* an epoch was seen */
    bool paused;                /* another bar was drawn since */
    exchange_lightning_columns columns;
    double row[3]; /* time, micro-batches and steps of the last row */
} exchange_lightning;

/**
 * Look at the next line of a log.
 *
 * @param measured  gets peaks, and micro-batches of a step where rows say them
 * @return s of a micro-batch since the row before; 0 where a line says none
 */
double exchange_lightning_take(exchange_lightning *lightning,
        const exchange_log_line *line, exchange_measured *measured);

/**
 * After the last line: the mean of the longest stretch of a bar.
 *
 * @param measured  gets what the stretch is of, or why there is none
 * @return s of a micro-batch; 0 = none
 */
double exchange_lightning_finish(
        exchange_lightning *lightning, exchange_measured *measured);

#endif
