/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - files that are read or written whole, and what is wrong in them. */
#ifndef PLAN3D_BASE_FILE_H
#define PLAN3D_BASE_FILE_H

#include <stddef.h>

#include "plan3d/error.h"

/** Name of standard input in messages. */
#define P3D_STDIN "<stdin>"

/** The name of a path in messages: P3D_STDIN for "-", else itself. */
const char *p3d_file_name(const char *path);

/**
 * Read a whole file ("-" is standard input) that is at most max_bytes long.
 *
 * @param out     NUL-terminated copy; the caller frees it with free()
 * @param length  bytes without the NUL
 * @return false with P3D_DATA (no such file, a directory, longer than
 *         max_bytes) or P3D_SYSTEM (cannot be opened or read)
 */
P3D_CHECK bool p3d_read_file(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err);

/** Write all of it. @return false with errno */
P3D_CHECK bool p3d_write_bytes(int fd, const char *data, size_t n);

/**
 * Give a finished file its name: a reader sees the file that was there or the
 * new one.
 *
 * @param part   in the same folder; there still after a failure
 * @param force  replace a file of that name, else it is kept, even one that has
 *               just appeared
 * @return false with errno; EEXIST where the name is taken
 */
P3D_CHECK bool p3d_take_name(const char *part, const char *path, bool force);

/** Record what is wrong in a file, under this name unless the cause has one;
 *  as with p3d_fail() the first cause is kept. @return false */
bool p3d_fail_file(p3d_error *err, const char *file, const p3d_error *cause);

#endif
