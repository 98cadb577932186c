/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes what a command made to a file. */
#include "cli/output.h"

#include <string.h>

#include "exchange/export.h"

bool cli_write_file(const char *path, bool force, const char *example,
        p3d_text *text, p3d_error *err)
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash == NULL ? path : slash + 1;
    p3d_text directory = {0};
    p3d_launch_files files = {.n = 1, .at = {{.name = name}}};
    bool ok;

    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    files.at[0].text = *text;
    *text = (p3d_text){0};
    if (slash == NULL)
        p3d_text_add(&directory, ".");
    else
        p3d_text_append(
                &directory, path, slash == path ? 1 : (size_t)(slash - path));
    ok = (!directory.failed || p3d_fail(err, P3D_SYSTEM, "out of memory")) &&
         (*name != '\0' || p3d_fail(err, P3D_USAGE,
                                   "-o %.300s: not a file; write a name such "
                                   "as %s behind it",
                                   path, example)) &&
         p3d_launch_files_write(&files, p3d_text_get(&directory), force, err);
    p3d_text_free(&directory);
    p3d_launch_files_free(&files);
    return ok;
}
