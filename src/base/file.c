/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c - reads whole files with a limit on their length. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/util.h"

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
    default: break;
    }
    if (strerror_r(number, words, sizeof(words)) != 0)
        snprintf(words, sizeof(words), "error %d", number);
    return p3d_fail(err, P3D_SYSTEM, "the file cannot be %s: %s", what, words);
}

/* As read(), but goes on after a signal. */
static ssize_t read_some(int fd, char *to, size_t n)
{
    ssize_t got;

    do {
        got = read(fd, to, n);
    } while (got < 0 && errno == EINTR);
    return got;
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

static bool read_all(
        int fd, size_t max_bytes, char **out, size_t *length, p3d_error *err)
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
        got = read_some(fd, data + used, capacity - 1 - used);
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

static bool open_and_read(const char *path, size_t max_bytes, char **out,
        size_t *length, p3d_error *err)
{
    int fd;
    bool ok;

    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, max_bytes, out, length, err);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_errno(err, "opened", errno);
    ok = read_all(fd, max_bytes, out, length, err);
    close(fd);
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
