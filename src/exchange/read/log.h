/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - a log that comes in parts, the time of a step that it says, and the
 * configuration that it prints as JSON. */
#ifndef PLAN3D_EXCHANGE_READ_LOG_H
#define PLAN3D_EXCHANGE_READ_LOG_H

#include "exchange/read/log_lines.h"
#include "exchange/read/read.h"

typedef struct exchange_log exchange_log;

/**
 * Begin to read a log.
 *
 * @param out  gets the arguments that it prints
 * @return NULL with P3D_SYSTEM; free with exchange_log_free()
 */
exchange_log *exchange_log_open(exchange_settings *out, p3d_error *err);

/** The next part, of any length. @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool exchange_log_take(
        exchange_log *log, const char *part, size_t n, p3d_error *err);

/** After the last part. What `measured` has of a log that was read before
 *  stays. @return false with P3D_DATA or P3D_SYSTEM */
P3D_CHECK bool exchange_log_finish(
        exchange_log *log, exchange_measured *measured, p3d_error *err);

/** Accepts NULL. */
void exchange_log_free(exchange_log *log);

/** A job that a log is of. */
typedef struct exchange_log_job {
    double batch; /* sequences of a step */
    double seq_len;
    int n_gpus;
    double n_micro_batches; /* of a step */
} exchange_log_job;

/** Work out the time of a step of this job, where the log says a speed. */
void exchange_log_step(
        exchange_measured *measured, const exchange_log_job *job);

/**
 * Does a log say of the job what is known of it, and what it says in two ways
 * the same? Batches, tokens of a step and speeds are compared.
 *
 * @return false with P3D_DATA: the two numbers that differ
 */
P3D_CHECK bool exchange_log_check(const exchange_measured *measured,
        const exchange_log_job *job, p3d_error *err);

/** Zero to begin; free the text. */
typedef struct exchange_log_config {
    p3d_text text;
    int depth; /* of braces and brackets that are open */
    int rank;  /* that prints it */
    bool done; /* it was there */
} exchange_log_config;

/**
 * Look at the next line of a log. Of several ranks the first one's counts; what
 * is no JSON, or is cut off, says nothing.
 *
 * @return false with P3D_SYSTEM
 */
P3D_CHECK bool exchange_log_config_take(exchange_log_config *config,
        const exchange_log_line *line, exchange_settings *out, p3d_error *err);

#endif
