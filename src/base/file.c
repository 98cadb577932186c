/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c - reads files and pipes whole, and writes files whole or not at
 * all. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/builtin.h"
#include "base/tasks.h"
#include "base/utf8.h"
#include "base/util.h"

/* How long a pipe without a writer is waited for, and between two looks. */
enum { PATIENCE_MS = 5000, LOOK_MS = 100 };

/* What is read. A pipe may be opened before who writes into it has opened it;
 * then its end is not one. */
typedef struct source {
    int fd;
    int patience_ms; /* 0 = the end of the file is its end */
} source;

const char *p3d_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? P3D_STDIN : path;
}

/* strerror() is neither thread-safe nor lower case. */
static bool fail_errno(p3d_error *err, const char *what, int number)
{
    char words[128];

    switch (number) {
    case ENOENT: return p3d_fail(err, P3D_DATA, "no such file");
    case EISDIR:
        return p3d_fail(err, P3D_DATA, "this is a directory, not a file");
    case EACCES:
        return p3d_fail(err, P3D_SYSTEM, "no permission to read the file");
    case ENOMEM: return p3d_fail(err, P3D_SYSTEM, "out of memory");
    case ENXIO:
        return p3d_fail(err, P3D_DATA,
                "this is a device or a socket; write the path of a file, or - "
                "for standard input");
    case ETIMEDOUT:
        return p3d_fail(err, P3D_DATA,
                "this is a pipe that nobody writes into, not a file");
    case ECANCELED:
        return p3d_fail(
                err, P3D_INTERRUPTED, "interrupted while the file was read");
    default: break;
    }
    if (strerror_r(number, words, sizeof(words)) != 0)
        snprintf(words, sizeof(words), "error %d", number);
    return p3d_fail(err, P3D_SYSTEM, "the file cannot be %s: %s", what, words);
}

/* Wait for bytes, or for the end. @return as poll() */
static int wait_for(const source *from, short *events)
{
    struct pollfd at = {.fd = from->fd, .events = POLLIN};
    const int n = poll(&at, 1, LOOK_MS);

    *events = at.revents;
    return n;
}

/* After a read that gave nothing: is that the end? A writer that has left says
 * so, one that has not come yet does not. */
static bool is_end(source *from)
{
    short events;
    int n;

    if (from->patience_ms == 0)
        return true;
    n = wait_for(from, &events);
    if (n == 0)
        from->patience_ms -= LOOK_MS;
    if (from->patience_ms == 0)
        errno = ETIMEDOUT;
    return n > 0 && (events & POLLIN) == 0;
}

/* As read(), but goes on after a signal, and waits for who writes. */
static ssize_t read_some(source *from, char *to, size_t n)
{
    for (;;) {
        const ssize_t got = read(from->fd, to, n);
        short events;

        if (got > 0)
            from->patience_ms = 0;
        if (got > 0 || (got == 0 && is_end(from)))
            return got;
        if (got == 0 && from->patience_ms == 0)
            return -1;
        if (got < 0 && errno == EAGAIN)
            (void)wait_for(from, &events);
        else if (got < 0 && errno != EINTR)
            return -1;
        if (p3d_stopped()) {
            errno = ECANCELED;
            return -1;
        }
    }
}

/* Bytes of storage after `capacity`: one for the NUL, one to notice that the
 * file goes on after max_bytes. */
static size_t next_capacity(size_t capacity, size_t max_bytes)
{
    const size_t most = max_bytes + 2;

    if (capacity == 0)
        return most < 4096 ? most : 4096;
    return capacity > most / 2 ? most : 2 * capacity;
}

/* Room for at least one more byte and the NUL. */
static bool grow(char **data, size_t *capacity, size_t max_bytes)
{
    const size_t wanted = next_capacity(*capacity, max_bytes);
    char *const more = realloc(*data, wanted);

    if (more == NULL)
        return false;
    *data = more;
    *capacity = wanted;
    return true;
}

static bool fail_longer(size_t max_bytes, p3d_error *err)
{
    return p3d_fail(
            err, P3D_DATA, "the file is longer than %zu bytes", max_bytes);
}

static bool read_all(source from, size_t max_bytes, char **out, size_t *length,
        p3d_error *err)
{
    char *data = NULL;
    size_t capacity = 0;
    size_t used = 0;
    ssize_t got;

    do {
        if (used + 1 >= capacity && !grow(&data, &capacity, max_bytes)) {
            fail_errno(err, "read", ENOMEM);
            goto out;
        }
        got = read_some(&from, data + used, capacity - 1 - used);
        if (got < 0) {
            fail_errno(err, "read", errno);
            goto out;
        }
        used += (size_t)got;
    } while (got > 0 && used <= max_bytes);
    if (used > max_bytes) {
        fail_longer(max_bytes, err);
        goto out;
    }
    data[used] = '\0';
    *out = data;
    *length = used;
    return true;
out:
    free(data);
    return false;
}

