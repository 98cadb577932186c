/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - writes the files of a launch: all of them or none. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "exchange/export.h"

enum { MAX_PATH = 1024 };

/* Paths of one file: where it is made, and where it goes. */
typedef struct paths {
    char temporary[MAX_PATH];
    char final[MAX_PATH];
} paths;

bool p3d_fail_write(
        const char *path, const char *what, int number, p3d_error *err)
{
    const bool nowhere =
            number == ENOENT || number == ENOTDIR || number == EISDIR;
    char words[128];

    if (strerror_r(number, words, sizeof(words)) != 0)
        snprintf(words, sizeof(words), "error %d", number);
    return p3d_fail(err, nowhere ? P3D_DATA : P3D_SYSTEM,
            "%.300s: cannot be %s: %s; write to another directory", path, what,
            words);
}

static bool fail_written(const char *path, p3d_error *err)
{
    return p3d_fail_write(path, "written", errno, err);
}

static bool find_paths(
        const char *directory, const char *name, paths *out, p3d_error *err)
{
    const int room = MAX_PATH;

    if (snprintf(out->final, MAX_PATH, "%s/%s", directory, name) >= room ||
            snprintf(out->temporary, MAX_PATH, "%s/.%s.%ld", directory, name,
                    (long)getpid()) >= room)
        return p3d_fail(err, P3D_DATA,
                "the name of the directory is longer than %d bytes", MAX_PATH);
    return true;
}

static bool write_temporary(
        const p3d_launch_file *file, const paths *to, p3d_error *err)
{
    const int fd = open(to->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
            file->executable ? 0777 : 0666);
    bool ok;

    if (fd < 0)
        return fail_written(to->final, err);
    ok = p3d_write_bytes(fd, p3d_text_get(&file->text), file->text.length) &&
         fsync(fd) == 0;
    if (!ok)
        fail_written(to->final, err);
    if (close(fd) != 0 && ok)
        ok = fail_written(to->final, err);
    return ok;
}

static bool fail_exists(const char *path, p3d_error *err)
{
    return p3d_fail(err, P3D_DATA,
            "%.300s is there; write --force to replace it", path);
}

static bool move_in(const paths *at, bool force, p3d_error *err)
{
    if (p3d_take_name(at->temporary, at->final, force))
        return true;
    return errno == EEXIST ? fail_exists(at->final, err)
                           : fail_written(at->final, err);
}

static bool check_absent(
        const p3d_launch_files *files, const paths *at, p3d_error *err)
{
    struct stat found;

    for (int i = 0; i < files->n; i++) {
        if (lstat(at[i].final, &found) == 0)
            return fail_exists(at[i].final, err);
    }
    return true;
}

static bool write_all(const p3d_launch_files *files, const paths *at,
        bool force, p3d_error *err)
{
    int n_in = 0;
    bool ok = true;

    for (int i = 0; i < files->n && ok; i++)
        ok = write_temporary(&files->at[i], &at[i], err);
    while (ok && n_in < files->n) {
        ok = move_in(&at[n_in], force, err);
        n_in += ok;
    }
    if (!ok && !force) {
        for (int i = 0; i < n_in; i++)
            (void)unlink(at[i].final);
    }
    for (int i = 0; i < files->n; i++)
        (void)unlink(at[i].temporary);
    return ok;
}

bool p3d_launch_files_write(const p3d_launch_files *files,
        const char *directory, bool force, p3d_error *err)
{
    paths at[P3D_MAX_LAUNCH_FILES];
    bool is_new;
    bool ok;

    for (int i = 0; i < files->n; i++) {
        if (!find_paths(directory, files->at[i].name, &at[i], err))
            return false;
    }
    is_new = mkdir(directory, 0777) == 0;
    if (!is_new && errno != EEXIST)
        return p3d_fail_write(directory, "made", errno, err);
    ok = (force || check_absent(files, at, err)) &&
         write_all(files, at, force, err);
    if (!ok && is_new)
        (void)rmdir(directory);
    return ok;
}
