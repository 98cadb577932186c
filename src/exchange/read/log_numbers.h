/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_numbers.h - the numbers of a line that rows of the table of logs know. */
#ifndef PLAN3D_EXCHANGE_READ_LOG_NUMBERS_H
#define PLAN3D_EXCHANGE_READ_LOG_NUMBERS_H

#include "exchange/read/log_lines.h"
#include "exchange/read/log_rows.h"

/** The rows by the first letters of their words. */
typedef struct exchange_log_index {
    short first[256]; /* -1 = none */
    short next[EXCHANGE_MOST_LOG_ROWS];
} exchange_log_index;

void exchange_log_index_rows(exchange_log_index *out);

/** A number of a line. */
typedef struct exchange_log_number {
    int row;
    double value; /* in the unit of its quantity */
} exchange_log_number;

/** A bar of tqdm that has no words before it, as the Trainer's has none:
 *  " 40%|####      | 20/50 [00:40<01:00,  2.00s/it]". */
typedef struct exchange_log_bar {
    double at, total; /* 20, 50; 0 = no bar */
} exchange_log_bar;

exchange_log_bar exchange_log_bar_of(const char *line);

/** Find the numbers of a line, of each row the first. @return how many */
int exchange_log_find(const exchange_log_index *index,
        const exchange_log_line *line,
        exchange_log_number out[EXCHANGE_MOST_LOG_ROWS]);

#endif
