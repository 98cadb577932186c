/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes what a command made to a file. */
#include "cli/output.h"

#include <string.h>

#include "base/write_file.h"
#include "cli/interrupt.h"

static bool check_name(const char *path, const char *example, p3d_error *err)
{
    const char *const slash = strrchr(path, '/');

    return (slash == NULL ? path : slash + 1)[0] != '\0' ||
           p3d_fail(err, P3D_USAGE,
                   "-o %.300s: not a file; write a name such as %s behind it",
                   path, example);
}

bool cli_may_write_file(
        const char *path, bool force, const char *example, p3d_error *err)
{
    return check_name(path, example, err) &&
           p3d_may_write_file(path, force, err);
}

bool cli_write_file(const char *path, bool force, const char *example,
        const p3d_text *text, p3d_error *err)
{
    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return check_name(path, example, err) && cli_begin_write(err) &&
           p3d_write_file(path, force, text, err);
}
