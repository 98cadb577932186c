/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes the file of measurements. */
#include "bench/host/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/write_file.h"

bool bench_output_check(const char *path, bool force, p3d_error *err)
{
    return path == NULL || p3d_may_write_file(path, force, err);
}

bool bench_output_write(
        const char *path, bool force, const p3d_text *text, p3d_error *err)
{
    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (path != NULL)
        return p3d_write_file(path, force, text, err);
    return p3d_write_bytes(STDOUT_FILENO, p3d_text_get(text), text->length) ||
           p3d_fail(err, P3D_SYSTEM,
                   "the standard output cannot be written: %s",
                   strerror(errno));
}
