/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_numbers.h - what logs of frameworks say of a run that was measured: a
 * table of words, of what the number beside each is, and the numbers of a line
 * that its rows know. */
#ifndef PLAN3D_EXCHANGE_READ_LOG_NUMBERS_H
#define PLAN3D_EXCHANGE_READ_LOG_NUMBERS_H

#include <stdbool.h>

#include "exchange/read/log_lines.h"

/** What a number of a log is of. */
typedef enum exchange_log_quantity {
    EXCHANGE_LOG_STEP,             /* s of a step */
    EXCHANGE_LOG_MICRO_BATCH,      /* s of a micro-batch */
    EXCHANGE_LOG_STEPS_PER_S,      /* steps/s */
    EXCHANGE_LOG_SAMPLES_PER_S,    /* sequences/s of the whole job */
    EXCHANGE_LOG_TOKENS_PER_S,     /* tokens/s of the whole job */
    EXCHANGE_LOG_TOKENS_PER_S_GPU, /* tokens/s of one GPU */
    EXCHANGE_LOG_N_SPEEDS,         /* all before it give the time of a step */
    EXCHANGE_LOG_NUMBER = EXCHANGE_LOG_N_SPEEDS, /* which step it is */
    EXCHANGE_LOG_BATCH,                          /* sequences of a step */
    EXCHANGE_LOG_MICRO_BATCHES,                  /* of a step */
    EXCHANGE_LOG_BATCH_TOKENS,                   /* tokens of a step */
    EXCHANGE_LOG_ALLOCATED,                      /* peak of tensors */
    EXCHANGE_LOG_RESERVED                        /* peak of the allocator */
} exchange_log_quantity;

/** How a number is written. */
typedef enum exchange_log_form {
    EXCHANGE_LOG_BEHIND,  /* the word, a colon or the like, the number */
    EXCHANGE_LOG_HUMAN,   /* the same, in thousands, millions: 1.03K */
    EXCHANGE_LOG_SUM,     /* several words, the sum of their numbers */
    EXCHANGE_LOG_BAR,     /* before the word, in a bar of tqdm */
    EXCHANGE_LOG_WHOLE,   /* behind the word, once, of the whole run */
    EXCHANGE_LOG_COUNTED, /* exchange_lightning_finish() */
    EXCHANGE_LOG_ROWS     /* exchange_lightning_take() */
} exchange_log_form;

/** A family of logs; its rows speak of the same steps. */
typedef struct exchange_log_family {
    const char *title;
    const char *framework; /* whose profile predicts it; NULL = it may be one of
                              several */
    const char *choices;   /* these, where it is NULL */
} exchange_log_family;

/** One thing that a log may say. Of the speeds the first of the table that a
 *  log has counts. */
typedef struct exchange_log_row {
    const exchange_log_family *family;
    const char *word; /* that the number stands beside */
    const char *more; /* EXCHANGE_LOG_SUM: the other words, with '+' */
    const char *mark; /* that the line has, too; "" = any line */
    exchange_log_quantity quantity;
    exchange_log_form form;
    double unit;  /* seconds, bytes of 1 */
    double least; /* smaller ones are rounded too far to say anything */
} exchange_log_row;

extern const exchange_log_row exchange_log_rows[];
extern const int exchange_n_log_rows;

enum { EXCHANGE_MOST_LOG_ROWS = 64 };

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
