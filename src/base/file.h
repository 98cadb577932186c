/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - files that are read whole, and what is wrong in them. */
#ifndef PLAN3D_BASE_FILE_H
#define PLAN3D_BASE_FILE_H

#include <stddef.h>

#include "plan3d/error.h"

/** Name of standard input in messages. */
#define P3D_STDIN "<stdin>"

/** The name of a path in messages: P3D_STDIN for "-", else itself. */
const char *p3d_file_name(const char *path);

/**
 * Read a whole file or pipe ("-" is standard input) that is at most max_bytes
 * long. A pipe that nobody writes into is waited for five seconds.
 *
 * @param out     NUL-terminated copy; the caller frees it with free()
 * @param length  bytes without the NUL
 * @return false with P3D_DATA (no such file, a directory, a device, a pipe
 *         that nobody writes into, longer than max_bytes), P3D_SYSTEM (cannot
 *         be opened or read) or P3D_INTERRUPTED
 */
P3D_CHECK bool p3d_read_file(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err);

/** Record what is wrong in a file, under this name unless the cause has one;
 *  as with p3d_fail() the first cause is kept. @return false */
bool p3d_fail_file(p3d_error *err, const char *file, const p3d_error *cause);

#endif
