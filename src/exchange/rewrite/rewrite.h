/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rewrite.h - the files of a launch with another plan in them: the lines that
 * say it are changed, all else stays byte for byte. */
#ifndef PLAN3D_EXCHANGE_REWRITE_REWRITE_H
#define PLAN3D_EXCHANGE_REWRITE_REWRITE_H

#include "exchange/launch/target.h"
#include "exchange/read/front.h"
#include "exchange/read/read.h"

/** Of a command line, and as many that these name. */
enum { EXCHANGE_MOST_FILES = 6 };

/** Whether texts stand for the launch that is wanted: they are imported again.
 *  @return false with P3D_DATA: what they are instead; or P3D_SYSTEM */
typedef bool exchange_check(
        void *context, const exchange_text *files, p3d_error *err);

typedef struct exchange_rewrite_question {
    const exchange_target *target;
    const exchange_front *front;   /* that the files are of; NULL = none */
    const exchange_settings *read; /* as the readers found them, */
    const exchange_settings *said; /* and the same under the target's names, in
                                      the same order; more may follow */
    const exchange_text *files;
    int n_files; /* at most EXCHANGE_MOST_FILES */
    const exchange_launch *from;
    const exchange_launch *to;
    exchange_check *check;
    void *context;
} exchange_rewrite_question;

/** The files with the change. Zero to begin. */
typedef struct exchange_rewritten {
    p3d_text texts[EXCHANGE_MOST_FILES];
    int n_changed;
    int changed; /* the last file that was; meaningless where none was */
} exchange_rewritten;

/**
 * Write another launch into the files of one. What was written is read again,
 * and is the launch that is wanted, or there is none.
 *
 * @param out  free with exchange_rewritten_free(), also after a failure
 * @return false with P3D_DATA: what the files cannot say; or P3D_SYSTEM
 */
P3D_CHECK bool exchange_rewrite(const exchange_rewrite_question *question,
        exchange_rewritten *out, p3d_error *err);

/** Accepts a zero one. */
void exchange_rewritten_free(exchange_rewritten *rewritten);

/** True where the options of a target say the same of two launches. */
bool exchange_says_same(const exchange_target *target, const exchange_launch *a,
        const exchange_launch *b);

/**
 * Append what two texts differ in, as diff -u writes it.
 *
 * @param name       of the file, in both heads
 * @param n_context  lines around a change
 */
void exchange_diff(const char *name, const char *before, const char *after,
        int n_context, p3d_text *out);

#endif
