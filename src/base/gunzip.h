/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gunzip.h - what gzip has packed (RFC 1951, 1952), unpacked as it comes. */
#ifndef PLAN3D_BASE_GUNZIP_H
#define PLAN3D_BASE_GUNZIP_H

#include "base/file.h"

/** A file that is unpacked in parts. */
typedef struct p3d_gunzip p3d_gunzip;

/** Begin. What does not begin as gzip does is handed on as it is.
 *  @param to  who takes the bytes; outlives the reader
 *  @return NULL when memory runs out */
p3d_gunzip *p3d_gunzip_new(const p3d_taker *to);

/**
 * Take the next part, and hand on what it holds. A p3d_taker's `take`.
 *
 * @param gunzip  a p3d_gunzip
 * @return false with P3D_DATA (no gzip after its mark, a wrong checksum), or as
 *         the taker does
 */
bool p3d_gunzip_take(void *gunzip, const char *part, size_t n, p3d_error *err);

/** The end of the file. @return false with P3D_DATA: it is cut short */
P3D_CHECK bool p3d_gunzip_end(p3d_gunzip *gunzip, p3d_error *err);

/** Accepts NULL. */
void p3d_gunzip_free(p3d_gunzip *gunzip);

#endif
