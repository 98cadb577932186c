/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_config.h - a configuration that a log prints as JSON. */
#ifndef PLAN3D_EXCHANGE_READ_LOG_CONFIG_H
#define PLAN3D_EXCHANGE_READ_LOG_CONFIG_H

#include "exchange/read/log_lines.h"
#include "exchange/read/read.h"

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
