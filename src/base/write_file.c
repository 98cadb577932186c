/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_file.c - writes whole files and gives them their names. */
#include "base/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"

enum { MAX_PATH = 4096, MAX_TRIES = 100 };

/* Paths of one file: where it is made ("" before), and where it goes. */
typedef struct paths {
    char temporary[MAX_PATH];
    char final[MAX_PATH];
} paths;

/* A wrong path is the person's, a disk that is full is the system's. */
static bool fail_write(
        const char *path, const char *what, int number, p3d_error *err)
{
    const bool nowhere = number == ENOENT || number == ENOTDIR ||
                         number == EISDIR || number == ENAMETOOLONG ||
                         number == ELOOP;
    char words[128];

    if (strerror_r(number, words, sizeof(words)) != 0)
        snprintf(words, sizeof(words), "error %d", number);
    return p3d_fail(err, nowhere ? P3D_DATA : P3D_SYSTEM,
            "%.300s: cannot be %s: %s; write to another directory", path, what,
            words);
}

static bool fail_written(const char *path, p3d_error *err)
{
    return fail_write(path, "written", errno, err);
}

static bool fail_exists(const char *path, p3d_error *err)
{
    return p3d_fail(err, P3D_DATA,
            "%.300s is there; write --force to replace it", path);
}

static bool fail_long(p3d_error *err)
{
    return p3d_fail(
            err, P3D_DATA, "the path is longer than %d bytes", MAX_PATH);
}

bool p3d_write_bytes(int fd, const char *data, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, data, n);

        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            data += done;
            n -= (size_t)done;
        }
    }
    return true;
}

/* What is not a file, and what a person may not have meant to replace. */
static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a directory"
           : S_ISLNK(mode)  ? "a symbolic link"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

/* Replacing /dev/null or a link to it would break the machine. */
static bool check_target(const char *path, bool force, p3d_error *err)
{
    struct stat found;

    if (lstat(path, &found) != 0)
        return errno == ENOENT || fail_written(path, err);
    if (!S_ISREG(found.st_mode))
        return p3d_fail(err, P3D_DATA,
                "%.300s is %s; plan3d writes and replaces only files: write "
                "another name",
                path, kind_of(found.st_mode));
    return force || fail_exists(path, err);
}

/* mkstemp() finds a name that nobody foresees, but its mode is not the one that
 * the umask leaves, and no thread can ask for the umask without changing it for
 * all others: open() applies it. O_EXCL refuses whatever has that name by then.
 */
