/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c - reads whole files with a limit on their length. */
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

#include "base/stop.h"
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
        p3d_fail(err, P3D_DATA, "the file is longer than %zu bytes", max_bytes);
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

static bool open_and_read(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err)
{
    source from = {.fd = STDIN_FILENO};
    bool ok;

    if (strcmp(path, "-") == 0)
        return read_all(from, max_bytes, out, length, err);
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

bool p3d_fail_file(p3d_error *err, const char *file, const p3d_error *cause)
{
    if (err == NULL || err->code != P3D_OK)
        return false;
    *err = *cause;
    if (err->file[0] == '\0')
        p3d_show(err->file, sizeof(err->file), file);
    return false;
}
