/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - files: read whole, with what is wrong in them; written whole or not
 * at all, and never through a link. */
#ifndef PLAN3D_BASE_FILE_H
#define PLAN3D_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "plan3d/error.h"

/** Name of standard input in messages. */
#define P3D_STDIN "<stdin>"

/** The name of a path in messages: P3D_STDIN for "-", else itself. */
const char *p3d_file_name(const char *path);

/**
 * Read a whole file or pipe that is at most max_bytes long: "-" is standard
 * input, "builtin:models/gpt2.json" one of builtin.h. A pipe that nobody writes
 * into is waited for five seconds.
 *
 * @param out     NUL-terminated copy; the caller frees it with free()
 * @param length  bytes without the NUL
 * @return false with P3D_DATA (no such file, a directory, a device, a pipe
 *         that nobody writes into, longer than max_bytes), P3D_SYSTEM (cannot
 *         be opened or read) or P3D_INTERRUPTED
 */
P3D_CHECK bool p3d_read_file(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err);

/** Who takes a file in parts, of any length; false with an error stops. */
typedef struct p3d_taker {
    bool (*take)(void *to, const char *part, size_t n, p3d_error *err);
    void *to;
} p3d_taker;

/**
 * Hand over a file or pipe in parts, as it is read.
 *
 * @return as p3d_read_file(), or as `taker` does
 */
P3D_CHECK bool p3d_read_parts(
        const char *path, const p3d_taker *taker, p3d_error *err);

/** Open a file to be read at any place, with p3d_read_at(); close() it.
 *  @return -1 with P3D_DATA (no such file, no plain file) or P3D_SYSTEM */
int p3d_open_places(const char *path, p3d_error *err);

/** Read up to n bytes at a place.
 *  @return how many, less than n at the end of the file; -1 with P3D_SYSTEM or
 *          P3D_INTERRUPTED */
int64_t p3d_read_at(int fd, int64_t at, void *to, size_t n, p3d_error *err);

/** Record what is wrong in a file, under this name unless the cause has one;
 *  as with p3d_fail() the first cause is kept. @return false */
bool p3d_fail_file(p3d_error *err, const char *file, const p3d_error *cause);

/** A file to write. */
typedef struct p3d_output_file {
    const char *name; /* without a directory */
    const p3d_text *text;
    bool executable;
} p3d_output_file;

/** Write all of it. @return false with errno */
P3D_CHECK bool p3d_write_bytes(int fd, const char *data, size_t n);

/**
 * Write files into a directory, which is made when it is missing: all of them
 * or none. Each is made under a temporary name that nobody foresees, with the
 * mode that the umask leaves, and then takes its name: a reader sees the file
 * that was there or the new one.
 *
 * @param force  replace files that are there. Links, devices, pipes and
 *               sockets never are, nor is what a link leads to
 * @return false with P3D_DATA (a file that is there, a path that leads nowhere)
 *         or P3D_SYSTEM (what cannot be written, for whatever else)
 */
P3D_CHECK bool p3d_write_files(const char *directory,
        const p3d_output_file *files, int n, bool force, p3d_error *err);

/** As p3d_write_files(), one file by its path, whose directory is there. */
P3D_CHECK bool p3d_write_file(
        const char *path, bool force, const p3d_text *text, p3d_error *err);

/** Fail when p3d_write_file() would: before long work. */
P3D_CHECK bool p3d_may_write_file(const char *path, bool force, p3d_error *err);

#endif
