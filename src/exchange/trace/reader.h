/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h - a trace, packed or not, as it comes. */
#ifndef PLAN3D_EXCHANGE_TRACE_READER_H
#define PLAN3D_EXCHANGE_TRACE_READER_H

#include "plan3d/trace.h"

typedef struct exchange_trace exchange_trace;

/** Begin. @return NULL when memory runs out */
exchange_trace *exchange_trace_new(void);

/** Take the next part. A p3d_taker's `take`. @param trace  an exchange_trace */
bool exchange_trace_take(
        void *trace, const char *part, size_t n, p3d_error *err);

/** The end of the file.
 *  @param out  release with p3d_trace_free(), also after a failure */
P3D_CHECK bool exchange_trace_end(
        exchange_trace *trace, p3d_trace *out, p3d_error *err);

/** Accepts NULL. */
void exchange_trace_free(exchange_trace *trace);

#endif