/* Opens what can be read to its end: a file or a pipe. What another program
 * has to do first is not waited for here. */
static bool open_source(const char *path, source *out, p3d_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat found;

    if (fd < 0)
        return fail_errno(err, "opened", errno);
    if (fstat(fd, &found) != 0 || S_ISCHR(found.st_mode) ||
            S_ISBLK(found.st_mode)) {
        close(fd);
        return fail_errno(err, "opened", ENXIO);
    }
    *out = (source){fd, S_ISFIFO(found.st_mode) ? PATIENCE_MS : 0};
    return true;
}

/* What the library holds itself, as if it were a file. */
static bool copy_builtin(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err)
{
    const p3d_builtin_file *const file = p3d_builtin_find(path);

    if (file == NULL)
        return fail_errno(err, "opened", ENOENT);
    if (file->length > max_bytes)
        return fail_longer(max_bytes, err);
    *out = malloc(file->length + 1);
    if (*out == NULL)
        return fail_errno(err, "read", ENOMEM);
    memcpy(*out, file->text, file->length + 1);
    *length = file->length;
    return true;
}

static bool open_and_read(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err)
{
    source from = {.fd = STDIN_FILENO};
    bool ok;

    if (strcmp(path, "-") == 0)
        return read_all(from, max_bytes, out, length, err);
    if (p3d_is_builtin(path))
        return copy_builtin(path, max_bytes, out, length, err);
    if (!open_source(path, &from, err))
        return false;
    ok = read_all(from, max_bytes, out, length, err);
    close(from.fd);
    return ok;
}

bool p3d_read_file(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err)
{
    p3d_error cause = {0};

    P3D_ASSERT(max_bytes <= SIZE_MAX / 4);
    return open_and_read(path, max_bytes, out, length, &cause) ||
           p3d_fail_file(err, p3d_file_name(path), &cause);
}

enum { PART_BYTES = 1 << 16 };

static bool read_parts(source from, const p3d_taker *taker, p3d_error *err)
{
    char *const part = malloc(PART_BYTES);
    bool ok = part != NULL || fail_errno(err, "read", ENOMEM);
    ssize_t got = 1;

    while (ok && got > 0) {
        got = read_some(&from, part, PART_BYTES);
        if (got < 0)
            ok = fail_errno(err, "read", errno);
        else if (got > 0)
            ok = taker->take(taker->to, part, (size_t)got, err);
    }
    free(part);
    return ok;
}

bool p3d_read_parts(const char *path, const p3d_taker *taker, p3d_error *err)
{
    const bool given = strcmp(path, "-") == 0;
    source from = {.fd = STDIN_FILENO};
    p3d_error cause = {0};
    bool ok = given || open_source(path, &from, &cause);

    if (ok) {
        ok = read_parts(from, taker, &cause);
        if (!given)
            close(from.fd);
    }
    return ok || p3d_fail_file(err, p3d_file_name(path), &cause);
}

int p3d_open_places(const char *path, p3d_error *err)
{
    source from = {.fd = -1};
    struct stat found;

    if (!open_source(path, &from, err))
        return -1;
    if (fstat(from.fd, &found) == 0 && S_ISREG(found.st_mode))
        return from.fd;
    (void)p3d_fail(err, P3D_DATA,
            "this is no plain file, and it is not read from its beginning to "
            "its end; write it into a file");
    close(from.fd);
    return -1;
}

int64_t p3d_read_at(int fd, int64_t at, void *to, size_t n, p3d_error *err)
{
    size_t got = 0;
    ssize_t more = 1;

    while (got < n && more != 0) {
        more = pread(fd, (char *)to + got, n - got, (off_t)(at + (int64_t)got));
        if (p3d_stopped())
            errno = ECANCELED;
        if (p3d_stopped() || (more < 0 && errno != EINTR)) {
            (void)fail_errno(err, "read", errno);
            return -1;
        }
        got += more > 0 ? (size_t)more : 0;
    }
    return (int64_t)got;
}

bool p3d_fail_file(p3d_error *err, const char *file, const p3d_error *cause)
{
    if (err == NULL || err->code != P3D_OK)
        return false;
    *err = *cause;
    if (err->file[0] == '\0')
        p3d_show(err->file, sizeof(err->file), file);
    return false;
}

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
