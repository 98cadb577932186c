/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsys.h - what Nsight Systems recorded, as it exports it to SQLite. */
#ifndef PLAN3D_EXCHANGE_TRACE_NSYS_H
#define PLAN3D_EXCHANGE_TRACE_NSYS_H

#include "plan3d/trace.h"

/** Read an export of one GPU or of several, of which the first counts.
 *  @param out  release with p3d_trace_free(), also after a failure
 *  @return false with P3D_DATA (damaged, no kernel of a GPU) or P3D_SYSTEM */
P3D_CHECK bool exchange_nsys_read(
        const char *path, p3d_trace *out, p3d_error *err);

#endif
