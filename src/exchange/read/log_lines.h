/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_lines.h - the lines of a log that comes in parts: without colours, and
 * without what a progress bar has overwritten. */
#ifndef PLAN3D_EXCHANGE_READ_LOG_LINES_H
#define PLAN3D_EXCHANGE_READ_LOG_LINES_H

#include <stddef.h>

#include "plan3d/error.h"

enum { EXCHANGE_LOG_LINE = 1 << 16 };

/** A line; what is longer is cut. */
typedef struct exchange_log_line {
    const char *text; /* ends in NUL */
    size_t n;
    int number; /* of the file, 1-based */
    bool open;  /* the file ends within it */
} exchange_log_line;

/** Zero to begin. Large; allocate it. */
typedef struct exchange_log_cutter {
    bool (*take)(void *to, const exchange_log_line *line, p3d_error *err);
    void *to;
    int escape; /* how far it is in a sequence of a terminal */
    int number;
    size_t n;
    char line[EXCHANGE_LOG_LINE];
} exchange_log_cutter;

/** Hand over the lines of a part. @return false with P3D_DATA (not a text), or
 *  as `take` does */
P3D_CHECK bool exchange_log_cut(exchange_log_cutter *cutter, const char *part,
        size_t n, p3d_error *err);

/** The last line, where nothing ends it. */
P3D_CHECK bool exchange_log_cut_end(
        exchange_log_cutter *cutter, p3d_error *err);

/** The rank that a line is of, as launchers write it: "[rank3]:", "3: "; -1 =
 *  it does not say. */
int exchange_log_rank(const char *line);

#endif
