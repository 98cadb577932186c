/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes the file of measurements. */
#include "bench/host/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { PATH = 4096 };

static bool fail_exists(const char *path, p3d_error *err)
{
    return p3d_fail(
            err, P3D_DATA, "%.200s exists; write --force to replace it", path);
}

/* A wrong path is the person's, a disk that is full or read-only is the
 * system's. */
static bool fail_write(const char *path, p3d_error *err)
{
    const bool wrong_path = errno == ENOENT || errno == ENOTDIR;

    return p3d_fail(err, wrong_path ? P3D_DATA : P3D_SYSTEM,
            "%.200s cannot be written: %s", path, strerror(errno));
}

/* The file in the same folder that becomes the output. */
static bool name_part(const char *path, char *part, p3d_error *err)
{
    const int n = snprintf(part, PATH, "%s.%ld.part", path, (long)getpid());

    if (n < 0 || n >= PATH)
        return p3d_fail(err, P3D_DATA, "the output's path is too long");
    return true;
}

bool bench_output_check(const char *path, bool force, p3d_error *err)
{
    char part[PATH];
    struct stat info;
    int fd;

    if (path == NULL)
        return true;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return p3d_fail(err, P3D_DATA,
                "%.200s is a directory; write the name of a file", path);
    if (stat(path, &info) == 0 && !force)
        return fail_exists(path, err);
    if (!name_part(path, part, err))
        return false;
    fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail_write(path, err);
    close(fd);
    unlink(part);
    return true;
}

static bool take_name(
        const char *part, const char *path, bool force, p3d_error *err)
{
    if (p3d_take_name(part, path, force))
        return true;
    return errno == EEXIST ? fail_exists(path, err) : fail_write(path, err);
}

bool bench_output_write(
        const char *path, bool force, const p3d_text *text, p3d_error *err)
{
    char part[PATH];
    bool ok;
    int fd;

    if (text->failed)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    if (path == NULL)
        return p3d_write_bytes(
                       STDOUT_FILENO, p3d_text_get(text), text->length) ||
               fail_write("the standard output", err);
    if (!name_part(path, part, err))
        return false;
    fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail_write(path, err);
    ok = p3d_write_bytes(fd, p3d_text_get(text), text->length) &&
         fsync(fd) == 0;
    if (close(fd) != 0 || !ok)
        ok = fail_write(path, err);
    else
        ok = take_name(part, path, force, err);
    unlink(part);
    return ok;
}
