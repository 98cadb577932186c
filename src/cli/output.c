/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes what a command made to a file. */
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "exchange/export.h"

enum { MAX_PATH = 1024 };

/* The directory of a file, and its name there. */
typedef struct place {
    char directory[MAX_PATH];
    const char *name;
} place;

static bool find_place(
        const char *path, const char *example, place *out, p3d_error *err)
{
    const char *const slash = strrchr(path, '/');
    const size_t n = slash == NULL ? 0 : (size_t)(slash - path);

    out->name = slash == NULL ? path : slash + 1;
    if (*out->name == '\0' || n >= MAX_PATH)
        return p3d_fail(err, P3D_USAGE,
                "-o %.300s: not a file; write a name such as %s behind it",
                path, example);
    if (n == 0)
        p3d_copy(out->directory, MAX_PATH, slash == NULL ? "." : "/");
    else
        snprintf(out->directory, MAX_PATH, "%.*s", (int)n, path);
    return true;
}

bool cli_may_write_file(
        const char *path, bool force, const char *example, p3d_error *err)
{
    struct stat found;
    place at;

    if (!find_place(path, example, &at, err))
        return false;
    if (lstat(path, &found) == 0 && !force)
        return p3d_fail(err, P3D_DATA,
                "%.300s is there; write --force to replace it", path);
    if (stat(at.directory, &found) != 0)
        return errno == ENOENT || p3d_fail_write(path, "written", errno, err);
    if (!S_ISDIR(found.st_mode))
        return p3d_fail_write(path, "written", ENOTDIR, err);
    return access(at.directory, W_OK) == 0 ||
           p3d_fail_write(path, "written", errno, err);
}

bool cli_write_file(const char *path, bool force, const char *example,
        p3d_text *text, p3d_error *err)
{
    p3d_launch_files files = {.n = 1};
    place at;
    bool ok;

    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (!find_place(path, example, &at, err))
        return false;
    files.at[0].name = at.name;
    files.at[0].text = *text;
    *text = (p3d_text){0};
    ok = p3d_launch_files_write(&files, at.directory, force, err);
    p3d_launch_files_free(&files);
    return ok;
}