static int open_temporary(
        const char *directory, mode_t mode, char path[MAX_PATH])
{
    int fd = -1;

    for (int i = 0; i < MAX_TRIES; i++) {
        snprintf(path, MAX_PATH, "%s/.plan3d-XXXXXX", directory);
        fd = mkstemp(path);
        if (fd >= 0) {
            close(fd);
            unlink(path);
            fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        }
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        path[0] = '\0';
    return fd;
}

static bool write_temporary(const char *directory, const p3d_output_file *file,
        paths *to, p3d_error *err)
{
    const int fd = open_temporary(
            directory, file->executable ? 0777 : 0666, to->temporary);
    bool ok;

    if (fd < 0)
        return fail_written(to->final, err);
    ok = p3d_write_bytes(fd, p3d_text_get(file->text), file->text->length) &&
         fsync(fd) == 0;
    if (!ok)
        fail_written(to->final, err);
    if (close(fd) != 0 && ok)
        ok = fail_written(to->final, err);
    return ok;
}

/* For file systems without hard links: the name is taken by an empty file,
 * which is replaced at once. */
static bool take_by_empty_file(const paths *at)
{
    const int fd =
            open(at->final, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    return fd >= 0 && close(fd) == 0 && rename(at->temporary, at->final) == 0;
}

/* link() fails where the name exists, rename() replaces it. */
static bool take_name(const paths *at, bool force)
{
    if (force)
        return rename(at->temporary, at->final) == 0;
    if (link(at->temporary, at->final) == 0)
        return unlink(at->temporary) == 0;
    return (errno == EPERM || errno == EOPNOTSUPP) && take_by_empty_file(at);
}

static bool move_in(const paths *at, bool force, p3d_error *err)
{
    if (take_name(at, force))
        return true;
    return errno == EEXIST ? fail_exists(at->final, err)
                           : fail_written(at->final, err);
}

/* Files of one directory, written all or not at all. */
typedef struct output {
    const char *directory;
    const p3d_output_file *files;
    int n;
    bool force;
    paths *at;
} output;

static bool write_all(const output *out, p3d_error *err)
{
    int n_in = 0;
    bool ok = true;

    for (int i = 0; i < out->n && ok; i++)
        ok = check_target(out->at[i].final, out->force, err);
    for (int i = 0; i < out->n && ok; i++)
        ok = write_temporary(out->directory, &out->files[i], &out->at[i], err);
    while (ok && n_in < out->n) {
        ok = move_in(&out->at[n_in], out->force, err);
        n_in += ok;
    }
    for (int i = 0; i < n_in && !ok && !out->force; i++)
        (void)unlink(out->at[i].final);
    for (int i = 0; i < out->n; i++)
        if (out->at[i].temporary[0] != '\0')
            (void)unlink(out->at[i].temporary);
    return ok;
}

static bool find_paths(const output *out, p3d_error *err)
{
    for (int i = 0; i < out->n; i++) {
        P3D_ASSERT(!out->files[i].text->failed);
        if (snprintf(out->at[i].final, MAX_PATH, "%s/%s", out->directory,
                    out->files[i].name) >= MAX_PATH)
            return fail_long(err);
    }
    /* Then a temporary name may be the longer one. */
    return strlen(out->directory) + strlen("/.plan3d-XXXXXX") < MAX_PATH ||
           fail_long(err);
}

static bool make_and_write(const output *out, p3d_error *err)
{
    bool is_new;
    bool ok;

    if (!find_paths(out, err))
        return false;
    is_new = mkdir(out->directory, 0777) == 0;
    if (!is_new && errno != EEXIST)
        return fail_write(out->directory, "made", errno, err);
    ok = write_all(out, err);
    if (!ok && is_new)
        (void)rmdir(out->directory);
    return ok;
}

bool p3d_write_files(const char *directory, const p3d_output_file *files, int n,
        bool force, p3d_error *err)
{
    paths *const at = calloc((size_t)n, sizeof(*at));
    const output out = {directory, files, n, force, at};
    const bool ok = at != NULL ? make_and_write(&out, err)
                               : p3d_fail(err, P3D_SYSTEM, "out of memory");

    free(at);
    return ok;
}

/* The directory of a path. @return the name in it, NULL after a failure */
static const char *split(
        const char *path, char directory[MAX_PATH], p3d_error *err)
{
    const char *const slash = strrchr(path, '/');
    size_t n = slash == NULL ? 0 : (size_t)(slash - path);

    if (n >= MAX_PATH) {
        fail_long(err);
        return NULL;
    }
    while (n > 0 && path[n - 1] == '/')
        n--;
    if (n == 0)
        p3d_copy(directory, MAX_PATH, slash == NULL ? "." : "/");
    else
        snprintf(directory, MAX_PATH, "%.*s", (int)n, path);
    return slash == NULL ? path : slash + 1;
}

/* A misspelt directory is not made for one file: it would hide the answer. */
static bool has_directory(
        const char *path, const char *directory, p3d_error *err)
{
    struct stat found;

    if (stat(directory, &found) != 0) {
        if (errno == ENOENT)
            return p3d_fail(err, P3D_DATA,
                    "%.200s: there is no directory '%.200s'; make it first, or "
                    "write to another",
                    path, directory);
        return fail_written(path, err);
    }
    return S_ISDIR(found.st_mode) || fail_write(path, "written", ENOTDIR, err);
}

bool p3d_write_file(
        const char *path, bool force, const p3d_text *text, p3d_error *err)
{
    char directory[MAX_PATH];
    const p3d_output_file file = {
            .name = split(path, directory, err), .text = text};

    return file.name != NULL && has_directory(path, directory, err) &&
           p3d_write_files(directory, &file, 1, force, err);
}

bool p3d_may_write_file(const char *path, bool force, p3d_error *err)
{
    char directory[MAX_PATH];

    return split(path, directory, err) != NULL &&
           has_directory(path, directory, err) &&
           check_target(path, force, err) &&
           (access(directory, W_OK) == 0 || fail_written(path, err));
}
